/* SPDX-License-Identifier: MIT */
/* voxcert draw: well-formed pictures of every kind of case, and what they are made of. */
#include <criterion/criterion.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build3d/drawing.h"
#include "exit.h"
#include "file.h"
#include "program.h"
#include "reference.h"

#define CASE(name, grid, steps)                                                                    \
    "{\"format\":\"voxcert/1\",\"name\":\"" name "\",\"chapter\":\"build3d\",\"clauses\":[],"      \
    "\"note\":\"a note\",\"flags\":[],\"grid\":{\"origin\":[0,0,0],\"cellSize\":1,"                \
    "\"cellHeight\":0.5,\"size\":" grid "},\"steps\":[" steps "]}"

/* A floor of 9 × 7 cells with a block on it, a slab that hangs too low, and a roof to climb. */
#define YARD                                                                                       \
    "{\"op\":\"addSpans\",\"spans\":[" ROW(0) "," ROW(1) "," ROW(2) "," ROW(3) "," ROW(4) "," ROW( \
        5) "," ROW(6) ",[4,3,0,20,63],[1,1,8,9,0],[6,2,2,3,0]]}"
#define ROW(z)                                                                                     \
    "[0," #z ",0,2,63],[1," #z ",0,2,63],[2," #z ",0,2,63],[3," #z ",0,2,63],[4," #z ",0,2,63],"   \
    "[5," #z ",0,2,63],[6," #z ",0,2,63],[7," #z ",0,2,63],[8," #z ",0,2,63]"
#define FILTERS "{\"op\":\"lowHanging\"},{\"op\":\"ledges\"},{\"op\":\"lowHeight\"}"
#define COMPACT ",{\"op\":\"compact\"},{\"op\":\"erode\",\"radius\":1}"
#define TRIANGLE                                                                                   \
    "{\"op\":\"rasterize\",\"vertices\":[0.5,0.5,0.5,0.7,3,4.2,5.4,1.2,1.1],\"indices\":[0,1,2]}"

static const struct {
    const char *name, *line;
} cases[] = {
    {"solid", CASE("solid", "[9,7,40]", YARD)},
    {"filtered", CASE("filtered", "[9,7,40]", YARD "," FILTERS)},
    {"compact", CASE("compact", "[9,7,40]", YARD "," FILTERS COMPACT)},
    {"areas", CASE("areas", "[9,7,40]",
                   YARD "," FILTERS COMPACT ",{\"op\":\"volume\",\"corners\":[[0,0],[9,0],[9,4]],"
                        "\"minY\":-1,\"maxY\":9,\"area\":7}")},
    {"triangle", CASE("triangle", "[6,5,8]", TRIANGLE)},
    {"far triangle", CASE("far triangle", "[6,5,8]",
                          "{\"op\":\"rasterize\",\"vertices\":[-2e6,0,-2e6,-2e6,3,2e6,2e6,1,1],"
                          "\"indices\":[0,1,2]}")},
    {"nothing", CASE("nothing", "[6,5,8]", "")},
    {"one column", CASE("one column", "[1,1,65535]",
                        "{\"op\":\"addSpans\",\"spans\":[[0,0,0,1,63],[0,0,40000,65535,5]]}")},
    {"long",
     CASE("long", "[3000,1,20]", "{\"op\":\"addSpans\",\"spans\":[[0,0,0,1,63],[2999,0,3,9,5]]}")},
    {"deep",
     CASE("deep", "[1,3000,20]", "{\"op\":\"addSpans\",\"spans\":[[0,0,0,1,63],[0,2999,3,9,5]]}")},
    {"large", CASE("large", "[1500,1100,60]",
                   "{\"op\":\"rasterize\",\"vertices\":[0,1,0,0,25,1100,1500,9,1100],"
                   "\"indices\":[0,1,2]},{\"op\":\"ledges\"}")},
    {"wide", CASE("wide", "[200,90,60]",
                  "{\"op\":\"rasterize\",\"vertices\":[0,1,0,0,25,90,200,9,90],"
                  "\"indices\":[0,1,2]}" COMPACT)},
    {"town", CASE("town", "[30,25,40]",
                  "{\"op\":\"rasterize\",\"vertices\":[0,1,0,30,1,0,0,1,25,30,1,25,"
                  "5,9,5,25,9,5,5,9,20,25,9,20],\"indices\":[0,2,3,0,3,1,4,6,7,4,7,5]}" COMPACT
                  ",{\"op\":\"volume\",\"corners\":[[0,0],[15,0],[15,25],[0,25]],"
                  "\"minY\":0,\"maxY\":99,\"area\":12}")},
    {"heights", CASE("heights", "[4,4,20]",
                     "{\"op\":\"heightGrid\",\"origin\":[0,0],\"spacing\":2,\"count\":[3,3],"
                     "\"heights\":[1,2,3,2,3,4,3,4,5]}" COMPACT)},
    {"chunk", CASE("chunk", "[3,3,20]",
                   "{\"op\":\"chunk\",\"offset\":[0,0,0],\"size\":[2,2,3],"
                   "\"dense\":[1,1,0,1,0,1,0,0,2,2,2,2]}")},
    {"tower", CASE("tower", "[2,2,60]",
                   "{\"op\":\"addSpans\",\"spans\":[[0,0,0,2,63],[0,0,5,6,63],[0,0,9,10,63],"
                   "[0,0,12,13,63],[0,0,15,16,63],[0,0,18,19,63],[0,0,22,23,63],[0,0,25,26,63],"
                   "[1,0,0,1,63],[1,0,18,20,63]]},{\"op\":\"compact\",\"height\":2}")},
    {"bad index", CASE("bad index", "[6,5,8]",
                       "{\"op\":\"rasterize\",\"vertices\":[0,0,0,0,0,3,3,0,0],"
                       "\"indices\":[0,1,2,0,1,3]}")},
    {"step error",
     CASE("step error", "[6,5,8]", TRIANGLE ",{\"op\":\"addSpans\",\"spans\":[[6,0,0,1,63]]}")},
    {"grid error", CASE("grid error", "[0,5,8]", TRIANGLE)}};

