/* SPDX-License-Identifier: MIT */
/* Takes an implementation through a case, one step after the other, and has the exact judge look at
 * each. */
#include "audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "build3d/judge.h"
#include "reference.h"

typedef struct auditing {
    const vx_audit_request *request;
    const vx_input *input;
    const vx_build3d_impl *impl; /* NULL: somebody is asked */
    vx_arena arena;              /* of the implementation's field */
    vx_build3d *field;
    vx_result before, after;
    vx_exact_court court;
    char given[VX_SHA256_HEX]; /* the input, with an implementation */
    int64_t step;              /* at hand; −1: the grid */
    uint64_t done, total;
    vx_text line;
    vx_problem *problem;
} auditing;

/* --- what the judge says ---------------------------------------------------------------------- */

static void say(auditing *audit, vx_audit_kind kind)
{
    const vx_audit_request *request = audit->request;
    request->say(request->context, kind, audit->step, vx_text_string(&audit->line));
    vx_text_clear(&audit->line);
}

/* The line names the step: the court's caller knows the case alone. */
static void begin_line(auditing *audit)
{
    vx_text_clear(&audit->line);
    if (audit->step < 0) {
        vx_text_add(&audit->line, "grid");
    } else {
        const char *op = vx_build3d_op_name(audit->input->steps[audit->step].op);
        vx_text_format(&audit->line, "step %" PRId64 " %s", audit->step, op);
    }
}

/* Where the column's centre is: whoever audits a mesh looks for it there. */
static void add_world(auditing *audit, const vx_exact_finding *finding)
{
    const vx_frame *frame = &audit->input->frame;
    const double *origin = frame->from_bounds ? frame->min : frame->origin;
    if (audit->request->with_world) {
        vx_text_format(&audit->line, " at x %.9g, z %.9g",
                       origin[0] + ((double)finding->x + 0.5) * (double)frame->cell_size,
                       origin[2] + ((double)finding->z + 0.5) * (double)frame->cell_size);
    }
}

static void report(void *context, const vx_exact_finding *finding)
{
    auditing *audit = context;
    begin_line(audit);
    if (finding->x >= 0) {
        vx_text_format(&audit->line, ", column (%" PRId64 ", %" PRId64 ")", finding->x, finding->z);
        add_world(audit, finding);
    }
    if (finding->max == finding->min + 1) {
        vx_text_format(&audit->line, ", row %" PRId64, finding->min);
    } else if (finding->max > finding->min) {
        vx_text_format(&audit->line, ", rows %" PRId64 " to %" PRId64, finding->min,
                       finding->max - 1);
    }
    vx_text_format(&audit->line, ": %s (%s)", finding->text, finding->clause);
    say(audit, VX_AUDIT_FINDING);
}

static void tick(void *context, uint64_t cost)
{
    auditing *audit = context;
    const vx_audit_request *request = audit->request;
    audit->done += cost;
    if (request->progress != NULL) {
        uint64_t total = audit->total > audit->done ? audit->total : audit->done;
        request->progress(request->context, audit->done, total);
    }
}

/* --- what the implementation makes ------------------------------------------------------------ */

/* Asks for what the first steps make. */
static vx_exit ask(auditing *audit, size_t steps)
{
    vx_input shorter = *audit->input;
    vx_case part = *audit->request->item;
    shorter.step_count = steps;
    part.input = &shorter;
    part.has_expect = false; /* that is about all steps */
    return audit->request->ask(audit->request->ask_context, &part, &audit->after, audit->problem)
               ? VX_EXIT_PASS
               : VX_EXIT_NOT_CONFORMANT;
}

/* Why there is no result to judge; an implementation's message may hold anything. */
static vx_exit say_failure(auditing *audit, vx_status status, vx_error *error)
{
    error->message[sizeof error->message - 1] = '\0';
    begin_line(audit);
    vx_text_format(&audit->line, ": %s: ", vx_status_name(status));
    vx_add_printable(&audit->line, error->message, strlen(error->message));
    (void)vx_problem_say(audit->problem, "%s", vx_text_string(&audit->line));
    return status == VX_NO_MEMORY ? VX_EXIT_INCOMPLETE : VX_EXIT_NOT_CONFORMANT;
}

/* Opens the field, or runs the step behind the first `steps` − 1, and reads what there is then. */
static vx_exit run(auditing *audit, size_t steps)
{
    vx_error error = {0};
    vx_status status =
        steps == 0 ? audit->impl->open(&audit->arena, &audit->input->frame, &audit->field, &error)
                   : vx_build3d_run_step(audit->impl, audit->field, &audit->input->steps[steps - 1],
                                         &error);
    if (status == VX_OK) {
        status = vx_build3d_read_rows(audit->impl, audit->field, &audit->after, &error);
    }
    if (status == VX_ARGUMENT || status == VX_OUT_OF_RANGE) {
        vx_result_free(&audit->after);
        audit->after.error = status;
        audit->after.step = audit->step;
    } else if (status != VX_OK) {
        return say_failure(audit, status, &error);
    }
    return VX_EXIT_PASS;
}

