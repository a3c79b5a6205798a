#!/bin/sh
# SPDX-License-Identifier: MIT
# Counts the instructions of every kernel with callgrind and holds them to counts of before, which are committed.
#   gate.sh check  PROGRAM COUNTS [OPTION …]   fails (status 6) where a count is more than 2 % higher
#   gate.sh update PROGRAM COUNTS [OPTION …]   writes COUNTS anew
# PROGRAM is the bench's voxcert, OPTIONs are for its command count: --lib FILE counts a library's implementation.
set -eu
[ $# -ge 3 ] || { sed -n '3,6s/^# //p' "$0" >&2; exit 2; }
action=$1
program=$2
counts=$3
shift 3
work=$(mktemp -d)
counted=$program.counted # beside the program, which looks for its data from there
trap 'rm -rf "$work" "$counted"' EXIT
writes='make bench-gate-update'
[ "${1:-}" != --lib ] || writes="$writes LIB=$2"
[ "${1:-}" != --lib ] || [ "$counts" = "$2.counts" ] || writes="$writes COUNTS=$counts"

if [ "$action" = check ] && [ ! -e "$counts" ]; then
    echo "gate: $counts is not there: counts hold for one compiler; $writes writes it" >&2
    exit 4
fi

# Valgrind gives up on clang's debug information, which does not count.
objcopy --strip-debug "$program" "$counted"
if ! valgrind --tool=callgrind --callgrind-out-file="$work/out" --instr-atstart=no --collect-atstart=no \
    "$counted" count "$@" >"$work/log" 2>&1; then
    tail -n 20 "$work/log" >&2
    exit 5
fi

# A file for each kernel: "desc: Trigger: Client Request: KERNEL" and "summary: COUNT".
cat "$work"/out.* | awk '
    sub(/^desc: Trigger: Client Request: /, "") {kernel = $0}
    sub(/^summary: /, "") && kernel != "" {print kernel "\t" $0; kernel = ""}' | sort >"$work/now"
[ -s "$work/now" ] || { echo 'gate: callgrind counted nothing' >&2; exit 5; }

if [ "$action" = update ]; then
    mkdir -p "$(dirname "$counts")"
    cp "$work/now" "$counts"
    echo "gate: $(($(wc -l <"$counts"))) counts written to $counts"
    exit 0
fi

awk -F '\t' -v most=2 -v writes="$writes" '
    FNR == NR {before[$1] = $2; next}
    {seen[$1] = 1; kernels++}
    !($1 in before) {printf "gate: %s: no count is kept\n", $1; bad++; next}
    {change = 100 * ($2 - before[$1]) / before[$1]}
    change > most {printf "gate: %s: %d before, %d now, %+.1f %%\n", $1, before[$1], $2, change; bad++}
    change < -most {better++}
    END {
        for (kernel in before) if (!(kernel in seen)) {printf "gate: %s: is no longer counted\n", kernel; bad++}
        if (bad) {printf "gate: %d of %d kernels fail; a bound of +%d %%\n", bad, kernels, most; exit 6}
        printf "gate: %d kernels, none above +%d %%", kernels, most
        if (better) printf "; %d are lower by more, which %s keeps", better, writes
        printf "\n"
    }' "$counts" "$work/now"
