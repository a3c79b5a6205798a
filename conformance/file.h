/* SPDX-License-Identifier: MIT */
/* Whole files: reading one into memory, and writing one so that it is there whole or not at all. */
#ifndef VX_FILE_H
#define VX_FILE_H

#include <stddef.h>

#include "text.h"
#include "voxcert/status.h"

/* What messages call a file: its path or, of a long one, the end. */
const char *vx_file_label(const char *path);

/* The size of a regular file of at most `most` bytes; anything else is an error. */
VX_NODISCARD vx_status vx_file_size(const char *path, size_t most, size_t *size, vx_error *error);

/* Appends the whole of a regular file of at most `most` bytes. */
VX_NODISCARD vx_status vx_file_read(const char *path, size_t most, vx_text *text, vx_error *error);

/* Writes the bytes to a temporary file beside path and renames it, so that a failure leaves what
 * was there. What exists and is no regular file (a pipe, a device) is written to as it is. */
VX_NODISCARD vx_status vx_file_write(const char *path, const void *bytes, size_t size,
                                     vx_error *error);

#endif
