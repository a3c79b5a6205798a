/* SPDX-License-Identifier: MIT */
/* Cases made by a chapter's families, and the reference's answer as what a case expects. */
#ifndef VX_GENERATE_H
#define VX_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "case.h"
#include "voxcert/arena.h"

/* A longer result is given as a digest in the vectors. */
enum { VX_ANSWER_ROWS_MAX = 200 };

/* The case that a family makes of a seed, without an answer. Its name is CHAPTER/gen/FAMILY/SEED;
 * free it with vx_case_free. */
void vx_generate_case(const vx_chapter *chapter, const vx_family *family, uint64_t seed,
                      vx_case *item);

/* Lets the case, which has no answer, expect the reference's. False, having complained, when the
 * reference has none to give. */
bool vx_answer_case(vx_case *item, vx_arena *arena);

/* Gives an answer of more than VX_ANSWER_ROWS_MAX rows as a digest, and lets the case have the flag
 * `digest` when its answer is one and not otherwise. */
void vx_shorten_answer(vx_case *item);

#endif
