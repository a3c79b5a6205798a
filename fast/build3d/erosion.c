/* SPDX-License-Identifier: MIT */
/* SPEC B8: erosion. Distances that fit a byte are found by rounds of one step each over all spans,
 * with kernels; larger ones by sweeps until nothing changes. */
#include "beside.h"

/* Sums of a distance and a diagonal step fit a byte up to twice this. */
enum { BYTE_RADIUS_MAX = 126 };

/* The spans of a column and of its neighbours: row 0 is z − 1, and within it 0 is x − 1. Outside
 * the grid, where no link leads, there are none. */
typedef struct near_columns {
    vx_fast_places at[3][3];
} near_columns;

static near_columns near_columns_of(const vx_build3d *field, uint32_t x, uint32_t z)
{
    near_columns n = {0};
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t j = 0; j < 3; j++) {
            /* Below 0 is beyond the end as an unsigned number. */
            if (x + j - 1 < field->size[0] && z + i - 1 < field->size[1]) {
                n.at[i][j] = vx_fast_places_at(field, x + j - 1, z + i - 1);
            }
        }
    }
    return n;
}

/* Where the directions of B7.2@392666 lead in the rows and columns around. */
static const uint8_t to_row[] = {1, 2, 1, 0};
static const uint8_t to_column[] = {0, 1, 2, 1};

/* The place behind a link of span s, which stands in row i and column j of those around; SIZE_MAX
 * without a link. */
static inline size_t behind(const vx_build3d *field, const near_columns *n, uint32_t i, uint32_t j,
                            size_t s, size_t direction)
{
    uint8_t link = field->compact.link[direction][s];
    if (link == VX_LINK_NONE) {
        return SIZE_MAX;
    }
    const vx_fast_places *to = &n->at[i + to_row[direction] - 1][j + to_column[direction] - 1];
    return to->first + link * to->stride;
}

/* B8.2@3da75b for span s in the middle. */
static bool is_boundary(const vx_build3d *field, const near_columns *n, size_t s)
{
    bool boundary = field->compact.area[s] == 0;
    for (size_t d = 0; d < 4 && !boundary; d++) {
        size_t t = behind(field, n, 1, 1, s, d);
        boundary = t == SIZE_MAX || field->compact.area[t] == 0;
    }
    return boundary;
}

/* --- distances in bytes -------------------------------------------------------------------------
 */

/* One erosion. What lies near is kept for three rows at a time. */
typedef struct erosion {
    const vx_build3d *field;
    uint8_t *dist; /* of every place, at most limit */
    uint8_t
        *along_x[3]; /* of the places of row z in z mod 3: the least dist behind links along x */
    uint8_t *along_z[3];
    uint8_t *beside[2]; /* room for the layers of one block, moved to either side */
    uint8_t limit;      /* 2·r */
} erosion;

/* The first place of a row. */
static size_t row_place(const vx_build3d *field, size_t z)
{
    return z < field->size[1] ? field->compact.blocks[z * field->blocks_wide].place
                              : field->compact.places;
}

/* What lies behind the links of layer 0 of a block in layers: straight from arrays that begin at
 * the given places. */
static vx_fast_step steps_of(const erosion *e, const vx_fast_around *n, const uint8_t *sideways,
                             size_t sideways_base, const uint8_t *const ahead[2],
                             const size_t ahead_base[2], uint8_t none)
{
    vx_fast_step s;
    for (size_t d = 0; d < 4; d++) {
        s.link[d] = e->field->compact.link[d] + n->own->place;
    }
    for (size_t side = 0; side < 2; side++) {
        uint32_t count =
            vx_fast_shift_bytes(sideways, sideways_base, n, side, none, e->beside[side]);
        s.straight[2 * side] = (vx_fast_bytes){e->beside[side], count};
        /* Side 0 is z + 1, direction 1; side 1 is z − 1, direction 3. */
        const vx_fast_compact_block *other = n->others[2 * side + 1];
        s.straight[2 * side + 1] =
            other != NULL
                ? (vx_fast_bytes){ahead[side] + (other->place - ahead_base[side]), other->layers}
                : (vx_fast_bytes){0};
    }
    return s;
}

