/* SPDX-License-Identifier: MIT */
/* Rows in layers (kernels.h), spread out of their columns three at a time. */
#include "kernels.h"

/* Before the first and behind the last column, so that neighbours can be read 64 at a time. */
enum { MARGIN = VX_FAST_LANES };

/* A row may have this many places for each of its spans, and some more. */
enum { WASTE = 4, WASTE_MORE = 256 };

vx_status vx_fast_window_open(vx_build3d *field, vx_fast_window *window, vx_error *error)
{
    size_t blocks = ((size_t)field->size[0] + VX_FAST_LANES - 1) / VX_FAST_LANES + 2;
    *window = (vx_fast_window){.field = field, .blocks = blocks, .stride = blocks * VX_FAST_LANES};
    /* low and high of each layer of each row. */
    size_t numbers = (size_t)2 * VX_FAST_WINDOW * VX_FAST_LAYERS_MAX * window->stride;
    window->memory = vx_fast_reserve(field, &field->scratch, numbers + VX_FAST_WINDOW * blocks,
                                     sizeof *window->memory, error);
    if (window->memory == NULL) {
        return VX_NO_MEMORY;
    }
    for (size_t i = 0; i < VX_FAST_WINDOW; i++) {
        window->depths[i] = (uint32_t *)window->memory + numbers + i * blocks;
    }
    return VX_OK;
}

static int32_t *place_of(const vx_fast_window *window, size_t z)
{
    return window->memory + z % VX_FAST_WINDOW * 2 * VX_FAST_LAYERS_MAX * window->stride;
}

vx_fast_layers vx_fast_window_at(const vx_fast_window *window, size_t z, int64_t x)
{
    const uint32_t *depths = window->depths[z % VX_FAST_WINDOW];
    size_t from = (size_t)(x + MARGIN);
    uint32_t left = depths[from / VX_FAST_LANES];
    uint32_t right = depths[(from + VX_FAST_LANES - 1) / VX_FAST_LANES];
    const int32_t *place = place_of(window, z) + from;
    return (vx_fast_layers){.low = place,
                            .high = place + VX_FAST_LAYERS_MAX * window->stride,
                            .stride = window->stride,
                            .count = left > right ? left : right};
}

bool vx_fast_window_is_ready(const vx_fast_window *window, size_t z)
{
    size_t last = z + 1 < window->field->size[1] ? z + 1 : z;
    for (size_t row = z > 0 ? z - 1 : 0; row <= last; row++) {
        if (!window->suits[row % VX_FAST_WINDOW]) {
            return false;
        }
    }
    return true;
}

/* Finds the depth of each block; false when the row does not suit layers. */
static bool find_depths(const vx_fast_window *window, const uint32_t *first, uint32_t *depths)
{
    size_t width = window->field->size[0];
    uint32_t deepest = 0;
    size_t places = 0;
    memset(depths, 0, window->blocks * sizeof *depths);
    for (size_t x = 0; first != NULL && x < width; x += VX_FAST_LANES) {
        size_t end = x + VX_FAST_LANES < width ? x + VX_FAST_LANES : width;
        uint32_t depth = 0;
        for (size_t i = x; i < end; i++) {
            uint32_t count = first[i + 1] - first[i];
            depth = count > depth ? count : depth;
        }
        depths[x / VX_FAST_LANES + 1] = depth;
        deepest = depth > deepest ? depth : deepest;
        places += (size_t)depth * VX_FAST_LANES;
    }
    return deepest <= VX_FAST_LAYERS_MAX &&
           places <= WASTE * (first != NULL ? (size_t)first[width] : 0) + WASTE_MORE;
}

/* Clears the place of a row for columns of the given ends; false when there is nothing to put into
 * layers. A block may be read as deep as the blocks beside it. */
static bool begin_row(vx_fast_window *window, size_t z, const uint32_t *first)
{
    uint32_t *depths = window->depths[z % VX_FAST_WINDOW];
    bool suits = find_depths(window, first, depths);
    window->suits[z % VX_FAST_WINDOW] = suits;
    if (!suits || first == NULL) {
        return false;
    }
    int32_t *low = place_of(window, z);
    int32_t *high = low + VX_FAST_LAYERS_MAX * window->stride;
    for (size_t block = 0; block < window->blocks; block++) {
        uint32_t depth = depths[block];
        if (block > 0 && depths[block - 1] > depth) {
            depth = depths[block - 1];
        }
        if (block + 1 < window->blocks && depths[block + 1] > depth) {
            depth = depths[block + 1];
        }
        for (uint32_t layer = 0; layer < depth; layer++) {
            size_t at = layer * window->stride + block * VX_FAST_LANES;
            for (size_t i = at; i < at + VX_FAST_LANES; i++) {
                low[i] = 0;
                high[i] = VX_FAST_NO_GAP;
            }
        }
    }
    return true;
}

void vx_fast_window_load_solid(vx_fast_window *window, size_t z)
{
    const vx_fast_row *row = &window->field->rows[z];
    if (!begin_row(window, z, row->first)) {
        return;
    }
    int32_t *low = place_of(window, z) + MARGIN;
    int32_t *high = low + VX_FAST_LAYERS_MAX * window->stride;
    for (size_t x = 0; x < window->field->size[0]; x++) {
        uint32_t end = row->first[x + 1];
        size_t at = x;
        for (uint32_t s = row->first[x]; s < end; s++, at += window->stride) {
            low[at] = row->max[s];
            high[at] = s + 1 < end ? row->min[s + 1] : VX_ROWS_MAX;
        }
    }
}

void vx_fast_window_load_compact(vx_fast_window *window, size_t z)
{
    const vx_fast_compact *c = &window->field->compact;
    const uint32_t *first = c->first + z * ((size_t)window->field->size[0] + 1);
    if (!begin_row(window, z, first)) {
        return;
    }
    int32_t *low = place_of(window, z) + MARGIN;
    int32_t *high = low + VX_FAST_LAYERS_MAX * window->stride;
    const uint16_t *y = c->y + c->base[z];
    const uint16_t *height = c->height + c->base[z];
    for (size_t x = 0; x < window->field->size[0]; x++) {
        size_t at = x;
        for (uint32_t s = first[x]; s < first[x + 1]; s++, at += window->stride) {
            low[at] = y[s];
            high[at] = y[s] + height[s];
        }
    }
}
