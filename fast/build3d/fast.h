/* SPDX-License-Identifier: MIT */
/* What the rooms of the fast implementation share: the field, its memory, and lists of pieces. */
#ifndef VX_FAST_H
#define VX_FAST_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "voxcert/build3d.h"

/* What the field may hold (docs/DIFFERENCES.md, "Memory"): for a span that is there and one that is
 * being made; for 32 columns; and for the block that is worked on. */
enum { VX_FAST_SPAN_BYTES = 16, VX_FAST_BLOCK_BYTES = 12 * 32, VX_FAST_WORK_BYTES = 1 << 15 };

/* Pieces of the arena; those that were given back are listed by size. */
enum { VX_FAST_CLASSES = 64 * 8 };

typedef struct vx_fast_pool {
    vx_arena *arena;
    size_t live, most; /* bytes in use, and the most so far */
    size_t taken;      /* of the arena */
    size_t allowed;    /* the most that was promised so far */
    size_t given_back; /* since free pieces were joined */
    struct vx_fast_piece *free[VX_FAST_CLASSES];
    uint64_t in_use[VX_FAST_CLASSES / 64]; /* lists that may hold something, a bit each */
} vx_fast_pool;

/* An array that is made larger when it must be and otherwise kept from one operation to the next:
 * its contents are not. */
typedef struct vx_fast_buffer {
    void *data;
    size_t bytes;
} vx_fast_buffer;

/* The solid columns of a row stand in blocks of 32, in one of three forms (docs/DIFFERENCES.md):
 * layers hold the k-th span of every column in layer k, each array layer by layer; where a column
 * has fewer spans, Min is VX_FAST_NO_SPAN and Max and area are 0. Packed columns follow each other
 * without room for more, and so do deep ones with room. */
enum { VX_FAST_LANES = 32 };
#define VX_FAST_NO_SPAN 0x7FFF
/* Up to this height no span's Min is VX_FAST_NO_SPAN and all rows fit 16 bits with a sign. */
#define VX_FAST_LOW_HEIGHT (VX_FAST_NO_SPAN - 1)

typedef enum vx_fast_form { VX_FAST_LAYERS, VX_FAST_PACKED, VX_FAST_DEEP } vx_fast_form;

typedef struct vx_fast_block {
    _Alignas(64) uint8_t counts[VX_FAST_LANES]; /* spans of each column, if a byte is enough */
    uint32_t bytes;                             /* of the block with its spans */
    uint32_t layers;   /* in use; of a packed block, the spans of its deepest column */
    uint16_t capacity; /* layers that there is room for */
    uint16_t form;     /* vx_fast_form */
    /* Of a packed block min, max and area of all spans begin here, otherwise behind the block: min,
     * max and area of capacity layers, behind them the columns' counts if there is room for more
     * than UINT8_MAX, or a vx_fast_deep. */
    uint16_t packed[10];
} vx_fast_block;

/* What a deep block has behind it: column i is at starts[i] … starts[i] + counts[i], with room up
 * to starts[i + 1]. */
typedef struct vx_fast_deep {
    uint16_t counts[VX_FAST_LANES];
    uint32_t starts[VX_FAST_LANES + 1];
    /* min, max and area of starts[VX_FAST_LANES] spans follow. */
} vx_fast_deep;

static inline uint16_t *vx_fast_block_min(const vx_fast_block *block)
{
    return (uint16_t *)(uintptr_t)(block + 1);
}

static inline uint16_t *vx_fast_block_max(const vx_fast_block *block)
{
    return vx_fast_block_min(block) + (size_t)block->capacity * VX_FAST_LANES;
}

static inline uint8_t *vx_fast_block_area(const vx_fast_block *block)
{
    return (uint8_t *)(vx_fast_block_max(block) + (size_t)block->capacity * VX_FAST_LANES);
}

/* The spans of each column where a byte may not be enough, else NULL. */
static inline uint16_t *vx_fast_wide_counts(const vx_fast_block *block)
{
    size_t places = (size_t)block->capacity * VX_FAST_LANES;
    if (block->form == VX_FAST_DEEP) {
        return ((vx_fast_deep *)(uintptr_t)(block + 1))->counts;
    }
    return block->capacity > UINT8_MAX ? (uint16_t *)(void *)(vx_fast_block_area(block) + places)
                                       : NULL;
}

