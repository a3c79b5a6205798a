/* SPDX-License-Identifier: MIT */
/* Pictures of cases. What is drawn is a chapter's affair; the file and its format are not. */
#ifndef VX_DRAW_H
#define VX_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "case.h"
#include "exit.h"

typedef enum vx_picture_format { VX_PICTURE_SVG, VX_PICTURE_PNG } vx_picture_format;

/* What to show. Without any view: what suits the case. */
enum { VX_VIEW_TOP = 1, VX_VIEW_SLICE = 2, VX_VIEW_CELLS = 4 };

typedef struct vx_draw_request {
    const vx_case *item;
    const void *table; /* of the implementation that runs the case; NULL: it is asked */
    /* Answers a case instead of a table; false, with a problem, when there is no answer. It is
     * asked for the case and for what its first steps make. */
    bool (*ask)(void *context, const vx_case *item, vx_result *result, vx_problem *problem);
    void *context;
    const char *maker; /* whose answer it is, for the picture */
    vx_picture_format format;
    unsigned views;   /* VX_VIEW_… */
    char slice_axis;  /* 'x' or 'z'; 0: chosen */
    int64_t slice_at; /* the column where the slice is cut */
    bool has_mark;    /* a column to point out; the slice goes through it unless one is given */
    int64_t mark_x, mark_z; /* such as the first that an answer has wrong */
} vx_draw_request;

/* Appends the picture's bytes. A case whose answer is an error gives a picture of that; false, with
 * a problem, means that there is none: no memory, or a view that cannot be had. */
VX_NODISCARD bool vx_draw(const vx_draw_request *request, vx_text *picture, vx_problem *problem);

/* The format that the file's name ends in; false, with a message on standard error, for others. */
bool vx_draw_format(const char *path, vx_picture_format *format);

/* Draws into a file, whole or not at all, in the request's format; complains on standard error. */
VX_NODISCARD vx_exit vx_draw_file(const vx_draw_request *request, const char *path);

#endif
