/* SPDX-License-Identifier: MIT */
/* Text that grows, the writing of JSON's scalars, and memory that cannot be missing. */
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"

static void out_of_memory(void)
{
    (void)fputs("voxcert: out of memory\n", stderr);
    exit(VX_EXIT_INTERNAL);
}

void *vx_must_alloc(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (memory == NULL) {
        out_of_memory();
    }
    return memory;
}

void *vx_must_realloc(void *memory, size_t count, size_t size)
{
    void *result = reallocarray(memory, count > 0 ? count : 1, size > 0 ? size : 1);
    if (result == NULL) {
        out_of_memory();
    }
    return result;
}

char *vx_must_strdup(const char *string)
{
    size_t size = strlen(string) + 1;
    return memcpy(vx_must_alloc(size, 1), string, size);
}

void *vx_must_arena_alloc(vx_arena *arena, size_t count, size_t size)
{
    void *result = vx_arena_alloc(arena, count, size, _Alignof(max_align_t));
    if (result == NULL) {
        out_of_memory();
    }
    return result;
}

void vx_text_free(vx_text *text)
{
    free(text->bytes);
    *text = (vx_text){0};
}

void vx_text_clear(vx_text *text)
{
    text->size = 0;
    if (text->bytes != NULL) {
        text->bytes[0] = '\0';
    }
}

const char *vx_text_string(const vx_text *text)
{
    return text->bytes != NULL ? text->bytes : "";
}

/* Makes room for extra more bytes and the NUL. */
static void reserve(vx_text *text, size_t extra)
{
    if (extra >= SIZE_MAX / 2 - text->size) {
        out_of_memory();
    }
    size_t needed = text->size + extra + 1;
    if (needed <= text->capacity) {
        return;
    }
    size_t capacity = text->capacity < 64 ? 64 : text->capacity;
    while (capacity < needed) {
        capacity += capacity / 2;
    }
    text->bytes = vx_must_realloc(text->bytes, capacity, 1);
    text->capacity = capacity;
}

void vx_text_add_bytes(vx_text *text, const void *bytes, size_t size)
{
    reserve(text, size);
    if (size > 0) {
        memcpy(text->bytes + text->size, bytes, size);
    }
    text->size += size;
    text->bytes[text->size] = '\0';
}

void vx_text_add(vx_text *text, const char *string)
{
    vx_text_add_bytes(text, string, strlen(string));
}

void vx_text_add_char(vx_text *text, char byte)
{
    vx_text_add_bytes(text, &byte, 1);
}

void vx_text_add_integer(vx_text *text, int64_t value)
{
    char digits[20];
    size_t first = sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--first] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        digits[--first] = '-';
    }
    vx_text_add_bytes(text, digits + first, sizeof digits - first);
}

void vx_text_format(vx_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (size > 0) {
        reserve(text, (size_t)size);
        (void)vsnprintf(text->bytes + text->size, (size_t)size + 1, format, again);
        text->size += (size_t)size;
    }
    va_end(again);
}

size_t vx_utf8_length(const char *bytes)
{
    const unsigned char *string = (const unsigned char *)bytes;
    unsigned char lead = string[0];
    size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead > 0xf4) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((string[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    if ((lead == 0xe0 && string[1] < 0xa0) || (lead == 0xed && string[1] > 0x9f) ||
        (lead == 0xf0 && string[1] < 0x90) || (lead == 0xf4 && string[1] > 0x8f)) {
        return 0;
    }
    return length;
}

void vx_text_add_json_string(vx_text *text, const char *string)
{
    vx_text_add_char(text, '"');
    for (const char *next = string; *next != '\0';) {
        unsigned char byte = (unsigned char)*next;
        size_t length = vx_utf8_length(next);
        if (byte == '"' || byte == '\\') {
            vx_text_add_char(text, '\\');
            vx_text_add_char(text, *next);
        } else if (byte < 0x20 || byte == 0x7f) {
            vx_text_format(text, "\\u%04x", byte);
        } else if (length == 0) {
            vx_text_add(text, "\\ufffd");
            length = 1;
        } else {
            vx_text_add_bytes(text, next, length);
        }
        next += length;
    }
    vx_text_add_char(text, '"');
}

void vx_text_add_json_number(vx_text *text, double value)
{
    if (isnan(value)) {
        vx_text_add(text, "\"NaN\"");
    } else if (isinf(value)) {
        vx_text_add(text, value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    } else if (value == 0) {
        vx_text_add(text, signbit(value) ? "-0.0" : "0");
    } else if (fabs(value) < 0x1p53 && value == trunc(value)) {
        vx_text_add_integer(text, (int64_t)value);
    } else {
        /* The shortest of the three that reads back; 17 digits always do. */
        char digits[32];
        for (int precision = 15; precision <= 17; precision++) {
            (void)snprintf(digits, sizeof digits, "%.*g", precision, value);
            if (strtod(digits, NULL) == value) {
                break;
            }
        }
        vx_text_add(text, digits);
    }
}
