/* SPDX-License-Identifier: MIT */
/* Bytes as cases of build3d: any bytes make a case, and small changes of them small changes of it.
 *
 * A case is a frame and up to eight steps. Integers take one byte, numbers two, where they are of
 * the kinds that decide something; everything else has a long form, so that any case of moderate
 * size can be written (fuzz/encode.c). Each step says whether its values are fitted to what is
 * legal or taken as they are. fuzz/README.md has the format. */
#ifndef VX_FUZZ_DECODE_H
#define VX_FUZZ_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "build3d/build3d.h"

/* What a case may cost: columns of its grid, steps, and items in a list. */
enum { VX_FUZZ_COLUMNS = 1024, VX_FUZZ_STEPS = 8, VX_FUZZ_ITEMS = 255 };

/* The first byte of a number: a kind, how many representable steps to go from it, in what it is
 * measured, and its sign. */
enum {
    VX_NUMBER_INTEGER,   /* a */
    VX_NUMBER_HALF,      /* a ÷ 2 */
    VX_NUMBER_SIXTEENTH, /* a ÷ 16 */
    VX_NUMBER_POWER,     /* 2^(a − 160) */
    VX_NUMBER_DECIMAL,   /* a ÷ 10 */
    VX_NUMBER_FINE,      /* (a + 256·b) ÷ 1000: three bytes */
    VX_NUMBER_LIMIT,     /* one of a table */
    VX_NUMBER_RAW,       /* the eight bytes of a binary64, low end first */
    VX_NUMBER_KIND = 7,
    VX_NUMBER_STEP_SHIFT = 3,
    VX_NUMBER_STEP = 7 << VX_NUMBER_STEP_SHIFT,
    VX_NUMBER_WORLD = 64, /* in the world's units and from its origin; otherwise in cells */
    VX_NUMBER_NEGATIVE = 128
};

/* An integer's byte: 0 to 199 itself, then −1 to −20, then a table, then the eight bytes behind. */
enum { VX_INTEGER_NEGATIVE = 200, VX_INTEGER_LIMIT = 220, VX_INTEGER_RAW = 255 };

/* The second byte of a step, also the first of the case. */
enum {
    VX_STEP_LITERAL = 1, /* values as they are, be they legal or not */
    VX_STEP_GIVEN = 2,   /* areas are given; the chunk is dense; from bounds */
    VX_STEP_PLAIN = 16,  /* the chunk has no table of areas */
    VX_STEP_SHAPE = 12   /* of a volume or of the spans */
};
enum { VX_SHAPE_LIST = 0, VX_SHAPE_TRIANGLE = 4, VX_SHAPE_BOX = 8, VX_SHAPE_OCTAGON = 12 };
enum { VX_SHAPE_FLOORS = 4 }; /* of spans: two bytes each, column by column */

/* Where the parts of a case lie in the bytes, for the mutator. */
typedef enum vx_mark_kind {
    VX_MARK_NUMBER,
    VX_MARK_INTEGER,
    VX_MARK_VERTEX,
    VX_MARK_TRIANGLE, /* three integers and perhaps a fourth */
    VX_MARK_ITEM,     /* a span, a run, a corner */
    VX_MARK_STEP,
    VX_MARK_KINDS
} vx_mark_kind;

typedef struct vx_mark {
    vx_mark_kind kind;
    size_t start, end;
    size_t counter; /* the byte that counts its kind in its list; 0: there is none */
} vx_mark;

enum { VX_LAYOUT_MARKS = 1024 };

typedef struct vx_layout {
    vx_mark marks[VX_LAYOUT_MARKS]; /* what does not fit is left out */
    size_t count;
} vx_layout;

/* The case, with the steps in ops only. It is the decoder's own and valid until the next call. NULL
 * when it would cost too much. layout may be NULL. */
const vx_input *vx_fuzz_decode(const uint8_t *bytes, size_t size, unsigned ops, vx_layout *layout);

/* Whether a legal grid is small enough; one that is not legal costs nothing. */
bool vx_fuzz_is_affordable(const vx_frame *frame);

/* The bytes that decode to the input with all of its steps in ops. False, and nothing added, when
 * there are none: it costs too much or has longer lists than a case may have. */
bool vx_fuzz_encode(const vx_input *input, unsigned ops, vx_text *bytes);

#endif
