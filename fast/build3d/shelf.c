/* SPDX-License-Identifier: MIT */
/* SPEC B3: one row of the grid, where cells wait in their columns until those of a whole block are
 * merged at once. */
#include "kernels.h"

/* A span on its way into its column. */
typedef struct piece {
    uint32_t min, max, area;
} piece;

/* --- one column ------------------------------------------------------------------------------- */

/* The first span of the column whose Max is at least min. */
static uint32_t first_reached(const vx_fast_view *column, uint32_t min)
{
    uint32_t low = 0;
    uint32_t high = column->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (column->max[middle * column->stride] < min) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* B3.4@2229fc: merges the span that is added with one that it reaches. */
static inline void merge_with(piece *added, uint32_t min, uint32_t max, uint32_t area,
                              uint32_t threshold)
{
    uint32_t larger = area > added->area ? area : added->area;
    uint32_t higher = max > added->max ? area : added->area;
    uint32_t between = max > added->max ? max - added->max : added->max - max;
    added->area = between <= threshold ? larger : higher;
    added->max = max > added->max ? max : added->max;
    added->min = min < added->min ? min : added->min;
}

static inline void copy_span(const vx_fast_view *column, uint32_t to, uint32_t from)
{
    column->min[to * column->stride] = column->min[from * column->stride];
    column->max[to * column->stride] = column->max[from * column->stride];
    column->area[to * column->stride] = column->area[from * column->stride];
}

static inline void set_span(const vx_fast_view *column, uint32_t at, piece span)
{
    column->min[at * column->stride] = (uint16_t)span.min;
    column->max[at * column->stride] = (uint16_t)span.max;
    column->area[at * column->stride] = (uint8_t)span.area;
}

/* Whether a span would go between others, where no span reaches it; at is the first above it. */
static inline bool goes_between(const vx_fast_view *column, uint32_t at, uint32_t max)
{
    return at == column->count || column->min[at * column->stride] > max;
}

/* B3.3@146add in a column with room for it; at is the first span that it may reach. Where spans are
 * gone there is none afterwards. Returns the number of spans. */
static inline uint32_t insert_span(const vx_fast_view *column, uint32_t at, piece added,
                                   uint32_t threshold)
{
    uint32_t count = column->count;
    uint32_t end = at;
    for (; end < count && column->min[end * column->stride] <= added.max; end++) {
        size_t s = end * column->stride;
        merge_with(&added, column->min[s], column->max[s], column->area[s], threshold);
    }
    if (end == at) {
        for (uint32_t i = count; i > at; i--) {
            copy_span(column, i, i - 1);
        }
        count++;
    } else if (end > at + 1) {
        uint32_t gone = end - at - 1;
        for (uint32_t i = end; i < count; i++) {
            copy_span(column, i - gone, i);
        }
        for (uint32_t i = count - gone; i < count; i++) {
            set_span(column, i, (piece){VX_FAST_NO_SPAN, 0, 0});
        }
        count -= gone;
    }
    set_span(column, at, added);
    return count;
}

/* --- one block -------------------------------------------------------------------------------- */

/* A new uppermost layer without spans. */
static void add_layer(vx_fast_block *block)
{
    size_t first = (size_t)block->layers * VX_FAST_LANES;
    for (size_t i = first; i < first + VX_FAST_LANES; i++) {
        vx_fast_block_min(block)[i] = VX_FAST_NO_SPAN;
        vx_fast_block_max(block)[i] = 0;
        vx_fast_block_area(block)[i] = 0;
    }
    block->layers++;
}

/* B3.3@146add in a column of a block of layers or a deep one, with the spans that it has more or
 * less; false when it needs more room. */
static inline bool insert(vx_fast_block *block, uint32_t lane, piece added, uint32_t threshold,
                          uint64_t *spans)
{
    vx_fast_view column = vx_fast_view_of(block, lane);
    uint32_t first = first_reached(&column, added.min);
    if (goes_between(&column, first, added.max)) {
        if (column.count == column.room) {
            return false;
        }
        if (block->form == VX_FAST_LAYERS && column.count == block->layers) {
            add_layer(block);
        }
    }
    uint32_t count = insert_span(&column, first, added, threshold);
    vx_fast_set_count(block, lane, count);
    *spans += (uint64_t)count - column.count;
    return true;
}

/* The same in a block that may have to grow. */
static vx_status insert_in_block(vx_build3d *field, vx_fast_block **at, uint32_t lane, piece added,
                                 uint32_t threshold, vx_error *error)
{
    vx_status status = VX_OK;
    uint64_t spans = 0; /* they are counted when the block is settled */
    while (status == VX_OK && !insert(*at, lane, added, threshold, &spans)) {
        status = (*at)->form == VX_FAST_LAYERS ? vx_fast_block_grow(field, at, 1, error)
                                               : vx_fast_column_grow(field, at, lane, error);
    }
    return status;
}

/* --- the shelf -------------------------------------------------------------------------------- */

vx_status vx_fast_shelf_open(vx_build3d *field, vx_error *error)
{
    if (field->shelves_are_clear) {
        return VX_OK;
    }
    size_t bytes = field->blocks_wide * sizeof *field->shelves;
    if (field->shelves == NULL) {
        field->shelves = vx_fast_alloc(field, bytes, error);
        if (field->shelves == NULL) {
            return VX_NO_MEMORY;
        }
    }
    memset(field->shelves, 0, bytes);
    field->shelves_are_clear = true;
    return VX_OK;
}

/* Merges one cell of some columns of a block, those whose bits are set, one after the other. */
static vx_status merge_one_by_one(vx_build3d *field, vx_fast_block **block, const uint32_t *cells,
                                  const uint8_t *areas, uint32_t which, uint32_t threshold,
                                  vx_error *error)
{
    vx_status status = VX_OK;
    for (uint32_t i = 0; i < VX_FAST_LANES && status == VX_OK; i++) {
        if ((which >> i & 1) != 0 && cells[i] != 0) {
            piece added = {cells[i] & 0xFFFF, cells[i] >> 16, areas[i]};
            status = insert_in_block(field, block, i, added, threshold, error);
        }
    }
    return status;
}

vx_status vx_fast_insert(vx_build3d *field, const vx_span *span, uint32_t threshold,
                         vx_error *error)
{
    uint32_t x = (uint32_t)span->x;
    uint32_t index = x / VX_FAST_LANES;
    uint32_t lane = x % VX_FAST_LANES;
    uint32_t z = (uint32_t)span->z;
    vx_fast_block **block = &field->next[(size_t)z * field->blocks_wide + index];
    piece added = {(uint32_t)span->min, (uint32_t)span->max, (uint32_t)span->area};
    uint64_t before = field->next_count;
    bool is_open = *block != NULL && (*block)->form != VX_FAST_PACKED;
    if (is_open && insert(*block, lane, added, threshold, &field->next_count)) {
        return field->next_count < before ? vx_fast_blocks_hold(field, error) : VX_OK;
    }
    block = vx_fast_block_open(field, z, index, error);
    vx_status status = VX_NO_MEMORY;
    if (block != NULL) {
        status = insert_in_block(field, block, lane, added, threshold, error);
    }
    return status == VX_OK ? vx_fast_block_settle(field, block, error) : status;
}

/* The cells of all levels from one on, where no kernel can. */
static vx_status merge_without_kernel(vx_build3d *field, vx_fast_block **block,
                                      const vx_fast_shelf *shelf, uint32_t level,
                                      uint32_t threshold, vx_error *error)
{
    vx_status status = VX_OK;
    for (uint32_t at = level * VX_FAST_LANES; at < VX_FAST_PLACES && status == VX_OK;
         at += VX_FAST_LANES) {
        status = merge_one_by_one(field, block, shelf->cells + at, shelf->areas + at, UINT32_MAX,
                                  threshold, error);
    }
    return status;
}

/* The cells of so many levels. */
static vx_status merge_cells(vx_build3d *field, vx_fast_block **block, const vx_fast_shelf *shelf,
                             uint32_t levels, uint32_t threshold, vx_error *error)
{
    bool is_low = field->size[2] <= VX_FAST_LOW_HEIGHT;
    vx_status status = VX_OK;
    uint32_t level = 0;
    while (level < levels && status == VX_OK) {
        if (is_low && (*block)->form == VX_FAST_LAYERS && (*block)->layers == (*block)->capacity) {
            status = vx_fast_block_grow(field, block, levels - level, error);
            if (status != VX_OK) {
                break;
            }
        }
        if (!is_low || (*block)->form != VX_FAST_LAYERS) {
            return merge_without_kernel(field, block, shelf, level, threshold, error);
        }
        uint32_t left = field->kernels->merge(*block, shelf, levels, threshold, &level);
        if (left != 0) {
            size_t at = (size_t)(level - 1) * VX_FAST_LANES;
            status = merge_one_by_one(field, block, shelf->cells + at, shelf->areas + at, left,
                                      threshold, error);
        }
    }
    return status;
}

/* How many levels of a block are in use. */
static uint32_t levels_of(const vx_fast_shelf *shelf)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < VX_FAST_LANES; i++) {
        most = shelf->next[i] > most ? shelf->next[i] : most;
    }
    return most / VX_FAST_LANES;
}

