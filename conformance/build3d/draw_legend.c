/* SPDX-License-Identifier: MIT */
/* The legend of a picture: colours with their numbers, the scale, and the facts. */
#include <math.h>
#include <stdio.h>

#include "build3d/drawing.h"

#define LEGEND_WIDTH 236.0
#define LINE 18.0
#define TEXT 11.0
#define BAR_MAX 130.0

/* Where the next line goes, and whether it is drawn or only measured. */
typedef struct legend {
    cairo_t *pen;
    const vx_drawn *drawn;
    const vx_map *map;
    double x, y;
    bool draw;
} legend;

static void put(legend *to, double x, vx_anchor anchor, vx_colour colour, const char *text)
{
    if (to->draw) {
        vx_set_colour(to->pen, colour, 1);
        vx_write_text(to->pen, to->x + x, to->y, anchor, TEXT, text);
    }
}

static void heading(legend *to, const char *text)
{
    to->y += 10;
    if (to->draw) {
        vx_set_colour(to->pen, vx_ink, 1);
        vx_write_bold(to->pen, to->x, to->y, LEGEND_WIDTH, TEXT, text);
    }
    to->y += LINE;
}

/* A line with a number at its right end. */
static void number_line(legend *to, double indent, const char *text, uint64_t number)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    put(to, indent, VX_LEFT, vx_ink, text);
    put(to, LEGEND_WIDTH, VX_RIGHT, vx_ink, digits);
    to->y += LINE;
}

static vx_box swatch_box(const legend *to)
{
    return (vx_box){to->x, to->y - 11, 24, 13};
}

static void frame_swatch(const legend *to)
{
    vx_box box = swatch_box(to);
    vx_set_colour(to->pen, vx_ink, 0.5);
    cairo_set_line_width(to->pen, 0.5);
    cairo_rectangle(to->pen, box.x, box.y, box.width, box.height);
    cairo_stroke(to->pen);
}

/* A swatch in three heights, since all colours say how high. */
static void swatch_line(legend *to, vx_drawn_span span, const char *text, uint64_t number)
{
    if (to->draw) {
        vx_box part = swatch_box(to);
        part.width /= 3; /* whole pixels: no seams */
        for (int i = 0; i < 3; i++) {
            span.max = to->drawn->low + (to->drawn->high - to->drawn->low) * (i + 1) / 4;
            vx_fill_box(to->pen, part, vx_top_colour(to->drawn, &span));
            part.x += part.width;
        }
        if (vx_is_hatched(span.area)) {
            vx_hatch_box(to->pen, swatch_box(to), span.area);
        }
        frame_swatch(to);
    }
    number_line(to, 32, text, number);
}

static void ramp(legend *to)
{
    const vx_drawn *drawn = to->drawn;
    const int parts = 59;
    if (to->draw) {
        for (int i = 0; i < parts; i++) {
            vx_box part = {to->x + i * LEGEND_WIDTH / parts, to->y - 11, LEGEND_WIDTH / parts, 14};
            vx_fill_box(to->pen, part, vx_ramp((double)i / (parts - 1)));
        }
    }
    to->y += LINE;
    int32_t rows[] = {drawn->low, drawn->low + (drawn->high - drawn->low) / 2, drawn->high};
    int last = drawn->high - drawn->low > 1 ? 2 : drawn->high > drawn->low ? 1 : 0;
    for (int i = 0; i <= last; i++) {
        int32_t row = i == last ? rows[2] : rows[i];
        char text[64];
        double share = last == 0 ? 0.5 : (double)(row - drawn->low) / (drawn->high - drawn->low);
        double x = share * LEGEND_WIDTH;
        vx_anchor anchor = last == 0   ? VX_CENTRE
                           : i == 0    ? VX_LEFT
                           : i == last ? VX_RIGHT
                                       : VX_CENTRE;
        (void)snprintf(text, sizeof text, "%d", row);
        put(to, x, anchor, vx_ink, text);
        to->y += 14;
        (void)snprintf(text, sizeof text, "%.5g", drawn->origin[1] + row * drawn->cell_height);
        put(to, x, anchor, vx_faint_ink, text);
        to->y -= 14;
    }
    to->y += 14 + LINE;
}

