/* SPDX-License-Identifier: MIT */
/* The areas that SPEC B3.3 and B3.4 may give to the spans of a column. Where it is not certain
 * which rows a triangle fills, or whether it touches the column at all, the column is followed in
 * every way in which it can have come out; an area that is not certain is a set of areas. The rows
 * that the implementation has leave few of the ways. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solid.h"

/* Work for one column: so many ways at a time, and so many spans added to one of them. */
enum { WAYS_MAX = 64, STEPS_MAX = 1 << 10 };

typedef struct span {
    int32_t min, max;
    uint64_t areas; /* a bit for each area id that it may have */
} span;

/* One way in which the column may have come out so far. */
typedef struct way {
    span *spans; /* from the bottom up */
    size_t count, capacity;
} way;

typedef struct ways {
    way items[WAYS_MAX];
    size_t count;
} ways;

/* Rows of one column, and what is added to it. */
typedef struct column {
    uint32_t number;
    const vx_solid_row *before, *after;
    size_t before_count, after_count;
    const vx_exact_addition *additions;
    size_t addition_count;
} column;

typedef enum follow { FOLLOWED, TOO_MANY, NO_MEMORY } follow;

typedef struct merging {
    ways *now, *next;
    size_t steps; /* of the column at hand */
    int64_t size[3];
    bool rows_differ;
    const vx_exact_court *court;
    vx_exact_areas *areas;
} merging;

/* --- adding a span ---------------------------------------------------------------------------- */

/* The areas from the least of these on. */
static uint64_t from_least(uint64_t areas)
{
    return ~((areas & -areas) - 1);
}

/* maxArea of any of some areas and any of others (SPEC B0.7). */
static uint64_t larger_areas(uint64_t some, uint64_t others)
{
    return (some & from_least(others)) | (others & from_least(some));
}

/* SPEC B3.4. */
static void merge_with(span *added, const span *s, int64_t threshold)
{
    if (s->max > added->max) {
        added->areas =
            s->max - added->max <= threshold ? larger_areas(added->areas, s->areas) : s->areas;
        added->max = s->max;
    } else if (added->max - s->max <= threshold) {
        added->areas = larger_areas(added->areas, s->areas);
    }
    added->min = added->min < s->min ? added->min : s->min;
}

