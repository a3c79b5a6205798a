/* SPDX-License-Identifier: MIT */
/* How much of the proven bound (docs/TRUST.md, "The bound") binary32 uses: the steps of SPEC B1.7
 * to B2.19 on random triangles, and the largest error of each quantity relative to its bound.
 *
 *   measure_bound [N]     N triangles (1,000,000), always the same ones
 *
 * Errors are taken in binary64, whose own are below 2^-20 of the bounds. Ends with status 1 when an
 * error is larger than its bound. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build3d/build3d.h"
#include "generate.h"
#include "oracle/build3d/exact/solid.h"
#include "progress.h"
#include "random.h"
#include "reference.h"

#define H32 0x1p-24
/* As in triangle.c. */
#define FAN_ERROR 0x1p-12
#define NORMAL_LEAST 0x1p-40

enum { U, V, W, WINDINGS = 24, CORNERS_MAX = 64, PIECES_MAX = 100 };

/* --- what is measured ------------------------------------------------------------------------- */

typedef enum quantity {
    CORNER,
    CROSSING,
    OUTSIDE,
    BESIDE,
    FOOTPRINT,
    FAN,
    OUTLINE,
    HEIGHT,
    SLOPE
} quantity;

enum { QUANTITIES = SLOPE + 1 };

static const char *const names[QUANTITIES] = {
    [CORNER] = "a corner in cell units (Lemma 1)",
    [CROSSING] = "one crossing (Lemma 2)",
    [OUTSIDE] = "a piece's corner beyond the triangle's edges (Lemma 3)",
    [BESIDE] = "a piece's corner beside its cell (Lemma 3)",
    [FOOTPRINT] = "the footprint (Lemma 4)",
    [FAN] = "the fan's sum (Lemma 5)",
    [OUTLINE] = "the outline's area (Lemma 5)",
    [HEIGHT] = "a piece's v above or below the plane (Lemma 6)",
    [SLOPE] = "ny − slopeCosine · len (Lemma 7)"};

static struct {
    size_t count;
    double worst;
} measured[QUANTITIES];

static size_t corners_most; /* of a piece; Lemma 5 proves 49 */

static void measure(quantity of, double error, double bound)
{
    double part = fabs(error) / bound;
    measured[of].count++;
    measured[of].worst = part > measured[of].worst ? part : measured[of].worst;
}

/* --- the steps in binary32 -------------------------------------------------------------------- */

typedef struct polygon {
    float at[CORNERS_MAX][3];
    size_t count;
} polygon;

/* A triangle in its grid, what is exact about it, and its bounds. */
typedef struct subject {
    const vx_frame *frame;
    int64_t size[3];
    double exact[3][3]; /* corners in cells, rounded to binary64 */
    polygon corners;    /* as computed */
    vx_exact_bound bound;
    bool certain;    /* areal by Lemma 4 */
    double slope[2]; /* ∂v/∂u, ∂v/∂w */
    double slack;
    int pieces;
} subject;

/* SPEC B2.15, from p to q. */
static void cross(polygon *to, const float *p, const float *q, int axis, float k)
{
    float dp = p[axis] - k;
    float dq = q[axis] - k;
    float t = dp / (dp - dq);
    double exact = ((double)p[axis] - (double)k) / ((double)p[axis] - (double)q[axis]);
    float *made = to->at[to->count++];
    for (int i = 0; i < 3; i++) {
        made[i] = i == axis ? k : p[i] + (q[i] - p[i]) * t;
        if (i != axis) {
            double way = (double)q[i] - (double)p[i];
            double most = fmax(fabs((double)p[i]), fabs((double)q[i]));
            measure(CROSSING, (double)made[i] - ((double)p[i] + way * exact),
                    H32 * (6.02 * fabs(way) + 1.01 * most) + 0x1p-147);
        }
    }
}

