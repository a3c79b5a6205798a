/* SPDX-License-Identifier: MIT */
/* Port processes: whatever a process does, nothing hangs, crashes or leaks. */
#include "port.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "tests/scratch.h"

TestSuite(port, .init = scratch_open, .fini = scratch_close);

static void start(vx_port *port, const char *command)
{
    vx_text why = {0};
    *port = (vx_port){0};
    cr_assert(vx_port_start(port, &(vx_port_options){.command = command}, &why), "%s: %s", command,
              vx_text_string(&why));
    cr_assert(vx_port_running(port));
    vx_text_free(&why);
}

static const char *line_of(const vx_port *port)
{
    static char copy[256];
    size_t size;
    const char *line = vx_port_line(port, &size);
    (void)snprintf(copy, sizeof copy, "%.*s", (int)size, line);
    return copy;
}

static size_t open_files(void)
{
    size_t count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory) != NULL) {
        count++;
    }
    (void)closedir(directory);
    return count;
}

Test(port, first_event)
{
    static const struct {
        const char *command;
        const char *question;
        vx_port_event event;
        const char *line;
    } rows[] = {
        {"cat", "hello\n", VX_PORT_LINE, "hello"},
        {"cat", "\n", VX_PORT_LINE, ""},
        {"read x; echo got $x", "7\n", VX_PORT_LINE, "got 7"},
        {"read x; printf 'one\\ntwo\\n'", "?\n", VX_PORT_LINE, "one"},
        {"read x; printf o; sleep 0.1; printf n; sleep 0.1; echo e", "?\n", VX_PORT_LINE, "one"},
        {"exec 2>&-; read x; echo one", "?\n", VX_PORT_LINE, "one"},
        {"read x", "?\n", VX_PORT_ENDED, ""},
        {"exit 3", "?\n", VX_PORT_ENDED, ""},
        {"kill -9 $$", "?\n", VX_PORT_ENDED, ""},
        {"/no/such/program", "?\n", VX_PORT_ENDED, ""},
        {"exec >&-; sleep 20", "?\n", VX_PORT_ENDED, ""},
        {"sleep 20 & exit 0", "?\n", VX_PORT_ENDED, ""},
        {"sleep 20 & printf half; exit 0", "?\n", VX_PORT_TRUNCATED, "half"},
        {"read x; printf half", "?\n", VX_PORT_TRUNCATED, "half"},
        {"sleep 20", "?\n", VX_PORT_LATE, ""},
        {"exec 0<&-; sleep 20", "?\n", VX_PORT_LATE, ""},
        {"printf half; sleep 20", "?\n", VX_PORT_LATE, "half"},
        {"while :; do echo noise >&2; done", "?\n", VX_PORT_LATE, ""},
        {"while :; do printf 0123456789abcdef; done", "?\n", VX_PORT_OVERSIZE, NULL},
        {"head -c 2000 /dev/zero | tr '\\0' a; echo; sleep 20", "?\n", VX_PORT_OVERSIZE, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_port port;
        size_t before = open_files();
        double begin = vx_now();
        start(&port, rows[i].command);
        vx_port_ask(&port, rows[i].question, strlen(rows[i].question));
        vx_port_event event = vx_port_wait(&port, begin + 1, 1000);
        cr_expect_eq(event, rows[i].event, "%s: event %d, expected %d", rows[i].command, (int)event,
                     (int)rows[i].event);
        if (rows[i].line != NULL) {
            cr_expect_str_eq(line_of(&port), rows[i].line, "%s", rows[i].command);
        }
        vx_port_free(&port);
        cr_expect(!vx_port_running(&port));
        cr_expect_eq(open_files(), before, "%s leaves files open", rows[i].command);
        cr_expect_lt(vx_now() - begin, 8, "%s took too long", rows[i].command);
    }
}

/* A question larger than a pipe, to programs that read all, a part or none of it. */
Test(port, large_questions)
{
    static const struct {
        const char *command;
        vx_port_event event;
    } rows[] = {
        {"cat", VX_PORT_LINE},
        {"tail -n 1 | wc -c", VX_PORT_LATE},
        {"echo early; cat >/dev/null", VX_PORT_LINE},
        {"echo early; exec 0<&-; sleep 20", VX_PORT_LINE},
        {"head -c 10 >/dev/null; echo enough", VX_PORT_LINE},
        {"echo early; exit 0", VX_PORT_LINE},
        {"echo never read; exec sleep 20", VX_PORT_LATE},
        {"exec yes", VX_PORT_OVERSIZE},
        {"yes >&2", VX_PORT_LATE},
    };
    enum { SIZE = 3000000 };
    char *question = malloc(SIZE);
    memset(question, 'q', SIZE);
    question[SIZE - 1] = '\n';
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_port port;
        start(&port, rows[i].command);
        vx_port_ask(&port, question, SIZE);
        double seconds = rows[i].event == VX_PORT_LATE ? 0.5 : 20;
        vx_port_event event = vx_port_wait(&port, vx_now() + seconds, SIZE);
        cr_expect_eq(event, rows[i].event, "%s: event %d, expected %d", rows[i].command, (int)event,
                     (int)rows[i].event);
        vx_port_free(&port);
    }
    free(question);
}

