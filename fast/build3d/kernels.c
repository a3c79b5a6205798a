/* SPDX-License-Identifier: MIT */
/* The kernels on spans. This file is compiled once for each level, with VX_FAST_LEVEL naming its
 * table. They compute with integers that fit their lanes, so that every level gives the same
 * (docs/DIFFERENCES.md). */
#include "kernels.h"

#include "simd.h"

#ifndef VX_FAST_LEVEL
#define VX_FAST_LEVEL vx_fast_kernels_baseline
#endif

/* Where layer k begins. */
static inline size_t layer(uint32_t k)
{
    return (size_t)k * VX_FAST_LANES;
}

/* --- merging ---------------------------------------------------------------------------------- */

/* What is added, in as many columns as a vector has lanes, and what becomes of it. */
typedef struct added {
    words low, high, area;
    word_mask active;  /* it is not yet in its place */
    word_mask bridges; /* it meets several spans: it is left alone */
    word_mask grown;   /* it has met one span and merged with it */
} added;

/* One layer after the other from the bottom up. A span that is met is replaced by the merged one
 * (B3.4@2229fc). One that meets none takes the place of the first span above it, which takes that
 * of the next, and so on: spans never touch, so that each of them only meets the rule of the first.
 * Where a layer has no span, Min is above all and Max is 0. The last layer has none. */
static inline void add_to_layers(uint16_t *min, uint16_t *max, uint8_t *area, uint32_t layers,
                                 added *a, words threshold)
{
    for (uint32_t k = 0; k < layers && any_mask(a->active); k++) {
        words s_min = load_words(min + layer(k));
        words s_max = load_words(max + layer(k));
        word_mask moves = a->active & above_words(s_min, a->high);
        word_mask meets = a->active & ~moves & ~above_words(a->low, s_max);
        if (!any_mask(moves | meets)) {
            continue;
        }
        words next_min = k + 1 < layers ? load_words(min + layer(k + 1)) : s_min;
        word_mask bridges = meets & ~above_words(next_min, a->high);
        meets &= ~bridges;
        a->bridges |= bridges;
        a->grown |= meets;
        words s_area = load_halves(area + layer(k));
        word_mask higher = above_words(s_max, a->high);
        words top = most_words(s_max, a->high);
        words apart = top - least_words(s_max, a->high);
        words merged = pick_words(above_words(apart, threshold),
                                  pick_words(higher, s_area, a->area), most_words(s_area, a->area));
        words new_min = pick_words(meets, least_words(s_min, a->low), s_min);
        words new_max = pick_words(meets, top, s_max);
        words new_area = pick_words(meets, merged, s_area);
        store_words(min + layer(k), pick_words(moves, a->low, new_min));
        store_words(max + layer(k), pick_words(moves, a->high, new_max));
        store_halves(area + layer(k), pick_words(moves, a->area, new_area));
        a->low = pick_words(moves, s_min, a->low);
        a->high = pick_words(moves, s_max, a->high);
        a->area = pick_words(moves, s_area, a->area);
        a->active &= ~(meets | bridges) & above_words(a->high, all_words(0));
    }
}

/* A layer without spans. */
static inline void clear_layer(const vx_fast_block *block, uint32_t k)
{
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        store_words(vx_fast_block_min(block) + layer(k) + i, all_words(VX_FAST_NO_SPAN));
        store_words(vx_fast_block_max(block) + layer(k) + i, all_words(0));
    }
    for (uint32_t i = 0; i < VX_FAST_LANES; i += BYTES) {
        store_bytes(vx_fast_block_area(block) + layer(k) + i, all_bytes(0));
    }
}

/* One level of cells. Returns the columns that are left, a bit each. */
static inline uint32_t merge_level(vx_fast_block *block, const uint32_t *cells,
                                   const uint8_t *areas, words threshold)
{
    uint16_t *min = vx_fast_block_min(block);
    uint16_t *max = vx_fast_block_max(block);
    uint8_t *area = vx_fast_block_area(block);
    uint32_t layers = block->layers;
    uint32_t left = 0;
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        added a = {.area = load_halves(areas + i)};
        load_pairs(cells + i, &a.low, &a.high);
        word_mask given = above_words(a.high, all_words(0));
        a.active = given;
        add_to_layers(min + i, max + i, area + i, layers + 1, &a, threshold);
        words counts = load_halves(block->counts + i);
        store_halves(block->counts + i, counts + ones_of_mask(given & ~(a.grown | a.bridges)));
        left |= bits_of_mask(a.bridges) << i;
    }
    words top = {0};
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        top |= load_words(max + layer(layers) + i);
    }
    block->layers += any_words(top != 0);
    return left;
}

