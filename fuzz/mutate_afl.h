/* SPDX-License-Identifier: MIT */
/* The mutator of a target as AFL++ loads it (AFL_CUSTOM_MUTATOR_LIBRARY), for steps of VX_FUZZ_OPS:
 * the functions that it looks for by their names. */
#include <stdlib.h>
#include <string.h>

#include "build3d/build3d.h"
#include "fuzz/mutate.h"
#include "text.h"

#define VX_FUZZ_EXPORT __attribute__((visibility("default")))

typedef struct mutator {
    vx_random random;
    uint8_t *bytes; /* what was made last, for AFL++ to read until the next call */
    size_t capacity;
} mutator;

VX_FUZZ_EXPORT void *afl_custom_init(void *afl, unsigned int seed);
VX_FUZZ_EXPORT size_t afl_custom_fuzz(mutator *own, uint8_t *bytes, size_t size, uint8_t **out,
                                      uint8_t *other, size_t other_size, size_t max_size);
VX_FUZZ_EXPORT void afl_custom_deinit(mutator *own);

void *afl_custom_init(void *afl, unsigned int seed)
{
    (void)afl;
    mutator *own = vx_must_alloc(1, sizeof *own);
    own->random = vx_random_start("afl", seed);
    return own;
}

/* AFL++ has a second input for splicing, NULL while there is only one. */
size_t afl_custom_fuzz(mutator *own, uint8_t *bytes, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_size, size_t max_size)
{
    if (own->capacity < max_size) {
        own->bytes = vx_must_realloc(own->bytes, max_size, 1);
        own->capacity = max_size;
    }
    *out = own->bytes;
    if (other != NULL && vx_random_chance(&own->random, 1, 8)) {
        const vx_bytes first = {bytes, size};
        const vx_bytes second = {other, other_size};
        return vx_fuzz_splice(first, second, own->bytes, max_size, VX_FUZZ_OPS, &own->random);
    }
    size = size < max_size ? size : max_size;
    memcpy(own->bytes, bytes, size);
    return vx_fuzz_mutate(own->bytes, size, max_size, VX_FUZZ_OPS, &own->random);
}

void afl_custom_deinit(mutator *own)
{
    free(own->bytes);
    free(own);
}
