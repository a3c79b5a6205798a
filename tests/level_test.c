/* SPDX-License-Identifier: MIT */
/* The project's own level: it is made the same again, its solids are closed, and it has in it what
 * it is there to show. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build3d/drawing.h"
#include "exit.h"
#include "file.h"
#include "program.h"

enum { POINTS_MAX = 4000, TRIANGLES_MAX = 4000, FILE_MAX = 1 << 20 };

static void read_committed(const char *path, vx_text *text)
{
    vx_error error;
    cr_assert_eq(vx_file_read(path, FILE_MAX, text, &error), VX_OK, "%s", error.message);
}

/* tools/make_level beside the program. */
static void make_level(test_run *run, const char *what)
{
    vx_text tool = {0};
    const char *program = test_voxcert();
    vx_text_add_bytes(&tool, program, (size_t)(strrchr(program, '/') - program));
    vx_text_add(&tool, "/tools/make_level");
    const char *const words[] = {tool.bytes, what, NULL};
    test_run_program(run, NULL, words, "");
    vx_text_free(&tool);
}

Test(level_test, is_made_the_same_again)
{
    static const struct {
        const char *what, *path;
    } files[] = {{"obj", "data/level.obj"}, {"asc", "data/heights.asc"}};
    test_run run = {0};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        vx_text committed = {0};
        read_committed(files[i].path, &committed);
        make_level(&run, files[i].what);
        cr_assert_eq(run.status, 0, "%s", vx_text_string(&run.err));
        cr_assert_eq(run.out.size, committed.size, "%s", files[i].path);
        cr_assert_eq(memcmp(run.out.bytes, committed.bytes, committed.size), 0, "%s",
                     files[i].path);
        vx_text_free(&committed);
    }
    make_level(&run, "gif");
    cr_assert_eq(run.status, 2);
    cr_assert_eq(run.out.size, 0);
    test_run_free(&run);
}

/* How well zlib packs is its own affair: pictures are compared by what is in them. */
Test(level_test, heights_are_the_same_in_both_formats)
{
    static const char options[] = "--name hill --height-scale 0.015625 --spacing 0.5 --origin 1,1";
    char *directory = test_directory_new();
    vx_text words = {0};
    vx_text grid = {0};
    test_run run = {0};
    test_run_voxcert(&run, "import data/heights.asc --name hill", "");
    cr_assert_eq(run.status, VX_EXIT_PASS, "%s", vx_text_string(&run.err));
    vx_text_add(&grid, strstr(run.out.bytes, "\"grid\""));

    make_level(&run, "png");
    char *made = test_file(directory, "heights.png", run.out.bytes, run.out.size);
    const char *const pictures[] = {"data/heights.png", made};
    for (size_t i = 0; i < 2; i++) {
        vx_text_clear(&words);
        vx_text_format(&words, "import %s %s", pictures[i], options);
        test_run_voxcert(&run, words.bytes, "");
        cr_assert_eq(run.status, VX_EXIT_PASS, "%s", vx_text_string(&run.err));
        cr_assert_str_eq(strstr(run.out.bytes, "\"grid\""), grid.bytes, "%s", pictures[i]);
    }
    free(made);
    vx_text_free(&words);
    vx_text_free(&grid);
    test_run_free(&run);
    test_directory_remove(directory);
}

/* --- solids ----------------------------------------------------------------------------------- */

typedef struct level {
    double points[POINTS_MAX][3];
    int triangles[TRIANGLES_MAX][3];
    int solid_of[TRIANGLES_MAX];
    int points_count, triangles_count, solids_count;
} level;

