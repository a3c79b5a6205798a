/* SPDX-License-Identifier: MIT */
/* B0.9@eb3b6d without memory: every operation at every allocation, in every size of a fixed arena;
 * calls out of place; and reading. */
#include "ref/build3d/ref.h"
#include "ref_field.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { W = 20, D = 10 };

/* --- operations that ask for memory many times ----------------------------------------------- */

static vx_status op_add_spans(ref_field *f)
{
    static vx_span spans[3 * W * D];
    for (int64_t i = 0; i < (int64_t)REF_COUNT(spans); i++) {
        /* The first round fills the columns, the second merges, the third adds more. */
        int64_t column = i % (W * D);
        int64_t min = i / (W * D) * 3;
        spans[i] = (vx_span){column % W, column / W, min, min + 2 + i % 2, i % 64};
    }
    return f->impl->add_spans(f->field, spans, REF_COUNT(spans), 1, &f->error);
}

/* Areal and vertical triangles and degenerate ones, over the whole grid. */
static vx_status op_rasterize(ref_field *f)
{
    static const double vertices[] = {-3, 1, -2, -2, 9, 31, 33, 12, -1,  3, 2,  1.5,
                                      3,  9, 2,  3,  2, 9,  8,  2,  4,   9, 9,  4,
                                      2,  2, 4,  1,  1, 1,  19, 3,  0.5, 4, 14, 9};
    static const int64_t indices[] = {0, 1, 2, 9, 9, 9, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    vx_mesh mesh = {.vertices = vertices,
                    .vertex_values = REF_COUNT(vertices),
                    .indices = indices,
                    .index_count = REF_COUNT(indices),
                    .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                    .merge_threshold = 4};
    return f->impl->rasterize(f->field, &mesh, &f->error);
}

static vx_status op_height_grid(ref_field *f)
{
    static const double heights[] = {3, 9, 4, 7, 7, 7, 1, 8, 20};
    vx_height_grid grid = {.origin = {-1, -1},
                           .spacing = 8.5,
                           .count = {3, 3},
                           .heights = heights,
                           .height_count = 9,
                           .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                           .merge_threshold = 4};
    return f->impl->height_grid(f->field, &grid, &f->error);
}

static vx_status op_runs(ref_field *f)
{
    static vx_run runs[W * D];
    for (int64_t i = 0; i < (int64_t)W * D; i++) {
        runs[i] = (vx_run){i * 7 % W, i * 7 / W % D, i % 9, 1 + i % 7, 1 + i % 255};
    }
    vx_chunk chunk = {.size = {W, D, 30}, .runs = runs, .run_count = REF_COUNT(runs)};
    return f->impl->chunk(f->field, &chunk, &f->error);
}

static vx_status op_dense(ref_field *f)
{
    static int64_t dense[W * D * 8];
    for (int64_t i = 0; i < (int64_t)REF_COUNT(dense); i++) {
        dense[i] = i % 3 + i / 8 % 2;
    }
    vx_chunk chunk = {
        .size = {W, D, 8}, .is_dense = 1, .dense = dense, .dense_count = REF_COUNT(dense)};
    return f->impl->chunk(f->field, &chunk, &f->error);
}

static vx_status op_compact(ref_field *f)
{
    return f->impl->compact(f->field, 3, 2, &f->error);
}

static vx_status op_erode(ref_field *f)
{
    return f->impl->erode(f->field, 2, &f->error);
}

/* --- what the field is before ------------------------------------------------------------------
 */

static void nothing(ref_field *f)
{
    (void)f;
}

/* Two spans in each column and a degenerate triangle. */
static void filled(ref_field *f)
{
    for (int64_t i = 0; i < (int64_t)W * D; i++) {
        cr_assert_eq(ref_add(f, i % W, i / W, 0, 1 + i % 3, 9, 0), VX_OK);
        cr_assert_eq(ref_add(f, i % W, i / W, 20, 21, 5, 0), VX_OK);
    }
    static const double vertices[] = {1, 1, 1};
    static const int64_t indices[] = {0, 0, 0};
    vx_mesh point = {
        .vertices = vertices, .vertex_values = 3, .indices = indices, .index_count = 3};
    cr_assert_eq(ref_rasterize(f, &point), VX_OK);
}

static void compacted(ref_field *f)
{
    filled(f);
    cr_assert_eq(ref_compact(f, 3, 2), VX_OK);
}

static const struct {
    const char *name;
    void (*before)(ref_field *f);
    vx_status (*op)(ref_field *f);
    size_t least_failures; /* the sweep must have met this many failing allocations */
} ops[] = {
    {"addSpans", nothing, op_add_spans, 8},
    {"addSpans on a filled field", filled, op_add_spans, 8},
    {"rasterize", nothing, op_rasterize, 8},
    {"rasterize on a filled field", filled, op_rasterize, 8},
    {"heightGrid", nothing, op_height_grid, 8},
    {"heightGrid on a filled field", filled, op_height_grid, 8},
    {"chunk of runs", nothing, op_runs, 4},
    {"chunk of runs on a filled field", filled, op_runs, 4},
    {"dense chunk", nothing, op_dense, 4},
    {"dense chunk on a filled field", filled, op_dense, 4},
    {"compact", filled, op_compact, 2},
    {"compact without spans", nothing, op_compact, 2},
    {"erode", compacted, op_erode, 1},
};

/* Every allocation of every operation fails once; then the same call must succeed and give what it
 * gives when none fails. */
Test(ref_memory, failing_allocations)
{
    for (size_t i = 0; i < REF_COUNT(ops); i++) {
        ref_field f;
        ref_open(&f, W, D, 40);
        ops[i].before(&f);
        char *before = strdup(ref_rows(&f));
        cr_assert_eq(ops[i].op(&f), VX_OK);
        char *after = strdup(ref_rows(&f));
        ref_close(&f);
        size_t failures = 0;
        for (vx_status status = VX_NO_MEMORY; status != VX_OK; failures++) {
            ref_open(&f, W, D, 40);
            ops[i].before(&f);
            vx_arena_fail_after(&f.arena, failures);
            status = ops[i].op(&f);
            vx_arena_fail_after(&f.arena, SIZE_MAX);
            if (status != VX_OK) {
                cr_assert_eq(status, VX_NO_MEMORY, "%s: %zu", ops[i].name, failures);
                cr_assert_neq(strstr(f.error.message, "the arena has no more memory than the "),
                              NULL, "%s", f.error.message);
                ref_expect(&f, ops[i].name, before);
                cr_assert_eq(ops[i].op(&f), VX_OK, "%s: %zu", ops[i].name, failures);
            }
            ref_expect(&f, ops[i].name, after);
            ref_close(&f);
        }
        cr_assert_gt(failures, ops[i].least_failures, "%s: %zu", ops[i].name, failures);
        free(before);
        free(after);
    }
}

/* The same with one field: each failure leaves what the next one starts from. */
Test(ref_memory, failures_do_not_add_up)
{
    for (size_t i = 0; i < REF_COUNT(ops); i++) {
        ref_field f;
        ref_open(&f, W, D, 40);
        ops[i].before(&f);
        char *before = strdup(ref_rows(&f));
        /* Each failure leaves more free nodes behind, so that the sweep goes on in the end. */
        for (int k = 0; k < 30; k++) {
            vx_arena_fail_after(&f.arena, 0);
            if (ops[i].op(&f) == VX_OK) {
                break;
            }
            ref_expect(&f, ops[i].name, before);
        }
        free(before);
        ref_close(&f);
    }
}

/* In a fixed arena of every size: too little is VX_NO_MEMORY and changes nothing, enough is enough.
 */
Test(ref_memory, fixed_arena)
{
    enum { MEMORY = 1 << 17, STEP = 1021 };
    static _Alignas(max_align_t) unsigned char memory[MEMORY];
    for (size_t i = 0; i < REF_COUNT(ops); i++) {
        size_t succeeded = 0, failed = 0;
        for (size_t size = STEP; size <= MEMORY; size += STEP) {
            ref_field f = {.impl = &vx_ref_build3d};
            if (vx_arena_init_fixed(&f.arena, memory, size) != VX_OK) {
                continue;
            }
            vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {W, D, 40}};
            vx_status status = f.impl->open(&f.arena, &frame, &f.field, &f.error);
            if (status == VX_OK) {
                status = ops[i].op(&f);
                failed += status != VX_OK;
                succeeded += status == VX_OK;
            }
            cr_assert(status == VX_OK || status == VX_NO_MEMORY || status == VX_UNSUPPORTED);
            if (status == VX_NO_MEMORY && f.field != NULL) {
                ref_expect(&f, ops[i].name, "");
            }
            vx_arena_free(&f.arena);
        }
        cr_assert(ops[i].op == op_erode || (succeeded > 0 && failed > 0), "%s: %zu, %zu",
                  ops[i].name, succeeded, failed);
    }
}

