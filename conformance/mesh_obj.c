/* SPDX-License-Identifier: MIT */
/* A check of OBJ files before assimp reads them. */
#include "mesh_obj.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "file.h"
#include "text.h"

enum { SHOWN_MAX = 24 };

/* What stands between words; a backslash joins a line to the next. */
static const char separators[] = " \t\v\f\r\\";

typedef struct checker {
    size_t line;    /* from 1 */
    int64_t before; /* vertices above it */
    int64_t count;  /* vertices in the file */
    vx_error *error;
} checker;

/* --- lines and words -------------------------------------------------------------------------- */

/* Ends the line at `at`, joined with those that it goes on in, by a NUL; returns where the next one
 * begins, NULL behind the last. */
static char *end_line(char *at, size_t *lines)
{
    *lines = 1;
    for (;;) {
        char *end = strchr(at, '\n');
        if (end == NULL) {
            return NULL;
        }
        const char *last = end > at && end[-1] == '\r' ? end - 1 : end;
        if (last == at || last[-1] != '\\') {
            *end = '\0';
            return end + 1;
        }
        *end = ' ';
        at = end + 1;
        ++*lines;
    }
}

static vx_status wrong(const checker *check, const char *holder, const char *word,
                       const char *purpose)
{
    return vx_fail(check->error, VX_ARGUMENT, "line %zu: a %s has '%.*s' for a %s", check->line,
                   holder, SHOWN_MAX, word, purpose);
}

/* --- vertices and faces ----------------------------------------------------------------------- */

/* Assimp takes a vertex with ".5" for none. */
static bool is_number(const char *word)
{
    char *end;
    (void)strtod(word, &end);
    return word[0] != '.' && end != word && *end == '\0' && strpbrk(word, "xX") == NULL;
}

/* The words behind "v". */
static vx_status check_vertex(const checker *check, char *words)
{
    size_t count = 0;
    char *rest;
    for (char *word = strtok_r(words, separators, &rest); word != NULL;
         word = strtok_r(NULL, separators, &rest)) {
        if (!is_number(word)) {
            return wrong(check, "vertex", word, "number");
        }
        count++;
    }
    if (count < 3) {
        return vx_fail(check->error, VX_ARGUMENT, "line %zu: a vertex has %zu of 3 coordinates",
                       check->line, count);
    }
    return VX_OK;
}

/* A corner is "7", "7/2", "7//3" or "7/2/3", of which the vertex counts. */
static vx_status check_corner(const checker *check, const char *word)
{
    char *end;
    size_t slashes = 0;
    errno = 0;
    int64_t index = strtoll(word, &end, 10);
    for (const char *at = end; *at != '\0'; at++) {
        slashes += *at == '/' ? 1 : 0;
    }
    bool is_corner = errno == 0 && end != word && (*end == '\0' || *end == '/') && slashes <= 2;
    if (!is_corner || end[strspn(end, "/+-0123456789")] != '\0') {
        return wrong(check, "face", word, "corner");
    }
    if (index == 0 || index > check->count || index < -check->before) {
        return vx_fail(check->error, VX_OUT_OF_RANGE,
                       "line %zu: a face has vertex %" PRId64 " of %" PRId64, check->line, index,
                       check->count);
    }
    return VX_OK;
}

static vx_status check_face(const checker *check, char *words)
{
    vx_status status = VX_OK;
    char *rest;
    for (char *word = strtok_r(words, separators, &rest); word != NULL && status == VX_OK;
         word = strtok_r(NULL, separators, &rest)) {
        status = check_corner(check, word);
    }
    return status;
}

/* --- the file --------------------------------------------------------------------------------- */

/* What stands behind the line's first word, if that is this letter; else NULL. */
static char *behind(char *line, char letter)
{
    line += strspn(line, separators);
    return line[0] == letter && line[1] != '\0' && strchr(separators, line[1]) != NULL ? line + 1
                                                                                       : NULL;
}

/* Faces may address vertices further down, so these are counted first. */
static int64_t count_vertices(const char *text)
{
    int64_t count = 0;
    for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
        at += strspn(at, " \t\r\n");
        count += at[0] == 'v' && (at[1] == ' ' || at[1] == '\t') ? 1 : 0;
    }
    return count;
}

static vx_status check_lines(checker *check, char *text)
{
    vx_status status = VX_OK;
    size_t lines;
    char *next;
    for (char *line = text; line != NULL && status == VX_OK; line = next) {
        next = end_line(line, &lines);
        char *vertex = behind(line, 'v');
        char *face = behind(line, 'f');
        if ((vertex != NULL || face != NULL) && strchr(separators, line[0]) != NULL) {
            /* Assimp passes over it. */
            status = vx_fail(check->error, VX_ARGUMENT,
                             "line %zu: a vertex or face must begin at the start of its line",
                             check->line);
        } else if (vertex != NULL) {
            status = check_vertex(check, vertex);
            check->before++;
        } else if (face != NULL) {
            status = check_face(check, face);
        }
        check->line += lines;
    }
    return status;
}

vx_status vx_mesh_obj_check(const char *path, vx_error *error)
{
    vx_text text = {0};
    vx_status status = vx_file_read(path, VX_FILE_BYTES_MAX, &text, error);
    if (status == VX_OK && text.size > 0) {
        checker check = {.line = 1, .count = count_vertices(text.bytes), .error = error};
        status = check_lines(&check, text.bytes);
    }
    vx_text_free(&text);
    return status;
}
