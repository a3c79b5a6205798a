/* SPDX-License-Identifier: MIT */
/* voxcert run: cases in, rows out. */
#include <stdio.h>
#include <string.h>

#include "asked.h"
#include "case.h"
#include "commands.h"
#include "draw.h"
#include "implementation.h"
#include "reference.h"
#include "rows_diff.h"
#include "spec.h"

typedef enum output_format { FORMAT_ROWS, FORMAT_JSON, FORMAT_COUNTS, FORMAT_COUNT } output_format;

static const char *const format_names[FORMAT_COUNT] = {
    [FORMAT_ROWS] = "rows", [FORMAT_JSON] = "json", [FORMAT_COUNTS] = "counts"};

typedef struct runner {
    const char *implementation;
    const char *library;
    const char *port;    /* a command that answers instead of a table; NULL: none */
    vx_asked_port asked; /* with it */
    const char *picture; /* a file to draw into; NULL: none */
    vx_picture_format picture_format;
    output_format format;
    vx_run_options options;
    bool diff; /* print where the answers differ, not the answers */
    bool trace;
    const vx_arguments *arguments; /* with the clauses that are traced; none: all */
    bool headings;                 /* several cases: their names stand above the rows */
    const vx_chapter *chapter;
    const void *table; /* of the chapter; NULL before the first case */
    vx_arena arena;
    vx_text text;
    size_t matching, differing, unanswered;
} runner;

/* Whether the trace of the clause is wanted. Headings ("") are. */
static bool is_traced(const vx_arguments *arguments, const char *clause)
{
    const char *word = vx_argument_value(arguments, "trace-clause");
    bool traced = word == NULL || clause[0] == '\0';
    for (size_t i = 0; !traced && word != NULL; i++) {
        word = vx_argument_values(arguments, "trace-clause", i);
        traced = word != NULL && vx_spec_names(word, clause);
    }
    return traced;
}

static void print_trace(void *context, const char *clause, const char *text)
{
    const runner *run = context;
    if (is_traced(run->arguments, clause)) {
        (void)fprintf(stderr, "%-6s %s\n", clause[0] != '\0' ? clause : "--", text);
    }
}

/* Makes sure that run->table is that of the chapter; it is opened once. */
static vx_exit open_table(runner *run, const vx_chapter *chapter)
{
    if (run->table != NULL && run->chapter == chapter) {
        return VX_EXIT_PASS;
    }
    const void *table = vx_implementation_open_watched(chapter, run->implementation, run->library);
    if (table == NULL) {
        return run->library != NULL ? VX_EXIT_NO_PORT : VX_EXIT_USAGE;
    }
    if (run->trace) {
        table = chapter->traced(table);
    }
    if (table == NULL) {
        return vx_complain(VX_EXIT_USAGE, "--trace: this implementation does not trace; without "
                                          "--lib and --impl the reference does");
    }
    run->chapter = chapter;
    run->table = table;
    return VX_EXIT_PASS;
}

static void print_result(runner *run, const vx_result *result)
{
    const vx_result_shape *shape = run->chapter->shape;
    vx_text *text = &run->text;
    vx_text_clear(text);
    if (run->format == FORMAT_JSON || result->error != VX_OK) {
        vx_result_write(shape, result, text);
        vx_text_add_char(text, '\n');
    } else if (run->format == FORMAT_COUNTS) {
        run->chapter->summarize(result, text);
    } else {
        vx_result_print_rows(shape, result, 0, result->rows, text);
    }
    (void)fwrite(vx_text_string(text), 1, text->size, stdout);
}

/* What the case expects as rows: of a digest they are the reference's, if that is theirs. *made is
 * to be freed. */
static vx_expect expected_rows(runner *run, const vx_case *item, vx_result *made)
{
    vx_expect expect = item->expect;
    if (expect.digest && vx_reference_run(item, &run->arena, made) == VX_OK &&
        vx_result_matches(item->chapter->shape, &expect, made, &run->text)) {
        expect = (vx_expect){.result = *made};
    }
    return expect;
}

