/* SPDX-License-Identifier: MIT */
/* Convex polygons with rational corners: clipping, extremes, areas. */
#include "polygon.h"

#include <assert.h>

void vx_exact_polygon_init(vx_exact_polygon *polygon)
{
    polygon->count = 0;
    for (size_t i = 0; i < VX_EXACT_CORNERS; i++) {
        mpq_inits(polygon->corners[i].at[0], polygon->corners[i].at[1], polygon->corners[i].at[2],
                  NULL);
    }
}

void vx_exact_polygon_clear(vx_exact_polygon *polygon)
{
    for (size_t i = 0; i < VX_EXACT_CORNERS; i++) {
        mpq_clears(polygon->corners[i].at[0], polygon->corners[i].at[1], polygon->corners[i].at[2],
                   NULL);
    }
}

static void copy_point(vx_exact_point *to, const vx_exact_point *from)
{
    for (int i = 0; i < 3; i++) {
        mpq_set(to->at[i], from->at[i]);
    }
}

void vx_exact_polygon_copy(vx_exact_polygon *to, const vx_exact_polygon *from)
{
    to->count = from->count;
    for (size_t i = 0; i < from->count; i++) {
        copy_point(&to->corners[i], &from->corners[i]);
    }
}

void vx_exact_half_init(vx_exact_half *half)
{
    mpq_inits(half->normal[0], half->normal[1], half->normal[2], half->limit, NULL);
}

void vx_exact_half_clear(vx_exact_half *half)
{
    mpq_clears(half->normal[0], half->normal[1], half->normal[2], half->limit, NULL);
}

void vx_exact_half_set(vx_exact_half *half, enum vx_exact_axis axis, int sign, const mpq_t limit)
{
    for (int i = 0; i < 3; i++) {
        mpq_set_si(half->normal[i], i == (int)axis ? sign : 0, 1);
    }
    mpq_set(half->limit, limit);
    if (sign < 0) {
        mpq_neg(half->limit, half->limit);
    }
}

/* How far outside a point is: normal · p − limit. */
static void excess(mpq_t result, const vx_exact_half *half, const vx_exact_point *p)
{
    mpq_t product;
    mpq_init(product);
    mpq_neg(result, half->limit);
    for (int i = 0; i < 3; i++) {
        if (mpq_sgn(half->normal[i]) != 0) {
            mpq_mul(product, half->normal[i], p->at[i]);
            mpq_add(result, result, product);
        }
    }
    mpq_clear(product);
}

/* Where the way from p (excess dp) to q (excess dq, of the other sign) meets the plane. */
static void cross(vx_exact_point *made, const vx_exact_point *p, const vx_exact_point *q,
                  const mpq_t dp, const mpq_t dq)
{
    mpq_t t, way;
    mpq_inits(t, way, NULL);
    mpq_sub(t, dp, dq);
    mpq_div(t, dp, t);
    for (int i = 0; i < 3; i++) {
        mpq_sub(way, q->at[i], p->at[i]);
        mpq_mul(way, way, t);
        mpq_add(made->at[i], p->at[i], way);
    }
    mpq_clears(t, way, NULL);
}

void vx_exact_clip(vx_exact_polygon *to, const vx_exact_polygon *from, const vx_exact_half *half)
{
    mpq_t before, now;
    mpq_inits(before, now, NULL);
    to->count = 0;
    if (from->count > 0) {
        excess(before, half, &from->corners[from->count - 1]);
    }
    for (size_t i = 0; i < from->count; i++) {
        const vx_exact_point *prev = &from->corners[i > 0 ? i - 1 : from->count - 1];
        const vx_exact_point *cur = &from->corners[i];
        excess(now, half, cur);
        assert(to->count + 2 <= VX_EXACT_CORNERS);
        if (mpq_sgn(before) * mpq_sgn(now) < 0) {
            cross(&to->corners[to->count++], prev, cur, before, now);
        }
        if (mpq_sgn(now) <= 0) {
            copy_point(&to->corners[to->count++], cur);
        }
        mpq_swap(before, now);
    }
    mpq_clears(before, now, NULL);
}

void vx_exact_extremes(const vx_exact_polygon *polygon, enum vx_exact_axis axis, mpq_t least,
                       mpq_t greatest)
{
    mpq_set(least, polygon->corners[0].at[axis]);
    mpq_set(greatest, least);
    for (size_t i = 1; i < polygon->count; i++) {
        if (mpq_cmp(polygon->corners[i].at[axis], least) < 0) {
            mpq_set(least, polygon->corners[i].at[axis]);
        }
        if (mpq_cmp(polygon->corners[i].at[axis], greatest) > 0) {
            mpq_set(greatest, polygon->corners[i].at[axis]);
        }
    }
}

void vx_exact_area(const vx_exact_polygon *polygon, enum vx_exact_axis first,
                   enum vx_exact_axis second, mpq_t area)
{
    mpq_t product;
    mpq_init(product);
    mpq_set_ui(area, 0, 1);
    for (size_t i = 0; i < polygon->count; i++) {
        const vx_exact_point *p = &polygon->corners[i];
        const vx_exact_point *q = &polygon->corners[(i + 1) % polygon->count];
        mpq_mul(product, p->at[first], q->at[second]);
        mpq_add(area, area, product);
        mpq_mul(product, q->at[first], p->at[second]);
        mpq_sub(area, area, product);
    }
    mpq_clear(product);
}
