/* SPDX-License-Identifier: MIT */
/* What becomes of a command that lets a shared library into its process. */
#ifndef VX_WATCH_H
#define VX_WATCH_H

/* The command goes on in a process of its own, once however often this is called. The first process
 * waits for it and ends as it does, or with VX_EXIT_NOT_CONFORMANT where the library ended it; a
 * crash is told. */
void vx_watch_library(const char *path);

/* The command has returned: ending the process is no longer the library's doing. */
void vx_watch_over(void);

#endif