enum { CASES = sizeof cases / sizeof cases[0] };

static char *write_cases(const char *directory)
{
    vx_text text = {0};
    for (size_t i = 0; i < CASES; i++) {
        vx_text_format(&text, "%s\n", cases[i].line);
    }
    char *path = test_file(directory, "cases.jsonl", text.bytes, text.size);
    vx_text_free(&text);
    return path;
}

static void draw(test_run *run, const char *path, const char *name, const char *out,
                 const char *more, const char *value)
{
    const char *const words[] = {test_voxcert(), "draw", path, "--name", name,
                                 "--out",        out,    more, value,    NULL};
    test_run_program(run, NULL, words, "");
}

/* A PNG that can be read, of a sensible size; how many colours it has. */
static size_t check_png(const char *name, const vx_text *bytes)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    cr_assert_eq(png_image_begin_read_from_memory(&image, bytes->bytes, bytes->size), 1, "%s: %s",
                 name, image.message);
    cr_assert(image.width >= 600 && image.width <= 3000, "%s: %u wide", name, image.width);
    cr_assert(image.height >= 100 && image.height <= 3000, "%s: %u high", name, image.height);
    image.format = PNG_FORMAT_RGB;
    uint8_t *pixels = vx_must_alloc(PNG_IMAGE_SIZE(image), 1);
    cr_assert_eq(png_image_finish_read(&image, NULL, pixels, 0, NULL), 1, "%s", name);
    uint8_t *seen = vx_must_alloc((size_t)1 << 21, 1);
    size_t colours = 0;
    for (size_t i = 0; i < (size_t)image.width * image.height; i++) {
        size_t colour = (size_t)(pixels[3 * i] << 16 | pixels[3 * i + 1] << 8 | pixels[3 * i + 2]);
        uint8_t bit = (uint8_t)(1 << (colour & 7));
        colours += seen[colour >> 3] & bit ? 0 : 1;
        seen[colour >> 3] |= bit;
    }
    free(seen);
    free(pixels);
    png_image_free(&image);
    return colours;
}

static void check_svg(const char *name, const char *path, const vx_text *bytes)
{
    const char *const words[] = {"xmllint", "--noout", "--nonet", path, NULL};
    test_run run = {0};
    cr_assert(strncmp(bytes->bytes, "<?xml", 5) == 0 && strstr(bytes->bytes, "<svg") != NULL,
              "%s: no SVG", name);
    cr_assert_eq(strcmp(bytes->bytes + bytes->size - 7, "</svg>\n"), 0, "%s: no end", name);
    cr_assert_lt(bytes->size, (size_t)2 << 20, "%s: %zu bytes", name, bytes->size);
    test_run_program(&run, NULL, words, "");
    cr_assert_eq(run.status, 0, "%s: %s", name, vx_text_string(&run.err));
    test_run_free(&run);
}

Test(draw_test, every_kind_of_case)
{
    test_deadline(300);
    static const char *const formats[] = {"svg", "png"};
    char *directory = test_directory_new();
    char *path = write_cases(directory);
    test_run run = {0};
    for (size_t i = 0; i < CASES; i++) {
        for (size_t k = 0; k < 2; k++) {
            char out[300];
            vx_text bytes = {0};
            (void)snprintf(out, sizeof out, "%s/a.%s", directory, formats[k]);
            draw(&run, path, cases[i].name, out, NULL, NULL);
            cr_assert_eq(run.status, VX_EXIT_PASS, "%s: %d: %s", cases[i].name, run.status,
                         vx_text_string(&run.err));
            cr_assert_eq(run.err.size, 0, "%s: %s", cases[i].name, vx_text_string(&run.err));
            cr_assert_eq(vx_file_read(out, (size_t)64 << 20, &bytes, NULL), VX_OK);
            if (k == 0) {
                check_svg(cases[i].name, out, &bytes);
            } else {
                size_t colours = check_png(cases[i].name, &bytes);
                cr_assert_gt(colours, 20, "%s: %zu colours", cases[i].name, colours);
            }
            vx_text_free(&bytes);
        }
    }
    free(path);
    test_run_free(&run);
    test_directory_remove(directory);
}

