/* SPDX-License-Identifier: MIT */
/* Voxel chunks (SPEC B5). */
#include <stdlib.h>

#include "replay.h"

/* A limit that keeps sums of positions within int64_t. */
#define EXACT ((int64_t)1 << 53)

enum { MATERIALS = 256 };

/* A run, its place in the list, and the column by which it is sorted. */
typedef struct placed {
    vx_run run;
    size_t place;
} placed;

typedef struct placed_runs {
    placed *items;
    size_t count, capacity;
} placed_runs;

static int keep(placed_runs *runs, const vx_run *run)
{
    if (runs->count == runs->capacity) {
        size_t capacity = 2 * runs->capacity + 64;
        placed *items = reallocarray(runs->items, capacity, sizeof *items);
        if (items == NULL) {
            return 0;
        }
        runs->items = items;
        runs->capacity = capacity;
    }
    runs->items[runs->count] = (placed){*run, runs->count};
    runs->count++;
    return 1;
}

/* SPEC B5.4: the area of every material. */
static vx_status find_areas(const vx_chunk *chunk, int64_t areas[MATERIALS], vx_error *error)
{
    int named[MATERIALS] = {0};
    for (size_t i = 0; i < MATERIALS; i++) {
        areas[i] = VX_AREA_WALKABLE;
    }
    for (size_t i = 0; i < chunk->material_area_count; i++) {
        const vx_material_area *entry = &chunk->material_areas[i];
        if (entry->material < 1 || entry->material >= MATERIALS || named[entry->material]) {
            return vx_fail(error, VX_ARGUMENT,
                           "materialAreas names %lld; a material is from 1 to 255, each once",
                           (long long)entry->material);
        }
        vx_status status =
            vx_replay_check_integer("a material's area", entry->area, 0, VX_AREA_MAX, error);
        if (status != VX_OK) {
            return status;
        }
        named[entry->material] = 1;
        areas[entry->material] = entry->area;
    }
    return VX_OK;
}

/* --- runs ------------------------------------------------------------------------------------- */

/* SPEC B5.2, but for the order of the runs of a column. */
static vx_status check_run(const vx_chunk *chunk, const vx_run *run, vx_error *error)
{
    if (run->x < 0 || run->x >= chunk->size[0] || run->z < 0 || run->z >= chunk->size[1]) {
        return vx_fail(error, VX_ARGUMENT, "a run is in column (%lld, %lld) of %lld × %lld",
                       (long long)run->x, (long long)run->z, (long long)chunk->size[0],
                       (long long)chunk->size[1]);
    }
    if (run->start < 0 || run->length < 1 || run->start > chunk->size[2] ||
        run->length > chunk->size[2] - run->start) {
        return vx_fail(error, VX_ARGUMENT, "a run starts at %lld with length %lld in %lld rows",
                       (long long)run->start, (long long)run->length, (long long)chunk->size[2]);
    }
    if (run->material < 1 || run->material >= MATERIALS) {
        return vx_fail(error, VX_ARGUMENT, "a run's material is %lld; it must lie from 1 to 255",
                       (long long)run->material);
    }
    return VX_OK;
}

static vx_status collect_runs(const vx_chunk *chunk, placed_runs *runs, vx_error *error)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < chunk->run_count && status == VX_OK; i++) {
        status = check_run(chunk, &chunk->runs[i], error);
        if (status == VX_OK && !keep(runs, &chunk->runs[i])) {
            status = vx_replay_no_memory(error);
        }
    }
    return status;
}

/* SPEC B5.3: equal neighbours become runs. */
static vx_status collect_dense(const vx_chunk *chunk, placed_runs *runs, vx_error *error)
{
    uint64_t count = chunk->dense_count;
    for (size_t i = 0; i < 3; i++) {
        if (count % (uint64_t)chunk->size[i] != 0) {
            count = 0;
        }
        count /= (uint64_t)chunk->size[i];
    }
    if (count != 1) {
        return vx_fail(error, VX_ARGUMENT, "a dense chunk of %lld × %lld × %lld has %zu cells",
                       (long long)chunk->size[0], (long long)chunk->size[1],
                       (long long)chunk->size[2], chunk->dense_count);
    }
    int64_t height = chunk->size[2];
    for (int64_t i = 0; i < (int64_t)chunk->dense_count; i++) {
        if (chunk->dense[i] < 0 || chunk->dense[i] >= MATERIALS) {
            return vx_fail(error, VX_ARGUMENT, "a cell holds %lld; it must lie from 0 to 255",
                           (long long)chunk->dense[i]);
        }
    }
    for (int64_t i = 0; i < (int64_t)chunk->dense_count;) {
        int64_t column = i / height;
        int64_t end = i + 1;
        while (end < (column + 1) * height && chunk->dense[end] == chunk->dense[i]) {
            end++;
        }
        const vx_run run = {.x = column % chunk->size[0],
                            .z = column / chunk->size[0],
                            .start = i % height,
                            .length = end - i,
                            .material = chunk->dense[i]};
        if (run.material != 0 && !keep(runs, &run)) {
            return vx_replay_no_memory(error);
        }
        i = end;
    }
    return VX_OK;
}

