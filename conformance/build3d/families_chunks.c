/* SPDX-License-Identifier: MIT */
/* Generated voxel chunks: runs and dense ones, cut by every side of the grid, with areas for their
 * materials (B5). */
#include "families.h"

enum { RUNS_MAX = 40, DENSE_MAX = 5 * 5 * 10 };

/* Up to count areas for materials 1, 2, …: some of them are named, others are not. */
static size_t draw_materials(vx_draft *draft, vx_material_area *areas, size_t count)
{
    size_t named = 0;
    for (size_t i = 0; i < count; i++) {
        if (vx_random_chance(&draft->random, 1, 2)) {
            areas[named].material = i + 1 == count ? 255 : (int64_t)i + 1;
            areas[named++].area = vx_draft_area(draft);
        }
    }
    return named;
}

/* Material 1 to 3 or 255. */
static int64_t draw_material(vx_draft *draft)
{
    int64_t material = vx_random_integer(&draft->random, 1, 4);
    return material == 4 ? 255 : material;
}

static void add_chunk(vx_draft *draft, const int64_t offset[3], vx_chunk chunk)
{
    vx_material_area areas[4];
    chunk.material_areas = areas;
    chunk.material_area_count = draw_materials(draft, areas, 4);
    for (size_t axis = 0; axis < 3; axis++) {
        chunk.offset[axis] = offset[axis];
    }
    vx_build3d_add_step(draft->input, &(vx_step){.op = VX_OP_CHUNK, .chunk = chunk});
}

/* Runs in random columns of a chunk of the given size, added at an offset. */
static void add_runs(vx_draft *draft, const int64_t size[3], const int64_t offset[3])
{
    vx_run runs[RUNS_MAX];
    size_t order[RUNS_MAX];
    size_t count = 0;
    size_t columns = (size_t)(size[0] * size[1]);
    vx_random_order(&draft->random, order, columns);
    for (size_t i = 0; i < columns; i++) {
        int64_t row = vx_random_integer(&draft->random, 0, 4);
        while (row < size[2] && count < RUNS_MAX) {
            int64_t length = vx_random_integer(&draft->random, 1, 3);
            runs[count].x = (int64_t)order[i] % size[0];
            runs[count].z = (int64_t)order[i] / size[0];
            runs[count].start = row;
            runs[count].length = row + length > size[2] ? size[2] - row : length;
            runs[count++].material = draw_material(draft);
            row += length + vx_random_integer(&draft->random, 0, 4);
        }
    }
    add_chunk(draft, offset,
              (vx_chunk){.size = {size[0], size[1], size[2]}, .runs = runs, .run_count = count});
}

static void add_dense(vx_draft *draft, const int64_t size[3], const int64_t offset[3])
{
    int64_t dense[DENSE_MAX];
    size_t count = (size_t)(size[0] * size[1] * size[2]);
    int64_t material = 0;
    for (size_t i = 0; i < count; i++) {
        if (vx_random_chance(&draft->random, 1, 2)) {
            bool empty = vx_random_chance(&draft->random, 1, 2);
            material = empty ? 0 : draw_material(draft);
        }
        dense[i] = material;
    }
    add_chunk(draft, offset,
              (vx_chunk){.size = {size[0], size[1], size[2]},
                         .is_dense = 1,
                         .dense = dense,
                         .dense_count = count});
}

static void draw_size(vx_draft *draft, int64_t most, int64_t rows, int64_t size[3])
{
    size[0] = vx_random_integer(&draft->random, 1, most);
    size[1] = vx_random_integer(&draft->random, 1, most);
    size[2] = vx_random_integer(&draft->random, 1, rows);
}

vx_input *vx_make_chunk_runs(uint64_t seed)
{
    vx_draft draft = vx_draft_start("chunk-runs", seed);
    int64_t size[3];
    int64_t offset[3];
    vx_draft_grid(&draft, VX_SCALE_UNIT, 4, 4, 16);
    int64_t count = vx_random_integer(&draft.random, 1, 2);
    for (int64_t i = 0; i < count; i++) {
        draw_size(&draft, 3, 14, size);
        offset[0] = vx_random_integer(&draft.random, 0, 1);
        offset[1] = vx_random_integer(&draft.random, 0, 4);
        offset[2] = vx_random_integer(&draft.random, 0, 1);
        add_runs(&draft, size, offset);
    }
    return vx_draft_finish(&draft);
}

vx_input *vx_make_chunk_dense(uint64_t seed)
{
    vx_draft draft = vx_draft_start("chunk-dense", seed);
    int64_t size[3];
    int64_t offset[3];
    vx_draft_grid(&draft, VX_SCALE_UNIT, 4, 4, 14);
    int64_t count = vx_random_integer(&draft.random, 1, 2);
    for (int64_t i = 0; i < count; i++) {
        draw_size(&draft, 4, 10, size);
        for (size_t axis = 0; axis < 3; axis++) {
            offset[axis] = vx_random_integer(&draft.random, -1, 1);
        }
        add_dense(&draft, size, offset);
    }
    return vx_draft_finish(&draft);
}

vx_input *vx_make_chunk_cut(uint64_t seed)
{
    static const int64_t far[] = {-((int64_t)1 << 53), -((int64_t)1 << 31), (int64_t)1 << 31,
                                  ((int64_t)1 << 53) - 20};
    vx_draft draft = vx_draft_start("chunk-cut", seed);
    int64_t size[3];
    int64_t offset[3];
    vx_draft_grid(&draft, VX_SCALE_UNIT, 3, 3, 8);
    int64_t count = vx_random_integer(&draft.random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        static const size_t size_axis[3] = {0, 2, 1};
        draw_size(&draft, 5, 10, size);
        for (size_t axis = 0; axis < 3; axis++) {
            int64_t room = vx_draft_size(&draft, size_axis[axis]);
            offset[axis] = vx_random_integer(&draft.random, -2, room - 1);
        }
        if (vx_random_chance(&draft.random, 1, 8)) {
            size_t axis = (size_t)vx_random_integer(&draft.random, 0, 2);
            offset[axis] = VX_CHOICE_INTEGER(&draft.random, far);
        }
        if (vx_random_chance(&draft.random, 1, 2)) {
            add_runs(&draft, size, offset);
        } else {
            add_dense(&draft, size, offset);
        }
    }
    return vx_draft_finish(&draft);
}
