/* SPDX-License-Identifier: MIT */
/* Holds code, tests, vectors and documents to the clauses of SPEC.md. Run it in the project's root.
 *
 *   check_spec               checks everything below and names what is wrong as FILE:LINE
 *   check_spec --rehash      writes the hash of each clause's text into SPEC.md
 *   check_spec --stamp FILE  writes the present hashes into the citations of FILE: to be run after
 *                            a person has looked at each place that cites a clause that changed.
 *                            conformance/vectors/clauses.lock is made anew from the vectors.
 *
 * A citation is a clause's id, behind which @ and the clause's hash may stand. What must hold:
 *   - the hashes in SPEC.md are those of the texts; ids ascend and none comes twice;
 *   - every id that stands anywhere names a clause, and every hash is the clause's present one; but
 *     strings in C files of tests/ are data and may hold anything;
 *   - in C files of ref/, fast/ and tests/ citations in comments carry a hash (ids in strings need
 *     none);
 *   - every clause is cited in a comment of ref/, also one that ref keeps by what it does not do;
 *   - every clause is cited by a vector or in a comment of a C file of tests/;
 *   - conformance/vectors/clauses.lock has a line `ID hash` for each clause that vectors cite, so
 *     that a clause that changes makes somebody look at its vectors. */
#include <ctype.h>
#include <fts.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "case.h"
#include "cli.h"
#include "file.h"
#include "spec.h"
#include "text.h"

static const char SPEC_PATH[] = "SPEC.md";
static const char VECTORS_PATH[] = "conformance/vectors";
static const char LOCK_PATH[] = "conformance/vectors/clauses.lock";
enum { HASH_DIGITS = VX_CLAUSE_HASH - 1 };
#define FILE_BYTES_MAX ((size_t)512 << 20)

/* Where citations may stand; what does not exist is passed over. */
static const char *const places[] = {"SPEC.md",     "README.md", "CHANGELOG.md", "CONTRIBUTING.md",
                                     "SECURITY.md", "Makefile",  "include",      "common",
                                     "ref",         "fast",      "oracle",       "conformance",
                                     "tests",       "tools",     "fuzz",         "bench",
                                     "scenarios",   "docs"};

static const char *const text_suffixes[] = {".c",     ".h",    ".S",    ".md",   ".sh",    ".js",
                                            ".mjs",   ".py",   ".json", ".toml", ".patch", ".yml",
                                            ".jsonl", ".lock", ".txt",  "file"};

typedef struct checker {
    vx_spec spec;
    bool *in_ref, *in_tests, *in_vectors; /* one for each clause */
    size_t citations;
    size_t failures;
} checker;

