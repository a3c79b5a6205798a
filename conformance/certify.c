/* SPDX-License-Identifier: MIT */
/* Judges cases against a target: which question is asked when, and what its outcomes amount to. */
#include "certify.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "clock.h"
#include "progress.h"
#include "random.h"
#include "words.h"

/* What the workers share. */
typedef struct certify_run {
    const vx_certify_options *options;
    const vx_selection *cases;
    vx_results *results;
    pthread_mutex_t mutex; /* of what follows */
    vx_results_file *file; /* NULL: none, or it cannot be written any more */
    bool broken;           /* the file could not be written */
    size_t next;           /* the first case that nobody has taken */
    size_t restarts;       /* that are left */
    size_t done, failed;   /* for the progress line */
    size_t expected;       /* cases to be judged, for the same */
    vx_text reason;        /* why a worker gave up: the first such reason */
    vx_progress progress;
} certify_run;

typedef struct certify_worker {
    certify_run *run;
    vx_target *target;
    vx_target own; /* where target points in all workers but the first */
    bool started;  /* the next start is a restart */
    bool threaded;
    pthread_t thread;
} certify_worker;

static bool stopped(const certify_run *run)
{
    const volatile sig_atomic_t *stop = run->options->target.stop;
    return stop != NULL && *stop != 0;
}

/* --- records ------------------------------------------------------------------------------------
 */

void vx_certify_prepare(const vx_selection *cases, vx_results *results)
{
    results->count = cases->count;
    results->records = vx_must_alloc(cases->count, sizeof *results->records);
    for (size_t i = 0; i < cases->count; i++) {
        const vx_case *item = cases->items[i];
        vx_record *record = &results->records[i];
        *record = (vx_record){.name = vx_must_strdup(item->name),
                              .clauses = vx_must_alloc(item->clause_count, sizeof(char *)),
                              .clause_count = item->clause_count,
                              .item = item,
                              .verdict = VX_NOT_RUN};
        for (size_t k = 0; k < item->clause_count; k++) {
            record->clauses[k] = vx_must_strdup(item->clauses[k]);
        }
    }
}

static void set_string(char **string, const char *value)
{
    free(*string);
    *string = value != NULL && value[0] != '\0' ? vx_must_strdup(value) : NULL;
}

/* Writes the record down. The mutex is held. */
static void publish(certify_run *run, size_t index)
{
    vx_record *record = &run->results->records[index];
    if (vx_verdict_is_failure(record->verdict)) {
        set_string(&record->note, run->cases->items[index]->note);
    }
    if (run->file != NULL && !vx_results_write(run->file, record)) {
        run->file = NULL;
        run->broken = true;
        vx_text_clear(&run->reason);
        vx_text_add(&run->reason, "the results file could not be written");
    }
    if (run->options->verbose) {
        printf("%-12s %s\n", vx_verdict_name(record->verdict), record->name);
    }
}

/* A case is judged. */
static void complete(certify_run *run, size_t index)
{
    const vx_record *record = &run->results->records[index];
    (void)pthread_mutex_lock(&run->mutex);
    run->done++;
    run->failed += vx_verdict_is_failure(record->verdict) ? 1 : 0;
    publish(run, index);
    vx_progress_set(&run->progress, run->done, run->failed);
    (void)pthread_mutex_unlock(&run->mutex);
}

/* Corrects the record of a case that seemed well when it was judged. */
static void amend(certify_run *run, const vx_outcome *outcome)
{
    vx_record *record = &run->results->records[outcome->charged];
    if (vx_verdict_is_failure(record->verdict)) {
        return;
    }
    record->verdict = outcome->verdict;
    set_string(&record->detail, vx_text_string(&outcome->detail));
    (void)pthread_mutex_lock(&run->mutex);
    run->failed++;
    publish(run, outcome->charged);
    (void)pthread_mutex_unlock(&run->mutex);
}

