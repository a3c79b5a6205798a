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
/* The same for any piece: it lies in a cell, but for rounding. */
#define LARGE 0x1p-15F

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
    return (ranges){most_ints(ceilings(low) - 1, all_ints(0)),
                    least_ints(floors(high), all_ints(size - 1))};
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
    store_ints(g->bends_up, keep_ints(last_up, all_ints(-1)));
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
    /* A piece may reach one cell further than its triangle, and its room is a number of blocks. */
    ints column_count = columns.last - columns.first + 1;
    column_count =
        pick_ints(below_ints(zero, column_count), column_count, zero) + 1 + VX_FAST_BLOCK;
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

/* The corners of a row's piece on one chain, from the bottom up; the middle is one of the others
 * where there are two. */
typedef struct climbed {
    points low, middle, high;
} climbed;

/* Goes up one chain to the plane w = k, or to its top in the last row. */
static inline climbed climb(vx_fast_chains *chain, floats k, lane_mask is_last, bool runs_up,
                            bool has_walls)
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
    store_points(chain->end[0], reaches);
    store_points(chain->next[0], pick_points(passes | meets, top, next));
    return (climbed){end, pick_points(passes | is_last, next, end), reaches};
}

/* The corners of the pieces in their order. Of three corners of a triangle one at most lies between
 * the ends of a chain, so that one chain's middle is enough. */
static inline void order_corners(lane_mask bends_up, const climbed *up, const climbed *down,
                                 points *corners)
{
    corners[0] = up->low;
    corners[1] = pick_points(bends_up, up->middle, up->high);
    corners[2] = pick_points(bends_up, up->high, down->high);
    corners[3] = pick_points(bends_up, down->high, down->middle);
    corners[4] = down->low;
}

static uint32_t step(vx_fast_group *g)
{
    ints row = load_ints(g->row);
    ints last = load_ints(g->row_last);
    lane_mask is_last = equal_ints(row, last);
    lane_mask areal = below_ints(load_ints(g->rows.is_areal), all_ints(0));
    bool has_walls = bits_of_lanes(~areal) != 0;
    floats k = __builtin_convertvector(row + 1, floats);
    climbed up = climb(&g->up, k, is_last, true, has_walls);
    climbed down = climb(&g->down, k, is_last, false, has_walls);
    points corners[VX_FAST_CORNERS];
    order_corners(below_ints(load_ints(g->bends_up), all_ints(0)), &up, &down, corners);
    floats low = corners[0].u;
    floats high = low;
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        store_points(g->piece[i][0], corners[i]);
        low = least_floats(low, corners[i].u);
        high = most_floats(high, corners[i].u);
    }
    /* Rounding may leave the grid by a little. */
    floats most = all_floats((float)(g->size[0] + 1));
    low = least_floats(most_floats(low, all_floats(-1)), most);
    high = least_floats(most_floats(high, all_floats(-1)), most);
    ranges cells = reached(low, high, (int32_t)g->size[0], areal);
    lane_mask active = ~below_ints(last, row);
    ints count = cells.last - cells.first + 1;
    store_ints(g->rows.cell_first, cells.first);
    count = keep_ints(active & below_ints(all_ints(0), count), count);
    store_ints(g->rows.count, count);
    g->most = 0;
    for (size_t i = 0; i < LANES; i++) {
        g->most = (uint32_t)count[i] > g->most ? (uint32_t)count[i] : g->most;
    }
    store_ints(g->row, row + 1);
    return bits_of_lanes(active);
}

/* --- cells --------------------------------------------------------------------------------------
 */

/* The fans of B2.19@f8bcc6 of one cell a lane, from the pieces' first vertices on. */
typedef struct fan {
    points first;
    floats u, w; /* of the vertex before, relative to the first */
    floats sum;
} fan;

static inline fan begin_fan(points first)
{
    floats zero = {0};
    return (fan){first, zero, zero, zero};
}

/* One more vertex in some lanes, in the order of the polygon. */
static inline void add_vertex(fan *f, lane_mask where, points p)
{
    floats u = p.u - f->first.u;
    floats w = p.w - f->first.w;
    f->sum = pick_floats(where, f->sum + (f->u * w - f->w * u), f->sum);
    f->u = pick_floats(where, u, f->u);
    f->w = pick_floats(where, w, f->w);
}

/* B2.24@ce437d to B2.26@f8f21f: the cells of pieces between two v, 0 where they are dropped. As
 * vx_fast_emit, for which the argument is given. */
