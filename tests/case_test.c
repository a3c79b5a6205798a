/* SPDX-License-Identifier: MIT */
/* Cases that are right: read, written back, asked, listed; and inputs made in C. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build3d/build3d.h"
#include "case.h"
#include "program.h"

#define START "{\"format\":\"voxcert/1\","
#define GRID "\"grid\":{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[4,4,8]}"
#define PLAIN START "\"chapter\":\"build3d\"," GRID ",\"steps\":"

static void read_good(const char *line, vx_case *item)
{
    vx_problem problem = {0};
    cr_assert(vx_case_read(line, strlen(line), item, &problem), "%s: %s", line, problem.message);
}

/* Reads the line and writes it; the caller frees the text. */
static vx_text rewrite(const char *line)
{
    vx_case item;
    vx_text text = {0};
    read_good(line, &item);
    vx_case_write(&item, &text);
    vx_case_free(&item);
    return text;
}

Test(case_test, what_is_written_as_it_was_read)
{
    static const char *const lines[] = {
        PLAIN "[]}",
        PLAIN "[{\"op\":\"rasterize\",\"vertices\":[0,0.1,-0.0,\"NaN\",\"Infinity\",\"-Infinity\"],"
              "\"indices\":[0,1,-1,9007199254740992]}]}",
        PLAIN "[{\"op\":\"rasterize\",\"vertices\":[],\"indices\":[],\"areas\":[],"
              "\"slopeCosine\":0.5,\"mergeThreshold\":0}]}",
        PLAIN "[{\"op\":\"rasterize\",\"vertices\":[],\"indices\":[],\"areas\":[0,64,-1],"
              "\"slopeCosine\":\"NaN\"}]}",
        PLAIN "[{\"op\":\"addSpans\",\"spans\":[]}]}",
        PLAIN "[{\"op\":\"addSpans\",\"spans\":[[0,1,2,3,4],[-5,6,7,8,9]],\"mergeThreshold\":-1}]}",
        PLAIN "[{\"op\":\"heightGrid\",\"origin\":[0.5,\"NaN\"],\"spacing\":0.25,\"count\":[2,3],"
              "\"heights\":[1,2,3,4,5,6],\"slopeCosine\":-1,\"mergeThreshold\":1073741825}]}",
        PLAIN "[{\"op\":\"chunk\",\"offset\":[1,-2,3],\"size\":[0,1,2],\"runs\":[[0,0,0,1,255]],"
              "\"materialAreas\":{\"7\":12,\"0\":1,\"-1\":2,\"256\":3,\"9007199254740992\":64}}]}",
        PLAIN "[{\"op\":\"chunk\",\"offset\":[1,-2,3],\"size\":[1,1,2],\"runs\":[],"
              "\"materialAreas\":{}}]}",
        PLAIN "[{\"op\":\"chunk\",\"offset\":[0,0,0],\"size\":[1,1,2],\"dense\":[0,256]}]}",
        PLAIN "[{\"op\":\"lowHanging\"},{\"op\":\"ledges\"},{\"op\":\"lowHeight\"},"
              "{\"op\":\"compact\"},{\"op\":\"erode\"}]}",
        PLAIN "[{\"op\":\"lowHanging\",\"climb\":1},{\"op\":\"ledges\",\"height\":2,\"climb\":3},"
              "{\"op\":\"lowHeight\",\"height\":4},{\"op\":\"compact\",\"height\":5,\"climb\":6},"
              "{\"op\":\"erode\",\"radius\":7},{\"op\":\"erode\",\"radius\":2},"
              "{\"op\":\"volume\",\"corners\":[[0,1],[2.5,\"NaN\"]],\"minY\":\"-Infinity\","
              "\"maxY\":1e+300,\"area\":0}]}",
        START "\"chapter\":\"build3d\",\"grid\":{\"bounds\":{\"min\":[0,0,0.1],\"max\":"
              "[\"Infinity\",1,1]},\"cellSize\":0.30000001192092896,\"cellHeight\":\"NaN\"},"
              "\"steps\":[]}",
        START "\"name\":\"build3d/x/y\",\"chapter\":\"build3d\",\"clauses\":[\"B1.1\",\"B2.9\"],"
              "\"note\":\"a \\\"note\\\" µ\",\"flags\":[\"ruling\",\"fma\",\"wide\",\"subnormal\","
              "\"order\",\"large\",\"digest\"]," GRID ",\"steps\":[{\"op\":\"lowHeight\"}],"
              "\"expect\":{\"error\":[\"argument\",\"out_of_range\"],\"step\":0}}",
        START
        "\"name\":\"n\",\"chapter\":\"build3d\",\"clauses\":[],\"note\":\"\",\"flags\":[]," GRID
        ",\"steps\":[],\"expect\":{\"size\":[4,4,8],\"degenerate\":0,\"solid\":[]}}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        vx_text text = rewrite(lines[i]);
        cr_assert_str_eq(text.bytes, lines[i]);
        vx_text_free(&text);
    }
}

