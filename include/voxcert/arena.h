/* SPDX-License-Identifier: MIT */
/* An arena: memory that is handed out piece by piece and given back all at once. */
#ifndef VOXCERT_ARENA_H
#define VOXCERT_ARENA_H

#include <stddef.h>

#include "voxcert/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Two kinds, one interface:
 *   fixed     over memory that the caller owns; when it is used up, an allocation fails;
 *   growable  over blocks from malloc, up to a limit in bytes; vx_arena_free returns them. The
 *             kernel may back those from 4 MiB on by huge pages.
 * Not thread-safe: one arena, one thread. Under AddressSanitizer, memory that is not handed out is
 * poisoned and a redzone lies between allocations. The fields are private. */
typedef struct vx_arena_block vx_arena_block;

typedef struct vx_arena {
    vx_arena_block *first;   /* oldest block */
    vx_arena_block *current; /* the block that allocations come from */
    size_t block_size;       /* least size of a new block; 0: fixed */
    size_t limit;            /* most bytes held in blocks */
    size_t held;             /* bytes held in blocks now */
    size_t used;             /* bytes handed out now, alignment and redzones included */
    size_t peak;             /* largest value of used since the arena was made */
    size_t fail_after;       /* allocations until one fails on purpose; SIZE_MAX: never */
} vx_arena;

/* A point to go back to. */
typedef struct vx_arena_mark {
    vx_arena_block *block;
    size_t offset;
    size_t used;
} vx_arena_mark;

/* A fixed arena over memory[0 .. size). The memory stays the caller's and must outlive the arena; a
 * few dozen bytes of it serve the arena itself. VX_NO_MEMORY when not even those fit. */
VX_NODISCARD vx_status vx_arena_init_fixed(vx_arena *arena, void *memory, size_t size);

/* A growable arena: blocks of at least block_size bytes (at least 1), together at most limit bytes.
 * Nothing is allocated yet. */
void vx_arena_init_growable(vx_arena *arena, size_t block_size, size_t limit);

/* count · size bytes aligned to align (a power of two), not initialised; NULL when the product
 * overflows or the memory is used up. An allocation of 0 bytes is valid and not NULL. */
VX_NODISCARD void *vx_arena_alloc(vx_arena *arena, size_t count, size_t size, size_t align);

/* The same, all bytes 0. */
VX_NODISCARD void *vx_arena_alloc_zero(vx_arena *arena, size_t count, size_t size, size_t align);

/* The present point, and the return to it: everything allocated since is gone. Marks nest. */
vx_arena_mark vx_arena_get_mark(const vx_arena *arena);
void vx_arena_rewind(vx_arena *arena, vx_arena_mark mark);

/* Everything allocated is gone; the blocks are kept for what comes next. */
void vx_arena_reset(vx_arena *arena);

/* Everything allocated is gone and the blocks are returned. The arena can be used again. */
void vx_arena_free(vx_arena *arena);

/* Bytes handed out now, and the most since the arena was made. */
size_t vx_arena_used(const vx_arena *arena);
size_t vx_arena_peak(const vx_arena *arena);

/* For tests: the allocation after the next count ones fails, and every one after that;
 * SIZE_MAX switches it off. */
void vx_arena_fail_after(vx_arena *arena, size_t count);

#ifdef __cplusplus
}
#endif

#endif
