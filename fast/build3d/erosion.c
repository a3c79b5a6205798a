/* SPDX-License-Identifier: MIT */
/* SPEC B8: erosion, one distance after the other. 32 places are the bits of a word; the spans at a
 * distance are found from those at smaller ones for a whole word at a time, and only where
 * something is near (docs/DIFFERENCES.md). */
#include "beside.h"
#include "simd.h"

enum {
    WORD = 32, /* places */
    UNLISTED = -1,
    /* So many edges a word are kept if memory allows; those of further words are listed whenever
     * they are used. */
    EDGES_KEPT = 10,
    /* How long what changed matters: to a straight step, to a diagonal one, and until its slot of
     * reached is used again. */
    LEVELS_KEPT = 3
};

/* The links of some spans of a word that lead to one word, bit i to bit i − turn there. */
typedef struct edge {
    uint32_t spans;
    uint32_t target; /* the word · 32 + turn */
} edge;

/* The edges of one word: along x up to ends[1], then along z. */
typedef struct edge_list {
    edge items[4 * WORD];
    uint32_t ends[4]; /* behind those of directions 0, 2, 1 and 3 */
} edge_list;

/* The edges of one word that are kept, or their numbers alone. */
typedef struct edge_span {
    int32_t first; /* or UNLISTED */
    uint16_t x_count, z_count;
} edge_span;

/* One erosion: arrays of a number for each word, which is 32 places or 32 bits. Where no span is, a
 * place counts as boundary, to which nothing leads. Blocks that may change, or must forget, are on
 * a list. */
typedef struct erosion {
    const vx_build3d *field;
    uint32_t *walkable;   /* spans with an area */
    uint32_t *far;        /* those that are no boundary and not reached yet */
    uint32_t *reached[3]; /* those at distance d, in d mod 3 */
    uint32_t *along_x[2]; /* of these, those that one step along x is enough for, in d mod 2 */
    uint32_t *along_z[2]; /* the same along z */
    edge_span *spans;
    edge *edges;
    size_t edge_count, edges_max;
    uint32_t *until; /* the distance up to which a block stays on the list, 0: it is not there */
    uint32_t *list;
    uint32_t listed;
} erosion;

/* What one distance is found from, and where it goes. */
typedef struct level {
    const uint32_t *straight;            /* at two less */
    const uint32_t *before_x, *before_z; /* at one less, along x and along z */
    uint32_t *reached, *along_x, *along_z;
    uint32_t distance;
} level;

static inline uint32_t turned(uint32_t bits, uint32_t turn)
{
    return bits << turn | bits >> (-turn & (WORD - 1));
}

/* Which of 32 bytes are equal to a value, a bit each. */
static inline uint32_t equal_bits(const uint8_t *from, uint32_t value)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < WORD; i += BYTES) {
        bits |= bits_of_bytes((bytes)(load_bytes(from + i) == all_bytes(value))) << i;
    }
    return bits;
}

/* --- edges: B7.2@392666 to B7.4@d8ed8d ----------------------------------------------------------
 */

static const uint8_t directions[] = {0, 2, 1, 3};

static inline void add_edge(edge_list *list, uint32_t *count, uint32_t spans, size_t to,
                            uint32_t turn)
{
    list->items[(*count)++] = (edge){spans, (uint32_t)to * WORD + turn};
}

/* The edges of some spans of a layer, which have four links, where all blocks around are in layers.
 */
static void list_layer(const erosion *e, const vx_fast_around *n, size_t w, uint32_t spans,
                       edge_list *list)
{
    uint32_t count = 0;
    for (size_t i = 0; i < 4; i++) {
        size_t d = directions[i];
        const uint8_t *links = e->field->compact.link[d] + w * WORD;
        /* The lane beside another block, where links along x leave this one. */
        uint32_t last = d == 0 ? 1 : d == 2 ? UINT32_C(1) << (WORD - 1) : 0;
        uint32_t turn = d == 0 ? 1 : d == 2 ? WORD - 1 : 0;
        const vx_fast_compact_block *other = n->others[d]; /* NULL: nothing leads there */
        for (uint32_t left = spans; left != 0;) {
            uint32_t m = links[__builtin_ctz(left)];
            uint32_t same = left & equal_bits(links, m);
            uint32_t out = d % 2 == 0 ? same & last : same;
            left ^= same;
            if (out != same) {
                add_edge(list, &count, same ^ out, n->own->word + m, turn);
            }
            if (out != 0 && other != NULL) {
                add_edge(list, &count, out, other->word + m, turn);
            }
        }
        list->ends[i] = count;
    }
}

