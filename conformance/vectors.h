/* SPDX-License-Identifier: MIT */
/* The actions of voxcert vectors: each takes the command's arguments, whose first operand is the
 * action's name, and does all that is needed. */
#ifndef VX_VECTORS_H
#define VX_VECTORS_H

#include <jansson.h>
#include <stdbool.h>

#include "case.h"
#include "cli.h"

vx_exit vx_vectors_list(const vx_arguments *arguments);
vx_exit vx_vectors_fill(const vx_arguments *arguments);
vx_exit vx_vectors_check(const vx_arguments *arguments);
vx_exit vx_vectors_lock(const vx_arguments *arguments);
vx_exit vx_vectors_add(const vx_arguments *arguments);
vx_exit vx_vectors_generate(const vx_arguments *arguments);

/* Calls act with each operand behind the action's name or, when there is none, with the directory
 * of the project's vectors, until one does not return VX_EXIT_PASS. */
vx_exit vx_vectors_each(const vx_arguments *arguments,
                        vx_exit (*act)(void *context, const char *path), void *context);

/* The names that were ever published, each with a digest of its question: DIRECTORY/names.lock, a
 * line `NAME DIGEST` each, in the order of the names. A vector's name is never given up and never
 * means another question. */
enum { VX_LOCK_DIGEST = 17 };

typedef struct vx_lock {
    char *path;
    json_t *names; /* NAME → DIGEST */
} vx_lock;

/* Reads the lock of a directory; without a file there are no names. False after a complaint. */
bool vx_lock_read(const char *directory, vx_lock *lock);
void vx_lock_free(vx_lock *lock);

/* The digest of grid and steps. */
void vx_lock_digest(const vx_case *item, char digest[VX_LOCK_DIGEST]);

/* Locks the names of all vectors below a directory. */
vx_exit vx_vectors_lock_directory(const char *path);

/* Whether path is a directory. */
bool vx_is_directory(const char *path);

#endif
