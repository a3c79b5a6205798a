/* SPDX-License-Identifier: MIT */
/* Which clauses of SPEC.md a run's failures point at: Ochiai's measure over the cases' verdicts. */
#include "suspects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool vx_is_generated_name(const char *name)
{
    return strstr(name, "/gen/") != NULL;
}

bool vx_record_cites(const vx_record *record, const char *clause)
{
    for (size_t i = 0; i < record->clause_count; i++) {
        if (strcmp(record->clauses[i], clause) == 0) {
            return true;
        }
    }
    return false;
}

/* The wrong answers; of the cases made by hand only, if so asked. */
static size_t count_wrong(const vx_results *results, bool handmade)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const vx_record *record = &results->records[i];
        bool counts = !handmade || !vx_is_generated_name(record->name);
        count += counts && record->verdict == VX_FAIL ? 1 : 0;
    }
    return count;
}

/* Counts the cases that cite the suspect's clause and were answered. False when none was answered
 * wrong. */
static bool tally(const vx_results *results, bool handmade, vx_suspect *suspect)
{
    bool any = false;
    for (size_t i = 0; i < results->count; i++) {
        const vx_record *record = &results->records[i];
        bool judged = record->verdict == VX_PASS || record->verdict == VX_FAIL;
        if (!judged || !vx_record_cites(record, suspect->clause->id)) {
            continue;
        }
        bool failed = record->verdict == VX_FAIL;
        any = any || failed;
        if (!handmade || !vx_is_generated_name(record->name)) {
            suspect->judged++;
            suspect->failed += failed ? 1 : 0;
        }
    }
    return any;
}

static int compare_suspects(const void *a, const void *b)
{
    const vx_suspect *left = a;
    const vx_suspect *right = b;
    if (left->score > right->score || left->score < right->score) {
        return left->score > right->score ? -1 : 1;
    }
    return left->clause->line < right->clause->line ? -1 : 1;
}

void vx_suspects_find(const vx_results *results, const vx_spec *spec, vx_suspects *suspects)
{
    size_t handmade = count_wrong(results, true);
    size_t all = handmade > 0 ? handmade : count_wrong(results, false);
    *suspects = (vx_suspects){.items = vx_must_alloc(spec->count, sizeof *suspects->items),
                              .handmade = handmade > 0};
    for (size_t i = 0; i < spec->count && all > 0; i++) {
        vx_suspect suspect = {.clause = &spec->clauses[i]};
        if (tally(results, handmade > 0, &suspect)) {
            double most = sqrt((double)all * (double)suspect.judged);
            suspect.score = suspect.failed > 0 ? (double)suspect.failed / most : 0;
            suspects->items[suspects->count++] = suspect;
        }
    }
    qsort(suspects->items, suspects->count, sizeof *suspects->items, compare_suspects);
}

void vx_suspects_free(vx_suspects *suspects)
{
    free(suspects->items);
    *suspects = (vx_suspects){0};
}
