#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs fuzz/oss-fuzz/build.sh as the builders of OSS-Fuzz and ClusterFuzzLite do, with their environment variables
# and their flags for libFuzzer with AddressSanitizer, and then each target that it made on its own corpus. Ends in
# what a maintainer has to fill in before the project is submitted, which is no failure.
set -eu
unset MAKEFLAGS MFLAGS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/out" "$work/work"
env -i PATH="$PATH" HOME="$work" CC=clang CXX=clang++ \
    CFLAGS='-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=address -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link' \
    CXXFLAGS='-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=address -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link' \
    LIB_FUZZING_ENGINE=-fsanitize=fuzzer FUZZING_ENGINE=libfuzzer SANITIZER=address ARCHITECTURE=x86_64 \
    SRC="$(dirname "$PWD")" PROJECT="$PWD" OUT="$work/out" WORK="$work/work" \
    fuzz/oss-fuzz/build.sh >"$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 1; }
for target in $(make --no-print-directory -s fuzz-targets); do
    [ -x "$work/out/$target" ] || { echo "oss-fuzz: there is no $target"; exit 1; }
    mkdir "$work/corpus"
    python3 -m zipfile -e "$work/out/${target}_seed_corpus.zip" "$work/corpus"
    "$work/out/$target" -runs=0 "$work/corpus" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
    printf 'oss-fuzz: %-18s %4d seeds\n' "$target" "$(find "$work/corpus" -type f | wc -l)"
    rm -rf "$work/corpus"
done
grep -rn '\.invalid' fuzz/oss-fuzz | sed 's/^/oss-fuzz: to fill in before a submission: /'