/* Prints the rows that differ, where there are rows to compare. */
static void print_diff(runner *run, const vx_case *item, const char *label, const vx_result *result)
{
    vx_result made = {0};
    vx_text_clear(&run->text);
    vx_expect expect = expected_rows(run, item, &made);
    vx_text_clear(&run->text);
    vx_rows_diff(run->chapter->shape, &expect, result, &run->text);
    if (run->headings && run->text.size > 0) {
        printf("# %s\n", label);
    }
    (void)fwrite(vx_text_string(&run->text), 1, run->text.size, stdout);
    vx_result_free(&made);
}

static void compare(runner *run, const vx_case *item, const char *label, const vx_result *result)
{
    vx_text_clear(&run->text);
    if (!item->has_expect || run->options.step_limit != SIZE_MAX) {
        run->unanswered++;
    } else if (vx_result_matches(run->chapter->shape, &item->expect, result, &run->text)) {
        run->matching++;
    } else {
        run->differing++;
        (void)vx_complain(VX_EXIT_NOT_CONFORMANT, "%s: %s", label, vx_text_string(&run->text));
        if (run->diff) {
            print_diff(run, item, label, result);
        }
    }
}

static vx_exit draw(const runner *run, const vx_case *item)
{
    vx_draw_request request = {.item = item,
                               .table = run->table,
                               .maker = run->library != NULL ? run->library : run->implementation,
                               .format = run->picture_format};
    return vx_draw_file(&request, run->picture);
}

static vx_exit ask_port(runner *run, const vx_case *item, const char *label, vx_result *result)
{
    vx_text_clear(&run->text);
    vx_exit status = vx_asked_port_ask(&run->asked, item, result, &run->text);
    if (status != VX_EXIT_PASS) {
        (void)vx_complain(status, "%s: %s", label, vx_text_string(&run->text));
        vx_target_tell_errors(&run->asked.target);
    }
    return status;
}

/* The answer to the case, by the port or in this process. */
static vx_exit answer(runner *run, const vx_case *item, const char *label, vx_result *result)
{
    run->chapter = run->port != NULL ? item->chapter : run->chapter;
    if (run->port != NULL) {
        return ask_port(run, item, label, result);
    }
    vx_status status =
        item->chapter->run(run->table, item->input, &run->options, &run->arena, result);
    return status == VX_OK
               ? VX_EXIT_PASS
               : vx_complain(status == VX_NO_MEMORY ? VX_EXIT_INCOMPLETE : VX_EXIT_NOT_CONFORMANT,
                             "%s: %s: %s", label, vx_status_name(status), result->message);
}

/* Runs and prints one case. PASS, although it may differ: the counts tell that. */
static vx_exit run_case(runner *run, const vx_case *item)
{
    vx_exit opened = run->port != NULL ? VX_EXIT_PASS : open_table(run, item->chapter);
    if (opened != VX_EXIT_PASS) {
        return opened;
    }
    char buffer[32];
    const char *label = vx_case_label(item, buffer);
    if (run->diff && !item->has_expect) {
        return vx_complain(VX_EXIT_USAGE, "--diff: %s has no expected answer to compare with",
                           label);
    }
    if (run->headings && run->format != FORMAT_JSON && !run->diff) {
        printf("# %s\n", label);
    }
    if (run->headings && run->trace) {
        (void)fprintf(stderr, "# %s\n", label);
    }
    vx_result result;
    vx_exit status = answer(run, item, label, &result);
    if (status != VX_EXIT_PASS) {
        return status;
    }
    if (!run->diff) {
        print_result(run, &result);
    }
    if (result.error != VX_OK && result.message[0] != '\0') {
        (void)vx_complain(VX_EXIT_PASS, "%s: %s", label, result.message);
    }
    compare(run, item, label, &result);
    vx_result_free(&result);
    return run->picture != NULL ? draw(run, item) : VX_EXIT_PASS;
}

