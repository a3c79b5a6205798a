/* SPDX-License-Identifier: MIT */
/* Strict JSON: a scan that bounds the work, then jansson out of an arena, then its scalars. */
#include "json.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "text.h"
#include "voxcert/arena.h"

/* --- memory -------------------------------------------------------------------------------------
 *
 * A document is many small values that come and go together. Each thread has an arena that they are
 * taken from while jansson parses, and that is emptied once no document of the thread is left; so
 * nothing is freed by itself, and what a hostile text can take has a bound. At all other times
 * jansson's memory is malloc's.
 */

typedef struct pool {
    vx_arena arena;
    size_t documents; /* that are not freed yet */
    bool exhausted;   /* the text that is being parsed takes too much */
} pool;

/* What a value of jansson holds at most. */
typedef union element {
    void *pointer;
    json_int_t integer;
    double real;
} element;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;           /* the thread's pool */
static _Thread_local pool *parsing; /* the same while jansson parses, else NULL */

static void *take_memory(size_t size)
{
    if (parsing == NULL) {
        return malloc(size);
    }
    void *memory = vx_arena_alloc(&parsing->arena, 1, size, _Alignof(element));
    parsing->exhausted = parsing->exhausted || memory == NULL;
    return memory;
}

static void give_back(void *memory)
{
    if (parsing == NULL) {
        free(memory);
    }
}

static void free_pool(void *memory)
{
    pool *own = memory;
    vx_arena_free(&own->arena);
    free(own);
}

static void prepare(void)
{
    if (pthread_key_create(&key, free_pool) != 0) {
        exit((int)vx_complain(VX_EXIT_INTERNAL, "no key for the memory of a thread is left"));
    }
    json_set_alloc_funcs(take_memory, give_back);
}

static pool *own_pool(void)
{
    enum { BLOCK_BYTES = 1 << 18 };
    (void)pthread_once(&once, prepare);
    pool *own = pthread_getspecific(key);
    if (own == NULL) {
        own = vx_must_alloc(1, sizeof *own);
        vx_arena_init_growable(&own->arena, BLOCK_BYTES, VX_JSON_BYTES_MAX);
        (void)pthread_setspecific(key, own);
    }
    return own;
}

/* Empties the pool when no document is left; a large one goes back to the system. */
static void empty_pool(pool *own)
{
    enum { KEPT_BYTES = 1 << 24 };
    if (own->documents == 0 && vx_arena_used(&own->arena) > KEPT_BYTES) {
        vx_arena_free(&own->arena);
    } else if (own->documents == 0) {
        vx_arena_reset(&own->arena);
    }
}

void vx_json_free(json_t *document)
{
    if (document != NULL) {
        pool *own = own_pool();
        own->documents--;
        empty_pool(own);
    }
}

/* --- parsing ------------------------------------------------------------------------------------
 */

/* A token of at least this many digits may not fit 64 bits. */
enum { LONG_DIGITS = 19 };

/* Whether the integer token needs a fraction to come through jansson as the number it is. */
static bool needs_fraction(const char *token, size_t size)
{
    size_t digits = token[0] == '-' ? size - 1 : size;
    return digits >= LONG_DIGITS || (size == 2 && token[0] == '-' && token[1] == '0');
}

/* The size of the number token at bytes; *integer says whether it has no fraction or exponent. */
static size_t number_token(const char *bytes, size_t size, bool *integer)
{
    size_t length = 0;
    *integer = true;
    for (; length < size; length++) {
        char byte = bytes[length];
        bool digit = byte >= '0' && byte <= '9';
        bool other = byte == '.' || byte == 'e' || byte == 'E' || byte == '+';
        if (!digit && !other && byte != '-') {
            break;
        }
        *integer = *integer && !other;
    }
    return length;
}

/* The index behind the string whose opening quote is at index at. */
static size_t skip_string(const char *bytes, size_t size, size_t at)
{
    for (at++; at < size && bytes[at] != '"'; at++) {
        if (bytes[at] == '\\') {
            at++;
        }
    }
    return at < size ? at + 1 : size;
}

/* Checks nesting and collects the ends of the integer tokens that need a fraction. */
static bool scan(const char *bytes, size_t size, vx_text *rewritten, vx_problem *problem)
{
    size_t depth = 0;
    size_t copied = 0;
    for (size_t i = 0; i < size;) {
        char byte = bytes[i];
        if (byte == '"') {
            i = skip_string(bytes, size, i);
        } else if (byte == '-' || (byte >= '0' && byte <= '9')) {
            bool integer;
            size_t length = number_token(bytes + i, size - i, &integer);
            if (integer && needs_fraction(bytes + i, length)) {
                vx_text_add_bytes(rewritten, bytes + copied, i + length - copied);
                vx_text_add(rewritten, ".0");
                copied = i + length;
            }
            i += length;
        } else {
            if ((byte == '[' || byte == '{') && ++depth > VX_NESTING_MAX) {
                return vx_problem_set(problem, "nested deeper than %d at column %zu",
                                      VX_NESTING_MAX, i + 1);
            }
            if ((byte == ']' || byte == '}') && depth > 0) {
                depth--;
            }
            i++;
        }
    }
    if (copied > 0) {
        vx_text_add_bytes(rewritten, bytes + copied, size - copied);
    }
    return true;
}