/* SPEC B2.14: keeps the side above k (side 1) or below (−1). */
static void pass(polygon *to, const polygon *from, int axis, int64_t plane, int side)
{
    float k = (float)plane;
    to->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        const float *prev = from->at[i > 0 ? i - 1 : from->count - 1];
        const float *cur = from->at[i];
        float before = (prev[axis] - k) * (float)side;
        float now = (cur[axis] - k) * (float)side;
        if ((before > 0 && now < 0) || (before < 0 && now > 0)) {
            cross(to, prev, cur, axis, k);
        }
        if (now >= 0) {
            memcpy(to->at[to->count++], cur, sizeof to->at[0]);
        }
    }
}

/* SPEC B2.17, B2.18: the visited strips; false when there is none. */
static bool visited(const polygon *of, int axis, int64_t limit, int64_t *first, int64_t *last)
{
    float least = INFINITY;
    float most = -INFINITY;
    for (size_t i = 0; i < of->count; i++) {
        least = fminf(least, of->at[i][axis]);
        most = fmaxf(most, of->at[i][axis]);
    }
    *first = of->count > 0 ? (int64_t)ceilf(least) - 1 : 1;
    *last = of->count > 0 ? (int64_t)floorf(most) : 0;
    *first = *first > 0 ? *first : 0;
    *last = *last < limit - 1 ? *last : limit - 1;
    return *first <= *last;
}

/* SPEC B1.7, B1.8. */
static void transform(subject *of, const double world[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double origin = of->frame->from_bounds ? of->frame->min[k] : of->frame->origin[k];
            float cell = k == V ? of->frame->cell_height : of->frame->cell_size;
            of->corners.at[i][k] = (float)(world[i][k] - origin) / cell;
        }
    }
    of->corners.count = 3;
}

/* --- areas in binary64 ------------------------------------------------------------------------ */

typedef struct outline {
    double at[CORNERS_MAX][2]; /* u, w */
    size_t count;
} outline;

/* The part with normal · p ≤ limit. */
static void cut(outline *of, double normal_u, double normal_w, double limit)
{
    outline kept = {.count = 0};
    for (size_t i = 0; i < of->count; i++) {
        const double *p = of->at[i > 0 ? i - 1 : of->count - 1];
        const double *q = of->at[i];
        double dp = normal_u * p[0] + normal_w * p[1] - limit;
        double dq = normal_u * q[0] + normal_w * q[1] - limit;
        if (dp * dq < 0) {
            double *made = kept.at[kept.count++];
            made[0] = p[0] + (q[0] - p[0]) * (dp / (dp - dq));
            made[1] = p[1] + (q[1] - p[1]) * (dp / (dp - dq));
        }
        if (dq <= 0) {
            memcpy(kept.at[kept.count++], q, sizeof kept.at[0]);
        }
    }
    *of = kept;
}

/* Twice the area, from the first corner. */
static double area(const outline *of)
{
    double sum = 0;
    for (size_t i = 1; i + 1 < of->count; i++) {
        sum += (of->at[i][0] - of->at[0][0]) * (of->at[i + 1][1] - of->at[0][1]) -
               (of->at[i][1] - of->at[0][1]) * (of->at[i + 1][0] - of->at[0][0]);
    }
    return sum;
}

/* Where the triangle and the cell overlap along u or w, both made wider by e; false when nowhere.
 */
static bool overlap(const subject *of, int axis, int64_t cell, double e, double range[2])
{
    range[0] = fmin(of->exact[0][axis], fmin(of->exact[1][axis], of->exact[2][axis])) - e;
    range[1] = fmax(of->exact[0][axis], fmax(of->exact[1][axis], of->exact[2][axis])) + e;
    range[0] = fmax(range[0], (double)cell - e);
    range[1] = fmin(range[1], (double)cell + 1 + e);
    return range[0] < range[1];
}

