/* SPDX-License-Identifier: MIT */
/* Fuzz target: triangles and height grids (SPEC B2, B4). */
#define VX_FUZZ_NAME "build3d_rasterize"
#define VX_FUZZ_OPS (1u << VX_OP_RASTERIZE | 1u << VX_OP_HEIGHT_GRID)
#include "fuzz/cases.h"
