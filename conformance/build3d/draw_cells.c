/* SPDX-License-Identifier: MIT */
/* The view of a small grid: every cell with its spans in numbers, and the triangles above them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "build3d/drawing.h"

#define TEXT 9.5
#define TEXT_LINE 12.0
#define LABEL_AWAY 9.0 /* from a corner to its name */
#define ARROW 6.0      /* length of an arrowhead */
#define BAR 4.0        /* and of half a link */

enum { TRIANGLES_MAX = 400, LABELLED_MAX = 4, LABEL_TURNS = 12, LABEL_RINGS = 3 };

/* What is drawn where. */
typedef struct cells {
    cairo_t *pen;
    const vx_drawn *drawn;
    const vx_map *map;
    vx_box *texts; /* where there is text: no label may lie there */
    size_t text_count, text_capacity;
} cells;

static void add_text_box(cells *to, vx_box box)
{
    if (to->text_count == to->text_capacity) {
        to->text_capacity = to->text_capacity * 2 + 64;
        to->texts = vx_must_realloc(to->texts, to->text_capacity, sizeof *to->texts);
    }
    to->texts[to->text_count++] = box;
}

/* --- spans ------------------------------------------------------------------------------------ */

/* "[3,4) 63", or for a compact span its floor, its open height and its area. */
static void describe(const vx_drawn *drawn, const vx_drawn_span *span, char *text, size_t size)
{
    if (span->compact < 0) {
        (void)snprintf(text, size, "[%d,%d) %u", span->min, span->max, span->area);
        return;
    }
    const vx_compact_row *row = &drawn->compact[span->compact];
    if (row->height == VX_OPEN_HEIGHT) {
        (void)snprintf(text, size, "%d ↑∞ %d", row->y, row->area);
    } else {
        (void)snprintf(text, size, "%d ↑%d %d", row->y, row->height, row->area);
    }
}

/* For each link of a floor a bar to the border, or an arrow when nothing links back. */
static void draw_links(const cells *of, const vx_drawn_span *span, const vx_box *box)
{
    static const double step[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}}; /* SPEC B7.2 */
    for (int d = 0; d < 4; d++) {
        double x = box->x + box->width / 2 + step[d][0] * (box->width / 2);
        double y = box->y + box->height / 2 + step[d][1] * (box->height / 2);
        if (of->drawn->compact[span->compact].link[d] == VX_LINK_NONE) {
            continue;
        }
        if (vx_drawn_is_mutual(of->drawn, span, d)) {
            cairo_rectangle(of->pen,
                            x - (step[d][0] > 0   ? BAR
                                 : step[d][0] < 0 ? 0
                                                  : 1),
                            y - (step[d][1] > 0   ? BAR
                                 : step[d][1] < 0 ? 0
                                                  : 1),
                            step[d][0] != 0 ? BAR : 2, step[d][1] != 0 ? BAR : 2);
        } else {
            vx_add_arrowhead(of->pen, x - step[d][0], y - step[d][1], step[d][0], step[d][1],
                             ARROW);
        }
    }
    vx_set_colour(of->pen, vx_ink, 0.7);
    cairo_fill(of->pen);
}

/* A line of text in the middle of a cell, on a ground that keeps triangles from crossing it. */
static void write_line(cells *of, const vx_box *box, double y, double alpha, const char *text)
{
    double middle = box->x + box->width / 2;
    double width = vx_text_width(of->pen, TEXT, text) + 4;
    vx_box ground = {middle - width / 2, y - TEXT_LINE + 3, width, TEXT_LINE};
    vx_set_colour(of->pen, vx_paper, 0.5);
    cairo_rectangle(of->pen, ground.x, ground.y, ground.width, ground.height);
    cairo_fill(of->pen);
    add_text_box(of, ground);
    vx_set_colour(of->pen, vx_ink, alpha);
    vx_write_text(of->pen, middle, y, VX_CENTRE, TEXT, text);
}

