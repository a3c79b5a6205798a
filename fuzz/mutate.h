/* SPDX-License-Identifier: MIT */
/* Changes of inputs that know what the bytes mean (fuzz/decode.h). */
#ifndef VX_FUZZ_MUTATE_H
#define VX_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

#include "random.h"

typedef struct vx_bytes {
    const uint8_t *bytes;
    size_t size;
} vx_bytes;

typedef enum vx_mutation {
    VX_MUTATE_BYTES,     /* a byte anew, flipped, put in or left out */
    VX_MUTATE_SWAP,      /* two parts of one kind */
    VX_MUTATE_DUPLICATE, /* a part, once more behind itself */
    VX_MUTATE_DROP,      /* a part */
    VX_MUTATE_COPY,      /* a number over another: coordinates become equal */
    VX_MUTATE_SNAP,      /* a number to a plane of the grid */
    VX_MUTATE_NEGATE,    /* a number */
    VX_MUTATE_STEP,      /* a number to its neighbour above or below */
    VX_MUTATE_ROTATE,    /* the corners of a triangle */
    VX_MUTATIONS
} vx_mutation;

/* Changes the bytes by the one mutation. Returns the new size; the old one with nothing changed
 * where there is no part that it fits. */
size_t vx_fuzz_mutate_by(vx_mutation mutation, uint8_t *bytes, size_t size, size_t max_size,
                         unsigned ops, vx_random *random);

/* By some mutations, one to four. */
size_t vx_fuzz_mutate(uint8_t *bytes, size_t size, size_t max_size, unsigned ops,
                      vx_random *random);

/* The start of one case, up to one of its steps, and the other's from one of its steps on. */
size_t vx_fuzz_splice(vx_bytes a, vx_bytes b, uint8_t *out, size_t max_size, unsigned ops,
                      vx_random *random);

#endif