/* The triangle with its edges and the cell's sides moved outwards by so many errors. */
static double moved_area(const subject *of, const int64_t cell[2], double errors)
{
    double e_u = errors * of->bound.at[U];
    double e_w = errors * of->bound.at[W];
    double u[2], w[2];
    if (!overlap(of, U, cell[0], e_u, u) || !overlap(of, W, cell[1], e_w, w)) {
        return 0;
    }
    outline piece = {.at = {{u[0], w[0]}, {u[1], w[0]}, {u[1], w[1]}, {u[0], w[1]}}, .count = 4};
    outline whole = {.count = 3};
    for (int i = 0; i < 3; i++) {
        whole.at[i][0] = of->exact[i][U];
        whole.at[i][1] = of->exact[i][W];
    }
    double turn = area(&whole) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        const double *p = whole.at[i];
        const double *q = whole.at[(i + 1) % 3];
        double normal_u = turn * (q[1] - p[1]);
        double normal_w = turn * (p[0] - q[0]);
        cut(&piece, normal_u, normal_w,
            normal_u * p[0] + normal_w * p[1] + fabs(normal_u) * e_u + fabs(normal_w) * e_w);
    }
    return piece.count < 3 ? 0 : area(&piece);
}

/* --- one triangle ----------------------------------------------------------------------------- */

/* The corner of a piece against the triangle, its cell and its plane. */
static void measure_corner(const subject *of, const float *corner, const int64_t cell[2])
{
    const double place[2] = {(double)corner[U], (double)corner[W]};
    for (size_t k = 0; k < 2; k++) {
        double beside = fmax((double)cell[k] - place[k], place[k] - (double)cell[k] - 1);
        measure(BESIDE, fmax(beside, 0), of->bound.at[2 * k]);
    }
    if (!of->certain) {
        return;
    }
    double turn = 0;
    for (int i = 0; i < 3; i++) {
        const double *p = of->exact[i];
        const double *q = of->exact[(i + 1) % 3];
        const double *r = of->exact[(i + 2) % 3];
        double u = q[W] - p[W];
        double w = p[U] - q[U];
        turn = u * (r[U] - p[U]) + w * (r[W] - p[W]) < 0 ? 1 : -1;
        double out = turn * (u * (place[0] - p[U]) + w * (place[1] - p[W]));
        measure(OUTSIDE, fmax(out, 0), fabs(u) * of->bound.at[U] + fabs(w) * of->bound.at[W]);
    }
    double plane = of->exact[0][V] + of->slope[0] * (place[0] - of->exact[0][U]) +
                   of->slope[1] * (place[1] - of->exact[0][W]);
    measure(HEIGHT, (double)corner[V] - plane, of->slack);
}

/* SPEC B2.19. */
static float fan(const polygon *of)
{
    float sum = 0;
    for (size_t i = 1; i + 1 < of->count; i++) {
        const float *p = of->at[0];
        const float *q = of->at[i];
        const float *r = of->at[i + 1];
        sum += (q[U] - p[U]) * (r[W] - p[W]) - (q[W] - p[W]) * (r[U] - p[U]);
    }
    return sum;
}

static void measure_piece(subject *of, const polygon *piece, int64_t x, int64_t z)
{
    const int64_t cell[2] = {x, z};
    outline made = {.count = piece->count};
    double extents[2] = {0};
    of->pieces++;
    corners_most = piece->count > corners_most ? piece->count : corners_most;
    for (size_t i = 0; i < piece->count; i++) {
        measure_corner(of, piece->at[i], cell);
        made.at[i][0] = (double)piece->at[i][U];
        made.at[i][1] = (double)piece->at[i][W];
        for (int k = 0; k < 2; k++) {
            for (size_t j = 0; j < i; j++) {
                extents[k] = fmax(extents[k], fabs(made.at[i][k] - made.at[j][k]));
            }
        }
    }
    if (piece->count < 3) {
        return;
    }
    measure(FAN, (double)fan(piece) - area(&made), FAN_ERROR * extents[0] * extents[1] + 0x1p-140);
    if (of->certain) {
        double rest = moved_area(of, cell, 1) - moved_area(of, cell, -1);
        measure(OUTLINE, fabs(area(&made)) - moved_area(of, cell, 0), WINDINGS * rest);
    }
}

