/* SPDX-License-Identifier: MIT */
/* SPEC B7: the compact heightfield and its links. */
#include "beside.h"

enum {
    /* Blocks with a deeper column are in layers only if these waste little. */
    LAYERS_MAX = 64,
    PLACE_BYTES = 9,
    /* Beside 16 bytes for each of its spans, a block of compact spans may have so many: of what is
     * promised for 32 columns, two pointers and what packed solid blocks need are not its own. */
    SOLIDS_FREE = 48,
    COMPACT_FREE = VX_FAST_BLOCK_BYTES - 2 * 8 - SOLIDS_FREE
};

/* A grid whose blocks of layers may be put through kernels. */
static bool is_low(const vx_build3d *field)
{
    return field->size[2] <= VX_FAST_LOW_HEIGHT;
}

vx_fast_places vx_fast_places_of(const vx_fast_compact *c, const vx_fast_compact_block *block,
                                 uint32_t lane)
{
    size_t first = vx_fast_first_place(block);
    if (block->in_layers) {
        return (vx_fast_places){first + lane, VX_FAST_LANES, vx_fast_count_of(c, block, lane)};
    }
    if (block->is_deep) {
        first += c->starts[block->deep].at[lane];
    } else {
        for (uint32_t i = 0; i < lane; i++) {
            first += block->counts[i];
        }
    }
    return (vx_fast_places){first, 1, vx_fast_count_of(c, block, lane)};
}

vx_fast_places vx_fast_places_at(const vx_build3d *field, uint32_t x, uint32_t z)
{
    const vx_fast_compact_block *block =
        &field->compact.blocks[(size_t)z * field->blocks_wide + x / VX_FAST_LANES];
    return vx_fast_places_of(&field->compact, block, x % VX_FAST_LANES);
}

/* --- counting: B7.1@91d48d
 * -----------------------------------------------------------------------------
 */

static uint32_t walkable_of(const vx_fast_view *column)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < column->count; k++) {
        count += column->area[k * column->stride] != 0;
    }
    return count;
}

static uint32_t words_for(uint32_t spans)
{
    return (spans + VX_FAST_LANES - 1) / VX_FAST_LANES;
}

/* Whether the spans of a block stand in layers at best: in few, or in more that are well filled. */
static bool suits_layers(const vx_build3d *field, uint32_t layers, uint32_t spans)
{
    return is_low(field) && (layers <= LAYERS_MAX ||
                             layers * PLACE_BYTES * VX_FAST_LANES <= VX_FAST_SPAN_BYTES * spans);
}

/* The compact spans of each column of a block, modulo 256. */
static vx_fast_tally count_spans(const vx_build3d *field, const vx_fast_block *block,
                                 uint8_t *counts)
{
    if (block->form == VX_FAST_LAYERS && is_low(field)) {
        return field->kernels->count(block, counts);
    }
    vx_fast_tally tally = {0};
    for (uint32_t i = 0; i < VX_FAST_LANES; i++) {
        vx_fast_view column = vx_fast_view_of(block, i);
        uint32_t count = walkable_of(&column);
        tally.spans += count;
        tally.deepest = count > tally.deepest ? count : tally.deepest;
        counts[i] = (uint8_t)count;
    }
    return tally;
}

/* Finds how the spans of a block would stand; returns how many they are. */
static uint32_t plan_block(const vx_build3d *field, const vx_fast_block *block,
                           vx_fast_compact_block *made)
{
    *made = (vx_fast_compact_block){.in_layers = true};
    if (block == NULL) {
        return 0;
    }
    vx_fast_tally tally = count_spans(field, block, made->counts);
    made->is_deep = tally.deepest > UINT8_MAX;
    made->in_layers = tally.spans == 0 || suits_layers(field, tally.deepest, tally.spans);
    made->words = made->in_layers ? tally.deepest : words_for(tally.spans);
    return tally.spans;
}

/* Puts columns one after the other, in the emptiest blocks first, until the places take at most so
 * many bytes. */
