/* SPDX-License-Identifier: MIT */
/* SPEC B5: voxel chunks, as runs or dense. */
#include <inttypes.h>

#include "fast.h"

enum { MATERIAL_MAX = 255 };

/* --- checks: B5.2@cc7633 to B5.4@1f87b1
 * --------------------------------------------------------------------- */

static vx_status check_shape(int64_t value, int64_t min, int64_t max, const char *what,
                             vx_error *error)
{
    if (value < min || value > max) {
        return vx_fail(error, VX_ARGUMENT, "%s = %" PRId64 " is outside %" PRId64 "..%" PRId64,
                       what, value, min, max);
    }
    return VX_OK;
}

static vx_status check_size(const vx_chunk *chunk, vx_error *error)
{
    static const char *const names[] = {"the chunk's W", "the chunk's D", "the chunk's H"};
    vx_status status = VX_OK;
    for (size_t i = 0; i < 3 && status == VX_OK; i++) {
        status = check_shape(chunk->size[i], 1, INT64_MAX, names[i], error);
    }
    return status;
}

static vx_status check_run(const vx_chunk *chunk, const vx_run *run, vx_error *error)
{
    vx_status status = check_shape(run->x, 0, chunk->size[0] - 1, "a run's x", error);
    if (status == VX_OK) {
        status = check_shape(run->z, 0, chunk->size[1] - 1, "a run's z", error);
    }
    if (status == VX_OK) {
        status = check_shape(run->start, 0, chunk->size[2] - 1, "a run's start", error);
    }
    if (status == VX_OK) {
        status = check_shape(run->length, 1, chunk->size[2] - run->start, "a run's length", error);
    }
    if (status == VX_OK) {
        status = check_shape(run->material, 1, MATERIAL_MAX, "a run's material", error);
    }
    return status;
}

static bool is_before(const vx_run *a, const vx_run *b)
{
    return a->z != b->z ? a->z < b->z : a->x < b->x;
}

/* Sorts the run numbers of order by column, keeping the list's order within each: a merge sort. It
 * returns the array that holds the result. */
static const size_t *sort_runs(const vx_run *runs, size_t count, size_t *order, size_t *spare)
{
    for (size_t i = 0; i < count; i++) {
        order[i] = i;
    }
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            size_t middle = begin + width < count ? begin + width : count;
            size_t end = middle + width < count ? middle + width : count;
            size_t left = begin;
            size_t right = middle;
            for (size_t to = begin; to < end; to++) {
                bool from_right = left == middle || (right < end && is_before(&runs[order[right]],
                                                                              &runs[order[left]]));
                spare[to] = from_right ? order[right++] : order[left++];
            }
        }
        size_t *swap = order;
        order = spare;
        spare = swap;
    }
    return order;
}

/* B5.2@cc7633: in no column does a run start below the end of the one before it. Such pairs stand
 * side by side once the runs are sorted by column. */
static vx_status check_order(vx_build3d *field, const vx_chunk *chunk, vx_error *error)
{
    size_t count = chunk->run_count;
    bool sorted = true;
    for (size_t i = 1; i < count && sorted; i++) {
        sorted = !is_before(&chunk->runs[i], &chunk->runs[i - 1]);
    }
    const size_t *order = NULL;
    if (!sorted) {
        size_t *numbers =
            vx_fast_reserve(field, &field->scratch, count, 2 * sizeof *numbers, error);
        if (numbers == NULL) {
            return VX_NO_MEMORY;
        }
        order = sort_runs(chunk->runs, count, numbers, numbers + count);
    }
    for (size_t i = 1; i < count; i++) {
        const vx_run *below = &chunk->runs[sorted ? i - 1 : order[i - 1]];
        const vx_run *run = &chunk->runs[sorted ? i : order[i]];
        if (below->x == run->x && below->z == run->z && run->start < below->start + below->length) {
            return vx_fail(error, VX_ARGUMENT,
                           "a run's start = %" PRId64 " is below %" PRId64
                           ", the end of the run before it in column (%" PRId64 ", %" PRId64 ")",
                           run->start, below->start + below->length, run->x, run->z);
        }
    }
    return VX_OK;
}

static vx_status check_runs(vx_build3d *field, const vx_chunk *chunk, vx_error *error)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < chunk->run_count && status == VX_OK; i++) {
        status = check_run(chunk, &chunk->runs[i], error);
    }
    return status == VX_OK ? check_order(field, chunk, error) : status;
}

/* B5.3@7cf046. */
static vx_status check_dense(const vx_chunk *chunk, vx_error *error)
{
    size_t left = chunk->dense_count;
    bool fits = true;
    for (size_t i = 0; i < 3 && fits; i++) {
        fits = left % (uint64_t)chunk->size[i] == 0;
        left /= (uint64_t)chunk->size[i];
    }
    if (!fits || left != 1) {
        return vx_fail(error, VX_ARGUMENT,
                       "dense: its length %zu is not %" PRId64 " * %" PRId64 " * %" PRId64,
                       chunk->dense_count, chunk->size[0], chunk->size[1], chunk->size[2]);
    }
    vx_status status = VX_OK;
    for (size_t i = 0; i < chunk->dense_count && status == VX_OK; i++) {
        status = check_shape(chunk->dense[i], 0, MATERIAL_MAX, "a material", error);
    }
    return status;
}

