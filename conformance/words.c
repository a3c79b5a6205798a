/* SPDX-License-Identifier: MIT */
/* Text for people and for shells: wrapped lines, counts, quoted words. */
#include "words.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"

size_t vx_character_count(const char *bytes, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += ((unsigned char)bytes[i] & 0xc0) != 0x80 ? 1 : 0;
    }
    return count;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\n';
}

void vx_add_wrapped(vx_text *text, const char *prefix, const char *bytes, size_t size, size_t width)
{
    size_t column = 0; /* 0: at the start of a line */
    size_t at = 0;
    while (at < size) {
        size_t end = at;
        while (end < size && !is_blank(bytes[end])) {
            end++;
        }
        if (end > at) {
            size_t word = vx_character_count(bytes + at, end - at);
            if (column > 0 && column + 1 + word > width) {
                vx_text_add_char(text, '\n');
                column = 0;
            }
            const char *gap = column > 0 ? " " : prefix;
            column += vx_character_count(gap, strlen(gap)) + word;
            vx_text_add(text, gap);
            vx_text_add_bytes(text, bytes + at, end - at);
        }
        at = end + 1;
    }
    if (column > 0) {
        vx_text_add_char(text, '\n');
    }
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t vx_word_distance(const char *known, const char *word)
{
    enum { LONGEST = 32 };
    size_t row[LONGEST + 1];
    size_t size = strnlen(word, LONGEST);
    for (size_t k = 0; k <= size; k++) {
        row[k] = k;
    }
    for (size_t i = 0; known[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t k = 0; k < size; k++) {
            size_t changed = diagonal + (known[i] == word[k] ? 0 : 1);
            diagonal = row[k + 1];
            row[k + 1] = least(changed, least(row[k], row[k + 1]) + 1);
        }
    }
    return row[size];
}

void vx_add_count(vx_text *text, size_t count)
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%zu", count);
    for (int i = 0; i < size; i++) {
        if (i > 0 && (size - i) % 3 == 0) {
            vx_text_add_char(text, ',');
        }
        vx_text_add_char(text, digits[i]);
    }
}

void vx_add_counted(vx_text *text, size_t count, const char *noun)
{
    vx_add_count(text, count);
    vx_text_format(text, " %s%s", noun, count == 1 ? "" : "s");
}

void vx_add_shell_word(vx_text *text, const char *string)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_./,:=@%+-";
    if (string[0] != '\0' && string[strspn(string, plain)] == '\0') {
        vx_text_add(text, string);
        return;
    }
    vx_text_add_char(text, '\'');
    for (; *string != '\0'; string++) {
        if (*string == '\'') {
            vx_text_add(text, "'\\''");
        } else {
            vx_text_add_char(text, *string);
        }
    }
    vx_text_add_char(text, '\'');
}

/* Appends the word at text, without its quoting, and returns what follows. */
static const char *unquote(const char *text, vx_text *word)
{
    bool quoted = false;
    for (; *text != '\0' && (quoted || *text != ' '); text++) {
        if (*text == '\'') {
            quoted = !quoted;
        } else if (!quoted && text[0] == '\\' && text[1] != '\0') {
            vx_text_add_char(word, *++text);
        } else {
            vx_text_add_char(word, *text);
        }
    }
    return text;
}

char **vx_split_shell_words(const char *text, size_t *words)
{
    char **list = NULL;
    vx_text word = {0};
    *words = 0;
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        vx_text_clear(&word);
        text = unquote(text, &word);
        list = vx_must_realloc(list, *words + 1, sizeof *list);
        list[(*words)++] = vx_must_strdup(vx_text_string(&word));
    }
    vx_text_free(&word);
    return list;
}

void vx_add_port_errors(vx_text *text, const char *errors)
{
    enum { ERROR_LINES = 8 };
    size_t size = strlen(errors);
    size_t start = size;
    for (size_t lines = 0; start > 0; start--) {
        if (errors[start - 1] == '\n' && start < size && ++lines == ERROR_LINES) {
            break;
        }
    }
    vx_text_add(text, "      its standard error ends:\n");
    while (start < size) {
        size_t line = strcspn(errors + start, "\n");
        vx_text_add(text, "        | ");
        vx_add_printable(text, errors + start, line);
        vx_text_add_char(text, '\n');
        start += line + 1;
    }
}
