/* SPDX-License-Identifier: MIT */
/* Voxel chunks: B5. */
#include "ref_field.h"

#include <criterion/criterion.h>
#include <string.h>

enum { RUNS_MAX = 5, AREAS_MAX = 3 };

typedef struct chunk_case {
    const char *name;
    int64_t offset[3];
    vx_run runs[RUNS_MAX]; /* ended by length = 0 */
    vx_material_area areas[AREAS_MAX];
    const char *rows;
} chunk_case;

/* A chunk of 3 × 2 × 10 cells in a grid of 4 × 4 × 16. */
Test(ref_chunk, runs)
{
    static const int64_t far = (int64_t)1 << 53;
    static const chunk_case cases[] = {
        {"one run", {0}, {{1, 1, 2, 3, 9}}, {{0}}, "1 1 2 5 63"},
        {"the whole column", {0}, {{0, 0, 0, 10, 255}}, {{0}}, "0 0 0 10 63"},
        {"offset: x, y, z", {1, 3, 2}, {{1, 1, 2, 3, 9}}, {{0}}, "2 3 5 8 63"},
        {"B5.4: areas",
         {0},
         {{0, 0, 0, 1, 1}, {1, 0, 0, 1, 2}, {2, 0, 0, 1, 255}},
         {{255, 7}, {1, 0}},
         "0 0 0 1 0; 1 0 0 1 63; 2 0 0 1 7"},
        {"B5.2: columns in any order and interleaved",
         {0},
         {{2, 1, 0, 1, 1}, {0, 0, 0, 1, 1}, {2, 1, 2, 1, 1}, {0, 1, 5, 1, 1}, {0, 0, 4, 1, 1}},
         {{0}},
         "0 0 0 1 63; 0 0 4 5 63; 0 1 5 6 63; 2 1 0 1 63; 2 1 2 3 63"},
        {"B5.2: touching runs of one material",
         {0},
         {{0, 0, 1, 2, 5}, {0, 0, 3, 2, 5}},
         {{0}},
         "0 0 1 5 63"},
        {"B5.7: touching runs merge with threshold 0",
         {0},
         {{0, 0, 1, 2, 5}, {0, 0, 3, 2, 6}},
         {{6, 1}},
         "0 0 1 5 1"},
        {"B5.5: columns outside the grid",
         {3, 0, 3},
         {{0, 0, 0, 1, 1}, {1, 0, 0, 1, 1}, {0, 1, 0, 1, 1}},
         {{0}},
         "3 3 0 1 63"},
        {"B5.5: on the other side",
         {-1, 0, -1},
         {{0, 0, 0, 1, 1}, {1, 0, 0, 1, 1}, {0, 1, 0, 1, 1}, {1, 1, 0, 1, 1}},
         {{0}},
         "0 0 0 1 63"},
        {"B5.6: cut at the bottom",
         {0, -2, 0},
         {{0, 0, 0, 5, 1}, {1, 0, 0, 2, 1}},
         {{0}},
         "0 0 0 3 63"},
        {"B5.6: cut at the top",
         {0, 12, 0},
         {{0, 0, 1, 9, 1}, {1, 0, 4, 1, 1}},
         {{0}},
         "0 0 13 16 63"},
        {"far below", {0, -far, 0}, {{0, 0, 0, 5, 1}}, {{0}}, ""},
        {"far above", {0, far, 0}, {{0, 0, 0, 5, 1}}, {{0}}, ""},
        {"far off in x", {far, 0, 0}, {{0, 0, 0, 5, 1}}, {{0}}, ""},
        {"the least offset", {INT64_MIN, INT64_MIN, INT64_MIN}, {{2, 1, 0, 5, 1}}, {{0}}, ""},
        {"the largest offset", {INT64_MAX, INT64_MAX, INT64_MAX}, {{2, 1, 1, 5, 1}}, {{0}}, ""},
        {"the largest offset in z", {0, INT64_MAX, INT64_MAX}, {{2, 1, 1, 5, 1}}, {{0}}, ""},
        {"the largest offset in y", {0, INT64_MAX, 0}, {{2, 1, 1, 5, 1}}, {{0}}, ""},
        {"no runs", {0}, {{0}}, {{0}}, ""},
    };
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        const chunk_case *c = &cases[i];
        vx_chunk chunk = {.size = {3, 2, 10}, .runs = c->runs, .material_areas = c->areas};
        memcpy(chunk.offset, c->offset, sizeof chunk.offset);
        while (chunk.run_count < RUNS_MAX && c->runs[chunk.run_count].length > 0) {
            chunk.run_count++;
        }
        while (chunk.material_area_count < AREAS_MAX &&
               c->areas[chunk.material_area_count].material > 0) {
            chunk.material_area_count++;
        }
        ref_field f;
        ref_open(&f, 4, 4, 16);
        cr_assert_eq(ref_chunk(&f, &chunk), VX_OK, "%s: %s", c->name, f.error.message);
        ref_expect(&f, c->name, c->rows);
        ref_close(&f);
    }
}

