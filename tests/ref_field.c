/* SPDX-License-Identifier: MIT */
/* A field of the reference for its tests, and its whole state as one line of text. */
#include "ref_field.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ref_open_frame(ref_field *f, const vx_frame *frame)
{
    *f = (ref_field){.impl = &vx_ref_build3d};
    vx_arena_init_growable(&f->arena, (size_t)1 << 16, (size_t)1 << 30);
    vx_status status = f->impl->open(&f->arena, frame, &f->field, &f->error);
    cr_assert_eq(status, VX_OK, "open: %s", f->error.message);
}

void ref_open(ref_field *f, int64_t W, int64_t D, int64_t H)
{
    ref_open_frame(f, &(vx_frame){.cell_size = 1, .cell_height = 1, .size = {W, D, H}});
}

void ref_close(ref_field *f)
{
    f->impl->close(f->field);
    vx_arena_free(&f->arena);
}

/* The numbers of one row, appended at *end. */
static void append_row(char **end, const int32_t *cells, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        *end += sprintf(*end, i == 0 ? "%d" : " %d", (int)cells[i]);
    }
}

const char *ref_rows(const ref_field *f)
{
    static char *texts[2];
    static int turn;
    turn = 1 - turn;
    vx_build3d_info info;
    f->impl->info(f->field, &info);
    size_t width = info.is_compact ? sizeof(vx_compact_row) / 4 : sizeof(vx_solid_row) / 4;
    int32_t *cells = calloc(info.rows + 1, width * sizeof *cells);
    free(texts[turn]);
    texts[turn] = malloc(64 + info.rows * width * 12);
    cr_assert(cells != NULL && texts[turn] != NULL);
    vx_status status =
        info.is_compact ? f->impl->read_compact(f->field, (vx_compact_row *)cells, info.rows, NULL)
                        : f->impl->read_solid(f->field, (vx_solid_row *)cells, info.rows, NULL);
    cr_assert_eq(status, VX_OK);
    char *end = texts[turn];
    *end = '\0';
    if (info.degenerate > 0) {
        end += sprintf(end, "degenerate %llu: ", (unsigned long long)info.degenerate);
    }
    for (size_t i = 0; i < info.rows; i++) {
        if (i > 0) {
            end += sprintf(end, "; ");
        }
        append_row(&end, &cells[i * width], width);
    }
    free(cells);
    return texts[turn];
}

void ref_expect(const ref_field *f, const char *name, const char *rows)
{
    cr_assert_str_eq(ref_rows(f), rows, "%s: %s, not %s", name, ref_rows(f), rows);
}

void ref_expect_status(const ref_field *f, const char *name, vx_status actual, vx_status status,
                       const char *message)
{
    cr_assert_eq(actual, status, "%s: %s (%s), not %s", name, vx_status_name(actual),
                 f->error.message, vx_status_name(status));
    cr_assert_str_eq(f->error.message, message, "%s: \"%s\", not \"%s\"", name, f->error.message,
                     message);
    cr_assert_eq(f->error.status, status, "%s: the error's status", name);
}

/* Every operation starts with an empty error. */
static vx_error *fresh(ref_field *f)
{
    f->error = (vx_error){.status = VX_OK};
    return &f->error;
}

vx_status ref_rasterize(ref_field *f, const vx_mesh *mesh)
{
    return f->impl->rasterize(f->field, mesh, fresh(f));
}

vx_status ref_add(ref_field *f, int64_t x, int64_t z, int64_t min, int64_t max, int64_t area,
                  int64_t T)
{
    return f->impl->add_spans(f->field, &(vx_span){x, z, min, max, area}, 1, T, fresh(f));
}

vx_status ref_height_grid(ref_field *f, const vx_height_grid *grid)
{
    return f->impl->height_grid(f->field, grid, fresh(f));
}

vx_status ref_chunk(ref_field *f, const vx_chunk *chunk)
{
    return f->impl->chunk(f->field, chunk, fresh(f));
}

vx_status ref_compact(ref_field *f, int64_t height, int64_t climb)
{
    return f->impl->compact(f->field, height, climb, fresh(f));
}

vx_status ref_volume(ref_field *f, const vx_volume *volume)
{
    return f->impl->volume(f->field, volume, fresh(f));
}

void ref_add_all(ref_field *f, const vx_span *spans, size_t count)
{
    vx_status status = f->impl->add_spans(f->field, spans, count, 0, fresh(f));
    cr_assert_eq(status, VX_OK, "%s", f->error.message);
}

int64_t ref_random(uint64_t *state, int64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((*state >> 33) % (uint64_t)below);
}
