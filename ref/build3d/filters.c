/* SPDX-License-Identifier: MIT */
/* Filters (B6). They change areas in place; nothing in them can fail after the checks. */
#include "ref.h"

/* B6.1@c17637: height and climb obey B0.12@de3b14: an integer from 1, or from 0, to 2^30. */
static vx_status check_height(int64_t height, vx_error *error)
{
    return vx_ref_check_integer(height, 1, VX_ROWS_MAX, VX_OUT_OF_RANGE, error, "height");
}

static vx_status check_climb(int64_t climb, vx_error *error)
{
    return vx_ref_check_integer(climb, 0, VX_ROWS_MAX, VX_OUT_OF_RANGE, error, "climb");
}

/* B6.2@114428: the ceiling of a span is the Min of the next span up in its column, and Unbounded
 * for the top span. */
static int64_t ceiling(const vx_ref_node *s)
{
    return s->next != NULL ? s->next->min : VX_ROWS_MAX;
}

vx_status vx_ref_low_hanging(vx_build3d *field, int64_t climb, vx_error *error)
{
    vx_status status = vx_ref_require_solid(field, "lowHanging", error);
    if (status == VX_OK) {
        status = check_climb(climb, error);
    }
    if (status != VX_OK) {
        return status;
    }
    for (size_t column = 0; column < field->columns; column++) {
        /* B6.3@b3f6c6: for each two consecutive spans p below s of a column, if s.Area = 0, p.Area
         * ≠ 0 and s.Max − p.Max ≤ climb, then s.Area becomes p.Area. B6.4@8a3782: the areas are
         * those before the filter, so p's is kept while s's may change. */
        const vx_ref_node *p = field->column[column].first;
        int32_t p_area = p != NULL ? p->area : 0;
        for (vx_ref_node *s = p != NULL ? p->next : NULL; s != NULL; s = s->next) {
            int32_t s_area = s->area;
            if (s_area == 0 && p_area != 0 && s->max - p->max <= climb) {
                s->area = p_area;
            }
            VX_TRACE(field, "B6.3",
                     VX_COLUMN ": [%d, %d) area %d above Max = %d with area %d: now area %d",
                     VX_XZ(field, column), (int)s->min, (int)s->max, (int)s_area, (int)p->max,
                     (int)p_area, (int)s->area);
            p = s;
            p_area = s_area;
        }
    }
    return VX_OK;
}

/* What the gaps around a span amount to (B6.7@cb7b8e). */
typedef struct surroundings {
    int64_t lowest_drop; /* 0 without a drop (B6.8@95294b) */
    bool accessible;     /* whether there is an accessible floor */
    int64_t min_floor, max_floor;
} surroundings;

static void see_drop(surroundings *around, int64_t drop)
{
    if (drop < around->lowest_drop) {
        around->lowest_drop = drop;
    }
}

/* B6.6@47b689: a gap is passable when min(c, its ceiling) − max(f, its floor) ≥ height. A passable
 * gap gives the drop (its floor) − f; if |drop| ≤ climb its floor is accessible. */
static void see_gap(const vx_build3d *field, const vx_ref_node *s, int64_t gap_floor,
                    int64_t gap_ceiling, int64_t height, int64_t climb, surroundings *around)
{
    int64_t f = s->max;
    int64_t c = ceiling(s);
    int64_t low = f > gap_floor ? f : gap_floor;
    int64_t high = c < gap_ceiling ? c : gap_ceiling;
    if (high - low < height) {
        VX_TRACE(field, "B6.6", "gap %lld to %lld: %lld is not passable", (long long)gap_floor,
                 (long long)gap_ceiling, (long long)(high - low));
        return;
    }
    int64_t drop = gap_floor - f;
    see_drop(around, drop);
    if (drop >= -climb && drop <= climb) {
        if (!around->accessible || gap_floor < around->min_floor) {
            around->min_floor = gap_floor;
        }
        if (!around->accessible || gap_floor > around->max_floor) {
            around->max_floor = gap_floor;
        }
        around->accessible = true;
    }
    VX_TRACE(field, "B6.6", "gap %lld to %lld: %lld is passable, drop %lld%s", (long long)gap_floor,
             (long long)gap_ceiling, (long long)(high - low), (long long)drop,
             drop >= -climb && drop <= climb ? ", accessible" : "");
}

/* B6.5@c31cdf: the neighbour's gaps are: floor −climb to ceiling Min of its first span (Unbounded
 * when it has none), and for every span n of it, floor n.Max to ceiling of n. */
