/* SPDX-License-Identifier: MIT */
/* What is certified: a port process, or an implementation in this process. Both are asked alike. */
#ifndef VX_TARGET_H
#define VX_TARGET_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "answer.h"
#include "case.h"
#include "port.h"
#include "random.h"
#include "text.h"
#include "verdict.h"
#include "voxcert/arena.h"

/* A port has START times the time for an answer to answer hello: virtual machines start slowly. */
#define VX_TARGET_START 15.0

/* The least time for an answer that a port has unless someone says otherwise, in seconds. */
#define VX_TARGET_TIMEOUT 2.0

typedef struct vx_target_options {
    const char *command;               /* a port's command; NULL: in this process */
    const char *implementation;        /* without a command: its name */
    bool is_library;                   /* the command serves a library */
    double timeout;                    /* least time for an answer, in seconds */
    size_t memory;                     /* bytes that a port may use; 0: no limit */
    const volatile sig_atomic_t *stop; /* interrupts waits; may be NULL */
} vx_target_options;

/* A question that was asked since the start, and whose case it was. */
typedef struct vx_asked {
    int64_t id;
    size_t token;
} vx_asked;

typedef struct vx_target {
    const vx_target_options *options;
    bool running;
    vx_identity identity;
    /* The rest is private. */
    vx_port port;
    vx_arena arena;   /* of implementations in this process */
    vx_text question; /* the line that the port is sent */
    vx_random random;
    vx_asked *asked;
    size_t asked_count;
    size_t asked_capacity;
} vx_target;

/* What it is for people: "port" or "library". */
const char *vx_target_noun(const vx_target_options *options);

/* The options must outlive the target. Nothing runs yet. */
void vx_target_init(vx_target *target, const vx_target_options *options);
void vx_target_free(vx_target *target);

/* Starts it and shakes hands. False with the reason in why, and with what a port wrote to standard
 * error. */
bool vx_target_start(vx_target *target, vx_text *why);

/* Asks one case, of a chapter that is in the identity, of a running target; token is the caller's
 * name for the case. The time for an answer is factor times the greater of options.timeout and 100
 * times what the reference takes. outcome.charged is the token of the case that the outcome is
 * about: another one than token when VX_DESYNC tells of an earlier question. After an outcome that
 * leaves the two sides out of step the target no longer runs; started again, it is asked the next
 * case alone. */
void vx_target_ask(vx_target *target, const vx_case *item, size_t token, double factor,
                   vx_outcome *outcome);

/* The result of the case, which the caller frees. Otherwise the verdict and what happened are in
 * why: VX_EXIT_INCOMPLETE when the port skipped the case, VX_EXIT_NOT_CONFORMANT else. */
vx_exit vx_target_answer(vx_target *target, const vx_case *item, vx_result *result, vx_text *why);

/* What the port wrote to standard error since the last question. */
const char *vx_target_errors(const vx_target *target, size_t *size);

/* Prints its last lines on standard error, if there are any. */
void vx_target_tell_errors(const vx_target *target);

/* Says bye to a running target. False when it did not end as it should: either the outcome is a
 * failure charged to an earlier case, or, with VX_PASS, its detail says what is odd. */
bool vx_target_finish(vx_target *target, vx_outcome *outcome);

#endif