static inline ints emit(floats low, floats high, ints is_up, int32_t height)
{
    floats top = all_floats((float)(height + 2));
    low = least_floats(most_floats(low, all_floats(-2)), top);
    high = least_floats(most_floats(high, all_floats(-2)), top);
    ints lo = floors(low);
    ints hi = ceilings(high);
    lane_mask flat = equal_ints(lo, hi);
    lo += keep_ints(flat, is_up);
    hi += keep_ints(flat, is_up + 1);
    lane_mask kept = below_ints(all_ints(0), hi) & below_ints(lo, all_ints(height));
    lo = most_ints(lo, all_ints(0));
    hi = least_ints(hi, all_ints(height));
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
    rotate(r->at, begins[1] | begins[3], 1);
    rotate(r->at, begins[2] | begins[3], 2);
    rotate(r->at, begins[4], 4);
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

/* B2.15@3c3989 at u = k for edges from p to q where they cross it, and target elsewhere. */
static inline points reach(lane_mask crosses, points p, points q, floats k, points target)
{
    floats t = share(crosses, p.u - k, q.u - k);
    points at = {k, between(p.v, q.v, t), between(p.w, q.w, t)};
    return pick_points(crosses, at, target);
}

/* A trapezoid between two planes, whose parallel sides have lengths of one sign: not those whose
 * product is too small for a number. */
static inline lane_mask is_trapezoid(points a, points b, points a_end, points b_end)
{
    return below_floats(all_floats(0), (b.w - a.w) * (b_end.w - a_end.w));
}

/* Lanes that have a plane beyond the cell of step s. */
static inline lane_mask has_plane(const walk *w, uint32_t s)
{
    return below_ints(all_ints((int32_t)s + 1), w->count);
}

/* Up to so many steps from s on in which all cells take nothing but one crossing on each chain, and
 * all ends lie in the plane before. Returns their number. */
static inline uint32_t plain_steps(walk *w, uint32_t s, uint32_t most, ints *made)
{
    floats one = all_floats(1);
    points a = w->a;
    points b = w->b;
    points next_a = w->next_a;
    points next_b = w->next_b;
    lane_mask unsure = w->unsure;
    uint32_t count = 0;
    for (; count < most; count++, s++) {
        floats k = w->first + (float)(s + 1);
        lane_mask active = has_plane(w, s);
        lane_mask plain = below_floats(k, next_a.u) & below_floats(k, next_b.u);
        if (bits_of_lanes(active) == 0 || bits_of_lanes(active & ~plain) != 0) {
            break;
        }
        /* B2.15@3c3989; the ends have the distance −1 from the plane. */
        floats d = next_b.u - k;
        floats t_a = one / (next_a.u - k + one);
        floats t_b = d / (d + one);
        points to_a = {k, between(a.v, next_a.v, t_a), between(a.w, next_a.w, t_a)};
        points to_b = {k, between(next_b.v, b.v, t_b), between(next_b.w, b.w, t_b)};
        unsure |= active & w->areal & ~is_trapezoid(a, b, to_a, to_b);
        floats low = least_floats(least_floats(a.v, b.v), least_floats(to_a.v, to_b.v));
        floats high = most_floats(most_floats(a.v, b.v), most_floats(to_a.v, to_b.v));
        made[count] = emit(low, high, w->is_up, w->height);
        a = pick_points(active, to_a, a);
        b = pick_points(active, to_b, b);
    }
    w->a = a;
    w->b = b;
    w->unsure = unsure;
    return count;
}

/* The piece of one cell a lane: four ends of chains, some of which may be one, and those corners of
 * the polygon that are in it. */
typedef struct piece {
    points ends[4]; /* the chains' before, A and B, and after */
    lane_mask in[VX_FAST_CORNERS];
    floats sum; /* of a fan */
    lane_mask active;
} piece;

/* Whether pieces touch their cells: not 0 in area (B2.19@f8bcc6), or in length (B2.20@f6b248).
 * Where that can't be told and the lane is active, it is unsure. */
static inline lane_mask touches_closely(walk *w, const piece *p, lane_mask sure)
{
    floats low_u = p->ends[0].u;
    floats high_u = low_u;
    floats low_w = p->ends[0].w;
    floats high_w = low_w;
    for (size_t i = 1; i < 4; i++) {
        low_u = least_floats(low_u, p->ends[i].u);
        high_u = most_floats(high_u, p->ends[i].u);
        low_w = least_floats(low_w, p->ends[i].w);
        high_w = most_floats(high_w, p->ends[i].w);
    }
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        low_u = least_where(p->in[i], low_u, w->r.at[i].u);
        high_u = most_where(p->in[i], high_u, w->r.at[i].u);
        low_w = least_where(p->in[i], low_w, w->r.at[i].w);
        high_w = most_where(p->in[i], high_w, w->r.at[i].w);
    }
    floats box = (high_u - low_u) * (high_w - low_w);
    floats size = most_floats(p->sum, -p->sum);
    lane_mask certain =
        below_floats(box * CERTAIN_PART, size) & below_floats(all_floats(CERTAIN_BOX), box);
    lane_mask same_u = equal_floats(low_u, high_u);
    lane_mask same_w = equal_floats(low_w, high_w);
    /* All terms are 0 when the vertices share a coordinate. */
    lane_mask flat = (same_u & same_w) | (w->areal & (same_u | same_w));
    w->unsure |= p->active & w->areal & ~(certain | flat | sure);
    return ~flat;
}

