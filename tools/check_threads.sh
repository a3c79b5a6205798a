#!/bin/sh
# SPDX-License-Identifier: MIT
# Looks for data races (ThreadSanitizer) where the kit has threads: the reading of cases and the workers of a
# certification, in this process and with ports.
#   check_threads.sh PROGRAM   voxcert, built with MODE=tsan
# A control races on purpose and must be caught, else the check is blind.
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ThreadSanitizer wants its own addresses, which some kernels scatter too widely for it.
alone() {
    if setarch -R true 2>/dev/null; then
        setarch -R "$@"
    else
        "$@"
    fi
}

cat >"$work/race.c" <<'SOURCE'
#include <pthread.h>
static int value;
static void *add(void *unused)
{
    value++;
    return unused;
}
int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, add, NULL) != 0) {
        return 1;
    }
    add(NULL);
    return pthread_join(thread, NULL);
}
SOURCE
gcc -g -fsanitize=thread -pthread "$work/race.c" -o "$work/race"
if alone "$work/race" 2>"$work/errors" || ! grep -q 'data race' "$work/errors"; then
    echo 'threads: the race that was planted was not seen' >&2
    exit 1
fi
"$program" vectors generate --family all --seeds 1..100 --out "$work/cases.jsonl"
alone "$program" certify --impl ref --jobs 3 --quiet --vectors "$work/cases.jsonl"
alone "$program" certify --jobs 3 --quiet --tier smoke
