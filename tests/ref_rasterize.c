/* SPDX-License-Identifier: MIT */
/* Rasterizing triangles: B1.7@206672, B1.8@60cdaa and B2. */
#include "ref/build3d/ref.h"
#include "ref_field.h"

#include <criterion/criterion.h>
#include <math.h>

enum { TRIANGLES_MAX = 4 };

/* A grid of 4 × 4 × 16 with its origin at 0 and cells of 1, unless the case brings a frame. */
typedef struct triangle_case {
    const char *name;
    size_t triangles;
    double corners[TRIANGLES_MAX * 9]; /* x, y, z of a, b, c, … */
    float slope_cosine;
    int64_t area; /* of every triangle; −1: classified */
    const char *rows;
    const vx_frame *frame;
} triangle_case;

static void run(const triangle_case *cases, size_t count)
{
    static const int64_t indices[TRIANGLES_MAX * 3] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    for (size_t i = 0; i < count; i++) {
        const triangle_case *c = &cases[i];
        ref_field f;
        if (c->frame != NULL) {
            ref_open_frame(&f, c->frame);
        } else {
            ref_open(&f, 4, 4, 16);
        }
        int64_t areas[TRIANGLES_MAX] = {c->area, c->area, c->area, c->area};
        vx_mesh mesh = {.vertices = c->corners,
                        .vertex_values = 9 * c->triangles,
                        .indices = indices,
                        .index_count = 3 * c->triangles,
                        .areas = c->area >= 0 ? areas : NULL,
                        .area_count = c->area >= 0 ? c->triangles : 0,
                        .slope_cosine = c->slope_cosine};
        cr_assert_eq(ref_rasterize(&f, &mesh), VX_OK, "%s: %s", c->name, f.error.message);
        ref_expect(&f, c->name, c->rows);
        ref_close(&f);
    }
}

/* Two triangles that cover [1, 3] × [1, 3] at height y, facing up or down. */
#define SQUARE_UP(y) 1, y, 1, 1, y, 3, 3, y, 3, 1, y, 1, 3, y, 3, 3, y, 1
#define SQUARE_DOWN(y) 1, y, 1, 3, y, 3, 1, y, 3, 1, y, 1, 3, y, 1, 3, y, 3
#define SQUARE_ROWS(rows) "1 1 " rows "; 2 1 " rows "; 1 2 " rows "; 2 2 " rows

Test(ref_rasterize, row_boundaries)
{
    static const triangle_case cases[] = {
        {"B2.25: facing up the solid is below",
         2,
         {SQUARE_UP(5)},
         0.5f,
         -1,
         SQUARE_ROWS("4 5 63"),
         NULL},
        {"B2.25: facing down it is above",
         2,
         {SQUARE_DOWN(5)},
         0.5f,
         -1,
         SQUARE_ROWS("5 6 0"),
         NULL},
        {"between two boundaries", 2, {SQUARE_UP(5.5)}, 0.5f, -1, SQUARE_ROWS("5 6 63"), NULL},
        {"B2.26: at the bottom facing up", 2, {SQUARE_UP(0)}, 0.5f, -1, "", NULL},
        {"at the bottom facing down", 2, {SQUARE_DOWN(0)}, 0.5f, -1, SQUARE_ROWS("0 1 0"), NULL},
        {"at the top facing up", 2, {SQUARE_UP(16)}, 0.5f, -1, SQUARE_ROWS("15 16 63"), NULL},
        {"B2.26: at the top facing down", 2, {SQUARE_DOWN(16)}, 0.5f, -1, "", NULL},
        {"above the grid", 2, {SQUARE_UP(17.5)}, 0.5f, -1, "", NULL},
        {"below the grid", 2, {SQUARE_UP(-1.5)}, 0.5f, -1, "", NULL},
        {"just below the bottom", 2, {SQUARE_DOWN(-0.5)}, 0.5f, -1, "", NULL},
    };
    run(cases, REF_COUNT(cases));
}

