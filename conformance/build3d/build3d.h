/* SPDX-License-Identifier: MIT */
/* The build3d chapter inside the kit: its inputs (a grid and steps, docs/PROTOCOL.md) as plain
 * structs, and the functions that make, read, write and run them. Nothing outside this directory
 * knows it, except code that makes or draws inputs of this chapter. */
#ifndef VX_KIT_BUILD3D_H
#define VX_KIT_BUILD3D_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chapter.h"
#include "exit.h"
#include "import.h"
#include "problem.h"
#include "result.h"
#include "text.h"
#include "voxcert/arena.h"
#include "voxcert/build3d.h"

/* The steps, in the order of docs/PROTOCOL.md. Those before VX_OP_COMPACT work on the solid
 * heightfield and stand before it, those behind it on the compact one. */
typedef enum vx_op {
    VX_OP_RASTERIZE,
    VX_OP_ADD_SPANS,
    VX_OP_HEIGHT_GRID,
    VX_OP_CHUNK,
    VX_OP_LOW_HANGING,
    VX_OP_LEDGES,
    VX_OP_LOW_HEIGHT,
    VX_OP_COMPACT,
    VX_OP_ERODE,
    VX_OP_VOLUME
} vx_op;

enum { VX_OP_COUNT = VX_OP_VOLUME + 1 };

/* The arguments of addSpans. */
typedef struct vx_span_list {
    const vx_span *spans;
    size_t count;
    int64_t merge_threshold;
} vx_span_list;

/* One step. The members that op does not use are 0. An area list that is given and empty has
 * area_count 0 and areas not NULL; NULL means that none is given. */
typedef struct vx_step {
    vx_op op;
    union {
        vx_mesh mesh;        /* rasterize */
        vx_span_list list;   /* addSpans */
        vx_height_grid grid; /* heightGrid */
        vx_chunk chunk;      /* chunk */
        vx_volume volume;    /* volume */
    };
    int64_t height; /* ledges, lowHeight, compact */
    int64_t climb;  /* lowHanging, ledges, compact */
    int64_t radius; /* erode */
    /* Set by the reader: the members that are absent and so have their defaults, a bit each. The
     * writer leaves them out again, unless they were changed since. 0: all are there. */
    uint32_t absent;
} vx_step;

/* Everything that the steps point to lives in the arena. */
struct vx_input {
    vx_frame frame;
    vx_step *steps;
    size_t step_count;
    size_t step_capacity;
    vx_arena arena;
};

/* "rasterize", "addSpans", … */
const char *vx_build3d_op_name(vx_op op);

/* An input without steps. When memory runs out the program stops, as everywhere in the kit. */
vx_input *vx_build3d_input_new(const vx_frame *frame);
void vx_build3d_input_free(vx_input *input); /* NULL is allowed */

/* count · size bytes, zeroed, that live as long as the input: for the arrays of a step. */
void *vx_build3d_input_alloc(vx_input *input, size_t count, size_t size);

/* Appends a step. add copies the arrays that it points to; take does not: they must come from
 * vx_build3d_input_alloc, or outlive the input. Example:
 *   vx_build3d_add_step(input, &(vx_step){.op = VX_OP_COMPACT, .height = 10, .climb = 4}); */
void vx_build3d_add_step(vx_input *input, const vx_step *step);
void vx_build3d_take_step(vx_input *input, const vx_step *step);

/* The strict reader and the writer of "grid" and "steps"; see vx_chapter. The writer gives every
 * member, also one that has its default, except what the reader found absent (so that a vector can
 * ask a port for its defaults) and areas and materialAreas where there are none. */
bool vx_build3d_read(json_t *grid, json_t *steps, vx_input **input, vx_problem *problem);
void vx_build3d_write(const vx_input *input, vx_text *text);

/* Runs the input on a vx_build3d_impl; see vx_chapter. */
vx_status vx_build3d_run(const void *table, const vx_input *input, const vx_run_options *options,
                         vx_arena *arena, vx_result *result);

/* All that a table's function can read of a grid or a step, into a SHA-256; and of a whole input:
 * whoever keeps to const leaves it as it was. */
void vx_build3d_digest_frame(const vx_frame *frame, struct sha256_ctx *context);
void vx_build3d_digest_step(const vx_step *step, struct sha256_ctx *context);
void vx_build3d_digest(const vx_input *input, char hex[VX_SHA256_HEX]);

/* Counts of a result (summary.c); see vx_chapter. */
void vx_build3d_summarize(const vx_result *result, vx_text *text);

/* One step of it. */
VX_NODISCARD vx_status vx_build3d_run_step(const vx_build3d_impl *impl, vx_build3d *field,
                                           const vx_step *step, vx_error *error);

/* What the field holds, as a result: the facts, and the rows of the table that it has now. */
VX_NODISCARD vx_status vx_build3d_read_rows(const vx_build3d_impl *impl, const vx_build3d *field,
                                            vx_result *result, vx_error *error);

/* The tables and columns of a result: the indices are what vx_result.table holds, and in
 * vx_result.facts the size [W, D, H] comes first, then the degenerate count. */
enum { VX_BUILD3D_SOLID, VX_BUILD3D_COMPACT };
extern const vx_result_shape vx_build3d_shape;

extern const vx_chapter vx_chapter_build3d;

/* Meshes and heights as inputs (import.c). */
extern const vx_importer vx_build3d_importer;

/* A picture of a case (draw.c); see vx_chapter. */
bool vx_build3d_draw(const struct vx_draw_request *request, vx_text *picture, vx_problem *problem);

/* The exact judge of a case's steps (audit.c); see vx_chapter. */
vx_exit vx_build3d_audit(const struct vx_audit_request *request, vx_problem *problem);

/* Generated cases (families.c). */
extern const vx_family vx_build3d_families[];
extern const size_t vx_build3d_family_count;

#endif