/* The steps of all layers of a block where everything is read from one array. */
static vx_fast_step plain_steps_of(const erosion *e, const vx_fast_around *n, const uint8_t *from,
                                   uint8_t none)
{
    static const size_t zero[] = {0, 0};
    const uint8_t *const ahead[] = {from, from};
    return steps_of(e, n, from, 0, ahead, zero, none);
}

static void to_next_layer(vx_fast_step *s)
{
    for (size_t d = 0; d < 4; d++) {
        s->link[d] += VX_FAST_LANES;
    }
}

typedef void span_fn(const erosion *e, const near_columns *n, uint32_t z, size_t s);

/* Every span of a block that is not in layers, or whose neighbours are not. */
static void each_span(const erosion *e, uint32_t z, uint32_t index, span_fn *visit)
{
    uint32_t x = index * VX_FAST_LANES;
    uint32_t width = e->field->size[0];
    uint32_t end = x + VX_FAST_LANES < width ? x + VX_FAST_LANES : width;
    for (; x < end; x++) {
        near_columns n = near_columns_of(e->field, x, z);
        const vx_fast_places *own = &n.at[1][1];
        for (uint32_t k = 0; k < own->count; k++) {
            visit(e, &n, z, own->first + k * own->stride);
        }
    }
}

static void mark_span(const erosion *e, const near_columns *n, uint32_t z, size_t s)
{
    (void)z;
    e->dist[s] = is_boundary(e->field, n, s) ? 0 : e->limit;
}

static void mark_block(const erosion *e, uint32_t z, uint32_t index)
{
    vx_fast_around n = vx_fast_around_of(e->field, z, index);
    if (!n.suits) {
        /* Places without a span as well, which are looked at in the end. */
        memset(e->dist + n.own->place, 0, (size_t)n.own->layers * VX_FAST_LANES);
        each_span(e, z, index, mark_span);
        return;
    }
    const uint8_t *area = e->field->compact.area;
    vx_fast_step s = plain_steps_of(e, &n, area, 0);
    for (uint32_t k = 0; k < n.own->layers; k++) {
        size_t at = n.own->place + (size_t)k * VX_FAST_LANES;
        e->field->kernels->boundary(&s, area + at, e->limit, e->dist + at);
        to_next_layer(&s);
    }
}

/* The dist behind a link in the middle, the limit without one. */
static uint8_t dist_behind(const erosion *e, const near_columns *n, size_t s, size_t direction)
{
    size_t t = behind(e->field, n, 1, 1, s, direction);
    return t != SIZE_MAX ? e->dist[t] : e->limit;
}

