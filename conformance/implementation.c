/* SPDX-License-Identifier: MIT */
/* Finds an implementation by name, or loads one. */
#include "implementation.h"

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "text.h"

/* A library that ends the process must not make it look as if all had gone well. */
static void look_at_exit(int status, void *path)
{
    if (status == 0 && vx_cli_is_running()) {
        (void)vx_complain(VX_EXIT_NOT_CONFORMANT, "%s: the library ended the program",
                          (const char *)path);
        _exit(VX_EXIT_NOT_CONFORMANT);
    }
}

/* What is said of a library that crashes, as it is said in a signal handler. */
static char crash[512];
static size_t crash_size;

static void tell_crash(int signal)
{
    ssize_t written = write(STDERR_FILENO, crash, crash_size);
    (void)written;
    (void)raise(signal);
}

/* Has a crash told before it ends the program. Handlers that are there, a sanitizer's, stay. */
static void watch_crashes(const char *path)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static _Alignas(max_align_t) char stack[1 << 16]; /* the library may have used up its own */
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    (void)sigaltstack(&other, NULL);
    int size =
        snprintf(crash, sizeof crash,
                 "voxcert: %.400s: the library crashed; certify --lib names the case\n", path);
    crash_size = (size_t)size;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction before;
        const struct sigaction action = {.sa_handler = tell_crash,
                                         .sa_flags = (int)SA_RESETHAND | SA_NODEFER | SA_ONSTACK};
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
            (void)sigaction(signals[i], &action, NULL);
        }
    }
}

static const void *open_library(const vx_chapter *chapter, const char *path)
{
    /* Without a slash dlopen would look in the system's directories, not here. */
    vx_text name = {0};
    vx_text_add(&name, strchr(path, '/') == NULL ? "./" : "");
    vx_text_add(&name, path);
    void *library = dlopen(vx_text_string(&name), RTLD_NOW | RTLD_LOCAL);
    vx_text_free(&name);
    if (library == NULL) {
        (void)vx_complain(VX_EXIT_NO_PORT, "%s: %s", path, dlerror());
        return NULL;
    }
    vx_problem problem = {0};
    const void *table = chapter->load(library, &problem);
    if (table == NULL) {
        (void)vx_complain(VX_EXIT_NO_PORT, "%s: %s", path, vx_problem_reason(&problem));
    } else if (on_exit(look_at_exit, (void *)(uintptr_t)path) != 0) {
        exit((int)vx_complain(VX_EXIT_INTERNAL, "out of memory"));
    } else {
        watch_crashes(path);
    }
    return table;
}

const void *vx_implementation_open(const vx_chapter *chapter, const char *name, const char *library)
{
    if (library != NULL) {
        return open_library(chapter, library);
    }
    const vx_implementation *found = vx_implementation_find(chapter, name);
    if (found != NULL) {
        return found->table;
    }
    vx_text names = {0};
    for (size_t i = 0; i < chapter->implementation_count; i++) {
        vx_text_add(&names, i > 0 ? ", " : "");
        vx_text_add(&names, chapter->implementations[i].name);
    }
    (void)vx_complain(VX_EXIT_USAGE, "no implementation of %s is called %s; there is %s",
                      chapter->name, name, vx_text_string(&names));
    vx_text_free(&names);
    return NULL;
}
