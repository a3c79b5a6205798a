/* SPDX-License-Identifier: MIT */
/* The bench: it refuses to time what differs, and its figures are those of its samples. No time is
 * judged here. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/scaling.h"
#include "program.h"
#include "scratch.h"

TestSuite(bench_test, .init = scratch_open, .fini = scratch_close);

/* Runs `voxcert WORDS` of the bench, which lies beside the program. */
static void run_bench(test_run *run, const char *words)
{
    const char *program = test_voxcert();
    vx_text command = {0};
    vx_text_format(&command, "'%.*s/bench/voxcert' %s", (int)(strrchr(program, '/') - program),
                   program, words);
    test_run_program(run, NULL, (const char *const[]){"sh", "-c", command.bytes, NULL}, "");
    vx_text_free(&command);
}

/* The bench with tests/library/planted.c beside the built-in implementations. */
static void run_library(test_run *run, const char *flags, const char *options)
{
    vx_text text = {0};
    const char *library = scratch_path("planted.so");
    test_build_library("tests/library/planted.c", flags, library);
    vx_text_format(&text, "bench --rounds 2 --lib '%s' --out '%s' %s", library, scratch_path("out"),
                   options);
    run_bench(run, text.bytes);
    vx_text_free(&text);
}

#define SMALL "--scene 'small soup'"

static void run_planted(test_run *run, int plant)
{
    vx_text flags = {0};
    vx_text_format(&flags, "-DPLANT=%d", plant);
    run_library(run, flags.bytes, SMALL);
    vx_text_free(&flags);
}

/* Whether the folder of the results has one of that name. */
static bool has_result(const char *name)
{
    vx_text path = {0};
    vx_text_format(&path, "%s/%s", scratch_path("out"), name);
    bool is_there = access(path.bytes, F_OK) == 0;
    vx_text_free(&path);
    return is_there;
}

/* The bench ended with such a complaint, and reports nothing. */
static void expect_refused(const test_run *run, const char *part)
{
    cr_expect_eq(run->status, VX_EXIT_NOT_CONFORMANT, "%s: status %d", part, run->status);
    test_expect_part(&run->err, part);
    cr_expect_eq(run->out.size, 0, "%s", vx_text_string(&run->out));
}

Test(bench_test, refuses_what_differs)
{
    static const struct {
        int plant;
        const char *kernel, *what, *column;
    } rows[] = {{1, "rasterize", "row 24961 (", ") has area "},
                {2, "compact", "row ", ") has "},
                {3, "open", "0 rows and 1 degenerate triangles instead of 0 and 0", ""}};
    test_run run = {0};
    cr_assert_eq(mkdir(scratch_path("out"), 0777), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text part = {0};
        (void)scratch_write("out/bench.md", "an earlier run");
        run_planted(&run, rows[i].plant);
        vx_text_format(&part, "planted differs from the reference on small soup after %s: %s",
                       rows[i].kernel, rows[i].what);
        expect_refused(&run, vx_text_string(&part));
        test_expect_part(&run.err, "; there are no results\n");
        test_expect_part(&run.err, rows[i].column);
        cr_expect_not(has_result("bench.md"));
        vx_text_free(&part);
    }
    test_run_free(&run);
}

Test(bench_test, refuses_who_changes_what_it_reads)
{
    static const struct {
        int plant;
        const char *part;
    } rows[] = {{12, "planted changed what rasterize is given to read on small soup; "},
                {13, "planted changed what merge is given to read on small soup; "},
                {14, "planted changed what volume is given to read on small soup; "},
                {15, "planted changed what rasterize is given to read on small soup; "}};
    test_run run = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run_planted(&run, rows[i].plant);
        expect_refused(&run, rows[i].part);
    }
    test_run_free(&run);
}

/* Each of the three scenes is verified with three fields, then come the vectors: a fault of the
 * seventh field shows on the last scene, one of the tenth on the vectors, unless a scene was timed
 * before. */
Test(bench_test, verifies_all_before_it_times)
{
    static const struct {
        const char *flags, *part;
    } rows[] = {{"-DPLANT=10", "planted differs from the reference on small soup after open: "},
                {"-DPLANT=11", "planted fails the case "}};
    test_run run = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run_library(&run, rows[i].flags, "--set smoke");
        expect_refused(&run, rows[i].part);
    }
    test_run_free(&run);
}

