/* SPDX-License-Identifier: MIT */
/* The field's memory: pieces of the arena, used again once given back (docs/DIFFERENCES.md). */
#include "fast.h"
#include "lanes.h"

/* How a free piece begins. */
typedef struct vx_fast_piece {
    struct vx_fast_piece *next;
    size_t size;
} piece;

enum { GRAIN = 64, STEPS = 8, CLASS_WORDS = VX_FAST_CLASSES / 64 };

size_t vx_fast_size(size_t bytes)
{
    return bytes > GRAIN ? (bytes + GRAIN - 1) / GRAIN * GRAIN : GRAIN;
}

/* The class of a size; those of a higher one are all larger. Up to 2·STEPS grains each size is a
 * class, then there are STEPS to an octave. */
static size_t class_of(size_t size)
{
    size_t grains = size / GRAIN;
    size_t octave = 0;
    if (grains >= STEPS) {
        octave = (size_t)__builtin_clzll(STEPS) - (size_t)__builtin_clzll(grains);
    }
    return STEPS * octave + (grains >> octave);
}

static void put(vx_fast_pool *pool, piece *at, size_t size)
{
    size_t class = class_of(size);
    *at = (piece){pool->free[class], size};
    pool->free[class] = at;
    pool->in_use[class / 64] |= (uint64_t)1 << class % 64;
}

/* Takes a piece out of a list and gives back what of it is too much. */
static void *cut(vx_fast_pool *pool, piece **link, size_t size)
{
    piece *at = *link;
    size_t rest = at->size - size;
    *link = at->next;
    if (rest > 0) {
        put(pool, (piece *)(void *)((uint8_t *)at + size), rest);
    }
    return at;
}

/* A free piece of that size or cut from a larger one; NULL when there is none. Of the first list,
 * whose pieces may be too small, only the first few are looked at. */
static void *find(vx_fast_pool *pool, size_t size)
{
    enum { FEW = 4 };
    size_t class = class_of(size);
    piece **link = &pool->free[class];
    for (int i = 0; i < FEW && *link != NULL; i++, link = &(*link)->next) {
        if ((*link)->size >= size) {
            return cut(pool, link, size);
        }
    }
    uint64_t higher = class % 64 < 63 ? UINT64_MAX << (class % 64 + 1) : 0;
    for (size_t i = class / 64; i < CLASS_WORDS; i++, higher = UINT64_MAX) {
        for (uint64_t lists = pool->in_use[i] & higher; lists != 0; lists &= lists - 1) {
            class = 64 * i + (size_t)__builtin_ctzll(lists);
            if (pool->free[class] != NULL) {
                return cut(pool, &pool->free[class], size);
            }
            pool->in_use[i] ^= (uint64_t)1 << class % 64;
        }
    }
    return NULL;
}

/* --- joining what lies side by side -------------------------------------------------------------
 */

/* Two lists in the order of addresses as one. */
static piece *merge(piece *a, piece *b)
{
    piece *first = NULL;
    piece **end = &first;
    while (a != NULL && b != NULL) {
        piece **less = (uintptr_t)a < (uintptr_t)b ? &a : &b;
        *end = *less;
        end = &(*end)->next;
        *less = *end;
    }
    *end = a != NULL ? a : b;
    return first;
}

/* Takes the pieces that stand in descending order of addresses, as pieces that were given back in
 * ascending order do, off the front of a list and turns them round. */
static piece *take_run(piece **list)
{
    piece *run = NULL;
    while (*list != NULL && (run == NULL || (uintptr_t)*list < (uintptr_t)run)) {
        piece *at = *list;
        *list = at->next;
        at->next = run;
        run = at;
    }
    return run;
}

/* All free pieces in the order of addresses; the lists are empty then. */
static piece *sort_pieces(vx_fast_pool *pool)
{
    enum { DEPTH = 64 };
    piece *sorted[DEPTH] = {NULL}; /* sorted[k] of 2^k runs */
    for (size_t class = 0; class < VX_FAST_CLASSES; class ++) {
        while (pool->free[class] != NULL) {
            piece *run = take_run(&pool->free[class]);
            size_t k = 0;
            for (; sorted[k] != NULL; k++) {
                run = merge(sorted[k], run);
                sorted[k] = NULL;
            }
            sorted[k] = run;
        }
    }
    piece *all = NULL;
    for (size_t k = 0; k < DEPTH; k++) {
        all = merge(sorted[k], all);
    }
    return all;
}

/* Makes one piece of those that lie side by side. */
static void join_pieces(vx_fast_pool *pool)
{
    piece *at = sort_pieces(pool);
    while (at != NULL) {
        size_t size = at->size;
        piece *next = at->next;
        while (next != NULL && (uint8_t *)next == (uint8_t *)at + size) {
            size += next->size;
            next = next->next;
        }
        put(pool, at, size);
        at = next;
    }
    pool->given_back = 0;
}

void vx_fast_join(vx_build3d *field)
{
    if (field->pool.given_back >= field->pool.taken / 8) {
        join_pieces(&field->pool);
    }
}

