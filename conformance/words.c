/* SPDX-License-Identifier: MIT */
/* Text for people and for shells: wrapped lines, counts, quoted words. */
#include "words.h"

#include <stdio.h>
#include <string.h>

/* The characters of size bytes of UTF-8. */
static size_t characters(const char *bytes, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += ((unsigned char)bytes[i] & 0xc0) != 0x80 ? 1 : 0;
    }
    return count;
}

void vx_add_wrapped(vx_text *text, const char *prefix, const char *string, size_t width)
{
    static const char blanks[] = " \n";
    size_t margin = characters(prefix, strlen(prefix));
    size_t column = 0; /* 0: at the start of a line */
    string += strspn(string, blanks);
    while (*string != '\0') {
        size_t size = strcspn(string, blanks);
        size_t word = characters(string, size);
        if (column > 0 && column + 1 + word > width) {
            vx_text_add_char(text, '\n');
            column = 0;
        }
        vx_text_add(text, column > 0 ? " " : prefix);
        vx_text_add_bytes(text, string, size);
        column += column > 0 ? 1 + word : margin + word;
        string += size;
        string += strspn(string, blanks);
    }
    if (column > 0) {
        vx_text_add_char(text, '\n');
    }
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
