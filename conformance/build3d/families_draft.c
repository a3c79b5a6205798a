/* SPDX-License-Identifier: MIT */
/* A generated case in the making: its grid, its mesh, its spans, and the draws that topics share.
 */
#include <stdlib.h>
#include <string.h>

#include "families.h"

vx_draft vx_draft_start(const char *family, uint64_t seed)
{
    vx_frame frame = {.cell_size = 1.0f, .cell_height = 1.0f, .size = {1, 1, 1}};
    return (vx_draft){.random = vx_random_start(family, seed),
                      .input = vx_build3d_input_new(&frame)};
}

vx_input *vx_draft_finish(vx_draft *draft)
{
    free(draft->vertices);
    free(draft->indices);
    free(draft->spans);
    return draft->input;
}

static double draw_origin(vx_draft *draft, vx_scale scale)
{
    static const double decimal[] = {-12.7, 0.1, 3.3, 1000.9};
    if (scale == VX_SCALE_UNIT || vx_random_chance(&draft->random, 1, 2)) {
        return 0.0;
    }
    if (scale == VX_SCALE_EXACT || vx_random_chance(&draft->random, 1, 2)) {
        return (double)vx_random_integer(&draft->random, -40, 40);
    }
    return VX_CHOICE(&draft->random, decimal);
}

static float draw_cell(vx_draft *draft, vx_scale scale)
{
    static const double exact[] = {0.25, 0.5, 1.0, 2.0, 4.0};
    static const float decimal[] = {0.05f, 0.1f, 0.2f, 0.3f, 0.6f, 1.7f};
    if (scale == VX_SCALE_UNIT) {
        return 1.0f;
    }
    if (scale == VX_SCALE_EXACT || vx_random_chance(&draft->random, 3, 8)) {
        return (float)VX_CHOICE(&draft->random, exact);
    }
    if (vx_random_chance(&draft->random, 1, 4)) {
        return vx_random_float(&draft->random, -3, 3);
    }
    return decimal[vx_random_integer(&draft->random, 0, 5)];
}

void vx_draft_grid_sized(vx_draft *draft, vx_scale scale, int64_t width, int64_t depth,
                         int64_t height)
{
    vx_frame *frame = &draft->input->frame;
    for (size_t axis = 0; axis < 3; axis++) {
        frame->origin[axis] = draw_origin(draft, scale);
    }
    frame->cell_size = draw_cell(draft, scale);
    frame->cell_height = draw_cell(draft, scale);
    frame->size[0] = width;
    frame->size[1] = depth;
    frame->size[2] = height;
}

void vx_draft_grid(vx_draft *draft, vx_scale scale, int64_t width, int64_t depth, int64_t height)
{
    int64_t size[3] = {width, depth, height};
    for (size_t axis = 0; axis < 3; axis++) {
        bool thin = axis < 2 && vx_random_chance(&draft->random, 1, 12);
        size[axis] = thin ? 1 : vx_random_integer(&draft->random, size[axis] / 2 + 1, size[axis]);
    }
    vx_draft_grid_sized(draft, scale, size[0], size[1], size[2]);
}

void vx_draft_field(vx_draft *draft, int64_t width, int64_t depth, int64_t height)
{
    vx_draft_grid(draft, VX_SCALE_UNIT, width, depth, height);
    draft->input->frame.size[2] = height;
}

int64_t vx_draft_size(const vx_draft *draft, size_t axis)
{
    return draft->input->frame.size[axis];
}

double vx_draft_world(const vx_draft *draft, size_t axis, double cells)
{
    const vx_frame *frame = &draft->input->frame;
    double cell = axis == 1 ? (double)frame->cell_height : (double)frame->cell_size;
    double distance = cells * cell;
    return frame->origin[axis] + distance;
}

float vx_draft_normal(const vx_draft *draft, double corners[3][3], float normal[3])
{
    float local[3][3];
    float e1[3];
    float e2[3];
    for (size_t axis = 0; axis < 3; axis++) {
        for (size_t k = 0; k < 3; k++) {
            local[k][axis] = (float)(corners[k][axis] - draft->input->frame.origin[axis]);
        }
        e1[axis] = local[1][axis] - local[0][axis];
        e2[axis] = local[2][axis] - local[0][axis];
    }
    normal[0] = e1[1] * e2[2] - e1[2] * e2[1];
    normal[1] = e1[2] * e2[0] - e1[0] * e2[2];
    normal[2] = e1[0] * e2[1] - e1[1] * e2[0];
    return sqrtf((normal[0] * normal[0] + normal[1] * normal[1]) + normal[2] * normal[2]);
}

/* Room for more elements of a growing array of elements of some size. */
static void *make_room(void *array, size_t count, size_t more, size_t *capacity, size_t size)
{
    if (count + more > *capacity) {
        *capacity = 2 * *capacity + more + 16;
        array = vx_must_realloc(array, *capacity, size);
    }
    return array;
}

