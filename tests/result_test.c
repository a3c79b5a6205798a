/* SPDX-License-Identifier: MIT */
/* Results: printed, hashed, written, read back and compared (B0.8@3d12db for the kinds of error).
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "result.h"

/* A chapter's results as no chapter has them, so that nothing is taken for granted. */
static const vx_fact_shape facts[] = {{"dims", 2}, {"count", 1}};
static const char *const pair_columns[] = {"a", "b"};
static const char *const triple_columns[] = {"p", "q", "r"};
static const vx_table_shape tables[] = {{"pairs", 2, pair_columns}, {"triples", 3, triple_columns}};
static const vx_result_shape shape = {facts, 2, tables, 2};

static json_t *load(const char *text)
{
    vx_problem problem = {0};
    json_t *json = vx_json_load(text, strlen(text), &problem);
    cr_assert_not_null(json, "%s: %s", text, problem.message);
    return json;
}

static void read_good(const char *text, vx_expect *expect)
{
    vx_problem problem = {0};
    json_t *json = load(text);
    cr_assert(vx_expect_read(&shape, json, expect, &problem), "%s: %s", text, problem.message);
    cr_assert_str_eq(problem.message, "");
    vx_json_free(json);
}

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

Test(result_test, what_is_written_as_it_was_read)
{
    static const struct {
        const char *text;
        bool answer; /* may be an answer, not only an expect */
    } table[] = {
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":[]}", true},
        {"{\"dims\":[0,9007199254740992],\"count\":0,\"pairs\":[[1,-2],[2147483647,-2147483648]]}",
         true},
        {"{\"dims\":[4,8],\"count\":3,\"triples\":[[1,2,3]]}", true},
        {"{\"error\":\"argument\",\"step\":-1}", true},
        {"{\"error\":\"out_of_range\",\"step\":9007199254740992}", true},
        {"{\"error\":[\"argument\",\"out_of_range\"],\"step\":0}", false},
        {"{\"dims\":[4,8],\"count\":3,\"rows\":7,\"sha256\":\"" HEX "\"}", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_expect expect;
        vx_text text = {0};
        read_good(table[i].text, &expect);
        vx_expect_write(&shape, &expect, &text);
        cr_assert_str_eq(text.bytes, table[i].text);
        vx_result_free(&expect.result);

        vx_problem problem = {0};
        vx_result result;
        json_t *json = load(table[i].text);
        cr_assert_eq(vx_result_read(&shape, json, &result, &problem), table[i].answer, "%s: %s",
                     table[i].text, problem.message);
        if (table[i].answer) {
            vx_text_clear(&text);
            vx_result_write(&shape, &result, &text);
            cr_assert_str_eq(text.bytes, table[i].text);
        }
        vx_result_free(&result);
        vx_json_free(json);
        vx_text_free(&text);
    }
    vx_expect expect;
    read_good("{\"step\":3,\"error\":[\"out_of_range\"]}", &expect);
    cr_assert_eq(expect.kinds, 1u << VX_OUT_OF_RANGE);
    cr_assert_eq(expect.result.step, 3);
}

