/* SPDX-License-Identifier: MIT */
/* Each step of a case before the exact judge (oracle/build3d/exact). */
#ifndef VX_BUILD3D_JUDGE_H
#define VX_BUILD3D_JUDGE_H

#include "build3d/build3d.h"
#include "oracle/build3d/exact/exact.h"

/* What a result says of the step behind the first `steps`, which is judged against the result of
 * those; both are of the same implementation. Steps 0 and no before: the grid itself. Findings go
 * to the court; a line that one should know to the note, if there is one. VX_NO_MEMORY. */
typedef struct vx_build3d_stage {
    const vx_input *input;
    size_t steps;
    const vx_result *before; /* NULL: the grid */
    const vx_result *after;
    const vx_exact_court *court;
    vx_text *note;
    bool *is_open; /* becomes true when something was left open, being within the bound; NULL */
} vx_build3d_stage;

/* *ended: no later step can be judged. */
vx_status vx_build3d_judge(const vx_build3d_stage *stage, bool *ended);

/* What judging the step costs, in cells of triangles; at most limit + 1 is counted. Steps behind
 * the triangles cost what the result before makes them; NULL: nothing. */
uint64_t vx_build3d_judge_cost(const vx_input *input, size_t step, const int64_t size[3],
                               const vx_result *before, uint64_t limit);

#endif
