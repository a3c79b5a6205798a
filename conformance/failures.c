/* SPDX-License-Identifier: MIT */
/* The part of the report that is about failures: suspect clauses first, then a few examples. */
#include "failures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "case.h"
#include "suspects.h"
#include "words.h"

enum {
    SUSPECTS = 10,     /* clauses in the table */
    SHOWN = 20,        /* examples in all */
    SHOWN_CLAUSE = 2,  /* under one clause */
    COUNTS_WIDTH = 18, /* of "failed of answered" */
    TITLE_WIDTH = 70   /* of a clause's first words */
};

/* --- the table ----------------------------------------------------------------------------------
 */

/* The words of the sentence that fit. */
static void add_first_words(vx_text *text, const char *sentence)
{
    vx_text lines = {0};
    vx_add_wrapped(&lines, "", sentence, strlen(sentence), TITLE_WIDTH);
    size_t size = strcspn(vx_text_string(&lines), "\n");
    vx_text_add_bytes(text, vx_text_string(&lines), size);
    vx_text_add(text, size + 1 < lines.size ? " …" : "");
    vx_text_free(&lines);
}

static void add_suspect(vx_text *text, const vx_suspect *suspect)
{
    vx_text counts = {0};
    vx_add_count(&counts, suspect->failed);
    vx_text_add(&counts, " of ");
    vx_add_count(&counts, suspect->judged);
    vx_text_format(text, "  %-7s %-*s ", suspect->clause->id, (int)COUNTS_WIDTH,
                   vx_text_string(&counts));
    add_first_words(text, suspect->clause->text);
    vx_text_add_char(text, '\n');
    vx_text_free(&counts);
}

static void add_suspects(vx_text *text, const vx_suspects *suspects)
{
    vx_text_format(text, "\n  %-7s %-*s %s; the most suspect first\n", "clause", (int)COUNTS_WIDTH,
                   "failed of answered",
                   suspects->handmade ? "of the cases made by hand" : "of all cases");
    for (size_t i = 0; i < suspects->count && i < (size_t)SUSPECTS; i++) {
        if (suspects->items[i].failed > 0) {
            add_suspect(text, &suspects->items[i]);
        }
    }
}

/* --- one failure --------------------------------------------------------------------------------
 */

static void add_sentence(vx_text *text, const char *sentence)
{
    if (sentence != NULL) {
        vx_text printable = {0};
        vx_add_printable(&printable, sentence, strlen(sentence));
        vx_add_wrapped(text, "      ", printable.bytes, printable.size, VX_REPORT_WIDTH);
        vx_text_free(&printable);
    }
}

static void add_failure(vx_text *text, const vx_results *results, const vx_record *record)
{
    vx_text_format(text, "\n  %s%s  %s\n", vx_verdict_name(record->verdict),
                   record->stateful ? " (stateful: asked alone it passes)" : "", record->name);
    add_sentence(text, record->note);
    add_sentence(text, record->difference);
    add_sentence(text, record->detail);
    if (record->errors != NULL) {
        vx_add_port_errors(text, record->errors);
    }
    vx_text_format(text, "      again: %s", results->header.again);
    if (strcmp(results->header.tier, "full") == 0) {
        vx_text_add(text, " --tier full");
    }
    vx_text_add(text, " --filter ");
    vx_add_shell_word(text, record->name);
    vx_text_add_char(text, '\n');
}

/* --- examples -----------------------------------------------------------------------------------
 */

/* What was shown already. */
typedef struct examples {
    const vx_results *results;
    const vx_suspects *suspects;
    bool *shown; /* by record */
    size_t count;
    const vx_record *first; /* that the other commands can look into; NULL: none */
} examples;

