/* SPDX-License-Identifier: MIT */
/* Generated spans that are added directly: orders, touching ones, deep and tall columns (B3). */
#include "families.h"

/* A span within rows [low, high] of a column. */
static void draw_span(vx_draft *draft, int64_t x, int64_t z, int64_t low, int64_t high,
                      int64_t longest)
{
    int64_t min = vx_random_integer(&draft->random, low, high - 1);
    int64_t length = vx_random_integer(&draft->random, 1, longest);
    int64_t max = min + length > high ? high : min + length;
    vx_draft_span(draft, x, z, min, max, vx_draft_area(draft));
}

vx_input *vx_make_spans_random(uint64_t seed)
{
    vx_draft draft = vx_draft_start("spans-random", seed);
    vx_draft_grid(&draft, VX_SCALE_UNIT, 3, 3, 30);
    int64_t steps = vx_random_integer(&draft.random, 1, 3);
    for (int64_t step = 0; step < steps; step++) {
        int64_t count = vx_random_integer(&draft.random, 3, 12);
        for (int64_t i = 0; i < count; i++) {
            int64_t x = vx_random_integer(&draft.random, 0, vx_draft_size(&draft, 0) - 1);
            int64_t z = vx_random_integer(&draft.random, 0, vx_draft_size(&draft, 1) - 1);
            draw_span(&draft, x, z, 0, vx_draft_size(&draft, 2), 12);
        }
        vx_draft_add_spans(&draft, vx_draft_threshold(&draft));
    }
    return vx_draft_finish(&draft);
}

vx_input *vx_make_spans_touching(uint64_t seed)
{
    vx_draft draft = vx_draft_start("spans-touching", seed);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 2, 1, 24);
    int64_t threshold = vx_random_integer(&draft.random, 0, 4);
    for (int64_t x = 0; x < 2; x++) {
        int64_t count = vx_random_integer(&draft.random, 3, 7);
        int64_t row = vx_random_integer(&draft.random, 0, 4);
        for (int64_t i = 0; i < count; i++) {
            /* The next one begins where this one ends, a row lower or a row higher. */
            int64_t length = vx_random_integer(&draft.random, 1, threshold + 2);
            int64_t min = row > 22 ? 22 : row;
            int64_t max = min + length > 24 ? 24 : min + length;
            vx_draft_span(&draft, x, 0, min, max, vx_draft_area(&draft));
            int64_t next = max + vx_random_integer(&draft.random, -1, 1);
            row = vx_random_chance(&draft.random, 1, 5) ? min : next;
        }
    }
    vx_draft_add_spans(&draft, threshold);
    return vx_draft_finish(&draft);
}

vx_input *vx_make_spans_orders(uint64_t seed)
{
    vx_draft draft = vx_draft_start("spans-orders", seed);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 6, 1, 20);
    vx_span spans[5];
    size_t order[5];
    size_t count = (size_t)vx_random_integer(&draft.random, 3, 5);
    for (size_t i = 0; i < count; i++) {
        int64_t min = vx_random_integer(&draft.random, 0, 10);
        int64_t length = vx_random_integer(&draft.random, 1, 8);
        spans[i] = (vx_span){.min = min, .max = min + length, .area = vx_draft_area(&draft)};
    }
    /* The same spans in each column, in another order. */
    for (int64_t x = 0; x < 6; x++) {
        vx_random_order(&draft.random, order, count);
        for (size_t i = 0; i < count; i++) {
            const vx_span *span = &spans[order[i]];
            vx_draft_span(&draft, x, 0, span->min, span->max, span->area);
        }
    }
    vx_draft_add_spans(&draft, vx_random_integer(&draft.random, 0, 6));
    return vx_draft_finish(&draft);
}

vx_input *vx_make_spans_deep(uint64_t seed)
{
    vx_draft draft = vx_draft_start("spans-deep", seed);
    size_t order[300];
    size_t count = (size_t)vx_random_integer(&draft.random, 60, 70);
    if (vx_random_chance(&draft.random, 1, 12)) {
        count = 300;
    }
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 1, 1, 3 * (int64_t)count);
    vx_random_order(&draft.random, order, count);
    for (size_t i = 0; i < count; i++) {
        int64_t min = 3 * (int64_t)order[i];
        vx_draft_span(&draft, 0, 0, min, min + 1, vx_draft_area(&draft));
    }
    vx_draft_add_spans(&draft, 4);
    /* One span over many of them, and one into the gap between two. */
    int64_t low = vx_random_integer(&draft.random, 0, (int64_t)count);
    int64_t length = vx_random_integer(&draft.random, (int64_t)count / 2, 2 * (int64_t)count - 1);
    vx_draft_span(&draft, 0, 0, low, low + length, vx_draft_area(&draft));
    vx_draft_span(&draft, 0, 0, 1, 3, vx_draft_area(&draft));
    vx_draft_add_spans(&draft, vx_draft_threshold(&draft));
    return vx_draft_finish(&draft);
}

vx_input *vx_make_spans_tall(uint64_t seed)
{
    vx_draft draft = vx_draft_start("spans-tall", seed);
    vx_draft_grid_sized(&draft, VX_SCALE_UNIT, 2, 2, VX_HEIGHT_MAX);
    int64_t count = vx_random_integer(&draft.random, 4, 10);
    for (int64_t i = 0; i < count; i++) {
        int64_t x = vx_random_integer(&draft.random, 0, 1);
        int64_t z = vx_random_integer(&draft.random, 0, 1);
        bool high = vx_random_chance(&draft.random, 1, 2);
        draw_span(&draft, x, z, high ? VX_HEIGHT_MAX - 40 : 0, VX_HEIGHT_MAX, high ? 20 : 40000);
    }
    vx_draft_add_spans(&draft, vx_draft_threshold(&draft));
    return vx_draft_finish(&draft);
}
