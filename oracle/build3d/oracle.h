/* SPDX-License-Identifier: MIT */
/* The judges of build3d: implementations and checks that share nothing with ref and fast. */
#ifndef VX_ORACLE_BUILD3D_H
#define VX_ORACLE_BUILD3D_H

#include "voxcert/build3d.h"

/* The chapter once more, every floating-point step by MPFR: no compiler flag and no processor can
 * change its answers. Its fields hold memory from malloc besides the arena; MPFR itself ends the
 * program when the system has none left. */
extern const vx_build3d_impl vx_replay_build3d;

#endif
