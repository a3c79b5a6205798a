/* SPDX-License-Identifier: MIT */
/* Members of a JSON object by table: each kind is read and written at one place. */
#include "fields.h"

#include <nettle/sha2.h>
#include <string.h>

#include "json.h"

static const unsigned char *place(const void *source, size_t offset)
{
    return (const unsigned char *)source + offset;
}

/* A list as it stands in a struct. memcpy, because pointers to spans, runs, indices … all serve. */
typedef struct list {
    const void *elements;
    size_t count;
} list;

static list get_list(const vx_field *field, const void *source)
{
    list result;
    memcpy(&result.elements, place(source, field->offset), sizeof result.elements);
    memcpy(&result.count, place(source, field->count_offset), sizeof result.count);
    return result;
}

static void set_list(const vx_field *field, void *target, list value)
{
    unsigned char *bytes = target;
    memcpy(bytes + field->offset, &value.elements, sizeof value.elements);
    memcpy(bytes + field->count_offset, &value.count, sizeof value.count);
}

static bool is_list(const vx_field *field)
{
    return field->kind >= VX_FIELD_INTEGER_LIST;
}

static bool holds_numbers(const vx_field *field)
{
    return field->kind == VX_FIELD_NUMBER || field->kind == VX_FIELD_NUMBERS ||
           field->kind == VX_FIELD_NUMBER_LIST || field->kind == VX_FIELD_NUMBER_ROWS;
}

/* The elements (integers or numbers) of one entry of a list. */
static size_t entry_width(const vx_field *field)
{
    return field->width > 0 ? field->width : 1;
}

/* --- reading --------------------------------------------------------------------------------- */

/* The first count elements of the array into memory, as numbers or as integers. */
static bool read_elements(json_t *array, size_t count, bool numbers, void *memory,
                          vx_problem *problem)
{
    double *number = memory;
    int64_t *integer = memory;
    for (size_t i = 0; i < count; i++) {
        bool good = numbers ? vx_json_number_at(array, i, &number[i], problem)
                            : vx_json_integer_at(array, i, -VX_INTEGER_MAX, VX_INTEGER_MAX,
                                                 &integer[i], problem);
        if (!good) {
            return false;
        }
    }
    return true;
}

static bool read_rows(json_t *array, size_t width, bool numbers, unsigned char *memory,
                      vx_problem *problem)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        json_t *row = json_array_get(array, i);
        size_t before = vx_problem_enter_index(problem, i);
        if (!vx_json_is_array(row, width, problem) ||
            !read_elements(row, width, numbers, memory + i * width * sizeof(int64_t), problem)) {
            return false;
        }
        vx_problem_leave(problem, before);
    }
    return true;
}

/* A key of a map: a decimal integer as JSON would write it, within ±2^53. */
static bool read_key(const char *key, int64_t *value)
{
    const char *digits = key[0] == '-' ? key + 1 : key;
    size_t size = strlen(digits);
    bool canonical = size > 0 && size <= 16 && strspn(digits, "0123456789") == size &&
                     (digits[0] != '0' || (size == 1 && digits == key));
    if (!canonical) {
        return false;
    }
    *value = 0;
    for (size_t i = 0; i < size; i++) {
        *value = *value * 10 + (digits[i] - '0');
    }
    *value = digits == key ? *value : -*value;
    return *value >= -VX_INTEGER_MAX && *value <= VX_INTEGER_MAX;
}

static bool read_map(json_t *object, int64_t *pairs, vx_problem *problem)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        size_t before = vx_problem_enter(problem, key);
        if (!read_key(key, &pairs[0])) {
            return vx_problem_set(problem, "the name must be an integer within ±2^53, in decimal");
        }
        if (!vx_json_integer(value, -VX_INTEGER_MAX, VX_INTEGER_MAX, &pairs[1], problem)) {
            return false;
        }
        vx_problem_leave(problem, before);
        pairs += 2;
    }
    return true;
}

