/* SPDX-License-Identifier: MIT */
/* Rasterizing triangles (B2), with the way of a vertex into the grid (B1.7@206672, B1.8@60cdaa). */
#include <math.h>

#include "ref.h"

/* What the pieces of a triangle need of it. */
typedef struct triangle {
    float nx, ny, nz;       /* B2.8@3c6046 */
    bool areal;             /* B2.12@13dbda; otherwise vertical */
    float u[3], v[3], w[3]; /* its corners in cell units, before any clipping */
    int32_t area;           /* B2.11@3b9006 */
    int32_t T;
} triangle;

/* The visited rows of B2.17@e423c9, or cells of B2.18@3f7fe2: first … last, none when last < first.
 */
typedef struct range {
    int32_t first, last;
} range;

static void extent(const vx_ref_polygon *polygon, int axis, float *min, float *max)
{
    *min = *max = polygon->p[0].at[axis];
    for (size_t i = 1; i < polygon->n; i++) {
        float value = polygon->p[i].at[axis];
        *min = value < *min ? value : *min;
        *max = value > *max ? value : *max;
    }
}

static void swap(vx_ref_polygon *a, vx_ref_polygon *b)
{
    vx_ref_polygon old = *a;
    *a = *b;
    *b = old;
}

static bool reserve(vx_arena *arena, vx_ref_polygon *polygon, size_t n)
{
    vx_ref_vertex *p = vx_ref_grow(arena, polygon->p, &polygon->capacity, n, sizeof *p);
    if (p == NULL) {
        return false;
    }
    polygon->p = p;
    return true;
}

/* B2.15@3c3989: the crossing runs from p = prev to q = cur: t = d_p ÷ (d_p − d_q); each coordinate
 * other than the clipped one is p + (q − p)·t; the clipped coordinate is exactly k. */
static vx_ref_vertex crossing(const vx_build3d *field, const vx_ref_vertex *p,
                              const vx_ref_vertex *q, int axis, float k)
{
    float d_p = p->at[axis] - k;
    float d_q = q->at[axis] - k;
    float t = d_p / (d_p - d_q);
    vx_ref_vertex result;
    for (int i = VX_REF_U; i <= VX_REF_W; i++) {
        result.at[i] = p->at[i] + (q->at[i] - p->at[i]) * t;
    }
    result.at[axis] = k;
    VX_TRACE(field, "B2.15", "d_p = " VX_A32 ", d_q = " VX_A32 ", t = " VX_A32, VX_A(d_p),
             VX_A(d_q), VX_A(t));
    VX_TRACE(field, "B2.15", "crossing u = " VX_A32 ", v = " VX_A32 ", w = " VX_A32,
             VX_A(result.at[VX_REF_U]), VX_A(result.at[VX_REF_V]), VX_A(result.at[VX_REF_W]));
    return result;
}

bool vx_ref_pass(const vx_build3d *field, const vx_ref_polygon *in, int axis, float k,
                 bool keep_high, vx_ref_polygon *out)
{
    /* Each vertex of in emits at most a crossing and itself. */
    if (!reserve(field->arena, out, 2 * in->n)) {
        return false;
    }
    VX_TRACE(field, "B2.14", "pass keeping %c %s %.9g", "uvw"[axis],
             keep_high ? ">=" : "<=", (double)k);
    out->n = 0;
    /* B2.14@fd01a4: for i = 0 … n−1, with prev = p_{i−1} (p_{n−1} for i = 0) and cur = p_i: */
    for (size_t i = 0; i < in->n; i++) {
        const vx_ref_vertex *prev = &in->p[i > 0 ? i - 1 : in->n - 1];
        const vx_ref_vertex *cur = &in->p[i];
        /* d_i is the vertex's coordinate minus k, in binary32. */
        float d_prev = prev->at[axis] - k;
        float d_cur = cur->at[axis] - k;
        /* First, if one of d_prev, d_cur is > 0 and the other < 0, the crossing is emitted; */
        if ((d_prev > 0 && d_cur < 0) || (d_prev < 0 && d_cur > 0)) {
            out->p[out->n++] = crossing(field, prev, cur, axis, k);
        }
        /* then, if cur is on the kept side or d_cur = 0, cur is emitted, unchanged. */
        if (keep_high ? d_cur >= 0 : d_cur <= 0) {
            out->p[out->n++] = *cur;
        }
    }
    VX_TRACE_POLYGON(field, "B2.14", "passed", out);
    return true;
}

