/* SPDX-License-Identifier: MIT */
/* Rows in layers, and the kernels that work on many columns of them at once, one set a level. */
#ifndef VX_FAST_KERNELS_H
#define VX_FAST_KERNELS_H

#include "fast.h"

/* Columns that a kernel takes at once. */
enum { VX_FAST_LANES = 64 };

/* Layer k of a row holds the k-th span of every column as the rows [low, high) of the gap above it;
 * high is VX_FAST_NO_GAP where a column has fewer spans. */
#define VX_FAST_NO_GAP (-VX_ROWS_MAX)

typedef struct vx_fast_layers {
    const int32_t *low, *high; /* of 64 columns of layer 0 */
    size_t stride;             /* from layer to layer */
    uint32_t count;
} vx_fast_layers;

/* What 64 ledge tests have seen so far (SPEC B6.7@cb7b8e): accessible floors between low and high,
 * and whether a drop is too deep. */
typedef struct vx_fast_seen {
    int32_t low[VX_FAST_LANES], high[VX_FAST_LANES], deep[VX_FAST_LANES];
} vx_fast_seen;

typedef struct vx_fast_kernels {
    /* SPEC B6.6@47b689 of one gap in each of 64 columns against all gaps above spans of a
     * neighbour. */
    void (*see)(vx_fast_seen *seen, const int32_t *low, const int32_t *high,
                const vx_fast_layers *other, int32_t height, int32_t climb);
    /* SPEC B7.3@bedabb of one span in each of 64 columns: the links to a neighbour with at most 62
     * spans.
     */
    void (*link)(uint8_t *links, const int32_t *low, const int32_t *high,
                 const vx_fast_layers *other, int32_t height, int32_t climb);
} vx_fast_kernels;

extern const vx_fast_kernels vx_fast_kernels_baseline;
#ifdef __x86_64__
extern const vx_fast_kernels vx_fast_kernels_avx2;
extern const vx_fast_kernels vx_fast_kernels_avx512;
#endif

/* The set of the highest level that the processor has and the mask allows. */
const vx_fast_kernels *vx_fast_choose_kernels(void);

/* For tests: the levels that fields opened from now on may use, bit 0 the baseline (always there),
 * 1 AVX2, 2 AVX-512. Returns the mask before. */
enum { VX_FAST_BASELINE = 1, VX_FAST_AVX2 = 2, VX_FAST_AVX512 = 4 };
unsigned vx_fast_set_levels(unsigned mask);

/* --- layers.c --------------------------------------------------------------------------------- */

/* Three rows in layers: that of z, its forerunner and its successor, as they are asked for. */
enum { VX_FAST_WINDOW = 3, VX_FAST_LAYERS_MAX = 16 };

typedef struct vx_fast_window {
    const vx_build3d *field;
    int32_t *memory;
    size_t stride;
    size_t blocks; /* of 64 columns, with one before the first and one behind the last column */
    /* Whether the row in each place is in layers. One that is too deep or too uneven is not, and
     * the work of its neighbours is done column by column. */
    bool suits[VX_FAST_WINDOW];
    uint32_t *depths[VX_FAST_WINDOW]; /* of each block */
} vx_fast_window;

vx_status vx_fast_window_open(vx_build3d *field, vx_fast_window *window, vx_error *error);
/* Puts row z into its place. */
void vx_fast_window_load_solid(vx_fast_window *window, size_t z);
void vx_fast_window_load_compact(vx_fast_window *window, size_t z);
/* Whether rows z − 1, z and z + 1, as far as they exist, are there in layers. */
bool vx_fast_window_is_ready(const vx_fast_window *window, size_t z);
/* The layers of 64 columns of row z from column x on; x may be −1. */
vx_fast_layers vx_fast_window_at(const vx_fast_window *window, size_t z, int64_t x);

#endif
