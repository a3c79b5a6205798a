/* SPDX-License-Identifier: MIT */
/* The exact judge on filters, compact rows, links, erosion, volumes and errors: an implementation
 * with one planted fault is caught at that step and by that clause, and every wrong number is. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "audit.h"
#include "exact_stage.h"
#include "program.h"
#include "random.h"

static void stop_late(void)
{
    test_deadline(240);
}

TestSuite(exact_stages_test, .init = stop_late);

/* --- implementations with a fault ------------------------------------------------------------- */

static vx_status no_low_hanging(vx_build3d *field, int64_t climb, vx_error *error)
{
    (void)field, (void)climb, (void)error;
    return VX_OK;
}

static vx_status climbing_low_hanging(vx_build3d *field, int64_t climb, vx_error *error)
{
    vx_status status = vx_ref_build3d.low_hanging(field, climb, error);
    return status == VX_OK ? vx_ref_build3d.low_hanging(field, climb, error) : status;
}

static vx_status lower_ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    return vx_ref_build3d.ledges(field, height, climb + 1, error);
}

static vx_status low_ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    return vx_ref_build3d.ledges(field, height > 1 ? height - 1 : 1, climb, error);
}

static vx_status lower_height(vx_build3d *field, int64_t height, vx_error *error)
{
    return vx_ref_build3d.low_height(field, height + 1, error);
}

static vx_status climbing_compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    return vx_ref_build3d.compact(field, height, climb + 1, error);
}

static vx_status low_compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    return vx_ref_build3d.compact(field, height - 1, climb, error);
}

static vx_status wide_erode(vx_build3d *field, int64_t radius, vx_error *error)
{
    return vx_ref_build3d.erode(field, radius + 1, error);
}

static vx_status narrow_erode(vx_build3d *field, int64_t radius, vx_error *error)
{
    return vx_ref_build3d.erode(field, radius - 1, error);
}

static vx_status shifted_volume(vx_build3d *field, const vx_volume *volume, vx_error *error)
{
    double corners[2 * VX_CORNERS_MAX];
    vx_volume moved = *volume;
    memcpy(corners, volume->corners, 2 * volume->corner_count * sizeof *corners);
    for (size_t i = 0; i < volume->corner_count; i++) {
        corners[2 * i] += 0.75;
    }
    moved.corners = corners;
    return vx_ref_build3d.volume(field, &moved, error);
}

static vx_status high_volume(vx_build3d *field, const vx_volume *volume, vx_error *error)
{
    vx_volume moved = *volume;
    moved.min_y += 0.5;
    return vx_ref_build3d.volume(field, &moved, error);
}

static vx_status no_volume(vx_build3d *field, const vx_volume *volume, vx_error *error)
{
    (void)field, (void)volume, (void)error;
    return VX_OK;
}

static vx_status refusing_erode(vx_build3d *field, int64_t radius, vx_error *error)
{
    (void)field;
    return vx_fail(error, VX_OUT_OF_RANGE, "%lld", (long long)radius);
}

/* The second step of a case that must be at fault, and the clause. */
typedef struct fault {
    const char *name;
    vx_build3d_impl table;
    int64_t step;
    const char *clause;
} fault;

enum { SIDE = 24 };

/* A floor with small steps and some larger ones, thin obstacles in stacks, and roofs of all
 * heights.
 */
static void add_yard(vx_input *input)
{
    vx_span *spans = vx_build3d_input_alloc(input, 3 * SIDE * SIDE, sizeof *spans);
    vx_random random = vx_random_start("yard", 1);
    size_t count = 0;
    for (int64_t column = 0; column < SIDE * SIDE; column++) {
        int64_t x = column % SIDE;
        int64_t z = column / SIDE;
        int64_t top = 5 + (x > 6 ? 3 : 0) + (x > 16 ? 4 : 0) + vx_random_chance(&random, 1, 30);
        spans[count++] = (vx_span){x, z, 0, top, 63};
        if (vx_random_chance(&random, 1, 20)) {
            spans[count++] = (vx_span){x, z, top + 1, top + 2, 0};
            spans[count++] = (vx_span){x, z, top + 3, top + 4, 0};
        } else if (vx_random_chance(&random, 1, 6)) {
            int64_t roof = top + vx_random_integer(&random, 7, 11);
            spans[count++] = (vx_span){x, z, roof, roof + 2, 0};
        }
    }
    vx_build3d_take_step(
        input, &(vx_step){.op = VX_OP_ADD_SPANS, .list = {.spans = spans, .count = count}});
}

