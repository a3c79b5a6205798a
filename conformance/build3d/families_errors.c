/* SPDX-License-Identifier: MIT */
/* Generated steps that break one rule or are just inside it (B0.8, B0.12 and each step's own
 * clauses). One rule at a time, but where a clause gives an order, so that one kind is right. */
#include <math.h>
#include <stdlib.h>

#include "families.h"

static const double bad_coordinates[] = {
    VX_NAN, VX_INFINITY, -VX_INFINITY, 0x1.0000000000001p21, -0x1.0000000000001p21, 1e300, -0x1p22};
static const double good_coordinates[] = {0x1p21, -0x1p21, 0x1.fffffffffffffp20, -0.0, 0x1p-1074};
static const int64_t areas_around[] = {-1, 0, 63, 64, 255, (int64_t)1 << 32};
static const int64_t thresholds_around[] = {-1, VX_ROWS_MAX, VX_ROWS_MAX + 1, (int64_t)1 << 32,
                                            -((int64_t)1 << 53)};
static const float slopes_around[] = {NAN, INFINITY, -INFINITY, 0x1.fffffep127f, -0x1p-149f};

static double draw_coordinate(vx_draft *draft)
{
    if (vx_random_chance(&draft->random, 1, 3)) {
        return VX_CHOICE(&draft->random, good_coordinates);
    }
    return VX_CHOICE(&draft->random, bad_coordinates);
}

/* A grid with a span, so that the step that fails is not always the first. */
static void draw_start(vx_draft *draft)
{
    vx_draft_grid(draft, VX_SCALE_EXACT, 4, 4, 8);
    if (vx_random_chance(&draft->random, 1, 2)) {
        vx_draft_span(draft, 0, 0, 2, 4, vx_draft_area(draft));
        vx_draft_add_spans(draft, vx_draft_threshold(draft));
    }
}

/* What follows a step that should fail, and is never reached then. */
static vx_input *ended(vx_draft *draft)
{
    if (vx_random_chance(&draft->random, 1, 2)) {
        vx_draft_step(draft, VX_OP_LOW_HANGING, 0, VX_DEFAULT_CLIMB, 0);
    }
    return vx_draft_finish(draft);
}

vx_input *vx_make_rasterize_errors(uint64_t seed)
{
    static const int64_t indices_around[] = {-1, 6, 7, (int64_t)1 << 32, -((int64_t)1 << 53)};
    vx_draft draft = vx_draft_start("rasterize-errors", seed);
    draw_start(&draft);
    double vertices[18];
    int64_t indices[6] = {0, 1, 2, 3, 4, 5};
    int64_t areas[3] = {63, 1, 0};
    for (size_t k = 0; k < 18; k += 3) {
        vx_draft_point(&draft, 1, 2, vertices + k);
    }
    vx_mesh mesh = {.vertices = vertices,
                    .vertex_values = 18,
                    .indices = indices,
                    .index_count = 6,
                    .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                    .merge_threshold = VX_DEFAULT_MERGE_THRESHOLD};
    size_t place = (size_t)vx_random_integer(&draft.random, 0, 5);
    bool more = vx_random_chance(&draft.random, 1, 2);
    int64_t kind = vx_random_integer(&draft.random, 0, 7);
    if (kind >= 5 || more) {
        mesh.areas = areas;
        mesh.area_count = 2;
    }
    switch (kind) {
    case 0:
        mesh.vertex_values -= 1 + place % 2; /* the last index has no vertex then, but B2.5 */
        break;
    case 1:
        vertices[3 * (5 - place)] = more ? VX_NAN : 0.0; /* B2.5: the index comes first */
        indices[place] = VX_CHOICE_INTEGER(&draft.random, indices_around);
        break;
    case 2:
        vertices[3 * place + place % 3] = draw_coordinate(&draft);
        break;
    case 3:
        mesh.slope_cosine = slopes_around[place % 5];
        break;
    case 4:
        mesh.merge_threshold = VX_CHOICE_INTEGER(&draft.random, thresholds_around);
        break;
    case 5:
        mesh.area_count = more ? 3 : place % 2;
        break;
    default:
        areas[place % 2] = VX_CHOICE_INTEGER(&draft.random, areas_around);
    }
    vx_build3d_add_step(draft.input, &(vx_step){.op = VX_OP_RASTERIZE, .mesh = mesh});
    return ended(&draft);
}

