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

static inline points pick_points(lane_mask mask, points yes, points no)
{
    return (points){pick_floats(mask, yes.u, no.u), pick_floats(mask, yes.v, no.v),
                    pick_floats(mask, yes.w, no.w)};
}

/* The share t of B2.15@3c3989 where an edge crosses, with d of its ends; any number elsewhere. */
static inline floats share(lane_mask crosses, floats dp, floats dq)
{
    return dp / pick_floats(crosses, dp - dq, all_floats(1));
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

/* The same, without the ends that only touch where areal. */
static inline ranges reached(floats low, floats high, int32_t size, lane_mask areal)
{
    ranges r = visited(low, high, size);
    lane_mask many = areal & below_ints(r.first, r.last);
    lane_mask touch = equal_floats(low, __builtin_convertvector(r.first + 1, floats));
    r.first += keep_ints(many & touch, all_ints(1));
    many &= below_ints(r.first, r.last);
    touch = equal_floats(high, __builtin_convertvector(r.last, floats));
    r.last -= keep_ints(many & touch, all_ints(1));
    return r;
}

/* Whether no pass of B2.13@82a0c3 cuts along an axis, and what is visited: exactly, or with bounds
 * that suffice when another axis is clipped, which rounds by less than a cell. Areal triangles
 * leave out the ends that only touch. */
static inline lane_mask measure(floats a, floats b, floats c, int32_t size, lane_mask areal,
                                ranges *visits)
{
    floats low = least_floats(least_floats(a, b), c);
    floats high = most_floats(most_floats(a, b), c);
    floats zero = {0};
    lane_mask inside = ~below_floats(low, zero) & ~below_floats(all_floats((float)size), high);
    floats most = all_floats((float)(size + 1));
    floats least = all_floats(-1);
    low = least_floats(most_floats(low, least), most);
    high = least_floats(most_floats(high, least), most);
    ranges exact = reached(low, high, size, areal);
    ranges bound = visited(most_floats(low - 1, least), least_floats(high + 1, most), size);
    visits->first = pick_ints(inside, exact.first, bound.first);
    visits->last = pick_ints(inside, exact.last, bound.last);
    return inside;
}

/* The chains of a triangle from its last corner at its least w on. */
static inline void begin_chains(vx_fast_group *g)
{
    points a = load_points(g->corners[0][0]);
    points b = load_points(g->corners[1][0]);
    points c = load_points(g->corners[2][0]);
    lane_mask from_b = below_floats(b.w, c.w) & ~below_floats(a.w, b.w);
    lane_mask from_c = below_floats(c.w, a.w) & ~below_floats(b.w, c.w);
    points p0 = pick_points(from_b, b, pick_points(from_c, c, a));
    points p1 = pick_points(from_b, c, pick_points(from_c, a, b));
    points p2 = pick_points(from_b, a, pick_points(from_c, b, c));
    lane_mask flat = equal_floats(p2.w, p0.w);
    lane_mask last_up = below_floats(p1.w, p2.w);
    /* A wall along u is one line: its third corner is where the chain down begins. */
    lane_mask last_down = below_floats(p2.w, p1.w) | (flat & ~last_up);
    store_points(g->up.end[0], p0);
    store_points(g->up.next[0], p1);
    store_points(g->up.top[0], pick_points(last_up, p2, p1));
    store_points(g->down.end[0], pick_points(flat, p2, p0));
    store_points(g->down.next[0], pick_points(flat, p1, p2));
    store_points(g->down.top[0], pick_points(last_down, p1, p2));
}

typedef float four __attribute__((vector_size(16)));

static inline four load_four(const float *from)
{
    four value;
    memcpy(&value, from, sizeof value);
    return value;
}

/* The first three of four numbers, of four vertices, become three rows of four. */
static inline void turn(const four *from, float *to)
{
    four low = __builtin_shufflevector(from[0], from[1], 0, 4, 1, 5);
    four high = __builtin_shufflevector(from[2], from[3], 0, 4, 1, 5);
    four rows[3] = {__builtin_shufflevector(low, high, 0, 1, 4, 5),
                    __builtin_shufflevector(low, high, 2, 3, 6, 7)};
    low = __builtin_shufflevector(from[0], from[1], 2, 6, 3, 7);
    high = __builtin_shufflevector(from[2], from[3], 2, 6, 3, 7);
    rows[2] = __builtin_shufflevector(low, high, 0, 1, 4, 5);
    for (size_t axis = 0; axis < 3; axis++) {
        memcpy(to + axis * VX_FAST_TILE, &rows[axis], sizeof rows[axis]);
    }
}

static inline void load_vertices(vx_fast_group *g)
{
    for (size_t corner = 0; corner < 3; corner++) {
        for (size_t i = 0; i < LANES; i += 4) {
            four local[4];
            four cells[4];
            for (size_t k = 0; k < 4; k++) {
                local[k] = load_four(g->vertices[corner][i + k]->local);
                cells[k] = load_four(g->vertices[corner][i + k]->cells);
            }
            turn(local, &g->local[corner][0][i]);
            turn(cells, &g->corners[corner][0][i]);
        }
    }
}

/* B2.8@3c6046 to B2.12@13dbda. */
static inline ints find_known(vx_fast_group *g)
{
    points a = load_points(g->local[0][0]);
    points b = load_points(g->local[1][0]);
    points c = load_points(g->local[2][0]);
    floats e1x = b.u - a.u;
    floats e1y = b.v - a.v;
    floats e1z = b.w - a.w;
    floats e2x = c.u - a.u;
    floats e2y = c.v - a.v;
    floats e2z = c.w - a.w;
    floats nx = e1y * e2z - e1z * e2y;
    floats ny = e1z * e2x - e1x * e2z;
    floats nz = e1x * e2y - e1y * e2x;
    floats square = (nx * nx + ny * ny) + nz * nz;
    a = load_points(g->corners[0][0]);
    b = load_points(g->corners[1][0]);
    c = load_points(g->corners[2][0]);
    floats footprint = (b.u - a.u) * (c.w - a.w) - (b.w - a.w) * (c.u - a.u);
    store_ints(g->rows.is_up, ny > 0);
    return ((square == 0) & VX_FAST_DEGENERATE) | ((footprint != 0) & VX_FAST_AREAL) |
           ((ny > 0) & VX_FAST_UP) | ((ny > g->slope_cosine * roots(square)) & VX_FAST_GENTLE);
}

/* B2.21@39e21a, B2.22@a700ad: whether the three are one integer. */
static inline lane_mask on_line(floats a, floats b, floats c)
{
    floats whole = __builtin_convertvector(__builtin_convertvector(a, ints), floats);
    return equal_floats(a, b) & equal_floats(a, c) & equal_floats(a, whole);
}

static void setup(vx_fast_group *g)
{
    load_vertices(g);
    ints known = find_known(g);
    store_ints(g->known, known);
    ints zero = {0};
    lane_mask areal = below_ints(zero, known & VX_FAST_AREAL);
    points a = load_points(g->corners[0][0]);
    points b = load_points(g->corners[1][0]);
    points c = load_points(g->corners[2][0]);
    ranges rows;
    ranges columns;
    lane_mask inside = measure(a.w, b.w, c.w, (int32_t)g->size[1], areal, &rows) &
                       measure(a.u, b.u, c.u, (int32_t)g->size[0], areal, &columns);
    lane_mask some =
        ~below_ints(rows.last, rows.first) & equal_ints(known & VX_FAST_DEGENERATE, zero);
    ints row_count = keep_ints(some, rows.last - rows.first + 1);
    /* A piece may reach one cell further than its triangle. */
    ints column_count = columns.last - columns.first + 1;
    column_count = pick_ints(below_ints(zero, column_count), column_count, zero) + 2;
    floats cell_count =
        __builtin_convertvector(row_count, floats) * __builtin_convertvector(column_count, floats);
    cell_count = least_floats(cell_count, all_floats((float)VX_FAST_CELLS_MAX));
    store_ints(g->row_count, row_count);
    store_ints(g->cell_count, __builtin_convertvector(cell_count, ints));
    lane_mask taken = some & inside & (areal | ~(on_line(a.u, b.u, c.u) | on_line(a.w, b.w, c.w)));
    g->alone = bits_of_lanes(some & ~taken);
    store_ints(g->rows.is_areal, -keep_ints(areal, all_ints(1)));
    store_ints(g->row, rows.first);
    store_ints(g->row_last, keep_ints(taken, rows.last + 1) - 1);
    begin_chains(g);
}

/* --- rows ---------------------------------------------------------------------------------------
 */

/* Goes up one chain to the plane w = k, or to its top in the last row. The corners of the row's
 * piece on this chain go to low, middle and high, from the bottom up. */
static inline void climb(vx_fast_chains *chain, floats k, lane_mask is_last, bool runs_up,
                         bool has_walls, float *low, float *middle, float *high)
{
    points end = load_points(chain->end[0]);
    points next = load_points(chain->next[0]);
    points top = load_points(chain->top[0]);
    lane_mask passes = below_floats(next.w, k);
    points base = pick_points(passes, next, end);
    points target = pick_points(passes, top, next);
    points p = runs_up ? base : target;
    points q = runs_up ? target : base;
    lane_mask meets = equal_floats(target.w, k);
    floats t = share(~(meets | is_last), p.w - k, q.w - k);
    points crossing = {between(p.u, q.u, t), between(p.v, q.v, t), k};
    points reaches = pick_points(meets, target, crossing);
    /* A wall has a row below its least w when that is a plane. */
    if (has_walls) {
        reaches = pick_points(equal_floats(end.w, k), end, reaches);
    }
    reaches = pick_points(is_last, top, reaches);
    store_points(low, end);
    store_points(middle, pick_points(passes | is_last, next, end));
    store_points(high, reaches);
    store_points(chain->end[0], reaches);
    store_points(chain->next[0], pick_points(passes | meets, top, next));
}

static uint32_t step(vx_fast_group *g)
{
    ints row = load_ints(g->row);
    ints last = load_ints(g->row_last);
    lane_mask is_last = equal_ints(row, last);
    lane_mask areal = below_ints(load_ints(g->rows.is_areal), all_ints(0));
    bool has_walls = bits_of_lanes(~areal) != 0;
    floats k = __builtin_convertvector(row + 1, floats);
    climb(&g->up, k, is_last, true, has_walls, g->piece[0][0], g->piece[1][0], g->piece[2][0]);
    climb(&g->down, k, is_last, false, has_walls, g->piece[5][0], g->piece[4][0], g->piece[3][0]);
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
    ranges cells = reached(low, high, (int32_t)g->size[0], areal);
    lane_mask active = ~below_ints(last, row);
    ints count = cells.last - cells.first + 1;
    store_ints(g->rows.cell_first, cells.first);
    store_ints(g->rows.count, keep_ints(active & below_ints(all_ints(0), count), count));
    store_ints(g->row, row + 1);
    return bits_of_lanes(active);
}

/* --- cells --------------------------------------------------------------------------------------
 */

/* The pieces of one cell a lane while their vertices are gathered, in the order of the polygon. */
typedef struct gathered {
    points first;                        /* where the fan of B2.19@f8bcc6 begins */
    floats u, w;                         /* of the vertex before, relative to it */
    floats sum;                          /* of the fan */
    floats low_u, high_u, low_w, high_w; /* relative as well */
    floats low_v, high_v;
} gathered;

static inline gathered gather_first(points p)
{
    floats zero = {0};
    return (gathered){p, zero, zero, zero, zero, zero, zero, zero, p.v, p.v};
}

/* One more vertex in some lanes. The others take the last one once more, whose term is 0. */
static inline void gather(gathered *g, lane_mask where, points p)
{
    floats u = pick_floats(where, p.u - g->first.u, g->u);
    floats w = pick_floats(where, p.w - g->first.w, g->w);
    g->sum += g->u * w - g->w * u;
    g->u = u;
    g->w = w;
    g->low_u = least_floats(g->low_u, u);
    g->high_u = most_floats(g->high_u, u);
    g->low_w = least_floats(g->low_w, w);
    g->high_w = most_floats(g->high_w, w);
    g->low_v = least_where(where, g->low_v, p.v);
    g->high_v = most_where(where, g->high_v, p.v);
}

/* Whether the area is not 0 whatever vertex comes first. */
static inline lane_mask is_certain(const gathered *g)
{
    floats box = (g->high_u - g->low_u) * (g->high_w - g->low_w);
    floats size = most_floats(g->sum, -g->sum);
    return below_floats(box * CERTAIN_PART, size) & below_floats(all_floats(CERTAIN_BOX), box);
}

/* B2.24@ce437d to B2.26@f8f21f: the cells of pieces between two v, 0 where they are dropped. As
 * vx_fast_emit, for which the argument is given. */
static inline ints emit(floats low, floats high, ints is_up, int32_t height)
{
    floats top = all_floats((float)(height + 2));
    low = least_floats(most_floats(low, all_floats(-2)), top);
    high = least_floats(most_floats(high, all_floats(-2)), top);
    ints lo = __builtin_convertvector(low, ints);
    lo -= keep_ints(below_floats(low, __builtin_convertvector(lo, floats)), all_ints(1));
    ints hi = __builtin_convertvector(high, ints);
    hi += keep_ints(below_floats(__builtin_convertvector(hi, floats), high), all_ints(1));
    lane_mask flat = equal_ints(lo, hi);
    lo += keep_ints(flat, is_up);
    hi += keep_ints(flat, is_up + 1);
    lane_mask kept = below_ints(all_ints(0), hi) & below_ints(lo, all_ints(height));
    lo = pick_ints(below_ints(all_ints(0), lo), lo, all_ints(0));
    hi = pick_ints(below_ints(hi, all_ints(height)), hi, all_ints(height));
    return keep_ints(kept, lo | hi << 16);
}

/* The corners of pieces from the last one at the least u on. */
typedef struct ring {
    points at[VX_FAST_CORNERS];
    lane_mask on_a[VX_FAST_CORNERS]; /* from the first corner up to the first at the largest u */
    lane_mask on_b[VX_FAST_CORNERS]; /* from the last at the largest u on */
    lane_mask good;                  /* u rises strictly on chain A and falls strictly on chain B */
} ring;

static inline void rotate(points *at, lane_mask where, size_t by)
{
    points old[VX_FAST_CORNERS];
    memcpy(old, at, sizeof old);
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        at[i] = pick_points(where, old[(i + by) % VX_FAST_CORNERS], old[i]);
    }
}

