/* SPDX-License-Identifier: MIT */
/* common/arena.c and common/status.c. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "voxcert/arena.h"
#include "voxcert/status.h"

enum { KIB = 1024 };

static _Alignas(max_align_t) unsigned char memory[64 * KIB];

Test(arena, fixed)
{
    vx_arena arena;
    cr_assert_eq(vx_arena_init_fixed(&arena, NULL, 100), VX_NO_MEMORY);
    cr_assert_eq(vx_arena_init_fixed(&arena, memory, 0), VX_NO_MEMORY);
    cr_assert_eq(vx_arena_init_fixed(&arena, memory, 8), VX_NO_MEMORY);
    cr_assert_null(vx_arena_alloc(&arena, 1, 1, 1), "an arena that was refused has no memory");
    cr_assert_eq(vx_arena_init_fixed(&arena, memory, 4 * KIB), VX_OK);
    unsigned char *a = vx_arena_alloc(&arena, 1000, 1, 1);
    unsigned char *b = vx_arena_alloc(&arena, 125, 8, 8);
    cr_assert(a != NULL && b != NULL);
    cr_assert(a >= memory && b + 1000 <= memory + 4 * KIB && b >= a + 1000);
    memset(a, 1, 1000);
    memset(b, 2, 1000);
    cr_assert_eq(a[999], 1);
    cr_assert_null(vx_arena_alloc(&arena, 4 * KIB, 1, 1));
    /* A failure uses nothing: what fits still fits. */
    size_t used = vx_arena_used(&arena);
    cr_assert_geq(used, 2000);
    cr_assert_not_null(vx_arena_alloc(&arena, 100, 1, 1));
    cr_assert_gt(vx_arena_used(&arena), used);
    vx_arena_free(&arena);
    cr_assert_eq(vx_arena_used(&arena), 0);
    cr_assert_geq(vx_arena_peak(&arena), 2100);
    /* The memory is the caller's again, and the arena can be used again. */
    memset(memory + 2 * KIB, 3, KIB);
    cr_assert_eq(vx_arena_alloc(&arena, 1000, 1, 1), a);
    vx_arena_free(&arena);
    memset(memory, 0, sizeof memory);
    /* Nothing was ever allocated from a refused arena; giving it back is harmless. */
    cr_assert_eq(vx_arena_init_fixed(&arena, memory, 8), VX_NO_MEMORY);
    vx_arena_reset(&arena);
    vx_arena_free(&arena);
}

/* Also where the memory itself is not aligned. */
Test(arena, alignment)
{
    for (size_t skew = 0; skew < 17; skew++) {
        vx_arena arena;
        cr_assert_eq(vx_arena_init_fixed(&arena, memory + skew, 32 * KIB), VX_OK);
        for (size_t align = 1; align <= 4096; align *= 2) {
            unsigned char *a = vx_arena_alloc(&arena, 1, 3, align);
            cr_assert_not_null(a, "%zu", align);
            cr_assert_eq((uintptr_t)a % align, 0, "%zu", align);
            memset(a, 7, 3);
        }
        vx_arena_free(&arena);
    }
    vx_arena arena;
    vx_arena_init_growable(&arena, 1, KIB * KIB);
    for (size_t align = 1; align <= 4096; align *= 2) {
        unsigned char *a = vx_arena_alloc(&arena, 1, 3, align);
        cr_assert(a != NULL && (uintptr_t)a % align == 0, "%zu", align);
        memset(a, 7, 3);
    }
    vx_arena_free(&arena);
}

