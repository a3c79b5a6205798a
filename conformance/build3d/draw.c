/* SPDX-License-Identifier: MIT */
/* A picture of a case of build3d: the page, its heading, and where the panels go. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "build3d/drawing.h"

#define MARGIN 28.0
#define MAP_WIDTH_MAX 820.0
#define MAP_HEIGHT_MAX 760.0
#define MAP_SIDE_MIN 24.0
#define CELL_MAX 40.0
#define SLICE_HEIGHT_MIN 70.0
#define SLICE_HEIGHT_MAX 330.0
#define ROW_MAX 24.0
#define LEGEND_ROOM 262.0
#define PAGE_WIDTH_MIN 640.0
#define PANEL_GAP 34.0
#define PANEL_TITLE 420.0
#define TITLE 18.0
#define TEXT 11.5
#define TEXT_LINE (TEXT * 1.4)

/* Small grids are shown cell by cell. */
enum { CELLS_MAX = 20, CELLS_LIMIT = 64, LINES_MAX = 4 };

typedef struct page {
    vx_drawn drawn;
    unsigned views;
    vx_map map;
    vx_slice slice;
    double width, height;
    vx_text steps; /* what the case does, in words */
    double head;   /* height of the heading */
} page;

/* --- what there is to say --------------------------------------------------------------------- */

static void describe_step(const vx_step *step, vx_text *text)
{
    vx_text_add(text, vx_build3d_op_name(step->op));
    switch (step->op) {
    case VX_OP_RASTERIZE:
        vx_text_format(text, " (triangles %zu)", step->mesh.index_count / 3);
        break;
    case VX_OP_ADD_SPANS:
        vx_text_format(text, " (%zu)", step->list.count);
        break;
    case VX_OP_HEIGHT_GRID:
        vx_text_format(text, " (%lld × %lld)", (long long)step->grid.count[0],
                       (long long)step->grid.count[1]);
        break;
    case VX_OP_CHUNK:
        vx_text_format(text, " (%lld × %lld × %lld)", (long long)step->chunk.size[0],
                       (long long)step->chunk.size[1], (long long)step->chunk.size[2]);
        break;
    case VX_OP_LOW_HANGING:
        vx_text_format(text, " (climb %lld)", (long long)step->climb);
        break;
    case VX_OP_LEDGES:
    case VX_OP_COMPACT:
        vx_text_format(text, " (height %lld, climb %lld)", (long long)step->height,
                       (long long)step->climb);
        break;
    case VX_OP_LOW_HEIGHT:
        vx_text_format(text, " (height %lld)", (long long)step->height);
        break;
    case VX_OP_ERODE:
        vx_text_format(text, " (radius %lld)", (long long)step->radius);
        break;
    case VX_OP_VOLUME:
        vx_text_format(text, " (area %lld)", (long long)step->volume.area);
        break;
    }
}

static void describe_steps(const vx_drawn *drawn, vx_text *text)
{
    vx_text_format(text, "%s:", drawn->request->maker);
    for (size_t i = 0; i < drawn->input->step_count; i++) {
        vx_text_add(text, i > 0 ? " → " : " ");
        describe_step(&drawn->input->steps[i], text);
    }
    if (drawn->input->step_count == 0) {
        vx_text_add(text, " no steps");
    }
}

static void describe_error(const vx_drawn *drawn, vx_text *text)
{
    if (drawn->failed_step < 0) {
        vx_text_add(text, "The grid");
    } else {
        size_t step = (size_t)drawn->failed_step;
        vx_text_format(text, "Step %zu, %s,", step,
                       vx_build3d_op_name(drawn->input->steps[step].op));
    }
    vx_text_format(text, " is an error, %s: ", vx_status_name(drawn->error.status));
    vx_add_printable(text, drawn->error.message, strlen(drawn->error.message));
    vx_text_add(text, drawn->span_count > 0 ? ". Shown is what was there before." : ".");
}

static void describe_difference(const vx_drawn *drawn, vx_text *text)
{
    if (drawn->difference.size > 0) {
        vx_text_format(text, "Not as expected: %s. ", drawn->difference.bytes);
    }
    if (drawn->strays > 0) {
        vx_text_format(text,
                       "%zu of the compact spans stand on no walkable top, and are not shown.",
                       drawn->strays);
    }
}

