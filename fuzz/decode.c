/* SPDX-License-Identifier: MIT */
/* Decodes bytes to cases: the tables of what decides something, and the steps. */
#include "fuzz/decode.h"

#include <math.h>
#include <string.h>

#include "fuzz/values.h"

typedef struct reader {
    const uint8_t *bytes;
    size_t size, at;
    vx_layout *layout;
    vx_input *input;
    bool literal;    /* of the step that is being read */
    int64_t W, D, H; /* to fit to */
} reader;

/* --- bytes and marks ----------------------------------------------------------------------------
 */

static uint8_t take_byte(reader *in)
{
    return in->at < in->size ? in->bytes[in->at++] : 0;
}

static void mark(const reader *in, vx_mark_kind kind, size_t start, size_t counter)
{
    vx_layout *layout = in->layout;
    if (layout != NULL && layout->count < VX_LAYOUT_MARKS && in->at > start) {
        layout->marks[layout->count++] = (vx_mark){kind, start, in->at, counter};
    }
}

static uint64_t take_raw(reader *in)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < 64; i += 8) {
        bits |= (uint64_t)take_byte(in) << i;
    }
    return bits;
}

/* --- scalars ------------------------------------------------------------------------------------
 */

/* value, or what of [min, max] stands in its place. */
static int64_t fit(const reader *in, int64_t value, int64_t min, int64_t max)
{
    if (in->literal || max < min || (value >= min && value <= max)) {
        return value;
    }
    uint64_t width = (uint64_t)max - (uint64_t)min + 1;
    return min + (int64_t)(((uint64_t)value - (uint64_t)min) % (width > 0 ? width : 1));
}

static int64_t take_any_integer(reader *in)
{
    uint8_t byte = take_byte(in);
    if (byte < VX_INTEGER_NEGATIVE) {
        return byte;
    }
    if (byte < VX_INTEGER_LIMIT) {
        return VX_INTEGER_NEGATIVE - 1 - byte;
    }
    if (byte < VX_INTEGER_RAW) {
        return vx_fuzz_integers[(byte - VX_INTEGER_LIMIT) % VX_FUZZ_INTEGERS];
    }
    uint64_t bits = take_raw(in);
    int64_t value;
    memcpy(&value, &bits, sizeof value);
    /* docs/PROTOCOL.md: integers lie within ±2^53. */
    bool fits = value >= -VX_FUZZ_INTEGER_MAX && value <= VX_FUZZ_INTEGER_MAX;
    return fits ? value : value % VX_FUZZ_INTEGER_MAX;
}

static int64_t take_integer(reader *in, int64_t min, int64_t max)
{
    size_t start = in->at;
    int64_t value = fit(in, take_any_integer(in), min, max);
    mark(in, VX_MARK_INTEGER, start, 0);
    return value;
}

/* The number behind its first byte, without sign and steps. */
static double take_magnitude(reader *in, uint8_t kind)
{
    double a = 0;
    if (kind == VX_NUMBER_RAW) {
        uint64_t bits = take_raw(in);
        memcpy(&a, &bits, sizeof a);
        return a;
    }
    uint8_t byte = take_byte(in);
    a = byte;
    switch (kind) {
    case VX_NUMBER_HALF:
        return a / 2;
    case VX_NUMBER_SIXTEENTH:
        return a / 16;
    case VX_NUMBER_POWER:
        return ldexp(1, byte - 160);
    case VX_NUMBER_DECIMAL:
        return a / 10;
    case VX_NUMBER_FINE:
        return (a + 256.0 * take_byte(in)) / 1000;
    case VX_NUMBER_LIMIT:
        return vx_fuzz_numbers[byte % VX_FUZZ_NUMBERS];
    default:
        return a;
    }
}

static double limited(double value)
{
    return isnan(value) ? 0 : fmin(fmax(value, -VX_COORDINATE_LIMIT), VX_COORDINATE_LIMIT);
}

/* A number in cells of that size from the origin, or in the world's units. */
static double take_number(reader *in, double origin, double cell)
{
    static const int64_t steps[] = {0, 0, 0, 0, 1, -1, 2, -2};
    size_t start = in->at;
    uint8_t first = take_byte(in);
    double value = take_magnitude(in, first & VX_NUMBER_KIND);
    int64_t step = steps[(first & VX_NUMBER_STEP) >> VX_NUMBER_STEP_SHIFT];
    if (step != 0) {
        value = (double)vx_step_float((float)value, step);
    }
    if ((first & VX_NUMBER_NEGATIVE) != 0) {
        value = -value;
    }
    if ((first & VX_NUMBER_WORLD) == 0) {
        value = origin + value * cell;
    }
    mark(in, VX_MARK_NUMBER, start, 0);
    return in->literal ? value : limited(value);
}

