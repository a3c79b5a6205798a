/* SPDX-License-Identifier: MIT */
/* Reads SPEC.md line by line into clauses, and hashes their texts. */
#include "spec.h"

#include <ctype.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "result.h"
#include "text.h"
#include "words.h"

extern const char vx_spec_text[];
extern const char vx_spec_text_end[];

typedef struct spec_reader {
    const char *text;
    size_t size;
    size_t next;        /* offset of the next line */
    size_t line_number; /* of the present line */
    const char *line;   /* the present line, without its end */
    size_t line_size;
    vx_text section;
    vx_spec *spec;
    vx_problem *problem;
} spec_reader;

static bool next_line(spec_reader *reader)
{
    if (reader->next >= reader->size) {
        return false;
    }
    reader->line = reader->text + reader->next;
    const char *end = memchr(reader->line, '\n', reader->size - reader->next);
    reader->line_size = end != NULL ? (size_t)(end - reader->line) : reader->size - reader->next;
    reader->next += reader->line_size + 1;
    reader->line_number++;
    return true;
}

static bool line_starts(const spec_reader *reader, const char *start)
{
    size_t size = strlen(start);
    return reader->line_size >= size && memcmp(reader->line, start, size) == 0;
}

static bool is_blank(const spec_reader *reader)
{
    for (size_t i = 0; i < reader->line_size; i++) {
        if (!isspace((unsigned char)reader->line[i])) {
            return false;
        }
    }
    return true;
}

/* `**B…`: the start of a clause, right or wrong. */
static bool starts_clause(const spec_reader *reader)
{
    return line_starts(reader, "**") && reader->line_size > 2 &&
           isupper((unsigned char)reader->line[2]);
}

static bool complain(const spec_reader *reader, const char *what)
{
    return vx_problem_set(reader->problem, "line %zu: %s", reader->line_number, what);
}

/* Appends the words of size bytes, single spaces between all of them. */
static void add_words(vx_text *text, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        if (isspace((unsigned char)bytes[i])) {
            i++;
            continue;
        }
        size_t word = i;
        while (i < size && !isspace((unsigned char)bytes[i])) {
            i++;
        }
        if (text->size > 0) {
            vx_text_add_char(text, ' ');
        }
        vx_text_add_bytes(text, bytes + word, i - word);
    }
}

static void hash_text(const vx_text *text, char hash[VX_CLAUSE_HASH])
{
    char hex[VX_SHA256_HEX];
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, text->size, (const uint8_t *)vx_text_string(text));
    vx_sha256_hex(&context, hex);
    memcpy(hash, hex, VX_CLAUSE_HASH - 1);
}

/* Chapter letters, section, point, number: "B2.9". The size of the id at bytes, 0 for none. */
static size_t id_size(const char *bytes, size_t size)
{
    size_t i = 0;
    while (i < size && isupper((unsigned char)bytes[i])) {
        i++;
    }
    size_t letters = i;
    while (i < size && isdigit((unsigned char)bytes[i])) {
        i++;
    }
    size_t point = i;
    if (letters == 0 || point == letters || point == size || bytes[point] != '.') {
        return 0;
    }
    i++;
    while (i < size && isdigit((unsigned char)bytes[i])) {
        i++;
    }
    return i > point + 1 && i < VX_CLAUSE_ID ? i : 0;
}

/* "**ID** `hash` " at the start of the present line; *used is its size. */
static bool read_start(const spec_reader *reader, vx_clause *clause, size_t *used)
{
    size_t id = id_size(reader->line + 2, reader->line_size - 2);
    size_t hash = 2 + id + sizeof "** `" - 1;
    size_t end = hash + VX_CLAUSE_HASH - 1;
    if (id == 0 || reader->line_size <= end + 1 || memcmp(reader->line + 2 + id, "** `", 4) != 0 ||
        memcmp(reader->line + end, "` ", 2) != 0) {
        return complain(reader, "a clause starts like this: **B2.9** `1a2b3c` Text");
    }
    memcpy(clause->id, reader->line + 2, id);
    memcpy(clause->hash, reader->line + hash, VX_CLAUSE_HASH - 1);
    clause->hash_offset = (size_t)(reader->line - reader->text) + hash;
    clause->line = reader->line_number;
    *used = end + 1;
    return true;
}

/* Whether a stands before b: letters, then the two numbers. */
static bool precedes(const char *a, const char *b)
{
    size_t letters_a = strcspn(a, "0123456789");
    size_t letters_b = strcspn(b, "0123456789");
    int order =
        letters_a != letters_b ? (letters_a < letters_b ? -1 : 1) : strncmp(a, b, letters_a);
    if (order != 0) {
        return order < 0;
    }
    unsigned long section_a = strtoul(a + letters_a, NULL, 10);
    unsigned long section_b = strtoul(b + letters_b, NULL, 10);
    return section_a != section_b
               ? section_a < section_b
               : strtoul(strchr(a, '.') + 1, NULL, 10) < strtoul(strchr(b, '.') + 1, NULL, 10);
}

/* The rest of a clause's paragraph, from the present line at offset used. */
static bool read_text(spec_reader *reader, size_t used, vx_text *text)
{
    add_words(text, reader->line + used, reader->line_size - used);
    while (next_line(reader) && !is_blank(reader)) {
        if (starts_clause(reader) || line_starts(reader, ">") || line_starts(reader, "```") ||
            line_starts(reader, "#")) {
            return complain(reader, "a blank line must stand between a clause and what follows");
        }
        add_words(text, reader->line, reader->line_size);
    }
    return text->size > 0 || complain(reader, "a clause without text");
}

