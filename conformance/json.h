/* SPDX-License-Identifier: MIT */
/* Strict JSON on top of jansson: one text at a time, its scalars, and what to say about a wrong
 * one. */
#ifndef VX_JSON_H
#define VX_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"

/* Integers in a case or an answer lie within ±2^53 (docs/PROTOCOL.md). */
#define VX_INTEGER_MAX INT64_C(9007199254740992)

enum { VX_NESTING_MAX = 16 };

/* What the values of a text may take in memory, some dozen bytes each. */
#define VX_JSON_BYTES_MAX ((size_t)1 << 30)

/* Parses one JSON text (RFC 8259, UTF-8): no member twice, nesting of at most VX_NESTING_MAX, no
 * NUL, nothing behind it, values that fit VX_JSON_BYTES_MAX. NULL with a problem otherwise. Integer
 * tokens that jansson would refuse (19 digits and more) or lose (-0) become reals: where an integer
 * is needed they are wrong, where any number may stand they are read exactly.
 *
 * The document is to be read only, in the thread that loaded it, until vx_json_free; never
 * json_decref or change it, for its values are not jansson's to free. */
json_t *vx_json_load(const char *bytes, size_t size, vx_problem *problem);
void vx_json_free(json_t *document); /* NULL: nothing happens */

/* Sets the problem "NEEDED is needed, not VALUE" at the present path and returns false. */
bool vx_json_wrong(json_t *value, const char *needed, vx_problem *problem);

/* Scalars. An integer is a JSON integer from min to max; a number is any JSON number or one of the
 * strings "NaN", "Infinity" and "-Infinity". */
bool vx_json_integer(json_t *value, int64_t min, int64_t max, int64_t *result, vx_problem *problem);
bool vx_json_number(json_t *value, double *result, vx_problem *problem);

/* The same for an element of an array, whose index is entered into the path on failure only. */
bool vx_json_integer_at(json_t *array, size_t index, int64_t min, int64_t max, int64_t *result,
                        vx_problem *problem);
bool vx_json_number_at(json_t *array, size_t index, double *result, vx_problem *problem);

/* Whether value is an object, or an array (of size elements unless size is SIZE_MAX); if not, the
 * problem says so. */
bool vx_json_is_object(json_t *value, vx_problem *problem);
bool vx_json_is_array(json_t *value, size_t size, vx_problem *problem);

/* Sets a problem at the member's path and returns false. An unknown member is none, and the result
 * true, where the problem is lenient. */
bool vx_json_missing(const char *name, vx_problem *problem);
bool vx_json_unknown(const char *name, vx_problem *problem);

#endif
