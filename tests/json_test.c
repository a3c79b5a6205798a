/* SPDX-License-Identifier: MIT */
/* Strict JSON, its scalars, and the paths that problems name. */
#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "problem.h"
#include "text.h"

Test(json_test, paths_grow_and_shrink)
{
    vx_problem problem = {0};
    size_t root = vx_problem_enter(&problem, "steps");
    size_t steps = vx_problem_enter_index(&problem, 10);
    cr_assert_str_eq(problem.path, "$.steps[10]");
    size_t step = vx_problem_enter(&problem, "a b");
    cr_assert_str_eq(problem.path, "$.steps[10][\"a b\"]");
    vx_problem_leave(&problem, step);
    (void)vx_problem_enter(&problem, "");
    cr_assert_str_eq(problem.path, "$.steps[10][\"\"]");
    vx_problem_leave(&problem, steps);
    (void)vx_problem_enter_index(&problem, SIZE_MAX);
    cr_assert_str_eq(problem.path, "$.steps[18446744073709551615]");
    vx_problem_leave(&problem, root);
    cr_assert_str_eq(problem.path, "$");
}

Test(json_test, a_path_that_is_too_long_is_cut_at_a_whole_character)
{
    static const char first[] = "abcdefg";
    for (size_t skip = 0; skip < sizeof first - 1; skip++) {
        vx_problem problem = {0};
        size_t before = vx_problem_enter(&problem, first + skip);
        for (int i = 0; i < 100; i++) {
            before = vx_problem_enter(&problem, "\xe2\x82\xac");
            json_t *json = json_pack("[s]", problem.path);
            cr_assert_not_null(json, "the path is UTF-8");
            json_decref(json);
        }
        cr_assert_lt(strlen(problem.path), sizeof problem.path);
        cr_assert_gt(strlen(problem.path), sizeof problem.path - 4);
        vx_problem_leave(&problem, before);
    }
}

Test(json_test, the_first_problem_stands)
{
    vx_problem problem = {0};
    cr_assert_not(vx_problem_set(&problem, "%d", 1));
    (void)vx_problem_enter(&problem, "later");
    cr_assert_not(vx_problem_set(&problem, "%d", 2));
    cr_assert_str_eq(problem.message, "$: 1");
}

Test(json_test, what_is_not_json_is_refused)
{
    static const struct {
        const char *text;
        size_t size;
        const char *message;
    } table[] = {
#define ROW(text, message) {text, sizeof text - 1, message}
        ROW("", "$: not JSON"),
        ROW(" ", "$: not JSON"),
        ROW("{", "$: not JSON"),
        ROW("[1,]", "$: not JSON"),
        ROW("{\"a\":1,}", "$: not JSON"),
        ROW("[1] [2]", "$: not JSON: end of file expected"),
        ROW("[1]x", "$: not JSON: end of file expected"),
        ROW("{\"a\":1,\"a\":2}", "$: not JSON: duplicate object key"),
        ROW("{\"a\":1,\"\\u0061\":2}", "$: not JSON: duplicate object key"),
        ROW("\xef\xbb\xbf[1]", "$: not JSON"),
        ROW("[1]\0", "$: not JSON: a NUL byte at column 4"),
        ROW("\0", "$: not JSON: a NUL byte at column 1"),
        ROW("[\"a\0b\"]", "$: not JSON: a NUL byte at column 4"),
        ROW("[\"\\u0000\"]", "$: not JSON: \\u0000 is not allowed"),
        ROW("[\"\x01\"]", "$: not JSON: control character 0x1"),
        ROW("[\"\t\"]", "$: not JSON"),
        ROW("[\"\x80\"]", "$: not JSON: unable to decode byte 0x80"),
        ROW("[\"\xc0\x80\"]", "$: not JSON: unable to decode byte 0xc0"),
        ROW("[\"\xed\xa0\x80\"]", "$: not JSON: unable to decode byte 0xed"),
        ROW("[\"\xf4\x90\x80\x80\"]", "$: not JSON: unable to decode byte 0xf4"),
        ROW("\xff", "$: not JSON: unable to decode byte 0xff"),
        ROW("[\"\\ud800\"]", "$: not JSON: invalid Unicode '\\uD800'"),
        ROW("[\"\\ud800\\u0041\"]", "$: not JSON: invalid Unicode"),
        ROW("[\"\\udc00\"]", "$: not JSON: invalid Unicode '\\uDC00'"),
        ROW("[\"\\x\"]", "$: not JSON: invalid escape"),
        ROW("[\"", "$: not JSON"),
        ROW("[\"\\", "$: not JSON"),
        ROW("[1e999]", "$: not JSON: real number overflow"),
        ROW("[-1e999]", "$: not JSON: real number overflow"),
        ROW("[01]", "$: not JSON"),
        ROW("[+1]", "$: not JSON"),
        ROW("[.5]", "$: not JSON"),
        ROW("[1.]", "$: not JSON"),
        ROW("[1e]", "$: not JSON"),
        ROW("[-]", "$: not JSON"),
        ROW("[--1]", "$: not JSON"),
        ROW("[1.2.3]", "$: not JSON"),
        ROW("[00000000000000000000]", "$: not JSON"),
        ROW("[0x10]", "$: not JSON"),
        ROW("[NaN]", "$: not JSON"),
        ROW("[Infinity]", "$: not JSON"),
        ROW("[True]", "$: not JSON"),
        ROW("['a']", "$: not JSON"),
        ROW("[1] // comment", "$: not JSON"),
        ROW("\x1b[31m", "$: not JSON: invalid token near '?'"),
        ROW("[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]", "$: nested deeper than 16 at column 17"),
#undef ROW
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_problem problem = {0};
        json_t *json = vx_json_load(table[i].text, table[i].size, &problem);
        cr_assert_null(json, "row %zu: %s", i, table[i].text);
        cr_assert_eq(strncmp(problem.message, table[i].message, strlen(table[i].message)), 0,
                     "row %zu: %s: %s", i, table[i].text, problem.message);
        for (const char *next = problem.message; *next != '\0'; next++) {
            cr_assert((unsigned char)*next >= 0x20, "row %zu: a control character", i);
        }
    }
}

