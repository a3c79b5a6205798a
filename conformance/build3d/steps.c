/* SPDX-License-Identifier: MIT */
/* Inputs of build3d: made in C, and read from and written as "grid" and "steps" (docs/PROTOCOL.md),
 * both by the same tables of members. */
#include <assert.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build3d/build3d.h"
#include "fields.h"
#include "json.h"
#include "words.h"

/* Lists of these structs are read and written as rows of integers. */
static_assert(sizeof(vx_span) == 5 * sizeof(int64_t), "a span is five integers");
static_assert(sizeof(vx_run) == 5 * sizeof(int64_t), "a run is five integers");
static_assert(sizeof(vx_material_area) == 2 * sizeof(int64_t), "a pair of integers");

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define OP                                                                                         \
    {                                                                                              \
        .name = "op", .kind = VX_FIELD_TAG                                                         \
    }
#define SCALAR(kind_, name_, member)                                                               \
    {                                                                                              \
        .name = (name_), .kind = (kind_), .optional = true, .offset = offsetof(vx_step, member)    \
    }
#define NEEDED(kind_, name_, width_, member)                                                       \
    {                                                                                              \
        .name = (name_), .kind = (kind_), .width = (width_), .offset = offsetof(vx_step, member)   \
    }
#define LIST(kind_, name_, optional_, width_, member, count)                                       \
    {                                                                                              \
        .name = (name_), .kind = (kind_), .optional = (optional_), .width = (width_),              \
        .offset = offsetof(vx_step, member), .count_offset = offsetof(vx_step, count)              \
    }

static const vx_field rasterize_fields[] = {
    OP,
    LIST(VX_FIELD_NUMBER_LIST, "vertices", false, 0, mesh.vertices, mesh.vertex_values),
    LIST(VX_FIELD_INTEGER_LIST, "indices", false, 0, mesh.indices, mesh.index_count),
    LIST(VX_FIELD_INTEGER_LIST, "areas", true, 0, mesh.areas, mesh.area_count),
    SCALAR(VX_FIELD_FLOAT, "slopeCosine", mesh.slope_cosine),
    SCALAR(VX_FIELD_INTEGER, "mergeThreshold", mesh.merge_threshold)};

static const vx_field add_spans_fields[] = {
    OP, LIST(VX_FIELD_INTEGER_ROWS, "spans", false, 5, list.spans, list.count),
    SCALAR(VX_FIELD_INTEGER, "mergeThreshold", list.merge_threshold)};

static const vx_field height_grid_fields[] = {
    OP,
    NEEDED(VX_FIELD_NUMBERS, "origin", 2, grid.origin),
    NEEDED(VX_FIELD_NUMBER, "spacing", 0, grid.spacing),
    NEEDED(VX_FIELD_INTEGERS, "count", 2, grid.count),
    LIST(VX_FIELD_NUMBER_LIST, "heights", false, 0, grid.heights, grid.height_count),
    SCALAR(VX_FIELD_FLOAT, "slopeCosine", grid.slope_cosine),
    SCALAR(VX_FIELD_INTEGER, "mergeThreshold", grid.merge_threshold)};

#define CHUNK_START                                                                                \
    OP, NEEDED(VX_FIELD_INTEGERS, "offset", 3, chunk.offset),                                      \
        NEEDED(VX_FIELD_INTEGERS, "size", 3, chunk.size)
#define CHUNK_END                                                                                  \
    LIST(VX_FIELD_INTEGER_MAP, "materialAreas", true, 2, chunk.material_areas,                     \
         chunk.material_area_count)

static const vx_field chunk_runs_fields[] = {
    CHUNK_START, LIST(VX_FIELD_INTEGER_ROWS, "runs", false, 5, chunk.runs, chunk.run_count),
    CHUNK_END};

static const vx_field chunk_dense_fields[] = {
    CHUNK_START, LIST(VX_FIELD_INTEGER_LIST, "dense", false, 0, chunk.dense, chunk.dense_count),
    CHUNK_END};

static const vx_field climb_fields[] = {OP, SCALAR(VX_FIELD_INTEGER, "climb", climb)};

static const vx_field height_fields[] = {OP, SCALAR(VX_FIELD_INTEGER, "height", height)};

static const vx_field height_climb_fields[] = {OP, SCALAR(VX_FIELD_INTEGER, "height", height),
                                               SCALAR(VX_FIELD_INTEGER, "climb", climb)};

