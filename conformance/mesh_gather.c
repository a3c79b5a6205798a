/* SPDX-License-Identifier: MIT */
/* Triangles that are gathered from a file: equal vertices become one. */
#include "mesh_gather.h"

#include <stdlib.h>
#include <string.h>

#include "case.h"

static size_t hash_vertex(const double *vertex)
{
    uint64_t words[3];
    memcpy(words, vertex, sizeof words);
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++) {
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u; /* 2^64 ÷ golden ratio: spreads the bits */
        hash ^= hash >> 29;
    }
    return (size_t)hash;
}

static bool is_same(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* The slot of the vertex, or the free one where it belongs. */
static size_t find_slot(const vx_gatherer *to, const double *vertex)
{
    size_t slot = hash_vertex(vertex) & (to->slot_count - 1);
    while (to->slots[slot] != 0 &&
           !is_same(&to->mesh.vertices[3 * ((size_t)to->slots[slot] - 1)], vertex)) {
        slot = (slot + 1) & (to->slot_count - 1);
    }
    return slot;
}

static void grow_slots(vx_gatherer *to)
{
    free(to->slots);
    to->slot_count = to->slot_count == 0 ? 1024 : to->slot_count * 2;
    to->slots = vx_must_alloc(to->slot_count, sizeof *to->slots);
    for (size_t v = 0; v < to->mesh.vertex_count; v++) {
        to->slots[find_slot(to, &to->mesh.vertices[3 * v])] = (uint32_t)v + 1;
    }
}

static size_t grown(size_t capacity, size_t most)
{
    return capacity > most / 2 - 512 ? most : capacity * 2 + 1024;
}

int64_t vx_gather_vertex(vx_gatherer *to, const double *vertex)
{
    vx_import_mesh *mesh = &to->mesh;
    if (2 * mesh->vertex_count >= to->slot_count) {
        grow_slots(to);
    }
    size_t slot = find_slot(to, vertex);
    if (to->slots[slot] == 0) {
        if (mesh->vertex_count == to->vertex_capacity) {
            to->vertex_capacity = grown(to->vertex_capacity, 3 * VX_IMPORT_TRIANGLES_MAX);
            mesh->vertices =
                vx_must_realloc(mesh->vertices, to->vertex_capacity, 3 * sizeof(double));
        }
        memcpy(&mesh->vertices[3 * mesh->vertex_count], vertex, 3 * sizeof *vertex);
        mesh->vertex_count++;
        to->slots[slot] = (uint32_t)mesh->vertex_count;
    }
    return (int64_t)to->slots[slot] - 1;
}

void vx_gather_triangle(vx_gatherer *to, const int64_t corners[3])
{
    vx_import_mesh *mesh = &to->mesh;
    if (mesh->triangle_count == to->triangle_capacity) {
        to->triangle_capacity = grown(to->triangle_capacity, VX_IMPORT_TRIANGLES_MAX);
        mesh->indices = vx_must_realloc(mesh->indices, to->triangle_capacity, 3 * sizeof(int64_t));
    }
    memcpy(&mesh->indices[3 * mesh->triangle_count], corners, 3 * sizeof *corners);
    mesh->triangle_count++;
}
