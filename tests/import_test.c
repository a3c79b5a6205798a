/* SPDX-License-Identifier: MIT */
/* voxcert import: every format, transforms, options, errors, and files that are malformed. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exit.h"
#include "file.h"
#include "import.h"
#include "program.h"

/* --- running the command ---------------------------------------------------------------------- */

/* `voxcert import` with formatted words; what it wrote, as JSON, NULL when it wrote nothing. */
static json_t *import(test_run *run, const char *format, ...)
{
    vx_text words = {0};
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    vx_text_format(&words, "import %s", line);
    test_run_voxcert(run, words.bytes, "");
    vx_text_free(&words);
    return run->out.size > 0
               ? json_loadb(run->out.bytes, run->out.size, JSON_REJECT_DUPLICATES, NULL)
               : NULL;
}

static json_t *first_step(json_t *made)
{
    return json_array_get(json_object_get(made, "steps"), 0);
}

static double number_at(json_t *array, size_t index)
{
    cr_assert_lt(index, json_array_size(array));
    return json_number_value(json_array_get(array, index));
}

/* The corners of all triangles, nine numbers each, as "1 0 0  0 1 0  0 0 1; …". */
static char *triangles(json_t *made)
{
    vx_text text = {0};
    json_t *vertices = json_object_get(first_step(made), "vertices");
    json_t *indices = json_object_get(first_step(made), "indices");
    for (size_t i = 0; i < json_array_size(indices); i++) {
        size_t vertex = (size_t)json_integer_value(json_array_get(indices, i));
        vx_text_add(&text, i == 0 ? "" : i % 3 == 0 ? "; " : "  ");
        vx_text_format(&text, "%g %g %g", number_at(vertices, 3 * vertex),
                       number_at(vertices, 3 * vertex + 1), number_at(vertices, 3 * vertex + 2));
    }
    vx_text_add(&text, "");
    return text.bytes;
}

static void check_triangles(const char *name, json_t *made, const test_run *run,
                            const char *expected)
{
    cr_assert_not_null(made, "%s: %s", name, vx_text_string(&run->err));
    char *found = triangles(made);
    cr_assert_str_eq(found, expected, "%s: %s, not %s", name, found, expected);
    free(found);
}

static void check_bounds(const char *name, json_t *made, const double min[3], const double max[3])
{
    json_t *bounds = json_object_get(json_object_get(made, "grid"), "bounds");
    for (size_t i = 0; i < 3; i++) {
        double low = number_at(json_object_get(bounds, "min"), i);
        double high = number_at(json_object_get(bounds, "max"), i);
        cr_assert(low == min[i] && high == max[i], "%s: axis %zu from %.17g to %.17g", name, i, low,
                  high);
    }
}

/* --- meshes ----------------------------------------------------------------------------------- */

/* Bytes of a binary file, little-endian. */
static void add_float(vx_text *text, float value)
{
    vx_text_add_bytes(text, &value, sizeof value);
}

static void add_word(vx_text *text, uint32_t value)
{
    vx_text_add_bytes(text, &value, sizeof value);
}

/* The triangle (0,0,0) (0,0,2) (2,0,0), facing up, and one that shares an edge. */
static const float two_triangles[6][3] = {{0, 0, 0}, {0, 0, 2}, {2, 0, 0},
                                          {2, 0, 0}, {0, 0, 2}, {2, 1, 2}};
static const char two_expected[] = "0 0 0  0 0 2  2 0 0; 2 0 0  0 0 2  2 1 2";

static void make_binary_stl(vx_text *text)
{
    char header[80] = "binary";
    vx_text_add_bytes(text, header, sizeof header);
    add_word(text, 2);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3 && i % 3 == 0; k++) {
            add_float(text, k == 1 ? 1.0F : 0.0F); /* the normal, which is not looked at */
        }
        for (int k = 0; k < 3; k++) {
            add_float(text, two_triangles[i][k]);
        }
        if (i % 3 == 2) {
            vx_text_add_bytes(text, "\0\0", 2);
        }
    }
}

static void make_binary_ply(vx_text *text)
{
    vx_text_add(text, "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\n"
                      "property float y\nproperty float z\nelement face 2\n"
                      "property list uchar int vertex_indices\nend_header\n");
    static const int vertices[] = {0, 1, 2, 5};
    static const uint32_t faces[] = {0, 1, 2, 2, 1, 3};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            add_float(text, two_triangles[vertices[i]][k]);
        }
    }
    for (int i = 0; i < 6; i++) {
        if (i % 3 == 0) {
            vx_text_add_char(text, 3);
        }
        add_word(text, faces[i]);
    }
}

static void add_base64(vx_text *text, const char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t group = 0;
        for (size_t k = 0; k < 3; k++) {
            group = group << 8 | (i + k < size ? (uint8_t)bytes[i + k] : 0);
        }
        for (size_t k = 0; k < 4; k++) {
            vx_text_add_char(text, i + k > size ? '=' : digits[group >> (18 - 6 * k) & 63]);
        }
    }
}

/* Positions and indices of the two triangles, as a glTF buffer. */
static void make_buffer(vx_text *text)
{
    static const int vertices[] = {0, 1, 2, 5};
    static const uint16_t indices[] = {0, 1, 2, 2, 1, 3};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            add_float(text, two_triangles[vertices[i]][k]);
        }
    }
    vx_text_add_bytes(text, indices, sizeof indices);
}

/* glTF around a buffer of 60 bytes: uri is "" in a GLB. */
static void make_gltf(vx_text *text, const char *nodes, const char *uri)
{
    vx_text_format(
        text,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[%s],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
        "\"min\":[0,0,0],\"max\":[2,1,2]},"
        "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48},"
        "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12}],"
        "\"buffers\":[{\"byteLength\":60%s}]}",
        nodes, uri);
}

static void make_embedded_gltf(vx_text *text, const char *nodes)
{
    vx_text buffer = {0};
    vx_text uri = {0};
    make_buffer(&buffer);
    vx_text_add(&uri, ",\"uri\":\"data:application/octet-stream;base64,");
    add_base64(&uri, buffer.bytes, buffer.size);
    vx_text_add(&uri, "\"");
    make_gltf(text, nodes, uri.bytes);
    vx_text_free(&uri);
    vx_text_free(&buffer);
}

static void make_glb(vx_text *text)
{
    vx_text json = {0};
    vx_text buffer = {0};
    make_buffer(&buffer);
    make_gltf(&json, "{\"mesh\":0}", "");
    while (json.size % 4 != 0) {
        vx_text_add_char(&json, ' ');
    }
    vx_text_add(text, "glTF");
    add_word(text, 2);
    add_word(text, (uint32_t)(12 + 8 + json.size + 8 + buffer.size));
    add_word(text, (uint32_t)json.size);
    vx_text_add(text, "JSON");
    vx_text_add_bytes(text, json.bytes, json.size);
    add_word(text, (uint32_t)buffer.size);
    vx_text_add_bytes(text, "BIN", 4);
    vx_text_add_bytes(text, buffer.bytes, buffer.size);
    vx_text_free(&json);
    vx_text_free(&buffer);
}

static void make_plain_gltf(vx_text *text)
{
    make_embedded_gltf(text, "{\"mesh\":0}");
}

