/* SPDX-License-Identifier: MIT */
/* Whole files: reading one into memory, and writing one so that it is there whole or not at all. */
#ifndef VX_FILE_H
#define VX_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "text.h"
#include "voxcert/status.h"

/* What messages call a file: its path or, of a long one, the end. */
const char *vx_file_label(const char *path);

/* Whether both paths lead to one regular file: what is read from one must not be written to the
 * other. */
bool vx_file_same(const char *a, const char *b);

/* The size of a regular file of at most `most` bytes; anything else is an error. */
VX_NODISCARD vx_status vx_file_size(const char *path, size_t most, size_t *size, vx_error *error);

/* Appends the whole of a regular file of at most `most` bytes. */
VX_NODISCARD vx_status vx_file_read(const char *path, size_t most, vx_text *text, vx_error *error);

/* How the reading of a line went. */
typedef enum vx_line {
    VX_LINE_WHOLE,
    VX_LINE_CUT, /* the file ended in it */
    VX_LINE_END, /* there is none left */
    VX_LINE_LONG,
    VX_LINE_FAILED /* errno says why */
} vx_line;

/* Reads the next line, without its end and of at most `most` bytes, into the text. */
VX_NODISCARD vx_line vx_line_read(FILE *file, size_t most, vx_text *line);

/* Writes the bytes to a temporary file beside path and renames it, so that a failure leaves what
 * was there. What exists and is no regular file (a pipe, a device) is written to as it is. */
VX_NODISCARD vx_status vx_file_write(const char *path, const void *bytes, size_t size,
                                     vx_error *error);

#endif
