/* SPDX-License-Identifier: MIT */
/* Reading height grids: grey PNG pictures and ESRI ASCII grids. */
#include <errno.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "case.h"
#include "file.h"
#include "import.h"

void vx_import_heights_free(vx_import_heights *heights)
{
    free(heights->heights);
    *heights = (vx_import_heights){0};
}

/* Sets the count and allocates, when the grid is neither too small nor too large. */
static vx_status open_heights(const char *path, double columns, double rows,
                              vx_import_heights *heights, vx_error *error)
{
    if (!(columns >= 2 && rows >= 2)) {
        return vx_fail(error, VX_OUT_OF_RANGE,
                       "%s: %g columns and %g rows; at least 2 of each are needed", path, columns,
                       rows);
    }
    if (columns * rows > (double)VX_IMPORT_HEIGHTS_MAX) {
        return vx_fail(error, VX_OUT_OF_RANGE,
                       "%s: %.0f columns by %.0f rows, more than %zu heights", path, columns, rows,
                       VX_IMPORT_HEIGHTS_MAX);
    }
    heights->count[0] = (int64_t)columns;
    heights->count[1] = (int64_t)rows;
    heights->heights = vx_must_alloc((size_t)(columns * rows), sizeof(double));
    return VX_OK;
}

/* --- PNG -------------------------------------------------------------------------------------- */

typedef struct png_reader {
    const char *path; /* as messages call it */
    FILE *file;
    png_structp png;
    png_infop info;
    png_bytep bytes;
    png_bytepp rows;
    size_t row_bytes;
    vx_status status;
    vx_error *error;
} png_reader;

static void on_png_error(png_structp png, png_const_charp message)
{
    png_reader *reader = png_get_error_ptr(png);
    reader->status = vx_fail(reader->error, VX_ARGUMENT, "%s: no PNG, or a damaged one: %s",
                             reader->path, message);
    png_longjmp(png, 1);
}

static void on_png_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static vx_status read_png(png_reader *reader, vx_import_heights *heights)
{
    png_init_io(reader->png, reader->file);
    png_set_user_limits(reader->png, (png_uint_32)VX_IMPORT_HEIGHTS_MAX,
                        (png_uint_32)VX_IMPORT_HEIGHTS_MAX);
    png_set_chunk_malloc_max(reader->png, (png_alloc_size_t)1 << 20);
    png_read_info(reader->png, reader->info);
    int depth = png_get_bit_depth(reader->png, reader->info);
    int colour = png_get_color_type(reader->png, reader->info);
    if (colour != PNG_COLOR_TYPE_GRAY || depth < 8) {
        return vx_fail(reader->error, VX_ARGUMENT,
                       "%s: %d bits of colour type %d; grey (type 0) with 8 or 16 bits is needed",
                       reader->path, depth, colour);
    }
    vx_status status =
        open_heights(reader->path, png_get_image_width(reader->png, reader->info),
                     png_get_image_height(reader->png, reader->info), heights, reader->error);
    if (status != VX_OK) {
        return status;
    }
    size_t row_count = (size_t)heights->count[1];
    reader->row_bytes = (size_t)heights->count[0] * (size_t)(depth / 8);
    reader->bytes = vx_must_alloc(row_count, reader->row_bytes);
    reader->rows = vx_must_alloc(row_count, sizeof *reader->rows);
    for (size_t j = 0; j < row_count; j++) {
        reader->rows[j] = reader->bytes + j * reader->row_bytes;
    }
    png_read_image(reader->png, reader->rows);
    png_read_end(reader->png, NULL);
    return VX_OK;
}

/* libpng reports errors by a jump to here. */
static vx_status read_png_guarded(png_reader *reader, vx_import_heights *heights)
{
    if (setjmp(png_jmpbuf(reader->png)) != 0) {
        return reader->status;
    }
    return read_png(reader, heights);
}

static void samples_to_heights(const png_reader *reader, double scale, double offset,
                               vx_import_heights *heights)
{
    size_t count = (size_t)(heights->count[0] * heights->count[1]);
    bool wide = reader->row_bytes > (size_t)heights->count[0];
    for (size_t i = 0; i < count; i++) {
        const png_byte *at = reader->bytes + i * (wide ? 2 : 1);
        int sample = wide ? at[0] * 256 + at[1] : at[0];
        heights->heights[i] = offset + scale * sample;
    }
}

