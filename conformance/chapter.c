/* SPDX-License-Identifier: MIT */
/* The chapters that this kit knows. */
#include "chapter.h"

#include <string.h>

#include "build3d/build3d.h"

const vx_chapter *const vx_chapters[] = {&vx_chapter_build3d};
const size_t vx_chapter_count = sizeof vx_chapters / sizeof vx_chapters[0];

const vx_chapter *vx_chapter_find(const char *name)
{
    for (size_t i = 0; i < vx_chapter_count; i++) {
        if (strcmp(vx_chapters[i]->name, name) == 0) {
            return vx_chapters[i];
        }
    }
    return NULL;
}

const vx_implementation *vx_implementation_find(const vx_chapter *chapter, const char *name)
{
    for (size_t i = 0; i < chapter->implementation_count; i++) {
        if (strcmp(chapter->implementations[i].name, name) == 0) {
            return &chapter->implementations[i];
        }
    }
    return NULL;
}
