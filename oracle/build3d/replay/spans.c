/* SPDX-License-Identifier: MIT */
/* Spans and merging (SPEC B3). */
#include <stdlib.h>
#include <string.h>

#include "replay.h"

vx_status vx_replay_append(vx_replay_additions *additions, size_t column, int64_t min, int64_t max,
                           int64_t area)
{
    if (additions->count == additions->capacity) {
        size_t capacity = additions->capacity > 0 ? 2 * additions->capacity : 64;
        vx_replay_addition *items = reallocarray(additions->items, capacity, sizeof *items);
        if (items == NULL) {
            return VX_NO_MEMORY;
        }
        additions->items = items;
        additions->capacity = capacity;
    }
    additions->items[additions->count++] = (vx_replay_addition){
        .column = column,
        .span = {.min = (int32_t)min, .max = (int32_t)max, .area = (int32_t)area}};
    return VX_OK;
}

/* Makes room for what a column awaits. */
static vx_status make_room(vx_replay_column *column)
{
    uint32_t needed = column->count + column->awaited;
    if (needed <= column->capacity) {
        return VX_OK;
    }
    vx_replay_span *spans = reallocarray(column->spans, needed, sizeof *spans);
    if (spans == NULL) {
        return VX_NO_MEMORY;
    }
    column->spans = spans;
    column->capacity = needed;
    return VX_OK;
}

/* Adding a span makes a column longer by one at most, so that with this much room no addition can
 * fail (SPEC B0.9). A column has at most H ÷ 2 + 1 spans, whatever is added. */
static vx_status make_all_room(vx_build3d *field, const vx_replay_additions *additions)
{
    uint32_t most = (uint32_t)field->height / 2 + 2;
    for (size_t i = 0; i < additions->count; i++) {
        vx_replay_column *column = &field->columns[additions->items[i].column];
        if (column->count + column->awaited < most) {
            column->awaited++;
        }
    }
    vx_status status = VX_OK;
    for (size_t i = 0; i < additions->count; i++) {
        vx_replay_column *column = &field->columns[additions->items[i].column];
        if (status == VX_OK) {
            status = make_room(column);
        }
        column->awaited = 0;
    }
    return status;
}

/* SPEC B3.4: what added becomes by merging with s. */
static void merge(vx_replay_span *added, const vx_replay_span *s, int64_t threshold)
{
    int32_t larger = added->area > s->area ? added->area : s->area;
    if (s->max > added->max) {
        added->area = s->max - added->max <= threshold ? larger : s->area;
        added->max = s->max;
    } else if (added->max - s->max <= threshold) {
        added->area = larger;
    }
    if (s->min < added->min) {
        added->min = s->min;
    }
}

/* SPEC B3.3: the spans that overlap or touch the added one stand together; they become one. */
static void add(vx_replay_column *column, vx_replay_span added, int64_t threshold)
{
    uint32_t from = 0;
    while (from < column->count && column->spans[from].max < added.min) {
        from++;
    }
    uint32_t to = from;
    while (to < column->count && column->spans[to].min <= added.max) {
        merge(&added, &column->spans[to], threshold);
        to++;
    }
    memmove(&column->spans[from + 1], &column->spans[to],
            (column->count - to) * sizeof *column->spans);
    column->spans[from] = added;
    column->count -= to - from;
    column->count++;
}

vx_status vx_replay_add_all(vx_build3d *field, const vx_replay_additions *additions,
                            int64_t threshold)
{
    vx_status status = make_all_room(field, additions);
    for (size_t i = 0; i < additions->count && status == VX_OK; i++) {
        vx_replay_column *column = &field->columns[additions->items[i].column];
        field->solid_count -= column->count;
        add(column, additions->items[i].span, threshold);
        field->solid_count += column->count;
    }
    return status;
}

/* SPEC B3.2. */
static vx_status check_span(const vx_build3d *field, const vx_span *span, vx_error *error)
{
    vx_status status = vx_replay_check_integer("x", span->x, 0, field->width - 1, error);
    if (status == VX_OK) {
        status = vx_replay_check_integer("z", span->z, 0, field->depth - 1, error);
    }
    if (status == VX_OK) {
        status = vx_replay_check_integer("min", span->min, 0, field->height - 1, error);
    }
    if (status == VX_OK) {
        status = vx_replay_check_integer("max", span->max, span->min + 1, field->height, error);
    }
    if (status == VX_OK) {
        status = vx_replay_check_integer("area", span->area, 0, VX_AREA_MAX, error);
    }
    return status;
}

vx_status vx_replay_spans(vx_build3d *field, const vx_span *spans, size_t count, int64_t threshold,
                          vx_error *error)
{
    vx_replay_additions additions = {0};
    vx_status status = vx_replay_check_integer("T", threshold, 0, VX_ROWS_MAX, error);
    for (size_t i = 0; i < count && status == VX_OK; i++) {
        status = check_span(field, &spans[i], error);
        if (status == VX_OK &&
            vx_replay_append(&additions, (size_t)(spans[i].x + spans[i].z * field->width),
                             spans[i].min, spans[i].max, spans[i].area) != VX_OK) {
            status = vx_replay_no_memory(error);
        }
    }
    if (status == VX_OK && vx_replay_add_all(field, &additions, threshold) != VX_OK) {
        status = vx_replay_no_memory(error);
    }
    free(additions.items);
    return status;
}