float vx_ref_area(const vx_ref_polygon *piece)
{
    /* B2.19@f8bcc6: the binary32 sum, starting from 0 and in the order i = 1 … n−2, of the terms
     * (u_i − u_0)·(w_{i+1} − w_0) − (w_i − w_0)·(u_{i+1} − u_0). */
    float area = 0;
    for (size_t i = 1; i + 1 < piece->n; i++) {
        const float *p_0 = piece->p[0].at;
        const float *p_i = piece->p[i].at;
        const float *p_next = piece->p[i + 1].at;
        area += (p_i[VX_REF_U] - p_0[VX_REF_U]) * (p_next[VX_REF_W] - p_0[VX_REF_W]) -
                (p_i[VX_REF_W] - p_0[VX_REF_W]) * (p_next[VX_REF_U] - p_0[VX_REF_U]);
    }
    return area;
}

/* B2.19@f8bcc6: an areal triangle touches a cell when the area of its piece there is not 0.
 * B2.20@f6b248: a vertical one when max u − min u > 0 or max w − min w > 0 over the piece's
 * vertices. */
static bool touches(const vx_build3d *field, const triangle *tri, const vx_ref_polygon *piece)
{
    if (tri->areal) {
        float area = vx_ref_area(piece);
        VX_TRACE(field, "B2.19", "area of the piece = " VX_A32, VX_A(area));
        return area != 0;
    }
    float min_u, max_u, min_w, max_w;
    extent(piece, VX_REF_U, &min_u, &max_u);
    extent(piece, VX_REF_W, &min_w, &max_w);
    VX_TRACE(field, "B2.20", "max u - min u = " VX_A32 ", max w - min w = " VX_A32,
             VX_A(max_u - min_u), VX_A(max_w - min_w));
    return max_u - min_u > 0 || max_w - min_w > 0;
}

/* The piece of a triangle in cell (i, j). */
static bool add_piece(vx_build3d *field, const triangle *tri, const vx_ref_polygon *piece,
                      int32_t i, int32_t j)
{
    VX_TRACE(field, "B2.18", "cell (%d, %d)", (int)i, (int)j);
    VX_TRACE_POLYGON(field, "B2.18", "piece", piece);
    if (piece->n == 0 || !touches(field, tri, piece)) {
        VX_TRACE(field, tri->areal ? "B2.19" : "B2.20", "cell (%d, %d) is not touched", (int)i,
                 (int)j);
        return true;
    }
    /* B2.24@ce437d: lo = floor(min v) and hi = ceil(max v), as binary32 numbers. */
    float min_v, max_v;
    extent(piece, VX_REF_V, &min_v, &max_v);
    float lo = floorf(min_v);
    float hi = ceilf(max_v);
    VX_TRACE(field, "B2.24", "min v = " VX_A32 ", max v = " VX_A32 ", lo = %.9g, hi = %.9g",
             VX_A(min_v), VX_A(max_v), (double)lo, (double)hi);
    /* B2.25@3c3db2: if lo = hi: with ny > 0, lo becomes hi − 1; otherwise hi becomes lo + 1. */
    if (lo == hi) {
        if (tri->ny > 0) {
            lo = hi - 1;
        } else {
            hi = lo + 1;
        }
        VX_TRACE(field, "B2.25", "on a row boundary: lo = %.9g, hi = %.9g", (double)lo, (double)hi);
    }
    /* B2.26@f8f21f: dropped if hi ≤ 0 or lo ≥ H, compared as binary32 numbers. Otherwise the span
     * is [max(lo, 0), min(hi, H)). */
    float H = (float)field->grid.H;
    if (hi <= 0 || lo >= H) {
        VX_TRACE(field, "B2.26", "cell (%d, %d): [%.9g, %.9g) is outside the rows: dropped", (int)i,
                 (int)j, (double)lo, (double)hi);
        return true;
    }
    int32_t min = (int32_t)(lo > 0 ? lo : 0);
    int32_t max = (int32_t)(hi < H ? hi : H);
    /* B2.27@32af4a: the span, with the triangle's area id and T, is added to the column of the
     * cell. */
    VX_TRACE(field, "B2.27", "cell (%d, %d): span [%d, %d) area %d", (int)i, (int)j, (int)min,
             (int)max, (int)tri->area);
    size_t column = (size_t)i + (size_t)j * (size_t)field->grid.W;
    return vx_ref_add_span(field, column, min, max, tri->area, tri->T);
}

