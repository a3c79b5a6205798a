/* SPDX-License-Identifier: MIT */
/* The progress line: its text, on a terminal, and in a pipe. */
#include "progress.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "program.h"

static void begin(void)
{
    test_deadline(30);
}

TestSuite(progress, .init = begin);

Test(progress, line)
{
    static const struct {
        size_t width, done, total, failed;
        double seconds;
        const char *line;
    } rows[] = {
        {80, 0, 10, 0, 0, "[........................................] 0/10"},
        {80, 5, 10, 0, 1, "[####################....................] 5/10  5.0/s  1 s left"},
        {80, 10, 10, 2, 1, "[########################################] 10/10  10/s  2 failed"},
        {40, 50, 100, 1, 1, "50/100  50/s  1 s left  1 failed"},
        {48, 50, 100, 1, 1, "[######......] 50/100  50/s  1 s left  1 failed"},
        {60, 1, 100, 0, 1, "[.................................] 1/100  1.0/s  1:39 left"},
        {60, 1, 9000, 0, 1, "[.............................] 1/9000  1.0/s  2:29:59 left"},
        {10, 50, 100, 1, 1, "50/100  50"},
        {80, 0, 0, 0, 1, "[########################################] 0/0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text text = {0};
        vx_progress_line(&text, rows[i].width, rows[i].done, rows[i].total, rows[i].failed,
                         rows[i].seconds);
        const char *line = vx_text_string(&text);
        cr_expect_str_eq(line, rows[i].line, "row %zu", i);
        cr_expect_leq(text.size, rows[i].width);
        vx_text_free(&text);
    }
}

/* Everything that was written to a pseudo-terminal so far. */
static size_t drain(int master, char *buffer, size_t size)
{
    size_t used = 0;
    ssize_t got;
    (void)fcntl(master, F_SETFL, O_NONBLOCK);
    while (used < size - 1 && (got = read(master, buffer + used, size - 1 - used)) > 0) {
        used += (size_t)got;
    }
    buffer[used] = '\0';
    return used;
}

Test(progress, on_a_terminal)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    cr_assert_geq(terminal, 0);
    struct winsize size = {.ws_row = 24, .ws_col = 60};
    cr_assert_eq(ioctl(terminal, TIOCSWINSZ, &size), 0);
    vx_progress progress;
    char seen[4096];
    vx_progress_begin_on(&progress, 10, terminal);
    cr_expect_eq(progress.width, 60);
    vx_progress_set(&progress, 1, 0);
    vx_progress_set(&progress, 2, 0); /* too soon */
    vx_progress_set(&progress, 10, 3);
    vx_progress_end(&progress);
    vx_progress_set(&progress, 10, 3); /* over */
    (void)drain(master, seen, sizeof seen);
    cr_expect_not_null(strstr(seen, "1/10"), "%s", seen);
    cr_expect_null(strstr(seen, "2/10"), "%s", seen);
    cr_expect_not_null(strstr(seen, "10/10"), "%s", seen);
    cr_expect_not_null(strstr(seen, "3 failed"), "%s", seen);
    cr_expect_null(strchr(seen, '\n'), "%s", seen);
    const char *wiped = "\r\033[K";
    cr_expect_str_eq(seen + strlen(seen) - strlen(wiped), wiped);
    (void)close(terminal);
    (void)close(master);
}

Test(progress, silent_elsewhere)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    vx_progress progress;
    char seen[64];
    vx_progress_begin_on(&progress, 10, ends[1]);
    vx_progress_set(&progress, 10, 3);
    vx_progress_end(&progress);
    vx_progress_begin(&progress, 10, false);
    vx_progress_set(&progress, 10, 3);
    vx_progress_end(&progress);
    cr_expect_eq(drain(ends[0], seen, sizeof seen), 0);
    (void)close(ends[0]);
    (void)close(ends[1]);
}