static inline lane_mask is_same(points p, points q)
{
    return equal_floats(p.u, q.u) & equal_floats(p.v, q.v) & equal_floats(p.w, q.w);
}

/* Finds the chains; low and high are the extremes of u. Corners that stand twice count once. */
static inline void find_chains(ring *r, floats low, floats high)
{
    lane_mask yes = all_lanes();
    lane_mask at_top[VX_FAST_CORNERS];
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        at_top[i] = equal_floats(r->at[i].u, high);
    }
    r->on_a[0] = yes;
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        r->on_a[i] = r->on_a[i - 1] & ~at_top[i - 1];
    }
    r->on_b[VX_FAST_CORNERS - 1] = yes;
    for (size_t i = VX_FAST_CORNERS - 1; i-- > 0;) {
        r->on_b[i] = r->on_b[i + 1] & ~at_top[i + 1];
    }
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        floats before = r->at[i - 1].u;
        floats here = r->at[i].u;
        lane_mask same = is_same(r->at[i - 1], r->at[i]);
        lane_mask rises = below_floats(before, here) | same;
        lane_mask falls = below_floats(here, before) | same | equal_floats(here, low);
        lane_mask placed = r->on_a[i] | r->on_b[i] | at_top[i];
        r->good &= (rises | ~r->on_a[i]) & (falls | ~r->on_b[i - 1]) & placed;
    }
}

