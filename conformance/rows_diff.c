/* SPDX-License-Identifier: MIT */
/* Where two results differ, as a listing for people: like a unified diff of their rows. */
#include "rows_diff.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3 }; /* equal rows that are shown on either side */

/* Both lists walked side by side. */
typedef struct walk {
    const vx_table_shape *table;
    const vx_result *expect, *result;
} walk;

/* A line of the listing: a row of the one, of the other or of both. */
typedef struct line {
    char sign;
    size_t expect, result; /* the next row of each, before this line */
} line;

/* Whether there are two such rows, and they are equal. */
static bool same_rows(const walk *lists, size_t expect, size_t result)
{
    size_t width = lists->table->width;
    return expect < lists->expect->rows && result < lists->result->rows &&
           memcmp(lists->expect->cells + expect * width, lists->result->cells + result * width,
                  width * sizeof(int32_t)) == 0;
}

/* What comes next: the rows are equal (' '), or one is missing ('-') or too many ('+'), because the
 * other list goes on with its neighbour, or one stands in the place of another ('!'). */
static char next_sign(const walk *lists, size_t expect, size_t result)
{
    enum { AHEAD = 64 };
    if (same_rows(lists, expect, result)) {
        return ' ';
    }
    if (expect == lists->expect->rows || result == lists->result->rows) {
        return expect == lists->expect->rows ? '+' : '-';
    }
    for (size_t i = 1; i <= AHEAD; i++) {
        if (same_rows(lists, expect + i, result)) {
            return '-';
        }
        if (same_rows(lists, expect, result + i)) {
            return '+';
        }
    }
    return '!';
}

/* The whole listing, most of it equal rows; *count lines, to be freed. */
static line *list_lines(const walk *lists, size_t *count)
{
    line *lines = vx_must_alloc(lists->expect->rows + lists->result->rows, sizeof *lines);
    size_t expect = 0;
    size_t result = 0;
    *count = 0;
    while (expect < lists->expect->rows || result < lists->result->rows) {
        char sign = next_sign(lists, expect, result);
        const char *shown = sign == '!' ? "-" : &sign;
        lines[(*count)++] = (line){*shown, expect, result};
        expect += sign != '+' ? 1 : 0;
        if (sign == '!') {
            lines[(*count)++] = (line){'+', expect, result};
        }
        result += sign != '-' ? 1 : 0;
    }
    return lines;
}

static void add_line(const walk *lists, const vx_result_shape *shape, const line *shown,
                     vx_text *text)
{
    bool added = shown->sign == '+';
    vx_text_add_char(text, shown->sign);
    vx_result_print_rows(shape, added ? lists->result : lists->expect,
                         added ? shown->result : shown->expect, 1, text);
}

static void add_heading(const walk *lists, vx_text *text)
{
    vx_text_format(text, "--- expected: %zu %s rows\n+++ answer: %zu\n   ", lists->expect->rows,
                   lists->table->name, lists->result->rows);
    for (size_t i = 0; i < lists->table->width; i++) {
        vx_text_format(text, " %s", lists->table->columns[i]);
    }
    vx_text_add_char(text, '\n');
}

/* The lines that differ and those near them. */
static void add_lines(const walk *lists, const vx_result_shape *shape, const line *lines,
                      size_t count, vx_text *text)
{
    size_t missing = 0;
    size_t surplus = 0;
    size_t shown = 0; /* behind the last line that is shown */
    for (size_t i = 0; i < count; i++) {
        missing += lines[i].sign == '-' ? 1 : 0;
        surplus += lines[i].sign == '+' ? 1 : 0;
        if (lines[i].sign == ' ') {
            continue;
        }
        size_t first = i > CONTEXT ? i - CONTEXT : 0;
        if (shown == 0 || first > shown) {
            vx_text_format(text, "@@ row %zu, row %zu @@\n", lines[first].expect,
                           lines[first].result);
        }
        for (shown = first > shown ? first : shown; shown < count && shown <= i + CONTEXT;
             shown++) {
            if (shown > i && lines[shown].sign != ' ') {
                break;
            }
            add_line(lists, shape, &lines[shown], text);
        }
    }
    vx_text_format(text, "%zu %s missing, %zu too many, %zu as expected\n", missing,
                   missing == 1 ? "row is" : "rows are", surplus, lists->expect->rows - missing);
}

void vx_rows_diff(const vx_result_shape *shape, const vx_expect *expect, const vx_result *result,
                  vx_text *text)
{
    if (expect->kinds != 0 || expect->digest || result->error != VX_OK ||
        expect->result.table != result->table) {
        return;
    }
    const vx_table_shape *table = &shape->tables[result->table];
    walk lists = {.table = table, .expect = &expect->result, .result = result};
    size_t count;
    line *lines = list_lines(&lists, &count);
    add_heading(&lists, text);
    add_lines(&lists, shape, lines, count, text);
    free(lines);
}
