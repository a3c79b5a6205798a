/* SPDX-License-Identifier: MIT */
/* Which cases a run is about: tier, filter and shard. */
#include "select.h"

#include <ctype.h>
#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "chapter.h"
#include "generate.h"
#include "reference.h"

static const char *const tiers[] = {
    [VX_TIER_SMOKE] = "smoke", [VX_TIER_CI] = "ci", [VX_TIER_FULL] = "full"};

const char *vx_tier_name(vx_tier tier)
{
    return tiers[tier];
}

bool vx_tier_find(const char *name, vx_tier *tier)
{
    for (size_t i = 0; i < sizeof tiers / sizeof tiers[0]; i++) {
        if (strcmp(tiers[i], name) == 0) {
            *tier = (vx_tier)i;
            return true;
        }
    }
    return false;
}

/* --- generated cases ----------------------------------------------------------------------------
 */

static bool has_chapter(const vx_case_list *list, size_t count, const vx_chapter *chapter)
{
    for (size_t i = 0; i < count; i++) {
        if (list->items[i].chapter == chapter) {
            return true;
        }
    }
    return false;
}

void vx_generate(vx_case_list *list)
{
    size_t vectors = list->count;
    for (size_t i = 0; i < vx_chapter_count; i++) {
        const vx_chapter *chapter = vx_chapters[i];
        size_t families = has_chapter(list, vectors, chapter) ? *chapter->family_count : 0;
        for (size_t family = 0; family < families; family++) {
            for (uint64_t number = 0; number < VX_FULL_CASES; number++) {
                vx_case item;
                vx_generate_case(chapter, &chapter->families[family], VX_FULL_SEED + number, &item);
                vx_case_list_add(list, &item);
            }
        }
    }
}

bool vx_answer_generated(const vx_selection *selection)
{
    vx_arena arena;
    bool good = true;
    vx_reference_arena(&arena);
    for (size_t i = 0; i < selection->count && good; i++) {
        good = selection->items[i]->has_expect || vx_answer_case(selection->items[i], &arena);
    }
    vx_arena_free(&arena);
    return good;
}

/* --- selecting ----------------------------------------------------------------------------------
 */

/* Whether the case is among the first two that cite one of its clauses. seen counts by clause. */
static bool is_smoke(const vx_case *item, json_t *seen)
{
    bool chosen = false;
    for (size_t i = 0; i < item->clause_count; i++) {
        json_int_t count = json_integer_value(json_object_get(seen, item->clauses[i]));
        if (count < VX_SMOKE_CASES) {
            chosen = true;
        }
        (void)json_object_set_new(seen, item->clauses[i], json_integer(count + 1));
    }
    return chosen;
}

static bool has_flag(const vx_case *item, const char *name)
{
    size_t i = 0;
    while (i < item->flag_count && strcmp(item->flags[i], name) != 0) {
        i++;
    }
    return i < item->flag_count;
}

bool vx_filter_matches(const char *filter, const vx_case *item)
{
    for (size_t i = 0; i < item->clause_count; i++) {
        if (vx_spec_names(filter, item->clauses[i])) {
            return true;
        }
    }
    if (strpbrk(filter, "*?[") != NULL) {
        return fnmatch(filter, item->name, 0) == 0;
    }
    return has_flag(item, filter) || strstr(item->name, filter) != NULL;
}

/* Whether the word is spelt like an id: the letter of the clauses, then numbers (B2, b2.21). */
static bool is_id(const char *word, const vx_spec *spec)
{
    static const char digits[] = "0123456789";
    size_t number = word[0] != '\0' ? strspn(word + 1, digits) : 0;
    if (spec->count == 0 || number == 0 || toupper(word[0]) != spec->clauses[0].id[0]) {
        return false;
    }
    const char *rest = word + 1 + number;
    return *rest == '\0' || (*rest == '.' && rest[1 + strspn(rest + 1, digits)] == '\0');
}

const char *vx_filter_unknown(const vx_select_options *options, const vx_spec *spec)
{
    for (size_t i = 0; i < options->filter_count; i++) {
        bool known = !is_id(options->filters[i], spec);
        for (size_t k = 0; k < spec->count && !known; k++) {
            known = vx_spec_names(options->filters[i], spec->clauses[k].id);
        }
        if (!known) {
            return options->filters[i];
        }
    }
    return NULL;
}

const char *vx_filter_idle(const vx_select_options *options, const vx_case_list *list)
{
    for (size_t i = 0; i < options->filter_count; i++) {
        size_t k = 0;
        /* A whole name may have the characters of a pattern. */
        while (k < list->count && strcmp(options->filters[i], list->items[k].name) != 0 &&
               !vx_filter_matches(options->filters[i], &list->items[k])) {
            k++;
        }
        if (k == list->count) {
            return options->filters[i];
        }
    }
    return NULL;
}

/* The index of the case whose whole name the filter is; count: there is none. */
static size_t find_name(const vx_selection *selection, const char *name)
{
    size_t index = 0;
    while (index < selection->count && strcmp(selection->items[index]->name, name) != 0) {
        index++;
    }
    return index;
}

/* Marks what the filter selects. A whole name selects that case alone, though other names may
 * contain it. */
static void mark(const vx_selection *selection, const char *filter, bool *wanted)
{
    size_t named = find_name(selection, filter);
    if (named < selection->count) {
        wanted[named] = true;
        return;
    }
    for (size_t i = 0; i < selection->count; i++) {
        wanted[i] = wanted[i] || vx_filter_matches(filter, selection->items[i]);
    }
}

static void filter_selection(vx_selection *selection, const vx_select_options *options)
{
    bool *wanted = vx_must_alloc(selection->count, sizeof *wanted);
    for (size_t i = 0; i < options->filter_count; i++) {
        mark(selection, options->filters[i], wanted);
    }
    size_t kept = 0;
    for (size_t i = 0; i < selection->count; i++) {
        if (wanted[i]) {
            selection->items[kept++] = selection->items[i];
        }
    }
    selection->count = kept;
    free(wanted);
}

void vx_select(const vx_case_list *list, const vx_select_options *options, vx_selection *selection)
{
    json_t *seen = json_object();
    *selection = (vx_selection){.items = vx_must_alloc(list->count, sizeof(vx_case *))};
    for (size_t i = 0; i < list->count; i++) {
        if (options->tier != VX_TIER_SMOKE || is_smoke(&list->items[i], seen)) {
            selection->items[selection->count++] = &list->items[i];
        }
    }
    json_decref(seen);
    if (options->filter_count > 0) {
        filter_selection(selection, options);
    }
    size_t kept = 0;
    for (size_t i = options->shard - 1; i < selection->count; i += options->shards) {
        selection->items[kept++] = selection->items[i];
    }
    selection->count = kept;
}