int64_t vx_draft_vertex_world(vx_draft *draft, const double position[3])
{
    draft->vertices = make_room(draft->vertices, draft->vertex_values, 3, &draft->vertex_capacity,
                                sizeof(double));
    memcpy(draft->vertices + draft->vertex_values, position, 3 * sizeof(double));
    draft->vertex_values += 3;
    return (int64_t)(draft->vertex_values / 3) - 1;
}

int64_t vx_draft_vertex(vx_draft *draft, double u, double v, double w)
{
    const double position[3] = {vx_draft_world(draft, 0, u), vx_draft_world(draft, 1, v),
                                vx_draft_world(draft, 2, w)};
    return vx_draft_vertex_world(draft, position);
}

void vx_draft_triangle(vx_draft *draft, int64_t a, int64_t b, int64_t c)
{
    const int64_t corners[3] = {a, b, c};
    draft->indices =
        make_room(draft->indices, draft->index_count, 3, &draft->index_capacity, sizeof(int64_t));
    memcpy(draft->indices + draft->index_count, corners, sizeof corners);
    draft->index_count += 3;
}

void vx_draft_quad(vx_draft *draft, int64_t a, int64_t b, int64_t c, int64_t d)
{
    vx_draft_triangle(draft, a, b, c);
    vx_draft_triangle(draft, a, c, d);
}

void vx_draft_corners(vx_draft *draft, double corners[3][3])
{
    int64_t a = vx_draft_vertex(draft, corners[0][0], corners[0][1], corners[0][2]);
    (void)vx_draft_vertex(draft, corners[1][0], corners[1][1], corners[1][2]);
    (void)vx_draft_vertex(draft, corners[2][0], corners[2][1], corners[2][2]);
    vx_draft_triangle(draft, a, a + 1, a + 2);
}

void vx_draft_box(vx_draft *draft, const double min[3], const double max[3])
{
    double polygon[4][2] = {{min[0], min[2]}, {max[0], min[2]}, {max[0], max[2]}, {min[0], max[2]}};
    vx_draft_prism(draft, polygon, 4, min[1], max[1], 1.0);
}

void vx_draft_prism(vx_draft *draft, double polygon[][2], size_t count, double low, double high,
                    double top_scale)
{
    int64_t first = (int64_t)(draft->vertex_values / 3);
    int64_t n = (int64_t)count;
    for (size_t i = 0; i < count; i++) {
        (void)vx_draft_vertex(draft, polygon[i][0], low, polygon[i][1]);
    }
    for (size_t i = 0; i < count; i++) {
        double du = (polygon[i][0] - polygon[0][0]) * top_scale;
        double dw = (polygon[i][1] - polygon[0][1]) * top_scale;
        (void)vx_draft_vertex(draft, polygon[0][0] + du, high, polygon[0][1] + dw);
    }
    for (int64_t i = 0; i < n; i++) {
        int64_t j = (i + 1) % n;
        vx_draft_quad(draft, first + i, first + n + i, first + n + j, first + j);
        if (i >= 1 && i + 1 < n) {
            /* u, v, w is right-handed: counter-clockwise in (u, w) faces down. */
            vx_draft_triangle(draft, first, first + i, first + i + 1);
            vx_draft_triangle(draft, first + n, first + n + i + 1, first + n + i);
        }
    }
}

void vx_draft_turn(vx_draft *draft)
{
    for (size_t i = 0; i < draft->index_count; i += 3) {
        if (vx_random_chance(&draft->random, 1, 2)) {
            int64_t b = draft->indices[i + 1];
            draft->indices[i + 1] = draft->indices[i + 2];
            draft->indices[i + 2] = b;
        }
    }
}

static void add_mesh(vx_draft *draft, const int64_t *areas, float slope_cosine,
                     int64_t merge_threshold)
{
    vx_build3d_add_step(draft->input,
                        &(vx_step){.op = VX_OP_RASTERIZE,
                                   .mesh = {.vertices = draft->vertices,
                                            .vertex_values = draft->vertex_values,
                                            .indices = draft->indices,
                                            .index_count = draft->index_count,
                                            .areas = areas,
                                            .area_count = areas ? draft->index_count / 3 : 0,
                                            .slope_cosine = slope_cosine,
                                            .merge_threshold = merge_threshold}});
    draft->vertex_values = 0;
    draft->index_count = 0;
}

void vx_draft_rasterize(vx_draft *draft, float slope_cosine, int64_t merge_threshold)
{
    add_mesh(draft, NULL, slope_cosine, merge_threshold);
}

void vx_draft_rasterize_areas(vx_draft *draft, int64_t merge_threshold)
{
    int64_t *areas = vx_must_alloc(draft->index_count / 3 + 1, sizeof *areas);
    for (size_t i = 0; i < draft->index_count / 3; i++) {
        areas[i] = vx_draft_area(draft);
    }
    add_mesh(draft, areas, VX_DEFAULT_SLOPE_COSINE, merge_threshold);
    free(areas);
}

