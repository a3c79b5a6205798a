/* SPDX-License-Identifier: MIT */
/* What was measured, as comma-separated values; and where and how it was measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "words.h"

/* --- the machine ------------------------------------------------------------------------------ */

void vx_bench_add_cpu(vx_text *text)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    bool is_found = false;
    while (file != NULL && !is_found && fgets(line, sizeof line, file) != NULL) {
        is_found = strncmp(line, "model name", strlen("model name")) == 0;
    }
    const char *value = is_found ? strchr(line, ':') : NULL;
    if (value != NULL) {
        line[strcspn(line, "\n")] = '\0';
    }
    vx_text_add(text, value != NULL ? value + 2 : "unknown");
    if (file != NULL) {
        (void)fclose(file);
    }
}

void vx_bench_add_machine(vx_text *text, const char *prefix, const char *command)
{
    time_t now = time(NULL);
    struct tm utc;
    char date[32];
    (void)gmtime_r(&now, &utc);
    (void)strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    vx_text_format(text, "%scpu: ", prefix);
    vx_bench_add_cpu(text);
    vx_text_format(text, "\n%scompiler: " VX_BENCH_COMPILER "\n%sflags: " VX_BENCH_FLAGS "\n",
                   prefix, prefix);
    vx_text_format(text, "%scommand: %s\n%sdate: %s\n", prefix, command, prefix, date);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* A number of significant digits, or nothing for one that is not known. */
static void add_value(vx_text *text, double value)
{
    vx_text_add_char(text, ',');
    if (value > 0) {
        vx_text_format(text, "%.5g", value);
    }
}

void vx_bench_add_figure(vx_text *text, double value, int digits)
{
    int behind = digits - 1 - (value > 0 ? (int)floor(log10(value)) : 0);
    if (value >= 1000) {
        vx_add_count(text, (size_t)llround(value));
    } else {
        vx_text_format(text, "%.*f", behind > 0 ? behind : 0, value);
    }
}

static double per(double seconds, uint64_t count)
{
    return count > 0 ? 1e9 * seconds / (double)count : 0;
}

uint64_t vx_bench_spans_of(const vx_bench_measured *scene, vx_bench_kernel_id kernel)
{
    switch (vx_bench_kernels[kernel].spans) {
    case VX_BENCH_COLUMNS:
        return scene->columns;
    case VX_BENCH_SOLID:
        return scene->reference.solid;
    case VX_BENCH_COMPACTED:
        return scene->reference.compact;
    case VX_BENCH_PIECES:
        break;
    }
    return scene->pieces;
}

double vx_bench_times(const vx_bench_measured *scene, size_t than, size_t who,
                      vx_bench_kernel_id kernel)
{
    double a = vx_bench_median(&scene->samples[than][kernel]);
    double b = vx_bench_median(&scene->samples[who][kernel]);
    return b > 0 ? a / b : 0;
}

static void add_row(const vx_bench_report *report, const vx_bench_measured *scene,
                    vx_bench_kernel_id kernel, size_t who, vx_text *text)
{
    const vx_bench_samples *samples = &scene->samples[who][kernel];
    size_t last = report->contenders->count - 1;
    bool has_peer = vx_bench_peer(report->contenders) != NULL;
    double median = vx_bench_median(samples);
    vx_text_format(text, "%s,%s,%s,%zu", scene->kind->name, vx_bench_kernels[kernel].name,
                   report->contenders->items[who].name, samples->count);
    add_value(text, 1e3 * median);
    add_value(text, 1e3 * vx_bench_least(samples));
    add_value(text, per(median, scene->triangles));
    add_value(text, per(median, scene->touched));
    add_value(text, per(median, vx_bench_spans_of(scene, kernel)));
    add_value(text, vx_bench_times(scene, 0, who, kernel));
    add_value(text, has_peer ? vx_bench_times(scene, last, who, kernel) : 0);
    vx_text_format(text, ",%zu\n", scene->peak[who]);
}

static void add_cases(const vx_bench_report *report, vx_text *text)
{
    const vx_bench_measured_cases *cases = report->cases;
    double reading = vx_bench_median(&cases->reading);
    vx_text_format(text, "vectors,case reading,kit,%zu,%.5g,%.5g,,,%.5g,,,\n", cases->reading.count,
                   1e3 * reading, 1e3 * vx_bench_least(&cases->reading),
                   per(reading, cases->cases));
    double reference = vx_bench_median(&cases->certify[0]);
    for (size_t i = 0; i < report->contenders->count; i++) {
        const vx_bench_samples *samples = &cases->certify[i];
        double median = vx_bench_median(samples);
        if (samples->count > 0) {
            vx_text_format(text, "vectors,certify,%s,%zu,%.5g,%.5g,,,%.5g,%.5g,,\n",
                           report->contenders->items[i].name, samples->count, 1e3 * median,
                           1e3 * vx_bench_least(samples), per(median, cases->cases),
                           reference / median);
        }
    }
}

void vx_bench_add_csv(const vx_bench_report *report, vx_text *text)
{
    vx_bench_add_machine(text, "# ", report->command);
    vx_text_format(text, "# load: %.2f before, %.2f after\n", report->load[0], report->load[1]);
    vx_text_add(text, report->cases == NULL ? "# " VX_BENCH_NO_VECTORS "\n" : "");
    vx_text_add(text, "# ns_per_span: columns for open, solid spans up to compact and for the "
                      "pipeline, compact spans behind it,\n"
                      "# added pieces for merge, cases for the vectors\n"
                      "scene,kernel,implementation,samples,median_ms,min_ms,ns_per_triangle,"
                      "ns_per_touched_cell,ns_per_span,times_ref,times_peer,peak_bytes\n");
    for (size_t scene = 0; scene < report->scene_count; scene++) {
        for (size_t kernel = 0; kernel < VX_BENCH_KERNELS; kernel++) {
            for (size_t who = 0; who < report->contenders->count; who++) {
                add_row(report, &report->scenes[scene], (vx_bench_kernel_id)kernel, who, text);
            }
        }
    }
    if (report->cases != NULL) {
        add_cases(report, text);
    }
}
