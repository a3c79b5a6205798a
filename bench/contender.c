/* SPDX-License-Identifier: MIT */
/* The contenders: the reference, the fast implementation at each level, a library's, the peer. */
#include "bench.h"
#include "implementation.h"

#include "fast/build3d/kernels.h"

static void add(vx_bench_contenders *list, vx_bench_contender contender)
{
    list->items[list->count++] = contender;
}

/* The levels of fast that this processor has: those that choose other kernels than the one below.
 */
static void add_levels(vx_bench_contenders *list)
{
    static const vx_bench_contender levels[] = {
        {.name = "fast baseline", .levels = VX_FAST_BASELINE, .level = VX_BENCH_BASELINE},
        {.name = "fast AVX2", .levels = VX_FAST_BASELINE | VX_FAST_AVX2, .level = VX_BENCH_AVX2},
        {.name = "fast AVX-512",
         .levels = VX_FAST_BASELINE | VX_FAST_AVX2 | VX_FAST_AVX512,
         .level = VX_BENCH_AVX512}};
    const void *below = NULL;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        unsigned before = vx_fast_set_levels(levels[i].levels);
        const void *kernels = vx_fast_choose_kernels();
        (void)vx_fast_set_levels(before);
        if (kernels != below) {
            add(list, levels[i]);
            list->items[list->count - 1].impl = &vx_fast_build3d;
        }
        below = kernels;
    }
}

bool vx_bench_contenders_find(const char *library, vx_bench_contenders *list)
{
    *list = (vx_bench_contenders){0};
    add(list,
        (vx_bench_contender){.name = "ref", .impl = &vx_ref_build3d, .level = VX_BENCH_NO_LEVEL});
    add_levels(list);
    if (library != NULL) {
        const vx_build3d_impl *impl = vx_implementation_open(&vx_chapter_build3d, NULL, library);
        if (impl == NULL) {
            return false;
        }
        add(list,
            (vx_bench_contender){
                .name = impl->name, .impl = impl, .is_library = true, .level = VX_BENCH_NO_LEVEL});
    }
#ifdef VX_BENCH_PEER
    add(list, (vx_bench_contender){.name = vx_peer_recast.name,
                                   .peer = &vx_peer_recast,
                                   .level = VX_BENCH_NO_LEVEL});
#endif
    return true;
}

const vx_bench_contender *vx_bench_peer(const vx_bench_contenders *list)
{
    const vx_bench_contender *last = &list->items[list->count - 1];
    return last->peer != NULL ? last : NULL;
}

unsigned vx_bench_levels_begin(const vx_bench_contender *who)
{
    return who->levels != 0 ? vx_fast_set_levels(who->levels) : 0;
}

void vx_bench_levels_end(const vx_bench_contender *who, unsigned before)
{
    if (who->levels != 0) {
        (void)vx_fast_set_levels(before);
    }
}