static const vx_field radius_fields[] = {OP, SCALAR(VX_FIELD_INTEGER, "radius", radius)};

static const vx_field volume_fields[] = {
    OP, LIST(VX_FIELD_NUMBER_ROWS, "corners", false, 2, volume.corners, volume.corner_count),
    NEEDED(VX_FIELD_NUMBER, "minY", 0, volume.min_y),
    NEEDED(VX_FIELD_NUMBER, "maxY", 0, volume.max_y),
    NEEDED(VX_FIELD_INTEGER, "area", 0, volume.area)};

/* A step's name, its members and what they are when absent (SPEC B10.1). */
static const struct {
    const char *name;
    vx_field_table members;
    vx_step defaults;
} ops[VX_OP_COUNT] = {
    [VX_OP_RASTERIZE] = {"rasterize",
                         {rasterize_fields, COUNT(rasterize_fields)},
                         {.mesh = {.slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                                   .merge_threshold = VX_DEFAULT_MERGE_THRESHOLD}}},
    [VX_OP_ADD_SPANS] = {"addSpans",
                         {add_spans_fields, COUNT(add_spans_fields)},
                         {.list = {.merge_threshold = VX_DEFAULT_MERGE_THRESHOLD}}},
    [VX_OP_HEIGHT_GRID] = {"heightGrid",
                           {height_grid_fields, COUNT(height_grid_fields)},
                           {.grid = {.slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                                     .merge_threshold = VX_DEFAULT_MERGE_THRESHOLD}}},
    [VX_OP_CHUNK] = {"chunk", {chunk_runs_fields, COUNT(chunk_runs_fields)}, {0}},
    [VX_OP_LOW_HANGING] = {"lowHanging",
                           {climb_fields, COUNT(climb_fields)},
                           {.climb = VX_DEFAULT_CLIMB}},
    [VX_OP_LEDGES] = {"ledges",
                      {height_climb_fields, COUNT(height_climb_fields)},
                      {.height = VX_DEFAULT_HEIGHT, .climb = VX_DEFAULT_CLIMB}},
    [VX_OP_LOW_HEIGHT] = {"lowHeight",
                          {height_fields, COUNT(height_fields)},
                          {.height = VX_DEFAULT_HEIGHT}},
    [VX_OP_COMPACT] = {"compact",
                       {height_climb_fields, COUNT(height_climb_fields)},
                       {.height = VX_DEFAULT_HEIGHT, .climb = VX_DEFAULT_CLIMB}},
    [VX_OP_ERODE] = {"erode", {radius_fields, COUNT(radius_fields)}, {.radius = VX_DEFAULT_RADIUS}},
    [VX_OP_VOLUME] = {"volume", {volume_fields, COUNT(volume_fields)}, {0}}};

/* A chunk has either runs or a dense array. */
static const vx_field_table chunk_dense_table = {chunk_dense_fields, COUNT(chunk_dense_fields)};

static const vx_field_table *members_of(const vx_step *step)
{
    return step->op == VX_OP_CHUNK && step->chunk.is_dense ? &chunk_dense_table
                                                           : &ops[step->op].members;
}

const char *vx_build3d_op_name(vx_op op)
{
    return ops[op].name;
}

/* --- making inputs -----------------------------------------------------------------------------
 */

vx_input *vx_build3d_input_new(const vx_frame *frame)
{
    enum { BLOCK_BYTES = 500 }; /* most inputs are small; a large array gets a block of its own */
    vx_input *input = vx_must_alloc(1, sizeof *input);
    input->frame = *frame;
    vx_arena_init_growable(&input->arena, BLOCK_BYTES, SIZE_MAX);
    return input;
}

void vx_build3d_input_free(vx_input *input)
{
    if (input != NULL) {
        vx_arena_free(&input->arena);
        free(input->steps);
        free(input);
    }
}

void *vx_build3d_input_alloc(vx_input *input, size_t count, size_t size)
{
    void *memory = vx_must_arena_alloc(&input->arena, count, size);
    return memset(memory, 0, count * size);
}

void vx_build3d_take_step(vx_input *input, const vx_step *step)
{
    if (input->step_count == input->step_capacity) {
        input->step_capacity = input->step_capacity > 0 ? 2 * input->step_capacity : 4;
        input->steps = vx_must_realloc(input->steps, input->step_capacity, sizeof *step);
    }
    input->steps[input->step_count++] = *step;
}

