/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same on every machine: splitmix64, and draws that are exact. */
#ifndef VX_RANDOM_H
#define VX_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* splitmix64: the state goes up by 2^64 ÷ φ, the output is the state stirred. Two draws must never
 * stand in one expression: C does not say which of them comes first. */
typedef struct vx_random {
    uint64_t state;
} vx_random;

/* FNV-1a, 64 bits: what tells byte strings apart where nobody is out to deceive. */
uint64_t vx_random_hash(const void *bytes, size_t size);

/* The numbers of a stream's seed; streams of different names have nothing to do with each other. */
vx_random vx_random_start(const char *stream, uint64_t seed);

/* 64 random bits. */
uint64_t vx_random_bits(vx_random *random);

/* An integer in [min, max], ends included; max − min < 2^63. */
int64_t vx_random_integer(vx_random *random, int64_t min, int64_t max);

/* True in about count of of cases. */
bool vx_random_chance(vx_random *random, int64_t count, int64_t of);

/* A multiple of 2^−bits in [min, max]; exact while the bounds and bits together fit 53 bits. */
double vx_random_dyadic(vx_random *random, int64_t min, int64_t max, int bits);

/* A binary32 number with all its 24 bits in [2^exponent_min, 2^(exponent_max + 1)), each exponent
 * as likely; subnormal results lose the bits that they cannot hold. */
float vx_random_float(vx_random *random, int exponent_min, int exponent_max);

/* One of count values. */
double vx_random_choice(vx_random *random, const double *values, size_t count);
int64_t vx_random_choice_integer(vx_random *random, const int64_t *values, size_t count);
#define VX_CHOICE(random, values)                                                                  \
    vx_random_choice((random), (values), sizeof(values) / sizeof((values)[0]))
#define VX_CHOICE_INTEGER(random, values)                                                          \
    vx_random_choice_integer((random), (values), sizeof(values) / sizeof((values)[0]))

/* A random order of 0 … count − 1. */
void vx_random_order(vx_random *random, size_t *order, size_t count);

/* The number that lies count representable steps above value, below it for a negative count. */
double vx_step_double(double value, int64_t count);
float vx_step_float(float value, int64_t count);

#endif
