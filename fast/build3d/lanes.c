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
/* The same of regular pieces by the sum of the two sides that lie in planes, which grows by the
 * doubt of the rounding for each plane and each row. */
#define CERTAIN_CHORD 0x1p-13F
#define CHORD_DOUBT 0x1p-21F
/* Beyond all grids. */
#define FAR 0x1p20F

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
    whole l = whole_of(low);
    whole h = whole_of(high);
    ranges r = {most_ints(l.above - 1, all_ints(0)), least_ints(h.below, all_ints(size - 1))};
    lane_mask many = areal & below_ints(r.first, r.last);
    lane_mask touch = equal_ints(l.below, l.above) & below_ints(all_ints(0), l.above);
    r.first = more_where(many & touch, r.first);
    many &= below_ints(r.first, r.last);
    touch = equal_ints(h.below, h.above) & below_ints(h.below, all_ints(size));
    r.last = less_where(many & touch, r.last);
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
    g->has_bends = bits_of_lanes(last_up | and_not(below_floats(p2.w, p1.w), flat)) != 0;
    store_points(g->up.end[0], p0);
    store_points(g->up.next[0], p1);
    store_points(g->up.top[0], pick_points(last_up, p2, p1));
    store_points(g->down.end[0], pick_points(flat, p2, p0));
    store_points(g->down.next[0], pick_points(flat, p1, p2));
    store_points(g->down.top[0], pick_points(last_down, p1, p2));
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

static bool transform(const vx_fast_measure *measure, const double *from, size_t count,
                      vx_fast_vertex *to)
{
    const pair limit = {VX_COORDINATE_LIMIT, VX_COORDINATE_LIMIT};
    pair origin[2] = {load_pair(measure->origin), load_pair(measure->origin + 2)};
    four cells = load_four(measure->cells);
    pair_mask good = {-1, -1};
    for (size_t i = 0; i < count; i++) {
        /* z, and the x of the next vertex, whose turn will come. */
        pair low = load_pair(from + 3 * i);
        pair high = load_pair(from + 3 * i + 2);
        good &= (low <= limit) & (low >= -limit) & (high <= limit) & (high >= -limit);
        four local = narrow(low - origin[0], high - origin[1]);
        four in_cells = local / cells;
        memcpy(to[i].local, &local, sizeof local);
        memcpy(to[i].cells, &in_cells, sizeof in_cells);
    }
    return (good[0] & good[1]) != 0;
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
    floats cut = __builtin_convertvector(__builtin_convertvector(a, ints), floats);
    return equal_floats(a, b) & equal_floats(a, c) & equal_floats(a, cut);
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

/* What is the same for both chains. */
typedef struct rung {
    floats k; /* the plane */
    lane_mask is_last;
    bool has_walls, has_bends;
} rung;

/* Goes up one chain to the plane w = k, or to its top in the last row. */
static inline climbed climb(vx_fast_chains *chain, const rung *r, bool runs_up)
{
    points end = load_points(chain->end[0]);
    points base = end;
    points target = load_points(chain->next[0]);
    if (r->has_bends) {
        points top = load_points(chain->top[0]);
        lane_mask passes = below_floats(target.w, r->k);
        base = pick_points(passes, target, end);
        target = pick_points(passes, top, target);
        store_points(chain->next[0], pick_points(equal_floats(target.w, r->k), top, target));
    }
    const points *p = runs_up ? &base : &target;
    const points *q = runs_up ? &target : &base;
    floats d = p->w - r->k;
    floats t = d / (d - (q->w - r->k));
    points reaches = {between(p->u, q->u, t), between(p->v, q->v, t), r->k};
    /* Above the last row there is nothing: the target is the top. */
    reaches = pick_points(equal_floats(target.w, r->k) | r->is_last, target, reaches);
    /* A wall has a row below its least w when that is a plane. */
    if (r->has_walls) {
        reaches = pick_points(equal_floats(end.w, r->k), end, reaches);
    }
    store_points(chain->end[0], reaches);
    return (climbed){end, base, reaches};
}

/* Stores the corners of the pieces in their order and returns the extremes of u. Of three corners
 * of a triangle one at most lies between the ends of a chain, so that one chain's middle is enough;
 * where no chain bends the last corner stands in its place. */
static inline void store_corners(vx_fast_group *g, const climbed *up, const climbed *down,
                                 floats *low, floats *high)
{
    points corners[VX_FAST_CORNERS] = {up->low, up->high, down->high, down->low, down->low};
    *low =
        least_floats(least_floats(up->low.u, up->high.u), least_floats(down->low.u, down->high.u));
    *high = most_floats(most_floats(up->low.u, up->high.u), most_floats(down->low.u, down->high.u));
    if (g->has_bends) {
        lane_mask bends_up = below_ints(load_ints(g->bends_up), all_ints(0));
        corners[1] = pick_points(bends_up, up->middle, up->high);
        corners[2] = pick_points(bends_up, up->high, down->high);
        corners[3] = pick_points(bends_up, down->high, down->middle);
        *low = least_floats(*low, least_floats(up->middle.u, down->middle.u));
        *high = most_floats(*high, most_floats(up->middle.u, down->middle.u));
    }
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        store_points(g->piece[i][0], corners[i]);
    }
}

