/* SPDX-License-Identifier: MIT */
/* A case as a line of JSON: the strict reader and the writer. */
#include "case.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The hazards that docs/PROTOCOL.md lists. */
static const char *const known_flags[] = {"ruling", "fma",   "wide",  "subnormal",
                                          "order",  "large", "digest"};

static void free_strings(char **strings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(strings[i]);
    }
    free(strings);
}

const char *vx_case_label(const vx_case *item, char buffer[32])
{
    if (item->name[0] != '\0') {
        return item->name;
    }
    (void)snprintf(buffer, 32, "line %zu", item->line);
    return buffer;
}

void vx_case_free(vx_case *item)
{
    free(item->name);
    free_strings(item->clauses, item->clause_count);
    free(item->note);
    free_strings(item->flags, item->flag_count);
    if (item->input != NULL) {
        item->chapter->input_free(item->input);
    }
    vx_result_free(&item->expect.result);
    *item = (vx_case){0};
}

/* --- reading a case -------------------------------------------------------------------------- */

/* A name is shown on terminals: it is not empty and holds no control character. */
static bool read_name(json_t *json, char **name, vx_problem *problem)
{
    const char *string = json_is_string(json) ? json_string_value(json) : "";
    bool good = string[0] != '\0';
    for (const char *next = string; *next != '\0'; next++) {
        good = good && !iscntrl((unsigned char)*next);
    }
    if (!good) {
        return vx_json_wrong(json, "a string that is not empty, without control characters",
                             problem);
    }
    *name = vx_must_strdup(string);
    return true;
}

/* A list of names, none of them twice. Its bound keeps that check short. */
static bool read_names(json_t *json, char ***names, size_t *count, vx_problem *problem)
{
    enum { NAMES_MAX = 256 };
    if (!vx_json_is_array(json, SIZE_MAX, problem)) {
        return false;
    }
    size_t size = json_array_size(json);
    if (size > NAMES_MAX) {
        return vx_problem_set(problem, "%zu elements; at most %d are allowed", size, NAMES_MAX);
    }
    *names = vx_must_alloc(size, sizeof **names);
    for (size_t i = 0; i < size; i++) {
        size_t before = vx_problem_enter_index(problem, i);
        if (!read_name(json_array_get(json, i), &(*names)[i], problem)) {
            return false;
        }
        *count = i + 1;
        for (size_t k = 0; k < i; k++) {
            if (strcmp((*names)[k], (*names)[i]) == 0) {
                return vx_problem_set(problem, "the same as element %zu", k);
            }
        }
        vx_problem_leave(problem, before);
    }
    return true;
}

static bool read_flags(json_t *json, vx_case *item, vx_problem *problem)
{
    if (!read_names(json, &item->flags, &item->flag_count, problem)) {
        return false;
    }
    for (size_t i = 0; i < item->flag_count; i++) {
        bool known = false;
        for (size_t k = 0; k < sizeof known_flags / sizeof known_flags[0]; k++) {
            known = known || strcmp(item->flags[i], known_flags[k]) == 0;
        }
        if (!known) {
            (void)vx_problem_enter_index(problem, i);
            return vx_json_wrong(json_array_get(json, i), "a flag of docs/PROTOCOL.md", problem);
        }
    }
    return true;
}

static bool read_note(json_t *json, char **note, vx_problem *problem)
{
    if (!json_is_string(json)) {
        return vx_json_wrong(json, "a string", problem);
    }
    *note = vx_must_strdup(json_string_value(json));
    return true;
}

static bool read_format(json_t *json, vx_problem *problem)
{
    return (json_is_string(json) && strcmp(json_string_value(json), VX_CASE_FORMAT) == 0) ||
           vx_json_wrong(json, "\"" VX_CASE_FORMAT "\"", problem);
}

static bool read_chapter(json_t *json, const vx_chapter **chapter, vx_problem *problem)
{
    *chapter = json_is_string(json) ? vx_chapter_find(json_string_value(json)) : NULL;
    return *chapter != NULL || vx_json_wrong(json, "the name of a chapter of this kit", problem);
}

/* One member at whose path the problem stands. Grid and steps are read together, later, because
 * they need the chapter; so is expect. */
static bool read_member(const char *name, json_t *value, vx_case *item, bool *known,
                        vx_problem *problem)
{
    if (strcmp(name, "format") == 0) {
        return read_format(value, problem);
    }
    if (strcmp(name, "name") == 0) {
        return read_name(value, &item->name, problem);
    }
    if (strcmp(name, "chapter") == 0) {
        return read_chapter(value, &item->chapter, problem);
    }
    if (strcmp(name, "clauses") == 0) {
        return read_names(value, &item->clauses, &item->clause_count, problem);
    }
    if (strcmp(name, "note") == 0) {
        return read_note(value, &item->note, problem);
    }
    if (strcmp(name, "flags") == 0) {
        return read_flags(value, item, problem);
    }
    *known = strcmp(name, "grid") == 0 || strcmp(name, "steps") == 0 || strcmp(name, "expect") == 0;
    return true;
}

