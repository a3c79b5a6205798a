/* SPDX-License-Identifier: MIT */
/* Triangles that are gathered from a file: equal vertices become one. */
#ifndef VX_MESH_GATHER_H
#define VX_MESH_GATHER_H

#include <stddef.h>
#include <stdint.h>

#include "import.h"

/* What was found so far, with a table from the bytes of vertices to their numbers. Zero-initialise;
 * the mesh is what is wanted, the slots are freed by whoever made it. */
typedef struct vx_gatherer {
    vx_import_mesh mesh;
    size_t vertex_capacity, triangle_capacity;
    uint32_t *slots; /* vertex number + 1; 0: free. A power of two, never more than half full */
    size_t slot_count;
} vx_gatherer;

/* The number of the vertex x, y, z, which must not be −0; at most three times the triangles that
 * may be. */
int64_t vx_gather_vertex(vx_gatherer *to, const double *vertex);

/* At most VX_IMPORT_TRIANGLES_MAX of them. */
void vx_gather_triangle(vx_gatherer *to, const int64_t corners[3]);

#endif