/* B2.17@e423c9: max(0, ceil(min w) − 1) … min(D − 1, floor(max w)). B2.18@3f7fe2: the same of u and
 * W. Compared as numbers of binary32, which holds 0 … 65536 exactly (B0.6@698c76). */
static range visited(const vx_ref_polygon *polygon, int axis, int32_t size)
{
    if (polygon->n == 0) {
        return (range){0, -1};
    }
    float min, max;
    extent(polygon, axis, &min, &max);
    float first = ceilf(min) - 1;
    float last = floorf(max);
    float end = (float)(size - 1);
    first = first > 0 ? first : 0;
    last = last < end ? last : end;
    return first <= last ? (range){(int32_t)first, (int32_t)last} : (range){0, -1};
}

/* B2.16@bc9ec5, B2.18@3f7fe2: cuts the piece of row or cell j off *rest and leaves the remainder
 * there. The last visited one takes the rest whole. */
static bool cut(const vx_build3d *field, vx_ref_polygon *rest, vx_ref_polygon *spare, int axis,
                int32_t j, int32_t last, vx_ref_polygon *piece)
{
    if (j == last) {
        swap(rest, piece);
        return true;
    }
    float plane = (float)(j + 1);
    if (!vx_ref_pass(field, rest, axis, plane, false, piece) ||
        !vx_ref_pass(field, rest, axis, plane, true, spare)) {
        return false;
    }
    swap(rest, spare);
    return true;
}

/* B2.18@3f7fe2: the piece of row j, in field->row, is split into cells along u in the same way. */
static bool split_row(vx_build3d *field, const triangle *tri, int32_t j)
{
    range cells = visited(&field->row, VX_REF_U, field->grid.W);
    VX_TRACE(field, "B2.18", "row %d: visited cells %d to %d", (int)j, (int)cells.first,
             (int)cells.last);
    for (int32_t i = cells.first; i <= cells.last; i++) {
        if (!cut(field, &field->row, &field->row_rest, VX_REF_U, i, cells.last, &field->cell) ||
            !add_piece(field, tri, &field->cell, i, j)) {
            return false;
        }
    }
    return true;
}

/* Whether the three values, before any clipping, all equal one integer (B2.21@39e21a,
 * B2.22@a700ad). */
static bool on_grid_line(const float value[3])
{
    return value[0] == value[1] && value[1] == value[2] && floorf(value[0]) == value[0];
}

/* B2.21@39e21a, B2.22@a700ad: the cell column or row of a wall at k: k − 1 if the normal is > 0,
 * else k; below 0 or above size − 1 drops the wall: −1. */
static int32_t behind_wall(float k, float normal, int32_t size)
{
    float owner = normal > 0 ? k - 1 : k;
    return owner >= 0 && owner <= (float)(size - 1) ? (int32_t)owner : -1;
}

/* B2.16@bc9ec5: the polygon left by B2.13@82a0c3, in field->rows, is split into rows from the
 * lowest visited row upwards. */
