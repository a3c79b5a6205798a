/* SPDX-License-Identifier: MIT */
/* Results: what they amount to, their file, and the report made from them. */
#include "results.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec.h"
#include "summary.h"
#include "suspects.h"
#include "tests/program.h"
#include "tests/scratch.h"

TestSuite(results, .init = scratch_open, .fini = scratch_close);

static void fill_header(vx_results_header *header, const char *name)
{
    *header = (vx_results_header){.kit = vx_must_strdup("0.1.0"),
                                  .how = vx_must_strdup("port"),
                                  .command = vx_must_strdup("run \"it\""),
                                  .name = vx_must_strdup(name),
                                  .version = vx_must_strdup("1.2"),
                                  .language = vx_must_strdup("C#"),
                                  .vectors = vx_must_strdup("abcdef"),
                                  .tier = vx_must_strdup("ci"),
                                  .filter = vx_must_strdup(""),
                                  .shard = vx_must_strdup("1/1"),
                                  .started = vx_must_strdup("2026-01-02T03:04:05Z"),
                                  .files = vx_must_strdup(""),
                                  .again = vx_must_strdup("voxcert certify --port x"),
                                  .vector_count = 3,
                                  .case_count = 2};
}

static vx_record make_record(const char *name, const char *clause, vx_verdict verdict)
{
    vx_record record = {.name = vx_must_strdup(name),
                        .clauses = vx_must_alloc(1, sizeof(char *)),
                        .clause_count = 1,
                        .verdict = verdict};
    record.clauses[0] = vx_must_strdup(clause);
    return record;
}

static void add_record(vx_results *results, vx_record record)
{
    results->records =
        vx_must_realloc(results->records, results->count + 1, sizeof *results->records);
    results->records[results->count++] = record;
}

static void add(vx_results *results, const char *name, vx_verdict verdict)
{
    add_record(results, make_record(name, "B3.3", verdict));
}