/* Huge chunks and extreme offsets: nothing overflows. */
Test(ref_chunk, huge)
{
    const int64_t most = INT64_MAX;
    static const vx_run runs[] = {{INT64_MAX - 1, INT64_MAX - 1, INT64_MAX - 6, 6, 1},
                                  {INT64_MAX - 1, INT64_MAX - 2, 0, INT64_MAX, 1}};
    ref_field f;
    ref_open(&f, 4, 4, 16);
    vx_chunk chunk = {.size = {most, most, most},
                      .offset = {3 - most, 8 - most, 3 - most},
                      .runs = runs,
                      .run_count = 2};
    cr_assert_eq(ref_chunk(&f, &chunk), VX_OK, "%s", f.error.message);
    ref_expect(&f, "near the far corner", "2 1 0 8 63; 2 2 2 8 63");
    ref_close(&f);
}

/* B5.3@7cf046: index (z·W + x)·H + y; equal neighbours are one run. The same as runs gives the
 * same. */
Test(ref_chunk, dense)
{
    static const int64_t dense[] = {1, 1, 0, 2,   0, 0, 0, 0, 3, 3, 4, 4,
                                    0, 0, 0, 255, 5, 5, 5, 5, 0, 6, 0, 7};
    static const vx_material_area areas[] = {{3, 9}, {4, 1}, {7, 0}};
    ref_field f;
    ref_open(&f, 4, 4, 16);
    vx_chunk chunk = {.size = {3, 2, 4},
                      .is_dense = 1,
                      .dense = dense,
                      .dense_count = 24,
                      .material_areas = areas,
                      .material_area_count = 3};
    cr_assert_eq(ref_chunk(&f, &chunk), VX_OK, "%s", f.error.message);
    ref_expect(&f, "dense",
               "0 0 0 2 63; 0 0 3 4 63; 2 0 0 4 1; 0 1 3 4 63; 1 1 0 4 63; 2 1 1 2 63; 2 1 3 4 0");
    ref_close(&f);
}

Test(ref_chunk, dense_equals_runs)
{
    enum { W = 4, D = 3, H = 8, ROUNDS = 50 };
    uint64_t random = 3;
    static const vx_material_area areas[] = {{1, 5}, {2, 0}};
    for (int round = 0; round < ROUNDS; round++) {
        int64_t dense[W * D * H];
        vx_run runs[W * D * H];
        size_t run_count = 0;
        /* Every filled cell as a run of its own, of one column after the other but row by row. */
        for (int64_t y = 0; y < H; y++) {
            for (int64_t column = W * D - 1; column >= 0; column--) {
                int64_t material = ref_random(&random, 4);
                dense[column * H + y] = material;
                if (material != 0) {
                    runs[run_count++] = (vx_run){column % W, column / W, y, 1, material};
                }
            }
        }
        int64_t dx = ref_random(&random, 7) - 3, dy = ref_random(&random, 9) - 4;
        ref_field a, b;
        ref_open(&a, 5, 4, 6);
        ref_open(&b, 5, 4, 6);
        vx_chunk chunk = {.offset = {dx, dy, 1},
                          .size = {W, D, H},
                          .is_dense = 1,
                          .dense = dense,
                          .dense_count = W * D * H,
                          .material_areas = areas,
                          .material_area_count = 2};
        cr_assert_eq(ref_chunk(&a, &chunk), VX_OK);
        chunk.is_dense = 0;
        chunk.runs = runs;
        chunk.run_count = run_count;
        cr_assert_eq(ref_chunk(&b, &chunk), VX_OK, "%s", b.error.message);
        ref_expect(&b, "runs", ref_rows(&a));
        ref_close(&a);
        ref_close(&b);
    }
}

static const int64_t cells[] = {1, 0, 256, 1};
static const vx_material_area named_twice[] = {{7, 1}, {8, 1}, {7, 2}};
static const vx_run one_run[] = {{0, 0, 0, 1, 1}};

#define RUN(x, z, start, length, material)                                                         \
    .size = {3, 2, 10}, .run_count = 1, .runs = (const vx_run[])                                   \
    {                                                                                              \
        {                                                                                          \
            x, z, start, length, material                                                          \
        }                                                                                          \
    }
#define AREA(material, area)                                                                       \
    .size = {3, 2, 10}, .runs = one_run, .run_count = 1, .material_area_count = 1,                 \
    .material_areas = (const vx_material_area[])                                                   \
    {                                                                                              \
        {                                                                                          \
            material, area                                                                         \
        }                                                                                          \
    }

