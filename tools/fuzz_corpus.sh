#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the committed corpus of a target small and good: of the files there, of those that fuzzing found and
# of the seeds, the smallest ones that reach all that the whole reaches; at most 300 of at most 4 KiB.
#   fuzz_corpus.sh PROGRAM TARGET   PROGRAM built with MODE=fuzz
set -eu
program=$1
target=$2
corpus=fuzz/corpus/$target
found=build/fuzz/found/$target
seeds=build/fuzz/seeds/$target
made=build/fuzz/merged/$target
rm -rf "$made"
mkdir -p "$made" "$corpus" "$found" "$seeds"
# Edges, not how often they are taken: that many more files would say little more.
merge() {
    "$program" "-$1=1" -use_counters=0 -max_len=4096 -verbosity=0 "$2" "$3" "$4" "$5" >"$2.log" 2>&1 ||
        { tail -n 20 "$2.log" >&2; exit 1; }
    tail -n 1 "$2.log"
}
merge merge "$made" "$corpus" "$found" "$seeds"
# So chosen the inputs are small and quick. Where they are too many, a few of them that reach as much.
if [ "$(find "$made" -type f | wc -l)" -gt 300 ]; then
    rm -rf "$made.few" "$made.none"
    mkdir -p "$made.few" "$made.none"
    merge set_cover_merge "$made.few" "$made" "$made.none" "$made.none"
    made=$made.few
fi
if [ -z "$(find "$made" -type f -size -5k | head -n 1)" ]; then
    echo "fuzz-corpus: $target: nothing was merged; $corpus stays as it is" >&2
    exit 1
fi
find "$corpus" -type f -delete
# The smallest ones first.
find "$made" -type f -size -5k -printf '%s %p\n' | sort -n | head -n 300 | while read -r _ file; do
    cp "$file" "$corpus/"
done
printf '%s: %s files, %s bytes\n' "$target" "$(find "$corpus" -type f | wc -l)" \
    "$(cat "$corpus"/* | wc -c)"
