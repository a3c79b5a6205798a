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
#include "words.h"

typedef struct job {
    const vx_arguments *arguments;
    const char *folder; /* of the meshes; NULL: there are none */
    const char *out;
    unsigned set;
    vx_bench_plan plan;
    int64_t limit; /* seconds that a kernel may take */
    vx_bench_contenders contenders;
    vx_bench_scene *scenes; /* all of them until they are timed, so that they are the same then */
    vx_bench_measured *measured;
    size_t scene_count;
    bool has_cases;
    vx_bench_cases cases;
    vx_bench_measured_cases measured_cases;
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
    enum { LIMIT = 300, LIMIT_MAX = 86400 };
    int64_t rounds = (int64_t)bench->plan.rounds_max;
    bench->limit = LIMIT;
    if (!vx_argument_integer(bench->arguments, "rounds", 1, VX_BENCH_SAMPLES_MAX / VX_BENCH_TRACKS,
                             &rounds) ||
        !vx_argument_number(bench->arguments, "seconds", 0, 86400, &bench->plan.seconds) ||
        !vx_argument_integer(bench->arguments, "limit", 1, LIMIT_MAX, &bench->limit)) {
        return false;
    }
    bench->plan.rounds_max = (size_t)rounds;
    if (bench->plan.rounds_min > bench->plan.rounds_max) {
        bench->plan.rounds_min = bench->plan.rounds_max;
    }
    return true;
}

/* Whether the meshes' folder can be searched; complains otherwise. */
static bool check_folder(const char *folder)
{
    struct stat found;
    int problem = stat(folder, &found) != 0 ? errno : S_ISDIR(found.st_mode) ? 0 : ENOTDIR;
    if (problem == 0 && access(folder, R_OK | X_OK) != 0) {
        problem = errno;
    }
    if (problem != 0) {
        (void)vx_complain(VX_EXIT_USAGE, "--mesh %s: %s", folder, strerror(problem));
    }
    return problem == 0;
}

static bool parse_folders(job *bench)
{
    bench->folder = vx_argument_value(bench->arguments, "mesh");
    bench->out = vx_argument_value(bench->arguments, "out");
    bench->out = bench->out != NULL ? bench->out : ".";
    return bench->folder == NULL || check_folder(bench->folder);
}

