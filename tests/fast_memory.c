/* SPDX-License-Identifier: MIT */
/* The memory promise of the fast implementation (docs/DIFFERENCES.md, "Memory"): 16 bytes a solid
 * and a compact span and 12 a column, on fields made to waste. Their rows are the reference's,
 * since few others have blocks that are packed or deep (B3.3@146add, B6.7@cb7b8e, B7.3@bedabb,
 * B8.4@f23dc2). */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fast/build3d/kernels.h"
#include "voxcert/build3d.h"

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

enum { LANES = VX_FAST_LANES, SPAN = VX_FAST_SPAN_BYTES, BLOCK = VX_FAST_BLOCK_BYTES };

static uint64_t state;

static int64_t below(int64_t end)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)((state >> 11) % (uint64_t)end);
}

/* --- fields that waste ------------------------------------------------------------------------ */

/* How deep a column is, of a grid of so many columns. */
typedef int64_t depth_fn(int64_t x, int64_t z);

static int64_t one_of_32(int64_t x, int64_t z)
{
    return (x + z) % LANES == 0;
}

static int64_t two_of_32(int64_t x, int64_t z)
{
    return (x + z) % LANES < 2;
}

static int64_t at_the_limit(int64_t x, int64_t z)
{
    /* Each block has as many spans as one layer must have, or one less. */
    return x % LANES < 4 + z % 2 ? 1 : 0;
}

static int64_t everywhere(int64_t x, int64_t z)
{
    (void)x;
    (void)z;
    return 1;
}

static int64_t one_deep(int64_t x, int64_t z)
{
    static const int64_t depths[] = {1, 2, 9, 62, 63, 64, 65, 255, 256, 300};
    return x % LANES == 5 ? depths[(x / LANES + z) % 10] : 0;
}

static int64_t one_deep_beside_one(int64_t x, int64_t z)
{
    return x % LANES == 5 ? one_deep(x, z) : 1;
}

static int64_t stairs(int64_t x, int64_t z)
{
    return x % LANES * (z % 3 + 1);
}

static int64_t full(int64_t x, int64_t z)
{
    static const int64_t depths[] = {1, 3, 62, 63, 64, 65};
    return depths[(x / LANES + z) % 6];
}

static int64_t tall(int64_t x, int64_t z)
{
    static const int64_t depths[] = {63, 64, 65, 66, 254, 255, 256, 257, 300};
    return depths[(3 * (x / LANES) + z) % 9];
}

static int64_t tall_and_uneven(int64_t x, int64_t z)
{
    (void)x;
    (void)z;
    return 180 + below(120);
}

static int64_t tall_beside_short(int64_t x, int64_t z)
{
    return (x / LANES + z) % 2 == 0 ? 300 - x % LANES : below(4);
}

static int64_t half_of_it(int64_t x, int64_t z)
{
    (void)z;
    return x % 2 == 0 ? 300 : 0;
}

static int64_t alternating(int64_t x, int64_t z)
{
    return (x + z) % 3 == 0 ? 40 : (x + z) % 3 == 1;
}

static int64_t sparse(int64_t x, int64_t z)
{
    (void)x;
    (void)z;
    return below(50) == 0 ? 1 + below(6) : 0;
}

static int64_t uneven(int64_t x, int64_t z)
{
    (void)x;
    (void)z;
    return below(5) == 0 ? below(12) * below(12) : below(3);
}

typedef struct kind {
    const char *name;
    depth_fn *depth_of;
    int64_t width, depth, height;
} kind;

