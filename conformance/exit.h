/* SPDX-License-Identifier: MIT */
/* The program's exit statuses. */
#ifndef VX_EXIT_H
#define VX_EXIT_H

typedef enum vx_exit {
    VX_EXIT_PASS = 0,           /* all required cases passed; the command did what was asked */
    VX_EXIT_NOT_CONFORMANT = 1, /* at least one case failed */
    VX_EXIT_USAGE = 2,          /* bad options, or an input file that is no case */
    VX_EXIT_NO_PORT = 3,        /* the port did not start, or speaks another protocol */
    VX_EXIT_INCOMPLETE = 4,     /* cases not run, none at all, or corrupt vectors */
    VX_EXIT_INTERNAL = 5,       /* the kit itself failed */
    VX_EXIT_PERFORMANCE = 6     /* a performance gate */
} vx_exit;

#endif
