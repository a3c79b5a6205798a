/* SPDX-License-Identifier: MIT */
/* Cases as JSON Lines: the strict reader, the writer, and files and directories of them. */
#include "case.h"

#include <ctype.h>
#include <errno.h>
#include <fts.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

/* The hazards that docs/PROTOCOL.md lists. */
static const char *const known_flags[] = {"ruling", "fma",   "wide",  "subnormal",
                                          "order",  "large", "digest"};

static void free_strings(char **strings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(strings[i]);
    }
    free(strings);
}

void vx_case_free(vx_case *item)
{
    free(item->name);
    free_strings(item->clauses, item->clause_count);
    free(item->note);
    free_strings(item->flags, item->flag_count);
    if (item->input != NULL) {
        item->chapter->input_free(item->input);
    }
    vx_result_free(&item->expect.result);
    *item = (vx_case){0};
}

/* --- reading a case -------------------------------------------------------------------------- */

/* A name is shown on terminals: it is not empty and holds no control character. */
static bool read_name(json_t *json, char **name, vx_problem *problem)
{
    const char *string = json_is_string(json) ? json_string_value(json) : "";
    bool good = string[0] != '\0';
    for (const char *next = string; *next != '\0'; next++) {
        good = good && !iscntrl((unsigned char)*next);
    }
    if (!good) {
        return vx_json_wrong(json, "a string that is not empty, without control characters",
                             problem);
    }
    *name = vx_must_strdup(string);
    return true;
}

/* A list of names, none of them twice. Its bound keeps that check short. */
static bool read_names(json_t *json, char ***names, size_t *count, vx_problem *problem)
{
    enum { NAMES_MAX = 256 };
    if (!vx_json_is_array(json, SIZE_MAX, problem)) {
        return false;
    }
    size_t size = json_array_size(json);
    if (size > NAMES_MAX) {
        return vx_problem_set(problem, "%zu elements; at most %d are allowed", size, NAMES_MAX);
    }
    *names = vx_must_alloc(size, sizeof **names);
    for (size_t i = 0; i < size; i++) {
        size_t before = vx_problem_enter_index(problem, i);
        if (!read_name(json_array_get(json, i), &(*names)[i], problem)) {
            return false;
        }
        *count = i + 1;
        for (size_t k = 0; k < i; k++) {
            if (strcmp((*names)[k], (*names)[i]) == 0) {
                return vx_problem_set(problem, "the same as element %zu", k);
            }
        }
        vx_problem_leave(problem, before);
    }
    return true;
}

static bool read_flags(json_t *json, vx_case *item, vx_problem *problem)
{
    if (!read_names(json, &item->flags, &item->flag_count, problem)) {
        return false;
    }
    for (size_t i = 0; i < item->flag_count; i++) {
        bool known = false;
        for (size_t k = 0; k < sizeof known_flags / sizeof known_flags[0]; k++) {
            known = known || strcmp(item->flags[i], known_flags[k]) == 0;
        }
        if (!known) {
            (void)vx_problem_enter_index(problem, i);
            return vx_json_wrong(json_array_get(json, i), "a flag of docs/PROTOCOL.md", problem);
        }
    }
    return true;
}

static bool read_note(json_t *json, char **note, vx_problem *problem)
{
    if (!json_is_string(json)) {
        return vx_json_wrong(json, "a string", problem);
    }
    *note = vx_must_strdup(json_string_value(json));
    return true;
}

static bool read_format(json_t *json, vx_problem *problem)
{
    return (json_is_string(json) && strcmp(json_string_value(json), VX_CASE_FORMAT) == 0) ||
           vx_json_wrong(json, "\"" VX_CASE_FORMAT "\"", problem);
}

static bool read_chapter(json_t *json, const vx_chapter **chapter, vx_problem *problem)
{
    *chapter = json_is_string(json) ? vx_chapter_find(json_string_value(json)) : NULL;
    return *chapter != NULL || vx_json_wrong(json, "the name of a chapter of this kit", problem);
}

/* One member at whose path the problem stands. Grid and steps are read together, later, because
 * they need the chapter; so is expect. */
static bool read_member(const char *name, json_t *value, vx_case *item, bool *known,
                        vx_problem *problem)
{
    if (strcmp(name, "format") == 0) {
        return read_format(value, problem);
    }
    if (strcmp(name, "name") == 0) {
        return read_name(value, &item->name, problem);
    }
    if (strcmp(name, "chapter") == 0) {
        return read_chapter(value, &item->chapter, problem);
    }
    if (strcmp(name, "clauses") == 0) {
        return read_names(value, &item->clauses, &item->clause_count, problem);
    }
    if (strcmp(name, "note") == 0) {
        return read_note(value, &item->note, problem);
    }
    if (strcmp(name, "flags") == 0) {
        return read_flags(value, item, problem);
    }
    *known = strcmp(name, "grid") == 0 || strcmp(name, "steps") == 0 || strcmp(name, "expect") == 0;
    return true;
}

