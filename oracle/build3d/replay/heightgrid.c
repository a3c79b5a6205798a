/* SPDX-License-Identifier: MIT */
/* Height grids (SPEC B4), their vertices in binary64 by MPFR. */
#include <stdlib.h>

#include "replay.h"

/* SPEC B4.1. */
static vx_status check_grid(const vx_height_grid *grid, vx_error *error)
{
    vx_replay_real spacing = vx_replay_from_double(grid->spacing);
    vx_status status = vx_replay_check_integer("countX", grid->count[0], 2, INT64_MAX, error);
    if (status == VX_OK) {
        status = vx_replay_check_integer("countZ", grid->count[1], 2, INT64_MAX, error);
    }
    if (status != VX_OK) {
        return status;
    }
    if (grid->height_count % (uint64_t)grid->count[0] != 0 ||
        grid->height_count / (uint64_t)grid->count[0] != (uint64_t)grid->count[1]) {
        return vx_fail(error, VX_ARGUMENT, "there are %zu heights for a grid of %lld × %lld",
                       grid->height_count, (long long)grid->count[0], (long long)grid->count[1]);
    }
    if (vx_replay_is_nan(spacing)) {
        return vx_fail(error, VX_ARGUMENT, "the spacing is not a number");
    }
    if (!vx_replay_is_finite(spacing) || vx_replay_sign(spacing) <= 0) {
        return vx_fail(error, VX_OUT_OF_RANGE,
                       "the spacing is %.17g; it must be above 0 and finite", grid->spacing);
    }
    return VX_OK;
}

/* SPEC B4.2: start + i · spacing. */
static vx_replay_real stepped(double start, int64_t i, double spacing)
{
    return vx_replay_add(VX_REPLAY_BINARY64, vx_replay_from_double(start),
                         vx_replay_multiply(VX_REPLAY_BINARY64, vx_replay_from_integer(i),
                                            vx_replay_from_double(spacing)));
}

/* SPEC B0.5 for a coordinate that was computed. */
static vx_status check_computed(const char *what, vx_replay_real value, vx_error *error)
{
    if (vx_replay_is_nan(value)) {
        return vx_fail(error, VX_ARGUMENT, "%s of the grid is not a number", what);
    }
    if (vx_replay_compare(value, vx_replay_from_double(VX_COORDINATE_LIMIT)) > 0 ||
        vx_replay_compare(value, vx_replay_from_double(-VX_COORDINATE_LIMIT)) < 0) {
        return vx_fail(error, VX_OUT_OF_RANGE, "%s of the grid is beyond ±%.17g", what,
                       VX_COORDINATE_LIMIT);
    }
    return VX_OK;
}

/* SPEC B4.2: the vertices, three reals each. */
static vx_status make_points(const vx_height_grid *grid, vx_replay_real *points, vx_error *error)
{
    vx_status status = VX_OK;
    for (size_t k = 0; k < grid->height_count && status == VX_OK; k++) {
        vx_replay_real *point = &points[3 * k];
        int64_t i = (int64_t)k % grid->count[0];
        int64_t j = (int64_t)k / grid->count[0];
        point[0] = stepped(grid->origin[0], i, grid->spacing);
        point[1] = vx_replay_from_double(grid->heights[k]);
        point[2] = stepped(grid->origin[1], j, grid->spacing);
        status = check_computed("an x", point[0], error);
        if (status == VX_OK) {
            status = check_computed("a height", point[1], error);
        }
        if (status == VX_OK) {
            status = check_computed("a z", point[2], error);
        }
    }
    return status;
}

/* SPEC B4.3: (a, c, d) and (a, d, b) of each square. */
static void make_indices(const vx_height_grid *grid, int64_t *indices)
{
    for (int64_t j = 0; j + 1 < grid->count[1]; j++) {
        for (int64_t i = 0; i + 1 < grid->count[0]; i++) {
            int64_t a = i + j * grid->count[0];
            int64_t b = a + 1;
            int64_t c = a + grid->count[0];
            int64_t d = c + 1;
            const int64_t square[] = {a, c, d, a, d, b};
            for (size_t k = 0; k < 6; k++) {
                *indices++ = square[k];
            }
        }
    }
}

static vx_status rasterize(vx_build3d *field, const vx_height_grid *grid, vx_error *error)
{
    size_t triangles = 2 * ((size_t)grid->count[0] - 1) * ((size_t)grid->count[1] - 1);
    vx_replay_real *points = vx_replay_calloc(grid->height_count, 3 * sizeof *points);
    int64_t *indices = vx_replay_calloc(triangles, 3 * sizeof *indices);
    vx_status status = VX_OK;
    if (points == NULL || indices == NULL) {
        status = vx_replay_no_memory(error);
        goto done;
    }
    status = make_points(grid, points, error);
    if (status != VX_OK) {
        goto done;
    }
    make_indices(grid, indices);
    const vx_replay_triangles mesh = {.points = points,
                                      .indices = indices,
                                      .count = triangles,
                                      .slope = vx_replay_from_float(grid->slope_cosine),
                                      .threshold = grid->merge_threshold};
    status = vx_replay_rasterize(field, &mesh, error);
done:
    free(points);
    free(indices);
    return status;
}

vx_status vx_replay_height_grid(vx_build3d *field, const vx_height_grid *grid, vx_error *error)
{
    vx_status status = check_grid(grid, error);
    if (status == VX_OK) {
        status = vx_replay_check_slope(grid->slope_cosine, error);
    }
    if (status == VX_OK) {
        status = vx_replay_check_integer("T", grid->merge_threshold, 0, VX_ROWS_MAX, error);
    }
    return status == VX_OK ? rasterize(field, grid, error) : status;
}
