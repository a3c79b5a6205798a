/* SPDX-License-Identifier: MIT */
/* Finds an implementation by name, or loads one. */
#include "implementation.h"

#include <dlfcn.h>
#include <stdint.h>
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
