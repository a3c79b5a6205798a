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
"$program" -merge=1 -use_counters=0 -max_len=4096 -verbosity=0 "$made" "$corpus" "$found" "$seeds" \
    >"$made.log" 2>&1 || { tail -n 20 "$made.log" >&2; exit 1; }
tail -n 1 "$made.log"
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
