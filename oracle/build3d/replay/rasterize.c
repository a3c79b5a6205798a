/* SPDX-License-Identifier: MIT */
/* Rasterizing triangles (SPEC B2), each binary32 step by MPFR. */
#include <stdlib.h>
#include <string.h>

#include "replay.h"

/* --- binary32 --------------------------------------------------------------------------------- */

typedef vx_replay_real real;

static real add(real a, real b)
{
    return vx_replay_add(VX_REPLAY_BINARY32, a, b);
}

static real subtract(real a, real b)
{
    return vx_replay_subtract(VX_REPLAY_BINARY32, a, b);
}

static real multiply(real a, real b)
{
    return vx_replay_multiply(VX_REPLAY_BINARY32, a, b);
}

static real divide(real a, real b)
{
    return vx_replay_divide(VX_REPLAY_BINARY32, a, b);
}

/* a·b − c·d, each operation rounded. */
static real difference_of_products(real a, real b, real c, real d)
{
    return subtract(multiply(a, b), multiply(c, d));
}

/* --- polygons --------------------------------------------------------------------------------- */

enum axis { U, V, W };

typedef struct point {
    real at[3];
} point;

typedef struct polygon {
    point *points;
    size_t count, capacity;
} polygon;

static int emit(polygon *to, point vertex)
{
    if (to->count == to->capacity) {
        size_t capacity = 2 * to->capacity + 8;
        point *points = reallocarray(to->points, capacity, sizeof *points);
        if (points == NULL) {
            return 0;
        }
        to->points = points;
        to->capacity = capacity;
    }
    to->points[to->count++] = vertex;
    return 1;
}

/* The extremes of one coordinate; the polygon has a vertex. */
static void extremes(const polygon *of, enum axis axis, real *least, real *greatest)
{
    *least = *greatest = of->points[0].at[axis];
    for (size_t i = 1; i < of->count; i++) {
        real value = of->points[i].at[axis];
        if (vx_replay_compare(value, *least) < 0) {
            *least = value;
        }
        if (vx_replay_compare(value, *greatest) > 0) {
            *greatest = value;
        }
    }
}

/* SPEC B2.15: where the way from p to q meets the plane. */
static point crossing(const point *p, const point *q, enum axis axis, real plane, real dp, real dq)
{
    point made;
    real t = divide(dp, subtract(dp, dq));
    for (int i = 0; i < 3; i++) {
        made.at[i] = add(p->at[i], multiply(subtract(q->at[i], p->at[i]), t));
    }
    made.at[axis] = plane;
    return made;
}

/* SPEC B2.14: one pass; side 1 keeps "coordinate ≥ plane", −1 keeps "≤". 0 without memory. */
static int clip(const polygon *from, enum axis axis, int64_t plane_number, int side, polygon *to)
{
    real plane = vx_replay_from_integer(plane_number);
    to->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        const point *prev = &from->points[i > 0 ? i - 1 : from->count - 1];
        const point *cur = &from->points[i];
        real d_prev = subtract(prev->at[axis], plane);
        real d_cur = subtract(cur->at[axis], plane);
        int prev_side = vx_replay_sign(d_prev);
        int cur_side = vx_replay_sign(d_cur);
        if (prev_side * cur_side < 0 &&
            !emit(to, crossing(prev, cur, axis, plane, d_prev, d_cur))) {
            return 0;
        }
        if (cur_side * side >= 0 && !emit(to, *cur)) {
            return 0;
        }
    }
    return 1;
}

static void swap(polygon *a, polygon *b)
{
    polygon kept = *a;
    *a = *b;
    *b = kept;
}

/* --- one triangle ----------------------------------------------------------------------------- */

/* What is known of a triangle before it is split. */
typedef struct triangle {
    int facing[3]; /* signs of nx, ny, nz */
    int64_t area;
    int is_vertical;
    int wall_column, wall_row;     /* SPEC B2.21, B2.22: whether it is one */
    int64_t only_column, only_row; /* and where it then belongs */
} triangle;

/* The polygons that the splitting works in. */
typedef struct splitting {
    vx_build3d *field;
    vx_replay_additions *additions;
    polygon rest, row, cell, spare;
} splitting;