/* The same as a coordinate of the world; axis 0, 1, 2 is x, y, z. */
static double take_coordinate(reader *in, size_t axis)
{
    const vx_frame *frame = &in->input->frame;
    const double *origin = frame->from_bounds ? frame->min : frame->origin;
    float cell = axis == 1 ? frame->cell_height : frame->cell_size;
    return take_number(in, origin[axis], (double)cell);
}

static float take_float(reader *in)
{
    double value = take_number(in, 0, 1);
    return (float)value;
}

static int64_t take_area(reader *in)
{
    return take_integer(in, 0, VX_AREA_MAX);
}

static int64_t take_rows(reader *in, int64_t min)
{
    return take_integer(in, min, VX_ROWS_MAX);
}

static void *allocate(reader *in, size_t count, size_t size)
{
    return vx_build3d_input_alloc(in->input, count, size);
}

/* --- the frame ----------------------------------------------------------------------------------
 */

bool vx_fuzz_is_affordable(const vx_frame *frame)
{
    double width = (double)frame->size[0];
    double depth = (double)frame->size[1];
    if (frame->from_bounds) {
        bool is_cell = frame->cell_size >= VX_CELL_MIN && frame->cell_size <= VX_CELL_MAX;
        double cell = is_cell ? (double)frame->cell_size : 1;
        width = is_cell ? ceil((frame->max[0] - frame->min[0]) / cell) : 0;
        depth = is_cell ? ceil((frame->max[2] - frame->min[2]) / cell) : 0;
    }
    bool is_legal = width >= 1 && depth >= 1 && width <= VX_SIZE_MAX && depth <= VX_SIZE_MAX &&
                    width * depth <= VX_COLUMNS_MAX;
    return !is_legal || width * depth <= VX_FUZZ_COLUMNS;
}

static float take_cell(reader *in)
{
    float cell = take_float(in);
    bool is_legal = cell >= VX_CELL_MIN && cell <= VX_CELL_MAX;
    return in->literal || is_legal ? cell : 1;
}

static void take_bounds(reader *in, vx_frame *frame)
{
    for (size_t axis = 0; axis < 3; axis++) {
        double cell = (double)(axis == 1 ? frame->cell_height : frame->cell_size);
        double min = frame->min[axis] = take_number(in, 0, cell);
        double max = take_number(in, min, cell);
        double extent = fmin(fabs(max - min), 16 * cell);
        frame->max[axis] = in->literal ? max : min + (extent > 0 ? extent : cell);
    }
}

static int64_t bounded(int64_t size, int64_t max)
{
    return size < 1 ? 1 : size > max ? max : size;
}

static void take_frame(reader *in)
{
    vx_frame *frame = &in->input->frame;
    *frame = (vx_frame){.cell_size = 1};
    uint8_t flags = take_byte(in);
    in->literal = (flags & VX_STEP_LITERAL) != 0;
    frame->from_bounds = (flags & VX_STEP_GIVEN) != 0;
    frame->cell_size = take_cell(in);
    frame->cell_height = take_cell(in);
    if (frame->from_bounds) {
        take_bounds(in, frame);
        in->W = in->D = 16;
        in->H = 64;
        return;
    }
    for (size_t axis = 0; axis < 3; axis++) {
        double cell = (double)(axis == 1 ? frame->cell_height : frame->cell_size);
        frame->origin[axis] = take_number(in, 0, cell);
    }
    frame->size[0] = take_integer(in, 1, 16);
    frame->size[1] = take_integer(in, 1, 16);
    frame->size[2] = take_integer(in, 1, VX_HEIGHT_MAX);
    in->W = bounded(frame->size[0], VX_SIZE_MAX);
    in->D = bounded(frame->size[1], VX_SIZE_MAX);
    in->H = bounded(frame->size[2], VX_HEIGHT_MAX);
}

/* --- steps with lists ---------------------------------------------------------------------------
 */

static double *take_vertices(reader *in, size_t *values)
{
    size_t counter = in->at;
    size_t count = take_byte(in);
    double *vertices = allocate(in, 3 * count, sizeof *vertices);
    for (size_t i = 0; i < count; i++) {
        size_t start = in->at;
        for (size_t axis = 0; axis < 3; axis++) {
            vertices[3 * i + axis] = take_coordinate(in, axis);
        }
        mark(in, VX_MARK_VERTEX, start, counter);
    }
    *values = 3 * count;
    return vertices;
}

