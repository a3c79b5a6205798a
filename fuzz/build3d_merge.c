/* SPDX-License-Identifier: MIT */
/* Fuzz target: spans that merge (SPEC B3). */
#define VX_FUZZ_NAME "build3d_merge"
#define VX_FUZZ_OPS (1u << VX_OP_ADD_SPANS)
#include "fuzz/cases.h"
