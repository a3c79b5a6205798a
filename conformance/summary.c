/* SPDX-License-Identifier: MIT */
/* The report for the terminal: what was certified, what came out, and each failure explained. */
#include "summary.h"

#include <string.h>

#include "answer.h"
#include "failures.h"
#include "spec.h"
#include "words.h"

enum {
    REASONS = 5,     /* why cases were skipped or not run: so many are told */
    NAME_WIDTH = 32, /* of a section's title */
    COUNT_WIDTH = 9, /* of a count in the table of sections */
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

static bool is_library(const vx_results_header *header)
{
    return strcmp(header->how, "library") == 0;
}

/* Who was asked: "my-port 1.2 (C#)", and of a library, which has no version, what its table says.
 */
static void add_who(vx_text *text, const vx_results_header *header)
{
    vx_text line = {0};
    vx_text_add(&line, header->name);
    if (!is_library(header)) {
        vx_text_format(&line, " %s (%s)", header->version, header->language);
    }
    add_fact(text, "implementation", vx_text_string(&line));
    vx_text_free(&line);
    if (strcmp(header->how, "implementation") != 0) {
        add_fact(text, header->how, header->command);
    }
}

static void add_head(vx_text *text, const vx_results *results)
{
    const vx_results_header *header = &results->header;
    vx_text line = {0};
    add_who(text, header);
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

static void add_column(vx_text *text, size_t count)
{
    vx_text number = {0};
    vx_add_count(&number, count);
    vx_text_format(text, " %*s", (int)COUNT_WIDTH, vx_text_string(&number));
    vx_text_free(&number);
}

/* The section's cases that passed, failed, and were skipped or not run. */
static void add_section(vx_text *text, const vx_results *results, const char *section)
{
    size_t passed = 0;
    size_t failed = 0;
    size_t skipped = 0;
    for (size_t i = 0; i < results->count; i++) {
        vx_verdict verdict = results->records[i].verdict;
        if (cites_section(&results->records[i], section)) {
            bool is_failure = vx_verdict_is_failure(verdict);
            passed += verdict == VX_PASS ? 1 : 0;
            failed += is_failure ? 1 : 0;
            skipped += verdict != VX_PASS && !is_failure ? 1 : 0;
        }
    }
    if (passed + failed + skipped > 0) {
        vx_text_format(text, "  %-*s", (int)NAME_WIDTH, section);
        add_column(text, passed);
        add_column(text, failed);
        add_column(text, skipped);
        vx_text_add(text, failed > 0 ? "  <--\n" : "\n");
    }
}

/* A line for each section of the specification that a case is about; nothing when there is none. */
static void add_sections(vx_text *text, const vx_results *results, const vx_spec *spec)
{
    const char *last = "";
    vx_text lines = {0};
    for (size_t i = 0; i < spec->count; i++) {
        if (strcmp(spec->clauses[i].section, last) != 0) {
            last = spec->clauses[i].section;
            add_section(&lines, results, last);
        }
    }
    if (lines.size > 0) {
        vx_text_format(text, "\n  %-*s %*s %*s %*s\n%s", (int)NAME_WIDTH, "section",
                       (int)COUNT_WIDTH, "passed", (int)COUNT_WIDTH, "failed", (int)COUNT_WIDTH,
                       "skipped", lines.bytes);
    }
    vx_text_free(&lines);
}

/* --- cases without a verdict ---------------------------------------------------------------------
 */

/* Why cases were skipped or not run. */
typedef struct reason {
    const vx_record *first;
    size_t count;
} reason;

static bool same_reason(const vx_record *a, const vx_record *b)
{
    const char *left = a->detail != NULL ? a->detail : "";
    const char *right = b->detail != NULL ? b->detail : "";
    return a->verdict == b->verdict && strcmp(left, right) == 0;
}

/* Counts the record under its reason. Reasons behind the last one are counted together. */
static void count_reason(reason reasons[REASONS + 1], const vx_record *record)
{
    size_t i = 0;
    while (i < REASONS && reasons[i].first != NULL && !same_reason(reasons[i].first, record)) {
        i++;
    }
    if (reasons[i].first == NULL) {
        reasons[i].first = record;
    }
    reasons[i].count++;
}

static void add_reason(vx_text *text, const reason *found, bool other)
{
    vx_text line = {0};
    vx_text_format(&line, "%s: ", other ? "others" : vx_verdict_name(found->first->verdict));
    vx_add_counted(&line, found->count, "case");
    if (!other && found->first->detail != NULL) {
        vx_text_add(&line, ", ");
        vx_add_printable(&line, found->first->detail, strlen(found->first->detail));
    }
    vx_add_wrapped(text, "  ", line.bytes, line.size, VX_REPORT_WIDTH);
    vx_text_free(&line);
}

/* How many cases were skipped or not run, and why. */
static void add_missing(vx_text *text, const vx_results *results)
{
    reason reasons[REASONS + 1] = {{0}};
    for (size_t i = 0; i < results->count; i++) {
        const vx_record *record = &results->records[i];
        if (record->verdict == VX_NOT_RUN || record->verdict == VX_SKIP) {
            count_reason(reasons, record);
        }
    }
    vx_text_add(text, reasons[0].first != NULL ? "\n" : "");
    for (size_t i = 0; i <= REASONS && reasons[i].first != NULL; i++) {
        add_reason(text, &reasons[i], i == REASONS);
    }
}

/* --- the verdict --------------------------------------------------------------------------------
 */

/* Whether no case of the vectors was left out. */
static bool is_whole(const vx_results_header *header)
{
    return header->filter[0] == '\0' && strcmp(header->shard, "1/1") == 0 &&
           strcmp(header->tier, "smoke") != 0;
}

static bool is_own(const vx_results_header *header)
{
    return header->files[0] == '\0';
}

static void add_cases(vx_text *text, const vx_results *results)
{
    if (results->count == 1) {
        vx_text_add(text, "the only case");
    } else {
        vx_add_counted(text, results->count, "case");
    }
    if (!is_own(&results->header)) {
        vx_text_format(text, " of %s", results->header.files);
    }
}

/* "3 of ", where there are several. */
static void add_part(vx_text *text, size_t count, const vx_results *results)
{
    if (results->count > 1) {
        vx_add_count(text, count);
        vx_text_add(text, " of ");
    }
}

/* "1 was skipped" */
static void add_were(vx_text *text, size_t count, const char *what)
{
    vx_add_count(text, count);
    vx_text_format(text, " %s %s", count == 1 ? "was" : "were", what);
}

static void add_pass(const vx_results *results, vx_text *text)
{
    const vx_results_header *header = &results->header;
    size_t passed = vx_results_count(results, VX_PASS);
    if (passed < results->count || !is_whole(header)) {
        vx_text_add(text, "PASSED, but only a part was asked: ");
        add_part(text, passed, results);
    } else {
        vx_text_add(text, is_own(header) ? "CONFORMANT: " : "PASSED: ");
        vx_text_add(text, results->count == 1 ? "" : "all ");
    }
    add_cases(text, results);
    vx_text_format(text,
                   " gave exactly the answer of SPEC.md. This shows that %s%s%s agrees with it "
                   "on these cases; it proves nothing about other inputs.",
                   header->name, is_library(header) ? "" : " ",
                   is_library(header) ? "" : header->version);
}

static void add_fail(const vx_results *results, vx_text *text)
{
    bool certain = is_own(&results->header) && is_whole(&results->header);
    vx_text_add(text, certain ? "NOT CONFORMANT: " : "FAILED: ");
    add_part(text, vx_results_failures(results), results);
    add_cases(text, results);
    vx_text_add(text, " failed.");
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
    add_were(text, skipped, "skipped");
    vx_text_add(text, " and ");
    add_were(text, not_run, "not run");
    vx_text_add(text, ". Nothing failed, but this is no certificate.");
}

/* The command that goes on with the run. */
static void add_go_on(vx_text *text, const vx_results_header *header, const char *path)
{
    vx_text_format(text, "%s --tier %s", header->again, header->tier);
    if (header->filter[0] != '\0') {
        vx_text_format(text, " --filter %s", header->filter);
    }
    if (strcmp(header->shard, "1/1") != 0) {
        vx_text_format(text, " --shard %s", header->shard);
    }
    vx_text_add(text, " --resume ");
    vx_add_shell_word(text, path);
}

/* One line, so that the command can be copied. */
static void add_interrupted(const vx_results *results, const char *path, vx_text *text)
{
    size_t missing = vx_results_count(results, VX_NOT_RUN);
    vx_text_add(text, "INTERRUPTED: ");
    vx_add_count(text, results->count - missing);
    vx_text_add(text, " judged, ");
    vx_add_count(text, vx_results_failures(results));
    vx_text_add(text, " failed, ");
    vx_add_count(text, missing);
    vx_text_add(text, " not run; ");
    if (path != NULL) {
        vx_text_add(text, "go on with: ");
        add_go_on(text, &results->header, path);
    } else {
        vx_text_add(text, "start it with --results FILE to be able to go on");
    }
    vx_text_add_char(text, '\n');
}

static void add_verdict(const vx_results *results, vx_text *text)
{
    vx_text sentence = {0};
    vx_exit status = vx_results_exit(results);
    if (status == VX_EXIT_PASS) {
        add_pass(results, &sentence);
    } else if (status == VX_EXIT_INCOMPLETE) {
        add_incomplete(results, &sentence);
    } else {
        add_fail(results, &sentence);
    }
    vx_add_wrapped(text, "", sentence.bytes, sentence.size, VX_REPORT_WIDTH);
    vx_text_free(&sentence);
}

void vx_summary_verdict(const vx_results *results, const char *path, vx_text *text)
{
    if (results->interrupted && vx_results_count(results, VX_NOT_RUN) > 0) {
        add_interrupted(results, path, text);
    } else {
        add_verdict(results, text);
    }
}

void vx_summary_write(const vx_results *results, const char *path, vx_text *text)
{
    vx_spec spec;
    vx_spec_read_own(&spec);
    add_head(text, results);
    add_verdicts(text, results);
    add_sections(text, results, &spec);
    vx_add_failures(text, results, &spec, path);
    add_missing(text, results);
    vx_text_add_char(text, '\n');
    vx_summary_verdict(results, path, text);
    vx_spec_free(&spec);
}
