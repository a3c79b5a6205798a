/* SPDX-License-Identifier: MIT */
/* Tells a finding: the smallest case that was found for it, in a file, and the vote. */
#include "fuzz/finding.h"

#include <inttypes.h>
#include <nettle/sha1.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "case.h"
#include "file.h"
#include "fuzz/target.h"

vx_input *vx_fuzz_copy(const vx_input *input)
{
    vx_input *copy = vx_build3d_input_new(&input->frame);
    for (size_t i = 0; i < input->step_count; i++) {
        vx_build3d_add_step(copy, &input->steps[i]);
    }
    return copy;
}

/* --- the vote -----------------------------------------------------------------------------------
 */

/* The clauses that say what a step does. */
static const char *clauses_of(const vx_input *input, int64_t step)
{
    static const char *const clauses[VX_OP_COUNT] = {
        [VX_OP_RASTERIZE] = "B2.1 to B2.27",   [VX_OP_ADD_SPANS] = "B3.2 to B3.4",
        [VX_OP_HEIGHT_GRID] = "B4.1 to B4.3",  [VX_OP_CHUNK] = "B5.1 to B5.7",
        [VX_OP_LOW_HANGING] = "B6.3 and B6.4", [VX_OP_LEDGES] = "B6.5 to B6.9",
        [VX_OP_LOW_HEIGHT] = "B6.10",          [VX_OP_COMPACT] = "B7.1 to B7.5",
        [VX_OP_ERODE] = "B8.1 to B8.5",        [VX_OP_VOLUME] = "B9.1 to B9.5",
    };
    return step < 0 ? "B1.1 to B1.6" : clauses[input->steps[step].op];
}

static void tell_place(const vx_input *input, const char *where, int64_t step, vx_text *text)
{
    if (step < 0) {
        vx_text_add(text, "in the grid");
    } else {
        vx_text_format(text, "%s step %" PRId64 ", %s", where, step,
                       vx_build3d_op_name(input->steps[step].op));
    }
}

/* What fault the exact judge finds, and with which sides. */
static void tell_exact(const vx_input *input, const vx_disagreement *where, vx_text *text)
{
    const vx_exact_finding *finding = &where->finding;
    vx_text_add(text, "fault found ");
    tell_place(input, "after", where->step, text);
    vx_text_format(text, " (SPEC %s)", where->what);
    if (finding->x >= 0) {
        vx_text_format(text, ", column (%" PRId64 ", %" PRId64 ")", finding->x, finding->z);
    }
    if (finding->min < finding->max) {
        vx_text_format(text, ", rows [%" PRId64 ", %" PRId64 ")", finding->min, finding->max);
    }
    vx_text_format(text, ": %s\nvote: the exact judge against", finding->text);
    const char *between = " ";
    for (unsigned side = 0; side < VX_FUZZ_SIDES; side++) {
        vx_disagreement own;
        if (!vx_fuzz_agree(input, side, VX_FUZZ_EXACT, &own)) {
            vx_text_format(text, "%s%s", between, vx_fuzz_sides[side]->name);
            between = ", ";
        }
    }
    vx_text_add_char(text, '\n');
}

void vx_fuzz_tell_vote(const vx_input *input, unsigned a, unsigned b, vx_text *text)
{
    vx_disagreement where;
    if (vx_fuzz_agree(input, a, b, &where)) {
        vx_text_add(text, "all agree\n");
        return;
    }
    if (b == VX_FUZZ_EXACT) {
        tell_exact(input, &where, text);
        return;
    }
    vx_text_format(text, "%s and %s differ (%s) ", vx_fuzz_sides[a]->name, vx_fuzz_sides[b]->name,
                   where.what);
    tell_place(input, "after", where.step, text);
    vx_text_format(text, " (SPEC %s)\n", clauses_of(input, where.step));
    unsigned third = VX_FUZZ_REF + VX_FUZZ_FAST + VX_FUZZ_REPLAY - a - b;
    bool with_a = vx_fuzz_agree(input, a, third, &where);
    bool with_b = vx_fuzz_agree(input, b, third, &where);
    if (with_a == with_b) {
        vx_text_add(text, "vote: no two agree\n");
        return;
    }
    vx_text_format(text, "vote: %s and %s outvote %s\n", vx_fuzz_sides[with_a ? a : b]->name,
                   vx_fuzz_sides[third]->name, vx_fuzz_sides[with_a ? b : a]->name);
}

