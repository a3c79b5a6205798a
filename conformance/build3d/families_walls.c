/* SPDX-License-Identifier: MIT */
/* Generated vertical triangles: on grid lines and beside them, oblique ones, and those whose
 * footprint only rounds to 0 (B2.12, B2.20 to B2.23). */
#include <math.h>

#include "families.h"

static vx_input *rasterized(vx_draft *draft)
{
    vx_draft_turn(draft);
    float slope_cosine = vx_draft_slope(draft);
    vx_draft_rasterize(draft, slope_cosine, vx_draft_threshold(draft));
    return vx_draft_finish(draft);
}

/* Three corners of a wall in the plane "axis = line" (axis 0 or 2), bits as in vx_draft_point. */
static void draw_wall(vx_draft *draft, size_t axis, double line, int bits, double corners[3][3])
{
    for (size_t k = 0; k < 3; k++) {
        vx_draft_point(draft, 1, bits, corners[k]);
        corners[k][axis] = line;
    }
}

static size_t draw_axis(vx_draft *draft)
{
    return vx_random_chance(&draft->random, 1, 2) ? 0 : 2;
}

vx_input *vx_make_walls_grid(uint64_t seed)
{
    vx_draft draft = vx_draft_start("walls-grid", seed);
    vx_draft_grid(&draft, VX_SCALE_EXACT, 5, 5, 10);
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        size_t axis = draw_axis(&draft);
        int bits = vx_random_chance(&draft.random, 1, 2) ? 0 : 12;
        double line = (double)vx_random_integer(&draft.random, 0, vx_draft_size(&draft, axis / 2));
        draw_wall(&draft, axis, line, bits, corners);
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}

vx_input *vx_make_walls_border(uint64_t seed)
{
    vx_draft draft = vx_draft_start("walls-border", seed);
    vx_draft_grid(&draft, VX_SCALE_EXACT, 4, 4, 8);
    int64_t count = vx_random_integer(&draft.random, 2, 4);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        size_t axis = draw_axis(&draft);
        int64_t size = vx_draft_size(&draft, axis / 2);
        const int64_t lines[] = {-1, 0, 0, 0, size, size, size, size + 1};
        double line = (double)VX_CHOICE_INTEGER(&draft.random, lines);
        draw_wall(&draft, axis, line, 3, corners);
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}

vx_input *vx_make_walls_near(uint64_t seed)
{
    vx_draft draft = vx_draft_start("walls-near", seed);
    vx_draft_grid(&draft, VX_SCALE_UNIT, 5, 5, 8);
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        size_t axis = draw_axis(&draft);
        int64_t size = vx_draft_size(&draft, axis / 2);
        float line = (float)vx_random_integer(&draft.random, 0, size);
        int64_t ulps = vx_random_integer(&draft.random, -2, 2);
        draw_wall(&draft, axis, (double)vx_step_float(line, ulps), 4, corners);
        if (vx_random_chance(&draft.random, 1, 3)) {
            /* One corner on another side of the line, or on it. */
            ulps = vx_random_integer(&draft.random, -2, 2);
            corners[0][axis] = (double)vx_step_float(line, ulps);
        }
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}

/* A coordinate that is line cells of some size from 0, or a step of binary32 beside it, and then
 * up to three steps of binary64 more, which are gone in the rounding to binary32. */
static double draw_near_line(vx_draft *draft, int64_t line, float cell)
{
    float local = (float)line * cell;
    int64_t ulps = vx_random_integer(&draft->random, -1, 1);
    double world = (double)vx_step_float(local, line > 0 ? ulps : 0);
    return vx_step_double(world, vx_random_integer(&draft->random, -3, 3));
}

