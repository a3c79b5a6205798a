/* SPDX-License-Identifier: MIT */
/* How costs grow: rows of tables, each a mesh and a grid larger than the one before. */
#ifndef VX_BENCH_SCALING_H
#define VX_BENCH_SCALING_H

#include "bench.h"

/* Stages whose cost is divided by what they work on. */
typedef enum vx_scaling_stage {
    VX_SCALING_OPEN,      /* a column */
    VX_SCALING_RASTERIZE, /* a triangle and a touched cell */
    VX_SCALING_FILTERS,   /* a column and a solid span */
    VX_SCALING_COMPACT,   /* … */
    VX_SCALING_ERODE,     /* a column and a compact span */
    VX_SCALING_VOLUME,    /* … */
    VX_SCALING_STAGES
} vx_scaling_stage;

extern const char *const vx_scaling_stage_names[VX_SCALING_STAGES];

/* The reference and the highest level of fast. */
enum { VX_SCALING_SIDES = 2, VX_SCALING_ROWS_MAX = 64 };

typedef struct vx_scaling_row {
    const char *table; /* "triangles" */
    const char *name;  /* "10^6 triangles" */
    size_t triangles, columns;
    uint64_t touched, solid, compact;
    int64_t radius;
    bool is_measured[VX_SCALING_SIDES];
    double seconds[VX_SCALING_SIDES][VX_SCALING_STAGES]; /* least of the runs */
    size_t peak[VX_SCALING_SIDES];                       /* bytes */
} vx_scaling_row;

typedef struct vx_scaling {
    const vx_bench_contender *sides[VX_SCALING_SIDES];
    vx_scaling_row rows[VX_SCALING_ROWS_MAX];
    size_t count;
} vx_scaling;

/* What the stage's cost is divided by; at least 1. */
uint64_t vx_scaling_units(const vx_scaling_row *row, vx_scaling_stage stage);

/* As Markdown (scaling_report.c). */
void vx_scaling_add_markdown(const vx_scaling *scaling, const char *command, vx_text *text);

/* The stages that cost more a unit than they may beside a smaller row of the same table, a line
 * each; and the memory of the largest row against its goal. Part of the Markdown. */
void vx_scaling_add_findings(const vx_scaling *scaling, vx_text *text);

#endif
