/* SPDX-License-Identifier: MIT */
/* One line on the terminal that says how far a long command is. */
#include "progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"

enum { WIDTH = 80, BAR_MIN = 8, BAR_MAX = 40 };

static const double INTERVAL = 0.1; /* between two drawings, in seconds */

void vx_progress_begin_on(vx_progress *progress, size_t total, int end)
{
    struct winsize size;
    *progress = (vx_progress){.end = -1, .total = total, .width = WIDTH, .begin = vx_now()};
    if (isatty(end) == 1) {
        progress->end = end;
        if (ioctl(end, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
            progress->width = size.ws_col;
        }
    }
}

void vx_progress_begin(vx_progress *progress, size_t total, bool shown)
{
    vx_progress_begin_on(progress, total, shown ? STDERR_FILENO : -1);
}

/* "1:02:03", "2:03" or "3 s". */
static void add_duration(vx_text *text, double seconds)
{
    unsigned long long whole = (unsigned long long)seconds;
    if (whole >= 3600) {
        vx_text_format(text, "%llu:%02llu:%02llu", whole / 3600, whole / 60 % 60, whole % 60);
    } else if (whole >= 60) {
        vx_text_format(text, "%llu:%02llu", whole / 60, whole % 60);
    } else {
        vx_text_format(text, "%llu s", whole);
    }
}

static void add_bar(vx_text *text, size_t width, size_t done, size_t total)
{
    size_t filled = total > 0 ? width * done / total : width;
    vx_text_add_char(text, '[');
    for (size_t i = 0; i < width; i++) {
        vx_text_add_char(text, i < filled ? '#' : '.');
    }
    vx_text_add(text, "] ");
}

void vx_progress_line(vx_text *text, size_t width, size_t done, size_t total, size_t failed,
                      double seconds)
{
    vx_text facts = {0};
    double rate = seconds > 0 ? (double)done / seconds : 0;
    vx_text_format(&facts, "%zu/%zu", done, total);
    if (rate > 0) {
        vx_text_format(&facts, "  %.*f/s", rate < 10 ? 1 : 0, rate);
    }
    if (rate > 0 && done < total) {
        vx_text_add(&facts, "  ");
        add_duration(&facts, (double)(total - done) / rate);
        vx_text_add(&facts, " left");
    }
    if (failed > 0) {
        vx_text_format(&facts, "  %zu failed", failed);
    }
    size_t brackets = 3;
    if (width > facts.size + brackets + BAR_MIN) {
        size_t bar = width - 1 - facts.size - brackets;
        add_bar(text, bar < BAR_MAX ? bar : BAR_MAX, done, total);
    }
    vx_text_add_bytes(text, facts.bytes, facts.size < width ? facts.size : width);
    vx_text_free(&facts);
}

/* Replaces what the terminal's line shows. */
static void draw(const vx_progress *progress, const char *line)
{
    vx_text text = {0};
    vx_text_format(&text, "\r%s\033[K", line);
    /* A terminal that does not take it is no reason to stop. */
    ssize_t size = write(progress->end, text.bytes, text.size);
    (void)size;
    vx_text_free(&text);
}

void vx_progress_set(vx_progress *progress, size_t done, size_t failed)
{
    if (progress->end < 0) {
        return;
    }
    double now = vx_now();
    if (progress->shown > 0 && done < progress->total && now - progress->shown < INTERVAL) {
        return;
    }
    vx_text line = {0};
    vx_progress_line(&line, progress->width, done, progress->total, failed, now - progress->begin);
    draw(progress, vx_text_string(&line));
    progress->shown = now;
    vx_text_free(&line);
}

void vx_progress_hide(vx_progress *progress)
{
    if (progress->shown > 0) {
        draw(progress, "");
        progress->shown = 0;
    }
}

void vx_progress_end(vx_progress *progress)
{
    vx_progress_hide(progress);
    progress->end = -1;
}
