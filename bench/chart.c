/* SPDX-License-Identifier: MIT */
/* The picture: a line for each scene, with how many times as fast the pipeline is on the left and
 * where its time goes on the right. */
#include <math.h>

#include "bench.h"
#include "picture.h"
#include "words.h"

#define PAGE_WIDTH 1180.0
#define MARGIN 24.0
#define TOP 148.0  /* of the first line */
#define FOOT 112.0 /* below the last one */
#define NAME_WIDTH 124.0
#define LEFT_X (MARGIN + NAME_WIDTH)
#define LEFT_WIDTH 430.0
#define RIGHT_X (LEFT_X + LEFT_WIDTH + 60.0)
#define RIGHT_WIDTH 420.0
#define BAR 11.0
#define GAP 14.0
#define TEXT 12.0
#define SMALL 10.0
#define LINE 17.0

/* Legends stand in cells, so that no name, however long, reaches the next one. */
#define KEY_TOP 84.0
#define KEY_HEIGHT 18.0
#define LEFT_KEYS 3  /* in a row */
#define RIGHT_KEYS 2 /* … */
#define LEFT_KEY_WIDTH ((RIGHT_X - MARGIN - MARGIN) / LEFT_KEYS)
#define RIGHT_KEY_WIDTH ((PAGE_WIDTH - MARGIN - RIGHT_X) / RIGHT_KEYS)

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
    size_t in_parts[3]; /* whose time is shown in parts: than, the highest level, a library */
    size_t in_parts_count;
    double unit;    /* pixels of "once as fast" */
    bool has_goals; /* of scenes, or of the mean */
} chart;

/* The reference is grey, a level of fast the bluer the higher it is, a library of another hue. */
static vx_colour bar_colour(const chart *on, size_t bar)
{
    const vx_bench_contender *who = &on->report->contenders->items[on->shown[bar]];
    if (who->is_library) {
        return vx_oklch(0.62, 0.16, 330);
    }
    return who->level == VX_BENCH_NO_LEVEL ? vx_oklch(0.75, 0, 0)
                                           : vx_oklch(0.4 + 0.14 * (double)who->level, 0.11, 250);
}

static vx_colour part_colour(size_t index)
{
    return vx_oklch(index % 2 == 0 ? 0.6 : 0.72, 0.13, parts[index].hue);
}

/* One line, cut to fit the width. */
static void write_cut(const chart *on, double x, double y, double width, double size,
                      const char *text)
{
    (void)vx_write_lines(on->pen, x, y, width, size, 1, text, true);
}

static double row_height(const chart *on)
{
    return BAR * (double)on->shown_count + GAP;
}

static double sum_medians(const vx_bench_samples *samples, size_t first, size_t last)
{
    double seconds = 0;
    for (size_t kernel = first; kernel <= last; kernel++) {
        seconds += vx_bench_median(&samples[kernel]);
    }
    return seconds;
}

double vx_bench_part_seconds(const vx_bench_measured *scene, size_t who, vx_bench_kernel_id first,
                             vx_bench_kernel_id last)
{
    const vx_bench_samples *samples = scene->samples[who];
    double all = sum_medians(samples, VX_BENCH_OPEN, VX_BENCH_ERODE_2);
    double pipeline = vx_bench_median(&samples[VX_BENCH_PIPELINE]);
    return all > 0 ? pipeline * sum_medians(samples, first, last) / all : 0;
}

/* --- how many times as fast ------------------------------------------------------------------- */

static void draw_bar(const chart *on, double y, size_t bar, double times)
{
    char label[32];
    (void)snprintf(label, sizeof label, "%.2f", times);
    vx_fill_box(on->pen, (vx_box){LEFT_X, y, times * on->unit, BAR - 2}, bar_colour(on, bar));
    double x = LEFT_X + times * on->unit + 4;
    vx_fill_box(on->pen, (vx_box){x - 2, y, vx_text_width(on->pen, SMALL, label) + 4, BAR - 1},
                vx_paper);
    vx_set_colour(on->pen, vx_ink, 1);
    vx_write_text(on->pen, x, y + BAR - 3, VX_LEFT, SMALL, label);
}

static vx_colour goal_colour(void)
{
    return vx_oklch(0.6, 0.2, 25);
}

