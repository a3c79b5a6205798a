/* SPDX-License-Identifier: MIT */
/* The reference with its trace points: it says every step, and computes the same. */
#include "ref_field.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that was said, one "CLAUSE text" a line. */
typedef struct heard {
    char *text;
    size_t size, capacity;
} heard;

static void hear(void *context, const char *clause, const char *text)
{
    heard *log = context;
    size_t more = strlen(clause) + strlen(text) + 3;
    if (log->size + more > log->capacity) {
        log->capacity = 2 * (log->size + more);
        log->text = realloc(log->text, log->capacity);
        cr_assert_not_null(log->text);
    }
    log->size += (size_t)sprintf(log->text + log->size, "%s %s\n", clause, text);
}

static void open_traced(ref_field *f, heard *log, const vx_frame *frame)
{
    *f = (ref_field){.impl = &vx_ref_build3d_traced};
    vx_arena_init_growable(&f->arena, 4096, 1 << 24);
    cr_assert_eq(f->impl->open(&f->arena, frame, &f->field, &f->error), VX_OK);
    *log = (heard){.text = calloc(1, 1), .capacity = 1};
    f->impl->set_trace(f->field, hear, log);
}

static void expect_lines(const heard *log, const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cr_assert_neq(strstr(log->text, lines[i]), NULL, "not said: %s\nbut:\n%s", lines[i],
                      log->text);
    }
}

static const vx_frame bounded = {
    .from_bounds = 1, .min = {1, 0, 0}, .max = {5.5, 16, 4}, .cell_size = 1, .cell_height = 1};

Test(ref_trace, triangle)
{
    ref_field f;
    heard log;
    open_traced(&f, &log, &bounded);
    static const double vertices[] = {1.25, 0.5, 0.5, 1.25, 0.5, 0.75, 2.25, 4.5, 0.5};
    static const int64_t indices[] = {0, 1, 2};
    vx_mesh mesh = {.vertices = vertices,
                    .vertex_values = 9,
                    .indices = indices,
                    .index_count = 3,
                    .slope_cosine = 0.1f};
    cr_assert_eq(ref_rasterize(&f, &mesh), VX_OK);
    static const char *const lines[] = {
        "B1.6 x: max - min = 0x1.2p+2 (4.5), quotient = 0x1.2p+2 (4.5)\n",
        "B1.1 ox = 0x1p+0 (1), oy = 0x0p+0 (0), oz = 0x0p+0 (0)\n",
        "B1.1 cs = 0x1p+0 (1), ch = 0x1p+0 (1)\n",
        "B1.1 W = 5, D = 4, H = 16\n",
        "B2.1 triangle 0: vertices 0, 1, 2\n",
        "B1.7 a: lx = 0x1p-2 (0.25), ly = 0x1p-1 (0.5), lz = 0x1p-1 (0.5)\n",
        "B1.8 c: u = 0x1.4p+0 (1.25), v = 0x1.2p+2 (4.5), w = 0x1p-1 (0.5)\n",
        "B2.8 nx = -0x1p+0 (-1), ny = 0x1p-2 (0.25), nz = 0x0p+0 (0)\n",
        "B2.9 len = 0x1.07e0f6p+0 (1.03077638)\n",
        "B2.11 slopeCosine * len = 0x1.a634bep-4 (0.103077643): area 63\n",
        "B2.12 F = -0x1p-2 (-0.25): areal\n",
        "B2.14 pass keeping w >= 0\n",
        "B2.14 passed: 3 vertices\n",
        "B2.13 clipped to the grid: 3 vertices\n",
        "B2.17 visited rows 0 to 0\n",
        "B2.16 row 0\nB2.16 piece of the row: 3 vertices\n",
        "B2.18 row 0: visited cells 0 to 1\n",
        "B2.14 pass keeping u <= 1\n",
        "B2.15 d_p = 0x1p-2 (0.25), d_q = -0x1.8p-1 (-0.75), t = 0x1p-2 (0.25)\n",
        "B2.15 crossing u = 0x1p+0 (1), v = 0x1.cp+1 (3.5), w = 0x1p-1 (0.5)\n",
        "B2.18   p_0: u = ",
        "B2.18 cell (0, 0)\nB2.18 piece: 4 vertices\n",
        "B2.19 area of the piece = ",
        "B2.24 min v = 0x1p-1 (0.5), max v = 0x1.cp+1 (3.5), lo = 0, hi = 4\n",
        "B2.27 cell (0, 0): span [0, 4) area 63\n",
        "B3.3 column (0, 0): adding [0, 4) area 63, T = 0\n",
        "B3.3 column (1, 0): [3, 5) area 63 stands\n",
    };
    expect_lines(&log, lines, REF_COUNT(lines));
    free(log.text);
    ref_close(&f);
}

