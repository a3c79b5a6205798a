/* SPDX-License-Identifier: MIT */
/* Pictures of cases as files. */
#include "draw.h"

#include <string.h>
#include <strings.h>

#include "cli.h"
#include "file.h"

bool vx_draw(const vx_draw_request *request, vx_text *picture, vx_problem *problem)
{
    const vx_chapter *chapter = request->item->chapter;
    if (chapter->draw == NULL) {
        return vx_problem_say(problem, "the chapter %s has no pictures", chapter->name);
    }
    return chapter->draw(request, picture, problem);
}

bool vx_draw_format(const char *path, vx_picture_format *format)
{
    const char *dot = strrchr(path, '.');
    if (dot != NULL && strcasecmp(dot, ".svg") == 0) {
        *format = VX_PICTURE_SVG;
        return true;
    }
    if (dot != NULL && strcasecmp(dot, ".png") == 0) {
        *format = VX_PICTURE_PNG;
        return true;
    }
    (void)vx_complain(VX_EXIT_USAGE, "%s: a picture's name ends in .svg or .png", path);
    return false;
}

vx_exit vx_draw_file(const vx_draw_request *request, const char *path)
{
    vx_text picture = {0};
    vx_problem problem = {0};
    vx_error error;
    vx_exit status = VX_EXIT_PASS;
    if (!vx_draw(request, &picture, &problem)) {
        status = vx_complain(VX_EXIT_USAGE, "%s%s%s", request->item->name,
                             request->item->name[0] != '\0' ? ": " : "", problem.message);
    } else if (vx_file_write(path, picture.bytes, picture.size, &error) != VX_OK) {
        status = vx_complain(VX_EXIT_USAGE, "%s", error.message);
    }
    vx_text_free(&picture);
    return status;
}