/* SPEC B2.18. */
static void split_row(subject *of, const polygon *row, int64_t z)
{
    polygon rest = *row;
    polygon piece, next;
    int64_t first, last;
    if (!visited(row, U, of->size[0], &first, &last)) {
        return;
    }
    for (int64_t x = first; x < last && of->pieces < PIECES_MAX; x++) {
        pass(&piece, &rest, U, x + 1, -1);
        pass(&next, &rest, U, x + 1, 1);
        measure_piece(of, &piece, x, z);
        rest = next;
    }
    if (of->pieces < PIECES_MAX) {
        measure_piece(of, &rest, last, z);
    }
}

/* SPEC B2.13, B2.16. */
static void split(subject *of)
{
    polygon rest = of->corners;
    polygon piece, next;
    int64_t first, last;
    pass(&next, &rest, W, 0, 1);
    pass(&rest, &next, W, of->size[1], -1);
    pass(&next, &rest, U, 0, 1);
    pass(&rest, &next, U, of->size[0], -1);
    if (!visited(&rest, W, of->size[1], &first, &last)) {
        return;
    }
    for (int64_t z = first; z < last && of->pieces < PIECES_MAX; z++) {
        pass(&piece, &rest, W, z + 1, -1);
        pass(&next, &rest, W, z + 1, 1);
        split_row(of, &piece, z);
        rest = next;
    }
    split_row(of, &rest, last);
}

/* As the judge counts them: those between the cells within a cell of the triangle. */
static int64_t count_planes(const subject *of)
{
    int64_t planes = 4;
    for (size_t k = 0; k < 2; k++) {
        double least = fmin(of->exact[0][2 * k], fmin(of->exact[1][2 * k], of->exact[2][2 * k]));
        double most = fmax(of->exact[0][2 * k], fmax(of->exact[1][2 * k], of->exact[2][2 * k]));
        double first = fmax(ceil(least - 1) - 1, 0);
        double last = fmin(floor(most + 1), (double)of->size[k] - 1);
        planes += last > first ? (int64_t)(last - first) : 0;
    }
    return planes;
}

/* SPEC B2.8, B2.9, B2.11: ny − slopeCosine · len as binary32 has it. */
static double computed_slope(const subject *of, const double world[3][3], float cosine)
{
    float e[2][3];
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            double origin = of->frame->from_bounds ? of->frame->min[k] : of->frame->origin[k];
            e[i][k] = (float)(world[i + 1][k] - origin) - (float)(world[0][k] - origin);
        }
    }
    float nx = e[0][V] * e[1][W] - e[0][W] * e[1][V];
    float ny = e[0][W] * e[1][U] - e[0][U] * e[1][W];
    float nz = e[0][U] * e[1][V] - e[0][V] * e[1][U];
    float threshold = cosine * sqrtf((nx * nx + ny * ny) + nz * nz);
    return (double)ny - (double)threshold;
}

/* With the default cosine, with those nearest to a level floor and to a wall, and with a large one.
 */
static void measure_slope(const subject *of, const vx_exact_solid *solid,
                          const vx_exact_polygon *corners, const double world[3][3])
{
    static const float cosines[] = {VX_DEFAULT_SLOPE_COSINE, 0x1.fffffep-1f, 0, 1e-3f, -1, 3e6f};
    for (size_t i = 0; i < sizeof cosines / sizeof cosines[0]; i++) {
        vx_exact_slope exact = vx_exact_find_slope(solid, corners, &of->bound, (double)cosines[i]);
        measure(SLOPE, computed_slope(of, world, cosines[i]) - exact.difference, exact.error);
    }
}