Test(ref_rasterize, areas)
{
    static const triangle_case cases[] = {
        {"B2.11: ny > slopeCosine * len is strict",
         2,
         {SQUARE_UP(5)},
         1,
         -1,
         SQUARE_ROWS("4 5 0"),
         NULL},
        {"just below", 2, {SQUARE_UP(5)}, 0x1.fffffep-1f, -1, SQUARE_ROWS("4 5 63"), NULL},
        {"B2.7: nothing is walkable", 2, {SQUARE_UP(5)}, 2, -1, SQUARE_ROWS("4 5 0"), NULL},
        {"B2.7: facing down is walkable", 2, {SQUARE_DOWN(5)}, -2, -1, SQUARE_ROWS("5 6 63"), NULL},
        {"a product beyond binary32", 2, {SQUARE_UP(5)}, FLT_MAX, -1, SQUARE_ROWS("4 5 0"), NULL},
        {"given", 2, {SQUARE_UP(5)}, 0.5f, 7, SQUARE_ROWS("4 5 7"), NULL},
        {"given 0", 2, {SQUARE_UP(5)}, 0.5f, 0, SQUARE_ROWS("4 5 0"), NULL},
    };
    run(cases, REF_COUNT(cases));
}

Test(ref_rasterize, degenerate)
{
    static const triangle_case cases[] = {
        {"B2.10: a point and a line, one of them outside the grid",
         2,
         {1, 1, 1, 1, 1, 1, 1, 1, 1, -9, 0, 0, -7, 0, 0, -8, 0, 0},
         0.5f,
         -1,
         "degenerate 2: ",
         NULL},
        {"a triangle whose squares underflow",
         1,
         {0, 0, 0, 0, 0, 0x1p-40, 0x1p-40, 0, 0},
         0.5f,
         -1,
         "degenerate 1: ",
         NULL},
        {"B0.2: one whose squares are subnormal",
         1,
         {0, 0.5, 0, 0, 0.5, 0x1p-36, 0x1p-36, 0.5, 0x1p-36},
         0.5f,
         -1,
         "0 0 0 1 63",
         NULL},
    };
    run(cases, REF_COUNT(cases));
}

/* A triangle in the plane x = 2 or z = 2, 3 wide and 4 high, facing +x, −x, +z, −z. */
#define WALL_X(x) x, 0, 0, x, 4, 0, x, 0, 3
#define WALL_X_BACK(x) x, 0, 0, x, 0, 3, x, 4, 0
#define WALL_Z(z) 0, 0, z, 3, 0, z, 0, 4, z
#define WALL_Z_BACK(z) 0, 0, z, 0, 4, z, 3, 0, z