static uint32_t merge(vx_fast_block *block, const vx_fast_shelf *shelf, uint32_t levels,
                      uint32_t threshold, uint32_t *level)
{
    words cut = all_words(threshold < VX_FAST_NO_SPAN ? (int32_t)threshold : VX_FAST_NO_SPAN);
    uint32_t cleared = block->layers;
    clear_layer(block, cleared);
    while (*level < levels) {
        if (block->layers != cleared) {
            if (block->layers == block->capacity) {
                return 0;
            }
            cleared = block->layers;
            clear_layer(block, cleared);
        }
        uint32_t k = (*level)++;
        uint32_t left = merge_level(block, shelf->cells + layer(k), shelf->areas + layer(k), cut);
        if (left != 0) {
            return left;
        }
    }
    return 0;
}

/* The lanes begin … end − 1 of those from i on. */
static inline bytes lanes_between(uint32_t i, uint32_t begin, uint32_t end)
{
    static const uint8_t numbers[VX_FAST_LANES] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                   11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                   22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    bytes lanes = load_bytes(numbers + i);
    return (bytes)((lanes >= all_bytes(begin)) & (lanes < all_bytes(end)));
}

/* Stores a value in the lanes begin … end − 1 of 32. */
static inline void set_bytes(uint8_t *to, uint32_t begin, uint32_t end, uint32_t value)
{
    for (uint32_t i = 0; i < VX_FAST_LANES; i += BYTES) {
        bytes in = lanes_between(i, begin, end);
        store_bytes(to + i, choose_bytes(in, all_bytes(value), load_bytes(to + i)));
    }
}

static bool lay(vx_fast_shelf *shelf, const vx_fast_part *part)
{
    uint32_t end = part->lane + part->count;
    words lanes[VX_FAST_LANES / WORDS];
    words taken[VX_FAST_LANES / WORDS];
    for (size_t i = 0; i < VX_FAST_LANES / WORDS; i++) {
        words numbers;
        for (size_t j = 0; j < WORDS; j++) {
            numbers[j] = (int16_t)(i * WORDS + j);
        }
        lanes[i] = (numbers >= (int16_t)part->lane) & (numbers < (int16_t)end);
        taken[i] = lanes[i] & load_words(shelf->next + i * WORDS);
    }
    int16_t place = 0;
    for (uint32_t i = 0; i < VX_FAST_LANES / WORDS; i++) {
        while (any_mask(above_words(taken[i], all_words(place)))) {
            place += VX_FAST_LANES;
        }
    }
    ints any = {0};
    for (uint32_t i = 0; i < VX_FAST_LANES; i += LANES) {
        ints numbers;
        for (uint32_t j = 0; j < LANES; j++) {
            numbers[j] = (int32_t)(i + j);
        }
        ints in = (numbers >= (int32_t)part->lane) & (numbers < (int32_t)end);
        int32_t *to = (int32_t *)shelf->cells + place + i;
        ints given = in & load_ints((const int32_t *)part->cells + i - part->lane);
        any |= given;
        store_ints(to, load_ints(to) | given);
    }
    if (bits_of_ints(any != 0) == 0) {
        return false;
    }
    set_bytes(shelf->areas + place, part->lane, end, part->area);
    place += VX_FAST_LANES;
    for (size_t i = 0; i < VX_FAST_LANES / WORDS; i++) {
        words old = load_words(shelf->next + i * WORDS);
        store_words(shelf->next + i * WORDS, choose_words(lanes[i], all_words(place), old));
    }
    return place == VX_FAST_PLACES;
}

/* --- filters ---------------------------------------------------------------------------------- */

