/* SPDX-License-Identifier: MIT */
/* Lines of a file of cases, read by several threads, with the outcome of one thread. */
#include "case_batch.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    FULL_BYTES = 1 << 22,   /* a batch of this size is worth its threads */
    THREAD_BYTES = 1 << 16, /* what a thread must have to read to be worth its start */
    THREADS_MAX = 32,
    GROUP = 8 /* lines that a thread takes at once */
};

/* What the threads share. */
typedef struct crew {
    vx_case_batch *batch;
    atomic_size_t next; /* line that nobody has taken yet */
} crew;

void vx_case_batch_add(vx_case_batch *batch, const char *bytes, size_t size)
{
    vx_text_add_bytes(&batch->text, bytes, size);
}

void vx_case_batch_end_line(vx_case_batch *batch)
{
    if (batch->count == batch->capacity) {
        batch->capacity = batch->capacity > 0 ? 2 * batch->capacity : 64;
        batch->lines = vx_must_realloc(batch->lines, batch->capacity, sizeof *batch->lines);
    }
    batch->lines[batch->count++] =
        (vx_case_line){.start = batch->open, .size = vx_case_batch_open_size(batch)};
    vx_text_add_char(&batch->text, '\0');
    batch->open = batch->text.size;
}

size_t vx_case_batch_open_size(const vx_case_batch *batch)
{
    return batch->text.size - batch->open;
}

bool vx_case_batch_is_full(const vx_case_batch *batch)
{
    return batch->open >= FULL_BYTES;
}

/* Whether the line starts an object and breaks off before its end, as in indented JSON. */
static bool breaks_off(const char *line, size_t size)
{
    size_t start = strspn(line, " \t\r");
    while (size > start && strchr(" \t\r", line[size - 1]) != NULL) {
        size--;
    }
    return line[start] == '{' && line[size - 1] != '}';
}

static bool read_line(const char *text, vx_case_line *line)
{
    vx_problem problem = {0};
    const char *bytes = text + line->start;
    if (line->size == 0) {
        (void)vx_problem_say(&problem, "an empty line");
    } else {
        line->is_read = vx_case_read(bytes, line->size, &line->item, &problem);
    }
    if (!line->is_read && line->size > 0 && breaks_off(bytes, line->size)) {
        problem = (vx_problem){0};
        (void)vx_problem_set(&problem, "not JSON: the object does not end in this line; one case "
                                       "per line is needed (JSON Lines)");
    }
    if (!line->is_read) {
        line->problem = vx_must_alloc(1, sizeof problem);
        *line->problem = problem;
    }
    return line->is_read;
}

/* Lines are taken in their order, so that all before a wrong one are read by somebody. */
static void *read_groups(void *argument)
{
    crew *shared = argument;
    vx_case_batch *batch = shared->batch;
    size_t first;
    while ((first = atomic_fetch_add(&shared->next, GROUP)) < batch->count) {
        for (size_t i = first; i < batch->count && i < first + GROUP; i++) {
            if (!read_line(batch->text.bytes, &batch->lines[i])) {
                atomic_store(&shared->next, batch->count);
                return NULL;
            }
        }
    }
    return NULL;
}

/* How many threads are worth their start. */
static size_t useful_threads(const vx_case_batch *batch)
{
    cpu_set_t processors;
    size_t count = batch->open / THREAD_BYTES;
    size_t most = THREADS_MAX;
    if (sched_getaffinity(0, sizeof processors, &processors) == 0) {
        size_t available = (size_t)CPU_COUNT(&processors);
        most = available < most ? available : most;
    }
    return count < most ? count : most;
}

void vx_case_batch_read(vx_case_batch *batch)
{
    crew shared = {.batch = batch};
    pthread_t threads[THREADS_MAX];
    size_t wanted = useful_threads(batch);
    size_t started = 0;
    /* This thread is one of them; where no other can be started it does all the work. */
    while (started + 1 < wanted &&
           pthread_create(&threads[started], NULL, read_groups, &shared) == 0) {
        started++;
    }
    (void)read_groups(&shared);
    for (size_t i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
}

void vx_case_batch_clear(vx_case_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->lines[i].is_read) {
            vx_case_free(&batch->lines[i].item);
        }
        free(batch->lines[i].problem);
    }
    batch->count = 0;
    vx_text_clear(&batch->text);
    batch->open = 0;
}

void vx_case_batch_free(vx_case_batch *batch)
{
    vx_case_batch_clear(batch);
    free(batch->lines);
    vx_text_free(&batch->text);
    *batch = (vx_case_batch){0};
}