/* Merges what waits in one block. */
static vx_status merge_block(vx_build3d *field, uint32_t z, uint32_t index, uint32_t threshold,
                             vx_error *error)
{
    vx_fast_shelf *shelf = &field->shelves[index];
    uint32_t levels = levels_of(shelf);
    if (levels == 0) {
        return VX_OK;
    }
    vx_fast_block **block = vx_fast_block_open(field, z, index, error);
    vx_status status = VX_NO_MEMORY;
    if (block != NULL) {
        status = merge_cells(field, block, shelf, levels, threshold, error);
    }
    if (status == VX_OK) {
        status = vx_fast_block_settle(field, block, error);
    }
    memset(shelf->cells, 0, (size_t)levels * VX_FAST_LANES * sizeof *shelf->cells);
    memset(shelf->next, 0, sizeof shelf->next);
    return status;
}

/* Puts the cells of a part on the shelf, each on the first level that is free in its column.
 * Returns whether that was the last level anywhere. */
static inline bool lay_few(vx_fast_shelf *shelf, const vx_fast_part *part)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t lane = part->lane + i;
        uint32_t place = shelf->next[lane];
        shelf->cells[place + lane] = part->cells[i];
        shelf->areas[place + lane] = part->area;
        place += VX_FAST_LANES;
        shelf->next[lane] = (uint16_t)place;
        any |= place;
    }
    return (any & VX_FAST_PLACES) != 0;
}

