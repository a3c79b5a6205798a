/* SPDX-License-Identifier: MIT */
/* Generated fields of spans for the filters and for the links of the compact heightfield (B6, B7).
 */
#include "families.h"

vx_input *vx_make_low_hanging(uint64_t seed)
{
    vx_draft draft = vx_draft_start("low-hanging", seed);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 3, 2, 40);
    int64_t climb = vx_random_integer(&draft.random, 0, 5);
    for (int64_t column = 0; column < 6; column++) {
        int64_t count = vx_random_integer(&draft.random, 2, 5);
        int64_t top = vx_random_integer(&draft.random, 1, 3);
        for (int64_t i = 0; i < count; i++) {
            bool walks = vx_random_chance(&draft.random, 1, 3);
            int64_t area = vx_random_integer(&draft.random, 1, VX_AREA_MAX);
            vx_draft_span(&draft, column % 3, column / 3, top - 1, top, walks ? area : 0);
            /* From top to top: two rows at least, around the climb. */
            int64_t up = climb + vx_random_integer(&draft.random, -1, 1);
            top += up < 2 ? 2 : up;
        }
    }
    vx_draft_add_spans(&draft, 0);
    if (vx_random_chance(&draft.random, 1, 10)) {
        climb = VX_ROWS_MAX;
    }
    vx_draft_step(&draft, VX_OP_LOW_HANGING, 0, climb, 0);
    return vx_draft_finish(&draft);
}

vx_input *vx_make_ledges(uint64_t seed)
{
    vx_draft draft = vx_draft_start("ledges", seed);
    vx_draft_field(&draft, 5, 5, 24);
    int64_t height = vx_random_integer(&draft.random, 1, 6);
    int64_t climb = vx_random_integer(&draft.random, 0, 4);
    /* The highest and the lowest floor of a level field differ by about the climb. */
    vx_draft_floors(&draft, 2, climb + 2, height - 1, height + 2, 6);
    vx_draft_step(&draft, VX_OP_LEDGES, height, climb, 0);
    return vx_draft_finish(&draft);
}

vx_input *vx_make_ledges_steep(uint64_t seed)
{
    static const int64_t heights[] = {1, 2, 10, 40, VX_ROWS_MAX};
    static const int64_t climbs[] = {0, 1, 3, 4, 30, VX_ROWS_MAX};
    vx_draft draft = vx_draft_start("ledges-steep", seed);
    vx_draft_field(&draft, 6, 4, 40);
    int64_t rise = vx_random_integer(&draft.random, -3, 3);
    int64_t tilt = vx_random_integer(&draft.random, -2, 2);
    int64_t width = vx_draft_size(&draft, 0);
    for (int64_t i = 0; i < width * vx_draft_size(&draft, 1); i++) {
        /* A plane with some noise, and a roof over some of it. */
        int64_t x = i % width;
        int64_t z = i / width;
        int64_t noise = vx_random_integer(&draft.random, 0, 2);
        int64_t top = 16 + x * rise + z * tilt + noise;
        bool roof = vx_random_chance(&draft.random, 1, 4);
        bool hole = vx_random_chance(&draft.random, 1, 10);
        int64_t low = top < 1 ? 1 : top > 33 ? 33 : top;
        if (!hole) {
            vx_draft_span(&draft, x, z, 0, low, VX_AREA_WALKABLE);
        }
        if (roof) {
            vx_draft_span(&draft, x, z, low + 3, low + 5, vx_draft_area(&draft));
        }
    }
    vx_draft_add_spans(&draft, 0);
    int64_t height = VX_CHOICE_INTEGER(&draft.random, heights);
    vx_draft_step(&draft, VX_OP_LEDGES, height, VX_CHOICE_INTEGER(&draft.random, climbs), 0);
    return vx_draft_finish(&draft);
}

vx_input *vx_make_low_height(uint64_t seed)
{
    vx_draft draft = vx_draft_start("low-height", seed);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 3, 2, 48);
    int64_t height = vx_random_integer(&draft.random, 1, 12);
    vx_draft_floors(&draft, 4, 2, height > 2 ? height - 2 : 1, height + 1, 6);
    if (vx_random_chance(&draft.random, 1, 10)) {
        height = VX_ROWS_MAX;
    }
    vx_draft_step(&draft, VX_OP_LOW_HEIGHT, height, 0, 0);
    return vx_draft_finish(&draft);
}