/* Memory grows with the spans that there are, not with what was done: the nodes are used again. */
Test(ref_memory, nodes_are_used_again)
{
    ref_field f;
    ref_open(&f, W, D, 40);
    filled(&f);
    cr_assert_eq(op_add_spans(&f), VX_OK);
    cr_assert_eq(op_add_spans(&f), VX_OK);
    size_t used = vx_arena_used(&f.arena);
    for (int k = 0; k < 100; k++) {
        cr_assert_eq(op_add_spans(&f), VX_OK);
    }
    cr_assert_leq(vx_arena_used(&f.arena), used, "%zu, then %zu", used, vx_arena_used(&f.arena));
    ref_close(&f);
}

/* --- 2^24 columns ------------------------------------------------------------------------------
 */

Test(ref_memory, the_largest_grid)
{
    ref_field f;
    ref_open(&f, 65536, 256, 65535);
    static const vx_span spans[] = {{0, 0, 0, 65535, 1}, {65535, 255, 65534, 65535, 63}};
    ref_add_all(&f, spans, 2);
    ref_expect(&f, "corners", "0 0 0 65535 1; 65535 255 65534 65535 63");
    cr_assert_eq(ref_compact(&f, 1, 0), VX_OK, "%s", f.error.message);
    ref_expect(&f, "corners",
               "0 0 65535 65535 1 63 63 63 63; 65535 255 65535 65535 63 63 63 63 63");
    cr_assert_lt(vx_arena_peak(&f.arena), (size_t)20 << 24);
    ref_close(&f);
}