static void fail(checker *check, const char *path, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void fail(checker *check, const char *path, size_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%zu: ", path, line);
    (void)vprintf(format, arguments);
    (void)putchar('\n');
    va_end(arguments);
    check->failures++;
}

static bool ends_with(const char *string, const char *suffix)
{
    size_t size = strlen(string);
    size_t end = strlen(suffix);
    return size >= end && strcmp(string + size - end, suffix) == 0;
}

static bool starts_with(const char *string, const char *start)
{
    return strncmp(string, start, strlen(start)) == 0;
}

static bool is_c(const char *path)
{
    return ends_with(path, ".c") || ends_with(path, ".h");
}

static bool is_c_test(const char *path)
{
    return is_c(path) && starts_with(path, "tests/");
}

/* Whether comments must give the hash of what they cite. */
static bool needs_hashes(const char *path)
{
    return is_c_test(path) ||
           (is_c(path) && (starts_with(path, "ref/") || starts_with(path, "fast/")));
}

static bool read_text(const char *path, vx_text *text)
{
    vx_error error;
    if (vx_file_read(path, FILE_BYTES_MAX, text, &error) != VX_OK) {
        (void)vx_complain(VX_EXIT_USAGE, "%s", error.message);
        return false;
    }
    return true;
}

static bool write_text(const char *path, const vx_text *text)
{
    vx_error error;
    if (vx_file_write(path, vx_text_string(text), text->size, &error) != VX_OK) {
        (void)vx_complain(VX_EXIT_INTERNAL, "%s", error.message);
        return false;
    }
    return true;
}

/* --- citations ------------------------------------------------------------------------------- */

typedef enum lexical { CODE, LINE_COMMENT, BLOCK_COMMENT, STRING, CHARACTER } lexical;

/* Goes through a text from citation to citation; in C it knows comments from strings. */
typedef struct scanner {
    const vx_spec *spec;
    const char *text; /* NUL-terminated */
    size_t at;
    size_t line;
    bool is_c;
    lexical state;
} scanner;

typedef struct citation {
    char id[VX_CLAUSE_ID];
    const vx_clause *clause; /* NULL: there is none of that id */
    size_t end;              /* offset behind the id */
    const char *hash;        /* behind @; not terminated */
    size_t hash_size;        /* 0: none */
    size_t line;
    bool in_comment;
} citation;

/* The state behind the character at text[0], which is passed by *size characters. */
static lexical next_state(lexical state, const char *text, size_t *size)
{
    *size = 1;
    switch (state) {
    case CODE:
        if (text[0] == '/' && (text[1] == '*' || text[1] == '/')) {
            *size = 2;
            return text[1] == '*' ? BLOCK_COMMENT : LINE_COMMENT;
        }
        return text[0] == '"' ? STRING : text[0] == '\'' ? CHARACTER : CODE;
    case LINE_COMMENT:
        return text[0] == '\n' ? CODE : LINE_COMMENT;
    case BLOCK_COMMENT:
        if (text[0] == '*' && text[1] == '/') {
            *size = 2;
            return CODE;
        }
        return BLOCK_COMMENT;
    case STRING:
    case CHARACTER:
        if (text[0] == '\\' && text[1] != '\0') {
            *size = 2;
            return state;
        }
        return text[0] == (state == STRING ? '"' : '\'') || text[0] == '\n' ? CODE : state;
    }
    return state;
}

/* Whether the letters in front of an id are those of a chapter. */
static bool is_chapter(const vx_spec *spec, const char *id)
{
    size_t letters = strcspn(id, "0123456789");
    for (size_t i = 0; i < spec->count; i++) {
        if (strncmp(spec->clauses[i].id, id, letters) == 0 &&
            isdigit((unsigned char)spec->clauses[i].id[letters])) {
            return true;
        }
    }
    return false;
}

/* Reads the id that starts at text[0]: capitals, digits, point, digits, and no word behind. */
static bool read_id(const vx_spec *spec, const char *text, citation *found)
{
    size_t size = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    size_t letters = size;
    size += strspn(text + size, "0123456789");
    size_t point = size;
    if (letters == 0 || point == letters || text[point] != '.') {
        return false;
    }
    size += 1 + strspn(text + size + 1, "0123456789");
    if (size == point + 1 || size >= VX_CLAUSE_ID || isalnum((unsigned char)text[size]) ||
        text[size] == '_') {
        return false;
    }
    memcpy(found->id, text, size);
    found->id[size] = '\0';
    found->clause = vx_spec_find(spec, found->id);
    return is_chapter(spec, found->id);
}

/* Whether an id may start here: not inside a word or a number. */
static bool starts_word(const scanner *scan)
{
    const char *here = scan->text + scan->at;
    return isupper((unsigned char)here[0]) &&
           (scan->at == 0 ||
            (!isalnum((unsigned char)here[-1]) && here[-1] != '_' && here[-1] != '.'));
}

/* The citation that starts here, if one does. */
static bool read_citation(const scanner *scan, citation *found)
{
    *found = (citation){.line = scan->line};
    if (!starts_word(scan) || !read_id(scan->spec, scan->text + scan->at, found)) {
        return false;
    }
    found->end = scan->at + strlen(found->id);
    found->in_comment = scan->state == LINE_COMMENT || scan->state == BLOCK_COMMENT;
    const char *behind = scan->text + found->end;
    if (*behind == '@') {
        found->hash = behind + 1;
        found->hash_size = strspn(found->hash, "0123456789abcdefghijklmnopqrstuvwxyz");
    }
    return true;
}

/* The next citation; false at the end of the text. */
static bool next_citation(scanner *scan, citation *found)
{
    while (scan->text[scan->at] != '\0') {
        if (read_citation(scan, found)) {
            scan->at = found->end;
            return true;
        }
        size_t size = 1;
        if (scan->is_c) {
            scan->state = next_state(scan->state, scan->text + scan->at, &size);
        }
        for (; size > 0; size--) {
            scan->line += scan->text[scan->at++] == '\n' ? 1 : 0;
        }
    }
    return false;
}

static scanner start_scan(const vx_spec *spec, const char *path, const vx_text *text)
{
    return (scanner){.spec = spec, .text = vx_text_string(text), .line = 1, .is_c = is_c(path)};
}

static bool hash_is_current(const citation *found)
{
    return found->hash_size == HASH_DIGITS &&
           memcmp(found->hash, found->clause->text_hash, HASH_DIGITS) == 0;
}

/* --- checking files -------------------------------------------------------------------------- */

static void check_citation(checker *check, const char *path, const citation *found)
{
    const vx_clause *clause = found->clause;
    if (is_c_test(path) && !found->in_comment) {
        return;
    }
    check->citations++;
    if (clause == NULL) {
        fail(check, path, found->line, "%s is no clause of SPEC.md; the nearest is %s", found->id,
             vx_spec_nearest(&check->spec, found->id)->id);
        return;
    }
    if (found->hash_size > 0 && !hash_is_current(found)) {
        fail(check, path, found->line,
             "%s has changed since this was written: it cites %.*s, the hash is %s now", clause->id,
             (int)found->hash_size, found->hash, clause->text_hash);
    } else if (found->hash_size == 0 && found->in_comment && needs_hashes(path)) {
        fail(check, path, found->line, "%s is cited without its hash, %s", clause->id,
             clause->text_hash);
    }
    size_t index = (size_t)(clause - check->spec.clauses);
    if (starts_with(path, "ref/") && found->in_comment) {
        check->in_ref[index] = true;
    }
    if (is_c_test(path)) {
        check->in_tests[index] = true;
    }
}

static void check_file(checker *check, const char *path)
{
    vx_text text = {0};
    if (!read_text(path, &text)) {
        check->failures++;
        return;
    }
    scanner scan = start_scan(&check->spec, path, &text);
    citation found;
    while (next_citation(&scan, &found)) {
        check_citation(check, path, &found);
    }
    vx_text_free(&text);
}

static void note_vectors(checker *check, const char *path)
{
    vx_case_list list = {0};
    if (!vx_case_list_read(&list, path, false)) {
        check->failures++;
    }
    for (size_t i = 0; i < list.count; i++) {
        for (size_t k = 0; k < list.items[i].clause_count; k++) {
            const vx_clause *clause = vx_spec_find(&check->spec, list.items[i].clauses[k]);
            if (clause == NULL) {
                fail(check, path, list.items[i].line, "%s is no clause of SPEC.md",
                     list.items[i].clauses[k]);
            } else {
                check->in_vectors[clause - check->spec.clauses] = true;
            }
        }
    }
    vx_case_list_free(&list);
}

static bool is_text(const char *path)
{
    for (size_t i = 0; i < sizeof text_suffixes / sizeof text_suffixes[0]; i++) {
        if (ends_with(path, text_suffixes[i])) {
            return true;
        }
    }
    return false;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Calls visit for every text file at or below path. */
static void visit_files(checker *check, const char *path, void (*visit)(checker *, const char *))
{
    char *root = vx_must_strdup(path);
    char *roots[] = {root, NULL};
    FTS *tree =
        access(path, F_OK) == 0 ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name) : NULL;
    const FTSENT *entry;
    while (tree != NULL && (entry = fts_read(tree)) != NULL) {
        if (entry->fts_info == FTS_F && is_text(entry->fts_path)) {
            visit(check, entry->fts_path);
        }
    }
    if (tree != NULL) {
        (void)fts_close(tree);
    }
    free(root);
}

static void visit_vectors(checker *check, const char *path)
{
    if (ends_with(path, ".jsonl")) {
        note_vectors(check, path);
    }
}

/* --- what must hold -------------------------------------------------------------------------- */

static void check_hashes(checker *check)
{
    for (size_t i = 0; i < check->spec.count; i++) {
        const vx_clause *clause = &check->spec.clauses[i];
        if (strcmp(clause->hash, clause->text_hash) != 0) {
            fail(check, SPEC_PATH, clause->line,
                 "the hash of %s is %s, here stands %s (check_spec --rehash writes it)", clause->id,
                 clause->text_hash, clause->hash);
        }
    }
}

static void check_coverage(checker *check)
{
    for (size_t i = 0; i < check->spec.count; i++) {
        const vx_clause *clause = &check->spec.clauses[i];
        if (!check->in_ref[i]) {
            fail(check, SPEC_PATH, clause->line, "%s is cited in no comment of ref/", clause->id);
        }
        if (!check->in_vectors[i] && !check->in_tests[i]) {
            fail(check, SPEC_PATH, clause->line, "%s has no vector and no test", clause->id);
        }
    }
}

/* What the lock should hold, in the order of SPEC.md. */
static void make_lock(const checker *check, vx_text *lock)
{
    for (size_t i = 0; i < check->spec.count; i++) {
        if (check->in_vectors[i]) {
            vx_text_format(lock, "%s %s\n", check->spec.clauses[i].id,
                           check->spec.clauses[i].text_hash);
        }
    }
}

/* Line by line, so that a clause that changed is named. */
static void check_lock(checker *check)
{
    vx_text lock = {0};
    vx_text right = {0};
    bool *locked = vx_must_alloc(check->spec.count, sizeof *locked);
    if (access(LOCK_PATH, F_OK) == 0 && read_text(LOCK_PATH, &lock)) {
        size_t line = 1;
        for (const char *next = vx_text_string(&lock); *next != '\0'; line++) {
            size_t size = strcspn(next, "\n");
            char id[VX_CLAUSE_ID] = "";
            char hash[VX_CLAUSE_HASH] = "";
            (void)sscanf(next, "%15s %6s", id, hash);
            const vx_clause *clause = vx_spec_find(&check->spec, id);
            if (clause == NULL || !check->in_vectors[clause - check->spec.clauses]) {
                fail(check, LOCK_PATH, line, "no vector cites %s", id);
            } else if (strcmp(hash, clause->text_hash) != 0) {
                fail(check, LOCK_PATH, line,
                     "%s has changed since its vectors were looked at: %s, now %s", id, hash,
                     clause->text_hash);
            }
            if (clause != NULL) {
                locked[clause - check->spec.clauses] = true;
            }
            next += next[size] == '\n' ? size + 1 : size;
        }
    }
    for (size_t i = 0; i < check->spec.count; i++) {
        if (check->in_vectors[i] && !locked[i]) {
            fail(check, LOCK_PATH, 1, "%s is cited by vectors, but has no line here",
                 check->spec.clauses[i].id);
        }
    }
    make_lock(check, &right);
    if (check->failures == 0 && strcmp(vx_text_string(&lock), vx_text_string(&right)) != 0) {
        fail(check, LOCK_PATH, 1, "not in the order of SPEC.md, or a line comes twice");
    }
    free(locked);
    vx_text_free(&lock);
    vx_text_free(&right);
}

static bool open_checker(checker *check, vx_text *text)
{
    vx_problem problem = {0};
    if (!read_text(SPEC_PATH, text)) {
        return false;
    }
    if (!vx_spec_read(vx_text_string(text), text->size, &check->spec, &problem)) {
        (void)vx_complain(VX_EXIT_USAGE, "%s: %s", SPEC_PATH, problem.message);
        return false;
    }
    check->in_ref = vx_must_alloc(check->spec.count, sizeof *check->in_ref);
    check->in_tests = vx_must_alloc(check->spec.count, sizeof *check->in_tests);
    check->in_vectors = vx_must_alloc(check->spec.count, sizeof *check->in_vectors);
    return true;
}

static void close_checker(checker *check)
{
    free(check->in_ref);
    free(check->in_tests);
    free(check->in_vectors);
    vx_spec_free(&check->spec);
}

static vx_exit check_all(checker *check)
{
    check_hashes(check);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        visit_files(check, places[i], check_file);
    }
    visit_files(check, VECTORS_PATH, visit_vectors);
    check_coverage(check);
    check_lock(check);
    if (check->failures > 0) {
        printf("check_spec: %zu failures\n", check->failures);
        return VX_EXIT_NOT_CONFORMANT;
    }
    printf("check_spec: %zu clauses, %zu citations: all as it should be\n", check->spec.count,
           check->citations);
    return VX_EXIT_PASS;
}

