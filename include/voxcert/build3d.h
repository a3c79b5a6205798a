/* SPDX-License-Identifier: MIT */
/* The build3d chapter: the one interface that every implementation wears (SPEC B0 to B11).
 *
 * An implementation is a constant table of functions, vx_build3d_impl. It works on a field: a grid
 * with the solid heightfield that is being built, later with the compact one. A field lives in the
 * arena given to open and is used by one thread at a time; different fields are independent.
 *
 * Every operation either succeeds or changes nothing (SPEC B0.9), running out of memory included.
 * On failure *error (which may be NULL) says why. Pointers to input are read during the call only.
 * Values are as wide as a caller can get them wrong, so that the operation itself does the checks.
 */
#ifndef VOXCERT_BUILD3D_H
#define VOXCERT_BUILD3D_H

#include <stddef.h>
#include <stdint.h>

#include "voxcert/arena.h"
#include "voxcert/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VX_BUILD3D_ABI 1u

/* SPEC B0.5, B1.2, B1.3: the limits. */
#define VX_COORDINATE_LIMIT 2097152.0 /* 2^21, either sign */
#define VX_CELL_MIN 0x1p-20f
#define VX_CELL_MAX 0x1p+20f
#define VX_SIZE_MAX 65536       /* W and D */
#define VX_COLUMNS_MAX 16777216 /* W·D, 2^24 */
#define VX_HEIGHT_MAX 65535     /* H */

/* SPEC B0.7, B0.12, B6.1, B7.4, B8.1, B9.1. */
#define VX_AREA_MAX 63
#define VX_AREA_WALKABLE 63
#define VX_ROWS_MAX 1073741824 /* 2^30: climb, height, T; also Unbounded */
#define VX_RADIUS_MAX 1048576  /* 2^20 */
#define VX_LINK_NONE 63
#define VX_CORNERS_MIN 3
#define VX_CORNERS_MAX 256
#define VX_OPEN_HEIGHT 65535 /* SPEC B7.1: Height of a compact span without a ceiling */

/* SPEC B10.1: the defaults. */
#define VX_DEFAULT_SLOPE_COSINE 0x1.6a09e6p-1f /* 0.70710677 */
#define VX_DEFAULT_HEIGHT 10
#define VX_DEFAULT_CLIMB 4
#define VX_DEFAULT_RADIUS 2
#define VX_DEFAULT_MERGE_THRESHOLD 4

/* SPEC B1: a grid, explicit or from bounds. With from_bounds, min and max are read and origin and
 * size are not; without, the other way round. World units; cell units for size [W, D, H]. */
typedef struct vx_frame {
    int from_bounds;
    double origin[3]; /* ox, oy, oz */
    double min[3];
    double max[3];
    float cell_size;   /* cs */
    float cell_height; /* ch */
    int64_t size[3];   /* W, D, H */
} vx_frame;

/* SPEC B2: triangles. vertices holds vertex_values binary64 numbers x, y, z, x, …; indices holds
 * index_count vertex numbers a, b, c, a, …; areas is NULL (classified, SPEC B2.11) or holds
 * area_count area ids. slope_cosine is checked in either case. */
typedef struct vx_mesh {
    const double *vertices;
    size_t vertex_values;
    const int64_t *indices;
    size_t index_count;
    const int64_t *areas;
    size_t area_count;
    float slope_cosine;
    int64_t merge_threshold;
} vx_mesh;

/* SPEC B3.2: one span to add. */
typedef struct vx_span {
    int64_t x, z, min, max, area;
} vx_span;

/* SPEC B4: a height grid, x fastest. */
typedef struct vx_height_grid {
    double origin[2]; /* x0, z0 */
    double spacing;
    int64_t count[2]; /* countX, countZ */
    const double *heights;
    size_t height_count;
    float slope_cosine;
    int64_t merge_threshold;
} vx_height_grid;

/* SPEC B5.1: a run of one material in a chunk's column. */
typedef struct vx_run {
    int64_t x, z, start, length, material;
} vx_run;

/* SPEC B5.4: the area id of a material. No two entries of a table may name the same material; the
 * later one would be dead (VX_ARGUMENT). */
typedef struct vx_material_area {
    int64_t material, area;
} vx_material_area;

/* SPEC B5: a voxel chunk, as runs or dense: exactly one of runs and dense is used, as is_dense
 * says. */
typedef struct vx_chunk {
    int64_t offset[3]; /* dx, dy, dz, in cells; within ±2^53 */
    int64_t size[3];   /* W, D, H of the chunk, at most 2^53 */
    int is_dense;
    const vx_run *runs;
    size_t run_count;
    const int64_t *dense; /* (z·W + x)·H + y; 0 is empty */
    size_t dense_count;
    const vx_material_area *material_areas; /* SPEC B5.4; 63 where none is given */
    size_t material_area_count;
} vx_chunk;

/* SPEC B9: a convex area volume; corners holds 2 · corner_count numbers x, z, x, …, world units. */
typedef struct vx_volume {
    const double *corners;
    size_t corner_count;
    double min_y, max_y;
    int64_t area;
} vx_volume;

