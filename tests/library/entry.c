/* SPDX-License-Identifier: MIT */
/* A shared library that brings an implementation of build3d, for tests: its fields stay empty.
 *
 * FAULT says what is wrong with it: 0 nothing, 1 it knows no ABI, 2 its table has another ABI,
 * 3 its table is too short, 4 a function is missing, 5 it does not export the entry, 6 it cannot
 * trace, 7 every operation says that it is not supported, 8 there is no memory, 9 it returns a
 * status that there is none of, 10 it has more rows than memory can hold, 11 it ends the process,
 * 12 it crashes, 13 it ends the process past all handlers, 14 while it is loaded, 15 by a signal,
 * 16 what it says is not for terminals, 17 loading it does not end, 18 it crashes while it is
 * loaded.
 */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "voxcert/build3d.h"

#ifndef FAULT
#define FAULT 0
#endif

struct vx_build3d {
    vx_build3d_info info;
    vx_trace_fn *trace;
    void *context;
};

static vx_status answer(vx_build3d *field, vx_error *error)
{
    static const vx_status answers[] = {[7] = VX_UNSUPPORTED, [8] = VX_NO_MEMORY, [9] = 77};
    if (FAULT >= 7 && FAULT <= 9) {
        error->status = answers[FAULT];
        (void)memset(error->message, 'x', sizeof error->message); /* no closing NUL */
        return error->status;
    }
    if (FAULT == 16) {
        error->status = VX_UNSUPPORTED;
        (void)strcpy(error->message, "\x1b[2J\n\x9b");
        return error->status;
    }
    if (FAULT == 11) {
        exit(0);
    }
    if (FAULT == 12) {
        abort();
    }
    if (FAULT == 13) {
        _exit(0);
    }
    if (FAULT == 15) {
        (void)raise(SIGKILL);
    }
    if (field->trace != NULL) {
        field->trace(field->context, "B0.9", "nothing is changed");
    }
    return VX_OK;
}

static vx_status open_field(vx_arena *arena, const vx_frame *frame, vx_build3d **field,
                            vx_error *error)
{
    static vx_build3d only;
    (void)arena;
    (void)error;
    only = (vx_build3d){.info = {.rows = FAULT == 10 ? UINT64_MAX / 64 : 0}};
    for (int i = 0; i < 3; i++) {
        only.info.size[i] = (int32_t)frame->size[i];
    }
    *field = &only;
    return VX_OK;
}

static void close_field(vx_build3d *field)
{
    field->trace = NULL;
}

static void get_info(const vx_build3d *field, vx_build3d_info *info)
{
    *info = field->info;
}

static vx_status rasterize(vx_build3d *field, const vx_mesh *mesh, vx_error *error)
{
    (void)mesh;
    return answer(field, error);
}

static vx_status add_spans(vx_build3d *field, const vx_span *spans, size_t count,
                           int64_t merge_threshold, vx_error *error)
{
    (void)spans, (void)count, (void)merge_threshold;
    return answer(field, error);
}

static vx_status height_grid(vx_build3d *field, const vx_height_grid *grid, vx_error *error)
{
    (void)grid;
    return answer(field, error);
}

static vx_status chunk(vx_build3d *field, const vx_chunk *chunk, vx_error *error)
{
    (void)chunk;
    return answer(field, error);
}

static vx_status one_parameter(vx_build3d *field, int64_t value, vx_error *error)
{
    (void)value;
    return answer(field, error);
}

static vx_status ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    (void)height, (void)climb;
    return answer(field, error);
}

static vx_status compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    field->info.is_compact = 1;
    return ledges(field, height, climb, error);
}

static vx_status volume(vx_build3d *field, const vx_volume *volume, vx_error *error)
{
    (void)volume;
    return answer(field, error);
}

static vx_status read_solid(const vx_build3d *field, vx_solid_row *rows, size_t capacity,
                            vx_error *error)
{
    (void)field, (void)rows, (void)capacity, (void)error;
    return VX_OK;
}

static vx_status read_compact(const vx_build3d *field, vx_compact_row *rows, size_t capacity,
                              vx_error *error)
{
    (void)field, (void)rows, (void)capacity, (void)error;
    return VX_OK;
}

#if FAULT != 6
static void set_trace(vx_build3d *field, vx_trace_fn *trace, void *context)
{
    field->trace = trace;
    field->context = context;
}
#endif

static const vx_build3d_impl table = {
    .abi = VX_BUILD3D_ABI + (FAULT == 2 ? 1 : 0),
    .struct_size = sizeof(vx_build3d_impl) - (FAULT == 3 ? 1 : 0),
    .name = "empty",
    .description = "fields that stay empty",
    .open = open_field,
    .close = close_field,
    .info = get_info,
    .rasterize = rasterize,
    .add_spans = add_spans,
    .height_grid = height_grid,
    .chunk = chunk,
    .low_hanging = one_parameter,
    .ledges = ledges,
#if FAULT != 4
    .low_height = one_parameter,
#endif
    .compact = compact,
    .erode = one_parameter,
    .volume = volume,
    .read_solid = read_solid,
    .read_compact = read_compact,
#if FAULT != 6
    .set_trace = set_trace,
#endif
};

#if FAULT == 14 || FAULT == 17 || FAULT == 18
__attribute__((constructor)) static void end_at_once(void)
{
    for (volatile int i = 1; FAULT == 17 && i != 0;) {
    }
    if (FAULT == 18) {
        (void)raise(SIGABRT);
    }
    exit(0);
}
#endif

#if FAULT == 5
#define ENTRY vx_build3d_other_entry
#else
#define ENTRY vx_build3d_entry
#endif

vx_build3d_entry_fn ENTRY;

const vx_build3d_impl *ENTRY(uint32_t abi)
{
    return abi == VX_BUILD3D_ABI && FAULT != 1 ? &table : NULL;
}
