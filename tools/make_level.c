/* SPDX-License-Identifier: MIT */
/* Makes the project's own level: closed solids, as OBJ; and a hill, as heights in ASC and PNG.
 *
 *     make_level obj|asc|png >FILE
 *
 * Everything is counted in whole millimetres and the circle is a table, so that every machine
 * writes the same bytes. x runs east, y up, z south; the level is 40 m by 30 m. */
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS_MAX = 3000,
    TRIANGLES_MAX = 5000,
    SOLIDS_MAX = 200,
    CORNERS_MAX = 64,
    LEVEL_X = 40, /* metres */
    LEVEL_Z = 30,
    GROUND = -600, /* the underside of the ground and of all that stands in it */
    DIRECTIONS = 24
};

typedef struct point {
    int32_t x, y, z;
} point;

typedef struct corner { /* of a profile, in its plane */
    int32_t a, b;
} corner;

typedef struct triangle {
    int32_t a, b, c; /* counter-clockwise seen from outside */
} triangle;

typedef struct solid {
    const char *name;
    int32_t first_triangle;
} solid;

typedef struct level {
    point points[POINTS_MAX];
    triangle triangles[TRIANGLES_MAX];
    solid solids[SOLIDS_MAX];
    int32_t point_count, triangle_count, solid_count;
    uint8_t taken[LEVEL_Z][LEVEL_X]; /* square metres where the ground is left out */
} level;

static void must(int holds, const char *what)
{
    if (!holds) {
        (void)fprintf(stderr, "make_level: %s\n", what);
        exit(1);
    }
}

/* --- solids ----------------------------------------------------------------------------------- */

static void begin_solid(level *to, const char *name)
{
    must(to->solid_count < SOLIDS_MAX, "too many solids");
    to->solids[to->solid_count++] = (solid){name, to->triangle_count};
}

static int32_t add_point(level *to, point at)
{
    must(to->point_count < POINTS_MAX, "too many points");
    to->points[to->point_count] = at;
    return to->point_count++;
}

static void add_triangle(level *to, int32_t a, int32_t b, int32_t c)
{
    must(to->triangle_count < TRIANGLES_MAX, "too many triangles");
    to->triangles[to->triangle_count++] = (triangle){a, b, c};
}

static void add_quad(level *to, int32_t a, int32_t b, int32_t c, int32_t d)
{
    add_triangle(to, a, b, c);
    add_triangle(to, a, c, d);
}

/* Twice the area of the triangle p q r, > 0 when it turns counter-clockwise. */
static int64_t turn(corner p, corner q, corner r)
{
    return (int64_t)(q.a - p.a) * (r.b - p.b) - (int64_t)(q.b - p.b) * (r.a - p.a);
}

/* Whether the corner at position i of the remaining ring can be cut off: it is convex and no other
 * corner of the ring lies in its triangle. */
static int is_ear(const corner *corners, const int32_t *ring, int32_t count, int32_t i)
{
    int32_t before = (i + count - 1) % count;
    int32_t behind = (i + 1) % count;
    corner p = corners[ring[before]];
    corner q = corners[ring[i]];
    corner r = corners[ring[behind]];
    if (turn(p, q, r) <= 0) {
        return 0;
    }
    for (int32_t k = 0; k < count; k++) {
        corner s = corners[ring[k]];
        if (k != before && k != i && k != behind && turn(p, q, s) >= 0 && turn(q, r, s) >= 0 &&
            turn(r, p, s) >= 0) {
            return 0;
        }
    }
    return 1;
}

/* The two ends of a prism: the profile cut into triangles, by cutting off one ear after the other.
 */
static void add_ends(level *to, const corner *corners, int32_t count, int32_t bottom, int32_t top)
{
    int32_t ring[CORNERS_MAX];
    for (int32_t i = 0; i < count; i++) {
        ring[i] = i;
    }
    while (count >= 3) {
        int32_t i = 0;
        while (i < count && !is_ear(corners, ring, count, i)) {
            i++;
        }
        must(i < count, "a profile crosses itself");
        int32_t p = ring[(i + count - 1) % count];
        int32_t q = ring[i];
        int32_t r = ring[(i + 1) % count];
        add_triangle(to, top + p, top + q, top + r);
        add_triangle(to, bottom + r, bottom + q, bottom + p);
        memmove(&ring[i], &ring[i + 1], (size_t)(count - i - 1) * sizeof ring[0]);
        count--;
    }
}

