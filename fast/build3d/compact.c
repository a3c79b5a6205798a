/* SPDX-License-Identifier: MIT */
/* SPEC B7: the compact heightfield and its links. */
#include "kernels.h"

/* B7.1@91d48d: counts the spans that become compact ones, row by row and column by column. */
static void count_spans(const vx_build3d *field, vx_fast_compact *compact)
{
    size_t width = field->size[0];
    compact->base[0] = 0;
    for (size_t z = 0; z < field->size[1]; z++) {
        const vx_fast_row *row = &field->rows[z];
        uint32_t *first = compact->first + z * (width + 1);
        uint32_t count = 0;
        for (size_t x = 0; x < width; x++) {
            first[x] = count;
            for (uint32_t s = row->first != NULL ? row->first[x] : 0;
                 row->first != NULL && s < row->first[x + 1]; s++) {
                count += row->area[s] != 0;
            }
        }
        first[width] = count;
        compact->base[z + 1] = compact->base[z] + count;
    }
}

/* B7.1@91d48d for one row. */
static void fill_row(const vx_fast_row *row, size_t width, const vx_fast_compact *compact,
                     size_t at)
{
    for (size_t x = 0; row->first != NULL && x < width; x++) {
        uint32_t end = row->first[x + 1];
        for (uint32_t s = row->first[x]; s < end; s++) {
            if (row->area[s] != 0) {
                compact->y[at] = row->max[s];
                compact->height[at] =
                    s + 1 < end ? (uint16_t)(row->min[s + 1] - row->max[s]) : VX_OPEN_HEIGHT;
                compact->area[at] = row->area[s];
                at++;
            }
        }
    }
}

/* B7.3@bedabb, B7.4@d8ed8d: links the spans s … s_end − 1 of a column to t … t_end − 1 of a
 * neighbour. Going up the column, spans of the neighbour that are out of reach from below stay so:
 * their Y is too low for all further spans. */
static void link_columns(const vx_fast_compact *c, size_t s, size_t s_end, size_t t, size_t t_end,
                         int direction, int32_t height, int32_t climb)
{
    size_t t_first = t;
    for (; s < s_end; s++) {
        int32_t y = c->y[s];
        int32_t top = y + c->height[s];
        uint8_t link = VX_LINK_NONE;
        while (t < t_end && c->y[t] - y < -climb) {
            t++;
        }
        for (size_t i = t; i < t_end && c->y[i] - y <= climb; i++) {
            int32_t other_top = c->y[i] + c->height[i];
            int32_t low = c->y[i] > y ? c->y[i] : y;
            if ((top < other_top ? top : other_top) - low >= height) {
                link = i - t_first < VX_LINK_NONE ? (uint8_t)(i - t_first) : VX_LINK_NONE;
                break;
            }
        }
        c->link[s][direction] = link;
    }
}

static void link_row(const vx_build3d *field, const vx_fast_compact *c, size_t z, int32_t height,
                     int32_t climb)
{
    static const int dx[] = {-1, 0, 1, 0};
    static const int dz[] = {0, 1, 0, -1};
    size_t width = field->size[0];
    const uint32_t *first = c->first + z * (width + 1);
    memset(c->link[c->base[z]], VX_LINK_NONE, 4 * (c->base[z + 1] - c->base[z]));
    for (int d = 0; d < 4; d++) {
        if ((dz[d] < 0 && z == 0) || (dz[d] > 0 && z + 1 == field->size[1])) {
            continue;
        }
        size_t other_z = z + (size_t)dz[d];
        size_t begin = dx[d] < 0;
        size_t end = width - (dx[d] > 0);
        const uint32_t *other = c->first + other_z * (width + 1) + dx[d];
        for (size_t x = begin; x < end; x++) {
            link_columns(c, c->base[z] + first[x], c->base[z] + first[x + 1],
                         c->base[other_z] + other[x], c->base[other_z] + other[x + 1], d, height,
                         climb);
        }
    }
}

/* The links of 64 columns in the four directions. */
typedef uint8_t lane_links[4][VX_FAST_LANES];

