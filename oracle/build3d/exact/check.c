/* SPDX-License-Identifier: MIT */
/* Whether rows are a heightfield at all: SPEC B1.1, B3.1, B7.1 and B7.4. What follows is only asked
 * of rows that are. */
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "exact.h"

/* Says what is wrong with row i; returns false. */
static bool wrong(const vx_exact_court *court, const char *clause, size_t i, const char *what)
{
    vx_exact_finding finding = {.clause = clause, .x = -1, .z = -1};
    (void)snprintf(finding.text, sizeof finding.text, "row %zu of the answer %s", i, what);
    court->report(court->context, &finding);
    return false;
}

static bool in_grid(const int64_t size[3], int32_t x, int32_t z)
{
    return x >= 0 && x < size[0] && z >= 0 && z < size[1];
}

static bool is_area(int32_t area)
{
    return area >= 0 && area <= VX_AREA_MAX;
}

/* The place of a column among all. */
static int64_t place(const int64_t size[3], int32_t x, int32_t z)
{
    return x + z * size[0];
}

/* --- the grid --------------------------------------------------------------------------------- */

/* SPEC B1.6 on one axis: the least and the greatest number of cells that its two binary64 roundings
 * allow, a quotient that underflows among them; at most 2^43. */
static void count_cells(double min, double max, float cell, int64_t range[2])
{
    mpq_t exact, factor;
    mpz_t whole;
    mpq_inits(exact, factor, NULL);
    mpz_init(whole);
    for (int side = 0; side < 2; side++) {
        mpq_set_d(exact, max);
        mpq_set_d(factor, min);
        mpq_sub(exact, exact, factor);
        mpq_set_d(factor, (double)cell);
        mpq_div(exact, exact, factor);
        mpq_set_d(factor, side == 0 ? 1 - 0x1.1p-52 : 1 + 0x1.1p-52);
        mpq_mul(exact, exact, factor);
        mpq_set_d(factor, side == 0 ? -0x1p-1074 : 0x1p-1074);
        mpq_add(exact, exact, factor);
        mpz_cdiv_q(whole, mpq_numref(exact), mpq_denref(exact));
        range[side] = mpz_get_si(whole);
    }
    mpz_clear(whole);
    mpq_clears(exact, factor, NULL);
}

/* The sizes that the frame, whose numbers are in bounds, may have. */
static void find_sizes(const vx_frame *frame, int64_t sizes[3][2])
{
    static const int axes[3] = {0, 2, 1};
    for (int k = 0; k < 3; k++) {
        int axis = axes[k];
        sizes[k][0] = sizes[k][1] = frame->size[k];
        if (frame->from_bounds) {
            count_cells(frame->min[axis], frame->max[axis],
                        k == 2 ? frame->cell_height : frame->cell_size, sizes[k]);
        }
    }
}

/* SPEC B1.3. */
static bool fits(int64_t w, int64_t d, int64_t h)
{
    return w >= 1 && w <= VX_SIZE_MAX && d >= 1 && d <= VX_SIZE_MAX && w * d <= VX_COLUMNS_MAX &&
           h >= 1 && h <= VX_HEIGHT_MAX;
}

const char *vx_exact_refuse_frame(const vx_frame *frame, bool *open)
{
    int64_t sizes[3][2];
    *open = false;
    for (int k = 0; k < 3; k++) {
        const double *starts = frame->from_bounds ? frame->min : frame->origin;
        if (!(fabs(starts[k]) <= VX_COORDINATE_LIMIT)) {
            return frame->from_bounds ? "B1.5" : "B1.4";
        }
        if (frame->from_bounds &&
            !(fabs(frame->max[k]) <= VX_COORDINATE_LIMIT && frame->max[k] > frame->min[k])) {
            return "B1.5";
        }
    }
    const float cells[] = {frame->cell_size, frame->cell_height};
    for (int k = 0; k < 2; k++) {
        if (!(cells[k] >= VX_CELL_MIN && cells[k] <= VX_CELL_MAX)) {
            return "B1.2";
        }
    }
    find_sizes(frame, sizes);
    bool least = fits(sizes[0][0], sizes[1][0], sizes[2][0]);
    bool most = fits(sizes[0][1], sizes[1][1], sizes[2][1]);
    *open = least != most;
    return least || most ? NULL : frame->from_bounds ? "B1.6" : "B1.3";
}

bool vx_exact_check_size(const vx_frame *frame, const int64_t size[3], const vx_exact_court *court)
{
    int64_t sizes[3][2];
    find_sizes(frame, sizes);
    bool good = fits(size[0], size[1], size[2]);
    for (int k = 0; k < 3; k++) {
        good = good && size[k] >= sizes[k][0] && size[k] <= sizes[k][1];
    }
    if (!good) {
        vx_exact_finding finding = {
            .clause = frame->from_bounds ? "B1.6" : "B1.1", .x = -1, .z = -1};
        (void)snprintf(finding.text, sizeof finding.text,
                       "the grid has the size %lld, %lld, %lld, not that of the case, %lld, %lld, "
                       "%lld",
                       (long long)size[0], (long long)size[1], (long long)size[2],
                       (long long)sizes[0][0], (long long)sizes[1][0], (long long)sizes[2][0]);
        court->report(court->context, &finding);
    }
    return good;
}

