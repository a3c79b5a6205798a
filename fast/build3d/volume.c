/* SPDX-License-Identifier: MIT */
/* SPEC B9: area volumes. For one row the columns inside are an interval. */
#include <inttypes.h>

#include "beside.h"

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

/* --- intervals -------------------------------------------------------------------------------- */

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

/* Where the line through an edge crosses the row, in columns, as a first guess of a number in
 * (low, high]. */
static uint32_t guess_border(const edge *e, uint32_t low, uint32_t high)
{
    double x = e->a[0] + (e->b[0] - e->a[0]) * (e->z - e->a[1]) / (e->b[1] - e->a[1]);
    double column = (x - e->origin) / e->cell + 0.5;
    if (!(column > (double)low + 1)) { /* NaN as well */
        return low + 1;
    }
    return column < (double)high ? (uint32_t)column : high;
}

/* Of two columns on different sides of an edge the border between them: the first column in
 * (low, high] that is not what low is. Around the guess wider and wider steps, then halving. */
static uint32_t find_border(const edge *e, uint32_t low, uint32_t high, bool is_low)
{
    uint32_t middle = guess_border(e, low, high);
    for (uint32_t step = 1; high - low > 1; step *= 2) {
        middle = middle > low ? middle : low + 1;
        middle = middle < high ? middle : high - 1;
        if (is_on_side(e, middle) == is_low) {
            low = middle;
            middle = high - low > step ? low + step : low + (high - low) / 2;
        } else {
            high = middle;
            middle = high - low > step ? high - step : low + (high - low) / 2;
        }
    }
    return high;
}

/* Cuts the interval to the columns on the inner side of an edge. Every operation between x and
 * side() is monotone, also when rounded: the columns on one side are a beginning or an end of the
 * row (B9.3@b440c6). */
static void cut(const edge *e, interval *columns)
{
    bool first = is_on_side(e, columns->first);
    bool last = is_on_side(e, columns->end - 1);
    if (first && last) {
        return;
    }
    if (!first && !last) {
        columns->end = columns->first;
        return;
    }
    uint32_t border = find_border(e, columns->first, columns->end - 1, first);
    if (first) {
        columns->end = border;
    } else {
        columns->first = border;
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

/* B9.5@a07c29 for places of one column after the other; those without a span have area 0. */
static void paint_places(const vx_fast_compact *c, size_t first, size_t end, const vx_fast_paint *p)
{
    for (size_t s = first; s < end; s++) {
        bool inside = c->y[s] >= p->low && c->y[s] < p->end;
        c->area[s] = inside && c->area[s] != 0 ? p->area : c->area[s];
    }
}

/* Some columns of one block. */
static void paint_block(const vx_build3d *field, const vx_fast_compact_block *block,
                        vx_fast_paint *p)
{
    const vx_fast_compact *c = &field->compact;
    if (!block->in_layers) {
        vx_fast_places last = vx_fast_places_of(c, block, p->end_lane - 1);
        paint_places(c, vx_fast_places_of(c, block, p->first_lane).first, last.first + last.count,
                     p);
        return;
    }
    size_t place = vx_fast_first_place(block);
    field->kernels->paint(c->y + place, c->area + place, block->words, p);
}

/* The columns of one row. The places of blocks that are whole follow one another. */
static void paint_row(const vx_build3d *field, size_t z, interval columns, vx_fast_paint *p)
{
    const vx_fast_compact *c = &field->compact;
    const vx_fast_compact_block *row = c->blocks + z * field->blocks_wide;
    uint32_t first = columns.first / VX_FAST_LANES;
    uint32_t last = (columns.end - 1) / VX_FAST_LANES;
    p->first_lane = columns.first % VX_FAST_LANES;
    p->end_lane = first < last ? VX_FAST_LANES : (columns.end - 1) % VX_FAST_LANES + 1;
    paint_block(field, &row[first], p);
    p->first_lane = 0;
    if (last > first + 1) {
        size_t place = vx_fast_first_place(&row[first + 1]);
        field->kernels->paint(c->y + place, c->area + place, row[last].word - row[first + 1].word,
                              p);
    }
    if (last > first) {
        p->end_lane = (columns.end - 1) % VX_FAST_LANES + 1;
        paint_block(field, &row[last], p);
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
    vx_fast_paint paint = {.low = first_floor(field, volume->min_y, false),
                           .end = first_floor(field, volume->max_y, true),
                           .area = (uint8_t)volume->area};
    paint.all_floors = paint.low == 0 && paint.end > field->size[2];
    for (uint32_t z = 0; z < field->size[1] && paint.low < paint.end; z++) {
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
            paint_row(field, z, columns, &paint);
        }
    }
    return VX_OK;
}
