/* SPDX-License-Identifier: MIT */
/* The fast implementation gives what the reference gives: over generated cases of every family,
 * over all vectors, and without memory (B0.9@eb3b6d, B11.1@2a5f8b). */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "build3d/build3d.h"
#include "case.h"
#include "fast/build3d/kernels.h"
#include "fast/build3d/lanes.h"
#include "generate.h"
#include "home.h"
#include "oracle/build3d/oracle.h"
#include "reference.h"

static const vx_run_options all_steps = {.step_limit = SIZE_MAX};

/* Whether fast answers the case as expected; says what differs. */
static void expect_answer(const vx_case *item, vx_arena *arena)
{
    vx_result result = {0};
    vx_status status =
        item->chapter->run(&vx_fast_build3d, item->input, &all_steps, arena, &result);
    vx_text difference = {0};
    cr_expect(status == VX_OK &&
                  vx_result_matches(item->chapter->shape, &item->expect, &result, &difference),
              "%s: %s %s", item->name, vx_text_string(&difference), result.message);
    vx_text_free(&difference);
    vx_result_free(&result);
}

Test(fast_differential, families)
{
    enum { SEEDS = 60 };
    vx_arena arena;
    vx_reference_arena(&arena);
    for (size_t i = 0; i < vx_build3d_family_count; i++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            vx_case item;
            vx_generate_case(&vx_chapter_build3d, &vx_build3d_families[i], seed, &item);
            cr_assert(vx_answer_case(&item, &arena));
            expect_answer(&item, &arena);
            vx_case_free(&item);
        }
    }
    vx_arena_free(&arena);
}

/* Every level of the processor. */
Test(fast_differential, levels)
{
    enum { SEEDS = 20 };
    static const unsigned masks[] = {VX_FAST_BASELINE, VX_FAST_AVX2, VX_FAST_AVX512};
    vx_arena arena;
    vx_reference_arena(&arena);
    unsigned before = vx_fast_set_levels(VX_FAST_BASELINE);
    cr_assert_eq(vx_fast_choose_kernels(), &vx_fast_kernels_baseline);
    cr_assert_eq(vx_fast_choose_lanes(), &vx_fast_lanes_baseline);
    for (size_t i = 0; i < vx_build3d_family_count; i++) {
        const vx_family *family = &vx_build3d_families[i];
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            vx_case item;
            vx_generate_case(&vx_chapter_build3d, family, 1000 + seed, &item);
            cr_assert(vx_answer_case(&item, &arena));
            for (size_t level = 0; level < sizeof masks / sizeof masks[0]; level++) {
                (void)vx_fast_set_levels(masks[level]);
                expect_answer(&item, &arena);
            }
            vx_case_free(&item);
        }
    }
    cr_assert_eq(vx_fast_set_levels(before), VX_FAST_AVX512);
    vx_arena_free(&arena);
}

Test(fast_differential, vectors)
{
    vx_case_list list = {0};
    char *path = vx_home_data("vectors");
    cr_assert(path != NULL && vx_case_list_read(&list, path, true));
    cr_assert_gt(list.count, 1000);
    vx_arena arena;
    vx_reference_arena(&arena);
    for (size_t i = 0; i < list.count; i++) {
        expect_answer(&list.items[i], &arena);
    }
    vx_arena_free(&arena);
    vx_case_list_free(&list);
    free(path);
}

/* --- without memory ----------------------------------------------------------------------------
 */

/* The state of a field: its counts and its rows. */
typedef struct snapshot {
    vx_build3d_info info;
    size_t bytes;
    void *rows;
} snapshot;

static snapshot take_snapshot(const vx_build3d *field)
{
    snapshot taken;
    memset(&taken, 0, sizeof taken);
    vx_fast_build3d.info(field, &taken.info);
    size_t count = (size_t)taken.info.rows;
    taken.bytes = count * (taken.info.is_compact ? sizeof(vx_compact_row) : sizeof(vx_solid_row));
    taken.rows = malloc(taken.bytes + 1);
    vx_status status = taken.info.is_compact
                           ? vx_fast_build3d.read_compact(field, taken.rows, count, NULL)
                           : vx_fast_build3d.read_solid(field, taken.rows, count, NULL);
    cr_assert_eq(status, VX_OK);
    return taken;
}

