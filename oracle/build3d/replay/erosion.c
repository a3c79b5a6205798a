/* SPDX-License-Identifier: MIT */
/* Erosion (SPEC B8): relaxed until nothing changes, the plainest way to the exact minimum. */
#include <stdlib.h>

#include "replay.h"

/* The span that s is linked to in a direction; 0 when there is none. */
static int follow(const vx_build3d *field, size_t s, int direction, size_t *target)
{
    const vx_compact_row *from = &field->open[s];
    size_t beside;
    size_t column = (size_t)(from->x + (int64_t)from->z * field->width);
    if (from->link[direction] == VX_LINK_NONE ||
        !vx_replay_neighbour(field, column, direction, &beside)) {
        return 0;
    }
    *target = field->first[beside] + (size_t)from->link[direction];
    return 1;
}

/* SPEC B8.2. */
static int is_boundary(const vx_build3d *field, size_t s)
{
    if (field->open[s].area == 0) {
        return 1;
    }
    for (int direction = 0; direction < 4; direction++) {
        size_t t;
        if (!follow(field, s, direction, &t) || field->open[t].area == 0) {
            return 1;
        }
    }
    return 0;
}

/* SPEC B8.3: the least of a step's cost and what is known behind it. */
static int64_t shortest(const vx_build3d *field, const int64_t *distances, size_t s)
{
    int64_t least = distances[s];
    for (int direction = 0; direction < 4; direction++) {
        size_t t;
        if (!follow(field, s, direction, &t)) {
            continue;
        }
        least = distances[t] + 2 < least ? distances[t] + 2 : least;
        for (int turn = 1; turn <= 3; turn += 2) {
            size_t diagonal;
            if (follow(field, t, (direction + turn) % 4, &diagonal) &&
                distances[diagonal] + 3 < least) {
                least = distances[diagonal] + 3;
            }
        }
    }
    return least;
}

/* Forwards and backwards in turn, until a sweep changes nothing. */
static void relax(const vx_build3d *field, int64_t *distances, size_t count)
{
    int changed = 1;
    for (int backwards = 0; changed; backwards = !backwards) {
        changed = 0;
        for (size_t i = 0; i < count; i++) {
            size_t s = backwards ? count - 1 - i : i;
            int64_t least = shortest(field, distances, s);
            if (least < distances[s]) {
                distances[s] = least;
                changed = 1;
            }
        }
    }
}

vx_status vx_replay_erode(vx_build3d *field, int64_t radius, vx_error *error)
{
    size_t count = field->first[(size_t)(field->width * field->depth)];
    vx_status status = vx_replay_check_integer("the radius", radius, 0, VX_RADIUS_MAX, error);
    if (status != VX_OK) {
        return status;
    }
    int64_t *distances = vx_replay_calloc(count, sizeof *distances);
    if (distances == NULL) {
        return vx_replay_no_memory(error);
    }
    for (size_t s = 0; s < count; s++) {
        distances[s] = is_boundary(field, s) ? 0 : 2 * radius;
    }
    relax(field, distances, count);
    for (size_t s = 0; s < count; s++) {
        if (distances[s] < 2 * radius) {
            field->open[s].area = 0;
        }
    }
    free(distances);
    return VX_OK;
}
