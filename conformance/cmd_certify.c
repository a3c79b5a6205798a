/* SPDX-License-Identifier: MIT */
/* voxcert certify: the vectors against a port, a library or a built-in implementation. */
#include <errno.h>
#include <nettle/sha2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "case.h"
#include "certify.h"
#include "cli.h"
#include "commands.h"
#include "home.h"
#include "implementation.h"
#include "results.h"
#include "select.h"
#include "spec.h"
#include "summary.h"
#include "target.h"
#include "version.h"
#include "words.h"

enum { JOBS_MAX = 256, RESTARTS = 20, RESTARTS_MAX = 1000000, SHARDS_MAX = 1000000 };

#define TIMEOUT_MIN 0.05
#define TIMEOUT_MAX 86400.0
#define MEMORY_MAX (INT64_C(1) << 30) /* in MiB */

/* Set by the signal handler; whoever waits looks at it. */
static volatile sig_atomic_t stop_requested;

/* Everything that the command was told, and what it made of it. */
typedef struct certification {
    const vx_arguments *arguments;
    vx_arguments *resumed; /* the same with those of the run that is resumed; NULL: none is */
    char **words;          /* that these have been taken from */
    size_t word_count;
    vx_certify_options options;
    vx_select_options select;
    const char **filters;     /* of select */
    const char *results_path; /* NULL: none */
    bool resume;
    bool quiet;
    vx_text command; /* of the port that is started; unused with --impl */
    vx_text again;
    vx_text files;  /* for the header */
    vx_text filter; /* for the header */
    vx_case_list vectors;
    vx_selection cases;
    char vectors_digest[VX_SHA256_HEX];
    size_t vector_count; /* generated cases are not vectors */
    vx_results results;
} certification;

/* --- options ------------------------------------------------------------------------------------
 */

static bool parse_shard(certification *job)
{
    const char *text = vx_argument_value(job->arguments, "shard");
    job->select.shard = job->select.shards = 1;
    if (text == NULL) {
        return true;
    }
    char *end;
    errno = 0;
    long shard = strtol(text, &end, 10);
    long shards = *end == '/' ? strtol(end + 1, &end, 10) : 0;
    if (*end != '\0' || errno != 0 || shard < 1 || shard > shards || shards > SHARDS_MAX) {
        (void)vx_complain(VX_EXIT_USAGE,
                          "--shard %s: I/N with 1 <= I <= N <= %d is needed, such as 1/4", text,
                          (int)SHARDS_MAX);
        return false;
    }
    job->select.shard = (size_t)shard;
    job->select.shards = (size_t)shards;
    return true;
}

/* Clauses of SPEC.md that a filter names must exist. */
static bool parse_filters(certification *job)
{
    const char *filter;
    while ((filter = vx_argument_values(job->arguments, "filter", job->select.filter_count)) !=
           NULL) {
        job->filters =
            vx_must_realloc(job->filters, job->select.filter_count + 1, sizeof *job->filters);
        job->filters[job->select.filter_count++] = filter;
    }
    job->select.filters = job->filters;
    vx_spec spec;
    vx_spec_read_own(&spec);
    const char *unknown = vx_filter_unknown(&job->select, &spec);
    if (unknown != NULL) {
        (void)vx_complain(VX_EXIT_USAGE,
                          "--filter %s: no such clause or section in SPEC.md; the nearest clause "
                          "is %s",
                          unknown, vx_spec_nearest(&spec, unknown)->id);
    }
    vx_spec_free(&spec);
    return unknown == NULL;
}

static bool parse_selection(certification *job)
{
    const char *tier = vx_argument_value(job->arguments, "tier");
    job->select.tier = VX_TIER_CI;
    if (tier != NULL && !vx_tier_find(tier, &job->select.tier)) {
        (void)vx_complain(VX_EXIT_USAGE, "--tier %s: smoke, ci or full is needed", tier);
        return false;
    }
    return parse_filters(job) && parse_shard(job);
}

/* How many of --port, --lib and --impl are given; at most one may be. */
static bool parse_target(certification *job)
{
    const char *port = vx_argument_value(job->arguments, "port");
    const char *library = vx_argument_value(job->arguments, "lib");
    const char *implementation = vx_argument_value(job->arguments, "impl");
    int given = (port != NULL) + (library != NULL) + (implementation != NULL);
    if (given > 1) {
        (void)vx_complain(VX_EXIT_USAGE, "only one of --port, --lib and --impl can be certified");
        return false;
    }
    if (port != NULL && port[strspn(port, " \t\n")] == '\0') {
        (void)vx_complain(VX_EXIT_USAGE, "--port: a command is needed, not an empty word");
        return false;
    }
    if (library != NULL && access(library, R_OK) != 0) {
        (void)vx_complain(VX_EXIT_USAGE, "--lib %s: cannot be read: %s", library, strerror(errno));
        return false;
    }
    if (implementation != NULL &&
        vx_implementation_open(vx_chapters[0], implementation, NULL) == NULL) {
        return false;
    }
    return true;
}

