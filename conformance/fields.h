/* SPDX-License-Identifier: MIT */
/* The members of a JSON object and the struct that they fill: one table serves the strict reader
 * and the writer. */
#ifndef VX_FIELDS_H
#define VX_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"
#include "text.h"
#include "voxcert/arena.h"

/* What a member is in JSON, and in the struct. A list or rows are a pointer to const elements (for
 * rows, to structs of width integers or to width numbers in a row) and a size_t count; NULL means
 * absent. All elements are int64_t for integers, double for numbers. */
typedef enum vx_field_kind {
    VX_FIELD_TAG,          /* read and written by the caller; nothing in the struct */
    VX_FIELD_INTEGER,      /* int64_t */
    VX_FIELD_NUMBER,       /* double */
    VX_FIELD_FLOAT,        /* float: the number rounded to binary32 */
    VX_FIELD_INTEGERS,     /* [a, b, …], width of them, in an int64_t array */
    VX_FIELD_NUMBERS,      /* the same in a double array */
    VX_FIELD_INTEGER_LIST, /* [a, b, …] */
    VX_FIELD_NUMBER_LIST,
    VX_FIELD_INTEGER_ROWS, /* [[a, b, …], …], each of width; count counts rows */
    VX_FIELD_NUMBER_ROWS,
    VX_FIELD_INTEGER_MAP /* {"a": b, …}: rows (a, b), so width is 2 */
} vx_field_kind;

typedef struct vx_field {
    const char *name;
    vx_field_kind kind;
    bool optional;       /* may be absent: the struct keeps what it holds */
    size_t width;        /* where the kind says so, otherwise 0 */
    size_t offset;       /* in the struct, of the value, array or pointer */
    size_t count_offset; /* in the struct, of the count of a list, rows or map */
} vx_field;

typedef struct vx_field_table {
    const vx_field *fields;
    size_t count; /* at most 32 */
} vx_field_table;

/* Reads the object into target; lists live in the arena. A member that the table does not have, one
 * that is missing and a value of another type are problems. *absent (which may be NULL) gets bit i
 * where the table's member i is absent. */
bool vx_fields_read(const vx_field_table *table, json_t *object, void *target, vx_arena *arena,
                    uint32_t *absent, vx_problem *problem);

/* Appends "name":value,… in the table's order, without braces; a comma comes first unless the text
 * ends in a brace that opens. Left out are optional lists, rows and maps that are absent, and
 * optional scalars whose bit in absent is set and that still have the value that they have in
 * defaults. */
void vx_fields_write(const vx_field_table *table, const void *source, uint32_t absent,
                     const void *defaults, vx_text *text);

/* Copies every list that source points to into the arena and lets target, a copy of source, point
 * to the copies. */
void vx_fields_copy_lists(const vx_field_table *table, void *target, vx_arena *arena);

/* Adds to a SHA-256 (nettle's) all that whoever gets source could read by the table: the values,
 * the lists and where they lie. */
struct sha256_ctx;
void vx_fields_digest(const vx_field_table *table, const void *source, struct sha256_ctx *context);

#endif