static vx_input *make_yard(void)
{
    static const double corners[] = {2.2, 2.1, 21.7, 4.3, 20.9, 21.8, 3.4, 20.1};
    const vx_frame frame = {.cell_size = 1, .cell_height = 0.5f, .size = {SIDE, SIDE, 60}};
    vx_input *input = vx_build3d_input_new(&frame);
    add_yard(input);
    const vx_step steps[] = {
        {.op = VX_OP_LOW_HANGING, .climb = 2},
        {.op = VX_OP_LEDGES, .height = 9, .climb = 3},
        {.op = VX_OP_LOW_HEIGHT, .height = 9},
        {.op = VX_OP_COMPACT, .height = 10, .climb = 2},
        {.op = VX_OP_ERODE, .radius = 1},
        {.op = VX_OP_VOLUME,
         .volume = {.corners = corners, .corner_count = 4, .min_y = 3.75, .max_y = 99, .area = 7}}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        vx_build3d_add_step(input, &steps[i]);
    }
    return input;
}

/* The findings of one audit. */
typedef struct told {
    size_t count, elsewhere;
    int64_t step;
    vx_text first;
} told;

static void note_finding(void *context, vx_audit_kind kind, int64_t step, const char *line)
{
    told *found = context;
    if (kind == VX_AUDIT_FINDING) {
        if (found->count++ == 0) {
            vx_text_add(&found->first, line);
        }
        found->elsewhere += step != found->step ? 1 : 0;
    }
}

static void check_fault(const vx_case *item, const fault *planted)
{
    vx_problem problem = {0};
    told found = {.step = planted->step};
    vx_text clause = {0};
    const vx_audit_request request = {.item = item,
                                      .table = &planted->table,
                                      .limit = 1 << 22,
                                      .say = note_finding,
                                      .context = &found};
    vx_text_format(&clause, "(%s)", planted->clause != NULL ? planted->clause : "");
    cr_expect_eq(vx_build3d_audit(&request, &problem), VX_EXIT_PASS, "%s: %s", planted->name,
                 vx_problem_reason(&problem));
    cr_expect_eq(found.count > 0, planted->clause != NULL, "%s: %zu findings", planted->name,
                 found.count);
    cr_expect_eq(found.elsewhere, 0, "%s: %s", planted->name, vx_text_string(&found.first));
    cr_expect(planted->clause == NULL ||
                  strstr(vx_text_string(&found.first), vx_text_string(&clause)) != NULL,
              "%s: %s", planted->name, vx_text_string(&found.first));
    vx_text_free(&found.first);
    vx_text_free(&clause);
}

/* Later steps are judged on what the faulty one left: they are right. */
Test(exact_stages_test, faults_are_found_where_they_happen)
{
    fault faults[] = {{"none", vx_ref_build3d, 0, NULL},
                      {"no low-hanging obstacles", vx_ref_build3d, 1, "B6.3"},
                      {"obstacles climbed twice", vx_ref_build3d, 1, "B6.3"},
                      {"ledges with climb + 1", vx_ref_build3d, 2, "B6.7"},
                      {"ledges with height - 1", vx_ref_build3d, 2, "B6.7"},
                      {"low height + 1", vx_ref_build3d, 3, "B6.10"},
                      {"links with climb + 1", vx_ref_build3d, 4, "B7.3"},
                      {"links with height - 1", vx_ref_build3d, 4, "B7.3"},
                      {"erosion by r + 1", vx_ref_build3d, 5, "B8.5"},
                      {"erosion by r - 1", vx_ref_build3d, 5, "B8.5"},
                      {"erosion refused", vx_ref_build3d, 5, "B0.8"},
                      {"a volume at another place", vx_ref_build3d, 6, "B9.5"},
                      {"a volume at another height", vx_ref_build3d, 6, "B9.5"},
                      {"no volume", vx_ref_build3d, 6, "B9.5"}};
    size_t i = 1;
    faults[i++].table.low_hanging = no_low_hanging;
    faults[i++].table.low_hanging = climbing_low_hanging;
    faults[i++].table.ledges = lower_ledges;
    faults[i++].table.ledges = low_ledges;
    faults[i++].table.low_height = lower_height;
    faults[i++].table.compact = climbing_compact;
    faults[i++].table.compact = low_compact;
    faults[i++].table.erode = wide_erode;
    faults[i++].table.erode = narrow_erode;
    faults[i++].table.erode = refusing_erode;
    faults[i++].table.volume = shifted_volume;
    faults[i++].table.volume = high_volume;
    faults[i++].table.volume = no_volume;
    vx_case item = {.chapter = &vx_chapter_build3d, .input = make_yard()};
    for (i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        check_fault(&item, &faults[i]);
    }
    vx_build3d_input_free(item.input);
}

