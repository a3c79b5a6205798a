/* SPDX-License-Identifier: MIT */
/* The exact judge: it finds nothing in right answers and finds planted faults. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "build3d/audit.h"
#include "case.h"
#include "generate.h"
#include "reference.h"

enum { SEEDS = 12 };

static void count(void *context, const vx_exact_finding *finding)
{
    size_t *findings = context;
    ++*findings;
    (void)finding;
    if (getenv("SHOW")) fprintf(stderr, "kind %d at %ld,%ld rows %ld..%ld source %zu triangle %zu\n", finding->kind, (long)finding->x, (long)finding->z, (long)finding->min, (long)finding->max, finding->source, finding->triangle);
}

Test(exact_test, the_reference_is_right)
{
    vx_arena arena;
    vx_reference_arena(&arena);
    for (size_t i = 0; i < vx_build3d_family_count; i++) {
        for (uint64_t seed = 4000; seed < 4000 + SEEDS; seed++) {
            vx_case item;
            vx_result result = {0};
            size_t findings = 0;
            vx_generate_case(&vx_chapter_build3d, &vx_build3d_families[i], seed, &item);
            size_t steps = vx_build3d_audited_steps(item.input);
            const vx_run_options options = {.step_limit = steps};
            cr_assert_eq(vx_build3d_run(&vx_ref_build3d, item.input, &options, &arena, &result),
                         VX_OK);
            if (result.error == VX_OK) {
                cr_assert_eq(vx_build3d_audit_solid(item.input, steps, &result, count, &findings),
                             VX_OK);
                cr_expect_eq(findings, 0, "%s: %zu findings", item.name, findings);
            }
            vx_result_free(&result);
            vx_case_free(&item);
        }
    }
    vx_arena_free(&arena);
}