/* What a list has too many or too few of. */
static size_t changed(reader *in, size_t count)
{
    int64_t change = take_integer(in, -2, 2);
    return change < 0 && change >= -2 && count >= (size_t)-change ? count - (size_t)-change : count;
}

static void take_mesh(reader *in, uint8_t flags, vx_mesh *mesh)
{
    mesh->vertices = take_vertices(in, &mesh->vertex_values);
    int64_t last = (int64_t)(mesh->vertex_values / 3) - 1;
    size_t counter = in->at;
    size_t count = take_byte(in);
    bool given = (flags & VX_STEP_GIVEN) != 0;
    int64_t *indices = allocate(in, 3 * count, sizeof *indices);
    int64_t *areas = given ? allocate(in, count, sizeof *areas) : NULL;
    if (last < 0 && !in->literal) {
        count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        size_t start = in->at;
        for (size_t k = 0; k < 3; k++) {
            indices[3 * i + k] = take_integer(in, 0, last);
        }
        if (given) {
            areas[i] = take_area(in);
        }
        mark(in, VX_MARK_TRIANGLE, start, counter);
    }
    mesh->indices = indices;
    mesh->index_count = 3 * count;
    mesh->areas = areas;
    mesh->area_count = given ? count : 0;
    if (in->literal) {
        mesh->vertex_values = changed(in, mesh->vertex_values);
        mesh->index_count = changed(in, mesh->index_count);
        mesh->area_count = given ? changed(in, mesh->area_count) : 0;
    }
    mesh->slope_cosine = take_float(in);
    mesh->merge_threshold = take_rows(in, 0);
}

/* Spans from the first column on, two bytes each: how many rows above the one before, or in the
 * next column; how high, and of what area. */
static size_t take_floors(reader *in, vx_span *spans, size_t counter)
{
    int64_t column = 0;
    int64_t top = 0;
    size_t count = in->bytes != NULL && counter < in->size ? in->bytes[counter] : 0;
    size_t made = 0;
    for (size_t i = 0; i < count && column < in->W * in->D; i++) {
        size_t start = in->at;
        uint8_t place = take_byte(in);
        uint8_t what = take_byte(in);
        bool is_above = (place & 3) == 0;
        column += is_above ? 0 : place & 1 ? 1 : 2;
        int64_t min = (is_above ? top : 0) + (place >> 2);
        int64_t max = min + 1 + (what & 3);
        if (column < in->W * in->D && max <= in->H) {
            spans[made++] = (vx_span){column % in->W, column / in->W, min, max,
                                      (what & 12) == 0 ? 0 : what >> 2};
            top = max;
        }
        mark(in, VX_MARK_ITEM, start, counter);
    }
    return made;
}

static void take_spans(reader *in, uint8_t flags, vx_span_list *list)
{
    size_t counter = in->at;
    size_t count = take_byte(in);
    vx_span *spans = allocate(in, count, sizeof *spans);
    if ((flags & VX_STEP_SHAPE) == VX_SHAPE_FLOORS) {
        count = take_floors(in, spans, counter);
    } else {
        for (size_t i = 0; i < count; i++) {
            size_t start = in->at;
            spans[i].x = take_integer(in, 0, in->W - 1);
            spans[i].z = take_integer(in, 0, in->D - 1);
            spans[i].min = take_integer(in, 0, in->H - 1);
            spans[i].max = take_integer(in, spans[i].min + 1, in->H);
            spans[i].area = take_area(in);
            mark(in, VX_MARK_ITEM, start, counter);
        }
    }
    list->spans = spans;
    list->count = count;
    list->merge_threshold = take_rows(in, 0);
}

static void take_heights(reader *in, vx_height_grid *grid)
{
    grid->origin[0] = take_coordinate(in, 0);
    grid->origin[1] = take_coordinate(in, 2);
    double cell = (double)in->input->frame.cell_size;
    grid->spacing = take_number(in, 0, cell);
    if (!in->literal && !(grid->spacing > 0 && grid->spacing <= 16 * cell)) {
        grid->spacing = cell;
    }
    grid->count[0] = take_integer(in, 2, 6);
    grid->count[1] = take_integer(in, 2, 6);
    bool is_small =
        grid->count[0] > 0 && grid->count[0] <= 16 && grid->count[1] > 0 && grid->count[1] <= 16;
    size_t count = is_small ? (size_t)(grid->count[0] * grid->count[1]) : 4;
    double *heights = allocate(in, count, sizeof *heights);
    for (size_t i = 0; i < count; i++) {
        heights[i] = take_coordinate(in, 1);
    }
    grid->heights = heights;
    grid->height_count = in->literal ? changed(in, count) : count;
    grid->slope_cosine = take_float(in);
    grid->merge_threshold = take_rows(in, 0);
}

