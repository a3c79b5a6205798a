/* SPDX-License-Identifier: MIT */
/* SPEC B2: from a mesh to pieces. docs/DIFFERENCES.md holds the arguments for the shortcuts. */
#include <inttypes.h>

#include "walk.h"

/* --- polygons --------------------------------------------------------------------------------- */

static void push(vx_fast_polygon *to, const vx_fast_polygon *from, uint32_t i)
{
    uint32_t n = to->count++;
    to->at[U][n] = from->at[U][i];
    to->at[V][n] = from->at[V][i];
    to->at[W_AXIS][n] = from->at[W_AXIS][i];
}

/* B2.15@3c3989: the crossing of the edge from vertex p to vertex q, for both sides. */
static void cross(const vx_fast_polygon *from, int axis, float k, uint32_t p, uint32_t q, float dp,
                  float dq, vx_fast_polygon *low, vx_fast_polygon *high)
{
    float t = dp / (dp - dq);
    uint32_t to_low = low->count++;
    uint32_t to_high = high->count++;
    for (int other = 0; other < AXES; other++) {
        float start = from->at[other][p];
        float value = other == axis ? k : start + (from->at[other][q] - start) * t;
        low->at[other][to_low] = value;
        high->at[other][to_high] = value;
    }
}

/* B2.14@fd01a4, two passes in one: low gets what the pass keeping "coordinate ≤ k" emits and high
 * what the one keeping "≥ k" does. Both compute the same crossings from the same edges. */
static void split(const vx_fast_polygon *from, int axis, float k, vx_fast_polygon *low,
                  vx_fast_polygon *high)
{
    low->count = high->count = 0;
    if (from->count == 0) {
        return;
    }
    uint32_t prev = from->count - 1;
    float d_prev = from->at[axis][prev] - k;
    for (uint32_t cur = 0; cur < from->count; cur++) {
        float d_cur = from->at[axis][cur] - k;
        if ((d_prev > 0 && d_cur < 0) || (d_prev < 0 && d_cur > 0)) {
            cross(from, axis, k, prev, cur, d_prev, d_cur, low, high);
        }
        if (d_cur <= 0) {
            push(low, from, cur);
        }
        if (d_cur >= 0) {
            push(high, from, cur);
        }
        prev = cur;
        d_prev = d_cur;
    }
}

static void extremes(const vx_fast_polygon *p, int axis, float *low, float *high)
{
    *low = *high = p->at[axis][0];
    for (uint32_t i = 1; i < p->count; i++) {
        float value = p->at[axis][i];
        *low = value < *low ? value : *low;
        *high = value > *high ? value : *high;
    }
}

/* One side of B2.13@82a0c3's passes along an axis. A pass that has nothing to cut off emits its
 * polygon as it is, so it is left out. Returns the polygon that holds the result. */
