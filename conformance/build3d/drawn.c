/* SPDX-License-Identifier: MIT */
/* What a picture is made of: runs a case and remembers what each step did to the tops of spans. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build3d/drawing.h"

#define ARENA_BLOCK ((size_t)1 << 20)
#define ARENA_LIMIT ((size_t)16 << 30)

typedef struct run {
    const vx_build3d_impl *impl;
    vx_build3d *field;
    vx_drawn *drawn;
    vx_problem *problem;
} run;

static bool wrong_rows(const run *of, const char *what)
{
    return vx_problem_set(of->problem, "%s gives rows that cannot be drawn: %s", of->impl->name,
                          what);
}

/* Rows of an implementation from outside are not trusted. */
static bool check_place(const run *of, int32_t x, int32_t z, int32_t area, int64_t *column)
{
    const int32_t *size = of->drawn->size;
    if (x < 0 || z < 0 || x >= size[0] || z >= size[1]) {
        return wrong_rows(of, "a column outside the grid");
    }
    if (area < 0 || area > VX_AREA_MAX) {
        return wrong_rows(of, "an area outside 0..63");
    }
    int64_t here = x + (int64_t)z * size[0];
    if (here < *column) {
        return wrong_rows(of, "columns out of order");
    }
    *column = here;
    return true;
}

static bool get_info(const run *of, vx_build3d_info *info)
{
    *info = (vx_build3d_info){0};
    of->impl->info(of->field, info);
    of->drawn->degenerate = info->degenerate;
    memcpy(of->drawn->size, info->size, sizeof of->drawn->size);
    return info->rows < INT32_MAX || wrong_rows(of, "more than 2^31");
}

/* The solid rows as they are now, or NULL. */
static vx_solid_row *read_solid(const run *of, size_t *count)
{
    vx_build3d_info info;
    vx_error error;
    if (!get_info(of, &info)) {
        return NULL;
    }
    *count = (size_t)info.rows;
    vx_solid_row *rows = vx_must_alloc(*count, sizeof *rows);
    if (of->impl->read_solid(of->field, rows, *count, &error) != VX_OK) {
        (void)wrong_rows(of, error.message);
        goto failed;
    }
    int64_t column = 0;
    for (size_t i = 0; i < *count; i++) {
        const vx_solid_row *row = &rows[i];
        if (!check_place(of, row->x, row->z, row->area, &column)) {
            goto failed;
        }
        if (row->min < 0 || row->min >= row->max || row->max > info.size[2]) {
            (void)wrong_rows(of, "a span outside the grid");
            goto failed;
        }
    }
    return rows;
failed:
    free(rows);
    return NULL;
}

/* After a step that builds: all spans anew. */
static bool take_spans(const run *of)
{
    vx_drawn *drawn = of->drawn;
    vx_solid_row *rows = read_solid(of, &drawn->span_count);
    if (rows == NULL) {
        drawn->span_count = 0;
        return false;
    }
    drawn->spans = vx_must_realloc(drawn->spans, drawn->span_count, sizeof *drawn->spans);
    for (size_t i = 0; i < drawn->span_count; i++) {
        const vx_solid_row *row = &rows[i];
        drawn->spans[i] =
            (vx_drawn_span){.x = row->x,
                            .z = row->z,
                            .min = row->min,
                            .max = row->max,
                            .compact = -1,
                            .area = (uint8_t)row->area,
                            .top = row->area > 0 ? VX_TOP_WALKABLE : VX_TOP_UNWALKABLE};
    }
    free(rows);
    return true;
}

/* After a filter: the spans are the same (SPEC B6.1), their areas may not be. */
static bool take_areas(const run *of, vx_op op)
{
    vx_drawn *drawn = of->drawn;
    size_t count;
    vx_solid_row *rows = read_solid(of, &count);
    if (rows == NULL) {
        return false;
    }
    if (count != drawn->span_count) {
        free(rows);
        return wrong_rows(of, "a filter that changes spans");
    }
    for (size_t i = 0; i < count; i++) {
        vx_drawn_span *span = &drawn->spans[i];
        uint8_t area = (uint8_t)rows[i].area;
        if (area > 0) {
            span->top = VX_TOP_WALKABLE;
        } else if (span->area > 0) {
            span->top = op == VX_OP_LEDGES ? VX_TOP_LEDGE : VX_TOP_LOW;
        }
        span->area = area;
    }
    free(rows);
    return true;
}

