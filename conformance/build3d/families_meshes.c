/* SPDX-License-Identifier: MIT */
/* Generated meshes: closed solids, fans, strips, ramps, stairs, crowds of triangles (B2, B3). */
#include <math.h>

#include "families.h"

static vx_input *rasterized(vx_draft *draft)
{
    vx_draft_rasterize(draft, VX_DEFAULT_SLOPE_COSINE, vx_draft_threshold(draft));
    return vx_draft_finish(draft);
}

vx_input *vx_make_boxes(uint64_t seed)
{
    vx_draft draft = vx_draft_start("boxes", seed);
    vx_draft_grid(&draft, VX_SCALE_EXACT, 5, 5, 10);
    int64_t count = vx_random_integer(&draft.random, 1, 2);
    int bits = vx_random_chance(&draft.random, 1, 2) ? 0 : 2;
    for (int64_t i = 0; i < count; i++) {
        double min[3];
        double max[3];
        vx_draft_point(&draft, 0, bits, min);
        for (size_t axis = 0; axis < 3; axis++) {
            min[axis] -= 1.0;
            max[axis] = min[axis] + vx_random_dyadic(&draft.random, 1, 3, bits);
        }
        vx_draft_box(&draft, min, max);
    }
    return rasterized(&draft);
}

vx_input *vx_make_boxes_rotated(uint64_t seed)
{
    static const double turns[][3] = {{3.0, 4.0, 5.0},   {4.0, 3.0, 5.0},   {5.0, 12.0, 13.0},
                                      {15.0, 8.0, 17.0}, {7.0, 24.0, 25.0}, {1.0, 1.0, 1.0}};
    vx_draft draft = vx_draft_start("boxes-rotated", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 5, 5, 10);
    double center[3];
    vx_draft_point(&draft, 0, 2, center);
    const double *turn = turns[vx_random_integer(&draft.random, 0, 5)];
    double length = vx_random_dyadic(&draft.random, 1, 2, 2);
    double width = vx_random_dyadic(&draft.random, 1, 2, 2);
    double height = vx_random_dyadic(&draft.random, 1, 4, 2);
    double along[2] = {length * turn[0] / turn[2], length * turn[1] / turn[2]};
    double aside[2] = {-width * turn[1] / turn[2], width * turn[0] / turn[2]};
    double polygon[4][2];
    for (size_t i = 0; i < 4; i++) {
        /* (−, −), (+, −), (+, +), (−, +) */
        double s = i == 1 || i == 2 ? 0.5 : -0.5;
        double t = i >= 2 ? 0.5 : -0.5;
        for (size_t k = 0; k < 2; k++) {
            double a = along[k] * s;
            double b = aside[k] * t;
            polygon[i][k] = center[2 * k] + (a + b);
        }
    }
    vx_draft_prism(&draft, polygon, 4, center[1], center[1] + height, 1.0);
    return rasterized(&draft);
}

vx_input *vx_make_solids(uint64_t seed)
{
    /* Counter-clockwise; corner 0 is where pyramids have their tip. */
    static const double shapes[][6][2] = {{{0, 0}, {2, 0}, {1, 2}},
                                          {{1, 0}, {2, 1}, {1, 2}, {0, 1}},
                                          {{0, 0}, {2, 0}, {3, 1}, {2, 2}, {0, 2}},
                                          {{1, 0}, {2, 0}, {3, 1}, {2, 2}, {1, 2}, {0, 1}}};
    static const size_t counts[] = {3, 4, 5, 6};
    static const double tops[] = {0.0, 0.5, 1.0, 1.0, 1.5};
    vx_draft draft = vx_draft_start("solids", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 5, 5, 12);
    double start[3];
    vx_draft_point(&draft, 0, 3, start);
    size_t shape = (size_t)vx_random_integer(&draft.random, 0, 3);
    double scale = vx_random_dyadic(&draft.random, 0, 1, 3) + 0.5;
    double height = vx_random_dyadic(&draft.random, 0, 6, 2) + 0.25;
    double polygon[6][2];
    for (size_t i = 0; i < counts[shape]; i++) {
        double du = shapes[shape][i][0] * scale;
        double dw = shapes[shape][i][1] * scale;
        polygon[i][0] = start[0] - 1.0 + du;
        polygon[i][1] = start[2] - 1.0 + dw;
    }
    double top = VX_CHOICE(&draft.random, tops);
    vx_draft_prism(&draft, polygon, counts[shape], start[1] - 1.0, start[1] - 1.0 + height, top);
    return rasterized(&draft);
}

