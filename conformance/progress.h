/* SPDX-License-Identifier: MIT */
/* One line on the terminal that says how far a long command is; nothing anywhere else. */
#ifndef VX_PROGRESS_H
#define VX_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

typedef struct vx_progress {
    int end; /* the descriptor that it is shown on; −1: it is silent */
    size_t total;
    size_t width; /* of the terminal, in columns */
    double begin; /* vx_now */
    double shown; /* when it was last drawn; 0: never */
} vx_progress;

/* Shows on standard error when that is a terminal and shown is true. */
void vx_progress_begin(vx_progress *progress, size_t total, bool shown);

/* The same on a descriptor of the caller's. */
void vx_progress_begin_on(vx_progress *progress, size_t total, int end);

/* done of total things are done, failed of them went wrong. Draws at most ten times a second. */
void vx_progress_set(vx_progress *progress, size_t done, size_t failed);

/* Wipes the line away until it is drawn again, so that something else can be printed. */
void vx_progress_hide(vx_progress *progress);

/* Wipes the line away. */
void vx_progress_end(vx_progress *progress);

/* The line itself, without a line end: a bar as wide as width leaves room for, the count, the
 * rate, the time left, and the failures if there are any. */
void vx_progress_line(vx_text *text, size_t width, size_t done, size_t total, size_t failed,
                      double seconds);

#endif