static void see_column(const vx_build3d *field, const vx_ref_node *s, const vx_ref_node *first,
                       int64_t height, int64_t climb, surroundings *around)
{
    see_gap(field, s, -climb, first != NULL ? first->min : VX_ROWS_MAX, height, climb, around);
    for (const vx_ref_node *n = first; n != NULL; n = n->next) {
        see_gap(field, s, n->max, ceiling(n), height, climb, around);
    }
}

/* B6.7@cb7b8e: s is a ledge if the lowest of all drops is < −climb, or if the largest minus the
 * smallest of all accessible floors, over the four neighbours together, is > climb. */
static bool is_ledge(const vx_build3d *field, const vx_ref_node *s, int32_t x, int32_t z,
                     int64_t height, int64_t climb)
{
    const vx_ref_grid *grid = &field->grid;
    VX_TRACE(field, "B6.5", "span (%d, %d) [%d, %d): f = %d, c = %lld", (int)x, (int)z, (int)s->min,
             (int)s->max, (int)s->max, (long long)ceiling(s));
    surroundings around = {0};
    for (int d = 0; d < 4; d++) {
        int32_t nx, nz;
        VX_TRACE(field, "B6.5", "neighbour in direction %d", d);
        if (vx_ref_neighbour(grid, x, z, d, &nx, &nz)) {
            size_t column = (size_t)nx + (size_t)nz * (size_t)grid->W;
            see_column(field, s, field->column[column].first, height, climb, &around);
        } else {
            /* B6.5@c31cdf: a neighbour outside the grid gives a drop of −climb − 1. */
            see_drop(&around, -climb - 1);
            VX_TRACE(field, "B6.5", "outside the grid: drop %lld", (long long)(-climb - 1));
        }
    }
    /* B6.8@95294b: without a drop no drop is < −climb, and without accessible floors the difference
     * is 0.
     */
    int64_t difference = around.max_floor - around.min_floor;
    bool ledge = around.lowest_drop < -climb || difference > climb;
    VX_TRACE(field, "B6.7", "lowest drop %lld, accessible floors differ by %lld: %s",
             (long long)around.lowest_drop, (long long)difference, ledge ? "ledge" : "no ledge");
    return ledge;
}

/* B6.5@c31cdf: each span with Area ≠ 0 is tested. B6.7@cb7b8e: a ledge's Area becomes 0.
 * B6.9@99af55: the tests read no other areas, so that they may change on the way. */
static void find_ledges(vx_build3d *field, int32_t x, int32_t z, int64_t height, int64_t climb)
{
    size_t column = (size_t)x + (size_t)z * (size_t)field->grid.W;
    for (vx_ref_node *s = field->column[column].first; s != NULL; s = s->next) {
        if (s->area != 0 && is_ledge(field, s, x, z, height, climb)) {
            s->area = 0;
        }
    }
}

vx_status vx_ref_ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    vx_status status = vx_ref_require_solid(field, "ledges", error);
    if (status == VX_OK) {
        status = check_height(height, error);
    }
    if (status == VX_OK) {
        status = check_climb(climb, error);
    }
    if (status != VX_OK) {
        return status;
    }
    for (int32_t z = 0; z < field->grid.D; z++) {
        for (int32_t x = 0; x < field->grid.W; x++) {
            find_ledges(field, x, z, height, climb);
        }
    }
    return VX_OK;
}

vx_status vx_ref_low_height(vx_build3d *field, int64_t height, vx_error *error)
{
    vx_status status = vx_ref_require_solid(field, "lowHeight", error);
    if (status == VX_OK) {
        status = check_height(height, error);
    }
    if (status != VX_OK) {
        return status;
    }
    for (size_t column = 0; column < field->columns; column++) {
        /* B6.10@bb40e4: a span with Area ≠ 0 and a span above it becomes 0 when
         * (Min of the span above) − s.Max < height. */
        for (vx_ref_node *s = field->column[column].first; s != NULL && s->next != NULL;
             s = s->next) {
            if (s->area != 0 && s->next->min - s->max < height) {
                s->area = 0;
            }
            VX_TRACE(field, "B6.10", VX_COLUMN ": [%d, %d), the next Min is %d: now area %d",
                     VX_XZ(field, column), (int)s->min, (int)s->max, (int)s->next->min,
                     (int)s->area);
        }
    }
    return VX_OK;
}
