/* SPDX-License-Identifier: MIT */
/* Generated cases: the same on every machine, legal, and spread over what can come out. */
#include <criterion/criterion.h>
#include <math.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "build3d/build3d.h"
#include "case.h"
#include "generate.h"
#include "random.h"
#include "reference.h"
#include "spec.h"

enum { DIGEST_SEEDS = 8, LEGAL_SEEDS = 120, SPREAD_SEEDS = 90 };

/* --- random numbers -------------------------------------------------------------------------- */

Test(families, random_bits)
{
    /* The first outputs of splitmix64 from the state 1234567. */
    static const uint64_t known[] = {6457827717110365317u, 3203168211198807973u,
                                     9817491932198370423u, 4593380528125082431u,
                                     16408922859458223821u};
    vx_random random = {1234567};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        cr_expect_eq(vx_random_bits(&random), known[i], "output %zu", i);
    }
    vx_random streams[3] = {vx_random_start("a", 1), vx_random_start("a", 2),
                            vx_random_start("b", 1)};
    uint64_t first[3];
    for (size_t i = 0; i < 3; i++) {
        first[i] = vx_random_bits(&streams[i]);
    }
    cr_expect(first[0] != first[1] && first[0] != first[2] && first[1] != first[2]);
}

Test(families, random_draws)
{
    vx_random random = vx_random_start("draws", 0);
    static const double values[] = {0.5, 2.0};
    static const int64_t integers[] = {-3, 9};
    int64_t seen[3] = {0};
    int64_t true_count = 0;
    for (int i = 0; i < 3000; i++) {
        int64_t integer = vx_random_integer(&random, -1, 1);
        cr_assert(integer >= -1 && integer <= 1);
        seen[integer + 1]++;
        true_count += vx_random_chance(&random, 1, 4);
        double dyadic = vx_random_dyadic(&random, -2, 3, 4);
        cr_assert(dyadic >= -2.0 && dyadic <= 3.0 && floor(dyadic * 16.0) == dyadic * 16.0);
        float number = vx_random_float(&random, -3, 2);
        cr_assert(number >= 0.125f && number < 8.0f);
        double value = VX_CHOICE(&random, values);
        cr_assert(value == 0.5 || value == 2.0);
        integer = VX_CHOICE_INTEGER(&random, integers);
        cr_assert(integer == -3 || integer == 9);
    }
    for (size_t i = 0; i < 3; i++) {
        cr_expect(seen[i] > 800, "%zu came %lld times", i, (long long)seen[i]);
    }
    cr_expect(true_count > 600 && true_count < 900);
    float subnormal = vx_random_float(&random, -140, -140);
    cr_expect(subnormal >= 0x1p-140f && subnormal <= 0x1p-139f);
}

Test(families, random_order_and_steps)
{
    vx_random random = vx_random_start("order", 0);
    size_t order[50];
    bool seen[50] = {false};
    vx_random_order(&random, order, 50);
    size_t moved = 0;
    for (size_t i = 0; i < 50; i++) {
        cr_assert(order[i] < 50 && !seen[order[i]]);
        seen[order[i]] = true;
        moved += order[i] != i;
    }
    cr_expect_gt(moved, 25);
    cr_expect_eq(vx_step_float(1.0f, 2), 0x1.000004p0f);
    cr_expect_eq(vx_step_float(1.0f, -1), 0x1.fffffep-1f);
    cr_expect_eq(vx_step_float(0.0f, 3), 0x3p-149f);
    cr_expect_eq(vx_step_double(1.0, 1), 0x1.0000000000001p0);
    cr_expect_eq(vx_step_double(0.0, -2), -0x2p-1074);
    cr_expect_eq(vx_step_double(5.0, 0), 5.0);
}

/* --- the families ---------------------------------------------------------------------------- */

