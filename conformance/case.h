/* SPDX-License-Identifier: MIT */
/* Cases and files of cases (docs/PROTOCOL.md): the strict reader and the writer. */
#ifndef VX_CASE_H
#define VX_CASE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "chapter.h"
#include "json.h" /* VX_NESTING_MAX */
#include "problem.h"
#include "result.h"
#include "text.h"

#define VX_CASE_FORMAT "voxcert/1"

/* Sizes that the reader refuses to go beyond. */
#define VX_LINE_BYTES_MAX ((size_t)128 << 20)
#define VX_FILE_BYTES_MAX ((size_t)512 << 20)

typedef struct vx_case {
    char *name; /* "" when there is none */
    const vx_chapter *chapter;
    char **clauses;
    size_t clause_count;
    char *note;
    char **flags;
    size_t flag_count;
    vx_input *input;
    bool has_expect;
    vx_expect expect;
    const char *file; /* that it was read from; NULL: none that can be read again */
    size_t line;      /* in its file, from 1 */
} vx_case;

void vx_case_free(vx_case *item); /* its contents */

/* Its name, or "line 12" in the buffer. */
const char *vx_case_label(const vx_case *item, char buffer[32]);

/* Reads one line (size bytes, without the line end). On failure the problem says where and why. A
 * case of a chapter that this kit does not know is a problem. */
bool vx_case_read(const char *line, size_t size, vx_case *item, vx_problem *problem);

/* The same from a parsed object, for the port protocol; with a lenient problem, unknown members are
 * passed over. */
bool vx_case_read_json(json_t *object, vx_case *item, vx_problem *problem);

/* The whole case as one line, without the line end. */
void vx_case_write(const vx_case *item, vx_text *text);

/* What a port is sent: format, chapter, grid and steps, no more. */
void vx_case_write_question(const vx_case *item, vx_text *text);

/* A list of cases. */
typedef struct vx_case_list {
    vx_case *items;
    size_t count;
    size_t capacity;
    char **files; /* their names, which the cases share */
    size_t file_count;
    struct sha256_ctx *digest; /* nettle's, of all bytes that vx_case_list_read reads; or NULL */
} vx_case_list;

void vx_case_list_free(vx_case_list *list);

/* Appends the case, whose contents become the list's. */
void vx_case_list_add(vx_case_list *list, const vx_case *item);

/* Calls visit with path or, when it is a directory, with every *.jsonl file below it in the order
 * of their names. Stops when visit returns false, and returns false then; so it does, after a
 * complaint, when there is no such file or the directory cannot be read. */
bool vx_case_files_visit(const char *path, bool (*visit)(void *context, const char *file),
                         void *context);

/* Reads a file of cases, or every *.jsonl file below a directory in the order of their names, and
 * appends them. "-" is standard input. On failure prints "voxcert: FILE:LINE: PATH: what" and
 * returns false; the list then holds what came before. Vectors (need_answers) must have a name that
 * no other one has and an expect. */
bool vx_case_list_read(vx_case_list *list, const char *path, bool need_answers);

#endif
