/* SPDX-License-Identifier: MIT */
/* The fuzz targets' own parts: bytes as cases and back, mutations, the judge's agreement, and how
 * findings become small. */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "fuzz/decode.h"
#include "fuzz/finding.h"
#include "fuzz/mutate.h"
#include "fuzz/target.h"
#include "home.h"
#include "program.h"

const char *const vx_fuzz_target = "test";

enum { ALL_OPS = (1u << VX_OP_COUNT) - 1, BYTES = 4096 };

/* One triangle on a grid of 4 × 4 × 8, and a compact step behind it. */
/* clang-format off */
static const uint8_t triangle[] = {
    0, 0x40, 1, 0x40, 1, 0x40, 0, 0x40, 0, 0x40, 0, 4, 4, 8, /* flags, cs, ch, origin, size */
    0, 0,                                                    /* rasterize, flags */
    3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 3, 0, 1, 0, 1, 0, 1, 0, 3, /* vertices, two bytes a number */
    1, 0, 1, 2,                                              /* a triangle */
    1, 5, 1,                                                 /* the slope 5 halves, T */
    7, 0, 10, 4};                                            /* compact */
/* clang-format on */

static size_t written(const vx_input *input, vx_text *text)
{
    vx_text_clear(text);
    vx_build3d_write(input, text);
    return text->size;
}

Test(fuzz, bytes_are_a_case)
{
    vx_layout layout;
    const vx_input *input = vx_fuzz_decode(triangle, sizeof triangle, ALL_OPS, &layout);
    cr_assert_not_null(input);
    cr_assert_eq(input->step_count, 2);
    const vx_mesh *mesh = &input->steps[0].mesh;
    const double vertices[] = {0, 1, 0, 2, 3, 1, 1, 1, 3};
    cr_assert_eq(mesh->vertex_values, 9);
    cr_expect_eq(memcmp(mesh->vertices, vertices, sizeof vertices), 0);
    const int64_t indices[] = {0, 1, 2};
    cr_assert_eq(mesh->index_count, 3);
    cr_expect_eq(memcmp(mesh->indices, indices, sizeof indices), 0);
    cr_expect_null(mesh->areas);
    cr_expect_eq(mesh->slope_cosine, 2.5F);
    cr_expect_eq(mesh->merge_threshold, 1);
}

/* Whatever the bytes are, also cut short anywhere. */
Test(fuzz, any_bytes_are_a_case)
{
    vx_random random = vx_random_start("fuzz_test", 1);
    for (size_t round = 0; round < 20000; round++) {
        uint8_t bytes[200];
        size_t size = (size_t)vx_random_integer(&random, 0, sizeof bytes);
        uint8_t *exact = vx_must_alloc(size + 1, 1);
        for (size_t i = 0; i < size; i++) {
            exact[i] =
                (uint8_t)vx_random_integer(&random, 0, vx_random_chance(&random, 1, 2) ? 255 : 8);
        }
        vx_layout layout;
        const vx_input *input = vx_fuzz_decode(exact, size, ALL_OPS, &layout);
        if (input != NULL) {
            cr_assert_leq(input->step_count, VX_FUZZ_STEPS);
        }
        for (size_t i = 0; i < layout.count; i++) {
            cr_assert_lt(layout.marks[i].start, layout.marks[i].end);
            cr_assert_leq(layout.marks[i].end, size);
        }
        free(exact);
    }
}

/* Every vector that is small enough comes back as it was. */
Test(fuzz, vectors_are_seeds)
{
    vx_case_list list = {0};
    char *path = vx_home_data("vectors");
    cr_assert(path != NULL && vx_case_list_read(&list, path, true));
    vx_text bytes = {0};
    vx_text before = {0};
    vx_text after = {0};
    size_t seeds = 0;
    for (size_t i = 0; i < list.count; i++) {
        vx_input *input = vx_fuzz_copy(list.items[i].input);
        for (size_t k = 0; k < input->step_count; k++) {
            input->steps[k].absent = 0; /* a default that is left out is written in bytes */
        }
        vx_text_clear(&bytes);
        if (vx_fuzz_encode(input, ALL_OPS, &bytes)) {
            const vx_input *again =
                vx_fuzz_decode((const uint8_t *)bytes.bytes, bytes.size, ALL_OPS, NULL);
            cr_assert_not_null(again, "%s", list.items[i].name);
            (void)written(input, &before);
            (void)written(again, &after);
            cr_expect_str_eq(before.bytes, after.bytes, "%s", list.items[i].name);
            seeds++;
        }
        vx_build3d_input_free(input);
    }
    cr_expect_gt(seeds, 3000);
    vx_text_free(&bytes);
    vx_text_free(&before);
    vx_text_free(&after);
    vx_case_list_free(&list);
    free(path);
}