/* A number of rows; differences of rows are below VX_FAST_NO_SPAN. */
static inline words all_rows(int32_t count)
{
    return all_words(count < VX_FAST_NO_SPAN ? count : VX_FAST_NO_SPAN);
}

/* From the top layer down, so that the span below still has the area it had before
 * (B6.4@8a3782). */
static void low_hanging(const vx_fast_block *block, int32_t climb)
{
    const uint16_t *max = vx_fast_block_max(block);
    uint8_t *area = vx_fast_block_area(block);
    words most = all_rows(climb);
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        for (uint32_t k = block->layers; k-- > 1;) {
            words s_area = load_halves(area + layer(k) + i);
            words step = load_words(max + layer(k) + i) - load_words(max + layer(k - 1) + i);
            words takes = (s_area == 0) & (step > 0) & (step <= most);
            if (any_words(takes)) {
                words p_area = load_halves(area + layer(k - 1) + i);
                store_halves(area + layer(k) + i, choose_words(takes, p_area, s_area));
            }
        }
    }
}

static void low_height(const vx_fast_block *block, int32_t height)
{
    const uint16_t *min = vx_fast_block_min(block);
    const uint16_t *max = vx_fast_block_max(block);
    uint8_t *area = vx_fast_block_area(block);
    words least = all_rows(height);
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        for (uint32_t k = 0; k + 1 < block->layers; k++) {
            words above = load_words(max + layer(k + 1) + i) != 0;
            words gap = load_words(min + layer(k + 1) + i) - load_words(max + layer(k) + i);
            words low = above & (gap < least);
            if (any_words(low)) {
                words s_area = load_halves(area + layer(k) + i);
                store_halves(area + layer(k) + i, s_area & ~low);
            }
        }
    }
}

/* The gap above layer k of some layers. */
static inline words ceiling_of(const uint16_t *min, uint32_t layers, uint32_t k)
{
    return k + 1 < layers ? load_words(min + layer(k + 1)) : all_words(VX_FAST_NO_SPAN);
}

static inline uint32_t layers_of(const vx_fast_block *block)
{
    return block != NULL ? block->layers : 0;
}

/* One number of a layer's last lane (side 0) or first one (side 1). */
static inline size_t edge_lane(size_t side)
{
    return side == 0 ? VX_FAST_LANES - 1 : 0;
}

/* The lanes from i on of one layer, moved by one: what lies to the left (side 0) or to the right
 * (side 1) of each; edge is beside the layer. */
static inline words beside_words(const uint16_t *from, uint32_t i, size_t side, uint16_t edge)
{
    words own = load_words(from + i);
    return side == 0 ? raise_words(own, i > 0 ? from[i - 1] : edge)
                     : lower_words(own, i + WORDS < VX_FAST_LANES ? from[i + WORDS] : edge);
}

/* Layers of spans as the ledge test sees them: the gaps above them (B6.5@c31cdf). */
typedef struct gaps {
    const uint16_t *min, *max;
    uint32_t count;
} gaps;

static inline gaps gaps_of(const vx_fast_block *block)
{
    return block != NULL ? (gaps){vx_fast_block_min(block), vx_fast_block_max(block), block->layers}
                         : (gaps){0};
}

/* Layers from k = begin on, of which a block has own_count and the one beside it other_count. */
static inline void shift_layers(uint16_t *to, const uint16_t *own, uint32_t own_count,
                                const uint16_t *other, uint32_t other_count, size_t side,
                                uint16_t none)
{
    uint32_t count = own_count > other_count ? own_count : other_count;
    for (uint32_t k = 0; k < count; k++) {
        uint16_t edge = k < other_count ? other[layer(k) + edge_lane(side)] : none;
        for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
            words moved = all_words(none);
            if (k < own_count) {
                moved = beside_words(own + layer(k), i, side, edge);
            }
            store_words(to + layer(k) + i, moved);
        }
        if (k >= own_count) {
            to[layer(k) + VX_FAST_LANES - 1 - edge_lane(side)] = edge;
        }
    }
}

