/* SPDX-License-Identifier: MIT */
/* Text for people and for shells: wrapped lines, counts, quoted words. */
#ifndef VX_WORDS_H
#define VX_WORDS_H

#include <stddef.h>

#include "text.h"

/* The characters of size bytes of UTF-8. */
size_t vx_character_count(const char *bytes, size_t size);

/* The words of size bytes in lines of at most width characters, each line behind prefix and with a
 * line end. A longer word gets a line of its own. */
void vx_add_wrapped(vx_text *text, const char *prefix, const char *bytes, size_t size,
                    size_t width);

/* How many letters must be changed, added or left out to make one word of the other (Levenshtein's
 * distance); of a long word only the start counts. */
size_t vx_word_distance(const char *known, const char *word);

/* "12,345" */
void vx_add_count(vx_text *text, size_t count);

/* "1 case", "2,076 cases" */
void vx_add_counted(vx_text *text, size_t count, const char *noun);

/* The last lines of what a port wrote to standard error, below a heading, for a report. */
void vx_add_port_errors(vx_text *text, const char *errors);

/* The string as one word of a POSIX shell: as it is, or in quotes. */
void vx_add_shell_word(vx_text *text, const char *string);

/* The words that vx_add_shell_word wrote, with spaces between them: *words strings, which are to be
 * freed like their array. */
char **vx_split_shell_words(const char *text, size_t *words);

#endif
