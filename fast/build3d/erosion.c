/* SPDX-License-Identifier: MIT */
/* SPEC B8: erosion, one distance after the other. 32 places are the bits of a word; the spans at a
 * distance are found from those at smaller ones for a whole word at a time, and only where
 * something is near (docs/DIFFERENCES.md). */
#include "beside.h"
#include "kernels.h"

enum {
    WORD = VX_FAST_LANES, /* places */
    FIRST = 2,            /* nothing lies at distance 1 */
    /* So many edges a word are kept if memory allows; those of further words are listed whenever
     * they are used. */
    EDGES_KEPT = 10,
    /* For so many distances the same words are awake: at most twice the lanes of a block. */
    STRETCH = 16,
    /* So many words are sorted together, or those with so many edges, by their edges along x and
     * along z: KEYS − 1 stands for more. */
    SORTED = 256,
    SORTED_EDGES = 4096,
    KEYS = 16
};

/* Edges that are not kept. */
#define UNLISTED UINT32_MAX
/* Set in the number of a block that was never awake before. */
#define IS_NEW (UINT32_C(1) << 31)

/* One erosion: arrays of something for each word or each block. Where no span is, a place counts as
 * boundary, to which nothing leads. */
typedef struct erosion {
    const vx_build3d *field;
    uint32_t *far;            /* spans that are no boundary and not reached yet */
    vx_fast_front *fronts[2]; /* what words show while even and odd distances are found */
    vx_fast_edges *edges_of;
    vx_fast_edge *edges;
    size_t edge_count, edges_max;
    bool all_kept;
    union {
        uint32_t *walkable; /* at first: spans with an area */
        uint32_t *awake;    /* then: the words that are awake */
    };
    uint32_t awake_count;
    uint32_t sorted_count; /* of these, and of the edges, so many are sorted */
    size_t sorted_edges;
    uint32_t *woken;         /* the distance at which a block was woken last, 0: never */
    uint32_t *blocks, *room; /* the blocks that are awake, and where the next ones are listed */
    uint32_t block_count;
} erosion;

/* A block, for listing its words' edges. */
typedef struct spot {
    vx_fast_around around;
    vx_fast_leads leads; /* where it and all around it is in layers */
    uint32_t z, index;
} spot;

/* --- edges: B7.2@392666 to B7.4@d8ed8d ----------------------------------------------------------
 */

