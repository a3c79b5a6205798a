/* SPDX-License-Identifier: MIT */
/* A large terrain for figures: `terrain obj N` writes it as OBJ, `terrain time N` times the
 * reference. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "voxcert/build3d.h"

/* N × N squares, 2·N·N triangles, over about 500 × 500 columns of 0.3 at the N = 708 of a million.
 */
static const double SPACING = 0.2125;
static const float CELL_SIZE = 0.3F;
static const float CELL_HEIGHT = 0.2F;

typedef struct terrain {
    int64_t squares;
    double *vertices; /* x, y, z of (squares + 1)² vertices, x fastest */
    int64_t *indices; /* the triangles of SPEC B4.3 */
    size_t vertex_values, index_count;
} terrain;

/* A number in [0, 1) for a lattice point: the finaliser of splitmix64. */
static double lattice(int64_t x, int64_t z)
{
    uint64_t bits = (uint64_t)x * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)z;
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94D049BB133111EB);
    bits ^= bits >> 31;
    return (double)(bits >> 11) * 0x1p-53;
}

/* Hills on a lattice of `size` squares, blended smoothly between its points. */
static double hills(int64_t i, int64_t j, int64_t size)
{
    double s = (double)(i % size) / (double)size;
    double t = (double)(j % size) / (double)size;
    s = s * s * (3 - 2 * s);
    t = t * t * (3 - 2 * t);
    int64_t x = i / size;
    int64_t z = j / size;
    double near = lattice(x, z) * (1 - s) + lattice(x + 1, z) * s;
    double far = lattice(x, z + 1) * (1 - s) + lattice(x + 1, z + 1) * s;
    return near * (1 - t) + far * t;
}

static int make_terrain(int64_t squares, terrain *made)
{
    size_t side = (size_t)squares + 1;
    *made = (terrain){.squares = squares,
                      .vertex_values = 3 * side * side,
                      .index_count = 6 * (size_t)squares * (size_t)squares};
    made->vertices = malloc(made->vertex_values * sizeof *made->vertices);
    made->indices = malloc(made->index_count * sizeof *made->indices);
    if (made->vertices == NULL || made->indices == NULL) {
        return 0;
    }
    double *vertex = made->vertices;
    for (int64_t j = 0; j <= squares; j++) {
        for (int64_t i = 0; i <= squares; i++) {
            *vertex++ = (double)i * SPACING;
            *vertex++ = 12 * hills(i, j, 97) + 2 * hills(i, j, 13) + 0.2 * hills(i, j, 2);
            *vertex++ = (double)j * SPACING;
        }
    }
    int64_t *index = made->indices;
    for (int64_t j = 0; j < squares; j++) {
        for (int64_t i = 0; i < squares; i++) {
            int64_t a = i + j * (squares + 1);
            int64_t b = a + 1;
            int64_t c = a + squares + 1;
            int64_t d = c + 1;
            const int64_t two[6] = {a, c, d, a, d, b};
            memcpy(index, two, sizeof two);
            index += 6;
        }
    }
    return 1;
}

static void write_obj(const terrain *made)
{
    for (size_t i = 0; i < made->vertex_values; i += 3) {
        const double *vertex = made->vertices + i;
        printf("v %.4f %.4f %.4f\n", vertex[0], vertex[1], vertex[2]);
    }
    for (size_t i = 0; i < made->index_count; i += 3) {
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

static int time_reference(const terrain *made)
{
    const double extent = (double)made->squares * SPACING;
    const vx_frame frame = {.from_bounds = 1,
                            .min = {0, -1, 0},
                            .max = {extent, 20, extent},
                            .cell_size = CELL_SIZE,
                            .cell_height = CELL_HEIGHT};
    const vx_mesh mesh = {.vertices = made->vertices,
                          .vertex_values = made->vertex_values,
                          .indices = made->indices,
                          .index_count = made->index_count,
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
               made->index_count / 3, (int)info.size[0], (int)info.size[1], rasterized - begin,
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
    terrain made;
    int status = 1;
    if (!make_terrain(squares, &made)) {
        (void)fprintf(stderr, "terrain: no memory\n");
    } else if (strcmp(argv[1], "obj") == 0) {
        write_obj(&made);
        status = 0;
    } else {
        status = time_reference(&made);
    }
    free(made.vertices);
    free(made.indices);
    return status;
}