/* --- solid heightfields ----------------------------------------------------------------------- */

bool vx_exact_check_solid(const int64_t size[3], vx_exact_solid_rows rows,
                          const vx_exact_court *court)
{
    for (size_t i = 0; i < rows.count; i++) {
        const vx_solid_row *row = &rows.rows[i];
        const vx_solid_row *last = i > 0 ? row - 1 : NULL;
        if (!in_grid(size, row->x, row->z)) {
            return wrong(court, "B1.1", i, "is in a column outside the grid");
        }
        if (row->min < 0 || row->min >= row->max || row->max > size[2]) {
            return wrong(court, "B3.1", i, "is no span inside the grid");
        }
        if (!is_area(row->area)) {
            return wrong(court, "B0.7", i, "has an area id outside 0..63");
        }
        if (last == NULL) {
            continue;
        }
        int64_t way = place(size, row->x, row->z) - place(size, last->x, last->z);
        if (way < 0) {
            return wrong(court, "B1.1", i, "is in a column before that of the row before it");
        }
        if (way == 0 && row->min <= last->max) {
            return wrong(court, "B3.1", i, "touches the row before it, or lies below it");
        }
    }
    return true;
}

/* --- compact heightfields --------------------------------------------------------------------- */

vx_status vx_exact_columns_make(const int64_t size[3], const void *rows, size_t row_size,
                                size_t count, vx_exact_columns *columns)
{
    *columns = (vx_exact_columns){
        .size = {size[0], size[1]},
        .first = calloc((size_t)(size[0] * size[1]) + 1, sizeof *columns->first)};
    if (columns->first == NULL) {
        return VX_NO_MEMORY;
    }
    size_t at = 0;
    for (int64_t column = 0; column <= size[0] * size[1]; column++) {
        const int32_t *row = (const void *)((const char *)rows + at * row_size); /* x, z, … */
        while (at < count && place(size, row[0], row[1]) < column) {
            at++;
            row = (const void *)((const char *)rows + at * row_size);
        }
        columns->first[column] = at;
    }
    return VX_OK;
}

void vx_exact_columns_free(vx_exact_columns *columns)
{
    free(columns->first);
    *columns = (vx_exact_columns){0};
}

bool vx_exact_neighbour(const vx_exact_columns *columns, int64_t x, int64_t z, int direction,
                        size_t *begin, size_t *end)
{
    static const int steps[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}}; /* SPEC B7.2 */
    x += steps[direction][0];
    z += steps[direction][1];
    if (x < 0 || x >= columns->size[0] || z < 0 || z >= columns->size[1]) {
        return false;
    }
    *begin = columns->first[x + z * columns->size[0]];
    *end = columns->first[x + z * columns->size[0] + 1];
    return true;
}

/* What does not depend on other columns. */
static bool check_row(const int64_t size[3], vx_exact_compact_rows rows, size_t i,
                      const vx_exact_court *court)
{
    const vx_compact_row *row = &rows.rows[i];
    const vx_compact_row *last = i > 0 ? row - 1 : NULL;
    if (!in_grid(size, row->x, row->z)) {
        return wrong(court, "B1.1", i, "is in a column outside the grid");
    }
    if (row->y < 1 || row->y > size[2] || row->height < 1 || row->height > VX_OPEN_HEIGHT) {
        return wrong(court, "B7.1", i, "is no open space above a span inside the grid");
    }
    if (!is_area(row->area)) {
        return wrong(court, "B0.7", i, "has an area id outside 0..63");
    }
    int64_t way = last != NULL ? place(size, row->x, row->z) - place(size, last->x, last->z) : 1;
    if (way < 0) {
        return wrong(court, "B1.1", i, "is in a column before that of the row before it");
    }
    return way > 0 || row->y > last->y ||
           wrong(court, "B7.2", i, "does not lie above the row before it");
}

static bool check_links(const vx_exact_columns *columns, vx_exact_compact_rows rows, size_t i,
                        const vx_exact_court *court)
{
    const vx_compact_row *row = &rows.rows[i];
    for (int direction = 0; direction < 4; direction++) {
        size_t begin, end;
        int32_t link = row->link[direction];
        if (link == VX_LINK_NONE) {
            continue;
        }
        if (link < 0 || link > VX_LINK_NONE ||
            !vx_exact_neighbour(columns, row->x, row->z, direction, &begin, &end) ||
            (size_t)link >= end - begin) {
            return wrong(court, "B7.4", i, "has a link to a span that there is not");
        }
    }
    return true;
}

vx_status vx_exact_check_compact(const int64_t size[3], vx_exact_compact_rows rows,
                                 const vx_exact_court *court, bool *good)
{
    vx_exact_columns columns;
    *good = true;
    for (size_t i = 0; i < rows.count && *good; i++) {
        *good = check_row(size, rows, i, court);
    }
    if (!*good) {
        return VX_OK;
    }
    vx_status status =
        vx_exact_columns_make(size, rows.rows, sizeof *rows.rows, rows.count, &columns);
    if (status != VX_OK) {
        return status;
    }
    for (size_t i = 0; i < rows.count && *good; i++) {
        *good = check_links(&columns, rows, i, court);
    }
    vx_exact_columns_free(&columns);
    return VX_OK;
}
