/* SPDX-License-Identifier: MIT */
/* The goals: ratios of the fast implementation to the peer and to the reference, and how far they
 * are reached. */
#include <math.h>

#include "bench.h"
#include "words.h"

/* Stages as the goals count them: kernels that belong together. */
typedef struct stage {
    const char *name;
    vx_bench_kernel_id kernels[4]; /* ended by VX_BENCH_KERNELS */
    double goals[8];               /* against the peer, at AVX-512, by vx_bench_scene_kind.goal */
} stage;

/* The pipeline comes last. */
static const stage stages[] = {
    {"rasterize", {VX_BENCH_RASTERIZE, VX_BENCH_KERNELS}, {5, 4, 6.5, 4, 4, 5.5, 10, 9}},
    {"three filters",
     {VX_BENCH_LOW_HANGING, VX_BENCH_LEDGES, VX_BENCH_LOW_HEIGHT, VX_BENCH_KERNELS},
     {9, 7, 12, 9, 30, 30, 15, 10}},
    {"compact and links", {VX_BENCH_COMPACT, VX_BENCH_KERNELS}, {5, 4, 8, 5, 15, 14, 10, 7}},
    {"erosion, radius 2", {VX_BENCH_ERODE_2, VX_BENCH_KERNELS}, {8, 7, 12, 9, 40, 28, 5, 9}},
    {"erosion, radius 8", {VX_BENCH_ERODE_8, VX_BENCH_KERNELS}, {3.5, 3, 4, 4, 25, 20, 2, 2}},
    {"volume", {VX_BENCH_VOLUME, VX_BENCH_KERNELS}, {13, 6, 33, 17, 44, 43, 11, 33}},
    {"pipeline", {VX_BENCH_PIPELINE, VX_BENCH_KERNELS}, {6, 4, 9, 5, 6, 11, 12, 9}}};

enum { STAGES = sizeof stages / sizeof stages[0] };

/* Over all scenes, by level. */
static const double mean_against_peer[VX_BENCH_GOAL_LEVELS] = {7.3, 4.5, 2.2};
static const double mean_against_reference[VX_BENCH_GOAL_LEVELS] = {10, 6, 3};
static const double worst_against_peer[VX_BENCH_GOAL_LEVELS] = {2, 1.5, 1};

double vx_bench_mean_goal(bool against_reference)
{
    return against_reference ? mean_against_reference[VX_BENCH_AVX512]
                             : mean_against_peer[VX_BENCH_AVX512];
}

double vx_bench_pipeline_goal(const vx_bench_measured *scene)
{
    return scene->kind->goal != VX_BENCH_NO_GOAL ? stages[STAGES - 1].goals[scene->kind->goal] : 0;
}

/* a ÷ b of the medians of a stage; 0 when it was not measured. */
static double stage_times(const vx_bench_measured *scene, size_t than, size_t who, const stage *of)
{
    double a = 0;
    double b = 0;
    for (size_t i = 0; of->kernels[i] != VX_BENCH_KERNELS; i++) {
        a += vx_bench_median(&scene->samples[than][of->kernels[i]]);
        b += vx_bench_median(&scene->samples[who][of->kernels[i]]);
    }
    return b > 0 ? a / b : 0;
}

/* The scenes that the goals are about. */
static size_t count_aimed_at(const vx_bench_report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < report->scene_count; i++) {
        count += report->scenes[i].kind->goal != VX_BENCH_NO_GOAL;
    }
    return count;
}

bool vx_bench_has_all_scenes(const vx_bench_report *report)
{
    return count_aimed_at(report) == VX_BENCH_GOAL_SCENES;
}

static bool is_stand_in(const vx_bench_report *report, const vx_bench_measured *scene)
{
    return scene->kind->stands_in && !report->has_meshes;
}

static bool is_in_mean(const vx_bench_report *report, const vx_bench_measured *scene)
{
    return scene->kind->goal != VX_BENCH_NO_GOAL || is_stand_in(report, scene) ||
           count_aimed_at(report) == 0;
}

size_t vx_bench_count_in_mean(const vx_bench_report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < report->scene_count; i++) {
        count += is_in_mean(report, &report->scenes[i]);
    }
    return count;
}

double vx_bench_mean(const vx_bench_report *report, size_t than, size_t who)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < report->scene_count; i++) {
        const vx_bench_measured *scene = &report->scenes[i];
        double times = vx_bench_times(scene, than, who, VX_BENCH_PIPELINE);
        if (is_in_mean(report, scene) && times > 0) {
            sum += log(times);
            count++;
        }
    }
    return count > 0 ? exp(sum / (double)count) : 0;
}

/* --- means ------------------------------------------------------------------------------------ */

/* A goal by level, or none: for a library, and where the goals are about none of the scenes or
 * there is no mean. */
static void add_reached(const vx_bench_report *report, const vx_bench_contender *who,
                        double reached, const double *goals, vx_text *text)
{
    vx_text_format(text, " %.2f", reached);
    if (who->level == VX_BENCH_NO_LEVEL) {
        return;
    }
    double goal = goals[who->level];
    if (vx_bench_has_all_scenes(report)) {
        vx_text_format(text, " (goal %.1f%s)", goal, reached >= goal ? ", reached" : "");
    } else if (count_aimed_at(report) > 0 && vx_bench_count_in_mean(report) > 1) {
        vx_text_format(text, " (goal for all eight scenes: %.1f)", goal);
    }
}

