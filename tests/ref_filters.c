/* SPDX-License-Identifier: MIT */
/* Filters: B6. */
#include "ref_field.h"

#include <criterion/criterion.h>

enum { SPANS_MAX = 12 };

/* Each filter is asked in a table; max = 0 ends the spans. */
typedef struct filter_case {
    const char *name;
    int64_t height, climb;
    vx_span spans[SPANS_MAX];
    const char *rows;
} filter_case;

typedef vx_status filter_fn(ref_field *f, int64_t height, int64_t climb);

static vx_status low_hanging(ref_field *f, int64_t height, int64_t climb)
{
    (void)height;
    f->error = (vx_error){.status = VX_OK};
    return f->impl->low_hanging(f->field, climb, &f->error);
}

static vx_status ledges(ref_field *f, int64_t height, int64_t climb)
{
    f->error = (vx_error){.status = VX_OK};
    return f->impl->ledges(f->field, height, climb, &f->error);
}

static vx_status low_height(ref_field *f, int64_t height, int64_t climb)
{
    (void)climb;
    f->error = (vx_error){.status = VX_OK};
    return f->impl->low_height(f->field, height, &f->error);
}

static void run(filter_fn *filter, int64_t W, int64_t D, const filter_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const filter_case *c = &cases[i];
        size_t spans = 0;
        while (spans < SPANS_MAX && c->spans[spans].max > 0) {
            spans++;
        }
        ref_field f;
        ref_open(&f, W, D, 100);
        ref_add_all(&f, c->spans, spans);
        cr_assert_eq(filter(&f, c->height, c->climb), VX_OK, "%s: %s", c->name, f.error.message);
        ref_expect(&f, c->name, c->rows);
        ref_close(&f);
    }
}

Test(ref_filters, low_hanging)
{
    static const filter_case cases[] = {
        {"at climb", 0, 4, {{0, 0, 0, 1, 9}, {0, 0, 3, 5, 0}}, "0 0 0 1 9; 0 0 3 5 9"},
        {"above climb", 0, 4, {{0, 0, 0, 1, 9}, {0, 0, 3, 6, 0}}, "0 0 0 1 9; 0 0 3 6 0"},
        {"below is not walkable", 0, 4, {{0, 0, 0, 1, 0}, {0, 0, 3, 5, 0}}, "0 0 0 1 0; 0 0 3 5 0"},
        {"above is walkable already",
         0,
         4,
         {{0, 0, 0, 1, 9}, {0, 0, 3, 5, 8}},
         "0 0 0 1 9; 0 0 3 5 8"},
        {"B6.4: no chain",
         0,
         4,
         {{0, 0, 0, 1, 9}, {0, 0, 2, 3, 0}, {0, 0, 4, 5, 0}},
         "0 0 0 1 9; 0 0 2 3 9; 0 0 4 5 0"},
        {"each pair by itself",
         0,
         4,
         {{0, 0, 0, 1, 9}, {0, 0, 2, 3, 0}, {0, 0, 4, 5, 7}, {0, 0, 6, 7, 0}},
         "0 0 0 1 9; 0 0 2 3 9; 0 0 4 5 7; 0 0 6 7 7"},
        {"climb 0", 0, 0, {{0, 0, 0, 1, 9}, {0, 0, 2, 3, 0}}, "0 0 0 1 9; 0 0 2 3 0"},
        {"climb 2^30",
         0,
         1 << 30,
         {{0, 0, 0, 1, 9}, {1, 0, 2, 3, 0}, {0, 0, 90, 100, 0}},
         "0 0 0 1 9; 0 0 90 100 9; 1 0 2 3 0"},
        {"no spans", 0, 4, {{0}}, ""},
    };
    run(low_hanging, 2, 1, cases, REF_COUNT(cases));
}

/* The middle column of three by three, among floors of max 6 that are no ledges themselves because
 * they are not walkable. */
#define AROUND(first)                                                                              \
    {0, 1, 0, 6, 0}, {2, 1, 0, 6, 0}, {1, 0, 0, 6, 0},                                             \
    {                                                                                              \
        1, 2, 0, first, 0                                                                          \
    }
#define AROUND_ROWS(middle, first) "1 0 0 6 0; 0 1 0 6 0; " middle "; 2 1 0 6 0; 1 2 0 " first " 0"