static bool check_compact(const run *of)
{
    const vx_drawn *drawn = of->drawn;
    int64_t column = 0;
    for (size_t i = 0; i < drawn->compact_count; i++) {
        const vx_compact_row *row = &drawn->compact[i];
        if (!check_place(of, row->x, row->z, row->area, &column)) {
            return false;
        }
        for (int d = 0; d < 4; d++) {
            if (row->link[d] < 0 || row->link[d] > VX_LINK_NONE) {
                return wrong_rows(of, "a link outside 0..63");
            }
        }
    }
    return true;
}

/* At the end: the compact spans, which are the walkable solid ones in the same order (SPEC B7.1),
 * give those their last areas. */
static bool take_compact(const run *of)
{
    vx_drawn *drawn = of->drawn;
    vx_build3d_info info;
    vx_error error;
    if (!get_info(of, &info)) {
        return false;
    }
    drawn->is_compact = true;
    drawn->compact_count = (size_t)info.rows;
    drawn->compact = vx_must_alloc(drawn->compact_count, sizeof *drawn->compact);
    if (of->impl->read_compact(of->field, drawn->compact, drawn->compact_count, &error) != VX_OK) {
        return wrong_rows(of, error.message);
    }
    if (!check_compact(of)) {
        return false;
    }
    size_t next = 0;
    for (size_t i = 0; i < drawn->span_count; i++) {
        vx_drawn_span *span = &drawn->spans[i];
        const vx_compact_row *row = &drawn->compact[next];
        if (span->area == 0) {
            continue;
        }
        if (next == drawn->compact_count || row->x != span->x || row->z != span->z ||
            row->y != span->max) {
            return wrong_rows(of, "compact spans that are not the walkable solid ones");
        }
        span->compact = (int32_t)next++;
        span->area = (uint8_t)row->area;
        span->top = row->area > 0 ? VX_TOP_WALKABLE : VX_TOP_ERODED;
    }
    return next == drawn->compact_count || wrong_rows(of, "too many compact spans");
}

/* An error of the input belongs into the picture; any other one is a problem. */
static bool note_failure(const run *of, vx_status status, int64_t step)
{
    of->drawn->failed_step = step;
    if (status == VX_ARGUMENT || status == VX_OUT_OF_RANGE) {
        of->drawn->error.status = status;
        return true;
    }
    return vx_problem_set(of->problem, "step %lld: %s: %s", (long long)step, vx_status_name(status),
                          of->drawn->error.message);
}

static bool run_steps(const run *of)
{
    vx_drawn *drawn = of->drawn;
    const vx_input *input = drawn->input;
    bool compact = false;
    bool good = take_spans(of);
    for (size_t i = 0; i < input->step_count && good; i++) {
        const vx_step *step = &input->steps[i];
        vx_status status = vx_build3d_run_step(of->impl, of->field, step, &drawn->error);
        if (status != VX_OK) {
            good = note_failure(of, status, (int64_t)i);
            break;
        }
        compact = compact || step->op == VX_OP_COMPACT;
        if (step->op < VX_OP_LOW_HANGING) {
            good = take_spans(of);
        } else if (step->op < VX_OP_COMPACT) {
            good = take_areas(of, step->op);
        }
    }
    return good && (!compact || take_compact(of));
}

/* What the legend tells. */
static void count(vx_drawn *drawn)
{
    for (size_t i = 0; i < drawn->span_count; i++) {
        const vx_drawn_span *span = &drawn->spans[i];
        drawn->low = i == 0 || span->max < drawn->low ? span->max : drawn->low;
        drawn->high = i == 0 || span->max > drawn->high ? span->max : drawn->high;
        drawn->tops[span->top]++;
        if (span->area > 0) {
            drawn->areas[span->area]++;
        }
    }
}

