/* SPDX-License-Identifier: MIT */
/* The reference without a test framework, for sanitizers and machines that have none: random
 * pipelines, whose results must be well formed (B3.1@b5706a, B7.4@d8ed8d), the same on every
 * machine (B11.1@2a5f8b) and untouched by failures (B0.9@eb3b6d). */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "voxcert/build3d.h"

enum { W = 7, D = 6, H = 24, PIPELINES = 20000, ROWS_MAX = W * D * (H / 2 + 1) };

/* FNV-1a of the rows of all pipelines. Fused operations, for example, change it. */
#define DIGEST 0x7b91fd56u

typedef struct rows {
    size_t size; /* in bytes */
    union {
        vx_solid_row solid[ROWS_MAX];
        vx_compact_row compact[ROWS_MAX];
    };
} rows;

static uint64_t state;

/* A repeatable number in [low, high]. At most one call stands in an expression: C leaves their
 * order open. */
static int64_t any(int64_t low, int64_t high)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (int64_t)((state >> 33) % (uint64_t)(high - low + 1));
}

static double coordinate(int64_t low, int64_t high)
{
    /* Whole, quarters, and thousandths, which are not exact. */
    switch (any(0, 2)) {
    case 0:
        return (double)any(low, high);
    case 1:
        return (double)any(4 * low, 4 * high) / 4;
    default:
        return (double)any(1000 * low, 1000 * high) / 1000;
    }
}

static vx_status triangles(vx_build3d *field)
{
    enum { VERTICES = 9, INDICES = 18 };
    double vertices[3 * VERTICES];
    int64_t indices[INDICES];
    for (int i = 0; i < 3 * VERTICES; i++) {
        vertices[i] = i % 3 == 1 ? coordinate(-3, H + 3) : coordinate(-3, W + 3);
    }
    for (int i = 0; i < INDICES; i++) {
        /* Now and then an index that addresses no vertex. */
        indices[i] = any(0, 199) == 0 ? VERTICES : any(0, VERTICES - 1);
    }
    vx_mesh mesh = {.vertices = vertices,
                    .vertex_values = 3 * VERTICES,
                    .indices = indices,
                    .index_count = INDICES,
                    .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                    .merge_threshold = any(0, 4)};
    return vx_ref_build3d.rasterize(field, &mesh, NULL);
}

static vx_status spans(vx_build3d *field)
{
    enum { SPANS = 20 };
    vx_span list[SPANS];
    for (int i = 0; i < SPANS; i++) {
        vx_span *span = &list[i];
        span->x = any(0, W - 1);
        span->z = any(0, D - 1);
        span->min = any(0, H - 1);
        span->max = any(span->min + 1, H);
        span->area = any(0, 63);
    }
    return vx_ref_build3d.add_spans(field, list, SPANS, any(0, 4), NULL);
}

static vx_status height_grid(vx_build3d *field)
{
    double heights[12];
    for (int i = 0; i < 12; i++) {
        heights[i] = coordinate(0, H);
    }
    vx_height_grid grid = {.count = {4, 3},
                           .heights = heights,
                           .height_count = 12,
                           .slope_cosine = VX_DEFAULT_SLOPE_COSINE,
                           .merge_threshold = 4};
    grid.origin[0] = coordinate(-2, 2);
    grid.origin[1] = coordinate(-2, 2);
    grid.spacing = coordinate(1, 3);
    return vx_ref_build3d.height_grid(field, &grid, NULL);
}

static vx_status chunk(vx_build3d *field)
{
    int64_t dense[4 * 4 * 4];
    for (int i = 0; i < 4 * 4 * 4; i++) {
        dense[i] = any(0, 9) < 5 ? 0 : any(1, 3);
    }
    vx_chunk voxels = {.size = {4, 4, 4}, .is_dense = 1, .dense = dense, .dense_count = 4 * 4 * 4};
    voxels.offset[0] = any(-3, W);
    voxels.offset[1] = any(-3, H);
    voxels.offset[2] = any(-3, D);
    return vx_ref_build3d.chunk(field, &voxels, NULL);
}

static vx_status volume(vx_build3d *field)
{
    double x = coordinate(0, W);
    double z = coordinate(0, D);
    double size = coordinate(0, 4);
    const double corners[] = {x, z, x + size, z, x, z + size};
    vx_volume triangle = {.corners = corners, .corner_count = 3};
    triangle.max_y = coordinate(0, H);
    triangle.area = any(0, 63);
    return vx_ref_build3d.volume(field, &triangle, NULL);
}

