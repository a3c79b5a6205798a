/* SPDX-License-Identifier: MIT */
/* Reading meshes with assimp: the triangles of a scene, in order, with its transforms applied. */
#include "mesh_scene.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "case.h"
#include "file.h"
#include "mesh_gather.h"
#include "mesh_obj.h"

enum { NODE_DEPTH_MAX = 256 };

/* The files that assimp may read: the mesh, and what lies in its folder or below. */
typedef struct permitted {
    vx_mesh_progress *progress;
    const char *mesh;
    char *folder; /* without links; NULL: it is not known, so the mesh alone */
} permitted;

/* A file that assimp reads. */
typedef struct opened {
    struct aiFile callbacks;
    FILE *stream;
    size_t size;
    vx_mesh_progress *progress;
} opened;

/* --- triangles -------------------------------------------------------------------------------- */

/* A transform: the upper three rows of a 4 × 4 matrix. */
typedef struct transform {
    double m[3][4];
} transform;

static transform compose(const transform *outer, const struct aiMatrix4x4 *inner)
{
    const double in[4][4] = {
        {(double)inner->a1, (double)inner->a2, (double)inner->a3, (double)inner->a4},
        {(double)inner->b1, (double)inner->b2, (double)inner->b3, (double)inner->b4},
        {(double)inner->c1, (double)inner->c2, (double)inner->c3, (double)inner->c4},
        {0, 0, 0, 1}};
    transform product;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) {
                sum += outer->m[row][k] * in[k][column];
            }
            product.m[row][column] = sum;
        }
    }
    return product;
}

/* Whether it mirrors: its determinant is negative. */
static bool mirrors(const transform *of)
{
    const double(*m)[4] = of->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0;
}

static int64_t place_vertex(vx_gatherer *to, const transform *by, const struct aiVector3D *at)
{
    const double from[4] = {(double)at->x, (double)at->y, (double)at->z, 1};
    double vertex[3] = {0, 0, 0}; /* −0 becomes 0 */
    for (int row = 0; row < 3; row++) {
        for (int k = 0; k < 4; k++) {
            /* Times 0 is nothing, also of what is infinite or NaN. */
            if (by->m[row][k] != 0) {
                vertex[row] += by->m[row][k] * from[k];
            }
        }
    }
    return vx_gather_vertex(to, vertex);
}

static vx_status gather_mesh(vx_gatherer *to, const struct aiMesh *from, const transform *by,
                             vx_error *error)
{
    bool mirrored = mirrors(by);
    for (unsigned face_at = 0; face_at < from->mNumFaces; face_at++) {
        const struct aiFace *face = &from->mFaces[face_at];
        if (face->mNumIndices != 3) {
            continue; /* a point or a line */
        }
        int64_t corners[3];
        for (int corner = 0; corner < 3; corner++) {
            unsigned index = face->mIndices[mirrored ? 2 - corner : corner];
            if (index >= from->mNumVertices) {
                return vx_fail(error, VX_OUT_OF_RANGE, "a face has vertex %u of %u", index,
                               from->mNumVertices);
            }
            corners[corner] = place_vertex(to, by, &from->mVertices[index]);
        }
        vx_gather_triangle(to, corners);
    }
    return VX_OK;
}

/* The meshes of a node, then those of its children. */
static vx_status gather_node(vx_gatherer *to, const struct aiScene *scene,
                             const struct aiNode *node, const transform *outer, vx_error *error)
{
    transform here = compose(outer, &node->mTransformation);
    vx_status status = VX_OK;
    for (unsigned i = 0; i < node->mNumMeshes && status == VX_OK; i++) {
        status = gather_mesh(to, scene->mMeshes[node->mMeshes[i]], &here, error);
    }
    for (unsigned i = 0; i < node->mNumChildren && status == VX_OK; i++) {
        status = gather_node(to, scene, node->mChildren[i], &here, error);
    }
    return status;
}

/* --- counting --------------------------------------------------------------------------------- */

/* A file of a few nodes can stand for billions of triangles: they are counted, and refused, before
 * any of them is made. */

static uint64_t count_mesh(const struct aiMesh *mesh)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < mesh->mNumFaces; i++) {
        count += mesh->mFaces[i].mNumIndices == 3;
    }
    return count;
}

/* Adds what a node and its children show of the meshes that have so many triangles each. */
static vx_status count_node(const struct aiNode *node, const uint64_t *of_meshes, int depth,
                            uint64_t *count, vx_error *error)
{
    if (depth > NODE_DEPTH_MAX) {
        return vx_fail(error, VX_OUT_OF_RANGE, "nodes are nested more than %d deep",
                       NODE_DEPTH_MAX);
    }
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        *count += of_meshes[node->mMeshes[i]];
        if (*count > VX_IMPORT_TRIANGLES_MAX) {
            return vx_fail(error, VX_OUT_OF_RANGE, "more than %zu triangles",
                           VX_IMPORT_TRIANGLES_MAX);
        }
    }
    vx_status status = VX_OK;
    for (unsigned i = 0; i < node->mNumChildren && status == VX_OK; i++) {
        status = count_node(node->mChildren[i], of_meshes, depth + 1, count, error);
    }
    return status;
}

