/* SPDX-License-Identifier: MIT */
/* The values that decide something. */
#include "fuzz/values.h"

#include <math.h>

const int64_t vx_fuzz_integers[VX_FUZZ_INTEGERS] = {
    200,
    254,
    255,
    256,
    257,
    1023,
    1024,
    8190,
    8191,
    8192,
    16383,
    16384,
    32766,
    32767,
    32768,
    65534,
    65535,
    65536,
    65537,
    VX_RADIUS_MAX - 1,
    VX_RADIUS_MAX,
    VX_RADIUS_MAX + 1,
    VX_COLUMNS_MAX,
    VX_ROWS_MAX - 1,
    VX_ROWS_MAX,
    VX_ROWS_MAX + 1,
    INT64_C(4294967296),
    -VX_ROWS_MAX,
    VX_FUZZ_INTEGER_MAX,
    -VX_FUZZ_INTEGER_MAX,
};

const double vx_fuzz_numbers[VX_FUZZ_NUMBERS] = {
    0,
    0x1p-1074,      /* the smallest binary64 */
    0x1p-1022,      /* the smallest normal one */
    0x1p-149,       /* the smallest binary32 */
    0x1p-127,       /* a subnormal one */
    0x1p-126,       /* the smallest normal one */
    0x1p-75,        /* whose square is subnormal in binary32 */
    0x1p-20,        /* the least cell */
    0x1.fffffep-21, /* the one below it */
    0x1p-23,
    0x1p-24,
    0x1.fffffep-1, /* just below 1 */
    0x1.000002p+0, /* just above 1 */
    0.1,
    0x1.99999ap-4, /* the same in binary32 */
    0x1.6a09e6p-1, /* the default slope */
    0x1.fffffffffffffp-1,
    0x1p+16,
    0x1.fffffep+19,
    0x1p+20, /* the largest cell */
    0x1.000002p+20,
    0x1.fffffffffffffp+20, /* just inside of 2^21 */
    0x1p+21,
    0x1.0000000000001p+21, /* just outside */
    0x1.fffffffffffffp+1023,
    (double)INFINITY,
    (double)NAN,
};