static bool split_rows(vx_build3d *field, const triangle *tri)
{
    bool wall = !tri->areal && on_grid_line(tri->u);
    int32_t wall_cell = wall ? behind_wall(tri->u[0], tri->nx, field->grid.W) : -1;
    if (wall) {
        VX_TRACE(field, "B2.21", "wall at u = %.9g, nx = " VX_A32 ": cell column %d%s",
                 (double)tri->u[0], VX_A(tri->nx), (int)wall_cell,
                 wall_cell < 0 ? " (dropped)" : "");
    }
    range rows = visited(&field->rows, VX_REF_W, field->grid.D);
    VX_TRACE(field, "B2.17", "visited rows %d to %d", (int)rows.first, (int)rows.last);
    for (int32_t j = rows.first; j <= rows.last && (!wall || wall_cell >= 0); j++) {
        VX_TRACE(field, "B2.16", "row %d", (int)j);
        if (!cut(field, &field->rows, &field->rows_rest, VX_REF_W, j, rows.last, &field->row)) {
            return false;
        }
        VX_TRACE_POLYGON(field, "B2.16", "piece of the row", &field->row);
        /* B2.21@39e21a: but not within a row: the row's piece is its piece in that cell. */
        if (wall ? !add_piece(field, tri, &field->row, wall_cell, j) : !split_row(field, tri, j)) {
            return false;
        }
    }
    return true;
}

/* B2.13@82a0c3: a triangle is first clipped to the rectangle of the grid, by four passes in this
 * order: keep w ≥ 0, keep w ≤ D, keep u ≥ 0, keep u ≤ W. The result is in field->rows. */
static bool clip_to_grid(vx_build3d *field, const triangle *tri)
{
    vx_ref_polygon *a = &field->rows;
    vx_ref_polygon *b = &field->rows_rest;
    if (!reserve(field->arena, a, 3)) {
        return false;
    }
    a->n = 3;
    for (int i = 0; i < 3; i++) {
        a->p[i] = (vx_ref_vertex){{tri->u[i], tri->v[i], tri->w[i]}};
    }
    if (!vx_ref_pass(field, a, VX_REF_W, 0, true, b) ||
        !vx_ref_pass(field, b, VX_REF_W, (float)field->grid.D, false, a) ||
        !vx_ref_pass(field, a, VX_REF_U, 0, true, b) ||
        !vx_ref_pass(field, b, VX_REF_U, (float)field->grid.W, false, a)) {
        return false;
    }
    VX_TRACE_POLYGON(field, "B2.13", "clipped to the grid", a);
    return true;
}

static bool split(vx_build3d *field, const triangle *tri)
{
    if (!clip_to_grid(field, tri)) {
        return false;
    }
    /* B2.22@a700ad: a vertical triangle whose three w all equal one integer k belongs to row k − 1
     * if nz > 0, else to row k. It is clipped and then split within that row along u. */
    if (!tri->areal && on_grid_line(tri->w)) {
        int32_t j = behind_wall(tri->w[0], tri->nz, field->grid.D);
        VX_TRACE(field, "B2.22", "wall at w = %.9g, nz = " VX_A32 ": row %d%s", (double)tri->w[0],
                 VX_A(tri->nz), (int)j, j < 0 ? " (dropped)" : "");
        if (j < 0) {
            return true;
        }
        swap(&field->rows, &field->row);
        return split_row(field, tri, j);
    }
    /* B2.23@4e8efd: every other vertical triangle is split like an areal one. */
    return split_rows(field, tri);
}

/* B1.7@206672: lx = (binary32)(x − ox), ly = (binary32)(y − oy), lz = (binary32)(z − oz).
 * B1.8@60cdaa: u = lx ÷ cs, v = ly ÷ ch, w = lz ÷ cs in binary32. */
static void place_corner(const vx_build3d *field, const double *corner, int i, float local[3],
                         triangle *tri)
{
    const vx_ref_grid *grid = &field->grid;
    local[0] = (float)(corner[0] - grid->ox);
    local[1] = (float)(corner[1] - grid->oy);
    local[2] = (float)(corner[2] - grid->oz);
    tri->u[i] = local[0] / grid->cs;
    tri->v[i] = local[1] / grid->ch;
    tri->w[i] = local[2] / grid->cs;
    VX_TRACE(field, "B1.7", "%c: lx = " VX_A32 ", ly = " VX_A32 ", lz = " VX_A32, "abc"[i],
             VX_A(local[0]), VX_A(local[1]), VX_A(local[2]));
    VX_TRACE(field, "B1.8", "%c: u = " VX_A32 ", v = " VX_A32 ", w = " VX_A32, "abc"[i],
             VX_A(tri->u[i]), VX_A(tri->v[i]), VX_A(tri->w[i]));
}

