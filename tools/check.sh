#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every test of the project, one step after the other, and ends in `N passed, N failed`.
# Each step's output goes to build/check/STEP.log and is shown where the step fails.
#   check.sh          all steps
#   check.sh STEP …   only these
set -u
make=${MAKE:-make}
logs=build/check
passed=0
failed=0
only=" $* "
mkdir -p "$logs"
# Warnings are errors in every step: with other flags in some of them each would build everything again.
export CI=1

step() {
    name=$1
    shift
    if [ "$only" != '  ' ]; then
        case $only in *" $name "*) ;; *) return ;; esac
    fi
    begin=$(date +%s)
    if "$@" >"$logs/$name.log" 2>&1; then
        passed=$((passed + 1))
        printf 'ok    %-22s %4d s\n' "$name" $(($(date +%s) - begin))
    else
        failed=$((failed + 1))
        printf 'FAIL  %-22s %4d s: the end of %s/%s.log is\n' "$name" $(($(date +%s) - begin)) "$logs" "$name"
        tail -n 60 "$logs/$name.log"
    fi
}

# shellcheck disable=SC2317 # called through step
mk() {
    $make --no-print-directory "$@"
}

step build            mk all
step unit-gcc         mk test CC=gcc MODE=release
step unit-clang       mk test CC=clang MODE=debug
step unit-asan        mk test CC=clang MODE=asan
# What gcc's sanitizers find, clang's nearly always find too, and this is the longest step: only when it is named,
# as `make check-long` does.
case $only in
*' unit-gcc-asan '*) step unit-gcc-asan mk test CC=gcc MODE=asan ;;
esac
step plain-msan       mk test-plain CC=clang MODE=msan
step coverage         mk cov
step spec             mk check-spec
step schema           mk check-schema
step vectors          mk check-vectors
step fast             mk check-fast
step bound            mk measure-bound TRIANGLES=100000
# gappa is no part of what all tests need: make check-gappa installs it.
if command -v gappa >/dev/null 2>&1; then
    step gappa        mk check-gappa
fi
step contraction      mk check-contraction
step fuzz             mk fuzz-smoke CC=clang MODE=asan
step controls         mk check-controls CC=clang MODE=asan
step oss-fuzz         mk check-oss-fuzz
step threads          mk check-threads
step port-javascript  mk check-ports
step bench            mk bench-smoke
# Valgrind is no part of what all tests need. The counts themselves belong to one machine's libraries.
if command -v valgrind >/dev/null 2>&1; then
    step gate         mk check-gate
fi
step lint             mk lint
step certify          mk certify
step install          tools/check_install.sh
step clean-clone      tools/check_clone.sh
step figures          mk figures

[ "$failed" -eq 0 ] || status=1
printf '%d passed, %d failed\n' "$passed" "$failed"
exit "${status:-0}"
