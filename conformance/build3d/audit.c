/* SPDX-License-Identifier: MIT */
/* An implementation's solid rows before the exact judge. */
#include "build3d/audit.h"

#include <assert.h>

static_assert(sizeof(vx_solid_row) == 5 * sizeof(int32_t), "a solid row is five cells");

size_t vx_build3d_audited_steps(const vx_input *input)
{
    size_t count = 0;
    while (count < input->step_count && input->steps[count].op < VX_OP_LOW_HANGING) {
        count++;
    }
    return count;
}

static vx_status put(vx_exact_solid *solid, const vx_step *step)
{
    switch (step->op) {
    case VX_OP_RASTERIZE:
        return vx_exact_mesh(solid, &step->mesh);
    case VX_OP_ADD_SPANS:
        return vx_exact_spans(solid, step->list.spans, step->list.count);
    case VX_OP_HEIGHT_GRID:
        return vx_exact_height_grid(solid, &step->grid);
    case VX_OP_CHUNK:
        return vx_exact_chunk(solid, &step->chunk);
    default:
        return VX_UNSUPPORTED;
    }
}

vx_status vx_build3d_audit_solid(const vx_input *input, size_t steps, const vx_result *result,
                                 vx_exact_report *report, void *context)
{
    const void *rows = result->cells;
    vx_exact_solid *solid = vx_exact_new(&input->frame, result->facts);
    vx_status status = solid != NULL ? VX_OK : VX_NO_MEMORY;
    for (size_t i = 0; i < steps && status == VX_OK; i++) {
        status = put(solid, &input->steps[i]);
    }
    if (status == VX_OK) {
        status = vx_exact_compare(solid, rows, result->rows, report, context);
    }
    vx_exact_free(solid);
    return status;
}