/* A run of row z of any number of cells. */
static vx_status shelve_any(vx_build3d *field, uint32_t z, const vx_fast_run *run,
                            const uint32_t *cells, uint32_t threshold, vx_error *error)
{
    /* From so many cells on the kernel is quicker. */
    enum { MANY = 10 };
    uint32_t end = run->last + 1U;
    cells += vx_fast_run_first(run);
    for (uint32_t x = run->x; x < end;) {
        uint32_t b = x / VX_FAST_LANES;
        uint32_t lane = x % VX_FAST_LANES;
        uint32_t count = VX_FAST_LANES - lane < end - x ? VX_FAST_LANES - lane : end - x;
        vx_fast_part part = {cells, lane, count, vx_fast_run_area(run)};
        vx_fast_shelf *shelf = &field->shelves[b];
        bool is_full = count < MANY ? lay_few(shelf, &part) : field->kernels->lay(shelf, &part);
        vx_status status = is_full ? merge_block(field, z, b, threshold, error) : VX_OK;
        if (status != VX_OK) {
            return status;
        }
        x += count;
        cells += count;
    }
    return VX_OK;
}

/* So many cells are laid at once; a loop over two or three would end when the processor does not
 * expect it. */
enum { SOME = 4 };

/* Puts up to SOME cells on the shelf of a block whose last columns they do not reach, each on the
 * first level that is free in its column. Beyond the count a 0 goes where something else will.
 * Returns whether that was the last level anywhere. */
static inline bool lay_some(vx_fast_shelf *shelf, uint32_t lane, const uint32_t *from,
                            uint32_t count, uint8_t area)
{
    static const uint32_t masks[2 * SOME] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const uint32_t *mask = masks + SOME - count;
    uint32_t any = 0;
    for (uint32_t i = 0; i < SOME; i++, lane++) {
        uint32_t place = shelf->next[lane];
        shelf->cells[place + lane] = from[i] & mask[i];
        shelf->areas[place + lane] = area;
        place += VX_FAST_LANES & mask[i];
        shelf->next[lane] = (uint16_t)place;
        any |= place;
    }
    return (any & VX_FAST_PLACES) != 0;
}

/* Asks for the memory of a run that is soon to be shelved. */
static inline void prefetch(const vx_fast_run *run, const uint32_t *cells)
{
    enum { LINE = 16, MOST = 16 * LINE };
    const uint32_t *from = cells + vx_fast_run_first(run);
    uint32_t count = vx_fast_run_count(run);
    __builtin_prefetch(from);
    for (uint32_t k = LINE; k < count + LINE && k < MOST; k += LINE) {
        __builtin_prefetch(from + k);
    }
}

vx_status vx_fast_shelve(vx_build3d *field, uint32_t z, const vx_fast_run *runs, size_t count,
                         const uint32_t *cells, uint32_t threshold, vx_error *error)
{
    uint32_t low = UINT32_MAX;
    uint32_t high = 0;
    vx_status status = VX_OK;
    const vx_fast_run *end = runs + count;
    for (const vx_fast_run *run = runs; run < end && status == VX_OK; run++) {
        prefetch(run + VX_FAST_AHEAD, cells);
        uint32_t x = run->x;
        uint32_t lane = x % VX_FAST_LANES;
        uint32_t width = vx_fast_run_count(run);
        low = x < low ? x : low;
        high = run->last > high ? run->last : high;
        if (width > SOME || lane > VX_FAST_LANES - SOME) {
            status = shelve_any(field, z, run, cells, threshold, error);
        } else if (lay_some(&field->shelves[x / VX_FAST_LANES], lane,
                            cells + vx_fast_run_first(run), width, vx_fast_run_area(run))) {
            status = merge_block(field, z, x / VX_FAST_LANES, threshold, error);
        }
    }
    for (uint32_t b = low / VX_FAST_LANES; b <= high / VX_FAST_LANES && status == VX_OK; b++) {
        status = merge_block(field, z, b, threshold, error);
    }
    return status;
}
