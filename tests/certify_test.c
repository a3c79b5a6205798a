/* SPDX-License-Identifier: MIT */
/* voxcert certify from end to end: each bad port gets its verdict and its exit status. */
#include "certify.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "generate.h"
#include "program.h"
#include "reference.h"
#include "scratch.h"

TestSuite(certify, .init = scratch_open, .fini = scratch_close);

/* --- helpers ---------------------------------------------------------------------------------- */

static void add_case(vx_text *text, int number)
{
    int height = 1 + number % 7;
    vx_text_format(text,
                   "{\"format\":\"voxcert/1\",\"name\":\"build3d/test/case-%d\",\"chapter\":"
                   "\"build3d\",\"clauses\":[\"B3.%d\"],\"note\":\"A span.\",\"flags\":[],"
                   "\"grid\":{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[2,1,%d]}"
                   ",\"steps\":[{\"op\":\"addSpans\",\"spans\":[[0,0,0,%d,63]]}],\"expect\":{"
                   "\"size\":[2,1,%d],\"degenerate\":0,\"solid\":[[0,0,0,%d,63]]}}\n",
                   number, 2 + number % 3, 8 + number, height, 8 + number, height);
}

/* A file of so many cases, all with another name and content. */
static const char *write_cases(int count)
{
    vx_text text = {0};
    for (int i = 0; i < count; i++) {
        add_case(&text, i);
    }
    const char *path = scratch_write("cases.jsonl", vx_text_string(&text));
    vx_text_free(&text);
    return path;
}

/* Runs `voxcert certify` with words that a shell reads; $V is the program and $C the cases. */
static void certify(test_run *run, const char *format, ...)
{
    vx_text command = {0};
    char words[4096];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(words, sizeof words, format, list);
    va_end(list);
    vx_text_format(&command, "V='%s'; C='%s'; export V C; exec \"$V\" certify %s", test_voxcert(),
                   scratch_path("cases.jsonl"), words);
    test_run_program(run, NULL, (const char *const[]){"sh", "-c", command.bytes, NULL}, "");
    vx_text_free(&command);
}

/* The verdict's count in the footer of a results file. */
static int count_of(const char *path, const char *verdict)
{
    vx_text text = scratch_read(path);
    text.bytes[text.size - 1] = '\0';
    const char *last = strrchr(text.bytes, '\n');
    json_t *footer = json_loads(last != NULL ? last : "", 0, NULL);
    json_t *count = json_object_get(json_object_get(footer, "counts"), verdict);
    int value = json_is_integer(count) ? (int)json_integer_value(count) : -1;
    json_decref(footer);
    vx_text_free(&text);
    return value;
}

/* The footer's digest; valid until the next call. */
static const char *digest_of(const char *path)
{
    static char digest[65];
    vx_text text = scratch_read(path);
    const char *found = strstr(vx_text_string(&text), "\"sha256\":\"");
    cr_assert_not_null(found, "%s", path);
    (void)snprintf(digest, sizeof digest, "%.64s", found + strlen("\"sha256\":\""));
    vx_text_free(&text);
    return digest;
}

static void expect_part(const vx_text *text, const char *part, const char *what)
{
    cr_expect_not_null(strstr(vx_text_string(text), part), "%s: \"%s\" is missing in\n%s", what,
                       part, vx_text_string(text));
}

/* --- the table of verdicts -------------------------------------------------------------------- */

enum { CASES = 4 };

#define PATIENT "--timeout 30"

/* How many of CASES cases get the verdict; the others pass. */
static const struct {
    const char *kind;
    const char *options;
    const char *verdict;
    int count;
    int status;
    const char *part; /* of the report */
} kinds[] = {
    {"fail", PATIENT, "fail", 4, 1, "solid row 0, x: expected 0, got 1"},
    {"constant", PATIENT, "fail", 4, 1, "argument"},
    {"malformed", PATIENT, "fail", 4, 1, "the answer is malformed: $.out"},
    {"unstable", PATIENT, "unstable", 3, 1, "first: solid row 0, x: expected 0, got 1"},
    {"skip", PATIENT, "skip", 4, 4, "not today"},
    {"chapterless", PATIENT, "skip", 4, 4, "not among those that the port declares"},
    {"fault", PATIENT, "fault", 4, 1, "IndexOutOfRangeException: 7"},
    {"echo", PATIENT, "garbage", 4, 1, "a member that is none of"},
    {"zero", PATIENT, "noncanonical", 4, 1, "the number -0 stands"},
    {"fraction", PATIENT, "noncanonical", 4, 1, "the number 63.0 stands"},
    {"exponent", PATIENT, "noncanonical", 4, 1, "the number 63e0 stands"},
    {"crash", PATIENT, "crash", 4, 1, "it exited with status 3"},
    {"signal", PATIENT, "crash", 4, 1, "signal 11"},
    {"crash-later", PATIENT, "crash", 3, 1, "crash (stateful: asked alone it passes)"},
    {"hang", "--timeout 0.4", "hang", 4, 1, "no answer in 0.4 s; alone: no answer in 2 s"},
    {"hang-later", "--timeout 1", "hang", 0, 0, "3 cases gave no answer in time at first"},
    {"slow", "--timeout 2", "hang", 0, 0, "PASSED: all 4 cases of "},
    {"garbage", PATIENT, "garbage", 4, 1, "`solving case 1`; does it print to standard output?"},
    {"truncated", PATIENT, "truncated", 4, 1, "the output ended inside the line `{\"id\":"},
    {"oversize", PATIENT, "oversize", 4, 1, "bytes of output came for an answer"},
    {"desync", PATIENT, "desync", 4, 1, "was not the open one"},
    {"twice", PATIENT, "desync", 4, 1, "was not the open one"},
    {"early", PATIENT, "desync", 4, 1, "whose id, 1, was not the open one"},
    {"deaf", PATIENT, "desync", 4, 1, "whose id, 1, was not the open one"},
    {"chatty", PATIENT, "fail", 0, 0, "PASSED: all 4 cases of "},
    {"pieces", PATIENT, "fail", 0, 0, "PASSED: all 4 cases of "},
    {"stubborn", "--timeout 1", "fail", 0, 0, "after bye it went on running and had to be killed"},
    {"status", PATIENT, "fail", 0, 0, "after bye it exited with status 7"},
    {"daemon", PATIENT, "fail", 0, 0, "PASSED: all 4 cases of "},
};

