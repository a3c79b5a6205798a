/* SPDX-License-Identifier: MIT */
/* The other side of the protocol: an implementation in this process as a port. */
#ifndef VX_SERVE_H
#define VX_SERVE_H

#include <stdint.h>
#include <stdio.h>

#include "bad.h"
#include "exit.h"

typedef struct vx_serve_options {
    const char *implementation; /* the name of a built-in one */
    const char *library;        /* the file of a shared one; NULL: the built-in one */
    const vx_bad *bad;          /* how it goes wrong; NULL: not at all */
    uint32_t every;             /* takes the place of bad->every; 0: does not */
    double delay;               /* seconds, for bad kinds that are slow */
    FILE *in;
    FILE *out;
} vx_serve_options;

/* Serves until bye or the end of the input. Complains when there is no such implementation, and
 * when a line is not the protocol's. */
vx_exit vx_serve(const vx_serve_options *options);

#endif
