/* SPDX-License-Identifier: MIT */
/* Generated triangles: how they lie in the grid, and where binary32 runs out (B1.7, B1.8, B2). */
#include <math.h>

#include "families.h"

/* The mesh becomes a step with a slope and a threshold that are drawn, and the case is done. */
static vx_input *rasterized(vx_draft *draft)
{
    float slope_cosine = vx_draft_slope(draft);
    int64_t merge_threshold = vx_draft_threshold(draft);
    vx_draft_rasterize(draft, slope_cosine, merge_threshold);
    return vx_draft_finish(draft);
}

vx_input *vx_make_triangles_random(uint64_t seed)
{
    vx_draft draft = vx_draft_start("triangles-random", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 6, 6, 16);
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        for (size_t k = 0; k < 3; k++) {
            vx_draft_point(&draft, 1, 20, corners[k]);
        }
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}

vx_input *vx_make_triangles_snapped(uint64_t seed)
{
    static const double powers[] = {-1.0, -0.5, 0.0, 0.125, 0.25, 0.5, 1.0, 2.0, 2.0, 4.0, 4.0};
    vx_draft draft = vx_draft_start("triangles-snapped", seed);
    vx_draft_grid(&draft, VX_SCALE_EXACT, 6, 6, 12);
    int64_t count = vx_random_integer(&draft.random, 2, 4);
    int bits = (int)vx_random_integer(&draft.random, 0, 3);
    bool only_powers = vx_random_chance(&draft.random, 1, 4);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        for (size_t k = 0; k < 9; k++) {
            double *corner = corners[k / 3];
            if (only_powers) {
                corner[k % 3] = VX_CHOICE(&draft.random, powers);
            } else if (k % 3 == 0) {
                vx_draft_point(&draft, 1, bits, corner);
            }
        }
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}

vx_input *vx_make_triangles_planes(uint64_t seed)
{
    vx_draft draft = vx_draft_start("triangles-planes", seed);
    vx_draft_grid(&draft, VX_SCALE_EXACT, 6, 6, 12);
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        for (size_t k = 0; k < 9; k++) {
            double *corner = corners[k / 3];
            if (k % 3 == 0) {
                vx_draft_point(&draft, 1, 20, corner);
            }
            if (vx_random_chance(&draft.random, 5, 8)) {
                corner[k % 3] = floor(corner[k % 3]);
            }
        }
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}

vx_input *vx_make_triangles_shared(uint64_t seed)
{
    vx_draft draft = vx_draft_start("triangles-shared", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 5, 5, 12);
    int64_t own = vx_random_integer(&draft.random, 3, 5);
    int64_t copies = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < own + copies; i++) {
        double point[3];
        if (i < own) {
            vx_draft_point(&draft, 1, 12, point);
            (void)vx_draft_vertex(&draft, point[0], point[1], point[2]);
            continue;
        }
        int64_t original = vx_random_integer(&draft.random, 0, own - 1);
        for (size_t axis = 0; axis < 3; axis++) {
            float near = (float)draft.vertices[3 * original + (int64_t)axis];
            point[axis] = (double)vx_step_float(near, vx_random_integer(&draft.random, -2, 2));
        }
        (void)vx_draft_vertex_world(&draft, point);
    }
    int64_t count = vx_random_integer(&draft.random, 3, 5);
    for (int64_t i = 0; i < count; i++) {
        int64_t corners[3];
        for (size_t k = 0; k < 3; k++) {
            corners[k] = vx_random_integer(&draft.random, 0, own + copies - 1);
        }
        vx_draft_triangle(&draft, corners[0], corners[1], corners[2]);
    }
    return rasterized(&draft);
}

