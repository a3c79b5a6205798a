/* SPDX-License-Identifier: MIT */
/* What a call answers: a status, and the error that explains it (SPEC B0.8 to B0.11). */
#ifndef VOXCERT_STATUS_H
#define VOXCERT_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define VX_NODISCARD __attribute__((warn_unused_result))
#define VX_PRINTF(format_index, first_argument)                                                    \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define VX_NODISCARD
#define VX_PRINTF(format_index, first_argument)
#endif

/* 0 is success. The two input errors are defined by SPEC.md and equal in every implementation; the
 * resource errors depend on the machine and are no part of a result. */
typedef enum vx_status {
    VX_OK = 0,
    VX_ARGUMENT = 1,     /* SPEC B0.8: a value that is NaN, or a malformed shape */
    VX_OUT_OF_RANGE = 2, /* SPEC B0.8: infinite, or beyond a bound */
    VX_NO_MEMORY = 3,    /* the arena, or the system, has no more memory */
    VX_UNSUPPORTED = 4   /* a call out of place: solid after compacting, compact before it */
} vx_status;

enum { VX_ERROR_MESSAGE_SIZE = 200 };

/* Filled by a call that fails, untouched by one that succeeds. The caller owns it. */
typedef struct vx_error {
    vx_status status;
    char message[VX_ERROR_MESSAGE_SIZE]; /* names the value and the bound (SPEC B0.11); UTF-8 */
} vx_error;

/* "ok", "argument", "out_of_range", "no_memory" or "unsupported"; "unknown" for anything else. */
const char *vx_status_name(vx_status status);

/* Fills *error (which may be NULL) with status and the formatted message, cut to fit, and returns
 * status, so that a check can end in `return vx_fail(error, VX_ARGUMENT, "…", …)`. */
vx_status vx_fail(vx_error *error, vx_status status, const char *format, ...) VX_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif

#endif