/* What ends it can be told by a signal or, under a sanitizer, by a status. */
Test(bench_test, names_who_crashes_or_does_not_end)
{
    static const struct {
        const char *flags, *options, *part;
    } rows[] = {
        {"-DPLANT=7", SMALL, "planted, small soup, erode 2: the process "},
        {"-DPLANT=8", SMALL " --limit 2", "planted, small soup, erode 2: it takes more than 2 s"},
        {"-DPLANT=9", SMALL, "planted, small soup, erode 2: the process ended with status "}};
    test_run run = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run_library(&run, rows[i].flags, rows[i].options);
        expect_refused(&run, rows[i].part);
        test_expect_part(&run.err, "; there are no results\n");
    }
    test_run_free(&run);
}

Test(bench_test, names_of_libraries_can_be_told_apart)
{
    static const struct {
        const char *own, *path, *name;
    } rows[] = {{"mine", "some/mine.so", "mine"},
                {"ref", "some/mine.so", "ref (mine.so)"},
                {"FAST avx2", "mine.so", "FAST avx2 (mine.so)"},
                {"recast", "mine.so", "recast (mine.so)"},
                {"kit", "mine.so", "kit (mine.so)"},
                {"", "mine.so", "library (mine.so)"},
                {" ", "a|b.so", "library (a_b.so)"},
                {"a,b\"c|d\ne\xff", "mine.so", "a_b_c_d_e_"},
                {"größe", "mine.so", "größe"},
                {"a name of fifty characters, and two more than that", "mine.so",
                 "a name of fifty characters_ and two more than th…"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_bench_contenders list = {.items = {{.name = "ref"}, {.name = "fast AVX2"}}, .count = 2};
        vx_bench_name_library(rows[i].own, rows[i].path, &list);
        cr_expect_str_eq(list.library_name, rows[i].name, "%s", list.library_name);
    }
}

/* The library that docs/BENCHMARKING.md shows, as it stands there. */
Test(bench_test, measures_the_library_of_the_documentation)
{
    test_run run = {0};
    vx_text words = {0};
    const char *cut[] = {"sed", "-n", "/^```c$/,/^```$/{/^```/!p}", "docs/BENCHMARKING.md", NULL};
    test_run_program(&run, NULL, cut, "");
    const char *source = scratch_write("mine.c", vx_text_string(&run.out));
    const char *library = scratch_path("mine.so");
    test_build_library(source, "-Wall -Wextra -Werror", library);
    vx_text_format(&words, "bench --scene 'small soup' --rounds 1 --lib '%s' --out '%s'", library,
                   scratch_path("out"));
    run_bench(&run, words.bytes);
    cr_expect_eq(run.status, VX_EXIT_PASS, "%s", vx_text_string(&run.err));
    test_expect_part(&run.out, " | mine |\n");
    vx_text_free(&words);
    test_run_free(&run);
}

Test(bench_test, times_what_is_the_same)
{
    test_run run = {0};
    run_planted(&run, 0);
    cr_expect_eq(run.status, VX_EXIT_PASS, "%s", vx_text_string(&run.err));
    vx_text csv = scratch_read(scratch_path("out/bench.csv"));
    vx_text markdown = scratch_read(scratch_path("out/bench.md"));
    vx_text picture = scratch_read(scratch_path("out/bench.svg"));
    static const char *const kernels[] = {"open",    "rasterize", "low-hanging", "ledges",
                                          "compact", "erode 2",   "volume",      "erode 8",
                                          "merge",   "pipeline",  "low height"};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        vx_text line = {0};
        vx_text_format(&line, "\nsmall soup,%s,planted,", kernels[i]);
        test_expect_part(&csv, vx_text_string(&line));
        vx_text_free(&line);
    }
    static const char *const head[] = {"# cpu: ", "# compiler: ", "# flags: -std=c17",
                                       "# command: voxcert bench --scene 'small soup'", "# load: "};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++) {
        test_expect_part(&csv, head[i]);
    }
    test_expect_part(&csv, "\nsmall soup,pipeline,planted,2,");
    test_expect_part(&csv, "\n# The vectors were not run");
    test_expect_part(&markdown, "| planted |");
    test_expect_part(&markdown, "None of the scenes is one that the goals are about.\n"
                                "The pipeline of small soup alone, no mean.");
    test_expect_part(&markdown,
                     "planted was verified on these scenes only; voxcert certify --lib ");
    test_expect_part(&run.out, "planted was verified on these scenes only; voxcert certify --lib ");
    test_expect_part(&markdown, "The vectors were not run");
    test_expect_part(&run.out, "The vectors were not run");
    test_expect_part(&run.out, " | planted |\n");
    test_expect_part(&run.out, "bench.png hold the rest");
    test_expect_part(&picture, "<svg");
    vx_text_free(&csv);
    vx_text_free(&markdown);
    vx_text_free(&picture);
    test_run_free(&run);
}

