/* SPDX-License-Identifier: MIT */
/* The scenes: their triangles, grids, and the counts that costs are divided by. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "home.h"

#define FINE 0.1F, 0.1F
#define COARSE 0.3F, 0.2F
#define ALWAYS (VX_BENCH_FULL | VX_BENCH_QUICK)

/* Those of the goals first, in the order of their table. */
const vx_bench_scene_kind vx_bench_scene_kinds[] = {
    {"nav_test .3", VX_BENCH_MESH, "nav_test.obj", 0, 0, COARSE, ALWAYS, 0, false},
    {"dungeon .3", VX_BENCH_MESH, "dungeon.obj", 0, 0, COARSE, ALWAYS, 1, false},
    {"nav_test .1", VX_BENCH_MESH, "nav_test.obj", 0, 0, FINE, VX_BENCH_FULL, 2, false},
    {"dungeon .1", VX_BENCH_MESH, "dungeon.obj", 0, 0, FINE, VX_BENCH_FULL, 3, false},
    {"terrain .3", VX_BENCH_TERRAIN, NULL, 700, 0.5, COARSE, ALWAYS, 4, false},
    {"terrain .1", VX_BENCH_TERRAIN, NULL, 700, 0.5, FINE, VX_BENCH_FULL, 5, false},
    {"soup2000 .3", VX_BENCH_SOUP, NULL, 2000, 0, COARSE, ALWAYS, 6, false},
    {"soup400 .1", VX_BENCH_SOUP, NULL, 400, 0, FINE, VX_BENCH_FULL, 7, false},
    {"level .3", VX_BENCH_LEVEL, NULL, 0, 0, COARSE, ALWAYS | VX_BENCH_SMOKE, VX_BENCH_NO_GOAL,
     true},
    {"level .1", VX_BENCH_LEVEL, NULL, 0, 0, FINE, VX_BENCH_FULL, VX_BENCH_NO_GOAL, true},
    {"undulating .3", VX_BENCH_MESH, "undulating.obj", 0, 0, COARSE, VX_BENCH_FULL,
     VX_BENCH_NO_GOAL, false},
    {"small terrain", VX_BENCH_TERRAIN, NULL, 40, 0.5, COARSE, VX_BENCH_SMOKE | VX_BENCH_COUNTED,
     VX_BENCH_NO_GOAL, false},
    {"small soup", VX_BENCH_SOUP, NULL, 200, 0, 1.0F, 0.5F, VX_BENCH_SMOKE | VX_BENCH_COUNTED,
     VX_BENCH_NO_GOAL, false},
    {"small level", VX_BENCH_LEVEL, NULL, 0, 0, 0.5F, 0.25F, VX_BENCH_COUNTED, VX_BENCH_NO_GOAL,
     false},
};

const size_t vx_bench_scene_kind_count =
    sizeof vx_bench_scene_kinds / sizeof vx_bench_scene_kinds[0];

static bool read_mesh(const char *path, vx_import_mesh *mesh)
{
    vx_error error = {0};
    if (vx_mesh_file_read(path, NULL, mesh, &error) != VX_OK) {
        (void)vx_complain(VX_EXIT_USAGE, "%s: %s", path, error.message);
        return false;
    }
    return true;
}

static bool read_level(vx_import_mesh *mesh)
{
    char *path = vx_home_data("../data/level.obj"); /* beside the folder of the vectors */
    if (path == NULL) {
        (void)vx_complain(VX_EXIT_USAGE, "the project's level, data/level.obj, is not there");
        return false;
    }
    bool is_read = read_mesh(path, mesh);
    free(path);
    return is_read;
}

static bool make_mesh(const vx_bench_scene_kind *kind, const char *folder, vx_import_mesh *mesh)
{
    vx_text path = {0};
    bool is_made = true;
    switch (kind->source) {
    case VX_BENCH_MESH:
        vx_text_format(&path, "%s/%s", folder, kind->file);
        is_made = read_mesh(vx_text_string(&path), mesh);
        vx_text_free(&path);
        break;
    case VX_BENCH_LEVEL:
        is_made = read_level(mesh);
        break;
    case VX_BENCH_TERRAIN:
        vx_bench_terrain(kind->size, kind->spacing, mesh);
        break;
    case VX_BENCH_SOUP:
        vx_bench_soup(kind->size, mesh);
        break;
    }
    return is_made;
}

/* A square that stands on a corner, over the middle of the grid. */
static void make_volume(vx_bench_scene *scene)
{
    const vx_frame *frame = &scene->input->frame;
    double x = (frame->min[0] + frame->max[0]) / 2;
    double z = (frame->min[2] + frame->max[2]) / 2;
    const double corners[8] = {x, frame->min[2], frame->max[0], z,
                               x, frame->max[2], frame->min[0], z};
    memcpy(scene->corners, corners, sizeof corners);
    scene->volume = (vx_volume){.corners = scene->corners,
                                .corner_count = 4,
                                .min_y = -HUGE_VAL,
                                .max_y = HUGE_VAL,
                                .area = 7};
}

/* The mesh in the peer's numbers. */
static void make_peer_mesh(vx_bench_scene *scene)
{
    size_t values = 3 * scene->mesh.vertex_count;
    size_t indices = 3 * scene->mesh.triangle_count;
    scene->peer_vertices = vx_must_alloc(values, sizeof *scene->peer_vertices);
    scene->peer_indices = vx_must_alloc(indices, sizeof *scene->peer_indices);
    for (size_t i = 0; i < values; i++) {
        scene->peer_vertices[i] = (float)scene->mesh.vertices[i];
    }
    for (size_t i = 0; i < indices; i++) {
        scene->peer_indices[i] = (int)scene->mesh.indices[i];
    }
}

bool vx_bench_scene_over(const vx_bench_scene_kind *kind, const vx_import_mesh *mesh,
                         vx_bench_scene *scene)
{
    *scene = (vx_bench_scene){.kind = kind, .mesh = *mesh, .triangles = mesh->triangle_count};
    vx_import source = vx_build3d_importer.defaults;
    source.mesh = &scene->mesh;
    source.cell_size = kind->cell_size;
    source.cell_height = kind->cell_height;
    source.floor_row = true;
    vx_error error = {0};
    vx_text notes = {0};
    scene->input = vx_build3d_importer.make(&source, &notes, &error);
    vx_text_free(&notes);
    if (scene->input == NULL) {
        (void)vx_complain(VX_EXIT_USAGE, "%s: %s", kind->name, error.message);
        vx_bench_scene_free(scene);
        return false;
    }
    make_volume(scene);
    make_peer_mesh(scene);
    return true;
}

bool vx_bench_scene_open(const vx_bench_scene_kind *kind, const char *folder, vx_bench_scene *scene)
{
    vx_import_mesh mesh = {0};
    *scene = (vx_bench_scene){0};
    return make_mesh(kind, folder, &mesh) && vx_bench_scene_over(kind, &mesh, scene);
}

void vx_bench_scene_free(vx_bench_scene *scene)
{
    vx_build3d_input_free(scene->input);
    vx_import_mesh_free(&scene->mesh);
    free(scene->pieces);
    free(scene->peer_vertices);
    free(scene->peer_indices);
    *scene = (vx_bench_scene){0};
}
