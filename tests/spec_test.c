/* SPDX-License-Identifier: MIT */
/* SPEC.md as clauses, `voxcert explain`, and the tool that holds the project to the clauses. */
#include <criterion/criterion.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "home.h"
#include "program.h"
#include "scratch.h"
#include "spec.h"

TestSuite(spec_test, .init = scratch_open, .fini = scratch_close);

/* Chapter Z is none of SPEC.md's, so that nothing here is taken for a citation. */
static const char small[] = "# Title\n"
                            "\n"
                            "A **bold** word, and **B**.\n"
                            "\n"
                            "> a quotation that belongs to nobody\n"
                            "\n"
                            "## Z1 The first\n"
                            "\n"
                            "**Z1.1** `aaaaaa`   First \twords,\n"
                            "   folded.\n"
                            "\n"
                            "> Reason: one.\n"
                            ">\n"
                            ">two.\n"
                            "\n"
                            "```\n"
                            "  **Z9.9** `drawing`\n"
                            "\n"
                            "> kept\n"
                            "```\n"
                            "\n"
                            "Text that ends the notes.\n"
                            "\n"
                            "> not a note\n"
                            "\n"
                            "**Z1.2** `8fb05f` ruling. Second.\n"
                            "\n"
                            "### Z10 The other\n"
                            "**Z10.1** `------` Third, last.";

static void read_small(vx_spec *spec)
{
    vx_problem problem = {0};
    cr_assert(vx_spec_read(small, strlen(small), spec, &problem), "%s", problem.message);
}

Test(spec_test, clauses_and_their_notes)
{
    static const struct {
        const char *id, *hash, *text_hash, *section, *text, *notes;
        size_t line;
        bool ruling;
    } table[] = {
        {"Z1.1", "aaaaaa", "28c734", "Z1 The first", "First words, folded.",
         "Reason: one.\n\ntwo.\n```\n  **Z9.9** `drawing`\n\nkept\n```\n", 9, false},
        {"Z1.2", "8fb05f", "f6ff8b", "Z1 The first", "ruling. Second.", "", 26, true},
        {"Z10.1", "------", "a17eca", "Z10 The other", "Third, last.", "", 29, false},
    };
    vx_spec spec;
    read_small(&spec);
    cr_assert_eq(spec.count, sizeof table / sizeof table[0]);
    for (size_t i = 0; i < spec.count; i++) {
        const vx_clause *clause = &spec.clauses[i];
        cr_assert_str_eq(clause->id, table[i].id);
        cr_assert_str_eq(clause->hash, table[i].hash);
        cr_assert_str_eq(clause->text_hash, table[i].text_hash, "%s: %s", clause->id,
                         clause->text_hash);
        cr_assert_str_eq(clause->section, table[i].section);
        cr_assert_str_eq(clause->text, table[i].text);
        cr_assert_str_eq(clause->notes, table[i].notes, "%s: %s", clause->id, clause->notes);
        cr_assert_eq(clause->line, table[i].line);
        cr_assert_eq(clause->ruling, table[i].ruling);
        cr_assert_eq(strncmp(small + clause->hash_offset, clause->hash, 6), 0);
        cr_assert_eq(vx_spec_find(&spec, clause->id), clause);
    }
    cr_assert_null(vx_spec_find(&spec, "Z1"));
    cr_assert_null(vx_spec_find(&spec, "Z1.10"));
    vx_spec_free(&spec);
    cr_assert_eq(spec.count, 0);
}