/* How far a chain bends to the left of the way from its low end to its high one. */
static inline floats bend(const climbed *c)
{
    return (c->low.u - c->middle.u) * (c->high.w - c->middle.w) -
           (c->low.w - c->middle.w) * (c->high.u - c->middle.u);
}

/* Finds what vx_fast_rows says of the pieces' shapes; others than active ones do not count. */
static inline void find_shapes(vx_fast_group *g, const climbed *up, const climbed *down,
                               lane_mask areal, lane_mask active)
{
    floats zero = {0};
    floats high = down->high.u - up->high.u;
    floats low = down->low.u - up->low.u;
    floats width = high + low;
    lane_mask regular = areal & at_most_floats(zero, high * low);
    floats least = sizes(width);
    if (g->has_bends) {
        floats bends = bend(up) - bend(down);
        regular &= at_most_floats(zero, bends * width);
        least = most_floats(least, sizes(bends));
    }
    store_floats(g->rows.width, pick_floats(regular, least, all_floats(-1)));
    lane_mask turned = active & below_floats(least_floats(high, low), zero);
    g->rows.are_simple = !g->has_bends && bits_of_lanes(turned) == 0;
}

/* How many cells the rows of all lanes may have if each has room for as many, 1, 2, 4 or 8; 0 where
 * one has more. */
static inline uint32_t room_for(ints count)
{
    uint32_t room = 1;
    while (room <= VX_FAST_FEW && bits_of_lanes(below_ints(all_ints((int32_t)room), count)) != 0) {
        room *= 2;
    }
    return room <= VX_FAST_FEW ? room : 0;
}

static uint32_t step(vx_fast_group *g)
{
    ints row = load_ints(g->row);
    ints last = load_ints(g->row_last);
    lane_mask areal = below_ints(load_ints(g->rows.is_areal), all_ints(0));
    rung r = {.k = __builtin_convertvector(row + 1, floats), .is_last = equal_ints(row, last)};
    r.has_walls = bits_of_lanes(~areal) != 0;
    r.has_bends = g->has_bends;
    climbed up = climb(&g->up, &r, true);
    climbed down = climb(&g->down, &r, false);
    floats low;
    floats high;
    store_corners(g, &up, &down, &low, &high);
    /* Rounding may leave the grid by a little. */
    floats most = all_floats((float)(g->size[0] + 1));
    low = least_floats(most_floats(low, all_floats(-1)), most);
    high = least_floats(most_floats(high, all_floats(-1)), most);
    ranges cells = reached(low, high, (int32_t)g->size[0], areal);
    lane_mask active = ~below_ints(last, row);
    find_shapes(g, &up, &down, areal, active);
    ints count = cells.last - cells.first + 1;
    store_ints(g->rows.cell_first, cells.first);
    count = keep_ints(active & below_ints(all_ints(0), count), count);
    store_ints(g->rows.count, count);
    g->room = room_for(count);
    store_ints(g->row, row + 1);
    return bits_of_lanes(active);
}

/* --- cells --------------------------------------------------------------------------------------
 */

/* B2.24@ce437d to B2.26@f8f21f: the cells of pieces between two v, 0 where they are dropped. Ends
 * are cut so that what lies beyond the grid comes out with lo ≥ hi (docs/DIFFERENCES.md). */
