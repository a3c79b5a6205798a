/* SPDX-License-Identifier: MIT */
/* What the rooms of the MPFR replay of build3d share (SPEC B0 to B11). */
#ifndef VX_REPLAY_H
#define VX_REPLAY_H

#include <stddef.h>
#include <stdint.h>

#include "real.h"
#include "voxcert/build3d.h"

typedef struct vx_replay_span {
    int32_t min, max, area;
} vx_replay_span;

typedef struct vx_replay_column {
    vx_replay_span *spans; /* sorted, disjoint, not touching (SPEC B3.1) */
    uint32_t count, capacity;
    uint32_t awaited; /* spans for which room is being made */
} vx_replay_column;

struct vx_build3d {
    vx_replay_real origin[3], cell_size, cell_height;
    int64_t width, depth, height;
    vx_replay_column *columns;
    uint64_t degenerate, solid_count;

    int is_compact;
    vx_compact_row *open; /* the compact spans, in order */
    size_t *first;        /* column c has the compact spans first[c] … first[c + 1] − 1 */
};

/* Spans on their way into the columns, in the order in which they are to be added. */
typedef struct vx_replay_addition {
    size_t column;
    vx_replay_span span;
} vx_replay_addition;

typedef struct vx_replay_additions {
    vx_replay_addition *items;
    size_t count, capacity;
} vx_replay_additions;

/* Appends one; VX_NO_MEMORY. The caller frees items. */
vx_status vx_replay_append(vx_replay_additions *additions, size_t column, int64_t min, int64_t max,
                           int64_t area);

/* Adds them all by SPEC B3.3, or none and VX_NO_MEMORY. */
vx_status vx_replay_add_all(vx_build3d *field, const vx_replay_additions *additions,
                            int64_t threshold);

/* Triangles between world points of three reals each, after all checks of their own (SPEC B2).
 * areas NULL: classified. */
typedef struct vx_replay_triangles {
    const vx_replay_real *points;
    const int64_t *indices;
    size_t count;
    const int64_t *areas;
    vx_replay_real slope;
    int64_t threshold;
} vx_replay_triangles;

vx_status vx_replay_rasterize(vx_build3d *field, const vx_replay_triangles *triangles,
                              vx_error *error);

/* The checks that several operations share: SPEC B0.5 (what names the value), B0.12, B2.7. */
vx_status vx_replay_check_coordinate(const char *what, double value, vx_error *error);
vx_status vx_replay_check_slope(float slope, vx_error *error);
vx_status vx_replay_check_integer(const char *what, int64_t value, int64_t least, int64_t greatest,
                                  vx_error *error);

/* count · size bytes, zeroed, or NULL; NULL also where the product overflows. Free it. */
void *vx_replay_calloc(size_t count, size_t size);

/* VX_NO_MEMORY with its message. */
vx_status vx_replay_no_memory(vx_error *error);

/* The operations of the table. */
vx_status vx_replay_frame(const vx_frame *frame, vx_build3d *field, vx_error *error);
vx_status vx_replay_mesh(vx_build3d *field, const vx_mesh *mesh, vx_error *error);
vx_status vx_replay_spans(vx_build3d *field, const vx_span *spans, size_t count, int64_t threshold,
                          vx_error *error);
vx_status vx_replay_height_grid(vx_build3d *field, const vx_height_grid *grid, vx_error *error);
vx_status vx_replay_chunk(vx_build3d *field, const vx_chunk *chunk, vx_error *error);
vx_status vx_replay_low_hanging(vx_build3d *field, int64_t climb, vx_error *error);
vx_status vx_replay_ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error);
vx_status vx_replay_low_height(vx_build3d *field, int64_t height, vx_error *error);
vx_status vx_replay_compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error);
vx_status vx_replay_erode(vx_build3d *field, int64_t radius, vx_error *error);
vx_status vx_replay_volume(vx_build3d *field, const vx_volume *volume, vx_error *error);

/* SPEC B6.2: the Min of the next span up in the column, or Unbounded. */
int64_t vx_replay_ceiling(const vx_replay_column *column, uint32_t index);

/* SPEC B7.2: whether the column beside this one in a direction is inside the grid, and which it
 * is. */
int vx_replay_neighbour(const vx_build3d *field, size_t column, int direction, size_t *neighbour);

#endif