static bool is_wanted(const vx_case *item, const char *name)
{
    return name == NULL || strcmp(item->name, name) == 0;
}

static vx_exit run_cases(runner *run, const vx_case_list *list, const char *name)
{
    size_t wanted = 0;
    for (size_t i = 0; i < list->count; i++) {
        wanted += is_wanted(&list->items[i], name) ? 1 : 0;
    }
    if (wanted == 0) {
        return name != NULL ? vx_complain(VX_EXIT_USAGE, "no case is called %s", name)
                            : vx_complain(VX_EXIT_INCOMPLETE, "there is no case in the file");
    }
    if (wanted > 1 && run->picture != NULL) {
        return vx_complain(VX_EXIT_USAGE, "--draw: %zu cases; --name says which one", wanted);
    }
    run->headings = wanted > 1;
    for (size_t i = 0; i < list->count; i++) {
        vx_exit status =
            is_wanted(&list->items[i], name) ? run_case(run, &list->items[i]) : VX_EXIT_PASS;
        if (status != VX_EXIT_PASS) {
            return status;
        }
    }
    if (wanted > 1) {
        (void)vx_complain(VX_EXIT_PASS,
                          "%zu cases: %zu as expected, %zu otherwise, %zu without an expected "
                          "answer",
                          wanted, run->matching, run->differing, run->unanswered);
    }
    return run->differing > 0 ? VX_EXIT_NOT_CONFORMANT : VX_EXIT_PASS;
}

/* Whether SPEC.md has every clause and section of --trace-clause; complains otherwise. */
static bool check_clauses(const vx_arguments *arguments)
{
    vx_spec spec;
    vx_spec_read_own(&spec);
    bool good = true;
    const char *word = vx_argument_values(arguments, "trace-clause", 0);
    for (size_t i = 1; good && word != NULL; i++) {
        good = false;
        for (size_t k = 0; !good && k < spec.count; k++) {
            good = vx_spec_names(word, spec.clauses[k].id);
        }
        if (!good) {
            (void)vx_complain(VX_EXIT_USAGE,
                              "--trace-clause %s: SPEC.md has no such clause or section; the "
                              "nearest clause is %s",
                              word, vx_spec_nearest(&spec, word)->id);
        }
        word = vx_argument_values(arguments, "trace-clause", i);
    }
    vx_spec_free(&spec);
    return good;
}

/* A port does only what the protocol has; false after a complaint. */
static bool read_port(const vx_arguments *arguments, runner *run)
{
    static const char *const others[] = {"impl", "lib", "steps", "draw", "trace", "trace-clause"};
    run->port = vx_argument_value(arguments, "port");
    if (run->port == NULL) {
        return true;
    }
    if (run->port[strspn(run->port, " \t\n")] == '\0') {
        (void)vx_complain(VX_EXIT_USAGE, "--port: a command is needed, not an empty word");
        return false;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (vx_argument_flag(arguments, others[i])) {
            (void)vx_complain(VX_EXIT_USAGE, "--port and --%s exclude each other", others[i]);
            return false;
        }
    }
    return true;
}

