/* SPDX-License-Identifier: MIT */
/* Times the stages of the pipeline (SPEC B10.2) over a mesh on the fast implementation and the
 * reference in turn: `time_fast MESH CELL_SIZE CELL_HEIGHT [ROUNDS]`. Both must give the same rows.
 * The times are medians of thread CPU time. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "build3d/build3d.h"
#include "import.h"

enum { STAGES = 9, ROUNDS_MAX = 99, IMPLEMENTATIONS = 2 };

static const char *const stage_names[STAGES] = {"rasterize", "lowHanging", "ledges",
                                                "lowHeight", "compact",    "erode 2",
                                                "erode 8",   "volume",     "pipeline"};

/* What is timed. */
typedef struct scene {
    vx_frame frame;
    vx_mesh mesh;
    vx_volume volume;
    double corners[8];
} scene;

typedef struct timing {
    const vx_build3d_impl *impl;
    vx_arena arena;
    double seconds[STAGES][ROUNDS_MAX];
    void *rows;
    vx_build3d_info info;
    size_t bytes;
} timing;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static vx_status run_stage(const vx_build3d_impl *impl, vx_build3d *field, const scene *made,
                           size_t stage, vx_error *error)
{
    switch (stage) {
    case 0:
        return impl->rasterize(field, &made->mesh, error);
    case 1:
        return impl->low_hanging(field, VX_DEFAULT_CLIMB, error);
    case 2:
        return impl->ledges(field, VX_DEFAULT_HEIGHT, VX_DEFAULT_CLIMB, error);
    case 3:
        return impl->low_height(field, VX_DEFAULT_HEIGHT, error);
    case 4:
        return impl->compact(field, VX_DEFAULT_HEIGHT, VX_DEFAULT_CLIMB, error);
    case 5:
        return impl->erode(field, VX_DEFAULT_RADIUS, error);
    case 6:
        return impl->erode(field, 8, error);
    default:
        return impl->volume(field, &made->volume, error);
    }
}

