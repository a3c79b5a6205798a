/* SPDX-License-Identifier: MIT */
/* Reads what `voxcert import` and `voxcert audit --mesh` are about, and makes a case of it. */
#include "import_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const vx_import_option_names[] = {
    "cell-size", "cell-height", "bounds",  "floor-row", "height",       "climb",         "radius",
    "slope",     "up",          "spacing", "origin",    "height-scale", "height-offset", NULL};

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
static bool read_number(const vx_import_source *run, const char *option, float *value)
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

static bool read_bounds(vx_import_source *run)
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

static bool read_options(vx_import_source *run)
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
static bool refuse(const vx_import_source *run, const char *const *options, size_t count,
                   const char *kind)
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

static vx_exit read_mesh(vx_import_source *run)
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

static vx_exit read_heights(vx_import_source *run, bool picture)
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

static vx_exit read_source(vx_import_source *run)
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

static char *make_note(const vx_import_source *run)
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

vx_exit vx_import_source_read(vx_import_source *source, const vx_arguments *arguments,
                              const char *path)
{
    const vx_chapter *chapter = importing_chapter();
    vx_text notes = {0};
    vx_error error;
    *source = (vx_import_source){
        .arguments = arguments, .path = path, .import = chapter->importer->defaults};
    if (!read_options(source)) {
        return VX_EXIT_USAGE;
    }
    vx_exit status = read_source(source);
    if (status == VX_EXIT_PASS) {
        vx_input *input = chapter->importer->make(&source->import, &notes, &error);
        print_notes(&notes);
        if (input == NULL) {
            status = vx_complain(failed(&error), "%s: %s", path, error.message);
        } else {
            source->item = (vx_case){.name = default_name(path),
                                     .chapter = chapter,
                                     .note = make_note(source),
                                     .input = input};
        }
    }
    vx_text_free(&notes);
    return status;
}

void vx_import_source_free(vx_import_source *source)
{
    if (source->item.chapter != NULL) {
        vx_case_free(&source->item);
    }
    vx_import_mesh_free(&source->mesh);
    vx_import_heights_free(&source->heights);
    *source = (vx_import_source){0};
}