static bool read_list(const vx_field *field, json_t *value, void *target, vx_arena *arena,
                      vx_problem *problem)
{
    bool is_map = field->kind == VX_FIELD_INTEGER_MAP;
    bool shape_is_right =
        is_map ? vx_json_is_object(value, problem) : vx_json_is_array(value, SIZE_MAX, problem);
    if (!shape_is_right) {
        return false;
    }
    size_t count = is_map ? json_object_size(value) : json_array_size(value);
    size_t width = entry_width(field);
    void *memory = vx_must_arena_alloc(arena, count, width * sizeof(int64_t));
    bool good;
    if (is_map) {
        good = read_map(value, memory, problem);
    } else if (field->width > 0) {
        good = read_rows(value, width, holds_numbers(field), memory, problem);
    } else {
        good = read_elements(value, count, holds_numbers(field), memory, problem);
    }
    set_list(field, target, (list){memory, count});
    return good;
}

/* A scalar or an array of fixed length. */
static bool read_plain(const vx_field *field, json_t *value, void *target, vx_problem *problem)
{
    void *memory = (unsigned char *)target + field->offset;
    double number;
    switch (field->kind) {
    case VX_FIELD_TAG:
        return true;
    case VX_FIELD_INTEGER:
        return vx_json_integer(value, -VX_INTEGER_MAX, VX_INTEGER_MAX, memory, problem);
    case VX_FIELD_NUMBER:
        return vx_json_number(value, memory, problem);
    case VX_FIELD_FLOAT:
        if (!vx_json_number(value, &number, problem)) {
            return false;
        }
        *(float *)memory = (float)number;
        return true;
    default:
        return vx_json_is_array(value, field->width, problem) &&
               read_elements(value, field->width, holds_numbers(field), memory, problem);
    }
}

/* The index of the field of that name, table->count when there is none. */
static size_t find_field(const vx_field_table *table, const char *name)
{
    size_t i = 0;
    while (i < table->count && strcmp(table->fields[i].name, name) != 0) {
        i++;
    }
    return i;
}

bool vx_fields_read(const vx_field_table *table, json_t *object, void *target, vx_arena *arena,
                    uint32_t *absent, vx_problem *problem)
{
    if (!vx_json_is_object(object, problem)) {
        return false;
    }
    uint32_t seen = 0;
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        size_t index = find_field(table, name);
        if (index == table->count) {
            if (!vx_json_unknown(name, problem)) {
                return false;
            }
            continue;
        }
        const vx_field *field = &table->fields[index];
        size_t before = vx_problem_enter(problem, name);
        if (!(is_list(field) ? read_list(field, value, target, arena, problem)
                             : read_plain(field, value, target, problem))) {
            return false;
        }
        vx_problem_leave(problem, before);
        seen |= UINT32_C(1) << index;
    }
    for (size_t i = 0; i < table->count; i++) {
        if (!table->fields[i].optional && (seen >> i & 1) == 0) {
            return vx_json_missing(table->fields[i].name, problem);
        }
    }
    if (absent != NULL) {
        *absent = ~seen;
    }
    return true;
}

/* --- writing --------------------------------------------------------------------------------- */

static void write_element(bool number, const void *memory, size_t index, vx_text *text)
{
    if (number) {
        vx_text_add_json_number(text, ((const double *)memory)[index]);
    } else {
        vx_text_add_integer(text, ((const int64_t *)memory)[index]);
    }
}

/* [a,b,…] */
static void write_elements(bool numbers, const void *memory, size_t first, size_t count,
                           vx_text *text)
{
    vx_text_add_char(text, '[');
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            vx_text_add_char(text, ',');
        }
        write_element(numbers, memory, first + i, text);
    }
    vx_text_add_char(text, ']');
}

static void write_rows(const vx_field *field, list rows, vx_text *text)
{
    vx_text_add_char(text, '[');
    for (size_t i = 0; i < rows.count; i++) {
        if (i > 0) {
            vx_text_add_char(text, ',');
        }
        write_elements(holds_numbers(field), rows.elements, i * field->width, field->width, text);
    }
    vx_text_add_char(text, ']');
}

static void write_map(const int64_t *pairs, size_t count, vx_text *text)
{
    vx_text_add_char(text, '{');
    for (size_t i = 0; i < count; i++) {
        vx_text_add(text, i > 0 ? ",\"" : "\"");
        vx_text_add_integer(text, pairs[2 * i]);
        vx_text_add(text, "\":");
        vx_text_add_integer(text, pairs[2 * i + 1]);
    }
    vx_text_add_char(text, '}');
}