void vx_build3d_add_step(vx_input *input, const vx_step *step)
{
    vx_build3d_take_step(input, step);
    vx_fields_copy_lists(members_of(step), &input->steps[input->step_count - 1], &input->arena);
}

/* --- the grid ----------------------------------------------------------------------------------
 */

#define FRAME(kind_, name_, width_, member)                                                        \
    {                                                                                              \
        .name = (name_), .kind = (kind_), .width = (width_), .offset = offsetof(vx_frame, member)  \
    }
#define CELLS                                                                                      \
    FRAME(VX_FIELD_FLOAT, "cellSize", 0, cell_size),                                               \
        FRAME(VX_FIELD_FLOAT, "cellHeight", 0, cell_height)

static const vx_field explicit_fields[] = {FRAME(VX_FIELD_NUMBERS, "origin", 3, origin), CELLS,
                                           FRAME(VX_FIELD_INTEGERS, "size", 3, size)};
static const vx_field_table explicit_grid = {explicit_fields, COUNT(explicit_fields)};

static const vx_field bounded_fields[] = {{.name = "bounds", .kind = VX_FIELD_TAG}, CELLS};
static const vx_field_table bounded_grid = {bounded_fields, COUNT(bounded_fields)};

static const vx_field bounds_fields[] = {FRAME(VX_FIELD_NUMBERS, "min", 3, min),
                                         FRAME(VX_FIELD_NUMBERS, "max", 3, max)};
static const vx_field_table bounds_table = {bounds_fields, COUNT(bounds_fields)};

static bool read_grid(json_t *grid, vx_frame *frame, vx_problem *problem)
{
    json_t *bounds = json_object_get(grid, "bounds");
    if (bounds == NULL) {
        return vx_fields_read(&explicit_grid, grid, frame, NULL, NULL, problem);
    }
    frame->from_bounds = 1;
    size_t before = vx_problem_enter(problem, "bounds");
    if (!vx_fields_read(&bounds_table, bounds, frame, NULL, NULL, problem)) {
        return false;
    }
    vx_problem_leave(problem, before);
    return vx_fields_read(&bounded_grid, grid, frame, NULL, NULL, problem);
}

static void write_grid(const vx_frame *frame, vx_text *text)
{
    if (frame->from_bounds) {
        vx_text_add(text, "\"bounds\":{");
        vx_fields_write(&bounds_table, frame, 0, NULL, text);
        vx_text_add_char(text, '}');
    }
    vx_fields_write(frame->from_bounds ? &bounded_grid : &explicit_grid, frame, 0, NULL, text);
}

/* --- the steps ---------------------------------------------------------------------------------
 */

/* An op that there is not: the problem names the one that is spelt most like it, if that is not too
 * far away. */
static bool suggest_op(json_t *name, vx_problem *problem)
{
    const char *word = json_string_value(name);
    unsigned best = 0;
    for (unsigned i = 1; i < VX_OP_COUNT; i++) {
        if (vx_word_distance(ops[i].name, word) < vx_word_distance(ops[best].name, word)) {
            best = i;
        }
    }
    char needed[96];
    bool near = vx_word_distance(ops[best].name, word) <= strlen(ops[best].name) / 2;
    (void)snprintf(needed, sizeof needed, "the name of a step of build3d%s%s%s",
                   near ? " (the nearest is " : "", near ? ops[best].name : "", near ? ")" : "");
    return vx_json_wrong(name, needed, problem);
}

static bool read_op(json_t *step, vx_op *op, vx_problem *problem)
{
    if (!vx_json_is_object(step, problem)) {
        return false;
    }
    json_t *name = json_object_get(step, "op");
    if (name == NULL) {
        return vx_json_missing("op", problem);
    }
    for (unsigned i = 0; json_is_string(name) && i < VX_OP_COUNT; i++) {
        if (strcmp(json_string_value(name), ops[i].name) == 0) {
            *op = (vx_op)i;
            return true;
        }
    }
    (void)vx_problem_enter(problem, "op");
    return json_is_string(name) ? suggest_op(name, problem)
                                : vx_json_wrong(name, "the name of a step of build3d", problem);
}

