/* SPDX-License-Identifier: MIT */
/* The version of the kit, for whoever it introduces itself to. */
#ifndef VX_VERSION_H
#define VX_VERSION_H

#define VX_VERSION "0.1.0"

#endif
