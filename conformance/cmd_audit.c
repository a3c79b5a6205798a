/* SPDX-License-Identifier: MIT */
/* voxcert audit: what an implementation makes of each step, before the exact judge. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "asked.h"
#include "audit.h"
#include "case.h"
#include "commands.h"
#include "implementation.h"
#include "import_source.h"
#include "progress.h"
#include "words.h"

/* The judge's work unless --cells says otherwise; some minutes. */
#define CELLS (INT64_C(1) << 22)
#define CELLS_MAX (INT64_C(1) << 40)

/* Findings of one step that are shown unless --all is given. */
enum { SHOWN = 20 };

typedef struct auditor {
    const char *implementation, *library;
    vx_asked_port *port; /* NULL: none */
    int64_t cells;
    bool all, notes;
    bool is_mesh;      /* no case: places are told in the mesh's coordinates, too */
    bool is_open;      /* something was within the bound */
    bool headings;     /* several cases: their names stand above what is said */
    const char *label; /* of the case at hand, until it is printed */
    const vx_chapter *chapter;
    const void *table; /* of the chapter; NULL before the first case */
    vx_progress progress;
    size_t cases, unjudged, findings;
    int64_t step;   /* that has the last finding */
    size_t in_step; /* findings of it */
} auditor;

/* --- what is said ----------------------------------------------------------------------------- */

/* Says how many findings of the last step were not shown. */
static void close_step(auditor *of)
{
    if (of->in_step > SHOWN && !of->all) {
        printf("… and %zu more findings of this step; --all shows them\n", of->in_step - SHOWN);
    }
    of->in_step = 0;
}

static void say(void *context, vx_audit_kind kind, int64_t step, const char *line)
{
    auditor *of = context;
    if (kind == VX_AUDIT_NOTE && !of->notes) {
        return;
    }
    vx_progress_hide(&of->progress);
    if (of->headings && of->label != NULL) {
        printf("# %s\n", of->label);
    }
    of->label = NULL;
    if (kind == VX_AUDIT_NOTE) {
        printf("note: %s\n", line);
        return;
    }
    if (step != of->step) {
        close_step(of);
    }
    of->step = step;
    of->findings++;
    if (of->in_step++ < SHOWN || of->all) {
        printf("%s\n", line);
    }
}

static void show_progress(void *context, uint64_t done, uint64_t total)
{
    auditor *of = context;
    of->progress.total = (size_t)total;
    vx_progress_set(&of->progress, (size_t)done, 0);
}

/* --- cases ------------------------------------------------------------------------------------ */

/* Makes sure that of->table is that of the chapter; it is opened once. */
static vx_exit open_table(auditor *of, const vx_chapter *chapter)
{
    if (of->chapter == chapter) {
        return VX_EXIT_PASS;
    }
    of->chapter = chapter;
    if (of->port != NULL) {
        return VX_EXIT_PASS;
    }
    of->table = vx_implementation_open_watched(chapter, of->implementation, of->library);
    if (of->table == NULL) {
        return of->library != NULL ? VX_EXIT_NO_PORT : VX_EXIT_USAGE;
    }
    return VX_EXIT_PASS;
}

static vx_exit audit_case(auditor *of, const vx_case *item)
{
    vx_problem problem = {0};
    char buffer[32];
    const char *label = vx_case_label(item, buffer);
    if (item->chapter->audit == NULL) {
        return vx_complain(VX_EXIT_USAGE, "%s: the chapter %s has no exact judge", label,
                           item->chapter->name);
    }
    vx_exit status = open_table(of, item->chapter);
    if (status != VX_EXIT_PASS) {
        return status;
    }
    const vx_audit_request request = {.item = item,
                                      .table = of->port == NULL ? of->table : NULL,
                                      .ask = vx_asked_port_answer,
                                      .ask_context = of->port,
                                      .limit = (uint64_t)of->cells,
                                      .is_open = &of->is_open,
                                      .with_world = of->is_mesh,
                                      .say = say,
                                      .progress = show_progress,
                                      .context = of};
    if (of->port != NULL) {
        of->port->failure = VX_EXIT_PASS;
    }
    of->label = label;
    of->step = -2;
    vx_progress_begin(&of->progress, 0, true);
    status = item->chapter->audit(&request, &problem);
    vx_progress_end(&of->progress);
    of->label = NULL;
    close_step(of);
    of->cases++;
    if (of->port != NULL && of->port->failure != VX_EXIT_PASS) {
        status = of->port->failure;
    }
    if (status != VX_EXIT_PASS) {
        of->unjudged++;
        (void)vx_complain(status, "%s: %s", label, vx_problem_reason(&problem));
    }
    return status;
}

/* Audits the cases of that name, or all; goes on after one that could not be judged. */
static vx_exit audit_cases(auditor *of, const vx_case_list *list, const char *name)
{
    vx_exit status = VX_EXIT_PASS;
    of->headings = name == NULL && list->count > 1;
    of->notes = of->notes || !of->headings;
    for (size_t i = 0; i < list->count; i++) {
        const vx_case *item = &list->items[i];
        if (name != NULL && strcmp(item->name, name) != 0) {
            continue;
        }
        vx_exit came = audit_case(of, item);
        if (came == VX_EXIT_USAGE || came == VX_EXIT_NO_PORT || came == VX_EXIT_INTERNAL) {
            return came;
        }
        status = status == VX_EXIT_PASS || came == VX_EXIT_NOT_CONFORMANT ? came : status;
    }
    if (of->cases == 0) {
        return name != NULL ? vx_complain(VX_EXIT_USAGE, "no case is called %s", name)
                            : vx_complain(VX_EXIT_INCOMPLETE, "there is no case in the file");
    }
    return status;
}