/* --- calls out of place ------------------------------------------------------------------------
 */

static vx_status op_low_hanging(ref_field *f)
{
    return f->impl->low_hanging(f->field, 4, &f->error);
}

static vx_status op_ledges(ref_field *f)
{
    return f->impl->ledges(f->field, 10, 4, &f->error);
}

static vx_status op_low_height(ref_field *f)
{
    return f->impl->low_height(f->field, 10, &f->error);
}

static vx_status op_read_solid(ref_field *f)
{
    static vx_solid_row rows[4 * W * D];
    return f->impl->read_solid(f->field, rows, REF_COUNT(rows), &f->error);
}

static vx_status op_read_compact(ref_field *f)
{
    static vx_compact_row rows[4 * W * D];
    return f->impl->read_compact(f->field, rows, REF_COUNT(rows), &f->error);
}

static vx_status op_volume(ref_field *f)
{
    static const double corners[] = {0, 0, 99, 0, 0, 99};
    vx_volume volume = {.corners = corners, .corner_count = 3, .max_y = 99, .area = 7};
    return f->impl->volume(f->field, &volume, &f->error);
}

Test(ref_memory, out_of_place)
{
    static const struct {
        vx_status (*op)(ref_field *f);
        void (*before)(ref_field *f);
        const char *message;
    } cases[] = {
        {op_add_spans, compacted, "addSpans stands before compact"},
        {op_rasterize, compacted, "rasterize stands before compact"},
        {op_height_grid, compacted, "heightGrid stands before compact"},
        {op_runs, compacted, "chunk stands before compact"},
        {op_low_hanging, compacted, "lowHanging stands before compact"},
        {op_ledges, compacted, "ledges stands before compact"},
        {op_low_height, compacted, "lowHeight stands before compact"},
        {op_compact, compacted, "compact stands before compact"},
        {op_read_solid, compacted, "reading the solid rows stands before compact"},
        {op_erode, filled, "erode stands after compact"},
        {op_volume, filled, "volume stands after compact"},
        {op_read_compact, filled, "reading the compact rows stands after compact"},
    };
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        ref_field f;
        ref_open(&f, W, D, 40);
        cases[i].before(&f);
        char *before = strdup(ref_rows(&f));
        f.error = (vx_error){.status = VX_OK};
        vx_status status = cases[i].op(&f);
        ref_expect_status(&f, cases[i].message, status, VX_UNSUPPORTED, cases[i].message);
        ref_expect(&f, cases[i].message, before);
        free(before);
        ref_close(&f);
    }
}