/* Of the questions of seeds 0 … 7, one a line. */
static const struct {
    const char *family, *digest;
} digests[] = {
    {"triangles-random", "c322a20ed0da4fbd"},
    {"triangles-snapped", "734e1cfe9d32dab7"},
    {"triangles-planes", "83722ecfed4b2ae2"},
    {"triangles-shared", "972fc5db19f6ccf1"},
    {"triangles-orders", "d6f8f57b10489469"},
    {"triangles-areas", "a6525811614278e6"},
    {"slopes", "4956f770c00d77bd"},
    {"horizontal", "4b67c3b9c886462d"},
    {"near-vertical", "426a1250bd2fbbdd"},
    {"slivers", "244a04d422733a3c"},
    {"slivers-ulp", "88cd4613bc55526b"},
    {"slivers-planes", "f13f98f0a949c603"},
    {"clipped", "4d55760663bedd02"},
    {"border", "86945217fa37916c"},
    {"triangles-tall", "cde577ac4ab909eb"},
    {"subnormal-coordinates", "e4f0d86f675d5b64"},
    {"subnormal-normals", "912c9a1213ce4bcf"},
    {"degenerate", "68108ae37bef595e"},
    {"unreferenced", "8b75604e96e75804"},
    {"huge-ratio", "35076c5657512871"},
    {"far-origins", "c5cd266f40800ffe"},
    {"limits", "9783157ce46cee21"},
    {"walls-grid", "5952dd59a3d35e5a"},
    {"walls-border", "ba5053a610008964"},
    {"walls-near", "602f2f66b7f5db98"},
    {"walls-collapsing", "d5077c78091e1e22"},
    {"walls-oblique", "653c4cccc89e4b9b"},
    {"walls-rounded", "b90d6e0ac5a893c6"},
    {"boxes", "ae1a082e0bf5e3bd"},
    {"boxes-rotated", "82f913e1290aa0a2"},
    {"solids", "a430a7e4b7b32c4f"},
    {"fans", "acd90c18457dba28"},
    {"strips", "b97c5b0d1d5bf7f4"},
    {"ramps", "4f5e0c95d789d259"},
    {"stairs", "d2c776435440f379"},
    {"crowds", "5a8dc554ce2052b8"},
    {"terrain-fine", "038dd7447950e7b5"},
    {"terrain-coarse", "9610b035c1a3ba03"},
    {"terrain-collapsing", "06faf6724737c0f3"},
    {"terrain-inexact", "e166dc70bb7ccc25"},
    {"bounds", "a4f135eccddca1a6"},
    {"frame-errors", "249dd5d70daed558"},
    {"bounds-errors", "125e03ca057efe56"},
    {"rasterize-errors", "46e45b846a671da7"},
    {"span-errors", "1bf562501041f228"},
    {"terrain-errors", "68029d143b334f41"},
    {"chunk-errors", "6e30f43c1a190b7a"},
    {"volume-errors", "b8b0ee872b7a0440"},
    {"parameter-errors", "a9bf8925cb8eb406"},
    {"spans-random", "293eaff47940cb08"},
    {"spans-touching", "2050cb3c1a27892a"},
    {"spans-orders", "4a505c5dfd7245dd"},
    {"spans-deep", "43ebb2462c02ff10"},
    {"spans-tall", "0a64cf92f2fa6d3e"},
    {"chunk-runs", "e9ef22376533f53e"},
    {"chunk-dense", "f2d7ecb2ee3973eb"},
    {"chunk-cut", "11b6981025206a3c"},
    {"low-hanging", "8f5b474b89d74008"},
    {"ledges", "719c3f5d50c602e4"},
    {"ledges-steep", "e322acc6a5fd349e"},
    {"low-height", "5f61141aa8120f72"},
    {"filter-chains", "56b9a659a0ab65cd"},
    {"links-layers", "11e8618362ca8cc0"},
    {"links-tall", "570ba3685ccd9b24"},
    {"links-many", "95531b697f158c78"},
    {"erode-flat", "ec1d2d75e6e94db4"},
    {"erode-cliffs", "fb826f6ecc1d1107"},
    {"erode-corridors", "d47043004b1ef6ab"},
    {"erode-levels", "159581750a03acac"},
    {"erode-one-way", "958cbbe7e72dbc9a"},
    {"erode-repeated", "19b454340b3238f2"},
    {"volumes-convex", "cc827679d0071d7a"},
    {"volumes-edges", "d2b4f1949ed1e180"},
    {"volumes-heights", "94f6c61b8e6469a8"},
    {"volumes-far", "4aa5c3fe9f6c90f3"},
    {"pipeline-spans", "a56271071aa0f4b7"},
    {"pipeline-triangles", "09e173f688e9ebec"},
    {"pipeline-terrain", "7402f0b5b7f39040"},
    {"pipeline-chunks", "4a0eabf07a184fde"},
    {"pipeline-mixed", "95b5cf9c9fadca22"},
};

Test(families, always_the_same)
{
    cr_assert_eq(vx_build3d_family_count, sizeof digests / sizeof digests[0]);
    for (size_t i = 0; i < vx_build3d_family_count; i++) {
        const vx_family *family = &vx_build3d_families[i];
        struct sha256_ctx context;
        char hex[VX_SHA256_HEX];
        sha256_init(&context);
        for (uint64_t seed = 0; seed < DIGEST_SEEDS; seed++) {
            vx_text text = {0};
            vx_input *input = family->make(seed);
            vx_build3d_write(input, &text);
            vx_text_add_char(&text, '\n');
            sha256_update(&context, text.size, (const uint8_t *)text.bytes);
            vx_text_free(&text);
            vx_build3d_input_free(input);
        }
        vx_sha256_hex(&context, hex);
        cr_expect_str_eq(family->name, digests[i].family);
        cr_expect(strncmp(hex, digests[i].digest, strlen(digests[i].digest)) == 0,
                  "%s makes other cases: %.16s, not %s. Published cases are never changed; a "
                  "new family is needed",
                  family->name, hex, digests[i].digest);
    }
}