Test(fuzz, what_costs_too_much_has_no_bytes)
{
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {VX_FUZZ_COLUMNS + 1, 1, 8}};
    vx_text bytes = {0};
    vx_input *input = vx_build3d_input_new(&frame);
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_COMPACT, .height = 1});
    cr_expect_not(vx_fuzz_encode(input, ALL_OPS, &bytes));
    cr_expect_eq(bytes.size, 0);
    input->frame.size[0] = VX_FUZZ_COLUMNS;
    cr_expect(vx_fuzz_encode(input, ALL_OPS, &bytes));
    cr_expect_not(vx_fuzz_encode(input, 1u << VX_OP_VOLUME, &bytes), "no step is left");
    input->frame = (vx_frame){.from_bounds = 1, .max = {33, 1, 32}, .cell_size = 1};
    cr_expect_not(vx_fuzz_is_affordable(&input->frame));
    input->frame.max[0] = 32;
    cr_expect(vx_fuzz_is_affordable(&input->frame));
    vx_build3d_input_free(input);
    vx_text_free(&bytes);
}

/* --- mutations -----------------------------------------------------------------------------------
 */

/* Each does what it is called, seen at least once in many draws, and none writes past the room. */
Test(fuzz, mutations)
{
    static const struct {
        vx_mutation mutation;
        const char *name;
        const char *shows; /* what the case then holds */
    } rows[] = {
        {VX_MUTATE_SWAP, "swap", "\"vertices\":[2,3,1,0,1,0,1,1,3]"},
        {VX_MUTATE_DROP, "drop of a step", "\"steps\":[{\"op\":\"compact\""},
        {VX_MUTATE_DUPLICATE, "duplicate", "\"indices\":[0,1,2,0,1,2]"},
        {VX_MUTATE_DROP, "drop", "\"indices\":[]"},
        {VX_MUTATE_DROP, "drop of a vertex", "\"vertices\":[0,1,0,2,3,1]"},
        {VX_MUTATE_COPY, "copy", "\"vertices\":[0,1,0,2,3,1,1,3,3]"},
        {VX_MUTATE_SNAP, "snap", "\"slopeCosine\":5"},
        {VX_MUTATE_NEGATE, "negate", "\"vertices\":[0,1,0,-2,3,1,1,1,3]"},
        {VX_MUTATE_STEP, "up", "\"vertices\":[0,1,0,2,3,1,1,1,3.00000023"},
        {VX_MUTATE_STEP, "down", "\"vertices\":[0,1,0,2,3,1,1,1,2.99999976"},
        {VX_MUTATE_ROTATE, "rotate", "\"indices\":[1,2,0]"},
        {VX_MUTATE_ROTATE, "mirror", "\"indices\":[1,0,2]"},
    };
    vx_text text = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_random random = vx_random_start(rows[i].name, 1);
        bool seen = false;
        for (size_t draw = 0; draw < 3000 && !seen; draw++) {
            uint8_t bytes[sizeof triangle + 32];
            memcpy(bytes, triangle, sizeof triangle);
            size_t size = vx_fuzz_mutate_by(rows[i].mutation, bytes, sizeof triangle, sizeof bytes,
                                            ALL_OPS, &random);
            const vx_input *input = vx_fuzz_decode(bytes, size, ALL_OPS, NULL);
            seen = input != NULL && written(input, &text) > 0 &&
                   strstr(text.bytes, rows[i].shows) != NULL;
        }
        cr_expect(seen, "%s", rows[i].name);
    }
    vx_text_free(&text);
}

Test(fuzz, mutations_keep_to_their_room)
{
    vx_random random = vx_random_start("room", 1);
    for (size_t draw = 0; draw < 5000; draw++) {
        size_t room = sizeof triangle + (size_t)vx_random_integer(&random, 0, 6);
        uint8_t *bytes = vx_must_alloc(room, 1);
        memcpy(bytes, triangle, sizeof triangle);
        size_t size = vx_fuzz_mutate(bytes, sizeof triangle, room, ALL_OPS, &random);
        cr_assert_leq(size, room);
        free(bytes);
    }
    uint8_t none[1];
    for (size_t draw = 0; draw < 100; draw++) {
        cr_assert_eq(vx_fuzz_mutate(none, 0, 0, ALL_OPS, &random), 0);
    }
}