static inline ints emit(floats low, floats high, ints is_up, int32_t height)
{
    floats top = all_floats((float)height);
    ints lo = floors(least_floats(most_floats(low, all_floats(-1)), top));
    ints hi = ceilings(least_floats(most_floats(high, all_floats(0)), top + 1));
    lane_mask flat = equal_ints(lo, hi);
    lo += keep_ints(flat, is_up);
    hi += keep_ints(flat, is_up + 1);
    lo = most_ints(lo, all_ints(0));
    hi = less_where(below_ints(all_ints(height), hi), hi);
    return keep_ints(below_ints(lo, hi), lo | hi << 16);
}

static inline void load_corners(const float *pieces, points *at)
{
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        at[i] = load_points(pieces + i * CORNER);
    }
}

/* A point of a plane u = k. */
typedef struct place {
    floats v, w;
} place;

static inline place pick_place(lane_mask mask, place yes, place no)
{
    return (place){pick_floats(mask, yes.v, no.v), pick_floats(mask, yes.w, no.w)};
}

/* The walk along the two chains of rows' pieces, from the least u to the largest: chain A follows
 * the polygon, chain B runs against it. */
typedef struct walk {
    points at[VX_FAST_CORNERS];
    place a, b;            /* the ends on the plane before; NaN before the first one */
    points next_a, next_b; /* the corners that the chains go to */
    lane_mask unsure, areal, regular;
    lane_mask irregular; /* of several cells */
    bool are_simple;     /* as in vx_fast_rows */
    floats doubt;        /* what a plane adds to CERTAIN_CHORD */
    floats width;        /* as in vx_fast_rows */
    ints count, is_up;
    floats first; /* cell */
    int32_t height;
} walk;

/* Where no chain has a middle, pieces have one corner less: the last one stands twice. In simple
 * ones the sides in the planes above and below go from the chain up to the chain down: these edges.
 */
enum { FEW_CORNERS = VX_FAST_CORNERS - 1, UPPER_SIDE = 1, LOWER_SIDE = FEW_CORNERS - 1 };

static inline size_t after(size_t corner)
{
    return (corner + 1) % VX_FAST_CORNERS;
}

/* One of some points, where its mask is set; the first of them is a first choice. */
static inline points first_choice(lane_mask where, points from)
{
    return (points){first_of(where, from.u), first_of(where, from.v), first_of(where, from.w)};
}

static inline points next_choice(points before, lane_mask where, points from)
{
    return (points){next_of(before.u, where, from.u), next_of(before.v, where, from.v),
                    next_of(before.w, where, from.w)};
}

/* The ends of the two edges that cross a plane; any points where none does. */
typedef struct edge_ends {
    points base_a, next_a, base_b, next_b;
} edge_ends;

/* beyond: corners that a plane does not cut off. In simple pieces the upper side does not fall and
 * the lower one does not rise. */
static inline edge_ends find_edges(const points *at, size_t corners, const lane_mask *beyond)
{
    bool is_simple = corners == FEW_CORNERS;
    lane_mask rises = and_not(beyond[1], beyond[0]);
    lane_mask falls = and_not(beyond[0], beyond[1]);
    edge_ends e = {first_choice(rises, at[0]), first_choice(rises, at[1]),
                   first_choice(falls, at[1]), first_choice(falls, at[0])};
    for (size_t i = 1; i < corners; i++) {
        size_t j = (i + 1) % corners;
        if (!(is_simple && i == UPPER_SIDE)) {
            falls = and_not(beyond[i], beyond[j]);
            e.base_b = next_choice(e.base_b, falls, at[j]);
            e.next_b = next_choice(e.next_b, falls, at[i]);
        }
        if (!(is_simple && i == LOWER_SIDE)) {
            rises = and_not(beyond[j], beyond[i]);
            e.base_a = next_choice(e.base_a, rises, at[i]);
            e.next_a = next_choice(e.next_a, rises, at[j]);
        }
    }
    return e;
}

/* A chain's edge from the corner below a plane, or from the end on the plane before, which is at
 * left, to the corner beyond it. */
typedef struct edge {
    points base, next;
    floats left;
    lane_mask is_moved;
} edge;