Test(result_test, malformed_answers_are_refused_at_their_place)
{
    static const struct {
        const char *text, *message;
    } table[] = {
        {"null", "$: an object is needed, not null"},
        {"[]", "$: an object is needed, not an array of 0"},
        {"{}", "$.dims: is missing"},
        {"{\"dims\":[4,8]}", "$.count: is missing"},
        {"{\"dims\":[4,8],\"count\":3}", "$.pairs: is missing"},
        {"{\"count\":3,\"pairs\":[]}", "$.dims: is missing"},
        {"{\"dims\":4,\"count\":3,\"pairs\":[]}", "$.dims: an array is needed, not 4"},
        {"{\"dims\":[4],\"count\":3,\"pairs\":[]}", "$.dims: an array of 2 is needed, not an array "
                                                    "of 1"},
        {"{\"dims\":[4,8,1],\"count\":3,\"pairs\":[]}", "$.dims: an array of 2 is needed"},
        {"{\"dims\":[4,-8],\"count\":3,\"pairs\":[]}", "$.dims[1]: an integer from 0 to "},
        {"{\"dims\":[4,8.0],\"count\":3,\"pairs\":[]}", "$.dims[1]: an integer from 0 to "},
        {"{\"dims\":[4,8],\"count\":-1,\"pairs\":[]}", "$.count: an integer from 0 to "},
        {"{\"dims\":[4,8],\"count\":9007199254740993,\"pairs\":[]}", "$.count: an integer from 0"},
        {"{\"dims\":[4,8],\"count\":\"3\",\"pairs\":[]}", "$.count: an integer from 0"},
        {"{\"dims\":[4,8],\"count\":-0,\"pairs\":[]}", "$.count: an integer from 0 to "},
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":{}}", "$.pairs: an array is needed"},
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":[[1,2],3]}", "$.pairs[1]: an array is needed"},
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":[[1,2],[3]]}", "$.pairs[1]: an array of 2 is "},
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":[[1,2],[3,4,5]]}", "$.pairs[1]: an array of 2 is "},
        {"{\"dims\":[4,8],\"count\":3,\"triples\":[[1,2]]}", "$.triples[0]: an array of 3 is "},
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":[[1,2.0]]}",
         "$.pairs[0][1]: an integer from -2147"},
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":[[1,-0]]}", "$.pairs[0][1]: an integer from -2147"},
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":[[2147483648,1]]}",
         "$.pairs[0][0]: an integer from"},
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":[[1,null]]}",
         "$.pairs[0][1]: an integer from -214"},
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":[],\"triples\":[]}",
         "$.triples: rows of two kinds are given"},
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":[],\"more\":1}", "$.more: no such member is known"},
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":[],\"step\":1}", "$.step: no such member is known"},
        {"{\"dims\":[4,8],\"count\":3,\"pairs\":[],\"rows\":0}", "$.rows: no such member is known"},
        {"{\"error\":\"argument\"}", "$.step: is missing"},
        {"{\"error\":\"argument\",\"step\":-2}", "$.step: an integer from -1 to "},
        {"{\"error\":\"argument\",\"step\":0.0}", "$.step: an integer from -1 to "},
        {"{\"error\":\"argument\",\"step\":0,\"dims\":[4,8]}", "$.dims: no such member is known"},
        {"{\"error\":\"no_memory\",\"step\":0}", "$.error: \"argument\" or \"out_of_range\" is "},
        {"{\"error\":\"ok\",\"step\":0}",
         "$.error: \"argument\" or \"out_of_range\" is needed, not "
         "\"ok\""},
        {"{\"error\":null,\"step\":0}",
         "$.error: \"argument\" or \"out_of_range\" is needed, not n"},
        {"{\"error\":1,\"step\":0}", "$.error: \"argument\" or \"out_of_range\" is needed, not 1"},
    };
    static const struct {
        const char *text, *message;
    } only_expect[] = {
        {"{\"error\":[],\"step\":0}", "$.error: at least one kind is needed"},
        {"{\"error\":[\"argument\",\"argument\"],\"step\":0}",
         "$.error[1]: \"argument\" is given "},
        {"{\"error\":[\"argument\",[]],\"step\":0}",
         "$.error[1]: \"argument\" or \"out_of_range\""},
        {"{\"dims\":[4,8],\"count\":3,\"sha256\":\"" HEX "\"}", "$.rows: is missing"},
        {"{\"dims\":[4,8],\"rows\":3,\"sha256\":\"" HEX "\"}", "$.count: is missing"},
        {"{\"dims\":[4,8],\"count\":3,\"rows\":-1,\"sha256\":\"" HEX "\"}",
         "$.rows: an integer fr"},
        {"{\"dims\":[4,8],\"count\":3,\"rows\":1,\"sha256\":\"" HEX "0\"}",
         "$.sha256: a SHA-256 in"},
        {"{\"dims\":[4,8],\"count\":3,\"rows\":1,\"sha256\":\"ABC\"}",
         "$.sha256: a SHA-256 in 64 "},
        {"{\"dims\":[4,8],\"count\":3,\"rows\":1,\"sha256\":7}",
         "$.sha256: a SHA-256 in 64 lower-c"},
        {"{\"dims\":[4,8],\"count\":3,\"rows\":1,\"sha256\":\"" HEX "\",\"pairs\":[]}",
         "$: both rows and the digest of rows are given"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_problem problem = {0};
        vx_expect expect;
        vx_result result;
        json_t *json = load(table[i].text);
        cr_assert_not(vx_expect_read(&shape, json, &expect, &problem), "%s", table[i].text);
        cr_assert_eq(strncmp(problem.message, table[i].message, strlen(table[i].message)), 0,
                     "%s: %s", table[i].text, problem.message);
        problem = (vx_problem){0};
        cr_assert_not(vx_result_read(&shape, json, &result, &problem), "%s", table[i].text);
        cr_assert_eq(strncmp(problem.message, table[i].message, strlen(table[i].message)), 0,
                     "%s: %s", table[i].text, problem.message);
        cr_assert(result.cells == NULL && expect.result.cells == NULL, "nothing is left to free");
        vx_json_free(json);
    }
    for (size_t i = 0; i < sizeof only_expect / sizeof only_expect[0]; i++) {
        vx_problem problem = {0};
        vx_expect expect;
        vx_result result;
        json_t *json = load(only_expect[i].text);
        cr_assert_not(vx_expect_read(&shape, json, &expect, &problem), "%s", only_expect[i].text);
        cr_assert_eq(
            strncmp(problem.message, only_expect[i].message, strlen(only_expect[i].message)), 0,
            "%s: %s", only_expect[i].text, problem.message);
        problem = (vx_problem){0};
        cr_assert_not(vx_result_read(&shape, json, &result, &problem), "%s", only_expect[i].text);
        vx_json_free(json);
    }
}

