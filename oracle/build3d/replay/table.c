/* SPDX-License-Identifier: MIT */
/* The MPFR replay of build3d as an implementation (SPEC B0 to B11). */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "../oracle.h"
#include "replay.h"

/* --- a field ---------------------------------------------------------------------------------- */

static vx_status open_field(vx_arena *arena, const vx_frame *frame, vx_build3d **field,
                            vx_error *error)
{
    vx_build3d made = {0};
    vx_status status = vx_replay_frame(frame, &made, error);
    if (status != VX_OK) {
        return status;
    }
    vx_build3d *kept = vx_arena_alloc(arena, 1, sizeof *kept, alignof(vx_build3d));
    made.columns = vx_replay_calloc((size_t)(made.width * made.depth), sizeof *made.columns);
    if (kept == NULL || made.columns == NULL) {
        free(made.columns);
        return vx_replay_no_memory(error);
    }
    *kept = made;
    *field = kept;
    return VX_OK;
}

static void close_field(vx_build3d *field)
{
    if (field == NULL) {
        return;
    }
    for (size_t c = 0; c < (size_t)(field->width * field->depth); c++) {
        free(field->columns[c].spans);
    }
    free(field->columns);
    free(field->open);
    free(field->first);
}

static size_t compact_count(const vx_build3d *field)
{
    return field->first[(size_t)(field->width * field->depth)];
}

static void describe(const vx_build3d *field, vx_build3d_info *info)
{
    *info = (vx_build3d_info){
        .size = {(int32_t)field->width, (int32_t)field->depth, (int32_t)field->height},
        .is_compact = field->is_compact,
        .degenerate = field->degenerate,
        .rows = field->is_compact ? compact_count(field) : field->solid_count};
}

/* --- calls in their place --------------------------------------------------------------------- */

static vx_status out_of_place(vx_error *error)
{
    return vx_fail(error, VX_UNSUPPORTED, "the call does not suit the field's present state");
}

static vx_status rasterize(vx_build3d *field, const vx_mesh *mesh, vx_error *error)
{
    return field->is_compact ? out_of_place(error) : vx_replay_mesh(field, mesh, error);
}

static vx_status add_spans(vx_build3d *field, const vx_span *spans, size_t count, int64_t threshold,
                           vx_error *error)
{
    return field->is_compact ? out_of_place(error)
                             : vx_replay_spans(field, spans, count, threshold, error);
}

static vx_status height_grid(vx_build3d *field, const vx_height_grid *grid, vx_error *error)
{
    return field->is_compact ? out_of_place(error) : vx_replay_height_grid(field, grid, error);
}

static vx_status chunk(vx_build3d *field, const vx_chunk *given, vx_error *error)
{
    return field->is_compact ? out_of_place(error) : vx_replay_chunk(field, given, error);
}

static vx_status low_hanging(vx_build3d *field, int64_t climb, vx_error *error)
{
    return field->is_compact ? out_of_place(error) : vx_replay_low_hanging(field, climb, error);
}

static vx_status ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    return field->is_compact ? out_of_place(error) : vx_replay_ledges(field, height, climb, error);
}

static vx_status low_height(vx_build3d *field, int64_t height, vx_error *error)
{
    return field->is_compact ? out_of_place(error) : vx_replay_low_height(field, height, error);
}

static vx_status compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    return field->is_compact ? out_of_place(error) : vx_replay_compact(field, height, climb, error);
}

static vx_status erode(vx_build3d *field, int64_t radius, vx_error *error)
{
    return field->is_compact ? vx_replay_erode(field, radius, error) : out_of_place(error);
}

static vx_status volume(vx_build3d *field, const vx_volume *given, vx_error *error)
{
    return field->is_compact ? vx_replay_volume(field, given, error) : out_of_place(error);
}

/* --- rows ------------------------------------------------------------------------------------- */

static vx_status read_solid(const vx_build3d *field, vx_solid_row *rows, size_t capacity,
                            vx_error *error)
{
    if (field->is_compact || capacity < field->solid_count) {
        return out_of_place(error);
    }
    for (int64_t z = 0; z < field->depth; z++) {
        for (int64_t x = 0; x < field->width; x++) {
            const vx_replay_column *column = &field->columns[x + z * field->width];
            for (uint32_t i = 0; i < column->count; i++) {
                const vx_replay_span *s = &column->spans[i];
                *rows++ = (vx_solid_row){(int32_t)x, (int32_t)z, s->min, s->max, s->area};
            }
        }
    }
    return VX_OK;
}

static vx_status read_compact(const vx_build3d *field, vx_compact_row *rows, size_t capacity,
                              vx_error *error)
{
    if (!field->is_compact || capacity < compact_count(field)) {
        return out_of_place(error);
    }
    if (compact_count(field) > 0) {
        memcpy(rows, field->open, compact_count(field) * sizeof *rows);
    }
    return VX_OK;
}

const vx_build3d_impl vx_replay_build3d = {.abi = VX_BUILD3D_ABI,
                                           .struct_size = sizeof(vx_build3d_impl),
                                           .name = "replay",
                                           .description = "every floating-point step by MPFR",
                                           .open = open_field,
                                           .close = close_field,
                                           .info = describe,
                                           .rasterize = rasterize,
                                           .add_spans = add_spans,
                                           .height_grid = height_grid,
                                           .chunk = chunk,
                                           .low_hanging = low_hanging,
                                           .ledges = ledges,
                                           .low_height = low_height,
                                           .compact = compact,
                                           .erode = erode,
                                           .volume = volume,
                                           .read_solid = read_solid,
                                           .read_compact = read_compact};