/* The layers of the columns to the left or to the right. */
static inline gaps shift_gaps(const vx_fast_surroundings *around, size_t side)
{
    gaps own = gaps_of(around->own);
    gaps other = gaps_of(around->others[2 * side]);
    uint16_t *min = around->beside + 2 * side * around->places;
    uint16_t *max = min + around->places;
    shift_layers(min, own.min, own.count, other.min, other.count, side, VX_FAST_NO_SPAN);
    shift_layers(max, own.max, own.count, other.max, other.count, side, 0);
    return (gaps){min, max, own.count > other.count ? own.count : other.count};
}

/* What the ledge test of some spans has seen so far (B6.7@cb7b8e). */
typedef struct seen {
    words high, under; /* the highest accessible floor, and how far the lowest is under NO_SPAN */
    word_mask deep;
} seen;

/* What is tested: where nothing is, the floor is out of everything's reach. */
typedef struct tested {
    words floor, ceiling;
    int32_t height, climb;
} tested;

/* The gaps above one neighbour's spans, from layer first on. A place without a span has a floor
 * that is never passable. */
static inline void see(seen *s, const gaps *other, uint32_t first, const tested *t)
{
    words highest = t->ceiling - (int16_t)t->height;
    for (uint32_t k = first; k < other->count; k++) {
        words max = load_words(other->max + layer(k));
        words floor = max | keep_words(~above_words(max, all_words(0)), all_words(VX_FAST_NO_SPAN));
        if (!any_mask(~above_words(floor, highest))) {
            break;
        }
        words top = least_words(t->ceiling, ceiling_of(other->min, other->count, k));
        word_mask passable =
            above_words(top - most_words(t->floor, floor), all_words(t->height - 1));
        words drop = floor - t->floor;
        word_mask deep = above_words(all_words(-t->climb), drop);
        word_mask accessible = passable & ~deep & ~above_words(drop, all_words(t->climb));
        s->deep |= passable & deep;
        s->high = most_words(s->high, keep_words(accessible, floor));
        s->under = most_words(s->under, keep_words(accessible, all_words(VX_FAST_NO_SPAN) - floor));
    }
}

/* The first layer from first on above which a gap reaches high enough over any of the floors that a
 * mask names. Spans rise from layer to layer, so that what is left out stays out; a column without
 * a span here has none above. */
static inline uint32_t skip(const gaps *other, uint32_t first, word_mask which, words least)
{
    while (first + 1 < other->count &&
           !any_mask(which & ~above_words(least, load_words(other->min + layer(first + 1))))) {
        first++;
    }
    return first;
}

/* One layer of spans, WORDS of them. others are the gaps beside these. */
static inline void test_ledges(const vx_fast_block *block, uint32_t i, uint32_t k,
                               const gaps others[4], uint32_t first[4], words below, int32_t height,
                               int32_t climb)
{
    const uint16_t *max = vx_fast_block_max(block) + layer(k) + i;
    uint8_t *area = vx_fast_block_area(block) + layer(k) + i;
    words own_area = load_halves(area);
    word_mask walkable = above_words(own_area, all_words(0));
    if (!any_mask(walkable)) {
        return;
    }
    words own_max = load_words(max);
    word_mask exists = above_words(own_max, all_words(0));
    words least = own_max + (int16_t)height;
    words ceiling = ceiling_of(vx_fast_block_min(block) + i, block->layers, k);
    seen s = {.deep = walkable & ~above_words(least, least_words(ceiling, below))};
    tested t = {.floor = pick_words(walkable, own_max, all_words(VX_FAST_NO_SPAN - height)),
                .ceiling = keep_words(walkable, ceiling),
                .height = height,
                .climb = climb};
    for (size_t d = 0; d < 4 && any_mask(walkable & ~s.deep); d++) {
        first[d] = skip(&others[d], first[d], exists, least);
        see(&s, &others[d], first[d], &t);
    }
    words low = all_words(VX_FAST_NO_SPAN) - s.under;
    word_mask ledge = s.deep | above_words(s.high - low, all_words(climb));
    if (any_mask(walkable & ledge)) {
        store_halves(area, keep_words(~ledge, own_area));
    }
}