/* SPEC B2.17, B2.18: the closed strips that the polygon meets along an axis, within 0 … limit − 1.
 * None: *last < *first. */
static void visited(const polygon *of, enum axis axis, int64_t limit, int64_t *first, int64_t *last)
{
    *first = 0;
    *last = -1;
    if (of->count == 0) {
        return;
    }
    real least, greatest;
    extremes(of, axis, &least, &greatest);
    int64_t from = vx_replay_to_integer(vx_replay_ceil(least)) - 1;
    int64_t to = vx_replay_to_integer(vx_replay_floor(greatest));
    *first = from > 0 ? from : 0;
    *last = to < limit - 1 ? to : limit - 1;
}

/* SPEC B2.19: whether the binary32 sum over the fan is not 0. */
static int has_area(const polygon *piece)
{
    real sum = vx_replay_from_integer(0);
    const point *p0 = piece->points;
    for (size_t i = 1; i + 1 < piece->count; i++) {
        const point *p = &piece->points[i];
        const point *q = &piece->points[i + 1];
        sum = add(sum, difference_of_products(
                           subtract(p->at[U], p0->at[U]), subtract(q->at[W], p0->at[W]),
                           subtract(p->at[W], p0->at[W]), subtract(q->at[U], p0->at[U])));
    }
    return vx_replay_sign(sum) != 0;
}

/* SPEC B2.20. */
static int has_length(const polygon *piece)
{
    static const enum axis along[] = {U, W};
    for (size_t i = 0; i < 2 && piece->count > 0; i++) {
        real least, greatest;
        extremes(piece, along[i], &least, &greatest);
        if (vx_replay_sign(subtract(greatest, least)) > 0) {
            return 1;
        }
    }
    return 0;
}

/* SPEC B2.24 to B2.27: the span of a piece in the cell, if it touches the cell and the grid. */
static int add_piece(splitting *work, const triangle *shape, const polygon *piece, int64_t x,
                     int64_t z)
{
    if (!(shape->is_vertical ? has_length(piece) : has_area(piece))) {
        return 1;
    }
    real one = vx_replay_from_integer(1);
    real top = vx_replay_from_integer(work->field->height);
    real lo, hi;
    extremes(piece, V, &lo, &hi);
    lo = vx_replay_floor(lo);
    hi = vx_replay_ceil(hi);
    if (vx_replay_compare(lo, hi) == 0) {
        if (shape->facing[V] > 0) {
            lo = subtract(hi, one);
        } else {
            hi = add(lo, one);
        }
    }
    if (vx_replay_sign(hi) <= 0 || vx_replay_compare(lo, top) >= 0) {
        return 1;
    }
    int64_t min = vx_replay_sign(lo) < 0 ? 0 : vx_replay_to_integer(lo);
    int64_t max = vx_replay_compare(hi, top) > 0 ? work->field->height : vx_replay_to_integer(hi);
    return vx_replay_append(work->additions, (size_t)(x + z * work->field->width), min, max,
                            shape->area) == VX_OK;
}

/* Takes the strip [k, k + 1] off the front of rest into piece; the last strip takes all. */
static int take_strip(splitting *work, polygon *rest, enum axis axis, int64_t k, int is_last,
                      polygon *piece)
{
    if (is_last) {
        swap(rest, piece);
        return 1;
    }
    if (!clip(rest, axis, k + 1, -1, piece) || !clip(rest, axis, k + 1, 1, &work->spare)) {
        return 0;
    }
    swap(rest, &work->spare);
    return 1;
}

/* SPEC B2.18: the piece of a row, which is used up, into cells. */
static int split_row(splitting *work, const triangle *shape, polygon *row, int64_t z)
{
    int64_t first, last;
    if (shape->wall_column) {
        return shape->only_column < 0 || shape->only_column >= work->field->width ||
               add_piece(work, shape, row, shape->only_column, z);
    }
    visited(row, U, work->field->width, &first, &last);
    for (int64_t x = first; x <= last; x++) {
        if (!take_strip(work, row, U, x, x == last, &work->cell) ||
            !add_piece(work, shape, &work->cell, x, z)) {
            return 0;
        }
    }
    return 1;
}

