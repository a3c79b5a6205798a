/* SPDX-License-Identifier: MIT */
/* The fast implementation beside the reference on scenes that are larger than generated cases: long
 * rows of large triangles, deep and uneven columns, high grids, and every way to erode
 * (B2.16@bc9ec5, B2.18@3f7fe2, B3.3@146add, B6.7@cb7b8e, B7.3@bedabb, B8.4@f23dc2). */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fast/build3d/kernels.h"
#include "voxcert/build3d.h"

static uint64_t state;

static int64_t between(int64_t low, int64_t high)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (int64_t)((state >> 11) % (uint64_t)(high - low + 1));
}

/* A scene: triangles whose corners lie up to extent apart, on a lattice of 1/parts. */
typedef struct scene {
    const char *name;
    int64_t width, depth, height;
    float cell_size;
    size_t triangles;
    int64_t extent, parts;
    int64_t climb, walk_height;
} scene;

static const scene scenes[] = {
    {"large triangles", 190, 130, 90, 1, 60, 130, 1000, 4, 10},
    {"large triangles on a lattice", 190, 130, 90, 0.3F, 60, 130, 2, 4, 10},
    {"many layers", 70, 60, 400, 1, 700, 40, 100, 3, 5},
    {"small triangles", 100, 90, 30, 0.3F, 6000, 2, 10, 2, 6},
    {"a high grid", 90, 80, 40000, 1, 80, 60, 1000, 4, 10},
    {"without bounds", 70, 60, 50, 1, 40, 40, 100, VX_ROWS_MAX, VX_ROWS_MAX},
};

enum { SIDES = 4, ROUNDS = 2 };

/* The reference and the three levels. */
static const unsigned levels[SIDES] = {0, VX_FAST_BASELINE, VX_FAST_AVX2, VX_FAST_AVX512};

typedef struct side {
    const vx_build3d_impl *impl;
    vx_arena arena;
    vx_build3d *field;
} side;

static void open_sides(side *sides, const vx_frame *frame)
{
    for (size_t i = 0; i < SIDES; i++) {
        unsigned before = vx_fast_set_levels(levels[i]);
        sides[i].impl = i == 0 ? &vx_ref_build3d : &vx_fast_build3d;
        vx_arena_init_growable(&sides[i].arena, 1 << 16, (size_t)1 << 30);
        cr_assert_eq(sides[i].impl->open(&sides[i].arena, frame, &sides[i].field, NULL), VX_OK);
        (void)vx_fast_set_levels(before);
    }
}

static void close_sides(side *sides)
{
    for (size_t i = 0; i < SIDES; i++) {
        sides[i].impl->close(sides[i].field);
        vx_arena_free(&sides[i].arena);
    }
}

/* The rows of a field; their size in bytes. */
static void *read_rows(const side *s, size_t *bytes)
{
    vx_build3d_info info;
    memset(&info, 0, sizeof info);
    s->impl->info(s->field, &info);
    size_t count = (size_t)info.rows;
    *bytes = count * (info.is_compact ? sizeof(vx_compact_row) : sizeof(vx_solid_row));
    void *rows = malloc(*bytes + 1);
    cr_assert_neq(rows, NULL);
    vx_status status = info.is_compact ? s->impl->read_compact(s->field, rows, count, NULL)
                                       : s->impl->read_solid(s->field, rows, count, NULL);
    cr_assert_eq(status, VX_OK);
    return rows;
}

static void expect_same(const side *sides, const char *scene_name, const char *stage)
{
    size_t expected_bytes;
    void *expected = read_rows(&sides[0], &expected_bytes);
    for (size_t i = 1; i < SIDES; i++) {
        size_t bytes;
        void *rows = read_rows(&sides[i], &bytes);
        cr_expect(bytes == expected_bytes && memcmp(rows, expected, bytes) == 0,
                  "%s after %s: level %zu differs", scene_name, stage, i - 1);
        free(rows);
    }
    free(expected);
}

/* Triangles over some of the grid, of some floors or of all; the last two leave spans without an
 * area (B9.3@b440c6, B9.4@8a8964). */
