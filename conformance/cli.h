/* SPDX-License-Identifier: MIT */
/* Commands and options from one table: parsing, --help, shell completion and the man page. */
#ifndef VX_CLI_H
#define VX_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exit.h"

typedef struct vx_option {
    const char *name;     /* long name without the dashes */
    const char *argument; /* what its value is called in the help; NULL: a flag without a value */
    const char *help;     /* one line, no full stop */
} vx_option;

typedef struct vx_arguments vx_arguments;

typedef struct vx_command {
    const char *name;
    const char *operands; /* "FILE", "[CLAUSE …]"; "" when it takes none */
    const char *summary;  /* one line, no full stop */
    const char *details;  /* further help, whole lines; may be NULL */
    const vx_option *options;
    size_t option_count;
    const char *const *repeatable; /* options that may be repeated, NULL-terminated; NULL: none */
    size_t operands_min, operands_max;
    vx_exit (*run)(const vx_arguments *arguments);
} vx_command;

/* Finds argv[1] in the commands and runs it. Errors go to standard error and give VX_EXIT_USAGE. */
vx_exit vx_cli_main(const vx_command *const *commands, size_t count, int argc, char **argv);

/* Inside a command. A missing option is NULL, or false. values gives the
 * index-th value of an option that may be repeated, NULL past the end; value its first one. */
const char *vx_argument_value(const vx_arguments *arguments, const char *option);
const char *vx_argument_values(const vx_arguments *arguments, const char *option, size_t index);
bool vx_argument_flag(const vx_arguments *arguments, const char *option);
/* Arguments that are made from others: a copy, to be freed, and options that are added to it behind
 * what it has. False when the command has no such option with a value. The value is the caller's.
 */
vx_arguments *vx_arguments_copy(const vx_arguments *arguments);
bool vx_arguments_add(vx_arguments *arguments, const char *option, const char *value);
void vx_arguments_free(vx_arguments *arguments);

size_t vx_operand_count(const vx_arguments *arguments);
const char *vx_operand(const vx_arguments *arguments, size_t index);

/* Reads the option's value as a number in [min, max]; *value keeps its default when it is missing.
 * On a bad value prints the option, the value and the bounds, and returns false. */
bool vx_argument_integer(const vx_arguments *arguments, const char *option, int64_t min,
                         int64_t max, int64_t *value);
bool vx_argument_number(const vx_arguments *arguments, const char *option, double min, double max,
                        double *value);

/* Whether what the option names as output is another file than the input; complains otherwise. */
bool vx_argument_spares(const vx_arguments *arguments, const char *option, const char *input);

/* "voxcert: …" on standard error, with a line end; control characters are escaped, except line
 * ends. Returns status for `return vx_complain(…)`. */
vx_exit vx_complain(vx_exit status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
