/* SPDX-License-Identifier: MIT */
/* Which kernels a field uses: the highest level of the processor, unless a test forbids it. The
 * result is the same at every level (SPEC B11.1@2a5f8b). */
#include <stdatomic.h>

#include "kernels.h"
#include "lanes.h"

static atomic_uint allowed = ~0U;

unsigned vx_fast_set_levels(unsigned mask)
{
    return atomic_exchange(&allowed, mask);
}

/* 0, 1, 2 for the levels from the baseline upwards. */
static int choose(void)
{
#ifdef __x86_64__
    unsigned mask = atomic_load(&allowed);
    if ((mask & VX_FAST_AVX512) != 0 && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
        return 2;
    }
    if ((mask & VX_FAST_AVX2) != 0 && __builtin_cpu_supports("avx2")) {
        return 1;
    }
#endif
    return 0;
}

#ifdef __x86_64__
static const vx_fast_kernels *const kernels[] = {&vx_fast_kernels_baseline, &vx_fast_kernels_avx2,
                                                 &vx_fast_kernels_avx512};
static const vx_fast_lane_kernels *const lanes[] = {&vx_fast_lanes_baseline, &vx_fast_lanes_avx2,
                                                    &vx_fast_lanes_avx512};
#else
static const vx_fast_kernels *const kernels[] = {&vx_fast_kernels_baseline};
static const vx_fast_lane_kernels *const lanes[] = {&vx_fast_lanes_baseline};
#endif

const vx_fast_kernels *vx_fast_choose_kernels(void)
{
    return kernels[choose()];
}

const vx_fast_lane_kernels *vx_fast_choose_lanes(void)
{
    return lanes[choose()];
}
