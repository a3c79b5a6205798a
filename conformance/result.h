/* SPDX-License-Identifier: MIT */
/* A result: a few named numbers and rows of integers, or an error. It can be compared, printed,
 * hashed and drawn without knowing who made it. */
#ifndef VX_RESULT_H
#define VX_RESULT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"
#include "text.h"
#include "voxcert/status.h"

enum { VX_FACTS_MAX = 8, VX_SHA256_HEX = 65 };

/* What a chapter's results look like. */
typedef struct vx_fact_shape {
    const char *name;
    size_t count; /* 1: a number; more: an array of that many */
} vx_fact_shape;

typedef struct vx_table_shape {
    const char *name;           /* "solid" */
    size_t width;               /* numbers in a row */
    const char *const *columns; /* their names */
} vx_table_shape;

typedef struct vx_result_shape {
    const vx_fact_shape *facts;
    size_t fact_count;
    const vx_table_shape *tables;
    size_t table_count;
} vx_result_shape;

/* Zero-initialise; free with vx_result_free. */
typedef struct vx_result {
    vx_status error; /* VX_OK: facts and rows count; otherwise step and message */
    int64_t step;    /* the step that failed; −1: the grid */
    char message[VX_ERROR_MESSAGE_SIZE];
    int64_t facts[VX_FACTS_MAX]; /* the shape's facts one after the other */
    size_t table;                /* which of the shape's tables the rows belong to */
    size_t rows;
    int32_t *cells; /* rows · width, owned */
} vx_result;

/* What a case expects: an error of one of some kinds, rows, or the digest of rows. */
typedef struct vx_expect {
    unsigned kinds; /* bit vx_status set: that kind of error is correct; 0: no error */
    bool digest;    /* result.rows and sha256 are given instead of cells (and no table is named) */
    char sha256[VX_SHA256_HEX];
    vx_result result; /* result.error is VX_OK; with kinds only step counts */
} vx_expect;

void vx_result_free(vx_result *result);

/* Appends rows first … first + count − 1 (cut to those that there are), one a line: numbers in
 * decimal, one space between, LF after each. */
void vx_result_print_rows(const vx_result_shape *shape, const vx_result *result, size_t first,
                          size_t count, vx_text *text);

/* Ends a SHA-256 (nettle's) as lower-case hex. */
struct sha256_ctx;
void vx_sha256_hex(struct sha256_ctx *context, char hex[VX_SHA256_HEX]);

/* SHA-256 of the rows printed one a line (docs/PROTOCOL.md), in lower-case hex. */
void vx_result_digest(const vx_result_shape *shape, const vx_result *result,
                      char hex[VX_SHA256_HEX]);

/* The members of "out" or "expect" with their braces: {"size": …, …} or {"error": …, "step": …}. */
void vx_result_write(const vx_result_shape *shape, const vx_result *result, vx_text *text);
void vx_expect_write(const vx_result_shape *shape, const vx_expect *expect, vx_text *text);

/* Strict readers: unknown or missing members, wrong types and wrong row widths are problems. An
 * answer (read) holds rows or one error; an expect may also hold a digest or a list of errors. */
bool vx_result_read(const vx_result_shape *shape, json_t *json, vx_result *result,
                    vx_problem *problem);
bool vx_expect_read(const vx_result_shape *shape, json_t *json, vx_expect *expect,
                    vx_problem *problem);

/* Whether the result is what is expected; if not, difference says what differs first: the fact, or
 * the row and the column's name with both values. */
bool vx_result_matches(const vx_result_shape *shape, const vx_expect *expect,
                       const vx_result *result, vx_text *difference);

/* Whether two results are the same (messages aside). */
bool vx_result_equal(const vx_result_shape *shape, const vx_result *a, const vx_result *b);

#endif
