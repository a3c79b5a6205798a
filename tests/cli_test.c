/* SPDX-License-Identifier: MIT */
/* The command line: commands, options, help, and what is said about bad ones. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "program.h"
#include "scratch.h"
#include "version.h"

/* What the command saw. */
static struct {
    int runs;
    bool flag;
    const char *value, *values[3], *operands[3];
    size_t operand_count;
    int64_t integer;
    double number;
    bool integer_good, number_good;
} seen;

static vx_exit note(const vx_arguments *arguments)
{
    seen.runs++;
    seen.flag = vx_argument_flag(arguments, "flag");
    seen.value = vx_argument_value(arguments, "value");
    for (size_t i = 0; i < 3; i++) {
        seen.values[i] = vx_argument_values(arguments, "value", i);
        seen.operands[i] = vx_operand(arguments, i);
    }
    seen.operand_count = vx_operand_count(arguments);
    seen.integer = 7;
    seen.number = 0.5;
    seen.integer_good = vx_argument_integer(arguments, "integer", -10, 10, &seen.integer);
    seen.number_good = vx_argument_number(arguments, "number", 0.0, 1.0, &seen.number);
    return VX_EXIT_NOT_CONFORMANT;
}

static const vx_option options[] = {{"flag", NULL, "a flag"},
                                    {"value", "TEXT", "a text"},
                                    {"integer", "N", "a whole number"},
                                    {"number", "X", "a number"}};
static const char *const repeatable[] = {"value", NULL};
static const vx_command command = {.name = "note",
                                   .operands = "[FILE …]",
                                   .summary = "notes what it is given",
                                   .details = "More about it.\n",
                                   .options = options,
                                   .option_count = 4,
                                   .repeatable = repeatable,
                                   .operands_max = 3,
                                   .run = note};
static const vx_command plain = {
    .name = "plain", .operands = "", .summary = "nothing", .run = note};
static const vx_command *const commands[] = {&command, &plain};

/* Runs the words, separated by single spaces, behind the program's name. */
static vx_exit run(const char *words)
{
    static char buffer[256];
    char *argv[16] = {(char[]){"voxcert"}};
    int argc = 1;
    (void)strcpy(buffer, words);
    char *rest = buffer;
    for (char *word = strsep(&rest, " "); word != NULL && words[0] != '\0';
         word = strsep(&rest, " ")) {
        argv[argc++] = word;
    }
    memset(&seen, 0, sizeof seen);
    return vx_cli_main(commands, 2, argc, argv);
}

Test(cli_test, options_and_operands_in_any_order)
{
    cr_assert_eq(run("note a --flag --value one b --value=two --integer -10 --number 1e-1 c"),
                 VX_EXIT_NOT_CONFORMANT);
    cr_assert(seen.flag);
    cr_assert_str_eq(seen.value, "one");
    cr_assert_str_eq(seen.values[0], "one");
    cr_assert_str_eq(seen.values[1], "two");
    cr_assert_null(seen.values[2]);
    cr_assert_eq(seen.operand_count, 3);
    cr_assert_str_eq(seen.operands[0], "a");
    cr_assert_str_eq(seen.operands[2], "c");
    cr_assert(seen.integer_good && seen.integer == -10);
    cr_assert(seen.number_good && seen.number == 0.1);
}

Test(cli_test, what_is_missing_keeps_its_default)
{
    cr_assert_eq(run("note"), VX_EXIT_NOT_CONFORMANT);
    cr_assert_not(seen.flag);
    cr_assert(seen.value == NULL && seen.values[0] == NULL && seen.operands[0] == NULL);
    cr_assert(seen.integer_good && seen.integer == 7);
    cr_assert(seen.number_good && seen.number == 0.5);
    cr_assert_eq(run("note -- --flag -"), VX_EXIT_NOT_CONFORMANT);
    cr_assert_not(seen.flag);
    cr_assert_str_eq(seen.operands[0], "--flag");
    cr_assert_str_eq(seen.operands[1], "-");
}