Test(fuzz, splicing)
{
    vx_random random = vx_random_start("splice", 1);
    const vx_bytes whole = {triangle, sizeof triangle};
    bool doubled = false;
    for (size_t draw = 0; draw < 200; draw++) {
        uint8_t out[2 * sizeof triangle];
        size_t room = (size_t)vx_random_integer(&random, 0, sizeof out);
        size_t size = vx_fuzz_splice(whole, whole, out, room, ALL_OPS, &random);
        cr_assert_leq(size, room);
        const vx_input *input = vx_fuzz_decode(out, size, ALL_OPS, NULL);
        cr_assert_not_null(input);
        doubled |= input->step_count == 2 && size == sizeof triangle;
    }
    cr_expect(doubled);
}

/* --- the mutator as AFL++ loads it ---------------------------------------------------------------
 */

/* dlsym gives void *, which is no function to C. */
#define FUNCTION(type, name)                                                                       \
    union {                                                                                        \
        void *object;                                                                              \
        type;                                                                                      \
    } name = {.object = dlsym(library, "afl_custom_" #name)};                                      \
    cr_assert_not_null(name.object)

Test(fuzz, the_mutator_of_afl)
{
    const char *path = getenv("VOXCERT_MUTATOR");
    cr_assert_not_null(path, "VOXCERT_MUTATOR must name the library");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    cr_assert_not_null(library, "%s", dlerror());
    FUNCTION(void *(*call)(void *, unsigned int), init);
    FUNCTION(size_t(*call)(void *, uint8_t *, size_t, uint8_t **, uint8_t *, size_t, size_t), fuzz);
    FUNCTION(void (*call)(void *), deinit);
    enum { MERGE_OPS = 1u << VX_OP_ADD_SPANS, ROUNDS = 2000, ROOM = 48 };
    /* 4 × 4 × 8 cells; two spans, the merge threshold. */
    static const uint8_t spans[] = {0, 0x40, 1, 0x40, 1, 0x40, 0, 0x40, 0, 0x40, 0, 4, 4, 8,
                                    0, 0,    2, 1,    1, 0,    2, 7,    3, 3,    5, 6, 9, 1};
    uint8_t first[sizeof spans];
    uint8_t second[sizeof spans];
    memcpy(first, spans, sizeof spans);
    memcpy(second, spans, sizeof spans);
    void *own = init.call(NULL, 1);
    void *twin = init.call(NULL, 1);
    size_t changed = 0;
    size_t with_spans = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        uint8_t *out = NULL;
        uint8_t *out_twin = NULL;
        uint8_t *other = round % 2 == 0 ? second : NULL;
        size_t size = fuzz.call(own, first, sizeof first, &out, other, sizeof second, ROOM);
        cr_assert_leq(size, ROOM);
        cr_assert_eq(fuzz.call(twin, first, sizeof first, &out_twin, other, sizeof second, ROOM),
                     size);
        cr_assert_eq(memcmp(out, out_twin, size), 0, "the same seed, the same mutations");
        changed += size != sizeof spans || memcmp(out, spans, size) != 0;
        const vx_input *input = vx_fuzz_decode(out, size, MERGE_OPS, NULL);
        with_spans += input != NULL && input->step_count > 0 && input->steps[0].list.count > 0;
    }
    cr_expect_eq(memcmp(first, spans, sizeof spans), 0, "what AFL++ gave stays as it is");
    cr_expect_gt(changed, ROUNDS * 3 / 4);
    cr_expect_gt(with_spans, ROUNDS * 3 / 4, "it knows what the bytes mean");
    deinit.call(own);
    deinit.call(twin);
    (void)dlclose(library);
}

/* --- findings ------------------------------------------------------------------------------------
 */

/* The reference with one fault: what it merges reaches one row too far down. */
static vx_status add_spans_wrong(vx_build3d *field, const vx_span *spans, size_t count,
                                 int64_t merge_threshold, vx_error *error)
{
    vx_span copy[VX_FUZZ_ITEMS];
    for (size_t i = 0; i < count; i++) {
        copy[i] = spans[i];
        copy[i].min -= spans[i].min > 3 && spans[i].area == 7;
    }
    return vx_ref_build3d.add_spans(field, copy, count, merge_threshold, error);
}

enum { SPANS = 100 };

/* What a crowded case becomes when it is shrunk. */
static const char smallest_case[] =
    "\"grid\":{\"origin\":[0,0,0],\"cellSize\":0.5,\"cellHeight\":0.5,\"size\":[1,1,10]},"
    "\"steps\":[{\"op\":\"addSpans\",\"spans\":[[0,0,5,7,7]],\"mergeThreshold\":0}]";

/* Many spans, of which one has the area 7, between two other steps. */
static vx_input *crowded_case(vx_span spans[SPANS])
{
    for (int64_t i = 0; i < SPANS; i++) {
        spans[i] = (vx_span){i % 8, i / 8 % 8, i % 13, i % 13 + 2, i == 57 ? 7 : 2};
    }
    vx_frame frame = {
        .origin = {3, 0.25, -7}, .cell_size = 0.5F, .cell_height = 0.5F, .size = {8, 8, 40}};
    vx_input *input = vx_build3d_input_new(&frame);
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_LOW_HEIGHT, .height = 3});
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_ADD_SPANS, .list = {spans, SPANS, 4}});
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_COMPACT, .height = 3, .climb = 2});
    return input;
}

