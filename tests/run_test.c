/* SPDX-License-Identifier: MIT */
/* Running cases: the runner of build3d on a table that writes down its calls, libraries, and
 * `voxcert run` from end to end. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build3d/build3d.h"
#include "case.h"
#include "program.h"
#include "scratch.h"

TestSuite(run_test, .init = scratch_open, .fini = scratch_close);

#define START "{\"format\":\"voxcert/1\",\"chapter\":\"build3d\","
#define GRID "\"grid\":{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[4,4,8]}"

/* --- a table that writes down its calls ------------------------------------------------------ */

struct vx_build3d {
    vx_build3d_info info;
    vx_trace_fn *trace;
    void *context;
};

static struct {
    vx_build3d field;
    vx_text calls;
    int fail_at; /* the call that fails, from 0; −1: none */
    vx_status failure;
    int count;
} fake;

static vx_status call(vx_error *error, const char *name, long long a, long long b)
{
    vx_text_format(&fake.calls, "%s %lld %lld\n", name, a, b);
    if (fake.field.trace != NULL) {
        fake.field.trace(fake.field.context, "B1.1", name);
    }
    if (fake.count++ == fake.fail_at) {
        return vx_fail(error, fake.failure, "%s failed", name);
    }
    return VX_OK;
}

static vx_status fake_open(vx_arena *arena, const vx_frame *frame, vx_build3d **field,
                           vx_error *error)
{
    if (vx_arena_alloc(arena, 1, 64, 8) == NULL) {
        return vx_fail(error, VX_NO_MEMORY, "no room for a field");
    }
    fake.field = (vx_build3d){.info = {.size = {1, 2, 3}, .degenerate = 9, .rows = 2}};
    *field = &fake.field;
    return call(error, "open", frame->size[0], frame->from_bounds);
}

static void fake_close(vx_build3d *field)
{
    (void)call(NULL, "close", field == &fake.field, 0);
}

static void fake_info(const vx_build3d *field, vx_build3d_info *info)
{
    *info = field->info;
}

static vx_status fake_rasterize(vx_build3d *field, const vx_mesh *mesh, vx_error *error)
{
    (void)field;
    return call(error, "rasterize", (long long)mesh->vertex_values, mesh->merge_threshold);
}

static vx_status fake_add_spans(vx_build3d *field, const vx_span *spans, size_t count,
                                int64_t merge_threshold, vx_error *error)
{
    (void)field, (void)spans;
    return call(error, "addSpans", (long long)count, merge_threshold);
}

static vx_status fake_height_grid(vx_build3d *field, const vx_height_grid *grid, vx_error *error)
{
    (void)field;
    return call(error, "heightGrid", grid->count[0], (long long)grid->height_count);
}

static vx_status fake_chunk(vx_build3d *field, const vx_chunk *chunk, vx_error *error)
{
    (void)field;
    return call(error, "chunk", chunk->is_dense, (long long)chunk->dense_count);
}

static vx_status fake_low_hanging(vx_build3d *field, int64_t climb, vx_error *error)
{
    (void)field;
    return call(error, "lowHanging", climb, 0);
}

static vx_status fake_ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    (void)field;
    return call(error, "ledges", height, climb);
}

static vx_status fake_low_height(vx_build3d *field, int64_t height, vx_error *error)
{
    (void)field;
    return call(error, "lowHeight", height, 0);
}

static vx_status fake_compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    field->info.is_compact = 1;
    return call(error, "compact", height, climb);
}

static vx_status fake_erode(vx_build3d *field, int64_t radius, vx_error *error)
{
    (void)field;
    return call(error, "erode", radius, 0);
}

static vx_status fake_volume(vx_build3d *field, const vx_volume *volume, vx_error *error)
{
    (void)field;
    return call(error, "volume", (long long)volume->corner_count, volume->area);
}

static vx_status fake_read_solid(const vx_build3d *field, vx_solid_row *rows, size_t capacity,
                                 vx_error *error)
{
    (void)field;
    rows[0] = (vx_solid_row){1, 2, 3, 4, 5};
    rows[1] = (vx_solid_row){6, 7, 8, 9, 10};
    return call(error, "readSolid", (long long)capacity, 0);
}

static vx_status fake_read_compact(const vx_build3d *field, vx_compact_row *rows, size_t capacity,
                                   vx_error *error)
{
    (void)field;
    rows[0] = (vx_compact_row){1, 2, 3, 4, 5, {6, 7, 8, 9}};
    rows[1] = (vx_compact_row){-1, -2, -3, -4, -5, {-6, -7, -8, -9}};
    return call(error, "readCompact", (long long)capacity, 0);
}