Test(port, one_line_after_the_other)
{
    vx_port port;
    start(&port, "while read x; do echo $x; echo $x >&2; test $x != 2 || echo surplus; done");
    static const char *const questions[] = {"1\n", "2\n", "3\n", "4\n"};
    static const char *const answers[] = {"1", "2", "surplus", "3"};
    for (size_t i = 0; i < 4; i++) {
        vx_port_ask(&port, questions[i], 2);
        cr_assert_eq(vx_port_wait(&port, vx_now() + 10, 100), VX_PORT_LINE);
        cr_expect_str_eq(line_of(&port), answers[i], "question %zu", i);
    }
    vx_port_free(&port);
}

Test(port, late_is_not_the_end)
{
    vx_port port;
    start(&port, "read x; sleep 0.4; echo late");
    vx_port_ask(&port, "?\n", 2);
    cr_expect_eq(vx_port_wait(&port, vx_now() + 0.05, 100), VX_PORT_LATE);
    cr_expect_eq(vx_port_wait(&port, vx_now() + 10, 100), VX_PORT_LINE);
    cr_expect_str_eq(line_of(&port), "late");
    vx_port_free(&port);
}

Test(port, ends)
{
    static const struct {
        const char *command;
        double seconds;
        bool killed, by_signal;
        int code;
        const char *words;
    } rows[] = {
        {"read x", 5, false, false, 1, "exited with status 1"},
        {"cat; exit 0", 5, false, false, 0, "exited with status 0"},
        {"exit 42", 5, false, false, 42, "exited with status 42"},
        {"kill -SEGV $$", 5, false, true, 11, "was killed by signal 11 (Segmentation fault)"},
        {"/no/such/program", 5, false, false, 127, "exited with status 127 (command not found)"},
        {"/dev/null", 5, false, false, 126, "exited with status 126 (not executable)"},
        {"exit 139", 5, false, false, 139,
         "exited with status 139 (in a shell: signal 11, Segmentation fault)"},
        {"exit 255", 5, false, false, 255, "exited with status 255"},
        {"exec sleep 20", 0.05, true, true, 15, "went on running and had to be killed"},
        {"exec sleep 20 >&- 2>&-", 0.05, true, true, 15, "went on running and had to be killed"},
        {"exec yes", 0.05, true, true, 15, "went on running and had to be killed"},
        {"trap '' TERM; while :; do sleep 0.01; done", 0.05, true, false, 0,
         "went on running and had to be killed"},
        {"kill -STOP $$; :", 0.05, true, false, 0, "went on running and had to be killed"},
        {"sleep 20 & cat; exit 5", 5, false, false, 5, "exited with status 5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_port port;
        vx_text words = {0};
        double begin = vx_now();
        start(&port, rows[i].command);
        vx_port_end end = vx_port_stop(&port, rows[i].seconds);
        vx_port_end_describe(end, &words);
        cr_expect_str_eq(vx_text_string(&words), rows[i].words, "%s", rows[i].command);
        cr_expect_eq(end.killed, rows[i].killed, "%s", rows[i].command);
        if (!end.killed) {
            cr_expect_eq(end.by_signal, rows[i].by_signal, "%s", rows[i].command);
            cr_expect_eq(end.code, rows[i].code, "%s", rows[i].command);
        }
        cr_expect(!vx_port_running(&port));
        cr_expect_lt(vx_now() - begin, 4, "%s took too long", rows[i].command);
        vx_text_free(&words);
        vx_port_free(&port);
    }
}

/* Children that a port leaves behind in its process group do not outlive it. */
Test(port, the_group_is_killed)
{
    vx_port port;
    char command[4200];
    const char *path = scratch_path("pid");
    (void)snprintf(command, sizeof command, "sleep 30 & echo $! >'%s'; echo ready", path);
    start(&port, command);
    vx_port_ask(&port, "", 0);
    cr_assert_eq(vx_port_wait(&port, vx_now() + 10, 100), VX_PORT_LINE);
    (void)vx_port_stop(&port, 5);
    vx_text text = scratch_read(path);
    pid_t child = (pid_t)strtol(vx_text_string(&text), NULL, 10);
    cr_assert_gt(child, 1);
    double deadline = vx_now() + 5;
    char status[64] = "";
    (void)snprintf(status, sizeof status, "/proc/%d/stat", (int)child);
    bool gone = false;
    while (!gone && vx_now() < deadline) {
        /* An orphan may stay a zombie for a while when nobody reaps it. */
        FILE *file = fopen(status, "re");
        char state = 'X';
        if (file != NULL) {
            (void)fscanf(file, "%*d %*s %c", &state);
            (void)fclose(file);
        }
        gone = state == 'Z' || state == 'X';
        (void)usleep(10000);
    }
    cr_expect(gone, "the child %d lives on", (int)child);
    vx_text_free(&text);
    vx_port_free(&port);
}

Test(port, the_end_of_standard_error_is_kept)
{
    vx_port port;
    size_t size;
    start(&port, "while read x; do seq 1 $x >&2; echo done; done");
    vx_port_ask(&port, "100000\n", 7);
    cr_assert_eq(vx_port_wait(&port, vx_now() + 20, 100), VX_PORT_LINE);
    const char *errors = vx_port_errors(&port, &size);
    cr_expect_eq(size, VX_PORT_TAIL);
    cr_expect_str_eq(errors + size - 7, "100000\n");
    vx_port_ask(&port, "3\n", 2);
    cr_assert_eq(vx_port_wait(&port, vx_now() + 20, 100), VX_PORT_LINE);
    cr_expect_str_eq(vx_port_errors(&port, &size), "1\n2\n3\n");
    vx_port_free(&port);
    start(&port, "echo last words >&2; exit 1");
    (void)vx_port_stop(&port, 5);
    cr_expect_str_eq(vx_port_errors(&port, &size), "last words\n");
    vx_port_free(&port);
}

Test(port, input_is_closed_behind_the_question)
{
    vx_port port;
    start(&port, "wc -c");
    vx_port_ask(&port, "12345\n", 6);
    vx_port_close_input(&port);
    cr_assert_eq(vx_port_wait(&port, vx_now() + 10, 100), VX_PORT_LINE);
    cr_expect_eq(strtol(line_of(&port), NULL, 10), 6);
    vx_port_free(&port);
}

Test(port, a_wait_can_be_interrupted)
{
    volatile sig_atomic_t stop = 1;
    vx_port port = {0};
    vx_text why = {0};
    vx_port_options options = {.command = "sleep 20", .stop = &stop};
    cr_assert(vx_port_start(&port, &options, &why));
    vx_port_ask(&port, "?\n", 2);
    cr_expect_eq(vx_port_wait(&port, vx_now() + 10, 100), VX_PORT_STOPPED);
    vx_port_free(&port);
}

Test(port, limits)
{
    vx_port port = {0};
    vx_text why = {0};
    vx_port_options options = {.command = "ulimit -v; ulimit -c", .memory = (size_t)512 << 20};
    cr_assert(vx_port_start(&port, &options, &why));
    vx_port_ask(&port, "", 0);
    cr_assert_eq(vx_port_wait(&port, vx_now() + 10, 100), VX_PORT_LINE);
    cr_expect_str_eq(line_of(&port), "524288");
    vx_port_ask(&port, "", 0);
    cr_assert_eq(vx_port_wait(&port, vx_now() + 10, 100), VX_PORT_LINE);
    cr_expect_str_eq(line_of(&port), "0");
    vx_port_free(&port);
}

/* Signals that this process ignores or blocks are as usual in the port. Those above 31 are the C
 * library's own, which a program can't set: they come from whoever started the tests. */
/* Without a process: what is read is taken apart alike, and the descriptor is closed. */
Test(port, a_descriptor_is_listened_to)
{
    int ends[2];
    vx_port port = {0};
    size_t size;
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], "one\ntw", 6), 6);
    vx_port_listen(&port, ends[0]);
    cr_expect_not(vx_port_running(&port));
    vx_port_ask(&port, "?\n", 2);
    cr_expect_eq(vx_port_wait(&port, vx_now() + 10, 10), VX_PORT_LINE);
    cr_expect_str_eq(vx_port_line(&port, &size), "one\ntw");
    cr_expect_eq(size, 3);
    vx_port_ask(&port, "?\n", 2);
    cr_expect_eq(vx_port_wait(&port, vx_now() + 0.01, 10), VX_PORT_LATE);
    (void)close(ends[1]);
    cr_expect_eq(vx_port_wait(&port, vx_now() + 10, 10), VX_PORT_TRUNCATED);
    vx_port_free(&port);

    cr_assert_eq(pipe(ends), 0);
    size_t before = open_files();
    vx_port_listen(&port, ends[0]);
    vx_port_free(&port);
    cr_expect_eq(open_files(), before - 1);
    (void)close(ends[1]);
}

