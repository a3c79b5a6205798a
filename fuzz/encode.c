/* SPDX-License-Identifier: MIT */
/* Encodes cases to the bytes that decode to them: every vector is a seed. */
#include <math.h>
#include <string.h>

#include "fuzz/decode.h"
#include "fuzz/values.h"

typedef struct writer {
    vx_text *bytes;
    bool fits; /* no list has been too long yet */
} writer;

static void put_byte(writer *out, unsigned byte)
{
    vx_text_add_char(out->bytes, (char)byte);
}

static void put_raw(writer *out, uint64_t bits)
{
    for (unsigned i = 0; i < 64; i += 8) {
        put_byte(out, bits >> i & 255);
    }
}

static void put_count(writer *out, size_t count)
{
    out->fits = out->fits && count <= VX_FUZZ_ITEMS;
    put_byte(out, count & 255);
}

/* --- scalars ------------------------------------------------------------------------------------
 */

static void put_integer(writer *out, int64_t value)
{
    if (value >= 0 && value < VX_INTEGER_NEGATIVE) {
        put_byte(out, (unsigned)value);
        return;
    }
    if (value < 0 && value >= VX_INTEGER_NEGATIVE - VX_INTEGER_LIMIT) {
        put_byte(out, VX_INTEGER_NEGATIVE - 1 + (unsigned)-value);
        return;
    }
    for (unsigned i = 0; i < VX_FUZZ_INTEGERS; i++) {
        if (vx_fuzz_integers[i] == value) {
            put_byte(out, VX_INTEGER_LIMIT + i);
            return;
        }
    }
    put_byte(out, VX_INTEGER_RAW);
    put_raw(out, (uint64_t)value);
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* The byte that stands for a magnitude in a kind, if there is one. */
static bool find_byte(double magnitude, unsigned kind, unsigned *byte)
{
    for (unsigned a = 0; a < 256; a++) {
        double value = kind == VX_NUMBER_INTEGER     ? a
                       : kind == VX_NUMBER_HALF      ? a / 2.0
                       : kind == VX_NUMBER_SIXTEENTH ? a / 16.0
                       : kind == VX_NUMBER_POWER     ? ldexp(1, (int)a - 160)
                       : kind == VX_NUMBER_DECIMAL   ? a / 10.0
                       : a < VX_FUZZ_NUMBERS         ? vx_fuzz_numbers[a]
                                                     : -1;
        if (is_same(value, magnitude)) {
            *byte = a;
            return true;
        }
    }
    return false;
}

static void put_number(writer *out, double value)
{
    static const unsigned kinds[] = {VX_NUMBER_INTEGER, VX_NUMBER_HALF,    VX_NUMBER_SIXTEENTH,
                                     VX_NUMBER_POWER,   VX_NUMBER_DECIMAL, VX_NUMBER_LIMIT};
    double magnitude = fabs(value);
    unsigned sign = signbit(value) && !isnan(value) ? VX_NUMBER_NEGATIVE : 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        unsigned byte;
        if (find_byte(magnitude, kinds[i], &byte)) {
            put_byte(out, kinds[i] | VX_NUMBER_WORLD | sign);
            put_byte(out, byte);
            return;
        }
    }
    uint64_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    put_byte(out, VX_NUMBER_RAW | VX_NUMBER_WORLD | sign);
    put_raw(out, bits);
}

static void put_numbers(writer *out, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put_number(out, values[i]);
    }
}

static void put_integers(writer *out, const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put_integer(out, values[i]);
    }
}

/* --- the frame and the steps --------------------------------------------------------------------
 */

static void put_frame(writer *out, const vx_frame *frame)
{
    put_byte(out, VX_STEP_LITERAL | (frame->from_bounds ? (unsigned)VX_STEP_GIVEN : 0));
    put_number(out, (double)frame->cell_size);
    put_number(out, (double)frame->cell_height);
    if (!frame->from_bounds) {
        put_numbers(out, frame->origin, 3);
        put_integers(out, frame->size, 3);
        return;
    }
    for (size_t axis = 0; axis < 3; axis++) {
        put_number(out, frame->min[axis]);
        put_number(out, frame->max[axis]);
    }
}

/* A list of count elements of which each item has some: whole items, and how many are missing. */
static size_t put_whole(writer *out, size_t count, size_t each)
{
    size_t items = (count + each - 1) / each;
    put_count(out, items);
    return items;
}

static void put_mesh(writer *out, const vx_mesh *mesh)
{
    size_t vertices = put_whole(out, mesh->vertex_values, 3);
    put_numbers(out, mesh->vertices, mesh->vertex_values);
    for (size_t i = mesh->vertex_values; i < 3 * vertices; i++) {
        put_number(out, 0);
    }
    bool given = mesh->areas != NULL;
    size_t triangles = put_whole(out, mesh->index_count, 3);
    size_t areas = given ? mesh->area_count : 0;
    out->fits = out->fits && (!given || (areas <= triangles && areas + 2 >= triangles));
    for (size_t i = 0; i < triangles; i++) {
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            put_integer(out, k < mesh->index_count ? mesh->indices[k] : 0);
        }
        if (given) {
            put_integer(out, i < areas ? mesh->areas[i] : 0);
        }
    }
    put_integer(out, (int64_t)mesh->vertex_values - (int64_t)(3 * vertices));
    put_integer(out, (int64_t)mesh->index_count - (int64_t)(3 * triangles));
    if (given) {
        put_integer(out, (int64_t)areas - (int64_t)triangles);
    }
    put_number(out, (double)mesh->slope_cosine);
    put_integer(out, mesh->merge_threshold);
}