Test(cli_test, numbers_out_of_bounds)
{
    static const struct {
        const char *words;
        bool integer_good, number_good;
    } table[] = {
        {"note --integer 10 --number 1", true, true},
        {"note --integer 11", false, true},
        {"note --integer -11", false, true},
        {"note --integer 1x", false, true},
        {"note --integer x", false, true},
        {"note --integer 1.0", false, true},
        {"note --integer 99999999999999999999", false, true},
        {"note --integer=", false, true},
        {"note --number 1.0000001", true, false},
        {"note --number -0.1", true, false},
        {"note --number nan", true, false},
        {"note --number 1x", true, false},
        {"note --number x", true, false},
        {"note --number=", true, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        (void)run(table[i].words);
        cr_assert_eq(seen.integer_good, table[i].integer_good, "%s", table[i].words);
        cr_assert_eq(seen.number_good, table[i].number_good, "%s", table[i].words);
        cr_assert(seen.integer_good || seen.integer == 7, "%s", table[i].words);
        cr_assert(seen.number_good || seen.number == 0.5, "%s", table[i].words);
    }
}

Test(cli_test, nothing_runs_on_a_bad_command_line)
{
    static const char *const bad[] = {"",
                                      "other",
                                      "note a b c d",
                                      "note --other",
                                      "note --value",
                                      "note -x",
                                      "note --flag=1",
                                      "note --fl=1",
                                      "plain a",
                                      "plain --flag",
                                      "note -- a b c d",
                                      "--other",
                                      "note --",
                                      "note --integer",
                                      "note --flag --flag",
                                      "note --integer 3 --number 1 --integer=3"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bool is_good = strcmp(bad[i], "note --") == 0;
        cr_assert_eq(run(bad[i]), is_good ? VX_EXIT_NOT_CONFORMANT : VX_EXIT_USAGE, "%s", bad[i]);
        cr_assert_eq(seen.runs, is_good ? 1 : 0, "%s", bad[i]);
    }
}

Test(cli_test, help_of_a_command, .init = cr_redirect_stdout)
{
    cr_assert_eq(run("note --help"), VX_EXIT_PASS);
    cr_assert_eq(seen.runs, 0);
    cr_assert_stdout_eq_str("voxcert note [OPTIONS] [FILE …]: notes what it is given\n\n"
                            "More about it.\n\nOptions:\n"
                            "  --flag                   a flag\n"
                            "  --value TEXT             a text\n"
                            "  --integer N              a whole number\n"
                            "  --number X               a number\n"
                            "  -h, --help               show this help\n");
}

Test(cli_test, help_of_a_command_without_options, .init = cr_redirect_stdout)
{
    cr_assert_eq(run("plain --help"), VX_EXIT_PASS);
    cr_assert_stdout_eq_str("voxcert plain: nothing\n\nOptions:\n"
                            "  -h, --help               show this help\n");
}

Test(cli_test, help_by_other_words, .init = cr_redirect_stdout)
{
    static const char *const words[] = {"help plain", "plain -h", "-h", "--version"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        cr_assert_eq(run(words[i]), VX_EXIT_PASS, "%s", words[i]);
        cr_assert_eq(seen.runs, 0, "%s", words[i]);
    }
#define PLAIN                                                                                      \
    "voxcert plain: nothing\n\nOptions:\n"                                                         \
    "  -h, --help               show this help\n"
    cr_assert_stdout_eq_str(
        PLAIN PLAIN
        "voxcert: certifies implementations of deterministic voxel pipelines\n\n"
        "Usage: voxcert COMMAND [OPTIONS] …\n\nCommands:\n"
        "  note       notes what it is given\n"
        "  plain      nothing\n"
        "\n`voxcert COMMAND --help` and `voxcert help COMMAND` show a command's options,\n"
        "`voxcert --version` the version. Exit statuses: 0 passed, 1 not\n"
        "conformant, 2 usage, 3 the port did not start, 4 incomplete, 5 the kit itself failed.\n"
        "voxcert " VX_VERSION "\n");
}

Test(cli_test, messages)
{
    static const struct {
        const char *words, *message;
    } table[] = {
        {"other", "voxcert: no such command: other; see `voxcert --help`\n"},
        {"help other", "voxcert: no such command: other; see `voxcert --help`\n"},
        {"help note plain", "voxcert: help: takes one command; see `voxcert --help`\n"},
        {"note --other", "voxcert: note: no such option, or not one word: --other; see "},
        {"note x --other y", "voxcert: note: no such option, or not one word: --other; see "},
        {"note --flag=1", "voxcert: note: no such option, or not one word: --flag=1; see "},
        {"note -xy", "voxcert: note: no such option, or not one word: -x; see "},
        {"note x --value", "voxcert: note: a value is missing after --value; see "},
        {"note a b c d", "voxcert: note: takes [FILE …], but 4 operands were given; see "},
        {"plain a", "voxcert: plain: takes no operand, but 1 operand was given; see "},
        {"note --integer 11", "voxcert: --integer 11: a whole number from -10 to 10 is needed\n"},
        {"note --integer 3 --integer=4",
         "voxcert: note: --integer is given twice, as 3 and 4; see `voxcert note --help`\n"},
        {"note --flag a --flag", "voxcert: note: --flag is given twice; see "},
        {"note --number 2", "voxcert: --number 2: a number from 0 to 1 is needed\n"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        test_catch_errors();
        (void)run(table[i].words);
        char *text = test_caught_errors();
        cr_assert_eq(strncmp(text, table[i].message, strlen(table[i].message)), 0, "%s: %s",
                     table[i].words, text);
        free(text);
    }
}

/* Every command of the program has help that says how it is called. */
Test(cli_test, the_program)
{
    static const char *const names[] = {"run", "explain"};
    test_run help = {0};
    test_run_voxcert(&help, "--help", "");
    cr_assert_eq(help.status, 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        vx_text words = {0};
        vx_text start = {0};
        test_run one = {0};
        vx_text_format(&words, "\n  %s ", names[i]);
        cr_assert_not_null(strstr(help.out.bytes, words.bytes), "%s", help.out.bytes);
        vx_text_clear(&words);
        vx_text_format(&words, "%s --help", names[i]);
        vx_text_format(&start, "voxcert %s [OPTIONS] ", names[i]);
        test_run_voxcert(&one, words.bytes, "");
        cr_assert_eq(one.status, 0);
        cr_assert_eq(strncmp(one.out.bytes, start.bytes, start.size), 0, "%s", one.out.bytes);
        vx_text_free(&words);
        vx_text_free(&start);
        test_run_free(&one);
    }
    test_run again = {0};
    test_run_voxcert(&again, "help", "");
    cr_assert_str_eq(again.out.bytes, help.out.bytes);
    test_run_voxcert(&again, "", "");
    cr_assert_eq(again.status, 2);
    cr_assert_str_eq(again.out.bytes, help.out.bytes);
    test_run_free(&again);
    test_run_free(&help);
}

/* What is written must not take the place of what is read. */
Test(cli_test, no_output_takes_the_place_of_its_input, .init = scratch_open, .fini = scratch_close)
{
    static const char line[] =
        "{\"format\":\"voxcert/1\",\"name\":\"x\",\"chapter\":\"build3d\",\"clauses\":[],"
        "\"note\":\"\",\"flags\":[],\"grid\":{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,"
        "\"size\":[1,1,1]},\"steps\":[],\"expect\":{\"size\":[1,1,1],\"degenerate\":0,\"solid\":[]}"
        "}"
        "\n";
    static const struct {
        const char *command, *input, *option, *output;
    } rows[] = {
        {"certify --impl ref --vectors", "d/a.jsonl", "--results", "d/a.jsonl"},
        {"certify --impl ref --vectors", "d", "--results", "d/a.jsonl"},
        {"certify --impl ref --vectors", "d", "--results", "link"},
        {"draw", "c.svg", "--out", "c.svg"},
        {"run", "c.svg", "--draw", "c.svg"},
        {"import", "m.obj", "--out", "m.obj"},
    };
    static const char mesh[] = "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n";
    (void)scratch_write("c.svg", line);
    (void)scratch_write("m.obj", mesh);
    cr_assert_eq(symlink(scratch_write("d/a.jsonl", line), scratch_path("link")), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text words = {0};
        test_run run = {0};
        const char *output = scratch_path(rows[i].output);
        vx_text_format(&words, "%s %s %s %s", rows[i].command, scratch_path(rows[i].input),
                       rows[i].option, output);
        test_run_voxcert(&run, words.bytes, "");
        cr_expect_eq(run.status, 2, "%s: %d", words.bytes, run.status);
        cr_expect_not_null(strstr(vx_text_string(&run.err), "that is what is read"), "%s: %s",
                           words.bytes, vx_text_string(&run.err));
        vx_text left = scratch_read(output);
        cr_expect_str_eq(vx_text_string(&left),
                         strcmp(rows[i].command, "import") == 0 ? mesh : line);
        vx_text_free(&left);
        vx_text_free(&words);
        test_run_free(&run);
    }
}
