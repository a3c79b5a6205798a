/* SPDX-License-Identifier: MIT */
/* The view from above: what can be walked on, by height, and why the rest cannot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build3d/drawing.h"

#define DOT_MAX 2.5   /* radius of a dot */
#define GRID_MIN 12.0 /* cells with lines between */

enum { VECTOR_COLUMNS_MAX = 4096, SHADES = 256 };

/* The colours of tops, made once: columns can be many. */
typedef struct palette {
    vx_colour tops[VX_TOP_COUNT][SHADES];
} palette;

static palette *make_palette(const vx_drawn *drawn)
{
    palette *made = vx_must_alloc(1, sizeof *made);
    for (int top = 0; top < VX_TOP_COUNT; top++) {
        for (int shade = 0; shade < SHADES; shade++) {
            vx_drawn_span span = {.top = (uint8_t)top, .area = VX_AREA_WALKABLE};
            span.max = drawn->low +
                       (int32_t)lround((double)(drawn->high - drawn->low) * shade / (SHADES - 1));
            made->tops[top][shade] = vx_top_colour(drawn, &span);
        }
    }
    return made;
}

static vx_colour look_up(const palette *from, const vx_drawn *drawn, const vx_drawn_span *span)
{
    if (vx_is_hatched(span->area)) {
        return vx_top_colour(drawn, span);
    }
    int64_t range = drawn->high > drawn->low ? drawn->high - drawn->low : 1;
    int64_t shade = (int64_t)(span->max - drawn->low) * (SHADES - 1) / range;
    return from->tops[span->top][shade];
}

/* --- grids with very many columns ------------------------------------------------------------- */

/* The mean colour of each block of k by k columns. */
typedef struct blocks {
    int32_t k, width, height;
    float *sums; /* red, green and blue, less those of an empty column */
} blocks;

static void add_columns(blocks *to, const vx_drawn *drawn, const palette *from)
{
    size_t first = 0;
    while (first < drawn->span_count) {
        const vx_drawn_span *span = &drawn->spans[first];
        size_t end = first + 1;
        while (end < drawn->span_count && drawn->spans[end].x == span->x &&
               drawn->spans[end].z == span->z) {
            end++;
        }
        vx_colour colour = look_up(from, drawn, &drawn->spans[vx_drawn_shown(drawn, first, end)]);
        size_t at = (size_t)(span->z / to->k) * (size_t)to->width + (size_t)(span->x / to->k);
        to->sums[3 * at] += (float)(colour.red - vx_void.red);
        to->sums[3 * at + 1] += (float)(colour.green - vx_void.green);
        to->sums[3 * at + 2] += (float)(colour.blue - vx_void.blue);
        first = end;
    }
}

static uint32_t pixel_part(double empty, float sum, int64_t columns)
{
    double part = empty + (double)sum / (double)columns;
    return (uint32_t)lround(fmin(fmax(part, 0), 1) * 255);
}

static void set_pixels(const blocks *of, const vx_drawn *drawn, cairo_surface_t *surface)
{
    unsigned char *bytes = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    cairo_surface_flush(surface);
    for (int32_t j = 0; j < of->height; j++) {
        for (int32_t i = 0; i < of->width; i++) {
            int32_t across =
                drawn->size[0] - i * of->k < of->k ? drawn->size[0] - i * of->k : of->k;
            int32_t down = drawn->size[1] - j * of->k < of->k ? drawn->size[1] - j * of->k : of->k;
            int64_t columns = (int64_t)across * down;
            const float *sum = &of->sums[3 * ((size_t)j * (size_t)of->width + (size_t)i)];
            uint32_t pixel = pixel_part(vx_void.red, sum[0], columns) << 16 |
                             pixel_part(vx_void.green, sum[1], columns) << 8 |
                             pixel_part(vx_void.blue, sum[2], columns);
            memcpy(bytes + (size_t)j * stride + 4 * (size_t)i, &pixel, sizeof pixel);
        }
    }
    cairo_surface_mark_dirty(surface);
}