static bool is_same(const snapshot *a, const snapshot *b)
{
    return a->info.is_compact == b->info.is_compact && a->info.degenerate == b->info.degenerate &&
           a->bytes == b->bytes && memcmp(a->rows, b->rows, a->bytes) == 0;
}

/* Lets the first, second, … allocation of a step fail until it goes through. */
static vx_status starve_step(vx_arena *arena, vx_build3d *field, const vx_step *step,
                             size_t *failures)
{
    snapshot before = take_snapshot(field);
    vx_status status = VX_NO_MEMORY;
    for (size_t allocations = 0; status == VX_NO_MEMORY; allocations++) {
        vx_error error = {.status = VX_OK};
        /* What is free is forgotten, so that every allocation is the arena's. */
        memset(field->pool.free, 0, sizeof field->pool.free);
        field->pool.given_back = 0;
        vx_arena_fail_after(arena, allocations);
        status = vx_build3d_run_step(&vx_fast_build3d, field, step, &error);
        vx_arena_fail_after(arena, SIZE_MAX);
        cr_assert_eq(error.status, status);
        if (status != VX_OK) {
            *failures += status == VX_NO_MEMORY;
            cr_assert(error.message[0] != '\0');
            snapshot after = take_snapshot(field);
            cr_assert(is_same(&before, &after));
            free(after.rows);
        }
    }
    free(before.rows);
    return status;
}

/* Every allocation of every step fails; what comes out in the end is the reference's answer. */
static size_t starve_case(const vx_case *item, vx_arena *arena)
{
    vx_result expected = {0};
    cr_assert_eq(vx_reference_run(item, arena, &expected), VX_OK);
    size_t failures = 0;
    vx_build3d *field = NULL;
    vx_status status = VX_NO_MEMORY;
    for (size_t allocations = 0; status == VX_NO_MEMORY; allocations++) {
        vx_arena_reset(arena);
        vx_arena_fail_after(arena, allocations);
        status = vx_fast_build3d.open(arena, &item->input->frame, &field, NULL);
        vx_arena_fail_after(arena, SIZE_MAX);
    }
    for (size_t i = 0; status == VX_OK && i < item->input->step_count; i++) {
        status = starve_step(arena, field, &item->input->steps[i], &failures);
    }
    cr_assert_eq(status, expected.error, "%s", item->name);
    if (status == VX_OK) {
        snapshot end = take_snapshot(field);
        cr_assert_eq(end.info.rows, expected.rows, "%s", item->name);
        cr_assert_eq(memcmp(end.rows, expected.cells, end.bytes), 0, "%s", item->name);
        free(end.rows);
    }
    vx_result_free(&expected);
    return failures;
}

Test(fast_differential, failing_allocations)
{
    enum { SEEDS = 3 };
    vx_arena arena;
    vx_reference_arena(&arena);
    size_t failures = 0;
    for (size_t i = 0; i < vx_build3d_family_count; i++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            vx_case item;
            vx_generate_case(&vx_chapter_build3d, &vx_build3d_families[i], seed, &item);
            failures += starve_case(&item, &arena);
            vx_case_free(&item);
        }
    }
    cr_assert_gt(failures, 1000);
    vx_arena_free(&arena);
}