static void add_volumes(side *sides, const char *name)
{
    enum { VOLUMES = 8, OVER = 3 };
    vx_build3d_info info;
    memset(&info, 0, sizeof info);
    sides[0].impl->info(sides[0].field, &info);
    for (int64_t v = 0; v < VOLUMES; v++) {
        double corners[2 * VX_CORNERS_MIN];
        for (size_t k = 0; k < 2 * (size_t)VX_CORNERS_MIN; k++) {
            corners[k] = (double)between(-OVER, info.size[k % 2] * (int64_t)2 + OVER) / 2;
        }
        double floor = v % 2 == 0 ? -HUGE_VAL : (double)between(0, info.size[2]) / 2;
        vx_volume volume = {.corners = corners,
                            .corner_count = VX_CORNERS_MIN,
                            .min_y = floor,
                            .max_y = v % 2 == 0 ? HUGE_VAL : floor + info.size[2] / 2.0,
                            .area = v + 2 < VOLUMES ? v + 1 : 0};
        for (size_t i = 0; i < SIDES; i++) {
            (void)sides[i].impl->volume(sides[i].field, &volume, NULL);
        }
        expect_same(sides, name, "volume");
    }
}

static void filter_and_erode(side *sides, const char *name, int64_t height, int64_t climb)
{
    static const int64_t radii[] = {1, 2, 3, 8, 20, 126, 127, VX_RADIUS_MAX};
    for (size_t i = 0; i < SIDES; i++) {
        cr_assert_eq(sides[i].impl->low_hanging(sides[i].field, climb, NULL), VX_OK);
    }
    expect_same(sides, name, "lowHanging");
    for (size_t i = 0; i < SIDES; i++) {
        cr_assert_eq(sides[i].impl->ledges(sides[i].field, height, climb, NULL), VX_OK);
    }
    expect_same(sides, name, "ledges");
    for (size_t i = 0; i < SIDES; i++) {
        cr_assert_eq(sides[i].impl->low_height(sides[i].field, height, NULL), VX_OK);
        cr_assert_eq(sides[i].impl->compact(sides[i].field, height, climb, NULL), VX_OK);
    }
    expect_same(sides, name, "compact");
    for (size_t r = 0; r < sizeof radii / sizeof radii[0]; r++) {
        if (r == 3) {
            add_volumes(sides, name);
        }
        for (size_t i = 0; i < SIDES; i++) {
            cr_assert_eq(sides[i].impl->erode(sides[i].field, radii[r], NULL), VX_OK);
        }
        expect_same(sides, name, "erode");
    }
}

/* The corners of the scene's triangles, three numbers each. */
static double *make_vertices(const scene *s)
{
    double *vertices = malloc(9 * s->triangles * sizeof *vertices);
    cr_assert_neq(vertices, NULL);
    const int64_t sizes[] = {s->width, s->height, s->depth};
    for (size_t i = 0; i < s->triangles; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            int64_t centre = between(0, sizes[axis] * s->parts);
            for (size_t k = 0; k < 3; k++) {
                int64_t away = between(-s->extent * s->parts / 2, s->extent * s->parts / 2);
                /* Flat enough to be walked on. */
                int64_t place = centre + (axis == 1 ? away / 8 : away);
                vertices[9 * i + 3 * k + axis] =
                    (double)place / (double)s->parts * (double)s->cell_size;
            }
        }
    }
    return vertices;
}

static void run_scene(const scene *s)
{
    double *vertices = make_vertices(s);
    int64_t *indices = malloc(3 * s->triangles * sizeof *indices);
    cr_assert_neq(indices, NULL);
    for (size_t i = 0; i < 3 * s->triangles; i++) {
        indices[i] = (int64_t)i;
    }
    vx_frame frame = {.cell_size = s->cell_size,
                      .cell_height = s->cell_size,
                      .size = {s->width, s->depth, s->height}};
    vx_mesh mesh = {.vertices = vertices,
                    .vertex_values = 9 * s->triangles,
                    .indices = indices,
                    .index_count = 3 * s->triangles,
                    .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                    .merge_threshold = 4};
    side sides[SIDES];
    open_sides(sides, &frame);
    /* Twice: the second time into columns that hold something. */
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < SIDES; i++) {
            cr_assert_eq(sides[i].impl->rasterize(sides[i].field, &mesh, NULL), VX_OK);
        }
        expect_same(sides, s->name, "rasterize");
        mesh.index_count /= 2;
        mesh.merge_threshold = 0;
    }
    filter_and_erode(sides, s->name, s->walk_height, s->climb);
    close_sides(sides);
    free(indices);
    free(vertices);
}

