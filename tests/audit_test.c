/* SPDX-License-Identifier: MIT */
/* `voxcert audit` from end to end: findings, ports, libraries, meshes, and what is refused. */
#include <criterion/criterion.h>
#include <string.h>

#include "program.h"
#include "scratch.h"

TestSuite(audit_test, .init = scratch_open, .fini = scratch_close);

#define GRID(size)                                                                                 \
    "\"chapter\":\"build3d\",\"grid\":{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,"        \
    "\"size\":" size "}"
#define NAMED(name, size, steps)                                                                   \
    "{\"format\":\"voxcert/1\",\"name\":\"" name "\"," GRID(size) ",\"steps\":[" steps "]}\n"
#define FLOOR                                                                                      \
    "{\"op\":\"rasterize\",\"vertices\":[0.2,1.5,0.2,0.3,1.5,3.8,3.8,1.5,0.4],\"indices\":[0,1,2]" \
    "}"
#define PIPELINE                                                                                   \
    FLOOR ",{\"op\":\"lowHanging\"},{\"op\":\"ledges\"},{\"op\":\"lowHeight\"},"                   \
          "{\"op\":\"compact\",\"height\":2},{\"op\":\"erode\",\"radius\":1},"                     \
          "{\"op\":\"volume\",\"corners\":[[0,0],[3,0],[3,3]],\"minY\":0,\"maxY\":9,\"area\":7}"
#define FAILING "{\"op\":\"addSpans\",\"spans\":[[9,0,0,1,0]]}"

static const char input[] = NAMED("a", "[4,4,8]", PIPELINE)
    NAMED("b", "[4,4,8]", FAILING) "{\"format\":\"voxcert/1\"," GRID("[3,3,8]") ",\"steps\":[]}\n";
static const char huge[] = NAMED("huge", "[4096,4096,8]",
                                 "{\"op\":\"rasterize\",\"vertices\":[0,1,0,0,1,9000,9000,1,0],"
                                 "\"indices\":[0,1,2]}");

/* Whether the text has the part; a part that begins with ^ must begin it. */
static bool has(const vx_text *text, const char *part)
{
    const char *string = vx_text_string(text);
    return part[0] == '^' ? strncmp(string, part + 1, strlen(part + 1)) == 0
                          : strstr(string, part) != NULL;
}

typedef struct expected {
    const char *words;
    int status;
    const char *out, *err; /* parts */
} expected;

static void check(const expected *row, const char *given)
{
    test_run run = {0};
    test_run_voxcert(&run, row->words, given);
    cr_assert_eq(run.status, row->status, "%s: %d %s", row->words, run.status,
                 vx_text_string(&run.err));
    cr_assert(has(&run.out, row->out), "%s: %s", row->words, vx_text_string(&run.out));
    cr_assert(has(&run.err, row->err), "%s: %s", row->words, vx_text_string(&run.err));
    test_run_free(&run);
}

Test(audit_test, right_answers)
{
    static const expected rows[] = {
        {"audit -", 0, "", "^voxcert: 0 findings in 3 cases; not judged: what is "},
        {"audit - --impl fast", 0, "", "^voxcert: 0 findings in 3 cases; not judged: what is "},
        {"audit - --impl replay", 0, "", "^voxcert: 0 findings in 3 cases; not judged: what is "},
        {"audit - --name b", 0, "^note: step 0 addSpans: refused (out_of_range) by B3.2\n",
         "^voxcert: 0 findings in 1 case\n"},
        {"audit - --notes", 0, "# a\nnote: step 6 volume: centres of columns with spans: ",
         "^voxcert: 0 findings in 3 cases; not judged: what is "},
        {"audit --mesh data/level.obj --cell-size 2 --cell-height 1 --floor-row", 0, "",
         "voxcert: 0 findings in 1 case; not judged: "},
        {"audit --mesh data/heights.asc --cell-size 4 --cell-height 1", 0, "",
         "voxcert: 0 findings in 1 case; not judged: "}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check(&rows[i], input);
    }
}

