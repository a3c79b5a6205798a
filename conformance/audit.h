/* SPDX-License-Identifier: MIT */
/* Audits: what an implementation makes of each step of a case, before the chapter's exact judge,
 * which knows no expected answers. */
#ifndef VX_AUDIT_H
#define VX_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "case.h"

/* What an audit has to say: a finding, or something that one should know about a step. */
typedef enum vx_audit_kind { VX_AUDIT_FINDING, VX_AUDIT_NOTE } vx_audit_kind;

typedef struct vx_audit_request {
    const vx_case *item;
    const void *table; /* of the implementation; NULL: it is asked */
    /* Answers a case instead of a table; false, with a problem, when there is no answer. It is
     * asked for what the first steps make, one more each time. */
    bool (*ask)(void *context, const vx_case *item, vx_result *result, vx_problem *problem);
    void *ask_context;
    uint64_t limit; /* the judge's work, in cells of triangles */
    /* A line for people without its end, about a step (−1: the grid). */
    void (*say)(void *context, vx_audit_kind kind, int64_t step, const char *line);
    bool *is_open;   /* becomes true when something was within the bound; NULL: nobody asks */
    bool with_world; /* columns are told with their centres in world coordinates */
    void (*progress)(void *context, uint64_t done, uint64_t total); /* may be NULL */
    void *context;
} vx_audit_request;

/* A chapter's audit (chapter.h) returns VX_EXIT_PASS when all was judged, whatever was found.
 * Otherwise the problem says why it ended: VX_EXIT_INCOMPLETE for more work than the limit, or an
 * implementation without memory, VX_EXIT_NOT_CONFORMANT for no answer, VX_EXIT_INTERNAL for no
 * memory. */

#endif