/* --- every number of an answer ---------------------------------------------------------------- */

/* Opens a stage on the yard, with its first so many steps. */
static void open_yard(stage *of, size_t steps)
{
    stage_open(of, SIDE, SIDE, 60);
    vx_build3d_input_free(of->input);
    of->input = make_yard();
    of->input->step_count = steps;
    stage_run(of);
}

/* Whether the judge finds something once the number stands there instead. */
static bool is_found(stage *of, int32_t *number, int32_t instead)
{
    int32_t kept = *number;
    *number = instead;
    (void)stage_judge(of);
    *number = kept;
    return of->found.count > 0;
}

Test(exact_stages_test, every_wrong_area_of_a_filter_is_found)
{
    for (size_t steps = 2; steps <= 4; steps++) {
        stage of;
        open_yard(&of, steps);
        for (size_t i = 0; i < of.after.rows; i++) {
            int32_t *area = &stage_solid(&of, i)->area;
            cr_expect(is_found(&of, area, *area == 0 ? 63 : 0), "step %zu, row %zu", steps, i);
            cr_expect(is_found(&of, area, 7), "step %zu, row %zu", steps, i);
            cr_expect(is_found(&of, &stage_solid(&of, i)->max, stage_solid(&of, i)->max + 1));
        }
        of.after.rows--;
        (void)stage_judge(&of);
        cr_expect_str_eq(of.found.kept[0].clause, "B6.1");
        stage_close(&of);
    }
}

Test(exact_stages_test, every_wrong_number_of_a_compact_row_is_found)
{
    stage of;
    open_yard(&of, 5);
    cr_assert_gt(of.after.rows, 20);
    for (size_t i = 0; i < of.after.rows; i++) {
        int32_t *numbers = (int32_t *)(void *)stage_compact(&of, i);
        for (size_t k = 0; k < 9; k++) {
            for (int32_t way = -1; way <= 1; way += 2) {
                cr_expect(is_found(&of, &numbers[k], numbers[k] + way), "row %zu, number %zu", i,
                          k);
            }
        }
        for (size_t k = 5; k < 9; k++) {
            int32_t other = numbers[k] == VX_LINK_NONE ? 0 : VX_LINK_NONE;
            cr_expect(is_found(&of, &numbers[k], other), "row %zu, link %zu", i, k - 5);
        }
    }
    of.after.rows--;
    (void)stage_judge(&of);
    cr_expect_gt(of.found.count, 0);
    stage_close(&of);
}

/* Within the volume's border a span may have either area, and no third one. */
Test(exact_stages_test, every_wrong_area_after_compacting_is_found)
{
    for (size_t steps = 6; steps <= 7; steps++) {
        stage of;
        open_yard(&of, steps);
        for (size_t i = 0; i < of.after.rows; i++) {
            int32_t *area = &stage_compact(&of, i)->area;
            int32_t other = *area == 0 ? 63 : *area == 7 ? 63 : steps == 7 ? 7 : 0;
            cr_expect(is_found(&of, area, other), "step %zu, row %zu", steps, i);
            cr_expect(is_found(&of, area, 8), "step %zu, row %zu", steps, i);
            cr_expect(is_found(&of, &stage_compact(&of, i)->height, 3));
        }
        stage_close(&of);
    }
}

