/* SPDX-License-Identifier: MIT */
/* The kernels that work on the 32 columns of a block at once, one set a level of the processor. */
#ifndef VX_FAST_KERNELS_H
#define VX_FAST_KERNELS_H

#include "fast.h"

/* So many layers of the columns beside a block can be looked at together: a power of two. */
enum { VX_FAST_WINDOW = 64 };

/* A block of layers and the four beside it in the order of SPEC B6.5@c31cdf, NULL where nothing is;
 * window has room for the columns to the left and to the right: four times places, which are those
 * of both blocks' layers or of VX_FAST_WINDOW. */
typedef struct vx_fast_surroundings {
    const vx_fast_block *own;
    const vx_fast_block *others[4];
    uint16_t *window;
    size_t places;
} vx_fast_surroundings;

/* 32 columns in layers with two numbers a place: min and max of solid spans, y and height of
 * compact ones. count is 0 where nothing is. */
typedef struct vx_fast_stack {
    const uint16_t *at[2];
    uint32_t count;
} vx_fast_stack;

/* Compact columns, the four beside them in the order of SPEC B7.2@392666, and where the links of
 * each direction go; window and places are as above. */
typedef struct vx_fast_linking {
    vx_fast_stack own, others[4];
    uint8_t *links[4];
    uint16_t *window;
    size_t places;
} vx_fast_linking;

/* How many compact spans a block has, and the most of any column. */
typedef struct vx_fast_tally {
    uint32_t spans, deepest;
} vx_fast_tally;

/* What lies in one block of a run. Whatever stands up to 32 cells before and after may be read. */
typedef struct vx_fast_part {
    const uint32_t *cells;
    uint32_t lane, count; /* columns */
    uint8_t area;
} vx_fast_part;

/* What a volume does to compact spans: those with an area, in lanes first_lane to end_lane − 1 and
 * with low ≤ Y < end, get another one. */
typedef struct vx_fast_paint {
    uint32_t first_lane, end_lane;
    uint32_t low, end; /* at most 2^16 */
    bool all_floors;   /* no Y lies outside */
    uint8_t area;
} vx_fast_paint;

/* Erosion works on words: 32 places of compact spans, a bit each. An edge is the links of some
 * spans of a word that lead to one word, bit i to bit i − turn there. As bits keep to their word,
 * two words side by side may be turned as one number of 64 bits. */
enum { VX_FAST_TURNS = 64 };
typedef struct vx_fast_edge {
    uint32_t spans;
    uint32_t target; /* the word · 64 + turn mod 64 */
} vx_fast_edge;

/* Turned to the left, by a turn or a target. */
static inline uint64_t vx_fast_turned(uint64_t bits, uint32_t turn)
{
    return bits << (turn % VX_FAST_TURNS) | bits >> (-turn % VX_FAST_TURNS);
}

/* Where the edges of a word are: first those along x, then those along z. */
typedef struct vx_fast_edges {
    uint32_t first;
    uint16_t x_count, z_count;
} vx_fast_edges;

/* The edges of one word while they are listed, with room for one that is none: along x up to
 * ends[1], then along z. */
typedef struct vx_fast_edge_list {
    vx_fast_edge items[4 * VX_FAST_LANES + 1];
    uint32_t ends[4]; /* behind those of directions 0, 2, 1 and 3 */
} vx_fast_edge_list;

/* What the edges of a block in layers are listed from: its links, its first word and the number of
 * its layers, and those of the four blocks beside it, 0 where nothing is. */
typedef struct vx_fast_leads {
    const uint8_t *links[4];
    uint32_t word, words;
    uint32_t other_word[4], other_words[4];
} vx_fast_leads;

/* What a word shows to others while distance d is found: its spans at d − 2, and those at d − 1 for
 * which one step along x, or along z, was enough; and to itself, all those at d − 1. An edge along
 * x reads the second and the third number, one along z the first and the second. */
enum { VX_FAST_ALONG_X, VX_FAST_STRAIGHT, VX_FAST_ALONG_Z, VX_FAST_LAST };
typedef struct vx_fast_front {
    _Alignas(16) uint32_t at[4];
} vx_fast_front;

/* One distance of erosion; arrays of something for each word. */
typedef struct vx_fast_reaching {
    const vx_fast_edge *edges;
    const vx_fast_edges *edges_of; /* of words of which something is far */
    const vx_fast_front *now;
    vx_fast_front *next; /* what is shown at the next distance */
    uint32_t *far;       /* spans that are not reached yet */
} vx_fast_reaching;

/* Where nothing else is said, kernels are for grids of at most VX_FAST_LOW_HEIGHT rows; where
 * height and climb are given, H + height + climb ≤ VX_FAST_NO_SPAN, but for the filters with one of
 * them any. */
typedef struct vx_fast_kernels {
    /* Puts cells on the shelf of a block, all on the first level that is free in their columns.
     * Returns whether that was the last level. */
    bool (*lay)(vx_fast_shelf *shelf, const vx_fast_part *part);
    /* SPEC B3.3@146add in a block of layers that has room: the cells of so many levels of a shelf
     * from *level on, which becomes the level to go on from. Returns early, with the columns that
     * are left to be done one by one in the level before, a bit each; or with 0 when the block is
     * full. */
    uint32_t (*merge)(vx_fast_block *block, const vx_fast_shelf *shelf, uint32_t levels,
                      uint32_t threshold, uint32_t *level);
    /* SPEC B6.3@b3f6c6, B6.10@bb40e4 on a block of layers; areas change. */
    void (*low_hanging)(const vx_fast_block *block, int32_t climb);
    void (*low_height)(const vx_fast_block *block, int32_t height);
    /* SPEC B6.5@c31cdf on a block of layers inside the grid. False when columns are too unlike for
     * the window: then some areas may be done, and all may be tested again. */
    bool (*ledges)(const vx_fast_surroundings *around, int32_t height, int32_t climb);
    /* The compact spans of each column of a block of layers (SPEC B7.1@91d48d), modulo 256. */
    vx_fast_tally (*count)(const vx_fast_block *block, uint8_t *counts);
    /* SPEC B7.1@91d48d: layers of compact spans from layers of solid ones. */
    void (*compact)(const vx_fast_block *block, uint32_t layers, uint16_t *y, uint16_t *height,
                    uint8_t *area);
    /* SPEC B7.3@bedabb of 32 columns of compact spans. */
    void (*link)(const vx_fast_linking *linking, int32_t height, int32_t climb);
    /* For words of 32 places of compact spans the spans with an area, and those of them that have
     * four links, a bit each; returns how many have an area. A grid of any height. */
    uint64_t (*linked)(const uint8_t *area, uint8_t *const links[4], size_t count,
                       uint32_t *walkable, uint32_t *linked);
    /* The edges of some spans of a word of a block in layers, which have four links. */
    void (*list)(const vx_fast_leads *leads, uint32_t layer, uint32_t spans,
                 vx_fast_edge_list *list);
    /* SPEC B8.4@f23dc2: finds what of some words is at a distance. Words that show and lack nothing
     * any more leave the array; returns how many stay. */
    size_t (*reach)(const vx_fast_reaching *reaching, uint32_t *awake, size_t count);
    /* SPEC B8.5@f79865: of so many words all but some spans lose their areas. */
    void (*keep)(uint8_t *area, const uint32_t *kept, size_t count);
    /* SPEC B9.5@a07c29 on some layers, one after the other; a grid of any height. */
    void (*paint)(const uint16_t *y, uint8_t *area, size_t layers, const vx_fast_paint *paint);
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

#endif
