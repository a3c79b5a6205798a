/* SPDX-License-Identifier: MIT */
/* A large terrain for figures: `terrain obj N` writes it as OBJ, `terrain time N` times the
 * reference. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "bench/bench.h"

/* N × N squares, 2·N·N triangles, over about 500 × 500 columns of 0.3 at the N = 708 of a million.
 */
static const double SPACING = 0.2125;
static const float CELL_SIZE = 0.3F;
static const float CELL_HEIGHT = 0.2F;

static void write_obj(const vx_import_mesh *made)
{
    for (size_t i = 0; i < 3 * made->vertex_count; i += 3) {
        const double *vertex = made->vertices + i;
        printf("v %.4f %.4f %.4f\n", vertex[0], vertex[1], vertex[2]);
    }
    for (size_t i = 0; i < 3 * made->triangle_count; i += 3) {
        const int64_t *index = made->indices + i;
        printf("f %lld %lld %lld\n", (long long)index[0] + 1, (long long)index[1] + 1,
               (long long)index[2] + 1);
    }
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static vx_status pipeline(vx_build3d *field, vx_error *error)
{
    const vx_build3d_impl *ref = &vx_ref_build3d;
    vx_status status = ref->low_hanging(field, VX_DEFAULT_CLIMB, error);
    if (status == VX_OK) {
        status = ref->ledges(field, VX_DEFAULT_HEIGHT, VX_DEFAULT_CLIMB, error);
    }
    if (status == VX_OK) {
        status = ref->low_height(field, VX_DEFAULT_HEIGHT, error);
    }
    if (status == VX_OK) {
        status = ref->compact(field, VX_DEFAULT_HEIGHT, VX_DEFAULT_CLIMB, error);
    }
    return status != VX_OK ? status : ref->erode(field, VX_DEFAULT_RADIUS, error);
}

static int time_reference(const vx_import_mesh *made, long squares)
{
    const double extent = (double)squares * SPACING;
    const vx_frame frame = {.from_bounds = 1,
                            .min = {0, -1, 0},
                            .max = {extent, 20, extent},
                            .cell_size = CELL_SIZE,
                            .cell_height = CELL_HEIGHT};
    const vx_mesh mesh = {.vertices = made->vertices,
                          .vertex_values = 3 * made->vertex_count,
                          .indices = made->indices,
                          .index_count = 3 * made->triangle_count,
                          .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                          .merge_threshold = VX_DEFAULT_MERGE_THRESHOLD};
    vx_arena arena;
    vx_arena_init_growable(&arena, 1 << 20, (size_t)4 << 30);
    vx_error error = {.status = VX_OK};
    vx_build3d *field = NULL;
    vx_status status = vx_ref_build3d.open(&arena, &frame, &field, &error);
    const double begin = seconds();
    double rasterized = begin;
    if (status == VX_OK) {
        status = vx_ref_build3d.rasterize(field, &mesh, &error);
        rasterized = seconds();
    }
    if (status == VX_OK) {
        status = pipeline(field, &error);
    }
    const double end = seconds();
    if (status == VX_OK) {
        vx_build3d_info info;
        struct rusage usage;
        vx_ref_build3d.info(field, &info);
        (void)getrusage(RUSAGE_SELF, &usage);
        printf("ref, terrain of %zu triangles, %d x %d columns: rasterize %.2f s (goal < 10), "
               "pipeline %.2f s (goal < 30), peak %ld MB (goal < 1024), %llu compact spans\n",
               made->triangle_count, (int)info.size[0], (int)info.size[1], rasterized - begin,
               end - begin, usage.ru_maxrss / 1024, (unsigned long long)info.rows);
    } else {
        (void)fprintf(stderr, "terrain: %s\n", error.message);
    }
    vx_ref_build3d.close(field);
    vx_arena_free(&arena);
    return status == VX_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    const long squares = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    if (squares < 1 || squares > 5000 ||
        (strcmp(argv[1], "obj") != 0 && strcmp(argv[1], "time") != 0)) {
        (void)fprintf(stderr, "usage: terrain obj|time SQUARES (1 to 5000)\n");
        return 2;
    }
    vx_import_mesh made;
    int status = 0;
    vx_bench_terrain(squares, SPACING, &made);
    if (strcmp(argv[1], "obj") == 0) {
        write_obj(&made);
    } else {
        status = time_reference(&made, squares);
    }
    vx_import_mesh_free(&made);
    return status;
}