/* --- volumes ---------------------------------------------------------------------------------- */

/* A floor of 5 × 5, and a volume of that shape; returns how many centres the bound leaves open. */
static size_t judge_centres(const double *corners, size_t count, size_t *otherwise)
{
    stage of;
    vx_span spans[25];
    for (int64_t i = 0; i < 25; i++) {
        spans[i] = (vx_span){i % 5, i / 5, 0, 1, 63};
    }
    stage_open(&of, 5, 5, 9);
    of.input->frame.cell_size = 0.1f;
    of.input->frame.origin[0] = of.input->frame.origin[2] = 0.3;
    stage_add(&of, &(vx_step){.op = VX_OP_ADD_SPANS, .list = {.spans = spans, .count = 25}});
    stage_add(&of, &(vx_step){.op = VX_OP_COMPACT, .height = 1, .climb = 1});
    stage_add(&of, &(vx_step){.op = VX_OP_VOLUME,
                              .volume = {.corners = corners,
                                         .corner_count = count,
                                         .min_y = -HUGE_VAL,
                                         .max_y = HUGE_VAL,
                                         .area = 5}});
    stage_run(&of);
    cr_assert(stage_judge(&of), "%s", of.found.kept[0].text);
    cr_expect_eq(of.found.count, 0);
    size_t asked = 0;
    size_t open = 0;
    cr_assert_eq(sscanf(vx_text_string(&of.note),
                        "centres of columns with spans: %zu; binary64 decides %zu otherwise than "
                        "the exact sign; %zu lie within the bound",
                        &asked, otherwise, &open),
                 3, "%s", vx_text_string(&of.note));
    cr_expect_eq(asked, 25);
    stage_close(&of);
    return open;
}

/* The centre of cell i along x and z, as SPEC B9.3@b440c6 computes it. */
static double centre(int i)
{
    return 0.3 + (i + 0.5) * (double)0.1f;
}

Test(exact_stages_test, centres_on_edges_are_left_open)
{
    const double far[] = {0, 0, 1, 0.05, 0.95, 1};
    /* The diagonal of the grid's centres, and one as computed: they are not on one line exactly. */
    const double through[] = {centre(0), centre(0), centre(4), centre(4), 0, 1};
    const double skew[] = {centre(0), centre(1), centre(3), centre(2), centre(4) + 1, 2};
    size_t otherwise;
    cr_expect_eq(judge_centres(far, 3, &otherwise), 0);
    cr_expect_eq(otherwise, 0);
    cr_expect_geq(judge_centres(through, 3, &otherwise), 5);
    cr_expect_geq(judge_centres(skew, 3, &otherwise), 2);
}

/* --- errors ----------------------------------------------------------------------------------- */

static vx_status accept_spans(vx_build3d *field, const vx_span *spans, size_t count,
                              int64_t merge_threshold, vx_error *error)
{
    (void)field, (void)spans, (void)count, (void)merge_threshold, (void)error;
    return VX_OK;
}

static vx_status accept_mesh(vx_build3d *field, const vx_mesh *mesh, vx_error *error)
{
    (void)field, (void)mesh, (void)error;
    return VX_OK;
}

static vx_status accept_grid(vx_build3d *field, const vx_height_grid *grid, vx_error *error)
{
    (void)field, (void)grid, (void)error;
    return VX_OK;
}

static vx_status accept_chunk(vx_build3d *field, const vx_chunk *chunk, vx_error *error)
{
    (void)field, (void)chunk, (void)error;
    return VX_OK;
}

/* Each step is refused by that clause: the reference does, and an implementation that accepts
 * everything is caught. */
