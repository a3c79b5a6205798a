/* SPDX-License-Identifier: MIT */
/* The filters from their definitions (SPEC B6): every span against every gap beside it. */
#include <stdio.h>
#include <stdlib.h>

#include "exact.h"

typedef struct filtering {
    vx_exact_columns columns;
    const vx_solid_row *rows; /* before the filter */
    size_t count;
    int64_t height, climb;
} filtering;

/* Whether the row stands on the one before it in its column. */
static bool has_below(const filtering *of, size_t i)
{
    return i > 0 && of->rows[i - 1].x == of->rows[i].x && of->rows[i - 1].z == of->rows[i].z;
}

/* SPEC B6.2. */
static int64_t ceiling(const filtering *of, size_t i)
{
    return i + 1 < of->count && has_below(of, i + 1) ? of->rows[i + 1].min : VX_ROWS_MAX;
}

/* SPEC B6.3, B6.4. */
static int32_t low_hanging(const filtering *of, size_t i)
{
    const vx_solid_row *s = &of->rows[i];
    const vx_solid_row *p = has_below(of, i) ? s - 1 : NULL;
    if (p != NULL && s->area == 0 && p->area != 0 && (int64_t)s->max - p->max <= of->climb) {
        return p->area;
    }
    return s->area;
}

/* SPEC B6.10. */
static int32_t low_height(const filtering *of, size_t i)
{
    const vx_solid_row *s = &of->rows[i];
    int64_t above = ceiling(of, i);
    return above != VX_ROWS_MAX && above - s->max < of->height ? 0 : s->area;
}

/* The extremes of B6.7. */
typedef struct ledge {
    int64_t lowest_drop;
    int64_t least_floor, greatest_floor; /* of the accessible ones */
} ledge;

/* SPEC B6.6: one gap beside s, with floor and ceiling. */
static void meet_gap(const filtering *of, size_t s, int64_t floor, int64_t top, ledge *found)
{
    int64_t f = of->rows[s].max;
    int64_t c = ceiling(of, s);
    int64_t room = (c < top ? c : top) - (f > floor ? f : floor);
    if (room < of->height) {
        return;
    }
    int64_t drop = floor - f;
    found->lowest_drop = drop < found->lowest_drop ? drop : found->lowest_drop;
    if (llabs(drop) <= of->climb) {
        found->least_floor = floor < found->least_floor ? floor : found->least_floor;
        found->greatest_floor = floor > found->greatest_floor ? floor : found->greatest_floor;
    }
}

/* SPEC B6.5. */
static void meet_neighbour(const filtering *of, size_t s, int direction, ledge *found)
{
    size_t begin, end;
    const vx_solid_row *row = &of->rows[s];
    if (!vx_exact_neighbour(&of->columns, row->x, row->z, direction, &begin, &end)) {
        int64_t drop = -of->climb - 1;
        found->lowest_drop = drop < found->lowest_drop ? drop : found->lowest_drop;
        return;
    }
    meet_gap(of, s, -of->climb, begin < end ? of->rows[begin].min : VX_ROWS_MAX, found);
    for (size_t n = begin; n < end; n++) {
        meet_gap(of, s, of->rows[n].max, ceiling(of, n), found);
    }
}

/* SPEC B6.7, B6.8. */
static int32_t ledges(const filtering *of, size_t i)
{
    ledge found = {.lowest_drop = 0, .least_floor = INT64_MAX, .greatest_floor = INT64_MIN};
    if (of->rows[i].area == 0) {
        return 0;
    }
    for (int direction = 0; direction < 4; direction++) {
        meet_neighbour(of, i, direction, &found);
    }
    bool steep = found.greatest_floor >= found.least_floor &&
                 found.greatest_floor - found.least_floor > of->climb;
    return found.lowest_drop < -of->climb || steep ? 0 : of->rows[i].area;
}

/* Which rule a filter is, and its clause. */
typedef struct rule {
    int32_t (*area)(const filtering *of, size_t i);
    const char *clause;
} rule;

