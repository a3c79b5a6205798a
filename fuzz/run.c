/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target without a fuzzing engine, for every compiler and machine:
 *   TARGET FILE|DIRECTORY …                                    each file once
 *   TARGET --executions N --seed S FILE|DIRECTORY …            and then N mutations of them
 *   TARGET --costs N FILE|DIRECTORY …                          what each file costs, and no more
 * Prints the executions for each second on a processor, which other programs hardly change. A
 * finding ends the program, with the input in a file beside the case (fuzz/finding.h); so does an
 * execution of more than ten seconds, or as many as VX_FUZZ_SECONDS says (0: no end). */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "fuzz/finding.h"
#include "fuzz/judge.h"
#include "fuzz/mutate.h"
#include "fuzz/target.h"
#include "text.h"

enum { INPUT_MAX = 4096, DRIFTING = 64 };

typedef struct input {
    char *path;
    uint8_t *bytes;
    size_t size;
} input;

static struct {
    input *items;
    size_t count;
} corpus;

/* What is being executed, for the file that a finding leaves. */
static struct {
    const uint8_t *bytes;
    size_t size;
    volatile sig_atomic_t number, seen, is_over;
    uint64_t patience; /* in seconds */
} now;

/* --- the end ------------------------------------------------------------------------------------
 */

static void save_input(void)
{
    if (now.bytes == NULL || now.is_over) {
        return;
    }
    now.is_over = 1;
    vx_text path = {0};
    const vx_bytes found = {now.bytes, now.size};
    if (vx_fuzz_write_finding(found, "", now.bytes, now.size, &path)) {
        (void)fprintf(stderr, "input: %s\n", path.bytes);
    }
}

/* AddressSanitizer and its like end the program without a signal. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void on_signal(int number)
{
    (void)fprintf(stderr, "fuzz: %s: signal %d\n", vx_fuzz_target, number);
    save_input();
    _exit(1);
}

static void on_tick(int number)
{
    (void)number;
    if (now.seen == now.number && now.bytes != NULL) {
        /* What hangs may hold a lock that telling needs: then the next tick ends the program. */
        (void)signal(SIGALRM, SIG_DFL);
        if (vx_fuzz_now.input != NULL) {
            vx_fuzz_report_hang(now.patience, (vx_bytes){now.bytes, now.size});
        } else {
            (void)fprintf(stderr, "fuzz: %s: still running after %" PRIu64 " s\n", vx_fuzz_target,
                          now.patience);
        }
        save_input();
        _exit(1);
    }
    now.seen = now.number;
}

static void watch(void)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction action = {.sa_handler = on_signal};
        (void)sigaction(signals[i], &action, NULL);
    }
    struct sigaction tick = {.sa_handler = on_tick, .sa_flags = SA_RESTART | SA_NODEFER};
    now.patience = vx_fuzz_chosen("VX_FUZZ_SECONDS", 10);
    const time_t seconds = (time_t)now.patience;
    struct itimerval every = {.it_interval = {.tv_sec = seconds}, .it_value = {.tv_sec = seconds}};
    (void)sigaction(SIGALRM, &tick, NULL);
    (void)setitimer(ITIMER_REAL, &every, NULL);
    if (__sanitizer_set_death_callback != NULL) {
        __sanitizer_set_death_callback(save_input);
    }
}

static void execute(const uint8_t *bytes, size_t size)
{
    now.bytes = bytes;
    now.size = size;
    now.number = (now.number + 1) & 0x3fffffff;
    (void)LLVMFuzzerTestOneInput(bytes, size);
    now.bytes = NULL;
}

/* --- the corpus ---------------------------------------------------------------------------------
 */

static bool add_file(const char *path)
{
    vx_text text = {0};
    vx_error error;
    if (vx_file_read(path, (size_t)1 << 20, &text, &error) != VX_OK) {
        (void)fprintf(stderr, "fuzz: %s\n", error.message);
        return false;
    }
    corpus.items = vx_must_realloc(corpus.items, corpus.count + 1, sizeof *corpus.items);
    corpus.items[corpus.count++] = (input){vx_must_strdup(path), (uint8_t *)text.bytes, text.size};
    return true;
}

/* A file, or every file of a directory in the order of the names. */
static bool add_path(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        (void)fprintf(stderr, "fuzz: %s: %s\n", path, strerror(errno));
        return false;
    }
    if (!S_ISDIR(status.st_mode)) {
        return add_file(path);
    }
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    bool good = count >= 0;
    for (int i = 0; i < count; i++) {
        vx_text name = {0};
        vx_text_format(&name, "%s/%s", path, entries[i]->d_name);
        good = good && (entries[i]->d_name[0] == '.' || add_path(name.bytes));
        vx_text_free(&name);
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    return good;
}

static void free_corpus(void)
{
    for (size_t i = 0; i < corpus.count; i++) {
        free(corpus.items[i].path);
        free(corpus.items[i].bytes);
    }
    free(corpus.items);
}

/* --- mutations ----------------------------------------------------------------------------------
 */

/* Inputs that move away from the corpus, one mutation after the other. */
static struct {
    uint8_t bytes[INPUT_MAX];
    size_t size;
} drifting[DRIFTING];

static vx_bytes choose(vx_random *random)
{
    if (corpus.count > 0 && vx_random_chance(random, 1, 2)) {
        size_t i = (size_t)vx_random_integer(random, 0, (int64_t)corpus.count - 1);
        size_t size = corpus.items[i].size;
        return (vx_bytes){corpus.items[i].bytes, size < INPUT_MAX ? size : INPUT_MAX};
    }
    size_t i = (size_t)vx_random_integer(random, 0, DRIFTING - 1);
    return (vx_bytes){drifting[i].bytes, drifting[i].size};
}

