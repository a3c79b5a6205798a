/* SPDX-License-Identifier: MIT */
/* Area volumes: B9. */
#include "ref_field.h"

#include <criterion/criterion.h>
#include <math.h>

enum { N = 6, CORNERS_MAX = 6 };

/* A compact field of N × N flat spans of area 9 with their floors at Y = 5. */
static void open_flat(ref_field *f, const vx_frame *frame)
{
    if (frame != NULL) {
        ref_open_frame(f, frame);
    } else {
        ref_open(f, N, N, 100);
    }
    for (int64_t i = 0; i < (int64_t)N * N; i++) {
        cr_assert_eq(ref_add(f, i % N, i / N, 0, 5, 9, 0), VX_OK);
    }
    cr_assert_eq(ref_compact(f, 1, 1), VX_OK);
}

/* The areas, row after row: '#' the volume's 7, '.' the field's 9, '0' unwalkable. */
static const char *areas_of(const ref_field *f)
{
    static char map[N * N + 1];
    vx_compact_row rows[N * N];
    cr_assert_eq(f->impl->read_compact(f->field, rows, REF_COUNT(rows), NULL), VX_OK);
    for (size_t i = 0; i < REF_COUNT(rows); i++) {
        map[i] = rows[i].area == 7 ? '#' : rows[i].area == 9 ? '.' : '0';
    }
    return map;
}

typedef struct volume_case {
    const char *name;
    size_t corner_count;
    double corners[2 * CORNERS_MAX];
    double min_y, max_y;
    const char *areas;
} volume_case;

#define NONE "...................................."
#define ALL "####################################"

/* B9.2@7b15c3 to B9.4@8a8964: which shapes are volumes, and which columns and floors are inside. */
Test(ref_volume, shapes)
{
    static const volume_case cases[] = {
        {"B9.3: centres on edges are inside",
         4,
         {1.5, 1.5, 4.5, 1.5, 4.5, 3.5, 1.5, 3.5},
         0,
         9,
         "......"
         ".####."
         ".####."
         ".####."
         "......"
         "......"},
        {"either winding",
         4,
         {1.5, 3.5, 4.5, 3.5, 4.5, 1.5, 1.5, 1.5},
         0,
         9,
         "......"
         ".####."
         ".####."
         ".####."
         "......"
         "......"},
        {"a triangle",
         3,
         {0, 0, 6, 0, 0, 6},
         0,
         9,
         "######"
         "#####."
         "####.."
         "###..."
         "##...."
         "#....."},
        {"B9.2: a repeated corner",
         4,
         {0, 0, 0, 0, 6, 0, 0, 6},
         0,
         9,
         "######"
         "#####."
         "####.."
         "###..."
         "##...."
         "#....."},
        {"B9.2: three corners on a line",
         4,
         {0, 0, 3, 0, 6, 0, 0, 6},
         0,
         9,
         "######"
         "#####."
         "####.."
         "###..."
         "##...."
         "#....."},
        {"B9.2: wound twice",
         6,
         {0, 0, 2, 0, 0, 2, 0, 0, 2, 0, 0, 2},
         0,
         9,
         "##...."
         "#....."
         "......"
         "......"
         "......"
         "......"},
        {"between the centres", 3, {1.6, 1.6, 2.4, 1.6, 1.6, 2.4}, 0, 9, NONE},
        {"a corner on a centre",
         3,
         {2.5, 2.5, 2.9, 2.5, 2.5, 2.9},
         0,
         9,
         "......"
         "......"
         "..#..."
         "......"
         "......"
         "......"},
        {"the largest",
         4,
         {-2097152, -2097152, 2097152, -2097152, 2097152, 2097152, -2097152, 2097152},
         0,
         9,
         ALL},
        {"B9.4: the floor at MinY", 3, {0, 0, 99, 0, 0, 99}, 5, 9, ALL},
        {"B9.4: the floor at MaxY", 3, {0, 0, 99, 0, 0, 99}, -5, 5, ALL},
        {"MinY = MaxY", 3, {0, 0, 99, 0, 0, 99}, 5, 5, ALL},
        {"B9.4: above the floor", 3, {0, 0, 99, 0, 0, 99}, 0x1.4000000000001p2, 9, NONE},
        {"B9.4: below the floor", 3, {0, 0, 99, 0, 0, 99}, 0, 0x1.3ffffffffffffp2, NONE},
        {"B9.1: infinite", 3, {0, 0, 99, 0, 0, 99}, -REF_INFINITY, REF_INFINITY, ALL},
        {"B9.1: infinite MinY", 3, {0, 0, 99, 0, 0, 99}, REF_INFINITY, REF_INFINITY, NONE},
    };
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        ref_field f;
        open_flat(&f, NULL);
        vx_volume volume = {.corners = cases[i].corners,
                            .corner_count = cases[i].corner_count,
                            .min_y = cases[i].min_y,
                            .max_y = cases[i].max_y,
                            .area = 7};
        cr_assert_eq(ref_volume(&f, &volume), VX_OK, "%s: %s", cases[i].name, f.error.message);
        cr_assert_str_eq(areas_of(&f), cases[i].areas, "%s: %s", cases[i].name, areas_of(&f));
        ref_close(&f);
    }
}

