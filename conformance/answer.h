/* SPDX-License-Identifier: MIT */
/* What a port's lines say: its answer to hello, and its answers to cases (docs/PROTOCOL.md). */
#ifndef VX_ANSWER_H
#define VX_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"
#include "result.h"
#include "text.h"
#include "verdict.h"

enum { VX_PROTOCOL = 1 };

/* Who a target says that it is. Zero-initialise; free with vx_identity_free. */
typedef struct vx_identity {
    char *name;
    char *version;
    char *language;
    char **chapters;
    size_t chapter_count;
} vx_identity;

void vx_identity_free(vx_identity *identity);
void vx_identity_add_chapter(vx_identity *identity, const char *name);
bool vx_identity_has_chapter(const vx_identity *identity, const char *name);

/* The line that opens the talk, with its line end. */
void vx_hello_write(int64_t id, vx_text *text);

/* Reads the answer to it, which replaces the identity. False with the reason, and the identity as
 * it was, when it is none: another protocol, or numbers that did not come back as they were sent.
 */
bool vx_hello_read(const char *line, size_t size, int64_t id, vx_identity *identity, vx_text *why);

/* Reads a line that should answer the case with that id: sets all of the outcome but charged and
 * seconds. Without a shape no case is open, and every answer is VX_DESYNC. */
void vx_answer_read(const char *line, size_t size, int64_t id, const vx_result_shape *shape,
                    vx_outcome *outcome);

/* Whether a JSON text holds a number that is no canonical integer (−0, a fraction, an exponent),
 * and where the first one stands. */
bool vx_find_noncanonical(const char *line, size_t size, size_t *start, size_t *length);

/* Bytes that a port wrote, with control characters and what is no UTF-8 escaped, so that a terminal
 * can show them. A NUL stands behind them. */
void vx_add_printable(vx_text *text, const char *bytes, size_t size);

/* The first of them, quoted. */
void vx_add_excerpt(vx_text *text, const char *bytes, size_t size);

/* The string, or its first `most` bytes and an ellipsis. */
void vx_add_shortened(vx_text *text, const char *string, size_t most);

/* What may be the matter with a line that is no JSON object: the reader's problem when it starts
 * like one. */
void vx_add_garbage_reason(vx_text *text, const char *line, const vx_problem *problem);

#endif