Test(fuzz, findings_become_small)
{
    vx_build3d_impl wrong = vx_ref_build3d;
    wrong.name = "wrong";
    wrong.add_spans = add_spans_wrong;
    const vx_build3d_impl *before = vx_fuzz_sides[VX_FUZZ_FAST];
    vx_fuzz_sides[VX_FUZZ_FAST] = &wrong;
    vx_span spans[SPANS];
    vx_input *input = crowded_case(spans);

    vx_text vote = {0};
    vx_fuzz_tell_vote(input, VX_FUZZ_REF, VX_FUZZ_FAST, &vote);
    cr_expect_str_eq(vote.bytes,
                     "ref and wrong differ (rows) after step 1, addSpans (SPEC B3.2 to B3.4)\n"
                     "vote: ref and replay outvote wrong\n");
    cr_expect_gt(vx_fuzz_shrink(input, VX_FUZZ_REF, VX_FUZZ_FAST), 3);
    vx_text text = {0};
    (void)written(input, &text);
    cr_expect_str_eq(text.bytes, smallest_case);
    vx_text_clear(&vote);
    vx_fuzz_sides[VX_FUZZ_FAST] = before;
    vx_fuzz_tell_vote(input, VX_FUZZ_REF, VX_FUZZ_FAST, &vote);
    cr_expect_str_eq(vote.bytes, "all agree\n");
    vx_text_free(&vote);
    vx_text_free(&text);
    vx_build3d_input_free(input);
}

static vx_text at_hand;

/* The reference, looked at as one who waits for it does. */
static vx_status add_spans_watched(vx_build3d *field, const vx_span *spans, size_t count,
                                   int64_t merge_threshold, vx_error *error)
{
    vx_fuzz_tell_hang(10, &at_hand);
    return vx_ref_build3d.add_spans(field, spans, count, merge_threshold, error);
}

Test(fuzz, who_is_at_work)
{
    vx_build3d_impl watched = vx_ref_build3d;
    watched.name = "watched";
    watched.add_spans = add_spans_watched;
    vx_fuzz_sides[VX_FUZZ_FAST] = &watched;
    vx_span spans[SPANS];
    vx_input *input = crowded_case(spans);
    static const unsigned pairs[][2] = {
        {VX_FUZZ_REF, VX_FUZZ_FAST}, {VX_FUZZ_FAST, VX_FUZZ_REPLAY}, {VX_FUZZ_FAST, VX_FUZZ_EXACT}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        vx_disagreement where;
        vx_text_clear(&at_hand);
        cr_expect(vx_fuzz_agree(input, pairs[i][0], pairs[i][1], &where));
        cr_expect_str_eq(
            at_hand.bytes,
            "watched is still running after 10 s in step 1, addSpans (SPEC B3.2 to B3.4)\n");
        cr_expect_null(vx_fuzz_now.input, "nothing is judged any more");
    }
    vx_text_free(&at_hand);
    vx_build3d_input_free(input);
}

/* --- the exact judge -----------------------------------------------------------------------------
 */

