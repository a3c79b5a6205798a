/* SPDX-License-Identifier: MIT */
/* The other side of the protocol: an implementation as a port, and ways to go wrong. */
#include "serve.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "chapter.h"
#include "file.h"
#include "program.h"
#include "scratch.h"

TestSuite(serve, .init = scratch_open, .fini = scratch_close);

#define CASE                                                                                       \
    "{\"format\":\"voxcert/1\",\"chapter\":\"build3d\",\"grid\":{\"origin\":[0,0,0],\"cellSize\""  \
    ":1,\"cellHeight\":1,\"size\":[2,1,8]},\"steps\":[{\"op\":\"addSpans\",\"spans\":[[0,0,0,3,"   \
    "63]]}]}"
#define RUN(id) "{\"id\":" #id ",\"op\":\"run\",\"case\":" CASE "}\n"
#define BYE "{\"id\":9,\"op\":\"bye\"}\n"
#define OUT "\"out\":{\"size\":[2,1,8],\"degenerate\":0,\"solid\":[[0,0,0,3,63]]}}\n"

/* Serves these lines and returns what was written; free it. */
static char *serve(const char *kind, const char *lines, vx_exit expected)
{
    char *written = NULL;
    size_t size = 0;
    vx_serve_options options = {.implementation = "ref",
                                .bad = kind != NULL ? vx_bad_find(kind) : NULL,
                                .in = fmemopen((void *)(uintptr_t)lines, strlen(lines), "r"),
                                .out = open_memstream(&written, &size)};
    cr_assert(options.in != NULL && options.out != NULL);
    vx_exit status = vx_serve(&options);
    (void)fclose(options.in);
    (void)fclose(options.out);
    cr_expect_eq(status, expected, "status %d after %s", (int)status, lines);
    return written;
}

#define NO_OP "\\\"op\\\" is none of \\\"hello\\\", \\\"run\\\" and \\\"bye\\\""