vx_input *vx_make_filter_chains(uint64_t seed)
{
    static const vx_op filters[] = {VX_OP_LOW_HANGING, VX_OP_LEDGES, VX_OP_LOW_HEIGHT};
    vx_draft draft = vx_draft_start("filter-chains", seed);
    vx_draft_field(&draft, 5, 5, 20);
    vx_draft_floors(&draft, 3, 3, 1, 6, 5);
    int64_t count = vx_random_integer(&draft.random, 2, 4);
    for (int64_t i = 0; i < count; i++) {
        /* In any order, also repeated: what one marks the next one reads. */
        vx_op op = filters[vx_random_integer(&draft.random, 0, 2)];
        int64_t height = vx_random_integer(&draft.random, 1, 6);
        int64_t climb = vx_random_integer(&draft.random, 0, 4);
        vx_draft_step(&draft, op, op == VX_OP_LOW_HANGING ? 0 : height,
                      op == VX_OP_LOW_HEIGHT ? 0 : climb, 0);
    }
    return vx_draft_finish(&draft);
}

vx_input *vx_make_links_layers(uint64_t seed)
{
    vx_draft draft = vx_draft_start("links-layers", seed);
    vx_draft_field(&draft, 3, 3, 40);
    int64_t height = vx_random_integer(&draft.random, 1, 5);
    int64_t climb = vx_random_integer(&draft.random, 0, 6);
    vx_draft_floors(&draft, 5, 3, height - 1 > 1 ? height - 1 : 1, height + 3, 7);
    vx_draft_step(&draft, VX_OP_COMPACT, height, climb, 0);
    return vx_draft_finish(&draft);
}

vx_input *vx_make_links_tall(uint64_t seed)
{
    static const int64_t gaps[] = {254, 255, 256, 257, 511, 512, 65534, 65535, VX_ROWS_MAX};
    vx_draft draft = vx_draft_start("links-tall", seed);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 3, 2, VX_HEIGHT_MAX);
    int64_t height = VX_CHOICE_INTEGER(&draft.random, gaps);
    for (int64_t column = 0; column < 6; column++) {
        int64_t floor_row = vx_random_integer(&draft.random, 1, 4);
        int64_t gap = VX_CHOICE_INTEGER(&draft.random, gaps);
        bool nearby = vx_random_chance(&draft.random, 1, 2);
        gap = nearby ? height + vx_random_integer(&draft.random, -1, 3) : gap;
        vx_draft_span(&draft, column % 3, column / 3, 0, floor_row, VX_AREA_WALKABLE);
        if (floor_row + gap < VX_HEIGHT_MAX) {
            vx_draft_span(&draft, column % 3, column / 3, floor_row + gap, VX_HEIGHT_MAX,
                          vx_draft_area(&draft));
        }
    }
    vx_draft_add_spans(&draft, 0);
    int64_t climb = vx_random_integer(&draft.random, 0, 3);
    if (vx_random_chance(&draft.random, 1, 6)) {
        climb = VX_ROWS_MAX;
    }
    vx_draft_step(&draft, VX_OP_COMPACT, height, climb, 0);
    return vx_draft_finish(&draft);
}

vx_input *vx_make_links_many(uint64_t seed)
{
    vx_draft draft = vx_draft_start("links-many", seed);
    int64_t count = vx_random_integer(&draft.random, 60, 68);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 2, 1, 2 * count + 2);
    /* A column of many spans, beside it a few at its upper end: around index 62. */
    for (int64_t i = 0; i < count; i++) {
        bool dead = vx_random_chance(&draft.random, 1, 24);
        vx_draft_span(&draft, 0, 0, 2 * i, 2 * i + 1, dead ? 0 : VX_AREA_WALKABLE);
    }
    int64_t row = 2 * (count - vx_random_integer(&draft.random, 3, 8));
    while (row < 2 * count) {
        int64_t gap = vx_random_integer(&draft.random, 1, 2);
        vx_draft_span(&draft, 1, 0, row, row + 1, VX_AREA_WALKABLE);
        row += 1 + gap;
    }
    vx_draft_add_spans(&draft, 0);
    int64_t climb = vx_random_integer(&draft.random, 0, 3);
    vx_draft_step(&draft, VX_OP_COMPACT, 1, climb, 0);
    return vx_draft_finish(&draft);
}