static inline void load_corners(const float *pieces, points *at)
{
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        at[i] = load_points(pieces + i * CORNER);
    }
}

static inline void make_ring(const float *pieces, ring *r)
{
    load_corners(pieces, r->at);
    floats low = r->at[0].u;
    floats high = low;
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        low = least_floats(low, r->at[i].u);
        high = most_floats(high, r->at[i].u);
    }
    lane_mask is_low[VX_FAST_CORNERS];
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        is_low[i] = equal_floats(r->at[i].u, low);
    }
    lane_mask begins[VX_FAST_CORNERS];
    lane_mask once = ~all_lanes();
    lane_mask twice = once;
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        begins[i] = is_low[i] & ~is_low[(i + 1) % VX_FAST_CORNERS];
        twice |= once & begins[i];
        once |= begins[i];
    }
    r->good = once & ~twice;
    rotate(r->at, begins[1] | begins[3] | begins[5], 1);
    rotate(r->at, begins[2] | begins[3], 2);
    rotate(r->at, begins[4] | begins[5], 4);
    find_chains(r, low, high);
}

/* The walk along the two chains. */
typedef struct walk {
    ring r;
    points a, b;                       /* the ends on the plane before */
    points next_a, next_b;             /* the corners that the chains go to */
    lane_mask passed[VX_FAST_CORNERS]; /* corners below the plane before */
    lane_mask unsure, areal;
    ints count, is_up;
    floats first; /* cell */
    int32_t height;
    bool has_walls;
} walk;

