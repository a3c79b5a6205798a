/* SPDX-License-Identifier: MIT */
/* The results of a run, and the file that they are kept in. */
#include "results.h"

#include <errno.h>
#include <jansson.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "case.h"
#include "cli.h"
#include "file.h"
#include "json.h"

/* The header's strings. Those of the run itself come last. */
static const struct {
    const char *name;
    size_t offset;
} fields[] = {
    {"kit", offsetof(vx_results_header, kit)},
    {"how", offsetof(vx_results_header, how)},
    {"command", offsetof(vx_results_header, command)},
    {"name", offsetof(vx_results_header, name)},
    {"version", offsetof(vx_results_header, version)},
    {"language", offsetof(vx_results_header, language)},
    {"vectors", offsetof(vx_results_header, vectors)},
    {"tier", offsetof(vx_results_header, tier)},
    {"filter", offsetof(vx_results_header, filter)},
    {"shard", offsetof(vx_results_header, shard)},
    {"started", offsetof(vx_results_header, started)},
    {"files", offsetof(vx_results_header, files)},
    {"again", offsetof(vx_results_header, again)},
};

enum { FIELDS = sizeof fields / sizeof fields[0], SHARED_FIELDS = FIELDS - 3 };

static char **field(vx_results_header *header, size_t index)
{
    return (char **)(void *)((char *)header + fields[index].offset);
}

static const char *field_value(const vx_results_header *header, size_t index)
{
    return *(char *const *)(const void *)((const char *)header + fields[index].offset);
}

/* --- memory -------------------------------------------------------------------------------------
 */

static void free_strings(char **strings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(strings[i]);
    }
    free(strings);
}

void vx_record_free(vx_record *record)
{
    free_strings(record->clauses, record->clause_count);
    free(record->name);
    free(record->note);
    free(record->detail);
    free(record->difference);
    free(record->errors);
    *record = (vx_record){0};
}

void vx_results_free(vx_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        vx_record_free(&results->records[i]);
    }
    free(results->records);
    free_strings(results->notes, results->note_count);
    for (size_t i = 0; i < (size_t)FIELDS; i++) {
        free(*field(&results->header, i));
    }
    *results = (vx_results){0};
}

static void add_string(char ***strings, size_t *count, const char *string)
{
    *strings = vx_must_realloc(*strings, *count + 1, sizeof **strings);
    (*strings)[(*count)++] = vx_must_strdup(string);
}

void vx_results_add_note(vx_results *results, const char *note)
{
    add_string(&results->notes, &results->note_count, note);
}

/* --- what the records amount to -----------------------------------------------------------------
 */

size_t vx_results_count(const vx_results *results, vx_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        count += results->records[i].verdict == verdict ? 1 : 0;
    }
    return count;
}

size_t vx_results_failures(const vx_results *results)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        count += vx_verdict_is_failure(results->records[i].verdict) ? 1 : 0;
    }
    return count;
}

size_t vx_results_missing(const vx_results *results)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const vx_record *record = &results->records[i];
        bool skipped = record->verdict == VX_SKIP && !record->undeclared;
        count += skipped || record->verdict == VX_NOT_RUN ? 1 : 0;
    }
    return count;
}

vx_exit vx_results_exit(const vx_results *results)
{
    if (vx_results_failures(results) > 0) {
        return VX_EXIT_NOT_CONFORMANT;
    }
    bool whole = vx_results_missing(results) == 0 && vx_results_count(results, VX_PASS) > 0;
    return whole ? VX_EXIT_PASS : VX_EXIT_INCOMPLETE;
}

static int compare_names(const void *a, const void *b)
{
    const vx_record *const *left = a;
    const vx_record *const *right = b;
    return strcmp((*left)->name, (*right)->name);
}