static void write_value(const vx_field *field, const void *source, vx_text *text)
{
    const void *memory = place(source, field->offset);
    list elements = is_list(field) ? get_list(field, source) : (list){0};
    switch (field->kind) {
    case VX_FIELD_TAG:
        break;
    case VX_FIELD_INTEGER:
    case VX_FIELD_NUMBER:
        write_element(holds_numbers(field), memory, 0, text);
        break;
    case VX_FIELD_FLOAT:
        vx_text_add_json_number(text, (double)*(const float *)memory);
        break;
    case VX_FIELD_INTEGERS:
    case VX_FIELD_NUMBERS:
        write_elements(holds_numbers(field), memory, 0, field->width, text);
        break;
    case VX_FIELD_INTEGER_LIST:
    case VX_FIELD_NUMBER_LIST:
        write_elements(holds_numbers(field), elements.elements, 0, elements.count, text);
        break;
    case VX_FIELD_INTEGER_ROWS:
    case VX_FIELD_NUMBER_ROWS:
        write_rows(field, elements, text);
        break;
    case VX_FIELD_INTEGER_MAP:
        write_map(elements.elements, elements.count, text);
        break;
    }
}

static bool is_left_out(const vx_field *field, const void *source, bool absent,
                        const void *defaults)
{
    if (!field->optional) {
        return false;
    }
    if (is_list(field)) {
        return get_list(field, source).elements == NULL;
    }
    size_t size = field->kind == VX_FIELD_FLOAT ? sizeof(float) : sizeof(int64_t);
    return absent &&
           memcmp(place(source, field->offset), place(defaults, field->offset), size) == 0;
}

void vx_fields_write(const vx_field_table *table, const void *source, uint32_t absent,
                     const void *defaults, vx_text *text)
{
    for (size_t i = 0; i < table->count; i++) {
        const vx_field *field = &table->fields[i];
        if (field->kind == VX_FIELD_TAG ||
            is_left_out(field, source, (absent >> i & 1) != 0, defaults)) {
            continue;
        }
        if (text->size > 0 && text->bytes[text->size - 1] != '{') {
            vx_text_add_char(text, ',');
        }
        vx_text_add_json_string(text, field->name);
        vx_text_add_char(text, ':');
        write_value(field, source, text);
    }
}

void vx_fields_copy_lists(const vx_field_table *table, void *target, vx_arena *arena)
{
    for (size_t i = 0; i < table->count; i++) {
        const vx_field *field = &table->fields[i];
        if (!is_list(field)) {
            continue;
        }
        list given = get_list(field, target);
        if (given.elements == NULL) {
            continue;
        }
        size_t size = entry_width(field) * sizeof(int64_t);
        void *copy = vx_must_arena_alloc(arena, given.count, size);
        if (given.count > 0) {
            memcpy(copy, given.elements, given.count * size);
        }
        set_list(field, target, (list){copy, given.count});
    }
}

/* --- digests ---------------------------------------------------------------------------------- */

static void digest_list(const vx_field *field, const void *source, struct sha256_ctx *context)
{
    list given = get_list(field, source);
    sha256_update(context, sizeof given.elements, (const uint8_t *)&given.elements);
    sha256_update(context, sizeof given.count, (const uint8_t *)&given.count);
    if (given.elements != NULL) {
        sha256_update(context, given.count * entry_width(field) * sizeof(int64_t), given.elements);
    }
}

void vx_fields_digest(const vx_field_table *table, const void *source, struct sha256_ctx *context)
{
    for (size_t i = 0; i < table->count; i++) {
        const vx_field *field = &table->fields[i];
        if (is_list(field)) {
            digest_list(field, source, context);
        } else if (field->kind != VX_FIELD_TAG) {
            size_t size = field->kind == VX_FIELD_FLOAT ? sizeof(float)
                                                        : entry_width(field) * sizeof(int64_t);
            sha256_update(context, size, place(source, field->offset));
        }
    }
}