Test(bench_test, usage)
{
    static const struct {
        const char *words, *part;
    } rows[] = {
        {"bench --set none", "--set none: full, quick or smoke is needed"},
        {"bench --mesh /no/such", "--mesh /no/such: No such file"},
        {"bench --scene none", "--scene none: there is no such scene; there are terrain .3"},
        {"bench --scene none --mesh data", ", and with --mesh FOLDER nav_test .3, "},
        {"bench --scene 'nav_test .3'",
         "--scene nav_test .3: it needs --mesh FOLDER; there are terrain .3, "},
        {"bench --scene 'nav_test .3' --mesh data", "nav_test.obj"},
        {"bench --mesh README.md", "--mesh README.md: Not a directory"},
        {"bench --rounds 0", "--rounds 0: a whole number from 1"},
        {"bench --limit 0", "--limit 0: a whole number from 1"},
        {"bench --out /no/such/folder", "--out /no/such/folder: No such file"},
        {"bench --out /dev/full", "--out /dev/full: Not a directory"},
        {"bench --out README.md", "--out README.md: Not a directory"},
        {"scaling --out /no/such/folder", "--out /no/such/folder: No such file"},
        {"scaling --out README.md", "--out README.md: Not a directory"},
        {"scaling --table none",
         "--table none: there is no such table; there are triangles, columns, layers, one "
         "column, radius, one triangle, memory"},
        {"scaling --table layers --most 600", "--most 600: no row is left; the smallest "
                                              "has 16384 triangles or columns"},
        {"bench --lib /no/such.so", "/no/such.so"}};
    test_run run = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run_bench(&run, rows[i].words);
        cr_expect_gt(run.status, VX_EXIT_NOT_CONFORMANT, "%s: status %d", rows[i].words,
                     run.status);
        test_expect_part(&run.err, rows[i].part);
        cr_expect_eq(run.out.size, 0, "%s", rows[i].words);
    }
    test_run_free(&run);
}

/* A folder in which no file can be made, though it is there. */
Test(bench_test, tries_the_folder_first)
{
    static const char *const names[] = {"bench.csv"};
    test_catch_errors();
    bool is_ready = vx_bench_results_prepare("/proc", names, 1);
    char *errors = test_caught_errors();
    cr_expect_not(is_ready);
    cr_expect_not_null(strstr(errors, "--out /proc: "), "%s", errors);
    free(errors);
    cr_assert_eq(mkdir(scratch_path("bench.csv"), 0777), 0);
    vx_text folder = {0};
    vx_text_format(&folder, "%s/..", scratch_path("bench.csv"));
    test_catch_errors();
    is_ready = vx_bench_results_prepare(folder.bytes, names, 1);
    errors = test_caught_errors();
    cr_expect_not(is_ready);
    cr_expect_not_null(strstr(errors, "bench.csv is in the way"), "%s", errors);
    free(errors);
    vx_text_free(&folder);
}

/* --- figures ---------------------------------------------------------------------------------- */

