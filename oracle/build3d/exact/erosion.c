/* SPDX-License-Identifier: MIT */
/* Erosion by Bellman and Ford (SPEC B8): distances shrink until no step makes one smaller. Spans
 * whose distance shrank wait in a queue, and what leads to them is looked at again. */
#include <stdio.h>
#include <stdlib.h>

#include "exact.h"

/* A link backwards: span from, in that direction, is linked to the span whose list this is in. */
typedef struct back {
    uint32_t from;
    uint8_t direction;
} back;

typedef struct eroding {
    vx_exact_compact_rows rows;
    uint32_t *target; /* of span s in direction d, at 4s + d; NONE */
    size_t *first;    /* where span t's links backwards begin in backs; two more places */
    back *backs;
    int64_t *distance;
    uint32_t *queue; /* a ring of count + 1 places */
    uint8_t *waits;  /* whether it is in the queue */
    size_t head, tail;
} eroding;

#define NONE UINT32_MAX

static bool find_targets(eroding *of, const int64_t size[3])
{
    vx_exact_columns columns;
    if (vx_exact_columns_make(size, of->rows.rows, sizeof *of->rows.rows, of->rows.count,
                              &columns) != VX_OK) {
        return false;
    }
    for (size_t i = 0; i < 4 * of->rows.count; i++) {
        const vx_compact_row *row = &of->rows.rows[i / 4];
        size_t begin, end;
        int32_t link = row->link[i % 4];
        of->target[i] = NONE;
        if (link != VX_LINK_NONE &&
            vx_exact_neighbour(&columns, row->x, row->z, (int)(i % 4), &begin, &end)) {
            of->target[i] = (uint32_t)(begin + (size_t)link);
        }
    }
    vx_exact_columns_free(&columns);
    return true;
}

/* Sorts the links by where they lead. */
static void turn_links(eroding *of)
{
    for (size_t i = 0; i < 4 * of->rows.count; i++) {
        if (of->target[i] != NONE) {
            of->first[of->target[i] + 2]++;
        }
    }
    for (size_t i = 2; i < of->rows.count + 2; i++) {
        of->first[i] += of->first[i - 1];
    }
    /* first[t + 1] is where t begins, and grows to where it ends. */
    for (size_t i = 0; i < 4 * of->rows.count; i++) {
        if (of->target[i] != NONE) {
            size_t place = of->first[of->target[i] + 1]++;
            of->backs[place] = (back){(uint32_t)(i / 4), (uint8_t)(i % 4)};
        }
    }
}

/* SPEC B8.2. */
static bool is_boundary(const eroding *of, size_t s)
{
    bool boundary = of->rows.rows[s].area == 0;
    for (size_t d = 0; d < 4; d++) {
        uint32_t t = of->target[4 * s + d];
        boundary = boundary || t == NONE || of->rows.rows[t].area == 0;
    }
    return boundary;
}

static void enter(eroding *of, uint32_t s)
{
    if (!of->waits[s]) {
        of->waits[s] = 1;
        of->queue[of->tail] = s;
        of->tail = of->tail < of->rows.count ? of->tail + 1 : 0;
    }
}

static void relax(eroding *of, uint32_t s, int64_t distance)
{
    if (distance < of->distance[s]) {
        of->distance[s] = distance;
        enter(of, s);
    }
}

/* SPEC B8.3, backwards from t: along one link for 2, along two perpendicular ones for 3. */
static void look_back(eroding *of, uint32_t t)
{
    int64_t distance = of->distance[t];
    for (size_t i = of->first[t]; i < of->first[t + 1]; i++) {
        back second = of->backs[i];
        relax(of, second.from, distance + 2);
        for (size_t k = of->first[second.from]; k < of->first[second.from + 1]; k++) {
            back first = of->backs[k];
            if ((first.direction + second.direction) % 2 == 1) {
                relax(of, first.from, distance + 3);
            }
        }
    }
}

/* SPEC B8.4. */
static void find_distances(eroding *of, int64_t radius)
{
    for (size_t s = 0; s < of->rows.count; s++) {
        bool boundary = is_boundary(of, s);
        of->distance[s] = boundary ? 0 : 2 * radius;
        if (boundary) {
            enter(of, (uint32_t)s);
        }
    }
    while (of->head != of->tail) {
        uint32_t t = of->queue[of->head];
        of->head = of->head < of->rows.count ? of->head + 1 : 0;
        of->waits[t] = 0;
        look_back(of, t);
    }
}

static void compare(const eroding *of, vx_exact_compact_rows after, int64_t radius,
                    const vx_exact_court *court)
{
    for (size_t s = 0; s < of->rows.count; s++) {
        const vx_compact_row *row = &of->rows.rows[s];
        int32_t area = of->distance[s] < 2 * radius ? 0 : row->area;
        if (after.rows[s].area != area) {
            vx_exact_finding finding = {
                .clause = "B8.5", .x = row->x, .z = row->z, .min = row->y, .max = row->y};
            (void)snprintf(finding.text, sizeof finding.text,
                           "area %d of the span with Y %d, which was %d; its dist is %lld, 2r is "
                           "%lld",
                           after.rows[s].area, row->y, row->area, (long long)of->distance[s],
                           2 * (long long)radius);
            court->report(court->context, &finding);
        }
    }
}

vx_status vx_exact_judge_erosion(const int64_t size[3], int64_t radius,
                                 vx_exact_compact_rows before, vx_exact_compact_rows after,
                                 const vx_exact_court *court)
{
    size_t count = before.count;
    if (!vx_exact_same_spans(before, after, "B8.1", court)) {
        return VX_OK;
    }
    eroding of = {.rows = before,
                  .target = calloc(4 * count + 1, sizeof *of.target),
                  .first = calloc(count + 2, sizeof *of.first),
                  .backs = calloc(4 * count + 1, sizeof *of.backs),
                  .distance = calloc(count + 1, sizeof *of.distance),
                  .queue = calloc(count + 1, sizeof *of.queue),
                  .waits = calloc(count + 1, sizeof *of.waits)};
    vx_status status = VX_NO_MEMORY;
    if (of.target != NULL && of.first != NULL && of.backs != NULL && of.distance != NULL &&
        of.queue != NULL && of.waits != NULL && find_targets(&of, size)) {
        turn_links(&of);
        find_distances(&of, radius);
        compare(&of, after, radius, court);
        status = VX_OK;
    }
    free(of.target);
    free(of.first);
    free(of.backs);
    free(of.distance);
    free(of.queue);
    free(of.waits);
    return status;
}
