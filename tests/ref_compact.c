/* SPDX-License-Identifier: MIT */
/* The compact heightfield: B7. */
#include "ref_field.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(ref_compact, spans)
{
    static const struct {
        const char *name;
        int64_t height, climb;
        vx_span spans[6]; /* max = 0 ends them */
        const char *rows;
    } cases[] = {
        {"none", 10, 4, {{0}}, ""},
        {"B7.1: without a ceiling", 10, 4, {{0, 0, 0, 6, 9}}, "0 0 6 65535 9 63 63 63 63"},
        {"B7.1: under a ceiling that cannot be walked on",
         10,
         4,
         {{0, 0, 0, 6, 9}, {0, 0, 8, 10, 0}},
         "0 0 6 2 9 63 63 63 63"},
        {"B7.1: spans of area 0 make none",
         10,
         4,
         {{0, 0, 0, 6, 0}, {0, 0, 8, 10, 1}},
         "0 0 10 65535 1 63 63 63 63"},
        {"B7.2: the four directions",
         10,
         4,
         {{1, 1, 0, 6, 9}, {0, 1, 0, 6, 1}, {2, 1, 0, 6, 2}, {1, 0, 0, 6, 3}, {1, 2, 0, 6, 4}},
         "1 0 6 65535 3 63 0 63 63; 0 1 6 65535 1 63 63 0 63; 1 1 6 65535 9 0 0 0 0; "
         "2 1 6 65535 2 0 63 63 63; 1 2 6 65535 4 63 63 63 0"},
        {"B7.3: a step of climb",
         10,
         4,
         {{0, 0, 0, 6, 9}, {1, 0, 0, 10, 9}},
         "0 0 6 65535 9 63 63 0 63; 1 0 10 65535 9 0 63 63 63"},
        {"B7.3: a step beyond climb",
         10,
         4,
         {{0, 0, 0, 6, 9}, {1, 0, 0, 11, 9}},
         "0 0 6 65535 9 63 63 63 63; 1 0 11 65535 9 63 63 63 63"},
        {"B7.3: a common gap of height",
         10,
         4,
         {{0, 0, 0, 6, 9}, {1, 0, 0, 8, 9}, {0, 0, 18, 19, 0}},
         "0 0 6 12 9 63 63 0 63; 1 0 8 65535 9 0 63 63 63"},
        {"B7.3: a common gap below height",
         10,
         4,
         {{0, 0, 0, 6, 9}, {1, 0, 0, 8, 9}, {0, 0, 17, 19, 0}},
         "0 0 6 11 9 63 63 63 63; 1 0 8 65535 9 63 63 63 63"},
        {"B7.5: links are directed",
         1,
         40,
         {{0, 0, 0, 1, 9}, {0, 0, 8, 9, 9}, {1, 0, 0, 10, 9}},
         "0 0 1 7 9 63 63 63 63; 0 0 9 65535 9 63 63 0 63; 1 0 10 65535 9 1 63 63 63"},
        {"B7.5: two spans link to the lowest of one",
         1,
         40,
         {{0, 0, 0, 1, 9}, {1, 0, 0, 2, 9}, {0, 0, 4, 5, 9}, {1, 0, 30, 31, 9}},
         "0 0 1 3 9 63 63 0 63; 0 0 5 65535 9 63 63 0 63; 1 0 2 28 9 0 63 63 63; "
         "1 0 31 65535 9 1 63 63 63"},
    };
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        size_t count = 0;
        while (count < 6 && cases[i].spans[count].max > 0) {
            count++;
        }
        ref_field f;
        ref_open(&f, 3, 3, 100);
        ref_add_all(&f, cases[i].spans, count);
        cr_assert_eq(ref_compact(&f, cases[i].height, cases[i].climb), VX_OK, "%s: %s",
                     cases[i].name, f.error.message);
        ref_expect(&f, cases[i].name, cases[i].rows);
        ref_close(&f);
    }
}

/* B7.1@91d48d: Height saturates at 65535 only for the top span: no ceiling is that high. */
Test(ref_compact, tall_grid)
{
    ref_field f;
    ref_open(&f, 1, 1, 65535);
    static const vx_span spans[] = {{0, 0, 0, 1, 9}, {0, 0, 65534, 65535, 1}};
    ref_add_all(&f, spans, 2);
    cr_assert_eq(ref_compact(&f, 1, 0), VX_OK);
    ref_expect(&f, "tall", "0 0 1 65533 9 63 63 63 63; 0 0 65535 65535 1 63 63 63 63");
    ref_close(&f);
}

