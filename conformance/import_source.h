/* SPDX-License-Identifier: MIT */
/* The options of commands that import a mesh or heights, and the file that they are about. */
#ifndef VX_IMPORT_SOURCE_H
#define VX_IMPORT_SOURCE_H

#include "case.h"
#include "cli.h"
#include "import.h"

/* Of `voxcert import`, but for where the case goes: for a command's table of options. */
#define VX_IMPORT_OPTIONS                                                                          \
    {"cell-size", "NUMBER", "size of a cell along x and z (0.3)"},                                 \
        {"cell-height", "NUMBER", "height of a row (0.2)"},                                        \
        {"bounds", "X,Y,Z,X,Y,Z", "least and greatest corner of the grid (those of the file)"},    \
        {"floor-row", NULL, "one row more below, for floors exactly at the bottom"},               \
        {"height", "ROWS", "least height to stand in (10)"},                                       \
        {"climb", "ROWS", "greatest step, and the merge threshold (4)"},                           \
        {"radius", "CELLS", "least distance from walls and edges (2)"},                            \
        {"slope", "COSINE", "walkable is what is less steep: 0.5 is 60 degrees (0.70710677, 45)"}, \
        {"up", "AXIS", "meshes: the axis that points up: x, y, z, -x, -y, -z (y)"},                \
        {"spacing", "NUMBER", "pictures: distance between heights (the cell size)"},               \
        {"origin", "X,Z",                                                                          \
         "heights: where the first one lies (0,0, or what the grid's header "                      \
         "says)"},                                                                                 \
        {"height-scale", "NUMBER",                                                                 \
         "heights: multiplied by this (pictures: the cell height; grids: 1)"},                     \
    {                                                                                              \
        "height-offset", "NUMBER", "heights: then this is added (0)"                               \
    }

/* Their names, NULL-terminated. */
extern const char *const vx_import_option_names[];

/* Everything that was read. The case refers to it. Zero-initialise; free with
 * vx_import_source_free. */
typedef struct vx_import_source {
    const vx_arguments *arguments;
    const char *path;
    vx_import import;
    vx_import_mesh mesh;
    vx_import_heights heights;
    vx_case item; /* of the chapter that imports; its name is import/ and the file's */
} vx_import_source;

/* Reads the options and the file, and makes the case, with notes on standard error. On failure
 * complains. */
vx_exit vx_import_source_read(vx_import_source *source, const vx_arguments *arguments,
                              const char *path);
void vx_import_source_free(vx_import_source *source);

#endif
