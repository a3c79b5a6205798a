/* SPDX-License-Identifier: MIT */
/* Does the steps of a case on several implementations and compares after each of them. */
#include "fuzz/judge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fast/build3d/kernels.h"
#include "fuzz/finding.h"
#include "oracle/build3d/oracle.h"
#include "random.h"

const vx_build3d_impl *vx_fuzz_sides[VX_FUZZ_SIDES] = {
    [VX_FUZZ_REF] = &vx_ref_build3d,
    [VX_FUZZ_FAST] = &vx_fast_build3d,
    [VX_FUZZ_REPLAY] = &vx_replay_build3d,
};

vx_fuzz_counts vx_fuzz_done;
vx_fuzz_doing vx_fuzz_now;

/* What one side has at the moment. The arena and the rows are used again by the next case. */
typedef struct side {
    vx_arena arena;
    vx_build3d *field;
    vx_build3d_info info;
    void *rows;
    size_t capacity; /* bytes */
} side;

static side sides[VX_FUZZ_SIDES];

static vx_status open_side(unsigned which, const vx_input *input)
{
    side *own = &sides[which];
    vx_fuzz_now = (vx_fuzz_doing){.input = input, .side = which, .step = -1};
    if (own->arena.block_size == 0) {
        vx_arena_init_growable(&own->arena, (size_t)1 << 18, SIZE_MAX);
    }
    vx_arena_reset(&own->arena);
    own->field = NULL;
    return vx_fuzz_sides[which]->open(&own->arena, &input->frame, &own->field, NULL);
}

static vx_status do_step(unsigned which, const vx_step *step)
{
    vx_fuzz_now.side = which;
    return vx_build3d_run_step(vx_fuzz_sides[which], sides[which].field, step, NULL);
}

/* The rows of a side and how many bytes they are. */
static size_t read_side(unsigned which)
{
    side *own = &sides[which];
    vx_fuzz_now.side = which;
    size_t count = (size_t)own->info.rows;
    size_t bytes = count * (own->info.is_compact ? sizeof(vx_compact_row) : sizeof(vx_solid_row));
    if (own->rows == NULL || own->capacity < bytes) {
        free(own->rows);
        own->capacity = 2 * bytes + 1;
        own->rows = vx_must_alloc(own->capacity, 1);
    }
    vx_status status = own->info.is_compact
                           ? vx_fuzz_sides[which]->read_compact(own->field, own->rows, count, NULL)
                           : vx_fuzz_sides[which]->read_solid(own->field, own->rows, count, NULL);
    return status == VX_OK ? bytes : SIZE_MAX;
}

/* Compares counts, and the rows where that is asked for. */
static const char *compare(unsigned a, unsigned b, bool rows)
{
    vx_fuzz_sides[a]->info(sides[a].field, &sides[a].info);
    vx_fuzz_sides[b]->info(sides[b].field, &sides[b].info);
    if (sides[a].info.degenerate != sides[b].info.degenerate) {
        return "degenerate";
    }
    if (memcmp(sides[a].info.size, sides[b].info.size, sizeof sides[a].info.size) != 0 ||
        sides[a].info.is_compact != sides[b].info.is_compact ||
        sides[a].info.rows != sides[b].info.rows) {
        return "statistics";
    }
    if (rows) {
        size_t bytes = read_side(a);
        if (bytes != read_side(b) || bytes == SIZE_MAX ||
            memcmp(sides[a].rows, sides[b].rows, bytes) != 0) {
            return "rows";
        }
    }
    return NULL;
}

/* Whether the rows are to be compared after a step: at the end, when the solid ones can be read for
 * the last time, and after every step that failed. */
static bool is_reading(const vx_input *input, size_t step, vx_status status)
{
    return status != VX_OK || step + 1 == input->step_count ||
           input->steps[step + 1].op == VX_OP_COMPACT;
}

/* Whether two statuses are as good as one another. Where several rules are broken any of the kinds
 * is correct (SPEC B0.10@f5f0c3); fast has the reference's order of checks, the replay its own. */
