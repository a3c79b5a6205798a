/* SPDX-License-Identifier: MIT */
/* The fast implementation beside the reference on N generated cases: `check_fast N [SEED]` goes
 * through all families with seeds from SEED on, at the levels of the processor in turn, and ends in
 * `N passed, N failed`. On a terminal it shows how far it is and the seed from which to go on. */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "fast/build3d/kernels.h"
#include "generate.h"
#include "reference.h"

/* A number from 0 on; false for anything else. */
static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

/* Whether both answer the case alike. */
static bool check_case(const vx_chapter *chapter, const vx_family *family, uint64_t seed,
                       vx_arena *arena)
{
    static const vx_run_options options = {.step_limit = SIZE_MAX};
    const vx_implementation *fast = vx_implementation_find(chapter, "fast");
    vx_case item;
    vx_generate_case(chapter, family, seed, &item);
    vx_result expected = {0};
    vx_result result = {0};
    bool equal = fast != NULL && vx_reference_run(&item, arena, &expected) == VX_OK &&
                 chapter->run(fast->table, item.input, &options, arena, &result) == VX_OK &&
                 vx_result_equal(chapter->shape, &expected, &result);
    if (!equal) {
        printf("%s: the two disagree; check_fast %zu %" PRIu64 " repeats it\n", item.name,
               *chapter->family_count, seed);
        (void)fflush(stdout);
    }
    vx_result_free(&expected);
    vx_result_free(&result);
    vx_case_free(&item);
    return equal;
}

/* How far it is, on a terminal. */
static void show(uint64_t done, uint64_t cases, uint64_t seed, time_t begin)
{
    enum { OFTEN = 4096 };
    if (done % OFTEN != 0 || isatty(STDERR_FILENO) != 1) {
        return;
    }
    double seconds = difftime(time(NULL), begin);
    double rate = seconds > 0 ? (double)done / seconds : 0;
    double left = rate > 0 ? (double)(cases - done) / rate : 0;
    (void)fprintf(stderr,
                  "\r\033[K%" PRIu64 " of %" PRIu64 ", %.0f a second, %.0f s left, seed %" PRIu64,
                  done, cases, rate, left, seed);
}

int main(int count, char **arguments)
{
    uint64_t cases;
    uint64_t seed = 0;
    if (count < 2 || count > 3 || !read_number(arguments[1], &cases) || cases == 0 ||
        (count == 3 && !read_number(arguments[2], &seed))) {
        (void)fprintf(stderr, "usage: check_fast N [SEED], N cases from 1 on\n");
        return 2;
    }
    const vx_chapter *chapter = vx_chapter_find("build3d");
    vx_arena arena;
    vx_reference_arena(&arena);
    uint64_t passed = 0;
    time_t begin = time(NULL);
    for (uint64_t i = 0; i < cases; i++) {
        static const unsigned levels[] = {VX_FAST_BASELINE, VX_FAST_AVX2, VX_FAST_AVX512};
        (void)vx_fast_set_levels(levels[(seed + i / *chapter->family_count) % 3]);
        const vx_family *family = &chapter->families[i % *chapter->family_count];
        passed += check_case(chapter, family, seed + i / *chapter->family_count, &arena);
        show(i + 1, cases, seed + i / *chapter->family_count, begin);
    }
    vx_arena_free(&arena);
    (void)fputs(isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "", stderr);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, cases - passed);
    return passed < cases;
}