static void fake_set_trace(vx_build3d *field, vx_trace_fn *trace, void *context)
{
    field->trace = trace;
    field->context = context;
}

static const vx_build3d_impl fake_table = {.abi = VX_BUILD3D_ABI,
                                           .struct_size = sizeof(vx_build3d_impl),
                                           .name = "fake",
                                           .description = "writes down its calls",
                                           .open = fake_open,
                                           .close = fake_close,
                                           .info = fake_info,
                                           .rasterize = fake_rasterize,
                                           .add_spans = fake_add_spans,
                                           .height_grid = fake_height_grid,
                                           .chunk = fake_chunk,
                                           .low_hanging = fake_low_hanging,
                                           .ledges = fake_ledges,
                                           .low_height = fake_low_height,
                                           .compact = fake_compact,
                                           .erode = fake_erode,
                                           .volume = fake_volume,
                                           .read_solid = fake_read_solid,
                                           .read_compact = fake_read_compact,
                                           .set_trace = fake_set_trace};

static const char every_step[] = START GRID
    ",\"steps\":[{\"op\":\"rasterize\",\"vertices\":[1,2,3],\"indices\":[],"
    "\"mergeThreshold\":7},{\"op\":\"addSpans\",\"spans\":[[0,0,0,1,0],[0,0,0,1,0]],"
    "\"mergeThreshold\":8},{\"op\":\"heightGrid\",\"origin\":[0,0],\"spacing\":1,"
    "\"count\":[3,2],\"heights\":[1,2,3,4]},{\"op\":\"chunk\",\"offset\":[0,0,0],"
    "\"size\":[1,1,1],\"dense\":[1,2,3]},{\"op\":\"lowHanging\",\"climb\":11},"
    "{\"op\":\"ledges\",\"height\":12,\"climb\":13},{\"op\":\"lowHeight\",\"height\":14},"
    "{\"op\":\"compact\",\"height\":15,\"climb\":16},{\"op\":\"erode\",\"radius\":17},"
    "{\"op\":\"volume\",\"corners\":[[0,0]],\"minY\":0,\"maxY\":0,\"area\":18}]}";

static const char every_call[] =
    "open 4 0\nrasterize 3 7\naddSpans 2 8\nheightGrid 3 4\nchunk 1 3\nlowHanging 11 0\n"
    "ledges 12 13\nlowHeight 14 0\ncompact 15 16\nerode 17 0\nvolume 1 18\nreadCompact 2 0\n"
    "close 1 0\n";

/* Runs every_step on the fake; the result is the caller's. */
static vx_status run_fake(int fail_at, vx_status failure, const vx_run_options *options,
                          vx_result *result)
{
    vx_case item;
    vx_problem problem = {0};
    vx_arena arena;
    vx_arena_init_growable(&arena, 1000, 100000);
    vx_text_clear(&fake.calls);
    fake.count = 0;
    fake.fail_at = fail_at;
    fake.failure = failure;
    cr_assert(vx_case_read(every_step, strlen(every_step), &item, &problem), "%s", problem.message);
    vx_status status = vx_build3d_run(&fake_table, item.input, options, &arena, result);
    vx_case_free(&item);
    vx_arena_free(&arena);
    return status;
}

static const vx_run_options all_steps = {.step_limit = SIZE_MAX};

Test(run_test, every_step_calls_its_function_with_its_arguments)
{
    vx_result result;
    cr_assert_eq(run_fake(-1, VX_OK, &all_steps, &result), VX_OK);
    cr_assert_str_eq(fake.calls.bytes, every_call);
    cr_assert_eq(result.error, VX_OK);
    cr_assert_eq(result.table, VX_BUILD3D_COMPACT);
    vx_text text = {0};
    vx_result_write(&vx_build3d_shape, &result, &text);
    cr_assert_str_eq(text.bytes, "{\"size\":[1,2,3],\"degenerate\":9,\"compact\":[[1,2,3,4,5,6,7,8,"
                                 "9],[-1,-2,-3,-4,-5,-6,-7,-8,-9]]}");
    vx_result_free(&result);
    vx_text_free(&text);
    vx_text_free(&fake.calls);
}