/* The column of a place of a block. */
static uint32_t lane_of(const vx_fast_compact *c, const vx_fast_compact_block *block, size_t place)
{
    if (block->in_layers) {
        return (uint32_t)(place % WORD);
    }
    uint32_t lane = 0;
    size_t end = vx_fast_first_place(block) + vx_fast_count_of(c, block, 0);
    while (end <= place) {
        end += vx_fast_count_of(c, block, ++lane);
    }
    return lane;
}

/* The edge from a span to the place that it is linked to, along with another one's or alone. */
static void join_edge(edge_list *list, uint32_t begin, uint32_t *count, uint32_t bit, size_t to)
{
    uint32_t target = (uint32_t)(to / WORD * WORD) + ((bit - (uint32_t)to) & (WORD - 1));
    uint32_t i = begin;
    while (i < *count && list->items[i].target != target) {
        i++;
    }
    if (i == *count) {
        list->items[(*count)++] = (edge){0, target};
    }
    list->items[i].spans |= UINT32_C(1) << bit;
}

/* The edges of some spans of a word, which have four links, wherever they and their neighbours
 * stand. */
static void list_spans(const erosion *e, uint32_t z, uint32_t index, size_t w, uint32_t spans,
                       edge_list *list)
{
    const vx_fast_compact *c = &e->field->compact;
    const vx_fast_compact_block *block = &c->blocks[(size_t)z * e->field->blocks_wide + index];
    static const uint32_t x_of[] = {UINT32_MAX, 0, 1, 0};
    static const uint32_t z_of[] = {0, 1, 0, UINT32_MAX};
    uint32_t count = 0;
    for (size_t i = 0; i < 4; i++) {
        size_t d = directions[i];
        uint32_t begin = count;
        for (uint32_t left = spans; left != 0; left &= left - 1) {
            uint32_t bit = (uint32_t)__builtin_ctz(left);
            size_t s = w * WORD + bit;
            uint32_t x = index * VX_FAST_LANES + lane_of(c, block, s);
            vx_fast_places to = vx_fast_places_at(e->field, x + x_of[d], z + z_of[d]);
            join_edge(list, begin, &count, bit, to.first + c->link[d][s] * to.stride);
        }
        list->ends[i] = count;
    }
}

static void list_edges(const erosion *e, const vx_fast_around *n, uint32_t z, uint32_t index,
                       size_t w, uint32_t spans, edge_list *list)
{
    if (n->suits) {
        list_layer(e, n, w, spans, list);
    } else {
        list_spans(e, z, index, w, spans, list);
    }
}

/* Keeps the edges of a word's spans if there is room, and their number in any case. */
static void keep_edges(erosion *e, size_t w, const edge_list *list)
{
    e->spans[w] = (edge_span){.first = UNLISTED,
                              .x_count = (uint16_t)list->ends[1],
                              .z_count = (uint16_t)(list->ends[3] - list->ends[1])};
    if (e->edges_max - e->edge_count >= list->ends[3]) {
        e->spans[w].first = (int32_t)e->edge_count;
        memcpy(e->edges + e->edge_count, list->items, list->ends[3] * sizeof *list->items);
        e->edge_count += list->ends[3];
    }
}

/* Finds the edges of a word's spans that are not reached. */
__attribute__((noinline)) static const edge *find_edges(erosion *e, size_t block, size_t w,
                                                        edge_list *list)
{
    uint32_t z = (uint32_t)block / e->field->blocks_wide;
    uint32_t index = (uint32_t)block % e->field->blocks_wide;
    vx_fast_around n = vx_fast_around_of(e->field, z, index);
    list_edges(e, &n, z, index, w, e->far[w], list);
    keep_edges(e, w, list);
    return list->items;
}

/* The same, unless they were kept. */
static inline const edge *edges_of(erosion *e, size_t block, size_t w, edge_list *list)
{
    int32_t first = e->spans[w].first;
    return first != UNLISTED ? &e->edges[first] : find_edges(e, block, w, list);
}

/* --- the list -----------------------------------------------------------------------------------
 */

static inline void put_on_list(erosion *e, size_t block, uint32_t until)
{
    if (e->until[block] == 0) {
        e->list[e->listed++] = (uint32_t)block;
    }
    e->until[block] = until;
}

