/* SPDX-License-Identifier: MIT */
/* Generated area volumes on compact fields: convex polygons of both windings, corners on cell
 * centres and edges through them, intervals that end on a floor, far origins (B9). */
#include <math.h>

#include "families.h"

enum { EDGES_MAX = 4, CORNERS_MAX = 2 * EDGES_MAX + 2 };

/* A compact field of one or two floors. */
static void draw_field(vx_draft *draft, int64_t layers)
{
    vx_draft_floors(draft, layers, 2, 3, 6, 7);
    vx_draft_step(draft, VX_OP_COMPACT, 2, 2, 0);
}

/* Whether the direction b is counter-clockwise of a; both have y > 0, or y = 0 and x > 0. */
static bool turns_left(const int64_t a[2], const int64_t b[2])
{
    return a[0] * b[1] - a[1] * b[0] > 0;
}

/* A convex polygon of 2·n corners that is symmetric to its centre: n random edge vectors in the
 * order of their directions, then their opposites. Integer coordinates from (0, 0); the count. */
static size_t draw_polygon(vx_draft *draft, int64_t corners[CORNERS_MAX][2])
{
    int64_t edges[EDGES_MAX][2];
    size_t count = (size_t)vx_random_integer(&draft->random, 2, EDGES_MAX);
    for (size_t i = 0; i < count; i++) {
        int64_t edge[2];
        size_t place = i;
        edge[0] = vx_random_integer(&draft->random, -4, 4);
        edge[1] = vx_random_integer(&draft->random, 0, 4);
        edge[0] = edge[1] == 0 && edge[0] <= 0 ? 1 - edge[0] : edge[0];
        for (; place > 0 && turns_left(edge, edges[place - 1]); place--) {
            edges[place][0] = edges[place - 1][0];
            edges[place][1] = edges[place - 1][1];
        }
        edges[place][0] = edge[0];
        edges[place][1] = edge[1];
    }
    corners[0][0] = 0;
    corners[0][1] = 0;
    for (size_t i = 1; i < 2 * count; i++) {
        int64_t sign = i <= count ? 1 : -1;
        corners[i][0] = corners[i - 1][0] + sign * edges[(i - 1) % count][0];
        corners[i][1] = corners[i - 1][1] + sign * edges[(i - 1) % count][1];
    }
    return 2 * count;
}

/* Adds a volume over a polygon of integer corners: start + corner · scale cells, in either
 * winding, sometimes with a corner given twice. */
static void add_polygon(vx_draft *draft, int64_t corners[CORNERS_MAX][2], size_t count,
                        const double start[2], double scale)
{
    double world[2 * CORNERS_MAX] = {0};
    size_t values = 0;
    bool reverse = vx_random_chance(&draft->random, 1, 2);
    for (size_t i = 0; i < count; i++) {
        const int64_t *corner = corners[reverse ? count - 1 - i : i];
        double u = (double)corner[0] * scale;
        double w = (double)corner[1] * scale;
        world[values++] = vx_draft_world(draft, 0, start[0] + u);
        world[values++] = vx_draft_world(draft, 2, start[1] + w);
    }
    if (vx_random_chance(&draft->random, 1, 8)) {
        world[values] = world[values - 2];
        world[values + 1] = world[values - 1];
        values += 2;
    }
    bool bounded = vx_random_chance(&draft->random, 1, 2);
    double low = vx_draft_world(draft, 1, (double)vx_random_integer(&draft->random, 0, 3));
    double high = vx_draft_world(draft, 1, (double)vx_random_integer(&draft->random, 4, 9));
    int64_t area = vx_draft_area(draft);
    vx_draft_volume(draft, world, values / 2, bounded ? low : -VX_INFINITY,
                    bounded ? high : VX_INFINITY, area);
}

vx_input *vx_make_volumes_convex(uint64_t seed)
{
    vx_draft draft = vx_draft_start("volumes-convex", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 5, 5, 14);
    draw_field(&draft, 2);
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        int64_t corners[CORNERS_MAX][2];
        double start[2];
        size_t corner_count = draw_polygon(&draft, corners);
        start[0] = vx_random_dyadic(&draft.random, 0, 4, 8);
        start[1] = vx_random_dyadic(&draft.random, -1, 1, 8);
        double scale = vx_random_dyadic(&draft.random, 0, 1, 5) + 0.125;
        add_polygon(&draft, corners, corner_count, start, scale);
    }
    return vx_draft_finish(&draft);
}

