/* SPDX-License-Identifier: MIT */
/* Erosion (B8): distances by relaxation until nothing changes, which is the exact minimum. */
#include "ref.h"

/* B8.2@3da75b: a compact span is a boundary span when its area is 0, or when in any of the four
 * directions it has no link or is linked to a span with area 0. */
static bool is_boundary(const vx_build3d *field, size_t s, int32_t x, int32_t z)
{
    bool boundary = field->open[s].area == 0;
    for (int d = 0; d < 4 && !boundary; d++) {
        size_t t;
        int32_t tx, tz;
        boundary = !vx_ref_linked(field, s, x, z, d, &t, &tx, &tz) || field->open[t].area == 0;
    }
    return boundary;
}

/* B8.3@d10d43: a step goes from a span to the one that it is linked to, cost 2; or along two links
 * in perpendicular directions, the second being a link of the span reached by the first, in either
 * order, cost 3. Returns the least distance of span s over all its steps, at most what it has. */
static uint32_t relaxed(const vx_build3d *field, const uint32_t *dist, size_t s, int32_t x,
                        int32_t z)
{
    uint32_t least = dist[s];
    for (int d = 0; d < 4; d++) {
        size_t t;
        int32_t tx, tz;
        if (!vx_ref_linked(field, s, x, z, d, &t, &tx, &tz)) {
            continue;
        }
        least = dist[t] + 2 < least ? dist[t] + 2 : least;
        for (int turn = 1; turn <= 3; turn += 2) {
            size_t u;
            int32_t ux, uz;
            if (vx_ref_linked(field, t, tx, tz, (d + turn) % 4, &u, &ux, &uz)) {
                least = dist[u] + 3 < least ? dist[u] + 3 : least;
            }
        }
    }
    return least;
}

/* Relaxes the spans of one column, from the bottom up; whether one changed. */
static bool relax_column(const vx_build3d *field, uint32_t *dist, size_t column)
{
    int32_t x = (int32_t)(column % (size_t)field->grid.W);
    int32_t z = (int32_t)(column / (size_t)field->grid.W);
    bool changed = false;
    for (size_t s = field->cell_first[column]; s < field->cell_first[column + 1]; s++) {
        uint32_t least = relaxed(field, dist, s, x, z);
        changed = changed || least < dist[s];
        dist[s] = least;
    }
    return changed;
}

/* Boundary spans have 0, all others start with 2·r, the most that counts (B8.4@f23dc2). */
static void start_distances(const vx_build3d *field, uint32_t *dist, uint32_t most)
{
    for (size_t column = 0; column < field->columns; column++) {
        int32_t x = (int32_t)(column % (size_t)field->grid.W);
        int32_t z = (int32_t)(column / (size_t)field->grid.W);
        for (size_t s = field->cell_first[column]; s < field->cell_first[column + 1]; s++) {
            dist[s] = is_boundary(field, s, x, z) ? 0 : most;
            VX_TRACE(field, "B8.2", VX_COLUMN ": span %zu: %s", VX_XZ(field, column),
                     s - field->cell_first[column], dist[s] == 0 ? "boundary" : "no boundary");
        }
    }
}

/* B8.4@f23dc2: dist(s) is the smaller of 2·r and the least total cost over all paths of steps from
 * s to a boundary span. Sweeps in both directions of the column order, by turns, until one changes
 * nothing. */
static void find_distances(const vx_build3d *field, uint32_t *dist, uint32_t most)
{
    start_distances(field, dist, most);
    bool forward = true;
    for (bool changed = true; changed; forward = !forward) {
        changed = false;
        for (size_t i = 0; i < field->columns; i++) {
            size_t column = forward ? i : field->columns - 1 - i;
            changed = relax_column(field, dist, column) || changed;
        }
    }
}

vx_status vx_ref_erode(vx_build3d *field, int64_t radius, vx_error *error)
{
    vx_status status = vx_ref_require_compact(field, "erode", error);
    /* B8.1@81eef9: the radius r obeys B0.12@de3b14. */
    if (status == VX_OK) {
        status = vx_ref_check_integer(radius, 0, VX_RADIUS_MAX, VX_OUT_OF_RANGE, error, "radius");
    }
    if (status != VX_OK) {
        return status;
    }
    vx_arena_mark mark = vx_arena_get_mark(field->arena);
    uint32_t *dist = vx_arena_alloc(field->arena, field->cell_first[field->columns], sizeof *dist,
                                    _Alignof(uint32_t));
    if (dist == NULL) {
        return vx_ref_no_memory(field, error);
    }
    uint32_t most = 2 * (uint32_t)radius;
    find_distances(field, dist, most);
    /* B8.5@f79865: every span with dist(s) < 2·r gets area 0. */
    for (size_t column = 0; column < field->columns; column++) {
        for (size_t s = field->cell_first[column]; s < field->cell_first[column + 1]; s++) {
            VX_TRACE(field, "B8.4", VX_COLUMN ": span %zu: dist = %u", VX_XZ(field, column),
                     s - field->cell_first[column], (unsigned)dist[s]);
            if (dist[s] < most) {
                field->open[s].area = 0;
            }
        }
    }
    vx_arena_rewind(field->arena, mark);
    return VX_OK;
}