/* Remembers why cases will stay undone, or what else was odd. */
static void give_reason(certify_run *run, const char *reason)
{
    (void)pthread_mutex_lock(&run->mutex);
    if (run->reason.size == 0) {
        vx_text_add(&run->reason, reason);
    }
    (void)pthread_mutex_unlock(&run->mutex);
}

static void give_note(certify_run *run, const char *note)
{
    bool known = false;
    (void)pthread_mutex_lock(&run->mutex);
    for (size_t i = 0; i < run->results->note_count; i++) {
        known = known || strcmp(run->results->notes[i], note) == 0;
    }
    if (!known) {
        vx_results_add_note(run->results, note);
    }
    (void)pthread_mutex_unlock(&run->mutex);
}

/* --- asking -------------------------------------------------------------------------------------
 */

static bool take_restart(certify_run *run)
{
    (void)pthread_mutex_lock(&run->mutex);
    bool left = run->restarts > 0;
    run->restarts -= left ? 1 : 0;
    (void)pthread_mutex_unlock(&run->mutex);
    if (!left) {
        vx_text reason = {0};
        vx_text_format(&reason, "the %s had to be started again ",
                       vx_target_noun(&run->options->target));
        vx_add_counted(&reason, run->options->restarts, "time");
        vx_text_add(&reason, "; --max-restarts N allows more");
        give_reason(run, vx_text_string(&reason));
        vx_text_free(&reason);
    }
    return left;
}

static bool ensure_running(certify_worker *worker)
{
    if (worker->target->running) {
        return true;
    }
    if (worker->started && !take_restart(worker->run)) {
        return false;
    }
    vx_text why = {0};
    worker->started = true;
    if (!vx_target_start(worker->target, &why)) {
        vx_text reason = {0};
        vx_text_format(&reason, "the %s did not start: %s", vx_target_noun(worker->target->options),
                       vx_text_string(&why));
        give_reason(worker->run, vx_text_string(&reason));
        vx_text_free(&reason);
    }
    vx_text_free(&why);
    return worker->target->running;
}

/* Asks until the outcome is about this case. False when it cannot be asked, or was interrupted. */
static bool ask(certify_worker *worker, size_t index, double factor, vx_outcome *outcome)
{
    const vx_case *item = worker->run->cases->items[index];
    while (!stopped(worker->run) && ensure_running(worker)) {
        vx_target_ask(worker->target, item, index, factor, outcome);
        if (outcome->charged == index) {
            return outcome->answered || outcome->verdict != VX_NOT_RUN;
        }
        amend(worker->run, outcome);
    }
    return false;
}

/* Asks; a silent case is believed to hang only when it is silent again, alone and with more time.
 * What was answered alone has a detail that says so. False when the case could not be asked, or not
 * alone. */
static bool ask_patiently(certify_worker *worker, size_t index, vx_outcome *outcome)
{
    if (!ask(worker, index, 1, outcome)) {
        return false;
    }
    if (outcome->answered || outcome->verdict != VX_HANG) {
        return true;
    }
    vx_text detail = {0};
    vx_outcome alone = {0};
    bool asked = ask(worker, index, VX_ALONE_FACTOR, &alone);
    vx_text_format(&detail, "%s; alone: ", vx_text_string(&outcome->detail));
    if (alone.answered) {
        vx_text_format(&detail, "answered after %.3g s", alone.seconds);
    } else {
        vx_text_add(&detail, asked ? vx_text_string(&alone.detail) : "not tried any more");
    }
    vx_outcome_free(outcome);
    *outcome = alone;
    vx_text_free(&outcome->detail);
    outcome->detail = detail;
    return asked;
}

/* --- judging ------------------------------------------------------------------------------------
 */

