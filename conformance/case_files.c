/* SPDX-License-Identifier: MIT */
/* Files and directories of cases, one case a line. */
#include <errno.h>
#include <fts.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "case.h"
#include "case_batch.h"
#include "cli.h"

void vx_case_list_free(vx_case_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        vx_case_free(&list->items[i]);
    }
    for (size_t i = 0; i < list->file_count; i++) {
        free(list->files[i]);
    }
    free(list->files);
    free(list->items);
    *list = (vx_case_list){0};
}

typedef struct file_reader {
    const char *path;
    const char *name; /* the list's own path, where the file can be read again */
    FILE *file;
    char buffer[1 << 16];
    size_t next, filled; /* of the buffer: the first byte not yet taken, and its end */
    size_t bytes;        /* read so far */
    size_t line;         /* number of the one that is being added to the batch, from 1 */
    size_t first;        /* number of the batch's first line */
    vx_case_batch batch;
    vx_problem problem; /* behind the lines of the batch; those come first */
    vx_case_list *list;
    json_t *names; /* of the answers in the list; NULL when names do not matter */
} file_reader;

static bool complain_line(const file_reader *reader, size_t line, const vx_problem *problem)
{
    (void)vx_complain(VX_EXIT_USAGE, "%s:%zu: %s", reader->path, line, problem->message);
    return false;
}

/* The next part of the file, at least a byte unless the file ends. Sizes and NUL bytes are checked
 * on the way, so that no device and no pipe without an end is swallowed. */
static bool fill(file_reader *reader)
{
    reader->next = 0;
    reader->filled = fread(reader->buffer, 1, sizeof reader->buffer, reader->file);
    if (ferror(reader->file)) {
        return vx_problem_say(&reader->problem, "%s", strerror(errno));
    }
    reader->bytes += reader->filled;
    if (reader->list->digest != NULL) {
        sha256_update(reader->list->digest, reader->filled, (const uint8_t *)reader->buffer);
    }
    if (reader->bytes > VX_FILE_BYTES_MAX) {
        return vx_problem_say(&reader->problem, "a file of more than 512 MiB");
    }
    if (vx_case_batch_open_size(&reader->batch) > VX_LINE_BYTES_MAX) {
        return vx_problem_say(&reader->problem, "a line of more than 128 MiB");
    }
    return true;
}

/* Adds the next line to the batch; *done at the end of the file. */
static bool next_line(file_reader *reader, bool *done)
{
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
            return vx_problem_set(&reader->problem, "not JSON: a NUL byte");
        }
        vx_case_batch_add(&reader->batch, part, taken);
        reader->next += end != NULL ? taken + 1 : taken;
        if (end != NULL) {
            vx_case_batch_end_line(&reader->batch);
            return true;
        }
        if (size == 0) {
            *done = true;
            return vx_case_batch_open_size(&reader->batch) == 0 ||
                   vx_problem_say(&reader->problem,
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

/* Makes the batch's cases the list's, up to the first line that is wrong. */
static bool take_lines(file_reader *reader)
{
    for (size_t i = 0; i < reader->batch.count; i++) {
        vx_case_line *line = &reader->batch.lines[i];
        vx_problem problem = {0};
        if (!line->is_read) {
            return complain_line(reader, reader->first + i, line->problem);
        }
        if (reader->names != NULL) {
            if (!check_answer(&line->item, reader->names, &problem)) {
                return complain_line(reader, reader->first + i, &problem);
            }
            remember(reader->names, &line->item);
        }
        line->item.file = reader->name;
        line->item.line = reader->first + i;
        vx_case_list_add(reader->list, &line->item);
        line->is_read = false;
    }
    return true;
}

static bool read_batch(file_reader *reader)
{
    vx_case_batch_read(&reader->batch);
    bool good = take_lines(reader);
    reader->first += reader->batch.count;
    vx_case_batch_clear(&reader->batch);
    return good;
}

static bool read_lines(file_reader *reader)
{
    bool done = false;
    bool good = true;
    reader->first = 1;
    while (good && !done && next_line(reader, &done)) {
        good = !vx_case_batch_is_full(&reader->batch) || read_batch(reader);
    }
    good = good && read_batch(reader);
    if (good && reader->problem.message[0] != '\0') {
        good = complain_line(reader, reader->line, &reader->problem);
    }
    vx_case_batch_free(&reader->batch);
    return good;
}

static const char *keep_name(vx_case_list *list, const char *path)
{
    list->files = vx_must_realloc(list->files, list->file_count + 1, sizeof *list->files);
    list->files[list->file_count] = vx_must_strdup(path);
    return list->files[list->file_count++];
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
    reader.name = S_ISREG(status.st_mode) ? keep_name(list, path) : NULL;
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