static bool parse_limits(certification *job)
{
    int64_t jobs = 1;
    int64_t restarts = RESTARTS;
    int64_t memory = 0;
    job->options.target.timeout = VX_TARGET_TIMEOUT;
    if (!vx_argument_integer(job->arguments, "jobs", 1, JOBS_MAX, &jobs) ||
        !vx_argument_integer(job->arguments, "max-restarts", 0, RESTARTS_MAX, &restarts) ||
        !vx_argument_integer(job->arguments, "memory", 1, MEMORY_MAX, &memory) ||
        !vx_argument_number(job->arguments, "timeout", TIMEOUT_MIN, TIMEOUT_MAX,
                            &job->options.target.timeout)) {
        return false;
    }
    job->options.jobs = (size_t)jobs;
    job->options.restarts = (size_t)restarts;
    job->options.target.memory = (size_t)memory << 20;
    return true;
}

static bool parse_output(certification *job)
{
    const char *results = vx_argument_value(job->arguments, "results");
    const char *resumed = vx_argument_value(job->arguments, "resume");
    if (results != NULL && resumed != NULL) {
        (void)vx_complain(VX_EXIT_USAGE,
                          "--resume goes on with its own file; --results has no place beside it");
        return false;
    }
    job->results_path = resumed != NULL ? resumed : results;
    job->resume = resumed != NULL;
    job->quiet = vx_argument_flag(job->arguments, "quiet");
    job->options.verbose = vx_argument_flag(job->arguments, "verbose");
    job->options.progress = !job->quiet;
    if (job->quiet && job->options.verbose) {
        (void)vx_complain(VX_EXIT_USAGE, "--quiet and --verbose contradict each other");
        return false;
    }
    return true;
}

/* --- going on -----------------------------------------------------------------------------------
 */

/* Whether the run's option is to be taken from the file: it is not given, nor, of a target, another
 * target. */
static bool is_open(const vx_arguments *given, const char *option)
{
    static const char *const targets[] = {"port", "lib", "impl"};
    bool is_target = false;
    bool other = false;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        is_target = is_target || strcmp(option, targets[i]) == 0;
        other = other || vx_argument_flag(given, targets[i]);
    }
    return !vx_argument_flag(given, option) && !(is_target && other);
}

/* The words PROGRAM certify --OPTION VALUE … as arguments, as far as they are not given. False when
 * they are something else. */
static bool add_words(certification *job, const vx_arguments *given)
{
    bool good = job->word_count >= 2 && job->word_count % 2 == 0;
    for (size_t i = 2; good && i < job->word_count; i += 2) {
        const char *option = job->words[i];
        good = strncmp(option, "--", 2) == 0 &&
               (!is_open(given, option + 2) ||
                vx_arguments_add(job->resumed, option + 2, job->words[i + 1]));
    }
    return good;
}

/* With --resume, what is not said about the run is as the file's header says. What is said, and is
 * otherwise, is found out when the two headers are compared. */
static bool take_over(certification *job)
{
    const vx_arguments *given = job->arguments;
    const char *path = vx_argument_value(given, "resume");
    vx_results earlier;
    size_t keep;
    if (path == NULL) {
        return true;
    }
    if (!vx_results_read(&earlier, path, &keep)) {
        return false;
    }
    const vx_results_header *header = &earlier.header;
    vx_text line = {0};
    vx_text_format(&line, "%s --tier %s --shard %s%s%s", header->again, header->tier, header->shard,
                   header->filter[0] != '\0' ? " --filter " : "", header->filter);
    job->words = vx_split_shell_words(line.bytes, &job->word_count);
    job->resumed = vx_arguments_copy(given);
    job->arguments = job->resumed;
    bool good = add_words(job, given);
    if (!good) {
        (void)vx_complain(VX_EXIT_USAGE, "--resume %s: its header does not say how to go on: %s",
                          path, line.bytes);
    }
    vx_text_free(&line);
    vx_results_free(&earlier);
    return good;
}

/* --- the target ---------------------------------------------------------------------------------
 */

