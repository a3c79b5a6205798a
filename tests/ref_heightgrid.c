/* SPDX-License-Identifier: MIT */
/* Height grids: B4. */
#include "ref_field.h"

#include <criterion/criterion.h>
#include <math.h>

/* B4.3@b61a3c: two triangles a square, both facing up; the low half of a square is in its own row.
 */
Test(ref_heightgrid, squares)
{
    static const double flat[] = {1, 1, 1, 1, 1, 1};
    static const double slope[] = {0, 4, 0, 4};
    static const double fold[] = {1.5, 1.5, 5.5, 1.5};
    static const struct {
        const char *name;
        vx_height_grid grid;
        const char *rows;
    } cases[] = {
        {"flat",
         {.spacing = 1, .count = {3, 2}, .heights = flat, .height_count = 6, .slope_cosine = 0.5f},
         "0 0 0 1 63; 1 0 0 1 63"},
        {"countX first",
         {.spacing = 1, .count = {2, 3}, .heights = flat, .height_count = 6, .slope_cosine = 0.5f},
         "0 0 0 1 63; 0 1 0 1 63"},
        {"spacing and origin",
         {.origin = {1, 2},
          .spacing = 2,
          .count = {2, 2},
          .heights = flat,
          .height_count = 4,
          .slope_cosine = 2},
         "1 2 0 1 0; 2 2 0 1 0; 1 3 0 1 0; 2 3 0 1 0"},
        {"heights run along x",
         {.spacing = 4, .count = {2, 2}, .heights = slope, .height_count = 4},
         "0 0 0 1 63; 1 0 1 2 63; 2 0 2 3 63; 3 0 3 4 63; 0 1 0 1 63; 1 1 1 2 63; 2 1 2 3 63; "
         "3 1 3 4 63; 0 2 0 1 63; 1 2 1 2 63; 2 2 2 3 63; 3 2 3 4 63; 0 3 0 1 63; 1 3 1 2 63; "
         "2 3 2 3 63; 3 3 3 4 63"},
        {"the diagonal runs from a to d: only a, c, d is steep",
         {.spacing = 2, .count = {2, 2}, .heights = fold, .height_count = 4},
         "0 0 1 4 63; 1 0 1 2 63; 0 1 1 6 63; 1 1 1 4 63"},
        {"outside the grid",
         {.origin = {-9, 0}, .spacing = 1, .count = {3, 2}, .heights = flat, .height_count = 6},
         ""},
    };
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        ref_field f;
        ref_open(&f, 4, 4, 16);
        cr_assert_eq(ref_height_grid(&f, &cases[i].grid), VX_OK, "%s: %s", cases[i].name,
                     f.error.message);
        ref_expect(&f, cases[i].name, cases[i].rows);
        ref_close(&f);
    }
}

/* B4.2@df421b, B4.3@b61a3c: the same triangles as a mesh, in their order, give the same. */
Test(ref_heightgrid, equals_its_triangles)
{
    enum { X = 6, Z = 5 };
    uint64_t random = 7;
    double heights[X * Z];
    double vertices[X * Z * 3];
    int64_t indices[(X - 1) * (Z - 1) * 6];
    const double x0 = 0.1, z0 = -0.3, spacing = 0.7;
    size_t count = 0;
    for (int j = 0; j < Z; j++) {
        for (int i = 0; i < X; i++) {
            int at = i + j * X;
            heights[at] = (double)ref_random(&random, 1000) / 70;
            vertices[3 * at] = x0 + i * spacing;
            vertices[3 * at + 1] = heights[at];
            vertices[3 * at + 2] = z0 + j * spacing;
            if (i + 1 < X && j + 1 < Z) {
                const int64_t square[] = {at, at + X, at + X + 1, at, at + X + 1, at + 1};
                for (int k = 0; k < 6; k++) {
                    indices[count++] = square[k];
                }
            }
        }
    }
    ref_field grid, mesh;
    ref_open(&grid, 4, 4, 16);
    ref_open(&mesh, 4, 4, 16);
    cr_assert_eq(ref_height_grid(&grid, &(vx_height_grid){.origin = {x0, z0},
                                                          .spacing = spacing,
                                                          .count = {X, Z},
                                                          .heights = heights,
                                                          .height_count = REF_COUNT(heights),
                                                          .slope_cosine = 0.3f,
                                                          .merge_threshold = 2}),
                 VX_OK);
    cr_assert_eq(ref_rasterize(&mesh, &(vx_mesh){.vertices = vertices,
                                                 .vertex_values = REF_COUNT(vertices),
                                                 .indices = indices,
                                                 .index_count = count,
                                                 .slope_cosine = 0.3f,
                                                 .merge_threshold = 2}),
                 VX_OK);
    ref_expect(&grid, "mesh", ref_rows(&mesh));
    ref_close(&grid);
    ref_close(&mesh);
}