/* Rows are copied whole or not at all; more capacity than needed is fine and left alone. */
Test(ref_memory, reading)
{
    ref_field f;
    ref_open(&f, W, D, 40);
    static const vx_span spans[] = {{3, 1, 0, 2, 5}, {1, 2, 3, 4, 6}};
    ref_add_all(&f, spans, 2);
    vx_solid_row solid[3];
    memset(solid, 0x55, sizeof solid);
    vx_status status = f.impl->read_solid(f.field, solid, 1, &f.error);
    ref_expect_status(&f, "solid", status, VX_UNSUPPORTED,
                      "capacity = 1 is below the number of rows, 2");
    cr_assert_eq(solid[0].x, 0x55555555);
    cr_assert_eq(f.impl->read_solid(f.field, solid, 3, NULL), VX_OK);
    cr_assert(solid[0].x == 3 && solid[1].area == 6 && solid[2].x == 0x55555555);
    cr_assert_eq(ref_compact(&f, 1, 1), VX_OK);
    vx_compact_row compact[3];
    memset(compact, 0x55, sizeof compact);
    status = f.impl->read_compact(f.field, compact, 1, &f.error);
    ref_expect_status(&f, "compact", status, VX_UNSUPPORTED,
                      "capacity = 1 is below the number of rows, 2");
    cr_assert_eq(compact[0].x, 0x55555555);
    cr_assert_eq(f.impl->read_compact(f.field, compact, 3, NULL), VX_OK);
    cr_assert(compact[0].x == 3 && compact[1].area == 6 && compact[2].x == 0x55555555);
    ref_close(&f);
    ref_open(&f, 1, 1, 1);
    cr_assert_eq(f.impl->read_solid(f.field, NULL, 0, NULL), VX_OK);
    ref_close(&f);
}

/* The growing arrays: what they hold stays, also when there is no more memory. */
Test(ref_memory, growing)
{
    vx_arena arena;
    vx_arena_init_growable(&arena, 64, 1 << 20);
    size_t capacity = 0;
    int *items = vx_ref_grow(&arena, NULL, &capacity, 0, sizeof *items);
    cr_assert(items != NULL && capacity == 16);
    items[15] = 7;
    cr_assert_eq(vx_ref_grow(&arena, items, &capacity, 16, sizeof *items), items);
    int *larger = vx_ref_grow(&arena, items, &capacity, 17, sizeof *items);
    cr_assert(larger != NULL && capacity == 32 && larger[15] == 7);
    larger = vx_ref_grow(&arena, larger, &capacity, 1000, sizeof *items);
    cr_assert(larger != NULL && capacity == 1000 && larger[15] == 7);
    vx_arena_fail_after(&arena, 0);
    cr_assert_null(vx_ref_grow(&arena, larger, &capacity, 1001, sizeof *items));
    cr_assert(capacity == 1000 && larger[15] == 7);
    vx_arena_free(&arena);
}

Test(ref_memory, table)
{
    cr_assert_eq(vx_ref_build3d.abi, VX_BUILD3D_ABI);
    cr_assert_eq(vx_ref_build3d.struct_size, sizeof(vx_build3d_impl));
    cr_assert_str_eq(vx_ref_build3d.name, "ref");
    cr_assert(vx_ref_build3d.set_trace == NULL);
    vx_ref_build3d.close(NULL);
}
