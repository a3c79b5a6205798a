/* SPDX-License-Identifier: MIT */
/* Fuzz target: what a port may print, fed with raw bytes as its output. The first line answers
 * hello, the others cases (docs/PROTOCOL.md). */
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "build3d/build3d.h"
#include "fuzz/target.h"

const char *const vx_fuzz_target = "answers";
const unsigned vx_fuzz_ops = 0;

static void read_hello(const char *line, size_t size)
{
    vx_identity identity = {0};
    vx_text why = {0};
    if (vx_hello_read(line, size, 0, &identity, &why)) {
        vx_fuzz_expect(identity.name != NULL);
    } else {
        vx_fuzz_expect(why.size > 0);
    }
    vx_identity_free(&identity);
    vx_text_free(&why);
}

/* An answer that is one is written and read once more, and must be the same. */
static void read_answer(const char *line, size_t size, const vx_result_shape *shape)
{
    vx_outcome outcome = {0};
    vx_answer_read(line, size, 7, shape, &outcome);
    if (!outcome.answered) {
        vx_fuzz_expect(outcome.verdict != VX_PASS && outcome.verdict != VX_NOT_RUN);
        vx_outcome_free(&outcome);
        return;
    }
    vx_text text = {0};
    vx_outcome again = {0};
    vx_text_add(&text, "{\"id\": 7, \"out\": ");
    vx_result_write(shape, &outcome.result, &text);
    vx_text_add_char(&text, '}');
    vx_answer_read(text.bytes, text.size, 7, shape, &again);
    vx_fuzz_expect(again.answered && vx_result_equal(shape, &outcome.result, &again.result));
    vx_text_free(&text);
    vx_outcome_free(&outcome);
    vx_outcome_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool is_hello = true;
    for (size_t i = 0; i < size;) {
        const uint8_t *end = memchr(data + i, '\n', size - i);
        size_t length = end != NULL ? (size_t)(end - data) - i : size - i;
        char *line = vx_must_alloc(length + 1, 1); /* of its own size: nothing reads past it */
        memcpy(line, data + i, length);
        if (is_hello) {
            read_hello(line, length);
        }
        read_answer(line, length, is_hello ? NULL : &vx_build3d_shape);
        free(line);
        is_hello = false;
        i += length + 1;
    }
    return 0;
}
