/* SPDX-License-Identifier: MIT */
/* SPEC B6: the filters, block by block with kernels, or column by column. */
#include "kernels.h"

static vx_status begin(const vx_build3d *field, const char *what, int64_t height, int64_t climb,
                       vx_error *error)
{
    vx_status status = vx_fast_check_place(field, false, what, error);
    if (status == VX_OK) {
        status = vx_fast_check_integer(height, 1, VX_ROWS_MAX, "height", error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_integer(climb, 0, VX_ROWS_MAX, "climb", error);
    }
    return status;
}

/* B6.3@b3f6c6, B6.4@8a3782: from the top down, so that p still has the area it had before. */
static void low_hanging_column(const vx_fast_view *column, int32_t climb)
{
    for (uint32_t k = column->count; k-- > 1;) {
        size_t s = k * column->stride;
        size_t p = s - column->stride;
        if (column->area[s] == 0 && column->max[s] - column->max[p] <= climb) {
            column->area[s] = column->area[p];
        }
    }
}

/* B6.10@bb40e4. */
static void low_height_column(const vx_fast_view *column, int32_t height)
{
    for (uint32_t k = 0; k + 1 < column->count; k++) {
        size_t s = k * column->stride;
        if (column->min[s + column->stride] - column->max[s] < height) {
            column->area[s] = 0;
        }
    }
}

/* A filter that looks at one column at a time, two of its spans at most, so that a single layer
 * stays as it is: by blocks, or where they are not of layers or the
 * grid is high by columns. */
static void filter(const vx_build3d *field, void kernel(const vx_fast_block *block, int32_t rows),
                   void column_filter(const vx_fast_view *column, int32_t rows), int32_t rows)
{
    size_t count = (size_t)field->size[1] * field->blocks_wide;
    bool low = field->size[2] <= VX_FAST_LOW_HEIGHT;
    for (size_t i = 0; i < count; i++) {
        const vx_fast_block *block = field->blocks[i];
        vx_fast_prefetch(field, i + VX_FAST_BLOCKS_AHEAD, 1);
        if (block != NULL && block->form == VX_FAST_LAYERS && low) {
            if (block->layers > 1) {
                kernel(block, rows);
            }
            continue;
        }
        for (uint32_t x = 0; block != NULL && x < VX_FAST_LANES; x++) {
            vx_fast_view column = vx_fast_view_of(block, x);
            column_filter(&column, rows);
        }
    }
}

vx_status vx_fast_low_hanging(vx_build3d *field, int64_t climb, vx_error *error)
{
    vx_status status = begin(field, "lowHanging", 1, climb, error);
    if (status == VX_OK) {
        filter(field, field->kernels->low_hanging, low_hanging_column, (int32_t)climb);
    }
    return status;
}

vx_status vx_fast_low_height(vx_build3d *field, int64_t height, vx_error *error)
{
    vx_status status = begin(field, "lowHeight", height, 0, error);
    if (status == VX_OK) {
        filter(field, field->kernels->low_height, low_height_column, (int32_t)height);
    }
    return status;
}

/* --- ledges column by column: B6.5@c31cdf to B6.8@95294b
 * ------------------------------------------------------
 */

typedef struct ledge_test {
    int32_t height, climb;
    int32_t floor, ceiling; /* of the span that is tested */
    int32_t low, high;      /* of the accessible floors so far */
} ledge_test;

/* A neighbour column inside the grid and the first of its spans whose gap reaches high enough above
 * the floor that is tested: as floors rise, those below stay out of reach. */
typedef struct neighbour {
    vx_fast_view column;
    uint32_t first;
} neighbour;

/* B6.2@114428. */
static inline int32_t ceiling_of(const vx_fast_view *column, uint32_t k)
{
    return k + 1 < column->count ? column->min[(k + 1) * column->stride] : VX_ROWS_MAX;
}

/* A gap with a floor that is a span's; false when its drop makes a ledge. */
static inline bool see_gap(ledge_test *t, int32_t floor, int32_t ceiling)
{
    int32_t top = ceiling < t->ceiling ? ceiling : t->ceiling;
    int32_t bottom = floor > t->floor ? floor : t->floor;
    if (top - bottom < t->height) {
        return true;
    }
    int32_t drop = floor - t->floor;
    if (drop < -t->climb) {
        return false;
    }
    if (drop <= t->climb) {
        t->low = floor < t->low ? floor : t->low;
        t->high = floor > t->high ? floor : t->high;
    }
    return true;
}

/* False when one of the neighbour's gaps makes a ledge. The gap below its first span is passable
 * when it is high enough above t's floor, which is above −climb, and then its drop is below −climb.
 * Floors too close to the ceiling, and those above them, are of no passable gap. */
static bool see_column(ledge_test *t, neighbour *n)
{
    const vx_fast_view *column = &n->column;
    int32_t lowest = column->count > 0 ? column->min[0] : VX_ROWS_MAX;
    if ((lowest < t->ceiling ? lowest : t->ceiling) - t->floor >= t->height) {
        return false;
    }
    while (n->first < column->count && ceiling_of(column, n->first) - t->floor < t->height) {
        n->first++;
    }
    for (uint32_t k = n->first; k < column->count; k++) {
        int32_t floor = column->max[k * column->stride];
        if (t->ceiling - floor < t->height) {
            break;
        }
        if (!see_gap(t, floor, ceiling_of(column, k))) {
            return false;
        }
    }
    return true;
}

/* The walkable spans of one column inside the grid. */
static void ledges_column(const vx_build3d *field, uint32_t x, uint32_t z, int32_t height,
                          int32_t climb)
{
    vx_fast_view own = vx_fast_view_at(field, x, z);
    neighbour others[] = {{vx_fast_view_at(field, x - 1, z), 0},
                          {vx_fast_view_at(field, x, z + 1), 0},
                          {vx_fast_view_at(field, x + 1, z), 0},
                          {vx_fast_view_at(field, x, z - 1), 0}};
    for (uint32_t k = 0; k < own.count; k++) {
        size_t s = k * own.stride;
        ledge_test t = {.height = height,
                        .climb = climb,
                        .floor = own.max[s],
                        .ceiling = ceiling_of(&own, k),
                        .low = VX_ROWS_MAX,
                        .high = 0};
        bool ledge = false;
        for (size_t d = 0; d < 4 && own.area[s] != 0 && !ledge; d++) {
            ledge = !see_column(&t, &others[d]);
        }
        if (ledge || t.high - t.low > climb) {
            own.area[s] = 0;
        }
    }
}

/* --- ledges with kernels ------------------------------------------------------------------------
 */

/* Whether a block is of layers, or not there. */
static bool is_layered(const vx_fast_block *block)
{
    return block == NULL || block->form == VX_FAST_LAYERS;
}

static uint32_t layers_of(const vx_fast_block *block)
{
    return block != NULL ? block->layers : 0;
}

/* A block whose neighbours are in layers as well and whose row is not the first or the last. False
 * when the kernel can't do it. */
static bool ledges_block(const vx_build3d *field, size_t at, uint16_t *window, size_t places,
                         int32_t height, int32_t climb)
{
    size_t wide = field->blocks_wide;
    vx_fast_block *const *blocks = field->blocks;
    const vx_fast_surroundings around = {
        .own = blocks[at],
        .others = {at % wide > 0 ? blocks[at - 1] : NULL, blocks[at + wide],
                   at % wide + 1 < wide ? blocks[at + 1] : NULL, blocks[at - wide]},
        .window = window,
        .places = places};
    return field->kernels->ledges(&around, height, climb);
}

static bool suits_kernel(const vx_build3d *field, size_t at)
{
    size_t wide = field->blocks_wide;
    vx_fast_block *const *blocks = field->blocks;
    return is_layered(blocks[at]) && is_layered(blocks[at - wide]) &&
           is_layered(blocks[at + wide]) && (at % wide == 0 || is_layered(blocks[at - 1])) &&
           (at % wide + 1 == wide || is_layered(blocks[at + 1]));
}

/* On the border of the grid every span is a ledge: a neighbour outside is a drop of −climb − 1
 * (B6.5@c31cdf). */
static void clear_column(const vx_build3d *field, uint32_t x, uint32_t z)
{
    vx_fast_view column = vx_fast_view_at(field, x, z);
    for (uint32_t k = 0; k < column.count; k++) {
        column.area[k * column.stride] = 0;
    }
}

static void ledges_row(const vx_build3d *field, uint32_t z, uint16_t *window, size_t places,
                       int32_t height, int32_t climb)
{
    uint32_t width = field->size[0];
    /* The sum is at most 2^31 + 2^16. */
    bool fits = (int64_t)field->size[2] + height + climb <= VX_FAST_NO_SPAN;
    for (uint32_t i = 0; i < field->blocks_wide; i++) {
        size_t at = (size_t)z * field->blocks_wide + i;
        vx_fast_prefetch(field, at + field->blocks_wide + VX_FAST_BLOCKS_AHEAD, 4);
        if (field->blocks[at] == NULL) {
            continue;
        }
        if (fits && suits_kernel(field, at) &&
            ledges_block(field, at, window, places, height, climb)) {
            continue;
        }
        uint32_t x = i * VX_FAST_LANES;
        uint32_t end = x + VX_FAST_LANES < width ? x + VX_FAST_LANES : width - 1;
        for (x = x > 0 ? x : 1; x < end; x++) {
            ledges_column(field, x, z, height, climb);
        }
    }
    clear_column(field, 0, z);
    clear_column(field, width - 1, z);
}

/* The most layers of a block. */
static uint32_t deepest(const vx_build3d *field)
{
    uint32_t layers = 0;
    for (size_t i = 0; i < (size_t)field->size[1] * field->blocks_wide; i++) {
        uint32_t own = layers_of(field->blocks[i]);
        layers = own > layers ? own : layers;
    }
    return layers;
}

vx_status vx_fast_ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    vx_status status = begin(field, "ledges", height, climb, error);
    if (status != VX_OK) {
        return status;
    }
    uint32_t layers = deepest(field);
    size_t places = (size_t)(layers < VX_FAST_WINDOW ? layers : VX_FAST_WINDOW) * VX_FAST_LANES;
    uint16_t *window = vx_fast_reserve(field, &field->scratch, 4 * places, sizeof *window, error);
    if (window == NULL) {
        return VX_NO_MEMORY;
    }
    uint32_t depth = field->size[1];
    for (uint32_t z = 0; z < depth; z++) {
        if (z > 0 && z + 1 < depth) {
            ledges_row(field, z, window, places, (int32_t)height, (int32_t)climb);
            continue;
        }
        for (uint32_t x = 0; x < field->size[0]; x++) {
            clear_column(field, x, z);
        }
    }
    return VX_OK;
}
