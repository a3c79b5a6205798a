/* SPDX-License-Identifier: MIT */
/* The part of the report for the terminal that is about failures. */
#ifndef VX_FAILURES_H
#define VX_FAILURES_H

#include "results.h"
#include "spec.h"
#include "text.h"

enum { VX_REPORT_WIDTH = 100 };

/* The clauses that are the most suspect, and examples of what went wrong; nothing when no case
 * failed. path is the results file, or NULL when there is none. */
void vx_add_failures(vx_text *text, const vx_results *results, const vx_spec *spec,
                     const char *path);

#endif
