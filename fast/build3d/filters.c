/* SPDX-License-Identifier: MIT */
/* SPEC B6: the filters, row by row. */
#include "kernels.h"

/* --- columns of one row ----------------------------------------------------------------------- */

/* B6.3@b3f6c6, B6.4@8a3782: from the top down, so that p still has the area it had before. */
static void low_hanging_row(const vx_fast_row *row, uint32_t width, int64_t climb)
{
    for (uint32_t x = 0; x < width; x++) {
        for (uint32_t s = row->first[x + 1]; s-- > row->first[x] + 1;) {
            if (row->area[s] == 0 && row->max[s] - row->max[s - 1] <= climb) {
                row->area[s] = row->area[s - 1];
            }
        }
    }
}

/* B6.10@bb40e4. */
static void low_height_row(const vx_fast_row *row, uint32_t width, int64_t height)
{
    for (uint32_t x = 0; x < width; x++) {
        for (uint32_t s = row->first[x]; s + 1 < row->first[x + 1]; s++) {
            if (row->min[s + 1] - row->max[s] < height) {
                row->area[s] = 0;
            }
        }
    }
}

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

vx_status vx_fast_low_hanging(vx_build3d *field, int64_t climb, vx_error *error)
{
    vx_status status = begin(field, "lowHanging", 1, climb, error);
    for (uint32_t z = 0; status == VX_OK && z < field->size[1]; z++) {
        if (field->rows[z].first != NULL) {
            low_hanging_row(&field->rows[z], field->size[0], climb);
        }
    }
    return status;
}

vx_status vx_fast_low_height(vx_build3d *field, int64_t height, vx_error *error)
{
    vx_status status = begin(field, "lowHeight", height, 0, error);
    for (uint32_t z = 0; status == VX_OK && z < field->size[1]; z++) {
        if (field->rows[z].first != NULL) {
            low_height_row(&field->rows[z], field->size[0], height);
        }
    }
    return status;
}

/* --- ledges: B6.5@c31cdf to B6.8@95294b
 * --------------------------------------------------------------------- */

typedef struct ledge_test {
    int32_t height, climb;
    int32_t floor, ceiling; /* of the span that is tested */
    int32_t low, high;      /* of the accessible floors so far */
} ledge_test;

/* A gap with a floor that is a span's; false when its drop makes a ledge. */
static bool see_gap(ledge_test *t, int32_t floor, int32_t ceiling)
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

/* A neighbour column inside the grid; false when one of its gaps makes a ledge. The gap below its
 * first span is passable when it is high enough above t's floor, which is above −climb, and then
 * its drop is below −climb. */
static bool see_column(ledge_test *t, const vx_fast_row *row, uint32_t x)
{
    uint32_t n = row->first != NULL ? row->first[x] : 0;
    uint32_t end = row->first != NULL ? row->first[x + 1] : 0;
    int32_t first = n < end ? row->min[n] : VX_ROWS_MAX;
    if ((first < t->ceiling ? first : t->ceiling) - t->floor >= t->height) {
        return false;
    }
    for (; n < end; n++) {
        if (!see_gap(t, row->max[n], n + 1 < end ? row->min[n + 1] : VX_ROWS_MAX)) {
            return false;
        }
    }
    return true;
}

static bool is_ledge(ledge_test *t, const vx_build3d *field, uint32_t x, uint32_t z)
{
    const vx_fast_row *row = &field->rows[z];
    /* A neighbour outside the grid is a drop of −climb − 1 (B6.5@c31cdf). */
    if (x == 0 || z == 0 || x + 1 == field->size[0] || z + 1 == field->size[1]) {
        return true;
    }
    return !see_column(t, row, x - 1) || !see_column(t, row + 1, x) || !see_column(t, row, x + 1) ||
           !see_column(t, row - 1, x) || t->high - t->low > t->climb;
}

static void ledges_row(const vx_build3d *field, uint32_t z, int32_t height, int32_t climb)
{
    const vx_fast_row *row = &field->rows[z];
    for (uint32_t x = 0; x < field->size[0]; x++) {
        uint32_t end = row->first[x + 1];
        for (uint32_t s = row->first[x]; s < end; s++) {
            if (row->area[s] == 0) {
                continue;
            }
            ledge_test t = {.height = height,
                            .climb = climb,
                            .floor = row->max[s],
                            .ceiling = s + 1 < end ? row->min[s + 1] : VX_ROWS_MAX,
                            .low = VX_ROWS_MAX,
                            .high = 0};
            if (is_ledge(&t, field, x, z)) {
                row->area[s] = 0;
            }
        }
    }
}

/* The same for 64 columns of a row from x on, whose neighbours in the four directions are in
 * layers. The gap below a column's first span is one more layer: its floor −climb is a drop that is
 * too deep wherever it can be passed. */
