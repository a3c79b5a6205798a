/* SPDX-License-Identifier: MIT */
/* voxcert vectors generate: cases of the families with the reference's answers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "generate.h"
#include "reference.h"
#include "vectors.h"

enum { COUNT = 32, COUNT_MAX = 1000000, DULL_IN = 10, TRIES = 100 };

typedef struct generator {
    const char *family; /* NULL: all */
    uint64_t first, last;
    size_t count;     /* cases of each family to choose; 0: every seed */
    const char *into; /* NULL: everything goes to text */
    vx_arena arena;
    vx_text text;
    size_t families, cases;
} generator;

/* Whether an answer shows little: no rows, or the rows of an earlier one of the family. */
static bool is_dull(const vx_case *item, json_t *answers)
{
    if (item->expect.kinds != 0) {
        return false;
    }
    vx_text answer = {0};
    vx_expect_write(item->chapter->shape, &item->expect, &answer);
    bool dull = item->expect.result.rows == 0 || json_object_get(answers, answer.bytes) != NULL;
    (void)json_object_set_new(answers, answer.bytes, json_true());
    vx_text_free(&answer);
    return dull;
}

static vx_exit generate_family(generator *make, const vx_chapter *chapter, const vx_family *family)
{
    json_t *answers = json_object();
    size_t taken = 0;
    size_t dull = 0;
    bool good = true;
    uint64_t seed = make->first;
    for (; good && (make->count == 0 || taken < make->count); seed++) {
        vx_case item;
        vx_generate_case(chapter, family, seed, &item);
        good = vx_answer_case(&item, &make->arena);
        vx_shorten_answer(&item);
        /* Of the chosen ones one in ten may be dull. */
        bool is_wanted = make->count == 0 || !good || !is_dull(&item, answers) ||
                         ++dull <= make->count / DULL_IN;
        if (good && is_wanted) {
            vx_case_write(&item, &make->text);
            vx_text_add_char(&make->text, '\n');
            taken++;
        }
        vx_case_free(&item);
        if (seed == make->last) {
            break;
        }
    }
    json_decref(answers);
    make->families++;
    make->cases += taken;
    if (good && taken < make->count) {
        return vx_complain(VX_EXIT_INCOMPLETE,
                           "%s: only %zu of the seeds %llu..%llu give cases to choose, not %zu",
                           family->name, taken, (unsigned long long)make->first,
                           (unsigned long long)make->last, make->count);
    }
    return good ? VX_EXIT_PASS : VX_EXIT_INTERNAL;
}

static vx_exit write_file(const generator *make, const char *path)
{
    vx_error error;
    if (vx_file_write(path, vx_text_string(&make->text), make->text.size, &error) != VX_OK) {
        return vx_complain(VX_EXIT_USAGE, "%s", error.message);
    }
    return VX_EXIT_PASS;
}

/* Writes the cases of one family to INTO/CHAPTER/generated/FAMILY.jsonl. */
static vx_exit write_family(generator *make, const vx_chapter *chapter, const vx_family *family)
{
    vx_text path = {0};
    vx_exit status = VX_EXIT_PASS;
    vx_text_format(&path, "%s/%s", make->into, chapter->name);
    for (int i = 0; i < 2 && status == VX_EXIT_PASS; i++) {
        if (mkdir(path.bytes, 0777) != 0 && errno != EEXIST) {
            status = vx_complain(VX_EXIT_USAGE, "%s: %s", path.bytes, strerror(errno));
        }
        vx_text_add(&path, i == 0 ? "/generated" : "");
    }
    vx_text_format(&path, "/%s.jsonl", family->name);
    if (status == VX_EXIT_PASS) {
        status = write_file(make, path.bytes);
    }
    vx_text_free(&path);
    vx_text_clear(&make->text);
    return status;
}

