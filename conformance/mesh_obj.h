/* SPDX-License-Identifier: MIT */
/* A check of OBJ files before assimp reads them; part of what vx_mesh_file_read runs in a process
 * of its own. */
#ifndef VX_MESH_OBJ_H
#define VX_MESH_OBJ_H

#include "voxcert/status.h"

/* Assimp passes over a vertex that is none, and every face behind it silently means other vertices.
 * So each vertex must be three numbers or more, each corner of a face an index that addresses a
 * vertex; an error names the line. */
VX_NODISCARD vx_status vx_mesh_obj_check(const char *path, vx_error *error);

#endif