Test(ref_trace, other_triangles)
{
    ref_field f;
    heard log;
    open_traced(&f, &log, &bounded);
    static const double vertices[] = {2, 0, 0, 2, 4, 0,   2,   0, 2,  /* a wall at u = 1 */
                                      1, 0, 3, 2, 0, 3,   1,   4, 3,  /* a wall at w = 3 */
                                      1, 0, 1, 1, 0, 1,   1,   0, 1,  /* a point */
                                      1, 4, 0, 1, 4, 0.5, 1.5, 4, 0,  /* on a row boundary */
                                      1, 0, 0, 1, 0, 0.5, 1.5, 0, 0,  /* below all rows */
                                      6, 0, 0, 6, 0, 2,   6,   4, 0,  /* a wall that is dropped */
                                      1, 0, 0, 2, 0, 0,   1,   4, 0,  /* and another */
                                      2, 1, 1, 2, 1, 2,   2.5, 1, 1,  /* beside cell (0, 1) */
                                      1, 0, 0, 3, 0, 2,   3,   3, 2}; /* along a diagonal */
    int64_t indices[REF_COUNT(vertices) / 3];
    for (size_t i = 0; i < REF_COUNT(indices); i++) {
        indices[i] = (int64_t)i;
    }
    vx_mesh mesh = {.vertices = vertices,
                    .vertex_values = REF_COUNT(vertices),
                    .indices = indices,
                    .index_count = REF_COUNT(indices),
                    .merge_threshold = 4};
    cr_assert_eq(ref_rasterize(&f, &mesh), VX_OK);
    static const char *const lines[] = {
        "B2.12 F = 0x0p+0 (0): vertical\n",
        "B2.21 wall at u = 1, nx = 0x1p+3 (8): cell column 0\n",
        "B2.20 max u - min u = 0x0p+0 (0), max w - min w = 0x1p+0 (1)\n",
        "B2.22 wall at w = 3, nz = 0x1p+2 (4): row 2\n",
        "B2.10 degenerate: skipped\n",
        "B2.25 on a row boundary: lo = 3, hi = 4\n",
        "B2.26 cell (0, 0): [-1, 0) is outside the rows: dropped\n",
        "B2.21 wall at u = 5, nx = -0x1p+3 (-8): cell column -1 (dropped)\n",
        "B2.22 wall at w = 0, nz = 0x1p+2 (4): row -1 (dropped)\n",
        "B2.19 cell (0, 1) is not touched\n",
        "B2.20 cell (1, 0) is not touched\n",
        "B3.4 column (0, 0): merged with [0, 4) area 0: [0, 4) area 63\n",
    };
    expect_lines(&log, lines, REF_COUNT(lines));
    free(log.text);
    ref_close(&f);
}

/* Every kind of step, those of B10.2@16c78d in its order. */
static void run_pipeline(ref_field *f)
{
    static const double heights[] = {1, 1, 3, 1};
    cr_assert_eq(ref_height_grid(f, &(vx_height_grid){.origin = {1, 1},
                                                      .spacing = 1,
                                                      .count = {2, 2},
                                                      .heights = heights,
                                                      .height_count = 4}),
                 VX_OK);
    static const vx_run runs[] = {
        {0, 0, 0, 2, 5}, {0, 0, 4, 1, 6}, {1, 0, 0, 1, 5}, {0, 1, 0, 1, 5}, {7, 0, 0, 1, 5}};
    static const vx_material_area areas[] = {{6, 0}};
    cr_assert_eq(ref_chunk(f, &(vx_chunk){.size = {8, 8, 16},
                                          .offset = {1, -1, 1},
                                          .runs = runs,
                                          .run_count = REF_COUNT(runs),
                                          .material_areas = areas,
                                          .material_area_count = 1}),
                 VX_OK);
    static const vx_span spans[] = {{0, 1, 0, 2, 9}, {2, 1, 0, 2, 9},  {1, 0, 0, 2, 9},
                                    {1, 2, 0, 2, 9}, {1, 1, 9, 11, 9}, {3, 3, 0, 9, 9}};
    ref_add_all(f, spans, REF_COUNT(spans));
    cr_assert_eq(f->impl->low_hanging(f->field, 1, &f->error), VX_OK);
    cr_assert_eq(f->impl->ledges(f->field, 4, 2, &f->error), VX_OK);
    cr_assert_eq(f->impl->low_height(f->field, 2, &f->error), VX_OK);
    ref_add_all(f, spans, REF_COUNT(spans));
    cr_assert_eq(ref_compact(f, 2, 2), VX_OK);
    cr_assert_eq(f->impl->erode(f->field, 1, &f->error), VX_OK);
    static const double corners[] = {0, 0, 9, 0, 0, 9};
    cr_assert_eq(
        ref_volume(f, &(vx_volume){.corners = corners, .corner_count = 3, .max_y = 99, .area = 7}),
        VX_OK);
}