/* Whether the implementation left the input as it was. What it makes of another one is no answer to
 * the case, and the case is no longer there. */
static bool is_input_kept(auditing *audit)
{
    char now[VX_SHA256_HEX];
    vx_build3d_digest(audit->input, now);
    if (strcmp(audit->given, now) == 0) {
        return true;
    }
    begin_line(audit);
    vx_text_add(&audit->line, ": the implementation changed the case that it was given to read; no "
                              "later step is judged");
    say(audit, VX_AUDIT_FINDING);
    return false;
}

/* --- one step after the other ----------------------------------------------------------------- */

/* Adds up what is known to be needed; false, with the problem, when it is too much. */
static bool check_cost(auditing *audit, size_t step, const vx_result *before)
{
    enum { FURTHER = 16 };
    uint64_t limit = audit->request->limit;
    const int64_t *size = audit->before.facts;
    uint64_t cost = vx_build3d_judge_cost(audit->input, step, size, before, limit);
    if (audit->total + cost <= limit) {
        audit->total += cost;
        return true;
    }
    uint64_t most = FURTHER * limit;
    cost = audit->total + vx_build3d_judge_cost(audit->input, step, size, before, most);
    return vx_problem_say(audit->problem,
                          "step %zu brings the judge's work to %s%" PRIu64
                          " cells of triangles; %" PRIu64 " are allowed (--cells)",
                          step, cost > most ? "more than " : "", cost > most ? most : cost, limit);
}

/* Before the first step: whether the triangles are too many. */
static bool check_solids(auditing *audit)
{
    bool good = true;
    for (size_t i = 0; i < audit->input->step_count && good; i++) {
        good = audit->input->steps[i].op >= VX_OP_LOW_HANGING || check_cost(audit, i, NULL);
    }
    return good;
}

static vx_exit judge(auditing *audit, bool *ended)
{
    vx_text note = {0};
    const vx_build3d_stage stage = {.input = audit->input,
                                    .steps = (size_t)(audit->step < 0 ? 0 : audit->step),
                                    .before = audit->step < 0 ? NULL : &audit->before,
                                    .after = &audit->after,
                                    .court = &audit->court,
                                    .note = &note,
                                    .is_open = audit->request->is_open};
    vx_status status = vx_build3d_judge(&stage, ended);
    if (note.size > 0) {
        begin_line(audit);
        vx_text_format(&audit->line, ": %s", vx_text_string(&note));
        say(audit, VX_AUDIT_NOTE);
    }
    vx_text_free(&note);
    if (status != VX_OK) {
        begin_line(audit);
        (void)vx_problem_say(audit->problem, "%s: no memory for judging",
                             vx_text_string(&audit->line));
        return VX_EXIT_INTERNAL;
    }
    return VX_EXIT_PASS;
}

/* The result becomes that of the steps before. */
static void advance(auditing *audit)
{
    vx_result_free(&audit->before);
    audit->before = audit->after;
    audit->after = (vx_result){0};
}

static vx_exit audit_steps(auditing *audit)
{
    bool ended = false;
    vx_exit status = VX_EXIT_PASS;
    for (size_t steps = 0; steps <= audit->input->step_count && !ended; steps++) {
        audit->step = (int64_t)steps - 1;
        bool later = steps > 0 && audit->input->steps[steps - 1].op >= VX_OP_LOW_HANGING;
        if (later && !check_cost(audit, steps - 1, &audit->before)) {
            return VX_EXIT_INCOMPLETE;
        }
        status = audit->impl != NULL ? run(audit, steps) : ask(audit, steps);
        if (audit->impl != NULL && !is_input_kept(audit)) {
            return VX_EXIT_PASS;
        }
        if (status == VX_EXIT_PASS) {
            status = judge(audit, &ended);
        }
        if (status != VX_EXIT_PASS) {
            return status;
        }
        advance(audit);
        if (steps == 0 && !ended && !check_solids(audit)) {
            return VX_EXIT_INCOMPLETE;
        }
    }
    return status;
}

vx_exit vx_build3d_audit(const vx_audit_request *request, vx_problem *problem)
{
    auditing audit = {.request = request,
                      .input = request->item->input,
                      .impl = request->table,
                      .problem = problem};
    audit.court = (vx_exact_court){.report = report, .tick = tick, .context = &audit};
    vx_reference_arena(&audit.arena);
    if (audit.impl != NULL) {
        vx_build3d_digest(audit.input, audit.given);
    }
    vx_exit status = audit_steps(&audit);
    if (audit.field != NULL) {
        audit.impl->close(audit.field);
    }
    vx_result_free(&audit.before);
    vx_result_free(&audit.after);
    vx_arena_free(&audit.arena);
    vx_text_free(&audit.line);
    return status;
}
