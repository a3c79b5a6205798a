/* SPDX-License-Identifier: MIT */
/* What the rooms of the reference implementation share: the field, its parts and its trace. */
#ifndef VX_REF_H
#define VX_REF_H

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "voxcert/build3d.h"

/* B0.1@6e2860, B11.1@2a5f8b: float and double are binary32 and binary64, each operation rounded to
 * its own format and, which is how the code is compiled, never contracted. (FLT_EVAL_METHOD 16
 * widens only _Float16.) B0.2@e867ac: nothing here switches the processor to flush subnormal
 * numbers. B0.3@9479bd: zeros are only compared, as equal, and converted. */
static_assert(CHAR_BIT == 8, "bytes have 8 bits");
static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && FLT_MAX_EXP == 128, "float is binary32");
static_assert(DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024, "double is binary64");
static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16, "no wider intermediate results");

/* The grid of B1.1@3b9815, in the formats of B0.4@2ce412. */
typedef struct vx_ref_grid {
    double ox, oy, oz;
    float cs, ch;
    int32_t W, D, H;
} vx_ref_grid;

/* A node is a span of a column, or a note of what a column was before the running operation. Both
 * come from the one free list. */
typedef struct vx_ref_node {
    struct vx_ref_node *next;
    union {
        struct {
            int32_t min, max, area; /* the span [min, max), B3.1@b5706a */
        };
        struct {
            struct vx_ref_node *before; /* the column's first span then */
            uint32_t column;
        };
    };
} vx_ref_node;

/* A column (B1.1@3b9815): its spans from the bottom up. */
typedef struct vx_ref_column {
    vx_ref_node *first;
} vx_ref_column;

/* A chunk's run and its place in the list of runs. */
typedef struct vx_ref_placed {
    const vx_run *run;
    size_t number;
} vx_ref_placed;

/* A vertex in cell units (B1.8@60cdaa), its coordinates u, v, w by their number. */
enum { VX_REF_U, VX_REF_V, VX_REF_W };

typedef struct vx_ref_vertex {
    float at[3];
} vx_ref_vertex;

typedef struct vx_ref_polygon {
    vx_ref_vertex *p; /* p[0 .. n) */
    size_t n;
    size_t capacity;
} vx_ref_polygon;

/* A compact span (B7.1@91d48d) with its links (B7.4@d8ed8d). */
typedef struct vx_ref_open {
    int32_t y, height;
    uint8_t area;
    uint8_t link[4];
} vx_ref_open;

struct vx_build3d {
    vx_arena *arena;
    vx_frame frame; /* as it was given, for the trace */
    vx_ref_grid grid;
    size_t columns;      /* W·D */
    uint64_t degenerate; /* B2.10@e77a26 */

    /* The solid heightfield: the columns, and whether the running operation has touched them (see
     * spans.c). */
    vx_ref_column *column;
    unsigned char *is_touched;
    vx_ref_node *touched; /* notes of the touched columns */
    vx_ref_node *free;    /* nodes that serve nothing */

    /* Working memory of rasterize and chunk; it grows and is kept. */
    vx_ref_polygon rows, rows_rest; /* what is left to split into rows, and what will be then */
    vx_ref_polygon row, row_rest;   /* what is left to split into cells, and what will be then */
    vx_ref_polygon cell;
    vx_ref_placed *order;
    size_t order_capacity;

    /* The compact heightfield: column c's spans are open[cell_first[c] .. cell_first[c + 1]). */
    bool is_compact;
    size_t *cell_first;
    vx_ref_open *open;

#ifdef VX_TRACE_POINTS
    vx_trace_fn *trace;
    void *trace_context;
#endif
};

/* VX_TRACE(field, "B2.9@e50c4f", "len = " VX_A32, VX_A(len)) tells the trace an intermediate value.
 * In the plain build its arguments are checked by the compiler and nothing is left of it. */
void vx_ref_trace(const vx_build3d *field, const char *clause, const char *format, ...)
    VX_PRINTF(3, 4);
void vx_ref_trace_polygon(const vx_build3d *field, const char *clause, const char *what,
                          const vx_ref_polygon *polygon);

#ifdef VX_TRACE_POINTS
enum { VX_REF_TRACES = 1 };
#else
enum { VX_REF_TRACES = 0 };
#endif
#define VX_TRACE(field, clause, ...)                                                               \
    (VX_REF_TRACES ? vx_ref_trace((field), (clause), __VA_ARGS__) : (void)0)
#define VX_TRACE_POLYGON(field, clause, what, polygon)                                             \
    (VX_REF_TRACES ? vx_ref_trace_polygon((field), (clause), (what), (polygon)) : (void)0)

