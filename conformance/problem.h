/* SPDX-License-Identifier: MIT */
/* What is wrong with an input file: where, and what was expected there. */
#ifndef VX_PROBLEM_H
#define VX_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

/* path is a member's path such as $.steps[2].climb; a reader that descends extends it and cuts it
 * back. Zero-initialise. */
typedef struct vx_problem {
    bool lenient; /* unknown members are none: a port passes over them (docs/PROTOCOL.md) */
    char path[256];
    char message[512];
} vx_problem;

/* Extends the path by .name or [index] and returns the length before, for vx_problem_leave. A path
 * that is too long is cut. */
size_t vx_problem_enter(vx_problem *problem, const char *name);
size_t vx_problem_enter_index(vx_problem *problem, size_t index);
void vx_problem_leave(vx_problem *problem, size_t length);

/* Sets the message to "PATH: formatted text" unless one is set already, and returns false. */
bool vx_problem_set(vx_problem *problem, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same without a path, for what is not about a member of a file. */
bool vx_problem_say(vx_problem *problem, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The message without the path of the whole, "$", which says nothing to whom no JSON was read. */
const char *vx_problem_reason(const vx_problem *problem);

#endif
