/* SPDX-License-Identifier: MIT */
/* The report for the terminal: what was certified, what came out, and each failure explained. */
#include "summary.h"

#include <string.h>

#include "answer.h"
#include "spec.h"
#include "words.h"

enum {
    WIDTH = 100,
    SHOWN = 20,      /* failures, or cases not run, that are shown */
    ERROR_LINES = 8, /* lines of a failure's standard error that are shown */
    NAME_WIDTH = 32, /* of a section's title */
    LABEL_WIDTH = 15 /* of what stands before a fact */
};

/* --- what was certified -------------------------------------------------------------------------
 */

static void add_fact(vx_text *text, const char *label, const char *value)
{
    vx_text_format(text, "  %-*s", (int)LABEL_WIDTH, label);
    vx_add_printable(text, value, strlen(value));
    vx_text_add_char(text, '\n');
}

/* "tier smoke, filter B2, shard 1/4: 12 cases" */
static void add_selection(vx_text *text, const vx_results_header *header)
{
    vx_text line = {0};
    vx_text_format(&line, "tier %s", header->tier);
    if (header->filter[0] != '\0') {
        vx_text_format(&line, ", filter %s", header->filter);
    }
    if (strcmp(header->shard, "1/1") != 0) {
        vx_text_format(&line, ", shard %s", header->shard);
    }
    vx_text_add(&line, ": ");
    vx_add_counted(&line, header->case_count, "case");
    add_fact(text, "selected", vx_text_string(&line));
    vx_text_free(&line);
}

/* Passes that were not smooth: the port had to be started again for them. */
static void add_slow(vx_text *text, const vx_results *results)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const vx_record *record = &results->records[i];
        count += record->verdict == VX_PASS && record->detail != NULL ? 1 : 0;
    }
    if (count > 0) {
        vx_text line = {0};
        vx_add_counted(&line, count, "case");
        vx_text_add(&line, " gave no answer in time at first, and passed when asked alone");
        add_fact(text, "note", vx_text_string(&line));
        vx_text_free(&line);
    }
}

static void add_head(vx_text *text, const vx_results *results)
{
    const vx_results_header *header = &results->header;
    vx_text line = {0};
    vx_text_format(&line, "%s %s (%s)", header->name, header->version, header->language);
    add_fact(text, "certified", vx_text_string(&line));
    add_fact(text, header->how, header->command);
    vx_text_clear(&line);
    vx_add_count(&line, header->vector_count);
    vx_text_format(&line, ", sha256 %s", header->vectors);
    add_fact(text, "vectors", vx_text_string(&line));
    add_selection(text, header);
    vx_text_clear(&line);
    vx_text_format(&line, "%.2f s", results->seconds);
    if (results->judged == results->count && results->seconds > 0) {
        vx_text_format(&line, ", %.0f cases/s", (double)results->judged / results->seconds);
    }
    add_fact(text, "time", vx_text_string(&line));
    for (size_t i = 0; i < results->note_count; i++) {
        add_fact(text, "note", results->notes[i]);
    }
    add_slow(text, results);
    vx_text_free(&line);
}

/* --- counts -------------------------------------------------------------------------------------
 */

static void add_verdicts(vx_text *text, const vx_results *results)
{
    vx_text_add_char(text, '\n');
    for (unsigned i = 0; i < VX_VERDICT_COUNT; i++) {
        vx_verdict verdict = (vx_verdict)i;
        size_t count = vx_results_count(results, verdict);
        if (count > 0 || verdict == VX_PASS) {
            vx_text number = {0};
            vx_add_count(&number, count);
            vx_text_format(text, "  %-*s %8s  %s\n", (int)LABEL_WIDTH, vx_verdict_name(verdict),
                           vx_text_string(&number), vx_verdict_meaning(verdict));
            vx_text_free(&number);
        }
    }
}

/* The size of the section's id at the front of a clause's id or of a section's title. */
static size_t section_size(const char *string)
{
    return strcspn(string, ". ");
}