Test(fast_scenes, triangles)
{
    state = 88172645463325252U;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        run_scene(&scenes[i]);
    }
}

/* Triangles that may have more than 2^21 cells go another way. */
Test(fast_scenes, huge_triangles)
{
    static const double vertices[] = {0, 1, 0, 3000, 2.5, 100, 20, 3, 900};
    static const int64_t indices[] = {0, 1, 2, 0, 2, 1};
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {3000, 900, 20}};
    vx_mesh mesh = {.vertices = vertices,
                    .vertex_values = 9,
                    .indices = indices,
                    .index_count = 6,
                    .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                    .merge_threshold = 1};
    side sides[SIDES];
    open_sides(sides, &frame);
    for (size_t i = 0; i < SIDES; i++) {
        cr_assert_eq(sides[i].impl->rasterize(sides[i].field, &mesh, NULL), VX_OK);
    }
    expect_same(sides, "huge triangles", "rasterize");
    close_sides(sides);
}

static void rasterize_same(const char *name, const vx_frame *frame, const double *vertices,
                           size_t triangles)
{
    int64_t *indices = malloc(3 * triangles * sizeof *indices);
    cr_assert_neq(indices, NULL);
    for (size_t i = 0; i < 3 * triangles; i++) {
        indices[i] = (int64_t)i;
    }
    vx_mesh mesh = {.vertices = vertices,
                    .vertex_values = 9 * triangles,
                    .indices = indices,
                    .index_count = 3 * triangles,
                    .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                    .merge_threshold = 1};
    side sides[SIDES];
    open_sides(sides, frame);
    for (size_t i = 0; i < SIDES; i++) {
        cr_assert_eq(sides[i].impl->rasterize(sides[i].field, &mesh, NULL), VX_OK);
    }
    expect_same(sides, name, "rasterize");
    close_sides(sides);
    free(indices);
}

/* Groups of triangles that may have more than 2^21 cells together, none of them alone. */
Test(fast_scenes, large_groups)
{
    enum { TRIANGLES = 18, SIZE = 900 };
    static double vertices[9 * TRIANGLES];
    state = 362436069U;
    for (size_t i = 0; i < 9 * (size_t)TRIANGLES; i++) {
        vertices[i] = i % 3 == 1 ? (double)between(0, 200) / 10
                                 : (double)(between(0, 1) * 520 + between(0, 300)) + 0.25;
    }
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {SIZE, SIZE, 20}};
    rasterize_same("large groups", &frame, vertices, TRIANGLES);
}

/* Vertical triangles between grid planes, from and to them, along them and across: two of the
 * corners stand one above the other, or the third is half way between the others
 * (B2.17@e423c9, B2.20@f6b248). */
Test(fast_scenes, walls)
{
    enum { TRIANGLES = 3000, SIZE = 60, PARTS = 4 };
    static double vertices[9 * TRIANGLES];
    state = 521288629U;
    for (size_t i = 0; i < TRIANGLES; i++) {
        double *at = vertices + 9 * i;
        for (size_t k = 0; k < 9; k++) {
            at[k] = (double)between(0, SIZE * PARTS) / PARTS;
        }
        double *third = at + 3 * (size_t)between(0, 2);
        const double *first = at + 3 * ((size_t)(third - at) / 3 == 0 ? 1 : 0);
        const double *second = at + 3 * ((size_t)(third - at) / 3 == 2 ? 1 : 2);
        bool half = between(0, 1) == 0;
        for (size_t axis = 0; axis < 3; axis += 2) {
            bool short_side = between(0, 2) == 0;
            at[3 * ((size_t)(second - at) / 3) + axis] =
                short_side ? first[axis] + (double)between(0, 2) / PARTS : second[axis];
            third[axis] = half ? (first[axis] + second[axis]) / 2 : first[axis];
        }
    }
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {SIZE + 1, SIZE + 1, SIZE}};
    rasterize_same("walls", &frame, vertices, TRIANGLES);
    frame.cell_size = 0.3F;
    frame.size[0] = frame.size[1] = 4 * SIZE;
    rasterize_same("walls in small cells", &frame, vertices, TRIANGLES);
}

