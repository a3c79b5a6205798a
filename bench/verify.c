/* SPDX-License-Identifier: MIT */
/* Holds every contender to the reference, kernel by kernel, before anything is timed. */
#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

/* The rows of a field, as bytes. */
typedef struct rows {
    vx_build3d_info info;
    const vx_table_shape *table;
    size_t width; /* numbers in a row */
    int32_t *cells;
} rows;

/* Reads them; cells is to be freed. */
static bool read_rows(const vx_bench_session *session, rows *read)
{
    const vx_build3d_impl *impl = session->who->impl;
    vx_error error = {0};
    *read = (rows){0};
    impl->info(session->field, &read->info);
    read->table =
        &vx_build3d_shape.tables[read->info.is_compact ? VX_BUILD3D_COMPACT : VX_BUILD3D_SOLID];
    size_t count = (size_t)read->info.rows;
    read->width = read->table->width;
    read->cells = vx_must_alloc(count * read->width + 1, sizeof *read->cells);
    void *cells = read->cells;
    vx_status status = read->info.is_compact
                           ? impl->read_compact(session->field, cells, count, &error)
                           : impl->read_solid(session->field, cells, count, &error);
    if (status != VX_OK) {
        (void)vx_complain(VX_EXIT_INTERNAL, "%s, %s: %.*s", session->who->name,
                          session->scene->kind->name, (int)sizeof error.message, error.message);
    }
    return status == VX_OK;
}

static bool take_snapshot(const vx_bench_session *session, vx_bench_snapshot *snapshot)
{
    rows read;
    bool is_read = read_rows(session, &read);
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, (size_t)read.info.rows * read.width * sizeof *read.cells,
                  (const uint8_t *)read.cells);
    *snapshot = (vx_bench_snapshot){.info = read.info};
    vx_sha256_hex(&context, snapshot->rows);
    free(read.cells);
    return is_read;
}

static bool is_same_info(const vx_build3d_info *a, const vx_build3d_info *b)
{
    return memcmp(a->size, b->size, sizeof a->size) == 0 && a->is_compact == b->is_compact &&
           a->degenerate == b->degenerate && a->rows == b->rows;
}

static bool is_same(const vx_bench_snapshot *a, const vx_bench_snapshot *b)
{
    return is_same_info(&a->info, &b->info) && strcmp(a->rows, b->rows) == 0;
}

/* --- saying what differs ---------------------------------------------------------------------- */

/* "row 7 (28 4 5 65535 63 0 0 0 0) has area 63 instead of 0" */
static void add_row(const rows *have, const rows *want, size_t index, vx_text *text)
{
    const int32_t *cells = have->cells + index * have->width;
    const int32_t *wanted = want->cells + index * want->width;
    const char *between = "";
    vx_text_format(text, "row %zu (", index);
    for (size_t i = 0; i < have->width; i++) {
        vx_text_format(text, "%s%" PRId32, i > 0 ? " " : "", cells[i]);
    }
    vx_text_add(text, ") has ");
    for (size_t i = 0; i < have->width; i++) {
        if (cells[i] != wanted[i]) {
            vx_text_format(text, "%s%s %" PRId32 " instead of %" PRId32, between,
                           have->table->columns[i], cells[i], wanted[i]);
            between = ", ";
        }
    }
}

static void add_difference(const rows *have, const rows *want, vx_text *text)
{
    if (!is_same_info(&have->info, &want->info)) {
        vx_text_format(text,
                       "%" PRIu64 " rows and %" PRIu64 " degenerate triangles instead of %" PRIu64
                       " and %" PRIu64,
                       have->info.rows, have->info.degenerate, want->info.rows,
                       want->info.degenerate);
        return;
    }
    const size_t size = want->width * sizeof *want->cells;
    size_t row = 0;
    while (memcmp(have->cells + row * want->width, want->cells + row * want->width, size) == 0) {
        row++;
    }
    add_row(have, want, row, text);
}

/* Runs a track up to the step, that one included. */
static bool run_to(vx_bench_session *session, size_t track, size_t last)
{
    bool is_done = true;
    for (size_t step = 0; step <= last && is_done; step++) {
        is_done = vx_bench_watched_step(session, vx_bench_tracks[track][step]);
    }
    return is_done;
}

static void complain(vx_bench_session *session, vx_bench_session *reference, size_t track,
                     size_t step)
{
    rows have = {0};
    rows want = {0};
    vx_text text = {0};
    vx_bench_session_end(session);
    vx_bench_session_end(reference);
    if (run_to(session, track, step) && read_rows(session, &have) &&
        run_to(reference, track, step) && read_rows(reference, &want)) {
        add_difference(&have, &want, &text);
    }
    (void)vx_complain(VX_EXIT_NOT_CONFORMANT,
                      "%s differs from the reference on %s after %s: %s; there are no results",
                      session->who->name, session->scene->kind->name,
                      vx_bench_kernels[vx_bench_tracks[track][step]].name, vx_text_string(&text));
    vx_text_free(&text);
    free(have.cells);
    free(want.cells);
}

/* --- what is given ---------------------------------------------------------------------------- */

