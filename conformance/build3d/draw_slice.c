/* SPDX-License-Identifier: MIT */
/* The slice through a line of columns: solid rows, floors, the open heights above them, links. */
#include <math.h>
#include <stdio.h>

#include "build3d/drawing.h"

#define TOP_BAND 3.0   /* thickness of a floor, in pixels */
#define WRONG_BAND 5.0 /* and of what stands above columns that are wrong */
#define HEAD_MAX 8.0   /* length of an arrowhead */

enum { VECTOR_SPANS_MAX = 4000 };

/* A slice under work, with how to get from columns and rows to the page. */
typedef struct cut {
    cairo_t *pen;
    const vx_drawn *drawn;
    const vx_slice *slice;
} cut;

static int32_t along(const cut *of, int32_t x, int32_t z)
{
    return of->slice->axis == 'x' ? z : x;
}

static double left_of(const cut *of, int32_t column)
{
    return of->slice->box.x + column * of->slice->cell;
}

static double height_of(const cut *of, double row)
{
    const vx_slice *slice = of->slice;
    return slice->box.y + slice->box.height - (row - slice->low) * slice->row;
}

/* Calls back for the spans of each column of the slice, from left to right. */
static void each_column(const cut *of, void (*draw)(const cut *of, size_t first, size_t end))
{
    const vx_slice *slice = of->slice;
    int32_t count = slice->axis == 'x' ? of->drawn->size[1] : of->drawn->size[0];
    for (int32_t i = 0; i < count; i++) {
        size_t first;
        size_t end;
        vx_drawn_column(of->drawn, slice->axis == 'x' ? slice->at : i,
                        slice->axis == 'x' ? i : slice->at, &first, &end);
        draw(of, first, end);
    }
}

/* The space that is open above a floor, as far up as the panel goes. */
static void draw_open(const cut *of, size_t first, size_t end)
{
    const vx_drawn *drawn = of->drawn;
    for (size_t i = first; i < end; i++) {
        const vx_drawn_span *span = &drawn->spans[i];
        if (span->compact < 0 || span->area == 0) {
            continue;
        }
        const vx_compact_row *row = &drawn->compact[span->compact];
        double left = left_of(of, along(of, span->x, span->z));
        double floor = height_of(of, row->y);
        double ceiling = height_of(of, fmin((double)row->y + row->height, of->slice->high));
        vx_box box = {left, ceiling, of->slice->cell, floor - ceiling};
        vx_fill_box(of->pen, box, vx_mix(vx_top_colour(drawn, span), vx_paper, 0.78));
    }
}

static void draw_solid(const cut *of, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const vx_drawn_span *span = &of->drawn->spans[i];
        double left = left_of(of, along(of, span->x, span->z));
        double top = height_of(of, span->max);
        vx_box box = {left, top, of->slice->cell, height_of(of, span->min) - top};
        vx_fill_box(of->pen, box, vx_oklch(0.76, 0.012, 260));
        if (span->top != VX_TOP_UNWALKABLE) {
            box.height = fmin(TOP_BAND, box.height);
            vx_fill_box(of->pen, box, vx_top_colour(of->drawn, span));
            if (vx_is_hatched(span->area)) {
                vx_hatch_box(of->pen, box, span->area);
            }
        }
    }
}

/* The direction of SPEC B7.2 to one side, −1 or 1. */
static int direction_of(const cut *of, int side)
{
    bool along_z = of->slice->axis == 'x';
    return along_z ? (side < 0 ? 3 : 1) : (side < 0 ? 0 : 2);
}

/* A link to one side is drawn from the middle of its floor to the border that it crosses, so that
 * two that answer each other make one line; one that is not answered goes all the way. */
static void draw_link(const cut *of, const vx_drawn_span *span, int side)
{
    const vx_drawn_span *to = vx_drawn_linked(of->drawn, span, direction_of(of, side));
    if (to != NULL) {
        bool half = vx_drawn_is_mutual(of->drawn, span, direction_of(of, side));
        double part = half ? 0.5 : 1.0;
        double middle = left_of(of, along(of, span->x, span->z)) + of->slice->cell / 2;
        cairo_move_to(of->pen, middle, height_of(of, span->max));
        cairo_line_to(of->pen, middle + side * part * of->slice->cell,
                      height_of(of, span->max + (to->max - span->max) * part));
    }
}

static void draw_links(const cut *of, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (of->drawn->spans[i].compact >= 0) {
            draw_link(of, &of->drawn->spans[i], -1);
            draw_link(of, &of->drawn->spans[i], 1);
        }
    }
}