/* The profile, a simple polygon of either winding, drawn out along an axis from low to high. Its
 * plane is (z, y) for axis x, (x, z) for axis y and (x, y) for axis z. */
static void add_prism(level *to, const char *name, char axis, const corner *profile, int32_t count,
                      int32_t low, int32_t high)
{
    corner corners[CORNERS_MAX];
    int64_t area = 0;
    must(count >= 3 && count <= CORNERS_MAX && low < high, "a prism is malformed");
    for (int32_t i = 1; i < count - 1; i++) {
        area += turn(profile[0], profile[i], profile[i + 1]);
    }
    /* Seen against the axis z the plane (x, y) is not mirrored; the other two planes are. */
    int reverse = (area < 0) != (axis != 'z');
    for (int32_t i = 0; i < count; i++) {
        corner from = profile[reverse ? count - 1 - i : i];
        corners[i] = axis == 'z' ? from : (corner){from.b, from.a};
    }
    begin_solid(to, name);
    int32_t bottom = to->point_count;
    for (int32_t side = 0; side < 2; side++) {
        int32_t t = side == 0 ? low : high;
        for (int32_t i = 0; i < count; i++) {
            int32_t a = corners[i].a;
            int32_t b = corners[i].b;
            (void)add_point(to, axis == 'x'   ? (point){t, a, b}
                                : axis == 'y' ? (point){b, t, a}
                                              : (point){a, b, t});
        }
    }
    int32_t top = bottom + count;
    add_ends(to, corners, count, bottom, top);
    for (int32_t i = 0; i < count; i++) {
        int32_t j = (i + 1) % count;
        add_quad(to, bottom + i, bottom + j, top + j, top + i);
    }
}

static void add_box(level *to, const char *name, point low, point high)
{
    corner floor[] = {{low.x, low.z}, {high.x, low.z}, {high.x, high.z}, {low.x, high.z}};
    add_prism(to, name, 'y', floor, 4, low.y, high.y);
}

/* Stairs along z with their foot at z = from: `steps` steps of the given rise and run, going up in
 * the direction of `toward`, then a landing as far as z = toward. */
static void add_stairs(level *to, const char *name, int32_t x_low, int32_t x_high, int32_t from,
                       int32_t toward, int32_t steps, int32_t rise, int32_t run)
{
    corner profile[CORNERS_MAX];
    int32_t count = 0;
    int32_t forward = toward < from ? -run : run;
    profile[count++] = (corner){from, GROUND};
    for (int32_t i = 0; i < steps; i++) {
        profile[count++] = (corner){from + i * forward, (i + 1) * rise};
        if (i + 1 < steps) {
            profile[count++] = (corner){from + (i + 1) * forward, (i + 1) * rise};
        }
    }
    profile[count++] = (corner){toward, steps * rise};
    profile[count++] = (corner){toward, GROUND};
    add_prism(to, name, 'x', profile, count, x_low, x_high);
}

/* A point of the circle around (cx, cz), in direction k of 24. */
static corner on_circle(int32_t cx, int32_t cz, int32_t radius, int32_t k)
{
    static const int32_t cosine[] = {1000, 966, 866, 707, 500, 259, 0}; /* of 0°, 15° … 90° */
    int32_t turn_x = k % DIRECTIONS;
    int32_t turn_z = (k + DIRECTIONS - DIRECTIONS / 4) % DIRECTIONS;
    int32_t part[2];
    for (int32_t i = 0; i < 2; i++) {
        int32_t at = i == 0 ? turn_x : turn_z;
        at = at > DIRECTIONS / 2 ? DIRECTIONS - at : at;
        part[i] = at <= DIRECTIONS / 4 ? cosine[at] : -cosine[DIRECTIONS / 2 - at];
    }
    return (corner){cx + radius * part[0] / 1000, cz + radius * part[1] / 1000};
}

static void add_column(level *to, const char *name, corner centre, int32_t radius, int32_t sides,
                       int32_t low, int32_t high)
{
    corner profile[DIRECTIONS];
    for (int32_t i = 0; i < sides; i++) {
        profile[i] = on_circle(centre.a, centre.b, radius, i * (DIRECTIONS / sides));
    }
    add_prism(to, name, 'y', profile, sides, low, high);
}

