/* SPDX-License-Identifier: MIT */
/* What the rooms of the exact judge share. */
#ifndef VX_EXACT_SOLID_H
#define VX_EXACT_SOLID_H

#include <stdbool.h>

#include "exact.h"
#include "polygon.h"

/* Rows of a column that an operation fills, or may fill. */
typedef struct vx_exact_rows {
    size_t column;
    int32_t min, max;
    size_t source, triangle;
} vx_exact_rows;

typedef struct vx_exact_list {
    vx_exact_rows *items;
    size_t count, capacity;
} vx_exact_list;

struct vx_exact_solid {
    mpq_t origin[3];
    mpq_t cell[3]; /* cs, ch, cs */
    int64_t size[3];
    vx_exact_list must, may;
    size_t sources;
};

/* Appends rows, cut to the grid; empty ones are left out. VX_NO_MEMORY. */
vx_status vx_exact_append(const vx_exact_solid *solid, vx_exact_list *list, int64_t x, int64_t z,
                          int64_t min, int64_t max, size_t triangle);

/* How far computed points may lie from the exact triangle, in cells along each axis (docs/TRUST.md,
 * "The bound"), and how far the computed footprint may lie from the exact one. */
typedef struct vx_exact_bound {
    double at[3];
    double footprint;
} vx_exact_bound;

/* For a triangle with these corners in cell units, whose world coordinates are off by world_error
 * already, and so many planes that can cut it. */
vx_exact_bound vx_exact_find_bound(const vx_exact_solid *solid, const vx_exact_polygon *corners,
                                   double world_error, int64_t planes);

/* One triangle between three world points. VX_NO_MEMORY. */
typedef struct vx_exact_triangle {
    mpq_t *corners[3];  /* x, y, z each */
    double world_error; /* of their coordinates, at most */
    size_t number;
} vx_exact_triangle;

vx_status vx_exact_add_triangle(vx_exact_solid *solid, const vx_exact_triangle *triangle);

#endif