/* The verdict that one outcome gives by itself. */
static void settle(const certify_worker *worker, size_t index, const vx_outcome *outcome)
{
    const vx_case *item = worker->run->cases->items[index];
    vx_record *record = &worker->run->results->records[index];
    vx_text difference = {0};
    record->verdict = outcome->verdict;
    if (outcome->answered) {
        bool same =
            vx_result_matches(item->chapter->shape, &item->expect, &outcome->result, &difference);
        record->verdict = same ? VX_PASS : VX_FAIL;
    }
    record->milliseconds = outcome->seconds * 1e3;
    set_string(&record->detail, vx_text_string(&outcome->detail));
    set_string(&record->difference, vx_text_string(&difference));
    if (vx_verdict_is_failure(record->verdict)) {
        size_t size;
        set_string(&record->errors, vx_target_errors(worker->target, &size));
    }
    vx_text_free(&difference);
}

/* Whether the case crashes by itself, or only after others. */
static void try_alone(certify_worker *worker, size_t index)
{
    const vx_case *item = worker->run->cases->items[index];
    vx_record *record = &worker->run->results->records[index];
    vx_outcome alone = {0};
    vx_text ignored = {0};
    if (ask(worker, index, VX_ALONE_FACTOR, &alone)) {
        record->stateful = alone.answered && vx_result_matches(item->chapter->shape, &item->expect,
                                                               &alone.result, &ignored);
    }
    vx_text_free(&ignored);
    vx_outcome_free(&alone);
}

/* What an outcome was, in a few words. */
static void describe(const vx_case *item, const vx_outcome *outcome, vx_text *text)
{
    if (!outcome->answered) {
        vx_text_format(text, "%s (%s)", vx_verdict_name(outcome->verdict),
                       vx_text_string(&outcome->detail));
    } else if (vx_result_matches(item->chapter->shape, &item->expect, &outcome->result, text)) {
        vx_text_add(text, "the expected answer");
    }
}

/* The same question once more must have the same outcome. */
static void ask_again(certify_worker *worker, size_t index, const vx_outcome *first)
{
    const vx_case *item = worker->run->cases->items[index];
    vx_record *record = &worker->run->results->records[index];
    vx_outcome second = {0};
    if (!ask_patiently(worker, index, &second) ||
        vx_outcome_same(item->chapter->shape, first, &second)) {
        goto done;
    }
    settle(worker, index, &second);
    if (record->verdict != VX_DESYNC) {
        vx_text detail = {0};
        vx_text_add(&detail, "first: ");
        describe(item, first, &detail);
        vx_text_add(&detail, "; asked again: ");
        describe(item, &second, &detail);
        record->verdict = VX_UNSTABLE;
        set_string(&record->detail, vx_text_string(&detail));
        set_string(&record->difference, NULL);
        vx_text_free(&detail);
    }
done:
    vx_outcome_free(&second);
}

/* One in VX_SAMPLE, the same ones in every run. */
static bool is_sampled(const char *name)
{
    vx_random random = vx_random_start(name, 0);
    return vx_random_chance(&random, 1, VX_SAMPLE);
}

/* Whether an answer is worth a second question. A process that is gone gives no answer twice. */
static bool is_doubtful(const vx_record *record)
{
    switch (record->verdict) {
    case VX_PASS:
        return is_sampled(record->name);
    case VX_FAIL:
    case VX_FAULT:
    case VX_NONCANONICAL:
        return true;
    default:
        return false;
    }
}

/* Judges one case. False when it stays not run. */
static bool judge(certify_worker *worker, size_t index)
{
    const vx_case *item = worker->run->cases->items[index];
    vx_record *record = &worker->run->results->records[index];
    vx_outcome outcome = {0};
    if (!vx_identity_has_chapter(&worker->target->identity, item->chapter->name)) {
        record->verdict = VX_SKIP;
        record->undeclared = true;
        vx_text reason = {0};
        vx_text_format(&reason, "the chapter is not among those that the %s declares",
                       vx_target_noun(worker->target->options));
        set_string(&record->detail, reason.bytes);
        vx_text_free(&reason);
        return true;
    }
    bool asked = ask_patiently(worker, index, &outcome);
    if (asked) {
        settle(worker, index, &outcome);
        if (record->verdict == VX_CRASH) {
            try_alone(worker, index);
        } else if (is_doubtful(record)) {
            ask_again(worker, index, &outcome);
        }
    } else {
        set_string(&record->detail, vx_text_string(&outcome.detail));
    }
    vx_outcome_free(&outcome);
    return asked;
}

