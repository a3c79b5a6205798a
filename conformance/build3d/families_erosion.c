/* SPDX-License-Identifier: MIT */
/* Generated compact fields for erosion: flat ones, cliffs, corridors, levels, one-way links,
 * several erosions (B8). */
#include "families.h"

static int64_t draw_radius(vx_draft *draft)
{
    static const int64_t radii[] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 8, VX_RADIUS_MAX};
    return VX_CHOICE_INTEGER(&draft->random, radii);
}

static vx_input *eroded(vx_draft *draft, int64_t height, int64_t climb)
{
    vx_draft_add_spans(draft, 0);
    vx_draft_step(draft, VX_OP_COMPACT, height, climb, 0);
    vx_draft_step(draft, VX_OP_ERODE, 0, 0, draw_radius(draft));
    return vx_draft_finish(draft);
}

vx_input *vx_make_erode_flat(uint64_t seed)
{
    vx_draft draft = vx_draft_start("erode-flat", seed);
    vx_draft_field(&draft, 10, 10, 4);
    int64_t width = vx_draft_size(&draft, 0);
    int64_t holes = vx_random_integer(&draft.random, 0, 8);
    for (int64_t i = 0; i < width * vx_draft_size(&draft, 1); i++) {
        /* Holes, and floors that cannot be walked on: both are boundaries. */
        bool hole = vx_random_chance(&draft.random, holes, 100);
        bool dead = vx_random_chance(&draft.random, holes, 200);
        if (!hole) {
            vx_draft_span(&draft, i % width, i / width, 0, 1, dead ? 0 : VX_AREA_WALKABLE);
        }
    }
    return eroded(&draft, 1, 1);
}

vx_input *vx_make_erode_cliffs(uint64_t seed)
{
    vx_draft draft = vx_draft_start("erode-cliffs", seed);
    vx_draft_field(&draft, 7, 7, 12);
    int64_t width = vx_draft_size(&draft, 0);
    int64_t climb = vx_random_integer(&draft.random, 1, 3);
    int64_t cliff_x = vx_random_integer(&draft.random, 0, width);
    int64_t cliff = vx_random_integer(&draft.random, 0, 3);
    for (int64_t i = 0; i < width * vx_draft_size(&draft, 1); i++) {
        int64_t top = 1 + vx_random_integer(&draft.random, 0, climb);
        bool spike = vx_random_chance(&draft.random, 1, 12);
        top += i % width >= cliff_x ? cliff : 0;
        top += spike ? 4 : 0;
        vx_draft_span(&draft, i % width, i / width, 0, top, VX_AREA_WALKABLE);
    }
    return eroded(&draft, 2, climb);
}

vx_input *vx_make_erode_corridors(uint64_t seed)
{
    vx_draft draft = vx_draft_start("erode-corridors", seed);
    vx_draft_field(&draft, 9, 7, 4);
    int64_t width = vx_draft_size(&draft, 0);
    int64_t period = vx_random_integer(&draft.random, 3, 6);
    int64_t gap_z = vx_random_integer(&draft.random, 0, vx_draft_size(&draft, 1) - 1);
    for (int64_t i = 0; i < width * vx_draft_size(&draft, 1); i++) {
        /* Walls across, each with a gate in the same row. */
        bool wall = i % width % period == period - 1 && i / width != gap_z;
        vx_draft_span(&draft, i % width, i / width, 0, wall ? 4 : 1, VX_AREA_WALKABLE);
    }
    return eroded(&draft, 1, vx_random_chance(&draft.random, 3, 4) ? 2 : 3);
}

vx_input *vx_make_erode_levels(uint64_t seed)
{
    vx_draft draft = vx_draft_start("erode-levels", seed);
    vx_draft_field(&draft, 5, 5, 20);
    int64_t width = vx_draft_size(&draft, 0);
    for (int64_t i = 0; i < width * vx_draft_size(&draft, 1); i++) {
        /* Up to three floors that are two rows thick at most; some columns lack one. */
        for (int64_t level = 0; level < 3; level++) {
            int64_t low = vx_random_integer(&draft.random, 0, 1) + 6 * level;
            bool missing = vx_random_chance(&draft.random, 1, 8);
            if (!missing) {
                vx_draft_span(&draft, i % width, i / width, low, low + 1, VX_AREA_WALKABLE);
            }
        }
    }
    return eroded(&draft, vx_random_integer(&draft.random, 1, 5), 1);
}

vx_input *vx_make_erode_one_way(uint64_t seed)
{
    vx_draft draft = vx_draft_start("erode-one-way", seed);
    vx_draft_field(&draft, 8, 7, 16);
    int64_t width = vx_draft_size(&draft, 0);
    int64_t climb = vx_random_integer(&draft.random, 3, 8);
    for (int64_t i = 0; i < width * vx_draft_size(&draft, 1); i++) {
        /* One floor, or two thin ones close together: from above both the lower and the upper of
         * them fit, and the lower is taken; it does not lead back. */
        int64_t low = vx_random_integer(&draft.random, 0, 3);
        bool two = vx_random_chance(&draft.random, 2, 3);
        vx_draft_span(&draft, i % width, i / width, low, low + 1, VX_AREA_WALKABLE);
        if (two) {
            int64_t above = vx_random_integer(&draft.random, 1, 3);
            vx_draft_span(&draft, i % width, i / width, low + 1 + above, low + 2 + above,
                          VX_AREA_WALKABLE);
        }
    }
    return eroded(&draft, 1, climb);
}

vx_input *vx_make_erode_repeated(uint64_t seed)
{
    vx_draft draft = vx_draft_start("erode-repeated", seed);
    vx_draft_field(&draft, 9, 9, 4);
    int64_t width = vx_draft_size(&draft, 0);
    for (int64_t i = 0; i < width * vx_draft_size(&draft, 1); i++) {
        bool hole = vx_random_chance(&draft.random, 1, 40);
        vx_draft_span(&draft, i % width, i / width, 0, hole ? 4 : 1, VX_AREA_WALKABLE);
    }
    vx_draft_add_spans(&draft, 0);
    vx_draft_step(&draft, VX_OP_COMPACT, 1, 1, 0);
    int64_t count = vx_random_integer(&draft.random, 2, 3);
    for (int64_t i = 0; i < count; i++) {
        int64_t radius = vx_random_integer(&draft.random, 0, 2);
        vx_draft_step(&draft, VX_OP_ERODE, 0, 0, radius);
        if (vx_random_chance(&draft.random, 1, 3)) {
            const double min[2] = {2.0, 2.0};
            const double max[2] = {5.0, 4.0};
            vx_draft_rectangle(&draft, min, max, vx_draft_area(&draft));
        }
    }
    return vx_draft_finish(&draft);
}