static void see_lanes(const vx_fast_window *window, size_t z, size_t x, uint32_t layer,
                      const int32_t *below, vx_fast_seen *seen, int32_t height, int32_t climb)
{
    const vx_fast_kernels *kernels = window->field->kernels;
    int64_t at = (int64_t)x;
    vx_fast_layers own = vx_fast_window_at(window, z, at);
    const int32_t *low = own.low + layer * own.stride;
    const int32_t *high = own.high + layer * own.stride;
    vx_fast_layers others[] = {
        vx_fast_window_at(window, z, at - 1), vx_fast_window_at(window, z, at + 1),
        vx_fast_window_at(window, z - 1, at), vx_fast_window_at(window, z + 1, at)};
    for (size_t i = 0; i < VX_FAST_LANES; i++) {
        int32_t ceiling = high[i] < below[x + i] ? high[i] : below[x + i];
        seen->low[i] = VX_ROWS_MAX;
        seen->high[i] = 0;
        seen->deep[i] = ceiling - low[i] >= height;
    }
    for (size_t i = 0; i < 4; i++) {
        kernels->see(seen, low, high, &others[i], height, climb);
    }
    for (size_t i = 0; i < VX_FAST_LANES; i++) {
        seen->deep[i] |= seen->high[i] - seen->low[i] > climb;
    }
}

/* The Min of a column's first span, Unbounded without one. */
static int32_t first_min(const vx_fast_row *row, size_t x)
{
    return row->first != NULL && row->first[x] < row->first[x + 1] ? row->min[row->first[x]]
                                                                   : VX_ROWS_MAX;
}

/* The highest first Min of each column's four neighbours: the gap below it is passable when any of
 * the four is. */
static void find_below(const vx_build3d *field, size_t z, int32_t *below)
{
    size_t width = field->size[0];
    const vx_fast_row *row = &field->rows[z];
    for (size_t x = 1; x + 1 < width; x++) {
        int32_t least = first_min(row, x - 1);
        int32_t others[] = {first_min(row, x + 1), first_min(row - 1, x), first_min(row + 1, x)};
        for (size_t i = 0; i < 3; i++) {
            least = others[i] > least ? others[i] : least;
        }
        below[x] = least;
    }
    /* On the border every span is a ledge. */
    below[0] = below[width - 1] = VX_ROWS_MAX;
}

/* B6.7@cb7b8e for the spans of one layer; on the border of the grid every one is a ledge. */
static void clear_ledges(const vx_fast_row *row, size_t width, size_t x, uint32_t layer,
                         const vx_fast_seen *seen)
{
    size_t end = x + VX_FAST_LANES < width ? x + VX_FAST_LANES : width;
    for (size_t i = x; i < end; i++) {
        uint32_t s = row->first[i] + layer;
        bool is_border = i == 0 || i + 1 == width;
        if (s < row->first[i + 1] && (seen->deep[i - x] != 0 || is_border)) {
            row->area[s] = 0;
        }
    }
}

static void ledges_lanes(const vx_fast_window *window, size_t z, const int32_t *below,
                         int32_t height, int32_t climb)
{
    const vx_build3d *field = window->field;
    size_t width = field->size[0];
    vx_fast_seen seen;
    for (size_t x = 0; x < width; x += VX_FAST_LANES) {
        uint32_t depth = vx_fast_window_at(window, z, (int64_t)x).count;
        for (uint32_t layer = 0; layer < depth; layer++) {
            see_lanes(window, z, x, layer, below, &seen, height, climb);
            clear_ledges(&field->rows[z], width, x, layer, &seen);
        }
    }
}

vx_status vx_fast_ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    vx_status status = begin(field, "ledges", height, climb, error);
    if (status != VX_OK) {
        return status;
    }
    vx_fast_window window;
    size_t lanes = (size_t)field->size[0] + VX_FAST_LANES;
    int32_t *below = vx_fast_reserve(field, &field->merged, lanes, sizeof *below, error);
    status = vx_fast_window_open(field, &window, error);
    if (below == NULL || status != VX_OK) {
        return VX_NO_MEMORY;
    }
    memset(below, 0, lanes * sizeof *below);
    uint32_t depth = field->size[1];
    vx_fast_window_load_solid(&window, 0);
    for (uint32_t z = 0; z < depth; z++) {
        if (z + 1 < depth) {
            vx_fast_window_load_solid(&window, z + 1);
        }
        if (field->rows[z].first == NULL) {
            continue;
        }
        bool is_border = z == 0 || z + 1 == depth;
        if (!is_border && vx_fast_window_is_ready(&window, z)) {
            find_below(field, z, below);
            ledges_lanes(&window, z, below, (int32_t)height, (int32_t)climb);
        } else {
            ledges_row(field, z, (int32_t)height, (int32_t)climb);
        }
    }
    return VX_OK;
}
