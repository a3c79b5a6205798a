/* SPDX-License-Identifier: MIT */
/* Text that grows, and JSON's scalars in it. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"
#include "json.h"
#include "text.h"

Test(text_test, grows_and_keeps_a_closing_nul)
{
    vx_text text = {0};
    cr_assert_str_eq(vx_text_string(&text), "");
    vx_text_clear(&text);
    for (int i = 0; i < 100000; i++) {
        vx_text_add_char(&text, (char)('a' + i % 26));
        cr_assert_eq(text.size, (size_t)i + 1);
        cr_assert_eq(text.bytes[text.size], '\0');
    }
    for (int i = 0; i < 100000; i++) {
        cr_assert_eq(text.bytes[i], (char)('a' + i % 26));
    }
    size_t capacity = text.capacity;
    vx_text_clear(&text);
    cr_assert_str_eq(vx_text_string(&text), "");
    cr_assert_eq(text.capacity, capacity, "clearing keeps the memory");
    vx_text_add_bytes(&text, "a\0b", 3);
    cr_assert_eq(text.size, 3);
    vx_text_add_bytes(&text, NULL, 0);
    vx_text_add(&text, "");
    vx_text_format(&text, "%s", "");
    cr_assert_eq(text.size, 3);
    vx_text_clear(&text);
    vx_text_format(&text, "%d %s %200s", 7, "x", "y");
    cr_assert_eq(text.size, 204);
    cr_assert_eq(strncmp(text.bytes, "7 x ", 4), 0);
    vx_text_free(&text);
    cr_assert_null(text.bytes);
}

Test(text_test, integers)
{
    static const int64_t values[] = {0,     1,          -1,        9,         10,
                                     -10,   99,         100,       INT32_MAX, INT32_MIN,
                                     65535, 4294967296, INT64_MAX, INT64_MIN, -65536};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char expected[32];
        vx_text text = {0};
        (void)snprintf(expected, sizeof expected, "%lld", (long long)values[i]);
        vx_text_add_integer(&text, values[i]);
        cr_assert_str_eq(text.bytes, expected);
        vx_text_free(&text);
    }
}

Test(text_test, json_strings)
{
    static const struct {
        const char *string, *json;
    } table[] = {
        {"", "\"\""},
        {"plain", "\"plain\""},
        {"a\"b\\c/", "\"a\\\"b\\\\c/\""},
        {"\n\t\x01\x1f\x7f", "\"\\u000a\\u0009\\u0001\\u001f\\u007f\""},
        {"\xc2\x80 \xdf\xbf", "\"\xc2\x80 \xdf\xbf\""},
        {"\xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80", "\"\xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80\""},
        {"\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf", "\"\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf\""},
        {"\x80", "\"\\ufffd\""},                                  /* no lead byte */
        {"\xc0\x80", "\"\\ufffd\\ufffd\""},                       /* overlong, two bytes */
        {"\xe0\x9f\xbf", "\"\\ufffd\\ufffd\\ufffd\""},            /* overlong, three */
        {"\xf0\x8f\xbf\xbf", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""}, /* overlong, four */
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},            /* a surrogate */
        {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""}, /* above U+10FFFF */
        {"\xf5", "\"\\ufffd\""},
        {"\xff", "\"\\ufffd\""},
        {"\xe2\x82", "\"\\ufffd\\ufffd\""}, /* cut short */
        {"\xe2\x82(", "\"\\ufffd\\ufffd(\""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_text text = {0};
        vx_text_add_json_string(&text, table[i].string);
        cr_assert_str_eq(text.bytes, table[i].json, "row %zu: %s", i, text.bytes);
        json_t *back = json_loadb(text.bytes, text.size, JSON_DECODE_ANY, NULL);
        cr_assert_not_null(back, "row %zu", i);
        json_decref(back);
        vx_text_free(&text);
    }
}

Test(text_test, json_numbers_in_their_shortest_form)
{
    static const struct {
        double value;
        const char *json;
    } table[] = {
        {0.0, "0"},
        {-0.0, "-0.0"},
        {1, "1"},
        {-2097152, "-2097152"},
        {0.5, "0.5"},
        {0.1, "0.1"},
        {0.3, "0.3"},
        {0.1 + 0.2, "0.30000000000000004"},
        {(double)0.3f, "0.30000001192092896"},
        {5e-324, "4.94065645841247e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {1e22, "1e+22"},
        {9007199254740991.0, "9007199254740991"},
        {9007199254740992.0, "9007199254740992"},
        {1e15, "1000000000000000"},
        {(double)NAN, "\"NaN\""},
        {(double)INFINITY, "\"Infinity\""},
        {-(double)INFINITY, "\"-Infinity\""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_text text = {0};
        vx_text_add_json_number(&text, table[i].value);
        cr_assert_str_eq(text.bytes, table[i].json, "row %zu: %s", i, text.bytes);
        vx_text_free(&text);
    }
}

/* The bits of a number, which == does not compare for zeros. */
static uint64_t bits(double value)
{
    uint64_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

Test(text_test, json_numbers_read_back_to_the_same_bits)
{
    uint64_t state = 1;
    vx_text text = {0};
    for (int i = 0; i < 50000; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t pattern = state ^ (state >> 29);
        double value;
        memcpy(&value, &pattern, sizeof value);
        switch (i % 4) {
        case 0:
            break;
        case 1: /* subnormal */
            pattern &= UINT64_C(0x800fffffffffffff);
            memcpy(&value, &pattern, sizeof value);
            break;
        case 2: /* what binary32 holds */
            value = (double)(float)((double)(int64_t)pattern * 0x1p-40);
            break;
        default: /* integers around 2^53 and far above */
            value = (double)(int64_t)(pattern >> (i % 16)) * (i % 8 < 4 ? 1 : 1024);
        }
        if (!isfinite(value)) {
            continue;
        }
        vx_text_clear(&text);
        vx_text_add_json_number(&text, value);
        vx_problem problem = {0};
        json_t *json = vx_json_load(text.bytes, text.size, &problem);
        double back = 0;
        cr_assert(json != NULL && vx_json_number(json, &back, &problem), "%a: %s", value,
                  problem.message);
        cr_assert_eq(bits(back), bits(value), "%a was written as %s", value, text.bytes);
        vx_json_free(json);
    }
    vx_text_free(&text);
}

Test(text_test, memory_is_zeroed_and_copied)
{
    const unsigned char *memory = vx_must_alloc(100, 3);
    for (size_t i = 0; i < 300; i++) {
        cr_assert_eq(memory[i], 0);
    }
    free((void *)(uintptr_t)memory);
    char *copy = vx_must_strdup("text");
    copy = vx_must_realloc(copy, 1000, 2);
    cr_assert_str_eq(copy, "text");
    free(copy);
    free(vx_must_alloc(0, 0));
    free(vx_must_realloc(NULL, 0, 8));
}

Test(text_test, text_that_is_too_long_ends_the_program, .exit_code = VX_EXIT_INTERNAL)
{
    vx_text text = {0};
    vx_text_add_bytes(&text, "", SIZE_MAX / 2);
}

Test(text_test, an_arena_that_is_used_up_ends_the_program, .exit_code = VX_EXIT_INTERNAL)
{
    vx_arena arena;
    vx_arena_init_growable(&arena, 100, 1000);
    cr_assert_not_null(vx_must_arena_alloc(&arena, 10, 10));
    (void)vx_must_arena_alloc(&arena, 1000, 10);
}