/* A fixed arena of any size: too little is VX_NO_MEMORY, enough gives the answer. */
Test(fast_differential, fixed_arena)
{
    enum { MEMORY = 1 << 17, STEP = 997 };
    static _Alignas(max_align_t) unsigned char memory[MEMORY];
    static const char *const names[] = {"pipeline-spans", "pipeline-chunks", "terrain-coarse",
                                        "boxes"};
    vx_arena reference;
    vx_reference_arena(&reference);
    for (size_t i = 0; i < vx_build3d_family_count; i++) {
        const vx_family *family = &vx_build3d_families[i];
        bool chosen = false;
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            chosen |= strcmp(names[k], family->name) == 0;
        }
        if (!chosen) {
            continue;
        }
        vx_case item;
        vx_generate_case(&vx_chapter_build3d, family, 1, &item);
        cr_assert(vx_answer_case(&item, &reference));
        size_t succeeded = 0;
        size_t failed = 0;
        for (size_t size = STEP; size <= MEMORY; size += STEP) {
            vx_arena arena;
            cr_assert_eq(vx_arena_init_fixed(&arena, memory, size), VX_OK);
            vx_result result = {0};
            vx_status status =
                vx_chapter_build3d.run(&vx_fast_build3d, item.input, &all_steps, &arena, &result);
            cr_assert(status == VX_OK || status == VX_NO_MEMORY);
            vx_text difference = {0};
            cr_assert(status != VX_OK ||
                      vx_result_matches(&vx_build3d_shape, &item.expect, &result, &difference));
            vx_text_free(&difference);
            succeeded += status == VX_OK;
            failed += status != VX_OK;
            vx_result_free(&result);
            vx_arena_free(&arena);
        }
        cr_assert(succeeded > 0 && failed > 0, "%s: %zu, %zu", family->name, succeeded, failed);
        vx_case_free(&item);
    }
    vx_arena_free(&reference);
}

/* --- what no case can say --------------------------------------------------------------------- */

/* SPEC B5.4@1f87b1: a material that is named twice with an area that is none has two faults, and
 * all implementations tell the same one. */
Test(fast_differential, materials_named_twice)
{
    static const vx_build3d_impl *const sides[] = {&vx_ref_build3d, &vx_fast_build3d,
                                                   &vx_replay_build3d};
    static const vx_material_area areas[] = {{7, 1}, {7, VX_AREA_MAX + 1}};
    static const vx_run run = {0, 0, 0, 1, 7};
    const vx_chunk chunk = {.size = {1, 1, 1},
                            .runs = &run,
                            .run_count = 1,
                            .material_areas = areas,
                            .material_area_count = 2};
    const vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {1, 1, 1}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        vx_arena arena;
        vx_reference_arena(&arena);
        vx_build3d *field;
        cr_assert_eq(sides[i]->open(&arena, &frame, &field, NULL), VX_OK);
        cr_expect_eq(sides[i]->chunk(field, &chunk, NULL), VX_ARGUMENT, "%s", sides[i]->name);
        sides[i]->close(field);
        vx_arena_free(&arena);
    }
}

/* SPEC B5.5@3e68ea: offsets and runs at the ends of what the interface can hold. Nothing overflows,
 * and a column comes from one place alone. */
Test(fast_differential, chunks_at_the_ends_of_their_numbers)
{
    static const int64_t most = INT64_MAX;
    static const int64_t numbers[] = {INT64_MIN, INT64_MIN + 1, 1 - INT64_MAX, -4,       -1, 0,
                                      1,         INT64_MAX - 4, INT64_MAX - 1, INT64_MAX};
    static const vx_run runs[] = {{0, 0, 0, INT64_MAX, 1},
                                  {1, 0, 3, 2, 1},
                                  {INT64_MAX - 1, 0, INT64_MAX - 3, 2, 1},
                                  {INT64_MAX - 3, INT64_MAX - 1, 0, 4, 1},
                                  {INT64_MAX - 1, INT64_MAX - 1, INT64_MAX - 1, 1, 1}};
    static const vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {3, 3, 8}};
    enum { NUMBERS = sizeof numbers / sizeof numbers[0], ROWS = 64 };
    static const vx_build3d_impl *const sides[] = {&vx_ref_build3d, &vx_fast_build3d};
    size_t placed = 0;
    for (size_t i = 0; i < NUMBERS * NUMBERS * NUMBERS; i++) {
        const vx_chunk chunk = {.offset = {numbers[i % NUMBERS], numbers[i / NUMBERS % NUMBERS],
                                           numbers[i / NUMBERS / NUMBERS]},
                                .size = {most, most, most},
                                .runs = runs,
                                .run_count = sizeof runs / sizeof runs[0]};
        vx_solid_row rows[2][ROWS] = {0};
        vx_build3d_info info[2];
        for (size_t k = 0; k < 2; k++) {
            vx_arena arena;
            vx_build3d *field;
            vx_reference_arena(&arena);
            cr_assert_eq(sides[k]->open(&arena, &frame, &field, NULL), VX_OK);
            cr_assert_eq(sides[k]->chunk(field, &chunk, NULL), VX_OK, "%s", sides[k]->name);
            sides[k]->info(field, &info[k]);
            cr_assert_eq(sides[k]->read_solid(field, rows[k], ROWS, NULL), VX_OK);
            sides[k]->close(field);
            vx_arena_free(&arena);
        }
        cr_assert_eq(info[1].rows, info[0].rows, "offset %zu", i);
        cr_assert_arr_eq(rows[1], rows[0], sizeof rows[0], "offset %zu", i);
        placed += info[0].rows;
    }
    cr_assert_gt(placed, 0);
}

