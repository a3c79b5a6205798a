/* SPDX-License-Identifier: MIT */
/* Plain JSON, read fast: most lines of most files of cases hold nothing but short names and
 * numbers, of which jansson's lexer takes a byte at a time. */
#include "json_plain.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

typedef struct reader {
    const char *next, *end;
    size_t depth;
} reader;

static json_t *read_value(reader *in);

/* The next byte, 0 at the end. */
static char peek(const reader *in)
{
    static const char none = '\0';
    return in->next < in->end ? *in->next : none;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* The byte behind white space. */
static char skip_space(reader *in)
{
    char byte = peek(in);
    while (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n') {
        in->next++;
        byte = peek(in);
    }
    return byte;
}

static bool take(reader *in, char byte)
{
    bool found = skip_space(in) == byte;
    in->next += found ? 1 : 0;
    return found;
}

/* At least one digit. */
static bool skip_digits(reader *in)
{
    const char *first = in->next;
    while (is_digit(peek(in))) {
        in->next++;
    }
    return in->next > first;
}

/* The number with a fraction or an exponent that starts at first, read to the end of its integer
 * part. */
static json_t *read_real(reader *in, const char *first)
{
    char digits[64];
    if (peek(in) == '.') {
        in->next++;
        if (!skip_digits(in)) {
            return NULL;
        }
    }
    if (peek(in) == 'e' || peek(in) == 'E') {
        in->next++;
        in->next += peek(in) == '+' || peek(in) == '-' ? 1 : 0;
        if (!skip_digits(in)) {
            return NULL;
        }
    }
    size_t size = (size_t)(in->next - first);
    if (size >= sizeof digits) {
        return NULL;
    }
    memcpy(digits, first, size);
    digits[size] = '\0';
    double value = strtod(digits, NULL);
    return isfinite(value) ? json_real(value) : NULL;
}

static json_t *read_number(reader *in)
{
    enum { DIGITS_MAX = 18 }; /* which always fit an int64_t */
    const char *first = in->next;
    bool negative = *first == '-';
    in->next += negative ? 1 : 0;
    const char *digits = in->next;
    if (!skip_digits(in) || (*digits == '0' && in->next > digits + 1)) {
        return NULL;
    }
    size_t count = (size_t)(in->next - digits);
    bool is_zero = *digits == '0';
    if (peek(in) == '.' || peek(in) == 'e' || peek(in) == 'E' || (negative && is_zero)) {
        return read_real(in, first);
    }
    int64_t value = 0;
    for (size_t i = 0; i < count && count <= DIGITS_MAX; i++) {
        value = value * 10 + (digits[i] - '0');
    }
    return count <= DIGITS_MAX ? json_integer(negative ? -value : value) : NULL;
}

/* The bytes between the quotation marks, of which the first is there. NULL: not plain. */
static const char *read_text(reader *in, size_t *size)
{
    const char *first = ++in->next;
    while (in->next < in->end && *in->next >= ' ' && *in->next <= '~' && *in->next != '"' &&
           *in->next != '\\') {
        in->next++;
    }
    *size = (size_t)(in->next - first);
    if (peek(in) != '"') {
        return NULL;
    }
    in->next++;
    return first;
}

/* Elements up to the closing bracket; the opening one is taken. */
static json_t *read_array(reader *in)
{
    json_t *array = json_array();
    bool more = array != NULL && !take(in, ']');
    while (more) {
        if (json_array_append_new(array, read_value(in)) != 0) {
            return NULL;
        }
        more = take(in, ',');
        if (!more && !take(in, ']')) {
            return NULL;
        }
    }
    return array;
}

/* Members up to the closing brace; the opening one is taken. */
static json_t *read_object(reader *in)
{
    json_t *object = json_object();
    bool more = object != NULL && !take(in, '}');
    while (more) {
        size_t size;
        const char *name = skip_space(in) == '"' ? read_text(in, &size) : NULL;
        if (name == NULL || !take(in, ':') || json_object_getn(object, name, size) != NULL ||
            json_object_setn_new_nocheck(object, name, size, read_value(in)) != 0) {
            return NULL;
        }
        more = take(in, ',');
        if (!more && !take(in, '}')) {
            return NULL;
        }
    }
    return object;
}

/* Numbers, strings, arrays and objects; true, false and null stand in no plain case. */
static json_t *read_value(reader *in)
{
    char byte = skip_space(in);
    json_t *value = NULL;
    if (byte == '-' || is_digit(byte)) {
        return read_number(in);
    }
    if (byte == '"') {
        size_t size;
        const char *text = read_text(in, &size);
        return text != NULL ? json_stringn_nocheck(text, size) : NULL;
    }
    if ((byte == '[' || byte == '{') && in->depth < VX_NESTING_MAX) {
        in->next++;
        in->depth++;
        value = byte == '[' ? read_array(in) : read_object(in);
        in->depth--;
    }
    return value;
}

json_t *vx_json_plain(const char *bytes, size_t size)
{
    reader in = {.next = bytes, .end = bytes + size};
    json_t *value = read_value(&in);
    (void)skip_space(&in);
    return in.next == in.end ? value : NULL;
}
