/* SPDX-License-Identifier: MIT */
/* The three filters (SPEC B6): integers only, so nothing here needs MPFR. */
#include <stdlib.h>

#include "replay.h"

static size_t column_count(const vx_build3d *field)
{
    return (size_t)(field->width * field->depth);
}

int64_t vx_replay_ceiling(const vx_replay_column *column, uint32_t index)
{
    return index + 1 < column->count ? column->spans[index + 1].min : VX_ROWS_MAX;
}

int vx_replay_neighbour(const vx_build3d *field, size_t column, int direction, size_t *neighbour)
{
    static const int step_x[] = {-1, 0, 1, 0};
    static const int step_z[] = {0, 1, 0, -1};
    int64_t x = (int64_t)column % field->width + step_x[direction];
    int64_t z = (int64_t)column / field->width + step_z[direction];
    *neighbour = (size_t)(x + z * field->width);
    return x >= 0 && x < field->width && z >= 0 && z < field->depth;
}

/* SPEC B6.3, B6.4: from the top down, so that each pair is met before its lower span changes. */
vx_status vx_replay_low_hanging(vx_build3d *field, int64_t climb, vx_error *error)
{
    vx_status status = vx_replay_check_integer("climb", climb, 0, VX_ROWS_MAX, error);
    for (size_t c = 0; c < column_count(field) && status == VX_OK; c++) {
        vx_replay_column *column = &field->columns[c];
        for (uint32_t i = column->count; i-- > 1;) {
            vx_replay_span *s = &column->spans[i];
            const vx_replay_span *p = s - 1;
            if (s->area == 0 && p->area != 0 && s->max - p->max <= climb) {
                s->area = p->area;
            }
        }
    }
    return status;
}

/* --- ledges ----------------------------------------------------------------------------------- */

/* The extremes met so far, each pair valid once its count is not 0 (SPEC B6.8). */
typedef struct surroundings {
    int64_t floor, ceiling, height, climb;
    int64_t drops, lowest_drop;
    int64_t accessible, least_floor, greatest_floor;
} surroundings;

static void meet_drop(surroundings *around, int64_t drop)
{
    if (around->drops++ == 0 || drop < around->lowest_drop) {
        around->lowest_drop = drop;
    }
}

/* SPEC B6.6. */
static void meet_gap(surroundings *around, int64_t floor, int64_t ceiling)
{
    int64_t top = ceiling < around->ceiling ? ceiling : around->ceiling;
    int64_t bottom = floor > around->floor ? floor : around->floor;
    if (top - bottom < around->height) {
        return;
    }
    int64_t drop = floor - around->floor;
    meet_drop(around, drop);
    if (drop < -around->climb || drop > around->climb) {
        return;
    }
    if (around->accessible == 0 || floor < around->least_floor) {
        around->least_floor = floor;
    }
    if (around->accessible == 0 || floor > around->greatest_floor) {
        around->greatest_floor = floor;
    }
    around->accessible++;
}

/* SPEC B6.5 to B6.7. */
static int is_ledge(const vx_build3d *field, size_t column, uint32_t index, int64_t height,
                    int64_t climb)
{
    surroundings around = {.floor = field->columns[column].spans[index].max,
                           .ceiling = vx_replay_ceiling(&field->columns[column], index),
                           .height = height,
                           .climb = climb};
    for (int direction = 0; direction < 4; direction++) {
        size_t beside;
        if (!vx_replay_neighbour(field, column, direction, &beside)) {
            meet_drop(&around, -climb - 1);
            continue;
        }
        const vx_replay_column *neighbour = &field->columns[beside];
        meet_gap(&around, -climb, neighbour->count > 0 ? neighbour->spans[0].min : VX_ROWS_MAX);
        for (uint32_t n = 0; n < neighbour->count; n++) {
            meet_gap(&around, neighbour->spans[n].max, vx_replay_ceiling(neighbour, n));
        }
    }
    return (around.drops > 0 && around.lowest_drop < -climb) ||
           (around.accessible > 0 && around.greatest_floor - around.least_floor > climb);
}

vx_status vx_replay_ledges(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    vx_status status = vx_replay_check_integer("height", height, 1, VX_ROWS_MAX, error);
    if (status == VX_OK) {
        status = vx_replay_check_integer("climb", climb, 0, VX_ROWS_MAX, error);
    }
    for (size_t c = 0; c < column_count(field) && status == VX_OK; c++) {
        for (uint32_t i = 0; i < field->columns[c].count; i++) {
            vx_replay_span *s = &field->columns[c].spans[i];
            if (s->area != 0 && is_ledge(field, c, i, height, climb)) {
                s->area = 0;
            }
        }
    }
    return status;
}

/* SPEC B6.10. */
vx_status vx_replay_low_height(vx_build3d *field, int64_t height, vx_error *error)
{
    vx_status status = vx_replay_check_integer("height", height, 1, VX_ROWS_MAX, error);
    for (size_t c = 0; c < column_count(field) && status == VX_OK; c++) {
        vx_replay_column *column = &field->columns[c];
        for (uint32_t i = 0; i + 1 < column->count; i++) {
            if (vx_replay_ceiling(column, i) - column->spans[i].max < height) {
                column->spans[i].area = 0;
            }
        }
    }
    return status;
}