/* The same; most areas are so large that no closer look is needed. Plain pieces have no corners of
 * the polygon and begin and end on planes. */
static inline lane_mask touches(walk *w, const piece *p, lane_mask plain)
{
    lane_mask large = w->areal & below_floats(all_floats(LARGE), most_floats(p->sum, -p->sum));
    lane_mask yes = all_lanes();
    if (bits_of_lanes(p->active & ~large) != 0) {
        lane_mask trapezoid = plain & is_trapezoid(p->ends[0], p->ends[1], p->ends[2], p->ends[3]);
        yes = touches_closely(w, p, trapezoid | large);
    }
    return yes;
}

/* The cells of pieces. */
static inline ints cells_of(walk *w, const piece *p, lane_mask plain)
{
    floats low = least_floats(least_floats(p->ends[0].v, p->ends[1].v),
                              least_floats(p->ends[2].v, p->ends[3].v));
    floats high = most_floats(most_floats(p->ends[0].v, p->ends[1].v),
                              most_floats(p->ends[2].v, p->ends[3].v));
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        low = least_where(p->in[i], low, w->r.at[i].v);
        high = most_where(p->in[i], high, w->r.at[i].v);
    }
    return keep_ints(touches(w, p, plain), emit(low, high, w->is_up, w->height));
}

/* The sum of B2.19@f8bcc6: chain A upwards, then B downwards. base_a is the last vertex of chain A
 * below its end. */
static inline floats sum_of(const walk *w, const piece *p, points base_a)
{
    const ring *r = &w->r;
    points a = p->ends[2];
    points b = p->ends[3];
    lane_mask yes = all_lanes();
    fan f = begin_fan(p->ends[0]);
    f.u = base_a.u - f.first.u;
    f.w = base_a.w - f.first.w;
    add_vertex(&f, yes, a);
    add_vertex(&f, yes, b);
    floats b_u = f.u;
    floats b_w = f.w;
    f.u = f.w = (floats){0};
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        lane_mask turns = r->on_a[i - 1] & ~r->on_a[i];
        f.u = pick_floats(turns, b_u, f.u);
        f.w = pick_floats(turns, b_w, f.w);
        add_vertex(&f, p->in[i], r->at[i]);
    }
    f.u = pick_floats(r->on_a[VX_FAST_CORNERS - 1], b_u, f.u);
    f.w = pick_floats(r->on_a[VX_FAST_CORNERS - 1], b_w, f.w);
    add_vertex(&f, yes, p->ends[1]);
    return f.sum;
}

