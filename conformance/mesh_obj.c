/* SPDX-License-Identifier: MIT */
/* Reading OBJ files that hold triangles, and checking the lines of all others. */
#include "mesh_obj.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "file.h"

enum { SHOWN_MAX = 24, NUMBERS_MAX = 6 };

/* A file under work, line by line. A line that ends in a backslash goes on in the next one. */
typedef struct obj_file {
    const char *at, *end; /* what is not read yet; a NUL stands behind it */
    const char *line_end; /* of the present line */
    size_t line;          /* its number, from 1 */
    size_t next_line;
    float *vertices;
    size_t vertex_count, vertex_capacity;
    int64_t *numbers; /* of each vertex in the mesh, −1 until it is used */
    bool has_polygons;
    vx_error *error;
} obj_file;

/* --- words ------------------------------------------------------------------------------------ */

/* Goes to the next line; false at the end of the file. */
static bool next_line(obj_file *file)
{
    file->line = file->next_line;
    if (file->at == file->end) {
        return false;
    }
    const char *from = file->at;
    for (;;) {
        const char *found = memchr(from, '\n', (size_t)(file->end - from));
        file->line_end = found != NULL ? found : file->end;
        file->next_line++;
        const char *last = file->line_end;
        last -= last > file->at && last[-1] == '\r' ? 1 : 0;
        if (found == NULL || last == file->at || last[-1] != '\\') {
            return true;
        }
        from = found + 1;
    }
}

static void leave_line(obj_file *file)
{
    file->at = file->line_end + (file->line_end < file->end ? 1 : 0);
}

/* The backslash, and the line end behind it, stand between words like a space. */
static bool is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r') || byte == '\\';
}

