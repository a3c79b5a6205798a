/* SPDX-License-Identifier: MIT */
/* SPEC B8: erosion by sweeps until nothing changes. */
#include "fast.h"

/* One erosion. */
typedef struct erosion {
    const vx_build3d *field;
    uint32_t *dist; /* of every compact span, at most limit */
    uint32_t limit; /* 2·r */
} erosion;

/* The first span of a column's neighbours: row 0 is z − 1, and within it 0 is x − 1. A neighbour
 * outside the grid, where no link leads, is the column beside it. */
typedef struct around {
    size_t first[3][3];
} around;

/* The rows of a column and its neighbours. */
typedef struct rows {
    size_t base[3];
    const uint32_t *first[3];
    size_t width;
} rows;

static rows rows_around(const vx_build3d *field, size_t z)
{
    const vx_fast_compact *c = &field->compact;
    rows r = {.width = field->size[0]};
    for (size_t i = 0; i < 3; i++) {
        size_t row = z + i > 0 ? z + i - 1 : 0;
        row = row < field->size[1] ? row : z;
        r.base[i] = c->base[row];
        r.first[i] = c->first + row * (r.width + 1);
    }
    return r;
}

static inline around around_of(const rows *r, size_t x)
{
    size_t left = x > 0 ? x - 1 : x;
    size_t right = x + 1 < r->width ? x + 1 : x;
    around n;
    for (size_t i = 0; i < 3; i++) {
        n.first[i][0] = r->base[i] + r->first[i][left];
        n.first[i][1] = r->base[i] + r->first[i][x];
        n.first[i][2] = r->base[i] + r->first[i][right];
    }
    return n;
}

/* B8.2@3da75b. */
static bool is_boundary(const vx_fast_compact *c, size_t s, const around *n)
{
    const uint8_t *link = c->link[s];
    if (c->area[s] == 0 || link[0] == VX_LINK_NONE || link[1] == VX_LINK_NONE ||
        link[2] == VX_LINK_NONE || link[3] == VX_LINK_NONE) {
        return true;
    }
    return c->area[n->first[1][0] + link[0]] == 0 || c->area[n->first[2][1] + link[1]] == 0 ||
           c->area[n->first[1][2] + link[2]] == 0 || c->area[n->first[0][1] + link[3]] == 0;
}

static void mark_column(const erosion *e, const rows *r, size_t x)
{
    size_t s = r->base[1] + r->first[1][x];
    size_t end = r->base[1] + r->first[1][x + 1];
    if (s < end) {
        around n = around_of(r, x);
        for (; s < end; s++) {
            e->dist[s] = is_boundary(&e->field->compact, s, &n) ? 0 : e->limit;
        }
    }
}

static void mark_boundary(const erosion *e)
{
    for (size_t z = 0; z < e->field->size[1]; z++) {
        rows r = rows_around(e->field, z);
        for (size_t x = 0; x < r.width; x++) {
            mark_column(e, &r, x);
        }
    }
}

static inline uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The dist of what a link leads to, which is in the column that begins at first; the limit, which
 * is no less than any dist, without a link. */
static inline uint32_t dist_behind(const erosion *e, size_t first, uint8_t link)
{
    return link != VX_LINK_NONE ? e->dist[first + link] : e->limit;
}

/* B8.3@d10d43 from a span that is not at the boundary and therefore has all four links: the least
 * cost over one step, given what the dist of its end is so far. */
static inline uint32_t step(const erosion *e, size_t s, const around *n)
{
    const uint8_t(*links)[4] = (const uint8_t(*)[4])e->field->compact.link;
    const uint8_t *link = links[s];
    size_t t0 = n->first[1][0] + link[0];
    size_t t1 = n->first[2][1] + link[1];
    size_t t2 = n->first[1][2] + link[2];
    size_t t3 = n->first[0][1] + link[3];
    uint32_t straight = lesser(lesser(e->dist[t0], e->dist[t1]), lesser(e->dist[t2], e->dist[t3]));
    uint32_t near_0 = lesser(dist_behind(e, n->first[2][0], links[t0][1]),
                             dist_behind(e, n->first[0][0], links[t0][3]));
    uint32_t near_1 = lesser(dist_behind(e, n->first[2][0], links[t1][0]),
                             dist_behind(e, n->first[2][2], links[t1][2]));
    uint32_t near_2 = lesser(dist_behind(e, n->first[2][2], links[t2][1]),
                             dist_behind(e, n->first[0][2], links[t2][3]));
    uint32_t near_3 = lesser(dist_behind(e, n->first[0][0], links[t3][0]),
                             dist_behind(e, n->first[0][2], links[t3][2]));
    uint32_t diagonal = lesser(lesser(near_0, near_1), lesser(near_2, near_3));
    return lesser(e->dist[s], lesser(straight + 2, diagonal + 3));
}

static bool sweep_column(const erosion *e, const rows *r, size_t x)
{
    size_t s = r->base[1] + r->first[1][x];
    size_t end = r->base[1] + r->first[1][x + 1];
    if (s == end) {
        return false;
    }
    around n = around_of(r, x);
    bool changed = false;
    for (; s < end; s++) {
        /* Nothing is nearer than one step, and at 0 is what may lack a link. */
        if (e->dist[s] > 2) {
            uint32_t least = step(e, s, &n);
            changed |= least < e->dist[s];
            e->dist[s] = least;
        }
    }
    return changed;
}

/* Takes every span once, in or against the order of the columns; true when a dist became less. */
static bool sweep(const erosion *e, bool backwards)
{
    size_t depth = e->field->size[1];
    size_t width = e->field->size[0];
    bool changed = false;
    for (size_t i = 0; i < depth; i++) {
        rows r = rows_around(e->field, backwards ? depth - 1 - i : i);
        for (size_t j = 0; j < width; j++) {
            changed |= sweep_column(e, &r, backwards ? width - 1 - j : j);
        }
    }
    return changed;
}

vx_status vx_fast_erode(vx_build3d *field, int64_t radius, vx_error *error)
{
    vx_status status = vx_fast_check_place(field, true, "erode", error);
    if (status == VX_OK) {
        status = vx_fast_check_integer(radius, 0, VX_RADIUS_MAX, "radius", error);
    }
    if (status != VX_OK || radius == 0) {
        return status;
    }
    size_t count = (size_t)field->span_count;
    erosion e = {.field = field, .limit = 2 * (uint32_t)radius};
    e.dist = vx_fast_reserve(field, &field->scratch, count, sizeof *e.dist, error);
    if (e.dist == NULL) {
        return VX_NO_MEMORY;
    }
    mark_boundary(&e);
    /* Two ends: a sweep that changes nothing has checked every step of every span, so that dist is
     * the least; and a path of cost below 2·r has at most r − 1 steps, each of which the next sweep
     * finds at the latest. */
    bool changed = true;
    for (int64_t i = 0; i + 1 < radius && changed; i++) {
        changed = sweep(&e, i % 2 == 1);
    }
    for (size_t s = 0; s < count; s++) {
        if (e.dist[s] < e.limit) {
            field->compact.area[s] = 0;
        }
    }
    return VX_OK;
}
