/* SPDX-License-Identifier: MIT */
/* Results: compared, printed, hashed, written as JSON and read back (docs/PROTOCOL.md). */
#include "result.h"

#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

void vx_result_free(vx_result *result)
{
    free(result->cells);
    *result = (vx_result){0};
}

static size_t result_width(const vx_result_shape *shape, const vx_result *result)
{
    return shape->tables[result->table].width;
}

static size_t fact_total(const vx_result_shape *shape)
{
    size_t total = 0;
    for (size_t i = 0; i < shape->fact_count; i++) {
        total += shape->facts[i].count;
    }
    return total;
}

static bool same_cells(const int32_t *a, const int32_t *b, size_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

/* --- printing and hashing -------------------------------------------------------------------- */

void vx_result_print_rows(const vx_result_shape *shape, const vx_result *result, size_t first,
                          size_t count, vx_text *text)
{
    size_t width = result_width(shape, result);
    for (size_t row = first; row < result->rows && row - first < count; row++) {
        for (size_t column = 0; column < width; column++) {
            if (column > 0) {
                vx_text_add_char(text, ' ');
            }
            vx_text_add_integer(text, result->cells[row * width + column]);
        }
        vx_text_add_char(text, '\n');
    }
}

void vx_sha256_hex(struct sha256_ctx *context, char hex[VX_SHA256_HEX])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    hex[VX_SHA256_HEX - 1] = '\0';
}

void vx_result_digest(const vx_result_shape *shape, const vx_result *result,
                      char hex[VX_SHA256_HEX])
{
    enum { ROWS_AT_ONCE = 1024 };
    struct sha256_ctx context;
    sha256_init(&context);
    vx_text text = {0};
    for (size_t row = 0; row < result->rows; row += ROWS_AT_ONCE) {
        vx_text_clear(&text);
        vx_result_print_rows(shape, result, row, ROWS_AT_ONCE, &text);
        sha256_update(&context, text.size, (const uint8_t *)text.bytes);
    }
    vx_text_free(&text);
    vx_sha256_hex(&context, hex);
}

/* --- writing --------------------------------------------------------------------------------- */

static void write_name(const char *name, vx_text *text)
{
    vx_text_add_json_string(text, name);
    vx_text_add_char(text, ':');
}

/* "size":[…],"degenerate":…, with a comma behind each. */
static void write_facts(const vx_result_shape *shape, const vx_result *result, vx_text *text)
{
    const int64_t *value = result->facts;
    for (size_t i = 0; i < shape->fact_count; i++) {
        size_t count = shape->facts[i].count;
        write_name(shape->facts[i].name, text);
        vx_text_add(text, count > 1 ? "[" : "");
        for (size_t k = 0; k < count; k++) {
            vx_text_add(text, k > 0 ? "," : "");
            vx_text_add_integer(text, *value++);
        }
        vx_text_add(text, count > 1 ? "]," : ",");
    }
}

static void write_row(const int32_t *cells, size_t width, vx_text *text)
{
    vx_text_add_char(text, '[');
    for (size_t column = 0; column < width; column++) {
        if (column > 0) {
            vx_text_add_char(text, ',');
        }
        vx_text_add_integer(text, cells[column]);
    }
    vx_text_add_char(text, ']');
}

void vx_result_write(const vx_result_shape *shape, const vx_result *result, vx_text *text)
{
    vx_text_add_char(text, '{');
    if (result->error != VX_OK) {
        vx_text_add(text, "\"error\":");
        vx_text_add_json_string(text, vx_status_name(result->error));
        vx_text_add(text, ",\"step\":");
        vx_text_add_integer(text, result->step);
    } else {
        size_t width = result_width(shape, result);
        write_facts(shape, result, text);
        write_name(shape->tables[result->table].name, text);
        vx_text_add_char(text, '[');
        for (size_t row = 0; row < result->rows; row++) {
            vx_text_add(text, row > 0 ? "," : "");
            write_row(result->cells + row * width, width, text);
        }
        vx_text_add_char(text, ']');
    }
    vx_text_add_char(text, '}');
}

/* "argument", or ["argument","out_of_range"]. */
static void write_kinds(unsigned kinds, vx_text *text)
{
    bool several = (kinds & (kinds - 1)) != 0;
    const char *separator = "";
    vx_text_add(text, several ? "[" : "");
    for (unsigned kind = 0; kinds >> kind != 0; kind++) {
        if ((kinds >> kind & 1) != 0) {
            vx_text_add(text, separator);
            vx_text_add_json_string(text, vx_status_name((vx_status)kind));
            separator = ",";
        }
    }
    vx_text_add(text, several ? "]" : "");
}