static bool cites_section(const vx_record *record, const char *section)
{
    size_t size = section_size(section);
    for (size_t i = 0; i < record->clause_count; i++) {
        const char *clause = record->clauses[i];
        if (section_size(clause) == size && strncmp(clause, section, size) == 0) {
            return true;
        }
    }
    return false;
}

static void add_section(vx_text *text, const vx_results *results, const char *section)
{
    size_t passed = 0;
    size_t total = 0;
    for (size_t i = 0; i < results->count; i++) {
        if (cites_section(&results->records[i], section)) {
            total++;
            passed += results->records[i].verdict == VX_PASS ? 1 : 0;
        }
    }
    if (total > 0) {
        vx_text line = {0};
        vx_add_count(&line, passed);
        vx_text_add(&line, " of ");
        vx_add_count(&line, total);
        vx_text_format(text, "  %-*s %s passed%s\n", (int)NAME_WIDTH, section,
                       vx_text_string(&line), passed < total ? "  <--" : "");
        vx_text_free(&line);
    }
}

/* A line for each section of the specification that a case is about. */
static void add_sections(vx_text *text, const vx_results *results, const vx_spec *spec)
{
    const char *last = "";
    vx_text_add_char(text, '\n');
    for (size_t i = 0; i < spec->count; i++) {
        if (strcmp(spec->clauses[i].section, last) != 0) {
            last = spec->clauses[i].section;
            add_section(text, results, last);
        }
    }
}

/* --- failures -----------------------------------------------------------------------------------
 */

/* The last lines of what the port wrote to standard error. */
static void add_errors(vx_text *text, const char *errors)
{
    size_t size = strlen(errors);
    size_t start = size;
    for (size_t lines = 0; start > 0; start--) {
        if (errors[start - 1] == '\n' && start < size && ++lines == ERROR_LINES) {
            break;
        }
    }
    vx_text_add(text, "      its standard error ends:\n");
    while (start < size) {
        size_t line = strcspn(errors + start, "\n");
        vx_text_add(text, "        | ");
        vx_add_printable(text, errors + start, line);
        vx_text_add_char(text, '\n');
        start += line + 1;
    }
}

static void add_sentence(vx_text *text, const char *sentence)
{
    if (sentence != NULL) {
        vx_text printable = {0};
        vx_add_printable(&printable, sentence, strlen(sentence));
        vx_add_wrapped(text, "      ", printable.bytes, printable.size, WIDTH);
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
        add_errors(text, record->errors);
    }
    vx_text_format(text, "      again: %s", results->header.again);
    if (strcmp(results->header.tier, "full") == 0) {
        vx_text_add(text, " --tier full");
    }
    vx_text_add(text, " --filter ");
    vx_add_shell_word(text, record->name);
    vx_text_add_char(text, '\n');
}

/* The clause that a case's failure is shown under: the first that it cites. */
static bool is_about(const vx_record *record, const vx_spec *spec, const vx_clause *clause)
{
    const vx_clause *first =
        record->clause_count > 0 ? vx_spec_find(spec, record->clauses[0]) : NULL;
    return vx_verdict_is_failure(record->verdict) && first == clause;
}

