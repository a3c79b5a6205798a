/* SPDX-License-Identifier: MIT */
/* The exact judge (oracle/build3d/exact) as one more side: it has no answer of its own, but looks
 * at what an implementation makes of each step of a case. */
#include <inttypes.h>
#include <string.h>

#include "build3d/judge.h"
#include "fuzz/decode.h"
#include "fuzz/judge.h"

typedef struct trial {
    unsigned side;
    const vx_build3d_impl *impl; /* of the side */
    vx_build3d *field;
    const vx_input *input;
    /* The steps that succeeded and the one at hand. What failed changes nothing (SPEC B0.9@eb3b6d),
     * so the judge need not know of it. */
    vx_input tried;
    vx_step steps[VX_FUZZ_STEPS];
    int64_t step; /* of the input; −1: the grid */
    vx_result before, after;
    uint64_t cost;
    vx_disagreement *where;
} trial;

/* Keeps the first finding. */
static void report(void *context, const vx_exact_finding *finding)
{
    const trial *t = context;
    vx_disagreement *where = t->where;
    if (where->what == NULL) {
        where->what = finding->clause;
        where->step = t->step;
        where->finding = *finding;
    }
}

/* Reads what the implementation holds behind the step, or notes the error that it had. False: it
 * has no answer at all. */
static bool read_answer(trial *t, vx_status status)
{
    vx_result_free(&t->after);
    t->after = (vx_result){0};
    if (status == VX_ARGUMENT || status == VX_OUT_OF_RANGE) {
        t->after.error = status;
        t->after.step = t->step < 0 ? -1 : (int64_t)t->tried.step_count;
        return true;
    }
    return status == VX_OK && vx_build3d_read_rows(t->impl, t->field, &t->after, NULL) == VX_OK;
}

/* The exact judge's opinion of the step behind those that succeeded. False: there are findings, or
 * the system has no memory for it. */
static bool judge_answer(trial *t)
{
    const vx_exact_court court = {.report = report, .context = t};
    const vx_build3d_stage stage = {.input = &t->tried,
                                    .steps = t->tried.step_count,
                                    .before = t->step < 0 ? NULL : &t->before,
                                    .after = &t->after,
                                    .court = &court};
    bool ended;
    vx_fuzz_now.side = VX_FUZZ_EXACT;
    return vx_build3d_judge(&stage, &ended) == VX_OK && t->where->what == NULL;
}

static void advance(trial *t)
{
    vx_result_free(&t->before);
    t->before = t->after;
    t->after = (vx_result){0};
}

/* False: nothing behind this step is to be judged. */
static bool try_step(trial *t)
{
    const vx_step *step = &t->input->steps[t->step];
    size_t next = t->tried.step_count;
    t->steps[next] = *step;
    t->cost += vx_build3d_judge_cost(&t->tried, next, t->before.facts, &t->before, VX_FUZZ_CELLS);
    if (t->cost > VX_FUZZ_CELLS || t->before.rows > VX_FUZZ_ROWS) {
        vx_fuzz_done.too_large++;
        return false;
    }
    vx_fuzz_now.side = t->side;
    vx_fuzz_now.step = t->step;
    vx_status status = vx_build3d_run_step(t->impl, t->field, step, NULL);
    if (status == VX_UNSUPPORTED) {
        return true; /* it needs compact rows, but compacting was refused */
    }
    if (!read_answer(t, status) || !judge_answer(t)) {
        return false;
    }
    if (status == VX_OK) {
        t->tried.step_count++;
        advance(t);
    }
    return true;
}

bool vx_fuzz_stands(const vx_input *input, unsigned side, vx_disagreement *where)
{
    static vx_arena arena;
    trial t = {.side = side,
               .impl = vx_fuzz_sides[side],
               .input = input,
               .tried = {.frame = input->frame},
               .step = -1,
               .where = where};
    t.tried.steps = t.steps;
    if (arena.block_size == 0) {
        vx_arena_init_growable(&arena, (size_t)1 << 18, SIZE_MAX);
    }
    vx_arena_reset(&arena);
    where->what = NULL;
    vx_fuzz_done.exact++;
    vx_fuzz_now = (vx_fuzz_doing){.input = input, .side = side, .step = -1};
    vx_status status = t.impl->open(&arena, &input->frame, &t.field, NULL);
    if (read_answer(&t, status) && judge_answer(&t) && status == VX_OK) {
        advance(&t);
        for (t.step = 0; t.step < (int64_t)input->step_count && try_step(&t);) {
            t.step++;
        }
    }
    t.impl->close(t.field);
    vx_fuzz_now.input = NULL;
    vx_result_free(&t.before);
    vx_result_free(&t.after);
    return where->what == NULL;
}
