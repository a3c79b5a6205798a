/* SPDX-License-Identifier: MIT */
/* The field's memory: sizes in classes over the arena, used again once given back. */
#include "fast.h"

/* Where a free piece of memory holds the address of the next one of its class. */
typedef struct link {
    void *next;
} link;

enum { LEAST = 64, ALIGNMENT = 64 };

/* The class whose size is the least that holds bytes ≤ SIZE_MAX ÷ 8: 4·k + i stands for
 * LEAST · 2^k · (4 + i) ÷ 4. */
static size_t class_of(size_t bytes, size_t *size)
{
    size_t octave = 0;
    if (bytes >= (size_t)2 * LEAST) {
        octave = (size_t)(8 * sizeof(unsigned long long) - 1) -
                 (size_t)__builtin_clzll((unsigned long long)bytes / LEAST);
    }
    size_t quarter = ((size_t)LEAST << octave) / 4;
    size_t steps = bytes > 4 * quarter ? (bytes + quarter - 1) / quarter - 4 : 0;
    *size = quarter * (4 + steps);
    return 4 * octave + steps;
}

size_t vx_fast_size(size_t bytes)
{
    size_t size;
    (void)class_of(bytes, &size);
    return size;
}

void *vx_fast_alloc(vx_build3d *field, size_t bytes, vx_error *error)
{
    vx_fast_pool *pool = &field->pool;
    if (bytes <= SIZE_MAX / 8) {
        size_t size;
        size_t class = class_of(bytes, &size);
        if (pool->free[class] != NULL) {
            link *piece = pool->free[class];
            pool->free[class] = piece->next;
            return piece;
        }
        void *memory = vx_arena_alloc(pool->arena, 1, size, ALIGNMENT);
        if (memory != NULL) {
            return memory;
        }
    }
    (void)vx_fail(error, VX_NO_MEMORY, "the arena has no more memory than the %zu bytes in use",
                  vx_arena_used(pool->arena));
    return NULL;
}

void vx_fast_release(vx_build3d *field, void *memory, size_t bytes)
{
    if (memory != NULL) {
        size_t size;
        size_t class = class_of(bytes, &size);
        link *piece = memory;
        piece->next = field->pool.free[class];
        field->pool.free[class] = piece;
    }
}

void *vx_fast_reserve(vx_build3d *field, vx_fast_buffer *buffer, size_t count, size_t size,
                      vx_error *error)
{
    if (count > SIZE_MAX / 8 / size) {
        count = SIZE_MAX / size;
    }
    size_t bytes = count * size;
    if (buffer->data != NULL && buffer->bytes >= bytes) {
        return buffer->data;
    }
    void *data = vx_fast_alloc(field, bytes, error);
    if (data != NULL) {
        vx_fast_release(field, buffer->data, buffer->bytes);
        *buffer = (vx_fast_buffer){data, bytes};
    }
    return data;
}
