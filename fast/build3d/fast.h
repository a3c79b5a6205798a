/* SPDX-License-Identifier: MIT */
/* What the rooms of the fast implementation share: the field, its memory, and lists of pieces. */
#ifndef VX_FAST_H
#define VX_FAST_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "voxcert/build3d.h"

/* Memory is asked of the arena in sizes of four steps an octave and, once given back, used again
 * for what is as large or up to twice as small. */
enum { VX_FAST_CLASSES = 64 * 4 };

typedef struct vx_fast_pool {
    vx_arena *arena;
    void *free[VX_FAST_CLASSES];
} vx_fast_pool;

/* An array that is made larger when it must be and otherwise kept from one operation to the next:
 * its contents are not. */
typedef struct vx_fast_buffer {
    void *data;
    size_t bytes;
} vx_fast_buffer;

/* One row of solid columns, in one piece of memory (bytes long) that begins at first. Column x
 * holds the spans first[x] … first[x + 1] − 1. An empty row has no memory. */
typedef struct vx_fast_row {
    uint32_t *first; /* W + 1 */
    uint16_t *min;
    uint16_t *max;
    uint8_t *area;
    size_t bytes;
} vx_fast_row;

/* SPEC B2.27@32af4a: a span on its way to a column. */
typedef struct vx_fast_piece {
    uint16_t x, z, min, max, area;
} vx_fast_piece;

/* The spans of an operation that have not yet been merged, in the order in which they are added. */
typedef struct vx_fast_pieces {
    vx_fast_piece *items;
    size_t count;
    size_t capacity;
    uint32_t threshold; /* T */
} vx_fast_pieces;

/* The compact spans; those of column x of row z are base[z] + first[z·(W + 1) + x] and so on. */
typedef struct vx_fast_compact {
    size_t *base;    /* D + 1 */
    uint32_t *first; /* D·(W + 1) */
    uint16_t *y;
    uint16_t *height;
    uint8_t *area;
    uint8_t (*link)[4];
} vx_fast_compact;

/* SPEC B1.7@206672, B1.8@60cdaa. */
typedef struct vx_fast_vertex {
    float lx, ly, lz, u, v, w;
} vx_fast_vertex;

struct vx_fast_kernels;

struct vx_build3d {
    const struct vx_fast_kernels *kernels;
    vx_fast_pool pool;
    double origin[3];
    float cell_size, cell_height;
    uint32_t size[3]; /* W, D, H */
    bool is_compact;
    uint64_t degenerate;
    uint64_t span_count;
    vx_fast_row *rows; /* D */
    vx_fast_row *next; /* D, all empty between operations: rows that replace the present ones */
    uint32_t next_low, next_high; /* the rows of next that are in use lie in [low, high) */
    vx_fast_compact compact;
    vx_fast_buffer pieces, sorted, counts, slots, merged, vertices, scratch;
};

/* --- memory (memory.c) ------------------------------------------------------------------------ */

/* bytes of memory, or NULL with a failure in error. */
void *vx_fast_alloc(vx_build3d *field, size_t bytes, vx_error *error);
/* Gives memory back; NULL is allowed. */
void vx_fast_release(vx_build3d *field, void *memory, size_t bytes);
/* count · size bytes in the buffer, whose contents are lost when it must be made larger; NULL with
 * a failure in error. */
void *vx_fast_reserve(vx_build3d *field, vx_fast_buffer *buffer, size_t count, size_t size,
                      vx_error *error);

/* --- checks (frame.c) ------------------------------------------------------------------------- */

/* SPEC B0.5@003f0a with the kinds of B1.4@27cec5; what names the value. */
vx_status vx_fast_check_coordinate(double value, const char *what, vx_error *error);
/* An integer in [min, max], else VX_OUT_OF_RANGE. */
vx_status vx_fast_check_integer(int64_t value, int64_t min, int64_t max, const char *what,
                                vx_error *error);
/* VX_UNSUPPORTED unless the field is, or is not yet, compact. */
vx_status vx_fast_check_place(const vx_build3d *field, bool compact, const char *what,
                              vx_error *error);

/* --- rasterizing (rasterize.c) ---------------------------------------------------------------- */

/* SPEC B2.7@cb9d1b. */
vx_status vx_fast_check_slope(float slope_cosine, vx_error *error);
/* SPEC B1.7@206672, B1.8@60cdaa. */
void vx_fast_transform(const vx_build3d *field, double x, double y, double z,
                       vx_fast_vertex *vertex);

/* SPEC B2.11@3b9006: the area id of triangles that are not given one. */
#define VX_FAST_CLASSIFIED (-1)

typedef struct vx_fast_raster {
    vx_build3d *field;
    vx_fast_pieces pieces;
    float slope_cosine;
    uint64_t degenerate; /* counted so far in this operation */
    vx_error *error;
} vx_fast_raster;

/* SPEC B2.8@3c6046 to B2.27@32af4a for one triangle. */
vx_status vx_fast_triangle(vx_fast_raster *raster, const vx_fast_vertex *a, const vx_fast_vertex *b,
                           const vx_fast_vertex *c, int64_t area);

/* --- spans (spans.c) -------------------------------------------------------------------------- */

/* An operation that adds spans begins, adds them with reserve and items[count++], and ends: with
 * commit, which makes them the field's, or with abandon, which leaves the field as it was. */
void vx_fast_begin(vx_build3d *field, vx_fast_pieces *pieces, int64_t threshold);
/* Room for count ≤ 65536 more pieces. */
vx_status vx_fast_make_room(vx_build3d *field, vx_fast_pieces *pieces, uint32_t count,
                            vx_error *error);
vx_status vx_fast_commit(vx_build3d *field, vx_fast_pieces *pieces, vx_error *error);
void vx_fast_abandon(vx_build3d *field);

static inline vx_status vx_fast_add(vx_build3d *field, vx_fast_pieces *pieces,
                                    const vx_fast_piece *piece, vx_error *error)
{
    if (pieces->count == pieces->capacity) {
        vx_status status = vx_fast_make_room(field, pieces, 1, error);
        if (status != VX_OK) {
            return status;
        }
    }
    pieces->items[pieces->count++] = *piece;
    return VX_OK;
}

/* --- the table -------------------------------------------------------------------------------- */

vx_status vx_fast_open(vx_arena *arena, const vx_frame *frame, vx_build3d **field, vx_error *error);
vx_status vx_fast_rasterize(vx_build3d *field, const vx_mesh *mesh, vx_error *error);
vx_status vx_fast_add_spans(vx_build3d *field, const vx_span *spans, size_t count,
                            int64_t merge_threshold, vx_error *error);
vx_status vx_fast_height_grid(vx_build3d *field, const vx_height_grid *grid, vx_error *error);
vx_status vx_fast_chunk(vx_build3d *field, const vx_chunk *chunk, vx_error *error);
vx_status vx_fast_low_hanging(vx_build3d *field, int64_t climb, vx_error *error);
vx_status vx_fast_ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error);
vx_status vx_fast_low_height(vx_build3d *field, int64_t height, vx_error *error);
vx_status vx_fast_make_compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error);
vx_status vx_fast_erode(vx_build3d *field, int64_t radius, vx_error *error);
vx_status vx_fast_volume(vx_build3d *field, const vx_volume *volume, vx_error *error);

#endif
