#!/bin/sh
# SPDX-License-Identifier: MIT
# Shows that the gate of bench/gate.sh fails where it must: the reference's table in a shared library keeps its counts; the
# same with a slow kernel planted, with a kernel missing in the counts, and without counts does not.
#   check_gate.sh PROGRAM   the bench's voxcert
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

library() { # library PLANT: builds tests/library/planted.c
    gcc -DPLANT="$1" -O2 -std=c17 -ffp-contract=off -shared -fPIC -Iinclude -o "$work/planted$1.so" \
        tests/library/planted.c ref/*/*.c common/*.c -lm
}

gate() { # gate STATUS ACTION COUNTS PLANT: runs it, which must end with that status
    status=0
    bench/gate.sh "$2" "$program" "$work/$3" --lib "$work/planted$4.so" >"$work/log" 2>&1 || status=$?
    cat "$work/log"
    [ "$status" = "$1" ] || { echo "check_gate: the gate ended with status $status instead of $1"; exit 1; }
}

says() {
    grep -q "$1" "$work/log" || { echo "check_gate: the gate does not say \"$1\""; exit 1; }
}

library 0
library 4
gate 4 check none 0
says '; make bench-gate-update LIB=.*/planted0.so COUNTS=.*/none writes it$'
gate 0 update counts 0
gate 0 check counts 0
says 'kernels, none above +2 %'
gate 6 check counts 4
says '^gate: small level, compact, planted: [0-9]* before, [0-9]* now, +[0-9.]* %$'
if grep -q 'erode' "$work/log"; then
    echo 'check_gate: the gate names a kernel that is as fast as before'
    exit 1
fi
sed -i '/small soup, ledges/d; s/small soup, merge/small soup, gone/' "$work/counts"
gate 6 check counts 0
says 'small soup, ledges, planted: no count is kept'
says 'small soup, gone, planted: is no longer counted'

# The same by make.
by_make() { # by_make STATUS GOAL VARIABLE …
    status=0
    env -u MAKEFLAGS -u MAKELEVEL "${MAKE:-make}" --no-print-directory "$2" "$3" >"$work/log" 2>&1 || status=$?
    cat "$work/log"
    [ "$status" = "$1" ] || { echo "check_gate: make $2 $3 ended with status $status instead of $1"; exit 1; }
}

by_make 0 bench-gate-update LIB="$work/planted0.so"
by_make 0 bench-gate LIB="$work/planted0.so"
mv "$work/planted4.so" "$work/planted0.so"
by_make 2 bench-gate LIB="$work/planted0.so"
says '^gate: small level, compact, planted: '
by_make 2 bench-scaling LIB="$work/planted0.so"
says 'make bench-scaling does not look at it'
echo 'check_gate: the gate fails where it must, and only there'