Test(ref_rasterize, walls_on_grid_lines)
{
    static const triangle_case cases[] = {
        {"B2.21: facing +x", 1, {WALL_X(2)}, 0.5f, -1, "1 0 0 4 0; 1 1 0 3 0; 1 2 0 2 0", NULL},
        {"B2.21: facing -x",
         1,
         {WALL_X_BACK(2)},
         0.5f,
         -1,
         "2 0 0 4 0; 2 1 0 3 0; 2 2 0 2 0",
         NULL},
        {"B2.21: x = 0 facing +x", 1, {WALL_X(0)}, 0.5f, -1, "", NULL},
        {"x = 0 facing -x", 1, {WALL_X_BACK(0)}, 0.5f, -1, "0 0 0 4 0; 0 1 0 3 0; 0 2 0 2 0", NULL},
        {"x = W facing +x", 1, {WALL_X(4)}, 0.5f, -1, "3 0 0 4 0; 3 1 0 3 0; 3 2 0 2 0", NULL},
        {"B2.21: x = W facing -x", 1, {WALL_X_BACK(4)}, 0.5f, -1, "", NULL},
        {"x = -1", 1, {WALL_X_BACK(-1)}, 0.5f, -1, "", NULL},
        {"x = W + 1", 1, {WALL_X(5)}, 0.5f, -1, "", NULL},
        {"B2.22: facing +z", 1, {WALL_Z(2)}, 0.5f, -1, "0 1 0 4 0; 1 1 0 3 0; 2 1 0 2 0", NULL},
        {"B2.22: facing -z",
         1,
         {WALL_Z_BACK(2)},
         0.5f,
         -1,
         "0 2 0 4 0; 1 2 0 3 0; 2 2 0 2 0",
         NULL},
        {"B2.22: z = 0 facing +z", 1, {WALL_Z(0)}, 0.5f, -1, "", NULL},
        {"z = 0 facing -z", 1, {WALL_Z_BACK(0)}, 0.5f, -1, "0 0 0 4 0; 1 0 0 3 0; 2 0 0 2 0", NULL},
        {"z = D facing +z", 1, {WALL_Z(4)}, 0.5f, -1, "0 3 0 4 0; 1 3 0 3 0; 2 3 0 2 0", NULL},
        {"B2.22: z = D facing -z", 1, {WALL_Z_BACK(4)}, 0.5f, -1, "", NULL},
        {"B2.20: a wall that touches a row in a point only",
         1,
         {2, 0, 0, 2, 4, 0, 2, 2, 1},
         0.5f,
         -1,
         "1 0 0 4 0",
         NULL},
    };
    run(cases, REF_COUNT(cases));
}

/* Two neighbours in binary32 that are the same u at cs = 1.5. */
#define X0 0x1.c00004p0
#define X1 0x1.c00006p0

Test(ref_rasterize, other_vertical_triangles)
{
    static const vx_frame wide = {.cell_size = 1.5f, .cell_height = 1, .size = {4, 4, 16}};
    static const triangle_case cases[] = {
        {"inside a row",
         1,
         {0.5, 0, 0.5, 2.5, 0, 0.5, 0.5, 3.5, 0.5},
         0.5f,
         -1,
         "0 0 0 4 0; 1 0 0 3 0; 2 0 0 1 0",
         NULL},
        {"inside a cell column",
         1,
         {0.5, 0, 0.5, 0.5, 3.5, 0.5, 0.5, 0, 2.5},
         0.5f,
         -1,
         "0 0 0 4 0; 0 1 0 3 0; 0 2 0 1 0",
         NULL},
        {"B2.20: along a diagonal, the corners in between are not touched",
         1,
         {0, 0, 0, 3, 0, 3, 3, 3, 3},
         0.5f,
         -1,
         "0 0 0 1 0; 1 1 0 2 0; 2 2 0 3 0",
         NULL},
        {"B2.23: a piece in a grid plane touches both sides",
         1,
         {3, 0, 0, 3, 5, 0x1p-132, 3.0000002384185791, 0, 0},
         0.5f,
         -1,
         "2 0 0 5 0; 3 0 0 5 0",
         NULL},
        {"B2.20: u and w are a point each, though x is not",
         1,
         {X0, 0, 1, X0, 4, 1, X1, 9, 1},
         0.5f,
         -1,
         "",
         &wide},
    };
    run(cases, REF_COUNT(cases));
}

