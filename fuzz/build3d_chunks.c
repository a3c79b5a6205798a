/* SPDX-License-Identifier: MIT */
/* Fuzz target: voxel chunks (SPEC B5). */
#define VX_FUZZ_NAME "build3d_chunks"
#define VX_FUZZ_OPS (1u << VX_OP_CHUNK)
#include "fuzz/cases.h"
