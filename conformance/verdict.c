/* SPDX-License-Identifier: MIT */
/* The verdicts on a case, and what one question to a target came to. */
#include "verdict.h"

#include <string.h>

static const struct {
    const char *name;
    const char *meaning;
} verdicts[VX_VERDICT_COUNT] = {
    [VX_PASS] = {"pass", "the answer is the expected one"},
    [VX_FAIL] = {"fail", "the answer is another one"},
    [VX_SKIP] = {"skip", "it says that it cannot do it"},
    [VX_FAULT] = {"fault", "it reported an exception"},
    [VX_CRASH] = {"crash", "the process ended"},
    [VX_HANG] = {"hang", "no answer in time, twice"},
    [VX_GARBAGE] = {"garbage", "a line that is not the protocol's JSON"},
    [VX_TRUNCATED] = {"truncated", "the output ended inside a line"},
    [VX_OVERSIZE] = {"oversize", "far more output than an answer"},
    [VX_DESYNC] = {"desync", "an answer to a question that was not open"},
    [VX_NONCANONICAL] = {"noncanonical", "a number that is not a plain integer"},
    [VX_UNSTABLE] = {"unstable", "asked again, it answered otherwise"},
    [VX_NOT_RUN] = {"not run", "never judged"},
};

const char *vx_verdict_name(vx_verdict verdict)
{
    return verdicts[verdict].name;
}

const char *vx_verdict_meaning(vx_verdict verdict)
{
    return verdicts[verdict].meaning;
}

bool vx_verdict_find(const char *name, vx_verdict *verdict)
{
    for (unsigned i = 0; i < VX_VERDICT_COUNT; i++) {
        if (strcmp(verdicts[i].name, name) == 0) {
            *verdict = (vx_verdict)i;
            return true;
        }
    }
    return false;
}

bool vx_verdict_is_failure(vx_verdict verdict)
{
    return verdict != VX_PASS && verdict != VX_SKIP && verdict != VX_NOT_RUN;
}

void vx_outcome_free(vx_outcome *outcome)
{
    vx_result_free(&outcome->result);
    vx_text_free(&outcome->detail);
    *outcome = (vx_outcome){0};
}

void vx_outcome_set(vx_outcome *outcome, vx_verdict verdict)
{
    outcome->answered = false;
    outcome->verdict = verdict;
}

bool vx_outcome_same(const vx_result_shape *shape, const vx_outcome *a, const vx_outcome *b)
{
    if (a->answered && b->answered) {
        return vx_result_equal(shape, &a->result, &b->result);
    }
    return a->answered == b->answered && a->verdict == b->verdict;
}