Test(run_test, only_the_first_steps)
{
    static const struct {
        size_t limit;
        const char *calls;
    } table[] = {
        {0, "open 4 0\nreadSolid 2 0\nclose 1 0\n"},
        {2, "open 4 0\nrasterize 3 7\naddSpans 2 8\nreadSolid 2 0\nclose 1 0\n"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_result result;
        vx_run_options options = {.step_limit = table[i].limit};
        cr_assert_eq(run_fake(-1, VX_OK, &options, &result), VX_OK);
        cr_assert_str_eq(fake.calls.bytes, table[i].calls);
        cr_assert_eq(result.table, VX_BUILD3D_SOLID);
        cr_assert_eq(result.cells[5], 6);
        vx_result_free(&result);
    }
    vx_text_free(&fake.calls);
}

/* Which call fails, how, and what comes of it. B0.8@3d12db: only two kinds of error are results. */
Test(run_test, failures)
{
    static const struct {
        int fail_at;
        vx_status failure, returned, error;
        int step;
        const char *message;
    } table[] = {
        {0, VX_ARGUMENT, VX_OK, VX_ARGUMENT, -1, "open failed"},
        {0, VX_OUT_OF_RANGE, VX_OK, VX_OUT_OF_RANGE, -1, "open failed"},
        {1, VX_ARGUMENT, VX_OK, VX_ARGUMENT, 0, "rasterize failed"},
        {2, VX_OUT_OF_RANGE, VX_OK, VX_OUT_OF_RANGE, 1, "addSpans failed"},
        {10, VX_ARGUMENT, VX_OK, VX_ARGUMENT, 9, "volume failed"},
        {0, VX_NO_MEMORY, VX_NO_MEMORY, VX_NO_MEMORY, -1, "open failed"},
        {3, VX_NO_MEMORY, VX_NO_MEMORY, VX_NO_MEMORY, 2, "heightGrid failed"},
        {4, VX_UNSUPPORTED, VX_UNSUPPORTED, VX_UNSUPPORTED, 3, "chunk failed"},
        {5, (vx_status)99, VX_UNSUPPORTED, VX_UNSUPPORTED, 4,
         "the implementation returned the status 99, which it must not"},
        {11, VX_UNSUPPORTED, VX_UNSUPPORTED, VX_UNSUPPORTED, 9, "readCompact failed"},
        {11, VX_NO_MEMORY, VX_NO_MEMORY, VX_NO_MEMORY, 9, "readCompact failed"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_result result;
        cr_assert_eq(run_fake(table[i].fail_at, table[i].failure, &all_steps, &result),
                     table[i].returned, "row %zu", i);
        cr_assert_eq(result.error, table[i].error, "row %zu", i);
        cr_assert_eq(result.step, table[i].step, "row %zu", i);
        cr_assert_str_eq(result.message, table[i].message, "row %zu", i);
        cr_assert(result.cells == NULL && result.rows == 0, "row %zu", i);
        bool closed = strstr(fake.calls.bytes, "close 1 0\n") != NULL;
        cr_assert_eq(closed, table[i].fail_at != 0, "row %zu: a field is closed once it is open",
                     i);
    }
    vx_text_free(&fake.calls);
}

static void add_trace(void *context, const char *clause, const char *text)
{
    vx_text_format(context, "%s %s,", clause, text);
}

Test(run_test, tracing)
{
    vx_text traced = {0};
    vx_result result;
    vx_run_options options = {.step_limit = 1, .trace = add_trace, .trace_context = &traced};
    cr_assert_eq(run_fake(-1, VX_OK, &options, &result), VX_OK);
    cr_assert_str_eq(traced.bytes,
                     " grid, step 0: rasterize,B1.1 rasterize,B1.1 readSolid,B1.1 close,");
    vx_result_free(&result);
    vx_text_free(&traced);
    vx_text_free(&fake.calls);
    vx_build3d_impl mute = fake_table;
    mute.set_trace = NULL;
    cr_assert_eq(vx_chapter_build3d.traced(&fake_table), &fake_table);
    cr_assert_null(vx_chapter_build3d.traced(&mute));
    cr_assert_eq(vx_chapter_build3d.traced(&vx_ref_build3d), &vx_ref_build3d_traced);
}

/* --- the program ----------------------------------------------------------------------------- */

#define SPANS "\"steps\":[{\"op\":\"addSpans\",\"spans\":[[0,0,0,1,63],[0,0,4,5,0],[2,1,0,3,5]]}]"
#define SPAN_ROWS "0 0 0 1 63\n0 0 4 5 0\n2 1 0 3 5\n"
#define ANSWER                                                                                     \
    "{\"size\":[4,4,8],\"degenerate\":0,\"solid\":[[0,0,0,1,63],[0,0,4,5,0],[2,1,0,3,5]]}"
#define NAMED(name)                                                                                \
    "{\"format\":\"voxcert/1\",\"name\":\"" name "\",\"chapter\":\"build3d\"," GRID ","
#define FAILING "\"steps\":[{\"op\":\"lowHeight\",\"height\":0}]"
#define COMPACT                                                                                    \
    "\"steps\":[{\"op\":\"addSpans\",\"spans\":[[0,0,0,1,63],[1,0,0,1,7],[1,0,4,5,0]]},"           \
    "{\"op\":\"compact\",\"height\":2,\"climb\":1}]"

/* Arguments, the input, and what comes out. out and err are compared whole when they end in a line
 * end or are empty, otherwise as a start. */
static const struct {
    const char *words, *input;
    int status;
    const char *out, *err;
} runs[] = {
    {"run -", START GRID "," SPANS "}\n", 0, SPAN_ROWS, ""},
    {"run - --format rows --impl ref", START GRID "," SPANS "}\n", 0, SPAN_ROWS, ""},
    {"run - --format json", START GRID "," SPANS "}\n", 0, ANSWER "\n", ""},
    {"run --format json -", START GRID "," SPANS "}\n" START GRID ",\"steps\":[]}\n", 0,
     ANSWER "\n{\"size\":[4,4,8],\"degenerate\":0,\"solid\":[]}\n",
     "voxcert: 2 cases: 0 as expected, 0 otherwise, 2 without an expected answer\n"},
    {"run --format counts -", START GRID "," SPANS "}\n", 0,
     "  grid        4 cells along x, 4 along z, 8 rows\n"
     "  degenerate  0\n"
     "  spans       3 solid, in 2 columns, at most 2 in one\n"
     "  walkable    2\n"
     "  area 0      1\n"
     "  area 5      1\n"
     "  area 63     1\n"
     "  rows        0 to 5\n",
     ""},
    {"run --format counts -", START GRID "," COMPACT "}\n", 0,
     "  grid        4 cells along x, 4 along z, 8 rows\n"
     "  degenerate  0\n"
     "  spans       2 compact, in 2 columns, at most 1 in one\n"
     "  walkable    2\n"
     "  area 7      1\n"
     "  area 63     1\n"
     "  floors      1 to 1\n"
     "  links       2\n",
     ""},
    {"run --format counts -", START GRID ",\"steps\":[]}\n", 0,
     "  grid        4 cells along x, 4 along z, 8 rows\n"
     "  degenerate  0\n"
     "  spans       0 solid, in 0 columns, at most 0 in one\n"
     "  walkable    0\n",
     ""},
    /* expected answers */
    {"run -", START GRID "," SPANS ",\"expect\":" ANSWER "}\n", 0, SPAN_ROWS, ""},
    {"run -",
     START GRID "," SPANS ",\"expect\":{\"size\":[4,4,8],\"degenerate\":0,\"solid\":[]}}\n", 1,
     SPAN_ROWS, "voxcert: line 1: solid row 0 is one too many: got [0,0,0,1,63]\n"},
    {"run - --steps 1", START GRID "," SPANS ",\"expect\":{\"error\":\"argument\",\"step\":0}}\n",
     0, SPAN_ROWS, ""},
    {"run - --steps 0", START GRID "," SPANS ",\"expect\":{\"error\":\"argument\",\"step\":0}}\n",
     0, "", ""},
    {"run -", START GRID "," FAILING "}\n", 0, "{\"error\":\"out_of_range\",\"step\":0}\n",
     "voxcert: line 1: "},
    {"run -", START GRID "," FAILING ",\"expect\":{\"error\":[\"out_of_range\"],\"step\":0}}\n", 0,
     "{\"error\":\"out_of_range\",\"step\":0}\n", "voxcert: line 1: "},
    {"run - --format counts",
     START GRID "," FAILING ",\"expect\":{\"error\":\"argument\",\"step\":0}}\n", 1,
     "{\"error\":\"out_of_range\",\"step\":0}\n", "voxcert: line 1: "},
    /* several cases */
    {"run -", NAMED("a") SPANS "}\n" NAMED("b") FAILING "}\n", 0,
     "# a\n" SPAN_ROWS "# b\n{\"error\":\"out_of_range\",\"step\":0}\n", "voxcert: b: "},
    {"run - --name a", NAMED("a") SPANS "}\n" NAMED("b") FAILING "}\n", 0, SPAN_ROWS, ""},
    {"run - --name c", NAMED("a") SPANS "}\n", 2, "", "voxcert: no case is called c\n"},
    {"run -", "", 4, "", "voxcert: there is no case in the file\n"},
    /* what is no case */
    {"run -", START GRID "," SPANS "}", 2, "",
     "voxcert: standard input:1: the last line has no line end: the file may be cut short\n"},
    {"run -", START GRID "," SPANS "}\n\n", 2, "", "voxcert: standard input:2: an empty line\n"},
    {"run -", "{}\n", 2, "", "voxcert: standard input:1: $.format: is missing\n"},
    /* options */
    {"run", "", 2, "", "voxcert: run: takes FILE, but 0 operands were given; see "},
    {"run - -", "", 2, "", "voxcert: run: takes FILE, but 2 operands were given; see "},
    {"run - --impl fast2", START GRID ",\"steps\":[]}\n", 2, "",
     "voxcert: no implementation of build3d is called fast2; there is ref, fast"},
    {"run - --impl ref --lib x.so", "", 2, "", "voxcert: --impl and --lib exclude each other\n"},
    {"run - --lib x.so", START GRID ",\"steps\":[]}\n", 3, "", "voxcert: x.so: ./x.so: "},
    {"run - --lib /dev/null", START GRID ",\"steps\":[]}\n", 3, "", "voxcert: /dev/null: "},
    {"run - --format xml", "", 2, "", "voxcert: --format xml: rows, json or counts is needed\n"},
    {"run - --steps -1", "", 2, "", "voxcert: --steps -1: a whole number from 0 to "},
    {"run - --steps", "", 2, "", "voxcert: run: a value is missing after --steps"},
    {"run - --trace-clause B2.8 --trace-clause Q9", "", 2, "",
     "voxcert: --trace-clause Q9: SPEC.md has no such clause or section; the nearest clause is "},
    {"run - --trace-clause B", "", 2, "", "voxcert: --trace-clause B: SPEC.md has no such "},
    {"run - --colour", "", 2, "", "voxcert: run: no such option, or not one word: --colour"},
    {"run /nowhere/at/all", "", 2, "", "voxcert: /nowhere/at/all: No such file or directory\n"},
    {"run /dev/zero", "", 2, "", "voxcert: /dev/zero:1: $: not JSON: a NUL byte\n"},
};

static void compare(size_t row, const char *stream, const char *expected, const vx_text *found)
{
    size_t size = strlen(expected);
    bool whole = size == 0 || expected[size - 1] == '\n';
    cr_assert(whole ? strcmp(vx_text_string(found), expected) == 0
                    : strncmp(vx_text_string(found), expected, size) == 0,
              "row %zu, `%s`, %s:\n%s\ninstead of\n%s", row, runs[row].words, stream,
              vx_text_string(found), expected);
}

Test(run_test, end_to_end)
{
    test_run run = {0};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        test_run_voxcert(&run, runs[i].words, runs[i].input);
        cr_assert_eq(run.status, runs[i].status, "row %zu: %s: %d %s", i, runs[i].words, run.status,
                     vx_text_string(&run.err));
        compare(i, "standard output", runs[i].out, &run.out);
        compare(i, "standard error", runs[i].err, &run.err);
    }
    test_run_free(&run);
}

Test(run_test, rows_are_what_the_digest_is_taken_of)
{
    test_run run = {0};
    const char *path = scratch_write("case.jsonl", START GRID "," SPANS "}\n");
    const char *script[] = {"sh",           "-c", "\"$0\" run \"$1\" | sha256sum",
                            test_voxcert(), path, NULL};
    test_run_program(&run, NULL, script, "");
    cr_assert_eq(run.out.size, VX_SHA256_HEX + 3, "%s", vx_text_string(&run.out));
    run.out.bytes[VX_SHA256_HEX - 1] = '\0';
    vx_text line = {0};
    vx_text_format(&line,
                   START GRID "," SPANS ",\"expect\":{\"size\":[4,4,8],\"degenerate\":0,"
                              "\"rows\":3,\"sha256\":\"%s\"}}\n",
                   run.out.bytes);
    test_run_voxcert(&run, "run -", line.bytes);
    cr_assert_eq(run.status, 0, "%s", vx_text_string(&run.err));
    vx_text_free(&line);
    test_run_free(&run);
}

Test(run_test, a_trace_goes_to_standard_error)
{
    static const char input[] =
        START GRID ",\"steps\":[{\"op\":\"rasterize\",\"vertices\":[0,0,0,0,0,2,2,0.5,0],"
                   "\"indices\":[0,1,2]}]}\n";
    test_run plain = {0};
    test_run traced = {0};
    test_run_voxcert(&plain, "run -", input);
    test_run_voxcert(&traced, "run - --trace", input);
    cr_assert_eq(traced.status, 0);
    cr_assert_str_eq(traced.out.bytes, plain.out.bytes);
    cr_assert_eq(plain.err.size, 0);
    static const char heading[] = "--     grid\n";
    cr_assert_eq(strncmp(traced.err.bytes, heading, strlen(heading)), 0, "%s", traced.err.bytes);
    cr_assert_not_null(strstr(traced.err.bytes, "\n--     step 0: rasterize\nB2."), "%s",
                       traced.err.bytes);
    cr_assert_not_null(strstr(traced.err.bytes, "\nB2.8   nx = "), "%s", traced.err.bytes);
    test_run_free(&plain);
    test_run_free(&traced);
}

/* Which lines of a trace are left. Every line starts with one of the words. */
Test(run_test, a_trace_of_some_clauses)
{
    static const struct {
        const char *options;
        const char *starts[5];
    } table[] = {
        {"--trace-clause B2.8", {"# a", "# b", "-- ", "B2.8 "}},
        {"--trace --trace-clause b2.8", {"# a", "# b", "-- ", "B2.8 "}},
        {"--trace-clause b2", {"# a", "# b", "-- ", "B2."}},
        {"--trace-clause B2.8 --trace-clause B2.9", {"# a", "# b", "-- ", "B2.8 ", "B2.9 "}},
    };
#define TRIANGLE                                                                                   \
    "\"steps\":[{\"op\":\"rasterize\",\"vertices\":[0,0,0,0,0,2,2,0.5,0],\"indices\":[0,1,2]}]"
    static const char input[] = NAMED("a") TRIANGLE "}\n" NAMED("b") TRIANGLE "}\n";
    test_run run = {0};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        bool seen[5] = {false};
        vx_text words = {0};
        vx_text_format(&words, "run - %s", table[i].options);
        test_run_voxcert(&run, words.bytes, input);
        cr_assert_eq(run.status, 0, "%s", vx_text_string(&run.err));
        char *rest = run.err.bytes;
        for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
            bool known = line[0] == '\0' || strncmp(line, "voxcert: ", 9) == 0;
            for (size_t k = 0; k < 5 && table[i].starts[k] != NULL; k++) {
                bool starts = strncmp(line, table[i].starts[k], strlen(table[i].starts[k])) == 0;
                seen[k] = seen[k] || starts;
                known = known || starts;
            }
            cr_assert(known, "%s: %s", words.bytes, line);
        }
        for (size_t k = 0; k < 5 && table[i].starts[k] != NULL; k++) {
            cr_assert(seen[k], "%s: %s", words.bytes, table[i].starts[k]);
        }
        vx_text_free(&words);
    }
    test_run_free(&run);
}

