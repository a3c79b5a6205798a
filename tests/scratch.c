/* SPDX-License-Identifier: MIT */
/* For tests: a directory of the test's own. */
#include "scratch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

enum { PATHS_MAX = 64, SECONDS_MAX = 240 };

static char *directory;
static vx_text paths[PATHS_MAX];
static size_t path_count;

void scratch_open(void)
{
    test_deadline(SECONDS_MAX);
    directory = test_directory_new();
}

void scratch_close(void)
{
    while (path_count > 0) {
        vx_text_free(&paths[--path_count]);
    }
    test_directory_remove(directory);
    directory = NULL;
}

const char *scratch_path(const char *name)
{
    vx_text path = {0};
    vx_text_format(&path, "%s/%s", directory, name);
    for (size_t i = 0; i < path_count; i++) {
        if (strcmp(paths[i].bytes, path.bytes) == 0) {
            vx_text_free(&path);
            return paths[i].bytes;
        }
    }
    cr_assert_lt(path_count, PATHS_MAX);
    paths[path_count] = path;
    return paths[path_count++].bytes;
}

const char *scratch_write(const char *name, const char *content)
{
    free(test_file(directory, name, content, strlen(content)));
    return scratch_path(name);
}

vx_text scratch_read(const char *path)
{
    vx_text text = {0};
    char block[4096];
    size_t size;
    FILE *file = fopen(path, "re");
    cr_assert_not_null(file, "%s", path);
    while ((size = fread(block, 1, sizeof block, file)) > 0) {
        vx_text_add_bytes(&text, block, size);
    }
    (void)fclose(file);
    return text;
}
