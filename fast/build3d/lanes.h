/* SPDX-License-Identifier: MIT */
/* Triangles and rows side by side in the lanes of vectors: SPEC B2.8@3c6046 to B2.26@f8f21f for
 * areal triangles that nothing clips. */
#ifndef VX_FAST_LANES_H
#define VX_FAST_LANES_H

#include "fast.h"

/* The most lanes of a level. */
enum { VX_FAST_TILE = 16 };

/* What is known of a triangle. */
enum {
    VX_FAST_DEGENERATE = 1, /* SPEC B2.10@e77a26 */
    VX_FAST_AREAL = 2,      /* SPEC B2.12@13dbda */
    VX_FAST_UP = 4,         /* ny > 0 */
    VX_FAST_GENTLE = 8,     /* SPEC B2.11@3b9006: walkable by its slope */
    VX_FAST_INSIDE = 16     /* no pass of SPEC B2.13@82a0c3 cuts anything off */
};

/* A point in cell units. */
enum { VX_FAST_U, VX_FAST_V, VX_FAST_W, VX_FAST_AXES };

/* One chain of a triangle's edges, going up in w: its moving end, the corner that it goes to, and
 * the last one. */
typedef struct vx_fast_chains {
    float end[VX_FAST_AXES][VX_FAST_TILE];
    float next[VX_FAST_AXES][VX_FAST_TILE];
    float top[VX_FAST_AXES][VX_FAST_TILE];
} vx_fast_chains;

/* The corners of a row's piece in the order of the polygon; some stand twice side by side. */
enum { VX_FAST_CORNERS = 6 };

/* The pieces of as many rows as there are lanes. */
typedef float vx_fast_pieces[VX_FAST_CORNERS][VX_FAST_AXES][VX_FAST_TILE];

/* As many triangles as there are lanes. */
typedef struct vx_fast_group {
    float corners[3][6][VX_FAST_TILE]; /* lx, ly, lz, u, v, w */
    float slope_cosine;
    uint32_t size[2]; /* W, D */
    /* From setup: what is known, and the rows and columns that are visited (SPEC B2.17@e423c9) or,
     * unless the triangle is areal and inside, a bound of them. */
    int32_t known[VX_FAST_TILE];
    int32_t row_first[VX_FAST_TILE], row_last[VX_FAST_TILE];
    int32_t column_first[VX_FAST_TILE], column_last[VX_FAST_TILE];
    /* The rows so far. */
    vx_fast_chains up, down; /* whose edges run upwards, downwards */
    /* From step: the pieces of the present rows and the cells that they visit (SPEC B2.18@3f7fe2).
     */
    vx_fast_pieces piece;
    int32_t cell_first[VX_FAST_TILE], cell_last[VX_FAST_TILE];
} vx_fast_group;

/* As many rows as there are lanes, with the runs that their cells belong to. */
typedef struct vx_fast_rows {
    int32_t cell_first[VX_FAST_TILE];
    int32_t count[VX_FAST_TILE];      /* of cells; 0 in unused lanes */
    int32_t is_up[VX_FAST_TILE];      /* −1 or 0 */
    size_t first[VX_FAST_TILE];       /* cell of the run */
    uint32_t rows[VX_FAST_TILE];      /* z */
    uint32_t triangles[VX_FAST_TILE]; /* the caller's numbers */
    uint32_t used;
} vx_fast_rows;

typedef struct vx_fast_lane_kernels {
    uint32_t lanes;
    /* SPEC B2.8@3c6046 to B2.12@13dbda, and the beginnings of the chains of areal triangles. */
    void (*setup)(vx_fast_group *group);
    /* SPEC B2.16@bc9ec5: the pieces of row row_first in each lane where it is not above row_last,
     * and the chains for the row after it. */
    void (*step)(vx_fast_group *group);
    /* SPEC B2.18@3f7fe2, B2.19@f8bcc6, B2.24@ce437d to B2.26@f8f21f for all cells, which go to the
     * runs' places in to. Returns, a bit each, the lanes in which it can't tell whether all areas
     * are 0 or not; their cells are to be found another way. */
    uint32_t (*cells)(const vx_fast_rows *rows, const float *pieces, uint32_t height, uint32_t *to);
} vx_fast_lane_kernels;

extern const vx_fast_lane_kernels vx_fast_lanes_baseline;
#ifdef __x86_64__
extern const vx_fast_lane_kernels vx_fast_lanes_avx2;
extern const vx_fast_lane_kernels vx_fast_lanes_avx512;
#endif

/* The set of the highest level that the processor has and the mask allows. */
const vx_fast_lane_kernels *vx_fast_choose_lanes(void);

#endif