vx_input *vx_make_span_errors(uint64_t seed)
{
    vx_draft draft = vx_draft_start("span-errors", seed);
    draw_start(&draft);
    int64_t size[3] = {vx_draft_size(&draft, 0), vx_draft_size(&draft, 1),
                       vx_draft_size(&draft, 2)};
    const vx_span bad[] = {{-1, 0, 0, 1, 63},
                           {size[0], 0, 0, 1, 63},
                           {0, -1, 0, 1, 63},
                           {0, size[1], 0, 1, 63},
                           {(int64_t)1 << 32, 0, 0, 1, 63},
                           {0, 0, -1, 1, 63},
                           {0, 0, 3, 3, 63},
                           {0, 0, 3, 2, 63},
                           {0, 0, 0, size[2] + 1, 63},
                           {0, 0, ((int64_t)1 << 32) + 1, ((int64_t)1 << 32) + 2, 63}};
    const vx_span good[] = {{size[0] - 1, size[1] - 1, 0, size[2], 63},
                            {0, 0, size[2] - 1, size[2], 0},
                            {0, 0, 0, 1, 1}};
    int64_t threshold = VX_DEFAULT_MERGE_THRESHOLD;
    int64_t kind = vx_random_integer(&draft.random, 0, 4);
    int64_t place = vx_random_integer(&draft.random, 0, 2);
    for (int64_t i = 0; i < 3; i++) {
        vx_span span = good[vx_random_integer(&draft.random, 0, 2)];
        if (i == place && kind < 3) {
            span = bad[vx_random_integer(&draft.random, 0, 9)];
        } else if (i == place && kind == 3) {
            span.area = VX_CHOICE_INTEGER(&draft.random, areas_around);
        }
        vx_draft_span(&draft, span.x, span.z, span.min, span.max, span.area);
    }
    if (kind == 4) {
        threshold = VX_CHOICE_INTEGER(&draft.random, thresholds_around);
    }
    vx_draft_add_spans(&draft, threshold);
    return ended(&draft);
}

vx_input *vx_make_terrain_errors(uint64_t seed)
{
    static const double spacings[] = {VX_NAN,     VX_INFINITY, 0.0,   -1.0,
                                      -0x1p-1074, 0x1p-1074,   0x1p21};
    static const int64_t counts[][2] = {{1, 8}, {8, 1}, {1, 1}, {0, 3}, {-2, 2}, {2, 4}};
    vx_draft draft = vx_draft_start("terrain-errors", seed);
    draw_start(&draft);
    double heights[9];
    for (size_t i = 0; i < 9; i++) {
        heights[i] = vx_random_dyadic(&draft.random, 1, 4, 1);
    }
    vx_height_grid grid = {.spacing = 1.0,
                           .count = {3, 3},
                           .heights = heights,
                           .height_count = 9,
                           .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                           .merge_threshold = VX_DEFAULT_MERGE_THRESHOLD};
    int64_t place = vx_random_integer(&draft.random, 0, 8);
    switch (vx_random_integer(&draft.random, 0, 6)) {
    case 0:
        grid.origin[place % 2] = draw_coordinate(&draft);
        break;
    case 1:
        grid.spacing = VX_CHOICE(&draft.random, spacings);
        break;
    case 2:
        grid.count[0] = counts[place % 6][0];
        grid.count[1] = counts[place % 6][1];
        /* As many heights as that, so that no other rule is broken. */
        grid.height_count = (size_t)(place % 6 == 3 ? 0 : llabs(grid.count[0] * grid.count[1]));
        break;
    case 3:
        grid.height_count = (size_t)place;
        break;
    case 4:
        heights[place] = draw_coordinate(&draft);
        break;
    case 5:
        grid.slope_cosine = slopes_around[place % 5];
        break;
    default:
        grid.merge_threshold = VX_CHOICE_INTEGER(&draft.random, thresholds_around);
    }
    vx_build3d_add_step(draft.input, &(vx_step){.op = VX_OP_HEIGHT_GRID, .grid = grid});
    return ended(&draft);
}