/* The exact corners, the bounds and the plane. */
static void prepare(subject *of, const vx_exact_solid *solid, const double world[3][3])
{
    vx_exact_polygon corners;
    vx_exact_polygon_init(&corners);
    corners.count = 3;
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 3; k++) {
            mpq_t *at = &corners.corners[i].at[k];
            mpq_set_d(*at, world[i][k]);
            mpq_sub(*at, *at, solid->origin[k]);
            mpq_div(*at, *at, solid->cell[k]);
            of->exact[i][k] = mpq_get_d(*at);
        }
    }
    of->bound = vx_exact_find_bound(solid, &corners, 0, count_planes(of));
    if (!(of->bound.at[U] < 0.5 && of->bound.at[W] < 0.5)) {
        of->bound = vx_exact_find_bound(solid, &corners, 0, 2 + of->size[0] + of->size[1]);
    }
    measure_slope(of, solid, &corners, world);
    const double extents[2] = {vx_exact_extent(&corners, VX_EXACT_U),
                               vx_exact_extent(&corners, VX_EXACT_W)};
    const double errors[2] = {of->bound.corner[U], of->bound.corner[W]};
    double off = vx_exact_cross_error(extents, errors);
    mpq_t doubled, other;
    mpq_inits(doubled, other, NULL);
    vx_exact_area(&corners, VX_EXACT_U, VX_EXACT_W, doubled);
    double footprint = mpq_get_d(doubled);
    const float(*c)[3] = (const float(*)[3])of->corners.at;
    float computed =
        (c[1][U] - c[0][U]) * (c[2][W] - c[0][W]) - (c[1][W] - c[0][W]) * (c[2][U] - c[0][U]);
    measure(FOOTPRINT, (double)computed - footprint, off);
    double scale = mpq_get_d(solid->cell[U]) * mpq_get_d(solid->cell[W]);
    of->certain = (fabs(footprint) - 2 * off) * scale > NORMAL_LEAST;
    if (of->certain) {
        vx_exact_area(&corners, VX_EXACT_V, VX_EXACT_W, other);
        of->slope[0] = mpq_get_d(other) / footprint;
        vx_exact_area(&corners, VX_EXACT_U, VX_EXACT_V, other);
        of->slope[1] = mpq_get_d(other) / footprint;
        of->slack = of->bound.at[V] + fabs(of->slope[0]) * of->bound.at[U] +
                    fabs(of->slope[1]) * of->bound.at[W];
    }
    mpq_clears(doubled, other, NULL);
    vx_exact_polygon_clear(&corners);
}

static void measure_triangle(const vx_frame *frame, const int64_t size[3],
                             const vx_exact_solid *solid, const double world[3][3])
{
    subject of = {.frame = frame, .size = {size[0], size[1], size[2]}};
    transform(&of, world);
    prepare(&of, solid, world);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            measure(CORNER, (double)of.corners.at[i][k] - of.exact[i][k], of.bound.corner[k]);
        }
    }
    split(&of);
}

/* --- which triangles -------------------------------------------------------------------------- */

/* A shape of random triangles: where, how large, in which cells. */
typedef struct shape {
    const char *name;
    double place, extent; /* of a corner from the middle of the grid, and of the rest from it */
    double origin;
    float cell;
    int64_t size;
    int thin; /* the third corner lies so many binary digits beside the edge; 0: anywhere */
} shape;

static const shape shapes[] = {{"inside a cell", 4, 0.5, 0, 0.3f, 8, 0},
                               {"over a few cells", 6, 4, 0, 0.3f, 16, 0},
                               {"over a few cells, far from the origin", 6, 4, 2e6, 0.3f, 16, 0},
                               {"long slivers", 20, 40, 0, 1, 64, 16},
                               {"thin slivers", 20, 40, 100, 0.7f, 64, 24},
                               {"much larger than the grid", 1000, 100000, 0, 0.3f, 8, 0},
                               {"in a wide grid", 30000, 300, 0, 1, 4096, 0},
                               {"in tiny cells", 6, 4, 1, 0x1.1p-18f, 16, 0}};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static double between(vx_random *random, double most)
{
    return most * (double)vx_random_integer(random, -(INT64_C(1) << 40), INT64_C(1) << 40) *
           0x1p-40;
}