/* A fault that two implementations share, so that they agree. */
Test(fuzz, the_exact_judge_against_two)
{
    vx_build3d_impl first = vx_ref_build3d;
    vx_build3d_impl second = vx_ref_build3d;
    first.name = "first";
    second.name = "second";
    first.add_spans = second.add_spans = add_spans_wrong;
    vx_fuzz_sides[VX_FUZZ_REF] = &first;
    vx_fuzz_sides[VX_FUZZ_FAST] = &second;
    vx_span spans[SPANS];
    vx_input *input = crowded_case(spans);
    vx_disagreement where;
    cr_expect(vx_fuzz_agree(input, VX_FUZZ_REF, VX_FUZZ_FAST, &where));
    cr_expect_not(vx_fuzz_agree(input, VX_FUZZ_REF, VX_FUZZ_EXACT, &where));
    cr_expect_eq(where.step, 1);
    cr_expect(vx_fuzz_agree(input, VX_FUZZ_REPLAY, VX_FUZZ_EXACT, &where));
    cr_expect_gt(vx_fuzz_shrink(input, VX_FUZZ_REF, VX_FUZZ_EXACT), 3);
    vx_text text = {0};
    (void)written(input, &text);
    cr_expect_str_eq(text.bytes, smallest_case);
    vx_text_clear(&text);
    vx_fuzz_tell_vote(input, VX_FUZZ_REF, VX_FUZZ_EXACT, &text);
    cr_expect_str_eq(text.bytes,
                     "fault found after step 0, addSpans (SPEC B3.3), column (0, 0), rows [4, 5): "
                     "filled, but the nearest span that the step adds is [5, 7)\n"
                     "vote: the exact judge against first, second\n");
    vx_text_free(&text);
    vx_build3d_input_free(input);
}

/* Steps that are refused change nothing: what comes behind them is judged, too. */
Test(fuzz, the_exact_judge_goes_on_behind_errors)
{
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {2, 2, 8}};
    const vx_span outside = {.x = 5, .max = 1};
    const vx_span inside = {.min = 4, .max = 5, .area = 7};
    vx_input *input = vx_build3d_input_new(&frame);
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_ADD_SPANS, .list = {&outside, 1, 0}});
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_ADD_SPANS, .list = {&inside, 1, 0}});
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_COMPACT, .height = 0});
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_ERODE, .radius = 1});
    vx_disagreement where;
    cr_expect(vx_fuzz_agree(input, VX_FUZZ_REF, VX_FUZZ_EXACT, &where));
    vx_build3d_impl wrong = vx_ref_build3d;
    wrong.add_spans = add_spans_wrong;
    vx_fuzz_sides[VX_FUZZ_REF] = &wrong;
    cr_expect_not(vx_fuzz_agree(input, VX_FUZZ_REF, VX_FUZZ_EXACT, &where));
    cr_expect_eq(where.step, 1);
    vx_build3d_input_free(input);
}

Test(fuzz, the_exact_judge_declines_what_costs_too_much)
{
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {30, 30, 8}};
    const double vertices[] = {0, 1, 0, 0, 1, 30, 30, 1, 0};
    const int64_t indices[] = {0, 1, 2};
    const vx_mesh mesh = {vertices, 9, indices, 3, NULL, 0, 0.5F, 1};
    vx_input *input = vx_build3d_input_new(&frame);
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_RASTERIZE, .mesh = mesh});
    vx_disagreement where;
    uint64_t before = vx_fuzz_done.too_large;
    cr_expect(vx_fuzz_agree(input, VX_FUZZ_REF, VX_FUZZ_EXACT, &where));
    cr_expect_eq(vx_fuzz_done.too_large, before + 1);
    vx_build3d_input_free(input);
}

Test(fuzz, who_is_asked)
{
    vx_fuzz_sampling sampling = vx_fuzz_sampling_chosen();
    cr_expect_eq(sampling.replay, 64);
    cr_expect_eq(sampling.exact, 256);
    (void)setenv("VX_FUZZ_REPLAY", "0", 1);
    (void)setenv("VX_FUZZ_EXACT", "1", 1);
    sampling = vx_fuzz_sampling_chosen();
    cr_expect_eq(sampling.replay, 0);
    cr_expect_eq(sampling.exact, 1);
    uint64_t number = 7;
    static const char *const not_numbers[] = {"", "-1", "1x", " 1", "99999999999999999999"};
    for (size_t i = 0; i < sizeof not_numbers / sizeof not_numbers[0]; i++) {
        cr_expect_not(vx_fuzz_read_number(not_numbers[i], &number), "%s", not_numbers[i]);
        cr_expect_eq(number, 7);
    }
}

Test(fuzz, who_is_asked_must_be_a_number, .exit_code = 2)
{
    (void)setenv("VX_FUZZ_EXACT", "some", 1);
    (void)vx_fuzz_sampling_chosen();
}

