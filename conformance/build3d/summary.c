/* SPDX-License-Identifier: MIT */
/* What a result of build3d amounts to, in a few lines for people. */
#include <stdio.h>

#include "build3d/build3d.h"

typedef struct counts {
    size_t columns; /* with at least one span */
    size_t most;    /* spans in one column */
    size_t by_area[VX_AREA_MAX + 1];
    size_t links;     /* of compact spans, 63 not counted */
    int32_t low, top; /* the least and the greatest row */
} counts;

/* Columns of both tables; a solid row has min and max where a compact one has y and height. */
enum { X, Z, LOW, HIGH, AREA, LINKS };

static counts count_rows(const vx_result *result)
{
    counts found = {.low = INT32_MAX};
    size_t width = vx_build3d_shape.tables[result->table].width;
    size_t in_column = 0;
    for (size_t i = 0; i < result->rows; i++) {
        const int32_t *row = result->cells + i * width;
        bool same = i > 0 && row[X] == (row - width)[X] && row[Z] == (row - width)[Z];
        in_column = same ? in_column + 1 : 1;
        found.columns += same ? 0 : 1;
        found.most = in_column > found.most ? in_column : found.most;
        int32_t top = result->table == VX_BUILD3D_SOLID ? row[HIGH] : row[LOW];
        found.low = row[LOW] < found.low ? row[LOW] : found.low;
        found.top = top > found.top ? top : found.top;
        if (row[AREA] >= 0 && row[AREA] <= VX_AREA_MAX) {
            found.by_area[row[AREA]]++;
        }
        for (size_t k = LINKS; k < width; k++) {
            found.links += row[k] != VX_LINK_NONE ? 1 : 0;
        }
    }
    return found;
}

static void add_line(vx_text *text, const char *name, size_t value)
{
    vx_text_format(text, "  %-11s %zu\n", name, value);
}

void vx_build3d_summarize(const vx_result *result, vx_text *text)
{
    const int64_t *size = result->facts;
    counts found = count_rows(result);
    vx_text_format(text, "  %-11s %lld cells along x, %lld along z, %lld rows\n", "grid",
                   (long long)size[0], (long long)size[1], (long long)size[2]);
    add_line(text, "degenerate", (size_t)result->facts[3]);
    vx_text_format(text, "  %-11s %zu %s, in %zu columns, at most %zu in one\n", "spans",
                   result->rows, vx_build3d_shape.tables[result->table].name, found.columns,
                   found.most);
    add_line(text, "walkable", result->rows - found.by_area[0]);
    for (size_t area = 0; area <= VX_AREA_MAX; area++) {
        if (found.by_area[area] > 0) {
            char name[16];
            (void)snprintf(name, sizeof name, "area %zu", area);
            add_line(text, name, found.by_area[area]);
        }
    }
    if (result->rows > 0) {
        vx_text_format(text, "  %-11s %d to %d\n",
                       result->table == VX_BUILD3D_SOLID ? "rows" : "floors", found.low, found.top);
    }
    if (result->table == VX_BUILD3D_COMPACT) {
        add_line(text, "links", found.links);
    }
}
