/* SPDX-License-Identifier: MIT */
/* The exact judge: it finds nothing in right answers, finds every planted fault, and has no opinion
 * within the bound. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "exact_stage.h"
#include "generate.h"
#include "program.h"
#include "reference.h"

static void stop_late(void)
{
    test_deadline(240);
}

TestSuite(exact_test, .init = stop_late);

/* The row of a solid answer in that column. */
static size_t find_row(stage *of, int32_t x, int32_t z)
{
    size_t i = 0;
    while (i < of->after.rows && (stage_solid(of, i)->x != x || stage_solid(of, i)->z != z)) {
        i++;
    }
    cr_assert_lt(i, of->after.rows, "no row in (%d, %d)", x, z);
    return i;
}

/* --- right answers ---------------------------------------------------------------------------- */

static void count(void *context, vx_audit_kind kind, int64_t step, const char *line)
{
    size_t *found = context;
    (void)step;
    if (kind == VX_AUDIT_FINDING) {
        ++*found;
        fprintf(stderr, "%s\n", line);
    }
}

Test(exact_test, the_reference_is_right)
{
    for (size_t i = 0; i < vx_build3d_family_count; i++) {
        for (uint64_t seed = 4000; seed < 4006; seed++) {
            vx_case item;
            vx_problem problem = {0};
            size_t found = 0;
            vx_generate_case(&vx_chapter_build3d, &vx_build3d_families[i], seed, &item);
            const vx_audit_request request = {.item = &item,
                                              .table = &vx_ref_build3d,
                                              .limit = 1 << 22,
                                              .say = count,
                                              .context = &found};
            cr_expect_eq(vx_build3d_audit(&request, &problem), VX_EXIT_PASS, "%s: %s", item.name,
                         vx_problem_reason(&problem));
            cr_expect_eq(found, 0, "%s: %zu findings", item.name, found);
            vx_case_free(&item);
        }
    }
}

/* --- B2: cells and rows ----------------------------------------------------------------------- */

/* No cell's share of it is tiny, and no v is near an integer. */
static const double steep[] = {0.3, 1.45, 0.3, 6.7, 6.3, 0.9, 2.1, 4.4, 6.4};

Test(exact_test, every_missing_cell_is_found)
{
    stage of;
    size_t certain = 0;
    stage_open(&of, 8, 8, 8);
    stage_add_triangle(&of, steep);
    stage_run(&of);
    size_t rows = of.after.rows;
    cr_assert_gt(rows, 20);
    for (size_t i = 0; i < rows; i++) {
        stage_run(&of);
        vx_solid_row gone = *stage_solid(&of, i);
        stage_remove_solid(&of, i);
        cr_assert(stage_judge(&of));
        const vx_exact_finding *found = findings_in_column(&of.found, gone.x, gone.z);
        if (found != NULL) {
            cr_assert_str_eq(found->clause, "B2.19", "(%d, %d)", gone.x, gone.z);
            cr_assert_not_null(strstr(found->text, "empty, but triangle 0 touches this cell"));
            certain++;
        }
        cr_assert_eq(of.found.count, found != NULL ? 1 : 0);
    }
    cr_assert_eq(certain, rows, "%zu of %zu", certain, rows);
    stage_close(&of);
}

Test(exact_test, every_wrong_cell_is_found)
{
    stage of;
    stage_open(&of, 8, 8, 8);
    stage_add_triangle(&of, steep);
    stage_run(&of);
    bool filled[8][8] = {0};
    for (size_t i = 0; i < of.after.rows; i++) {
        filled[stage_solid(&of, i)->z][stage_solid(&of, i)->x] = true;
    }
    for (int32_t column = 0; column < 64; column++) {
        int32_t x = column % 8;
        int32_t z = column / 8;
        if (filled[z][x]) {
            continue;
        }
        stage_run(&of);
        vx_result_free(&of.after);
        of.after.cells = vx_must_alloc(1, sizeof(vx_solid_row));
        of.after.rows = 1;
        memcpy(of.after.facts, of.before.facts, sizeof of.after.facts);
        *stage_solid(&of, 0) = (vx_solid_row){x, z, 3, 4, 63};
        cr_assert(stage_judge(&of));
        const vx_exact_finding *found = findings_in_column(&of.found, x, z);
        cr_assert_not_null(found, "(%d, %d)", x, z);
        cr_assert_str_eq(found->clause, "B2.19");
        cr_assert_not_null(strstr(found->text, "nothing that the step adds"));
    }
    stage_close(&of);
}

