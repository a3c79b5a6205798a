/* SPDX-License-Identifier: MIT */
/* The table of the reference implementation: opening and reading a field, its memory, its trace.
 *
 * B10.1@c4200e, B10.2@16c78d: no operation here has a default and none starts another; who calls
 * them gives every parameter and the order. B11.1@2a5f8b: a field's state is in the field, nothing
 * is kept between two. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ref.h"

vx_status vx_ref_no_memory(const vx_build3d *field, vx_error *error)
{
    return vx_fail(error, VX_NO_MEMORY, "the arena has no more memory than the %zu bytes in use",
                   vx_arena_used(field->arena));
}

vx_status vx_ref_require_solid(const vx_build3d *field, const char *op, vx_error *error)
{
    if (field->is_compact) {
        return vx_fail(error, VX_UNSUPPORTED, "%s stands before compact", op);
    }
    return VX_OK;
}

vx_status vx_ref_require_compact(const vx_build3d *field, const char *op, vx_error *error)
{
    if (!field->is_compact) {
        return vx_fail(error, VX_UNSUPPORTED, "%s stands after compact", op);
    }
    return VX_OK;
}

void *vx_ref_grow(vx_arena *arena, void *items, size_t *capacity, size_t count, size_t size)
{
    enum { LEAST = 16 };
    if (items != NULL && count <= *capacity) {
        return items;
    }
    size_t larger = 2 * *capacity > LEAST ? 2 * *capacity : LEAST;
    larger = count > larger ? count : larger;
    void *result = vx_arena_alloc(arena, larger, size, _Alignof(max_align_t));
    if (result != NULL) {
        if (items != NULL) {
            memcpy(result, items, *capacity * size);
        }
        *capacity = larger;
    }
    return result;
}

static vx_status open_field(vx_arena *arena, const vx_frame *frame, vx_build3d **field,
                            vx_error *error)
{
    vx_ref_grid grid;
    vx_status status = vx_ref_check_frame(frame, &grid, error);
    if (status != VX_OK) {
        return status;
    }
    vx_arena_mark mark = vx_arena_get_mark(arena);
    size_t columns = (size_t)grid.W * (size_t)grid.D;
    vx_build3d *self = vx_arena_alloc(arena, 1, sizeof *self, _Alignof(vx_build3d));
    vx_ref_column *column =
        vx_arena_alloc_zero(arena, columns, sizeof *column, _Alignof(vx_ref_column));
    unsigned char *is_touched = vx_arena_alloc_zero(arena, columns, 1, 1);
    if (self == NULL || column == NULL || is_touched == NULL) {
        vx_arena_rewind(arena, mark);
        return vx_fail(error, VX_NO_MEMORY, "the arena has no room for %zu columns", columns);
    }
    *self = (vx_build3d){.arena = arena,
                         .frame = *frame,
                         .grid = grid,
                         .columns = columns,
                         .column = column,
                         .is_touched = is_touched};
    *field = self;
    return VX_OK;
}

/* All that a field holds is in its arena. */
static void close_field(vx_build3d *field)
{
    (void)field;
}

static uint64_t count_rows(const vx_build3d *field)
{
    if (field->is_compact) {
        return field->cell_first[field->columns];
    }
    uint64_t count = 0;
    for (size_t column = 0; column < field->columns; column++) {
        for (const vx_ref_node *s = field->column[column].first; s != NULL; s = s->next) {
            count++;
        }
    }
    return count;
}

static void info(const vx_build3d *field, vx_build3d_info *info)
{
    *info = (vx_build3d_info){.size = {field->grid.W, field->grid.D, field->grid.H},
                              .is_compact = field->is_compact,
                              .degenerate = field->degenerate,
                              .rows = count_rows(field)};
}

