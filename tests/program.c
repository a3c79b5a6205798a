/* SPDX-License-Identifier: MIT */
/* For tests: programs that are run to their end, and files that are gone afterwards. */
#include "program.h"

#include <criterion/criterion.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void test_run_free(test_run *run)
{
    vx_text_free(&run->out);
    vx_text_free(&run->err);
    *run = (test_run){0};
}

static void read_back(FILE *file, vx_text *text)
{
    char block[4096];
    size_t size;
    rewind(file);
    while ((size = fread(block, 1, sizeof block, file)) > 0) {
        vx_text_add_bytes(text, block, size);
    }
    (void)fclose(file);
}

/* In the child: never returns. */
static void become(const char *directory, const char *const *arguments, FILE *const streams[3])
{
    bool ready = directory == NULL || chdir(directory) == 0;
    for (int i = 0; i < 3; i++) {
        ready = dup2(fileno(streams[i]), i) == i && ready;
    }
    if (ready) {
        (void)execvp(arguments[0], (char *const *)(uintptr_t)arguments);
    }
    _exit(127);
}

void test_run_program(test_run *run, const char *directory, const char *const *arguments,
                      const char *input)
{
    FILE *streams[3] = {tmpfile(), tmpfile(), tmpfile()};
    test_run_free(run);
    (void)fputs(input, streams[0]);
    rewind(streams[0]);
    pid_t child = fork();
    if (child == 0) {
        become(directory, arguments, streams);
    }
    int status = 0;
    cr_assert(child > 0 && waitpid(child, &status, 0) == child);
    run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    (void)fclose(streams[0]);
    read_back(streams[1], &run->out);
    read_back(streams[2], &run->err);
}

const char *test_voxcert(void)
{
    static char path[PATH_MAX];
    const char *given = getenv("VOXCERT");
    cr_assert_not_null(realpath(given != NULL ? given : "build/voxcert", path),
                       "VOXCERT must name the program");
    return path;
}

void test_run_voxcert(test_run *run, const char *words, const char *input)
{
    enum { MOST = 32 };
    const char *arguments[MOST] = {test_voxcert()};
    char *copy = vx_must_strdup(words);
    char *rest = copy;
    size_t count = 1;
    for (char *word = strsep(&rest, " "); word != NULL; word = strsep(&rest, " ")) {
        cr_assert_lt(count, MOST - 1);
        if (word[0] != '\0') {
            arguments[count++] = word;
        }
    }
    test_run_program(run, NULL, arguments, input);
    free(copy);
}

void test_expect_part(const vx_text *text, const char *part)
{
    cr_expect_not_null(strstr(vx_text_string(text), part), "\"%s\" is not in: %s", part,
                       vx_text_string(text));
}

#if defined(__clang__)
#define LIBRARY_CC "clang"
#if __has_feature(address_sanitizer)
#define LIBRARY_FLAGS "-fsanitize=address"
#endif
#else
#define LIBRARY_CC "gcc"
#if defined(__SANITIZE_ADDRESS__)
#define LIBRARY_FLAGS "-fsanitize=address"
#endif
#endif
#ifndef LIBRARY_FLAGS
#define LIBRARY_FLAGS ""
#endif

void test_build_library(const char *source, const char *flags, const char *library)
{
    test_run run = {0};
    vx_text command = {0};
    vx_text_format(&command,
                   LIBRARY_CC
                   " " LIBRARY_FLAGS
                   " %s -O1 -std=c17 -ffp-contract=off -shared -fPIC -Iinclude -o '%s' '%s' "
                   "ref/*/*.c common/*.c -lm",
                   flags, library, source);
    test_run_program(&run, NULL, (const char *const[]){"sh", "-c", command.bytes, NULL}, "");
    cr_assert_eq(run.status, 0, "%s", vx_text_string(&run.err));
    vx_text_free(&command);
    test_run_free(&run);
}

void test_deadline(unsigned seconds)
{
    (void)alarm(seconds);
}

static struct {
    FILE *real;
    char *text;
    size_t size;
} caught;

void test_catch_errors(void)
{
    caught.real = stderr;
    stderr = open_memstream(&caught.text, &caught.size);
    cr_assert_not_null(stderr);
}

char *test_caught_errors(void)
{
    (void)fclose(stderr);
    stderr = caught.real;
    return caught.text;
}

char *test_directory_new(void)
{
    char path[] = "/tmp/voxcert-test-XXXXXX";
    cr_assert_not_null(mkdtemp(path));
    return vx_must_strdup(path);
}

void test_directory_remove(char *path)
{
    char *roots[] = {path, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    const FTSENT *entry;
    while (tree != NULL && (entry = fts_read(tree)) != NULL) {
        if (entry->fts_info != FTS_D) {
            cr_assert_eq(remove(entry->fts_path), 0);
        }
    }
    (void)fts_close(tree);
    free(path);
}

char *test_file(const char *directory, const char *name, const void *bytes, size_t size)
{
    vx_text path = {0};
    vx_text_format(&path, "%s/%s", directory, name);
    for (char *slash = strchr(path.bytes + strlen(directory) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path.bytes, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path.bytes, "w");
    cr_assert_not_null(file, "%s", path.bytes);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
    return path.bytes;
}
