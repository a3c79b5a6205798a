/* SPDX-License-Identifier: MIT */
/* The picture: a line for each scene, with how many times as fast the pipeline is on the left and
 * where its time goes on the right. */
#include <math.h>

#include "bench.h"
#include "picture.h"
#include "words.h"

#define PAGE_WIDTH 1180.0
#define MARGIN 24.0
#define TOP 124.0
#define NAME_WIDTH 124.0
#define LEFT_X (MARGIN + NAME_WIDTH)
#define LEFT_WIDTH 430.0
#define RIGHT_X (LEFT_X + LEFT_WIDTH + 60.0)
#define RIGHT_WIDTH 420.0
#define BAR 11.0
#define GAP 14.0
#define TEXT 12.0
#define SMALL 10.0

/* The parts of the pipeline's time. */
typedef struct part {
    const char *name;
    vx_bench_kernel_id first, last;
    double hue;
} part;

static const part parts[] = {
    {"open and rasterize", VX_BENCH_OPEN, VX_BENCH_RASTERIZE, 250},
    {"filters", VX_BENCH_LOW_HANGING, VX_BENCH_LOW_HEIGHT, 150},
    {"compact and links", VX_BENCH_COMPACT, VX_BENCH_COMPACT, 80},
    {"erosion", VX_BENCH_ERODE_2, VX_BENCH_ERODE_2, 20},
};

enum { PARTS = sizeof parts / sizeof parts[0] };

typedef struct chart {
    const vx_bench_report *report;
    cairo_t *pen;
    size_t than; /* the contender that the others are held against: the peer, or the reference */
    size_t shown[VX_BENCH_CONTENDERS_MAX]; /* the others, a bar each */
    size_t shown_count;
    size_t best; /* of the highest level */
    double unit; /* pixels of "once as fast" */
} chart;

static vx_colour bar_colour(size_t bar)
{
    return bar == 0 ? vx_oklch(0.75, 0, 0) : vx_oklch(0.82 - 0.14 * (double)bar, 0.11, 250);
}

static vx_colour part_colour(size_t index)
{
    return vx_oklch(index % 2 == 0 ? 0.6 : 0.72, 0.13, parts[index].hue);
}

static double row_height(const chart *on)
{
    return BAR * (double)on->shown_count + GAP;
}

static double part_seconds(const vx_bench_measured *scene, size_t who, const part *of)
{
    double seconds = 0;
    for (size_t kernel = of->first; kernel <= (size_t)of->last; kernel++) {
        seconds += vx_bench_median(&scene->samples[who][kernel]);
    }
    return seconds;
}

/* --- how many times as fast ------------------------------------------------------------------- */

static void draw_bar(const chart *on, double y, size_t bar, double times)
{
    char label[32];
    (void)snprintf(label, sizeof label, "%.2f", times);
    vx_fill_box(on->pen, (vx_box){LEFT_X, y, times * on->unit, BAR - 2}, bar_colour(bar));
    double x = LEFT_X + times * on->unit + 4;
    vx_fill_box(on->pen, (vx_box){x - 2, y, vx_text_width(on->pen, SMALL, label) + 4, BAR - 1},
                vx_paper);
    vx_set_colour(on->pen, vx_ink, 1);
    vx_write_text(on->pen, x, y + BAR - 3, VX_LEFT, SMALL, label);
}

/* A tick where the highest level should end. */
static void draw_goal(const chart *on, double y, double goal)
{
    double x = LEFT_X + goal * on->unit;
    vx_set_colour(on->pen, vx_oklch(0.6, 0.2, 25), 1);
    cairo_set_line_width(on->pen, 2);
    cairo_move_to(on->pen, x, y - 1);
    cairo_line_to(on->pen, x, y + BAR * (double)on->shown_count - 1);
    cairo_stroke(on->pen);
}

/* --- where the time goes ---------------------------------------------------------------------- */

static double pipeline_seconds(const vx_bench_measured *scene, size_t who)
{
    double seconds = 0;
    for (size_t i = 0; i < PARTS; i++) {
        seconds += part_seconds(scene, who, &parts[i]);
    }
    return seconds;
}

static void draw_parts(const chart *on, double y, const vx_bench_measured *scene, size_t who)
{
    const double room = 150; /* for the label */
    double longest = fmax(pipeline_seconds(scene, on->than), pipeline_seconds(scene, on->best));
    double unit = (RIGHT_WIDTH - room) / longest;
    double height = BAR * (double)on->shown_count / 2 - 2;
    double x = RIGHT_X;
    char label[64];
    for (size_t i = 0; i < PARTS; i++) {
        double width = part_seconds(scene, who, &parts[i]) * unit;
        vx_fill_box(on->pen, (vx_box){x, y, width, height}, part_colour(i));
        x += width;
    }
    (void)snprintf(label, sizeof label, "%.4g ms %s", 1e3 * pipeline_seconds(scene, who),
                   on->report->contenders->items[who].name);
    vx_set_colour(on->pen, vx_ink, 1);
    vx_write_text(on->pen, x + 4, y + height / 2 + 4, VX_LEFT, SMALL, label);
}

/* --- lines ------------------------------------------------------------------------------------ */

static void draw_mean(const chart *on, double y)
{
    vx_set_colour(on->pen, vx_ink, 1);
    vx_write_bold(on->pen, MARGIN, y + row_height(on) / 2 - GAP / 2 + 4, NAME_WIDTH + TEXT, TEXT,
                  "geometric mean");
    for (size_t bar = 0; bar < on->shown_count; bar++) {
        draw_bar(on, y + BAR * (double)bar, bar,
                 vx_bench_mean(on->report, on->than, on->shown[bar]));
    }
    draw_goal(on, y, vx_bench_mean_goal(on->than == 0));
}

