/* SPDX-License-Identifier: MIT */
/* The reference implementation, where the kit itself needs an answer or a time. */
#ifndef VX_REFERENCE_H
#define VX_REFERENCE_H

#include "case.h"
#include "voxcert/arena.h"

/* An arena that any implementation finds large enough. */
void vx_reference_arena(vx_arena *arena);

/* The reference's result of the case; free it. VX_UNSUPPORTED when the chapter has no reference;
 * result->message then says so. */
vx_status vx_reference_run(const vx_case *item, vx_arena *arena, vx_result *result);

#endif