Test(certify, bad_ports)
{
    test_run run = {0};
    const char *path = scratch_path("results.jsonl");
    (void)write_cases(CASES);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *kind = kinds[i].kind;
        double begin = vx_now();
        certify(&run,
                "--port '\"$V\" serve --delay 0.2 --bad %s' --vectors \"$C\" --results '%s' %s",
                kind, path, kinds[i].options);
        cr_expect_eq(run.status, kinds[i].status, "%s: status %d\n%s%s", kind, run.status,
                     vx_text_string(&run.out), vx_text_string(&run.err));
        cr_expect_eq(count_of(path, kinds[i].verdict), kinds[i].count, "%s: %d of %s", kind,
                     count_of(path, kinds[i].verdict), kinds[i].verdict);
        cr_expect_eq(count_of(path, "pass"), CASES - kinds[i].count, "%s", kind);
        expect_part(&run.out, kinds[i].part, kind);
        cr_expect_lt(vx_now() - begin, 40, "%s took too long", kind);
    }
    test_run_free(&run);
}

Test(certify, ports_that_do_not_start)
{
    static const struct {
        const char *command;
        const char *part;
    } rows[] = {
        {"\"$V\" serve --bad banner", "`Welcome to the port!`; does it print"},
        {"\"$V\" serve --bad lossy", "echo 0.1 came back as 0.10000000149011612: the port's JSON"},
        {"\"$V\" serve --bad protocol", "it speaks protocol 2, and this kit protocol 1"},
        {"\"$V\" serve --bad no-hello", "it did not answer hello within 3 s"},
        {"\"$V\" serve --bad dead", "exited with status 9 before it answered hello\nIts standard "
                                    "error ends:\n  no licence found"},
        {"/no/such/program", "exited with status 127 (command not found)"},
        {"cat", "its answer to hello has no \"name\""},
        {"echo {}", "lacks \"protocol\": 1"},
        {"true", "exited with status 0 before it answered hello"},
        {"printf half", "exited with status 0 before it answered hello"},
        {"kill -9 $$", "was killed by signal 9 (Killed)"},
        {"head -c 3000000 /dev/zero", "it answered hello with more than"},
    };
    test_run run = {0};
    (void)write_cases(CASES);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *timeout = strstr(rows[i].command, "no-hello") != NULL ? "0.2" : "2";
        certify(&run, "--port '%s' --vectors \"$C\" --timeout %s", rows[i].command, timeout);
        cr_expect_eq(run.status, 3, "%s: status %d", rows[i].command, run.status);
        expect_part(&run.err, rows[i].part, rows[i].command);
        cr_expect_eq(run.out.size, 0, "%s", rows[i].command);
    }
    test_run_free(&run);
}

/* One answer in a hundred is wrong, and that is found. */
Test(certify, rarely_wrong)
{
    test_run run = {0};
    const char *path = scratch_path("results.jsonl");
    (void)write_cases(600);
    certify(&run, "--port 'exec \"$V\" serve --bad rarely' --vectors \"$C\" --results '%s'", path);
    cr_expect_eq(run.status, 1);
    cr_expect_gt(count_of(path, "fail"), 0);
    cr_expect_lt(count_of(path, "fail"), 30);
    cr_expect_eq(count_of(path, "fail") + count_of(path, "pass"), 600);
    test_run_free(&run);
}

/* --- targets ---------------------------------------------------------------------------------- */

Test(certify, built_in)
{
    test_run run = {0};
    (void)write_cases(CASES);
    certify(&run, "--vectors \"$C\"");
    cr_expect_eq(run.status, 0);
    expect_part(&run.out, "serve --impl ref", "live");
    expect_part(&run.out, "PASSED: all 4 cases", "live");
    certify(&run, "--vectors \"$C\" --impl ref --quiet");
    cr_expect_eq(run.status, 0);
    cr_expect_eq(strncmp(vx_text_string(&run.out), "PASSED: all 4 cases", 19), 0);
    certify(&run, "--vectors \"$C\" --impl ref --verbose");
    expect_part(&run.out, "pass         build3d/test/case-0\n", "verbose");
    test_run_free(&run);
}

