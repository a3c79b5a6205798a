/* SPDX-License-Identifier: MIT */
/* What was measured, as Markdown for people. */
#include <inttypes.h>

#include "bench.h"
#include "words.h"

/* "|---|---:|…" under a heading with so many columns of numbers. */
static void add_rule(vx_text *text, size_t columns)
{
    vx_text_add(text, "\n|---|");
    for (size_t i = 0; i < columns; i++) {
        vx_text_add(text, "---:|");
    }
    vx_text_add(text, "\n");
}

static void add_heading(const vx_bench_report *report, const char *first, vx_text *text)
{
    vx_text_format(text, "| %s |", first);
    for (size_t i = 0; i < report->contenders->count; i++) {
        vx_text_format(text, " %s |", report->contenders->items[i].name);
    }
    add_rule(text, report->contenders->count);
}

/* --- scenes ----------------------------------------------------------------------------------- */

static void add_scenes(const vx_bench_report *report, vx_text *text)
{
    vx_text_add(text, "\n## The scenes\n\n| scene | triangles | columns | touched cells | "
                      "solid spans | compact spans |");
    add_rule(text, 5);
    for (size_t i = 0; i < report->scene_count; i++) {
        const vx_bench_measured *scene = &report->scenes[i];
        const uint64_t counts[] = {scene->triangles, scene->columns, scene->touched,
                                   scene->reference.solid, scene->reference.compact};
        vx_text_format(text, "| %s |", scene->kind->name);
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            vx_text_add(text, " ");
            vx_add_count(text, (size_t)counts[k]);
            vx_text_add(text, " |");
        }
        vx_text_add(text, "\n");
    }
}

/* --- times ------------------------------------------------------------------------------------ */

static void add_pipelines(const vx_bench_report *report, vx_text *text)
{
    vx_text_add(text, "\n## The pipeline, open to erosion of radius 2: milliseconds, median\n\n");
    add_heading(report, "scene", text);
    for (size_t i = 0; i < report->scene_count; i++) {
        const vx_bench_measured *scene = &report->scenes[i];
        vx_text_format(text, "| %s |", scene->kind->name);
        for (size_t who = 0; who < report->contenders->count; who++) {
            vx_text_format(text, " %.2f |",
                           1e3 * vx_bench_median(&scene->samples[who][VX_BENCH_PIPELINE]));
        }
        vx_text_add(text, "\n");
    }
}

static void add_memory(const vx_bench_report *report, vx_text *text)
{
    vx_text_add(text, "\n## Peak memory, all kernels of a scene: MiB\n\n"
                      "What fast promises (docs/DIFFERENCES.md, \"Memory\"): 12 bytes a column "
                      "and 16 a solid and a compact span, buffers aside;\nand in all, with the "
                      "largest buffers that the grid may need and 32 bytes a vertex.\n\n| scene |");
    for (size_t i = 0; i < report->contenders->count; i++) {
        vx_text_format(text, " %s |", report->contenders->items[i].name);
    }
    vx_text_add(text, " promised: columns and spans | in all |");
    add_rule(text, report->contenders->count + 2);
    for (size_t i = 0; i < report->scene_count; i++) {
        const vx_bench_measured *scene = &report->scenes[i];
        vx_text_format(text, "| %s |", scene->kind->name);
        for (size_t who = 0; who < report->contenders->count; who++) {
            vx_text_format(text, " %.1f |", (double)scene->peak[who] / (1 << 20));
        }
        vx_text_format(text, " %.1f | %.1f |\n", (double)scene->for_spans / (1 << 20),
                       (double)scene->promised / (1 << 20));
    }
}

/* Median, minimum and number of samples, and what a unit costs. */
static void add_kernel(const vx_bench_report *report, const vx_bench_measured *scene,
                       vx_bench_kernel_id kernel, vx_text *text)
{
    vx_text_format(text, "| %s |", vx_bench_kernels[kernel].name);
    for (size_t who = 0; who < report->contenders->count; who++) {
        const vx_bench_samples *samples = &scene->samples[who][kernel];
        double median = vx_bench_median(samples);
        uint64_t spans = vx_bench_spans_of(scene, kernel);
        vx_text_format(text, " %.3f (%.3f, %zu) %.1f |", 1e3 * median,
                       1e3 * vx_bench_least(samples), samples->count,
                       spans > 0 ? 1e9 * median / (double)spans : 0);
    }
    vx_text_add(text, "\n");
}

static void add_kernels(const vx_bench_report *report, vx_text *text)
{
    vx_text_add(text,
                "\n## Every kernel\n\nMilliseconds: median (minimum, number of samples); then "
                "nanoseconds per span. Spans are columns for open, solid spans up to compact\n"
                "and for the pipeline, compact spans behind it, and added pieces for merge. "
                "bench.csv has the cost per triangle and per touched cell as well.\n");
    for (size_t i = 0; i < report->scene_count; i++) {
        const vx_bench_measured *scene = &report->scenes[i];
        vx_text_format(text, "\n### %s\n\n", scene->kind->name);
        add_heading(report, "kernel", text);
        for (size_t kernel = 0; kernel < VX_BENCH_KERNELS; kernel++) {
            add_kernel(report, scene, (vx_bench_kernel_id)kernel, text);
        }
    }
}

