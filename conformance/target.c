/* SPDX-License-Identifier: MIT */
/* What is certified: the talk with a port, and the same answers from this process. */
#include "target.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "chapter.h"
#include "clock.h"
#include "reference.h"
#include "version.h"
#include "words.h"

#define ANSWER_BYTES_MAX ((size_t)64 << 20)
#define HELLO_BYTES_MAX ((size_t)1 << 20)
#define REFERENCE_FACTOR 100.0 /* times what the reference takes */

static const double EXIT_GRACE = 2; /* for a process that closed its output, in seconds */

const char *vx_target_noun(const vx_target_options *options)
{
    return options->is_library ? "library" : "port";
}

void vx_target_init(vx_target *target, const vx_target_options *options)
{
    *target = (vx_target){.options = options};
    vx_reference_arena(&target->arena);
    if (getrandom(&target->random.state, sizeof target->random.state, 0) < 0) {
        target->random.state = (uint64_t)(vx_now() * 1e9);
    }
}

void vx_target_free(vx_target *target)
{
    vx_port_free(&target->port);
    vx_arena_free(&target->arena);
    vx_text_free(&target->question);
    vx_identity_free(&target->identity);
    free(target->asked);
    *target = (vx_target){0};
}

/* The next id: 31 random bits, so that no port can count along. */
static int64_t next_id(vx_target *target)
{
    return (int64_t)(vx_random_bits(&target->random) >> 33);
}

/* --- starting -----------------------------------------------------------------------------------
 */

/* Adds what the port wrote to standard error, indented. Of a library it is mostly the kit that
 * writes why it cannot be used. */
static void add_errors(const vx_target *target, vx_text *why)
{
    size_t size;
    const char *errors = vx_port_errors(&target->port, &size);
    if (size > 0) {
        vx_text_add(why, target->options->is_library ? "" : "\nIts standard error ends:");
        while (size > 0) {
            size_t line = strcspn(errors, "\n");
            vx_text_add(why, "\n  ");
            vx_add_printable(why, errors, line < size ? line : size);
            line += line < size ? 1 : 0;
            errors += line;
            size -= line;
        }
    }
}

/* How a library ended the process that it was loaded into. */
static void describe_library_end(vx_port_end end, vx_text *text)
{
    if (end.killed) {
        vx_port_end_describe(end, text);
    } else if (end.by_signal) {
        vx_text_format(text, "crashed (%s)", strsignal(end.code));
    } else {
        vx_text_format(text, "ended the program with status %d", end.code);
    }
}

/* What kept a library from being loaded. */
static void explain_load(vx_target *target, vx_text *why)
{
    vx_port_end end = vx_port_stop(&target->port, EXIT_GRACE);
    if (!end.by_signal && end.code == VX_EXIT_USAGE) {
        vx_text_add(why, "it could not be loaded"); /* serve refused it */
        return;
    }
    vx_text_add(why, "it ");
    describe_library_end(end, why);
    vx_text_add(why, " while it was loaded");
}

/* What kept the port from answering hello. */
static void explain_start(vx_target *target, vx_port_event event, double seconds, vx_text *why)
{
    bool ended = event == VX_PORT_ENDED || event == VX_PORT_TRUNCATED;
    if (ended && target->options->is_library) {
        explain_load(target, why);
    } else if (ended) {
        vx_text_add(why, "it ");
        vx_port_end_describe(vx_port_stop(&target->port, EXIT_GRACE), why);
        vx_text_add(why, " before it answered hello");
    } else if (event == VX_PORT_LATE) {
        vx_text_format(why, "it %s within %.3g s",
                       target->options->is_library ? "was not loaded" : "did not answer hello",
                       seconds);
    } else if (event == VX_PORT_STOPPED) {
        vx_text_add(why, "interrupted");
    } else {
        vx_text_format(why, "it answered hello with more than %zu bytes", HELLO_BYTES_MAX);
    }
}

