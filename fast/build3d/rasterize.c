/* SPDX-License-Identifier: MIT */
/* SPEC B2: from a mesh to pieces. docs/DIFFERENCES.md holds the arguments for the shortcuts. */
#include <inttypes.h>

#include "lanes.h"
#include "walk.h"

/* --- the operation ---------------------------------------------------------------------------- */

enum {
    /* Rows wait in queues with others of about as many cells. */
    QUEUES = 7,
    /* Triangles whose rows may wait. */
    WAITING_MAX = 1024,
    /* Triangles that could have more cells are not put into lanes. */
    CELLS_MAX = VX_FAST_GROUP_CELLS
};

/* A triangle in lanes whose rows may still wait: its corners in cell units. */
typedef struct waiting {
    float at[3][AXES];
    bool is_up, is_areal;
} waiting;

#define NONE UINT32_MAX

/* Rows of about as many cells, up to as many as there are lanes, with the runs that their cells
 * belong to. */
typedef struct queue {
    vx_fast_rows rows;
    vx_fast_pieces pieces;
    size_t first[VX_FAST_TILE];       /* cell of the run */
    uint32_t z[VX_FAST_TILE];         /* the row */
    uint32_t triangles[VX_FAST_TILE]; /* those waiting */
    uint32_t used;
} queue;

struct vx_fast_raster {
    vx_build3d *field;
    vx_fast_runs runs;
    uint64_t degenerate; /* counted so far in this operation */
    vx_error *error;
    vx_fast_group group;
    int32_t areas[VX_FAST_TILE];
    uint32_t filled;                  /* lanes of the group */
    uint32_t first[VX_FAST_TILE];     /* of the runs reserved for each lane */
    uint32_t triangles[VX_FAST_TILE]; /* those waiting that the lanes hold, or NONE */
    uint32_t next_run, end_run;       /* of those reserved for the triangle that is cut literally */
    queue queues[QUEUES];
    uint32_t waiting_count;
    waiting waiting[WAITING_MAX]; /* last: what is not in use is never touched */
};

const size_t vx_fast_raster_bytes = sizeof(vx_fast_raster);

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

/* The cell of a piece, 0 when the triangle does not touch it. */
static uint32_t cell_of(const vx_fast_shape *t, const vx_fast_polygon *p)
{
    if (p->count == 0 || !(t->is_areal ? area_of(p) != 0 : has_length(p))) {
        return 0;
    }
    float low, high;
    extremes(p, V, &low, &high);
    return vx_fast_emit(t, low, high);
}

