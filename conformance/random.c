/* SPDX-License-Identifier: MIT */
/* splitmix64 and exact draws. */
#include "random.h"

#include <math.h>
#include <string.h>

uint64_t vx_random_hash(const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a, 64 bits: offset basis and prime */
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    }
    return hash;
}

vx_random vx_random_start(const char *stream, uint64_t seed)
{
    vx_random random = {vx_random_hash(stream, strlen(stream))};
    /* Neighbouring seeds must not give overlapping sequences, so the seed is stirred first. */
    random.state = vx_random_bits(&random) ^ seed;
    random.state = vx_random_bits(&random);
    return random;
}

uint64_t vx_random_bits(vx_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int64_t vx_random_integer(vx_random *random, int64_t min, int64_t max)
{
    /* The high half of a product would be fairer, but not by anything that matters here. */
    uint64_t width = (uint64_t)(max - min) + 1;
    return min + (int64_t)(vx_random_bits(random) % width);
}

bool vx_random_chance(vx_random *random, int64_t count, int64_t of)
{
    return vx_random_integer(random, 1, of) <= count;
}

double vx_random_dyadic(vx_random *random, int64_t min, int64_t max, int bits)
{
    int64_t unit = (int64_t)1 << bits;
    return (double)vx_random_integer(random, min * unit, max * unit) / (double)unit;
}

float vx_random_float(vx_random *random, int exponent_min, int exponent_max)
{
    int exponent = (int)vx_random_integer(random, exponent_min, exponent_max);
    float significand = (float)vx_random_integer(random, 1 << 23, (1 << 24) - 1);
    return ldexpf(significand, exponent - 23);
}

double vx_random_choice(vx_random *random, const double *values, size_t count)
{
    return values[vx_random_integer(random, 0, (int64_t)count - 1)];
}

int64_t vx_random_choice_integer(vx_random *random, const int64_t *values, size_t count)
{
    return values[vx_random_integer(random, 0, (int64_t)count - 1)];
}

void vx_random_order(vx_random *random, size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t j = (size_t)vx_random_integer(random, 0, (int64_t)i);
        order[i] = order[j];
        order[j] = i;
    }
}

double vx_step_double(double value, int64_t count)
{
    for (; count > 0; count--) {
        value = nextafter(value, (double)INFINITY);
    }
    for (; count < 0; count++) {
        value = nextafter(value, -(double)INFINITY);
    }
    return value;
}

float vx_step_float(float value, int64_t count)
{
    for (; count > 0; count--) {
        value = nextafterf(value, INFINITY);
    }
    for (; count < 0; count++) {
        value = nextafterf(value, -INFINITY);
    }
    return value;
}