static bool read_members(json_t *object, vx_case *item, vx_problem *problem)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        bool known = true;
        size_t before = vx_problem_enter(problem, name);
        if (!read_member(name, value, item, &known, problem)) {
            return false;
        }
        vx_problem_leave(problem, before);
        if (!known && !vx_json_unknown(name, problem)) {
            return false;
        }
    }
    static const char *const needed[] = {"format", "chapter", "grid", "steps"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (json_object_get(object, needed[i]) == NULL) {
            return vx_json_missing(needed[i], problem);
        }
    }
    return true;
}

static bool read_expect(json_t *json, vx_case *item, vx_problem *problem)
{
    size_t before = vx_problem_enter(problem, "expect");
    if (!vx_expect_read(item->chapter->shape, json, &item->expect, problem)) {
        return false;
    }
    item->has_expect = true;
    size_t steps = item->chapter->step_count(item->input);
    if (item->expect.kinds != 0 && item->expect.result.step >= (int64_t)steps) {
        (void)vx_problem_enter(problem, "step");
        return vx_problem_set(problem, "%lld, but the case has %zu steps",
                              (long long)item->expect.result.step, steps);
    }
    vx_problem_leave(problem, before);
    return true;
}

static bool read_case(json_t *object, vx_case *item, vx_problem *problem)
{
    if (!vx_json_is_object(object, problem) || !read_members(object, item, problem) ||
        !item->chapter->read(json_object_get(object, "grid"), json_object_get(object, "steps"),
                             &item->input, problem)) {
        return false;
    }
    json_t *expect = json_object_get(object, "expect");
    if (expect != NULL && !read_expect(expect, item, problem)) {
        return false;
    }
    item->name = item->name != NULL ? item->name : vx_must_strdup("");
    item->note = item->note != NULL ? item->note : vx_must_strdup("");
    return true;
}

bool vx_case_read_json(json_t *object, vx_case *item, vx_problem *problem)
{
    *item = (vx_case){0};
    if (!read_case(object, item, problem)) {
        vx_case_free(item);
        return false;
    }
    return true;
}

bool vx_case_read(const char *line, size_t size, vx_case *item, vx_problem *problem)
{
    *item = (vx_case){0};
    if (size > VX_LINE_BYTES_MAX) {
        (void)vx_problem_set(problem, "a line of %zu bytes; at most %zu are allowed", size,
                             VX_LINE_BYTES_MAX);
        return false;
    }
    json_t *object = vx_json_load(line, size, problem);
    bool good = object != NULL && vx_case_read_json(object, item, problem);
    vx_json_free(object);
    return good;
}

/* --- writing a case -------------------------------------------------------------------------- */

static void write_string(const char *member, const char *value, vx_text *text)
{
    vx_text_format(text, "\"%s\":", member);
    vx_text_add_json_string(text, value);
    vx_text_add_char(text, ',');
}

static void write_strings(const char *member, char *const *values, size_t count, vx_text *text)
{
    vx_text_format(text, "\"%s\":[", member);
    for (size_t i = 0; i < count; i++) {
        vx_text_add(text, i > 0 ? "," : "");
        vx_text_add_json_string(text, values[i]);
    }
    vx_text_add(text, "],");
}

void vx_case_write(const vx_case *item, vx_text *text)
{
    bool named = item->name[0] != '\0';
    vx_text_add(text, "{\"format\":\"" VX_CASE_FORMAT "\",");
    if (named) {
        write_string("name", item->name, text);
    }
    write_string("chapter", item->chapter->name, text);
    if (named || item->clause_count > 0) {
        write_strings("clauses", item->clauses, item->clause_count, text);
    }
    if (named || item->note[0] != '\0') {
        write_string("note", item->note, text);
    }
    if (named || item->flag_count > 0) {
        write_strings("flags", item->flags, item->flag_count, text);
    }
    item->chapter->write(item->input, text);
    if (item->has_expect) {
        vx_text_add(text, ",\"expect\":");
        vx_expect_write(item->chapter->shape, &item->expect, text);
    }
    vx_text_add_char(text, '}');
}

void vx_case_write_question(const vx_case *item, vx_text *text)
{
    vx_text_add(text, "{\"format\":\"" VX_CASE_FORMAT "\",");
    write_string("chapter", item->chapter->name, text);
    item->chapter->write(item->input, text);
    vx_text_add_char(text, '}');
}