vx_input *vx_make_triangles_orders(uint64_t seed)
{
    static const int64_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                         {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    vx_draft draft = vx_draft_start("triangles-orders", seed);
    double corners[3][3];
    vx_draft_grid_sized(&draft, VX_SCALE_ANY, 3, 3, 7);
    for (size_t k = 0; k < 3; k++) {
        vx_draft_point(&draft, 1, 20, corners[k]);
    }
    /* One above the other, so that no two of them merge. */
    draft.input->frame.size[2] = 64;
    for (size_t i = 0; i < 6; i++) {
        double low = 10.0 * (double)i;
        for (size_t k = 0; k < 3; k++) {
            (void)vx_draft_vertex(&draft, corners[k][0], corners[k][1] + low, corners[k][2]);
        }
        int64_t first = 3 * (int64_t)i;
        vx_draft_triangle(&draft, first + orders[i][0], first + orders[i][1], first + orders[i][2]);
    }
    return rasterized(&draft);
}

vx_input *vx_make_triangles_areas(uint64_t seed)
{
    vx_draft draft = vx_draft_start("triangles-areas", seed);
    vx_draft_grid(&draft, VX_SCALE_EXACT, 4, 4, 12);
    int64_t steps = vx_random_integer(&draft.random, 1, 2);
    for (int64_t step = 0; step < steps; step++) {
        int64_t count = vx_random_integer(&draft.random, 2, 4);
        for (int64_t i = 0; i < count; i++) {
            double corners[3][3];
            double low = vx_random_dyadic(&draft.random, 1, 8, 1);
            for (size_t k = 0; k < 3; k++) {
                vx_draft_point(&draft, 1, 2, corners[k]);
                corners[k][1] = low + vx_random_dyadic(&draft.random, 0, 1, 2);
            }
            vx_draft_corners(&draft, corners);
        }
        vx_draft_rasterize_areas(&draft, vx_draft_threshold(&draft));
    }
    return vx_draft_finish(&draft);
}

/* Whether the area that a slope gives (B2.9, B2.11) is another one when the squares are added in
 * another order, or when len is taken in binary64. */
static bool decides(const float n[3], float len, float slope_cosine)
{
    float other = sqrtf(n[0] * n[0] + (n[1] * n[1] + n[2] * n[2]));
    double x = (double)n[0];
    double y = (double)n[1];
    double z = (double)n[2];
    float wide = (float)sqrt(x * x + y * y + z * z);
    bool walks = n[1] > slope_cosine * len;
    return walks != (n[1] > slope_cosine * other) || walks != (n[1] > slope_cosine * wide);
}

/* Draws a triangle and a slope at its own or a step of binary32 beside it: the first of some in
 * which the way of computing len decides. */
static float draw_decisive_slope(vx_draft *draft, double corners[3][3])
{
    float slope_cosine = 0.0f;
    bool found = false;
    for (int tries = 0; tries < 32 && !found; tries++) {
        float n[3];
        for (size_t k = 0; k < 3; k++) {
            vx_draft_point(draft, 0, 14, corners[k]);
        }
        /* At unit scale cells are world coordinates. */
        float len = vx_draft_normal(draft, corners, n);
        slope_cosine = len > 0.0f ? n[1] / len : 0.0f;
        slope_cosine = vx_step_float(slope_cosine, vx_random_integer(&draft->random, -1, 1));
        found = decides(n, len, slope_cosine);
    }
    return slope_cosine;
}

vx_input *vx_make_slopes(uint64_t seed)
{
    static const double extremes[] = {-0x1.fffffep127, -1.0,          -0.5, -0x1p-149,    0.0,
                                      0x1p-149,        0x1.fffffep-1, 1.0,  0x1.000002p0, 2.0,
                                      0x1.fffffep127};
    vx_draft draft = vx_draft_start("slopes", seed);
    vx_draft_grid(&draft, VX_SCALE_UNIT, 5, 5, 12);
    double corners[3][3];
    float slope_cosine = VX_DEFAULT_SLOPE_COSINE;
    int64_t kind = vx_random_integer(&draft.random, 0, 3);
    if (kind <= 1) {
        slope_cosine = draw_decisive_slope(&draft, corners);
    } else {
        for (size_t k = 0; k < 3; k++) {
            vx_draft_point(&draft, 0, 3, corners[k]);
            if (kind == 2) {
                /* Planes that rise as fast as they run: 45 degrees, where the default decides. */
                corners[k][1] = corners[k][0];
            }
        }
    }
    if (kind == 3) {
        slope_cosine = (float)VX_CHOICE(&draft.random, extremes);
    }
    vx_draft_corners(&draft, corners);
    if (kind >= 2) {
        vx_draft_turn(&draft);
    }
    vx_draft_rasterize(&draft, slope_cosine, vx_draft_threshold(&draft));
    return vx_draft_finish(&draft);
}

vx_input *vx_make_horizontal(uint64_t seed)
{
    vx_draft draft = vx_draft_start("horizontal", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 4, 4, 8);
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        double row = (double)vx_random_integer(&draft.random, 0, vx_draft_size(&draft, 2));
        if (vx_random_chance(&draft.random, 1, 4)) {
            row = (double)vx_step_float((float)row, vx_random_integer(&draft.random, -1, 1));
        }
        for (size_t k = 0; k < 3; k++) {
            vx_draft_point(&draft, 1, 2, corners[k]);
            corners[k][1] = row;
        }
        if (vx_random_chance(&draft.random, 1, 4)) {
            corners[0][1] += vx_random_dyadic(&draft.random, -1, 1, 1);
        }
        vx_draft_corners(&draft, corners);
    }
    vx_draft_turn(&draft);
    return rasterized(&draft);
}

