/* SPDX-License-Identifier: MIT */
/* Makes a finding smaller, greedily: every change that keeps the disagreement stays. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/decode.h"
#include "fuzz/finding.h"

typedef struct shrinker {
    vx_input *input;
    unsigned a, b;
    const char *what; /* the disagreement that is to be kept */
    size_t changes;
} shrinker;

static bool keeps(shrinker *job)
{
    vx_disagreement where;
    if (!vx_fuzz_is_affordable(&job->input->frame) ||
        vx_fuzz_agree(job->input, job->a, job->b, &where) || strcmp(where.what, job->what) != 0) {
        return false;
    }
    job->changes++;
    return true;
}

/* --- parts of lists ------------------------------------------------------------------------------
 */

/* A list of a step: its items are elements of size bytes, and count counts `each` an item. */
typedef struct list {
    void *items;
    size_t size;
    size_t *count;
    size_t each;
    void *beside; /* a second list that goes along, or NULL, with elements of beside_size bytes */
    size_t beside_size;
    size_t *beside_count;
} list;

static void *writable(const void *items)
{
    union {
        const void *in;
        void *out;
    } cast = {.in = items}; /* vx_fuzz_copy made it, in an arena of its own */
    return cast.out;
}

static list list_of(vx_step *step)
{
    switch (step->op) {
    case VX_OP_RASTERIZE:
        return (list){.items = writable(step->mesh.indices),
                      .size = 3 * sizeof(int64_t),
                      .count = &step->mesh.index_count,
                      .each = 3,
                      .beside = writable(step->mesh.areas),
                      .beside_size = sizeof(int64_t),
                      .beside_count = &step->mesh.area_count};
    case VX_OP_ADD_SPANS:
        return (list){.items = writable(step->list.spans),
                      .size = sizeof(vx_span),
                      .count = &step->list.count,
                      .each = 1};
    case VX_OP_CHUNK:
        if (!step->chunk.is_dense) {
            return (list){.items = writable(step->chunk.runs),
                          .size = sizeof(vx_run),
                          .count = &step->chunk.run_count,
                          .each = 1};
        }
        return (list){0};
    case VX_OP_VOLUME:
        return (list){.items = writable(step->volume.corners),
                      .size = 2 * sizeof(double),
                      .count = &step->volume.corner_count,
                      .each = 1};
    default:
        return (list){0};
    }
}

/* Leaves out count items from the index-th on; keeps the other ones where that does not do. */
static bool leave_out(shrinker *job, const list *from, size_t index, size_t count)
{
    size_t items = *from->count / from->each;
    bool beside = from->beside != NULL && *from->beside_count >= items;
    size_t bytes = items * from->size;
    size_t beside_bytes = beside ? *from->beside_count * from->beside_size : 0;
    char *saved = vx_must_alloc(bytes + beside_bytes + 1, 1);
    memcpy(saved, from->items, bytes);
    char *to = (char *)from->items + index * from->size;
    memmove(to, to + count * from->size, (items - index - count) * from->size);
    *from->count -= count * from->each;
    if (beside) {
        memcpy(saved + bytes, from->beside, beside_bytes);
        to = (char *)from->beside + index * from->beside_size;
        memmove(to, to + count * from->beside_size, (items - index - count) * from->beside_size);
        *from->beside_count -= count;
    }
    bool kept = keeps(job);
    if (!kept) {
        memcpy(from->items, saved, bytes);
        *from->count += count * from->each;
        if (beside) {
            memcpy(from->beside, saved + bytes, beside_bytes);
            *from->beside_count += count;
        }
    }
    free(saved);
    return kept;
}

static void shrink_list(shrinker *job, const list *from)
{
    size_t items = from->count != NULL ? *from->count / from->each : 0;
    for (size_t part = items / 2 > 0 ? items / 2 : 1; part > 0 && items > 0; part /= 2) {
        for (size_t i = 0; i + part <= *from->count / from->each;) {
            i += leave_out(job, from, i, part) ? 0 : part;
        }
    }
}

/* --- steps ---------------------------------------------------------------------------------------
 */

