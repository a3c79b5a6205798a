/* SPDX-License-Identifier: MIT */
/* SPEC B2.18@3f7fe2, B2.19@f8bcc6 for areal triangles: the cells of a row between two chains of
 * edges.
 *
 * In a row's piece whose u rises strictly along one chain of edges and falls strictly along the
 * other, each plane between cells cuts one edge of each chain. What B2.16@bc9ec5 leaves after a
 * plane is the polygon with the two cut ends moved to the plane, so that the crossings are those of
 * the moved ends, bit for bit, in the direction in which the edges run. Only which vertex comes
 * first is not known here; it decides nothing where the area is provably not 0 for every first
 * vertex (docs/DIFFERENCES.md). Anything else is left to the literal way. */
#include "walk.h"

/* A row's piece of an unclipped triangle has at most 5 vertices. A cell's piece of 8 has at most
 * 10: each pair of crossings takes the place of a vertex at least. */
enum { RING_MAX = 8, PIECE_MAX = 10 };

/* An area above this part of the box around a piece is not 0 whatever vertex comes first. */
#define CERTAIN_PART 0x1p-14F
/* Boxes below this could lose products to underflow. */
#define CERTAIN_BOX 0x1p-60F

typedef struct vertex {
    float u, v, w;
} vertex;

/* The polygon from the last vertex at its least u on; chain A goes up from 0 to top_a, chain B down
 * from begin_b to top_b. Beyond the last vertex the first one stands once more. */
typedef struct ring {
    vertex at[RING_MAX + 1];
    uint32_t top_a, top_b, begin_b;
} ring;

/* One chain during the walk: its moving end and the vertex it moves to. */
typedef struct chain {
    vertex end;
    const vertex *next;
    bool is_forward; /* its edges run upwards in u */
} chain;

/* The vertices of a piece: those of chain A upwards, then those of chain B downwards. */
typedef struct gathered {
    vertex at[PIECE_MAX];
    uint32_t count;
} gathered;

static bool make_ring(const vx_fast_polygon *row, ring *made)
{
    uint32_t n = row->count;
    if (n < 3 || n > RING_MAX) {
        return false;
    }
    const float *u = row->at[U];
    uint32_t bottom = 0;
    float high = u[0];
    for (uint32_t i = 1; i < n; i++) {
        bottom = u[i] < u[bottom] ? i : bottom;
        high = u[i] > high ? u[i] : high;
    }
    float low = u[bottom];
    if (bottom == 0 && u[n - 1] == low) {
        bottom = n - 1;
    }
    while (u[bottom + 1 < n ? bottom + 1 : 0] == low) {
        bottom = bottom + 1 < n ? bottom + 1 : 0;
        if (low == high) {
            return false;
        }
    }
    for (uint32_t i = 0; i <= n; i++) {
        uint32_t from = bottom + i < n ? bottom + i : bottom + i - n;
        made->at[i] = (vertex){u[from], row->at[V][from], row->at[W_AXIS][from]};
    }
    uint32_t i = 0;
    while (made->at[i].u < high) {
        if (!(made->at[i + 1].u > made->at[i].u)) {
            return false;
        }
        i++;
    }
    made->top_a = i;
    made->top_b = i + (made->at[i + 1].u == high);
    made->begin_b = n - (made->at[n - 1].u == low);
    for (i = made->top_b; i < made->begin_b; i++) {
        if (!(made->at[i + 1].u < made->at[i].u)) {
            return false;
        }
    }
    return true;
}

/* B2.15@3c3989 at the plane u = k for the chain's present edge. */
static inline vertex crossing(const chain *c, float k)
{
    const vertex *p = c->is_forward ? &c->end : c->next;
    const vertex *q = c->is_forward ? c->next : &c->end;
    float dp = p->u - k;
    float dq = q->u - k;
    float t = dp / (dp - dq);
    return (vertex){k, p->v + (q->v - p->v) * t, p->w + (q->w - p->w) * t};
}

/* Moves the chain's end to the plane u = k, which lies between it and the chain's top, and gathers
 * the vertices on the way; a vertex on the plane becomes the end as it is. */
static inline void advance(chain *c, float k, gathered *piece)
{
    while (c->next->u < k) {
        c->end = *c->next;
        c->next += c->is_forward ? 1 : -1;
        piece->at[piece->count++] = c->end;
    }
    if (c->next->u == k) {
        c->end = *c->next;
        c->next += c->is_forward ? 1 : -1;
    } else {
        c->end = crossing(c, k);
    }
}

static inline float lesser(float a, float b)
{
    return a < b ? a : b;
}

static inline float greater(float a, float b)
{
    return a > b ? a : b;
}

/* The sum of B2.19@f8bcc6 with that vertex as the piece's first. */
static float area_from(const gathered *piece, uint32_t first)
{
    const vertex *o = &piece->at[first];
    float sum = 0;
    for (uint32_t i = 1; i + 1 < piece->count; i++) {
        uint32_t at = first + i < piece->count ? first + i : first + i - piece->count;
        const vertex *p = &piece->at[at];
        const vertex *q = at + 1 < piece->count ? p + 1 : piece->at;
        sum += (p->u - o->u) * (q->w - o->w) - (p->w - o->w) * (q->u - o->u);
    }
    return sum;
}