/* A piece of a ring, from direction `from` over `parts` twenty-fourths of the circle. */
static void add_sector(level *to, const char *name, corner centre, int32_t inner, int32_t outer,
                       int32_t from, int32_t parts, int32_t low, int32_t high)
{
    corner profile[CORNERS_MAX];
    int32_t count = 0;
    for (int32_t i = 0; i <= parts; i++) {
        profile[count++] = on_circle(centre.a, centre.b, outer, from + i);
    }
    for (int32_t i = parts; i >= 0; i--) {
        profile[count++] = on_circle(centre.a, centre.b, inner, from + i);
    }
    add_prism(to, name, 'y', profile, count, low, high);
}

/* --- the hill --------------------------------------------------------------------------------- */

/* A round hump (1 − d²/r²)², as high as `height` at its centre and 0 from the radius on. */
static int32_t hump(int32_t x, int32_t z, int32_t cx, int32_t cz, int32_t radius, int32_t height)
{
    int64_t dx = x - cx;
    int64_t dz = z - cz;
    int64_t square = (int64_t)radius * radius;
    int64_t left = square - dx * dx - dz * dz;
    if (left <= 0) {
        return 0;
    }
    int64_t share = left * 4096 / square; /* of 4096 */
    return (int32_t)(share * share / 4096 * height / 4096);
}

/* The hill in the level's north-west, from (1, 1) to (13, 10): 0 all along its border. */
static int32_t hill_height(int32_t x, int32_t z)
{
    return hump(x, z, 5500, 5000, 4000, 2300) + hump(x, z, 9500, 6500, 3000, 1200) +
           hump(x, z, 10000, 3600, 2400, 2600);
}

/* A patch of ground of nx by nz squares with its skirt and its underside. */
static void add_hill(level *to, int32_t x0, int32_t z0, int32_t nx, int32_t nz, int32_t step)
{
    begin_solid(to, "hill");
    int32_t top = to->point_count;
    int32_t width = nx + 1;
    for (int32_t j = 0; j <= nz; j++) {
        for (int32_t i = 0; i <= nx; i++) {
            int32_t x = x0 + i * step;
            int32_t z = z0 + j * step;
            (void)add_point(to, (point){x, hill_height(x, z), z});
        }
    }
    for (int32_t j = 0; j < nz; j++) {
        for (int32_t i = 0; i < nx; i++) {
            int32_t a = top + j * width + i;
            add_quad(to, a, a + width, a + width + 1, a + 1);
        }
    }
    /* Round the border, counter-clockwise seen from above: south along the west side first. */
    int32_t centre = add_point(to, (point){x0 + nx * step / 2, GROUND, z0 + nz * step / 2});
    int32_t first = to->point_count;
    int32_t around = 2 * (nx + nz);
    int32_t border[2 * (LEVEL_X + LEVEL_Z)];
    for (int32_t k = 0; k < around; k++) {
        int32_t i = k < nz ? 0 : k < nz + nx ? k - nz : k < 2 * nz + nx ? nx : around - k;
        int32_t j = k < nz ? k : k < nz + nx ? nz : k < 2 * nz + nx ? 2 * nz + nx - k : 0;
        border[k] = top + j * width + i;
        (void)add_point(to, (point){x0 + i * step, GROUND, z0 + j * step});
    }
    for (int32_t k = 0; k < around; k++) {
        int32_t next = (k + 1) % around;
        add_quad(to, border[k], first + k, first + next, border[next]);
        add_triangle(to, first + k, centre, first + next);
    }
}

/* --- the level -------------------------------------------------------------------------------- */

/* Leaves the ground out under what is solid down to its underside; in metres. */
static void take(level *to, int32_t x0, int32_t z0, int32_t x1, int32_t z1)
{
    for (int32_t z = z0; z < z1; z++) {
        for (int32_t x = x0; x < x1; x++) {
            to->taken[z][x] = 1;
        }
    }
}

static int is_free(const level *of, int32_t x0, int32_t x1, int32_t z)
{
    for (int32_t x = x0; x < x1; x++) {
        if (of->taken[z][x]) {
            return 0;
        }
    }
    return 1;
}

/* Covers what is not taken with slabs, each as wide and then as deep as it goes. */
static void add_ground(level *to)
{
    for (int32_t z = 0; z < LEVEL_Z; z++) {
        for (int32_t x = 0; x < LEVEL_X; x++) {
            int32_t x1 = x;
            int32_t z1 = z + 1;
            while (x1 < LEVEL_X && !to->taken[z][x1]) {
                x1++;
            }
            if (x1 == x) {
                continue;
            }
            while (z1 < LEVEL_Z && is_free(to, x, x1, z1)) {
                z1++;
            }
            add_box(to, "ground", (point){x * 1000, GROUND, z * 1000},
                    (point){x1 * 1000, 0, z1 * 1000});
            take(to, x, z, x1, z1);
        }
    }
}

