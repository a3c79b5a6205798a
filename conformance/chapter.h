/* SPDX-License-Identifier: MIT */
/* A chapter as the kit sees it: everything that knows what a step means stands behind this table.
 */
#ifndef VX_CHAPTER_H
#define VX_CHAPTER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exit.h"
#include "problem.h"
#include "result.h"
#include "text.h"
#include "voxcert/arena.h"

/* A case's grid and steps, parsed; each chapter has its own. */
typedef struct vx_input vx_input;

struct vx_importer;      /* import.h */
struct vx_draw_request;  /* draw.h */
struct vx_audit_request; /* audit.h */

/* An implementation that lives in this process. */
typedef struct vx_implementation {
    const char *name;
    const char *description;
    const void *table; /* the chapter's table of functions, such as vx_build3d_impl */
} vx_implementation;

typedef struct vx_run_options {
    size_t step_limit; /* run only the first step_limit steps; SIZE_MAX: all */
    /* NULL: none. Lines without a clause ("") are headings: "step 2: erode". */
    void (*trace)(void *context, const char *clause, const char *text);
    void *trace_context;
    bool guards_input; /* a table that changes what it is given to read is found out: its answer is
                        * VX_UNSUPPORTED */
} vx_run_options;

/* Generated cases: a family makes case number index of a seed, always the same one. */
typedef struct vx_family {
    const char *name;
    const char *note;           /* what it shows, for its cases' "note" */
    const char *const *clauses; /* NULL-terminated */
    vx_input *(*make)(uint64_t seed);
} vx_family;

typedef struct vx_chapter {
    const char *name; /* "build3d" */
    const vx_result_shape *shape;

    /* The strict reader. *input is set on success only; free it with input_free. */
    bool (*read)(json_t *grid, json_t *steps, vx_input **input, vx_problem *problem);
    void (*input_free)(vx_input *input);
    /* "grid":{…},"steps":[…] without braces around them. */
    void (*write)(const vx_input *input, vx_text *text);
    size_t (*step_count)(const vx_input *input);
    const char *(*step_name)(const vx_input *input, size_t step); /* its "op" */

    const vx_implementation *implementations;
    size_t implementation_count;
    /* The table that traces for this one, which may be itself; NULL when there is none. */
    const void *(*traced)(const void *table);
    /* A table out of a shared library opened with dlopen, or NULL with a problem. */
    const void *(*load)(void *library, vx_problem *problem);

    /* What a table calls itself. */
    const char *(*table_name)(const void *table);
    /* Runs the input. An error of the input is a result; the return value is VX_OK, VX_NO_MEMORY or
     * VX_UNSUPPORTED (an answer that the table must not give), with result->message set. The arena
     * is reset first. The caller frees the result. */
    vx_status (*run)(const void *table, const vx_input *input, const vx_run_options *options,
                     vx_arena *arena, vx_result *result);

    const struct vx_importer *importer; /* import.h; NULL: meshes and heights mean nothing here */
    /* Appends what a result without an error amounts to, for people: "  name  value" lines. */
    void (*summarize)(const vx_result *result, vx_text *text);

    /* A picture of a case, see vx_draw in draw.h; NULL: there is none. */
    bool (*draw)(const struct vx_draw_request *request, vx_text *picture, vx_problem *problem);

    /* The chapter's exact judge, see audit.h; NULL: it has none. */
    vx_exit (*audit)(const struct vx_audit_request *request, vx_problem *problem);
    const char *audit_leaves; /* what that judge has no opinion of, for people */

    const vx_family *families;
    const size_t *family_count; /* a pointer, as the count stands beside the families */
} vx_chapter;

extern const vx_chapter *const vx_chapters[];
extern const size_t vx_chapter_count;

/* NULL when there is none of that name. */
const vx_chapter *vx_chapter_find(const char *name);
const vx_implementation *vx_implementation_find(const vx_chapter *chapter, const char *name);

#endif