Test(bench_test, median_and_minimum)
{
    static const struct {
        vx_bench_samples samples;
        double median, least;
    } rows[] = {{{0, {0}}, 0, 0},
                {{1, {3}}, 3, 3},
                {{2, {3, 1}}, 2, 1},
                {{3, {5, 1, 2}}, 2, 1},
                {{4, {9, 1, 5, 3}}, 4, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_expect_eq(vx_bench_median(&rows[i].samples), rows[i].median, "row %zu", i);
        cr_expect_eq(vx_bench_least(&rows[i].samples), rows[i].least, "row %zu", i);
    }
}

/* A report of made-up times: the reference takes 8 and 2, the one beside it 1 and 1 seconds; the
 * last of the list is a peer or another implementation. */
typedef struct made {
    vx_bench_contenders list;
    vx_bench_measured scenes[3];
    vx_bench_report report;
} made;

static void make_report(made *to, bool has_peer)
{
    static const vx_peer_table peer = {.name = "Recast"};
    static const vx_bench_scene_kind kinds[] = {
        {.name = "one", .goal = 0}, {.name = "two", .goal = 4}, {.name = "apart", .goal = -1}};
    static const double seconds[3][3] = {{8, 1, 4}, {2, 1, 1}, {100, 1, 100}};
    *to = (made){.list = {.items = {{.name = "ref", .level = VX_BENCH_NO_LEVEL},
                                    {.name = "fast AVX2", .level = VX_BENCH_AVX2},
                                    {.name = has_peer ? "Recast" : "other",
                                     .peer = has_peer ? &peer : NULL,
                                     .level = VX_BENCH_NO_LEVEL}},
                          .count = 3}};
    for (size_t i = 0; i < 3; i++) {
        to->scenes[i].kind = &kinds[i];
        for (size_t who = 0; who < 3; who++) {
            for (size_t kernel = 0; kernel < VX_BENCH_KERNELS; kernel++) {
                to->scenes[i].samples[who][kernel] = (vx_bench_samples){1, {seconds[i][who]}};
            }
        }
    }
    to->report = (vx_bench_report){.contenders = &to->list,
                                   .scenes = to->scenes,
                                   .scene_count = 3,
                                   .has_meshes = true,
                                   .command = "made up"};
}

Test(bench_test, means_are_geometric_and_of_the_goals_scenes)
{
    made to;
    vx_text text = {0};
    make_report(&to, true);
    cr_expect_float_eq(vx_bench_mean(&to.report, 0, 1), 4, 1e-12, "√(8 · 2)");
    cr_expect_float_eq(vx_bench_mean(&to.report, 2, 1), 2, 1e-12, "√(4 · 1)");
    vx_bench_add_goals(&to.report, &text);
    test_expect_part(&text,
                     "Goals of means are for all eight scenes; 2 of them were run, so that none "
                     "is judged.\n");
    test_expect_part(&text, "over 2 scenes. ");
    test_expect_part(&text, "| against ref | 4.00 (goal for all eight scenes: 6.0) |");
    test_expect_part(&text, "| against Recast | 2.00 (goal for all eight scenes: 4.5) |");
    test_expect_part(&text,
                     "| worst stage against Recast | 1.00 (goal for all eight scenes: 1.5): two, "
                     "rasterize |");
    vx_text_clear(&text);
    vx_bench_add_stages(&to.report, &text);
    test_expect_part(&text, "| pipeline | 4.0 → 6 | 1.0 → 6 | 100.0 |");
    test_expect_part(&text, "| erosion, radius 8 | **4.0 → 3.5** |");
    test_expect_part(&text, "### fast AVX2 against Recast: reached → goal, which is AVX-512's\n");
    vx_text_free(&text);
}

/* All eight scenes of the goals: the first of the made ones, eight times. */
Test(bench_test, means_over_all_scenes_are_judged)
{
    made to;
    vx_text text = {0};
    make_report(&to, true);
    vx_bench_measured *scenes = vx_must_alloc(VX_BENCH_GOAL_SCENES, sizeof *scenes);
    for (size_t i = 0; i < VX_BENCH_GOAL_SCENES; i++) {
        scenes[i] = to.scenes[0];
    }
    to.report.scenes = scenes;
    to.report.scene_count = VX_BENCH_GOAL_SCENES;
    vx_bench_add_goals(&to.report, &text);
    cr_expect_null(strstr(vx_text_string(&text), "all eight"));
    test_expect_part(&text, "over 8 scenes. ");
    test_expect_part(&text, "| against ref | 8.00 (goal 6.0, reached) |");
    test_expect_part(&text, "| against Recast | 4.00 (goal 4.5) |");
    vx_text_free(&text);
    free(scenes);
}

/* The level stands in for meshes where goals are judged at all, and only when it was run. */
Test(bench_test, one_scene_has_no_mean)
{
    made to;
    vx_text text = {0};
    make_report(&to, true);
    to.report.has_meshes = false;
    to.report.scene_count = 1;
    vx_bench_add_goals(&to.report, &text);
    test_expect_part(&text, "; 1 of them was run, so that none is judged.\n"
                            "The pipeline of one alone, no mean. ");
    test_expect_part(&text, "| against ref | 8.00 |");
    cr_expect_null(strstr(vx_text_string(&text), "standing in"));
    cr_expect_eq(vx_bench_count_in_mean(&to.report), 1);
    vx_text_free(&text);
}

/* What the picture draws side by side: the parts are the pipeline, whatever medians add up to. */
Test(bench_test, parts_of_the_pipeline_add_up)
{
    made to;
    make_report(&to, true);
    vx_bench_measured *scene = &to.scenes[0];
    scene->samples[0][VX_BENCH_PIPELINE].seconds[0] = 14;
    scene->samples[0][VX_BENCH_ERODE_2].seconds[0] = 16;
    double first = vx_bench_part_seconds(scene, 0, VX_BENCH_OPEN, VX_BENCH_COMPACT);
    double last = vx_bench_part_seconds(scene, 0, VX_BENCH_ERODE_2, VX_BENCH_ERODE_2);
    cr_expect_float_eq(first, 10.5, 1e-12, "six kernels of 8 s");
    cr_expect_float_eq(last, 3.5, 1e-12, "one of 16 s");
}

Test(bench_test, figures_are_plain_numbers)
{
    static const struct {
        double value;
        const char *figure;
    } rows[] = {{0, "0.00"},     {0.001234, "0.00123"}, {0.5, "0.500"},  {9.876, "9.88"},
                {12.34, "12.3"}, {123.4, "123"},        {5643, "5,643"}, {1e6, "1,000,000"}};
    vx_text text = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text_clear(&text);
        vx_bench_add_figure(&text, rows[i].value, 3);
        cr_expect_str_eq(vx_text_string(&text), rows[i].figure, "%s", vx_text_string(&text));
    }
    vx_text_free(&text);
}

