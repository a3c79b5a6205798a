/* SPDX-License-Identifier: MIT */
/* The view of a small grid: every cell with its spans in numbers, and the triangles above them. */
#include <math.h>
#include <stdio.h>

#include "build3d/drawing.h"

#define TEXT 9.5
#define TEXT_LINE 12.0
#define ARROW 4.0

enum { TRIANGLES_MAX = 400, LABELLED_MAX = 4 };

/* What is drawn where. */
typedef struct cells {
    cairo_t *pen;
    const vx_drawn *drawn;
    const vx_map *map;
} cells;

/* --- spans ------------------------------------------------------------------------------------ */

/* "[3, 4) 63", or for a compact span its floor, its open height and its area. */
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

/* A small arrow from the border inwards or outwards for each link of a floor. */
static void draw_arrows(const cells *of, const vx_compact_row *row, const vx_box *box)
{
    static const double step[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}}; /* SPEC B7.2 */
    for (int d = 0; d < 4; d++) {
        if (row->link[d] == VX_LINK_NONE) {
            continue;
        }
        double x = box->x + box->width / 2 + step[d][0] * (box->width / 2 - 1);
        double y = box->y + box->height / 2 + step[d][1] * (box->height / 2 - 1);
        double back_x = -step[d][0] * ARROW * 1.4;
        double back_y = -step[d][1] * ARROW * 1.4;
        double side_x = step[d][1] * ARROW;
        double side_y = step[d][0] * ARROW;
        cairo_move_to(of->pen, x, y);
        cairo_line_to(of->pen, x + back_x + side_x, y + back_y + side_y);
        cairo_line_to(of->pen, x + back_x - side_x, y + back_y - side_y);
        cairo_close_path(of->pen);
    }
    vx_set_colour(of->pen, vx_ink, 0.7);
    cairo_fill(of->pen);
}

/* A line of text in the middle of a cell, on a ground that keeps triangles from crossing it. */
static void write_line(const cells *of, const vx_box *box, double y, double alpha, const char *text)
{
    double middle = box->x + box->width / 2;
    double width = vx_text_width(of->pen, TEXT, text) + 4;
    vx_set_colour(of->pen, vx_paper, 0.5);
    cairo_rectangle(of->pen, middle - width / 2, y - TEXT_LINE + 3, width, TEXT_LINE);
    cairo_fill(of->pen);
    vx_set_colour(of->pen, vx_ink, alpha);
    vx_write_text(of->pen, middle, y, VX_CENTRE, TEXT, text);
}

/* The spans of a cell as lines of text, the highest first. */
static void write_spans(const cells *of, const vx_box *box, size_t first, size_t end)
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

static void draw_cell(const cells *of, int32_t x, int32_t z, bool text)
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
            draw_arrows(of, &of->drawn->compact[span->compact], &box);
        }
        write_spans(of, &box, first, end);
        return;
    }
    vx_fill_box(of->pen, box, vx_mix(vx_top_colour(of->drawn, span), vx_paper, 0.45));
    if (vx_is_hatched(span->area)) {
        vx_hatch_box(of->pen, box, span->area);
    }
}

static void draw_all_cells(const cells *of, bool text)
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

/* A vertex in cell units, SPEC B1.7 and B1.8. */
static void to_cells(const vx_drawn *drawn, const double *vertex, double uvw[3])
{
    const vx_frame *frame = &drawn->input->frame;
    for (int i = 0; i < 3; i++) {
        float local = (float)(vertex[i] - drawn->origin[i]);
        uvw[i] = (double)(local / (i == 1 ? frame->cell_height : frame->cell_size));
    }
}

/* Vertex number `corner` of triangle k; false when the input is malformed there. */
static bool find_corner(const cells *of, const vx_mesh *mesh, size_t k, size_t corner,
                        double uvw[3])
{
    int64_t index = mesh->indices[3 * k + corner];
    if (index < 0 || (uint64_t)index >= mesh->vertex_values / 3) {
        return false;
    }
    to_cells(of->drawn, &mesh->vertices[3 * (size_t)index], uvw);
    return isfinite(uvw[0]) && isfinite(uvw[1]) && isfinite(uvw[2]);
}

/* Cairo's coordinates end at about 8 million; what lies that far off is not seen anyway. */
static double on_paper(double pixels)
{
    return fmin(fmax(pixels, -1e5), 1e5);
}

