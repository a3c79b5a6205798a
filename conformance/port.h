/* SPDX-License-Identifier: MIT */
/* A port as a process: started, asked, listened to and ended, whatever it does (docs/PROTOCOL.md).
 *
 * Nothing here knows JSON: a port is lines in and lines out. No port can make these functions wait
 * past their deadline, keep more than the limit in memory, or raise a signal. */
#ifndef VX_PORT_H
#define VX_PORT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "text.h"

enum { VX_PORT_TAIL = 4096 }; /* bytes of standard error that are kept */

typedef struct vx_port_options {
    const char *command;               /* for sh -c */
    size_t memory;                     /* bytes of address space; 0: no limit */
    const volatile sig_atomic_t *stop; /* waits end when it becomes non-zero; NULL: never */
} vx_port_options;

/* How a process came to its end. */
typedef struct vx_port_end {
    bool killed;    /* it did not end by itself: the kit killed it */
    bool by_signal; /* code is a signal's number, not an exit status */
    int code;
} vx_port_end;

/* What a wait saw first. */
typedef enum vx_port_event {
    VX_PORT_LINE,      /* a whole line: vx_port_line */
    VX_PORT_LATE,      /* the deadline */
    VX_PORT_ENDED,     /* the end of the output, or of the process, between two lines */
    VX_PORT_TRUNCATED, /* the same inside a line: vx_port_line is what there is of it */
    VX_PORT_OVERSIZE,  /* more output than the limit: vx_port_line is its beginning */
    VX_PORT_STOPPED    /* options.stop */
} vx_port_event;

/* The fields are private. A port that is all zero is not running. */
typedef struct vx_port {
    pid_t pid; /* also its process group; 0: not running */
    int input; /* our ends of its pipes; −1: closed */
    int output;
    int errors;
    const char *unsent; /* what of the question is still to be written */
    size_t unsent_size;
    vx_text received; /* output that was read and not taken */
    size_t searched;  /* bytes of it known to hold no line end */
    size_t line;      /* size of the line at its front with its line end; 0: none yet */
    bool discarding;  /* output is read and forgotten */
    vx_text tail;     /* standard error, its end being what vx_port_errors gives */
    bool exited;      /* end is known */
    vx_port_end end;
    const volatile sig_atomic_t *stop;
} vx_port;

/* Starts the command in a process group of its own, without core files, and lets SIGPIPE be ignored
 * in this process from now on. False, with the reason in why, when the system gives no process. A
 * command that does not exist starts: its shell then ends with status 127. */
bool vx_port_start(vx_port *port, const vx_port_options *options, vx_text *why);

/* Listens to a descriptor, which the port closes, where there is no process: it has no input, is
 * never running, and need not be stopped before it is freed. */
void vx_port_listen(vx_port *port, int output);

bool vx_port_running(const vx_port *port);

/* Takes the last line away and begins to send a question, which must stay as it is until a wait is
 * over. What the port wrote to standard error until now is forgotten. */
void vx_port_ask(vx_port *port, const char *question, size_t size);

/* Sends what is left of the question and waits for a line of at most limit bytes, until the moment
 * deadline (vx_now). After VX_PORT_LATE one may wait again. */
vx_port_event vx_port_wait(vx_port *port, double deadline, size_t limit);

/* Closes the port's input behind the question, as far as it is sent: no more will come. */
void vx_port_close_input(vx_port *port);

/* The line that a wait found, without its line end. Valid until the next call. */
const char *vx_port_line(const vx_port *port, size_t *size);

/* The end of what the port wrote to standard error since it was asked. */
const char *vx_port_errors(const vx_port *port, size_t *size);

/* Closes the port's input, gives it so many seconds to end by itself, and then kills its group.
 * What else it writes is not kept, except its standard error. */
vx_port_end vx_port_stop(vx_port *port, double seconds);

/* Stops it at once if it runs, and gives back its memory. */
void vx_port_free(vx_port *port);

/* "exited with status 3", "was killed by signal 11 (Segmentation fault)", "went on running and had
 * to be killed". */
void vx_port_end_describe(vx_port_end end, vx_text *text);

#endif