Test(ref_filters, ledges)
{
    static const filter_case cases[] = {
        {"level", 10, 4, {AROUND(6), {1, 1, 0, 6, 9}}, AROUND_ROWS("1 1 0 6 9", "6")},
        {"B6.7: a drop of climb",
         10,
         4,
         {AROUND(2), {1, 1, 0, 6, 9}},
         AROUND_ROWS("1 1 0 6 9", "2")},
        {"B6.7: a drop of climb + 1",
         10,
         4,
         {AROUND(1), {1, 1, 0, 6, 9}},
         AROUND_ROWS("1 1 0 6 0", "1")},
        {"a step up of climb",
         10,
         4,
         {AROUND(10), {1, 1, 0, 6, 9}},
         AROUND_ROWS("1 1 0 6 9", "10")},
        {"a step up beyond climb is no accessible floor",
         10,
         4,
         {AROUND(11), {1, 1, 0, 6, 9}},
         AROUND_ROWS("1 1 0 6 9", "11")},
        {"B6.7: accessible floors differ by climb",
         10,
         4,
         {{0, 1, 0, 4, 0}, {2, 1, 0, 6, 0}, {1, 0, 0, 6, 0}, {1, 2, 0, 8, 0}, {1, 1, 0, 6, 9}},
         "1 0 0 6 0; 0 1 0 4 0; 1 1 0 6 9; 2 1 0 6 0; 1 2 0 8 0"},
        {"B6.7: accessible floors differ by climb + 1",
         10,
         4,
         {{0, 1, 0, 4, 0}, {2, 1, 0, 6, 0}, {1, 0, 0, 6, 0}, {1, 2, 0, 9, 0}, {1, 1, 0, 6, 9}},
         "1 0 0 6 0; 0 1 0 4 0; 1 1 0 6 0; 2 1 0 6 0; 1 2 0 9 0"},
        {"B6.8: s itself is not one of the accessible floors",
         10,
         4,
         {{0, 1, 0, 10, 0}, {2, 1, 0, 10, 0}, {1, 0, 0, 10, 0}, {1, 2, 0, 10, 0}, {1, 1, 0, 6, 9}},
         "1 0 0 10 0; 0 1 0 10 0; 1 1 0 6 9; 2 1 0 10 0; 1 2 0 10 0"},
        {"B6.8: walled in on all sides",
         10,
         4,
         {{0, 1, 0, 99, 0}, {2, 1, 0, 99, 0}, {1, 0, 0, 99, 0}, {1, 2, 0, 99, 0}, {1, 1, 0, 6, 9}},
         "1 0 0 99 0; 0 1 0 99 0; 1 1 0 6 9; 2 1 0 99 0; 1 2 0 99 0"},
        {"B6.5: an empty neighbour has the one gap from -climb up",
         10,
         4,
         {{2, 1, 0, 6, 0}, {1, 0, 0, 6, 0}, {1, 2, 0, 6, 0}, {1, 1, 0, 6, 9}},
         "1 0 0 6 0; 1 1 0 6 0; 2 1 0 6 0; 1 2 0 6 0"},
        {"B6.5: the gap below the first span, passable",
         10,
         4,
         {{2, 1, 0, 6, 0}, {1, 0, 0, 6, 0}, {1, 2, 0, 6, 0}, {0, 1, 16, 20, 0}, {1, 1, 0, 6, 9}},
         "1 0 0 6 0; 0 1 16 20 0; 1 1 0 6 0; 2 1 0 6 0; 1 2 0 6 0"},
        {"B6.6: the gap below the first span, one row too low",
         10,
         4,
         {{2, 1, 0, 6, 0}, {1, 0, 0, 6, 0}, {1, 2, 0, 6, 0}, {0, 1, 15, 20, 0}, {1, 1, 0, 6, 9}},
         "1 0 0 6 0; 0 1 15 20 0; 1 1 0 6 9; 2 1 0 6 0; 1 2 0 6 0"},
        {"B6.6: the ceiling of s counts",
         10,
         4,
         {{2, 1, 0, 6, 0}, {1, 0, 0, 6, 0}, {1, 2, 0, 6, 0}, {1, 1, 0, 6, 9}, {1, 1, 15, 16, 0}},
         "1 0 0 6 0; 1 1 0 6 9; 1 1 15 16 0; 2 1 0 6 0; 1 2 0 6 0"},
        {"B6.2: a ceiling of area 0 at exactly height",
         10,
         4,
         {{2, 1, 0, 6, 0}, {1, 0, 0, 6, 0}, {1, 2, 0, 6, 0}, {1, 1, 0, 6, 9}, {1, 1, 16, 17, 0}},
         "1 0 0 6 0; 1 1 0 6 0; 1 1 16 17 0; 2 1 0 6 0; 1 2 0 6 0"},
        {"B6.5: a neighbour outside the grid", 10, 4, {{0, 0, 0, 6, 9}}, "0 0 0 6 0"},
        {"unbounded climb: the edge of the grid still drops",
         10,
         1 << 30,
         {{0, 0, 0, 6, 9}},
         "0 0 0 6 0"},
        {"unbounded climb inside the grid", 1, 1 << 30, {{1, 1, 0, 100, 9}}, "1 1 0 100 0"},
        {"unbounded height: nothing is passable", 1 << 30, 4, {{1, 1, 0, 6, 9}}, "1 1 0 6 9"},
        {"B6.9: a ledge is a neighbour like any other",
         10,
         0,
         {{0, 1, 0, 6, 9}, {2, 1, 0, 6, 9}, {1, 0, 0, 6, 9}, {1, 2, 0, 6, 9}, {1, 1, 0, 6, 9}},
         "1 0 0 6 0; 0 1 0 6 0; 1 1 0 6 9; 2 1 0 6 0; 1 2 0 6 0"},
    };
    run(ledges, 3, 3, cases, REF_COUNT(cases));
}

