/* SPDX-License-Identifier: MIT */
/* The grid: B0.5@003f0a, B0.8@3d12db, B0.11@aab749 and B1.1@3b9815 to B1.6@705214. */
#include "ref_field.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

typedef struct frame_case {
    const char *name;
    vx_frame frame;
    vx_status status;
    const char *message; /* of a failure */
    int64_t size[3];     /* after a success */
} frame_case;

static void run(const frame_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const frame_case *c = &cases[i];
        vx_arena arena;
        vx_arena_init_growable(&arena, 4096, (size_t)1 << 30);
        vx_build3d *field = NULL;
        vx_error error = {.message = ""};
        vx_status status = vx_ref_build3d.open(&arena, &c->frame, &field, &error);
        cr_assert_eq(status, c->status, "%s: %s", c->name, error.message);
        if (status == VX_OK) {
            vx_build3d_info info;
            vx_ref_build3d.info(field, &info);
            cr_assert_str_empty(error.message);
            cr_assert(info.size[0] == c->size[0] && info.size[1] == c->size[1] &&
                          info.size[2] == c->size[2],
                      "%s: %d %d %d", c->name, (int)info.size[0], (int)info.size[1],
                      (int)info.size[2]);
            cr_assert(info.rows == 0 && info.degenerate == 0 && !info.is_compact, "%s", c->name);
        } else {
            cr_assert_eq(error.status, status, "%s", c->name);
            cr_assert_str_eq(error.message, c->message, "%s: %s", c->name, error.message);
            cr_assert_null(field, "%s", c->name);
            cr_assert_eq(vx_arena_used(&arena), 0, "%s", c->name);
        }
        vx_arena_free(&arena);
    }
}

Test(ref_frame, cells)
{
    static const frame_case cases[] = {
        {"least",
         {.cell_size = 0x1p-20f, .cell_height = 0x1p-20f, .size = {1, 1, 1}},
         VX_OK,
         "",
         {1, 1, 1}},
        {"most",
         {.cell_size = 0x1p20f, .cell_height = 0x1p20f, .size = {2, 3, 4}},
         VX_OK,
         "",
         {2, 3, 4}},
        {"cs NaN",
         {.cell_size = NAN, .cell_height = 1, .size = {1, 1, 1}},
         VX_ARGUMENT,
         "cellSize is NaN, not a number in 9.5367431640625e-07..1048576",
         {0}},
        {"ch NaN",
         {.cell_size = 1, .cell_height = NAN, .size = {1, 1, 1}},
         VX_ARGUMENT,
         "cellHeight is NaN, not a number in 9.5367431640625e-07..1048576",
         {0}},
        {"cs below",
         {.cell_size = 0x1.fffffep-21f, .cell_height = 1, .size = {1, 1, 1}},
         VX_OUT_OF_RANGE,
         "cellSize = 9.5367425956283114e-07 is below 9.5367431640625e-07",
         {0}},
        {"ch above",
         {.cell_size = 1, .cell_height = 0x1.000002p20f, .size = {1, 1, 1}},
         VX_OUT_OF_RANGE,
         "cellHeight = 1048576.125 is above 1048576",
         {0}},
        {"cs 0",
         {.cell_size = 0, .cell_height = 1, .size = {1, 1, 1}},
         VX_OUT_OF_RANGE,
         "cellSize = 0 is below 9.5367431640625e-07",
         {0}},
        {"cs infinite",
         {.cell_size = INFINITY, .cell_height = 1, .size = {1, 1, 1}},
         VX_OUT_OF_RANGE,
         "cellSize = inf is above 1048576",
         {0}},
        {"ch negative",
         {.cell_size = 1, .cell_height = -1, .size = {1, 1, 1}},
         VX_OUT_OF_RANGE,
         "cellHeight = -1 is below 9.5367431640625e-07",
         {0}},
    };
    run(cases, REF_COUNT(cases));
}

