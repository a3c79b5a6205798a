#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzzes a target with libFuzzer for SECS seconds in JOBS processes (2), from the committed corpus and what was
# found before (build/fuzz/found/TARGET, where new inputs go). A finding ends it, with its files in
# build/fuzz/findings, and is told last. Without one the last line says so, with how many executions there were and how
# many inputs are new; one process also tells its executions for each second on a processor, which other programs
# hardly change.
#   fuzz.sh PROGRAM TARGET SECS   PROGRAM built with MODE=fuzz
set -eu
program=$1
target=$2
seconds=$3
jobs=${JOBS:-2}
log=build/fuzz/$target.log
found=build/fuzz/found/$target
mkdir -p "$found" build/fuzz/findings
before=$(find "$found" -type f | wc -l)
# Little memory waits in quarantine: what was freed is taken again while it is in the cache.
export ASAN_OPTIONS="quarantine_size_mb=8:malloc_context_size=8${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
# Cases grow slowly, as they do by default where there is no custom mutator.
set -- -len_control=100 -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=4096 \
    -artifact_prefix="build/fuzz/findings/$target-" "$found" "fuzz/corpus/$target"
if [ -d "fuzz/regressions/$target" ]; then
    set -- "$@" "fuzz/regressions/$target"
fi
case $target in
reader | answers) set -- -dict=fuzz/json.dict "$@" ;;
esac
rm -f "$log.failed"
: >"$log.begin"
# In a group of its own, which ends with this script.
fuzzer=
trap '[ -z "$fuzzer" ] || kill -TERM "-$fuzzer" 2>/dev/null || :' EXIT
trap 'exit 1' HUP INT TERM
if [ "$jobs" -gt 1 ]; then
    : >"$log" # tail wants it, and the fuzzer may take a while to start
    setsid "$program" -fork="$jobs" "$@" >"$log" 2>&1 &
    fuzzer=$!
    tail -n +1 -s 0.2 -f --pid="$fuzzer" "$log" | grep --line-buffered -v NEW_FUNC &
else
    setsid "$program" -print_final_stats=1 "$@" >"$log" 2>&1 &
    fuzzer=$!
fi
wait "$fuzzer" || : >"$log.failed"
fuzzer=
wait # for tail
times >"$log.times" # its second line is that of the children: 1m2.5s 0m0.5s
if [ -e "$log.failed" ]; then
    inputs=$(find build/fuzz/findings -name "$target-*" ! -name '*.jsonl' ! -name '*-slow-unit-*' -newer "$log.begin")
    [ -n "$inputs" ] || tail -n 40 "$log"
    # shellcheck disable=SC2086 # names without spaces
    tools/fuzz_tell.sh "$program" "$target" $inputs
    exit 1
fi
awk -v target="$target" -v seconds="$seconds" -v jobs="$jobs" -v found="$found" \
    -v new=$(($(find "$found" -type f | wc -l) - before)) '
    function grouped(number) {
        number = number ""
        while (number ~ /[0-9][0-9][0-9][0-9]/) sub(/[0-9][0-9][0-9]($|,)/, ",&", number)
        return number
    }
    FNR == 1 {file++}
    file == 1 && FNR == 2 {split($0, time, /[ms ]+/); busy = 60 * (time[1] + time[3]) + time[2] + time[4]}
    /^stat::number_of_executed_units/ {executions = $2}
    jobs > 1 && /^#[0-9]+: cov: / {executions = substr($1, 2) + 0}
    / cov: / {for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1)}
    END {
        if (jobs == 1)
            printf "%s: %.0f executions a second on a processor, %d edges\n", target,
                executions / (busy > 0 ? busy : 1), edges
        printf "%s: no finding in %d s, %s executions, %s new inputs in %s\n", target, seconds,
            grouped(executions + 0), grouped(new), found
    }
' "$log.times" "$log"
