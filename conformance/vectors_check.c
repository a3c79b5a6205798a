/* SPDX-License-Identifier: MIT */
/* voxcert vectors check: the rules that vectors obey, each breach named with its file and line. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "generate.h"
#include "reference.h"
#include "spec.h"
#include "vectors.h"
#include "words.h"

typedef struct checker {
    vx_spec spec;
    bool *cited;   /* one for each clause */
    json_t *names; /* NAME → where it stands, of all files so far */
    vx_lock lock;  /* of the directory that is being checked; without the names seen */
    vx_arena arena;
    const char *path;
    size_t line;
    size_t vectors, failures, unlocked;
    bool is_directory;
} checker;

static void fail(checker *check, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fail(checker *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%zu: ", check->path, check->line);
    (void)vprintf(format, arguments);
    (void)putchar('\n');
    va_end(arguments);
    check->failures++;
}

/* Whether name is CHAPTER/TOPIC/WHAT, perhaps with more parts, of small letters and digits in words
 * with one - between. */
static bool is_name(const char *name, const char *chapter)
{
    size_t size = strlen(chapter);
    size_t parts = 0;
    if (strncmp(name, chapter, size) != 0 || name[size] != '/') {
        return false;
    }
    for (const char *c = name + size; *c != '\0'; c++) {
        bool starts = *c == '/' || *c == '-';
        if (!starts && !islower((unsigned char)*c) && !isdigit((unsigned char)*c)) {
            return false;
        }
        if (starts && !isalnum((unsigned char)c[1])) {
            return false;
        }
        parts += *c == '/';
    }
    return parts >= 2;
}

static void check_name(checker *check, const vx_case *item)
{
    if (!is_name(item->name, item->chapter->name)) {
        fail(check, "\"%s\" is no name: %s/TOPIC/WHAT of small letters, digits and single - is",
             item->name, item->chapter->name);
    }
    const char *other = json_string_value(json_object_get(check->names, item->name));
    if (other != NULL) {
        fail(check, "%s: also the name of the vector at %s", item->name, other);
        return;
    }
    vx_text place = {0};
    vx_text_format(&place, "%s:%zu", check->path, check->line);
    (void)json_object_set_new(check->names, item->name, json_string(place.bytes));
    vx_text_free(&place);
}

static void check_clauses(checker *check, const vx_case *item)
{
    if (item->clause_count == 0) {
        fail(check, "%s: cites no clause", item->name);
    }
    for (size_t i = 0; i < item->clause_count; i++) {
        const vx_clause *clause = vx_spec_find(&check->spec, item->clauses[i]);
        if (clause == NULL) {
            fail(check, "%s: SPEC.md has no clause %s", item->name, item->clauses[i]);
        } else {
            check->cited[clause - check->spec.clauses] = true;
        }
    }
}

static void check_lock(checker *check, const vx_case *item)
{
    const char *locked = json_string_value(json_object_get(check->lock.names, item->name));
    char digest[VX_LOCK_DIGEST];
    vx_lock_digest(item, digest);
    if (locked == NULL) {
        check->unlocked += check->lock.names != NULL;
    } else if (strcmp(locked, digest) != 0) {
        fail(check, "%s: its question is not the published one; a new question needs a new name",
             item->name);
    }
    (void)json_object_del(check->lock.names, item->name);
}

static void check_answer(checker *check, const vx_case *item)
{
    vx_result result = {0};
    vx_text difference = {0};
    if (!item->has_expect) {
        fail(check, "%s: has no expect; `voxcert vectors fill` gives it one", item->name);
    } else if (vx_reference_run(item, &check->arena, &result) != VX_OK) {
        fail(check, "%s: the reference has no answer: %s", item->name, result.message);
    } else if (!vx_result_matches(item->chapter->shape, &item->expect, &result, &difference)) {
        fail(check, "%s: the reference answers otherwise: %s", item->name,
             vx_text_string(&difference));
    }
    vx_text_free(&difference);
    vx_result_free(&result);
}

/* The line must be what the writer makes of the case, a long answer being a digest. */
static void check_form(checker *check, vx_case *item, const char *line, size_t size)
{
    vx_text canonical = {0};
    vx_shorten_answer(item);
    vx_case_write(item, &canonical);
    size_t same = 0;
    while (same < size && same < canonical.size && line[same] == canonical.bytes[same]) {
        same++;
    }
    if (same < size || same < canonical.size) {
        fail(check, "%s: not in canonical form from column %zu on; `voxcert vectors fill` mends it",
             item->name, same + 1);
    }
    vx_text_free(&canonical);
}

static void check_line(checker *check, const char *line, size_t size)
{
    vx_problem problem = {0};
    vx_case item;
    check->vectors++;
    if (!vx_case_read(line, size, &item, &problem)) {
        fail(check, "%s", problem.message);
        return;
    }
    check_name(check, &item);
    check_clauses(check, &item);
    if (item.note[0] == '\0') {
        fail(check, "%s: has no note that says what it shows", item.name);
    }
    check_lock(check, &item);
    check_answer(check, &item);
    check_form(check, &item, line, size);
    vx_case_free(&item);
}

static bool check_file(void *context, const char *path)
{
    checker *check = context;
    vx_text text = {0};
    vx_error error;
    vx_status status = vx_file_read(path, VX_FILE_BYTES_MAX, &text, &error);
    if (status != VX_OK) {
        (void)vx_complain(VX_EXIT_USAGE, "%s", error.message);
    }
    check->path = path;
    check->line = 0;
    for (size_t at = 0, end; at < text.size; at = end + 1) {
        const char *line = text.bytes + at;
        const char *feed = memchr(line, '\n', text.size - at);
        end = feed != NULL ? (size_t)(feed - text.bytes) : text.size;
        check->line++;
        check_line(check, line, end - at);
        if (feed == NULL) {
            fail(check, "the last line has no line end");
        }
    }
    vx_text_free(&text);
    return status == VX_OK;
}

/* Names the published names that no vector has. */
static void check_gone(checker *check)
{
    const char *name;
    json_t *digest;
    json_object_foreach(check->lock.names, name, digest)
    {
        printf("%s: %s is published, and there is no such vector\n", check->lock.path, name);
        check->failures++;
    }
}

static vx_exit check_path(void *context, const char *path)
{
    checker *check = context;
    bool is_directory = vx_is_directory(path);
    check->lock = (vx_lock){0};
    if (is_directory && !vx_lock_read(path, &check->lock)) {
        return VX_EXIT_INCOMPLETE;
    }
    bool good = vx_case_files_visit(path, check_file, check);
    if (good && is_directory) {
        check_gone(check);
        check->is_directory = true;
    }
    vx_lock_free(&check->lock);
    return good ? VX_EXIT_PASS : VX_EXIT_USAGE;
}

/* Clauses that no vector cites: what they say must be shown by other tests. */
static void print_uncited(const checker *check)
{
    const char *before = "clauses that no vector cites:";
    for (size_t i = 0; i < check->spec.count; i++) {
        if (!check->cited[i]) {
            printf("%s %s", before, check->spec.clauses[i].id);
            before = "";
        }
    }
    printf("%s", before[0] == '\0' ? "\n" : "");
}

static void print_counts(const checker *check)
{
    vx_text line = {0};
    vx_add_counted(&line, check->vectors, "vector");
    vx_text_add(&line, ", ");
    vx_add_counted(&line, check->failures, "fault");
    if (check->unlocked > 0) {
        vx_text_add(&line, "; ");
        vx_add_counted(&line, check->unlocked, "name");
        vx_text_format(&line, " %s not locked yet", check->unlocked == 1 ? "is" : "are");
    }
    printf("%s\n", line.bytes);
    vx_text_free(&line);
}

vx_exit vx_vectors_check(const vx_arguments *arguments)
{
    checker check = {.names = json_object()};
    vx_spec_read_own(&check.spec);
    check.cited = vx_must_alloc(check.spec.count, sizeof *check.cited);
    vx_reference_arena(&check.arena);
    vx_exit status = vx_vectors_each(arguments, check_path, &check);
    if (status == VX_EXIT_PASS) {
        if (check.is_directory) {
            print_uncited(&check);
        }
        print_counts(&check);
        status = check.failures > 0 ? VX_EXIT_NOT_CONFORMANT : VX_EXIT_PASS;
    }
    if (status == VX_EXIT_PASS && check.vectors == 0) {
        status = vx_complain(VX_EXIT_INCOMPLETE, "there is no vector: nothing was checked");
    }
    vx_arena_free(&check.arena);
    free(check.cited);
    json_decref(check.names);
    vx_spec_free(&check.spec);
    return status;
}
