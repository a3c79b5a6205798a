/* SPDX-License-Identifier: MIT */
/* Which cases a run is about: tier, filter and shard, in this order. */
#ifndef VX_SELECT_H
#define VX_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "case.h"
#include "spec.h"

typedef enum vx_tier {
    VX_TIER_SMOKE, /* the first two vectors that cite each clause */
    VX_TIER_CI,    /* all vectors */
    VX_TIER_FULL   /* all vectors and VX_FULL_CASES generated cases of every family */
} vx_tier;

/* Generated cases that are no vectors have seeds from VX_FULL_SEED upwards. */
enum { VX_SMOKE_CASES = 2, VX_FULL_CASES = 64, VX_FULL_SEED = 1000000 };

const char *vx_tier_name(vx_tier tier); /* "smoke", "ci", "full" */
bool vx_tier_find(const char *name, vx_tier *tier);

typedef struct vx_select_options {
    vx_tier tier;
    const char *const *filters; /* a case that one of them selects is selected; none: all are */
    size_t filter_count;
    size_t shard; /* 1 … shards */
    size_t shards;
} vx_select_options;

/* Pointers into the list; free items only. */
typedef struct vx_selection {
    vx_case **items;
    size_t count;
} vx_selection;

/* Appends the generated cases of the chapters that the list has vectors of, without answers. */
void vx_generate(vx_case_list *list);

/* The cases of the list that the options select, in its order. */
void vx_select(const vx_case_list *list, const vx_select_options *options, vx_selection *selection);

/* Whether the filter selects the case: a clause that it cites (B2.21) or a section of such clauses
 * (B2), in either case; one of its flags (fma); a pattern with * ? [ that its whole name matches,
 * or a part of its name. */
bool vx_filter_matches(const char *filter, const vx_case *item);

/* The first filter that is spelt like a clause or a section of them without being one of
 * the specification's; NULL when there is none. */
const char *vx_filter_unknown(const vx_select_options *options, const vx_spec *spec);

/* The first filter that selects no case of the list; NULL when there is none. */
const char *vx_filter_idle(const vx_select_options *options, const vx_case_list *list);

/* Gives every selected case that has no answer the reference's. False, having complained, when the
 * reference has none to give. */
bool vx_answer_generated(const vx_selection *selection);

#endif
