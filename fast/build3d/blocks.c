/* SPDX-License-Identifier: MIT */
/* Blocks of 32 solid columns: layers to work on, packed where these would waste memory, and deep
 * ones. docs/DIFFERENCES.md has the arithmetic of their sizes. */
#include "fast.h"

enum {
    /* Blocks with a deeper column are in layers only if these waste little. */
    LAYERS_MAX = 64,
    /* Merging needs room for one layer more, whether it will be used or not. */
    DESK_LAYERS = LAYERS_MAX + 1,
    MIN_BYTES = VX_FAST_LANES * 2,
    LAYER_BYTES = VX_FAST_LANES * 5,
    SPAN_BYTES = 5,
    /* What a block may have beside the bytes of its spans: the state that is and the one that an
     * operation makes share what is promised for 32 columns with the two pointers to them. */
    BLOCK_FREE = (VX_FAST_BLOCK_BYTES - 2 * 8) / 2,
    /* And what a block that is packed or deep has at most. */
    PACKED_FREE = 48
};

static vx_fast_deep *deep_of(const vx_fast_block *block)
{
    return (vx_fast_deep *)(uintptr_t)(block + 1);
}

uint32_t vx_fast_block_spans(const vx_fast_block *block)
{
    const uint16_t *counts = vx_fast_wide_counts(block);
    uint32_t spans = 0;
    for (uint32_t i = 0; i < VX_FAST_LANES && counts != NULL; i++) {
        spans += counts[i];
    }
    for (uint32_t i = 0; i < VX_FAST_LANES && counts == NULL; i++) {
        spans += block->counts[i];
    }
    return spans;
}

/* The spans of a column that begins first places into arrays of so many. */
static vx_fast_view view_into(const uint16_t *arrays, uint32_t places, uint32_t first)
{
    uint16_t *min = (uint16_t *)(uintptr_t)arrays;
    uint8_t *area = (uint8_t *)(min + 2 * (size_t)places);
    return (vx_fast_view){
        .min = min + first, .max = min + places + first, .area = area + first, .stride = 1};
}

vx_fast_view vx_fast_column_view(const vx_fast_block *block, uint32_t lane)
{
    vx_fast_view view;
    if (block->form == VX_FAST_PACKED) {
        uint32_t first = 0;
        for (uint32_t i = 0; i < lane; i++) {
            first += block->counts[i];
        }
        view = view_into(block->packed, vx_fast_block_spans(block), first);
        view.room = block->counts[lane];
    } else {
        const vx_fast_deep *deep = deep_of(block);
        view = view_into((const uint16_t *)(deep + 1), deep->starts[VX_FAST_LANES],
                         deep->starts[lane]);
        view.room = deep->starts[lane + 1] - deep->starts[lane];
    }
    view.count = vx_fast_block_count(block, lane);
    return view;
}

vx_fast_view vx_fast_view_at(const vx_build3d *field, uint32_t x, uint32_t z)
{
    const vx_fast_block *block = field->blocks[(size_t)z * field->blocks_wide + x / VX_FAST_LANES];
    return block != NULL ? vx_fast_view_of(block, x % VX_FAST_LANES) : (vx_fast_view){0};
}

/* --- making blocks ---------------------------------------------------------------------------- */

/* What so many spans in so many blocks may take. */
static size_t allowed_for(uint64_t spans, uint64_t blocks, size_t own)
{
    return VX_FAST_SPAN_BYTES * (size_t)spans + own * (size_t)blocks;
}

static size_t layers_size(uint32_t layers)
{
    size_t counts = layers > UINT8_MAX ? VX_FAST_LANES * sizeof(uint16_t) : 0;
    return vx_fast_size(sizeof(vx_fast_block) + (size_t)layers * LAYER_BYTES + counts);
}

/* Whether the spans of a block may be in so many layers: few, or so well filled that the block
 * is within its part even while it stands twice. Kernels need a low grid. */
static bool may_be_layers(const vx_build3d *field, const vx_fast_block *block, uint32_t layers)
{
    return layers <= LAYERS_MAX ||
           (field->size[2] <= VX_FAST_LOW_HEIGHT &&
            2 * layers_size(layers) <= allowed_for(vx_fast_block_spans(block), 1, BLOCK_FREE));
}

static vx_fast_block *allocate(vx_build3d *field, size_t bytes, vx_fast_form form, vx_error *error)
{
    bytes = vx_fast_size(bytes);
    vx_fast_block *block = vx_fast_alloc(field, bytes, error);
    if (block != NULL) {
        memset(block->counts, 0, sizeof block->counts);
        block->bytes = (uint32_t)bytes;
        block->layers = 0;
        block->capacity = 0;
        block->form = (uint16_t)form;
    }
    return block;
}