static bool is_same_status(unsigned a, unsigned b, vx_status status, vx_status other)
{
    bool is_free = a == VX_FUZZ_REPLAY || b == VX_FUZZ_REPLAY;
    bool are_errors = (status == VX_ARGUMENT || status == VX_OUT_OF_RANGE) &&
                      (other == VX_ARGUMENT || other == VX_OUT_OF_RANGE);
    return status == other || (is_free && are_errors);
}

static const char *do_steps(const vx_input *input, unsigned a, unsigned b, int64_t *at)
{
    const char *what = input->step_count == 0 ? compare(a, b, true) : NULL;
    for (size_t i = 0; i < input->step_count && what == NULL; i++) {
        const vx_step *step = &input->steps[i];
        *at = vx_fuzz_now.step = (int64_t)i;
        vx_status status = do_step(a, step);
        vx_status other = do_step(b, step);
        vx_fuzz_done.steps++;
        vx_fuzz_done.good += status == VX_OK;
        what = !is_same_status(a, b, status, other) ? "status"
                                                    : compare(a, b, is_reading(input, i, status));
    }
    return what;
}

bool vx_fuzz_agree(const vx_input *input, unsigned a, unsigned b, vx_disagreement *where)
{
    if (b == VX_FUZZ_EXACT) {
        return vx_fuzz_stands(input, a, where);
    }
    vx_status status = open_side(a, input);
    vx_status other = open_side(b, input);
    const char *what = is_same_status(a, b, status, other) ? NULL : "status";
    where->step = -1;
    vx_fuzz_done.cases++;
    if (status == VX_OK && other == VX_OK) {
        vx_fuzz_done.grids++;
        what = do_steps(input, a, b, &where->step);
    }
    vx_fuzz_sides[a]->close(sides[a].field);
    vx_fuzz_sides[b]->close(sides[b].field);
    vx_fuzz_now.input = NULL;
    where->what = what;
    return what == NULL;
}

/* --- who is asked --------------------------------------------------------------------------------
 */

bool vx_fuzz_read_number(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    bool good = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    *number = good ? value : *number;
    return good;
}

uint64_t vx_fuzz_chosen(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    uint64_t number = otherwise;
    if (text != NULL && !vx_fuzz_read_number(text, &number)) {
        (void)fprintf(stderr, "fuzz: %s=%s: a number is needed\n", name, text);
        exit(2);
    }
    return number;
}

vx_fuzz_sampling vx_fuzz_sampling_chosen(void)
{
    return (vx_fuzz_sampling){.replay = vx_fuzz_chosen("VX_FUZZ_REPLAY", 64),
                              .exact = vx_fuzz_chosen("VX_FUZZ_EXACT", 256)};
}

/* The next choice among `every`: whether it is the one in so many. */
static bool is_chosen(uint64_t *choice, uint64_t every)
{
    bool chosen = every > 0 && *choice % every == 0;
    *choice /= every > 0 ? every : 1;
    return chosen;
}

void vx_fuzz_judge(const vx_input *input, vx_bytes from)
{
    static const unsigned levels[] = {VX_FAST_BASELINE, VX_FAST_AVX2, VX_FAST_AVX512};
    static vx_fuzz_sampling sampling;
    static bool has_sampling;
    vx_disagreement where;
    uint64_t choice = vx_random_hash(from.bytes, from.size);
    if (!has_sampling) {
        sampling = vx_fuzz_sampling_chosen();
        has_sampling = true;
    }
    (void)vx_fast_set_levels(levels[choice % 3]);
    choice /= 3;
    if (!vx_fuzz_agree(input, VX_FUZZ_REF, VX_FUZZ_FAST, &where)) {
        vx_fuzz_report(input, from, VX_FUZZ_REF, VX_FUZZ_FAST);
    }
    if (is_chosen(&choice, sampling.replay)) {
        vx_fuzz_done.replayed++;
        if (!vx_fuzz_agree(input, VX_FUZZ_REF, VX_FUZZ_REPLAY, &where)) {
            vx_fuzz_report(input, from, VX_FUZZ_REF, VX_FUZZ_REPLAY);
        }
    }
    if (is_chosen(&choice, sampling.exact) && !vx_fuzz_stands(input, VX_FUZZ_REF, &where)) {
        vx_fuzz_report(input, from, VX_FUZZ_REF, VX_FUZZ_EXACT);
    }
}
