/* SPDX-License-Identifier: MIT */
/* Which clauses of SPEC.md a run's failures point at. */
#ifndef VX_SUSPECTS_H
#define VX_SUSPECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "results.h"
#include "spec.h"

/* A clause that a case with a wrong answer cites. Such a case casts suspicion on all clauses it
 * cites; one that passes takes some of it away. A crash, a number in the wrong form and the like
 * say nothing about clauses. */
typedef struct vx_suspect {
    const vx_clause *clause;
    size_t failed, judged; /* of the cases that the score is made from */
    double score;          /* failed / sqrt(all failed * judged), from 0 to 1 */
} vx_suspect;

typedef struct vx_suspects {
    vx_suspect *items; /* the most suspect one first, equal ones in the order of SPEC.md */
    size_t count;
    bool handmade; /* the scores are made from cases made by hand alone */
} vx_suspects;

/* The scores are made from the cases that were made by hand, each of which is about little; when
 * none of these failed, from all. Free with vx_suspects_free. */
void vx_suspects_find(const vx_results *results, const vx_spec *spec, vx_suspects *suspects);
void vx_suspects_free(vx_suspects *suspects);

/* Whether the name is that of a generated case, build3d/gen/FAMILY/SEED. */
bool vx_is_generated_name(const char *name);

bool vx_record_cites(const vx_record *record, const char *clause);

#endif