static vx_fast_polygon *clip(vx_fast_polygon *from, int axis, float end, vx_fast_polygon *a,
                             vx_fast_polygon *b)
{
    float low = 0;
    float high = 0;
    if (from->count > 0) {
        extremes(from, axis, &low, &high);
        if (low < 0) {
            split(from, axis, 0, b, a);
            from = a;
        }
    }
    /* Cutting at 0 moves the high end only down, or nowhere. */
    if (from->count > 0) {
        extremes(from, axis, &low, &high);
        if (high > end) {
            vx_fast_polygon *to = from == a ? b : a;
            vx_fast_polygon rest;
            split(from, axis, end, to, &rest);
            from = to;
        }
    }
    return from;
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* B2.19@f8bcc6. */
static float area_of(const vx_fast_polygon *p)
{
    float sum = 0;
    const float *u = p->at[U];
    const float *w = p->at[W_AXIS];
    for (uint32_t i = 1; i + 1 < p->count; i++) {
        sum += (u[i] - u[0]) * (w[i + 1] - w[0]) - (w[i] - w[0]) * (u[i + 1] - u[0]);
    }
    return sum;
}

/* B2.20@f6b248. */
static bool has_length(const vx_fast_polygon *p)
{
    float low, high;
    extremes(p, U, &low, &high);
    if (high - low > 0) {
        return true;
    }
    extremes(p, W_AXIS, &low, &high);
    return high - low > 0;
}

/* Adds the piece of a cell, for which there is room, if it touches. */
static void add_piece(const vx_fast_shape *t, const vx_fast_polygon *p, uint32_t x, uint32_t z)
{
    if (p->count > 0 && (t->is_areal ? area_of(p) != 0 : has_length(p))) {
        float low, high;
        extremes(p, V, &low, &high);
        vx_fast_emit(t, &t->raster->pieces, x, z, low, high);
    }
}

/* Room for that many pieces. */
static vx_status make_room(const vx_fast_shape *t, uint32_t count)
{
    vx_fast_pieces *pieces = &t->raster->pieces;
    return pieces->capacity - pieces->count >= count
               ? VX_OK
               : vx_fast_make_room(t->raster->field, pieces, count, t->raster->error);
}

/* --- rows and cells --------------------------------------------------------------------------- */

/* B2.17@e423c9, B2.18@3f7fe2: what is visited of 0 … size − 1. For areal triangles without the ends
 * that touch the polygon in a grid plane only: there the piece lies in the plane and has area 0,
 * and the rest is the polygon as it is. */
static vx_fast_range visited(const vx_fast_polygon *p, int axis, uint32_t size, bool is_areal)
{
    float low, high;
    extremes(p, axis, &low, &high);
    /* Cut to [−1, size + 1], which changes no bound that lies in the grid. */
    float most = (float)(size + 1);
    low = low > -1 ? low : -1;
    low = low < most ? low : most;
    high = high > -1 ? high : -1;
    high = high < most ? high : most;
    int32_t first = (int32_t)low;
    first += ((float)first < low) - 1;
    int32_t last = (int32_t)high;
    last -= (float)last > high;
    first = first > 0 ? first : 0;
    last = last < (int32_t)size - 1 ? last : (int32_t)size - 1;
    if (is_areal && first < last) {
        first += low == (float)(first + 1);
        last -= first < last && high == (float)last;
    }
    return (vx_fast_range){first, last};
}

/* B2.18@3f7fe2 cell by cell. */
static void add_cells_literally(const vx_fast_shape *t, const vx_fast_polygon *row, uint32_t z,
                                vx_fast_range cells)
{
    vx_fast_polygon rest[2];
    vx_fast_polygon piece;
    const vx_fast_polygon *from = row;
    for (int32_t x = cells.first; x < cells.last; x++) {
        vx_fast_polygon *to = from == &rest[0] ? &rest[1] : &rest[0];
        split(from, U, (float)(x + 1), &piece, to);
        add_piece(t, &piece, (uint32_t)x, z);
        from = to;
    }
    add_piece(t, from, (uint32_t)cells.last, z);
}

/* B2.18@3f7fe2 for the piece of row z. */
static vx_status add_cells(const vx_fast_shape *t, const vx_fast_polygon *row, uint32_t z)
{
    if (row->count == 0) {
        return VX_OK;
    }
    vx_fast_range cells = visited(row, U, t->raster->field->size[0], t->is_areal);
    if (cells.last < cells.first) {
        return VX_OK;
    }
    vx_status status = make_room(t, (uint32_t)(cells.last - cells.first) + 1);
    /* Chains pay from three cells on. */
    bool is_short = cells.last - cells.first < 2;
    if (status == VX_OK && (is_short || !t->is_areal || !vx_fast_walk(t, row, z, cells))) {
        add_cells_literally(t, row, z, cells);
    }
    return status;
}

/* B2.16@bc9ec5; with column ≥ 0 as B2.21@39e21a has it: the row's piece is the piece of that
 * column. */
static vx_status add_all_rows(const vx_fast_shape *t, const vx_fast_polygon *clipped,
                              int64_t column)
{
    if (clipped->count == 0) {
        return VX_OK;
    }
    vx_fast_range rows = visited(clipped, W_AXIS, t->raster->field->size[1], t->is_areal);
    vx_fast_polygon rest[2];
    vx_fast_polygon piece;
    const vx_fast_polygon *from = clipped;
    vx_status status = VX_OK;
    for (int32_t z = rows.first; z <= rows.last && status == VX_OK; z++) {
        const vx_fast_polygon *row = from;
        if (z < rows.last) {
            vx_fast_polygon *to = from == &rest[0] ? &rest[1] : &rest[0];
            split(from, W_AXIS, (float)(z + 1), &piece, to);
            row = &piece;
            from = to;
        }
        if (column < 0) {
            status = add_cells(t, row, (uint32_t)z);
        } else {
            status = make_room(t, 1);
            if (status == VX_OK) {
                add_piece(t, row, (uint32_t)column, (uint32_t)z);
            }
        }
    }
    return status;
}

/* --- walls ------------------------------------------------------------------------------------ */

/* Whether the three are one integer. */
static bool on_grid_line(float a, float b, float c)
{
    return a == b && a == c && floorf(a) == a;
}

/* B2.21@39e21a, B2.22@a700ad: the row or cell column of a wall at k, −1 when it is dropped. */
static int64_t side_of(float k, bool is_before, uint32_t size)
{
    if (!(k >= 0 && k <= (float)size)) {
        return -1;
    }
    int64_t cell = (int64_t)k - is_before;
    return cell < (int64_t)size ? cell : -1;
}

static vx_status add_vertical(const vx_fast_shape *t, const vx_fast_polygon *corners,
                              const vx_fast_polygon *clipped, float nx, float nz)
{
    const float *u = corners->at[U];
    const float *w = corners->at[W_AXIS];
    const uint32_t *size = t->raster->field->size;
    bool in_u = on_grid_line(u[0], u[1], u[2]);
    bool in_w = on_grid_line(w[0], w[1], w[2]);
    if (in_u && in_w) {
        return VX_OK;
    }
    if (in_u) {
        int64_t column = side_of(u[0], nx > 0, size[0]);
        return column < 0 ? VX_OK : add_all_rows(t, clipped, column);
    }
    if (in_w) {
        int64_t row = side_of(w[0], nz > 0, size[1]);
        return row < 0 ? VX_OK : add_cells(t, clipped, (uint32_t)row);
    }
    return add_all_rows(t, clipped, -1);
}

/* --- one triangle ----------------------------------------------------------------------------- */

/* B2.11@3b9006. */
static uint16_t area_id(const vx_fast_raster *raster, int64_t area, float ny, float square)
{
    if (area != VX_FAST_CLASSIFIED) {
        return (uint16_t)area;
    }
    return ny > raster->slope_cosine * sqrtf(square) ? VX_AREA_WALKABLE : 0;
}

/* The cell 0 … size − 1 whose closed extent holds both numbers, −1 when there is none. */
static inline int32_t common_cell(float low, float high, uint32_t size)
{
    if (!(low >= 0 && low < (float)size)) {
        return -1;
    }
    int32_t cell = (int32_t)low;
    return high <= (float)(cell + 1) ? cell : -1;
}

/* Whether the areal triangle lies in one closed cell of the grid; adds its piece then. Nothing is
 * clipped, the piece is the triangle, and the one term of its area is F. Cells that it only touches
 * have pieces in one grid plane, with an area of 0. */
static inline bool add_small(const vx_fast_shape *t, const vx_fast_polygon *corners,
                             vx_status *status)
{
    float u_low, u_high, w_low, w_high, v_low, v_high;
    extremes(corners, U, &u_low, &u_high);
    int32_t x = common_cell(u_low, u_high, t->raster->field->size[0]);
    extremes(corners, W_AXIS, &w_low, &w_high);
    int32_t z = common_cell(w_low, w_high, t->raster->field->size[1]);
    if (x < 0 || z < 0) {
        return false;
    }
    extremes(corners, V, &v_low, &v_high);
    *status = make_room(t, 1);
    if (*status == VX_OK) {
        vx_fast_emit(t, &t->raster->pieces, (uint32_t)x, (uint32_t)z, v_low, v_high);
    }
    return true;
}

vx_status vx_fast_triangle(vx_fast_raster *raster, const vx_fast_vertex *a, const vx_fast_vertex *b,
                           const vx_fast_vertex *c, int64_t area)
{
    float e1x = b->lx - a->lx, e1y = b->ly - a->ly, e1z = b->lz - a->lz;
    float e2x = c->lx - a->lx, e2y = c->ly - a->ly, e2z = c->lz - a->lz;
    float nx = e1y * e2z - e1z * e2y;
    float ny = e1z * e2x - e1x * e2z;
    float nz = e1x * e2y - e1y * e2x;
    float square = (nx * nx + ny * ny) + nz * nz;
    /* B2.10@e77a26: a root is 0 exactly where its square is. */
    if (square == 0) {
        raster->degenerate++;
        return VX_OK;
    }
    float footprint = (b->u - a->u) * (c->w - a->w) - (b->w - a->w) * (c->u - a->u);
    vx_fast_shape t = {.raster = raster,
                       .is_areal = footprint != 0,
                       .is_up = ny > 0,
                       .area = area_id(raster, area, ny, square)};
    vx_fast_polygon corners;
    corners.count = 3;
    const vx_fast_vertex *all[] = {a, b, c};
    for (size_t i = 0; i < 3; i++) {
        corners.at[U][i] = all[i]->u;
        corners.at[V][i] = all[i]->v;
        corners.at[W_AXIS][i] = all[i]->w;
    }
    vx_status status = VX_OK;
    if (t.is_areal && add_small(&t, &corners, &status)) {
        return status;
    }
    vx_fast_polygon buffers[4];
    const uint32_t *size = raster->field->size;
    vx_fast_polygon *clipped = clip(&corners, W_AXIS, (float)size[1], &buffers[0], &buffers[1]);
    clipped = clip(clipped, U, (float)size[0], &buffers[2], &buffers[3]);
    return t.is_areal ? add_all_rows(&t, clipped, -1) : add_vertical(&t, &corners, clipped, nx, nz);
}

/* --- meshes ----------------------------------------------------------------------------------- */

vx_status vx_fast_check_slope(float slope_cosine, vx_error *error)
{
    if (isnan(slope_cosine)) {
        return vx_fail(error, VX_ARGUMENT, "slope cosine is NaN");
    }
    if (isinf(slope_cosine)) {
        return vx_fail(error, VX_OUT_OF_RANGE, "slope cosine = %g is not finite",
                       (double)slope_cosine);
    }
    return VX_OK;
}

void vx_fast_transform(const vx_build3d *field, double x, double y, double z,
                       vx_fast_vertex *vertex)
{
    vertex->lx = (float)(x - field->origin[0]);
    vertex->ly = (float)(y - field->origin[1]);
    vertex->lz = (float)(z - field->origin[2]);
    vertex->u = vertex->lx / field->cell_size;
    vertex->v = vertex->ly / field->cell_height;
    vertex->w = vertex->lz / field->cell_size;
}

/* B2.4@3c8a9c for one vertex. */
static vx_status check_vertex(const vx_mesh *mesh, size_t index, vx_error *error)
{
    static const char *const names[] = {"a vertex's x", "a vertex's y", "a vertex's z"};
    for (size_t axis = 0; axis < 3; axis++) {
        vx_status status =
            vx_fast_check_coordinate(mesh->vertices[3 * index + axis], names[axis], error);
        if (status != VX_OK) {
            return status;
        }
    }
    return VX_OK;
}

/* B2.2@6aeea0, B2.3@bd8500, in the order of B2.5@e842d0. */
static vx_status check_indices(const vx_mesh *mesh, vx_error *error)
{
    if (mesh->vertex_values % 3 != 0) {
        return vx_fail(error, VX_ARGUMENT, "%zu vertex values are not divisible by 3",
                       mesh->vertex_values);
    }
    if (mesh->index_count % 3 != 0) {
        return vx_fail(error, VX_ARGUMENT, "%zu indices are not divisible by 3", mesh->index_count);
    }
    size_t count = mesh->vertex_values / 3;
    for (size_t i = 0; i < mesh->index_count; i++) {
        /* A negative index is a very large unsigned one. */
        if ((uint64_t)mesh->indices[i] >= count) {
            return vx_fail(error, VX_OUT_OF_RANGE,
                           "index %" PRId64 " addresses none of the %zu vertices", mesh->indices[i],
                           count);
        }
    }
    return VX_OK;
}

/* B2.6@ab252f, B2.7@cb9d1b. */
static vx_status check_parameters(const vx_mesh *mesh, vx_error *error)
{
    size_t triangles = mesh->index_count / 3;
    if (mesh->areas != NULL && mesh->area_count != triangles) {
        return vx_fail(error, VX_ARGUMENT, "%zu areas are given for %zu triangles",
                       mesh->area_count, triangles);
    }
    vx_status status = VX_OK;
    for (size_t i = 0; mesh->areas != NULL && i < triangles && status == VX_OK; i++) {
        status = vx_fast_check_integer(mesh->areas[i], 0, VX_AREA_MAX, "area", error);
    }
    if (status == VX_OK) {
        status = vx_fast_check_slope(mesh->slope_cosine, error);
    }
    if (status == VX_OK) {
        status =
            vx_fast_check_integer(mesh->merge_threshold, 0, VX_ROWS_MAX, "merge threshold", error);
    }
    return status;
}

static bool is_coordinate(double value)
{
    return fabs(value) <= VX_COORDINATE_LIMIT;
}

/* Transforms every vertex once (a triangle mesh refers to each about six times). One that breaks
 * the coordinate rule is left alone and makes *all_good false: it is an error only when referred
 * to. */
static void transform_all(const vx_build3d *field, const vx_mesh *mesh, vx_fast_vertex *vertices,
                          bool *all_good)
{
    *all_good = true;
    for (size_t i = 0; i < mesh->vertex_values / 3; i++) {
        const double *at = mesh->vertices + 3 * i;
        if (is_coordinate(at[0]) && is_coordinate(at[1]) && is_coordinate(at[2])) {
            vx_fast_transform(field, at[0], at[1], at[2], &vertices[i]);
        } else {
            *all_good = false;
        }
    }
}

vx_status vx_fast_rasterize(vx_build3d *field, const vx_mesh *mesh, vx_error *error)
{
    vx_status status = vx_fast_check_place(field, false, "rasterize", error);
    if (status == VX_OK) {
        status = check_indices(mesh, error);
    }
    if (status != VX_OK) {
        return status;
    }
    vx_fast_vertex *vertices =
        vx_fast_reserve(field, &field->vertices, mesh->vertex_values / 3, sizeof *vertices, error);
    if (vertices == NULL) {
        return VX_NO_MEMORY;
    }
    bool all_good;
    transform_all(field, mesh, vertices, &all_good);
    for (size_t i = 0; !all_good && i < mesh->index_count && status == VX_OK; i++) {
        status = check_vertex(mesh, (size_t)mesh->indices[i], error);
    }
    if (status == VX_OK) {
        status = check_parameters(mesh, error);
    }
    if (status != VX_OK) {
        return status;
    }
    vx_fast_raster raster = {.field = field, .slope_cosine = mesh->slope_cosine, .error = error};
    vx_fast_begin(field, &raster.pieces, mesh->merge_threshold);
    for (size_t i = 0; i < mesh->index_count && status == VX_OK; i += 3) {
        const int64_t *corner = mesh->indices + i;
        status = vx_fast_triangle(&raster, &vertices[corner[0]], &vertices[corner[1]],
                                  &vertices[corner[2]],
                                  mesh->areas != NULL ? mesh->areas[i / 3] : VX_FAST_CLASSIFIED);
    }
    if (status != VX_OK) {
        vx_fast_abandon(field);
        return status;
    }
    status = vx_fast_commit(field, &raster.pieces, error);
    field->degenerate += status == VX_OK ? raster.degenerate : 0;
    return status;
}