Test(arena, growable)
{
    vx_arena arena;
    vx_arena_init_growable(&arena, KIB, 10 * KIB);
    unsigned char *parts[8];
    for (size_t i = 0; i < 8; i++) {
        parts[i] = vx_arena_alloc(&arena, 900, 1, 1);
        cr_assert_not_null(parts[i], "%zu", i);
        memset(parts[i], (int)i, 900);
    }
    for (size_t i = 0; i < 8; i++) {
        cr_assert(parts[i][0] == i && parts[i][899] == i, "%zu", i);
    }
    cr_assert_null(vx_arena_alloc(&arena, 3 * KIB, 1, 1), "the limit holds");
    cr_assert_null(vx_arena_alloc_zero(&arena, 3 * KIB, 1, 1));
    cr_assert_not_null(vx_arena_alloc(&arena, 10, 1, 1));
    vx_arena_free(&arena);
    cr_assert_eq(vx_arena_used(&arena), 0);
    /* Larger than a block, and the whole limit again. */
    cr_assert_not_null(vx_arena_alloc(&arena, 8 * KIB, 1, 1));
    vx_arena_free(&arena);
    vx_arena_init_growable(&arena, 0, 10 * KIB);
    cr_assert_not_null(vx_arena_alloc(&arena, 1, 1, 1), "a block size of 0 counts as 1");
    vx_arena_free(&arena);
    vx_arena_init_growable(&arena, SIZE_MAX, SIZE_MAX);
    cr_assert_null(vx_arena_alloc(&arena, 1, 1, 1), "a block that cannot be");
    vx_arena_free(&arena);
}

/* Sizes that no memory has. */
Test(arena, no_memory)
{
    vx_arena arena;
    vx_arena_init_growable(&arena, KIB, SIZE_MAX);
    cr_assert_null(vx_arena_alloc(&arena, SIZE_MAX / 2, 3, 1), "a product that overflows");
    cr_assert_null(vx_arena_alloc(&arena, SIZE_MAX, 1, 1));
    cr_assert_null(vx_arena_alloc(&arena, SIZE_MAX - 50, 1, 1));
    cr_assert_eq(vx_arena_used(&arena), 0);
    cr_assert_not_null(vx_arena_alloc(&arena, 10, 1, 1));
    vx_arena_free(&arena);
}

Test(arena, zero)
{
    vx_arena arena;
    vx_arena_init_growable(&arena, KIB, 10 * KIB);
    memset(vx_arena_alloc(&arena, 500, 1, 1), 0xff, 500);
    vx_arena_reset(&arena);
    unsigned char *a = vx_arena_alloc_zero(&arena, 5, 100, 4);
    cr_assert_not_null(a);
    for (size_t i = 0; i < 500; i++) {
        cr_assert_eq(a[i], 0, "%zu", i);
    }
    /* 0 bytes are valid, and not NULL. */
    cr_assert_not_null(vx_arena_alloc(&arena, 0, 8, 8));
    cr_assert_not_null(vx_arena_alloc(&arena, 8, 0, 8));
    cr_assert_not_null(vx_arena_alloc_zero(&arena, 0, 0, 1));
    vx_arena_free(&arena);
}

Test(arena, marks)
{
    vx_arena arena;
    vx_arena_init_growable(&arena, KIB, 20 * KIB);
    vx_arena_mark start = vx_arena_get_mark(&arena);
    vx_arena_rewind(&arena, start); /* before there is a block */
    unsigned char *a = vx_arena_alloc(&arena, 600, 1, 1);
    vx_arena_mark outer = vx_arena_get_mark(&arena);
    unsigned char *b = vx_arena_alloc(&arena, 600, 1, 1); /* in a second block */
    vx_arena_mark inner = vx_arena_get_mark(&arena);
    unsigned char *c = vx_arena_alloc(&arena, 700, 1, 1); /* in a third */
    cr_assert(a != NULL && b != NULL && c != NULL);
    size_t used = vx_arena_used(&arena);
    vx_arena_rewind(&arena, inner);
    cr_assert_lt(vx_arena_used(&arena), used);
    cr_assert_eq(vx_arena_alloc(&arena, 700, 1, 1), c);
    cr_assert_eq(vx_arena_used(&arena), used);
    vx_arena_rewind(&arena, outer);
    cr_assert_eq(vx_arena_alloc(&arena, 600, 1, 1), b);
    vx_arena_rewind(&arena, start);
    cr_assert_eq(vx_arena_used(&arena), 0);
    cr_assert_eq(vx_arena_alloc(&arena, 600, 1, 1), a);
    cr_assert_eq(vx_arena_peak(&arena), used);
    /* A block that is too small for what comes next is passed over, not lost for ever. */
    cr_assert_not_null(vx_arena_alloc(&arena, 5 * KIB, 1, 1));
    vx_arena_reset(&arena);
    cr_assert_eq(vx_arena_used(&arena), 0);
    cr_assert_eq(vx_arena_alloc(&arena, 600, 1, 1), a);
    cr_assert_eq(vx_arena_alloc(&arena, 600, 1, 1), b);
    vx_arena_free(&arena);
}