Test(spec_test, malformed_specifications)
{
    static const struct {
        const char *text, *message;
    } table[] = {
        {"**Z1.1** `aaaaaa` One.\n\n**Z1.1** `aaaaaa` Two.\n",
         "line 3: Z1.1 does not come after Z1.1"},
        {"**Z1.2** `aaaaaa` One.\n\n**Z1.1** `aaaaaa` Two.\n",
         "line 3: Z1.1 does not come after Z1.2"},
        {"**Z1.10** `aaaaaa` One.\n\n**Z1.9** `aaaaaa` Two.\n", "line 3: Z1.9 does not come after"},
        {"**Z10.1** `aaaaaa` One.\n\n**Z9.1** `aaaaaa` Two.\n", "line 3: Z9.1 does not come after"},
        {"**Z1.1** `aaaaaa` One.\n\n**Y2.1** `aaaaaa` Two.\n", "line 3: Y2.1 does not come after"},
        {"**AA1.1** `aaaaaa` One.\n\n**Y2.1** `aaaaaa` Two.\n", "line 3: Y2.1 does not come after"},
        {"**Z1.1** `aaaaaa` One.\n**Z1.2** `aaaaaa` Two.\n", "line 2: a blank line must stand"},
        {"**Z1.1** `aaaaaa` One.\n> Note.\n", "line 2: a blank line must stand"},
        {"**Z1.1** `aaaaaa` One.\n```\n", "line 2: a blank line must stand"},
        {"**Z1.1** `aaaaaa` One.\n## More\n", "line 2: a blank line must stand"},
        {"\n**Z1.1** `aaaaaa`\n\nText.\n", "line 2: a clause starts like this: "},
        {"**Z1.1** `aaaaaa` \n\nText.\n", "line 2: a clause without text"},
        {"**Z1.1** `aaaaa` One.\n", "line 1: a clause starts like this: "},
        {"**Z1.1** `aaaaaaa` One.\n", "line 1: a clause starts like this: "},
        {"**Z1.1** aaaaaa One.\n", "line 1: a clause starts like this: "},
        {"**Z1.1 `aaaaaa` One.\n", "line 1: a clause starts like this: "},
        {"**Z1.** `aaaaaa` One.\n", "line 1: a clause starts like this: "},
        {"**Z.1** `aaaaaa` One.\n", "line 1: a clause starts like this: "},
        {"**Z1** `aaaaaa` One.\n", "line 1: a clause starts like this: "},
        {"**Z1.1.1** `aaaaaa` One.\n", "line 1: a clause starts like this: "},
        {"**Z1234567.12345678** `aaaaaa` One.\n", "line 1: a clause starts like this: "},
        {"**Z", "line 1: a clause starts like this: "},
        {"**Z1.1** `", "line 1: a clause starts like this: "},
        {"**Note** that.\n", "line 1: a clause starts like this: "},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        vx_problem problem = {0};
        vx_spec spec;
        cr_assert_not(vx_spec_read(table[i].text, strlen(table[i].text), &spec, &problem),
                      "row %zu", i);
        cr_assert_not_null(strstr(problem.message, table[i].message), "row %zu: %s", i,
                           problem.message);
        cr_assert(spec.clauses == NULL && spec.count == 0, "nothing is left to free");
    }
}

Test(spec_test, the_nearest_clause)
{
    static const struct {
        const char *word, *id;
    } table[] = {{"Z1.1", "Z1.1"}, {"Z1.3", "Z1.1"},   {"Z10.2", "Z10.1"}, {"Z2", "Z1.2"},
                 {"", "Z1.1"},     {"z10.1", "Z10.1"}, {"Q1.2", "Z1.2"},   {"Z100.1", "Z10.1"}};
    vx_spec spec;
    read_small(&spec);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        cr_assert_str_eq(vx_spec_nearest(&spec, table[i].word)->id, table[i].id, "%s",
                         table[i].word);
    }
    cr_assert_not_null(vx_spec_nearest(&spec, "a word that is longer than any id"));
    vx_spec_free(&spec);
    cr_assert_null(vx_spec_nearest(&spec, "Z1.1"));
}

Test(spec_test, the_specification_in_the_program)
{
    vx_spec spec;
    size_t rulings = 0;
    vx_spec_read_own(&spec);
    cr_assert_gt(spec.count, 80);
    for (size_t i = 0; i < spec.count; i++) {
        const vx_clause *clause = &spec.clauses[i];
        cr_assert_str_eq(clause->hash, clause->text_hash, "%s: run check_spec --rehash",
                         clause->id);
        cr_assert_gt(strlen(clause->section), 2, "%s", clause->id);
        rulings += clause->ruling ? 1 : 0;
        cr_assert(!clause->ruling || strstr(clause->notes, "Reason: ") != NULL,
                  "%s is a ruling without a reason", clause->id);
    }
    cr_assert_gt(rulings, 30);
    vx_spec_free(&spec);
}

/* Makes the scratch directory the program's data. */
static void use_data(void)
{
    vx_text path = {0};
    vx_text_add(&path, scratch_path("x"));
    path.bytes[path.size - 2] = '\0';
    cr_assert_eq(setenv("VOXCERT_DATA", path.bytes, 1), 0);
    vx_text_free(&path);
}