static void parse(level *to, char *text)
{
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (line[0] == 'v') {
            double *at = to->points[to->points_count++];
            cr_assert_eq(sscanf(line, "v %lf %lf %lf", &at[0], &at[1], &at[2]), 3, "%s", line);
        } else if (line[0] == 'o') {
            to->solids_count++;
        } else if (line[0] == 'f') {
            to->solid_of[to->triangles_count] = to->solids_count;
            int *of = to->triangles[to->triangles_count++];
            cr_assert_eq(sscanf(line, "f %d %d %d", &of[0], &of[1], &of[2]), 3, "%s", line);
        }
        cr_assert(to->points_count < POINTS_MAX && to->triangles_count < TRIANGLES_MAX);
    }
}

/* How often the edge from a to b comes in triangles [first, end). */
static int count_edge(const level *of, int first, int end, int a, int b)
{
    int count = 0;
    for (int t = first; t < end; t++) {
        for (int i = 0; i < 3; i++) {
            count += of->triangles[t][i] == a && of->triangles[t][(i + 1) % 3] == b ? 1 : 0;
        }
    }
    return count;
}

/* Six times the volume below a triangle, seen from the origin. */
static double volume(const level *of, int t)
{
    const double *a = of->points[of->triangles[t][0] - 1];
    const double *b = of->points[of->triangles[t][1] - 1];
    const double *c = of->points[of->triangles[t][2] - 1];
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

Test(level_test, solids_are_closed_and_face_outwards)
{
    vx_text text = {0};
    level *of = vx_must_alloc(1, sizeof *of);
    read_committed("data/level.obj", &text);
    parse(of, text.bytes);
    cr_assert(of->triangles_count > 1800 && of->triangles_count < 2400, "%d", of->triangles_count);
    int solids = 0;
    for (int first = 0, end = 0; first < of->triangles_count; first = end) {
        double total = 0;
        while (end < of->triangles_count && of->solid_of[end] == of->solid_of[first]) {
            total += volume(of, end++);
        }
        for (int t = first; t < end; t++) {
            for (int i = 0; i < 3; i++) {
                int a = of->triangles[t][i];
                int b = of->triangles[t][(i + 1) % 3];
                cr_assert_eq(count_edge(of, first, end, a, b), 1, "solid %d", of->solid_of[t]);
                cr_assert_eq(count_edge(of, first, end, b, a), 1, "solid %d", of->solid_of[t]);
            }
        }
        cr_assert_gt(total, 0, "solid %d is inside out", of->solid_of[first]);
        solids++;
    }
    cr_assert_eq(solids, of->solids_count);
    free(of);
    vx_text_free(&text);
}

/* --- what it shows ---------------------------------------------------------------------------- */

Test(level_test, has_everything)
{
    test_run run = {0};
    vx_case item;
    vx_drawn drawn;
    vx_problem problem = {0};
    test_run_voxcert(&run, "import data/level.obj", "");
    cr_assert_eq(run.status, VX_EXIT_PASS, "%s", vx_text_string(&run.err));
    cr_assert(vx_case_read(run.out.bytes, run.out.size - 1, &item, &problem), "%s",
              problem.message);
    vx_draw_request request = {.item = &item, .table = &vx_ref_build3d, .maker = "ref"};
    cr_assert(vx_drawn_make(&request, &drawn, &problem), "%s", problem.message);
    for (int top = 0; top < VX_TOP_COUNT; top++) {
        cr_assert_gt(drawn.tops[top], 1000, "kind %d: %zu", top, drawn.tops[top]);
    }
    cr_assert_eq(drawn.degenerate, 0);
    size_t floors = 0;
    const vx_drawn_span *below = NULL;
    for (size_t i = 0; i < drawn.span_count; i++) {
        const vx_drawn_span *here = &drawn.spans[i];
        if (here->top == VX_TOP_WALKABLE) {
            floors += below != NULL && below->x == here->x && below->z == here->z ? 1 : 0;
            below = here;
        }
    }
    cr_assert_gt(floors, 300, "bridge, tunnel, roofs and steps lie above other floors");
    cr_assert_gt(drawn.high, 30, "the tower is high");
    vx_drawn_free(&drawn);
    vx_case_free(&item);
    test_run_free(&run);
}
