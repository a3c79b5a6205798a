/* SPDX-License-Identifier: MIT */
/* voxcert count: every kernel once on small scenes, for callgrind to count its instructions. Counts
 * hardly change from run to run, so that a gate can be narrow where times would be noise. */
#include <string.h>

#include "bench.h"
#include "reference.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

/* Instructions between the two calls go into a file of callgrind's, which is named in it. */
static void count_begin(void)
{
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    CALLGRIND_TOGGLE_COLLECT;
}

static void count_end(const char *scene, const char *kernel, const char *who)
{
    vx_text name = {0};
    CALLGRIND_TOGGLE_COLLECT;
    vx_text_format(&name, "%s, %s, %s", scene, kernel, who);
    CALLGRIND_DUMP_STATS_AT(vx_text_string(&name));
    CALLGRIND_STOP_INSTRUMENTATION;
    vx_text_free(&name);
}

static bool is_counting(void)
{
    return RUNNING_ON_VALGRIND != 0;
}
#else
static void count_begin(void)
{
}

static void count_end(const char *scene, const char *kernel, const char *who)
{
    (void)scene, (void)kernel, (void)who;
}

static bool is_counting(void)
{
    return false;
}
#endif

static bool count_track(vx_bench_session *session, size_t track)
{
    const vx_bench_kernel_id *steps = vx_bench_tracks[track];
    bool is_done = true;
    for (size_t i = 0; steps[i] != VX_BENCH_KERNELS && is_done; i++) {
        bool is_counted = !vx_bench_is_repeated(track, steps[i]);
        if (is_counted) {
            count_begin();
        }
        is_done = vx_bench_step(session, steps[i]);
        if (is_counted) {
            count_end(session->scene->kind->name, vx_bench_kernels[steps[i]].name,
                      session->who->name);
        }
    }
    vx_bench_session_end(session);
    return is_done;
}

static bool count_contender(const vx_bench_contender *who, const vx_bench_scene *scene,
                            const vx_bench_cases *cases)
{
    vx_bench_session session;
    bool is_done = true;
    vx_bench_session_open(who, scene, &session);
    for (size_t track = 0; track < VX_BENCH_TRACKS && is_done; track++) {
        is_done = count_track(&session, track);
    }
    vx_bench_session_free(&session);
    vx_arena arena;
    vx_reference_arena(&arena);
    count_begin();
    is_done = is_done && vx_bench_certify(who, cases, false, &arena);
    count_end(scene->kind->name, "certify", who->name);
    vx_arena_free(&arena);
    return is_done;
}

/* The reference and AVX2, which callgrind can run; or the library's implementation alone. */
static bool is_counted(const vx_bench_contender *who, const char *library)
{
    if (library != NULL) {
        return who->is_library;
    }
    return who->impl == &vx_ref_build3d || who->level == VX_BENCH_AVX2;
}

static bool count_scene(const vx_bench_contenders *list, const char *library, vx_bench_scene *scene)
{
    vx_bench_cases cases;
    bool is_done = vx_bench_scene_count(scene) && vx_bench_cases_of(scene, &cases);
    if (!is_done) {
        return false;
    }
    if (library == NULL) {
        count_begin();
        is_done = vx_bench_read_cases(&cases);
        count_end(scene->kind->name, "case reading", "kit");
    }
    for (size_t i = 0; i < list->count && is_done; i++) {
        if (is_counted(&list->items[i], library)) {
            is_done = count_contender(&list->items[i], scene, &cases);
        }
    }
    vx_bench_cases_free(&cases);
    return is_done;
}

static vx_exit run_count(const vx_arguments *arguments)
{
    const char *library = vx_argument_value(arguments, "lib");
    vx_bench_contenders list;
    if (!is_counting()) {
        return vx_complain(VX_EXIT_USAGE, "count: callgrind has to run it, see bench/gate.sh; and "
                                          "valgrind must be there when it is built");
    }
    if (!vx_bench_contenders_find(library, &list)) {
        return VX_EXIT_USAGE;
    }
    bool is_done = true;
    for (size_t i = 0; i < vx_bench_scene_kind_count && is_done; i++) {
        vx_bench_scene scene;
        if ((vx_bench_scene_kinds[i].sets & VX_BENCH_COUNTED) != 0) {
            is_done = vx_bench_scene_open(&vx_bench_scene_kinds[i], NULL, &scene) &&
                      count_scene(&list, library, &scene);
            vx_bench_scene_free(&scene);
        }
    }
    return is_done ? VX_EXIT_PASS : VX_EXIT_INTERNAL;
}

static const vx_option options[] = {
    {"lib", "FILE", "count the implementation that this shared library brings instead"}};

const vx_command vx_command_count = {
    .name = "count",
    .operands = "",
    .summary = "run every kernel once for callgrind to count",
    .details = "bench/gate.sh runs it under callgrind and compares the counts of the reference\n"
               "and of fast at AVX2 with committed ones.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operands_max = 0,
    .run = run_count};
