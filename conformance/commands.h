/* SPDX-License-Identifier: MIT */
/* The commands of the program, each in its own cmd_NAME.c, in the order in which help shows them.
 */
#ifndef VX_COMMANDS_H
#define VX_COMMANDS_H

#include "cli.h"

extern const vx_command vx_command_certify;
extern const vx_command vx_command_run;
extern const vx_command vx_command_audit;
extern const vx_command vx_command_import;
extern const vx_command vx_command_draw;
extern const vx_command vx_command_serve;
extern const vx_command vx_command_explain;
extern const vx_command vx_command_vectors;

#define VX_COMMANDS                                                                                \
    &vx_command_certify, &vx_command_run, &vx_command_audit, &vx_command_import, &vx_command_draw, \
        &vx_command_serve, &vx_command_explain, &vx_command_vectors

#endif