/* How many spans a column has. */
static inline uint32_t vx_fast_block_count(const vx_fast_block *block, uint32_t lane)
{
    const uint16_t *counts = vx_fast_wide_counts(block);
    return counts != NULL ? counts[lane] : block->counts[lane];
}

static inline void vx_fast_set_count(vx_fast_block *block, uint32_t lane, uint32_t count)
{
    uint16_t *counts = vx_fast_wide_counts(block);
    if (counts != NULL) {
        counts[lane] = (uint16_t)count;
    } else {
        block->counts[lane] = (uint8_t)count;
    }
}

/* The spans of one column, wherever they stand: span k is at k · stride, and there is room for so
 * many. */
typedef struct vx_fast_view {
    uint16_t *min, *max;
    uint8_t *area;
    size_t stride;
    uint32_t count, room;
} vx_fast_view;

/* A column of a block of layers. */
static inline vx_fast_view vx_fast_layers_view(const vx_fast_block *block, uint32_t lane)
{
    return (vx_fast_view){.min = vx_fast_block_min(block) + lane,
                          .max = vx_fast_block_max(block) + lane,
                          .area = vx_fast_block_area(block) + lane,
                          .stride = VX_FAST_LANES,
                          .count = vx_fast_block_count(block, lane),
                          .room = block->capacity};
}

/* The cells of one triangle or span list in a row, in the columns from x to last, none when last is
 * below x; those that it does not touch are there with min = max = 0. Small, as runs are sorted. */
typedef struct vx_fast_run {
    _Alignas(8) uint32_t first_area; /* the first of its cells + 2^26 · area */
    uint16_t x, last;
} vx_fast_run;

enum { VX_FAST_RUN_BITS = 26 };

static inline vx_fast_run vx_fast_run_of(size_t first, uint32_t x, uint32_t count, uint32_t area)
{
    uint32_t first_area = (uint32_t)first | area << VX_FAST_RUN_BITS;
    return count > 0 ? (vx_fast_run){first_area, (uint16_t)x, (uint16_t)(x + count - 1)}
                     : (vx_fast_run){first_area, 1, 0};
}

static inline uint32_t vx_fast_run_first(const vx_fast_run *run)
{
    return run->first_area & (((uint32_t)1 << VX_FAST_RUN_BITS) - 1);
}

static inline uint32_t vx_fast_run_count(const vx_fast_run *run)
{
    return run->last + 1U - run->x;
}

static inline uint8_t vx_fast_run_area(const vx_fast_run *run)
{
    return (uint8_t)(run->first_area >> VX_FAST_RUN_BITS);
}

/* SPEC B2.27@32af4a: what an operation adds and has not yet merged, in the order of adding. */
typedef struct vx_fast_runs {
    vx_fast_run *items;
    uint16_t *rows;  /* z of each */
    uint32_t *cells; /* min + 2^16 · max */
    size_t count, capacity;
    size_t cell_count, cell_capacity;
    uint32_t threshold; /* T */
} vx_fast_runs;

/* The cells of 32 columns in one row of the grid while they wait for being merged, up to
 * VX_FAST_LEVELS in each: level l is at 32·l. Places that hold none are 0. */
enum { VX_FAST_LEVELS = 16, VX_FAST_PLACES = VX_FAST_LEVELS * VX_FAST_LANES };

typedef struct vx_fast_shelf {
    _Alignas(64) uint32_t cells[VX_FAST_PLACES];
    uint8_t areas[VX_FAST_PLACES];
    uint16_t next[VX_FAST_LANES]; /* 32 times the level where the next cell of each column goes */
} vx_fast_shelf;

static inline uint32_t vx_fast_cell(uint32_t min, uint32_t max)
{
    return min | max << 16;
}

/* 32 columns of compact spans, which have words · 32 places from place 32 · word on. In layers span
 * m of column i is at place 32 · m + i of these; otherwise the columns follow each other. Where one
 * has more than 255 spans, starts of all are kept apart. */