static vx_status check_capacity(const vx_build3d *field, size_t capacity, vx_error *error)
{
    uint64_t rows = count_rows(field);
    if (capacity < rows) {
        return vx_fail(error, VX_UNSUPPORTED, "capacity = %zu is below the number of rows, %llu",
                       capacity, (unsigned long long)rows);
    }
    return VX_OK;
}

static vx_status read_solid(const vx_build3d *field, vx_solid_row *rows, size_t capacity,
                            vx_error *error)
{
    vx_status status = vx_ref_require_solid(field, "reading the solid rows", error);
    if (status == VX_OK) {
        status = check_capacity(field, capacity, error);
    }
    /* B1.1@3b9815: a column's index is x + z·W. */
    for (size_t column = 0; column < field->columns && status == VX_OK; column++) {
        int32_t x = (int32_t)(column % (size_t)field->grid.W);
        int32_t z = (int32_t)(column / (size_t)field->grid.W);
        for (const vx_ref_node *s = field->column[column].first; s != NULL; s = s->next) {
            *rows++ = (vx_solid_row){x, z, s->min, s->max, s->area};
        }
    }
    return status;
}

static vx_status read_compact(const vx_build3d *field, vx_compact_row *rows, size_t capacity,
                              vx_error *error)
{
    vx_status status = vx_ref_require_compact(field, "reading the compact rows", error);
    if (status == VX_OK) {
        status = check_capacity(field, capacity, error);
    }
    for (size_t column = 0; column < field->columns && status == VX_OK; column++) {
        int32_t x = (int32_t)(column % (size_t)field->grid.W);
        int32_t z = (int32_t)(column / (size_t)field->grid.W);
        for (size_t i = field->cell_first[column]; i < field->cell_first[column + 1]; i++) {
            const vx_ref_open *s = &field->open[i];
            *rows++ = (vx_compact_row){
                x, z, s->y, s->height, s->area, {s->link[0], s->link[1], s->link[2], s->link[3]}};
        }
    }
    return status;
}

#ifdef VX_TRACE_POINTS
void vx_ref_trace(const vx_build3d *field, const char *clause, const char *format, ...)
{
    if (field->trace == NULL) {
        return;
    }
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    field->trace(field->trace_context, clause, text);
}

void vx_ref_trace_polygon(const vx_build3d *field, const char *clause, const char *what,
                          const vx_ref_polygon *polygon)
{
    vx_ref_trace(field, clause, "%s: %zu vertices", what, polygon->n);
    for (size_t i = 0; i < polygon->n; i++) {
        const float *at = polygon->p[i].at;
        vx_ref_trace(field, clause, "  p_%zu: u = " VX_A32 ", v = " VX_A32 ", w = " VX_A32, i,
                     VX_A(at[VX_REF_U]), VX_A(at[VX_REF_V]), VX_A(at[VX_REF_W]));
    }
}

static void set_trace(vx_build3d *field, vx_trace_fn *trace, void *context)
{
    field->trace = trace;
    field->trace_context = context;
    vx_ref_trace_frame(field);
}
#define SET_TRACE set_trace
#define NAME "ref-traced"
#else
#define SET_TRACE NULL
#define NAME "ref"
#endif

const vx_build3d_impl vx_ref_build3d = {
    .abi = VX_BUILD3D_ABI,
    .struct_size = sizeof(vx_build3d_impl),
    .name = NAME,
    .description = "the literal reference implementation, clause by clause",
    .open = open_field,
    .close = close_field,
    .info = info,
    .rasterize = vx_ref_rasterize,
    .add_spans = vx_ref_add_spans,
    .height_grid = vx_ref_height_grid,
    .chunk = vx_ref_chunk,
    .low_hanging = vx_ref_low_hanging,
    .ledges = vx_ref_ledges,
    .low_height = vx_ref_low_height,
    .compact = vx_ref_compact,
    .erode = vx_ref_erode,
    .volume = vx_ref_volume,
    .read_solid = read_solid,
    .read_compact = read_compact,
    .set_trace = SET_TRACE,
};