/* Whether pieces touch their cells: not 0 in area (B2.19@f8bcc6), or in length (B2.20@f6b248).
 * Where that can't be told and the lane is active, it is unsure. */
static inline lane_mask touches(walk *w, const gathered *g, lane_mask active, lane_mask sure)
{
    lane_mask same_u = equal_floats(g->low_u, g->high_u);
    lane_mask same_w = equal_floats(g->low_w, g->high_w);
    /* All terms are 0 when the vertices share a coordinate. */
    lane_mask flat = (same_u & same_w) | (w->areal & (same_u | same_w));
    w->unsure |= active & w->areal & ~(is_certain(g) | flat | sure);
    return ~flat;
}

/* B2.15@3c3989 at u = k for edges from p to q where they cross it, and target elsewhere. */
static inline points reach(lane_mask crosses, points p, points q, floats k, points target)
{
    floats t = share(crosses, p.u - k, q.u - k);
    points at = {k, between(p.v, q.v, t), between(p.w, q.w, t)};
    return pick_points(crosses, at, target);
}

/* A trapezoid between two planes, whose parallel sides have lengths of one sign. */
static inline lane_mask is_trapezoid(points a, points b, points a_end, points b_end)
{
    floats begin = b.w - a.w;
    floats end = b_end.w - a_end.w;
    floats zero = {0};
    return (below_floats(zero, begin) & below_floats(zero, end)) |
           (below_floats(begin, zero) & below_floats(end, zero));
}

