/* SPDX-License-Identifier: MIT */
/* Marks upon a picture: columns that are not as they are expected, and arrowheads. */
#include <math.h>

#include "build3d/drawing.h"

#define SEEN_MIN 3.0 /* a mark is at least so large, in pixels */

enum { VECTOR_MARKS_MAX = 4096 };

const vx_colour vx_wrong_colour = {0.86, 0.0, 0.5};

void vx_add_arrowhead(cairo_t *pen, double x, double y, double dx, double dy, double length)
{
    double scale = length / fmax(hypot(dx, dy), 1e-9);
    double back_x = x - dx * scale;
    double back_y = y - dy * scale;
    double side_x = dy * scale / 2;
    double side_y = dx * scale / 2;
    cairo_move_to(pen, x, y);
    cairo_line_to(pen, back_x + side_x, back_y - side_y);
    cairo_line_to(pen, back_x - side_x, back_y + side_y);
    cairo_close_path(pen);
}

/* A frame, and a cross in cells that are large enough; the whole of small ones. */
static void mark_cell(cairo_t *pen, const vx_map *map, int32_t x, int32_t z)
{
    vx_box box = {map->box.x + x * map->cell_x, map->box.y + z * map->cell_z, map->cell_x,
                  map->cell_z};
    if (fmin(map->cell_x, map->cell_z) < VX_CELL_ROOMY) {
        double width = fmax(box.width, SEEN_MIN);
        double height = fmax(box.height, SEEN_MIN);
        cairo_rectangle(pen, box.x + (box.width - width) / 2, box.y + (box.height - height) / 2,
                        width, height);
        cairo_fill(pen);
        return;
    }
    cairo_rectangle(pen, box.x + 1, box.y + 1, box.width - 2, box.height - 2);
    if (!map->has_cells) {
        cairo_move_to(pen, box.x + 1, box.y + 1);
        cairo_rel_line_to(pen, box.width - 2, box.height - 2);
        cairo_move_to(pen, box.x + box.width - 1, box.y + 1);
        cairo_rel_line_to(pen, 2 - box.width, box.height - 2);
    }
    cairo_stroke(pen);
}

static void mark_cells(cairo_t *pen, const vx_drawn *drawn, const vx_map *map)
{
    vx_set_colour(pen, vx_wrong_colour, 1);
    cairo_set_line_width(pen, fmin(map->cell_x / 6, 2));
    for (int32_t z = 0; z < drawn->size[1]; z++) {
        for (int32_t x = 0; x < drawn->size[0]; x++) {
            if (vx_drawn_differs(drawn, x, z)) {
                mark_cell(pen, map, x, z);
            }
        }
    }
}

void vx_draw_differences(cairo_t *pen, const vx_drawn *drawn, const vx_map *map)
{
    if (drawn->differing > VECTOR_MARKS_MAX) {
        cairo_t *pixels = vx_pixels_begin(&map->box);
        mark_cells(pixels, drawn, map);
        vx_pixels_end(pen, pixels, &map->box);
    } else if (drawn->differing > 0) {
        mark_cells(pen, drawn, map);
    }
}
