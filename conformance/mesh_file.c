/* SPDX-License-Identifier: MIT */
/* Reading meshes in a process of its own: what a malformed file does to the reader, be it a crash,
 * a hang or a flood of memory, becomes an error here. */
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
#include "mesh_scene.h"
#include "progress.h"

static const char *const mesh_extensions[] = {"obj", "gltf", "glb", "stl", "ply"};

void vx_import_mesh_free(vx_import_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
    *mesh = (vx_import_mesh){0};
}

vx_mesh_limits vx_mesh_default_limits(size_t file_size)
{
    /* A mesh takes up to ten times its file's size, and far less than a second for a MB; the
     * largest answer takes less than a GiB. */
    return (vx_mesh_limits){.milliseconds = 5000 + (int64_t)(file_size >> 10),
                            .bytes = ((size_t)1 << 30) + file_size * 32};
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

/* A file that is being read. */
typedef struct reading {
    const char *path;
    size_t size;
    const vx_mesh_limits *limits;
    vx_mesh_progress *progress; /* bytes read, shared between the processes */
} reading;

/* The answer: this, then the vertices, then the indices. */
typedef struct mesh_answer {
    vx_status status;
    size_t vertex_count;
    size_t triangle_count;
    char message[VX_ERROR_MESSAGE_SIZE];
} mesh_answer;

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

#ifdef VX_COVERAGE
extern void __gcov_dump(void);
#endif

/* Ends the process without what the program has to do at its end; only coverage is not lost. */
static void leave(int status)
{
#ifdef VX_COVERAGE
    __gcov_dump();
#endif
    _exit(status);
}

/* What the reader's process does: never returns. */
static void read_and_answer(const reading *of, int answer_file)
{
    vx_error error = {.status = VX_OK};
    vx_import_mesh mesh = {0};
    confine(of->limits);
    mesh_answer answer = {.status = vx_mesh_scene_read(of->path, of->progress, &mesh, &error)};
    FILE *out = fdopen(answer_file, "w");
    if (out == NULL) {
        leave(1);
    }
    memcpy(answer.message, error.message, sizeof answer.message);
    if (answer.status == VX_OK) {
        answer.vertex_count = mesh.vertex_count;
        answer.triangle_count = mesh.triangle_count;
    }
    (void)fwrite(&answer, sizeof answer, 1, out);
    if (answer.triangle_count >
        0) { /* without any the arrays are NULL, which fwrite must not get */
        (void)fwrite(mesh.vertices, 3 * sizeof(double), answer.vertex_count, out);
        (void)fwrite(mesh.indices, 3 * sizeof(int64_t), answer.triangle_count, out);
    }
    leave(fflush(out) == 0 && !ferror(out) ? 0 : 1);
}

/* --- in the program --------------------------------------------------------------------------- */

/* Waits until the other end of the pipe is closed, which is when the reader has ended, and shows
 * how far it is; false when time is up. */
static bool wait_for_end(const reading *of, int pipe_end)
{
    double until = vx_now() + 1e-3 * (double)of->limits->milliseconds;
    struct pollfd waiting = {.fd = pipe_end, .events = POLLIN};
    vx_progress progress;
    int found = 0;
    vx_progress_begin(&progress, of->size >> 10, true); /* in KiB */
    while (found == 0 && vx_now() < until) {
        found = poll(&waiting, 1, 100);
        found = found < 0 && errno == EINTR ? 0 : found;
        size_t done = atomic_load(&of->progress->bytes);
        vx_progress_set(&progress, (done < of->size ? done : of->size) >> 10, 0);
    }
    vx_progress_end(&progress);
    return found > 0;
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

/* Why the reader did not end well. */
static vx_status describe_end(const reading *of, int state, vx_error *error)
{
    bool exited = WIFEXITED(state);
    return vx_fail(error, VX_ARGUMENT,
                   "it is malformed, or needs more than %zu MiB: its reader %s %d",
                   of->limits->bytes >> 20, exited ? "exited with" : "got signal",
                   exited ? WEXITSTATUS(state) : WTERMSIG(state));
}

/* Runs the reader to its end, or ends it; VX_OK when it ended well. */
static vx_status run_reader(const reading *of, int answer_file, vx_error *error)
{
    int ends[2];
    int state = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return vx_fail(error, VX_NO_MEMORY, "%s", strerror(errno));
    }
    (void)fflush(NULL);
    pid_t reader = fork();
    if (reader == 0) {
        read_and_answer(of, answer_file);
    }
    (void)close(ends[1]);
    bool ended = reader > 0 && wait_for_end(of, ends[0]);
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
                       (long long)of->limits->milliseconds);
    }
    return WIFEXITED(state) && WEXITSTATUS(state) == 0 ? VX_OK : describe_end(of, state, error);
}

bool vx_mesh_is_named(const char *path)
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
    if (!vx_mesh_is_named(path)) {
        return vx_fail(error, VX_ARGUMENT, "%s: an OBJ, glTF, GLB, STL or PLY file is needed",
                       vx_file_label(path));
    }
    vx_mesh_limits usual = vx_mesh_default_limits(size);
    void *shared = mmap(NULL, sizeof(vx_mesh_progress), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int answer = memfd_create("mesh", MFD_CLOEXEC);
    if (answer < 0 || shared == MAP_FAILED) {
        status = vx_fail(&reason, VX_NO_MEMORY, "%s", strerror(errno));
        goto done;
    }
    reading of = {
        .path = path, .size = size, .limits = limits != NULL ? limits : &usual, .progress = shared};
    status = run_reader(&of, answer, &reason);
    if (status == VX_OK) {
        status = take_answer(answer, mesh, &reason);
        answer = -1; /* closed */
    }
done:
    if (answer >= 0) {
        (void)close(answer);
    }
    if (shared != MAP_FAILED) {
        (void)munmap(shared, sizeof(vx_mesh_progress));
    }
    return status == VX_OK ? VX_OK
                           : vx_fail(error, status, "%s: %s", vx_file_label(path), reason.message);
}
