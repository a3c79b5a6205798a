/* SPDX-License-Identifier: MIT */
/* Commands that ask an implementation, a library or a port for what the first steps of a case make:
 * which one, and a port that is asked. */
#ifndef VX_ASKED_H
#define VX_ASKED_H

#include <stdbool.h>

#include "cli.h"
#include "target.h"

/* Whether at most one of --port, --impl and --lib is given, and says it; complains otherwise. */
bool vx_asked_check(const vx_arguments *arguments);

/* A port, and what its first question without an answer came to. */
typedef struct vx_asked_port {
    vx_target_options options;
    vx_target target;
    vx_exit failure; /* VX_EXIT_PASS: it answered all of them */
} vx_asked_port;

/* A port that is started with the first question. */
void vx_asked_port_init(vx_asked_port *port, const char *command);

/* Starts the port; complains and returns VX_EXIT_NO_PORT otherwise. End it in either case. */
vx_exit vx_asked_port_start(vx_asked_port *port, const char *command);

/* Asks the port, which is started when it does not run. Without an answer why tells the reason, and
 * the status is that of a command which needs it. */
vx_exit vx_asked_port_ask(vx_asked_port *port, const vx_case *item, vx_result *result,
                          vx_text *why);

/* Asks the vx_asked_port that the context is, which is started again when it ended: for the
 * requests of drawings and audits. */
bool vx_asked_port_answer(void *context, const vx_case *item, vx_result *result,
                          vx_problem *problem);

/* Ends it, if it runs; false when its end is odd, which is told. */
bool vx_asked_port_end(vx_asked_port *port);

#endif