/* The spans of a cell as lines of text, the highest first. */
static void write_spans(cells *of, const vx_box *box, size_t first, size_t end)
{
    double room = fmax(floor((box->height - 8) / TEXT_LINE), 1);
    size_t lines = end - first;
    size_t shown = (double)lines <= room ? lines : (size_t)room - 1;
    double y = box->y + box->height / 2 + TEXT / 2 - 1 -
               ((double)(shown < lines ? shown + 1 : shown) - 1) * TEXT_LINE / 2;
    char text[48];
    for (size_t i = 0; i < shown; i++) {
        const vx_drawn_span *span = &of->drawn->spans[end - 1 - i];
        describe(of->drawn, span, text, sizeof text);
        write_line(of, box, y, span->area > 0 ? 1 : 0.62, text);
        y += TEXT_LINE;
    }
    if (shown < lines) {
        (void)snprintf(text, sizeof text, "and %zu more", lines - shown);
        write_line(of, box, y, 0.62, text);
    }
}

static void draw_cell(cells *of, int32_t x, int32_t z, bool text)
{
    const vx_map *map = of->map;
    vx_box box = {map->box.x + x * map->cell_x, map->box.y + z * map->cell_z, map->cell_x,
                  map->cell_z};
    size_t first;
    size_t end;
    vx_drawn_column(of->drawn, x, z, &first, &end);
    if (first == end) {
        return;
    }
    const vx_drawn_span *span = &of->drawn->spans[vx_drawn_shown(of->drawn, first, end)];
    if (text) {
        if (span->compact >= 0) {
            draw_links(of, span, &box);
        }
        write_spans(of, &box, first, end);
        return;
    }
    vx_fill_box(of->pen, box, vx_mix(vx_top_colour(of->drawn, span), vx_paper, 0.45));
    if (vx_is_hatched(span->area)) {
        vx_hatch_box(of->pen, box, span->area);
    }
}

static void draw_all_cells(cells *of, bool text)
{
    for (int32_t z = 0; z < of->drawn->size[1]; z++) {
        for (int32_t x = 0; x < of->drawn->size[0]; x++) {
            draw_cell(of, x, z, text);
        }
    }
}

static void draw_grid(const cells *of)
{
    const vx_map *map = of->map;
    for (int32_t x = 0; x <= of->drawn->size[0]; x++) {
        cairo_move_to(of->pen, map->box.x + x * map->cell_x, map->box.y);
        cairo_rel_line_to(of->pen, 0, map->box.height);
    }
    for (int32_t z = 0; z <= of->drawn->size[1]; z++) {
        cairo_move_to(of->pen, map->box.x, map->box.y + z * map->cell_z);
        cairo_rel_line_to(of->pen, map->box.width, 0);
    }
    vx_set_colour(of->pen, vx_ink, 0.35);
    cairo_set_line_width(of->pen, 0.75);
    cairo_stroke(of->pen);
}

/* --- triangles -------------------------------------------------------------------------------- */

void vx_to_cells(const vx_drawn *drawn, const double *vertex, double uvw[3])
{
    const vx_frame *frame = &drawn->input->frame;
    for (int i = 0; i < 3; i++) {
        float local = (float)(vertex[i] - drawn->origin[i]);
        uvw[i] = (double)(local / (i == 1 ? frame->cell_height : frame->cell_size));
    }
}

bool vx_find_corner(const vx_drawn *drawn, const vx_mesh *mesh, size_t k, size_t corner,
                    double uvw[3])
{
    int64_t index = mesh->indices[3 * k + corner];
    if (index < 0 || (uint64_t)index >= mesh->vertex_values / 3) {
        return false;
    }
    vx_to_cells(drawn, &mesh->vertices[3 * (size_t)index], uvw);
    return isfinite(uvw[0]) && isfinite(uvw[1]) && isfinite(uvw[2]);
}