Test(run_test, a_large_file_is_refused_before_it_is_read)
{
    const char *path = scratch_write("large.jsonl", "");
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL && fseek(file, 1 << 30, SEEK_SET) == 0 && fputc('\n', file) == '\n');
    (void)fclose(file);
    vx_text words = {0};
    vx_text_format(&words, "run %s", path);
    test_run run = {0};
    test_run_voxcert(&run, words.bytes, "");
    cr_assert_eq(run.status, 2);
    cr_assert_not_null(
        strstr(run.err.bytes, "large.jsonl: a file of 1073741825 bytes; at most 536870912 are"),
        "%s", run.err.bytes);
    vx_text_free(&words);
    test_run_free(&run);
}

Test(run_test, pipes_without_an_end_are_refused)
{
    static const struct {
        const char *source, *message;
    } table[] = {
        {"cat /dev/zero", "standard input:1: $: not JSON: a NUL byte"},
        {"yes", "standard input:1: $: not JSON: invalid token near 'y'"},
        {"yes ''", "standard input:1: an empty line"},
        {"tr '\\0' ' ' </dev/zero", "standard input:1: a line of more than 128 MiB"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_text command = {0};
        test_run run = {0};
        vx_text_format(&command, "%s | \"$0\" run -", table[i].source);
        const char *script[] = {"sh", "-c", command.bytes, test_voxcert(), NULL};
        test_run_program(&run, NULL, script, "");
        cr_assert_eq(run.status, 2, "%s: %s", table[i].source, vx_text_string(&run.err));
        cr_assert_not_null(strstr(run.err.bytes, table[i].message), "%s: %s", table[i].source,
                           run.err.bytes);
        vx_text_free(&command);
        test_run_free(&run);
    }
}

/* Full disks and closed pipes are failures, not successes with half an answer. */
Test(run_test, output_that_cannot_be_written_is_an_error)
{
    test_run run = {0};
    const char *script[] = {"sh", "-c", "\"$0\" run - >/dev/full", test_voxcert(), NULL};
    test_run_program(&run, NULL, script, START GRID "," SPANS "}\n");
    cr_assert_eq(run.status, 5, "%d %s", run.status, vx_text_string(&run.err));
    test_run_free(&run);
}

/* --- ports ----------------------------------------------------------------------------------- */

/* The program itself is the port, with the faults that it can play. */
Test(run_test, ports)
{
    static const struct {
        const char *port;
        int status;
        const char *out, *err;
    } table[] = {
        {"'$0' serve", 0, "# a\n" SPAN_ROWS "# b\n{\"error\":\"out_of_range\",\"step\":0}\n",
         "voxcert: 2 cases: 1 as expected, 0 otherwise, 1 without an expected answer\n"},
        {"exit 7", 3, "# a\n", "voxcert: a: --port: it exited with status 7 before it answered"},
        {"'$0' serve --bad dead", 3, "# a\n", "voxcert: a: --port: it exited with status 9 before"},
        {"'$0' serve --bad banner", 3, "# a\n", "voxcert: a: --port: "},
        {" ", 2, "", "voxcert: --port: a command is needed, not an empty word\n"},
        {"x\" --steps \"1", 2, "", "voxcert: --port and --steps exclude each other\n"},
        {"x\" --impl \"ref", 2, "", "voxcert: --port and --impl exclude each other\n"},
    };
    static const char input[] =
        NAMED("a") SPANS ",\"expect\":" ANSWER "}\n" NAMED("b") FAILING "}\n";
    test_run run = {0};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_text command = {0};
        vx_text_format(&command, "\"$0\" run - --port \"%s\"", table[i].port);
        const char *script[] = {"sh", "-c", command.bytes, test_voxcert(), NULL};
        test_run_program(&run, NULL, script, input);
        cr_assert_eq(run.status, table[i].status, "row %zu: %d %s", i, run.status,
                     vx_text_string(&run.err));
        cr_assert_str_eq(vx_text_string(&run.out), table[i].out, "row %zu", i);
        cr_assert_eq(strncmp(vx_text_string(&run.err), table[i].err, strlen(table[i].err)), 0,
                     "row %zu: %s", i, vx_text_string(&run.err));
        vx_text_free(&command);
    }
    test_run_free(&run);
}