/* B2.10@e77a26: tiny squares are degenerate, and counted when the operation succeeds. */
Test(ref_heightgrid, degenerate)
{
    static const double heights[] = {0, 0, 0, 0, 0, 0};
    ref_field f;
    ref_open(&f, 4, 4, 16);
    vx_height_grid grid = {
        .spacing = 0x1p-60, .count = {3, 2}, .heights = heights, .height_count = 6};
    cr_assert_eq(ref_height_grid(&f, &grid), VX_OK);
    ref_expect(&f, "tiny", "degenerate 4: ");
    grid.merge_threshold = -1;
    cr_assert_eq(ref_height_grid(&f, &grid), VX_OUT_OF_RANGE);
    ref_expect(&f, "after a failure", "degenerate 4: ");
    ref_close(&f);
}

/* A grid of heights h. */
#define GRID(h, s, x, z, n) .spacing = s, .count = {x, z}, .heights = h, .height_count = n

Test(ref_heightgrid, errors)
{
    static const double good[] = {1, 1, 1, 1};
    static const double holed[] = {1, 1, REF_NAN, 1};
    static const double high[] = {1, 1, 1, 2097153};
    static const struct {
        const char *name;
        vx_height_grid grid;
        vx_status status;
        const char *message;
    } cases[] = {
        {"origin NaN",
         {GRID(good, 1, 2, 2, 4), .origin = {0, REF_NAN}},
         VX_ARGUMENT,
         "origin: z0 is NaN, not a number in -2097152..2097152"},
        {"origin infinite",
         {GRID(good, 1, 2, 2, 4), .origin = {REF_INFINITY, 0}},
         VX_OUT_OF_RANGE,
         "origin: x0 = inf is beyond 2097152"},
        {"spacing NaN",
         {GRID(good, REF_NAN, 2, 2, 4)},
         VX_ARGUMENT,
         "spacing is NaN, not a finite number above 0"},
        {"spacing 0",
         {GRID(good, 0, 2, 2, 4)},
         VX_OUT_OF_RANGE,
         "spacing = 0 is not a finite number above 0"},
        {"spacing negative",
         {GRID(good, -0.5, 2, 2, 4)},
         VX_OUT_OF_RANGE,
         "spacing = -0.5 is not a finite number above 0"},
        {"spacing infinite",
         {GRID(good, REF_INFINITY, 2, 2, 4)},
         VX_OUT_OF_RANGE,
         "spacing = inf is not a finite number above 0"},
        {"countX", {GRID(good, 1, 1, 4, 4)}, VX_OUT_OF_RANGE, "countX = 1 is below 2"},
        {"countZ",
         {GRID(good, 1, 4, INT64_MIN, 4)},
         VX_OUT_OF_RANGE,
         "countZ = -9223372036854775808 is below 2"},
        {"too few heights",
         {GRID(good, 1, 2, 2, 3)},
         VX_ARGUMENT,
         "heights: their number 3 is not 2 * 2"},
        {"too many heights",
         {GRID(good, 1, 2, 2, 6)},
         VX_ARGUMENT,
         "heights: their number 6 is not 2 * 2"},
        {"no heights",
         {GRID(good, 1, 2, 2, 0)},
         VX_ARGUMENT,
         "heights: their number 0 is not 2 * 2"},
        {"a product that overflows",
         {GRID(good, 1, (int64_t)1 << 62, 5, (size_t)1 << 62)},
         VX_ARGUMENT,
         "heights: their number 4611686018427387904 is not 4611686018427387904 * 5"},
        {"B2.4: NaN",
         {GRID(holed, 1, 2, 2, 4)},
         VX_ARGUMENT,
         "vertex (0, 1): y is NaN, not a number in -2097152..2097152"},
        {"B2.4: beyond",
         {GRID(high, 1, 2, 2, 4)},
         VX_OUT_OF_RANGE,
         "vertex (1, 1): y = 2097153 is beyond 2097152"},
        {"the spacing carries beyond",
         {GRID(good, 0.5, 2, 2, 4), .origin = {0, 2097152}},
         VX_OUT_OF_RANGE,
         "vertex (0, 1): z = 2097152.5 is beyond 2097152"},
        {"a spacing that overflows",
         {GRID(good, 0x1.8p1023, 2, 2, 4)},
         VX_OUT_OF_RANGE,
         "vertex (1, 0): x = 1.3482698511467369e+308 is beyond 2097152"},
        {"slopeCosine",
         {GRID(good, 1, 2, 2, 4), .slope_cosine = NAN},
         VX_ARGUMENT,
         "slopeCosine is NaN, not a finite number"},
        {"slopeCosine infinite",
         {GRID(good, 1, 2, 2, 4), .slope_cosine = INFINITY},
         VX_OUT_OF_RANGE,
         "slopeCosine = inf is beyond all finite numbers"},
        {"T",
         {GRID(good, 1, 2, 2, 4), .merge_threshold = (1 << 30) + 1},
         VX_OUT_OF_RANGE,
         "mergeThreshold = 1073741825 is above 1073741824"},
    };
    ref_field f;
    ref_open(&f, 4, 4, 16);
    ref_add_all(&f, &(vx_span){0, 0, 2, 4, 7}, 1);
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        vx_status status = ref_height_grid(&f, &cases[i].grid);
        ref_expect_status(&f, cases[i].name, status, cases[i].status, cases[i].message);
        ref_expect(&f, cases[i].name, "0 0 2 4 7");
    }
    ref_close(&f);
}
