/* SPDX-License-Identifier: MIT */
/* Generated triangles at the ends of the number formats: huge and tiny coordinates, subnormal
 * numbers, degenerate triangles, vertices that must not be looked at (B0.2, B0.5, B0.6, B2.10). */
#include <math.h>

#include "families.h"

static vx_input *rasterized(vx_draft *draft)
{
    vx_draft_rasterize(draft, VX_DEFAULT_SLOPE_COSINE, vx_draft_threshold(draft));
    return vx_draft_finish(draft);
}

vx_input *vx_make_triangles_tall(uint64_t seed)
{
    vx_draft draft = vx_draft_start("triangles-tall", seed);
    int64_t height = vx_random_integer(&draft.random, 60000, VX_HEIGHT_MAX);
    vx_draft_grid_sized(&draft, VX_SCALE_ANY, 3, 3, height);
    int64_t count = vx_random_integer(&draft.random, 2, 3);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        double row = (double)vx_random_integer(&draft.random, -100, height + 100);
        bool level = vx_random_chance(&draft.random, 1, 2);
        for (size_t k = 0; k < 3; k++) {
            vx_draft_point(&draft, 1, 8, corners[k]);
            if (level) {
                /* A few steps of binary32 from a row boundary. */
                int64_t ulps = vx_random_integer(&draft.random, -2, 2);
                corners[k][1] = (double)vx_step_float((float)row, ulps);
            }
        }
        vx_draft_corners(&draft, corners);
    }
    vx_draft_turn(&draft);
    return rasterized(&draft);
}

/* A number near 0: a few multiples of the least subnormal, or one with more bits; either sign. */
static double draw_tiny(vx_draft *draft)
{
    double digits = (double)vx_random_integer(&draft->random, -6, 6);
    int exponent = (int)vx_random_integer(&draft->random, -149, -124);
    if (vx_random_chance(&draft->random, 1, 2)) {
        exponent = -149;
    }
    return ldexp(digits, exponent);
}