static void test_layers(const vx_fast_surroundings *around, int32_t height, int32_t climb)
{
    gaps others[4] = {shift_gaps(around, 0), gaps_of(around->others[1]), shift_gaps(around, 1),
                      gaps_of(around->others[3])};
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        /* The gap below a neighbour's first span: wherever it is passable its drop is too deep. */
        words below = {0};
        uint32_t first[4] = {0};
        for (size_t d = 0; d < 4; d++) {
            below = most_words(below, others[d].count > 0 ? load_words(others[d].min)
                                                          : all_words(VX_FAST_NO_SPAN));
        }
        for (uint32_t k = 0; k < around->own->layers; k++) {
            test_ledges(around->own, i, k, others, first, below, height, climb);
        }
        for (size_t d = 0; d < 4; d++) {
            if (others[d].count > 0) { /* otherwise they may be NULL */
                others[d].min += WORDS;
                others[d].max += WORDS;
            }
        }
    }
}

/* Whether each of the blocks has one layer. */
static inline bool are_single(const vx_fast_surroundings *around)
{
    bool single = around->own->layers == 1;
    for (size_t d = 0; d < 4; d++) {
        single = single && layers_of(around->others[d]) == 1;
    }
    return single;
}

/* The numbers of the four neighbours' only layer. */
static inline void load_single(const uint16_t *own, const uint16_t *const others[4], uint32_t i,
                               words beside[4])
{
    beside[0] = beside_words(own, i, 0, others[0][VX_FAST_LANES - 1]);
    beside[1] = load_words(others[1] + i);
    beside[2] = beside_words(own, i, 1, others[2][0]);
    beside[3] = load_words(others[3] + i);
}

/* Whether a floor in the lanes of a mask has a neighbour whose first span begins so high, or which
 * has none. */
static inline word_mask is_above_nothing(const vx_fast_surroundings *around, uint32_t i,
                                         words least)
{
    const uint16_t *others[4];
    for (size_t d = 0; d < 4; d++) {
        others[d] = vx_fast_block_min(around->others[d]);
    }
    words beside[4];
    load_single(vx_fast_block_min(around->own), others, i, beside);
    words below = most_words(most_words(beside[0], beside[1]), most_words(beside[2], beside[3]));
    return ~above_words(least, below);
}

/* One layer everywhere: all gaps are open, so that each is passable (docs/DIFFERENCES.md). */
static void test_single(const vx_fast_surroundings *around, int32_t height, int32_t climb)
{
    const uint16_t *max = vx_fast_block_max(around->own);
    uint8_t *area = vx_fast_block_area(around->own);
    const uint16_t *others[4];
    for (size_t d = 0; d < 4; d++) {
        others[d] = vx_fast_block_max(around->others[d]);
    }
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        words own_area = load_halves(area + i);
        word_mask walkable = above_words(own_area, all_words(0));
        words floor = load_words(max + i);
        words beside[4];
        load_single(max, others, i, beside);
        words low =
            least_words(least_words(beside[0], beside[1]), least_words(beside[2], beside[3]));
        words most = floor + (int16_t)climb;
        words high = all_words(0);
        for (size_t d = 0; d < 4; d++) {
            high =
                most_words(high, pick_words(above_words(beside[d], most), all_words(0), beside[d]));
        }
        word_mask ledge =
            above_words(floor - (int16_t)climb, low) | above_words(high - low, all_words(climb));
        /* A first span begins below its top, or there is none: only then its Min matters. */
        words top = most_words(most_words(beside[0], beside[1]), most_words(beside[2], beside[3]));
        words least = floor + (int16_t)height;
        if (any_mask(walkable & ~ledge &
                     (above_words(top, least) | ~above_words(low, all_words(0))))) {
            ledge |= is_above_nothing(around, i, least);
        }
        if (any_mask(walkable & ledge)) {
            store_halves(area + i, keep_words(~ledge, own_area));
        }
    }
}

static void ledges(const vx_fast_surroundings *around, int32_t height, int32_t climb)
{
    if (are_single(around)) {
        test_single(around, height, climb);
    } else {
        test_layers(around, height, climb);
    }
}

/* --- compact ---------------------------------------------------------------------------------- */

