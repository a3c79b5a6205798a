/* SPDX-License-Identifier: MIT */
/* voxcert import: a mesh or a height grid becomes a case with the chapter's whole pipeline. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "case.h"
#include "cli.h"
#include "commands.h"
#include "file.h"
#include "import.h"

/* Everything that a run of the command holds. */
typedef struct importing {
    const vx_arguments *arguments;
    const char *path;
    vx_import import;
    vx_import_mesh mesh;
    vx_import_heights heights;
} importing;

/* Reads "a,b,…" into exactly count numbers. */
static bool read_list(const char *option, const char *text, size_t count, double *numbers)
{
    const char *at = text;
    for (size_t i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtod(at, &end);
        if (end == at || *end != (i + 1 < count ? ',' : '\0')) {
            (void)(count == 1
                       ? vx_complain(VX_EXIT_USAGE, "--%s %s: a number is needed", option, text)
                       : vx_complain(VX_EXIT_USAGE,
                                     "--%s %s: %zu numbers with commas between are needed", option,
                                     text, count));
            return false;
        }
        at = end + 1;
    }
    return true;
}

/* A number whose bounds the chapter knows; *value keeps its default when the option is missing. */
static bool read_number(const importing *run, const char *option, float *value)
{
    const char *text = vx_argument_value(run->arguments, option);
    double number;
    if (text != NULL) {
        if (!read_list(option, text, 1, &number)) {
            return false;
        }
        *value = (float)number;
    }
    return true;
}

static bool read_bounds(importing *run)
{
    vx_import *import = &run->import;
    const char *bounds = vx_argument_value(run->arguments, "bounds");
    double corners[6];
    import->floor_row = vx_argument_flag(run->arguments, "floor-row");
    if (bounds == NULL) {
        return true;
    }
    if (import->floor_row) {
        (void)vx_complain(VX_EXIT_USAGE, "--bounds and --floor-row exclude each other: a lower "
                                         "bound can be given as low as it is needed");
        return false;
    }
    if (!read_list("bounds", bounds, 6, corners)) {
        return false;
    }
    import->has_bounds = true;
    memcpy(import->min, corners, sizeof import->min);
    memcpy(import->max, corners + 3, sizeof import->max);
    return true;
}

static bool read_options(importing *run)
{
    vx_import *import = &run->import;
    return read_number(run, "cell-size", &import->cell_size) &&
           read_number(run, "cell-height", &import->cell_height) &&
           read_number(run, "slope", &import->slope_cosine) &&
           vx_argument_integer(run->arguments, "height", INT64_MIN, INT64_MAX, &import->height) &&
           vx_argument_integer(run->arguments, "climb", INT64_MIN, INT64_MAX, &import->climb) &&
           vx_argument_integer(run->arguments, "radius", INT64_MIN, INT64_MAX, &import->radius) &&
           read_bounds(run);
}

/* Options that mean nothing for this kind of file are refused: they were meant for something. */
static bool refuse(const importing *run, const char *const *options, size_t count, const char *kind)
{
    for (size_t i = 0; i < count; i++) {
        if (vx_argument_value(run->arguments, options[i]) != NULL) {
            (void)vx_complain(VX_EXIT_USAGE, "--%s means nothing for %s (%s)", options[i], kind,
                              run->path);
            return true;
        }
    }
    return false;
}

static vx_exit failed(const vx_error *error)
{
    return error->status == VX_NO_MEMORY ? VX_EXIT_INTERNAL : VX_EXIT_USAGE;
}

static vx_exit read_mesh(importing *run)
{
    static const char *const foreign[] = {"spacing", "origin", "height-scale", "height-offset"};
    const char *up = vx_argument_value(run->arguments, "up");
    vx_error error;
    if (refuse(run, foreign, sizeof foreign / sizeof foreign[0], "a mesh")) {
        return VX_EXIT_USAGE;
    }
    /* There is nothing to turn yet, but whether there is such an axis is known. */
    if (up != NULL && !vx_import_mesh_turn(&run->mesh, up)) {
        return vx_complain(VX_EXIT_USAGE, "--up %s: one of x, y, z, -x, -y and -z is needed", up);
    }
    if (vx_mesh_file_read(run->path, NULL, &run->mesh, &error) != VX_OK) {
        return vx_complain(failed(&error), "%s", error.message);
    }
    if (up != NULL) {
        (void)vx_import_mesh_turn(&run->mesh, up);
    }
    run->import.mesh = &run->mesh;
    return VX_EXIT_PASS;
}

static vx_exit read_heights(importing *run, bool picture)
{
    static const char *const foreign[] = {"up", "spacing"};
    const char *origin = vx_argument_value(run->arguments, "origin");
    double scale = picture ? (double)run->import.cell_height : 1;
    double offset = 0;
    double at[2];
    vx_error error;
    run->heights.spacing = (double)run->import.cell_size;
    if (refuse(run, foreign, picture ? 1 : 2, picture ? "a picture" : "an ESRI ASCII grid") ||
        !vx_argument_number(run->arguments, "height-scale", -HUGE_VAL, HUGE_VAL, &scale) ||
        !vx_argument_number(run->arguments, "height-offset", -HUGE_VAL, HUGE_VAL, &offset) ||
        !vx_argument_number(run->arguments, "spacing", 0x1p-1022, HUGE_VAL,
                            &run->heights.spacing) ||
        (origin != NULL && !read_list("origin", origin, 2, at))) {
        return VX_EXIT_USAGE;
    }
    vx_status status = picture
                           ? vx_height_png_read(run->path, scale, offset, &run->heights, &error)
                           : vx_height_asc_read(run->path, scale, offset, &run->heights, &error);
    if (status != VX_OK) {
        return vx_complain(failed(&error), "%s", error.message);
    }
    if (origin != NULL) {
        memcpy(run->heights.origin, at, sizeof at);
    }
    run->import.heights = &run->heights;
    return VX_EXIT_PASS;
}