static void spoil_runs(vx_draft *draft, vx_chunk *chunk, vx_run runs[3])
{
    static const vx_run bad[] = {{2, 0, 0, 1, 1},  {-1, 0, 0, 1, 1}, {0, 2, 0, 1, 1},
                                 {0, -1, 0, 1, 1}, {0, 0, 4, 0, 1},  {0, 0, 4, -2, 1},
                                 {0, 0, -1, 2, 1}, {0, 0, 5, 2, 1},  {0, 0, 6, 1, 1},
                                 {0, 0, 3, 1, 0},  {0, 0, 3, 1, 256}};
    switch (vx_random_integer(&draft->random, 0, 3)) {
    case 0:
        runs[2] = bad[vx_random_integer(&draft->random, 0, 10)];
        break;
    case 1:
        /* Touching the one below, or a row into it, with a run of another column between. */
        runs[1] = (vx_run){1, 1, 0, 6, 255};
        runs[2] = (vx_run){0, 0, vx_random_integer(&draft->random, 1, 2), 1, 1};
        break;
    case 2:
        chunk->run_count = 0;
        chunk->size[vx_random_integer(&draft->random, 0, 2)] = 0;
        break;
    default:
        chunk->run_count = 0;
        chunk->size[0] = -2;
        chunk->size[1] = -2;
    }
}

static void spoil_dense(vx_draft *draft, vx_chunk *chunk, int64_t dense[24])
{
    static const int64_t materials[] = {-1, 255, 256, 65536 + 1};
    int64_t place = vx_random_integer(&draft->random, 0, 23);
    chunk->is_dense = 1;
    chunk->dense = dense;
    chunk->dense_count = 24;
    if (vx_random_chance(&draft->random, 1, 2)) {
        dense[place] = VX_CHOICE_INTEGER(&draft->random, materials);
    } else {
        chunk->dense_count = (size_t)place;
    }
}

vx_input *vx_make_chunk_errors(uint64_t seed)
{
    static const int64_t keys[] = {0, 1, 255, 256, -1};
    vx_draft draft = vx_draft_start("chunk-errors", seed);
    draw_start(&draft);
    vx_run runs[3] = {{0, 0, 0, 2, 1}, {1, 0, 2, 3, 2}, {0, 0, 4, 2, 2}};
    int64_t dense[24] = {1, 1, 0, 2, 2, 0, 0, 0, 3, 255, 255};
    vx_material_area areas[2] = {{2, 7}, {9, 0}};
    vx_chunk chunk = {.size = {2, 2, 6},
                      .runs = runs,
                      .run_count = 3,
                      .material_areas = areas,
                      .material_area_count = 2};
    int64_t kind = vx_random_integer(&draft.random, 0, 7);
    if (kind <= 3) {
        spoil_runs(&draft, &chunk, runs);
    } else if (kind <= 5) {
        spoil_dense(&draft, &chunk, dense);
    } else if (kind == 6) {
        areas[0].material = VX_CHOICE_INTEGER(&draft.random, keys);
    } else {
        areas[1].area = VX_CHOICE_INTEGER(&draft.random, areas_around);
    }
    vx_build3d_add_step(draft.input, &(vx_step){.op = VX_OP_CHUNK, .chunk = chunk});
    return ended(&draft);
}

/* Corners of a square, some of them often enough to make count. */
static void fill_corners(double corners[], size_t count)
{
    static const double square[4][2] = {{0.0, 0.0}, {3.0, 0.0}, {3.0, 3.0}, {0.0, 3.0}};
    for (size_t i = 0; i < count; i++) {
        corners[2 * i] = square[4 * i / count][0];
        corners[2 * i + 1] = square[4 * i / count][1];
    }
}