/* The heads of links that are not answered, at the floors that they lead to. */
static void draw_heads(const cut *of, size_t first, size_t end)
{
    const vx_drawn *drawn = of->drawn;
    for (size_t i = first; i < end; i++) {
        const vx_drawn_span *span = &drawn->spans[i];
        for (int side = -1; side <= 1 && span->compact >= 0; side += 2) {
            int direction = direction_of(of, side);
            const vx_drawn_span *to = vx_drawn_linked(drawn, span, direction);
            if (to != NULL && !vx_drawn_is_mutual(drawn, span, direction)) {
                double x = left_of(of, along(of, to->x, to->z)) + of->slice->cell / 2;
                vx_add_arrowhead(of->pen, x, height_of(of, to->max), side * of->slice->cell,
                                 (span->max - to->max) * of->slice->row,
                                 fmin(of->slice->cell * 0.6, HEAD_MAX));
            }
        }
    }
}

/* Columns that are not as they are expected have a mark above them. */
static void draw_wrong(const cut *of)
{
    const vx_slice *slice = of->slice;
    int32_t count = slice->axis == 'x' ? of->drawn->size[1] : of->drawn->size[0];
    for (int32_t i = 0; i < count; i++) {
        if (vx_drawn_differs(of->drawn, slice->axis == 'x' ? slice->at : i,
                             slice->axis == 'x' ? i : slice->at)) {
            cairo_rectangle(of->pen, left_of(of, i), slice->box.y, fmax(slice->cell, 1),
                            WRONG_BAND);
        }
    }
    vx_set_colour(of->pen, vx_wrong_colour, 1);
    cairo_fill(of->pen);
}

/* Numbers beside the slice: rows on the left, heights in the world on the right. */
static void number_rows(const cut *of)
{
    const vx_slice *slice = of->slice;
    int64_t step = vx_nice_step(18 / slice->row);
    int64_t first = (slice->low + step - 1) / step * step;
    double right = slice->box.x + slice->box.width;
    for (int64_t row = first; row <= slice->high; row += step) {
        double y = height_of(of, (double)row);
        char text[40];
        vx_set_colour(of->pen, vx_faint_ink, 1);
        (void)snprintf(text, sizeof text, "%lld", (long long)row);
        vx_write_text(of->pen, slice->box.x - 7, y + 3.5, VX_RIGHT, 10, text);
        (void)snprintf(text, sizeof text, "%.4g",
                       of->drawn->origin[1] + (double)row * of->drawn->cell_height);
        vx_write_text(of->pen, right + 7, y + 3.5, VX_LEFT, 10, text);
        cairo_move_to(of->pen, slice->box.x - 4, y);
        cairo_line_to(of->pen, slice->box.x, y);
        cairo_move_to(of->pen, right, y);
        cairo_line_to(of->pen, right + 4, y);
        cairo_set_line_width(of->pen, 1);
        cairo_stroke(of->pen);
        vx_set_colour(of->pen, vx_faint_ink, 0.25);
        cairo_set_line_width(of->pen, 0.5);
        cairo_move_to(of->pen, slice->box.x, y);
        cairo_line_to(of->pen, right, y);
        cairo_stroke(of->pen);
    }
}

static void draw_inside(const cut *of)
{
    each_column(of, draw_open);
    each_column(of, draw_solid);
    if (of->slice->cell >= VX_CELL_ROOMY && of->drawn->is_compact) {
        each_column(of, draw_links);
        vx_set_colour(of->pen, vx_ink, 0.85);
        cairo_set_line_width(of->pen, 0.9);
        cairo_set_line_cap(of->pen, CAIRO_LINE_CAP_BUTT);
        cairo_stroke(of->pen);
        each_column(of, draw_heads);
        cairo_fill(of->pen);
    }
    draw_wrong(of);
}

void vx_draw_slice(cairo_t *pen, const vx_drawn *drawn, const vx_slice *slice)
{
    cut of = {pen, drawn, slice};
    int32_t count = slice->axis == 'x' ? drawn->size[1] : drawn->size[0];
    vx_fill_box(pen, slice->box, vx_void);
    cairo_save(pen);
    cairo_rectangle(pen, slice->box.x, slice->box.y, slice->box.width, slice->box.height);
    cairo_clip(pen);
    if (count > VECTOR_SPANS_MAX || slice->cell < VX_CELL_ROOMY) {
        of.pen = vx_pixels_begin(&slice->box);
        draw_inside(&of);
        vx_pixels_end(pen, of.pen, &slice->box);
        of.pen = pen;
    } else {
        draw_inside(&of);
    }
    cairo_restore(pen);
    number_rows(&of);
    vx_set_colour(pen, vx_ink, 1);
    cairo_set_line_width(pen, 1);
    cairo_rectangle(pen, slice->box.x, slice->box.y, slice->box.width, slice->box.height);
    cairo_stroke(pen);
}