void vx_results_digest(const vx_results *results, char hex[VX_SHA256_HEX])
{
    const vx_record **sorted = vx_must_alloc(results->count, sizeof(vx_record *));
    struct sha256_ctx context;
    vx_text line = {0};
    for (size_t i = 0; i < results->count; i++) {
        sorted[i] = &results->records[i];
    }
    qsort(sorted, results->count, sizeof(vx_record *), compare_names);
    sha256_init(&context);
    for (size_t i = 0; i < results->count; i++) {
        vx_text_clear(&line);
        vx_text_format(&line, "%s %s\n", sorted[i]->name, vx_verdict_name(sorted[i]->verdict));
        sha256_update(&context, line.size, (const uint8_t *)line.bytes);
    }
    vx_sha256_hex(&context, hex);
    vx_text_free(&line);
    free(sorted);
}

/* --- writing ------------------------------------------------------------------------------------
 */

/* ,"name":"value" unless the value is NULL. */
static void add_member(vx_text *line, const char *name, const char *value)
{
    if (value != NULL) {
        vx_text_format(line, ",\"%s\":", name);
        vx_text_add_json_string(line, value);
    }
}

static void add_list(vx_text *line, const char *name, char *const *strings, size_t count)
{
    vx_text_format(line, ",\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        vx_text_add(line, i > 0 ? "," : "");
        vx_text_add_json_string(line, strings[i]);
    }
    vx_text_add_char(line, ']');
}

/* Ends the line, writes it and flushes it. */
static bool put_line(vx_results_file *file, vx_text *line)
{
    vx_text_add_char(line, '\n');
    bool good =
        fwrite(line->bytes, 1, line->size, file->file) == line->size && fflush(file->file) == 0;
    if (!good) {
        (void)vx_complain(VX_EXIT_INTERNAL, "%s: cannot be written: %s", file->path,
                          strerror(errno));
    }
    vx_text_free(line);
    return good;
}

bool vx_results_create(vx_results_file *file, const char *path, const vx_results_header *header)
{
    *file = (vx_results_file){.file = fopen(path, "we"), .path = path};
    if (file->file == NULL) {
        (void)vx_complain(VX_EXIT_USAGE, "%s: cannot be created: %s", path, strerror(errno));
        return false;
    }
    vx_text line = {0};
    vx_text_add(&line, "{\"format\":\"" VX_RESULTS_FORMAT "\"");
    for (size_t i = 0; i < (size_t)FIELDS; i++) {
        add_member(&line, fields[i].name, field_value(header, i));
    }
    vx_text_format(&line, ",\"vectorCount\":%zu,\"caseCount\":%zu}", header->vector_count,
                   header->case_count);
    if (!put_line(file, &line)) {
        (void)fclose(file->file);
        file->file = NULL;
        return false;
    }
    return true;
}

bool vx_results_write(vx_results_file *file, const vx_record *record)
{
    vx_text line = {0};
    vx_text_add(&line, "{\"case\":");
    vx_text_add_json_string(&line, record->name);
    add_list(&line, "clauses", record->clauses, record->clause_count);
    add_member(&line, "verdict", vx_verdict_name(record->verdict));
    vx_text_format(&line, ",\"ms\":%.3f", record->milliseconds);
    vx_text_add(&line, record->undeclared ? ",\"undeclared\":true" : "");
    vx_text_add(&line, record->stateful ? ",\"stateful\":true" : "");
    add_member(&line, "note", record->note);
    add_member(&line, "detail", record->detail);
    add_member(&line, "difference", record->difference);
    add_member(&line, "errors", record->errors);
    vx_text_add_char(&line, '}');
    return put_line(file, &line);
}