/* The failures about one clause, or those (NULL) about none that SPEC.md has. */
static void add_group(vx_text *text, const vx_results *results, const vx_spec *spec,
                      const vx_clause *clause, size_t *shown)
{
    bool titled = false;
    for (size_t i = 0; i < results->count && *shown < SHOWN; i++) {
        if (!is_about(&results->records[i], spec, clause)) {
            continue;
        }
        if (!titled && clause != NULL) {
            vx_text sentence = {0};
            vx_text_format(&sentence, "%s %s", clause->id, clause->text);
            vx_text_add_char(text, '\n');
            vx_add_wrapped(text, "", sentence.bytes, sentence.size, WIDTH);
            vx_text_free(&sentence);
        }
        titled = true;
        add_failure(text, results, &results->records[i]);
        (*shown)++;
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

static void add_failures(vx_text *text, const vx_results *results, const vx_spec *spec,
                         const char *path)
{
    size_t total = vx_results_failures(results);
    size_t shown = 0;
    for (size_t i = 0; i < spec->count && total > 0; i++) {
        add_group(text, results, spec, &spec->clauses[i], &shown);
    }
    add_group(text, results, spec, NULL, &shown);
    add_rest(text, shown, total, path);
}

static bool is_missing(const vx_record *record)
{
    return record->verdict == VX_NOT_RUN || record->verdict == VX_SKIP;
}

/* The cases that were skipped or not run, by name. */
static void add_missing(vx_text *text, const vx_results *results, const char *path)
{
    size_t total = 0;
    size_t shown = 0;
    for (size_t i = 0; i < results->count; i++) {
        total += is_missing(&results->records[i]) ? 1 : 0;
    }
    vx_text_add(text, total > 0 ? "\n" : "");
    for (size_t i = 0; i < results->count && shown < SHOWN; i++) {
        const vx_record *record = &results->records[i];
        if (is_missing(record)) {
            vx_text_format(text, "  %-8s %s\n", vx_verdict_name(record->verdict), record->name);
            add_sentence(text, record->detail);
            shown++;
        }
    }
    add_rest(text, shown, total, path);
}

/* --- the verdict --------------------------------------------------------------------------------
 */

static bool is_whole(const vx_results_header *header)
{
    return header->filter[0] == '\0' && strcmp(header->shard, "1/1") == 0 &&
           strcmp(header->tier, "smoke") != 0;
}

static void add_pass(const vx_results *results, vx_text *text)
{
    const vx_results_header *header = &results->header;
    size_t passed = vx_results_count(results, VX_PASS);
    vx_text_add(text, is_whole(header) ? "CONFORMANT: " : "PASSED, but only a part was asked: ");
    vx_add_counted(text, passed, "case");
    vx_text_format(text,
                   " gave exactly the answer of SPEC.md. This shows that %s %s agrees with it "
                   "on these cases; it proves nothing about other inputs.",
                   header->name, header->version);
}

static void add_incomplete(const vx_results *results, vx_text *text)
{
    size_t not_run = vx_results_count(results, VX_NOT_RUN);
    size_t skipped = vx_results_count(results, VX_SKIP);
    vx_text_add(text, "INCOMPLETE: ");
    if (results->count == 0) {
        vx_text_add(text, "no case was selected, so nothing was shown.");
        return;
    }
    vx_text_add(text, "of ");
    vx_add_counted(text, results->count, "case");
    vx_text_add(text, ", ");
    vx_add_count(text, vx_results_count(results, VX_PASS));
    vx_text_add(text, " passed, ");
    vx_add_count(text, skipped);
    vx_text_add(text, " were skipped and ");
    vx_add_count(text, not_run);
    vx_text_add(text, " were not run. Nothing failed, but this is no certificate.");
}

void vx_summary_verdict(const vx_results *results, vx_text *text)
{
    vx_text sentence = {0};
    vx_exit status = vx_results_exit(results);
    if (status == VX_EXIT_PASS) {
        add_pass(results, &sentence);
    } else if (status == VX_EXIT_INCOMPLETE) {
        add_incomplete(results, &sentence);
    } else {
        vx_text_add(&sentence, "NOT CONFORMANT: ");
        vx_add_count(&sentence, vx_results_failures(results));
        vx_text_add(&sentence, " of ");
        vx_add_counted(&sentence, results->count, "case");
        vx_text_add(&sentence, " failed.");
    }
    vx_add_wrapped(text, "", sentence.bytes, sentence.size, WIDTH);
    vx_text_free(&sentence);
}

void vx_summary_write(const vx_results *results, const char *path, vx_text *text)
{
    vx_spec spec;
    vx_spec_read_own(&spec);
    add_head(text, results);
    add_verdicts(text, results);
    add_sections(text, results, &spec);
    add_failures(text, results, &spec, path);
    add_missing(text, results, path);
    vx_text_add_char(text, '\n');
    vx_summary_verdict(results, text);
    vx_spec_free(&spec);
}