void vx_fuzz_tell_hang(uint64_t seconds, vx_text *text)
{
    const vx_fuzz_doing *now = &vx_fuzz_now;
    vx_text_format(text, "%s is still running after %" PRIu64 " s ",
                   now->side == VX_FUZZ_EXACT ? "the exact judge" : vx_fuzz_sides[now->side]->name,
                   seconds);
    tell_place(now->input, "in", now->step, text);
    vx_text_format(text, " (SPEC %s)\n", clauses_of(now->input, now->step));
}

/* --- the file -----------------------------------------------------------------------------------
 */

static const char *findings_directory(void)
{
    const char *directory = getenv("VX_FUZZ_FINDINGS");
    if (directory == NULL || directory[0] == '\0') {
        (void)mkdir("build", 0777);
        (void)mkdir("build/fuzz", 0777);
        directory = "build/fuzz/findings";
    }
    (void)mkdir(directory, 0777);
    return directory;
}

bool vx_fuzz_write_finding(vx_bytes input, const char *suffix, const void *bytes, size_t size,
                           vx_text *path)
{
    vx_error error;
    size_t start = path->size;
    struct sha1_ctx context;
    uint8_t digest[SHA1_DIGEST_SIZE];
    sha1_init(&context);
    sha1_update(&context, input.size, input.bytes);
    sha1_digest(&context, sizeof digest, digest);
    vx_text_format(path, "%s/%s-crash-", findings_directory(), vx_fuzz_target);
    for (size_t i = 0; i < sizeof digest; i++) {
        vx_text_format(path, "%02x", digest[i]);
    }
    vx_text_add(path, suffix);
    if (vx_file_write(path->bytes + start, bytes, size, &error) != VX_OK) {
        (void)fprintf(stderr, "fuzz: %s\n", error.message);
        return false;
    }
    return true;
}

/* Writes the case to its file and tells that, with what else there is to say of the file. */
static void write_case(vx_input *input, vx_bytes from, const char *beside, vx_text *text)
{
    vx_case item = {.name = vx_must_strdup(""),
                    .chapter = &vx_chapter_build3d,
                    .note = vx_must_strdup(""),
                    .input = input};
    vx_text path = {0};
    vx_text line = {0};
    vx_case_write_question(&item, &line);
    vx_text_add_char(&line, '\n');
    if (vx_fuzz_write_finding(from, ".jsonl", line.bytes, line.size, &path)) {
        vx_text_format(text, "case: %s, %s\n", path.bytes, beside);
    }
    vx_text_format(text, "%s", line.size <= 4000 ? line.bytes : "");
    vx_text_free(&path);
    vx_text_free(&line);
    vx_case_free(&item);
}

noreturn void vx_fuzz_report(const vx_input *input, vx_bytes from, unsigned a, unsigned b)
{
    vx_input *copy = vx_fuzz_copy(input);
    vx_text text = {0};
    vx_text beside = {0};
    vx_text_format(&text, "fuzz: %s: a finding\n", vx_fuzz_target);
    /* Shrinking takes as long as it takes: no watch of an execution's time ends it. */
    (void)setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    vx_text_format(&beside, "after %zu changes that made it smaller", vx_fuzz_shrink(copy, a, b));
    vx_fuzz_tell_vote(copy, a, b, &text);
    write_case(copy, from, beside.bytes, &text);
    (void)fputs(text.bytes, stderr);
    vx_text_free(&text);
    vx_text_free(&beside);
    abort();
}

void vx_fuzz_report_hang(uint64_t seconds, vx_bytes from)
{
    vx_text text = {0};
    vx_text_format(&text, "fuzz: %s: a finding\n", vx_fuzz_target);
    vx_fuzz_tell_hang(seconds, &text);
    write_case(vx_fuzz_copy(vx_fuzz_now.input), from, "as it was found", &text);
    (void)fputs(text.bytes, stderr);
    vx_text_free(&text);
}
