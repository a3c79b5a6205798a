/* SPDX-License-Identifier: MIT */
/* The bench: scenes, contenders, and one table of kernels that is verified, timed and counted. */
#ifndef VX_BENCH_H
#define VX_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "build3d/build3d.h"
#include "case.h"
#include "cli.h"
#include "draw.h"
#include "peer.h"

/* --- scenes (scene.c) ------------------------------------------------------------------------- */

/* Where a scene's triangles come from. */
typedef enum vx_bench_source {
    VX_BENCH_MESH,    /* a file of the folder that --mesh names */
    VX_BENCH_LEVEL,   /* data/level.obj */
    VX_BENCH_TERRAIN, /* size × size squares, `spacing` apart */
    VX_BENCH_SOUP,    /* `size` random triangles of about 40 units in 100 × 50 × 100 */
} vx_bench_source;

/* Which runs a scene belongs to. */
enum { VX_BENCH_FULL = 1, VX_BENCH_QUICK = 2, VX_BENCH_SMOKE = 4, VX_BENCH_COUNTED = 8 };

/* Scenes of the goals' table have their column in it. */
#define VX_BENCH_NO_GOAL (-1)
enum { VX_BENCH_GOAL_SCENES = 8 };

typedef struct vx_bench_scene_kind {
    const char *name; /* "terrain .3" */
    vx_bench_source source;
    const char *file; /* VX_BENCH_MESH */
    int64_t size;
    double spacing; /* VX_BENCH_TERRAIN */
    float cell_size, cell_height;
    unsigned sets;
    int goal;
    bool stands_in; /* for the meshes, where there are none */
} vx_bench_scene_kind;

extern const vx_bench_scene_kind vx_bench_scene_kinds[];
extern const size_t vx_bench_scene_kind_count;

typedef struct vx_bench_scene {
    const vx_bench_scene_kind *kind;
    vx_import_mesh mesh;
    vx_input *input;   /* the grid, and the default pipeline over the mesh */
    vx_volume volume;  /* half of the grid, seen from above */
    double corners[8]; /* … its corners */
    vx_span *pieces;   /* what the kernel "merge" adds */
    size_t piece_count;
    float *peer_vertices; /* the mesh as the peer takes it */
    int *peer_indices;
    int32_t size[3]; /* W, D, H */
    /* What costs are divided by. */
    size_t triangles, columns;
    uint64_t touched; /* cells, once for each triangle that touches them */
    uint64_t solid;   /* spans after rasterize */
} vx_bench_scene;

/* Makes the mesh and the input. folder may be NULL where kind->source is not VX_BENCH_MESH. False
 * after a complaint. Free with vx_bench_scene_free. */
bool vx_bench_scene_open(const vx_bench_scene_kind *kind, const char *folder,
                         vx_bench_scene *scene);
/* The same over triangles that the caller made, which become the scene's. */
bool vx_bench_scene_over(const vx_bench_scene_kind *kind, const vx_import_mesh *mesh,
                         vx_bench_scene *scene);
/* The pieces for "merge", and the counts (count_scene.c). */
bool vx_bench_scene_count(vx_bench_scene *scene);
/* The size and the touched cells alone, counted by that implementation. */
bool vx_bench_scene_touch(vx_bench_scene *scene, const vx_build3d_impl *impl);
void vx_bench_scene_free(vx_bench_scene *scene);

/* Triangles (meshes.c). */
void vx_bench_terrain(int64_t squares, double spacing, vx_import_mesh *mesh);
void vx_bench_soup(int64_t count, vx_import_mesh *mesh);

/* --- contenders (contender.c) ----------------------------------------------------------------- */

enum { VX_BENCH_CONTENDERS_MAX = 8, VX_BENCH_NAME_MAX = 320 };

/* The columns of the goals. */
typedef enum vx_bench_goal_level {
    VX_BENCH_AVX512,
    VX_BENCH_AVX2,
    VX_BENCH_BASELINE,
    VX_BENCH_GOAL_LEVELS,
    VX_BENCH_NO_LEVEL
} vx_bench_goal_level;

typedef struct vx_bench_contender {
    const char *name;            /* "fast AVX2" */
    const vx_build3d_impl *impl; /* NULL: the peer */
    const vx_peer_table *peer;   /* NULL: none */
    bool is_library;             /* it was named by --lib */
    unsigned levels;             /* that a field of fast may use; 0: it is no fast */
    vx_bench_goal_level level;
} vx_bench_contender;