static void count(const vx_fast_block *block, uint8_t *counts)
{
    const uint8_t *area = vx_fast_block_area(block);
    for (int i = 0; i < VX_FAST_LANES; i++) {
        counts[i] = 0;
    }
    for (uint32_t k = 0; k < block->layers; k++) {
        for (int i = 0; i < VX_FAST_LANES; i++) {
            counts[i] = (uint8_t)(counts[i] + (area[layer(k) + (size_t)i] != 0));
        }
    }
}

/* A block with one layer, all of whose gaps are open. */
static void compact_single(const vx_fast_block *block, uint16_t *y, uint16_t *height, uint8_t *area)
{
    const uint16_t *max = vx_fast_block_max(block);
    const uint8_t *areas = vx_fast_block_area(block);
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        words s_area = load_halves(areas + i);
        word_mask walkable = above_words(s_area, all_words(0));
        store_words(y + i, pick_words(walkable, load_words(max + i), all_words(VX_FAST_NO_SPAN)));
        store_words(height + i, keep_words(walkable, all_words(-1)));
        store_halves(area + i, s_area);
    }
}

/* The walkable spans of one layer, each into the layer that its column has come to. */
static inline void compact_layer(words floor, words gap, words s_area, word_mask walkable,
                                 words index, uint32_t layers, uint16_t *y, uint16_t *height,
                                 uint8_t *area)
{
    for (uint32_t m = 0; m < layers; m++) {
        word_mask here = walkable & ~above_words(index, all_words((int32_t)m)) &
                         ~above_words(all_words((int32_t)m), index);
        size_t at = layer(m);
        store_words(y + at, pick_words(here, floor, load_words(y + at)));
        store_words(height + at, pick_words(here, gap, load_words(height + at)));
        store_halves(area + at, pick_words(here, s_area, load_halves(area + at)));
    }
}

static void compact(const vx_fast_block *block, uint32_t layers, uint16_t *y, uint16_t *height,
                    uint8_t *area)
{
    const uint16_t *min = vx_fast_block_min(block);
    const uint16_t *max = vx_fast_block_max(block);
    const uint8_t *areas = vx_fast_block_area(block);
    if (block->layers == 1) {
        compact_single(block, y, height, area);
        return;
    }
    for (size_t i = 0; i < layer(layers); i += WORDS) {
        store_words(y + i, all_words(VX_FAST_NO_SPAN));
        store_words(height + i, all_words(0));
        store_halves(area + i, all_words(0));
    }
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        words index = {0};
        for (uint32_t k = 0; k < block->layers; k++) {
            words s_area = load_halves(areas + layer(k) + i);
            word_mask walkable = above_words(s_area, all_words(0));
            if (!any_mask(walkable)) {
                continue;
            }
            words floor = load_words(max + layer(k) + i);
            words ceiling = ceiling_of(min + i, block->layers, k);
            /* VX_OPEN_HEIGHT is −1 with a sign. */
            words gap = pick_words(above_words(all_words(VX_FAST_NO_SPAN), ceiling),
                                   ceiling - floor, all_words(-1));
            compact_layer(floor, gap, s_area, walkable, index, k < layers ? k + 1 : layers, y + i,
                          height + i, area + i);
            index += ones_of_mask(walkable);
        }
    }
}

/* The top of the gap above a compact span; an open one is above everything. */
static inline words top_of(words y, words height)
{
    word_mask closed = above_words(height, all_words(-1));
    return pick_words(closed, y + height, all_words(VX_FAST_NO_SPAN));
}

/* The spans of one neighbour's layer that spans of a column are linked to: those that sought names
 * and that are at most climb above. */
static inline word_mask fits(word_mask reachable, words y, words top, words other_y,
                             words other_top, int32_t height, int32_t climb)
{
    words gap = least_words(top, other_top) - most_words(y, other_y);
    return reachable & ~above_words(y - other_y, all_words(climb)) &
           above_words(gap, all_words(height - 1));
}

static inline word_mask is_span(words y)
{
    return above_words(all_words(VX_FAST_NO_SPAN), y);
}

/* Whether any span of a layer is at least as high. */
static inline bool reaches(const vx_fast_nearby *other, uint32_t m, words low)
{
    words y = load_words(other->y + layer(m));
    return any_mask(is_span(y) & ~above_words(low, y));
}