/* Cells that take nothing but one crossing on each chain. */
static inline ints plain_cells(walk *w, floats k, lane_mask active)
{
    points a = reach(all_lanes(), w->a, w->next_a, k, w->a);
    points b = reach(all_lanes(), w->next_b, w->b, k, w->b);
    w->unsure |= active & w->areal & ~is_trapezoid(w->a, w->b, a, b);
    floats low = least_floats(least_floats(w->a.v, w->b.v), least_floats(a.v, b.v));
    floats high = most_floats(most_floats(w->a.v, w->b.v), most_floats(a.v, b.v));
    w->a = pick_points(active, a, w->a);
    w->b = pick_points(active, b, w->b);
    return emit(low, high, w->is_up, w->height);
}

/* Any cells but the last: all corners of the polygon in the closed cell belong to its piece. */
static inline __attribute__((always_inline)) ints any_cells(walk *w, floats k, lane_mask active)
{
    const ring *r = &w->r;
    points base_a = w->a;
    points base_b = w->b;
    lane_mask in_b[VX_FAST_CORNERS];
    lane_mask plain = equal_floats(w->a.u, k - 1) & equal_floats(w->b.u, k - 1);
    gathered g = gather_first(w->a);
    lane_mask touching = ~all_lanes();
    if (w->has_walls) {
        /* They have a cell before their least u when that is a plane. */
        touching = ~w->areal & equal_floats(w->a.u, k);
    }
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        lane_mask below = active & below_floats(r->at[i].u, k);
        below |= active & touching & equal_floats(r->at[i].u, k);
        lane_mask in = below & ~w->passed[i];
        lane_mask in_a = in & r->on_a[i];
        in_b[i] = in & ~r->on_a[i];
        w->passed[i] |= below;
        plain &= ~in;
        gather(&g, in_a, r->at[i]);
        base_a = pick_points(in_a, r->at[i], base_a);
        w->next_b = pick_points(r->on_b[i] & ~below & active, r->at[i], w->next_b);
    }
    for (size_t i = VX_FAST_CORNERS - 1; i > 0; i--) {
        base_b = pick_points(in_b[i], r->at[i], base_b);
        w->next_a = pick_points(r->on_a[i] & ~w->passed[i] & active, r->at[i], w->next_a);
    }
    points a = reach(below_floats(k, w->next_a.u), base_a, w->next_a, k, w->next_a);
    points b = reach(below_floats(k, w->next_b.u), w->next_b, base_b, k, w->next_b);
    if (w->has_walls) {
        a = pick_points(touching, base_a, a);
        b = pick_points(touching, base_b, b);
    }
    gather(&g, all_lanes(), a);
    gather(&g, all_lanes(), b);
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        gather(&g, in_b[i], r->at[i]);
    }
    gather(&g, all_lanes(), w->b);
    lane_mask touched = touches(w, &g, active, plain & is_trapezoid(w->a, w->b, a, b));
    w->a = pick_points(active, a, w->a);
    w->b = pick_points(active, b, w->b);
    return keep_ints(touched, emit(g.low_v, g.high_v, w->is_up, w->height));
}