Test(spec_test, where_the_data_lies)
{
    cr_assert_eq(unsetenv("VOXCERT_DATA"), 0);
    char *schema = vx_home_data("schema");
    cr_assert(schema != NULL && strstr(schema, "/conformance/schema") != NULL, "%s", schema);
    cr_assert_null(vx_home_data("no-such-thing"));
    use_data();
    cr_assert_null(vx_home_data("schema"));
    (void)scratch_write("schema/x", "");
    char *own = vx_home_data("schema");
    cr_assert_not_null(own);
    cr_assert_str_neq(own, schema);
    free(own);
    free(schema);
}

/* --- explain --------------------------------------------------------------------------------- */

#define CASE(name, clauses)                                                                        \
    "{\"format\":\"voxcert/1\",\"name\":\"" name                                                   \
    "\",\"chapter\":\"build3d\",\"clauses\":[" clauses                                             \
    "],\"grid\":{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[1,1,1]},"            \
    "\"steps\":[],\"expect\":{\"size\":[1,1,1],\"degenerate\":0,\"solid\":[]}}\n"

Test(spec_test, explain_prints_a_clause_and_its_vectors)
{
    test_run run = {0};
    use_data();
    (void)scratch_write("vectors/a/one.jsonl", CASE("n1", "\"B2.9\"") CASE("n2", "\"B2.10\""));
    (void)scratch_write("vectors/b.jsonl", CASE("n3", "\"B2.10\",\"B2.9\""));
    test_run_voxcert(&run, "explain B2.9", "");
    cr_assert_eq(run.status, 0, "%s", vx_text_string(&run.err));
    cr_assert_str_eq(run.out.bytes, "B2.9  clause  (B2 Rasterizing triangles)\n"
                                    "  len = sqrt((nx·nx + ny·ny) + nz·nz) in binary32.\n"
                                    "  Vectors that show it: 2, of which 2 made by hand\n"
                                    "    n1\n"
                                    "    n3\n");
    test_run_voxcert(&run, "explain b2.12 B2.25", "");
    cr_assert_eq(run.status, 0);
    cr_assert_eq(strncmp(run.out.bytes, "B2.12  ruling  (B2 ", 19), 0, "%s", run.out.bytes);
    cr_assert_not_null(strstr(run.out.bytes, "\n  | Reason: "), "%s", run.out.bytes);
    cr_assert_not_null(strstr(run.out.bytes, "\n\nB2.25  clause"), "%s", run.out.bytes);
    cr_assert_not_null(strstr(run.out.bytes, "\n  |   ----5---|======|---  "), "%s", run.out.bytes);
    cr_assert_null(strstr(run.out.bytes, "```"), "%s", run.out.bytes);
    for (const char *line = run.out.bytes; line[0] != '\0'; line += strcspn(line, "\n") + 1) {
        size_t width = 0;
        for (const char *next = line; *next != '\n'; next++) {
            width += ((unsigned char)*next & 0xc0) != 0x80 ? 1 : 0;
        }
        cr_assert_leq(width, 100, "%.*s", (int)strcspn(line, "\n"), line);
    }
    test_run_free(&run);
}

Test(spec_test, explain_shows_twelve_names_or_all)
{
    vx_text lines = {0};
    for (int i = 0; i < 15; i++) {
        vx_text_format(&lines, CASE("n%d", "\"B2.9\""), i);
    }
    use_data();
    (void)scratch_write("vectors/many.jsonl", lines.bytes);
    test_run run = {0};
    test_run_voxcert(&run, "explain B2.9", "");
    cr_assert_not_null(strstr(run.out.bytes, "show it: 15, of which 15 made by hand\n"), "%s",
                       run.out.bytes);
    cr_assert_not_null(strstr(run.out.bytes, "    n11\n    … and 3 more (--all shows them)\n"),
                       "%s", run.out.bytes);
    test_run_voxcert(&run, "explain --all B2.9", "");
    cr_assert_not_null(strstr(run.out.bytes, "    n11\n    n12\n    n13\n    n14\n"), "%s",
                       run.out.bytes);
    vx_text_free(&lines);
    test_run_free(&run);
}

