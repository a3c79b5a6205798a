#!/bin/sh
# SPDX-License-Identifier: MIT
# Proves that no multiplication and addition of the reference is fused (SPEC B0.1): compiles it with the
# project's flags for a processor that can fuse them, and looks at the instructions.
#   check_contraction.sh FLAG …   the flags that must forbid it
# A control compiles the same sources with fusing allowed and must find some, else the check is blind.
set -eu
[ $# -gt 0 ] || { echo 'usage: check_contraction.sh FLAG …' >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checked=0

# fused COMPILER FLAG …: the number of fused instructions in all of the reference.
fused() {
    compiler=$1
    shift
    count=0
    for source in ref/*/*.c; do
        $compiler -Iinclude -O2 -mavx2 -mfma "$@" -c "$source" -o "$work/x.o"
        found=$(objdump -d "$work/x.o" | grep -cE '\bvfn?m(add|sub)' || true)
        count=$((count + found))
    done
    echo "$count"
}

# x86-64 is the target everywhere: elsewhere a cross compiler serves.
if [ "$(uname -m)" = x86_64 ]; then
    compilers='gcc clang'
else
    compilers='x86_64-linux-gnu-gcc'
fi
for compiler in $compilers; do
    command -v "$compiler" >/dev/null 2>&1 || continue
    control=$(fused "$compiler" "$@" -std=gnu17 -ffp-contract=fast)
    if [ "$control" -eq 0 ]; then
        echo "contraction: $compiler fuses nothing even where it may, so that this check sees nothing"
        exit 1
    fi
    count=$(fused "$compiler" "$@")
    echo "contraction: $compiler $*: $count fused instructions, $control where fusing is allowed"
    [ "$count" -eq 0 ] || exit 1
    checked=$((checked + 1))
done
if [ "$checked" -eq 0 ]; then
    echo "contraction: not checked: this is $(uname -m), and there is none of $compilers"
    [ "$(uname -m)" != x86_64 ] || exit 1
fi
