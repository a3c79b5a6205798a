/* SPDX-License-Identifier: MIT */
/* Area volumes by exact orientation (SPEC B9). The bound of the binary64 steps is that of
 * docs/TRUST.md, "Volumes". */
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "exact.h"

#define H64 0x1p-53
#define ROUND_UP 1.0001

/* --- sides ------------------------------------------------------------------------------------ */

/* A sign, and whether binary64 must find the same. */
typedef struct sided {
    int sign;
    bool is_certain;
} sided;

typedef struct sides {
    mpq_t ends[2][2]; /* a and b: x, z */
    mpq_t p[2];
    double p_error[2]; /* of p as computed */
    mpq_t along[2], off[2], value, product;
} sides;

static void sides_init(sides *of)
{
    for (int k = 0; k < 2; k++) {
        mpq_inits(of->ends[0][k], of->ends[1][k], of->p[k], of->along[k], of->off[k], NULL);
        of->p_error[k] = 0;
    }
    mpq_inits(of->value, of->product, NULL);
}

static void sides_clear(sides *of)
{
    for (int k = 0; k < 2; k++) {
        mpq_clears(of->ends[0][k], of->ends[1][k], of->p[k], of->along[k], of->off[k], NULL);
    }
    mpq_clears(of->value, of->product, NULL);
}

/* Edge i of the volume. */
static void set_edge(sides *of, const vx_volume *volume, size_t i)
{
    size_t next = (i + 1) % volume->corner_count;
    for (size_t k = 0; k < 2; k++) {
        mpq_set_d(of->ends[0][k], volume->corners[2 * i + k]);
        mpq_set_d(of->ends[1][k], volume->corners[2 * next + k]);
        mpq_sub(of->along[k], of->ends[1][k], of->ends[0][k]);
    }
}

/* side(a, b, p) of SPEC B9.2, exactly. */
static sided find_side(sides *of)
{
    double bound = 0x1p-1070;
    for (int k = 0; k < 2; k++) {
        mpq_sub(of->off[k], of->p[k], of->ends[0][k]);
    }
    mpq_mul(of->value, of->along[0], of->off[1]);
    mpq_mul(of->product, of->along[1], of->off[0]);
    mpq_sub(of->value, of->value, of->product);
    for (int k = 0; k < 2; k++) {
        double off = 1.1 * of->p_error[1 - k] + 4.1 * H64 * fabs(mpq_get_d(of->off[1 - k]));
        bound += fabs(mpq_get_d(of->along[k])) * off * ROUND_UP;
    }
    return (sided){.sign = mpq_sgn(of->value),
                   .is_certain = fabs(mpq_get_d(of->value)) > bound * ROUND_UP};
}

/* Whether p is an end of the edge, where binary64 finds 0 itself. */
static bool is_end(const sides *of)
{
    bool first = mpq_equal(of->p[0], of->ends[0][0]) && mpq_equal(of->p[1], of->ends[0][1]);
    bool second = mpq_equal(of->p[0], of->ends[1][0]) && mpq_equal(of->p[1], of->ends[1][1]);
    return first || second;
}

/* What is certain about the volume's own sides. */
typedef struct shape {
    bool left, right; /* there is one that is positive, or negative, for certain */
    bool open;        /* there is one about which nothing is */
} shape;

static shape find_shape(const vx_volume *volume)
{
    shape found = {0};
    sides of;
    sides_init(&of);
    for (size_t i = 0; i < volume->corner_count; i++) {
        set_edge(&of, volume, i);
        for (size_t k = 0; k < volume->corner_count; k++) {
            mpq_set_d(of.p[0], volume->corners[2 * k]);
            mpq_set_d(of.p[1], volume->corners[2 * k + 1]);
            if (is_end(&of)) {
                continue;
            }
            sided side = find_side(&of);
            found.left = found.left || (side.is_certain && side.sign > 0);
            found.right = found.right || (side.is_certain && side.sign < 0);
            found.open = found.open || !side.is_certain;
        }
    }
    sides_clear(&of);
    return found;
}

/* SPEC B9.1. */
static const char *refuse_numbers(const vx_volume *volume)
{
    if (volume->corner_count < VX_CORNERS_MIN || volume->corner_count > VX_CORNERS_MAX ||
        isnan(volume->min_y) || isnan(volume->max_y) || volume->min_y > volume->max_y) {
        return "B9.1";
    }
    for (size_t i = 0; i < 2 * volume->corner_count; i++) {
        if (!(fabs(volume->corners[i]) <= VX_COORDINATE_LIMIT)) {
            return "B9.1";
        }
    }
    return volume->area < 0 || volume->area > VX_AREA_MAX ? "B0.12" : NULL;
}

const char *vx_exact_refuse_volume(const vx_volume *volume, bool *open)
{
    *open = false;
    const char *clause = refuse_numbers(volume);
    if (clause != NULL) {
        return clause;
    }
    shape found = find_shape(volume);
    if ((found.left && found.right) || !(found.left || found.right || found.open)) {
        return "B9.2";
    }
    *open = found.open;
    return NULL;
}

/* --- spans ------------------------------------------------------------------------------------ */

/* What exact numbers say about a span, and what binary64 may. */
typedef enum answer { OUTSIDE, OPEN, INSIDE } answer;

typedef struct judging {
    const vx_frame *frame;
    const vx_volume *volume;
    double origin[3];
    int orientation;
    sides of;
    vx_exact_centres *centres;
} judging;

