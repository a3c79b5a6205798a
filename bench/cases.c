/* SPDX-License-Identifier: MIT */
/* The kit's own kernels: reading cases, and certifying an implementation on them. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "generate.h"
#include "home.h"
#include "reference.h"

bool vx_bench_cases_vectors(vx_bench_cases *cases)
{
    char *folder = vx_home_data("vectors");
    *cases = (vx_bench_cases){0};
    if (folder == NULL) {
        (void)vx_complain(VX_EXIT_INCOMPLETE, "the project's vectors are not there");
        return false;
    }
    bool is_read = vx_case_list_read(&cases->list, folder, true);
    for (size_t i = 0; i < cases->list.count; i++) {
        vx_case_write(&cases->list.items[i], &cases->lines);
        vx_text_add_char(&cases->lines, '\n');
    }
    free(folder);
    return is_read;
}

bool vx_bench_cases_of(const vx_bench_scene *scene, vx_bench_cases *cases)
{
    char empty[] = "";
    const vx_case written = {
        .name = empty, .note = empty, .chapter = &vx_chapter_build3d, .input = scene->input};
    vx_case item = {0};
    vx_problem problem = {0};
    vx_arena arena;
    *cases = (vx_bench_cases){0};
    vx_case_write(&written, &cases->lines);
    if (!vx_case_read(cases->lines.bytes, cases->lines.size, &item, &problem)) {
        (void)vx_complain(VX_EXIT_INTERNAL, "%s: %s", scene->kind->name, problem.message);
        return false;
    }
    vx_text_add_char(&cases->lines, '\n');
    vx_reference_arena(&arena);
    bool is_answered = vx_answer_case(&item, &arena);
    vx_arena_free(&arena);
    free(item.name);
    item.name = vx_must_strdup(scene->kind->name);
    vx_case_list_add(&cases->list, &item);
    return is_answered;
}

void vx_bench_cases_free(vx_bench_cases *cases)
{
    vx_text_free(&cases->lines);
    vx_case_list_free(&cases->list);
}

bool vx_bench_read_cases(const vx_bench_cases *cases)
{
    const char *line = vx_text_string(&cases->lines);
    bool is_read = true;
    for (const char *end = strchr(line, '\n'); end != NULL && is_read;
         line = end + 1, end = strchr(line, '\n')) {
        vx_case item = {0};
        vx_problem problem = {0};
        is_read = vx_case_read(line, (size_t)(end - line), &item, &problem);
        if (!is_read) {
            (void)vx_complain(VX_EXIT_INTERNAL, "a case cannot be read: %s", problem.message);
        }
        vx_case_free(&item);
    }
    return is_read;
}

bool vx_bench_certify(const vx_bench_contender *who, const vx_bench_cases *cases, bool guards_input,
                      vx_arena *arena)
{
    const vx_run_options options = {.step_limit = SIZE_MAX, .guards_input = guards_input};
    vx_text difference = {0};
    bool is_right = true;
    unsigned before = vx_bench_levels_begin(who);
    for (size_t i = 0; i < cases->list.count && is_right; i++) {
        const vx_case *item = &cases->list.items[i];
        vx_result result = {0};
        vx_bench_enter_part(item->name);
        is_right = item->chapter->run(who->impl, item->input, &options, arena, &result) == VX_OK &&
                   vx_result_matches(item->chapter->shape, &item->expect, &result, &difference);
        if (!is_right) {
            (void)vx_complain(VX_EXIT_NOT_CONFORMANT,
                              "%s fails the case %s: %s; there are no results", who->name,
                              item->name, difference.size > 0 ? difference.bytes : result.message);
        }
        vx_result_free(&result);
    }
    vx_bench_levels_end(who, before);
    vx_text_free(&difference);
    return is_right;
}
