/* SPDX-License-Identifier: MIT */
/* The folder of the results: it is tried before anything is measured, and holds the results of the
 * last run or none. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "file.h"

static void add_path(const char *folder, const char *name, vx_text *path)
{
    vx_text_format(path, "%s/%s", folder, name);
}

/* 0, or why not so many bytes can be written to a new file in the folder. */
static int try_folder(const char *folder)
{
    enum { BYTES = 1 << 20 }; /* more than all results of a run together */
    vx_text path = {0};
    add_path(folder, "bench.XXXXXX", &path);
    int file = mkostemp(path.bytes, O_CLOEXEC);
    int problem = file < 0 ? errno : posix_fallocate(file, 0, BYTES);
    if (file >= 0) {
        (void)close(file);
        (void)unlink(path.bytes);
    }
    vx_text_free(&path);
    return problem;
}

/* 0, or why the folder is none or cannot be made. */
static int make_folder(const char *folder)
{
    struct stat found;
    if (mkdir(folder, 0777) == 0) {
        return 0;
    }
    if (errno != EEXIST || stat(folder, &found) != 0) {
        return errno;
    }
    return S_ISDIR(found.st_mode) ? 0 : ENOTDIR;
}

bool vx_bench_results_prepare(const char *folder, const char *const *names, size_t count)
{
    int problem = make_folder(folder);
    problem = problem != 0 ? problem : try_folder(folder);
    if (problem != 0) {
        (void)vx_complain(VX_EXIT_USAGE, "--out %s: %s", folder, strerror(problem));
        return false;
    }
    return vx_bench_results_remove(folder, names, count);
}

bool vx_bench_results_remove(const char *folder, const char *const *names, size_t count)
{
    vx_text path = {0};
    bool is_gone = true;
    for (size_t i = 0; i < count && is_gone; i++) {
        vx_text_clear(&path);
        add_path(folder, names[i], &path);
        is_gone = unlink(path.bytes) == 0 || errno == ENOENT;
        if (!is_gone) {
            (void)vx_complain(VX_EXIT_USAGE, "--out %s: %s is in the way: %s", folder, names[i],
                              strerror(errno));
        }
    }
    vx_text_free(&path);
    return is_gone;
}

bool vx_bench_results_write(const char *folder, const char *name, const vx_text *text)
{
    vx_text path = {0};
    vx_error error = {0};
    add_path(folder, name, &path);
    vx_status status = vx_file_write(path.bytes, text->bytes, text->size, &error);
    vx_text_free(&path);
    if (status != VX_OK) {
        (void)vx_complain(VX_EXIT_INTERNAL, "%s", error.message);
    }
    return status == VX_OK;
}
