/* SPDX-License-Identifier: MIT */
/* Generated height grids: finer than the cells, coarser, collapsing, with inexact spacings (B4). */
#include <math.h>

#include "families.h"

enum { COUNT_MAX = 7 };

/* Sets *slope_cosine to a value at the triangle's own slope for which the corner that comes first
 * decides whether it can be walked on; false when there is none. */
static bool find_decisive_slope(const vx_draft *draft, double corners[3][3], float *slope_cosine)
{
    float n[3];
    float len = vx_draft_normal(draft, corners, n);
    for (size_t turn = 1; turn < 3; turn++) {
        double turned[3][3];
        float other[3];
        for (size_t k = 0; k < 9; k++) {
            turned[k / 3][k % 3] = corners[(k / 3 + turn) % 3][k % 3];
        }
        float other_len = vx_draft_normal(draft, turned, other);
        for (int64_t step = -1; step <= 1 && len > 0.0f; step++) {
            *slope_cosine = vx_step_float(n[1] / len, step);
            if ((n[1] > *slope_cosine * len) != (other[1] > *slope_cosine * other_len)) {
                return true;
            }
        }
    }
    return false;
}

/* A slope that is decisive for a triangle of the height grid; the default when none is. */
static float decisive_slope(const vx_draft *draft, const vx_height_grid *grid)
{
    float slope_cosine = VX_DEFAULT_SLOPE_COSINE;
    int64_t width = grid->count[0] - 1;
    bool found = false;
    for (int64_t t = 0; t < 2 * width * (grid->count[1] - 1) && !found; t++) {
        /* B4.3: (a, c, d) and (a, d, b). */
        static const int64_t steps[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}};
        double corners[3][3];
        for (size_t k = 0; k < 3; k++) {
            int64_t i = t / 2 % width + steps[t % 2][k][0];
            int64_t j = t / 2 / width + steps[t % 2][k][1];
            corners[k][0] = grid->origin[0] + (double)i * grid->spacing;
            corners[k][1] = grid->heights[i + j * grid->count[0]];
            corners[k][2] = grid->origin[1] + (double)j * grid->spacing;
        }
        found = find_decisive_slope(draft, corners, &slope_cosine);
    }
    return found ? slope_cosine : VX_DEFAULT_SLOPE_COSINE;
}

/* Adds a height grid whose first vertex is at start, in cells, and whose heights are up to relief
 * rows above a level, in steps of 2^-bits. */
static void add_heights(vx_draft *draft, const double start[2], double spacing,
                        const int64_t count[2], int64_t relief, int bits)
{
    double heights[COUNT_MAX * COUNT_MAX] = {0.0};
    size_t height_count = (size_t)(count[0] * count[1]);
    int64_t top = vx_draft_size(draft, 2);
    double level = (double)vx_random_integer(&draft->random, 0, top - 1);
    for (size_t i = 0; i < height_count; i++) {
        /* Half of them level: squares that can be walked on beside steep ones. */
        double above = vx_random_dyadic(&draft->random, 0, relief, bits);
        bool raised = vx_random_chance(&draft->random, 1, 2);
        heights[i] = vx_draft_world(draft, 1, raised ? level + above : level);
    }
    vx_height_grid grid = {
        .origin = {vx_draft_world(draft, 0, start[0]), vx_draft_world(draft, 2, start[1])},
        .spacing = spacing,
        .count = {count[0], count[1]},
        .heights = heights,
        .height_count = height_count};
    grid.merge_threshold = vx_draft_threshold(draft);
    grid.slope_cosine = vx_draft_slope(draft);
    if (vx_random_chance(&draft->random, 1, 3)) {
        grid.slope_cosine = decisive_slope(draft, &grid);
    }
    vx_build3d_add_step(draft->input, &(vx_step){.op = VX_OP_HEIGHT_GRID, .grid = grid});
}

static void draw_counts(vx_draft *draft, int64_t min, int64_t max, int64_t count[2])
{
    count[0] = vx_random_integer(&draft->random, min, max);
    count[1] = vx_random_integer(&draft->random, min, max);
}

