/* SPDX-License-Identifier: MIT */
/* Statuses and error messages: SPEC B0.8 to B0.11. */
#include "voxcert/status.h"

#include <stdarg.h>
#include <stdio.h>

const char *vx_status_name(vx_status status)
{
    switch (status) {
    case VX_OK:
        return "ok";
    case VX_ARGUMENT:
        return "argument";
    case VX_OUT_OF_RANGE:
        return "out_of_range";
    case VX_NO_MEMORY:
        return "no_memory";
    case VX_UNSUPPORTED:
        return "unsupported";
    }
    return "unknown";
}

vx_status vx_fail(vx_error *error, vx_status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        (void)vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}
