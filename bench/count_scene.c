/* SPDX-License-Identifier: MIT */
/* What a scene amounts to: touched cells, spans, and the pieces that the kernel "merge" adds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* --- touched cells ---------------------------------------------------------------------------- */

/* The cells from the lowest to the highest that the values can touch, cut to the grid; false for
 * none. One more on each side, as values are rounded to binary32 later. */
static bool cells_between(const double values[3], double origin, double cell, int64_t size,
                          int64_t *low, int64_t *high)
{
    double min = fmin(values[0], fmin(values[1], values[2]));
    double max = fmax(values[0], fmax(values[1], values[2]));
    *low = (int64_t)fmax(floor((min - origin) / cell) - 1, 0);
    *high = (int64_t)fmin(floor((max - origin) / cell) + 1, (double)(size - 1));
    return *low <= *high;
}

/* A grid that holds no more than a triangle; its columns are columns of the scene's. */
static bool small_frame(const vx_bench_scene *scene, const double corners[9], vx_frame *frame)
{
    const vx_frame *whole = &scene->input->frame;
    *frame = (vx_frame){.origin = {whole->min[0], whole->min[1], whole->min[2]},
                        .cell_size = whole->cell_size,
                        .cell_height = whole->cell_height,
                        .size = {0, 0, scene->size[2]}};
    double cell = (double)whole->cell_size;
    for (size_t side = 0; side < 2; side++) {
        size_t axis = 2 * side;
        const double values[3] = {corners[axis], corners[3 + axis], corners[6 + axis]};
        int64_t low;
        int64_t high;
        if (!cells_between(values, whole->min[axis], cell, scene->size[side], &low, &high)) {
            return false;
        }
        frame->origin[axis] += (double)low * cell;
        frame->size[side] = high - low + 1;
    }
    return true;
}

/* The columns that each triangle alone fills (SPEC B2.27), all together. The grid of each triangle
 * begins elsewhere than the scene's, so that roundings differ: it is a count for dividing by. */
static bool count_touched(const vx_build3d_impl *impl, vx_bench_scene *scene)
{
    vx_arena arena;
    vx_arena_init_growable(&arena, (size_t)1 << 20, (size_t)4 << 30);
    vx_error error = {0};
    vx_status status = VX_OK;
    double corners[9];
    const int64_t indices[3] = {0, 1, 2};
    vx_mesh mesh = scene->input->steps[0].mesh;
    mesh.vertices = corners;
    mesh.vertex_values = 9;
    mesh.indices = indices;
    mesh.index_count = 3;
    for (size_t i = 0; i < scene->mesh.triangle_count && status == VX_OK; i++) {
        vx_frame frame;
        for (size_t corner = 0; corner < 3; corner++) {
            memcpy(corners + 3 * corner,
                   scene->mesh.vertices + 3 * scene->mesh.indices[3 * i + corner],
                   3 * sizeof *corners);
        }
        if (!small_frame(scene, corners, &frame)) {
            continue;
        }
        vx_build3d *field = NULL;
        vx_arena_reset(&arena);
        status = impl->open(&arena, &frame, &field, &error);
        if (status == VX_OK) {
            status = impl->rasterize(field, &mesh, &error);
        }
        if (status == VX_OK) {
            vx_build3d_info info;
            impl->info(field, &info);
            scene->touched += info.rows;
            impl->close(field);
        }
    }
    vx_arena_free(&arena);
    if (status != VX_OK) {
        (void)vx_complain(VX_EXIT_INTERNAL, "%s: %s", scene->kind->name, error.message);
    }
    return status == VX_OK;
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* Every solid span comes in two pieces that overlap by a row, in the order of squares of columns,
 * of each square first all lower and then all upper ones: so triangles of a size would come. */
enum { SQUARE = 16, PIECES_MAX = 1 << 20 };

static size_t square_of(const vx_bench_scene *scene, const vx_solid_row *row)
{
    size_t across = ((size_t)scene->size[0] + SQUARE - 1) / SQUARE;
    return (size_t)(row->z / SQUARE) * across + (size_t)(row->x / SQUARE);
}

static void make_pieces(vx_bench_scene *scene, const vx_solid_row *rows, size_t count)
{
    size_t across = ((size_t)scene->size[0] + SQUARE - 1) / SQUARE;
    size_t down = ((size_t)scene->size[1] + SQUARE - 1) / SQUARE;
    size_t *next = vx_must_alloc(across * down + 1, sizeof *next);
    size_t *amount = vx_must_alloc(across * down, sizeof *amount);
    count = count < PIECES_MAX / 2 ? count : PIECES_MAX / 2;
    scene->piece_count = 2 * count;
    scene->pieces = vx_must_alloc(2 * count + 1, sizeof *scene->pieces);
    for (size_t i = 0; i < count; i++) {
        amount[square_of(scene, &rows[i])]++;
    }
    for (size_t square = 0; square < across * down; square++) {
        next[square + 1] = next[square] + 2 * amount[square];
    }
    for (size_t i = 0; i < count; i++) {
        const vx_solid_row *row = &rows[i];
        size_t square = square_of(scene, row);
        int64_t middle = row->min + (row->max - row->min) / 2;
        vx_span *lower = &scene->pieces[next[square]++];
        vx_span *upper = lower + amount[square];
        *lower = (vx_span){row->x, row->z, row->min, middle + 1, row->area};
        *upper = (vx_span){row->x, row->z, middle, row->max, row->area};
    }
    free(next);
    free(amount);
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Opens the scene's field; its size is then known. */
static bool open_field(vx_bench_session *session, vx_bench_scene *scene)
{
    vx_build3d_info info;
    if (!vx_bench_step(session, VX_BENCH_OPEN)) {
        return false;
    }
    session->who->impl->info(session->field, &info);
    memcpy(scene->size, info.size, sizeof info.size);
    scene->columns = (size_t)info.size[0] * (size_t)info.size[1];
    return true;
}

bool vx_bench_scene_touch(vx_bench_scene *scene, const vx_build3d_impl *impl)
{
    const vx_bench_contender counter = {.name = impl->name, .impl = impl};
    vx_bench_session session;
    vx_bench_session_open(&counter, scene, &session);
    bool is_done = open_field(&session, scene) && count_touched(impl, scene);
    vx_bench_session_free(&session);
    return is_done;
}

/* Reads the spans of the field and makes pieces of them. */
static bool read_pieces(const vx_bench_session *session, vx_bench_scene *scene)
{
    vx_error error = {0};
    vx_build3d_info info;
    session->who->impl->info(session->field, &info);
    scene->solid = info.rows;
    vx_solid_row *rows = vx_must_alloc((size_t)info.rows + 1, sizeof *rows);
    vx_status status =
        session->who->impl->read_solid(session->field, rows, (size_t)info.rows, &error);
    if (status == VX_OK) {
        make_pieces(scene, rows, (size_t)info.rows);
    } else {
        (void)vx_complain(VX_EXIT_INTERNAL, "%s: %s", scene->kind->name, error.message);
    }
    free(rows);
    return status == VX_OK;
}

bool vx_bench_scene_count(vx_bench_scene *scene)
{
    static const vx_bench_contender reference = {.name = "ref", .impl = &vx_ref_build3d};
    vx_bench_session session;
    vx_bench_session_open(&reference, scene, &session);
    bool is_done = open_field(&session, scene) && vx_bench_step(&session, VX_BENCH_RASTERIZE) &&
                   count_touched(reference.impl, scene) && read_pieces(&session, scene);
    vx_bench_session_free(&session);
    return is_done;
}