static void put_spans(writer *out, const vx_span_list *list)
{
    put_count(out, list->count);
    for (size_t i = 0; i < list->count; i++) {
        const vx_span *span = &list->spans[i];
        const int64_t values[] = {span->x, span->z, span->min, span->max, span->area};
        put_integers(out, values, 5);
    }
    put_integer(out, list->merge_threshold);
}

static void put_heights(writer *out, const vx_height_grid *grid)
{
    enum { SIDE = 16 };
    put_numbers(out, grid->origin, 2);
    put_number(out, grid->spacing);
    put_integers(out, grid->count, 2);
    bool is_small = grid->count[0] > 0 && grid->count[0] <= SIDE && grid->count[1] > 0 &&
                    grid->count[1] <= SIDE;
    size_t count = is_small ? (size_t)(grid->count[0] * grid->count[1]) : 4;
    out->fits = out->fits && grid->height_count <= count && grid->height_count + 2 >= count;
    put_numbers(out, grid->heights, grid->height_count);
    for (size_t i = grid->height_count; i < count && out->fits; i++) {
        put_number(out, 0);
    }
    put_integer(out, (int64_t)grid->height_count - (int64_t)count);
    put_number(out, (double)grid->slope_cosine);
    put_integer(out, grid->merge_threshold);
}

static void put_dense(writer *out, const vx_chunk *chunk)
{
    enum { SIDE = 16 };
    bool is_small = true;
    for (size_t i = 0; i < 3; i++) {
        is_small = is_small && chunk->size[i] > 0 && chunk->size[i] <= SIDE;
    }
    size_t count = is_small ? (size_t)(chunk->size[0] * chunk->size[1] * chunk->size[2]) : 1;
    out->fits = out->fits && chunk->dense_count <= count && chunk->dense_count + 2 >= count;
    put_integers(out, chunk->dense, chunk->dense_count);
    for (size_t i = chunk->dense_count; i < count && out->fits; i++) {
        put_integer(out, 0);
    }
    put_integer(out, (int64_t)chunk->dense_count - (int64_t)count);
}

static void put_chunk(writer *out, const vx_chunk *chunk)
{
    put_integers(out, chunk->offset, 3);
    put_integers(out, chunk->size, 3);
    if (chunk->is_dense) {
        put_dense(out, chunk);
    } else {
        put_count(out, chunk->run_count);
        for (size_t i = 0; i < chunk->run_count; i++) {
            const vx_run *run = &chunk->runs[i];
            const int64_t values[] = {run->x, run->z, run->start, run->length, run->material};
            put_integers(out, values, 5);
        }
    }
    if (chunk->material_areas == NULL) {
        return;
    }
    put_count(out, chunk->material_area_count);
    for (size_t i = 0; i < chunk->material_area_count; i++) {
        put_integer(out, chunk->material_areas[i].material);
        put_integer(out, chunk->material_areas[i].area);
    }
}

static void put_volume(writer *out, const vx_volume *volume)
{
    put_count(out, volume->corner_count);
    put_numbers(out, volume->corners, 2 * volume->corner_count);
    put_number(out, volume->min_y);
    put_number(out, volume->max_y);
    put_integer(out, volume->area);
}

static void put_step(writer *out, const vx_step *step)
{
    bool given = step->op == VX_OP_RASTERIZE ? step->mesh.areas != NULL
                                             : step->op == VX_OP_CHUNK && step->chunk.is_dense;
    bool plain = step->op == VX_OP_CHUNK && step->chunk.material_areas == NULL;
    put_byte(out, VX_STEP_LITERAL | (given ? (unsigned)VX_STEP_GIVEN : 0) |
                      (plain ? (unsigned)VX_STEP_PLAIN : 0));
    switch (step->op) {
    case VX_OP_RASTERIZE:
        put_mesh(out, &step->mesh);
        break;
    case VX_OP_ADD_SPANS:
        put_spans(out, &step->list);
        break;
    case VX_OP_HEIGHT_GRID:
        put_heights(out, &step->grid);
        break;
    case VX_OP_CHUNK:
        put_chunk(out, &step->chunk);
        break;
    case VX_OP_LOW_HANGING:
        put_integer(out, step->climb);
        break;
    case VX_OP_LEDGES:
    case VX_OP_COMPACT:
        put_integer(out, step->height);
        put_integer(out, step->climb);
        break;
    case VX_OP_LOW_HEIGHT:
        put_integer(out, step->height);
        break;
    case VX_OP_ERODE:
        put_integer(out, step->radius);
        break;
    case VX_OP_VOLUME:
        put_volume(out, &step->volume);
        break;
    }
}

bool vx_fuzz_encode(const vx_input *input, unsigned ops, vx_text *bytes)
{
    size_t before = bytes->size;
    writer out = {.bytes = bytes, .fits = vx_fuzz_is_affordable(&input->frame)};
    bool is_compact = false;
    size_t steps = 0;
    put_frame(&out, &input->frame);
    for (size_t i = 0; i < input->step_count && out.fits; i++) {
        vx_op choices[VX_OP_COUNT];
        size_t count = vx_fuzz_choices(ops, is_compact, choices);
        size_t number = 0;
        while (number < count && choices[number] != input->steps[i].op) {
            number++;
        }
        if (number < count) {
            put_byte(&out, (unsigned)number);
            put_step(&out, &input->steps[i]);
            steps++;
            is_compact = is_compact || input->steps[i].op == VX_OP_COMPACT;
        }
    }
    out.fits = out.fits && steps > 0 && steps <= VX_FUZZ_STEPS;
    bytes->size = out.fits ? bytes->size : before;
    return out.fits;
}
