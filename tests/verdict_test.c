/* SPDX-License-Identifier: MIT */
/* What lines of a port mean: the handshake, answers, and numbers that are no plain integers. */
#include "verdict.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "chapter.h"

enum { ID = 7351 };

Test(verdict, names)
{
    for (unsigned i = 0; i < VX_VERDICT_COUNT; i++) {
        vx_verdict found = VX_VERDICT_COUNT;
        const char *name = vx_verdict_name((vx_verdict)i);
        cr_expect(vx_verdict_find(name, &found), "%s", name);
        cr_expect_eq(found, (vx_verdict)i, "%s", name);
        cr_expect_neq(vx_verdict_meaning((vx_verdict)i)[0], '\0', "%s", name);
    }
    vx_verdict verdict;
    cr_expect(!vx_verdict_find("passed", &verdict));
    cr_expect(!vx_verdict_is_failure(VX_PASS));
    cr_expect(!vx_verdict_is_failure(VX_SKIP));
    cr_expect(!vx_verdict_is_failure(VX_NOT_RUN));
    cr_expect(vx_verdict_is_failure(VX_FAIL));
    cr_expect(vx_verdict_is_failure(VX_UNSTABLE));
}

#define OUT "\"out\":{\"size\":[2,1,8],\"degenerate\":0,\"solid\":[[0,0,0,3,63]]}"

/* verdict is VX_PASS for an answer. */
static const struct {
    const char *line;
    vx_verdict verdict;
    const char *detail; /* a part of it */
} answers[] = {
    {"{\"id\":7351," OUT "}", VX_PASS, ""},
    {" { \"out\" : {\"error\":\"argument\",\"step\":-1} , \"id\" : 7351 } ", VX_PASS, ""},
    {"{\"id\":7351,\"skip\":\"why not\"}", VX_SKIP, "why not"},
    {"{\"id\":7351,\"fault\":\"it broke\"}", VX_FAULT, "it broke"},
    {"{\"id\":7351,\"fault\":\"\"}", VX_FAULT, ""},
    {"", VX_GARBAGE, "does it print to standard output?"},
    {"Hello!", VX_GARBAGE, "`Hello!`"},
    {"\x1b[31mred\x1b[0m", VX_GARBAGE, "`\\x1b[31mred\\x1b[0m`"},
    {"{\"id\":7351," OUT "} ", VX_PASS, ""},
    {"{\"id\":7351," OUT "}}", VX_GARBAGE, "not the protocol's JSON"},
    {"{\"id\":7351," OUT, VX_GARBAGE, "not the protocol's JSON"},
    {"{\"id\":7351,\"id\":7351," OUT "}", VX_GARBAGE, "; not JSON: duplicate object key"},
    {"{\"id\":07351," OUT "}", VX_GARBAGE, "; not JSON: "},
    {"[7351]", VX_GARBAGE, "not the protocol's JSON"},
    {"7351", VX_GARBAGE, "not the protocol's JSON"},
    {"{" OUT "}", VX_GARBAGE, "without an integer \"id\""},
    {"{\"id\":\"7351\"," OUT "}", VX_GARBAGE, "without an integer \"id\""},
    {"{\"id\":7351.0," OUT "}", VX_GARBAGE, "without an integer \"id\""},
    {"{\"id\":7351}", VX_GARBAGE, "without exactly one of"},
    {"{\"id\":7351,\"skip\":\"a\",\"fault\":\"b\"}", VX_GARBAGE, "without exactly one of"},
    {"{\"id\":7351,\"skip\":\"a\"," OUT "}", VX_GARBAGE, "without exactly one of"},
    {"{\"id\":7351,\"skip\":7}", VX_GARBAGE, "is not a string"},
    {"{\"id\":7351,\"op\":\"run\",\"case\":{}}", VX_GARBAGE, "a member that is none of"},
    {"{\"id\":7351,\"time\":7," OUT "}", VX_GARBAGE, "a member that is none of"},
    {"{\"id\":7352," OUT "}", VX_DESYNC, "7352"},
    {"{\"id\":-1,\"skip\":\"a\"}", VX_DESYNC, "-1"},
    {"{\"id\":7351,\"out\":7}", VX_FAIL, "malformed: $.out"},
    {"{\"id\":7351,\"out\":{}}", VX_FAIL, "malformed: $.out"},
    {"{\"id\":7351,\"out\":{\"size\":[2,1,8],\"degenerate\":0,\"solid\":[[0,0,0,3]]}}", VX_FAIL,
     "malformed: $.out.solid[0]"},
    {"{\"id\":7351,\"out\":{\"error\":\"Argument\",\"step\":0}}", VX_FAIL,
     "malformed: $.out.error"},
    {"{\"id\":7351,\"out\":{\"size\":[2,1,8],\"degenerate\":\"0\",\"solid\":[]}}", VX_FAIL,
     "malformed: $.out.degenerate"},
    {"{\"id\":7351,\"out\":{\"size\":[2,1,8],\"degenerate\":-0,\"solid\":[]}}", VX_NONCANONICAL,
     "the number -0 stands"},
    {"{\"id\":7351,\"out\":{\"size\":[2,1,8.0],\"degenerate\":0,\"solid\":[]}}", VX_NONCANONICAL,
     "the number 8.0 stands"},
    {"{\"id\":7351,\"out\":{\"size\":[2,1,8],\"degenerate\":1e2,\"solid\":[]}}", VX_NONCANONICAL,
     "the number 1e2 stands"},
    {"{\"id\":7351,\"out\":{\"size\":[2,1,8],\"degenerate\":0,\"solid\":[[0,0,0,3.5,63]]}}",
     VX_NONCANONICAL, "the number 3.5 stands"},
    {"{\"id\":7351,\"out\":{\"error\":\"argument\",\"step\":0E0}}", VX_NONCANONICAL,
     "the number 0E0 stands"},
    {"{\"id\":7351,\"out\":{\"error\":\"e-0.5\",\"step\":0}}", VX_FAIL, "malformed: $.out.error"},
};

