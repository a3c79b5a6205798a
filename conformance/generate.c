/* SPDX-License-Identifier: MIT */
/* Cases made by a chapter's families, and the reference's answer as what a case expects. */
#include "generate.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "reference.h"

static const char DIGEST_FLAG[] = "digest";

void vx_generate_case(const vx_chapter *chapter, const vx_family *family, uint64_t seed,
                      vx_case *item)
{
    *item = (vx_case){
        .chapter = chapter, .note = vx_must_strdup(family->note), .input = family->make(seed)};
    vx_text name = {0};
    vx_text_format(&name, "%s/gen/%s/%llu", chapter->name, family->name, (unsigned long long)seed);
    item->name = vx_must_strdup(vx_text_string(&name));
    vx_text_free(&name);
    while (family->clauses[item->clause_count] != NULL) {
        item->clause_count++;
    }
    item->clauses = vx_must_alloc(item->clause_count, sizeof *item->clauses);
    for (size_t i = 0; i < item->clause_count; i++) {
        item->clauses[i] = vx_must_strdup(family->clauses[i]);
    }
}

bool vx_answer_case(vx_case *item, vx_arena *arena)
{
    vx_result result = {0};
    if (vx_reference_run(item, arena, &result) != VX_OK) {
        (void)vx_complain(VX_EXIT_INTERNAL, "%s: the reference has no answer: %s", item->name,
                          result.message);
        vx_result_free(&result);
        return false;
    }
    item->has_expect = true;
    item->expect = (vx_expect){.result = result};
    if (result.error != VX_OK) {
        item->expect.kinds = 1u << (unsigned)result.error;
        item->expect.result.error = VX_OK;
    }
    return true;
}

void vx_shorten_answer(vx_case *item)
{
    vx_expect *expect = &item->expect;
    if (expect->kinds == 0 && !expect->digest && expect->result.rows > VX_ANSWER_ROWS_MAX) {
        vx_result_digest(item->chapter->shape, &expect->result, expect->sha256);
        expect->digest = true;
        free(expect->result.cells);
        expect->result.cells = NULL;
        expect->result.table = 0;
    }
    size_t kept = 0;
    for (size_t i = 0; i < item->flag_count; i++) {
        if (strcmp(item->flags[i], DIGEST_FLAG) == 0) {
            free(item->flags[i]);
        } else {
            item->flags[kept++] = item->flags[i];
        }
    }
    item->flag_count = kept;
    if (expect->digest) {
        item->flags = vx_must_realloc(item->flags, kept + 1, sizeof *item->flags);
        item->flags[item->flag_count++] = vx_must_strdup(DIGEST_FLAG);
    }
}
