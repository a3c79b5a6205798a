/* SPDX-License-Identifier: MIT */
/* The peer: Recast behind C functions, with an allocator that counts. */
#include "peer.h"

#include <Recast.h>
#include <RecastAlloc.h>
#include <malloc.h>

#include <cstdlib>
#include <vector>

struct vx_peer {
    rcContext context{false}; /* neither logs nor times */
    rcHeightfield *solid = nullptr;
    rcCompactHeightfield *compact = nullptr;
};

namespace
{
size_t bytes_in_use;
size_t bytes_peak;

void *counted_alloc(size_t size, rcAllocHint)
{
    void *memory = std::malloc(size);
    bytes_in_use += memory != nullptr ? malloc_usable_size(memory) : 0;
    bytes_peak = bytes_in_use > bytes_peak ? bytes_in_use : bytes_peak;
    return memory;
}

void counted_free(void *memory)
{
    bytes_in_use -= memory != nullptr ? malloc_usable_size(memory) : 0;
    std::free(memory);
}

void close_field(vx_peer *peer)
{
    if (peer != nullptr) {
        rcFreeHeightField(peer->solid);
        rcFreeCompactHeightfield(peer->compact);
        delete peer;
    }
}

vx_peer *open_field(const vx_peer_grid *grid)
{
    rcAllocSetCustom(counted_alloc, counted_free);
    const float max[3] = {
        grid->min[0] + static_cast<float>(grid->size[0]) * grid->cell_size,
        grid->min[1] + static_cast<float>(grid->size[2]) * grid->cell_height,
        grid->min[2] + static_cast<float>(grid->size[1]) * grid->cell_size,
    };
    vx_peer *peer = new vx_peer;
    peer->solid = rcAllocHeightfield();
    if (peer->solid == nullptr ||
        !rcCreateHeightfield(&peer->context, *peer->solid, grid->size[0], grid->size[1], grid->min,
                             max, grid->cell_size, grid->cell_height)) {
        close_field(peer);
        return nullptr;
    }
    return peer;
}

int rasterize(vx_peer *peer, const vx_peer_mesh *mesh, int merge_threshold)
{
    const float slope_degrees = 45.0F;
    std::vector<unsigned char> areas(static_cast<size_t>(mesh->triangle_count));
    rcMarkWalkableTriangles(&peer->context, slope_degrees, mesh->vertices, mesh->vertex_count,
                            mesh->indices, mesh->triangle_count, areas.data());
    return rcRasterizeTriangles(&peer->context, mesh->vertices, mesh->vertex_count, mesh->indices,
                                areas.data(), mesh->triangle_count, *peer->solid, merge_threshold);
}

int add_spans(vx_peer *peer, const vx_span *spans, size_t count, int merge_threshold)
{
    bool added = true;
    for (size_t i = 0; i < count && added; i++) {
        const vx_span &span = spans[i];
        added = rcAddSpan(&peer->context, *peer->solid, static_cast<int>(span.x),
                          static_cast<int>(span.z), static_cast<unsigned short>(span.min),
                          static_cast<unsigned short>(span.max),
                          static_cast<unsigned char>(span.area), merge_threshold);
    }
    return added;
}

int low_hanging(vx_peer *peer, int climb)
{
    rcFilterLowHangingWalkableObstacles(&peer->context, climb, *peer->solid);
    return 1;
}

int ledges(vx_peer *peer, int height, int climb)
{
    rcFilterLedgeSpans(&peer->context, height, climb, *peer->solid);
    return 1;
}

int low_height(vx_peer *peer, int height)
{
    rcFilterWalkableLowHeightSpans(&peer->context, height, *peer->solid);
    return 1;
}

int make_compact(vx_peer *peer, int height, int climb)
{
    peer->compact = rcAllocCompactHeightfield();
    return peer->compact != nullptr &&
           rcBuildCompactHeightfield(&peer->context, height, climb, *peer->solid, *peer->compact);
}

int erode(vx_peer *peer, int radius)
{
    return rcErodeWalkableArea(&peer->context, radius, *peer->compact);
}

int mark_volume(vx_peer *peer, const vx_volume *volume)
{
    const float beyond = 1e7F; /* outside every grid, and in rows still an int */
    std::vector<float> corners;
    for (size_t i = 0; i < volume->corner_count; i++) {
        corners.push_back(static_cast<float>(volume->corners[2 * i]));
        corners.push_back(0);
        corners.push_back(static_cast<float>(volume->corners[2 * i + 1]));
    }
    rcMarkConvexPolyArea(&peer->context, corners.data(), static_cast<int>(volume->corner_count),
                         -beyond, beyond, static_cast<unsigned char>(volume->area), *peer->compact);
    return 1;
}

uint64_t solid_spans(const vx_peer *peer)
{
    uint64_t count = 0;
    const int columns = peer->solid->width * peer->solid->height;
    for (int i = 0; i < columns; i++) {
        for (const rcSpan *span = peer->solid->spans[i]; span != nullptr; span = span->next) {
            count++;
        }
    }
    return count;
}

uint64_t compact_spans(const vx_peer *peer)
{
    return static_cast<uint64_t>(peer->compact->spanCount);
}

uint64_t walkable_spans(const vx_peer *peer)
{
    uint64_t count = 0;
    for (int i = 0; i < peer->compact->spanCount; i++) {
        count += peer->compact->areas[i] != RC_NULL_AREA;
    }
    return count;
}

size_t peak(void)
{
    return bytes_peak;
}

void reset_peak(void)
{
    bytes_peak = bytes_in_use;
}
} /* namespace */

const vx_peer_table vx_peer_recast = {"Recast",      open_field,     close_field, rasterize,
                                      add_spans,     low_hanging,    ledges,      low_height,
                                      make_compact,  erode,          mark_volume, solid_spans,
                                      compact_spans, walkable_spans, peak,        reset_peak};