void vx_expect_write(const vx_result_shape *shape, const vx_expect *expect, vx_text *text)
{
    if (expect->kinds != 0) {
        vx_text_add(text, "{\"error\":");
        write_kinds(expect->kinds, text);
        vx_text_add(text, ",\"step\":");
        vx_text_add_integer(text, expect->result.step);
        vx_text_add_char(text, '}');
    } else if (expect->digest) {
        vx_text_add_char(text, '{');
        write_facts(shape, &expect->result, text);
        vx_text_add(text, "\"rows\":");
        vx_text_add_integer(text, (int64_t)expect->result.rows);
        vx_text_add(text, ",\"sha256\":");
        vx_text_add_json_string(text, expect->sha256);
        vx_text_add_char(text, '}');
    } else {
        vx_result_write(shape, &expect->result, text);
    }
}

/* --- reading --------------------------------------------------------------------------------- */

static bool read_kind(json_t *json, unsigned *kinds, vx_problem *problem)
{
    const char *name = json_is_string(json) ? json_string_value(json) : "";
    for (unsigned kind = VX_ARGUMENT; kind <= VX_OUT_OF_RANGE; kind++) {
        if (strcmp(name, vx_status_name((vx_status)kind)) == 0) {
            if ((*kinds >> kind & 1) != 0) {
                return vx_problem_set(problem, "\"%s\" is given twice", name);
            }
            *kinds |= 1u << kind;
            return true;
        }
    }
    return vx_json_wrong(json, "\"argument\" or \"out_of_range\"", problem);
}

/* The value of "error": a kind or, where a list may stand, a list of them. */
static bool read_kinds(json_t *json, bool may_be_list, unsigned *kinds, vx_problem *problem)
{
    if (!may_be_list || !json_is_array(json)) {
        return read_kind(json, kinds, problem);
    }
    if (json_array_size(json) == 0) {
        return vx_json_wrong(json, "at least one kind", problem);
    }
    for (size_t i = 0; i < json_array_size(json); i++) {
        size_t before = vx_problem_enter_index(problem, i);
        if (!read_kind(json_array_get(json, i), kinds, problem)) {
            return false;
        }
        vx_problem_leave(problem, before);
    }
    return true;
}

static bool read_error(json_t *json, bool may_be_list, unsigned *kinds, int64_t *step,
                       vx_problem *problem)
{
    const char *name;
    json_t *value;
    json_object_foreach(json, name, value)
    {
        size_t before = vx_problem_enter(problem, name);
        bool good;
        if (strcmp(name, "error") == 0) {
            good = read_kinds(value, may_be_list, kinds, problem);
        } else if (strcmp(name, "step") == 0) {
            good = vx_json_integer(value, -1, VX_INTEGER_MAX, step, problem);
        } else {
            vx_problem_leave(problem, before);
            good = vx_json_unknown(name, problem);
        }
        if (!good) {
            return false;
        }
        vx_problem_leave(problem, before);
    }
    return json_object_get(json, "step") != NULL || vx_json_missing("step", problem);
}

static bool read_fact(const vx_fact_shape *fact, json_t *json, int64_t *values, vx_problem *problem)
{
    if (fact->count == 1) {
        return vx_json_integer(json, 0, VX_INTEGER_MAX, values, problem);
    }
    if (!vx_json_is_array(json, fact->count, problem)) {
        return false;
    }
    for (size_t i = 0; i < fact->count; i++) {
        if (!vx_json_integer_at(json, i, 0, VX_INTEGER_MAX, &values[i], problem)) {
            return false;
        }
    }
    return true;
}

static bool read_row(json_t *json, size_t width, int32_t *cells, vx_problem *problem)
{
    if (!vx_json_is_array(json, width, problem)) {
        return false;
    }
    for (size_t i = 0; i < width; i++) {
        int64_t value;
        if (!vx_json_integer_at(json, i, INT32_MIN, INT32_MAX, &value, problem)) {
            return false;
        }
        cells[i] = (int32_t)value;
    }
    return true;
}

static bool read_table(const vx_table_shape *table, json_t *json, vx_result *result,
                       vx_problem *problem)
{
    if (!vx_json_is_array(json, SIZE_MAX, problem)) {
        return false;
    }
    result->rows = json_array_size(json);
    result->cells = vx_must_alloc(result->rows, table->width * sizeof *result->cells);
    for (size_t row = 0; row < result->rows; row++) {
        size_t before = vx_problem_enter_index(problem, row);
        if (!read_row(json_array_get(json, row), table->width, result->cells + row * table->width,
                      problem)) {
            return false;
        }
        vx_problem_leave(problem, before);
    }
    return true;
}

static bool read_digest(json_t *json, char hex[VX_SHA256_HEX], vx_problem *problem)
{
    const char *string = json_is_string(json) ? json_string_value(json) : "";
    if (strlen(string) != VX_SHA256_HEX - 1 ||
        strspn(string, "0123456789abcdef") != VX_SHA256_HEX - 1) {
        return vx_json_wrong(json, "a SHA-256 in 64 lower-case hex digits", problem);
    }
    memcpy(hex, string, VX_SHA256_HEX);
    return true;
}