/* Any cells but the last: all corners of the polygon in the closed cell belong to its piece. */
static inline __attribute__((always_inline)) ints any_cells(walk *w, floats k, lane_mask active)
{
    const ring *r = &w->r;
    piece p = {.ends = {w->a, w->b}, .active = active};
    points base_a = w->a;
    points base_b = w->b;
    lane_mask plain = equal_floats(w->a.u, k - 1) & equal_floats(w->b.u, k - 1);
    lane_mask touching = ~all_lanes();
    if (w->has_walls) {
        /* They have a cell before their least u when that is a plane. */
        touching = ~w->areal & equal_floats(w->a.u, k);
    }
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        lane_mask below = active & below_floats(r->at[i].u, k);
        below |= active & touching & equal_floats(r->at[i].u, k);
        p.in[i] = below & ~w->passed[i];
        w->passed[i] |= below;
        plain &= ~p.in[i];
        base_a = pick_points(p.in[i] & r->on_a[i], r->at[i], base_a);
        w->next_b = pick_points(r->on_b[i] & ~below & active, r->at[i], w->next_b);
    }
    for (size_t i = VX_FAST_CORNERS - 1; i > 0; i--) {
        base_b = pick_points(p.in[i] & ~r->on_a[i], r->at[i], base_b);
        w->next_a = pick_points(r->on_a[i] & ~w->passed[i] & active, r->at[i], w->next_a);
    }
    points a = reach(below_floats(k, w->next_a.u), base_a, w->next_a, k, w->next_a);
    points b = reach(below_floats(k, w->next_b.u), w->next_b, base_b, k, w->next_b);
    if (w->has_walls) {
        a = pick_points(touching, base_a, a);
        b = pick_points(touching, base_b, b);
    }
    p.ends[2] = a;
    p.ends[3] = b;
    p.sum = sum_of(w, &p, base_a);
    ints cells = cells_of(w, &p, plain);
    w->a = pick_points(active, a, w->a);
    w->b = pick_points(active, b, w->b);
    return cells;
}

/* The last cells of all lanes: what the planes have left. */
static inline ints last_cells(walk *w)
{
    piece p = {.ends = {w->a, w->b, w->a, w->b}, .active = below_ints(all_ints(0), w->count)};
    fan f = begin_fan(w->a);
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        p.in[i] = ~w->passed[i];
        add_vertex(&f, p.in[i], w->r.at[i]);
    }
    add_vertex(&f, all_lanes(), w->b);
    p.sum = f.sum;
    return cells_of(w, &p, ~all_lanes());
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

/* Any cells of one step: kept out of the loops, which need their registers for plain ones. */
static __attribute__((noinline)) ints any_step(walk *w, uint32_t s)
{
    return any_cells(w, w->first + (float)(s + 1), has_plane(w, s));
}

/* The cells of up to so many steps from s on, in the lanes that have a plane beyond them. Returns
 * the number of steps in which one has. */
static inline uint32_t walk_on(walk *w, uint32_t s, uint32_t most, ints *made)
{
    uint32_t count = 0;
    while (count < most && bits_of_lanes(has_plane(w, s + count)) != 0) {
        uint32_t at = s + count;
        uint32_t plain = at > 0 ? plain_steps(w, at, most - count, made + count) : 0;
        if (plain == 0) {
            made[count] = any_step(w, at);
            plain = 1;
        }
        count += plain;
    }
    return count;
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
        for (size_t i = 0; i < count / 2; i++) {
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
    uint32_t steps = walk_on(&w, 0, room - 1, made);
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

/* Copies the cells of a block of steps, turned, to the runs that reach it. All lanes do the same:
 * how many of them have an end in a block is not to be foreseen. */
static inline void copy_out(const vx_fast_rows *rows, const size_t *first, const uint32_t *turned,
                            uint32_t begin, uint32_t *to)
{
    uint32_t nowhere[VX_FAST_BLOCK];
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t *at = to + first[i] + begin;
        at = (uint32_t)rows->count[i] > begin ? at : nowhere;
        memcpy(at, turned + (size_t)i * VX_FAST_BLOCK, VX_FAST_BLOCK * sizeof *at);
    }
}

static uint32_t long_cells(const vx_fast_rows *rows, const float *pieces, uint32_t height,
                           const size_t *first, uint32_t *to)
{
    walk w;
    begin_walk(rows, pieces, height, &w);
    ints made[VX_FAST_BLOCK];
    uint32_t turned[VX_FAST_BLOCK * LANES];
    uint32_t begin = 0;
    uint32_t count;
    do {
        count = walk_on(&w, begin, VX_FAST_BLOCK, made);
        for (uint32_t i = count; i < VX_FAST_BLOCK; i++) {
            made[i] = all_ints(0);
        }
        store_turned(turned, made, VX_FAST_BLOCK);
        copy_out(rows, first, turned, begin, to);
        begin += VX_FAST_BLOCK;
    } while (count == VX_FAST_BLOCK);
    int32_t last[LANES];
    store_ints(last, last_cells(&w));
    for (uint32_t i = 0; i < LANES; i++) {
        if (rows->count[i] > 0) {
            to[first[i] + (size_t)rows->count[i] - 1] = (uint32_t)last[i];
        }
    }
    return unsure_of(&w);
}

const vx_fast_lane_kernels VX_FAST_LEVEL = {LANES, setup, step, short_cells, long_cells};
