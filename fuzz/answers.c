/* SPDX-License-Identifier: MIT */
/* Fuzz target: what a port may print, from the descriptor to the verdict (docs/PROTOCOL.md). The
 * first byte says how long a line may be, in units of 32; the others are the output as it comes, a
 * cut between two reads at each byte 0x1e. The first line answers hello, with the id 0, the next
 * ones cases with the ids 7, 14, … No process and no thread is needed: all is sent before it is
 * read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "answer.h"
#include "build3d/build3d.h"
#include "fuzz/target.h"
#include "port.h"

const char *const vx_fuzz_target = "answers";
const unsigned vx_fuzz_ops = 0;

enum { LIMIT_UNIT = 32, CUT = 0x1e, NEXT_ID = 7 };

/* --- what a line says ---------------------------------------------------------------------------
 */

static void read_hello(const char *line, size_t size)
{
    vx_identity identity = {0};
    vx_text why = {0};
    if (vx_hello_read(line, size, 0, &identity, &why)) {
        vx_fuzz_expect(identity.name != NULL);
    } else {
        vx_fuzz_expect(why.size > 0);
    }
    vx_identity_free(&identity);
    vx_text_free(&why);
}

/* An answer that is one is written and read once more, and must be the same. */
static void read_answer(const char *line, size_t size, int64_t id, const vx_result_shape *shape)
{
    vx_outcome outcome = {0};
    vx_answer_read(line, size, id, shape, &outcome);
    if (!outcome.answered) {
        vx_fuzz_expect(outcome.verdict != VX_PASS && outcome.verdict != VX_NOT_RUN);
        vx_outcome_free(&outcome);
        return;
    }
    vx_text text = {0};
    vx_outcome again = {0};
    vx_text_format(&text, "{\"id\": %lld, \"out\": ", (long long)id);
    vx_result_write(shape, &outcome.result, &text);
    vx_text_add_char(&text, '}');
    vx_answer_read(text.bytes, text.size, id, shape, &again);
    vx_fuzz_expect(again.answered && vx_result_equal(shape, &outcome.result, &again.result));
    vx_text_free(&text);
    vx_outcome_free(&outcome);
    vx_outcome_free(&again);
}

static void read_line(const char *bytes, size_t size, int64_t id)
{
    char *line = vx_must_alloc(size + 1, 1); /* of its own size: nothing reads past it */
    memcpy(line, bytes, size);
    if (id == 0) {
        read_hello(line, size);
    }
    read_answer(line, size, id, id == 0 ? NULL : &vx_build3d_shape);
    free(line);
}

/* --- the output ---------------------------------------------------------------------------------
 */

/* Sends the output, each piece up to a cut to be read by itself, and closes the end behind it. Adds
 * what was sent to the text: the system may not take all of many pieces. */
static int send_output(const uint8_t *data, size_t size, vx_text *sent)
{
    int ends[2];
    vx_fuzz_expect(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    bool is_taken = true;
    for (size_t i = 0; i < size && is_taken;) {
        const uint8_t *cut = memchr(data + i, CUT, size - i);
        size_t length = cut != NULL ? (size_t)(cut - data) - i : size - i;
        is_taken = length == 0 ||
                   send(ends[0], data + i, length, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)length;
        if (is_taken) {
            vx_text_add_bytes(sent, (const char *)data + i, length);
        }
        i += length + 1;
    }
    (void)close(ends[0]);
    return ends[1];
}

/* What a wait must see of output that begins with these bytes, wherever it was cut, and the line or
 * what there is of it. */
static vx_port_event foresee(const char *bytes, size_t size, size_t limit, size_t *line)
{
    const char *end = size > 0 ? memchr(bytes, '\n', size) : NULL;
    *line = end != NULL ? (size_t)(end - bytes) : size;
    if (*line > limit) {
        return VX_PORT_OVERSIZE;
    }
    if (end != NULL) {
        return VX_PORT_LINE;
    }
    return size > 0 ? VX_PORT_TRUNCATED : VX_PORT_ENDED;
}

/* Whatever a port prints, a report that quotes it can be shown. */
static void quote(const char *line, size_t size)
{
    vx_text excerpt = {0};
    vx_add_excerpt(&excerpt, line, size);
    for (const char *at = excerpt.bytes; *at != '\0';) {
        size_t length = vx_utf8_length(at);
        vx_fuzz_expect(length > 0 && (unsigned char)*at >= 0x20 && *at != 0x7f);
        at += length;
    }
    vx_text_free(&excerpt);
}

/* Asks for a line; false at the end of the talk. */
static bool ask(vx_port *port, const vx_text *sent, size_t *at, size_t limit, int64_t id)
{
    size_t expected;
    size_t size;
    const char *rest = vx_text_string(sent) + *at;
    vx_port_event foreseen = foresee(rest, sent->size - *at, limit, &expected);
    vx_port_ask(port, "", 0);
    vx_fuzz_expect(vx_port_wait(port, (double)INFINITY, limit) == foreseen);
    const char *line = vx_port_line(port, &size);
    /* Of a line that is too long there is its beginning, as much as was read when it was noticed.
     */
    bool is_whole = foreseen != VX_PORT_OVERSIZE;
    vx_fuzz_expect(is_whole ? size == expected : size > limit && size <= sent->size - *at);
    vx_fuzz_expect(memcmp(line, rest, size) == 0);
    quote(line, size);
    if (foreseen == VX_PORT_LINE) {
        read_line(line, size, id);
    }
    *at += size + 1;
    return foreseen == VX_PORT_LINE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return -1;
    }
    vx_port port = {0};
    vx_text sent = {0};
    size_t at = 0;
    int64_t id = 0;
    vx_port_listen(&port, send_output(data + 1, size - 1, &sent));
    while (ask(&port, &sent, &at, (size_t)data[0] * LIMIT_UNIT, id)) {
        id += NEXT_ID;
    }
    vx_port_free(&port);
    vx_text_free(&sent);
    return 0;
}
