/* SPDX-License-Identifier: MIT */
/* The table that the fast implementation wears, and reading its rows (SPEC B3.1@b5706a, B7). */
#include <inttypes.h>

#include "fast.h"

static void close_field(vx_build3d *field)
{
    /* All that the field holds is its arena's. */
    (void)field;
}

static void tell(const vx_build3d *field, vx_build3d_info *info)
{
    *info = (vx_build3d_info){.is_compact = field->is_compact,
                              .degenerate = field->degenerate,
                              .rows = field->span_count};
    for (size_t i = 0; i < 3; i++) {
        info->size[i] = (int32_t)field->size[i];
    }
}

static vx_status check_capacity(const vx_build3d *field, size_t capacity, vx_error *error)
{
    if (capacity < field->span_count) {
        return vx_fail(error, VX_UNSUPPORTED,
                       "capacity = %zu is below the number of rows, %" PRIu64, capacity,
                       field->span_count);
    }
    return VX_OK;
}

static vx_status read_solid(const vx_build3d *field, vx_solid_row *rows, size_t capacity,
                            vx_error *error)
{
    vx_status status = vx_fast_check_place(field, false, "reading the solid rows", error);
    if (status == VX_OK) {
        status = check_capacity(field, capacity, error);
    }
    if (status != VX_OK) {
        return status;
    }
    for (uint32_t z = 0; z < field->size[1]; z++) {
        for (uint32_t x = 0; x < field->size[0]; x++) {
            vx_fast_view column = vx_fast_view_at(field, x, z);
            for (size_t k = 0, s = 0; k < column.count; k++, s += column.stride) {
                *rows++ = (vx_solid_row){(int32_t)x, (int32_t)z, column.min[s], column.max[s],
                                         column.area[s]};
            }
        }
    }
    return VX_OK;
}

static vx_status read_compact(const vx_build3d *field, vx_compact_row *rows, size_t capacity,
                              vx_error *error)
{
    vx_status status = vx_fast_check_place(field, true, "reading the compact rows", error);
    if (status == VX_OK) {
        status = check_capacity(field, capacity, error);
    }
    if (status != VX_OK) {
        return status;
    }
    const vx_fast_compact *c = &field->compact;
    for (uint32_t z = 0; z < field->size[1]; z++) {
        for (uint32_t x = 0; x < field->size[0]; x++) {
            vx_fast_places own = vx_fast_places_at(field, x, z);
            for (size_t k = 0, s = own.first; k < own.count; k++, s += own.stride) {
                *rows++ = (vx_compact_row){
                    (int32_t)x, (int32_t)z,
                    c->y[s],    c->height[s],
                    c->area[s], {c->link[0][s], c->link[1][s], c->link[2][s], c->link[3][s]}};
            }
        }
    }
    return VX_OK;
}

const vx_build3d_impl vx_fast_build3d = {.abi = VX_BUILD3D_ABI,
                                         .struct_size = sizeof(vx_build3d_impl),
                                         .name = "fast",
                                         .description = "the optimised implementation",
                                         .open = vx_fast_open,
                                         .close = close_field,
                                         .info = tell,
                                         .rasterize = vx_fast_rasterize,
                                         .add_spans = vx_fast_add_spans,
                                         .height_grid = vx_fast_height_grid,
                                         .chunk = vx_fast_chunk,
                                         .low_hanging = vx_fast_low_hanging,
                                         .ledges = vx_fast_ledges,
                                         .low_height = vx_fast_low_height,
                                         .compact = vx_fast_make_compact,
                                         .erode = vx_fast_erode,
                                         .volume = vx_fast_volume,
                                         .read_solid = read_solid,
                                         .read_compact = read_compact,
                                         .set_trace = NULL};