/* One member of an answer with rows, at whose path the problem stands. *known is false when there
 * is no member of that name. */
static bool read_member(const vx_result_shape *shape, const char *name, json_t *value,
                        vx_expect *expect, bool *known, vx_problem *problem)
{
    vx_result *result = &expect->result;
    int64_t *values = result->facts;
    for (size_t i = 0; i < shape->fact_count; values += shape->facts[i++].count) {
        if (strcmp(name, shape->facts[i].name) == 0) {
            return read_fact(&shape->facts[i], value, values, problem);
        }
    }
    for (size_t i = 0; i < shape->table_count; i++) {
        if (strcmp(name, shape->tables[i].name) == 0) {
            if (result->cells != NULL) {
                return vx_problem_set(problem, "rows of two kinds are given");
            }
            result->table = i;
            return read_table(&shape->tables[i], value, result, problem);
        }
    }
    int64_t rows;
    if (expect->digest && strcmp(name, "sha256") == 0) {
        return read_digest(value, expect->sha256, problem);
    }
    if (expect->digest && strcmp(name, "rows") == 0) {
        if (!vx_json_integer(value, 0, VX_INTEGER_MAX, &rows, problem)) {
            return false;
        }
        result->rows = (size_t)rows;
        return true;
    }
    *known = false;
    return true;
}

/* The first missing member of an answer with rows, NULL when there is none. */
static const char *missing_member(const vx_result_shape *shape, json_t *json,
                                  const vx_expect *expect)
{
    for (size_t i = 0; i < shape->fact_count; i++) {
        if (json_object_get(json, shape->facts[i].name) == NULL) {
            return shape->facts[i].name;
        }
    }
    if (expect->digest) {
        return json_object_get(json, "rows") == NULL ? "rows" : NULL;
    }
    return expect->result.cells == NULL ? shape->tables[0].name : NULL;
}

/* Facts and either a table or, with expect->digest, the digest of one. */
static bool read_rows(const vx_result_shape *shape, json_t *json, vx_expect *expect,
                      vx_problem *problem)
{
    const char *name;
    json_t *value;
    json_object_foreach(json, name, value)
    {
        bool known = true;
        size_t before = vx_problem_enter(problem, name);
        if (!read_member(shape, name, value, expect, &known, problem)) {
            return false;
        }
        vx_problem_leave(problem, before);
        if (!known && !vx_json_unknown(name, problem)) {
            return false;
        }
    }
    const char *missing = missing_member(shape, json, expect);
    if (missing != NULL) {
        return vx_json_missing(missing, problem);
    }
    return !expect->digest || expect->result.cells == NULL ||
           vx_problem_set(problem, "both rows and the digest of rows are given");
}

static bool read_answer(const vx_result_shape *shape, json_t *json, bool is_expect,
                        vx_expect *expect, vx_problem *problem)
{
    *expect = (vx_expect){0};
    if (!vx_json_is_object(json, problem)) {
        return false;
    }
    if (json_object_get(json, "error") != NULL) {
        return read_error(json, is_expect, &expect->kinds, &expect->result.step, problem);
    }
    expect->digest = is_expect && json_object_get(json, "sha256") != NULL;
    if (!read_rows(shape, json, expect, problem)) {
        vx_result_free(&expect->result);
        return false;
    }
    return true;
}

bool vx_expect_read(const vx_result_shape *shape, json_t *json, vx_expect *expect,
                    vx_problem *problem)
{
    return read_answer(shape, json, true, expect, problem);
}

bool vx_result_read(const vx_result_shape *shape, json_t *json, vx_result *result,
                    vx_problem *problem)
{
    vx_expect answer;
    bool good = read_answer(shape, json, false, &answer, problem);
    *result = answer.result;
    if (good && answer.kinds != 0) {
        result->error = answer.kinds == 1u << VX_ARGUMENT ? VX_ARGUMENT : VX_OUT_OF_RANGE;
    }
    return good;
}

/* --- comparing ------------------------------------------------------------------------------- */

/* "an error", "3 solid rows": what kind of result it is. */
static void describe(const vx_result_shape *shape, const vx_result *result, vx_text *text)
{
    if (result->error != VX_OK) {
        vx_text_format(text, "%s at step %lld", vx_status_name(result->error),
                       (long long)result->step);
        if (result->message[0] != '\0') {
            vx_text_format(text, " (%s)", result->message);
        }
    } else {
        vx_text_format(text, "%zu %s rows", result->rows, shape->tables[result->table].name);
    }
}

