/* SPDX-License-Identifier: MIT */
/* Reading meshes with assimp, in a process of its own: what a malformed file does to the reader,
 * be it a crash, a hang or a flood of memory, becomes an error here. */
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "case.h"
#include "clock.h"
#include "file.h"
#include "import.h"

enum { NODE_DEPTH_MAX = 256 };

static const char *const mesh_extensions[] = {"obj", "gltf", "glb", "stl", "ply"};

void vx_import_mesh_free(vx_import_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
    *mesh = (vx_import_mesh){0};
}

vx_mesh_limits vx_mesh_default_limits(size_t file_size)
{
    /* A mesh takes up to ten times its file's size, and a second for 20 MB or more. */
    return (vx_mesh_limits){.milliseconds = 20000 + (int64_t)(file_size >> 10),
                            .bytes = ((size_t)512 << 20) + file_size * 32};
}

bool vx_import_mesh_turn(vx_import_mesh *mesh, const char *up)
{
    /* Where the new x, y and z come from: axis and sign. */
    static const struct {
        const char *up;
        int axis[3];
        double sign[3];
    } turns[] = {{"y", {0, 1, 2}, {1, 1, 1}},   {"z", {0, 2, 1}, {1, 1, -1}},
                 {"x", {1, 0, 2}, {-1, 1, 1}},  {"-y", {0, 1, 2}, {1, -1, -1}},
                 {"-z", {0, 2, 1}, {1, -1, 1}}, {"-x", {1, 0, 2}, {1, -1, 1}}};
    for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
        if (strcmp(up, turns[k].up) != 0) {
            continue;
        }
        for (size_t v = 0; v < mesh->vertex_count; v++) {
            double from[3];
            memcpy(from, &mesh->vertices[3 * v], sizeof from);
            for (int i = 0; i < 3; i++) {
                mesh->vertices[3 * v + (size_t)i] = turns[k].sign[i] * from[turns[k].axis[i]] + 0.0;
            }
        }
        return true;
    }
    return false;
}

/* --- in the reader's process ------------------------------------------------------------------ */

/* The answer: this, then the vertices, then the indices. */
typedef struct mesh_answer {
    vx_status status;
    size_t vertex_count;
    size_t triangle_count;
    char message[VX_ERROR_MESSAGE_SIZE];
} mesh_answer;

/* Vertices found so far, with a table from their bytes to their numbers. */
typedef struct gatherer {
    vx_import_mesh mesh;
    size_t vertex_capacity, triangle_capacity;
    uint32_t *slots; /* vertex number + 1; 0: free. A power of two, never more than half full */
    size_t slot_count;
    vx_error *error;
} gatherer;

static size_t hash_vertex(const double *vertex)
{
    uint64_t words[3];
    memcpy(words, vertex, sizeof words);
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++) {
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u; /* 2^64 ÷ golden ratio: spreads the bits */
        hash ^= hash >> 29;
    }
    return (size_t)hash;
}