Test(verdict, answers)
{
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const char *line = answers[i].line;
        vx_outcome outcome = {0};
        vx_answer_read(line, strlen(line), ID, vx_chapters[0]->shape, &outcome);
        cr_expect_eq(outcome.answered, answers[i].verdict == VX_PASS, "%s", line);
        cr_expect_eq(outcome.verdict, answers[i].verdict, "%s: %s", line,
                     vx_verdict_name(outcome.verdict));
        cr_expect_not_null(strstr(vx_text_string(&outcome.detail), answers[i].detail), "%s: %s",
                           line, vx_text_string(&outcome.detail));
        vx_outcome_free(&outcome);
    }
}

/* A port can write what it likes; what is kept of it is bounded. */
Test(verdict, long_reasons)
{
    enum { LONG = 500000, KEPT = 4000 };
    static const char *const words[] = {"skip", "fault"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        vx_text line = {0};
        vx_outcome outcome = {0};
        vx_text_format(&line, "{\"id\":%d,\"%s\":\"%0*d\"}", ID, words[i], LONG, 0);
        vx_answer_read(line.bytes, line.size, ID, vx_chapters[0]->shape, &outcome);
        cr_expect_eq(outcome.verdict, i == 0 ? VX_SKIP : VX_FAULT);
        cr_expect_eq(outcome.detail.size, KEPT + strlen("…"), "%zu", outcome.detail.size);
        vx_outcome_free(&outcome);
        vx_text_free(&line);
    }
}

Test(verdict, no_case_is_open)
{
    static const struct {
        const char *line;
        vx_verdict verdict;
    } rows[] = {{"{\"id\":0,\"skip\":\"a\"}", VX_DESYNC}, {"bye!", VX_GARBAGE}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_outcome outcome = {0};
        vx_answer_read(rows[i].line, strlen(rows[i].line), 0, NULL, &outcome);
        cr_expect(!outcome.answered);
        cr_expect_eq(outcome.verdict, rows[i].verdict, "%s", rows[i].line);
        vx_outcome_free(&outcome);
    }
}

Test(verdict, bytes_that_are_no_text)
{
    static const char line[] = {'{', '"', 'i', 'd', '"', ':', '1', '\0', '}'};
    static const char latin[] = "{\"id\":7351,\"fault\":\"\xe4\xf6\"}";
    vx_outcome outcome = {0};
    vx_answer_read(line, sizeof line, ID, vx_chapters[0]->shape, &outcome);
    cr_expect_eq(outcome.verdict, VX_GARBAGE);
    vx_outcome_free(&outcome);
    vx_answer_read(latin, strlen(latin), ID, vx_chapters[0]->shape, &outcome);
    cr_expect_eq(outcome.verdict, VX_GARBAGE);
    vx_outcome_free(&outcome);
}