void vx_fast_block_release(vx_build3d *field, vx_fast_block *block)
{
    if (block != NULL && block != field->desk) {
        vx_fast_release(field, block, block->bytes);
    }
}

static void copy_column(const vx_fast_view *to, const vx_fast_view *from)
{
    for (uint32_t k = 0; k < from->count; k++) {
        to->min[k * to->stride] = from->min[k * from->stride];
        to->max[k * to->stride] = from->max[k * from->stride];
        to->area[k * to->stride] = from->area[k * from->stride];
    }
}

static void copy_counts(vx_fast_block *to, const vx_fast_block *from)
{
    for (uint32_t i = 0; i < VX_FAST_LANES; i++) {
        vx_fast_set_count(to, i, vx_fast_block_count(from, i));
    }
}

/* Copies the spans to a block that has room for them. */
static void copy_columns(vx_fast_block *to, const vx_fast_block *from)
{
    copy_counts(to, from); /* where a column begins may depend on those before it */
    for (uint32_t i = 0; i < VX_FAST_LANES; i++) {
        if (vx_fast_block_count(from, i) > 0) {
            vx_fast_view old = vx_fast_view_of(from, i);
            vx_fast_view new = vx_fast_view_of(to, i);
            copy_column(&new, &old);
        }
    }
}

static uint32_t deepest_of(const vx_fast_block *block)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < VX_FAST_LANES; i++) {
        most = vx_fast_block_count(block, i) > most ? vx_fast_block_count(block, i) : most;
    }
    return most;
}

/* Copies the spans to an empty block of layers that has room for them. */
static void copy_to_layers(vx_fast_block *to, const vx_fast_block *from)
{
    if (from->form != VX_FAST_LAYERS) {
        to->layers = deepest_of(from);
        size_t places = (size_t)to->layers * VX_FAST_LANES;
        uint16_t *min = vx_fast_block_min(to);
        for (size_t i = 0; i < places; i++) {
            min[i] = VX_FAST_NO_SPAN;
        }
        memset(vx_fast_block_max(to), 0, places * sizeof *min);
        memset(vx_fast_block_area(to), 0, places);
        copy_columns(to, from);
        return;
    }
    if (to->capacity <= UINT8_MAX && from->capacity <= UINT8_MAX) {
        memcpy(to->counts, from->counts, sizeof to->counts);
    } else {
        copy_counts(to, from);
    }
    to->layers = from->layers < to->capacity ? from->layers : to->capacity;
    for (size_t k = 0; k < (size_t)to->layers * VX_FAST_LANES; k += VX_FAST_LANES) {
        memcpy(vx_fast_block_min(to) + k, vx_fast_block_min(from) + k, MIN_BYTES);
        memcpy(vx_fast_block_max(to) + k, vx_fast_block_max(from) + k, MIN_BYTES);
        memcpy(vx_fast_block_area(to) + k, vx_fast_block_area(from) + k, VX_FAST_LANES);
    }
}

/* A copy with so many layers, which hold all spans. */
static vx_fast_block *copy_as_layers(vx_build3d *field, const vx_fast_block *block,
                                     uint32_t capacity, vx_error *error)
{
    vx_fast_block *copy = allocate(field, layers_size(capacity), VX_FAST_LAYERS, error);
    if (copy != NULL) {
        copy->capacity = (uint16_t)capacity;
        copy_to_layers(copy, block);
    }
    return copy;
}

/* The desk without spans. */
static vx_fast_block *clear_desk(vx_build3d *field, vx_error *error)
{
    if (field->desk == NULL) {
        field->desk = allocate(field, layers_size(DESK_LAYERS), VX_FAST_LAYERS, error);
    }
    if (field->desk != NULL) {
        memset(field->desk->counts, 0, sizeof field->desk->counts);
        field->desk->capacity = DESK_LAYERS;
        field->desk->layers = 0;
    }
    return field->desk;
}

/* The room that a column of a deep block gets. */
static uint32_t room_for(uint32_t count)
{
    return count > 0 ? count + count / 2 + 1 : 0;
}

/* The room of the one that needs it, in a block of so many spans: so the block is copied a few
 * times for each column at most, though its columns be filled one after the other. */
static uint32_t more_room_for(uint32_t count, uint32_t spans)
{
    uint32_t part = spans / 16;
    return count + 1 + (part > count / 2 ? part : count / 2);
}

