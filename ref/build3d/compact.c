/* SPDX-License-Identifier: MIT */
/* The compact heightfield (B7). */
#include <stdlib.h>

#include "ref.h"

bool vx_ref_neighbour(const vx_ref_grid *grid, int32_t x, int32_t z, int d, int32_t *nx,
                      int32_t *nz)
{
    /* B7.2@392666: the directions are 0 = −x, 1 = +z, 2 = +x, 3 = −z. */
    static const int32_t dx[4] = {-1, 0, 1, 0};
    static const int32_t dz[4] = {0, 1, 0, -1};
    *nx = x + dx[d];
    *nz = z + dz[d];
    return *nx >= 0 && *nx < grid->W && *nz >= 0 && *nz < grid->D;
}

bool vx_ref_linked(const vx_build3d *field, size_t s, int32_t x, int32_t z, int d, size_t *t,
                   int32_t *tx, int32_t *tz)
{
    uint8_t m = field->open[s].link[d];
    if (m == VX_LINK_NONE) {
        return false;
    }
    /* A link leads to a neighbour inside the grid (B7.3@bedabb). */
    (void)vx_ref_neighbour(&field->grid, x, z, d, tx, tz);
    *t = field->cell_first[(size_t)*tx + (size_t)*tz * (size_t)field->grid.W] + m;
    return true;
}

/* The compact span of a solid one (B7.1@91d48d). */
static vx_ref_open open_span(const vx_ref_node *s)
{
    /* B7.1@91d48d: Y = s.Max, Area = s.Area, Height = min(65535, ceiling − s.Max); 65535 for the
     * top span. A ceiling is a row of the grid, so that the difference cannot be larger. */
    return (vx_ref_open){.y = s->max,
                         .height = s->next != NULL ? s->next->min - s->max : VX_OPEN_HEIGHT,
                         .area = (uint8_t)s->area,
                         .link = {VX_LINK_NONE, VX_LINK_NONE, VX_LINK_NONE, VX_LINK_NONE}};
}

/* B7.1@91d48d: from every solid span with Area ≠ 0, in column order and from the bottom up. */
static void open_columns(vx_build3d *field)
{
    size_t count = 0;
    for (size_t column = 0; column < field->columns; column++) {
        field->cell_first[column] = count;
        for (const vx_ref_node *s = field->column[column].first; s != NULL; s = s->next) {
            if (s->area != 0) {
                field->open[count] = open_span(s);
                VX_TRACE(field, "B7.1", VX_COLUMN ": span %zu: Y = %d, Height = %d, Area = %d",
                         VX_XZ(field, column), count - field->cell_first[column],
                         (int)field->open[count].y, (int)field->open[count].height, (int)s->area);
                count++;
            }
        }
    }
    field->cell_first[field->columns] = count;
}

/* B7.3@bedabb: whether min(s.Y + s.Height, t.Y + t.Height) − max(s.Y, t.Y) ≥ height and
 * |t.Y − s.Y| ≤ climb. */
static bool fits(const vx_build3d *field, const vx_ref_open *s, const vx_ref_open *t,
                 int64_t height, int64_t climb)
{
    int32_t s_top = s->y + s->height;
    int32_t t_top = t->y + t->height;
    int32_t top = s_top < t_top ? s_top : t_top;
    int32_t bottom = s->y > t->y ? s->y : t->y;
    int32_t step = abs(t->y - s->y);
    bool good = top - bottom >= height && step <= climb;
    VX_TRACE(field, "B7.3", "Y = %d to Y = %d: common height %d, step %d: %s", (int)s->y, (int)t->y,
             (int)(top - bottom), (int)step, good ? "fits" : "does not fit");
    return good;
}

/* B7.3@bedabb: s is linked to the lowest span t of the column that fits. B7.4@d8ed8d: a link is the
 * index m of t; when it is above 62, there is no link: 63. B7.5@fdd2a7: whether t is linked to s is
 * not asked. */
static uint8_t find_link(const vx_build3d *field, const vx_ref_open *s, size_t column,
                         int64_t height, int64_t climb)
{
    size_t first = field->cell_first[column];
    for (size_t t = first; t < field->cell_first[column + 1]; t++) {
        if (fits(field, s, &field->open[t], height, climb)) {
            return t - first < VX_LINK_NONE ? (uint8_t)(t - first) : VX_LINK_NONE;
        }
    }
    return VX_LINK_NONE;
}

static void link_column(vx_build3d *field, int32_t x, int32_t z, int64_t height, int64_t climb)
{
    const vx_ref_grid *grid = &field->grid;
    size_t column = (size_t)x + (size_t)z * (size_t)grid->W;
    for (size_t i = field->cell_first[column]; i < field->cell_first[column + 1]; i++) {
        vx_ref_open *s = &field->open[i];
        for (int d = 0; d < 4; d++) {
            int32_t nx, nz;
            /* B7.3@bedabb: outside the grid there is no link. */
            if (vx_ref_neighbour(grid, x, z, d, &nx, &nz)) {
                size_t neighbour = (size_t)nx + (size_t)nz * (size_t)grid->W;
                s->link[d] = find_link(field, s, neighbour, height, climb);
            }
            VX_TRACE(field, "B7.4", VX_COLUMN ": span %zu (Y = %d): link %d in direction %d",
                     VX_XZ(field, column), i - field->cell_first[column], (int)s->y,
                     (int)s->link[d], d);
        }
    }
}

static size_t count_walkable(const vx_build3d *field)
{
    size_t count = 0;
    for (size_t column = 0; column < field->columns; column++) {
        for (const vx_ref_node *s = field->column[column].first; s != NULL; s = s->next) {
            count += s->area != 0;
        }
    }
    return count;
}

vx_status vx_ref_compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    vx_status status = vx_ref_require_solid(field, "compact", error);
    /* B7.1@91d48d: height and climb obey B0.12@de3b14. */
    if (status == VX_OK) {
        status = vx_ref_check_integer(height, 1, VX_ROWS_MAX, VX_OUT_OF_RANGE, error, "height");
    }
    if (status == VX_OK) {
        status = vx_ref_check_integer(climb, 0, VX_ROWS_MAX, VX_OUT_OF_RANGE, error, "climb");
    }
    if (status != VX_OK) {
        return status;
    }
    vx_arena_mark mark = vx_arena_get_mark(field->arena);
    size_t *cell_first =
        vx_arena_alloc(field->arena, field->columns + 1, sizeof *cell_first, _Alignof(size_t));
    vx_ref_open *open =
        vx_arena_alloc(field->arena, count_walkable(field), sizeof *open, _Alignof(vx_ref_open));
    if (cell_first == NULL || open == NULL) {
        vx_arena_rewind(field->arena, mark);
        return vx_ref_no_memory(field, error);
    }
    field->cell_first = cell_first;
    field->open = open;
    open_columns(field);
    for (int32_t z = 0; z < field->grid.D; z++) {
        for (int32_t x = 0; x < field->grid.W; x++) {
            link_column(field, x, z, height, climb);
        }
    }
    field->is_compact = true;
    return VX_OK;
}