Test(spec_test, explain_shows_vectors_made_by_hand_first_and_their_notes)
{
    test_run run = {0};
    use_data();
    (void)scratch_write("vectors/a.jsonl",
                        CASE("b/gen/1", "\"B2.9\"")
                            CASE("b/x\",\"note\":\"what it shows", "\"B2.9\"")
                                CASE("b/y\",\"note\":\"a b c d e f g h i j k l m n o p q r s t u v "
                                     "w x y z a b c d e f g h i j k l m n o p q r s t u v w x y z",
                                     "\"B2.9\""));
    test_run_voxcert(&run, "explain B2.9", "");
    const char *names = strstr(vx_text_string(&run.out), "  Vectors");
    cr_assert_not_null(names, "%s", vx_text_string(&run.err));
    cr_assert_str_eq(names,
                     "  Vectors that show it: 3, of which 2 made by hand\n"
                     "    b/x  what it shows\n"
                     "    b/y  a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e "
                     "f g h i j k l m …\n"
                     "    b/gen/1\n");
    test_run_free(&run);
}

/* Of whoever spares dist = 2r − 1, the clause that says < 2r must be suspected, too. */
Test(spec_test, vectors_that_decide_by_a_distance_cite_what_is_done_with_it)
{
    static const char *const names[] = {"diagonal-costs-3", "two-diagonals-cost-6",
                                        "diagonal-and-straight-cost-5",
                                        "diagonal-plus-z-then-plus-x"};
    test_run run = {0};
    test_run_voxcert(&run, "explain --all B8.5", "");
    cr_assert_eq(run.status, 0, "%s", vx_text_string(&run.err));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        vx_text name = {0};
        vx_text_format(&name, "    build3d/erosion/%s  ", names[i]);
        cr_assert_not_null(strstr(run.out.bytes, name.bytes), "%s", names[i]);
        vx_text_free(&name);
    }
    test_run_free(&run);
}

Test(spec_test, explain_lists_clauses_and_names_the_nearest)
{
    test_run run = {0};
    use_data();
    test_run_voxcert(&run, "explain", "");
    cr_assert_eq(run.status, 0);
    cr_assert_eq(strncmp(run.out.bytes, "B0 Numbers and errors\n  B0.1    ruling. ", 40), 0, "%s",
                 run.out.bytes);
    cr_assert_not_null(strstr(run.out.bytes, "\n\nB2 Rasterizing triangles\n  B2.1 "));
    test_run_voxcert(&run, "explain b2", "");
    cr_assert_eq(run.status, 0);
    cr_assert_eq(strncmp(run.out.bytes, "B2 Rasterizing triangles\n  B2.1 ", 31), 0, "%s",
                 run.out.bytes);
    cr_assert_null(strstr(run.out.bytes, "\n  B3."), "%s", run.out.bytes);
    test_run_voxcert(&run, "explain EROSION", "");
    cr_assert_eq(run.status, 0);
    cr_assert_eq(strncmp(run.out.bytes, "B8 Erosion\n  B8.1 ", 18), 0, "%s", run.out.bytes);
    cr_assert_null(strstr(run.out.bytes, "\n  B9."), "%s", run.out.bytes);
    static const char *const strangers[] = {"and", "erode"};
    for (size_t i = 0; i < 2; i++) {
        vx_text words = {0};
        vx_text_format(&words, "explain %s", strangers[i]);
        test_run_voxcert(&run, words.bytes, "");
        cr_assert_eq(run.status, 2);
        cr_assert_not_null(strstr(run.err.bytes, "`voxcert explain` lists them all\n"), "%s",
                           run.err.bytes);
        vx_text_free(&words);
    }
    test_run_voxcert(&run, "explain B2.9 B2.99", "");
    cr_assert_eq(run.status, 2);
    cr_assert_eq(run.out.size, 0);
    cr_assert_str_eq(run.err.bytes, "voxcert: SPEC.md has no clause B2.99; the nearest is B2.9\n");
    test_run_voxcert(&run, "explain B2.9", "");
    cr_assert_eq(run.status, 0, "without vectors it still explains");
    cr_assert_null(strstr(run.out.bytes, "Vectors"));
    (void)scratch_write("vectors/broken.jsonl", "{}\n");
    test_run_voxcert(&run, "explain B2.9", "");
    cr_assert_eq(run.status, 4);
    cr_assert_not_null(strstr(run.err.bytes, "broken.jsonl:1: $.format: is missing"), "%s",
                       run.err.bytes);
    test_run_free(&run);
}

