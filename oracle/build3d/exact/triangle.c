/* SPDX-License-Identifier: MIT */
/* One triangle: the rows that it may fill, and those that it fills for certain (SPEC B2). */
#include <math.h>

#include "solid.h"

/* Lemma 5: a fan's sum over a piece inside one cell (B2.19) is off by at most this. */
#define FAN_ERROR 0x1p-13

/* Lemma 5: how often the outline of a computed piece can wind around a point near its border. */
enum { WINDINGS = 8 };

/* A normal longer than this can't be taken for 0 (B2.10): its square is far from underflow. */
#define NORMAL_LEAST 0x1p-40

enum { CORNERS, INNER, STRIP, INNER_STRIP, PIECE, INNER_PIECE, SPARE, POLYGONS };

typedef struct judged {
    vx_exact_solid *solid;
    size_t number;
    /* CORNERS in cell units; INNER is what is left when its edges move inwards by the error. */
    vx_exact_polygon polygons[POLYGONS];
    enum vx_exact_axis across, along; /* the plane of its shadow: u and w, unless it is a wall */
    bool is_wall;                     /* on a plane of equal x or equal z, exactly */
    bool is_certain;
    vx_exact_bound bound;
    mpq_t error[3]; /* bound.at */
    mpq_t slack;    /* of v, where the surface is steep (Lemma 6) */
    vx_exact_half half;
    mpq_t a, b, c; /* for intermediate values */
} judged;

static void init(judged *t)
{
    for (size_t i = 0; i < POLYGONS; i++) {
        vx_exact_polygon_init(&t->polygons[i]);
    }
    mpq_inits(t->error[0], t->error[1], t->error[2], t->slack, t->a, t->b, t->c, NULL);
    vx_exact_half_init(&t->half);
}

