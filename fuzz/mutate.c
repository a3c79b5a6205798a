/* SPDX-License-Identifier: MIT */
/* Mutations that work on the parts of a case, which the decoder has found. */
#include "fuzz/mutate.h"

#include <string.h>

#include "fuzz/decode.h"

typedef struct editor {
    uint8_t *bytes;
    size_t size, max_size;
    const vx_layout *layout;
    vx_random *random;
} editor;

static size_t draw(vx_random *random, size_t count)
{
    return (size_t)vx_random_integer(random, 0, (int64_t)count - 1);
}

/* --- editing -------------------------------------------------------------------------------------
 */

/* Puts size bytes in at a place; false where there is no room. The bytes must not be the editor's.
 */
static bool put_in(editor *edit, size_t at, const uint8_t *bytes, size_t size)
{
    if (size > edit->max_size - edit->size) {
        return false;
    }
    memmove(edit->bytes + at + size, edit->bytes + at, edit->size - at);
    memcpy(edit->bytes + at, bytes, size);
    edit->size += size;
    return true;
}

static void take_out(editor *edit, size_t at, size_t size)
{
    memmove(edit->bytes + at, edit->bytes + at + size, edit->size - at - size);
    edit->size -= size;
}

/* One of the parts of that kind; NULL when there is none. */
static const vx_mark *choose(const editor *edit, vx_mark_kind kind)
{
    const vx_layout *layout = edit->layout;
    const vx_mark *chosen = NULL;
    size_t seen = 0;
    for (size_t i = 0; i < layout->count; i++) {
        if (layout->marks[i].kind == kind) {
            seen++;
            chosen = draw(edit->random, seen) == 0 ? &layout->marks[i] : chosen;
        }
    }
    return chosen;
}

static const vx_mark *choose_item(const editor *edit)
{
    static const vx_mark_kind kinds[] = {VX_MARK_VERTEX, VX_MARK_TRIANGLE, VX_MARK_ITEM,
                                         VX_MARK_STEP};
    size_t first = draw(edit->random, 4);
    const vx_mark *chosen = NULL;
    for (size_t i = 0; i < 4 && chosen == NULL; i++) {
        chosen = choose(edit, kinds[(first + i) % 4]);
    }
    return chosen;
}

/* --- mutations -----------------------------------------------------------------------------------
 */

static void change_bytes(editor *edit)
{
    uint8_t byte = (uint8_t)draw(edit->random, 256);
    size_t way = draw(edit->random, 5);
    size_t at = draw(edit->random, edit->size + 1);
    if (way == 0 || at == edit->size) {
        (void)put_in(edit, at, &byte, 1);
    } else if (way == 1) {
        take_out(edit, at, 1);
    } else if (way == 2) {
        edit->bytes[at] ^= (uint8_t)(1u << (byte & 7));
    } else if (way == 3) {
        edit->bytes[at] = (uint8_t)(edit->bytes[at] + (byte & 1 ? 1 : 255));
    } else {
        edit->bytes[at] = byte;
    }
}

static void reverse(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size / 2; i++) {
        uint8_t byte = bytes[i];
        bytes[i] = bytes[size - 1 - i];
        bytes[size - 1 - i] = byte;
    }
}

/* Turns bytes[0 .. size) so that the part from `first` on comes first. */
static void turn(uint8_t *bytes, size_t size, size_t first)
{
    reverse(bytes, first);
    reverse(bytes + first, size - first);
    reverse(bytes, size);
}

static void swap(editor *edit)
{
    const vx_mark *a = choose_item(edit);
    const vx_mark *b = a != NULL ? choose(edit, a->kind) : NULL;
    if (b == NULL || a == b) {
        return;
    }
    const vx_mark *low = a->start < b->start ? a : b;
    const vx_mark *high = a->start < b->start ? b : a;
    size_t low_size = low->end - low->start;
    size_t high_size = high->end - high->start;
    uint8_t *start = edit->bytes + low->start;
    size_t size = high->end - low->start;
    /* low, between, high become high, low, between, and then high, between, low. */
    turn(start, size, size - high_size);
    turn(start + high_size, size - high_size, low_size);
}

static void duplicate(editor *edit)
{
    const vx_mark *part = choose_item(edit);
    uint8_t copy[256];
    size_t size = part != NULL ? part->end - part->start : 0;
    if (size == 0 || size > sizeof copy ||
        (part->counter != 0 && edit->bytes[part->counter] == VX_FUZZ_ITEMS)) {
        return;
    }
    memcpy(copy, edit->bytes + part->start, size);
    if (put_in(edit, part->end, copy, size) && part->counter != 0) {
        edit->bytes[part->counter]++;
    }
}