Test(ref_chunk, errors)
{
    const struct {
        const char *name;
        vx_chunk chunk;
        vx_status status;
        const char *message;
    } cases[] = {
        {"W", {.size = {0, 2, 3}}, VX_ARGUMENT, "the chunk's W = 0 is below 1"},
        {"D", {.size = {1, -2, 3}}, VX_ARGUMENT, "the chunk's D = -2 is below 1"},
        {"H",
         {.size = {1, 2, INT64_MIN}},
         VX_ARGUMENT,
         "the chunk's H = -9223372036854775808 is below 1"},
        {"x", {RUN(3, 0, 0, 1, 1)}, VX_ARGUMENT, "run 0: x = 3 is above 2"},
        {"x below",
         {RUN(INT64_MIN, 0, 0, 1, 1)},
         VX_ARGUMENT,
         "run 0: x = -9223372036854775808 is below 0"},
        {"z", {RUN(0, 2, 0, 1, 1)}, VX_ARGUMENT, "run 0: z = 2 is above 1"},
        {"z below", {RUN(0, -1, 0, 1, 1)}, VX_ARGUMENT, "run 0: z = -1 is below 0"},
        {"start below", {RUN(0, 0, -1, 2, 1)}, VX_ARGUMENT, "run 0: start = -1 is below 0"},
        {"start above", {RUN(0, 0, 10, 1, 1)}, VX_ARGUMENT, "run 0: start = 10 is above 9"},
        {"empty", {RUN(0, 0, 0, 0, 1)}, VX_ARGUMENT, "run 0: length = 0 is below 1"},
        {"length most",
         {RUN(0, 0, 9, INT64_MAX, 1)},
         VX_ARGUMENT,
         "run 0: length = 9223372036854775807 is above 1"},
        {"length least",
         {RUN(0, 0, 9, INT64_MIN, 1)},
         VX_ARGUMENT,
         "run 0: length = -9223372036854775808 is below 1"},
        {"material 0", {RUN(0, 0, 0, 1, 0)}, VX_ARGUMENT, "run 0: material = 0 is below 1"},
        {"material 256", {RUN(0, 0, 0, 1, 256)}, VX_ARGUMENT, "run 0: material = 256 is above 255"},
        {"overlapping",
         {.size = {3, 2, 10},
          .runs = (const vx_run[]){{1, 1, 0, 3, 1}, {0, 0, 0, 1, 1}, {1, 1, 2, 3, 1}},
          .run_count = 3},
         VX_ARGUMENT,
         "run 2: start = 2 is below 3, the end of run 0"},
        {"unsorted",
         {.size = {3, 2, 10},
          .runs = (const vx_run[]){{1, 1, 5, 3, 1}, {1, 1, 0, 3, 1}},
          .run_count = 2},
         VX_ARGUMENT,
         "run 1: start = 0 is below 8, the end of run 0"},
        {"dense length",
         {.size = {1, 1, 4}, .is_dense = 1, .dense = cells, .dense_count = 3},
         VX_ARGUMENT,
         "dense: its length 3 is not 1 * 1 * 4"},
        {"dense length 0",
         {.size = {1, 1, 4}, .is_dense = 1},
         VX_ARGUMENT,
         "dense: its length 0 is not 1 * 1 * 4"},
        {"dense multiple",
         {.size = {1, 1, 2}, .is_dense = 1, .dense = cells, .dense_count = 4},
         VX_ARGUMENT,
         "dense: its length 4 is not 1 * 1 * 2"},
        {"dense of a product that overflows",
         {.size = {(int64_t)1 << 32, (int64_t)1 << 32, 4},
          .is_dense = 1,
          .dense = cells,
          .dense_count = 4},
         VX_ARGUMENT,
         "dense: its length 4 is not 4294967296 * 4294967296 * 4"},
        {"dense material",
         {.size = {2, 2, 1}, .is_dense = 1, .dense = cells, .dense_count = 4},
         VX_ARGUMENT,
         "dense: the material at 2 = 256 is above 255"},
        {"key 0", {AREA(0, 1)}, VX_ARGUMENT, "materialAreas: a material = 0 is below 1"},
        {"key 256", {AREA(256, 1)}, VX_ARGUMENT, "materialAreas: a material = 256 is above 255"},
        {"area 64",
         {AREA(255, 64)},
         VX_OUT_OF_RANGE,
         "materialAreas: the area of material 255 = 64 is above 63"},
        {"area -1",
         {AREA(1, -1)},
         VX_OUT_OF_RANGE,
         "materialAreas: the area of material 1 = -1 is below 0"},
        {"named twice",
         {.size = {3, 2, 10},
          .runs = one_run,
          .run_count = 1,
          .material_areas = named_twice,
          .material_area_count = 3},
         VX_ARGUMENT,
         "materialAreas: material 7 is named twice"},
    };
    ref_field f;
    ref_open(&f, 4, 4, 16);
    ref_add_all(&f, &(vx_span){0, 0, 2, 4, 7}, 1);
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        vx_status status = ref_chunk(&f, &cases[i].chunk);
        ref_expect_status(&f, cases[i].name, status, cases[i].status, cases[i].message);
        ref_expect(&f, cases[i].name, "0 0 2 4 7");
    }
    ref_close(&f);
}
