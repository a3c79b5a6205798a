/* SPDX-License-Identifier: MIT */
/* SPEC B9: area volumes. For one row the columns inside are an interval, found by halving. */
#include <inttypes.h>

#include "fast.h"

/* B9.2@7b15c3. */
static double side(const double *a, const double *b, double x, double z)
{
    return (b[0] - a[0]) * (z - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* The corner that follows corner i. */
static const double *next_of(const vx_volume *volume, size_t i)
{
    return volume->corners + (i + 1 < volume->corner_count ? 2 * (i + 1) : 0);
}

/* B9.2@7b15c3: +1 or −1, 0 when the volume is malformed. */
static int orientation_of(const vx_volume *volume)
{
    bool has_positive = false;
    bool has_negative = false;
    for (size_t i = 0; i < volume->corner_count; i++) {
        for (size_t j = 0; j < volume->corner_count; j++) {
            const double *p = volume->corners + 2 * j;
            double value = side(volume->corners + 2 * i, next_of(volume, i), p[0], p[1]);
            has_positive |= value > 0;
            has_negative |= value < 0;
        }
    }
    return has_positive == has_negative ? 0 : has_positive ? 1 : -1;
}

/* B9.1@a46355, B9.2@7b15c3. */
static vx_status check_volume(const vx_volume *volume, int *orientation, vx_error *error)
{
    if (volume->corner_count < VX_CORNERS_MIN || volume->corner_count > VX_CORNERS_MAX) {
        return vx_fail(error, VX_OUT_OF_RANGE, "%zu corners are outside %d..%d",
                       volume->corner_count, VX_CORNERS_MIN, VX_CORNERS_MAX);
    }
    for (size_t i = 0; i < 2 * volume->corner_count; i++) {
        vx_status status = vx_fast_check_coordinate(
            volume->corners[i], i % 2 == 0 ? "a corner's x" : "a corner's z", error);
        if (status != VX_OK) {
            return status;
        }
    }
    *orientation = orientation_of(volume);
    if (*orientation == 0) {
        return vx_fail(error, VX_ARGUMENT, "the %zu corners are not a convex polygon with an area",
                       volume->corner_count);
    }
    if (isnan(volume->min_y) || isnan(volume->max_y)) {
        return vx_fail(error, VX_ARGUMENT, "%s is NaN", isnan(volume->min_y) ? "MinY" : "MaxY");
    }
    if (volume->min_y > volume->max_y) {
        return vx_fail(error, VX_ARGUMENT, "MinY = %.17g is above MaxY = %.17g", volume->min_y,
                       volume->max_y);
    }
    return vx_fast_check_integer(volume->area, 0, VX_AREA_MAX, "area", error);
}

/* --- halving ---------------------------------------------------------------------------------- */

/* The numbers first … end − 1. */
typedef struct interval {
    uint32_t first, end;
} interval;

typedef struct edge {
    const double *a, *b;
    double origin, cell, z;
    int orientation;
} edge;

static double centre(double origin, uint32_t cell, double size)
{
    return origin + ((double)cell + 0.5) * size;
}

static bool is_on_side(const edge *e, uint32_t x)
{
    double value = side(e->a, e->b, centre(e->origin, x, e->cell), e->z);
    return e->orientation > 0 ? value >= 0 : value <= 0;
}

/* Cuts the interval to the columns on the inner side of an edge. Every operation between x and
 * side() is monotone, also when rounded: the columns on one side are a beginning or an end of the
 * row (B9.3@b440c6). */
static void cut(const edge *e, interval *columns)
{
    if (columns->first >= columns->end) {
        return;
    }
    bool first = is_on_side(e, columns->first);
    bool last = is_on_side(e, columns->end - 1);
    if (first && last) {
        return;
    }
    if (!first && !last) {
        columns->end = columns->first;
        return;
    }
    uint32_t low = columns->first; /* is what first is */
    uint32_t high = columns->end - 1;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (is_on_side(e, middle) == first) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (first) {
        columns->end = high;
    } else {
        columns->first = high;
    }
}

/* The least Y whose floor height is at least value, or is above it; at most H + 1. Floor heights
 * grow with Y, also when rounded (B9.4@8a8964). */
static uint32_t first_floor(const vx_build3d *field, double value, bool above)
{
    uint32_t low = 0;
    uint32_t high = field->size[2] + 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        double floor = field->origin[1] + (double)middle * (double)field->cell_height;
        if (above ? floor > value : floor >= value) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* The places first … end − 1. */
static void fill_places(const vx_fast_compact *c, size_t first, size_t end, interval floors,
                        uint8_t area)
{
    for (size_t s = first; s < end; s++) {
        bool inside = c->y[s] >= floors.first && c->y[s] < floors.end;
        c->area[s] = inside && c->area[s] != 0 ? area : c->area[s];
    }
}

/* B9.5@a07c29 for the columns of one row. In layers, places without a span have area 0. */
static void fill(const vx_build3d *field, size_t z, interval columns, interval floors, uint8_t area)
{
    const vx_fast_compact *c = &field->compact;
    const vx_fast_compact_block *block =
        c->blocks + z * field->blocks_wide + columns.first / VX_FAST_LANES;
    for (uint32_t x = columns.first; x < columns.end; block++) {
        uint32_t lane = x % VX_FAST_LANES;
        uint32_t rest = columns.end - x;
        uint32_t end = rest < VX_FAST_LANES - lane ? lane + rest : VX_FAST_LANES;
        for (uint32_t k = 0; k < block->layers; k++) {
            size_t at = block->place + (size_t)k * VX_FAST_LANES;
            fill_places(c, at + lane, at + end, floors, area);
        }
        if (block->layers == 0) {
            fill_places(c, block->place + block->starts[lane], block->place + block->starts[end],
                        floors, area);
        }
        x += end - lane;
    }
}

vx_status vx_fast_volume(vx_build3d *field, const vx_volume *volume, vx_error *error)
{
    int orientation = 0;
    vx_status status = vx_fast_check_place(field, true, "volume", error);
    if (status == VX_OK) {
        status = check_volume(volume, &orientation, error);
    }
    if (status != VX_OK) {
        return status;
    }
    double cell = (double)field->cell_size;
    interval floors = {first_floor(field, volume->min_y, false),
                       first_floor(field, volume->max_y, true)};
    for (uint32_t z = 0; z < field->size[1]; z++) {
        interval columns = {0, field->size[0]};
        for (size_t i = 0; i < volume->corner_count && columns.first < columns.end; i++) {
            edge e = {.a = volume->corners + 2 * i,
                      .b = next_of(volume, i),
                      .origin = field->origin[0],
                      .cell = cell,
                      .z = centre(field->origin[2], z, cell),
                      .orientation = orientation};
            cut(&e, &columns);
        }
        if (columns.first < columns.end) {
            fill(field, z, columns, floors, (uint8_t)volume->area);
        }
    }
    return VX_OK;
}