Test(exact_test, lo_and_hi_off_by_one_are_found)
{
    stage of;
    stage_open(&of, 8, 8, 8);
    stage_add_triangle(&of, steep);
    stage_run(&of);
    for (size_t i = 0; i < of.after.rows; i++) {
        for (int fault = 0; fault < 4; fault++) {
            stage_run(&of);
            vx_solid_row *row = stage_solid(&of, i);
            int32_t *end = fault < 2 ? &row->min : &row->max;
            *end += fault % 2 == 0 ? -1 : 1;
            if (row->min < 0 || row->min >= row->max || row->max > 8) {
                continue;
            }
            cr_assert(stage_judge(&of));
            const vx_exact_finding *found = findings_in_column(&of.found, row->x, row->z);
            cr_assert_not_null(found, "fault %d of (%d, %d)", fault, row->x, row->z);
            cr_assert_str_eq(found->clause, "B2.24");
            cr_assert_not_null(strstr(found->text, "exact v"));
            cr_assert_eq(found->max, found->min + 1);
        }
    }
    stage_close(&of);
}

Test(exact_test, missing_walls_are_found)
{
    static const double wall[] = {2.5, 0.5, 0.5, 2.5, 5.5, 0.5, 2.5, 0.5, 6.5};
    stage of;
    stage_open(&of, 8, 8, 8);
    stage_add_triangle(&of, wall);
    stage_run(&of);
    stage_remove_solid(&of, find_row(&of, 2, 3));
    cr_assert(stage_judge(&of));
    cr_assert_eq(of.found.count, 1);
    cr_assert_str_eq(of.found.kept[0].clause, "B2.20");
    stage_close(&of);
}

/* One span of the answer moves from where it is to another place, which the judge finds or does not
 * know about. */
typedef struct border {
    const char *name;
    double corners[9];
    int32_t x, z;           /* the span */
    int32_t to_x, min, max; /* where it goes */
    bool found;
} border;

Test(exact_test, within_the_bound_nothing_is_found)
{
    static const border borders[] = {{"a floor on a row boundary, above it",
                                      {0.5, 5, 0.5, 6.5, 5, 0.5, 0.5, 5, 6.5},
                                      1,
                                      1,
                                      1,
                                      5,
                                      6,
                                      false},
                                     {"a floor on a row boundary, a row too low",
                                      {0.5, 5, 0.5, 6.5, 5, 0.5, 0.5, 5, 6.5},
                                      1,
                                      1,
                                      1,
                                      3,
                                      4,
                                      true},
                                     {"a wall on a grid line, before it",
                                      {3, 0.5, 0.5, 3, 5.5, 0.5, 3, 0.5, 0.9},
                                      2,
                                      0,
                                      3,
                                      0,
                                      6,
                                      false},
                                     {"a wall on a grid line, two cells off",
                                      {3, 0.5, 0.5, 3, 5.5, 0.5, 3, 0.5, 0.9},
                                      2,
                                      0,
                                      4,
                                      0,
                                      6,
                                      true},
                                     {"a corner that reaches 2^-30 into a cell",
                                      {0.25, 0.5, 0.25, 1 + 0x1p-30, 0.5, 0.5, 0.25, 0.5, 0.75},
                                      0,
                                      0,
                                      0,
                                      0,
                                      1,
                                      false}};
    for (size_t i = 0; i < sizeof borders / sizeof borders[0]; i++) {
        const border *at = &borders[i];
        stage of;
        stage_open(&of, 8, 8, 8);
        stage_add_triangle(&of, at->corners);
        stage_run(&of);
        size_t moved = find_row(&of, at->x, at->z);
        if (at->to_x == at->x + 1) {
            /* Beside it, in order. */
            cr_assert(moved + 1 == of.after.rows || stage_solid(&of, moved + 1)->z > at->z);
        }
        vx_solid_row *row = stage_solid(&of, moved);
        row->x = at->to_x;
        row->min = at->min;
        row->max = at->max;
        cr_assert(stage_judge(&of), "%s", at->name);
        cr_assert_eq(of.found.count > 0, at->found, "%s: %s", at->name, of.found.kept[0].text);
        stage_close(&of);
    }
}

