/* SPDX-License-Identifier: MIT */
/* The kernels on triangles and rows. This file is compiled once for each level, with VX_FAST_LEVEL
 * naming its table. Each lane does the very operations of SPEC.md on its own numbers, so that every
 * level gives the same (docs/DIFFERENCES.md). */
#include "lanes.h"

#include "simd.h"

#ifndef VX_FAST_LEVEL
#define VX_FAST_LEVEL vx_fast_lanes_baseline
#endif

/* An area above this part of the box around a piece is not 0 whatever vertex comes first; boxes
 * below the least could lose products to underflow. */
#define CERTAIN_PART 0x1p-14F
#define CERTAIN_BOX 0x1p-60F

/* From one corner to the next in vx_fast_pieces. */
enum { CORNER = VX_FAST_AXES * VX_FAST_TILE };

typedef struct points {
    floats u, v, w;
} points;

/* From and to VX_FAST_AXES rows of a tile. */
static inline points load_points(const float *from)
{
    return (points){load_floats(from), load_floats(from + VX_FAST_TILE),
                    load_floats(from + (size_t)2 * VX_FAST_TILE)};
}

static inline void store_points(float *to, points p)
{
    store_floats(to, p.u);
    store_floats(to + VX_FAST_TILE, p.v);
    store_floats(to + (size_t)2 * VX_FAST_TILE, p.w);
}

static inline points choose_points(ints mask, points yes, points no)
{
    return (points){choose_floats(mask, yes.u, no.u), choose_floats(mask, yes.v, no.v),
                    choose_floats(mask, yes.w, no.w)};
}

/* The share t of B2.15@3c3989 where an edge crosses, with d of its ends; any number elsewhere. */
static inline floats share(ints crosses, floats dp, floats dq)
{
    return dp / choose_floats(crosses, dp - dq, all_floats(1));
}

static inline floats between(floats p, floats q, floats t)
{
    return p + (q - p) * t;
}

/* --- triangles ----------------------------------------------------------------------------------
 */

typedef struct ranges {
    ints first, last;
} ranges;

/* B2.17@e423c9, B2.18@3f7fe2 of numbers in [−1, size + 1]. */
static inline ranges visited(floats low, floats high, int32_t size)
{
    ints first = __builtin_convertvector(low, ints);
    first -= (__builtin_convertvector(first, floats) < low) + 1;
    ints last = __builtin_convertvector(high, ints);
    last += __builtin_convertvector(last, floats) > high;
    first = choose_ints(first > 0, first, all_ints(0));
    last = choose_ints(last < size - 1, last, all_ints(size - 1));
    return (ranges){first, last};
}

/* The same without the ends of an areal piece that only touch. */
static inline ranges touched(floats low, floats high, int32_t size)
{
    ranges r = visited(low, high, size);
    ints many = r.first < r.last;
    r.first -= many & (low == __builtin_convertvector(r.first + 1, floats));
    many = r.first < r.last;
    r.last += many & (high == __builtin_convertvector(r.last, floats));
    return r;
}

/* Whether a pass of B2.13@82a0c3 cuts along an axis, and what is visited. */
static inline ints measure(floats a, floats b, floats c, int32_t size, ints areal, int32_t *first,
                           int32_t *last)
{
    floats low = least_floats(least_floats(a, b), c);
    floats high = most_floats(most_floats(a, b), c);
    ints inside = (low >= 0) & (high <= (float)size);
    floats most = all_floats((float)(size + 1));
    floats least = all_floats(-1);
    low = least_floats(most_floats(low, least), most);
    high = least_floats(most_floats(high, least), most);
    ranges exact = touched(low, high, size);
    /* Clipping along the other axis rounds: by less than a cell. */
    ranges bound = visited(most_floats(low - 1, least), least_floats(high + 1, most), size);
    ints is_exact = inside & areal;
    store_ints(first, choose_ints(is_exact, exact.first, bound.first));
    store_ints(last, choose_ints(is_exact, exact.last, bound.last));
    return inside;
}

