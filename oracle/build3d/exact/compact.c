/* SPDX-License-Identifier: MIT */
/* The compact heightfield from its definition (SPEC B7). */
#include <stdio.h>

#include "exact.h"

/* SPEC B7.1: the span above solid row i, or Unbounded. */
static int64_t room_above(vx_exact_solid_rows solid, size_t i)
{
    const vx_solid_row *s = &solid.rows[i];
    const vx_solid_row *above = i + 1 < solid.count ? s + 1 : NULL;
    int64_t room = VX_OPEN_HEIGHT;
    if (above != NULL && above->x == s->x && above->z == s->z && above->min - s->max < room) {
        room = above->min - s->max;
    }
    return room;
}

/* Whether the compact row is the one that SPEC B7.1 makes of the solid row i. */
static bool judge_row(vx_exact_solid_rows solid, size_t i, const vx_compact_row *row,
                      const vx_exact_court *court)
{
    const vx_solid_row *s = &solid.rows[i];
    int64_t height = room_above(solid, i);
    if (row->x == s->x && row->z == s->z && row->y == s->max && row->height == height &&
        row->area == s->area) {
        return true;
    }
    vx_exact_finding finding = {
        .clause = "B7.1", .x = row->x, .z = row->z, .min = row->y, .max = row->y + row->height};
    (void)snprintf(finding.text, sizeof finding.text,
                   "compact span of area %d; by the definition it is column (%d, %d), Y %d, Height "
                   "%lld, area %d",
                   row->area, s->x, s->z, s->max, (long long)height, s->area);
    court->report(court->context, &finding);
    return false;
}

/* SPEC B7.1. False where links make no sense to ask for. */
static bool judge_rows(vx_exact_solid_rows solid, vx_exact_compact_rows compact,
                       const vx_exact_court *court)
{
    size_t at = 0;
    for (size_t i = 0; i < solid.count; i++) {
        if (solid.rows[i].area == 0) {
            continue;
        }
        if (at < compact.count && !judge_row(solid, i, &compact.rows[at], court)) {
            return false;
        }
        at++;
    }
    if (at != compact.count) {
        vx_exact_finding finding = {.clause = "B7.1", .x = -1, .z = -1};
        (void)snprintf(finding.text, sizeof finding.text,
                       "compact spans: %zu; walkable solid ones: %zu", compact.count, at);
        court->report(court->context, &finding);
    }
    return at == compact.count;
}

/* SPEC B7.3. */
static bool fits(const vx_compact_row *s, const vx_compact_row *t, int64_t height, int64_t climb)
{
    int64_t top_s = (int64_t)s->y + s->height;
    int64_t top_t = (int64_t)t->y + t->height;
    int64_t room = (top_s < top_t ? top_s : top_t) - (s->y > t->y ? s->y : t->y);
    int64_t step = t->y > s->y ? t->y - s->y : s->y - t->y;
    return room >= height && step <= climb;
}

/* SPEC B7.3, B7.4. */
static int32_t find_link(const vx_exact_columns *columns, vx_exact_compact_rows rows, size_t s,
                         int direction, int64_t height, int64_t climb)
{
    size_t begin, end;
    const vx_compact_row *row = &rows.rows[s];
    if (!vx_exact_neighbour(columns, row->x, row->z, direction, &begin, &end)) {
        return VX_LINK_NONE;
    }
    for (size_t t = begin; t < end; t++) {
        if (fits(row, &rows.rows[t], height, climb)) {
            return t - begin < VX_LINK_NONE ? (int32_t)(t - begin) : VX_LINK_NONE;
        }
    }
    return VX_LINK_NONE;
}

vx_status vx_exact_judge_compact(const int64_t size[3], int64_t height, int64_t climb,
                                 vx_exact_solid_rows before, vx_exact_compact_rows after,
                                 const vx_exact_court *court)
{
    static const char *const names[] = {"-x", "+z", "+x", "-z"};
    vx_exact_columns columns;
    if (!judge_rows(before, after, court)) {
        return VX_OK;
    }
    vx_status status =
        vx_exact_columns_make(size, after.rows, sizeof *after.rows, after.count, &columns);
    for (size_t i = 0; i < 4 * after.count && status == VX_OK; i++) {
        const vx_compact_row *row = &after.rows[i / 4];
        int direction = (int)(i % 4);
        int32_t link = find_link(&columns, after, i / 4, direction, height, climb);
        if (row->link[direction] != link) {
            vx_exact_finding finding = {
                .clause = "B7.3", .x = row->x, .z = row->z, .min = row->y, .max = row->y};
            (void)snprintf(finding.text, sizeof finding.text,
                           "the span with Y %d is linked to %d in direction %s; by the definition "
                           "to %d",
                           row->y, row->link[direction], names[direction], link);
            court->report(court->context, &finding);
        }
    }
    if (status == VX_OK) {
        vx_exact_columns_free(&columns);
    }
    return status;
}

bool vx_exact_same_spans(vx_exact_compact_rows before, vx_exact_compact_rows after,
                         const char *clause, const vx_exact_court *court)
{
    for (size_t i = 0; i < before.count && i < after.count; i++) {
        vx_compact_row row = after.rows[i];
        const vx_compact_row *old = &before.rows[i];
        bool same =
            row.x == old->x && row.z == old->z && row.y == old->y && row.height == old->height;
        for (int direction = 0; direction < 4; direction++) {
            same = same && row.link[direction] == old->link[direction];
        }
        if (!same) {
            vx_exact_finding finding = {
                .clause = clause, .x = row.x, .z = row.z, .min = row.y, .max = row.y + row.height};
            (void)snprintf(finding.text, sizeof finding.text,
                           "compact span %zu differs from the one before the step in more than "
                           "its area",
                           i);
            court->report(court->context, &finding);
            return false;
        }
    }
    if (before.count != after.count) {
        vx_exact_finding finding = {.clause = clause, .x = -1, .z = -1};
        (void)snprintf(finding.text, sizeof finding.text, "the step made %zu compact spans of %zu",
                       after.count, before.count);
        court->report(court->context, &finding);
    }
    return before.count == after.count;
}
