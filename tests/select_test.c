/* SPDX-License-Identifier: MIT */
/* Which cases a run is about: tiers, filters, shards, generated cases. */
#include "select.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chapter.h"

static void add_case(vx_case_list *list, const char *name, const char *clause, const char *second)
{
    vx_text line = {0};
    vx_problem problem = {0};
    vx_case item;
    vx_text_format(&line,
                   "{\"format\":\"voxcert/1\",\"name\":\"%s\",\"chapter\":\"build3d\",\"clauses\":["
                   "\"%s\"%s%s%s],\"note\":\"n\",\"flags\":[%s],\"grid\":{\"origin\":[0,0,0],"
                   "\"cellSize\":1,\"cellHeight\":1,\"size\":[2,1,8]},\"steps\":[],"
                   "\"expect\":{\"size\":[2,1,8],\"degenerate\":0,\"solid\":[]}}",
                   name, clause, second != NULL ? ",\"" : "", second != NULL ? second : "",
                   second != NULL ? "\"" : "", strchr(name, '[') != NULL ? "\"fma\"" : "");
    cr_assert(vx_case_read(line.bytes, line.size, &item, &problem), "%s", problem.message);
    vx_case_list_add(list, &item);
    vx_text_free(&line);
}

static void fill(vx_case_list *list)
{
    add_case(list, "build3d/a/one", "B2.1", NULL);
    add_case(list, "build3d/a/one-more", "B2.1", NULL);
    add_case(list, "build3d/a/two", "B2.1", NULL);
    add_case(list, "build3d/b/one", "B2.1", "B2.10");
    add_case(list, "build3d/b/two", "B2.10", "B3.1");
    add_case(list, "build3d/b/[three]", "B3.1", NULL);
    add_case(list, "build3d/b/four", "B3.1", "B2.10");
}

/* The last parts of the selected names, one after the other. */
static void describe(const vx_selection *selection, vx_text *text)
{
    for (size_t i = 0; i < selection->count; i++) {
        vx_text_format(text, "%s%s", i > 0 ? " " : "", strchr(selection->items[i]->name, '/') + 1);
    }
}

Test(select, cases)
{
    static const struct {
        vx_tier tier;
        const char *filters[2];
        size_t shard, shards;
        const char *names;
    } rows[] = {
        {VX_TIER_CI, {NULL}, 1, 1, "a/one a/one-more a/two b/one b/two b/[three] b/four"},
        {VX_TIER_SMOKE, {NULL}, 1, 1, "a/one a/one-more b/one b/two b/[three]"},
        {VX_TIER_FULL, {NULL}, 1, 1, "a/one a/one-more a/two b/one b/two b/[three] b/four"},
        {VX_TIER_CI, {"B2.1"}, 1, 1, "a/one a/one-more a/two b/one"},
        {VX_TIER_CI, {"B2.10"}, 1, 1, "b/one b/two b/four"},
        {VX_TIER_CI, {"B2"}, 1, 1, "a/one a/one-more a/two b/one b/two b/four"},
        {VX_TIER_CI, {"b2.10"}, 1, 1, "b/one b/two b/four"},
        {VX_TIER_CI, {"fma"}, 1, 1, "b/[three]"},
        {VX_TIER_CI, {"fm"}, 1, 1, ""},
        {VX_TIER_CI, {"fma", "B2.1"}, 1, 1, "a/one a/one-more a/two b/one b/[three]"},
        {VX_TIER_CI, {"build3d/a/one", "two"}, 1, 1, "a/one a/two b/two"},
        {VX_TIER_CI, {"B2.10", "b/*o*"}, 1, 2, "b/one b/four"},
        {VX_TIER_CI, {"B"}, 1, 1, ""},
        {VX_TIER_CI, {"two"}, 1, 1, "a/two b/two"},
        {VX_TIER_CI, {"build3d/*/one"}, 1, 1, "a/one b/one"},
        {VX_TIER_CI, {"*/one*"}, 1, 1, "a/one a/one-more b/one"},
        {VX_TIER_CI, {"build3d/a/one"}, 1, 1, "a/one"},
        {VX_TIER_CI, {"build3d/b/[three]"}, 1, 1, "b/[three]"},
        {VX_TIER_CI, {"none"}, 1, 1, ""},
        {VX_TIER_SMOKE, {"B3"}, 1, 1, "b/two b/[three]"},
        {VX_TIER_CI, {NULL}, 1, 3, "a/one b/one b/four"},
        {VX_TIER_CI, {NULL}, 2, 3, "a/one-more b/two"},
        {VX_TIER_CI, {NULL}, 3, 3, "a/two b/[three]"},
        {VX_TIER_CI, {"B3"}, 3, 3, "b/four"},
        {VX_TIER_CI, {NULL}, 9, 9, ""},
    };
    vx_case_list list = {0};
    fill(&list);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_selection selection;
        vx_text names = {0};
        const vx_select_options options = {.tier = rows[i].tier,
                                           .filters = rows[i].filters,
                                           .filter_count = (size_t)(rows[i].filters[0] != NULL) +
                                                           (rows[i].filters[1] != NULL),
                                           .shard = rows[i].shard,
                                           .shards = rows[i].shards};
        vx_select(&list, &options, &selection);
        describe(&selection, &names);
        cr_expect_str_eq(vx_text_string(&names), rows[i].names, "row %zu", i);
        vx_text_free(&names);
        free(selection.items);
    }
    vx_case_list_free(&list);
}