/* The chains of a triangle from its last corner at its least w on. */
static inline void begin_chains(vx_fast_group *g)
{
    points a = load_points(g->corners[0][3]);
    points b = load_points(g->corners[1][3]);
    points c = load_points(g->corners[2][3]);
    ints from_b = (c.w > b.w) & (a.w >= b.w);
    ints from_c = (a.w > c.w) & (b.w >= c.w);
    points p0 = choose_points(from_b, b, choose_points(from_c, c, a));
    points p1 = choose_points(from_b, c, choose_points(from_c, a, b));
    points p2 = choose_points(from_b, a, choose_points(from_c, b, c));
    ints flat = p2.w == p0.w;
    store_points(g->up.end[0], p0);
    store_points(g->up.next[0], p1);
    store_points(g->up.top[0], choose_points(p2.w > p1.w, p2, p1));
    store_points(g->down.end[0], choose_points(flat, p2, p0));
    store_points(g->down.next[0], choose_points(flat, p1, p2));
    store_points(g->down.top[0], choose_points(p1.w > p2.w, p1, p2));
}

static void setup(vx_fast_group *g)
{
    enum { LX, LY, LZ };
    floats ax = load_floats(g->corners[0][LX]);
    floats ay = load_floats(g->corners[0][LY]);
    floats az = load_floats(g->corners[0][LZ]);
    floats e1x = load_floats(g->corners[1][LX]) - ax;
    floats e1y = load_floats(g->corners[1][LY]) - ay;
    floats e1z = load_floats(g->corners[1][LZ]) - az;
    floats e2x = load_floats(g->corners[2][LX]) - ax;
    floats e2y = load_floats(g->corners[2][LY]) - ay;
    floats e2z = load_floats(g->corners[2][LZ]) - az;
    floats nx = e1y * e2z - e1z * e2y;
    floats ny = e1z * e2x - e1x * e2z;
    floats nz = e1x * e2y - e1y * e2x;
    floats square = (nx * nx + ny * ny) + nz * nz;
    points a = load_points(g->corners[0][3]);
    points b = load_points(g->corners[1][3]);
    points c = load_points(g->corners[2][3]);
    floats footprint = (b.u - a.u) * (c.w - a.w) - (b.w - a.w) * (c.u - a.u);
    ints areal = footprint != 0;
    ints inside =
        measure(a.w, b.w, c.w, (int32_t)g->size[1], areal, g->row_first, g->row_last) &
        measure(a.u, b.u, c.u, (int32_t)g->size[0], areal, g->column_first, g->column_last);
    store_ints(g->known, ((square == 0) & VX_FAST_DEGENERATE) | (areal & VX_FAST_AREAL) |
                             ((ny > 0) & VX_FAST_UP) |
                             ((ny > g->slope_cosine * roots(square)) & VX_FAST_GENTLE) |
                             (inside & VX_FAST_INSIDE));
    begin_chains(g);
}

/* --- rows ---------------------------------------------------------------------------------------
 */

/* Goes up one chain to the plane w = k, or to its top in the last row. The corners of the row's
 * piece on this chain go to low, middle and high, from the bottom up. */
static inline void climb(vx_fast_chains *chain, floats k, ints is_last, bool runs_up, float *low,
                         float *middle, float *high)
{
    points end = load_points(chain->end[0]);
    points next = load_points(chain->next[0]);
    points top = load_points(chain->top[0]);
    ints passes = next.w < k;
    points base = choose_points(passes, next, end);
    points target = choose_points(passes, top, next);
    points p = runs_up ? base : target;
    points q = runs_up ? target : base;
    ints meets = target.w == k;
    floats t = share(~(meets | is_last), p.w - k, q.w - k);
    points crossing = {between(p.u, q.u, t), between(p.v, q.v, t), k};
    points reached = choose_points(meets, target, crossing);
    reached = choose_points(is_last, top, reached);
    store_points(low, end);
    store_points(middle, choose_points(passes | is_last, next, end));
    store_points(high, reached);
    store_points(chain->end[0], reached);
    store_points(chain->next[0], choose_points(passes | meets, top, next));
}

static void step(vx_fast_group *g)
{
    ints row = load_ints(g->row_first);
    ints last = load_ints(g->row_last);
    floats k = __builtin_convertvector(row + 1, floats);
    climb(&g->up, k, row == last, true, g->piece[0][0], g->piece[1][0], g->piece[2][0]);
    climb(&g->down, k, row == last, false, g->piece[5][0], g->piece[4][0], g->piece[3][0]);
    floats low = load_floats(g->piece[0][VX_FAST_U]);
    floats high = low;
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        floats u = load_floats(g->piece[i][VX_FAST_U]);
        low = least_floats(low, u);
        high = most_floats(high, u);
    }
    /* Rounding may leave the grid by a little. */
    floats most = all_floats((float)(g->size[0] + 1));
    low = least_floats(most_floats(low, all_floats(-1)), most);
    high = least_floats(most_floats(high, all_floats(-1)), most);
    ranges cells = touched(low, high, (int32_t)g->size[0]);
    store_ints(g->cell_first, cells.first);
    store_ints(g->cell_last, cells.last);
    store_ints(g->row_first, row + 1);
}