/* Whether the area is far from 0: the fan from the piece's first vertex as it stands here, and its
 * box. */
static bool is_certain(const gathered *piece)
{
    const vertex *p = piece->at;
    vertex low = p[0];
    vertex high = p[0];
    for (uint32_t i = 1; i < piece->count; i++) {
        low.u = lesser(low.u, p[i].u);
        high.u = greater(high.u, p[i].u);
        low.w = lesser(low.w, p[i].w);
        high.w = greater(high.w, p[i].w);
    }
    float box = (high.u - low.u) * (high.w - low.w);
    return fabsf(area_from(piece, 0)) > CERTAIN_PART * box && box > CERTAIN_BOX;
}

/* Whether the area is 0, or is not 0, with each vertex as the first; touches says which. */
static bool is_agreed(const gathered *piece, bool *touches)
{
    *touches = area_from(piece, 0) != 0;
    for (uint32_t i = 1; i < piece->count; i++) {
        if ((area_from(piece, i) != 0) != *touches) {
            return false;
        }
    }
    return true;
}

/* The cell of a piece; false when its area is in doubt. */
static bool add_gathered(const vx_fast_shape *shape, const gathered *piece, uint32_t *to)
{
    bool touches = is_certain(piece);
    if (!touches && !is_agreed(piece, &touches)) {
        return false;
    }
    float low = piece->at[0].v;
    float high = low;
    for (uint32_t i = 1; i < piece->count; i++) {
        low = lesser(low, piece->at[i].v);
        high = greater(high, piece->at[i].v);
    }
    *to = touches ? vx_fast_emit(shape, low, high) : 0;
    return true;
}

/* The piece of the last cell: what is left. */
static bool add_last(const vx_fast_shape *shape, const ring *r, const chain *a, const chain *b,
                     uint32_t *to)
{
    gathered left;
    left.count = 1;
    left.at[0] = a->end;
    for (const vertex *p = a->next; p <= r->at + r->top_a; p++) {
        left.at[left.count++] = *p;
    }
    for (const vertex *p = r->at + r->top_b; p <= b->next; p++) {
        /* Where the chains meet in one vertex it is taken twice, which changes no sum. */
        left.at[left.count++] = *p;
    }
    left.at[left.count++] = b->end;
    return add_gathered(shape, &left, to);
}

/* Cuts off the cell below the plane u = k where that takes nothing but one crossing in each chain
 * and the chains' ends lie in the plane before: a trapezoid between two planes. Its area is not 0,
 * whatever vertex comes first, when both parallel sides have a length and the same direction
 * (docs/DIFFERENCES.md). False, without an effect, for any other cell. */
static inline bool add_plain(const vx_fast_shape *shape, chain *a, chain *b, float k, uint32_t *to)
{
    if (!(a->next->u > k && b->next->u > k && a->end.u == k - 1 && b->end.u == k - 1)) {
        return false;
    }
    vertex a_end = crossing(a, k);
    vertex b_end = crossing(b, k);
    float w_begin = b->end.w - a->end.w;
    float w_end = b_end.w - a_end.w;
    if (!((w_begin > 0 && w_end > 0) || (w_begin < 0 && w_end < 0))) {
        return false;
    }
    *to = vx_fast_emit(shape, lesser(lesser(a->end.v, b->end.v), lesser(a_end.v, b_end.v)),
                       greater(greater(a->end.v, b->end.v), greater(a_end.v, b_end.v)));
    a->end = a_end;
    b->end = b_end;
    return true;
}

/* Any other cell but the last; false when its area is in doubt. */
static bool add_other(const vx_fast_shape *shape, chain *a, chain *b, float k, uint32_t *to)
{
    gathered from_a;
    gathered from_b;
    from_a.count = from_b.count = 1;
    from_a.at[0] = a->end;
    from_b.at[0] = b->end;
    advance(a, k, &from_a);
    advance(b, k, &from_b);
    from_a.at[from_a.count++] = a->end;
    from_b.at[from_b.count++] = b->end;
    while (from_b.count > 0) {
        from_a.at[from_a.count++] = from_b.at[--from_b.count];
    }
    return add_gathered(shape, &from_a, to);
}

bool vx_fast_walk(const vx_fast_shape *shape, const vx_fast_polygon *row, vx_fast_range cells,
                  uint32_t *to)
{
    ring r;
    if (!make_ring(row, &r)) {
        return false;
    }
    chain a = {r.at[0], &r.at[1], true};
    chain b = {r.at[r.begin_b], &r.at[r.begin_b - 1], false};
    for (int32_t x = cells.first; x < cells.last; x++, to++) {
        float k = (float)(x + 1);
        if (!add_plain(shape, &a, &b, k, to) && !add_other(shape, &a, &b, k, to)) {
            return false;
        }
    }
    return add_last(shape, &r, &a, &b, to);
}
