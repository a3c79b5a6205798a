/* SPDX-License-Identifier: MIT */
/* voxcert vectors, from end to end: good files, and bad ones with what is said about each. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generate.h"
#include "home.h"
#include "program.h"
#include "scratch.h"

TestSuite(vectors, .init = scratch_open, .fini = scratch_close);

/* A vector line in parts, so that a test can put another part in. */
#define NAME "{\"format\":\"voxcert/1\",\"name\":\"build3d/topic/one\",\"chapter\":\"build3d\","
#define CITES "\"clauses\":[\"B3.3\"],\"note\":\"A span.\",\"flags\":[],"
#define GRID "\"grid\":{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[1,1,8]},"
#define STEPS "\"steps\":[{\"op\":\"addSpans\",\"spans\":[[0,0,0,1,63]],\"mergeThreshold\":4}]"
#define EXPECT ",\"expect\":{\"size\":[1,1,8],\"degenerate\":0,\"solid\":[[0,0,0,1,63]]}}\n"
#define GOOD NAME CITES GRID STEPS EXPECT
#define TWO "{\"format\":\"voxcert/1\",\"name\":\"build3d/topic/two\",\"chapter\":\"build3d\","

static void expect_said(const test_run *run, int status, const char *out, const char *err)
{
    cr_expect_eq(run->status, status, "status %d: %s%s", run->status, vx_text_string(&run->out),
                 vx_text_string(&run->err));
    cr_expect_not_null(strstr(vx_text_string(&run->out), out), "out: %s",
                       vx_text_string(&run->out));
    cr_expect_not_null(strstr(vx_text_string(&run->err), err), "err: %s",
                       vx_text_string(&run->err));
}

/* Runs `voxcert vectors WORDS PATH`. */
static void run_vectors(test_run *run, const char *words, const char *path)
{
    vx_text line = {0};
    vx_text_format(&line, "vectors %s%s%s", words, path[0] != '\0' ? " " : "", path);
    test_run_voxcert(run, line.bytes, "");
    vx_text_free(&line);
}

static void expect_content(const char *path, const char *content)
{
    vx_text text = scratch_read(path);
    cr_expect_str_eq(vx_text_string(&text), content, "%s", path);
    vx_text_free(&text);
}

/* --- usage ----------------------------------------------------------------------------------- */

Test(vectors, usage)
{
    static const struct {
        const char *words, *err;
    } rows[] = {
        {"", "takes ACTION [FILE|DIR"},
        {"draw", "vectors draw: list, fill, check, lock, add or generate is needed"},
        {"fill", "vectors fill: a FILE is needed"},
        {"check --names", "vectors check: takes no --names"},
        {"list --family all", "vectors list: takes no --family"},
        {"list /no/such/file", "/no/such/file: No such file or directory"},
        {"check /no/such/file", "/no/such/file: No such file or directory"},
        {"fill /no/such/file", "/no/such/file: No such file or directory"},
        {"lock /no/such/file", "/no/such/file: a directory is needed"},
        {"fill -", "-: fill rewrites files"},
        {"fill tests", "tests: fill rewrites files"},
        {"list tests/plain", "tests/plain: no *.jsonl file below it"},
        {"check tests/plain", "tests/plain: no *.jsonl file below it"},
        {"add", "vectors add: FILE [DIR] is needed"},
        {"add a b c", "vectors add: FILE [DIR] is needed"},
        {"add a --topic A/b", "--topic A/b: small letters, digits and - are needed"},
        {"add a --note \t", "--note: it is empty; a vector says what it shows"},
        {"add /no/such/file", "/no/such/file: No such file or directory"},
        {"add /no/such/file /no/such/dir", "/no/such/dir: a directory of vectors is needed"},
        {"check --topic a", "vectors check: takes no --topic"},
        {"generate file.jsonl", "takes no file"},
        {"generate --seeds 1..9", "--seeds needs --family NAME, or all"},
        {"generate --out file", "--out needs --family NAME, or all"},
        {"generate --family none", "--family none: there is none of that name"},
        {"generate --family all --seeds 5..4", "--seeds 5..4: A..B with 0 <= A <= B"},
        {"generate --family all --seeds x", "--seeds x: A..B"},
        {"generate --family all --seeds -1..2", "--seeds -1..2: A..B"},
        {"generate --family all --seeds 1..", "--seeds 1..: A..B"},
        {"generate --family all --seeds 1-2", "--seeds 1-2: A..B"},
        {"generate --family all --seeds 0..1000000", "--seeds 0..1000000: A..B"},
        {"generate --family all --seeds 99999999999999999999", "A..B"},
        {"generate --family all --count 0", "--count 0: a whole number from 1"},
        {"generate --family boxes --out a --into b", "--out and --into exclude each other"},
        {"generate --family boxes --count 1 --out /no/such/directory/file", "/no/such/directory"},
        {"generate --family boxes --count 1 --into /no/such/directory", "/no/such/directory"},
    };
    test_run run = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run_vectors(&run, rows[i].words, "");
        expect_said(&run, 2, "", rows[i].err);
    }
    test_run_free(&run);
}

