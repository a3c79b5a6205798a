/* SPDX-License-Identifier: MIT */
/* Judges cases against a target: asks, compares, believes nothing that it did not see twice. */
#ifndef VX_CERTIFY_H
#define VX_CERTIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "results.h"
#include "select.h"
#include "target.h"

/* A case that passes is asked again when a hash of its name is divisible by this. */
enum { VX_SAMPLE = 100 };

/* How much longer a case that hung may take when it is asked alone. */
#define VX_ALONE_FACTOR 5.0

typedef struct vx_certify_options {
    vx_target_options target;
    size_t jobs;     /* threads, each with a target of its own */
    size_t restarts; /* times a port is started again, over all threads */
    bool progress;   /* a progress line, if standard error is a terminal */
    bool verbose;    /* a line per case on standard output */
} vx_certify_options;

/* A record for every selected case, each VX_NOT_RUN. */
void vx_certify_prepare(const vx_selection *cases, vx_results *results);

/* Judges every case whose record (of the same index) is VX_NOT_RUN, beginning with the target
 * first, which was started with options->target and is finished here. Each verdict is written to
 * the file, unless that is NULL, as it is found. What cannot be judged stays VX_NOT_RUN with the
 * reason. False, having complained, when the file could not be written. */
bool vx_certify(const vx_certify_options *options, vx_target *first, const vx_selection *cases,
                vx_results *results, vx_results_file *file);

#endif