/* What a field is made of and has counted so far. */
typedef struct vx_build3d_info {
    int32_t size[3];     /* W, D, H */
    int32_t is_compact;  /* 0 before compact succeeded, 1 from then on */
    uint64_t degenerate; /* SPEC B2.10, over all operations */
    uint64_t rows;       /* spans: solid ones, or compact ones once is_compact */
} vx_build3d_info;

/* A result is rows of integers, columns in index order (SPEC B1.1), each from the bottom up. No
 * padding: rows are compared and hashed as bytes. */
typedef struct vx_solid_row {
    int32_t x, z, min, max, area; /* SPEC B3.1 */
} vx_solid_row;

typedef struct vx_compact_row {
    int32_t x, z, y, height, area; /* SPEC B7.1 */
    int32_t link[4];               /* SPEC B7.2 to B7.4: −x, +z, +x, −z */
} vx_compact_row;

/* A field; each implementation has its own. */
typedef struct vx_build3d vx_build3d;

/* Receives what an implementation that traces has to say: a clause id and a line of text without a
 * line end, both valid during the call only. */
typedef void vx_trace_fn(void *context, const char *clause, const char *text);

typedef struct vx_build3d_impl {
    uint32_t abi;            /* VX_BUILD3D_ABI */
    uint32_t struct_size;    /* sizeof(vx_build3d_impl) */
    const char *name;        /* "ref", "fast", … */
    const char *description; /* one line for people */

    /* SPEC B1: a field over the grid, without spans. It takes its memory from arena, which must
     * live as long and must not be rewound below this point meanwhile. *field is set on success
     * only. */
    vx_status (*open)(vx_arena *arena, const vx_frame *frame, vx_build3d **field, vx_error *error);
    /* Gives back what the field holds outside its arena; NULL is allowed. */
    void (*close)(vx_build3d *field);
    void (*info)(const vx_build3d *field, vx_build3d_info *info);

    /* Solid operations: VX_UNSUPPORTED once the field is compact. */
    vx_status (*rasterize)(vx_build3d *field, const vx_mesh *mesh, vx_error *error); /* B2 */
    vx_status (*add_spans)(vx_build3d *field, const vx_span *spans, size_t count,
                           int64_t merge_threshold, vx_error *error); /* B3 */
    vx_status (*height_grid)(vx_build3d *field, const vx_height_grid *grid,
                             vx_error *error);                                     /* B4 */
    vx_status (*chunk)(vx_build3d *field, const vx_chunk *chunk, vx_error *error); /* B5 */
    vx_status (*low_hanging)(vx_build3d *field, int64_t climb, vx_error *error);   /* B6.3 */
    vx_status (*ledges)(vx_build3d *field, int64_t height, int64_t climb,
                        vx_error *error);                                        /* B6.5 */
    vx_status (*low_height)(vx_build3d *field, int64_t height, vx_error *error); /* B6.10 */
    vx_status (*compact)(vx_build3d *field, int64_t height, int64_t climb,
                         vx_error *error); /* B7 */

    /* Compact operations: VX_UNSUPPORTED before compact succeeded. */
    vx_status (*erode)(vx_build3d *field, int64_t radius, vx_error *error);           /* B8 */
    vx_status (*volume)(vx_build3d *field, const vx_volume *volume, vx_error *error); /* B9 */

    /* Copies all info.rows rows out, in order; capacity is in rows, and one that is too small is
     * VX_UNSUPPORTED. The solid rows can be read before compact, the compact ones after. */
    vx_status (*read_solid)(const vx_build3d *field, vx_solid_row *rows, size_t capacity,
                            vx_error *error);
    vx_status (*read_compact)(const vx_build3d *field, vx_compact_row *rows, size_t capacity,
                              vx_error *error);

    /* NULL where the implementation does not trace; trace NULL switches it off. */
    void (*set_trace)(vx_build3d *field, vx_trace_fn *trace, void *context);
} vx_build3d_impl;

/* A shared library that brings an implementation exports this one function. It returns NULL when it
 * does not know the ABI. */
#define VX_BUILD3D_ENTRY "vx_build3d_entry"
typedef const vx_build3d_impl *vx_build3d_entry_fn(uint32_t abi);

/* The literal reference implementation (ref/build3d), and the same built with its trace points. */
extern const vx_build3d_impl vx_ref_build3d;
extern const vx_build3d_impl vx_ref_build3d_traced;

/* The optimised implementation (fast/build3d). It does not trace. */
extern const vx_build3d_impl vx_fast_build3d;

/* The fixed part of its memory for a grid of width · depth columns, in bytes: at most 12 a column,
 * where a row counts as whole blocks of 32, and buffers whose size does not depend on the spans; 0
 * for a grid that SPEC B1.3 does not allow. On top of it come at most 16 bytes for a solid span,
 * those that an operation is making beside those that are there, and 16 for a compact one (erosion
 * uses what the solid spans had); 32 for a vertex of the mesh, or of three rows of a height grid;
 * and 16 for a run of a chunk whose runs do not stand in the order of columns. vx_arena_peak tells
 * what was used. docs/DIFFERENCES.md, "Memory". */
size_t vx_fast_build3d_bound(int64_t width, int64_t depth);

#ifdef __cplusplus
}
#endif

#endif