static void make_triangle(const shape *of, vx_random *random, double world[3][3])
{
    double cell = (double)of->cell;
    double middle = of->origin + cell * (double)of->size / 2;
    for (int k = 0; k < 3; k++) {
        world[0][k] = middle + cell * between(random, fmin(of->place, (double)of->size));
    }
    for (int i = 1; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            world[i][k] = world[0][k] + cell * between(random, of->extent);
        }
    }
    if (of->thin > 0) {
        double t = between(random, 1);
        for (int k = 0; k < 3; k++) {
            world[2][k] = world[0][k] + (world[1][k] - world[0][k]) * t +
                          cell * between(random, ldexp(of->extent, -of->thin));
        }
    }
    for (int i = 0; i < 9; i++) {
        double *value = &world[i / 3][i % 3];
        *value = fmax(-VX_COORDINATE_LIMIT, fmin(*value, VX_COORDINATE_LIMIT));
    }
}

static size_t measure_shapes(size_t count, vx_progress *progress, size_t done)
{
    for (size_t i = 0; i < SHAPES; i++) {
        const shape *of = &shapes[i];
        const vx_frame frame = {.origin = {of->origin, of->origin, of->origin},
                                .cell_size = of->cell,
                                .cell_height = of->cell,
                                .size = {of->size, of->size, of->size}};
        vx_exact_solid *solid = vx_exact_new(&frame, frame.size);
        vx_random random = vx_random_start(of->name, 1);
        for (size_t k = 0; solid != NULL && k < count / SHAPES; k++) {
            double world[3][3];
            make_triangle(of, &random, world);
            measure_triangle(&frame, frame.size, solid, (const double(*)[3])world);
            vx_progress_set(progress, ++done, 0);
        }
        vx_exact_free(solid);
    }
    return done;
}

/* The triangles of a generated case's meshes that SPEC.md accepts. */
static size_t measure_case(const vx_input *input, size_t most, vx_arena *arena)
{
    static const vx_run_options options = {.step_limit = 0};
    vx_result opened = {0};
    size_t done = 0;
    if (vx_build3d_run(&vx_ref_build3d, input, &options, arena, &opened) != VX_OK ||
        opened.error != VX_OK) {
        return 0;
    }
    vx_exact_solid *solid = vx_exact_new(&input->frame, opened.facts);
    for (size_t i = 0; i < input->step_count && solid != NULL; i++) {
        const vx_mesh *mesh = &input->steps[i].mesh;
        if (input->steps[i].op != VX_OP_RASTERIZE || vx_exact_refuse_mesh(mesh) != NULL) {
            continue;
        }
        for (size_t k = 0; k < mesh->index_count / 3 && done < most; k++, done++) {
            double world[3][3];
            for (size_t c = 0; c < 9; c++) {
                size_t vertex = (size_t)mesh->indices[3 * k + c / 3];
                world[c / 3][c % 3] = mesh->vertices[3 * vertex + c % 3];
            }
            measure_triangle(&input->frame, opened.facts, solid, (const double(*)[3])world);
        }
    }
    vx_exact_free(solid);
    vx_result_free(&opened);
    return done;
}

/* Families take turns; those without triangles do little harm. */
static size_t measure_families(size_t count, vx_progress *progress)
{
    vx_arena arena;
    size_t done = 0;
    vx_reference_arena(&arena);
    for (uint64_t seed = 1; done < count && seed < 1000000; seed++) {
        for (size_t i = 0; i < vx_build3d_family_count && done < count; i++) {
            vx_input *input = vx_build3d_families[i].make(seed);
            done += measure_case(input, count - done, &arena);
            vx_build3d_input_free(input);
            vx_progress_set(progress, done, 0);
        }
    }
    vx_arena_free(&arena);
    return done;
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    vx_progress progress;
    bool good = true;
    vx_progress_begin(&progress, count, true);
    size_t done = measure_families(count / 4, &progress);
    size_t all = measure_shapes(count - done, &progress, done);
    vx_progress_end(&progress);
    printf("%zu triangles, of generated families %zu; a piece has at most %zu corners\n\n", all,
           done, corners_most);
    printf("| quantity | measured | largest error ÷ bound |\n| --- | --- | --- |\n");
    for (int i = 0; i < QUANTITIES; i++) {
        printf("| %s | %zu | %.3g |\n", names[i], measured[i].count, measured[i].worst);
        good = good && measured[i].worst <= 1;
    }
    return good ? 0 : 1;
}
