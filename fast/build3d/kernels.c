/* SPDX-License-Identifier: MIT */
/* The kernels: plain loops over 64 columns, for a compiler that turns them into vector code. This
 * file is compiled once for each level, with VX_FAST_LEVEL naming its table (SPEC B6.6@47b689,
 * B7.3@bedabb). All numbers are integers below 2^31, so that every level computes the same. */
#include "kernels.h"

#ifndef VX_FAST_LEVEL
#define VX_FAST_LEVEL vx_fast_kernels_baseline
#endif

static inline int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void see(vx_fast_seen *restrict seen, const int32_t *restrict low,
                const int32_t *restrict high, const vx_fast_layers *other, int32_t height,
                int32_t climb)
{
    for (uint32_t layer = 0; layer < other->count; layer++) {
        const int32_t *restrict other_low = other->low + layer * other->stride;
        const int32_t *restrict other_high = other->high + layer * other->stride;
        for (int i = 0; i < VX_FAST_LANES; i++) {
            int32_t floor = other_low[i];
            int32_t gap = lesser(high[i], other_high[i]) - greater(low[i], floor);
            int32_t drop = floor - low[i];
            int32_t passable = -(gap >= height);
            int32_t deep = -(drop < -climb);
            int32_t accessible = passable & ~deep & -(drop <= climb);
            seen->deep[i] |= passable & deep;
            seen->low[i] = lesser(seen->low[i], accessible ? floor : VX_ROWS_MAX);
            seen->high[i] = greater(seen->high[i], accessible ? floor : 0);
        }
    }
}

static void link(uint8_t *restrict links, const int32_t *restrict low, const int32_t *restrict high,
                 const vx_fast_layers *other, int32_t height, int32_t climb)
{
    int32_t found[VX_FAST_LANES];
    for (int i = 0; i < VX_FAST_LANES; i++) {
        found[i] = VX_LINK_NONE;
    }
    /* From the top down: the lowest that fits comes last. */
    for (uint32_t layer = other->count; layer-- > 0;) {
        const int32_t *restrict other_low = other->low + layer * other->stride;
        const int32_t *restrict other_high = other->high + layer * other->stride;
        for (int i = 0; i < VX_FAST_LANES; i++) {
            int32_t gap = lesser(high[i], other_high[i]) - greater(low[i], other_low[i]);
            int32_t step = other_low[i] - low[i];
            int32_t fits = -(gap >= height) & -(step <= climb) & -(step >= -climb);
            found[i] = fits ? (int32_t)layer : found[i];
        }
    }
    for (int i = 0; i < VX_FAST_LANES; i++) {
        links[i] = (uint8_t)found[i];
    }
}

const vx_fast_kernels VX_FAST_LEVEL = {see, link};
