/* SPDX-License-Identifier: MIT */
/* Checks of single numbers (B0.5@003f0a, B0.8@3d12db, B0.11@aab749, B0.12@de3b14) and the grid
 * (B1.1@3b9815 to B1.6@705214). */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "ref.h"

enum { NAME_SIZE = 64 };

vx_status vx_ref_check_coordinate(double value, vx_error *error, const char *format, ...)
{
    /* B0.5@003f0a: a coordinate must be finite and lie in [−2^21, 2^21], ends included. */
    if (value >= -VX_COORDINATE_LIMIT && value <= VX_COORDINATE_LIMIT) {
        return VX_OK;
    }
    char name[NAME_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    /* B0.8@3d12db: NaN is argument, infinite or beyond a bound is out_of_range. */
    if (isnan(value)) {
        return vx_fail(error, VX_ARGUMENT, "%s is NaN, not a number in %.0f..%.0f", name,
                       -VX_COORDINATE_LIMIT, VX_COORDINATE_LIMIT);
    }
    return vx_fail(error, VX_OUT_OF_RANGE, "%s = %.17g is beyond %.0f", name, value,
                   value > 0 ? VX_COORDINATE_LIMIT : -VX_COORDINATE_LIMIT);
}

vx_status vx_ref_check_integer(int64_t value, int64_t low, int64_t high, vx_status kind,
                               vx_error *error, const char *format, ...)
{
    if (value >= low && value <= high) {
        return VX_OK;
    }
    char name[NAME_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    /* B0.11@aab749: the message names the offending value and the bound it breaks. */
    bool is_below = value < low;
    return vx_fail(error, kind, "%s = %lld is %s %lld", name, (long long)value,
                   is_below ? "below" : "above", (long long)(is_below ? low : high));
}

/* B1.2@fbfd4a: cs and ch lie in [2^-20, 2^20], ends included; NaN is argument, any other value
 * outside is out_of_range. */
static vx_status check_cell(float value, const char *name, vx_error *error)
{
    if (isnan(value)) {
        return vx_fail(error, VX_ARGUMENT, "%s is NaN, not a number in %.17g..%.17g", name,
                       (double)VX_CELL_MIN, (double)VX_CELL_MAX);
    }
    if (value < VX_CELL_MIN || value > VX_CELL_MAX) {
        bool is_below = value < VX_CELL_MIN;
        return vx_fail(error, VX_OUT_OF_RANGE, "%s = %.17g is %s %.17g", name, (double)value,
                       is_below ? "below" : "above",
                       (double)(is_below ? VX_CELL_MIN : VX_CELL_MAX));
    }
    return VX_OK;
}

static vx_status check_point(const double point[3], const char *name, vx_error *error)
{
    vx_status status = VX_OK;
    for (int i = 0; i < 3 && status == VX_OK; i++) {
        status = vx_ref_check_coordinate(point[i], error, "%s: %c", name, "xyz"[i]);
    }
    return status;
}

/* B1.5@766cac: min and max obey the coordinate rule, and max ≤ min on any axis is argument. */
static vx_status check_bounds(const vx_frame *frame, vx_error *error)
{
    vx_status status = check_point(frame->min, "bounds.min", error);
    if (status == VX_OK) {
        status = check_point(frame->max, "bounds.max", error);
    }
    for (int i = 0; i < 3 && status == VX_OK; i++) {
        if (frame->max[i] <= frame->min[i]) {
            status = vx_fail(error, VX_ARGUMENT, "bounds.max: %c = %.17g is not above min, %.17g",
                             "xyz"[i], frame -> max[i], frame -> min[i]);
        }
    }
    return status;
}

/* B1.3@5ee7c5: 1 ≤ W ≤ 65536, 1 ≤ D ≤ 65536, W·D ≤ 2^24 and 1 ≤ H ≤ 65535; else out_of_range. */
static vx_status check_size(const int64_t size[3], vx_error *error)
{
    vx_status status = vx_ref_check_integer(size[0], 1, VX_SIZE_MAX, VX_OUT_OF_RANGE, error, "W");
    if (status == VX_OK) {
        status = vx_ref_check_integer(size[1], 1, VX_SIZE_MAX, VX_OUT_OF_RANGE, error, "D");
    }
    if (status == VX_OK) {
        status = vx_ref_check_integer(size[0] * size[1], 1, VX_COLUMNS_MAX, VX_OUT_OF_RANGE, error,
                                      "W*D");
    }
    if (status == VX_OK) {
        status = vx_ref_check_integer(size[2], 1, VX_HEIGHT_MAX, VX_OUT_OF_RANGE, error, "H");
    }
    return status;
}

vx_status vx_ref_check_frame(const vx_frame *frame, vx_ref_grid *grid, vx_error *error)
{
    /* B1.4@27cec5: the origin obeys the coordinate rule. B1.5@766cac: a frame made from bounds
     * takes min as its origin. */
    vx_status status = frame->from_bounds ? check_bounds(frame, error)
                                          : check_point(frame->origin, "origin", error);
    if (status == VX_OK) {
        status = check_cell(frame->cell_size, "cellSize", error);
    }
    if (status == VX_OK) {
        status = check_cell(frame->cell_height, "cellHeight", error);
    }
    if (status != VX_OK) {
        return status;
    }
    const double *origin = frame->from_bounds ? frame->min : frame->origin;
    float cs = frame->cell_size;
    float ch = frame->cell_height;
    int64_t size[3] = {frame->size[0], frame->size[1], frame->size[2]};
    if (frame->from_bounds) {
        /* B1.6@705214: W = ceil((max.x − min.x) ÷ (binary64)cs), likewise D with z, and H with y
         * and ch. A quotient is at most 2^22 ÷ 2^-20 = 2^42, so that the conversions fit
         * (B0.6@698c76). */
        size[0] = (int64_t)ceil((frame->max[0] - frame->min[0]) / (double)cs);
        size[1] = (int64_t)ceil((frame->max[2] - frame->min[2]) / (double)cs);
        size[2] = (int64_t)ceil((frame->max[1] - frame->min[1]) / (double)ch);
    }
    status = check_size(size, error);
    if (status == VX_OK) {
        *grid = (vx_ref_grid){.ox = origin[0],
                              .oy = origin[1],
                              .oz = origin[2],
                              .cs = cs,
                              .ch = ch,
                              .W = (int32_t)size[0],
                              .D = (int32_t)size[1],
                              .H = (int32_t)size[2]};
    }
    return status;
}

#ifdef VX_TRACE_POINTS
void vx_ref_trace_frame(const vx_build3d *field)
{
    const vx_ref_grid *grid = &field->grid;
    for (int i = 0; i < 3 && field->frame.from_bounds; i++) {
        double extent = field->frame.max[i] - field->frame.min[i];
        double cell = (double)(i == 1 ? grid->ch : grid->cs);
        vx_ref_trace(field, "B1.6", "%c: max - min = " VX_A64 ", quotient = " VX_A64, "xyz"[i],
                     VX_A(extent), VX_A(extent / cell));
    }
    vx_ref_trace(field, "B1.1", "ox = " VX_A64 ", oy = " VX_A64 ", oz = " VX_A64, VX_A(grid->ox),
                 VX_A(grid->oy), VX_A(grid->oz));
    vx_ref_trace(field, "B1.1", "cs = " VX_A32 ", ch = " VX_A32, VX_A(grid->cs), VX_A(grid->ch));
    vx_ref_trace(field, "B1.1", "W = %d, D = %d, H = %d", (int)grid->W, (int)grid->D, (int)grid->H);
}
#endif