/* An answer that nobody expects may be as long as any. */
Test(run_test, a_long_answer_of_a_port)
{
    static const char input[] =
        "{\"format\":\"voxcert/1\",\"chapter\":\"build3d\",\"grid\":{\"origin\":[0,0,0],"
        "\"size\":[300,300,8],\"cellSize\":1,\"cellHeight\":1},\"steps\":[{\"op\":\"heightGrid\","
        "\"origin\":[0,0],\"spacing\":300,\"count\":[2,2],\"heights\":[1,1,1,1]}]}\n";
    const char *script[] = {"sh", "-c", "\"$0\" run - --format json --port \"'$0' serve\"",
                            test_voxcert(), NULL};
    test_run run = {0};
    test_run_program(&run, NULL, script, input);
    cr_expect_eq(run.status, 0, "%s", vx_text_string(&run.err));
    cr_expect_gt(run.out.size, (size_t)1200000);
    test_run_free(&run);
}

/* --- shared libraries ------------------------------------------------------------------------ */

/* Compiles tests/library/entry.c with that fault and runs a case on it. */
static void run_library(int fault, const char *options, test_run *run)
{
    vx_text define = {0};
    vx_text words = {0};
    const char *path = scratch_path("library.so");
    vx_text_format(&define, "-DFAULT=%d", fault);
    const char *compile[] = {
        "cc", "-std=c17", "-shared", "-fPIC", "-Iinclude", define.bytes, "tests/library/entry.c",
        "-o", path,       NULL};
    test_run_program(run, NULL, compile, "");
    cr_assert_eq(run->status, 0, "%s", vx_text_string(&run->err));
    vx_text_format(&words, "run - --lib %s %s", path, options);
    test_run_voxcert(run, words.bytes, START GRID "," COMPACT "}\n");
    vx_text_free(&define);
    vx_text_free(&words);
}

