#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the committed corpus of a target small, quick and good. Of the files there, of those that fuzzing found and of
# the seeds, as far as they have at most 4 KiB, it takes the cheapest input of every edge: at most 300 files.
#   fuzz_corpus.sh FUZZER PROGRAM TARGET   FUZZER built with MODE=fuzz, PROGRAM with MODE=asan
set -eu
fuzzer=$1
program=$2
target=$3
corpus=fuzz/corpus/$target
work=build/fuzz/merged/$target
rm -rf "$work"
mkdir -p "$work/all" "$work/none" "$corpus"
for from in "$corpus" "build/fuzz/found/$target" "build/fuzz/seeds/$target"; do
    mkdir -p "$from"
    find "$from" -type f -size -5k -exec sha1sum {} +
done | while read -r sum path; do
    cp "$path" "$work/all/$sum"
done
export ASAN_OPTIONS="quarantine_size_mb=8:malloc_context_size=8"
# What each input reaches is in libFuzzer's control file. Edges, not how often they are taken: that many more files
# would say little more.
"$fuzzer" -set_cover_merge=1 -merge_control_file="$work/reach" -use_counters=0 -max_len=4096 -verbosity=0 \
    "$work/none" "$work/all" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
VX_FUZZ_REPLAY=0 VX_FUZZ_EXACT=0 "$program" --costs 5 "$work/all" >"$work/measured"
sort -n "$work/measured" >"$work/costs"
# The cheapest first, an input is kept that reaches an edge which none before it does. Then the dearest first, it is
# left out again where the others reach its edges together and it costs more than `cheap` or they are more than
# `most`, and where it costs more than `price` for each edge that it alone reaches. Are they still more, the dearest go.
# Costs are in microseconds.
awk -v most=300 -v cheap=30 -v price=150 -v told="$work/told" '
    function leave_out(k,    i, n, edges) {
        n = split(reached[input[k]], edges, " ")
        for (i = 1; i <= n; i++) lost += --times[edges[i]] == 0
        is_out[k] = 1
        left--
    }
    FNR == 1 {file++}
    file == 1 && $1 ~ /^build\// {paths[known++] = $1}
    file == 1 && $1 == "FT" {path = paths[$2]; sub(/^FT [0-9]+ ?/, ""); reached[path] = $0}
    file == 2 {
        n = split(reached[$2], edges, " ")
        new = 0
        for (i = 1; i <= n; i++) new += !times[edges[i]]
        if (new > 0) {
            for (i = 1; i <= n; i++) times[edges[i]]++
            known_edges += new
            cost[++kept] = $1
            input[kept] = $2
        }
    }
    END {
        left = kept
        for (k = kept; k > 0; k--) {
            n = split(reached[input[k]], edges, " ")
            own = 0
            for (i = 1; i <= n; i++) own += times[edges[i]] == 1
            limit = own > 0 ? price * own : left > most ? 0 : cheap
            if (cost[k] > limit) leave_out(k)
        }
        for (k = kept; left > most; k--) {
            if (!is_out[k]) leave_out(k)
        }
        for (k = 1; k <= kept; k++) {
            if (is_out[k]) continue
            sum += cost[k]
            print input[k]
        }
        printf "%d of %d edges, %.0f microseconds an input\n", known_edges - lost, known_edges, sum / (left + !left) >told
    }
' "$work/reach" "$work/costs" >"$work/chosen" || : >"$work/chosen"
if [ ! -s "$work/chosen" ]; then
    echo "fuzz-corpus: $target: nothing was chosen; $corpus stays as it is" >&2
    exit 1
fi
# The old files go when the new ones are all there.
mkdir "$work/new"
xargs cp -t "$work/new" <"$work/chosen"
rm -r "$corpus"
mv "$work/new" "$corpus"
printf '%s: %s files, %s bytes, %s\n' "$target" "$(find "$corpus" -type f | wc -l)" \
    "$(cat "$corpus"/* | wc -c)" "$(cat "$work/told")"
