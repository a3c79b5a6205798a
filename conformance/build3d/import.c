/* SPDX-License-Identifier: MIT */
/* Makes an input of a mesh or of heights: the bounds, and the pipeline of SPEC B10.2. */
#include <math.h>
#include <string.h>

#include "build3d/build3d.h"
#include "import.h"

static const char axis_names[] = "xyz";

/* Whose coordinate it is, as messages call it, and what helps against one that is too large. */
typedef struct owner {
    const char *name, *remedy;
} owner;

static const owner vertex_owner = {"vertex", "; move the mesh nearer to the origin first"};
static const owner height_owner = {"height", ""};
static const owner place_owner = {"height", "; --origin 0,0 puts the first height there"};
static const owner bound_owner = {"bound", ""};

/* SPEC B0.5 for one coordinate; the owner and number name whose it is: "vertex 12". */
static vx_status check_coordinate(owner of, size_t number, int axis, double value, vx_error *error)
{
    if (isnan(value)) {
        return vx_fail(error, VX_ARGUMENT, "%s %zu: %c is NaN", of.name, number, axis_names[axis]);
    }
    if (fabs(value) > VX_COORDINATE_LIMIT) {
        return vx_fail(error, VX_OUT_OF_RANGE, "%s %zu: %c = %.17g lies beyond ±%.0f, ±2^21%s",
                       of.name, number, axis_names[axis], value, VX_COORDINATE_LIMIT, of.remedy);
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
            check_coordinate(vertex_owner, i / 3, (int)(i % 3), mesh->vertices[i], error);
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
        vx_status status = check_coordinate(place_owner, 0, axis, heights->origin[side], error);
        if (status == VX_OK) {
            status = check_coordinate(place_owner, (size_t)last, axis, end, error);
        }
        if (status != VX_OK) {
            return status;
        }
        widen(min, max, axis, heights->origin[side]);
        widen(min, max, axis, end);
    }
    size_t count = (size_t)(heights->count[0] * heights->count[1]);
    for (size_t i = 0; i < count; i++) {
        vx_status status = check_coordinate(height_owner, i, 1, heights->heights[i], error);
        if (status != VX_OK) {
            return status;
        }
        widen(min, max, 1, heights->heights[i]);
    }
    return VX_OK;
}

/* The bounds of what is imported. An extent that is empty, which SPEC B1.5 refuses, gets one cell:
 * upwards, or at the end of the world downwards. */
static void default_bounds(const vx_import *source, double min[3], double max[3])
{
    double sizes[3] = {(double)source->cell_size, (double)source->cell_height,
                       (double)source->cell_size};
    if (source->floor_row) {
        min[1] = fmax(min[1] - sizes[1], -VX_COORDINATE_LIMIT);
    }
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
        vx_status status = check_coordinate(bound_owner, 0, axis, min[axis], error);
        if (status == VX_OK) {
            status = check_coordinate(bound_owner, 1, axis, max[axis], error);
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

/* --- floors at the bottom of the grid --------------------------------------------------------- */

/* Whether the triangle faces up and lies exactly at v = 0, where its spans would have to go below
 * the grid and are dropped (SPEC B1.7, B1.8, B2.8, B2.26). */
static bool is_lost(const vx_frame *frame, const double *const corners[3])
{
    float local[3][3];
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            local[corner][axis] = (float)(corners[corner][axis] - frame->min[axis]);
        }
        if (local[corner][1] / frame->cell_height != 0) {
            return false;
        }
    }
    float e1[3];
    float e2[3];
    for (int axis = 0; axis < 3; axis++) {
        e1[axis] = local[1][axis] - local[0][axis];
        e2[axis] = local[2][axis] - local[0][axis];
    }
    return e1[2] * e2[0] - e1[0] * e2[2] > 0;
}

static size_t count_lost_of_mesh(const vx_frame *frame, const vx_import_mesh *mesh)
{
    size_t lost = 0;
    for (size_t k = 0; k < mesh->triangle_count; k++) {
        const double *corners[3];
        for (size_t i = 0; i < 3; i++) {
            corners[i] = &mesh->vertices[3 * (size_t)mesh->indices[3 * k + i]];
        }
        lost += is_lost(frame, corners) ? 1 : 0;
    }
    return lost;
}