static bool shake_hands(vx_target *target, vx_text *why)
{
    const vx_target_options *options = target->options;
    int64_t id = next_id(target);
    double seconds = VX_TARGET_START * options->timeout;
    vx_text_clear(&target->question);
    vx_hello_write(id, &target->question);
    vx_port_ask(&target->port, target->question.bytes, target->question.size);
    vx_port_event event = vx_port_wait(&target->port, vx_now() + seconds, HELLO_BYTES_MAX);
    if (event != VX_PORT_LINE) {
        explain_start(target, event, seconds, why);
        return false;
    }
    size_t size;
    const char *line = vx_port_line(&target->port, &size);
    return vx_hello_read(line, size, id, &target->identity, why);
}

/* An implementation in this process is in every chapter that has one of its name. */
static void introduce_implementation(vx_target *target)
{
    vx_identity *identity = &target->identity;
    vx_identity_free(identity);
    identity->name = vx_must_strdup(target->options->implementation);
    identity->version = vx_must_strdup(VX_VERSION);
    identity->language = vx_must_strdup("C");
    for (size_t i = 0; i < vx_chapter_count; i++) {
        if (vx_implementation_find(vx_chapters[i], identity->name) != NULL) {
            vx_identity_add_chapter(identity, vx_chapters[i]->name);
        }
    }
}

bool vx_target_start(vx_target *target, vx_text *why)
{
    target->asked_count = 0;
    if (target->options->command == NULL) {
        introduce_implementation(target);
        target->running = true;
        return true;
    }
    vx_port_options options = {.command = target->options->command,
                               .memory = target->options->memory,
                               .stop = target->options->stop};
    if (!vx_port_start(&target->port, &options, why)) {
        return false;
    }
    target->running = shake_hands(target, why);
    if (!target->running) {
        if (vx_port_running(&target->port)) {
            (void)vx_port_stop(&target->port, 0);
        }
        add_errors(target, why);
    }
    return target->running;
}

/* --- asking -------------------------------------------------------------------------------------
 */

static void remember(vx_target *target, int64_t id, size_t token)
{
    if (target->asked_count == target->asked_capacity) {
        target->asked_capacity = target->asked_capacity > 0 ? 2 * target->asked_capacity : 64;
        target->asked =
            vx_must_realloc(target->asked, target->asked_capacity, sizeof *target->asked);
    }
    target->asked[target->asked_count++] = (vx_asked){id, token};
}

/* Whose question bore the id; fallback when nobody's. */
static size_t owner(const vx_target *target, int64_t id, size_t fallback)
{
    for (size_t i = target->asked_count; i-- > 0;) {
        if (target->asked[i].id == id) {
            return target->asked[i].token;
        }
    }
    return fallback;
}

/* Runs the case in this process. */
static void ask_here(vx_target *target, const vx_case *item, vx_outcome *outcome)
{
    static const vx_run_options options = {.step_limit = SIZE_MAX};
    const vx_implementation *implementation =
        vx_implementation_find(item->chapter, target->options->implementation);
    double begin = vx_now();
    vx_status status = item->chapter->run(implementation->table, item->input, &options,
                                          &target->arena, &outcome->result);
    outcome->seconds = vx_now() - begin;
    outcome->answered = status == VX_OK;
    if (!outcome->answered) {
        vx_outcome_set(outcome, VX_FAULT);
        vx_text_format(&outcome->detail, "%s: %s", vx_status_name(status), outcome->result.message);
    }
}

/* Seconds that the reference takes, measured now. */
static double measure_reference(vx_target *target, const vx_case *item)
{
    vx_result result = {0};
    double begin = vx_now();
    (void)vx_reference_run(item, &target->arena, &result);
    double seconds = vx_now() - begin;
    vx_result_free(&result);
    return seconds;
}

/* Most bytes of an answer: 64 MiB, or, where an answer is expected, 4 times that with every number
 * at its widest plus 1 MiB. */