/* Cairo's coordinates end at about 8 million; what lies that far off is not seen anyway. */
static double on_paper(double pixels)
{
    return fmin(fmax(pixels, -1e5), 1e5);
}

/* Colours that differ in lightness as well as in hue. */
vx_colour vx_triangle_colour(size_t k)
{
    static const double looks[][2] = {{0.45, 264}, {0.62, 45}, {0.5, 155}, {0.55, 330}, {0.38, 30}};
    const double *look = looks[k % (sizeof looks / sizeof looks[0])];
    return vx_oklch(look[0], 0.16, look[1]);
}

/* Where a triangle's corners are on the page. */
typedef struct outline {
    double at[3][2];
} outline;

/* False when the input is malformed there. */
static bool find_outline(const cells *of, const vx_mesh *mesh, size_t k, outline *found)
{
    for (size_t i = 0; i < 3; i++) {
        double uvw[3];
        if (!vx_find_corner(of->drawn, mesh, k, i, uvw)) {
            return false;
        }
        found->at[i][0] = on_paper(of->map->box.x + uvw[0] * of->map->cell_x);
        found->at[i][1] = on_paper(of->map->box.y + uvw[2] * of->map->cell_z);
    }
    return true;
}

static void draw_outline(const cells *of, const outline *corners, double width)
{
    static const double dashes[] = {4, 3};
    const double(*at)[2] = corners->at;
    /* Seen from above with z down, counter-clockwise triangles face up; the others are dashed. */
    double turn = (at[1][0] - at[0][0]) * (at[2][1] - at[0][1]) -
                  (at[1][1] - at[0][1]) * (at[2][0] - at[0][0]);
    for (int i = 0; i < 3; i++) {
        cairo_line_to(of->pen, at[i][0], at[i][1]);
    }
    cairo_close_path(of->pen);
    cairo_set_line_width(of->pen, width);
    cairo_set_dash(of->pen, dashes, turn > 0 ? 2 : 0, 0);
    cairo_stroke(of->pen);
    cairo_set_dash(of->pen, NULL, 0, 0);
}

