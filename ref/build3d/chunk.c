/* SPDX-License-Identifier: MIT */
/* Voxel chunks (B5). */
#include <stdlib.h>

#include "ref.h"

enum { MATERIAL_MAX = 255 };

/* The area id of each material (B5.4@1f87b1). */
typedef struct materials {
    int32_t area[MATERIAL_MAX + 1];
} materials;

/* The order of B5.7@c78b5b, the runs of a column as they are in the list. */
static int compare_placed(const void *a, const void *b)
{
    const vx_ref_placed *p = a;
    const vx_ref_placed *q = b;
    if (p->run->z != q->run->z) {
        return p->run->z < q->run->z ? -1 : 1;
    }
    if (p->run->x != q->run->x) {
        return p->run->x < q->run->x ? -1 : 1;
    }
    return p->number < q->number ? -1 : p->number > q->number;
}

/* B5.2@cc7633: a run in a column outside the chunk, that has length < 1, leaves the rows 0 … H or
 * has a material outside 1..255 is argument. */
static vx_status check_run(const vx_chunk *chunk, size_t i, vx_error *error)
{
    const vx_status kind = VX_ARGUMENT;
    const vx_run *run = &chunk->runs[i];
    const int64_t *size = chunk->size;
    vx_status status = vx_ref_check_integer(run->x, 0, size[0] - 1, kind, error, "run %zu: x", i);
    if (status == VX_OK) {
        status = vx_ref_check_integer(run->z, 0, size[1] - 1, kind, error, "run %zu: z", i);
    }
    if (status == VX_OK) {
        status = vx_ref_check_integer(run->start, 0, size[2] - 1, kind, error, "run %zu: start", i);
    }
    if (status == VX_OK) {
        status = vx_ref_check_integer(run->length, 1, size[2] - run->start, kind, error,
                                      "run %zu: length", i);
    }
    if (status == VX_OK) {
        status = vx_ref_check_integer(run->material, 1, MATERIAL_MAX, kind, error,
                                      "run %zu: material", i);
    }
    return status;
}

/* Checks the runs (B5.2@cc7633) and puts them in order into field->order. */
static vx_status check_runs(vx_build3d *field, const vx_chunk *chunk, vx_error *error)
{
    vx_status status = VX_OK;
    for (size_t i = 0; i < chunk->run_count && status == VX_OK; i++) {
        status = check_run(chunk, i, error);
    }
    if (status != VX_OK) {
        return status;
    }
    vx_ref_placed *order = vx_ref_grow(field->arena, field->order, &field->order_capacity,
                                       chunk->run_count, sizeof *order);
    if (order == NULL) {
        return vx_ref_no_memory(field, error);
    }
    field->order = order;
    for (size_t i = 0; i < chunk->run_count; i++) {
        order[i] = (vx_ref_placed){.run = &chunk->runs[i], .number = i};
    }
    qsort(order, chunk->run_count, sizeof *order, compare_placed);
    /* B5.2@cc7633: a run that starts below the end of the run of the same column that comes before
     * it in the list is argument. */
    for (size_t i = 1; i < chunk->run_count; i++) {
        const vx_run *before = order[i - 1].run;
        const vx_run *run = order[i].run;
        int64_t end = before->start + before->length;
        if (run->x == before->x && run->z == before->z && run->start < end) {
            return vx_fail(
                error, VX_ARGUMENT, "run %zu: start = %lld is below %lld, the end of run %zu",
                order[i].number, (long long)run->start, (long long)end, order[i - 1].number);
        }
    }
    return VX_OK;
}

/* Whether a·b·c is count, also where the product does not fit. All are at least 1. */
static bool is_product(uint64_t count, const int64_t factor[3])
{
    for (int i = 0; i < 3; i++) {
        if (count % (uint64_t)factor[i] != 0) {
            return false;
        }
        count /= (uint64_t)factor[i];
    }
    return count == 1;
}

/* B5.3@7cf046: a dense array of another length than W·D·H, or with a value outside 0..255, is
 * argument. */
static vx_status check_dense(const vx_chunk *chunk, vx_error *error)
{
    if (!is_product(chunk->dense_count, chunk->size)) {
        return vx_fail(error, VX_ARGUMENT, "dense: its length %zu is not %lld * %lld * %lld",
                       chunk->dense_count, (long long)chunk->size[0], (long long)chunk->size[1],
                       (long long)chunk->size[2]);
    }
    vx_status status = VX_OK;
    for (size_t i = 0; i < chunk->dense_count && status == VX_OK; i++) {
        status = vx_ref_check_integer(chunk->dense[i], 0, MATERIAL_MAX, VX_ARGUMENT, error,
                                      "dense: the material at %zu", i);
    }
    return status;
}

/* B5.4@1f87b1: the area id of a run is materialAreas[material], 63 where none is given. A key
 * outside 1..255 is argument; an area id obeys B0.12@de3b14. */
static vx_status check_materials(const vx_chunk *chunk, materials *areas, vx_error *error)
{
    for (int material = 0; material <= MATERIAL_MAX; material++) {
        areas->area[material] = VX_AREA_WALKABLE;
    }
    bool named[MATERIAL_MAX + 1] = {false};
    for (size_t i = 0; i < chunk->material_area_count; i++) {
        int64_t material = chunk->material_areas[i].material;
        int64_t area = chunk->material_areas[i].area;
        vx_status status = vx_ref_check_integer(material, 1, MATERIAL_MAX, VX_ARGUMENT, error,
                                                "materialAreas: a material");
        if (status == VX_OK && named[material]) {
            status = vx_fail(error, VX_ARGUMENT, "materialAreas: material %lld is named twice",
                             (long long)material);
        }
        if (status == VX_OK) {
            status = vx_ref_check_integer(area, 0, VX_AREA_MAX, VX_OUT_OF_RANGE, error,
                                          "materialAreas: the area of material %lld",
                                          (long long)material);
        }
        if (status != VX_OK) {
            return status;
        }
        named[material] = true;
        areas->area[material] = (int32_t)area;
    }
    return VX_OK;
}