vx_input *vx_make_walls_collapsing(uint64_t seed)
{
    /* For these lines k and cell sizes up to 2^n ÷ k, neighbours of k · cell size are less than one
     * step apart in cell units, so that the division makes some of them equal. */
    static const int64_t lines[] = {0, 3, 3, 5, 5, 9};
    vx_draft draft = vx_draft_start("walls-collapsing", seed);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 10, 10, 10);
    vx_frame *frame = &draft.input->frame;
    int64_t line = VX_CHOICE_INTEGER(&draft.random, lines);
    double most = line == 3 ? 4.0 / 3.0 : line == 5 ? 1.6 : 16.0 / 9.0;
    frame->cell_size = (float)(most - vx_random_dyadic(&draft.random, 0, 1, 20) / 8.0);
    frame->cell_height = frame->cell_size;
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        size_t axis = draw_axis(&draft);
        double start = (double)vx_random_integer(&draft.random, 0, 6);
        double level = vx_random_dyadic(&draft.random, 0, 7, 1);
        /* Level in the world, level only in cell units, or neither. */
        static const int64_t kinds[] = {0, 1, 1, 2};
        int64_t kind = VX_CHOICE_INTEGER(&draft.random, kinds);
        for (size_t k = 0; k < 3; k++) {
            double point[3];
            for (size_t c = 0; c < 3; c++) {
                double cells = start + vx_random_dyadic(&draft.random, 0, 3, 4);
                point[c] = vx_draft_world(&draft, c, cells);
            }
            point[axis] = draw_near_line(&draft, line, frame->cell_size);
            if (kind == 0) {
                point[1] = level;
            } else if (kind == 1) {
                point[1] = draw_near_line(&draft, line, frame->cell_height);
            }
            (void)vx_draft_vertex_world(&draft, point);
        }
        vx_draft_triangle(&draft, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return rasterized(&draft);
}

vx_input *vx_make_walls_oblique(uint64_t seed)
{
    static const double steps[] = {-3.0, -2.0, -1.0, -1.0, 0.5, 1.0, 1.0, 2.0, 3.0};
    vx_draft draft = vx_draft_start("walls-oblique", seed);
    vx_draft_grid(&draft, VX_SCALE_EXACT, 6, 6, 10);
    int64_t count = vx_random_integer(&draft.random, 1, 2);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        double start[3];
        int bits = (int)vx_random_integer(&draft.random, 0, 3);
        vx_draft_point(&draft, 0, bits, start);
        double du = VX_CHOICE(&draft.random, steps);
        double dw = VX_CHOICE(&draft.random, steps);
        for (size_t k = 0; k < 3; k++) {
            /* Exactly on one line through the start, through cell corners where it is whole. */
            double t = vx_random_dyadic(&draft.random, -1, 2, 2);
            vx_draft_point(&draft, 0, 4, corners[k]);
            corners[k][0] = start[0] + t * du;
            corners[k][2] = start[2] + t * dw;
        }
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}

vx_input *vx_make_walls_rounded(uint64_t seed)
{
    vx_draft draft = vx_draft_start("walls-rounded", seed);
    vx_draft_grid(&draft, VX_SCALE_UNIT, 4, 4, 8);
    int64_t count = vx_random_integer(&draft.random, 1, 2);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        size_t axis = draw_axis(&draft);
        size_t other = 2 - axis;
        int64_t line = vx_random_integer(&draft.random, 0, vx_draft_size(&draft, axis / 2));
        draw_wall(&draft, axis, (double)line, 2, corners);
        /* A lean of one or two steps over some cells: crossings near the first corner round onto
         * the grid line, so that the piece lies in the plane between two cells. At 0 the steps are
         * so small that the footprint underflows. */
        double lean = ldexp((double)vx_random_integer(&draft.random, -2, 2), line == 0   ? -149
                                                                             : line == 1 ? -23
                                                                             : line < 4  ? -22
                                                                                         : -21);
        double span = vx_random_dyadic(&draft.random, -3, 3, 2);
        bool same_place = vx_random_chance(&draft.random, 2, 3);
        for (size_t k = 1; k < 3; k++) {
            double times = same_place ? 1.0 : (double)k;
            corners[k][axis] = (double)line + times * lean;
            corners[k][other] = corners[0][other] + times * span;
        }
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}
