/* SPDX-License-Identifier: MIT */
/* voxcert bench: verifies every contender, times them, and writes what it found. */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "cli.h"
#include "file.h"
#include "words.h"

typedef struct job {
    const vx_arguments *arguments;
    const char *folder; /* of the meshes; NULL: there are none */
    const char *out;
    unsigned set;
    vx_bench_plan plan;
    vx_bench_contenders contenders;
    vx_bench_measured *scenes;
    size_t scene_count;
    vx_bench_measured_cases cases;
    vx_text command;
} job;

/* --- options ---------------------------------------------------------------------------------- */

typedef struct set_kind {
    const char *name;
    unsigned set;
    vx_bench_plan plan;
} set_kind;

static const set_kind sets[] = {
    {"full", VX_BENCH_FULL, {.rounds_min = 3, .rounds_max = 25, .seconds = 24}},
    {"quick", VX_BENCH_QUICK, {.rounds_min = 2, .rounds_max = 20, .seconds = 4}},
    {"smoke", VX_BENCH_SMOKE, {.rounds_min = 2, .rounds_max = 2, .seconds = 1}}};

static bool parse_set(job *bench)
{
    const char *name = vx_argument_value(bench->arguments, "set");
    name = name != NULL ? name : "full";
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        if (strcmp(name, sets[i].name) == 0) {
            bench->set = sets[i].set;
            bench->plan = sets[i].plan;
            return true;
        }
    }
    (void)vx_complain(VX_EXIT_USAGE, "--set %s: full, quick or smoke is needed", name);
    return false;
}

static bool parse_plan(job *bench)
{
    int64_t rounds = (int64_t)bench->plan.rounds_max;
    if (!vx_argument_integer(bench->arguments, "rounds", 1, VX_BENCH_SAMPLES_MAX / VX_BENCH_TRACKS,
                             &rounds) ||
        !vx_argument_number(bench->arguments, "seconds", 0, 86400, &bench->plan.seconds)) {
        return false;
    }
    bench->plan.rounds_max = (size_t)rounds;
    if (bench->plan.rounds_min > bench->plan.rounds_max) {
        bench->plan.rounds_min = bench->plan.rounds_max;
    }
    return true;
}

static bool parse_folders(job *bench)
{
    bench->folder = vx_argument_value(bench->arguments, "mesh");
    bench->out = vx_argument_value(bench->arguments, "out");
    bench->out = bench->out != NULL ? bench->out : ".";
    if (bench->folder != NULL && access(bench->folder, R_OK | X_OK) != 0) {
        (void)vx_complain(VX_EXIT_USAGE, "--mesh %s: %s", bench->folder, strerror(errno));
        return false;
    }
    if (mkdir(bench->out, 0777) != 0 && errno != EEXIST) {
        (void)vx_complain(VX_EXIT_USAGE, "--out %s: %s", bench->out, strerror(errno));
        return false;
    }
    return true;
}

/* The command that repeats it. */
static void write_command(job *bench)
{
    static const char *const valued[] = {"set", "mesh", "scene", "lib", "rounds", "seconds"};
    vx_text_add(&bench->command, "voxcert bench");
    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++) {
        const char *value = vx_argument_value(bench->arguments, valued[i]);
        if (value != NULL) {
            vx_text_format(&bench->command, " --%s ", valued[i]);
            vx_add_shell_word(&bench->command, value);
        }
    }
}

/* --- scenes ----------------------------------------------------------------------------------- */

static bool is_selected(const job *bench, const vx_bench_scene_kind *kind)
{
    const char *name = vx_argument_value(bench->arguments, "scene");
    if (kind->source == VX_BENCH_MESH && bench->folder == NULL) {
        return false;
    }
    return name != NULL ? strcmp(name, kind->name) == 0 : (kind->sets & bench->set) != 0;
}

static vx_exit measure_scenes(job *bench)
{
    vx_exit status = VX_EXIT_PASS;
    bench->scenes = vx_must_alloc(vx_bench_scene_kind_count, sizeof *bench->scenes);
    for (size_t i = 0; i < vx_bench_scene_kind_count && status == VX_EXIT_PASS; i++) {
        const vx_bench_scene_kind *kind = &vx_bench_scene_kinds[i];
        vx_bench_scene scene;
        if (!is_selected(bench, kind)) {
            continue;
        }
        if (!vx_bench_scene_open(kind, bench->folder, &scene)) {
            return VX_EXIT_USAGE;
        }
        if (vx_bench_measure(&bench->contenders, &bench->plan, &scene,
                             &bench->scenes[bench->scene_count])) {
            bench->scene_count++;
        } else {
            status = VX_EXIT_NOT_CONFORMANT;
        }
        vx_bench_scene_free(&scene);
    }
    if (status == VX_EXIT_PASS && bench->scene_count == 0) {
        return vx_complain(VX_EXIT_USAGE, "there is no such scene%s",
                           bench->folder == NULL ? ", or it needs --mesh" : "");
    }
    return status;
}

