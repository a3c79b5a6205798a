/* SPDX-License-Identifier: MIT */
/* The exact judge of build3d: rational numbers and the definitions of SPEC.md, held against what an
 * implementation made of each step.
 *
 * It takes none of SPEC.md's binary32 steps. What those steps may lose is bounded (docs/TRUST.md);
 * within the bound the judge has no opinion. Each step is judged on the implementation's own result
 * of the step before, so that one fault is found once. */
#ifndef VX_EXACT_H
#define VX_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "voxcert/build3d.h"

enum { VX_EXACT_TEXT = 240 };

/* What is wrong at one place. */
typedef struct vx_exact_finding {
    const char *clause; /* of SPEC.md */
    int64_t x, z;       /* the column; −1, −1: none */
    int64_t min, max;   /* the rows min … max − 1; none where they are equal */
    char text[VX_EXACT_TEXT];
} vx_exact_finding;

/* Who hears of findings, and of how far the judge is. */
typedef struct vx_exact_court {
    void (*report)(void *context, const vx_exact_finding *finding);
    void (*tick)(void *context, uint64_t cost); /* so much is done; may be NULL */
    void *context;
} vx_exact_court;

/* --- solid heightfields (SPEC B1 to B5) ------------------------------------------------------- */

/* What a step puts into a grid; the caller frees it with vx_exact_free. size is W, D, H; the origin
 * and the cells are those of the frame (of its bounds, where it has them). NULL when the system has
 * no more memory. */
typedef struct vx_exact_solid vx_exact_solid;
vx_exact_solid *vx_exact_new(const vx_frame *frame, const int64_t size[3]);
void vx_exact_free(vx_exact_solid *solid);

/* The operation, which SPEC.md accepts: notes which rows it must fill, and which it may.
 * VX_NO_MEMORY. */
vx_status vx_exact_mesh(vx_exact_solid *solid, const vx_mesh *mesh, const vx_exact_court *court);
vx_status vx_exact_height_grid(vx_exact_solid *solid, const vx_height_grid *grid,
                               const vx_exact_court *court);
vx_status vx_exact_spans(vx_exact_solid *solid, const vx_span *spans, size_t count,
                         int64_t merge_threshold);
vx_status vx_exact_chunk(vx_exact_solid *solid, const vx_chunk *chunk);

/* What judging the operation costs, in cells of triangles; a little more or less. At most limit + 1
 * is counted. */
uint64_t vx_exact_mesh_cost(const vx_exact_solid *solid, const vx_mesh *mesh, uint64_t limit);
uint64_t vx_exact_height_grid_cost(const vx_exact_solid *solid, const vx_height_grid *grid,
                                   uint64_t limit);

typedef struct vx_exact_solid_rows {
    const vx_solid_row *rows;
    size_t count;
    uint64_t degenerate; /* SPEC B2.10 */
} vx_exact_solid_rows;

/* How much was known of the spans' areas. */
typedef struct vx_exact_areas {
    size_t several; /* spans that may have more than one area: within the bound */
    size_t open;    /* spans of columns that may have come out in too many ways: only whether
                     * something there has that area was judged */
    bool bound;     /* what is closer than the bound was left open: rows, areas or triangles */
} vx_exact_areas;

/* Holds the rows after the operations since vx_exact_new, or since the last call, against those
 * before and what the operations put in. The operations are forgotten. VX_NO_MEMORY. */
vx_status vx_exact_compare(vx_exact_solid *solid, vx_exact_solid_rows before,
                           vx_exact_solid_rows after, const vx_exact_court *court,
                           vx_exact_areas *areas);

/* --- what SPEC.md refuses --------------------------------------------------------------------- */

/* The clause that refuses the operation, NULL when it is accepted. */
const char *vx_exact_refuse_mesh(const vx_mesh *mesh);
const char *vx_exact_refuse_spans(const int64_t size[3], const vx_span *spans, size_t count,
                                  int64_t merge_threshold);
const char *vx_exact_refuse_height_grid(const vx_height_grid *grid);
const char *vx_exact_refuse_numbers(int64_t height, int64_t climb, int64_t radius);
/* The same; VX_NO_MEMORY. */
vx_status vx_exact_refuse_chunk(const vx_chunk *chunk, const char **clause);