/* B7.4@d8ed8d: the 63rd span (m = 62) can be named, the 64th cannot, and no other is sought. */
Test(ref_compact, sixty_four_spans)
{
    for (int64_t count = 63; count <= 65; count++) {
        ref_field f;
        ref_open(&f, 2, 1, 400);
        for (int64_t m = 0; m < count; m++) {
            cr_assert_eq(ref_add(&f, 0, 0, 4 * m, 4 * m + 1, 1, 0), VX_OK);
            cr_assert_eq(ref_add(&f, 1, 0, 4 * m, 4 * m + 1, 1, 0), VX_OK);
        }
        cr_assert_eq(ref_compact(&f, 1, 0), VX_OK);
        vx_compact_row rows[130];
        cr_assert_eq(f.impl->read_compact(f.field, rows, 130, NULL), VX_OK);
        for (int64_t m = 0; m < count; m++) {
            int32_t link = m <= 62 ? (int32_t)m : VX_LINK_NONE;
            cr_assert_eq(rows[m].link[2], link, "%d of %d", (int)m, (int)count);
            cr_assert_eq(rows[count + m].link[0], link, "%d of %d", (int)m, (int)count);
        }
        ref_close(&f);
    }
}

/* B7.3@bedabb against a search through the rows, on random fields. */
static int32_t link_by_search(const vx_compact_row *rows, size_t count, const vx_compact_row *s,
                              int d, int height, int climb)
{
    static const int32_t dx[] = {-1, 0, 1, 0}, dz[] = {0, 1, 0, -1};
    int32_t m = 0;
    for (size_t i = 0; i < count; i++) {
        const vx_compact_row *t = &rows[i];
        if (t->x != s->x + dx[d] || t->z != s->z + dz[d]) {
            continue;
        }
        int32_t top = s->y + s->height < t->y + t->height ? s->y + s->height : t->y + t->height;
        int32_t floor = s->y > t->y ? s->y : t->y;
        if (top - floor >= height && abs(s->y - t->y) <= climb) {
            return m;
        }
        m++;
    }
    return VX_LINK_NONE;
}

Test(ref_compact, random_fields)
{
    enum { W = 5, D = 4, H = 30, ROUNDS = 60, SPANS = 70 };
    uint64_t random = 11;
    for (int round = 0; round < ROUNDS; round++) {
        ref_field f;
        ref_open(&f, W, D, H);
        for (int k = 0; k < SPANS; k++) {
            int64_t min = ref_random(&random, H);
            cr_assert_eq(ref_add(&f, ref_random(&random, W), ref_random(&random, D), min, min + 1,
                                 ref_random(&random, 3), 0),
                         VX_OK);
        }
        int height = 1 + (int)ref_random(&random, 5), climb = (int)ref_random(&random, 6);
        cr_assert_eq(ref_compact(&f, height, climb), VX_OK);
        vx_build3d_info info;
        f.impl->info(f.field, &info);
        cr_assert(info.is_compact);
        vx_compact_row rows[SPANS];
        cr_assert_eq(f.impl->read_compact(f.field, rows, SPANS, NULL), VX_OK);
        for (size_t i = 0; i < info.rows; i++) {
            for (int d = 0; d < 4; d++) {
                cr_assert_eq(rows[i].link[d],
                             link_by_search(rows, info.rows, &rows[i], d, height, climb),
                             "round %d, row %zu, direction %d", round, i, d);
            }
        }
        ref_close(&f);
    }
}

Test(ref_compact, errors)
{
    static const struct {
        const char *name;
        int64_t height, climb;
        const char *message;
    } cases[] = {
        {"height 0", 0, 0, "height = 0 is below 1"},
        {"height above", (1 << 30) + 1, 0, "height = 1073741825 is above 1073741824"},
        {"height least", INT64_MIN, 0, "height = -9223372036854775808 is below 1"},
        {"climb", 1, -1, "climb = -1 is below 0"},
        {"climb above", 1, INT64_MAX, "climb = 9223372036854775807 is above 1073741824"},
        {"height comes first", 0, -1, "height = 0 is below 1"},
    };
    ref_field f;
    ref_open(&f, 2, 1, 10);
    ref_add_all(&f, &(vx_span){0, 0, 2, 4, 7}, 1);
    for (size_t i = 0; i < REF_COUNT(cases); i++) {
        vx_status status = ref_compact(&f, cases[i].height, cases[i].climb);
        ref_expect_status(&f, cases[i].name, status, VX_OUT_OF_RANGE, cases[i].message);
        ref_expect(&f, cases[i].name, "0 0 2 4 7");
    }
    cr_assert_eq(ref_compact(&f, 1 << 30, 1 << 30), VX_OK);
    ref_close(&f);
}
