/* SPDX-License-Identifier: MIT */
/* The contenders: the reference, the fast implementation at each level, a library's, the peer. */
#include <string.h>
#include <strings.h>

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

/* Appends at most so many characters; those that a table or values separated by commas cannot hold
 * become '_'. */
static void add_name(vx_text *text, const char *name, size_t most)
{
    for (size_t i = 0; *name != '\0' && i < most; i++) {
        size_t length = vx_utf8_length(name);
        bool is_plain =
            length > 1 || (length == 1 && *name >= ' ' && strchr("\",|\\`\x7f", *name) == NULL);
        vx_text_add_bytes(text, is_plain ? name : "_", is_plain ? length : 1);
        name += is_plain ? length : 1;
    }
    vx_text_add(text, *name != '\0' ? "…" : "");
}

/* Whether the name is in use; "kit" is what values call the kit itself. */
static bool is_taken(const vx_bench_contenders *list, const char *name)
{
    bool is_found = strcasecmp(name, "Recast") == 0 || strcasecmp(name, "kit") == 0;
    for (size_t i = 0; i < list->count; i++) {
        is_found = is_found || strcasecmp(name, list->items[i].name) == 0;
    }
    return is_found;
}

void vx_bench_name_library(const char *own, const char *path, vx_bench_contenders *list)
{
    enum { CHARACTERS = 48, FILE_CHARACTERS = 24 };
    const char *slash = strrchr(path, '/');
    vx_text name = {0};
    add_name(&name, own, CHARACTERS);
    bool has_name = strspn(vx_text_string(&name), " _") < name.size;
    if (!has_name || is_taken(list, name.bytes)) {
        vx_text_clear(&name);
        add_name(&name, has_name ? own : "library", CHARACTERS);
        vx_text_add(&name, " (");
        add_name(&name, slash != NULL ? slash + 1 : path, FILE_CHARACTERS);
        vx_text_add(&name, ")");
    }
    (void)snprintf(list->library_name, sizeof list->library_name, "%s", vx_text_string(&name));
    vx_text_free(&name);
}

bool vx_bench_is_judged(const vx_bench_contender *who)
{
    return who->level != VX_BENCH_NO_LEVEL || who->is_library;
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
        vx_bench_name_library(impl->name, library, list);
        add(list, (vx_bench_contender){.name = list->library_name,
                                       .impl = impl,
                                       .is_library = true,
                                       .level = VX_BENCH_NO_LEVEL});
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
