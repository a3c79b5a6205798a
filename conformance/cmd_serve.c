/* SPDX-License-Identifier: MIT */
/* voxcert serve: be a port, a good one or, to test whoever talks to it, a bad one. */
#include <stdio.h>
#include <string.h>

#include "bad.h"
#include "cli.h"
#include "commands.h"
#include "serve.h"

static vx_exit list_bad_kinds(void)
{
    for (size_t i = 0; i < vx_bad_count; i++) {
        printf("  %-16s %s\n", vx_bads[i].name, vx_bads[i].what);
    }
    return VX_EXIT_PASS;
}

static vx_exit run(const vx_arguments *arguments)
{
    const char *name = vx_argument_value(arguments, "impl");
    const char *kind = vx_argument_value(arguments, "bad");
    vx_serve_options options = {.implementation = name != NULL ? name : "ref",
                                .library = vx_argument_value(arguments, "lib"),
                                .delay = 1,
                                .in = stdin,
                                .out = stdout};
    int64_t every = 0;
    if (kind != NULL && strcmp(kind, "help") == 0) {
        return list_bad_kinds();
    }
    if (name != NULL && options.library != NULL) {
        return vx_complain(VX_EXIT_USAGE, "only one of --impl and --lib can be served");
    }
    if (!vx_argument_integer(arguments, "every", 1, UINT32_MAX, &every) ||
        !vx_argument_number(arguments, "delay", 0, 3600, &options.delay)) {
        return VX_EXIT_USAGE;
    }
    options.every = (uint32_t)every;
    if (kind != NULL) {
        options.bad = vx_bad_find(kind);
        if (options.bad == NULL) {
            return vx_complain(VX_EXIT_USAGE,
                               "--bad %s: no such kind; `voxcert serve --bad help` lists them",
                               kind);
        }
    }
    return vx_serve(&options);
}

static const vx_option options_table[] = {
    {"impl", "NAME", "serve this built-in implementation (ref)"},
    {"lib", "FILE", "serve the implementation in this shared library"},
    {"bad", "KIND", "go wrong in this way, to test the kit; help lists the kinds"},
    {"every", "N", "go wrong at one case in N only, chosen by its content"},
    {"delay", "SECONDS", "how late the slow kind answers (1)"},
};

const vx_command vx_command_serve = {
    .name = "serve",
    .operands = "",
    .summary = "be a port: answer the protocol on standard input and output",
    .details = "docs/PROTOCOL.md describes the protocol.\n",
    .options = options_table,
    .option_count = sizeof options_table / sizeof options_table[0],
    .run = run,
};
