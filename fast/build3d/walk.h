/* SPDX-License-Identifier: MIT */
/* What rasterize.c and walk.c share: polygons, and the pieces of a triangle. */
#ifndef VX_FAST_WALK_H
#define VX_FAST_WALK_H

#include "fast.h"

/* The coordinates of a polygon's vertices along u, v and w. */
enum { U, V, W_AXIS, AXES };

/* A pass that cuts n vertices emits at most n + n ÷ 2: 3 become 13 in the four of B2.13@82a0c3.
 * What rows leave of 13 are at most 19, a row's piece of those 28, what cells leave of that 42 and
 * a cell's piece of those 63 (docs/DIFFERENCES.md). */
enum { VX_FAST_VERTICES_MAX = 64 };

typedef struct vx_fast_polygon {
    uint32_t count;
    float at[AXES][VX_FAST_VERTICES_MAX];
} vx_fast_polygon;

/* What a piece needs to know of its triangle. */
typedef struct vx_fast_shape {
    vx_fast_raster *raster;
    uint32_t height; /* H */
    bool is_areal;   /* F is not 0 */
    bool is_up;      /* ny > 0 */
    uint8_t area;
} vx_fast_shape;

/* Rows or cells first … last, none when last < first. */
typedef struct vx_fast_range {
    int32_t first, last;
} vx_fast_range;

/* B2.24@ce437d to B2.27@32af4a from the extremes of v: the cell of a run, 0 when the piece is
 * dropped.
 *
 * Before the conversion v is cut to [−2, H + 2], which all integers of that range survive. Where
 * that moves lo or hi, it moves them to another number ≤ −2 or ≥ H + 1, and a span that is dropped
 * stays dropped, also after B2.25@3c3db2: hi ≤ −1 or lo ≥ H + 1 with it. */
static inline uint32_t vx_fast_emit(const vx_fast_shape *shape, float v_low, float v_high)
{
    int32_t height = (int32_t)shape->height;
    float top = (float)(height + 2);
    v_low = v_low > -2 ? v_low : -2;
    v_low = v_low < top ? v_low : top;
    v_high = v_high > -2 ? v_high : -2;
    v_high = v_high < top ? v_high : top;
    int32_t lo = (int32_t)v_low;
    lo -= (float)lo > v_low;
    int32_t hi = (int32_t)v_high;
    hi += (float)hi < v_high;
    if (lo == hi) {
        lo -= shape->is_up;
        hi += !shape->is_up;
    }
    if (hi <= 0 || lo >= height) {
        return 0;
    }
    return vx_fast_cell((uint32_t)(lo > 0 ? lo : 0), (uint32_t)(hi < height ? hi : height));
}

/* Fills in the cells of one row of an areal triangle, whose piece there is row, or returns false
 * where it can't tell (walk.c). */
bool vx_fast_walk(const vx_fast_shape *shape, const vx_fast_polygon *row, vx_fast_range cells,
                  uint32_t *to);

#endif