static bool is_same(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* The slot of the vertex, or the free one where it belongs. */
static size_t find_slot(const gatherer *to, const double *vertex)
{
    size_t slot = hash_vertex(vertex) & (to->slot_count - 1);
    while (to->slots[slot] != 0 &&
           !is_same(&to->mesh.vertices[3 * ((size_t)to->slots[slot] - 1)], vertex)) {
        slot = (slot + 1) & (to->slot_count - 1);
    }
    return slot;
}

static void grow_slots(gatherer *to)
{
    free(to->slots);
    to->slot_count = to->slot_count == 0 ? 1024 : to->slot_count * 2;
    to->slots = vx_must_alloc(to->slot_count, sizeof *to->slots);
    for (size_t v = 0; v < to->mesh.vertex_count; v++) {
        to->slots[find_slot(to, &to->mesh.vertices[3 * v])] = (uint32_t)v + 1;
    }
}

static int64_t gather_vertex(gatherer *to, const double *vertex)
{
    vx_import_mesh *mesh = &to->mesh;
    if (2 * mesh->vertex_count >= to->slot_count) {
        grow_slots(to);
    }
    size_t slot = find_slot(to, vertex);
    if (to->slots[slot] == 0) {
        if (mesh->vertex_count == to->vertex_capacity) {
            to->vertex_capacity = to->vertex_capacity * 2 + 1024;
            mesh->vertices =
                vx_must_realloc(mesh->vertices, to->vertex_capacity, 3 * sizeof(double));
        }
        memcpy(&mesh->vertices[3 * mesh->vertex_count], vertex, 3 * sizeof *vertex);
        mesh->vertex_count++;
        to->slots[slot] = (uint32_t)mesh->vertex_count;
    }
    return (int64_t)to->slots[slot] - 1;
}

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

static int64_t place_vertex(gatherer *to, const transform *by, const struct aiVector3D *at)
{
    double vertex[3];
    for (int i = 0; i < 3; i++) {
        const double *row = by->m[i];
        vertex[i] = row[0] * (double)at->x + row[1] * (double)at->y + row[2] * (double)at->z +
                    row[3] + 0.0; /* + 0: −0 becomes 0 */
    }
    return gather_vertex(to, vertex);
}

static vx_status gather_mesh(gatherer *to, const struct aiMesh *from, const transform *by)
{
    vx_import_mesh *mesh = &to->mesh;
    bool mirrored = mirrors(by);
    for (unsigned face_at = 0; face_at < from->mNumFaces; face_at++) {
        const struct aiFace *face = &from->mFaces[face_at];
        if (face->mNumIndices != 3) {
            continue; /* a point or a line */
        }
        if (mesh->triangle_count == VX_IMPORT_TRIANGLES_MAX) {
            return vx_fail(to->error, VX_OUT_OF_RANGE, "more than %zu triangles",
                           VX_IMPORT_TRIANGLES_MAX);
        }
        if (mesh->triangle_count == to->triangle_capacity) {
            to->triangle_capacity = to->triangle_capacity * 2 + 1024;
            mesh->indices =
                vx_must_realloc(mesh->indices, to->triangle_capacity, 3 * sizeof(int64_t));
        }
        for (int corner = 0; corner < 3; corner++) {
            unsigned index = face->mIndices[mirrored ? 2 - corner : corner];
            if (index >= from->mNumVertices) {
                return vx_fail(to->error, VX_OUT_OF_RANGE, "a face has vertex %u of %u", index,
                               from->mNumVertices);
            }
            mesh->indices[3 * mesh->triangle_count + (size_t)corner] =
                place_vertex(to, by, &from->mVertices[index]);
        }
        mesh->triangle_count++;
    }
    return VX_OK;
}

/* The meshes of a node, then those of its children. */
static vx_status gather_node(gatherer *to, const struct aiScene *scene, const struct aiNode *node,
                             const transform *outer, int depth)
{
    if (depth > NODE_DEPTH_MAX) {
        return vx_fail(to->error, VX_OUT_OF_RANGE, "nodes are nested more than %d deep",
                       NODE_DEPTH_MAX);
    }
    transform here = compose(outer, &node->mTransformation);
    vx_status status = VX_OK;
    for (unsigned i = 0; i < node->mNumMeshes && status == VX_OK; i++) {
        status = gather_mesh(to, scene->mMeshes[node->mMeshes[i]], &here);
    }
    for (unsigned i = 0; i < node->mNumChildren && status == VX_OK; i++) {
        status = gather_node(to, scene, node->mChildren[i], &here, depth + 1);
    }
    return status;
}

static vx_status convert(const char *path, gatherer *to)
{
    static const transform identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    const struct aiScene *scene = aiImportFile(path, aiProcess_Triangulate);
    if (scene == NULL || scene->mRootNode == NULL) {
        return vx_fail(to->error, VX_ARGUMENT, "it cannot be read: %s", aiGetErrorString());
    }
    return gather_node(to, scene, scene->mRootNode, &identity, 0);
}

/* The address space in use now, in bytes; 0 when the system does not say. */
static size_t address_space(void)
{
    size_t pages = 0;
    FILE *statm = fopen("/proc/self/statm", "re");
    if (statm != NULL) {
        if (fscanf(statm, "%zu", &pages) != 1) {
            pages = 0;
        }
        (void)fclose(statm);
    }
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void confine(const vx_mesh_limits *limits)
{
    struct rlimit no_core = {0, 0};
    size_t used = address_space();
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setrlimit(RLIMIT_CORE, &no_core);
    if (used > 0) {
        struct rlimit memory = {used + limits->bytes, used + limits->bytes};
        (void)setrlimit(RLIMIT_AS, &memory);
    }
    if (nothing >= 0) {
        (void)dup2(nothing, STDIN_FILENO);
        (void)dup2(nothing, STDOUT_FILENO);
        (void)dup2(nothing, STDERR_FILENO);
    }
}

/* In a build that counts coverage; counters are written at the end of main only. */
extern void __gcov_dump(void) __attribute__((weak));

/* Ends the process without what the program has to do at its end. */
static void leave(int status)
{
    if (__gcov_dump != NULL) {
        __gcov_dump();
    }
    _exit(status);
}

/* What the reader's process does: never returns. */
static void read_and_answer(const char *path, const vx_mesh_limits *limits, int answer_file)
{
    vx_error error = {.status = VX_OK};
    gatherer to = {.error = &error};
    confine(limits);
    mesh_answer answer = {.status = convert(path, &to)};
    FILE *out = fdopen(answer_file, "w");
    if (out == NULL) {
        leave(1);
    }
    memcpy(answer.message, error.message, sizeof answer.message);
    if (answer.status == VX_OK) {
        answer.vertex_count = to.mesh.vertex_count;
        answer.triangle_count = to.mesh.triangle_count;
    }
    (void)fwrite(&answer, sizeof answer, 1, out);
    (void)fwrite(to.mesh.vertices, 3 * sizeof(double), answer.vertex_count, out);
    (void)fwrite(to.mesh.indices, 3 * sizeof(int64_t), answer.triangle_count, out);
    leave(fflush(out) == 0 && !ferror(out) ? 0 : 1);
}

/* --- in the program --------------------------------------------------------------------------- */

/* Waits until the other end of the pipe is closed, which is when the reader has ended; false when
 * time is up. */
static bool wait_for_end(int pipe_end, int64_t milliseconds)
{
    double until = vx_now() + 1e-3 * (double)milliseconds;
    struct pollfd waiting = {.fd = pipe_end, .events = POLLIN};
    for (;;) {
        double left = until - vx_now();
        if (left <= 0) {
            return false;
        }
        int found = poll(&waiting, 1, left > 1000 ? 1000000 : (int)(left * 1000) + 1);
        if (found > 0) {
            return true;
        }
        if (found < 0 && errno != EINTR) {
            return false;
        }
    }
}

/* Reads the answer of a reader that ended well. */
static vx_status take_answer(int file, vx_import_mesh *mesh, vx_error *error)
{
    mesh_answer answer;
    vx_status status = VX_OK;
    FILE *in = fdopen(file, "r");
    if (in == NULL) {
        (void)close(file);
        return vx_fail(error, VX_NO_MEMORY, "%s", strerror(errno));
    }
    rewind(in);
    if (fread(&answer, sizeof answer, 1, in) != 1 ||
        answer.triangle_count > VX_IMPORT_TRIANGLES_MAX ||
        answer.vertex_count > 3 * VX_IMPORT_TRIANGLES_MAX) {
        status = vx_fail(error, VX_ARGUMENT, "its reader gave no answer");
        goto done;
    }
    if (answer.status != VX_OK) {
        answer.message[sizeof answer.message - 1] = '\0';
        status = vx_fail(error, answer.status, "%s", answer.message);
        goto done;
    }
    mesh->vertex_count = answer.vertex_count;
    mesh->triangle_count = answer.triangle_count;
    mesh->vertices = vx_must_alloc(answer.vertex_count, 3 * sizeof(double));
    mesh->indices = vx_must_alloc(answer.triangle_count, 3 * sizeof(int64_t));
    if (fread(mesh->vertices, 3 * sizeof(double), mesh->vertex_count, in) != mesh->vertex_count ||
        fread(mesh->indices, 3 * sizeof(int64_t), mesh->triangle_count, in) !=
            mesh->triangle_count) {
        status = vx_fail(error, VX_ARGUMENT, "its reader gave half an answer");
        vx_import_mesh_free(mesh);
    }
done:
    (void)fclose(in);
    return status;
}

/* Runs the reader to its end, or ends it; VX_OK when it ended well. */
static vx_status run_reader(const char *path, const vx_mesh_limits *limits, int answer_file,
                            vx_error *error)
{
    int ends[2];
    int state = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return vx_fail(error, VX_NO_MEMORY, "%s", strerror(errno));
    }
    (void)fflush(NULL);
    pid_t reader = fork();
    if (reader == 0) {
        read_and_answer(path, limits, answer_file);
    }
    (void)close(ends[1]);
    bool ended = reader > 0 && wait_for_end(ends[0], limits->milliseconds);
    (void)close(ends[0]);
    if (reader < 0) {
        return vx_fail(error, VX_NO_MEMORY, "%s", strerror(errno));
    }
    if (!ended) {
        (void)kill(reader, SIGKILL);
    }
    while (waitpid(reader, &state, 0) < 0 && errno == EINTR) {
    }
    if (!ended) {
        return vx_fail(error, VX_ARGUMENT, "its reader was stopped: %lld ms are up",
                       (long long)limits->milliseconds);
    }
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0) {
        return vx_fail(error, VX_ARGUMENT,
                       "it is malformed, or needs more than %zu MiB: its reader %s %d",
                       limits->bytes >> 20, WIFEXITED(state) ? "exited with" : "got signal",
                       WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state));
    }
    return VX_OK;
}