/* The lowest layer from first on in which a span is linked to, for spans where there are some. */
static inline words find_links(const vx_fast_nearby *other, uint32_t first, words y, words top,
                               int32_t height, int32_t climb)
{
    words found = all_words(VX_LINK_NONE);
    word_mask sought = is_span(y);
    for (uint32_t m = first; m < other->count; m++) {
        words t = load_words(other->y + layer(m));
        word_mask reachable = sought & ~above_words(t - y, all_words(climb));
        if (!any_mask(reachable)) {
            break;
        }
        words t_top = top_of(t, load_words(other->height + layer(m)));
        word_mask here = fits(reachable, y, top, t, t_top, height, climb);
        found = pick_words(here, all_words((int32_t)m), found);
        sought &= ~here;
    }
    return found;
}

static inline void link_direction(const vx_fast_nearby *own, const vx_fast_nearby *other,
                                  uint8_t *links, int32_t height, int32_t climb)
{
    if (other->count == 0) {
        memset(links, VX_LINK_NONE, layer(own->count));
        return;
    }
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        uint32_t first = 0;
        vx_fast_nearby at = {other->y + i, other->height + i, other->count};
        for (uint32_t k = 0; k < own->count; k++) {
            words y = load_words(own->y + layer(k) + i);
            words top = top_of(y, load_words(own->height + layer(k) + i));
            /* Spans rise from layer to layer: what is too low for all stays so. */
            words low = pick_words(is_span(y), y - (int16_t)climb, y);
            while (first < other->count && !reaches(&at, first, low)) {
                first++;
            }
            store_halves(links + layer(k) + i, find_links(&at, first, y, top, height, climb));
        }
    }
}

/* The columns to the left or to the right. */
static inline vx_fast_nearby shift_nearby(const vx_fast_linking *l, size_t side)
{
    const vx_fast_nearby *own = &l->own;
    const vx_fast_nearby *other = &l->others[2 * side];
    uint16_t *y = l->beside + 2 * side * l->places;
    uint16_t *gap = y + l->places;
    shift_layers(y, own->y, own->count, other->y, other->count, side, VX_FAST_NO_SPAN);
    shift_layers(gap, own->height, own->count, other->height, other->count, side, 0);
    return (vx_fast_nearby){y, gap, own->count > other->count ? own->count : other->count};
}

/* One layer everywhere. */
static void link_single(const vx_fast_linking *l, int32_t height, int32_t climb)
{
    const uint16_t *others_y[4];
    const uint16_t *others_height[4];
    for (size_t d = 0; d < 4; d++) {
        others_y[d] = l->others[d].y;
        others_height[d] = l->others[d].height;
    }
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        words y = load_words(l->own.y + i);
        words top = top_of(y, load_words(l->own.height + i));
        words beside_y[4];
        words beside_height[4];
        load_single(l->own.y, others_y, i, beside_y);
        load_single(l->own.height, others_height, i, beside_height);
        for (size_t d = 0; d < 4; d++) {
            words t = beside_y[d];
            word_mask reachable = is_span(y) & ~above_words(t - y, all_words(climb));
            word_mask here = fits(reachable, y, top, t, top_of(t, beside_height[d]), height, climb);
            store_halves(l->links[d] + i, keep_words(~here, all_words(VX_LINK_NONE)));
        }
    }
}

static void link(const vx_fast_linking *l, int32_t height, int32_t climb)
{
    bool single = l->own.count == 1;
    for (size_t d = 0; d < 4; d++) {
        single = single && l->others[d].count == 1;
    }
    if (single) {
        link_single(l, height, climb);
        return;
    }
    const vx_fast_nearby left = shift_nearby(l, 0);
    const vx_fast_nearby right = shift_nearby(l, 1);
    link_direction(&l->own, &left, l->links[0], height, climb);
    link_direction(&l->own, &l->others[1], l->links[1], height, climb);
    link_direction(&l->own, &right, l->links[2], height, climb);
    link_direction(&l->own, &l->others[3], l->links[3], height, climb);
}