Test(ref_frame, sizes)
{
    static const frame_case cases[] = {
        {"W most",
         {.cell_size = 1, .cell_height = 1, .size = {65536, 256, 65535}},
         VX_OK,
         "",
         {65536, 256, 65535}},
        {"D most",
         {.cell_size = 1, .cell_height = 1, .size = {1, 65536, 1}},
         VX_OK,
         "",
         {1, 65536, 1}},
        {"W 0",
         {.cell_size = 1, .cell_height = 1, .size = {0, 1, 1}},
         VX_OUT_OF_RANGE,
         "W = 0 is below 1",
         {0}},
        {"W above",
         {.cell_size = 1, .cell_height = 1, .size = {65537, 1, 1}},
         VX_OUT_OF_RANGE,
         "W = 65537 is above 65536",
         {0}},
        {"D least integer",
         {.cell_size = 1, .cell_height = 1, .size = {1, INT64_MIN, 1}},
         VX_OUT_OF_RANGE,
         "D = -9223372036854775808 is below 1",
         {0}},
        {"D most integer",
         {.cell_size = 1, .cell_height = 1, .size = {1, INT64_MAX, 1}},
         VX_OUT_OF_RANGE,
         "D = 9223372036854775807 is above 65536",
         {0}},
        {"W*D above",
         {.cell_size = 1, .cell_height = 1, .size = {65536, 257, 1}},
         VX_OUT_OF_RANGE,
         "W*D = 16842752 is above 16777216",
         {0}},
        {"H 0",
         {.cell_size = 1, .cell_height = 1, .size = {1, 1, 0}},
         VX_OUT_OF_RANGE,
         "H = 0 is below 1",
         {0}},
        {"H above",
         {.cell_size = 1, .cell_height = 1, .size = {1, 1, 65536}},
         VX_OUT_OF_RANGE,
         "H = 65536 is above 65535",
         {0}},
    };
    run(cases, REF_COUNT(cases));
}

Test(ref_frame, origins)
{
    static const frame_case cases[] = {
        {"at the limits",
         {.origin = {-2097152, 2097152, -2097152},
          .cell_size = 1,
          .cell_height = 1,
          .size = {1, 1, 1}},
         VX_OK,
         "",
         {1, 1, 1}},
        {"y NaN",
         {.origin = {0, REF_NAN, 0}, .cell_size = 1, .cell_height = 1, .size = {1, 1, 1}},
         VX_ARGUMENT,
         "origin: y is NaN, not a number in -2097152..2097152",
         {0}},
        {"x beyond",
         {.origin = {0x1.0000000000001p21, 0, 0},
          .cell_size = 1,
          .cell_height = 1,
          .size = {1, 1, 1}},
         VX_OUT_OF_RANGE,
         "origin: x = 2097152.0000000005 is beyond 2097152",
         {0}},
        {"z infinite",
         {.origin = {0, 0, -REF_INFINITY}, .cell_size = 1, .cell_height = 1, .size = {1, 1, 1}},
         VX_OUT_OF_RANGE,
         "origin: z = -inf is beyond -2097152",
         {0}},
        {"the origin comes before the cells, the cells before the size",
         {.origin = {0, 0, -DBL_MAX}, .cell_size = NAN, .cell_height = NAN, .size = {0, 0, 0}},
         VX_OUT_OF_RANGE,
         "origin: z = -1.7976931348623157e+308 is beyond -2097152",
         {0}},
        {"min and max are not looked at",
         {.min = {REF_NAN, REF_NAN, REF_NAN},
          .max = {REF_NAN, REF_NAN, REF_NAN},
          .cell_size = 1,
          .cell_height = 1,
          .size = {1, 1, 1}},
         VX_OK,
         "",
         {1, 1, 1}},
    };
    run(cases, REF_COUNT(cases));
}

#define BOUNDS(x0, y0, z0, x1, y1, z1) .from_bounds = 1, .min = {x0, y0, z0}, .max = {x1, y1, z1}