/* --- limits ------------------------------------------------------------------------------------
 */

/* Memory grows with the spans that there are, not with what was done. */
Test(fast_differential, memory_is_used_again)
{
    enum { SPANS = 400 };
    vx_span spans[SPANS];
    for (int64_t i = 0; i < SPANS; i++) {
        spans[i] = (vx_span){i % 20, i / 20 % 10, i / 200 * 3, i / 200 * 3 + 2, i % 64};
    }
    vx_arena arena;
    vx_reference_arena(&arena);
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {20, 10, 40}};
    vx_build3d *field;
    cr_assert_eq(vx_fast_build3d.open(&arena, &frame, &field, NULL), VX_OK);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(vx_fast_build3d.add_spans(field, spans, SPANS, 1, NULL), VX_OK);
    }
    size_t used = vx_arena_used(&arena);
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(vx_fast_build3d.add_spans(field, spans, SPANS, 1, NULL), VX_OK);
    }
    cr_assert_leq(vx_arena_used(&arena), used);
    vx_fast_build3d.close(field);
    vx_arena_free(&arena);
}

/* B1.3@5ee7c5: 2^24 columns of 65535 rows, in both shapes. */
Test(fast_differential, the_largest_grids)
{
    static const int64_t sizes[][2] = {{65536, 256}, {256, 65536}};
    for (size_t i = 0; i < 2; i++) {
        int64_t W = sizes[i][0];
        int64_t D = sizes[i][1];
        vx_arena arena;
        vx_reference_arena(&arena);
        vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {W, D, 65535}};
        vx_build3d *field;
        cr_assert_eq(vx_fast_build3d.open(&arena, &frame, &field, NULL), VX_OK);
        const vx_span spans[] = {{0, 0, 0, 65535, 1}, {W - 1, D - 1, 65534, 65535, 63}};
        cr_assert_eq(vx_fast_build3d.add_spans(field, spans, 2, 0, NULL), VX_OK);
        cr_assert_eq(vx_fast_build3d.compact(field, 1, 0, NULL), VX_OK);
        cr_assert_eq(vx_fast_build3d.erode(field, 1, NULL), VX_OK);
        vx_compact_row rows[2];
        cr_assert_eq(vx_fast_build3d.read_compact(field, rows, 2, NULL), VX_OK);
        const vx_compact_row expected[] = {
            {0, 0, 65535, 65535, 0, {63, 63, 63, 63}},
            {(int32_t)W - 1, (int32_t)D - 1, 65535, 65535, 0, {63, 63, 63, 63}}};
        cr_assert_eq(memcmp(rows, expected, sizeof rows), 0);
        /* What this implementation promises: at most 12 bytes a column. */
        cr_assert_lt(vx_arena_peak(&arena), (size_t)12 << 24);
        vx_fast_build3d.close(field);
        vx_arena_free(&arena);
    }
}