void vx_draft_span(vx_draft *draft, int64_t x, int64_t z, int64_t min, int64_t max, int64_t area)
{
    draft->spans =
        make_room(draft->spans, draft->span_count, 1, &draft->span_capacity, sizeof(vx_span));
    draft->spans[draft->span_count++] = (vx_span){x, z, min, max, area};
}

void vx_draft_add_spans(vx_draft *draft, int64_t merge_threshold)
{
    vx_build3d_add_step(draft->input, &(vx_step){.op = VX_OP_ADD_SPANS,
                                                 .list = {.spans = draft->spans,
                                                          .count = draft->span_count,
                                                          .merge_threshold = merge_threshold}});
    draft->span_count = 0;
}

void vx_draft_step(vx_draft *draft, vx_op op, int64_t height, int64_t climb, int64_t radius)
{
    vx_build3d_add_step(draft->input,
                        &(vx_step){.op = op, .height = height, .climb = climb, .radius = radius});
}

void vx_draft_filters(vx_draft *draft, int64_t height, int64_t climb)
{
    vx_draft_step(draft, VX_OP_LOW_HANGING, 0, climb, 0);
    vx_draft_step(draft, VX_OP_LEDGES, height, climb, 0);
    vx_draft_step(draft, VX_OP_LOW_HEIGHT, height, 0, 0);
    vx_draft_step(draft, VX_OP_COMPACT, height, climb, 0);
}

void vx_draft_volume(vx_draft *draft, const double *corners, size_t count, double min_y,
                     double max_y, int64_t area)
{
    vx_build3d_add_step(draft->input, &(vx_step){.op = VX_OP_VOLUME,
                                                 .volume = {.corners = corners,
                                                            .corner_count = count,
                                                            .min_y = min_y,
                                                            .max_y = max_y,
                                                            .area = area}});
}

void vx_draft_rectangle(vx_draft *draft, const double min[2], const double max[2], int64_t area)
{
    double low[2] = {vx_draft_world(draft, 0, min[0]), vx_draft_world(draft, 2, min[1])};
    double high[2] = {vx_draft_world(draft, 0, max[0]), vx_draft_world(draft, 2, max[1])};
    const double corners[8] = {low[0], low[1], high[0], low[1], high[0], high[1], low[0], high[1]};
    vx_draft_volume(draft, corners, 4, -VX_COORDINATE_LIMIT, VX_COORDINATE_LIMIT, area);
}

int64_t vx_draft_area(vx_draft *draft)
{
    static const int64_t areas[] = {0, 0, 63, 63, 63, 1, 2, 7, 31, 62};
    return VX_CHOICE_INTEGER(&draft->random, areas);
}

int64_t vx_draft_threshold(vx_draft *draft)
{
    static const int64_t thresholds[] = {0, 0, 1, 1, 2, 3, 4, 4, 4, 8, 1000, VX_ROWS_MAX};
    return VX_CHOICE_INTEGER(&draft->random, thresholds);
}

float vx_draft_slope(vx_draft *draft)
{
    static const double slopes[] = {-1.0, 0.0, 0.25, 0.5, 0.9375, 1.0};
    if (vx_random_chance(&draft->random, 5, 8)) {
        return VX_DEFAULT_SLOPE_COSINE;
    }
    return (float)VX_CHOICE(&draft->random, slopes);
}

void vx_draft_point(vx_draft *draft, int64_t margin, int bits, double point[3])
{
    static const size_t size_axis[3] = {0, 2, 1}; /* x, y, z run along W, H, D */
    for (size_t axis = 0; axis < 3; axis++) {
        int64_t size = vx_draft_size(draft, size_axis[axis]);
        point[axis] = vx_random_dyadic(&draft->random, -margin, size + margin, bits);
    }
}

void vx_draft_floors(vx_draft *draft, int64_t layers, int64_t step, int64_t gap_min,
                     int64_t gap_max, int64_t walkable)
{
    int64_t columns = vx_draft_size(draft, 0) * vx_draft_size(draft, 1);
    for (int64_t column = 0; column < columns; column++) {
        int64_t count = vx_random_integer(&draft->random, 1, layers);
        int64_t min = 0;
        if (vx_random_chance(&draft->random, 1, 12)) {
            continue;
        }
        for (int64_t i = 0; i < count; i++) {
            int64_t thickness = vx_random_integer(&draft->random, 1, step);
            int64_t gap = vx_random_integer(&draft->random, gap_min, gap_max);
            bool walks = vx_random_chance(&draft->random, walkable, 8);
            if (min + thickness > vx_draft_size(draft, 2)) {
                break;
            }
            vx_draft_span(draft, column % vx_draft_size(draft, 0), column / vx_draft_size(draft, 0),
                          min, min + thickness, walks ? VX_AREA_WALKABLE : 0);
            min += thickness + gap;
        }
    }
    vx_draft_add_spans(draft, 0);
}