static inline uint8_t lesser(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

static void look_around(const erosion *e, const near_columns *n, uint32_t z, size_t s)
{
    size_t at = s - row_place(e->field, z);
    e->along_x[z % 3][at] = lesser(dist_behind(e, n, s, 0), dist_behind(e, n, s, 2));
    e->along_z[z % 3][at] = lesser(dist_behind(e, n, s, 1), dist_behind(e, n, s, 3));
}

/* Fills in along_x and along_z of a block. */
static void look_in_block(const erosion *e, uint32_t z, uint32_t index)
{
    vx_fast_around n = vx_fast_around_of(e->field, z, index);
    if (!n.suits) {
        each_span(e, z, index, look_around);
        return;
    }
    size_t at = n.own->place - row_place(e->field, z);
    vx_fast_step s = plain_steps_of(e, &n, e->dist, e->limit);
    for (uint32_t k = 0; k < n.own->layers; k++, at += VX_FAST_LANES) {
        e->field->kernels->near(&s, e->limit, e->along_x[z % 3] + at, e->along_z[z % 3] + at);
        to_next_layer(&s);
    }
}

/* B8.3@d10d43 for one span from what its neighbours see: along z from those beside it along x, and
 * the other way round. */
static void step_from(const erosion *e, const near_columns *n, uint32_t z, size_t s)
{
    size_t row = row_place(e->field, z);
    uint32_t straight = lesser(e->along_x[z % 3][s - row], e->along_z[z % 3][s - row]);
    uint32_t diagonal = e->limit;
    for (size_t d = 0; d < 4; d++) {
        size_t t = behind(e->field, n, 1, 1, s, d);
        if (t != SIZE_MAX) {
            uint32_t other_z = z + to_row[d] - 1;
            uint8_t *const *along = d % 2 == 0 ? e->along_z : e->along_x;
            uint32_t seen = along[other_z % 3][t - row_place(e->field, other_z)];
            diagonal = seen < diagonal ? seen : diagonal;
        }
    }
    uint32_t least = straight + 2 < diagonal + 3 ? straight + 2 : diagonal + 3;
    e->dist[s] = least < e->dist[s] ? (uint8_t)least : e->dist[s];
}

static void step_in_block(const erosion *e, uint32_t z, uint32_t index)
{
    vx_fast_around n = vx_fast_around_of(e->field, z, index);
    if (!n.suits) {
        each_span(e, z, index, step_from);
        return;
    }
    size_t row = row_place(e->field, z);
    const uint8_t *const ahead[] = {e->along_x[(z + 1) % 3], e->along_x[(z + 2) % 3]};
    const size_t bases[] = {row_place(e->field, (size_t)z + 1),
                            z > 0 ? row_place(e->field, (size_t)z - 1) : 0};
    vx_fast_step s = steps_of(e, &n, e->along_z[z % 3], row, ahead, bases, e->limit);
    for (uint32_t k = 0; k < n.own->layers; k++) {
        size_t at = n.own->place + (size_t)k * VX_FAST_LANES;
        e->field->kernels->step(&s, e->along_x[z % 3] + (at - row), e->along_z[z % 3] + (at - row),
                                e->limit, e->dist + at);
        to_next_layer(&s);
    }
}

static void each_block(const erosion *e, uint32_t z,
                       void visit(const erosion *e, uint32_t z, uint32_t index))
{
    for (uint32_t i = 0; z < e->field->size[1] && i < e->field->blocks_wide; i++) {
        visit(e, z, i);
    }
}

/* One step from every span. What row z sees needs the rows beside it as they were, so that it is
 * one row ahead of the steps. */
static void round_of_steps(const erosion *e)
{
    each_block(e, 0, look_in_block);
    for (uint32_t z = 0; z < e->field->size[1]; z++) {
        each_block(e, z + 1, look_in_block);
        each_block(e, z, step_in_block);
    }
}

static vx_status erode_in_bytes(vx_build3d *field, uint32_t radius, vx_error *error)
{
    size_t widest = 0;
    uint32_t deepest = 0;
    for (size_t z = 0; z < field->size[1]; z++) {
        size_t wide = row_place(field, z + 1) - row_place(field, z);
        widest = wide > widest ? wide : widest;
        for (size_t i = 0; i < field->blocks_wide; i++) {
            uint32_t layers = field->compact.blocks[z * field->blocks_wide + i].layers;
            deepest = layers > deepest ? layers : deepest;
        }
    }
    size_t side = (size_t)deepest * VX_FAST_LANES;
    erosion e = {.field = field, .limit = (uint8_t)(2 * radius)};
    e.dist = vx_fast_reserve(field, &field->scratch, field->compact.places + 6 * widest + 2 * side,
                             1, error);
    if (e.dist == NULL) {
        return VX_NO_MEMORY;
    }
    uint8_t *memory = e.dist + field->compact.places;
    for (size_t i = 0; i < 3; i++) {
        e.along_x[i] = memory + 2 * i * widest;
        e.along_z[i] = e.along_x[i] + widest;
    }
    e.beside[0] = memory + 6 * widest;
    e.beside[1] = e.beside[0] + side;
    for (uint32_t z = 0; z < field->size[1]; z++) {
        each_block(&e, z, mark_block);
    }
    /* A path of cost below 2·r has at most r − 1 steps. */
    for (uint32_t i = 0; i + 1 < radius; i++) {
        round_of_steps(&e);
    }
    for (size_t s = 0; s < field->compact.places; s++) {
        field->compact.area[s] = e.dist[s] < e.limit ? 0 : field->compact.area[s];
    }
    return VX_OK;
}

/* --- any distance --------------------------------------------------------------------------------
 */

/* B8.3@d10d43 from a span in the middle: the least cost over one step, given what the dist of its
 * end is so far. */
static uint32_t least_step(const vx_build3d *field, const near_columns *n, const uint32_t *dist,
                           size_t s)
{
    uint32_t least = dist[s];
    for (size_t d = 0; d < 4; d++) {
        size_t t = behind(field, n, 1, 1, s, d);
        if (t == SIZE_MAX) {
            continue;
        }
        least = dist[t] + 2 < least ? dist[t] + 2 : least;
        for (size_t turn = 1; turn < 4; turn += 2) {
            size_t end = behind(field, n, to_row[d], to_column[d], t, (d + turn) % 4);
            least = end != SIZE_MAX && dist[end] + 3 < least ? dist[end] + 3 : least;
        }
    }
    return least;
}

static bool sweep_column(const vx_build3d *field, uint32_t *dist, uint32_t x, uint32_t z)
{
    vx_fast_places own = vx_fast_places_at(field, x, z);
    if (own.count == 0) {
        return false;
    }
    near_columns n = near_columns_of(field, x, z);
    bool changed = false;
    for (uint32_t k = 0; k < own.count; k++) {
        size_t s = own.first + k * own.stride;
        /* Nothing is nearer than one step, and at 0 is what may lack a link. */
        if (dist[s] > 2) {
            uint32_t least = least_step(field, &n, dist, s);
            changed |= least < dist[s];
            dist[s] = least;
        }
    }
    return changed;
}

/* Takes every span once, in or against the order of the columns; true when a dist became less. */
static bool sweep(const vx_build3d *field, uint32_t *dist, bool backwards)
{
    uint32_t depth = field->size[1];
    uint32_t width = field->size[0];
    bool changed = false;
    for (uint32_t i = 0; i < depth; i++) {
        for (uint32_t j = 0; j < width; j++) {
            changed |= sweep_column(field, dist, backwards ? width - 1 - j : j,
                                    backwards ? depth - 1 - i : i);
        }
    }
    return changed;
}

/* One column: marks the boundary, or, once dist is known, clears what is too near. */
static void for_column(const vx_build3d *field, uint32_t *dist, uint32_t limit, bool known,
                       const near_columns *n)
{
    const vx_fast_places *own = &n->at[1][1];
    for (uint32_t k = 0; k < own->count; k++) {
        size_t s = own->first + k * own->stride;
        if (!known) {
            dist[s] = is_boundary(field, n, s) ? 0 : limit;
        } else if (dist[s] < limit) {
            field->compact.area[s] = 0;
        }
    }
}

static void for_all(const vx_build3d *field, uint32_t *dist, uint32_t limit, bool known)
{
    for (uint32_t z = 0; z < field->size[1]; z++) {
        for (uint32_t x = 0; x < field->size[0]; x++) {
            near_columns n = near_columns_of(field, x, z);
            for_column(field, dist, limit, known, &n);
        }
    }
}

static vx_status erode_by_sweeps(vx_build3d *field, uint32_t radius, vx_error *error)
{
    uint32_t *dist =
        vx_fast_reserve(field, &field->scratch, field->compact.places, sizeof *dist, error);
    if (dist == NULL) {
        return VX_NO_MEMORY;
    }
    for_all(field, dist, 2 * radius, false);
    /* Two ends: a sweep that changes nothing has checked every step of every span, so that dist is
     * the least; and a path of cost below 2·r has at most r − 1 steps, each of which the next sweep
     * finds at the latest. */
    bool changed = true;
    for (uint32_t i = 0; i + 1 < radius && changed; i++) {
        changed = sweep(field, dist, i % 2 == 1);
    }
    for_all(field, dist, 2 * radius, true);
    return VX_OK;
}

vx_status vx_fast_erode(vx_build3d *field, int64_t radius, vx_error *error)
{
    vx_status status = vx_fast_check_place(field, true, "erode", error);
    if (status == VX_OK) {
        status = vx_fast_check_integer(radius, 0, VX_RADIUS_MAX, "radius", error);
    }
    if (status != VX_OK || radius == 0) {
        return status;
    }
    return radius <= BYTE_RADIUS_MAX ? erode_in_bytes(field, (uint32_t)radius, error)
                                     : erode_by_sweeps(field, (uint32_t)radius, error);
}
