/* SPDX-License-Identifier: MIT */
/* voxcert scaling: times against triangles, columns, layers and radius, and the worst that a mesh
 * can ask for. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "scaling.h"
#include "words.h"

/* --- meshes ----------------------------------------------------------------------------------- */

#define EXTENT 512.0 /* of a terrain, whatever its triangles */

/* About so many triangles. */
static int64_t terrain_squares(int64_t triangles)
{
    return (int64_t)llround(sqrt((double)triangles / 2));
}

static void make_terrain(int64_t triangles, vx_import_mesh *mesh)
{
    int64_t squares = terrain_squares(triangles);
    vx_bench_terrain(squares, EXTENT / (double)squares, mesh);
}

static int64_t count_terrain(int64_t triangles)
{
    int64_t squares = terrain_squares(triangles);
    return 2 * squares * squares;
}

#define FLOOR_SQUARES INT64_C(16) /* along each side */

/* Floors, one above the other with room to stand. */
static void make_layers(int64_t layers, vx_import_mesh *mesh)
{
    const double apart = 6;
    vx_import_mesh floor;
    vx_bench_terrain(FLOOR_SQUARES, 8, &floor);
    size_t values = 3 * floor.vertex_count;
    size_t indices = 3 * floor.triangle_count;
    *mesh =
        (vx_import_mesh){.vertices = vx_must_alloc((size_t)layers * values, sizeof *mesh->vertices),
                         .vertex_count = (size_t)layers * floor.vertex_count,
                         .indices = vx_must_alloc((size_t)layers * indices, sizeof *mesh->indices),
                         .triangle_count = (size_t)layers * floor.triangle_count};
    for (size_t layer = 0; layer < (size_t)layers; layer++) {
        for (size_t i = 0; i < values; i++) {
            mesh->vertices[layer * values + i] =
                i % 3 == 1 ? apart * (double)layer : floor.vertices[i];
        }
        for (size_t i = 0; i < indices; i++) {
            mesh->indices[layer * indices + i] =
                floor.indices[i] + (int64_t)(layer * floor.vertex_count);
        }
    }
    vx_import_mesh_free(&floor);
}

static int64_t count_layers(int64_t layers)
{
    return 2 * FLOOR_SQUARES * FLOOR_SQUARES * layers;
}

static int64_t count_itself(int64_t triangles)
{
    return triangles;
}

static void make_triangles(int64_t count, vx_import_mesh *mesh)
{
    *mesh = (vx_import_mesh){.vertices = vx_must_alloc(9 * (size_t)count, sizeof *mesh->vertices),
                             .vertex_count = 3 * (size_t)count,
                             .indices = vx_must_alloc(3 * (size_t)count, sizeof *mesh->indices),
                             .triangle_count = (size_t)count};
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        mesh->indices[i] = (int64_t)i;
    }
}

/* One triangle that covers half of the square, rising so that every cell differs. */
static void make_huge(int64_t count, vx_import_mesh *mesh)
{
    static const double corners[9] = {0, 0, 0, 0, 8, EXTENT, EXTENT, 4, 0};
    make_triangles(count, mesh);
    memcpy(mesh->vertices, corners, sizeof corners);
}