/* Reads with jansson, which says what is wrong. */
static json_t *load(const char *bytes, size_t size, vx_problem *problem)
{
    json_error_t error;
    json_t *result = json_loadb(bytes, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (result == NULL && !parsing->exhausted) {
        /* The text quotes the input. */
        for (char *next = error.text; *next != '\0'; next++) {
            if (iscntrl((unsigned char)*next)) {
                *next = '?';
            }
        }
        (void)vx_problem_set(problem, "not JSON: %s at column %d", error.text, error.column);
    }
    return result;
}

static json_t *scan_and_load(const char *bytes, size_t size, vx_problem *problem)
{
    vx_text rewritten = {0};
    json_t *result = NULL;
    if (scan(bytes, size, &rewritten, problem)) {
        result = rewritten.size > 0 ? load(rewritten.bytes, rewritten.size, problem)
                                    : load(bytes, size, problem);
    }
    vx_text_free(&rewritten);
    return result;
}

json_t *vx_json_load(const char *bytes, size_t size, vx_problem *problem)
{
    const char *nul = memchr(bytes, '\0', size);
    if (nul != NULL) {
        (void)vx_problem_set(problem, "not JSON: a NUL byte at column %zu",
                             (size_t)(nul - bytes) + 1);
        return NULL;
    }
    pool *own = own_pool();
    own->exhausted = false;
    parsing = own;
    json_t *result = scan_and_load(bytes, size, problem);
    parsing = NULL;
    own->documents += result != NULL ? 1 : 0;
    empty_pool(own);
    if (own->exhausted) {
        (void)vx_problem_set(problem, "its values take more than %zu MiB of memory",
                             VX_JSON_BYTES_MAX >> 20);
    }
    return result;
}

/* --- scalars ------------------------------------------------------------------------------------
 */

/* The value in a few words: a scalar as it stands in JSON, cut when it is long. */
static void describe(json_t *value, vx_text *text)
{
    enum { LONGEST = 40 };
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        vx_text_add(text, "an object");
        break;
    case JSON_ARRAY:
        vx_text_format(text, "an array of %zu", json_array_size(value));
        break;
    case JSON_STRING:
        if (json_string_length(value) > LONGEST) {
            vx_text_format(text, "a string of %zu bytes", json_string_length(value));
        } else {
            vx_text_add_json_string(text, json_string_value(value));
        }
        break;
    case JSON_INTEGER:
        vx_text_add_integer(text, json_integer_value(value));
        break;
    case JSON_REAL:
        vx_text_add_json_number(text, json_real_value(value));
        if (strpbrk(text->bytes, ".e") == NULL) {
            vx_text_add(text, ".0");
        }
        break;
    case JSON_TRUE:
        vx_text_add(text, "true");
        break;
    case JSON_FALSE:
        vx_text_add(text, "false");
        break;
    case JSON_NULL:
        vx_text_add(text, "null");
        break;
    }
}

bool vx_json_wrong(json_t *value, const char *needed, vx_problem *problem)
{
    vx_text found = {0};
    describe(value, &found);
    (void)vx_problem_set(problem, "%s is needed, not %s", needed, vx_text_string(&found));
    vx_text_free(&found);
    return false;
}

bool vx_json_integer(json_t *value, int64_t min, int64_t max, int64_t *result, vx_problem *problem)
{
    if (!json_is_integer(value) || json_integer_value(value) < min ||
        json_integer_value(value) > max) {
        char needed[80];
        (void)snprintf(needed, sizeof needed, "an integer from %" PRId64 " to %" PRId64, min, max);
        return vx_json_wrong(value, needed, problem);
    }
    *result = json_integer_value(value);
    return true;
}

bool vx_json_number(json_t *value, double *result, vx_problem *problem)
{
    if (json_is_number(value)) {
        *result = json_number_value(value);
        return true;
    }
    const char *string = json_is_string(value) ? json_string_value(value) : "";
    if (strcmp(string, "NaN") == 0) {
        *result = (double)NAN;
    } else if (strcmp(string, "Infinity") == 0) {
        *result = (double)INFINITY;
    } else if (strcmp(string, "-Infinity") == 0) {
        *result = -(double)INFINITY;
    } else {
        return vx_json_wrong(value, "a number, \"NaN\", \"Infinity\" or \"-Infinity\"", problem);
    }
    return true;
}

bool vx_json_integer_at(json_t *array, size_t index, int64_t min, int64_t max, int64_t *result,
                        vx_problem *problem)
{
    json_t *value = json_array_get(array, index);
    if (json_is_integer(value) && json_integer_value(value) >= min &&
        json_integer_value(value) <= max) {
        *result = json_integer_value(value);
        return true;
    }
    (void)vx_problem_enter_index(problem, index);
    return vx_json_integer(value, min, max, result, problem);
}

bool vx_json_number_at(json_t *array, size_t index, double *result, vx_problem *problem)
{
    json_t *value = json_array_get(array, index);
    if (json_is_number(value)) {
        *result = json_number_value(value);
        return true;
    }
    size_t before = vx_problem_enter_index(problem, index);
    if (!vx_json_number(value, result, problem)) {
        return false;
    }
    vx_problem_leave(problem, before);
    return true;
}

bool vx_json_is_object(json_t *value, vx_problem *problem)
{
    return json_is_object(value) || vx_json_wrong(value, "an object", problem);
}

bool vx_json_is_array(json_t *value, size_t size, vx_problem *problem)
{
    if (!json_is_array(value)) {
        return vx_json_wrong(value, "an array", problem);
    }
    if (size != SIZE_MAX && json_array_size(value) != size) {
        char needed[40];
        (void)snprintf(needed, sizeof needed, "an array of %zu", size);
        return vx_json_wrong(value, needed, problem);
    }
    return true;
}

bool vx_json_missing(const char *name, vx_problem *problem)
{
    (void)vx_problem_enter(problem, name);
    return vx_problem_set(problem, "is missing");
}

bool vx_json_unknown(const char *name, vx_problem *problem)
{
    if (problem->lenient) {
        return true;
    }
    (void)vx_problem_enter(problem, name);
    return vx_problem_set(problem, "no such member is known here");
}