static const char obj_text[] = "v 0 0 0\nv 0 0 2\nv 2 0 0\nv 2 1 2\nf 1 2 3\nf 3 2 4\n";

static const char stl_text[] =
    "solid t\nfacet normal 0 1 0\nouter loop\nvertex 0 0 0\nvertex 0 0 2\nvertex 2 0 0\nendloop\n"
    "endfacet\nfacet normal 0 1 0\nouter loop\nvertex 2 0 0\nvertex 0 0 2\nvertex 2 1 2\nendloop\n"
    "endfacet\nendsolid t\n";

static const char ply_text[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
    "z\n"
    "element face 2\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n0 0 2\n2 0 0\n"
    "2 1 2\n3 0 1 2\n3 2 1 3\n";

Test(import_test, mesh_formats)
{
    static const struct {
        const char *name, *text;
        void (*make)(vx_text *text);
        const char *expected;
    } files[] = {{"a.obj", obj_text, NULL, two_expected},
                 {"A.OBJ", obj_text, NULL, two_expected},
                 {"a.stl", stl_text, NULL, two_expected},
                 {"b.stl", NULL, make_binary_stl, two_expected},
                 {"a.ply", ply_text, NULL, two_expected},
                 {"b.ply", NULL, make_binary_ply, two_expected},
                 {"a.gltf", NULL, make_plain_gltf, two_expected},
                 {"a.glb", NULL, make_glb, two_expected},
                 {"quad.obj", "v 0 0 0\nv 0 0 2\nv 2 0 2\nv 2 0 0\nf 1 2 3 4\n", NULL,
                  "0 0 0  0 0 2  2 0 2; 0 0 0  2 0 2  2 0 0"},
                 {"lines.obj", "v 0 0 0\nv 0 0 2\nv 2 0 0\np 1\nl 1 2 3\nf 1 2 3\n", NULL,
                  "0 0 0  0 0 2  2 0 0"},
                 {"relative.obj", "v 5 5 5\nv 0 0 0\nv 0 0 2\nv 2 0 0\nf -3 -2 -1\n", NULL,
                  "0 0 0  0 0 2  2 0 0"},
                 {"corners.obj",
                  "# a comment\r\nv\t0 0 -0\r\nv 0 0 2 1 0.5 0\r\nv 4 0 0 2\r\nv +2e0 1. 0.2e+1\r\n"
                  "vt 0 0\r\nvn 0 1 0\r\nf 1/1 2//1 \\\r\n3/1/1\r\nf 3 2 4\r\n",
                  NULL, two_expected},
                 {"objects.obj", "o a\nv 0 0 0\nv 0 0 2\nv 2 0 0\nf 1 2 3\no b\nv 2 1 2\nf 3 2 4\n",
                  NULL, two_expected}};
    char *directory = test_directory_new();
    test_run run = {0};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        vx_text bytes = {0};
        if (files[i].make != NULL) {
            files[i].make(&bytes);
        } else {
            vx_text_add(&bytes, files[i].text);
        }
        char *path = test_file(directory, files[i].name, bytes.bytes, bytes.size);
        json_t *made = import(&run, "%s", path);
        check_triangles(files[i].name, made, &run, files[i].expected);
        cr_assert_eq(run.status, VX_EXIT_PASS);
        json_decref(made);
        free(path);
        vx_text_free(&bytes);
    }
    test_run_free(&run);
    test_directory_remove(directory);
}

Test(import_test, equal_vertices_become_one)
{
    char *directory = test_directory_new();
    test_run run = {0};
    char *path = test_file(directory, "a.obj", obj_text, strlen(obj_text));
    json_t *made = import(&run, "%s", path);
    json_t *step = first_step(made);
    cr_assert_eq(json_array_size(json_object_get(step, "vertices")), 12);
    static const int expected[] = {0, 1, 2, 2, 1, 3};
    for (size_t i = 0; i < 6; i++) {
        cr_assert_eq((int)number_at(json_object_get(step, "indices"), i), expected[i]);
    }
    json_decref(made);
    free(path);
    test_run_free(&run);
    test_directory_remove(directory);
}

/* Transforms of nodes: the outer one comes last, and a mirrored node keeps its faces outward. */
Test(import_test, node_transforms)
{
    static const struct {
        const char *nodes, *expected;
    } scenes[] = {
        {"{\"mesh\":0,\"translation\":[10,20,30]}",
         "10 20 30  10 20 32  12 20 30; 12 20 30  10 20 32  12 21 32"},
        {"{\"mesh\":0,\"scale\":[2,3,0.5]}", "0 0 0  0 0 1  4 0 0; 4 0 0  0 0 1  4 3 1"},
        {"{\"children\":[1],\"scale\":[2,2,2]},{\"mesh\":0,\"translation\":[1,0,0]}",
         "2 0 0  2 0 4  6 0 0; 6 0 0  2 0 4  6 2 4"},
        {"{\"children\":[1,2]},{\"mesh\":0},{\"mesh\":0,\"translation\":[0,1,0]}",
         "0 0 0  0 0 2  2 0 0; 2 0 0  0 0 2  2 1 2; 0 1 0  0 1 2  2 1 0; 2 1 0  0 1 2  2 2 2"},
        {"{\"mesh\":0,\"matrix\":[0,0,-1,0, 0,1,0,0, 1,0,0,0, 5,0,0,1]}",
         "5 0 0  7 0 0  5 0 -2; 5 0 -2  7 0 0  7 1 -2"},
        {"{\"mesh\":0,\"scale\":[-1,1,1]}", "-2 0 0  0 0 2  0 0 0; -2 1 2  0 0 2  -2 0 0"}};
    char *directory = test_directory_new();
    test_run run = {0};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        vx_text bytes = {0};
        make_embedded_gltf(&bytes, scenes[i].nodes);
        char *path = test_file(directory, "a.gltf", bytes.bytes, bytes.size);
        json_t *made = import(&run, "%s", path);
        check_triangles(scenes[i].nodes, made, &run, scenes[i].expected);
        json_decref(made);
        free(path);
        vx_text_free(&bytes);
    }
    test_run_free(&run);
    test_directory_remove(directory);
}

/* A glTF file may name buffers in its own folder and below it; nothing outside is read. */
Test(import_test, buffers_beside_the_mesh)
{
    static const struct {
        const char *uri;
        bool is_read;
    } buffers[] = {{"a.bin", true},         {"in/a.bin", true},
                   {"./in/../a.bin", true}, {"../secret.bin", false},
                   {"outside.bin", false},  {"in/../../secret.bin", false}};
    char *directory = test_directory_new();
    vx_text bytes = {0};
    vx_text link = {0};
    test_run run = {0};
    make_buffer(&bytes);
    static const char *const copies[] = {"secret.bin", "m/a.bin", "m/in/a.bin"};
    for (size_t i = 0; i < 3; i++) {
        free(test_file(directory, copies[i], bytes.bytes, bytes.size));
    }
    vx_text_format(&link, "%s/m/outside.bin", directory);
    cr_assert_eq(symlink("../secret.bin", link.bytes), 0);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        vx_text uri = {0};
        vx_text gltf = {0};
        vx_text_format(&uri, ",\"uri\":\"%s\"", buffers[i].uri);
        make_gltf(&gltf, "{\"mesh\":0}", uri.bytes);
        char *path = test_file(directory, "m/a.gltf", gltf.bytes, gltf.size);
        json_t *made = import(&run, "%s", path);
        cr_expect_eq(made != NULL, buffers[i].is_read, "%s: %s", buffers[i].uri,
                     vx_text_string(&run.err));
        json_decref(made);
        free(path);
        vx_text_free(&uri);
        vx_text_free(&gltf);
    }
    vx_text_free(&bytes);
    vx_text_free(&link);
    test_run_free(&run);
    test_directory_remove(directory);
}