/* The port's command: what --port says, or this program serving. */
static void make_command(certification *job)
{
    const char *port = vx_argument_value(job->arguments, "port");
    const char *library = vx_argument_value(job->arguments, "lib");
    job->options.target.implementation = vx_argument_value(job->arguments, "impl");
    job->options.target.is_library = library != NULL;
    if (job->options.target.implementation != NULL) {
        return;
    }
    if (port != NULL) {
        vx_text_add(&job->command, port);
    } else {
        char *program = vx_home_program();
        vx_text_add(&job->command, "exec ");
        vx_add_shell_word(&job->command, program);
        vx_text_add(&job->command, " serve ");
        vx_text_add(&job->command, library != NULL ? "--lib " : "--impl ref");
        if (library != NULL) {
            vx_add_shell_word(&job->command, library);
        }
        free(program);
    }
    job->options.target.command = job->command.bytes;
}

static void add_option(vx_text *text, const char *option, const char *value)
{
    if (value != NULL) {
        vx_text_format(text, " --%s ", option);
        vx_add_shell_word(text, value);
    }
}

/* The option's values as words of a shell with what separates them. */
static void add_values(const certification *job, const char *option, const char *separator,
                       vx_text *text)
{
    const char *value;
    for (size_t i = 0; (value = vx_argument_values(job->arguments, option, i)) != NULL; i++) {
        vx_text_add(text, i > 0 ? separator : "");
        vx_add_shell_word(text, value);
    }
}

/* The command that a failure's report repeats, with the program as it was called. */
static void make_again(certification *job)
{
    static const char *const kept[] = {"port", "lib", "impl", "timeout", "memory"};
    vx_add_shell_word(&job->again, program_invocation_name);
    vx_text_add(&job->again, " certify");
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        add_option(&job->again, kept[i], vx_argument_value(job->arguments, kept[i]));
    }
    add_values(job, "filter", " --filter ", &job->filter);
    add_values(job, "vectors", " ", &job->files);
    if (job->files.size > 0) {
        vx_text_add(&job->again, " --vectors ");
        add_values(job, "vectors", " --vectors ", &job->again);
    }
}

/* --- the cases ----------------------------------------------------------------------------------
 */

/* The results must not take the place of the vectors. */
static bool is_spared(void *context, const char *path)
{
    const certification *job = context;
    return vx_argument_spares(job->arguments, "results", path);
}

static vx_exit read_file(certification *job, const char *path)
{
    if (strcmp(path, "-") != 0 && access(path, R_OK) != 0) {
        return vx_complain(VX_EXIT_USAGE, "--vectors %s: cannot be read: %s", path,
                           strerror(errno));
    }
    if (!vx_case_files_visit(path, is_spared, job)) {
        return VX_EXIT_USAGE;
    }
    return vx_case_list_read(&job->vectors, path, true) ? VX_EXIT_PASS : VX_EXIT_INCOMPLETE;
}

/* Reads the vectors that --vectors names, or the project's own. */
static vx_exit read_vectors(certification *job)
{
    vx_exit status = VX_EXIT_PASS;
    const char *path = vx_argument_value(job->arguments, "vectors");
    if (path == NULL) {
        char *own = vx_home_data("vectors");
        status = own != NULL ? read_file(job, own)
                             : vx_complain(VX_EXIT_INCOMPLETE,
                                           "the vectors are not where the program looks for them; "
                                           "--vectors names them");
        free(own);
    }
    for (size_t i = 0; status == VX_EXIT_PASS &&
                       (path = vx_argument_values(job->arguments, "vectors", i)) != NULL;
         i++) {
        status = read_file(job, path);
    }
    return status;
}

static vx_exit choose_cases(certification *job)
{
    struct sha256_ctx digest;
    sha256_init(&digest);
    job->vectors.digest = &digest;
    vx_exit status = read_vectors(job);
    job->vectors.digest = NULL;
    if (status != VX_EXIT_PASS) {
        return status;
    }
    job->vector_count = job->vectors.count;
    vx_sha256_hex(&digest, job->vectors_digest);
    if (job->select.tier == VX_TIER_FULL) {
        vx_generate(&job->vectors);
    }
    const char *idle = vx_filter_idle(&job->select, &job->vectors);
    if (idle != NULL) {
        return vx_complain(VX_EXIT_INCOMPLETE,
                           "--filter %s: of %zu cases none has such a clause, flag or name: "
                           "nothing was certified",
                           idle, job->vectors.count);
    }
    vx_select(&job->vectors, &job->select, &job->cases);
    if (job->cases.count == 0) {
        return vx_complain(VX_EXIT_INCOMPLETE,
                           "of %zu vectors the filter, the tier and the shard select none: "
                           "nothing was certified",
                           job->vector_count);
    }
    return vx_answer_generated(&job->cases) ? VX_EXIT_PASS : VX_EXIT_INTERNAL;
}

