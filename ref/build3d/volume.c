/* SPDX-License-Identifier: MIT */
/* Area volumes (B9). */
#include <math.h>

#include "ref.h"

typedef struct point {
    double x, z;
} point;

static point corner(const vx_volume *volume, size_t i)
{
    i %= volume->corner_count;
    return (point){volume->corners[2 * i], volume->corners[2 * i + 1]};
}

/* B9.2@7b15c3: side(a, b, p) = (b.x − a.x)·(p.z − a.z) − (b.z − a.z)·(p.x − a.x) in binary64. */
static double side(point a, point b, point p)
{
    return (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
}

/* −1, 0 or 1. */
static int sign(double value)
{
    return (value > 0) - (value < 0);
}

/* B9.1@a46355: 3 to 256 corners, else out_of_range; each obeys the coordinate rule. */
static vx_status check_corners(const vx_volume *volume, vx_error *error)
{
    if (volume->corner_count < VX_CORNERS_MIN || volume->corner_count > VX_CORNERS_MAX) {
        return vx_fail(error, VX_OUT_OF_RANGE, "corners: their number %zu is not in %d..%d",
                       volume->corner_count, VX_CORNERS_MIN, VX_CORNERS_MAX);
    }
    vx_status status = VX_OK;
    for (size_t i = 0; i < 2 * volume->corner_count && status == VX_OK; i++) {
        status = vx_ref_check_coordinate(volume->corners[i], error, "corner %zu: %c", i / 2,
                                         "xz"[i % 2]);
    }
    return status;
}

/* B9.2@7b15c3: the values over all edges a→b and all corners p decide: two values of opposite sign,
 * or none other than 0, make the volume malformed, argument. The sign of the others is its
 * orientation. */
static vx_status find_orientation(const vx_build3d *field, const vx_volume *volume,
                                  int *orientation, vx_error *error)
{
    *orientation = 0;
    for (size_t i = 0; i < volume->corner_count; i++) {
        for (size_t j = 0; j < volume->corner_count; j++) {
            double value = side(corner(volume, i), corner(volume, i + 1), corner(volume, j));
            VX_TRACE(field, "B9.2", "side of edge %zu and corner %zu = " VX_A64, i, j, VX_A(value));
            if (sign(value) * *orientation < 0) {
                return vx_fail(error, VX_ARGUMENT,
                               "corners: not convex, corner %zu lies beyond the edge of corner "
                               "%zu: side = %.17g",
                               j, i, value);
            }
            if (value != 0) {
                *orientation = sign(value);
            }
        }
    }
    if (*orientation == 0) {
        return vx_fail(error, VX_ARGUMENT, "corners: every side is 0, the %zu lie on one line",
                       volume->corner_count);
    }
    VX_TRACE(field, "B9.2", "orientation %d", *orientation);
    return VX_OK;
}

/* B9.1@a46355: MinY and MaxY may be infinite; NaN is argument, and so is MinY > MaxY. */
static vx_status check_heights(const vx_volume *volume, vx_error *error)
{
    if (isnan(volume->min_y) || isnan(volume->max_y)) {
        return vx_fail(error, VX_ARGUMENT, "%s is NaN, not a number or an infinity",
                       isnan(volume->min_y) ? "minY" : "maxY");
    }
    if (volume->min_y > volume->max_y) {
        return vx_fail(error, VX_ARGUMENT, "minY = %.17g is above maxY, %.17g", volume->min_y,
                       volume->max_y);
    }
    return VX_OK;
}

/* B9.3@b440c6: the centre is inside when for no edge side(a, b, centre) has the sign opposite to
 * the orientation. */
static bool is_inside(const vx_build3d *field, const vx_volume *volume, int orientation, int32_t x,
                      int32_t z)
{
    /* B9.3@b440c6: the centre of column (x, z) is (ox + (x + 0.5)·(binary64)cs, oz + (z + 0.5)·
     * (binary64)cs) in binary64. */
    const vx_ref_grid *grid = &field->grid;
    point centre = {grid->ox + ((double)x + 0.5) * (double)grid->cs,
                    grid->oz + ((double)z + 0.5) * (double)grid->cs};
    VX_TRACE(field, "B9.3", "column (%d, %d): centre x = " VX_A64 ", z = " VX_A64, (int)x, (int)z,
             VX_A(centre.x), VX_A(centre.z));
    bool inside = true;
    for (size_t i = 0; i < volume->corner_count && inside; i++) {
        double value = side(corner(volume, i), corner(volume, i + 1), centre);
        VX_TRACE(field, "B9.3", "side of edge %zu = " VX_A64, i, VX_A(value));
        inside = sign(value) * orientation >= 0;
    }
    VX_TRACE(field, "B9.3", "column (%d, %d) is %s", (int)x, (int)z, inside ? "inside" : "outside");
    return inside;
}

/* B9.5@a07c29: a compact span with area ≠ 0 whose column's centre and whose floor height are inside
 * gets the volume's area. A span with area 0 stays. B9.6@5b1df3: areas are those that the operation
 * before left.
 */
static void apply_to_column(vx_build3d *field, const vx_volume *volume, size_t column)
{
    const vx_ref_grid *grid = &field->grid;
    for (size_t s = field->cell_first[column]; s < field->cell_first[column + 1]; s++) {
        vx_ref_open *span = &field->open[s];
        /* B9.4@8a8964: the floor height is oy + Y·(binary64)ch in binary64. It is inside when
         * MinY ≤ floor height ≤ MaxY. */
        double floor_height = grid->oy + (double)span->y * (double)grid->ch;
        VX_TRACE(field, "B9.4", VX_COLUMN ": Y = %d: floor height = " VX_A64, VX_XZ(field, column),
                 (int)span->y, VX_A(floor_height));
        if (span->area != 0 && volume->min_y <= floor_height && floor_height <= volume->max_y) {
            span->area = (uint8_t)volume->area;
            VX_TRACE(field, "B9.5", VX_COLUMN ": Y = %d: area %d", VX_XZ(field, column),
                     (int)span->y, (int)span->area);
        }
    }
}

vx_status vx_ref_volume(vx_build3d *field, const vx_volume *volume, vx_error *error)
{
    vx_status status = vx_ref_require_compact(field, "volume", error);
    int orientation = 0;
    if (status == VX_OK) {
        status = check_corners(volume, error);
    }
    if (status == VX_OK) {
        status = find_orientation(field, volume, &orientation, error);
    }
    if (status == VX_OK) {
        status = check_heights(volume, error);
    }
    if (status == VX_OK) {
        status = vx_ref_check_integer(volume->area, 0, VX_AREA_MAX, VX_OUT_OF_RANGE, error, "area");
    }
    for (int32_t z = 0; z < field->grid.D && status == VX_OK; z++) {
        for (int32_t x = 0; x < field->grid.W; x++) {
            size_t column = (size_t)x + (size_t)z * (size_t)field->grid.W;
            bool is_empty = field->cell_first[column] == field->cell_first[column + 1];
            if (!is_empty && is_inside(field, volume, orientation, x, z)) {
                apply_to_column(field, volume, column);
            }
        }
    }
    return status;
}