/* B0.10@f5f0c3: in the order of docs/PROTOCOL.md. Of the offset any integers are allowed
 * (B5.5@3e68ea). */
static vx_status check_chunk(vx_build3d *field, const vx_chunk *chunk, materials *areas,
                             vx_error *error)
{
    vx_status status = VX_OK;
    /* B5.2@cc7633: a size below 1 is argument. */
    for (int i = 0; i < 3 && status == VX_OK; i++) {
        status = vx_ref_check_integer(chunk->size[i], 1, INT64_MAX, VX_ARGUMENT, error,
                                      "the chunk's %c", "WDH"[i]);
    }
    if (status == VX_OK) {
        status = chunk->is_dense ? check_dense(chunk, error) : check_runs(field, chunk, error);
    }
    if (status == VX_OK) {
        status = check_materials(chunk, areas, error);
    }
    return status;
}

/* a + offset for a ≥ 0, or the largest number where that does not fit: it is outside any grid. */
static int64_t shifted(int64_t a, int64_t offset)
{
    return offset > 0 && a > INT64_MAX - offset ? INT64_MAX : a + offset;
}

/* B5.1@faf304: adds the run of the cells start … end − 1 of the chunk's column (x, z). */
static bool add_run(vx_build3d *field, const vx_chunk *chunk, int64_t x, int64_t z, int64_t start,
                    int64_t end, int32_t area)
{
    /* B5.5@3e68ea: column (x, z) of the chunk is column (x + dx, z + dz) of the grid, row y is row
     * y + dy. Columns outside the grid are dropped. */
    int64_t grid_x = shifted(x, chunk->offset[0]);
    int64_t grid_z = shifted(z, chunk->offset[2]);
    int64_t min = shifted(start, chunk->offset[1]);
    int64_t max = shifted(end, chunk->offset[1]);
    const vx_ref_grid *grid = &field->grid;
    VX_TRACE(field, "B5.4", "column (%lld, %lld): run [%lld, %lld) area %d", (long long)x,
             (long long)z, (long long)start, (long long)end, (int)area);
    VX_TRACE(field, "B5.5", "placed in column (%lld, %lld) at [%lld, %lld)", (long long)grid_x,
             (long long)grid_z, (long long)min, (long long)max);
    if (grid_x < 0 || grid_x >= grid->W || grid_z < 0 || grid_z >= grid->D) {
        VX_TRACE(field, "B5.5", "column outside the grid: dropped");
        return true;
    }
    /* B5.6@1483a6: a run that is partly outside the rows 0 … H is cut to them; a run that is wholly
     * outside is dropped. */
    min = min > 0 ? min : 0;
    max = max < grid->H ? max : grid->H;
    if (min >= max) {
        VX_TRACE(field, "B5.6", "outside the rows: dropped");
        return true;
    }
    VX_TRACE(field, "B5.6", "cut to [%lld, %lld)", (long long)min, (long long)max);
    /* B5.7@c78b5b: each run is added by B3 with its area id and the merge threshold 0. */
    size_t column = (size_t)(grid_x + grid_z * grid->W);
    return vx_ref_add_span(field, column, (int32_t)min, (int32_t)max, area, 0);
}

/* B5.7@c78b5b: columns by ascending z and within it by ascending x, within a column from the bottom
 * up. */
static bool add_runs(vx_build3d *field, const vx_chunk *chunk, const materials *areas)
{
    bool enough_memory = true;
    for (size_t i = 0; i < chunk->run_count && enough_memory; i++) {
        const vx_run *run = field->order[i].run;
        enough_memory = add_run(field, chunk, run->x, run->z, run->start, run->start + run->length,
                                areas->area[run->material]);
    }
    return enough_memory;
}

/* B5.3@7cf046: equal neighbours in a column are joined into one run; 0 is empty. */
static bool add_dense_column(vx_build3d *field, const vx_chunk *chunk, const materials *areas,
                             int64_t x, int64_t z)
{
    int64_t H = chunk->size[2];
    const int64_t *material = &chunk->dense[(z * chunk->size[0] + x) * H];
    bool enough_memory = true;
    for (int64_t start = 0, end; start < H && enough_memory; start = end) {
        end = start + 1;
        while (end < H && material[end] == material[start]) {
            end++;
        }
        if (material[start] != 0) {
            enough_memory = add_run(field, chunk, x, z, start, end, areas->area[material[start]]);
        }
    }
    return enough_memory;
}

static bool add_dense(vx_build3d *field, const vx_chunk *chunk, const materials *areas)
{
    bool enough_memory = true;
    for (int64_t z = 0; z < chunk->size[1] && enough_memory; z++) {
        for (int64_t x = 0; x < chunk->size[0] && enough_memory; x++) {
            enough_memory = add_dense_column(field, chunk, areas, x, z);
        }
    }
    return enough_memory;
}

vx_status vx_ref_chunk(vx_build3d *field, const vx_chunk *chunk, vx_error *error)
{
    materials areas;
    vx_status status = vx_ref_require_solid(field, "chunk", error);
    if (status == VX_OK) {
        status = check_chunk(field, chunk, &areas, error);
    }
    if (status != VX_OK) {
        return status;
    }
    bool enough_memory =
        chunk->is_dense ? add_dense(field, chunk, &areas) : add_runs(field, chunk, &areas);
    return vx_ref_finish(field, enough_memory, error);
}