/* Colours that differ in lightness as well as in hue. */
static vx_colour triangle_colour(size_t k)
{
    static const double looks[][2] = {{0.45, 264}, {0.62, 45}, {0.5, 155}, {0.55, 330}, {0.38, 30}};
    const double *look = looks[k % (sizeof looks / sizeof looks[0])];
    return vx_oklch(look[0], 0.16, look[1]);
}

/* Where a triangle's corners are on the page. */
typedef struct outline {
    double at[3][2], v[3];
} outline;

/* False when the input is malformed there. */
static bool find_outline(const cells *of, const vx_mesh *mesh, size_t k, outline *found)
{
    for (size_t i = 0; i < 3; i++) {
        double uvw[3];
        if (!find_corner(of, mesh, k, i, uvw)) {
            return false;
        }
        found->at[i][0] = on_paper(of->map->box.x + uvw[0] * of->map->cell_x);
        found->at[i][1] = on_paper(of->map->box.y + uvw[2] * of->map->cell_z);
        found->v[i] = uvw[1];
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

/* "a v=3" beside each corner near the grid, pushed away from the triangle's middle. */
static void label_corners(const cells *of, const outline *corners)
{
    static const char names[] = "abc";
    vx_box room = of->map->box;
    room.x -= VX_MARGIN_CELLS;
    room.y -= VX_MARGIN_CELLS;
    room.width += 2 * VX_MARGIN_CELLS;
    room.height += 2 * VX_MARGIN_CELLS;
    const double(*at)[2] = corners->at;
    for (int i = 0; i < 3; i++) {
        char text[40];
        double away_x = at[i][0] - (at[0][0] + at[1][0] + at[2][0]) / 3;
        double away_y = at[i][1] - (at[0][1] + at[1][1] + at[2][1]) / 3;
        double length = fmax(hypot(away_x, away_y), 1);
        double y = at[i][1] + away_y / length * 9 + 3;
        (void)snprintf(text, sizeof text, "%c v=%.5g", names[i], corners->v[i]);
        double half = vx_text_width(of->pen, TEXT, text) / 2;
        double x = at[i][0] + away_x / length * 12;
        x = fmin(fmax(x, room.x + half), room.x + room.width - half);
        if (at[i][0] >= room.x && at[i][0] <= room.x + room.width && y >= room.y &&
            y <= room.y + room.height) {
            vx_write_text(of->pen, x, y, VX_CENTRE, TEXT, text);
        }
    }
}

static void draw_mesh(const cells *of, const vx_mesh *mesh, bool labelled)
{
    const vx_box *box = &of->map->box;
    for (size_t k = 0; k < mesh->index_count / 3; k++) {
        outline corners;
        if (!find_outline(of, mesh, k, &corners)) {
            continue;
        }
        vx_set_colour(of->pen, triangle_colour(k), 1);
        cairo_save(of->pen);
        cairo_rectangle(of->pen, box->x - VX_MARGIN_CELLS, box->y - VX_MARGIN_CELLS,
                        box->width + 2 * VX_MARGIN_CELLS, box->height + 2 * VX_MARGIN_CELLS);
        cairo_clip(of->pen);
        draw_outline(of, &corners, labelled ? 1.8 : 1.1);
        cairo_restore(of->pen);
        if (labelled) {
            label_corners(of, &corners);
        }
    }
}

static void draw_triangles(const cells *of)
{
    const vx_input *input = of->drawn->input;
    size_t total = 0;
    for (size_t i = 0; i < input->step_count; i++) {
        total += input->steps[i].op == VX_OP_RASTERIZE ? input->steps[i].mesh.index_count / 3 : 0;
    }
    for (size_t i = 0; i < input->step_count && total <= TRIANGLES_MAX; i++) {
        if (input->steps[i].op == VX_OP_RASTERIZE) {
            draw_mesh(of, &input->steps[i].mesh, total <= LABELLED_MAX);
        }
    }
}

void vx_draw_cells(cairo_t *pen, const vx_drawn *drawn, const vx_map *map)
{
    cells of = {pen, drawn, map};
    vx_fill_box(pen, map->box, vx_void);
    draw_all_cells(&of, false);
    draw_grid(&of);
    draw_triangles(&of);
    draw_all_cells(&of, true);
}