static void pack_blocks(vx_fast_compact *c, size_t count, size_t most)
{
    enum { GAIN_FIRST = 4 };
    for (uint32_t gain = GAIN_FIRST; gain > 0; gain /= 2) {
        for (size_t i = 0; i < count && c->places * PLACE_BYTES > most; i++) {
            vx_fast_compact_block *block = &c->blocks[i];
            uint32_t spans = 0;
            /* One that is deep and in layers takes no more than it may. */
            for (size_t k = 0; k < VX_FAST_LANES && !block->is_deep; k++) {
                spans += block->counts[k];
            }
            uint32_t words = block->is_deep ? block->words : words_for(spans);
            if (block->in_layers && block->words > words && block->words >= gain * words) {
                c->places -= (size_t)(block->words - words) * VX_FAST_LANES;
                block->words = words;
                block->in_layers = false;
            }
        }
    }
}

/* Where the columns of the deep blocks begin. */
static void start_columns(const vx_build3d *field, const vx_fast_compact *c, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!c->blocks[i].is_deep) {
            continue;
        }
        vx_fast_starts *starts = &c->starts[c->blocks[i].deep];
        starts->at[0] = 0;
        for (uint32_t k = 0; k < VX_FAST_LANES; k++) {
            vx_fast_view column = vx_fast_view_of(field->blocks[i], k);
            starts->at[k + 1] = starts->at[k] + walkable_of(&column);
        }
    }
}

/* --- filling: B7.1@91d48d
 * ------------------------------------------------------------------------------
 */

static void fill_column(const vx_fast_view *from, const vx_fast_compact *c, vx_fast_places to)
{
    size_t at = to.first;
    for (uint32_t k = 0; k < from->count; k++) {
        size_t s = k * from->stride;
        if (from->area[s] != 0) {
            c->y[at] = from->max[s];
            c->height[at] = k + 1 < from->count
                                ? (uint16_t)(from->min[s + from->stride] - from->max[s])
                                : VX_OPEN_HEIGHT;
            c->area[at] = from->area[s];
            at += to.stride;
        }
    }
}

static void fill_block(const vx_build3d *field, const vx_fast_block *block,
                       const vx_fast_compact *c, const vx_fast_compact_block *made)
{
    if (made->words == 0) {
        return;
    }
    size_t first = vx_fast_first_place(made);
    if (made->in_layers && block->form == VX_FAST_LAYERS) {
        field->kernels->compact(block, made->words, c->y + first, c->height + first,
                                c->area + first);
        return;
    }
    size_t end = first + (size_t)made->words * VX_FAST_LANES;
    for (size_t i = first; i < end; i++) {
        c->y[i] = VX_FAST_NO_SPAN;
        c->height[i] = 0;
        c->area[i] = 0;
    }
    for (uint32_t i = 0; i < VX_FAST_LANES; i++) {
        vx_fast_view column = vx_fast_view_of(block, i);
        fill_column(&column, c, vx_fast_places_of(c, made, i));
    }
}

/* One row, whose solid spans are given back. */
static void fill_row(vx_build3d *field, uint32_t z)
{
    for (uint32_t i = 0; i < field->blocks_wide; i++) {
        size_t at = (size_t)z * field->blocks_wide + i;
        vx_fast_prefetch(field, at + VX_FAST_BLOCKS_AHEAD, 4);
        fill_block(field, field->blocks[at], &field->compact, &field->compact.blocks[at]);
        vx_fast_block_release(field, field->blocks[at]);
        field->blocks[at] = NULL;
    }
}

/* --- links: B7.3@bedabb, B7.4@d8ed8d
 * --------------------------------------------------------------------------
 */

/* Links the spans of a column to those of a neighbour. Going up the column, spans of the neighbour
 * that are too low stay so: their Y, or the top of the gap above it. Those from some Y on are too
 * high. */
static void link_columns(const vx_fast_compact *c, vx_fast_places own, vx_fast_places other,
                         size_t direction, int32_t height, int32_t climb)
{
    uint32_t first = 0;
    for (uint32_t k = 0; k < own.count; k++) {
        size_t s = own.first + k * own.stride;
        int32_t y = c->y[s];
        int32_t top = y + c->height[s];
        int32_t highest = top - height < y + climb ? top - height : y + climb;
        uint8_t link = VX_LINK_NONE;
        for (uint32_t m = first; m < other.count; m++) {
            size_t t = other.first + m * other.stride;
            int32_t other_y = c->y[t];
            int32_t other_top = other_y + c->height[t];
            if (other_y > highest) {
                break;
            }
            if (other_y < y - climb || other_top < y + height) {
                first = m + 1;
                continue;
            }
            if ((top < other_top ? top : other_top) - (other_y > y ? other_y : y) >= height) {
                link = m < VX_LINK_NONE ? (uint8_t)m : VX_LINK_NONE;
                break;
            }
        }
        c->link[direction][s] = link;
    }
}