static bool read_members(json_t *object, vx_case *item, vx_problem *problem)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        bool known = true;
        size_t before = vx_problem_enter(problem, name);
        if (!read_member(name, value, item, &known, problem)) {
            return false;
        }
        vx_problem_leave(problem, before);
        if (!known) {
            return vx_json_unknown(name, problem);
        }
    }
    static const char *const needed[] = {"format", "chapter", "grid", "steps"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (json_object_get(object, needed[i]) == NULL) {
            return vx_json_missing(needed[i], problem);
        }
    }
    return true;
}

static bool read_expect(json_t *json, vx_case *item, vx_problem *problem)
{
    size_t before = vx_problem_enter(problem, "expect");
    if (!vx_expect_read(item->chapter->shape, json, &item->expect, problem)) {
        return false;
    }
    item->has_expect = true;
    size_t steps = item->chapter->step_count(item->input);
    if (item->expect.kinds != 0 && item->expect.result.step >= (int64_t)steps) {
        (void)vx_problem_enter(problem, "step");
        return vx_problem_set(problem, "%lld, but the case has %zu steps",
                              (long long)item->expect.result.step, steps);
    }
    vx_problem_leave(problem, before);
    return true;
}

static bool read_case(json_t *object, vx_case *item, vx_problem *problem)
{
    if (!vx_json_is_object(object, problem) || !read_members(object, item, problem) ||
        !item->chapter->read(json_object_get(object, "grid"), json_object_get(object, "steps"),
                             &item->input, problem)) {
        return false;
    }
    json_t *expect = json_object_get(object, "expect");
    if (expect != NULL && !read_expect(expect, item, problem)) {
        return false;
    }
    item->name = item->name != NULL ? item->name : vx_must_strdup("");
    item->note = item->note != NULL ? item->note : vx_must_strdup("");
    return true;
}

bool vx_case_read_json(json_t *object, vx_case *item, vx_problem *problem)
{
    *item = (vx_case){0};
    if (!read_case(object, item, problem)) {
        vx_case_free(item);
        return false;
    }
    return true;
}

bool vx_case_read(const char *line, size_t size, vx_case *item, vx_problem *problem)
{
    *item = (vx_case){0};
    if (size > VX_LINE_BYTES_MAX) {
        (void)vx_problem_set(problem, "a line of %zu bytes; at most %zu are allowed", size,
                             VX_LINE_BYTES_MAX);
        return false;
    }
    json_t *object = vx_json_load(line, size, problem);
    bool good = object != NULL && vx_case_read_json(object, item, problem);
    vx_json_free(object);
    return good;
}

/* --- writing a case -------------------------------------------------------------------------- */

static void write_string(const char *member, const char *value, vx_text *text)
{
    vx_text_format(text, "\"%s\":", member);
    vx_text_add_json_string(text, value);
    vx_text_add_char(text, ',');
}

static void write_strings(const char *member, char *const *values, size_t count, vx_text *text)
{
    vx_text_format(text, "\"%s\":[", member);
    for (size_t i = 0; i < count; i++) {
        vx_text_add(text, i > 0 ? "," : "");
        vx_text_add_json_string(text, values[i]);
    }
    vx_text_add(text, "],");
}

void vx_case_write(const vx_case *item, vx_text *text)
{
    bool named = item->name[0] != '\0';
    vx_text_add(text, "{\"format\":\"" VX_CASE_FORMAT "\",");
    if (named) {
        write_string("name", item->name, text);
    }
    write_string("chapter", item->chapter->name, text);
    if (named || item->clause_count > 0) {
        write_strings("clauses", item->clauses, item->clause_count, text);
    }
    if (named || item->note[0] != '\0') {
        write_string("note", item->note, text);
    }
    if (named || item->flag_count > 0) {
        write_strings("flags", item->flags, item->flag_count, text);
    }
    item->chapter->write(item->input, text);
    if (item->has_expect) {
        vx_text_add(text, ",\"expect\":");
        vx_expect_write(item->chapter->shape, &item->expect, text);
    }
    vx_text_add_char(text, '}');
}