static const vx_frame small = {.cell_size = 1, .cell_height = 1, .size = {4, 4, 16}};

Test(ref_trace, pipeline)
{
    ref_field f;
    heard log;
    open_traced(&f, &log, &small);
    run_pipeline(&f);
    static const char *const lines[] = {
        "B4.2 a = (0, 0) at x = 0x1p+0 (1), z = 0x1p+0 (1)\n",
        "B4.3 square (0, 0): triangle a, c, d\n",
        "B4.3 square (0, 0): triangle a, d, b\n",
        "B5.4 column (0, 0): run [4, 5) area 0\n",
        "B5.5 placed in column (1, 1) at [-1, 1)\n",
        "B5.5 column outside the grid: dropped\n",
        "B5.6 cut to [0, 1)\n",
        "B5.6 outside the rows: dropped\n",
        "B6.3 column (1, 1): [9, 11) area 9 above Max = 4 with area 0: now area 9\n",
        "B6.5 span (1, 1) [9, 11): f = 11, c = 1073741824\n",
        "B6.5 neighbour in direction 3\n",
        "B6.5 outside the grid: drop -3\n",
        "B6.6 gap -2 to 0: -2 is not passable\n",
        "B6.6 gap 4 to 9: 5 is passable, drop 2, accessible\n",
        "B6.6 gap 11 to 1073741824: 1073741813 is passable, drop 9\n",
        "B6.7 lowest drop -4, accessible floors differ by 0: ledge\n",
        "B6.10 column (1, 1): [0, 4), the next Min is 9: now area 0\n",
        "B7.1 column (1, 1): span 0: Y = 11, Height = 65535, Area = 9\n",
        "B7.3 Y = 11 to Y = 2: common height 65526, step 9: does not fit\n",
        "B7.4 column (1, 1): span 0 (Y = 11): link 63 in direction 0\n",
        "B8.2 column (1, 1): span 0: boundary\n",
        "B8.4 column (1, 1): span 0: dist = 0\n",
        "B9.2 side of edge 0 and corner 2 = 0x1.44p+6 (81)\n",
        "B9.2 orientation 1\n",
        "B9.3 column (3, 3): centre x = 0x1.cp+1 (3.5), z = 0x1.cp+1 (3.5)\n",
        "B9.3 side of edge 1 = 0x1.2p+4 (18)\n",
        "B9.3 column (3, 3) is inside\n",
        "B9.4 column (3, 3): Y = 9: floor height = 0x1.2p+3 (9)\n",
    };
    expect_lines(&log, lines, REF_COUNT(lines));
    free(log.text);
    ref_close(&f);
}

/* Traced or not, listened to or not: the same rows; and silence when it is switched off. */
Test(ref_trace, changes_nothing)
{
    ref_field plain, loud, silent;
    heard log, unheard;
    ref_open_frame(&plain, &small);
    open_traced(&loud, &log, &small);
    open_traced(&silent, &unheard, &small);
    silent.impl->set_trace(silent.field, NULL, NULL);
    size_t said = unheard.size;
    run_pipeline(&plain);
    run_pipeline(&loud);
    run_pipeline(&silent);
    ref_expect(&loud, "loud", ref_rows(&plain));
    ref_expect(&silent, "silent", ref_rows(&plain));
    cr_assert_gt(log.size, said);
    cr_assert_eq(unheard.size, said);
    cr_assert_str_eq(vx_ref_build3d_traced.name, "ref-traced");
    free(log.text);
    free(unheard.text);
    ref_close(&plain);
    ref_close(&loud);
    ref_close(&silent);
}