/* The first span whose Max is not below the row. */
static size_t first_from(const way *of, int32_t row)
{
    size_t low = 0;
    size_t high = of->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (of->spans[middle].max < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool has_room(way *of, size_t count)
{
    if (of->capacity < count) {
        size_t capacity = 2 * count + 16;
        span *spans = reallocarray(of->spans, capacity, sizeof *spans);
        if (spans == NULL) {
            return false;
        }
        of->spans = spans;
        of->capacity = capacity;
    }
    return true;
}

/* SPEC B3.3; false without memory. */
static bool add_span(way *of, span added, int64_t threshold)
{
    size_t first = first_from(of, added.min);
    size_t end = first;
    if (!has_room(of, of->count + 1)) {
        return false;
    }
    while (end < of->count && of->spans[end].min <= added.max) {
        merge_with(&added, &of->spans[end++], threshold);
    }
    memmove(&of->spans[first + 1], &of->spans[end], (of->count - end) * sizeof added);
    of->spans[first] = added;
    of->count = of->count + first + 1 - end;
    return true;
}

/* --- ways ------------------------------------------------------------------------------------- */

static bool copy_way(way *to, const way *from)
{
    if (!has_room(to, from->count + 1)) {
        return false;
    }
    memcpy(to->spans, from->spans, from->count * sizeof *to->spans);
    to->count = from->count;
    return true;
}

static bool is_same_way(const way *a, const way *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++) {
        same = a->spans[i].min == b->spans[i].min && a->spans[i].max == b->spans[i].max;
    }
    return same;
}

/* Keeps the way behind the last one, unless there is the same one with other areas, which then may
 * be either. */
static void keep_last(ways *of)
{
    const way *last = &of->items[of->count];
    for (size_t i = 0; i < of->count; i++) {
        if (is_same_way(&of->items[i], last)) {
            for (size_t k = 0; k < last->count; k++) {
                of->items[i].spans[k].areas |= last->spans[k].areas;
            }
            return;
        }
    }
    of->count++;
}

/* One of the ways with one of the spans that the addition may be (NULL: none). */
static follow branch(merging *of, const way *from, const span *added, int64_t threshold)
{
    if (of->next->count == WAYS_MAX || of->steps == STEPS_MAX) {
        return TOO_MANY;
    }
    way *to = &of->next->items[of->next->count];
    of->steps++;
    if (!copy_way(to, from) || (added != NULL && !add_span(to, *added, threshold))) {
        return NO_MEMORY;
    }
    keep_last(of->next);
    return FOLLOWED;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* All that the addition may be within one span of the answer: no other way leads there. */
static follow branch_within(merging *of, const vx_solid_row *row, const vx_exact_addition *added,
                            const way *from)
{
    follow result = FOLLOWED;
    int32_t last = smaller(added->min[1], row->max - 1);
    for (int32_t min = larger(added->min[0], row->min); min <= last && result == FOLLOWED; min++) {
        int32_t end = smaller(added->max[1], row->max);
        for (int32_t max = larger(added->max[0], min + 1); max <= end && result == FOLLOWED;
             max++) {
            const span made = {min, max, added->areas};
            result = branch(of, from, &made, added->threshold);
        }
    }
    return result;
}

/* All that the addition may make of one way. */
static follow branch_all(merging *of, const column *at, const vx_exact_addition *added,
                         const way *from)
{
    bool may_be_nothing =
        !added->is_sure || added->max[0] == 0 || added->min[1] == (int32_t)of->size[2];
    follow result = may_be_nothing ? branch(of, from, NULL, 0) : FOLLOWED;
    for (size_t i = 0; i < at->after_count && result == FOLLOWED; i++) {
        if (at->after[i].max > added->min[0] && at->after[i].min < added->max[1]) {
            result = branch_within(of, &at->after[i], added, from);
        }
    }
    return result;
}

bool vx_exact_has_certain_rows(const vx_exact_addition *added)
{
    return added->is_sure && added->min[0] == added->min[1] && added->max[0] == added->max[1];
}

static bool is_certain(const merging *of, const vx_exact_addition *added)
{
    return vx_exact_has_certain_rows(added) && added->max[0] > 0 && added->min[0] < of->size[2];
}

static follow follow_addition(merging *of, const column *at, const vx_exact_addition *added)
{
    follow result = FOLLOWED;
    if (of->now->count == 1 && is_certain(of, added)) {
        const span made = {added->min[0], added->max[0], added->areas};
        return add_span(&of->now->items[0], made, added->threshold) ? FOLLOWED : NO_MEMORY;
    }
    of->next->count = 0;
    for (size_t i = 0; i < of->now->count && result == FOLLOWED; i++) {
        result = branch_all(of, at, added, &of->now->items[i]);
    }
    ways *made = of->next;
    of->next = of->now;
    of->now = made;
    return result;
}

/* Finds all ways from the rows before. */
static follow follow_column(merging *of, const column *at)
{
    way *first = &of->now->items[0];
    follow result = FOLLOWED;
    of->steps = 0;
    of->now->count = 1;
    first->count = 0;
    if (!has_room(first, at->before_count + 1)) {
        return NO_MEMORY;
    }
    for (size_t i = 0; i < at->before_count; i++) {
        const vx_solid_row *row = &at->before[i];
        first->spans[first->count++] = (span){row->min, row->max, UINT64_C(1) << row->area};
    }
    for (size_t i = 0; i < at->addition_count && result == FOLLOWED; i++) {
        result = follow_addition(of, at, &at->additions[i]);
    }
    return result;
}

/* --- what is found ---------------------------------------------------------------------------- */

/* How many spans were there or are added where the row stands now, with all their areas; the last
 * one that is added, or NULL. */
static size_t gather(const column *at, const vx_solid_row *row, uint64_t *areas,
                     const vx_exact_addition **last)
{
    size_t count = 0;
    *areas = 0;
    *last = NULL;
    for (size_t i = 0; i < at->before_count; i++) {
        if (at->before[i].min < row->max && at->before[i].max > row->min) {
            *areas |= UINT64_C(1) << at->before[i].area;
            count++;
        }
    }
    for (size_t i = 0; i < at->addition_count; i++) {
        const vx_exact_addition *added = &at->additions[i];
        if (added->min[0] < row->max && added->max[1] > row->min) {
            *areas |= added->areas;
            *last = added;
            count++;
        }
    }
    return count;
}

/* Appends to the finding's text; what has no room in it is cut off. */
static void append(vx_exact_finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append(vx_exact_finding *finding, const char *format, ...)
{
    size_t size = strlen(finding->text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(finding->text + size, sizeof finding->text - size, format, arguments);
    va_end(arguments);
}

enum { SHOWN = 4 }; /* spans that are told one by one */

static bool is_told(const vx_exact_addition *added)
{
    return vx_exact_has_certain_rows(added) && (added->areas & (added->areas - 1)) == 0;
}

/* The spans that became the row, in the order in which they were there and came; how many, 0 when
 * there are more than SHOWN or one of them is not certain. */
static size_t list_merged(const column *at, const vx_solid_row *row, span merged[SHOWN])
{
    size_t count = 0;
    for (size_t i = 0; i < at->before_count; i++) {
        const vx_solid_row *there = &at->before[i];
        if (there->min < row->max && there->max > row->min && count++ < SHOWN) {
            merged[count - 1] = (span){there->min, there->max, UINT64_C(1) << there->area};
        }
    }
    for (size_t i = 0; i < at->addition_count; i++) {
        const vx_exact_addition *added = &at->additions[i];
        if (added->min[0] < row->max && added->max[1] > row->min) {
            count = is_told(added) ? count + 1 : (size_t)SHOWN + 1;
            if (count > SHOWN) {
                break;
            }
            merged[count - 1] = (span){added->min[0], added->max[0], added->areas};
        }
    }
    return count <= SHOWN ? count : 0;
}

/* ": [0, 5) 63, then [0, 1) 0; 5 − 1 = 4 ≤ T = 4" */
static void explain_merging(const column *at, const vx_solid_row *row, vx_exact_finding *finding)
{
    span merged[SHOWN];
    size_t count = list_merged(at, row, merged);
    for (size_t i = 0; i < count; i++) {
        append(finding, "%s[%d, %d) %d", i == 0 ? ": " : ", then ", merged[i].min, merged[i].max,
               __builtin_ctzll(merged[i].areas));
    }
    if (count == 2 && at->addition_count > 0) {
        int32_t high = larger(merged[0].max, merged[1].max);
        int32_t low = smaller(merged[0].max, merged[1].max);
        int32_t threshold = at->additions[at->addition_count - 1].threshold;
        append(finding, "; %d − %d = %d %s T = %d", high, low, high - low,
               high - low <= threshold ? "≤" : ">", threshold);
    }
}

static void report(const merging *of, const column *at, const vx_solid_row *row, uint64_t areas,
                   bool is_open)
{
    uint64_t all;
    const vx_exact_addition *last;
    size_t count = gather(at, row, &all, &last);
    vx_exact_finding finding = {
        .clause = "B3.4", .x = row->x, .z = row->z, .min = row->min, .max = row->max};
    if (count < 2) {
        finding.clause = last != NULL && last->is_classified ? "B2.11" : "B3.3";
    }
    append(&finding, "area %d of the span; %s", row->area,
           is_open      ? "what is there has only"
           : count >= 2 ? "merged in order it is"
                        : "it is");
    for (int area = 0; area <= VX_AREA_MAX && strlen(finding.text) < VX_EXACT_TEXT - 8; area++) {
        if ((areas >> area & 1) != 0) {
            append(&finding, " %d", area);
        }
    }
    if (count >= 2 && !is_open) {
        explain_merging(at, row, &finding);
    }
    of->court->report(of->court->context, &finding);
}

/* Too many ways: an area is always that of something that is there. */
static void judge_open(merging *of, const column *at)
{
    for (size_t i = 0; i < at->after_count; i++) {
        uint64_t areas;
        const vx_exact_addition *last;
        (void)gather(at, &at->after[i], &areas, &last);
        of->areas->open++;
        if ((areas >> at->after[i].area & 1) == 0) {
            report(of, at, &at->after[i], areas, true);
        }
    }
}

static bool leads_to(const way *from, const column *at)
{
    bool same = from->count == at->after_count;
    for (size_t i = 0; i < from->count && same; i++) {
        same = from->spans[i].min == at->after[i].min && from->spans[i].max == at->after[i].max;
    }
    return same;
}

static void judge_followed(merging *of, const column *at)
{
    const way *found = NULL;
    for (size_t i = 0; i < of->now->count; i++) {
        found = leads_to(&of->now->items[i], at) ? &of->now->items[i] : found;
    }
    for (size_t i = 0; i < at->after_count && found != NULL; i++) {
        uint64_t areas = found->spans[i].areas;
        of->areas->several += (areas & (areas - 1)) != 0;
        if ((areas >> at->after[i].area & 1) == 0) {
            report(of, at, &at->after[i], areas, false);
        }
    }
    if (found == NULL && !of->rows_differ) {
        const vx_solid_row *row = at->after_count > 0 ? at->after : at->before;
        vx_exact_finding finding = {
            .clause = "B3.3", .x = at->number % of->size[0], .z = at->number / of->size[0]};
        finding.min = row != NULL ? row->min : 0;
        finding.max = row != NULL ? row->max : 0;
        (void)snprintf(finding.text, sizeof finding.text,
                       "nothing that the step adds makes these spans of those before");
        of->court->report(of->court->context, &finding);
    }
}

/* --- columns ---------------------------------------------------------------------------------- */

static int by_column(const void *left, const void *right)
{
    const vx_exact_addition *a = left;
    const vx_exact_addition *b = right;
    if (a->column != b->column) {
        return a->column < b->column ? -1 : 1;
    }
    return (a->order > b->order) - (a->order < b->order);
}

static uint32_t column_of(const merging *of, const vx_solid_row *row)
{
    return (uint32_t)(row->x + row->z * of->size[0]);
}

/* The rows of the column, from *at on, which becomes where the next column begins. */
static const vx_solid_row *take_rows(const merging *of, vx_exact_solid_rows rows, size_t *at,
                                     uint32_t number, size_t *count)
{
    size_t begin = *at;
    while (*at < rows.count && column_of(of, &rows.rows[*at]) == number) {
        ++*at;
    }
    *count = *at - begin;
    return *count > 0 ? &rows.rows[begin] : NULL;
}

static vx_status judge_column(merging *of, const column *at)
{
    follow result = follow_column(of, at);
    if (result == FOLLOWED) {
        judge_followed(of, at);
    } else if (result == TOO_MANY) {
        judge_open(of, at);
    }
    return result == NO_MEMORY ? VX_NO_MEMORY : VX_OK;
}

static vx_status judge_columns(merging *of, const vx_exact_additions *additions,
                               vx_exact_solid_rows before, vx_exact_solid_rows after)
{
    size_t next_before = 0, next_after = 0, next = 0;
    vx_status status = VX_OK;
    while (status == VX_OK) {
        uint32_t number = UINT32_MAX;
        if (next < additions->count) {
            number = additions->items[next].column;
        }
        if (next_before < before.count && column_of(of, &before.rows[next_before]) < number) {
            number = column_of(of, &before.rows[next_before]);
        }
        if (next_after < after.count && column_of(of, &after.rows[next_after]) < number) {
            number = column_of(of, &after.rows[next_after]);
        }
        if (number == UINT32_MAX) {
            break;
        }
        column at = {.number = number};
        if (next < additions->count) {
            at.additions = &additions->items[next];
        }
        while (next < additions->count && additions->items[next].column == number) {
            next++;
            at.addition_count++;
        }
        at.before = take_rows(of, before, &next_before, number, &at.before_count);
        at.after = take_rows(of, after, &next_after, number, &at.after_count);
        status = judge_column(of, &at);
    }
    return status;
}

static void free_ways(ways *of)
{
    for (size_t i = 0; of != NULL && i < WAYS_MAX; i++) {
        free(of->items[i].spans);
    }
    free(of);
}

vx_status vx_exact_judge_areas(vx_exact_solid *solid, vx_exact_solid_rows before,
                               vx_exact_solid_rows after, bool rows_differ,
                               const vx_exact_court *court, vx_exact_areas *areas)
{
    merging of = {.now = calloc(1, sizeof *of.now),
                  .next = calloc(1, sizeof *of.next),
                  .rows_differ = rows_differ,
                  .court = court,
                  .areas = areas};
    vx_exact_additions *additions = &solid->additions;
    vx_status status = VX_NO_MEMORY;
    *areas = (vx_exact_areas){0};
    memcpy(of.size, solid->size, sizeof of.size);
    if (of.now != NULL && of.next != NULL) {
        if (additions->count > 0) {
            qsort(additions->items, additions->count, sizeof *additions->items, by_column);
        }
        status = judge_columns(&of, additions, before, after);
    }
    free_ways(of.now);
    free_ways(of.next);
    return status;
}