Test(audit_test, what_is_refused)
{
    static const expected rows[] = {
        {"audit", 2, "", "audit: takes FILE, but 0 operands were given"},
        {"audit - -", 2, "", "audit: takes FILE, but 2 operands were given"},
        {"audit no-such-file", 2, "", "no-such-file"},
        {"audit data/level.obj", 2, "", "data/level.obj: cases are needed; --mesh reads meshes\n"},
        {"audit - --name c", 2, "", "voxcert: no case is called c\n"},
        {"audit - --impl best", 2, "", "no implementation of build3d is called best"},
        {"audit - --lib no-such.so", 3, "", "no-such.so"},
        {"audit - --impl ref --port x", 2, "", "voxcert: --port and --impl exclude each other\n"},
        {"audit - --impl ref --lib x", 2, "", "voxcert: --impl and --lib exclude each other\n"},
        {"audit - --port false", 3, "", "voxcert: --port: it exited with status 1 before"},
        {"audit - --cells 0", 2, "", "voxcert: --cells 0: a whole number from 1 to "},
        {"audit - --cell-size 1", 2, "", "voxcert: --cell-size is for --mesh; a case has its own"},
        {"audit - --floor-row", 2, "", "voxcert: --floor-row is for --mesh"},
        {"audit - --height-offset 1", 2, "", "voxcert: --height-offset is for --mesh"},
        {"audit --mesh data/level.obj --name x", 2, "", "--mesh and --name exclude each other"},
        {"audit --mesh data/level.obj --cell-size x", 2, "", "--cell-size x: a number is needed"},
        {"audit --mesh data/level.obj --spacing 1", 2, "", "--spacing means nothing for a mesh"},
        {"audit --mesh no-such.obj", 2, "", "no-such.obj"},
        {"audit --mesh data/level.obj --cells 1000", 4, "",
         "voxcert: import/level: step 0 brings the judge's work to more than 16000 cells of "
         "triangles; 1000 are allowed (--cells)\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check(&rows[i], input);
    }
    check(&(expected){"audit -", 4, "", "^voxcert: there is no case in the file\n"}, "");
    check(&(expected){"audit -", 2, "", "voxcert: standard input:1: "}, "{}\n");
    check(&(expected){"audit -", 4, "",
                      "^voxcert: huge: step 0 brings the judge's work to 16789507 cells"},
          huge);
}

/* What comes after a case that is refused is judged all the same. */
Test(audit_test, goes_on_after_a_case_that_is_too_large)
{
    vx_text both = {0};
    vx_text_format(&both, "%s%s", huge, input);
    check(&(expected){"audit -", 4, "", "^voxcert: huge: step 0 brings"}, both.bytes);
    vx_text_free(&both);
}

/* --- findings --------------------------------------------------------------------------------- */

static void check_planted(int plant, const char *options, const expected *row)
{
    const char *library = scratch_path("planted.so");
    vx_text flags = {0};
    vx_text words = {0};
    vx_text_format(&flags, "-DPLANT=%d", plant);
    test_build_library("tests/library/planted.c", flags.bytes, library);
    vx_text_format(&words, "audit - --lib %s%s", library, options);
    expected full = *row;
    full.words = words.bytes;
    check(&full, input);
    vx_text_free(&flags);
    vx_text_free(&words);
}

Test(audit_test, findings)
{
    static const char row[] = "step 0 rasterize, column (1, 3), row 2: filled, but the nearest "
                              "surface here, triangle 0, has exact v from 1.5 to 1.5; bound ";
    check_planted(2, " --name a", &(expected){"", 1, "^step 4 compact: row ", "1 finding in 1 "});
    check_planted(3, "",
                  &(expected){"", 1, "grid: the degenerate count went from 0 to 1", "3 cases"});
    check_planted(5, "", &(expected){"", 1, row, "voxcert: "});
    check_planted(5, "", &(expected){"", 1, "^# a\nstep 0 rasterize, ", "voxcert: "});
}

/* Whoever merges by < T instead of by ≤ T sees the numbers; two spans have a difference. */
Test(audit_test, merging_is_told_with_its_numbers)
{
#define ADDED(spans) "{\"op\":\"addSpans\",\"mergeThreshold\":4,\"spans\":[" spans "]}"
    static const struct {
        const char *steps, *line;
    } rows[] = {
        {ADDED("[0,0,0,1,9],[0,0,0,5,2]"),
         "merged in order it is 9: [0, 1) 9, then [0, 5) 2; 5 − 1 = 4 ≤ T = 4 (B3.4)\n"},
        {ADDED("[0,0,0,1,9]") "," ADDED("[0,0,0,6,2]"),
         "merged in order it is 2: [0, 1) 8, then [0, 6) 2; 6 − 1 = 5 > T = 4 (B3.4)\n"},
        {ADDED("[0,0,0,1,9],[0,0,1,2,2],[0,0,2,3,4]"),
         "it is 9: [0, 1) 9, then [1, 2) 2, then [2, 3) 4 (B3.4)\n"},
        {ADDED("[0,0,0,1,9],[0,0,1,2,2],[0,0,2,3,4],[0,0,3,4,4],[0,0,4,5,4]"),
         "merged in order it is 9 (B3.4)\n"},
    };
    const char *library = scratch_path("planted.so");
    vx_text words = {0};
    test_build_library("tests/library/planted.c", "-DPLANT=1", library);
    vx_text_format(&words, "audit - --lib %s", library);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text given = {0};
        vx_text_format(&given, NAMED("a", "[1,1,8]", "%s"), rows[i].steps);
        check(&(expected){words.bytes, 1, rows[i].line, "in 1 case\n"}, given.bytes);
        vx_text_free(&given);
    }
    vx_text_free(&words);
}