/* Without operands the project's own vectors are meant; VOXCERT_DATA says where they are. */
Test(vectors, own_vectors)
{
    test_run run = {0};
    cr_assert_eq(setenv("VOXCERT_DATA", scratch_path(""), 1), 0);
    run_vectors(&run, "check", "");
    expect_said(&run, 4, "", "the vectors are not where the program looks for them");
    (void)scratch_write("vectors/a.jsonl", GOOD);
    run_vectors(&run, "check", "");
    expect_said(&run, 0, "1 vector, 0 faults; 1 name is not locked yet", "");
    run_vectors(&run, "list", "");
    expect_said(&run, 0, "     1  vector in 1 file\n", "");
    test_run_free(&run);
}

/* --- list ------------------------------------------------------------------------------------ */

Test(vectors, list)
{
    test_run run = {0};
    const char *file = scratch_write("list/a.jsonl", GOOD TWO CITES GRID STEPS "}\n");
    run_vectors(&run, "list", file);
    expect_said(&run, 0, "     2  ", "");
    expect_said(&run, 0, "     2  B3.3\n     0  B3.4\n", "");
    cr_expect_null(strstr(run.out.bytes, "build3d/topic/two"));
    run_vectors(&run, "list --names", scratch_path("list"));
    expect_said(&run, 0, "\n          build3d/topic/one\n          build3d/topic/two\n", "");
    run_vectors(&run, "list", scratch_write("list/b.jsonl", "{\n"));
    expect_said(&run, 2, "", "b.jsonl:1: ");
    test_run_free(&run);
}

/* --- fill ------------------------------------------------------------------------------------ */

/* A case of many spans in a column, with or without an answer and the flag of a digest. */
static void add_long_case(vx_text *text, int spans)
{
    vx_text_format(text,
                   "%s\"clauses\":[\"B3.3\"],\"note\":\"Many.\",\"flags\":[],\"grid\":{\"origin\":["
                   "0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[1,1,900]},\"steps\":[{\"op\":"
                   "\"addSpans\",\"spans\":[",
                   TWO);
    for (int i = 0; i < spans; i++) {
        vx_text_format(text, "%s[0,0,%d,%d,63]", i > 0 ? "," : "", 2 * i, 2 * i + 1);
    }
    vx_text_add(text, "],\"mergeThreshold\":0}]}\n");
}

Test(vectors, fill)
{
    test_run run = {0};
    const char *file = scratch_write("a.jsonl", NAME CITES GRID STEPS "}\n");
    run_vectors(&run, "fill", file);
    expect_said(&run, 0, "1 answer filled in, 0 were there", "");
    expect_content(file, GOOD);
    run_vectors(&run, "fill", file);
    expect_said(&run, 0, "0 answers filled in, 1 was there", "");
    expect_content(file, GOOD);
    /* Members in another order and white space. */
    (void)scratch_write(
        "a.jsonl", NAME CITES STEPS
        ", " GRID "\"expect\":{\"size\":[1,1,8],\"solid\":[[0,0,0,1,63]],\"degenerate\":0}}\n");
    run_vectors(&run, "fill", file);
    expect_said(&run, 0, "0 answers filled in, 1 was there", "");
    expect_content(file, GOOD);
    test_run_free(&run);
}

