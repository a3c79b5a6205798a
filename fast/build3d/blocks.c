/* SPDX-License-Identifier: MIT */
/* Blocks of 32 solid columns: layers, and columns of their own where layers would waste memory. */
#include "fast.h"

enum {
    /* Blocks with more layers hold their columns one by one. */
    LAYERS_MAX = 64,
    /* Up to so many layers a block may be as empty as it likes. */
    LAYERS_FREE = 8,
    /* Above, at least three of ten places hold a span. */
    FILL_PARTS = 10,
    FILL_LEAST = 3,
    MIN_BYTES = VX_FAST_LANES * 2,
    LAYER_BYTES = VX_FAST_LANES * 5,
    SPAN_BYTES = 5,
    COLUMN_FIRST = 8
};

static void place_column(const vx_fast_column *column, vx_fast_view *view)
{
    view->min = column->min;
    view->max = column->min + column->capacity;
    view->area = (uint8_t *)(view->max + column->capacity);
    view->stride = 1;
}

vx_fast_view vx_fast_view_of(const vx_fast_block *block, uint32_t lane)
{
    vx_fast_view view = {.count = block->counts[lane]};
    if (block->columns != NULL) {
        if (block->columns[lane].min != NULL) {
            place_column(&block->columns[lane], &view);
        }
    } else {
        view.min = vx_fast_block_min(block) + lane;
        view.max = vx_fast_block_max(block) + lane;
        view.area = vx_fast_block_area(block) + lane;
        view.stride = VX_FAST_LANES;
    }
    return view;
}

vx_fast_view vx_fast_view_at(const vx_build3d *field, uint32_t x, uint32_t z)
{
    const vx_fast_block *block = field->blocks[(size_t)z * field->blocks_wide + x / VX_FAST_LANES];
    return block != NULL ? vx_fast_view_of(block, x % VX_FAST_LANES) : (vx_fast_view){0};
}

/* --- memory ----------------------------------------------------------------------------------- */

static vx_fast_block *allocate_layers(vx_build3d *field, uint32_t layers, vx_error *error)
{
    size_t bytes = vx_fast_size(sizeof(vx_fast_block) + (size_t)layers * LAYER_BYTES);
    vx_fast_block *block = vx_fast_alloc(field, bytes, error);
    if (block != NULL) {
        *block = (vx_fast_block){.bytes = bytes,
                                 .capacity = (uint32_t)((bytes - sizeof *block) / LAYER_BYTES)};
    }
    return block;
}

void vx_fast_block_release(vx_build3d *field, vx_fast_block *block)
{
    if (block != NULL && block->columns != NULL) {
        for (size_t i = 0; i < VX_FAST_LANES; i++) {
            const vx_fast_column *column = &block->columns[i];
            vx_fast_release(field, column->min, (size_t)column->capacity * SPAN_BYTES);
        }
        vx_fast_release(field, block->columns, VX_FAST_LANES * sizeof *block->columns);
    }
    vx_fast_release(field, block, block != NULL ? block->bytes : 0);
}

static vx_status allocate_column(vx_build3d *field, uint32_t capacity, vx_fast_column *column,
                                 vx_error *error)
{
    capacity = (uint32_t)(vx_fast_size((size_t)capacity * SPAN_BYTES) / SPAN_BYTES);
    uint16_t *memory = vx_fast_alloc(field, (size_t)capacity * SPAN_BYTES, error);
    if (memory == NULL) {
        return VX_NO_MEMORY;
    }
    *column = (vx_fast_column){memory, capacity};
    return VX_OK;
}

/* Copies the spans of from to a column with room for them. */
static void fill_column(const vx_fast_column *column, const vx_fast_view *from)
{
    vx_fast_view to = {0};
    if (from->count == 0 || from->min == NULL) {
        return;
    }
    place_column(column, &to);
    for (uint32_t k = 0; k < from->count; k++) {
        to.min[k] = from->min[k * from->stride];
        to.max[k] = from->max[k * from->stride];
        to.area[k] = from->area[k * from->stride];
    }
}

