/* SPDX-License-Identifier: MIT */
/* Each operation in MPFR, within the exponent range of its format (SPEC B0.1, B0.2). */
#include "real.h"

#include <limits.h>
#include <string.h>

/* One limb holds either significand, so a number's memory is part of its value. */
_Static_assert(GMP_NUMB_BITS >= 53, "a limb holds a binary64 significand");

enum { WIDEST = 53 };

/* MPFR's exponent is that of a significand in [1/2, 1): one more than IEEE 754's. The least one is
 * that of the least subnormal; mpfr_subnormalize then takes the bits that a subnormal lacks. */
typedef struct range {
    mpfr_prec_t precision;
    mpfr_exp_t least, greatest;
} range;

static const range ranges[] = {
    [VX_REPLAY_BINARY32] = {24, -148, 128},
    [VX_REPLAY_BINARY64] = {WIDEST, -1073, 1024},
};

/* Makes number an operand over limb; both must live as long as it is used. */
static void load(mpfr_ptr number, mp_limb_t *limb, vx_replay_real value)
{
    *limb = value.significand;
    mpfr_custom_init_set(number, value.kind, value.exponent, WIDEST, limb);
}

static void load_result(mpfr_ptr number, mp_limb_t *limb, mpfr_prec_t precision)
{
    mpfr_custom_init(limb, precision);
    mpfr_custom_init_set(number, MPFR_ZERO_KIND, 0, precision, limb);
}

static vx_replay_real store(mpfr_srcptr number, mp_limb_t limb)
{
    vx_replay_real value = {.kind = mpfr_custom_get_kind(number)};
    if (mpfr_regular_p(number)) {
        value.exponent = mpfr_custom_get_exp(number);
        value.significand = limb;
    }
    return value;
}

/* A function of MPFR with one operand, and one with two. */
typedef int unary(mpfr_ptr result, mpfr_srcptr a, mpfr_rnd_t rounding);
typedef int binary(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t rounding);

/* Rounds once in MPFR's unbounded way, then to what the format can hold. */
static vx_replay_real finish(vx_replay_format format, mpfr_ptr result, const mp_limb_t *limb,
                             int ternary)
{
    mpfr_set_emin(ranges[format].least);
    mpfr_set_emax(ranges[format].greatest);
    ternary = mpfr_check_range(result, ternary, MPFR_RNDN);
    (void)mpfr_subnormalize(result, ternary, MPFR_RNDN);
    vx_replay_real value = store(result, *limb);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    return value;
}

static vx_replay_real apply_binary(vx_replay_format format, binary *function, vx_replay_real a,
                                   vx_replay_real b)
{
    mp_limb_t limbs[3];
    mpfr_t x, y, result;
    load(x, &limbs[0], a);
    load(y, &limbs[1], b);
    load_result(result, &limbs[2], ranges[format].precision);
    int ternary = function(result, x, y, MPFR_RNDN);
    return finish(format, result, &limbs[2], ternary);
}

static vx_replay_real apply_unary(vx_replay_format format, unary *function, vx_replay_real a)
{
    mp_limb_t limbs[2];
    mpfr_t x, result;
    load(x, &limbs[0], a);
    load_result(result, &limbs[1], ranges[format].precision);
    int ternary = function(result, x, MPFR_RNDN);
    return finish(format, result, &limbs[1], ternary);
}

/* ±mantissa · 2^exponent, exactly; mantissa < 2^53. */
static vx_replay_real exactly(int negative, uint64_t mantissa, long exponent)
{
    mp_limb_t limb;
    mpfr_t number;
    load_result(number, &limb, WIDEST);
    (void)mpfr_set_uj_2exp(number, mantissa, exponent, MPFR_RNDN);
    (void)mpfr_setsign(number, number, negative, MPFR_RNDN);
    return store(number, limb);
}