Test(bench_test, remarks_on_load_and_library)
{
    made to;
    vx_text text = {0};
    const vx_bench_measured_cases cases = {0};
    make_report(&to, true);
    to.report.cores = 2;
    to.report.load[0] = 2;
    vx_bench_add_remarks(&to.report, &text);
    cr_expect_eq(text.size, 0, "%s", vx_text_string(&text));
    to.list.items[1] = (vx_bench_contender){.name = "mine", .is_library = true};
    to.report.library = "my lib.so";
    to.report.cases = &cases;
    to.report.load[0] = 13.4;
    vx_bench_add_remarks(&to.report, &text);
    test_expect_part(&text,
                     "mine was verified on these scenes and the vectors only; voxcert certify "
                     "--lib 'my lib.so' certifies it.\n");
    test_expect_part(&text, "The machine was busy: load 13 on 2 cores; times say little.\n");
    vx_text_free(&text);
}

Test(bench_test, a_library_is_shown_without_goals)
{
    made to;
    vx_text text = {0};
    make_report(&to, true);
    to.list.items[1] =
        (vx_bench_contender){.name = "mine", .is_library = true, .level = VX_BENCH_NO_LEVEL};
    vx_bench_add_goals(&to.report, &text);
    test_expect_part(&text, "\n| | mine |\n");
    test_expect_part(&text, "| against ref | 4.00 |\n");
    test_expect_part(&text, "| against Recast | 2.00 |\n");
    test_expect_part(&text, "| worst stage against Recast | 1.00: two, rasterize |\n");
    vx_bench_add_stages(&to.report, &text);
    test_expect_part(&text, "### mine against Recast, without goals\n");
    test_expect_part(&text, "| pipeline | 4.0 | 1.0 | 100.0 |\n");
    to.report.scenes = &to.scenes[2];
    to.report.scene_count = 1;
    vx_text_clear(&text);
    vx_bench_add_goals(&to.report, &text);
    test_expect_part(&text, "| against ref | 100.00 |\n");
    vx_text_free(&text);
}

Test(bench_test, says_that_there_is_no_peer)
{
    made to;
    vx_text text = {0};
    make_report(&to, false);
    to.report.has_meshes = false;
    vx_bench_add_markdown(&to.report, &text);
    test_expect_part(&text, "This build has no peer: librecast-dev was not there.");
    test_expect_part(&text, "over 2 scenes. ");
    cr_expect_null(strstr(vx_text_string(&text), "against Recast"));
    vx_text_clear(&text);
    cr_expect(vx_bench_add_chart(&to.report, VX_PICTURE_SVG, &text));
    vx_text_free(&text);
}

/* --- scenes ----------------------------------------------------------------------------------- */

static const vx_bench_scene_kind *find_scene(const char *name)
{
    const vx_bench_scene_kind *found = NULL;
    for (size_t i = 0; i < vx_bench_scene_kind_count && found == NULL; i++) {
        found = strcmp(vx_bench_scene_kinds[i].name, name) == 0 ? &vx_bench_scene_kinds[i] : NULL;
    }
    cr_assert_not_null(found, "no scene is called %s", name);
    return found;
}