Test(exact_stages_test, what_should_have_been_refused_is_found)
{
    static const double points[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, (double)NAN, 0, 0};
    static const int64_t good[] = {0, 1, 2}, bad[] = {0, 1, 4}, unlucky[] = {0, 1, 3};
    static const int64_t areas[] = {64, 1};
    static const double heights[] = {0, 0, 0, HUGE_VAL};
    static const vx_span outside[] = {{2, 0, 0, 1, 63}}, strange[] = {{0, 0, 0, 1, 64}};
    static const vx_run runs[] = {{0, 0, 1, 1, 5}, {0, 0, 0, 1, 5}};
    static const int64_t dense[] = {256};
    static const vx_material_area materials[] = {{0, 5}};
#define MESH(...)                                                                                  \
    {                                                                                              \
        .op = VX_OP_RASTERIZE, .mesh = {.vertices = points, __VA_ARGS__ }                          \
    }
#define HEIGHTS(...)                                                                               \
    {                                                                                              \
        .op = VX_OP_HEIGHT_GRID, .grid = {.heights = heights, .height_count = 4, __VA_ARGS__ }     \
    }
#define CHUNK(...)                                                                                 \
    {                                                                                              \
        .op = VX_OP_CHUNK, .chunk = { __VA_ARGS__ }                                                \
    }
    const struct {
        const char *clause;
        vx_step step;
    } rows[] = {
        {"B2.2", MESH(.vertex_values = 11)},
        {"B2.2", MESH(.vertex_values = 12, .indices = good, .index_count = 2)},
        {"B2.3", MESH(.vertex_values = 12, .indices = bad, .index_count = 3)},
        {"B2.4", MESH(.vertex_values = 12, .indices = unlucky, .index_count = 3)},
        {"B2.6", MESH(.vertex_values = 12, .indices = good, .index_count = 3, .areas = areas,
                      .area_count = 2)},
        {"B0.12", MESH(.vertex_values = 12, .indices = good, .index_count = 3, .areas = areas,
                       .area_count = 1)},
        {"B2.7", MESH(.slope_cosine = INFINITY)},
        {"B0.12", MESH(.merge_threshold = -1)},
        {"B3.2", {.op = VX_OP_ADD_SPANS, .list = {outside, 1, 0}}},
        {"B0.12", {.op = VX_OP_ADD_SPANS, .list = {strange, 1, 0}}},
        {"B0.12", {.op = VX_OP_ADD_SPANS, .list = {outside, 0, VX_ROWS_MAX + 1}}},
        {"B4.1", HEIGHTS(.count = {1, 4}, .spacing = 1)},
        {"B4.1", HEIGHTS(.count = {2, 2}, .spacing = 0)},
        {"B4.1", HEIGHTS(.count = {2, 3}, .spacing = 1)},
        {"B4.2", HEIGHTS(.count = {2, 2}, .spacing = 1)},
        {"B4.2", HEIGHTS(.count = {2, 2}, .spacing = 4e6)},
        {"B5.2", CHUNK(.size = {0, 1, 1})},
        {"B5.2", CHUNK(.size = {1, 1, 2}, .runs = runs, .run_count = 2)},
        {"B5.3", CHUNK(.size = {1, 1, 2}, .is_dense = 1, .dense = dense, .dense_count = 1)},
        {"B5.3", CHUNK(.size = {1, 1, 1}, .is_dense = 1, .dense = dense, .dense_count = 1)},
        {"B5.4", CHUNK(.size = {1, 1, 2}, .material_areas = materials, .material_area_count = 1)},
    };
#undef MESH
#undef HEIGHTS
#undef CHUNK
    vx_build3d_impl accepting = vx_ref_build3d;
    accepting.add_spans = accept_spans;
    accepting.rasterize = accept_mesh;
    accepting.height_grid = accept_grid;
    accepting.chunk = accept_chunk;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const vx_frame frame = {.cell_size = 1, .cell_height = 1, .size = {2, 2, 2}};
        vx_case item = {.chapter = &vx_chapter_build3d, .input = vx_build3d_input_new(&frame)};
        vx_build3d_take_step(item.input, &rows[i].step);
        check_fault(&item, &(fault){"refused", vx_ref_build3d, 0, NULL});
        check_fault(&item, &(fault){rows[i].clause, accepting, 0, rows[i].clause});
        vx_build3d_input_free(item.input);
    }
}