/* B9.3@b440c6, B9.4@8a8964: in world units, by the frame. */
Test(ref_volume, frame)
{
    static const vx_frame frame = {
        .origin = {1000, 30, -500}, .cell_size = 0.5f, .cell_height = 0.25f, .size = {N, N, 100}};
    ref_field f;
    open_flat(&f, &frame);
    static const double corners[] = {1000.75, -499.25, 1001.25, -499.25,
                                     1001.25, -498.75, 1000.75, -498.75};
    vx_volume volume = {
        .corners = corners, .corner_count = 4, .min_y = 31.25, .max_y = 31.25, .area = 7};
    cr_assert_eq(ref_volume(&f, &volume), VX_OK);
    cr_assert_str_eq(areas_of(&f), "......"
                                   ".##..."
                                   ".##..."
                                   "......"
                                   "......"
                                   "......");
    ref_close(&f);
}

/* B9.5@a07c29: later volumes overwrite, with whatever id; a span with area 0 stays. */
Test(ref_volume, in_order)
{
    static const double all[] = {0, 0, 99, 0, 0, 99};
    static const double first[] = {0, 0, 1.4, 0, 0, 1.4};
    vx_volume volume = {.corners = all, .corner_count = 3, .max_y = 9, .area = 63};
    ref_field f;
    open_flat(&f, NULL);
    cr_assert_eq(ref_volume(&f, &volume), VX_OK);
    volume.area = 7;
    cr_assert_eq(ref_volume(&f, &volume), VX_OK);
    cr_assert_str_eq(areas_of(&f), ALL);
    volume.corners = first;
    volume.area = 0;
    cr_assert_eq(ref_volume(&f, &volume), VX_OK);
    volume.corners = all;
    volume.area = 9;
    cr_assert_eq(ref_volume(&f, &volume), VX_OK);
    cr_assert_str_eq(areas_of(&f), "0...................................");
    ref_close(&f);
}

/* B9.1@a46355: 256 corners on a circle are accepted, 257 are not. */
Test(ref_volume, many_corners)
{
    double corners[2 * 257];
    for (int i = 0; i < 257; i++) {
        corners[2 * i] = 3 + 10 * cos(i * 6.28 / 257);
        corners[2 * i + 1] = 3 + 10 * sin(i * 6.28 / 257);
    }
    ref_field f;
    open_flat(&f, NULL);
    vx_volume volume = {.corners = corners, .corner_count = 257, .max_y = 9, .area = 7};
    ref_expect_status(&f, "257", ref_volume(&f, &volume), VX_OUT_OF_RANGE,
                      "corners: their number 257 is not in 3..256");
    cr_assert_str_eq(areas_of(&f), NONE);
    volume.corner_count = 256;
    cr_assert_eq(ref_volume(&f, &volume), VX_OK, "%s", f.error.message);
    cr_assert_str_eq(areas_of(&f), ALL);
    ref_close(&f);
}

