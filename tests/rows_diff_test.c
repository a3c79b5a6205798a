/* SPDX-License-Identifier: MIT */
/* The listing of rows that differ. */
#include "rows_diff.h"

#include <criterion/criterion.h>
#include <string.h>

#include "chapter.h"
#include "program.h"
#include "scratch.h"

TestSuite(rows_diff, .init = scratch_open, .fini = scratch_close);

enum { WIDTH = 5, MOST = 12 };

/* A row for every letter, so that a table's rows are a word: column (x, 0), one span each. */
static void make(vx_result *result, int32_t *cells, const char *letters)
{
    *result = (vx_result){.cells = cells};
    for (; *letters != '\0'; letters++, result->rows++, cells += WIDTH) {
        cells[0] = *letters - 'a';
        cells[1] = 0;
        cells[2] = 0;
        cells[3] = 1;
        cells[4] = 63;
    }
}

Test(rows_diff, listings)
{
    static const struct {
        const char *expected, *found;
        const char *signs; /* of the listing's lines behind its headings */
        const char *counts;
    } rows[] = {
        {"abc", "abc", "", "0 rows are missing, 0 too many, 3 as expected\n"},
        {"abc", "ac", "@ - ", "1 row is missing, 0 too many, 2 as expected\n"},
        {"ac", "abc", "@ + ", "0 rows are missing, 1 too many, 2 as expected\n"},
        {"", "ab", "@++", "0 rows are missing, 2 too many, 0 as expected\n"},
        {"ab", "", "@--", "2 rows are missing, 0 too many, 0 as expected\n"},
        {"abcdefghij", "bcdefghij", "@-   ", "1 row is missing, 0 too many, 9 as expected\n"},
        {"abcdefghij", "abcdefghi", "@   -", "1 row is missing, 0 too many, 9 as expected\n"},
        {"abcdefghijk", "bcdefghij", "@-   @   -",
         "2 rows are missing, 0 too many, 9 as expected\n"},
        {"abcdefgh", "bcdefg", "@-      -", "2 rows are missing, 0 too many, 6 as expected\n"},
        {"abcdefg", "abcxefg", "@   -+   ", "1 row is missing, 1 too many, 6 as expected\n"},
    };
    const vx_result_shape *shape = vx_chapters[0]->shape;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t cells[2][MOST * WIDTH];
        vx_expect expect = {0};
        vx_result found;
        vx_text text = {0};
        vx_text signs = {0};
        make(&expect.result, cells[0], rows[i].expected);
        make(&found, cells[1], rows[i].found);
        vx_rows_diff(shape, &expect, &found, &text);
        const char *line = strstr(text.bytes, " area\n") + 6;
        for (; line[strcspn(line, "\n") + 1] != '\0'; line += strcspn(line, "\n") + 1) {
            vx_text_add_char(&signs, line[0]);
        }
        cr_expect_str_eq(vx_text_string(&signs), rows[i].signs, "row %zu:\n%s", i, text.bytes);
        cr_expect_str_eq(line, rows[i].counts, "row %zu:\n%s", i, text.bytes);
        vx_text_free(&signs);
        vx_text_free(&text);
    }
}

