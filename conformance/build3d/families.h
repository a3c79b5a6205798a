/* SPDX-License-Identifier: MIT */
/* What the families of generated cases are made with: a case in the making, and draws that the
 * topics share. Every draw stands in a statement of its own, because C leaves the order within an
 * expression open and a family must make the same case with every compiler. */
#ifndef VX_KIT_BUILD3D_FAMILIES_H
#define VX_KIT_BUILD3D_FAMILIES_H

#include <math.h>

#include "build3d.h"
#include "random.h"

/* As binary64; the macros of the standard are binary32. */
#define VX_NAN ((double)NAN)
#define VX_INFINITY ((double)INFINITY)

typedef struct vx_draft {
    vx_random random;
    vx_input *input;
    double *vertices; /* the mesh that the next rasterize step takes */
    size_t vertex_values, vertex_capacity;
    int64_t *indices;
    size_t index_count, index_capacity;
    vx_span *spans; /* what the next addSpans step takes */
    size_t span_count, span_capacity;
} vx_draft;

/* Which cell sizes and origins a grid gets. */
typedef enum vx_scale {
    VX_SCALE_UNIT,  /* 1 and 0: world coordinates are cell units */
    VX_SCALE_EXACT, /* powers of two and integers: every multiple of a cell is exact */
    VX_SCALE_ANY    /* also decimal numbers, and random ones with all their bits */
} vx_scale;

/* Begins the case of a seed; family is its name. Finishing gives the input and frees the rest. */
vx_draft vx_draft_start(const char *family, uint64_t seed);
vx_input *vx_draft_finish(vx_draft *draft);

/* A grid of up to width × depth × height cells, mostly more than half of each. */
void vx_draft_grid(vx_draft *draft, vx_scale scale, int64_t width, int64_t depth, int64_t height);
/* The same at unit scale and with exactly height rows, for fields of spans. */
void vx_draft_field(vx_draft *draft, int64_t width, int64_t depth, int64_t height);
/* A grid of exactly that size. */
void vx_draft_grid_sized(vx_draft *draft, vx_scale scale, int64_t width, int64_t depth,
                         int64_t height);
/* W, D and H. */
int64_t vx_draft_size(const vx_draft *draft, size_t axis);
/* The world coordinate of a number of cells; axis 0, 1, 2 is x, y, z. */
double vx_draft_world(const vx_draft *draft, size_t axis, double cells);

/* The normal of a triangle with those corners in the world, and its length (B2.8, B2.9). */
float vx_draft_normal(const vx_draft *draft, double corners[3][3], float normal[3]);

/* A vertex at (u, v, w) in cell units or (x, y, z) in the world; its index. */
int64_t vx_draft_vertex(vx_draft *draft, double u, double v, double w);
int64_t vx_draft_vertex_world(vx_draft *draft, const double position[3]);
void vx_draft_triangle(vx_draft *draft, int64_t a, int64_t b, int64_t c);
/* The triangles (a, b, c) and (a, c, d). */
void vx_draft_quad(vx_draft *draft, int64_t a, int64_t b, int64_t c, int64_t d);
/* A triangle with corners of its own, three points of cell units. */
void vx_draft_corners(vx_draft *draft, double corners[3][3]);
/* A closed box seen from outside. */
void vx_draft_box(vx_draft *draft, const double min[3], const double max[3]);
/* The closed prism over a polygon of (u, w) that is counter-clockwise in that plane; top_scale
 * draws the top in towards corner 0, and 0 makes a pyramid whose tip is over that corner. */
void vx_draft_prism(vx_draft *draft, double polygon[][2], size_t count, double low, double high,
                    double top_scale);
/* Exchanges b and c in one triangle of two, at random: walls and floors then face both ways. */
void vx_draft_turn(vx_draft *draft);

/* Ends the mesh: a rasterize step with classified areas, or with random given ones. */
void vx_draft_rasterize(vx_draft *draft, float slope_cosine, int64_t merge_threshold);
void vx_draft_rasterize_areas(vx_draft *draft, int64_t merge_threshold);

void vx_draft_span(vx_draft *draft, int64_t x, int64_t z, int64_t min, int64_t max, int64_t area);
void vx_draft_add_spans(vx_draft *draft, int64_t merge_threshold);

/* A step that has no arrays; what the op does not use is 0. */
void vx_draft_step(vx_draft *draft, vx_op op, int64_t height, int64_t climb, int64_t radius);

/* The three filters and compact, with one height and one climb (B10.2). */
void vx_draft_filters(vx_draft *draft, int64_t height, int64_t climb);

/* A volume around a rectangle in cell units, over all heights. */
void vx_draft_rectangle(vx_draft *draft, const double min[2], const double max[2], int64_t area);
/* A volume of count corners in world units, x, z, …; MinY and MaxY in world units. */
void vx_draft_volume(vx_draft *draft, const double *corners, size_t count, double min_y,
                     double max_y, int64_t area);

/* Draws that favour what decides: 0 and 63 among the areas, small numbers and the limits among the
 * thresholds, the default among the slopes. */
int64_t vx_draft_area(vx_draft *draft);
int64_t vx_draft_threshold(vx_draft *draft);
float vx_draft_slope(vx_draft *draft);
/* A point of cell units, each coordinate a multiple of 2^−bits, up to margin cells outside. */
void vx_draft_point(vx_draft *draft, int64_t margin, int bits, double point[3]);
/* Floors in nearly every column: one to layers spans, the lowest floor in rows 1 … step and the
 * others gap_min … gap_max rows of air above; walkable in walkable of 8. Fitted to the grid. */