Test(ref_rasterize, clipping)
{
    static const triangle_case cases[] = {
        {"B2.13: what is outside the grid is cut off before the heights are taken",
         1,
         {-1, 0, 0.25, 1, 14, 0.25, 1, 14, 0.75},
         0.5f,
         -1,
         "0 0 7 14 0",
         NULL},
        {"the same along z",
         1,
         {0.25, 0, -1, 0.75, 14, 1, 0.25, 14, 1},
         0.5f,
         -1,
         "0 0 7 14 0",
         NULL},
        {"over the far ends",
         1,
         {3, 14, 3.25, 5, 0, 3.25, 3, 14, 3.75},
         0.5f,
         -1,
         "3 3 7 14 0",
         NULL},
        {"outside in x", 1, {5, 1, 1, 5, 1, 2, 6, 1, 1}, 0.5f, -1, "", NULL},
        {"outside in z", 1, {1, 1, -3, 1, 1, -2, 2, 1, -3}, 0.5f, -1, "", NULL},
        {"B2.19: a triangle that meets the grid in an edge",
         1,
         {4, 1, 0, 4, 1, 4, 5, 1, 0},
         0.5f,
         -1,
         "",
         NULL},
        {"B2.19: cells that are met in an edge or a corner are not touched",
         1,
         {1, 1.5, 1, 1, 1.5, 2, 2, 1.5, 1},
         0.5f,
         -1,
         "1 1 1 2 63",
         NULL},
        {"a triangle over the whole grid",
         1,
         {-100, 2.5, -100, -100, 2.5, 200, 200, 2.5, -100},
         0.5f,
         -1,
         "0 0 2 3 63; 1 0 2 3 63; 2 0 2 3 63; 3 0 2 3 63; 0 1 2 3 63; 1 1 2 3 63; 2 1 2 3 63; "
         "3 1 2 3 63; 0 2 2 3 63; 1 2 2 3 63; 2 2 2 3 63; 3 2 2 3 63; 0 3 2 3 63; 1 3 2 3 63; "
         "2 3 2 3 63; 3 3 2 3 63",
         NULL},
        {"a slope in steps",
         1,
         {0, 0, 0, 0, 0, 1, 4, 4, 0},
         0.5f,
         -1,
         "0 0 0 1 63; 1 0 1 2 63; 2 0 2 3 63; 3 0 3 4 63",
         NULL},
    };
    run(cases, REF_COUNT(cases));
}

/* B0.6@698c76: v of 2^42 is legal. */
Test(ref_rasterize, far_beyond_any_row)
{
    static const vx_frame frame = {
        .origin = {0, -2097152, 0}, .cell_size = 1, .cell_height = 0x1p-20f, .size = {4, 4, 16}};
    static const triangle_case cases[] = {
        {"all above", 1, {0, 2097152, 0, 0, 2097152, 1, 1, 2097152, 0}, 0.5f, -1, "", &frame},
        {"from the bottom up",
         1,
         {0.5, -2097152, 0.5, 2.5, 2097152, 0.5, 0.5, 2097152, 0.5},
         0.5f,
         -1,
         "0 0 0 16 0",
         &frame},
    };
    run(cases, REF_COUNT(cases));
}

/* The field's own history: a closed box of triangles stays inside its cells (B2.21@39e21a,
 * B2.22@a700ad, B2.25@3c3db2).
 */
Test(ref_rasterize, closed_box)
{
    static const double vertices[] = {1, 1, 1, 3, 1, 1, 3, 1, 3, 1, 1, 3,
                                      1, 3, 1, 3, 3, 1, 3, 3, 3, 1, 3, 3};
    static const int64_t indices[] = {0, 1, 2, 0, 2, 3, 4, 7, 6, 4, 6, 5, 0, 4, 5, 0, 5, 1,
                                      2, 6, 7, 2, 7, 3, 0, 3, 7, 0, 7, 4, 1, 5, 6, 1, 6, 2};
    ref_field f;
    ref_open(&f, 4, 4, 16);
    vx_mesh mesh = {.vertices = vertices,
                    .vertex_values = REF_COUNT(vertices),
                    .indices = indices,
                    .index_count = REF_COUNT(indices),
                    .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                    .merge_threshold = 4};
    cr_assert_eq(ref_rasterize(&f, &mesh), VX_OK);
    ref_expect(&f, "box", SQUARE_ROWS("1 3 63"));
    ref_close(&f);
}

