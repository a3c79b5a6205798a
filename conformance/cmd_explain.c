/* SPDX-License-Identifier: MIT */
/* voxcert explain: what SPEC.md says, and which vectors show it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "case.h"
#include "commands.h"
#include "home.h"
#include "spec.h"
#include "suspects.h"
#include "text.h"
#include "words.h"

enum { PAGE_WIDTH = 88, NAMES_SHOWN = 12 };

/* Prints the words of size bytes in lines of at most PAGE_WIDTH characters, each behind prefix. */
static void print_wrapped(const char *prefix, const char *bytes, size_t size)
{
    vx_text text = {0};
    vx_add_wrapped(&text, prefix, bytes, size, PAGE_WIDTH);
    (void)fputs(vx_text_string(&text), stdout);
    vx_text_free(&text);
}

/* Notes keep their line ends, because drawings and examples stand among them. */
static void print_notes(const char *notes)
{
    bool drawing = false;
    while (*notes != '\0') {
        size_t size = strcspn(notes, "\n");
        if (strncmp(notes, "```", 3) == 0) {
            drawing = !drawing;
        } else if (drawing) {
            printf("  | %.*s\n", (int)size, notes);
        } else if (size > 0) {
            print_wrapped("  | ", notes, size);
        }
        notes += size + 1;
    }
}

static bool cites(const vx_case *item, const char *id)
{
    for (size_t i = 0; i < item->clause_count; i++) {
        if (strcmp(item->clauses[i], id) == 0) {
            return true;
        }
    }
    return false;
}

/* As many whole words of the text as fit in that many characters, and a mark where it is cut. */
static void print_start(const char *text, size_t width)
{
    size_t size = strlen(text);
    size_t fits = 0;
    size_t end = 0;
    for (; fits < size && vx_character_count(text, fits + 1) <= width; fits++) {
        end = text[fits] == ' ' ? fits : end;
    }
    printf("%.*s%s\n", (int)(fits < size ? end : size), text, fits < size ? " …" : "");
}

/* A vector's name and the start of its note. */
static void print_vector(const vx_case *item)
{
    enum { INDENT = 4, GAP = 2, NOTE_MIN = 20 };
    size_t used = INDENT + strlen(item->name) + GAP;
    printf("    %s", item->name);
    if (item->note[0] != '\0' && used + NOTE_MIN <= PAGE_WIDTH) {
        printf("  ");
        print_start(item->note, PAGE_WIDTH - used);
    } else {
        printf("\n");
    }
}

/* At most that many of the generated vectors, or of those that were written by hand; how many. */
static size_t print_names(const vx_case_list *vectors, const char *id, bool generated, size_t most)
{
    size_t shown = 0;
    for (size_t i = 0; i < vectors->count && shown < most; i++) {
        const vx_case *item = &vectors->items[i];
        if (cites(item, id) && vx_is_generated_name(item->name) == generated) {
            print_vector(item);
            shown++;
        }
    }
    return shown;
}

static void print_vectors(const vx_case_list *vectors, const char *id, bool all)
{
    size_t count = 0;
    size_t handmade = 0;
    for (size_t i = 0; i < vectors->count; i++) {
        const vx_case *item = &vectors->items[i];
        bool shows = cites(item, id);
        count += shows ? 1 : 0;
        handmade += shows && !vx_is_generated_name(item->name) ? 1 : 0;
    }
    printf("  Vectors that show it: %zu, of which %zu made by hand\n", count, handmade);
    size_t most = all ? SIZE_MAX : NAMES_SHOWN;
    size_t shown = print_names(vectors, id, false, most);
    shown += print_names(vectors, id, true, most - shown);
    if (shown < count) {
        printf("    … and %zu more (--all shows them)\n", count - shown);
    }
}

static void print_clause(const vx_clause *clause)
{
    printf("%s  %s  (%s)\n", clause->id, clause->ruling ? "ruling" : "clause", clause->section);
    const char *text = clause->ruling ? clause->text + strlen("ruling. ") : clause->text;
    print_wrapped("  ", text, strlen(text));
    print_notes(clause->notes);
}

/* Whether the section's title has the word, in either case of letters; "and" is none. */
static bool has_title_word(const char *section, const char *word)
{
    enum { SHORTEST = 4 };
    size_t size = strlen(word);
    bool found = false;
    for (const char *at = section; size >= SHORTEST && *at != '\0' && !found;) {
        size_t length = strcspn(at, " ,");
        found = length == size && strncasecmp(at, word, size) == 0;
        at += length;
        at += strspn(at, " ,");
    }
    return found;
}

