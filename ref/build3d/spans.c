/* SPDX-License-Identifier: MIT */
/* Spans and merging (B3), and what makes an operation that adds spans succeed or change nothing.
 *
 * B0.9@eb3b6d, memory included: the first time that an operation touches a column it copies the
 * column's spans, works on the copy and notes where the old ones are. When it succeeds, the old
 * spans become free nodes; when memory runs out, the old spans are put back and the copies become
 * free nodes. */
#include "ref.h"

enum { BATCH = 64 }; /* nodes that are asked for at once */

static void release(vx_build3d *field, vx_ref_node *node)
{
    node->next = field->free;
    field->free = node;
}

static void release_all(vx_build3d *field, vx_ref_node *node)
{
    while (node != NULL) {
        vx_ref_node *next = node->next;
        release(field, node);
        node = next;
    }
}

/* A node with nothing in it, NULL when memory runs out. */
static vx_ref_node *take(vx_build3d *field)
{
    if (field->free == NULL) {
        vx_ref_node *batch =
            vx_arena_alloc(field->arena, BATCH, sizeof *batch, _Alignof(vx_ref_node));
        for (int i = 0; batch != NULL && i < BATCH; i++) {
            release(field, &batch[i]);
        }
    }
    vx_ref_node *node = field->free;
    if (node != NULL) {
        field->free = node->next;
    }
    return node;
}

/* Before the running operation changes a column for the first time: notes its spans and puts copies
 * in their place. False when memory runs out; vx_ref_finish then takes back even a copy that is not
 * complete. */
static bool touch(vx_build3d *field, size_t column)
{
    if (field->is_touched[column]) {
        return true;
    }
    vx_ref_node *note = take(field);
    if (note == NULL) {
        return false;
    }
    vx_ref_node *before = field->column[column].first;
    *note = (vx_ref_node){.next = field->touched, .before = before, .column = (uint32_t)column};
    field->touched = note;
    field->is_touched[column] = 1;
    vx_ref_node **end = &field->column[column].first;
    *end = NULL;
    for (const vx_ref_node *s = before; s != NULL; s = s->next) {
        vx_ref_node *copy = take(field);
        if (copy == NULL) {
            return false;
        }
        *copy = (vx_ref_node){.min = s->min, .max = s->max, .area = s->area};
        *end = copy;
        end = &copy->next;
    }
    return true;
}

vx_status vx_ref_finish(vx_build3d *field, bool enough_memory, vx_error *error)
{
    while (field->touched != NULL) {
        vx_ref_node *note = field->touched;
        field->touched = note->next;
        field->is_touched[note->column] = 0;
        vx_ref_node *before = note->before;
        if (enough_memory) {
            release_all(field, before);
        } else {
            release_all(field, field->column[note->column].first);
            field->column[note->column].first = before;
        }
        release(field, note);
    }
    return enough_memory ? VX_OK : vx_ref_no_memory(field, error);
}

/* B0.7@738301: maxArea(a, b) is the larger number. */
static int32_t max_area(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

bool vx_ref_add_span(vx_build3d *field, size_t column, int32_t min, int32_t max, int32_t area,
                     int32_t T)
{
    VX_TRACE(field, "B3.3", VX_COLUMN ": adding [%d, %d) area %d, T = %d", VX_XZ(field, column),
             (int)min, (int)max, (int)area, (int)T);
    vx_ref_node *sum = touch(field, column) ? take(field) : NULL;
    if (sum == NULL) {
        return false;
    }
    vx_ref_node **link = &field->column[column].first;
    /* B3.3@146add: it merges with every span s that overlaps or touches it, s.Min ≤ max and s.Max ≥
     * min, one at a time from the bottom up. The spans are sorted: those below come first. */
    while (*link != NULL && (*link)->max < min) {
        link = &(*link)->next;
    }
    while (*link != NULL && (*link)->min <= max) {
        vx_ref_node *s = *link;
        /* B3.4@2229fc: if s.Max > max, a becomes maxArea(a, s.Area) when s.Max − max ≤ T and s.Area
         * otherwise, and max becomes s.Max. If s.Max ≤ max, a becomes maxArea(a, s.Area) when
         * max − s.Max ≤ T and is kept otherwise. In both cases min becomes min(min, s.Min). */
        if (s->max > max) {
            area = s->max - max <= T ? max_area(area, s->area) : s->area;
            max = s->max;
        } else if (max - s->max <= T) {
            area = max_area(area, s->area);
        }
        if (s->min < min) {
            min = s->min;
        }
        VX_TRACE(field, "B3.4", VX_COLUMN ": merged with [%d, %d) area %d: [%d, %d) area %d",
                 VX_XZ(field, column), (int)s->min, (int)s->max, (int)s->area, (int)min, (int)max,
                 (int)area);
        *link = s->next;
        release(field, s);
    }
    *sum = (vx_ref_node){.next = *link, .min = min, .max = max, .area = area};
    *link = sum;
    VX_TRACE(field, "B3.3", VX_COLUMN ": [%d, %d) area %d stands", VX_XZ(field, column), (int)min,
             (int)max, (int)area);
    return true;
}

/* B3.2@5461d7: a span that is added directly needs a column inside the grid and 0 ≤ min < max ≤ H,
 * else out_of_range; its area obeys B0.12@de3b14. */
static vx_status check_span(const vx_ref_grid *grid, const vx_span *span, size_t i, vx_error *error)
{
    const vx_status kind = VX_OUT_OF_RANGE;
    vx_status status = vx_ref_check_integer(span->x, 0, grid->W - 1, kind, error, "span %zu: x", i);
    if (status == VX_OK) {
        status = vx_ref_check_integer(span->z, 0, grid->D - 1, kind, error, "span %zu: z", i);
    }
    if (status == VX_OK) {
        status = vx_ref_check_integer(span->min, 0, grid->H - 1, kind, error, "span %zu: min", i);
    }
    if (status == VX_OK) {
        status = vx_ref_check_integer(span->max, span->min + 1, grid->H, kind, error,
                                      "span %zu: max", i);
    }
    if (status == VX_OK) {
        status = vx_ref_check_integer(span->area, 0, VX_AREA_MAX, kind, error, "span %zu: area", i);
    }
    return status;
}

vx_status vx_ref_add_spans(vx_build3d *field, const vx_span *spans, size_t count,
                           int64_t merge_threshold, vx_error *error)
{
    vx_status status = vx_ref_require_solid(field, "addSpans", error);
    for (size_t i = 0; i < count && status == VX_OK; i++) {
        status = check_span(&field->grid, &spans[i], i, error);
    }
    if (status == VX_OK) {
        status = vx_ref_check_integer(merge_threshold, 0, VX_ROWS_MAX, VX_OUT_OF_RANGE, error,
                                      "mergeThreshold");
    }
    if (status != VX_OK) {
        return status;
    }
    bool enough_memory = true;
    /* B3.5@4b6f33: the result depends on the order in which spans are added to a column. */
    for (size_t i = 0; i < count && enough_memory; i++) {
        const vx_span *span = &spans[i];
        size_t column = (size_t)(span->x + span->z * field->grid.W);
        enough_memory = vx_ref_add_span(field, column, (int32_t)span->min, (int32_t)span->max,
                                        (int32_t)span->area, (int32_t)merge_threshold);
    }
    return vx_ref_finish(field, enough_memory, error);
}
