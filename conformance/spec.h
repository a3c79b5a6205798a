/* SPDX-License-Identifier: MIT */
/* SPEC.md as clauses: the text that is built into the program, or another one. */
#ifndef VX_SPEC_H
#define VX_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include "problem.h"

enum { VX_CLAUSE_ID = 16, VX_CLAUSE_HASH = 7 };

/* A clause starts with a line `**B2.9** ` and its hash in backquotes; its text goes from there to
 * the next blank line. Quoted blocks and code fences behind it are its notes and bind nobody. */
typedef struct vx_clause {
    char id[VX_CLAUSE_ID];          /* "B2.9" */
    char hash[VX_CLAUSE_HASH];      /* as it stands in the file */
    char text_hash[VX_CLAUSE_HASH]; /* of the text: what should stand there */
    bool ruling;
    char *section;      /* the heading above it, "B2 Rasterizing triangles" */
    char *text;         /* white space folded to single spaces; "ruling. " stays in front */
    char *notes;        /* whole lines, without the quotation marks; "" when there are none */
    size_t line;        /* where it starts, from 1 */
    size_t hash_offset; /* of the hash's first digit in the file */
} vx_clause;

typedef struct vx_spec {
    vx_clause *clauses;
    size_t count;
} vx_spec;

/* Reads a specification. False with the problem, whose message starts with the line number, when a
 * clause is malformed, an id comes twice or ids do not ascend. Hashes are not compared. */
bool vx_spec_read(const char *text, size_t size, vx_spec *spec, vx_problem *problem);

/* Reads the one that is built in; if that fails the program stops with exit status 5. */
void vx_spec_read_own(vx_spec *spec);

void vx_spec_free(vx_spec *spec);

/* NULL when there is no clause of that id. */
const vx_clause *vx_spec_find(const vx_spec *spec, const char *id);

/* Whether the clause of that id is the one that word names ("b2.9"), or stands in the section that
 * it names ("B2"). Letters are the same in either case. */
bool vx_spec_names(const char *word, const char *id);

/* The clause whose id is spelt most like that one, from the left in case of doubt; NULL when there
 * are no clauses. */
const vx_clause *vx_spec_nearest(const vx_spec *spec, const char *id);

#endif