static bool errors_match(const vx_result_shape *shape, const vx_expect *expect,
                         const vx_result *result, vx_text *difference)
{
    bool kind_is_right = (expect->kinds >> result->error & 1) != 0;
    if (kind_is_right && expect->result.step == result->step) {
        return true;
    }
    vx_text_add(difference, "expected the error ");
    write_kinds(expect->kinds, difference);
    vx_text_format(difference, " at step %lld, got ", (long long)expect->result.step);
    describe(shape, result, difference);
    return false;
}

static bool facts_match(const vx_result_shape *shape, const vx_result *expect,
                        const vx_result *result, vx_text *difference)
{
    size_t at = 0;
    for (size_t i = 0; i < shape->fact_count; i++) {
        const vx_fact_shape *fact = &shape->facts[i];
        for (size_t k = 0; k < fact->count; k++, at++) {
            if (expect->facts[at] == result->facts[at]) {
                continue;
            }
            vx_text_add(difference, fact->name);
            if (fact->count > 1) {
                vx_text_format(difference, "[%zu]", k);
            }
            vx_text_format(difference, ": expected %lld, got %lld", (long long)expect->facts[at],
                           (long long)result->facts[at]);
            return false;
        }
    }
    return true;
}

static bool digests_match(const vx_result_shape *shape, const vx_expect *expect,
                          const vx_result *result, vx_text *difference)
{
    if (expect->result.rows != result->rows) {
        vx_text_format(difference, "rows: expected %zu, got %zu", expect->result.rows,
                       result->rows);
        return false;
    }
    char hex[VX_SHA256_HEX];
    vx_result_digest(shape, result, hex);
    if (strcmp(hex, expect->sha256) != 0) {
        vx_text_format(difference, "sha256 of the rows: expected %s, got %s", expect->sha256, hex);
        return false;
    }
    return true;
}

/* Says how row number row, which differs or which only one of the two has, differs. */
static void row_difference(const vx_table_shape *table, const vx_result *expect,
                           const vx_result *result, size_t row, vx_text *difference)
{
    vx_text_format(difference, "%s row %zu", table->name, row);
    if (row >= result->rows) {
        vx_text_add(difference, " is missing: expected ");
        write_row(expect->cells + row * table->width, table->width, difference);
        return;
    }
    const int32_t *found = result->cells + row * table->width;
    if (row >= expect->rows) {
        vx_text_add(difference, " is one too many: got ");
        write_row(found, table->width, difference);
        return;
    }
    const int32_t *expected = expect->cells + row * table->width;
    size_t column = 0;
    while (expected[column] == found[column]) {
        column++;
    }
    vx_text_format(difference, ", %s: expected %d, got %d (expected row ", table->columns[column],
                   expected[column], found[column]);
    write_row(expected, table->width, difference);
    vx_text_add(difference, ", got ");
    write_row(found, table->width, difference);
    vx_text_add_char(difference, ')');
}

static bool rows_match(const vx_result_shape *shape, const vx_result *expect,
                       const vx_result *result, vx_text *difference)
{
    const vx_table_shape *table = &shape->tables[expect->table];
    if (expect->table != result->table) {
        vx_text_format(difference, "expected %s rows, got %s rows", table->name,
                       shape->tables[result->table].name);
        return false;
    }
    size_t shared = expect->rows < result->rows ? expect->rows : result->rows;
    size_t row = 0;
    while (row < shared && same_cells(expect->cells + row * table->width,
                                      result->cells + row * table->width, table->width)) {
        row++;
    }
    if (row < expect->rows || row < result->rows) {
        row_difference(table, expect, result, row, difference);
        return false;
    }
    return true;
}

bool vx_result_matches(const vx_result_shape *shape, const vx_expect *expect,
                       const vx_result *result, vx_text *difference)
{
    if (expect->kinds != 0) {
        return errors_match(shape, expect, result, difference);
    }
    if (result->error != VX_OK) {
        vx_text_add(difference, "expected ");
        if (expect->digest) {
            vx_text_format(difference, "%zu rows", expect->result.rows);
        } else {
            describe(shape, &expect->result, difference);
        }
        vx_text_add(difference, ", got ");
        describe(shape, result, difference);
        return false;
    }
    return facts_match(shape, &expect->result, result, difference) &&
           (expect->digest ? digests_match(shape, expect, result, difference)
                           : rows_match(shape, &expect->result, result, difference));
}

bool vx_result_equal(const vx_result_shape *shape, const vx_result *a, const vx_result *b)
{
    if (a->error != b->error) {
        return false;
    }
    if (a->error != VX_OK) {
        return a->step == b->step;
    }
    return memcmp(a->facts, b->facts, fact_total(shape) * sizeof a->facts[0]) == 0 &&
           a->table == b->table && a->rows == b->rows &&
           same_cells(a->cells, b->cells, a->rows * result_width(shape, a));
}
