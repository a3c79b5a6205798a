/* SPDX-License-Identifier: MIT */
/* The handshake: who a port is, and whether its JSON keeps numbers (docs/PROTOCOL.md). */
#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "json.h"

/* Numbers that a reader or writer which loses digits, range or sign gets wrong. */
static const double echo[] = {
    0.1,
    -0.1,
    1.0 / 3,
    0x1.6a09e6p-1,        /* the default slopeCosine, a binary32 number */
    0x1.333334p-2,        /* 0.3 as binary32 */
    123456789.12345679,   /* 17 digits are needed */
    0x1.fffffffffffffp-1, /* the neighbours of 1 */
    0x1.0000000000001p+0,
    2097152, /* the coordinate limit, and just inside it */
    -2097152,
    0x1.fffffffffffffp+20,
    16777217,         /* 2^24 + 1: not a binary32 number */
    4294967296,       /* 2^32 */
    9007199254740991, /* 2^53 - 1 */
    -9007199254740991,
    1e23,     /* almost half-way between two numbers */
    0x1p-149, /* the extremes of binary32 */
    (double)FLT_MIN,
    (double)FLT_MAX,
    DBL_TRUE_MIN, /* the extremes of binary64 */
    0x0.fffffffffffffp-1022,
    DBL_MIN,
    DBL_MAX,
    -DBL_MAX,
    0,
};

enum { ECHO_COUNT = sizeof echo / sizeof echo[0] };

void vx_identity_free(vx_identity *identity)
{
    for (size_t i = 0; i < identity->chapter_count; i++) {
        free(identity->chapters[i]);
    }
    free(identity->chapters);
    free(identity->name);
    free(identity->version);
    free(identity->language);
    *identity = (vx_identity){0};
}

void vx_identity_add_chapter(vx_identity *identity, const char *name)
{
    identity->chapters = vx_must_realloc(identity->chapters, identity->chapter_count + 1,
                                         sizeof *identity->chapters);
    identity->chapters[identity->chapter_count++] = vx_must_strdup(name);
}

bool vx_identity_has_chapter(const vx_identity *identity, const char *name)
{
    for (size_t i = 0; i < identity->chapter_count; i++) {
        if (strcmp(identity->chapters[i], name) == 0) {
            return true;
        }
    }
    return false;
}

void vx_hello_write(int64_t id, vx_text *text)
{
    vx_text_format(text, "{\"id\":%lld,\"op\":\"hello\",\"protocol\":%d,\"echo\":[", (long long)id,
                   (int)VX_PROTOCOL);
    for (size_t i = 0; i < (size_t)ECHO_COUNT; i++) {
        vx_text_add(text, i > 0 ? "," : "");
        vx_text_add_json_number(text, echo[i]);
    }
    vx_text_add(text, "]}\n");
}

/* What came back for echo[index], compared as numbers: 1e2 and 100 are the same one. */
static bool check_echo(json_t *value, size_t index, vx_text *why)
{
    double got = json_number_value(value);
    if (json_is_number(value) && got == echo[index]) {
        return true;
    }
    vx_text_add(why, "echo ");
    vx_text_add_json_number(why, echo[index]);
    vx_text_add(why, " came back as ");
    if (!json_is_number(value)) {
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        vx_add_excerpt(why, text != NULL ? text : "null", text != NULL ? strlen(text) : 4);
        free(text);
        vx_text_add(why, ": the port must send back the same numbers");
        return false;
    }
    vx_text_add_json_number(why, got);
    /* A value that is out of binary32's range must not be converted to it. */
    bool narrow = fabs(echo[index]) <= (double)FLT_MAX && got == (double)(float)echo[index];
    vx_text_add(why, narrow ? ": the port's JSON keeps numbers as binary32 only"
                            : ": the port's JSON loses digits or range; 17 significant digits "
                              "are needed both ways");
    return false;
}

static bool check_echoes(json_t *echoes, vx_text *why)
{
    size_t count = json_array_size(echoes);
    if (!json_is_array(echoes) || count != (size_t)ECHO_COUNT) {
        vx_text_format(why, "\"echo\" must come back as it was sent, as %d numbers, not %zu",
                       (int)ECHO_COUNT, count);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!check_echo(json_array_get(echoes, i), i, why)) {
            return false;
        }
    }
    return true;
}

/* A member that must be a string that says something; what a terminal cannot show is escaped. */
static bool take_string(json_t *object, const char *member, char **value, vx_text *why)
{
    const char *text = json_string_value(json_object_get(object, member));
    if (text == NULL || text[0] == '\0') {
        vx_text_format(why, "its answer to hello has no \"%s\"", member);
        return false;
    }
    enum { LONGEST = 80 };
    vx_text printable = {0};
    vx_text shortened = {0};
    vx_add_shortened(&shortened, text, LONGEST);
    vx_add_printable(&printable, shortened.bytes, shortened.size);
    vx_text_free(&shortened);
    *value = vx_must_strdup(vx_text_string(&printable));
    vx_text_free(&printable);
    return true;
}

static bool take_chapters(json_t *chapters, vx_identity *identity, vx_text *why)
{
    size_t count = json_array_size(chapters);
    bool valid = json_is_array(chapters);
    for (size_t i = 0; valid && i < count; i++) {
        const char *name = json_string_value(json_array_get(chapters, i));
        valid = name != NULL;
        if (valid) {
            vx_identity_add_chapter(identity, name);
        }
    }
    if (!valid) {
        vx_text_add(why, "\"chapters\" in its answer to hello must be a list of names");
    }
    return valid;
}

static bool is_integer(json_t *value, int64_t expected)
{
    return json_is_integer(value) && json_integer_value(value) == expected;
}

static bool read_members(json_t *hello, int64_t id, vx_identity *identity, vx_text *why)
{
    json_t *protocol = json_object_get(hello, "protocol");
    if (json_is_integer(protocol) && !is_integer(protocol, VX_PROTOCOL)) {
        vx_text_format(why, "it speaks protocol %lld, and this kit protocol %d",
                       (long long)json_integer_value(protocol), (int)VX_PROTOCOL);
        return false;
    }
    if (protocol == NULL || !json_is_integer(protocol)) {
        vx_text_format(why, "its answer to hello lacks \"protocol\": %d", (int)VX_PROTOCOL);
        return false;
    }
    if (!is_integer(json_object_get(hello, "id"), id)) {
        vx_text_format(why, "its answer to hello does not bear the id %lld that was sent",
                       (long long)id);
        return false;
    }
    return take_string(hello, "name", &identity->name, why) &&
           take_string(hello, "version", &identity->version, why) &&
           take_string(hello, "language", &identity->language, why) &&
           take_chapters(json_object_get(hello, "chapters"), identity, why) &&
           check_echoes(json_object_get(hello, "echo"), why);
}

bool vx_hello_read(const char *line, size_t size, int64_t id, vx_identity *identity, vx_text *why)
{
    vx_problem problem = {0};
    json_t *hello = vx_json_load(line, size, &problem);
    if (!json_is_object(hello)) {
        vx_text_add(why, "its first line is not the protocol's JSON but ");
        vx_add_excerpt(why, line, size);
        vx_add_garbage_reason(why, line, &problem);
        vx_json_free(hello);
        return false;
    }
    vx_identity found = {0};
    bool good = read_members(hello, id, &found, why);
    vx_json_free(hello);
    if (good) {
        vx_identity_free(identity);
        *identity = found;
    } else {
        vx_identity_free(&found);
    }
    return good;
}
