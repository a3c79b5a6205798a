/* SPDX-License-Identifier: MIT */
/* The fast implementation beside the reference without a test framework: `fast [N [FIRST]]` runs
 * the N random pipelines with the numbers from FIRST on (0) on both. Statuses, counts and rows must
 * be the same after every operation (B11.1@2a5f8b), and an operation that fails, also for want of
 * memory, must change nothing (B0.9@eb3b6d). The pipelines take the levels of the processor in
 * turn. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fast/build3d/kernels.h"
#include "voxcert/build3d.h"

enum { PIPELINES = 20000, OPERATIONS_MAX = 9, VERTICES_MAX = 24, TRIANGLES_MAX = 16 };

typedef struct side {
    const vx_build3d_impl *impl;
    vx_arena arena;
    vx_build3d *field;
    void *rows;
    size_t bytes, capacity;
    vx_build3d_info info;
} side;

/* --- repeatable numbers ------------------------------------------------------------------------
 */

static uint64_t state;

static uint64_t bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
}

static int64_t between(int64_t low, int64_t high)
{
    return low + (int64_t)(bits() % (uint64_t)(high - low + 1));
}

static int one_in(int64_t count)
{
    return between(1, count) == 1;
}

/* A coordinate along an axis of size cells: on a lattice, anywhere, or a little beside a plane. */
static double place(int64_t size)
{
    double cell = (double)between(-2, size + 2);
    switch (between(0, 5)) {
    case 0:
        return cell;
    case 1:
        return cell + (double)between(0, 3) / 4;
    case 2:
        return cell + (double)between(-2, 2) * 0x1p-21;
    case 3:
        return one_in(8) ? (double)between(-2097152, 2097152) : cell + 0.5;
    default:
        return cell + (double)between(0, 1000000) / 1000000;
    }
}

/* --- one operation, on either field --------------------------------------------------------------
 */

static vx_status triangles(const side *s)
{
    double vertices[3 * VERTICES_MAX];
    int64_t indices[3 * TRIANGLES_MAX];
    int64_t areas[TRIANGLES_MAX];
    int64_t vertex_count = between(3, VERTICES_MAX);
    int64_t triangle_count = between(1, TRIANGLES_MAX);
    for (int64_t i = 0; i < 3 * vertex_count; i++) {
        vertices[i] = place(s->info.size[i % 3 == 0 ? 0 : i % 3 == 1 ? 2 : 1]);
        /* Equal coordinates make walls. */
        if (i >= 3 && one_in(4)) {
            vertices[i] = vertices[i - 3];
        }
    }
    for (int64_t i = 0; i < 3 * triangle_count; i++) {
        indices[i] = one_in(600) ? vertex_count : between(0, vertex_count - 1);
    }
    for (int64_t i = 0; i < triangle_count; i++) {
        areas[i] = one_in(400) ? 64 : between(0, 63);
    }
    vx_mesh mesh = {.vertices = vertices,
                    .vertex_values = 3 * (size_t)vertex_count,
                    .indices = indices,
                    .index_count = 3 * (size_t)triangle_count,
                    .areas = one_in(3) ? areas : NULL,
                    .area_count = (size_t)triangle_count,
                    .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                    .merge_threshold = between(0, 6)};
    return s->impl->rasterize(s->field, &mesh, NULL);
}

static vx_status spans(const side *s)
{
    enum { SPANS_MAX = 60 };
    vx_span list[SPANS_MAX];
    int64_t count = between(0, SPANS_MAX);
    int64_t height = s->info.size[2];
    /* All in a few columns, or anywhere. */
    int64_t x_max = one_in(2) ? 0 : s->info.size[0] - 1;
    for (int64_t i = 0; i < count; i++) {
        list[i].x = between(0, x_max);
        list[i].z = between(0, s->info.size[1] - 1);
        list[i].min = between(0, height - 1);
        list[i].max = one_in(3) ? between(list[i].min + 1, height) : list[i].min + 1;
        list[i].area = between(0, 63);
    }
    return s->impl->add_spans(s->field, list, (size_t)count, between(0, 4), NULL);
}