/* B5.4@1f87b1: the area id of every material. */
static vx_status read_areas(const vx_chunk *chunk, uint8_t areas[MATERIAL_MAX + 1], vx_error *error)
{
    bool named[MATERIAL_MAX + 1] = {false};
    memset(areas, VX_AREA_WALKABLE, MATERIAL_MAX + 1);
    for (size_t i = 0; i < chunk->material_area_count; i++) {
        const vx_material_area *entry = &chunk->material_areas[i];
        vx_status status = check_shape(entry->material, 1, MATERIAL_MAX, "a material", error);
        if (status == VX_OK && named[entry->material]) {
            status =
                vx_fail(error, VX_ARGUMENT, "material %" PRId64 " is named twice", entry->material);
        }
        if (status == VX_OK) {
            status = vx_fast_check_integer(entry->area, 0, VX_AREA_MAX, "a material's area", error);
        }
        if (status != VX_OK) {
            return status;
        }
        named[entry->material] = true;
        areas[entry->material] = (uint8_t)entry->area;
    }
    return VX_OK;
}

/* --- placing: B5.5@3e68ea to B5.7@c78b5b
 * -------------------------------------------------------------------- */

typedef struct placing {
    vx_build3d *field;
    const vx_chunk *chunk;
    uint8_t areas[MATERIAL_MAX + 1];
    vx_fast_runs runs;
    vx_error *error;
} placing;

/* value + offset cut to 0 … size. */
static int64_t place(int64_t value, int64_t offset, int64_t size)
{
    int64_t sum;
    if (__builtin_add_overflow(value, offset, &sum)) {
        return offset < 0 ? 0 : size;
    }
    return sum < 0 ? 0 : sum > size ? size : sum;
}

/* Whether value + offset, which is set, is one of the grid's columns along an axis. */
static bool is_inside(int64_t value, int64_t offset, int64_t size, int64_t *column)
{
    return !__builtin_add_overflow(value, offset, column) && *column >= 0 && *column < size;
}

/* Adds a run. Its cells in the grid are those of [start, start + length) moved and cut. */
static vx_status add_run(placing *p, const vx_run *run)
{
    const int64_t *offset = p->chunk->offset;
    const uint32_t *size = p->field->size;
    int64_t x;
    int64_t z;
    int64_t min = place(run->start, offset[1], size[2]);
    int64_t max = place(run->start + run->length, offset[1], size[2]);
    bool inside =
        is_inside(run->x, offset[0], size[0], &x) && is_inside(run->z, offset[2], size[1], &z);
    if (!inside || min >= max) {
        return VX_OK;
    }
    vx_status status = vx_fast_make_room(p->field, &p->runs, 1, 1, p->error);
    if (status == VX_OK) {
        *vx_fast_add_run(&p->runs, (uint32_t)x, (uint32_t)z, 1, p->areas[run->material]) =
            vx_fast_cell((uint32_t)min, (uint32_t)max);
    }
    return status;
}

/* B5.3@7cf046: the runs of the dense column that begins at cells. */
static vx_status add_dense_column(placing *p, const int64_t *cells, vx_run *run)
{
    int64_t high = p->chunk->size[2];
    vx_status status = VX_OK;
    for (int64_t y = 0; y < high && status == VX_OK; y = run->start + run->length) {
        run->start = y;
        run->material = cells[y];
        run->length = 1;
        while (y + run->length < high && cells[y + run->length] == run->material) {
            run->length++;
        }
        if (run->material != 0) {
            status = add_run(p, run);
        }
    }
    return status;
}

/* Columns do not see each other (B3.5@4b6f33), so that runs are added in the order of the list:
 * within a column that is from the bottom up. */
static vx_status add_all(placing *p)
{
    const vx_chunk *chunk = p->chunk;
    vx_status status = VX_OK;
    for (size_t i = 0; !chunk->is_dense && i < chunk->run_count && status == VX_OK; i++) {
        status = add_run(p, &chunk->runs[i]);
    }
    const int64_t *cells = chunk->dense;
    vx_run run;
    for (run.z = 0; chunk->is_dense && run.z < chunk->size[1]; run.z++) {
        for (run.x = 0; run.x < chunk->size[0] && status == VX_OK; run.x++) {
            status = add_dense_column(p, cells, &run);
            cells += chunk->size[2];
        }
    }
    return status;
}

vx_status vx_fast_chunk(vx_build3d *field, const vx_chunk *chunk, vx_error *error)
{
    placing p = {.field = field, .chunk = chunk, .error = error};
    vx_status status = vx_fast_check_place(field, false, "chunk", error);
    if (status == VX_OK) {
        status = check_size(chunk, error);
    }
    if (status == VX_OK) {
        status = chunk->is_dense ? check_dense(chunk, error) : check_runs(field, chunk, error);
    }
    if (status == VX_OK) {
        status = read_areas(chunk, p.areas, error);
    }
    if (status != VX_OK) {
        return status;
    }
    vx_fast_begin(field, &p.runs, 0);
    status = add_all(&p);
    if (status != VX_OK) {
        vx_fast_abandon(field);
        return status;
    }
    return vx_fast_commit(field, &p.runs, error);
}
