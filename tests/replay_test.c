/* SPDX-License-Identifier: MIT */
/* The MPFR replay: its arithmetic beside the processor's, its answers beside the reference's. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "build3d/build3d.h"
#include "case.h"
#include "generate.h"
#include "oracle/build3d/oracle.h"
#include "oracle/build3d/replay/real.h"
#include "random.h"
#include "reference.h"

enum { OPERANDS = 40000, SEEDS = 25 };

/* --- arithmetic ------------------------------------------------------------------------------- */

/* Any bits, but often near the ends of the exponents, where results overflow and become subnormal,
 * and often near each other, where they cancel. */
static uint64_t any_bits(vx_random *random, unsigned fraction_bits, unsigned exponent_bits,
                         uint64_t like)
{
    uint64_t bits = vx_random_bits(random);
    uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    uint64_t sign = bits >> 63 << (fraction_bits + exponent_bits);
    uint64_t top = (UINT64_C(1) << exponent_bits) - 1;
    switch (vx_random_integer(random, 0, 5)) {
    case 0:
        return sign | fraction; /* subnormal */
    case 1:
        return sign | (top / 2) << fraction_bits; /* a 1 */
    case 2:
        return like + (uint64_t)vx_random_integer(random, 0, 2);
    case 3:
        return sign | (uint64_t)vx_random_integer(random, 1, 40) << fraction_bits | fraction;
    case 4:
        return sign | (top / 2 + (uint64_t)vx_random_integer(random, 0, 24)) << fraction_bits |
               (fraction & ~UINT64_C(0xffff));
    default:
        return bits >> (64 - 1 - fraction_bits - exponent_bits);
    }
}

static float float_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Whether a real is that native number; any NaN is any other, and −0 is not 0. */
static bool same(vx_replay_real a, vx_replay_real b)
{
    if (vx_replay_is_nan(a) || vx_replay_is_nan(b)) {
        return vx_replay_is_nan(a) && vx_replay_is_nan(b);
    }
    return a.kind == b.kind && a.exponent == b.exponent && a.significand == b.significand;
}

static void check_binary32(float x, float y)
{
    vx_replay_real a = vx_replay_from_float(x);
    vx_replay_real b = vx_replay_from_float(y);
    volatile float sum = x + y;
    volatile float difference = x - y;
    volatile float product = x * y;
    volatile float quotient = x / y;
    cr_assert(same(vx_replay_add(VX_REPLAY_BINARY32, a, b), vx_replay_from_float(sum)), "%a + %a",
              (double)x, (double)y);
    cr_assert(same(vx_replay_subtract(VX_REPLAY_BINARY32, a, b), vx_replay_from_float(difference)),
              "%a - %a", (double)x, (double)y);
    cr_assert(same(vx_replay_multiply(VX_REPLAY_BINARY32, a, b), vx_replay_from_float(product)),
              "%a * %a", (double)x, (double)y);
    cr_assert(same(vx_replay_divide(VX_REPLAY_BINARY32, a, b), vx_replay_from_float(quotient)),
              "%a / %a", (double)x, (double)y);
    cr_assert(same(vx_replay_square_root(VX_REPLAY_BINARY32, a), vx_replay_from_float(sqrtf(x))),
              "sqrt %a", (double)x);
    cr_assert(same(vx_replay_floor(a), vx_replay_from_float(floorf(x))), "floor %a", (double)x);
    cr_assert(same(vx_replay_ceil(a), vx_replay_from_float(ceilf(x))), "ceil %a", (double)x);
}

static void check_binary64(double x, double y)
{
    vx_replay_real a = vx_replay_from_double(x);
    vx_replay_real b = vx_replay_from_double(y);
    volatile float narrowed = (float)x;
    cr_assert(same(vx_replay_add(VX_REPLAY_BINARY64, a, b), vx_replay_from_double(x + y)),
              "%a + %a", x, y);
    cr_assert(same(vx_replay_subtract(VX_REPLAY_BINARY64, a, b), vx_replay_from_double(x - y)),
              "%a - %a", x, y);
    cr_assert(same(vx_replay_multiply(VX_REPLAY_BINARY64, a, b), vx_replay_from_double(x * y)),
              "%a * %a", x, y);
    cr_assert(same(vx_replay_divide(VX_REPLAY_BINARY64, a, b), vx_replay_from_double(x / y)),
              "%a / %a", x, y);
    cr_assert(same(vx_replay_convert(VX_REPLAY_BINARY32, a), vx_replay_from_float(narrowed)),
              "(float)%a", x);
    if (!isnan(x) && !isnan(y)) {
        cr_assert_eq(vx_replay_compare(a, b), (x > y) - (x < y), "%a against %a", x, y);
        cr_assert_eq(vx_replay_sign(a), (x > 0) - (x < 0), "%a", x);
    }
    cr_assert_eq(vx_replay_is_nan(a), isnan(x) != 0, "%a", x);
    cr_assert_eq(vx_replay_is_finite(a), isfinite(x) != 0, "%a", x);
}

/* On this machine, whose arithmetic is IEEE 754's (B0.1@6e2860, B0.2@e867ac). */
Test(replay_test, arithmetic)
{
    vx_random random = vx_random_start("operands", 1);
    for (int i = 0; i < OPERANDS; i++) {
        uint64_t x = any_bits(&random, 23, 8, UINT64_C(0x3f800000));
        uint64_t y = any_bits(&random, 23, 8, x);
        check_binary32(float_of(x), float_of(y));
        x = any_bits(&random, 52, 11, UINT64_C(0x3ff0000000000000));
        y = any_bits(&random, 52, 11, x);
        check_binary64(double_of(x), double_of(y));
        double wide = (double)float_of(any_bits(&random, 23, 8, 1));
        check_binary64(wide + ldexp(wide, -24), nextafter(wide, (double)INFINITY));
    }
}

