/* SPDX-License-Identifier: MIT */
/* The results of a run: the one structure that every report is made from, and its file.
 *
 * The file is JSON Lines: a header, a line per case as it is judged, a footer. Each line is written
 * and flushed at once, so a run that is killed leaves a usable file; it just has no footer. When a
 * case has several lines (its verdict was corrected, or the run was resumed) the last one counts.
 */
#ifndef VX_RESULTS_H
#define VX_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "exit.h"
#include "result.h"
#include "text.h"
#include "verdict.h"

#define VX_RESULTS_FORMAT "voxcert-results/1"

struct vx_case; /* case.h */

/* One case. Strings are owned; those that may be NULL say so. */
typedef struct vx_record {
    char *name;
    char **clauses;
    size_t clause_count;
    vx_verdict verdict;
    bool undeclared; /* VX_SKIP: the target does not implement the chapter */
    bool stateful;   /* VX_CRASH: asked alone it passes */
    double milliseconds;
    char *note;                 /* a failure's case: what it shows; NULL: nothing to say */
    char *detail;               /* what happened; NULL: nothing to say */
    char *difference;           /* VX_FAIL: what differs first; NULL otherwise */
    char *errors;               /* a failure's standard error; NULL: none */
    const struct vx_case *item; /* the case itself, which is not owned; NULL: read from a file */
} vx_record;

/* What was certified, with what, and how much of it. All strings are owned and none is NULL. */
typedef struct vx_results_header {
    char *kit;      /* version of the kit */
    char *how;      /* "port", "library" or "implementation" */
    char *command;  /* the port's command, the library's file or the implementation's name */
    char *name;     /* who it says that it is */
    char *version;  /* … */
    char *language; /* … */
    char *vectors;  /* SHA-256 of all files of vectors, one behind the other */
    char *tier;
    char *filter;  /* behind --filter on a command line, as shell words; "": none */
    char *shard;   /* "2/5" */
    char *started; /* UTC */
    char *files;   /* that the vectors came from, as shell words; "": the project's own */
    char *again;   /* the command that repeats it, without tier, filter and shard */
    size_t vector_count;
    size_t case_count; /* selected by tier, filter and shard */
} vx_results_header;

typedef struct vx_results {
    vx_results_header header;
    vx_record *records; /* in the order of the selection */
    size_t count;
    char **notes; /* what was odd without being a verdict */
    size_t note_count;
    size_t judged;  /* cases judged by this process */
    double seconds; /* that all runs which made the file took */
    bool interrupted;
} vx_results;

void vx_record_free(vx_record *record);
void vx_results_free(vx_results *results);
void vx_results_add_note(vx_results *results, const char *note);

size_t vx_results_count(const vx_results *results, vx_verdict verdict);
size_t vx_results_failures(const vx_results *results);

/* Cases that keep a run from being complete: not run, or skipped in a declared chapter. */
size_t vx_results_missing(const vx_results *results);

/* PASS, NOT_CONFORMANT when a case failed, else INCOMPLETE when one is missing or none passed. */
vx_exit vx_results_exit(const vx_results *results);

/* SHA-256 of the lines "NAME VERDICT", sorted by their bytes: equal for equal runs. */
void vx_results_digest(const vx_results *results, char hex[VX_SHA256_HEX]);

/* Writing. Each function returns false, having complained, when the file cannot be written. */
typedef struct vx_results_file {
    FILE *file;
    const char *path; /* the caller's */
} vx_results_file;

bool vx_results_create(vx_results_file *file, const char *path, const vx_results_header *header);
bool vx_results_write(vx_results_file *file, const vx_record *record);
bool vx_results_finish(vx_results_file *file, const vx_results *results); /* footer, and close */

/* Opens the file again behind its first keep bytes, the rest being given up. */
bool vx_results_reopen(vx_results_file *file, const char *path, size_t keep);

/* Reads a results file; a last line without an end is not counted. *keep is the size of what a
 * resumed run goes on behind: all but the footer and that last line. False, having complained, when
 * it is no results file. */
bool vx_results_read(vx_results *results, const char *path, size_t *keep);

/* The first member in which two headers differ, of those that a resumed run must share; NULL when
 * there is none. */
const char *vx_results_header_difference(const vx_results_header *a, const vx_results_header *b);

/* Appends the value of that member. */
void vx_results_header_show(const vx_results_header *header, const char *member, vx_text *text);

#endif
