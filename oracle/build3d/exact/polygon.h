/* SPDX-License-Identifier: MIT */
/* Convex polygons in (u, v, w) with rational corners, and what is asked of them. Nothing here
 * rounds. */
#ifndef VX_EXACT_POLYGON_H
#define VX_EXACT_POLYGON_H

#include <gmp.h>
#include <stddef.h>

/* A triangle, its three edges moved inwards, and the four sides of a cell, with room to spare. */
enum { VX_EXACT_CORNERS = 16 };

enum vx_exact_axis { VX_EXACT_U, VX_EXACT_V, VX_EXACT_W };

typedef struct vx_exact_point {
    mpq_t at[3];
} vx_exact_point;

typedef struct vx_exact_polygon {
    vx_exact_point corners[VX_EXACT_CORNERS];
    size_t count;
} vx_exact_polygon;

/* The half-space normal · p ≤ limit. */
typedef struct vx_exact_half {
    mpq_t normal[3];
    mpq_t limit;
} vx_exact_half;

void vx_exact_polygon_init(vx_exact_polygon *polygon);
void vx_exact_polygon_clear(vx_exact_polygon *polygon);
void vx_exact_polygon_copy(vx_exact_polygon *to, const vx_exact_polygon *from);

void vx_exact_half_init(vx_exact_half *half);
void vx_exact_half_clear(vx_exact_half *half);

/* Makes half the side "coordinate ≤ limit" of an axis (sign 1), or "≥ limit" (sign −1). */
void vx_exact_half_set(vx_exact_half *half, enum vx_exact_axis axis, int sign, const mpq_t limit);

/* The part of from inside the half-space; to is another polygon. */
void vx_exact_clip(vx_exact_polygon *to, const vx_exact_polygon *from, const vx_exact_half *half);

/* The extremes of a coordinate; the polygon has a corner. */
void vx_exact_extremes(const vx_exact_polygon *polygon, enum vx_exact_axis axis, mpq_t least,
                       mpq_t greatest);

/* Twice the area of the shadow on the plane of two axes, positive where it runs from the first axis
 * to the second. */
void vx_exact_area(const vx_exact_polygon *polygon, enum vx_exact_axis first,
                   enum vx_exact_axis second, mpq_t area);

#endif
