/* SPDX-License-Identifier: MIT */
/* The compact heightfield (SPEC B7): integers only. */
#include <stdlib.h>

#include "replay.h"

enum { LINKABLE = 62 }; /* SPEC B7.4: the highest index that a link can name */

/* SPEC B7.1: the open spaces of one column, appended. */
static void open_column(const vx_build3d *field, size_t c, vx_compact_row *open, size_t *count)
{
    const vx_replay_column *column = &field->columns[c];
    for (uint32_t i = 0; i < column->count; i++) {
        const vx_replay_span *s = &column->spans[i];
        if (s->area == 0) {
            continue;
        }
        int64_t space = vx_replay_ceiling(column, i) - s->max;
        open[(*count)++] =
            (vx_compact_row){.x = (int32_t)((int64_t)c % field->width),
                             .z = (int32_t)((int64_t)c / field->width),
                             .y = s->max,
                             .height = (int32_t)(space < VX_OPEN_HEIGHT ? space : VX_OPEN_HEIGHT),
                             .area = s->area};
    }
}

/* SPEC B7.3. */
static int fits(const vx_compact_row *s, const vx_compact_row *t, int64_t height, int64_t climb)
{
    int64_t s_top = (int64_t)s->y + s->height;
    int64_t t_top = (int64_t)t->y + t->height;
    int64_t top = s_top < t_top ? s_top : t_top;
    int64_t bottom = s->y > t->y ? s->y : t->y;
    int64_t rise = (int64_t)t->y - s->y;
    return top - bottom >= height && rise <= climb && -rise <= climb;
}

/* SPEC B7.3, B7.4. */
static int32_t find_link(const vx_build3d *field, const vx_compact_row *s, size_t column,
                         int direction, int64_t height, int64_t climb)
{
    size_t beside;
    if (!vx_replay_neighbour(field, column, direction, &beside)) {
        return VX_LINK_NONE;
    }
    size_t first = field->first[beside];
    for (size_t t = first; t < field->first[beside + 1]; t++) {
        if (fits(s, &field->open[t], height, climb)) {
            return t - first <= LINKABLE ? (int32_t)(t - first) : VX_LINK_NONE;
        }
    }
    return VX_LINK_NONE;
}

static void link_all(vx_build3d *field, int64_t height, int64_t climb)
{
    size_t columns = (size_t)(field->width * field->depth);
    for (size_t c = 0; c < columns; c++) {
        for (size_t s = field->first[c]; s < field->first[c + 1]; s++) {
            for (int direction = 0; direction < 4; direction++) {
                field->open[s].link[direction] =
                    find_link(field, &field->open[s], c, direction, height, climb);
            }
        }
    }
}

vx_status vx_replay_compact(vx_build3d *field, int64_t height, int64_t climb, vx_error *error)
{
    size_t columns = (size_t)(field->width * field->depth);
    vx_status status = vx_replay_check_integer("height", height, 1, VX_ROWS_MAX, error);
    if (status == VX_OK) {
        status = vx_replay_check_integer("climb", climb, 0, VX_ROWS_MAX, error);
    }
    if (status != VX_OK) {
        return status;
    }
    vx_compact_row *open = vx_replay_calloc(field->solid_count, sizeof *open);
    size_t *first = vx_replay_calloc(columns + 1, sizeof *first);
    if (open == NULL || first == NULL) {
        free(open);
        free(first);
        return vx_replay_no_memory(error);
    }
    size_t count = 0;
    for (size_t c = 0; c < columns; c++) {
        first[c] = count;
        open_column(field, c, open, &count);
    }
    first[columns] = count;
    field->open = open;
    field->first = first;
    field->is_compact = 1;
    link_all(field, height, climb);
    return VX_OK;
}