static const kind kinds[] = {
    {"a span in each 32nd column", one_of_32, 320, 12, 700},
    {"two spans in 32 columns", two_of_32, 320, 12, 700},
    {"blocks at the limit", at_the_limit, 320, 12, 700},
    {"a floor", everywhere, 320, 12, 700},
    {"one deep column in a block", one_deep, 320, 6, 700},
    {"one deep column in a floor", one_deep_beside_one, 320, 6, 700},
    {"stairs", stairs, 160, 6, 700},
    {"full blocks", full, 192, 6, 700},
    {"tall blocks", tall, 96, 3, 700},
    {"tall blocks of uneven columns", tall_and_uneven, 64, 3, 700},
    {"tall blocks beside others", tall_beside_short, 96, 3, 700},
    {"every second column", half_of_it, 40, 3, 700},
    {"tall blocks on a high grid", tall, 96, 3, 65535},
    {"deep and shallow by turns", alternating, 160, 8, 700},
    {"sparse columns", sparse, 320, 12, 700},
    {"uneven columns", uneven, 320, 12, 700},
    {"a grid that is narrow", uneven, 1, 200, 700},
    {"a grid that is one block and a column wide", uneven, 33, 40, 700},
    {"stairs on a high grid", stairs, 160, 6, 65535},
    {"one deep column on a high grid", one_deep_beside_one, 320, 6, 65535},
    {"sparse columns on a high grid", sparse, 320, 12, 65535},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The order in which a field's spans are added. */
typedef enum order { BY_COLUMN, FROM_THE_TOP, BY_LAYER, SHUFFLED, ORDERS } order;

typedef struct spans {
    vx_span *items;
    size_t count;
} spans;

static int compare_layers(const void *a, const void *b)
{
    int64_t below_a = ((const vx_span *)a)->min;
    int64_t below_b = ((const vx_span *)b)->min;
    return (below_a > below_b) - (below_a < below_b);
}

static void swap(vx_span *a, vx_span *b)
{
    vx_span kept = *a;
    *a = *b;
    *b = kept;
}

static void arrange(spans *of, order by)
{
    if (by == BY_LAYER) {
        qsort(of->items, of->count, sizeof *of->items, compare_layers);
    }
    for (size_t i = 0; by == FROM_THE_TOP && i < of->count / 2; i++) {
        swap(&of->items[i], &of->items[of->count - 1 - i]);
    }
    for (size_t i = of->count; by == SHUFFLED && i > 1; i--) {
        swap(&of->items[i - 1], &of->items[below((int64_t)i)]);
    }
}

/* The spans of a field: a row each with a row of air above, some of them without an area. */
static spans make_spans(const kind *of, order by)
{
    spans made = {0};
    size_t capacity = 0;
    for (int64_t z = 0; z < of->depth; z++) {
        for (int64_t x = 0; x < of->width; x++) {
            int64_t deep = of->depth_of(x, z);
            for (int64_t k = 0; k < deep && 2 * k + 1 <= of->height; k++) {
                if (made.count == capacity) {
                    capacity = 2 * capacity + 1024;
                    made.items = realloc(made.items, capacity * sizeof *made.items);
                    cr_assert(made.items != NULL);
                }
                made.items[made.count++] = (vx_span){x, z, 2 * k, 2 * k + 1, below(8) > 0 ? 9 : 0};
            }
        }
    }
    arrange(&made, by);
    return made;
}

/* --- what a field has in use -------------------------------------------------------------------
 */

static size_t blocks_of(const vx_build3d *field)
{
    return (size_t)field->size[1] * field->blocks_wide;
}

static size_t size_of(const vx_fast_buffer *buffer)
{
    return buffer->data != NULL ? vx_fast_size(buffer->bytes) : 0;
}

/* Buffers that do not depend on the spans. */
static size_t buffers_of(const vx_build3d *field)
{
    size_t shelf =
        field->shelves != NULL ? vx_fast_size(field->blocks_wide * sizeof(vx_fast_shelf)) : 0;
    size_t desk = field->desk != NULL ? field->desk->bytes : 0;
    return shelf + desk + size_of(&field->runs) + size_of(&field->rows) + size_of(&field->cells) +
           size_of(&field->sorted) + size_of(&field->counts) + size_of(&field->vertices) +
           size_of(&field->raster);
}

/* What the fixed part allows beside buffers. */
static size_t columns_bytes(const vx_build3d *field)
{
    return (size_t)BLOCK * blocks_of(field);
}

/* Pointers to blocks; the arena has them and not the pool. */
static size_t pointers_of(const vx_build3d *field)
{
    return 2 * sizeof(void *) * blocks_of(field);
}

/* Between operations a solid field has half of what the columns may take, and a compact one its own
 * spans. */
static void expect_within(const vx_build3d *field, const char *name, const char *stage)
{
    size_t live = field->pool.live - buffers_of(field) - size_of(&field->scratch);
    size_t own = (columns_bytes(field) - pointers_of(field)) / (field->is_compact ? 1 : 2);
    size_t allowed = SPAN * (size_t)field->span_count + own;
    cr_expect(field->is_compact || live == field->block_bytes, "%s, %s: %zu in use, %zu known",
              name, stage, live, (size_t)field->block_bytes);
    cr_expect(live <= allowed + (field->is_compact ? VX_FAST_WORK_BYTES : 0),
              "%s, %s: %zu bytes in use for %zu spans in %zu blocks, allowed are %zu", name, stage,
              live, (size_t)field->span_count, blocks_of(field), allowed);
}

/* Since the peak was last reset, the pool had at most what is promised for so many spans. */
static void expect_peak(const vx_build3d *field, uint64_t span_count, size_t buffers,
                        const char *name, const char *stage)
{
    size_t allowed =
        SPAN * (size_t)span_count + columns_bytes(field) + buffers + VX_FAST_WORK_BYTES;
    size_t most = field->pool.most + pointers_of(field);
    cr_expect(most <= allowed, "%s, %s: %zu bytes for %zu spans in %zu blocks, allowed are %zu",
              name, stage, most, (size_t)span_count, blocks_of(field), allowed);
}

static void reset_peak(vx_build3d *field)
{
    field->pool.most = field->pool.live;
}

/* --- both implementations side by side ----------------------------------------------------------
 */

typedef struct sides {
    vx_arena arenas[2];
    vx_build3d *fields[2]; /* the reference's and the fast one */
} sides;

static const vx_build3d_impl *const impls[] = {&vx_ref_build3d, &vx_fast_build3d};

static void open_sides(sides *s, const kind *of)
{
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {of->width, of->depth, of->height}};
    for (size_t i = 0; i < 2; i++) {
        vx_arena_init_growable(&s->arenas[i], 1 << 20, (size_t)1 << 30);
        cr_assert_eq(impls[i]->open(&s->arenas[i], &frame, &s->fields[i], NULL), VX_OK);
    }
}

