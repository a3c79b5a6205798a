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
        words counts = load_words(block->counts + i);
        store_words(block->counts + i, counts + ones_of_mask(given & ~(a.grown | a.bridges)));
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

/* What the ledge test of some spans has seen so far (B6.7@cb7b8e). */
typedef struct seen {
    words low, high; /* of the accessible floors */
    words deep;
} seen;

/* The gaps above one neighbour's spans, from layer first on, against the gap [floor, ceiling). A
 * place without a span has a floor that is never passable. */
static inline void see(seen *s, const vx_fast_layers *other, uint32_t first, words floor,
                       words ceiling, int32_t height, int32_t climb)
{
    words highest = ceiling - (int16_t)height;
    for (uint32_t k = first; k < other->count; k++) {
        words max = load_words(other->max + layer(k));
        words other_floor = max | ((max == 0) & VX_FAST_NO_SPAN);
        if (!any_words(other_floor <= highest)) {
            break;
        }
        words top = least_words(ceiling, ceiling_of(other->min, other->count, k));
        words passable = top - most_words(floor, other_floor) >= (int16_t)height;
        words drop = other_floor - floor;
        words deep = drop < (int16_t)-climb;
        words accessible = passable & ~deep & (drop <= (int16_t)climb);
        s->deep |= passable & deep;
        s->low = least_words(s->low, choose_words(accessible, other_floor, s->low));
        s->high = most_words(s->high, accessible & other_floor);
    }
}

/* The first layer from first on above which a gap reaches high enough over any of the floors. Spans
 * rise from layer to layer, so that what is left out stays out; a column without a span here has
 * none above. */
static inline uint32_t skip(const vx_fast_layers *other, uint32_t first, words max, int32_t height)
{
    words exists = max != 0;
    words least = max + (int16_t)height;
    while (first + 1 < other->count &&
           !any_words(exists & (load_words(other->min + layer(first + 1)) >= least))) {
        first++;
    }
    return first;
}

static void ledges(const vx_fast_block *block, const vx_fast_layers others[4], int32_t height,
                   int32_t climb)
{
    const uint16_t *min = vx_fast_block_min(block);
    const uint16_t *max = vx_fast_block_max(block);
    uint8_t *area = vx_fast_block_area(block);
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        /* The gap below a neighbour's first span: wherever it is passable its drop is too deep. */
        words below = {0};
        vx_fast_layers shifted[4];
        uint32_t first[4] = {0};
        for (size_t d = 0; d < 4; d++) {
            shifted[d] = (vx_fast_layers){others[d].min + i, others[d].max + i, others[d].count};
            below = most_words(below, others[d].count > 0 ? load_words(others[d].min + i)
                                                          : all_words(VX_FAST_NO_SPAN));
        }
        for (uint32_t k = 0; k < block->layers; k++) {
            words walkable = load_halves(area + layer(k) + i) != 0;
            if (!any_words(walkable)) {
                continue;
            }
            /* Where nothing is to be tested, the floor is out of everything's reach. */
            words own_max = load_words(max + layer(k) + i);
            words floor = choose_words(walkable, own_max, all_words(VX_FAST_NO_SPAN - height));
            words ceiling = ceiling_of(min + i, block->layers, k);
            ceiling = choose_words(walkable, ceiling, all_words(0));
            seen s = {.low = all_words(VX_FAST_NO_SPAN),
                      .deep = least_words(ceiling, below) - floor >= (int16_t)height};
            for (size_t d = 0; d < 4; d++) {
                first[d] = skip(&shifted[d], first[d], own_max, height);
                see(&s, &shifted[d], first[d], floor, ceiling, height, climb);
            }
            words ledge = s.deep | (s.high - s.low > (int16_t)climb);
            words kept = load_halves(area + layer(k) + i) & ~ledge;
            store_halves(area + layer(k) + i, kept);
        }
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

static void compact(const vx_fast_block *block, uint32_t layers, uint16_t *y, uint16_t *height,
                    uint8_t *area)
{
    const uint16_t *min = vx_fast_block_min(block);
    const uint16_t *max = vx_fast_block_max(block);
    const uint8_t *areas = vx_fast_block_area(block);
    for (size_t i = 0; i < layer(layers); i++) {
        y[i] = VX_FAST_NO_SPAN;
        height[i] = 0;
        area[i] = 0;
    }
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        words index = {0};
        for (uint32_t k = 0; k < block->layers; k++) {
            words s_area = load_halves(areas + layer(k) + i);
            words walkable = s_area != 0;
            if (!any_words(walkable)) {
                continue;
            }
            words floor = load_words(max + layer(k) + i);
            words ceiling = ceiling_of(min + i, block->layers, k);
            words open = ceiling == VX_FAST_NO_SPAN;
            /* VX_OPEN_HEIGHT is −1 with a sign. */
            words gap = (ceiling - floor) | open;
            for (uint32_t m = 0; m <= k && m < layers; m++) {
                words here = walkable & (index == (int16_t)m);
                size_t at = layer(m) + i;
                store_words(y + at, choose_words(here, floor, load_words(y + at)));
                store_words(height + at, choose_words(here, gap, load_words(height + at)));
                store_halves(area + at, choose_words(here, s_area, load_halves(area + at)));
            }
            index -= walkable;
        }
    }
}

