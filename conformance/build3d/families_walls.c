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

vx_input *vx_make_walls_collapsing(uint64_t seed)
{
    vx_draft draft = vx_draft_start("walls-collapsing", seed);
    vx_draft_grid(&draft, VX_SCALE_UNIT, 5, 5, 8);
    /* Just below a power of two there are more numbers than just above 1: a division by such a
     * cell size makes neighbours equal. */
    float cell_size = vx_step_float(2.0f, -vx_random_integer(&draft.random, 1, 1 << 20));
    draft.input->frame.cell_size = cell_size;
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        size_t axis = draw_axis(&draft);
        int64_t line = vx_random_integer(&draft.random, 0, vx_draft_size(&draft, axis / 2));
        double level = vx_random_dyadic(&draft.random, 0, 7, 1);
        bool flat = vx_random_chance(&draft.random, 1, 4);
        for (size_t k = 0; k < 3; k++) {
            double point[3];
            vx_draft_point(&draft, 1, 4, point);
            point[0] = vx_draft_world(&draft, 0, point[0]);
            point[2] = vx_draft_world(&draft, 2, point[2]);
            float local = (float)line * cell_size;
            int64_t ulps = vx_random_integer(&draft.random, -1, 1);
            point[axis] = (double)vx_step_float(local, line > 0 ? ulps : 0);
            /* In binary64 a little further: gone in the rounding to binary32. */
            point[axis] = vx_step_double(point[axis], vx_random_integer(&draft.random, -3, 3));
            point[1] = flat ? level : point[1];
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
        /* A lean of so little that the footprint underflows to 0 or is exactly 0, one corner on
         * the grid line: the piece beyond it lies in the grid plane. */
        int exponent = line == 0 ? -149 : -22;
        double lean = ldexp((double)vx_random_integer(&draft.random, -2, 2), exponent);
        corners[1][axis] += lean;
        corners[2][axis] += vx_random_chance(&draft.random, 1, 2) ? lean : -lean;
        if (vx_random_chance(&draft.random, 1, 2)) {
            corners[1][other] = corners[0][other] + 0.5;
            corners[2][other] = corners[0][other] + 0.5;
        }
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}