/* A shared library is certified in a process of its own. */
Test(certify, library)
{
    test_run run = {0};
    (void)write_cases(CASES);
    const char *source =
        scratch_write("entry.c", "#include \"voxcert/build3d.h\"\n"
                                 "const vx_build3d_impl *vx_build3d_entry(uint32_t abi);\n"
                                 "const vx_build3d_impl *vx_build3d_entry(uint32_t abi)\n"
                                 "{\n    return abi == VX_BUILD3D_ABI ? &vx_ref_build3d : 0;\n}\n");
    const char *library = scratch_path("mine.so");
    test_build_library(source, "", library);
    certify(&run, "--vectors \"$C\" --lib '%s'", library);
    cr_expect_eq(run.status, 0, "%s", vx_text_string(&run.err));
    expect_part(&run.out, "  implementation ref (mine.so)\n", "library");
    certify(&run, "--vectors \"$C\" --lib \"$C\"");
    cr_expect_eq(run.status, 3);
    expect_part(&run.err,
                "voxcert: the library cannot be certified: it could not be loaded\n  voxcert: /",
                "no library");
    test_run_free(&run);
}

/* A library is not called a port, and a crash is called what `run` calls it. */
Test(certify, libraries_that_end_the_program)
{
    static const struct {
        int fault;
        const char *options;
        int status;
        const char *out, *err;
    } rows[] = {
        {12, "", 1,
         "  crash  build3d/test/case-0\n      A span.\n      the library crashed (Aborted)\n", ""},
        {13, "", 1, "      the library ended the program with status 0\n", ""},
        {12, "--max-restarts 1", 1,
         "the library had to be started again 1 time; --max-restarts N allows more\n", ""},
        {14, "", 3, "",
         "voxcert: the library cannot be certified: it ended the program with status 0 while it "
         "was "
         "loaded\n"},
        {17, "--timeout 0.1", 3, "", "it was not loaded within 1.5 s\n"},
        {18, "", 3, "", "it crashed (Aborted) while it was loaded\n"},
    };
    test_run run = {0};
    (void)write_cases(CASES);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *library = scratch_path("entry.so");
        vx_text flags = {0};
        vx_text_format(&flags, "-DFAULT=%d", rows[i].fault);
        test_build_library("tests/library/entry.c", flags.bytes, library);
        certify(&run, "--vectors \"$C\" --lib '%s' %s", library, rows[i].options);
        cr_expect_eq(run.status, rows[i].status, "%d: %d", rows[i].fault, run.status);
        expect_part(&run.out, rows[i].out, flags.bytes);
        expect_part(&run.err, rows[i].err, flags.bytes);
        vx_text_free(&flags);
    }
    test_run_free(&run);
}

/* --- what leads on ---------------------------------------------------------------------------- */

/* The report's command that begins with these words, without the program. */
static void run_tool(const vx_text *report, const char *words, test_run *run)
{
    vx_text command = {0};
    const char *found = strstr(vx_text_string(report), words);
    cr_assert_not_null(found, "%s: %s", words, vx_text_string(report));
    vx_text_format(&command, "exec '%s' ", test_voxcert());
    vx_text_add_bytes(&command, found, strcspn(found, "\n"));
    test_run_program(run, NULL, (const char *const[]){"sh", "-c", command.bytes, NULL}, "");
    vx_text_free(&command);
}

/* A wrong answer's report ends with commands that work as they stand. */
Test(certify, a_failure_leads_on_to_the_other_commands)
{
    test_run run = {0};
    test_run tool = {0};
    const char *library = scratch_path("planted.so");
    const char *picture = scratch_path("case.svg");
    (void)write_cases(CASES);
    test_build_library("tests/library/planted.c", "-DPLANT=6", library);
    certify(&run, "--vectors \"$C\" --lib '%s'", library);
    cr_expect_eq(run.status, 1);
    expect_part(&run.out, "\n  A closer look, here at build3d/test/case-0:\n", "heading");
    run_tool(&run.out, "run /", &tool);
    cr_expect_eq(tool.status, 1, "%s", vx_text_string(&tool.err));
    expect_part(&tool.out, "\n+0 0 0 2 63\n", "run --diff");
    run_tool(&run.out, "audit /", &tool);
    cr_expect_eq(tool.status, 1, "%s", vx_text_string(&tool.err));
    expect_part(&tool.out, "step 0 addSpans, column (0, 0), row 1: filled, but", "audit");
    const char *draw = strstr(run.out.bytes, "draw /");
    cr_assert_not_null(draw);
    vx_text command = {0};
    vx_text_add_bytes(&command, draw, (size_t)(strstr(draw, "case.svg\n") - draw));
    vx_text_format(&command, "%s\n", picture);
    run_tool(&command, "draw /", &tool);
    cr_expect_eq(tool.status, 0, "%s", vx_text_string(&tool.err));
    cr_expect_eq(access(picture, R_OK), 0);
    vx_text_free(&command);
    test_run_free(&tool);
    test_run_free(&run);
}