static const rule rules[] = {[VX_EXACT_LOW_HANGING] = {low_hanging, "B6.3"},
                             [VX_EXACT_LEDGES] = {ledges, "B6.7"},
                             [VX_EXACT_LOW_HEIGHT] = {low_height, "B6.10"}};

/* Whether the two have the same spans; areas apart. */
static bool same_spans(vx_exact_solid_rows before, vx_exact_solid_rows after,
                       const vx_exact_court *court)
{
    for (size_t i = 0; i < before.count && i < after.count; i++) {
        const vx_solid_row *a = &before.rows[i];
        const vx_solid_row *b = &after.rows[i];
        if (a->x != b->x || a->z != b->z || a->min != b->min || a->max != b->max) {
            vx_exact_finding finding = {
                .clause = "B6.1", .x = b->x, .z = b->z, .min = b->min, .max = b->max};
            (void)snprintf(finding.text, sizeof finding.text,
                           "a span that the filter made of [%d, %d) in column (%d, %d)", a->min,
                           a->max, a->x, a->z);
            court->report(court->context, &finding);
            return false;
        }
    }
    if (before.count != after.count) {
        vx_exact_finding finding = {.clause = "B6.1", .x = -1, .z = -1};
        (void)snprintf(finding.text, sizeof finding.text, "the filter made %zu spans of %zu",
                       after.count, before.count);
        court->report(court->context, &finding);
    }
    return before.count == after.count;
}

vx_status vx_exact_judge_filter(const int64_t size[3], vx_exact_filter filter, int64_t height,
                                int64_t climb, vx_exact_solid_rows before,
                                vx_exact_solid_rows after, const vx_exact_court *court)
{
    filtering of = {.rows = before.rows, .count = before.count, .height = height, .climb = climb};
    if (!same_spans(before, after, court)) {
        return VX_OK;
    }
    vx_status status =
        vx_exact_columns_make(size, before.rows, sizeof *before.rows, before.count, &of.columns);
    if (status != VX_OK) {
        return status;
    }
    for (size_t i = 0; i < before.count; i++) {
        const vx_solid_row *row = &after.rows[i];
        int32_t area = rules[filter].area(&of, i);
        if (row->area != area) {
            vx_exact_finding finding = {.clause = rules[filter].clause,
                                        .x = row->x,
                                        .z = row->z,
                                        .min = row->min,
                                        .max = row->max};
            (void)snprintf(finding.text, sizeof finding.text,
                           "area %d of the span, which was %d before; by the definition it is %d",
                           row->area, before.rows[i].area, area);
            court->report(court->context, &finding);
        }
    }
    vx_exact_columns_free(&of.columns);
    return VX_OK;
}

/* --- what it costs ---------------------------------------------------------------------------- */

/* Those between one column and its neighbours. */
static uint64_t count_pairs(const vx_exact_columns *columns, int64_t x, int64_t z)
{
    const size_t *first = &columns->first[x + z * columns->size[0]];
    uint64_t pairs = 0;
    for (int direction = 0; direction < 4; direction++) {
        size_t begin, end;
        if (vx_exact_neighbour(columns, x, z, direction, &begin, &end)) {
            pairs += (uint64_t)(first[1] - first[0]) * (end - begin + 1);
        }
    }
    return pairs;
}

vx_status vx_exact_pairs(const int64_t size[3], const void *rows, size_t row_size, size_t count,
                         uint64_t *pairs)
{
    vx_exact_columns columns;
    *pairs = 0;
    vx_status status = vx_exact_columns_make(size, rows, row_size, count, &columns);
    if (status != VX_OK) {
        return status;
    }
    for (int64_t z = 0; z < size[1]; z++) {
        for (int64_t x = 0; x < size[0]; x++) {
            *pairs += count_pairs(&columns, x, z);
        }
    }
    vx_exact_columns_free(&columns);
    return VX_OK;
}