/* --- cells --------------------------------------------------------------------------------------
 */

/* The pieces of one cell a lane while their vertices are gathered, in the order of the polygon. */
typedef struct gathered {
    floats first_u, first_w;             /* where the fan of B2.19@f8bcc6 begins */
    floats u, w;                         /* of the vertex before, relative to it */
    floats sum;                          /* of the fan */
    floats low_u, high_u, low_w, high_w; /* relative as well */
    floats low_v, high_v;
} gathered;

static inline gathered gather_first(points p)
{
    floats zero = {0};
    return (gathered){.first_u = p.u,
                      .first_w = p.w,
                      .u = zero,
                      .w = zero,
                      .sum = zero,
                      .low_u = zero,
                      .high_u = zero,
                      .low_w = zero,
                      .high_w = zero,
                      .low_v = p.v,
                      .high_v = p.v};
}

/* One more vertex in some lanes. The others take the last one once more, whose term is 0. */
static inline void gather(gathered *g, ints where, points p)
{
    floats u = choose_floats(where, p.u - g->first_u, g->u);
    floats w = choose_floats(where, p.w - g->first_w, g->w);
    g->sum += g->u * w - g->w * u;
    g->u = u;
    g->w = w;
    g->low_u = least_floats(g->low_u, u);
    g->high_u = most_floats(g->high_u, u);
    g->low_w = least_floats(g->low_w, w);
    g->high_w = most_floats(g->high_w, w);
    g->low_v = least_floats(g->low_v, choose_floats(where, p.v, g->low_v));
    g->high_v = most_floats(g->high_v, choose_floats(where, p.v, g->high_v));
}

/* Whether the area is not 0 whatever vertex comes first. */
static inline ints is_certain(const gathered *g)
{
    floats box = (g->high_u - g->low_u) * (g->high_w - g->low_w);
    floats size = most_floats(g->sum, -g->sum);
    return (size > CERTAIN_PART * box) & (box > CERTAIN_BOX);
}

/* Whether all vertices share a coordinate: then every term of B2.19@f8bcc6 is 0. */
static inline ints is_flat(const gathered *g)
{
    return (g->low_u == g->high_u) | (g->low_w == g->high_w);
}

/* B2.24@ce437d to B2.26@f8f21f: the cells of pieces between two v, 0 where they are dropped. As
 * vx_fast_emit, for which the argument is given. */
static inline ints emit(floats low, floats high, ints is_up, int32_t height)
{
    floats top = all_floats((float)(height + 2));
    low = least_floats(most_floats(low, all_floats(-2)), top);
    high = least_floats(most_floats(high, all_floats(-2)), top);
    ints lo = __builtin_convertvector(low, ints);
    lo += __builtin_convertvector(lo, floats) > low;
    ints hi = __builtin_convertvector(high, ints);
    hi -= __builtin_convertvector(hi, floats) < high;
    ints flat = lo == hi;
    lo += flat & is_up;
    hi -= flat & ~is_up;
    ints kept = (hi > 0) & (lo < height);
    lo = choose_ints(lo > 0, lo, all_ints(0));
    hi = choose_ints(hi < height, hi, all_ints(height));
    return kept & (lo | hi << 16);
}

/* Rows of a single cell each: their pieces are those of the cells. */
static uint32_t single_cells(const vx_fast_rows *rows, const float *pieces, uint32_t height,
                             uint32_t *to)
{
    points first = load_points(pieces);
    gathered g = gather_first(first);
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        gather(&g, all_ints(-1), load_points(pieces + i * CORNER));
    }
    int32_t cells[LANES];
    ints flat = is_flat(&g);
    store_ints(cells, ~flat & emit(g.low_v, g.high_v, load_ints(rows->is_up), (int32_t)height));
    for (uint32_t i = 0; i < LANES; i++) {
        if (rows->count[i] > 0) {
            to[rows->first[i]] = (uint32_t)cells[i];
        }
    }
    return bits_of_ints(~(is_certain(&g) | flat) & (load_ints(rows->count) > 0));
}