Test(exact_test, the_degenerate_count_is_held)
{
    static const double point[] = {1, 1, 1, 2, 2, 2, 1, 1, 1};
    stage of;
    stage_open(&of, 4, 4, 4);
    stage_add_triangle(&of, point);
    stage_run(&of);
    cr_assert_eq(of.after.facts[3], 1);
    cr_assert(stage_judge(&of));
    cr_assert_eq(of.found.count, 0);
    for (int64_t wrong = 0; wrong <= 2; wrong += 2) {
        of.after.facts[3] = wrong;
        cr_assert(stage_judge(&of));
        cr_assert_eq(of.found.count, 1);
        cr_assert_str_eq(of.found.kept[0].clause, "B2.10");
    }
    stage_close(&of);
}

/* --- B3, B5: spans and chunks ----------------------------------------------------------------- */

Test(exact_test, spans_that_grow_or_vanish_are_found)
{
    static const vx_span first[] = {{1, 1, 2, 4, 63}};
    static const vx_span second[] = {{1, 1, 5, 7, 63}};
    static const struct {
        int32_t rows[2][2]; /* min, max; 0, 0: none */
        const char *text;
    } faults[] = {{{{2, 4}, {5, 7}}, NULL},
                  {{{2, 4}, {0, 0}}, "the step adds the span [5, 7)"},
                  {{{5, 7}, {0, 0}}, "filled before the step"},
                  {{{2, 7}, {0, 0}}, "nearest span that the step adds"},
                  {{{2, 4}, {5, 8}}, "nearest span that the step adds"}};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        stage of;
        stage_open(&of, 3, 3, 8);
        vx_build3d_add_step(
            of.input, &(vx_step){.op = VX_OP_ADD_SPANS, .list = {.spans = first, .count = 1}});
        vx_build3d_add_step(
            of.input, &(vx_step){.op = VX_OP_ADD_SPANS, .list = {.spans = second, .count = 1}});
        stage_run(&of);
        cr_assert_eq(of.after.rows, 2);
        for (size_t k = 0; k < 2; k++) {
            stage_solid(&of, k)->min = faults[i].rows[k][0];
            stage_solid(&of, k)->max = faults[i].rows[k][1];
        }
        of.after.rows = faults[i].rows[1][1] > 0 ? 2 : 1;
        cr_assert(stage_judge(&of));
        cr_assert_eq(of.found.count, faults[i].text != NULL ? 1 : 0, "fault %zu", i);
        if (faults[i].text != NULL) {
            cr_assert_str_eq(of.found.kept[0].clause, "B3.3");
            cr_assert_not_null(strstr(of.found.kept[0].text, faults[i].text), "%s",
                               of.found.kept[0].text);
        }
        stage_close(&of);
    }
}

/* --- areas: B2.11@3b9006, B3.3@146add, B3.4@2229fc ------------------------------------------- */

/* Every area of the last step's answer that is not the reference's is found, unless the note says
 * that it is within the bound. Returns how many rows the answer has. */
static size_t expect_wrong_areas_found(stage *of, const char *name)
{
    stage_run(of);
    cr_assert(stage_judge(of));
    cr_assert_eq(of->found.count, 0, "%s: %s", name, of->found.kept[0].text);
    cr_assert_eq(of->note.size, 0, "%s: %s", name, vx_text_string(&of->note));
    for (size_t i = 0; i < of->after.rows; i++) {
        vx_solid_row *row = stage_solid(of, i);
        int32_t right = row->area;
        for (int32_t area = 0; area <= VX_AREA_MAX; area++) {
            row->area = area;
            cr_assert(stage_judge(of));
            cr_assert_eq(of->found.count, area != right, "%s: %d instead of %d", name, area, right);
        }
        row->area = right;
    }
    return of->after.rows;
}

