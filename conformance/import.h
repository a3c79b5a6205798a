/* SPDX-License-Identifier: MIT */
/* What `voxcert import` reads from a file and hands to a chapter, which makes an input of it. */
#ifndef VX_IMPORT_H
#define VX_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chapter.h"
#include "voxcert/status.h"

/* Sizes that the readers refuse to go beyond. */
#define VX_IMPORT_TRIANGLES_MAX ((size_t)1 << 23)
#define VX_IMPORT_HEIGHTS_MAX ((size_t)1 << 24)

/* Triangles: x, y, z of each vertex, and three vertex numbers a triangle. Owned. */
typedef struct vx_import_mesh {
    double *vertices;
    size_t vertex_count;
    int64_t *indices;
    size_t triangle_count;
} vx_import_mesh;

/* Heights at the points of a grid, x fastest, the first row at the smallest z. Owned. */
typedef struct vx_import_heights {
    double origin[2]; /* x, z of the first height */
    double spacing;
    int64_t count[2]; /* along x, along z */
    double *heights;
} vx_import_heights;

/* What to make of a mesh, or of heights: exactly one of the two is not NULL. Heights, climb and
 * radius count rows and cells. */
typedef struct vx_import {
    const vx_import_mesh *mesh;
    const vx_import_heights *heights;
    float cell_size, cell_height;
    bool has_bounds;
    double min[3], max[3];
    bool floor_row; /* without bounds: one row more below what is imported */
    int64_t height, climb, radius;
    float slope_cosine;
} vx_import;

/* A chapter's own half of the import. */
typedef struct vx_importer {
    vx_import defaults;
    /* An input with the chapter's whole pipeline, or NULL with an error. It refers to the arrays of
     * the source, which must live as long. Without bounds the grid spans what is imported. What the
     * user should know about it is appended to the notes, a line each. */
    vx_input *(*make)(const vx_import *source, vx_text *notes, vx_error *error);
} vx_importer;

/* How far the reader of a mesh may go. It runs in a process of its own: what a malformed file does
 * to it is an error here and nothing worse. */
typedef struct vx_mesh_limits {
    int64_t milliseconds;
    size_t bytes; /* of memory, beyond what the program has already */
} vx_mesh_limits;

/* The limits for a file of that size. */
vx_mesh_limits vx_mesh_default_limits(size_t file_size);

/* Whether the name ends as those of meshes do. */
bool vx_mesh_is_named(const char *path);

/* Reads OBJ, glTF, GLB, STL or PLY. The triangles stand in the order of the file, in a scene in the
 * order of its nodes, with the nodes' transforms applied (a mirrored one keeps its faces outward);
 * polygons are cut into triangles, points and lines are left out. Equal vertices become one, −0
 * becomes 0. limits NULL: the default ones. Free with vx_import_mesh_free. */
VX_NODISCARD vx_status vx_mesh_file_read(const char *path, const vx_mesh_limits *limits,
                                         vx_import_mesh *mesh, vx_error *error);
void vx_import_mesh_free(vx_import_mesh *mesh);

/* Turns the mesh so that the axis "x", "y", "z", "-x", "-y" or "-z" points up, to +y. These are
 * rotations: faces stay faces. False for any other axis; then nothing changes. */
bool vx_import_mesh_turn(vx_import_mesh *mesh, const char *up);

/* A grey picture, 8 or 16 bits: height = offset + scale · sample, the top row at the smallest z.
 * The origin becomes 0, 0; spacing is left alone. */
VX_NODISCARD vx_status vx_height_png_read(const char *path, double scale, double offset,
                                          vx_import_heights *heights, vx_error *error);

/* An ESRI ASCII grid: height = offset + scale · value. East is +x and north is −z, so that the rows
 * keep their order and the picture is not mirrored; the heights lie at the cells' centres. */
VX_NODISCARD vx_status vx_height_asc_read(const char *path, double scale, double offset,
                                          vx_import_heights *heights, vx_error *error);
void vx_import_heights_free(vx_import_heights *heights);

#endif