/* A tick where the highest level should end. */
static void draw_goal(const chart *on, double y, double goal)
{
    double x = LEFT_X + goal * on->unit;
    vx_set_colour(on->pen, goal_colour(), 1);
    cairo_set_line_width(on->pen, 2);
    cairo_move_to(on->pen, x, y - 1);
    cairo_line_to(on->pen, x, y + BAR * (double)on->shown_count - 1);
    cairo_stroke(on->pen);
}

/* --- where the time goes ---------------------------------------------------------------------- */

static double pipeline_seconds(const vx_bench_measured *scene, size_t who)
{
    return vx_bench_median(&scene->samples[who][VX_BENCH_PIPELINE]);
}

static void draw_parts(const chart *on, double y, double height, const vx_bench_measured *scene,
                       size_t who)
{
    const double room = 170; /* for the label */
    double longest = 0;
    for (size_t i = 0; i < on->in_parts_count; i++) {
        longest = fmax(longest, pipeline_seconds(scene, on->in_parts[i]));
    }
    double unit = (RIGHT_WIDTH - room) / longest;
    double x = RIGHT_X;
    vx_text label = {0};
    for (size_t i = 0; i < PARTS; i++) {
        double width = vx_bench_part_seconds(scene, who, parts[i].first, parts[i].last) * unit;
        vx_fill_box(on->pen, (vx_box){x, y, width, height}, part_colour(i));
        x += width;
    }
    vx_bench_add_figure(&label, 1e3 * pipeline_seconds(scene, who), 4);
    vx_text_format(&label, " ms %s", on->report->contenders->items[who].name);
    vx_set_colour(on->pen, vx_ink, 1);
    write_cut(on, x + 4, y + height / 2 + 4, room, SMALL, vx_text_string(&label));
    vx_text_free(&label);
}

/* --- lines ------------------------------------------------------------------------------------ */

static void draw_mean(const chart *on, double y)
{
    double middle = y + BAR * (double)on->shown_count / 2;
    vx_text scope = {0};
    vx_text_format(&scope, "of %zu scenes", vx_bench_count_in_mean(on->report));
    vx_set_colour(on->pen, vx_ink, 1);
    vx_write_bold(on->pen, MARGIN, middle - 2, NAME_WIDTH + TEXT, TEXT, "geometric mean");
    vx_write_text(on->pen, MARGIN, middle + TEXT, VX_LEFT, TEXT, vx_text_string(&scope));
    vx_text_free(&scope);
    for (size_t bar = 0; bar < on->shown_count; bar++) {
        draw_bar(on, y + BAR * (double)bar, bar,
                 vx_bench_mean(on->report, on->than, on->shown[bar]));
    }
    if (vx_bench_has_all_scenes(on->report)) {
        draw_goal(on, y, vx_bench_mean_goal(on->than == 0));
    }
}

/* 0: the scene has none, or none against the reference. */
static double scene_goal(const chart *on, const vx_bench_measured *scene)
{
    return on->than == 0 ? 0 : vx_bench_pipeline_goal(scene);
}