Test(exact_test, every_wrong_area_of_merged_spans_is_found)
{
    /* SPEC B3.4@2229fc's example, and spans at and beside the threshold from both sides. */
    static const vx_span spans[] = {
        {0, 0, 685, 686, 63}, {0, 0, 685, 687, 0}, {0, 0, 686, 688, 0}, {1, 0, 0, 20, 9},
        {1, 0, 0, 19, 30},    {1, 0, 30, 40, 9},   {1, 0, 30, 38, 30},  {2, 0, 0, 19, 30},
        {2, 0, 0, 20, 9},     {2, 0, 30, 38, 30},  {2, 0, 30, 40, 9},   {3, 0, 5, 6, 1},
        {3, 0, 8, 9, 2},      {3, 0, 11, 12, 3},   {3, 0, 6, 11, 0},    {3, 0, 20, 21, 5}};
    static const vx_span more[] = {{0, 0, 680, 690, 7}, {3, 0, 12, 20, 4}};
    stage of;
    stage_open(&of, 4, 1, 1000);
    stage_add(
        &of, &(vx_step){.op = VX_OP_ADD_SPANS, .list = {spans, sizeof spans / sizeof spans[0], 1}});
    cr_assert_eq(expect_wrong_areas_found(&of, "spans"), 7);
    stage_add(&of, &(vx_step){.op = VX_OP_ADD_SPANS, .list = {more, 2, 2}});
    cr_assert_eq(expect_wrong_areas_found(&of, "more spans"), 6);
    stage_close(&of);
}

Test(exact_test, every_wrong_area_of_a_chunk_is_found)
{
    static const vx_run runs[] = {{0, 0, 1, 2, 5}, {0, 0, 3, 2, 6}, {0, 0, 6, 1, 7}};
    /* Two rows of material 6 are one run: the lower one alone would not win. */
    static const int64_t dense[] = {0, 7, 6, 6, 0, 5, 5, 0};
    static const vx_material_area areas[] = {{5, 1}, {6, 20}};
    stage of;
    stage_open(&of, 2, 1, 8);
    stage_add(&of, &(vx_step){.op = VX_OP_CHUNK,
                              .chunk = {.size = {2, 1, 8},
                                        .runs = runs,
                                        .run_count = 3,
                                        .material_areas = areas,
                                        .material_area_count = 2}});
    cr_assert_eq(expect_wrong_areas_found(&of, "runs"), 2);
    stage_add(&of, &(vx_step){.op = VX_OP_CHUNK,
                              .chunk = {.size = {1, 1, 8},
                                        .is_dense = 1,
                                        .dense = dense,
                                        .dense_count = 8,
                                        .material_areas = areas,
                                        .material_area_count = 2}});
    cr_assert_gt(expect_wrong_areas_found(&of, "dense"), 0);
    stage_close(&of);
}

/* Slopes beside the default cosine, level floors at a cosine of 1 or next to it, and walls at 0:
 * what equal inputs decide is known even at equality. */