/* --- scripts ---------------------------------------------------------------------------------- */

/* Runs a line of shell in an empty directory, with the script at hand in $1. */
static void run_script(const char *script, const char *line, test_run *run)
{
    char *path = realpath(script, NULL);
    char *directory = test_directory_new();
    cr_assert_not_null(path, "%s", script);
    test_deadline(60);
    test_run_program(run, directory, (const char *const[]){"sh", "-c", line, "sh", path, NULL}, "");
    test_directory_remove(directory);
    free(path);
}

/* The fuzzer tells what inputs reach, the program what they cost. */
Test(fuzz, a_corpus_is_kept_when_choosing_fails)
{
    static const char *const fuzzers[] = {"echo why; exit 3", "exit 0", "exit 0"};
    static const char *const programs[] = {"exit 0", "exit 0", "echo because >&2; exit 3"};
    static const char *const said[] = {"why", "nothing was chosen; fuzz/corpus/t stays as it is",
                                       "because"};
    test_run run = {0};
    for (size_t i = 0; i < 3; i++) {
        vx_text line = {0};
        vx_text_format(&line,
                       "mkdir -p fuzz/corpus/t && echo x >fuzz/corpus/t/x && echo '#!/bin/sh\n%s' "
                       ">fuzzer && echo '#!/bin/sh\n%s' >program && chmod +x fuzzer program && "
                       "! sh \"$1\" ./fuzzer ./program t && cat fuzz/corpus/t/x",
                       fuzzers[i], programs[i]);
        run_script("tools/fuzz_corpus.sh", line.bytes, &run);
        cr_expect_eq(run.status, 0, "%s", vx_text_string(&run.err));
        cr_expect_not_null(strstr(vx_text_string(&run.err), said[i]), "%s",
                           vx_text_string(&run.err));
        vx_text_free(&line);
    }
    test_run_free(&run);
}

/* A program for inputs that say themselves what they cost and which edges they reach. */
#define TELLING                                                                                    \
    "mkdir -p fuzz/corpus/t && cat >program <<'END' && chmod +x program || exit 9\n"               \
    "#!/bin/sh\n"                                                                                  \
    "[ \"$1\" != --costs ] || exec awk '{print $1, FILENAME}' \"$3\"/*\n"                          \
    "reach=${2#*=}\n"                                                                              \
    "for all; do :; done\n"                                                                        \
    "set -- \"$all\"/*\n"                                                                          \
    "(echo $# && echo 0 && printf '%s\\n' \"$@\") >\"$reach\"\n"                                   \
    "awk '{$1 = \"FT \" NR - 1; print}' \"$@\" >>\"$reach\"\n"                                     \
    "END\n"

/* Of these inputs one reaches nothing that a cheaper one does not, of one the others reach all, and
 * one is too dear. */
Test(fuzz, a_corpus_is_chosen_by_cost)
{
    static const char line[] =
        TELLING "for input in '5 1 2' '6 2' '40 1 3' '60 3 4' '400 5'; do\n"
                "    echo \"$input\" >\"fuzz/corpus/t/$input\"\n"
                "done\n"
                "sh \"$1\" ./program ./program t && cat fuzz/corpus/t/* | sort -n";
    test_run run = {0};
    run_script("tools/fuzz_corpus.sh", line, &run);
    cr_expect_eq(run.status, 0, "%s", vx_text_string(&run.err));
    cr_expect_str_eq(vx_text_string(&run.out),
                     "t: 2 files, 13 bytes, 4 of 5 edges, 32 microseconds an input\n"
                     "5 1 2\n60 3 4\n");
    test_run_free(&run);
}

/* What is told of a corpus is told of the files that it has, the dearest ones left out; and an old
 * one stays until the new one is copied. */
Test(fuzz, a_corpus_is_at_most_300_files)
{
    static const char line[] = TELLING
        "i=0\n"
        "while [ $i -lt 302 ]; do\n"
        "    echo \"$((i < 300 ? 5 : 9)) $i\" >fuzz/corpus/t/$i\n"
        "    i=$((i + 1))\n"
        "done\n"
        "mkdir full && printf '#!/bin/sh\\n[ \"$1\" != -t ] && exec /bin/cp \"$@\"' >full/cp\n"
        "chmod +x full/cp\n"
        "! PATH=$PWD/full:$PATH sh \"$1\" ./program ./program t || exit 8\n"
        "ls fuzz/corpus/t | wc -l\n"
        "sh \"$1\" ./program ./program t";
    test_run run = {0};
    run_script("tools/fuzz_corpus.sh", line, &run);
    cr_expect_str_eq(vx_text_string(&run.out),
                     "302\nt: 300 files, 1690 bytes, 300 of 302 edges, 5 microseconds an input\n",
                     "%s", vx_text_string(&run.err));
    test_run_free(&run);
}