/* A digest of what the kernel gets besides the field; it is to be read alone. */
static void digest_given(const vx_bench_scene *scene, vx_bench_kernel_id kernel,
                         char hex[VX_SHA256_HEX])
{
    const vx_step volume = {.op = VX_OP_VOLUME, .volume = scene->volume};
    const vx_step pieces = {.op = VX_OP_ADD_SPANS,
                            .list = {.spans = scene->pieces, .count = scene->piece_count}};
    struct sha256_ctx context;
    sha256_init(&context);
    if (kernel == VX_BENCH_OPEN) {
        vx_build3d_digest_frame(&scene->input->frame, &context);
    } else if (kernel == VX_BENCH_RASTERIZE) {
        vx_build3d_digest_step(&scene->input->steps[0], &context);
    } else if (kernel == VX_BENCH_VOLUME) {
        vx_build3d_digest_step(&volume, &context);
    } else if (kernel == VX_BENCH_MERGE) {
        vx_build3d_digest_step(&pieces, &context);
    }
    vx_sha256_hex(&context, hex);
}

/* Complains of a contender that changed what the kernel reads: all that comes behind it would work
 * on something else. */
static bool is_given_kept(const vx_bench_session *session, vx_bench_kernel_id kernel,
                          const vx_bench_truth *truth)
{
    char now[VX_SHA256_HEX];
    digest_given(session->scene, kernel, now);
    if (strcmp(now, truth->given[kernel]) == 0) {
        return true;
    }
    (void)vx_complain(
        VX_EXIT_NOT_CONFORMANT, "%s changed what %s is given to read on %s; there are no results",
        session->who->name, vx_bench_kernels[kernel].name, session->scene->kind->name);
    return false;
}

/* --- all tracks ------------------------------------------------------------------------------- */

static uint64_t count_walkable(const vx_bench_session *session)
{
    enum { AREA = 4 }; /* of a compact row */
    rows read;
    uint64_t count = 0;
    if (read_rows(session, &read)) {
        for (size_t i = 0; i < read.info.rows; i++) {
            count += read.cells[i * read.width + AREA] != 0;
        }
    }
    free(read.cells);
    return count;
}

static void tally_step(const vx_bench_session *session, vx_bench_kernel_id kernel,
                       const vx_bench_snapshot *snapshot, vx_bench_tally *tally)
{
    if (kernel == VX_BENCH_RASTERIZE) {
        tally->solid = snapshot->info.rows;
    } else if (kernel == VX_BENCH_COMPACT) {
        tally->compact = snapshot->info.rows;
    } else if (kernel == VX_BENCH_ERODE_2) {
        tally->walkable = count_walkable(session);
    }
}

bool vx_bench_truth_find(vx_bench_session *reference, vx_bench_truth *truth, vx_bench_tally *tally)
{
    bool is_done = true;
    for (unsigned kernel = 0; kernel < VX_BENCH_KERNELS; kernel++) {
        digest_given(reference->scene, (vx_bench_kernel_id)kernel, truth->given[kernel]);
    }
    for (size_t track = 0; track < VX_BENCH_TRACKS; track++) {
        const vx_bench_kernel_id *steps = vx_bench_tracks[track];
        for (size_t i = 0; steps[i] != VX_BENCH_KERNELS && is_done; i++) {
            vx_bench_snapshot *snapshot = &truth->at[track][i];
            is_done = vx_bench_watched_step(reference, steps[i]);
            if (is_done && !vx_bench_is_repeated(track, steps[i])) {
                is_done = take_snapshot(reference, snapshot);
                tally_step(reference, steps[i], snapshot, tally);
            }
        }
        vx_bench_session_end(reference);
    }
    return is_done;
}

bool vx_bench_verify(vx_bench_session *session, vx_bench_session *reference,
                     const vx_bench_truth *truth)
{
    bool is_same_so_far = true;
    for (size_t track = 0; track < VX_BENCH_TRACKS && is_same_so_far; track++) {
        const vx_bench_kernel_id *steps = vx_bench_tracks[track];
        for (size_t i = 0; steps[i] != VX_BENCH_KERNELS && is_same_so_far; i++) {
            vx_bench_snapshot snapshot = truth->at[track][i];
            if (!vx_bench_watched_step(session, steps[i]) ||
                !is_given_kept(session, steps[i], truth) ||
                (!vx_bench_is_repeated(track, steps[i]) && !take_snapshot(session, &snapshot))) {
                is_same_so_far = false;
            } else if (!is_same(&snapshot, &truth->at[track][i])) {
                complain(session, reference, track, i);
                is_same_so_far = false;
            }
        }
        vx_bench_session_end(session);
    }
    for (unsigned kernel = 0; kernel < VX_BENCH_KERNELS && is_same_so_far; kernel++) {
        is_same_so_far = is_given_kept(session, (vx_bench_kernel_id)kernel, truth);
    }
    return is_same_so_far;
}

bool vx_bench_tally_peer(vx_bench_session *session, vx_bench_tally *tally)
{
    const vx_peer_table *peer = session->who->peer;
    bool is_done = true;
    for (size_t track = 0; track < VX_BENCH_TRACKS; track++) {
        const vx_bench_kernel_id *steps = vx_bench_tracks[track];
        for (size_t i = 0; steps[i] != VX_BENCH_KERNELS && is_done; i++) {
            is_done = vx_bench_watched_step(session, steps[i]);
            if (is_done && steps[i] == VX_BENCH_RASTERIZE) {
                tally->solid = peer->solid_spans(session->peer);
            } else if (is_done && steps[i] == VX_BENCH_COMPACT) {
                tally->compact = peer->compact_spans(session->peer);
            } else if (is_done && steps[i] == VX_BENCH_ERODE_2) {
                tally->walkable = peer->walkable_spans(session->peer);
            }
        }
        vx_bench_session_end(session);
    }
    return is_done;
}