Test(draw_test, views_and_slices_differ)
{
    static const struct {
        const char *option, *value;
    } looks[] = {{NULL, NULL},       {"--view", "top"},  {"--view", "slice"}, {"--view", "cells"},
                 {"--slice", "x=4"}, {"--slice", "z=5"}, {"--view", "all"}};
    enum { LOOKS = sizeof looks / sizeof looks[0] };
    char *directory = test_directory_new();
    char *path = write_cases(directory);
    test_run run = {0};
    vx_text pictures[LOOKS] = {{0}};
    char out[300];
    (void)snprintf(out, sizeof out, "%s/a.png", directory);
    for (size_t i = 0; i < LOOKS; i++) {
        draw(&run, path, "compact", out, looks[i].option, looks[i].value);
        cr_assert_eq(run.status, VX_EXIT_PASS, "%s", vx_text_string(&run.err));
        cr_assert_eq(vx_file_read(out, (size_t)64 << 20, &pictures[i], NULL), VX_OK);
        for (size_t k = 0; k < i; k++) {
            bool same = pictures[i].size == pictures[k].size &&
                        memcmp(pictures[i].bytes, pictures[k].bytes, pictures[k].size) == 0;
            /* Without a view the picture is that of all. */
            cr_assert_eq(same, k == 0 && i == LOOKS - 1, "%zu and %zu", i, k);
        }
    }
    for (size_t i = 0; i < LOOKS; i++) {
        vx_text_free(&pictures[i]);
    }
    free(path);
    test_run_free(&run);
    test_directory_remove(directory);
}

Test(draw_test, errors)
{
    static const struct {
        const char *name, *out, *option, *value, *words;
    } errors[] = {
        {"compact", "a.gif", NULL, NULL, "a picture's name ends in .svg or .png"},
        {"compact", "a", NULL, NULL, "a picture's name ends in"},
        {"other", "a.svg", NULL, NULL, "no case is called other"},
        {"compact", "a.svg", "--view", "side", "--view side: one of all, top, slice and cells"},
        {"compact", "a.svg", "--slice", "y=3", "--slice y=3: x=COLUMN or z=COLUMN"},
        {"compact", "a.svg", "--slice", "x=", "--slice x=:"},
        {"compact", "a.svg", "--slice", "x=-1", "--slice x=-1:"},
        {"compact", "a.svg", "--port", " ", "--port: an empty word"},
        {"compact", "a.svg", "--slice", "x=9",
         "voxcert: compact: a slice at x = 9; the grid ends at 8"},
        {"compact", "a.svg", "--slice", "z=99999999999", "a slice at z = 99999999999"},
        {"large", "a.svg", "--view", "cells", "1500 by 1100 cells; at most 64 by 64"},
        {"compact", "a.svg", "--impl", "none", "none"},
        {"compact", "none/a.svg", NULL, NULL, "No such file"}};
    char *directory = test_directory_new();
    char *path = write_cases(directory);
    test_run run = {0};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        char out[300];
        struct stat there;
        (void)snprintf(out, sizeof out, "%s/%s", directory, errors[i].out);
        draw(&run, path, errors[i].name, out, errors[i].option, errors[i].value);
        cr_assert_eq(run.status, VX_EXIT_USAGE, "%s: %d", errors[i].words, run.status);
        cr_assert_not_null(strstr(vx_text_string(&run.err), errors[i].words), "%s: %s",
                           errors[i].words, vx_text_string(&run.err));
        cr_assert_null(strchr(vx_text_string(&run.err), '$'), "%s", vx_text_string(&run.err));
        cr_assert_neq(stat(out, &there), 0, "%s: there is a file", errors[i].words);
    }
    vx_text words = {0};
    vx_text_format(&words, "draw %s --out %s/a.svg", path, directory);
    test_run_voxcert(&run, words.bytes, "");
    cr_assert_eq(run.status, VX_EXIT_USAGE);
    cr_assert_not_null(strstr(run.err.bytes, "holds 19 cases; --name says which one"));
    vx_text_clear(&words);
    vx_text_format(&words, "draw %s --name compact", path);
    test_run_voxcert(&run, words.bytes, "");
    cr_assert_eq(run.status, VX_EXIT_USAGE);
    cr_assert_not_null(strstr(run.err.bytes, "--out FILE is needed"));
    vx_text_free(&words);
    free(path);
    test_run_free(&run);
    test_directory_remove(directory);
}

