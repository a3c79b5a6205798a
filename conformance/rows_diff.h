/* SPDX-License-Identifier: MIT */
/* Where two results differ, as a listing for people. */
#ifndef VX_ROWS_DIFF_H
#define VX_ROWS_DIFF_H

#include "result.h"

/* Appends the rows in which the result differs from what is expected, a line each: "-" in front of
 * one that is missing, "+" of one that is too many, " " of an equal one near by; "@@" lines say
 * where in both a part begins; the last line counts. A row that stands in the place of another is a
 * pair of lines. Results without two lists of rows of one kind (errors, digests) have no listing.
 */
void vx_rows_diff(const vx_result_shape *shape, const vx_expect *expect, const vx_result *result,
                  vx_text *text);

#endif
