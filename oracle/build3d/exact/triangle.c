/* SPDX-License-Identifier: MIT */
/* One triangle: the rows that it may fill, and those that it fills for certain (SPEC B2). The
 * lemmas are in docs/TRUST.md, "The bound". */
#include <math.h>

#include "solid.h"

/* Lemma 5: a fan's sum over a piece (B2.19) is off by at most this, times the piece's extents, and
 * by this where products underflow. */
#define FAN_ERROR 0x1p-12
#define FAN_UNDERFLOW 0x1p-140

/* Lemma 5: how often the outline of a computed piece can wind around a point near its border. */
enum { WINDINGS = 24 };

/* A normal longer than this can't be taken for 0 (B2.10): its square is far from underflow. */
#define NORMAL_LEAST 0x1p-40

/* CORNERS in cell units; INNER and OUTER have their edges moved by the error. The strips are those
 * of the row at hand, the pieces those of the cell. */
enum {
    CORNERS,
    INNER,
    OUTER,
    STRIP,
    INNER_STRIP,
    OUTER_STRIP,
    PIECE,
    INNER_PIECE,
    OUTER_PIECE,
    SPARE,
    POLYGONS
};

typedef struct judged {
    vx_exact_solid *solid;
    vx_exact_polygon polygons[POLYGONS];
    enum vx_exact_axis across, along; /* the plane of its shadow: u and w, unless it is a wall */
    bool is_wall;                     /* on a plane of equal x or equal z, exactly */
    bool is_certain;
    vx_exact_bound bound;
    mpq_t error[3], twice[3]; /* bound.at, and twice that */
    mpq_t slack;              /* of v, where the surface is steep (Lemma 6) */
    vx_exact_half half;
    vx_exact_rows rows; /* what is the same in all cells */
    vx_exact_addition added;
    mpq_t a, b, c; /* for intermediate values */
} judged;

static void init(judged *t)
{
    for (size_t i = 0; i < POLYGONS; i++) {
        vx_exact_polygon_init(&t->polygons[i]);
    }
    for (size_t i = 0; i < 3; i++) {
        mpq_inits(t->error[i], t->twice[i], NULL);
    }
    mpq_inits(t->slack, t->a, t->b, t->c, NULL);
    vx_exact_half_init(&t->half);
}

static void clear(judged *t)
{
    for (size_t i = 0; i < POLYGONS; i++) {
        vx_exact_polygon_clear(&t->polygons[i]);
    }
    for (size_t i = 0; i < 3; i++) {
        mpq_clears(t->error[i], t->twice[i], NULL);
    }
    mpq_clears(t->slack, t->a, t->b, t->c, NULL);
    vx_exact_half_clear(&t->half);
}

/* --- what is known before cutting ------------------------------------------------------------- */

/* SPEC B1.7, B1.8, exactly. */
static void place(judged *t, const vx_exact_triangle *triangle)
{
    vx_exact_polygon *corners = &t->polygons[CORNERS];
    corners->count = 3;
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 3; k++) {
            mpq_sub(t->a, triangle->corners[i][k], t->solid->origin[k]);
            mpq_div(corners->corners[i].at[k], t->a, t->solid->cell[k]);
        }
    }
}

/* Rounded down and up, within int64_t: coordinates are below 2^44. */
static int64_t floor_of(const mpq_t value)
{
    mpz_t whole;
    mpz_init(whole);
    mpz_fdiv_q(whole, mpq_numref(value), mpq_denref(value));
    int64_t result = mpz_get_si(whole);
    mpz_clear(whole);
    return result;
}

static int64_t ceil_of(const mpq_t value)
{
    mpz_t whole;
    mpz_init(whole);
    mpz_cdiv_q(whole, mpq_numref(value), mpq_denref(value));
    int64_t result = mpz_get_si(whole);
    mpz_clear(whole);
    return result;
}

/* The cells of the grid that a polygon comes within the margin of. */
static void reach(judged *t, const vx_exact_polygon *polygon, enum vx_exact_axis axis,
                  const mpq_t margin, int64_t *first, int64_t *last)
{
    int64_t limit = t->solid->size[axis == VX_EXACT_U ? 0 : 1];
    vx_exact_extremes(polygon, axis, t->a, t->b);
    mpq_sub(t->a, t->a, margin);
    mpq_add(t->b, t->b, margin);
    *first = ceil_of(t->a) - 1;
    *last = floor_of(t->b);
    *first = *first > 0 ? *first : 0;
    *last = *last < limit - 1 ? *last : limit - 1;
}