void vx_case_write_question(const vx_case *item, vx_text *text)
{
    vx_text_add(text, "{\"format\":\"" VX_CASE_FORMAT "\",");
    write_string("chapter", item->chapter->name, text);
    item->chapter->write(item->input, text);
    vx_text_add_char(text, '}');
}

/* --- files ----------------------------------------------------------------------------------- */

void vx_case_list_free(vx_case_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        vx_case_free(&list->items[i]);
    }
    free(list->items);
    *list = (vx_case_list){0};
}

typedef struct file_reader {
    const char *path;
    FILE *file;
    char buffer[1 << 16];
    size_t next, filled; /* of the buffer: the first byte not yet taken, and its end */
    size_t bytes;        /* read so far */
    size_t line;         /* number of the present one */
    vx_text text;        /* the present line */
    vx_case_list *list;
    json_t *names; /* of the answers in the list; NULL when names do not matter */
} file_reader;

static bool complain_line(const file_reader *reader, const char *message)
{
    (void)vx_complain(VX_EXIT_USAGE, "%s:%zu: %s", reader->path, reader->line, message);
    return false;
}

/* The next part of the file, at least a byte unless the file ends. Sizes and NUL bytes are checked
 * on the way, so that no device and no pipe without an end is swallowed. */
static bool fill(file_reader *reader)
{
    reader->next = 0;
    reader->filled = fread(reader->buffer, 1, sizeof reader->buffer, reader->file);
    if (ferror(reader->file)) {
        return complain_line(reader, strerror(errno));
    }
    reader->bytes += reader->filled;
    if (reader->list->digest != NULL) {
        sha256_update(reader->list->digest, reader->filled, (const uint8_t *)reader->buffer);
    }
    if (reader->bytes > VX_FILE_BYTES_MAX) {
        return complain_line(reader, "a file of more than 512 MiB");
    }
    if (reader->text.size > VX_LINE_BYTES_MAX) {
        return complain_line(reader, "a line of more than 128 MiB");
    }
    return true;
}

/* Reads the next line into reader->text; *done at the end of the file. */
static bool next_line(file_reader *reader, bool *done)
{
    vx_text_clear(&reader->text);
    reader->line++;
    for (;;) {
        if (reader->next == reader->filled && !fill(reader)) {
            return false;
        }
        const char *part = reader->buffer + reader->next;
        size_t size = reader->filled - reader->next;
        const char *end = memchr(part, '\n', size);
        size_t taken = end != NULL ? (size_t)(end - part) : size;
        if (memchr(part, '\0', taken) != NULL) {
            return complain_line(reader, "$: not JSON: a NUL byte");
        }
        vx_text_add_bytes(&reader->text, part, taken);
        reader->next += end != NULL ? taken + 1 : taken;
        if (end != NULL) {
            return true;
        }
        if (size == 0) {
            *done = true;
            return reader->text.size == 0 ||
                   complain_line(reader,
                                 "the last line has no line end: the file may be cut short");
        }
    }
}

/* A vector has a name of its own and an expect. */
static bool check_answer(const vx_case *item, json_t *names, vx_problem *problem)
{
    if (item->name[0] == '\0') {
        return vx_json_missing("name", problem);
    }
    if (!item->has_expect) {
        (void)vx_problem_enter(problem, "expect");
        return vx_problem_set(problem, "is missing; `voxcert vectors fill FILE` gives cases the "
                                       "reference's answers");
    }
    if (json_object_get(names, item->name) != NULL) {
        (void)vx_problem_enter(problem, "name");
        return vx_problem_set(problem, "another case is called %.200s too", item->name);
    }
    return true;
}

void vx_case_list_add(vx_case_list *list, const vx_case *item)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        list->items = vx_must_realloc(list->items, list->capacity, sizeof *list->items);
    }
    list->items[list->count++] = *item;
}

static void remember(json_t *names, const vx_case *item)
{
    if (json_object_set_new(names, item->name, json_true()) != 0) {
        exit((int)vx_complain(VX_EXIT_INTERNAL, "out of memory"));
    }
}

/* Whether the line starts an object and breaks off before its end, as in indented JSON. */
static bool breaks_off(const vx_text *line)
{
    size_t start = strspn(line->bytes, " \t\r");
    size_t end = line->size;
    while (end > start && strchr(" \t\r", line->bytes[end - 1]) != NULL) {
        end--;
    }
    return line->bytes[start] == '{' && line->bytes[end - 1] != '}';
}