/* The first count pairs (i, −i) of a result. */
static vx_result make_pairs(size_t count)
{
    vx_result result = {.rows = count};
    result.cells = vx_must_alloc(count, 2 * sizeof *result.cells);
    for (size_t i = 0; i < count; i++) {
        result.cells[2 * i] = (int32_t)i;
        result.cells[2 * i + 1] = -(int32_t)i;
    }
    return result;
}

Test(result_test, the_digest_is_that_of_the_printed_rows)
{
    static const struct {
        size_t rows;
        const char *hex; /* by sha256sum */
    } table[] = {
        {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {3000, "2f15c82b33e815d8c95e06952c2bc7844f567d9a3ac44826163d64329effb2ed"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_result result = make_pairs(table[i].rows);
        char hex[VX_SHA256_HEX];
        vx_result_digest(&shape, &result, hex);
        cr_assert_str_eq(hex, table[i].hex);
        vx_result_free(&result);
    }
    int32_t cells[] = {1, 2, -3, 4};
    vx_result small = {.rows = 2, .cells = cells};
    char hex[VX_SHA256_HEX];
    vx_result_digest(&shape, &small, hex);
    cr_assert_str_eq(hex, "763262d66c109ad60b6015839215f1c87be885b1cea614042c0c909b741cb2b6");
}

Test(result_test, rows_are_printed_as_far_as_there_are_any)
{
    static const struct {
        size_t first, count;
        const char *text;
    } table[] = {
        {0, 3, "0 0\n1 -1\n2 -2\n"}, {1, 1, "1 -1\n"}, {2, SIZE_MAX, "2 -2\n"}, {3, 1, ""},
        {9, SIZE_MAX, ""},           {0, 0, ""},       {1, 9, "1 -1\n2 -2\n"},
    };
    vx_result result = make_pairs(3);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_text text = {0};
        vx_result_print_rows(&shape, &result, table[i].first, table[i].count, &text);
        cr_assert_str_eq(vx_text_string(&text), table[i].text, "row %zu", i);
        vx_text_free(&text);
    }
    vx_result_free(&result);
}

Test(result_test, the_first_difference_is_named)
{
#define FACTS "\"dims\":[4,8],\"count\":3"
    static const struct {
        const char *expect, *answer, *difference; /* NULL: they match */
    } table[] = {
        {"{" FACTS ",\"pairs\":[]}", "{" FACTS ",\"pairs\":[]}", NULL},
        {"{" FACTS ",\"pairs\":[[1,2]]}", "{" FACTS ",\"pairs\":[[1,2]]}", NULL},
        {"{" FACTS ",\"pairs\":[[1,2]]}", "{\"dims\":[4,9],\"count\":3,\"pairs\":[[1,2]]}",
         "dims[1]: expected 8, got 9"},
        {"{" FACTS ",\"pairs\":[[1,2]]}", "{\"dims\":[5,9],\"count\":4,\"pairs\":[]}",
         "dims[0]: expected 4, got 5"},
        {"{" FACTS ",\"pairs\":[[1,2]]}", "{\"dims\":[4,8],\"count\":4,\"pairs\":[[1,3]]}",
         "count: expected 3, got 4"},
        {"{" FACTS ",\"pairs\":[[1,2]]}", "{" FACTS ",\"triples\":[[1,2,3]]}",
         "expected pairs rows, got triples rows"},
        {"{" FACTS ",\"pairs\":[]}", "{" FACTS ",\"triples\":[]}",
         "expected pairs rows, got triples rows"},
        {"{" FACTS ",\"pairs\":[[1,2],[3,4]]}", "{" FACTS ",\"pairs\":[[1,2],[3,5]]}",
         "pairs row 1, b: expected 4, got 5 (expected row [3,4], got [3,5])"},
        {"{" FACTS ",\"pairs\":[[1,2],[3,4]]}", "{" FACTS ",\"pairs\":[[0,2],[3,5]]}",
         "pairs row 0, a: expected 1, got 0 (expected row [1,2], got [0,2])"},
        {"{" FACTS ",\"pairs\":[[1,2],[3,4]]}", "{" FACTS ",\"pairs\":[[1,2]]}",
         "pairs row 1 is missing: expected [3,4]"},
        {"{" FACTS ",\"pairs\":[[1,2]]}", "{" FACTS ",\"pairs\":[]}",
         "pairs row 0 is missing: expected [1,2]"},
        {"{" FACTS ",\"pairs\":[]}", "{" FACTS ",\"pairs\":[[3,4],[5,6]]}",
         "pairs row 0 is one too many: got [3,4]"},
        {"{" FACTS ",\"pairs\":[[1,2]]}", "{\"error\":\"argument\",\"step\":2}",
         "expected 1 pairs rows, got argument at step 2"},
        {"{\"error\":\"argument\",\"step\":2}", "{\"error\":\"argument\",\"step\":2}", NULL},
        {"{\"error\":\"argument\",\"step\":2}", "{\"error\":\"argument\",\"step\":1}",
         "expected the error \"argument\" at step 2, got argument at step 1"},
        {"{\"error\":\"argument\",\"step\":2}", "{\"error\":\"out_of_range\",\"step\":2}",
         "expected the error \"argument\" at step 2, got out_of_range at step 2"},
        {"{\"error\":[\"argument\",\"out_of_range\"],\"step\":2}",
         "{\"error\":\"out_of_range\",\"step\":2}", NULL},
        {"{\"error\":[\"argument\",\"out_of_range\"],\"step\":2}",
         "{\"error\":\"argument\",\"step\":2}", NULL},
        {"{\"error\":[\"out_of_range\",\"argument\"],\"step\":2}", "{" FACTS ",\"triples\":[]}",
         "expected the error [\"argument\",\"out_of_range\"] at step 2, got 0 triples rows"},
        {"{" FACTS ",\"rows\":2,\"sha256\":"
         "\"763262d66c109ad60b6015839215f1c87be885b1cea614042c0c909b741cb2b6\"}",
         "{" FACTS ",\"pairs\":[[1,2],[-3,4]]}", NULL},
        {"{" FACTS ",\"rows\":2,\"sha256\":\"" HEX "\"}", "{" FACTS ",\"pairs\":[[1,2],[-3,4]]}",
         "sha256 of the rows: expected " HEX
         ", got 763262d66c109ad60b6015839215f1c87be885b1cea614042c0c909b741cb2b6"},
        {"{" FACTS ",\"rows\":3,\"sha256\":"
         "\"763262d66c109ad60b6015839215f1c87be885b1cea614042c0c909b741cb2b6\"}",
         "{" FACTS ",\"pairs\":[[1,2],[-3,4]]}", "rows: expected 3, got 2"},
        {"{\"dims\":[4,8],\"count\":0,\"rows\":2,\"sha256\":\"" HEX "\"}",
         "{" FACTS ",\"pairs\":[]}", "count: expected 0, got 3"},
        {"{" FACTS ",\"rows\":3,\"sha256\":\"" HEX "\"}",
         "{\"error\":\"out_of_range\",\"step\":-1}",
         "expected 3 rows, got out_of_range at step -1"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_problem problem = {0};
        vx_expect expect;
        vx_result result;
        vx_text difference = {0};
        read_good(table[i].expect, &expect);
        json_t *json = load(table[i].answer);
        cr_assert(vx_result_read(&shape, json, &result, &problem), "%s", problem.message);
        bool same = vx_result_matches(&shape, &expect, &result, &difference);
        cr_assert_eq(same, table[i].difference == NULL, "%s, %s", table[i].expect, table[i].answer);
        cr_assert_str_eq(vx_text_string(&difference), same ? "" : table[i].difference);
        vx_json_free(json);
        vx_result_free(&expect.result);
        vx_result_free(&result);
        vx_text_free(&difference);
    }
}

Test(result_test, an_unexpected_error_shows_its_message)
{
    vx_expect expect;
    vx_text difference = {0};
    read_good("{" FACTS ",\"pairs\":[[1,2]]}", &expect);
    vx_result result = {.error = VX_ARGUMENT, .step = 3, .message = "x is NaN"};
    cr_assert_not(vx_result_matches(&shape, &expect, &result, &difference));
    cr_assert_str_eq(difference.bytes, "expected 1 pairs rows, got argument at step 3 (x is NaN)");
    vx_text_free(&difference);
    vx_result_free(&expect.result);
}

Test(result_test, equal_results)
{
    static const char *const different[] = {
        "{" FACTS ",\"pairs\":[]}",
        "{" FACTS ",\"triples\":[]}",
        "{" FACTS ",\"pairs\":[[1,2]]}",
        "{" FACTS ",\"pairs\":[[1,3]]}",
        "{" FACTS ",\"pairs\":[[1,2],[1,2]]}",
        "{\"dims\":[8,4],\"count\":3,\"pairs\":[]}",
        "{\"dims\":[4,8],\"count\":4,\"pairs\":[]}",
        "{\"error\":\"argument\",\"step\":2}",
        "{\"error\":\"argument\",\"step\":3}",
        "{\"error\":\"out_of_range\",\"step\":2}",
    };
    enum { COUNT = sizeof different / sizeof different[0] };
    vx_result results[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        vx_problem problem = {0};
        json_t *json = load(different[i]);
        cr_assert(vx_result_read(&shape, json, &results[i], &problem));
        vx_json_free(json);
    }
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < COUNT; k++) {
            cr_assert_eq(vx_result_equal(&shape, &results[i], &results[k]), i == k, "%s, %s",
                         different[i], different[k]);
        }
    }
    vx_result told = results[COUNT - 1];
    strcpy(told.message, "another message");
    cr_assert(vx_result_equal(&shape, &told, &results[COUNT - 1]), "messages do not matter");
    for (size_t i = 0; i < COUNT; i++) {
        vx_result_free(&results[i]);
    }
}
