/* SPDX-License-Identifier: MIT */
/* A shared library that wears the reference's table with one thing planted, for tests of the bench
 * and of audits.
 *
 * PLANT says what: 0 nothing, 1 a bit of the last solid row's area, 2 a bit of the last compact
 * row's link in the last direction, 3 a degenerate triangle too many, 4 compacting takes longer,
 * 5 the last solid row is one row higher, 6 all solid rows are, 7 erosion writes to no memory,
 * 8 it does not end, 9 it ends the process, 10 a degenerate triangle too many from the seventh
 * field on, 11 the same from the tenth, 12 vertices change while they are read, 13 a list of spans
 * does, 14 a volume's corners do, 15 the mesh of the field does when the field is closed. NAME is
 * what the table calls itself. */
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "voxcert/build3d.h"

#ifndef NAME
#define NAME "planted"
#endif

static int opened; /* fields so far */

static vx_status open_field(vx_arena *arena, const vx_frame *frame, vx_build3d **field,
                            vx_error *error)
{
    opened++;
    return vx_ref_build3d.open(arena, frame, field, error);
}

/* Changes a number that is there to be read. */
static void change(const double *numbers)
{
    union {
        const double *read;
        double *written;
    } pointer = {.read = numbers};
    *pointer.written += 1;
}

static const double *rasterized; /* the vertices of the last mesh */

static vx_status rasterize(vx_build3d *field, const vx_mesh *mesh, vx_error *error)
{
    rasterized = mesh->vertices;
    if (PLANT == 12 && mesh->vertex_values > 0) {
        change(mesh->vertices);
    }
    return vx_ref_build3d.rasterize(field, mesh, error);
}

static vx_status add_spans(vx_build3d *field, const vx_span *spans, size_t count,
                           int64_t merge_threshold, vx_error *error)
{
    vx_status status = vx_ref_build3d.add_spans(field, spans, count, merge_threshold, error);
    union {
        const vx_span *read;
        vx_span *written;
    } pointer = {.read = spans};
    if (PLANT == 13 && count > 0) {
        pointer.written->area ^= 1;
    }
    return status;
}

static vx_status volume(vx_build3d *field, const vx_volume *volume, vx_error *error)
{
    vx_status status = vx_ref_build3d.volume(field, volume, error);
    if (PLANT == 14) {
        change(volume->corners);
    }
    return status;
}

static void close_field(vx_build3d *field)
{
    if (PLANT == 15 && rasterized != NULL) {
        change(rasterized);
    }
    rasterized = NULL;
    vx_ref_build3d.close(field);
}

static void info(const vx_build3d *field, vx_build3d_info *info)
{
    vx_ref_build3d.info(field, info);
    info->degenerate += PLANT == 3 || (PLANT == 10 && opened >= 7) || (PLANT == 11 && opened >= 10);
}

static vx_status compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    for (volatile int i = 0; i < (PLANT == 4 ? 100000 : 0); i = i + 1) {
    }
    return vx_ref_build3d.compact(field, height, climb, error);
}

static vx_status erode(vx_build3d *field, int64_t radius, vx_error *error)
{
    if (PLANT == 7) {
        volatile int *volatile nowhere = NULL;
        *nowhere = 1;
    }
    for (volatile int i = 1; PLANT == 8 && i != 0;) {
    }
    if (PLANT == 9) {
        _exit(0);
    }
    return vx_ref_build3d.erode(field, radius, error);
}

static vx_status read_solid(const vx_build3d *field, vx_solid_row *rows, size_t capacity,
                            vx_error *error)
{
    vx_status status = vx_ref_build3d.read_solid(field, rows, capacity, error);
    vx_build3d_info read;
    vx_ref_build3d.info(field, &read);
    if (PLANT == 1 && status == VX_OK && read.rows > 0) {
        rows[read.rows - 1].area ^= 1;
    }
    for (uint64_t i = PLANT == 5 && read.rows > 0 ? read.rows - 1 : 0;
         (PLANT == 5 || PLANT == 6) && status == VX_OK && i < read.rows; i++) {
        rows[i].max++;
    }
    return status;
}

static vx_status read_compact(const vx_build3d *field, vx_compact_row *rows, size_t capacity,
                              vx_error *error)
{
    vx_status status = vx_ref_build3d.read_compact(field, rows, capacity, error);
    vx_build3d_info read;
    vx_ref_build3d.info(field, &read);
    if (PLANT == 2 && status == VX_OK && read.rows > 0) {
        rows[read.rows - 1].link[3] ^= 1;
    }
    return status;
}

vx_build3d_entry_fn vx_build3d_entry;

const vx_build3d_impl *vx_build3d_entry(uint32_t abi)
{
    static vx_build3d_impl table;
    table = vx_ref_build3d;
    table.name = NAME;
    table.open = open_field;
    table.close = close_field;
    table.info = info;
    table.rasterize = rasterize;
    table.add_spans = add_spans;
    table.volume = volume;
    table.compact = compact;
    table.erode = erode;
    table.read_solid = read_solid;
    table.read_compact = read_compact;
    return abi == VX_BUILD3D_ABI ? &table : NULL;
}