/* The reference is the first, the peer, where there is one, the last. Not to be copied. */
typedef struct vx_bench_contenders {
    vx_bench_contender items[VX_BENCH_CONTENDERS_MAX];
    size_t count;
    char library_name[VX_BENCH_NAME_MAX];
} vx_bench_contenders;

/* All that this build and this processor have, and the one of the library unless it is NULL. False
 * after a complaint. */
bool vx_bench_contenders_find(const char *library, vx_bench_contenders *list);
/* What tables, pictures and values separated by commas call a library's implementation: its own
 * name without what they cannot hold, cut where it is long, and the file's name where it has none
 * or another contender's. */
void vx_bench_name_library(const char *own, const char *path, vx_bench_contenders *list);
/* Whether goals or a library's owner ask how fast it is. */
bool vx_bench_is_judged(const vx_bench_contender *who);
const vx_bench_contender *vx_bench_peer(const vx_bench_contenders *list); /* NULL: none */

/* Fields that are opened between the two calls are of the contender's level. */
unsigned vx_bench_levels_begin(const vx_bench_contender *who);
void vx_bench_levels_end(const vx_bench_contender *who, unsigned before);

/* --- kernels (kernel.c) ----------------------------------------------------------------------- */

typedef enum vx_bench_kernel_id {
    VX_BENCH_OPEN,
    VX_BENCH_RASTERIZE,
    VX_BENCH_LOW_HANGING,
    VX_BENCH_LEDGES,
    VX_BENCH_LOW_HEIGHT,
    VX_BENCH_COMPACT,
    VX_BENCH_ERODE_2,
    VX_BENCH_VOLUME,
    VX_BENCH_ERODE_8,
    VX_BENCH_MERGE,
    VX_BENCH_PIPELINE, /* open to erode 2, one after the other */
    VX_BENCH_KERNELS
} vx_bench_kernel_id;

/* A contender at work on a scene. */
typedef struct vx_bench_session {
    const vx_bench_contender *who;
    const vx_bench_scene *scene;
    vx_arena arena;
    vx_build3d *field;
    vx_peer *peer;
} vx_bench_session;

/* What a kernel's costs are divided by, besides triangles and touched cells. */
typedef enum vx_bench_spans {
    VX_BENCH_COLUMNS,
    VX_BENCH_SOLID,
    VX_BENCH_COMPACTED,
    VX_BENCH_PIECES
} vx_bench_spans;

typedef struct vx_bench_kernel {
    const char *name;
    vx_status (*run)(vx_bench_session *session, vx_error *error);
    bool (*peer)(vx_bench_session *session);
    vx_bench_spans spans; /* that it works on */
} vx_bench_kernel;

extern const vx_bench_kernel vx_bench_kernels[VX_BENCH_KERNELS];

/* Orders in which kernels can follow each other; each begins with a new field and is ended by
 * VX_BENCH_KERNELS. Kernels that stand in several are the same in each. */
enum { VX_BENCH_TRACKS = 3, VX_BENCH_STEPS_MAX = 10 };
extern const vx_bench_kernel_id vx_bench_tracks[VX_BENCH_TRACKS][VX_BENCH_STEPS_MAX];
/* Whether the kernel stands in the first track already, and this is another one. */
bool vx_bench_is_repeated(size_t track, vx_bench_kernel_id kernel);

void vx_bench_session_open(const vx_bench_contender *who, const vx_bench_scene *scene,
                           vx_bench_session *session);
/* Runs a kernel. False after a complaint. The second one says first where it is, to whoever
 * watches. */
bool vx_bench_step(vx_bench_session *session, vx_bench_kernel_id kernel);
bool vx_bench_watched_step(vx_bench_session *session, vx_bench_kernel_id kernel);
/* Says so alone, for who takes the time of the step. */
void vx_bench_enter_step(const vx_bench_session *session, vx_bench_kernel_id kernel);
/* Ends a track: the field is gone, its memory is kept for the next. */
void vx_bench_session_end(vx_bench_session *session);
void vx_bench_session_free(vx_bench_session *session);
/* The most memory that the session had in use so far. */
size_t vx_bench_session_peak(const vx_bench_session *session);

/* Seconds of processor time that this thread has used. */
double vx_bench_now(void);

/* --- verifying (verify.c) --------------------------------------------------------------------- */

/* What the rows of a field are. */
typedef struct vx_bench_snapshot {
    vx_build3d_info info;
    char rows[VX_SHA256_HEX];
} vx_bench_snapshot;