/* Small triangles at random heights, all within one cell. */
static void make_column(int64_t count, vx_import_mesh *mesh)
{
    enum { TOP = 8000, BITS = 8 };
    static const double corners[3][2] = {{0, 0}, {0.0625, 0.125}, {0.125, 0}};
    vx_random random = vx_random_start("bench column", 1);
    make_triangles(count, mesh);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double *vertex = mesh->vertices + 3 * i;
        vertex[0] = corners[i % 3][0];
        vertex[1] = i % 3 == 0 ? vx_random_dyadic(&random, 0, TOP, BITS) : vertex[-2];
        vertex[2] = corners[i % 3][1];
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Meshes of a kind, and how many triangles one of that size has. */
typedef struct mesh_kind {
    void (*make)(int64_t size, vx_import_mesh *mesh);
    int64_t (*count)(int64_t size);
} mesh_kind;

static const mesh_kind terrain = {make_terrain, count_terrain};
static const mesh_kind layers = {make_layers, count_layers};
static const mesh_kind column = {make_column, count_itself};
static const mesh_kind huge = {make_huge, count_itself};

typedef struct row_kind {
    const char *table, *name;
    const mesh_kind *mesh;
    int64_t size;
    float cell_size, cell_height;
    int64_t radius;
    int64_t columns;
    bool fast_only; /* the reference would take minutes */
} row_kind;

#define SIDE(side) (float)(EXTENT / (side)), 0.25F, VX_DEFAULT_RADIUS, (int64_t)(side) * (side)
#define RADIUS(radius) (float)(EXTENT / 1024), 0.25F, (radius), INT64_C(1) << 20
#define LAYERS 1.0F, 0.5F, VX_DEFAULT_RADIUS, 16384
#define LAYERS_OF_FEW 2.0F, 0.5F, VX_DEFAULT_RADIUS, 4096
#define COLUMN 0.25F, 0.125F, VX_DEFAULT_RADIUS, 1

static const row_kind kinds[] = {
    {"triangles", "10^3 triangles", &terrain, 1000, SIDE(1024), false},
    {"triangles", "10^4 triangles", &terrain, 10000, SIDE(1024), false},
    {"triangles", "10^5 triangles", &terrain, 100000, SIDE(1024), false},
    {"triangles", "10^6 triangles", &terrain, 1000000, SIDE(1024), false},
    {"triangles", "10^7 triangles", &terrain, 10000000, SIDE(1024), true},
    {"columns", "2^10 columns", &terrain, 100000, SIDE(32), false},
    {"columns", "2^12 columns", &terrain, 100000, SIDE(64), false},
    {"columns", "2^14 columns", &terrain, 100000, SIDE(128), false},
    {"columns", "2^16 columns", &terrain, 100000, SIDE(256), false},
    {"columns", "2^18 columns", &terrain, 100000, SIDE(512), false},
    {"columns", "2^20 columns", &terrain, 100000, SIDE(1024), false},
    {"columns", "2^22 columns", &terrain, 100000, SIDE(2048), false},
    {"columns", "2^24 columns", &terrain, 100000, SIDE(4095), false},
    {"layers", "1 layer", &layers, 1, LAYERS, false},
    {"layers", "4 layers", &layers, 4, LAYERS, false},
    {"layers", "16 layers", &layers, 16, LAYERS, false},
    {"layers", "63 layers", &layers, 63, LAYERS, true},
    {"layers", "64 layers", &layers, 64, LAYERS, false},
    {"layers", "65 layers", &layers, 65, LAYERS, true},
    {"layers", "256 layers", &layers, 256, LAYERS, true},
    {"layers", "1024 layers", &layers, 1024, LAYERS_OF_FEW, true},
    {"one column", "10^3 triangles", &column, 1000, COLUMN, false},
    {"one column", "10^4 triangles", &column, 10000, COLUMN, false},
    {"one column", "10^5 triangles", &column, 100000, COLUMN, false},
    {"one column", "10^6 triangles", &column, 1000000, COLUMN, true},
    {"radius", "radius 2", &huge, 1, RADIUS(2), false},
    {"radius", "radius 8", &huge, 1, RADIUS(8), false},
    {"radius", "radius 32", &huge, 1, RADIUS(32), false},
    {"radius", "radius 128", &huge, 1, RADIUS(128), false},
    {"radius", "radius 2^20", &huge, 1, RADIUS(VX_RADIUS_MAX), false},
    {"one triangle", "4096 columns", &huge, 1, SIDE(64), false},
    {"one triangle", "256^2 columns", &huge, 1, SIDE(256), false},
    {"one triangle", "1024^2 columns", &huge, 1, SIDE(1024), false},
    {"one triangle", "4096^2 columns", &huge, 1, SIDE(4096), false},
    {"memory", "10^7 triangles into 2^24 columns", &terrain, 10000000, SIDE(4095), true},
};

const char *const vx_scaling_stage_names[VX_SCALING_STAGES] = {"open",    "rasterize", "filters",
                                                               "compact", "erode",     "volume"};

uint64_t vx_scaling_units(const vx_scaling_row *row, vx_scaling_stage stage)
{
    uint64_t units = row->columns;
    if (stage == VX_SCALING_RASTERIZE) {
        units = row->triangles + row->touched;
    } else if (stage == VX_SCALING_FILTERS || stage == VX_SCALING_COMPACT) {
        units += row->solid;
    } else if (stage == VX_SCALING_ERODE || stage == VX_SCALING_VOLUME) {
        units += row->compact;
    }
    return units > 0 ? units : 1;
}

/* --- measuring -------------------------------------------------------------------------------- */

/* Runs the kernels first … last, and keeps the time if it is less than that of the runs before. */
static bool time_stage(vx_bench_session *session, vx_bench_kernel_id first, vx_bench_kernel_id last,
                       double *seconds)
{
    bool is_done = true;
    double begin = vx_bench_now();
    for (size_t kernel = first; kernel <= (size_t)last && is_done; kernel++) {
        is_done = vx_bench_step(session, (vx_bench_kernel_id)kernel);
    }
    double spent = vx_bench_now() - begin;
    *seconds = *seconds > 0 && *seconds < spent ? *seconds : spent;
    return is_done;
}

/* Erosion has the row's radius and so no kernel of the table. */
static bool time_erosion(vx_bench_session *session, int64_t radius, double *seconds)
{
    vx_error error = {0};
    double begin = vx_bench_now();
    vx_status status = session->who->impl->erode(session->field, radius, &error);
    double spent = vx_bench_now() - begin;
    *seconds = *seconds > 0 && *seconds < spent ? *seconds : spent;
    if (status != VX_OK) {
        (void)vx_complain(VX_EXIT_INTERNAL, "%s: %s", session->who->name, error.message);
    }
    return status == VX_OK;
}

static bool run_once(vx_bench_session *session, vx_scaling_row *row, size_t side)
{
    double *seconds = row->seconds[side];
    vx_build3d_info info;
    bool is_done =
        time_stage(session, VX_BENCH_OPEN, VX_BENCH_OPEN, &seconds[VX_SCALING_OPEN]) &&
        time_stage(session, VX_BENCH_RASTERIZE, VX_BENCH_RASTERIZE, &seconds[VX_SCALING_RASTERIZE]);
    if (is_done) {
        session->who->impl->info(session->field, &info);
        row->solid = info.rows;
    }
    is_done = is_done &&
              time_stage(session, VX_BENCH_LOW_HANGING, VX_BENCH_LOW_HEIGHT,
                         &seconds[VX_SCALING_FILTERS]) &&
              time_stage(session, VX_BENCH_COMPACT, VX_BENCH_COMPACT, &seconds[VX_SCALING_COMPACT]);
    if (is_done) {
        session->who->impl->info(session->field, &info);
        row->compact = info.rows;
    }
    is_done = is_done && time_erosion(session, row->radius, &seconds[VX_SCALING_ERODE]) &&
              time_stage(session, VX_BENCH_VOLUME, VX_BENCH_VOLUME, &seconds[VX_SCALING_VOLUME]);
    vx_bench_session_end(session);
    return is_done;
}

static bool measure_side(const vx_bench_contender *who, const vx_bench_scene *scene,
                         vx_scaling_row *row, size_t side)
{
    enum { RUNS_MIN = 2, RUNS_MAX = 5 }; /* the first touches the memory */
    const double enough = 0.5;           /* seconds */
    vx_bench_session session;
    bool is_done = true;
    vx_bench_session_open(who, scene, &session);
    double begin = vx_bench_now();
    for (size_t run = 0;
         is_done && run < RUNS_MAX && (run < RUNS_MIN || vx_bench_now() - begin < enough); run++) {
        vx_bench_show("scaling, %s: %s, %s", row->table, row->name, who->name);
        is_done = run_once(&session, row, side);
    }
    row->is_measured[side] = is_done;
    row->peak[side] = vx_bench_session_peak(&session);
    vx_bench_session_free(&session);
    return is_done;
}

static bool measure_row(vx_scaling *scaling, const row_kind *kind)
{
    const vx_bench_scene_kind scene_kind = {
        .name = kind->name, .cell_size = kind->cell_size, .cell_height = kind->cell_height};
    vx_scaling_row *row = &scaling->rows[scaling->count];
    vx_import_mesh mesh;
    vx_bench_scene scene;
    vx_bench_show("scaling, %s: %s", kind->table, kind->name);
    kind->mesh->make(kind->size, &mesh);
    if (!vx_bench_scene_over(&scene_kind, &mesh, &scene)) {
        return false;
    }
    bool is_done = vx_bench_scene_touch(&scene, scaling->sides[VX_SCALING_SIDES - 1]->impl);
    *row = (vx_scaling_row){.table = kind->table,
                            .name = kind->name,
                            .triangles = scene.triangles,
                            .columns = scene.columns,
                            .touched = scene.touched,
                            .radius = kind->radius};
    for (size_t side = kind->fast_only ? 1 : 0; side < VX_SCALING_SIDES && is_done; side++) {
        is_done = measure_side(scaling->sides[side], &scene, row, side);
    }
    vx_bench_scene_free(&scene);
    scaling->count += is_done;
    vx_bench_show("%s", "");
    return is_done;
}

/* --- the command ------------------------------------------------------------------------------ */

#define FILE_NAME "scaling.md"

static const char *const results[] = {FILE_NAME};

enum { KINDS = sizeof kinds / sizeof kinds[0], RESULTS = sizeof results / sizeof results[0] };

typedef struct job {
    const char *out;
    const char *table; /* NULL: all */
    int64_t most;
} job;

static bool is_of_table(const job *of, const row_kind *kind)
{
    return of->table == NULL || strcmp(of->table, kind->table) == 0;
}

/* The triangles or the columns of a row, whichever are more. */
static int64_t extent(const row_kind *kind)
{
    int64_t triangles = kind->mesh->count(kind->size);
    return triangles > kind->columns ? triangles : kind->columns;
}

static vx_exit complain_table(const char *table)
{
    vx_text names = {0};
    for (size_t i = 0; i < KINDS; i++) {
        if (i == 0 || strcmp(kinds[i].table, kinds[i - 1].table) != 0) {
            vx_text_add(&names, i > 0 ? ", " : "");
            vx_text_add(&names, kinds[i].table);
        }
    }
    vx_exit status = vx_complain(VX_EXIT_USAGE, "--table %s: there is no such table; there are %s",
                                 table, vx_text_string(&names));
    vx_text_free(&names);
    return status;
}

/* Whether there is a row to measure; complains otherwise. */
static vx_exit check_rows(const job *of)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < KINDS; i++) {
        if (is_of_table(of, &kinds[i]) && extent(&kinds[i]) < least) {
            least = extent(&kinds[i]);
        }
    }
    if (least == INT64_MAX) {
        return complain_table(of->table);
    }
    return least <= of->most
               ? VX_EXIT_PASS
               : vx_complain(VX_EXIT_USAGE,
                             "--most %" PRId64 ": no row is left; the smallest has %" PRId64
                             " triangles or columns",
                             of->most, least);
}