Test(json_test, deep_nesting_is_refused_before_it_is_parsed)
{
    for (size_t depth = 15; depth <= 1000000; depth = depth < 18 ? depth + 1 : depth * 10) {
        vx_text text = {0};
        for (size_t i = 0; i < depth; i++) {
            vx_text_add(&text, i % 2 == 0 ? "[" : "{\"[\\\"{\":");
        }
        vx_text_add(&text, "1");
        for (size_t i = depth; i-- > 0;) {
            vx_text_add_char(&text, i % 2 == 0 ? ']' : '}');
        }
        vx_problem problem = {0};
        json_t *json = vx_json_load(text.bytes, text.size, &problem);
        cr_assert_eq(json != NULL, depth <= VX_NESTING_MAX, "depth %zu: %s", depth,
                     problem.message);
        vx_json_free(json);
        vx_text_free(&text);
    }
    vx_problem problem = {0};
    json_t *wide =
        vx_json_load("[[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[]]", 55, &problem);
    cr_assert_not_null(wide, "brackets side by side are not deep");
    vx_json_free(wide);
}

Test(json_test, numbers_keep_their_value)
{
    static const struct {
        const char *text;
        bool integer;
        double value;
    } table[] = {
        {"0", true, 0},
        {"-1", true, -1},
        {"999999999999999999", true, 999999999999999999.0},
        {"1000000000000000000", false, 1e18}, /* 19 digits */
        {"-9223372036854775808", false, -0x1p63},
        {"100000000000000000000", false, 1e20},
        {"-123456789012345678901234567890", false, -123456789012345678901234567890.0},
        {"-0", false, -0.0},
        {"-0.0", false, -0.0},
        {"-0e5", false, -0.0},
        {"5.0", false, 5},
        {"1e3", false, 1000},
        {"1E-3", false, 0.001},
        {"4.9e-324", false, 4.9e-324},
        {"1e-999", false, 0},
        {"\"NaN\"", false, (double)NAN},
        {"\"Infinity\"", false, (double)INFINITY},
        {"\"-Infinity\"", false, -(double)INFINITY},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        /* Between others, so that a rewritten token must not disturb them. */
        vx_text text = {0};
        vx_text_format(&text, "[7, %s,-0 , %s,\"%s\"]", table[i].text, table[i].text, "-0");
        vx_problem problem = {0};
        json_t *json = vx_json_load(text.bytes, text.size, &problem);
        cr_assert_not_null(json, "%s: %s", table[i].text, problem.message);
        cr_assert_eq(json_integer_value(json_array_get(json, 0)), 7);
        cr_assert_str_eq(json_string_value(json_array_get(json, 4)), "-0");
        for (size_t k = 1; k <= 3; k += 2) {
            double value = 0;
            cr_assert(vx_json_number_at(json, k, &value, &problem), "%s", table[i].text);
            cr_assert(isnan(table[i].value) ? isnan(value) : value == table[i].value, "%s: %a",
                      table[i].text, value);
            cr_assert_eq(signbit(value) != 0, signbit(table[i].value) != 0, "%s", table[i].text);
            cr_assert_eq(json_is_integer(json_array_get(json, k)), table[i].integer, "%s",
                         table[i].text);
        }
        vx_json_free(json);
        vx_text_free(&text);
    }
}

/* Texts that differ from good ones in a byte, most of them broken, are read like jansson alone
 * reads them. (Only numbers that jansson loses are read otherwise; none comes here.) */