static void draw_scene(const chart *on, double y, const vx_bench_measured *scene)
{
    double half = BAR * (double)on->shown_count / 2;
    vx_set_colour(on->pen, vx_ink, 1);
    vx_write_text(on->pen, MARGIN, y + half + 4, VX_LEFT, TEXT, scene->kind->name);
    for (size_t bar = 0; bar < on->shown_count; bar++) {
        draw_bar(on, y + BAR * (double)bar, bar,
                 vx_bench_times(scene, on->than, on->shown[bar], VX_BENCH_PIPELINE));
    }
    double goal = on->than == 0 ? 0 : vx_bench_pipeline_goal(scene);
    if (goal > 0) {
        draw_goal(on, y, goal);
    }
    draw_parts(on, y, scene, on->than);
    draw_parts(on, y + half, scene, on->best);
}

/* Once as fast: whoever is held against. */
static void draw_line(const chart *on, double bottom)
{
    double x = LEFT_X + on->unit;
    vx_set_colour(on->pen, vx_ink, 1);
    cairo_set_line_width(on->pen, 1);
    cairo_move_to(on->pen, x, TOP - 8);
    cairo_line_to(on->pen, x, bottom);
    cairo_stroke(on->pen);
    vx_write_text(on->pen, x + 3, TOP - 10, VX_LEFT, SMALL,
                  on->report->contenders->items[on->than].name);
}

/* --- legends ---------------------------------------------------------------------------------- */

static double draw_key(const chart *on, double x, double y, vx_colour colour, const char *name)
{
    vx_fill_box(on->pen, (vx_box){x, y - 9, 10, 10}, colour);
    vx_set_colour(on->pen, vx_ink, 1);
    vx_write_text(on->pen, x + 14, y, VX_LEFT, TEXT, name);
    return x + 14 + vx_text_width(on->pen, TEXT, name) + 16;
}

static void draw_head(const chart *on)
{
    vx_text text = {0};
    vx_text_format(&text, "The pipeline: how many times as fast as %s",
                   on->report->contenders->items[on->than].name);
    vx_set_colour(on->pen, vx_ink, 1);
    vx_write_bold(on->pen, MARGIN, 34, RIGHT_X - MARGIN, 17, vx_text_string(&text));
    vx_write_bold(on->pen, RIGHT_X, 34, RIGHT_WIDTH, 17, "Where its time goes");
    vx_text_clear(&text);
    vx_bench_add_cpu(&text);
    vx_text_format(&text, ", one thread, " VX_BENCH_COMPILER "; median times; all but Recast gave "
                          "the same rows, bit for bit");
    vx_set_colour(on->pen, vx_faint_ink, 1);
    vx_write_text(on->pen, MARGIN, 56, VX_LEFT, TEXT, vx_text_string(&text));
    vx_text_free(&text);
    double x = LEFT_X;
    for (size_t bar = 0; bar < on->shown_count; bar++) {
        x = draw_key(on, x, 84, bar_colour(bar),
                     on->report->contenders->items[on->shown[bar]].name);
    }
    vx_set_colour(on->pen, vx_oklch(0.6, 0.2, 25), 1);
    vx_write_text(on->pen, x, 84, VX_LEFT, TEXT, "| goal at AVX-512");
    x = RIGHT_X;
    for (size_t i = 0; i < PARTS; i++) {
        x = draw_key(on, x, 84, part_colour(i), parts[i].name);
    }
}

/* --- the page --------------------------------------------------------------------------------- */

static void choose_bars(chart *on)
{
    const vx_bench_contenders *list = on->report->contenders;
    on->than = vx_bench_peer(list) != NULL ? list->count - 1 : 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].level != VX_BENCH_NO_LEVEL) {
            on->best = i;
        }
        if (i != on->than) {
            on->shown[on->shown_count++] = i;
        }
    }
    double longest = vx_bench_mean_goal(on->than == 0);
    for (size_t i = 0; i < on->report->scene_count; i++) {
        const vx_bench_measured *scene = &on->report->scenes[i];
        longest = fmax(longest, vx_bench_pipeline_goal(scene));
        for (size_t bar = 0; bar < on->shown_count; bar++) {
            longest =
                fmax(longest, vx_bench_times(scene, on->than, on->shown[bar], VX_BENCH_PIPELINE));
        }
    }
    on->unit = (LEFT_WIDTH - 30) / longest;
}

bool vx_bench_add_chart(const vx_bench_report *report, vx_picture_format format, vx_text *picture)
{
    chart on = {.report = report};
    vx_picture page;
    vx_problem problem = {0};
    choose_bars(&on);
    size_t means = vx_bench_count_aimed_at(report) > 0; /* a line above the others */
    double bottom = TOP + (double)(means + report->scene_count) * row_height(&on);
    vx_picture_open(&page, format, PAGE_WIDTH, bottom + MARGIN, picture);
    on.pen = page.pen;
    draw_head(&on);
    draw_line(&on, bottom);
    if (means > 0) {
        draw_mean(&on, TOP);
    }
    for (size_t i = 0; i < report->scene_count; i++) {
        draw_scene(&on, TOP + row_height(&on) * (double)(i + means), &report->scenes[i]);
    }
    if (!vx_picture_close(&page, &problem)) {
        (void)vx_complain(VX_EXIT_INTERNAL, "the chart: %s", problem.message);
        return false;
    }
    return true;
}
