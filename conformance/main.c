/* SPDX-License-Identifier: MIT */
/* The program voxcert: the list of its commands. */
#include "cli.h"
#include "commands.h"

int main(int argc, char **argv)
{
    static const vx_command *const commands[] = {VX_COMMANDS};
    return (int)vx_cli_main(commands, sizeof commands / sizeof commands[0], argc, argv);
}
