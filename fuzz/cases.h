/* SPDX-License-Identifier: MIT */
/* The body of a target that makes cases of some steps of build3d: define VX_FUZZ_NAME and
 * VX_FUZZ_OPS and include this. With VX_FUZZ_AFL it is the body of that target's mutator for AFL++,
 * a library of its own. */
#ifdef VX_FUZZ_AFL
#include "fuzz/mutate_afl.h"
#else
#include "fuzz/decode.h"
#include "fuzz/judge.h"
#include "fuzz/mutate.h"
#include "fuzz/target.h"
#include "random.h"

const char *const vx_fuzz_target = VX_FUZZ_NAME;
const unsigned vx_fuzz_ops = VX_FUZZ_OPS;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const vx_input *input = vx_fuzz_decode(data, size, vx_fuzz_ops, NULL);
    if (input == NULL) {
        return -1;
    }
    vx_fuzz_judge(input, (vx_bytes){data, size});
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    vx_random random = vx_random_start("mutate", seed);
    return vx_fuzz_mutate(data, size, max_size, vx_fuzz_ops, &random);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned int seed)
{
    vx_random random = vx_random_start("splice", seed);
    const vx_bytes from = {a, a_size};
    const vx_bytes other = {b, b_size};
    return vx_fuzz_splice(from, other, out, max_size, vx_fuzz_ops, &random);
}
#endif