Test(serve, answers)
{
    static const struct {
        const char *lines;
        const char *written;
        vx_exit status;
    } rows[] = {
        {BYE, "", VX_EXIT_PASS},
        {RUN(7) BYE, "{\"id\":7," OUT, VX_EXIT_PASS},
        {RUN(7) RUN(8), "{\"id\":7," OUT "{\"id\":8," OUT, VX_EXIT_PASS},
        {RUN(7) BYE RUN(8), "{\"id\":7," OUT, VX_EXIT_PASS},
        {"{\"more\":1,\"id\":7,\"op\":\"bye\"}", "", VX_EXIT_PASS},
        {"{\"id\":7,\"op\":\"run\",\"x\":[],\"case\":{\"y\":1,\"format\":\"voxcert/1\",\"chapter\":"
         "\"build3d\",\"grid\":{\"z\":{},\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,"
         "\"size\":[2,1,8]},\"steps\":[{\"colour\":\"red\",\"op\":\"addSpans\",\"spans\":"
         "[[0,0,0,3,63]]}]}}\n",
         "{\"id\":7," OUT, VX_EXIT_PASS},
        {"nonsense\n" RUN(8),
         "{\"fault\":\"$: not JSON: invalid token near 'nonsense' at column 8\"}\n{\"id\":8," OUT,
         VX_EXIT_PASS},
        {"[7]\n", "{\"fault\":\"an object with an integer \\\"id\\\" is needed\"}\n", VX_EXIT_PASS},
        {"{\"id\":7}\n", "{\"id\":7,\"fault\":\"" NO_OP "\"}\n", VX_EXIT_PASS},
        {"{\"id\":\"7\",\"op\":\"bye\"}\n",
         "{\"fault\":\"an object with an integer \\\"id\\\" is needed\"}\n", VX_EXIT_PASS},
        {"{\"id\":7,\"op\":\"dance\"}\n" RUN(8),
         "{\"id\":7,\"fault\":\"" NO_OP "\"}\n{\"id\":8," OUT, VX_EXIT_PASS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *written = serve(NULL, rows[i].lines, rows[i].status);
        cr_expect_str_eq(written, rows[i].written, "%s", rows[i].lines);
        free(written);
    }
}

/* What it cannot read or does not know is skipped, with the reason. */
Test(serve, skips)
{
    static const char *const rows[] = {
        "{\"id\":7,\"op\":\"run\"}\n",
        "{\"id\":7,\"op\":\"run\",\"case\":{\"format\":\"voxcert/1\",\"chapter\":\"none\","
        "\"grid\":{},\"steps\":[]}}\n",
        "{\"id\":7,\"op\":\"run\",\"case\":{\"format\":\"voxcert/1\",\"chapter\":\"build3d\","
        "\"grid\":{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[2,1,8]},"
        "\"steps\":[{\"op\":\"paint\"}]}}\n",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *written = serve(NULL, rows[i], VX_EXIT_PASS);
        static const char skip[] = "{\"id\":7,\"skip\":\"$";
        cr_expect_eq(strncmp(written, skip, strlen(skip)), 0, "%s", written);
        free(written);
    }
}

Test(serve, hello)
{
    vx_text hello = {0};
    vx_text why = {0};
    vx_identity identity = {0};
    vx_hello_write(12345, &hello);
    char *written = serve(NULL, vx_text_string(&hello), VX_EXIT_PASS);
    cr_assert(vx_hello_read(written, strlen(written) - 1, 12345, &identity, &why), "%s",
              vx_text_string(&why));
    cr_expect_str_eq(identity.name, "ref");
    cr_expect(vx_identity_has_chapter(&identity, vx_chapters[0]->name));
    vx_identity_free(&identity);
    free(written);
    vx_text_free(&hello);
}

Test(serve, lossy_hello)
{
    char *written =
        serve("lossy", "{\"id\":7,\"op\":\"hello\",\"echo\":[0.1,1e308,-1e308,2]}\n", VX_EXIT_PASS);
    cr_expect_not_null(strstr(written, "\"echo\":[0.10000000149011612,3.4028234663852886e+38,"
                                       "-3.4028234663852886e+38,2]}\n"),
                       "%s", written);
    free(written);
}

/* Kinds that do nothing worse than write something else. */
Test(serve, bad_answers)
{
    static const struct {
        const char *kind;
        const char *written;
    } rows[] = {
        {"fail",
         "{\"id\":7,\"out\":{\"size\":[2,1,8],\"degenerate\":0,\"solid\":[[1,0,0,3,63]]}}\n"},
        {"constant", "{\"id\":7,\"out\":{\"error\":\"argument\",\"step\":77}}\n"},
        {"skip", "{\"id\":7,\"skip\":\"not today\"}\n"},
        {"fault", "{\"id\":7,\"fault\":\"IndexOutOfRangeException: 7\"}\n"},
        {"echo", RUN(7)},
        {"zero",
         "{\"id\":7,\"out\":{\"size\":[2,1,8],\"degenerate\":-0,\"solid\":[[0,0,0,3,63]]}}\n"},
        {"fraction",
         "{\"id\":7,\"out\":{\"size\":[2,1,8],\"degenerate\":0,\"solid\":[[0,0,0,3,63.0]]}}\n"},
        {"exponent",
         "{\"id\":7,\"out\":{\"size\":[2,1,8],\"degenerate\":0,\"solid\":[[0,0,0,3,63e0]]}}\n"},
        {"desync", "{\"id\":6,\"skip\":\"the id is another one\"}\n"},
        {"twice", "{\"id\":7," OUT "{\"id\":7," OUT},
        {"garbage", "solving case 1\n{\"id\":7," OUT},
        {"pieces", "{\"id\":7," OUT},
        {"unstable", "{\"id\":7," OUT},
        {"crash-later", "{\"id\":7," OUT},
        {"hang-later", "{\"id\":7," OUT},
        {"banner", "Welcome to the port!\n{\"id\":7," OUT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *written = serve(rows[i].kind, RUN(7), VX_EXIT_PASS);
        cr_expect_str_eq(written, rows[i].written, "%s", rows[i].kind);
        free(written);
    }
}

#define ERROR_CASE                                                                                 \
    "{\"id\":7,\"op\":\"run\",\"case\":{\"format\":\"voxcert/"                                     \
    "1\",\"chapter\":\"build3d\",\"grid\":"                                                        \
    "{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[2,0,8]},\"steps\":[]}}\n"
#define EMPTY_CASE                                                                                 \
    "{\"id\":7,\"op\":\"run\",\"case\":{\"format\":\"voxcert/"                                     \
    "1\",\"chapter\":\"build3d\",\"grid\":"                                                        \
    "{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[2,1,8]},\"steps\":[]}}\n"

/* Any answer can be made wrong, but a refusal cannot. */
Test(serve, wrong_answers)
{
    static const struct {
        const char *line;
        const char *written;
    } rows[] = {
        {ERROR_CASE, "{\"id\":7,\"out\":{\"error\":\"out_of_range\",\"step\":0}}\n"},
        {EMPTY_CASE, "{\"id\":7,\"out\":{\"size\":[3,1,8],\"degenerate\":0,\"solid\":[]}}\n"},
        {"{\"id\":7,\"op\":\"run\"}\n", "{\"id\":7,\"skip\":\"$.case: is missing\"}\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *written = serve("fail", rows[i].line, VX_EXIT_PASS);
        cr_expect_str_eq(written, rows[i].written);
        free(written);
    }
}

/* Writes until the device is full. */
Test(serve, kinds_that_flood)
{
    char *written = serve("oversize", RUN(7), VX_EXIT_PASS);
    cr_expect_gt(strlen(written), (size_t)80 << 20);
    cr_expect_null(memchr(written, '\n', (size_t)80 << 20));
    free(written);
    FILE *full = fopen("/dev/full", "we");
    vx_text line = {0};
    vx_bad_find("deaf")->hello(full, &line);
    cr_expect(ferror(full));
    (void)fclose(full);
}

Test(serve, crashes_by_exit, .exit_code = 3)
{
    vx_bad_find("crash")->run(&(vx_reply){.number = 1});
}

Test(serve, crashes_later_by_exit, .exit_code = 3)
{
    vx_reply reply = {.number = 1};
    vx_bad_find("crash-later")->run(&reply);
    reply.number = 2;
    vx_bad_find("crash-later")->run(&reply);
}

Test(serve, dies_at_hello, .exit_code = 9)
{
    vx_text line = {0};
    vx_bad_find("dead")->hello(stdout, &line);
}

Test(serve, crashes_by_signal, .signal = SIGSEGV)
{
    vx_bad_find("signal")->run(&(vx_reply){.number = 1});
}

Test(serve, every_kind_has_a_use)
{
    for (size_t i = 0; i < vx_bad_count; i++) {
        const vx_bad *bad = &vx_bads[i];
        cr_expect_eq(vx_bad_find(bad->name), bad, "%s comes twice", bad->name);
        cr_expect(bad->start != NULL || bad->hello != NULL || bad->run != NULL ||
                      bad->bye != NULL || bad->lossy || bad->chapterless || bad->protocol != 0,
                  "%s", bad->name);
    }
    cr_expect_null(vx_bad_find("good"));
}

Test(serve, command)
{
    static const struct {
        const char *words;
        int status;
        const char *message;
    } rows[] = {
        {"serve --bad nonsense", 2, "--bad nonsense: no such kind"},
        {"serve --impl ref --lib x.so", 2, "only one of --impl and --lib"},
        {"serve --impl none", 2, "no implementation of build3d is called none"},
        {"serve --lib /no/such/file.so", 2, "/no/such/file.so"},
        {"serve --every 0", 2, "--every 0"},
        {"serve --delay -1", 2, "--delay -1"},
        {"serve extra", 2, "operand"},
        {"serve", 0, ""},
    };
    test_run run = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_run_voxcert(&run, rows[i].words, BYE);
        cr_expect_eq(run.status, rows[i].status, "%s: %d", rows[i].words, run.status);
        cr_expect_not_null(strstr(vx_text_string(&run.err), rows[i].message), "%s: %s",
                           rows[i].words, vx_text_string(&run.err));
    }
    test_run_voxcert(&run, "serve --bad help", "");
    cr_expect_eq(run.status, 0);
    for (size_t i = 0; i < vx_bad_count; i++) {
        cr_expect_not_null(strstr(vx_text_string(&run.out), vx_bads[i].name), "%s",
                           vx_bads[i].name);
    }
    test_run_free(&run);
}

/* Whoever listens may go away. */
Test(serve, nobody_listens)
{
    FILE *full = fopen("/dev/full", "we");
    vx_serve_options options = {.implementation = "ref",
                                .in = fmemopen((void *)(uintptr_t)RUN(7), strlen(RUN(7)), "r"),
                                .out = full};
    cr_expect_eq(vx_serve(&options), VX_EXIT_INTERNAL);
    (void)fclose(options.in);
    (void)fclose(full);
}

/* An input that cannot be read ends the port with a message. */
Test(serve, input_that_fails)
{
    vx_text command = {0};
    test_run run = {0};
    vx_text_format(&command, "exec '%s' serve <.", test_voxcert());
    test_run_program(&run, NULL, (const char *const[]){"sh", "-c", command.bytes, NULL}, "");
    cr_expect_eq(run.status, 2, "%d", run.status);
    cr_expect_not_null(strstr(vx_text_string(&run.err), "standard input: Is a directory"), "%s",
                       vx_text_string(&run.err));
    vx_text_free(&command);
    test_run_free(&run);
}

/* Lines are bounded, whoever writes them. */
Test(serve, lines)
{
    enum { MOST = 5000 };
    static const struct {
        size_t size;
        vx_line ended, open; /* with a line end, and without one */
    } rows[] = {
        {0, VX_LINE_WHOLE, VX_LINE_END},        {1, VX_LINE_WHOLE, VX_LINE_CUT},
        {4096, VX_LINE_WHOLE, VX_LINE_CUT},     {MOST, VX_LINE_WHOLE, VX_LINE_CUT},
        {MOST + 1, VX_LINE_LONG, VX_LINE_LONG},
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        bool ends = i % 2 == 0;
        size_t size = rows[i / 2].size;
        vx_text content = {0};
        vx_text line = {0};
        vx_text_format(&content, "%0*d", (int)size, 0);
        content.size = size;
        vx_text_add(&content, ends ? "\n\n" : "");
        FILE *file = fmemopen(content.bytes, content.size > 0 ? content.size : 1, "r");
        cr_assert(file != NULL && (content.size > 0 || getc(file) != EOF));
        cr_expect_eq(vx_line_read(file, MOST, &line), ends ? rows[i / 2].ended : rows[i / 2].open,
                     "%zu bytes", size);
        cr_expect_eq(line.size, size, "%zu bytes: %zu", size, line.size);
        (void)fclose(file);
        vx_text_free(&content);
        vx_text_free(&line);
    }
}