/* One round: all stages, the sum of the first six being the pipeline. */
static bool run_round(timing *t, const scene *made, size_t round)
{
    vx_error error = {0};
    vx_build3d *field;
    vx_arena_reset(&t->arena);
    vx_status status = t->impl->open(&t->arena, &made->frame, &field, &error);
    double total = 0;
    for (size_t stage = 0; stage + 1 < STAGES && status == VX_OK; stage++) {
        double begin = now();
        status = run_stage(t->impl, field, made, stage, &error);
        t->seconds[stage][round] = now() - begin;
        total += stage < 6 ? t->seconds[stage][round] : 0;
    }
    t->seconds[STAGES - 1][round] = total;
    if (status == VX_OK) {
        t->impl->info(field, &t->info);
        t->bytes = (size_t)t->info.rows * sizeof(vx_compact_row);
        free(t->rows);
        t->rows = malloc(t->bytes + 1);
        status = t->rows != NULL
                     ? t->impl->read_compact(field, t->rows, (size_t)t->info.rows, &error)
                     : VX_NO_MEMORY;
    }
    if (status != VX_OK) {
        (void)fprintf(stderr, "time_fast: %s: %s\n", t->impl->name, error.message);
        return false;
    }
    t->impl->close(field);
    return true;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

static int time_scene(const scene *made, size_t rounds)
{
    static timing sides[IMPLEMENTATIONS] = {{.impl = &vx_ref_build3d}, {.impl = &vx_fast_build3d}};
    for (size_t i = 0; i < IMPLEMENTATIONS; i++) {
        vx_arena_init_growable(&sides[i].arena, (size_t)1 << 24, SIZE_MAX);
    }
    /* The first round warms the caches and the arenas. */
    for (size_t round = 0; round <= rounds; round++) {
        for (size_t i = 0; i < IMPLEMENTATIONS; i++) {
            if (!run_round(&sides[i], made, round > 0 ? round - 1 : 0)) {
                return 1;
            }
        }
    }
    if (sides[0].bytes != sides[1].bytes ||
        memcmp(sides[0].rows, sides[1].rows, sides[0].bytes) != 0) {
        (void)fprintf(stderr, "time_fast: the two disagree\n");
        return 1;
    }
    printf("%" PRId32 " x %" PRId32 " x %" PRId32 ", %zu triangles, %" PRIu64 " compact spans\n",
           sides[0].info.size[0], sides[0].info.size[1], sides[0].info.size[2],
           made->mesh.index_count / 3, sides[0].info.rows);
    for (size_t stage = 0; stage < STAGES; stage++) {
        double ref = median(sides[0].seconds[stage], rounds);
        double fast = median(sides[1].seconds[stage], rounds);
        printf("  %-10s %9.3f ms %9.3f ms  %6.2f\n", stage_names[stage], 1e3 * ref, 1e3 * fast,
               ref / fast);
    }
    for (size_t i = 0; i < IMPLEMENTATIONS; i++) {
        vx_arena_free(&sides[i].arena);
        free(sides[i].rows);
    }
    return 0;
}

/* The frame around the mesh and a volume over the middle of it. */
static void fit(scene *made, float cell_size, float cell_height)
{
    made->frame = (vx_frame){.from_bounds = 1, .cell_size = cell_size, .cell_height = cell_height};
    for (size_t axis = 0; axis < 3; axis++) {
        made->frame.min[axis] = INFINITY;
        made->frame.max[axis] = -INFINITY;
    }
    for (size_t i = 0; i < made->mesh.vertex_values; i++) {
        double value = made->mesh.vertices[i];
        made->frame.min[i % 3] = fmin(made->frame.min[i % 3], value);
        made->frame.max[i % 3] = fmax(made->frame.max[i % 3], value);
    }
    made->frame.max[1] += 1;
    double x = made->frame.min[0];
    double z = made->frame.min[2];
    double wide = made->frame.max[0] - x;
    double deep = made->frame.max[2] - z;
    const double corners[8] = {x + wide / 2, z,        x + wide, z + deep / 2,
                               x + wide / 2, z + deep, x,        z + deep / 2};
    memcpy(made->corners, corners, sizeof corners);
    made->volume = (vx_volume){.corners = made->corners,
                               .corner_count = 4,
                               .min_y = -INFINITY,
                               .max_y = INFINITY,
                               .area = 7};
}

int main(int count, char **arguments)
{
    double cell_size = count > 3 ? strtod(arguments[2], NULL) : 0;
    double cell_height = count > 3 ? strtod(arguments[3], NULL) : 0;
    long rounds = count > 4 ? strtol(arguments[4], NULL, 10) : 9;
    if (count < 4 || count > 5 || !(cell_size > 0) || !(cell_height > 0) || rounds < 1 ||
        rounds > ROUNDS_MAX) {
        (void)fprintf(stderr, "usage: time_fast MESH CELL_SIZE CELL_HEIGHT [ROUNDS (1 to %d)]\n",
                      ROUNDS_MAX);
        return 2;
    }
    vx_mesh_limits limits = vx_mesh_default_limits((size_t)1 << 28);
    vx_import_mesh mesh = {0};
    vx_error error = {0};
    if (vx_mesh_file_read(arguments[1], &limits, &mesh, &error) != VX_OK) {
        (void)fprintf(stderr, "time_fast: %s: %s\n", arguments[1], error.message);
        return 1;
    }
    scene made = {.mesh = {.vertices = mesh.vertices,
                           .vertex_values = 3 * mesh.vertex_count,
                           .indices = mesh.indices,
                           .index_count = 3 * mesh.triangle_count,
                           .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                           .merge_threshold = VX_DEFAULT_MERGE_THRESHOLD}};
    fit(&made, (float)cell_size, (float)cell_height);
    int status = time_scene(&made, (size_t)rounds);
    vx_import_mesh_free(&mesh);
    return status;
}