typedef struct vx_bench_truth {
    vx_bench_snapshot at[VX_BENCH_TRACKS][VX_BENCH_STEPS_MAX];
    char given[VX_BENCH_KERNELS][VX_SHA256_HEX]; /* what each kernel reads, before any ran */
} vx_bench_truth;

/* What the peer makes of the scene, and what SPEC.md demands. */
typedef struct vx_bench_tally {
    uint64_t solid, compact, walkable; /* after rasterize, compact and erode 2 */
} vx_bench_tally;

/* Runs every track of the reference and remembers what each step leaves. */
bool vx_bench_truth_find(vx_bench_session *reference, vx_bench_truth *truth, vx_bench_tally *tally);
/* Holds a contender to it, bit for bit. False after a complaint that names the contender, the
 * scene, the kernel and the first row that differs, which the reference is run again for, or that
 * the contender changed what it was given to read. */
bool vx_bench_verify(vx_bench_session *session, vx_bench_session *reference,
                     const vx_bench_truth *truth);
/* Runs the peer once, which is held to nothing. */
bool vx_bench_tally_peer(vx_bench_session *session, vx_bench_tally *tally);

/* --- cases (cases.c) -------------------------------------------------------------------------- */

/* Cases as lines and as read. */
typedef struct vx_bench_cases {
    vx_text lines; /* each with its line end */
    vx_case_list list;
} vx_bench_cases;

bool vx_bench_cases_vectors(vx_bench_cases *cases);                         /* the project's */
bool vx_bench_cases_of(const vx_bench_scene *scene, vx_bench_cases *cases); /* one, answered */
void vx_bench_cases_free(vx_bench_cases *cases);
/* The kernels "case reading" and "certify": reads every line; runs every case and compares. False
 * after a complaint. */
bool vx_bench_read_cases(const vx_bench_cases *cases);
bool vx_bench_certify(const vx_bench_contender *who, const vx_bench_cases *cases, bool guards_input,
                      vx_arena *arena);

/* --- measuring (measure.c) -------------------------------------------------------------------- */

enum { VX_BENCH_SAMPLES_MAX = 90 };

typedef struct vx_bench_samples {
    size_t count;
    double seconds[VX_BENCH_SAMPLES_MAX];
} vx_bench_samples;

double vx_bench_median(const vx_bench_samples *samples);
double vx_bench_least(const vx_bench_samples *samples);

typedef struct vx_bench_plan {
    size_t rounds_min, rounds_max;
    double seconds; /* for one scene, shared by the contenders */
} vx_bench_plan;

typedef struct vx_bench_measured {
    const vx_bench_scene_kind *kind;
    size_t triangles, columns;
    uint64_t touched, pieces;
    vx_bench_samples samples[VX_BENCH_CONTENDERS_MAX][VX_BENCH_KERNELS];
    size_t peak[VX_BENCH_CONTENDERS_MAX]; /* bytes */
    size_t for_spans; /* bytes that fast promises to keep to for columns and spans */
    size_t promised;  /* with buffers and vertices */
    vx_bench_tally reference, peer;
} vx_bench_measured;

/* The kernels of the kit. */
typedef struct vx_bench_measured_cases {
    size_t cases, bytes;
    vx_bench_samples reading;
    vx_bench_samples certify[VX_BENCH_CONTENDERS_MAX];
} vx_bench_measured_cases;

/* The first two hold every implementation to the reference and to the answers of the cases, and set
 * what is known before anything is timed; the other two time. All that is to be timed is verified
 * first. False after a complaint. */
bool vx_bench_verify_scene(const vx_bench_contenders *list, vx_bench_scene *scene,
                           vx_bench_measured *measured);
bool vx_bench_verify_cases(const vx_bench_contenders *list, const vx_bench_cases *cases);
bool vx_bench_time_scene(const vx_bench_contenders *list, const vx_bench_plan *plan,
                         const vx_bench_scene *scene, vx_bench_measured *measured);
bool vx_bench_time_cases(const vx_bench_contenders *list, const vx_bench_plan *plan,
                         const vx_bench_cases *cases, vx_bench_measured_cases *measured);

/* What a terminal shows while it lasts; nothing anywhere else. An empty text wipes it away. */
void vx_bench_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- watching (watch.c) ----------------------------------------------------------------------- */

