#!/bin/sh
# SPDX-License-Identifier: MIT
# Proves that no multiplication and addition is fused (SPEC B0.1): compiles the reference and the fast implementation
# with the project's flags for processors that can fuse them, and looks at the instructions.
#   check_contraction.sh FLAG …   the flags that must forbid it
# A control compiles the same sources with fusing allowed and must find some, else the check is blind.
set -eu
[ $# -gt 0 ] || { echo 'usage: check_contraction.sh FLAG …' >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checked=0

# fused COMPILER SOURCES LEVEL FLAG …: the number of fused instructions in the sources at a level of the processor.
fused() {
    compiler=$1
    sources=$2
    level=$3
    shift 3
    rm -rf "$work/objects"
    mkdir "$work/objects"
    # shellcheck disable=SC2016,SC2086 # the list is words on purpose; the inner shell knows its own variables
    printf '%s\n' $sources | xargs -P "$(nproc)" -I{} sh -c '
        object=$1/$(echo "$2" | tr / _).o
        shift 2
        exec "$@" -o "$object"' sh "$work/objects" {} $compiler -Iinclude -O3 $level "$@" -c {}
    objdump -d "$work"/objects/*.o | grep -cE '\bvfn?m(add|sub)' || true
}

# check NAME COMPILER SOURCES LEVEL FLAG …
check() {
    name=$1
    shift
    control=$(fused "$@" -std=gnu17 -ffp-contract=fast)
    count=$(fused "$@")
    echo "contraction: $1, $name: $count fused instructions, $control where fusing is allowed"
    if [ "$control" -eq 0 ]; then
        echo "contraction: $1 fuses nothing even where it may, so that this check sees nothing"
        exit 1
    fi
    [ "$count" -eq 0 ] || exit 1
    checked=$((checked + 1))
}

# x86-64 is the target everywhere: elsewhere a cross compiler serves.
if [ "$(uname -m)" = x86_64 ]; then
    compilers='gcc clang'
else
    compilers='x86_64-linux-gnu-gcc'
fi
for compiler in $compilers; do
    command -v "$compiler" >/dev/null 2>&1 || continue
    check 'the reference' "$compiler" "$(echo ref/*/*.c)" '-mavx2 -mfma' "$@"
    check 'fast with AVX2' "$compiler" "$(echo fast/*/*.c)" '-mavx2 -mfma' "$@"
    check 'fast with AVX-512' "$compiler" "$(echo fast/*/*.c)" \
        '-mavx512f -mavx512bw -mavx512vl -mavx512dq -mfma -mprefer-vector-width=512' "$@"
done
if [ "$checked" -eq 0 ]; then
    echo "contraction: not checked: this is $(uname -m), and there is none of $compilers"
    [ "$(uname -m)" != x86_64 ] || exit 1
fi
