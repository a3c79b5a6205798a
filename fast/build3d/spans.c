/* SPDX-License-Identifier: MIT */
/* SPEC B3: runs of cells, sorted by row and merged into the blocks of the field. */
#include "kernels.h"

/* So many cells are collected before they are merged, unless a single triangle brings more. */
enum { RUNS_FIRST = 1 << 8, RUNS_MAX = 1 << 17, CELLS_FIRST = 1 << 11, CELLS_MAX = 1 << 22 };

/* From so many cells of a run in one block on a kernel is quicker than one after the other. */
enum { KERNEL_LEAST = 5 };

/* A span on its way into its column. */
typedef struct piece {
    uint32_t min, max, area;
} piece;

void vx_fast_begin(vx_build3d *field, vx_fast_runs *runs, int64_t threshold)
{
    *runs = (vx_fast_runs){.items = field->runs.data,
                           .capacity = field->runs.bytes / sizeof(vx_fast_run),
                           .cells = field->cells.data,
                           .cell_capacity = field->cells.bytes / sizeof(uint32_t),
                           .threshold = (uint32_t)threshold};
    field->next_low = UINT32_MAX;
    field->next_high = 0;
}

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
static inline uint32_t insert(const vx_fast_view *column, uint32_t at, piece added,
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

/* Makes room for one span more in a column of the block. */
static vx_status deepen(vx_build3d *field, vx_fast_block **at, uint32_t lane, vx_error *error)
{
    vx_status status = VX_OK;
    if ((*at)->columns == NULL && (*at)->counts[lane] == (*at)->layers) {
        if ((*at)->layers == (*at)->capacity) {
            status = vx_fast_block_grow(field, at, error);
        }
        if (status == VX_OK && (*at)->columns == NULL) {
            add_layer(*at);
        }
    }
    if (status == VX_OK && (*at)->columns != NULL) {
        status = vx_fast_column_grow(field, &(*at)->columns[lane], (*at)->counts[lane], error);
    }
    return status;
}

/* B3.3@146add for one column of a block, which may have to grow. */
static inline vx_status insert_in_block(vx_build3d *field, vx_fast_block **at, uint32_t lane,
                                        piece added, uint32_t threshold, vx_error *error)
{
    vx_fast_view column = vx_fast_view_of(*at, lane);
    uint32_t first = first_reached(&column, added.min);
    if (goes_between(&column, first, added.max)) {
        vx_status status = deepen(field, at, lane, error);
        if (status != VX_OK) {
            return status;
        }
        column = vx_fast_view_of(*at, lane);
    }
    (*at)->counts[lane] = (uint16_t)insert(&column, first, added, threshold);
    return VX_OK;
}

/* The block of the operation that is being done: a copy of the field's on its first use. */
static vx_fast_block **touch(vx_build3d *field, uint32_t z, uint32_t index, vx_error *error)
{
    size_t at = (size_t)z * field->blocks_wide + index;
    if (field->next[at] == NULL) {
        field->next[at] = vx_fast_block_copy(field, field->blocks[at], error);
        field->next_low = z < field->next_low ? z : field->next_low;
        field->next_high = z + 1 > field->next_high ? z + 1 : field->next_high;
    }
    return field->next[at] != NULL ? &field->next[at] : NULL;
}

/* B3.3@146add in a column of layers where at most one span is met and, if none is, there is a layer
 * for one more: most are such. False, without an effect, otherwise. */
static inline bool insert_simply(vx_fast_block *block, uint32_t lane, piece added,
                                 uint32_t threshold)
{
    uint16_t *min = vx_fast_block_min(block) + lane;
    uint16_t *max = vx_fast_block_max(block) + lane;
    uint8_t *area = vx_fast_block_area(block) + lane;
    uint32_t count = block->counts[lane];
    size_t end = (size_t)count * VX_FAST_LANES;
    size_t s = 0;
    while (s < end && max[s] < added.min) {
        s += VX_FAST_LANES;
    }
    if (s == end || min[s] > added.max) {
        if (count == block->layers) {
            return false;
        }
        block->counts[lane] = (uint16_t)(count + 1);
        for (size_t i = end; i > s; i -= VX_FAST_LANES) {
            min[i] = min[i - VX_FAST_LANES];
            max[i] = max[i - VX_FAST_LANES];
            area[i] = area[i - VX_FAST_LANES];
        }
    } else {
        size_t above = s + VX_FAST_LANES;
        if (above < end && min[above] <= added.max) {
            return false;
        }
        merge_with(&added, min[s], max[s], area[s], threshold);
    }
    min[s] = (uint16_t)added.min;
    max[s] = (uint16_t)added.max;
    area[s] = (uint8_t)added.area;
    return true;
}

/* Adds the cells of a run that lie in the block, one after the other; only the columns whose bits
 * are set. */
static vx_status add_one_by_one(vx_build3d *field, vx_fast_block **block, uint32_t lane,
                                const uint32_t *cells, uint32_t count, uint32_t area,
                                uint32_t threshold, uint32_t which, vx_error *error)
{
    vx_status status = VX_OK;
    for (uint32_t i = 0; i < count && status == VX_OK; i++) {
        piece added = {cells[i] & 0xFFFF, cells[i] >> 16, area};
        bool is_there = (which >> (lane + i) & 1) != 0 && added.max > 0;
        if (is_there &&
            ((*block)->columns != NULL || !insert_simply(*block, lane + i, added, threshold))) {
            status = insert_in_block(field, block, lane + i, added, threshold, error);
        }
    }
    return status;
}

/* The same with a kernel. */
static vx_status add_many(vx_build3d *field, vx_fast_block **block, uint32_t lane,
                          const uint32_t *cells, uint32_t count, uint32_t area, uint32_t threshold,
                          vx_error *error)
{
    if ((*block)->layers == (*block)->capacity) {
        vx_status status = vx_fast_block_grow(field, block, error);
        if (status != VX_OK) {
            return status;
        }
    }
    uint32_t left = UINT32_MAX;
    if ((*block)->columns == NULL) {
        left = field->kernels->merge(*block, cells, lane, count, area, threshold);
    }
    return left == 0
               ? VX_OK
               : add_one_by_one(field, block, lane, cells, count, area, threshold, left, error);
}

static vx_status add_run(vx_build3d *field, const vx_fast_run *run, const uint32_t *cells,
                         uint32_t threshold, vx_error *error)
{
    bool low = field->size[2] <= VX_FAST_LOW_HEIGHT;
    uint32_t end = run->x + run->count;
    vx_status status = VX_OK;
    for (uint32_t x = run->x; x < end && status == VX_OK;) {
        uint32_t lane = x % VX_FAST_LANES;
        uint32_t count = VX_FAST_LANES - lane < end - x ? VX_FAST_LANES - lane : end - x;
        vx_fast_block **block = touch(field, run->z, x / VX_FAST_LANES, error);
        if (block == NULL) {
            return VX_NO_MEMORY;
        }
        const uint32_t *from = cells + (x - run->x);
        if (low && count >= KERNEL_LEAST && (*block)->columns == NULL) {
            status = add_many(field, block, lane, from, count, run->area, threshold, error);
        } else {
            status = add_one_by_one(field, block, lane, from, count, run->area, threshold,
                                    UINT32_MAX, error);
        }
        x += count;
    }
    return status;
}

/* --- all rows --------------------------------------------------------------------------------- */

/* Lists the runs by row, keeping their order within each: a counting sort. */
static const uint32_t *sort_runs(vx_build3d *field, const vx_fast_runs *runs, vx_error *error)
{
    uint32_t low = UINT32_MAX;
    uint32_t high = 0;
    for (size_t i = 0; i < runs->count; i++) {
        uint32_t z = runs->items[i].z;
        low = z < low ? z : low;
        high = z > high ? z : high;
    }
    uint32_t *order = vx_fast_reserve(field, &field->sorted, runs->count, sizeof *order, error);
    uint32_t *ends = vx_fast_reserve(field, &field->counts, high - low + 2, sizeof *ends, error);
    if (order == NULL || ends == NULL) {
        return NULL;
    }
    memset(ends, 0, (high - low + 2) * sizeof *ends);
    for (size_t i = 0; i < runs->count; i++) {
        ends[runs->items[i].z - low + 1]++;
    }
    for (uint32_t z = 0; z < high - low; z++) {
        ends[z + 1] += ends[z];
    }
    for (size_t i = 0; i < runs->count; i++) {
        order[ends[runs->items[i].z - low]++] = (uint32_t)i;
    }
    return order;
}

/* Asks for the memory of runs that are soon to be merged: a run, then its cells and the place of
 * its block, then the block. */
static inline void prefetch(const vx_build3d *field, const vx_fast_runs *runs,
                            const uint32_t *order, size_t i)
{
    enum { RUN = 16, CELLS = 8, BLOCK = 4 };
    if (i + RUN >= runs->count) {
        return;
    }
    __builtin_prefetch(&runs->items[order[i + RUN]]);
    const vx_fast_run *run = &runs->items[order[i + CELLS]];
    __builtin_prefetch(runs->cells + run->first);
    __builtin_prefetch(&field->next[(size_t)run->z * field->blocks_wide + run->x / VX_FAST_LANES]);
    run = &runs->items[order[i + BLOCK]];
    const vx_fast_block *block =
        field->next[(size_t)run->z * field->blocks_wide + run->x / VX_FAST_LANES];
    if (block != NULL) {
        __builtin_prefetch(block);
        __builtin_prefetch(vx_fast_block_min(block));
        __builtin_prefetch(vx_fast_block_max(block));
        __builtin_prefetch(vx_fast_block_area(block));
    }
}

/* Merges what was collected. Columns depend on nothing but the order of their own spans
 * (B3.5@4b6f33), which a stable sort keeps. */
static vx_status flush(vx_build3d *field, vx_fast_runs *runs, vx_error *error)
{
    if (runs->count == 0) {
        return VX_OK;
    }
    const uint32_t *order = sort_runs(field, runs, error);
    vx_status status = order != NULL ? VX_OK : VX_NO_MEMORY;
    for (size_t i = 0; i < runs->count && status == VX_OK; i++) {
        prefetch(field, runs, order, i);
        const vx_fast_run *run = &runs->items[order[i]];
        status = add_run(field, run, runs->cells + run->first, runs->threshold, error);
    }
    runs->count = 0;
    runs->cell_count = 0;
    return status;
}

/* An array of the operation made larger, with what it holds. */
static void *enlarge(vx_build3d *field, vx_fast_buffer *buffer, size_t used, size_t bytes,
                     vx_error *error)
{
    vx_fast_buffer larger = {0};
    void *data = vx_fast_reserve(field, &larger, bytes, 1, error);
    if (data != NULL) {
        if (used > 0) {
            memcpy(data, buffer->data, used);
        }
        vx_fast_release(field, buffer->data, buffer->bytes);
        *buffer = larger;
    }
    return data;
}

static size_t enough(size_t capacity, size_t least, size_t count)
{
    capacity = capacity > 0 ? capacity : least;
    while (capacity < count) {
        capacity *= 2;
    }
    return capacity;
}

vx_status vx_fast_make_room(vx_build3d *field, vx_fast_runs *runs, size_t run_count,
                            size_t cell_count, vx_error *error)
{
    if (runs->cell_count + cell_count > CELLS_MAX || runs->count + run_count > RUNS_MAX) {
        vx_status status = flush(field, runs, error);
        if (status != VX_OK) {
            return status;
        }
    }
    if (runs->count + run_count > runs->capacity) {
        size_t capacity = enough(runs->capacity, RUNS_FIRST, runs->count + run_count);
        vx_fast_run *items = enlarge(field, &field->runs, runs->count * sizeof *items,
                                     capacity * sizeof *items, error);
        if (items == NULL) {
            return VX_NO_MEMORY;
        }
        runs->items = items;
        runs->capacity = capacity;
    }
    if (runs->cell_count + cell_count > runs->cell_capacity) {
        size_t capacity = enough(runs->cell_capacity, CELLS_FIRST, runs->cell_count + cell_count);
        uint32_t *cells = enlarge(field, &field->cells, runs->cell_count * sizeof *cells,
                                  capacity * sizeof *cells, error);
        if (cells == NULL) {
            return VX_NO_MEMORY;
        }
        runs->cells = cells;
        runs->cell_capacity = capacity;
    }
    return VX_OK;
}

static uint64_t span_count_of(const vx_fast_block *block)
{
    uint64_t count = 0;
    for (size_t i = 0; block != NULL && i < VX_FAST_LANES; i++) {
        count += block->counts[i];
    }
    return count;
}

vx_status vx_fast_commit(vx_build3d *field, vx_fast_runs *runs, vx_error *error)
{
    vx_status status = flush(field, runs, error);
    if (status != VX_OK) {
        vx_fast_abandon(field);
        return status;
    }
    size_t end = (size_t)field->next_high * field->blocks_wide;
    for (size_t i = (size_t)field->next_low * field->blocks_wide; i < end; i++) {
        if (field->next[i] != NULL) {
            field->span_count += span_count_of(field->next[i]);
            field->span_count -= span_count_of(field->blocks[i]);
            vx_fast_block_release(field, field->blocks[i]);
            field->blocks[i] = field->next[i];
            field->next[i] = NULL;
        }
    }
    return VX_OK;
}

void vx_fast_abandon(vx_build3d *field)
{
    size_t end = (size_t)field->next_high * field->blocks_wide;
    for (size_t i = (size_t)field->next_low * field->blocks_wide; i < end; i++) {
        vx_fast_block_release(field, field->next[i]);
        field->next[i] = NULL;
    }
}

/* --- SPEC B3.2@5461d7: spans that are added directly
 * ------------------------------------------------- */

static vx_status check_span(const vx_build3d *field, const vx_span *span, vx_error *error)
{
    vx_status status = vx_fast_check_integer(span->x, 0, (int64_t)field->size[0] - 1, "x", error);
    if (status == VX_OK) {
        status = vx_fast_check_integer(span->z, 0, (int64_t)field->size[1] - 1, "z", error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_integer(span->min, 0, (int64_t)field->size[2] - 1, "min", error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_integer(span->max, span->min + 1, field->size[2], "max", error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_integer(span->area, 0, VX_AREA_MAX, "area", error);
    }
    return status;
}

vx_status vx_fast_add_spans(vx_build3d *field, const vx_span *spans, size_t count,
                            int64_t merge_threshold, vx_error *error)
{
    vx_status status = vx_fast_check_place(field, false, "addSpans", error);
    for (size_t i = 0; i < count && status == VX_OK; i++) {
        status = check_span(field, &spans[i], error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_integer(merge_threshold, 0, VX_ROWS_MAX, "merge threshold", error);
    }
    if (status != VX_OK) {
        return status;
    }
    vx_fast_runs runs;
    vx_fast_begin(field, &runs, merge_threshold);
    for (size_t i = 0; i < count; i++) {
        const vx_span *span = &spans[i];
        status = vx_fast_make_room(field, &runs, 1, 1, error);
        if (status != VX_OK) {
            vx_fast_abandon(field);
            return status;
        }
        *vx_fast_add_run(&runs, (uint32_t)span->x, (uint32_t)span->z, 1, (uint32_t)span->area) =
            vx_fast_cell((uint32_t)span->min, (uint32_t)span->max);
    }
    return vx_fast_commit(field, &runs, error);
}
