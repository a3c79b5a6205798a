/* SPDX-License-Identifier: MIT */
/* The reader of OBJ files that hold triangles; part of what vx_mesh_file_read runs in a process of
 * its own. */
#ifndef VX_MESH_OBJ_H
#define VX_MESH_OBJ_H

#include "mesh_gather.h"
#include "mesh_scene.h"

/* Checks the vertices and faces of the whole file, errors naming the line, and gathers the
 * triangles. *complete becomes false, and nothing is gathered, when there is none or a face has
 * more than three corners: then another reader has to cut the faces. Coordinates are rounded to
 * binary32, as the other readers do. The bytes that were read are added to progress. */
VX_NODISCARD vx_status vx_mesh_obj_read(const char *path, vx_mesh_progress *progress,
                                        vx_gatherer *to, bool *complete, vx_error *error);

#endif
