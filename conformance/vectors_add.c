/* SPDX-License-Identifier: MIT */
/* voxcert vectors add: makes vectors of cases that something found, such as a fuzzer. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "generate.h"
#include "home.h"
#include "reference.h"
#include "spec.h"
#include "vectors.h"

/* What is to be added, and to which file. */
typedef struct adder {
    const vx_arguments *arguments;
    const char *source;
    const char *directory;
    vx_lock lock;
    vx_spec spec;
    vx_arena arena;
    vx_text path, before, after;
} adder;

static vx_exit say(const adder *add, const vx_case *item, const char *what)
{
    return vx_complain(VX_EXIT_USAGE, "vectors add: %s:%zu: %s", add->source, item->line, what);
}

static void replace(char **string, const char *value)
{
    char *copy = vx_must_strdup(value);
    free(*string);
    *string = copy;
}

/* The published name of the same question; NULL when there is none. */
static const char *find_question(const adder *add, const char *digest)
{
    const char *name;
    json_t *locked;
    json_object_foreach(add->lock.names, name, locked)
    {
        if (strcmp(json_string_value(locked), digest) == 0) {
            return name;
        }
    }
    return NULL;
}

/* The clauses that the command names, for a case that has none. */
static vx_exit cite(const adder *add, vx_case *item)
{
    size_t count = 0;
    for (const char *id; (id = vx_argument_values(add->arguments, "clause", count)) != NULL;) {
        if (vx_spec_find(&add->spec, id) == NULL) {
            return vx_complain(VX_EXIT_USAGE,
                               "vectors add: --clause %s: SPEC.md has none of that id", id);
        }
        count++;
    }
    if (item->clause_count > 0) {
        return VX_EXIT_PASS;
    }
    if (count == 0) {
        return say(add, item, "the case cites no clause; --clause ID is needed");
    }
    item->clauses = vx_must_realloc(item->clauses, count, sizeof *item->clauses);
    for (size_t i = 0; i < count; i++) {
        item->clauses[item->clause_count++] =
            vx_must_strdup(vx_argument_values(add->arguments, "clause", i));
    }
    return VX_EXIT_PASS;
}

/* Gives the case all that a vector has, and appends it to the text of the file. */
static vx_exit add_case(adder *add, const char *topic, vx_case *item)
{
    char digest[VX_LOCK_DIGEST];
    vx_lock_digest(item, digest);
    const char *same = find_question(add, digest);
    if (same != NULL) {
        return vx_complain(VX_EXIT_USAGE, "vectors add: %s:%zu: %s asks the same", add->source,
                           item->line, same);
    }
    const char *note = vx_argument_value(add->arguments, "note");
    if (note != NULL || item->note[0] == '\0') {
        replace(&item->note, note != NULL ? note : "A case that a fuzzer found.");
    }
    vx_text name = {0};
    vx_text_format(&name, "%s/%s/%s", item->chapter->name, topic, digest);
    replace(&item->name, name.bytes);
    vx_text_free(&name);
    vx_exit status = cite(add, item);
    if (status == VX_EXIT_PASS && !item->has_expect && !vx_answer_case(item, &add->arena)) {
        status = VX_EXIT_INTERNAL;
    }
    if (status == VX_EXIT_PASS) {
        vx_shorten_answer(item);
        vx_case_write(item, &add->after);
        vx_text_add_char(&add->after, '\n');
        (void)json_object_set_new(add->lock.names, item->name, json_string(digest));
    }
    return status;
}

/* Writes the file with what was added, and locks the names; without the lock nothing stays. */
static vx_exit publish(const adder *add, bool is_new)
{
    vx_error error;
    if (vx_file_write(add->path.bytes, add->after.bytes, add->after.size, &error) != VX_OK) {
        return vx_complain(VX_EXIT_USAGE, "%s", error.message);
    }
    vx_exit status = vx_vectors_lock_directory(add->directory);
    if (status != VX_EXIT_PASS && is_new) {
        (void)unlink(add->path.bytes);
    } else if (status != VX_EXIT_PASS &&
               vx_file_write(add->path.bytes, vx_text_string(&add->before), add->before.size,
                             &error) != VX_OK) {
        (void)vx_complain(VX_EXIT_USAGE, "%s", error.message);
    }
    return status;
}

static vx_exit add_all(adder *add, const char *topic)
{
    vx_case_list list = {0};
    vx_error error;
    vx_exit status = VX_EXIT_USAGE;
    if (!vx_case_list_read(&list, add->source, false)) {
        goto done;
    }
    if (list.count == 0) {
        (void)vx_complain(status, "vectors add: %s: there is no case in it", add->source);
        goto done;
    }
    vx_text_format(&add->path, "%s/%s/%s.jsonl", add->directory, list.items[0].chapter->name,
                   topic);
    bool is_new = access(add->path.bytes, F_OK) != 0;
    if (!is_new &&
        vx_file_read(add->path.bytes, VX_FILE_BYTES_MAX, &add->before, &error) != VX_OK) {
        (void)vx_complain(status, "%s", error.message);
        goto done;
    }
    vx_text_add_bytes(&add->after, vx_text_string(&add->before), add->before.size);
    status = VX_EXIT_PASS;
    for (size_t i = 0; i < list.count && status == VX_EXIT_PASS; i++) {
        status = add_case(add, topic, &list.items[i]);
    }
    if (status == VX_EXIT_PASS) {
        status = publish(add, is_new);
    }
    for (size_t i = 0; i < list.count && status == VX_EXIT_PASS; i++) {
        printf("%s\n", list.items[i].name);
    }
done:
    vx_case_list_free(&list);
    return status;
}

static bool is_topic(const char *topic)
{
    return topic[0] != '\0' && topic[0] != '-' &&
           strspn(topic, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(topic);
}

vx_exit vx_vectors_add(const vx_arguments *arguments)
{
    size_t count = vx_operand_count(arguments);
    const char *topic = vx_argument_value(arguments, "topic");
    topic = topic != NULL ? topic : "found";
    if (count < 2 || count > 3) {
        return vx_complain(VX_EXIT_USAGE, "vectors add: FILE [DIR] is needed");
    }
    const char *note = vx_argument_value(arguments, "note");
    if (note != NULL && note[strspn(note, " \t\n")] == '\0') {
        return vx_complain(VX_EXIT_USAGE, "--note: it is empty; a vector says what it shows");
    }
    if (!is_topic(topic)) {
        return vx_complain(VX_EXIT_USAGE, "--topic %s: small letters, digits and - are needed",
                           topic);
    }
    char *own = count == 2 ? vx_home_data("vectors") : vx_must_strdup(vx_operand(arguments, 2));
    adder add = {.arguments = arguments, .source = vx_operand(arguments, 1), .directory = own};
    vx_exit status = VX_EXIT_USAGE;
    vx_reference_arena(&add.arena);
    vx_spec_read_own(&add.spec);
    if (own == NULL || !vx_is_directory(own)) {
        (void)vx_complain(status, "vectors add: %s: a directory of vectors is needed",
                          own != NULL ? own : "the project's vectors are not there");
    } else if (vx_lock_read(own, &add.lock)) {
        status = add_all(&add, topic);
        vx_lock_free(&add.lock);
    }
    vx_spec_free(&add.spec);
    vx_arena_free(&add.arena);
    vx_text_free(&add.path);
    vx_text_free(&add.before);
    vx_text_free(&add.after);
    free(own);
    return status;
}
