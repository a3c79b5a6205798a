/* SPDX-License-Identifier: MIT */
/* Area volumes (SPEC B9), each binary64 step by MPFR. */
#include "replay.h"

typedef vx_replay_real real;

static real add(real a, real b)
{
    return vx_replay_add(VX_REPLAY_BINARY64, a, b);
}

static real subtract(real a, real b)
{
    return vx_replay_subtract(VX_REPLAY_BINARY64, a, b);
}

static real multiply(real a, real b)
{
    return vx_replay_multiply(VX_REPLAY_BINARY64, a, b);
}

typedef struct corner {
    real x, z;
} corner;

typedef struct polygon {
    corner corners[VX_CORNERS_MAX];
    size_t count;
    int orientation;
} polygon;

/* SPEC B9.2: the sign of side(a, b, p) for the edge that starts at a corner. */
static int side(const polygon *of, size_t edge, corner p)
{
    corner a = of->corners[edge];
    corner b = of->corners[(edge + 1) % of->count];
    return vx_replay_sign(subtract(multiply(subtract(b.x, a.x), subtract(p.z, a.z)),
                                   multiply(subtract(b.z, a.z), subtract(p.x, a.x))));
}

/* SPEC B9.2: 1 or −1; 0: malformed. */
static int find_orientation(const polygon *of)
{
    int found = 0;
    for (size_t edge = 0; edge < of->count; edge++) {
        for (size_t p = 0; p < of->count; p++) {
            int sign = side(of, edge, of->corners[p]);
            if (sign * found < 0) {
                return 0;
            }
            found = sign != 0 ? sign : found;
        }
    }
    return found;
}

/* SPEC B9.1. */
static vx_status check_volume(const vx_volume *volume, vx_error *error)
{
    if (volume->corner_count < VX_CORNERS_MIN || volume->corner_count > VX_CORNERS_MAX) {
        return vx_fail(error, VX_OUT_OF_RANGE, "there are %zu corners; there must be from %d to %d",
                       volume->corner_count, VX_CORNERS_MIN, VX_CORNERS_MAX);
    }
    vx_status status = vx_replay_check_integer("the area", volume->area, 0, VX_AREA_MAX, error);
    for (size_t i = 0; i < 2 * volume->corner_count && status == VX_OK; i++) {
        status = vx_replay_check_coordinate("a corner's coordinate", volume->corners[i], error);
    }
    real min = vx_replay_from_double(volume->min_y);
    real max = vx_replay_from_double(volume->max_y);
    if (status == VX_OK &&
        (vx_replay_is_nan(min) || vx_replay_is_nan(max) || vx_replay_compare(min, max) > 0)) {
        status = vx_fail(error, VX_ARGUMENT,
                         "MinY is %.17g and MaxY %.17g; they must be numbers in this order",
                         volume->min_y, volume->max_y);
    }
    return status;
}

/* SPEC B9.3: origin + (index + 0.5) · cs. */
static real centre(real origin, int64_t index, real cell)
{
    real middle = add(vx_replay_from_integer(index), vx_replay_from_double(0.5));
    return add(origin, multiply(middle, cell));
}

static int column_inside(const vx_build3d *field, const polygon *of, size_t column)
{
    corner middle = {centre(field->origin[0], (int64_t)column % field->width, field->cell_size),
                     centre(field->origin[2], (int64_t)column / field->width, field->cell_size)};
    for (size_t edge = 0; edge < of->count; edge++) {
        if (side(of, edge, middle) * of->orientation < 0) {
            return 0;
        }
    }
    return 1;
}

/* SPEC B9.4. */
static int floor_inside(const vx_build3d *field, const vx_volume *volume, const vx_compact_row *s)
{
    real height = add(field->origin[1], multiply(vx_replay_from_integer(s->y), field->cell_height));
    return vx_replay_compare(height, vx_replay_from_double(volume->min_y)) >= 0 &&
           vx_replay_compare(height, vx_replay_from_double(volume->max_y)) <= 0;
}

/* SPEC B9.5. */
vx_status vx_replay_volume(vx_build3d *field, const vx_volume *volume, vx_error *error)
{
    polygon of;
    vx_status status = check_volume(volume, error);
    if (status != VX_OK) {
        return status;
    }
    of.count = volume->corner_count;
    for (size_t i = 0; i < of.count; i++) {
        of.corners[i] = (corner){vx_replay_from_double(volume->corners[2 * i]),
                                 vx_replay_from_double(volume->corners[2 * i + 1])};
    }
    of.orientation = find_orientation(&of);
    if (of.orientation == 0) {
        return vx_fail(error, VX_ARGUMENT, "the volume's %zu corners are not convex, or on a line",
                       of.count);
    }
    for (size_t c = 0; c < (size_t)(field->width * field->depth); c++) {
        if (field->first[c] == field->first[c + 1] || !column_inside(field, &of, c)) {
            continue;
        }
        for (size_t s = field->first[c]; s < field->first[c + 1]; s++) {
            if (field->open[s].area != 0 && floor_inside(field, volume, &field->open[s])) {
                field->open[s].area = (int32_t)volume->area;
            }
        }
    }
    return VX_OK;
}
