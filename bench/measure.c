/* SPDX-License-Identifier: MIT */
/* Verifies, and later times in alternating rounds: each round, every contender once, each time
 * another one first. The times are of the thread, so that whoever else computes counts little. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "reference.h"

/* --- samples ---------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double vx_bench_median(const vx_bench_samples *samples)
{
    double sorted[VX_BENCH_SAMPLES_MAX];
    if (samples->count == 0) {
        return 0;
    }
    memcpy(sorted, samples->seconds, samples->count * sizeof *sorted);
    qsort(sorted, samples->count, sizeof *sorted, by_value);
    return (sorted[(samples->count - 1) / 2] + sorted[samples->count / 2]) / 2;
}

double vx_bench_least(const vx_bench_samples *samples)
{
    double least = samples->count > 0 ? samples->seconds[0] : 0;
    for (size_t i = 1; i < samples->count; i++) {
        least = samples->seconds[i] < least ? samples->seconds[i] : least;
    }
    return least;
}

static void add_sample(vx_bench_samples *samples, double seconds)
{
    if (samples->count < VX_BENCH_SAMPLES_MAX) {
        samples->seconds[samples->count++] = seconds;
    }
}

void vx_bench_show(const char *format, ...)
{
    if (isatty(STDERR_FILENO) == 1) {
        va_list arguments;
        va_start(arguments, format);
        (void)fputs("\r\033[K", stderr);
        (void)vfprintf(stderr, format, arguments);
        (void)fflush(stderr);
        va_end(arguments);
    }
}

/* --- scenes ----------------------------------------------------------------------------------- */

/* Runs a track once. The pipeline is the sum of its kernels, in the one track that has them all. */
static bool time_track(vx_bench_session *session, const vx_bench_kernel_id *steps,
                       vx_bench_samples *samples)
{
    double pipeline = 0;
    bool is_done = true;
    for (size_t i = 0; steps[i] != VX_BENCH_KERNELS && is_done; i++) {
        vx_bench_enter_step(session, steps[i]);
        double begin = vx_bench_now();
        is_done = vx_bench_step(session, steps[i]);
        double seconds = vx_bench_now() - begin;
        add_sample(&samples[steps[i]], seconds);
        pipeline += seconds;
        if (steps[i] == VX_BENCH_ERODE_2) {
            add_sample(&samples[VX_BENCH_PIPELINE], pipeline);
        }
    }
    vx_bench_session_end(session);
    return is_done;
}

static bool time_round(vx_bench_session *session, vx_bench_samples *samples)
{
    bool is_done = true;
    for (size_t track = 0; track < VX_BENCH_TRACKS && is_done; track++) {
        is_done = time_track(session, vx_bench_tracks[track], samples);
    }
    return is_done;
}

/* Whether a contender is to run in this round: one that has used up its share of the time stops
 * early, but not before it has the least number of samples. */
static bool goes_on(const vx_bench_plan *plan, size_t contenders, size_t round, double spent)
{
    return round < plan->rounds_max &&
           (round < plan->rounds_min || spent < plan->seconds / (double)contenders);
}

static bool time_rounds(const vx_bench_contenders *list, const vx_bench_plan *plan,
                        vx_bench_session *sessions, vx_bench_measured *measured)
{
    double spent[VX_BENCH_CONTENDERS_MAX] = {0};
    bool is_running = true;
    for (size_t round = 0; is_running; round++) {
        is_running = false;
        for (size_t turn = 0; turn < list->count; turn++) {
            size_t i = (round + turn) % list->count;
            if (!goes_on(plan, list->count, round, spent[i])) {
                continue;
            }
            double begin = vx_bench_now();
            vx_bench_show("timing %s: round %zu, %s", measured->kind->name, round + 1,
                          list->items[i].name);
            if (!time_round(&sessions[i], measured->samples[i])) {
                return false;
            }
            spent[i] += vx_bench_now() - begin;
            is_running = true;
        }
    }
    return true;
}

/* The memory that fast may need at most (docs/DIFFERENCES.md, "Memory"). */
static void set_promise(const vx_bench_scene *scene, vx_bench_measured *measured)
{
    enum { LANES = 32, COLUMN_BYTES = 12, SPAN_BYTES = 16, VERTEX_BYTES = 32 };
    size_t wide = ((size_t)scene->size[0] + LANES - 1) / LANES * LANES;
    size_t spans = (size_t)(measured->reference.solid + measured->reference.compact);
    measured->for_spans = COLUMN_BYTES * wide * (size_t)scene->size[1] + SPAN_BYTES * spans;
    measured->promised = vx_fast_build3d_bound(scene->size[0], scene->size[1]) +
                         SPAN_BYTES * spans + VERTEX_BYTES * scene->mesh.vertex_count;
}