/* In a mesh nobody looks for columns. */
Test(audit_test, findings_about_a_mesh_say_where_it_is)
{
    const char *library = scratch_path("planted.so");
    vx_text words = {0};
    test_build_library("tests/library/planted.c", "-DPLANT=1", library);
    vx_text_format(&words, "audit --mesh data/heights.asc --cell-size 4 --cell-height 1 --lib %s",
                   library);
    check(
        &(expected){words.bytes, 1,
                    "step 0 heightGrid, column (2, 2) at x 11, z 11, row 0: area 62 of the span; ",
                    "findings in 1 case; not judged: "},
        "");
    vx_text_free(&words);
}

/* What is judged behind a change of the input would be judged against another input. */
Test(audit_test, a_library_that_changes_what_it_reads)
{
    static const char what[] = ": the implementation changed the case that it was given to read; "
                               "no later step is judged\n";
    static const struct {
        int plant;
        const char *step, *steps;
    } rows[] = {{12, "step 0 rasterize", PIPELINE},
                {13, "step 0 addSpans",
                 "{\"op\":\"addSpans\",\"spans\":[[1,1,0,1,0]]},{\"op\":\"lowHanging\"}"},
                {14, "step 6 volume", PIPELINE}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *library = scratch_path("planted.so");
        vx_text text = {0};
        vx_text line = {0};
        vx_text given = {0};
        vx_text_format(&text, "-DPLANT=%d", rows[i].plant);
        test_build_library("tests/library/planted.c", text.bytes, library);
        vx_text_format(&given, NAMED("a", "[4,4,8]", "%s"), rows[i].steps);
        vx_text_format(&line, "%s%s", rows[i].step, what);
        static const char *const commands[] = {"audit", "run"};
        for (size_t k = 0; k < sizeof commands / sizeof commands[0]; k++) {
            vx_text_clear(&text);
            vx_text_format(&text, "%s - --lib %s", commands[k], library);
            check(&(expected){text.bytes, 1, k == 0 ? line.bytes : "",
                              k == 0 ? "1 finding in 1 case" : "changed the case that it was"},
                  given.bytes);
        }
        vx_text_free(&text);
        vx_text_free(&line);
        vx_text_free(&given);
    }
}

