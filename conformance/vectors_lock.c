/* SPDX-License-Identifier: MIT */
/* voxcert vectors lock: makes the names of vectors permanent. */
#include <errno.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "vectors.h"

/* The names of a directory that are new, and how many of the old ones are still there. */
typedef struct locking {
    vx_lock lock;
    size_t found, added, changed;
} locking;

void vx_lock_free(vx_lock *lock)
{
    free(lock->path);
    json_decref(lock->names);
    *lock = (vx_lock){0};
}

void vx_lock_digest(const vx_case *item, char digest[VX_LOCK_DIGEST])
{
    struct sha256_ctx context;
    char hex[VX_SHA256_HEX];
    vx_text question = {0};
    vx_case_write_question(item, &question);
    sha256_init(&context);
    sha256_update(&context, question.size, (const uint8_t *)question.bytes);
    vx_sha256_hex(&context, hex);
    vx_text_free(&question);
    memcpy(digest, hex, VX_LOCK_DIGEST - 1);
    digest[VX_LOCK_DIGEST - 1] = '\0';
}

/* Cuts a line `NAME DIGEST` in two; NULL when it is none. A name may hold spaces. */
static char *cut_line(char *line)
{
    char *digest = strrchr(line, ' ');
    if (digest == NULL || digest == line || strlen(digest + 1) != VX_LOCK_DIGEST - 1 ||
        strspn(digest + 1, "0123456789abcdef") != VX_LOCK_DIGEST - 1) {
        return NULL;
    }
    *digest = '\0';
    return digest + 1;
}

static bool read_lines(vx_lock *lock, char *text)
{
    size_t number = 0;
    for (char *line = text, *end; *line != '\0'; line = end + 1) {
        const char *wrong = NULL;
        number++;
        end = strchr(line, '\n');
        if (end == NULL) {
            wrong = "the last line has no line end: the file may be cut short";
        } else {
            *end = '\0';
            char *digest = cut_line(line);
            if (digest == NULL ||
                json_object_set_new(lock->names, line, json_string(digest)) != 0) {
                wrong = "not a name and 16 hexadecimal digits";
            }
        }
        if (wrong != NULL) {
            (void)vx_complain(VX_EXIT_INCOMPLETE, "%s:%zu: %s", lock->path, number, wrong);
            return false;
        }
    }
    return true;
}

bool vx_lock_read(const char *directory, vx_lock *lock)
{
    vx_text path = {0};
    vx_text text = {0};
    vx_error error;
    vx_text_format(&path, "%s/names.lock", directory);
    *lock = (vx_lock){.path = vx_must_strdup(path.bytes), .names = json_object()};
    vx_text_free(&path);
    bool good = true;
    struct stat there;
    /* A link that leads nowhere and a directory that nobody may search are no missing file. */
    if (lstat(lock->path, &there) == 0 || errno != ENOENT) {
        good = vx_file_read(lock->path, VX_FILE_BYTES_MAX, &text, &error) == VX_OK;
        if (!good) {
            (void)vx_complain(VX_EXIT_USAGE, "%s", error.message);
        }
        good = good && (text.size == 0 || read_lines(lock, text.bytes));
    }
    vx_text_free(&text);
    if (!good) {
        vx_lock_free(lock);
    }
    return good;
}

static void lock_case(locking *job, const vx_case *item)
{
    char digest[VX_LOCK_DIGEST];
    vx_lock_digest(item, digest);
    const char *locked = json_string_value(json_object_get(job->lock.names, item->name));
    if (locked == NULL) {
        (void)json_object_set_new(job->lock.names, item->name, json_string(digest));
        job->added++;
        return;
    }
    job->found++;
    if (strcmp(locked, digest) != 0) {
        job->changed++;
        (void)vx_complain(VX_EXIT_NOT_CONFORMANT,
                          "%s: its question is not the published one; a new question needs a new "
                          "name",
                          item->name);
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool write_lock(const vx_lock *lock)
{
    size_t count = 0;
    const char **names = vx_must_alloc(json_object_size(lock->names), sizeof *names);
    const char *name;
    json_t *digest;
    json_object_foreach(lock->names, name, digest)
    {
        names[count++] = name;
    }
    qsort(names, count, sizeof *names, compare_names);
    vx_text text = {0};
    for (size_t i = 0; i < count; i++) {
        vx_text_format(&text, "%s %s\n", names[i],
                       json_string_value(json_object_get(lock->names, names[i])));
    }
    vx_error error;
    vx_status status = vx_file_write(lock->path, vx_text_string(&text), text.size, &error);
    if (status != VX_OK) {
        (void)vx_complain(VX_EXIT_USAGE, "%s", error.message);
    }
    vx_text_free(&text);
    free(names);
    return status == VX_OK;
}

/* Locks the vectors of a directory: nothing is written when a name is gone or means another
 * question. */
static vx_exit lock_directory(void *context, const char *path)
{
    (void)context;
    if (!vx_is_directory(path)) {
        return vx_complain(VX_EXIT_USAGE,
                           "%s: a directory is needed: its names.lock holds the "
                           "names of all vectors below it",
                           path);
    }
    locking job = {0};
    vx_case_list list = {0};
    vx_exit status = VX_EXIT_INCOMPLETE;
    if (!vx_lock_read(path, &job.lock)) {
        return status;
    }
    size_t locked = json_object_size(job.lock.names);
    if (!vx_case_list_read(&list, path, true)) {
        goto done;
    }
    for (size_t i = 0; i < list.count; i++) {
        lock_case(&job, &list.items[i]);
    }
    if (job.found < locked) {
        (void)vx_complain(VX_EXIT_NOT_CONFORMANT,
                          "%s: %zu published names are gone; `voxcert vectors check` names them",
                          path, locked - job.found);
    }
    status = VX_EXIT_NOT_CONFORMANT;
    if (job.changed == 0 && job.found == locked) {
        status = job.added == 0 || write_lock(&job.lock) ? VX_EXIT_PASS : VX_EXIT_USAGE;
    }
    if (status == VX_EXIT_PASS) {
        printf("%s: %zu %s added to %zu\n", job.lock.path, job.added,
               job.added == 1 ? "name" : "names", locked);
    }
done:
    vx_case_list_free(&list);
    vx_lock_free(&job.lock);
    return status;
}

vx_exit vx_vectors_lock_directory(const char *path)
{
    return lock_directory(NULL, path);
}

vx_exit vx_vectors_lock(const vx_arguments *arguments)
{
    return vx_vectors_each(arguments, lock_directory, NULL);
}