Test(replay_test, integers)
{
    static const int64_t values[] = {
        0, 1, -1, 65535, -65536, (int64_t)1 << 42, -((int64_t)1 << 53)};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        vx_replay_real real = vx_replay_from_integer(values[i]);
        cr_expect(vx_replay_is_integer(real), "%lld", (long long)values[i]);
        cr_expect_eq(vx_replay_to_integer(real), values[i], "%lld", (long long)values[i]);
        cr_expect(same(real, vx_replay_from_double((double)values[i])) || values[i] == 0, "%lld",
                  (long long)values[i]);
    }
    cr_expect_not(vx_replay_is_integer(vx_replay_from_double(0.5)));
    cr_expect_not(vx_replay_is_integer(vx_replay_from_double((double)NAN)));
}

#if defined(__SSE2__)
/* A processor that flushes subnormals to zero changes nothing here. */
Test(replay_test, flush_to_zero)
{
    static const uint64_t least = 1, two = 2, half = 0x3f000000;
    _mm_setcsr(_mm_getcsr() | 0x8040);
    vx_replay_real a = vx_replay_from_float(float_of(least));
    vx_replay_real twice = vx_replay_from_float(float_of(two));
    int sign = vx_replay_sign(a);
    vx_replay_real sum = vx_replay_add(VX_REPLAY_BINARY32, a, a);
    vx_replay_real quotient =
        vx_replay_multiply(VX_REPLAY_BINARY32, twice, vx_replay_from_float(float_of(half)));
    _mm_setcsr(_mm_getcsr() & ~0x8040u);
    cr_expect_eq(sign, 1);
    cr_expect(same(sum, twice));
    cr_expect(same(quotient, a));
}
#endif

/* --- answers ---------------------------------------------------------------------------------- */

Test(replay_test, agrees_with_the_reference)
{
    static const vx_run_options options = {.step_limit = SIZE_MAX};
    vx_arena arena;
    vx_reference_arena(&arena);
    for (size_t i = 0; i < vx_build3d_family_count; i++) {
        for (uint64_t seed = 9000; seed < 9000 + SEEDS; seed++) {
            vx_case item;
            vx_result right = {0};
            vx_result answer = {0};
            vx_generate_case(&vx_chapter_build3d, &vx_build3d_families[i], seed, &item);
            cr_assert_eq(vx_reference_run(&item, &arena, &right), VX_OK, "%s", item.name);
            cr_assert_eq(
                item.chapter->run(&vx_replay_build3d, item.input, &options, &arena, &answer), VX_OK,
                "%s: %s", item.name, answer.message);
            cr_expect(vx_result_equal(item.chapter->shape, &right, &answer), "%s", item.name);
            vx_result_free(&right);
            vx_result_free(&answer);
            vx_case_free(&item);
        }
    }
    vx_arena_free(&arena);
}

/* --- the table -------------------------------------------------------------------------------- */

static vx_build3d *open_small(vx_arena *arena)
{
    const vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {2, 2, 8}};
    vx_build3d *field = NULL;
    vx_arena_init_growable(arena, 4096, 1 << 20);
    cr_assert_eq(vx_replay_build3d.open(arena, &frame, &field, NULL), VX_OK);
    return field;
}

Test(replay_test, calls_out_of_place)
{
    vx_arena arena;
    vx_error error = {0};
    vx_build3d *field = open_small(&arena);
    const vx_build3d_impl *impl = &vx_replay_build3d;
    vx_solid_row solid[1];
    vx_compact_row open[1];
    const vx_span span = {0, 1, 2, 3, 4};
    const vx_mesh mesh = {.slope_cosine = 0};
    const vx_volume volume = {0};
    cr_expect_eq(impl->erode(field, 1, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->volume(field, &volume, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->read_compact(field, open, 1, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->add_spans(field, &span, 1, 0, &error), VX_OK);
    cr_expect_eq(impl->read_solid(field, solid, 0, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->read_solid(field, solid, 1, &error), VX_OK);
    cr_expect_eq(solid[0].max, 3);
    cr_expect_eq(impl->compact(field, 1, 0, &error), VX_OK);
    cr_expect_eq(impl->compact(field, 1, 0, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->add_spans(field, &span, 1, 0, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->rasterize(field, &mesh, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->height_grid(field, NULL, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->chunk(field, NULL, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->low_hanging(field, 0, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->ledges(field, 1, 0, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->low_height(field, 1, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->read_solid(field, solid, 1, &error), VX_UNSUPPORTED);
    cr_expect_eq(impl->read_compact(field, open, 1, &error), VX_OK);
    cr_expect_eq(open[0].y, 3);
    impl->close(field);
    impl->close(NULL);
    vx_arena_free(&arena);
}

/* An arena without room for a field. */
Test(replay_test, no_memory)
{
    const vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {2, 2, 8}};
    vx_arena arena;
    vx_error error = {0};
    vx_build3d *field = NULL;
    vx_arena_init_growable(&arena, 64, 64);
    cr_expect_eq(vx_replay_build3d.open(&arena, &frame, &field, &error), VX_NO_MEMORY);
    cr_expect_null(field);
    vx_arena_free(&arena);
}