static void clear(judged *t)
{
    for (size_t i = 0; i < POLYGONS; i++) {
        vx_exact_polygon_clear(&t->polygons[i]);
    }
    mpq_clears(t->error[0], t->error[1], t->error[2], t->slack, t->a, t->b, t->c, NULL);
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

/* Rounded down and up, within int64_t: coordinates are below 2^43. */
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

/* The cells that a polygon comes within the error of, inside 0 … limit − 1. */
static void reach(judged *t, const vx_exact_polygon *polygon, enum vx_exact_axis axis,
                  int64_t limit, int64_t *first, int64_t *last)
{
    vx_exact_extremes(polygon, axis, t->a, t->b);
    mpq_sub(t->a, t->a, t->error[axis]);
    mpq_add(t->b, t->b, t->error[axis]);
    *first = ceil_of(t->a) - 1;
    *last = floor_of(t->b);
    *first = *first > 0 ? *first : 0;
    *last = *last < limit - 1 ? *last : limit - 1;
}

/* Lemma 3: the planes that can cut it: four of the grid, and those between the cells that it
 * reaches, of which one more on each side lies within an error of less than a cell. */
static void find_errors(judged *t, const vx_exact_triangle *triangle)
{
    int64_t planes = 4;
    for (int axis = 0; axis < 3; axis += 2) {
        int64_t first, last;
        mpq_set_ui(t->error[axis], 1, 1);
        int64_t limit = axis == VX_EXACT_U ? t->solid->size[0] : t->solid->size[1];
        reach(t, &t->polygons[CORNERS], (enum vx_exact_axis)axis, limit, &first, &last);
        planes += last >= first ? last - first : 0;
    }
    t->bound = vx_exact_find_bound(t->solid, &t->polygons[CORNERS], triangle->world_error, planes);
    for (size_t i = 0; i < 3; i++) {
        mpq_set_d(t->error[i], t->bound.at[i]);
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
    double scale, least;
    double cs = mpq_get_d(t->solid->cell[0]);
    double ch = mpq_get_d(t->solid->cell[1]);
    t->is_wall = is_flat(triangle, VX_EXACT_U) || is_flat(triangle, VX_EXACT_W);
    t->across = is_flat(triangle, VX_EXACT_U) ? VX_EXACT_W : VX_EXACT_U;
    t->along = t->is_wall ? VX_EXACT_V : VX_EXACT_W;
    vx_exact_area(&t->polygons[CORNERS], t->across, t->along, t->a);
    double area = fabs(mpq_get_d(t->a));
    if (t->is_wall) {
        vx_exact_extremes(&t->polygons[CORNERS], t->across, t->a, t->b);
        mpq_sub(t->b, t->b, t->a);
        double width = mpq_get_d(t->b);
        vx_exact_extremes(&t->polygons[CORNERS], VX_EXACT_V, t->a, t->b);
        mpq_sub(t->b, t->b, t->a);
        double height = mpq_get_d(t->b);
        double across = t->bound.at[t->across];
        double up = t->bound.at[VX_EXACT_V];
        least = 4 * (across * (height + up) + up * (width + across));
        scale = cs * ch;
    } else {
        least = 2 * t->bound.footprint;
        scale = cs * cs;
    }
    t->is_certain = area > least && (area - least) * scale > NORMAL_LEAST;
}

/* INNER: each edge moves inwards by the error (Lemma 5). */
static void shrink(judged *t)
{
    const vx_exact_polygon *corners = &t->polygons[CORNERS];
    vx_exact_polygon *inner = &t->polygons[INNER];
    vx_exact_area(corners, t->across, t->along, t->c);
    int turn = mpq_sgn(t->c);
    vx_exact_polygon_copy(inner, corners);
    for (size_t i = 0; i < 3; i++) {
        const vx_exact_point *p = &corners->corners[i];
        const vx_exact_point *q = &corners->corners[(i + 1) % 3];
        mpq_t *normal = t->half.normal;
        for (size_t k = 0; k < 3; k++) {
            mpq_set_ui(normal[k], 0, 1);
        }
        mpq_sub(normal[t->across], q->at[t->along], p->at[t->along]);
        mpq_sub(normal[t->along], p->at[t->across], q->at[t->across]);
        mpq_set_ui(t->half.limit, 0, 1);
        const enum vx_exact_axis axes[] = {t->across, t->along};
        for (size_t k = 0; k < 2; k++) {
            if (turn < 0) {
                mpq_neg(normal[axes[k]], normal[axes[k]]);
            }
            mpq_mul(t->a, normal[axes[k]], p->at[axes[k]]);
            mpq_abs(t->b, normal[axes[k]]);
            mpq_mul(t->b, t->b, t->error[axes[k]]);
            mpq_add(t->half.limit, t->half.limit, t->a);
            mpq_sub(t->half.limit, t->half.limit, t->b);
        }
        vx_exact_clip(&t->polygons[SPARE], inner, &t->half);
        vx_exact_polygon_copy(inner, &t->polygons[SPARE]);
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

/* The part of from in the strip [k, k + 1] of an axis, made wider (sign 1) or narrower (−1) by the
 * error on both sides. */
static void cut(judged *t, int to, int from, enum vx_exact_axis axis, int64_t k, int sign)
{
    for (int side = -1; side <= 1; side += 2) {
        mpq_set_si(t->a, side < 0 ? k : k + 1, 1);
        if (side * sign > 0) {
            mpq_add(t->a, t->a, t->error[axis]);
        } else {
            mpq_sub(t->a, t->a, t->error[axis]);
        }
        vx_exact_half_set(&t->half, axis, side, t->a);
        vx_exact_clip(side < 0 ? &t->polygons[SPARE] : &t->polygons[to],
                      side < 0 ? &t->polygons[from] : &t->polygons[SPARE], &t->half);
    }
}

/* Lemma 5: whether every correct implementation finds that the triangle touches the cell. */
static bool surely_touches(judged *t)
{
    if (t->polygons[INNER_PIECE].count < 3) {
        return false;
    }
    vx_exact_area(&t->polygons[INNER_PIECE], t->across, t->along, t->a);
    mpq_abs(t->a, t->a);
    if (t->is_wall) {
        return mpq_sgn(t->a) > 0;
    }
    vx_exact_area(&t->polygons[PIECE], t->across, t->along, t->b);
    mpq_abs(t->b, t->b);
    mpq_sub(t->b, t->b, t->a);
    mpq_set_ui(t->c, WINDINGS, 1);
    mpq_mul(t->b, t->b, t->c);
    mpq_set_d(t->c, FAN_ERROR);
    mpq_add(t->b, t->b, t->c);
    return mpq_cmp(t->a, t->b) > 0;
}

static vx_status judge_cell(judged *t, int64_t x, int64_t z)
{
    vx_exact_solid *solid = t->solid;
    cut(t, PIECE, STRIP, VX_EXACT_U, x, 1);
    if (t->polygons[PIECE].count == 0) {
        return VX_OK;
    }
    vx_exact_extremes(&t->polygons[PIECE], VX_EXACT_V, t->a, t->b);
    mpq_sub(t->a, t->a, t->error[VX_EXACT_V]);
    mpq_add(t->b, t->b, t->error[VX_EXACT_V]);
    vx_status status =
        vx_exact_append(solid, &solid->may, x, z, floor_of(t->a), ceil_of(t->b), t->number);
    if (status != VX_OK || !t->is_certain) {
        return status;
    }
    cut(t, INNER_PIECE, INNER_STRIP, VX_EXACT_U, x, -1);
    if (!surely_touches(t)) {
        return VX_OK;
    }
    vx_exact_extremes(&t->polygons[INNER_PIECE], VX_EXACT_V, t->a, t->b);
    mpq_add(t->a, t->a, t->slack);
    mpq_sub(t->b, t->b, t->slack);
    return vx_exact_append(solid, &solid->must, x, z, floor_of(t->a), ceil_of(t->b), t->number);
}

static vx_status judge_row(judged *t, int64_t z)
{
    vx_status status = VX_OK;
    int64_t first, last;
    cut(t, STRIP, CORNERS, VX_EXACT_W, z, 1);
    if (t->polygons[STRIP].count == 0) {
        return VX_OK;
    }
    if (t->is_certain) {
        cut(t, INNER_STRIP, INNER, VX_EXACT_W, z, -1);
    }
    reach(t, &t->polygons[STRIP], VX_EXACT_U, t->solid->size[0], &first, &last);
    for (int64_t x = first; x <= last && status == VX_OK; x++) {
        status = judge_cell(t, x, z);
    }
    return status;
}

vx_status vx_exact_add_triangle(vx_exact_solid *solid, const vx_exact_triangle *triangle)
{
    judged t = {.solid = solid, .number = triangle->number};
    int64_t first, last;
    vx_status status = VX_OK;
    init(&t);
    place(&t, triangle);
    find_errors(&t, triangle);
    classify(&t, triangle);
    if (t.is_certain) {
        shrink(&t);
        find_slack(&t);
    }
    reach(&t, &t.polygons[CORNERS], VX_EXACT_W, solid->size[1], &first, &last);
    for (int64_t z = first; z <= last && status == VX_OK; z++) {
        status = judge_row(&t, z);
    }
    clear(&t);
    return status;
}
