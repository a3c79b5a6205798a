/* SPDX-License-Identifier: MIT */
/* The kernels on spans. This file is compiled once for each level, with VX_FAST_LEVEL naming its
 * table. They compute with integers that fit their lanes, so that every level gives the same
 * (docs/DIFFERENCES.md). */
#include "kernels.h"

#include <assert.h>

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

/* The first layer in which anything is met, or would move: all further ones are so as well, as
 * spans rise and a place without one would move. Few layers are not worth the search. */
static inline uint32_t first_layer(const uint16_t *min, const uint16_t *max, uint32_t layers,
                                   const added *a)
{
    enum { FEW = 64, NEAR = 8 };
    uint32_t low = 0;
    for (uint32_t high = layers; layers > FEW && high - low > NEAR;) {
        uint32_t k = low + (high - low) / 2;
        if (any_mask(a->active & (above_words(load_words(min + layer(k)), a->high) |
                                  ~above_words(a->low, load_words(max + layer(k)))))) {
            high = k;
        } else {
            low = k + 1;
        }
    }
    return low;
}

/* One layer after the other from the bottom up. A span that is met is replaced by the merged one
 * (B3.4@2229fc). One that meets none takes the place of the first span above it, which takes that
 * of the next, and so on: spans never touch, so that each of them only meets the rule of the first.
 * Where a layer has no span, Min is above all and Max is 0. The last layer has none. */