/* What faced the axis faces up afterwards. */
Test(import_test, up)
{
    static const struct {
        const char *up, *text, *expected;
    } turns[] = {{"y", "v 0 5 0\nv 0 5 1\nv 1 5 0\nf 1 2 3\n", "0 5 0  0 5 1  1 5 0"},
                 {"z", "v 0 0 5\nv 1 0 5\nv 0 1 5\nf 1 2 3\n", "0 5 0  1 5 0  0 5 -1"},
                 {"x", "v 5 0 0\nv 5 1 0\nv 5 0 1\nf 1 2 3\n", "0 5 0  -1 5 0  0 5 1"},
                 {"-y", "v 0 -5 0\nv 1 -5 0\nv 0 -5 1\nf 1 2 3\n", "0 5 0  1 5 0  0 5 -1"},
                 {"-z", "v 0 0 -5\nv 0 1 -5\nv 1 0 -5\nf 1 2 3\n", "0 5 0  0 5 1  1 5 0"},
                 {"-x", "v -5 0 0\nv -5 0 1\nv -5 1 0\nf 1 2 3\n", "0 5 0  0 5 1  1 5 0"}};
    char *directory = test_directory_new();
    test_run run = {0};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        double corners[9];
        char *path = test_file(directory, "a.obj", turns[i].text, strlen(turns[i].text));
        json_t *made = import(&run, "%s --up %s", path, turns[i].up);
        check_triangles(turns[i].up, made, &run, turns[i].expected);
        for (size_t k = 0; k < 9; k++) {
            corners[k] = number_at(json_object_get(first_step(made), "vertices"), k);
        }
        double normal = (corners[5] - corners[2]) * (corners[6] - corners[0]) -
                        (corners[3] - corners[0]) * (corners[8] - corners[2]);
        cr_assert_gt(normal, 0, "%s faces down", turns[i].up);
        json_decref(made);
        free(path);
    }
    test_run_free(&run);
    test_directory_remove(directory);
}

/* --- options ---------------------------------------------------------------------------------- */

Test(import_test, bounds)
{
    static const struct {
        const char *name, *text, *options;
        double min[3], max[3];
    } cases[] = {{"around all", obj_text, "--cell-size 1 --cell-height 0.25", {0, 0, 0}, {2, 1, 2}},
                 {"only what is used",
                  "v -9 -9 -9\nv 0 0 0\nv 0 1 2\nv 2 0 0\nv 9 9 9\nf 2 3 4\n",
                  "--cell-size 1 --cell-height 0.25",
                  {0, 0, 0},
                  {2, 1, 2}},
                 {"a row deeper",
                  obj_text,
                  "--cell-size 1 --cell-height 0.25 --floor-row",
                  {0, -0.25, 0},
                  {2, 1, 2}},
                 {"a flat mesh",
                  "v 0 7 0\nv 0 7 2\nv 2 7 0\nf 1 2 3\n",
                  "--cell-size 1 --cell-height 0.5",
                  {0, 7, 0},
                  {2, 7.5, 2}},
                 {"a flat mesh, a row deeper",
                  "v 0 7 0\nv 0 7 2\nv 2 7 0\nf 1 2 3\n",
                  "--cell-size 1 --cell-height 0.5 --floor-row",
                  {0, 6.5, 0},
                  {2, 7, 2}},
                 {"a wall",
                  "v 3 0 0\nv 3 4 0\nv 3 0 4\nf 1 2 3\n",
                  "--cell-size 0.5 --cell-height 1",
                  {3, 0, 0},
                  {3.5, 4, 4}},
                 {"a wall at the end of the world",
                  "v 2097152 0 0\nv 2097152 4 0\nv 2097152 0 4\nf 1 2 3\n",
                  "--cell-size 0.5 --cell-height 1",
                  {2097151.5, 0, 0},
                  {2097152, 4, 4}},
                 {"a floor at the bottom of the world",
                  "v 0 -2097152 0\nv 0 -2097152 2\nv 2 -2097152 0\nf 1 2 3\n",
                  "--cell-size 0.5 --cell-height 1 --floor-row",
                  {0, -2097152, 0},
                  {2, -2097151, 2}},
                 {"given", obj_text, "--bounds -1,-2.5,-3,4,5,6e0", {-1, -2.5, -3}, {4, 5, 6}}};
    char *directory = test_directory_new();
    test_run run = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *path = test_file(directory, "a.obj", cases[i].text, strlen(cases[i].text));
        json_t *made = import(&run, "%s %s", path, cases[i].options);
        cr_assert_not_null(made, "%s: %s", cases[i].name, vx_text_string(&run.err));
        check_bounds(cases[i].name, made, cases[i].min, cases[i].max);
        json_decref(made);
        free(path);
    }
    test_run_free(&run);
    test_directory_remove(directory);
}