/* What is spelt like a clause must be one; what selects nothing is found out. */
Test(select, filters_that_select_nothing)
{
    static const struct {
        const char *filter;
        bool unknown, idle;
    } rows[] = {
        {"B2.1", false, false}, {"b2.10", false, false},
        {"B2", false, false},   {"B2.99", true, true},
        {"b99", true, true},    {"B4.1", false, true},
        {"fma", false, false},  {"build3d/b/[three]", false, false},
        {"two", false, false},  {"twos", false, true},
        {"B2.", true, true},    {"B2.1x", false, true},
        {"B", false, true},     {"C7", false, true},
        {"", false, false},
    };
    vx_case_list list = {0};
    vx_spec spec;
    vx_spec_read_own(&spec);
    fill(&list);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const filters[] = {"one", rows[i].filter};
        const vx_select_options options = {VX_TIER_CI, filters, 2, 1, 1};
        cr_expect_eq(vx_filter_unknown(&options, &spec) == filters[1], rows[i].unknown, "%s",
                     filters[1]);
        cr_expect_eq(vx_filter_idle(&options, &list) == filters[1], rows[i].idle, "%s", filters[1]);
    }
    vx_spec_free(&spec);
    vx_case_list_free(&list);
}

Test(select, tier_names)
{
    vx_tier tier;
    static const char *const names[] = {"smoke", "ci", "full"};
    for (size_t i = 0; i < 3; i++) {
        cr_expect(vx_tier_find(names[i], &tier));
        cr_expect_str_eq(vx_tier_name(tier), names[i]);
    }
    cr_expect(!vx_tier_find("fuller", &tier));
}

/* The generated cases come behind the vectors and are the same each time; those that are selected
 * get the reference's answer. */
Test(select, generated)
{
    vx_case_list lists[2] = {0};
    vx_text texts[2] = {0};
    size_t families = 0;
    for (size_t i = 0; i < vx_chapter_count; i++) {
        families += *vx_chapters[i]->family_count;
    }
    for (size_t i = 0; i < 2; i++) {
        fill(&lists[i]);
        size_t vectors = lists[i].count;
        vx_generate(&lists[i]);
        cr_expect_eq(lists[i].count, vectors + VX_FULL_CASES * families);
        for (size_t k = 0; k < lists[i].count; k++) {
            vx_case_write(&lists[i].items[k], &texts[i]);
        }
    }
    cr_expect_str_eq(texts[0].bytes, texts[1].bytes);
    vx_selection selection;
    static const char *const filters[] = {"/gen/"};
    vx_select_options options = {VX_TIER_FULL, filters, 1, 3, 16};
    vx_select(&lists[0], &options, &selection);
    cr_assert_gt(selection.count, 0);
    cr_assert(vx_answer_generated(&selection));
    for (size_t i = 0; i < selection.count; i++) {
        cr_expect(selection.items[i]->has_expect, "%s", selection.items[i]->name);
        cr_expect_gt(selection.items[i]->clause_count, 0, "%s", selection.items[i]->name);
    }
    free(selection.items);
    for (size_t i = 0; i < 2; i++) {
        vx_text_free(&texts[i]);
        vx_case_list_free(&lists[i]);
    }
    vx_case_list empty = {0};
    vx_generate(&empty);
    cr_expect_eq(empty.count, 0, "no vector of a chapter: nothing of it is generated");
}