static void close_sides(sides *s)
{
    for (size_t i = 0; i < 2; i++) {
        impls[i]->close(s->fields[i]);
        vx_arena_free(&s->arenas[i]);
    }
}

static void *read_rows(const vx_build3d_impl *impl, const vx_build3d *field, size_t *bytes)
{
    vx_build3d_info info;
    impl->info(field, &info);
    size_t count = (size_t)info.rows;
    *bytes = count * (info.is_compact ? sizeof(vx_compact_row) : sizeof(vx_solid_row));
    void *rows = malloc(*bytes + 1);
    cr_assert(rows != NULL);
    cr_assert_eq(info.is_compact ? impl->read_compact(field, rows, count, NULL)
                                 : impl->read_solid(field, rows, count, NULL),
                 VX_OK);
    return rows;
}

static void expect_same(const sides *s, const char *name, const char *stage)
{
    size_t bytes[2];
    void *rows[2];
    for (size_t i = 0; i < 2; i++) {
        rows[i] = read_rows(impls[i], s->fields[i], &bytes[i]);
    }
    cr_expect(bytes[0] == bytes[1] && memcmp(rows[0], rows[1], bytes[0]) == 0, "%s, %s differs",
              name, stage);
    free(rows[0]);
    free(rows[1]);
}

/* Adds spans that touch no others, with one of the fast implementation's two states at a time held
 * to the promise. */
static void add_spans(sides *s, const vx_span *items, size_t count, const char *name)
{
    vx_build3d *field = s->fields[1];
    uint64_t before = field->span_count;
    reset_peak(field);
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(impls[i]->add_spans(s->fields[i], items, count, 1, NULL), VX_OK);
    }
    expect_within(field, name, "addSpans");
    /* Buffers that became larger stood beside those that they replaced. */
    expect_peak(field, before + field->span_count, 2 * buffers_of(field), name, "addSpans");
}

/* The filters, compact with everything that it needs at once, and erosion. */
static void finish(sides *s, const char *name)
{
    vx_build3d *field = s->fields[1];
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(impls[i]->low_hanging(s->fields[i], 1, NULL), VX_OK);
        cr_assert_eq(impls[i]->ledges(s->fields[i], 1, 90, NULL), VX_OK);
        cr_assert_eq(impls[i]->low_height(s->fields[i], 1, NULL), VX_OK);
    }
    expect_same(s, name, "filters");
    expect_within(field, name, "filters");
    uint64_t solids = field->span_count;
    reset_peak(field);
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(impls[i]->compact(s->fields[i], 1, 2, NULL), VX_OK);
    }
    expect_same(s, name, "compact");
    expect_within(field, name, "compact");
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(impls[i]->erode(s->fields[i], 3, NULL), VX_OK);
    }
    expect_same(s, name, "erode");
    expect_peak(field, solids + field->span_count, buffers_of(field), name, "compact and erode");
    expect_within(field, name, "erode");
}