/* The steps but the first, as they are written. */
static char *filters(json_t *made)
{
    json_t *steps = json_copy(json_object_get(made, "steps"));
    (void)json_array_remove(steps, 0);
    char *text = json_dumps(steps, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(steps);
    return text;
}

Test(import_test, the_pipeline_and_its_numbers)
{
    char *directory = test_directory_new();
    test_run run = {0};
    char *path = test_file(directory, "room.obj", obj_text, strlen(obj_text));
    json_t *made = import(&run, "%s", path);
    char *text = filters(made);
    cr_assert_str_eq(text, "[{\"climb\":4,\"op\":\"lowHanging\"},"
                           "{\"climb\":4,\"height\":10,\"op\":\"ledges\"},"
                           "{\"height\":10,\"op\":\"lowHeight\"},"
                           "{\"climb\":4,\"height\":10,\"op\":\"compact\"},"
                           "{\"op\":\"erode\",\"radius\":2}]");
    free(text);
    cr_assert_eq(json_integer_value(json_object_get(first_step(made), "mergeThreshold")), 4);
    cr_assert_eq(json_real_value(json_object_get(first_step(made), "slopeCosine")),
                 (double)0x1.6a09e6p-1f);
    json_t *grid = json_object_get(made, "grid");
    cr_assert_eq(json_real_value(json_object_get(grid, "cellSize")), (double)0.3F);
    cr_assert_eq(json_real_value(json_object_get(grid, "cellHeight")), (double)0.2F);
    cr_assert_str_eq(json_string_value(json_object_get(made, "name")), "import/room");
    json_decref(made);

    made = import(&run, "%s --height 7 --climb 3 --radius 5 --slope 0.5 --name my/room", path);
    text = filters(made);
    cr_assert_str_eq(text, "[{\"climb\":3,\"op\":\"lowHanging\"},"
                           "{\"climb\":3,\"height\":7,\"op\":\"ledges\"},"
                           "{\"height\":7,\"op\":\"lowHeight\"},"
                           "{\"climb\":3,\"height\":7,\"op\":\"compact\"},"
                           "{\"op\":\"erode\",\"radius\":5}]");
    free(text);
    cr_assert_eq(json_integer_value(json_object_get(first_step(made), "mergeThreshold")), 3);
    cr_assert_eq(json_number_value(json_object_get(first_step(made), "slopeCosine")), 0.5);
    cr_assert_str_eq(json_string_value(json_object_get(made, "name")), "my/room");
    json_decref(made);
    free(path);
    test_run_free(&run);
    test_directory_remove(directory);
}

/* What was imported can be run. A floor at the very bottom is there when it is asked for; when it
 * is not, the import says how many triangles are lost. */
Test(import_test, floors_at_the_bottom)
{
    static const struct {
        const char *file, *text, *options, *note, *counts;
    } floors[] = {
        {"floor.obj", "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n", "",
         "note: 2 triangles that face up lie exactly at the bottom of the grid", "walkable    0"},
        {"floor.obj", "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n", "--floor-row", NULL,
         "walkable    576"},
        {"floor.obj", "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 1 9\nf 1 2 3\nf 3 2 1\nf 1 2 4\n", "",
         "note: 1 triangle that faces up lies exactly at the bottom of the grid and leaves no span "
         "(SPEC B2.26); --floor-row adds a row below",
         NULL},
        {"floor.obj", "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n", "--bounds 0,0,0,9,1,9",
         NULL, "walkable    0"},
        {"floor.obj", "v 0 -2097152 0\nv 0 -2097152 2\nv 2 -2097152 0\nf 1 2 3\n", "--floor-row",
         "note: 1 triangle that faces up", NULL},
        {"floor.asc", "ncols 3 nrows 2 xllcorner 0 yllcorner 0 cellsize 1\n5 5 5\n5 5 6\n", "",
         "note: 2 triangles that face up", NULL},
        {"floor.asc", "ncols 3 nrows 2 xllcorner 0 yllcorner 0 cellsize 1\n5 5 5\n5 5 6\n",
         "--floor-row", NULL, NULL}};
    char *directory = test_directory_new();
    test_run run = {0};
    for (size_t i = 0; i < sizeof floors / sizeof floors[0]; i++) {
        char *path = test_file(directory, floors[i].file, floors[i].text, strlen(floors[i].text));
        json_t *made =
            import(&run, "%s --out %s/floor.jsonl %s", path, directory, floors[i].options);
        const char *said = vx_text_string(&run.err);
        cr_assert_null(made, "%zu: nothing but the file", i);
        cr_assert_eq(run.status, VX_EXIT_PASS, "%zu: %s", i, said);
        cr_assert(floors[i].note != NULL ? strstr(said, floors[i].note) != NULL : said[0] == '\0',
                  "%zu: %s", i, said);
        vx_text words = {0};
        vx_text_format(&words, "run %s/floor.jsonl --format counts", directory);
        test_run_voxcert(&run, words.bytes, "");
        cr_assert_eq(run.status, VX_EXIT_PASS);
        cr_assert(floors[i].counts == NULL || strstr(run.out.bytes, floors[i].counts) != NULL,
                  "%zu: %s", i, run.out.bytes);
        vx_text_free(&words);
        free(path);
    }
    test_run_free(&run);
    test_directory_remove(directory);
}

/* Any finite number is a slope, but one that looks like degrees is told about. */
Test(import_test, slopes)
{
    static const struct {
        const char *slope;
        double value;
        const char *note;
    } slopes[] = {
        {"-3", -3, NULL},
        {"1", 1, NULL},
        {"2", 2, "note: --slope 2 is a cosine; above 1 nothing is walkable\n"},
        {"45", 45,
         "note: --slope 45 is a cosine; above 1 nothing is walkable; 45 degrees are --slope "
         "0.70710678\n"},
        {"1e30", (double)1e30F, "note: --slope 1e+30 is a cosine; above 1 nothing is walkable\n"}};
    char *directory = test_directory_new();
    test_run run = {0};
    char *path = test_file(directory, "a.stl", stl_text, strlen(stl_text));
    for (size_t i = 0; i < sizeof slopes / sizeof slopes[0]; i++) {
        json_t *made = import(&run, "%s --floor-row --slope %s", path, slopes[i].slope);
        const char *said = vx_text_string(&run.err);
        cr_assert_not_null(made, "%s: %s", slopes[i].slope, said);
        cr_assert_eq(json_number_value(json_object_get(first_step(made), "slopeCosine")),
                     slopes[i].value, "%s", slopes[i].slope);
        cr_assert(slopes[i].note != NULL ? strstr(said, slopes[i].note) != NULL : said[0] == '\0',
                  "%s: %s", slopes[i].slope, said);
        json_decref(made);
    }
    free(path);
    test_run_free(&run);
    test_directory_remove(directory);
}

/* --- height grids ----------------------------------------------------------------------------- */

/* Writes a PNG into memory; samples are the raw bytes of its rows. */
typedef struct png_look {
    uint32_t width, height;
    int depth, colour, interlace;
} png_look;

static void take_png(png_structp png, png_bytep bytes, png_size_t size)
{
    vx_text_add_bytes(png_get_io_ptr(png), bytes, size);
}

static void flush_png(png_structp png)
{
    (void)png;
}

static void make_png(vx_text *text, png_look look, const uint8_t *samples, size_t row_bytes)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    static const png_color palette[] = {{0, 0, 0}, {255, 255, 255}};
    png_bytep *rows = vx_must_alloc(look.height, sizeof *rows);
    uint8_t *copy = vx_must_alloc(look.height, row_bytes);
    memcpy(copy, samples, look.height * row_bytes);
    for (uint32_t j = 0; j < look.height; j++) {
        rows[j] = copy + j * row_bytes;
    }
    cr_assert_eq(setjmp(png_jmpbuf(png)), 0);
    png_set_write_fn(png, text, take_png, flush_png);
    png_set_IHDR(png, info, look.width, look.height, look.depth, look.colour, look.interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (look.colour == PNG_COLOR_TYPE_PALETTE) {
        png_set_PLTE(png, info, palette, 2);
    }
    png_write_info(png, info);
    png_write_image(png, rows);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    free(rows);
    free(copy);
}

static void check_grid(const char *name, json_t *made, const char *expected)
{
    json_t *step = json_copy(first_step(made));
    (void)json_object_del(step, "slopeCosine");
    (void)json_object_del(step, "mergeThreshold");
    char *text = json_dumps(step, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    cr_assert_str_eq(text, expected, "%s: %s", name, text);
    free(text);
    json_decref(step);
}

Test(import_test, pictures)
{
    static const uint8_t bytes[] = {0, 1, 2, 255, 128, 64};
    static const uint8_t words[] = {0, 0, 1, 0, 255, 255, 0, 7, 0, 8, 0, 9};
    static const struct {
        const char *name, *options;
        png_look look;
        const uint8_t *samples;
        size_t row_bytes;
        const char *expected;
    } pictures[] = {{"8 bits",
                     "--height-scale 0.5 --height-offset -3 --spacing 2",
                     {3, 2, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE},
                     bytes,
                     3,
                     "{\"count\":[3,2],\"heights\":[-3,-2.5,-2,124.5,61,29],\"op\":\"heightGrid\","
                     "\"origin\":[0,0],\"spacing\":2}"},
                    {"16 bits",
                     "--height-scale 1 --spacing 0.5 --origin -4,8 --cell-height 2",
                     {3, 2, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE},
                     words,
                     6,
                     "{\"count\":[3,2],\"heights\":[0,256,65535,7,8,9],\"op\":\"heightGrid\","
                     "\"origin\":[-4,8],\"spacing\":0.5}"},
                    {"interlaced",
                     "--height-scale 1 --spacing 1 --cell-height 2",
                     {3, 2, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7},
                     words,
                     6,
                     "{\"count\":[3,2],\"heights\":[0,256,65535,7,8,9],\"op\":\"heightGrid\","
                     "\"origin\":[0,0],\"spacing\":1}"},
                    {"the defaults are the cell's",
                     "--cell-size 4 --cell-height 0.25",
                     {3, 2, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE},
                     bytes,
                     3,
                     "{\"count\":[3,2],\"heights\":[0,0.25,0.5,63.75,32,16],\"op\":\"heightGrid\","
                     "\"origin\":[0,0],\"spacing\":4}"}};
    char *directory = test_directory_new();
    test_run run = {0};
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        vx_text png = {0};
        make_png(&png, pictures[i].look, pictures[i].samples, pictures[i].row_bytes);
        char *path = test_file(directory, "a.png", png.bytes, png.size);
        json_t *made = import(&run, "%s %s", path, pictures[i].options);
        cr_assert_not_null(made, "%s: %s", pictures[i].name, vx_text_string(&run.err));
        check_grid(pictures[i].name, made, pictures[i].expected);
        json_decref(made);
        free(path);
        vx_text_free(&png);
    }
    test_run_free(&run);
    test_directory_remove(directory);
}

Test(import_test, esri_grids)
{
    static const struct {
        const char *name, *text, *options, *expected;
    } grids[] = {
        {"centres",
         "ncols 3\nnrows 2\nxllcenter 10\nyllcenter 20\ncellsize 2\nNODATA_value -1\n"
         "1 2.5 3\n4 5 -6e-1\n",
         "",
         "{\"count\":[3,2],\"heights\":[1,2.5,3,4,5,-0.59999999999999998],\"op\":\"heightGrid\","
         "\"origin\":[10,-22],\"spacing\":2}"},
        {"corners, words in any case and order, one line",
         "CELLSIZE 2 NROWS 2 nCols 3\r\nYLLCORNER 20 XLLCORNER 10 1 2 3 4 5 6", "",
         "{\"count\":[3,2],\"heights\":[1,2,3,4,5,6],\"op\":\"heightGrid\",\"origin\":[11,-23],"
         "\"spacing\":2}"},
        {"corner and centre, a hole's value in capitals",
         "XLLCORNER 10\r\nYLLCENTER 20\r\nnodata_VALUE 7\r\nNROWS 2\r\ncellsize 2\r\n"
         "ncols 3\r\n1 2 3\r\n4 5 6\r\n",
         "",
         "{\"count\":[3,2],\"heights\":[1,2,3,4,5,6],\"op\":\"heightGrid\",\"origin\":[11,-22],"
         "\"spacing\":2}"},
        {"scaled and moved",
         "ncols 2\nnrows 2\nxllcorner 5e6\nyllcorner 5e6\ncellsize 1\n1 2\n3 4\n",
         "--origin 0.5,-2 --height-scale 10 --height-offset 1",
         "{\"count\":[2,2],\"heights\":[11,21,31,41],\"op\":\"heightGrid\",\"origin\":[0.5,-2],"
         "\"spacing\":1}"}};
    char *directory = test_directory_new();
    test_run run = {0};
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        char *path = test_file(directory, "a.asc", grids[i].text, strlen(grids[i].text));
        json_t *made = import(&run, "%s %s", path, grids[i].options);
        cr_assert_not_null(made, "%s: %s", grids[i].name, vx_text_string(&run.err));
        check_grid(grids[i].name, made, grids[i].expected);
        json_decref(made);
        free(path);
    }
    test_run_free(&run);
    test_directory_remove(directory);
}