/* --- chunks -------------------------------------------------------------------------------------
 */

enum { CHUNK = 8, DENSE = 16 };

/* Runs that are legal, as far as they are not literal. */
static void take_runs(reader *in, vx_chunk *chunk)
{
    size_t counter = in->at;
    size_t count = take_byte(in);
    size_t made = 0;
    vx_run *runs = allocate(in, count, sizeof *runs);
    int64_t tops[CHUNK * CHUNK] = {0};
    for (size_t i = 0; i < count; i++) {
        size_t start = in->at;
        vx_run *run = &runs[made];
        run->x = take_integer(in, 0, chunk->size[0] - 1);
        run->z = take_integer(in, 0, chunk->size[1] - 1);
        run->start = take_integer(in, 0, 255);
        run->length = take_integer(in, 1, 255);
        run->material = take_integer(in, 1, 255);
        mark(in, VX_MARK_ITEM, start, counter);
        if (!in->literal) {
            int64_t *top = &tops[run->x + CHUNK * run->z];
            run->start = *top + run->start % 4;
            run->length = 1 + run->length % 4;
            *top = run->start + run->length;
            made += *top <= chunk->size[2];
        } else {
            made++;
        }
    }
    chunk->runs = runs;
    chunk->run_count = made;
}

static void take_dense(reader *in, vx_chunk *chunk)
{
    bool is_small = true;
    for (size_t i = 0; i < 3; i++) {
        is_small = is_small && chunk->size[i] > 0 && chunk->size[i] <= DENSE;
    }
    size_t count = is_small ? (size_t)(chunk->size[0] * chunk->size[1] * chunk->size[2]) : 1;
    int64_t *cells = allocate(in, count, sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        cells[i] = in->literal ? take_any_integer(in) : take_byte(in);
    }
    chunk->dense = cells;
    chunk->dense_count = in->literal ? changed(in, count) : count;
}

/* A table names no material twice (build3d.h); an entry that would is left out. */
static void take_materials(reader *in, uint8_t flags, vx_chunk *chunk)
{
    if ((flags & VX_STEP_PLAIN) != 0) {
        return;
    }
    size_t counter = in->at;
    size_t count = take_byte(in);
    vx_material_area *areas = allocate(in, count, sizeof *areas);
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        size_t start = in->at;
        areas[made].material = take_integer(in, 1, 255);
        areas[made].area = take_area(in);
        mark(in, VX_MARK_ITEM, start, counter);
        size_t same = 0;
        while (areas[same].material != areas[made].material) {
            same++;
        }
        made += same == made;
    }
    chunk->material_areas = areas;
    chunk->material_area_count = made;
}

static void take_chunk(reader *in, uint8_t flags, vx_chunk *chunk)
{
    chunk->offset[0] = take_integer(in, -CHUNK, in->W + CHUNK);
    chunk->offset[1] = take_integer(in, -CHUNK, in->H + CHUNK);
    chunk->offset[2] = take_integer(in, -CHUNK, in->D + CHUNK);
    for (size_t i = 0; i < 3; i++) {
        chunk->size[i] = take_integer(in, 1, CHUNK);
    }
    chunk->is_dense = (flags & VX_STEP_GIVEN) != 0;
    if (chunk->is_dense) {
        take_dense(in, chunk);
    } else {
        take_runs(in, chunk);
    }
    take_materials(in, flags, chunk);
}

/* --- volumes ------------------------------------------------------------------------------------
 */

/* Shapes that are convex whatever the numbers are: three corners, a box, a box without corners. */
static size_t take_shape(reader *in, unsigned shape, double *corners)
{
    double a[4];
    for (size_t i = 0; i < 4; i++) {
        a[i] = take_coordinate(in, i % 2 == 0 ? 0 : 2);
    }
    if (shape == VX_SHAPE_TRIANGLE) {
        memcpy(corners, a, sizeof a);
        corners[4] = take_coordinate(in, 0);
        corners[5] = take_coordinate(in, 2);
        return 3;
    }
    if (shape == VX_SHAPE_BOX) {
        const double box[] = {a[0], a[1], a[2], a[1], a[2], a[3], a[0], a[3]};
        memcpy(corners, box, sizeof box);
        return 4;
    }
    double x = (a[2] - a[0]) / 4;
    double z = (a[3] - a[1]) / 4;
    const double octagon[] = {a[0] + x, a[1], a[2] - x, a[1], a[2], a[1] + z, a[2], a[3] - z,
                              a[2] - x, a[3], a[0] + x, a[3], a[0], a[3] - z, a[0], a[1] + z};
    memcpy(corners, octagon, sizeof octagon);
    return 8;
}