/* Both ways that libFuzzer counts, and an input that is new. */
Test(fuzz, a_clean_run_has_a_verdict)
{
    static const char *const said[] = {
        "#12: cov: 7 ft: 9 corp: 3\n  NEW_FUNC: f\n#59561: cov: 8 ft: 9 corp: 4\n"
        "INFO: exiting: 0 time: 32s",
        "#12 NEW cov: 7 ft: 9\n#999 DONE cov: 8 ft: 9\nstat::number_of_executed_units: 1234567"};
    static const char *const counts[] = {"59,561", "1,234,567"};
    test_run run = {0};
    for (size_t i = 0; i < 2; i++) {
        vx_text line = {0};
        vx_text last = {0};
        vx_text_format(
            &line,
            "mkdir -p fuzz/corpus/t && cat >fuzzer <<'END' && chmod +x fuzzer || exit 9\n"
            "#!/bin/sh\n: >build/fuzz/found/t/new\ncat <<'SAID'\n%s\nSAID\nEND\n"
            "JOBS=%d sh \"$1\" ./fuzzer t 30",
            said[i], i == 0 ? 2 : 1);
        run_script("tools/fuzz.sh", line.bytes, &run);
        cr_expect_eq(run.status, 0, "%s", vx_text_string(&run.err));
        cr_expect_str_empty(vx_text_string(&run.err));
        vx_text_format(
            &last, "\nt: no finding in 30 s, %s executions, 1 new inputs in build/fuzz/found/t\n",
            counts[i]);
        const char *end = strstr(vx_text_string(&run.out), last.bytes);
        cr_expect(end != NULL && strlen(end) == last.size, "%s", vx_text_string(&run.out));
        cr_expect_null(strstr(vx_text_string(&run.out), "NEW_FUNC"));
        vx_text_free(&line);
        vx_text_free(&last);
    }
    test_run_free(&run);
}

/* Who is wrong is looked at, not the reference. */
Test(fuzz, commands_below_a_finding)
{
    static const struct {
        const char *said;
        const char *commands; /* between make and the trace */
    } rows[] = {
        {"ref and fast differ (rows) after step 2, erode (SPEC B8.1 to B8.5)\n"
         "vote: ref and replay outvote fast",
         "diff -u --label ref --label fast <(build/voxcert run --impl ref i.jsonl) "
         "<(build/voxcert run --impl fast i.jsonl)   # both sides, in bash\n"
         "build/voxcert audit --impl fast i.jsonl   # the exact judge\n"},
        {"ref and fast differ (status) in the grid (SPEC B1.1 to B1.6)\nvote: no two agree",
         "diff -u --label ref --label fast <(build/voxcert run --impl ref i.jsonl) "
         "<(build/voxcert run --impl fast i.jsonl)   # both sides, in bash\n"
         "build/voxcert audit --impl ref i.jsonl   # the exact judge\n"
         "build/voxcert audit --impl fast i.jsonl   # the exact judge\n"},
        {"vote: the exact judge against ref, fast",
         "diff -u --label replay --label ref <(build/voxcert run --impl replay i.jsonl) "
         "<(build/voxcert run --impl ref i.jsonl)   # both sides, in bash\n"
         "build/voxcert audit --impl ref i.jsonl   # the exact judge\n"
         "build/voxcert audit --impl fast i.jsonl   # the exact judge\n"},
        {"vote: the exact judge against ref, fast, replay",
         "build/voxcert audit --impl ref i.jsonl   # the exact judge\n"
         "build/voxcert audit --impl fast i.jsonl   # the exact judge\n"
         "build/voxcert audit --impl replay i.jsonl   # the exact judge\n"},
        {"fast is still running after 10 s in step 2, erode (SPEC B8.1 to B8.5)",
         "timeout 10 build/voxcert run --impl fast i.jsonl   # hangs\n"},
    };
    test_run run = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text line = {0};
        vx_text told = {0};
        vx_text_format(&line,
                       "printf '#!/bin/sh\necho x >i.jsonl\ncat said\nexit 1\n' >program && "
                       "chmod +x program && printf '%%s\n' 'fuzz: t: a finding' '%s' 'case: "
                       "i.jsonl' 'fuzz: t: signal 6' 'input: i' >said || exit 9\n"
                       "VX_FUZZ_EXACT=1 sh \"$1\" ./program t i",
                       rows[i].said);
        run_script("tools/fuzz_tell.sh", line.bytes, &run);
        cr_expect_eq(run.status, 1, "%s", vx_text_string(&run.err));
        vx_text_format(&told,
                       "\nt: findings: 1\n\nfuzz: t: a finding\n%s\ncase: i.jsonl\ninput: i\n"
                       "the input again: VX_FUZZ_EXACT=1 ./program i\n"
                       "make all   # build/voxcert must hold the change\n%s"
                       "%sbuild/voxcert run --trace i.jsonl   # step by step, by ref\n",
                       rows[i].said, rows[i].commands,
                       strstr(rows[i].said, "running") != NULL ? "timeout 10 " : "");
        cr_expect_str_eq(vx_text_string(&run.out), told.bytes);
        vx_text_free(&line);
        vx_text_free(&told);
    }
    test_run_free(&run);
}

