/* SPDX-License-Identifier: MIT */
/* What each operation puts into a grid (SPEC B1 to B5). */
#include "solid.h"

#include <stdlib.h>

/* --- rows ------------------------------------------------------------------------------------- */

/* The elements of some size with room for one more; NULL, and they stay, without memory. */
static void *make_room(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    size_t more = 2 * *capacity + 256;
    items = reallocarray(items, more, size);
    *capacity = items != NULL ? more : *capacity;
    return items;
}

vx_status vx_exact_append(const vx_exact_solid *solid, vx_exact_list *list, int64_t x, int64_t z,
                          int64_t min, int64_t max, const vx_exact_rows *rows)
{
    min = min > 0 ? min : 0;
    max = max < solid->size[2] ? max : solid->size[2];
    if (min >= max) {
        return VX_OK;
    }
    vx_exact_rows *items = make_room(list->items, list->count, &list->capacity, sizeof *items);
    if (items == NULL) {
        return VX_NO_MEMORY;
    }
    list->items = items;
    vx_exact_rows *added = &list->items[list->count++];
    *added = *rows;
    added->column = (uint32_t)(x + z * solid->size[0]);
    added->min = (int32_t)min;
    added->max = (int32_t)max;
    return VX_OK;
}

static int32_t cut_row(const vx_exact_solid *solid, int64_t row)
{
    row = row > 0 ? row : 0;
    return (int32_t)(row < solid->size[2] ? row : solid->size[2]);
}

vx_status vx_exact_append_addition(vx_exact_solid *solid, int64_t x, int64_t z,
                                   const int64_t min[2], const int64_t max[2],
                                   const vx_exact_addition *added)
{
    vx_exact_additions *list = &solid->additions;
    if (max[1] <= 0 || min[0] >= solid->size[2]) {
        return VX_OK;
    }
    vx_exact_addition *items = make_room(list->items, list->count, &list->capacity, sizeof *items);
    if (items == NULL) {
        return VX_NO_MEMORY;
    }
    list->items = items;
    vx_exact_addition *item = &list->items[list->count];
    *item = *added;
    item->column = (uint32_t)(x + z * solid->size[0]);
    item->order = (uint32_t)list->count++;
    for (int i = 0; i < 2; i++) {
        item->min[i] = cut_row(solid, min[i]);
        item->max[i] = cut_row(solid, max[i]);
    }
    return VX_OK;
}

/* A span about which there is no doubt. */
static vx_status append_certain(vx_exact_solid *solid, const vx_span *span, int64_t threshold)
{
    const vx_exact_rows rows = {.source = VX_EXACT_SPAN};
    const vx_exact_addition added = {
        .areas = UINT64_C(1) << span->area, .threshold = (int32_t)threshold, .is_sure = true};
    if (span->x < 0 || span->x >= solid->size[0] || span->z < 0 || span->z >= solid->size[1]) {
        return VX_OK;
    }
    vx_status status =
        vx_exact_append(solid, &solid->must, span->x, span->z, span->min, span->max, &rows);
    if (status == VX_OK) {
        status = vx_exact_append(solid, &solid->may, span->x, span->z, span->min, span->max, &rows);
    }
    return status == VX_OK
               ? vx_exact_append_addition(solid, span->x, span->z,
                                          (const int64_t[2]){span->min, span->min},
                                          (const int64_t[2]){span->max, span->max}, &added)
               : status;
}

/* --- a grid ----------------------------------------------------------------------------------- */

vx_exact_solid *vx_exact_new(const vx_frame *frame, const int64_t size[3])
{
    vx_exact_solid *solid = calloc(1, sizeof *solid);
    if (solid == NULL) {
        return NULL;
    }
    for (int i = 0; i < 3; i++) {
        mpq_inits(solid->origin[i], solid->cell[i], NULL);
        mpq_set_d(solid->origin[i], frame->from_bounds ? frame->min[i] : frame->origin[i]);
        mpq_set_d(solid->cell[i], (double)(i == 1 ? frame->cell_height : frame->cell_size));
        solid->size[i] = size[i];
    }
    return solid;
}

void vx_exact_free(vx_exact_solid *solid)
{
    if (solid == NULL) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        mpq_clears(solid->origin[i], solid->cell[i], NULL);
    }
    free(solid->must.items);
    free(solid->may.items);
    free(solid->additions.items);
    free(solid);
}

/* --- operations ------------------------------------------------------------------------------- */

/* Three coordinates. */
typedef mpq_t world_point[3];

static void init_points(world_point points[3])
{
    for (int i = 0; i < 3; i++) {
        mpq_inits(points[i][0], points[i][1], points[i][2], NULL);
    }
}

static void clear_points(world_point points[3])
{
    for (int i = 0; i < 3; i++) {
        mpq_clears(points[i][0], points[i][1], points[i][2], NULL);
    }
}