vx_status vx_height_png_read(const char *path, double scale, double offset,
                             vx_import_heights *heights, vx_error *error)
{
    png_reader reader = {.path = vx_file_label(path), .error = error};
    size_t size;
    vx_status status = vx_file_size(path, VX_FILE_BYTES_MAX, &size, error);
    if (status != VX_OK) {
        return status;
    }
    reader.file = fopen(path, "rbe");
    if (reader.file == NULL) {
        return vx_fail(error, VX_ARGUMENT, "%s: %s", reader.path, strerror(errno));
    }
    reader.png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_png_error, on_png_warning);
    reader.info = reader.png != NULL ? png_create_info_struct(reader.png) : NULL;
    if (reader.info == NULL) {
        status = vx_fail(error, VX_NO_MEMORY, "%s: no memory for the picture", reader.path);
        goto done;
    }
    heights->origin[0] = 0;
    heights->origin[1] = 0;
    status = read_png_guarded(&reader, heights);
    if (status != VX_OK) {
        vx_import_heights_free(heights);
        goto done;
    }
    samples_to_heights(&reader, scale, offset, heights);
done:
    png_destroy_read_struct(&reader.png, &reader.info, NULL);
    (void)fclose(reader.file);
    free(reader.bytes);
    free(reader.rows);
    return status;
}

/* --- ESRI ASCII grid -------------------------------------------------------------------------- */

enum { NCOLS, NROWS, XLLCORNER, YLLCORNER, XLLCENTER, YLLCENTER, CELLSIZE, NODATA, KEY_COUNT };

static const char *const asc_keys[KEY_COUNT] = {"ncols",     "nrows",       "xllcorner",
                                                "yllcorner", "xllcenter",   "yllcenter",
                                                "cellsize",  "NODATA_value"};

typedef struct asc_reader {
    const char *path; /* as messages call it */
    const char *at;   /* what is not read yet, up to a NUL */
    double values[KEY_COUNT];
    bool given[KEY_COUNT];
    vx_error *error;
} asc_reader;

static bool is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* The length of the next word, 0 at the end. */
static size_t next_word(asc_reader *reader)
{
    while (is_space(*reader->at)) {
        reader->at++;
    }
    size_t length = 0;
    while (reader->at[length] != '\0' && !is_space(reader->at[length])) {
        length++;
    }
    return length;
}

/* What an error message shows of a word. */
static int shown(size_t length)
{
    return length > 24 ? 24 : (int)length;
}

/* Reads the next word when it is a finite number; otherwise *length and reader->at show the word.
 */
static bool next_number(asc_reader *reader, double *value, size_t *length)
{
    *length = next_word(reader);
    char *end;
    *value = strtod(reader->at, &end);
    if (*length == 0 || end != reader->at + *length || !isfinite(*value)) {
        return false;
    }
    reader->at = end;
    return true;
}

static vx_status read_asc_key(asc_reader *reader, size_t length)
{
    int key = 0;
    while (key < KEY_COUNT && (strlen(asc_keys[key]) != length ||
                               strncasecmp(asc_keys[key], reader->at, length) != 0)) {
        key++;
    }
    if (key == KEY_COUNT) {
        return vx_fail(reader->error, VX_ARGUMENT,
                       "%s: no ESRI ASCII grid: '%.*s' is none of its header's words", reader->path,
                       shown(length), reader->at);
    }
    if (reader->given[key]) {
        return vx_fail(reader->error, VX_ARGUMENT, "%s: %s stands twice", reader->path,
                       asc_keys[key]);
    }
    reader->at += length;
    if (!next_number(reader, &reader->values[key], &length)) {
        return vx_fail(reader->error, VX_ARGUMENT, "%s: %s: a finite number is needed, not '%.*s'",
                       reader->path, asc_keys[key], shown(length), reader->at);
    }
    reader->given[key] = true;
    return VX_OK;
}