static vx_status check_count(const struct aiScene *scene, vx_error *error)
{
    uint64_t *of_meshes = vx_must_alloc((size_t)scene->mNumMeshes + 1, sizeof *of_meshes);
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        of_meshes[i] = count_mesh(scene->mMeshes[i]);
    }
    uint64_t count = 0;
    vx_status status = count_node(scene->mRootNode, of_meshes, 0, &count, error);
    free(of_meshes);
    return status;
}

/* --- files ------------------------------------------------------------------------------------ */

/* Assimp reads through these, also what a glTF file names: regular files only, so that none of them
 * blocks, none outside the mesh's folder, and counted. */

static char *folder_of(const char *path)
{
    char *copy = vx_must_strdup(path);
    char *folder = realpath(dirname(copy), NULL);
    free(copy);
    return folder;
}

static bool is_permitted(const permitted *files, const char *path)
{
    if (strcmp(path, files->mesh) == 0) {
        return true;
    }
    char *real = realpath(path, NULL);
    size_t length = files->folder != NULL ? strlen(files->folder) : 0;
    bool inside = real != NULL && files->folder != NULL &&
                  strncmp(real, files->folder, length) == 0 &&
                  (real[length] == '/' || strcmp(files->folder, "/") == 0);
    free(real);
    return inside;
}

static size_t read_file(struct aiFile *file, char *bytes, size_t size, size_t count)
{
    opened *from = (opened *)(void *)file->UserData;
    size_t got = fread(bytes, size, count, from->stream);
    (void)atomic_fetch_add(&from->progress->bytes, got * size);
    return got;
}

static size_t write_file(struct aiFile *file, const char *bytes, size_t size, size_t count)
{
    (void)file;
    (void)bytes;
    (void)size;
    (void)count;
    return 0;
}

static size_t tell_file(struct aiFile *file)
{
    opened *from = (opened *)(void *)file->UserData;
    return (size_t)ftell(from->stream);
}

static size_t size_of_file(struct aiFile *file)
{
    opened *from = (opened *)(void *)file->UserData;
    return from->size;
}

static enum aiReturn seek_file(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    opened *from = (opened *)(void *)file->UserData;
    int whence = origin == aiOrigin_SET ? SEEK_SET : origin == aiOrigin_CUR ? SEEK_CUR : SEEK_END;
    return fseek(from->stream, (long)offset, whence) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static void flush_file(struct aiFile *file)
{
    (void)file;
}

static struct aiFile *open_file(struct aiFileIO *files, const char *path, const char *mode)
{
    size_t size;
    FILE *stream = NULL;
    const permitted *those = (const permitted *)(void *)files->UserData;
    if (mode[0] == 'r' && is_permitted(those, path) &&
        vx_file_size(path, VX_FILE_BYTES_MAX, &size, NULL) == VX_OK) {
        stream = fopen(path, "rbe");
    }
    if (stream == NULL) {
        return NULL;
    }
    opened *file = vx_must_alloc(1, sizeof *file);
    file->stream = stream;
    file->size = size;
    file->progress = those->progress;
    file->callbacks = (struct aiFile){.ReadProc = read_file,
                                      .WriteProc = write_file,
                                      .TellProc = tell_file,
                                      .FileSizeProc = size_of_file,
                                      .SeekProc = seek_file,
                                      .FlushProc = flush_file,
                                      .UserData = (aiUserData)(void *)file};
    return &file->callbacks;
}

static void close_file(struct aiFileIO *files, struct aiFile *file)
{
    (void)files;
    opened *from = (opened *)(void *)file->UserData;
    (void)fclose(from->stream);
    free(from);
}

/* --- the scene -------------------------------------------------------------------------------- */

/* Any format. */
static vx_status read_scene(const char *path, vx_mesh_progress *progress, vx_gatherer *to,
                            vx_error *error)
{
    static const transform identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    permitted those = {.progress = progress, .mesh = path, .folder = folder_of(path)};
    struct aiFileIO files = {
        .OpenProc = open_file, .CloseProc = close_file, .UserData = (aiUserData)(void *)&those};
    const struct aiScene *scene = aiImportFileEx(path, aiProcess_Triangulate, &files);
    free(those.folder);
    if (scene == NULL || scene->mRootNode == NULL) {
        const char *why = aiGetErrorString();
        return vx_fail(error, VX_ARGUMENT, "it cannot be read: %s",
                       strstr(why, "bad_alloc") != NULL ? "it needs more memory than it may have"
                                                        : why);
    }
    vx_status status = check_count(scene, error);
    if (status == VX_OK) {
        status = gather_node(to, scene, scene->mRootNode, &identity, error);
    }
    aiReleaseImport(scene);
    return status;
}

vx_status vx_mesh_scene_read(const char *path, vx_mesh_progress *progress, vx_import_mesh *mesh,
                             vx_error *error)
{
    vx_gatherer to = {0};
    const char *dot = strrchr(path, '.');
    vx_status status = VX_OK;
    if (dot != NULL && strcasecmp(dot, ".obj") == 0) {
        status = vx_mesh_obj_check(path, error);
    }
    if (status == VX_OK) {
        status = read_scene(path, progress, &to, error);
    }
    free(to.slots);
    *mesh = to.mesh;
    return status;
}
