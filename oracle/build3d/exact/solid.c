/* SPDX-License-Identifier: MIT */
/* What each operation fills, and an implementation's rows held against it (SPEC B1 to B5). */
#include "solid.h"

#include <stdlib.h>

/* --- rows ------------------------------------------------------------------------------------- */

vx_status vx_exact_append(const vx_exact_solid *solid, vx_exact_list *list, int64_t x, int64_t z,
                          int64_t min, int64_t max, size_t triangle)
{
    min = min > 0 ? min : 0;
    max = max < solid->size[2] ? max : solid->size[2];
    if (min >= max) {
        return VX_OK;
    }
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 256;
        vx_exact_rows *items = reallocarray(list->items, capacity, sizeof *items);
        if (items == NULL) {
            return VX_NO_MEMORY;
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = (vx_exact_rows){.column = (size_t)(x + z * solid->size[0]),
                                                 .min = (int32_t)min,
                                                 .max = (int32_t)max,
                                                 .source = solid->sources,
                                                 .triangle = triangle};
    return VX_OK;
}

/* Rows about which there is no doubt. */
static vx_status append_certain(vx_exact_solid *solid, int64_t x, int64_t z, int64_t min,
                                int64_t max)
{
    if (x < 0 || x >= solid->size[0] || z < 0 || z >= solid->size[1]) {
        return VX_OK;
    }
    vx_status status = vx_exact_append(solid, &solid->must, x, z, min, max, SIZE_MAX);
    return status == VX_OK ? vx_exact_append(solid, &solid->may, x, z, min, max, SIZE_MAX) : status;
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

static vx_status add_triangle(vx_exact_solid *solid, world_point points[3], double world_error,
                              size_t number)
{
    const vx_exact_triangle triangle = {
        .corners = {points[0], points[1], points[2]}, .world_error = world_error, .number = number};
    return vx_exact_add_triangle(solid, &triangle);
}

vx_status vx_exact_mesh(vx_exact_solid *solid, const vx_mesh *mesh)
{
    world_point points[3];
    vx_status status = VX_OK;
    init_points(points);
    for (size_t k = 0; k < mesh->index_count / 3 && status == VX_OK; k++) {
        for (size_t i = 0; i < 9; i++) {
            int64_t vertex = mesh->indices[3 * k + i / 3];
            mpq_set_d(points[i / 3][i % 3], mesh->vertices[3 * (size_t)vertex + i % 3]);
        }
        status = add_triangle(solid, points, 0, k);
    }
    clear_points(points);
    solid->sources++;
    return status;
}

/* SPEC B4.2, exactly. */
static void grid_point(const vx_height_grid *grid, int64_t i, int64_t j, world_point point)
{
    const int64_t steps[] = {i, j};
    mpq_t start;
    mpq_init(start);
    for (int k = 0; k < 2; k++) {
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

vx_status vx_exact_height_grid(vx_exact_solid *solid, const vx_height_grid *grid)
{
    static const int corners[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}};
    world_point points[3];
    vx_status status = VX_OK;
    size_t number = 0;
    init_points(points);
    for (int64_t j = 0; j + 1 < grid->count[1]; j++) {
        for (int64_t i = 0; i + 1 < grid->count[0]; i++) {
            for (int k = 0; k < 2 && status == VX_OK; k++) {
                for (int c = 0; c < 3; c++) {
                    grid_point(grid, i + corners[k][c][0], j + corners[k][c][1], points[c]);
                }
                status = add_triangle(solid, points, GRID_ERROR, number++);
            }
        }
    }
    clear_points(points);
    solid->sources++;
    return status;
}

vx_status vx_exact_spans(vx_exact_solid *solid, const vx_span *spans, size_t count)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < count && status == VX_OK; i++) {
        status = append_certain(solid, spans[i].x, spans[i].z, spans[i].min, spans[i].max);
    }
    solid->sources++;
    return status;
}

vx_status vx_exact_chunk(vx_exact_solid *solid, const vx_chunk *chunk)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < chunk->run_count && !chunk->is_dense && status == VX_OK; i++) {
        const vx_run *run = &chunk->runs[i];
        int64_t min = run->start + chunk->offset[1];
        status = append_certain(solid, run->x + chunk->offset[0], run->z + chunk->offset[2], min,
                                min + run->length);
    }
    for (size_t i = 0; i < chunk->dense_count && chunk->is_dense && status == VX_OK; i++) {
        int64_t column = (int64_t)i / chunk->size[2];
        int64_t y = (int64_t)i % chunk->size[2] + chunk->offset[1];
        if (chunk->dense[i] != 0) {
            status = append_certain(solid, column % chunk->size[0] + chunk->offset[0],
                                    column / chunk->size[0] + chunk->offset[2], y, y + 1);
        }
    }
    solid->sources++;
    return status;
}