Test(draw_test, run_draws_too)
{
    char *directory = test_directory_new();
    char *path = write_cases(directory);
    test_run run = {0};
    char out[300];
    (void)snprintf(out, sizeof out, "%s/a.svg", directory);
    const char *const words[] = {test_voxcert(), "run",    path, "--name",
                                 "compact",      "--draw", out,  NULL};
    test_run_program(&run, NULL, words, "");
    cr_assert_eq(run.status, VX_EXIT_PASS, "%s", vx_text_string(&run.err));
    cr_assert_gt(run.out.size, 0, "the rows are printed");
    vx_text drawn = {0};
    vx_text again = {0};
    cr_assert_eq(vx_file_read(out, (size_t)64 << 20, &drawn, NULL), VX_OK);
    draw(&run, path, "compact", out, NULL, NULL);
    cr_assert_eq(vx_file_read(out, (size_t)64 << 20, &again, NULL), VX_OK);
    cr_assert_str_eq(drawn.bytes, again.bytes, "the same picture as voxcert draw makes");
    vx_text_free(&drawn);
    vx_text_free(&again);
    const char *const all[] = {test_voxcert(), "run", path, "--draw", out, NULL};
    test_run_program(&run, NULL, all, "");
    cr_assert_eq(run.status, VX_EXIT_USAGE);
    cr_assert_not_null(strstr(run.err.bytes, "--draw: 19 cases; --name says which one"));
    const char *const other[] = {test_voxcert(), "run", path, "--draw", "a.txt", NULL};
    test_run_program(&run, NULL, other, "");
    cr_assert_eq(run.status, VX_EXIT_USAGE);
    free(path);
    test_run_free(&run);
    test_directory_remove(directory);
}

/* --- inside ----------------------------------------------------------------------------------- */

static void read_case(const char *name, vx_case *item)
{
    vx_problem problem = {0};
    size_t i = 0;
    while (strcmp(cases[i].name, name) != 0) {
        i++;
    }
    cr_assert(vx_case_read(cases[i].line, strlen(cases[i].line), item, &problem), "%s: %s", name,
              problem.message);
}

static void make_drawn(const char *name, vx_case *item, vx_draw_request *request, vx_drawn *drawn)
{
    vx_problem problem = {0};
    read_case(name, item);
    *request = (vx_draw_request){.item = item, .table = &vx_ref_build3d, .maker = "ref"};
    cr_assert(vx_drawn_make(request, drawn, &problem), "%s: %s", name, problem.message);
}

/* The picture says of each span why it is not walkable. In the yard the border (28) and the block
 * are ledges, the floor below the slab is too low, the slab is not walkable; of the 33 tops that
 * are left 19 lie at the border of what is left and 4 beside the block. */
Test(draw_test, what_became_of_tops)
{
    static const struct {
        const char *name;
        size_t tops[VX_TOP_COUNT]; /* walkable, eroded, ledge, low, unwalkable */
    } expected[] = {{"solid", {63, 0, 0, 0, 1}},
                    {"filtered", {33, 0, 29, 1, 1}},
                    {"compact", {10, 23, 29, 1, 1}}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        vx_case item;
        vx_draw_request request;
        vx_drawn drawn;
        make_drawn(expected[i].name, &item, &request, &drawn);
        size_t total = 0;
        for (int top = 0; top < VX_TOP_COUNT; top++) {
            total += drawn.tops[top];
            cr_expect_eq(drawn.tops[top], expected[i].tops[top], "%s: %d: %zu, not %zu",
                         expected[i].name, top, drawn.tops[top], expected[i].tops[top]);
        }
        cr_assert_eq(total, drawn.span_count);
        cr_assert_eq(drawn.error.status, VX_OK);
        vx_drawn_free(&drawn);
        vx_case_free(&item);
    }
}

/* After an error there is what was before it. */
Test(draw_test, what_was_before_an_error)
{
    vx_case item;
    vx_draw_request request;
    vx_drawn drawn;
    make_drawn("step error", &item, &request, &drawn);
    cr_assert_eq(drawn.error.status, VX_OUT_OF_RANGE);
    cr_assert_eq(drawn.failed_step, 1);
    cr_assert_gt(drawn.span_count, 0);
    vx_drawn_free(&drawn);
    vx_case_free(&item);
    make_drawn("grid error", &item, &request, &drawn);
    cr_assert_eq(drawn.failed_step, -1);
    cr_assert_eq(drawn.size[0], 0);
    vx_drawn_free(&drawn);
    vx_case_free(&item);
}

Test(draw_test, a_marked_column_is_seen)
{
    static const struct {
        int64_t x, z;
        unsigned views;
        bool seen;
    } marks[] = {{2, 5, 0, true},
                 {2, 5, VX_VIEW_TOP, true},
                 {2, 5, VX_VIEW_SLICE, true},
                 {9, 5, 0, false},
                 {2, -1, 0, false}};
    vx_case item;
    vx_problem problem = {0};
    read_case("compact", &item);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        vx_text plain = {0};
        vx_text marked = {0};
        vx_draw_request request = {.item = &item,
                                   .table = &vx_ref_build3d,
                                   .maker = "ref",
                                   .format = VX_PICTURE_PNG,
                                   .views = marks[i].views,
                                   .mark_x = marks[i].x,
                                   .mark_z = marks[i].z};
        if (marks[i].seen) {
            request.slice_axis = 'z';
            request.slice_at = marks[i].z;
        }
        cr_assert(vx_draw(&request, &plain, &problem));
        request.has_mark = true;
        cr_assert(vx_draw(&request, &marked, &problem));
        bool same = plain.size == marked.size && memcmp(plain.bytes, marked.bytes, plain.size) == 0;
        cr_assert_eq(same, !marks[i].seen, "%zu", i);
        vx_text_free(&plain);
        vx_text_free(&marked);
    }
    vx_case_free(&item);
}