/* The corners of pieces from the last one at the least u on. */
typedef struct ring {
    points at[VX_FAST_CORNERS];
    ints on_a[VX_FAST_CORNERS]; /* from the first corner up to the first at the largest u */
    ints on_b[VX_FAST_CORNERS]; /* from the last at the largest u on */
    points begin_b;             /* where the chain down ends, which is where it begins going up */
    ints good;                  /* u rises strictly on chain A and falls strictly on chain B */
} ring;

static inline void rotate(points *at, ints where, size_t by)
{
    points old[VX_FAST_CORNERS];
    memcpy(old, at, sizeof old);
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        at[i] = choose_points(where, old[(i + by) % VX_FAST_CORNERS], old[i]);
    }
}

static inline ints is_same(points p, points q)
{
    return (p.u == q.u) & (p.v == q.v) & (p.w == q.w);
}

/* Finds the chains; low and high are the extremes of u. Corners that stand twice count once. */
static inline void find_chains(ring *r, floats low, floats high)
{
    ints yes = all_ints(-1);
    r->on_a[0] = yes;
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        r->on_a[i] = r->on_a[i - 1] & (r->at[i - 1].u < high);
    }
    r->on_b[VX_FAST_CORNERS - 1] = yes;
    for (size_t i = VX_FAST_CORNERS - 1; i-- > 0;) {
        r->on_b[i] = r->on_b[i + 1] & (r->at[i + 1].u != high);
    }
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        floats before = r->at[i - 1].u;
        floats here = r->at[i].u;
        ints same = is_same(r->at[i - 1], r->at[i]);
        ints rises = (here > before) | same;
        ints falls = (here < before) | same | (here == low);
        ints on_top = r->on_a[i] | r->on_b[i] | (here == high);
        r->good &= (rises | ~r->on_a[i]) & (falls | ~r->on_b[i - 1]) & on_top;
    }
    r->begin_b = r->at[0];
    ints flat = yes;
    for (size_t i = VX_FAST_CORNERS - 1; i > 0; i--) {
        flat &= r->at[i].u == low;
        r->begin_b = choose_points(flat, r->at[i], r->begin_b);
    }
}

static inline void make_ring(const float *pieces, ring *r)
{
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        r->at[i] = load_points(pieces + i * CORNER);
    }
    floats low = r->at[0].u;
    floats high = low;
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        low = least_floats(low, r->at[i].u);
        high = most_floats(high, r->at[i].u);
    }
    ints bottom = {0};
    ints found = {0};
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        ints is_bottom = (r->at[i].u == low) & (r->at[(i + 1) % VX_FAST_CORNERS].u != low);
        bottom = choose_ints(is_bottom, all_ints((int32_t)i), bottom);
        found -= is_bottom;
    }
    r->good = found == 1;
    rotate(r->at, (bottom & 1) != 0, 1);
    rotate(r->at, (bottom & 2) != 0, 2);
    rotate(r->at, (bottom & 4) != 0, 4);
    find_chains(r, low, high);
}

/* The walk along the two chains. */
typedef struct walk {
    ring r;
    points a, b;           /* the ends on the plane before */
    points next_a, next_b; /* the corners that the chains go to */
    ints is_up, unsure;
    int32_t height;
} walk;

/* B2.15@3c3989 at u = k for edges from p to q, which cross it. */
static inline points crossing(points p, points q, floats k)
{
    floats t = share(all_ints(-1), p.u - k, q.u - k);
    return (points){k, between(p.v, q.v, t), between(p.w, q.w, t)};
}

/* The same where the edges may not cross. */
static inline points reach(ints crosses, points p, points q, floats k, points target)
{
    floats t = share(crosses, p.u - k, q.u - k);
    points at = {k, between(p.v, q.v, t), between(p.w, q.w, t)};
    return choose_points(crosses, at, target);
}

/* A trapezoid between two planes, whose parallel sides have lengths of one sign. */
static inline ints is_trapezoid(points a, points b, points a_end, points b_end)
{
    floats begin = b.w - a.w;
    floats end = b_end.w - a_end.w;
    return ((begin > 0) & (end > 0)) | ((begin < 0) & (end < 0));
}

/* Cells that take nothing but one crossing on each chain. */
static inline ints plain_cells(walk *w, floats k, ints active)
{
    points a = crossing(w->a, w->next_a, k);
    points b = crossing(w->next_b, w->b, k);
    w->unsure |= active & ~is_trapezoid(w->a, w->b, a, b);
    floats low = least_floats(least_floats(w->a.v, w->b.v), least_floats(a.v, b.v));
    floats high = most_floats(most_floats(w->a.v, w->b.v), most_floats(a.v, b.v));
    w->a = a;
    w->b = b;
    return emit(low, high, w->is_up, w->height);
}