/* 1,600 findings, of which 20 are shown unless all are wanted. */
Test(audit_test, a_flood_of_findings_is_cut)
{
    static const char wide[] =
        NAMED("wide", "[40,40,8]",
              "{\"op\":\"rasterize\",\"vertices\":[-40,1.5,-40,-40,1.5,200,200,1.5,-40],"
              "\"indices\":[0,1,2]}");
    const char *library = scratch_path("planted.so");
    test_build_library("tests/library/planted.c", "-DPLANT=6", library);
    for (int all = 0; all < 2; all++) {
        test_run run = {0};
        vx_text words = {0};
        vx_text_format(&words, "audit - --lib %s%s", library, all ? " --all" : "");
        test_run_voxcert(&run, words.bytes, wide);
        size_t lines = 0;
        for (size_t i = 0; i < run.out.size; i++) {
            lines += run.out.bytes[i] == '\n' ? 1 : 0;
        }
        cr_assert_eq(run.status, 1);
        cr_assert_eq(lines, all ? 1600 : 21, "%zu lines", lines);
        cr_assert_eq(has(&run.out, "… and 1580 more findings of this step; --all shows them\n"),
                     !all);
        cr_assert(has(&run.err, "voxcert: 1,600 findings in 1 case; not judged: "));
        vx_text_free(&words);
        test_run_free(&run);
    }
}

/* A library whose fields stay empty, and one that gives what there is not. */
Test(audit_test, libraries_that_do_nothing_of_it)
{
    static const struct {
        int fault;
        expected row;
    } rows[] = {{0, {"", 1, "empty, but triangle 0 touches this cell: exact area ", "findings"}},
                {7, {"", 1, "", "voxcert: a: step 0 rasterize: unsupported: xxx"}},
                {8, {"", 4, "", "voxcert: a: step 0 rasterize: no_memory: xxx"}},
                {9, {"", 1, "", "voxcert: a: step 0 rasterize: unknown: xxx"}},
                {10, {"", 4, "", "voxcert: a: grid: no_memory: a result of "}},
                {16, {"", 1, "", "a: step 0 rasterize: unsupported: \\x1b[2J\\x0a\\x9b\n"}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *library = scratch_path("entry.so");
        vx_text flags = {0};
        vx_text words = {0};
        vx_text_format(&flags, "-DFAULT=%d", rows[i].fault);
        test_build_library("tests/library/entry.c", flags.bytes, library);
        vx_text_format(&words, "audit - --lib %s", library);
        expected row = rows[i].row;
        row.words = words.bytes;
        check(&row, NAMED("a", "[4,4,8]", PIPELINE));
        vx_text_free(&flags);
        vx_text_free(&words);
    }
}

/* --- ports ------------------------------------------------------------------------------------ */

/* The program itself is the port, with the faults that it can play. */
Test(audit_test, ports)
{
    static const struct {
        const char *port;
        int status;
        const char *out, *err;
    } rows[] = {{"'$0' serve", 0, "^", "^voxcert: 0 findings in 3 cases; not judged: what is "},
                {"'$0' serve --bad fail", 1, "# a\n", "findings"},
                {"'$0' serve --bad crash", 1, "^", "voxcert: a: crash: "},
                {"'$0' serve --bad skip", 4, "^", "3 cases, 3 of them not judged to the end\n"},
                {"'$0' serve --bad chapterless", 4, "^", "the port does not declare the chapter"},
                {" ", 2, "^", "voxcert: --port: an empty word\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_run run = {0};
        vx_text command = {0};
        vx_text_format(&command, "\"$0\" audit - --port \"%s\"", rows[i].port);
        const char *script[] = {"sh", "-c", command.bytes, test_voxcert(), NULL};
        test_run_program(&run, NULL, script, input);
        cr_assert_eq(run.status, rows[i].status, "row %zu: %d %s %s", i, run.status,
                     vx_text_string(&run.out), vx_text_string(&run.err));
        cr_assert(has(&run.out, rows[i].out), "row %zu: %s", i, vx_text_string(&run.out));
        cr_assert(has(&run.err, rows[i].err), "row %zu: %s", i, vx_text_string(&run.err));
        vx_text_free(&command);
        test_run_free(&run);
    }
}
