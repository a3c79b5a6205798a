/* SPDX-License-Identifier: MIT */
/* voxcert vectors: lists, fills, checks, locks, adds and generates conformance vectors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "home.h"
#include "spec.h"
#include "vectors.h"

bool vx_is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

vx_exit vx_vectors_each(const vx_arguments *arguments,
                        vx_exit (*act)(void *context, const char *path), void *context)
{
    vx_exit status = VX_EXIT_PASS;
    size_t count = vx_operand_count(arguments);
    for (size_t i = 1; i < count && status == VX_EXIT_PASS; i++) {
        status = act(context, vx_operand(arguments, i));
    }
    if (count > 1) {
        return status;
    }
    char *own = vx_home_data("vectors");
    if (own == NULL) {
        return vx_complain(VX_EXIT_INCOMPLETE, "the vectors are not where the program looks for "
                                               "them; name a directory");
    }
    status = act(context, own);
    free(own);
    return status;
}

/* --- list ---------------------------------------------------------------------------------------
 */

typedef struct lister {
    bool names;
    vx_spec spec;
    size_t *cited; /* one for each clause: vectors that cite it */
    size_t vectors, files;
} lister;

static bool list_file(void *context, const char *path)
{
    lister *list = context;
    vx_case_list cases = {0};
    bool good = vx_case_list_read(&cases, path, false);
    if (good) {
        printf("%6zu  %s\n", cases.count, path);
    }
    for (size_t i = 0; i < cases.count; i++) {
        const vx_case *item = &cases.items[i];
        for (size_t k = 0; k < item->clause_count; k++) {
            const vx_clause *clause = vx_spec_find(&list->spec, item->clauses[k]);
            if (clause != NULL) {
                list->cited[clause - list->spec.clauses]++;
            }
        }
        if (list->names && good) {
            printf("          %s\n", item->name);
        }
    }
    list->vectors += cases.count;
    list->files++;
    vx_case_list_free(&cases);
    return good;
}

static vx_exit list_path(void *context, const char *path)
{
    return vx_case_files_visit(path, list_file, context) ? VX_EXIT_PASS : VX_EXIT_USAGE;
}

vx_exit vx_vectors_list(const vx_arguments *arguments)
{
    lister list = {.names = vx_argument_flag(arguments, "names")};
    vx_spec_read_own(&list.spec);
    list.cited = vx_must_alloc(list.spec.count, sizeof *list.cited);
    vx_exit status = vx_vectors_each(arguments, list_path, &list);
    if (status == VX_EXIT_PASS) {
        printf("%6zu  %s in %zu %s\n\n", list.vectors, list.vectors == 1 ? "vector" : "vectors",
               list.files, list.files == 1 ? "file" : "files");
    }
    for (size_t i = 0; i < list.spec.count && status == VX_EXIT_PASS; i++) {
        printf("%6zu  %s\n", list.cited[i], list.spec.clauses[i].id);
    }
    free(list.cited);
    vx_spec_free(&list.spec);
    return status;
}

/* --- the command --------------------------------------------------------------------------------
 */

typedef struct action {
    const char *name;
    vx_exit (*run)(const vx_arguments *arguments);
    const char *options[6]; /* those that it takes */
} action;

static const action actions[] = {
    {"list", vx_vectors_list, {"names"}},
    {"fill", vx_vectors_fill, {NULL}},
    {"check", vx_vectors_check, {NULL}},
    {"lock", vx_vectors_lock, {NULL}},
    {"add", vx_vectors_add, {"topic", "note", "clause"}},
    {"generate", vx_vectors_generate, {"family", "seeds", "count", "out", "into"}}};

static const vx_option options[] = {
    {"names", NULL, "list: name every vector"},
    {"family", "NAME", "generate: the family, or all"},
    {"seeds", "A..B", "generate: from these seeds"},
    {"count", "N", "generate: choose N cases of each family, few of them dull (32)"},
    {"topic", "NAME", "add: to DIR/CHAPTER/NAME.jsonl (found)"},
    {"note", "TEXT", "add: what the case shows"},
    {"clause", "ID", "add: a clause that a case without clauses is about; may be repeated"},
    {"out", "FILE", "generate: write to this file, not to standard output"},
    {"into", "DIR", "generate: write DIR/CHAPTER/generated/FAMILY.jsonl"},
};

static bool takes(const action *chosen, const char *option)
{
    size_t i = 0;
    while (chosen->options[i] != NULL && strcmp(chosen->options[i], option) != 0) {
        i++;
    }
    return chosen->options[i] != NULL;
}

static vx_exit run_command(const vx_arguments *arguments)
{
    const char *name = vx_operand(arguments, 0);
    const action *chosen = NULL;
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        chosen = strcmp(actions[i].name, name) == 0 ? &actions[i] : chosen;
    }
    if (chosen == NULL) {
        return vx_complain(VX_EXIT_USAGE,
                           "vectors %s: list, fill, check, lock, add or generate is needed; see "
                           "`voxcert vectors --help`",
                           name);
    }
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (vx_argument_flag(arguments, options[i].name) && !takes(chosen, options[i].name)) {
            return vx_complain(VX_EXIT_USAGE, "vectors %s: takes no --%s", name, options[i].name);
        }
    }
    return chosen->run(arguments);
}

static const char *const repeatable[] = {"clause", NULL};

const vx_command vx_command_vectors = {
    .name = "vectors",
    .operands = "ACTION [FILE|DIR …]",
    .summary = "lists, fills, checks, locks, adds and generates vectors",
    .details =
        "  list [FILE|DIR …]   how many vectors each file has, and how many cite each clause\n"
        "  fill FILE …         rewrites files in canonical form, with the reference's answer "
        "where\n"
        "                      none is given. An answer that is there is never changed: where the\n"
        "                      reference differs, the file stays as it is and the exit status is "
        "1\n"
        "  check [FILE|DIR …]  holds vectors to their rules: canonical form, names, notes, "
        "clauses,\n"
        "                      flags, answers; below a directory, published names too\n"
        "  lock [DIR …]        adds the names of new vectors to DIR/names.lock. A name that "
        "stands\n"
        "                      there never goes and never means another question\n"
        "  add FILE [DIR]      makes vectors of found cases: names each after its question, fills "
        "in\n"
        "                      note and answer, appends it to a file of DIR and locks the names. "
        "A\n"
        "                      question that a vector asks already is refused\n"
        "  generate            names the families; with --family makes their cases: with --seeds\n"
        "                      all of them, with --count or neither a choice of which one in ten\n"
        "                      has no rows or the rows of another\n"
        "Without FILE and DIR the project's own vectors are meant.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .repeatable = repeatable,
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .run = run_command,
};