static void link_block_by_columns(const vx_build3d *field, uint32_t z, uint32_t index,
                                  int32_t height, int32_t climb)
{
    const vx_fast_compact *c = &field->compact;
    uint32_t width = field->size[0];
    uint32_t depth = field->size[1];
    uint32_t x = index * VX_FAST_LANES;
    uint32_t end = x + VX_FAST_LANES < width ? x + VX_FAST_LANES : width;
    static const vx_fast_places none = {0, 0, 0};
    const vx_fast_compact_block *block = &c->blocks[(size_t)z * field->blocks_wide + index];
    for (size_t d = 0; d < 4 && block->in_layers; d++) {
        memset(c->link[d] + vx_fast_first_place(block), VX_LINK_NONE,
               (size_t)block->words * VX_FAST_LANES);
    }
    for (; x < end; x++) {
        vx_fast_places own = vx_fast_places_at(field, x, z);
        const vx_fast_places others[] = {
            x > 0 ? vx_fast_places_at(field, x - 1, z) : none,
            z + 1 < depth ? vx_fast_places_at(field, x, z + 1) : none,
            x + 1 < width ? vx_fast_places_at(field, x + 1, z) : none,
            z > 0 ? vx_fast_places_at(field, x, z - 1) : none,
        };
        for (size_t d = 0; d < 4; d++) {
            link_columns(c, own, others[d], d, height, climb);
        }
    }
}

static vx_fast_stack stack_of(const vx_fast_compact *c, const vx_fast_compact_block *block)
{
    if (block == NULL) {
        return (vx_fast_stack){0};
    }
    size_t first = vx_fast_first_place(block);
    return (vx_fast_stack){{c->y + first, c->height + first}, block->words};
}

/* A block that is in layers like its neighbours. */
static void link_block(const vx_build3d *field, const vx_fast_around *n, uint16_t *window,
                       size_t places, int32_t height, int32_t climb)
{
    const vx_fast_compact *c = &field->compact;
    vx_fast_linking linking = {.own = stack_of(c, n->own), .window = window, .places = places};
    for (size_t d = 0; d < 4; d++) {
        linking.others[d] = stack_of(c, n->others[d]);
        linking.links[d] = c->link[d] + vx_fast_first_place(n->own);
    }
    field->kernels->link(&linking, height, climb);
}

static void link_row(const vx_build3d *field, uint32_t z, uint16_t *window, size_t places,
                     int64_t height, int64_t climb)
{
    bool fits = field->size[2] + height + climb <= VX_FAST_NO_SPAN;
    for (uint32_t i = 0; i < field->blocks_wide; i++) {
        vx_fast_around n = vx_fast_around_of(field, z, i);
        if (fits && n.suits) {
            link_block(field, &n, window, places, (int32_t)height, (int32_t)climb);
        } else {
            link_block_by_columns(field, z, i, (int32_t)height, (int32_t)climb);
        }
    }
}

/* --- all ----------------------------------------------------------------------------------------
 */

/* Counts the spans and finds their places; returns the number of spans. */
static uint64_t plan_all(const vx_build3d *field, vx_fast_compact *c, size_t count)
{
    uint64_t spans = 0;
    uint32_t deep = 0;
    for (size_t i = 0; i < count; i++) {
        vx_fast_prefetch(field, i + VX_FAST_BLOCKS_AHEAD, 1);
        spans += plan_block(field, field->blocks[i], &c->blocks[i]);
        c->places += (size_t)c->blocks[i].words * VX_FAST_LANES;
        if (c->blocks[i].is_deep) {
            c->blocks[i].deep = deep++;
        }
    }
    size_t fixed = count * sizeof *c->blocks + deep * sizeof *c->starts;
    size_t most = VX_FAST_SPAN_BYTES * (size_t)spans + COMPACT_FREE * count;
    pack_blocks(c, count, most > fixed ? most - fixed : 0);
    c->starts_bytes = deep * sizeof *c->starts;
    c->bytes = fixed + c->places * PLACE_BYTES;
    return spans;
}

