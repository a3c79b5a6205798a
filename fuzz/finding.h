/* SPDX-License-Identifier: MIT */
/* What becomes of a case on which implementations disagree. */
#ifndef VX_FUZZ_FINDING_H
#define VX_FUZZ_FINDING_H

#include <stdnoreturn.h>

#include "fuzz/judge.h"
#include "fuzz/mutate.h"

/* Makes a case smaller while the two sides go on disagreeing: leaves out steps and the items of
 * lists, and makes numbers simple. The arrays of the input are changed in place. Returns how many
 * changes there were. */
size_t vx_fuzz_shrink(vx_input *input, unsigned a, unsigned b);

/* A copy that can be changed; free it with vx_build3d_input_free. */
vx_input *vx_fuzz_copy(const vx_input *input);

/* Shrinks, writes and tells the case that the bytes are, and aborts. */
noreturn void vx_fuzz_report(const vx_input *input, vx_bytes from, unsigned a, unsigned b);

/* What is told of a case: the step, the section of SPEC.md that it is about, and who is alone. */
void vx_fuzz_tell_vote(const vx_input *input, unsigned a, unsigned b, vx_text *text);

/* Writes and tells the case that is at hand, that the bytes are, which takes longer than so many
 * seconds. It stays as large as it is: each attempt to make it smaller would hang. */
void vx_fuzz_report_hang(uint64_t seconds, vx_bytes from);

/* What is told of it: who is still running, in which step. */
void vx_fuzz_tell_hang(uint64_t seconds, vx_text *text);

/* Writes what belongs to a finding of that input to DIRECTORY/TARGET-crash-SHA1 with that suffix,
 * making the directory, and adds its path to the text. SHA1 is the input's, as in the names that
 * libFuzzer gives to inputs: by its name one file is found from the other. */
bool vx_fuzz_write_finding(vx_bytes input, const char *suffix, const void *bytes, size_t size,
                           vx_text *path);

#endif
