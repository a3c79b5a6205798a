/* SPDX-License-Identifier: MIT */
/* Which implementation a command asks, and a port that is asked. */
#include "asked.h"

#include <string.h>

bool vx_asked_check(const vx_arguments *arguments)
{
    static const char *const makers[] = {"port", "impl", "lib"};
    const char *before = NULL;
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        const char *value = vx_argument_value(arguments, makers[i]);
        if (value != NULL && before != NULL) {
            (void)vx_complain(VX_EXIT_USAGE, "--%s and --%s exclude each other", before, makers[i]);
            return false;
        }
        if (value != NULL && value[strspn(value, " \t\n")] == '\0') {
            (void)vx_complain(VX_EXIT_USAGE, "--%s: an empty word", makers[i]);
            return false;
        }
        before = value != NULL ? makers[i] : before;
    }
    return true;
}

void vx_asked_port_init(vx_asked_port *port, const char *command)
{
    *port = (vx_asked_port){.options = {.command = command, .timeout = VX_TARGET_TIMEOUT}};
    vx_target_init(&port->target, &port->options);
}

vx_exit vx_asked_port_start(vx_asked_port *port, const char *command)
{
    vx_text why = {0};
    vx_asked_port_init(port, command);
    vx_exit status = vx_target_start(&port->target, &why)
                         ? VX_EXIT_PASS
                         : vx_complain(VX_EXIT_NO_PORT, "--port: %s", vx_text_string(&why));
    vx_text_free(&why);
    return status;
}

vx_exit vx_asked_port_ask(vx_asked_port *port, const vx_case *item, vx_result *result, vx_text *why)
{
    if (!port->target.running) {
        vx_text_add(why, "--port: ");
        if (!vx_target_start(&port->target, why)) {
            return VX_EXIT_NO_PORT;
        }
        vx_text_clear(why);
    }
    if (!vx_identity_has_chapter(&port->target.identity, item->chapter->name)) {
        vx_text_format(why, "the port does not declare the chapter %s", item->chapter->name);
        return VX_EXIT_INCOMPLETE;
    }
    return vx_target_answer(&port->target, item, result, why);
}

bool vx_asked_port_answer(void *context, const vx_case *item, vx_result *result,
                          vx_problem *problem)
{
    vx_asked_port *port = context;
    vx_text why = {0};
    vx_exit status = vx_asked_port_ask(port, item, result, &why);
    if (status != VX_EXIT_PASS) {
        (void)vx_problem_say(problem, "%s", vx_text_string(&why));
        if (port->failure == VX_EXIT_PASS) {
            vx_target_tell_errors(&port->target);
            port->failure = status;
        }
    }
    vx_text_free(&why);
    return status == VX_EXIT_PASS;
}

bool vx_asked_port_end(vx_asked_port *port)
{
    vx_outcome outcome = {0};
    bool well = !port->target.running || vx_target_finish(&port->target, &outcome);
    if (!well) {
        (void)vx_complain(VX_EXIT_PASS, "--port: %s", vx_text_string(&outcome.detail));
    }
    vx_outcome_free(&outcome);
    vx_target_free(&port->target);
    return well;
}