/* The last cells of all lanes: what the planes have left. */
static inline ints last_cells(walk *w)
{
    gathered g = gather_first(w->a);
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        gather(&g, ~w->passed[i], w->r.at[i]);
    }
    gather(&g, all_lanes(), w->b);
    lane_mask touched = touches(w, &g, all_lanes(), ~all_lanes());
    return keep_ints(touched, emit(g.low_v, g.high_v, w->is_up, w->height));
}

static inline void begin_walk(const vx_fast_rows *rows, const float *pieces, uint32_t height,
                              walk *w)
{
    w->count = load_ints(rows->count);
    w->is_up = load_ints(rows->is_up);
    w->areal = below_ints(load_ints(rows->is_areal), all_ints(0));
    w->has_walls = bits_of_lanes(~w->areal) != 0;
    w->first = __builtin_convertvector(load_ints(rows->cell_first), floats);
    w->height = (int32_t)height;
    w->unsure = ~all_lanes();
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        w->passed[i] = w->unsure;
    }
    lane_mask many = below_ints(all_ints(1), w->count);
    if (bits_of_lanes(many) != 0) {
        make_ring(pieces, &w->r);
        w->unsure = many & ~w->r.good;
    } else {
        load_corners(pieces, w->r.at);
    }
    w->a = w->next_a = w->b = w->next_b = w->r.at[0];
}

/* The cells of step s, 0 or more, in the lanes that have a plane beyond them. False when none has.
 */