/* --- output ----------------------------------------------------------------------------------- */

static vx_exit write_file(const job *bench, const char *name, const vx_text *text)
{
    vx_text path = {0};
    vx_error error = {0};
    vx_text_format(&path, "%s/%s", bench->out, name);
    vx_status status = vx_file_write(path.bytes, text->bytes, text->size, &error);
    vx_text_free(&path);
    return status == VX_OK ? VX_EXIT_PASS : vx_complain(VX_EXIT_INTERNAL, "%s", error.message);
}

static vx_exit write_report(const job *bench, const vx_bench_report *report)
{
    vx_text text = {0};
    vx_bench_add_csv(report, &text);
    vx_exit status = write_file(bench, "bench.csv", &text);
    vx_text_clear(&text);
    vx_bench_add_markdown(report, &text);
    if (status == VX_EXIT_PASS) {
        status = write_file(bench, "bench.md", &text);
    }
    static const char *const pictures[] = {
        [VX_PICTURE_SVG] = "bench.svg", [VX_PICTURE_PNG] = "bench.png"};
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0] && status == VX_EXIT_PASS; i++) {
        vx_text_clear(&text);
        status = vx_bench_add_chart(report, (vx_picture_format)i, &text)
                     ? write_file(bench, pictures[i], &text)
                     : VX_EXIT_INTERNAL;
    }
    vx_text_clear(&text);
    vx_bench_add_goals(report, &text);
    (void)fputs(vx_text_string(&text), stdout);
    printf("\n%s/bench.md, bench.csv, bench.svg and bench.png hold the rest\n", bench->out);
    vx_text_free(&text);
    return status;
}

static vx_exit run_bench(const vx_arguments *arguments)
{
    job bench = {.arguments = arguments};
    vx_bench_report report = {0};
    vx_exit status = VX_EXIT_USAGE;
    if (!parse_set(&bench) || !parse_plan(&bench) || !parse_folders(&bench) ||
        !vx_bench_contenders_find(vx_argument_value(arguments, "lib"), &bench.contenders)) {
        return status;
    }
    /* The memory that the peer gives back is kept for its next round, as an arena keeps its own. */
    (void)mallopt(M_MMAP_MAX, 0);
    (void)mallopt(M_TRIM_THRESHOLD, -1);
    write_command(&bench);
    (void)getloadavg(&report.load[0], 1);
    status = measure_scenes(&bench);
    bool has_cases = vx_argument_value(arguments, "scene") == NULL;
    if (status == VX_EXIT_PASS && has_cases &&
        !vx_bench_measure_cases(&bench.contenders, &bench.plan, &bench.cases)) {
        status = VX_EXIT_NOT_CONFORMANT;
    }
    if (status == VX_EXIT_PASS) {
        (void)getloadavg(&report.load[1], 1);
        report.contenders = &bench.contenders;
        report.scenes = bench.scenes;
        report.scene_count = bench.scene_count;
        report.cases = has_cases ? &bench.cases : NULL;
        report.has_meshes = bench.folder != NULL;
        report.command = vx_text_string(&bench.command);
        status = write_report(&bench, &report);
    }
    free(bench.scenes);
    vx_text_free(&bench.command);
    return status;
}

static const vx_option options[] = {
    {"set", "NAME", "scenes and rounds: full (the default), quick or smoke"},
    {"mesh", "FOLDER", "where nav_test.obj, dungeon.obj and undulating.obj are"},
    {"scene", "NAME", "only this scene, such as \"terrain .3\", and no vectors"},
    {"lib", "FILE", "also the implementation that this shared library brings"},
    {"rounds", "N", "at most so many samples of the pipeline"},
    {"seconds", "S", "about so long for a scene, shared by the implementations"},
    {"out", "FOLDER", "for the results and the pictures (default: this one)"}};

const vx_command vx_command_bench = {
    .name = "bench",
    .operands = "",
    .summary = "verify implementations on whole scenes, then time them kernel by kernel",
    .details = "Every implementation is first held to the reference, bit for bit, after every\n"
               "kernel of every scene; after a difference nothing is timed and the exit status\n"
               "is 1. docs/BENCHMARKING.md says what is measured and how to read it.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operands_max = 0,
    .run = run_bench};