void vx_draft_floors(vx_draft *draft, int64_t layers, int64_t step, int64_t gap_min,
                     int64_t gap_max, int64_t walkable);

/* The families, each in the file of its topic; a family's function is named after it. */

/* families_triangles.c */
vx_input *vx_make_triangles_random(uint64_t seed);
vx_input *vx_make_triangles_snapped(uint64_t seed);
vx_input *vx_make_triangles_planes(uint64_t seed);
vx_input *vx_make_triangles_shared(uint64_t seed);
vx_input *vx_make_triangles_orders(uint64_t seed);
vx_input *vx_make_triangles_areas(uint64_t seed);
vx_input *vx_make_slopes(uint64_t seed);
vx_input *vx_make_horizontal(uint64_t seed);
vx_input *vx_make_near_vertical(uint64_t seed);
vx_input *vx_make_slivers(uint64_t seed);
vx_input *vx_make_slivers_ulp(uint64_t seed);
vx_input *vx_make_slivers_planes(uint64_t seed);
vx_input *vx_make_clipped(uint64_t seed);
vx_input *vx_make_border(uint64_t seed);
/* families_numbers.c */
vx_input *vx_make_triangles_tall(uint64_t seed);
vx_input *vx_make_subnormal_coordinates(uint64_t seed);
vx_input *vx_make_subnormal_normals(uint64_t seed);
vx_input *vx_make_degenerate(uint64_t seed);
vx_input *vx_make_unreferenced(uint64_t seed);
vx_input *vx_make_huge_ratio(uint64_t seed);
vx_input *vx_make_far_origins(uint64_t seed);
vx_input *vx_make_limits(uint64_t seed);
/* families_walls.c */
vx_input *vx_make_walls_grid(uint64_t seed);
vx_input *vx_make_walls_border(uint64_t seed);
vx_input *vx_make_walls_near(uint64_t seed);
vx_input *vx_make_walls_collapsing(uint64_t seed);
vx_input *vx_make_walls_oblique(uint64_t seed);
vx_input *vx_make_walls_rounded(uint64_t seed);
/* families_meshes.c */
vx_input *vx_make_boxes(uint64_t seed);
vx_input *vx_make_boxes_rotated(uint64_t seed);
vx_input *vx_make_solids(uint64_t seed);
vx_input *vx_make_fans(uint64_t seed);
vx_input *vx_make_strips(uint64_t seed);
vx_input *vx_make_ramps(uint64_t seed);
vx_input *vx_make_stairs(uint64_t seed);
vx_input *vx_make_crowds(uint64_t seed);
/* families_terrain.c */
vx_input *vx_make_terrain_fine(uint64_t seed);
vx_input *vx_make_terrain_coarse(uint64_t seed);
vx_input *vx_make_terrain_collapsing(uint64_t seed);
vx_input *vx_make_terrain_inexact(uint64_t seed);
/* families_frames.c */
vx_input *vx_make_bounds(uint64_t seed);
vx_input *vx_make_frame_errors(uint64_t seed);
vx_input *vx_make_bounds_errors(uint64_t seed);
/* families_errors.c */
vx_input *vx_make_rasterize_errors(uint64_t seed);
vx_input *vx_make_span_errors(uint64_t seed);
vx_input *vx_make_terrain_errors(uint64_t seed);
vx_input *vx_make_chunk_errors(uint64_t seed);
vx_input *vx_make_volume_errors(uint64_t seed);
vx_input *vx_make_parameter_errors(uint64_t seed);
/* families_spans.c */
vx_input *vx_make_spans_random(uint64_t seed);
vx_input *vx_make_spans_touching(uint64_t seed);
vx_input *vx_make_spans_orders(uint64_t seed);
vx_input *vx_make_spans_deep(uint64_t seed);
vx_input *vx_make_spans_tall(uint64_t seed);
/* families_chunks.c */
vx_input *vx_make_chunk_runs(uint64_t seed);
vx_input *vx_make_chunk_dense(uint64_t seed);
vx_input *vx_make_chunk_cut(uint64_t seed);
/* families_filters.c */
vx_input *vx_make_low_hanging(uint64_t seed);
vx_input *vx_make_ledges(uint64_t seed);
vx_input *vx_make_ledges_steep(uint64_t seed);
vx_input *vx_make_low_height(uint64_t seed);
vx_input *vx_make_filter_chains(uint64_t seed);
vx_input *vx_make_links_layers(uint64_t seed);
vx_input *vx_make_links_tall(uint64_t seed);
vx_input *vx_make_links_many(uint64_t seed);
/* families_erosion.c */
vx_input *vx_make_erode_flat(uint64_t seed);
vx_input *vx_make_erode_cliffs(uint64_t seed);
vx_input *vx_make_erode_corridors(uint64_t seed);
vx_input *vx_make_erode_levels(uint64_t seed);
vx_input *vx_make_erode_one_way(uint64_t seed);
vx_input *vx_make_erode_repeated(uint64_t seed);
/* families_volumes.c */
vx_input *vx_make_volumes_convex(uint64_t seed);
vx_input *vx_make_volumes_edges(uint64_t seed);
vx_input *vx_make_volumes_heights(uint64_t seed);
vx_input *vx_make_volumes_far(uint64_t seed);
/* families_pipelines.c */
vx_input *vx_make_pipeline_spans(uint64_t seed);
vx_input *vx_make_pipeline_triangles(uint64_t seed);
vx_input *vx_make_pipeline_terrain(uint64_t seed);
vx_input *vx_make_pipeline_chunks(uint64_t seed);
vx_input *vx_make_pipeline_mixed(uint64_t seed);

#endif