/* Solid steps stand before compact, compact ones behind it, and compact once. */
static bool check_place(vx_op op, bool compacted, vx_problem *problem)
{
    if (op > VX_OP_COMPACT && !compacted) {
        return vx_problem_set(problem,
                              "%s works on the compact heightfield: it must stand behind "
                              "a compact step",
                              ops[op].name);
    }
    if (op == VX_OP_COMPACT && compacted) {
        return vx_problem_set(problem, "compact may stand only once");
    }
    if (op < VX_OP_COMPACT && compacted) {
        return vx_problem_set(problem,
                              "%s works on the solid heightfield: it must stand before "
                              "the compact step",
                              ops[op].name);
    }
    return true;
}

static bool read_step(json_t *json, bool *compacted, vx_input *input, vx_problem *problem)
{
    vx_op op = VX_OP_RASTERIZE;
    if (!read_op(json, &op, problem) || !check_place(op, *compacted, problem)) {
        return false;
    }
    vx_step step = ops[op].defaults;
    step.op = op;
    if (op == VX_OP_CHUNK && json_object_get(json, "dense") != NULL) {
        if (json_object_get(json, "runs") != NULL) {
            return vx_problem_set(problem, "both runs and dense are given");
        }
        step.chunk.is_dense = 1;
    }
    if (!vx_fields_read(members_of(&step), json, &step, &input->arena, &step.absent, problem)) {
        return false;
    }
    *compacted = *compacted || op == VX_OP_COMPACT;
    vx_build3d_take_step(input, &step);
    return true;
}

static bool read_steps(json_t *steps, vx_input *input, vx_problem *problem)
{
    if (!vx_json_is_array(steps, SIZE_MAX, problem)) {
        return false;
    }
    bool compacted = false;
    for (size_t i = 0; i < json_array_size(steps); i++) {
        size_t before = vx_problem_enter_index(problem, i);
        if (!read_step(json_array_get(steps, i), &compacted, input, problem)) {
            return false;
        }
        vx_problem_leave(problem, before);
    }
    return true;
}

bool vx_build3d_read(json_t *grid, json_t *steps, vx_input **input, vx_problem *problem)
{
    vx_frame frame = {0};
    size_t before = vx_problem_enter(problem, "grid");
    if (!read_grid(grid, &frame, problem)) {
        return false;
    }
    vx_problem_leave(problem, before);
    vx_input *result = vx_build3d_input_new(&frame);
    before = vx_problem_enter(problem, "steps");
    if (!read_steps(steps, result, problem)) {
        vx_build3d_input_free(result);
        return false;
    }
    vx_problem_leave(problem, before);
    *input = result;
    return true;
}

void vx_build3d_write(const vx_input *input, vx_text *text)
{
    vx_text_add(text, "\"grid\":{");
    write_grid(&input->frame, text);
    vx_text_add(text, "},\"steps\":[");
    for (size_t i = 0; i < input->step_count; i++) {
        const vx_step *step = &input->steps[i];
        vx_text_add(text, i > 0 ? ",{\"op\":" : "{\"op\":");
        vx_text_add_json_string(text, ops[step->op].name);
        vx_fields_write(members_of(step), step, step->absent, &ops[step->op].defaults, text);
        vx_text_add_char(text, '}');
    }
    vx_text_add_char(text, ']');
}

/* --- digests -----------------------------------------------------------------------------------
 */

void vx_build3d_digest_frame(const vx_frame *frame, struct sha256_ctx *context)
{
    sha256_update(context, sizeof frame->from_bounds, (const uint8_t *)&frame->from_bounds);
    vx_fields_digest(&explicit_grid, frame, context);
    vx_fields_digest(&bounds_table, frame, context);
}

void vx_build3d_digest_step(const vx_step *step, struct sha256_ctx *context)
{
    int dense = step->op == VX_OP_CHUNK ? step->chunk.is_dense : 0;
    sha256_update(context, sizeof dense, (const uint8_t *)&dense);
    vx_fields_digest(members_of(step), step, context);
}

void vx_build3d_digest(const vx_input *input, char hex[VX_SHA256_HEX])
{
    struct sha256_ctx context;
    sha256_init(&context);
    vx_build3d_digest_frame(&input->frame, &context);
    for (size_t i = 0; i < input->step_count; i++) {
        vx_build3d_digest_step(&input->steps[i], &context);
    }
    vx_sha256_hex(&context, hex);
}