static void draw_scene(const chart *on, double y, const vx_bench_measured *scene)
{
    double height = BAR * (double)on->shown_count;
    vx_set_colour(on->pen, vx_ink, 1);
    vx_write_text(on->pen, MARGIN, y + height / 2 + 4, VX_LEFT, TEXT, scene->kind->name);
    for (size_t bar = 0; bar < on->shown_count; bar++) {
        draw_bar(on, y + BAR * (double)bar, bar,
                 vx_bench_times(scene, on->than, on->shown[bar], VX_BENCH_PIPELINE));
    }
    double goal = scene_goal(on, scene);
    if (goal > 0) {
        draw_goal(on, y, goal);
    }
    double part_height = height / (double)on->in_parts_count;
    for (size_t i = 0; i < on->in_parts_count; i++) {
        draw_parts(on, y + part_height * (double)i, part_height - 2, scene, on->in_parts[i]);
    }
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

static void draw_key(const chart *on, size_t index, size_t per_row, double left, double width,
                     vx_colour colour, const char *name)
{
    size_t row = index / per_row;
    double x = left + width * (double)(index - row * per_row);
    double y = KEY_TOP + KEY_HEIGHT * (double)row;
    vx_fill_box(on->pen, (vx_box){x, y - 9, 10, 10}, colour);
    vx_set_colour(on->pen, vx_ink, 1);
    write_cut(on, x + 14, y, width - 14 - 2 * SMALL, TEXT, name);
}

static void draw_keys(const chart *on)
{
    for (size_t bar = 0; bar < on->shown_count; bar++) {
        draw_key(on, bar, LEFT_KEYS, MARGIN, LEFT_KEY_WIDTH, bar_colour(on, bar),
                 on->report->contenders->items[on->shown[bar]].name);
    }
    if (on->has_goals) {
        draw_key(on, on->shown_count, LEFT_KEYS, MARGIN, LEFT_KEY_WIDTH, goal_colour(),
                 "goal at AVX-512");
    }
    for (size_t i = 0; i < PARTS; i++) {
        draw_key(on, i, RIGHT_KEYS, RIGHT_X, RIGHT_KEY_WIDTH, part_colour(i), parts[i].name);
    }
}

static void draw_head(const chart *on)
{
    vx_text text = {0};
    vx_text_format(&text, "The pipeline: how many times as fast as %s",
                   on->report->contenders->items[on->than].name);
    vx_set_colour(on->pen, vx_ink, 1);
    vx_write_bold(on->pen, MARGIN, 34, RIGHT_X - MARGIN, 17, vx_text_string(&text));
    vx_write_bold(on->pen, RIGHT_X, 34, RIGHT_WIDTH, 17, "Where its time goes");
    vx_text_free(&text);
    vx_set_colour(on->pen, vx_faint_ink, 1);
    vx_write_text(on->pen, MARGIN, 56, VX_LEFT, TEXT,
                  "median times; all scenes have one scale, longer is faster");
    vx_write_text(on->pen, RIGHT_X, 56, VX_LEFT, TEXT,
                  "every scene has a scale of its own: compare bars of one scene only");
    draw_keys(on);
}

static void draw_foot(const chart *on, double y)
{
    const double width = PAGE_WIDTH - 2 * MARGIN;
    static const char scenes[] =
        "nav_test, dungeon, undulating: meshes of Recast's demonstration. level: the project's "
        "own. "
        "terrain: hills of 700 × 700 squares. soupN: N random triangles, about 40 units wide, in "
        "a room. small: made small for tests. .3: cells 0.3 wide and 0.2 high. .1: cells 0.1 wide "
        "and high. docs/BENCHMARKING.md says more.";
    vx_set_colour(on->pen, vx_faint_ink, 1);
    int lines = vx_write_lines(on->pen, MARGIN, y, width, TEXT, 3, scenes, true);
    vx_text text = {0};
    vx_bench_add_cpu(&text);
    vx_text_add(&text, ", one thread, " VX_BENCH_COMPILER "; all");
    vx_text_add(&text, vx_bench_peer(on->report->contenders) != NULL ? " but Recast" : "");
    vx_text_add(&text, " gave the same rows, bit for bit");
    (void)vx_write_lines(on->pen, MARGIN, y + LINE * lines, width, TEXT, 2, vx_text_string(&text),
                         true);
    vx_text_free(&text);
}

/* --- the page --------------------------------------------------------------------------------- */

static void choose_bars(chart *on)
{
    const vx_bench_contenders *list = on->report->contenders;
    size_t library = 0;
    size_t best = 0;
    on->than = vx_bench_peer(list) != NULL ? list->count - 1 : 0;
    for (size_t i = 0; i < list->count; i++) {
        best = list->items[i].level != VX_BENCH_NO_LEVEL ? i : best;
        library = list->items[i].is_library ? i : library;
        if (i != on->than) {
            on->shown[on->shown_count++] = i;
        }
    }
    on->in_parts[on->in_parts_count++] = on->than;
    on->in_parts[on->in_parts_count++] = best;
    if (library > 0) {
        on->in_parts[on->in_parts_count++] = library;
    }
}

static void choose_scale(chart *on)
{
    on->has_goals = vx_bench_has_all_scenes(on->report);
    double longest = on->has_goals ? vx_bench_mean_goal(on->than == 0) : 1;
    for (size_t i = 0; i < on->report->scene_count; i++) {
        const vx_bench_measured *scene = &on->report->scenes[i];
        on->has_goals = on->has_goals || scene_goal(on, scene) > 0;
        longest = fmax(longest, scene_goal(on, scene));
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
    choose_scale(&on);
    size_t means = vx_bench_count_in_mean(report) > 1; /* a line above the others */
    double bottom = TOP + (double)(means + report->scene_count) * row_height(&on);
    vx_picture_open(&page, format, PAGE_WIDTH, bottom + FOOT, picture);
    on.pen = page.pen;
    draw_head(&on);
    draw_foot(&on, bottom + MARGIN);
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
