/* SPDX-License-Identifier: MIT */
/* For tests: a directory of the test's own, and a deadline of four minutes. A suite names
 * scratch_open as its init and scratch_close as its fini. */
#ifndef VX_TEST_SCRATCH_H
#define VX_TEST_SCRATCH_H

#include "text.h"

void scratch_open(void);
void scratch_close(void);

/* The path of a file of that name in it, whether there is one or not; valid until scratch_close. */
const char *scratch_path(const char *name);

/* Writes a file and returns its path. */
const char *scratch_write(const char *name, const char *content);

/* Reads a file; free the text. */
vx_text scratch_read(const char *path);

#endif