bool vx_results_finish(vx_results_file *file, const vx_results *results)
{
    char hex[VX_SHA256_HEX];
    vx_text line = {0};
    vx_results_digest(results, hex);
    vx_text_add(&line, "{\"counts\":{");
    for (unsigned i = 0; i < VX_VERDICT_COUNT; i++) {
        vx_text_format(&line, "%s\"%s\":%zu", i > 0 ? "," : "", vx_verdict_name((vx_verdict)i),
                       vx_results_count(results, (vx_verdict)i));
    }
    vx_text_add_char(&line, '}');
    add_member(&line, "sha256", hex);
    vx_text_format(&line, ",\"seconds\":%.3f,\"interrupted\":%s", results->seconds,
                   results->interrupted ? "true" : "false");
    add_list(&line, "notes", results->notes, results->note_count);
    vx_text_add_char(&line, '}');
    bool good = put_line(file, &line);
    if (fclose(file->file) != 0 && good) {
        (void)vx_complain(VX_EXIT_INTERNAL, "%s: cannot be written: %s", file->path,
                          strerror(errno));
        good = false;
    }
    file->file = NULL;
    return good;
}

bool vx_results_reopen(vx_results_file *file, const char *path, size_t keep)
{
    *file = (vx_results_file){.file = fopen(path, "r+e"), .path = path};
    if (file->file == NULL || ftruncate(fileno(file->file), (off_t)keep) != 0 ||
        fseek(file->file, 0, SEEK_END) != 0) {
        (void)vx_complain(VX_EXIT_USAGE, "%s: cannot be continued: %s", path, strerror(errno));
        if (file->file != NULL) {
            (void)fclose(file->file);
            file->file = NULL;
        }
        return false;
    }
    return true;
}

/* --- reading ------------------------------------------------------------------------------------
 */

/* The member as a string of the caller's, or NULL. */
static char *copy_string(json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    return value != NULL ? vx_must_strdup(value) : NULL;
}

static bool copy_list(json_t *list, char ***strings, size_t *count)
{
    bool good = json_is_array(list);
    for (size_t i = 0; i < json_array_size(list) && good; i++) {
        const char *value = json_string_value(json_array_get(list, i));
        good = value != NULL;
        if (good) {
            add_string(strings, count, value);
        }
    }
    return good;
}

static bool read_header(json_t *object, vx_results_header *header)
{
    const char *format = json_string_value(json_object_get(object, "format"));
    bool good = format != NULL && strcmp(format, VX_RESULTS_FORMAT) == 0;
    for (size_t i = 0; i < (size_t)FIELDS; i++) {
        *field(header, i) = copy_string(object, fields[i].name);
        good = good && *field(header, i) != NULL;
    }
    json_t *vectors = json_object_get(object, "vectorCount");
    json_t *cases = json_object_get(object, "caseCount");
    header->vector_count = (size_t)json_integer_value(vectors);
    header->case_count = (size_t)json_integer_value(cases);
    return good && json_is_integer(vectors) && json_is_integer(cases);
}

static bool read_record(json_t *object, vx_record *record)
{
    const char *verdict = json_string_value(json_object_get(object, "verdict"));
    json_t *milliseconds = json_object_get(object, "ms");
    *record = (vx_record){.name = copy_string(object, "case"),
                          .undeclared = json_is_true(json_object_get(object, "undeclared")),
                          .stateful = json_is_true(json_object_get(object, "stateful")),
                          .milliseconds = json_number_value(milliseconds),
                          .note = copy_string(object, "note"),
                          .detail = copy_string(object, "detail"),
                          .difference = copy_string(object, "difference"),
                          .errors = copy_string(object, "errors")};
    return record->name != NULL && verdict != NULL && vx_verdict_find(verdict, &record->verdict) &&
           json_is_number(milliseconds) &&
           copy_list(json_object_get(object, "clauses"), &record->clauses, &record->clause_count);
}

static bool read_footer(json_t *object, vx_results *results)
{
    json_t *seconds = json_object_get(object, "seconds");
    results->seconds = json_number_value(seconds);
    results->interrupted = json_is_true(json_object_get(object, "interrupted"));
    return json_is_number(seconds) &&
           copy_list(json_object_get(object, "notes"), &results->notes, &results->note_count);
}