/* Narrow triangles along grid planes, within a few units in the last place of them: corners of rows
 * coincide in plan but not in height, and pieces are slivers (B2.15@3c3989, B2.18@3f7fe2,
 * B2.19@f8bcc6). */
Test(fast_scenes, near_grid_planes)
{
    enum { ROUNDS_OF_THESE = 150, TRIANGLES = 60, SIZE = 40, HEIGHT = 4000 };
    static double vertices[9 * TRIANGLES];
    state = 88172645463325252U;
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {SIZE, SIZE, HEIGHT}};
    for (size_t round = 0; round < ROUNDS_OF_THESE; round++) {
        for (size_t i = 0; i < TRIANGLES; i++) {
            double plane = (double)between(1, SIZE - 1);
            size_t axis = 2 * (size_t)between(0, 1);
            double *at = vertices + 9 * i;
            for (size_t k = 0; k < 3; k++, at += 3) {
                at[axis] = plane + (double)between(-5, 5) * 0x1p-20;
                at[2 - axis] = (double)between(1, SIZE - 1) + (double)between(-1, 1) * 0x1p-20;
                at[1] = between(0, 2) == 0 ? 16 : (double)between(0, HEIGHT) / 4;
            }
        }
        rasterize_same("near grid planes", &frame, vertices, TRIANGLES);
    }
}

/* Columns of very different depth: blocks that leave layers and columns that grow. */
Test(fast_scenes, uneven_columns)
{
    enum { SPANS = 4000, HEIGHT = 700, WIDTH = 80, DEPTH = 5 };
    static vx_span spans[SPANS];
    state = 2463534242U;
    for (size_t i = 0; i < SPANS; i++) {
        int64_t min = between(0, HEIGHT - 2);
        spans[i] = (vx_span){between(0, 3) > 0 ? between(30, 34) : between(0, WIDTH - 1),
                             between(0, DEPTH - 1), min, min + between(1, 2), between(0, 63)};
    }
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {WIDTH, DEPTH, HEIGHT}};
    side sides[SIDES];
    open_sides(sides, &frame);
    for (size_t begin = 0; begin < SPANS; begin += SPANS / 4) {
        for (size_t i = 0; i < SIDES; i++) {
            cr_assert_eq(
                sides[i].impl->add_spans(sides[i].field, spans + begin, SPANS / 4, 1, NULL), VX_OK);
        }
        expect_same(sides, "uneven columns", "addSpans");
    }
    filter_and_erode(sides, "uneven columns", 1, 3);
    close_sides(sides);
}

/* Adds floors first … end − 1 of many, one above the other in a mixed order; some begin late or end
 * early, so that columns are of different depth. */
static void add_floors(side *sides, const vx_frame *frame, int64_t first, int64_t end)
{
    enum { FLOORS = 512, APART = 6, STEP = 211, CORNERS = 4, EDGE = 12 }; /* STEP is odd */
    static const int64_t corners[] = {0, 2, 3, 0, 3, 1};
    static double vertices[3 * CORNERS * FLOORS];
    static int64_t indices[6 * FLOORS];
    size_t count = (size_t)(end - first);
    for (int64_t i = 0; i < end - first; i++) {
        double y = (double)((first + i) * STEP % FLOORS * APART) + 0.5;
        int64_t left = between(0, 3) == 0 ? between(0, EDGE) : 0;
        int64_t right = frame->size[0] - (between(0, 3) == 0 ? between(0, EDGE) : 0);
        for (int64_t k = 0; k < CORNERS; k++) {
            double *at = vertices + 3 * (CORNERS * i + k);
            at[0] = (double)(k % 2 == 0 ? left : right);
            at[1] = k % 2 == 0 ? y : y + 3;
            at[2] = k / 2 == 0 ? 0 : (double)frame->size[1];
        }
        for (int64_t k = 0; k < 6; k++) {
            indices[6 * i + k] = CORNERS * i + corners[k];
        }
    }
    vx_mesh mesh = {.vertices = vertices,
                    .vertex_values = 3 * CORNERS * count,
                    .indices = indices,
                    .index_count = 6 * count,
                    .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                    .merge_threshold = 1};
    for (size_t i = 0; i < SIDES; i++) {
        cr_assert_eq(sides[i].impl->rasterize(sides[i].field, &mesh, NULL), VX_OK);
    }
    expect_same(sides, "floors", "rasterize");
}