vx_status vx_exact_mesh(vx_exact_solid *solid, const vx_mesh *mesh, const vx_exact_court *court)
{
    world_point points[3];
    vx_exact_triangle triangle = {.corners = {points[0], points[1], points[2]},
                                  .area = -1,
                                  .slope_cosine = mesh->slope_cosine,
                                  .threshold = mesh->merge_threshold};
    vx_status status = VX_OK;
    init_points(points);
    for (size_t k = 0; k < mesh->index_count / 3 && status == VX_OK; k++) {
        for (size_t i = 0; i < 9; i++) {
            int64_t vertex = mesh->indices[3 * k + i / 3];
            mpq_set_d(points[i / 3][i % 3], mesh->vertices[3 * (size_t)vertex + i % 3]);
        }
        triangle.number = k;
        triangle.area = mesh->areas != NULL ? mesh->areas[k] : -1;
        status = vx_exact_add_triangle(solid, &triangle, court);
    }
    clear_points(points);
    return status;
}

/* SPEC B4.2, exactly. */
static void grid_point(const vx_height_grid *grid, int64_t i, int64_t j, world_point point)
{
    const int64_t steps[] = {i, j};
    mpq_t start;
    mpq_init(start);
    for (size_t k = 0; k < 2; k++) {
        mpq_t *at = &point[2 * k];
        mpq_set_d(*at, grid->spacing);
        mpq_set_si(start, steps[k], 1);
        mpq_mul(*at, *at, start);
        mpq_set_d(start, grid->origin[k]);
        mpq_add(*at, *at, start);
    }
    mpq_set_d(point[1], grid->heights[i + j * grid->count[0]]);
    mpq_clear(start);
}

/* What the two binary64 roundings of B4.2 can do: the product is at most the sum's and the origin's
 * magnitudes together, and each of those is at most 2^21. */
#define GRID_ERROR (3 * VX_COORDINATE_LIMIT * 0x1p-53 * 1.01)

/* Calls visit with the grid columns and rows of each triangle's corners (SPEC B4.3) until it
 * returns a failure. */
typedef vx_status visit_fn(void *context, const int64_t corners[3][2], size_t number);

static vx_status visit_square(int64_t i, int64_t j, size_t number, visit_fn *visit, void *context)
{
    static const int of[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}};
    vx_status status = VX_OK;
    for (size_t k = 0; k < 2 && status == VX_OK; k++) {
        int64_t corners[3][2];
        for (int c = 0; c < 3; c++) {
            corners[c][0] = i + of[k][c][0];
            corners[c][1] = j + of[k][c][1];
        }
        status = visit(context, (const int64_t(*)[2])corners, number + k);
    }
    return status;
}

static vx_status visit_grid(const vx_height_grid *grid, visit_fn *visit, void *context)
{
    vx_status status = VX_OK;
    size_t number = 0;
    for (int64_t j = 0; j + 1 < grid->count[1] && status == VX_OK; j++) {
        for (int64_t i = 0; i + 1 < grid->count[0] && status == VX_OK; i++) {
            status = visit_square(i, j, number, visit, context);
            number += 2;
        }
    }
    return status;
}

typedef struct grid_judge {
    vx_exact_solid *solid;
    const vx_height_grid *grid;
    const vx_exact_court *court;
    world_point points[3];
} grid_judge;

static vx_status judge_grid_triangle(void *context, const int64_t corners[3][2], size_t number)
{
    grid_judge *judge = context;
    for (int c = 0; c < 3; c++) {
        grid_point(judge->grid, corners[c][0], corners[c][1], judge->points[c]);
    }
    const vx_exact_triangle triangle = {
        .corners = {judge->points[0], judge->points[1], judge->points[2]},
        .world_error = GRID_ERROR,
        .number = number,
        .area = -1,
        .slope_cosine = judge->grid->slope_cosine,
        .threshold = judge->grid->merge_threshold};
    return vx_exact_add_triangle(judge->solid, &triangle, judge->court);
}

vx_status vx_exact_height_grid(vx_exact_solid *solid, const vx_height_grid *grid,
                               const vx_exact_court *court)
{
    grid_judge judge = {.solid = solid, .grid = grid, .court = court};
    init_points(judge.points);
    vx_status status = visit_grid(grid, judge_grid_triangle, &judge);
    clear_points(judge.points);
    return status;
}

vx_status vx_exact_spans(vx_exact_solid *solid, const vx_span *spans, size_t count,
                         int64_t merge_threshold)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < count && status == VX_OK; i++) {
        status = append_certain(solid, &spans[i], merge_threshold);
    }
    return status;
}

/* SPEC B5.4 to B5.7: a run of the chunk. */
static vx_status add_run(vx_exact_solid *solid, const vx_chunk *chunk, const vx_run *run)
{
    vx_span span = {.x = run->x + chunk->offset[0],
                    .z = run->z + chunk->offset[2],
                    .min = run->start + chunk->offset[1],
                    .area = VX_AREA_WALKABLE};
    span.max = span.min + run->length;
    for (size_t i = 0; i < chunk->material_area_count; i++) {
        if (chunk->material_areas[i].material == run->material) {
            span.area = chunk->material_areas[i].area;
        }
    }
    return append_certain(solid, &span, 0);
}