/* What certifies otherwise leads on otherwise; where no file can be read again, nothing does. */
Test(certify, commands_that_lead_on_have_the_target)
{
    test_run run = {0};
    (void)write_cases(CASES);
    certify(&run, "--port '\"$V\" serve --bad fail' --vectors \"$C\" " PATIENT);
    expect_part(&run.out, " --name build3d/test/case-0 --port '\"$V\" serve --bad fail' --diff\n",
                "port");
    certify(&run, "--port '\"$V\" serve --bad fail' --vectors - <\"$C\" " PATIENT);
    expect_part(&run.out, "FAILED: 4 of 4 cases", "standard input");
    cr_expect_null(strstr(run.out.bytes, "A closer look"));
    certify(&run, "--port '\"$V\" serve --bad crash' --vectors \"$C\" " PATIENT);
    cr_expect_null(strstr(run.out.bytes, "A closer look"), "a crash has no answer to look into");
    (void)scratch_write(
        "cases.jsonl", "{\"format\":\"voxcert/1\",\"name\":\"a\",\"chapter\":\"build3d\",\"grid\":{"
                       "\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[1,1,1]},"
                       "\"steps\":[],\"expect\":{\"error\":\"argument\",\"step\":-1}}\n");
    certify(&run, "--impl fast --vectors \"$C\"");
    expect_part(&run.out, " --name a --impl fast --out case.svg\n", "implementation");
    cr_expect_null(strstr(run.out.bytes, " --diff"), "an error has no rows");
    test_run_free(&run);
}

Test(certify, memory_limit)
{
    test_run run = {0};
    (void)write_cases(CASES);
    certify(&run, "--vectors \"$C\" --memory 1");
    cr_expect_eq(run.status, 3, "nothing starts in 1 MiB: status %d", run.status);
    test_run_free(&run);
}

/* --- options ---------------------------------------------------------------------------------- */

Test(certify, usage)
{
    static const struct {
        const char *words;
        const char *part;
    } rows[] = {
        {"--port '' --vectors \"$C\"", "--port: a command is needed"},
        {"--port ' ' --vectors \"$C\"", "--port: a command is needed"},
        {"--port a --impl ref", "only one of --port, --lib and --impl"},
        {"--impl none", "no implementation of build3d is called none"},
        {"--lib /no/such.so", "--lib /no/such.so: cannot be read: No such file"},
        {"--vectors /no/such.jsonl", "--vectors /no/such.jsonl: cannot be read: No such file"},
        {"--tier fast", "--tier fast: smoke, ci or full is needed"},
        {"--shard 3", "--shard 3: I/N with 1 <= I <= N"},
        {"--shard 0/4", "--shard 0/4"},
        {"--shard 5/4", "--shard 5/4"},
        {"--shard 1/4x", "--shard 1/4x"},
        {"--shard /", "--shard /"},
        {"--shard 1/99999999999999999999", "--shard 1/9999"},
        {"--jobs 0", "--jobs 0: a whole number from 1 to 256"},
        {"--jobs many", "--jobs many"},
        {"--timeout 0.01", "--timeout 0.01"},
        {"--timeout soon", "--timeout soon"},
        {"--max-restarts -1", "--max-restarts -1"},
        {"--memory 0", "--memory 0"},
        {"--quiet --verbose", "contradict"},
        {"--results a --resume b", "--results has no place"},
        {"--vectors \"$C\" --resume /no/such", "/no/such: cannot be read"},
        {"--vectors \"$C\" --results /no/such/file", "/no/such/file: cannot be created"},
        {"--vectors \"$C\" --resume \"$C\"", "cases.jsonl:1: no header of voxcert-results/1"},
        {"--impl ref extra", "operand"},
        {"--colour", "no such option"},
        {"--tier ci --tier full", "certify: --tier is given twice, as ci and full"},
        {"--quiet --quiet", "certify: --quiet is given twice;"},
        {"--impl ref --filter B3 --filter b2.99", "--filter b2.99: no such clause or section"},
    };
    test_run run = {0};
    (void)write_cases(CASES);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        certify(&run, "%s", rows[i].words);
        cr_expect_eq(run.status, 2, "%s: status %d", rows[i].words, run.status);
        expect_part(&run.err, rows[i].part, rows[i].words);
        cr_expect_eq(run.out.size, 0, "%s: %s", rows[i].words, vx_text_string(&run.out));
    }
    test_run_free(&run);
}

/* Nothing that ran nothing is green. */
Test(certify, incomplete)
{
    test_run run = {0};
    vx_text broken = {0};
    add_case(&broken, 0);
    vx_text_add(&broken, "{\"format\":\"voxcert/1\"}\n");
    (void)write_cases(CASES);
    const char *bad = scratch_write("bad.jsonl", vx_text_string(&broken));
    const char *empty = scratch_write("empty.jsonl", "");
    certify(&run, "--impl ref --vectors \"$C\" --filter nothing-is-called-this");
    cr_expect_eq(run.status, 4);
    expect_part(&run.err, "--filter nothing-is-called-this: of 4 cases none has such", "filter");
    certify(&run, "--impl ref --vectors \"$C\" --shard 9/9");
    cr_expect_eq(run.status, 4);
    certify(&run, "--impl ref --vectors '%s'", empty);
    cr_expect_eq(run.status, 4);
    certify(&run, "--impl ref --vectors '%s'", bad);
    cr_expect_eq(run.status, 4);
    expect_part(&run.err, "bad.jsonl:2: ", "corrupt");
    certify(&run, "--impl ref --vectors \"$C\" --vectors '%s'", bad);
    cr_expect_eq(run.status, 4, "the second file counts too");
    vx_text_free(&broken);
    test_run_free(&run);
}

