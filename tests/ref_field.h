/* SPDX-License-Identifier: MIT */
/* A field of the reference for its tests, and its whole state as one line of text. */
#ifndef VX_REF_FIELD_H
#define VX_REF_FIELD_H

#include <math.h>

#include "voxcert/build3d.h"

typedef struct ref_field {
    const vx_build3d_impl *impl;
    vx_arena arena;
    vx_build3d *field;
    vx_error error; /* of the last call; its message is "" after a success */
} ref_field;

/* A field over a grid with cs = ch = 1 and its origin at 0, or over a frame. */
void ref_open(ref_field *f, int64_t W, int64_t D, int64_t H);
void ref_open_frame(ref_field *f, const vx_frame *frame);
void ref_close(ref_field *f);

/* "x z min max area" or "x z y height area l0 l1 l2 l3" for each row, "; " between; before them
 * "degenerate N: " when N is not 0. The next call but one overwrites it. */
const char *ref_rows(const ref_field *f);

/* The state must be this one. */
void ref_expect(const ref_field *f, const char *name, const char *rows);

/* The call's status must be this one, and its message too ("" for VX_OK). */
void ref_expect_status(const ref_field *f, const char *name, vx_status actual, vx_status status,
                       const char *message);

/* Operations on the field with f->error. */
vx_status ref_rasterize(ref_field *f, const vx_mesh *mesh);
vx_status ref_add(ref_field *f, int64_t x, int64_t z, int64_t min, int64_t max, int64_t area,
                  int64_t T);
vx_status ref_height_grid(ref_field *f, const vx_height_grid *grid);
vx_status ref_chunk(ref_field *f, const vx_chunk *chunk);
vx_status ref_compact(ref_field *f, int64_t height, int64_t climb);
vx_status ref_volume(ref_field *f, const vx_volume *volume);

/* Adds count spans with T = 0, which must succeed. */
void ref_add_all(ref_field *f, const vx_span *spans, size_t count);

/* A repeatable random number in [0, below). */
int64_t ref_random(uint64_t *state, int64_t below);

/* Of binary64, as most inputs are. */
#define REF_NAN ((double)NAN)
#define REF_INFINITY ((double)INFINITY)

#define REF_COUNT(array) (sizeof(array) / sizeof(array)[0])

#endif
