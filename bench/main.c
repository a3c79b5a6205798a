/* SPDX-License-Identifier: MIT */
/* The program voxcert with the bench's commands; it alone is linked with the peer. */
#include "bench.h"
#include "cli.h"
#include "commands.h"

int main(int argc, char **argv)
{
    static const vx_command *const commands[] = {VX_COMMANDS, &vx_command_bench, &vx_command_count,
                                                 &vx_command_scaling};
    return (int)vx_cli_main(commands, sizeof commands / sizeof commands[0], argc, argv);
}