Test(port, signals_are_as_usual)
{
    vx_port port;
    start(&port, "awk '/^Sig(Blk|Ign):/ {printf \"%s \", $2} END {print \"\"}' /proc/self/status");
    vx_port_ask(&port, "", 0);
    cr_assert_eq(vx_port_wait(&port, vx_now() + 10, 200), VX_PORT_LINE);
    char *end;
    const char *line = line_of(&port);
    unsigned long long blocked = strtoull(line, &end, 16);
    cr_assert_neq(end, line, "%s", line);
    unsigned long long ignored = strtoull(end, NULL, 16);
    cr_expect_eq((blocked | ignored) & 0x7fffffffu, 0, "blocked, ignored: %s", line);
    vx_port_free(&port);
}

/* Standard descriptors that are closed here must not be mistaken for a pipe's ends. */
Test(port, closed_standard_descriptors)
{
    vx_port port;
    int kept[3];
    for (int i = 0; i < 3; i++) {
        kept[i] = dup(i);
        (void)close(i);
    }
    start(&port, "cat; echo and this >&2");
    vx_port_ask(&port, "through\n", 8);
    vx_port_event event = vx_port_wait(&port, vx_now() + 10, 100);
    (void)vx_port_stop(&port, 5);
    for (int i = 0; i < 3; i++) {
        (void)dup2(kept[i], i);
        (void)close(kept[i]);
    }
    size_t size;
    cr_expect_eq(event, VX_PORT_LINE);
    cr_expect_str_eq(vx_port_errors(&port, &size), "and this\n");
    vx_port_free(&port);
}

Test(port, no_descriptors_left)
{
    vx_port port = {0};
    vx_text why = {0};
    struct rlimit before;
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
    int first = dup(0);
    (void)close(first);
    struct rlimit tight = {(rlim_t)first + 3, before.rlim_max};
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &tight), 0);
    bool started = vx_port_start(&port, &(vx_port_options){.command = "cat"}, &why);
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    cr_expect(!started);
    cr_expect_str_eq(vx_text_string(&why), "no pipe for the port: Too many open files");
    vx_text_free(&why);
}