/* A number of IEEE 754 with so many bits of fraction and a biased exponent of so many bits. */
static vx_replay_real from_bits(uint64_t bits, unsigned fraction_bits, unsigned exponent_bits)
{
    uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    long top = (1L << exponent_bits) - 1;
    long biased = (long)(bits >> fraction_bits) & top;
    int negative = (int)(bits >> (fraction_bits + exponent_bits)) & 1;
    if (biased == top) {
        int infinite = negative ? -MPFR_INF_KIND : MPFR_INF_KIND;
        return (vx_replay_real){.kind = fraction != 0 ? MPFR_NAN_KIND : infinite};
    }
    uint64_t hidden = biased > 0 ? UINT64_C(1) << fraction_bits : 0;
    long unit = (biased > 0 ? biased : 1) - (top >> 1) - (long)fraction_bits;
    return exactly(negative, fraction | hidden, unit);
}

vx_replay_real vx_replay_from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return from_bits(bits, 23, 8);
}

vx_replay_real vx_replay_from_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return from_bits(bits, 52, 11);
}

vx_replay_real vx_replay_from_integer(int64_t value)
{
    return exactly(value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 0);
}

vx_replay_real vx_replay_add(vx_replay_format format, vx_replay_real a, vx_replay_real b)
{
    return apply_binary(format, mpfr_add, a, b);
}

vx_replay_real vx_replay_subtract(vx_replay_format format, vx_replay_real a, vx_replay_real b)
{
    return apply_binary(format, mpfr_sub, a, b);
}

vx_replay_real vx_replay_multiply(vx_replay_format format, vx_replay_real a, vx_replay_real b)
{
    return apply_binary(format, mpfr_mul, a, b);
}

vx_replay_real vx_replay_divide(vx_replay_format format, vx_replay_real a, vx_replay_real b)
{
    return apply_binary(format, mpfr_div, a, b);
}

vx_replay_real vx_replay_square_root(vx_replay_format format, vx_replay_real a)
{
    return apply_unary(format, mpfr_sqrt, a);
}

/* mpfr_set is a macro in some releases, so it has no address. */
static int copy(mpfr_ptr result, mpfr_srcptr a, mpfr_rnd_t rounding)
{
    return mpfr_set(result, a, rounding);
}

vx_replay_real vx_replay_convert(vx_replay_format format, vx_replay_real a)
{
    return apply_unary(format, copy, a);
}

vx_replay_real vx_replay_floor(vx_replay_real a)
{
    return apply_unary(VX_REPLAY_BINARY64, mpfr_rint_floor, a);
}

vx_replay_real vx_replay_ceil(vx_replay_real a)
{
    return apply_unary(VX_REPLAY_BINARY64, mpfr_rint_ceil, a);
}

int vx_replay_compare(vx_replay_real a, vx_replay_real b)
{
    mp_limb_t limbs[2];
    mpfr_t x, y;
    load(x, &limbs[0], a);
    load(y, &limbs[1], b);
    int order = mpfr_cmp(x, y);
    return (order > 0) - (order < 0);
}

int vx_replay_sign(vx_replay_real a)
{
    return vx_replay_compare(a, vx_replay_from_integer(0));
}

int vx_replay_is_nan(vx_replay_real a)
{
    return a.kind == MPFR_NAN_KIND; /* which has no sign */
}

int vx_replay_is_finite(vx_replay_real a)
{
    return !vx_replay_is_nan(a) && a.kind != MPFR_INF_KIND && a.kind != -MPFR_INF_KIND;
}

int vx_replay_is_integer(vx_replay_real a)
{
    mp_limb_t limb;
    mpfr_t x;
    load(x, &limb, a);
    return mpfr_integer_p(x) != 0;
}

int64_t vx_replay_to_integer(vx_replay_real a)
{
    mp_limb_t limb;
    mpfr_t x;
    load(x, &limb, a);
    return mpfr_get_sj(x, MPFR_RNDN);
}
