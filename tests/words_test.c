/* SPDX-License-Identifier: MIT */
/* Wrapped lines, counts and shell words. */
#include "words.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Test(words, wrapped)
{
    static const struct {
        const char *prefix;
        const char *string;
        size_t width;
        const char *lines;
    } rows[] = {
        {"", "", 20, ""},
        {"  ", "   ", 20, ""},
        {"", "one", 20, "one\n"},
        {"> ", "one two three", 9, "> one two\n> three\n"},
        {"> ", "one two three", 8, "> one\n> two\n> three\n"},
        {"", "  a  b\nc ", 20, "a b c\n"},
        {"", "indivisible x", 5, "indivisible\nx\n"},
        {"", "éé öö", 5, "éé öö\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text text = {0};
        vx_add_wrapped(&text, rows[i].prefix, rows[i].string, strlen(rows[i].string),
                       rows[i].width);
        cr_expect_str_eq(vx_text_string(&text), rows[i].lines, "row %zu", i);
        vx_text_free(&text);
    }
}

Test(words, counts)
{
    static const struct {
        size_t count;
        const char *shown;
    } rows[] = {{0, "0 cases"},        {1, "1 case"},           {999, "999 cases"},
                {1000, "1,000 cases"}, {12345, "12,345 cases"}, {1234567, "1,234,567 cases"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text text = {0};
        vx_add_counted(&text, rows[i].count, "case");
        cr_expect_str_eq(vx_text_string(&text), rows[i].shown);
        vx_text_free(&text);
    }
}

/* A shell must read each word back as it was. */
Test(words, shell_words)
{
    static const struct {
        const char *word;
        const char *quoted;
    } rows[] = {
        {"plain/word-1.2", "plain/word-1.2"},
        {"", "''"},
        {"two words", "'two words'"},
        {"it's", "'it'\\''s'"},
        {"$HOME `x` \"y\" \\ *", "'$HOME `x` \"y\" \\ *'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text command = {0};
        char read[64] = "";
        vx_text_add(&command, "printf %s ");
        vx_add_shell_word(&command, rows[i].word);
        cr_expect_str_eq(vx_text_string(&command) + strlen("printf %s "), rows[i].quoted);
        FILE *shell = popen(vx_text_string(&command), "r");
        cr_assert_not_null(shell);
        (void)fgets(read, sizeof read, shell);
        cr_expect_eq(pclose(shell), 0);
        cr_expect_str_eq(read, rows[i].word);
        size_t count;
        char **words = vx_split_shell_words(vx_text_string(&command), &count);
        cr_assert_eq(count, 3);
        cr_expect_str_eq(words[2], rows[i].word);
        for (size_t k = 0; k < count; k++) {
            free(words[k]);
        }
        free(words);
        vx_text_free(&command);
    }
}