static inline bool walk_on(walk *w, uint32_t s, ints *made)
{
    lane_mask active = below_ints(all_ints((int32_t)s + 1), w->count);
    if (bits_of_lanes(active) == 0) {
        return false;
    }
    floats k = w->first + (float)(s + 1);
    lane_mask goes_on = below_floats(k, w->next_a.u) & below_floats(k, w->next_b.u);
    *made = s > 0 && bits_of_lanes(active & ~goes_on) == 0 ? plain_cells(w, k, active)
                                                           : any_cells(w, k, active);
    return true;
}

static inline uint32_t unsure_of(const walk *w)
{
    return bits_of_lanes(w->unsure & below_ints(all_ints(0), w->count));
}

/* Stores so many vectors so that the numbers of a lane stand side by side. */
static inline __attribute__((always_inline)) void store_turned(uint32_t *to, ints *rows,
                                                               uint32_t count)
{
    for (uint32_t zipped = 1; zipped < count; zipped *= 2) {
        ints old[VX_FAST_SHORT];
        memcpy(old, rows, count * sizeof *rows);
        for (uint32_t i = 0; i < count / 2; i++) {
            zip_ints(old[i], old[i + count / 2], &rows[2 * i], &rows[2 * i + 1]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        store_ints((int32_t *)to + (size_t)i * LANES, rows[i]);
    }
}

static uint32_t short_cells(const vx_fast_rows *rows, const float *pieces, uint32_t height,
                            uint32_t room, uint32_t *to)
{
    walk w;
    begin_walk(rows, pieces, height, &w);
    ints made[VX_FAST_SHORT];
    uint32_t steps = 0;
    while (steps + 1 < room && walk_on(&w, steps, &made[steps])) {
        steps++;
    }
    ints last = last_cells(&w);
    for (uint32_t s = steps; s < room; s++) {
        made[s] = last;
    }
    for (uint32_t s = 0; s < steps; s++) {
        lane_mask is_last = equal_ints(w.count, all_ints((int32_t)s + 1));
        made[s] = pick_ints(is_last, last, made[s]);
    }
    switch (room) {
    case 1:
        store_turned(to, made, 1);
        break;
    case 2:
        store_turned(to, made, 2);
        break;
    case 4:
        store_turned(to, made, 4);
        break;
    default:
        store_turned(to, made, VX_FAST_SHORT);
    }
    return unsure_of(&w);
}

/* Cells that are found before they go to their runs. */
enum { STEPS = 64 };

static inline void copy_out(const vx_fast_rows *rows, const size_t *first, int32_t (*found)[LANES],
                            uint32_t begin, uint32_t end, uint32_t *to)
{
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t count = (uint32_t)rows->count[i];
        uint32_t stop = count < end ? count : end;
        for (uint32_t s = begin; s < stop; s++) {
            to[first[i] + s] = (uint32_t)found[s - begin][i];
        }
    }
}

static uint32_t long_cells(const vx_fast_rows *rows, const float *pieces, uint32_t height,
                           const size_t *first, uint32_t *to)
{
    walk w;
    begin_walk(rows, pieces, height, &w);
    int32_t found[STEPS][LANES];
    uint32_t s = 0;
    for (ints made; walk_on(&w, s, &made); s++) {
        store_ints(found[s % STEPS], made);
        if (s % STEPS == STEPS - 1) {
            copy_out(rows, first, found, s + 1 - STEPS, s + 1, to);
        }
    }
    copy_out(rows, first, found, s - s % STEPS, s, to);
    store_ints(found[0], last_cells(&w));
    for (uint32_t i = 0; i < LANES; i++) {
        if (rows->count[i] > 0) {
            to[first[i] + (size_t)rows->count[i] - 1] = (uint32_t)found[0][i];
        }
    }
    return unsure_of(&w);
}

const vx_fast_lane_kernels VX_FAST_LEVEL = {LANES, setup, step, short_cells, long_cells};