/* Scenes are the same on every machine: these counts are what results are compared by. */
Test(bench_test, scenes_are_made_the_same)
{
    static const struct {
        const char *name;
        size_t triangles, columns;
        uint64_t touched, solid;
    } rows[] = {{"small terrain", 3200, 4489, 18016, 4489},
                {"small soup", 200, 10000, 27974, 24962}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_bench_scene scene;
        cr_assert(vx_bench_scene_open(find_scene(rows[i].name), NULL, &scene));
        cr_assert(vx_bench_scene_count(&scene));
        cr_expect_eq(scene.triangles, rows[i].triangles, "%s", rows[i].name);
        cr_expect_eq(scene.columns, rows[i].columns, "%s: %zu", rows[i].name, scene.columns);
        cr_expect_eq(scene.touched, rows[i].touched, "%s: %zu", rows[i].name,
                     (size_t)scene.touched);
        cr_expect_eq(scene.solid, rows[i].solid, "%s: %zu", rows[i].name, (size_t)scene.solid);
        cr_expect_eq(scene.piece_count, 2 * scene.solid, "%s", rows[i].name);
        vx_bench_cases cases;
        cr_assert(vx_bench_cases_of(&scene, &cases));
        cr_expect_str_eq(cases.list.items[0].name, rows[i].name, "complaints name the case");
        vx_bench_cases_free(&cases);
        vx_bench_scene_free(&scene);
    }
}

/* --- scaling ---------------------------------------------------------------------------------- */

/* Three rows of a table in which the second costs three times as much a unit as the first. */
static void make_scaling(vx_scaling *to)
{
    static const vx_bench_contender sides[VX_SCALING_SIDES] = {{.name = "ref"}, {.name = "fast"}};
    static const char *const names[] = {"small", "middle", "large"};
    static const double seconds[] = {0.001, 0.03, 0.1};
    *to = (vx_scaling){.sides = {&sides[0], &sides[1]}, .count = 3};
    for (size_t i = 0; i < 3; i++) {
        size_t columns = i == 0 ? 1000 : i == 1 ? 10000 : 100000;
        vx_scaling_row *row = &to->rows[i];
        *row = (vx_scaling_row){
            .table = "columns", .name = names[i], .columns = columns, .touched = columns};
        for (size_t stage = 0; stage < VX_SCALING_STAGES; stage++) {
            row->seconds[1][stage] = stage == VX_SCALING_OPEN ? seconds[i] : 1e-6 * (double)columns;
        }
        row->is_measured[1] = true;
    }
}

Test(bench_test, finds_what_grows_too_fast)
{
    vx_scaling *scaling = vx_must_alloc(1, sizeof *scaling);
    vx_text text = {0};
    make_scaling(scaling);
    vx_scaling_add_findings(scaling, &text);
    test_expect_part(&text,
                     "- fast, columns, middle: open costs 3,000 ns a unit, 3.0 times as much as "
                     "with small\n");
    cr_expect_null(strstr(vx_text_string(&text), "large"), "1 µs a column, as with small");
    cr_expect_null(strstr(vx_text_string(&text), "erode"));
    vx_text_clear(&text);
    scaling->rows[1].seconds[1][VX_SCALING_OPEN] = 0.01;
    scaling->rows[2].table = "memory";
    scaling->rows[2].peak[1] = (size_t)3 << 30;
    vx_scaling_add_findings(scaling, &text);
    test_expect_part(&text, "- nothing\n");
    test_expect_part(&text, "- memory, large: fast needs 3072 MiB (goal 2048 MiB, missed)\n");
    vx_text_free(&text);
    free(scaling);
}

Test(bench_test, scaling)
{
    vx_text words = {0};
    test_run run = {0};
    vx_text_format(&words, "scaling --table 'one column' --most 1100 --out '%s'",
                   scratch_path("out"));
    run_bench(&run, words.bytes);
    cr_expect_eq(run.status, VX_EXIT_PASS, "%s", vx_text_string(&run.err));
    vx_text markdown = scratch_read(scratch_path("out/scaling.md"));
    static const char *const parts[] = {
        "- command: voxcert scaling --most 1100 --table 'one column'\n", "\n## one column\n",
        "\nref:\n", "| 10^3 triangles | 1,000 | 1 | 1,000 | 978 | 0 |",
        "## What grows faster than it may"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        test_expect_part(&markdown, parts[i]);
    }
    cr_expect_null(strstr(vx_text_string(&markdown), "10^4"), "more than 1,100 triangles");
    run_bench(&run, "count");
    cr_expect_eq(run.status, VX_EXIT_USAGE);
    test_expect_part(&run.err, "callgrind has to run it");
    vx_text_free(&markdown);
    vx_text_free(&words);
    test_run_free(&run);
}