typedef struct vx_fast_compact_block {
    uint32_t word, words;
    bool in_layers; /* also where nothing is */
    bool is_deep;
    union {
        uint8_t counts[VX_FAST_LANES];
        uint32_t deep; /* the number of its starts */
    };
} vx_fast_compact_block;

/* Where the columns of a deep block begin, and where the last one ends, one after the other. */
typedef struct vx_fast_starts {
    uint32_t at[VX_FAST_LANES + 1];
} vx_fast_starts;

/* The compact spans; a place of a layer without a span has y = VX_FAST_NO_SPAN and area 0. */
typedef struct vx_fast_compact {
    vx_fast_compact_block *blocks; /* D rows of blocks */
    vx_fast_starts *starts;        /* of those that are deep */
    size_t starts_bytes;
    size_t places;
    size_t bytes;   /* of all that */
    bool in_layers; /* all blocks */
    uint16_t *y;
    uint16_t *height;
    uint8_t *area;
    uint8_t *link[4];
} vx_fast_compact;

/* The first place of a column's spans, their number, and how far apart they are. */
typedef struct vx_fast_places {
    size_t first, stride;
    uint32_t count;
} vx_fast_places;

/* SPEC B1.7@206672, B1.8@60cdaa. */
typedef struct vx_fast_vertex {
    _Alignas(16) float local[4]; /* lx, ly, lz */
    float cells[4];              /* u, v, w */
} vx_fast_vertex;

struct vx_fast_kernels;
struct vx_fast_lane_kernels;

struct vx_build3d {
    const struct vx_fast_kernels *kernels;
    const struct vx_fast_lane_kernels *lanes;
    vx_fast_pool pool;
    double origin[3];
    float cell_size, cell_height;
    uint32_t size[3]; /* W, D, H */
    bool is_compact;
    uint64_t degenerate;
    uint64_t span_count;
    uint64_t block_bytes;         /* of all blocks */
    uint32_t blocks_wide;         /* blocks of a row */
    vx_fast_block **blocks;       /* D rows of blocks, NULL where nothing is */
    vx_fast_block **next;         /* those that replace them when the present operation succeeds */
    uint32_t next_low, next_high; /* the rows of next that are in use lie in [low, high) */
    uint64_t next_count;          /* span_count when it succeeds; once compact, solid spans */
    uint64_t next_bytes;          /* block_bytes when it succeeds */
    vx_fast_block *desk;          /* where new blocks are made, and those that need much room */
    vx_fast_compact compact;
    vx_fast_shelf *shelves; /* for the blocks of a row */
    bool shelves_are_clear; /* nothing waits, and next is 0 */
    vx_fast_buffer runs, rows, cells, sorted, counts, vertices, scratch, raster;
};

/* --- memory (memory.c) ------------------------------------------------------------------------ */

/* bytes of memory, or NULL with a failure in error. */
void *vx_fast_alloc(vx_build3d *field, size_t bytes, vx_error *error);
/* How many bytes an allocation of so many really takes. */
size_t vx_fast_size(size_t bytes);
void vx_fast_join(vx_build3d *field);
/* Gives memory back; NULL is allowed. */
void vx_fast_release(vx_build3d *field, void *memory, size_t bytes);
/* count · size bytes in the buffer, whose contents are lost when it must be made larger; NULL with
 * a failure in error. */
void *vx_fast_reserve(vx_build3d *field, vx_fast_buffer *buffer, size_t count, size_t size,
                      vx_error *error);

/* --- checks (frame.c) ------------------------------------------------------------------------- */

/* SPEC B0.5@003f0a with the kinds of B1.4@27cec5; what names the value. */
vx_status vx_fast_check_coordinate(double value, const char *what, vx_error *error);
/* An integer in [min, max], else VX_OUT_OF_RANGE. */
vx_status vx_fast_check_integer(int64_t value, int64_t min, int64_t max, const char *what,
                                vx_error *error);
/* VX_UNSUPPORTED unless the field is, or is not yet, compact. */
vx_status vx_fast_check_place(const vx_build3d *field, bool compact, const char *what,
                              vx_error *error);