/* What is taken of the arena is more than what is in use, as free pieces between others may not
 * fit: by up to a quarter of what is promised on these fields. Sanitizers keep pieces of an arena
 * apart, so that none are joined. */
static void expect_taken(const sides *s, const char *name)
{
    const vx_fast_pool *pool = &s->fields[1]->pool;
    size_t allowed = pool->allowed + buffers_of(s->fields[1]);
    cr_expect(IS_SANITIZED || 4 * pool->taken <= 5 * allowed,
              "%s: %zu bytes taken, promised are %zu", name, pool->taken, allowed);
}

/* --- tests ------------------------------------------------------------------------------------ */

Test(fast_memory, added_at_once)
{
    state = 88172645463325252U;
    for (size_t k = 0; k < KINDS; k++) {
        for (order by = 0; by < ORDERS; by++) {
            spans made = make_spans(&kinds[k], by);
            sides s;
            open_sides(&s, &kinds[k]);
            add_spans(&s, made.items, made.count, kinds[k].name);
            finish(&s, kinds[k].name);
            expect_taken(&s, kinds[k].name);
            close_sides(&s);
            free(made.items);
        }
    }
}

/* A field that grows in steps: each block is replaced again and again by a slightly larger one. */
Test(fast_memory, added_step_by_step)
{
    enum { STEPS = 70 };
    state = 2463534242U;
    for (size_t k = 0; k < KINDS; k++) {
        for (order by = FROM_THE_TOP; by < ORDERS; by++) {
            spans made = make_spans(&kinds[k], by);
            sides s;
            open_sides(&s, &kinds[k]);
            for (size_t i = 0; i < STEPS; i++) {
                size_t begin = made.count * i / STEPS;
                size_t end = made.count * (i + 1) / STEPS;
                add_spans(&s, made.items + begin, end - begin, kinds[k].name);
            }
            expect_same(&s, kinds[k].name, "all steps");
            finish(&s, kinds[k].name);
            expect_taken(&s, kinds[k].name);
            close_sides(&s);
            free(made.items);
        }
    }
}

/* Spans that bridge all others of their column take from the field what it was promised for them;
 * blocks that were let off for their sake are packed, whether the operation touches them or not. */
Test(fast_memory, bridged)
{
    enum { WIDTH = 640, DEPTH = 8, HEIGHT = 200, DENSE = 320 };
    static const kind half = {"bridged", NULL, WIDTH, DEPTH, HEIGHT};
    static vx_span items[DENSE * DEPTH * 20 + WIDTH * DEPTH];
    size_t count = 0;
    for (int64_t z = 0; z < DEPTH; z++) {
        for (int64_t x = 0; x < WIDTH; x++) {
            int64_t deep = x < DENSE ? 20 : x % LANES == 3 ? 60 : 0;
            for (int64_t k = 0; k < deep; k++) {
                items[count++] = (vx_span){x, z, 2 * k, 2 * k + 1, 9};
            }
        }
    }
    sides s;
    open_sides(&s, &half);
    add_spans(&s, items, count, half.name);
    for (int64_t z = 0; z < DEPTH; z++) {
        count = 0;
        for (int64_t x = 0; x < DENSE; x++) {
            items[count++] = (vx_span){x, z, 0, HEIGHT, 7};
        }
        for (size_t i = 0; i < 2; i++) {
            cr_assert_eq(impls[i]->add_spans(s.fields[i], items, count, 1, NULL), VX_OK);
        }
        expect_within(s.fields[1], half.name, "a row");
    }
    expect_same(&s, half.name, "addSpans");
    /* Into blocks that are packed by now. */
    count = 0;
    for (int64_t x = DENSE; x < WIDTH; x++) {
        items[count++] = (vx_span){x, x % DEPTH, 2 * (x % 70), 2 * (x % 70) + 1, 5};
    }
    add_spans(&s, items, count, half.name);
    expect_same(&s, half.name, "addSpans");
    finish(&s, half.name);
    close_sides(&s);
}

/* Neighbouring columns of tall blocks that have nothing at the same height, of which more layers
 * matter to each other than can be looked at together, at every level. */