/* Goes on in a process of its own and returns true there. In the first process waits for its end,
 * sets the status that the command has to return, and returns false: that of the command there or,
 * where it crashed or was longer than so many seconds at one place, one after a complaint that
 * names the place. vx_bench_watch_end comes when all is done. */
bool vx_bench_watch(unsigned seconds, vx_exit *status);
void vx_bench_watch_end(void);

/* Places: an implementation, a scene and a kernel, from where the seconds count; another kernel,
 * without counting anew; none. Nothing happens where nobody watches. */
void vx_bench_enter(const char *who, const char *where, const char *what);
void vx_bench_enter_part(const char *what);
void vx_bench_leave(void);

/* --- the folder of the results (results.c) -----------------------------------------------------
 */

/* Makes the folder, tries whether results can be written there, and removes those of the names that
 * an earlier run left. False after a complaint. */
bool vx_bench_results_prepare(const char *folder, const char *const *names, size_t count);
bool vx_bench_results_remove(const char *folder, const char *const *names, size_t count);
bool vx_bench_results_write(const char *folder, const char *name, const vx_text *text);

/* --- reporting -------------------------------------------------------------------------------- */

#define VX_BENCH_NO_VECTORS "The vectors were not run: --scene leaves them out."

typedef struct vx_bench_report {
    const vx_bench_contenders *contenders;
    const vx_bench_measured *scenes;
    size_t scene_count;
    const vx_bench_measured_cases *cases; /* NULL: not measured, as VX_BENCH_NO_VECTORS says */
    bool has_meshes;
    const char *command;
    const char *library; /* its file; NULL: none */
    double load[2];      /* of the machine, before and after */
    size_t cores;
} vx_bench_report;

/* The processor's name. */
void vx_bench_add_cpu(vx_text *text);
/* "cpu", "compiler", … one a line behind prefix. */
void vx_bench_add_machine(vx_text *text, const char *prefix, const char *command);
/* Comma-separated values (report_csv.c), and Markdown for people (report.c). */
void vx_bench_add_csv(const vx_bench_report *report, vx_text *text);
void vx_bench_add_markdown(const vx_bench_report *report, vx_text *text);
/* What to know before believing a figure: what a library was verified on, and that the machine was
 * busy. Whole lines, or nothing. */
void vx_bench_add_remarks(const vx_bench_report *report, vx_text *text);
/* A number above 0 with so many significant digits, and with all of those before the point: 5,643
 * and not 5.64e+03 (report_csv.c). */
void vx_bench_add_figure(vx_text *text, double value, int digits);
/* Parts of the Markdown (goals.c): the geometric means, and every stage of every scene, beside the
 * goals. */
void vx_bench_add_goals(const vx_bench_report *report, vx_text *text);
void vx_bench_add_stages(const vx_bench_report *report, vx_text *text);
/* Whether all scenes that the goals are about were run: goals of means are for all of them. */
bool vx_bench_has_all_scenes(const vx_bench_report *report);
/* The number of scenes that a mean is over: those that the goals are about and, without meshes,
 * those that stand in; where the goals are about none, all. And how many times as fast as than who
 * is in the mean. */
size_t vx_bench_count_in_mean(const vx_bench_report *report);
double vx_bench_mean(const vx_bench_report *report, size_t than, size_t who);
/* The goals of the pipeline at AVX-512: of the mean, against the reference or against the peer, and
 * of a scene against the peer (0: it has none). */
double vx_bench_mean_goal(bool against_reference);
double vx_bench_pipeline_goal(const vx_bench_measured *scene);
/* The seconds of the kernels first … last within the pipeline. Medians of kernels do not add up to
 * the median of whole runs, so that they are scaled to it (chart.c). */
double vx_bench_part_seconds(const vx_bench_measured *scene, size_t who, vx_bench_kernel_id first,
                             vx_bench_kernel_id last);
/* A picture (chart.c). False after a complaint. */
bool vx_bench_add_chart(const vx_bench_report *report, vx_picture_format format, vx_text *picture);

/* How many of what vx_bench_kernel.spans says. */
uint64_t vx_bench_spans_of(const vx_bench_measured *scene, vx_bench_kernel_id kernel);

/* a ÷ b of the medians of a kernel; 0 when one of them was not measured. */
double vx_bench_times(const vx_bench_measured *scene, size_t than, size_t who,
                      vx_bench_kernel_id kernel);

extern const vx_command vx_command_bench;
extern const vx_command vx_command_count;
extern const vx_command vx_command_scaling;

#endif
