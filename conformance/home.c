/* SPDX-License-Identifier: MIT */
/* Where the program and the data that belong to it lie: both are found from the program's path. */
#include "home.h"

#include <libgen.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "text.h"

char *vx_home_program(void)
{
    char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size <= 0) {
        return vx_must_strdup("voxcert");
    }
    path[size] = '\0';
    return vx_must_strdup(path);
}

/* The absolute path of FOLDER/PLACE/NAME, NULL when there is no such thing. */
static char *find(const char *folder, const char *place, const char *name)
{
    vx_text path = {0};
    vx_text_format(&path, "%s/%s/%s", folder, place, name);
    char *found = realpath(vx_text_string(&path), NULL);
    vx_text_free(&path);
    return found;
}

char *vx_home_data(const char *name)
{
    const char *given = getenv("VOXCERT_DATA");
    if (given != NULL && given[0] != '\0') {
        return find(given, ".", name);
    }
    /* From build/, build/CC-MODE/, build/CC-MODE/tests/ and PREFIX/bin/. */
    static const char *const places[] = {"../conformance", "../../conformance",
                                         "../../../conformance", "../share/voxcert"};
    char *program = vx_home_program();
    const char *folder = dirname(program);
    char *found = NULL;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && found == NULL; i++) {
        found = find(folder, places[i], name);
    }
    free(program);
    return found;
}