static bool read_clause(spec_reader *reader)
{
    vx_clause clause = {0};
    size_t used = 0;
    if (!read_start(reader, &clause, &used)) {
        return false;
    }
    vx_spec *spec = reader->spec;
    if (spec->count > 0 && !precedes(spec->clauses[spec->count - 1].id, clause.id)) {
        return vx_problem_set(reader->problem, "line %zu: %s does not come after %s", clause.line,
                              clause.id, spec->clauses[spec->count - 1].id);
    }
    vx_text text = {0};
    bool good = read_text(reader, used, &text);
    hash_text(&text, clause.text_hash);
    clause.text = vx_must_strdup(vx_text_string(&text));
    vx_text_free(&text);
    if (!good) {
        free(clause.text);
        return false;
    }
    clause.ruling = strncmp(clause.text, "ruling. ", strlen("ruling. ")) == 0;
    clause.section = vx_must_strdup(vx_text_string(&reader->section));
    spec->clauses = vx_must_realloc(spec->clauses, spec->count + 1, sizeof clause);
    spec->clauses[spec->count++] = clause;
    return true;
}

/* A quoted line or a line of a code fence belongs to the clause before it. */
static void add_note(vx_text *notes, const char *line, size_t size)
{
    bool quoted = size > 0 && line[0] == '>';
    size_t skip = quoted ? (size > 1 && line[1] == ' ' ? 2 : 1) : 0;
    vx_text_add_bytes(notes, line + skip, size - skip);
    vx_text_add_char(notes, '\n');
}

static void close_notes(spec_reader *reader, vx_text *notes)
{
    if (reader->spec->count > 0 && reader->spec->clauses[reader->spec->count - 1].notes == NULL) {
        reader->spec->clauses[reader->spec->count - 1].notes =
            vx_must_strdup(vx_text_string(notes));
    }
    vx_text_clear(notes);
}

static void read_heading(spec_reader *reader)
{
    size_t start = strspn(reader->line, "# ");
    vx_text_clear(&reader->section);
    vx_text_add_bytes(&reader->section, reader->line + start, reader->line_size - start);
}

static bool read_lines(spec_reader *reader, vx_text *notes)
{
    bool fenced = false;
    while (next_line(reader)) {
        if (line_starts(reader, "```") || fenced) {
            fenced = line_starts(reader, "```") ? !fenced : fenced;
            add_note(notes, reader->line, reader->line_size);
        } else if (line_starts(reader, ">")) {
            add_note(notes, reader->line, reader->line_size);
        } else if (starts_clause(reader)) {
            close_notes(reader, notes);
            if (!read_clause(reader)) {
                return false;
            }
        } else if (!is_blank(reader)) {
            close_notes(reader, notes);
            if (line_starts(reader, "#")) {
                read_heading(reader);
            }
        }
    }
    close_notes(reader, notes);
    return true;
}

bool vx_spec_read(const char *text, size_t size, vx_spec *spec, vx_problem *problem)
{
    *spec = (vx_spec){0};
    spec_reader reader = {.text = text, .size = size, .spec = spec, .problem = problem};
    vx_text notes = {0};
    bool good = read_lines(&reader, &notes);
    vx_text_free(&notes);
    vx_text_free(&reader.section);
    if (!good) {
        vx_spec_free(spec);
    }
    return good;
}

void vx_spec_read_own(vx_spec *spec)
{
    vx_problem problem = {0};
    size_t size = (size_t)(vx_spec_text_end - vx_spec_text);
    if (!vx_spec_read(vx_spec_text, size, spec, &problem)) {
        exit((int)vx_complain(VX_EXIT_INTERNAL, "SPEC.md: %s", problem.message));
    }
}

void vx_spec_free(vx_spec *spec)
{
    for (size_t i = 0; i < spec->count; i++) {
        free(spec->clauses[i].section);
        free(spec->clauses[i].text);
        free(spec->clauses[i].notes);
    }
    free(spec->clauses);
    *spec = (vx_spec){0};
}

const vx_clause *vx_spec_find(const vx_spec *spec, const char *id)
{
    for (size_t i = 0; i < spec->count; i++) {
        if (strcmp(spec->clauses[i].id, id) == 0) {
            return &spec->clauses[i];
        }
    }
    return NULL;
}

bool vx_spec_names(const char *word, const char *id)
{
    size_t size = strlen(word);
    return size > 0 && strncasecmp(word, id, size) == 0 && (id[size] == '\0' || id[size] == '.');
}

static size_t common_start(const char *a, const char *b)
{
    size_t size = 0;
    while (a[size] != '\0' && a[size] == b[size]) {
        size++;
    }
    return size;
}

const vx_clause *vx_spec_nearest(const vx_spec *spec, const char *id)
{
    const vx_clause *best = NULL;
    size_t best_distance = 0;
    for (size_t i = 0; i < spec->count; i++) {
        const char *other = spec->clauses[i].id;
        size_t found = vx_word_distance(other, id);
        if (best == NULL || found < best_distance ||
            (found == best_distance && common_start(other, id) > common_start(best->id, id))) {
            best = &spec->clauses[i];
            best_distance = found;
        }
    }
    return best;
}