/* The length of the line's next word, which file->at then points to; 0 at its end. */
static size_t next_word(obj_file *file)
{
    while (file->at < file->line_end && is_space(*file->at)) {
        file->at++;
    }
    const char *end = file->at;
    while (end < file->line_end && !is_space(*end)) {
        end++;
    }
    return (size_t)(end - file->at);
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* A number of up to 15 digits that together with its power of ten is exact, as nearly all are. */
static bool read_simple_number(const char *word, size_t length, double *number)
{
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    size_t i = word[0] == '-' || word[0] == '+' ? 1 : 0;
    uint64_t digits = 0;
    size_t count = 0;
    size_t behind_point = 0;
    bool point = false;
    for (; i < length; i++) {
        if (word[i] == '.' && !point) {
            point = true;
        } else if (is_digit(word[i]) && count < 15) {
            digits = digits * 10 + (uint64_t)(word[i] - '0');
            count++;
            behind_point += point ? 1 : 0;
        } else {
            return false;
        }
    }
    double value = (double)digits / powers[behind_point];
    *number = word[0] == '-' ? -value : value;
    return count > 0;
}

static bool read_number(const char *word, size_t length, float *number)
{
    double value;
    char *end;
    if (!read_simple_number(word, length, &value)) {
        value = strtod(word, &end);
        bool hexadecimal = memchr(word, 'x', length) != NULL || memchr(word, 'X', length) != NULL;
        if (end != word + length || hexadecimal) {
            return false;
        }
    }
    *number = (float)value;
    return true;
}

static int shown(size_t length)
{
    return length > SHOWN_MAX ? SHOWN_MAX : (int)length;
}

/* --- vertices --------------------------------------------------------------------------------- */

/* Behind "v": x y z, perhaps w or a colour. */
static vx_status read_vertex(obj_file *file)
{
    float numbers[NUMBERS_MAX];
    size_t count = 0;
    size_t length;
    while ((length = next_word(file)) > 0) {
        float number;
        if (!read_number(file->at, length, &number)) {
            return vx_fail(file->error, VX_ARGUMENT, "line %zu: a vertex has '%.*s' for a number",
                           file->line, shown(length), file->at);
        }
        if (count < NUMBERS_MAX) {
            numbers[count] = number;
        }
        count++;
        file->at += length;
    }
    if (count < 3) {
        return vx_fail(file->error, VX_ARGUMENT, "line %zu: a vertex has %zu of 3 coordinates",
                       file->line, count);
    }
    if (file->vertex_count == file->vertex_capacity) {
        file->vertex_capacity = file->vertex_capacity * 2 + 1024;
        file->vertices =
            vx_must_realloc(file->vertices, file->vertex_capacity, 3 * sizeof *file->vertices);
    }
    for (size_t i = 0; i < 3; i++) {
        float weight = count == 4 ? numbers[3] : 1;
        file->vertices[3 * file->vertex_count + i] = numbers[i] / weight;
    }
    file->vertex_count++;
    return VX_OK;
}

/* --- faces ------------------------------------------------------------------------------------ */

/* An index at `at`, up to a slash or the end of the word; where it ends, or NULL. */
static const char *read_index(const char *at, const char *end, int64_t *index)
{
    bool negative = *at == '-';
    at += negative || *at == '+' ? 1 : 0;
    const char *first = at;
    int64_t value = 0;
    while (at < end && is_digit(*at) && at - first < 18) {
        value = value * 10 + (*at - '0');
        at++;
    }
    *index = negative ? -value : value;
    return at > first && (at == end || *at == '/') ? at : NULL;
}

/* A corner: "7", "7/2", "7//3" or "7/2/3"; the vertex is what counts. */
static bool read_corner(const char *word, size_t length, int64_t *index)
{
    const char *end = word + length;
    const char *at = read_index(word, end, index);
    for (int part = 1; part < 3 && at != NULL && at < end; part++) {
        int64_t other;
        at++;
        if (at < end && *at != '/') {
            at = read_index(at, end, &other);
        }
    }
    return at == end;
}

/* The vertex's number in the mesh. */
static int64_t use_vertex(obj_file *file, vx_gatherer *to, size_t vertex)
{
    if (file->numbers[vertex] < 0) {
        double at[3];
        for (size_t i = 0; i < 3; i++) {
            at[i] = (double)file->vertices[3 * vertex + i] + 0.0; /* −0 becomes 0 */
        }
        file->numbers[vertex] = vx_gather_vertex(to, at);
    }
    return file->numbers[vertex];
}

/* Behind "f"; `before` counts the vertices above it. Points and lines are left out. */
static vx_status read_face(obj_file *file, vx_gatherer *to, size_t before)
{
    int64_t corners[3] = {0};
    size_t count = 0;
    size_t length;
    while ((length = next_word(file)) > 0) {
        int64_t index;
        if (!read_corner(file->at, length, &index)) {
            return vx_fail(file->error, VX_ARGUMENT, "line %zu: a face has '%.*s' for a corner",
                           file->line, shown(length), file->at);
        }
        int64_t vertex = index < 0 ? (int64_t)before + index : index - 1;
        if (vertex < 0 || vertex >= (int64_t)file->vertex_count) {
            return vx_fail(file->error, VX_OUT_OF_RANGE, "line %zu: a face has vertex %lld of %zu",
                           file->line, (long long)index, file->vertex_count);
        }
        if (count < 3) {
            corners[count] = vertex;
        }
        count++;
        file->at += length;
    }
    file->has_polygons = file->has_polygons || count > 3;
    if (count != 3 || file->has_polygons) {
        return VX_OK;
    }
    for (int i = 0; i < 3; i++) {
        corners[i] = use_vertex(file, to, (size_t)corners[i]);
    }
    return vx_gather_triangle(to, corners, file->error);
}

/* --- the file --------------------------------------------------------------------------------- */

/* Whether the line starts with this word, which is then behind us. */
static bool takes_word(obj_file *file, char word)
{
    size_t length = next_word(file);
    bool good = length == 1 && *file->at == word;
    file->at += good ? length : 0;
    return good;
}

static vx_status read_vertices(obj_file *file)
{
    vx_status status = VX_OK;
    while (status == VX_OK && next_line(file)) {
        status = takes_word(file, 'v') ? read_vertex(file) : VX_OK;
        leave_line(file);
    }
    return status;
}

/* Faces may name vertices that stand further down. */
static vx_status read_faces(obj_file *file, vx_gatherer *to)
{
    size_t before = 0;
    vx_status status = VX_OK;
    file->numbers = vx_must_alloc(file->vertex_count, sizeof *file->numbers);
    for (size_t i = 0; i < file->vertex_count; i++) {
        file->numbers[i] = -1;
    }
    while (status == VX_OK && next_line(file)) {
        if (takes_word(file, 'v')) {
            before++;
        } else if (takes_word(file, 'f')) {
            status = read_face(file, to, before);
        }
        leave_line(file);
    }
    return status;
}

vx_status vx_mesh_obj_read(const char *path, vx_mesh_progress *progress, vx_gatherer *to,
                           bool *complete, vx_error *error)
{
    vx_text text = {0};
    obj_file file = {.error = error, .next_line = 1};
    vx_status status = vx_file_read(path, VX_FILE_BYTES_MAX, &text, error);
    if (status == VX_OK) {
        (void)atomic_fetch_add(&progress->bytes, text.size);
        file.at = vx_text_string(&text);
        file.end = file.at + text.size;
        status = read_vertices(&file);
    }
    if (status == VX_OK) {
        file.at = vx_text_string(&text);
        file.next_line = 1;
        status = read_faces(&file, to);
    }
    *complete = status == VX_OK && !file.has_polygons && to->mesh.triangle_count > 0;
    if (!*complete) {
        free(to->slots);
        vx_import_mesh_free(&to->mesh);
        *to = (vx_gatherer){0};
    }
    free(file.vertices);
    free(file.numbers);
    vx_text_free(&text);
    return status;
}