/* The case reads back from what the writer makes of it. */
static void check_reading(const vx_case *item)
{
    vx_text text = {0};
    vx_text again = {0};
    vx_problem problem = {0};
    vx_case read;
    vx_case_write(item, &text);
    cr_assert(vx_case_read(text.bytes, text.size, &read, &problem), "%s: %s", item->name,
              problem.message);
    vx_case_write(&read, &again);
    cr_expect_str_eq(vx_text_string(&text), vx_text_string(&again), "%s", item->name);
    vx_case_free(&read);
    vx_text_free(&text);
    vx_text_free(&again);
}

Test(families, legal)
{
    vx_arena arena;
    vx_reference_arena(&arena);
    for (size_t i = 0; i < vx_build3d_family_count; i++) {
        for (uint64_t seed = 0; seed < LEGAL_SEEDS; seed++) {
            vx_case item;
            vx_generate_case(&vx_chapter_build3d, &vx_build3d_families[i], seed, &item);
            cr_assert(vx_answer_case(&item, &arena), "%s", item.name);
            check_reading(&item);
            vx_case_free(&item);
        }
    }
    vx_arena_free(&arena);
}

/* What comes out of the first seeds of a family. */
typedef struct spread {
    size_t argument, out_of_range, legal, rows, different;
} spread;

static spread measure(const vx_family *family, vx_arena *arena)
{
    spread found = {0};
    json_t *answers = json_object();
    for (uint64_t seed = 0; seed < SPREAD_SEEDS; seed++) {
        vx_case item;
        vx_text answer = {0};
        vx_generate_case(&vx_chapter_build3d, family, seed, &item);
        cr_assert(vx_answer_case(&item, arena), "%s", item.name);
        found.argument += item.expect.kinds == 1u << VX_ARGUMENT;
        found.out_of_range += item.expect.kinds == 1u << VX_OUT_OF_RANGE;
        found.legal += item.expect.kinds == 0;
        found.rows += item.expect.kinds == 0 && item.expect.result.rows > 0;
        vx_expect_write(item.chapter->shape, &item.expect, &answer);
        found.different += json_object_get(answers, answer.bytes) == NULL;
        (void)json_object_set_new(answers, answer.bytes, json_true());
        vx_text_free(&answer);
        vx_case_free(&item);
    }
    json_decref(answers);
    return found;
}

Test(families, spread)
{
    vx_arena arena;
    vx_reference_arena(&arena);
    for (size_t i = 0; i < vx_build3d_family_count; i++) {
        const vx_family *family = &vx_build3d_families[i];
        spread found = measure(family, &arena);
        if (strstr(family->name, "errors") != NULL) {
            /* Some seeds stay just within the bounds. */
            cr_expect(found.argument + found.out_of_range >= SPREAD_SEEDS / 3, "%s", family->name);
            cr_expect(found.legal >= SPREAD_SEEDS / 20, "%s: %zu legal", family->name, found.legal);
            cr_expect(found.different >= 4, "%s: %zu answers", family->name, found.different);
        } else {
            cr_expect(found.legal >= SPREAD_SEEDS * 9 / 10, "%s: %zu legal", family->name,
                      found.legal);
            cr_expect(found.rows >= SPREAD_SEEDS * 3 / 5, "%s: %zu with rows", family->name,
                      found.rows);
            cr_expect(found.different >= SPREAD_SEEDS / 3, "%s: %zu answers", family->name,
                      found.different);
        }
    }
    vx_arena_free(&arena);
}

Test(families, table)
{
    vx_spec spec;
    vx_spec_read_own(&spec);
    for (size_t i = 0; i < vx_build3d_family_count; i++) {
        const vx_family *family = &vx_build3d_families[i];
        for (size_t k = 0; k < i; k++) {
            cr_expect_str_neq(family->name, vx_build3d_families[k].name);
        }
        cr_expect_eq(strspn(family->name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                     strlen(family->name), "%s", family->name);
        cr_expect_eq(family->note[strlen(family->note) - 1], '.', "%s", family->name);
        cr_expect_not_null(family->clauses[0], "%s", family->name);
        for (size_t k = 0; family->clauses[k] != NULL; k++) {
            cr_expect_not_null(vx_spec_find(&spec, family->clauses[k]), "%s: %s", family->name,
                               family->clauses[k]);
        }
    }
    vx_spec_free(&spec);
}
