/* SPDX-License-Identifier: MIT */
/* Whole files: reading one into memory, and writing one so that it is there whole or not at all. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LABEL_MAX = 64 };

const char *vx_file_label(const char *path)
{
    size_t size = strlen(path);
    const char *label = size > LABEL_MAX ? path + size - LABEL_MAX : path;
    while ((*label & 0xc0) == 0x80) {
        label++; /* not in the middle of a character */
    }
    return label;
}

bool vx_file_same(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && S_ISREG(one.st_mode) &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static vx_status check_size(const char *path, const struct stat *found, size_t most, size_t *size,
                            vx_error *error)
{
    if (!S_ISREG(found->st_mode)) {
        return vx_fail(error, VX_ARGUMENT, "%s: a regular file is needed", vx_file_label(path));
    }
    if ((uintmax_t)found->st_size > most) {
        return vx_fail(error, VX_OUT_OF_RANGE, "%s: %jd bytes are more than %zu",
                       vx_file_label(path), (intmax_t)found->st_size, most);
    }
    *size = (size_t)found->st_size;
    return VX_OK;
}

vx_status vx_file_size(const char *path, size_t most, size_t *size, vx_error *error)
{
    struct stat found;
    if (stat(path, &found) != 0) {
        return vx_fail(error, VX_ARGUMENT, "%s: %s", vx_file_label(path), strerror(errno));
    }
    return check_size(path, &found, most, size, error);
}

vx_status vx_file_read(const char *path, size_t most, vx_text *text, vx_error *error)
{
    struct stat found;
    size_t size = 0;
    vx_status status = VX_OK;
    char block[65536];
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || fstat(file, &found) != 0) {
        status = vx_fail(error, VX_ARGUMENT, "%s: %s", vx_file_label(path), strerror(errno));
        goto done;
    }
    status = check_size(path, &found, most, &size, error);
    while (status == VX_OK) {
        ssize_t got = read(file, block, sizeof block);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            status = vx_fail(error, VX_ARGUMENT, "%s: %s", vx_file_label(path), strerror(errno));
        } else if (got > 0 && text->size + (size_t)got > most) {
            status = vx_fail(error, VX_OUT_OF_RANGE, "%s: more than %zu bytes", vx_file_label(path),
                             most);
        } else if (got > 0) {
            vx_text_add_bytes(text, block, (size_t)got);
        }
    }
done:
    if (file >= 0) {
        (void)close(file);
    }
    return status;
}

vx_line vx_line_read(FILE *file, size_t most, vx_text *line)
{
    char block[4096];
    size_t filled = 0;
    int byte = 0;
    vx_text_clear(line);
    while (line->size + filled <= most && (byte = getc_unlocked(file)) != EOF && byte != '\n') {
        block[filled++] = (char)byte;
        if (filled == sizeof block) {
            vx_text_add_bytes(line, block, filled);
            filled = 0;
        }
    }
    vx_text_add_bytes(line, block, filled);
    if (line->size > most) {
        return VX_LINE_LONG;
    }
    if (byte == EOF) {
        return ferror(file) ? VX_LINE_FAILED : line->size > 0 ? VX_LINE_CUT : VX_LINE_END;
    }
    return VX_LINE_WHOLE;
}

static bool write_all(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done = write(file, bytes, size);
        if (done < 0 && errno != EINTR) {
            return false;
        }
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        }
    }
    return true;
}

/* The permissions that a new file gets from open. */
static mode_t new_file_mode(void)
{
    mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

vx_status vx_file_write(const char *path, const void *bytes, size_t size, vx_error *error)
{
    struct stat there;
    bool exists = stat(path, &there) == 0;
    bool direct = exists && !S_ISREG(there.st_mode);
    char *target = exists && !direct ? realpath(path, NULL) : vx_must_strdup(path);
    vx_text temporary = {0};
    vx_status status = VX_OK;
    int file = -1;
    if (target == NULL) {
        goto failed;
    }
    if (direct) {
        file = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        vx_text_format(&temporary, "%s.XXXXXX", target);
        file = mkostemp(temporary.bytes, O_CLOEXEC);
    }
    if (file < 0 || !write_all(file, bytes, size)) {
        goto failed;
    }
    if (!direct && (fchmod(file, exists ? there.st_mode & 07777 : new_file_mode()) != 0 ||
                    rename(temporary.bytes, target) != 0)) {
        goto failed;
    }
    goto done;
failed:
    status = vx_fail(error, VX_ARGUMENT, "%s: %s", vx_file_label(path), strerror(errno));
    if (!direct && file >= 0) {
        (void)unlink(temporary.bytes);
    }
done:
    if (file >= 0) {
        (void)close(file);
    }
    vx_text_free(&temporary);
    free(target);
    return status;
}