Test(certify, results_file_is_full)
{
    test_run run = {0};
    (void)write_cases(40);
    certify(&run, "--impl ref --vectors \"$C\" --results /dev/full");
    cr_expect_eq(run.status, 2);
    expect_part(&run.err, "/dev/full: cannot be written: No space left on device", "full");
    vx_text command = {0};
    vx_text_format(&command,
                   "trap '' XFSZ; ulimit -f 4; exec '%s' certify --vectors '%s' --results '%s'",
                   test_voxcert(), scratch_path("cases.jsonl"), scratch_path("results.jsonl"));
    test_run_program(&run, NULL, (const char *const[]){"sh", "-c", command.bytes, NULL}, "");
    cr_expect_eq(run.status, 5, "status %d", run.status);
    expect_part(&run.err, "results.jsonl: cannot be written: File too large", "limit");
    expect_part(&run.out, "the results file could not be written", "limit");
    vx_text_free(&command);
    test_run_free(&run);
}

/* The project's own vectors are found from where the program lies, and a report names the command
 * that repeats a case. */
Test(certify, own_vectors)
{
    test_run run = {0};
    certify(&run, "--impl ref --tier smoke");
    cr_expect_eq(run.status, 0, "%s%s", vx_text_string(&run.out), vx_text_string(&run.err));
    expect_part(&run.out, "PASSED, but only a part was asked: ", "smoke");
    certify(&run, "--port 'exec \"$V\" serve --bad fail --every 9' --tier smoke --max-restarts 3");
    cr_expect_eq(run.status, 1);
    expect_part(&run.out,
                "/voxcert certify --port 'exec \"$V\" serve --bad fail --every 9' --filter ",
                "again");
    certify(&run, "--impl ref --tier full --filter /gen/ --shard 1/500");
    cr_expect_eq(run.status, 0, "%s", vx_text_string(&run.err));
    test_run_free(&run);
}

/* --- parts of a whole ------------------------------------------------------------------------- */

/* The names in a results file, in its order, added to a sorted list of all. */
static json_t *names_of(const char *path)
{
    vx_text text = scratch_read(path);
    json_t *names = json_object();
    for (char *line = strtok(text.bytes, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        json_t *object = json_loads(line, 0, NULL);
        json_t *name = json_object_get(object, "case");
        if (name != NULL) {
            (void)json_object_set_new(names, json_string_value(name), json_true());
        }
        json_decref(object);
    }
    vx_text_free(&text);
    return names;
}

Test(certify, shards_make_the_whole)
{
    enum { ALL = 25, SHARDS = 4 };
    test_run run = {0};
    json_t *all = json_object();
    size_t sum = 0;
    (void)write_cases(ALL);
    for (int shard = 1; shard <= SHARDS; shard++) {
        const char *path = scratch_path("shard.jsonl");
        certify(&run, "--impl ref --vectors \"$C\" --shard %d/%d --results '%s'", shard,
                (int)SHARDS, path);
        cr_expect_eq(run.status, 0);
        json_t *names = names_of(path);
        sum += json_object_size(names);
        (void)json_object_update(all, names);
        json_decref(names);
    }
    cr_expect_eq(sum, ALL, "a case stands in two shards, or in none");
    cr_expect_eq(json_object_size(all), ALL);
    json_decref(all);
    test_run_free(&run);
}

/* The verdicts do not depend on how many run at a time. */
Test(certify, jobs)
{
    test_run run = {0};
    char digests[3][65];
    static const char *const words[] = {"", "--jobs 4", "--jobs 200"};
    (void)write_cases(40);
    for (size_t i = 0; i < 3; i++) {
        const char *path = scratch_path("jobs.jsonl");
        certify(&run,
                "--port 'exec \"$V\" serve --bad fail --every 3' --vectors \"$C\" --results '%s' "
                "--timeout 30 %s",
                path, words[i]);
        cr_expect_eq(run.status, 1);
        cr_expect_gt(count_of(path, "fail"), 0);
        cr_expect_gt(count_of(path, "pass"), 0);
        (void)snprintf(digests[i], sizeof digests[i], "%s", digest_of(path));
        cr_expect_str_eq(digests[i], digests[0], "%s", words[i]);
    }
    test_run_free(&run);
}

Test(certify, restart_budget)
{
    static const struct {
        const char *kind;
        int restarts;
        int failed;
        const char *verdict;
        const char *part;
    } rows[] = {
        {"crash", 3, 2, "crash",
         "the port had to be started again 3 times; --max-restarts N allows more"},
        {"crash", 0, 1, "crash", "had to be started again 0 times; --max"},
        {"hang-later", 1, 0, "hang", "no answer in 0.5 s; alone: not tried any more"},
        {"garbage", 2, 3, "garbage", "not run: "},
        {"twice", 1, 1, "desync", "not run: "},
    };
    test_run run = {0};
    (void)write_cases(6);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *path = scratch_path("results.jsonl");
        certify(&run,
                "--port 'exec \"$V\" serve --bad %s' --vectors \"$C\" --results '%s' "
                "--max-restarts %d --timeout 0.5",
                rows[i].kind, path, rows[i].restarts);
        cr_expect_eq(run.status, rows[i].failed > 0 ? 1 : 4, "%s", rows[i].kind);
        cr_expect_geq(count_of(path, rows[i].verdict), rows[i].failed, "%s: %d", rows[i].kind,
                      count_of(path, rows[i].verdict));
        cr_expect_gt(count_of(path, "not run"), 0, "%s", rows[i].kind);
        expect_part(&run.out, rows[i].part, rows[i].kind);
    }
    test_run_free(&run);
}

