/* SPDX-License-Identifier: MIT */
/* The reference implementation, where the kit itself needs an answer or a time. */
#include "reference.h"

#include <stdint.h>
#include <stdio.h>

#include "chapter.h"

#define ARENA_BLOCK ((size_t)1 << 20)
#define ARENA_LIMIT ((size_t)16 << 30)

void vx_reference_arena(vx_arena *arena)
{
    vx_arena_init_growable(arena, ARENA_BLOCK, ARENA_LIMIT);
}

vx_status vx_reference_run(const vx_case *item, vx_arena *arena, vx_result *result)
{
    static const vx_run_options options = {.step_limit = SIZE_MAX};
    const vx_implementation *reference = vx_implementation_find(item->chapter, "ref");
    if (reference == NULL) {
        (void)snprintf(result->message, sizeof result->message, "%s has no reference",
                       item->chapter->name);
        return VX_UNSUPPORTED;
    }
    return item->chapter->run(reference->table, item->input, &options, arena, result);
}