/* The heading; returns its height. */
static double draw_head(cairo_t *pen, const page *of, bool draw)
{
    const vx_case *item = of->drawn.request->item;
    double width = of->width - 2 * MARGIN;
    double y = MARGIN + TITLE;
    if (draw) {
        vx_set_colour(pen, vx_ink, 1);
        vx_write_bold(pen, MARGIN, y, width, TITLE, item->name[0] != '\0' ? item->name : "a case");
        vx_set_colour(pen, vx_ink, 1);
    }
    y += TITLE * 1.3;
    y += TEXT_LINE * vx_write_lines(pen, MARGIN, y, width, TEXT, LINES_MAX, item->note, draw);
    if (draw) {
        vx_set_colour(pen, vx_faint_ink, 1);
    }
    y += TEXT_LINE *
         vx_write_lines(pen, MARGIN, y, width, TEXT, LINES_MAX, vx_text_string(&of->steps), draw);
    if (of->drawn.error.status != VX_OK) {
        vx_text text = {0};
        describe_error(&of->drawn, &text);
        if (draw) {
            vx_set_colour(pen, vx_oklch(0.5, 0.18, 25), 1);
        }
        y += TEXT_LINE *
             vx_write_lines(pen, MARGIN, y + 4, width, TEXT, LINES_MAX, text.bytes, draw);
        vx_text_free(&text);
    }
    if (of->drawn.difference.size > 0 || of->drawn.strays > 0) {
        vx_text text = {0};
        describe_difference(&of->drawn, &text);
        if (draw) {
            vx_set_colour(pen, vx_wrong_colour, 1);
        }
        y += TEXT_LINE *
             vx_write_lines(pen, MARGIN, y + 4, width, TEXT, LINES_MAX, text.bytes, draw);
        vx_text_free(&text);
    }
    return y;
}

/* --- planning --------------------------------------------------------------------------------- */

static unsigned suitable_views(const vx_drawn *drawn)
{
    if (drawn->size[0] == 0) {
        return 0;
    }
    bool small = drawn->size[0] <= CELLS_MAX && drawn->size[1] <= CELLS_MAX;
    return (small ? VX_VIEW_CELLS : VX_VIEW_TOP) | VX_VIEW_SLICE;
}

/* Cells as large as fit, at whole steps of half a pixel when they can be told apart. */
static double fit_cell(int32_t count, double room, double most)
{
    double cell = fmin(room / count, most);
    return cell >= VX_CELL_SEEN ? floor(cell * 2) / 2 : cell;
}

static void plan_map(page *to)
{
    vx_map *map = &to->map;
    const int32_t *size = to->drawn.size;
    double cell = fmin(fit_cell(size[0], MAP_WIDTH_MAX, CELL_MAX),
                       fit_cell(size[1], MAP_HEIGHT_MAX, CELL_MAX));
    if (to->views & VX_VIEW_CELLS) {
        cell = fmax(fmin(floor(fmin(MAP_WIDTH_MAX / size[0], MAP_HEIGHT_MAX / size[1])), 92), 54);
    }
    /* A grid that is nothing but long is shown wider than it is. */
    map->cell_x = fmax(cell, fmin(MAP_SIDE_MIN / size[0], CELL_MAX));
    map->cell_z = fmax(cell, fmin(MAP_SIDE_MIN / size[1], CELL_MAX));
    bool above = (to->views & VX_VIEW_TOP) != 0;
    map->has_lines = above && fmin(map->cell_x, map->cell_z) >= VX_CELL_SEEN;
    map->has_cells = (to->views & VX_VIEW_CELLS) != 0;
    map->has_triangles = map->has_cells && vx_has_labels(&to->drawn);
    map->has_dots = above && fmin(map->cell_x, map->cell_z) >= VX_CELL_ROOMY;
    map->box = (vx_box){MARGIN + VX_AXIS_ROOM, 0, map->cell_x * size[0], map->cell_z * size[1]};
}