/* --- errors ----------------------------------------------------------------------------------- */

/* The import fails as usage, says so in these words, and leaves nothing in the directory. */
static void check_refused(const char *name, const char *directory, test_run *run, const char *path,
                          const char *options, const char *words)
{
    char target[256];
    struct stat there;
    (void)snprintf(target, sizeof target, "%s/out.jsonl", directory);
    json_t *made = import(run, "%s --out %s %s", path, target, options);
    const char *message = vx_text_string(&run->err);
    cr_assert_null(made, "%s", name);
    cr_assert_eq(run->status, VX_EXIT_USAGE, "%s: status %d: %s", name, run->status, message);
    cr_assert_eq(strncmp(message, "voxcert: ", 9), 0, "%s: %s", name, message);
    cr_assert_not_null(strstr(message, words), "%s: '%s' is not in: %s", name, words, message);
    cr_assert_neq(stat(target, &there), 0, "%s: there is a file", name);
}

Test(import_test, errors)
{
    static const char grid_head[] =
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9\n";
    static const char triangle[] = "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n";
    static const struct {
        const char *file, *text, *options, *words;
    } errors[] = {
        {"a.obj", "", "", "a.obj: it cannot be read"},
        {"a.obj", "v 0 0 0\nv 1 1 1\nl 1 2\n", "", "it holds no triangle"},
        {"a.obj", "v 0 0 0\nv 0 0 3e6\nv 1 0 0\nf 1 2 3\n", "",
         "vertex 1: z = 3000000 lies beyond ±2097152"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv -2.0972e6 0 0\nf 1 2 3\n", "", "vertex 2: x = -2097200"},
        {"a.obj", "v 0 nan 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n", "", "vertex 0: y is NaN"},
        {"a.xyz", triangle, "", "a.xyz: an OBJ, glTF, GLB, STL or PLY file is needed"},
        {"noextension", triangle, "", "is needed"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 400000 70000 300000\nf 1 2 3\n", "",
         "W 1333334, D 1000000, H 350000; at most 65536, 65536 (W·D 16777216), 65535; "
         "--cell-size 85 --cell-height 1.1 would fit"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 1 20000 1\nf 1 2 3\n", "", "--cell-size 0.3 --cell-height"},
        {"a.obj", triangle, "--cell-size 0",
         "--cell-size 0: a value in [2^-20, 2^20], ends included, is needed (SPEC B1.2)"},
        {"a.obj", triangle, "--cell-size 2e6", "--cell-size 2000000: a value in [2^-20, 2^20]"},
        {"a.obj", triangle, "--cell-size nan", "--cell-size nan: a value in [2^-20, 2^20]"},
        {"a.obj", triangle, "--cell-size x", "--cell-size x: a number is needed"},
        {"a.obj", triangle, "--cell-height 1e-7", "--cell-height 1e-07: a value in [2^-20, 2^20]"},
        {"a.obj", triangle, "--height 0",
         "--height 0: an integer from 1 to 2^30 is needed (SPEC B0.12)"},
        {"a.obj", triangle, "--height 1.5", "--height 1.5: a whole number"},
        {"a.obj", triangle, "--climb -1", "--climb -1: an integer from 0 to 2^30"},
        {"a.obj", triangle, "--climb 1073741825", "--climb 1073741825: an integer from 0 to 2^30"},
        {"a.obj", triangle, "--radius 1048577", "--radius 1048577: an integer from 0 to 2^20"},
        {"a.obj", triangle, "--slope nan", "--slope nan: a finite number is needed (SPEC B2.7)"},
        {"a.obj", triangle, "--slope 1e39", "--slope inf: a finite number is needed (SPEC B2.7)"},
        {"a.obj", triangle, "--slope 45x", "--slope 45x: a number is needed"},
        {"a.obj", triangle, "--floor-row --bounds 0,0,0,1,1,1",
         "--bounds and --floor-row exclude each other"},
        {"a.obj", "v 0 0 0\nv 1 0 x\nv 0 0 1\nf 1 2 3\n", "",
         "a.obj: line 2: a vertex has 'x' for a number"},
        {"a.obj", "v 0 0 0\n# two\nv 1 0 1,5\nf 1 2 1\n", "", "line 3: a vertex has '1,5'"},
        {"a.obj", "v 0 0 0\nv 0 0 .5\nf 1 2 1\n", "", "line 2: a vertex has '.5' for a number"},
        {"a.obj", "v 0 0 0\n v 1 0 1\nf 1 2 1\n", "",
         "line 2: a vertex or face must begin at the start of its line"},
        {"a.obj", "v 0 0 0x1\nf 1 1 1\n", "", "line 1: a vertex has '0x1' for a number"},
        {"a.obj", "v 0 0 0\nv 1 \\\n 0 \\\r\n y\nv 0 0 1\n", "", "line 2: a vertex has 'y'"},
        {"a.obj", "v 1 \\\n 0 \\\r\n 2\nv 0 0\n", "", "line 4: a vertex has 2 of 3 coordinates"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 4\n", "", "line 4: a face has vertex 4 of 3"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 0\n", "", "line 4: a face has vertex 0 of 3"},
        {"a.obj", "v 0 0 0\nf -2 1 1\nv 1 0 0\n", "", "line 2: a face has vertex -2 of 2"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3x\n", "",
         "line 4: a face has '3x' for a corner"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1/1/1/1 2 3\n", "", "'1/1/1/1' for a corner"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 9999999999999999999\n", "",
         "line 4: a face has '9999999999999999999' for a corner"},
        {"a.obj", triangle, "--bounds 0,0,0,1,1", "--bounds 0,0,0,1,1: 6 numbers"},
        {"a.obj", triangle, "--bounds 0,0,0,1,1,1,1", "6 numbers"},
        {"a.obj", triangle, "--bounds 0,0,0,1,0,1", "the bounds are empty: y from 0 to 0"},
        {"a.obj", triangle, "--bounds 0,0,0,1,nan,1", "bound 1: y is NaN"},
        {"a.obj", triangle, "--bounds -3e6,0,0,1,1,1", "bound 0: x = -3000000"},
        {"a.obj", triangle, "--up w", "--up w: one of x, y, z"},
        {"a.obj", triangle, "--spacing 2", "--spacing means nothing for a mesh"},
        {"a.obj", triangle, "--origin 0,0", "--origin means nothing for a mesh"},
        {"a.obj", triangle, "extra.obj", "takes FILE"},
        {"a.asc", "", "", "ncols is missing"},
        {"a.asc", "ncols 2 nrows", "", "nrows: a finite number is needed"},
        {"a.asc", "ncols 2.5 nrows 2 xllcorner 0 yllcorner 0 cellsize 1 1 2 3 4", "",
         "ncols is no whole number"},
        {"a.asc", "ncols 2 nrows 1 xllcorner 0 yllcorner 0 cellsize 1 1 2", "",
         "2 columns and 1 rows"},
        {"a.asc", "ncols -2 nrows -2 xllcorner 0 yllcorner 0 cellsize 1 1 2 3 4", "", "-2 columns"},
        {"a.asc", "ncols 1e9 nrows 1e9 xllcorner 0 yllcorner 0 cellsize 1 1 2 3 4", "",
         "more than 16777216 heights"},
        {"a.asc", "ncols 2 nrows 2 xllcorner 0 xllcenter 0 yllcorner 0 cellsize 1 1 2 3 4", "",
         "one of xllcorner and xllcenter"},
        {"a.asc", "ncols 2 nrows 2 xllcorner 0 cellsize 1 1 2 3 4", "", "one of yllcorner"},
        {"a.asc", "ncols 2 nrows 2 ncols 2", "", "ncols stands twice"},
        {"a.asc", "ncols 2 nrows 2 xllcorner 0 yllcorner 0 cellsize 0 1 2 3 4", "", "cellsize 0"},
        {"a.asc", "ncols 2 nrows 2 dx 1", "", "'dx' is none of its header's words"},
        {"a.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 -9999", "",
         "row 2, column 2 is a hole (NODATA_value -9999)"},
        {"a.asc", "ncols 2\nnrows 2\nxllcorner 5e6\nyllcorner 0\ncellsize 1\n1 2 3 4", "",
         "height 0: x = 5000000.5 lies beyond ±2097152, ±2^21; --origin 0,0 puts"},
        {"a.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 4649776\ncellsize 1\n1 2 3 4", "",
         "height 0: z = -4649777.5 lies beyond ±2097152, ±2^21; --origin 0,0 puts the first "
         "height"},
        {"a.asc", "ncols 2 nrows 2 xllcorner 0 yllcorner 0\n1 2 3 4", "", "cellsize is missing"},
        {"a.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 9e9\n1 2 3 4", "",
         "height 0: x = 4500000000 lies beyond"},
        {"grid", "1 -9\n3 4\n", "", "row 1, column 2 is a hole (NODATA_value -9)"},
        {"grid", "1 2\n3\n", "", "row 2, column 2: a finite number is needed, not the end"},
        {"grid", "1 2\nx 4\n", "", "row 2, column 1: a finite number is needed, not 'x'"},
        {"grid", "1 2\ninf 4\n", "", "not 'inf'"},
        {"grid", "1 2,5\n3 4\n", "", "not '2,5'"},
        {"grid", "1 2\n3 4 5\n", "", "'5' stands behind the last value"},
        {"grid", "1 2\n3 3e6\n", "", "height 3: y = 3000000"},
        {"grid", "1 2\n3 4\n", "--up z", "--up means nothing for an ESRI ASCII grid"},
        {"grid", "1 2\n3 4\n", "--spacing 2", "--spacing means nothing for an ESRI ASCII grid"},
        {"grid", "1 2\n3 4\n", "--origin 1", "--origin 1: 2 numbers"},
        {"grid", "1 2\n3 4\n", "--height-scale nan", "--height-scale nan"},
        {"a.png", "PNG", "", "no PNG, or a damaged one"},
        {"a.png", "PNG", "--spacing 0", "--spacing 0"},
        {"a.png", "PNG", "--up z", "--up means nothing for a picture"}};
    char *directory = test_directory_new();
    test_run run = {0};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        vx_text bytes = {0};
        bool grid = strcmp(errors[i].file, "grid") == 0;
        vx_text_add(&bytes, grid ? grid_head : "");
        vx_text_add(&bytes, errors[i].text);
        char *path = test_file(directory, grid ? "a.asc" : errors[i].file, vx_text_string(&bytes),
                               bytes.size);
        char name[300];
        (void)snprintf(name, sizeof name, "%s %.150s %s", errors[i].file, errors[i].text,
                       errors[i].options);
        check_refused(name, directory, &run, path, errors[i].options, errors[i].words);
        (void)unlink(path);
        free(path);
        vx_text_free(&bytes);
    }
    cr_assert_eq(rmdir(directory), 0, "something is left");
    free(directory);
    test_run_free(&run);
}

Test(import_test, files_that_are_none)
{
    char *directory = test_directory_new();
    test_run run = {0};
    char path[300];
    static const char *const names[] = {"a.obj", "a.png", "a.asc"};
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        check_refused("missing", directory, &run, path, "", "No such file");
        cr_assert_eq(mkdir(path, 0777), 0);
        check_refused("a directory", directory, &run, path, "", "a regular file is needed");
        cr_assert_eq(rmdir(path), 0);
        cr_assert_eq(mkfifo(path, 0600), 0);
        check_refused("a pipe", directory, &run, path, "", "a regular file is needed");
        cr_assert_eq(unlink(path), 0);
        /* Larger than what is read at all, without taking the room. */
        FILE *file = fopen(path, "w");
        cr_assert_eq(ftruncate(fileno(file), ((off_t)512 << 20) + 1), 0);
        (void)fclose(file);
        check_refused("too large", directory, &run, path, "", "536870913 bytes are more than");
        cr_assert_eq(unlink(path), 0);
    }
    test_run_free(&run);
    test_directory_remove(directory);
}