static vx_exit audit_file(auditor *of, const vx_arguments *arguments, const char *path)
{
    vx_case_list list = {0};
    vx_import_source source = {0};
    vx_exit status = VX_EXIT_USAGE;
    if (vx_argument_flag(arguments, "mesh")) {
        status = vx_import_source_read(&source, arguments, path);
        if (status == VX_EXIT_PASS) {
            status = audit_case(of, &source.item);
        }
    } else if (vx_case_list_read(&list, path, false)) {
        status = audit_cases(of, &list, vx_argument_value(arguments, "name"));
    } else if (vx_mesh_is_named(path)) {
        (void)vx_complain(status, "%s: cases are needed; --mesh reads meshes", path);
    }
    vx_case_list_free(&list);
    vx_import_source_free(&source);
    return status;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Options that mean nothing with the others are refused: they were meant for something. */
static bool check_options(const vx_arguments *arguments)
{
    bool mesh = vx_argument_flag(arguments, "mesh");
    if (mesh && vx_argument_flag(arguments, "name")) {
        (void)vx_complain(VX_EXIT_USAGE, "--mesh and --name exclude each other");
        return false;
    }
    for (size_t i = 0; vx_import_option_names[i] != NULL && !mesh; i++) {
        if (vx_argument_flag(arguments, vx_import_option_names[i])) {
            (void)vx_complain(VX_EXIT_USAGE, "--%s is for --mesh; a case has its own",
                              vx_import_option_names[i]);
            return false;
        }
    }
    return vx_asked_check(arguments);
}

/* Says what it came to, and what no exact judge can say; findings decide the status. */
static vx_exit conclude(const auditor *of, vx_exit status)
{
    if (of->cases > 0) {
        vx_text line = {0};
        vx_add_counted(&line, of->findings, "finding");
        vx_text_add(&line, " in ");
        vx_add_counted(&line, of->cases, "case");
        if (of->unjudged > 0) {
            vx_text_format(&line, ", %zu of them not judged to the end", of->unjudged);
        }
        if (of->is_open) {
            vx_text_format(&line, "; not judged: %s (docs/TRUST.md)", of->chapter->audit_leaves);
        }
        (void)vx_complain(VX_EXIT_PASS, "%s", vx_text_string(&line));
        vx_text_free(&line);
    }
    return of->findings > 0 ? VX_EXIT_NOT_CONFORMANT : status;
}

static vx_exit run_audit(const vx_arguments *arguments)
{
    const char *implementation = vx_argument_value(arguments, "impl");
    const char *command = vx_argument_value(arguments, "port");
    auditor of = {.implementation = implementation != NULL ? implementation : "ref",
                  .library = vx_argument_value(arguments, "lib"),
                  .cells = CELLS,
                  .all = vx_argument_flag(arguments, "all"),
                  .is_mesh = vx_argument_flag(arguments, "mesh"),
                  .notes =
                      vx_argument_flag(arguments, "notes") || vx_argument_flag(arguments, "mesh"),
                  .progress = {.end = -1}};
    vx_asked_port port;
    if (!check_options(arguments) ||
        !vx_argument_integer(arguments, "cells", 1, CELLS_MAX, &of.cells)) {
        return VX_EXIT_USAGE;
    }
    vx_exit status = VX_EXIT_PASS;
    if (command != NULL) {
        of.port = &port;
        status = vx_asked_port_start(&port, command);
    }
    if (status == VX_EXIT_PASS) {
        status = conclude(&of, audit_file(&of, arguments, vx_operand(arguments, 0)));
    }
    if (command != NULL) {
        vx_asked_port_end(&port);
    }
    return status;
}

static const vx_option options[] = {
    {"impl", "NAME", "the built-in implementation that is judged (ref)"},
    {"lib", "FILE", "a shared library that brings an implementation"},
    {"port", "COMMAND", "a port that is asked instead, such as \"node port.js\""},
    {"name", "CASE", "only the case of that name"},
    {"all", NULL, "show all findings, not only the first 20 of a step"},
    {"notes", NULL, "of several cases, too, what one should know: refusals, centres of volumes"},
    {"cells", "N", "the judge's work, in cells of triangles; what needs more is refused (4194304)"},
    {"mesh", NULL, "FILE is a mesh or heights, as `voxcert import` reads them; with its options:"},
    VX_IMPORT_OPTIONS,
};

static const char details[] =
    "Takes the implementation through each case, one step after the other, and holds what it made\n"
    "of each step against exact rational arithmetic and the definitions of SPEC.md; an expected\n"
    "answer is not looked at. A finding is a line: the step, the column, the rows, what is there,\n"
    "the exact value with the bound within which the judge has no opinion, and the clause; with\n"
    "--mesh also where the column's centre is in the world. What is judged, and what the bound\n"
    "is, stands in docs/TRUST.md; the last line says whether anything was within it.\n"
    "FILE holds cases, one a line; - is standard input, a directory stands for every *.jsonl file\n"
    "below it. The exit status is 1 when there are findings or a port fails, 4 when nothing was\n"
    "found and a case needs more work than --cells allows or is skipped by a port. A port is\n"
    "asked once for every step.\n";

const vx_command vx_command_audit = {.name = "audit",
                                     .operands = "FILE",
                                     .summary = "judge an implementation by exact arithmetic",
                                     .details = details,
                                     .options = options,
                                     .option_count = sizeof options / sizeof options[0],
                                     .operands_min = 1,
                                     .operands_max = 1,
                                     .run = run_audit};