Test(fast_memory, out_of_step)
{
    enum { WIDTH = 100, DEPTH = 4, DEEP = 300, HEIGHT = 1400 };
    static const kind of = {"out of step", NULL, WIDTH, DEPTH, HEIGHT};
    static const unsigned levels[] = {VX_FAST_BASELINE, VX_FAST_AVX2, VX_FAST_AVX512};
    static vx_span items[WIDTH * DEPTH * DEEP];
    size_t count = 0;
    for (int64_t x = 0; x < WIDTH; x++) {
        for (int64_t k = 0; k < DEPTH * DEEP; k++) {
            int64_t min = (x % 2 + x / LANES % 2) % 2 * 700 + k % DEEP * 2;
            items[count++] = (vx_span){x, k / DEEP, min, min + 1, 9};
        }
    }
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        unsigned before = vx_fast_set_levels(levels[i]);
        sides s;
        open_sides(&s, &of);
        add_spans(&s, items, count, of.name);
        finish(&s, of.name);
        close_sides(&s);
        (void)vx_fast_set_levels(before);
    }
}

/* What a step of starve does: adds a part of some spans, makes compact, erodes. */
static vx_status run_part(vx_build3d *field, const spans *made, size_t part, size_t parts)
{
    if (part < parts) {
        size_t begin = made->count * part / parts;
        size_t end = made->count * (part + 1) / parts;
        return vx_fast_build3d.add_spans(field, made->items + begin, end - begin, 1, NULL);
    }
    return part == parts ? vx_fast_build3d.compact(field, 1, 2, NULL)
                         : vx_fast_build3d.erode(field, 3, NULL);
}

/* Lets the first, second, … allocation of an operation fail until it goes through; each time
 * nothing has changed and nothing is lost. Returns how often it failed. */
static size_t starve(vx_arena *arena, vx_build3d *field, const spans *made, size_t part,
                     size_t parts)
{
    size_t before;
    void *rows = read_rows(&vx_fast_build3d, field, &before);
    vx_status status = VX_NO_MEMORY;
    size_t failures = 0;
    for (; status == VX_NO_MEMORY; failures++) {
        /* What is free is forgotten, so that every allocation is the arena's. */
        memset(field->pool.free, 0, sizeof field->pool.free);
        field->pool.given_back = 0;
        vx_arena_fail_after(arena, failures);
        status = run_part(field, made, part, parts);
        vx_arena_fail_after(arena, SIZE_MAX);
        if (status != VX_OK) {
            cr_assert_eq(status, VX_NO_MEMORY);
            size_t bytes;
            void *after = read_rows(&vx_fast_build3d, field, &bytes);
            cr_assert(bytes == before && memcmp(rows, after, bytes) == 0);
            free(after);
            expect_within(field, "starved", "failure");
        }
    }
    free(rows);
    return failures - 1;
}

Test(fast_memory, failing_allocations)
{
    enum { PARTS = 3 };
    state = 362436069U;
    size_t failures = 0;
    for (size_t k = 0; k < KINDS; k++) {
        kind small = kinds[k];
        small.width = small.width < 96 ? small.width : 96;
        small.depth = 5;
        spans made = make_spans(&small, SHUFFLED);
        sides s;
        open_sides(&s, &small);
        for (size_t part = 0; part < PARTS + 2; part++) {
            failures += starve(&s.arenas[1], s.fields[1], &made, part, PARTS);
        }
        cr_assert_eq(vx_ref_build3d.add_spans(s.fields[0], made.items, made.count, 1, NULL), VX_OK);
        cr_assert_eq(vx_ref_build3d.compact(s.fields[0], 1, 2, NULL), VX_OK);
        cr_assert_eq(vx_ref_build3d.erode(s.fields[0], 3, NULL), VX_OK);
        expect_same(&s, small.name, "starved");
        close_sides(&s);
        free(made.items);
    }
    cr_assert_gt(failures, 500);
}

/* Five steps, compact and erosion; returns the most spans that memory is promised for at once. */
static size_t run_steps(vx_arena *arena, const kind *of, const spans *made, vx_build3d **field)
{
    enum { STEPS = 5 };
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {of->width, of->depth, of->height}};
    size_t most = 0;
    size_t count = 0;
    cr_assert_eq(vx_fast_build3d.open(arena, &frame, field, NULL), VX_OK);
    for (size_t i = 0; i < STEPS; i++) {
        size_t begin = made->count * i / STEPS;
        size_t end = made->count * (i + 1) / STEPS;
        cr_assert_eq(vx_fast_build3d.add_spans(*field, made->items + begin, end - begin, 1, NULL),
                     VX_OK, "%s", of->name);
        most = count + (size_t)(*field)->span_count;
        count = (size_t)(*field)->span_count;
    }
    cr_assert_eq(vx_fast_build3d.compact(*field, 1, 2, NULL), VX_OK, "%s", of->name);
    cr_assert_eq(vx_fast_build3d.erode(*field, 3, NULL), VX_OK, "%s", of->name);
    count += (size_t)(*field)->span_count;
    return most > count ? most : count;
}