/* Blocks that leave few layers, and those whose columns a byte can't count any more: up to each
 * border at once, then floor by floor. */
Test(fast_scenes, floors)
{
    static const int64_t ends[][5] = {{57, 63, 64, 65, 66}, {240, 255, 256, 257, 300}};
    state = 1442695041U;
    for (size_t s = 0; s < sizeof ends / sizeof ends[0]; s++) {
        vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {75, 4, 3200}};
        side sides[SIDES];
        open_sides(sides, &frame);
        for (size_t i = 0; i < 5; i++) {
            add_floors(sides, &frame, i > 0 ? ends[s][i - 1] : 0, ends[s][i]);
        }
        filter_and_erode(sides, "floors", 3, 2);
        close_sides(sides);
    }
}

/* One layer of spans almost everywhere: a slope with steps, holes, pits, and plates that hang above
 * their neighbours, half of it under a ceiling (B6.5@c31cdf, B6.7@cb7b8e, B7.3@bedabb). */
Test(fast_scenes, single_layers)
{
    enum { WIDTH = 139, DEPTH = 40, HEIGHT = 120, SCENES = 6 };
    static vx_span spans[2 * WIDTH * DEPTH];
    state = 1181783497U;
    for (int64_t scene_number = 0; scene_number < SCENES; scene_number++) {
        /* The more, the rarer what is no slope: whole blocks are slope alone. */
        int64_t rare = (int64_t)8 << (2 * scene_number);
        size_t count = 0;
        for (int64_t i = 0; i < (int64_t)WIDTH * DEPTH; i++) {
            int64_t x = i % WIDTH;
            int64_t top = 40 + x / 7 + between(0, 2);
            int64_t kind = between(0, rare);
            top += kind == 1 ? between(-20, 20) : 0;
            int64_t bottom = kind < 3 ? top - 1 : 0;
            if (kind != 3) {
                spans[count++] = (vx_span){x, i / WIDTH, bottom, top, kind == 4 ? 0 : 63};
            }
            if (i > (int64_t)WIDTH * DEPTH / 2) {
                int64_t ceiling = top + between(1, 40);
                spans[count++] = (vx_span){x, i / WIDTH, ceiling, ceiling + 1, 0};
            }
        }
        vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {WIDTH, DEPTH, HEIGHT}};
        side sides[SIDES];
        open_sides(sides, &frame);
        for (size_t i = 0; i < SIDES; i++) {
            cr_assert_eq(sides[i].impl->add_spans(sides[i].field, spans, count, 1, NULL), VX_OK);
        }
        filter_and_erode(sides, "single layers", 1 + 4 * scene_number, 1 + scene_number % 3);
        close_sides(sides);
    }
}

/* A wide floor under plates, of each of which one span is left that nothing leads to: distance 0 is
 * everywhere and wakes all blocks, distance 2 at the border of the grid alone (B8.4@f23dc2). */
Test(fast_scenes, plates_above_a_floor)
{
    enum { WIDTH = 160, DEPTH = 40, APART_X = 16, APART_Z = 5, PLATE = 3, ABOVE = 40 };
    static vx_span spans[2 * WIDTH * DEPTH];
    size_t count = 0;
    for (int64_t i = 0; i < (int64_t)WIDTH * DEPTH; i++) {
        int64_t x = i % WIDTH;
        int64_t z = i / WIDTH;
        spans[count++] = (vx_span){x, z, 0, 1, 63};
        if (x % APART_X < PLATE && z % APART_Z < PLATE) {
            spans[count++] = (vx_span){x, z, ABOVE, ABOVE + 1, 63};
        }
    }
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {WIDTH, DEPTH, 2 * ABOVE}};
    side sides[SIDES];
    open_sides(sides, &frame);
    for (size_t i = 0; i < SIDES; i++) {
        cr_assert_eq(sides[i].impl->add_spans(sides[i].field, spans, count, 1, NULL), VX_OK);
    }
    filter_and_erode(sides, "plates above a floor", 3, 2);
    close_sides(sides);
}
