/* SPDX-License-Identifier: MIT */
/* Fuzz target: whole cases, all steps of build3d (SPEC B1 to B9). */
#define VX_FUZZ_NAME "build3d_cases"
#define VX_FUZZ_OPS ((1u << VX_OP_COUNT) - 1)
#include "fuzz/cases.h"
