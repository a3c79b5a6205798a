/* SPDX-License-Identifier: MIT */
/* The table of kernels, and running one of them on a contender. */
#include <time.h>

#include "bench.h"

enum { WIDE_RADIUS = 8 };

#define ARENA_BLOCK ((size_t)16 << 20)
#define ARENA_LIMIT ((size_t)64 << 30)

/* --- on a table ------------------------------------------------------------------------------- */

static vx_status run_open(vx_bench_session *session, vx_error *error)
{
    unsigned before = vx_bench_levels_begin(session->who);
    vx_status status = session->who->impl->open(&session->arena, &session->scene->input->frame,
                                                &session->field, error);
    vx_bench_levels_end(session->who, before);
    return status;
}

static vx_status run_rasterize(vx_bench_session *session, vx_error *error)
{
    return session->who->impl->rasterize(session->field, &session->scene->input->steps[0].mesh,
                                         error);
}

static vx_status run_low_hanging(vx_bench_session *session, vx_error *error)
{
    return session->who->impl->low_hanging(session->field, VX_DEFAULT_CLIMB, error);
}

static vx_status run_ledges(vx_bench_session *session, vx_error *error)
{
    return session->who->impl->ledges(session->field, VX_DEFAULT_HEIGHT, VX_DEFAULT_CLIMB, error);
}

static vx_status run_low_height(vx_bench_session *session, vx_error *error)
{
    return session->who->impl->low_height(session->field, VX_DEFAULT_HEIGHT, error);
}

static vx_status run_compact(vx_bench_session *session, vx_error *error)
{
    return session->who->impl->compact(session->field, VX_DEFAULT_HEIGHT, VX_DEFAULT_CLIMB, error);
}

static vx_status run_erode_2(vx_bench_session *session, vx_error *error)
{
    return session->who->impl->erode(session->field, VX_DEFAULT_RADIUS, error);
}

static vx_status run_volume(vx_bench_session *session, vx_error *error)
{
    return session->who->impl->volume(session->field, &session->scene->volume, error);
}

static vx_status run_erode_8(vx_bench_session *session, vx_error *error)
{
    return session->who->impl->erode(session->field, WIDE_RADIUS, error);
}

static vx_status run_merge(vx_bench_session *session, vx_error *error)
{
    const vx_bench_scene *scene = session->scene;
    return session->who->impl->add_spans(session->field, scene->pieces, scene->piece_count,
                                         VX_DEFAULT_MERGE_THRESHOLD, error);
}

/* --- on the peer ------------------------------------------------------------------------------ */

static bool peer_open(vx_bench_session *session)
{
    const vx_bench_scene *scene = session->scene;
    const vx_frame *frame = &scene->input->frame;
    vx_peer_grid grid = {.cell_size = frame->cell_size, .cell_height = frame->cell_height};
    for (size_t i = 0; i < 3; i++) {
        grid.min[i] = (float)frame->min[i];
        grid.size[i] = scene->size[i];
    }
    session->peer = session->who->peer->open(&grid);
    return session->peer != NULL;
}

static bool peer_rasterize(vx_bench_session *session)
{
    const vx_bench_scene *scene = session->scene;
    const vx_peer_mesh mesh = {.vertices = scene->peer_vertices,
                               .vertex_count = (int)scene->mesh.vertex_count,
                               .indices = scene->peer_indices,
                               .triangle_count = (int)scene->mesh.triangle_count};
    return session->who->peer->rasterize(session->peer, &mesh, VX_DEFAULT_MERGE_THRESHOLD) != 0;
}

static bool peer_low_hanging(vx_bench_session *session)
{
    return session->who->peer->low_hanging(session->peer, VX_DEFAULT_CLIMB) != 0;
}

static bool peer_ledges(vx_bench_session *session)
{
    return session->who->peer->ledges(session->peer, VX_DEFAULT_HEIGHT, VX_DEFAULT_CLIMB) != 0;
}

static bool peer_low_height(vx_bench_session *session)
{
    return session->who->peer->low_height(session->peer, VX_DEFAULT_HEIGHT) != 0;
}

static bool peer_compact(vx_bench_session *session)
{
    return session->who->peer->compact(session->peer, VX_DEFAULT_HEIGHT, VX_DEFAULT_CLIMB) != 0;
}

static bool peer_erode_2(vx_bench_session *session)
{
    return session->who->peer->erode(session->peer, VX_DEFAULT_RADIUS) != 0;
}

static bool peer_volume(vx_bench_session *session)
{
    return session->who->peer->volume(session->peer, &session->scene->volume) != 0;
}

static bool peer_erode_8(vx_bench_session *session)
{
    return session->who->peer->erode(session->peer, WIDE_RADIUS) != 0;
}

static bool peer_merge(vx_bench_session *session)
{
    const vx_bench_scene *scene = session->scene;
    return session->who->peer->add_spans(session->peer, scene->pieces, scene->piece_count,
                                         VX_DEFAULT_MERGE_THRESHOLD) != 0;
}

