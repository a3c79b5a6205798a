/* SPDX-License-Identifier: MIT */
/* Generated grids: from bounds, and grids that break a rule or are just inside it (B1). */
#include <math.h>

#include "families.h"

/* Spans in the first and, when it is not too far away, another column. */
static vx_input *with_spans(vx_draft *draft)
{
    vx_draft_span(draft, 0, 0, 0, 1, VX_AREA_WALKABLE);
    vx_draft_add_spans(draft, VX_DEFAULT_MERGE_THRESHOLD);
    return vx_draft_finish(draft);
}

/* A number of cells between 0 and most; whole, a step of binary64 beside it, or broken. */
static double draw_extent(vx_draft *draft, int64_t most)
{
    double cells = (double)vx_random_integer(&draft->random, 1, most);
    bool broken = vx_random_chance(&draft->random, 1, 3);
    double part = vx_random_dyadic(&draft->random, 0, 1, 20);
    return broken ? cells - part * 0.9375 : cells;
}

vx_input *vx_make_bounds(uint64_t seed)
{
    vx_draft draft = vx_draft_start("bounds", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 1, 1, 1);
    vx_frame *frame = &draft.input->frame;
    frame->from_bounds = 1;
    for (size_t axis = 0; axis < 3; axis++) {
        double extent = draw_extent(&draft, axis == 1 ? 20 : 8);
        frame->min[axis] = frame->origin[axis];
        frame->max[axis] = vx_draft_world(&draft, axis, extent);
        int64_t steps = vx_random_integer(&draft.random, -2, 2);
        frame->max[axis] = vx_step_double(frame->max[axis], steps);
    }
    double corners[3][3];
    for (size_t k = 0; k < 3; k++) {
        /* World positions that are made from the bounds like a user's would be. */
        for (size_t axis = 0; axis < 3; axis++) {
            double part = vx_random_dyadic(&draft.random, 0, 1, 6);
            double extent = frame->max[axis] - frame->min[axis];
            corners[k][axis] = frame->min[axis] + extent * part;
        }
        (void)vx_draft_vertex_world(&draft, corners[k]);
    }
    vx_draft_triangle(&draft, 0, 1, 2);
    vx_draft_rasterize(&draft, -1.0f, VX_DEFAULT_MERGE_THRESHOLD);
    return with_spans(&draft);
}

/* Sets one member of an explicit grid to a value at its bound or beyond. */
static void spoil_frame(vx_draft *draft, vx_frame *frame)
{
    static const float cells[] = {NAN,     -INFINITY,      INFINITY,        0.0f,     -1.0f,
                                  0x1p20f, 0x1.000002p20f, 0x1.fffffep-21f, 0x1p-20f, 0x1p-149f};
    static const double origins[] = {VX_NAN,  VX_INFINITY, -VX_INFINITY, 0x1p21,
                                     -0x1p21, -0x1p22,     1e300,        0x1.0000000000001p21};
    static const int64_t sizes[3][6] = {
        {-1, 0, VX_SIZE_MAX, VX_SIZE_MAX + 1, (int64_t)1 << 32, (int64_t)1 << 53},
        {-((int64_t)1 << 53), 0, VX_SIZE_MAX, VX_SIZE_MAX + 1, ((int64_t)1 << 32) + 1, 1 << 24},
        {-1, 0, VX_HEIGHT_MAX, VX_HEIGHT_MAX + 1, (int64_t)1 << 32, ((int64_t)1 << 32) + 4}};
    int64_t axis = vx_random_integer(&draft->random, 0, 2);
    int64_t pick = vx_random_integer(&draft->random, 0, 9);
    switch (vx_random_integer(&draft->random, 0, 4)) {
    case 0:
        frame->cell_size = cells[pick];
        break;
    case 1:
        frame->cell_height = cells[pick];
        break;
    case 2:
        frame->origin[axis] = origins[pick % 8];
        break;
    case 3:
        frame->size[axis == 0 ? 1 : 0] = 1;
        frame->size[axis] = sizes[axis][pick % 6];
        break;
    default:
        /* Each of them is allowed, but not the product. */
        frame->size[0] = VX_SIZE_MAX >> pick;
        frame->size[1] = ((int64_t)256 << pick) + vx_random_integer(&draft->random, 1, 9);
    }
}

vx_input *vx_make_frame_errors(uint64_t seed)
{
    vx_draft draft = vx_draft_start("frame-errors", seed);
    vx_draft_grid(&draft, VX_SCALE_ANY, 4, 4, 8);
    spoil_frame(&draft, &draft.input->frame);
    return with_spans(&draft);
}

/* Sets one member of bounds to a value at its bound or beyond, so that only one rule is broken. */
static void spoil_bounds(vx_draft *draft, vx_frame *frame, size_t axis)
{
    static const double maxima[] = {VX_NAN, VX_INFINITY, 0x1.0000000000001p21, 0x1p22, 1e300};
    static const double minima[] = {VX_NAN, -VX_INFINITY, -0x1.0000000000001p21, -0x1p22, -1e300};
    static const float cells[] = {NAN, -INFINITY, 0.0f, -1.0f, 0x1.fffffep-21f, 0x1.000002p20f};
    static const double back[] = {0.0, 0.0, 0.5, 3.0, 1000.0};
    float *cell = axis == 1 ? &frame->cell_height : &frame->cell_size;
    double limit = axis == 1 ? (double)VX_HEIGHT_MAX : (double)VX_SIZE_MAX;
    switch (vx_random_integer(&draft->random, 0, 5)) {
    case 0:
        frame->max[axis] = VX_CHOICE(&draft->random, maxima);
        break;
    case 1:
        frame->min[axis] = VX_CHOICE(&draft->random, minima);
        break;
    case 2:
        *cell = cells[vx_random_integer(&draft->random, 0, 5)];
        break;
    case 3:
        /* Empty, or inverted. */
        frame->max[axis] = frame->min[axis] - VX_CHOICE(&draft->random, back);
        break;
    case 4:
        /* Exactly the most cells, or a step more. */
        frame->min[axis] = 0.0;
        frame->max[axis] = limit * 0.25;
        *cell = 0.25f;
        frame->max[axis] =
            vx_step_double(frame->max[axis], vx_random_integer(&draft->random, 0, 1));
        frame->max[axis == 0 ? 2 : 0] = frame->min[axis == 0 ? 2 : 0] + 0.25;
        break;
    default:
        /* A quotient that underflows, or does not quite. */
        frame->min[axis] = 0.0;
        frame->max[axis] = ldexp(1.0, (int)vx_random_integer(&draft->random, -1074, -1040));
        *cell = 0x1p20f;
    }
}

vx_input *vx_make_bounds_errors(uint64_t seed)
{
    vx_draft draft = vx_draft_start("bounds-errors", seed);
    vx_draft_grid(&draft, VX_SCALE_EXACT, 1, 1, 1);
    vx_frame *frame = &draft.input->frame;
    frame->from_bounds = 1;
    for (size_t axis = 0; axis < 3; axis++) {
        frame->min[axis] = frame->origin[axis];
        double cells = (double)vx_random_integer(&draft.random, 1, 6);
        frame->max[axis] = vx_draft_world(&draft, axis, cells);
    }
    size_t axis = (size_t)vx_random_integer(&draft.random, 0, 2);
    spoil_bounds(&draft, frame, axis);
    return with_spans(&draft);
}