/* The planes that can cut it: four of the grid, and those between the cells within a cell of it. */
static int64_t count_planes(judged *t)
{
    int64_t planes = 4;
    mpq_set_ui(t->c, 1, 1);
    for (int axis = VX_EXACT_U; axis <= VX_EXACT_W; axis += 2) {
        int64_t first, last;
        reach(t, &t->polygons[CORNERS], (enum vx_exact_axis)axis, t->c, &first, &last);
        planes += last >= first ? last - first : 0;
    }
    return planes;
}

/* Lemma 3. Where an error is not small against a cell, any plane of the grid can cut. */
static void find_errors(judged *t, double world_error)
{
    vx_exact_solid *solid = t->solid;
    const vx_exact_polygon *corners = &t->polygons[CORNERS];
    t->bound = vx_exact_find_bound(solid, corners, world_error, count_planes(t));
    if (!(t->bound.at[VX_EXACT_U] < 0.5 && t->bound.at[VX_EXACT_W] < 0.5)) {
        t->bound = vx_exact_find_bound(solid, corners, world_error,
                                       4 + solid->size[0] - 1 + solid->size[1] - 1);
    }
    for (size_t i = 0; i < 3; i++) {
        mpq_set_d(t->error[i], t->bound.at[i]);
        mpq_add(t->twice[i], t->error[i], t->error[i]);
    }
    for (size_t i = 0; i < 2; i++) {
        solid->reach[i] = fmax(solid->reach[i], 2 * t->bound.at[2 * i]);
    }
}

static bool is_flat(const vx_exact_triangle *triangle, enum vx_exact_axis axis)
{
    return mpq_equal(triangle->corners[0][axis], triangle->corners[1][axis]) &&
           mpq_equal(triangle->corners[0][axis], triangle->corners[2][axis]);
}

/* Whether binary32 must see the triangle as areal (Lemma 4), or as a wall on a plane of equal x or
 * z, whose footprint is 0 by itself; and as not degenerate. */
static void classify(judged *t, const vx_exact_triangle *triangle)
{
    const vx_exact_polygon *corners = &t->polygons[CORNERS];
    t->is_wall = is_flat(triangle, VX_EXACT_U) || is_flat(triangle, VX_EXACT_W);
    t->across = is_flat(triangle, VX_EXACT_U) ? VX_EXACT_W : VX_EXACT_U;
    t->along = t->is_wall ? VX_EXACT_V : VX_EXACT_W;
    t->rows.source = t->is_wall ? VX_EXACT_WALL : VX_EXACT_AREAL;
    const double extents[] = {vx_exact_extent(corners, t->across),
                              vx_exact_extent(corners, t->along)};
    const double errors[] = {t->bound.corner[t->across], t->bound.corner[t->along]};
    double least = 2 * vx_exact_cross_error(extents, errors);
    double scale = mpq_get_d(t->solid->cell[t->across]) * mpq_get_d(t->solid->cell[t->along]);
    vx_exact_area(corners, t->across, t->along, t->a);
    double area = fabs(mpq_get_d(t->a));
    t->is_certain = area > least && (area - least) * scale > NORMAL_LEAST;
}

/* Whether two corners are one point: equal numbers stay equal in binary32, and the normal is 0
 * (B2.8, B2.10). */
static bool is_degenerate(const vx_exact_triangle *triangle)
{
    for (size_t i = 0; i < 3; i++) {
        mpq_t *p = triangle->corners[i];
        mpq_t *q = triangle->corners[(i + 1) % 3];
        if (mpq_equal(p[0], q[0]) && mpq_equal(p[1], q[1]) && mpq_equal(p[2], q[2])) {
            return true;
        }
    }
    return false;
}

/* Where equal inputs decide alone, whether the triangle is walkable (Lemma 7); −1: they do not. */
static int walkable_by_equality(const judged *t, const vx_exact_triangle *triangle)
{
    if (t->is_wall && triangle->slope_cosine >= 0) {
        return 0;
    }
    if (t->is_certain && is_flat(triangle, VX_EXACT_V)) {
        return (float)-mpq_sgn(t->a) > triangle->slope_cosine;
    }
    return -1;
}