/* end: NULL before the first plane. */
static inline edge edge_between(points base, points next, floats left, const place *end)
{
    edge e = {base, next, left, no_lanes()};
    if (end != NULL) {
        e.is_moved = below_floats(base.u, left);
        e.base.v = pick_floats(e.is_moved, end->v, base.v);
        e.base.w = pick_floats(e.is_moved, end->w, base.w);
    }
    return e;
}

/* B2.15@3c3989 at u = k, or next where that lies in the plane. */
static inline place meet(const edge *e, floats k, bool rises)
{
    /* An end has the distance −1 exactly. */
    floats d_base = most_floats(e->base.u, e->left) - k;
    floats d_next = e->next.u - k;
    const points *p = rises ? &e->base : &e->next;
    const points *q = rises ? &e->next : &e->base;
    floats t = rises ? d_base / (d_base - d_next) : d_next / (d_next - d_base);
    place crossing = {between(p->v, q->v, t), between(p->w, q->w, t)};
    return pick_place(below_floats(k, e->next.u), crossing, (place){e->next.v, e->next.w});
}

/* A trapezoid between two planes, whose parallel sides have lengths of one sign: not those whose
 * product is too small for a number. */
static inline lane_mask is_trapezoid(place a, place b, place a_end, place b_end)
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
    place a = w->a;
    place b = w->b;
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
        place to_a = {between(a.v, next_a.v, t_a), between(a.w, next_a.w, t_a)};
        place to_b = {between(next_b.v, b.v, t_b), between(next_b.w, b.w, t_b)};
        unsure |= active & w->areal & ~is_trapezoid(a, b, to_a, to_b);
        floats low = least_floats(least_floats(a.v, b.v), least_floats(to_a.v, to_b.v));
        floats high = most_floats(most_floats(a.v, b.v), most_floats(to_a.v, to_b.v));
        made[count] = emit(low, high, w->is_up, w->height);
        a = pick_place(active, to_a, a);
        b = pick_place(active, to_b, b);
    }
    w->a = a;
    w->b = b;
    w->unsure = unsure;
    return count;
}

/* The piece of one cell a lane: the ends of the chains on the plane before and on the one after,
 * where there are such planes, and the corners of the polygon between them. */
typedef struct piece {
    place a, b, a_end, b_end;
    floats left, right; /* the planes */
    lane_mask has_before, has_after;
    lane_mask outside[VX_FAST_CORNERS]; /* corners that are not in it */
    points base_b;                      /* where chain B comes from to the plane after */
    lane_mask turns_a, turns_b;         /* the chains have corners after the plane before */
    lane_mask active;
} piece;

/* A term of B2.19@f8bcc6 with o as the first vertex. */
static inline floats term(points o, points p, points q)
{
    return (p.u - o.u) * (q.w - o.w) - (p.w - o.w) * (q.u - o.u);
}

static inline points point_at(floats u, place p)
{
    return (points){u, p.v, p.w};
}

/* The sum of B2.19@f8bcc6, in any order, from a vertex at the piece's plane after on, or before
 * where it has no other, or from a corner. */
static inline floats sum_of(const walk *w, const piece *p)
{
    points a = point_at(p->left, p->a);
    points b = point_at(p->left, p->b);
    points b_end = point_at(p->right, p->b_end);
    points first = pick_points(p->has_before, a, w->at[0]);
    first = pick_points(p->has_after, point_at(p->right, p->a_end), first);
    floats sum = {0};
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        lane_mask both = ~(p->outside[i] | p->outside[after(i)]);
        both &= below_floats(most_floats(w->at[i].u, w->at[after(i)].u), p->right);
        sum += keep_floats(both, term(first, w->at[i], w->at[after(i)]));
    }
    sum += keep_floats(p->has_before, term(first, b, a));
    sum += keep_floats(p->has_after, term(first, b_end, p->base_b));
    sum += keep_floats(p->turns_a, term(first, a, w->next_a));
    return sum + keep_floats(p->turns_b, term(first, w->next_b, b));
}

typedef struct extent {
    floats low, high;
} extent;

static inline void widen(extent *e, lane_mask unless, floats by)
{
    e->low = least_unless(unless, e->low, by);
    e->high = most_unless(unless, e->high, by);
}