/* The line along x with the most spans; of equal ones that nearest to the middle. */
static int32_t busiest_row(const vx_drawn *drawn)
{
    int32_t best = 0;
    size_t most = 0;
    size_t first = 0;
    while (first < drawn->span_count) {
        int32_t z = drawn->spans[first].z;
        size_t end = first;
        while (end < drawn->span_count && drawn->spans[end].z == z) {
            end++;
        }
        bool nearer = abs(2 * z + 1 - drawn->size[1]) < abs(2 * best + 1 - drawn->size[1]);
        if (end - first > most || (end - first == most && nearer)) {
            most = end - first;
            best = z;
        }
        first = end;
    }
    return best;
}

static bool has_mark(const page *of)
{
    const vx_draw_request *request = of->drawn.request;
    return request->has_mark && request->mark_x >= 0 && request->mark_z >= 0 &&
           request->mark_x < of->drawn.size[0] && request->mark_z < of->drawn.size[1];
}

static void choose_slice(page *to)
{
    const vx_draw_request *request = to->drawn.request;
    if (request->slice_axis != 0) {
        to->slice.axis = request->slice_axis;
        to->slice.at = (int32_t)request->slice_at;
    } else if (to->drawn.size[0] == 1 && to->drawn.size[1] > 1) {
        to->slice.axis = 'x';
        to->slice.at = 0;
    } else {
        to->slice.axis = 'z';
        to->slice.at = has_mark(to)              ? (int32_t)request->mark_z
                       : to->drawn.differing > 0 ? to->drawn.wrong_z
                                                 : busiest_row(&to->drawn);
    }
}

/* The rows that the spans of the slice take, and some air. */
static void choose_rows(page *to)
{
    const vx_drawn *drawn = &to->drawn;
    vx_slice *slice = &to->slice;
    int32_t low = INT32_MAX;
    int32_t high = 0;
    for (size_t i = 0; i < drawn->span_count; i++) {
        const vx_drawn_span *span = &drawn->spans[i];
        if ((slice->axis == 'x' ? span->x : span->z) == slice->at) {
            low = span->min < low ? span->min : low;
            high = span->max > high ? span->max : high;
        }
    }
    low = high == 0 ? 0 : low;
    slice->low = low > 0 ? low - 1 : 0;
    slice->high = high + (high - slice->low) / 6 + 3;
}

static void plan_slice(page *to)
{
    vx_slice *slice = &to->slice;
    choose_slice(to);
    choose_rows(to);
    int32_t count = slice->axis == 'x' ? to->drawn.size[1] : to->drawn.size[0];
    int32_t rows = slice->high - slice->low;
    bool below_map = slice->axis == 'z' && (to->views & ~(unsigned)VX_VIEW_SLICE) != 0;
    slice->cell = below_map ? to->map.cell_x : fit_cell(count, MAP_WIDTH_MAX, CELL_MAX);
    double width = slice->cell * count;
    double height = rows * slice->cell * to->drawn.cell_height / to->drawn.cell_size;
    height = fmin(fmax(height, SLICE_HEIGHT_MIN), SLICE_HEIGHT_MAX);
    slice->row = fmin(height / rows, ROW_MAX);
    slice->box = (vx_box){MARGIN + VX_AXIS_ROOM, 0, width, slice->row * rows};
}

/* Gives every panel its place and the page its size. */
static void plan(page *to, cairo_t *pen)
{
    bool map = (to->views & (VX_VIEW_TOP | VX_VIEW_CELLS)) != 0;
    bool slice = (to->views & VX_VIEW_SLICE) != 0;
    double widest = PANEL_TITLE;
    if (to->drawn.size[0] > 0) {
        plan_map(to);
    }
    if (slice) {
        plan_slice(to);
        widest = fmax(widest, to->slice.box.width);
    }
    if (map) {
        widest = fmax(widest, to->map.box.width);
    } else if (slice) {
        to->map.cell_x = to->slice.cell; /* what the scale is for */
    }
    to->map.has_links = to->drawn.both_ways + to->drawn.one_way > 0 &&
                        (to->map.has_cells || (slice && to->slice.cell >= VX_CELL_ROOMY));
    double legend_x = MARGIN + VX_AXIS_ROOM + widest + VX_AXIS_ROOM + 12;
    to->width = ceil(fmax(legend_x + LEGEND_ROOM, PAGE_WIDTH_MIN));
    to->head = draw_head(pen, to, false);
    double y = to->head + PANEL_GAP;
    if (map) {
        to->map.box.y = ceil(y);
        y = to->map.box.y + to->map.box.height + PANEL_GAP;
    }
    if (slice) {
        to->slice.box.y = ceil(y + (to->map.has_cells ? VX_MARGIN_CELLS : map ? 14 : 0));
        y = to->slice.box.y + to->slice.box.height + PANEL_GAP;
    }
    double legend = vx_draw_legend(pen, &to->drawn, &to->map, 0, 0, false);
    to->height = ceil(fmax(y, to->head + legend + PANEL_GAP));
}