Test(case_test, other_spellings_of_a_case_are_written_in_one_way)
{
    static const struct {
        const char *line, *written;
    } table[] = {
        {" { \"steps\" : [ ] ,\t" GRID ", \"chapter\":\"build3d\",\"format\":\"voxcert\\/1\"}\r",
         PLAIN "[]}"},
        {PLAIN "[{\"climb\":7,\"op\":\"ledges\"}]}", PLAIN "[{\"op\":\"ledges\",\"climb\":7}]}"},
        {START "\"note\":\"\",\"chapter\":\"build3d\"," GRID ",\"steps\":[]}", PLAIN "[]}"},
        {START
         "\"chapter\":\"build3d\",\"clauses\":[],\"flags\":[\"fma\"],\"note\":\"\\u0041\"," GRID
         ",\"steps\":[]}",
         START "\"chapter\":\"build3d\",\"note\":\"A\",\"flags\":[\"fma\"]," GRID ",\"steps\":[]}"},
        {START "\"name\":\"n\",\"chapter\":\"build3d\"," GRID ",\"steps\":[]}", START
         "\"name\":\"n\",\"chapter\":\"build3d\",\"clauses\":[],\"note\":\"\",\"flags\":[]," GRID
         ",\"steps\":[]}"},
        {PLAIN "[{\"op\":\"rasterize\",\"indices\":[],\"slopeCosine\":0.1,\"vertices\":[1.50,-0,"
               "100000000000000000000,1E2,1e-400,0.30000000000000004]}]}",
         PLAIN "[{\"op\":\"rasterize\",\"vertices\":[1.5,-0.0,1e+20,100,0,0.30000000000000004],"
               "\"indices\":[],\"slopeCosine\":0.10000000149011612}]}"},
        {PLAIN "[{\"op\":\"rasterize\",\"indices\":[],\"slopeCosine\":1e39,\"vertices\":[]}]}",
         PLAIN "[{\"op\":\"rasterize\",\"vertices\":[],\"indices\":[],"
               "\"slopeCosine\":\"Infinity\"}]}"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_text text = rewrite(table[i].line);
        cr_assert_str_eq(text.bytes, table[i].written);
        vx_text_free(&text);
    }
}

Test(case_test, all_members_arrive)
{
    vx_case item;
    read_good(START "\"name\":\"build3d/a\",\"chapter\":\"build3d\",\"clauses\":[\"B1.1\"],"
                    "\"note\":\"why\",\"flags\":[\"wide\"]," GRID
                    ",\"steps\":[{\"op\":\"rasterize\",\"vertices\":[1,2,3],\"indices\":[0,0,0]},"
                    "{\"op\":\"compact\"}],\"expect\":{\"size\":[4,4,8],\"degenerate\":1,"
                    "\"rows\":5,\"sha256\":\"0123456789abcdef0123456789abcdef"
                    "0123456789abcdef0123456789abcdef\"}}",
              &item);
    cr_assert_str_eq(item.name, "build3d/a");
    cr_assert_eq(item.chapter, &vx_chapter_build3d);
    cr_assert_eq(item.clause_count, 1);
    cr_assert_str_eq(item.clauses[0], "B1.1");
    cr_assert_str_eq(item.note, "why");
    cr_assert_eq(item.flag_count, 1);
    cr_assert_str_eq(item.flags[0], "wide");
    cr_assert(item.has_expect && item.expect.digest);
    cr_assert_eq(item.expect.result.rows, 5);
    cr_assert_eq(item.expect.result.facts[3], 1);
    cr_assert_eq(item.chapter->step_count(item.input), 2);
    cr_assert_str_eq(item.chapter->step_name(item.input, 1), "compact");
    const vx_mesh *mesh = &item.input->steps[0].mesh;
    cr_assert_eq(mesh->vertex_values, 3);
    cr_assert_eq(mesh->vertices[2], 3.0);
    cr_assert_eq(mesh->index_count, 3);
    cr_assert(mesh->areas == NULL && mesh->area_count == 0);
    cr_assert_eq(mesh->slope_cosine, VX_DEFAULT_SLOPE_COSINE);
    cr_assert_eq(mesh->merge_threshold, VX_DEFAULT_MERGE_THRESHOLD);
    cr_assert_eq(item.input->steps[1].height, VX_DEFAULT_HEIGHT);
    cr_assert_eq(item.input->steps[1].climb, VX_DEFAULT_CLIMB);
    vx_case_free(&item);
}

/* B0.4@2ce412: cell size, cell height and slopeCosine are binary32, rounded once; all else is
 * binary64. */
Test(case_test, binary32_members_are_rounded_once)
{
    static const struct {
        const char *text;
        float value;
    } table[] = {
        {"0.1", 0.1f},
        {"0.3", 0.3f},
        {"0.70710677", VX_DEFAULT_SLOPE_COSINE},
        {"16777217", 16777216.0f},                /* a tie, to even */
        {"16777219", 16777220.0f},                /* a tie, to even */
        {"1.000000059604645", 1.00000011920929f}, /* above a tie, in binary64 too */
        {"1.00000005960464478", 1.0f},            /* above a tie, which binary64 makes of it */
        {"1e-45", 1e-45f},
        {"1e-46", 0.0f},
        {"3.4028235677973366e38", INFINITY},
        {"3.4028235677973362e38", 3.40282347e38f},
        {"\"-Infinity\"", -INFINITY},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_text line = {0};
        vx_text_format(&line,
                       START "\"chapter\":\"build3d\",\"grid\":{\"origin\":[0.1,0,0],"
                             "\"cellSize\":%s,\"cellHeight\":%s,\"size\":[1,1,1]},\"steps\":["
                             "{\"op\":\"heightGrid\",\"origin\":[0.1,0],\"spacing\":0.1,"
                             "\"count\":[1,1],\"heights\":[0.1],\"slopeCosine\":%s}]}",
                       table[i].text, table[i].text, table[i].text);
        vx_case item;
        read_good(line.bytes, &item);
        cr_assert_eq(item.input->frame.cell_size, table[i].value, "%s", table[i].text);
        cr_assert_eq(item.input->frame.cell_height, table[i].value, "%s", table[i].text);
        cr_assert_eq(item.input->steps[0].grid.slope_cosine, table[i].value, "%s", table[i].text);
        cr_assert_eq(item.input->frame.origin[0], 0.1);
        cr_assert_eq(item.input->steps[0].grid.spacing, 0.1);
        cr_assert_eq(item.input->steps[0].grid.heights[0], 0.1);
        vx_case_free(&item);
        vx_text_free(&line);
    }
}

Test(case_test, a_question_tells_nothing_but_the_question)
{
    vx_case item;
    vx_text text = {0};
    read_good(START "\"name\":\"secret\",\"chapter\":\"build3d\",\"clauses\":[\"B1.1\"],"
                    "\"note\":\"secret\",\"flags\":[\"fma\"]," GRID
                    ",\"steps\":[{\"op\":\"lowHanging\"}],\"expect\":{\"size\":[4,4,8],"
                    "\"degenerate\":0,\"solid\":[]}}",
              &item);
    vx_case_write_question(&item, &text);
    cr_assert_str_eq(text.bytes, PLAIN "[{\"op\":\"lowHanging\"}]}");
    vx_case_free(&item);
    vx_text_free(&text);
}

/* --- inputs made in C ------------------------------------------------------------------------ */

Test(case_test, inputs_made_in_c_own_what_they_are_given)
{
    vx_frame frame = {.cell_size = 1, .cell_height = 0.5f, .size = {1, 2, 3}};
    double vertices[] = {0, 1, 2};
    int64_t indices[] = {0, 0, 0};
    vx_span spans[] = {{1, 2, 3, 4, 5}};
    vx_material_area areas[] = {{7, 12}};
    double corners[] = {0, 0, 1, 0, 0, 1};
    vx_input *input = vx_build3d_input_new(&frame);
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_RASTERIZE,
                                          .mesh = {.vertices = vertices,
                                                   .vertex_values = 3,
                                                   .indices = indices,
                                                   .index_count = 3}});
    vx_build3d_add_step(input,
                        &(vx_step){.op = VX_OP_ADD_SPANS, .list = {.spans = spans, .count = 1}});
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_CHUNK,
                                          .chunk = {.is_dense = 1,
                                                    .dense = indices,
                                                    .dense_count = 2,
                                                    .material_areas = areas,
                                                    .material_area_count = 1}});
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_CHUNK, .chunk = {.size = {1, 1, 1}}});
    vx_build3d_add_step(input, &(vx_step){.op = VX_OP_COMPACT, .height = 10, .climb = 4});
    double *own = vx_build3d_input_alloc(input, 6, sizeof *own);
    cr_assert_eq(own[5], 0.0);
    memcpy(own, corners, sizeof corners);
    vx_build3d_take_step(
        input,
        &(vx_step){.op = VX_OP_VOLUME, .volume = {.corners = own, .corner_count = 3, .area = 1}});
    for (int i = 0; i < 20; i++) {
        vx_build3d_add_step(input, &(vx_step){.op = VX_OP_ERODE, .radius = i});
    }
    memset(vertices, 0xff, sizeof vertices);
    memset(indices, 0xff, sizeof indices);
    memset(spans, 0xff, sizeof spans);
    memset(areas, 0xff, sizeof areas);
    vx_text text = {0};
    vx_build3d_write(input, &text);
    static const char expected[] =
        "\"grid\":{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":0.5,\"size\":[1,2,3]},"
        "\"steps\":["
        "{\"op\":\"rasterize\",\"vertices\":[0,1,2],\"indices\":[0,0,0],\"slopeCosine\":0,"
        "\"mergeThreshold\":0},"
        "{\"op\":\"addSpans\",\"spans\":[[1,2,3,4,5]],\"mergeThreshold\":0},"
        "{\"op\":\"chunk\",\"offset\":[0,0,0],\"size\":[0,0,0],\"dense\":[0,0],"
        "\"materialAreas\":{\"7\":12}},"
        "{\"op\":\"chunk\",\"offset\":[0,0,0],\"size\":[1,1,1],\"runs\":[]},"
        "{\"op\":\"compact\",\"height\":10,\"climb\":4},"
        "{\"op\":\"volume\",\"corners\":[[0,0],[1,0],[0,1]],\"minY\":0,\"maxY\":0,\"area\":1},"
        "{\"op\":\"erode\",\"radius\":0},{\"op\":\"erode\",\"radius\":1},";
    cr_assert_eq(strncmp(text.bytes, expected, strlen(expected)), 0, "%s", text.bytes);
    vx_text line = {0};
    vx_text_format(&line, START "\"chapter\":\"build3d\",%s}", text.bytes);
    vx_text again = rewrite(line.bytes);
    cr_assert_str_eq(again.bytes, line.bytes, "and the reader takes it");
    vx_text_free(&again);
    vx_text_free(&line);
    vx_text_free(&text);
    vx_build3d_input_free(input);
    vx_build3d_input_free(NULL);
}