Test(exact_test, every_wrong_area_of_a_slope_is_found)
{
    static const struct {
        const char *name;
        double corners[9];
        float cosine;
        int32_t area;
    } rows[] = {
        {"gentle", {0.3, 1.45, 0.3, 0.4, 3.3, 5.1, 6.3, 1.9, 0.7}, VX_DEFAULT_SLOPE_COSINE, 63},
        {"steep", {0.3, 1.45, 0.3, 0.4, 7.3, 3.1, 6.3, 7.9, 0.7}, VX_DEFAULT_SLOPE_COSINE, 0},
        {"downwards", {0.3, 1.45, 0.3, 6.3, 1.9, 0.7, 0.4, 3.3, 5.1}, VX_DEFAULT_SLOPE_COSINE, 0},
        {"level, as steep as allowed", {0.5, 1.5, 0.5, 0.5, 1.5, 4.5, 4.5, 1.5, 0.5}, 1, 0},
        {"level", {0.5, 1.5, 0.5, 0.5, 1.5, 4.5, 4.5, 1.5, 0.5}, 0x1.fffffep-1f, 63},
        {"a ceiling, as steep as allowed", {0.5, 1.5, 0.5, 4.5, 1.5, 0.5, 0.5, 1.5, 4.5}, -1, 0},
        {"a ceiling", {0.5, 1.5, 0.5, 4.5, 1.5, 0.5, 0.5, 1.5, 4.5}, -0x1.000002p+0f, 63},
        {"a wall", {0.5, 1.5, 0.5, 0.5, 5.5, 0.7, 0.5, 1.5, 0.9}, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        /* Small: the field is judged once for each area of each span. */
        double corners[9];
        for (size_t k = 0; k < 9; k++) {
            corners[k] = 0.375 * rows[i].corners[k];
        }
        stage of;
        stage_open(&of, 3, 3, 4);
        stage_add_triangle(&of, corners);
        of.input->steps[0].mesh.slope_cosine = rows[i].cosine;
        cr_assert_gt(expect_wrong_areas_found(&of, rows[i].name), 0);
        cr_assert_eq(stage_solid(&of, 0)->area, rows[i].area, "%s", rows[i].name);
        stage_close(&of);
    }
}

/* A slope of exactly the cosine: both areas are right, and no third one. */
Test(exact_test, a_slope_within_the_bound_may_have_either_area)
{
    static const double corners[] = {0.5, 1.5, 0.5, 0.5, 4.5, 4.5, 4.5, 1.5, 0.5};
    stage of;
    stage_open(&of, 8, 8, 8);
    stage_add_triangle(&of, corners);
    of.input->steps[0].mesh.slope_cosine = 0.8f;
    stage_run(&of);
    for (int32_t area = 0; area <= VX_AREA_MAX; area++) {
        stage_solid(&of, 0)->area = area;
        cr_assert(stage_judge(&of));
        cr_assert_eq(of.found.count, area != 0 && area != 63, "area %d", area);
        cr_assert_not_null(strstr(vx_text_string(&of.note),
                                  " were only checked to be one of several that are right"));
    }
    stage_close(&of);
}

/* Where it is not known which rows a floor fills, whichever it does fill says which area follows.
 */
Test(exact_test, areas_follow_the_rows_that_a_floor_fills)
{
    static const vx_span below[] = {{1, 1, 0, 4, 9}};
    static const double floor[] = {0.5, 5, 0.5, 0.5, 5, 4.5, 4.5, 5, 0.5};
    static const struct {
        int32_t rows[2][3]; /* min, max, area; 0, 0: none */
        bool found;
    } answers[] = {{{{0, 5, 63}, {0, 0, 0}}, false}, {{{0, 5, 9}, {0, 0, 0}}, true},
                   {{{0, 4, 9}, {5, 6, 63}}, false}, {{{0, 4, 63}, {5, 6, 63}}, true},
                   {{{0, 4, 9}, {5, 6, 9}}, true},   {{{0, 6, 63}, {0, 0, 0}}, false},
                   {{{0, 6, 9}, {0, 0, 0}}, true}};
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        stage of;
        vx_solid_row *row;
        stage_open(&of, 2, 2, 8);
        stage_add(&of, &(vx_step){.op = VX_OP_ADD_SPANS, .list = {below, 1, 0}});
        stage_add_triangle(&of, floor);
        stage_run(&of);
        void *cells = vx_must_realloc(of.after.cells, of.after.rows + 1, sizeof *row);
        of.after.cells = cells;
        size_t last = find_row(&of, 1, 1);
        for (size_t k = 0; k < 2; k++) {
            row = stage_solid(&of, last + k);
            *row = (vx_solid_row){1, 1, answers[i].rows[k][0], answers[i].rows[k][1],
                                  answers[i].rows[k][2]};
        }
        of.after.rows = last + (answers[i].rows[1][1] > 0 ? 2 : 1);
        cr_assert(stage_judge(&of));
        cr_assert_eq(of.found.count > 0, answers[i].found, "answer %zu: %s", i,
                     of.found.kept[0].text);
        stage_close(&of);
    }
}

/* Floors on row boundaries, in a column that one span fills: each may have been a row lower or
 * higher. What is left is that the area must be there. */