Test(vectors, fill_errors_and_digests)
{
    static const char list[] = NAME CITES GRID
        "\"steps\":[{\"op\":\"rasterize\",\"vertices\":[],\"indices\":[0],\"slopeCosine\":1,"
        "\"mergeThreshold\":4}],\"expect\":{\"error\":[\"argument\",\"out_of_range\"],\"step\":0}}"
        "\n";
    test_run run = {0};
    const char *file = scratch_write("a.jsonl", list);
    run_vectors(&run, "fill", file);
    expect_said(&run, 0, "0 answers filled in", "");
    expect_content(file, list);
    vx_text text = {0};
    add_long_case(&text, VX_ANSWER_ROWS_MAX);
    (void)scratch_write("a.jsonl", text.bytes);
    run_vectors(&run, "fill", file);
    expect_said(&run, 0, "1 answer filled in", "");
    vx_text filled = scratch_read(file);
    cr_expect_null(strstr(filled.bytes, "sha256"), "as many rows as may be");
    vx_text_clear(&text);
    vx_text_free(&filled);
    add_long_case(&text, VX_ANSWER_ROWS_MAX + 1);
    (void)scratch_write("a.jsonl", text.bytes);
    run_vectors(&run, "fill", file);
    expect_said(&run, 0, "1 answer filled in", "");
    filled = scratch_read(file);
    cr_expect_not_null(strstr(filled.bytes, "\"flags\":[\"digest\"]"));
    cr_expect_not_null(strstr(filled.bytes, "\"rows\":201,\"sha256\":\""));
    run_vectors(&run, "check", file);
    expect_said(&run, 0, "1 vector, 0 faults\n", "");
    vx_text_free(&filled);
    vx_text_free(&text);
    test_run_free(&run);
}

Test(vectors, fill_changes_no_answer)
{
    static const struct {
        const char *steps, *err;
    } rows[] = {
        {STEPS ",\"expect\":{\"size\":[1,1,8],\"degenerate\":0,\"solid\":[[0,0,0,2,63]]}}\n",
         "build3d/topic/one: the reference answers otherwise: "},
        {STEPS ",\"expect\":{\"error\":\"argument\",\"step\":0}}\n", "answers otherwise: "},
        {"\"steps\":[{\"op\":\"lowHanging\",\"climb\":-1}],\"expect\":{\"error\":\"argument\","
         "\"step\":0}}\n",
         "left as it was: 1 of 2 answers differ"},
    };
    test_run run = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text text = {0};
        /* The other case has no answer yet, and gets none. */
        vx_text_format(&text, TWO CITES GRID STEPS "}\n" NAME CITES GRID "%s", rows[i].steps);
        const char *file = scratch_write("a.jsonl", text.bytes);
        run_vectors(&run, "fill", file);
        expect_said(&run, 1, "", rows[i].err);
        expect_content(file, text.bytes);
        vx_text_free(&text);
    }
    const char *file = scratch_write("a.jsonl", GOOD "{}\n");
    run_vectors(&run, "fill", file);
    expect_said(&run, 2, "", "a.jsonl:2: ");
    expect_content(file, GOOD "{}\n");
    test_run_free(&run);
}

/* --- check ----------------------------------------------------------------------------------- */