/* Stores the links of one layer's spans in columns x … x + 63 of row z. */
static void store_links(const vx_fast_compact *c, size_t z, size_t width, size_t x, uint32_t layer,
                        lane_links links)
{
    const uint32_t *first = c->first + z * (width + 1);
    size_t end = x + VX_FAST_LANES < width ? x + VX_FAST_LANES : width;
    for (size_t i = x; i < end; i++) {
        if (first[i] + layer < first[i + 1]) {
            uint8_t *to = c->link[c->base[z] + first[i] + layer];
            for (size_t d = 0; d < 4; d++) {
                to[d] = links[d][i - x];
            }
        }
    }
}

/* The same where the row and its neighbours are in layers, 64 columns at once. Columns have at most
 * 16 spans there, which links can name. */
static void link_lanes(const vx_fast_window *window, const vx_fast_compact *c, size_t z,
                       int32_t height, int32_t climb)
{
    const vx_build3d *field = window->field;
    size_t width = field->size[0];
    for (size_t x = 0; x < width; x += VX_FAST_LANES) {
        int64_t at = (int64_t)x;
        vx_fast_layers own = vx_fast_window_at(window, z, at);
        vx_fast_layers others[] = {
            vx_fast_window_at(window, z, at - 1), vx_fast_window_at(window, z + 1, at),
            vx_fast_window_at(window, z, at + 1), vx_fast_window_at(window, z + 2, at)};
        /* Outside the grid there is no layer. Row z − 1 has the place of row z + 2. */
        others[1].count = z + 1 < field->size[1] ? others[1].count : 0;
        others[3].count = z > 0 ? others[3].count : 0;
        lane_links links;
        for (uint32_t layer = 0; layer < own.count; layer++) {
            for (size_t d = 0; d < 4; d++) {
                field->kernels->link(links[d], own.low + layer * own.stride,
                                     own.high + layer * own.stride, &others[d], height, climb);
            }
            store_links(c, z, width, x, layer, links);
        }
    }
}

static vx_status allocate_spans(vx_build3d *field, vx_fast_compact *c, vx_error *error)
{
    size_t count = c->base[field->size[1]];
    if (count > SIZE_MAX / 64) {
        return vx_fail(error, VX_NO_MEMORY, "no memory for %zu spans", count);
    }
    size_t size = 2 * sizeof *c->y + sizeof *c->area + sizeof *c->link;
    char *memory = vx_fast_alloc(field, count * size, error);
    if (memory == NULL) {
        return VX_NO_MEMORY;
    }
    c->link = (void *)memory;
    c->y = (void *)(c->link + count);
    c->height = c->y + count;
    c->area = (void *)(c->height + count);
    return VX_OK;
}

vx_status vx_fast_make_compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    vx_status status = vx_fast_check_place(field, false, "compact", error);
    if (status == VX_OK) {
        status = vx_fast_check_integer(height, 1, VX_ROWS_MAX, "height", error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_integer(climb, 0, VX_ROWS_MAX, "climb", error);
    }
    if (status != VX_OK) {
        return status;
    }
    size_t width = field->size[0];
    size_t depth = field->size[1];
    size_t bytes = (depth + 1) * sizeof(size_t) + depth * (width + 1) * sizeof(uint32_t);
    vx_fast_window window;
    status = vx_fast_window_open(field, &window, error);
    vx_fast_compact c = {.base = status == VX_OK ? vx_fast_alloc(field, bytes, error) : NULL};
    if (c.base == NULL) {
        return VX_NO_MEMORY;
    }
    c.first = (void *)(c.base + depth + 1);
    count_spans(field, &c);
    status = allocate_spans(field, &c, error);
    if (status != VX_OK) {
        vx_fast_release(field, c.base, bytes);
        return status;
    }
    for (size_t z = 0; z < depth; z++) {
        fill_row(&field->rows[z], width, &c, c.base[z]);
    }
    /* The window reads the field's compact spans; the field is not compact before it is_compact. */
    field->compact = c;
    vx_fast_window_load_compact(&window, 0);
    for (size_t z = 0; z < depth; z++) {
        if (z + 1 < depth) {
            vx_fast_window_load_compact(&window, z + 1);
        }
        if (vx_fast_window_is_ready(&window, z)) {
            link_lanes(&window, &c, z, (int32_t)height, (int32_t)climb);
        } else {
            link_row(field, &c, z, (int32_t)height, (int32_t)climb);
        }
        vx_fast_release(field, field->rows[z].first, field->rows[z].bytes);
        field->rows[z] = (vx_fast_row){0};
    }
    field->span_count = c.base[depth];
    field->is_compact = true;
    return VX_OK;
}