/* --- erosion ---------------------------------------------------------------------------------- */

/* At most 255 words: of each of 32 places the spans are counted in a byte. */
static inline uint64_t link_words(const uint8_t *area, const uint8_t *const links[4], size_t count,
                                  uint32_t *walkable, uint32_t *linked)
{
    enum { PARTS = VX_FAST_LANES / BYTES };
    uint8_t counts[VX_FAST_LANES];
    bytes found[PARTS] = {0};
    for (size_t w = 0; w < count; w++) {
        walkable[w] = 0;
        linked[w] = 0;
        for (uint32_t i = 0; i < VX_FAST_LANES; i += BYTES) {
            size_t at = w * VX_FAST_LANES + i;
            bytes has = (bytes)(load_bytes(area + at) != 0);
            bytes none = (bytes){0};
            for (size_t d = 0; d < 4; d++) {
                none |= (bytes)(load_bytes(links[d] + at) == all_bytes(VX_LINK_NONE));
            }
            found[i / BYTES] -= has;
            walkable[w] |= bits_of_bytes(has) << i;
            linked[w] |= bits_of_bytes(has & ~none) << i;
        }
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < VX_FAST_LANES; i += BYTES) {
        store_bytes(counts + i, found[i / BYTES]);
    }
    for (size_t i = 0; i < VX_FAST_LANES; i++) {
        sum += counts[i];
    }
    return sum;
}

static uint64_t linked(const uint8_t *area, uint8_t *const links[4], size_t count,
                       uint32_t *walkable, uint32_t *linked)
{
    uint64_t sum = 0;
    for (size_t w = 0; w < count; w += UINT8_MAX) {
        size_t at = w * VX_FAST_LANES;
        const uint8_t *const from[] = {links[0] + at, links[1] + at, links[2] + at, links[3] + at};
        size_t some = count - w < UINT8_MAX ? count - w : UINT8_MAX;
        sum += link_words(area + at, from, some, walkable + w, linked + w);
    }
    return sum;
}

/* --- volumes ---------------------------------------------------------------------------------- */

/* Rows without a sign. */
typedef uint16_t rows __attribute__((vector_size(VECTOR)));

/* The words of a layer whose Y lie in an interval, and those that are in one of lanes. */
static inline words lies_between(words y, const vx_fast_paint *p)
{
    rows above = (rows)y - (uint16_t)p->low;
    return (words)(above <= (uint16_t)(p->end - 1 - p->low));
}

static void paint_floors(const uint16_t *y, uint8_t *area, size_t layers, const vx_fast_paint *p)
{
    uint8_t in[VX_FAST_LANES];
    memset(in, 0, sizeof in);
    set_bytes(in, p->first_lane, p->end_lane, 1);
    for (size_t k = 0; k < layers * VX_FAST_LANES; k += WORDS) {
        words old = load_halves(area + k);
        words painted = (old != 0) & (load_halves(in + k % VX_FAST_LANES) != 0) &
                        lies_between(load_words(y + k), p);
        store_halves(area + k, choose_words(painted, all_words(p->area), old));
    }
}

static void paint(const uint16_t *y, uint8_t *area, size_t layers, const vx_fast_paint *p)
{
    enum { PARTS = VX_FAST_LANES / BYTES };
    bytes in[PARTS];
    if (!p->all_floors) {
        paint_floors(y, area, layers, p);
        return;
    }
    for (uint32_t i = 0; i < VX_FAST_LANES; i += BYTES) {
        in[i / BYTES] = lanes_between(i, p->first_lane, p->end_lane);
    }
    for (const uint8_t *end = area + layers * VX_FAST_LANES; area < end; area += VX_FAST_LANES) {
        for (uint32_t i = 0; i < VX_FAST_LANES; i += BYTES) {
            bytes old = load_bytes(area + i);
            bytes painted = in[i / BYTES] & (bytes)(old != 0);
            store_bytes(area + i, choose_bytes(painted, all_bytes(p->area), old));
        }
    }
}

const vx_fast_kernels VX_FAST_LEVEL = {lay,   merge,   low_hanging, low_height, ledges,
                                       count, compact, link,        linked,     paint};