Test(vectors, check_faults)
{
    static const struct {
        const char *line, *out;
    } rows[] = {
        {"{\n", "a.jsonl:1: "},
        {"\n", "a.jsonl:1: "},
        {"{\"format\":\"voxcert/1\",\"name\":\"build3d/one\",\"chapter\":\"build3d\"," CITES GRID
             STEPS EXPECT,
         "\"build3d/one\" is no name"},
        {"{\"format\":\"voxcert/1\",\"name\":\"other/a/b\",\"chapter\":\"build3d\"," CITES GRID
             STEPS EXPECT,
         "\"other/a/b\" is no name"},
        {"{\"format\":\"voxcert/1\",\"name\":\"build3d/a/B\",\"chapter\":\"build3d\"," CITES GRID
             STEPS EXPECT,
         "\"build3d/a/B\" is no name"},
        {"{\"format\":\"voxcert/1\",\"name\":\"build3d/a//b\",\"chapter\":\"build3d\"," CITES GRID
             STEPS EXPECT,
         "\"build3d/a//b\" is no name"},
        {"{\"format\":\"voxcert/1\",\"name\":\"build3d/a/b-\",\"chapter\":\"build3d\"," CITES GRID
             STEPS EXPECT,
         "\"build3d/a/b-\" is no name"},
        {NAME "\"clauses\":[],\"note\":\"n\",\"flags\":[]," GRID STEPS EXPECT, "cites no clause"},
        {NAME "\"clauses\":[\"B99.1\"],\"note\":\"n\",\"flags\":[]," GRID STEPS EXPECT,
         "SPEC.md has no clause B99.1"},
        {NAME "\"clauses\":[\"B3.3\"],\"note\":\"\",\"flags\":[]," GRID STEPS EXPECT,
         "has no note"},
        {NAME "\"clauses\":[\"B3.3\"],\"note\":\"n\",\"flags\":[\"new\"]," GRID STEPS EXPECT,
         "a flag of docs/PROTOCOL.md is needed"},
        {NAME "\"clauses\":[\"B3.3\"],\"note\":\"n\",\"flags\":[\"digest\"]," GRID STEPS EXPECT,
         "not in canonical form from column"},
        {NAME CITES GRID STEPS "}\n", "has no expect"},
        {NAME CITES GRID STEPS
         ",\"expect\":{\"size\":[1,1,8],\"degenerate\":0,\"solid\":[[0,0,0,1,62]]}}\n",
         "the reference answers otherwise"},
        {NAME CITES GRID STEPS
         ", \"expect\":{\"size\":[1,1,8],\"degenerate\":0,\"solid\":[[0,0,0,1,"
         "63]]}}\n",
         "not in canonical form from column"},
        {GOOD GOOD, "build3d/topic/one: also the name of the vector at"},
    };
    test_run run = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run_vectors(&run, "check", scratch_write("a.jsonl", rows[i].line));
        expect_said(&run, 1, rows[i].out, "");
        expect_said(&run, 1, " 1 fault", "");
    }
    /* Every fault is found, not only the first. */
    run_vectors(&run, "check", scratch_write("a.jsonl", "{\n" TWO CITES GRID STEPS "}\n" GOOD));
    expect_said(&run, 1, "3 vectors, 2 faults", "");
    test_run_free(&run);
}

Test(vectors, check_files)
{
    test_run run = {0};
    run_vectors(&run, "check", scratch_write("a.jsonl", GOOD));
    expect_said(&run, 0, "1 vector, 0 faults\n", "");
    cr_expect_null(strstr(run.out.bytes, "clauses that no vector cites"), "only below a directory");
    vx_text text = {0};
    vx_text_add_bytes(&text, GOOD, sizeof GOOD - 2);
    run_vectors(&run, "check", scratch_write("a.jsonl", text.bytes));
    expect_said(&run, 1, "a.jsonl:1: the last line has no line end", "");
    vx_text_free(&text);
    run_vectors(&run, "check", scratch_write("a.jsonl", ""));
    expect_said(&run, 4, "0 vectors", "nothing was checked");
    (void)scratch_write("two/a.jsonl", GOOD);
    (void)scratch_write("two/b.jsonl", GOOD);
    run_vectors(&run, "check", scratch_path("two"));
    expect_said(&run, 1, "clauses that no vector cites: B0.1 ", "");
    expect_said(&run, 1, "two/b.jsonl:1: build3d/topic/one: also the name of the vector at", "");
    test_run_free(&run);
}

