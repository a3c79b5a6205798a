/* SPDX-License-Identifier: MIT */
/* A library can end its process in ways that no handler sees, and with the status of success. So
 * another process looks at how it ends. */
#include "watch.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

static bool *is_over; /* both processes see it; NULL: nobody watches */

void vx_watch_over(void)
{
    if (is_over != NULL) {
        *is_over = true;
    }
}

/* Whether somebody else wanted the end. */
static bool is_asked_for(int signal)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
    bool is_found = false;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        is_found = is_found || signals[i] == signal;
    }
    return is_found;
}

/* Ends this process as the other one ended. The kit itself ends one only where it says why. */
static void end_alike(const char *path, int state)
{
    if (WIFEXITED(state)) {
        int status = WEXITSTATUS(state);
        if (!*is_over && status != VX_EXIT_INTERNAL) {
            status =
                (int)vx_complain(VX_EXIT_NOT_CONFORMANT, "%s: the library ended the program", path);
        }
        exit(status);
    }
    int number = WTERMSIG(state);
    if (!is_asked_for(number)) {
        (void)vx_complain(VX_EXIT_NOT_CONFORMANT,
                          "%s: the library crashed (%s); certify --lib names the case", path,
                          strsignal(number));
    }
    const struct rlimit no_core = {0, 0}; /* the other one has left its own */
    (void)setrlimit(RLIMIT_CORE, &no_core);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
    exit(128 + number); /* the signal is blocked */
}

bool vx_watch_fork(void **memory, size_t size, int *state)
{
    void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    (void)fflush(NULL);
    pid_t parent = getpid();
    pid_t child = shared != MAP_FAILED ? fork() : -1;
    *memory = child < 0 ? NULL : shared;
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* it must not outlive who watches … */
        if (getppid() != parent) {
            _exit(VX_EXIT_INTERNAL); /* … who may be gone already */
        }
        return true;
    }
    while (child > 0 && waitpid(child, state, 0) < 0 && errno == EINTR) {
    }
    return false;
}

void vx_watch_library(const char *path)
{
    int state = 0;
    void *memory;
    if (is_over != NULL) {
        return;
    }
    bool is_watched = vx_watch_fork(&memory, sizeof *is_over, &state);
    if (memory == NULL) {
        exit((int)vx_complain(VX_EXIT_INTERNAL, "%s: %s", path, strerror(errno)));
    }
    is_over = memory;
    if (!is_watched) {
        end_alike(path, state);
    }
}