static void add_cases(const vx_bench_report *report, vx_text *text)
{
    const vx_bench_measured_cases *cases = report->cases;
    double reading = vx_bench_median(&cases->reading);
    vx_text_format(text,
                   "\n## The kit, on the project's %zu vectors\n\n"
                   "Case reading: %.1f ms (%.1f, %zu), %.1f µs a case, %.1f MB/s.\n\n",
                   cases->cases, 1e3 * reading, 1e3 * vx_bench_least(&cases->reading),
                   cases->reading.count, 1e6 * reading / (double)cases->cases,
                   1e-6 * (double)cases->bytes / reading);
    for (size_t i = 0; i < report->contenders->count; i++) {
        const vx_bench_samples *samples = &cases->certify[i];
        double median = vx_bench_median(samples);
        if (samples->count > 0) {
            vx_text_format(text, "Certify, %s: %.1f ms (%.1f, %zu), %.1f µs a case.\n",
                           report->contenders->items[i].name, 1e3 * median,
                           1e3 * vx_bench_least(samples), samples->count,
                           1e6 * median / (double)cases->cases);
        }
    }
}

/* --- the peer --------------------------------------------------------------------------------- */

static void add_percent(vx_text *text, uint64_t have, uint64_t want)
{
    vx_text_format(text, " %" PRIu64 " (%+.2f %%) |", have,
                   want > 0 ? 100 * ((double)have - (double)want) / (double)want : 0);
}

static void add_peer(const vx_bench_report *report, vx_text *text)
{
    const vx_bench_contender *peer = vx_bench_peer(report->contenders);
    if (peer == NULL) {
        return;
    }
    vx_text_format(text,
                   "\n## What %s computes\n\n%s follows other rules: it clips in world "
                   "coordinates, gives a touched cell its own row range, merges and filters in\n"
                   "its own way, and keeps heights in 13 bits. It is timed and not verified. Its "
                   "counts, and how far they are from those of SPEC.md:\n\n"
                   "| scene | solid spans | compact spans | walkable after erosion 2 |",
                   peer->name, peer->name);
    add_rule(text, 3);
    for (size_t i = 0; i < report->scene_count; i++) {
        const vx_bench_tally *have = &report->scenes[i].peer;
        const vx_bench_tally *want = &report->scenes[i].reference;
        vx_text_format(text, "| %s |", report->scenes[i].kind->name);
        add_percent(text, have->solid, want->solid);
        add_percent(text, have->compact, want->compact);
        add_percent(text, have->walkable, want->walkable);
        vx_text_add(text, "\n");
    }
}

/* --- remarks ---------------------------------------------------------------------------------- */

static void add_certificate(const vx_bench_report *report, vx_text *text)
{
    const vx_bench_contenders *list = report->contenders;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].is_library) {
            vx_text_format(text, "\n%s was verified on these scenes%s only; voxcert certify --lib ",
                           list->items[i].name, report->cases != NULL ? " and the vectors" : "");
            vx_add_shell_word(text, report->library);
            vx_text_add(text, report->cases != NULL ? " certifies it.\n"
                                                    : " looks at the corner cases.\n");
        }
    }
}

void vx_bench_add_remarks(const vx_bench_report *report, vx_text *text)
{
    add_certificate(report, text);
    if (report->load[0] > (double)report->cores) {
        vx_text_format(text, "\nThe machine was busy: load %.0f on ", report->load[0]);
        vx_add_counted(text, report->cores, "core");
        vx_text_add(text, "; times say little.\n");
    }
}

void vx_bench_add_markdown(const vx_bench_report *report, vx_text *text)
{
    vx_text_add(text, "# Bench results\n\n");
    vx_bench_add_machine(text, "- ", report->command);
    vx_text_format(text, "- load: %.2f before, %.2f after\n", report->load[0], report->load[1]);
    vx_text_add(text, "\nEvery implementation but the peer gave the reference's rows, bit for bit, "
                      "after every kernel of every scene, before anything was timed.\n");
    vx_bench_add_remarks(report, text);
    vx_text_add(text, "\n## Goals\n\n");
    vx_bench_add_goals(report, text);
    vx_bench_add_stages(report, text);
    add_scenes(report, text);
    add_pipelines(report, text);
    add_memory(report, text);
    add_peer(report, text);
    if (report->cases != NULL) {
        add_cases(report, text);
    } else {
        vx_text_add(text, "\n## The kit\n\n" VX_BENCH_NO_VECTORS "\n");
    }
    add_kernels(report, text);
}