/* B2.1@204fdc: triangles are added in ascending k, with T (B3.4@2229fc). */
Test(ref_rasterize, order_of_triangles)
{
    static const double vertices[] = {SQUARE_UP(6), SQUARE_UP(6.5), SQUARE_UP(7.5)};
    static const struct {
        const char *name;
        int64_t first[3]; /* the first index of each of the three triangles */
        int64_t areas[3];
        const char *rows;
    } cases[] = {
        {"bottom up", {0, 6, 12}, {63, 0, 0}, "1 1 5 8 63; 1 2 5 8 63; 2 2 5 8 63"},
        {"top down", {12, 6, 0}, {0, 0, 63}, "1 1 5 8 0; 1 2 5 8 0; 2 2 5 8 0"},
        {"the middle last", {0, 12, 6}, {63, 0, 0}, "1 1 5 8 63; 1 2 5 8 63; 2 2 5 8 63"},
    };
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        ref_field f;
        ref_open(&f, 4, 4, 16);
        int64_t indices[9];
        for (size_t k = 0; k < 9; k++) {
            indices[k] = cases[i].first[k / 3] + (int64_t)(k % 3);
        }
        vx_mesh mesh = {.vertices = vertices,
                        .vertex_values = REF_COUNT(vertices),
                        .indices = indices,
                        .index_count = 9,
                        .areas = cases[i].areas,
                        .area_count = 3,
                        .merge_threshold = 1};
        cr_assert_eq(ref_rasterize(&f, &mesh), VX_OK);
        ref_expect(&f, cases[i].name, cases[i].rows);
        ref_close(&f);
    }
}

/* B2.14@fd01a4 and B2.15@3c3989 by themselves: the order of what is emitted, and the bits of a
 * crossing. */
Test(ref_rasterize, one_pass)
{
    ref_field f;
    ref_open(&f, 4, 4, 16);
    vx_ref_vertex p[] = {{{0, 0, 0}}, {{3, 1, 0}}, {{1, 2, 3}}, {{2, 9, 2}}};
    vx_ref_polygon in = {.p = p, .n = 3};
    vx_ref_polygon out = {0};
    cr_assert(vx_ref_pass(f.field, &in, VX_REF_W, 1, false, &out));
    /* prev = p_2 and cur = p_0 come first: a crossing, p_0; then p_1; then the crossing to p_2. */
    static const float third = 1 / 3.0f;
    float t = (3 - 1.0f) / ((3 - 1.0f) - (0 - 1.0f));
    cr_assert_eq(out.n, 4);
    cr_assert_eq(out.p[0].at[VX_REF_U], 1 + (0 - 1) * t);
    cr_assert_eq(out.p[0].at[VX_REF_V], 2 + (0 - 2) * t);
    cr_assert_eq(out.p[0].at[VX_REF_W], 1);
    cr_assert_eq(out.p[1].at[VX_REF_U], 0);
    cr_assert_eq(out.p[2].at[VX_REF_U], 3);
    cr_assert_eq(out.p[3].at[VX_REF_U], 3 + (1 - 3) * third);
    cr_assert_eq(out.p[3].at[VX_REF_V], 1 + (2 - 1) * third);
    /* A vertex on the plane is kept by both sides and makes no crossing. */
    in.n = 4;
    cr_assert(vx_ref_pass(f.field, &in, VX_REF_W, 3, true, &out));
    cr_assert(out.n == 1 && out.p[0].at[VX_REF_U] == 1);
    cr_assert(vx_ref_pass(f.field, &in, VX_REF_W, 3, false, &out));
    cr_assert(out.n == 4 && out.p[2].at[VX_REF_U] == 1);
    in.n = 0;
    cr_assert(vx_ref_pass(f.field, &in, VX_REF_U, 1, true, &out));
    cr_assert_eq(out.n, 0);
    ref_close(&f);
}