static size_t answer_limit(const vx_case *item)
{
    enum { NUMBER = 12, BRACKETS = 3, REST = 1024 };
    if (!item->has_expect) {
        return ANSWER_BYTES_MAX;
    }
    const vx_result_shape *shape = item->chapter->shape;
    size_t width = 0;
    for (size_t i = 0; i < shape->table_count; i++) {
        width = shape->tables[i].width > width ? shape->tables[i].width : width;
    }
    size_t row = width * NUMBER + BRACKETS;
    size_t rows = item->expect.kinds == 0 ? item->expect.result.rows : 0;
    if (rows >= ANSWER_BYTES_MAX / row) {
        return ANSWER_BYTES_MAX;
    }
    size_t limit = 4 * (rows * row + REST) + ((size_t)1 << 20);
    return limit < ANSWER_BYTES_MAX ? limit : ANSWER_BYTES_MAX;
}

/* Waits for the answer; the reference is measured only when the first deadline has passed. */
static vx_port_event wait_for_answer(vx_target *target, const vx_case *item, double factor,
                                     vx_outcome *outcome)
{
    double begin = vx_now();
    double seconds = target->options->timeout * factor;
    size_t limit = answer_limit(item);
    vx_port_event event = vx_port_wait(&target->port, begin + seconds, limit);
    if (event == VX_PORT_LATE) {
        double patience = REFERENCE_FACTOR * measure_reference(target, item) * factor;
        if (patience > seconds) {
            seconds = patience;
            event = vx_port_wait(&target->port, begin + seconds, limit);
        }
    }
    outcome->seconds = vx_now() - begin;
    if (event == VX_PORT_LATE) {
        vx_outcome_set(outcome, VX_HANG);
        vx_text_format(&outcome->detail, "no answer in %.3g s", seconds);
    } else if (event == VX_PORT_OVERSIZE) {
        vx_outcome_set(outcome, VX_OVERSIZE);
        vx_text_format(&outcome->detail, "more than %zu bytes of output came for an answer", limit);
    }
    return event;
}

/* The end of the output where an answer should be. */
static void explain_end(vx_target *target, vx_port_event event, vx_outcome *outcome)
{
    bool is_cut = event == VX_PORT_TRUNCATED;
    vx_outcome_set(outcome, is_cut ? VX_TRUNCATED : VX_CRASH);
    if (is_cut) {
        size_t size;
        const char *line = vx_port_line(&target->port, &size);
        vx_text_add(&outcome->detail, "the output ended inside the line ");
        vx_add_excerpt(&outcome->detail, line, size);
        vx_text_add(&outcome->detail, "; ");
    }
    vx_port_end end = vx_port_stop(&target->port, EXIT_GRACE);
    vx_text_format(&outcome->detail, "the %s ", vx_target_noun(target->options));
    if (target->options->is_library) {
        describe_library_end(end, &outcome->detail);
    } else {
        vx_text_add(&outcome->detail, is_cut ? "" : "closed its output: it ");
        vx_port_end_describe(end, &outcome->detail);
    }
}

static void ask_port(vx_target *target, const vx_case *item, size_t token, double factor,
                     vx_outcome *outcome)
{
    int64_t id = next_id(target);
    vx_text_clear(&target->question);
    vx_text_add(&target->question, "{\"id\":");
    vx_text_add_integer(&target->question, id);
    vx_text_add(&target->question, ",\"op\":\"run\",\"case\":");
    vx_case_write_question(item, &target->question);
    vx_text_add(&target->question, "}\n");
    remember(target, id, token);
    vx_port_ask(&target->port, target->question.bytes, target->question.size);
    vx_port_event event = wait_for_answer(target, item, factor, outcome);
    if (event == VX_PORT_STOPPED) {
        vx_outcome_set(outcome, VX_NOT_RUN);
        vx_text_add(&outcome->detail, "interrupted");
    } else if (event == VX_PORT_ENDED || event == VX_PORT_TRUNCATED) {
        explain_end(target, event, outcome);
    } else if (event == VX_PORT_LINE) {
        size_t size;
        const char *line = vx_port_line(&target->port, &size);
        vx_answer_read(line, size, id, item->chapter->shape, outcome);
        if (!outcome->answered && outcome->verdict == VX_DESYNC) {
            outcome->charged = owner(target, outcome->id, token);
        }
    }
}