/* Whether pieces touch their cells: not 0 in area (B2.19@f8bcc6), or in length (B2.20@f6b248).
 * Where that can't be told and the lane is active, it is unsure. */
static __attribute__((noinline)) lane_mask touches_closely(walk *w, const piece *p)
{
    floats far = all_floats(FAR);
    extent u = {far, -far};
    extent v = u;
    lane_mask plain = p->has_before & p->has_after;
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        widen(&u, p->outside[i], w->at[i].u);
        widen(&v, p->outside[i], w->at[i].w);
        plain &= p->outside[i];
    }
    widen(&u, ~p->has_before, p->left);
    widen(&v, ~p->has_before, p->a.w);
    widen(&v, ~p->has_before, p->b.w);
    widen(&u, ~p->has_after, p->right);
    widen(&v, ~p->has_after, p->a_end.w);
    widen(&v, ~p->has_after, p->b_end.w);
    floats box = (u.high - u.low) * (v.high - v.low);
    lane_mask certain = below_floats(box * CERTAIN_PART, sizes(sum_of(w, p))) &
                        below_floats(all_floats(CERTAIN_BOX), box);
    certain |= plain & is_trapezoid(p->a, p->b, p->a_end, p->b_end);
    lane_mask same_u = equal_floats(u.low, u.high);
    lane_mask same_w = equal_floats(v.low, v.high);
    /* All terms are 0 when the vertices share a coordinate. */
    lane_mask flat = (same_u & same_w) | (w->areal & (same_u | same_w));
    w->unsure |= p->active & w->areal & ~(certain | flat);
    return ~flat;
}

/* What is known of a step beforehand. */
typedef struct kind {
    size_t corners;
    bool is_first; /* if not, it may be the first one all the same */
    bool is_irregular;
} kind;

/* Finds the corners that a plane does not cut off. Returns walls that have nothing but what lies in
 * it: there, that is cut off. */
static inline __attribute__((always_inline)) lane_mask find_beyond(const walk *w, floats k, kind of,
                                                                   lane_mask *beyond)
{
    for (size_t i = 0; i < of.corners; i++) {
        beyond[i] = at_most_floats(k, w->at[i].u);
    }
    lane_mask touching = no_lanes();
    if (of.is_irregular) {
        /* They have a cell before their least u when that is a plane. */
        touching = ~w->areal;
        for (size_t i = 0; i < of.corners; i++) {
            touching &= beyond[i];
        }
        for (size_t i = 0; i < of.corners; i++) {
            beyond[i] &= ~(touching & equal_floats(w->at[i].u, k));
        }
    }
    return touching;
}

/* The extremes of v: of the chains' ends on both planes, and of corners that are not outside. */
static inline __attribute__((always_inline)) extent extremes(const walk *w, kind of, place a_end,
                                                             place b_end, const lane_mask *outside)
{
    extent v = {least_floats(a_end.v, b_end.v), most_floats(a_end.v, b_end.v)};
    if (!of.is_first) {
        v = (extent){least_floats(w->a.v, v.low), most_floats(w->a.v, v.high)};
        v = (extent){least_floats(w->b.v, v.low), most_floats(w->b.v, v.high)};
    }
    for (size_t i = 0; i < of.corners; i++) {
        widen(&v, outside[i], w->at[i].v);
    }
    return v;
}

/* Moves the chains' ends where there was a plane. */
static inline void move_ends(walk *w, kind of, lane_mask active, place a_end, place b_end)
{
    if (of.is_first) {
        w->a = (place){nan_unless(active, a_end.v), a_end.w};
        w->b = (place){nan_unless(active, b_end.v), b_end.w};
    } else {
        w->a = pick_place(active, a_end, w->a);
        w->b = pick_place(active, b_end, w->b);
    }
}

