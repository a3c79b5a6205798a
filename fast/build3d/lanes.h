/* SPDX-License-Identifier: MIT */
/* Triangles and rows side by side in the lanes of vectors: SPEC B2.8@3c6046 to B2.26@f8f21f for
 * triangles that nothing clips and that lie on no grid line. */
#ifndef VX_FAST_LANES_H
#define VX_FAST_LANES_H

#include "fast.h"

/* The most lanes of a level. */
enum { VX_FAST_TILE = VX_FAST_GROUP_MAX };

/* What is known of a triangle. */
enum {
    VX_FAST_DEGENERATE = 1, /* SPEC B2.10@e77a26 */
    VX_FAST_AREAL = 2,      /* SPEC B2.12@13dbda */
    VX_FAST_UP = 4,         /* ny > 0 */
    VX_FAST_GENTLE = 8,     /* SPEC B2.11@3b9006: walkable by its slope */
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
enum { VX_FAST_CORNERS = 5 };

/* The pieces of as many rows as there are lanes. */
typedef float vx_fast_pieces[VX_FAST_CORNERS][VX_FAST_AXES][VX_FAST_TILE];

/* What else is known of them. */
typedef struct vx_fast_rows {
    int32_t cell_first[VX_FAST_TILE]; /* SPEC B2.18@3f7fe2 */
    int32_t count[VX_FAST_TILE];      /* of cells; 0 where there is no row */
    int32_t is_up[VX_FAST_TILE];      /* −1 or 0 */
    int32_t is_areal[VX_FAST_TILE];   /* −1 or 0 */
    /* The sides of the piece that lie in planes w = k, together, or if that is larger twice the
     * area of what bends beyond them; −1 where the piece is not areal, or may not be convex
     * (docs/DIFFERENCES.md). */
    float width[VX_FAST_TILE];
    /* All of them: the corner before the last is the same as that, and no side in a plane goes from
     * the chain down to the chain up in u. */
    bool are_simple;
} vx_fast_rows;

/* As many triangles as there are lanes. */
typedef struct vx_fast_group {
    const vx_fast_vertex *vertices[3][VX_FAST_TILE]; /* no lane without */
    float slope_cosine;
    uint32_t size[2]; /* W, D */
    /* From setup: the corners as numbers, what is known, and how many rows and cells the triangle
     * may have at most; degenerate ones have none. Cells are cut to VX_FAST_CELLS_MAX. */
    _Alignas(64) float local[3][VX_FAST_AXES][VX_FAST_TILE];
    float corners[3][VX_FAST_AXES][VX_FAST_TILE];
    int32_t known[VX_FAST_TILE];
    int32_t row_count[VX_FAST_TILE], cell_count[VX_FAST_TILE];
    uint32_t alone; /* lanes with rows that are not visited row by row with others, a bit each */
    /* The rows that are visited (SPEC B2.17@e423c9), the present one first. */
    int32_t row[VX_FAST_TILE], row_last[VX_FAST_TILE];
    vx_fast_chains up, down;        /* whose edges run upwards, downwards */
    int32_t bends_up[VX_FAST_TILE]; /* −1 where up has two edges, 0 where down may have */
    bool has_bends;                 /* a chain has two somewhere */
    /* From step: the pieces of the present rows. */
    vx_fast_pieces piece;
    vx_fast_rows rows;
    uint32_t room; /* for the cells of each row, 1, 2, 4 or 8; 0 where one has more */
} vx_fast_group;

enum { VX_FAST_CELLS_MAX = 1 << 22 };

/* The most cells of a row that short_cells takes. */
enum { VX_FAST_SHORT = 8 };
/* So many cells of a row go to their run at once. */
enum { VX_FAST_BLOCK = 8 };
/* The most cells of a row that is worked on beside others of its group. */
enum { VX_FAST_FEW = 8 };

/* What vertices are measured by, axis by axis, and one more. */
typedef struct vx_fast_measure {
    double origin[4];
    float cells[4];
} vx_fast_measure;

typedef struct vx_fast_lane_kernels {
    uint32_t lanes;
    /* SPEC B1.7@206672, B1.8@60cdaa for so many vertices of three numbers each, behind which one
     * more is read. Returns whether all numbers keep to the coordinate rule; a vertex with one that
     * does not is anything. */
    bool (*transform)(const vx_fast_measure *measure, const double *from, size_t count,
                      vx_fast_vertex *to);
    /* SPEC B2.8@3c6046 to B2.12@13dbda, and the beginnings of the chains of areal triangles. */
    void (*setup)(vx_fast_group *group);
    /* SPEC B2.16@bc9ec5: the pieces of the present row in each lane where it is not above
     * row_last, and the chains for the row after it, which becomes the present one. Returns the
     * lanes that had a row, a bit each. */
    uint32_t (*step)(vx_fast_group *group);
    /* SPEC B2.18@3f7fe2, B2.19@f8bcc6, B2.24@ce437d to B2.26@f8f21f for all cells of rows of at
     * most room, 1, 2, 4 or 8. The s-th cell of lane i goes to to[i · room + s]; something stands
     * in places beyond a row's last. Returns, a bit each, the lanes in which it can't tell whether
     * all areas are 0 or not; their cells are to be found another way. */
    uint32_t (*short_cells)(const vx_fast_rows *rows, const float *pieces, uint32_t height,
                            uint32_t room, uint32_t *to);
    /* The same for rows of any number of cells; that cell goes to to[first[i] + s]. There is room
     * for a number of blocks. */
    uint32_t (*long_cells)(const vx_fast_rows *rows, const float *pieces, uint32_t height,
                           const size_t *first, uint32_t *to);
} vx_fast_lane_kernels;

extern const vx_fast_lane_kernels vx_fast_lanes_baseline;
#ifdef __x86_64__
extern const vx_fast_lane_kernels vx_fast_lanes_avx2;
extern const vx_fast_lane_kernels vx_fast_lanes_avx512;
#endif

/* The set of the highest level that the processor has and the mask allows. */
const vx_fast_lane_kernels *vx_fast_choose_lanes(void);

#endif
