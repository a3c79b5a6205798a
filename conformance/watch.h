/* SPDX-License-Identifier: MIT */
/* What becomes of a command that lets a shared library into its process. */
#ifndef VX_WATCH_H
#define VX_WATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Goes on in a process of its own, with memory that both see and that is all 0; it does not outlive
 * this one. True there. False in this one, once the other has ended, with its state as waitpid()
 * tells it; *memory is NULL, and errno says why, when there was none. */
bool vx_watch_fork(void **memory, size_t size, int *state);

/* The command goes on in a process of its own, once however often this is called. The first process
 * waits for it and ends as it does, or with VX_EXIT_NOT_CONFORMANT where the library ended it; a
 * crash is told. */
void vx_watch_library(const char *path);

/* The command has returned: ending the process is no longer the library's doing. */
void vx_watch_over(void);

#endif
