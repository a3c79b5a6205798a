/* SPDX-License-Identifier: MIT */
/* Some lines of a file of cases, read at once by as many threads as there are processors: the
 * reading of JSON takes most of the time of an in-process run. */
#ifndef VX_CASE_BATCH_H
#define VX_CASE_BATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "case.h"
#include "problem.h"
#include "text.h"

typedef struct vx_case_line {
    size_t start, size; /* in the batch's text, without the line end */
    bool is_read;       /* the item is the line's case */
    vx_case item;
    vx_problem *problem; /* why there is none */
} vx_case_line;

/* Zero-initialise; free with vx_case_batch_free. */
typedef struct vx_case_batch {
    vx_text text; /* the lines, a NUL behind each; in the end the one that is being added */
    size_t open;  /* where that one starts */
    vx_case_line *lines;
    size_t count, capacity;
} vx_case_batch;

/* Adds bytes to the line that is being added; ends that line. */
void vx_case_batch_add(vx_case_batch *batch, const char *bytes, size_t size);
void vx_case_batch_end_line(vx_case_batch *batch);

/* The size of the line that is being added, and whether the batch is large enough to be read. */
size_t vx_case_batch_open_size(const vx_case_batch *batch);
bool vx_case_batch_is_full(const vx_case_batch *batch);

/* Reads all lines up to the first one with a problem; what stands behind that may be read or not.
 */
void vx_case_batch_read(vx_case_batch *batch);

/* Takes all lines out, also the one that is being added. Whoever keeps an item clears is_read. */
void vx_case_batch_clear(vx_case_batch *batch);
void vx_case_batch_free(vx_case_batch *batch);

#endif