/* --- the workers --------------------------------------------------------------------------------
 */

/* Whether a case is left that is not judged, which is then run->next. The mutex is held. */
static bool find_case(certify_run *run)
{
    while (run->next < run->cases->count &&
           run->results->records[run->next].verdict != VX_NOT_RUN) {
        run->next++;
    }
    return run->next < run->cases->count && !run->broken && !stopped(run);
}

/* Takes the next case once the target runs, so that no case is lost to a target that does not. */
static bool take_case(certify_worker *worker, size_t *index)
{
    certify_run *run = worker->run;
    (void)pthread_mutex_lock(&run->mutex);
    bool found = find_case(run);
    (void)pthread_mutex_unlock(&run->mutex);
    if (!found || !ensure_running(worker)) {
        return false;
    }
    (void)pthread_mutex_lock(&run->mutex);
    found = find_case(run);
    *index = run->next;
    run->next += found ? 1 : 0;
    (void)pthread_mutex_unlock(&run->mutex);
    return found;
}

static void *work(void *argument)
{
    certify_worker *worker = argument;
    certify_run *run = worker->run;
    size_t index;
    while (take_case(worker, &index) && judge(worker, index)) {
        complete(run, index);
    }
    if (worker->target->running) {
        vx_outcome outcome = {0};
        if (!vx_target_finish(worker->target, &outcome)) {
            if (vx_verdict_is_failure(outcome.verdict)) {
                amend(run, &outcome);
            } else {
                give_note(run, vx_text_string(&outcome.detail));
            }
        }
        vx_outcome_free(&outcome);
    }
    return NULL;
}

/* Runs all workers, the first one in this thread. */
static void run_workers(certify_run *run, vx_target *first)
{
    size_t count = run->options->jobs < run->expected ? run->options->jobs : run->expected;
    count = count > 0 ? count : 1;
    certify_worker *workers = vx_must_alloc(count, sizeof *workers);
    workers[0] = (certify_worker){.run = run, .target = first, .started = true};
    for (size_t i = 1; i < count; i++) {
        workers[i].run = run;
        workers[i].target = &workers[i].own;
        vx_target_init(&workers[i].own, &run->options->target);
        workers[i].threaded = pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
    }
    (void)work(&workers[0]);
    for (size_t i = 1; i < count; i++) {
        if (workers[i].threaded) {
            (void)pthread_join(workers[i].thread, NULL);
        }
        vx_target_free(&workers[i].own);
    }
    free(workers);
}

/* Says of every case that is left why it is. */
static void list_not_run(certify_run *run)
{
    vx_results *results = run->results;
    results->interrupted = stopped(run);
    const char *reason = results->interrupted ? "interrupted" : vx_text_string(&run->reason);
    for (size_t i = 0; i < results->count; i++) {
        vx_record *record = &results->records[i];
        if (record->verdict == VX_NOT_RUN) {
            if (record->detail == NULL) {
                set_string(&record->detail, reason);
            }
            publish(run, i);
        }
    }
}

bool vx_certify(const vx_certify_options *options, vx_target *first, const vx_selection *cases,
                vx_results *results, vx_results_file *file)
{
    certify_run run = {.options = options,
                       .cases = cases,
                       .results = results,
                       .mutex = PTHREAD_MUTEX_INITIALIZER,
                       .file = file,
                       .restarts = options->restarts,
                       .expected = vx_results_count(results, VX_NOT_RUN)};
    double begin = vx_now();
    vx_progress_begin(&run.progress, run.expected, options->progress && !options->verbose);
    run_workers(&run, first);
    vx_progress_end(&run.progress);
    list_not_run(&run);
    results->judged = run.done;
    results->seconds += vx_now() - begin;
    vx_text_free(&run.reason);
    (void)pthread_mutex_destroy(&run.mutex);
    return !run.broken;
}
