/* SPDX-License-Identifier: MIT */
/* Finds an implementation by name, or loads one. */
#include "implementation.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "text.h"
#include "watch.h"

static const void *open_library(const vx_chapter *chapter, const char *path)
{
    struct stat found;
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode)) {
        (void)vx_complain(VX_EXIT_NO_PORT, "%s: a regular file is needed", path);
        return NULL; /* dlopen would wait for whoever writes to a pipe */
    }
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

const void *vx_implementation_open_watched(const vx_chapter *chapter, const char *name,
                                           const char *library)
{
    if (library != NULL) {
        vx_watch_library(library);
    }
    return vx_implementation_open(chapter, name, library);
}
