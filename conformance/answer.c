/* SPDX-License-Identifier: MIT */
/* What a port's answers to cases say (docs/PROTOCOL.md). */
#include "answer.h"

#include <jansson.h>
#include <string.h>

#include "json.h"

enum {
    EXCERPT = 60, /* bytes of a strange line that are shown */
    REASON = 4000 /* bytes of a skip or a fault that are kept */
};

/* The size of the character at bytes[0]; 0 when a terminal must not see it: it is no UTF-8, or a
 * control character, of which there are some between U+0080 and U+009F too. */
static size_t character_size(const char *bytes, size_t size)
{
    const unsigned char *byte = (const unsigned char *)bytes;
    size_t length = vx_utf8_length(bytes);
    bool control = byte[0] < 0x20 || byte[0] == 0x7f || (byte[0] == 0xc2 && byte[1] < 0xa0);
    return control || length > size ? 0 : length;
}

void vx_add_printable(vx_text *text, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        size_t length = character_size(bytes + i, size - i);
        if (length == 0) {
            vx_text_format(text, "\\x%02x", (unsigned char)bytes[i]);
            length = 1;
        } else {
            vx_text_add_bytes(text, bytes + i, length);
        }
        i += length;
    }
}

/* How many of the bytes are the first `most`, without the beginning of a character. */
static size_t cut_size(const char *bytes, size_t size, size_t most)
{
    size_t shown = size < most ? size : most;
    while (shown < size && shown > 0 && ((unsigned char)bytes[shown] & 0xc0) == 0x80) {
        shown--;
    }
    return shown;
}

void vx_add_shortened(vx_text *text, const char *string, size_t most)
{
    size_t size = strlen(string);
    size_t shown = cut_size(string, size, most);
    vx_text_add_bytes(text, string, shown);
    vx_text_add(text, shown < size ? "…" : "");
}

void vx_add_excerpt(vx_text *text, const char *bytes, size_t size)
{
    size_t shown = cut_size(bytes, size, EXCERPT);
    vx_text_add_char(text, '`');
    vx_add_printable(text, bytes, shown);
    vx_text_add(text, shown < size ? "…`" : "`");
}

void vx_add_garbage_reason(vx_text *text, const char *line, const vx_problem *problem)
{
    bool is_meant = line[0] == '{' && problem->message[0] != '\0';
    vx_text_format(text, "; %s",
                   is_meant ? vx_problem_reason(problem) : "does it print to standard output?");
}

/* The size of the string literal that starts at line[0]. */
static size_t string_size(const char *line, size_t size)
{
    size_t i = 1;
    while (i < size && line[i] != '"') {
        i += line[i] == '\\' ? 2 : 1;
    }
    return i < size ? i + 1 : size;
}

bool vx_find_noncanonical(const char *line, size_t size, size_t *start, size_t *length)
{
    for (size_t i = 0; i < size;) {
        if (line[i] == '"') {
            i += string_size(line + i, size - i);
            continue;
        }
        size_t token = 0;
        while (i + token < size && line[i + token] != '\0' &&
               strchr("+-.0123456789eE", line[i + token]) != NULL) {
            token++;
        }
        /* The letters alone are part of true and false. */
        bool number = token > 0 && strchr("-0123456789", line[i]) != NULL;
        bool plain = number && memchr(line + i, '.', token) == NULL &&
                     memchr(line + i, 'e', token) == NULL && memchr(line + i, 'E', token) == NULL;
        if (number && (!plain || (token == 2 && memcmp(line + i, "-0", 2) == 0))) {
            *start = i;
            *length = token;
            return true;
        }
        i += token > 0 ? token : 1;
    }
    return false;
}

/* An answer that is no result: because of how a number is written, or of its shape. */
static void judge_shape(const char *line, size_t size, const vx_problem *problem,
                        vx_outcome *outcome)
{
    size_t start, length;
    if (vx_find_noncanonical(line, size, &start, &length)) {
        vx_outcome_set(outcome, VX_NONCANONICAL);
        vx_text_format(&outcome->detail,
                       "the number %.*s stands where a plain integer belongs: write integers "
                       "without sign of zero, fraction or exponent",
                       (int)length, line + start);
    } else {
        vx_outcome_set(outcome, VX_FAIL);
        vx_text_format(&outcome->detail, "the answer is malformed: %s", problem->message);
    }
}

/* The members out, skip and fault; exactly one of them stands there. */
static void read_content(json_t *answer, const char *line, size_t size,
                         const vx_result_shape *shape, vx_outcome *outcome)
{
    json_t *out = json_object_get(answer, "out");
    const char *skip = json_string_value(json_object_get(answer, "skip"));
    const char *fault = json_string_value(json_object_get(answer, "fault"));
    if (out != NULL) {
        vx_problem problem = {0};
        size_t length = vx_problem_enter(&problem, "out");
        outcome->answered = vx_result_read(shape, out, &outcome->result, &problem);
        vx_problem_leave(&problem, length);
        if (!outcome->answered) {
            judge_shape(line, size, &problem, outcome);
        }
    } else if (skip != NULL || fault != NULL) {
        vx_outcome_set(outcome, skip != NULL ? VX_SKIP : VX_FAULT);
        vx_add_shortened(&outcome->detail, skip != NULL ? skip : fault, REASON);
    } else {
        vx_outcome_set(outcome, VX_GARBAGE);
        vx_text_add(&outcome->detail, "\"skip\" or \"fault\" is not a string: ");
        vx_add_excerpt(&outcome->detail, line, size);
    }
}

/* What is wrong with an answer's members; NULL: nothing. */
static const char *wrong_members(json_t *answer)
{
    const char *name;
    json_t *value;
    size_t contents = 0;
    json_object_foreach(answer, name, value)
    {
        if (strcmp(name, "out") == 0 || strcmp(name, "skip") == 0 || strcmp(name, "fault") == 0) {
            contents++;
        } else if (strcmp(name, "id") != 0) {
            return "an answer with a member that is none of \"id\", \"out\", \"skip\", \"fault\"";
        }
    }
    if (!json_is_integer(json_object_get(answer, "id"))) {
        return "an answer without an integer \"id\"";
    }
    return contents == 1 ? NULL : "an answer without exactly one of \"out\", \"skip\", \"fault\"";
}

void vx_answer_read(const char *line, size_t size, int64_t id, const vx_result_shape *shape,
                    vx_outcome *outcome)
{
    vx_problem problem = {0};
    json_t *answer = vx_json_load(line, size, &problem);
    if (!json_is_object(answer)) {
        vx_outcome_set(outcome, VX_GARBAGE);
        vx_text_add(&outcome->detail, "not the protocol's JSON: ");
        vx_add_excerpt(&outcome->detail, line, size);
        vx_add_garbage_reason(&outcome->detail, line, &problem);
        goto done;
    }
    const char *wrong = wrong_members(answer);
    if (wrong != NULL) {
        vx_outcome_set(outcome, VX_GARBAGE);
        vx_text_format(&outcome->detail, "%s: ", wrong);
        vx_add_excerpt(&outcome->detail, line, size);
        goto done;
    }
    outcome->id = json_integer_value(json_object_get(answer, "id"));
    if (shape == NULL || outcome->id != id) {
        vx_outcome_set(outcome, VX_DESYNC);
        vx_text_format(&outcome->detail, "an answer came whose id, %lld, was not the open one",
                       (long long)outcome->id);
        goto done;
    }
    read_content(answer, line, size, shape, outcome);
done:
    vx_json_free(answer);
}