Test(run_test, shared_libraries)
{
    static const struct {
        int fault;
        const char *options;
        int status;
        const char *out, *err;
    } table[] = {
        {0, "--format json", 0, "{\"size\":[4,4,8],\"degenerate\":0,\"compact\":[]}\n", NULL},
        {0, "--trace", 0, NULL, "B0.9   nothing is changed\n"},
        {1, "", 3, NULL, "the library does not know build3d's ABI 1\n"},
        {2, "", 3, NULL, "the library's table has ABI 2 and "},
        {3, "", 3, NULL, "the library's table has ABI 1 and "},
        {4, "", 3, NULL, "a function other than set_trace is NULL in the table\n"},
        {5, "", 3, NULL, "the library exports no function vx_build3d_entry\n"},
        {6, "", 0, NULL, NULL},
        {6, "--trace", 2, NULL, "does not trace; without --lib and --impl the reference does\n"},
        {7, "", 1, NULL, "voxcert: line 1: unsupported: xxx"},
        {8, "", 4, NULL, "voxcert: line 1: no_memory: xxx"},
        {9, "", 1, NULL, "the implementation returned the status 77, which it must not\n"},
        {10, "", 4, NULL,
         "voxcert: line 1: no_memory: a result of 288230376151711743 rows; at most 2147483648 can "
         "be read\n"},
        {11, "", 1, NULL, "library.so: the library ended the program\n"},
        {12, "", 128 + SIGABRT, NULL,
         "library.so: the library crashed (Aborted); certify --lib names the case\n"},
        {13, "", 1, NULL, "library.so: the library ended the program\n"},
        {14, "", 1, NULL, "library.so: the library ended the program\n"},
        {15, "", 128 + SIGKILL, NULL, "library.so: the library crashed (Killed);"},
    };
    test_run run = {0};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        run_library(table[i].fault, table[i].options, &run);
        cr_assert_eq(run.status, table[i].status, "row %zu: %d %s", i, run.status,
                     vx_text_string(&run.err));
        cr_assert_str_eq(vx_text_string(&run.out), table[i].out != NULL ? table[i].out : "");
        cr_assert(table[i].err != NULL ? strstr(vx_text_string(&run.err), table[i].err) != NULL
                                       : run.err.size == 0,
                  "row %zu: %s", i, vx_text_string(&run.err));
    }
    test_run_free(&run);
}