/* Any cells but the last: all corners of the polygon in the closed cell belong to its piece. */
static inline __attribute__((always_inline)) ints any_cells(walk *w, uint32_t s, kind of)
{
    size_t corners = of.corners;
    floats right = w->first + (float)(s + 1);
    floats left = s > 0 ? right - 1 : all_floats(-FAR);
    lane_mask active = has_plane(w, s);
    /* Other lanes cut nothing off. */
    floats k = nan_unless(active, right);
    lane_mask beyond[VX_FAST_CORNERS];
    lane_mask touching = find_beyond(w, k, of, beyond);
    edge_ends e = find_edges(w->at, corners, beyond);
    edge edge_a = edge_between(e.base_a, e.next_a, left, of.is_first ? NULL : &w->a);
    edge edge_b = edge_between(e.base_b, e.next_b, left, of.is_first ? NULL : &w->b);
    place a_end = meet(&edge_a, right, true);
    place b_end = meet(&edge_b, right, false);
    if (of.is_irregular) {
        a_end = pick_place(touching, (place){edge_a.base.v, edge_a.base.w}, a_end);
        b_end = pick_place(touching, (place){edge_b.base.v, edge_b.base.w}, b_end);
    }
    floats chords = b_end.w - a_end.w;
    if (!of.is_first) {
        chords += w->b.w - w->a.w;
    }
    lane_mask outside[VX_FAST_CORNERS];
    for (size_t i = 0; i < corners; i++) {
        outside[i] = below_floats(k, w->at[i].u);
        outside[i] |= of.is_first ? no_lanes() : below_floats(w->at[i].u, left);
    }
    extent v = extremes(w, of, a_end, b_end, outside);
    lane_mask sure =
        w->regular & below_floats(w->doubt * (float)(s + 1) + CERTAIN_CHORD, sizes(chords));
    if (of.is_irregular) {
        /* Other walls come from below the plane. */
        sure |= ~(w->areal | touching);
    }
    ints cells = emit(v.low, v.high, w->is_up, w->height);
    if (bits_of_lanes(and_not(active, sure)) != 0) {
        lane_mask before = s > 0 ? all_lanes() : no_lanes();
        piece p = {.a = w->a,
                   .b = w->b,
                   .a_end = a_end,
                   .b_end = b_end,
                   .left = left,
                   .right = right,
                   .has_before = before,
                   .has_after = all_lanes(),
                   .base_b = edge_b.base,
                   .turns_a = and_not(before, edge_a.is_moved),
                   .turns_b = and_not(before, edge_b.is_moved),
                   .active = active};
        outside[VX_FAST_CORNERS - 1] = outside[corners - 1];
        memcpy(p.outside, outside, sizeof outside);
        cells = keep_ints(sure | touches_closely(w, &p), cells);
    }
    move_ends(w, of, active, a_end, b_end);
    /* Of use in lanes that go on. */
    w->next_a = e.next_a;
    w->next_b = e.next_b;
    return cells;
}

/* Whether pieces have corners beyond the last plane, or any two that differ in u. */
static inline lane_mask goes_on(const walk *w, lane_mask has_plane, floats plane)
{
    floats low = w->at[0].u;
    floats high = low;
    for (size_t i = 1; i < VX_FAST_CORNERS; i++) {
        low = least_floats(low, w->at[i].u);
        high = most_floats(high, w->at[i].u);
    }
    return below_floats(pick_floats(has_plane, plane, low), high);
}

/* The corner that chain B goes to from a plane. */
static inline points next_of_b(const points *at, floats plane)
{
    points next = at[0];
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        lane_mask falls =
            and_not(at_most_floats(plane, at[i].u), at_most_floats(plane, at[after(i)].u));
        next = pick_points(falls, at[i], next);
    }
    return next;
}

