/* SPDX-License-Identifier: MIT */
/* The command line: one table of commands and options serves parsing, help and completion. */
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "file.h"
#include "text.h"
#include "version.h"
#include "watch.h"

typedef struct given_option {
    const vx_option *option;
    const char *value;
} given_option;

struct vx_arguments {
    const vx_command *command;
    given_option *given;
    size_t given_count;
    char **operands;
    size_t operand_count;
};

/* The lines of a message, which may quote a file or an implementation, so that a terminal can show
 * them. */
static void add_lines(vx_text *text, const char *message)
{
    size_t size = strcspn(message, "\n");
    vx_add_printable(text, message, size);
    while (message[size] != '\0') {
        message += size + 1;
        size = strcspn(message, "\n");
        vx_text_add_char(text, '\n');
        vx_add_printable(text, message, size);
    }
}

vx_exit vx_complain(vx_exit status, const char *format, ...)
{
    char *message = NULL;
    vx_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&message, format, arguments) >= 0) {
        add_lines(&text, message);
        free(message);
    }
    va_end(arguments);
    (void)fflush(stdout);
    (void)fprintf(stderr, "voxcert: %s\n", vx_text_string(&text));
    vx_text_free(&text);
    return status;
}

static void print_command_help(const vx_command *command)
{
    printf("voxcert %s%s%s%s: %s\n", command->name, command->option_count > 0 ? " [OPTIONS]" : "",
           command->operands[0] != '\0' ? " " : "", command->operands, command->summary);
    if (command->details != NULL) {
        printf("\n%s", command->details);
    }
    printf("\nOptions:\n");
    for (size_t i = 0; i < command->option_count; i++) {
        const vx_option *option = &command->options[i];
        char left[64];
        (void)snprintf(left, sizeof left, "--%s%s%s", option->name,
                       option->argument != NULL ? " " : "",
                       option->argument != NULL ? option->argument : "");
        printf("  %-24s %s\n", left, option->help);
    }
    printf("  %-24s %s\n", "-h, --help", "show this help");
}

static void print_help(const vx_command *const *commands, size_t count)
{
    printf("voxcert: certifies implementations of deterministic voxel pipelines\n\n"
           "Usage: voxcert COMMAND [OPTIONS] …\n\nCommands:\n");
    for (size_t i = 0; i < count; i++) {
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
    printf(
        "\n`voxcert COMMAND --help` and `voxcert help COMMAND` show a command's options,\n"
        "`voxcert --version` the version. Exit statuses: 0 passed, 1 not\n"
        "conformant, 2 usage, 3 the port did not start, 4 incomplete, 5 the kit itself failed.\n");
}

/* For getopt_long: option i of the command has the value i + 1; --help comes last. */
static struct option *long_options(const vx_command *command)
{
    struct option *options = vx_must_alloc(command->option_count + 2, sizeof *options);
    for (size_t i = 0; i < command->option_count; i++) {
        options[i] = (struct option){
            .name = command->options[i].name,
            .has_arg = command->options[i].argument != NULL ? required_argument : no_argument,
            .val = (int)i + 1};
    }
    options[command->option_count] =
        (struct option){.name = "help", .val = (int)command->option_count + 1};
    return options;
}

/* What getopt_long refused. Of a short one, optind may not have moved on. */
static void complain_option(const vx_command *command, int found, char **argv)
{
    char letter[] = {'-', (char)optopt, '\0'};
    bool is_short = found == '?' && optopt >= ' ';
    (void)vx_complain(VX_EXIT_USAGE, "%s: %s %s; see `voxcert %s --help`", command->name,
                      found == '?' ? "no such option, or not one word:"
                                   : "a value is missing after",
                      is_short ? letter : argv[optind - 1], command->name);
}

static bool is_repeatable(const vx_command *command, const char *name)
{
    const char *const *other = command->repeatable;
    while (other != NULL && *other != NULL && strcmp(*other, name) != 0) {
        other++;
    }
    return other != NULL && *other != NULL;
}

/* Notes the option. False, having complained, when it is there already and may not be repeated. */
static bool note_option(const vx_command *command, vx_arguments *arguments, const vx_option *option,
                        const char *value)
{
    if (vx_argument_flag(arguments, option->name) && !is_repeatable(command, option->name)) {
        const char *first = vx_argument_value(arguments, option->name);
        (void)vx_complain(VX_EXIT_USAGE, "%s: --%s is given twice%s%s%s%s; see `voxcert %s --help`",
                          command->name, option->name, first != NULL ? ", as " : "",
                          first != NULL ? first : "", first != NULL ? " and " : "",
                          first != NULL ? value : "", command->name);
        return false;
    }
    arguments->given[arguments->given_count++] = (given_option){option, value};
    return true;
}

static vx_exit run_command(const vx_command *command, int argc, char **argv)
{
    struct option *options = long_options(command);
    vx_arguments arguments = {.command = command,
                              .given = vx_must_alloc((size_t)argc, sizeof(given_option))};
    vx_exit status = VX_EXIT_USAGE;
    opterr = 0;
    optind = 0; /* starts afresh, when several command lines are read in one process */
    for (;;) {
        int found = getopt_long(argc, argv, ":h", options, NULL);
        if (found == -1) {
            break;
        }
        if (found == '?' || found == ':') {
            complain_option(command, found, argv);
            goto done;
        }
        if (found == 'h' || (size_t)found == command->option_count + 1) {
            print_command_help(command);
            status = VX_EXIT_PASS;
            goto done;
        }
        if (!note_option(command, &arguments, &command->options[found - 1], optarg)) {
            goto done;
        }
    }
    arguments.operands = argv + optind;
    arguments.operand_count = (size_t)(argc - optind);
    if (arguments.operand_count < command->operands_min ||
        arguments.operand_count > command->operands_max) {
        (void)vx_complain(
            VX_EXIT_USAGE, "%s: takes %s, but %zu operand%s given; see `voxcert %s --help`",
            command->name, command->operands[0] != '\0' ? command->operands : "no operand",
            arguments.operand_count, arguments.operand_count == 1 ? " was" : "s were",
            command->name);
        goto done;
    }
    status = command->run(&arguments);
    vx_watch_over();
done:
    free(arguments.given);
    free(options);
    return status;
}

/* Complains and returns NULL when there is none of that name. */
static const vx_command *find_command(const vx_command *const *commands, size_t count,
                                      const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, commands[i]->name) == 0) {
            return commands[i];
        }
    }
    (void)vx_complain(VX_EXIT_USAGE, "no such command: %s; see `voxcert --help`", name);
    return NULL;
}