Test(results, exit_statuses)
{
    static const struct {
        vx_verdict verdicts[3];
        bool undeclared;
        vx_exit status;
    } rows[] = {
        {{VX_PASS, VX_PASS, VX_PASS}, false, VX_EXIT_PASS},
        {{VX_PASS, VX_SKIP, VX_PASS}, true, VX_EXIT_PASS},
        {{VX_SKIP, VX_SKIP, VX_SKIP}, true, VX_EXIT_INCOMPLETE},
        {{VX_PASS, VX_SKIP, VX_PASS}, false, VX_EXIT_INCOMPLETE},
        {{VX_PASS, VX_PASS, VX_NOT_RUN}, false, VX_EXIT_INCOMPLETE},
        {{VX_NOT_RUN, VX_NOT_RUN, VX_NOT_RUN}, false, VX_EXIT_INCOMPLETE},
        {{VX_PASS, VX_FAIL, VX_NOT_RUN}, false, VX_EXIT_NOT_CONFORMANT},
        {{VX_PASS, VX_PASS, VX_UNSTABLE}, false, VX_EXIT_NOT_CONFORMANT},
        {{VX_PASS, VX_PASS, VX_DESYNC}, false, VX_EXIT_NOT_CONFORMANT},
        {{VX_SKIP, VX_CRASH, VX_SKIP}, false, VX_EXIT_NOT_CONFORMANT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_results results = {0};
        for (size_t k = 0; k < 3; k++) {
            add(&results, "case", rows[i].verdicts[k]);
            results.records[k].undeclared = rows[i].undeclared;
        }
        cr_expect_eq(vx_results_exit(&results), rows[i].status, "row %zu", i);
        vx_results_free(&results);
    }
    vx_results none = {0};
    cr_expect_eq(vx_results_exit(&none), VX_EXIT_INCOMPLETE);
}

/* The digest is that of `sort`ed lines, whatever the order of the records. */
Test(results, digest)
{
    vx_results results = {0};
    char hex[VX_SHA256_HEX];
    char other[VX_SHA256_HEX];
    add(&results, "b", VX_NOT_RUN);
    add(&results, "a", VX_PASS);
    vx_results_digest(&results, hex);
    const char *path = scratch_write("lines", "a pass\nb not run\n");
    char command[4200];
    (void)snprintf(command, sizeof command, "sha256sum <'%s'", path);
    FILE *tool = popen(command, "r");
    cr_assert_not_null(tool);
    cr_assert_not_null(fgets(other, sizeof other, tool));
    cr_expect_eq(pclose(tool), 0);
    cr_expect_str_eq(hex, other);
    results.records[0].verdict = VX_FAIL;
    vx_results_digest(&results, other);
    cr_expect_str_neq(hex, other);
    vx_results_free(&results);
}

/* A file with a case that was judged twice, and a footer. */
static const char *write_file(void)
{
    const char *path = scratch_path("results.jsonl");
    vx_results results = {.seconds = 1.5};
    vx_results_file file;
    fill_header(&results.header, "mine");
    add(&results, "first", VX_PASS);
    add(&results, "second \"quoted\"", VX_CRASH);
    vx_results_add_note(&results, "odd");
    results.records[0].milliseconds = 0.25;
    results.records[1].stateful = true;
    results.records[1].note = vx_must_strdup("it shows this");
    results.records[1].detail = vx_must_strdup("line\nbreak");
    results.records[1].difference = vx_must_strdup("row 3");
    results.records[1].errors = vx_must_strdup("\xff\xfe");
    cr_assert(vx_results_create(&file, path, &results.header));
    results.records[1].verdict = VX_PASS;
    cr_assert(vx_results_write(&file, &results.records[1]));
    cr_assert(vx_results_write(&file, &results.records[0]));
    results.records[1].verdict = VX_CRASH;
    cr_assert(vx_results_write(&file, &results.records[1]));
    cr_assert(vx_results_finish(&file, &results));
    vx_results_free(&results);
    return path;
}

Test(results, a_file_reads_back)
{
    const char *path = write_file();
    vx_results results;
    vx_results_header header;
    size_t keep;
    cr_assert(vx_results_read(&results, path, &keep));
    fill_header(&header, "mine");
    cr_expect_null(vx_results_header_difference(&results.header, &header));
    cr_expect_str_eq(results.header.started, header.started);
    vx_text shown = {0};
    vx_results_header_show(&results.header, "command", &shown);
    vx_results_header_show(&results.header, "caseCount", &shown);
    cr_expect_str_eq(shown.bytes, "\"run \"it\"\"2 of 3");
    vx_text_free(&shown);
    cr_expect_eq(results.count, 2);
    const vx_record *crash = &results.records[0];
    cr_expect_str_eq(crash->name, "second \"quoted\"");
    cr_expect_eq(crash->verdict, VX_CRASH);
    cr_expect(crash->stateful);
    cr_expect_str_eq(crash->note, "it shows this");
    cr_expect_str_eq(crash->detail, "line\nbreak");
    cr_expect_str_eq(crash->difference, "row 3");
    cr_expect_str_eq(crash->errors, "\uFFFD\uFFFD");
    cr_expect_str_eq(crash->clauses[0], "B3.3");
    cr_expect_float_eq(results.records[1].milliseconds, 0.25, 1e-9);
    cr_expect_null(results.records[1].detail);
    cr_expect_float_eq(results.seconds, 1.5, 1e-9);
    cr_expect_str_eq(results.notes[0], "odd");
    vx_results_free(&results);
    /* Without the footer, and without a line that was cut, it is still good. */
    vx_text text = scratch_read(path);
    cr_expect_eq(strncmp(text.bytes + keep, "{\"counts\":", 10), 0);
    text.bytes[keep - 5] = '\0';
    cr_assert(vx_results_read(&results, scratch_write("cut.jsonl", text.bytes), &keep));
    cr_expect_eq(results.count, 2);
    cr_expect_eq(results.records[0].verdict, VX_PASS);
    vx_results_free(&results);
    vx_text_free(&text);
    vx_results empty = {.header = header};
    vx_results_free(&empty);
}

Test(results, headers_that_differ)
{
    vx_results a = {0};
    vx_results b = {0};
    fill_header(&a.header, "mine");
    fill_header(&b.header, "yours");
    cr_expect_str_eq(vx_results_header_difference(&a.header, &b.header), "name");
    vx_results_free(&b);
    fill_header(&b.header, "mine");
    b.header.started[0] = '3';
    b.header.again[0] = 'x';
    cr_expect_null(vx_results_header_difference(&a.header, &b.header));
    b.header.case_count++;
    cr_expect_str_eq(vx_results_header_difference(&a.header, &b.header), "caseCount");
    vx_results_free(&a);
    vx_results_free(&b);
}

Test(results, files_that_are_none)
{
    vx_text good = scratch_read(write_file());
    const char *second = strchr(good.bytes, '\n') + 1;
    static const struct {
        const char *tail; /* behind the header; NULL: instead of it */
        const char *instead;
    } rows[] = {
        {NULL, ""},
        {NULL, "{}\n"},
        {NULL, "no JSON\n"},
        {NULL, "{\"format\":\"voxcert-results/2\"}\n"},
        {NULL, "{\"format\":\"voxcert-results/1\",\"kit\":7}\n"},
        {"[]\n", NULL},
        {"{}\n", NULL},
        {"{\"case\":\"a\",\"clauses\":[],\"verdict\":\"fine\",\"ms\":1}\n", NULL},
        {"{\"case\":\"a\",\"clauses\":[7],\"verdict\":\"pass\",\"ms\":1}\n", NULL},
        {"{\"case\":\"a\",\"verdict\":\"pass\",\"ms\":1}\n", NULL},
        {"{\"case\":\"a\",\"clauses\":[],\"verdict\":\"pass\"}\n", NULL},
        {"{\"clauses\":[],\"verdict\":\"pass\",\"ms\":1}\n", NULL},
        {"{\"counts\":{}}\n", NULL},
        {"{\"counts\":{},\"seconds\":1,\"notes\":[]}\n{\"counts\":{}}\n", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text text = {0};
        vx_results results;
        size_t keep;
        if (rows[i].tail != NULL) {
            vx_text_add_bytes(&text, good.bytes, (size_t)(second - good.bytes));
            vx_text_add(&text, rows[i].tail);
        } else {
            vx_text_add(&text, rows[i].instead);
        }
        const char *path = scratch_write("bad.jsonl", vx_text_string(&text));
        cr_expect(!vx_results_read(&results, path, &keep), "row %zu", i);
        vx_text_free(&text);
    }
    vx_results results;
    size_t keep;
    cr_expect(!vx_results_read(&results, scratch_path("missing"), &keep));
    test_catch_errors();
    cr_expect(!vx_results_read(&results, ".", &keep));
    char *errors = test_caught_errors();
    cr_expect_str_eq(errors, "voxcert: .:1: Is a directory\n");
    free(errors);
    vx_text_free(&good);
}

Test(results, files_that_cannot_be_written)
{
    vx_results results = {0};
    vx_results_file file;
    fill_header(&results.header, "mine");
    add(&results, "first", VX_PASS);
    cr_expect(!vx_results_create(&file, "/no/such/folder/file", &results.header));
    cr_expect(!vx_results_reopen(&file, "/no/such/folder/file", 0));
    cr_expect(!vx_results_reopen(&file, "/dev/full", 0));
    cr_expect(!vx_results_create(&file, "/dev/full", &results.header));
    cr_expect_null(file.file);
    file = (vx_results_file){.file = fopen("/dev/full", "we"), .path = "/dev/full"};
    cr_expect(!vx_results_write(&file, &results.records[0]));
    cr_expect(!vx_results_finish(&file, &results));
    vx_results_free(&results);
}

Test(results, a_file_goes_on)
{
    const char *path = write_file();
    vx_results results;
    vx_results_file file;
    size_t keep;
    cr_assert(vx_results_read(&results, path, &keep));
    cr_assert(vx_results_reopen(&file, path, keep));
    results.records[0].verdict = VX_FAULT;
    cr_assert(vx_results_write(&file, &results.records[0]));
    cr_assert(vx_results_finish(&file, &results));
    vx_results_free(&results);
    cr_assert(vx_results_read(&results, path, &keep));
    cr_expect_eq(results.count, 2);
    cr_expect_eq(results.records[0].verdict, VX_FAULT);
    vx_results_free(&results);
}

/* --- the report ------------------------------------------------------------------------------- */

static void expect_report(const vx_results *results, const char *path, const char *const *parts)
{
    vx_text text = {0};
    vx_summary_write(results, path, &text);
    for (; *parts != NULL; parts++) {
        cr_expect_not_null(strstr(vx_text_string(&text), *parts), "\"%s\" is missing in\n%s",
                           *parts, vx_text_string(&text));
    }
    vx_text_free(&text);
}

Test(results, report_of_a_pass)
{
    vx_results results = {.seconds = 2, .judged = 2};
    fill_header(&results.header, "mine");
    add(&results, "build3d/a", VX_PASS);
    add_record(&results, make_record("build3d/b", "B2.9", VX_PASS));
    static const char *const parts[] = {
        "  implementation mine 1.2 (C#)\n",
        "port           run \"it\"",
        "3, sha256 abcdef",
        "tier ci: 2 cases",
        "2.00 s, 1 cases/s",
        "B2 Rasterizing triangles                 1         0         0\n",
        "B3 Spans and merging                     1         0         0\n",
        "CONFORMANT: all 2 cases gave exactly the answer of ",
        NULL};
    expect_report(&results, NULL, parts);
    results.records[0].detail = vx_must_strdup("no answer in 2 s; alone: answered after 3 s");
    vx_results_add_note(&results, "after bye it exited with status 7");
    results.header.filter[0] = '\0';
    free(results.header.tier);
    results.header.tier = vx_must_strdup("smoke");
    static const char *const more[] = {"PASSED, but only a part was asked: 2 of 2 cases",
                                       "1 case gave no answer in time at first",
                                       "after bye it exited with status 7", NULL};
    expect_report(&results, NULL, more);
    vx_results_free(&results);
}

Test(results, report_of_failures)
{
    vx_results results = {.seconds = 2, .judged = 0};
    fill_header(&results.header, "mine");
    free(results.header.tier);
    free(results.header.filter);
    free(results.header.shard);
    results.header.tier = vx_must_strdup("full");
    results.header.filter = vx_must_strdup("B3");
    results.header.shard = vx_must_strdup("2/3");
    add(&results, "build3d/a", VX_PASS);
    add(&results, "build3d/it's", VX_CRASH);
    results.records[1].stateful = true;
    results.records[1].note = vx_must_strdup("A note.");
    results.records[1].detail = vx_must_strdup("it \x1b[1m went");
    results.records[1].errors = vx_must_strdup("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    add_record(&results, make_record("build3d/c", "§9", VX_FAIL));
    results.records[2].difference = vx_must_strdup("solid row 0");
    results.records[2].errors = vx_must_strdup("no line end");
    static const char *const parts[] = {
        "tier full, filter B3, shard 2/3: 2 cases",
        "2.00 s\n",
        "crash                  1  the process ended",
        "B3 Spans and merging                     1         1         0  <--\n",
        "\n  crash (stateful: asked alone it passes)  build3d/it's\n",
        "\n      A note.\n",
        "\n      it \\x1b[1m went\n",
        "standard error ends:\n        | 2\n",
        "| 9\n",
        "        | no line end\n",
        "again: voxcert certify --port x --tier full --filter 'build3d/it'\\''s'\n",
        "\n  fail  build3d/c\n      solid row 0\n",
        "\nFAILED: 2 of 3 cases failed.\n",
        NULL};
    expect_report(&results, NULL, parts);
    vx_results_free(&results);
}

Test(results, report_of_many)
{
    enum { MANY = 30 };
    vx_results results = {0};
    fill_header(&results.header, "mine");
    for (int i = 0; i < MANY; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "build3d/%d", i);
        add(&results, name, VX_FAIL);
        add(&results, name, i % 2 == 0 ? VX_NOT_RUN : VX_SKIP);
        (void)snprintf(name, sizeof name, "reason %d", i < 10 ? 0 : i);
        results.records[results.count - 1].detail = vx_must_strdup(name);
    }
    static const char *const parts[] = {"… and 28 more; --results FILE keeps all\n",
                                        "\n  not run: 5 cases, reason 0\n",
                                        "\n  skip: 5 cases, reason 0\n",
                                        "\n  skip: 1 case, reason 11\n",
                                        "\n  others: 17 cases\n",
                                        "NOT CONFORMANT: 30 of 60 cases failed.\n",
                                        NULL};
    expect_report(&results, NULL, parts);
    static const char *const kept[] = {"… and 28 more; all are in file.jsonl\n", NULL};
    expect_report(&results, "file.jsonl", kept);
    vx_results_free(&results);
}

/* Cites clauses and gets verdicts such that the broken clause, B6.2@114428, is never the first that
 * a case cites. */
static void fill_suspects(vx_results *results)
{
    static const struct {
        const char *name;
        const char *clauses[2];
        vx_verdict verdict;
    } rows[] = {
        {"build3d/gen/a/1", {"B2.1", "B3.3"}, VX_FAIL},
        {"build3d/gen/a/2", {"B2.1", "B6.2"}, VX_FAIL},
        {"build3d/x/1", {"B2.9", "B6.2"}, VX_FAIL},
        {"build3d/x/2", {"B2.9", "B6.2"}, VX_FAIL},
        {"build3d/x/3", {"B3.3", "B6.2"}, VX_FAIL},
        {"build3d/x/4", {"B2.9", "B3.3"}, VX_PASS},
        {"build3d/x/5", {"B3.3", "B3.4"}, VX_PASS},
        {"build3d/x/6", {"B6.2", "B3.4"}, VX_SKIP},
        {"build3d/x/7", {"B3.4", "B2.1"}, VX_CRASH},
        {"build3d/x/8", {"B3.4", "B2.1"}, VX_NONCANONICAL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_record record = make_record(rows[i].name, rows[i].clauses[0], rows[i].verdict);
        record.clauses = vx_must_realloc(record.clauses, 2, sizeof(char *));
        record.clauses[record.clause_count++] = vx_must_strdup(rows[i].clauses[1]);
        add_record(results, record);
    }
}

Test(results, suspects)
{
    vx_results results = {0};
    vx_spec spec;
    vx_suspects suspects;
    vx_text ids = {0};
    vx_spec_read_own(&spec);
    fill_suspects(&results);
    vx_suspects_find(&results, &spec, &suspects);
    for (size_t i = 0; i < suspects.count; i++) {
        const vx_suspect *suspect = &suspects.items[i];
        vx_text_format(&ids, "%s %zu/%zu %.3f, ", suspect->clause->id, suspect->failed,
                       suspect->judged, suspect->score);
    }
    cr_expect_str_eq(ids.bytes, "B6.2 3/3 1.000, B2.9 2/3 0.667, B3.3 1/3 0.333, B2.1 0/0 0.000, ");
    vx_suspects_free(&suspects);
    results.records[2].verdict = results.records[3].verdict = VX_PASS;
    results.records[4].verdict = VX_PASS;
    vx_suspects_find(&results, &spec, &suspects);
    cr_expect_eq(suspects.count, 3);
    cr_expect_str_eq(suspects.items[0].clause->id, "B2.1");
    cr_expect_eq(suspects.items[0].failed, 2, "without failures made by hand all cases count");
    vx_suspects_free(&suspects);
    vx_spec_free(&spec);
    vx_text_free(&ids);
    vx_results_free(&results);
}

/* Examples come in the order of suspicion, those made by hand first, each case once. */
Test(results, examples)
{
    static const char *const order[] = {
        "\n  clause  failed of answered of the cases made by hand; the ",
        "\n  B6.2    3 of 3 ",
        "\n  B2.9    2 of 3 ",
        "\n  B3.3    1 of 3 ",
        "\nB6.2 ",
        "  build3d/x/1\n",
        "  build3d/x/2\n",
        "\nB3.3 ",
        "  build3d/x/3\n",
        "  build3d/gen/a/1\n",
        "… and 1 more"};
    vx_results results = {0};
    vx_text text = {0};
    fill_header(&results.header, "mine");
    fill_suspects(&results);
    vx_summary_write(&results, NULL, &text);
    const char *from = text.bytes;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const char *found = strstr(from, order[i]);
        cr_assert_not_null(found, "\"%s\" does not follow in\n%s", order[i], text.bytes);
        from = found;
    }
    results.records[2].verdict = results.records[3].verdict = VX_PASS;
    results.records[4].verdict = VX_PASS;
    static const char *const all[] = {"\n  clause  failed of answered of all cases; the most ",
                                      NULL};
    expect_report(&results, NULL, all);
    vx_text_free(&text);
    vx_results_free(&results);
}

/* A library has no version but the name in its table; cases may cite nothing. */
Test(results, report_of_a_library)
{
    vx_results results = {0};
    fill_header(&results.header, "mine (mine.so)");
    free(results.header.how);
    results.header.how = vx_must_strdup("library");
    add_record(&results, make_record("a", "Z1.1", VX_PASS));
    static const char *const parts[] = {"  implementation mine (mine.so)\n  library        run ",
                                        "CONFORMANT: the only case gave exactly",
                                        "This shows that mine (mine.so) agrees", NULL};
    expect_report(&results, NULL, parts);
    vx_text text = {0};
    vx_summary_write(&results, NULL, &text);
    cr_expect_null(strstr(text.bytes, "section"), "%s", text.bytes);
    vx_text_free(&text);
    vx_results_free(&results);
}

/* Other vectors than the project's make nobody conformant. */
Test(results, report_on_other_vectors)
{
    vx_results results = {0};
    fill_header(&results.header, "mine");
    free(results.header.files);
    results.header.files = vx_must_strdup("a.jsonl b.jsonl");
    add(&results, "build3d/a", VX_PASS);
    static const char *const pass[] = {"\nPASSED: the only case of a.jsonl b.jsonl gave exactly",
                                       NULL};
    expect_report(&results, NULL, pass);
    add(&results, "build3d/b", VX_FAIL);
    static const char *const fail[] = {"\nFAILED: 1 of 2 cases of a.jsonl b.jsonl failed.\n", NULL};
    expect_report(&results, NULL, fail);
    vx_results_free(&results);
}

Test(results, report_of_an_interrupted_run)
{
    vx_results results = {.interrupted = true};
    fill_header(&results.header, "mine");
    add(&results, "build3d/a", VX_PASS);
    add(&results, "build3d/b", VX_FAIL);
    add(&results, "build3d/c", VX_NOT_RUN);
    static const char *const none[] = {"\nINTERRUPTED: 2 judged, 1 failed, 1 not run; start it "
                                       "with --results FILE to be able to go on\n",
                                       NULL};
    expect_report(&results, NULL, none);
    free(results.header.shard);
    free(results.header.filter);
    results.header.shard = vx_must_strdup("2/3");
    results.header.filter = vx_must_strdup("B3");
    static const char *const parts[] = {"; go on with: voxcert certify --port x --tier ci "
                                        "--filter B3 --shard 2/3 --resume 'a file'\n",
                                        NULL};
    expect_report(&results, "a file", parts);
    results.records[2].verdict = VX_PASS;
    static const char *const done[] = {"\nFAILED: 1 of 3 cases failed.\n", NULL};
    expect_report(&results, NULL, done);
    vx_results_free(&results);
}

Test(results, report_of_nothing)
{
    vx_results results = {0};
    fill_header(&results.header, "mine");
    static const char *const none[] = {"INCOMPLETE: no case was selected", NULL};
    expect_report(&results, NULL, none);
    add(&results, "a", VX_PASS);
    add(&results, "b", VX_NOT_RUN);
    add(&results, "c", VX_SKIP);
    static const char *const parts[] = {
        "INCOMPLETE: of 3 cases, 1 passed, 1 was skipped and 1 was not run.", NULL};
    expect_report(&results, NULL, parts);
    vx_results_free(&results);
}
