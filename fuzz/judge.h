/* SPDX-License-Identifier: MIT */
/* The judge of a decoded case: every implementation does the same steps, and all must agree. */
#ifndef VX_FUZZ_JUDGE_H
#define VX_FUZZ_JUDGE_H

#include <stdint.h>

#include "build3d/build3d.h"

/* The implementations that are asked, in the order in which a vote names them. A test may put one
 * in the place of another. */
enum { VX_FUZZ_REF, VX_FUZZ_FAST, VX_FUZZ_REPLAY, VX_FUZZ_SIDES };
extern const vx_build3d_impl *vx_fuzz_sides[VX_FUZZ_SIDES];

/* One case in so many is asked of the replay, too. */
enum { VX_FUZZ_REPLAY_EVERY = 64 };

/* Where two implementations part. */
typedef struct vx_disagreement {
    int64_t step;     /* the first step with a difference; −1: the grid */
    const char *what; /* "status", "degenerate", "rows", "statistics" */
} vx_disagreement;

/* What was done since the start: cases, those whose grid is one, steps, and those that succeeded.
 */
typedef struct vx_fuzz_counts {
    uint64_t cases, grids, steps, good;
} vx_fuzz_counts;
extern vx_fuzz_counts vx_fuzz_done;

/* Does the steps on both sides. A step that fails changes nothing (SPEC B0.9@eb3b6d), and the next
 * one is done all the same. Returns whether they agree; *where is set when not. */
bool vx_fuzz_agree(const vx_input *input, unsigned a, unsigned b, vx_disagreement *where);

/* Judges a case. Returns when all agree; otherwise the case is shrunk, written as a line of JSON to
 * the directory that VX_FUZZ_FINDINGS names (without it, build/fuzz/findings), told with the vote,
 * and the program aborts. choice decides, for a given case always alike, about the level of the
 * processor and about the replay. */
void vx_fuzz_judge(const vx_input *input, uint64_t choice);

#endif