static void draw_start(vx_draft *draft, int64_t min, int64_t max, int bits, double start[2])
{
    start[0] = vx_random_dyadic(&draft->random, min, max, bits);
    start[1] = vx_random_dyadic(&draft->random, min, max, bits);
}

vx_input *vx_make_terrain_fine(uint64_t seed)
{
    static const double fractions[] = {0.125, 0.25, 0.3, 0.5, 0.5, 0.7};
    vx_draft draft = vx_draft_start("terrain-fine", seed);
    int64_t count[2];
    double start[2];
    vx_draft_grid(&draft, VX_SCALE_ANY, 4, 4, 10);
    draw_counts(&draft, 3, 6, count);
    draw_start(&draft, 0, 2, 3, start);
    double fraction = VX_CHOICE(&draft.random, fractions);
    double spacing = fraction * (double)draft.input->frame.cell_size;
    add_heights(&draft, start, spacing, count, vx_random_integer(&draft.random, 1, 5), 3);
    return vx_draft_finish(&draft);
}

vx_input *vx_make_terrain_coarse(uint64_t seed)
{
    static const double factors[] = {1.0, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0};
    vx_draft draft = vx_draft_start("terrain-coarse", seed);
    int64_t count[2];
    double start[2];
    vx_draft_grid(&draft, VX_SCALE_ANY, 5, 5, 12);
    draw_counts(&draft, 2, 3, count);
    draw_start(&draft, -1, 1, vx_random_chance(&draft.random, 1, 2) ? 0 : 3, start);
    double factor = VX_CHOICE(&draft.random, factors);
    double spacing = factor * (double)draft.input->frame.cell_size;
    int64_t relief = vx_random_integer(&draft.random, 0, 6);
    add_heights(&draft, start, spacing, count, relief,
                vx_random_chance(&draft.random, 1, 2) ? 0 : 8);
    return vx_draft_finish(&draft);
}

vx_input *vx_make_terrain_collapsing(uint64_t seed)
{
    vx_draft draft = vx_draft_start("terrain-collapsing", seed);
    int64_t count[2];
    double start[2];
    vx_draft_grid(&draft, VX_SCALE_ANY, 4, 4, 8);
    draw_counts(&draft, 2, 4, count);
    draw_start(&draft, 1, 3, 0, start);
    /* About the distance of neighbouring binary32 numbers: some vertices coincide. */
    double cell = (double)draft.input->frame.cell_size;
    double spacing = ldexp(cell, (int)vx_random_integer(&draft.random, -26, -20));
    add_heights(&draft, start, spacing, count, 4, 2);
    count[0] = 2;
    count[1] = 2;
    draw_start(&draft, 0, 2, 1, start);
    add_heights(&draft, start, cell, count, 1, 1);
    return vx_draft_finish(&draft);
}

vx_input *vx_make_terrain_inexact(uint64_t seed)
{
    static const double origins[] = {0.1, 123456.7, -1000000.1, 2000000.3};
    static const double spacings[] = {0.0002, 0.0002, 0.0002, 0.0003, 0.1, 0.3, 1.0 / 3.0};
    vx_draft draft = vx_draft_start("terrain-inexact", seed);
    int64_t count[2];
    const double start[2] = {0.0, 0.0};
    double spacing = VX_CHOICE(&draft.random, spacings);
    /* The vertices come to lie on grid lines, but for what binary64 and binary32 lose. */
    vx_draft_grid(&draft, VX_SCALE_UNIT, 7, 7, 8);
    vx_frame *frame = &draft.input->frame;
    frame->cell_size = (float)spacing;
    frame->origin[0] = VX_CHOICE(&draft.random, origins);
    frame->origin[2] = VX_CHOICE(&draft.random, origins);
    draw_counts(&draft, 2, 5, count);
    if (vx_random_chance(&draft.random, 1, 2)) {
        spacing = spacing * 2.0;
    }
    add_heights(&draft, start, spacing, count, vx_random_integer(&draft.random, 0, 3), 3);
    return vx_draft_finish(&draft);
}