static vx_exit read_source(importing *run)
{
    const char *dot = strrchr(run->path, '.');
    bool picture = dot != NULL && strcasecmp(dot, ".png") == 0;
    bool grid = dot != NULL && strcasecmp(dot, ".asc") == 0;
    return picture || grid ? read_heights(run, picture) : read_mesh(run);
}

/* "import/level" for "data/level.obj". */
static char *default_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    vx_text name = {0};
    vx_text_add(&name, "import/");
    vx_text_add_bytes(&name, base, dot != NULL ? (size_t)(dot - base) : strlen(base));
    return name.bytes;
}

static char *make_note(const importing *run)
{
    const char *slash = strrchr(run->path, '/');
    vx_text note = {0};
    vx_text_format(&note, "Imported from %s: ", slash != NULL ? slash + 1 : run->path);
    if (run->import.mesh != NULL) {
        vx_text_format(&note, "%zu triangles, %zu vertices.", run->mesh.triangle_count,
                       run->mesh.vertex_count);
    } else {
        vx_text_format(&note, "%lld by %lld heights.", (long long)run->heights.count[0],
                       (long long)run->heights.count[1]);
    }
    return note.bytes;
}

static vx_exit write_case(const importing *run, const vx_chapter *chapter, vx_input *input)
{
    const char *name = vx_argument_value(run->arguments, "name");
    const char *out = vx_argument_value(run->arguments, "out");
    vx_case item = {.chapter = chapter, .input = input, .note = make_note(run)};
    item.name = name != NULL ? vx_must_strdup(name) : default_name(run->path);
    vx_text line = {0};
    vx_exit status = VX_EXIT_PASS;
    vx_error error;
    vx_case_write(&item, &line);
    if (line.size > VX_LINE_BYTES_MAX) {
        status = vx_complain(VX_EXIT_USAGE, "%s: the case has %zu bytes, more than %zu", run->path,
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
    vx_case_free(&item);
    return status;
}

static const vx_chapter *importing_chapter(void)
{
    size_t i = 0;
    while (vx_chapters[i]->importer == NULL) {
        i++;
    }
    return vx_chapters[i];
}

/* Prints the chapter's notes, a message for each line. */
static void print_notes(const vx_text *notes)
{
    const char *line = vx_text_string(notes);
    while (*line != '\0') {
        size_t length = strcspn(line, "\n");
        (void)vx_complain(VX_EXIT_PASS, "note: %.*s", (int)length, line);
        line += length + (line[length] != '\0' ? 1 : 0);
    }
}

static vx_exit run_import(const vx_arguments *arguments)
{
    const vx_chapter *chapter = importing_chapter();
    importing run = {.arguments = arguments,
                     .path = vx_operand(arguments, 0),
                     .import = chapter->importer->defaults};
    vx_text notes = {0};
    vx_error error;
    if (!read_options(&run) || !vx_argument_spares(arguments, "out", run.path)) {
        return VX_EXIT_USAGE;
    }
    vx_exit status = read_source(&run);
    if (status == VX_EXIT_PASS) {
        vx_input *input = chapter->importer->make(&run.import, &notes, &error);
        print_notes(&notes);
        status = input != NULL ? write_case(&run, chapter, input)
                               : vx_complain(failed(&error), "%s: %s", run.path, error.message);
    }
    vx_text_free(&notes);
    vx_import_mesh_free(&run.mesh);
    vx_import_heights_free(&run.heights);
    return status;
}

static const vx_option options[] = {
    {"out", "FILE", "write the case there (standard output)"},
    {"name", "NAME", "the case's name (import/ and the file's)"},
    {"cell-size", "NUMBER", "size of a cell along x and z (0.3)"},
    {"cell-height", "NUMBER", "height of a row (0.2)"},
    {"bounds", "X,Y,Z,X,Y,Z", "least and greatest corner of the grid (those of the file)"},
    {"floor-row", NULL, "one row more below, for floors exactly at the bottom"},
    {"height", "ROWS", "least height to stand in (10)"},
    {"climb", "ROWS", "greatest step, and the merge threshold (4)"},
    {"radius", "CELLS", "least distance from walls and edges (2)"},
    {"slope", "COSINE", "walkable is what is less steep: 0.5 is 60 degrees (0.70710677, 45)"},
    {"up", "AXIS", "meshes: the axis that points up: x, y, z, -x, -y, -z (y)"},
    {"spacing", "NUMBER", "pictures: distance between heights (the cell size)"},
    {"origin", "X,Z", "heights: where the first one lies (0,0, or what the grid's header says)"},
    {"height-scale", "NUMBER", "heights: multiplied by this (pictures: the cell height; grids: 1)"},
    {"height-offset", "NUMBER", "heights: then this is added (0)"},
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