Test(arena, fail_after)
{
    vx_arena arena;
    vx_arena_init_growable(&arena, KIB, 10 * KIB);
    vx_arena_fail_after(&arena, 2);
    cr_assert_not_null(vx_arena_alloc(&arena, 1, 1, 1));
    cr_assert_not_null(vx_arena_alloc_zero(&arena, 1, 1, 1));
    cr_assert_null(vx_arena_alloc(&arena, 1, 1, 1));
    cr_assert_null(vx_arena_alloc_zero(&arena, 1, 1, 1), "and every one after that");
    vx_arena_fail_after(&arena, SIZE_MAX);
    cr_assert_not_null(vx_arena_alloc(&arena, 1, 1, 1));
    vx_arena_fail_after(&arena, 0);
    cr_assert_null(vx_arena_alloc(&arena, 1, 1, 1));
    vx_arena_free(&arena);
}

Test(arena, status)
{
    static const struct {
        vx_status status;
        const char *name;
    } cases[] = {
        {VX_OK, "ok"},
        {VX_ARGUMENT, "argument"},
        {VX_OUT_OF_RANGE, "out_of_range"},
        {VX_NO_MEMORY, "no_memory"},
        {VX_UNSUPPORTED, "unsupported"},
        {(vx_status)5, "unknown"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_assert_str_eq(vx_status_name(cases[i].status), cases[i].name);
    }
    vx_error error;
    cr_assert_eq(vx_fail(&error, VX_ARGUMENT, "x = %d is beyond %d", 3, 2), VX_ARGUMENT);
    cr_assert_eq(error.status, VX_ARGUMENT);
    cr_assert_str_eq(error.message, "x = 3 is beyond 2");
    cr_assert_eq(vx_fail(NULL, VX_NO_MEMORY, "nobody reads this"), VX_NO_MEMORY);
    /* A message that is too long is cut, with its end. */
    char name[400];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    cr_assert_eq(vx_fail(&error, VX_OUT_OF_RANGE, "%s", name), VX_OUT_OF_RANGE);
    cr_assert_eq(strlen(error.message), VX_ERROR_MESSAGE_SIZE - 1);
}

/* Whether the mapping that holds an address is one that huge pages may back: its line of flags. */
static bool may_be_huge(const void *address)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    cr_assert(maps != NULL);
    char line[512];
    bool is_inside = false;
    bool is_advised = false;
    while (fgets(line, sizeof line, maps) != NULL) {
        uintptr_t begin;
        uintptr_t end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2) {
            is_inside = begin <= (uintptr_t)address && (uintptr_t)address < end;
        } else if (is_inside && strncmp(line, "VmFlags:", strlen("VmFlags:")) == 0) {
            is_advised = strstr(line, " hg") != NULL;
        }
    }
    (void)fclose(maps);
    return is_advised;
}

Test(arena, large_blocks_may_have_huge_pages)
{
    if (access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) != 0) {
        cr_skip("the kernel has none");
    }
    enum { LARGE = 16 << 20 };
    vx_arena arena;
    vx_arena_init_growable(&arena, LARGE, SIZE_MAX);
    unsigned char *bytes = vx_arena_alloc_zero(&arena, LARGE, 1, 1);
    cr_assert(bytes != NULL);
    cr_expect(may_be_huge(bytes + LARGE / 2));
    vx_arena_free(&arena);
}