/* What several ports do alike is told once. */
Test(certify, notes_are_told_once)
{
    test_run run = {0};
    (void)write_cases(6);
    certify(&run, "--port 'exec \"$V\" serve --bad status' --vectors \"$C\" --jobs 3 " PATIENT);
    const char *note = strstr(vx_text_string(&run.out), "after bye it exited with status 7");
    cr_assert_not_null(note);
    cr_expect_null(strstr(note + 1, "after bye it"));
    test_run_free(&run);
}

/* A case that the reference itself takes long for may take longer than the least time. */
Test(certify, patience_grows_with_the_reference)
{
    enum { FILTERS = 3000 };
    test_run run = {0};
    vx_arena arena;
    vx_text line = {0};
    vx_case item;
    vx_problem problem = {0};
    vx_text_add(&line,
                "{\"format\":\"voxcert/1\",\"name\":\"build3d/test/heavy\",\"chapter\":\"build3d\","
                "\"grid\":{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[16,16,8]},"
                "\"steps\":[{\"op\":\"rasterize\",\"vertices\":[0,1,0,0,1,16,16,1,16,16,1,0],"
                "\"indices\":[0,1,2,0,2,3]}");
    for (int i = 0; i < FILTERS; i++) {
        vx_text_add(&line, ",{\"op\":\"ledges\",\"height\":1,\"climb\":1000}");
    }
    vx_text_add(&line, "]}");
    cr_assert(vx_case_read(line.bytes, line.size, &item, &problem), "%s", problem.message);
    vx_reference_arena(&arena);
    cr_assert(vx_answer_case(&item, &arena));
    vx_text_clear(&line);
    vx_case_write(&item, &line);
    vx_text_add_char(&line, '\n');
    (void)scratch_write("cases.jsonl", line.bytes);
    certify(&run,
            "--port 'exec \"$V\" serve --bad slow --delay 0.8' --vectors \"$C\" --timeout 0.4");
    cr_expect_eq(run.status, 0, "%s%s", vx_text_string(&run.out), vx_text_string(&run.err));
    cr_expect_null(strstr(vx_text_string(&run.out), "no answer in time"));
    vx_case_free(&item);
    vx_arena_free(&arena);
    vx_text_free(&line);
    test_run_free(&run);
}

/* A second answer that fails to come is tried alone too before it is called unstable. */
Test(certify, silent_when_asked_again)
{
    test_run run = {0};
    const char *path = scratch_path("results.jsonl");
    (void)write_cases(2);
    certify(&run,
            "--port 'exec \"$V\" serve --bad fail-then-hang' --vectors \"$C\" --timeout 0.5 "
            "--results '%s'",
            path);
    cr_expect_eq(run.status, 1);
    cr_expect_eq(count_of(path, "fail"), 2, "%s", vx_text_string(&run.out));
    test_run_free(&run);
}

/* A port that starts once and never again. */
Test(certify, a_port_that_does_not_start_again)
{
    test_run run = {0};
    const char *path = scratch_path("results.jsonl");
    const char *flag = scratch_path("started");
    (void)write_cases(6);
    certify(&run,
            "--port 'test ! -e %s || exit 5; touch %s; exec \"$V\" serve --bad garbage' --vectors "
            "\"$C\" --results '%s'",
            flag, flag, path);
    cr_expect_eq(run.status, 1);
    cr_expect_eq(count_of(path, "garbage"), 1);
    cr_expect_eq(count_of(path, "not run"), 5);
    expect_part(&run.out, "the port did not start: it exited with status 5", "restart");
    test_run_free(&run);
}

/* --- interrupted and resumed ------------------------------------------------------------------ */

static size_t lines_of(const char *path)
{
    vx_text text = scratch_read(path);
    size_t count = 0;
    for (size_t i = 0; i < text.size; i++) {
        count += text.bytes[i] == '\n' ? 1 : 0;
    }
    vx_text_free(&text);
    return count;
}

