/* SPDX-License-Identifier: MIT */
/* voxcert scaling: times against triangles, columns, layers and radius, and the worst that a mesh
 * can ask for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "random.h"
#include "scaling.h"

/* --- meshes ----------------------------------------------------------------------------------- */

#define EXTENT 512.0 /* of a terrain, whatever its triangles */

static void make_terrain(int64_t triangles, vx_import_mesh *mesh)
{
    int64_t squares = (int64_t)llround(sqrt((double)triangles / 2));
    vx_bench_terrain(squares, EXTENT / (double)squares, mesh);
}

/* Floors of 16 × 16 squares, one above the other with room to stand. */
static void make_layers(int64_t layers, vx_import_mesh *mesh)
{
    const double apart = 6;
    vx_import_mesh floor;
    vx_bench_terrain(16, 8, &floor);
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

typedef struct row_kind {
    const char *table, *name;
    void (*make)(int64_t size, vx_import_mesh *mesh);
    int64_t size;
    float cell_size, cell_height;
    int64_t radius;
    int64_t columns; /* about */
    bool fast_only;  /* the reference would take minutes */
} row_kind;

#define SIDE(side) (float)(EXTENT / (side)), 0.25F, VX_DEFAULT_RADIUS, (int64_t)(side) * (side)
#define RADIUS(radius) (float)(EXTENT / 1024), 0.25F, (radius), INT64_C(1) << 20
#define LAYERS 1.0F, 0.5F, VX_DEFAULT_RADIUS, 16384
#define COLUMN 0.25F, 0.125F, VX_DEFAULT_RADIUS, 1

static const row_kind kinds[] = {
    {"triangles", "10^3 triangles", make_terrain, 1000, SIDE(1024), false},
    {"triangles", "10^4 triangles", make_terrain, 10000, SIDE(1024), false},
    {"triangles", "10^5 triangles", make_terrain, 100000, SIDE(1024), false},
    {"triangles", "10^6 triangles", make_terrain, 1000000, SIDE(1024), false},
    {"triangles", "10^7 triangles", make_terrain, 10000000, SIDE(1024), true},
    {"columns", "2^10 columns", make_terrain, 100000, SIDE(32), false},
    {"columns", "2^12 columns", make_terrain, 100000, SIDE(64), false},
    {"columns", "2^14 columns", make_terrain, 100000, SIDE(128), false},
    {"columns", "2^16 columns", make_terrain, 100000, SIDE(256), false},
    {"columns", "2^18 columns", make_terrain, 100000, SIDE(512), false},
    {"columns", "2^20 columns", make_terrain, 100000, SIDE(1024), false},
    {"columns", "2^22 columns", make_terrain, 100000, SIDE(2048), false},
    {"columns", "2^24 columns", make_terrain, 100000, SIDE(4095), false},
    {"layers", "1 layer", make_layers, 1, LAYERS, false},
    {"layers", "4 layers", make_layers, 4, LAYERS, false},
    {"layers", "16 layers", make_layers, 16, LAYERS, false},
    {"layers", "64 layers", make_layers, 64, LAYERS, false},
    {"layers", "256 layers", make_layers, 256, LAYERS, true},
    {"one column", "10^3 triangles", make_column, 1000, COLUMN, false},
    {"one column", "10^4 triangles", make_column, 10000, COLUMN, false},
    {"one column", "10^5 triangles", make_column, 100000, COLUMN, false},
    {"one column", "10^6 triangles", make_column, 1000000, COLUMN, true},
    {"radius", "radius 2", make_huge, 1, RADIUS(2), false},
    {"radius", "radius 8", make_huge, 1, RADIUS(8), false},
    {"radius", "radius 32", make_huge, 1, RADIUS(32), false},
    {"radius", "radius 128", make_huge, 1, RADIUS(128), false},
    {"radius", "radius 2^20", make_huge, 1, RADIUS(VX_RADIUS_MAX), false},
    {"one triangle", "4096 columns", make_huge, 1, SIDE(64), false},
    {"one triangle", "256^2 columns", make_huge, 1, SIDE(256), false},
    {"one triangle", "1024^2 columns", make_huge, 1, SIDE(1024), false},
    {"one triangle", "4096^2 columns", make_huge, 1, SIDE(4096), false},
    {"memory", "10^7 triangles into 2^24 columns", make_terrain, 10000000, SIDE(4095), true},
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
    kind->make(kind->size, &mesh);
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

static vx_exit write_report(const vx_scaling *scaling, const char *command, const char *folder)
{
    vx_text text = {0};
    vx_text path = {0};
    vx_error error = {0};
    vx_scaling_add_markdown(scaling, command, &text);
    vx_text_format(&path, "%s/scaling.md", folder);
    (void)mkdir(folder, 0777);
    vx_status status = vx_file_write(path.bytes, text.bytes, text.size, &error);
    (void)fputs(vx_text_string(&text), stdout);
    vx_text_free(&text);
    vx_text_free(&path);
    return status == VX_OK ? VX_EXIT_PASS : vx_complain(VX_EXIT_INTERNAL, "%s", error.message);
}

static vx_exit run_scaling(const vx_arguments *arguments)
{
    int64_t most = VX_COLUMNS_MAX;
    const char *out = vx_argument_value(arguments, "out");
    const char *table = vx_argument_value(arguments, "table");
    vx_bench_contenders list;
    if (!vx_argument_integer(arguments, "most", 1, VX_COLUMNS_MAX, &most) ||
        !vx_bench_contenders_find(NULL, &list)) {
        return VX_EXIT_USAGE;
    }
    vx_scaling *scaling = vx_must_alloc(1, sizeof *scaling);
    bool is_done = true;
    for (size_t i = 0; i < list.count; i++) {
        if (list.items[i].peer == NULL) {
            scaling->sides[i > 0] = &list.items[i];
        }
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && is_done; i++) {
        if ((table == NULL || strcmp(table, kinds[i].table) == 0) && kinds[i].size <= most &&
            kinds[i].columns <= most) {
            is_done = measure_row(scaling, &kinds[i]);
        }
    }
    vx_exit status = VX_EXIT_INTERNAL;
    if (is_done && scaling->count == 0) {
        status = vx_complain(VX_EXIT_USAGE, "there is no such row");
    } else if (is_done) {
        vx_text command = {0};
        vx_text_add(&command, "voxcert scaling");
        if (most < VX_COLUMNS_MAX) {
            vx_text_format(&command, " --most %lld", (long long)most);
        }
        status = write_report(scaling, vx_text_string(&command), out != NULL ? out : ".");
        vx_text_free(&command);
    }
    free(scaling);
    return status;
}

static const vx_option options[] = {
    {"most", "N", "leave out rows of more than N triangles or columns"},
    {"table", "NAME", "only this table, such as \"triangles\""},
    {"out", "FOLDER", "for scaling.md (default: this one)"}};

const vx_command vx_command_scaling = {
    .name = "scaling",
    .operands = "",
    .summary = "time stages against triangles, columns, layers and radius",
    .details = "The reference and the highest level of fast. Costs are divided by what a stage\n"
               "works on, so that what grows faster than its input shows.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operands_max = 0,
    .run = run_scaling};
