/* SPDX-License-Identifier: MIT */
/* Measuring happens in a process of its own, so that an implementation that crashes, loops or ends
 * the program is named. The place where that process is stands in memory that both see. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "watch.h"

enum { PART_MAX = 96 };

typedef struct watch {
    char who[VX_BENCH_NAME_MAX]; /* "": no implementation is running */
    char where[PART_MAX], what[PART_MAX];
    bool is_over; /* the command returned */
} watch;

static watch *shared; /* NULL: nobody watches */
static unsigned limit;

static void copy_part(char *to, size_t room, const char *from)
{
    size_t size = strnlen(from, room - 1);
    memcpy(to, from, size);
    to[size] = '\0';
}

void vx_bench_enter(const char *who, const char *where, const char *what)
{
    if (shared != NULL) {
        copy_part(shared->who, sizeof shared->who, who);
        copy_part(shared->where, sizeof shared->where, where);
        copy_part(shared->what, sizeof shared->what, what);
        (void)alarm(limit);
    }
}

void vx_bench_enter_part(const char *what)
{
    if (shared != NULL) {
        copy_part(shared->what, sizeof shared->what, what);
    }
}

void vx_bench_leave(void)
{
    if (shared != NULL) {
        (void)alarm(0);
        shared->who[0] = '\0';
    }
}

/* What became of the other process; the reason when its command did not return. */
static vx_exit describe_end(const watch *of, int state)
{
    vx_text text = {0};
    vx_exit status = of->who[0] != '\0' ? VX_EXIT_NOT_CONFORMANT : VX_EXIT_INTERNAL;
    if (of->is_over && WIFEXITED(state)) {
        return (vx_exit)WEXITSTATUS(state);
    }
    vx_bench_show("%s", "");
    if (of->who[0] != '\0') {
        vx_text_format(&text, "%s, %s, %s: ", of->who, of->where, of->what);
    }
    if (WIFEXITED(state)) {
        vx_text_format(&text, "the process ended with status %d", WEXITSTATUS(state));
    } else if (WTERMSIG(state) == SIGALRM) {
        vx_text_format(&text, "it takes more than %u s (--limit)", limit);
    } else {
        int number = WTERMSIG(state);
        bool is_asked = number == SIGINT || number == SIGTERM || number == SIGKILL;
        vx_text_format(&text, "the process got signal %d (%s)", number, strsignal(number));
        status = is_asked ? VX_EXIT_INTERNAL : status;
    }
    (void)vx_complain(status, "%s; there are no results", vx_text_string(&text));
    vx_text_free(&text);
    return status;
}

bool vx_bench_watch(unsigned seconds, vx_exit *status)
{
    int state = 0;
    void *memory;
    limit = seconds;
    bool is_watched = vx_watch_fork(&memory, sizeof *shared, &state);
    if (is_watched) {
        shared = memory;
        (void)signal(SIGALRM, SIG_DFL);
    } else if (memory == NULL) {
        *status = vx_complain(VX_EXIT_INTERNAL, "%s", strerror(errno));
    } else {
        *status = describe_end(memory, state);
        (void)munmap(memory, sizeof *shared);
    }
    return is_watched;
}

void vx_bench_watch_end(void)
{
    vx_bench_leave();
    shared->is_over = true;
}