/* SPEC B9.3 with exact numbers, and the bound. */
static answer judge_centre(judging *j, bool *exactly)
{
    answer found = INSIDE;
    *exactly = true;
    for (size_t i = 0; i < j->volume->corner_count; i++) {
        set_edge(&j->of, j->volume, i);
        sided side = find_side(&j->of);
        *exactly = *exactly && side.sign * j->orientation >= 0;
        if (side.is_certain && side.sign * j->orientation < 0) {
            found = OUTSIDE;
        } else if (!side.is_certain && found != OUTSIDE) {
            found = OPEN;
        }
    }
    return found;
}

/* SPEC B9.3 as it stands, in binary64. */
static bool is_inside(const judging *j, const double p[2])
{
    const double *corners = j->volume->corners;
    for (size_t i = 0; i < j->volume->corner_count; i++) {
        const double *a = &corners[2 * i];
        const double *b = &corners[2 * ((i + 1) % j->volume->corner_count)];
        double side = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        if (side * j->orientation < 0) {
            return false;
        }
    }
    return true;
}

static answer judge_column(judging *j, const int32_t column[2])
{
    double centre[2];
    for (size_t k = 0; k < 2; k++) {
        double origin = j->origin[2 * k];
        double way = (column[k] + 0.5) * (double)j->frame->cell_size;
        centre[k] = origin + way;
        mpq_set_d(j->of.p[k], (double)j->frame->cell_size);
        mpq_set_si(j->of.value, 2 * (long)column[k] + 1, 2);
        mpq_canonicalize(j->of.value);
        mpq_mul(j->of.p[k], j->of.p[k], j->of.value);
        mpq_set_d(j->of.value, origin);
        mpq_add(j->of.p[k], j->of.p[k], j->of.value);
        j->of.p_error[k] = 1.01 * H64 * (way + fabs(centre[k]));
    }
    bool exactly;
    answer found = judge_centre(j, &exactly);
    j->centres->asked++;
    j->centres->open += found == OPEN ? 1 : 0;
    j->centres->otherwise += exactly != is_inside(j, centre) ? 1 : 0;
    return found;
}

/* How value compares with a limit that may be infinite: certainly below, above, or open. */
static answer is_at_least(const mpq_t value, double error, double limit, mpq_t spare)
{
    if (isinf(limit)) {
        return limit < 0 ? INSIDE : OUTSIDE;
    }
    mpq_set_d(spare, limit);
    mpq_sub(spare, value, spare);
    double way = mpq_get_d(spare);
    return way > error ? INSIDE : way < -error ? OUTSIDE : OPEN;
}

/* SPEC B9.4. */
static answer judge_floor(judging *j, int32_t y)
{
    double height = y * (double)j->frame->cell_height;
    double error = 1.01 * H64 * (height + fabs(j->origin[1] + height)) * ROUND_UP;
    mpq_t *value = &j->of.value;
    mpq_set_d(*value, (double)j->frame->cell_height);
    mpq_set_si(j->of.product, y, 1);
    mpq_mul(*value, *value, j->of.product);
    mpq_set_d(j->of.product, j->origin[1]);
    mpq_add(*value, *value, j->of.product);
    answer low = is_at_least(*value, error, j->volume->min_y, j->of.product);
    mpq_neg(*value, *value);
    answer high = is_at_least(*value, error, -j->volume->max_y, j->of.product);
    return low < high ? low : high;
}

static void compare(const judging *j, const vx_compact_row *before, int32_t area, answer found,
                    const vx_exact_court *court)
{
    int32_t wanted = before->area != 0 && found == INSIDE ? (int32_t)j->volume->area : before->area;
    bool good = area == wanted;
    if (before->area != 0 && found == OPEN) {
        j->centres->spans++;
        good = good || area == j->volume->area;
    }
    if (!good) {
        vx_exact_finding finding = {
            .clause = "B9.5", .x = before->x, .z = before->z, .min = before->y, .max = before->y};
        (void)snprintf(finding.text, sizeof finding.text,
                       "area %d of the span with Y %d, which was %d; by exact numbers it lies %s "
                       "the volume of area %d",
                       area, before->y, before->area,
                       found == INSIDE    ? "inside"
                       : found == OUTSIDE ? "outside"
                                          : "on the border of",
                       (int)j->volume->area);
        court->report(court->context, &finding);
    }
}

vx_status vx_exact_judge_volume(const vx_frame *frame, const vx_volume *volume,
                                vx_exact_compact_rows before, vx_exact_compact_rows after,
                                const vx_exact_court *court, vx_exact_centres *centres)
{
    *centres = (vx_exact_centres){0};
    if (!vx_exact_same_spans(before, after, "B9.5", court)) {
        return VX_OK;
    }
    shape found = find_shape(volume);
    judging j = {
        .frame = frame, .volume = volume, .orientation = found.left ? 1 : -1, .centres = centres};
    centres->no_shape = !found.left && !found.right;
    for (int k = 0; k < 3; k++) {
        j.origin[k] = frame->from_bounds ? frame->min[k] : frame->origin[k];
    }
    sides_init(&j.of);
    answer column = OUTSIDE;
    for (size_t i = 0; i < before.count && !centres->no_shape; i++) {
        const vx_compact_row *row = &before.rows[i];
        if (i == 0 || row->x != row[-1].x || row->z != row[-1].z) {
            const int32_t place[2] = {row->x, row->z};
            column = judge_column(&j, place);
            if (court->tick != NULL) {
                court->tick(court->context, volume->corner_count);
            }
        }
        answer floor = judge_floor(&j, row->y);
        compare(&j, row, after.rows[i].area, column < floor ? column : floor, court);
    }
    sides_clear(&j.of);
    return VX_OK;
}
