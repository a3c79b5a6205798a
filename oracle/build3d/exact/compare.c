/* SPDX-License-Identifier: MIT */
/* An implementation's solid rows held against what an operation must fill and what it may (SPEC B2
 * to B5). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "solid.h"

static int by_place(const void *left, const void *right)
{
    const vx_exact_rows *a = left;
    const vx_exact_rows *b = right;
    if (a->column != b->column) {
        return a->column < b->column ? -1 : 1;
    }
    return (a->min > b->min) - (a->min < b->min);
}

static void sort(vx_exact_list *list)
{
    if (list->count > 0) {
        qsort(list->items, list->count, sizeof *list->items, by_place);
    }
}

/* Where the rows of one column stand in a sorted list. */
typedef struct part {
    const vx_exact_rows *rows;
    size_t count;
} part;

/* The part of the column; at is where the part of an earlier column, or of the first, began. */
static part find_column(const vx_exact_list *list, size_t *at, uint32_t column)
{
    part found = {0};
    while (*at < list->count && list->items[*at].column < column) {
        ++*at;
    }
    while (*at + found.count < list->count && list->items[*at + found.count].column == column) {
        found.count++;
    }
    found.rows = found.count > 0 ? &list->items[*at] : NULL;
    return found;
}

typedef struct comparison {
    const vx_exact_solid *solid;
    const vx_exact_court *court;
    vx_exact_list before, after;
    part may;      /* of the column at hand */
    bool *differs; /* becomes true with the first finding */
} comparison;

static void tell(const comparison *of, const vx_exact_finding *finding)
{
    *of->differs = true;
    of->court->report(of->court->context, finding);
}

static vx_exact_finding start(const comparison *of, uint32_t column, int64_t min, int64_t max)
{
    int64_t width = of->solid->size[0];
    return (vx_exact_finding){.x = column % width, .z = column / width, .min = min, .max = max};
}

/* --- rows that nothing fills ------------------------------------------------------------------ */

/* What of the column's rows lies nearest to [min, max). */
static const vx_exact_rows *nearest(part column, int64_t min, int64_t max)
{
    const vx_exact_rows *found = NULL;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < column.count; i++) {
        const vx_exact_rows *rows = &column.rows[i];
        int64_t gap = rows->min >= max ? rows->min - max : min - rows->max;
        if (gap < least) {
            least = gap;
            found = rows;
        }
    }
    return found;
}

static void report_extra(const comparison *of, const vx_exact_rows *rows, int64_t min, int64_t max)
{
    vx_exact_finding finding = start(of, rows->column, min, max);
    const vx_exact_rows *near = nearest(of->may, min, max);
    if (near == NULL) {
        finding.clause = "B2.19";
        (void)snprintf(finding.text, sizeof finding.text,
                       "filled, but nothing that the step adds touches this column: exact area 0, "
                       "also when every triangle is %.3g cells larger along u, %.3g along w",
                       of->solid->reach[0], of->solid->reach[1]);
    } else if (near->source == VX_EXACT_SPAN) {
        finding.clause = "B3.3";
        (void)snprintf(finding.text, sizeof finding.text,
                       "filled, but the nearest span that the step adds is [%d, %d)", near->min,
                       near->max);
    } else {
        finding.clause = "B2.24";
        (void)snprintf(finding.text, sizeof finding.text,
                       "filled, but the nearest surface here, triangle %" PRIu32
                       ", has exact v from %.9g to %.9g; bound %.3g",
                       near->triangle, near->least, near->greatest, (double)near->bound);
    }
    tell(of, &finding);
}

/* --- rows that are not filled ----------------------------------------------------------------- */

static void report_lost(const comparison *of, const vx_exact_rows *rows, int64_t min, int64_t max)
{
    vx_exact_finding finding = start(of, rows->column, min, max);
    finding.clause = "B3.3";
    (void)snprintf(finding.text, sizeof finding.text, "empty, but filled before the step");
    tell(of, &finding);
}

static void report_missing(const comparison *of, const vx_exact_rows *rows, int64_t min,
                           int64_t max)
{
    vx_exact_finding finding = start(of, rows->column, min, max);
    bool all = min == rows->min && max == rows->max;
    if (rows->source == VX_EXACT_SPAN) {
        finding.clause = "B3.3";
        (void)snprintf(finding.text, sizeof finding.text,
                       "empty, but the step adds the span [%d, %d)", rows->min, rows->max);
    } else if (all) {
        bool wall = rows->source == VX_EXACT_WALL;
        finding.clause = wall ? "B2.20" : "B2.19";
        (void)snprintf(finding.text, sizeof finding.text,
                       "empty, but triangle %" PRIu32 " touches this cell: exact %s at least %.9g; "
                       "bound %.3g",
                       rows->triangle, wall ? "area of the wall" : "area", (double)rows->area,
                       (double)rows->area_bound);
    } else {
        finding.clause = "B2.24";
        (void)snprintf(finding.text, sizeof finding.text,
                       "empty, but triangle %" PRIu32
                       " has exact v at least from %.9g to %.9g here; bound %.3g",
                       rows->triangle, rows->least, rows->greatest, (double)rows->bound);
    }
    tell(of, &finding);
}

