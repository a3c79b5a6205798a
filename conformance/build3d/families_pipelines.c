/* SPDX-License-Identifier: MIT */
/* Generated whole pipelines: every source, the filters, compacting, erosion and volumes (B10.2). */
#include "families.h"

/* Filters, compact, an erosion and up to two volumes, in the pipeline's order or with the volumes
 * and erosions mixed (B9.6). */
static vx_input *processed(vx_draft *draft)
{
    int64_t height = vx_random_integer(&draft->random, 1, 10);
    int64_t climb = vx_random_integer(&draft->random, 1, 4);
    vx_draft_filters(draft, height, climb);
    int64_t count = vx_random_integer(&draft->random, 1, 3);
    for (int64_t i = 0; i < count; i++) {
        bool erode = i == 0 || vx_random_chance(&draft->random, 1, 4);
        if (erode) {
            int64_t radius = vx_random_integer(&draft->random, 0, 1);
            vx_draft_step(draft, VX_OP_ERODE, 0, 0, radius);
            continue;
        }
        double min[2];
        double max[2];
        for (size_t k = 0; k < 2; k++) {
            min[k] = vx_random_dyadic(&draft->random, -1, 3, 1);
            max[k] = min[k] + vx_random_dyadic(&draft->random, 1, 4, 1);
        }
        vx_draft_rectangle(draft, min, max, vx_draft_area(draft));
    }
    return vx_draft_finish(draft);
}

/* A floor of two triangles over most of the grid, about level. */
static void add_ground(vx_draft *draft)
{
    double width = (double)vx_draft_size(draft, 0);
    double depth = (double)vx_draft_size(draft, 1);
    double v[4];
    for (size_t i = 0; i < 4; i++) {
        v[i] = vx_random_dyadic(&draft->random, 1, 3, 3);
    }
    int64_t a = vx_draft_vertex(draft, -0.5, v[0], -0.5);
    (void)vx_draft_vertex(draft, -0.5, v[1], depth);
    (void)vx_draft_vertex(draft, width + 0.5, v[2], depth);
    (void)vx_draft_vertex(draft, width + 0.5, v[3], -0.5);
    vx_draft_quad(draft, a, a + 1, a + 2, a + 3);
}

static void add_obstacle(vx_draft *draft)
{
    double min[3];
    double max[3];
    vx_draft_point(draft, 0, 2, min);
    for (size_t axis = 0; axis < 3; axis++) {
        max[axis] = min[axis] + vx_random_dyadic(&draft->random, 0, 2, 2) + 0.5;
    }
    vx_draft_box(draft, min, max);
}

static void add_terrain(vx_draft *draft)
{
    enum { SIDE = 4, COUNT = SIDE * SIDE };
    double heights[COUNT];
    int64_t relief = vx_random_integer(&draft->random, 0, 3);
    for (size_t i = 0; i < COUNT; i++) {
        double row = 1.0 + vx_random_dyadic(&draft->random, 0, relief, 2);
        heights[i] = vx_draft_world(draft, 1, row);
    }
    vx_build3d_add_step(draft->input,
                        &(vx_step){.op = VX_OP_HEIGHT_GRID,
                                   .grid = {.origin = {vx_draft_world(draft, 0, 0.0),
                                                       vx_draft_world(draft, 2, 0.0)},
                                            .spacing = 2.0 * (double)draft->input->frame.cell_size,
                                            .count = {SIDE, SIDE},
                                            .heights = heights,
                                            .height_count = COUNT,
                                            .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                                            .merge_threshold = VX_DEFAULT_MERGE_THRESHOLD}});
}

/* A chunk as wide as the grid: ground of one to three cells, on some of it one more cell. */
static void add_chunk(vx_draft *draft)
{
    int64_t width = vx_draft_size(draft, 0);
    int64_t depth = vx_draft_size(draft, 1);
    size_t count = 0;
    vx_run *runs = vx_build3d_input_alloc(draft->input, (size_t)(2 * width * depth), sizeof *runs);
    for (int64_t i = 0; i < width * depth; i++) {
        int64_t thickness = vx_random_integer(&draft->random, 1, 3);
        int64_t air = vx_random_integer(&draft->random, 0, 5);
        bool block = vx_random_chance(&draft->random, 1, 3);
        runs[count++] = (vx_run){i % width, i / width, 0, thickness, 1};
        if (block) {
            runs[count++] = (vx_run){i % width, i / width, thickness + air, 1, 2};
        }
    }
    const vx_material_area areas[1] = {{2, vx_draft_area(draft)}};
    vx_build3d_add_step(draft->input, &(vx_step){.op = VX_OP_CHUNK,
                                                 .chunk = {.size = {width, depth, 9},
                                                           .runs = runs,
                                                           .run_count = count,
                                                           .material_areas = areas,
                                                           .material_area_count = 1}});
}

vx_input *vx_make_pipeline_spans(uint64_t seed)
{
    vx_draft draft = vx_draft_start("pipeline-spans", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 8, 8, 20);
    vx_draft_floors(&draft, 2, 3, 2, 9, 7);
    return processed(&draft);
}

vx_input *vx_make_pipeline_triangles(uint64_t seed)
{
    vx_draft draft = vx_draft_start("pipeline-triangles", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 8, 8, 20);
    add_ground(&draft);
    int64_t count = vx_random_integer(&draft.random, 0, 2);
    for (int64_t i = 0; i < count; i++) {
        add_obstacle(&draft);
    }
    vx_draft_rasterize(&draft, 0.5f, VX_DEFAULT_MERGE_THRESHOLD);
    return processed(&draft);
}

vx_input *vx_make_pipeline_terrain(uint64_t seed)
{
    vx_draft draft = vx_draft_start("pipeline-terrain", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 8, 8, 20);
    add_terrain(&draft);
    if (vx_random_chance(&draft.random, 1, 2)) {
        add_obstacle(&draft);
        vx_draft_rasterize(&draft, VX_DEFAULT_SLOPE_COSINE, VX_DEFAULT_MERGE_THRESHOLD);
    }
    return processed(&draft);
}

vx_input *vx_make_pipeline_chunks(uint64_t seed)
{
    vx_draft draft = vx_draft_start("pipeline-chunks", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 8, 8, 16);
    add_chunk(&draft);
    return processed(&draft);
}

vx_input *vx_make_pipeline_mixed(uint64_t seed)
{
    vx_draft draft = vx_draft_start("pipeline-mixed", seed);
    size_t order[4];
    vx_draft_grid(&draft, VX_SCALE_ANY, 8, 8, 24);
    vx_random_order(&draft.random, order, 4);
    int64_t sources = vx_random_integer(&draft.random, 2, 4);
    for (int64_t i = 0; i < sources; i++) {
        switch (order[i]) {
        case 0:
            add_ground(&draft);
            vx_draft_rasterize_areas(&draft, vx_draft_threshold(&draft));
            break;
        case 1:
            vx_draft_floors(&draft, 2, 4, 3, 8, 4);
            break;
        case 2:
            add_terrain(&draft);
            break;
        default:
            add_chunk(&draft);
        }
    }
    return processed(&draft);
}