/* help, or help COMMAND. */
static vx_exit help(const vx_command *const *commands, size_t count, int argc, char **argv)
{
    if (argc > 3) {
        return vx_complain(VX_EXIT_USAGE, "help: takes one command; see `voxcert --help`");
    }
    if (argc < 3) {
        print_help(commands, count);
        return VX_EXIT_PASS;
    }
    const vx_command *command = find_command(commands, count, argv[2]);
    if (command == NULL) {
        return VX_EXIT_USAGE;
    }
    print_command_help(command);
    return VX_EXIT_PASS;
}

static vx_exit choose_command(const vx_command *const *commands, size_t count, int argc,
                              char **argv)
{
    if (argc < 2) {
        print_help(commands, count);
        return VX_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(commands, count);
        return VX_EXIT_PASS;
    }
    if (strcmp(argv[1], "help") == 0) {
        return help(commands, count, argc, argv);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("voxcert %s\n", VX_VERSION);
        return VX_EXIT_PASS;
    }
    const vx_command *command = find_command(commands, count, argv[1]);
    return command != NULL ? run_command(command, argc - 1, argv + 1) : VX_EXIT_USAGE;
}

vx_exit vx_cli_main(const vx_command *const *commands, size_t count, int argc, char **argv)
{
    vx_exit status = choose_command(commands, count, argc, argv);
    /* A full disk must not pass for success. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return vx_complain(VX_EXIT_INTERNAL, "standard output: %s", strerror(errno));
    }
    return status;
}

const char *vx_argument_values(const vx_arguments *arguments, const char *option, size_t index)
{
    for (size_t i = 0; i < arguments->given_count; i++) {
        if (strcmp(arguments->given[i].option->name, option) == 0 && index-- == 0) {
            return arguments->given[i].value;
        }
    }
    return NULL;
}

const char *vx_argument_value(const vx_arguments *arguments, const char *option)
{
    return vx_argument_values(arguments, option, 0);
}

bool vx_argument_flag(const vx_arguments *arguments, const char *option)
{
    for (size_t i = 0; i < arguments->given_count; i++) {
        if (strcmp(arguments->given[i].option->name, option) == 0) {
            return true;
        }
    }
    return false;
}

vx_arguments *vx_arguments_copy(const vx_arguments *arguments)
{
    vx_arguments *copy = vx_must_alloc(1, sizeof *copy);
    *copy = *arguments;
    copy->given = vx_must_alloc(arguments->given_count, sizeof *copy->given);
    for (size_t i = 0; i < arguments->given_count; i++) {
        copy->given[i] = arguments->given[i];
    }
    return copy;
}

bool vx_arguments_add(vx_arguments *arguments, const char *option, const char *value)
{
    const vx_option *options = arguments->command->options;
    for (size_t i = 0; i < arguments->command->option_count; i++) {
        if (strcmp(options[i].name, option) == 0 && options[i].argument != NULL) {
            arguments->given = vx_must_realloc(arguments->given, arguments->given_count + 1,
                                               sizeof *arguments->given);
            arguments->given[arguments->given_count++] = (given_option){&options[i], value};
            return true;
        }
    }
    return false;
}

void vx_arguments_free(vx_arguments *arguments)
{
    if (arguments != NULL) {
        free(arguments->given);
        free(arguments);
    }
}

size_t vx_operand_count(const vx_arguments *arguments)
{
    return arguments->operand_count;
}

const char *vx_operand(const vx_arguments *arguments, size_t index)
{
    return index < arguments->operand_count ? arguments->operands[index] : NULL;
}

bool vx_argument_integer(const vx_arguments *arguments, const char *option, int64_t min,
                         int64_t max, int64_t *value)
{
    const char *text = vx_argument_value(arguments, option);
    if (text == NULL) {
        return true;
    }
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number < min || number > max) {
        (void)vx_complain(VX_EXIT_USAGE, "--%s %s: a whole number from %lld to %lld is needed",
                          option, text, (long long)min, (long long)max);
        return false;
    }
    *value = number;
    return true;
}

bool vx_argument_number(const vx_arguments *arguments, const char *option, double min, double max,
                        double *value)
{
    const char *text = vx_argument_value(arguments, option);
    if (text == NULL) {
        return true;
    }
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !(number >= min && number <= max)) {
        (void)vx_complain(VX_EXIT_USAGE, "--%s %s: a number from %.17g to %.17g is needed", option,
                          text, min, max);
        return false;
    }
    *value = number;
    return true;
}

bool vx_argument_spares(const vx_arguments *arguments, const char *option, const char *input)
{
    const char *output = vx_argument_value(arguments, option);
    if (output == NULL || !vx_file_same(output, input)) {
        return true;
    }
    (void)vx_complain(VX_EXIT_USAGE, "--%s %s: that is what is read; another file is needed",
                      option, output);
    return false;
}