/* Columns of up to 300 spans, some of them beside each other, as high up as the grid goes. */
static vx_status deep_columns(const side *s)
{
    enum { COLUMNS_MAX = 8, LAYERS_MAX = 300 };
    static vx_span list[COLUMNS_MAX * LAYERS_MAX];
    static const int64_t layers[] = {30, 62, 63, 64, 65, LAYERS_MAX};
    size_t count = 0;
    int64_t columns = between(1, COLUMNS_MAX);
    int64_t first = between(0, s->info.size[0] - 1);
    int64_t z = between(0, s->info.size[1] - 1);
    int64_t step = between(2, 12);
    for (int64_t c = 0; c < columns; c++) {
        int64_t deep = layers[between(0, 5)];
        int64_t shift = between(0, 3);
        int64_t base = one_in(2) ? shift : s->info.size[2] - deep * step - shift;
        for (int64_t k = 0; k < deep; k++) {
            int64_t min = base + k * step;
            if (min >= 0 && min < s->info.size[2]) {
                list[count++] = (vx_span){(first + c) % s->info.size[0], z, min, min + 1,
                                          one_in(5) ? 0 : between(1, 63)};
            }
        }
    }
    return s->impl->add_spans(s->field, list, count, between(0, 2), NULL);
}

static vx_status height_grid(const side *s)
{
    enum { COUNT = 7, HEIGHTS = COUNT * COUNT };
    double heights[HEIGHTS];
    double level = place(s->info.size[2]);
    for (size_t i = 0; i < HEIGHTS; i++) {
        heights[i] = level + (double)between(0, 3000) / 1000;
    }
    vx_height_grid grid = {.count = {COUNT, COUNT},
                           .heights = heights,
                           .height_count = HEIGHTS,
                           .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                           .merge_threshold = 4};
    grid.origin[0] = place(s->info.size[0]) / 2;
    grid.origin[1] = place(s->info.size[1]) / 2;
    grid.spacing = (double)between(1, 40) / 10;
    return s->impl->height_grid(s->field, &grid, NULL);
}

static vx_status chunk(const side *s)
{
    enum { SIZE = 5, CELLS = SIZE * SIZE * SIZE };
    int64_t dense[CELLS];
    for (size_t i = 0; i < CELLS; i++) {
        dense[i] = one_in(2) ? 0 : between(1, 3);
    }
    vx_chunk voxels = {
        .size = {SIZE, SIZE, SIZE}, .is_dense = 1, .dense = dense, .dense_count = CELLS};
    for (size_t i = 0; i < 3; i++) {
        voxels.offset[i] = between(-SIZE, s->info.size[i == 0 ? 0 : i == 1 ? 2 : 1]);
    }
    return s->impl->chunk(s->field, &voxels, NULL);
}

static vx_status volume(const side *s)
{
    double x = place(s->info.size[0]);
    double z = place(s->info.size[1]);
    double wide = (double)between(0, 4 * (int64_t)s->info.size[0]) / 4;
    double deep = (double)between(1, 4 * (int64_t)s->info.size[1]) / 4;
    const double corners[] = {x, z, x + wide, z, x + wide, z + deep, x, z + deep};
    vx_volume box = {.corners = corners, .corner_count = one_in(2) ? 4 : 3};
    box.min_y = place(s->info.size[2]);
    box.max_y = box.min_y + (double)between(0, s->info.size[2]);
    box.area = between(0, 63);
    return s->impl->volume(s->field, &box, NULL);
}

/* The operations of a pipeline: what fills, the filters and compact, and what comes after it. */
static vx_status operate(const side *s, int64_t operation)
{
    enum { RADII = 12 };
    static const int64_t radii[RADII] = {0, 1, 2, 3, 4, 6, 8, 20, 126, 127, 128, VX_RADIUS_MAX};
    int64_t climb = one_in(20) ? between(0, VX_ROWS_MAX) : between(0, 5);
    int64_t height = one_in(20) ? between(1, VX_ROWS_MAX) : between(1, 12);
    switch (operation) {
    case 0:
    case 1:
        return triangles(s);
    case 2:
        return one_in(2) ? spans(s) : height_grid(s);
    case 3:
        return one_in(2) ? chunk(s) : one_in(6) ? deep_columns(s) : spans(s);
    case 4:
        return s->impl->low_hanging(s->field, climb, NULL);
    case 5:
        return s->impl->ledges(s->field, height, climb, NULL);
    case 6:
        return s->impl->low_height(s->field, height, NULL);
    case 7:
        return s->impl->compact(s->field, height, climb, NULL);
    default:
        return one_in(2) ? volume(s) : s->impl->erode(s->field, radii[between(0, RADII - 1)], NULL);
    }
}

/* --- comparing -----------------------------------------------------------------------------------
 */

