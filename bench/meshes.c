/* SPDX-License-Identifier: MIT */
/* Triangles that are made, the same on every machine: a terrain, and a soup. */
#include <string.h>

#include "bench.h"
#include "random.h"

/* --- terrain ---------------------------------------------------------------------------------- */

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

static void alloc_mesh(size_t vertices, size_t triangles, vx_import_mesh *mesh)
{
    *mesh = (vx_import_mesh){.vertices = vx_must_alloc(3 * vertices, sizeof *mesh->vertices),
                             .vertex_count = vertices,
                             .indices = vx_must_alloc(3 * triangles, sizeof *mesh->indices),
                             .triangle_count = triangles};
}

void vx_bench_terrain(int64_t squares, double spacing, vx_import_mesh *mesh)
{
    size_t side = (size_t)squares + 1;
    alloc_mesh(side * side, 2 * (size_t)squares * (size_t)squares, mesh);
    double *vertex = mesh->vertices;
    for (int64_t j = 0; j <= squares; j++) {
        for (int64_t i = 0; i <= squares; i++) {
            *vertex++ = (double)i * spacing;
            *vertex++ = 12 * hills(i, j, 97) + 2 * hills(i, j, 13) + 0.2 * hills(i, j, 2);
            *vertex++ = (double)j * spacing;
        }
    }
    int64_t *index = mesh->indices;
    for (int64_t j = 0; j < squares; j++) {
        for (int64_t i = 0; i < squares; i++) {
            int64_t a = i + j * (squares + 1);
            int64_t b = a + 1;
            int64_t c = a + squares + 1;
            int64_t d = c + 1;
            const int64_t two[6] = {a, c, d, a, d, b}; /* SPEC B4.3 */
            memcpy(index, two, sizeof two);
            index += 6;
        }
    }
}

/* --- soup ------------------------------------------------------------------------------------- */

static double clamp(double value, double max)
{
    return value < 0 ? 0 : value > max ? max : value;
}

void vx_bench_soup(int64_t count, vx_import_mesh *mesh)
{
    enum { REACH = 20, BITS = 20 }; /* half the size of a triangle; fraction bits */
    static const int64_t room[3] = {100, 50, 100};
    vx_random random = vx_random_start("bench soup", 1);
    alloc_mesh(3 * (size_t)count, (size_t)count, mesh);
    for (size_t i = 0; i < (size_t)count; i++) {
        double *corners = mesh->vertices + 9 * i;
        for (size_t axis = 0; axis < 3; axis++) {
            double middle = vx_random_dyadic(&random, 0, room[axis], BITS);
            for (size_t corner = 0; corner < 3; corner++) {
                double away = vx_random_dyadic(&random, -REACH, REACH, BITS);
                corners[3 * corner + axis] = clamp(middle + away, (double)room[axis]);
                mesh->indices[3 * i + corner] = (int64_t)(3 * i + corner);
            }
        }
    }
}