/* A number in a trace: exactly, then readably. */
#define VX_A32 "%a (%.9g)"
#define VX_A64 "%a (%.17g)"
#define VX_A(x) (double)(x), (double)(x)

/* A column of the grid in a trace, by its index. */
#define VX_COLUMN "column (%zu, %zu)"
#define VX_XZ(field, column) (column) % (size_t)(field)->grid.W, (column) / (size_t)(field)->grid.W

/* frame.c. The name of the checked value is a printf format with its arguments. */
vx_status vx_ref_check_coordinate(double value, vx_error *error, const char *format, ...)
    VX_PRINTF(3, 4);
vx_status vx_ref_check_integer(int64_t value, int64_t low, int64_t high, vx_status kind,
                               vx_error *error, const char *format, ...) VX_PRINTF(6, 7);
vx_status vx_ref_check_frame(const vx_frame *frame, vx_ref_grid *grid, vx_error *error);
#ifdef VX_TRACE_POINTS
void vx_ref_trace_frame(const vx_build3d *field);
#endif

/* rasterize.c. How triangles are added: classified with slope_cosine (B2.11@3b9006), merged with T.
 */
typedef struct vx_ref_style {
    float slope_cosine;
    int32_t T;
    uint64_t degenerate; /* counts B2.10@e77a26 */
} vx_ref_style;

vx_status vx_ref_check_style(float slope_cosine, int64_t merge_threshold, vx_error *error);

/* Adds the triangle of three world vertices; area −1: classified. False when memory runs out. */
VX_NODISCARD bool vx_ref_add_triangle(vx_build3d *field, const double *const corner[3],
                                      int32_t area, vx_ref_style *style);
/* One pass of B2.14@fd01a4 against "coordinate axis = k", keeping the low or the high side; in and
 * out are different polygons. False when memory runs out. */
VX_NODISCARD bool vx_ref_pass(const vx_build3d *field, const vx_ref_polygon *in, int axis, float k,
                              bool keep_high, vx_ref_polygon *out);
float vx_ref_area(const vx_ref_polygon *piece); /* B2.19@f8bcc6 */

/* spans.c. An operation adds spans and then finishes, which makes them count or takes them back. */
VX_NODISCARD bool vx_ref_add_span(vx_build3d *field, size_t column, int32_t min, int32_t max,
                                  int32_t area, int32_t T);
vx_status vx_ref_finish(vx_build3d *field, bool enough_memory, vx_error *error);

/* table.c. The present place of the field in the pipeline must be this one. */
vx_status vx_ref_require_solid(const vx_build3d *field, const char *op, vx_error *error);
vx_status vx_ref_require_compact(const vx_build3d *field, const char *op, vx_error *error);
vx_status vx_ref_no_memory(const vx_build3d *field, vx_error *error);
/* The array with room for at least count items; NULL when memory runs out, the array is still good
 * then. The old memory stays where it is: an arena gives nothing back in the middle. */
VX_NODISCARD void *vx_ref_grow(vx_arena *arena, void *items, size_t *capacity, size_t count,
                               size_t size);

/* compact.c. The neighbour column in direction d (B7.2@392666), false outside the grid; and the
 * number of the span that number s of column (x, z) is linked to, false without a link. */
bool vx_ref_neighbour(const vx_ref_grid *grid, int32_t x, int32_t z, int d, int32_t *nx,
                      int32_t *nz);
bool vx_ref_linked(const vx_build3d *field, size_t s, int32_t x, int32_t z, int d, size_t *t,
                   int32_t *tx, int32_t *tz);

/* The operations, as the table names them. */
vx_status vx_ref_rasterize(vx_build3d *field, const vx_mesh *mesh, vx_error *error);
vx_status vx_ref_add_spans(vx_build3d *field, const vx_span *spans, size_t count,
                           int64_t merge_threshold, vx_error *error);
vx_status vx_ref_height_grid(vx_build3d *field, const vx_height_grid *grid, vx_error *error);
vx_status vx_ref_chunk(vx_build3d *field, const vx_chunk *chunk, vx_error *error);
vx_status vx_ref_low_hanging(vx_build3d *field, int64_t climb, vx_error *error);
vx_status vx_ref_ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error);
vx_status vx_ref_low_height(vx_build3d *field, int64_t height, vx_error *error);
vx_status vx_ref_compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error);
vx_status vx_ref_erode(vx_build3d *field, int64_t radius, vx_error *error);
vx_status vx_ref_volume(vx_build3d *field, const vx_volume *volume, vx_error *error);

#endif