Test(ref_frame, bounds)
{
    static const frame_case cases[] = {
        {"B1.6: the last part-cell is kept",
         {BOUNDS(0, 0, 0, 10, 1, 7), .cell_size = 0.3f, .cell_height = 0.3f},
         VX_OK,
         "",
         {34, 24, 4}},
        {"whole cells",
         {BOUNDS(-4, -8, -2, 4, 8, 2), .cell_size = 2, .cell_height = 4},
         VX_OK,
         "",
         {4, 2, 4}},
        {"size and origin are not looked at",
         {BOUNDS(0, 0, 0, 1, 1, 1), .origin = {REF_NAN, REF_NAN, REF_NAN}, .cell_size = 1,
          .cell_height = 1, .size = {-1, -1, -1}},
         VX_OK,
         "",
         {1, 1, 1}},
        {"x empty",
         {BOUNDS(1, 0, 0, 1, 1, 1), .cell_size = 1, .cell_height = 1},
         VX_ARGUMENT,
         "bounds.max: x = 1 is not above min, 1",
         {0}},
        {"z inverted",
         {BOUNDS(0, 0, 2, 1, 1, 1.5), .cell_size = 1, .cell_height = 1},
         VX_ARGUMENT,
         "bounds.max: z = 1.5 is not above min, 2",
         {0}},
        {"min NaN",
         {BOUNDS(0, REF_NAN, 0, 1, 1, 1), .cell_size = 1, .cell_height = 1},
         VX_ARGUMENT,
         "bounds.min: y is NaN, not a number in -2097152..2097152",
         {0}},
        {"max infinite",
         {BOUNDS(0, 0, 0, 1, 1, REF_INFINITY), .cell_size = 1, .cell_height = 1},
         VX_OUT_OF_RANGE,
         "bounds.max: z = inf is beyond 2097152",
         {0}},
        {"H of 2^42 quotients",
         {BOUNDS(0, -2097152, 0, 1, 2097152, 1), .cell_size = 1, .cell_height = 0x1p-20f},
         VX_OUT_OF_RANGE,
         "H = 4398046511104 is above 65535",
         {0}},
        {"a quotient that underflows to 0",
         {BOUNDS(0, 0, 0, 0x1p-1074, 1, 1), .cell_size = 0x1p20f, .cell_height = 1},
         VX_OUT_OF_RANGE,
         "W = 0 is below 1",
         {0}},
        {"a quotient that does not",
         {BOUNDS(0, 0, 0, 0x1p-1074, 1, 1), .cell_size = 1, .cell_height = 1},
         VX_OK,
         "",
         {1, 1, 1}},
    };
    run(cases, REF_COUNT(cases));
}

/* B1.5@766cac: min is the origin, which a span's way into the grid shows. */
Test(ref_frame, bounds_give_the_origin)
{
    ref_field f;
    ref_open_frame(&f,
                   &(vx_frame){BOUNDS(10, 20, 30, 14, 24, 34), .cell_size = 1, .cell_height = 1});
    double vertices[] = {11, 22, 32, 11, 22, 33, 12, 22, 33};
    int64_t indices[] = {0, 1, 2};
    ref_rasterize(&f, &(vx_mesh){.vertices = vertices,
                                 .vertex_values = 9,
                                 .indices = indices,
                                 .index_count = 3,
                                 .slope_cosine = 0.5f});
    ref_expect(&f, "a triangle in cell (1, 2) at row 2", "1 2 1 2 63");
    ref_close(&f);
}

/* B0.9@eb3b6d: without memory nothing is opened and the arena is as it was; errors may be NULL. */
Test(ref_frame, no_memory)
{
    vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {100, 100, 10}};
    size_t failures = 0;
    for (vx_status status = VX_NO_MEMORY; status != VX_OK; failures++) {
        vx_arena arena;
        vx_arena_init_growable(&arena, 64, 1 << 20);
        vx_arena_fail_after(&arena, failures);
        vx_build3d *field = NULL;
        vx_error error;
        status = vx_ref_build3d.open(&arena, &frame, &field, &error);
        if (status != VX_OK) {
            cr_assert_eq(status, VX_NO_MEMORY);
            cr_assert_str_eq(error.message, "the arena has no room for 10000 columns");
            cr_assert_null(field);
            cr_assert_eq(vx_arena_used(&arena), 0);
        }
        vx_arena_free(&arena);
    }
    cr_assert_gt(failures, 3);
    vx_arena small;
    vx_arena_init_growable(&small, 64, 100);
    vx_build3d *field;
    cr_assert_eq(vx_ref_build3d.open(&small, &frame, &field, NULL), VX_NO_MEMORY);
    vx_arena_free(&small);
}
