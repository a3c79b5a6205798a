/* SPDX-License-Identifier: MIT */
/* Which implementation runs: a built-in one, or one that a shared library brings. */
#ifndef VX_IMPLEMENTATION_H
#define VX_IMPLEMENTATION_H

#include "chapter.h"

/* The table of the built-in implementation of that name or, when library is a path, of the one that
 * the shared library exports (name is not looked at then). A library stays loaded until the program
 * ends. On failure complains, naming what there is, and returns NULL. */
const void *vx_implementation_open(const vx_chapter *chapter, const char *name,
                                   const char *library);

/* The same for a command that nobody watches yet: with a library it goes on in a process of its
 * own (watch.h). */
const void *vx_implementation_open_watched(const vx_chapter *chapter, const char *name,
                                           const char *library);

#endif
