/* SPDX-License-Identifier: MIT */
/* What a fuzz target is: one function that libFuzzer, AFL++ and fuzz/run.c call alike. */
#ifndef VX_FUZZ_TARGET_H
#define VX_FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Aborts on a finding. −1: the input is of no use and need not be kept. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of targets that take structured inputs (mutate.c); libFuzzer finds them by their names. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned int seed);

/* The target's name, and which steps of build3d it makes, a bit each (1 << vx_op); 0 where the
 * input is text. */
extern const char *const vx_fuzz_target;
extern const unsigned vx_fuzz_ops;

/* A finding unless it is so. */
static inline void vx_fuzz_expect(bool good)
{
    if (!good) {
        abort();
    }
}

#endif