static void take_volume(reader *in, uint8_t flags, vx_volume *volume)
{
    unsigned shape = flags & VX_STEP_SHAPE;
    size_t counter = in->at;
    size_t count = shape == VX_SHAPE_LIST ? take_byte(in) + (in->literal ? 0u : 3u) : 8;
    double *corners = allocate(in, 2 * count, sizeof *corners);
    if (shape == VX_SHAPE_LIST) {
        for (size_t i = 0; i < count; i++) {
            size_t start = in->at;
            corners[2 * i] = take_coordinate(in, 0);
            corners[2 * i + 1] = take_coordinate(in, 2);
            mark(in, VX_MARK_ITEM, start, counter);
        }
    } else {
        count = take_shape(in, shape, corners);
    }
    volume->corners = corners;
    volume->corner_count = count;
    volume->min_y = take_coordinate(in, 1);
    volume->max_y = take_coordinate(in, 1);
    if (!in->literal && volume->min_y > volume->max_y) {
        double low = volume->max_y;
        volume->max_y = volume->min_y;
        volume->min_y = low;
    }
    volume->area = take_area(in);
}

/* --- steps --------------------------------------------------------------------------------------
 */

static void take_step(reader *in, vx_op op, vx_step *step)
{
    uint8_t flags = take_byte(in);
    in->literal = (flags & VX_STEP_LITERAL) != 0;
    *step = (vx_step){.op = op};
    switch (op) {
    case VX_OP_RASTERIZE:
        take_mesh(in, flags, &step->mesh);
        break;
    case VX_OP_ADD_SPANS:
        take_spans(in, flags, &step->list);
        break;
    case VX_OP_HEIGHT_GRID:
        take_heights(in, &step->grid);
        break;
    case VX_OP_CHUNK:
        take_chunk(in, flags, &step->chunk);
        break;
    case VX_OP_LOW_HANGING:
        step->climb = take_rows(in, 0);
        break;
    case VX_OP_LEDGES:
    case VX_OP_COMPACT:
        step->height = take_rows(in, 1);
        step->climb = take_rows(in, 0);
        break;
    case VX_OP_LOW_HEIGHT:
        step->height = take_rows(in, 1);
        break;
    case VX_OP_ERODE:
        step->radius = take_integer(in, 0, VX_RADIUS_MAX);
        break;
    case VX_OP_VOLUME:
        take_volume(in, flags, &step->volume);
        break;
    }
}

size_t vx_fuzz_choices(unsigned ops, bool is_compact, vx_op choices[VX_OP_COUNT])
{
    size_t count = 0;
    unsigned first = is_compact ? VX_OP_ERODE : VX_OP_RASTERIZE;
    unsigned last = is_compact ? VX_OP_VOLUME : VX_OP_COMPACT;
    for (unsigned op = first; op <= last; op++) {
        if ((ops & 1u << op) != 0) {
            choices[count++] = (vx_op)op;
        }
    }
    return count;
}

const vx_input *vx_fuzz_decode(const uint8_t *bytes, size_t size, unsigned ops, vx_layout *layout)
{
    static vx_input input;
    static vx_step steps[VX_FUZZ_STEPS];
    if (input.steps == NULL) {
        vx_arena_init_growable(&input.arena, (size_t)1 << 16, SIZE_MAX);
        input.steps = steps;
        input.step_capacity = VX_FUZZ_STEPS;
    }
    vx_arena_reset(&input.arena);
    input.step_count = 0;
    reader in = {.bytes = bytes, .size = size, .layout = layout, .input = &input};
    if (layout != NULL) {
        layout->count = 0;
    }
    take_frame(&in);
    if (!vx_fuzz_is_affordable(&input.frame)) {
        return NULL;
    }
    bool is_compact = false;
    while (in.at < size && input.step_count < VX_FUZZ_STEPS) {
        vx_op choices[VX_OP_COUNT];
        size_t count = vx_fuzz_choices(ops, is_compact, choices);
        if (count == 0) {
            break;
        }
        size_t start = in.at;
        vx_op op = choices[take_byte(&in) % count];
        take_step(&in, op, &steps[input.step_count++]);
        is_compact = is_compact || op == VX_OP_COMPACT;
        mark(&in, VX_MARK_STEP, start, 0);
    }
    return &input;
}