static void find_spot(const erosion *e, uint32_t block, spot *s)
{
    uint32_t wide = e->field->blocks_wide;
    s->z = block / wide;
    s->index = block % wide;
    s->around = vx_fast_around_of(e->field, s->z, s->index);
    const vx_fast_compact_block *own = s->around.own;
    s->leads.word = own->word;
    s->leads.words = own->words;
    for (size_t d = 0; d < 4; d++) {
        const vx_fast_compact_block *other = s->around.others[d];
        s->leads.links[d] = e->field->compact.link[d] + vx_fast_first_place(own);
        s->leads.other_word[d] = other != NULL ? other->word : 0;
        s->leads.other_words[d] = other != NULL ? other->words : 0;
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
static void join_edge(vx_fast_edge_list *list, uint32_t begin, uint32_t *count, uint32_t bit,
                      size_t to)
{
    uint32_t turn = (bit - (uint32_t)(to % WORD)) % VX_FAST_TURNS;
    uint32_t target = (uint32_t)(to / WORD) * VX_FAST_TURNS + turn;
    uint32_t i = begin;
    while (i < *count && list->items[i].target != target) {
        i++;
    }
    if (i == *count) {
        list->items[(*count)++] = (vx_fast_edge){0, target};
    }
    list->items[i].spans |= UINT32_C(1) << bit;
}

/* The edges of some spans of a word, which have four links, wherever they and their neighbours
 * stand. */
static void list_spans(const erosion *e, const spot *s, size_t w, uint32_t spans,
                       vx_fast_edge_list *list)
{
    const vx_fast_compact *c = &e->field->compact;
    static const uint8_t directions[] = {0, 2, 1, 3};
    static const uint32_t x_of[] = {UINT32_MAX, 0, 1, 0};
    static const uint32_t z_of[] = {0, 1, 0, UINT32_MAX};
    uint32_t count = 0;
    for (size_t i = 0; i < 4; i++) {
        size_t d = directions[i];
        uint32_t begin = count;
        for (uint32_t left = spans; left != 0; left &= left - 1) {
            uint32_t bit = (uint32_t)__builtin_ctz(left);
            size_t at = w * WORD + bit;
            uint32_t x = s->index * VX_FAST_LANES + lane_of(c, s->around.own, at);
            vx_fast_places to = vx_fast_places_at(e->field, x + x_of[d], s->z + z_of[d]);
            join_edge(list, begin, &count, bit, to.first + c->link[d][at] * to.stride);
        }
        list->ends[i] = count;
    }
}

static void list_edges(const erosion *e, const spot *s, size_t w, uint32_t spans,
                       vx_fast_edge_list *list)
{
    if (s->around.suits) {
        e->field->kernels->list(&s->leads, (uint32_t)w - s->leads.word, spans, list);
    } else {
        list_spans(e, s, w, spans, list);
    }
}

static vx_fast_edges edges_at(uint32_t first, const vx_fast_edge_list *list)
{
    return (vx_fast_edges){.first = first,
                           .x_count = (uint16_t)list->ends[1],
                           .z_count = (uint16_t)(list->ends[3] - list->ends[1])};
}

/* Lists the edges of a word's spans that are not reached, and keeps them if there is room. */
static void find_edges(erosion *e, const spot *s, size_t w)
{
    vx_fast_edge_list list;
    list_edges(e, s, w, e->far[w], &list);
    uint32_t count = list.ends[3];
    if (e->edges_max - e->edge_count >= count) {
        e->edges_of[w] = edges_at((uint32_t)e->edge_count, &list);
        memcpy(e->edges + e->edge_count, list.items, count * sizeof *list.items);
        e->edge_count += count;
    } else {
        e->edges_of[w] = edges_at(UNLISTED, &list);
        e->all_kept = false;
    }
}

/* --- who is awake -------------------------------------------------------------------------------
 */

/* Wakes a block some spans of which are shown, and those within reach of it in so many distances:
 * what is reached lies at most one column further off, along x or along z, for every two of them.
 * Where blocks come row after row, and what is woken by one is what is woken by all of its row, it
 * ends where a block is awake: the rows before are as well. */
static void wake(erosion *e, uint32_t block, uint32_t shown, uint32_t distance, uint32_t count,
                 bool in_order)
{
    uint32_t wide = e->field->blocks_wide;
    uint32_t z = block / wide;
    uint32_t index = block % wide;
    uint32_t columns = (count + 1) / 2;
    bool anywhere = !e->field->compact.blocks[block].in_layers;
    bool goes_left = anywhere || shown << (WORD - columns) != 0;
    bool goes_right = anywhere || shown >> (WORD - columns) != 0;
    uint32_t left = index > 0 && goes_left ? index - 1 : index;
    uint32_t right = index + 1 < wide && goes_right ? index + 1 : index;
    uint32_t low = z > columns ? z - columns : 0;
    uint32_t end = z + columns < e->field->size[1] ? z + columns + 1 : e->field->size[1];
    for (uint32_t i = left; i <= right; i++) {
        for (uint32_t k = end; k-- > low;) {
            uint32_t b = k * wide + i;
            if (e->woken[b] != distance) {
                e->blocks[e->block_count++] = e->woken[b] == 0 ? b | IS_NEW : b;
                e->woken[b] = distance;
            } else if (in_order) {
                break;
            }
        }
    }
}

/* All that a word shows at this distance and the next one. */
static inline uint32_t shown_by(const erosion *e, size_t w)
{
    const uint32_t *even = e->fronts[0][w].at;
    const uint32_t *odd = e->fronts[1][w].at;
    return even[VX_FAST_STRAIGHT] | even[VX_FAST_LAST] | odd[VX_FAST_STRAIGHT] | odd[VX_FAST_LAST];
}

/* Wakes the blocks for so many distances. */
static void wake_all(erosion *e, uint32_t distance, uint32_t count)
{
    uint32_t *old = e->blocks;
    uint32_t old_count = e->block_count;
    e->blocks = e->room;
    e->room = old;
    e->block_count = 0;
    for (uint32_t i = 0; i < old_count; i++) {
        uint32_t block = old[i] & ~IS_NEW;
        const vx_fast_compact_block *b = &e->field->compact.blocks[block];
        size_t end = (size_t)b->word + b->words;
        uint32_t shown = 0;
        for (size_t w = b->word; w < end; w++) {
            shown |= shown_by(e, w);
        }
        if (shown != 0) {
            wake(e, block, shown, distance, count, false);
        }
    }
}

static inline uint32_t key_of(const erosion *e, uint32_t w)
{
    if (e->far[w] == 0) {
        return 0;
    }
    uint32_t x = e->edges_of[w].x_count;
    uint32_t z = e->edges_of[w].z_count;
    return (x < KEYS ? x : KEYS - 1) * KEYS + (z < KEYS ? z : KEYS - 1);
}

/* Puts the edges that are not sorted in the order of the words that they belong to. */
static void sort_edges(erosion *e, const uint32_t *words, uint32_t count)
{
    vx_fast_edge old[SORTED_EDGES];
    size_t first = e->sorted_edges;
    size_t end = first;
    memcpy(old, e->edges + first, (e->edge_count - first) * sizeof *old);
    for (uint32_t i = 0; i < count; i++) {
        vx_fast_edges *at = &e->edges_of[words[i]];
        if (e->far[words[i]] != 0 && at->first != UNLISTED && at->first >= first) {
            const vx_fast_edge *from = old + (at->first - first);
            at->first = (uint32_t)end;
            for (uint32_t k = (uint32_t)at->x_count + at->z_count; k > 0; k--) {
                e->edges[end++] = *from++;
            }
        }
    }
}

/* Sorts the last words that are awake by their numbers of edges, so that loops over these end alike
 * word after word, and the edges that were listed for them. */
static void sort_words(erosion *e)
{
    uint32_t old[SORTED];
    uint16_t keys[SORTED];
    uint16_t ends[KEYS * KEYS + 1] = {0};
    uint32_t *words = e->awake + e->sorted_count;
    uint32_t count = e->awake_count - e->sorted_count;
    for (uint32_t i = 0; i < count; i++) {
        old[i] = words[i];
        keys[i] = (uint16_t)key_of(e, words[i]);
        ends[keys[i] + 1]++;
    }
    for (uint32_t k = 0; k < KEYS * KEYS; k++) {
        ends[k + 1] = (uint16_t)(ends[k] + ends[k + 1]);
    }
    for (uint32_t i = 0; i < count; i++) {
        words[ends[keys[i]]++] = old[i];
    }
    if (e->edge_count > e->sorted_edges) {
        sort_edges(e, words, count);
    }
    e->sorted_count = e->awake_count;
    e->sorted_edges = e->edge_count;
}

/* Wakes the words of a block in which something is far or, behind distance 0, shown. */
static void wake_words(erosion *e, uint32_t block, bool is_new, bool sorts, bool is_first)
{
    const vx_fast_compact_block *b = &e->field->compact.blocks[block];
    spot s;
    bool is_found = false;
    size_t end = (size_t)b->word + b->words;
    for (size_t w = b->word; w < end; w++) {
        if (e->far[w] == 0 && (is_first || shown_by(e, w) == 0)) {
            continue;
        }
        e->awake[e->awake_count++] = (uint32_t)w;
        if (is_new && e->far[w] != 0) {
            if (!is_found) {
                find_spot(e, block, &s);
                is_found = true;
            }
            find_edges(e, &s, w);
        }
        if (sorts && (e->awake_count - e->sorted_count == SORTED ||
                      e->edge_count - e->sorted_edges > SORTED_EDGES - 4 * WORD)) {
            sort_words(e);
        }
    }
}

/* Wakes the words of all blocks that are awake, for so many distances: to sort them is not worth
 * while for a few. */
static void wake_all_words(erosion *e, uint32_t distance, uint32_t count)
{
    enum { FEW = 4 };
    bool sorts = count > FEW;
    e->awake_count = 0;
    e->sorted_count = 0;
    e->sorted_edges = e->edge_count;
    for (uint32_t i = 0; i < e->block_count; i++) {
        wake_words(e, e->blocks[i] & ~IS_NEW, (e->blocks[i] & IS_NEW) != 0, sorts,
                   distance == FIRST);
    }
    if (sorts) {
        sort_words(e);
    }
}

/* --- distances: B8.2@3da75b to B8.4@f23dc2 ------------------------------------------------------
 */

/* Those of some spans whose links all lead to an area: they are no boundary. */
static uint32_t inner_spans(const erosion *e, const vx_fast_edge_list *list, uint32_t spans)
{
    for (uint32_t i = 0, k = 0; i < 4; i++) {
        uint32_t walkable = 0;
        for (; k < list->ends[i]; k++) {
            const vx_fast_edge *at = &list->items[k];
            uint64_t other = e->walkable[at->target / VX_FAST_TURNS];
            walkable |= at->spans & (uint32_t)vx_fast_turned(other, at->target);
        }
        spans &= walkable;
    }
    return spans;
}

/* Leaves in far, of a block's spans with four links, those that are no boundary. */
static void leave_inner(erosion *e, uint32_t block)
{
    spot s;
    find_spot(e, block, &s);
    size_t end = (size_t)s.leads.word + s.leads.words;
    for (size_t w = s.leads.word; w < end; w++) {
        if (e->far[w] != 0) {
            vx_fast_edge_list list;
            list_edges(e, &s, w, e->far[w], &list);
            e->far[w] = inner_spans(e, &list, e->far[w]);
        }
    }
}

/* Shows distance 0 in a block, and wakes who is near for so many distances. */
static void show_boundary(erosion *e, uint32_t block, uint32_t count)
{
    const vx_fast_compact_block *b = &e->field->compact.blocks[block];
    uint32_t shown = 0;
    size_t end = (size_t)b->word + b->words;
    for (size_t w = b->word; w < end; w++) {
        e->fronts[0][w] = (vx_fast_front){{[VX_FAST_STRAIGHT] = ~e->far[w]}};
        shown |= ~e->far[w];
    }
    if (shown != 0) {
        wake(e, block, shown, FIRST, count, true);
    }
}

/* Whether in most blocks in which anything was far something is at distance 2. */
static bool most_reach(const erosion *e)
{
    uint32_t count = 0;
    uint32_t others = 0;
    for (uint32_t i = 0; i < e->block_count; i++) {
        const vx_fast_compact_block *b = &e->field->compact.blocks[e->blocks[i] & ~IS_NEW];
        size_t end = (size_t)b->word + b->words;
        uint32_t far = 0;
        uint32_t reached = 0;
        for (size_t w = b->word; w < end; w++) {
            far |= e->far[w];
            reached |= e->fronts[1][w].at[VX_FAST_LAST];
        }
        count += reached != 0;
        others += far != 0 && reached == 0;
    }
    return count / 3 >= others;
}

/* Takes back what is shown of distance 0, which only distance 2 is found from: words of which
 * nothing is far never wake, and do not do so themselves. False if it had better be decided anew
 * who is awake, since boundaries that nothing leads to woke too many. */
static bool hide_boundary(erosion *e, size_t word_count)
{
    bool goes_on = most_reach(e);
    for (size_t w = 0; w < word_count; w++) {
        if (!goes_on || e->far[w] == 0) {
            e->fronts[0][w] = (vx_fast_front){{0}};
        }
    }
    return goes_on;
}

/* The block that a word belongs to: the last one that begins there or before. */
static uint32_t block_of(const erosion *e, uint32_t w)
{
    const vx_fast_compact_block *blocks = e->field->compact.blocks;
    uint32_t low = 0;
    for (uint32_t high = e->field->size[1] * e->field->blocks_wide; high - low > 1;) {
        uint32_t middle = low + (high - low) / 2;
        if (blocks[middle].word <= w) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* One distance in a word whose edges may be those that are not kept. */
static size_t reach_alone(const erosion *e, vx_fast_reaching reaching, uint32_t *word)
{
    vx_fast_edge_list list;
    vx_fast_edges *at = &e->edges_of[*word];
    if (e->far[*word] == 0 || at->first != UNLISTED) {
        return e->field->kernels->reach(&reaching, word, 1);
    }
    spot s;
    find_spot(e, block_of(e, *word), &s);
    list_edges(e, &s, *word, e->far[*word], &list);
    reaching.edges = list.items;
    *at = edges_at(0, &list);
    size_t stays = e->field->kernels->reach(&reaching, word, 1);
    at->first = UNLISTED;
    return stays;
}

/* One distance in all words that are awake. */
static void reach_all(erosion *e, uint32_t distance)
{
    const vx_fast_reaching reaching = {.edges = e->edges,
                                       .edges_of = e->edges_of,
                                       .now = e->fronts[distance % 2],
                                       .next = e->fronts[(distance + 1) % 2],
                                       .far = e->far};
    uint32_t count = e->awake_count;
    if (e->all_kept) {
        e->awake_count = (uint32_t)e->field->kernels->reach(&reaching, e->awake, count);
        return;
    }
    e->awake_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *to = &e->awake[e->awake_count];
        *to = e->awake[i];
        e->awake_count += (uint32_t)reach_alone(e, reaching, to);
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
    size_t edges = beside < allowed ? (allowed - beside) / sizeof(vx_fast_edge) : 0;
    return edges < most ? edges : most;
}

static vx_status allocate(erosion *e, size_t word_count, size_t block_count, vx_error *error)
{
    vx_build3d *field = (vx_build3d *)(uintptr_t)e->field;
    /* Targets of edges have 32 bits. */
    const size_t most = UINT32_MAX / VX_FAST_TURNS;
    if (word_count > most) {
        return vx_fail(error, VX_NO_MEMORY, "no memory for eroding %zu places: more than %zu",
                       word_count * WORD, most * WORD);
    }
    size_t fixed = word_count * (2 * sizeof *e->fronts[0] + sizeof *e->edges_of + sizeof *e->far +
                                 sizeof *e->awake) +
                   block_count * (sizeof *e->woken + sizeof *e->blocks + sizeof *e->room);
    e->edges_max = edges_within(field, fixed, word_count * EDGES_KEPT);
    uint8_t *memory =
        vx_fast_reserve(field, &field->scratch, fixed + e->edges_max * sizeof *e->edges, 1, error);
    if (memory == NULL) {
        return VX_NO_MEMORY;
    }
    e->fronts[0] = (void *)memory;
    e->fronts[1] = e->fronts[0] + word_count;
    e->edges = (void *)(e->fronts[1] + word_count);
    e->edges_of = (void *)(e->edges + e->edges_max);
    e->far = (void *)(e->edges_of + word_count);
    e->awake = e->far + word_count;
    e->woken = e->awake + word_count;
    e->blocks = e->woken + block_count;
    e->room = e->blocks + block_count;
    memset(e->fronts[1], 0, word_count * sizeof *e->fronts[1]);
    memset(e->woken, 0, block_count * sizeof *e->woken);
    e->all_kept = true;
    return VX_OK;
}

/* For so many distances from this one on the same words are awake. */
static uint32_t stretch_from(uint32_t distance, uint32_t last)
{
    return last - distance + 1 < STRETCH ? last - distance + 1 : STRETCH;
}

/* Distance 0, and who is awake for the first ones, up to the last. Spans with four links are no
 * boundary where every span of the field has an area. */
static void begin(erosion *e, size_t word_count, uint32_t block_count, uint32_t last)
{
    const vx_fast_compact *c = &e->field->compact;
    uint64_t spans = e->field->kernels->linked(c->area, c->link, word_count, e->walkable, e->far);
    bool all_walkable = spans == e->field->span_count;
    if (all_walkable && last < FIRST) {
        return;
    }
    for (uint32_t i = 0; i < block_count; i++) {
        if (!all_walkable) {
            leave_inner(e, i);
        }
        if (last >= FIRST) {
            show_boundary(e, i, stretch_from(FIRST, last));
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
    uint32_t block_count = field->size[1] * field->blocks_wide;
    status = allocate(&e, word_count, block_count, error);
    if (status != VX_OK) {
        return status;
    }
    uint32_t last = 2 * (uint32_t)radius - 1;
    begin(&e, word_count, block_count, last);
    for (uint32_t distance = FIRST; distance <= last && e.block_count > 0;) {
        uint32_t count = stretch_from(distance, last);
        wake_all_words(&e, distance, count);
        for (uint32_t i = 0; i < count; i++) {
            reach_all(&e, distance++);
            if (distance == FIRST + 1 && distance < last && !hide_boundary(&e, word_count)) {
                break;
            }
        }
        if (distance <= last) {
            wake_all(&e, distance, stretch_from(distance, last));
        }
    }
    field->kernels->keep(field->compact.area, e.far, word_count);
    return VX_OK;
}
