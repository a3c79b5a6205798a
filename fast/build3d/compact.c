/* SPDX-License-Identifier: MIT */
/* SPEC B7: the compact heightfield and its links. */
#include "beside.h"

/* Compact layers may be as empty as they like up to LAYERS_FREE; above, three of ten places hold a
 * span. */
enum { LAYERS_FREE = 4, LAYERS_MAX = 64, FILL_PARTS = 10, FILL_LEAST = 3, PLACE_BYTES = 9 };

/* A grid whose blocks of layers may be put through kernels. */
static bool is_low(const vx_build3d *field)
{
    return field->size[2] <= VX_FAST_LOW_HEIGHT;
}

vx_fast_places vx_fast_places_of(const vx_fast_compact_block *block, uint32_t lane)
{
    if (block->layers > 0) {
        return (vx_fast_places){block->place + lane, VX_FAST_LANES, block->counts[lane]};
    }
    return (vx_fast_places){block->place + block->starts[lane], 1,
                            block->starts[lane + 1] - block->starts[lane]};
}

vx_fast_places vx_fast_places_at(const vx_build3d *field, uint32_t x, uint32_t z)
{
    const vx_fast_compact_block *block =
        &field->compact.blocks[(size_t)z * field->blocks_wide + x / VX_FAST_LANES];
    return vx_fast_places_of(block, x % VX_FAST_LANES);
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

/* Counts the spans of each column of a block; the numbers are those of a block without layers. */
static void count_columns(const vx_fast_block *block, vx_fast_compact_block *made)
{
    made->layers = 0;
    made->starts[0] = 0;
    for (uint32_t i = 0; i < VX_FAST_LANES; i++) {
        uint32_t count = 0;
        if (block != NULL) {
            vx_fast_view column = vx_fast_view_of(block, i);
            count = walkable_of(&column);
        }
        made->starts[i + 1] = made->starts[i] + count;
    }
}

/* Whether so many spans, the deepest column having layers of them, may stand in layers. */
static bool may_be_layers(uint32_t layers, uint32_t spans)
{
    return layers > 0 && layers <= LAYERS_MAX &&
           (layers <= LAYERS_FREE || layers * VX_FAST_LANES * FILL_LEAST <= spans * FILL_PARTS);
}

/* Turns a block without layers into one with them, if it may be one. */
static void set_layers(vx_fast_compact_block *made)
{
    uint8_t counts[VX_FAST_LANES];
    uint32_t layers = 0;
    for (size_t i = 0; i < VX_FAST_LANES; i++) {
        uint32_t count = made->starts[i + 1] - made->starts[i];
        layers = count > layers ? count : layers;
        counts[i] = (uint8_t)count;
    }
    if (may_be_layers(layers, made->starts[VX_FAST_LANES])) {
        made->layers = layers;
        memcpy(made->counts, counts, sizeof counts);
    }
}

/* Finds how the spans of a block will stand; returns how many they are. */
static uint32_t plan_block(const vx_build3d *field, const vx_fast_block *block,
                           vx_fast_compact_block *made, size_t *places)
{
    uint32_t spans = 0;
    if (block != NULL && block->columns == NULL && is_low(field)) {
        uint32_t layers = 0;
        field->kernels->count(block, made->counts);
        for (size_t i = 0; i < VX_FAST_LANES; i++) {
            spans += made->counts[i];
            layers = made->counts[i] > layers ? made->counts[i] : layers;
        }
        made->layers = layers;
        if (may_be_layers(layers, spans)) {
            *places = (size_t)layers * VX_FAST_LANES;
            return spans;
        }
    }
    count_columns(block, made);
    spans = made->starts[VX_FAST_LANES];
    if (is_low(field)) {
        set_layers(made);
    }
    *places = (size_t)vx_fast_words_of(made) * VX_FAST_LANES;
    return spans;
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
    if (block == NULL) {
        return;
    }
    if (made->layers > 0 && block->columns == NULL) {
        field->kernels->compact(block, made->layers, c->y + made->place, c->height + made->place,
                                c->area + made->place);
        return;
    }
    size_t end = made->place + (size_t)vx_fast_words_of(made) * VX_FAST_LANES;
    for (size_t i = made->place; i < end; i++) {
        c->y[i] = VX_FAST_NO_SPAN;
        c->height[i] = 0;
        c->area[i] = 0;
    }
    for (uint32_t i = 0; i < VX_FAST_LANES; i++) {
        vx_fast_view column = vx_fast_view_of(block, i);
        fill_column(&column, c, vx_fast_places_of(made, i));
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
    for (size_t d = 0; d < 4; d++) {
        memset(c->link[d] + block->place, VX_LINK_NONE, (size_t)block->layers * VX_FAST_LANES);
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

static vx_fast_nearby nearby_of(const vx_fast_compact *c, const vx_fast_compact_block *block)
{
    return block != NULL
               ? (vx_fast_nearby){c->y + block->place, c->height + block->place, block->layers}
               : (vx_fast_nearby){0};
}

/* A block that is in layers like its neighbours; beside has room for both sides of y and height. */
static void link_block(const vx_build3d *field, const vx_fast_around *n, uint16_t *beside,
                       size_t places, int32_t height, int32_t climb)
{
    const vx_fast_compact *c = &field->compact;
    vx_fast_linking linking = {.own = nearby_of(c, n->own), .beside = beside, .places = places};
    for (size_t d = 0; d < 4; d++) {
        linking.others[d] = nearby_of(c, n->others[d]);
        linking.links[d] = c->link[d] + n->own->place;
    }
    field->kernels->link(&linking, height, climb);
}

static void link_row(const vx_build3d *field, uint32_t z, uint16_t *beside, size_t places,
                     int64_t height, int64_t climb)
{
    bool fits = field->size[2] + height + climb <= VX_FAST_NO_SPAN;
    for (uint32_t i = 0; i < field->blocks_wide; i++) {
        vx_fast_around n = vx_fast_around_of(field, z, i);
        if (fits && n.suits) {
            link_block(field, &n, beside, places, (int32_t)height, (int32_t)climb);
        } else {
            link_block_by_columns(field, z, i, (int32_t)height, (int32_t)climb);
        }
    }
}

/* --- all ----------------------------------------------------------------------------------------
 */

/* Counts the spans and finds their places; returns the number of spans and the deepest layers. */
static uint64_t plan_all(const vx_build3d *field, vx_fast_compact *c, uint32_t *deepest)
{
    uint64_t spans = 0;
    *deepest = 0;
    for (size_t i = 0; i < (size_t)field->size[1] * field->blocks_wide; i++) {
        size_t places;
        vx_fast_prefetch(field, i + VX_FAST_BLOCKS_AHEAD, 1);
        spans += plan_block(field, field->blocks[i], &c->blocks[i], &places);
        c->blocks[i].place = c->places;
        c->places += places;
        c->in_layers &= vx_fast_is_layered(&c->blocks[i]);
        *deepest = c->blocks[i].layers > *deepest ? c->blocks[i].layers : *deepest;
    }
    return spans;
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
    uint32_t deepest;
    uint64_t spans = plan_all(field, &c, &deepest);
    size_t places = (size_t)deepest * VX_FAST_LANES;
    uint16_t *beside = vx_fast_reserve(field, &field->scratch, 4 * places, sizeof *beside, error);
    if (beside == NULL || allocate_places(field, &c, error) != VX_OK) {
        vx_fast_release(field, c.blocks, count * sizeof *c.blocks);
        return VX_NO_MEMORY;
    }
    field->compact = c;
    /* What a row is linked to is still in the cache when the next one is filled. */
    for (uint32_t z = 0; z < field->size[1]; z++) {
        fill_row(field, z);
        if (z > 0) {
            link_row(field, z - 1, beside, places, height, climb);
        }
    }
    link_row(field, field->size[1] - 1, beside, places, height, climb);
    field->span_count = spans;
    field->is_compact = true;
    return VX_OK;
}