Test(import_test, output)
{
    char *directory = test_directory_new();
    test_run run = {0};
    char target[300];
    struct stat there;
    char *path = test_file(directory, "a.obj", obj_text, strlen(obj_text));
    char *old = test_file(directory, "old.jsonl", "old\n", 4);
    char *bad = test_file(directory, "bad.obj", "v 0 0 0\n", 8);
    cr_assert_eq(chmod(old, 0640), 0);

    cr_assert_null(import(&run, "%s --out %s", bad, old));
    vx_text kept = {0};
    cr_assert_eq(vx_file_read(old, 1000, &kept, NULL), VX_OK);
    cr_assert_str_eq(kept.bytes, "old\n", "a failure leaves what was there");
    vx_text_free(&kept);

    (void)snprintf(target, sizeof target, "%s/link.jsonl", directory);
    cr_assert_eq(symlink("old.jsonl", target), 0);
    cr_assert_null(import(&run, "%s --out %s", path, target));
    cr_assert_eq(run.status, VX_EXIT_PASS, "%s", vx_text_string(&run.err));
    cr_assert(lstat(target, &there) == 0 && S_ISLNK(there.st_mode), "the link stays");
    cr_assert(stat(old, &there) == 0 && there.st_size > 4 && (there.st_mode & 0777) == 0640);

    cr_assert_null(import(&run, "%s --out %s/none/a.jsonl", path, directory));
    cr_assert_eq(run.status, VX_EXIT_USAGE);
    cr_assert_null(import(&run, "%s --out /dev/full", path));
    cr_assert_eq(run.status, VX_EXIT_USAGE);
    cr_assert_not_null(strstr(run.err.bytes, "/dev/full: No space left"));
    cr_assert(stat("/dev/full", &there) == 0 && S_ISCHR(there.st_mode), "a device stays one");
    vx_text command = {0};
    vx_text_format(&command, "exec %s import %s >/dev/full", test_voxcert(), path);
    const char *const shell[] = {"sh", "-c", command.bytes, NULL};
    test_run_program(&run, NULL, shell, "");
    cr_assert_eq(run.status, VX_EXIT_INTERNAL, "%d", run.status);
    cr_assert_not_null(strstr(run.err.bytes, "standard output cannot be written"));
    vx_text_free(&command);
    json_t *made = import(&run, "%s --out -", path);
    cr_assert_not_null(made);
    json_decref(made);
    free(path);
    free(old);
    free(bad);
    test_run_free(&run);
    test_directory_remove(directory);
}

