/* SPDX-License-Identifier: MIT */
/* What the rooms of the exact judge share about solid heightfields. */
#ifndef VX_EXACT_SOLID_H
#define VX_EXACT_SOLID_H

#include "exact.h"
#include "polygon.h"

/* What fills rows. */
typedef enum vx_exact_source {
    VX_EXACT_AREAL, /* a triangle with a footprint */
    VX_EXACT_WALL,  /* a triangle on a plane of equal x, or of equal z */
    VX_EXACT_SPAN   /* a span or a run, about which there is no doubt */
} vx_exact_source;

/* Rows of a column that an operation fills, or may fill. */
typedef struct vx_exact_rows {
    uint32_t column, triangle;
    int32_t min, max;
    double least, greatest;        /* exact v, rounded */
    float bound, area, area_bound; /* of v; of the shadow, where it is touched for certain */
    vx_exact_source source;
} vx_exact_rows;

typedef struct vx_exact_list {
    vx_exact_rows *items;
    size_t count, capacity;
} vx_exact_list;

/* A span that an operation adds to a column, or may add (SPEC B3.3), cut to the grid. */
typedef struct vx_exact_addition {
    uint64_t areas;         /* a bit for each area id that it may have */
    uint32_t column, order; /* additions are made in this order */
    int32_t min[2], max[2]; /* the least and the greatest that they may be */
    int32_t threshold;      /* T */
    bool is_sure;           /* no correct implementation leaves it out */
    bool is_classified;     /* its area comes from its slope (SPEC B2.11) */
} vx_exact_addition;

/* Whether every correct implementation adds just these rows; the area is another matter. */
bool vx_exact_has_certain_rows(const vx_exact_addition *added);

typedef struct vx_exact_additions {
    vx_exact_addition *items;
    size_t count, capacity;
} vx_exact_additions;

struct vx_exact_solid {
    mpq_t origin[3];
    mpq_t cell[3]; /* cs, ch, cs */
    int64_t size[3];
    vx_exact_list must, may;
    vx_exact_additions additions;
    double reach[2];        /* the largest bounds along u and w that a triangle had */
    uint64_t degenerate[2]; /* how many triangles are for certain, and how many may be (B2.10) */
};

/* Appends rows of the column x, z, cut to the grid; empty ones are left out. VX_NO_MEMORY. */
vx_status vx_exact_append(const vx_exact_solid *solid, vx_exact_list *list, int64_t x, int64_t z,
                          int64_t min, int64_t max, const vx_exact_rows *rows);

/* Appends what is added to the column x, z, between any rows, unless that is outside the grid for
 * certain. min and max are those of `added` before they are cut to the grid. VX_NO_MEMORY. */
vx_status vx_exact_append_addition(vx_exact_solid *solid, int64_t x, int64_t z,
                                   const int64_t min[2], const int64_t max[2],
                                   const vx_exact_addition *added);

/* How far computed points may lie from the exact triangle, in cells along each axis, and how far
 * its computed corners may (docs/TRUST.md, "The bound"). */
typedef struct vx_exact_bound {
    double at[3];
    double corner[3];
    double local[3]; /* of a corner before it is divided by the cell (SPEC B1.7), in world units */
} vx_exact_bound;

/* For a triangle with these corners in cell units, whose world coordinates are off by world_error
 * already, and so many planes that can cut it. */
vx_exact_bound vx_exact_find_bound(const vx_exact_solid *solid, const vx_exact_polygon *corners,
                                   double world_error, int64_t planes);

/* How far p·q − r·s may be off in binary32 when p, q, r and s are differences of corners: p and r
 * of at most extents[0], from corners off by errors[0], q and s likewise with [1]. */
double vx_exact_cross_error(const double extents[2], const double errors[2]);

/* SPEC B2.11: ny − slopeCosine · len of the exact triangle, and how far the computed difference may
 * be from it (Lemma 7). */
typedef struct vx_exact_slope {
    double difference, error;
} vx_exact_slope;

vx_exact_slope vx_exact_find_slope(const vx_exact_solid *solid, const vx_exact_polygon *corners,
                                   const vx_exact_bound *bound, double cosine);

/* The extent of the corners along an axis, rounded up a little. */
double vx_exact_extent(const vx_exact_polygon *corners, enum vx_exact_axis axis);

/* One triangle between three world points. VX_NO_MEMORY. */
typedef struct vx_exact_triangle {
    mpq_t *corners[3];  /* x, y, z each */
    double world_error; /* of their coordinates, at most */
    size_t number;
    int64_t area; /* its area id; −1: by its slope (SPEC B2.11) */
    float slope_cosine;
    int64_t threshold;
} vx_exact_triangle;

vx_status vx_exact_add_triangle(vx_exact_solid *solid, const vx_exact_triangle *triangle,
                                const vx_exact_court *court);

/* Holds the areas of the rows behind an operation against those that its additions can make of the
 * rows before (SPEC B3.3, B3.4). rows_differ: rows that no addition can make were found before, and
 * are not told once more. VX_NO_MEMORY. */
vx_status vx_exact_judge_areas(vx_exact_solid *solid, vx_exact_solid_rows before,
                               vx_exact_solid_rows after, bool rows_differ,
                               const vx_exact_court *court, vx_exact_areas *areas);

#endif
