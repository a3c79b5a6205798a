/* SPDX-License-Identifier: MIT */
/* What decoding and encoding share: the values that decide something, and the choice of steps. */
#ifndef VX_FUZZ_VALUES_H
#define VX_FUZZ_VALUES_H

#include "build3d/build3d.h"
#include "random.h"

/* docs/PROTOCOL.md: the integers of a case lie within ±2^53. */
#define VX_FUZZ_INTEGER_MAX INT64_C(9007199254740992)

/* The bounds of SPEC.md and their neighbours. */
enum { VX_FUZZ_INTEGERS = 30, VX_FUZZ_NUMBERS = 27 };
extern const int64_t vx_fuzz_integers[VX_FUZZ_INTEGERS];
extern const double vx_fuzz_numbers[VX_FUZZ_NUMBERS];

/* The steps that can come next: the byte of a step is a number in this list. Returns how many. */
size_t vx_fuzz_choices(unsigned ops, bool is_compact, vx_op choices[VX_OP_COUNT]);

#endif