/* The top of the gap above a compact span; an open one is above everything. */
static inline words top_of(words y, words height)
{
    words open = height == -1;
    return choose_words(open, all_words(VX_FAST_NO_SPAN), y + height);
}

/* Whether any span of a layer is at least as high. */
static inline bool reaches(const vx_fast_nearby *other, uint32_t m, uint32_t i, words low)
{
    words y = load_words(other->y + layer(m) + i);
    return any_words((y >= low) & (y != VX_FAST_NO_SPAN));
}

/* The lowest layer from first on in which a span is linked to, for spans where there are some. */
static inline words find_links(const vx_fast_nearby *other, uint32_t first, uint32_t i, words y,
                               words top, int32_t height, int32_t climb)
{
    words found = all_words(VX_LINK_NONE);
    words sought = y != VX_FAST_NO_SPAN;
    for (uint32_t m = first; m < other->count; m++) {
        words t = load_words(other->y + layer(m) + i);
        words reachable = sought & (t - y <= (int16_t)climb);
        if (!any_words(reachable)) {
            break;
        }
        words t_top = top_of(t, load_words(other->height + layer(m) + i));
        words fits = reachable & (t - y >= (int16_t)-climb) &
                     (least_words(top, t_top) - most_words(y, t) >= (int16_t)height);
        found = choose_words(fits, all_words((int32_t)m), found);
        sought &= ~fits;
    }
    return found;
}

static void link(const vx_fast_nearby *own, const vx_fast_nearby *other, uint8_t *links,
                 int32_t height, int32_t climb)
{
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        uint32_t first = 0;
        for (uint32_t k = 0; k < own->count; k++) {
            words y = load_words(own->y + layer(k) + i);
            words top = top_of(y, load_words(own->height + layer(k) + i));
            /* Spans rise from layer to layer: what is too low for all stays so. */
            words low = choose_words(y == VX_FAST_NO_SPAN, y, y - (int16_t)climb);
            while (first < other->count && !reaches(other, first, i, low)) {
                first++;
            }
            store_halves(links + layer(k) + i, find_links(other, first, i, y, top, height, climb));
        }
    }
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
    for (uint32_t i = 0; i < PARTS; i++) {
        in[i] = lanes_between(i * BYTES, p->first_lane, p->end_lane);
    }
    for (const uint8_t *end = area + layers * VX_FAST_LANES; area < end; area += VX_FAST_LANES) {
        for (uint32_t i = 0; i < PARTS; i++) {
            bytes old = load_bytes(area + i * BYTES);
            bytes painted = in[i] & (bytes)(old != 0);
            store_bytes(area + i * BYTES, choose_bytes(painted, all_bytes(p->area), old));
        }
    }
}

const vx_fast_kernels VX_FAST_LEVEL = {lay,   merge,   low_hanging, low_height, ledges,
                                       count, compact, link,        paint};