/* --- permanent names ------------------------------------------------------------------------- */

#define OTHER_STEPS                                                                                \
    "\"steps\":[{\"op\":\"addSpans\",\"spans\":[[0,0,0,1,63]],\"mergeThreshold\":5}]"

Test(vectors, lock)
{
    test_run run = {0};
    (void)scratch_write("v/a.jsonl", GOOD);
    run_vectors(&run, "lock", scratch_path("v"));
    expect_said(&run, 0, "names.lock: 1 name added to 0", "");
    vx_text locked = scratch_read(scratch_path("v/names.lock"));
    cr_expect(strncmp(locked.bytes, "build3d/topic/one ", 18) == 0);
    cr_expect_eq(locked.size, 18 + 16 + 1);
    run_vectors(&run, "lock", scratch_path("v"));
    expect_said(&run, 0, "0 names added to 1", "");
    expect_content(scratch_path("v/names.lock"), locked.bytes);
    run_vectors(&run, "check", scratch_path("v"));
    expect_said(&run, 0, "1 vector, 0 faults\n", "");
    /* Another question under the same name. */
    (void)scratch_write("v/a.jsonl", NAME CITES GRID OTHER_STEPS EXPECT);
    run_vectors(&run, "check", scratch_path("v"));
    expect_said(&run, 1, "build3d/topic/one: its question is not the published one", "");
    run_vectors(&run, "lock", scratch_path("v"));
    expect_said(&run, 1, "", "build3d/topic/one: its question is not the published one");
    /* The name is gone; another one is new. */
    (void)scratch_write("v/a.jsonl", TWO CITES GRID STEPS EXPECT);
    run_vectors(&run, "check", scratch_path("v"));
    expect_said(&run, 1, "build3d/topic/one is published, and there is no such vector", "");
    run_vectors(&run, "lock", scratch_path("v"));
    expect_said(&run, 1, "", "1 published names are gone");
    expect_content(scratch_path("v/names.lock"), locked.bytes);
    /* Both are there, and the note may change. */
    (void)scratch_write(
        "v/b.jsonl",
        NAME "\"clauses\":[\"B3.1\"],\"note\":\"Other words.\",\"flags\":[]," GRID STEPS EXPECT);
    run_vectors(&run, "check", scratch_path("v"));
    expect_said(&run, 0, "2 vectors, 0 faults; 1 name is not locked yet", "");
    run_vectors(&run, "lock", scratch_path("v"));
    expect_said(&run, 0, "1 name added to 1", "");
    run_vectors(&run, "check", scratch_path("v"));
    expect_said(&run, 0, "2 vectors, 0 faults\n", "");
    vx_text_free(&locked);
    test_run_free(&run);
}

Test(vectors, lock_malformed)
{
    static const char *const rows[] = {"build3d/topic/one\n",
                                       " 0123456789abcdef\n",
                                       "build3d/topic/one 0123456789abcde\n",
                                       "build3d/topic/one 0123456789abcdeg\n",
                                       "build3d/topic/one 0123456789abcdef0\n",
                                       "\n",
                                       "\xff 0123456789abcdef\n"};
    test_run run = {0};
    (void)scratch_write("v/a.jsonl", GOOD);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *lock = scratch_write("v/names.lock", rows[i]);
        run_vectors(&run, "check", scratch_path("v"));
        expect_said(&run, 4, "", "names.lock:1: not a name and 16 hexadecimal digits");
        run_vectors(&run, "lock", scratch_path("v"));
        expect_said(&run, 4, "", "names.lock:1: not a name and 16 hexadecimal digits");
        expect_content(lock, rows[i]);
    }
    const char *cut = scratch_write("v/names.lock", "build3d/a 0123456789abcdef\nbuild3d/topic/o");
    run_vectors(&run, "check", scratch_path("v"));
    expect_said(&run, 4, "", "names.lock:2: the last line has no line end");
    run_vectors(&run, "lock", scratch_path("v"));
    expect_said(&run, 4, "", "names.lock:2: the last line has no line end");
    expect_content(cut, "build3d/a 0123456789abcdef\nbuild3d/topic/o");
    (void)unlink(cut);
    cr_assert_eq(symlink("nowhere", cut), 0);
    run_vectors(&run, "lock", scratch_path("v"));
    expect_said(&run, 4, "", "names.lock: No such file");
    (void)unlink(scratch_path("v/names.lock"));
    cr_assert_eq(mkdir(scratch_path("v/names.lock"), 0777), 0);
    run_vectors(&run, "check", scratch_path("v"));
    expect_said(&run, 4, "", "names.lock: a regular file is needed");
    run_vectors(&run, "lock", "tests/plain");
    expect_said(&run, 4, "", "tests/plain: no *.jsonl file below it");
    (void)scratch_write("w/a.jsonl", NAME CITES GRID STEPS "}\n");
    run_vectors(&run, "lock", scratch_path("w"));
    expect_said(&run, 4, "", "expect");
    test_run_free(&run);
}