/* --- malformed files -------------------------------------------------------------------------- */

/* Whatever it is: the program ends by itself, well or with a message, and leaves no scrap. */
static void check_survives(const char *directory, const char *name, const char *bytes, size_t size)
{
    test_run run = {0};
    char target[300];
    struct stat there;
    char *path = test_file(directory, name, bytes, size);
    (void)snprintf(target, sizeof target, "%s/out.jsonl", directory);
    cr_assert_null(import(&run, "%s --out %s", path, target));
    bool made = stat(target, &there) == 0;
    cr_assert(run.status == (made ? VX_EXIT_PASS : VX_EXIT_USAGE), "%s (%zu bytes): status %d: %s",
              name, size, run.status, vx_text_string(&run.err));
    (void)unlink(target);
    cr_assert_eq(unlink(path), 0);
    free(path);
    test_run_free(&run);
}

static void make_huge_stl(vx_text *text)
{
    make_binary_stl(text);
    memset(text->bytes + 80, 0xff, 4); /* four thousand million triangles */
}

static void make_huge_ply(vx_text *text)
{
    vx_text_add(text, "ply\nformat binary_little_endian 1.0\nelement vertex 4294967295\n"
                      "property float x\nproperty float y\nproperty float z\n"
                      "element face 4294967295\nproperty list uint int vertex_indices\n"
                      "end_header\n\xff\xff\xff\xff\xff\xff\xff\xff");
}

static void make_huge_gltf(vx_text *text)
{
    vx_text_add(text, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
                      "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":"
                      "{\"POSITION\":0}}]}],\"accessors\":[{\"componentType\":5126,"
                      "\"count\":4000000000,\"type\":\"VEC3\"}]}");
}

static void make_loop_gltf(vx_text *text)
{
    make_embedded_gltf(text, "{\"mesh\":0,\"children\":[1]},{\"children\":[0]}");
}

static void make_deep_gltf(vx_text *text)
{
    vx_text nodes = {0};
    for (int i = 0; i < 3000; i++) {
        vx_text_format(&nodes, "{\"children\":[%d]},", i + 1);
    }
    vx_text_add(&nodes, "{\"mesh\":0}");
    make_embedded_gltf(text, nodes.bytes);
    vx_text_free(&nodes);
}

static void make_nested_json(vx_text *text)
{
    for (int i = 0; i < 100000; i++) {
        vx_text_add_char(text, '[');
    }
}

static void make_outside_gltf(vx_text *text)
{
    make_gltf(text, "{\"mesh\":0}", ",\"uri\":\"/dev/zero\"");
}