Test(json_test, texts_are_what_jansson_says_that_they_are)
{
    static const char *const texts[] = {
        "{\"ab\":[1,-25,3.5,0.25e1,1E+2,7e-1], \"b\":{\"a b\":\"c d\",\"\":[]},\t\"c\": {}\r}",
        "[[[[\"a\"]],[12,0,10]],{\"a\":1,\"b\":2},5.0 , \"x\"]", "123456", " \"text\" ", "-2.5"};
    static const char bytes[] = "\"\\,]}[{: \n\x01\xc3"
                                "e.50+xa";
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t at = 0; at < strlen(texts[i]); at++) {
            for (size_t k = 0; k < sizeof bytes; k++) {
                vx_text text = {0};
                vx_text_add_bytes(&text, texts[i], at);
                vx_text_add_bytes(&text, bytes + k, k + 1 < sizeof bytes ? 1 : 0);
                vx_text_add(&text, texts[i] + at + 1);
                vx_problem problem = {0};
                json_t *json = vx_json_load(text.bytes, text.size, &problem);
                json_t *other = json_loadb(text.bytes, text.size,
                                           JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
                cr_assert_eq(json == NULL, other == NULL, "%s: %s", text.bytes, problem.message);
                cr_assert(json == NULL || json_equal(json, other), "%s", text.bytes);
                vx_json_free(json);
                json_decref(other);
                vx_text_free(&text);
            }
        }
    }
}

static void *load_and_free(void *text)
{
    vx_problem problem = {0};
    json_t *json = vx_json_load(text, strlen(text), &problem);
    bool good = json_integer_value(json_array_get(json, 0)) == 1;
    vx_json_free(json);
    return good ? text : NULL;
}

/* Documents live side by side, and in threads that end. */
Test(json_test, documents_do_not_disturb_each_other)
{
    char text[] = "[1,\"two\",{\"three\":3}]";
    vx_problem problem = {0};
    json_t *first = vx_json_load(text, strlen(text), &problem);
    json_t *second = vx_json_load("[2]", 3, &problem);
    vx_json_free(NULL);
    pthread_t thread;
    void *result = NULL;
    cr_assert_eq(pthread_create(&thread, NULL, load_and_free, text), 0);
    cr_assert_eq(pthread_join(thread, &result), 0);
    cr_expect_not_null(result);
    cr_assert_null(vx_json_load("[3", 2, &problem));
    vx_json_free(second);
    cr_expect_eq(json_integer_value(json_object_get(json_array_get(first, 2), "three")), 3);
    vx_json_free(first);
}

/* What the values of a text take has a bound, however small they are in it; afterwards the memory
 * is there again. */
Test(json_test, a_text_of_many_values_is_refused)
{
    vx_text text = {0};
    vx_problem problem = {0};
    vx_text_add(&text, "[");
    while (text.size < ((size_t)36 << 20)) {
        vx_text_add(&text, "{},[],");
    }
    vx_text_add(&text, "1]");
    cr_assert_null(vx_json_load(text.bytes, text.size, &problem));
    cr_assert_str_eq(problem.message, "$: its values take more than 1024 MiB of memory");
    vx_text_free(&text);
    char again[] = "[1]";
    cr_expect_not_null(load_and_free(again));
}

Test(json_test, scalars_of_another_kind_are_described)
{
    static const struct {
        const char *text, *number, *integer;
    } table[] = {
        {"null", "not null", "not null"},
        {"true", "not true", "not true"},
        {"false", "not false", "not false"},
        {"{}", "not an object", "not an object"},
        {"[1, 2]", "not an array of 2", "not an array of 2"},
        {"\"inf\"", "not \"inf\"", "not \"inf\""},
        {"\"\\u001b[2J\"", "not \"\\u001b[2J\"", "not \"\\u001b[2J\""},
        {"\"0123456789012345678901234567890123456789x\"", "not a string of 41 bytes",
         "not a string of 41 bytes"},
        {"5.0", NULL, "not 5.0"},
        {"5.5", NULL, "not 5.5"},
        {"1e300", NULL, "not 1e+300"},
        {"-0", NULL, "not -0.0"},
        {"101", NULL, "an integer from -100 to 100 is needed, not 101"},
        {"-101", NULL, "not -101"},
        {"9223372036854775808", NULL, "not 9.223372036854776e+18"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_text text = {0};
        vx_text_format(&text, "[%s]", table[i].text);
        vx_problem problem = {0};
        json_t *json = vx_json_load(text.bytes, text.size, &problem);
        cr_assert_not_null(json, "%s", table[i].text);
        double number;
        int64_t integer;
        cr_assert_eq(vx_json_number_at(json, 0, &number, &problem), table[i].number == NULL);
        if (table[i].number != NULL) {
            cr_assert(strncmp(problem.message, "$[0]: a number, ", 16) == 0 &&
                          strstr(problem.message, table[i].number) != NULL,
                      "%s: %s", table[i].text, problem.message);
        }
        problem = (vx_problem){0};
        cr_assert_not(vx_json_integer_at(json, 0, -100, 100, &integer, &problem));
        cr_assert(strncmp(problem.message, "$[0]: an integer ", 17) == 0 &&
                      strstr(problem.message, table[i].integer) != NULL,
                  "%s: %s", table[i].text, problem.message);
        vx_json_free(json);
        vx_text_free(&text);
    }
}