static double to_linear(double part)
{
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

/* Relative luminance, as screens and eyes have it. */
static double luminance(vx_colour colour)
{
    double parts[] = {colour.red, colour.green, colour.blue};
    for (int i = 0; i < 3; i++) {
        cr_assert(parts[i] >= 0 && parts[i] <= 1);
        parts[i] = to_linear(parts[i]);
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

/* Without seeing hues one still sees what is higher. */
Test(draw_test, the_ramp_rises)
{
    double last = -1;
    for (int i = 0; i <= 100; i++) {
        double here = luminance(vx_ramp(i / 100.0));
        cr_assert_gt(here, last, "at %d", i);
        last = here;
    }
    cr_assert_gt(last, 0.7);
    cr_assert_lt(luminance(vx_ramp(0)), 0.1);
}

/* What the colour looks like to one who lacks a kind of cones: Machado, Oliveira and Fernandes
 * (2009), the matrices for full severity. */
static vx_colour as_seen(vx_colour colour, const double matrix[3][3])
{
    double linear[] = {to_linear(colour.red), to_linear(colour.green), to_linear(colour.blue)};
    double seen[3];
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            sum += matrix[i][k] * linear[k];
        }
        sum = fmin(fmax(sum, 0), 1);
        seen[i] = sum <= 0.0031308 ? 12.92 * sum : 1.055 * pow(sum, 1 / 2.4) - 0.055;
    }
    return (vx_colour){seen[0], seen[1], seen[2]};
}

/* Kinds of tops are told apart by people of any colour vision, at every height. */
Test(draw_test, colours_without_some_cones)
{
    static const double matrices[][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                            {{0.152286, 1.052583, -0.204868},
                                             {0.114503, 0.786281, 0.099216},
                                             {-0.003882, -0.048116, 1.051998}},
                                            {{0.367322, 0.860646, -0.227968},
                                             {0.280085, 0.672501, 0.047413},
                                             {-0.011820, 0.042940, 0.968881}},
                                            {{1.255528, -0.076749, -0.178779},
                                             {-0.078411, 0.930809, 0.147602},
                                             {0.004733, 0.691367, 0.303900}}};
    enum { HEIGHTS = 5 };
    vx_drawn drawn = {.low = 0, .high = HEIGHTS - 1};
    for (size_t kind = 0; kind < sizeof matrices / sizeof matrices[0]; kind++) {
        for (int i = 0; i < VX_TOP_COUNT * HEIGHTS; i++) {
            for (int k = 0; k < i; k++) {
                vx_drawn_span spans[] = {
                    {.max = i % HEIGHTS, .top = (uint8_t)(i / HEIGHTS), .area = 63},
                    {.max = k % HEIGHTS, .top = (uint8_t)(k / HEIGHTS), .area = 63}};
                vx_colour a = as_seen(vx_top_colour(&drawn, &spans[0]), matrices[kind]);
                vx_colour b = as_seen(vx_top_colour(&drawn, &spans[1]), matrices[kind]);
                double apart = hypot(hypot(a.red - b.red, a.green - b.green), a.blue - b.blue);
                cr_expect(spans[0].top == spans[1].top || apart > 0.12,
                          "vision %zu: kind %d at %d and kind %d at %d are %.3f apart", kind,
                          i / HEIGHTS, i % HEIGHTS, k / HEIGHTS, k % HEIGHTS, apart);
            }
        }
    }
}

Test(draw_test, numbers_at_sides)
{
    static const struct {
        double least;
        int64_t step;
    } steps[] = {{0.01, 1}, {1, 1}, {1.01, 2}, {2, 2}, {3, 5}, {6, 10}, {11, 20}, {2400, 5000}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        cr_assert_eq(vx_nice_step(steps[i].least), steps[i].step, "%g", steps[i].least);
    }
}

/* An implementation whose rows make no sense gets a message, not a crash. */
static int wrong_kind;

static void wrong_info(const vx_build3d *field, vx_build3d_info *info)
{
    vx_ref_build3d.info(field, info);
    if (wrong_kind == 0) {
        info->rows = (uint64_t)1 << 40;
    }
}

static vx_status wrong_solid(const vx_build3d *field, vx_solid_row *rows, size_t capacity,
                             vx_error *error)
{
    vx_status status = vx_ref_build3d.read_solid(field, rows, capacity, error);
    if (status == VX_OK && capacity > 1) {
        switch (wrong_kind) {
        case 1:
            rows[1].x = 9;
            break;
        case 2:
            rows[1].area = 64;
            break;
        case 3:
            rows[0].z = 6;
            break;
        case 4:
            rows[0].max = rows[0].min;
            break;
        case 5:
            return vx_fail(error, VX_NO_MEMORY, "none left");
        default:
            break;
        }
    }
    return status;
}

static vx_status wrong_compact(const vx_build3d *field, vx_compact_row *rows, size_t capacity,
                               vx_error *error)
{
    vx_status status = vx_ref_build3d.read_compact(field, rows, capacity, error);
    if (status == VX_OK && capacity > 1) {
        switch (wrong_kind) {
        case 6:
            rows[0].link[2] = 64;
            break;
        case 7:
            rows[0].z = 6;
            break;
        case 8:
            rows[0].z = -1;
            break;
        case 9:
            return vx_fail(error, VX_UNSUPPORTED, "no rows");
        default:
            break;
        }
    }
    return status;
}

static vx_status wrong_filter(vx_build3d *field, int64_t height, vx_error *error)
{
    static const vx_span more = {0, 0, 30, 31, 63};
    return wrong_kind == 10 ? vx_ref_build3d.add_spans(field, &more, 1, 0, error)
                            : vx_ref_build3d.low_height(field, height, error);
}

static vx_status wrong_erode(vx_build3d *field, int64_t radius, vx_error *error)
{
    return wrong_kind == 11 ? vx_fail(error, VX_NO_MEMORY, "none for this")
                            : vx_ref_build3d.erode(field, radius, error);
}

Test(draw_test, rows_that_make_no_sense)
{
    static const char *const words[] = {"more than 2^31",
                                        "a column outside the grid",
                                        "an area outside 0..63",
                                        "columns out of order",
                                        "a span outside the grid",
                                        "none left",
                                        "a link outside 0..63",
                                        "columns out of order",
                                        "a column outside the grid",
                                        "no rows",
                                        "a filter that changes spans",
                                        "step 5: no_memory: none for this"};
    vx_build3d_impl wrong = vx_ref_build3d;
    vx_case item;
    wrong.name = "wrong";
    wrong.info = wrong_info;
    wrong.read_solid = wrong_solid;
    wrong.read_compact = wrong_compact;
    wrong.low_height = wrong_filter;
    wrong.erode = wrong_erode;
    read_case("compact", &item);
    for (wrong_kind = 0; wrong_kind < (int)(sizeof words / sizeof words[0]); wrong_kind++) {
        vx_draw_request request = {.item = &item, .table = &wrong, .maker = "wrong"};
        vx_text picture = {0};
        vx_problem problem = {0};
        cr_assert_not(vx_draw(&request, &picture, &problem), "%d", wrong_kind);
        cr_assert_not_null(strstr(problem.message, words[wrong_kind]), "%d: %s", wrong_kind,
                           problem.message);
        cr_assert_eq(picture.size, 0);
        vx_text_free(&picture);
    }
    vx_case_free(&item);
}

/* --- answers of others ------------------------------------------------------------------------ */

/* What the asked one gets wrong. */
typedef enum fault {
    RIGHT,
    WRONG_AREA,
    WRONG_LINK,
    LOST_ROW,
    STRAY,
    WRONG_TABLE,
    WRONG_SIZE,
    HUGE_SIZE,
    WRONG_STEP,
    WRONG_ERROR,
    NO_ANSWER
} fault;

/* Answers as the reference does, but for a fault in compact rows or, without any, in all. */
static bool ask_faulty(void *context, const vx_case *item, vx_result *result, vx_problem *problem)
{
    fault kind = *(const fault *)context;
    vx_arena arena;
    vx_reference_arena(&arena);
    cr_assert_eq(vx_reference_run(item, &arena, result), VX_OK);
    vx_arena_free(&arena);
    size_t width = vx_build3d_shape.tables[result->table].width;
    bool compact = result->table == VX_BUILD3D_COMPACT;
    switch (kind) {
    case RIGHT:
        break;
    case WRONG_AREA:
        result->cells[4] = compact ? 9 : result->cells[4];
        break;
    case WRONG_LINK:
        if (compact) {
            result->cells[2 * width + 5] = VX_LINK_NONE;
        }
        break;
    case LOST_ROW:
        result->rows -= compact ? 1 : 0;
        break;
    case STRAY:
        result->cells[2] += compact ? 1 : 0;
        break;
    case WRONG_TABLE:
        result->table = VX_BUILD3D_SOLID;
        break;
    case WRONG_SIZE:
        result->facts[1] = 0;
        break;
    case HUGE_SIZE:
        result->facts[0] = VX_SIZE_MAX;
        result->facts[1] = VX_SIZE_MAX;
        break;
    case WRONG_STEP:
    case WRONG_ERROR:
        vx_result_free(result);
        *result = (vx_result){.error = VX_ARGUMENT, .step = kind == WRONG_STEP ? 99 : -1};
        break;
    case NO_ANSWER:
        vx_result_free(result);
        *result = (vx_result){0};
        return vx_problem_say(problem, "no answer today");
    }
    return true;
}

/* The case with the reference's answer as what is expected, as rows or as their digest. */
static void expect_right(vx_case *item, bool digest)
{
    vx_arena arena;
    vx_reference_arena(&arena);
    item->has_expect = true;
    cr_assert_eq(vx_reference_run(item, &arena, &item->expect.result), VX_OK);
    item->expect.kinds = item->expect.result.error != VX_OK ? 1u << item->expect.result.error : 0;
    item->expect.digest = digest && item->expect.kinds == 0;
    if (item->expect.digest) {
        vx_result_digest(&vx_build3d_shape, &item->expect.result, item->expect.sha256);
    }
    item->expect.result.error = VX_OK;
    vx_arena_free(&arena);
}

/* One who is asked makes the same picture as a table. */
Test(draw_test, asking)
{
    for (size_t i = 0; i < CASES; i++) {
        fault kind = RIGHT;
        vx_case item;
        vx_problem problem = {0};
        vx_text pictures[2] = {{0}};
        read_case(cases[i].name, &item);
        expect_right(&item, i % 2 == 0);
        vx_draw_request request = {
            .item = &item, .table = &vx_ref_build3d, .maker = "ref", .format = VX_PICTURE_PNG};
        cr_assert(vx_draw(&request, &pictures[0], &problem), "%s", problem.message);
        request.table = NULL;
        request.ask = ask_faulty;
        request.context = &kind;
        cr_assert(vx_draw(&request, &pictures[1], &problem), "%s: %s", cases[i].name,
                  problem.message);
        /* Messages of errors are not part of an answer that comes from a port, but of this one. */
        cr_assert(pictures[0].size == pictures[1].size &&
                      memcmp(pictures[0].bytes, pictures[1].bytes, pictures[0].size) == 0,
                  "%s", cases[i].name);
        vx_text_free(&pictures[0]);
        vx_text_free(&pictures[1]);
        vx_case_free(&item);
    }
}

/* Columns that are not as they are expected are known, also where only a digest is. */
Test(draw_test, what_is_wrong)
{
    static const struct {
        const char *name;
        fault kind;
        size_t differing, strays;
        int32_t x, z;
        const char *words;
    } faults[] = {{"areas", RIGHT, 0, 0, 0, 0, NULL},
                  {"areas", WRONG_AREA, 1, 0, 2, 1, "compact row 0, area: expected 0, got 9"},
                  {"areas", WRONG_LINK, 1, 0, 4, 1, "compact row 2, l0: expected 0, got 63"},
                  {"areas", LOST_ROW, 1, 0, 7, 5, "compact row 32 is missing"},
                  {"areas", STRAY, 1, 1, 2, 1, "compact row 0, y: expected 2, got 3"},
                  {"areas", WRONG_ERROR, 0, 0, 0, 0, "argument"},
                  {"bad index", RIGHT, 0, 0, 0, 0, NULL},
                  {"bad index", WRONG_ERROR, 0, 0, 0, 0, "step"}};
    for (size_t i = 0; i < 2 * sizeof faults / sizeof faults[0]; i++) {
        fault kind = faults[i / 2].kind;
        vx_case item;
        vx_drawn drawn;
        vx_problem problem = {0};
        vx_text picture = {0};
        read_case(faults[i / 2].name, &item);
        expect_right(&item, i % 2 == 1);
        vx_draw_request request = {
            .item = &item, .ask = ask_faulty, .context = &kind, .maker = "faulty"};
        cr_assert(vx_drawn_make(&request, &drawn, &problem), "%zu: %s", i, problem.message);
        const char *said = vx_text_string(&drawn.difference);
        cr_assert(faults[i / 2].words != NULL ? strstr(said, faults[i / 2].words) != NULL
                                              : said[0] == '\0',
                  "%zu: %s", i, said);
        cr_assert_eq(drawn.differing, faults[i / 2].differing, "%zu: %zu", i, drawn.differing);
        cr_assert_eq(drawn.strays, faults[i / 2].strays, "%zu: %zu", i, drawn.strays);
        cr_assert(drawn.wrong_x == faults[i / 2].x && drawn.wrong_z == faults[i / 2].z,
                  "%zu: %d, %d", i, drawn.wrong_x, drawn.wrong_z);
        vx_drawn_free(&drawn);
        cr_assert(vx_draw(&request, &picture, &problem), "%zu: %s", i, problem.message);
        vx_text_free(&picture);
        vx_case_free(&item);
    }
}

/* An expected answer that the reference does not give either tells nothing about columns. */
Test(draw_test, a_digest_of_another_answer)
{
    fault kind = WRONG_AREA;
    vx_case item;
    vx_drawn drawn;
    vx_problem problem = {0};
    read_case("areas", &item);
    expect_right(&item, true);
    item.expect.sha256[0] = item.expect.sha256[0] == '0' ? '1' : '0';
    vx_draw_request request = {
        .item = &item, .ask = ask_faulty, .context = &kind, .maker = "faulty"};
    cr_assert(vx_drawn_make(&request, &drawn, &problem), "%s", problem.message);
    cr_assert_null(drawn.differs);
    cr_assert_not_null(strstr(vx_text_string(&drawn.difference), "sha256"));
    vx_drawn_free(&drawn);
    vx_case_free(&item);
}

Test(draw_test, answers_that_make_no_picture)
{
    static const struct {
        fault kind;
        const char *words;
    } faults[] = {{WRONG_TABLE, "solid ones after compacting"},
                  {WRONG_SIZE, "a size beyond SPEC B1.3"},
                  {HUGE_SIZE, "a size beyond SPEC B1.3"},
                  {WRONG_STEP, "an error at a step that there is not"},
                  {NO_ANSWER, "no answer today"}};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        fault kind = faults[i].kind;
        vx_case item;
        vx_problem problem = {0};
        vx_text picture = {0};
        read_case("compact", &item);
        vx_draw_request request = {
            .item = &item, .ask = ask_faulty, .context = &kind, .maker = "faulty"};
        cr_assert_not(vx_draw(&request, &picture, &problem), "%zu", i);
        cr_assert_not_null(strstr(problem.message, faults[i].words), "%zu: %s", i, problem.message);
        cr_assert_eq(picture.size, 0);
        vx_case_free(&item);
    }
}

