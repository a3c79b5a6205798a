/* SPDX-License-Identifier: MIT */
/* The report for the terminal, made from results alone. */
#ifndef VX_SUMMARY_H
#define VX_SUMMARY_H

#include "results.h"
#include "text.h"

/* path is the results file, or NULL when there is none. */
void vx_summary_write(const vx_results *results, const char *path, vx_text *text);

/* Its end: the verdict on the whole run, in plain words, with a line end. Only a run over all of
 * the project's own vectors is said to be conformant or not. */
void vx_summary_verdict(const vx_results *results, const char *path, vx_text *text);

#endif