/* SPEC B5.7: columns by z, then x; within one as in the list. */
static int compare_places(const void *left, const void *right)
{
    const placed *a = left;
    const placed *b = right;
    if (a->run.z != b->run.z) {
        return a->run.z < b->run.z ? -1 : 1;
    }
    if (a->run.x != b->run.x) {
        return a->run.x < b->run.x ? -1 : 1;
    }
    return (a->place > b->place) - (a->place < b->place);
}

/* SPEC B5.2: a run starts below the end of the one before it in its column. */
static vx_status sort_runs(placed_runs *runs, vx_error *error)
{
    if (runs->count > 0) {
        qsort(runs->items, runs->count, sizeof *runs->items, compare_places);
    }
    for (size_t i = 1; i < runs->count; i++) {
        const vx_run *before = &runs->items[i - 1].run;
        const vx_run *run = &runs->items[i].run;
        long long end = before->start + before->length;
        if (before->x == run->x && before->z == run->z && run->start < end) {
            return vx_fail(error, VX_ARGUMENT,
                           "a run starts at %lld, below the end of the one before, %lld",
                           (long long)run->start, end);
        }
    }
    return VX_OK;
}

/* --- placing ---------------------------------------------------------------------------------- */

/* SPEC B5.5 to B5.7. */
static vx_status place_runs(vx_build3d *field, const vx_chunk *chunk, const placed_runs *runs,
                            const int64_t areas[MATERIALS], vx_error *error)
{
    vx_replay_additions additions = {0};
    vx_status status = VX_OK;
    for (size_t i = 0; i < runs->count && status == VX_OK; i++) {
        const vx_run *run = &runs->items[i].run;
        int64_t x = run->x + chunk->offset[0];
        int64_t z = run->z + chunk->offset[2];
        int64_t min = run->start + chunk->offset[1];
        int64_t max = min + run->length;
        min = min > 0 ? min : 0;
        max = max < field->height ? max : field->height;
        if (x >= 0 && x < field->width && z >= 0 && z < field->depth && min < max) {
            status = vx_replay_append(&additions, (size_t)(x + z * field->width), min, max,
                                      areas[run->material]);
        }
    }
    if (status == VX_OK) {
        status = vx_replay_add_all(field, &additions, 0);
    }
    free(additions.items);
    return status == VX_OK ? VX_OK : vx_replay_no_memory(error);
}

static vx_status check_chunk(const vx_chunk *chunk, vx_error *error)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < 3 && status == VX_OK; i++) {
        if (chunk->size[i] < 1) {
            return vx_fail(error, VX_ARGUMENT, "a size of the chunk is %lld; it must be at least 1",
                           (long long)chunk->size[i]);
        }
        status = vx_replay_check_integer("a size of the chunk", chunk->size[i], 1, EXACT, error);
        if (status == VX_OK) {
            status = vx_replay_check_integer("an offset", chunk->offset[i], -EXACT, EXACT, error);
        }
    }
    return status;
}

vx_status vx_replay_chunk(vx_build3d *field, const vx_chunk *chunk, vx_error *error)
{
    placed_runs runs = {0};
    int64_t areas[MATERIALS];
    vx_status status = check_chunk(chunk, error);
    if (status == VX_OK) {
        status = chunk->is_dense ? collect_dense(chunk, &runs, error)
                                 : collect_runs(chunk, &runs, error);
    }
    if (status == VX_OK) {
        status = sort_runs(&runs, error);
    }
    if (status == VX_OK) {
        status = find_areas(chunk, areas, error);
    }
    if (status == VX_OK) {
        status = place_runs(field, chunk, &runs, areas, error);
    }
    free(runs.items);
    return status;
}
