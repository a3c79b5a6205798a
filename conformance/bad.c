/* SPDX-License-Identifier: MIT */
/* Ways in which a port can go wrong: at least one for each row of the table of verdicts. */
#include "bad.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"

/* --- wrong answers ------------------------------------------------------------------------------
 */

/* The protocol's answer with these members instead of the honest ones. */
static void answer_with(vx_reply *reply, const char *members)
{
    vx_text_clear(reply->line);
    vx_text_format(reply->line, "{\"id\":%lld,%s}", (long long)reply->id, members);
}

/* The honest answer but for one number. */
static void be_wrong(vx_reply *reply)
{
    vx_result *result = reply->result;
    if (result == NULL) {
        return;
    }
    if (result->error != VX_OK) {
        result->step++;
    } else if (result->rows > 0) {
        result->cells[0]++;
    } else {
        result->facts[0]++;
    }
    vx_text_clear(reply->line);
    vx_text_format(reply->line, "{\"id\":%lld,\"out\":", (long long)reply->id);
    vx_result_write(reply->shape, result, reply->line);
    vx_text_add_char(reply->line, '}');
}

static void be_constant(vx_reply *reply)
{
    answer_with(reply, "\"out\":{\"error\":\"argument\",\"step\":77}");
}

static void be_malformed(vx_reply *reply)
{
    answer_with(reply, "\"out\":{\"rows\":[]}");
}

static void be_unstable(vx_reply *reply)
{
    if (reply->number % 2 == 0) {
        be_wrong(reply);
    }
}

static void skip(vx_reply *reply)
{
    answer_with(reply, "\"skip\":\"not today\"");
}

static void report_fault(vx_reply *reply)
{
    answer_with(reply, "\"fault\":\"IndexOutOfRangeException: 7\"");
}

static void echo_question(vx_reply *reply)
{
    vx_text_clear(reply->line);
    vx_text_add_bytes(reply->line, reply->question, reply->question_size);
}

/* --- numbers that are no plain integers ---------------------------------------------------------
 */

/* Writes text behind the answer's last number or, when before, in front of its first member 0. */
static void disfigure(vx_reply *reply, const char *text, bool before)
{
    vx_text *line = reply->line;
    size_t end = line->size;
    while (end > 0 && !(line->bytes[end - 1] >= '0' && line->bytes[end - 1] <= '9')) {
        end--;
    }
    if (before) {
        const char *zero = strstr(vx_text_string(line), ":0,");
        end = zero != NULL ? (size_t)(zero - line->bytes) + 1 : 0;
    }
    if (end > 0) {
        vx_text tail = {0};
        vx_text_add(&tail, line->bytes + end);
        line->size = end;
        vx_text_add(line, text);
        vx_text_add_bytes(line, tail.bytes, tail.size);
        vx_text_free(&tail);
    }
}

static void sign_zero(vx_reply *reply)
{
    disfigure(reply, "-", true);
}

static void add_fraction(vx_reply *reply)
{
    disfigure(reply, ".0", false);
}

static void add_exponent(vx_reply *reply)
{
    disfigure(reply, "e0", false);
}

/* --- a process that ends or sleeps --------------------------------------------------------------
 */

static void crash(vx_reply *reply)
{
    (void)reply;
    exit(3);
}

static void crash_by_signal(vx_reply *reply)
{
    (void)reply;
    (void)signal(SIGSEGV, SIG_DFL);
    (void)raise(SIGSEGV);
}

static void crash_later(vx_reply *reply)
{
    if (reply->number > 1) {
        crash(reply);
    }
}

static _Noreturn void sleep_for_ever(void)
{
    for (;;) {
        (void)pause();
    }
}

static void hang(vx_reply *reply)
{
    (void)reply;
    sleep_for_ever();
}

static void hang_later(vx_reply *reply)
{
    if (reply->number > 1) {
        sleep_for_ever();
    }
}

static void be_wrong_then_hang(vx_reply *reply)
{
    hang_later(reply);
    be_wrong(reply);
}

static void be_slow(vx_reply *reply)
{
    (void)usleep((useconds_t)(reply->delay * 1e6));
}

static void hang_at_hello(FILE *out, vx_text *line)
{
    (void)out;
    (void)line;
    sleep_for_ever();
}

static void die_at_hello(FILE *out, vx_text *line)
{
    (void)out;
    (void)line;
    (void)fputs("no licence found\n", stderr);
    exit(9);
}

/* --- output that nobody asked for ---------------------------------------------------------------
 */

static void print_banner(FILE *out)
{
    (void)fputs("Welcome to the port!\n", out);
}

static void print_debugging(vx_reply *reply)
{
    (void)fprintf(reply->out, "solving case %zu\n", reply->number);
}

static void cut_line(vx_reply *reply)
{
    (void)fwrite(reply->line->bytes, 1, reply->line->size / 2, reply->out);
    (void)fflush(reply->out);
    exit(0);
}

static void flood(vx_reply *reply)
{
    enum { BLOCKS = 80, BLOCK = 1 << 20 };
    char *block = vx_must_alloc(BLOCK, 1);
    memset(block, ' ', BLOCK);
    for (int i = 0; i < BLOCKS; i++) {
        (void)fwrite(block, 1, BLOCK, reply->out);
    }
    free(block);
}

static void change_id(vx_reply *reply)
{
    reply->id ^= 1;
    answer_with(reply, "\"skip\":\"the id is another one\"");
}