/* Gives every block its places; returns the most layers of any. */
static uint32_t place_blocks(vx_fast_compact *c, size_t count)
{
    uint32_t deepest = 0;
    uint32_t word = 0;
    for (size_t i = 0; i < count; i++) {
        c->blocks[i].word = word;
        word += c->blocks[i].words;
        c->in_layers &= c->blocks[i].in_layers;
        if (c->blocks[i].in_layers && c->blocks[i].words > deepest) {
            deepest = c->blocks[i].words;
        }
    }
    return deepest;
}

static vx_status allocate_places(vx_build3d *field, vx_fast_compact *c, vx_error *error)
{
    if (c->places > SIZE_MAX / 64) {
        return vx_fail(error, VX_NO_MEMORY, "no memory for %zu spans", c->places);
    }
    uint8_t *memory = vx_fast_alloc(field, c->places * PLACE_BYTES, error);
    if (memory == NULL) {
        return VX_NO_MEMORY;
    }
    c->y = (void *)memory;
    c->height = c->y + c->places;
    c->area = (void *)(c->height + c->places);
    for (size_t d = 0; d < 4; d++) {
        c->link[d] = c->area + (d + 1) * c->places;
    }
    return VX_OK;
}

/* The memory of all that, after the solid blocks were packed if both together would take more than
 * is promised. */
static vx_status allocate_all(vx_build3d *field, vx_fast_compact *c, size_t count, vx_error *error)
{
    size_t most = VX_FAST_SPAN_BYTES * (size_t)(field->span_count + field->next_count) +
                  (COMPACT_FREE + SOLIDS_FREE) * count - c->bytes;
    vx_status status = vx_fast_blocks_pack(field, most, error);
    if (status == VX_OK && c->starts_bytes > 0) {
        c->starts = vx_fast_alloc(field, c->starts_bytes, error);
        status = c->starts != NULL ? VX_OK : VX_NO_MEMORY;
    }
    if (status == VX_OK) {
        status = allocate_places(field, c, error);
    }
    if (status != VX_OK) {
        vx_fast_release(field, c->starts, c->starts_bytes);
    }
    return status;
}

vx_status vx_fast_make_compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    vx_status status = vx_fast_check_place(field, false, "compact", error);
    if (status == VX_OK) {
        status = vx_fast_check_integer(height, 1, VX_ROWS_MAX, "height", error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_integer(climb, 0, VX_ROWS_MAX, "climb", error);
    }
    if (status != VX_OK) {
        return status;
    }
    size_t count = (size_t)field->size[1] * field->blocks_wide;
    vx_fast_compact c = {.in_layers = true,
                         .blocks = vx_fast_alloc(field, count * sizeof *c.blocks, error)};
    if (c.blocks == NULL) {
        return VX_NO_MEMORY;
    }
    field->next_count = plan_all(field, &c, count);
    uint32_t layers = place_blocks(&c, count);
    size_t places = (size_t)(layers < VX_FAST_WINDOW ? layers : VX_FAST_WINDOW) * VX_FAST_LANES;
    uint16_t *window = vx_fast_reserve(field, &field->scratch, 4 * places, sizeof *window, error);
    if (window == NULL || allocate_all(field, &c, count, error) != VX_OK) {
        vx_fast_release(field, c.blocks, count * sizeof *c.blocks);
        return VX_NO_MEMORY;
    }
    start_columns(field, &c, count);
    field->compact = c;
    /* What a row is linked to is still in the cache when the next one is filled. */
    for (uint32_t z = 0; z < field->size[1]; z++) {
        fill_row(field, z);
        if (z > 0) {
            link_row(field, z - 1, window, places, height, climb);
        }
    }
    link_row(field, field->size[1] - 1, window, places, height, climb);
    field->is_compact = true;
    uint64_t solids = field->span_count;
    field->span_count = field->next_count;
    field->next_count = solids;
    field->block_bytes = 0;
    return VX_OK;
}