/* B2.8@3c6046: with e1 = b − a and e2 = c − a taken on (lx, ly, lz), nx = e1y·e2z − e1z·e2y,
 * ny = e1z·e2x − e1x·e2z, nz = e1x·e2y − e1y·e2x, in binary32. */
static void take_normal(float local[3][3], triangle *tri)
{
    float e1x = local[1][0] - local[0][0];
    float e1y = local[1][1] - local[0][1];
    float e1z = local[1][2] - local[0][2];
    float e2x = local[2][0] - local[0][0];
    float e2y = local[2][1] - local[0][1];
    float e2z = local[2][2] - local[0][2];
    tri->nx = e1y * e2z - e1z * e2y;
    tri->ny = e1z * e2x - e1x * e2z;
    tri->nz = e1x * e2y - e1y * e2x;
}

/* B2.12@13dbda: F = (ub − ua)·(wc − wa) − (wb − wa)·(uc − ua) in binary32. */
static float footprint(const triangle *tri)
{
    const float *u = tri->u;
    const float *w = tri->w;
    return (u[1] - u[0]) * (w[2] - w[0]) - (w[1] - w[0]) * (u[2] - u[0]);
}

bool vx_ref_add_triangle(vx_build3d *field, const double *const corner[3], int32_t area,
                         vx_ref_style *style)
{
    triangle tri = {.T = style->T, .area = area};
    float local[3][3];
    for (int i = 0; i < 3; i++) {
        place_corner(field, corner[i], i, local[i], &tri);
    }
    take_normal(local, &tri);
    VX_TRACE(field, "B2.8", "nx = " VX_A32 ", ny = " VX_A32 ", nz = " VX_A32, VX_A(tri.nx),
             VX_A(tri.ny), VX_A(tri.nz));
    /* B2.9@e50c4f: len = sqrt((nx·nx + ny·ny) + nz·nz) in binary32. */
    float len = sqrtf((tri.nx * tri.nx + tri.ny * tri.ny) + tri.nz * tri.nz);
    VX_TRACE(field, "B2.9", "len = " VX_A32, VX_A(len));
    /* B2.10@e77a26: if len = 0 the triangle is degenerate: it is skipped and counted. */
    if (len == 0) {
        VX_TRACE(field, "B2.10", "degenerate: skipped");
        style->degenerate++;
        return true;
    }
    /* B2.11@3b9006: a triangle's area id is the given one; without given ones it is 63 when
     * ny > slopeCosine·len, else 0. */
    if (area < 0) {
        tri.area = tri.ny > style->slope_cosine * len ? VX_AREA_WALKABLE : 0;
        VX_TRACE(field, "B2.11", "slopeCosine * len = " VX_A32 ": area %d",
                 VX_A(style->slope_cosine * len), (int)tri.area);
    }
    /* B2.12@13dbda: F = 0: the triangle is vertical. Otherwise it is areal. */
    float F = footprint(&tri);
    tri.areal = F != 0;
    VX_TRACE(field, "B2.12", "F = " VX_A32 ": %s", VX_A(F), tri.areal ? "areal" : "vertical");
    return split(field, &tri);
}

vx_status vx_ref_check_style(float slope_cosine, int64_t merge_threshold, vx_error *error)
{
    /* B2.7@cb9d1b: slopeCosine may be any finite value; NaN is argument, infinite is out_of_range.
     */
    if (isnan(slope_cosine)) {
        return vx_fail(error, VX_ARGUMENT, "slopeCosine is NaN, not a finite number");
    }
    if (isinf(slope_cosine)) {
        return vx_fail(error, VX_OUT_OF_RANGE, "slopeCosine = %g is beyond all finite numbers",
                       (double)slope_cosine);
    }
    return vx_ref_check_integer(merge_threshold, 0, VX_ROWS_MAX, VX_OUT_OF_RANGE, error,
                                "mergeThreshold");
}

