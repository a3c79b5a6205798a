/* SPDX-License-Identifier: MIT */
/* The grid (SPEC B1) and the checks that many operations share (SPEC B0.5, B0.12, B2.7). */
#include <stdlib.h>

#include "replay.h"

/* --- checks ----------------------------------------------------------------------------------- */

vx_status vx_replay_no_memory(vx_error *error)
{
    return vx_fail(error, VX_NO_MEMORY, "the system has no more memory");
}

void *vx_replay_calloc(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

/* A value between two bounds, ends included: NaN is an argument error, anything else outside is out
 * of range. */
static vx_status check_between(const char *what, double shown, vx_replay_real value, double least,
                               double greatest, vx_error *error)
{
    if (vx_replay_is_nan(value)) {
        return vx_fail(error, VX_ARGUMENT, "%s is not a number", what);
    }
    if (vx_replay_compare(value, vx_replay_from_double(least)) < 0 ||
        vx_replay_compare(value, vx_replay_from_double(greatest)) > 0) {
        return vx_fail(error, VX_OUT_OF_RANGE, "%s is %.17g; it must lie from %.17g to %.17g", what,
                       shown, least, greatest);
    }
    return VX_OK;
}

/* SPEC B0.5, with the kinds of B0.8. */
vx_status vx_replay_check_coordinate(const char *what, double value, vx_error *error)
{
    return check_between(what, value, vx_replay_from_double(value), -VX_COORDINATE_LIMIT,
                         VX_COORDINATE_LIMIT, error);
}

/* SPEC B2.7. */
vx_status vx_replay_check_slope(float slope, vx_error *error)
{
    vx_replay_real value = vx_replay_from_float(slope);
    if (vx_replay_is_nan(value)) {
        return vx_fail(error, VX_ARGUMENT, "slopeCosine is not a number");
    }
    if (!vx_replay_is_finite(value)) {
        return vx_fail(error, VX_OUT_OF_RANGE, "slopeCosine is infinite; it must be finite");
    }
    return VX_OK;
}

/* SPEC B0.12. */
vx_status vx_replay_check_integer(const char *what, int64_t value, int64_t least, int64_t greatest,
                                  vx_error *error)
{
    if (value < least || value > greatest) {
        return vx_fail(error, VX_OUT_OF_RANGE, "%s is %lld; it must lie from %lld to %lld", what,
                       (long long)value, (long long)least, (long long)greatest);
    }
    return VX_OK;
}

/* --- the frame -------------------------------------------------------------------------------- */

static const char *const axes[] = {"x", "y", "z"};

/* SPEC B1.6: the number of cells between two bounds, at most 2^22 ÷ 2^-20. */
static int64_t cells_between(double min, double max, vx_replay_real cell)
{
    vx_replay_real extent = vx_replay_subtract(VX_REPLAY_BINARY64, vx_replay_from_double(max),
                                               vx_replay_from_double(min));
    vx_replay_real count = vx_replay_ceil(vx_replay_divide(VX_REPLAY_BINARY64, extent, cell));
    return vx_replay_to_integer(count);
}

/* SPEC B1.5. */
static vx_status check_bounds(const vx_frame *frame, vx_error *error)
{
    for (int i = 0; i < 3; i++) {
        vx_status status = vx_replay_check_coordinate("a bound's minimum", frame->min[i], error);
        if (status == VX_OK) {
            status = vx_replay_check_coordinate("a bound's maximum", frame->max[i], error);
        }
        if (status != VX_OK) {
            return status;
        }
        if (vx_replay_compare(vx_replay_from_double(frame->max[i]),
                              vx_replay_from_double(frame->min[i])) <= 0) {
            return vx_fail(error, VX_ARGUMENT, "max.%s is %.17g; it must be above min.%s, %.17g",
                           axes[i], frame->max[i], axes[i], frame->min[i]);
        }
    }
    return VX_OK;
}

/* W counts cells along x, D along z, H along y (SPEC B1.1). */
static const int axis_of_size[] = {0, 2, 1};

static vx_status place(const vx_frame *frame, vx_build3d *field, int64_t size[3], vx_error *error)
{
    vx_status status = frame->from_bounds ? check_bounds(frame, error) : VX_OK;
    for (int i = 0; i < 3 && status == VX_OK; i++) {
        int axis = axis_of_size[i];
        double origin = frame->from_bounds ? frame->min[axis] : frame->origin[axis];
        status = vx_replay_check_coordinate("a coordinate of the origin", origin, error);
        field->origin[axis] = vx_replay_from_double(origin);
        size[i] = frame->size[i];
        if (frame->from_bounds) {
            size[i] = cells_between(frame->min[axis], frame->max[axis],
                                    axis == 1 ? field->cell_height : field->cell_size);
        }
    }
    return status;
}

/* SPEC B1.3. */
static vx_status check_sizes(const int64_t size[3], vx_error *error)
{
    vx_status status = vx_replay_check_integer("W", size[0], 1, VX_SIZE_MAX, error);
    if (status == VX_OK) {
        status = vx_replay_check_integer("D", size[1], 1, VX_SIZE_MAX, error);
    }
    if (status == VX_OK) {
        status = vx_replay_check_integer("W·D", size[0] * size[1], 1, VX_COLUMNS_MAX, error);
    }
    if (status == VX_OK) {
        status = vx_replay_check_integer("H", size[2], 1, VX_HEIGHT_MAX, error);
    }
    return status;
}

vx_status vx_replay_frame(const vx_frame *frame, vx_build3d *field, vx_error *error)
{
    field->cell_size = vx_replay_from_float(frame->cell_size);
    field->cell_height = vx_replay_from_float(frame->cell_height);
    int64_t size[3];
    /* SPEC B1.2. */
    vx_status status = check_between("the cell size", (double)frame->cell_size, field->cell_size,
                                     (double)VX_CELL_MIN, (double)VX_CELL_MAX, error);
    if (status == VX_OK) {
        status = check_between("the cell height", (double)frame->cell_height, field->cell_height,
                               (double)VX_CELL_MIN, (double)VX_CELL_MAX, error);
    }
    if (status == VX_OK) {
        status = place(frame, field, size, error);
    }
    if (status == VX_OK) {
        status = check_sizes(size, error);
    }
    if (status == VX_OK) {
        field->width = size[0];
        field->depth = size[1];
        field->height = size[2];
    }
    return status;
}
