/* SPDX-License-Identifier: MIT */
/* SPEC B3: runs of cells, sorted by row and merged into the blocks of the field. */
#include "kernels.h"

enum { RUNS_FIRST = 1 << 8, CELLS_FIRST = 1 << 11 };

/* Before and after the cells stand as many as a block has columns, which kernels may read. */
static void take_cells(const vx_build3d *field, vx_fast_runs *runs)
{
    size_t count = field->cells.bytes / sizeof *runs->cells;
    runs->cells = NULL;
    runs->cell_capacity = 0;
    if (count > 0) {
        runs->cells = (uint32_t *)field->cells.data + VX_FAST_LANES;
        runs->cell_capacity = count - (size_t)2 * VX_FAST_LANES;
    }
}

static void take_runs(const vx_build3d *field, vx_fast_runs *runs)
{
    size_t count = field->runs.bytes / sizeof *runs->items;
    size_t rows = field->rows.bytes / sizeof *runs->rows;
    runs->items = field->runs.data;
    runs->rows = field->rows.data;
    runs->capacity = count < rows ? count : rows;
}

void vx_fast_begin(vx_build3d *field, vx_fast_runs *runs, int64_t threshold)
{
    *runs = (vx_fast_runs){.threshold = (uint32_t)threshold};
    take_runs(field, runs);
    take_cells(field, runs);
    field->next_low = UINT32_MAX;
    field->next_high = 0;
    vx_fast_join(field);
    field->next_count = field->span_count;
    field->next_bytes = field->block_bytes;
}

/* --- all rows --------------------------------------------------------------------------------- */

/* The runs by row, in their order within each: a counting sort. Row low + i begins where the one
 * before ends, at ends[i]. */
typedef struct sorted_runs {
    const vx_fast_run *items;
    const uint32_t *ends;
    uint32_t low, high;
} sorted_runs;

static vx_status sort_runs(vx_build3d *field, const vx_fast_runs *runs, sorted_runs *made,
                           vx_error *error)
{
    const uint16_t *rows = runs->rows;
    uint16_t low = UINT16_MAX;
    uint16_t high = 0;
    for (size_t i = 0; i < runs->count; i++) {
        low = rows[i] < low ? rows[i] : low;
        high = rows[i] > high ? rows[i] : high;
    }
    size_t count = (size_t)(high - low) + 1;
    vx_fast_run *sorted =
        vx_fast_reserve(field, &field->sorted, runs->count + VX_FAST_AHEAD, sizeof *sorted, error);
    uint32_t *ends = vx_fast_reserve(field, &field->counts, count + 1, sizeof *ends, error);
    if (sorted == NULL || ends == NULL) {
        return VX_NO_MEMORY;
    }
    memset(ends, 0, (count + 1) * sizeof *ends);
    for (size_t i = 0; i < runs->count; i++) {
        ends[rows[i] - low + 1]++;
    }
    for (size_t z = 0; z < count; z++) {
        ends[z + 1] += ends[z];
    }
    for (size_t i = 0; i < runs->count; i++) {
        sorted[ends[rows[i] - low]++] = runs->items[i];
    }
    memset(sorted + runs->count, 0, VX_FAST_AHEAD * sizeof *sorted);
    *made = (sorted_runs){sorted, ends, low, high};
    return VX_OK;
}

/* Merges what was collected. Columns depend on nothing but the order of their own spans
 * (B3.5@4b6f33), which a stable sort keeps. */
