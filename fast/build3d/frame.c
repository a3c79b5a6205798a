/* SPDX-License-Identifier: MIT */
/* SPEC B0, B1: values and their bounds, and the grid that a field begins with. */
#include <inttypes.h>

#include "kernels.h"
#include "lanes.h"

vx_status vx_fast_check_coordinate(double value, const char *what, vx_error *error)
{
    if (isnan(value)) {
        return vx_fail(error, VX_ARGUMENT, "%s is NaN", what);
    }
    if (!(fabs(value) <= VX_COORDINATE_LIMIT)) {
        return vx_fail(error, VX_OUT_OF_RANGE, "%s = %.17g lies beyond ±%.0f", what, value,
                       VX_COORDINATE_LIMIT);
    }
    return VX_OK;
}

vx_status vx_fast_check_integer(int64_t value, int64_t min, int64_t max, const char *what,
                                vx_error *error)
{
    if (value < min || value > max) {
        return vx_fail(error, VX_OUT_OF_RANGE, "%s = %" PRId64 " is outside %" PRId64 "..%" PRId64,
                       what, value, min, max);
    }
    return VX_OK;
}

vx_status vx_fast_check_place(const vx_build3d *field, bool compact, const char *what,
                              vx_error *error)
{
    if (field->is_compact != compact) {
        return vx_fail(error, VX_UNSUPPORTED, "%s stands %s compact", what,
                       compact ? "after" : "before");
    }
    return VX_OK;
}

/* SPEC B1.2@fbfd4a. */
static vx_status check_cell(float value, const char *what, vx_error *error)
{
    if (isnan(value)) {
        return vx_fail(error, VX_ARGUMENT, "%s is NaN", what);
    }
    if (!(value >= VX_CELL_MIN && value <= VX_CELL_MAX)) {
        return vx_fail(error, VX_OUT_OF_RANGE, "%s = %.9g is outside %.9g..%.9g", what,
                       (double)value, (double)VX_CELL_MIN, (double)VX_CELL_MAX);
    }
    return VX_OK;
}

static vx_status check_point(const double point[3], const char *const names[3], vx_error *error)
{
    for (size_t axis = 0; axis < 3; axis++) {
        vx_status status = vx_fast_check_coordinate(point[axis], names[axis], error);
        if (status != VX_OK) {
            return status;
        }
    }
    return VX_OK;
}

static vx_status check_cells(const vx_frame *frame, vx_error *error)
{
    vx_status status = check_cell(frame->cell_size, "cell size", error);
    return status != VX_OK ? status : check_cell(frame->cell_height, "cell height", error);
}

/* SPEC B1.5@766cac, B1.6@705214: the origin and the size of a frame from bounds. */
static vx_status size_from_bounds(const vx_frame *frame, int64_t size[3], vx_error *error)
{
    static const char *const min_names[] = {"min.x", "min.y", "min.z"};
    static const char *const max_names[] = {"max.x", "max.y", "max.z"};
    static const size_t axis_of[] = {0, 2, 1}; /* W, D, H */
    vx_status status = check_point(frame->min, min_names, error);
    if (status == VX_OK) {
        status = check_point(frame->max, max_names, error);
    }
    for (size_t axis = 0; axis < 3 && status == VX_OK; axis++) {
        if (frame->max[axis] <= frame->min[axis]) {
            status = vx_fail(error, VX_ARGUMENT, "%s = %.17g is not above %s = %.17g",
                             max_names[axis], frame->max[axis], min_names[axis], frame->min[axis]);
        }
    }
    if (status == VX_OK) {
        status = check_cells(frame, error);
    }
    for (size_t i = 0; i < 3 && status == VX_OK; i++) {
        size_t axis = axis_of[i];
        double cell = (double)(axis == 1 ? frame->cell_height : frame->cell_size);
        /* At most 2^22 ÷ 2^−20: it fits. */
        size[i] = (int64_t)ceil((frame->max[axis] - frame->min[axis]) / cell);
    }
    return status;
}

static vx_status check_frame(const vx_frame *frame, int64_t size[3], vx_error *error)
{
    static const char *const names[] = {"origin.x", "origin.y", "origin.z"};
    vx_status status;
    if (frame->from_bounds) {
        status = size_from_bounds(frame, size, error);
    } else {
        memcpy(size, frame->size, 3 * sizeof size[0]);
        status = check_point(frame->origin, names, error);
        if (status == VX_OK) {
            status = check_cells(frame, error);
        }
    }
    if (status == VX_OK) {
        status = vx_fast_check_integer(size[0], 1, VX_SIZE_MAX, "W", error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_integer(size[1], 1, VX_SIZE_MAX, "D", error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_integer(size[2], 1, VX_HEIGHT_MAX, "H", error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_integer(size[0] * size[1], 1, VX_COLUMNS_MAX, "W·D", error);
    }
    return status;
}

/* SPEC B1. */
vx_status vx_fast_open(vx_arena *arena, const vx_frame *frame, vx_build3d **field, vx_error *error)
{
    int64_t size[3];
    vx_status status = check_frame(frame, size, error);
    if (status != VX_OK) {
        return status;
    }
    vx_arena_mark mark = vx_arena_get_mark(arena);
    vx_build3d *made = vx_arena_alloc_zero(arena, 1, sizeof *made, _Alignof(vx_build3d));
    uint32_t wide = ((uint32_t)size[0] + VX_FAST_LANES - 1) / VX_FAST_LANES;
    size_t count = (size_t)size[1] * wide;
    vx_fast_block **blocks =
        vx_arena_alloc_zero(arena, 2 * count, sizeof(void *), _Alignof(void *));
    if (made == NULL || blocks == NULL) {
        status = vx_fail(error, VX_NO_MEMORY, "no memory for a field of %zu blocks", count);
        vx_arena_rewind(arena, mark);
        return status;
    }
    made->kernels = vx_fast_choose_kernels();
    made->lanes = vx_fast_choose_lanes();
    made->pool.arena = arena;
    memcpy(made->origin, frame->from_bounds ? frame->min : frame->origin, sizeof made->origin);
    made->cell_size = frame->cell_size;
    made->cell_height = frame->cell_height;
    for (size_t i = 0; i < 3; i++) {
        made->size[i] = (uint32_t)size[i];
    }
    made->blocks_wide = wide;
    made->blocks = blocks;
    made->next = blocks + count;
    *field = made;
    return VX_OK;
}
