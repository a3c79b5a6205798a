/* SPDX-License-Identifier: MIT */
/* Makes an input of a mesh or of heights: the bounds, and the pipeline of SPEC B10.2. */
#include <math.h>
#include <string.h>

#include "build3d/build3d.h"
#include "import.h"

static const char axis_names[] = "xyz";

/* SPEC B0.5 for one coordinate; `what` and number name its owner: "vertex 12". */
static vx_status check_coordinate(const char *what, size_t number, int axis, double value,
                                  vx_error *error)
{
    if (isnan(value)) {
        return vx_fail(error, VX_ARGUMENT, "%s %zu: %c is NaN", what, number, axis_names[axis]);
    }
    if (fabs(value) > VX_COORDINATE_LIMIT) {
        return vx_fail(error, VX_OUT_OF_RANGE, "%s %zu: %c = %.17g lies beyond ±%.0f", what, number,
                       axis_names[axis], value, VX_COORDINATE_LIMIT);
    }
    return VX_OK;
}

static void widen(double min[3], double max[3], int axis, double value)
{
    min[axis] = fmin(min[axis], value);
    max[axis] = fmax(max[axis], value);
}

static vx_status mesh_bounds(const vx_import_mesh *mesh, double min[3], double max[3],
                             vx_error *error)
{
    if (mesh->triangle_count == 0) {
        return vx_fail(error, VX_ARGUMENT, "it holds no triangle");
    }
    for (size_t i = 0; i < 3 * mesh->vertex_count; i++) {
        vx_status status =
            check_coordinate("vertex", i / 3, (int)(i % 3), mesh->vertices[i], error);
        if (status != VX_OK) {
            return status;
        }
        widen(min, max, (int)(i % 3), mesh->vertices[i]);
    }
    return VX_OK;
}

/* The points lie where SPEC B4.2 puts them. */
static vx_status heights_bounds(const vx_import_heights *heights, double min[3], double max[3],
                                vx_error *error)
{
    for (int side = 0; side < 2; side++) {
        int axis = 2 * side; /* x, then z */
        int64_t last = heights->count[side] - 1;
        double end = heights->origin[side] + (double)last * heights->spacing;
        vx_status status = check_coordinate("height", 0, axis, heights->origin[side], error);
        if (status == VX_OK) {
            status = check_coordinate("height", (size_t)last, axis, end, error);
        }
        if (status != VX_OK) {
            return status;
        }
        widen(min, max, axis, heights->origin[side]);
        widen(min, max, axis, end);
    }
    size_t count = (size_t)(heights->count[0] * heights->count[1]);
    for (size_t i = 0; i < count; i++) {
        vx_status status = check_coordinate("height", i, 1, heights->heights[i], error);
        if (status != VX_OK) {
            return status;
        }
        widen(min, max, 1, heights->heights[i]);
    }
    return VX_OK;
}

/* The bounds of what is imported, one row deeper: a floor exactly at the bottom of the grid would
 * have no row to occupy (SPEC B2.26). An extent that is empty gets one cell. */
static void default_bounds(const vx_import *source, double min[3], double max[3])
{
    double sizes[3] = {(double)source->cell_size, (double)source->cell_height,
                       (double)source->cell_size};
    min[1] = fmax(min[1] - sizes[1], -VX_COORDINATE_LIMIT);
    for (int axis = 0; axis < 3; axis++) {
        if (max[axis] <= min[axis]) {
            max[axis] = fmin(max[axis] + sizes[axis], VX_COORDINATE_LIMIT);
        }
        if (max[axis] <= min[axis]) {
            min[axis] -= sizes[axis];
        }
    }
}

static vx_status given_bounds(const vx_import *source, double min[3], double max[3],
                              vx_error *error)
{
    for (int axis = 0; axis < 3; axis++) {
        min[axis] = source->min[axis];
        max[axis] = source->max[axis];
        vx_status status = check_coordinate("bound", 0, axis, min[axis], error);
        if (status == VX_OK) {
            status = check_coordinate("bound", 1, axis, max[axis], error);
        }
        if (status != VX_OK) {
            return status;
        }
        if (max[axis] <= min[axis]) {
            return vx_fail(error, VX_ARGUMENT, "the bounds are empty: %c from %.17g to %.17g",
                           axis_names[axis], min[axis], max[axis]);
        }
    }
    return VX_OK;
}

/* W, D and H of SPEC B1.6, as numbers that may be too large. */
static void frame_size(const vx_frame *frame, float cs, float ch, double size[3])
{
    double cell_size = (double)cs;
    double cell_height = (double)ch;
    size[0] = ceil((frame->max[0] - frame->min[0]) / cell_size);
    size[1] = ceil((frame->max[2] - frame->min[2]) / cell_size);
    size[2] = ceil((frame->max[1] - frame->min[1]) / cell_height);
}

static bool columns_fit(const double size[3])
{
    return size[0] <= VX_SIZE_MAX && size[1] <= VX_SIZE_MAX && size[0] * size[1] <= VX_COLUMNS_MAX;
}

/* A little more than the number, with two digits. */
static float more(float number)
{
    double least = (double)number * 1.02;
    double unit = pow(10, floor(log10(least)) - 1);
    return (float)(ceil(least / unit) * unit);
}

