/* SPDX-License-Identifier: MIT */
/* Each step of a case before the exact judge: what SPEC.md refuses, what the step must do to the
 * implementation's own result of the steps before, and what it may. */
#include "build3d/judge.h"

#include <stdio.h>

#include "words.h"

/* The judge's work, measured in cells of triangles, which cost the most. */
enum { PAIRS_A_CELL = 1 << 14, SIDES_A_CELL = 16 };

static vx_exact_solid_rows solid_rows(const vx_result *result)
{
    const void *rows = result->cells;
    return (vx_exact_solid_rows){rows, result->rows, (uint64_t)result->facts[3]};
}

static vx_exact_compact_rows compact_rows(const vx_result *result)
{
    const void *rows = result->cells;
    return (vx_exact_compact_rows){rows, result->rows};
}

static void leave_open(const vx_build3d_stage *stage, bool is_open)
{
    if (stage->is_open != NULL && is_open) {
        *stage->is_open = true;
    }
}

static void report(const vx_build3d_stage *stage, const char *clause, const char *text)
{
    vx_exact_finding finding = {.clause = clause, .x = -1, .z = -1};
    (void)snprintf(finding.text, sizeof finding.text, "%s", text);
    stage->court->report(stage->court->context, &finding);
}

/* --- what is refused -------------------------------------------------------------------------- */

/* The clause by which SPEC.md refuses the stage's step, NULL when it does not; *open: within a
 * bound it may, too. VX_NO_MEMORY. */
static vx_status find_refusal(const vx_build3d_stage *stage, const char **clause, bool *open)
{
    *open = false;
    if (stage->before == NULL) {
        *clause = vx_exact_refuse_frame(&stage->input->frame, open);
        return VX_OK;
    }
    const vx_step *step = &stage->input->steps[stage->steps];
    const int64_t *size = stage->before->facts;
    switch (step->op) {
    case VX_OP_RASTERIZE:
        *clause = vx_exact_refuse_mesh(&step->mesh);
        return VX_OK;
    case VX_OP_ADD_SPANS:
        *clause = vx_exact_refuse_spans(size, step->list.spans, step->list.count,
                                        step->list.merge_threshold);
        return VX_OK;
    case VX_OP_HEIGHT_GRID:
        *clause = vx_exact_refuse_height_grid(&step->grid);
        return VX_OK;
    case VX_OP_CHUNK:
        return vx_exact_refuse_chunk(&step->chunk, clause);
    case VX_OP_VOLUME:
        *clause = vx_exact_refuse_volume(&step->volume, open);
        return VX_OK;
    case VX_OP_LOW_HANGING:
        *clause = vx_exact_refuse_numbers(1, step->climb, 0);
        return VX_OK;
    case VX_OP_LEDGES:
    case VX_OP_COMPACT:
        *clause = vx_exact_refuse_numbers(step->height, step->climb, 0);
        return VX_OK;
    case VX_OP_LOW_HEIGHT:
        *clause = vx_exact_refuse_numbers(step->height, 0, 0);
        return VX_OK;
    case VX_OP_ERODE:
        *clause = vx_exact_refuse_numbers(1, 0, step->radius);
        return VX_OK;
    }
    return VX_UNSUPPORTED;
}

/* The answer is an error: whether it ought to be one. */
static void judge_error(const vx_build3d_stage *stage, const char *clause, bool open)
{
    int64_t step = stage->before == NULL ? -1 : (int64_t)stage->steps;
    char text[VX_EXACT_TEXT];
    if (stage->after->step != step) {
        (void)snprintf(text, sizeof text,
                       "the answer is an error at step %lld, where there was none without this "
                       "step",
                       (long long)stage->after->step);
        report(stage, "B11.1", text);
    } else if (clause == NULL && !open) {
        (void)snprintf(text, sizeof text, "refused (%s), although no clause refuses it",
                       vx_status_name(stage->after->error));
        report(stage, "B0.8", text);
    } else if (stage->note != NULL) {
        vx_text_format(stage->note, "refused (%s)%s%s", vx_status_name(stage->after->error),
                       clause != NULL ? " by " : ", which the bound leaves open",
                       clause != NULL ? clause : "");
    }
}

/* --- what a step makes ------------------------------------------------------------------------ */