/* A run of the triangle whose cells are to be filled in, reserved or new; NULL without memory. */
static uint32_t *add_run(const vx_fast_shape *t, uint32_t x, uint32_t z, uint32_t count)
{
    vx_fast_raster *raster = t->raster;
    vx_fast_runs *runs = &raster->runs;
    if (raster->next_run < raster->end_run) {
        runs->rows[raster->next_run] = (uint16_t)z;
        runs->items[raster->next_run++] = vx_fast_run_of(runs->cell_count, x, count, t->area);
        runs->cell_count += count;
        return runs->cells + runs->cell_count - count;
    }
    return vx_fast_make_room(raster->field, runs, 1, count, raster->error) == VX_OK
               ? vx_fast_add_run(runs, x, z, count, t->area)
               : NULL;
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
static void cut_cells(const vx_fast_shape *t, const vx_fast_polygon *row, vx_fast_range cells,
                      uint32_t *to)
{
    vx_fast_polygon rest[2];
    vx_fast_polygon piece;
    piece.count = rest[0].count = rest[1].count = 0;
    const vx_fast_polygon *from = row;
    for (int32_t x = cells.first; x < cells.last; x++) {
        vx_fast_polygon *left = from == &rest[0] ? &rest[1] : &rest[0];
        split(from, U, (float)(x + 1), &piece, left);
        *to++ = cell_of(t, &piece);
        from = left;
    }
    *to = cell_of(t, from);
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
    uint32_t count = (uint32_t)(cells.last - cells.first) + 1;
    uint32_t *to = add_run(t, (uint32_t)cells.first, z, count);
    if (to == NULL) {
        return VX_NO_MEMORY;
    }
    /* Chains pay from three cells on. */
    if (count < 3 || !t->is_areal || !vx_fast_walk(t, row, cells, to)) {
        cut_cells(t, row, cells, to);
    }
    return VX_OK;
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
            uint32_t *to = add_run(t, (uint32_t)column, (uint32_t)z, 1);
            if (to == NULL) {
                return VX_NO_MEMORY;
            }
            *to = cell_of(t, row);
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

/* --- triangles one by one -----------------------------------------------------------------------
 */

/* B2.12@13dbda to B2.27@32af4a for any triangle. */
static vx_status add_literally(const vx_fast_shape *t, const vx_fast_polygon *corners, float nx,
                               float nz)
{
    vx_fast_polygon buffers[4];
    for (size_t i = 0; i < 4; i++) {
        buffers[i].count = 0;
    }
    const uint32_t *size = t->raster->field->size;
    vx_fast_polygon copy = *corners;
    vx_fast_polygon *clipped = clip(&copy, W_AXIS, (float)size[1], &buffers[0], &buffers[1]);
    clipped = clip(clipped, U, (float)size[0], &buffers[2], &buffers[3]);
    return t->is_areal ? add_all_rows(t, clipped, -1) : add_vertical(t, corners, clipped, nx, nz);
}

/* The triangle in a lane. */
static vx_status add_lane_literally(vx_fast_raster *raster, uint32_t lane, const vx_fast_shape *t)
{
    const vx_fast_group *g = &raster->group;
    vx_fast_polygon corners = {.count = 3};
    float e[2][3];
    for (size_t i = 0; i < 3; i++) {
        corners.at[U][i] = g->corners[i][U][lane];
        corners.at[V][i] = g->corners[i][V][lane];
        corners.at[W_AXIS][i] = g->corners[i][W_AXIS][lane];
        e[0][i] = g->local[1][i][lane] - g->local[0][i][lane];
        e[1][i] = g->local[2][i][lane] - g->local[0][i][lane];
    }
    /* B2.8@3c6046. */
    float nx = e[0][1] * e[1][2] - e[0][2] * e[1][1];
    float nz = e[0][0] * e[1][1] - e[0][1] * e[1][0];
    return add_literally(t, &corners, nx, nz);
}

/* --- rows in queues -----------------------------------------------------------------------------
 */

/* The cells of one row of a triangle cut literally. */
static void cut_row(const vx_fast_shape *t, const vx_fast_polygon *triangle, int32_t z,
                    uint32_t depth, vx_fast_range cells, uint32_t *to)
{
    vx_fast_polygon rest[2];
    vx_fast_polygon piece = *triangle;
    rest[0] = piece;
    vx_fast_polygon *from = &rest[0];
    vx_fast_range visits = visited(from, W_AXIS, depth, t->is_areal);
    for (int32_t row = visits.first; row <= z && row < visits.last; row++) {
        vx_fast_polygon *to_rest = from == &rest[0] ? &rest[1] : &rest[0];
        split(from, W_AXIS, (float)(row + 1), &piece, to_rest);
        from = to_rest;
    }
    cut_cells(t, z < visits.last ? &piece : from, cells, to);
}

/* The corners of a row's piece in a lane, each once. */
static void collect_row(const float *piece, vx_fast_polygon *row)
{
    row->count = 0;
    for (size_t i = 0; i < VX_FAST_CORNERS; i++, piece += (size_t)AXES * VX_FAST_TILE) {
        uint32_t n = row->count++;
        for (size_t axis = 0; axis < AXES; axis++) {
            row->at[axis][n] = piece[axis * VX_FAST_TILE];
        }
        bool is_new = n == 0 || row->at[U][n] != row->at[U][n - 1] ||
                      row->at[V][n] != row->at[V][n - 1] ||
                      row->at[W_AXIS][n] != row->at[W_AXIS][n - 1];
        row->count -= !is_new;
    }
}

/* The cells of one row for which the lanes were not sure: piece is its piece there. */
static void find_row(const vx_fast_raster *raster, const waiting *triangle, const float *piece,
                     int32_t z, vx_fast_range cells, uint32_t *to)
{
    const uint32_t *size = raster->field->size;
    vx_fast_shape t = {.height = size[2], .is_areal = triangle->is_areal, .is_up = triangle->is_up};
    vx_fast_polygon row;
    collect_row(piece, &row);
    if (t.is_areal && vx_fast_walk(&t, &row, cells, to)) {
        return;
    }
    row.count = 3;
    for (size_t i = 0; i < 3; i++) {
        for (size_t axis = 0; axis < AXES; axis++) {
            row.at[axis][i] = triangle->at[i][axis];
        }
    }
    cut_row(&t, &row, z, size[1], cells, to);
}

static vx_fast_range range_of(const vx_fast_rows *rows, uint32_t lane)
{
    return (vx_fast_range){rows->cell_first[lane], rows->cell_first[lane] + rows->count[lane] - 1};
}

/* The cells of all rows of a queue, of which none is left then. */
static void empty_queue(vx_fast_raster *raster, queue *q)
{
    const vx_build3d *field = raster->field;
    for (uint32_t i = q->used; i < VX_FAST_TILE; i++) {
        q->rows.count[i] = 0;
    }
    uint32_t *cells = raster->runs.cells;
    uint32_t left =
        field->lanes->long_cells(&q->rows, q->pieces[0][0], field->size[2], q->first, cells);
    for (uint32_t i = 0; left != 0; i++, left >>= 1) {
        if ((left & 1) != 0) {
            find_row(raster, &raster->waiting[q->triangles[i]], &q->pieces[0][0][i],
                     (int32_t)q->z[i], range_of(&q->rows, i), cells + q->first[i]);
        }
    }
    q->used = 0;
}

static void empty_queues(vx_fast_raster *raster)
{
    for (size_t i = 0; i < QUEUES; i++) {
        if (raster->queues[i].used > 0) {
            empty_queue(raster, &raster->queues[i]);
        }
    }
    raster->waiting_count = 0;
}

/* The queue for rows of so many cells: 1, 2, 3 to 4, 5 to 8, …, more than 32. */
static uint32_t queue_of(uint32_t count)
{
    uint32_t index = count > 1 ? 32 - (uint32_t)__builtin_clz(count - 1) : 0;
    return index < QUEUES ? index : QUEUES - 1;
}

static waiting corners_of(const vx_fast_raster *raster, uint32_t lane)
{
    const vx_fast_group *g = &raster->group;
    waiting triangle = {.is_up = g->rows.is_up[lane] != 0, .is_areal = g->rows.is_areal[lane] != 0};
    for (size_t i = 0; i < 3; i++) {
        for (size_t axis = 0; axis < AXES; axis++) {
            triangle.at[i][axis] = g->corners[i][axis][lane];
        }
    }
    return triangle;
}

/* The next of the runs that are reserved for a lane, of its present row. */
static void set_run(vx_fast_raster *raster, uint32_t lane, size_t first)
{
    const vx_fast_group *g = &raster->group;
    uint32_t at = raster->first[lane]++;
    raster->runs.rows[at] = (uint16_t)(g->row[lane] - 1);
    raster->runs.items[at] =
        vx_fast_run_of(first, (uint32_t)g->rows.cell_first[lane], (uint32_t)g->rows.count[lane],
                       (uint32_t)raster->areas[lane]);
}

/* Puts the present row of a lane into a queue. */
static void queue_row(vx_fast_raster *raster, uint32_t lane)
{
    const vx_fast_group *g = &raster->group;
    vx_fast_runs *runs = &raster->runs;
    uint32_t count = (uint32_t)g->rows.count[lane];
    queue *q = &raster->queues[queue_of(count)];
    uint32_t at = q->used++;
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        for (size_t axis = 0; axis < VX_FAST_AXES; axis++) {
            q->pieces[i][axis][at] = g->piece[i][axis][lane];
        }
    }
    if (raster->triangles[lane] == NONE) {
        raster->triangles[lane] = raster->waiting_count++;
        raster->waiting[raster->triangles[lane]] = corners_of(raster, lane);
    }
    q->rows.cell_first[at] = g->rows.cell_first[lane];
    q->rows.count[at] = (int32_t)count;
    q->rows.is_up[at] = g->rows.is_up[lane];
    q->rows.is_areal[at] = g->rows.is_areal[lane];
    q->rows.width[at] = g->rows.width[lane];
    q->rows.are_simple = (at == 0 || q->rows.are_simple) && g->rows.are_simple;
    q->first[at] = runs->cell_count;
    q->z[at] = (uint32_t)g->row[lane] - 1;
    q->triangles[at] = raster->triangles[lane];
    set_run(raster, lane, runs->cell_count);
    runs->cell_count += ((size_t)count + VX_FAST_BLOCK - 1) / VX_FAST_BLOCK * VX_FAST_BLOCK;
    if (q->used == raster->field->lanes->lanes) {
        empty_queue(raster, q);
    }
}

/* Finds the cells of the present rows of some lanes, a bit each, where they stand. */
static void add_rows_at_once(vx_fast_raster *raster, uint32_t active)
{
    const vx_fast_group *g = &raster->group;
    const vx_fast_lane_kernels *kernels = raster->field->lanes;
    vx_fast_runs *runs = &raster->runs;
    size_t first = runs->cell_count;
    uint32_t *cells = runs->cells + first;
    uint32_t room = g->room;
    uint32_t unsure =
        kernels->short_cells(&g->rows, g->piece[0][0], raster->field->size[2], room, cells);
    for (uint32_t bits = active; bits != 0; bits &= bits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(bits);
        set_run(raster, lane, first + (size_t)lane * room);
    }
    for (uint32_t bits = unsure; bits != 0; bits &= bits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(bits);
        waiting triangle = corners_of(raster, lane);
        find_row(raster, &triangle, &g->piece[0][0][lane], g->row[lane] - 1,
                 range_of(&g->rows, lane), cells + (size_t)lane * room);
    }
    runs->cell_count += (size_t)room * kernels->lanes;
}

/* Takes the present rows of some lanes, a bit each. When most have a row, of few cells, they are
 * worked on where they stand, otherwise together with rows of as many cells. */
static void take_rows(vx_fast_raster *raster, uint32_t active)
{
    const vx_fast_group *g = &raster->group;
    uint32_t rows = (uint32_t)__builtin_popcount(active);
    if (g->room > 0 && 2 * rows >= raster->field->lanes->lanes) {
        add_rows_at_once(raster, active);
        return;
    }
    for (uint32_t bits = active; bits != 0; bits &= bits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(bits);
        if (g->rows.count[lane] > 0) {
            queue_row(raster, lane);
        } else {
            set_run(raster, lane, 0);
        }
    }
}

/* --- triangles in lanes -------------------------------------------------------------------------
 */

/* Room for so many more runs and cells. What waits has places among the cells, which may move or be
 * merged. */
static vx_status make_room(vx_fast_raster *raster, size_t run_count, size_t cell_count)
{
    vx_fast_runs *runs = &raster->runs;
    if (runs->count + run_count <= runs->capacity &&
        runs->cell_count + cell_count <= runs->cell_capacity &&
        raster->waiting_count + VX_FAST_TILE <= WAITING_MAX) {
        return VX_OK;
    }
    empty_queues(raster);
    return vx_fast_make_room(raster->field, runs, run_count, cell_count, raster->error);
}

/* Goes up the rows of the lanes that have any left. */
static void add_rows(vx_fast_raster *raster, uint32_t rows)
{
    for (uint32_t i = 0; i < rows; i++) {
        take_rows(raster, raster->field->lanes->step(&raster->group));
    }
}

static vx_fast_shape shape_of(vx_fast_raster *raster, uint32_t lane)
{
    int32_t known = raster->group.known[lane];
    return (vx_fast_shape){.raster = raster,
                           .height = raster->field->size[2],
                           .is_areal = (known & VX_FAST_AREAL) != 0,
                           .is_up = (known & VX_FAST_UP) != 0,
                           .area = (uint8_t)raster->areas[lane]};
}

/* Adds one that does not go row by row with the others. */
static vx_status add_alone(vx_fast_raster *raster, uint32_t lane)
{
    vx_fast_runs *runs = &raster->runs;
    vx_fast_shape t = shape_of(raster, lane);
    raster->next_run = raster->first[lane];
    raster->end_run = raster->first[lane] + (uint32_t)raster->group.row_count[lane];
    vx_status status = add_lane_literally(raster, lane, &t);
    while (raster->next_run < raster->end_run) {
        runs->rows[raster->next_run] = (uint16_t)raster->group.row[lane];
        runs->items[raster->next_run++] = vx_fast_run_of(0, 0, 0, 0);
    }
    return status;
}

/* Adds the triangles of some lanes, a bit each. Each has its runs reserved in the order of
 * triangles, so that the order in which they are filled in is free. */
static vx_status add_lanes(vx_fast_raster *raster, uint32_t lanes, uint32_t run_count,
                           uint64_t cell_count)
{
    vx_fast_group *g = &raster->group;
    vx_fast_runs *runs = &raster->runs;
    uint32_t most_rows = 0;
    for (uint32_t i = 0; i < raster->field->lanes->lanes; i++) {
        int32_t rows = g->row_last[i] - g->row[i] + 1;
        most_rows = rows > (int32_t)most_rows ? (uint32_t)rows : most_rows;
    }
    /* Rows that are worked on where they stand take as many cells as the longest, in all lanes. */
    cell_count += (uint64_t)most_rows * VX_FAST_FEW * VX_FAST_TILE;
    vx_status status = make_room(raster, run_count, (size_t)cell_count);
    if (status != VX_OK) {
        return status;
    }
    for (uint32_t i = 0; i < raster->field->lanes->lanes; i++) {
        raster->first[i] = (uint32_t)runs->count;
        raster->triangles[i] = NONE;
        runs->count += (lanes >> i & 1) != 0 ? (uint32_t)g->row_count[i] : 0;
    }
    for (uint32_t bits = g->alone & lanes; bits != 0 && status == VX_OK; bits &= bits - 1) {
        status = add_alone(raster, (uint32_t)__builtin_ctz(bits));
    }
    add_rows(raster, most_rows);
    return status;
}

/* A triangle that could have too many cells for lanes. */
static vx_status add_huge(vx_fast_raster *raster, uint32_t lane)
{
    vx_fast_shape t = shape_of(raster, lane);
    empty_queues(raster);
    return add_lane_literally(raster, lane, &t);
}

/* Adds the triangles of a group that could have too many cells together. */
static vx_status add_one_by_one(vx_fast_raster *raster, uint32_t count)
{
    vx_fast_group *g = &raster->group;
    vx_status status = VX_OK;
    for (uint32_t i = 0; i < count && status == VX_OK; i++) {
        if (g->cell_count[i] > CELLS_MAX) {
            status = add_huge(raster, i);
            continue;
        }
        /* The one before has left nothing of the others. */
        raster->field->lanes->setup(g);
        for (uint32_t k = 0; k < VX_FAST_TILE; k++) {
            g->row_last[k] = k == i ? g->row_last[k] : -1;
        }
        status = add_lanes(raster, 1U << i, (uint32_t)g->row_count[i], (uint64_t)g->cell_count[i]);
    }
    return status;
}

/* Adds the triangles of the group. */
static vx_status add_group(vx_fast_raster *raster)
{
    static const vx_fast_vertex nowhere;
    vx_fast_group *g = &raster->group;
    uint32_t count = raster->filled;
    if (count == 0) {
        return VX_OK;
    }
    for (uint32_t i = count; i < raster->field->lanes->lanes; i++) {
        for (size_t k = 0; k < 3; k++) {
            g->vertices[k][i] = &nowhere;
        }
    }
    raster->field->lanes->setup(g);
    uint32_t run_count = 0;
    uint64_t cell_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        run_count += (uint32_t)g->row_count[i];
        cell_count += (uint32_t)g->cell_count[i];
        raster->degenerate += (g->known[i] & VX_FAST_DEGENERATE) != 0;
        if (raster->areas[i] == VX_FAST_CLASSIFIED) {
            /* B2.11@3b9006. */
            raster->areas[i] = (g->known[i] & VX_FAST_GENTLE) != 0 ? VX_AREA_WALKABLE : 0;
        }
    }
    raster->filled = 0;
    return cell_count <= CELLS_MAX ? add_lanes(raster, UINT32_MAX, run_count, cell_count)
                                   : add_one_by_one(raster, count);
}