/* Any cells: all corners of the polygon in the closed cell belong to its piece. */
static inline ints any_cells(walk *w, floats k, ints active, ints is_first, ints is_last)
{
    const ring *r = &w->r;
    points base_a = w->a;
    points base_b = w->b;
    points to_a = w->next_a;
    points to_b = w->next_b;
    ints plain = ~is_last & (w->a.u == k - 1) & (w->b.u == k - 1);
    gathered g = gather_first(w->a);
    ints in_b[VX_FAST_CORNERS];
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        ints below = is_last | (r->at[i].u < k);
        ints in_a =
            (r->on_a[i] & below & (r->at[i].u > w->a.u)) | (is_last & ~r->on_a[i] & ~r->on_b[i]);
        /* All corners at the least u lie on chain B. */
        in_b[i] =
            r->on_b[i] & below & ((r->at[i].u > w->b.u) | (is_first & (r->at[i].u == w->b.u)));
        plain &= ~(in_a | in_b[i]);
        gather(&g, in_a, r->at[i]);
        base_a = choose_points(in_a, r->at[i], base_a);
        to_b = choose_points(r->on_b[i] & (r->at[i].u >= k), r->at[i], to_b);
    }
    for (size_t i = VX_FAST_CORNERS - 1; i > 0; i--) {
        base_b = choose_points(in_b[i], r->at[i], base_b);
        to_a = choose_points(r->on_a[i] & (r->at[i].u >= k), r->at[i], to_a);
    }
    points a = reach(to_a.u > k, base_a, to_a, k, to_a);
    points b = reach(to_b.u > k, to_b, base_b, k, to_b);
    gather(&g, ~is_last, a);
    gather(&g, ~is_last, b);
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        gather(&g, in_b[i], r->at[i]);
    }
    gather(&g, all_ints(-1), w->b);
    ints flat = is_flat(&g);
    w->unsure |= active & ~(is_certain(&g) | flat | (plain & is_trapezoid(w->a, w->b, a, b)));
    w->a = a;
    w->b = b;
    w->next_a = to_a;
    w->next_b = to_b;
    return ~flat & emit(g.low_v, g.high_v, w->is_up, w->height);
}

/* Cells that are found before they go to their runs. */
enum { STEPS = 64 };

static inline void copy_out(const vx_fast_rows *rows, int32_t (*found)[LANES], uint32_t begin,
                            uint32_t end, uint32_t *to)
{
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t count = (uint32_t)rows->count[i];
        uint32_t stop = count < end ? count : end;
        for (uint32_t s = begin; s < stop; s++) {
            to[rows->first[i] + s] = (uint32_t)found[s - begin][i];
        }
    }
}

static uint32_t cells(const vx_fast_rows *rows, const float *pieces, uint32_t height, uint32_t *to)
{
    ints count = load_ints(rows->count);
    if (bits_of_ints(count > 1) == 0) {
        return single_cells(rows, pieces, height, to);
    }
    walk w = {.is_up = load_ints(rows->is_up), .height = (int32_t)height};
    make_ring(pieces, &w.r);
    w.a = w.next_a = w.r.at[0];
    w.b = w.next_b = w.r.begin_b;
    w.unsure = ~w.r.good & (count > 0);
    floats first = __builtin_convertvector(load_ints(rows->cell_first), floats);
    uint32_t most = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        most = (uint32_t)rows->count[i] > most ? (uint32_t)rows->count[i] : most;
    }
    int32_t found[STEPS][LANES];
    for (uint32_t s = 0; s < most; s++) {
        ints active = count > (int32_t)s;
        ints is_last = count == (int32_t)(s + 1);
        floats k = first + (float)(s + 1);
        ints special = is_last | (w.next_a.u <= k) | (w.next_b.u <= k);
        ints made = s > 0 && bits_of_ints(active & special) == 0
                        ? plain_cells(&w, k, active)
                        : any_cells(&w, k, active, all_ints(-(s == 0)), is_last);
        store_ints(found[s % STEPS], made);
        if (s % STEPS == STEPS - 1 || s + 1 == most) {
            copy_out(rows, found, s - s % STEPS, s + 1, to);
        }
    }
    return bits_of_ints(w.unsure);
}

const vx_fast_lane_kernels VX_FAST_LEVEL = {LANES, setup, step, cells};
