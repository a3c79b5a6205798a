/* SPDX-License-Identifier: MIT */
/* A port as a process: pipes that never block, deadlines, and an end for whatever was started. */
#include "port.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

enum {
    CHUNK = 65536,    /* bytes read at a time */
    LAST_ROUNDS = 64, /* reads of standard error after the end: a daemon may write for ever */
    PIPES = 3
};

static const double SLICE = 0.05;      /* how often a silent port is looked after, in seconds */
static const double EXIT_SLICE = 0.01; /* the same while it is expected to end */
static const double TERM_GRACE = 0.2;  /* between SIGTERM and SIGKILL */

/* --- starting -----------------------------------------------------------------------------------
 */

/* Ends a pipe's or another descriptor's life. */
static void close_end(int *end)
{
    if (*end >= 0) {
        (void)close(*end);
        *end = -1;
    }
}

/* A pipe whose ends lie above the standard descriptors (one of those may be closed), so that dup2
 * can put them in place. */
static bool open_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0) {
        ends[0] = ends[1] = -1;
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (ends[i] <= STDERR_FILENO) {
            int low = ends[i];
            ends[i] = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
            (void)close(low);
        }
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

/* In the new process: only calls that are safe between fork and exec. */
static _Noreturn void become(const vx_port_options *options, const int ends[PIPES])
{
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < PIPES; i++) {
        (void)dup2(ends[i], i);
    }
    /* Whoever started the kit may have ignored some, as nohup does; SIGKILL and SIGSTOP stay. */
    enum { STANDARD_SIGNALS = 31 };
    for (int i = 1; i <= STANDARD_SIGNALS; i++) {
        (void)signal(i, SIG_DFL);
    }
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (options->memory > 0) {
        (void)setrlimit(RLIMIT_AS, &(struct rlimit){options->memory, options->memory});
    }
    (void)execl("/bin/sh", "sh", "-c", options->command, (char *)NULL);
    _exit(127);
}

bool vx_port_start(vx_port *port, const vx_port_options *options, vx_text *why)
{
    int pipes[PIPES][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    bool started = false;
    vx_port_free(port);
    *port = (vx_port){.input = -1, .output = -1, .errors = -1, .stop = options->stop};
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGCHLD, SIG_DFL); /* if it was ignored, ends would be lost */
    for (int i = 0; i < PIPES; i++) {
        if (!open_pipe(pipes[i])) {
            vx_text_format(why, "no pipe for the port: %s", strerror(errno));
            goto done;
        }
    }
    pid_t pid = fork();
    if (pid == 0) {
        become(options, (const int[PIPES]){pipes[0][0], pipes[1][1], pipes[2][1]});
    }
    if (pid < 0) {
        vx_text_format(why, "no process for the port: %s", strerror(errno));
        goto done;
    }
    (void)setpgid(pid, pid); /* whichever of the two comes first */
    port->pid = pid;
    int *ours[PIPES] = {&pipes[0][1], &pipes[1][0], &pipes[2][0]};
    int *kept[PIPES] = {&port->input, &port->output, &port->errors};
    for (int i = 0; i < PIPES; i++) {
        (void)fcntl(*ours[i], F_SETFL, O_NONBLOCK);
        *kept[i] = *ours[i];
        *ours[i] = -1;
    }
    started = true;
done:
    for (int i = 0; i < PIPES; i++) {
        close_end(&pipes[i][0]);
        close_end(&pipes[i][1]);
    }
    return started;
}

void vx_port_listen(vx_port *port, int output)
{
    vx_port_free(port);
    (void)fcntl(output, F_SETFL, O_NONBLOCK);
    *port = (vx_port){.input = -1, .output = output, .errors = -1};
}

bool vx_port_running(const vx_port *port)
{
    return port->pid != 0;
}

/* --- moving bytes -------------------------------------------------------------------------------
 */

/* Writes as much of the question as the pipe takes. A port that closed its input is not an error
 * yet: it may still answer. */
static void send_some(vx_port *port)
{
    ssize_t size = write(port->input, port->unsent, port->unsent_size);
    if (size >= 0) {
        port->unsent += size;
        port->unsent_size -= (size_t)size;
    } else if (errno != EAGAIN && errno != EINTR) {
        port->unsent_size = 0;
        close_end(&port->input);
    }
}

/* Reads a chunk into the text; the end of the stream closes it. */
static void receive_some(int *end, vx_text *text)
{
    char chunk[CHUNK];
    ssize_t size = read(*end, chunk, sizeof chunk);
    if (size > 0) {
        vx_text_add_bytes(text, chunk, (size_t)size);
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
        close_end(end);
    }
}

/* Takes bytes away from the front. */
static void drop_front(vx_text *text, size_t size)
{
    if (size > 0) {
        memmove(text->bytes, text->bytes + size, text->size - size + 1);
        text->size -= size;
    }
}

static void receive_errors(vx_port *port)
{
    receive_some(&port->errors, &port->tail);
    if (port->tail.size > (size_t)VX_PORT_TAIL) {
        drop_front(&port->tail, port->tail.size - VX_PORT_TAIL);
    }
}

static void receive_output(vx_port *port)
{
    receive_some(&port->output, &port->received);
    if (port->discarding) {
        vx_text_clear(&port->received);
    }
}

