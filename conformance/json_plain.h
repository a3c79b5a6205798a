/* SPDX-License-Identifier: MIT */
/* Plain JSON, read fast. */
#ifndef VX_JSON_PLAIN_H
#define VX_JSON_PLAIN_H

#include <jansson.h>
#include <stddef.h>

/* The value of a text in which no string has an escape or a byte beyond ASCII and no integer more
 * than 18 digits: as vx_json_load gives it. NULL when the text is not as plain as that, is not
 * JSON, or memory runs out; the caller then asks jansson, which can say what is wrong. What was
 * read until then is not freed: the memory that jansson takes must be an arena's. */
json_t *vx_json_plain(const char *bytes, size_t size);

#endif
