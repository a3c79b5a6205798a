/* SPDX-License-Identifier: MIT */
/* The arena: a chain of blocks, each handed out from its low end upwards. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "voxcert/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define VX_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define VX_ASAN 1
#endif
#endif

#ifdef VX_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(address, size) __asan_poison_memory_region((address), (size))
#define UNPOISON(address, size) __asan_unpoison_memory_region((address), (size))
enum { REDZONE = 32 };
#else
#define POISON(address, size) ((void)(address), (void)(size))
#define UNPOISON(address, size) ((void)(address), (void)(size))
enum { REDZONE = 0 };
#endif

/* Lies at the start of its memory; data begins behind it. */
struct vx_arena_block {
    vx_arena_block *next;
    size_t capacity; /* bytes of data */
    size_t offset;   /* bytes of data handed out */
};

/* Two huge pages of x86-64: smaller blocks may hold none that is aligned. */
enum { HUGE_FROM = 4 << 20 };

enum { HEADER = (sizeof(vx_arena_block) + 63) / 64 * 64 };

static unsigned char *block_data(vx_arena_block *block)
{
    return (unsigned char *)block + HEADER;
}

vx_status vx_arena_init_fixed(vx_arena *arena, void *memory, size_t size)
{
    *arena = (vx_arena){.fail_after = SIZE_MAX};
    size_t skew = (size_t)(-(uintptr_t)memory & (_Alignof(max_align_t) - 1));
    if (memory == NULL || size < skew + HEADER) {
        return VX_NO_MEMORY;
    }
    vx_arena_block *block = (void *)((unsigned char *)memory + skew);
    *block = (vx_arena_block){.capacity = size - skew - HEADER};
    POISON(block_data(block), block->capacity);
    arena->first = arena->current = block;
    arena->limit = arena->held = size;
    return VX_OK;
}

void vx_arena_init_growable(vx_arena *arena, size_t block_size, size_t limit)
{
    *arena = (vx_arena){
        .block_size = block_size > 0 ? block_size : 1, .limit = limit, .fail_after = SIZE_MAX};
}

/* Takes size bytes from the block, or returns NULL when they do not fit. */
static void *take(vx_arena *arena, vx_arena_block *block, size_t size, size_t align)
{
    unsigned char *data = block_data(block);
    uintptr_t low = (uintptr_t)data + block->offset;
    size_t skew = (size_t)(-low & (align - 1));
    size_t room = block->capacity - block->offset;
    if (room < skew || room - skew < size) {
        return NULL;
    }
    void *result = data + block->offset + skew;
    size_t rest = room - skew - size;
    size_t redzone = rest > REDZONE ? REDZONE : rest;
    block->offset += skew + size + redzone;
    arena->used += skew + size + redzone;
    if (arena->used > arena->peak) {
        arena->peak = arena->used;
    }
    UNPOISON(result, size);
    return result;
}

/* Lets the kernel back a large block by huge pages: what is read and written at random then finds
 * its addresses cached, and the first touch of 2 MiB is one fault instead of 512. A block that
 * can't have them is as good as before. */
static void advise_huge_pages(void *block, size_t size)
{
    if (size < HUGE_FROM) {
        return;
    }
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)block + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)block + size) / page * page;
    (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

/* Appends a block that holds at least size bytes at that alignment, or returns NULL. */
static vx_arena_block *grow(vx_arena *arena, size_t size, size_t align)
{
    if (arena->block_size == 0 || size > SIZE_MAX - HEADER - align - REDZONE) {
        return NULL;
    }
    size_t capacity = size + align + REDZONE;
    if (capacity < arena->block_size) {
        capacity = arena->block_size;
    }
    if (capacity > SIZE_MAX - HEADER || capacity + HEADER > arena->limit - arena->held) {
        return NULL;
    }
    vx_arena_block *block = malloc(HEADER + capacity);
    if (block == NULL) {
        return NULL;
    }
    advise_huge_pages(block, HEADER + capacity);
    *block = (vx_arena_block){.capacity = capacity};
    POISON(block_data(block), capacity);
    arena->held += HEADER + capacity;
    if (arena->current == NULL) {
        arena->first = block;
    } else {
        block->next = arena->current->next;
        arena->current->next = block;
    }
    return block;
}

void *vx_arena_alloc(vx_arena *arena, size_t count, size_t size, size_t align)
{
    assert(align > 0 && (align & (align - 1)) == 0);
    if (arena->fail_after != SIZE_MAX && arena->fail_after-- == 0) {
        arena->fail_after = 0;
        return NULL;
    }
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    size_t bytes = count * size > 0 ? count * size : 1;
    while (arena->current != NULL) {
        void *result = take(arena, arena->current, bytes, align);
        if (result != NULL) {
            return result;
        }
        if (arena->current->next == NULL) {
            break;
        }
        /* Blocks behind the current one were emptied by a rewind. */
        arena->current = arena->current->next;
        arena->current->offset = 0;
    }
    vx_arena_block *block = grow(arena, bytes, align);
    if (block == NULL) {
        return NULL;
    }
    arena->current = block;
    return take(arena, block, bytes, align);
}

void *vx_arena_alloc_zero(vx_arena *arena, size_t count, size_t size, size_t align)
{
    void *result = vx_arena_alloc(arena, count, size, align);
    if (result != NULL) {
        memset(result, 0, count * size);
    }
    return result;
}

vx_arena_mark vx_arena_get_mark(const vx_arena *arena)
{
    return (vx_arena_mark){.block = arena->current,
                           .offset = arena->current != NULL ? arena->current->offset : 0,
                           .used = arena->used};
}

void vx_arena_rewind(vx_arena *arena, vx_arena_mark mark)
{
    vx_arena_block *block = mark.block != NULL ? mark.block : arena->first;
    if (block == NULL) {
        return;
    }
    arena->current = block;
    arena->used = mark.used;
    for (size_t kept = mark.offset; block != NULL; block = block->next, kept = 0) {
        assert(block->offset >= kept);
        /* What lies behind the offset is poisoned already. */
        POISON(block_data(block) + kept, block->offset - kept);
        block->offset = kept;
    }
}

void vx_arena_reset(vx_arena *arena)
{
    vx_arena_rewind(arena, (vx_arena_mark){.block = arena->first});
}

void vx_arena_free(vx_arena *arena)
{
    vx_arena_block *block = arena->first;
    if (arena->block_size == 0) {
        vx_arena_reset(arena);
        if (block != NULL) {
            UNPOISON(block_data(block), block->capacity);
        }
        return;
    }
    while (block != NULL) {
        vx_arena_block *next = block->next;
        UNPOISON(block_data(block), block->capacity);
        free(block);
        block = next;
    }
    arena->first = arena->current = NULL;
    arena->held = arena->used = 0;
}

size_t vx_arena_used(const vx_arena *arena)
{
    return arena->used;
}

size_t vx_arena_peak(const vx_arena *arena)
{
    return arena->peak;
}

void vx_arena_fail_after(vx_arena *arena, size_t count)
{
    arena->fail_after = count;
}
