/* SPDX-License-Identifier: MIT */
/* Fuzz target: filters, compacting and erosion of fields of spans (SPEC B6 to B8). */
#define VX_FUZZ_NAME "build3d_fields"
#define VX_FUZZ_OPS                                                                                \
    (1u << VX_OP_ADD_SPANS | 1u << VX_OP_LOW_HANGING | 1u << VX_OP_LEDGES |                        \
     1u << VX_OP_LOW_HEIGHT | 1u << VX_OP_COMPACT | 1u << VX_OP_ERODE)
#include "fuzz/cases.h"