/* --- taking and giving back --------------------------------------------------------------------
 */

/* The most that docs/DIFFERENCES.md allows the field at present. */
static size_t promised(const vx_build3d *field)
{
    size_t blocks = (size_t)field->size[1] * field->blocks_wide;
    return VX_FAST_SPAN_BYTES * (size_t)(field->span_count + field->next_count) +
           VX_FAST_BLOCK_BYTES * blocks +
           (field->shelves != NULL ? field->blocks_wide * sizeof(vx_fast_shelf) : 0) +
           field->runs.bytes + field->rows.bytes + field->cells.bytes + field->sorted.bytes +
           field->counts.bytes + field->vertices.bytes + field->raster.bytes + VX_FAST_WORK_BYTES;
}

/* A piece of that size, which goes with so many bytes of what is promised. Free ones are joined
 * when the arena could not give more, or would give more than is promised and there is some to be
 * won. */
static void *obtain(vx_build3d *field, size_t size, size_t apart, vx_error *error)
{
    enum { PART = 32 };
    vx_fast_pool *pool = &field->pool;
    void *memory = find(pool, size);
    if (memory == NULL) {
        size_t allowed = promised(field);
        pool->allowed = pool->allowed > allowed ? pool->allowed : allowed;
        bool worth = pool->given_back > 0 && pool->given_back >= pool->taken / PART;
        if (worth && pool->taken + size > pool->allowed + apart) {
            join_pieces(pool);
            memory = find(pool, size);
        }
    }
    if (memory == NULL) {
        memory = vx_arena_alloc(pool->arena, 1, size, GRAIN);
        pool->taken += memory != NULL ? size : 0;
    }
    if (memory == NULL && pool->given_back > 0) {
        join_pieces(pool);
        memory = find(pool, size);
    }
    if (memory == NULL) {
        (void)vx_fail(error, VX_NO_MEMORY, "the arena has no more memory than the %zu bytes in use",
                      vx_arena_used(pool->arena));
        return NULL;
    }
    pool->live += size;
    pool->most = pool->most > pool->live ? pool->most : pool->live;
    return memory;
}

static void *allocate(vx_build3d *field, size_t bytes, bool apart, vx_error *error)
{
    if (bytes > SIZE_MAX / 8) {
        (void)vx_fail(error, VX_NO_MEMORY, "no memory for %zu bytes", bytes);
        return NULL;
    }
    size_t size = vx_fast_size(bytes);
    return obtain(field, size, apart ? size : 0, error);
}

void *vx_fast_alloc(vx_build3d *field, size_t bytes, vx_error *error)
{
    return allocate(field, bytes, false, error);
}

void vx_fast_release(vx_build3d *field, void *memory, size_t bytes)
{
    if (memory != NULL) {
        size_t size = vx_fast_size(bytes);
        put(&field->pool, memory, size);
        field->pool.live -= size;
        field->pool.given_back += size;
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
    vx_fast_release(field, buffer->data, buffer->bytes);
    *buffer = (vx_fast_buffer){0};
    /* The scratch buffer uses what is promised for spans, the others come on top of it. */
    void *data = allocate(field, bytes, buffer != &field->scratch, error);
    if (data != NULL) {
        *buffer = (vx_fast_buffer){data, bytes};
    }
    return data;
}

/* --- the bound ----------------------------------------------------------------------------------
 */

static size_t power_of_two_above(size_t value)
{
    size_t power = 1;
    while (power < value) {
        power *= 2;
    }
    return power;
}

size_t vx_fast_build3d_bound(int64_t width, int64_t depth)
{
    enum { COUNT_BYTES = 4, CELL_BYTES = 4, ROW_BYTES = 2, ALIGNED = 16 };
    if (width < 1 || width > VX_SIZE_MAX || depth < 1 || depth > VX_SIZE_MAX ||
        width * depth > VX_COLUMNS_MAX) {
        return 0;
    }
    size_t rows = (size_t)depth;
    size_t wide = ((size_t)width + VX_FAST_LANES - 1) / VX_FAST_LANES;
    size_t cells = VX_FAST_GROUP_CELLS + rows * VX_FAST_FEW * VX_FAST_TILE;
    cells = power_of_two_above(cells > VX_FAST_BATCH_CELLS ? cells : VX_FAST_BATCH_CELLS);
    size_t runs = rows * VX_FAST_TILE;
    runs = power_of_two_above(runs > VX_FAST_BATCH_RUNS ? runs : VX_FAST_BATCH_RUNS);
    /* An array that becomes larger stands beside the one that it replaces, which is half as large
     * or less. */
    size_t buffers = cells * CELL_BYTES * 3 / 2 +
                     runs * (sizeof(vx_fast_run) * 5 / 2 + ROW_BYTES * 3 / 2) +
                     (rows + 1) * COUNT_BYTES + vx_fast_raster_bytes + wide * sizeof(vx_fast_shelf);
    return sizeof(vx_build3d) + (size_t)ALIGNED * GRAIN + VX_FAST_BLOCK_BYTES * rows * wide +
           buffers + VX_FAST_WORK_BYTES;
}