vx_input *vx_make_subnormal_coordinates(uint64_t seed)
{
    static const double cells[] = {0x1p-20, 1.0, 1.0, 0x1p20};
    vx_draft draft = vx_draft_start("subnormal-coordinates", seed);
    double cell = VX_CHOICE(&draft.random, cells);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 2, 2, 4);
    draft.input->frame.cell_size = (float)cell;
    int64_t count = vx_random_integer(&draft.random, 2, 3);
    for (int64_t i = 0; i < count; i++) {
        /* A coordinate that is tiny in all corners gives walls on and beside the border or floors
         * on and beside row 0; one that is tiny in some, crossings with it. */
        size_t axis = (size_t)vx_random_integer(&draft.random, 0, 2);
        bool same = vx_random_chance(&draft.random, 1, 2);
        double shared = draw_tiny(&draft);
        for (size_t k = 0; k < 3; k++) {
            double point[3];
            vx_draft_point(&draft, 0, 2, point);
            point[0] *= cell;
            point[2] *= cell;
            bool tiny = vx_random_chance(&draft.random, 3, 4);
            double own = draw_tiny(&draft);
            if (same || tiny) {
                point[axis] = same ? shared : own;
            }
            (void)vx_draft_vertex_world(&draft, point);
        }
        vx_draft_triangle(&draft, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return rasterized(&draft);
}

vx_input *vx_make_subnormal_normals(uint64_t seed)
{
    vx_draft draft = vx_draft_start("subnormal-normals", seed);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 4, 4, 8);
    draft.input->frame.cell_size = VX_CELL_MIN;
    draft.input->frame.cell_height = VX_CELL_MIN;
    int64_t count = vx_random_integer(&draft.random, 2, 4);
    for (int64_t i = 0; i < count; i++) {
        double corner[3];
        for (size_t axis = 0; axis < 3; axis++) {
            double cell = (double)vx_random_integer(&draft.random, 0, 3);
            corner[axis] = ldexp(cell, -20);
        }
        /* Edges of a few 2^-37: the normal is about 2^-74, its squares about 2^-148. */
        int exponent = (int)vx_random_integer(&draft.random, -39, -35);
        for (size_t k = 0; k < 3; k++) {
            double point[3];
            for (size_t axis = 0; axis < 3; axis++) {
                double digits = (double)vx_random_integer(&draft.random, 0, 5);
                point[axis] = corner[axis] + ldexp(digits, exponent);
            }
            (void)vx_draft_vertex_world(&draft, point);
        }
        vx_draft_triangle(&draft, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return rasterized(&draft);
}

vx_input *vx_make_degenerate(uint64_t seed)
{
    vx_draft draft = vx_draft_start("degenerate", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 3, 3, 8);
    for (int64_t i = 0; i < 4; i++) {
        double point[3];
        vx_draft_point(&draft, 1, 3, point);
        (void)vx_draft_vertex(&draft, point[0], point[1], point[2]);
    }
    double *p = draft.vertices;
    double middle[3] = {(p[0] + p[3]) / 2.0, (p[1] + p[4]) / 2.0, (p[2] + p[5]) / 2.0};
    (void)vx_draft_vertex_world(&draft, middle);
    int64_t count = vx_random_integer(&draft.random, 2, 5);
    for (int64_t i = 0; i < count; i++) {
        static const int64_t lines[][3] = {{0, 1, 4}, {4, 0, 1}, {0, 0, 1}, {2, 3, 2},
                                           {1, 1, 1}, {1, 4, 4}, {3, 0, 0}};
        static const int64_t triangles[][3] = {{0, 1, 2}, {2, 3, 4}, {3, 1, 0}};
        bool flat = vx_random_chance(&draft.random, 3, 5);
        int64_t pick = vx_random_integer(&draft.random, 0, flat ? 6 : 2);
        const int64_t *corners = flat ? lines[pick] : triangles[pick];
        vx_draft_triangle(&draft, corners[0], corners[1], corners[2]);
    }
    return rasterized(&draft);
}

vx_input *vx_make_unreferenced(uint64_t seed)
{
    static const double bad[] = {VX_NAN, VX_INFINITY, -VX_INFINITY, 1e300, 2097152.25, -2097153.0};
    vx_draft draft = vx_draft_start("unreferenced", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 4, 4, 8);
    int64_t good[3] = {0};
    size_t found = 0;
    while (found < 3) {
        double point[3];
        vx_draft_point(&draft, 1, 6, point);
        bool spoil = vx_random_chance(&draft.random, 1, 2);
        if (spoil) {
            size_t axis = (size_t)vx_random_integer(&draft.random, 0, 2);
            point[axis] = VX_CHOICE(&draft.random, bad);
            (void)vx_draft_vertex_world(&draft, point);
        } else {
            good[found++] = vx_draft_vertex(&draft, point[0], point[1], point[2]);
        }
    }
    vx_draft_triangle(&draft, good[0], good[1], good[2]);
    vx_draft_turn(&draft);
    return rasterized(&draft);
}

/* Three corners one of which is in the grid; the others are far away in x, in z or in both. */
static void draw_spike(vx_draft *draft, double corners[3][3])
{
    static const double far[] = {-0x1p21, -0x1p20, -1500000.5, 1048577.25, 0x1p21, 0x1p21};
    for (size_t k = 0; k < 3; k++) {
        vx_draft_point(draft, 0, 4, corners[k]);
        for (size_t axis = 0; axis < 3; axis++) {
            double distance = VX_CHOICE(&draft->random, far);
            bool away = k > 0 && vx_random_chance(&draft->random, axis == 1 ? 1 : 3, 4);
            corners[k][axis] = away ? distance : vx_draft_world(draft, axis, corners[k][axis]);
        }
    }
}

/* Three far corners two of which are on opposite sides of a point of the grid: their edge passes
 * it, as far as the rounding of so large numbers lets it, and is clipped on both sides. Half of the
 * triangles are on a row boundary there, so that every rounding counts. */
static void draw_crossing(vx_draft *draft, double corners[3][3])
{
    static const double distances[] = {0x1p4, 0x1p12, 0x1p20, 0x1p20};
    double middle[3];
    double direction[3];
    double distance = VX_CHOICE(&draft->random, distances);
    double rows = vx_random_dyadic(&draft->random, -3, 3, 4);
    bool level = vx_random_chance(&draft->random, 1, 2);
    vx_draft_point(draft, 0, level ? 0 : 4, middle);
    for (size_t axis = 0; axis < 3; axis++) {
        middle[axis] = vx_draft_world(draft, axis, middle[axis]);
        direction[axis] = vx_random_dyadic(&draft->random, -1, 1, 10);
    }
    for (size_t k = 0; k < 3; k++) {
        bool mirrored = level && k == 1;
        double other_distance = VX_CHOICE(&draft->random, distances);
        double other_rows = vx_random_dyadic(&draft->random, -3, 3, 4);
        distance = mirrored || k == 0 ? distance : other_distance;
        rows = mirrored ? -rows : k == 0 ? rows : other_rows;
        for (size_t axis = 0; axis < 3; axis += 2) {
            double aside = vx_random_dyadic(&draft->random, -1, 1, 10);
            double along = k == 0 ? direction[axis] : k == 1 ? -direction[axis] : aside;
            corners[k][axis] = middle[axis] + along * distance;
        }
        corners[k][1] = middle[1] + rows * (double)draft->input->frame.cell_height;
    }
}

/* Three far corners around a grid, on a plane that meets a row boundary over its middle: all edges
 * are far away, and every crossing with a side of the grid is rounded about that boundary. */
static void draw_cover(vx_draft *draft, double corners[3][3])
{
    double middle[3];
    double sum[3] = {0.0, 0.0, 0.0};
    vx_draft_point(draft, 0, 0, middle);
    for (size_t axis = 0; axis < 3; axis++) {
        const vx_frame *frame = &draft->input->frame;
        double unit = axis == 1 ? (double)frame->cell_height : 0x1.8p18;
        middle[axis] = vx_draft_world(draft, axis, middle[axis]);
        for (size_t k = 0; k < 2; k++) {
            double offset = vx_random_dyadic(&draft->random, -2, 2, 10) * unit;
            corners[k][axis] = middle[axis] + offset;
            sum[axis] += offset;
        }
        corners[2][axis] = middle[axis] - sum[axis];
    }
}

vx_input *vx_make_huge_ratio(uint64_t seed)
{
    vx_draft draft = vx_draft_start("huge-ratio", seed);
    vx_draft_grid(&draft, VX_SCALE_UNIT, 4, 4, 12);
    vx_frame *frame = &draft.input->frame;
    frame->cell_size = vx_random_float(&draft.random, -20, -2);
    frame->cell_height = vx_random_float(&draft.random, -20, -2);
    int64_t count = vx_random_integer(&draft.random, 1, 2);
    for (int64_t i = 0; i < count; i++) {
        double corners[3][3];
        int64_t kind = vx_random_integer(&draft.random, 0, 2);
        bool flat = kind < 2 && vx_random_chance(&draft.random, 1, 3);
        if (kind == 0) {
            draw_spike(&draft, corners);
        } else if (kind == 1) {
            draw_crossing(&draft, corners);
        } else {
            draw_cover(&draft, corners);
        }
        for (size_t k = 0; k < 3; k++) {
            corners[k][1] = flat ? corners[0][1] : corners[k][1];
            (void)vx_draft_vertex_world(&draft, corners[k]);
        }
        vx_draft_triangle(&draft, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return rasterized(&draft);
}

vx_input *vx_make_far_origins(uint64_t seed)
{
    static const double far[] = {-1999999.9, -1048576.25, 100000.1, 1234567.8, 1999990.3};
    vx_draft draft = vx_draft_start("far-origins", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 5, 5, 12);
    vx_frame *frame = &draft.input->frame;
    bool at_limit = vx_random_chance(&draft.random, 1, 3);
    for (size_t axis = 0; axis < 3; axis++) {
        bool low = vx_random_chance(&draft.random, 1, 2);
        frame->origin[axis] = VX_CHOICE(&draft.random, far);
        if (at_limit) {
            double size = (double)vx_draft_size(&draft, axis == 0 ? 0 : 3 - axis);
            frame->origin[axis] = 0.0;
            frame->origin[axis] = low ? -VX_COORDINATE_LIMIT
                                      : VX_COORDINATE_LIMIT - vx_draft_world(&draft, axis, size);
        }
    }
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 3; k++) {
            double point[3];
            vx_draft_point(&draft, at_limit ? 0 : 1, 8, point);
            for (size_t axis = 0; axis < 3; axis++) {
                point[axis] = vx_draft_world(&draft, axis, point[axis]);
                point[axis] = fmin(fmax(point[axis], -VX_COORDINATE_LIMIT), VX_COORDINATE_LIMIT);
            }
            (void)vx_draft_vertex_world(&draft, point);
        }
        vx_draft_triangle(&draft, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return rasterized(&draft);
}

vx_input *vx_make_limits(uint64_t seed)
{
    static const double coordinates[] = {-0x1p21, -0x1p21, -0x1p20, 0.0, 0x1p19, 0x1p21, 0x1p21};
    vx_draft draft = vx_draft_start("limits", seed);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 4, 4, 4);
    vx_frame *frame = &draft.input->frame;
    frame->cell_size = VX_CELL_MAX;
    frame->cell_height = VX_CELL_MAX;
    for (size_t axis = 0; axis < 3; axis++) {
        frame->origin[axis] = -VX_COORDINATE_LIMIT;
    }
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < 3 * count; i++) {
        double point[3];
        for (size_t axis = 0; axis < 3; axis++) {
            point[axis] = VX_CHOICE(&draft.random, coordinates);
            if (vx_random_chance(&draft.random, 1, 8)) {
                point[axis] = vx_step_double(point[axis], point[axis] > 0.0 ? -1 : 1);
            }
        }
        (void)vx_draft_vertex_world(&draft, point);
    }
    for (int64_t i = 0; i < count; i++) {
        vx_draft_triangle(&draft, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return rasterized(&draft);
}
