/* SPDX-License-Identifier: MIT */
/* SPEC B3: lists of pieces, sorted by row and column and merged into the rows of the field. */
#include "fast.h"

/* Pieces are collected up to this number before they are merged: 10 MiB of them. */
enum { PIECES_FIRST = 1 << 10, PIECES_MAX = 1 << 20 };

/* A row under construction: the columns before the present one, then the present one, whose spans
 * are begin … count − 1. */
typedef struct builder {
    uint16_t *min;
    uint16_t *max;
    uint8_t *area;
    uint32_t begin;
    uint32_t count;
} builder;

/* A piece without its row. */
typedef struct sorted_piece {
    uint16_t x, min, max, area;
} sorted_piece;

void vx_fast_begin(vx_build3d *field, vx_fast_pieces *pieces, int64_t threshold)
{
    *pieces = (vx_fast_pieces){.items = field->pieces.data,
                               .capacity = field->pieces.bytes / sizeof(vx_fast_piece),
                               .threshold = (uint32_t)threshold};
    field->next_low = UINT32_MAX;
    field->next_high = 0;
}

/* --- one column ------------------------------------------------------------------------------- */

/* The first span of the column whose Max is at least min. */
static uint32_t first_reached(const builder *row, uint32_t min)
{
    uint32_t low = row->begin;
    uint32_t high = row->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (row->max[middle] < min) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void move_spans(builder *row, uint32_t to, uint32_t from)
{
    size_t count = row->count - from;
    memmove(row->min + to, row->min + from, count * sizeof *row->min);
    memmove(row->max + to, row->max + from, count * sizeof *row->max);
    memmove(row->area + to, row->area + from, count * sizeof *row->area);
    row->count = row->count - from + to;
}

/* B3.4@2229fc: merges the span that is added with one that it reaches. */
static inline void merge_with(sorted_piece *added, uint32_t min, uint32_t max, uint32_t area,
                              uint32_t threshold)
{
    uint32_t larger = area > added->area ? area : added->area;
    uint32_t higher = max > added->max ? area : added->area;
    uint32_t between = max > added->max ? max - added->max : added->max - max;
    added->area = (uint16_t)(between <= threshold ? larger : higher);
    added->max = (uint16_t)(max > added->max ? max : added->max);
    added->min = (uint16_t)(min < added->min ? min : added->min);
}

/* B3.3@146add. */
static void insert(builder *row, sorted_piece piece, uint32_t threshold)
{
    uint32_t at = first_reached(row, piece.min);
    uint32_t end = at;
    for (; end < row->count && row->min[end] <= piece.max; end++) {
        merge_with(&piece, row->min[end], row->max[end], row->area[end], threshold);
    }
    if (end != at + 1) {
        move_spans(row, at + 1, end);
    }
    row->min[at] = piece.min;
    row->max[at] = piece.max;
    row->area[at] = (uint8_t)piece.area;
}

static void copy_spans(builder *to, const vx_fast_row *from, uint32_t first, uint32_t end)
{
    size_t count = end - first;
    memcpy(to->min + to->count, from->min + first, count * sizeof *to->min);
    memcpy(to->max + to->count, from->max + first, count * sizeof *to->max);
    memcpy(to->area + to->count, from->area + first, count * sizeof *to->area);
    to->count += end - first;
}

/* --- one row ---------------------------------------------------------------------------------- */

static vx_status allocate_row(vx_build3d *field, uint32_t spans, vx_fast_row *row, vx_error *error)
{
    size_t columns = (size_t)field->size[0] + 1;
    size_t count = spans;
    size_t bytes = columns * sizeof *row->first + count * (2 * sizeof *row->min + 1);
    char *memory = vx_fast_alloc(field, bytes, error);
    if (memory == NULL) {
        return VX_NO_MEMORY;
    }
    row->bytes = bytes;
    row->first = (void *)memory;
    row->min = (void *)(memory + columns * sizeof *row->first);
    row->max = row->min + count;
    row->area = (void *)(row->max + count);
    return VX_OK;
}

/* Merges the pieces of one row, which are in the order of the operation, into it. ends[x] counts
 * the row's pieces up to and with column x, 0 <= x < W, and order lists them by column. */
static void merge_row(vx_build3d *field, const vx_fast_row *old, const sorted_piece *items,
                      const uint32_t *ends, const uint32_t *order, uint32_t threshold,
                      uint32_t *first, builder *built)
{
    uint32_t width = field->size[0];
    uint32_t next = 0;
    for (uint32_t x = 0; x < width; x++) {
        first[x] = built->begin = built->count;
        if (old->first != NULL) {
            copy_spans(built, old, old->first[x], old->first[x + 1]);
        }
        for (; next < ends[x]; next++) {
            insert(built, items[order[next]], threshold);
        }
    }
    first[width] = built->count;
}

/* Lists the pieces by column, keeping their order within each: a counting sort. */
static void sort_by_column(const sorted_piece *items, uint32_t count, uint32_t width,
                           uint32_t *ends, uint32_t *order)
{
    memset(ends, 0, (width + 1) * sizeof *ends);
    for (uint32_t i = 0; i < count; i++) {
        ends[items[i].x + 1]++;
    }
    for (uint32_t x = 0; x < width; x++) {
        ends[x + 1] += ends[x];
    }
    /* ends[x] is where column x begins; each piece moves it on, in the end to where it ends. */
    for (uint32_t i = 0; i < count; i++) {
        order[ends[items[i].x]++] = i;
    }
}

/* The general way of merging a row: the pieces are sorted by column, columns of any depth. */
static vx_status merge_sorted(vx_build3d *field, const vx_fast_row *old, const sorted_piece *items,
                              uint32_t count, uint32_t threshold, vx_fast_row *made,
                              vx_error *error)
{
    uint32_t width = field->size[0];
    size_t most = count + (old->first != NULL ? (size_t)old->first[width] : 0);
    size_t columns = (size_t)width + 1;
    uint32_t *first = vx_fast_reserve(field, &field->merged,
                                      2 * columns * sizeof *first + count * sizeof *first +
                                          most * (2 * sizeof(uint16_t) + 1),
                                      1, error);
    if (first == NULL) {
        return VX_NO_MEMORY;
    }
    uint32_t *ends = first + columns;
    uint32_t *order = ends + columns;
    builder built = {.min = (void *)(order + count)};
    built.max = built.min + most;
    built.area = (void *)(built.max + most);
    sort_by_column(items, count, width, ends, order);
    merge_row(field, old, items, ends, order, threshold, first, &built);
    vx_status status = allocate_row(field, built.count, made, error);
    if (status == VX_OK) {
        memcpy(made->first, first, columns * sizeof *first);
        memcpy(made->min, built.min, built.count * sizeof *made->min);
        memcpy(made->max, built.max, built.count * sizeof *made->max);
        memcpy(made->area, built.area, built.count);
    }
    return status;
}

/* --- one row of shallow columns ---------------------------------------------------------------
 */

/* Columns of up to SLOTS spans each have their slots: pieces go straight to them, unsorted, in the
 * order in which they come. One cache line a column. */
enum { SLOTS = 8 };

typedef struct slot_row {
    sorted_piece (*spans)[SLOTS]; /* of each column; x is unused */
    uint8_t *counts;
} slot_row;

/* B3.3@146add; false, with the column unchanged, when it would need a slot more than there are. */
static inline bool insert_in_slots(sorted_piece *spans, uint8_t *count, sorted_piece piece,
                                   uint32_t threshold)
{
    uint32_t n = *count;
    uint32_t at = 0;
    while (at < n && spans[at].max < piece.min) {
        at++;
    }
    uint32_t end = at;
    for (; end < n && spans[end].min <= piece.max; end++) {
        merge_with(&piece, spans[end].min, spans[end].max, spans[end].area, threshold);
    }
    if (end == at) {
        if (n == SLOTS) {
            return false;
        }
        for (uint32_t i = n; i > at; i--) {
            spans[i] = spans[i - 1];
        }
        *count = (uint8_t)(n + 1);
    } else if (end > at + 1) {
        for (uint32_t i = end; i < n; i++) {
            spans[i - end + at + 1] = spans[i];
        }
        *count = (uint8_t)(n - (end - at - 1));
    }
    spans[at] = piece;
    return true;
}

/* The spans that a row has already; false when a column has too many of them. */
static bool fill_slots(const slot_row *slots, uint32_t width, const vx_fast_row *old)
{
    if (old->first == NULL) {
        memset(slots->counts, 0, width);
        return true;
    }
    for (uint32_t x = 0; x < width; x++) {
        uint32_t begin = old->first[x];
        uint32_t count = old->first[x + 1] - begin;
        if (count > SLOTS) {
            return false;
        }
        slots->counts[x] = (uint8_t)count;
        for (uint32_t i = 0; i < count; i++) {
            slots->spans[x][i] =
                (sorted_piece){0, old->min[begin + i], old->max[begin + i], old->area[begin + i]};
        }
    }
    return true;
}

static vx_status read_slots(vx_build3d *field, const slot_row *slots, vx_fast_row *made,
                            vx_error *error)
{
    uint32_t width = field->size[0];
    uint32_t count = 0;
    for (uint32_t x = 0; x < width; x++) {
        count += slots->counts[x];
    }
    vx_status status = allocate_row(field, count, made, error);
    uint32_t s = 0;
    for (uint32_t x = 0; x < width && status == VX_OK; x++) {
        made->first[x] = s;
        for (uint32_t i = 0; i < slots->counts[x]; i++, s++) {
            const sorted_piece *span = &slots->spans[x][i];
            made->min[s] = span->min;
            made->max[s] = span->max;
            made->area[s] = (uint8_t)span->area;
        }
    }
    if (status == VX_OK) {
        made->first[width] = s;
    }
    return status;
}

/* Merges a row in slots; *fits becomes false, and nothing is made, when a column is too deep. */
static vx_status merge_shallow(vx_build3d *field, const vx_fast_row *old, const sorted_piece *items,
                               uint32_t count, uint32_t threshold, vx_fast_row *made, bool *fits,
                               vx_error *error)
{
    uint32_t width = field->size[0];
    slot_row slots = {
        .spans = vx_fast_reserve(field, &field->slots, width, sizeof *slots.spans + 1, error)};
    if (slots.spans == NULL) {
        return VX_NO_MEMORY;
    }
    slots.counts = (void *)(slots.spans + width);
    *fits = fill_slots(&slots, width, old);
    for (uint32_t i = 0; i < count && *fits; i++) {
        uint32_t x = items[i].x;
        *fits = insert_in_slots(slots.spans[x], &slots.counts[x], items[i], threshold);
    }
    return *fits ? read_slots(field, &slots, made, error) : VX_OK;
}

static vx_status add_to_row(vx_build3d *field, uint32_t z, const sorted_piece *items,
                            uint32_t count, uint32_t threshold, vx_error *error)
{
    vx_fast_row *pending = &field->next[z];
    const vx_fast_row *old = pending->first != NULL ? pending : &field->rows[z];
    vx_fast_row made = {0};
    bool fits = true;
    vx_status status = merge_shallow(field, old, items, count, threshold, &made, &fits, error);
    if (status == VX_OK && !fits) {
        status = merge_sorted(field, old, items, count, threshold, &made, error);
    }
    if (status == VX_OK) {
        vx_fast_release(field, pending->first, pending->bytes);
        *pending = made;
        field->next_low = z < field->next_low ? z : field->next_low;
        field->next_high = z + 1 > field->next_high ? z + 1 : field->next_high;
    }
    return status;
}

/* --- all rows --------------------------------------------------------------------------------- */

/* Merges what was collected into the next rows. Columns depend on nothing but the order of their
 * own pieces (B3.5@4b6f33), which a stable sort keeps. */
static vx_status flush(vx_build3d *field, vx_fast_pieces *pieces, vx_error *error)
{
    size_t depth = field->size[1];
    sorted_piece *sorted =
        vx_fast_reserve(field, &field->sorted, pieces->count, sizeof *sorted, error);
    uint32_t *ends = vx_fast_reserve(field, &field->counts, depth + 1, sizeof *ends, error);
    if (sorted == NULL || ends == NULL) {
        return VX_NO_MEMORY;
    }
    uint32_t low = UINT32_MAX;
    uint32_t high = 0;
    for (size_t i = 0; i < pieces->count; i++) {
        uint32_t z = pieces->items[i].z;
        low = z < low ? z : low;
        high = z > high ? z : high;
    }
    memset(ends + low, 0, (high + 2 - low) * sizeof *ends);
    for (size_t i = 0; i < pieces->count; i++) {
        ends[pieces->items[i].z + 1]++;
    }
    for (uint32_t z = low; z <= high; z++) {
        ends[z + 1] += ends[z];
    }
    for (size_t i = 0; i < pieces->count; i++) {
        const vx_fast_piece *piece = &pieces->items[i];
        sorted[ends[piece->z]++] = (sorted_piece){piece->x, piece->min, piece->max, piece->area};
    }
    uint32_t begin = 0;
    vx_status status = VX_OK;
    for (uint32_t z = low; z <= high && status == VX_OK; z++) {
        if (ends[z] > begin) {
            status =
                add_to_row(field, z, sorted + begin, ends[z] - begin, pieces->threshold, error);
            begin = ends[z];
        }
    }
    pieces->count = 0;
    return status;
}

vx_status vx_fast_make_room(vx_build3d *field, vx_fast_pieces *pieces, uint32_t count,
                            vx_error *error)
{
    if (pieces->capacity >= PIECES_MAX) {
        return flush(field, pieces, error);
    }
    size_t capacity = pieces->capacity > 0 ? 2 * pieces->capacity : PIECES_FIRST;
    while (capacity - pieces->count < count) {
        capacity *= 2;
    }
    vx_fast_buffer larger = {0};
    vx_fast_piece *items = vx_fast_reserve(field, &larger, capacity, sizeof *items, error);
    if (items == NULL) {
        return VX_NO_MEMORY;
    }
    if (pieces->count > 0) {
        memcpy(items, pieces->items, pieces->count * sizeof *items);
    }
    vx_fast_release(field, field->pieces.data, field->pieces.bytes);
    field->pieces = larger;
    pieces->items = items;
    pieces->capacity = capacity;
    return VX_OK;
}

vx_status vx_fast_commit(vx_build3d *field, vx_fast_pieces *pieces, vx_error *error)
{
    uint32_t width = field->size[0];
    if (pieces->count > 0) {
        vx_status status = flush(field, pieces, error);
        if (status != VX_OK) {
            vx_fast_abandon(field);
            return status;
        }
    }
    for (uint32_t z = field->next_low; z < field->next_high; z++) {
        vx_fast_row *made = &field->next[z];
        vx_fast_row *old = &field->rows[z];
        if (made->first != NULL) {
            field->span_count += made->first[width];
            field->span_count -= old->first != NULL ? old->first[width] : 0;
            vx_fast_release(field, old->first, old->bytes);
            *old = *made;
            *made = (vx_fast_row){0};
        }
    }
    return VX_OK;
}

void vx_fast_abandon(vx_build3d *field)
{
    for (uint32_t z = field->next_low; z < field->next_high; z++) {
        vx_fast_release(field, field->next[z].first, field->next[z].bytes);
        field->next[z] = (vx_fast_row){0};
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
    vx_fast_pieces pieces;
    vx_fast_begin(field, &pieces, merge_threshold);
    for (size_t i = 0; i < count; i++) {
        const vx_span *span = &spans[i];
        vx_fast_piece piece = {(uint16_t)span->x, (uint16_t)span->z, (uint16_t)span->min,
                               (uint16_t)span->max, (uint16_t)span->area};
        status = vx_fast_add(field, &pieces, &piece, error);
        if (status != VX_OK) {
            vx_fast_abandon(field);
            return status;
        }
    }
    return vx_fast_commit(field, &pieces, error);
}