/* --- drawing ---------------------------------------------------------------------------------- */

static void title_panel(cairo_t *pen, const vx_box *box, const char *title, const char *more)
{
    vx_set_colour(pen, vx_ink, 1);
    double x = box->x;
    double y = box->y - 22;
    vx_write_bold(pen, x, y, PANEL_TITLE, TEXT, title);
    vx_set_colour(pen, vx_faint_ink, 1);
    vx_write_text(pen, x + vx_text_width(pen, TEXT, title) * 1.1 + 14, y, VX_LEFT, TEXT, more);
}

/* Where the slice is cut, as marks at the map's sides. */
static void mark_slice(cairo_t *pen, const page *of)
{
    static const double dashes[] = {3, 4};
    const vx_map *map = &of->map;
    bool across = of->slice.axis == 'z';
    double at = across ? map->box.y + (of->slice.at + 0.5) * map->cell_z
                       : map->box.x + (of->slice.at + 0.5) * map->cell_x;
    double begin = across ? map->box.x : map->box.y;
    double end = begin + (across ? map->box.width : map->box.height);
    vx_set_colour(pen, vx_ink, 0.8);
    if (of->views & VX_VIEW_TOP) {
        cairo_move_to(pen, across ? begin : at, across ? at : begin);
        cairo_line_to(pen, across ? end : at, across ? at : end);
    }
    cairo_set_line_width(pen, 0.8);
    cairo_set_dash(pen, dashes, 2, 0);
    cairo_stroke(pen);
    cairo_set_dash(pen, NULL, 0, 0);
    for (int side = -1; side <= 1; side += 2) {
        double from = side < 0 ? begin - 7 : end + 7;
        double tip = side < 0 ? begin - 1 : end + 1;
        cairo_move_to(pen, across ? tip : at, across ? at : tip);
        cairo_line_to(pen, across ? from : at - 4, across ? at - 4 : from);
        cairo_line_to(pen, across ? from : at + 4, across ? at + 4 : from);
        cairo_close_path(pen);
    }
    cairo_fill(pen);
}

static void mark_box(cairo_t *pen, double x, double y, double width, double height)
{
    vx_set_colour(pen, vx_oklch(0.55, 0.22, 15), 1);
    cairo_set_line_width(pen, 2.5);
    cairo_rectangle(pen, x - 1.5, y - 1.5, width + 3, height + 3);
    cairo_stroke(pen);
}

/* The column that is pointed out, on the map and in the slice. */
static void mark_column(cairo_t *pen, const page *of)
{
    const vx_draw_request *request = of->drawn.request;
    const vx_map *map = &of->map;
    const vx_slice *slice = &of->slice;
    if (!has_mark(of)) {
        return;
    }
    if (of->views & (VX_VIEW_TOP | VX_VIEW_CELLS)) {
        mark_box(pen, map->box.x + (double)request->mark_x * map->cell_x,
                 map->box.y + (double)request->mark_z * map->cell_z, map->cell_x, map->cell_z);
    }
    int64_t across = slice->axis == 'x' ? request->mark_x : request->mark_z;
    int64_t along = slice->axis == 'x' ? request->mark_z : request->mark_x;
    if ((of->views & VX_VIEW_SLICE) && across == slice->at) {
        mark_box(pen, slice->box.x + (double)along * slice->cell, slice->box.y, slice->cell,
                 slice->box.height);
    }
}

