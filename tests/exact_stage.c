/* SPDX-License-Identifier: MIT */
/* For tests of the exact judge: steps, answers, findings. */
#include "exact_stage.h"

#include <criterion/criterion.h>
#include <string.h>

#include "reference.h"

static void keep(void *context, const vx_exact_finding *finding)
{
    findings *found = context;
    if (found->count < FINDINGS_KEPT) {
        found->kept[found->count] = *finding;
    }
    found->count++;
}

const vx_exact_finding *findings_in_column(const findings *found, int64_t x, int64_t z)
{
    for (size_t i = 0; i < found->count && i < FINDINGS_KEPT; i++) {
        if (found->kept[i].x == x && found->kept[i].z == z) {
            return &found->kept[i];
        }
    }
    return NULL;
}

void stage_open(stage *of, int64_t w, int64_t d, int64_t h)
{
    const vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {w, d, h}};
    memset(of, 0, sizeof *of);
    of->input = vx_build3d_input_new(&frame);
    vx_reference_arena(&of->arena);
}

void stage_close(stage *of)
{
    vx_result_free(&of->before);
    vx_result_free(&of->after);
    vx_text_free(&of->note);
    vx_build3d_input_free(of->input);
    vx_arena_free(&of->arena);
}

void stage_add(stage *of, const vx_step *step)
{
    vx_build3d_add_step(of->input, step);
}

void stage_add_triangle(stage *of, const double corners[9])
{
    static const int64_t indices[] = {0, 1, 2};
    stage_add(of, &(vx_step){.op = VX_OP_RASTERIZE,
                             .mesh = {.vertices = corners,
                                      .vertex_values = 9,
                                      .indices = indices,
                                      .index_count = 3,
                                      .slope_cosine = VX_DEFAULT_SLOPE_COSINE}});
}

static void run_steps(stage *of, size_t steps, vx_result *result)
{
    const vx_run_options options = {.step_limit = steps};
    vx_result_free(result);
    cr_assert_eq(vx_build3d_run(&vx_ref_build3d, of->input, &options, &of->arena, result), VX_OK);
}

void stage_run(stage *of)
{
    run_steps(of, of->input->step_count - 1, &of->before);
    run_steps(of, of->input->step_count, &of->after);
}

bool stage_judge(stage *of)
{
    bool ended;
    const vx_exact_court court = {.report = keep, .context = &of->found};
    const vx_build3d_stage judged = {.input = of->input,
                                     .steps = of->input->step_count - 1,
                                     .before = &of->before,
                                     .after = &of->after,
                                     .court = &court,
                                     .note = &of->note};
    of->found.count = 0;
    vx_text_clear(&of->note);
    cr_assert_eq(vx_build3d_judge(&judged, &ended), VX_OK);
    return !ended;
}

vx_solid_row *stage_solid(stage *of, size_t i)
{
    void *rows = of->after.cells;
    return (vx_solid_row *)rows + i;
}

vx_compact_row *stage_compact(stage *of, size_t i)
{
    void *rows = of->after.cells;
    return (vx_compact_row *)rows + i;
}

void stage_remove_solid(stage *of, size_t i)
{
    vx_solid_row *row = stage_solid(of, i);
    of->after.rows--;
    memmove(row, row + 1, (of->after.rows - i) * sizeof *row);
}