/* Whether the answer has the table that it must have, and rows that are a heightfield. */
static vx_status check_rows(const vx_build3d_stage *stage, bool *good)
{
    const vx_result *after = stage->after;
    bool compact = false;
    for (size_t i = 0; stage->before != NULL && i <= stage->steps; i++) {
        compact = compact || stage->input->steps[i].op == VX_OP_COMPACT;
    }
    *good = after->table == (compact ? VX_BUILD3D_COMPACT : VX_BUILD3D_SOLID);
    if (!*good) {
        report(stage, "B7.1",
               compact ? "the answer has solid rows after compacting"
                       : "the answer has compact rows before compacting");
        return VX_OK;
    }
    *good = vx_exact_check_size(&stage->input->frame, after->facts, stage->court);
    if (*good && compact) {
        return vx_exact_check_compact(after->facts, compact_rows(after), stage->court, good);
    }
    *good = *good && vx_exact_check_solid(after->facts, solid_rows(after), stage->court);
    return VX_OK;
}

/* Puts the step's solid into the grid. */
static vx_status put(vx_exact_solid *solid, const vx_step *step, const vx_exact_court *court)
{
    switch (step->op) {
    case VX_OP_RASTERIZE:
        return vx_exact_mesh(solid, &step->mesh, court);
    case VX_OP_ADD_SPANS:
        return vx_exact_spans(solid, step->list.spans, step->list.count,
                              step->list.merge_threshold);
    case VX_OP_HEIGHT_GRID:
        return vx_exact_height_grid(solid, &step->grid, court);
    case VX_OP_CHUNK:
        return vx_exact_chunk(solid, &step->chunk);
    default:
        return VX_UNSUPPORTED;
    }
}

/* What of the areas was not known, if anything. */
static void note_areas(const vx_build3d_stage *stage, const vx_exact_areas *areas)
{
    const char *subject = "the areas of ";
    if (stage->note != NULL && areas->open > 0) {
        vx_text_add(stage->note, subject);
        vx_add_counted(stage->note, areas->open, "span");
        vx_text_add(stage->note, " were only checked to be among those added there (too many "
                                 "possible merges)");
        subject = "; those of ";
    }
    if (stage->note != NULL && areas->several > 0) {
        vx_text_add(stage->note, subject);
        vx_add_counted(stage->note, areas->several, "span");
        vx_text_add(stage->note,
                    " were only checked to be one of several that are right within the bound (a "
                    "slope near slopeCosine, or rows that are not certain)");
    }
}

/* SPEC B2 to B5; without a step, the empty grid. */
static vx_status judge_solid(const vx_build3d_stage *stage)
{
    const vx_result *before = stage->before;
    vx_exact_areas areas = {0};
    vx_exact_solid *solid = vx_exact_new(&stage->input->frame, stage->after->facts);
    vx_status status = solid != NULL ? VX_OK : VX_NO_MEMORY;
    if (status == VX_OK && before != NULL) {
        status = put(solid, &stage->input->steps[stage->steps], stage->court);
    }
    if (status == VX_OK) {
        status =
            vx_exact_compare(solid, before != NULL ? solid_rows(before) : (vx_exact_solid_rows){0},
                             solid_rows(stage->after), stage->court, &areas);
    }
    note_areas(stage, &areas);
    leave_open(stage, areas.bound);
    vx_exact_free(solid);
    return status;
}

static vx_status judge_volume(const vx_build3d_stage *stage, const vx_step *step)
{
    vx_exact_centres centres;
    vx_status status =
        vx_exact_judge_volume(&stage->input->frame, &step->volume, compact_rows(stage->before),
                              compact_rows(stage->after), stage->court, &centres);
    leave_open(stage,
               status == VX_OK && (centres.open > 0 || centres.spans > 0 || centres.no_shape));
    if (status == VX_OK && stage->note != NULL) {
        if (centres.no_shape) {
            vx_text_add(stage->note, "not judged: every side of the volume is within the bound");
        } else {
            vx_text_format(
                stage->note,
                "centres of columns with spans: %zu; binary64 decides %zu otherwise than "
                "the exact sign; %zu lie within the bound",
                centres.asked, centres.otherwise, centres.open);
        }
    }
    return status;
}