static void tops(legend *to)
{
    static const char *const names[VX_TOP_COUNT] = {"walkable", "eroded", "ledge", "too low above",
                                                    "unwalkable as built"};
    const vx_drawn *drawn = to->drawn;
    heading(to, "Tops of spans");
    for (int top = 0; top < VX_TOP_COUNT; top++) {
        if (drawn->tops[top] > 0) {
            vx_drawn_span span = {.top = (uint8_t)top, .area = VX_AREA_WALKABLE};
            swatch_line(to, span, names[top], drawn->tops[top]);
        }
    }
    for (unsigned area = 1; area <= VX_AREA_MAX; area++) {
        bool only_default =
            area == VX_AREA_WALKABLE && drawn->areas[area] == drawn->tops[VX_TOP_WALKABLE];
        if (drawn->areas[area] > 0 && !only_default) {
            char text[32];
            vx_drawn_span span = {.top = VX_TOP_WALKABLE, .area = (uint8_t)area};
            (void)snprintf(text, sizeof text, "  area %u", area);
            swatch_line(to, span, text, drawn->areas[area]);
        }
    }
}

static void signs(legend *to)
{
    vx_box box = swatch_box(to);
    if (to->map->has_lines) {
        if (to->draw) {
            vx_set_colour(to->pen, vx_ink, 0.75);
            cairo_set_line_width(to->pen, 1.2);
            cairo_move_to(to->pen, box.x, box.y + 7);
            cairo_rel_line_to(to->pen, box.width, 0);
            cairo_stroke(to->pen);
        }
        put(to, 32, VX_LEFT, vx_ink, "a step too high to climb");
        to->y += LINE;
    }
    if (to->map->has_dots) {
        if (to->draw) {
            vx_set_colour(to->pen, vx_ink, 0.6);
            cairo_arc(to->pen, box.x + 12, box.y + 7 + LINE, 2, 0, 6.2832);
            cairo_fill(to->pen);
        }
        put(to, 32, VX_LEFT, vx_ink, "more than one floor");
        to->y += LINE;
    }
}

static void text_line(legend *to, const char *text)
{
    put(to, 0, VX_LEFT, vx_ink, text);
    to->y += LINE;
}

/* What the writing in the cells of a small grid means. */
static void cell_texts(legend *to)
{
    heading(to, "In the cells, the highest first");
    if (to->drawn->is_compact) {
        text_line(to, "3 ↑12 63: floor on top of row 2, at 3,");
        text_line(to, "12 rows open above it, area 63");
        text_line(to, "[2,5) 0: no floor, rows 2 to 4 are filled");
    } else {
        text_line(to, "[2,5) 63: rows 2 to 4 are filled, area 63");
    }
}

/* A line as links are drawn, or one with an arrowhead. */
static void link_line(legend *to, bool arrow, const char *text, uint64_t number)
{
    vx_box box = swatch_box(to);
    double y = box.y + box.height / 2;
    if (to->draw) {
        vx_set_colour(to->pen, vx_ink, 0.85);
        cairo_set_line_width(to->pen, 1.2);
        cairo_move_to(to->pen, box.x, y);
        cairo_rel_line_to(to->pen, box.width - 2, 0);
        cairo_stroke(to->pen);
        if (arrow) {
            vx_add_arrowhead(to->pen, box.x + box.width, y, 1, 0, 8);
            cairo_fill(to->pen);
        }
    }
    number_line(to, 32, text, number);
}

static void links(legend *to)
{
    heading(to, to->map->has_cells ? "Links (in cells: of the highest floor)" : "Links");
    if (to->drawn->both_ways > 0) {
        link_line(to, false, "there and back", to->drawn->both_ways / 2);
    }
    if (to->drawn->one_way > 0) {
        link_line(to, true, "one way only", to->drawn->one_way);
    }
}

/* The heights of the corners of triangles, which have names on the map. */
static void corners(legend *to)
{
    const vx_input *input = to->drawn->input;
    size_t number = 0;
    heading(to, "Corners of triangles, height in rows");
    for (size_t i = 0; i < input->step_count; i++) {
        const vx_mesh *mesh = &input->steps[i].mesh;
        for (size_t k = 0; input->steps[i].op == VX_OP_RASTERIZE && k < mesh->index_count / 3;
             k++) {
            vx_text text = {0};
            for (size_t corner = 0; corner < 3; corner++) {
                double uvw[3];
                bool good = vx_find_corner(to->drawn, mesh, k, corner, uvw);
                vx_text_format(&text, good ? "%s%c %.5g" : "%s%c –", corner > 0 ? "   " : "",
                               'a' + (int)corner, good ? uvw[1] : 0);
            }
            if (to->draw) {
                vx_box box = swatch_box(to);
                vx_fill_box(to->pen, (vx_box){box.x, box.y + 5, box.width, 3},
                            vx_triangle_colour(k));
            }
            if (number > 0 || mesh->index_count > 3) {
                char digits[24];
                (void)snprintf(digits, sizeof digits, "%zu:", number);
                put(to, 32, VX_LEFT, vx_ink, digits);
            }
            put(to, 50, VX_LEFT, vx_ink, text.bytes);
            to->y += LINE;
            number++;
            vx_text_free(&text);
        }
    }
}

