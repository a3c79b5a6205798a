/* SPDX-License-Identifier: MIT */
/* How costs grow, as Markdown, and what grows faster than it may. */
#include <inttypes.h>
#include <string.h>

#include "scaling.h"
#include "words.h"

/* A unit may cost this many times as much as in a smaller row: caches end on the way. Times below
 * the least are mostly what a call costs. */
#define GROWTH_MAX 2.0
#define SECONDS_LEAST 2e-4

#define MEMORY_GOAL ((size_t)2 << 30)

static double unit_cost(const vx_scaling_row *row, size_t side, vx_scaling_stage stage)
{
    return 1e9 * row->seconds[side][stage] / (double)vx_scaling_units(row, stage);
}

/* --- tables ----------------------------------------------------------------------------------- */

static void add_heading(vx_text *text)
{
    vx_text_add(text, "\n| | triangles | columns | touched cells | solid spans | compact spans |");
    for (size_t stage = 0; stage < VX_SCALING_STAGES; stage++) {
        vx_text_format(text, " %s |", vx_scaling_stage_names[stage]);
    }
    vx_text_add(text, " peak MiB |\n|---|");
    for (size_t column = 0; column < VX_SCALING_STAGES + 6; column++) {
        vx_text_add(text, "---:|");
    }
    vx_text_add(text, "\n");
}

static void add_row(const vx_scaling_row *row, size_t side, vx_text *text)
{
    const uint64_t counts[] = {row->triangles, row->columns, row->touched, row->solid,
                               row->compact};
    vx_text_format(text, "| %s |", row->name);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        vx_text_add(text, " ");
        vx_add_count(text, (size_t)counts[i]);
        vx_text_add(text, " |");
    }
    for (size_t stage = 0; stage < VX_SCALING_STAGES; stage++) {
        vx_text_add(text, " ");
        vx_bench_add_figure(text, 1e3 * row->seconds[side][stage], 4);
        vx_text_add(text, " (");
        vx_bench_add_figure(text, unit_cost(row, side, (vx_scaling_stage)stage), 3);
        vx_text_add(text, ") |");
    }
    vx_text_format(text, " %.1f |\n", (double)row->peak[side] / (1 << 20));
}

static void add_table(const vx_scaling *scaling, size_t first, size_t side, vx_text *text)
{
    const char *table = scaling->rows[first].table;
    bool has_heading = false;
    for (size_t i = first; i < scaling->count && strcmp(scaling->rows[i].table, table) == 0; i++) {
        if (scaling->rows[i].is_measured[side]) {
            if (!has_heading) {
                vx_text_format(text, "\n%s:\n", scaling->sides[side]->name);
                add_heading(text);
                has_heading = true;
            }
            add_row(&scaling->rows[i], side, text);
        }
    }
}

/* --- findings --------------------------------------------------------------------------------- */

/* The smaller row of the same table whose unit was cheapest; NULL when there is none to hold the
 * row against. */
static const vx_scaling_row *find_cheapest(const vx_scaling *scaling, size_t index, size_t side,
                                           vx_scaling_stage stage)
{
    const vx_scaling_row *row = &scaling->rows[index];
    const vx_scaling_row *cheapest = NULL;
    for (size_t i = 0; i < index; i++) {
        const vx_scaling_row *other = &scaling->rows[i];
        if (strcmp(other->table, row->table) == 0 && other->is_measured[side] &&
            other->seconds[side][stage] >= SECONDS_LEAST &&
            (cheapest == NULL ||
             unit_cost(other, side, stage) < unit_cost(cheapest, side, stage))) {
            cheapest = other;
        }
    }
    return cheapest;
}

static size_t add_growth(const vx_scaling *scaling, size_t index, size_t side, vx_text *text)
{
    const vx_scaling_row *row = &scaling->rows[index];
    size_t found = 0;
    for (size_t i = 0; i < VX_SCALING_STAGES && row->is_measured[side]; i++) {
        vx_scaling_stage stage = (vx_scaling_stage)i;
        const vx_scaling_row *other = find_cheapest(scaling, index, side, stage);
        double times =
            other != NULL ? unit_cost(row, side, stage) / unit_cost(other, side, stage) : 0;
        if (times > GROWTH_MAX) {
            vx_text_format(text, "- %s, %s, %s: %s costs ", scaling->sides[side]->name, row->table,
                           row->name, vx_scaling_stage_names[stage]);
            vx_bench_add_figure(text, unit_cost(row, side, stage), 3);
            vx_text_format(text, " ns a unit, %.1f times as much as with %s\n", times, other->name);
            found++;
        }
    }
    return found;
}

static void add_memory(const vx_scaling *scaling, vx_text *text)
{
    for (size_t i = 0; i < scaling->count; i++) {
        const vx_scaling_row *row = &scaling->rows[i];
        for (size_t side = 0; side < VX_SCALING_SIDES; side++) {
            if (strcmp(row->table, "memory") == 0 && row->is_measured[side]) {
                vx_text_format(text, "- memory, %s: %s needs %.0f MiB (goal %zu MiB%s)\n",
                               row->name, scaling->sides[side]->name,
                               (double)row->peak[side] / (1 << 20), MEMORY_GOAL >> 20,
                               row->peak[side] <= MEMORY_GOAL ? ", reached" : ", missed");
            }
        }
    }
}

void vx_scaling_add_findings(const vx_scaling *scaling, vx_text *text)
{
    size_t found = 0;
    vx_text_format(text,
                   "\n## What grows faster than it may\n\nA unit that costs more than %g times "
                   "what it costs in a smaller row of the same table:\n\n",
                   GROWTH_MAX);
    for (size_t i = 0; i < scaling->count; i++) {
        for (size_t side = 0; side < VX_SCALING_SIDES; side++) {
            found += add_growth(scaling, i, side, text);
        }
    }
    vx_text_add(text, found == 0 ? "- nothing\n" : "");
    add_memory(scaling, text);
}

void vx_scaling_add_markdown(const vx_scaling *scaling, const char *command, vx_text *text)
{
    vx_text_add(text, "# Scaling\n\n");
    vx_bench_add_machine(text, "- ", command);
    vx_text_add(text,
                "\nMilliseconds of each stage, least of up to five runs, and in parentheses "
                "nanoseconds a unit. Units are columns for open and otherwise the sum of two "
                "counts: triangles and touched cells for rasterize,\n"
                "columns and solid spans for filters and compact, columns and compact spans for "
                "erode and volume.\n");
    for (size_t i = 0; i < scaling->count; i++) {
        if (i == 0 || strcmp(scaling->rows[i].table, scaling->rows[i - 1].table) != 0) {
            vx_text_format(text, "\n## %s\n", scaling->rows[i].table);
            for (size_t side = 0; side < VX_SCALING_SIDES; side++) {
                add_table(scaling, i, side, text);
            }
        }
    }
    vx_scaling_add_findings(scaling, text);
}