/* --- the table -------------------------------------------------------------------------------- */

/* VX_BENCH_PIPELINE is a sum of others and has no functions. */
const vx_bench_kernel vx_bench_kernels[VX_BENCH_KERNELS] = {
    [VX_BENCH_OPEN] = {"open", run_open, peer_open, VX_BENCH_COLUMNS},
    [VX_BENCH_RASTERIZE] = {"rasterize", run_rasterize, peer_rasterize, VX_BENCH_SOLID},
    [VX_BENCH_LOW_HANGING] = {"low-hanging", run_low_hanging, peer_low_hanging, VX_BENCH_SOLID},
    [VX_BENCH_LEDGES] = {"ledges", run_ledges, peer_ledges, VX_BENCH_SOLID},
    [VX_BENCH_LOW_HEIGHT] = {"low height", run_low_height, peer_low_height, VX_BENCH_SOLID},
    [VX_BENCH_COMPACT] = {"compact", run_compact, peer_compact, VX_BENCH_SOLID},
    [VX_BENCH_ERODE_2] = {"erode 2", run_erode_2, peer_erode_2, VX_BENCH_COMPACTED},
    [VX_BENCH_VOLUME] = {"volume", run_volume, peer_volume, VX_BENCH_COMPACTED},
    [VX_BENCH_ERODE_8] = {"erode 8", run_erode_8, peer_erode_8, VX_BENCH_COMPACTED},
    [VX_BENCH_MERGE] = {"merge", run_merge, peer_merge, VX_BENCH_PIECES},
    [VX_BENCH_PIPELINE] = {"pipeline", NULL, NULL, VX_BENCH_SOLID},
};

const vx_bench_kernel_id vx_bench_tracks[VX_BENCH_TRACKS][VX_BENCH_STEPS_MAX] = {
    {VX_BENCH_OPEN, VX_BENCH_RASTERIZE, VX_BENCH_LOW_HANGING, VX_BENCH_LEDGES, VX_BENCH_LOW_HEIGHT,
     VX_BENCH_COMPACT, VX_BENCH_ERODE_2, VX_BENCH_VOLUME, VX_BENCH_KERNELS},
    {VX_BENCH_OPEN, VX_BENCH_RASTERIZE, VX_BENCH_LOW_HANGING, VX_BENCH_LEDGES, VX_BENCH_LOW_HEIGHT,
     VX_BENCH_COMPACT, VX_BENCH_ERODE_8, VX_BENCH_KERNELS},
    {VX_BENCH_OPEN, VX_BENCH_MERGE, VX_BENCH_KERNELS},
};

bool vx_bench_is_repeated(size_t track, vx_bench_kernel_id kernel)
{
    for (size_t i = 0; track > 0 && vx_bench_tracks[0][i] != VX_BENCH_KERNELS; i++) {
        if (vx_bench_tracks[0][i] == kernel) {
            return true;
        }
    }
    return false;
}

/* --- sessions --------------------------------------------------------------------------------- */

void vx_bench_session_open(const vx_bench_contender *who, const vx_bench_scene *scene,
                           vx_bench_session *session)
{
    *session = (vx_bench_session){.who = who, .scene = scene};
    vx_arena_init_growable(&session->arena, ARENA_BLOCK, ARENA_LIMIT);
    if (who->peer != NULL) {
        who->peer->reset_peak();
    }
}

bool vx_bench_step(vx_bench_session *session, vx_bench_kernel_id kernel)
{
    vx_error error = {.message = "it does not say why"};
    bool is_done = session->who->peer != NULL
                       ? vx_bench_kernels[kernel].peer(session)
                       : vx_bench_kernels[kernel].run(session, &error) == VX_OK;
    if (!is_done) {
        (void)vx_complain(VX_EXIT_INTERNAL, "%s, %s, %s: %.*s", session->who->name,
                          session->scene->kind->name, vx_bench_kernels[kernel].name,
                          (int)sizeof error.message, error.message);
    }
    return is_done;
}

void vx_bench_enter_step(const vx_bench_session *session, vx_bench_kernel_id kernel)
{
    vx_bench_enter(session->who->name, session->scene->kind->name, vx_bench_kernels[kernel].name);
}

bool vx_bench_watched_step(vx_bench_session *session, vx_bench_kernel_id kernel)
{
    vx_bench_enter_step(session, kernel);
    return vx_bench_step(session, kernel);
}

void vx_bench_session_end(vx_bench_session *session)
{
    if (session->peer != NULL) {
        session->who->peer->close(session->peer);
        session->peer = NULL;
    }
    if (session->field != NULL) {
        session->who->impl->close(session->field);
        session->field = NULL;
    }
    vx_arena_reset(&session->arena);
}

void vx_bench_session_free(vx_bench_session *session)
{
    vx_bench_session_end(session);
    vx_arena_free(&session->arena);
}

size_t vx_bench_session_peak(const vx_bench_session *session)
{
    return session->who->peer != NULL ? session->who->peer->peak() : vx_arena_peak(&session->arena);
}

double vx_bench_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