vx_fast_raster *vx_fast_raster_begin(vx_build3d *field, float slope_cosine, int64_t merge_threshold,
                                     vx_error *error)
{
    vx_fast_raster *raster = vx_fast_reserve(field, &field->raster, 1, sizeof *raster, error);
    if (raster != NULL) {
        memset(raster, 0, offsetof(vx_fast_raster, waiting));
        raster->field = field;
        raster->error = error;
        raster->group.slope_cosine = slope_cosine;
        raster->group.size[0] = field->size[0];
        raster->group.size[1] = field->size[1];
        vx_fast_begin(field, &raster->runs, merge_threshold);
    }
    return raster;
}

vx_status vx_fast_triangle(vx_fast_raster *raster, const vx_fast_vertex *a, const vx_fast_vertex *b,
                           const vx_fast_vertex *c, int64_t area)
{
    uint32_t lane = raster->filled++;
    raster->group.vertices[0][lane] = a;
    raster->group.vertices[1][lane] = b;
    raster->group.vertices[2][lane] = c;
    raster->areas[lane] = (int32_t)area;
    return raster->filled == raster->field->lanes->lanes ? add_group(raster) : VX_OK;
}

vx_status vx_fast_raster_finish(vx_fast_raster *raster, vx_status status)
{
    vx_build3d *field = raster->field;
    if (status == VX_OK) {
        status = add_group(raster);
    }
    if (status != VX_OK) {
        vx_fast_abandon(field);
        return status;
    }
    empty_queues(raster);
    status = vx_fast_commit(field, &raster->runs, raster->error);
    field->degenerate += status == VX_OK ? raster->degenerate : 0;
    return status;
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
    const float cells[3] = {field->cell_size, field->cell_height, field->cell_size};
    const double at[3] = {x, y, z};
    for (size_t axis = 0; axis < 3; axis++) {
        vertex->local[axis] = (float)(at[axis] - field->origin[axis]);
        vertex->cells[axis] = vertex->local[axis] / cells[axis];
    }
    vertex->local[3] = vertex->cells[3] = 0;
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

/* B2.2@6aeea0. */
static vx_status check_lengths(const vx_mesh *mesh, vx_error *error)
{
    if (mesh->vertex_values % 3 != 0) {
        return vx_fail(error, VX_ARGUMENT, "%zu vertex values are not divisible by 3",
                       mesh->vertex_values);
    }
    if (mesh->index_count % 3 != 0) {
        return vx_fail(error, VX_ARGUMENT, "%zu indices are not divisible by 3", mesh->index_count);
    }
    return VX_OK;
}

/* B2.3@bd8500. */
static vx_status check_indices(const vx_mesh *mesh, vx_error *error)
{
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

/* Transforms every vertex once (a triangle mesh refers to each about six times). False where one
 * breaks the coordinate rule, which is an error only when it is referred to. */
static bool transform_all(const vx_build3d *field, const vx_mesh *mesh, vx_fast_vertex *vertices)
{
    size_t count = mesh->vertex_values / 3;
    if (count == 0) {
        return true;
    }
    vx_fast_measure measure = {{field->origin[0], field->origin[1], field->origin[2], 0},
                               {field->cell_size, field->cell_height, field->cell_size, 1}};
    /* The kernel reads one number more than it needs. */
    const double *last = mesh->vertices + 3 * (count - 1);
    double copy[4] = {last[0], last[1], last[2], 0};
    bool all_good = field->lanes->transform(&measure, mesh->vertices, count - 1, vertices);
    return field->lanes->transform(&measure, copy, 1, vertices + count - 1) && all_good;
}

/* B2.3@bd8500 to B2.7@cb9d1b one after the other. */
static vx_status check_all(const vx_mesh *mesh, bool all_good, vx_error *error)
{
    vx_status status = check_indices(mesh, error);
    for (size_t i = 0; !all_good && i < mesh->index_count && status == VX_OK; i++) {
        status = check_vertex(mesh, (size_t)mesh->indices[i], error);
    }
    return status == VX_OK ? check_parameters(mesh, error) : status;
}

/* Adds all triangles. Indices are checked on the way, so that a large mesh's are read once; one
 * that is wrong ends the operation with the first that is. */
static vx_status add_triangles(vx_fast_raster *raster, const vx_mesh *mesh,
                               const vx_fast_vertex *vertices)
{
    uint64_t count = mesh->vertex_values / 3;
    vx_status status = VX_OK;
    for (size_t i = 0; i < mesh->index_count && status == VX_OK; i += 3) {
        const int64_t *corner = mesh->indices + i;
        /* A negative index is a very large unsigned one. */
        if ((uint64_t)corner[0] >= count || (uint64_t)corner[1] >= count ||
            (uint64_t)corner[2] >= count) {
            return check_indices(mesh, raster->error);
        }
        status = vx_fast_triangle(raster, &vertices[corner[0]], &vertices[corner[1]],
                                  &vertices[corner[2]],
                                  mesh->areas != NULL ? mesh->areas[i / 3] : VX_FAST_CLASSIFIED);
    }
    return status;
}

vx_status vx_fast_rasterize(vx_build3d *field, const vx_mesh *mesh, vx_error *error)
{
    vx_status status = vx_fast_check_place(field, false, "rasterize", error);
    if (status == VX_OK) {
        status = check_lengths(mesh, error);
    }
    if (status != VX_OK) {
        return status;
    }
    vx_fast_vertex *vertices =
        vx_fast_reserve(field, &field->vertices, mesh->vertex_values / 3, sizeof *vertices, error);
    if (vertices == NULL) {
        return VX_NO_MEMORY;
    }
    bool all_good = transform_all(field, mesh, vertices);
    if (!all_good || check_parameters(mesh, NULL) != VX_OK) {
        status = check_all(mesh, all_good, error);
    }
    if (status != VX_OK) {
        return status;
    }
    vx_fast_raster *raster =
        vx_fast_raster_begin(field, mesh->slope_cosine, mesh->merge_threshold, error);
    if (raster == NULL) {
        return VX_NO_MEMORY;
    }
    return vx_fast_raster_finish(raster, add_triangles(raster, mesh, vertices));
}