/* --- generate -------------------------------------------------------------------------------- */

static size_t count_lines(const vx_text *text)
{
    size_t lines = 0;
    for (size_t i = 0; i < text->size; i++) {
        lines += text->bytes[i] == '\n';
    }
    return lines;
}

Test(vectors, generate)
{
    test_run run = {0};
    run_vectors(&run, "generate", "");
    expect_said(&run, 0, "walls-grid             Walls on grid lines", "");
    run_vectors(&run, "generate --family walls-grid --seeds 7..9", "");
    expect_said(&run, 0, "\"name\":\"build3d/gen/walls-grid/9\"", "");
    cr_expect_eq(count_lines(&run.out), 3);
    const char *file = scratch_path("out.jsonl");
    vx_text seven = {0};
    vx_text_add_bytes(&seven, run.out.bytes, run.out.size);
    run_vectors(&run, "generate --family walls-grid --seeds 7..9 --out", file);
    expect_said(&run, 0, "3 cases of 1 family", "");
    expect_content(file, seven.bytes);
    run_vectors(&run, "check", file);
    expect_said(&run, 0, "3 vectors, 0 faults", "");
    run_vectors(&run, "generate --family walls-grid --seeds 7", "");
    cr_expect_eq(count_lines(&run.out), 1);
    cr_expect(strncmp(run.out.bytes, seven.bytes, run.out.size) == 0);
    run_vectors(&run, "generate --family walls-grid --seeds 0..5 --count 20", "");
    expect_said(&run, 4, "", "walls-grid: only 6 of the seeds 0..5 give cases to choose, not 20");
    vx_text_free(&seven);
    test_run_free(&run);
}

/* A choice has few cases without rows, though many walls at the border give none. */
Test(vectors, generate_choice)
{
    test_run run = {0};
    run_vectors(&run, "generate --family walls-border --count 40", "");
    cr_expect_eq(run.status, 0);
    cr_expect_eq(count_lines(&run.out), 40);
    size_t empty = 0;
    for (const char *at = run.out.bytes; (at = strstr(at, "\"solid\":[]")) != NULL; at++) {
        empty++;
    }
    cr_expect(empty <= 4, "%zu without rows", empty);
    test_run_free(&run);
}

Test(vectors, generate_into)
{
    test_run run = {0};
    (void)scratch_write("v/keep.txt", "");
    run_vectors(&run, "generate --family boxes --count 2 --into", scratch_path("v"));
    expect_said(&run, 0, "2 cases of 1 family", "");
    vx_text text = scratch_read(scratch_path("v/build3d/generated/boxes.jsonl"));
    cr_expect_eq(count_lines(&text), 2);
    run_vectors(&run, "generate --family boxes --count 2 --into", scratch_path("v/keep.txt"));
    expect_said(&run, 2, "", "keep.txt/build3d: Not a directory");
    cr_assert_eq(mkdir(scratch_path("v/build3d/generated/fans.jsonl"), 0777), 0);
    run_vectors(&run, "generate --family fans --count 2 --into", scratch_path("v"));
    expect_said(&run, 2, "", "fans.jsonl");
    vx_text_free(&text);
    test_run_free(&run);
}

