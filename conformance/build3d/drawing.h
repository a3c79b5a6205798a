/* SPDX-License-Identifier: MIT */
/* A picture of a case of build3d: what is known of it, and the panels that show it. */
#ifndef VX_BUILD3D_DRAWING_H
#define VX_BUILD3D_DRAWING_H

#include "build3d/build3d.h"
#include "picture.h"

/* What became of the top of a span. */
typedef enum vx_top {
    VX_TOP_WALKABLE,
    VX_TOP_ERODED,     /* walkable until SPEC B8 (or a volume) made it 0 */
    VX_TOP_LEDGE,      /* until SPEC B6.5 */
    VX_TOP_LOW,        /* until SPEC B6.10 */
    VX_TOP_UNWALKABLE, /* as it was built */
    VX_TOP_COUNT
} vx_top;

/* A solid span and what became of it. Areas are those at the end. */
typedef struct vx_drawn_span {
    int32_t x, z, min, max;
    int32_t compact; /* its row in the compact result, −1 for none */
    uint8_t area;
    uint8_t top; /* vx_top */
} vx_drawn_span;

/* A case that was run. After an error it holds what was there before the step that failed. */
typedef struct vx_drawn {
    const vx_draw_request *request;
    const vx_input *input;
    double origin[3];
    double cell_size, cell_height;
    int32_t size[3];      /* W, D, H; 0 when the grid itself is the error */
    vx_drawn_span *spans; /* columns in index order, each from the bottom up */
    size_t span_count;
    vx_compact_row *compact;
    size_t compact_count;
    bool is_compact;
    uint64_t degenerate;
    size_t both_ways; /* links that are answered by one back, each of the two counted */
    size_t one_way;   /* and those that are not */
    size_t strays;    /* compact spans that stand on no walkable top */
    /* What the case expects, where it expects something. */
    vx_text difference;       /* empty: the answer is right */
    uint8_t *differs;         /* 1 for each column that is wrong; NULL when that is not known */
    size_t differing;         /* their number */
    int32_t wrong_x, wrong_z; /* the first */
    int32_t low, high;        /* the rows between which the tops lie; low ≤ high */
    size_t tops[VX_TOP_COUNT];
    size_t areas[VX_AREA_MAX + 1]; /* walkable spans of each area */
    vx_error error;                /* VX_OK: none */
    int64_t failed_step;
} vx_drawn;

/* Runs the case and remembers what each step did. False, with a problem, when the machine or the
 * implementation gives no answer. */
VX_NODISCARD bool vx_drawn_make(const vx_draw_request *request, vx_drawn *drawn,
                                vx_problem *problem);
void vx_drawn_free(vx_drawn *drawn);

/* The spans of a column, [first, end), found by halving. */
void vx_drawn_column(const vx_drawn *drawn, int32_t x, int32_t z, size_t *first, size_t *end);

/* The span of [first, end) that a view from above shows: the highest walkable one, through whatever
 * is above it, or else the highest. */
size_t vx_drawn_shown(const vx_drawn *drawn, size_t first, size_t end);

/* The span that a compact one is linked to in the direction of SPEC B7.2, or NULL; and whether that
 * one is linked back to it. */
const vx_drawn_span *vx_drawn_linked(const vx_drawn *drawn, const vx_drawn_span *span,
                                     int direction);
bool vx_drawn_is_mutual(const vx_drawn *drawn, const vx_drawn_span *span, int direction);

/* Whether the column is not as it is expected. */
bool vx_drawn_differs(const vx_drawn *drawn, int32_t x, int32_t z);

/* The colour of a span's top: the ramp for walkable ones, by height. Tops can be told apart with
 * any kind of colour vision. */
vx_colour vx_top_colour(const vx_drawn *drawn, const vx_drawn_span *span);
vx_colour vx_area_colour(const vx_drawn *drawn, unsigned area, double row);
bool vx_is_hatched(unsigned area); /* areas other than 0 and 63 are */

/* Where a panel lies and how large its cells are. The box of a map covers the grid; right is +x and
 * down is +z. */
typedef struct vx_map {
    vx_box box;
    double cell_x, cell_z;
    bool has_lines;     /* at steps that are too high to climb */
    bool has_dots;      /* where there is more than one floor */
    bool has_cells;     /* the map shows cells one by one */
    bool has_links;     /* links are drawn, on the map or in the slice */
    bool has_triangles; /* with their corners labelled */
} vx_map;

/* A slice: columns `at` of the axis, seen along it; right is +x or +z, rows [low, high) go up. */
typedef struct vx_slice {
    vx_box box;
    char axis;
    int32_t at;
    int32_t low, high;
    double cell, row;
} vx_slice;

/* Cells of at least so many pixels are drawn one by one; smaller ones as a picture of their own. */
#define VX_CELL_SEEN 1.5
#define VX_CELL_ROOMY 4.0 /* cells with room for a dot, or for a line to the next */

/* How far triangles are drawn beyond the grid of a small case, in pixels. */
#define VX_MARGIN_CELLS 26.0

/* Room that the numbers beside a panel take. */
#define VX_AXIS_ROOM 34.0

void vx_draw_top(cairo_t *pen, const vx_drawn *drawn, const vx_map *map);
void vx_draw_cells(cairo_t *pen, const vx_drawn *drawn, const vx_map *map);
/* Columns that are not as they are expected. */
void vx_draw_differences(cairo_t *pen, const vx_drawn *drawn, const vx_map *map);
/* The triangles of a small case: their colours, and whether there are so few that corners have
 * names. */
vx_colour vx_triangle_colour(size_t k);
bool vx_has_labels(const vx_drawn *drawn);
/* A vertex in cell units, SPEC B1.7 and B1.8. */
void vx_to_cells(const vx_drawn *drawn, const double *vertex, double uvw[3]);
/* Vertex number `corner` of triangle k in cell units; false when the input is malformed there. */
bool vx_find_corner(const vx_drawn *drawn, const vx_mesh *mesh, size_t k, size_t corner,
                    double uvw[3]);
/* An arrowhead whose tip is at (x, y), in a direction; the path is to be filled. */
void vx_add_arrowhead(cairo_t *pen, double x, double y, double dx, double dy, double length);
extern const vx_colour vx_wrong_colour;
void vx_draw_slice(cairo_t *pen, const vx_drawn *drawn, const vx_slice *slice);

/* The legend; returns its height. With draw false it only measures. */
double vx_draw_legend(cairo_t *pen, const vx_drawn *drawn, const vx_map *map, double x, double y,
                      bool draw);

#endif