/* Lists a block in which spans have been reached, and those that may lead to these. */
static void wake(erosion *e, size_t block, uint32_t reached, uint32_t distance)
{
    uint32_t wide = e->field->blocks_wide;
    uint32_t z = (uint32_t)block / wide;
    uint32_t index = (uint32_t)block - z * wide;
    uint32_t until = distance + LEVELS_KEPT;
    bool in_layers = e->field->compact.blocks[block].in_layers;
    put_on_list(e, block, until);
    if (index > 0 && (!in_layers || (reached & 1) != 0)) {
        put_on_list(e, block - 1, until);
    }
    if (index + 1 < wide && (!in_layers || reached >> (WORD - 1) != 0)) {
        put_on_list(e, block + 1, until);
    }
    if (z > 0) {
        put_on_list(e, block - wide, until);
    }
    if (z + 1 < e->field->size[1]) {
        put_on_list(e, block + wide, until);
    }
}

/* --- distances: B8.2@3da75b to B8.4@f23dc2 ------------------------------------------------------
 */

/* Those of some spans whose links all lead to an area: they are no boundary. */
static uint32_t inner_spans(const erosion *e, const edge_list *list, uint32_t spans)
{
    for (uint32_t i = 0, k = 0; i < 4; i++) {
        uint32_t walkable = 0;
        for (; k < list->ends[i]; k++) {
            const edge *at = &list->items[k];
            walkable |= at->spans & turned(e->walkable[at->target / WORD], at->target % WORD);
        }
        spans &= walkable;
    }
    return spans;
}

/* Distance 0 in one block, of whose spans those with four links are in far. Where every span of the
 * field has an area, these are no boundary. */
static void begin_block(erosion *e, uint32_t z, uint32_t index, bool all_walkable)
{
    vx_fast_around n = vx_fast_around_of(e->field, z, index);
    uint32_t reached = 0;
    edge_list list;
    size_t end = (size_t)n.own->word + n.own->words;
    for (size_t w = n.own->word; w < end; w++) {
        if (!all_walkable && e->far[w] != 0) {
            list_edges(e, &n, z, index, w, e->far[w], &list);
            e->far[w] = inner_spans(e, &list, e->far[w]);
        }
        e->reached[0][w] = ~e->far[w];
        reached |= ~e->far[w];
    }
    if (reached != 0) {
        wake(e, (size_t)z * e->field->blocks_wide + index, reached, 0);
    }
}

/* What of a word lies at a distance: two from there in one step along x or z, or three in a
 * diagonal one, whose middle then lies at one less and is itself two from there. */
static inline uint32_t reach(erosion *e, const level *l, size_t block, size_t w, bool straight,
                             bool diagonal)
{
    edge_list list;
    const edge *at = edges_of(e, block, w, &list);
    const edge *x_end = at + e->spans[w].x_count;
    const edge *z_end = x_end + e->spans[w].z_count;
    uint32_t x = 0;
    uint32_t z = 0;
    uint32_t turns = 0;
    for (; at < x_end; at++) {
        size_t to = at->target / WORD;
        x |= straight ? at->spans & turned(l->straight[to], at->target % WORD) : 0;
        turns |= diagonal ? at->spans & turned(l->before_z[to], at->target % WORD) : 0;
    }
    for (; at < z_end; at++) {
        size_t to = at->target / WORD;
        z |= straight ? at->spans & turned(l->straight[to], at->target % WORD) : 0;
        turns |= diagonal ? at->spans & turned(l->before_x[to], at->target % WORD) : 0;
    }
    uint32_t far = e->far[w];
    uint32_t reached = far & (x | z | turns);
    l->reached[w] = reached;
    l->along_x[w] = far & x;
    l->along_z[w] = far & z;
    e->far[w] = far ^ reached;
    return reached;
}

/* One distance in a block; what is reached. There are no diagonal steps to distance 2, and none but
 * these to 3: nothing lies at 1. */
static uint32_t reach_in_block(erosion *e, const level *l, size_t block)
{
    const vx_fast_compact_block *b = &e->field->compact.blocks[block];
    size_t end = (size_t)b->word + b->words;
    uint32_t reached = 0;
    for (size_t w = b->word; w < end; w++) {
        if (e->far[w] != 0) {
            reached |= l->distance == 2   ? reach(e, l, block, w, true, false)
                       : l->distance == 3 ? reach(e, l, block, w, false, true)
                                          : reach(e, l, block, w, true, true);
        } else {
            l->reached[w] = 0;
            l->along_x[w] = 0;
            l->along_z[w] = 0;
        }
    }
    return reached;
}

/* One distance in all blocks that are on the list; who is to be woken for the next one is. */
static void reach_all(erosion *e, uint32_t distance, bool is_last)
{
    const level l = {.straight = e->reached[(distance - 2) % 3],
                     .before_x = e->along_x[(distance - 1) % 2],
                     .before_z = e->along_z[(distance - 1) % 2],
                     .reached = e->reached[distance % 3],
                     .along_x = e->along_x[distance % 2],
                     .along_z = e->along_z[distance % 2],
                     .distance = distance};
    uint32_t count = e->listed;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t reached = reach_in_block(e, &l, e->list[i]);
        if (reached != 0 && !is_last) {
            wake(e, e->list[i], reached, distance);
        }
    }
    count = e->listed;
    e->listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t block = e->list[i];
        if (e->until[block] > distance) {
            e->list[e->listed++] = block;
        } else {
            e->until[block] = 0;
        }
    }
}

