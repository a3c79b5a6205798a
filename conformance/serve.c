/* SPDX-License-Identifier: MIT */
/* The other side of the protocol (docs/PROTOCOL.md): an implementation in this process as a port.
 */
#include "serve.h"

#include <assert.h>
#include <errno.h>
#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "case.h"
#include "chapter.h"
#include "cli.h"
#include "file.h"
#include "implementation.h"
#include "json.h"
#include "random.h"
#include "reference.h"
#include "version.h"

typedef struct serve_session {
    const vx_serve_options *options;
    const void **tables; /* of each chapter; NULL: not implemented */
    vx_arena arena;
    vx_text line; /* the answer */
    size_t asked; /* cases so far */
    bool done;    /* bye came */
} serve_session;

/* --- what is served -----------------------------------------------------------------------------
 */

static bool open_tables(serve_session *session)
{
    const vx_serve_options *options = session->options;
    bool found = false;
    for (size_t i = 0; i < vx_chapter_count; i++) {
        session->tables[i] =
            vx_implementation_open(vx_chapters[i], options->implementation, options->library);
        found = found || session->tables[i] != NULL;
    }
    return found;
}

/* NULL when the case's chapter is not implemented. */
static const void *table_of(const serve_session *session, const vx_chapter *chapter)
{
    for (size_t i = 0; i < vx_chapter_count; i++) {
        if (vx_chapters[i] == chapter) {
            return session->tables[i];
        }
    }
    return NULL;
}

/* --- hello --------------------------------------------------------------------------------------
 */

/* The number as binary32; the largest one for what lies beyond. */
static double narrow(double number)
{
    return fabs(number) <= (double)FLT_MAX ? (double)(float)number
                                           : copysign((double)FLT_MAX, number);
}

static void add_echo(vx_text *line, json_t *echo, bool lossy)
{
    vx_text_add(line, ",\"echo\":[");
    for (size_t i = 0; i < json_array_size(echo); i++) {
        double number = json_number_value(json_array_get(echo, i));
        vx_text_add(line, i > 0 ? "," : "");
        vx_text_add_json_number(line, lossy ? narrow(number) : number);
    }
    vx_text_add_char(line, ']');
}

static void add_chapters(const serve_session *session, vx_text *line)
{
    const char *comma = "";
    for (size_t i = 0; i < vx_chapter_count; i++) {
        if (session->tables[i] != NULL) {
            vx_text_add(line, comma);
            vx_text_add_json_string(line, vx_chapters[i]->name);
            comma = ",";
        }
    }
}

/* The name in a library's table, behind which its file stands: "mine (libmine.so)". */
static void add_name(const serve_session *session, vx_text *line)
{
    const vx_serve_options *options = session->options;
    vx_text name = {0};
    for (size_t i = 0; i < vx_chapter_count && options->library != NULL && name.size == 0; i++) {
        if (session->tables[i] != NULL) {
            const char *file = strrchr(options->library, '/');
            vx_text_format(&name, "%s (%s)", vx_chapters[i]->table_name(session->tables[i]),
                           file != NULL ? file + 1 : options->library);
        }
    }
    vx_text_add_json_string(line, name.size > 0 ? name.bytes : options->implementation);
    vx_text_free(&name);
}

static void say_hello(serve_session *session, json_t *question, int64_t id)
{
    static const vx_bad honest = {0};
    const vx_serve_options *options = session->options;
    const vx_bad *bad = options->bad != NULL ? options->bad : &honest;
    vx_text *line = &session->line;
    vx_text_format(line, "{\"id\":%lld,\"protocol\":%d,\"name\":", (long long)id,
                   bad->protocol != 0 ? bad->protocol : (int)VX_PROTOCOL);
    add_name(session, line);
    vx_text_add(line, ",\"version\":\"" VX_VERSION "\",\"language\":\"C\",\"chapters\":[");
    if (!bad->chapterless) {
        add_chapters(session, line);
    }
    vx_text_add_char(line, ']');
    add_echo(line, json_object_get(question, "echo"), bad->lossy);
    vx_text_add_char(line, '}');
    if (bad->hello != NULL) {
        bad->hello(options->out, line);
    }
}

/* --- run ----------------------------------------------------------------------------------------
 */

/* "word":"text"} behind the id. */
static void add_refusal(vx_text *line, const char *word, const char *text)
{
    vx_text_format(line, "\"%s\":", word);
    vx_text_add_json_string(line, text);
    vx_text_add_char(line, '}');
}

/* The honest answer. *result is set, and true returned, when it is one. */
static bool answer(serve_session *session, json_t *question, vx_case *item, vx_result *result)
{
    static const vx_run_options options = {.step_limit = SIZE_MAX, .guards_input = true};
    vx_problem problem = {.lenient = true};
    vx_text *line = &session->line;
    json_t *object = json_object_get(question, "case");
    bool read = object != NULL ? vx_case_read_json(object, item, &problem)
                               : vx_json_missing("case", &problem);
    if (!read) {
        add_refusal(line, "skip", problem.message);
        return false;
    }
    assert(item->chapter != NULL); /* every case that could be read has one */
    const void *table = table_of(session, item->chapter);
    if (table == NULL) {
        add_refusal(line, "skip", "a chapter that it does not implement");
        return false;
    }
    if (item->chapter->run(table, item->input, &options, &session->arena, result) != VX_OK) {
        add_refusal(line, "fault", result->message);
        return false;
    }
    vx_text_add(line, "\"out\":");
    vx_result_write(item->chapter->shape, result, line);
    vx_text_add_char(line, '}');
    return true;
}