/* Starts a run over 40 slow cases and ends it with the signal when a few are judged. */
static int interrupt(const char *path, int number)
{
    vx_text command = {0};
    vx_text_format(&command,
                   "V='%s'; export V; exec \"$V\" certify --port 'exec \"$V\" serve --bad slow "
                   "--delay 0.1' --vectors '%s' --results '%s' >'%s' 2>&1",
                   test_voxcert(), scratch_path("cases.jsonl"), path, scratch_path("report"));
    pid_t child = fork();
    if (child == 0) {
        /* Whoever runs the tests may ignore it: nohup does. */
        (void)signal(number, SIG_DFL);
        (void)execl("/bin/sh", "sh", "-c", command.bytes, (char *)NULL);
        _exit(127);
    }
    vx_text_free(&command);
    double deadline = vx_now() + 30;
    bool begun = false;
    while (!begun && vx_now() < deadline) {
        (void)usleep(20000);
        begun = access(path, R_OK) == 0 && lines_of(path) > 3;
    }
    cr_assert_eq(kill(child, number), 0);
    int status = 0;
    cr_assert_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

Test(certify, interrupted_and_resumed)
{
    enum { ALL = 40 };
    static const struct {
        int signal;
        int status;
    } rows[] = {{SIGINT, 4}, {SIGTERM, 4}, {SIGHUP, 4}, {SIGKILL, -SIGKILL}};
    test_run run = {0};
    (void)write_cases(ALL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *path = scratch_path("results.jsonl");
        (void)remove(path);
        int status = interrupt(path, rows[i].signal);
        cr_expect_eq(status, rows[i].status, "signal %d: %d", rows[i].signal, status);
        if (rows[i].signal != SIGKILL) {
            vx_text report = scratch_read(scratch_path("report"));
            expect_part(&report, "cases, interrupted\n", "report");
            expect_part(&report, "\nINTERRUPTED: ", "report");
            expect_part(&report, "results.jsonl\n", "report");
            vx_text_free(&report);
            cr_expect_gt(count_of(path, "pass"), 0);
            cr_expect_gt(count_of(path, "not run"), 0);
        }
        size_t before = lines_of(path);
        certify(&run,
                "--port 'exec \"$V\" serve --bad slow --delay 0.1' --vectors \"$C\" --resume '%s'",
                path);
        cr_expect_eq(run.status, 0, "%s%s", vx_text_string(&run.out), vx_text_string(&run.err));
        expect_part(&run.out, "PASSED: all 40 cases", "resumed");
        cr_expect_eq(count_of(path, "pass"), ALL);
        cr_expect_eq(count_of(path, "not run"), 0);
        cr_expect_lt(lines_of(path) - before, ALL, "cases were run again");
    }
    test_run_free(&run);
}

Test(certify, resumed_after_a_cut)
{
    test_run run = {0};
    (void)write_cases(10);
    const char *path = scratch_path("results.jsonl");
    certify(&run, "--impl ref --vectors \"$C\" --results '%s'", path);
    char whole[65];
    (void)snprintf(whole, sizeof whole, "%s", digest_of(path));
    vx_text text = scratch_read(path);
    for (size_t cut = text.size - 1; cut > text.size / 2; cut -= 37) {
        vx_text part = {0};
        vx_text_add_bytes(&part, text.bytes, cut);
        (void)scratch_write("results.jsonl", part.bytes);
        certify(&run, "--impl ref --vectors \"$C\" --resume '%s'", path);
        cr_expect_eq(run.status, 0, "cut at %zu: %s", cut, vx_text_string(&run.err));
        cr_expect_str_eq(digest_of(path), whole);
        cr_expect_eq(lines_of(path), 12, "cut at %zu", cut);
        vx_text_free(&part);
    }
    vx_text_free(&text);
    test_run_free(&run);
}

/* The options of the run come from its file, with all that a shell needs quotes for. */
Test(certify, resumed_without_options)
{
    test_run run = {0};
    (void)write_cases(10);
    const char *path = scratch_path("results.jsonl");
    certify(&run,
            "--port 'it=\"'\\''\\$\"; exec \"$V\" serve' --timeout 3 --vectors \"$C\" --filter B3 "
            "--filter "
            "'*/case-[1-4]' --shard 1/2 --results '%s'",
            path);
    cr_assert_eq(run.status, 0, "%s", vx_text_string(&run.err));
    vx_text whole = scratch_read(path);
    vx_text part = {0};
    vx_text_add_bytes(&part, whole.bytes, (size_t)(strchr(whole.bytes, '\n') + 1 - whole.bytes));
    (void)scratch_write("results.jsonl", part.bytes);
    certify(&run, "--resume '%s'", path);
    cr_expect_eq(run.status, 0, "%s%s", vx_text_string(&run.out), vx_text_string(&run.err));
    expect_part(&run.out, ", shard 1/2: ", "resumed");
    vx_text again = scratch_read(path);
    cr_expect_gt(lines_of(path), 3, "%s", again.bytes);
    cr_expect_eq(strncmp(again.bytes, part.bytes, part.size), 0);
    cr_expect_eq((int)lines_of(path), count_of(path, "pass") + 2);
    /* A header that is no command of certify. */
    vx_text_clear(&part);
    vx_text_add(&part, whole.bytes);
    char *option = strstr(part.bytes, "--timeout");
    memcpy(option, "--timeouX", 9);
    (void)scratch_write("results.jsonl", part.bytes);
    certify(&run, "--resume '%s'", path);
    cr_expect_eq(run.status, 2);
    expect_part(&run.err, "its header does not say how to go on", "header");
    vx_text_free(&again);
    vx_text_free(&part);
    vx_text_free(&whole);
    test_run_free(&run);
}

Test(certify, resuming_another_run)
{
    static const struct {
        const char *words;
        const char *member;
    } rows[] = {
        {"--port '\"$V\" serve'",
         "\"how\" in its header is \"implementation\", here it is \"port\""},
        {"--tier smoke", "\"tier\" in its header is \"ci\", here it is \"smoke\""},
        {"--impl ref --vectors \"$C\" --filter B3 --filter case-1",
         "\"filter\" in its header is \"\", here it is \"B3 --filter case-1\""},
        {"--shard 1/2", "\"shard\" in its header is \"1/1\", here it is \"1/2\""},
        {"--impl ref --vectors \"$C\" --vectors other.jsonl", "\"vectors\""},
    };
    test_run run = {0};
    const char *path = scratch_path("results.jsonl");
    vx_text other = {0};
    (void)write_cases(10);
    certify(&run, "--impl ref --vectors \"$C\" --results '%s'", path);
    cr_expect_eq(run.status, 0);
    vx_text before = scratch_read(path);
    add_case(&other, 77);
    (void)scratch_write("other.jsonl", vx_text_string(&other));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text words = {0};
        const char *found = strstr(rows[i].words, "other.jsonl");
        vx_text_format(&words, "%.*s%s", (int)(found != NULL ? found - rows[i].words : 1000),
                       rows[i].words, found != NULL ? scratch_path("other.jsonl") : "");
        certify(&run, "%s --resume '%s'", vx_text_string(&words), path);
        cr_expect_eq(run.status, 2, "%s", rows[i].words);
        expect_part(&run.err, rows[i].member, rows[i].words);
        vx_text after = scratch_read(path);
        cr_expect_str_eq(after.bytes, before.bytes, "%s changed the file", rows[i].words);
        vx_text_free(&after);
        vx_text_free(&words);
    }
    vx_text_free(&other);
    vx_text_free(&before);
    test_run_free(&run);
}