/* B2.4@3c8a9c: every vertex that an index refers to obeys the coordinate rule. */
static vx_status check_referenced(const vx_mesh *mesh, vx_error *error)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < mesh->index_count && status == VX_OK; i++) {
        int64_t vertex = mesh->indices[i];
        for (int64_t c = 0; c < 3 && status == VX_OK; c++) {
            status = vx_ref_check_coordinate(mesh->vertices[3 * vertex + c], error,
                                             "vertex %lld: %c", (long long)vertex, "xyz"[c]);
        }
    }
    return status;
}

/* B2.6@ab252f: when area ids are given, their number must be the number of triangles, else
 * argument; each obeys B0.12@de3b14. */
static vx_status check_areas(const vx_mesh *mesh, vx_error *error)
{
    if (mesh->areas == NULL) {
        return VX_OK;
    }
    if (mesh->area_count != mesh->index_count / 3) {
        return vx_fail(error, VX_ARGUMENT, "areas: %zu area ids for %zu triangles",
                       mesh->area_count, mesh->index_count / 3);
    }
    vx_status status = VX_OK;
    for (size_t k = 0; k < mesh->area_count && status == VX_OK; k++) {
        status = vx_ref_check_integer(mesh->areas[k], 0, VX_AREA_MAX, VX_OUT_OF_RANGE, error,
                                      "areas: the area of triangle %zu", k);
    }
    return status;
}

/* B2.5@e842d0: the order of the mesh's checks is: lengths (B2.2@6aeea0), then all indices
 * (B2.3@bd8500), then the coordinates (B2.4@3c8a9c). */
static vx_status check_mesh(const vx_mesh *mesh, vx_error *error)
{
    /* B2.2@6aeea0: a length that is not divisible by 3 is argument. */
    if (mesh->vertex_values % 3 != 0) {
        return vx_fail(error, VX_ARGUMENT, "vertices: their length %zu is not divisible by 3",
                       mesh->vertex_values);
    }
    if (mesh->index_count % 3 != 0) {
        return vx_fail(error, VX_ARGUMENT, "indices: their length %zu is not divisible by 3",
                       mesh->index_count);
    }
    /* B2.3@bd8500: an index below 0, or not below the number of vertices, is out_of_range. */
    int64_t vertex_count = (int64_t)(mesh->vertex_values / 3);
    for (size_t i = 0; i < mesh->index_count; i++) {
        int64_t index = mesh->indices[i];
        if (index < 0 || index >= vertex_count) {
            return vx_fail(error, VX_OUT_OF_RANGE,
                           "indices: number %zu is %lld, not at least 0 and below %lld", i,
                           (long long)index, (long long)vertex_count);
        }
    }
    vx_status status = check_referenced(mesh, error);
    if (status == VX_OK) {
        status = check_areas(mesh, error);
    }
    if (status == VX_OK) {
        status = vx_ref_check_style(mesh->slope_cosine, mesh->merge_threshold, error);
    }
    return status;
}

vx_status vx_ref_rasterize(vx_build3d *field, const vx_mesh *mesh, vx_error *error)
{
    vx_status status = vx_ref_require_solid(field, "rasterize", error);
    if (status == VX_OK) {
        status = check_mesh(mesh, error);
    }
    if (status != VX_OK) {
        return status;
    }
    vx_ref_style style = {.slope_cosine = mesh->slope_cosine, .T = (int32_t)mesh->merge_threshold};
    bool enough_memory = true;
    /* B2.1@204fdc: triangle k is (a, b, c), the vertices at indices 3k, 3k + 1 and 3k + 2.
     * Triangles are added in ascending k. */
    for (size_t k = 0; k < mesh->index_count / 3 && enough_memory; k++) {
        const int64_t *index = &mesh->indices[3 * k];
        const double *corner[3];
        for (int i = 0; i < 3; i++) {
            corner[i] = &mesh->vertices[3 * index[i]];
        }
        VX_TRACE(field, "B2.1", "triangle %zu: vertices %lld, %lld, %lld", k, (long long)index[0],
                 (long long)index[1], (long long)index[2]);
        int32_t area = mesh->areas != NULL ? (int32_t)mesh->areas[k] : -1;
        enough_memory = vx_ref_add_triangle(field, corner, area, &style);
    }
    if (enough_memory) {
        field->degenerate += style.degenerate;
    }
    return vx_ref_finish(field, enough_memory, error);
}