/* The same; *open: within the bound of SPEC B1.6, or of B9.2, it may be refused as well. */
const char *vx_exact_refuse_frame(const vx_frame *frame, bool *open);
const char *vx_exact_refuse_volume(const vx_volume *volume, bool *open);

/* --- rows ------------------------------------------------------------------------------------- */

typedef struct vx_exact_compact_rows {
    const vx_compact_row *rows;
    size_t count;
} vx_exact_compact_rows;

/* Whether the size is that of the frame, which is accepted (SPEC B1.1, B1.6); reports otherwise. */
bool vx_exact_check_size(const vx_frame *frame, const int64_t size[3], const vx_exact_court *court);

/* Whether the rows are a heightfield in a grid of that size; reports what is wrong. Only such rows
 * are judged further. */
bool vx_exact_check_solid(const int64_t size[3], vx_exact_solid_rows rows,
                          const vx_exact_court *court);
vx_status vx_exact_check_compact(const int64_t size[3], vx_exact_compact_rows rows,
                                 const vx_exact_court *court, bool *good); /* VX_NO_MEMORY */

/* Where the rows of each column begin: those of column c are first[c] … first[c + 1] − 1. */
typedef struct vx_exact_columns {
    int64_t size[2];
    size_t *first;
} vx_exact_columns;

/* Of solid or compact rows that are a heightfield. VX_NO_MEMORY. */
vx_status vx_exact_columns_make(const int64_t size[3], const void *rows, size_t row_size,
                                size_t count, vx_exact_columns *columns);
void vx_exact_columns_free(vx_exact_columns *columns);

/* The rows of the column beside x, z in a direction (SPEC B7.2); false outside the grid. */
bool vx_exact_neighbour(const vx_exact_columns *columns, int64_t x, int64_t z, int direction,
                        size_t *begin, size_t *end);

/* --- filters, links, erosion, volumes (SPEC B6 to B9) ----------------------------------------- */

typedef enum vx_exact_filter {
    VX_EXACT_LOW_HANGING,
    VX_EXACT_LEDGES,
    VX_EXACT_LOW_HEIGHT
} vx_exact_filter;

/* All judges below want rows that are heightfields, and return VX_OK or VX_NO_MEMORY. */
vx_status vx_exact_judge_filter(const int64_t size[3], vx_exact_filter filter, int64_t height,
                                int64_t climb, vx_exact_solid_rows before,
                                vx_exact_solid_rows after, const vx_exact_court *court);
vx_status vx_exact_judge_compact(const int64_t size[3], int64_t height, int64_t climb,
                                 vx_exact_solid_rows before, vx_exact_compact_rows after,
                                 const vx_exact_court *court);
vx_status vx_exact_judge_erosion(const int64_t size[3], int64_t radius,
                                 vx_exact_compact_rows before, vx_exact_compact_rows after,
                                 const vx_exact_court *court);

/* How exact and computed signs compared. */
typedef struct vx_exact_centres {
    size_t asked;     /* centres of columns with a span */
    size_t otherwise; /* of those, which binary64 takes for inside and exact numbers do not, or the
                       * other way round */
    size_t open;      /* within the bound of one or the other */
    size_t spans;     /* that may have the volume's area or not: centre or floor are that close */
    bool no_shape;    /* every side of the volume is within the bound: nothing was judged */
} vx_exact_centres;

vx_status vx_exact_judge_volume(const vx_frame *frame, const vx_volume *volume,
                                vx_exact_compact_rows before, vx_exact_compact_rows after,
                                const vx_exact_court *court, vx_exact_centres *centres);

/* How many pairs of spans in neighbouring columns there are, which the ledges and links compare.
 * VX_NO_MEMORY. */
vx_status vx_exact_pairs(const int64_t size[3], const void *rows, size_t row_size, size_t count,
                         uint64_t *pairs);

/* Whether two compact heightfields differ in areas alone; reports the clause otherwise. */
bool vx_exact_same_spans(vx_exact_compact_rows before, vx_exact_compact_rows after,
                         const char *clause, const vx_exact_court *court);

#endif