/* A rock with a tunnel and, beside it, one that is too low; stairs lead onto its roof. */
static void add_rock(level *to)
{
    static const corner profile[] = {
        {16000, GROUND}, {19000, GROUND}, {19000, 1900},   {19600, 2600},   {20500, 2800},
        {21400, 2600},   {22000, 1900},   {22000, GROUND}, {23000, GROUND}, {23000, 1200},
        {23500, 1600},   {24500, 1600},   {25000, 1200},   {25000, GROUND}, {26000, GROUND},
        {26000, 3200},   {25200, 4000},   {16000, 4000}};
    add_prism(to, "rock with two tunnels", 'z', profile,
              (int32_t)(sizeof profile / sizeof profile[0]), 1000, 9000);
    add_stairs(to, "stairs to the rock", 14000, 16000, 9000, 1000, 16, 250, 400);
    take(to, 14, 1, 19, 9);
    take(to, 22, 1, 23, 9);
    take(to, 25, 1, 26, 9);
}

/* A round tower with one turn of winding steps and half a platform above them. */
static void add_tower(level *to)
{
    corner centre = {33000, 6000};
    add_column(to, "tower", centre, 1500, DIRECTIONS, GROUND, 6000);
    for (int32_t i = 0; i < DIRECTIONS; i++) {
        int32_t top = (i + 1) * 250;
        add_sector(to, "winding step", centre, 1400, 4200, i, 1, top < 1000 ? GROUND : top - 500,
                   top);
    }
    add_sector(to, "tower platform", centre, 1400, 4200, 0, 11, 5600, 6000);
    take(to, 32, 5, 34, 7);
}

/* Two blocks and a bridge between them; a ramp, stairs, and a ramp that is too steep. */
static void add_bridge(level *to)
{
    static const corner span[] = {{6000, 3000},  {8000, 3300},  {10000, 3500}, {12000, 3500},
                                  {14000, 3300}, {16000, 3000}, {16000, 1800}, {14000, 2500},
                                  {12000, 2900}, {10000, 2900}, {8000, 2500},  {6000, 1800}};
    static const corner ramp[] = {{11000, GROUND}, {18000, GROUND}, {18000, 3000}, {11000, 0}};
    static const corner steep[] = {
        {21000, GROUND}, {24000, GROUND}, {24000, 0}, {23000, 0}, {21000, 3000}};
    add_box(to, "west block", (point){1000, GROUND, 18000}, (point){6000, 3000, 26000});
    add_box(to, "east block", (point){16000, GROUND, 18000}, (point){21000, 3000, 24000});
    add_prism(to, "bridge", 'z', span, (int32_t)(sizeof span / sizeof span[0]), 20000, 23000);
    add_prism(to, "ramp", 'x', ramp, 4, 2000, 5000);
    add_prism(to, "steep ramp", 'z', steep, 5, 19000, 22000);
    add_stairs(to, "stairs to the east block", 17000, 20000, 29000, 24000, 10, 300, 500);
    take(to, 1, 18, 6, 26);
    take(to, 16, 18, 21, 24);
    take(to, 2, 11, 5, 18);
    take(to, 21, 19, 24, 22);
    take(to, 17, 24, 20, 29);
}

/* A hall of pillars, half of it under a roof, and a slab that is too low to walk under. */
static void add_hall(level *to)
{
    for (int32_t j = 0; j < 3; j++) {
        for (int32_t i = 0; i < 4; i++) {
            add_column(to, "pillar", (corner){27000 + i * 3200, 13500 + j * 3000}, 450, 8, -100,
                       3400);
        }
    }
    add_box(to, "hall roof", (point){26000, 3200, 12500}, (point){31500, 3600, 20500});
    for (int32_t i = 0; i < 4; i++) {
        int32_t x = i % 2 == 0 ? 32000 : 37600;
        int32_t z = i / 2 == 0 ? 23000 : 27600;
        add_box(to, "leg", (point){x, -100, z}, (point){x + 400, 1500, z + 400});
    }
    add_box(to, "low ceiling", (point){31500, 1400, 22500}, (point){38500, 1700, 28500});
}