/* How the answer compares with what the case expects. */
static void expectations(legend *to)
{
    const vx_drawn *drawn = to->drawn;
    bool right = drawn->difference.size == 0;
    heading(to, "Expected answer");
    if (right || drawn->differs == NULL) {
        text_line(to, right ? "the one drawn here" : "another one, see above");
        return;
    }
    if (to->draw) {
        vx_box box = swatch_box(to);
        vx_set_colour(to->pen, vx_wrong_colour, 1);
        cairo_set_line_width(to->pen, 2);
        cairo_rectangle(to->pen, box.x + 6, box.y + 1, 11, 11);
        cairo_stroke(to->pen);
    }
    number_line(to, 32, "columns that differ from it", drawn->differing);
}

/* A length of the world as it is on the map. */
static void scale_bar(legend *to)
{
    double per_unit = to->map->cell_x / to->drawn->cell_size;
    double unit = pow(10, floor(log10(BAR_MAX / per_unit)));
    double length = unit * per_unit * 5 <= BAR_MAX   ? 5 * unit
                    : unit * per_unit * 2 <= BAR_MAX ? 2 * unit
                                                     : unit;
    double width = length * per_unit;
    double cells = length / to->drawn->cell_size;
    char text[80];
    if (to->draw) {
        vx_set_colour(to->pen, vx_ink, 1);
        cairo_set_line_width(to->pen, 1.5);
        cairo_move_to(to->pen, to->x, to->y - 8);
        cairo_rel_line_to(to->pen, 0, 6);
        cairo_rel_line_to(to->pen, width, 0);
        cairo_rel_line_to(to->pen, 0, -6);
        cairo_stroke(to->pen);
    }
    (void)snprintf(text, sizeof text, "%g = %.4g cell%s", length, cells, cells == 1 ? "" : "s");
    put(to, width + 10, VX_LEFT, vx_ink, text);
    to->y += LINE;
}

static void facts(legend *to)
{
    const vx_drawn *drawn = to->drawn;
    char text[160];
    heading(to, "Grid");
    (void)snprintf(text, sizeof text, "%d × %d columns, %d rows", drawn->size[0], drawn->size[1],
                   drawn->size[2]);
    put(to, 0, VX_LEFT, vx_ink, text);
    to->y += LINE;
    (void)snprintf(text, sizeof text, "cells of %.5g, rows of %.5g", drawn->cell_size,
                   drawn->cell_height);
    put(to, 0, VX_LEFT, vx_ink, text);
    to->y += LINE;
    (void)snprintf(text, sizeof text, "origin %.6g, %.6g, %.6g", drawn->origin[0], drawn->origin[1],
                   drawn->origin[2]);
    put(to, 0, VX_LEFT, vx_ink, text);
    to->y += LINE;
    number_line(to, 0, "solid spans", drawn->span_count);
    if (drawn->is_compact) {
        number_line(to, 0, "compact spans", drawn->compact_count);
    }
    number_line(to, 0, "degenerate triangles", drawn->degenerate);
}

double vx_draw_legend(cairo_t *pen, const vx_drawn *drawn, const vx_map *map, double x, double y,
                      bool draw)
{
    legend to = {.pen = pen, .drawn = drawn, .map = map, .x = x, .y = y, .draw = draw};
    if (drawn->span_count > 0) {
        heading(&to, "Height of the top: row, in the world");
        ramp(&to);
        tops(&to);
        signs(&to);
    }
    if (drawn->request->item->has_expect) {
        expectations(&to);
    }
    if (map->has_cells && drawn->span_count > 0) {
        cell_texts(&to);
    }
    if (map->has_links) {
        links(&to);
    }
    if (map->has_triangles) {
        corners(&to);
    }
    if (drawn->size[0] > 0) {
        heading(&to, "Scale");
        scale_bar(&to);
        facts(&to);
    }
    return to.y - y;
}