static inline void add_to_layers(uint16_t *min, uint16_t *max, uint8_t *area, uint32_t layers,
                                 added *a, words threshold)
{
    uint32_t first = first_layer(min, max, layers, a);
    for (uint32_t k = first; k < layers && any_mask(a->active); k++) {
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
    uint16_t *wide_counts = vx_fast_wide_counts(block);
    uint32_t left = 0;
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        added a = {.area = load_halves(areas + i)};
        load_pairs(cells + i, &a.low, &a.high);
        word_mask given = above_words(a.high, all_words(0));
        a.active = given;
        add_to_layers(min + i, max + i, area + i, layers + 1, &a, threshold);
        words more = ones_of_mask(given & ~(a.grown | a.bridges));
        if (wide_counts != NULL) {
            store_words(wide_counts + i, load_words(wide_counts + i) + more);
        } else {
            store_halves(block->counts + i, load_halves(block->counts + i) + more);
        }
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

/* The two numbers of a place in a stack: of solid spans, and of compact ones. */
enum { MIN, MAX, Y = 0, HEIGHT };

/* What a place without a span has of them. */
static const uint16_t no_span[] = {VX_FAST_NO_SPAN, 0};

static inline vx_fast_stack stack_of(const vx_fast_block *block)
{
    return block != NULL ? (vx_fast_stack){{vx_fast_block_min(block), vx_fast_block_max(block)},
                                           block->layers}
                         : (vx_fast_stack){0};
}

/* Compiled anew for the constants of each caller. */
#define FOR_CONSTANTS static inline __attribute__((always_inline))

/* What the columns to one side of a block are made of, and where they go. */
typedef struct moving {
    const vx_fast_stack *own, *other;
    uint16_t *window; /* number n of layer k is at n · places + layer(k mod VX_FAST_WINDOW) */
    size_t places;
    size_t side;
} moving;

static inline moving moving_of(const vx_fast_stack *own, const vx_fast_stack *other, size_t side,
                               uint16_t *window, size_t places)
{
    return (moving){own, other, window + 2 * side * places, places, side};
}

/* Number n of layers begin … end − 1. */
FOR_CONSTANTS void move_number(const moving *m, size_t n, size_t side, uint32_t begin, uint32_t end)
{
    const uint16_t *own = m->own->at[n];
    const uint16_t *other = m->other->at[n];
    uint32_t own_count = m->own->count;
    uint32_t other_count = m->other->count;
    uint16_t *window = m->window + n * m->places;
    for (uint32_t k = begin; k < end; k++) {
        uint16_t *to = window + layer(k % VX_FAST_WINDOW);
        uint16_t edge = k < other_count ? other[layer(k) + edge_lane(side)] : no_span[n];
        for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
            words moved = all_words(no_span[n]);
            if (k < own_count) {
                moved = beside_words(own + layer(k), i, side, edge);
            }
            store_words(to + i, moved);
        }
        if (k >= own_count) {
            to[VX_FAST_LANES - 1 - edge_lane(side)] = edge;
        }
    }
}

FOR_CONSTANTS void move_layers(const moving *m, size_t side, uint32_t begin, uint32_t end)
{
    move_number(m, 0, side, begin, end);
    move_number(m, 1, side, begin, end);
}

/* The columns to a side, all that fit into the window. */
FOR_CONSTANTS vx_fast_stack move_stack(const moving *m, size_t side)
{
    uint32_t count = m->own->count > m->other->count ? m->own->count : m->other->count;
    move_layers(m, side, 0, count < VX_FAST_WINDOW ? count : VX_FAST_WINDOW);
    return (vx_fast_stack){{m->window, m->window + m->places}, count};
}

/* The same for further ones, or once more for the first. */
__attribute__((noinline)) static void move_more(const moving *m, uint32_t begin, uint32_t end)
{
    if (m->side == 0) {
        move_layers(m, 0, begin, end);
    } else {
        move_layers(m, 1, begin, end);
    }
}

/* WORDS columns in one direction, and the first layer that still matters as the ledge test goes
 * through them from the bottom up. */
typedef struct neighbours {
    const uint16_t *at[2];
    uint32_t count, first;
} neighbours;

/* The lanes from i on. */
static inline neighbours neighbours_of(const vx_fast_stack *stack, uint32_t i)
{
    neighbours at = {.count = stack->count};
    for (size_t n = 0; n < 2 && stack->count > 0; n++) { /* otherwise they may be NULL */
        at.at[n] = stack->at[n] + i;
    }
    return at;
}

/* Of such columns with more layers than can be looked at together, those that can be now: the ones
 * before ready. */
typedef struct view {
    uint32_t ready;
    uint32_t mask;        /* layer k is at k & mask */
    word_mask ended;      /* columns that have no span from there on which matters */
    const moving *moving; /* NULL: where they stand */
} view;

static inline view view_of(const neighbours *at, const moving *m)
{
    view made = {.ready = at->count < VX_FAST_WINDOW ? at->count : VX_FAST_WINDOW,
                 .mask = m != NULL ? VX_FAST_WINDOW - 1 : UINT32_MAX,
                 .moving = m};
    if (m != NULL) {
        move_more(m, 0, made.ready);
    }
    return made;
}

/* Lets further layers be looked at when few are left; whether there are more now. */
static inline bool advance(const neighbours *at, view *v)
{
    enum { FEW = VX_FAST_WINDOW * 3 / 4 };
    if (v->ready == at->count || v->ready - at->first > FEW) {
        return false;
    }
    uint32_t end = at->first + VX_FAST_WINDOW;
    end = end < at->count ? end : at->count;
    if (v->moving != NULL) {
        move_more(v->moving, v->ready, end);
    }
    v->ready = end;
    return true;
}

static inline words load_number(const neighbours *at, const view *v, size_t n, uint32_t k)
{
    return load_words(at->at[n] + layer(v != NULL ? k & v->mask : k));
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

/* The gaps above one neighbour's spans; here and below there is no view where all layers can be
 * looked at. A place without a span has a floor that is never passable.
 * False when there may be more that can't be looked at. */
FOR_CONSTANTS bool see(seen *s, const neighbours *other, const view *v, const tested *t)
{
    words highest = t->ceiling - (int16_t)t->height;
    /* The last of several is a ceiling only. */
    uint32_t end = v != NULL && v->ready < other->count ? v->ready - 1 : other->count;
    for (uint32_t k = other->first; k < end; k++) {
        words max = load_number(other, v, MAX, k);
        words floor = max | keep_words(~above_words(max, all_words(0)), all_words(VX_FAST_NO_SPAN));
        if (!any_mask(~above_words(floor, highest))) {
            return true;
        }
        words ceiling =
            k + 1 < other->count ? load_number(other, v, MIN, k + 1) : all_words(VX_FAST_NO_SPAN);
        words top = least_words(t->ceiling, ceiling);
        word_mask passable =
            above_words(top - most_words(t->floor, floor), all_words(t->height - 1));
        words drop = floor - t->floor;
        word_mask deep = above_words(all_words(-t->climb), drop);
        word_mask accessible = passable & ~deep & ~above_words(drop, all_words(t->climb));
        s->deep |= passable & deep;
        s->high = most_words(s->high, keep_words(accessible, floor));
        s->under = most_words(s->under, keep_words(accessible, all_words(VX_FAST_NO_SPAN) - floor));
    }
    return end == other->count;
}

/* The lanes that need the layer of a neighbour which is the first so far, for a floor in some of
 * them: a gap reaches high enough. With a view, columns don't whose highest span this is and lies
 * too far below: the open gap is passable from this floor and all further ones, if anything is, and
 * a ledge. */
FOR_CONSTANTS word_mask stopping(const neighbours *other, view *v, word_mask which, words floor,
                                 const tested *t)
{
    words ceiling = load_number(other, v, MIN, other->first + 1);
    word_mask stops = which & ~above_words(floor + (int16_t)t->height, ceiling);
    if (v != NULL && any_mask(stops & ~v->ended)) {
        words end = load_number(other, v, MAX, other->first) + (int16_t)t->climb;
        v->ended |=
            stops & ~above_words(all_words(VX_FAST_NO_SPAN), ceiling) & above_words(floor, end);
    }
    return v != NULL ? stops & ~v->ended : stops;
}

/* Leaves out layers above which no gap reaches high enough over any of the floors in some lanes.
 * Spans rise from layer to layer, so that what is left out stays out; a column without a span here
 * has none above. */
FOR_CONSTANTS void skip(neighbours *other, view *v, word_mask which, words floor, const tested *t)
{
    do {
        uint32_t end = v != NULL ? v->ready : other->count;
        while (other->first + 1 < end && !any_mask(stopping(other, v, which, floor, t))) {
            other->first++;
        }
    } while (v != NULL && advance(other, v));
}

/* One layer of spans, WORDS of them; others are beside these. False when it can't be told. */
FOR_CONSTANTS bool test_ledges(const vx_fast_block *block, uint32_t i, uint32_t k,
                               neighbours others[4], view *views, words below, int32_t height,
                               int32_t climb)
{
    const uint16_t *max = vx_fast_block_max(block) + layer(k) + i;
    uint8_t *area = vx_fast_block_area(block) + layer(k) + i;
    words own_area = load_halves(area);
    word_mask walkable = above_words(own_area, all_words(0));
    if (!any_mask(walkable)) {
        return true;
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
        view *v = views != NULL ? &views[d] : NULL;
        skip(&others[d], v, exists, own_max, &t);
        if (v != NULL) {
            s.deep |= walkable & v->ended & ~above_words(least, ceiling);
        }
        if (!see(&s, &others[d], v, &t)) {
            return false;
        }
    }
    words low = all_words(VX_FAST_NO_SPAN) - s.under;
    word_mask ledge = s.deep | above_words(s.high - low, all_words(climb));
    if (any_mask(walkable & ledge)) {
        store_halves(area, keep_words(~ledge, own_area));
    }
    return true;
}

/* All layers of WORDS columns. */
FOR_CONSTANTS bool test_columns(const vx_fast_block *block, uint32_t i, neighbours others[4],
                                view *views, int32_t height, int32_t climb)
{
    /* The gap below a neighbour's first span: wherever it is passable its drop is too deep. */
    words below = {0};
    for (size_t d = 0; d < 4; d++) {
        below = most_words(below, others[d].count > 0 ? load_words(others[d].at[MIN])
                                                      : all_words(VX_FAST_NO_SPAN));
    }
    for (uint32_t k = 0; k < block->layers; k++) {
        if (!test_ledges(block, i, k, others, views, below, height, climb)) {
            return false;
        }
    }
    return true;
}

static bool test_layers(const vx_fast_surroundings *around, int32_t height, int32_t climb)
{
    vx_fast_stack own = stack_of(around->own);
    vx_fast_stack stacks[4];
    uint32_t most = own.count;
    for (size_t d = 0; d < 4; d++) {
        stacks[d] = stack_of(around->others[d]);
        most = stacks[d].count > most ? stacks[d].count : most;
    }
    bool is_tall = most > VX_FAST_WINDOW;
    const vx_fast_stack left = stacks[0];
    const vx_fast_stack right = stacks[2];
    const moving sides[] = {moving_of(&own, &left, 0, around->window, around->places),
                            moving_of(&own, &right, 1, around->window, around->places)};
    stacks[0] = move_stack(&sides[0], 0);
    stacks[2] = move_stack(&sides[1], 1);
    bool is_done = true;
    for (uint32_t i = 0; i < VX_FAST_LANES && is_done; i += WORDS) {
        neighbours others[4];
        view views[4];
        for (size_t d = 0; d < 4; d++) {
            others[d] = neighbours_of(&stacks[d], i);
        }
        for (size_t d = 0; d < 4 && is_tall; d++) {
            views[d] = view_of(&others[d], d % 2 == 0 ? &sides[d / 2] : NULL);
        }
        is_done = is_tall ? test_columns(around->own, i, others, views, height, climb)
                          : test_columns(around->own, i, others, NULL, height, climb);
    }
    return is_done;
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

static bool ledges(const vx_fast_surroundings *around, int32_t height, int32_t climb)
{
    if (are_single(around)) {
        test_single(around, height, climb);
        return true;
    }
    return test_layers(around, height, climb);
}

/* --- compact ---------------------------------------------------------------------------------- */

enum { BYTE_PARTS = VX_FAST_LANES / BYTES };

/* The walkable spans of each column in so many layers as a byte can count; returns how many they
 * are. */
static inline uint32_t count_layers(const uint8_t *area, uint32_t layers, bytes found[BYTE_PARTS])
{
    uint32_t spans = 0;
    for (uint32_t i = 0; i < BYTE_PARTS; i++) {
        found[i] = (bytes){0};
        for (uint32_t k = 0; k < layers; k++) {
            bytes has = (bytes)(load_bytes(area + layer(k) + (size_t)i * BYTES) != 0);
            found[i] -= has;
            spans += (uint32_t)__builtin_popcount(bits_of_bytes(has));
        }
    }
    return spans;
}

/* The same for more layers. */
__attribute__((noinline)) static vx_fast_tally count_tall(const vx_fast_block *block,
                                                          uint8_t *counts)
{
    const uint8_t *area = vx_fast_block_area(block);
    uint16_t sums[VX_FAST_LANES] = {0};
    vx_fast_tally tally = {0};
    for (uint32_t k = 0; k < block->layers; k += UINT8_MAX) {
        bytes found[BYTE_PARTS];
        uint32_t left = block->layers - k;
        tally.spans += count_layers(area + layer(k), left < UINT8_MAX ? left : UINT8_MAX, found);
        for (uint32_t i = 0; i < VX_FAST_LANES; i++) {
            sums[i] = (uint16_t)(sums[i] + found[i / BYTES][i % BYTES]);
        }
    }
    for (uint32_t i = 0; i < VX_FAST_LANES; i++) {
        tally.deepest = sums[i] > tally.deepest ? sums[i] : tally.deepest;
        counts[i] = (uint8_t)sums[i];
    }
    return tally;
}

static vx_fast_tally count(const vx_fast_block *block, uint8_t *counts)
{
    if (block->layers > UINT8_MAX) {
        return count_tall(block, counts);
    }
    bytes found[BYTE_PARTS];
    vx_fast_tally tally = {.spans = count_layers(vx_fast_block_area(block), block->layers, found)};
    for (uint32_t i = 0; i < BYTE_PARTS; i++) {
        store_bytes(counts + (size_t)i * BYTES, found[i]);
        while (bits_of_bytes((bytes)(found[i] > all_bytes(tally.deepest))) != 0) {
            tally.deepest++;
        }
    }
    return tally;
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

/* Walkable spans of one layer, and the layers that their columns have come to. */
typedef struct compacted {
    words floor, gap, area, index;
    word_mask walkable;
} compacted;

/* Puts them into layers from low to high, which are those of all. */
static inline void put_layers(const compacted *c, uint32_t low, uint32_t high, uint16_t *y,
                              uint16_t *height, uint8_t *area)
{
    for (uint32_t m = low; m <= high; m++) {
        word_mask here = c->walkable & ~above_words(c->index, all_words((int32_t)m)) &
                         ~above_words(all_words((int32_t)m), c->index);
        size_t at = layer(m);
        store_words(y + at, pick_words(here, c->floor, load_words(y + at)));
        store_words(height + at, pick_words(here, c->gap, load_words(height + at)));
        store_halves(area + at, pick_words(here, c->area, load_halves(area + at)));
    }
}

/* The same one by one, where columns have come to very different layers. */
static inline void put_apart(const compacted *c, uint16_t *y, uint16_t *height, uint8_t *area)
{
    uint16_t numbers[4][WORDS];
    store_words(numbers[0], c->index);
    store_words(numbers[1], c->floor);
    store_words(numbers[2], c->gap);
    store_words(numbers[3], c->area);
    for (uint32_t left = bits_of_mask(c->walkable); left != 0; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        size_t at = layer(numbers[0][i]) + i;
        y[at] = numbers[1][i];
        height[at] = numbers[2][i];
        area[at] = (uint8_t)numbers[3][i];
    }
}

/* Layer k of WORDS columns; index is from the layer before. */
static inline void load_walkable(compacted *c, const vx_fast_stack *from, const uint8_t *areas,
                                 uint32_t k)
{
    c->area = load_halves(areas + layer(k));
    c->walkable = above_words(c->area, all_words(0));
    c->floor = load_words(from->at[MAX] + layer(k));
    words ceiling = ceiling_of(from->at[MIN], from->count, k);
    /* VX_OPEN_HEIGHT is −1 with a sign. */
    c->gap = pick_words(above_words(all_words(VX_FAST_NO_SPAN), ceiling), ceiling - c->floor,
                        all_words(-1));
}

/* Of few layers all below are looked at: the processor guesses how many. */
static inline void compact_few(const vx_fast_stack *from, const uint8_t *areas, uint32_t layers,
                               uint16_t *y, uint16_t *height, uint8_t *area)
{
    compacted c = {.index = {0}};
    for (uint32_t k = 0; k < from->count; k++) {
        load_walkable(&c, from, areas, k);
        if (any_mask(c.walkable)) {
            put_layers(&c, 0, k < layers ? k : layers - 1, y, height, area);
            c.index += ones_of_mask(c.walkable);
        }
    }
}

/* Of many only those that columns have come to. */
static inline void compact_many(const vx_fast_stack *from, const uint8_t *areas, uint16_t *y,
                                uint16_t *height, uint8_t *area)
{
    enum { APART = 16 };
    compacted c = {.index = {0}};
    uint32_t low = 0;
    uint32_t high = 0;
    for (uint32_t k = 0; k < from->count; k++) {
        load_walkable(&c, from, areas, k);
        if (!any_mask(c.walkable)) {
            continue;
        }
        /* A column without a span here has none above. */
        word_mask exists = above_words(c.floor, all_words(0));
        while (low < high && !any_mask(exists & ~above_words(c.index, all_words((int32_t)low)))) {
            low++;
        }
        if (high - low < APART) {
            put_layers(&c, low, high, y, height, area);
        } else {
            put_apart(&c, y, height, area);
        }
        c.index += ones_of_mask(c.walkable);
        high += any_mask(above_words(c.index, all_words((int32_t)high)));
    }
}

static void compact(const vx_fast_block *block, uint32_t layers, uint16_t *y, uint16_t *height,
                    uint8_t *area)
{
    if (block->layers == 1) {
        compact_single(block, y, height, area);
        return;
    }
    for (size_t i = 0; i < layer(layers); i += WORDS) {
        store_words(y + i, all_words(VX_FAST_NO_SPAN));
        store_words(height + i, all_words(0));
        store_halves(area + i, all_words(0));
    }
    enum { FEW = 32 };
    const uint8_t *areas = vx_fast_block_area(block);
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        const vx_fast_stack from = {{vx_fast_block_min(block) + i, vx_fast_block_max(block) + i},
                                    block->layers};
        if (block->layers <= FEW) {
            compact_few(&from, areas + i, layers, y + i, height + i, area + i);
        } else {
            compact_many(&from, areas + i, y + i, height + i, area + i);
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
static inline bool reaches(const vx_fast_stack *other, uint32_t m, words low)
{
    words y = load_words(other->at[Y] + layer(m));
    return any_mask(is_span(y) & ~above_words(low, y));
}

/* The lowest layer from first on in which a span is linked to, for spans where there are some. */
static inline words find_links(const vx_fast_stack *other, uint32_t first, words y, words top,
                               int32_t height, int32_t climb)
{
    words found = all_words(VX_LINK_NONE);
    word_mask sought = is_span(y);
    for (uint32_t m = first; m < other->count; m++) {
        words t = load_words(other->at[Y] + layer(m));
        word_mask reachable = sought & ~above_words(t - y, all_words(climb));
        if (!any_mask(reachable)) {
            break;
        }
        words t_top = top_of(t, load_words(other->at[HEIGHT] + layer(m)));
        word_mask here = fits(reachable, y, top, t, t_top, height, climb);
        found = pick_words(here, all_words((int32_t)m), found);
        sought &= ~here;
    }
    return found;
}

static inline void link_direction(const vx_fast_stack *own, const vx_fast_stack *other,
                                  uint8_t *links, int32_t height, int32_t climb)
{
    if (other->count == 0) {
        memset(links, VX_LINK_NONE, layer(own->count));
        return;
    }
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        uint32_t first = 0;
        vx_fast_stack at = {{other->at[Y] + i, other->at[HEIGHT] + i}, other->count};
        for (uint32_t k = 0; k < own->count; k++) {
            words y = load_words(own->at[Y] + layer(k) + i);
            words top = top_of(y, load_words(own->at[HEIGHT] + layer(k) + i));
            /* Spans rise from layer to layer: what is too low for all stays so. */
            words low = pick_words(is_span(y), y - (int16_t)climb, y);
            while (first < other->count && !reaches(&at, first, low)) {
                first++;
            }
            store_halves(links + layer(k) + i, find_links(&at, first, y, top, height, climb));
        }
    }
}

/* One layer everywhere. */
static void link_single(const vx_fast_linking *l, int32_t height, int32_t climb)
{
    const uint16_t *others_y[4];
    const uint16_t *others_height[4];
    for (size_t d = 0; d < 4; d++) {
        others_y[d] = l->others[d].at[Y];
        others_height[d] = l->others[d].at[HEIGHT];
    }
    for (uint32_t i = 0; i < VX_FAST_LANES; i += WORDS) {
        words y = load_words(l->own.at[Y] + i);
        words top = top_of(y, load_words(l->own.at[HEIGHT] + i));
        words beside_y[4];
        words beside_height[4];
        load_single(l->own.at[Y], others_y, i, beside_y);
        load_single(l->own.at[HEIGHT], others_height, i, beside_height);
        for (size_t d = 0; d < 4; d++) {
            words t = beside_y[d];
            word_mask reachable = is_span(y) & ~above_words(t - y, all_words(climb));
            word_mask here = fits(reachable, y, top, t, top_of(t, beside_height[d]), height, climb);
            store_halves(l->links[d] + i, keep_words(~here, all_words(VX_LINK_NONE)));
        }
    }
}

/* The layers whose numbers fit a link: those above are none, also where nothing else fits
 * (B7.4@d8ed8d). */
static inline vx_fast_stack linkable(vx_fast_stack stack)
{
    stack.count = stack.count < VX_LINK_NONE ? stack.count : VX_LINK_NONE;
    return stack;
}

static_assert(VX_LINK_NONE <= VX_FAST_WINDOW, "the window holds all layers that matter");

static void link_layers(const vx_fast_linking *l, int32_t height, int32_t climb)
{
    vx_fast_stack own = linkable(l->own);
    vx_fast_stack others[4];
    for (size_t d = 0; d < 4; d++) {
        others[d] = linkable(l->others[d]);
    }
    const moving left = moving_of(&own, &others[0], 0, l->window, l->places);
    const moving right = moving_of(&own, &others[2], 1, l->window, l->places);
    const vx_fast_stack moved[] = {move_stack(&left, 0), move_stack(&right, 1)};
    link_direction(&l->own, &moved[0], l->links[0], height, climb);
    link_direction(&l->own, &others[1], l->links[1], height, climb);
    link_direction(&l->own, &moved[1], l->links[2], height, climb);
    link_direction(&l->own, &others[3], l->links[3], height, climb);
}

static void link(const vx_fast_linking *l, int32_t height, int32_t climb)
{
    bool single = l->own.count == 1;
    for (size_t d = 0; d < 4; d++) {
        single = single && l->others[d].count == 1;
    }
    if (single) {
        link_single(l, height, climb);
    } else {
        link_layers(l, height, climb);
    }
}

/* --- erosion ---------------------------------------------------------------------------------- */

/* At most 255 words: of each of 32 places the spans are counted in a byte. */
static inline uint64_t link_words(const uint8_t *area, const uint8_t *const links[4], size_t count,
                                  uint32_t *walkable, uint32_t *linked)
{
    uint8_t counts[VX_FAST_LANES];
    bytes found[BYTE_PARTS] = {0};
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

/* Which of 32 bytes are equal to a value, a bit each. */
static inline uint32_t equal_bits(const uint8_t *from, uint32_t value)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < VX_FAST_LANES; i += BYTES) {
        bits |= bits_of_bytes((bytes)(load_bytes(from + i) == all_bytes(value))) << i;
    }
    return bits;
}

/* The edges of one direction, all with one turn, to the layers of the block whose first word is
 * given. Few layers are all looked for, without a jump that must be guessed; of many, those that
 * are there. */
static inline uint32_t list_direction(const uint8_t *links, uint32_t spans, uint32_t word,
                                      uint32_t layers, uint32_t turn, vx_fast_edge *to)
{
    enum { FEW = 8 };
    uint32_t count = 0;
    for (uint32_t m = 0; m < layers && layers <= FEW; m++) {
        uint32_t same = spans & equal_bits(links, m);
        to[count] = (vx_fast_edge){same, (word + m) * VX_FAST_TURNS + turn};
        count += same != 0;
    }
    for (uint32_t left = layers > FEW ? spans : 0; left != 0;) {
        uint32_t m = links[__builtin_ctz(left)];
        uint32_t same = left & equal_bits(links, m);
        to[count++] = (vx_fast_edge){same, (word + m) * VX_FAST_TURNS + turn};
        left ^= same;
    }
    return count;
}

/* Along x the spans of one lane are linked to another block, by an edge of their own. */
static void list(const vx_fast_leads *leads, uint32_t k, uint32_t spans, vx_fast_edge_list *list)
{
    enum {
        LAST = VX_FAST_LANES - 1,
        UP = 1,
        DOWN = VX_FAST_TURNS - 1,
        FROM_LAST = VX_FAST_TURNS - LAST,
        FROM_FIRST = LAST
    };
    static const uint32_t first_bit = 1;
    static const uint32_t last_bit = UINT32_C(1) << LAST;
    const uint8_t *const links[] = {leads->links[0] + layer(k), leads->links[1] + layer(k),
                                    leads->links[2] + layer(k), leads->links[3] + layer(k)};
    vx_fast_edge *items = list->items;
    uint32_t n = list_direction(links[0], spans & ~first_bit, leads->word, leads->words, UP, items);
    items[n] = (vx_fast_edge){spans & first_bit,
                              (leads->other_word[0] + links[0][0]) * VX_FAST_TURNS + FROM_LAST};
    n += spans & first_bit;
    list->ends[0] = n;
    n += list_direction(links[2], spans & ~last_bit, leads->word, leads->words, DOWN, items + n);
    items[n] = (vx_fast_edge){spans & last_bit,
                              (leads->other_word[2] + links[2][LAST]) * VX_FAST_TURNS + FROM_FIRST};
    n += spans >> LAST;
    list->ends[1] = n;
    n += list_direction(links[1], spans, leads->other_word[1], leads->other_words[1], 0, items + n);
    list->ends[2] = n;
    n += list_direction(links[3], spans, leads->other_word[3], leads->other_words[3], 0, items + n);
    list->ends[3] = n;
}

/* What edges lead to. The pair that each reads begins at one of the numbers of a front. */
static inline uint64_t follow(const vx_fast_reaching *r, const vx_fast_edge *at,
                              const vx_fast_edge *end, uint32_t begin)
{
    uint64_t found = 0;
    for (; at < end; at++) {
        uint64_t spans = at->spans | (uint64_t)at->spans << 32;
        const uint32_t *from = &r->now[at->target / VX_FAST_TURNS].at[begin];
        found |= spans & vx_fast_turned(from[0] | (uint64_t)from[1] << 32, at->target);
    }
    return found;
}

/* One word: whether it stays awake. What is found along x is spans by a straight step, then by a
 * diagonal one; along z the other way round. */
static inline bool reach_word(const vx_fast_reaching *r, uint32_t w)
{
    uint32_t far = r->far[w];
    const uint32_t *now = r->now[w].at;
    uint64_t x = 0;
    uint64_t z = 0;
    if (far != 0) {
        const vx_fast_edge *x_edges = r->edges + r->edges_of[w].first;
        const vx_fast_edge *z_edges = x_edges + r->edges_of[w].x_count;
        x = follow(r, x_edges, z_edges, VX_FAST_STRAIGHT);
        z = follow(r, z_edges, z_edges + r->edges_of[w].z_count, VX_FAST_ALONG_X);
    }
    uint32_t reached = far & (uint32_t)(x | z | (x | z) >> 32);
    r->far[w] = far ^ reached;
    r->next[w] =
        (vx_fast_front){{far & (uint32_t)x, now[VX_FAST_LAST], far & (uint32_t)(z >> 32), reached}};
    return (far | now[0] | now[1] | now[2] | now[3]) != 0;
}

#ifdef HAS_LONGS
enum { TOGETHER = 2 * LONGS };

/* What one edge of each of some words leads to. */
static inline longs follow_one(const vx_fast_edge *edges, const uint32_t *now, longs at,
                               long_mask mask)
{
    longs edge = gather_longs(edges, at, mask);
    longs target = edge >> 32;
    longs found = gather_longs(now, target / VX_FAST_TURNS * 2, mask);
    return lower_twice(edge) & turn_longs(found, target);
}

/* What edges from at[i] to end[i] lead to. */
static inline void follow_all(const vx_fast_edge *edges, const uint32_t *now, longs at[2],
                              const longs end[2], longs found[2])
{
    longs found_0 = {0};
    longs found_1 = {0};
    for (;;) {
        long_mask mask_0 = above_longs(end[0], at[0]);
        long_mask mask_1 = above_longs(end[1], at[1]);
        if (!any_longs(mask_0 | mask_1)) {
            break;
        }
        found_0 |= follow_one(edges, now, at[0], mask_0);
        found_1 |= follow_one(edges, now, at[1], mask_1);
        at[0] = more_longs(mask_0, at[0]);
        at[1] = more_longs(mask_1, at[1]);
    }
    found[0] = found_0;
    found[1] = found_1;
}

/* As reach_word, for some words; which of them stay awake, a bit each. */
static inline uint32_t settle_words(const vx_fast_reaching *r, longs w, longs x, longs z,
                                    vx_fast_front *fronts, uint32_t *left)
{
    const uint64_t upper = (uint64_t)UINT32_MAX << 32;
    longs far = gather_lower(r->far, w);
    longs first = gather_all(&r->now->at[0], w << 1);
    longs second = gather_all(&r->now->at[2], w << 1);
    longs both = lower_twice(far);
    x &= both;
    z &= both;
    longs reached = x | z;
    reached |= reached >> 32 | reached << 32;
    store_lower(left, far & ~reached);
    store_zipped(fronts, (x & UINT32_MAX) | (second & upper), z >> 32 | (reached & upper));
    return bits_of_longs(far | first | second);
}

/* As reach_word, for TOGETHER words; how many stay awake, which are written to kept. */
static size_t reach_words(const vx_fast_reaching *r, const uint32_t *awake, uint32_t *kept)
{
    longs w[2];
    longs at[2];
    longs end[2];
    longs z_end[2];
    longs x[2];
    longs z[2];
    vx_fast_front fronts[TOGETHER];
    uint32_t left[TOGETHER];
    for (int i = 0; i < 2; i++) {
        w[i] = load_lower(awake + i * LONGS);
        long_mask mask = above_longs(gather_lower(r->far, w[i]), (longs){0});
        longs edges = gather_longs(r->edges_of, w[i], mask);
        at[i] = edges & UINT32_MAX;
        end[i] = at[i] + (edges >> 32 & UINT16_MAX);
        z_end[i] = end[i] + (edges >> 48);
    }
    follow_all(r->edges, &r->now->at[VX_FAST_STRAIGHT], at, end, x);
    follow_all(r->edges, &r->now->at[VX_FAST_ALONG_X], at, z_end, z);
    uint32_t stay = settle_words(r, w[0], x[0], z[0], fronts, left);
    stay |= settle_words(r, w[1], x[1], z[1], fronts + LONGS, left + LONGS) << LONGS;
    size_t count = 0;
    for (uint32_t i = 0; i < TOGETHER; i++) {
        uint32_t word = awake[i];
        r->next[word] = fronts[i / LONGS * LONGS + i % 2 * (LONGS / 2) + i % LONGS / 2];
        r->far[word] = left[i];
        kept[count] = word;
        count += stay >> i & 1;
    }
    return count;
}
#endif

static size_t reach(const vx_fast_reaching *reaching, uint32_t *awake, size_t count)
{
    size_t i = 0;
    size_t kept = 0;
#ifdef HAS_LONGS
    for (; i + TOGETHER <= count; i += TOGETHER) {
        kept += reach_words(reaching, awake + i, awake + kept);
    }
#endif
    for (; i < count; i++) {
        uint32_t word = awake[i];
        awake[kept] = word;
        kept += reach_word(reaching, word);
    }
    return kept;
}

static void keep(uint8_t *area, const uint32_t *kept, size_t count)
{
    for (size_t w = 0; w < count; w++, area += VX_FAST_LANES) {
        for (uint32_t i = 0; i < VX_FAST_LANES && kept[w] != UINT32_MAX; i += BYTES) {
            store_bytes(area + i, load_bytes(area + i) & bytes_of_bits(kept[w] >> i));
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
    bytes in[BYTE_PARTS];
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
                                       count, compact, link,        linked,     list,
                                       reach, keep,    paint};