/* SPEC B2.11: the areas that the triangle may have; t->a is its footprint. */
static void find_areas(judged *t, const vx_exact_triangle *triangle)
{
    static const uint64_t of[] = {UINT64_C(1), UINT64_C(1) << VX_AREA_WALKABLE};
    t->added.threshold = (int32_t)triangle->threshold;
    t->added.is_classified = triangle->area < 0;
    if (triangle->area >= 0) {
        t->added.areas = UINT64_C(1) << triangle->area;
        return;
    }
    int walkable = walkable_by_equality(t, triangle);
    if (walkable >= 0) {
        t->added.areas = of[walkable];
        return;
    }
    vx_exact_slope slope = vx_exact_find_slope(t->solid, &t->polygons[CORNERS], &t->bound,
                                               (double)triangle->slope_cosine);
    t->added.areas = (slope.difference <= slope.error ? of[0] : 0) |
                     (slope.difference >= -slope.error ? of[1] : 0);
}

/* The part of a polygon on one side of an axis. */
static void keep(judged *t, int polygon, enum vx_exact_axis axis, int side, const mpq_t limit)
{
    vx_exact_half_set(&t->half, axis, side, limit);
    vx_exact_clip(&t->polygons[SPARE], &t->polygons[polygon], &t->half);
    vx_exact_polygon_copy(&t->polygons[polygon], &t->polygons[SPARE]);
}

/* t->half: the side of edge i, moved by the error outwards (sign 1) or inwards (−1), on which the
 * triangle lies; turn is the sign of its area. */
static void find_side(judged *t, size_t i, int turn, int sign)
{
    const vx_exact_point *p = &t->polygons[CORNERS].corners[i];
    const vx_exact_point *q = &t->polygons[CORNERS].corners[(i + 1) % 3];
    const enum vx_exact_axis axes[] = {t->across, t->along};
    mpq_t *normal = t->half.normal;
    for (size_t k = 0; k < 3; k++) {
        mpq_set_ui(normal[k], 0, 1);
    }
    mpq_sub(normal[t->across], q->at[t->along], p->at[t->along]);
    mpq_sub(normal[t->along], p->at[t->across], q->at[t->across]);
    mpq_set_ui(t->half.limit, 0, 1);
    for (size_t k = 0; k < 2; k++) {
        if (turn < 0) {
            mpq_neg(normal[axes[k]], normal[axes[k]]);
        }
        mpq_mul(t->a, normal[axes[k]], p->at[axes[k]]);
        mpq_add(t->half.limit, t->half.limit, t->a);
        mpq_abs(t->b, normal[axes[k]]);
        mpq_mul(t->b, t->b, t->error[axes[k]]);
        if (sign < 0) {
            mpq_neg(t->b, t->b);
        }
        mpq_add(t->half.limit, t->half.limit, t->b);
    }
}

/* A rectangle around the shadow, wider by the error on all sides; its height is that of a corner.
 */
static void box(judged *t, vx_exact_polygon *made)
{
    static const bool high[4][2] = {{false, false}, {true, false}, {true, true}, {false, true}};
    const enum vx_exact_axis axes[] = {t->across, t->along};
    vx_exact_polygon_copy(made, &t->polygons[CORNERS]);
    made->count = 4;
    for (size_t k = 0; k < 2; k++) {
        vx_exact_extremes(&t->polygons[CORNERS], axes[k], t->a, t->b);
        mpq_sub(t->a, t->a, t->error[axes[k]]);
        mpq_add(t->b, t->b, t->error[axes[k]]);
        for (size_t i = 0; i < 4; i++) {
            mpq_set(made->corners[i].at[axes[k]], high[i][k] ? t->b : t->a);
        }
    }
}

/* INNER and OUTER (Lemma 5): each edge moves inwards or outwards by the error. */
static void move_edges(judged *t)
{
    vx_exact_area(&t->polygons[CORNERS], t->across, t->along, t->c);
    int turn = mpq_sgn(t->c);
    vx_exact_polygon_copy(&t->polygons[INNER], &t->polygons[CORNERS]);
    box(t, &t->polygons[OUTER]);
    for (size_t i = 0; i < 3; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            int moved = sign < 0 ? INNER : OUTER;
            find_side(t, i, turn, sign);
            vx_exact_clip(&t->polygons[SPARE], &t->polygons[moved], &t->half);
            vx_exact_polygon_copy(&t->polygons[moved], &t->polygons[SPARE]);
        }
    }
}