/* --- comparing -------------------------------------------------------------------------------- */

typedef void found_fn(const comparison *of, const vx_exact_rows *rows, int64_t min, int64_t max);

/* Calls found with the rows from bare on that two covers, each sorted by min, leave bare. */
static void subtract(const comparison *of, found_fn *found, const vx_exact_rows *rows, int64_t bare,
                     const part covers[2])
{
    size_t at[2] = {0};
    while (bare < rows->max) {
        const vx_exact_rows *next = NULL;
        for (int i = 0; i < 2; i++) {
            while (at[i] < covers[i].count && covers[i].rows[at[i]].max <= bare) {
                at[i]++;
            }
            if (at[i] < covers[i].count &&
                (next == NULL || covers[i].rows[at[i]].min < next->min)) {
                next = &covers[i].rows[at[i]];
            }
        }
        int64_t end = next != NULL && next->min < rows->max ? next->min : rows->max;
        if (end > bare) {
            found(of, rows, bare, end);
        }
        bare = next != NULL ? next->max : rows->max;
    }
}

/* What of a sorted list is not covered by the two others, each row of a column once. */
static void subtract_all(comparison *of, found_fn *found, const vx_exact_list *list,
                         const vx_exact_list *first, const vx_exact_list *second)
{
    size_t at[2] = {0};
    part covers[2] = {0};
    int64_t told = 0;
    for (size_t i = 0; i < list->count; i++) {
        const vx_exact_rows *rows = &list->items[i];
        if (i == 0 || rows->column != list->items[i - 1].column) {
            covers[0] = find_column(first, &at[0], rows->column);
            covers[1] = find_column(second, &at[1], rows->column);
            of->may = covers[1];
            told = 0;
        }
        subtract(of, found, rows, rows->min > told ? rows->min : told, covers);
        told = rows->max > told ? rows->max : told;
    }
}

/* SPEC B2.10: how many triangles the step counted. */
static void compare_degenerate(const vx_exact_solid *solid, uint64_t before, uint64_t after,
                               const vx_exact_court *court)
{
    if (after >= before && after - before >= solid->degenerate[0] &&
        after - before <= solid->degenerate[1]) {
        return;
    }
    vx_exact_finding finding = {.clause = "B2.10", .x = -1, .z = -1};
    (void)snprintf(finding.text, sizeof finding.text,
                   "the degenerate count went from %" PRIu64 " to %" PRIu64 "; at least %" PRIu64
                   " triangles have equal corners, at most %" PRIu64
                   " have an area within the bound of 0",
                   before, after, solid->degenerate[0], solid->degenerate[1]);
    court->report(court->context, &finding);
}

/* Whether something that the operations add is not certain, or which triangles count as degenerate.
 */
static bool is_bound_met(const vx_exact_solid *solid)
{
    bool met = solid->degenerate[0] != solid->degenerate[1];
    for (size_t i = 0; i < solid->additions.count && !met; i++) {
        const vx_exact_addition *added = &solid->additions.items[i];
        met = !vx_exact_has_certain_rows(added) || (added->areas & (added->areas - 1)) != 0;
    }
    return met;
}

/* An implementation's rows as a sorted list; false without memory. */
static bool list_rows(const vx_exact_solid *solid, vx_exact_solid_rows rows, vx_exact_list *list)
{
    *list = (vx_exact_list){.items = calloc(rows.count + 1, sizeof *list->items)};
    for (size_t i = 0; i < rows.count && list->items != NULL; i++) {
        const vx_solid_row *row = &rows.rows[i];
        list->items[list->count++] =
            (vx_exact_rows){.column = (uint32_t)(row->x + row->z * solid->size[0]),
                            .min = row->min,
                            .max = row->max};
    }
    sort(list);
    return list->items != NULL;
}

vx_status vx_exact_compare(vx_exact_solid *solid, vx_exact_solid_rows before,
                           vx_exact_solid_rows after, const vx_exact_court *court,
                           vx_exact_areas *areas)
{
    static const vx_exact_list none = {0};
    bool differs = false;
    comparison of = {.solid = solid, .court = court, .differs = &differs};
    vx_status status = VX_NO_MEMORY;
    if (list_rows(solid, before, &of.before) && list_rows(solid, after, &of.after)) {
        sort(&solid->must);
        sort(&solid->may);
        subtract_all(&of, report_extra, &of.after, &of.before, &solid->may);
        subtract_all(&of, report_lost, &of.before, &of.after, &none);
        subtract_all(&of, report_missing, &solid->must, &of.after, &none);
        compare_degenerate(solid, before.degenerate, after.degenerate, court);
        status = vx_exact_judge_areas(solid, before, after, differs, court, areas);
        areas->bound = is_bound_met(solid);
    }
    free(of.before.items);
    free(of.after.items);
    solid->must.count = 0;
    solid->may.count = 0;
    solid->additions.count = 0;
    solid->reach[0] = solid->reach[1] = 0;
    solid->degenerate[0] = solid->degenerate[1] = 0;
    return status;
}