/* To open a pipe as a library would wait for whoever writes to it. */
Test(run_test, a_library_is_a_regular_file)
{
    test_run run = {0};
    vx_text words = {0};
    const char *path = scratch_path("pipe.so");
    cr_assert_eq(mkfifo(path, 0600), 0);
    test_deadline(20);
    vx_text_format(&words, "run - --lib %s", path);
    test_run_voxcert(&run, words.bytes, START GRID "," COMPACT "}\n");
    cr_expect_eq(run.status, VX_EXIT_NO_PORT, "status %d", run.status);
    cr_expect_not_null(strstr(vx_text_string(&run.err), "pipe.so: a regular file is needed\n"));
    vx_text_free(&words);
    test_run_free(&run);
}

/* draw: a library's message may have no end, and bytes that are not for terminals. */
Test(run_test, what_a_library_says_is_shown_safely)
{
    static const char given[] =
        "{\"format\":\"voxcert/"
        "1\",\"name\":\"a\",\"chapter\":\"build3d\",\"grid\":{\"origin\":[0,0,0],"
        "\"cellSize\":1,\"cellHeight\":1,\"size\":[4,4,8]},\"steps\":[{\"op\":\"lowHanging\"}]}\n";
    static const struct {
        const char *flags;
        size_t letters;
        const char *part;
    } rows[] = {{"-DFAULT=7", 199, "voxcert: a: step 0: unsupported: "},
                {"-DFAULT=16", 0, "voxcert: a: step 0: unsupported: \\x1b[2J\n\\x9b\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_run run = {0};
        vx_text words = {0};
        const char *library = scratch_path("entry.so");
        test_build_library("tests/library/entry.c", rows[i].flags, library);
        vx_text_format(&words, "draw - --lib %s --out %s", library, scratch_path("a.svg"));
        test_run_voxcert(&run, words.bytes, given);
        const char *found = strstr(vx_text_string(&run.err), rows[i].part);
        cr_assert_not_null(found, "%s", vx_text_string(&run.err));
        cr_expect_eq(strspn(found + strlen(rows[i].part), "x"), rows[i].letters, "%s", found);
        vx_text_free(&words);
        test_run_free(&run);
    }
}