static void draw_map(cairo_t *pen, const page *of)
{
    const vx_map *map = &of->map;
    const vx_drawn *drawn = &of->drawn;
    if (of->views & VX_VIEW_CELLS) {
        title_panel(pen, &map->box, "Cells", "x to the right, z down");
        vx_draw_cells(pen, drawn, map);
    } else {
        title_panel(pen, &map->box, "From above", "x to the right, z down");
        vx_draw_top(pen, drawn, map);
    }
    vx_draw_differences(pen, drawn, map);
    vx_draw_numbers_across(pen, map->box.x, map->box.y - 6, map->cell_x, drawn->size[0]);
    vx_draw_numbers_down(pen, map->box.x - 6, map->box.y, map->cell_z, drawn->size[1]);
    if (of->views & VX_VIEW_SLICE) {
        mark_slice(pen, of);
    }
}

static void draw_slice(cairo_t *pen, const page *of)
{
    const vx_slice *slice = &of->slice;
    char title[40];
    char more[128];
    double across = slice->cell / of->drawn.cell_size;
    double up = slice->row / of->drawn.cell_height;
    int length =
        snprintf(more, sizeof more, "%s to the right, y up", slice->axis == 'x' ? "z" : "x");
    if (fabs(up / across - 1) > 0.05) {
        double shown = up < across ? 100 * up / across : up / across;
        (void)snprintf(more + length, sizeof more - (size_t)length, "; heights drawn %s%.*f%s",
                       up < across ? "at " : "", shown < 10 ? 1 : 0, shown,
                       up < across ? " %" : " times as large");
    }
    (void)snprintf(title, sizeof title, "Slice %c = %d", slice->axis, slice->at);
    title_panel(pen, &slice->box, title, more);
    vx_draw_slice(pen, &of->drawn, slice);
    vx_draw_numbers_across(pen, slice->box.x, slice->box.y - 6, slice->cell,
                           slice->axis == 'x' ? of->drawn.size[1] : of->drawn.size[0]);
}

static void draw_page(cairo_t *pen, const page *of)
{
    (void)draw_head(pen, of, true);
    if (of->views & (VX_VIEW_TOP | VX_VIEW_CELLS)) {
        draw_map(pen, of);
    }
    if (of->views & VX_VIEW_SLICE) {
        draw_slice(pen, of);
    }
    mark_column(pen, of);
    (void)vx_draw_legend(pen, &of->drawn, &of->map, of->width - LEGEND_ROOM, of->head + 8, true);
}

/* The views that were asked for must make sense for this grid. */
static bool check_request(const page *of, vx_problem *problem)
{
    const vx_draw_request *request = of->drawn.request;
    const int32_t *size = of->drawn.size;
    if (size[0] == 0) {
        return true;
    }
    int32_t columns = request->slice_axis == 'x' ? size[0] : size[1];
    if (request->slice_axis != 0 && request->slice_at >= columns) {
        return vx_problem_say(problem, "a slice at %c = %lld; the grid ends at %d",
                              request->slice_axis, (long long)request->slice_at, columns - 1);
    }
    if ((request->views & VX_VIEW_CELLS) && (size[0] > CELLS_LIMIT || size[1] > CELLS_LIMIT)) {
        return vx_problem_say(problem, "%d by %d cells; at most %d by %d can be shown one by one",
                              size[0], size[1], CELLS_LIMIT, CELLS_LIMIT);
    }
    return true;
}

bool vx_build3d_draw(const vx_draw_request *request, vx_text *picture, vx_problem *problem)
{
    page of = {0};
    vx_picture paper;
    vx_text none = {0};
    bool good = vx_drawn_make(request, &of.drawn, problem);
    if (!good || !check_request(&of, problem)) {
        vx_drawn_free(&of.drawn);
        return false;
    }
    of.views =
        request->views != 0 && of.drawn.size[0] > 0 ? request->views : suitable_views(&of.drawn);
    describe_steps(&of.drawn, &of.steps);
    /* A page of no size to measure text on, then the real one. */
    vx_picture_open(&paper, VX_PICTURE_PNG, 1, 1, &none);
    plan(&of, paper.pen);
    good = vx_picture_close(&paper, problem);
    vx_text_free(&none);
    if (good) {
        vx_picture_open(&paper, request->format, of.width, of.height, picture);
        draw_page(paper.pen, &of);
        good = vx_picture_close(&paper, problem);
    }
    vx_text_free(&of.steps);
    vx_drawn_free(&of.drawn);
    return good;
}
