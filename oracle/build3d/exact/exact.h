/* SPDX-License-Identifier: MIT */
/* The exact judge of solid heightfields: rational numbers, and for each column the rows that every
 * correct implementation fills and those that a correct one may fill.
 *
 * It takes none of SPEC.md's binary32 steps. What those steps may lose is bounded (docs/TRUST.md);
 * within the bound the judge has no opinion. */
#ifndef VX_EXACT_H
#define VX_EXACT_H

#include <stddef.h>
#include <stdint.h>

#include "voxcert/build3d.h"

typedef enum vx_exact_kind {
    VX_EXACT_EXTRA,  /* rows are filled that no input comes near to */
    VX_EXACT_MISSING /* rows are empty that an input fills for certain */
} vx_exact_kind;

typedef struct vx_exact_finding {
    vx_exact_kind kind;
    int64_t x, z;
    int64_t min, max; /* the rows */
    size_t source;    /* missing: the number of the operation that fills them, from 0 */
    size_t triangle;  /* and its triangle; SIZE_MAX: not a triangle */
} vx_exact_finding;

typedef void vx_exact_report(void *context, const vx_exact_finding *finding);

/* What has been put into a grid so far; the caller frees it with vx_exact_free. size is W, D, H;
 * the origin and the cells are those of the frame (of its bounds, where it has them). NULL when the
 * system has no more memory. */
typedef struct vx_exact_solid vx_exact_solid;
vx_exact_solid *vx_exact_new(const vx_frame *frame, const int64_t size[3]);
void vx_exact_free(vx_exact_solid *solid);

/* The next operation, which SPEC.md accepts. VX_NO_MEMORY. */
vx_status vx_exact_mesh(vx_exact_solid *solid, const vx_mesh *mesh);
vx_status vx_exact_height_grid(vx_exact_solid *solid, const vx_height_grid *grid);
vx_status vx_exact_spans(vx_exact_solid *solid, const vx_span *spans, size_t count);
vx_status vx_exact_chunk(vx_exact_solid *solid, const vx_chunk *chunk);

/* Holds an implementation's rows against all that was put in and reports each finding.
 * VX_NO_MEMORY. */
vx_status vx_exact_compare(vx_exact_solid *solid, const vx_solid_row *rows, size_t count,
                           vx_exact_report *report, void *context);

#endif
