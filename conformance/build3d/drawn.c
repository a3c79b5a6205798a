/* SPDX-License-Identifier: MIT */
/* Questions to a picture's contents, and the colours of tops. */
#include <math.h>

#include "build3d/drawing.h"

/* --- questions -------------------------------------------------------------------------------- */

/* The first span whose column is not before this one. */
static size_t first_span(const vx_drawn *drawn, int64_t column)
{
    size_t low = 0;
    size_t high = drawn->span_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const vx_drawn_span *span = &drawn->spans[middle];
        if (span->x + (int64_t)span->z * drawn->size[0] < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void vx_drawn_column(const vx_drawn *drawn, int32_t x, int32_t z, size_t *first, size_t *end)
{
    int64_t column = x + (int64_t)z * drawn->size[0];
    *first = first_span(drawn, column);
    *end = *first;
    while (*end < drawn->span_count && drawn->spans[*end].x == x && drawn->spans[*end].z == z) {
        (*end)++;
    }
}

size_t vx_drawn_shown(const vx_drawn *drawn, size_t first, size_t end)
{
    for (size_t i = end; i > first; i--) {
        if (drawn->spans[i - 1].top == VX_TOP_WALKABLE) {
            return i - 1;
        }
    }
    return end - 1;
}

/* The span is compact and links that way. */
static int32_t link_of(const vx_drawn *drawn, const vx_drawn_span *span, int direction)
{
    return drawn->compact[span->compact].link[direction];
}

const vx_drawn_span *vx_drawn_linked(const vx_drawn *drawn, const vx_drawn_span *span,
                                     int direction)
{
    static const int32_t steps[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}}; /* SPEC B7.2 */
    int32_t index = link_of(drawn, span, direction);
    int32_t x = span->x + steps[direction][0];
    int32_t z = span->z + steps[direction][1];
    size_t i;
    size_t end;
    if (index == VX_LINK_NONE || x < 0 || z < 0 || x >= drawn->size[0] || z >= drawn->size[1]) {
        return NULL;
    }
    for (vx_drawn_column(drawn, x, z, &i, &end); i < end; i++) {
        if (drawn->spans[i].compact >= 0 && index-- == 0) {
            return &drawn->spans[i];
        }
    }
    return NULL;
}

bool vx_drawn_is_mutual(const vx_drawn *drawn, const vx_drawn_span *span, int direction)
{
    const vx_drawn_span *to = vx_drawn_linked(drawn, span, direction);
    return to != NULL && vx_drawn_linked(drawn, to, (direction + 2) % 4) == span;
}

bool vx_drawn_differs(const vx_drawn *drawn, int32_t x, int32_t z)
{
    return drawn->differs != NULL &&
           drawn->differs[(size_t)x + (size_t)z * (size_t)drawn->size[0]] != 0;
}

/* --- colours ---------------------------------------------------------------------------------- */

/* Where a row stands between the lowest and the highest top, 0 to 1. */
static double height_share(const vx_drawn *drawn, double row)
{
    double range = drawn->high - drawn->low;
    return range > 0 ? (row - drawn->low) / range : 0.5;
}

bool vx_is_hatched(unsigned area)
{
    return area != 0 && area != VX_AREA_WALKABLE;
}

vx_colour vx_area_colour(const vx_drawn *drawn, unsigned area, double row)
{
    double share = height_share(drawn, row);
    if (!vx_is_hatched(area)) {
        return vx_ramp(share);
    }
    /* Hues of neighbouring ids lie a golden angle apart, and none is that of ledges. */
    return vx_oklch(0.42 + 0.4 * share, 0.15, 40 + fmod(137.5 * area, 270));
}

/* Without telling red from green, the ramp runs from blue over grey to yellow: ledges look like
 * olives then, and what is not walkable is darker than the ramp's grey. */
vx_colour vx_top_colour(const vx_drawn *drawn, const vx_drawn_span *span)
{
    double share = height_share(drawn, span->max);
    switch ((vx_top)span->top) {
    case VX_TOP_WALKABLE:
        return vx_area_colour(drawn, span->area, span->max);
    case VX_TOP_ERODED:
        return vx_mix(vx_ramp(share), vx_paper, 0.72);
    case VX_TOP_LEDGE:
        return vx_oklch(0.66, 0.19, 45);
    case VX_TOP_LOW:
        return vx_oklch(0.3, 0.1, 15);
    case VX_TOP_UNWALKABLE:
    case VX_TOP_COUNT:
        break;
    }
    return vx_oklch(0.36 + 0.18 * share, 0.012, 260);
}