static void draw_blocks(cairo_t *pen, const vx_drawn *drawn, const vx_map *map)
{
    double finest = VX_PICTURE_SCALE * fmin(map->cell_x, map->cell_z);
    blocks made = {.k = (int32_t)ceil(1 / finest)};
    made.width = (drawn->size[0] + made.k - 1) / made.k;
    made.height = (drawn->size[1] + made.k - 1) / made.k;
    made.sums = vx_must_alloc((size_t)made.width * (size_t)made.height, 3 * sizeof(float));
    palette *colours = make_palette(drawn);
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, made.width, made.height);
    add_columns(&made, drawn, colours);
    if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
        set_pixels(&made, drawn, surface);
    }
    cairo_save(pen);
    cairo_rectangle(pen, map->box.x, map->box.y, map->box.width, map->box.height);
    cairo_clip(pen);
    cairo_translate(pen, map->box.x, map->box.y);
    cairo_scale(pen, map->cell_x * made.k, map->cell_z * made.k);
    cairo_set_source_surface(pen, surface, 0, 0);
    cairo_pattern_set_extend(cairo_get_source(pen), CAIRO_EXTEND_PAD);
    cairo_paint(pen);
    cairo_restore(pen);
    cairo_surface_destroy(surface);
    free(colours);
    free(made.sums);
}

/* --- grids whose columns can be seen ---------------------------------------------------------- */

/* For each column the span that is shown (−1: none) and whether there is more than one floor. */
typedef struct columns {
    int32_t *shown;
    uint8_t *floors;
    int32_t across, down;
} columns;

static columns find_columns(const vx_drawn *drawn)
{
    columns found = {.across = drawn->size[0], .down = drawn->size[1]};
    size_t count = (size_t)found.across * (size_t)found.down;
    found.shown = vx_must_alloc(count, sizeof *found.shown);
    found.floors = vx_must_alloc(count, 1);
    for (size_t column = 0; column < count; column++) {
        found.shown[column] = -1;
    }
    for (size_t first = 0, end; first < drawn->span_count; first = end) {
        const vx_drawn_span *span = &drawn->spans[first];
        size_t column = (size_t)span->x + (size_t)span->z * (size_t)found.across;
        size_t walkable = 0;
        for (end = first; end < drawn->span_count && drawn->spans[end].x == span->x &&
                          drawn->spans[end].z == span->z;
             end++) {
            walkable += drawn->spans[end].top == VX_TOP_WALKABLE ? 1 : 0;
        }
        found.shown[column] = (int32_t)vx_drawn_shown(drawn, first, end);
        found.floors[column] = walkable > 1 ? 1 : 0;
    }
    return found;
}

static const vx_drawn_span *span_at(const vx_drawn *drawn, const columns *of, int32_t x, int32_t z)
{
    int32_t shown = of->shown[(size_t)x + (size_t)z * (size_t)of->across];
    return shown < 0 ? NULL : &drawn->spans[shown];
}

static bool look_alike(const vx_drawn_span *a, const vx_drawn_span *b)
{
    return a == b ||
           (a != NULL && b != NULL && a->max == b->max && a->top == b->top && a->area == b->area);
}

/* Columns side by side that look alike are one box. */
static void fill_columns(cairo_t *pen, const vx_drawn *drawn, const vx_map *map, const columns *of)
{
    for (int32_t z = 0; z < of->down; z++) {
        for (int32_t x = 0, end; x < of->across; x = end) {
            const vx_drawn_span *span = span_at(drawn, of, x, z);
            end = x + 1;
            while (end < of->across && look_alike(span, span_at(drawn, of, end, z))) {
                end++;
            }
            if (span == NULL) {
                continue;
            }
            vx_box box = {map->box.x + x * map->cell_x, map->box.y + z * map->cell_z,
                          (end - x) * map->cell_x, map->cell_z};
            vx_fill_box(pen, box, vx_top_colour(drawn, span));
            if (vx_is_hatched(span->area)) {
                vx_hatch_box(pen, box, span->area);
            }
        }
    }
}

/* The step that can be climbed: what the case says, or the default. */
static int64_t climb_of(const vx_drawn *drawn)
{
    for (size_t i = 0; i < drawn->input->step_count; i++) {
        const vx_step *step = &drawn->input->steps[i];
        if (step->op == VX_OP_COMPACT || step->op == VX_OP_LEDGES) {
            return step->climb;
        }
    }
    return VX_DEFAULT_CLIMB;
}

