/* SPDX-License-Identifier: MIT */
/* For tests of the exact judge: a case's last step, an answer to it that can be spoilt, and what
 * the judge says. */
#ifndef VX_TEST_EXACT_STAGE_H
#define VX_TEST_EXACT_STAGE_H

#include "build3d/judge.h"

enum { FINDINGS_KEPT = 64 };

typedef struct findings {
    vx_exact_finding kept[FINDINGS_KEPT];
    size_t count;
} findings;

/* The first finding in the column, NULL when there is none. */
const vx_exact_finding *findings_in_column(const findings *found, int64_t x, int64_t z);

typedef struct stage {
    vx_input *input;
    vx_arena arena;
    vx_result before, after; /* the reference's */
    vx_text note;
    findings found;
} stage;

/* A grid of w · d · h unit cells at the origin. */
void stage_open(stage *of, int64_t w, int64_t d, int64_t h);
void stage_close(stage *of);

/* Appends a step; one triangle with default slope. */
void stage_add(stage *of, const vx_step *step);
void stage_add_triangle(stage *of, const double corners[9]);

/* Runs all steps but the last, and all. */
void stage_run(stage *of);

/* Judges what stands in after; returns whether later steps can be judged. */
bool stage_judge(stage *of);

/* Rows of the answer. */
vx_solid_row *stage_solid(stage *of, size_t i);
vx_compact_row *stage_compact(stage *of, size_t i);
void stage_remove_solid(stage *of, size_t i);

#endif
