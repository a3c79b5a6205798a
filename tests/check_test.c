/* SPDX-License-Identifier: MIT */
/* tools/check.sh: which steps run, what it refuses, and what a terminal shows. */
#include <criterion/criterion.h>
#include <string.h>

#include "program.h"
#include "scratch.h"

TestSuite(check_test, .init = scratch_open, .fini = scratch_close);

/* Runs the shell's words with a make that does nothing, and logs of its own. */
static void run_shell(test_run *run, const char *words)
{
    vx_text command = {0};
    vx_text_format(&command, "export LOGS='%s' MAKE=true; %s", scratch_path("logs"), words);
    test_run_program(run, NULL, (const char *const[]){"sh", "-c", command.bytes, NULL}, "");
    vx_text_free(&command);
}

Test(check_test, refuses_steps_that_there_are_not)
{
    test_run run = {0};
    run_shell(&run, "tools/check.sh build nosuch");
    cr_expect_eq(run.status, 2);
    cr_expect_eq(run.out.size, 0, "%s", vx_text_string(&run.out));
    test_expect_part(&run.err,
                     "check: no such step: nosuch; there are build, unit-gcc, unit-clang, ");
    test_expect_part(&run.err, ", clean-clone, figures\n");
    test_run_free(&run);
}

Test(check_test, runs_the_steps_that_are_named)
{
    test_run run = {0};
    run_shell(&run, "tools/check.sh unit-gcc-asan gappa build");
    cr_expect_eq(run.status, 0);
    test_expect_part(&run.out, "ok    build ");
    test_expect_part(&run.out, "ok    gappa ");
    test_expect_part(&run.out, "ok    unit-gcc-asan ");
    test_expect_part(&run.out, "\n3 passed, 0 failed\n");
    cr_expect_eq(run.err.size, 0, "no progress in a pipe: %s", vx_text_string(&run.err));
    run_shell(&run, "MAKE=false tools/check.sh build");
    cr_expect_eq(run.status, 1);
    test_expect_part(&run.out, "FAIL  build ");
    test_expect_part(&run.out, "\n0 passed, 1 failed\n");
    test_run_free(&run);
}

/* Only what the script itself needs can be found: the steps that are scripts fail at once. */
Test(check_test, says_what_is_left_out)
{
    test_run run = {0};
    run_shell(&run, "mkdir \"$LOGS\"; for tool in date false mkdir sh tail true; do"
                    " ln -s \"$(command -v $tool)\" \"$LOGS/$tool\"; done;"
                    " PATH=$LOGS tools/check.sh");
    cr_expect_eq(run.status, 1);
    test_expect_part(&run.out, "--    gappa is left out: gappa is not installed; "
                               "make check STEPS=gappa installs it\n");
    test_expect_part(&run.out, "--    gate is left out: valgrind is not installed; ");
    cr_expect_null(strstr(vx_text_string(&run.out), "unit-gcc-asan"));
    test_run_free(&run);
}

Test(check_test, shows_a_step_on_a_terminal)
{
    test_run run = {0};
    run_shell(&run, "script -qc 'tools/check.sh build' /dev/null");
    cr_expect_eq(run.status, 0);
    test_expect_part(&run.out, "\r\033[K…     build\r\033[Kok    build ");
    test_run_free(&run);
}

/* By a make of its own, as it is called by hand. */
Test(check_test, targets_refuse_what_they_do_not_look_at)
{
    test_run run = {0};
    run_shell(&run, "env -u MAKEFLAGS -u MAKELEVEL make lint LIB=mine.so");
    cr_expect_eq(run.status, 2);
    test_expect_part(&run.err,
                     "LIB=mine.so: make lint does not look at it; there are certify bench ");
    run_shell(&run, "env -u MAKEFLAGS -u MAKELEVEL make SCENE='level .3'");
    cr_expect_eq(run.status, 2);
    test_expect_part(&run.err, "SCENE=level .3: make all does not look at it; there are bench ");
    test_run_free(&run);
}