/* Reads the options into the runner; false after a complaint. */
static bool read_options(const vx_arguments *arguments, runner *run)
{
    const char *implementation = vx_argument_value(arguments, "impl");
    const char *format = vx_argument_value(arguments, "format");
    int64_t steps = INT64_MAX;
    run->library = vx_argument_value(arguments, "lib");
    run->implementation = implementation != NULL ? implementation : "ref";
    if (implementation != NULL && run->library != NULL) {
        (void)vx_complain(VX_EXIT_USAGE, "--impl and --lib exclude each other");
        return false;
    }
    while (format != NULL && run->format < FORMAT_COUNT &&
           strcmp(format, format_names[run->format]) != 0) {
        run->format++;
    }
    if (run->format == FORMAT_COUNT) {
        (void)vx_complain(VX_EXIT_USAGE, "--format %s: rows, json or counts is needed", format);
        return false;
    }
    if (!read_port(arguments, run)) {
        return false;
    }
    run->diff = vx_argument_flag(arguments, "diff");
    if (run->diff && (format != NULL || vx_argument_flag(arguments, "steps"))) {
        (void)vx_complain(VX_EXIT_USAGE, "--diff and --%s exclude each other",
                          format != NULL ? "format" : "steps");
        return false;
    }
    run->picture = vx_argument_value(arguments, "draw");
    if (run->picture != NULL && !vx_draw_format(run->picture, &run->picture_format)) {
        return false;
    }
    if (!vx_argument_integer(arguments, "steps", 0, INT64_MAX, &steps)) {
        return false;
    }
    run->options.step_limit = steps == INT64_MAX ? SIZE_MAX : (size_t)steps;
    run->arguments = arguments;
    run->trace =
        vx_argument_flag(arguments, "trace") || vx_argument_flag(arguments, "trace-clause");
    run->options.guards_input = true;
    run->options.trace = run->trace ? print_trace : NULL;
    run->options.trace_context = run;
    return !vx_argument_flag(arguments, "trace-clause") || check_clauses(arguments);
}

static vx_exit run_command(const vx_arguments *arguments)
{
    runner run = {0};
    if (!read_options(arguments, &run) ||
        !vx_argument_spares(arguments, "draw", vx_operand(arguments, 0))) {
        return VX_EXIT_USAGE;
    }
    vx_case_list list = {0};
    vx_exit status = VX_EXIT_USAGE;
    vx_reference_arena(&run.arena);
    if (run.port != NULL) {
        vx_asked_port_init(&run.asked, run.port);
    }
    if (vx_case_list_read(&list, vx_operand(arguments, 0), false)) {
        status = run_cases(&run, &list, vx_argument_value(arguments, "name"));
    }
    if (run.port != NULL && !vx_asked_port_end(&run.asked) && status == VX_EXIT_PASS) {
        status = VX_EXIT_NOT_CONFORMANT;
    }
    vx_arena_free(&run.arena);
    vx_text_free(&run.text);
    vx_case_list_free(&list);
    return status;
}

static const vx_option options[] = {
    {"impl", "NAME", "the built-in implementation that runs (ref)"},
    {"lib", "FILE", "a shared library that brings an implementation"},
    {"port", "COMMAND", "a port that is asked instead, such as \"node port.js\""},
    {"name", "CASE", "only the case of that name"},
    {"format", "FORMAT", "rows (one a line), json (an answer a line) or counts"},
    {"diff", NULL, "print the rows that differ from the expected ones, instead of all rows"},
    {"steps", "N", "only the first N steps; the expected answer is not looked at"},
    {"draw", "FILE", "also draw the case, see `voxcert draw`; --steps does not count there"},
    {"trace", NULL, "print every intermediate value, with its clause, on standard error"},
    {"trace-clause", "CLAUSE",
     "trace only what CLAUSE (B8.3) or its section (B8) says; repeatable"},
};

static const char *const repeatable[] = {"trace-clause", NULL};

const vx_command vx_command_run = {
    .name = "run",
    .operands = "FILE",
    .summary = "runs cases and prints their results",
    .details =
        "FILE holds cases, one a line; - is standard input, a directory stands for every *.jsonl\n"
        "file below it. The rows of a single case are printed as they are hashed, so `| "
        "sha256sum`\n"
        "checks a digest; above those of several stands a line with # and the name. An error is\n"
        "printed as JSON, its message on standard error. With an expected answer in the case, the\n"
        "first difference is printed on standard error and the exit status is 1. --diff lists all\n"
        "rows that differ: - expected and missing, + one too many, with equal ones around them;\n"
        "with a digest, from the reference's rows, if it is theirs.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .repeatable = repeatable,
    .operands_min = 1,
    .operands_max = 1,
    .run = run_command,
};
