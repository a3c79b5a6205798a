/* SPDX-License-Identifier: MIT */
/* Fuzz target: the reader of cases, fed with raw bytes (docs/PROTOCOL.md). What it accepts is
 * written and read once more, and must be the same. */
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "fuzz/target.h"

const char *const vx_fuzz_target = "reader";
const unsigned vx_fuzz_ops = 0;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    vx_case item;
    vx_problem problem = {0};
    char *line = vx_must_alloc(size + 1, 1); /* a buffer of its own size: nothing reads past it */
    memcpy(line, data, size);
    if (!vx_case_read(line, size, &item, &problem)) {
        vx_fuzz_expect(problem.message[0] != '\0');
        free(line);
        return 0;
    }
    static vx_text once;
    static vx_text again;
    vx_text_clear(&once);
    vx_text_clear(&again);
    vx_case_write(&item, &once);
    vx_case_free(&item);
    vx_fuzz_expect(vx_case_read(once.bytes, once.size, &item, &problem));
    vx_case_write(&item, &again);
    vx_case_free(&item);
    vx_fuzz_expect(once.size == again.size && memcmp(once.bytes, again.bytes, once.size) == 0);
    free(line);
    return 0;
}