/* Many marks, and small cells: the whole of a large map is wrong. */
Test(draw_test, a_map_full_of_marks)
{
    static const char *const names[] = {"large", "wide"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        vx_case item;
        vx_problem problem = {0};
        vx_text pictures[2] = {{0}};
        read_case(names[i], &item);
        expect_right(&item, false);
        vx_draw_request request = {.item = &item,
                                   .table = &vx_ref_build3d,
                                   .maker = "ref",
                                   .format = VX_PICTURE_PNG,
                                   .slice_axis = 'x',
                                   .slice_at = 7};
        cr_assert(vx_draw(&request, &pictures[0], &problem), "%s", problem.message);
        for (size_t row = 0; row < item.expect.result.rows; row++) {
            item.expect.result
                .cells[row * vx_build3d_shape.tables[item.expect.result.table].width + 3]++;
        }
        cr_assert(vx_draw(&request, &pictures[1], &problem), "%s", problem.message);
        cr_assert(pictures[0].size != pictures[1].size ||
                  memcmp(pictures[0].bytes, pictures[1].bytes, pictures[0].size) != 0);
        vx_text_free(&pictures[0]);
        vx_text_free(&pictures[1]);
        vx_case_free(&item);
    }
}

/* Both floors on the right lead to the one on the left, which leads to the lower of them. */
Test(draw_test, one_way_links)
{
    static const char line[] =
        CASE("directed", "[2,1,80]",
             "{\"op\":\"addSpans\",\"spans\":[[0,0,0,6,63],[1,0,0,4,63],[1,0,7,8,63]]},"
             "{\"op\":\"compact\",\"height\":1,\"climb\":4}");
    static const unsigned views[] = {VX_VIEW_CELLS, VX_VIEW_SLICE, VX_VIEW_TOP};
    vx_case item;
    vx_drawn drawn;
    vx_problem problem = {0};
    cr_assert(vx_case_read(line, strlen(line), &item, &problem), "%s", problem.message);
    vx_draw_request request = {.item = &item, .table = &vx_ref_build3d, .maker = "ref"};
    cr_assert(vx_drawn_make(&request, &drawn, &problem), "%s", problem.message);
    cr_assert_eq(drawn.both_ways, 2);
    cr_assert_eq(drawn.one_way, 1);
    cr_assert_eq(vx_drawn_linked(&drawn, &drawn.spans[2], 0), &drawn.spans[0]);
    cr_assert_not(vx_drawn_is_mutual(&drawn, &drawn.spans[2], 0));
    cr_assert(vx_drawn_is_mutual(&drawn, &drawn.spans[1], 0));
    cr_assert_null(vx_drawn_linked(&drawn, &drawn.spans[2], 1));
    vx_drawn_free(&drawn);
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        vx_text picture = {0};
        request.views = views[i];
        cr_assert(vx_draw(&request, &picture, &problem), "%s", problem.message);
        vx_text_free(&picture);
    }
    vx_case_free(&item);
}