/* One random operation, in place or not. */
static vx_status operate(vx_build3d *field)
{
    const vx_build3d_impl *ref = &vx_ref_build3d;
    int64_t height = any(0, 5);
    int64_t climb = any(0, 4);
    switch (any(0, 11)) {
    case 0:
        return spans(field);
    case 1:
        return height_grid(field);
    case 2:
        return chunk(field);
    case 3:
        return ref->low_hanging(field, climb, NULL);
    case 4:
        return ref->ledges(field, height, climb, NULL);
    case 5:
        return ref->low_height(field, height, NULL);
    case 6:
        return ref->compact(field, height, climb, NULL);
    case 7:
        return ref->erode(field, any(-1, 3), NULL);
    case 8:
        return volume(field);
    default:
        return triangles(field);
    }
}

static int is_well_formed(const rows *all, int is_compact)
{
    for (size_t i = 0; !is_compact && i < all->size / sizeof(vx_solid_row); i++) {
        const vx_solid_row *s = &all->solid[i];
        if (s->min < 0 || s->min >= s->max || s->max > H || s->area < 0 || s->area > 63) {
            return 0;
        }
        if (i > 0 && s[-1].x == s->x && s[-1].z == s->z && s[-1].max >= s->min) {
            return 0;
        }
    }
    for (size_t i = 0; is_compact && i < all->size / sizeof(vx_compact_row); i++) {
        const vx_compact_row *s = &all->compact[i];
        for (int d = 0; d < 4; d++) {
            if (s->link[d] < 0 || s->link[d] > VX_LINK_NONE) {
                return 0;
            }
        }
    }
    return 1;
}

/* Reads the rows; false when they are not well formed. */
static int read_rows(const vx_build3d *field, rows *all)
{
    vx_build3d_info info;
    vx_ref_build3d.info(field, &info);
    if (info.rows > ROWS_MAX) {
        return 0;
    }
    vx_status status;
    if (info.is_compact) {
        all->size = info.rows * sizeof(vx_compact_row);
        status = vx_ref_build3d.read_compact(field, all->compact, ROWS_MAX, NULL);
    } else {
        all->size = info.rows * sizeof(vx_solid_row);
        status = vx_ref_build3d.read_solid(field, all->solid, ROWS_MAX, NULL);
    }
    return status == VX_OK && is_well_formed(all, info.is_compact);
}

static uint32_t hash(uint32_t digest, const rows *all)
{
    /* Cell by cell, so that the byte order does not matter. */
    for (size_t i = 0; i < all->size / sizeof(int32_t); i++) {
        int32_t cell;
        memcpy(&cell, (const char *)all->solid + i * sizeof cell, sizeof cell);
        for (int shift = 0; shift < 32; shift += 8) {
            digest = (digest ^ ((uint32_t)cell >> shift & 0xff)) * 16777619u;
        }
    }
    return digest;
}

/* A pipeline of a few operations, each once without memory; false when something is wrong. */
static int run(vx_arena *arena, uint32_t *digest)
{
    static rows before, after;
    int64_t cells = any(0, 3);
    vx_frame frame = {.cell_size = cells % 2 == 0 ? 1.0f : 0.7f,
                      .cell_height = cells < 2 ? 1.0f : 0.3f,
                      .size = {W, D, H}};
    vx_arena_reset(arena);
    vx_build3d *field;
    if (vx_ref_build3d.open(arena, &frame, &field, NULL) != VX_OK || !read_rows(field, &before)) {
        return 0;
    }
    for (int64_t count = any(1, 8); count > 0; count--) {
        vx_arena_fail_after(arena, (size_t)any(0, 3));
        uint64_t same = state;
        vx_status status = operate(field);
        vx_arena_fail_after(arena, SIZE_MAX);
        if (!read_rows(field, &after)) {
            return 0;
        }
        if (status != VX_OK &&
            (after.size != before.size || memcmp(after.solid, before.solid, after.size) != 0)) {
            return 0;
        }
        if (status == VX_NO_MEMORY) {
            state = same;
            if (operate(field) != VX_OK || !read_rows(field, &after)) {
                return 0;
            }
        }
        before = after;
    }
    *digest = hash(*digest, &after);
    return 1;
}

int main(void)
{
    vx_arena arena;
    vx_arena_init_growable(&arena, 1 << 14, 1 << 24);
    uint32_t digest = 2166136261u;
    int passed = 0, failed = 0;
    for (uint64_t i = 0; i < PIPELINES; i++) {
        state = i;
        if (run(&arena, &digest)) {
            passed++;
        } else {
            failed++;
            printf("pipeline %llu is wrong\n", (unsigned long long)i);
        }
    }
    if (digest == DIGEST) {
        passed++;
    } else {
        failed++;
        printf("the results' digest is 0x%08x, not 0x%08x\n", (unsigned)digest, DIGEST);
    }
    vx_arena_free(&arena);
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