/* Errors, digests and tables of two kinds have no rows to be compared. */
Test(rows_diff, nothing_to_list)
{
    const vx_result_shape *shape = vx_chapters[0]->shape;
    const struct {
        vx_expect expect;
        vx_result result;
    } rows[] = {
        {{.kinds = 1u << VX_ARGUMENT}, {0}},
        {{.digest = true}, {0}},
        {{0}, {.error = VX_ARGUMENT}},
        {{0}, {.table = 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text text = {0};
        vx_rows_diff(shape, &rows[i].expect, &rows[i].result, &text);
        cr_expect_eq(text.size, 0, "row %zu: %s", i, vx_text_string(&text));
        vx_text_free(&text);
    }
}

#define CASE(name)                                                                                 \
    "{\"format\":\"voxcert/1\",\"name\":\"" name                                                   \
    "\",\"chapter\":\"build3d\",\"grid\":{\"origin\":"                                             \
    "[0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[4,4,8]},\"steps\":[{\"op\":\"addSpans\","   \
    "\"spans\":[[0,1,0,2,63],[1,0,0,2,63]]}]"
#define ANSWER(rows) ",\"expect\":{\"size\":[4,4,8],\"degenerate\":0,\"solid\":[" rows "]}}\n"
#define GOOD CASE("a") ANSWER("[1,0,0,2,63],[0,1,0,2,63]")
#define BAD CASE("b") ANSWER("[1,0,0,2,63],[1,0,4,5,0]")
#define LISTING                                                                                    \
    "--- expected: 2 solid rows\n+++ answer: 2\n    x z min max area\n@@ row 0, row 0 @@\n"        \
    " 1 0 0 2 63\n-1 0 4 5 0\n+0 1 0 2 63\n1 row is missing, 1 too many, 1 as expected\n"

Test(rows_diff, of_the_program)
{
    static const struct {
        const char *words, *input;
        int status;
        const char *out, *err;
    } rows[] = {
        {"run - --diff", GOOD, 0, "", ""},
        {"run - --diff", BAD, 1, LISTING, "voxcert: b: solid row 1, x: expected 1, got 0 "},
        {"run - --diff --impl ref", GOOD BAD, 1, "# b\n" LISTING, "voxcert: b: solid row 1, "},
        {"run - --diff", CASE("c") "}\n", 2, "", "voxcert: --diff: c has no expected answer"},
        {"run - --diff", CASE("d") ",\"expect\":{\"error\":\"argument\",\"step\":0}}\n", 1, "",
         "voxcert: d: expected the error \"argument\" at step 0, got 2 solid rows"},
        {"run - --diff --format rows", GOOD, 2, "", "voxcert: --diff and --format exclude"},
        {"run - --diff --steps 1", GOOD, 2, "", "voxcert: --diff and --steps exclude"},
    };
    test_run run = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_run_voxcert(&run, rows[i].words, rows[i].input);
        cr_expect_eq(run.status, rows[i].status, "row %zu: %s", i, vx_text_string(&run.err));
        cr_expect_str_eq(vx_text_string(&run.out), rows[i].out, "row %zu", i);
        cr_expect_eq(strncmp(vx_text_string(&run.err), rows[i].err, strlen(rows[i].err)), 0,
                     "row %zu: %s", i, vx_text_string(&run.err));
    }
    const char *script[] = {"sh", "-c", "\"$0\" run - --diff --port \"'$0' serve\"", test_voxcert(),
                            NULL};
    test_run_program(&run, NULL, script, BAD);
    cr_expect_eq(run.status, 1, "%s", vx_text_string(&run.err));
    cr_expect_str_eq(vx_text_string(&run.out), LISTING);
    test_run_free(&run);
}

/* SHA-256 of the lines "1 0 0 2 63" and "0 1 0 2 63". */
#define DIGEST "49a3d71e7d5740ae3a13ad3f40db37538f2e0fc9e02784561618de4a1caed0a8"
#define DIGESTED(rows)                                                                             \
    ",\"expect\":{\"size\":[4,4,8],\"degenerate\":0,\"rows\":" rows ",\"sha256\":\"" DIGEST "\"}}" \
    "\n"

/* Rows of which only the digest is expected are the reference's, unless it has others. */
Test(rows_diff, of_a_digest)
{
    static const struct {
        const char *input, *out;
    } rows[] = {
        {CASE("e") DIGESTED("2"),
         "--- expected: 2 solid rows\n+++ answer: 2\n    x z min max area\n@@ row 0, row 0 @@\n"
         " 1 0 0 2 63\n-0 1 0 2 63\n+0 1 0 3 63\n1 row is missing, 1 too many, 1 as expected\n"},
        {CASE("f") DIGESTED("3"), ""},
    };
    const char *script[] = {
        "sh", "-c", "\"$0\" run - --diff --port \"'$0' serve | sed -u 's/0,1,0,2,63/0,1,0,3,63/'\"",
        test_voxcert(), NULL};
    test_run run = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_run_program(&run, NULL, script, rows[i].input);
        cr_expect_eq(run.status, 1, "row %zu: %s", i, vx_text_string(&run.err));
        cr_expect_str_eq(vx_text_string(&run.out), rows[i].out, "row %zu", i);
    }
    test_run_free(&run);
}

/* An op that there is not is told with the nearest one, unless none is near. */
Test(rows_diff, unknown_ops)
{
    static const struct {
        const char *op, *message;
    } rows[] = {
        {"Rasterise", "the name of a step of build3d (the nearest is rasterize) is needed, not \""},
        {"erod", "the name of a step of build3d (the nearest is erode) is needed, not \"erod\""},
        {"lowheight", "(the nearest is lowHeight)"},
        {"simplify", "the name of a step of build3d is needed, not \"simplify\""},
        {"", "the name of a step of build3d is needed, not \"\""},
    };
    static const char text[] = GOOD;
    test_run run = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text input = {0};
        const char *place = strstr(text, "addSpans");
        vx_text_add_bytes(&input, text, (size_t)(place - text));
        vx_text_format(&input, "%s%s", rows[i].op, place + strlen("addSpans"));
        test_run_voxcert(&run, "run -", input.bytes);
        cr_expect_eq(run.status, 2);
        cr_expect_not_null(strstr(vx_text_string(&run.err), rows[i].message), "%s: %s", rows[i].op,
                           vx_text_string(&run.err));
        vx_text_free(&input);
    }
    test_run_free(&run);
}