/* Lemma 6: v strays by its own error, and by the surface's slope times that of u and w. */
static void find_slack(judged *t)
{
    const vx_exact_polygon *corners = &t->polygons[CORNERS];
    mpq_set_ui(t->slack, 0, 1);
    if (t->is_wall) {
        return;
    }
    vx_exact_area(corners, VX_EXACT_U, VX_EXACT_W, t->c);
    vx_exact_area(corners, VX_EXACT_V, VX_EXACT_W, t->a);
    mpq_div(t->a, t->a, t->c);
    mpq_abs(t->a, t->a);
    mpq_mul(t->slack, t->a, t->error[VX_EXACT_U]);
    vx_exact_area(corners, VX_EXACT_U, VX_EXACT_V, t->a);
    mpq_div(t->a, t->a, t->c);
    mpq_abs(t->a, t->a);
    mpq_mul(t->a, t->a, t->error[VX_EXACT_W]);
    mpq_add(t->slack, t->slack, t->a);
    mpq_add(t->slack, t->slack, t->error[VX_EXACT_V]);
}

/* --- cutting ---------------------------------------------------------------------------------- */

/* Makes `to` the part of `from` in the strip [k, k + 1] of an axis, wider on both sides by the
 * margin (sign 1) or narrower (−1). */
static void cut(judged *t, int to, int from, enum vx_exact_axis axis, int64_t k, int sign,
                const mpq_t margin)
{
    vx_exact_polygon_copy(&t->polygons[to], &t->polygons[from]);
    for (int side = -1; side <= 1; side += 2) {
        mpq_set_si(t->a, side < 0 ? k : k + 1, 1);
        if (side * sign > 0) {
            mpq_add(t->a, t->a, margin);
        } else {
            mpq_sub(t->a, t->a, margin);
        }
        keep(t, to, axis, side, t->a);
    }
}

/* Cuts the inner and the outer polygon. */
static void cut_both(judged *t, int inner, int outer, int from_inner, int from_outer,
                     enum vx_exact_axis axis, int64_t k)
{
    cut(t, inner, from_inner, axis, k, -1, t->error[axis]);
    cut(t, outer, from_outer, axis, k, 1, t->error[axis]);
}

/* The product of the extents of the outer piece. */
static void extents(judged *t, mpq_t product)
{
    const enum vx_exact_axis axes[] = {t->across, t->along};
    mpq_set_ui(product, 1, 1);
    for (size_t k = 0; k < 2; k++) {
        vx_exact_extremes(&t->polygons[OUTER_PIECE], axes[k], t->a, t->b);
        mpq_sub(t->b, t->b, t->a);
        mpq_mul(product, product, t->b);
    }
}

/* Lemma 5: whether every correct implementation finds that the triangle touches the cell. */
static bool surely_touches(judged *t, vx_exact_rows *rows)
{
    if (t->polygons[INNER_PIECE].count < 3) {
        return false;
    }
    mpq_set_ui(t->c, 0, 1);
    if (!t->is_wall) {
        extents(t, t->c);
        mpq_set_d(t->a, FAN_ERROR);
        mpq_mul(t->c, t->c, t->a);
        mpq_set_d(t->a, FAN_UNDERFLOW);
        mpq_add(t->c, t->c, t->a);
    }
    vx_exact_area(&t->polygons[INNER_PIECE], t->across, t->along, t->a);
    mpq_abs(t->a, t->a);
    if (!t->is_wall) {
        vx_exact_area(&t->polygons[OUTER_PIECE], t->across, t->along, t->b);
        mpq_abs(t->b, t->b);
        mpq_sub(t->b, t->b, t->a);
        mpq_set_ui(t->half.limit, WINDINGS, 1);
        mpq_mul(t->b, t->b, t->half.limit);
        mpq_add(t->c, t->c, t->b);
    }
    rows->area = (float)(mpq_get_d(t->a) / 2);
    rows->area_bound = (float)(mpq_get_d(t->c) / 2);
    return mpq_cmp(t->a, t->c) > 0;
}

/* Notes rows of a cell between t->a and t->b, and tells which they are. */
static vx_status note(judged *t, vx_exact_list *list, int64_t x, int64_t z, vx_exact_rows *rows,
                      int64_t range[2])
{
    range[0] = floor_of(t->a);
    range[1] = ceil_of(t->b);
    return vx_exact_append(t->solid, list, x, z, range[0], range[1], rows);
}