/* SPEC B2.16: the clipped polygon, which is used up, into rows. */
static int split(splitting *work, const triangle *shape)
{
    int64_t first, last;
    if (shape->wall_row) {
        return shape->only_row < 0 || shape->only_row >= work->field->depth ||
               split_row(work, shape, &work->rest, shape->only_row);
    }
    visited(&work->rest, W, work->field->depth, &first, &last);
    for (int64_t z = first; z <= last; z++) {
        if (!take_strip(work, &work->rest, W, z, z == last, &work->row) ||
            !split_row(work, shape, &work->row, z)) {
            return 0;
        }
    }
    return 1;
}

/* SPEC B2.13. */
static int clip_to_grid(splitting *work)
{
    const struct {
        enum axis axis;
        int64_t plane;
        int side;
    } passes[] = {{W, 0, 1}, {W, work->field->depth, -1}, {U, 0, 1}, {U, work->field->width, -1}};
    for (size_t i = 0; i < 4; i++) {
        if (!clip(&work->rest, passes[i].axis, passes[i].plane, passes[i].side, &work->spare)) {
            return 0;
        }
        swap(&work->rest, &work->spare);
    }
    return 1;
}

/* SPEC B2.21, B2.22: whether a coordinate of all three corners is one integer, and the cell behind
 * a wall there. */
static int on_grid_line(const point corners[3], enum axis axis, int facing, int64_t *behind)
{
    real line = corners[0].at[axis];
    if (vx_replay_compare(line, corners[1].at[axis]) != 0 ||
        vx_replay_compare(line, corners[2].at[axis]) != 0 || !vx_replay_is_integer(line)) {
        return 0;
    }
    *behind = vx_replay_to_integer(line) - (facing > 0);
    return 1;
}

/* SPEC B1.7: a world point on the tile. */
static point local(const vx_build3d *field, const real *world)
{
    point made;
    for (int i = 0; i < 3; i++) {
        made.at[i] = vx_replay_convert(
            VX_REPLAY_BINARY32, vx_replay_subtract(VX_REPLAY_BINARY64, world[i], field->origin[i]));
    }
    return made;
}

/* SPEC B1.8. */
static point cell_units(const vx_build3d *field, const point *local_point)
{
    point made = {{divide(local_point->at[0], field->cell_size),
                   divide(local_point->at[1], field->cell_height),
                   divide(local_point->at[2], field->cell_size)}};
    return made;
}

