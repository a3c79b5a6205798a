/* SPDX-License-Identifier: MIT */
/* Spans and merging: B3. */
#include "ref_field.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SPANS_MAX = 6 };

typedef struct merge_case {
    const char *name;
    int64_t T;
    int64_t spans[SPANS_MAX][3]; /* min, max, area; ended by max = 0 */
    const char *rows;
} merge_case;

Test(ref_spans, merging)
{
    static const merge_case cases[] = {
        {"one span", 4, {{2, 5, 7}}, "0 0 2 5 7"},
        {"the whole column", 4, {{0, 100, 0}}, "0 0 0 100 0"},
        {"above with a free row between", 4, {{2, 5, 7}, {6, 8, 9}}, "0 0 2 5 7; 0 0 6 8 9"},
        {"below with a free row between", 4, {{6, 8, 9}, {2, 5, 7}}, "0 0 2 5 7; 0 0 6 8 9"},
        {"between two", 4, {{0, 1, 1}, {8, 9, 2}, {4, 5, 3}}, "0 0 0 1 1; 0 0 4 5 3; 0 0 8 9 2"},
        {"touching above", 4, {{2, 5, 7}, {5, 8, 9}}, "0 0 2 8 9"},
        {"touching below", 4, {{5, 8, 9}, {2, 5, 7}}, "0 0 2 8 9"},
        {"joining two", 4, {{0, 2, 1}, {4, 6, 2}, {2, 4, 3}}, "0 0 0 6 3"},
        {"swallowing three", 0, {{1, 2, 9}, {4, 5, 9}, {7, 8, 9}, {0, 9, 1}}, "0 0 0 9 1"},
        {"within a larger one", 0, {{0, 20, 5}, {3, 4, 9}}, "0 0 0 20 5"},
        {"B3.4: the area of the higher top is kept", 4, {{0, 20, 0}, {0, 1, 63}}, "0 0 0 20 0"},
        {"B3.4: also in the other order", 4, {{0, 1, 63}, {0, 20, 0}}, "0 0 0 20 0"},
        {"s.Max - max = T", 4, {{0, 5, 1}, {0, 1, 63}}, "0 0 0 5 63"},
        {"s.Max - max = T + 1", 4, {{0, 6, 1}, {0, 1, 63}}, "0 0 0 6 1"},
        {"max - s.Max = T", 4, {{0, 1, 63}, {0, 5, 1}}, "0 0 0 5 63"},
        {"max - s.Max = T + 1", 4, {{0, 1, 63}, {0, 6, 1}}, "0 0 0 6 1"},
        {"equal tops, T = 0", 0, {{0, 5, 3}, {2, 5, 9}}, "0 0 0 5 9"},
        {"equal tops, the smaller id added", 0, {{0, 5, 9}, {2, 5, 3}}, "0 0 0 5 9"},
        {"T of 2^30", 1 << 30, {{0, 1, 9}, {0, 100, 3}}, "0 0 0 100 9"},
        {"B3.4's example", 1, {{5, 6, 63}, {5, 7, 0}, {6, 8, 0}}, "0 0 5 8 63"},
        {"B3.5: and in another order", 1, {{5, 7, 0}, {6, 8, 0}, {5, 6, 63}}, "0 0 5 8 0"},
        {"one at a time from the bottom up: the middle top decides for the next",
         1,
         {{0, 2, 40}, {4, 9, 1}, {1, 5, 3}},
         "0 0 0 9 1"},
        {"min shrinks, max grows", 0, {{2, 4, 1}, {6, 9, 2}, {3, 7, 5}}, "0 0 2 9 2"},
    };
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        ref_field f;
        ref_open(&f, 1, 1, 100);
        for (size_t k = 0; k < SPANS_MAX && cases[i].spans[k][1] > 0; k++) {
            const int64_t *span = cases[i].spans[k];
            vx_status status = ref_add(&f, 0, 0, span[0], span[1], span[2], cases[i].T);
            cr_assert_eq(status, VX_OK, "%s: %s", cases[i].name, f.error.message);
        }
        ref_expect(&f, cases[i].name, cases[i].rows);
        ref_close(&f);
    }
}

/* B1.1@3b9815: rows come in the order of the index x + z·W. A list is one operation, done in its
 * order. */
Test(ref_spans, columns)
{
    ref_field f;
    ref_open(&f, 3, 2, 10);
    static const vx_span spans[] = {
        {2, 1, 0, 1, 1}, {0, 1, 0, 1, 2}, {1, 0, 8, 10, 3}, {1, 0, 0, 1, 4}, {2, 1, 1, 2, 5}};
    ref_add_all(&f, spans, REF_COUNT(spans));
    ref_expect(&f, "columns", "1 0 0 1 4; 1 0 8 10 3; 0 1 0 1 2; 2 1 0 2 5");
    ref_add_all(&f, NULL, 0);
    ref_expect(&f, "no spans", "1 0 0 1 4; 1 0 8 10 3; 0 1 0 1 2; 2 1 0 2 5");
    ref_close(&f);
}