/* SPEC B1.3. What is too large is answered with cells that would fit. */
static vx_status check_frame(const vx_frame *frame, vx_error *error)
{
    double size[3];
    double enough[3];
    float cell_size = frame->cell_size;
    float cell_height = frame->cell_height;
    frame_size(frame, cell_size, cell_height, size);
    memcpy(enough, size, sizeof enough);
    if (columns_fit(size) && size[2] <= VX_HEIGHT_MAX) {
        return VX_OK;
    }
    while (!columns_fit(enough)) {
        cell_size = more(cell_size);
        frame_size(frame, cell_size, cell_height, enough);
    }
    while (enough[2] > VX_HEIGHT_MAX) {
        cell_height = more(cell_height);
        frame_size(frame, cell_size, cell_height, enough);
    }
    return vx_fail(error, VX_OUT_OF_RANGE,
                   "the grid would have W %.0f, D %.0f, H %.0f; at most %d, %d (W·D %d), %d; "
                   "--cell-size %.4g --cell-height %.4g would fit",
                   size[0], size[1], size[2], VX_SIZE_MAX, VX_SIZE_MAX, VX_COLUMNS_MAX,
                   VX_HEIGHT_MAX, (double)cell_size, (double)cell_height);
}

static void add_source_step(vx_input *input, const vx_import *source)
{
    vx_step step = {.op = VX_OP_RASTERIZE};
    if (source->mesh != NULL) {
        step.mesh = (vx_mesh){.vertices = source->mesh->vertices,
                              .vertex_values = 3 * source->mesh->vertex_count,
                              .indices = source->mesh->indices,
                              .index_count = 3 * source->mesh->triangle_count,
                              .slope_cosine = source->slope_cosine,
                              .merge_threshold = source->climb};
    } else {
        const vx_import_heights *heights = source->heights;
        step.op = VX_OP_HEIGHT_GRID;
        step.grid =
            (vx_height_grid){.origin = {heights->origin[0], heights->origin[1]},
                             .spacing = heights->spacing,
                             .count = {heights->count[0], heights->count[1]},
                             .heights = heights->heights,
                             .height_count = (size_t)(heights->count[0] * heights->count[1]),
                             .slope_cosine = source->slope_cosine,
                             .merge_threshold = source->climb};
    }
    vx_build3d_take_step(input, &step);
}

/* SPEC B0.12, B1.2, B2.7: the bounds of a number that an option gave. */
static vx_status check_number(const char *option, double value, double min, double max,
                              vx_error *error)
{
    if (!(value >= min && value <= max)) {
        return vx_fail(error, VX_OUT_OF_RANGE, "--%s %.9g: a number from %.9g to %.9g is needed",
                       option, value, min, max);
    }
    return VX_OK;
}

static vx_status check_numbers(const vx_import *source, vx_error *error)
{
    const struct {
        const char *option;
        double value, min, max;
    } numbers[] = {
        {"cell-size", (double)source->cell_size, (double)VX_CELL_MIN, (double)VX_CELL_MAX},
        {"cell-height", (double)source->cell_height, (double)VX_CELL_MIN, (double)VX_CELL_MAX},
        {"height", (double)source->height, 1, VX_ROWS_MAX},
        {"climb", (double)source->climb, 0, VX_ROWS_MAX},
        {"radius", (double)source->radius, 0, VX_RADIUS_MAX},
        {"slope", (double)source->slope_cosine, -1, 1}};
    vx_status status = VX_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && status == VX_OK; i++) {
        status = check_number(numbers[i].option, numbers[i].value, numbers[i].min, numbers[i].max,
                              error);
    }
    return status;
}

static vx_input *make_input(const vx_import *source, vx_error *error)
{
    vx_frame frame = {.from_bounds = 1,
                      .min = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                      .max = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                      .cell_size = source->cell_size,
                      .cell_height = source->cell_height};
    vx_status status = check_numbers(source, error);
    if (status == VX_OK) {
        status = source->mesh != NULL
                     ? mesh_bounds(source->mesh, frame.min, frame.max, error)
                     : heights_bounds(source->heights, frame.min, frame.max, error);
    }
    if (status == VX_OK && source->has_bounds) {
        status = given_bounds(source, frame.min, frame.max, error);
    } else if (status == VX_OK) {
        default_bounds(source, frame.min, frame.max);
    }
    if (status != VX_OK || check_frame(&frame, error) != VX_OK) {
        return NULL;
    }
    const vx_step filters[] = {
        {.op = VX_OP_LOW_HANGING, .climb = source->climb},
        {.op = VX_OP_LEDGES, .height = source->height, .climb = source->climb},
        {.op = VX_OP_LOW_HEIGHT, .height = source->height},
        {.op = VX_OP_COMPACT, .height = source->height, .climb = source->climb},
        {.op = VX_OP_ERODE, .radius = source->radius}};
    vx_input *input = vx_build3d_input_new(&frame);
    add_source_step(input, source);
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        vx_build3d_take_step(input, &filters[i]);
    }
    return input;
}

/* SPEC B10.1. The defaults count rows and cells; these cells make them a person of 2.0 metres, who
 * climbs 0.8 and needs 0.6 to each side. */
const vx_importer vx_build3d_importer = {.defaults = {.cell_size = 0.3f,
                                                      .cell_height = 0.2f,
                                                      .height = VX_DEFAULT_HEIGHT,
                                                      .climb = VX_DEFAULT_CLIMB,
                                                      .radius = VX_DEFAULT_RADIUS,
                                                      .slope_cosine = VX_DEFAULT_SLOPE_COSINE},
                                         .make = make_input};
