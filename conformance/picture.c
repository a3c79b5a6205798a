/* SPDX-License-Identifier: MIT */
/* The paper and the pens: surfaces, colours, text and axes, on top of cairo. */
#include "picture.h"

#include <cairo-svg.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const vx_colour vx_ink = {0.11, 0.13, 0.16};
const vx_colour vx_faint_ink = {0.42, 0.45, 0.5};
const vx_colour vx_paper = {1, 1, 1};
const vx_colour vx_void = {0.95, 0.955, 0.965};

static const double pi = 3.14159265358979323846;

#define HATCH_GAP 6.0

/* --- pages ------------------------------------------------------------------------------------ */

/* Pages that are open now. */
static int open_pages;

/* Cairo and fontconfig keep fonts; at the end of the program they are given back, so that a search
 * for leaks finds only what is one. With a page open the program ends in a hurry. */
static void forget_fonts(void)
{
    if (open_pages == 0) {
        cairo_debug_reset_static_data();
        FcFini();
    }
}

static void count_page(void)
{
    static bool registered;
    if (!registered) {
        registered = atexit(forget_fonts) == 0;
    }
    open_pages++;
}

static cairo_status_t take_bytes(void *closure, const unsigned char *bytes, unsigned size)
{
    vx_text_add_bytes(closure, bytes, size);
    return CAIRO_STATUS_SUCCESS;
}

static int whole_pixels(double length)
{
    return (int)ceil(length * VX_PICTURE_SCALE);
}

void vx_picture_open(vx_picture *picture, vx_picture_format format, double width, double height,
                     vx_text *bytes)
{
    cairo_surface_t *surface =
        format == VX_PICTURE_SVG
            ? cairo_svg_surface_create_for_stream(take_bytes, bytes, width, height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, whole_pixels(width),
                                         whole_pixels(height));
    count_page();
    picture->format = format;
    picture->bytes = bytes;
    picture->pen = cairo_create(surface);
    cairo_surface_destroy(surface);
    if (format == VX_PICTURE_PNG) {
        cairo_scale(picture->pen, VX_PICTURE_SCALE, VX_PICTURE_SCALE);
    }
    vx_fill_box(picture->pen, (vx_box){0, 0, width, height}, vx_paper);
    cairo_set_line_join(picture->pen, CAIRO_LINE_JOIN_ROUND);
}

bool vx_picture_close(vx_picture *picture, vx_problem *problem)
{
    cairo_surface_t *surface = cairo_surface_reference(cairo_get_target(picture->pen));
    cairo_status_t status = cairo_status(picture->pen);
    cairo_destroy(picture->pen);
    if (status == CAIRO_STATUS_SUCCESS && picture->format == VX_PICTURE_PNG) {
        status = cairo_surface_write_to_png_stream(surface, take_bytes, picture->bytes);
    }
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_status(surface);
    }
    cairo_surface_destroy(surface);
    open_pages--;
    return status == CAIRO_STATUS_SUCCESS ||
           vx_problem_say(problem, "the picture cannot be made: %s",
                          cairo_status_to_string(status));
}

cairo_t *vx_pixels_begin(const vx_box *box)
{
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, whole_pixels(box->width), whole_pixels(box->height));
    cairo_t *pixels = cairo_create(surface);
    cairo_surface_destroy(surface);
    cairo_scale(pixels, VX_PICTURE_SCALE, VX_PICTURE_SCALE);
    cairo_translate(pixels, -box->x, -box->y);
    cairo_set_line_join(pixels, CAIRO_LINE_JOIN_ROUND);
    return pixels;
}

void vx_pixels_end(cairo_t *page, cairo_t *pixels, const vx_box *box)
{
    cairo_save(page);
    cairo_rectangle(page, box->x, box->y, box->width, box->height);
    cairo_clip(page);
    cairo_translate(page, box->x, box->y);
    cairo_scale(page, 1 / VX_PICTURE_SCALE, 1 / VX_PICTURE_SCALE);
    cairo_set_source_surface(page, cairo_get_target(pixels), 0, 0);
    cairo_paint(page);
    cairo_restore(page);
    cairo_destroy(pixels);
}

/* --- colours ---------------------------------------------------------------------------------- */

