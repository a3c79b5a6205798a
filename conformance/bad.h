/* SPDX-License-Identifier: MIT */
/* Ways in which a port can go wrong, so that the kit can be held to its table of verdicts. */
#ifndef VX_BAD_H
#define VX_BAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "result.h"
#include "text.h"

/* One question and the honest answer to it, on its way out. */
typedef struct vx_reply {
    FILE *out;            /* where it is going to be written */
    size_t number;        /* of the question in this process, from 1 */
    int64_t id;           /* of the question */
    const char *question; /* its line, without the line end */
    size_t question_size;
    const vx_result_shape *shape;
    vx_result *result; /* the answer; NULL when it is a skip or a fault */
    vx_text *line;     /* the answer's line, without the line end */
    double delay;      /* seconds, for the kinds that are slow */
} vx_reply;

typedef struct vx_bad {
    const char *name;
    const char *what;         /* one line, no full stop */
    uint32_t every;           /* only one question in so many, chosen by its content; 0: all */
    bool lossy;               /* hello: the echo's numbers as binary32 */
    bool chapterless;         /* hello: no chapters */
    int protocol;             /* hello: this protocol; 0: the right one */
    void (*start)(FILE *out); /* before anything is read */
    /* Before hello's, and a case's, answer is written: may change the line. */
    void (*hello)(FILE *out, vx_text *line);
    void (*run)(vx_reply *reply);
    int (*bye)(void); /* at the end: the exit status */
} vx_bad;

extern const vx_bad vx_bads[];
extern const size_t vx_bad_count;

/* NULL when there is none of that name. */
const vx_bad *vx_bad_find(const char *name);

#endif
