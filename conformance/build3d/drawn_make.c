/* SPDX-License-Identifier: MIT */
/* What a picture is made of: runs a case, here or by asking, and remembers what each step did to
 * the tops of spans and what the answer has wrong. */
#include <stdlib.h>
#include <string.h>

#include "build3d/drawing.h"
#include "reference.h"

/* What a step came to. */
typedef enum outcome { DONE, FAILED, NO_PICTURE } outcome;

typedef struct run {
    const vx_build3d_impl *impl; /* NULL: somebody is asked */
    vx_build3d *field;
    vx_drawn *drawn;
    vx_result answer; /* what there is after the last step that was read */
    vx_problem *problem;
} run;

static bool wrong_rows(const run *of, const char *what)
{
    return vx_problem_say(of->problem, "%s gives rows that cannot be drawn: %s",
                          of->drawn->request->maker, what);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* An error of the input belongs into the picture; any other one is a problem. */
static outcome note_failure(const run *of, vx_status status, int64_t step)
{
    vx_error *error = &of->drawn->error;
    of->drawn->failed_step = step;
    error->message[sizeof error->message - 1] = '\0'; /* a library's may not end */
    if (status == VX_ARGUMENT || status == VX_OUT_OF_RANGE) {
        error->status = status;
        return FAILED;
    }
    char where[32] = "grid";
    if (step >= 0) {
        (void)snprintf(where, sizeof where, "step %lld", (long long)step);
    }
    (void)vx_problem_say(of->problem, "%s: %s: %s", where, vx_status_name(status), error->message);
    return NO_PICTURE;
}

/* Asks for what the first steps make. */
static outcome ask(run *of, size_t steps)
{
    const vx_draw_request *request = of->drawn->request;
    vx_input shorter = *of->drawn->input;
    vx_case part = *request->item;
    shorter.step_count = steps;
    part.input = &shorter;
    vx_result_free(&of->answer);
    if (!request->ask(request->context, &part, &of->answer, of->problem)) {
        return NO_PICTURE;
    }
    if (of->answer.error == VX_OK) {
        return DONE;
    }
    memcpy(of->drawn->error.message, of->answer.message, sizeof of->answer.message);
    if (of->answer.step < -1 || of->answer.step >= (int64_t)steps) {
        (void)wrong_rows(of, "an error at a step that there is not");
        return NO_PICTURE;
    }
    return note_failure(of, of->answer.error, of->answer.step);
}

/* Runs the step behind the first `steps`. */
static outcome run_step(run *of, size_t steps)
{
    if (of->impl == NULL) {
        return ask(of, steps + 1);
    }
    vx_status status = vx_build3d_run_step(of->impl, of->field, &of->drawn->input->steps[steps],
                                           &of->drawn->error);
    return status == VX_OK ? DONE : note_failure(of, status, (int64_t)steps);
}

/* Rows of an implementation from outside are not trusted. */
static bool check_rows(const run *of)
{
    const vx_drawn *drawn = of->drawn;
    size_t width = vx_build3d_shape.tables[of->answer.table].width;
    bool compact = of->answer.table == VX_BUILD3D_COMPACT;
    int64_t column = 0;
    for (size_t i = 0; i < of->answer.rows; i++) {
        const int32_t *row = &of->answer.cells[i * width]; /* x, z, … area at 4, links behind */
        if (row[0] < 0 || row[1] < 0 || row[0] >= drawn->size[0] || row[1] >= drawn->size[1]) {
            return wrong_rows(of, "a column outside the grid");
        }
        if (row[4] < 0 || row[4] > VX_AREA_MAX) {
            return wrong_rows(of, "an area outside 0..63");
        }
        int64_t here = row[0] + (int64_t)row[1] * drawn->size[0];
        if (here < column) {
            return wrong_rows(of, "columns out of order");
        }
        column = here;
        if (!compact && (row[2] < 0 || row[2] >= row[3] || row[3] > drawn->size[2])) {
            return wrong_rows(of, "a span outside the grid");
        }
        for (int d = 0; compact && d < 4; d++) {
            if (row[5 + d] < 0 || row[5 + d] > VX_LINK_NONE) {
                return wrong_rows(of, "a link outside 0..63");
            }
        }
    }
    return true;
}

/* Reads the field of a table into the answer. */
static bool read_field(run *of, size_t table)
{
    vx_build3d_info info = {0};
    vx_error error = {0};
    vx_result *answer = &of->answer;
    of->impl->info(of->field, &info);
    if (info.rows >= INT32_MAX) {
        return wrong_rows(of, "more than 2^31");
    }
    vx_result_free(answer);
    for (size_t i = 0; i < 3; i++) {
        answer->facts[i] = info.size[i];
    }
    answer->facts[3] = (int64_t)info.degenerate;
    answer->table = table;
    answer->rows = (size_t)info.rows;
    answer->cells =
        vx_must_alloc(answer->rows, vx_build3d_shape.tables[table].width * sizeof(int32_t));
    void *rows = answer->cells;
    vx_status status = table == VX_BUILD3D_COMPACT
                           ? of->impl->read_compact(of->field, rows, answer->rows, &error)
                           : of->impl->read_solid(of->field, rows, answer->rows, &error);
    error.message[sizeof error.message - 1] = '\0';
    return status == VX_OK || wrong_rows(of, error.message);
}

/* Makes sure that the answer holds rows of that table, and that they can be drawn. */
static bool read_rows(run *of, size_t table)
{
    vx_drawn *drawn = of->drawn;
    if (of->impl != NULL && !read_field(of, table)) {
        return false;
    }
    if (of->answer.table != table) {
        return wrong_rows(of, table == VX_BUILD3D_SOLID ? "compact ones before compacting"
                                                        : "solid ones after compacting");
    }
    for (size_t i = 0; i < 3; i++) {
        int64_t size = of->answer.facts[i];
        int64_t most = i == 2 ? VX_HEIGHT_MAX : VX_SIZE_MAX;
        if (size < 1 || size > most) {
            return wrong_rows(of, "a size beyond SPEC B1.3");
        }
        drawn->size[i] = (int32_t)size;
    }
    if ((int64_t)drawn->size[0] * drawn->size[1] > VX_COLUMNS_MAX) {
        return wrong_rows(of, "a size beyond SPEC B1.3");
    }
    drawn->degenerate = (uint64_t)of->answer.facts[3];
    return check_rows(of);
}

/* --- what a step did -------------------------------------------------------------------------- */

/* After a step that builds: all spans anew. */
static bool take_spans(run *of)
{
    vx_drawn *drawn = of->drawn;
    drawn->span_count = 0;
    if (!read_rows(of, VX_BUILD3D_SOLID)) {
        return false;
    }
    const vx_solid_row *rows = (const vx_solid_row *)(const void *)of->answer.cells;
    drawn->span_count = of->answer.rows;
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
    return true;
}

/* Whether the solid rows are the spans that there are, areas aside. */
static bool are_same_spans(const run *of)
{
    const vx_drawn *drawn = of->drawn;
    const vx_solid_row *rows = (const vx_solid_row *)(const void *)of->answer.cells;
    bool same = of->answer.rows == drawn->span_count;
    for (size_t i = 0; same && i < drawn->span_count; i++) {
        const vx_drawn_span *span = &drawn->spans[i];
        same = rows[i].x == span->x && rows[i].z == span->z && rows[i].min == span->min &&
               rows[i].max == span->max;
    }
    return same;
}

/* After a filter: the spans are the same (SPEC B6.1), their areas may not be. */
static bool take_areas(run *of, vx_op op)
{
    vx_drawn *drawn = of->drawn;
    if (!read_rows(of, VX_BUILD3D_SOLID)) {
        return false;
    }
    if (!are_same_spans(of)) {
        return wrong_rows(of, "a filter that changes spans");
    }
    const vx_solid_row *rows = (const vx_solid_row *)(const void *)of->answer.cells;
    for (size_t i = 0; i < drawn->span_count; i++) {
        vx_drawn_span *span = &drawn->spans[i];
        uint8_t area = (uint8_t)rows[i].area;
        if (area > 0) {
            span->top = VX_TOP_WALKABLE;
        } else if (span->area > 0) {
            span->top = op == VX_OP_LEDGES ? VX_TOP_LEDGE : VX_TOP_LOW;
        }
        span->area = area;
    }
    return true;
}

/* At the end: the compact spans, which should be the walkable solid ones in the same order (SPEC
 * B7.1), give those their last areas. Others are strays, which are counted. */
static bool take_compact(run *of)
{
    vx_drawn *drawn = of->drawn;
    if (!read_rows(of, VX_BUILD3D_COMPACT)) {
        return false;
    }
    drawn->is_compact = true;
    drawn->compact_count = of->answer.rows;
    drawn->compact = vx_must_alloc(drawn->compact_count, sizeof *drawn->compact);
    if (drawn->compact_count > 0) {
        memcpy(drawn->compact, of->answer.cells, drawn->compact_count * sizeof *drawn->compact);
    }
    size_t i = 0;
    for (size_t k = 0; k < drawn->compact_count; k++) {
        const vx_compact_row *row = &drawn->compact[k];
        int64_t column = row->x + (int64_t)row->z * drawn->size[0];
        while (i < drawn->span_count &&
               drawn->spans[i].x + (int64_t)drawn->spans[i].z * drawn->size[0] < column) {
            i++;
        }
        size_t at = i;
        while (at < drawn->span_count && drawn->spans[at].x == row->x &&
               drawn->spans[at].z == row->z && drawn->spans[at].max != row->y) {
            at++;
        }
        vx_drawn_span *span = at < drawn->span_count ? &drawn->spans[at] : NULL;
        if (span == NULL || span->x != row->x || span->z != row->z || span->compact >= 0 ||
            span->area == 0) {
            drawn->strays++;
            continue;
        }
        span->compact = (int32_t)k;
        span->area = (uint8_t)row->area;
        span->top = row->area > 0 ? VX_TOP_WALKABLE : VX_TOP_ERODED;
    }
    return true;
}

/* Runs all steps. FAILED: the picture shows what was before the step that failed. */
static outcome run_steps(run *of)
{
    vx_drawn *drawn = of->drawn;
    const vx_input *input = drawn->input;
    bool compact = false;
    outcome came = of->impl == NULL ? ask(of, 0) : DONE;
    if (came == DONE && !take_spans(of)) {
        came = NO_PICTURE;
    }
    for (size_t i = 0; i < input->step_count && came == DONE; i++) {
        vx_op op = input->steps[i].op;
        compact = compact || op == VX_OP_COMPACT;
        /* Of the compact steps only what they come to is drawn. */
        if (of->impl == NULL && compact && i + 1 < input->step_count) {
            continue;
        }
        came = run_step(of, i);
        if (came == DONE && op < VX_OP_COMPACT &&
            !(op < VX_OP_LOW_HANGING ? take_spans(of) : take_areas(of, op))) {
            came = NO_PICTURE;
        }
    }
    bool is_compact =
        compact && (came == DONE || (came == FAILED && of->impl != NULL &&
                                     drawn->input->steps[drawn->failed_step].op > VX_OP_COMPACT));
    if (is_compact && !take_compact(of)) {
        came = NO_PICTURE;
    }
    return came;
}

/* --- what is wrong ---------------------------------------------------------------------------- */

/* The rows that the case expects, or NULL: *owned when the reference had to make them. */
static const vx_result *find_expected(const run *of, vx_result *owned)
{
    const vx_case *item = of->drawn->request->item;
    if (item->expect.kinds != 0) {
        return NULL;
    }
    if (!item->expect.digest) {
        return &item->expect.result;
    }
    vx_arena arena;
    char sha256[VX_SHA256_HEX] = "";
    vx_reference_arena(&arena);
    bool good = vx_reference_run(item, &arena, owned) == VX_OK && owned->error == VX_OK;
    if (good) {
        vx_result_digest(&vx_build3d_shape, owned, sha256);
    }
    vx_arena_free(&arena);
    return strcmp(sha256, item->expect.sha256) == 0 ? owned : NULL;
}

/* The end of the rows of the column in which row `first` is. */
static size_t column_end(const vx_result *of, size_t width, size_t first)
{
    const int32_t *row = &of->cells[first * width];
    size_t end = first + 1;
    while (end < of->rows && memcmp(&of->cells[end * width], row, 2 * sizeof *row) == 0) {
        end++;
    }
    return end;
}

static int64_t column_of(const vx_drawn *drawn, const vx_result *of, size_t width, size_t row)
{
    return row < of->rows
               ? of->cells[row * width] + (int64_t)of->cells[row * width + 1] * drawn->size[0]
               : INT64_MAX;
}

static void mark_column(vx_drawn *drawn, int64_t column)
{
    if (drawn->differing == 0) {
        drawn->wrong_x = (int32_t)(column % drawn->size[0]);
        drawn->wrong_z = (int32_t)(column / drawn->size[0]);
    }
    drawn->differing++;
    drawn->differs[column] = 1;
}

/* Both have their rows in column order. */
static void mark_columns(vx_drawn *drawn, const vx_result *expected, const vx_result *answer)
{
    size_t width = vx_build3d_shape.tables[answer->table].width;
    size_t a = 0;
    size_t b = 0;
    drawn->differs = vx_must_alloc((size_t)drawn->size[0] * (size_t)drawn->size[1], 1);
    while (a < expected->rows || b < answer->rows) {
        int64_t column_a = column_of(drawn, expected, width, a);
        int64_t column_b = column_of(drawn, answer, width, b);
        int64_t column = column_a < column_b ? column_a : column_b;
        size_t end_a = column_a == column ? column_end(expected, width, a) : a;
        size_t end_b = column_b == column ? column_end(answer, width, b) : b;
        size_t rows = end_a - a;
        if (rows != end_b - b || memcmp(&expected->cells[a * width], &answer->cells[b * width],
                                        rows * width * sizeof(int32_t)) != 0) {
            mark_column(drawn, column);
        }
        a = end_a;
        b = end_b;
    }
}

/* Compares the answer, which the last step left, with what the case expects. */
static void compare(run *of, outcome came)
{
    vx_drawn *drawn = of->drawn;
    const vx_case *item = drawn->request->item;
    vx_result failure = {.error = drawn->error.status, .step = drawn->failed_step};
    const vx_result *answer = came == FAILED ? &failure : &of->answer;
    vx_result owned = {0};
    if (!item->has_expect ||
        vx_result_matches(&vx_build3d_shape, &item->expect, answer, &drawn->difference)) {
        return;
    }
    const vx_result *expected = came == DONE ? find_expected(of, &owned) : NULL;
    if (expected == &owned) {
        /* Rows say more than their digests do. */
        const vx_expect rows = {.result = owned};
        vx_text_clear(&drawn->difference);
        (void)vx_result_matches(&vx_build3d_shape, &rows, answer, &drawn->difference);
    }
    if (expected != NULL && expected->table == answer->table &&
        memcmp(expected->facts, answer->facts, 3 * sizeof answer->facts[0]) == 0) {
        mark_columns(drawn, expected, answer);
    }
    vx_result_free(&owned);
}

/* --- all of it -------------------------------------------------------------------------------- */

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
        for (int d = 0; span->compact >= 0 && d < 4; d++) {
            if (vx_drawn_is_mutual(drawn, span, d)) {
                drawn->both_ways++;
            } else if (drawn->compact[span->compact].link[d] != VX_LINK_NONE) {
                drawn->one_way++;
            }
        }
    }
}