Test(ref_spans, errors)
{
    static const struct {
        const char *name;
        vx_span span;
        int64_t T;
        const char *message;
    } cases[] = {
        {"x", {-1, 0, 0, 1, 0}, 0, "span 1: x = -1 is below 0"},
        {"x of W", {3, 0, 0, 1, 0}, 0, "span 1: x = 3 is above 2"},
        {"x least", {INT64_MIN, 0, 0, 1, 0}, 0, "span 1: x = -9223372036854775808 is below 0"},
        {"z", {0, 2, 0, 1, 0}, 0, "span 1: z = 2 is above 1"},
        {"z least", {0, INT64_MIN, 0, 1, 0}, 0, "span 1: z = -9223372036854775808 is below 0"},
        {"min", {0, 0, -1, 1, 0}, 0, "span 1: min = -1 is below 0"},
        {"min most", {0, 0, INT64_MAX, 1, 0}, 0, "span 1: min = 9223372036854775807 is above 9"},
        {"max", {0, 0, 9, 11, 0}, 0, "span 1: max = 11 is above 10"},
        {"max of min", {0, 0, 4, 4, 0}, 0, "span 1: max = 4 is below 5"},
        {"max least", {0, 0, 4, INT64_MIN, 0}, 0, "span 1: max = -9223372036854775808 is below 5"},
        {"area", {0, 0, 0, 1, -1}, 0, "span 1: area = -1 is below 0"},
        {"area 64", {0, 0, 0, 1, 64}, 0, "span 1: area = 64 is above 63"},
        {"T", {0, 0, 0, 1, 0}, -1, "mergeThreshold = -1 is below 0"},
        {"T above",
         {0, 0, 0, 1, 0},
         (1 << 30) + 1,
         "mergeThreshold = 1073741825 is above 1073741824"},
        {"T most",
         {0, 0, 0, 1, 0},
         INT64_MAX,
         "mergeThreshold = 9223372036854775807 is above 1073741824"},
        {"the spans come before T", {0, 0, 0, 1, 64}, -1, "span 1: area = 64 is above 63"},
    };
    ref_field f;
    ref_open(&f, 3, 2, 10);
    ref_add_all(&f, &(vx_span){0, 0, 2, 4, 7}, 1);
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        /* B3.2@5461d7: the first span of the list is good; it must not be there after the failure.
         */
        vx_span spans[] = {{0, 0, 3, 9, 9}, cases[i].span};
        f.error = (vx_error){.status = VX_OK};
        vx_status status = f.impl->add_spans(f.field, spans, 2, cases[i].T, &f.error);
        ref_expect_status(&f, cases[i].name, status, VX_OUT_OF_RANGE, cases[i].message);
        ref_expect(&f, cases[i].name, "0 0 2 4 7");
        cr_assert_eq(f.impl->add_spans(f.field, spans, 2, cases[i].T, NULL), VX_OUT_OF_RANGE);
    }
    ref_close(&f);
}

/* B3.1@b5706a: whatever is added, the rows filled are the union, and spans are sorted and do not
 * touch. */
Test(ref_spans, union_of_random_spans)
{
    enum { H = 40, ROUNDS = 200, ADDED = 12 };
    uint64_t random = 1;
    for (int round = 0; round < ROUNDS; round++) {
        ref_field f;
        ref_open(&f, 1, 1, H);
        bool filled[H + 1] = {false};
        for (int k = 0; k < ADDED; k++) {
            int64_t min = ref_random(&random, H);
            int64_t max = min + 1 + ref_random(&random, H - min < 6 ? H - min : 6);
            cr_assert_eq(
                ref_add(&f, 0, 0, min, max, ref_random(&random, 64), ref_random(&random, 5)),
                VX_OK);
            memset(&filled[min], true, (size_t)(max - min));
        }
        char expected[512] = "";
        char actual[512] = "";
        for (int min = 0, max; min < H; min = max) {
            for (max = min + 1; max < H && filled[max] == filled[min]; max++) {
            }
            if (filled[min]) {
                sprintf(expected + strlen(expected), "%d-%d ", min, max);
            }
        }
        vx_build3d_info info;
        f.impl->info(f.field, &info);
        vx_solid_row rows[H];
        cr_assert_eq(f.impl->read_solid(f.field, rows, H, NULL), VX_OK);
        for (size_t i = 0; i < info.rows; i++) {
            sprintf(actual + strlen(actual), "%d-%d ", (int)rows[i].min, (int)rows[i].max);
        }
        cr_assert_str_eq(actual, expected, "round %d: %s, not %s", round, actual, expected);
        ref_close(&f);
    }
}