/* A member that was absent and has been changed since, as a shrinker does, is written. */
Test(case_test, a_default_that_was_changed_is_written)
{
    vx_case item;
    vx_text text = {0};
    read_good(PLAIN "[{\"op\":\"ledges\"},{\"op\":\"rasterize\",\"vertices\":[],\"indices\":[]}]}",
              &item);
    item.input->steps[0].climb = 5;
    item.input->steps[1].mesh.slope_cosine = 0.25f;
    vx_case_write(&item, &text);
    cr_assert_str_eq(text.bytes, PLAIN "[{\"op\":\"ledges\",\"climb\":5},{\"op\":\"rasterize\","
                                       "\"vertices\":[],\"indices\":[],\"slopeCosine\":0.25}]}");
    vx_case_free(&item);
    vx_text_free(&text);
}

/* --- files ----------------------------------------------------------------------------------- */

/* A line of a case of that name with an expected answer. */
static void add_vector(vx_text *text, const char *name)
{
    vx_text_format(text,
                   START "\"name\":\"%s\",\"chapter\":\"build3d\"," GRID ",\"steps\":[],"
                         "\"expect\":{\"size\":[4,4,8],\"degenerate\":0,\"solid\":[]}}\n",
                   name);
}

static void add_file(const char *directory, const char *file, const char *names)
{
    vx_text text = {0};
    for (; *names != '\0'; names++) {
        add_vector(&text, (char[]){*names, '\0'});
    }
    free(test_file(directory, file, vx_text_string(&text), text.size));
    vx_text_free(&text);
}