static bool leave_step_out(shrinker *job, size_t index)
{
    vx_input *input = job->input;
    vx_step saved = input->steps[index];
    size_t behind = input->step_count - index - 1;
    memmove(&input->steps[index], &input->steps[index + 1], behind * sizeof saved);
    input->step_count--;
    /* What follows compact must not stand without it. */
    bool is_legal = saved.op != VX_OP_COMPACT || behind == 0;
    if (is_legal && keeps(job)) {
        return true;
    }
    memmove(&input->steps[index + 1], &input->steps[index], behind * sizeof saved);
    input->steps[index] = saved;
    input->step_count++;
    return false;
}

/* --- numbers -------------------------------------------------------------------------------------
 */

static void try_integer(shrinker *job, int64_t *value)
{
    const int64_t simpler[] = {0, 1, *value / 16, *value / 2};
    for (size_t i = 0; i < sizeof simpler / sizeof simpler[0]; i++) {
        int64_t saved = *value;
        if (simpler[i] == saved || (simpler[i] > saved && saved >= 0)) {
            continue;
        }
        *value = simpler[i];
        if (keeps(job)) {
            return;
        }
        *value = saved;
    }
}

static void try_number(shrinker *job, double *value)
{
    double saved = *value;
    const double simpler[] = {0, round(saved), round(saved * 8) / 8, (double)(float)saved};
    for (size_t i = 0; i < sizeof simpler / sizeof simpler[0]; i++) {
        if (simpler[i] == saved || !isfinite(saved)) {
            continue;
        }
        *value = simpler[i];
        if (keeps(job)) {
            return;
        }
        *value = saved;
    }
}

static void try_integers(shrinker *job, const int64_t *values, size_t count)
{
    int64_t *own = writable(values);
    for (size_t i = 0; i < count; i++) {
        try_integer(job, &own[i]);
    }
}

static void try_numbers(shrinker *job, const double *values, size_t count)
{
    double *own = writable(values);
    for (size_t i = 0; i < count; i++) {
        try_number(job, &own[i]);
    }
}

static void simplify(shrinker *job, vx_step *step)
{
    try_integer(job, &step->height);
    try_integer(job, &step->climb);
    try_integer(job, &step->radius);
    switch (step->op) {
    case VX_OP_RASTERIZE:
        try_numbers(job, step->mesh.vertices, step->mesh.vertex_values);
        try_integers(job, step->mesh.areas, step->mesh.areas != NULL ? step->mesh.area_count : 0);
        try_integer(job, &step->mesh.merge_threshold);
        break;
    case VX_OP_ADD_SPANS:
        for (size_t i = 0; i < step->list.count; i++) {
            try_integers(job, &step->list.spans[i].x, 5);
        }
        try_integer(job, &step->list.merge_threshold);
        break;
    case VX_OP_HEIGHT_GRID:
        try_numbers(job, step->grid.heights, step->grid.height_count);
        try_numbers(job, step->grid.origin, 2);
        try_integer(job, &step->grid.merge_threshold);
        break;
    case VX_OP_CHUNK:
        try_integers(job, step->chunk.offset, 3);
        try_integers(job, step->chunk.dense, step->chunk.is_dense ? step->chunk.dense_count : 0);
        break;
    case VX_OP_VOLUME:
        try_numbers(job, step->volume.corners, 2 * step->volume.corner_count);
        try_number(job, &step->volume.min_y);
        try_number(job, &step->volume.max_y);
        break;
    default:
        break;
    }
}

static void simplify_frame(shrinker *job, vx_frame *frame)
{
    try_numbers(job, frame->from_bounds ? frame->min : frame->origin, 3);
    if (frame->from_bounds) {
        try_numbers(job, frame->max, 3);
    } else {
        try_integers(job, frame->size, 3);
    }
}

size_t vx_fuzz_shrink(vx_input *input, unsigned a, unsigned b)
{
    vx_disagreement where;
    if (vx_fuzz_agree(input, a, b, &where)) {
        return 0;
    }
    shrinker job = {.input = input, .a = a, .b = b, .what = where.what};
    size_t before;
    size_t rounds = 0;
    do {
        before = job.changes;
        for (size_t i = input->step_count; i > 0; i--) {
            (void)leave_step_out(&job, i - 1);
        }
        for (size_t i = 0; i < input->step_count; i++) {
            list items = list_of(&input->steps[i]);
            shrink_list(&job, &items);
            simplify(&job, &input->steps[i]);
        }
        simplify_frame(&job, &input->frame);
        rounds++;
    } while (job.changes > before && rounds < 8);
    return job.changes;
}