static bool is_cliff(const vx_drawn_span *a, const vx_drawn_span *b, int64_t climb)
{
    if (a == NULL || b == NULL) {
        return a != b;
    }
    return llabs((int64_t)a->max - b->max) > climb;
}

/* Lines where neighbours differ by more than can be climbed: walls, edges, steps. */
static void trace_cliffs(cairo_t *pen, const vx_drawn *drawn, const vx_map *map, const columns *of)
{
    int64_t climb = climb_of(drawn);
    for (int32_t z = 0; z < of->down; z++) {
        for (int32_t x = 0; x < of->across; x++) {
            const vx_drawn_span *here = span_at(drawn, of, x, z);
            double left = map->box.x + x * map->cell_x;
            double top = map->box.y + z * map->cell_z;
            if (x > 0 && is_cliff(here, span_at(drawn, of, x - 1, z), climb)) {
                cairo_move_to(pen, left, top);
                cairo_line_to(pen, left, top + map->cell_z);
            }
            if (z > 0 && is_cliff(here, span_at(drawn, of, x, z - 1), climb)) {
                cairo_move_to(pen, left, top);
                cairo_line_to(pen, left + map->cell_x, top);
            }
        }
    }
    vx_set_colour(pen, vx_ink, 0.75);
    cairo_set_line_cap(pen, CAIRO_LINE_CAP_SQUARE);
    cairo_set_line_width(pen, fmin(1.2, map->cell_x / 4));
    cairo_stroke(pen);
}

static void dot_floors(cairo_t *pen, const vx_map *map, const columns *of)
{
    double radius = fmin(fmin(map->cell_x, map->cell_z) * 0.17, DOT_MAX);
    for (int32_t z = 0; z < of->down; z++) {
        for (int32_t x = 0; x < of->across; x++) {
            if (of->floors[(size_t)x + (size_t)z * (size_t)of->across]) {
                cairo_new_sub_path(pen);
                cairo_arc(pen, map->box.x + (x + 0.5) * map->cell_x,
                          map->box.y + (z + 0.5) * map->cell_z, radius, 0, 6.2832);
            }
        }
    }
    vx_set_colour(pen, vx_ink, 0.6);
    cairo_fill(pen);
}

static void draw_columns(cairo_t *pen, const vx_drawn *drawn, const vx_map *map)
{
    columns found = find_columns(drawn);
    fill_columns(pen, drawn, map, &found);
    if (map->cell_x >= GRID_MIN) {
        for (int32_t x = 1; x < found.across; x++) {
            cairo_move_to(pen, map->box.x + x * map->cell_x, map->box.y);
            cairo_rel_line_to(pen, 0, map->box.height);
        }
        for (int32_t z = 1; z < found.down; z++) {
            cairo_move_to(pen, map->box.x, map->box.y + z * map->cell_z);
            cairo_rel_line_to(pen, map->box.width, 0);
        }
        vx_set_colour(pen, vx_paper, 0.5);
        cairo_set_line_width(pen, 0.5);
        cairo_stroke(pen);
    }
    trace_cliffs(pen, drawn, map, &found);
    if (map->has_dots) {
        dot_floors(pen, map, &found);
    }
    free(found.shown);
    free(found.floors);
}

void vx_draw_top(cairo_t *pen, const vx_drawn *drawn, const vx_map *map)
{
    vx_fill_box(pen, map->box, vx_void);
    if (!map->has_lines) {
        draw_blocks(pen, drawn, map);
    } else if ((int64_t)drawn->size[0] * drawn->size[1] > VECTOR_COLUMNS_MAX) {
        cairo_t *pixels = vx_pixels_begin(&map->box);
        draw_columns(pixels, drawn, map);
        vx_pixels_end(pen, pixels, &map->box);
    } else {
        draw_columns(pen, drawn, map);
    }
    vx_set_colour(pen, vx_ink, 1);
    cairo_set_line_width(pen, 1);
    cairo_rectangle(pen, map->box.x, map->box.y, map->box.width, map->box.height);
    cairo_stroke(pen);
}
