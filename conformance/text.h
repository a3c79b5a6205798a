/* SPDX-License-Identifier: MIT */
/* Text that grows: the buffer that every line of output is made in. */
#ifndef VX_TEXT_H
#define VX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "voxcert/arena.h"
#include "voxcert/status.h"

/* bytes[0 .. size) and a closing NUL, unless bytes is NULL (empty). Zero-initialise; free with
 * vx_text_free. When memory runs out the program stops with exit status 5: the kit cannot go on. */
typedef struct vx_text {
    char *bytes;
    size_t size;
    size_t capacity;
} vx_text;

void vx_text_free(vx_text *text);
void vx_text_clear(vx_text *text);               /* keeps the memory */
const char *vx_text_string(const vx_text *text); /* "" when empty; valid until the next change */

void vx_text_add(vx_text *text, const char *string);
void vx_text_add_bytes(vx_text *text, const void *bytes, size_t size);
void vx_text_add_char(vx_text *text, char byte);
void vx_text_add_integer(vx_text *text, int64_t value);
void vx_text_format(vx_text *text, const char *format, ...) VX_PRINTF(2, 3);

/* The length of the UTF-8 sequence at bytes (RFC 3629: no surrogates, nothing overlong, nothing
 * above U+10FFFF), 0 when there is none. A NUL ends what there is to look at. */
size_t vx_utf8_length(const char *bytes);

/* A JSON string literal, quotes included; control characters and invalid UTF-8 are escaped. */
void vx_text_add_json_string(vx_text *text, const char *string);

/* A JSON number that reads back to the same binary64 (binary32 widens exactly); the strings "NaN",
 * "Infinity" and "-Infinity" for what JSON has no number for. −0 is written -0.0. */
void vx_text_add_json_number(vx_text *text, double value);

/* malloc, realloc and strdup that stop the program with exit status 5 instead of returning NULL. */
void *vx_must_alloc(size_t count, size_t size); /* zeroed */
void *vx_must_realloc(void *memory, size_t count, size_t size);
char *vx_must_strdup(const char *string);

/* The same out of an arena, for any type; not zeroed. */
void *vx_must_arena_alloc(vx_arena *arena, size_t count, size_t size);

#endif