Test(draw_test, who_answers)
{
    char *directory = test_directory_new();
    char *path = write_cases(directory);
    test_run run = {0};
    char out[300];
    vx_text serve = {0};
    struct stat there;
    (void)snprintf(out, sizeof out, "%s/a.svg", directory);
    vx_text_format(&serve, "%s serve", test_voxcert());
    draw(&run, path, "compact", out, "--port", serve.bytes);
    cr_assert_eq(run.status, VX_EXIT_PASS, "%s", vx_text_string(&run.err));
    cr_assert_eq(run.err.size, 0, "%s", vx_text_string(&run.err));
    cr_assert_eq(stat(out, &there), 0);
    draw(&run, path, "compact", out, "--port", "false");
    cr_assert_eq(run.status, VX_EXIT_NO_PORT, "%d", run.status);
    cr_assert_not_null(strstr(run.err.bytes, "--port: "), "%s", run.err.bytes);
    draw(&run, path, "compact", out, "--lib", "/none.so");
    cr_assert_eq(run.status, VX_EXIT_NO_PORT, "%d", run.status);
    const char *const words[] = {test_voxcert(), "draw",   path,   "--name",
                                 "compact",      "--out",  out,    "--impl",
                                 "ref",          "--port", "true", NULL};
    test_run_program(&run, NULL, words, "");
    cr_assert_eq(run.status, VX_EXIT_USAGE);
    cr_assert_not_null(strstr(run.err.bytes, "--port and --impl exclude each other"));
    vx_text_free(&serve);
    free(path);
    test_run_free(&run);
    test_directory_remove(directory);
}
