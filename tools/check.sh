#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every test of the project, one step after the other, and ends in `N passed, N failed`.
# Each step's output goes to build/check/STEP.log and is shown where the step fails.
#   check.sh          all steps
#   check.sh STEP …   only these; a name that no step has is refused before anything runs
set -u
make=${MAKE:-make}
logs=${LOGS:-build/check}
passed=0
failed=0
only=" $* "
# Warnings are errors in every step: with other flags in some of them each would build everything again.
export CI=1

is_named() {
    case $only in *" $1 "*) ;; *) return 1 ;; esac
}

is_chosen() {
    [ "$only" = '  ' ] || is_named "$1"
}

# What a terminal shows while a step lasts; nothing anywhere else. Without a name wipes it away.
show() {
    if [ -t 2 ]; then
        printf '\r\033[K' >&2
        [ $# -eq 0 ] || printf '…     %s' "$1" >&2
    fi
}

# shellcheck disable=SC2317 # called through $each, here and below
run() { # run NAME COMMAND …
    name=$1
    shift
    is_chosen "$name" || return 0
    begin=$(date +%s)
    show "$name"
    status=0
    "$@" >"$logs/$name.log" 2>&1 || status=$?
    show
    if [ "$status" -eq 0 ]; then
        passed=$((passed + 1))
        printf 'ok    %-22s %4d s\n' "$name" $(($(date +%s) - begin))
    else
        failed=$((failed + 1))
        printf 'FAIL  %-22s %4d s: the end of %s/%s.log is\n' "$name" $(($(date +%s) - begin)) "$logs" "$name"
        tail -n 60 "$logs/$name.log"
    fi
}

# shellcheck disable=SC2317
list() { # list NAME COMMAND …
    known="$known $1"
}

# A step whose tool is no part of what all tests need; its target installs it.
step_with() { # step_with TOOL NAME COMMAND …
    tool=$1
    shift
    if [ "$each" = list ] || is_named "$1" || command -v "$tool" >/dev/null 2>&1; then
        $each "$@"
    elif is_chosen "$1"; then
        printf '%s\n' "--    $1 is left out: $tool is not installed; make check STEPS=$1 installs it"
    fi
}

# A step that runs only when it is named.
step_when_named() { # step_when_named NAME COMMAND …
    if [ "$each" = list ] || is_named "$1"; then
        $each "$@"
    fi
}

# shellcheck disable=SC2317
mk() {
    $make --no-print-directory "$@"
}

steps() { # steps ACTION: it gets every step's name and command
    each=$1
    $each build             mk all
    $each unit-gcc          mk test CC=gcc MODE=release
    $each unit-clang        mk test CC=clang MODE=debug
    $each unit-asan         mk test CC=clang MODE=asan
    # What gcc's sanitizers find, clang's nearly always find too, and this is the longest step: for `make check-long`.
    step_when_named unit-gcc-asan mk test CC=gcc MODE=asan
    $each plain-msan        mk test-plain CC=clang MODE=msan
    $each coverage          mk cov
    $each spec              mk check-spec
    $each schema            mk check-schema
    $each vectors           mk check-vectors
    $each fast              mk check-fast
    $each bound             mk measure-bound TRIANGLES=100000
    step_with gappa gappa   mk check-gappa
    $each contraction       mk check-contraction
    $each fuzz              mk fuzz-smoke CC=clang MODE=asan
    $each controls          mk check-controls CC=clang MODE=asan
    $each oss-fuzz          mk check-oss-fuzz
    $each threads           mk check-threads
    $each port-javascript   mk check-ports
    $each bench             mk bench-smoke
    # The counts themselves belong to one machine's libraries.
    step_with valgrind gate mk check-gate
    $each lint              mk lint
    $each certify           mk certify
    $each install           tools/check_install.sh
    $each clean-clone       tools/check_clone.sh
    $each figures           mk figures
}

known=
steps list
for name; do
    case "$known " in *" $name "*) continue ;; esac
    echo "check: no such step: $name; there are$(printf '%s' "$known" | sed 's/ \([^ ]*\)/ \1,/g; s/,$//')" >&2
    exit 2
done

mkdir -p "$logs"
steps run
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