static void drop(editor *edit)
{
    const vx_mark *part = choose_item(edit);
    if (part == NULL) {
        return;
    }
    if (part->counter != 0) {
        edit->bytes[part->counter]--;
    }
    take_out(edit, part->start, part->end - part->start);
}

static void copy_number(editor *edit)
{
    const vx_mark *from = choose(edit, VX_MARK_NUMBER);
    const vx_mark *to = choose(edit, VX_MARK_NUMBER);
    if (from != NULL && from->end - from->start == to->end - to->start) {
        memmove(edit->bytes + to->start, edit->bytes + from->start, to->end - to->start);
    }
}

/* A number that is counted in cells and has no raw form becomes an integer: a plane. */
static void snap(editor *edit)
{
    const vx_mark *part = choose(edit, VX_MARK_NUMBER);
    if (part == NULL || part->end - part->start != 2) {
        return;
    }
    uint8_t *first = edit->bytes + part->start;
    *first = (uint8_t)(*first & VX_NUMBER_NEGATIVE);
    first[1] %= 20;
}

static void negate(editor *edit)
{
    const vx_mark *part = choose(edit, VX_MARK_NUMBER);
    if (part != NULL) {
        edit->bytes[part->start] ^= VX_NUMBER_NEGATIVE;
    }
}

static void step_number(editor *edit)
{
    const vx_mark *part = choose(edit, VX_MARK_NUMBER);
    if (part != NULL) {
        uint8_t *first = edit->bytes + part->start;
        size_t step = 4 + draw(edit->random, 4);
        *first = (uint8_t)((*first & (255 - VX_NUMBER_STEP)) | (step << VX_NUMBER_STEP_SHIFT));
    }
}

static void rotate(editor *edit)
{
    const vx_mark *part = choose(edit, VX_MARK_TRIANGLE);
    if (part != NULL && part->end - part->start >= 3) {
        size_t count = 2 + draw(edit->random, 2); /* two corners change places, or all go round */
        turn(edit->bytes + part->start, count, 1);
    }
}

size_t vx_fuzz_mutate_by(vx_mutation mutation, uint8_t *bytes, size_t size, size_t max_size,
                         unsigned ops, vx_random *random)
{
    static void (*const mutations[VX_MUTATIONS])(editor *) = {
        [VX_MUTATE_BYTES] = change_bytes,  [VX_MUTATE_SWAP] = swap,
        [VX_MUTATE_DUPLICATE] = duplicate, [VX_MUTATE_DROP] = drop,
        [VX_MUTATE_COPY] = copy_number,    [VX_MUTATE_SNAP] = snap,
        [VX_MUTATE_NEGATE] = negate,       [VX_MUTATE_STEP] = step_number,
        [VX_MUTATE_ROTATE] = rotate,
    };
    static vx_layout layout;
    layout.count = 0;
    if (mutation != VX_MUTATE_BYTES) {
        (void)vx_fuzz_decode(bytes, size, ops, &layout);
    }
    editor edit = {bytes, size, max_size, &layout, random};
    mutations[mutation](&edit);
    return edit.size;
}

size_t vx_fuzz_mutate(uint8_t *bytes, size_t size, size_t max_size, unsigned ops, vx_random *random)
{
    size_t count = 1 + draw(random, 4);
    for (size_t i = 0; i < count; i++) {
        vx_mutation mutation = (vx_mutation)draw(random, VX_MUTATIONS);
        size = vx_fuzz_mutate_by(mutation, bytes, size, max_size, ops, random);
    }
    return size;
}

/* The beginning of one of the steps; where there is none, the end. */
static size_t choose_step(vx_bytes from, unsigned ops, vx_random *random)
{
    static vx_layout layout;
    (void)vx_fuzz_decode(from.bytes, from.size, ops, &layout);
    editor edit = {.layout = &layout, .random = random};
    const vx_mark *step = choose(&edit, VX_MARK_STEP);
    return step != NULL ? step->start : from.size;
}

size_t vx_fuzz_splice(vx_bytes a, vx_bytes b, uint8_t *out, size_t max_size, unsigned ops,
                      vx_random *random)
{
    size_t head = choose_step(a, ops, random);
    size_t from = choose_step(b, ops, random);
    size_t tail = b.size - from;
    head = head < max_size ? head : max_size;
    tail = tail < max_size - head ? tail : max_size - head;
    memcpy(out, a.bytes, head);
    memcpy(out + head, b.bytes + from, tail);
    return head + tail;
}
