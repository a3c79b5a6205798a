/* SPDX-License-Identifier: MIT */
/* Whether SPEC.md refuses an operation: the checks of B0, B2, B3, B4, B5 and B9.1, without their
 * order and without the kind of the error. */
#include <math.h>
#include <stdlib.h>

#include "exact.h"

static bool within(int64_t value, int64_t min, int64_t max)
{
    return value >= min && value <= max;
}

/* SPEC B0.5; NaN fails, too. */
static bool is_coordinate(double value)
{
    return fabs(value) <= VX_COORDINATE_LIMIT;
}

static bool are_areas(const int64_t *areas, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!within(areas[i], 0, VX_AREA_MAX)) {
            return false;
        }
    }
    return true;
}

const char *vx_exact_refuse_mesh(const vx_mesh *mesh)
{
    if (mesh->vertex_values % 3 != 0 || mesh->index_count % 3 != 0) {
        return "B2.2";
    }
    for (size_t i = 0; i < mesh->index_count; i++) {
        if (!within(mesh->indices[i], 0, (int64_t)(mesh->vertex_values / 3) - 1)) {
            return "B2.3";
        }
        for (int k = 0; k < 3; k++) {
            if (!is_coordinate(mesh->vertices[3 * (size_t)mesh->indices[i] + (size_t)k])) {
                return "B2.4";
            }
        }
    }
    if (mesh->areas != NULL && mesh->area_count != mesh->index_count / 3) {
        return "B2.6";
    }
    if (mesh->areas != NULL && !are_areas(mesh->areas, mesh->area_count)) {
        return "B0.12";
    }
    if (!isfinite(mesh->slope_cosine)) {
        return "B2.7";
    }
    return within(mesh->merge_threshold, 0, VX_ROWS_MAX) ? NULL : "B0.12";
}

const char *vx_exact_refuse_spans(const int64_t size[3], const vx_span *spans, size_t count,
                                  int64_t merge_threshold)
{
    for (size_t i = 0; i < count; i++) {
        const vx_span *span = &spans[i];
        if (!within(span->x, 0, size[0] - 1) || !within(span->z, 0, size[1] - 1) || span->min < 0 ||
            span->min >= span->max || span->max > size[2]) {
            return "B3.2";
        }
        if (!within(span->area, 0, VX_AREA_MAX)) {
            return "B0.12";
        }
    }
    return within(merge_threshold, 0, VX_ROWS_MAX) ? NULL : "B0.12";
}

/* SPEC B4.2: the positions along one axis grow with their numbers, so that the ends decide. */
static bool is_axis(double origin, double spacing, int64_t count)
{
    return is_coordinate(origin) && is_coordinate(origin + (double)(count - 1) * spacing);
}

const char *vx_exact_refuse_height_grid(const vx_height_grid *grid)
{
    if (grid->count[0] < 2 || grid->count[1] < 2 || !(grid->spacing > 0) || isinf(grid->spacing)) {
        return "B4.1";
    }
    /* Without a product that could overflow. */
    if (grid->height_count % (uint64_t)grid->count[0] != 0 ||
        grid->height_count / (uint64_t)grid->count[0] != (uint64_t)grid->count[1]) {
        return "B4.1";
    }
    for (int k = 0; k < 2; k++) {
        if (!is_axis(grid->origin[k], grid->spacing, grid->count[k])) {
            return "B4.2";
        }
    }
    for (size_t i = 0; i < grid->height_count; i++) {
        if (!is_coordinate(grid->heights[i])) {
            return "B4.2";
        }
    }
    if (!isfinite(grid->slope_cosine)) {
        return "B2.7";
    }
    return within(grid->merge_threshold, 0, VX_ROWS_MAX) ? NULL : "B0.12";
}

/* --- chunks ----------------------------------------------------------------------------------- */

static bool is_run(const vx_chunk *chunk, const vx_run *run)
{
    return within(run->x, 0, chunk->size[0] - 1) && within(run->z, 0, chunk->size[1] - 1) &&
           within(run->start, 0, chunk->size[2] - 1) &&
           within(run->length, 1, chunk->size[2] - run->start) && within(run->material, 1, 255);
}

/* A run of the list. */
typedef struct listed {
    const vx_run *run;
} listed;

static int by_column(const void *left, const void *right)
{
    const vx_run *a = ((const listed *)left)->run;
    const vx_run *b = ((const listed *)right)->run;
    if (a->z != b->z) {
        return a->z < b->z ? -1 : 1;
    }
    if (a->x != b->x) {
        return a->x < b->x ? -1 : 1;
    }
    return (a > b) - (a < b); /* as they stand in the list */
}

/* Whether each column's runs come from the bottom up; VX_NO_MEMORY. */
static vx_status check_order(const vx_chunk *chunk, bool *good)
{
    listed *order = calloc(chunk->run_count + 1, sizeof *order);
    if (order == NULL) {
        return VX_NO_MEMORY;
    }
    for (size_t i = 0; i < chunk->run_count; i++) {
        order[i].run = &chunk->runs[i];
    }
    qsort(order, chunk->run_count, sizeof *order, by_column);
    *good = true;
    for (size_t i = 1; i < chunk->run_count; i++) {
        const vx_run *below = order[i - 1].run;
        const vx_run *run = order[i].run;
        if (below->x == run->x && below->z == run->z) {
            *good = *good && run->start >= below->start + below->length;
        }
    }
    free(order);
    return VX_OK;
}

/* Whether the array has W·D·H materials; sizes are positive. */
static bool has_dense_count(const vx_chunk *chunk)
{
    uint64_t left = chunk->dense_count;
    for (int k = 0; k < 3; k++) {
        if (left % (uint64_t)chunk->size[k] != 0) {
            return false;
        }
        left /= (uint64_t)chunk->size[k];
    }
    return left == 1;
}

static vx_status check_cells(const vx_chunk *chunk, const char **clause)
{
    bool ordered = true;
    vx_status status = VX_OK;
    if (chunk->is_dense) {
        if (!has_dense_count(chunk)) {
            *clause = "B5.3";
        }
        for (size_t i = 0; i < chunk->dense_count && *clause == NULL; i++) {
            *clause = within(chunk->dense[i], 0, 255) ? NULL : "B5.3";
        }
        return VX_OK;
    }
    for (size_t i = 0; i < chunk->run_count && *clause == NULL; i++) {
        *clause = is_run(chunk, &chunk->runs[i]) ? NULL : "B5.2";
    }
    if (*clause == NULL) {
        status = check_order(chunk, &ordered);
        *clause = ordered ? NULL : "B5.2";
    }
    return status;
}

vx_status vx_exact_refuse_chunk(const vx_chunk *chunk, const char **clause)
{
    *clause = NULL;
    for (int k = 0; k < 3; k++) {
        if (chunk->size[k] < 1) {
            *clause = "B5.2";
            return VX_OK;
        }
    }
    for (size_t i = 0; i < chunk->material_area_count; i++) {
        const vx_material_area *area = &chunk->material_areas[i];
        if (!within(area->material, 1, 255) || !within(area->area, 0, VX_AREA_MAX)) {
            *clause = "B5.4";
            return VX_OK;
        }
    }
    return check_cells(chunk, clause);
}

/* --- filters and what follows ----------------------------------------------------------------- */

const char *vx_exact_refuse_numbers(int64_t height, int64_t climb, int64_t radius)
{
    return within(height, 1, VX_ROWS_MAX) && within(climb, 0, VX_ROWS_MAX) &&
                   within(radius, 0, VX_RADIUS_MAX)
               ? NULL
               : "B0.12";
}