/* --- check_spec ------------------------------------------------------------------------------ */

/* Runs the tool, which lies beside the program, in the scratch directory. */
static void run_tool(test_run *run, const char *first, const char *second)
{
    vx_text tool = {0};
    vx_text directory = {0};
    char *program = vx_must_strdup(test_voxcert());
    vx_text_format(&tool, "%s/tools/check_spec", dirname(program));
    vx_text_add(&directory, scratch_path("x"));
    directory.bytes[directory.size - 2] = '\0';
    const char *arguments[] = {tool.bytes, first, second, NULL};
    test_run_program(run, directory.bytes, arguments, "");
    vx_text_free(&tool);
    vx_text_free(&directory);
    free(program);
}

static const char tiny[] = "## Z1 One\n\n**Z1.1** `28c734` First words, folded.\n\n"
                           "**Z1.2** `f6ff8b` ruling. Second.\n";
static const char tiny_lock[] = "Z1.1 28c734\n";
static const char tiny_ref[] =
    "/* Z1.1@28c734: words. */\nint x; // Z1.2@f6ff8b\n"
    "const char *s = \"Z1.1 \\\" /* Z1.2\"; char c = '\"'; /* Z1.1@28c734 */\n";
static const char tiny_test[] = "/* Z1.2@f6ff8b */\nconst char *s = \"Z1.1 Z1.9 Z1.2@000000\";\n";

/* A project in which all is as it should be. */
static void write_project(void)
{
    (void)scratch_write("SPEC.md", tiny);
    (void)scratch_write("ref/part/a.c", tiny_ref);
    (void)scratch_write("tests/a.c", tiny_test);
    (void)scratch_write("conformance/vectors/a.jsonl", CASE("n", "\"Z1.1\""));
    (void)scratch_write("conformance/vectors/clauses.lock", tiny_lock);
    (void)scratch_write("conformance/a.c",
                        "/* Z1.1, Z1.2@f6ff8b, xZ1.9, 0.Z1.9, Z1.9x, Z1, Y1.9 */\n");
    (void)scratch_write("README.md", "Z1.1 and Z1.2@… and Z1.2@f6ff8b.\n");
    (void)scratch_write("docs/picture.png", "Z1.9\n");
}

Test(spec_test, a_project_in_order)
{
    test_run run = {0};
    write_project();
    run_tool(&run, NULL, NULL);
    cr_assert_str_eq(vx_text_string(&run.out),
                     "check_spec: 2 clauses, 15 citations: all as it should be\n");
    cr_assert_eq(run.status, 0);
    cr_assert_eq(run.err.size, 0);
    test_run_free(&run);
}