Test(ref_rasterize, area_of_a_piece)
{
    vx_ref_vertex p[] = {{{0, 0, 0}}, {{2, 0, 0}}, {{2, 0, 1}}, {{0, 0, 1}}};
    cr_assert_eq(vx_ref_area(&(vx_ref_polygon){.p = p, .n = 4}), 4);
    cr_assert_eq(vx_ref_area(&(vx_ref_polygon){.p = p, .n = 3}), 2);
    cr_assert_eq(vx_ref_area(&(vx_ref_polygon){.p = p, .n = 2}), 0);
    cr_assert_eq(vx_ref_area(&(vx_ref_polygon){.p = p, .n = 0}), 0);
    /* B2.19@f8bcc6: from 0, in this order: the third term is lost in the sum of the first two. */
    vx_ref_vertex q[] = {{{0, 0, 0}},
                         {{4096, 0, 0}},
                         {{4096, 0, 4096}},
                         {{4095.5f, 0, 4096}},
                         {{4095.5f, 0, 4095.9375f}}};
    float sum = 0;
    sum += 4096.0f * 4096.0f - 0.0f * 4096.0f;
    sum += 4096.0f * 4096.0f - 4096.0f * 4095.5f;
    sum += 4095.5f * 4095.9375f - 4096.0f * 4095.5f;
    cr_assert_eq(vx_ref_area(&(vx_ref_polygon){.p = q, .n = 5}), sum);
}

typedef struct error_case {
    const char *name;
    vx_mesh mesh;
    vx_status status;
    const char *message;
} error_case;

static const double nan_unused[] = {0, 1, 0, 0, 1, 1, 1, 1, 0, REF_NAN, REF_INFINITY, -3e6};
static const int64_t first_three[] = {0, 1, 2};
static const int64_t beyond[] = {0, 1, 4};
static const int64_t negative[] = {0, -1, 3};
static const int64_t extreme[] = {0, INT64_MIN, 1};
static const int64_t use_fourth[] = {0, 1, 3};
static const double far[] = {0, 1, 0, 0, 2097152, 1, 1, 1, -2097152.25};
static const double infinite[] = {-REF_INFINITY, REF_NAN, 0};
static const int64_t zeros[] = {0, 0, 0};
static const int64_t areas[] = {63, 64, -1};

/* A mesh of these vertices and indices. */
#define MESH(v, i) .vertices = v, .vertex_values = REF_COUNT(v), .indices = i, .index_count = 3