static vx_status check_asc_header(const asc_reader *reader)
{
    const double *values = reader->values;
    const char *path = reader->path;
    for (int key = NCOLS; key <= NROWS; key++) {
        if (!reader->given[key] || values[key] != floor(values[key])) {
            return vx_fail(reader->error, VX_ARGUMENT, "%s: no ESRI ASCII grid: %s is %s", path,
                           asc_keys[key], reader->given[key] ? "no whole number" : "missing");
        }
    }
    if (!reader->given[CELLSIZE]) {
        return vx_fail(reader->error, VX_ARGUMENT, "%s: no ESRI ASCII grid: cellsize is missing",
                       path);
    }
    if (!(values[CELLSIZE] > 0)) {
        return vx_fail(reader->error, VX_OUT_OF_RANGE, "%s: cellsize %g: more than 0 is needed",
                       path, values[CELLSIZE]);
    }
    for (int axis = 0; axis < 2; axis++) {
        if (reader->given[XLLCORNER + axis] == reader->given[XLLCENTER + axis]) {
            return vx_fail(reader->error, VX_ARGUMENT, "%s: one of %s and %s is needed", path,
                           asc_keys[XLLCORNER + axis], asc_keys[XLLCENTER + axis]);
        }
    }
    return VX_OK;
}

static vx_status read_asc_header(asc_reader *reader)
{
    reader->values[NODATA] = -9999; /* the format's own default */
    for (;;) {
        size_t length = next_word(reader);
        char first = *reader->at;
        if (length == 0 || strchr("+-.0123456789", first) != NULL) {
            return check_asc_header(reader);
        }
        vx_status status = read_asc_key(reader, length);
        if (status != VX_OK) {
            return status;
        }
    }
}

static vx_status read_asc_values(asc_reader *reader, double scale, double offset,
                                 vx_import_heights *heights)
{
    size_t columns = (size_t)heights->count[0];
    size_t count = columns * (size_t)heights->count[1];
    size_t length;
    for (size_t i = 0; i < count; i++) {
        size_t row = i / columns + 1;
        size_t column = i % columns + 1;
        double value;
        if (!next_number(reader, &value, &length)) {
            return vx_fail(reader->error, VX_ARGUMENT,
                           "%s: row %zu, column %zu: a finite number is needed, not %s%.*s%s",
                           reader->path, row, column, length > 0 ? "'" : "the end of the file",
                           shown(length), reader->at, length > 0 ? "'" : "");
        }
        if (value == reader->values[NODATA]) {
            return vx_fail(reader->error, VX_ARGUMENT,
                           "%s: row %zu, column %zu is a hole (NODATA_value %g); fill it first",
                           reader->path, row, column, value);
        }
        heights->heights[i] = offset + scale * value;
    }
    length = next_word(reader);
    if (length > 0) {
        return vx_fail(reader->error, VX_ARGUMENT, "%s: '%.*s' stands behind the last value",
                       reader->path, shown(length), reader->at);
    }
    return VX_OK;
}

/* The first row of the file is the northernmost, and north is −z. */
static void place_asc(const asc_reader *reader, vx_import_heights *heights)
{
    const double *values = reader->values;
    double half = reader->given[XLLCORNER] ? 0.5 : 0.0;
    heights->spacing = values[CELLSIZE];
    heights->origin[0] = values[XLLCORNER] + values[XLLCENTER] + half * values[CELLSIZE];
    half = reader->given[YLLCORNER] ? 0.5 : 0.0;
    heights->origin[1] =
        -(values[YLLCORNER] + values[YLLCENTER] + (values[NROWS] - 1 + half) * values[CELLSIZE]);
}

vx_status vx_height_asc_read(const char *path, double scale, double offset,
                             vx_import_heights *heights, vx_error *error)
{
    vx_text text = {0};
    asc_reader reader = {.path = vx_file_label(path), .error = error};
    vx_status status = vx_file_read(path, VX_FILE_BYTES_MAX, &text, error);
    if (status != VX_OK) {
        goto done;
    }
    reader.at = vx_text_string(&text);
    if (strlen(reader.at) != text.size) {
        status =
            vx_fail(error, VX_ARGUMENT, "%s: no ESRI ASCII grid: it holds a NUL byte", reader.path);
        goto done;
    }
    status = read_asc_header(&reader);
    if (status == VX_OK) {
        status =
            open_heights(reader.path, reader.values[NCOLS], reader.values[NROWS], heights, error);
    }
    if (status == VX_OK) {
        status = read_asc_values(&reader, scale, offset, heights);
    }
    if (status == VX_OK) {
        place_asc(&reader, heights);
    } else {
        vx_import_heights_free(heights);
    }
done:
    vx_text_free(&text);
    return status;
}