Test(spec_test, everything_out_of_order_is_named_with_its_line)
{
    static const struct {
        const char *file, *content, *line;
    } table[] = {
        {"SPEC.md",
         "## Z1 One\n\n**Z1.1** `------` First words, folded.\n\n"
         "**Z1.2** `f6ff8b` ruling. Second.\n",
         "SPEC.md:3: the hash of Z1.1 is 28c734, here stands ------"},
        {"SPEC.md",
         "## Z1 One\n\n**Z1.1** `28c734` First words, folded.\n\n"
         "**Z1.2** `f6ff8b` ruling. Second.\n\n**Z1.3** `a17eca` Third, last.\n",
         "SPEC.md:7: Z1.3 is cited in no comment of ref/\nSPEC.md:7: Z1.3 has no vector and no "
         "test"},
        {"ref/part/a.c", "/* Z1.1@28c734 */\n\n/*\n * Z1.2 */\n",
         "ref/part/a.c:4: Z1.2 is cited without its hash, f6ff8b"},
        {"ref/part/a.c", "/* Z1.1@28c734 Z1.2@28c734 */\n",
         "ref/part/a.c:1: Z1.2 has changed since this was written: it cites 28c734, the hash is "
         "f6ff8b"},
        {"ref/part/a.c", "/* Z1.1@28c734 Z1.2@f6ff8bf */\n",
         "ref/part/a.c:1: Z1.2 has changed since"},
        {"ref/part/a.c", "/* Z1.1@28c734 Z1.2@abc */\n", "ref/part/a.c:1: Z1.2 has changed since"},
        {"ref/part/a.c", "/* Z1.1@28c734 */ char *s = \"Z1.2 \\\\\"; // Z1.9@f6ff8b\n",
         "ref/part/a.c:1: Z1.9 is no clause of SPEC.md; the nearest is Z1.1"},
        {"ref/part/a.c", "/* Z1.1@28c734 */ char *s = \"Z1.2\";\n",
         "SPEC.md:5: Z1.2 is cited in no comment of ref/"},
        {"fast/part/a.c", "/* Z1.1 */\n",
         "fast/part/a.c:1: Z1.1 is cited without its hash, 28c734"},
        {"tests/a.c", "// Z1.2\n", "tests/a.c:1: Z1.2 is cited without its hash, f6ff8b"},
        {"tests/a.c", "char *s = \"Z1.2\";\n", "SPEC.md:5: Z1.2 has no vector and no test"},
        {"ref/part/b.c", "char *s = \"Z1.9\";\n", "ref/part/b.c:1: Z1.9 is no clause of SPEC.md"},
        {"tests/a.py", "\n# Z2.1\n", "tests/a.py:2: Z2.1 is no clause of SPEC.md"},
        {"conformance/a.c", "/* Z1.2@000000 */\n", "conformance/a.c:1: Z1.2 has changed since"},
        {"docs/a.md", "Z1.0\n", "docs/a.md:1: Z1.0 is no clause of SPEC.md"},
        {"Makefile", "# Z1.10\n", "Makefile:1: Z1.10 is no clause of SPEC.md"},
        {"conformance/vectors/a.jsonl", CASE("n", "\"Z1.1\"") CASE("m", "\"Z1.9\""),
         "conformance/vectors/a.jsonl:2: Z1.9 is no clause of SPEC.md"},
        {"conformance/vectors/a.jsonl", CASE("n", "\"Z1.1\"") CASE("m", "\"nonsense\""),
         "conformance/vectors/a.jsonl:2: nonsense is no clause of SPEC.md"},
        {"conformance/vectors/a.jsonl", CASE("n", "\"Z1.1\",\"Z1.2\""),
         "conformance/vectors/clauses.lock:1: Z1.2 is cited by vectors, but has no line here"},
        {"conformance/vectors/a.jsonl", CASE("n", "\"Z1.2\""),
         "conformance/vectors/clauses.lock:1: no vector cites Z1.1"},
        {"conformance/vectors/a.jsonl", "{}\n", "check_spec: 3 failures"},
        {"conformance/vectors/clauses.lock", "",
         "conformance/vectors/clauses.lock:1: Z1.1 is cited"},
        {"conformance/vectors/clauses.lock", "Z1.1 000000\n",
         "conformance/vectors/clauses.lock:1: Z1.1 has changed since its vectors were looked at: "
         "000000, now 28c734"},
        {"conformance/vectors/clauses.lock", "Z1.1 28c734\nZ1.2 f6ff8b\n",
         "conformance/vectors/clauses.lock:2: no vector cites Z1.2"},
        {"conformance/vectors/clauses.lock", "Z1.1 28c734\nwhat\n",
         "conformance/vectors/clauses.lock:2: no vector cites what"},
        {"conformance/vectors/clauses.lock", "Z1.1 28c734\nZ1.1 28c734\n",
         "conformance/vectors/clauses.lock:1: not in the order of SPEC.md, or a line comes twice"},
    };
    test_run run = {0};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        write_project();
        const char *path = scratch_write(table[i].file, table[i].content);
        run_tool(&run, NULL, NULL);
        cr_assert_not_null(strstr(vx_text_string(&run.out), table[i].line), "row %zu: %s\n%s", i,
                           table[i].line, vx_text_string(&run.out));
        cr_assert_eq(run.status, 1, "row %zu", i);
        cr_assert_eq(remove(path), 0);
    }
    test_run_free(&run);
}

