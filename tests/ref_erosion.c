/* SPDX-License-Identifier: MIT */
/* Erosion: B8. */
#include "ref_field.h"

#include <criterion/criterion.h>
#include <stdbool.h>

static vx_status erode(ref_field *f, int64_t radius)
{
    f->error = (vx_error){.status = VX_OK};
    return f->impl->erode(f->field, radius, &f->error);
}

/* A flat, compact field of W × D spans of area 9, with holes where the map has a '.'. */
static void open_flat(ref_field *f, int64_t W, int64_t D, const char *map)
{
    ref_open(f, W, D, 10);
    for (int64_t i = 0; i < W * D; i++) {
        if (map == NULL || map[i] != '.') {
            cr_assert_eq(ref_add(f, i % W, i / W, 0, 1, 9, 0), VX_OK);
        }
    }
    cr_assert_eq(ref_compact(f, 5, 1), VX_OK);
}

/* '#' walkable, '-' area 0, '.' no span, row after row. */
static const char *areas_of(const ref_field *f)
{
    static char map[1024];
    vx_compact_row rows[1024];
    vx_build3d_info info;
    f->impl->info(f->field, &info);
    int32_t columns = info.size[0] * info.size[1];
    cr_assert_eq(f->impl->read_compact(f->field, rows, 1024, NULL), VX_OK);
    for (int32_t i = 0; i < columns; i++) {
        map[i] = '.';
    }
    map[columns] = '\0';
    for (size_t i = 0; i < info.rows; i++) {
        map[rows[i].x + rows[i].z * info.size[0]] = rows[i].area != 0 ? '#' : '-';
    }
    return map;
}

/* B8.1@81eef9, B8.2@3da75b, B8.5@f79865: rings go from the border, and from around a hole, inwards.
 */
Test(ref_erosion, flat)
{
    static const struct {
        const char *name;
        int64_t W, D, radius;
        const char *map, *result;
    } cases[] = {
        {"radius 0", 3, 3, 0, NULL, "#########"},
        {"B8.5's example", 5, 5, 1, NULL, "------###--###--###------"},
        {"radius 2", 7, 7, 2, NULL, "----------------###----###----###----------------"},
        {"radius 3 leaves the middle", 7, 7, 3, NULL,
         "------------------------#------------------------"},
        {"radius 4 leaves nothing", 7, 7, 4, NULL,
         "-------------------------------------------------"},
        {"the largest radius", 5, 5, 1 << 20, NULL, "-------------------------"},
        {"B8.2: around a hole; a diagonal neighbour is no boundary", 7, 7, 1,
         "########################.########################",
         "--------#####--##-##--#-.-#--##-##--#####--------"},
    };
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        ref_field f;
        open_flat(&f, cases[i].W, cases[i].D, cases[i].map);
        cr_assert_eq(erode(&f, cases[i].radius), VX_OK, "%s: %s", cases[i].name, f.error.message);
        cr_assert_str_eq(areas_of(&f), cases[i].result, "%s: %s", cases[i].name, areas_of(&f));
        ref_close(&f);
    }
}

/* B8.3@d10d43: a span a diagonal step away from a boundary span, cost 3 < 2·2, goes; one that is
 * two steps away, cost 4, stays. */
Test(ref_erosion, diagonal)
{
    ref_field f;
    open_flat(&f, 9, 9, NULL);
    vx_volume middle = {
        .corners = (const double[]){4.5, 4.5, 4.6, 4.5, 4.5, 4.6}, .corner_count = 3, .max_y = 9};
    cr_assert_eq(ref_volume(&f, &middle), VX_OK);
    /* The middle has area 0, which makes its neighbours boundary spans. B9.6@5b1df3: erosion sees
     * it. */
    cr_assert_eq(erode(&f, 2), VX_OK);
    cr_assert_str_eq(areas_of(&f),
                     "---------"
                     "---------"
                     "--#---#--"
                     "---------"
                     "---------"
                     "---------"
                     "--#---#--"
                     "---------"
                     "---------",
                     "%s", areas_of(&f));
    ref_close(&f);
}

/* The span that row s is linked to in direction d, or −1. */
static int linked(const vx_compact_row *rows, int count, int s, int d)
{
    static const int32_t dx[] = {-1, 0, 1, 0}, dz[] = {0, 1, 0, -1};
    int32_t m = rows[s].link[d];
    for (int t = 0; t < count && m != VX_LINK_NONE; t++) {
        if (rows[t].x == rows[s].x + dx[d] && rows[t].z == rows[s].z + dz[d] && m-- == 0) {
            return t;
        }
    }
    return -1;
}