static bool overlap(const vx_box *a, const vx_box *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

/* Whether a label may lie there: on the map or right of it or below, where no text is yet. */
static bool is_free(const cells *of, const vx_box *label)
{
    const vx_box *map = &of->map->box;
    bool free_place = label->x >= map->x && label->y >= map->y &&
                      label->x + label->width <= map->x + map->width + VX_MARGIN_CELLS &&
                      label->y + label->height <= map->y + map->height + VX_MARGIN_CELLS;
    for (size_t i = 0; free_place && i < of->text_count; i++) {
        free_place = !overlap(label, &of->texts[i]);
    }
    return free_place;
}

/* Writes a name near a corner, where there is room; best in direction `angle` from it. */
static void write_label(cells *of, const double at[2], double angle, const char *name)
{
    double width = vx_text_width(of->pen, TEXT, name);
    for (int attempt = 0; attempt < LABEL_TURNS * LABEL_RINGS; attempt++) {
        int turn = attempt % LABEL_TURNS;
        int ring = 1 + attempt / LABEL_TURNS;
        int steps = (turn + 1) / 2; /* to the one side and to the other by turns */
        double around = angle + (turn % 2 == 0 ? 1 : -1) * steps * 6.2832 / LABEL_TURNS;
        double away = LABEL_AWAY * ring;
        double x = at[0] + cos(around) * away;
        double y = at[1] + sin(around) * away;
        vx_box box = {x - width / 2 - 1, y - TEXT / 2 - 1, width + 2, TEXT + 1};
        if (is_free(of, &box)) {
            vx_write_text(of->pen, x, y + TEXT / 2 - 1.5, VX_CENTRE, TEXT, name);
            add_text_box(of, box);
            return;
        }
    }
}

/* The names of a triangle's corners: a, b, c and, of several triangles, the number behind. */
static void label_corners(cells *of, const outline *corners, size_t k, bool numbered)
{
    const vx_box *map = &of->map->box;
    const double(*at)[2] = corners->at;
    for (int i = 0; i < 3; i++) {
        char name[24];
        double away_x = at[i][0] - (at[0][0] + at[1][0] + at[2][0]) / 3;
        double away_y = at[i][1] - (at[0][1] + at[1][1] + at[2][1]) / 3;
        int length = snprintf(name, sizeof name, "%c", 'a' + i);
        if (numbered) {
            (void)snprintf(name + length, sizeof name - (size_t)length, "%zu", k);
        }
        if (at[i][0] >= map->x - VX_MARGIN_CELLS && at[i][1] >= map->y - VX_MARGIN_CELLS &&
            at[i][0] <= map->x + map->width + VX_MARGIN_CELLS &&
            at[i][1] <= map->y + map->height + VX_MARGIN_CELLS) {
            write_label(of, at[i], atan2(away_y, away_x), name);
        }
    }
}

static void label_mesh(cells *of, const vx_mesh *mesh, size_t *number, bool numbered)
{
    for (size_t k = 0; k < mesh->index_count / 3; k++) {
        outline corners;
        if (find_outline(of, mesh, k, &corners)) {
            vx_set_colour(of->pen, vx_triangle_colour(k), 1);
            label_corners(of, &corners, *number, numbered);
        }
        (*number)++;
    }
}

static void draw_mesh(const cells *of, const vx_mesh *mesh, bool labelled)
{
    const vx_box *box = &of->map->box;
    cairo_save(of->pen);
    cairo_rectangle(of->pen, box->x - VX_MARGIN_CELLS, box->y - VX_MARGIN_CELLS,
                    box->width + 2 * VX_MARGIN_CELLS, box->height + 2 * VX_MARGIN_CELLS);
    cairo_clip(of->pen);
    for (size_t k = 0; k < mesh->index_count / 3; k++) {
        outline corners;
        if (find_outline(of, mesh, k, &corners)) {
            vx_set_colour(of->pen, vx_triangle_colour(k), 1);
            draw_outline(of, &corners, labelled ? 1.8 : 1.1);
        }
    }
    cairo_restore(of->pen);
}

static size_t count_triangles(const vx_drawn *drawn)
{
    size_t total = 0;
    for (size_t i = 0; i < drawn->input->step_count; i++) {
        const vx_step *step = &drawn->input->steps[i];
        total += step->op == VX_OP_RASTERIZE ? step->mesh.index_count / 3 : 0;
    }
    return total;
}

bool vx_has_labels(const vx_drawn *drawn)
{
    size_t total = count_triangles(drawn);
    return total > 0 && total <= LABELLED_MAX;
}

static void draw_triangles(const cells *of)
{
    const vx_input *input = of->drawn->input;
    bool seen = count_triangles(of->drawn) <= TRIANGLES_MAX;
    for (size_t i = 0; i < input->step_count && seen; i++) {
        if (input->steps[i].op == VX_OP_RASTERIZE) {
            draw_mesh(of, &input->steps[i].mesh, vx_has_labels(of->drawn));
        }
    }
}

static void label_triangles(cells *of)
{
    const vx_input *input = of->drawn->input;
    size_t number = 0;
    for (size_t i = 0; i < input->step_count && vx_has_labels(of->drawn); i++) {
        if (input->steps[i].op == VX_OP_RASTERIZE) {
            label_mesh(of, &input->steps[i].mesh, &number, count_triangles(of->drawn) > 1);
        }
    }
}

void vx_draw_cells(cairo_t *pen, const vx_drawn *drawn, const vx_map *map)
{
    cells of = {.pen = pen, .drawn = drawn, .map = map};
    vx_fill_box(pen, map->box, vx_void);
    draw_all_cells(&of, false);
    draw_grid(&of);
    draw_triangles(&of);
    draw_all_cells(&of, true);
    label_triangles(&of);
    free(of.texts);
}
