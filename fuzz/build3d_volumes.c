/* SPDX-License-Identifier: MIT */
/* Fuzz target: area volumes (SPEC B9). */
#define VX_FUZZ_NAME "build3d_volumes"
#define VX_FUZZ_OPS (1u << VX_OP_ADD_SPANS | 1u << VX_OP_COMPACT | 1u << VX_OP_VOLUME)
#include "fuzz/cases.h"