static void open_sessions(const vx_bench_contenders *list, const vx_bench_scene *scene,
                          vx_bench_session *sessions)
{
    for (size_t i = 0; i < list->count; i++) {
        vx_bench_session_open(&list->items[i], scene, &sessions[i]);
    }
}

static void free_sessions(const vx_bench_contenders *list, vx_bench_session *sessions)
{
    for (size_t i = 0; i < list->count; i++) {
        vx_bench_session_free(&sessions[i]);
    }
    vx_bench_leave();
    vx_bench_show("%s", "");
}

static bool verify_all(const vx_bench_contenders *list, vx_bench_session *sessions,
                       vx_bench_measured *measured)
{
    vx_bench_truth *truth = vx_must_alloc(1, sizeof *truth);
    bool is_right = vx_bench_truth_find(&sessions[0], truth, &measured->reference);
    for (size_t i = 1; i < list->count && is_right; i++) {
        vx_bench_show("verifying %s: %s", measured->kind->name, list->items[i].name);
        is_right = list->items[i].peer != NULL ? vx_bench_tally_peer(&sessions[i], &measured->peer)
                                               : vx_bench_verify(&sessions[i], &sessions[0], truth);
    }
    free(truth);
    return is_right;
}

bool vx_bench_verify_scene(const vx_bench_contenders *list, vx_bench_scene *scene,
                           vx_bench_measured *measured)
{
    vx_bench_session sessions[VX_BENCH_CONTENDERS_MAX];
    *measured = (vx_bench_measured){.kind = scene->kind};
    vx_bench_show("preparing %s", scene->kind->name);
    if (!vx_bench_scene_count(scene)) {
        return false;
    }
    measured->triangles = scene->triangles;
    measured->columns = scene->columns;
    measured->touched = scene->touched;
    measured->pieces = scene->piece_count;
    open_sessions(list, scene, sessions);
    bool is_right = verify_all(list, sessions, measured);
    free_sessions(list, sessions);
    set_promise(scene, measured);
    return is_right;
}

bool vx_bench_time_scene(const vx_bench_contenders *list, const vx_bench_plan *plan,
                         const vx_bench_scene *scene, vx_bench_measured *measured)
{
    vx_bench_session sessions[VX_BENCH_CONTENDERS_MAX];
    open_sessions(list, scene, sessions);
    bool is_done = time_rounds(list, plan, sessions, measured);
    for (size_t i = 0; i < list->count; i++) {
        measured->peak[i] = vx_bench_session_peak(&sessions[i]);
    }
    free_sessions(list, sessions);
    return is_done;
}

/* --- cases ------------------------------------------------------------------------------------ */

/* Every implementation on every case; when it is verified, its input is guarded too. */
static bool certify_all(const vx_bench_contenders *list, const vx_bench_cases *cases,
                        bool is_verifying, vx_arena *arena, vx_bench_measured_cases *measured)
{
    bool is_right = true;
    for (size_t i = 0; i < list->count && is_right; i++) {
        if (list->items[i].peer == NULL) {
            vx_bench_enter(list->items[i].name, "the vectors", "");
            double begin = vx_bench_now();
            is_right = vx_bench_certify(&list->items[i], cases, is_verifying, arena);
            add_sample(&measured->certify[i], vx_bench_now() - begin);
            vx_bench_leave();
        }
    }
    return is_right;
}

bool vx_bench_verify_cases(const vx_bench_contenders *list, const vx_bench_cases *cases)
{
    vx_bench_measured_cases unused = {0};
    vx_arena arena;
    vx_reference_arena(&arena);
    vx_bench_show("verifying the vectors");
    bool is_right = certify_all(list, cases, true, &arena, &unused);
    vx_arena_free(&arena);
    vx_bench_show("%s", "");
    return is_right;
}

static bool time_reading(const vx_bench_cases *cases, vx_bench_measured_cases *measured)
{
    double begin = vx_bench_now();
    bool is_read = vx_bench_read_cases(cases);
    add_sample(&measured->reading, vx_bench_now() - begin);
    return is_read;
}

bool vx_bench_time_cases(const vx_bench_contenders *list, const vx_bench_plan *plan,
                         const vx_bench_cases *cases, vx_bench_measured_cases *measured)
{
    vx_arena arena;
    bool is_done = true;
    *measured = (vx_bench_measured_cases){.cases = cases->list.count, .bytes = cases->lines.size};
    vx_reference_arena(&arena);
    vx_bench_show("timing the vectors");
    double begin = vx_bench_now();
    for (size_t round = 0; is_done && goes_on(plan, 1, round, vx_bench_now() - begin); round++) {
        is_done =
            time_reading(cases, measured) && certify_all(list, cases, false, &arena, measured);
    }
    vx_arena_free(&arena);
    vx_bench_show("%s", "");
    return is_done;
}
