/* SPDX-License-Identifier: MIT */
/* voxcert import: a mesh or a height grid becomes a case with the chapter's whole pipeline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "commands.h"
#include "file.h"
#include "import_source.h"

static vx_exit write_case(const vx_case *item, const char *path, const char *out)
{
    vx_text line = {0};
    vx_exit status = VX_EXIT_PASS;
    vx_error error;
    vx_case_write(item, &line);
    if (line.size > VX_LINE_BYTES_MAX) {
        status = vx_complain(VX_EXIT_USAGE, "%s: the case has %zu bytes, more than %zu", path,
                             line.size, VX_LINE_BYTES_MAX);
        goto done;
    }
    vx_text_add_char(&line, '\n');
    if (out != NULL && strcmp(out, "-") != 0) {
        if (vx_file_write(out, line.bytes, line.size, &error) != VX_OK) {
            status = vx_complain(VX_EXIT_USAGE, "%s", error.message);
        }
    } else if (fwrite(line.bytes, 1, line.size, stdout) != line.size || fflush(stdout) != 0) {
        status = vx_complain(VX_EXIT_INTERNAL, "standard output cannot be written");
    }
done:
    vx_text_free(&line);
    return status;
}

static vx_exit run_import(const vx_arguments *arguments)
{
    const char *path = vx_operand(arguments, 0);
    const char *name = vx_argument_value(arguments, "name");
    vx_import_source source = {0};
    if (!vx_argument_spares(arguments, "out", path)) {
        return VX_EXIT_USAGE;
    }
    vx_exit status = vx_import_source_read(&source, arguments, path);
    if (status == VX_EXIT_PASS) {
        if (name != NULL) {
            free(source.item.name);
            source.item.name = vx_must_strdup(name);
        }
        status = write_case(&source.item, path, vx_argument_value(arguments, "out"));
    }
    vx_import_source_free(&source);
    return status;
}

static const vx_option options[] = {
    {"out", "FILE", "write the case there (standard output)"},
    {"name", "NAME", "the case's name (import/ and the file's)"},
    VX_IMPORT_OPTIONS,
};

static const char details[] =
    "Writes one case: the triangles or heights of the file, then low-hanging obstacles, ledges,\n"
    "low height, compacting and erosion. The file's name tells its format:\n"
    "  .obj .gltf .glb .stl .ply  meshes. Transforms are applied, polygons are cut into\n"
    "                             triangles, points and lines are left out. Faces are\n"
    "                             counter-clockwise seen from outside; --up turns the mesh\n"
    "                             and keeps that so.\n"
    "  .png                       grey pictures of 8 or 16 bits. A pixel is a height, scale\n"
    "                             times sample plus offset; right is +x, down is +z.\n"
    "  .asc                       ESRI ASCII grids. East is +x and north is -z: z is the\n"
    "                             negative northing. A hole (NODATA_value) is an error.\n"
    "Without --bounds the grid spans exactly what is imported. An extent that is empty gets one\n"
    "cell, upwards (downwards at the end of the world). A floor exactly at the bottom of the\n"
    "grid has no row below it to fill and vanishes (SPEC B2.26): with --floor-row the grid\n"
    "begins one row lower.\n";

const vx_command vx_command_import = {.name = "import",
                                      .operands = "FILE",
                                      .summary = "make a case of a mesh or of heights",
                                      .details = details,
                                      .options = options,
                                      .option_count = sizeof options / sizeof options[0],
                                      .operands_min = 1,
                                      .operands_max = 1,
                                      .run = run_import};
