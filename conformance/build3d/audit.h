/* SPDX-License-Identifier: MIT */
/* An implementation's solid rows before the exact judge (oracle/build3d/exact). */
#ifndef VX_BUILD3D_AUDIT_H
#define VX_BUILD3D_AUDIT_H

#include "build3d/build3d.h"
#include "oracle/build3d/exact/exact.h"

/* The number of steps that the solid judge understands: those before the first filter. */
size_t vx_build3d_audited_steps(const vx_input *input);

/* Judges a result without an error of the first so many steps, which are solid ones. Each finding
 * is reported; its source is the number of the step. VX_NO_MEMORY. */
vx_status vx_build3d_audit_solid(const vx_input *input, size_t steps, const vx_result *result,
                                 vx_exact_report *report, void *context);

#endif
