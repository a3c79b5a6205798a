/* SPDX-License-Identifier: MIT */
/* voxcert draw: a case becomes a picture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asked.h"
#include "case.h"
#include "commands.h"
#include "draw.h"
#include "implementation.h"

/* The case of that name, or the only one; NULL after a complaint. */
static const vx_case *find_case(const vx_case_list *list, const char *path, const char *name)
{
    for (size_t i = 0; i < list->count && name != NULL; i++) {
        if (strcmp(list->items[i].name, name) == 0) {
            return &list->items[i];
        }
    }
    if (name != NULL) {
        (void)vx_complain(VX_EXIT_USAGE, "%s: no case is called %s", path, name);
        return NULL;
    }
    if (list->count != 1) {
        (void)vx_complain(VX_EXIT_USAGE, "%s holds %zu cases; --name says which one to draw", path,
                          list->count);
        return NULL;
    }
    return &list->items[0];
}

static bool read_view(const char *view, unsigned *views)
{
    static const struct {
        const char *name;
        unsigned views;
    } known[] = {
        {"all", 0}, {"top", VX_VIEW_TOP}, {"slice", VX_VIEW_SLICE}, {"cells", VX_VIEW_CELLS}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(view, known[i].name) == 0) {
            *views = known[i].views;
            return true;
        }
    }
    (void)vx_complain(VX_EXIT_USAGE, "--view %s: one of all, top, slice and cells is needed", view);
    return false;
}

/* "x=12" or "z=7". */
static bool read_slice(const char *slice, vx_draw_request *request)
{
    char *end;
    if ((slice[0] == 'x' || slice[0] == 'z') && slice[1] == '=') {
        request->slice_at = strtoll(slice + 2, &end, 10);
        if (end != slice + 2 && *end == '\0' && request->slice_at >= 0) {
            request->slice_axis = slice[0];
            return true;
        }
    }
    (void)vx_complain(VX_EXIT_USAGE, "--slice %s: x=COLUMN or z=COLUMN is needed", slice);
    return false;
}

/* Draws what a port answers. */
static vx_exit draw_port(vx_draw_request *request, const char *command, const char *out)
{
    vx_asked_port port;
    request->ask = vx_asked_port_answer;
    request->context = &port;
    request->maker = command;
    vx_exit status = vx_asked_port_start(&port, command);
    if (status == VX_EXIT_PASS) {
        status = vx_draw_file(request, out);
    }
    vx_asked_port_end(&port);
    request->ask = NULL;
    request->context = NULL;
    return port.failure != VX_EXIT_PASS ? port.failure : status;
}

/* Draws what a built-in implementation or a library answers. */
static vx_exit draw_table(vx_draw_request *request, const char *name, const char *library,
                          const char *out)
{
    request->table = vx_implementation_open_watched(request->item->chapter, name, library);
    request->maker = library != NULL ? library : name;
    if (request->table == NULL) {
        return library != NULL ? VX_EXIT_NO_PORT : VX_EXIT_USAGE;
    }
    return vx_draw_file(request, out);
}

static vx_exit run_draw(const vx_arguments *arguments)
{
    const char *path = vx_operand(arguments, 0);
    const char *out = vx_argument_value(arguments, "out");
    const char *view = vx_argument_value(arguments, "view");
    const char *slice = vx_argument_value(arguments, "slice");
    const char *port = vx_argument_value(arguments, "port");
    const char *name = vx_argument_value(arguments, "impl");
    vx_draw_request request = {0};
    vx_case_list list = {0};
    vx_exit status = VX_EXIT_USAGE;
    if (out == NULL) {
        return vx_complain(VX_EXIT_USAGE, "draw: --out FILE is needed, an .svg or a .png");
    }
    if (!vx_draw_format(out, &request.format) || !vx_argument_spares(arguments, "out", path) ||
        !vx_asked_check(arguments) || (view != NULL && !read_view(view, &request.views)) ||
        (slice != NULL && !read_slice(slice, &request))) {
        return VX_EXIT_USAGE;
    }
    if (!vx_case_list_read(&list, path, false)) {
        goto done;
    }
    request.item = find_case(&list, path, vx_argument_value(arguments, "name"));
    if (request.item == NULL) {
        goto done;
    }
    status = port != NULL ? draw_port(&request, port, out)
                          : draw_table(&request, name != NULL ? name : "ref",
                                       vx_argument_value(arguments, "lib"), out);
done:
    vx_case_list_free(&list);
    return status;
}

static const vx_option options[] = {
    {"out", "FILE", "the picture, an .svg or a .png; needed"},
    {"name", "NAME", "the case, where the file holds several"},
    {"view", "VIEW", "top, slice, cells, or all: what suits the case (all)"},
    {"slice", "x=N|z=N", "where the slice is cut (through the line with the most spans)"},
    {"impl", "NAME", "the built-in implementation whose answer is drawn (ref)"},
    {"lib", "FILE", "a shared library whose answer is drawn"},
    {"port", "COMMAND", "a port whose answer is drawn, such as \"node port.js\""},
};

static const char details[] =
    "The view from above shows the tops of spans: what can be walked on in colours that tell\n"
    "its height, the rest in colours that tell why not; other areas than 63 are hatched. The\n"
    "slice shows solid rows, the open heights above floors, and the links between them. Small\n"
    "grids are shown cell by cell, with their spans in numbers and the triangles above them.\n"
    "Where the case has an expected answer, the columns that are not as expected are marked, and\n"
    "the slice goes through the first. A port is asked for what the first steps make as well.\n"
    "A case whose answer is an error gives a picture of what was there before.\n";

const vx_command vx_command_draw = {.name = "draw",
                                    .operands = "FILE",
                                    .summary = "make a picture of a case",
                                    .details = details,
                                    .options = options,
                                    .option_count = sizeof options / sizeof options[0],
                                    .operands_min = 1,
                                    .operands_max = 1,
                                    .run = run_draw};