vx_input *vx_make_volumes_edges(uint64_t seed)
{
    vx_draft draft = vx_draft_start("volumes-edges", seed);
    vx_draft_grid(&draft, VX_SCALE_EXACT, 6, 6, 8);
    draw_field(&draft, 1);
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        int64_t corners[CORNERS_MAX][2];
        double start[2];
        size_t corner_count = draw_polygon(&draft, corners);
        /* From a cell's centre in steps of one or half a cell: through other centres. */
        start[0] = (double)vx_random_integer(&draft.random, 0, 4) + 0.5;
        start[1] = (double)vx_random_integer(&draft.random, -1, 2) + 0.5;
        add_polygon(&draft, corners, corner_count, start,
                    vx_random_chance(&draft.random, 1, 2) ? 1.0 : 0.5);
    }
    return vx_draft_finish(&draft);
}

vx_input *vx_make_volumes_heights(uint64_t seed)
{
    vx_draft draft = vx_draft_start("volumes-heights", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 3, 3, 16);
    const double corners[6] = {-2000.0, -2000.0, 3000.0, -2000.0, 0.0, 3000.0};
    draw_field(&draft, 3);
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        double ends[2];
        int64_t row = vx_random_integer(&draft.random, 1, 4);
        for (size_t k = 0; k < 2; k++) {
            /* At a floor, a step of binary64 beside it, or between two. */
            ends[k] = vx_draft_world(&draft, 1, (double)row);
            ends[k] = vx_step_double(ends[k], vx_random_integer(&draft.random, -1, 1));
            if (vx_random_chance(&draft.random, 1, 4)) {
                ends[k] = vx_draft_world(&draft, 1, (double)row + 0.5);
            }
            row += vx_random_integer(&draft.random, 1, 8);
        }
        bool below = vx_random_chance(&draft.random, 1, 8);
        bool above = vx_random_chance(&draft.random, 1, 8);
        int64_t area = vx_draft_area(&draft);
        vx_draft_volume(&draft, corners, 3, below ? -VX_INFINITY : ends[0],
                        above ? VX_INFINITY : ends[1], area);
    }
    return vx_draft_finish(&draft);
}

vx_input *vx_make_volumes_far(uint64_t seed)
{
    static const double far[] = {-2000000.3, -1048576.0, 99999.9, 1500000.7, 2097000.0};
    vx_draft draft = vx_draft_start("volumes-far", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 5, 5, 8);
    draft.input->frame.origin[0] = VX_CHOICE(&draft.random, far);
    draft.input->frame.origin[2] = VX_CHOICE(&draft.random, far);
    draw_field(&draft, 1);
    double centre[2];
    double corners[6];
    int64_t x = vx_random_integer(&draft.random, 0, 4);
    int64_t z = vx_random_integer(&draft.random, 0, 4);
    centre[0] = vx_draft_world(&draft, 0, (double)x + 0.5);
    centre[1] = vx_draft_world(&draft, 2, (double)z + 0.5);
    /* A triangle with an edge through a centre, or a few steps of binary64 beside it. */
    double cell = (double)draft.input->frame.cell_size;
    double du = vx_random_dyadic(&draft.random, 1, 3, 4) * cell;
    double dw = vx_random_dyadic(&draft.random, -3, 3, 4) * cell;
    corners[0] = centre[0] - du;
    corners[1] = centre[1] - dw;
    corners[2] = centre[0] + du;
    corners[3] = centre[1] + dw;
    corners[4] = centre[0] - dw;
    corners[5] = centre[1] + du;
    size_t off = (size_t)vx_random_integer(&draft.random, 0, 5);
    corners[off] = vx_step_double(corners[off], vx_random_integer(&draft.random, -2, 2));
    vx_draft_volume(&draft, corners, 3, -VX_INFINITY, VX_INFINITY, vx_draft_area(&draft));
    return vx_draft_finish(&draft);
}