static void add_mean_row(const vx_bench_report *report, const char *name, size_t than,
                         const double *goals, vx_text *text)
{
    vx_text_format(text, "| %s |", name);
    for (size_t i = 0; i < report->contenders->count; i++) {
        const vx_bench_contender *who = &report->contenders->items[i];
        if (vx_bench_is_judged(who)) {
            add_reached(report, who, vx_bench_mean(report, than, i), goals, text);
            vx_text_add(text, " |");
        }
    }
    vx_text_add(text, "\n");
}

typedef struct worst_stage {
    double times;
    const char *stage, *scene;
} worst_stage;

static worst_stage find_worst(const vx_bench_report *report, size_t who)
{
    worst_stage worst = {.times = HUGE_VAL};
    for (size_t i = 0; i < report->scene_count * STAGES; i++) {
        const vx_bench_measured *scene = &report->scenes[i / STAGES];
        const stage *of = &stages[i % STAGES];
        double times = stage_times(scene, report->contenders->count - 1, who, of);
        if (is_in_mean(report, scene) && times < worst.times) {
            worst = (worst_stage){times, of->name, scene->kind->name};
        }
    }
    return worst;
}

static void add_worst_row(const vx_bench_report *report, vx_text *text)
{
    vx_text_add(text, "| worst stage against Recast |");
    for (size_t i = 0; i < report->contenders->count; i++) {
        const vx_bench_contender *who = &report->contenders->items[i];
        if (vx_bench_is_judged(who)) {
            worst_stage worst = find_worst(report, i);
            add_reached(report, who, worst.times, worst_against_peer, text);
            vx_text_format(text, ": %s, %s |", worst.scene, worst.stage);
        }
    }
    vx_text_add(text, "\n");
}

/* What the means are over. */
static void add_scope(const vx_bench_report *report, vx_text *text)
{
    size_t aimed_at = count_aimed_at(report);
    size_t count = vx_bench_count_in_mean(report);
    bool has_stand_in = false;
    for (size_t i = 0; i < report->scene_count && aimed_at > 0; i++) {
        has_stand_in = has_stand_in || is_stand_in(report, &report->scenes[i]);
    }
    if (aimed_at == 0) {
        vx_text_add(text, "None of the scenes is one that the goals are about.\n");
    } else if (!vx_bench_has_all_scenes(report)) {
        vx_text_format(text,
                       "Goals of means are for all eight scenes; %zu of them %s run, so that none "
                       "is judged.\n",
                       aimed_at, aimed_at == 1 ? "was" : "were");
    }
    if (count == 1) {
        vx_text_format(text, "The pipeline of %s alone, no mean.", report->scenes[0].kind->name);
    } else {
        vx_text_add(text, "Geometric means of the pipeline over ");
        vx_add_counted(text, count, "scene");
        vx_text_format(text, "%s.",
                       has_stand_in ? ", the project's level standing in for the meshes" : "");
    }
    vx_text_add(text, " A number is how many times as fast.\n\n|");
}

void vx_bench_add_goals(const vx_bench_report *report, vx_text *text)
{
    const vx_bench_contenders *list = report->contenders;
    vx_text rule = {0};
    add_scope(report, text);
    vx_text_add(&rule, "\n|---|");
    for (size_t i = 0; i < list->count; i++) {
        if (vx_bench_is_judged(&list->items[i])) {
            vx_text_format(text, " | %s", list->items[i].name);
            vx_text_add(&rule, "---|");
        }
    }
    vx_text_format(text, " |%s\n", vx_text_string(&rule));
    vx_text_free(&rule);
    add_mean_row(report, "against ref", 0, mean_against_reference, text);
    if (vx_bench_peer(list) == NULL) {
        vx_text_add(text, "\nThis build has no peer: librecast-dev was not there.\n");
        return;
    }
    add_mean_row(report, "against Recast", list->count - 1, mean_against_peer, text);
    add_worst_row(report, text);
}

/* --- stages ----------------------------------------------------------------------------------- */

static void add_stage_row(const vx_bench_report *report, const stage *of, size_t who, vx_text *text)
{
    vx_text_format(text, "| %s |", of->name);
    for (size_t i = 0; i < report->scene_count; i++) {
        const vx_bench_measured *scene = &report->scenes[i];
        double times = stage_times(scene, report->contenders->count - 1, who, of);
        bool has_goal = report->contenders->items[who].level != VX_BENCH_NO_LEVEL &&
                        scene->kind->goal != VX_BENCH_NO_GOAL;
        if (has_goal) {
            double goal = of->goals[scene->kind->goal];
            vx_text_format(text, " %s%.1f → %g%s |", times >= goal ? "**" : "", times, goal,
                           times >= goal ? "**" : "");
        } else {
            vx_text_format(text, " %.1f |", times);
        }
    }
    vx_text_add(text, "\n");
}

void vx_bench_add_stages(const vx_bench_report *report, vx_text *text)
{
    const vx_bench_contenders *list = report->contenders;
    if (vx_bench_peer(list) == NULL) {
        return;
    }
    for (size_t who = 0; who < list->count; who++) {
        const vx_bench_contender *item = &list->items[who];
        if (!vx_bench_is_judged(item)) {
            continue;
        }
        vx_text_format(text, "\n### %s against Recast%s\n\n| |", item->name,
                       item->level == VX_BENCH_AVX512 ? ": reached → goal"
                       : item->is_library             ? ", without goals"
                                                      : ": reached → goal, which is AVX-512's");
        for (size_t i = 0; i < report->scene_count; i++) {
            vx_text_format(text, " %s |", report->scenes[i].kind->name);
        }
        vx_text_add(text, "\n|---|");
        for (size_t i = 0; i < report->scene_count; i++) {
            vx_text_add(text, "---|");
        }
        vx_text_add(text, "\n");
        for (size_t i = 0; i < STAGES; i++) {
            add_stage_row(report, &stages[i], who, text);
        }
    }
}
