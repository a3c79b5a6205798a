/* SPDX-License-Identifier: MIT */
/* Where an input file is wrong: the path of the reader, and the first message. */
#include "problem.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

/* Appends to the path and returns its length before; cut at a whole character. */
static size_t extend(vx_problem *problem, const char *part)
{
    if (problem->path[0] == '\0') {
        problem->path[0] = '$';
    }
    size_t before = strlen(problem->path);
    size_t size = strlen(part);
    size_t room = sizeof problem->path - 1 - before;
    if (size > room) {
        size = room;
        while (size > 0 && ((unsigned char)part[size] & 0xc0) == 0x80) {
            size--;
        }
    }
    memcpy(problem->path + before, part, size);
    problem->path[before + size] = '\0';
    return before;
}

size_t vx_problem_enter(vx_problem *problem, const char *name)
{
    bool plain = name[0] != '\0';
    for (const char *next = name; *next != '\0'; next++) {
        plain = plain && (isalnum((unsigned char)*next) || *next == '_');
    }
    if (plain) {
        size_t before = extend(problem, ".");
        (void)extend(problem, name);
        return before;
    }
    vx_text part = {0};
    vx_text_add_char(&part, '[');
    vx_text_add_json_string(&part, name);
    vx_text_add_char(&part, ']');
    size_t before = extend(problem, vx_text_string(&part));
    vx_text_free(&part);
    return before;
}

size_t vx_problem_enter_index(vx_problem *problem, size_t index)
{
    /* By hand: a reader enters every row of a table, and snprintf would take most of its time. */
    char part[24] = "";
    char *next = part + sizeof part - 1;
    *--next = ']';
    do {
        *--next = (char)('0' + index % 10);
        index /= 10;
    } while (index > 0);
    *--next = '[';
    return extend(problem, next);
}

void vx_problem_leave(vx_problem *problem, size_t length)
{
    problem->path[length] = '\0';
}

bool vx_problem_set(vx_problem *problem, const char *format, ...)
{
    if (problem->message[0] != '\0') {
        return false;
    }
    const char *path = problem->path[0] != '\0' ? problem->path : "$";
    int used = snprintf(problem->message, sizeof problem->message, "%s: ", path);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(problem->message + used, sizeof problem->message - (size_t)used, format,
                    arguments);
    va_end(arguments);
    return false;
}

bool vx_problem_say(vx_problem *problem, const char *format, ...)
{
    if (problem->message[0] == '\0') {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(problem->message, sizeof problem->message, format, arguments);
        va_end(arguments);
    }
    return false;
}

const char *vx_problem_reason(const vx_problem *problem)
{
    static const char root[] = "$: ";
    size_t size = sizeof root - 1;
    return problem->message + (strncmp(problem->message, root, size) == 0 ? size : 0);
}