/* Whether question and answer still alternate after an outcome. */
static bool in_step(const vx_outcome *outcome)
{
    if (outcome->answered) {
        return true;
    }
    switch (outcome->verdict) {
    case VX_FAIL:
    case VX_SKIP:
    case VX_FAULT:
    case VX_NONCANONICAL:
        return true;
    default:
        return false;
    }
}

void vx_target_ask(vx_target *target, const vx_case *item, size_t token, double factor,
                   vx_outcome *outcome)
{
    vx_outcome_free(outcome);
    outcome->charged = token;
    if (target->options->command == NULL) {
        ask_here(target, item, outcome);
        return;
    }
    ask_port(target, item, token, factor, outcome);
    if (!in_step(outcome)) {
        target->running = false;
        if (vx_port_running(&target->port)) {
            (void)vx_port_stop(&target->port, 0);
        }
    }
}

vx_exit vx_target_answer(vx_target *target, const vx_case *item, vx_result *result, vx_text *why)
{
    vx_outcome outcome = {0};
    vx_exit status = VX_EXIT_PASS;
    vx_target_ask(target, item, 0, 1.0, &outcome);
    if (outcome.answered) {
        *result = outcome.result;
        outcome.result = (vx_result){0};
    } else {
        status =
            vx_verdict_is_failure(outcome.verdict) ? VX_EXIT_NOT_CONFORMANT : VX_EXIT_INCOMPLETE;
        vx_text_format(why, "%s: ", vx_verdict_name(outcome.verdict));
        vx_add_printable(why, vx_text_string(&outcome.detail), outcome.detail.size);
    }
    vx_outcome_free(&outcome);
    return status;
}

const char *vx_target_errors(const vx_target *target, size_t *size)
{
    return vx_port_errors(&target->port, size);
}

void vx_target_tell_errors(const vx_target *target)
{
    size_t size;
    const char *errors = vx_target_errors(target, &size);
    if (size > 0) {
        vx_text text = {0};
        vx_add_port_errors(&text, errors);
        (void)fputs(vx_text_string(&text), stderr);
        vx_text_free(&text);
    }
}

/* --- finishing ----------------------------------------------------------------------------------
 */

/* Output after the last answer: nobody asked for it. */
static bool explain_surplus(const vx_target *target, vx_outcome *outcome)
{
    size_t size;
    const char *line = vx_port_line(&target->port, &size);
    if (target->asked_count == 0) {
        vx_outcome_set(outcome, VX_PASS);
        vx_text_add(&outcome->detail, "it wrote a line that nobody asked for: ");
        vx_add_excerpt(&outcome->detail, line, size);
        return false;
    }
    size_t last = target->asked[target->asked_count - 1].token;
    vx_answer_read(line, size, 0, NULL, outcome);
    outcome->charged = owner(target, outcome->id, last);
    return false;
}

bool vx_target_finish(vx_target *target, vx_outcome *outcome)
{
    bool good = true;
    vx_outcome_free(outcome);
    target->running = false;
    if (target->options->command == NULL) {
        return good;
    }
    double seconds = target->options->timeout;
    vx_text_clear(&target->question);
    vx_text_format(&target->question, "{\"id\":%lld,\"op\":\"bye\"}\n", (long long)next_id(target));
    vx_port_ask(&target->port, target->question.bytes, target->question.size);
    vx_port_close_input(&target->port);
    vx_port_event event = vx_port_wait(&target->port, vx_now() + seconds, HELLO_BYTES_MAX);
    if (event != VX_PORT_ENDED && event != VX_PORT_LATE && event != VX_PORT_STOPPED) {
        good = explain_surplus(target, outcome);
    }
    vx_port_end end = vx_port_stop(&target->port, event == VX_PORT_LATE ? 0 : EXIT_GRACE);
    bool odd = end.killed || end.by_signal || end.code != 0;
    if (good && odd && event != VX_PORT_STOPPED) {
        vx_outcome_set(outcome, VX_PASS);
        vx_text_add(&outcome->detail, "after bye it ");
        vx_port_end_describe(end, &outcome->detail);
        good = false;
    }
    return good;
}