Test(case_test, a_directory_is_read_in_the_order_of_names)
{
    char *directory = test_directory_new();
    add_file(directory, "b.jsonl", "23");
    add_file(directory, "a/z.jsonl", "1");
    add_file(directory, "a/B.jsonl", "0");
    add_file(directory, "c/a/empty.jsonl", "");
    add_file(directory, "c/x.jsonl", "4");
    add_file(directory, "c/notes.json", "9");
    add_file(directory, "c/x.jsonl.orig", "9");
    add_file(directory, "c/.jsonl", "9");
    vx_case_list list = {0};
    cr_assert(vx_case_list_read(&list, directory, true));
    cr_assert_eq(list.count, 5);
    for (size_t i = 0; i < list.count; i++) {
        cr_assert_eq(list.items[i].name[0], (char)('0' + i));
        cr_assert_eq(list.items[i].line, i == 3 ? 2 : 1);
    }
    vx_case_list_free(&list);
    test_directory_remove(directory);
}

/* What has the name of cases and cannot be read must not be passed over. */
Test(case_test, entries_that_cannot_be_read)
{
    static const struct {
        const char *name, *message; /* NULL: it is passed over */
        bool pipe;
    } table[] = {
        {"link.jsonl", "/link.jsonl: a link that leads nowhere", false},
        {"link.json", NULL, false},
        {"pipe.jsonl", "/pipe.jsonl: a regular file is needed", true},
        {"pipe", NULL, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *directory = test_directory_new();
        vx_text path = {0};
        vx_case_list list = {0};
        add_file(directory, "a.jsonl", "0");
        vx_text_format(&path, "%s/%s", directory, table[i].name);
        cr_assert_eq(table[i].pipe ? mkfifo(path.bytes, 0600) : symlink("nowhere", path.bytes), 0);
        test_catch_errors();
        bool good = vx_case_list_read(&list, directory, true);
        char *errors = test_caught_errors();
        cr_expect_eq(good, table[i].message == NULL, "%s", table[i].name);
        cr_expect(good || strstr(errors, table[i].message) != NULL, "%s: %s", table[i].name,
                  errors);
        free(errors);
        vx_case_list_free(&list);
        vx_text_free(&path);
        test_directory_remove(directory);
    }
}

Test(case_test, a_list_grows_and_lines_may_be_long)
{
    enum { COUNT = 300, NOTE_BYTES = 200000 };
    char *directory = test_directory_new();
    char *note = vx_must_alloc(NOTE_BYTES + 1, 1);
    memset(note, 'x', NOTE_BYTES);
    vx_text text = {0};
    for (int i = 0; i < COUNT; i++) {
        vx_text_format(&text,
                       START "\"name\":\"n%d\",\"chapter\":\"build3d\",\"note\":\"%s\"," GRID
                             ",\"steps\":[]}\n",
                       i, i == COUNT / 2 ? note : "");
    }
    char *path = test_file(directory, "many.jsonl", text.bytes, text.size);
    vx_case_list list = {0};
    cr_assert(vx_case_list_read(&list, path, false));
    cr_assert_eq(list.count, COUNT);
    cr_assert_eq(strlen(list.items[COUNT / 2].note), NOTE_BYTES);
    cr_assert_str_eq(list.items[COUNT - 1].name, "n299");
    vx_case_list_free(&list);
    vx_text_free(&text);
    free(note);
    free(path);
    test_directory_remove(directory);
}

/* Vectors have names of their own and expected answers; what came before a problem is kept. */
Test(case_test, lists_that_are_refused)
{
    static const struct {
        const char *file, *content;
        bool answers;
        size_t kept;
        const char *message; /* behind the path */
    } table[] = {
#define VECTOR(name)                                                                               \
    START "\"name\":\"" name "\",\"chapter\":\"build3d\"," GRID                                    \
          ",\"steps\":[],\"expect\":{\"size\":[4,4,8],\"degenerate\":0,\"solid\":[]}}\n"
        {"a.jsonl", VECTOR("x") VECTOR("y") VECTOR("x"), true, 2,
         "/a.jsonl:3: $.name: another case is called x too"},
        {"a.jsonl", VECTOR("first") VECTOR("y"), true, 0, "/a.jsonl:1: $.name: another case is "},
        {"a.jsonl", VECTOR("x") PLAIN "[]}\n", true, 1, "/a.jsonl:2: $.name: is missing"},
        {"a.jsonl", START "\"name\":\"x\",\"chapter\":\"build3d\"," GRID ",\"steps\":[]}\n", true,
         0, "/a.jsonl:1: $.expect: is missing"},
        {"a.jsonl", VECTOR("x") "\n", false, 1, "/a.jsonl:2: an empty line"},
        {"a.jsonl", VECTOR("x") " \n", false, 1, "/a.jsonl:2: $: not JSON: "},
        {"a.jsonl", VECTOR("x") "{\n  \"format\": \"voxcert/1\"\n}\n", false, 1,
         "/a.jsonl:2: $: not JSON: the object does not end in this line; one case per line is "
         "needed (JSON Lines)"},
        {"a.jsonl", " { \"grid\": {}, \r\n}\n", false, 0,
         "/a.jsonl:1: $: not JSON: the object does "},
        {"a.jsonl", "{]}\n", false, 0, "/a.jsonl:1: $: not JSON: string or '}' expected"},
        {"a.jsonl", "\xef\xbb\xbf" VECTOR("x"), false, 0, "/a.jsonl:1: $: not JSON: "},
        {"a.jsonl", VECTOR("x") PLAIN "[]}", false, 1,
         "/a.jsonl:2: the last line has no line end: the file may be cut short"},
        {"a.json", VECTOR("x"), false, 0, ": no *.jsonl file below it"},
#undef VECTOR
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *directory = test_directory_new();
        char *file =
            test_file(directory, table[i].file, table[i].content, strlen(table[i].content));
        vx_case_list list = {0};
        vx_problem problem = {0};
        vx_case item;
        static const char first[] =
            START "\"name\":\"first\",\"chapter\":\"build3d\"," GRID ",\"steps\":[]}";
        cr_assert(vx_case_read(first, strlen(first), &item, &problem));
        vx_case_list_add(&list, &item);
        test_catch_errors();
        bool good = vx_case_list_read(&list, directory, table[i].answers);
        char *errors = test_caught_errors();
        cr_assert_not(good, "row %zu", i);
        cr_assert_eq(list.count, 1 + table[i].kept, "row %zu", i);
        cr_assert_eq(strncmp(errors, "voxcert: /tmp/", 14), 0, "row %zu: %s", i, errors);
        cr_assert_not_null(strstr(errors, table[i].message), "row %zu: %s", i, errors);
        vx_case_list_free(&list);
        free(errors);
        free(file);
        test_directory_remove(directory);
    }
}

/* Files of several batches, which several threads read: as if line by line. */
enum { LINES = 4000, LINE_NOTE = 3000 }; /* 12 MB */

static void many_lines(const char *note, vx_text *text)
{
    for (int i = 0; i < LINES; i++) {
        vx_text_format(text,
                       START "\"name\":\"n%d\",\"chapter\":\"build3d\",\"note\":\"%s\"," GRID
                             ",\"steps\":[],\"expect\":{\"size\":[4,4,8],\"degenerate\":0,"
                             "\"solid\":[]}}\n",
                       i, note);
    }
}

/* Where line number (from 1) starts. */
static char *find_line(vx_text *text, int number)
{
    char *line = text->bytes;
    for (int i = 1; i < number; i++) {
        line = strchr(line, '\n') + 1;
    }
    return line;
}

typedef struct spoilt {
    int wrong[2]; /* lines whose object is an array; 0: none */
    int nul;      /* line with a NUL byte */
    int twice;    /* line that is named as the one before: 3001 */
    size_t kept;
    const char *message;
} spoilt;

static void spoil(const spoilt *how, vx_text *text)
{
    for (size_t k = 0; k < 2 && how->wrong[k] > 0; k++) {
        *find_line(text, how->wrong[k]) = '[';
    }
    if (how->twice > 0) {
        char *name = strstr(find_line(text, how->twice), "n3000");
        memcpy(name, "n2999", 5);
    }
    if (how->nul > 0) {
        find_line(text, how->nul)[100] = '\0';
    }
}

Test(case_test, batches_keep_the_order_and_tell_the_first_problem)
{
    static const spoilt table[] = {
        {{0, 0}, 0, 0, LINES, NULL},
        {{3900, 0}, 0, 0, 3899, ":3900: $: not JSON: "},
        {{3900, 17}, 0, 0, 16, ":17: $: not JSON: "},
        {{1601, 1600}, 0, 0, 1599, ":1600: $: not JSON: "},
        {{0, 0}, 2000, 0, 1999, ":2000: $: not JSON: a NUL byte"},
        {{1999, 0}, 2000, 0, 1998, ":1999: $: not JSON: "},
        {{2001, 0}, 2000, 0, 1999, ":2000: $: not JSON: a NUL byte"},
        {{0, 0}, 0, 3001, 3000, ":3001: $.name: another case is called n2999 too"},
        {{3002, 0}, 0, 3001, 3000, ":3001: $.name: another case is called n2999 too"},
    };
    char *note = vx_must_alloc(LINE_NOTE + 1, 1);
    memset(note, 'x', LINE_NOTE);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *directory = test_directory_new();
        vx_text text = {0};
        many_lines(note, &text);
        spoil(&table[i], &text);
        char *path = test_file(directory, "many.jsonl", text.bytes, text.size);
        vx_case_list list = {0};
        test_catch_errors();
        bool good = vx_case_list_read(&list, path, true);
        char *errors = test_caught_errors();
        cr_expect_eq(good, table[i].message == NULL, "row %zu: %s", i, errors);
        cr_expect(good || strstr(errors, table[i].message) != NULL, "row %zu: %s", i, errors);
        cr_assert_eq(list.count, table[i].kept, "row %zu: %zu", i, list.count);
        for (size_t k = 0; k < list.count; k++) {
            cr_assert_eq(list.items[k].line, k + 1, "row %zu", i);
            cr_assert_eq(strtoul(list.items[k].name + 1, NULL, 10), k, "row %zu", i);
        }
        vx_case_list_free(&list);
        vx_text_free(&text);
        free(errors);
        free(path);
        test_directory_remove(directory);
    }
    free(note);
}