Test(verdict, noncanonical_numbers)
{
    static const struct {
        const char *line;
        const char *found; /* NULL: nothing */
    } rows[] = {
        {"[0,1,-1,10,-10,9007199254740993]", NULL},
        {"{\"1.5\":\"-0 1e9 \\\" 2.5\",\"e\":[true,false,null]}", NULL},
        {"[1,-0]", "-0"},
        {"[-0.0]", "-0.0"},
        {"[10,1e2,1.0]", "1e2"},
        {"[1E+2]", "1E+2"},
        {"{\"a\":0.5}", "0.5"},
        {"7.0", "7.0"},
        {"-0", "-0"},
        {"", NULL},
        {"\"unfinished -0", NULL},
        {"\"\\", NULL},
        {"[-10,-01]", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t start = 0;
        size_t length = 0;
        bool found = vx_find_noncanonical(rows[i].line, strlen(rows[i].line), &start, &length);
        cr_expect_eq(found, rows[i].found != NULL, "%s", rows[i].line);
        if (found && rows[i].found != NULL) {
            cr_expect_eq(length, strlen(rows[i].found), "%s", rows[i].line);
            cr_expect_eq(strncmp(rows[i].line + start, rows[i].found, length), 0, "%s",
                         rows[i].line);
        }
    }
}

Test(verdict, excerpts)
{
    static const struct {
        const char *bytes;
        const char *shown;
    } rows[] = {
        {"", "``"},
        {"plain", "`plain`"},
        {"a\tb\x7f", "`a\\x09b\\x7f`"},
        /* terminals obey U+009B; a byte alone, an overlong form and a cut one are no UTF-8 */
        {"é\xc2\x9bK\xc2\xa0", "`é\\xc2\\x9bK\xc2\xa0`"},
        {"\x9bK\xc0\xaf\xe2\x82", "`\\x9bK\\xc0\\xaf\\xe2\\x82`"},
        {"0123456789012345678901234567890123456789012345678901234567890",
         "`012345678901234567890123456789012345678901234567890123456789…`"},
        /* the 60th byte lies inside a character */
        {"01234567890123456789012345678901234567890123456789012345678é",
         "`01234567890123456789012345678901234567890123456789012345678…`"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vx_text text = {0};
        vx_add_excerpt(&text, rows[i].bytes, strlen(rows[i].bytes));
        cr_expect_str_eq(vx_text_string(&text), rows[i].shown);
        vx_text_free(&text);
    }
}

Test(verdict, outcomes_that_are_alike)
{
    const vx_result_shape *shape = vx_chapters[0]->shape;
    vx_outcome same[2] = {0};
    vx_outcome other = {0};
    vx_outcome skip = {0};
    const char *line = "{\"id\":7351," OUT "}";
    vx_answer_read(line, strlen(line), ID, shape, &same[0]);
    vx_answer_read(line, strlen(line), ID, shape, &same[1]);
    line = "{\"id\":7351,\"out\":{\"error\":\"argument\",\"step\":0}}";
    vx_answer_read(line, strlen(line), ID, shape, &other);
    vx_outcome_set(&skip, VX_SKIP);
    cr_expect(vx_outcome_same(shape, &same[0], &same[1]));
    cr_expect(!vx_outcome_same(shape, &same[0], &other));
    cr_expect(!vx_outcome_same(shape, &same[0], &skip));
    cr_expect(vx_outcome_same(shape, &skip, &skip));
    vx_outcome_set(&other, VX_FAULT);
    cr_expect(!vx_outcome_same(shape, &other, &skip));
    vx_outcome_free(&same[0]);
    vx_outcome_free(&same[1]);
    vx_outcome_free(&other);
    vx_outcome_free(&skip);
}

/* --- hello ------------------------------------------------------------------------------------ */

/* The answer that a good port gives, with one part of it replaced by another. */
static void make_hello(vx_text *line, const char *part, const char *other)
{
    vx_text hello = {0};
    vx_text good = {0};
    vx_hello_write(ID, &hello);
    const char *echo = strstr(hello.bytes, "\"echo\":");
    vx_text_format(&good,
                   "{\"id\":%d,\"protocol\":1,\"name\":\"mine\",\"version\":\"1.2\",\"language\":"
                   "\"C#\",\"chapters\":[\"build3d\",\"other\"],%.*s",
                   (int)ID, (int)(strlen(echo) - 1), echo);
    const char *found = strstr(good.bytes, part);
    cr_assert_not_null(found, "%s", part);
    vx_text_add_bytes(line, good.bytes, (size_t)(found - good.bytes));
    vx_text_add(line, other);
    vx_text_add(line, found + strlen(part));
    vx_text_free(&hello);
    vx_text_free(&good);
}

static const struct {
    const char *part;
    const char *other;
    const char *why; /* a part of the reason; NULL: it is accepted */
} hellos[] = {
    {"", "", NULL},
    {"\"name\"", "\"more\":[1.5],\"name\"", NULL},
    {"[0.1,", "[0.10000000000000001,", NULL},
    {"[0.1,", "[1e-1,", NULL},
    {"9007199254740991", "9007199254740991.0", NULL},
    {"16777217", "1.6777217E7", NULL},
    {"\"mine\"", "\"mi\\u001bne\"", NULL},
    {"[0.1,", "[0.10000000149011612,",
     "echo 0.1 came back as 0.10000000149011612: the port's JSON keeps numbers as binary32"},
    {"[0.1,", "[0.1000000000000001,", "17 significant digits"},
    {"16777217", "16777216", "echo 16777217 came back as 16777216: the port's JSON keeps"},
    {"9007199254740991,-", "9007199254740992,-", "echo 9007199254740991 came back"},
    {"4.94065645841247e-324", "0", "echo 4.94065645841247e-324 came back as 0"},
    {"1.7976931348623157e+308,-", "null,-", "came back as `null`"},
    {"[0.1,", "[\"0.1\",", "echo 0.1 came back as `\"0.1\"`"},
    {"[0.1,", "[", "must come back as it was sent, as 25 numbers, not 24"},
    {"\"echo\"", "\"ecco\"", "must come back as it was sent"},
    {"\"protocol\":1", "\"protocol\":2", "it speaks protocol 2, and this kit protocol 1"},
    {"\"protocol\":1,", "", "lacks \"protocol\": 1"},
    {"\"protocol\":1", "\"protocol\":\"1\"", "lacks \"protocol\": 1"},
    {"7351", "7352", "does not bear the id 7351"},
    {"\"name\":\"mine\",", "", "has no \"name\""},
    {"\"mine\"", "\"\"", "has no \"name\""},
    {"\"1.2\"", "1.2", "has no \"version\""},
    {"\"language\"", "\"tongue\"", "has no \"language\""},
    {"[\"build3d\",\"other\"]", "\"build3d\"", "must be a list of names"},
    {"\"other\"", "7", "must be a list of names"},
    {"{", "Starting up... {", "its first line is not the protocol's JSON but `Starting up"},
    {"\"protocol\"", "\"name\":\"a\",\"protocol\"", "; not JSON: duplicate object key"},
    {"{\"id\"", "[{\"id\"", "its first line is not the protocol's JSON"},
};

Test(verdict, hello)
{
    for (size_t i = 0; i < sizeof hellos / sizeof hellos[0]; i++) {
        vx_identity identity = {0};
        vx_text line = {0};
        vx_text why = {0};
        make_hello(&line, hellos[i].part, hellos[i].other);
        bool good = vx_hello_read(line.bytes, line.size, ID, &identity, &why);
        cr_expect_eq(good, hellos[i].why == NULL, "%s: %s", hellos[i].other, vx_text_string(&why));
        if (hellos[i].why != NULL) {
            cr_expect_not_null(strstr(vx_text_string(&why), hellos[i].why), "%s: %s",
                               hellos[i].other, vx_text_string(&why));
            cr_expect_null(identity.name);
        } else {
            cr_expect_str_eq(identity.version, "1.2");
            cr_expect_str_eq(identity.language, "C#");
            cr_expect(vx_identity_has_chapter(&identity, "build3d"));
            cr_expect(vx_identity_has_chapter(&identity, "other"));
            cr_expect(!vx_identity_has_chapter(&identity, "others"));
            cr_expect_null(strchr(identity.name, '\x1b'));
        }
        vx_identity_free(&identity);
        vx_text_free(&line);
        vx_text_free(&why);
    }
}

/* Who a port is stands in every report, so it is not a novel. */
Test(verdict, long_hello)
{
    vx_identity identity = {0};
    vx_text name = {0};
    vx_text line = {0};
    vx_text why = {0};
    vx_text_format(&name, "\"%0100000d\"", 0);
    make_hello(&line, "\"mine\"", name.bytes);
    cr_assert(vx_hello_read(line.bytes, line.size, ID, &identity, &why));
    cr_expect_eq(strlen(identity.name), 80 + strlen("…"));
    vx_identity_free(&identity);
    vx_text_free(&name);
    vx_text_free(&line);
    vx_text_free(&why);
}
