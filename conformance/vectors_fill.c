/* SPDX-License-Identifier: MIT */
/* voxcert vectors fill: the reference's answer where none is given, everything in canonical form.
 */
#include <string.h>

#include "file.h"
#include "generate.h"
#include "reference.h"
#include "vectors.h"

typedef struct filler {
    vx_arena arena;
    vx_text difference;
    size_t filled, differing;
} filler;

/* Compares the answer of a case with the reference's. False when the reference has none. */
static bool compare(filler *fill, const char *path, const vx_case *item)
{
    vx_result result = {0};
    bool good = vx_reference_run(item, &fill->arena, &result) == VX_OK;
    vx_text_clear(&fill->difference);
    if (!good) {
        (void)vx_complain(VX_EXIT_INTERNAL, "%s:%zu: %s: the reference has no answer: %s", path,
                          item->line, item->name, result.message);
    } else if (!vx_result_matches(item->chapter->shape, &item->expect, &result,
                                  &fill->difference)) {
        fill->differing++;
        (void)vx_complain(VX_EXIT_NOT_CONFORMANT, "%s:%zu: %s: the reference answers otherwise: %s",
                          path, item->line, item->name, vx_text_string(&fill->difference));
    }
    vx_result_free(&result);
    return good;
}

static bool fill_case(filler *fill, const char *path, vx_case *item)
{
    bool good = item->has_expect ? compare(fill, path, item) : vx_answer_case(item, &fill->arena);
    vx_shorten_answer(item);
    return good;
}

/* Writes the cases to path when that changes the file. */
static vx_exit rewrite(const char *path, const vx_case_list *list)
{
    vx_text before = {0};
    vx_text after = {0};
    vx_error error;
    for (size_t i = 0; i < list->count; i++) {
        vx_case_write(&list->items[i], &after);
        vx_text_add_char(&after, '\n');
    }
    vx_status status = vx_file_read(path, VX_FILE_BYTES_MAX, &before, &error);
    bool same = before.size == after.size &&
                memcmp(vx_text_string(&before), vx_text_string(&after), after.size) == 0;
    if (status == VX_OK && !same) {
        status = vx_file_write(path, after.bytes, after.size, &error);
    }
    vx_text_free(&before);
    vx_text_free(&after);
    return status == VX_OK ? VX_EXIT_PASS : vx_complain(VX_EXIT_USAGE, "%s", error.message);
}

static vx_exit fill_file(void *context, const char *path)
{
    filler *fill = context;
    vx_case_list list = {0};
    vx_exit status = VX_EXIT_USAGE;
    if (vx_is_directory(path) || strcmp(path, "-") == 0) {
        return vx_complain(VX_EXIT_USAGE, "%s: fill rewrites files; one is needed", path);
    }
    if (!vx_case_list_read(&list, path, false)) {
        goto done;
    }
    fill->filled = fill->differing = 0;
    for (size_t i = 0; i < list.count; i++) {
        fill->filled += list.items[i].has_expect ? 0 : 1;
        if (!fill_case(fill, path, &list.items[i])) {
            status = VX_EXIT_INTERNAL;
            goto done;
        }
    }
    status = fill->differing > 0 ? vx_complain(VX_EXIT_NOT_CONFORMANT,
                                               "%s: left as it was: %zu of %zu answers differ",
                                               path, fill->differing, list.count)
                                 : rewrite(path, &list);
    if (status == VX_EXIT_PASS) {
        size_t there = list.count - fill->filled;
        printf("%s: %zu %s filled in, %zu %s there\n", path, fill->filled,
               fill->filled == 1 ? "answer" : "answers", there, there == 1 ? "was" : "were");
    }
done:
    vx_case_list_free(&list);
    return status;
}

vx_exit vx_vectors_fill(const vx_arguments *arguments)
{
    filler fill = {0};
    if (vx_operand_count(arguments) < 2) {
        return vx_complain(VX_EXIT_USAGE, "vectors fill: a FILE is needed");
    }
    vx_reference_arena(&fill.arena);
    vx_exit status = vx_vectors_each(arguments, fill_file, &fill);
    vx_arena_free(&fill.arena);
    vx_text_free(&fill.difference);
    return status;
}