#define CORNERS(...)                                                                               \
    .corners = (const double[]){__VA_ARGS__},                                                      \
    .corner_count = sizeof((const double[]){__VA_ARGS__}) / sizeof(double) / 2

Test(ref_volume, errors)
{
    const struct {
        const char *name;
        vx_volume volume;
        vx_status status;
        const char *message;
    } cases[] = {
        {"none", {.corner_count = 0}, VX_OUT_OF_RANGE, "corners: their number 0 is not in 3..256"},
        {"two", {CORNERS(0, 0, 1, 1)}, VX_OUT_OF_RANGE, "corners: their number 2 is not in 3..256"},
        {"more than memory",
         {.corner_count = SIZE_MAX},
         VX_OUT_OF_RANGE,
         "corners: their number 18446744073709551615 is not in 3..256"},
        {"NaN",
         {CORNERS(0, 0, 1, REF_NAN, 0, 1)},
         VX_ARGUMENT,
         "corner 1: z is NaN, not a number in -2097152..2097152"},
        {"beyond",
         {CORNERS(0, 0, 1, 0, -2097153, 1)},
         VX_OUT_OF_RANGE,
         "corner 2: x = -2097153 is beyond -2097152"},
        {"infinite",
         {CORNERS(0, REF_INFINITY, 1, 0, 0, 1)},
         VX_OUT_OF_RANGE,
         "corner 0: z = inf is beyond 2097152"},
        {"B9.2: a line",
         {CORNERS(0, 0, 1, 1, 3, 3)},
         VX_ARGUMENT,
         "corners: every side is 0, the 3 lie on one line"},
        {"B9.2: a point",
         {CORNERS(2, 2, 2, 2, 2, 2, 2, 2)},
         VX_ARGUMENT,
         "corners: every side is 0, the 4 lie on one line"},
        {"B9.2: concave",
         {CORNERS(0, 0, 4, 0, 1, 1, 0, 4)},
         VX_ARGUMENT,
         "corners: not convex, corner 3 lies beyond the edge of corner 1: side = -8"},
        {"B9.2: crossing itself",
         {CORNERS(0, 0, 4, 4, 4, 0, 0, 4)},
         VX_ARGUMENT,
         "corners: not convex, corner 3 lies beyond the edge of corner 0: side = 16"},
        {"minY NaN",
         {CORNERS(0, 0, 1, 0, 0, 1), .min_y = REF_NAN, .max_y = 9},
         VX_ARGUMENT,
         "minY is NaN, not a number or an infinity"},
        {"maxY NaN",
         {CORNERS(0, 0, 1, 0, 0, 1), .max_y = REF_NAN},
         VX_ARGUMENT,
         "maxY is NaN, not a number or an infinity"},
        {"minY > maxY",
         {CORNERS(0, 0, 1, 0, 0, 1), .min_y = 3, .max_y = 2.5},
         VX_ARGUMENT,
         "minY = 3 is above maxY, 2.5"},
        {"area 64",
         {CORNERS(0, 0, 1, 0, 0, 1), .max_y = 9, .area = 64},
         VX_OUT_OF_RANGE,
         "area = 64 is above 63"},
        {"area least",
         {CORNERS(0, 0, 1, 0, 0, 1), .max_y = 9, .area = INT64_MIN},
         VX_OUT_OF_RANGE,
         "area = -9223372036854775808 is below 0"},
        {"corners come before minY",
         {CORNERS(0, 0, 1, 1, 3, 3), .min_y = REF_NAN, .area = 64},
         VX_ARGUMENT,
         "corners: every side is 0, the 3 lie on one line"},
    };
    ref_field f;
    open_flat(&f, NULL);
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        vx_status status = ref_volume(&f, &cases[i].volume);
        ref_expect_status(&f, cases[i].name, status, cases[i].status, cases[i].message);
        cr_assert_str_eq(areas_of(&f), NONE, "%s", cases[i].name);
    }
    ref_close(&f);
}
