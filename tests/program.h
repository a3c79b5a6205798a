/* SPDX-License-Identifier: MIT */
/* For tests: programs that are run to their end, and files that are gone afterwards. */
#ifndef VX_TEST_PROGRAM_H
#define VX_TEST_PROGRAM_H

#include <stddef.h>

#include "text.h"

/* What a program left. Zero-initialise; free with test_run_free. */
typedef struct test_run {
    int status; /* exit status; 128 + the signal that ended it */
    vx_text out;
    vx_text err;
} test_run;

void test_run_free(test_run *run);

/* Runs a program with arguments (the program's name first, NULL last) in the directory (NULL: this
 * one), with input as its standard input, to its end. What run held before is freed. */
void test_run_program(test_run *run, const char *directory, const char *const *arguments,
                      const char *input);

/* The program voxcert: VOXCERT in the environment, or build/voxcert. An absolute path. */
const char *test_voxcert(void);

/* Runs `voxcert WORDS`, the words being separated by single spaces. */
void test_run_voxcert(test_run *run, const char *words, const char *input);

/* Expects a part in what a program wrote. */
void test_expect_part(const vx_text *text, const char *part);

/* Compiles source, with the reference, to a shared library that can share its arenas with this
 * build of the program. flags are words for the compiler, or "". */
void test_build_library(const char *source, const char *flags, const char *library);

/* Ends this test by SIGALRM if it is still running after so many seconds. (Criterion's own timeout
 * leaks its timer, which LeakSanitizer then reports for the whole run.) */
void test_deadline(unsigned seconds);

/* What this process writes to standard error between the two calls; to be freed. */
void test_catch_errors(void);
char *test_caught_errors(void);

/* A new directory below the system's temporary one, and its end with all that is in it. */
char *test_directory_new(void);
void test_directory_remove(char *path);

/* Writes size bytes to DIRECTORY/NAME, making directories on the way; the path is to be freed. */
char *test_file(const char *directory, const char *name, const void *bytes, size_t size);

#endif