Test(exact_test, a_column_in_too_many_ways_is_judged_in_part)
{
    enum { FLOORS = 12 };
    static const int64_t indices[3 * FLOORS] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                                12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                                                24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35};
    double corners[9 * FLOORS];
    for (size_t i = 0; i < FLOORS; i++) {
        double y = 2 + 2 * (double)i;
        const double floor[] = {0.1, y, 0.1, 0.1, y, 0.9, 0.9, y, 0.1};
        memcpy(corners + 9 * i, floor, sizeof floor);
    }
    for (int32_t area = 0; area <= VX_AREA_MAX; area++) {
        stage of;
        stage_open(&of, 1, 1, 40);
        stage_add(&of, &(vx_step){.op = VX_OP_RASTERIZE,
                                  .mesh = {.vertices = corners,
                                           .vertex_values = 9 * FLOORS,
                                           .indices = indices,
                                           .index_count = 3 * FLOORS,
                                           .slope_cosine = VX_DEFAULT_SLOPE_COSINE}});
        stage_run(&of);
        cr_assert_eq(of.after.rows, FLOORS);
        cr_assert(stage_judge(&of));
        cr_assert_eq(of.found.count, 0);
        cr_assert_eq(of.note.size, 0, "%s", vx_text_string(&of.note));
        of.after.rows = 1;
        *stage_solid(&of, 0) = (vx_solid_row){0, 0, 1, 2 * FLOORS + 1, area};
        cr_assert(stage_judge(&of));
        cr_assert_eq(of.found.count, area != 63, "area %d", area);
        cr_assert_not_null(
            strstr(vx_text_string(&of.note), "the areas of 1 span were only checked"));
        stage_close(&of);
    }
}

/* --- rows that are no heightfield ------------------------------------------------------------- */

Test(exact_test, rows_that_are_no_heightfield_are_found)
{
    static const struct {
        vx_solid_row rows[2];
        const char *clause;
    } faults[] = {{{{3, 0, 1, 2, 63}, {0, 1, 1, 2, 63}}, "B1.1"},
                  {{{-1, 0, 1, 2, 63}, {0, 1, 1, 2, 63}}, "B1.1"},
                  {{{0, 0, 1, 2, 63}, {0, 3, 1, 2, 63}}, "B1.1"},
                  {{{0, 1, 1, 2, 63}, {2, 0, 1, 2, 63}}, "B1.1"},
                  {{{0, 0, -1, 2, 63}, {0, 1, 1, 2, 63}}, "B3.1"},
                  {{{0, 0, 1, 9, 63}, {0, 1, 1, 2, 63}}, "B3.1"},
                  {{{0, 0, 2, 2, 63}, {0, 1, 1, 2, 63}}, "B3.1"},
                  {{{0, 0, 1, 2, 63}, {0, 0, 2, 3, 63}}, "B3.1"},
                  {{{0, 0, 4, 5, 63}, {0, 0, 1, 2, 63}}, "B3.1"},
                  {{{0, 0, 1, 2, 64}, {0, 1, 1, 2, 63}}, "B0.7"},
                  {{{0, 0, 1, 2, -1}, {0, 1, 1, 2, 63}}, "B0.7"}};
    static const vx_span spans[] = {{0, 0, 1, 2, 63}, {0, 1, 1, 2, 63}};
    stage of;
    stage_open(&of, 3, 3, 8);
    stage_add(&of, &(vx_step){.op = VX_OP_ADD_SPANS, .list = {.spans = spans, .count = 2}});
    stage_run(&of);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        memcpy(of.after.cells, faults[i].rows, sizeof faults[i].rows);
        cr_assert(!stage_judge(&of), "fault %zu", i);
        cr_assert_eq(of.found.count, 1, "fault %zu", i);
        cr_assert_str_eq(of.found.kept[0].clause, faults[i].clause, "fault %zu", i);
    }
    of.after.facts[0] = 4;
    cr_assert(!stage_judge(&of));
    cr_assert_str_eq(of.found.kept[0].clause, "B1.1");
    of.after.facts[0] = 3;
    of.after.table = VX_BUILD3D_COMPACT;
    cr_assert(!stage_judge(&of));
    cr_assert_str_eq(of.found.kept[0].clause, "B7.1");
    stage_close(&of);
}
