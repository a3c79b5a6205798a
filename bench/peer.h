/* SPDX-License-Identifier: MIT */
/* The peer: Recast, as Debian packages it, behind functions that C can call. It computes something
 * like SPEC.md's pipeline but not the same; what it makes is counted and never compared. */
#ifndef VX_BENCH_PEER_H
#define VX_BENCH_PEER_H

#include <stddef.h>
#include <stdint.h>

#include "voxcert/build3d.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A field of the peer's. */
typedef struct vx_peer vx_peer;

typedef struct vx_peer_grid {
    float min[3];
    float cell_size, cell_height;
    int32_t size[3]; /* W, D, H */
} vx_peer_grid;

/* Triangles as the peer takes them. */
typedef struct vx_peer_mesh {
    const float *vertices;
    int vertex_count;
    const int *indices;
    int triangle_count;
} vx_peer_mesh;

typedef struct vx_peer_table {
    const char *name;

    /* A field over the grid; NULL without memory. */
    vx_peer *(*open)(const vx_peer_grid *grid);
    void (*close)(vx_peer *peer);

    /* The steps; 0 when the peer says that it failed. Slopes up to 45 degrees can be walked on. */
    int (*rasterize)(vx_peer *peer, const vx_peer_mesh *mesh, int merge_threshold);
    int (*add_spans)(vx_peer *peer, const vx_span *spans, size_t count, int merge_threshold);
    int (*low_hanging)(vx_peer *peer, int climb);
    int (*ledges)(vx_peer *peer, int height, int climb);
    int (*low_height)(vx_peer *peer, int height);
    int (*compact)(vx_peer *peer, int height, int climb);
    int (*erode)(vx_peer *peer, int radius);
    int (*volume)(vx_peer *peer, const vx_volume *volume);

    /* Solid spans, compact spans, and compact spans with an area. */
    uint64_t (*solid_spans)(const vx_peer *peer);
    uint64_t (*compact_spans)(const vx_peer *peer);
    uint64_t (*walkable_spans)(const vx_peer *peer);

    /* The most bytes that all fields together held since the last reset. */
    size_t (*peak)(void);
    void (*reset_peak)(void);
} vx_peer_table;

#ifdef VX_BENCH_PEER
extern const vx_peer_table vx_peer_recast;
#endif

#ifdef __cplusplus
}
#endif

#endif