/* Moves what can be moved, waiting for it at most so many seconds. False: nothing came. */
static bool pump(vx_port *port, double seconds)
{
    struct pollfd ends[PIPES] = {
        {.fd = port->unsent_size > 0 ? port->input : -1, .events = POLLOUT},
        {.fd = port->output, .events = POLLIN},
        {.fd = port->errors, .events = POLLIN},
    };
    if (poll(ends, PIPES, (int)ceil(seconds * 1000)) <= 0) {
        return false;
    }
    if (ends[0].revents != 0) {
        send_some(port);
    }
    if (ends[1].revents != 0) {
        receive_output(port);
    }
    if (ends[2].revents != 0) {
        receive_errors(port);
    }
    return true;
}

/* Whether the process has ended. It is not reaped here: until then its group's number is its own.
 */
static bool has_exited(vx_port *port)
{
    siginfo_t info = {0};
    if (vx_port_running(port) && !port->exited &&
        (waitid(P_PID, (id_t)port->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0)) {
        port->exited = true;
        port->end = (vx_port_end){.by_signal = info.si_code != CLD_EXITED, .code = info.si_status};
    }
    return port->exited;
}

/* --- asking -------------------------------------------------------------------------------------
 */

void vx_port_ask(vx_port *port, const char *question, size_t size)
{
    drop_front(&port->received, port->line);
    port->line = port->searched = 0;
    vx_text_clear(&port->tail);
    port->unsent = question;
    port->unsent_size = port->input >= 0 ? size : 0;
    if (port->unsent_size > 0) {
        send_some(port);
    }
}

void vx_port_close_input(vx_port *port)
{
    if (port->unsent_size == 0) {
        close_end(&port->input);
    }
}

/* Looks for the end of the line at the front of what was received. */
static bool find_line(vx_port *port)
{
    const vx_text *text = &port->received;
    if (port->line == 0 && port->searched < text->size) {
        const char *from = text->bytes + port->searched;
        const char *end = memchr(from, '\n', text->size - port->searched);
        port->line = end != NULL ? (size_t)(end - text->bytes) + 1 : 0;
        port->searched = text->size;
    }
    return port->line > 0;
}

vx_port_event vx_port_wait(vx_port *port, double deadline, size_t limit)
{
    for (;;) {
        bool found = find_line(port);
        bool done = found && port->unsent_size == 0;
        size_t size = done ? port->line - 1 : port->received.size;
        if (size > limit) {
            return VX_PORT_OVERSIZE;
        }
        if (done) {
            return VX_PORT_LINE;
        }
        if (port->output < 0) {
            port->unsent_size = 0; /* nobody is left who could answer it */
            if (!found) {
                return size > 0 ? VX_PORT_TRUNCATED : VX_PORT_ENDED;
            }
            continue;
        }
        double left = deadline - vx_now();
        if (port->stop != NULL && *port->stop != 0) {
            return VX_PORT_STOPPED;
        }
        if (left <= 0) {
            return VX_PORT_LATE;
        }
        /* Somebody else may hold the output of a process that has ended. */
        if (!pump(port, left < SLICE ? left : SLICE) && has_exited(port) && !pump(port, 0)) {
            close_end(&port->output);
        }
    }
}

const char *vx_port_line(const vx_port *port, size_t *size)
{
    *size = port->line > 0 ? port->line - 1 : port->received.size;
    return vx_text_string(&port->received);
}

const char *vx_port_errors(const vx_port *port, size_t *size)
{
    *size = port->tail.size;
    return vx_text_string(&port->tail);
}

/* --- ending -------------------------------------------------------------------------------------
 */

static bool wait_for_exit(vx_port *port, double seconds)
{
    double deadline = vx_now() + seconds;
    while (!has_exited(port)) {
        double left = deadline - vx_now();
        if (left <= 0) {
            return false;
        }
        (void)pump(port, left < EXIT_SLICE ? left : EXIT_SLICE);
    }
    return true;
}

vx_port_end vx_port_stop(vx_port *port, double seconds)
{
    port->unsent_size = 0;
    port->discarding = true;
    close_end(&port->input);
    bool killed = !wait_for_exit(port, seconds);
    if (killed) {
        (void)kill(-port->pid, SIGTERM);
        (void)wait_for_exit(port, TERM_GRACE);
    }
    (void)kill(-port->pid, SIGKILL); /* whoever of the group is left */
    while (waitpid(port->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    for (int i = 0; i < LAST_ROUNDS && pump(port, 0); i++) {
    }
    close_end(&port->output);
    close_end(&port->errors);
    port->pid = 0;
    port->end.killed = killed;
    return port->end;
}

void vx_port_free(vx_port *port)
{
    if (vx_port_running(port)) {
        (void)vx_port_stop(port, 0);
    }
    if (port->output > STDERR_FILENO) { /* one that it listened to */
        close_end(&port->output);
    }
    vx_text_free(&port->received);
    vx_text_free(&port->tail);
    *port = (vx_port){0};
}

/* What a shell means by an exit status: its own failures, and how its last program ended. */
static void add_meaning(int status, vx_text *text)
{
    enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127, SIGNALS = 128 };
    if (status == NOT_EXECUTABLE || status == NOT_FOUND) {
        vx_text_add(text, status == NOT_FOUND ? " (command not found)" : " (not executable)");
    } else if (status > SIGNALS && status - SIGNALS < NSIG) {
        vx_text_format(text, " (in a shell: signal %d, %s)", status - SIGNALS,
                       strsignal(status - SIGNALS));
    }
}

void vx_port_end_describe(vx_port_end end, vx_text *text)
{
    if (end.killed) {
        vx_text_add(text, "went on running and had to be killed");
    } else if (end.by_signal) {
        vx_text_format(text, "was killed by signal %d (%s)", end.code, strsignal(end.code));
    } else {
        vx_text_format(text, "exited with status %d", end.code);
        add_meaning(end.code, text);
    }
}