/* The inputs of faults that were found come first, and a finding is told as `make fuzz` does. */
Test(fuzz, the_smoke_test)
{
    static const char line[] =
        "mkdir -p fuzz/corpus/t fuzz/corpus/u fuzz/regressions/t tools && "
        "printf '#!/bin/sh\necho told $VX_FUZZ_REPLAY \"$@\"\nexit 1\n' >tools/fuzz_tell.sh && "
        "printf '#!/bin/sh\necho $VX_FUZZ_REPLAY \"$@\", 9 mutations,\n' >t && "
        "printf '#!/bin/sh\necho input: found\nexit 1\n' >u && chmod +x t u tools/fuzz_tell.sh && "
        "EXECUTIONS=9 sh \"$1\" . t u t";
    test_run run = {0};
    run_script("tools/fuzz_smoke.sh", line, &run);
    cr_expect_eq(run.status, 1, "%s", vx_text_string(&run.err));
    cr_expect_str_eq(vx_text_string(&run.out),
                     "1 fuzz/regressions/t fuzz/corpus/t, 9 mutations,\n"
                     "--executions 9 --seed 1 fuzz/regressions/t fuzz/corpus/t, 9 mutations,\n"
                     "input: found\ntold 1 ./u u found\n");
    test_run_free(&run);
}

/* What makes a fuzzer that runs for long, and waits until nobody of its name is left. */
#define SLEEPER                                                                                    \
    "printf '#!/bin/sh\\necho $$ >>pids\\nsleep 600 & echo $! >>pids; wait\\n' >sleeper && "       \
    "chmod +x sleeper && mkdir -p fuzz/corpus/t || exit 9\n"
#define UNTIL_GONE                                                                                 \
    "for pid in $(cat pids); do while [ -e /proc/$pid ] && ! grep -q 'State:.Z' "                  \
    "/proc/$pid/status; do sleep 0.1; done; done"

Test(fuzz, fuzzers_end_with_their_script)
{
    static const char *const jobs[] = {"1", "2"};
    test_run run = {0};
    for (size_t i = 0; i < 2; i++) {
        vx_text line = {0};
        vx_text_format(&line,
                       SLEEPER "JOBS=%s sh \"$1\" ./sleeper t 600 & script=$!; "
                               "until [ \"$(cat pids 2>/dev/null | wc -l)\" -ge 2 ]; do sleep 0.1; "
                               "done; kill $script; " UNTIL_GONE,
                       jobs[i]);
        run_script("tools/fuzz.sh", line.bytes, &run);
        cr_expect_eq(run.status, 0, "%s", vx_text_string(&run.err));
        vx_text_free(&line);
    }
    test_run_free(&run);
}

Test(fuzz, afl_ends_when_an_instance_fails)
{
    test_run run = {0};
    run_script(
        "tools/fuzz_afl.sh",
        "printf '#!/bin/sh\\nif [ $1 = -M ]; then until [ -s pids ]; do sleep 0.1; done; exit "
        "1; fi; echo $$ >pids; exec sleep 600\\n' >afl-fuzz; chmod +x afl-fuzz; mkdir -p "
        "fuzz/corpus/t; ! PATH=.:$PATH sh \"$1\" ./program.afl t 600 && " UNTIL_GONE,
        &run);
    cr_expect_eq(run.status, 0, "%s", vx_text_string(&run.err));
    test_run_free(&run);
}