vx_status vx_fast_column_grow(vx_build3d *field, vx_fast_column *column, uint32_t count,
                              vx_error *error)
{
    if (count < column->capacity) {
        return VX_OK;
    }
    vx_fast_column larger;
    uint32_t capacity = count < COLUMN_FIRST ? COLUMN_FIRST : count + count / 2;
    vx_status status = allocate_column(field, capacity, &larger, error);
    if (status == VX_OK) {
        vx_fast_view old = {.count = count};
        if (count > 0) {
            place_column(column, &old);
        }
        fill_column(&larger, &old);
        vx_fast_release(field, column->min, (size_t)column->capacity * SPAN_BYTES);
        *column = larger;
    }
    return status;
}

/* A copy of any block as one of columns. */
static vx_fast_block *copy_columns(vx_build3d *field, const vx_fast_block *block, vx_error *error)
{
    vx_fast_block *copy = allocate_layers(field, 0, error);
    if (copy == NULL) {
        return NULL;
    }
    copy->capacity = 0;
    copy->columns = vx_fast_alloc(field, VX_FAST_LANES * sizeof *copy->columns, error);
    vx_status status = copy->columns != NULL ? VX_OK : VX_NO_MEMORY;
    if (status == VX_OK) {
        memset(copy->columns, 0, VX_FAST_LANES * sizeof *copy->columns);
    }
    memcpy(copy->counts, block->counts, sizeof copy->counts);
    for (uint32_t i = 0; i < VX_FAST_LANES && status == VX_OK; i++) {
        vx_fast_view view = vx_fast_view_of(block, i);
        if (view.count > 0) {
            status = allocate_column(field, view.count + 1, &copy->columns[i], error);
        }
        if (status == VX_OK) {
            fill_column(&copy->columns[i], &view);
        }
    }
    if (status != VX_OK) {
        vx_fast_block_release(field, copy);
        return NULL;
    }
    return copy;
}

/* A copy of a block of layers with room for so many. */
static vx_fast_block *copy_layers(vx_build3d *field, const vx_fast_block *block, uint32_t layers,
                                  vx_error *error)
{
    vx_fast_block *copy = allocate_layers(field, layers, error);
    if (copy != NULL) {
        memcpy(copy->counts, block->counts, sizeof copy->counts);
        copy->layers = block->layers;
        for (size_t k = 0; k < (size_t)block->layers * VX_FAST_LANES; k += VX_FAST_LANES) {
            memcpy(vx_fast_block_min(copy) + k, vx_fast_block_min(block) + k, MIN_BYTES);
            memcpy(vx_fast_block_max(copy) + k, vx_fast_block_max(block) + k, MIN_BYTES);
            memcpy(vx_fast_block_area(copy) + k, vx_fast_block_area(block) + k, VX_FAST_LANES);
        }
    }
    return copy;
}

uint32_t vx_fast_block_spans(const vx_fast_block *block)
{
    uint32_t spans = 0;
    for (size_t i = 0; block != NULL && i < VX_FAST_LANES; i++) {
        spans += block->counts[i];
    }
    return spans;
}

/* Whether a block of layers may have so many more. */
static bool may_deepen(const vx_fast_block *block, uint32_t more)
{
    uint32_t layers = block->layers + more;
    uint32_t spans = vx_fast_block_spans(block);
    return layers <= LAYERS_FREE ||
           (layers <= LAYERS_MAX && layers * VX_FAST_LANES * FILL_LEAST <= spans * FILL_PARTS);
}

vx_fast_block *vx_fast_block_copy(vx_build3d *field, const vx_fast_block *block, uint32_t more,
                                  vx_error *error)
{
    if (block == NULL) {
        return allocate_layers(field, more < LAYERS_FREE ? more : LAYERS_FREE, error);
    }
    if (block->columns == NULL && may_deepen(block, more)) {
        return copy_layers(field, block, block->layers + more, error);
    }
    return block->columns != NULL || !may_deepen(block, 1)
               ? copy_columns(field, block, error)
               : copy_layers(field, block, block->layers + 1, error);
}

vx_status vx_fast_block_trim(vx_build3d *field, vx_fast_block **block, vx_error *error)
{
    const vx_fast_block *old = *block;
    if (old->columns != NULL || old->capacity - old->layers <= 1 + old->layers / 8) {
        return VX_OK;
    }
    vx_fast_block *copy = copy_layers(field, old, old->layers, error);
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
    vx_fast_block *larger = vx_fast_block_copy(field, *block, more, error);
    if (larger == NULL) {
        return VX_NO_MEMORY;
    }
    vx_fast_block_release(field, *block);
    *block = larger;
    return VX_OK;
}
