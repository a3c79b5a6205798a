/* SPDX-License-Identifier: MIT */
/* SPEC B4: height grids, as rows of vertices that are transformed once each. */
#include <inttypes.h>

#include "fast.h"

/* B4.1@cea594, behind the origin as a vertex (B4.2@df421b): the order of docs/PROTOCOL.md. */
static vx_status check_shape(const vx_height_grid *grid, vx_error *error)
{
    vx_status status = vx_fast_check_coordinate(grid->origin[0], "x0", error);
    if (status == VX_OK) {
        status = vx_fast_check_coordinate(grid->origin[1], "z0", error);
    }
    if (status != VX_OK) {
        return status;
    }
    if (isnan(grid->spacing)) {
        return vx_fail(error, VX_ARGUMENT, "spacing is NaN");
    }
    if (!(grid->spacing > 0) || isinf(grid->spacing)) {
        return vx_fail(error, VX_OUT_OF_RANGE, "spacing = %.17g is not finite and above 0",
                       grid->spacing);
    }
    status = vx_fast_check_integer(grid->count[0], 2, INT64_MAX, "countX", error);
    if (status == VX_OK) {
        status = vx_fast_check_integer(grid->count[1], 2, INT64_MAX, "countZ", error);
    }
    if (status != VX_OK) {
        return status;
    }
    uint64_t wide = (uint64_t)grid->count[0];
    if (grid->height_count % wide != 0 || grid->height_count / wide != (uint64_t)grid->count[1]) {
        return vx_fail(error, VX_ARGUMENT, "%zu heights are not %" PRId64 " · %" PRId64,
                       grid->height_count, grid->count[0], grid->count[1]);
    }
    return VX_OK;
}

/* B4.2@df421b: the position along an axis. */
static double position(const vx_height_grid *grid, size_t axis, size_t i)
{
    return grid->origin[axis] + (double)i * grid->spacing;
}

/* The coordinate rule for all vertices. Positions grow with the index, also when rounded, so that
 * the two ends of an axis tell of all between them. */
static vx_status check_vertices(const vx_height_grid *grid, vx_error *error)
{
    static const char *const names[] = {"a vertex's x", "a vertex's z"};
    vx_status status = VX_OK;
    for (size_t axis = 0; axis < 2 && status == VX_OK; axis++) {
        status = vx_fast_check_coordinate(position(grid, axis, 0), names[axis], error);
        if (status == VX_OK) {
            size_t last = (size_t)grid->count[axis] - 1;
            status = vx_fast_check_coordinate(position(grid, axis, last), names[axis], error);
        }
    }
    for (size_t i = 0; i < grid->height_count && status == VX_OK; i++) {
        status = vx_fast_check_coordinate(grid->heights[i], "a height", error);
    }
    return status;
}

static void transform_row(const vx_build3d *field, const vx_height_grid *grid, size_t j,
                          vx_fast_vertex *row)
{
    size_t wide = (size_t)grid->count[0];
    double z = position(grid, 1, j);
    for (size_t i = 0; i < wide; i++) {
        vx_fast_transform(field, position(grid, 0, i), grid->heights[i + j * wide], z, &row[i]);
    }
}

/* B4.3@b61a3c: the triangles between two rows of vertices. */
static vx_status add_squares(vx_fast_raster *raster, const vx_fast_vertex *near,
                             const vx_fast_vertex *far, size_t count)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i + 1 < count && status == VX_OK; i++) {
        const vx_fast_vertex *a = &near[i];
        const vx_fast_vertex *d = &far[i + 1];
        status = vx_fast_triangle(raster, a, &far[i], d, VX_FAST_CLASSIFIED);
        if (status == VX_OK) {
            status = vx_fast_triangle(raster, a, d, &near[i + 1], VX_FAST_CLASSIFIED);
        }
    }
    return status;
}

vx_status vx_fast_height_grid(vx_build3d *field, const vx_height_grid *grid, vx_error *error)
{
    vx_status status = vx_fast_check_place(field, false, "heightGrid", error);
    if (status == VX_OK) {
        status = check_shape(grid, error);
    }
    if (status == VX_OK) {
        status = check_vertices(grid, error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_slope(grid->slope_cosine, error);
    }
    if (status == VX_OK) {
        status =
            vx_fast_check_integer(grid->merge_threshold, 0, VX_ROWS_MAX, "merge threshold", error);
    }
    if (status != VX_OK) {
        return status;
    }
    size_t wide = (size_t)grid->count[0];
    /* Rows are used again when no triangle of theirs waits any more. */
    size_t count = 3 + VX_FAST_GROUP_MAX / (2 * (wide - 1));
    vx_fast_vertex *rows =
        vx_fast_reserve(field, &field->vertices, count * wide, sizeof *rows, error);
    if (rows == NULL) {
        return VX_NO_MEMORY;
    }
    vx_fast_raster *raster =
        vx_fast_raster_begin(field, grid->slope_cosine, grid->merge_threshold, error);
    if (raster == NULL) {
        return VX_NO_MEMORY;
    }
    transform_row(field, grid, 0, rows);
    for (size_t j = 1; j < (size_t)grid->count[1] && status == VX_OK; j++) {
        const vx_fast_vertex *near = rows + ((j - 1) % count) * wide;
        vx_fast_vertex *far = rows + (j % count) * wide;
        transform_row(field, grid, j, far);
        status = add_squares(raster, near, far, wide);
    }
    return vx_fast_raster_finish(raster, status);
}