static vx_status flush(vx_build3d *field, vx_fast_runs *runs, vx_error *error)
{
    if (runs->count == 0) {
        return VX_OK;
    }
    sorted_runs sorted;
    vx_status status = sort_runs(field, runs, &sorted, error);
    if (status == VX_OK) {
        status = vx_fast_shelf_open(field, error);
    }
    if (status != VX_OK) {
        return status;
    }
    size_t begin = 0;
    for (uint32_t z = sorted.low; z <= sorted.high && status == VX_OK; z++) {
        size_t end = sorted.ends[z - sorted.low];
        if (begin < end) {
            status = vx_fast_shelve(field, z, sorted.items + begin, end - begin, runs->cells,
                                    runs->threshold, error);
        }
        begin = end;
    }
    field->shelves_are_clear = status == VX_OK;
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
        if (buffer->data != NULL) {
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
    if (runs->cell_count + cell_count > VX_FAST_BATCH_CELLS ||
        runs->count + run_count > VX_FAST_BATCH_RUNS) {
        vx_status status = flush(field, runs, error);
        if (status != VX_OK) {
            return status;
        }
    }
    if (runs->count + run_count > runs->capacity) {
        size_t capacity = enough(runs->capacity, RUNS_FIRST, runs->count + run_count);
        size_t used = runs->count;
        if (enlarge(field, &field->runs, used * sizeof *runs->items, capacity * sizeof *runs->items,
                    error) == NULL ||
            enlarge(field, &field->rows, used * sizeof *runs->rows, capacity * sizeof *runs->rows,
                    error) == NULL) {
            return VX_NO_MEMORY;
        }
        take_runs(field, runs);
    }
    if (runs->cell_count + cell_count > runs->cell_capacity) {
        size_t capacity = enough(runs->cell_capacity, CELLS_FIRST, runs->cell_count + cell_count);
        size_t margin = VX_FAST_LANES * sizeof *runs->cells;
        if (enlarge(field, &field->cells, margin + runs->cell_count * sizeof *runs->cells,
                    2 * margin + capacity * sizeof *runs->cells, error) == NULL) {
            return VX_NO_MEMORY;
        }
        take_cells(field, runs);
    }
    return VX_OK;
}

vx_status vx_fast_commit(vx_build3d *field, vx_fast_runs *runs, vx_error *error)
{
    vx_status status = flush(field, runs, error);
    if (status != VX_OK) {
        vx_fast_abandon(field);
        return status;
    }
    field->span_count = field->next_count;
    field->block_bytes = field->next_bytes;
    size_t end = (size_t)field->next_high * field->blocks_wide;
    for (size_t i = (size_t)field->next_low * field->blocks_wide; i < end; i++) {
        if (field->next[i] != NULL) {
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

/* B3.2@5461d7 in a few comparisons; a negative number is a very large unsigned one. */
static bool is_good_span(const vx_build3d *field, const vx_span *span)
{
    return (uint64_t)span->x < field->size[0] && (uint64_t)span->z < field->size[1] &&
           (uint64_t)span->min < field->size[2] && span->max > span->min &&
           span->max <= (int64_t)field->size[2] && (uint64_t)span->area <= VX_AREA_MAX;
}

/* What is wrong with one that is not good. */
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

/* The first of the spans that is wrong, if any is. */
static vx_status check_spans(const vx_build3d *field, const vx_span *spans, size_t count,
                             vx_error *error)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < count && status == VX_OK; i++) {
        status = is_good_span(field, &spans[i]) ? VX_OK : check_span(field, &spans[i], error);
    }
    return status;
}

/* Inserts the spans into the blocks of next. Each is checked when its turn comes, so that a long
 * list is read once. */
static vx_status insert_spans(vx_build3d *field, const vx_span *spans, size_t count,
                              uint32_t threshold, vx_error *error)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < count && status == VX_OK; i++) {
        status = is_good_span(field, &spans[i]) ? vx_fast_insert(field, &spans[i], threshold, error)
                                                : check_span(field, &spans[i], error);
    }
    return status;
}

vx_status vx_fast_add_spans(vx_build3d *field, const vx_span *spans, size_t count,
                            int64_t merge_threshold, vx_error *error)
{
    vx_status status = vx_fast_check_place(field, false, "addSpans", error);
    if (status == VX_OK && (merge_threshold < 0 || merge_threshold > VX_ROWS_MAX)) {
        status = check_spans(field, spans, count, error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_integer(merge_threshold, 0, VX_ROWS_MAX, "merge threshold", error);
    }
    if (status != VX_OK) {
        return status;
    }
    vx_fast_runs runs;
    vx_fast_begin(field, &runs, merge_threshold);
    status = insert_spans(field, spans, count, (uint32_t)merge_threshold, error);
    if (status != VX_OK) {
        vx_fast_abandon(field);
        return status;
    }
    return vx_fast_commit(field, &runs, error);
}