/* --- comparing -------------------------------------------------------------------------------- */

static int by_place(const void *left, const void *right)
{
    const vx_exact_rows *a = left;
    const vx_exact_rows *b = right;
    if (a->column != b->column) {
        return a->column < b->column ? -1 : 1;
    }
    return (a->min > b->min) - (a->min < b->min);
}

static void sort(vx_exact_list *list)
{
    if (list->count > 0) {
        qsort(list->items, list->count, sizeof *list->items, by_place);
    }
}

/* Where the rows of one column stand in a sorted list. */
typedef struct part {
    const vx_exact_rows *rows;
    size_t count;
} part;

static part find_column(const vx_exact_list *list, size_t column)
{
    size_t low = 0;
    for (size_t high = list->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle].column < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    part found = {.rows = list->items != NULL ? &list->items[low] : NULL};
    while (low + found.count < list->count && found.rows[found.count].column == column) {
        found.count++;
    }
    return found;
}

typedef struct comparison {
    const vx_exact_solid *solid;
    vx_exact_report *report;
    void *context;
} comparison;

static void find(const comparison *found, vx_exact_kind kind, const vx_exact_rows *rows,
                 int64_t min, int64_t max)
{
    int64_t width = found->solid->size[0];
    const vx_exact_finding finding = {.kind = kind,
                                      .x = (int64_t)rows->column % width,
                                      .z = (int64_t)rows->column / width,
                                      .min = min,
                                      .max = max,
                                      .source = rows->source,
                                      .triangle = rows->triangle};
    found->report(found->context, &finding);
}

/* Reports the rows of one column that `cover`, sorted by min, leaves bare. */
static void subtract(const comparison *found, vx_exact_kind kind, const vx_exact_rows *rows,
                     part cover)
{
    int64_t bare = rows->min;
    for (size_t k = 0; k < cover.count && cover.rows[k].min < rows->max; k++) {
        if (cover.rows[k].min > bare) {
            find(found, kind, rows, bare, cover.rows[k].min);
        }
        bare = cover.rows[k].max > bare ? cover.rows[k].max : bare;
    }
    if (bare < rows->max) {
        find(found, kind, rows, bare, rows->max);
    }
}

/* Reports what of one list, sorted, the other leaves bare. */
static void subtract_all(const comparison *found, vx_exact_kind kind, const vx_exact_list *list,
                         const vx_exact_list *cover)
{
    part of = {0};
    for (size_t i = 0; i < list->count; i++) {
        if (i == 0 || list->items[i].column != list->items[i - 1].column) {
            of = find_column(cover, list->items[i].column);
        }
        subtract(found, kind, &list->items[i], of);
    }
}

/* An implementation's rows as a sorted list. */
static vx_exact_list list_rows(const vx_exact_solid *solid, const vx_solid_row *rows, size_t count)
{
    vx_exact_list list = {0};
    list.items = calloc(count > 0 ? count : 1, sizeof *list.items);
    for (size_t i = 0; i < count && list.items != NULL; i++) {
        list.items[list.count++] =
            (vx_exact_rows){.column = (size_t)(rows[i].x + rows[i].z * solid->size[0]),
                            .min = rows[i].min,
                            .max = rows[i].max,
                            .source = SIZE_MAX,
                            .triangle = SIZE_MAX};
    }
    sort(&list);
    return list;
}

vx_status vx_exact_compare(vx_exact_solid *solid, const vx_solid_row *rows, size_t count,
                           vx_exact_report *report, void *context)
{
    const comparison found = {.solid = solid, .report = report, .context = context};
    vx_exact_list filled = list_rows(solid, rows, count);
    if (filled.items == NULL) {
        return VX_NO_MEMORY;
    }
    sort(&solid->must);
    sort(&solid->may);
    subtract_all(&found, VX_EXACT_EXTRA, &filled, &solid->may);
    subtract_all(&found, VX_EXACT_MISSING, &solid->must, &filled);
    free(filled.items);
    return VX_OK;
}
