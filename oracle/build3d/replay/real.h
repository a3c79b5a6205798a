/* SPDX-License-Identifier: MIT */
/* Binary floating point without a processor's: each operation is MPFR's, rounded to binary32 or
 * binary64 with their exponent ranges and subnormals (SPEC B0.1, B0.2).
 *
 * A real is a plain value that is copied freely. No native floating-point operation touches it, not
 * even a conversion: compiler flags, flush-to-zero and excess precision can't reach it. */
#ifndef VX_REPLAY_REAL_H
#define VX_REPLAY_REAL_H

#include <stdint.h>

/* MPFR declares its conversions to and from intmax_t where that is known already. */
#include <mpfr.h>

typedef struct vx_replay_real {
    mpfr_exp_t exponent;
    mp_limb_t significand; /* its leading bit is the highest; lower ones than the precision are 0 */
    int kind;              /* MPFR's kind, negative for a negative number */
} vx_replay_real;

typedef enum vx_replay_format { VX_REPLAY_BINARY32, VX_REPLAY_BINARY64 } vx_replay_format;

/* Exact, by the bits. NaN and infinity stay what they are. */
vx_replay_real vx_replay_from_float(float value);
vx_replay_real vx_replay_from_double(double value);

/* Exact while |value| ≤ 2^53. */
vx_replay_real vx_replay_from_integer(int64_t value);

/* One operation, rounded once to the format, to nearest, ties to even. */
vx_replay_real vx_replay_add(vx_replay_format format, vx_replay_real a, vx_replay_real b);
vx_replay_real vx_replay_subtract(vx_replay_format format, vx_replay_real a, vx_replay_real b);
vx_replay_real vx_replay_multiply(vx_replay_format format, vx_replay_real a, vx_replay_real b);
vx_replay_real vx_replay_divide(vx_replay_format format, vx_replay_real a, vx_replay_real b);
vx_replay_real vx_replay_square_root(vx_replay_format format, vx_replay_real a);
vx_replay_real vx_replay_convert(vx_replay_format format, vx_replay_real a);

/* Exact: the neighbouring integer below or above, as a number of the same format. */
vx_replay_real vx_replay_floor(vx_replay_real a);
vx_replay_real vx_replay_ceil(vx_replay_real a);

/* −1, 0 or 1; neither may be NaN. −0 equals 0 (SPEC B0.3). */
int vx_replay_compare(vx_replay_real a, vx_replay_real b);
int vx_replay_sign(vx_replay_real a);

int vx_replay_is_nan(vx_replay_real a);
int vx_replay_is_finite(vx_replay_real a);
int vx_replay_is_integer(vx_replay_real a);

/* The integer that a is; a is an integer and |a| < 2^62 (SPEC B0.6). */
int64_t vx_replay_to_integer(vx_replay_real a);

#endif
