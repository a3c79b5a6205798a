/* SPDX-License-Identifier: MIT */
/* The clock that deadlines and rates are taken from. */
#ifndef VX_CLOCK_H
#define VX_CLOCK_H

#include <time.h>

/* Seconds since some fixed moment; it is never set back. */
static inline double vx_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