bool vx_drawn_make(const vx_draw_request *request, vx_drawn *drawn, vx_problem *problem)
{
    vx_arena arena;
    run of = {.impl = request->table, .drawn = drawn, .problem = problem};
    *drawn = (vx_drawn){.request = request, .input = request->item->input};
    const vx_frame *frame = &drawn->input->frame;
    memcpy(drawn->origin, frame->from_bounds ? frame->min : frame->origin, sizeof drawn->origin);
    drawn->cell_size = (double)frame->cell_size;
    drawn->cell_height = (double)frame->cell_height;
    vx_arena_init_growable(&arena, ARENA_BLOCK, ARENA_LIMIT);
    bool good;
    vx_status status = of.impl->open(&arena, frame, &of.field, &drawn->error);
    if (status != VX_OK) {
        good = note_failure(&of, status, -1);
    } else {
        good = run_steps(&of);
        of.impl->close(of.field);
    }
    vx_arena_free(&arena);
    if (good) {
        count(drawn);
    } else {
        vx_drawn_free(drawn);
    }
    return good;
}

void vx_drawn_free(vx_drawn *drawn)
{
    free(drawn->spans);
    free(drawn->compact);
    drawn->spans = NULL;
    drawn->compact = NULL;
}

/* --- questions -------------------------------------------------------------------------------- */

/* The first span whose column is not before this one. */
static size_t first_span(const vx_drawn *drawn, int64_t column)
{
    size_t low = 0;
    size_t high = drawn->span_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const vx_drawn_span *span = &drawn->spans[middle];
        if (span->x + (int64_t)span->z * drawn->size[0] < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void vx_drawn_column(const vx_drawn *drawn, int32_t x, int32_t z, size_t *first, size_t *end)
{
    int64_t column = x + (int64_t)z * drawn->size[0];
    *first = first_span(drawn, column);
    *end = *first;
    while (*end < drawn->span_count && drawn->spans[*end].x == x && drawn->spans[*end].z == z) {
        (*end)++;
    }
}

size_t vx_drawn_shown(const vx_drawn *drawn, size_t first, size_t end)
{
    for (size_t i = end; i > first; i--) {
        if (drawn->spans[i - 1].top == VX_TOP_WALKABLE) {
            return i - 1;
        }
    }
    return end - 1;
}

/* --- colours ---------------------------------------------------------------------------------- */

/* Where a row stands between the lowest and the highest top, 0 to 1. */
static double height_share(const vx_drawn *drawn, double row)
{
    double range = drawn->high - drawn->low;
    return range > 0 ? (row - drawn->low) / range : 0.5;
}

bool vx_is_hatched(unsigned area)
{
    return area != 0 && area != VX_AREA_WALKABLE;
}

vx_colour vx_area_colour(const vx_drawn *drawn, unsigned area, double row)
{
    double share = height_share(drawn, row);
    if (!vx_is_hatched(area)) {
        return vx_ramp(share);
    }
    /* Hues of neighbouring ids lie a golden angle apart, and none is that of ledges. */
    return vx_oklch(0.42 + 0.4 * share, 0.15, 40 + fmod(137.5 * area, 270));
}

/* Without telling red from green, the ramp runs from blue over grey to yellow: ledges look like
 * olives then, and what is not walkable is darker than the ramp's grey. */
vx_colour vx_top_colour(const vx_drawn *drawn, const vx_drawn_span *span)
{
    double share = height_share(drawn, span->max);
    switch ((vx_top)span->top) {
    case VX_TOP_WALKABLE:
        return vx_area_colour(drawn, span->area, span->max);
    case VX_TOP_ERODED:
        return vx_mix(vx_ramp(share), vx_paper, 0.72);
    case VX_TOP_LEDGE:
        return vx_oklch(0.66, 0.19, 45);
    case VX_TOP_LOW:
        return vx_oklch(0.3, 0.1, 15);
    case VX_TOP_UNWALKABLE:
    case VX_TOP_COUNT:
        break;
    }
    return vx_oklch(0.36 + 0.18 * share, 0.012, 260);
}