static bool read_line(file_reader *reader)
{
    vx_problem problem = {0};
    vx_case item;
    if (reader->text.size == 0) {
        return complain_line(reader, "an empty line");
    }
    if (!vx_case_read(reader->text.bytes, reader->text.size, &item, &problem)) {
        return complain_line(reader,
                             breaks_off(&reader->text)
                                 ? "$: not JSON: the object does not end in this line; one case "
                                   "per line is needed (JSON Lines)"
                                 : problem.message);
    }
    item.line = reader->line;
    if (reader->names != NULL) {
        if (!check_answer(&item, reader->names, &problem)) {
            vx_case_free(&item);
            return complain_line(reader, problem.message);
        }
        remember(reader->names, &item);
    }
    vx_case_list_add(reader->list, &item);
    return true;
}

static bool read_lines(file_reader *reader)
{
    bool done = false;
    bool good = next_line(reader, &done);
    while (good && !done) {
        good = read_line(reader) && next_line(reader, &done);
    }
    vx_text_free(&reader->text);
    return good;
}

static bool read_file(vx_case_list *list, const char *path, json_t *names)
{
    file_reader reader = {.path = path, .list = list, .names = names};
    if (strcmp(path, "-") == 0) {
        reader.path = "standard input";
        reader.file = stdin;
        return read_lines(&reader);
    }
    reader.file = fopen(path, "re");
    struct stat status;
    if (reader.file == NULL || fstat(fileno(reader.file), &status) != 0) {
        (void)vx_complain(VX_EXIT_USAGE, "%s: %s", path, strerror(errno));
        return false;
    }
    bool good = true;
    if (S_ISREG(status.st_mode) && (uintmax_t)status.st_size > VX_FILE_BYTES_MAX) {
        (void)vx_complain(VX_EXIT_USAGE, "%s: a file of %jd bytes; at most %zu are allowed", path,
                          (intmax_t)status.st_size, VX_FILE_BYTES_MAX);
        good = false;
    }
    good = good && read_lines(&reader);
    (void)fclose(reader.file);
    return good;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool has_case_name(const FTSENT *entry)
{
    static const char suffix[] = ".jsonl";
    size_t size = sizeof suffix - 1;
    return entry->fts_namelen > size &&
           strcmp(entry->fts_name + entry->fts_namelen - size, suffix) == 0;
}

/* Why cases may lie at the entry that nobody can read; NULL: they do not. What is passed over in
 * silence would seem to have been certified. */
static const char *trouble(const FTSENT *entry)
{
    switch (entry->fts_info) {
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        return strerror(entry->fts_errno);
    case FTS_SLNONE:
        return has_case_name(entry) ? "a link that leads nowhere" : NULL;
    case FTS_DEFAULT:
        return has_case_name(entry) ? "a regular file is needed" : NULL;
    default:
        return NULL;
    }
}

static bool visit_directory(const char *path, bool (*visit)(void *context, const char *file),
                            void *context)
{
    char *root = vx_must_strdup(path);
    char *roots[] = {root, NULL};
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    if (tree == NULL) {
        exit((int)vx_complain(VX_EXIT_INTERNAL, "out of memory"));
    }
    bool good = true;
    size_t files = 0;
    const FTSENT *entry;
    while (good && (entry = fts_read(tree)) != NULL) {
        const char *wrong = trouble(entry);
        if (wrong != NULL) {
            (void)vx_complain(VX_EXIT_USAGE, "%s: %s", entry->fts_path, wrong);
            good = false;
        } else if (entry->fts_info == FTS_F && has_case_name(entry)) {
            files++;
            good = visit(context, entry->fts_path);
        }
    }
    if (good && files == 0) {
        (void)vx_complain(VX_EXIT_USAGE, "%s: no *.jsonl file below it", path);
        good = false;
    }
    (void)fts_close(tree);
    free(root);
    return good;
}

bool vx_case_files_visit(const char *path, bool (*visit)(void *context, const char *file),
                         void *context)
{
    struct stat status;
    bool is_directory =
        strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    return is_directory ? visit_directory(path, visit, context) : visit(context, path);
}

typedef struct list_reader {
    vx_case_list *list;
    json_t *names;
} list_reader;

static bool read_visited(void *context, const char *path)
{
    const list_reader *reader = context;
    return read_file(reader->list, path, reader->names);
}

bool vx_case_list_read(vx_case_list *list, const char *path, bool need_answers)
{
    list_reader reader = {.list = list, .names = need_answers ? json_object() : NULL};
    for (size_t i = 0; need_answers && i < list->count; i++) {
        remember(reader.names, &list->items[i]);
    }
    bool good = vx_case_files_visit(path, read_visited, &reader);
    json_decref(reader.names);
    return good;
}