/* The triangles are those of SPEC B4.3. */
static size_t count_lost_of_heights(const vx_frame *frame, const vx_import_heights *heights)
{
    size_t lost = 0;
    for (int64_t j = 0; j + 1 < heights->count[1]; j++) {
        for (int64_t i = 0; i + 1 < heights->count[0]; i++) {
            double at[4][3]; /* a, b, c, d */
            for (int64_t corner = 0; corner < 4; corner++) {
                int64_t column = i + (corner & 1);
                int64_t row = j + (corner >> 1);
                at[corner][0] = heights->origin[0] + (double)column * heights->spacing;
                at[corner][1] = heights->heights[column + row * heights->count[0]];
                at[corner][2] = heights->origin[1] + (double)row * heights->spacing;
            }
            lost += is_lost(frame, (const double *const[3]){at[0], at[2], at[3]}) ? 1 : 0;
            lost += is_lost(frame, (const double *const[3]){at[0], at[3], at[1]}) ? 1 : 0;
        }
    }
    return lost;
}

static void note_lost(const vx_import *source, const vx_frame *frame, vx_text *notes)
{
    size_t lost = source->mesh != NULL ? count_lost_of_mesh(frame, source->mesh)
                                       : count_lost_of_heights(frame, source->heights);
    if (lost > 0) {
        vx_text_format(notes,
                       "%zu triangle%s that face%s up lie%s exactly at the bottom of the grid and "
                       "leave%s no span (SPEC B2.26); --floor-row adds a row below\n",
                       lost, lost == 1 ? "" : "s", lost == 1 ? "s" : "", lost == 1 ? "s" : "",
                       lost == 1 ? "s" : "");
    }
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* SPEC B0.12 and B1.2: a number that an option gave, its bounds, and how SPEC writes them. */
typedef struct bounded {
    const char *option;
    double value, min, max;
    const char *words;
} bounded;

static vx_status check_number(const bounded *number, vx_error *error)
{
    if (number->value >= number->min && number->value <= number->max) {
        return VX_OK;
    }
    bool whole = number->value == floor(number->value) && fabs(number->value) < 0x1p53;
    return vx_fail(error, isnan(number->value) ? VX_ARGUMENT : VX_OUT_OF_RANGE,
                   whole ? "--%s %.0f: %s" : "--%s %.7g: %s", number->option, number->value,
                   number->words);
}

/* SPEC B2.7. */
static vx_status check_slope(const vx_import *source, vx_text *notes, vx_error *error)
{
    double slope = (double)source->slope_cosine;
    if (!isfinite(slope)) {
        return vx_fail(error, isnan(slope) ? VX_ARGUMENT : VX_OUT_OF_RANGE,
                       "--slope %g: a finite number is needed (SPEC B2.7), the cosine of the "
                       "steepest slope that can be walked on: 0.5 is 60 degrees",
                       slope);
    }
    if (slope > 1) {
        vx_text_format(notes, "--slope %.7g is a cosine; above 1 nothing is walkable", slope);
        if (slope > 2 && slope < 90) {
            vx_text_format(notes, "; %.7g degrees are --slope %.8g", slope,
                           cos(slope * 3.14159265358979323846 / 180));
        }
        vx_text_add(notes, "\n");
    }
    return VX_OK;
}

static vx_status check_numbers(const vx_import *source, vx_text *notes, vx_error *error)
{
    static const char cell_words[] =
        "a value in [2^-20, 2^20], ends included, is needed (SPEC B1.2)";
    static const char rows_words[] = "an integer from 0 to 2^30 is needed (SPEC B0.12)";
    const bounded numbers[] = {{"cell-size", (double)source->cell_size, (double)VX_CELL_MIN,
                                (double)VX_CELL_MAX, cell_words},
                               {"cell-height", (double)source->cell_height, (double)VX_CELL_MIN,
                                (double)VX_CELL_MAX, cell_words},
                               {"height", (double)source->height, 1, VX_ROWS_MAX,
                                "an integer from 1 to 2^30 is needed (SPEC B0.12)"},
                               {"climb", (double)source->climb, 0, VX_ROWS_MAX, rows_words},
                               {"radius", (double)source->radius, 0, VX_RADIUS_MAX,
                                "an integer from 0 to 2^20 is needed (SPEC B0.12)"}};
    vx_status status = VX_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && status == VX_OK; i++) {
        status = check_number(&numbers[i], error);
    }
    return status == VX_OK ? check_slope(source, notes, error) : status;
}

static vx_input *make_input(const vx_import *source, vx_text *notes, vx_error *error)
{
    vx_frame frame = {.from_bounds = 1,
                      .min = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                      .max = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                      .cell_size = source->cell_size,
                      .cell_height = source->cell_height};
    vx_status status = check_numbers(source, notes, error);
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
    if (!source->has_bounds) {
        note_lost(source, &frame, notes);
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