/* --- all ----------------------------------------------------------------------------------------
 */

/* How many edges there is room for in what is promised for the solid and the compact spans, of
 * which the solid ones are gone, beside so many bytes; at most most. */
static size_t edges_within(const vx_build3d *field, size_t beside, size_t most)
{
    size_t blocks = (size_t)field->size[1] * field->blocks_wide;
    size_t allowed = VX_FAST_SPAN_BYTES * (size_t)(field->span_count + field->next_count) +
                     (VX_FAST_BLOCK_BYTES - 2 * sizeof(void *)) * blocks;
    beside += field->compact.bytes;
    size_t edges = beside < allowed ? (allowed - beside) / sizeof(edge) : 0;
    return edges < most ? edges : most;
}

static vx_status allocate(erosion *e, size_t word_count, size_t block_count, vx_error *error)
{
    vx_build3d *field = (vx_build3d *)(uintptr_t)e->field;
    uint32_t **const arrays[] = {&e->walkable,   &e->far,        &e->reached[0],
                                 &e->reached[1], &e->reached[2], &e->along_x[0],
                                 &e->along_x[1], &e->along_z[0], &e->along_z[1]};
    /* Those from reached[1] on hold nothing at first. */
    enum { ARRAYS = sizeof arrays / sizeof arrays[0], EMPTY = 6 };
    size_t fixed = word_count * (ARRAYS * sizeof(uint32_t) + sizeof *e->spans) +
                   block_count * (sizeof *e->until + sizeof *e->list);
    e->edges_max = edges_within(field, fixed, word_count * EDGES_KEPT);
    uint8_t *memory =
        vx_fast_reserve(field, &field->scratch, fixed + e->edges_max * sizeof *e->edges, 1, error);
    if (memory == NULL) {
        return VX_NO_MEMORY;
    }
    e->edges = (void *)memory;
    e->spans = (void *)(e->edges + e->edges_max);
    e->until = (void *)(e->spans + word_count);
    e->list = e->until + block_count;
    for (size_t i = 0; i < ARRAYS; i++) {
        *arrays[i] = e->list + block_count + i * word_count;
    }
    memset(e->until, 0, block_count * sizeof *e->until);
    memset(e->spans, UINT8_MAX, word_count * sizeof *e->spans); /* UNLISTED */
    memset(e->reached[1], 0, EMPTY * word_count * sizeof(uint32_t));
    return VX_OK;
}

/* B8.5@f79865. */
static void clear_reached(const erosion *e, size_t word_count)
{
    uint8_t *area = e->field->compact.area;
    for (size_t w = 0; w < word_count; w++) {
        uint32_t near = e->walkable[w] & ~e->far[w];
        if (e->far[w] == 0) {
            memset(area + w * WORD, 0, WORD);
            continue;
        }
        for (; near != 0; near &= near - 1) {
            area[w * WORD + (size_t)__builtin_ctz(near)] = 0;
        }
    }
}

vx_status vx_fast_erode(vx_build3d *field, int64_t radius, vx_error *error)
{
    vx_status status = vx_fast_check_place(field, true, "erode", error);
    if (status == VX_OK) {
        status = vx_fast_check_integer(radius, 0, VX_RADIUS_MAX, "radius", error);
    }
    if (status != VX_OK || radius == 0) {
        return status;
    }
    erosion e = {.field = field};
    size_t word_count = field->compact.places / WORD;
    size_t block_count = (size_t)field->size[1] * field->blocks_wide;
    status = allocate(&e, word_count, block_count, error);
    if (status != VX_OK) {
        return status;
    }
    uint64_t walkable = field->kernels->linked(field->compact.area, field->compact.link, word_count,
                                               e.walkable, e.far);
    for (uint32_t z = 0; z < field->size[1]; z++) {
        for (uint32_t i = 0; i < field->blocks_wide; i++) {
            begin_block(&e, z, i, walkable == field->span_count);
        }
    }
    uint32_t last = 2 * (uint32_t)radius - 1;
    for (uint32_t distance = 2; distance <= last && e.listed > 0; distance++) {
        reach_all(&e, distance, distance == last);
    }
    clear_reached(&e, word_count);
    return VX_OK;
}