/* a, b and a third corner near the line through them: off by 2^-bits times −1 … 1 in u and w. */
static void draw_thin_triangle(vx_draft *draft, int bits, double corners[3][3])
{
    vx_draft_point(draft, 1, 12, corners[0]);
    vx_draft_point(draft, 1, 12, corners[1]);
    vx_draft_point(draft, 1, 12, corners[2]);
    double t = vx_random_dyadic(&draft->random, -1, 2, 8);
    for (size_t axis = 0; axis < 3; axis += 2) {
        double along = (corners[1][axis] - corners[0][axis]) * t;
        double aside = vx_random_dyadic(&draft->random, -1, 1, 2);
        corners[2][axis] = corners[0][axis] + along;
        corners[2][axis] += ldexp(aside, -bits);
    }
}

vx_input *vx_make_near_vertical(uint64_t seed)
{
    vx_draft draft = vx_draft_start("near-vertical", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 5, 5, 24);
    int64_t count = vx_random_integer(&draft.random, 1, 2);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        draw_thin_triangle(&draft, (int)vx_random_integer(&draft.random, 2, 12), corners);
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}

/* Whether the footprint of B2.12 is 0 from one corner and not from another. */
static bool corner_decides(double corners[3][3])
{
    int zeros = 0;
    for (size_t k = 0; k < 3; k++) {
        const double *a = corners[k];
        const double *b = corners[(k + 1) % 3];
        const double *c = corners[(k + 2) % 3];
        float area = ((float)b[0] - (float)a[0]) * ((float)c[2] - (float)a[2]) -
                     ((float)b[2] - (float)a[2]) * ((float)c[0] - (float)a[0]);
        zeros += area == 0.0f;
    }
    return zeros == 1 || zeros == 2;
}

/* A sliver within the first cell, where coordinates are finest: as thin as the rounding of its
 * area, if some tries find one for which the first corner decides. */
static void draw_finest_sliver(vx_draft *draft, double corners[3][3])
{
    bool found = false;
    for (int tries = 0; tries < 32 && !found; tries++) {
        double t = vx_random_dyadic(&draft->random, 0, 1, 6);
        for (size_t k = 0; k < 3; k++) {
            corners[k][0] = vx_random_dyadic(&draft->random, 0, 1, 24);
            corners[k][1] = vx_random_dyadic(&draft->random, 0, 7, 2);
            corners[k][2] = vx_random_dyadic(&draft->random, 0, 1, 24) / 16.0;
        }
        for (size_t axis = 0; axis < 3; axis += 2) {
            double along = (corners[1][axis] - corners[0][axis]) * t;
            float on_line = (float)(corners[0][axis] + along);
            int64_t ulps = vx_random_integer(&draft->random, -1, 1);
            corners[2][axis] = (double)vx_step_float(on_line, ulps);
        }
        found = corner_decides(corners);
    }
}

vx_input *vx_make_slivers(uint64_t seed)
{
    vx_draft draft = vx_draft_start("slivers", seed);
    vx_draft_grid(&draft, VX_SCALE_EXACT, 6, 6, 8);
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        if (vx_random_chance(&draft.random, 1, 2)) {
            draw_finest_sliver(&draft, corners);
        } else {
            draw_thin_triangle(&draft, (int)vx_random_integer(&draft.random, 16, 24), corners);
        }
        /* Flat ones face up or down, so that lo = hi and the area of pieces meet. */
        if (vx_random_chance(&draft.random, 1, 3)) {
            corners[0][1] = floor(corners[0][1]);
            corners[1][1] = corners[0][1];
            corners[2][1] = corners[0][1];
        }
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}

