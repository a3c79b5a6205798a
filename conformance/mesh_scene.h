/* SPDX-License-Identifier: MIT */
/* The part of the mesh reader that a malformed file may crash: call vx_mesh_file_read instead. */
#ifndef VX_MESH_SCENE_H
#define VX_MESH_SCENE_H

#include <stdatomic.h>

#include "import.h"

/* How much was read, seen from both processes. */
typedef struct vx_mesh_progress {
    atomic_size_t bytes;
} vx_mesh_progress;

/* Reads a mesh in this process; see vx_mesh_file_read. Messages do not name the file. The bytes
 * that were read are added to progress. */
VX_NODISCARD vx_status vx_mesh_scene_read(const char *path, vx_mesh_progress *progress,
                                          vx_import_mesh *mesh, vx_error *error);

#endif