/* --- rasterizing (rasterize.c) ---------------------------------------------------------------- */

/* SPEC B2.7@cb9d1b. */
vx_status vx_fast_check_slope(float slope_cosine, vx_error *error);
/* SPEC B1.7@206672, B1.8@60cdaa. */
void vx_fast_transform(const vx_build3d *field, double x, double y, double z,
                       vx_fast_vertex *vertex);

/* SPEC B2.11@3b9006: the area id of triangles that are not given one. */
#define VX_FAST_CLASSIFIED (-1)

/* An operation that adds triangles begins, adds them, and finishes: with the status so far, which
 * is returned unless the end fails. Only VX_OK makes their spans the field's. */
typedef struct vx_fast_raster vx_fast_raster;

/* NULL with a failure in error. */
vx_fast_raster *vx_fast_raster_begin(vx_build3d *field, float slope_cosine, int64_t merge_threshold,
                                     vx_error *error);
/* SPEC B2.8@3c6046 to B2.27@32af4a for one triangle. Its corners must stay where they are until
 * VX_FAST_GROUP_MAX more were added. */
enum { VX_FAST_GROUP_MAX = 16 };
/* Triangles that may have more cells together are added one by one. */
enum { VX_FAST_GROUP_CELLS = 1 << 21 };
extern const size_t vx_fast_raster_bytes;
vx_status vx_fast_triangle(vx_fast_raster *raster, const vx_fast_vertex *a, const vx_fast_vertex *b,
                           const vx_fast_vertex *c, int64_t area);
vx_status vx_fast_raster_finish(vx_fast_raster *raster, vx_status status);

/* --- blocks (blocks.c) ------------------------------------------------------------------------ */

/* A column of a block that is not of layers. */
vx_fast_view vx_fast_column_view(const vx_fast_block *block, uint32_t lane);

static inline vx_fast_view vx_fast_view_of(const vx_fast_block *block, uint32_t lane)
{
    return block->form == VX_FAST_LAYERS ? vx_fast_layers_view(block, lane)
                                         : vx_fast_column_view(block, lane);
}

/* The same of a column of the field; none where there is no block. */
vx_fast_view vx_fast_view_at(const vx_build3d *field, uint32_t x, uint32_t z);
void vx_fast_block_release(vx_build3d *field, vx_fast_block *block);
/* How many spans a block holds. */
uint32_t vx_fast_block_spans(const vx_fast_block *block);
/* A block of the operation that is being done, to add spans to: in layers or deep. On its first use
 * it is a copy of the field's. */
vx_fast_block **vx_fast_block_open(vx_build3d *field, uint32_t z, uint32_t index, vx_error *error);
/* Makes room for so many layers more, or some, where a block has none; it may become a deep one. */
vx_status vx_fast_block_grow(vx_build3d *field, vx_fast_block **block, uint32_t more,
                             vx_error *error);
/* Makes room for one span more in a column of a deep block that has none. */
vx_status vx_fast_column_grow(vx_build3d *field, vx_fast_block **block, uint32_t lane,
                              vx_error *error);
/* Ends the work on a block that was opened: gives back layers that are not in use, unless they are
 * few, and holds the new state to what is promised for its spans. */
vx_status vx_fast_block_settle(vx_build3d *field, vx_fast_block **block, vx_error *error);
/* Holds the new state to what is promised when it has fewer spans than before. */
vx_status vx_fast_blocks_hold(vx_build3d *field, vx_error *error);
/* Packs blocks of the field until together they have at most so many bytes. */
vx_status vx_fast_blocks_pack(vx_build3d *field, uint64_t most, vx_error *error);

/* Asks for the memory of a block that is soon needed: the line that says what it holds, and those
 * behind it. Blocks lie anywhere, and to wait for each costs more than to work on a single layer.
 */
enum { VX_FAST_BLOCKS_AHEAD = 8 };

static inline void vx_fast_prefetch(const vx_build3d *field, size_t at, size_t lines)
{
    enum { LINE = 64 };
    if (at < (size_t)field->size[1] * field->blocks_wide && field->blocks[at] != NULL) {
        const char *line = (const char *)field->blocks[at];
        for (size_t i = 0; i < lines; i++) {
            __builtin_prefetch(line + i * LINE);
        }
    }
}