vx_status vx_exact_chunk(vx_exact_solid *solid, const vx_chunk *chunk)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < chunk->run_count && !chunk->is_dense && status == VX_OK; i++) {
        status = add_run(solid, chunk, &chunk->runs[i]);
    }
    /* B5.3: equal neighbours in a column are one run. */
    for (size_t i = 0; i < chunk->dense_count && chunk->is_dense && status == VX_OK;) {
        int64_t column = (int64_t)i / chunk->size[2];
        vx_run run = {.x = column % chunk->size[0],
                      .z = column / chunk->size[0],
                      .start = (int64_t)i % chunk->size[2],
                      .material = chunk->dense[i]};
        do {
            run.length++;
            i++;
        } while (run.start + run.length < chunk->size[2] && chunk->dense[i] == run.material);
        status = run.material != 0 ? add_run(solid, chunk, &run) : VX_OK;
    }
    return status;
}

/* --- what judging costs ----------------------------------------------------------------------- */

/* Widens range by where the way from p to q, both (u, w), runs in the strip low … high of w. */
static void widen(double range[2], const double p[2], const double q[2], double low, double high)
{
    double ends[2] = {p[1] < q[1] ? p[1] : q[1], p[1] < q[1] ? q[1] : p[1]};
    if (ends[0] > high || ends[1] < low) {
        return;
    }
    ends[0] = ends[0] > low ? ends[0] : low;
    ends[1] = ends[1] < high ? ends[1] : high;
    for (int i = 0; i < 2; i++) {
        double t = p[1] != q[1] ? (ends[i] - p[1]) / (q[1] - p[1]) : i;
        double u = p[0] + (q[0] - p[0]) * t;
        range[0] = u < range[0] ? u : range[0];
        range[1] = u > range[1] ? u : range[1];
    }
}

/* The cells of the grid from low to high, both cut to 0 … size, and 1 for the way there. */
static double cells(double low, double high, int64_t size)
{
    low = low > 0 ? low : 0;
    high = high < (double)size ? high : (double)size;
    return high >= low ? high - low + 2 : 1;
}

/* The cells of one triangle between points (u, w), and 1. */
static uint64_t triangle_cost(const vx_exact_solid *solid, const double points[3][2],
                              uint64_t limit)
{
    double low = (double)solid->size[1], high = -1;
    for (int i = 0; i < 3; i++) {
        low = points[i][1] < low ? points[i][1] : low;
        high = points[i][1] > high ? points[i][1] : high;
    }
    low = low > 0 ? low : 0;
    high = high < (double)solid->size[1] ? high : (double)solid->size[1];
    double cost = 1;
    for (double w = (double)(int64_t)low; w <= high && cost <= (double)limit; w++) {
        double range[2] = {4e18, -4e18};
        for (int i = 0; i < 3; i++) {
            widen(range, points[i], points[(i + 1) % 3], w, w + 1);
        }
        cost += cells(range[0], range[1], solid->size[0]);
    }
    return (uint64_t)cost;
}

/* A world coordinate in cells. */
static double in_cells(const vx_exact_solid *solid, int axis, double value)
{
    return (value - mpq_get_d(solid->origin[axis])) / mpq_get_d(solid->cell[axis]);
}

uint64_t vx_exact_mesh_cost(const vx_exact_solid *solid, const vx_mesh *mesh, uint64_t limit)
{
    uint64_t cost = 0;
    for (size_t k = 0; k < mesh->index_count / 3 && cost <= limit; k++) {
        double points[3][2];
        for (size_t i = 0; i < 3; i++) {
            const double *vertex = &mesh->vertices[3 * (size_t)mesh->indices[3 * k + i]];
            points[i][0] = in_cells(solid, 0, vertex[0]);
            points[i][1] = in_cells(solid, 2, vertex[2]);
        }
        cost += triangle_cost(solid, (const double(*)[2])points, limit);
    }
    return cost;
}

typedef struct grid_cost {
    const vx_exact_solid *solid;
    const vx_height_grid *grid;
    uint64_t cost, limit;
} grid_cost;

/* VX_UNSUPPORTED ends the counting. */
static vx_status add_cost(void *context, const int64_t corners[3][2], size_t number)
{
    grid_cost *sum = context;
    double points[3][2];
    (void)number;
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 2; k++) {
            double world = sum->grid->origin[k] + (double)corners[c][k] * sum->grid->spacing;
            points[c][k] = in_cells(sum->solid, 2 * k, world);
        }
    }
    sum->cost += triangle_cost(sum->solid, (const double(*)[2])points, sum->limit);
    return sum->cost <= sum->limit ? VX_OK : VX_UNSUPPORTED;
}

uint64_t vx_exact_height_grid_cost(const vx_exact_solid *solid, const vx_height_grid *grid,
                                   uint64_t limit)
{
    grid_cost sum = {.solid = solid, .grid = grid, .limit = limit};
    (void)visit_grid(grid, add_cost, &sum);
    return sum.cost;
}