static vx_exit generate(generator *make)
{
    vx_exit status = VX_EXIT_PASS;
    for (size_t i = 0; i < vx_chapter_count; i++) {
        const vx_chapter *chapter = vx_chapters[i];
        for (size_t k = 0; k < *chapter->family_count && status == VX_EXIT_PASS; k++) {
            const vx_family *family = &chapter->families[k];
            if (make->family != NULL && strcmp(make->family, family->name) != 0) {
                continue;
            }
            status = generate_family(make, chapter, family);
            if (status == VX_EXIT_PASS && make->into != NULL) {
                status = write_family(make, chapter, family);
            }
        }
    }
    if (status == VX_EXIT_PASS && make->families == 0) {
        status = vx_complain(VX_EXIT_USAGE,
                             "--family %s: there is none of that name; `voxcert vectors generate` "
                             "alone names them",
                             make->family);
    }
    return status;
}

/* Reads A..B, or A alone. */
static bool parse_seeds(const char *text, generator *make)
{
    char *end = NULL;
    errno = 0;
    bool good = text[0] >= '0' && text[0] <= '9';
    if (good) {
        make->first = make->last = strtoull(text, &end, 10);
    }
    if (good && strncmp(end, "..", 2) == 0 && end[2] >= '0' && end[2] <= '9') {
        make->last = strtoull(end + 2, &end, 10);
    }
    good = good && *end == '\0' && errno == 0 && make->first <= make->last &&
           make->last - make->first < COUNT_MAX;
    if (!good) {
        (void)vx_complain(VX_EXIT_USAGE,
                          "--seeds %s: A..B with 0 <= A <= B and at most %d seeds is needed", text,
                          (int)COUNT_MAX);
    }
    return good;
}

static bool read_options(const vx_arguments *arguments, generator *make)
{
    const char *seeds = vx_argument_value(arguments, "seeds");
    int64_t count = seeds != NULL ? 0 : COUNT;
    if (!vx_argument_integer(arguments, "count", 1, COUNT_MAX / TRIES, &count)) {
        return false;
    }
    make->count = (size_t)count;
    make->last = make->count * TRIES - 1;
    make->family = vx_argument_value(arguments, "family");
    if (strcmp(make->family, "all") == 0) {
        make->family = NULL;
    }
    make->into = vx_argument_value(arguments, "into");
    if (make->into != NULL && vx_argument_value(arguments, "out") != NULL) {
        (void)vx_complain(VX_EXIT_USAGE, "--out and --into exclude each other");
        return false;
    }
    return seeds == NULL || parse_seeds(seeds, make);
}

static void print_families(void)
{
    for (size_t i = 0; i < vx_chapter_count; i++) {
        for (size_t k = 0; k < *vx_chapters[i]->family_count; k++) {
            const vx_family *family = &vx_chapters[i]->families[k];
            printf("%-22s %s\n", family->name, family->note);
        }
    }
}

vx_exit vx_vectors_generate(const vx_arguments *arguments)
{
    generator make = {0};
    if (vx_operand_count(arguments) > 1) {
        return vx_complain(VX_EXIT_USAGE, "vectors generate: takes no file; --out names one");
    }
    if (vx_argument_value(arguments, "family") == NULL) {
        static const char *const others[] = {"seeds", "count", "out", "into"};
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            if (vx_argument_flag(arguments, others[i])) {
                return vx_complain(VX_EXIT_USAGE,
                                   "vectors generate: --%s needs --family NAME, or all", others[i]);
            }
        }
        print_families();
        return VX_EXIT_PASS;
    }
    if (!read_options(arguments, &make)) {
        return VX_EXIT_USAGE;
    }
    vx_reference_arena(&make.arena);
    const char *out = vx_argument_value(arguments, "out");
    vx_exit status = generate(&make);
    if (status == VX_EXIT_PASS && out != NULL) {
        status = write_file(&make, out);
    } else if (status == VX_EXIT_PASS && make.into == NULL) {
        (void)fwrite(vx_text_string(&make.text), 1, make.text.size, stdout);
    }
    if (status == VX_EXIT_PASS && (out != NULL || make.into != NULL)) {
        printf("%zu %s of %zu %s\n", make.cases, make.cases == 1 ? "case" : "cases", make.families,
               make.families == 1 ? "family" : "families");
    }
    vx_arena_free(&make.arena);
    vx_text_free(&make.text);
    return status;
}