/* --- results ------------------------------------------------------------------------------------
 */

static void make_header(certification *job, const vx_identity *identity)
{
    vx_results_header *header = &job->results.header;
    const char *library = vx_argument_value(job->arguments, "lib");
    char shard[48];
    char started[32];
    time_t now = time(NULL);
    struct tm utc;
    (void)strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    (void)snprintf(shard, sizeof shard, "%zu/%zu", job->select.shard, job->select.shards);
    const char *how = job->options.target.command == NULL ? "implementation"
                      : library != NULL                   ? "library"
                                                          : "port";
    const char *command = job->options.target.command == NULL ? job->options.target.implementation
                          : library != NULL                   ? library
                                                              : vx_text_string(&job->command);
    *header = (vx_results_header){
        .kit = vx_must_strdup(VX_VERSION),
        .how = vx_must_strdup(how),
        .command = vx_must_strdup(command),
        .name = vx_must_strdup(identity->name),
        .version = vx_must_strdup(identity->version),
        .language = vx_must_strdup(identity->language),
        .vectors = vx_must_strdup(job->vectors_digest),
        .tier = vx_must_strdup(vx_tier_name(job->select.tier)),
        .filter = vx_must_strdup(vx_text_string(&job->filter)),
        .shard = vx_must_strdup(shard),
        .started = vx_must_strdup(started),
        .files = vx_must_strdup(vx_text_string(&job->files)),
        .again = vx_must_strdup(vx_text_string(&job->again)),
        .vector_count = job->vector_count,
        .case_count = job->cases.count,
    };
}

/* Moves what an earlier run judged into this one's records. Both are about the same selection, in
 * about the same order. */
static void adopt(vx_results *results, vx_results *earlier)
{
    for (size_t i = 0; i < earlier->count; i++) {
        vx_record *found = &earlier->records[i];
        size_t k = found->verdict != VX_NOT_RUN ? 0 : results->count;
        for (; k < results->count; k++) {
            vx_record *record = &results->records[(i + k) % results->count];
            if (strcmp(record->name, found->name) == 0) {
                found->item = record->item;
                vx_record_free(record);
                *record = *found;
                *found = (vx_record){0};
                break;
            }
        }
    }
    results->seconds = earlier->seconds;
}

/* Opens the file that the run goes on with, and takes over what it holds. */
static bool resume(certification *job, vx_results_file *file)
{
    vx_results earlier;
    size_t keep;
    if (!vx_results_read(&earlier, job->results_path, &keep)) {
        return false;
    }
    const char *member = vx_results_header_difference(&job->results.header, &earlier.header);
    bool good = member == NULL;
    if (good) {
        adopt(&job->results, &earlier);
        good = vx_results_reopen(file, job->results_path, keep);
    } else {
        vx_text values = {0};
        vx_results_header_show(&earlier.header, member, &values);
        vx_text_add(&values, ", here it is ");
        vx_results_header_show(&job->results.header, member, &values);
        (void)vx_complain(VX_EXIT_USAGE,
                          "--resume %s: it is about another run: \"%s\" in its header is %s",
                          job->results_path, member, values.bytes);
        vx_text_free(&values);
    }
    vx_results_free(&earlier);
    return good;
}

static bool open_results(certification *job, vx_results_file *file)
{
    return job->resume ? resume(job, file)
                       : vx_results_create(file, job->results_path, &job->results.header);
}

static void report(const certification *job)
{
    vx_text text = {0};
    if (job->quiet) {
        vx_summary_verdict(&job->results, job->results_path, &text);
    } else {
        vx_summary_write(&job->results, job->results_path, &text);
    }
    (void)fputs(vx_text_string(&text), stdout);
    vx_text_free(&text);
}

/* --- the run ------------------------------------------------------------------------------------
 */

static void request_stop(int signal)
{
    (void)signal;
    stop_requested = 1;
}

/* The first interrupt ends the run in good order, the second one at once. A results file that is a
 * pipe must not end it either. */
static void catch_interrupts(certification *job)
{
    struct sigaction action = {.sa_handler = request_stop, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    /* The terminal is gone, unless nohup says that it does not matter. */
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) {
        (void)sigaction(SIGHUP, &action, NULL);
    }
    (void)signal(SIGPIPE, SIG_IGN);
    job->options.target.stop = &stop_requested;
}