enum { SPANS = 60, FAR = 1 << 28 };

static void shorten(int *distance, int candidate)
{
    if (candidate < *distance) {
        *distance = candidate;
    }
}

/* B8.4@f23dc2 by brute force: all shortest paths at once. */
static void distances(const vx_compact_row *rows, int count, int dist[SPANS])
{
    static int path[SPANS][SPANS];
    bool boundary[SPANS] = {false};
    for (int s = 0; s < count; s++) {
        for (int t = 0; t < count; t++) {
            path[s][t] = s == t ? 0 : FAR;
        }
        boundary[s] = rows[s].area == 0;
        for (int d = 0; d < 4; d++) {
            int t = linked(rows, count, s, d);
            boundary[s] = boundary[s] || t < 0 || rows[t].area == 0;
        }
    }
    for (int s = 0; s < count; s++) {
        for (int d = 0; d < 4; d++) {
            int t = linked(rows, count, s, d);
            for (int e = 0; t >= 0 && e < 4; e++) {
                int u = linked(rows, count, t, e);
                if (e % 2 != d % 2 && u >= 0) {
                    shorten(&path[s][u], 3);
                }
            }
            if (t >= 0) {
                shorten(&path[s][t], 2);
            }
        }
    }
    for (int k = 0; k < count; k++) {
        for (int s = 0; s < count; s++) {
            for (int t = 0; t < count; t++) {
                shorten(&path[s][t], path[s][k] + path[k][t]);
            }
        }
    }
    for (int s = 0; s < count; s++) {
        dist[s] = FAR;
        for (int t = 0; t < count; t++) {
            if (boundary[t]) {
                shorten(&dist[s], path[s][t]);
            }
        }
    }
}

/* Random fields of two layers and more, with directed links (B7.5@fdd2a7). */
Test(ref_erosion, random_fields)
{
    enum { W = 7, D = 7, ROUNDS = 80 };
    uint64_t random = 5;
    size_t kept = 0;
    for (int round = 0; round < ROUNDS; round++) {
        ref_field f;
        ref_open(&f, W, D, 60);
        for (int i = 0; i < W * D; i++) {
            cr_assert_eq(ref_add(&f, i % W, i / W, 0, 1 + ref_random(&random, 3), 9, 0), VX_OK);
        }
        for (int i = 0; i < SPANS - W * D; i++) {
            int64_t min = 8 + ref_random(&random, 9);
            cr_assert_eq(ref_add(&f, 1 + ref_random(&random, W - 2), 1 + ref_random(&random, D - 2),
                                 min, min + 1 + ref_random(&random, 3), 1, 0),
                         VX_OK);
        }
        cr_assert_eq(ref_compact(&f, 1 + ref_random(&random, 6), 2 + ref_random(&random, 9)),
                     VX_OK);
        vx_build3d_info info;
        f.impl->info(f.field, &info);
        vx_compact_row before[SPANS], after[SPANS];
        cr_assert_eq(f.impl->read_compact(f.field, before, SPANS, NULL), VX_OK);
        int64_t radius = 1 + ref_random(&random, 3);
        cr_assert_eq(erode(&f, radius), VX_OK);
        cr_assert_eq(f.impl->read_compact(f.field, after, SPANS, NULL), VX_OK);
        int dist[SPANS];
        distances(before, (int)info.rows, dist);
        for (size_t i = 0; i < info.rows; i++) {
            int32_t area = dist[i] < 2 * radius ? 0 : before[i].area;
            cr_assert_eq(after[i].area, area, "round %d, row %zu: %d", round, i, dist[i]);
            kept += area != 0;
        }
        ref_close(&f);
    }
    cr_assert_gt(kept, 0);
}

Test(ref_erosion, errors)
{
    static const struct {
        int64_t radius;
        const char *message;
    } cases[] = {
        {-1, "radius = -1 is below 0"},
        {(1 << 20) + 1, "radius = 1048577 is above 1048576"},
        {INT64_MIN, "radius = -9223372036854775808 is below 0"},
        {INT64_MAX, "radius = 9223372036854775807 is above 1048576"},
    };
    ref_field f;
    open_flat(&f, 3, 3, NULL);
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        ref_expect_status(&f, cases[i].message, erode(&f, cases[i].radius), VX_OUT_OF_RANGE,
                          cases[i].message);
        cr_assert_str_eq(areas_of(&f), "#########");
    }
    ref_close(&f);
}