/* Whether the word names the clause, or its section by its id or a word of its title. */
static bool is_meant(const vx_clause *clause, const char *word)
{
    return vx_spec_names(word, clause->id) || has_title_word(clause->section, word);
}

/* The clauses that word names, or all, by section, each with the words that fit its line. */
static void print_list(const vx_spec *spec, const char *word)
{
    enum { WORDS = 70 };
    const char *section = "";
    for (size_t i = 0; i < spec->count; i++) {
        const vx_clause *clause = &spec->clauses[i];
        if (word != NULL && !is_meant(clause, word)) {
            continue;
        }
        if (strcmp(section, clause->section) != 0) {
            printf("%s%s\n", section[0] != '\0' ? "\n" : "", clause->section);
            section = clause->section;
        }
        printf("  %-7s ", clause->id);
        print_start(clause->text, WORDS);
    }
}

/* Whether word is a section's, such as B7 or erosion. */
static bool is_section(const vx_spec *spec, const char *word)
{
    for (size_t i = 0; strchr(word, '.') == NULL && i < spec->count; i++) {
        if (is_meant(&spec->clauses[i], word)) {
            return true;
        }
    }
    return false;
}

/* The clause of that id, in either case of letters; complains otherwise. */
static const vx_clause *find_clause(const vx_spec *spec, const char *word)
{
    char *id = vx_must_strdup(word);
    for (char *next = id; *next != '\0'; next++) {
        *next = (char)toupper((unsigned char)*next);
    }
    const vx_clause *clause = vx_spec_find(spec, id);
    if (clause == NULL && strpbrk(word, "0123456789") == NULL) {
        (void)vx_complain(VX_EXIT_USAGE,
                          "SPEC.md has no clause and no section called %s; `voxcert explain` lists "
                          "them all",
                          word);
    } else if (clause == NULL) {
        (void)vx_complain(VX_EXIT_USAGE, "SPEC.md has no clause %s; the nearest is %s", word,
                          vx_spec_nearest(spec, id)->id);
    }
    free(id);
    return clause;
}

/* The vectors, or none when they are not installed. */
static bool read_vectors(vx_case_list *vectors, bool *found)
{
    char *path = vx_home_data("vectors");
    *found = path != NULL;
    bool good = path == NULL || vx_case_list_read(vectors, path, true);
    free(path);
    return good;
}

static vx_exit explain_clauses(const vx_spec *spec, const vx_arguments *arguments)
{
    size_t count = vx_operand_count(arguments);
    for (size_t i = 0; i < count; i++) {
        const char *word = vx_operand(arguments, i);
        if (!is_section(spec, word) && find_clause(spec, word) == NULL) {
            return VX_EXIT_USAGE;
        }
    }
    vx_case_list vectors = {0};
    bool found;
    bool good = read_vectors(&vectors, &found);
    for (size_t i = 0; good && i < count; i++) {
        const char *word = vx_operand(arguments, i);
        printf("%s", i > 0 ? "\n" : "");
        if (is_section(spec, word)) {
            print_list(spec, word);
            continue;
        }
        const vx_clause *clause = find_clause(spec, word);
        print_clause(clause);
        if (found) {
            print_vectors(&vectors, clause->id, vx_argument_flag(arguments, "all"));
        }
    }
    vx_case_list_free(&vectors);
    return good ? VX_EXIT_PASS : VX_EXIT_INCOMPLETE;
}

static vx_exit run_command(const vx_arguments *arguments)
{
    vx_spec spec;
    vx_spec_read_own(&spec);
    vx_exit status = VX_EXIT_PASS;
    if (vx_operand_count(arguments) == 0) {
        print_list(&spec, NULL);
    } else {
        status = explain_clauses(&spec, arguments);
    }
    vx_spec_free(&spec);
    return status;
}

static const vx_option options[] = {
    {"all", NULL, "name every vector, not only the first twelve"},
};

const vx_command vx_command_explain = {
    .name = "explain",
    .operands = "[CLAUSE …]",
    .summary = "prints clauses of SPEC.md and the vectors that show them",
    .details =
        "Without a clause lists them all, with a section (B8, or a word of its title: erosion)\n"
        "those of it. Lines behind | explain and bind nobody. The vectors are looked for\n"
        "beside the program, or below the directory that VOXCERT_DATA names.\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operands_min = 0,
    .operands_max = SIZE_MAX,
    .run = run_command,
};
