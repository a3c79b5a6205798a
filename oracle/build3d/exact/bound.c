/* SPDX-License-Identifier: MIT */
/* How far the binary32 steps of SPEC B1.7 to B2.18 may stray from the exact triangle. The lemmas
 * are in docs/TRUST.md, "The bound"; the constants here carry their names. */
#include <math.h>

#include "solid.h"

/* Half a unit in the last place of 1 in binary32 and binary64. */
#define H32 0x1p-24
#define H64 0x1p-53

/* Every quantity below is computed in a few binary64 operations; this covers their roundings. */
#define ROUND_UP 1.0001

/* The extent of the triangle along an axis, and its largest absolute value there. */
static void measure(const vx_exact_polygon *corners, enum vx_exact_axis axis, double *extent,
                    double *magnitude)
{
    mpq_t least, greatest;
    mpq_inits(least, greatest, NULL);
    vx_exact_extremes(corners, axis, least, greatest);
    *magnitude = fmax(fabs(mpq_get_d(least)), fabs(mpq_get_d(greatest))) * ROUND_UP;
    mpq_sub(greatest, greatest, least);
    *extent = mpq_get_d(greatest) * ROUND_UP;
    mpq_clears(least, greatest, NULL);
}

double vx_exact_extent(const vx_exact_polygon *corners, enum vx_exact_axis axis)
{
    double extent, magnitude;
    measure(corners, axis, &extent, &magnitude);
    return extent;
}

/* Lemma 1: a corner after B1.7 and B1.8. */
static double transform_error(double magnitude, double cell, double world_error)
{
    return (magnitude * (2.01 * H32 + 1.01 * H64) + world_error / cell + 0x1p-128) * ROUND_UP;
}

/* Lemma 7: a corner after B1.7, in world units. */
static double local_error(double magnitude, double cell, double world_error)
{
    return (magnitude * cell * (1.01 * H32 + 1.01 * H64) + world_error + 0x1p-149) * ROUND_UP;
}

/* Lemma 2: what one crossing (B2.15) adds. */
static double crossing_error(double extent, double magnitude)
{
    return (H32 * (6.1 * extent + 2.8 * magnitude) + 0x1p-146) * ROUND_UP;
}

/* Lemma 4. */
double vx_exact_cross_error(const double extents[2], const double errors[2])
{
    double off[2], wide[2];
    for (int i = 0; i < 2; i++) {
        off[i] = 2 * errors[i] + H32 * (extents[i] + 2 * errors[i]);
        wide[i] = extents[i] + off[i];
    }
    double product = extents[0] * off[1] + extents[1] * off[0] + off[0] * off[1] +
                     H32 * wide[0] * wide[1] + 0x1p-149;
    return (2 * product + H32 * (2 * wide[0] * wide[1] + 2 * product)) * ROUND_UP;
}

vx_exact_bound vx_exact_find_bound(const vx_exact_solid *solid, const vx_exact_polygon *corners,
                                   double world_error, int64_t planes)
{
    vx_exact_bound bound = {0};
    for (int i = 0; i < 3; i++) {
        double extent, magnitude;
        measure(corners, (enum vx_exact_axis)i, &extent, &magnitude);
        double start = transform_error(magnitude, mpq_get_d(solid->cell[i]), world_error);
        /* Lemma 3: the triangle between the computed corners is cut, and errors add up along the
         * chain of crossings. */
        double cut = crossing_error(extent + 2 * start, magnitude + start);
        bound.corner[i] = start;
        bound.local[i] = local_error(magnitude, mpq_get_d(solid->cell[i]), world_error);
        bound.at[i] = (start + (double)planes * cut) * ROUND_UP;
    }
    return bound;
}

vx_exact_slope vx_exact_find_slope(const vx_exact_solid *solid, const vx_exact_polygon *corners,
                                   const vx_exact_bound *bound, double cosine)
{
    /* The normal's components are the areas of three shadows (B2.8). */
    static const enum vx_exact_axis axes[3][2] = {
        {VX_EXACT_V, VX_EXACT_W}, {VX_EXACT_W, VX_EXACT_U}, {VX_EXACT_U, VX_EXACT_V}};
    double normal[3], errors[3];
    mpq_t area;
    mpq_init(area);
    for (int i = 0; i < 3; i++) {
        double extents[2], corner[2];
        vx_exact_area(corners, axes[i][0], axes[i][1], area);
        normal[i] = mpq_get_d(area);
        for (int k = 0; k < 2; k++) {
            double cell = mpq_get_d(solid->cell[axes[i][k]]);
            normal[i] *= cell;
            extents[k] = vx_exact_extent(corners, axes[i][k]) * cell;
            corner[k] = bound->local[axes[i][k]];
        }
        errors[i] = vx_exact_cross_error(extents, corner);
    }
    mpq_clear(area);
    /* Lemma 7: the length by its steps, and by the normal's errors. */
    double length = hypot(hypot(normal[0], normal[1]), normal[2]);
    double off = hypot(hypot(errors[0], errors[1]), errors[2]);
    off += 2.6 * H32 * (length + off) + 0x1p-74;
    double steep = fabs(cosine);
    double rounding = H32 * steep * (length + off) + 0x1p-149;
    /* What is exact here is so in binary64. */
    double own = 16 * H64 * (fabs(normal[1]) + steep * length);
    return (vx_exact_slope){normal[1] - cosine * length,
                            (errors[1] + steep * off + rounding + own) * ROUND_UP};
}