Test(spec_test, rehash_writes_hashes_and_nothing_else)
{
    test_run run = {0};
    (void)scratch_write("SPEC.md", small);
    run_tool(&run, "--rehash", NULL);
    cr_assert_eq(run.status, 0, "%s", vx_text_string(&run.err));
    cr_assert_str_eq(run.out.bytes, "SPEC.md: 3 of 3 hashes rewritten\n");
    vx_text text = scratch_read(scratch_path("SPEC.md"));
    cr_assert_eq(text.size, strlen(small));
    vx_spec spec;
    vx_problem problem = {0};
    cr_assert(vx_spec_read(text.bytes, text.size, &spec, &problem));
    for (size_t i = 0; i < spec.count; i++) {
        cr_assert_str_eq(spec.clauses[i].hash, spec.clauses[i].text_hash);
    }
    run_tool(&run, "--rehash", NULL);
    cr_assert_str_eq(run.out.bytes, "SPEC.md: 0 of 3 hashes rewritten\n");
    vx_spec_free(&spec);
    vx_text_free(&text);
    test_run_free(&run);
}

Test(spec_test, stamp_writes_present_hashes)
{
    static const struct {
        const char *file, *before, *after;
    } table[] = {
        {"ref/a.c", "/* Z1.1, Z1.2@000000: */ char *s = \"Z1.1 Z1.2@000000\"; // Z1.2\n",
         "/* Z1.1@28c734, Z1.2@f6ff8b: */ char *s = \"Z1.1 Z1.2@f6ff8b\"; // Z1.2@f6ff8b\n"},
        {"tests/b.c", "char *s = \"Z1.9 Z1.1@000000\"; // Z1.1\n",
         "char *s = \"Z1.9 Z1.1@000000\"; // Z1.1@28c734\n"},
        {"tests/b.h", "/* Z1.1@28c734 Z1.2@f6ff8b */\n", "/* Z1.1@28c734 Z1.2@f6ff8b */\n"},
        {"docs/a.md", "Z1.1, Z1.2@abc, Z1.1@28c734.", "Z1.1, Z1.2@f6ff8b, Z1.1@28c734."},
        {"conformance/b.c", "/* Z1.1 Z1.2@ */", "/* Z1.1 Z1.2@ */"},
        {"tests/empty.c", "", ""},
        {"conformance/vectors/clauses.lock", "Z1.9 28c734\n", "Z1.1 28c734\n"},
    };
    test_run run = {0};
    write_project();
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *path = scratch_write(table[i].file, table[i].before);
        run_tool(&run, "--stamp", table[i].file);
        cr_assert_eq(run.status, 0, "%s: %s", table[i].file, vx_text_string(&run.err));
        vx_text text = scratch_read(path);
        cr_assert_str_eq(vx_text_string(&text), table[i].after);
        vx_text_free(&text);
    }
    run_tool(&run, "--stamp", "./ref/a.c");
    cr_assert_str_eq(run.out.bytes, "ref/a.c: 0 citations rewritten\n");
    test_run_free(&run);
}

Test(spec_test, the_tool_refuses_what_it_cannot_do)
{
    static const struct {
        const char *first, *second, *file, *content, *message;
    } table[] = {
        {"--help", NULL, NULL, NULL, "check_spec takes nothing, --rehash, or --stamp FILE"},
        {"--stamp", NULL, NULL, NULL, "check_spec takes nothing, --rehash, or --stamp FILE"},
        {"--rehash", "ref/a.c", NULL, NULL, "check_spec takes nothing, --rehash, or --stamp FILE"},
        {"--stamp", "ref/none.c", NULL, NULL, "ref/none.c: No such file or directory"},
        {"--stamp", "ref/a.c", "ref/a.c", "/* Z1.1\n   Z7.7 */", "ref/a.c:2: Z7.7 is no clause of"},
        {"--stamp", "conformance/vectors/clauses.lock", "conformance/vectors/a.jsonl", "{}\n",
         "a.jsonl:1: $.format: is missing"},
        {NULL, NULL, "SPEC.md", "**Z1** `aaaaaa` One.\n", "SPEC.md: $: line 1: a clause starts"},
    };
    test_run run = {0};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        write_project();
        const char *path =
            table[i].file != NULL ? scratch_write(table[i].file, table[i].content) : NULL;
        run_tool(&run, table[i].first, table[i].second);
        cr_assert_eq(run.status, 2, "row %zu: %d", i, run.status);
        cr_assert_not_null(strstr(vx_text_string(&run.err), table[i].message), "row %zu: %s", i,
                           vx_text_string(&run.err));
        if (path != NULL) {
            vx_text text = scratch_read(path);
            cr_assert_str_eq(text.bytes, table[i].content, "nothing was changed");
            vx_text_free(&text);
        }
    }
    test_run_free(&run);
}