/* --- spans (spans.c) -------------------------------------------------------------------------- */

/* So many cells and runs are collected before they are merged, unless a single group of triangles
 * brings more. */
enum { VX_FAST_BATCH_CELLS = 1 << 22, VX_FAST_BATCH_RUNS = 1 << 15 };

/* An operation that adds spans begins, adds runs, and ends: with commit, which makes them the
 * field's, or with abandon, which leaves the field as it was. */
void vx_fast_begin(vx_build3d *field, vx_fast_runs *runs, int64_t threshold);
/* Room for so many more runs and cells; what was collected before may be merged. */
vx_status vx_fast_make_room(vx_build3d *field, vx_fast_runs *runs, size_t run_count,
                            size_t cell_count, vx_error *error);
vx_status vx_fast_commit(vx_build3d *field, vx_fast_runs *runs, vx_error *error);
void vx_fast_abandon(vx_build3d *field);

/* Adds a run, for which there is room; its cells are to be filled in. */
static inline uint32_t *vx_fast_add_run(vx_fast_runs *runs, uint32_t x, uint32_t z, uint32_t count,
                                        uint32_t area)
{
    runs->rows[runs->count] = (uint16_t)z;
    runs->items[runs->count++] = vx_fast_run_of(runs->cell_count, x, count, area);
    runs->cell_count += count;
    return runs->cells + runs->cell_count - count;
}

/* --- rows of cells (shelf.c) ------------------------------------------------------------------ */

/* Adds one span at once. */
vx_status vx_fast_insert(vx_build3d *field, const vx_span *span, uint32_t threshold,
                         vx_error *error);
/* Makes the field's shelves; nothing waits there. */
vx_status vx_fast_shelf_open(vx_build3d *field, vx_error *error);
/* Adds all runs of row z, and merges them. As many as are asked for ahead stand after them.
 */
enum { VX_FAST_AHEAD = 8 };
vx_status vx_fast_shelve(vx_build3d *field, uint32_t z, const vx_fast_run *runs, size_t count,
                         const uint32_t *cells, uint32_t threshold, vx_error *error);

/* --- compact (compact.c) ---------------------------------------------------------------------- */

/* How many spans a column of a block has. */
static inline uint32_t vx_fast_count_of(const vx_fast_compact *c,
                                        const vx_fast_compact_block *block, uint32_t lane)
{
    const uint32_t *starts = block->is_deep ? c->starts[block->deep].at : NULL;
    return starts != NULL ? starts[lane + 1] - starts[lane] : block->counts[lane];
}

vx_fast_places vx_fast_places_of(const vx_fast_compact *c, const vx_fast_compact_block *block,
                                 uint32_t lane);
vx_fast_places vx_fast_places_at(const vx_build3d *field, uint32_t x, uint32_t z);

/* --- the table -------------------------------------------------------------------------------- */

vx_status vx_fast_open(vx_arena *arena, const vx_frame *frame, vx_build3d **field, vx_error *error);
vx_status vx_fast_rasterize(vx_build3d *field, const vx_mesh *mesh, vx_error *error);
vx_status vx_fast_add_spans(vx_build3d *field, const vx_span *spans, size_t count,
                            int64_t merge_threshold, vx_error *error);
vx_status vx_fast_height_grid(vx_build3d *field, const vx_height_grid *grid, vx_error *error);
vx_status vx_fast_chunk(vx_build3d *field, const vx_chunk *chunk, vx_error *error);
vx_status vx_fast_low_hanging(vx_build3d *field, int64_t climb, vx_error *error);
vx_status vx_fast_ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error);
vx_status vx_fast_low_height(vx_build3d *field, int64_t height, vx_error *error);
vx_status vx_fast_make_compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error);
vx_status vx_fast_erode(vx_build3d *field, int64_t radius, vx_error *error);
vx_status vx_fast_volume(vx_build3d *field, const vx_volume *volume, vx_error *error);

#endif