static bool measure_rows(const job *of, vx_scaling *scaling)
{
    bool is_done = true;
    for (size_t i = 0; i < KINDS && is_done; i++) {
        if (is_of_table(of, &kinds[i]) && extent(&kinds[i]) <= of->most) {
            is_done = measure_row(scaling, &kinds[i]);
        }
    }
    return is_done;
}

/* The command that repeats it. */
static void write_command(const job *of, vx_text *command)
{
    vx_text_add(command, "voxcert scaling");
    if (of->most < VX_COLUMNS_MAX) {
        vx_text_format(command, " --most %" PRId64, of->most);
    }
    if (of->table != NULL) {
        vx_text_add(command, " --table ");
        vx_add_shell_word(command, of->table);
    }
}

static vx_exit report_rows(const job *of, const vx_scaling *scaling)
{
    vx_text text = {0};
    vx_text command = {0};
    write_command(of, &command);
    vx_scaling_add_markdown(scaling, vx_text_string(&command), &text);
    bool is_written = vx_bench_results_write(of->out, FILE_NAME, &text);
    (void)fputs(vx_text_string(&text), stdout);
    vx_text_free(&command);
    vx_text_free(&text);
    return is_written ? VX_EXIT_PASS : VX_EXIT_INTERNAL;
}

static vx_exit run_scaling(const vx_arguments *arguments)
{
    const char *out = vx_argument_value(arguments, "out");
    job of = {.out = out != NULL ? out : ".",
              .table = vx_argument_value(arguments, "table"),
              .most = VX_COLUMNS_MAX};
    vx_bench_contenders list;
    if (!vx_argument_integer(arguments, "most", 1, VX_COLUMNS_MAX, &of.most) ||
        check_rows(&of) != VX_EXIT_PASS || !vx_bench_contenders_find(NULL, &list) ||
        !vx_bench_results_prepare(of.out, results, RESULTS)) {
        return VX_EXIT_USAGE;
    }
    vx_scaling *scaling = vx_must_alloc(1, sizeof *scaling);
    for (size_t i = 0; i < list.count; i++) {
        if (list.items[i].peer == NULL) {
            scaling->sides[i > 0] = &list.items[i];
        }
    }
    vx_exit status = measure_rows(&of, scaling) ? report_rows(&of, scaling) : VX_EXIT_INTERNAL;
    free(scaling);
    return status;
}

static const vx_option options[] = {
    {"most", "N", "leave out rows of more than N triangles or columns"},
    {"table", "NAME", "only this table; their names stand above"},
    {"out", "FOLDER", "for scaling.md (default: this one)"}};

const vx_command vx_command_scaling = {
    .name = "scaling",
    .operands = "",
    .summary = "time stages against triangles, columns, layers and radius",
    .details = "The reference and the highest level of fast. Costs are divided by what a stage\n"
               "works on, so that what grows faster than its input shows. The tables are\n"
               "triangles, columns, layers, one column, radius, one triangle and memory.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operands_max = 0,
    .run = run_scaling};