/* SPEC B2.8 to B2.11: the normal's signs and the area id; 0: the triangle is degenerate. */
static int face(const point l[3], real slope, triangle *shape)
{
    real e1[3], e2[3], normal[3], length = vx_replay_from_integer(0);
    for (int i = 0; i < 3; i++) {
        e1[i] = subtract(l[1].at[i], l[0].at[i]);
        e2[i] = subtract(l[2].at[i], l[0].at[i]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        normal[i] = difference_of_products(e1[j], e2[k], e1[k], e2[j]);
        length = add(length, multiply(normal[i], normal[i]));
        shape->facing[i] = vx_replay_sign(normal[i]);
    }
    length = vx_replay_square_root(VX_REPLAY_BINARY32, length);
    shape->area = vx_replay_compare(normal[1], multiply(slope, length)) > 0 ? VX_AREA_WALKABLE : 0;
    return vx_replay_sign(length) != 0;
}

/* SPEC B2.12, B2.21, B2.22. */
static void classify(const point corners[3], triangle *shape)
{
    const point *a = &corners[0];
    const point *b = &corners[1];
    const point *c = &corners[2];
    real footprint =
        difference_of_products(subtract(b->at[U], a->at[U]), subtract(c->at[W], a->at[W]),
                               subtract(b->at[W], a->at[W]), subtract(c->at[U], a->at[U]));
    shape->is_vertical = vx_replay_sign(footprint) == 0;
    shape->wall_column =
        shape->is_vertical && on_grid_line(corners, U, shape->facing[0], &shape->only_column);
    shape->wall_row = shape->is_vertical && !shape->wall_column &&
                      on_grid_line(corners, W, shape->facing[2], &shape->only_row);
}

/* 0 without memory. */
static int rasterize_one(splitting *work, const vx_replay_triangles *triangles, size_t k,
                         uint64_t *degenerate)
{
    point l[3], corners[3];
    triangle shape = {0};
    for (int i = 0; i < 3; i++) {
        l[i] = local(work->field, &triangles->points[3 * triangles->indices[3 * k + (size_t)i]]);
        corners[i] = cell_units(work->field, &l[i]);
    }
    if (!face(l, triangles->slope, &shape)) {
        ++*degenerate;
        return 1;
    }
    if (triangles->areas != NULL) {
        shape.area = triangles->areas[k];
    }
    classify(corners, &shape);
    work->rest.count = 0;
    for (int i = 0; i < 3; i++) {
        if (!emit(&work->rest, corners[i])) {
            return 0;
        }
    }
    return clip_to_grid(work) && split(work, &shape);
}

vx_status vx_replay_rasterize(vx_build3d *field, const vx_replay_triangles *triangles,
                              vx_error *error)
{
    vx_replay_additions additions = {0};
    splitting work = {.field = field, .additions = &additions};
    uint64_t degenerate = 0;
    int whole = 1;
    for (size_t k = 0; k < triangles->count && whole; k++) {
        whole = rasterize_one(&work, triangles, k, &degenerate);
    }
    whole = whole && vx_replay_add_all(field, &additions, triangles->threshold) == VX_OK;
    free(additions.items);
    free(work.rest.points);
    free(work.row.points);
    free(work.cell.points);
    free(work.spare.points);
    if (!whole) {
        return vx_replay_no_memory(error);
    }
    field->degenerate += degenerate;
    return VX_OK;
}

/* --- meshes ----------------------------------------------------------------------------------- */

/* SPEC B2.2, B2.3, B2.6, B2.7. */
static vx_status check_mesh(const vx_mesh *mesh, vx_error *error)
{
    if (mesh->vertex_values % 3 != 0 || mesh->index_count % 3 != 0) {
        return vx_fail(error, VX_ARGUMENT,
                       "there are %zu vertex values and %zu indices; both must be divisible by 3",
                       mesh->vertex_values, mesh->index_count);
    }
    vx_status status = VX_OK;
    int64_t vertices = (int64_t)(mesh->vertex_values / 3);
    for (size_t i = 0; i < mesh->index_count && status == VX_OK; i++) {
        status = vx_replay_check_integer("an index", mesh->indices[i], 0, vertices - 1, error);
    }
    for (size_t i = 0; i < 3 * mesh->index_count && status == VX_OK; i++) {
        status = vx_replay_check_coordinate(
            "a vertex coordinate", mesh->vertices[3 * mesh->indices[i / 3] + (int64_t)(i % 3)],
            error);
    }
    if (status != VX_OK || mesh->areas == NULL) {
        return status;
    }
    if (mesh->area_count != mesh->index_count / 3) {
        return vx_fail(error, VX_ARGUMENT, "there are %zu areas for %zu triangles",
                       mesh->area_count, mesh->index_count / 3);
    }
    for (size_t i = 0; i < mesh->area_count && status == VX_OK; i++) {
        status = vx_replay_check_integer("an area", mesh->areas[i], 0, VX_AREA_MAX, error);
    }
    return status;
}

vx_status vx_replay_mesh(vx_build3d *field, const vx_mesh *mesh, vx_error *error)
{
    vx_status status = check_mesh(mesh, error);
    if (status == VX_OK) {
        status = vx_replay_check_slope(mesh->slope_cosine, error);
    }
    if (status == VX_OK) {
        status = vx_replay_check_integer("T", mesh->merge_threshold, 0, VX_ROWS_MAX, error);
    }
    if (status != VX_OK) {
        return status;
    }
    real *points = vx_replay_calloc(mesh->vertex_values, sizeof *points);
    if (points == NULL) {
        return vx_replay_no_memory(error);
    }
    for (size_t i = 0; i < mesh->vertex_values; i++) {
        points[i] = vx_replay_from_double(mesh->vertices[i]);
    }
    vx_replay_triangles triangles = {.points = points,
                                     .indices = mesh->indices,
                                     .count = mesh->index_count / 3,
                                     .areas = mesh->areas,
                                     .slope = vx_replay_from_float(mesh->slope_cosine),
                                     .threshold = mesh->merge_threshold};
    status = vx_replay_rasterize(field, &triangles, error);
    free(points);
    return status;
}