/* --- inside the process ----------------------------------------------------------------------- */

/* A case whose answer the kit does not know yet, for targets that are tested by hand. */
static void read_case(vx_case *item)
{
    vx_text line = {0};
    vx_problem problem = {0};
    add_case(&line, 1);
    cr_assert(vx_case_read(line.bytes, line.size - 1, item, &problem), "%s", problem.message);
    vx_text_free(&line);
}

/* Ids are random, and only what PROTOCOL.md says is sent. */
Test(certify, ids_are_random)
{
    char lines[2][4096] = {"", ""};
    (void)write_cases(3);
    for (int i = 0; i < 2; i++) {
        test_run run = {0};
        const char *log = scratch_path("log");
        certify(&run, "--port 'tee %s | \"$V\" serve' --vectors \"$C\"", log);
        cr_expect_eq(run.status, 0, "%s", vx_text_string(&run.err));
        vx_text text = scratch_read(log);
        cr_expect_null(strstr(text.bytes, "case-"), "a name was sent");
        cr_expect_null(strstr(text.bytes, "expect"), "an answer was sent");
        cr_expect_null(strstr(text.bytes, "B3."), "a clause was sent");
        size_t used = 0;
        long last = -2;
        for (char *id = strstr(text.bytes, "{\"id\":"); id != NULL;
             id = strstr(id + 1, "{\"id\":")) {
            long value = strtol(id + 6, NULL, 10);
            cr_expect(value >= 0 && value < 2147483648, "%ld", value);
            cr_expect_neq(value, last + 1, "sequential");
            last = value;
            used += (size_t)snprintf(lines[i] + used, sizeof lines[i] - used, "%ld ", value);
        }
        vx_text_free(&text);
        test_run_free(&run);
    }
    cr_expect_str_neq(lines[0], lines[1]);
}

/* Surplus output after bye, when no case was asked, is odd but nobody's failure. */
Test(certify, surplus_without_a_case)
{
    vx_target target;
    vx_outcome outcome = {0};
    vx_text why = {0};
    vx_text command = {0};
    vx_text_format(&command, "exec '%s' serve --bad early", test_voxcert());
    vx_target_options options = {.command = command.bytes, .timeout = 5};
    vx_target_init(&target, &options);
    cr_assert(vx_target_start(&target, &why), "%s", vx_text_string(&why));
    cr_expect(!vx_target_finish(&target, &outcome));
    cr_expect_eq(outcome.verdict, VX_PASS);
    cr_expect_not_null(strstr(vx_text_string(&outcome.detail), "nobody asked for"));
    vx_outcome_free(&outcome);
    vx_text_free(&why);
    vx_target_free(&target);
    vx_text_free(&command);
}

/* An interrupt while the answer is awaited leaves the case not run. */
Test(certify, interrupted_wait)
{
    static volatile sig_atomic_t stop;
    vx_target target;
    vx_case item;
    vx_outcome outcome = {0};
    vx_text why = {0};
    vx_text command = {0};
    read_case(&item);
    vx_text_format(&command, "exec '%s' serve --bad hang", test_voxcert());
    vx_target_options options = {.command = command.bytes, .timeout = 5, .stop = &stop};
    vx_target_init(&target, &options);
    cr_assert(vx_target_start(&target, &why), "%s", vx_text_string(&why));
    stop = 1;
    vx_target_ask(&target, &item, 3, 1, &outcome);
    cr_expect(!outcome.answered);
    cr_expect_eq(outcome.verdict, VX_NOT_RUN);
    cr_expect_eq(outcome.charged, 3);
    cr_expect(!target.running);
    cr_expect(!vx_target_start(&target, &why));
    cr_expect_str_eq(vx_text_string(&why), "interrupted");
    vx_outcome_free(&outcome);
    vx_text_free(&why);
    vx_target_free(&target);
    vx_text_free(&command);
    vx_case_free(&item);
}