/* A wall with a roof that juts out over the ground; terraces whose last step is too high. */
static void add_rest(level *to)
{
    static const corner overhang[] = {{28000, GROUND}, {29000, GROUND}, {29000, 3600},
                                      {24500, 3600},   {24500, 3200},   {27400, 2900},
                                      {28000, 2300}};
    add_prism(to, "overhang", 'x', overhang, (int32_t)(sizeof overhang / sizeof overhang[0]), 24000,
              30000);
    add_box(to, "first terrace", (point){8000, -100, 25000}, (point){15000, 600, 29000});
    add_box(to, "second terrace", (point){9000, 500, 25600}, (point){14500, 1200, 29000});
    add_box(to, "ledge", (point){11000, 1100, 26200}, (point){14000, 2600, 29000});
    take(to, 24, 28, 30, 29);
}

static level *make_level(void)
{
    level *made = calloc(1, sizeof *made);
    must(made != NULL, "no memory");
    add_hill(made, 1000, 1000, 16, 12, 750);
    take(made, 1, 1, 13, 10);
    add_rock(made);
    add_tower(made);
    add_bridge(made);
    add_hall(made);
    add_rest(made);
    add_ground(made);
    return made;
}

/* --- output ----------------------------------------------------------------------------------- */

static void print_metres(int32_t millimetres)
{
    int32_t size = abs(millimetres);
    printf(" %s%d.%03d", millimetres < 0 ? "-" : "", size / 1000, size % 1000);
}

static void write_obj(void)
{
    level *made = make_level();
    printf("# The level of voxcert, made by tools/make_level.c: %d closed solids, %d triangles.\n"
           "# Metres; x east, y up, z south; counter-clockwise faces look out.\n",
           made->solid_count, made->triangle_count);
    for (int32_t i = 0; i < made->point_count; i++) {
        point at = made->points[i];
        printf("v");
        print_metres(at.x);
        print_metres(at.y);
        print_metres(at.z);
        printf("\n");
    }
    int32_t solid_at = 0;
    for (int32_t i = 0; i < made->triangle_count; i++) {
        if (solid_at < made->solid_count && made->solids[solid_at].first_triangle == i) {
            printf("o %s %d\n", made->solids[solid_at].name, solid_at + 1);
            solid_at++;
        }
        triangle of = made->triangles[i];
        printf("f %d %d %d\n", of.a + 1, of.b + 1, of.c + 1);
    }
    free(made);
}

/* The hill alone as a grid of heights half a metre apart, in 64ths of a metre: exact in binary. */
enum { GRID_X = 25, GRID_Z = 19, GRID_STEP = 500 };

static uint16_t grid_height(int32_t i, int32_t j)
{
    return (uint16_t)(hill_height(1000 + i * GRID_STEP, 1000 + j * GRID_STEP) * 64 / 1000);
}

static void write_asc(void)
{
    printf("ncols %d\nnrows %d\nxllcenter 1.0\nyllcenter -10.0\ncellsize 0.5\nNODATA_value -9999\n",
           GRID_X, GRID_Z);
    for (int32_t j = 0; j < GRID_Z; j++) {
        for (int32_t i = 0; i < GRID_X; i++) {
            int32_t height = grid_height(i, j);
            printf("%s%d.%06d", i > 0 ? " " : "", height / 64, height % 64 * 15625);
        }
        printf("\n");
    }
}

static void write_png(void)
{
    uint8_t row[GRID_X * 2];
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    must(info != NULL, "no memory");
    if (setjmp(png_jmpbuf(png))) {
        must(0, "the picture cannot be written");
    }
    png_init_io(png, stdout);
    png_set_IHDR(png, info, GRID_X, GRID_Z, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int32_t j = 0; j < GRID_Z; j++) {
        for (int32_t i = 0; i < GRID_X; i++) {
            uint8_t *sample = &row[2 * (size_t)i]; /* high byte first */
            sample[0] = (uint8_t)(grid_height(i, j) >> 8);
            sample[1] = (uint8_t)(grid_height(i, j) & 255);
        }
        png_write_row(png, row);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    if (strcmp(what, "obj") == 0) {
        write_obj();
    } else if (strcmp(what, "asc") == 0) {
        write_asc();
    } else if (strcmp(what, "png") == 0) {
        write_png();
    } else {
        (void)fprintf(stderr, "usage: make_level obj|asc|png >FILE\n");
        return 2;
    }
    must(fflush(stdout) == 0 && !ferror(stdout), "the output cannot be written");
    return 0;
}
