/* SPDX-License-Identifier: MIT */
/* Which kernels a field uses: the highest level of the processor, unless a test forbids it. The
 * result is the same at every level (SPEC B11.1@2a5f8b). */
#include <stdatomic.h>

#include "kernels.h"

static atomic_uint allowed = ~0U;

unsigned vx_fast_set_levels(unsigned mask)
{
    return atomic_exchange(&allowed, mask);
}

const vx_fast_kernels *vx_fast_choose_kernels(void)
{
#ifdef __x86_64__
    unsigned mask = atomic_load(&allowed);
    if ((mask & VX_FAST_AVX512) != 0 && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
        return &vx_fast_kernels_avx512;
    }
    if ((mask & VX_FAST_AVX2) != 0 && __builtin_cpu_supports("avx2")) {
        return &vx_fast_kernels_avx2;
    }
#endif
    return &vx_fast_kernels_baseline;
}
