/* SPDX-License-Identifier: MIT */
/* The verdicts on a case, and what one question to a target came to. */
#ifndef VX_VERDICT_H
#define VX_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result.h"
#include "text.h"

typedef enum vx_verdict {
    VX_PASS,         /* the answer is what is expected, every number of it */
    VX_FAIL,         /* it is another one, or no well-formed one */
    VX_SKIP,         /* the chapter is not declared, or the port says so: never a pass */
    VX_FAULT,        /* the port reports an exception */
    VX_CRASH,        /* the process ended while the case was open */
    VX_HANG,         /* no answer in time, also when asked alone with more time */
    VX_GARBAGE,      /* a line that is not the protocol's JSON */
    VX_TRUNCATED,    /* the output ended inside a line */
    VX_OVERSIZE,     /* far more output than the answer can have */
    VX_DESYNC,       /* an answer with an id that was not the one asked */
    VX_NONCANONICAL, /* −0, an exponent or a fraction where an integer belongs */
    VX_UNSTABLE,     /* asked again, it answered otherwise */
    VX_NOT_RUN,      /* the restart budget was spent, or the run was interrupted */
    VX_VERDICT_COUNT
} vx_verdict;

const char *vx_verdict_name(vx_verdict verdict);    /* "not run" */
const char *vx_verdict_meaning(vx_verdict verdict); /* one line for people */

/* False when there is none of that name. */
bool vx_verdict_find(const char *name, vx_verdict *verdict);

/* Everything but pass, skip and not run. */
bool vx_verdict_is_failure(vx_verdict verdict);

/* What one question came to. Zero-initialise; free with vx_outcome_free. */
typedef struct vx_outcome {
    bool answered;      /* result is the answer, which is still to be compared */
    vx_verdict verdict; /* otherwise; VX_NOT_RUN: the wait was interrupted */
    vx_result result;
    vx_text detail; /* what happened, for people */
    int64_t id;     /* VX_DESYNC: the id that came */
    size_t charged; /* whose case it is about (target.h) */
    double seconds; /* from the question to the answer */
} vx_outcome;

void vx_outcome_free(vx_outcome *outcome);

/* Makes the outcome not an answer; the detail is to be added by the caller. */
void vx_outcome_set(vx_outcome *outcome, vx_verdict verdict);

/* Whether two outcomes of one case are alike: the same answer, or the same verdict. */
bool vx_outcome_same(const vx_result_shape *shape, const vx_outcome *a, const vx_outcome *b);

#endif