vx_input *vx_make_fans(uint64_t seed)
{
    static const double rim[8][2] = {{2, 0},  {2, 2},   {0, 2},  {-2, 2},
                                     {-2, 0}, {-2, -2}, {0, -2}, {2, -2}};
    vx_draft draft = vx_draft_start("fans", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 5, 5, 12);
    double tip[3];
    vx_draft_point(&draft, 0, 4, tip);
    int64_t count = vx_random_integer(&draft.random, 3, 6);
    (void)vx_draft_vertex(&draft, tip[0], tip[1], tip[2]);
    for (int64_t i = 0; i < count; i++) {
        double v = tip[1] + vx_random_dyadic(&draft.random, -4, 2, 4);
        double jitter = vx_random_dyadic(&draft.random, -1, 1, 6);
        (void)vx_draft_vertex(&draft, tip[0] + rim[i][0] + jitter, v, tip[2] + rim[i][1]);
    }
    for (int64_t i = 1; i < count; i++) {
        vx_draft_triangle(&draft, 0, i + 1, i);
    }
    return rasterized(&draft);
}

vx_input *vx_make_strips(uint64_t seed)
{
    vx_draft draft = vx_draft_start("strips", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 6, 6, 12);
    double u = vx_random_dyadic(&draft.random, -1, 3, 3);
    double w = vx_random_dyadic(&draft.random, 0, 3, 3);
    double v = vx_random_dyadic(&draft.random, 0, 8, 3);
    int64_t count = vx_random_integer(&draft.random, 4, 7);
    for (int64_t i = 0; i < count; i++) {
        double width = vx_random_dyadic(&draft.random, 0, 2, 4);
        (void)vx_draft_vertex(&draft, u, v, i % 2 == 0 ? w : w + width);
        u += vx_random_dyadic(&draft.random, 0, 1, 4);
        v += vx_random_dyadic(&draft.random, -1, 1, 4);
        if (i >= 2) {
            vx_draft_triangle(&draft, i - 2, i % 2 == 0 ? i - 1 : i, i % 2 == 0 ? i : i - 1);
        }
    }
    return rasterized(&draft);
}

vx_input *vx_make_ramps(uint64_t seed)
{
    static const double rises[] = {0.0, 0.25, 0.5, 0.999, 1.0, 1.001, 1.5, 3.0};
    vx_draft draft = vx_draft_start("ramps", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 6, 4, 14);
    bool steep_cells = vx_random_chance(&draft.random, 1, 2);
    double start[3];
    vx_draft_point(&draft, 0, 2, start);
    double length = vx_random_dyadic(&draft.random, 1, 5, 2);
    double width = vx_random_dyadic(&draft.random, 1, 2, 2);
    double rise = length * VX_CHOICE(&draft.random, rises);
    const vx_frame *frame = &draft.input->frame;
    if (!steep_cells) {
        /* As steep in the world as in cells. */
        rise = rise * (double)frame->cell_size / (double)frame->cell_height;
    }
    double u0 = start[0] - length / 2.0;
    double w0 = start[2] - width / 2.0;
    int64_t a = vx_draft_vertex(&draft, u0, start[1], w0);
    (void)vx_draft_vertex(&draft, u0, start[1], w0 + width);
    (void)vx_draft_vertex(&draft, u0 + length, start[1] + rise, w0 + width);
    (void)vx_draft_vertex(&draft, u0 + length, start[1] + rise, w0);
    vx_draft_quad(&draft, a, a + 1, a + 2, a + 3);
    return rasterized(&draft);
}

vx_input *vx_make_stairs(uint64_t seed)
{
    vx_draft draft = vx_draft_start("stairs", seed);
    vx_draft_grid(&draft, VX_SCALE_EXACT, 8, 5, 16);
    double tread = vx_random_dyadic(&draft.random, 0, 1, 2) + 0.75;
    double rise = vx_random_dyadic(&draft.random, 0, 3, 1) + 0.5;
    double depth = (double)vx_draft_size(&draft, 1);
    int64_t count = vx_random_integer(&draft.random, 2, 4);
    for (int64_t i = 0; i < count; i++) {
        double step = (double)i;
        const double min[3] = {tread * step, 0.0, 0.0};
        const double max[3] = {tread * (step + 1.0), rise * (step + 1.0), depth};
        vx_draft_box(&draft, min, max);
    }
    int64_t climb = vx_random_integer(&draft.random, 0, 4);
    vx_draft_rasterize(&draft, VX_DEFAULT_SLOPE_COSINE, climb);
    if (vx_random_chance(&draft.random, 1, 2)) {
        vx_draft_filters(&draft, vx_random_integer(&draft.random, 1, 6), climb);
    }
    return vx_draft_finish(&draft);
}

vx_input *vx_make_crowds(uint64_t seed)
{
    vx_draft draft = vx_draft_start("crowds", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 16, 16, 40);
    int64_t count = vx_random_integer(&draft.random, 6, 12);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        double middle[3];
        vx_draft_point(&draft, 0, 4, middle);
        for (size_t k = 0; k < 3; k++) {
            for (size_t axis = 0; axis < 3; axis++) {
                double offset = vx_random_dyadic(&draft.random, -3, 3, 10);
                corners[k][axis] = middle[axis] + offset;
            }
        }
        vx_draft_corners(&draft, corners);
    }
    vx_draft_turn(&draft);
    return rasterized(&draft);
}