static void make_bad_index_obj(vx_text *text)
{
    vx_text_add(text, "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 4\nf 0 1 2\nf 1 2 99999999999\nf -9 1 2\n");
}

static void make_huge_png(vx_text *text)
{
    /* A header that tells of 2^31 − 1 by 2^31 − 1 pixels, its checksum right. */
    static const unsigned char head[] = {
        0x89, 'P',  'N',  'G',  13,   10,   26,   10, 0, 0, 0, 13, 'I',  'H',  'D',  'R', 0x7f,
        0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 16, 0, 0, 0, 0,  0x61, 0x32, 0x88, 0xf9};
    vx_text_add_bytes(text, head, sizeof head);
}

Test(import_test, absurd_files)
{
    test_deadline(300);
    static const struct {
        const char *name;
        void (*make)(vx_text *text);
    } files[] = {{"huge.stl", make_huge_stl},
                 {"huge.ply", make_huge_ply},
                 {"huge.gltf", make_huge_gltf},
                 {"loop.gltf", make_loop_gltf},
                 {"deep.gltf", make_deep_gltf},
                 {"nested.gltf", make_nested_json},
                 {"outside.gltf", make_outside_gltf},
                 {"index.obj", make_bad_index_obj},
                 {"huge.png", make_huge_png},
                 {"stl.glb", make_binary_stl},
                 {"glb.obj", make_glb},
                 {"ply.stl", make_binary_ply}};
    char *directory = test_directory_new();
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        vx_text bytes = {0};
        files[i].make(&bytes);
        check_survives(directory, files[i].name, bytes.bytes, bytes.size);
        vx_text_free(&bytes);
    }
    test_directory_remove(directory);
}

static void make_grey_png(vx_text *text)
{
    uint8_t samples[64];
    for (size_t i = 0; i < sizeof samples; i++) {
        samples[i] = (uint8_t)(i * 37);
    }
    make_png(text, (png_look){8, 4, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7}, samples, 16);
}

static void make_asc(vx_text *text)
{
    vx_text_add(text, "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n");
}

static void make_obj(vx_text *text)
{
    vx_text_add(text, obj_text);
}

/* Every format cut short at many places, and with bytes changed at many places. */
Test(import_test, damaged_files)
{
    test_deadline(600);
    static const struct {
        const char *name;
        void (*make)(vx_text *text);
    } files[] = {{"a.obj", make_obj},        {"a.stl", make_binary_stl},
                 {"a.ply", make_binary_ply}, {"a.gltf", make_plain_gltf},
                 {"a.glb", make_glb},        {"a.png", make_grey_png},
                 {"a.asc", make_asc}};
    enum { PLACES = 4 };
    char *directory = test_directory_new();
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        vx_text bytes = {0};
        files[i].make(&bytes);
        for (size_t place = 0; place < PLACES; place++) {
            size_t at = bytes.size * place / PLACES;
            check_survives(directory, files[i].name, bytes.bytes, at);
            char *changed = vx_must_alloc(bytes.size, 1);
            memcpy(changed, bytes.bytes, bytes.size);
            for (size_t k = 0; k < 4; k++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                changed[(random >> 33) % bytes.size] = (char)(random >> 25);
            }
            check_survives(directory, files[i].name, changed, bytes.size);
            free(changed);
        }
        vx_text_free(&bytes);
    }
    test_directory_remove(directory);
}

/* Pictures that are whole but not of the kind that is read. */
Test(import_test, other_pictures)
{
    static const uint8_t samples[32] = {0};
    static const struct {
        png_look look;
        size_t row_bytes;
        const char *words;
    } pictures[] = {
        {{2, 2, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE}, 6, "8 bits of colour type 2"},
        {{2, 2, 8, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_INTERLACE_NONE}, 4, "colour type 4"},
        {{2, 2, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE}, 2, "colour type 3"},
        {{2, 2, 4, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE}, 1, "4 bits of colour type 0"},
        {{2, 1, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE}, 2, "2 columns and 1 rows"}};
    char *directory = test_directory_new();
    test_run run = {0};
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        vx_text png = {0};
        make_png(&png, pictures[i].look, samples, pictures[i].row_bytes);
        char *path = test_file(directory, "a.png", png.bytes, png.size);
        check_refused(pictures[i].words, directory, &run, path, "", pictures[i].words);
        free(path);
        vx_text_free(&png);
    }
    test_run_free(&run);
    test_directory_remove(directory);
}

/* The reader's process is stopped when its time is up. */
Test(import_test, time_limit)
{
    vx_text bytes = {0};
    char *directory = test_directory_new();
    for (int i = 0; i < 20000; i++) {
        vx_text_format(&bytes, "v %d 0 0\nv %d 0 1\nv %d 1 0\nf -3 -2 -1\n", i, i, i);
    }
    char *path = test_file(directory, "a.obj", bytes.bytes, bytes.size);
    vx_mesh_limits limits = vx_mesh_default_limits(bytes.size);
    vx_import_mesh mesh = {0};
    vx_error error;
    limits.milliseconds = 0;
    cr_assert_eq(vx_mesh_file_read(path, &limits, &mesh, &error), VX_ARGUMENT);
    cr_assert_not_null(strstr(error.message, "a.obj: its reader was stopped: 0 ms are up"), "%s",
                       error.message);
    cr_assert_null(mesh.vertices);
    cr_assert_eq(vx_mesh_file_read(path, NULL, &mesh, NULL), VX_OK);
    cr_assert_eq(mesh.triangle_count, 20000);
    vx_import_mesh_free(&mesh);
    free(path);
    vx_text_free(&bytes);
    test_directory_remove(directory);
}

/* A scene may use a mesh many times, but not without end. */
Test(import_test, too_many_triangles)
{
    test_deadline(120);
    enum { TRIANGLES = 20000, NODES = 500 };
    vx_text buffer = {0};
    vx_text json = {0};
    for (int i = 0; i < 3 * TRIANGLES; i++) {
        add_float(&buffer, i % 3 == 0 ? 1.0F : 0.0F);
        add_float(&buffer, 0.0F);
        add_float(&buffer, i % 3 == 1 ? 1.0F : 0.0F);
    }
    vx_text_add(&json, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0");
    for (int i = 1; i < NODES; i++) {
        vx_text_format(&json, ",%d", i);
    }
    vx_text_add(&json, "]}],\"nodes\":[{\"mesh\":0}");
    for (int i = 1; i < NODES; i++) {
        vx_text_add(&json, ",{\"mesh\":0}");
    }
    vx_text_format(&json,
                   "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                   "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%d,"
                   "\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],"
                   "\"buffers\":[{\"byteLength\":%zu,\"uri\":\"a.bin\"}]}",
                   3 * TRIANGLES, buffer.size, buffer.size);
    char *directory = test_directory_new();
    test_run run = {0};
    char *data = test_file(directory, "a.bin", buffer.bytes, buffer.size);
    char *path = test_file(directory, "a.gltf", json.bytes, json.size);
    check_refused("instances", directory, &run, path, "", "more than 8388608 triangles");
    free(data);
    free(path);
    vx_text_free(&buffer);
    vx_text_free(&json);
    test_run_free(&run);
    test_directory_remove(directory);
}