/* --- writing hashes -------------------------------------------------------------------------- */

static vx_exit rehash(const checker *check, vx_text *text)
{
    size_t changed = 0;
    for (size_t i = 0; i < check->spec.count; i++) {
        const vx_clause *clause = &check->spec.clauses[i];
        changed += strcmp(clause->hash, clause->text_hash) != 0 ? 1 : 0;
        memcpy(text->bytes + clause->hash_offset, clause->text_hash, HASH_DIGITS);
    }
    if (changed > 0 && !write_text(SPEC_PATH, text)) {
        return VX_EXIT_INTERNAL;
    }
    printf("%s: %zu of %zu hashes rewritten\n", SPEC_PATH, changed, check->spec.count);
    return VX_EXIT_PASS;
}

/* Copies text to result with the present hash behind each citation that has or needs one. */
static bool stamp_text(const vx_spec *spec, const char *path, const vx_text *text, vx_text *result,
                       size_t *changed)
{
    scanner scan = start_scan(spec, path, text);
    citation found;
    size_t copied = 0;
    while (next_citation(&scan, &found)) {
        if (is_c_test(path) && !found.in_comment) {
            continue;
        }
        if (found.clause == NULL) {
            (void)vx_complain(VX_EXIT_USAGE, "%s:%zu: %s is no clause of SPEC.md", path, found.line,
                              found.id);
            return false;
        }
        bool needed = found.in_comment && needs_hashes(path);
        if (found.hash_size > 0 ? hash_is_current(&found) : !needed) {
            continue;
        }
        vx_text_add_bytes(result, text->bytes + copied, found.end - copied);
        vx_text_format(result, "@%s", found.clause->text_hash);
        copied = found.hash_size > 0 ? found.end + 1 + found.hash_size : found.end;
        (*changed)++;
    }
    vx_text_add_bytes(result, text->bytes + copied, text->size - copied);
    return true;
}

