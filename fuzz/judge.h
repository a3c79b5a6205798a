/* SPDX-License-Identifier: MIT */
/* The judge of a decoded case: every implementation does the same steps, and all must agree. */
#ifndef VX_FUZZ_JUDGE_H
#define VX_FUZZ_JUDGE_H

#include <stdint.h>

#include "build3d/build3d.h"
#include "fuzz/mutate.h"
#include "oracle/build3d/exact/exact.h"

/* The implementations that are asked, in the order in which a vote names them. A test may put one
 * in the place of another. */
enum { VX_FUZZ_REF, VX_FUZZ_FAST, VX_FUZZ_REPLAY, VX_FUZZ_SIDES };
extern const vx_build3d_impl *vx_fuzz_sides[VX_FUZZ_SIDES];

/* In the place of a second side: the exact judge, which agrees with what it finds no fault in. */
enum { VX_FUZZ_EXACT = VX_FUZZ_SIDES };

/* One case in so many is asked of the replay, or judged exactly, too; 0: none. */
typedef struct vx_fuzz_sampling {
    uint64_t replay, exact;
} vx_fuzz_sampling;

/* A number in decimal digits alone; false, and nothing set, otherwise. */
bool vx_fuzz_read_number(const char *text, uint64_t *number);

/* The number in a variable of the environment, or otherwise. The program ends where it is none. */
uint64_t vx_fuzz_chosen(const char *name, uint64_t otherwise);

/* What VX_FUZZ_REPLAY and VX_FUZZ_EXACT say, or one in 64 and one in 256. */
vx_fuzz_sampling vx_fuzz_sampling_chosen(void);

/* What exact judging of a case may cost: cells of triangles (see vx_build3d_judge_cost), and rows
 * before a step. */
enum { VX_FUZZ_CELLS = 64, VX_FUZZ_ROWS = 1024 };

/* Where two implementations part. */
typedef struct vx_disagreement {
    int64_t step; /* the first step with a difference; −1: the grid */
    const char
        *what; /* "status", "degenerate", "rows", "statistics"; of the exact judge a clause */
    vx_exact_finding finding; /* the exact judge's */
} vx_disagreement;

/* What was done since the start: comparisons of two sides, those whose grid is one, steps, and
 * those that succeeded; cases that were asked of the replay, and that the exact judge saw, with
 * those that it did not see to their end because that would have cost too much. */
typedef struct vx_fuzz_counts {
    uint64_t cases, grids, steps, good;
    uint64_t replayed, exact, too_large;
} vx_fuzz_counts;
extern vx_fuzz_counts vx_fuzz_done;

/* What is being done at the moment, for who finds that it takes too long. */
typedef struct vx_fuzz_doing {
    const vx_input *input; /* NULL: no case is judged */
    unsigned side;         /* who is at work; VX_FUZZ_EXACT: the exact judge */
    int64_t step;          /* −1: the grid */
} vx_fuzz_doing;
extern vx_fuzz_doing vx_fuzz_now;

/* Does the steps on one side before the exact judge, up to the first one that it finds fault with
 * or that costs too much. Returns whether there was no finding; *where has it otherwise. */
bool vx_fuzz_stands(const vx_input *input, unsigned side, vx_disagreement *where);

/* Does the steps on both sides; b may be VX_FUZZ_EXACT. A step that fails changes nothing (SPEC
 * B0.9@eb3b6d), and the next one is done all the same. Returns whether they agree; *where is set
 * when not. */
bool vx_fuzz_agree(const vx_input *input, unsigned a, unsigned b, vx_disagreement *where);

/* Judges the case that the bytes are. Returns when all agree; otherwise the case is shrunk, written
 * as a line of JSON to the directory that VX_FUZZ_FINDINGS names (without it, build/fuzz/findings),
 * told with the vote, and the program aborts. The hash of the bytes decides, so for the same ones
 * always alike, about the level of the processor, about the replay and about the exact judge. */
void vx_fuzz_judge(const vx_input *input, vx_bytes from);

#endif