/* Text: bytes anew, and pieces of other inputs. */
static size_t mutate_text(uint8_t *bytes, size_t size, vx_random *random)
{
    vx_bytes other = choose(random);
    if (other.size > 0 && vx_random_chance(random, 1, 4)) {
        size_t from = (size_t)vx_random_integer(random, 0, (int64_t)other.size - 1);
        size_t at = (size_t)vx_random_integer(random, 0, (int64_t)size);
        size_t length = (size_t)vx_random_integer(random, 0, (int64_t)(other.size - from));
        length = length < INPUT_MAX - at ? length : INPUT_MAX - at;
        memcpy(bytes + at, other.bytes + from, length);
        size = at + length > size ? at + length : size;
    }
    return vx_fuzz_mutate_by(VX_MUTATE_BYTES, bytes, size, INPUT_MAX, 0, random);
}

static size_t mutate(uint8_t *bytes, vx_random *random)
{
    vx_bytes from = choose(random);
    if (vx_fuzz_ops == 0) {
        memcpy(bytes, from.bytes, from.size);
        return mutate_text(bytes, from.size, random);
    }
    if (vx_random_chance(random, 1, 8)) {
        vx_bytes other = choose(random);
        return vx_fuzz_splice(from, other, bytes, INPUT_MAX, vx_fuzz_ops, random);
    }
    memcpy(bytes, from.bytes, from.size);
    return vx_fuzz_mutate(bytes, from.size, INPUT_MAX, vx_fuzz_ops, random);
}

static void run_mutations(uint64_t count, uint64_t seed)
{
    static uint8_t bytes[INPUT_MAX];
    vx_random random = vx_random_start(vx_fuzz_target, seed);
    for (uint64_t i = 0; i < count; i++) {
        size_t size = mutate(bytes, &random);
        /* A buffer of its own size, so that a byte too many is seen. */
        uint8_t *exact = vx_must_alloc(size > 0 ? size : 1, 1);
        memcpy(exact, bytes, size);
        execute(exact, size);
        free(exact);
        size_t slot = (size_t)vx_random_integer(&random, 0, DRIFTING - 1);
        memcpy(drifting[slot].bytes, bytes, size);
        drifting[slot].size = size;
    }
}

/* --- the command --------------------------------------------------------------------------------
 */

static int usage(void)
{
    (void)fprintf(stderr, "usage: %s [--executions N] [--seed S] [--costs N] [FILE|DIRECTORY …]\n",
                  vx_fuzz_target);
    return 2;
}

/* Of the whole process, on all processors. */
static double processor_seconds(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The least that one of so many executions took, in microseconds of a processor, and the path. */
static void tell_costs(uint64_t executions)
{
    for (size_t i = 0; i < corpus.count; i++) {
        double least = (double)INFINITY;
        for (uint64_t k = 0; k < executions; k++) {
            double start = processor_seconds();
            execute(corpus.items[i].bytes, corpus.items[i].size);
            least = fmin(least, processor_seconds() - start);
        }
        printf("%.1f %s\n", 1e6 * least, corpus.items[i].path);
    }
}

static void tell(uint64_t mutations, double seconds)
{
    const vx_fuzz_counts *done = &vx_fuzz_done;
    double rate = (double)(corpus.count + mutations) / (seconds > 0 ? seconds : 1);
    printf("%s: %zu files, %" PRIu64
           " mutations, %.1f s, %.0f executions a second on a processor\n",
           vx_fuzz_target, corpus.count, mutations, seconds, rate);
    if (done->cases > 0) {
        printf("%s: %" PRIu64 " comparisons, %" PRIu64 " with a legal grid; %" PRIu64
               " steps, of which %" PRIu64 " succeeded\n",
               vx_fuzz_target, done->cases, done->grids, done->steps, done->good);
        printf("%s: %" PRIu64 " cases asked of the replay, %" PRIu64
               " judged exactly, of which %" PRIu64 " in part\n",
               vx_fuzz_target, done->replayed, done->exact, done->too_large);
    }
}

int main(int count, char **arguments)
{
    uint64_t executions = 0;
    uint64_t seed = 1;
    uint64_t costs = 0;
    for (int i = 1; i < count; i++) {
        uint64_t *number = strcmp(arguments[i], "--executions") == 0 ? &executions
                           : strcmp(arguments[i], "--seed") == 0     ? &seed
                           : strcmp(arguments[i], "--costs") == 0    ? &costs
                                                                     : NULL;
        bool is_path = number == NULL && arguments[i][0] != '-';
        if (is_path
                ? !add_path(arguments[i])
                : number == NULL || ++i == count || !vx_fuzz_read_number(arguments[i], number)) {
            return usage();
        }
    }
    watch();
    double start = processor_seconds();
    if (costs > 0) {
        tell_costs(costs);
    } else {
        for (size_t i = 0; i < corpus.count; i++) {
            execute(corpus.items[i].bytes, corpus.items[i].size);
        }
        run_mutations(executions, seed);
        tell(executions, processor_seconds() - start);
    }
    free_corpus();
    if (fflush(stdout) != 0) {
        (void)fprintf(stderr, "fuzz: standard output: %s\n", strerror(errno));
        return 1;
    }
    return 0;
}