/* Reads the state; 0 when that fails. */
static int read_state(side *s)
{
    s->impl->info(s->field, &s->info);
    size_t size = s->info.is_compact ? sizeof(vx_compact_row) : sizeof(vx_solid_row);
    s->bytes = (size_t)s->info.rows * size;
    if (s->bytes > s->capacity) {
        free(s->rows);
        s->capacity = 2 * s->bytes;
        s->rows = malloc(s->capacity);
    }
    if (s->capacity < s->bytes) {
        return 0;
    }
    size_t rows = (size_t)s->info.rows;
    return VX_OK == (s->info.is_compact ? s->impl->read_compact(s->field, s->rows, rows, NULL)
                                        : s->impl->read_solid(s->field, s->rows, rows, NULL));
}

static int is_same(const side *a, const side *b)
{
    return a->info.is_compact == b->info.is_compact && a->info.degenerate == b->info.degenerate &&
           memcmp(a->info.size, b->info.size, sizeof a->info.size) == 0 && a->bytes == b->bytes &&
           (a->bytes == 0 || memcmp(a->rows, b->rows, a->bytes) == 0);
}

/* The operation on the fast field while memory fails earlier or later; each failure must leave what
 * the reference, which is still before the operation, has. */
static vx_status operate_starving(side *fast, side *ref, int64_t operation, int *good)
{
    uint64_t start = state;
    for (size_t allocations = 0;; allocations++) {
        state = start;
        vx_arena_fail_after(&fast->arena, allocations);
        vx_status status = operate(fast, operation);
        vx_arena_fail_after(&fast->arena, SIZE_MAX);
        if (status != VX_NO_MEMORY) {
            return status;
        }
        *good &= read_state(fast) && read_state(ref) && is_same(fast, ref);
    }
}

static int open_both(side *ref, side *fast)
{
    static const float cells[] = {1, 0.5F, 0.3F, 1.7F};
    enum { HEIGHTS = 9 };
    static const int64_t heights[HEIGHTS] = {1, 9, 40, 300, 32766, 32767, 32768, 65534, 65535};
    vx_frame frame = {.cell_size = cells[between(0, 3)], .cell_height = cells[between(0, 3)]};
    int64_t widest = one_in(50) ? 200 : one_in(4) ? 90 : 12;
    frame.size[0] = between(1, widest);
    frame.size[1] = between(1, widest > 90 ? 60 : 12);
    frame.size[2] = heights[between(0, HEIGHTS - 1)];
    vx_arena_reset(&ref->arena);
    vx_arena_reset(&fast->arena);
    return ref->impl->open(&ref->arena, &frame, &ref->field, NULL) == VX_OK &&
           fast->impl->open(&fast->arena, &frame, &fast->field, NULL) == VX_OK && read_state(ref) &&
           read_state(fast) && is_same(ref, fast);
}

/* A pipeline that goes through the operations, leaving some out and repeating some. */
static int run(side *ref, side *fast)
{
    int good = open_both(ref, fast);
    int starving = one_in(20);
    for (int64_t operation = 0; good && operation < OPERATIONS_MAX; operation += between(0, 2)) {
        uint64_t start = state;
        vx_status fast_status =
            starving ? operate_starving(fast, ref, operation, &good) : operate(fast, operation);
        state = start;
        vx_status ref_status = operate(ref, operation);
        good = good && ref_status == fast_status && read_state(ref) && read_state(fast) &&
               is_same(ref, fast);
    }
    ref->impl->close(ref->field);
    fast->impl->close(fast->field);
    return good;
}

int main(int count, char **arguments)
{
    long pipelines = count > 1 ? strtol(arguments[1], NULL, 10) : PIPELINES;
    long first = count > 2 ? strtol(arguments[2], NULL, 10) : 0;
    side ref = {.impl = &vx_ref_build3d};
    side fast = {.impl = &vx_fast_build3d};
    vx_arena_init_growable(&ref.arena, 1 << 16, (size_t)1 << 30);
    vx_arena_init_growable(&fast.arena, 1 << 16, (size_t)1 << 30);
    long failed = 0;
    for (long i = first; i < first + pipelines; i++) {
        state = ((uint64_t)i + 1) * UINT64_C(0x9E3779B97F4A7C15);
        static const unsigned levels[] = {VX_FAST_BASELINE, VX_FAST_AVX2, VX_FAST_AVX512};
        (void)vx_fast_set_levels(levels[i % 3]);
        if (!run(&ref, &fast)) {
            failed++;
            printf("pipeline %ld: the two disagree; fast 1 %ld repeats it\n", i, i);
        }
    }
    vx_arena_free(&ref.arena);
    vx_arena_free(&fast.arena);
    free(ref.rows);
    free(fast.rows);
    printf("%ld passed, %ld failed\n", pipelines - failed, failed);
    return failed > 0 || pipelines < 1;
}