/* Runs the steps on a field of the table. */
static outcome run_table(run *of)
{
    vx_arena arena;
    outcome came;
    vx_reference_arena(&arena);
    vx_status status =
        of->impl->open(&arena, &of->drawn->input->frame, &of->field, &of->drawn->error);
    if (status != VX_OK) {
        came = note_failure(of, status, -1);
    } else {
        came = run_steps(of);
        of->impl->close(of->field);
    }
    vx_arena_free(&arena);
    return came;
}

bool vx_drawn_make(const vx_draw_request *request, vx_drawn *drawn, vx_problem *problem)
{
    run of = {.impl = request->table, .drawn = drawn, .problem = problem};
    *drawn = (vx_drawn){.request = request, .input = request->item->input};
    const vx_frame *frame = &drawn->input->frame;
    memcpy(drawn->origin, frame->from_bounds ? frame->min : frame->origin, sizeof drawn->origin);
    drawn->cell_size = (double)frame->cell_size;
    drawn->cell_height = (double)frame->cell_height;
    outcome came = of.impl != NULL ? run_table(&of) : run_steps(&of);
    if (came == NO_PICTURE) {
        vx_drawn_free(drawn);
    } else {
        compare(&of, came);
        count(drawn);
    }
    vx_result_free(&of.answer);
    return came != NO_PICTURE;
}

void vx_drawn_free(vx_drawn *drawn)
{
    vx_text_free(&drawn->difference);
    free(drawn->spans);
    free(drawn->compact);
    free(drawn->differs);
    drawn->spans = NULL;
    drawn->compact = NULL;
    drawn->differs = NULL;
}