/* The committed files are what the families give. */
Test(vectors, generated_files_are_up_to_date)
{
    test_run run = {0};
    (void)scratch_write("v/keep.txt", "");
    run_vectors(&run, "generate --family all --into", scratch_path("v"));
    cr_assert_eq(run.status, 0, "%s", vx_text_string(&run.err));
    char *own = vx_home_data("vectors");
    vx_text committed = {0};
    vx_text_format(&committed, "%s/build3d/generated", own);
    const char *const diff[] = {"diff", "-rq", committed.bytes, scratch_path("v/build3d/generated"),
                                NULL};
    test_run_program(&run, NULL, diff, "");
    cr_expect_eq(run.status, 0, "`make vectors` changes files: %s", vx_text_string(&run.out));
    vx_text_free(&committed);
    free(own);
    test_run_free(&run);
}

/* --- add ----------------------------------------------------------------------------------------
 */

#define FOUND "{\"format\":\"voxcert/1\",\"chapter\":\"build3d\"," GRID STEPS "}\n"

Test(vectors, add)
{
    static const char *const other = "{\"format\":\"voxcert/1\",\"chapter\":\"build3d\"," GRID
                                     "\"steps\":[{\"op\":\"lowHeight\"}]}\n";
    test_run run = {0};
    vx_text words = {0};
    (void)scratch_write("v/build3d/topic.jsonl", GOOD);
    const char *directory = scratch_path("v");
    vx_text_format(&words, "%s %s", scratch_write("found.jsonl", other), directory);
    const struct {
        const char *options;
        int status;
        const char *out, *err;
    } rows[] = {
        {"add", 2, "", "found.jsonl:1: the case cites no clause; --clause ID is needed"},
        {"add --clause B99.1", 2, "", "--clause B99.1: SPEC.md has none of that id"},
        {"add --clause B6.10 --clause B6.1 --note Nothing.", 0, "names.lock: 2 names added", ""},
        {"add --clause B6.10", 2, "", "found.jsonl:1: build3d/found/"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run_vectors(&run, rows[i].options, words.bytes);
        expect_said(&run, rows[i].status, rows[i].out, rows[i].err);
        cr_expect_eq(access(scratch_path("v/names.lock"), F_OK) == 0, i >= 2);
    }
    vx_text added = scratch_read(scratch_path("v/build3d/found.jsonl"));
    cr_expect_not_null(
        strstr(added.bytes, "\"clauses\":[\"B6.10\",\"B6.1\"],\"note\":\"Nothing.\""));
    cr_expect_not_null(strstr(added.bytes, "\"expect\":{\"size\":[1,1,8],\"degenerate\":0,"
                                           "\"solid\":[]}}\n"));
    vx_text_free(&added);
    run_vectors(&run, "check", directory);
    expect_said(&run, 0, "2 vectors, 0 faults", "");
    vx_text_free(&words);
    test_run_free(&run);
}

/* A directory whose lock is broken keeps the files that it had. */
Test(vectors, add_is_all_or_nothing)
{
    test_run run = {0};
    vx_text words = {0};
    (void)scratch_write("v/build3d/topic.jsonl", GOOD);
    (void)scratch_write("v/names.lock", "build3d/topic/gone 0123456789abcdef\n");
    vx_text_format(&words, "%s %s", scratch_write("found.jsonl", TWO CITES GRID "\"steps\":[]}\n"),
                   scratch_path("v"));
    run_vectors(&run, "add", words.bytes);
    expect_said(&run, 1, "", "1 published names are gone");
    cr_expect_neq(access(scratch_path("v/build3d/found.jsonl"), F_OK), 0);
    (void)scratch_write("v/build3d/found.jsonl", "");
    run_vectors(&run, "add", words.bytes);
    expect_said(&run, 1, "", "1 published names are gone");
    expect_content(scratch_path("v/build3d/found.jsonl"), "");
    vx_text_free(&words);
    test_run_free(&run);
}
