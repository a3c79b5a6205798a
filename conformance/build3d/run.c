/* SPDX-License-Identifier: MIT */
/* Runs an input of build3d step by step on any implementation, and reads its result. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build3d/build3d.h"

/* Rows are read straight into the cells of a result. */
static_assert(sizeof(vx_solid_row) == 5 * sizeof(int32_t), "a solid row is five cells");
static_assert(sizeof(vx_compact_row) == 9 * sizeof(int32_t), "a compact row is nine cells");

/* Far above what memory holds, and far below where sizes overflow. */
#define RESULT_ROWS_MAX UINT64_C(0x80000000)

vx_status vx_build3d_run_step(const vx_build3d_impl *impl, vx_build3d *field, const vx_step *step,
                              vx_error *error)
{
    switch (step->op) {
    case VX_OP_RASTERIZE:
        return impl->rasterize(field, &step->mesh, error);
    case VX_OP_ADD_SPANS:
        return impl->add_spans(field, step->list.spans, step->list.count,
                               step->list.merge_threshold, error);
    case VX_OP_HEIGHT_GRID:
        return impl->height_grid(field, &step->grid, error);
    case VX_OP_CHUNK:
        return impl->chunk(field, &step->chunk, error);
    case VX_OP_LOW_HANGING:
        return impl->low_hanging(field, step->climb, error);
    case VX_OP_LEDGES:
        return impl->ledges(field, step->height, step->climb, error);
    case VX_OP_LOW_HEIGHT:
        return impl->low_height(field, step->height, error);
    case VX_OP_COMPACT:
        return impl->compact(field, step->height, step->climb, error);
    case VX_OP_ERODE:
        return impl->erode(field, step->radius, error);
    case VX_OP_VOLUME:
        return impl->volume(field, &step->volume, error);
    }
    return VX_UNSUPPORTED;
}

/* A heading in the trace above what the step has to say. */
static void announce_step(const vx_run_options *options, const vx_input *input, size_t step)
{
    char heading[64];
    (void)snprintf(heading, sizeof heading, "step %zu: %s", step,
                   vx_chapter_build3d.step_name(input, step));
    options->trace(options->trace_context, "", heading);
}

vx_status vx_build3d_read_rows(const vx_build3d_impl *impl, const vx_build3d *field,
                               vx_result *result, vx_error *error)
{
    vx_build3d_info info = {0};
    impl->info(field, &info);
    for (size_t i = 0; i < 3; i++) {
        result->facts[i] = info.size[i];
    }
    result->facts[3] = (int64_t)info.degenerate;
    result->table = info.is_compact ? VX_BUILD3D_COMPACT : VX_BUILD3D_SOLID;
    if (info.rows > RESULT_ROWS_MAX) {
        return vx_fail(error, VX_NO_MEMORY,
                       "a result of %" PRIu64 " rows; at most %" PRIu64 " can be read", info.rows,
                       RESULT_ROWS_MAX);
    }
    size_t row_size = vx_build3d_shape.tables[result->table].width * sizeof(int32_t);
    result->rows = (size_t)info.rows;
    result->cells = calloc(result->rows > 0 ? result->rows : 1, row_size);
    if (result->cells == NULL) {
        return vx_fail(error, VX_NO_MEMORY, "no memory for %zu rows", result->rows);
    }
    void *rows = result->cells;
    return info.is_compact ? impl->read_compact(field, rows, result->rows, error)
                           : impl->read_solid(field, rows, result->rows, error);
}

/* Makes the result of a call that failed. Input errors are results; the others are returned, and so
 * is a status that the interface does not know. */
static vx_status failed(vx_result *result, vx_status status, int64_t step, const vx_error *error)
{
    vx_result_free(result);
    result->error = status;
    result->step = step;
    memcpy(result->message, error->message, sizeof result->message);
    result->message[sizeof result->message - 1] = '\0';
    if (status == VX_ARGUMENT || status == VX_OUT_OF_RANGE) {
        return VX_OK;
    }
    if (status != VX_NO_MEMORY && status != VX_UNSUPPORTED) {
        (void)snprintf(result->message, sizeof result->message,
                       "the implementation returned the status %d, which it must not", (int)status);
        result->error = VX_UNSUPPORTED;
    }
    return result->error;
}

static vx_status run_steps(const vx_build3d_impl *impl, const vx_input *input,
                           const vx_run_options *options, vx_arena *arena, vx_result *result)
{
    *result = (vx_result){0};
    vx_error error = {0};
    vx_build3d *field = NULL;
    vx_arena_reset(arena);
    vx_status status = impl->open(arena, &input->frame, &field, &error);
    if (status != VX_OK) {
        return failed(result, status, -1, &error);
    }
    bool traces = options->trace != NULL && impl->set_trace != NULL;
    if (traces) {
        options->trace(options->trace_context, "", "grid");
        impl->set_trace(field, options->trace, options->trace_context);
    }
    size_t step = 0;
    while (step < input->step_count && step < options->step_limit && status == VX_OK) {
        if (traces) {
            announce_step(options, input, step);
        }
        status = vx_build3d_run_step(impl, field, &input->steps[step], &error);
        step++;
    }
    int64_t failing = (int64_t)step - 1;
    if (status == VX_OK) {
        status = vx_build3d_read_rows(impl, field, result, &error);
    }
    impl->close(field);
    return status == VX_OK ? VX_OK : failed(result, status, failing, &error);
}

vx_status vx_build3d_run(const void *table, const vx_input *input, const vx_run_options *options,
                         vx_arena *arena, vx_result *result)
{
    char before[VX_SHA256_HEX];
    char after[VX_SHA256_HEX];
    if (!options->guards_input) {
        return run_steps(table, input, options, arena, result);
    }
    vx_build3d_digest(input, before);
    vx_status status = run_steps(table, input, options, arena, result);
    vx_build3d_digest(input, after);
    if (strcmp(before, after) == 0) {
        return status;
    }
    vx_result_free(result);
    (void)snprintf(result->message, sizeof result->message,
                   "the implementation changed the case that it was given to read");
    result->error = VX_UNSUPPORTED;
    return VX_UNSUPPORTED;
}