/* Notes the span of a cell: within the rows that may be filled, around those that must be; those
 * are not known where it is not sure. */
static vx_status note_addition(judged *t, int64_t x, int64_t z, const int64_t may[2],
                               const int64_t must[2], bool is_sure)
{
    int64_t min[2] = {may[0], may[1] - 1};
    int64_t max[2] = {may[0] + 1, may[1]};
    t->added.is_sure = is_sure;
    if (is_sure) {
        min[1] = must[0] < min[1] ? must[0] : min[1];
        max[0] = must[1] > max[0] ? must[1] : max[0];
    }
    return vx_exact_append_addition(t->solid, x, z, min, max, &t->added);
}

static vx_status judge_cell(judged *t, int64_t x, int64_t z)
{
    vx_exact_rows rows = t->rows;
    int64_t may[2];
    int64_t must[2];
    cut(t, PIECE, STRIP, VX_EXACT_U, x, 1, t->twice[VX_EXACT_U]);
    if (t->polygons[PIECE].count == 0) {
        return VX_OK;
    }
    vx_exact_extremes(&t->polygons[PIECE], VX_EXACT_V, t->a, t->b);
    rows.least = mpq_get_d(t->a);
    rows.greatest = mpq_get_d(t->b);
    rows.bound = (float)t->bound.at[VX_EXACT_V];
    mpq_sub(t->a, t->a, t->error[VX_EXACT_V]);
    mpq_add(t->b, t->b, t->error[VX_EXACT_V]);
    vx_status status = note(t, &t->solid->may, x, z, &rows, may);
    if (status != VX_OK) {
        return status;
    }
    if (t->is_certain) {
        cut_both(t, INNER_PIECE, OUTER_PIECE, INNER_STRIP, OUTER_STRIP, VX_EXACT_U, x);
    }
    if (!t->is_certain || !surely_touches(t, &rows)) {
        return note_addition(t, x, z, may, must, false);
    }
    vx_exact_extremes(&t->polygons[INNER_PIECE], VX_EXACT_V, t->a, t->b);
    rows.least = mpq_get_d(t->a);
    rows.greatest = mpq_get_d(t->b);
    rows.bound = (float)mpq_get_d(t->slack);
    mpq_add(t->a, t->a, t->slack);
    mpq_sub(t->b, t->b, t->slack);
    status = note(t, &t->solid->must, x, z, &rows, must);
    return status == VX_OK ? note_addition(t, x, z, may, must, true) : status;
}

static vx_status judge_row(judged *t, int64_t z, const vx_exact_court *court)
{
    vx_status status = VX_OK;
    int64_t first, last;
    cut(t, STRIP, CORNERS, VX_EXACT_W, z, 1, t->twice[VX_EXACT_W]);
    if (t->polygons[STRIP].count == 0) {
        return VX_OK;
    }
    if (t->is_certain) {
        cut_both(t, INNER_STRIP, OUTER_STRIP, INNER, OUTER, VX_EXACT_W, z);
    }
    reach(t, &t->polygons[STRIP], VX_EXACT_U, t->twice[VX_EXACT_U], &first, &last);
    for (int64_t x = first; x <= last && status == VX_OK; x++) {
        status = judge_cell(t, x, z);
    }
    if (court->tick != NULL) {
        court->tick(court->context, last >= first ? (uint64_t)(last - first + 1) : 0);
    }
    return status;
}

vx_status vx_exact_add_triangle(vx_exact_solid *solid, const vx_exact_triangle *triangle,
                                const vx_exact_court *court)
{
    judged t = {.solid = solid, .rows = {.triangle = (uint32_t)triangle->number}};
    int64_t first, last;
    vx_status status = VX_OK;
    if (is_degenerate(triangle)) {
        solid->degenerate[0]++;
        solid->degenerate[1]++;
        return VX_OK;
    }
    init(&t);
    place(&t, triangle);
    find_errors(&t, triangle->world_error);
    classify(&t, triangle);
    find_areas(&t, triangle);
    if (t.is_certain) {
        move_edges(&t);
        find_slack(&t);
    } else {
        solid->degenerate[1]++;
    }
    reach(&t, &t.polygons[CORNERS], VX_EXACT_W, t.twice[VX_EXACT_W], &first, &last);
    for (int64_t z = first; z <= last && status == VX_OK; z++) {
        status = judge_row(&t, z, court);
    }
    clear(&t);
    return status;
}