static bool is_mesh_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; i < sizeof mesh_extensions / sizeof mesh_extensions[0]; i++) {
        if (dot != NULL && strcasecmp(dot + 1, mesh_extensions[i]) == 0) {
            return true;
        }
    }
    return false;
}

vx_status vx_mesh_file_read(const char *path, const vx_mesh_limits *limits, vx_import_mesh *mesh,
                            vx_error *error)
{
    vx_error reason = {.status = VX_OK};
    size_t size;
    vx_status status = vx_file_size(path, VX_FILE_BYTES_MAX, &size, error);
    if (status != VX_OK) {
        return status;
    }
    if (!is_mesh_name(path)) {
        return vx_fail(error, VX_ARGUMENT, "%s: an OBJ, glTF, GLB, STL or PLY file is needed",
                       path);
    }
    vx_mesh_limits usual = vx_mesh_default_limits(size);
    int answer = memfd_create("mesh", MFD_CLOEXEC);
    if (answer < 0) {
        return vx_fail(error, VX_NO_MEMORY, "%s: %s", path, strerror(errno));
    }
    status = run_reader(path, limits != NULL ? limits : &usual, answer, &reason);
    if (status == VX_OK) {
        status = take_answer(answer, mesh, &reason);
    } else {
        (void)close(answer);
    }
    if (status != VX_OK) {
        return vx_fail(error, status, "%s: %s", path, reason.message);
    }
    return VX_OK;
}