static bool stamp_file(checker *check, const char *path)
{
    vx_text text = {0};
    vx_text result = {0};
    size_t changed = 0;
    bool good;
    if (strcmp(path, LOCK_PATH) == 0) {
        visit_files(check, VECTORS_PATH, visit_vectors);
        make_lock(check, &result);
        good = check->failures == 0 && write_text(path, &result);
        printf("%s: made anew\n", path);
    } else {
        good = read_text(path, &text) &&
               (text.size == 0 || stamp_text(&check->spec, path, &text, &result, &changed)) &&
               (changed == 0 || write_text(path, &result));
        printf("%s: %zu citations rewritten\n", path, changed);
    }
    vx_text_free(&text);
    vx_text_free(&result);
    return good;
}

static vx_exit stamp_files(checker *check, char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *path = starts_with(paths[i], "./") ? paths[i] + 2 : paths[i];
        if (!stamp_file(check, path)) {
            return VX_EXIT_USAGE;
        }
    }
    return VX_EXIT_PASS;
}

int main(int argc, char **argv)
{
    bool is_rehash = argc == 2 && strcmp(argv[1], "--rehash") == 0;
    bool is_stamp = argc > 2 && strcmp(argv[1], "--stamp") == 0;
    if (argc > 1 && !is_rehash && !is_stamp) {
        return (int)vx_complain(VX_EXIT_USAGE,
                                "check_spec takes nothing, --rehash, or --stamp FILE …");
    }
    checker check = {0};
    vx_text text = {0};
    vx_exit status = VX_EXIT_USAGE;
    if (open_checker(&check, &text)) {
        status = is_rehash  ? rehash(&check, &text)
                 : is_stamp ? stamp_files(&check, argv + 2, (size_t)argc - 2)
                            : check_all(&check);
    }
    close_checker(&check);
    vx_text_free(&text);
    return (int)status;
}