/* Judges the cases with a target that has been started. */
static vx_exit judge(certification *job, vx_target *target)
{
    vx_results_file file = {0};
    make_header(job, &target->identity);
    vx_certify_prepare(&job->cases, &job->results);
    if (job->results_path != NULL && !open_results(job, &file)) {
        return VX_EXIT_USAGE;
    }
    bool written = vx_certify(&job->options, target, &job->cases, &job->results,
                              file.file != NULL ? &file : NULL);
    if (file.file != NULL) {
        written = vx_results_finish(&file, &job->results) && written;
    }
    report(job);
    return written ? vx_results_exit(&job->results) : VX_EXIT_INTERNAL;
}

static vx_exit start_and_judge(certification *job)
{
    vx_target target;
    vx_text why = {0};
    vx_exit status;
    vx_target_init(&target, &job->options.target);
    if (vx_target_start(&target, &why)) {
        status = judge(job, &target);
    } else if (stop_requested != 0) {
        status = vx_complain(VX_EXIT_INCOMPLETE, "interrupted before the %s had started",
                             vx_target_noun(&job->options.target));
    } else {
        status = vx_complain(VX_EXIT_NO_PORT, "the %s cannot be certified: %s",
                             vx_target_noun(&job->options.target), vx_text_string(&why));
    }
    vx_text_free(&why);
    vx_target_free(&target);
    return status;
}

static vx_exit run(const vx_arguments *arguments)
{
    certification job = {.arguments = arguments};
    vx_exit status = VX_EXIT_USAGE;
    if (parse_output(&job) && take_over(&job) && parse_target(&job) && parse_selection(&job) &&
        parse_limits(&job)) {
        make_command(&job);
        make_again(&job);
        catch_interrupts(&job);
        status = choose_cases(&job);
        if (status == VX_EXIT_PASS) {
            status = start_and_judge(&job);
        }
    }
    vx_arguments_free(job.resumed);
    for (size_t i = 0; i < job.word_count; i++) {
        free(job.words[i]);
    }
    free(job.words);
    vx_results_free(&job.results);
    free(job.cases.items);
    free(job.filters);
    vx_case_list_free(&job.vectors);
    vx_text_free(&job.again);
    vx_text_free(&job.files);
    vx_text_free(&job.filter);
    vx_text_free(&job.command);
    return status;
}

static const vx_option options[] = {
    {"port", "COMMAND", "certify the port that this shell command starts"},
    {"lib", "FILE", "certify the implementation in this shared library"},
    {"impl", "NAME", "certify a built-in implementation inside this process"},
    {"vectors", "PATH", "a file or directory of vectors; repeatable (the project's own)"},
    {"filter", "WORD", "only cases of this clause, section, flag or name, see above; repeatable"},
    {"tier", "TIER", "smoke: two cases a clause; ci (default): all; full: generated ones too"},
    {"shard", "I/N", "only the I-th of N parts of the cases"},
    {"jobs", "N", "run N ports at a time (1)"},
    {"results", "FILE", "keep every result in this file (JSON Lines)"},
    {"resume", "FILE", "go on with the run that left this file; what is not given is as there"},
    {"timeout", "SECONDS", "least time for an answer (2); 15 times that for the start"},
    {"max-restarts", "N",
     "how often a port or library that fell out of step is started again (20)"},
    {"memory", "MIB", "address space that a port or library may use (no limit)"},
    {"quiet", NULL, "print the last line only"},
    {"verbose", NULL, "print a line for each case"},
};

static const char *const repeatable[] = {"vectors", "filter", NULL};

const vx_command vx_command_certify = {
    .name = "certify",
    .operands = "",
    .summary = "run the vectors against an implementation",
    .details =
        "Without --port, --lib and --impl it certifies the built-in reference over the live\n"
        "protocol (docs/PROTOCOL.md). A case passes when its answer is exactly the expected one.\n"
        "WORD of --filter is a clause of SPEC.md (B2.21) or a whole section (B2), in either case;\n"
        "a flag of docs/PROTOCOL.md (fma); a pattern for whole names ('*/walls-*'); or a\n"
        "part of a name. --filter B2 --filter fma runs all cases that one of the two fits.\n"
        "The clauses that the report suspects are ranked by how many of the cases made by hand "
        "that\n"
        "cite them were answered wrong; all cases count when none of those was.\n"
        "docs/RESULTS.md describes the file that --results writes.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .repeatable = repeatable,
    .run = run,
};