/* Memory of the caller that is as large as what is promised. */
Test(fast_memory, promised_memory_is_enough)
{
    state = 521288629U;
    for (size_t k = 0; k < KINDS; k++) {
        spans made = make_spans(&kinds[k], SHUFFLED);
        vx_arena arena;
        vx_build3d *field;
        vx_arena_init_growable(&arena, 1 << 20, (size_t)1 << 30);
        size_t size = vx_fast_build3d_bound(kinds[k].width, kinds[k].depth) +
                      SPAN * run_steps(&arena, &kinds[k], &made, &field);
        vx_arena_free(&arena);
        void *memory = malloc(size);
        cr_assert_eq(vx_arena_init_fixed(&arena, memory, size), VX_OK);
        (void)run_steps(&arena, &kinds[k], &made, &field);
        cr_assert_leq(vx_arena_peak(&arena), size);
        vx_arena_free(&arena);
        free(memory);
        free(made.items);
    }
}

/* More places than the edges of erosion can name, of a field that only says that it has them; the
 * message tells both numbers (B0.11@aab749). */
Test(fast_memory, too_many_places_to_erode)
{
    static const vx_span floor = {0, 0, 0, 1, 9};
    static const kind one = {"one span", NULL, 1, 1, 2};
    vx_error error = {0};
    sides s;
    open_sides(&s, &one);
    cr_assert_eq(vx_fast_build3d.add_spans(s.fields[1], &floor, 1, 1, NULL), VX_OK);
    cr_assert_eq(vx_fast_build3d.compact(s.fields[1], 1, 0, NULL), VX_OK);
    size_t places = s.fields[1]->compact.places;
    s.fields[1]->compact.places = (size_t)1 << 31;
    cr_expect_eq(vx_fast_build3d.erode(s.fields[1], 1, &error), VX_NO_MEMORY);
    cr_expect_str_eq(error.message,
                     "no memory for eroding 2147483648 places: more than 2147483616");
    s.fields[1]->compact.places = places;
    cr_expect_eq(vx_fast_build3d.erode(s.fields[1], 1, NULL), VX_OK);
    close_sides(&s);
}

/* With the bound of the fixed part everything succeeds that has few spans. */
Test(fast_memory, bound)
{
    static const int64_t bad[][2] = {{0, 1}, {1, 0}, {65537, 1}, {1, 65537}, {65536, 257}};
    static const int64_t sizes[][2] = {{1, 1}, {33, 7}, {400, 300}, {1, 65536}, {65536, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_assert_eq(vx_fast_build3d_bound(bad[i][0], bad[i][1]), 0);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double w = (double)sizes[i][0];
        double d = (double)sizes[i][1];
        const double vertices[] = {0, 1, 0, w, 1, 0, 0, 1, d, w, 1, d};
        static const int64_t indices[] = {0, 2, 3, 0, 3, 1, 0, 3, 1};
        /* Two spans a column at most, and what the four vertices need. */
        size_t size = vx_fast_build3d_bound(sizes[i][0], sizes[i][1]) +
                      2 * SPAN * (size_t)(sizes[i][0] * sizes[i][1]) + 4 * sizeof(vx_fast_vertex);
        void *memory = malloc(size);
        vx_arena arena;
        cr_assert_eq(vx_arena_init_fixed(&arena, memory, size), VX_OK);
        vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {sizes[i][0], sizes[i][1], 8}};
        vx_mesh mesh = {.vertices = vertices,
                        .vertex_values = 12,
                        .indices = indices,
                        .index_count = 9,
                        .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                        .merge_threshold = 1};
        vx_build3d *field;
        cr_assert_eq(vx_fast_build3d.open(&arena, &frame, &field, NULL), VX_OK);
        cr_assert_eq(vx_fast_build3d.rasterize(field, &mesh, NULL), VX_OK);
        cr_assert_eq(vx_fast_build3d.compact(field, 1, 0, NULL), VX_OK);
        cr_assert_eq(vx_fast_build3d.erode(field, 2, NULL), VX_OK);
        cr_assert_eq(field->span_count, (uint64_t)(sizes[i][0] * sizes[i][1]));
        vx_arena_free(&arena);
        free(memory);
    }
}