/* A deep copy with room in the columns that have spans and more in lane, or with none at all. */
static vx_fast_block *copy_as_deep(vx_build3d *field, const vx_fast_block *block, bool with_room,
                                   uint32_t lane, vx_error *error)
{
    uint32_t starts[VX_FAST_LANES + 1] = {0};
    uint32_t spans = vx_fast_block_spans(block);
    for (uint32_t i = 0; i < VX_FAST_LANES; i++) {
        uint32_t count = vx_fast_block_count(block, i);
        uint32_t room = with_room ? room_for(count) : count;
        starts[i + 1] = starts[i] + (i == lane ? more_room_for(count, spans) : room);
    }
    size_t bytes =
        sizeof(vx_fast_block) + sizeof(vx_fast_deep) + (size_t)starts[VX_FAST_LANES] * SPAN_BYTES;
    vx_fast_block *copy = allocate(field, bytes, VX_FAST_DEEP, error);
    if (copy != NULL) {
        memcpy(deep_of(copy)->starts, starts, sizeof starts);
        copy_columns(copy, block);
    }
    return copy;
}

/* A copy in the form that takes least where layers would take too much. */
static vx_fast_block *copy_packed(vx_build3d *field, const vx_fast_block *block, vx_error *error)
{
    uint32_t deepest = deepest_of(block);
    if (deepest > LAYERS_MAX) {
        return copy_as_deep(field, block, false, VX_FAST_LANES, error);
    }
    size_t bytes =
        offsetof(vx_fast_block, packed) + (size_t)vx_fast_block_spans(block) * SPAN_BYTES;
    vx_fast_block *copy = allocate(field, bytes, VX_FAST_PACKED, error);
    if (copy != NULL) {
        copy->layers = deepest;
        copy_columns(copy, block);
    }
    return copy;
}

/* A copy to work on, with room for so many layers, or for fewer on the desk if that is more than
 * the spans that the block has may take, or deep. */
static vx_fast_block *copy_to_work_on(vx_build3d *field, const vx_fast_block *block,
                                      uint32_t layers, vx_error *error)
{
    if (may_be_layers(field, block, layers) &&
        layers_size(layers) <= allowed_for(vx_fast_block_spans(block), 1, BLOCK_FREE)) {
        return copy_as_layers(field, block, layers, error);
    }
    if (block->layers >= DESK_LAYERS) {
        return copy_as_deep(field, block, true, VX_FAST_LANES, error);
    }
    vx_fast_block *desk = clear_desk(field, error);
    if (desk != NULL) {
        copy_to_layers(desk, block);
    }
    return desk;
}

/* --- growing ---------------------------------------------------------------------------------- */

/* A block to add spans to, with room for one layer more where that may be. A new one is made on the
 * desk, since the layers that it needs are known only afterwards. */
static vx_fast_block *copy_to_open(vx_build3d *field, const vx_fast_block *block, vx_error *error)
{
    if (block == NULL) {
        return clear_desk(field, error);
    }
    if (block->form == VX_FAST_DEEP) {
        return copy_as_deep(field, block, true, VX_FAST_LANES, error);
    }
    return copy_to_work_on(field, block, block->layers + 1, error);
}

/* Puts a copy into the place of a block. */
static vx_status replace(vx_build3d *field, vx_fast_block **block, vx_fast_block *copy)
{
    if (copy == NULL) {
        return VX_NO_MEMORY;
    }
    vx_fast_block_release(field, *block);
    *block = copy;
    return VX_OK;
}

vx_status vx_fast_block_grow(vx_build3d *field, vx_fast_block **block, uint32_t more,
                             vx_error *error)
{
    uint32_t part = (*block)->layers / 8;
    more = more > part ? more : part;
    return replace(field, block, copy_to_work_on(field, *block, (*block)->layers + more, error));
}

vx_status vx_fast_column_grow(vx_build3d *field, vx_fast_block **block, uint32_t lane,
                              vx_error *error)
{
    return replace(field, block, copy_as_deep(field, *block, true, lane, error));
}

/* --- the promise ------------------------------------------------------------------------------ */

static uint64_t blocks_of(const vx_build3d *field)
{
    return (uint64_t)field->size[1] * field->blocks_wide;
}

/* Whether a block takes more than its own part. */
static bool is_wasteful(const vx_fast_block *block, size_t own)
{
    return block->bytes > allowed_for(vx_fast_block_spans(block), 1, own);
}

static void mark_row(vx_build3d *field, uint32_t z)
{
    field->next_low = z < field->next_low ? z : field->next_low;
    field->next_high = z + 1 > field->next_high ? z + 1 : field->next_high;
}

vx_fast_block **vx_fast_block_open(vx_build3d *field, uint32_t z, uint32_t index, vx_error *error)
{
    size_t at = (size_t)z * field->blocks_wide + index;
    vx_fast_block **block = &field->next[at];
    const vx_fast_block *before = *block != NULL ? *block : field->blocks[at];
    field->next_count -= before != NULL ? vx_fast_block_spans(before) : 0;
    field->next_bytes -= before != NULL ? before->bytes : 0;
    if (*block == NULL) {
        *block = copy_to_open(field, before, error);
        mark_row(field, z);
        return *block != NULL ? block : NULL;
    }
    bool is_open = (*block)->form != VX_FAST_PACKED;
    is_open = is_open || replace(field, block, copy_to_open(field, *block, error)) == VX_OK;
    return is_open ? block : NULL;
}

