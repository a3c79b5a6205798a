/* SPDX-License-Identifier: MIT */
/* Makes seeds from cases: `TARGET.seeds DIRECTORY FILE|DIRECTORY …` writes what the cases of the
 * files are for the target into the directory, one file each, named after its content. It takes the
 * place of fuzz/run.c in a target's program. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "case.h"
#include "file.h"
#include "fuzz/decode.h"
#include "fuzz/target.h"
#include "random.h"

enum { SEED_MAX = 4096 };

/* What a port prints that answers hello and the case right; in front of it how long a line may be,
 * which is as long as can be, and a cut behind hello (fuzz/answers.c). */
static void write_answer(const vx_case *item, vx_text *bytes)
{
    vx_text hello = {0};
    vx_text_add_char(bytes, '\xff');
    vx_hello_write(0, &hello);
    vx_text_add(bytes, "{\"id\":0,\"protocol\":1,\"name\":\"port\",\"version\":\"1\","
                       "\"language\":\"C\",\"chapters\":[\"build3d\"],");
    vx_text_add(bytes, strstr(hello.bytes, "\"echo\""));
    vx_text_add(bytes, "\x1e{\"id\":7,\"out\":");
    vx_expect_write(item->chapter->shape, &item->expect, bytes);
    vx_text_add(bytes, "}\n");
    vx_text_free(&hello);
}

/* The case as the target takes it: as text, or as bytes. */
static bool make_seed(const vx_case *item, vx_text *bytes)
{
    if (vx_fuzz_ops != 0) {
        return vx_fuzz_encode(item->input, vx_fuzz_ops, bytes);
    }
    if (vx_fuzz_target[0] == 'a') {
        write_answer(item, bytes);
    } else {
        vx_case_write(item, bytes);
    }
    return true;
}

static bool write_seed(const char *directory, const vx_text *bytes)
{
    vx_text path = {0};
    vx_error error;
    vx_text_format(&path, "%s/%016" PRIx64, directory, vx_random_hash(bytes->bytes, bytes->size));
    bool good = vx_file_write(path.bytes, bytes->bytes, bytes->size, &error) == VX_OK;
    if (!good) {
        (void)fprintf(stderr, "seeds: %s\n", error.message);
    }
    vx_text_free(&path);
    return good;
}

int main(int count, char **arguments)
{
    if (count < 3) {
        (void)fprintf(stderr, "usage: %s DIRECTORY FILE|DIRECTORY …\n", arguments[0]);
        return 2;
    }
    vx_case_list list = {0};
    vx_text bytes = {0};
    size_t written = 0;
    bool good = true;
    for (int i = 2; i < count && good; i++) {
        good = vx_case_list_read(&list, arguments[i], false);
    }
    for (size_t i = 0; i < list.count && good; i++) {
        vx_text_clear(&bytes);
        if (make_seed(&list.items[i], &bytes) && bytes.size <= SEED_MAX) {
            good = write_seed(arguments[1], &bytes);
            written++;
        }
    }
    printf("%s: %zu seeds from %zu cases\n", vx_fuzz_target, written, list.count);
    vx_text_free(&bytes);
    vx_case_list_free(&list);
    return good ? 0 : 1;
}