static void answer_twice(vx_reply *reply)
{
    vx_text once = {0};
    vx_text_add_bytes(&once, reply->line->bytes, reply->line->size);
    vx_text_add_char(reply->line, '\n');
    vx_text_add_bytes(reply->line, once.bytes, once.size);
    vx_text_free(&once);
}

static void answer_early(FILE *out, vx_text *line)
{
    (void)out;
    vx_text_add(line, "\n{\"id\":1,\"skip\":\"before I was asked\"}");
}

/* Never reads again: ends when nobody reads from it. */
static void write_without_reading(FILE *out, vx_text *line)
{
    (void)fprintf(out, "%s\n", vx_text_string(line));
    while (fputs("{\"id\":1,\"skip\":\"and another one\"}\n", out) >= 0) {
    }
}

static void chatter(vx_reply *reply)
{
    enum { LINES = 20000 };
    for (int i = 0; i < LINES; i++) {
        (void)fprintf(stderr, "question %zu, thought %d of %d\n", reply->number, i, LINES);
    }
}

/* In many pieces, each sent at once: odd, but correct. */
static void send_pieces(vx_reply *reply)
{
    for (size_t i = 0; i < reply->line->size; i++) {
        (void)fputc(reply->line->bytes[i], reply->out);
        (void)fflush(reply->out);
    }
    vx_text_clear(reply->line);
}

/* --- the end ------------------------------------------------------------------------------------
 */

static void ignore_sigterm(FILE *out)
{
    (void)out;
    (void)signal(SIGTERM, SIG_IGN);
}

static int stay(void)
{
    sleep_for_ever();
}

static int end_with_status(void)
{
    return 7;
}

/* A child that keeps the output open long after its parent. */
static void leave_daemon(FILE *out)
{
    enum { SECONDS = 20 };
    (void)fflush(out);
    if (fork() == 0) {
        (void)sleep(SECONDS);
        _exit(0);
    }
}

/* --- the list -----------------------------------------------------------------------------------
 */

const vx_bad vx_bads[] = {
    {.name = "fail", .what = "one number of each answer is wrong", .run = be_wrong},
    {.name = "rarely", .what = "so is one answer in a hundred", .run = be_wrong, .every = 100},
    {.name = "constant", .what = "always the same answer", .run = be_constant},
    {.name = "malformed", .what = "an answer of another shape", .run = be_malformed},
    {.name = "unstable", .what = "every second answer is wrong", .run = be_unstable},
    {.name = "skip", .what = "skips every case", .run = skip},
    {.name = "fault", .what = "reports an exception", .run = report_fault},
    {.name = "echo", .what = "sends the question back", .run = echo_question},
    {.name = "zero", .what = "writes an integer as -0", .run = sign_zero},
    {.name = "fraction", .what = "writes an integer as 1.0", .run = add_fraction},
    {.name = "exponent", .what = "writes an integer as 1e0", .run = add_exponent},
    {.name = "crash", .what = "exits with status 3 instead of answering", .run = crash},
    {.name = "signal", .what = "dies of a signal instead of answering", .run = crash_by_signal},
    {.name = "crash-later", .what = "exits at any question but the first", .run = crash_later},
    {.name = "hang", .what = "does not answer", .run = hang},
    {.name = "hang-later", .what = "answers the first question only", .run = hang_later},
    {.name = "fail-then-hang", .what = "a wrong answer, then none", .run = be_wrong_then_hang},
    {.name = "slow", .what = "answers after --delay seconds", .run = be_slow},
    {.name = "garbage", .what = "prints a line before each answer", .run = print_debugging},
    {.name = "truncated", .what = "exits in the middle of a line", .run = cut_line},
    {.name = "oversize", .what = "writes 80 MiB without a line end", .run = flood},
    {.name = "desync", .what = "answers with another id", .run = change_id},
    {.name = "twice", .what = "answers each question twice", .run = answer_twice},
    {.name = "early", .what = "answers before it is asked", .hello = answer_early},
    {.name = "deaf", .what = "writes without reading", .hello = write_without_reading},
    {.name = "chatty", .what = "writes a lot to standard error (harmless)", .run = chatter},
    {.name = "pieces", .what = "flushes after every byte (harmless)", .run = send_pieces},
    {.name = "banner", .what = "prints a line when it starts", .start = print_banner},
    {.name = "lossy", .what = "keeps numbers as binary32", .lossy = true},
    {.name = "protocol", .what = "speaks protocol 2", .protocol = VX_PROTOCOL + 1},
    {.name = "chapterless", .what = "declares no chapter", .chapterless = true},
    {.name = "no-hello", .what = "does not answer hello", .hello = hang_at_hello},
    {.name = "dead", .what = "exits at hello", .hello = die_at_hello},
    {.name = "stubborn",
     .what = "ignores SIGTERM and does not end (harmless)",
     .start = ignore_sigterm,
     .bye = stay},
    {.name = "status", .what = "exits with status 7 at the end (harmless)", .bye = end_with_status},
    {.name = "daemon", .what = "leaves a child behind (harmless)", .start = leave_daemon},
};

const size_t vx_bad_count = sizeof vx_bads / sizeof vx_bads[0];

const vx_bad *vx_bad_find(const char *name)
{
    for (size_t i = 0; i < vx_bad_count; i++) {
        if (strcmp(vx_bads[i].name, name) == 0) {
            return &vx_bads[i];
        }
    }
    return NULL;
}