/* The command that repeats it. */
static void write_command(job *bench)
{
    static const char *const valued[] = {"set",    "mesh",    "scene", "lib",
                                         "rounds", "seconds", "limit"};
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

static void add_scene_names(bool of_meshes, vx_text *text)
{
    const char *between = "";
    for (size_t i = 0; i < vx_bench_scene_kind_count; i++) {
        if ((vx_bench_scene_kinds[i].source == VX_BENCH_MESH) == of_meshes) {
            vx_text_format(text, "%s%s", between, vx_bench_scene_kinds[i].name);
            between = ", ";
        }
    }
}

static void complain_scene(const char *name)
{
    vx_text text = {0};
    bool is_known = false;
    for (size_t i = 0; i < vx_bench_scene_kind_count; i++) {
        is_known = is_known || strcmp(vx_bench_scene_kinds[i].name, name) == 0;
    }
    vx_text_add(&text, is_known ? "it needs --mesh FOLDER" : "there is no such scene");
    vx_text_add(&text, "; there are ");
    add_scene_names(false, &text);
    vx_text_add(&text, ", and with --mesh FOLDER ");
    add_scene_names(true, &text);
    (void)vx_complain(VX_EXIT_USAGE, "--scene %s: %s", name, vx_text_string(&text));
    vx_text_free(&text);
}

/* Whether there is a scene to measure, and the file of each that needs one; complains otherwise. */
static bool check_scenes(const job *bench)
{
    size_t count = 0;
    bool is_there = true;
    for (size_t i = 0; i < vx_bench_scene_kind_count && is_there; i++) {
        const vx_bench_scene_kind *kind = &vx_bench_scene_kinds[i];
        bool is_needed = is_selected(bench, kind);
        if (is_needed && kind->source == VX_BENCH_MESH) {
            vx_text path = {0};
            vx_text_format(&path, "%s/%s", bench->folder, kind->file);
            is_there = access(path.bytes, R_OK) == 0;
            if (!is_there) {
                (void)vx_complain(VX_EXIT_USAGE, "%s: %s", path.bytes, strerror(errno));
            }
            vx_text_free(&path);
        }
        count += is_needed;
    }
    if (is_there && count == 0) {
        complain_scene(vx_argument_value(bench->arguments, "scene"));
    }
    return is_there && count > 0;
}

static bool open_scenes(job *bench)
{
    bool is_open = true;
    bench->scenes = vx_must_alloc(vx_bench_scene_kind_count, sizeof *bench->scenes);
    bench->measured = vx_must_alloc(vx_bench_scene_kind_count, sizeof *bench->measured);
    for (size_t i = 0; i < vx_bench_scene_kind_count && is_open; i++) {
        const vx_bench_scene_kind *kind = &vx_bench_scene_kinds[i];
        if (is_selected(bench, kind)) {
            vx_bench_show("making %s", kind->name);
            is_open =
                vx_bench_scene_open(kind, bench->folder, &bench->scenes[bench->scene_count++]);
        }
    }
    vx_bench_show("%s", "");
    return is_open;
}

/* --- output ----------------------------------------------------------------------------------- */

static const char *const results[] = {"bench.csv", "bench.md", "bench.svg", "bench.png"};

enum { RESULTS = sizeof results / sizeof results[0] };

/* What the file of that index holds. False after a complaint. */
static bool add_result(const vx_bench_report *report, size_t index, vx_text *text)
{
    switch (index) {
    case 0:
        vx_bench_add_csv(report, text);
        return true;
    case 1:
        vx_bench_add_markdown(report, text);
        return true;
    case 2:
        return vx_bench_add_chart(report, VX_PICTURE_SVG, text);
    default:
        return vx_bench_add_chart(report, VX_PICTURE_PNG, text);
    }
}

/* All of them or none. */
static vx_exit write_results(const job *bench, const vx_bench_report *report)
{
    vx_text text = {0};
    bool is_written = true;
    for (size_t i = 0; i < RESULTS && is_written; i++) {
        vx_text_clear(&text);
        is_written =
            add_result(report, i, &text) && vx_bench_results_write(bench->out, results[i], &text);
    }
    vx_text_free(&text);
    if (!is_written) {
        (void)vx_bench_results_remove(bench->out, results, RESULTS);
        return VX_EXIT_INTERNAL;
    }
    printf("\n%s/bench.md, bench.csv, bench.svg and bench.png hold the rest\n", bench->out);
    return VX_EXIT_PASS;
}

static vx_exit write_report(const job *bench, const vx_bench_report *report)
{
    vx_text text = {0};
    vx_bench_add_goals(report, &text);
    vx_text_add(&text, report->cases == NULL ? "\n" VX_BENCH_NO_VECTORS "\n" : "");
    vx_bench_add_remarks(report, &text);
    (void)fputs(vx_text_string(&text), stdout);
    vx_text_free(&text);
    return write_results(bench, report);
}

/* --- the command ------------------------------------------------------------------------------ */

/* Every implementation on every scene and vector. */
static bool verify_all(job *bench)
{
    bool is_right = true;
    for (size_t i = 0; i < bench->scene_count && is_right; i++) {
        is_right =
            vx_bench_verify_scene(&bench->contenders, &bench->scenes[i], &bench->measured[i]);
    }
    return is_right &&
           (!bench->has_cases || vx_bench_verify_cases(&bench->contenders, &bench->cases));
}

static bool time_all(job *bench)
{
    bool is_done = true;
    for (size_t i = 0; i < bench->scene_count && is_done; i++) {
        is_done = vx_bench_time_scene(&bench->contenders, &bench->plan, &bench->scenes[i],
                                      &bench->measured[i]);
        vx_bench_scene_free(&bench->scenes[i]);
    }
    return is_done &&
           (!bench->has_cases || vx_bench_time_cases(&bench->contenders, &bench->plan,
                                                     &bench->cases, &bench->measured_cases));
}

/* Nothing is timed before all has been verified. */
static vx_exit measure(job *bench)
{
    bench->has_cases = vx_argument_value(bench->arguments, "scene") == NULL;
    if (!open_scenes(bench) || (bench->has_cases && !vx_bench_cases_vectors(&bench->cases))) {
        return VX_EXIT_USAGE;
    }
    return verify_all(bench) && time_all(bench) ? VX_EXIT_PASS : VX_EXIT_NOT_CONFORMANT;
}

static void free_job(job *bench)
{
    for (size_t i = 0; i < bench->scene_count; i++) {
        vx_bench_scene_free(&bench->scenes[i]);
    }
    free(bench->scenes);
    free(bench->measured);
    vx_bench_cases_free(&bench->cases);
    vx_text_free(&bench->command);
}

static vx_exit measure_and_report(job *bench)
{
    vx_bench_report report = {.contenders = &bench->contenders};
    const char *library = vx_argument_value(bench->arguments, "lib");
    vx_bench_enter(library != NULL ? library : "", "loading", VX_BUILD3D_ENTRY);
    if (!vx_bench_contenders_find(library, &bench->contenders)) {
        return VX_EXIT_NO_PORT;
    }
    vx_bench_leave();
    if (!vx_bench_results_prepare(bench->out, results, RESULTS)) {
        return VX_EXIT_USAGE;
    }
    /* The memory that the peer gives back is kept for its next round, as an arena keeps its own. */
    (void)mallopt(M_MMAP_MAX, 0);
    (void)mallopt(M_TRIM_THRESHOLD, -1);
    (void)getloadavg(&report.load[0], 1);
    vx_exit status = measure(bench);
    if (status == VX_EXIT_PASS) {
        (void)getloadavg(&report.load[1], 1);
        write_command(bench);
        report.scenes = bench->measured;
        report.cases = bench->has_cases ? &bench->measured_cases : NULL;
        report.scene_count = bench->scene_count;
        report.has_meshes = bench->folder != NULL;
        report.command = vx_text_string(&bench->command);
        report.library = library;
        report.cores = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
        status = write_report(bench, &report);
    }
    free_job(bench);
    return status;
}

static vx_exit run_bench(const vx_arguments *arguments)
{
    job bench = {.arguments = arguments};
    vx_exit status = VX_EXIT_USAGE;
    if (!parse_set(&bench) || !parse_plan(&bench) || !parse_folders(&bench) ||
        !check_scenes(&bench)) {
        return VX_EXIT_USAGE;
    }
    if (vx_bench_watch((unsigned)bench.limit, &status)) {
        status = measure_and_report(&bench);
        vx_bench_watch_end();
    }
    return status;
}

static const vx_option options[] = {
    {"set", "NAME", "scenes and rounds: full (the default), quick or smoke"},
    {"mesh", "FOLDER", "where nav_test.obj, dungeon.obj and undulating.obj are"},
    {"scene", "NAME", "only this scene, such as \"terrain .3\", and no vectors"},
    {"lib", "FILE", "also the implementation that this shared library brings"},
    {"rounds", "N", "at most so many samples of the pipeline"},
    {"seconds", "S", "about so long for a scene, shared by the implementations"},
    {"limit", "S", "give up on an implementation that takes so long for a kernel (300)"},
    {"out", "FOLDER", "for the results and the pictures (default: this one)"}};

const vx_command vx_command_bench = {
    .name = "bench",
    .operands = "",
    .summary = "verify implementations on whole scenes, then time them kernel by kernel",
    .details = "Every implementation is first held to the reference, bit for bit, after every\n"
               "kernel of every scene, before anything is timed. After a difference, a crash or\n"
               "a kernel that does not end there are no results, and the exit status is 1.\n"
               "docs/BENCHMARKING.md says what is measured and how to read it.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operands_max = 0,
    .run = run_bench};