/* A step that succeeded and had to. */
static vx_status judge_step(const vx_build3d_stage *stage)
{
    const vx_result *before = stage->before;
    const vx_result *after = stage->after;
    const vx_exact_court *court = stage->court;
    if (before == NULL) {
        return judge_solid(stage);
    }
    const vx_step *step = &stage->input->steps[stage->steps];
    switch (step->op) {
    case VX_OP_RASTERIZE:
    case VX_OP_ADD_SPANS:
    case VX_OP_HEIGHT_GRID:
    case VX_OP_CHUNK:
        return judge_solid(stage);
    case VX_OP_LOW_HANGING:
        return vx_exact_judge_filter(after->facts, VX_EXACT_LOW_HANGING, 1, step->climb,
                                     solid_rows(before), solid_rows(after), court);
    case VX_OP_LEDGES:
        return vx_exact_judge_filter(after->facts, VX_EXACT_LEDGES, step->height, step->climb,
                                     solid_rows(before), solid_rows(after), court);
    case VX_OP_LOW_HEIGHT:
        return vx_exact_judge_filter(after->facts, VX_EXACT_LOW_HEIGHT, step->height, 0,
                                     solid_rows(before), solid_rows(after), court);
    case VX_OP_COMPACT:
        return vx_exact_judge_compact(after->facts, step->height, step->climb, solid_rows(before),
                                      compact_rows(after), court);
    case VX_OP_ERODE:
        return vx_exact_judge_erosion(after->facts, step->radius, compact_rows(before),
                                      compact_rows(after), court);
    case VX_OP_VOLUME:
        return judge_volume(stage, step);
    }
    return VX_UNSUPPORTED;
}

vx_status vx_build3d_judge(const vx_build3d_stage *stage, bool *ended)
{
    const char *clause = NULL;
    bool open = false;
    bool good = true;
    *ended = stage->after->error != VX_OK;
    vx_status status = find_refusal(stage, &clause, &open);
    if (status != VX_OK) {
        return status;
    }
    leave_open(stage, open && clause == NULL);
    if (*ended) {
        judge_error(stage, clause, open);
        return VX_OK;
    }
    if (clause != NULL) {
        report(stage, clause, "accepted, although this clause refuses it");
        *ended = true;
        return VX_OK;
    }
    status = check_rows(stage, &good);
    *ended = !good;
    return status == VX_OK && good ? judge_step(stage) : status;
}

/* --- what it costs ---------------------------------------------------------------------------- */

static uint64_t pairs_cost(const int64_t size[3], const vx_result *before, uint64_t limit)
{
    uint64_t pairs;
    size_t width = vx_build3d_shape.tables[before->table].width;
    vx_status status =
        vx_exact_pairs(size, before->cells, width * sizeof(int32_t), before->rows, &pairs);
    return status == VX_OK ? pairs / PAIRS_A_CELL : limit + 1;
}

/* The cells of the step's triangles. */
static uint64_t solid_cost(const vx_input *input, const vx_step *step, const int64_t size[3],
                           uint64_t limit)
{
    uint64_t cost = 0;
    vx_exact_solid *solid = vx_exact_new(&input->frame, size);
    if (solid != NULL && step->op == VX_OP_RASTERIZE && vx_exact_refuse_mesh(&step->mesh) == NULL) {
        cost = vx_exact_mesh_cost(solid, &step->mesh, limit);
    } else if (solid != NULL && step->op == VX_OP_HEIGHT_GRID &&
               vx_exact_refuse_height_grid(&step->grid) == NULL) {
        cost = vx_exact_height_grid_cost(solid, &step->grid, limit);
    }
    vx_exact_free(solid);
    return cost;
}

uint64_t vx_build3d_judge_cost(const vx_input *input, size_t at, const int64_t size[3],
                               const vx_result *before, uint64_t limit)
{
    const vx_step *step = &input->steps[at];
    switch (step->op) {
    case VX_OP_RASTERIZE:
    case VX_OP_HEIGHT_GRID:
        return solid_cost(input, step, size, limit);
    case VX_OP_LEDGES:
    case VX_OP_COMPACT:
        return before != NULL ? pairs_cost(size, before, limit) : 0;
    case VX_OP_VOLUME: {
        uint64_t columns = before != NULL ? before->rows : 0;
        uint64_t most = (uint64_t)(size[0] * size[1]);
        return (columns < most ? columns : most) * step->volume.corner_count / SIDES_A_CELL;
    }
    default:
        return 0;
    }
}