static double to_srgb(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

/* Linear red, green and blue of a colour in Oklab (Ottosson 2020); outside 0 to 1 there is no such
 * colour on a screen. */
static void oklab_to_linear(double lightness, double a, double b, double linear[3])
{
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    linear[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    linear[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    linear[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

static bool is_on_screen(const double linear[3])
{
    for (int i = 0; i < 3; i++) {
        if (linear[i] < -1e-4 || linear[i] > 1 + 1e-4) {
            return false;
        }
    }
    return true;
}

vx_colour vx_oklch(double lightness, double chroma, double hue)
{
    double linear[3];
    double angle = hue * pi / 180;
    double low = 0;
    double high = chroma;
    /* Halving finds the greatest chroma up to the given one that a screen can show. */
    for (int i = 0; i < 12; i++) {
        double middle = i == 0 ? chroma : (low + high) / 2;
        oklab_to_linear(lightness, middle * cos(angle), middle * sin(angle), linear);
        if (is_on_screen(linear)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    oklab_to_linear(lightness, low * cos(angle), low * sin(angle), linear);
    for (int i = 0; i < 3; i++) {
        linear[i] = to_srgb(fmin(fmax(linear[i], 0), 1));
    }
    return (vx_colour){linear[0], linear[1], linear[2]};
}

vx_colour vx_mix(vx_colour a, vx_colour b, double share_of_b)
{
    double share_of_a = 1 - share_of_b;
    return (vx_colour){a.red * share_of_a + b.red * share_of_b,
                       a.green * share_of_a + b.green * share_of_b,
                       a.blue * share_of_a + b.blue * share_of_b};
}

vx_colour vx_ramp(double t)
{
    return vx_oklch(0.38 + 0.54 * t, 0.13, 275 - 172 * t);
}

void vx_set_colour(cairo_t *pen, vx_colour colour, double alpha)
{
    cairo_set_source_rgba(pen, colour.red, colour.green, colour.blue, alpha);
}

/* --- shapes and text -------------------------------------------------------------------------- */

void vx_fill_box(cairo_t *pen, vx_box box, vx_colour colour)
{
    vx_set_colour(pen, colour, 1);
    cairo_rectangle(pen, box.x, box.y, box.width, box.height);
    cairo_fill(pen);
}

/* The lines a·x + b·y = k · HATCH_GAP, for all whole k, across the box. */
static void hatch_lines(cairo_t *pen, const vx_box *box, int a, int b)
{
    double at[4];
    for (int corner = 0; corner < 4; corner++) {
        at[corner] =
            a * (box->x + (corner & 1) * box->width) + b * (box->y + (corner >> 1) * box->height);
    }
    double least = fmin(fmin(at[0], at[1]), fmin(at[2], at[3]));
    double most = fmax(fmax(at[0], at[1]), fmax(at[2], at[3]));
    int64_t last = (int64_t)floor(most / HATCH_GAP);
    for (int64_t k = (int64_t)ceil(least / HATCH_GAP); k <= last; k++) {
        double level = (double)k * HATCH_GAP;
        if (a == 0) {
            cairo_move_to(pen, box->x, level);
            cairo_rel_line_to(pen, box->width, 0);
        } else {
            cairo_move_to(pen, (level - b * box->y) / a, box->y);
            cairo_line_to(pen, (level - b * (box->y + box->height)) / a, box->y + box->height);
        }
    }
}

void vx_hatch_box(cairo_t *pen, vx_box box, unsigned pattern)
{
    /* One or two families of lines each. */
    static const int families[VX_HATCHES][2][2] = {{{1, -1}}, {{1, 1}},          {{0, 1}},
                                                   {{1, 0}},  {{1, -1}, {1, 1}}, {{0, 1}, {1, 0}}};
    const int(*family)[2] = families[pattern % VX_HATCHES];
    cairo_save(pen);
    cairo_rectangle(pen, box.x, box.y, box.width, box.height);
    cairo_clip(pen);
    for (int i = 0; i < 2 && (family[i][0] != 0 || family[i][1] != 0); i++) {
        hatch_lines(pen, &box, family[i][0], family[i][1]);
    }
    vx_set_colour(pen, vx_paper, 0.75);
    cairo_set_line_width(pen, 1.2);
    cairo_stroke(pen);
    cairo_restore(pen);
}

static void set_font(cairo_t *pen, double size, cairo_font_weight_t weight)
{
    cairo_select_font_face(pen, "sans-serif", CAIRO_FONT_SLANT_NORMAL, weight);
    cairo_set_font_size(pen, size);
}

double vx_text_width(cairo_t *pen, double size, const char *text)
{
    cairo_text_extents_t extents;
    set_font(pen, size, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_text_extents(pen, text, &extents);
    return extents.x_advance;
}

void vx_write_text(cairo_t *pen, double x, double y, vx_anchor anchor, double size,
                   const char *text)
{
    double width = anchor == VX_LEFT ? 0 : vx_text_width(pen, size, text);
    set_font(pen, size, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_move_to(pen, anchor == VX_LEFT ? x : anchor == VX_RIGHT ? x - width : x - width / 2, y);
    cairo_show_text(pen, text);
}

/* How many of the text's bytes fit: whole characters, at least one. */
static size_t fitting_length(cairo_t *pen, double width, const char *text)
{
    size_t length = 0;
    vx_text part = {0};
    while (text[length] != '\0') {
        size_t next = length + 1;
        while ((text[next] & 0xc0) == 0x80) {
            next++;
        }
        cairo_text_extents_t extents;
        vx_text_add_bytes(&part, text + length, next - length);
        cairo_text_extents(pen, part.bytes, &extents);
        if (length > 0 && extents.x_advance > width) {
            break;
        }
        length = next;
    }
    vx_text_free(&part);
    return length;
}

void vx_write_bold(cairo_t *pen, double x, double y, double width, double size, const char *text)
{
    set_font(pen, size, CAIRO_FONT_WEIGHT_BOLD);
    size_t length = fitting_length(pen, width - size, text);
    vx_text line = {0};
    vx_text_add_bytes(&line, text, length);
    vx_text_add(&line, text[length] != '\0' ? "…" : "");
    cairo_move_to(pen, x, y);
    cairo_show_text(pen, line.bytes);
    vx_text_free(&line);
}

/* The length of the next line of text: as many words as fit, or a part of a word that is longer. */
static size_t line_length(cairo_t *pen, double size, double width, const char *text)
{
    size_t taken = 0;
    vx_text line = {0};
    for (;;) {
        size_t word = strspn(text + taken, " ");
        word += strcspn(text + taken + word, " ");
        if (word == 0) {
            break;
        }
        vx_text_add_bytes(&line, text + taken, word);
        if (vx_text_width(pen, size, line.bytes) > width) {
            taken = taken > 0 ? taken : fitting_length(pen, width, text);
            break;
        }
        taken += word;
    }
    vx_text_free(&line);
    return taken;
}

int vx_write_lines(cairo_t *pen, double x, double y, double width, double size, int lines,
                   const char *text, bool draw)
{
    int count = 0;
    while (*text != '\0' && count < lines) {
        size_t length = line_length(pen, size, width, text);
        bool cut = count + 1 == lines && text[length] != '\0';
        if (draw) {
            vx_text line = {0};
            vx_text_add_bytes(&line, text, length);
            vx_text_add(&line, cut ? " …" : "");
            vx_write_text(pen, x, y + count * size * 1.4, VX_LEFT, size, line.bytes);
            vx_text_free(&line);
        }
        count++;
        text += length;
        text += strspn(text, " ");
    }
    return count;
}

/* A number beside every step-th column, at its middle when there is one for each. */
static void number_columns(cairo_t *pen, double x, double y, double step, int32_t count, bool down)
{
    int64_t every = vx_nice_step((down ? 15 : 30) / step);
    double shift = every == 1 ? step / 2 : 0;
    char text[24];
    vx_set_colour(pen, vx_faint_ink, 1);
    for (int64_t i = 0; i < count; i += every) {
        double at = (double)i * step + shift;
        (void)snprintf(text, sizeof text, "%lld", (long long)i);
        if (down) {
            vx_write_text(pen, x - 3, y + at + 3.5, VX_RIGHT, 10, text);
        } else {
            vx_write_text(pen, x + at, y, VX_CENTRE, 10, text);
        }
        if (every > 1) {
            cairo_move_to(pen, down ? x + 1 : x + at, down ? y + at : y + 2);
            cairo_rel_line_to(pen, down ? 5 : 0, down ? 0 : 4);
        }
    }
    cairo_set_line_width(pen, 1);
    cairo_stroke(pen);
}

void vx_draw_numbers_across(cairo_t *pen, double x, double y, double step, int32_t count)
{
    number_columns(pen, x, y, step, count, false);
}

void vx_draw_numbers_down(cairo_t *pen, double x, double y, double step, int32_t count)
{
    number_columns(pen, x, y, step, count, true);
}

int64_t vx_nice_step(double least)
{
    double unit = 1;
    while (unit * 10 < least) {
        unit *= 10;
    }
    double times = unit >= least ? 1 : 2 * unit >= least ? 2 : 5 * unit >= least ? 5 : 10;
    return (int64_t)(times * unit);
}