vx_input *vx_make_volume_errors(uint64_t seed)
{
    enum { MOST = VX_CORNERS_MAX + 1 };
    static const double ends[][2] = {{VX_NAN, 1.0},
                                     {1.0, VX_NAN},
                                     {2.0, 1.0},
                                     {1.0, 1.0},
                                     {VX_INFINITY, -VX_INFINITY},
                                     {VX_INFINITY, VX_INFINITY}};
    static const double bad[] = {VX_NAN, 0x1p21, 0x1.0000000000001p21, 0x1p22, 1e150};
    vx_draft draft = vx_draft_start("volume-errors", seed);
    vx_draft_grid(&draft, VX_SCALE_EXACT, 4, 4, 8);
    vx_draft_floors(&draft, 1, 2, 1, 1, 7);
    vx_draft_step(&draft, VX_OP_COMPACT, 1, 2, 0);
    double corners[2 * MOST];
    size_t count = 4;
    double interval[2] = {-VX_INFINITY, VX_INFINITY};
    int64_t area = 5;
    int64_t pick;
    fill_corners(corners, count);
    switch (vx_random_integer(&draft.random, 0, 5)) {
    case 0:
        count = vx_random_chance(&draft.random, 1, 2) ? VX_CORNERS_MAX : MOST;
        fill_corners(corners, count);
        break;
    case 1:
        corners[4] = VX_CHOICE(&draft.random, bad);
        break;
    case 2:
        /* The third corner pushed in, onto the diagonal or beyond; or another order. */
        corners[4] = vx_random_dyadic(&draft.random, 0, 2, 1);
        corners[5] = corners[4];
        break;
    case 3:
        count = 3;
        corners[4] = vx_random_dyadic(&draft.random, -1, 4, 1);
        corners[5] = vx_random_chance(&draft.random, 1, 4) ? 0x1p-1074 : 0.0;
        break;
    case 4:
        pick = vx_random_integer(&draft.random, 0, 5);
        interval[0] = ends[pick][0];
        interval[1] = ends[pick][1];
        break;
    default:
        area = VX_CHOICE_INTEGER(&draft.random, areas_around);
    }
    vx_draft_volume(&draft, corners, count, interval[0], interval[1], area);
    return vx_draft_finish(&draft);
}

vx_input *vx_make_parameter_errors(uint64_t seed)
{
    static const int64_t heights[] = {-1, 0, 1, VX_ROWS_MAX, VX_ROWS_MAX + 1, (int64_t)1 << 32};
    static const int64_t climbs[] = {-1, 0, VX_ROWS_MAX, VX_ROWS_MAX + 1, ((int64_t)1 << 32) + 1};
    static const int64_t radii[] = {-1, 0, VX_RADIUS_MAX, VX_RADIUS_MAX + 1, (int64_t)1 << 32};
    static const vx_op ops[] = {VX_OP_LOW_HANGING, VX_OP_LEDGES, VX_OP_LOW_HEIGHT, VX_OP_COMPACT,
                                VX_OP_ERODE};
    vx_draft draft = vx_draft_start("parameter-errors", seed);
    vx_draft_grid(&draft, VX_SCALE_UNIT, 3, 3, 12);
    vx_draft_floors(&draft, 2, 2, 1, 4, 6);
    vx_op op = ops[vx_random_integer(&draft.random, 0, 4)];
    bool first = vx_random_chance(&draft.random, 1, 2);
    int64_t height = 2;
    int64_t climb = 1;
    bool has_height = op == VX_OP_LEDGES || op == VX_OP_LOW_HEIGHT || op == VX_OP_COMPACT;
    bool has_climb = op == VX_OP_LEDGES || op == VX_OP_LOW_HANGING || op == VX_OP_COMPACT;
    if (has_height && (first || !has_climb)) {
        height = VX_CHOICE_INTEGER(&draft.random, heights);
    } else {
        climb = VX_CHOICE_INTEGER(&draft.random, climbs);
    }
    if (op == VX_OP_ERODE) {
        vx_draft_step(&draft, VX_OP_COMPACT, 2, 1, 0);
        vx_draft_step(&draft, op, 0, 0, VX_CHOICE_INTEGER(&draft.random, radii));
    } else {
        vx_draft_step(&draft, op, has_height ? height : 0, has_climb ? climb : 0, 0);
    }
    return vx_draft_finish(&draft);
}