/* Whether a kind that goes wrong only now and then does so at this case. */
static bool is_chosen(const vx_case *item, uint32_t every)
{
    if (every <= 1 || item->input == NULL) {
        return true;
    }
    vx_text text = {0};
    vx_case_write_question(item, &text);
    vx_random random = vx_random_start(vx_text_string(&text), 0);
    vx_text_free(&text);
    return vx_random_chance(&random, 1, every);
}

static void run_case(serve_session *session, json_t *question, int64_t id, const char *text,
                     size_t size)
{
    const vx_serve_options *options = session->options;
    const vx_bad *bad = options->bad;
    vx_case item = {0};
    vx_result result = {0};
    session->asked++;
    vx_text_format(&session->line, "{\"id\":%lld,", (long long)id);
    bool answered = answer(session, question, &item, &result);
    if (bad != NULL && bad->run != NULL &&
        is_chosen(&item, options->every > 0 ? options->every : bad->every)) {
        vx_reply reply = {.out = options->out,
                          .number = session->asked,
                          .id = id,
                          .question = text,
                          .question_size = size,
                          .shape = answered ? item.chapter->shape : NULL,
                          .result = answered ? &result : NULL,
                          .line = &session->line,
                          .delay = options->delay};
        bad->run(&reply);
    }
    vx_result_free(&result);
    vx_case_free(&item);
}

/* --- the talk -----------------------------------------------------------------------------------
 */

/* What is wrong with a line; NULL: it can be answered. */
static const char *wrong_question(json_t *question, const vx_problem *problem)
{
    if (question == NULL) {
        return problem->message;
    }
    if (!json_is_integer(json_object_get(question, "id"))) {
        return "an object with an integer \"id\" is needed";
    }
    const char *op = json_string_value(json_object_get(question, "op"));
    bool known = op != NULL &&
                 (strcmp(op, "hello") == 0 || strcmp(op, "run") == 0 || strcmp(op, "bye") == 0);
    return known ? NULL : "\"op\" is none of \"hello\", \"run\" and \"bye\"";
}

/* Answers a line that is not the protocol's: with its id if it has one. */
static void refuse(serve_session *session, json_t *question, const char *wrong)
{
    json_t *id = json_object_get(question, "id");
    vx_text_add_char(&session->line, '{');
    if (json_is_integer(id)) {
        vx_text_format(&session->line, "\"id\":%lld,", (long long)json_integer_value(id));
    }
    add_refusal(&session->line, "fault", wrong);
}

/* Makes the answer to one line. */
static void answer_line(serve_session *session, const char *text, size_t size)
{
    vx_problem problem = {0};
    json_t *question = vx_json_load(text, size, &problem);
    const char *wrong = wrong_question(question, &problem);
    int64_t id = json_integer_value(json_object_get(question, "id"));
    const char *op = json_string_value(json_object_get(question, "op"));
    vx_text_clear(&session->line);
    if (wrong != NULL) {
        refuse(session, question, wrong);
    } else if (strcmp(op, "hello") == 0) {
        say_hello(session, question, id);
    } else if (strcmp(op, "run") == 0) {
        run_case(session, question, id, text, size);
    } else {
        session->done = true;
    }
    vx_json_free(question);
}

/* Sends the answer. False when nobody reads it any more. */
static bool send_line(serve_session *session)
{
    FILE *out = session->options->out;
    vx_text_add_char(&session->line, '\n');
    return fwrite(session->line.bytes, 1, session->line.size, out) == session->line.size &&
           fflush(out) == 0;
}

/* Reads the next question; *status says why there is none. */
static bool next_question(serve_session *session, vx_text *question, vx_exit *status)
{
    switch (vx_line_read(session->options->in, VX_FILE_BYTES_MAX, question)) {
    case VX_LINE_WHOLE:
    case VX_LINE_CUT:
        return true;
    case VX_LINE_LONG:
        *status =
            vx_complain(VX_EXIT_USAGE, "serve: a line of more than %zu bytes", VX_FILE_BYTES_MAX);
        return false;
    case VX_LINE_FAILED:
        *status = vx_complain(VX_EXIT_USAGE, "serve: standard input: %s", strerror(errno));
        return false;
    case VX_LINE_END:
        return false;
    }
    return false;
}

static vx_exit talk(serve_session *session)
{
    vx_text question = {0};
    vx_exit status = VX_EXIT_PASS;
    while (status == VX_EXIT_PASS && !session->done && next_question(session, &question, &status)) {
        answer_line(session, vx_text_string(&question), question.size);
        if (!session->done && !send_line(session)) {
            status = VX_EXIT_INTERNAL;
        }
    }
    vx_text_free(&question);
    return status;
}

vx_exit vx_serve(const vx_serve_options *options)
{
    serve_session session = {.options = options,
                             .tables = vx_must_alloc(vx_chapter_count, sizeof(void *))};
    vx_exit status = VX_EXIT_USAGE;
    vx_reference_arena(&session.arena);
    if (open_tables(&session)) {
        if (options->bad != NULL && options->bad->start != NULL) {
            options->bad->start(options->out);
        }
        status = talk(&session);
        if (options->bad != NULL && options->bad->bye != NULL) {
            status = (vx_exit)options->bad->bye();
        }
    }
    vx_arena_free(&session.arena);
    vx_text_free(&session.line);
    free(session.tables);
    return status;
}