/* The last cells of all lanes: what the planes have left. */
static inline ints last_cells(walk *w)
{
    lane_mask many = below_ints(all_ints(1), w->count);
    floats planes = __builtin_convertvector(w->count - 1, floats);
    floats left = pick_floats(many, w->first + planes, all_floats(-FAR));
    extent v = {least_floats(w->a.v, all_floats(FAR)), most_floats(w->a.v, all_floats(-FAR))};
    v = (extent){least_floats(w->b.v, v.low), most_floats(w->b.v, v.high)};
    lane_mask outside[VX_FAST_CORNERS];
    for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
        outside[i] = below_floats(w->at[i].u, left);
        widen(&v, outside[i], w->at[i].v);
    }
    floats chord = pick_floats(many, sizes(w->b.w - w->a.w), w->width);
    lane_mask sure = w->regular & below_floats(w->doubt * planes + CERTAIN_CHORD, chord);
    ints cells = emit(v.low, v.high, w->is_up, w->height);
    lane_mask active = below_ints(all_ints(0), w->count);
    if (bits_of_lanes(and_not(active, w->areal)) != 0) {
        sure |= ~w->areal & goes_on(w, many, left);
    }
    if (bits_of_lanes(and_not(active, sure)) != 0) {
        piece p = {.a = w->a,
                   .b = w->b,
                   .a_end = w->a,
                   .b_end = w->b,
                   .left = left,
                   .right = all_floats(FAR),
                   .has_before = many,
                   .has_after = no_lanes(),
                   .base_b = w->at[0],
                   .turns_a = no_lanes(), /* a is the first vertex */
                   .turns_b = many,
                   .active = active};
        memcpy(p.outside, outside, sizeof outside);
        w->next_b = next_of_b(w->at, left);
        cells = keep_ints(sure | touches_closely(w, &p), cells);
    }
    return cells;
}

/* Whether all that lies below any plane is one part of the polygon, and so is the rest. Regular
 * pieces are convex. */
static __attribute__((noinline)) lane_mask has_chains(const points *at)
{
    lane_mask once = no_lanes();
    lane_mask twice = once;
    for (size_t k = 0; k < VX_FAST_CORNERS; k++) {
        lane_mask beyond[VX_FAST_CORNERS];
        for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
            beyond[i] = at_most_floats(at[k].u, at[i].u);
        }
        lane_mask here = no_lanes();
        for (size_t i = 0; i < VX_FAST_CORNERS; i++) {
            lane_mask rises = and_not(beyond[after(i)], beyond[i]);
            twice |= here & rises;
            here |= rises;
        }
        once |= here;
    }
    return once & ~twice;
}

static inline void begin_walk(const vx_fast_rows *rows, const float *pieces, uint32_t height,
                              walk *w)
{
    w->count = load_ints(rows->count);
    w->is_up = load_ints(rows->is_up);
    w->areal = below_ints(load_ints(rows->is_areal), all_ints(0));
    w->width = load_floats(rows->width);
    w->regular = at_most_floats(all_floats(0), w->width);
    w->first = __builtin_convertvector(load_ints(rows->cell_first), floats);
    w->height = (int32_t)height;
    w->unsure = no_lanes();
    load_corners(pieces, w->at);
    w->doubt = (w->at[0].w + 8) * CHORD_DOUBT;
    w->a.v = w->b.v = all_floats(NAN);
    w->a.w = w->b.w = all_floats(0);
    w->next_a = w->next_b = w->at[0];
    w->irregular = and_not(below_ints(all_ints(1), w->count), w->regular);
    w->are_simple = rows->are_simple;
    if (bits_of_lanes(w->irregular) != 0) {
        w->unsure = and_not(w->irregular, has_chains(w->at));
    }
}

/* Any cells of one step: kept out of the loops, which need their registers for plain ones. */
static __attribute__((noinline)) ints first_simple(walk *w)
{
    return any_cells(w, 0, (kind){FEW_CORNERS, true, false});
}

static __attribute__((noinline)) ints first_regular(walk *w)
{
    return any_cells(w, 0, (kind){VX_FAST_CORNERS, true, false});
}

static __attribute__((noinline)) ints any_simple(walk *w, uint32_t s)
{
    return any_cells(w, s, (kind){FEW_CORNERS, false, false});
}

static __attribute__((noinline)) ints any_regular(walk *w, uint32_t s)
{
    return any_cells(w, s, (kind){VX_FAST_CORNERS, false, false});
}

static __attribute__((noinline)) ints any_irregular(walk *w, uint32_t s)
{
    return any_cells(w, s, (kind){VX_FAST_CORNERS, false, true});
}

static inline ints any_step(walk *w, uint32_t s)
{
    if (bits_of_lanes(w->irregular & has_plane(w, s)) != 0) {
        return any_irregular(w, s);
    }
    if (s == 0) {
        return w->are_simple ? first_simple(w) : first_regular(w);
    }
    return w->are_simple ? any_simple(w, s) : any_regular(w, s);
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

const vx_fast_lane_kernels VX_FAST_LEVEL = {LANES, transform, setup, step, short_cells, long_cells};