Test(ref_filters, low_height)
{
    static const filter_case cases[] = {
        {"exactly height", 10, 0, {{0, 0, 0, 2, 9}, {0, 0, 12, 13, 8}}, "0 0 0 2 9; 0 0 12 13 8"},
        {"below height", 10, 0, {{0, 0, 0, 2, 9}, {0, 0, 11, 13, 8}}, "0 0 0 2 0; 0 0 11 13 8"},
        {"B6.2: under a span of area 0",
         10,
         0,
         {{0, 0, 0, 2, 9}, {0, 0, 11, 13, 0}},
         "0 0 0 2 0; 0 0 11 13 0"},
        {"not walkable", 10, 0, {{0, 0, 0, 2, 0}, {0, 0, 11, 13, 8}}, "0 0 0 2 0; 0 0 11 13 8"},
        {"the top span stays",
         1 << 30,
         0,
         {{0, 0, 0, 2, 9}, {1, 0, 99, 100, 8}},
         "0 0 0 2 9; 1 0 99 100 8"},
        {"height 1", 1, 0, {{0, 0, 0, 2, 9}, {0, 0, 3, 4, 8}}, "0 0 0 2 9; 0 0 3 4 8"},
    };
    run(low_height, 2, 1, cases, REF_COUNT(cases));
}

Test(ref_filters, errors)
{
    static const struct {
        const char *name;
        filter_fn *filter;
        int64_t height, climb;
        const char *message;
    } cases[] = {
        {"lowHanging below", low_hanging, 1, -1, "climb = -1 is below 0"},
        {"lowHanging above", low_hanging, 1, (1 << 30) + 1,
         "climb = 1073741825 is above 1073741824"},
        {"lowHanging least", low_hanging, 1, INT64_MIN, "climb = -9223372036854775808 is below 0"},
        {"ledges height 0", ledges, 0, 0, "height = 0 is below 1"},
        {"ledges height", ledges, INT64_MAX, 0, "height = 9223372036854775807 is above 1073741824"},
        {"ledges climb", ledges, 1, -1, "climb = -1 is below 0"},
        {"ledges climb most", ledges, 1, INT64_MAX,
         "climb = 9223372036854775807 is above 1073741824"},
        {"height comes before climb", ledges, 0, -1, "height = 0 is below 1"},
        {"lowHeight 0", low_height, 0, 0, "height = 0 is below 1"},
        {"lowHeight above", low_height, (1 << 30) + 1, 0,
         "height = 1073741825 is above 1073741824"},
    };
    ref_field f;
    ref_open(&f, 3, 3, 100);
    static const vx_span spans[] = {{1, 1, 0, 2, 9}, {1, 1, 3, 4, 0}};
    ref_add_all(&f, spans, 2);
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        vx_status status = cases[i].filter(&f, cases[i].height, cases[i].climb);
        ref_expect_status(&f, cases[i].name, status, VX_OUT_OF_RANGE, cases[i].message);
        ref_expect(&f, cases[i].name, "1 1 0 2 9; 1 1 3 4 0");
    }
    ref_close(&f);
}