/* Packs blocks of the new state that take more than their part until all take less than most. Those
 * that the operation had not changed get a copy as well. */
static vx_status pack_next(vx_build3d *field, uint64_t most, vx_error *error)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < blocks_of(field) && field->next_bytes > most && status == VX_OK; i++) {
        const vx_fast_block *old = field->next[i] != NULL ? field->next[i] : field->blocks[i];
        if (old != NULL && is_wasteful(old, BLOCK_FREE)) {
            uint64_t others = field->next_bytes - old->bytes;
            vx_fast_block *packed = copy_packed(field, old, error);
            field->next_bytes = packed != NULL ? others + packed->bytes : others;
            status = replace(field, &field->next[i], packed);
            mark_row(field, (uint32_t)(i / field->blocks_wide));
        }
    }
    return status;
}

vx_status vx_fast_blocks_hold(vx_build3d *field, vx_error *error)
{
    enum { PART = 16 };
    uint64_t most = allowed_for(field->next_count, blocks_of(field), BLOCK_FREE);
    return field->next_bytes > most ? pack_next(field, most - most / PART, error) : VX_OK;
}

vx_status vx_fast_blocks_pack(vx_build3d *field, uint64_t most, vx_error *error)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < blocks_of(field) && field->block_bytes > most && status == VX_OK; i++) {
        vx_fast_block **block = &field->blocks[i];
        if (*block != NULL && is_wasteful(*block, PACKED_FREE)) {
            uint32_t before = (*block)->bytes;
            status = replace(field, block, copy_packed(field, *block, error));
            field->block_bytes -= before - (*block)->bytes;
        }
    }
    return status;
}

/* A block that is not deep without layers that are not in use, unless they are few and the new
 * state is below most; or a deep one where its layers would waste too much. */
static vx_status trim(vx_build3d *field, vx_fast_block **block, uint64_t most, vx_error *error)
{
    const vx_fast_block *old = *block;
    uint32_t spare = old->capacity - old->layers;
    if (!may_be_layers(field, old, old->layers)) {
        return replace(field, block, copy_as_deep(field, old, true, VX_FAST_LANES, error));
    }
    bool suits = old != field->desk && spare <= 1 + old->layers / 8 &&
                 (spare == 0 || field->next_bytes + old->bytes <= most);
    return suits ? VX_OK : replace(field, block, copy_as_layers(field, old, old->layers, error));
}

/* A form that suits what the block holds. A deep one is in layers again when it could have some
 * more: so it does not change with every span. */
static vx_status reshape(vx_build3d *field, vx_fast_block **block, uint64_t most, vx_error *error)
{
    const vx_fast_block *old = *block;
    if (old->form != VX_FAST_DEEP) {
        return trim(field, block, most, error);
    }
    uint32_t layers = deepest_of(old);
    uint32_t roomy = layers + layers / 4;
    if (layers > LAYERS_MAX / 2 && roomy <= LAYERS_MAX) {
        roomy = DESK_LAYERS;
    }
    return may_be_layers(field, old, roomy)
               ? replace(field, block, copy_as_layers(field, old, layers, error))
               : VX_OK;
}

/* Whether the block, with so many layers or as it is, takes more than its own part while the new
 * state takes more than all. */
static bool must_pack(const vx_build3d *field, const vx_fast_block *block, uint64_t most)
{
    bool is_layers = block->form == VX_FAST_LAYERS;
    uint64_t bytes = is_layers ? layers_size(block->layers) : block->bytes;
    return field->next_bytes + bytes > most &&
           bytes > allowed_for(vx_fast_block_spans(block), 1, BLOCK_FREE);
}

/* The block is held to its own part only when all together take too much. What it then gives up is
 * enough, unless it had spans before for which others were let off. */
vx_status vx_fast_block_settle(vx_build3d *field, vx_fast_block **block, vx_error *error)
{
    field->next_count += vx_fast_block_spans(*block);
    uint64_t most = allowed_for(field->next_count, blocks_of(field), BLOCK_FREE);
    vx_status status = must_pack(field, *block, most)
                           ? replace(field, block, copy_packed(field, *block, error))
                           : reshape(field, block, most, error);
    if (status != VX_OK) {
        return status;
    }
    field->next_bytes += (*block)->bytes;
    return vx_fast_blocks_hold(field, error);
}
