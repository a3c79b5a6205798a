/* SPDX-License-Identifier: MIT */
/* A block of compact spans and its neighbours, for kernels on layers (SPEC B7.3@bedabb,
 * B8.2@3da75b, B8.3@d10d43). */
#ifndef VX_FAST_BESIDE_H
#define VX_FAST_BESIDE_H

#include "kernels.h"

/* A block and the four beside it in the order of SPEC B7.2@392666, NULL outside the grid. suits
 * says that all that exist are in layers or empty. */
typedef struct vx_fast_around {
    const vx_fast_compact_block *own;
    const vx_fast_compact_block *others[4];
    bool suits;
} vx_fast_around;

/* Where the places of a block begin. */
static inline size_t vx_fast_first_place(const vx_fast_compact_block *block)
{
    return (size_t)block->word * VX_FAST_LANES;
}

static inline bool vx_fast_is_layered(const vx_fast_compact_block *block)
{
    return block == NULL || block->in_layers;
}

static inline vx_fast_around vx_fast_around_of(const vx_build3d *field, size_t z, size_t index)
{
    size_t wide = field->blocks_wide;
    const vx_fast_compact_block *own = field->compact.blocks + z * wide + index;
    vx_fast_around n = {.own = own,
                        .others = {index > 0 ? own - 1 : NULL,
                                   z + 1 < field->size[1] ? own + wide : NULL,
                                   index + 1 < wide ? own + 1 : NULL, z > 0 ? own - wide : NULL}};
    n.suits = field->compact.in_layers;
    n.suits = n.suits || (vx_fast_is_layered(own) && vx_fast_is_layered(n.others[0]) &&
                          vx_fast_is_layered(n.others[1]) && vx_fast_is_layered(n.others[2]) &&
                          vx_fast_is_layered(n.others[3]));
    return n;
}

#endif