Test(ref_rasterize, errors)
{
    static const error_case cases[] = {
        {"B2.2: vertices",
         {.vertices = far, .vertex_values = 8, .index_count = 4},
         VX_ARGUMENT,
         "vertices: their length 8 is not divisible by 3"},
        {"B2.2: indices",
         {.vertices = far, .vertex_values = 9, .indices = zeros, .index_count = 2},
         VX_ARGUMENT,
         "indices: their length 2 is not divisible by 3"},
        {"B2.3: beyond",
         {MESH(nan_unused, beyond)},
         VX_OUT_OF_RANGE,
         "indices: number 2 is 4, not at least 0 and below 4"},
        {"B2.3: negative",
         {MESH(nan_unused, negative)},
         VX_OUT_OF_RANGE,
         "indices: number 1 is -1, not at least 0 and below 4"},
        {"B2.3: least",
         {MESH(nan_unused, extreme)},
         VX_OUT_OF_RANGE,
         "indices: number 1 is -9223372036854775808, not at least 0 and below 4"},
        {"B2.3: no vertices",
         {.indices = zeros, .index_count = 3},
         VX_OUT_OF_RANGE,
         "indices: number 0 is 0, not at least 0 and below 0"},
        {"B2.4: NaN",
         {MESH(nan_unused, use_fourth)},
         VX_ARGUMENT,
         "vertex 3: x is NaN, not a number in -2097152..2097152"},
        {"B2.4: beyond",
         {MESH(far, first_three)},
         VX_OUT_OF_RANGE,
         "vertex 2: z = -2097152.25 is beyond -2097152"},
        {"B2.4: infinite",
         {MESH(infinite, zeros)},
         VX_OUT_OF_RANGE,
         "vertex 0: x = -inf is beyond -2097152"},
        {"B2.6: number",
         {MESH(nan_unused, first_three), .areas = areas, .area_count = 2},
         VX_ARGUMENT,
         "areas: 2 area ids for 1 triangles"},
        {"B2.6: none",
         {MESH(nan_unused, first_three), .areas = areas},
         VX_ARGUMENT,
         "areas: 0 area ids for 1 triangles"},
        {"B2.6: 64",
         {MESH(nan_unused, first_three), .areas = &areas[1], .area_count = 1},
         VX_OUT_OF_RANGE,
         "areas: the area of triangle 0 = 64 is above 63"},
        {"B2.6: -1",
         {MESH(nan_unused, first_three), .areas = &areas[2], .area_count = 1},
         VX_OUT_OF_RANGE,
         "areas: the area of triangle 0 = -1 is below 0"},
        {"B2.7: NaN",
         {MESH(nan_unused, first_three), .slope_cosine = NAN},
         VX_ARGUMENT,
         "slopeCosine is NaN, not a finite number"},
        {"B2.7: also when areas are given",
         {MESH(nan_unused, first_three), .areas = areas, .area_count = 1,
          .slope_cosine = -INFINITY},
         VX_OUT_OF_RANGE,
         "slopeCosine = -inf is beyond all finite numbers"},
        {"B2.7: T",
         {MESH(nan_unused, first_three), .merge_threshold = INT64_MIN},
         VX_OUT_OF_RANGE,
         "mergeThreshold = -9223372036854775808 is below 0"},
        {"B2.5: lengths before indices",
         {.indices = beyond, .index_count = 1},
         VX_ARGUMENT,
         "indices: their length 1 is not divisible by 3"},
        {"B2.5: indices before coordinates",
         {MESH(infinite, first_three)},
         VX_OUT_OF_RANGE,
         "indices: number 1 is 1, not at least 0 and below 1"},
    };
    ref_field f;
    ref_open(&f, 4, 4, 16);
    ref_add_all(&f, &(vx_span){0, 0, 2, 4, 7}, 1);
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        vx_status status = ref_rasterize(&f, &cases[i].mesh);
        ref_expect_status(&f, cases[i].name, status, cases[i].status, cases[i].message);
        ref_expect(&f, cases[i].name, "0 0 2 4 7");
        cr_assert_eq(f.impl->rasterize(f.field, &cases[i].mesh, NULL), cases[i].status);
    }
    ref_close(&f);
}

Test(ref_rasterize, what_is_allowed)
{
    ref_field f;
    ref_open(&f, 4, 4, 16);
    /* B2.4@3c8a9c: a vertex that no index refers to is not looked at. */
    cr_assert_eq(ref_rasterize(&f, &(vx_mesh){MESH(nan_unused, first_three)}), VX_OK);
    ref_expect(&f, "unused", "0 0 0 1 63");
    cr_assert_eq(ref_rasterize(&f, &(vx_mesh){.merge_threshold = 1 << 30}), VX_OK);
    ref_expect(&f, "no triangles", "0 0 0 1 63");
    /* B0.5@003f0a: the limits themselves. */
    static const double limits[] = {-2097152, 2,       2097152, 2097152, 2,
                                    2097152,  2097152, 2,       -2097152};
    cr_assert_eq(ref_rasterize(&f, &(vx_mesh){MESH(limits, first_three), .slope_cosine = 2}),
                 VX_OK);
    ref_expect(&f, "the limits",
               "0 0 0 2 0; 1 0 1 2 0; 2 0 1 2 0; 3 0 1 2 0; 0 1 1 2 0; 1 1 1 2 0; 2 1 1 2 0; "
               "3 1 1 2 0; 0 2 1 2 0; 1 2 1 2 0; 2 2 1 2 0; 3 2 1 2 0; 0 3 1 2 0; 1 3 1 2 0; "
               "2 3 1 2 0; 3 3 1 2 0");
    ref_close(&f);
}
