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

/* Parses one JSON text (RFC 8259, UTF-8): no member twice, nesting of at most VX_NESTING_MAX, no
 * NUL, nothing behind it. NULL with a problem otherwise; json_decref what it returns. Integer
 * tokens that jansson would refuse (19 digits and more) or lose (-0) become reals: where an integer
 * is needed they are wrong, where any number may stand they are read exactly. */
json_t *vx_json_load(const char *bytes, size_t size, vx_problem *problem);

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

/* Sets a problem at the member's path and returns false. */
bool vx_json_missing(const char *name, vx_problem *problem);
bool vx_json_unknown(const char *name, vx_problem *problem);

#endif
