/* SPDX-License-Identifier: MIT */
/* The paper and the pens: surfaces, colours, text and axes, on top of cairo. Lengths are in pixels
 * of a page; a PNG has VX_PICTURE_SCALE of its own to each. */
#ifndef VX_PICTURE_H
#define VX_PICTURE_H

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>

#include "draw.h"

#define VX_PICTURE_SCALE 2.0

typedef struct vx_colour {
    double red, green, blue; /* sRGB, 0 to 1 */
} vx_colour;

typedef struct vx_box {
    double x, y, width, height;
} vx_box;

/* A page under work. */
typedef struct vx_picture {
    cairo_t *pen;
    vx_picture_format format;
    vx_text *bytes;
} vx_picture;

/* A white page of that size whose bytes are appended to `bytes` when it is closed. Closing returns
 * false, with a problem, when something went wrong since opening. */
void vx_picture_open(vx_picture *picture, vx_picture_format format, double width, double height,
                     vx_text *bytes);
VX_NODISCARD bool vx_picture_close(vx_picture *picture, vx_problem *problem);

/* A part of the page that is drawn into pixels first: many small shapes would make an SVG large.
 * `begin` gives a pen in the same coordinates, clipped to the box; `end` puts it on the page. */
cairo_t *vx_pixels_begin(const vx_box *box);
void vx_pixels_end(cairo_t *page, cairo_t *pixels, const vx_box *box);

/* --- colours ---------------------------------------------------------------------------------- */

/* A colour of Oklab, where equal steps look equal: lightness 0 to 1, chroma 0 to about 0.3 (less
 * where the screen has less), hue in degrees. */
vx_colour vx_oklch(double lightness, double chroma, double hue);
vx_colour vx_mix(vx_colour a, vx_colour b, double share_of_b);

/* The ramp for heights, t from 0 to 1: from dark blue over green to light yellow. Its lightness
 * rises evenly, so that it can be read without seeing hues. */
vx_colour vx_ramp(double t);

void vx_set_colour(cairo_t *pen, vx_colour colour, double alpha);

extern const vx_colour vx_ink, vx_faint_ink, vx_paper, vx_void;

/* --- shapes and text -------------------------------------------------------------------------- */

void vx_fill_box(cairo_t *pen, vx_box box, vx_colour colour);

/* Lines over a box, in one of VX_HATCHES patterns, at the same places everywhere on the page. */
enum { VX_HATCHES = 6 };
void vx_hatch_box(cairo_t *pen, vx_box box, unsigned pattern);

typedef enum vx_anchor { VX_LEFT, VX_CENTRE, VX_RIGHT } vx_anchor;

/* One line of text whose baseline starts, has its middle or ends at (x, y). */
void vx_write_text(cairo_t *pen, double x, double y, vx_anchor anchor, double size,
                   const char *text);
/* The same in bold, cut to fit the width. */
void vx_write_bold(cairo_t *pen, double x, double y, double width, double size, const char *text);
double vx_text_width(cairo_t *pen, double size, const char *text);

/* Writes words in lines of at most that width, in the present colour, at most `lines` of them, and
 * returns the number of lines. With draw false it only counts. */
int vx_write_lines(cairo_t *pen, double x, double y, double width, double size, int lines,
                   const char *text, bool draw);

/* Numbers of columns or rows along a side of a panel, from 0 on, `step` pixels apart. */
void vx_draw_numbers_across(cairo_t *pen, double x, double y, double step, int32_t count);
void vx_draw_numbers_down(cairo_t *pen, double x, double y, double step, int32_t count);

/* The least of 1, 2, 5, 10, 20 … that is not below the number. */
int64_t vx_nice_step(double least);

#endif