vx_input *vx_make_slivers_ulp(uint64_t seed)
{
    vx_draft draft = vx_draft_start("slivers-ulp", seed);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 300, 6, 8);
    double start = (double)vx_random_integer(&draft.random, 0, 290);
    double corners[3][3];
    for (size_t k = 0; k < 2; k++) {
        corners[k][0] = (double)(float)(start + vx_random_dyadic(&draft.random, 0, 8, 16));
        corners[k][1] = vx_random_dyadic(&draft.random, 0, 7, 4);
        corners[k][2] = vx_random_dyadic(&draft.random, 0, 6, 20);
    }
    double t = vx_random_dyadic(&draft.random, 0, 1, 4);
    corners[2][1] = vx_random_dyadic(&draft.random, 0, 7, 4);
    for (size_t axis = 0; axis < 3; axis += 2) {
        double along = (corners[1][axis] - corners[0][axis]) * t;
        float on_line = (float)(corners[0][axis] + along);
        /* Along u a step is coarse: mostly the finer steps along w decide. */
        bool exact = axis == 0 && vx_random_chance(&draft.random, 3, 4);
        int64_t ulps = vx_random_integer(&draft.random, -2, 2);
        corners[2][axis] = (double)vx_step_float(on_line, exact ? 0 : ulps);
    }
    vx_draft_corners(&draft, corners);
    /* The same from another corner: which one comes first can decide. */
    vx_draft_triangle(&draft, 1, 2, 0);
    return rasterized(&draft);
}

/* A few steps of binary32 beside a plane between cells. */
static double draw_near_plane(vx_draft *draft, int64_t plane, int64_t steps)
{
    int64_t ulps = vx_random_integer(&draft->random, -steps, steps);
    return (double)vx_step_float((float)plane, ulps);
}

vx_input *vx_make_slivers_planes(uint64_t seed)
{
    vx_draft draft = vx_draft_start("slivers-planes", seed);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 10, 10, 200);
    int64_t count = vx_random_integer(&draft.random, 2, 5);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        size_t across = vx_random_chance(&draft.random, 1, 2) ? 0 : 2;
        int64_t plane = vx_random_integer(&draft.random, 1, 9);
        double level = vx_random_dyadic(&draft.random, 0, 199, 0);
        for (size_t k = 0; k < 3; k++) {
            bool is_level = vx_random_chance(&draft.random, 1, 3);
            int64_t other = vx_random_integer(&draft.random, 1, 9);
            corners[k][across] = draw_near_plane(&draft, plane, 5);
            corners[k][2 - across] = draw_near_plane(&draft, other, 1);
            corners[k][1] = is_level ? level : vx_random_dyadic(&draft.random, 0, 199, 2);
        }
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}

vx_input *vx_make_clipped(uint64_t seed)
{
    vx_draft draft = vx_draft_start("clipped", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 4, 4, 10);
    int64_t count = vx_random_integer(&draft.random, 2, 3);
    int64_t margin = vx_random_integer(&draft.random, 2, 9);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        for (size_t k = 0; k < 3; k++) {
            vx_draft_point(&draft, margin, 16, corners[k]);
            corners[k][1] = vx_random_dyadic(&draft.random, -4, 14, 8);
        }
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}

vx_input *vx_make_border(uint64_t seed)
{
    vx_draft draft = vx_draft_start("border", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 5, 5, 20);
    int64_t count = vx_random_integer(&draft.random, 2, 4);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        size_t axis = vx_random_chance(&draft.random, 1, 2) ? 0 : 2;
        double size = (double)vx_draft_size(&draft, axis / 2);
        bool far_side = vx_random_chance(&draft.random, 1, 2);
        for (size_t k = 0; k < 3; k++) {
            /* Inside by up to a cell, outside by up to three; steep more often than flat. */
            double inside = vx_random_dyadic(&draft.random, k == 0 ? 0 : -3, 1, 10);
            vx_draft_point(&draft, 2, 10, corners[k]);
            corners[k][axis] = far_side ? size - inside : inside;
        }
        vx_draft_corners(&draft, corners);
    }
    return rasterized(&draft);
}
