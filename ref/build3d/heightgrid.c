/* SPDX-License-Identifier: MIT */
/* Height grids (B4). */
#include <math.h>

#include "ref.h"

/* B4.2@df421b: vertex (i, j) lies at (x0 + i·s, heights[i + j·countX], z0 + j·s), in binary64. */
static void vertex(const vx_height_grid *grid, int64_t i, int64_t j, double at[3])
{
    at[0] = grid->origin[0] + (double)i * grid->spacing;
    at[1] = grid->heights[i + j * grid->count[0]];
    at[2] = grid->origin[1] + (double)j * grid->spacing;
}

/* B4.1@cea594: countX, countZ ≥ 2 (else out_of_range); a spacing that is NaN is argument, infinite,
 * 0 or negative is out_of_range; another number of heights than countX·countZ is argument. */
static vx_status check_shape(const vx_height_grid *grid, vx_error *error)
{
    /* The origin is where vertex (0, 0) lies (B4.2@df421b). */
    for (int i = 0; i < 2; i++) {
        vx_status status =
            vx_ref_check_coordinate(grid->origin[i], error, i == 0 ? "origin: x0" : "origin: z0");
        if (status != VX_OK) {
            return status;
        }
    }
    if (isnan(grid->spacing)) {
        return vx_fail(error, VX_ARGUMENT, "spacing is NaN, not a finite number above 0");
    }
    if (isinf(grid->spacing) || grid->spacing <= 0) {
        return vx_fail(error, VX_OUT_OF_RANGE, "spacing = %.17g is not a finite number above 0",
                       grid->spacing);
    }
    vx_status status = VX_OK;
    for (int i = 0; i < 2 && status == VX_OK; i++) {
        status = vx_ref_check_integer(grid->count[i], 2, INT64_MAX, VX_OUT_OF_RANGE, error,
                                      i == 0 ? "countX" : "countZ");
    }
    if (status != VX_OK) {
        return status;
    }
    /* Divided, because the product may not fit. */
    uint64_t count_x = (uint64_t)grid->count[0];
    uint64_t count_z = (uint64_t)grid->count[1];
    if (grid->height_count % count_x != 0 || grid->height_count / count_x != count_z) {
        return vx_fail(error, VX_ARGUMENT, "heights: their number %zu is not %lld * %lld",
                       grid->height_count, (long long)grid->count[0], (long long)grid->count[1]);
    }
    return VX_OK;
}

/* B4.2@df421b: a vertex then obeys the coordinate rule with the kinds of B2.4@3c8a9c. */
static vx_status check_vertices(const vx_height_grid *grid, vx_error *error)
{
    vx_status status = VX_OK;
    for (int64_t j = 0; j < grid->count[1] && status == VX_OK; j++) {
        for (int64_t i = 0; i < grid->count[0] && status == VX_OK; i++) {
            double at[3];
            vertex(grid, i, j, at);
            for (int c = 0; c < 3 && status == VX_OK; c++) {
                status = vx_ref_check_coordinate(at[c], error, "vertex (%lld, %lld): %c",
                                                 (long long)i, (long long)j, "xyz"[c]);
            }
        }
    }
    return status;
}

/* B4.3@b61a3c: with a = (i, j), b = (i+1, j), c = (i, j+1), d = (i+1, j+1), the triangles are first
 * (a, c, d) and then (a, d, b), with classified areas. */
static bool add_square(vx_build3d *field, const vx_height_grid *grid, int64_t i, int64_t j,
                       vx_ref_style *style)
{
    double a[3], b[3], c[3], d[3];
    vertex(grid, i, j, a);
    vertex(grid, i + 1, j, b);
    vertex(grid, i, j + 1, c);
    vertex(grid, i + 1, j + 1, d);
    VX_TRACE(field, "B4.2", "a = (%lld, %lld) at x = " VX_A64 ", z = " VX_A64, (long long)i,
             (long long)j, VX_A(a[0]), VX_A(a[2]));
    VX_TRACE(field, "B4.2", "d = (%lld, %lld) at x = " VX_A64 ", z = " VX_A64, (long long)(i + 1),
             (long long)(j + 1), VX_A(d[0]), VX_A(d[2]));
    VX_TRACE(field, "B4.3", "square (%lld, %lld): triangle a, c, d", (long long)i, (long long)j);
    if (!vx_ref_add_triangle(field, (const double *const[3]){a, c, d}, -1, style)) {
        return false;
    }
    VX_TRACE(field, "B4.3", "square (%lld, %lld): triangle a, d, b", (long long)i, (long long)j);
    return vx_ref_add_triangle(field, (const double *const[3]){a, d, b}, -1, style);
}

vx_status vx_ref_height_grid(vx_build3d *field, const vx_height_grid *grid, vx_error *error)
{
    vx_status status = vx_ref_require_solid(field, "heightGrid", error);
    if (status == VX_OK) {
        status = check_shape(grid, error);
    }
    if (status == VX_OK) {
        status = check_vertices(grid, error);
    }
    if (status == VX_OK) {
        status = vx_ref_check_style(grid->slope_cosine, grid->merge_threshold, error);
    }
    if (status != VX_OK) {
        return status;
    }
    vx_ref_style style = {.slope_cosine = grid->slope_cosine, .T = (int32_t)grid->merge_threshold};
    bool enough_memory = true;
    /* B4.3@b61a3c: for j = 0 … countZ − 2 and within it i = 0 … countX − 2. */
    for (int64_t j = 0; j + 1 < grid->count[1] && enough_memory; j++) {
        for (int64_t i = 0; i + 1 < grid->count[0] && enough_memory; i++) {
            enough_memory = add_square(field, grid, i, j, &style);
        }
    }
    if (enough_memory) {
        field->degenerate += style.degenerate;
    }
    return vx_ref_finish(field, enough_memory, error);
}