/* Adds a record, or puts it in the place of the one that has its name. */
static void put_record(vx_results *results, json_t *places, vx_record record)
{
    json_t *place = json_object_get(places, record.name);
    if (place != NULL) {
        size_t index = (size_t)json_integer_value(place);
        vx_record_free(&results->records[index]);
        results->records[index] = record;
        return;
    }
    (void)json_object_set_new(places, record.name, json_integer((json_int_t)results->count));
    results->records =
        vx_must_realloc(results->records, results->count + 1, sizeof *results->records);
    results->records[results->count++] = record;
}

/* What a file is read with. */
typedef struct file_reader {
    vx_results *results;
    json_t *places; /* names → indices */
    size_t line;    /* its number, from 1 */
    bool ended;     /* the footer was read */
} file_reader;

/* One line; the reason when it is wrong, else NULL. */
static const char *read_line(file_reader *reader, const char *line, size_t size)
{
    vx_problem problem = {0};
    json_t *object = vx_json_load(line, size, &problem);
    const char *wrong = NULL;
    vx_record record = {0};
    if (!json_is_object(object)) {
        wrong = "no JSON object";
    } else if (reader->ended) {
        wrong = "a line behind the footer";
    } else if (reader->line == 1) {
        wrong = read_header(object, &reader->results->header) ? NULL
                                                              : "no header of " VX_RESULTS_FORMAT;
    } else if (json_object_get(object, "counts") != NULL) {
        reader->ended = true;
        wrong = read_footer(object, reader->results) ? NULL : "a malformed footer";
    } else if (read_record(object, &record)) {
        put_record(reader->results, reader->places, record);
    } else {
        vx_record_free(&record);
        wrong = "no result of a case";
    }
    vx_json_free(object);
    return wrong;
}

bool vx_results_read(vx_results *results, const char *path, size_t *keep)
{
    *results = (vx_results){0};
    *keep = 0;
    file_reader reader = {.results = results, .places = json_object()};
    const char *wrong = NULL;
    vx_text line = {0};
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        (void)vx_complain(VX_EXIT_USAGE, "%s: cannot be read: %s", path, strerror(errno));
        goto done;
    }
    vx_line got = VX_LINE_END;
    while (wrong == NULL && (got = vx_line_read(file, VX_LINE_BYTES_MAX, &line)) == VX_LINE_WHOLE) {
        reader.line++;
        wrong = read_line(&reader, vx_text_string(&line), line.size);
        *keep += reader.ended ? 0 : line.size + 1;
    }
    if (got == VX_LINE_FAILED || got == VX_LINE_LONG) {
        reader.line++;
        wrong = got == VX_LINE_LONG ? "a line of more than 128 MiB" : strerror(errno);
    } else if (wrong == NULL && reader.line == 0) {
        wrong = "an empty file is no results file";
    }
    if (wrong != NULL) {
        (void)vx_complain(VX_EXIT_USAGE, "%s:%zu: %s", path, reader.line, wrong);
    }
done:
    if (file != NULL) {
        (void)fclose(file);
    }
    vx_text_free(&line);
    json_decref(reader.places);
    if (file == NULL || wrong != NULL) {
        vx_results_free(results);
        return false;
    }
    return true;
}

const char *vx_results_header_difference(const vx_results_header *a, const vx_results_header *b)
{
    for (size_t i = 0; i < (size_t)SHARED_FIELDS; i++) {
        if (strcmp(field_value(a, i), field_value(b, i)) != 0) {
            return fields[i].name;
        }
    }
    if (a->vector_count != b->vector_count || a->case_count != b->case_count) {
        return "caseCount";
    }
    return NULL;
}

void vx_results_header_show(const vx_results_header *header, const char *member, vx_text *text)
{
    for (size_t i = 0; i < (size_t)FIELDS; i++) {
        if (strcmp(fields[i].name, member) == 0) {
            vx_text_format(text, "\"%s\"", field_value(header, i));
            return;
        }
    }
    vx_text_format(text, "%zu of %zu", header->case_count, header->vector_count);
}