/* Whether another case of a generated case's family was shown. */
static bool has_family(const examples *made, const char *name)
{
    size_t size = (size_t)(strrchr(name, '/') - name) + 1;
    for (size_t i = 0; i < made->results->count; i++) {
        if (made->shown[i] && strncmp(made->results->records[i].name, name, size) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the failed case is about the clause or (NULL) about none that SPEC.md has. */
static bool is_about(const examples *made, const vx_record *record, const vx_clause *clause)
{
    bool known = false;
    for (size_t i = 0; i < made->suspects->count && clause == NULL && !known; i++) {
        known = vx_record_cites(record, made->suspects->items[i].clause->id);
    }
    return clause != NULL ? vx_record_cites(record, clause->id) : !known;
}

/* Whether the case may be shown under the clause or among those of no known clause. */
static bool is_wanted(const examples *made, size_t index, const vx_clause *clause, bool generated)
{
    const vx_record *record = &made->results->records[index];
    return vx_verdict_is_failure(record->verdict) && !made->shown[index] &&
           vx_is_generated_name(record->name) == generated && is_about(made, record, clause) &&
           (!generated || !has_family(made, record->name));
}

static void add_clause(vx_text *text, const vx_clause *clause)
{
    vx_text sentence = {0};
    vx_text_format(&sentence, "%s %s", clause->id, clause->text);
    vx_text_add_char(text, '\n');
    vx_add_wrapped(text, "", sentence.bytes, sentence.size, VX_REPORT_WIDTH);
    vx_text_free(&sentence);
}

/* Of the others there is no answer to look into, or no file. */
static void keep_first(examples *made, const vx_record *record)
{
    bool is_open = record->verdict == VX_FAIL && record->item != NULL && record->item->file != NULL;
    made->first = made->first == NULL && is_open ? record : made->first;
}

/* Failures about one clause, those made by hand first. */
static void add_group(vx_text *text, examples *made, const vx_clause *clause)
{
    size_t total = made->results->count;
    size_t before = made->count;
    for (size_t k = 0; k < 2 * total; k++) {
        bool generated = k >= total;
        size_t i = generated ? k - total : k;
        bool full = made->count == SHOWN || made->count - before == SHOWN_CLAUSE;
        if (full || !is_wanted(made, i, clause, generated)) {
            continue;
        }
        if (made->count == before && clause != NULL) {
            add_clause(text, clause);
        }
        add_failure(text, made->results, &made->results->records[i]);
        made->shown[i] = true;
        made->count++;
        keep_first(made, &made->results->records[i]);
    }
}

/* How many more there are than those that were shown, and where. */
static void add_rest(vx_text *text, size_t shown, size_t total, const char *path)
{
    if (shown < total) {
        vx_text_add(text, "\n  … and ");
        vx_add_count(text, total - shown);
        vx_text_format(text, " more; %s%s\n",
                       path != NULL ? "all are in " : "--results FILE keeps all",
                       path != NULL ? path : "");
    }
}

/* --- what leads on ------------------------------------------------------------------------------
 */

/* "voxcert COMMAND FILE --name NAME --lib FILE", with what is certified. */
static void add_tool(vx_text *text, const vx_results_header *header, const vx_record *record,
                     const char *what, const char *command, const char *rest)
{
    bool library = strcmp(header->how, "library") == 0;
    bool here = strcmp(header->how, "implementation") == 0;
    vx_text_format(text, "    %-26s ", what);
    vx_add_shell_word(text, program_invocation_name);
    vx_text_format(text, " %s ", command);
    vx_add_shell_word(text, record->item->file);
    vx_text_add(text, " --name ");
    vx_add_shell_word(text, record->name);
    vx_text_add(text, library ? " --lib " : here ? " --impl " : " --port ");
    vx_add_shell_word(text, header->command);
    vx_text_format(text, "%s\n", rest);
}

/* The commands that show more of the first example. */
static void add_tools(vx_text *text, const vx_results *results, const vx_record *record)
{
    const vx_case *item = record->item;
    vx_text_add(text, "\n  A closer look, here at ");
    vx_add_printable(text, record->name, strlen(record->name));
    vx_text_add(text, ":\n");
    if (item->expect.kinds == 0) {
        add_tool(text, &results->header, record, "every wrong row", "run", " --diff");
    }
    if (item->chapter->audit != NULL) {
        add_tool(text, &results->header, record, "what exact arithmetic says", "audit", "");
    }
    if (item->chapter->draw != NULL) {
        add_tool(text, &results->header, record, "a picture", "draw", " --out case.svg");
    }
}

void vx_add_failures(vx_text *text, const vx_results *results, const vx_spec *spec,
                     const char *path)
{
    vx_suspects suspects;
    vx_suspects_find(results, spec, &suspects);
    examples made = {.results = results,
                     .suspects = &suspects,
                     .shown = vx_must_alloc(results->count, sizeof(bool))};
    if (suspects.count > 0) {
        add_suspects(text, &suspects);
    }
    for (size_t i = 0; i < suspects.count; i++) {
        add_group(text, &made, suspects.items[i].clause);
    }
    add_group(text, &made, NULL);
    add_rest(text, made.count, vx_results_failures(results), path);
    if (made.first != NULL) {
        add_tools(text, results, made.first);
    }
    free(made.shown);
    vx_suspects_free(&suspects);
}
