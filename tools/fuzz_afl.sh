#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzzes a target with AFL++: a main and a secondary instance for SECS seconds, then what they found made few
# (afl-cmin) and each small (afl-tmin, as many as MINIMISED says) in build/fuzz/found/TARGET, from where
# `make fuzz-corpus` takes it. Fails when there is a crash or a hang.
#   fuzz_afl.sh PROGRAM TARGET SECS   PROGRAM built by afl-clang-fast
set -eu
program=$1
target=$2
seconds=$3
work=build/fuzz/afl/$target
found=build/fuzz/found/$target
rm -rf "$work"
mkdir -p "$work" "$found" build/fuzz/findings
export AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1
export AFL_NO_STARTUP_CALIBRATION=1
# The targets of cases have a mutator of their own, which AFL++ uses beside its own ones.
if [ -e "${program%.afl}.mutator.so" ]; then
    AFL_CUSTOM_MUTATOR_LIBRARY=$(realpath "${program%.afl}.mutator.so")
    export AFL_CUSTOM_MUTATOR_LIBRARY
fi

instance() {
    role=$1
    shift
    set -- "$@" -i "fuzz/corpus/$target" -o "$work/out" -V "$seconds" -m none
    case $target in
    reader | answers) set -- "$@" -x fuzz/json.dict ;;
    esac
    exec afl-fuzz "$role" "$target-$role" "$@" -- "$program" >"$work/$role.log" 2>&1
}

# Neither outlives the other one's failure, or this script.
main=
secondary=
trap 'kill $main $secondary 2>/dev/null || :' EXIT
trap 'exit 1' HUP INT TERM
instance -M &
main=$!
instance -S &
secondary=$!
wait "$main" || { tail -n 20 "$work/-M.log"; exit 1; }
wait "$secondary" || { tail -n 20 "$work/-S.log"; exit 1; }
trap - EXIT HUP INT TERM
grep -hE '^(execs_done|execs_per_sec|bitmap_cvg|saved_crashes|saved_hangs)' "$work"/out/*/fuzzer_stats

mkdir "$work/queue"
for file in "$work"/out/*/queue/id*; do
    cp "$file" "$work/queue/$(sha256sum "$file" | cut -c 1-16)"
done
afl-cmin -i "$work/queue" -o "$work/cmin" -m none -- "$program" >"$work/cmin.log" 2>&1
find "$work/cmin" -type f | head -n "${MINIMISED:-20}" | while read -r file; do
    afl-tmin -i "$file" -o "$found/$(basename "$file")" -m none -- "$program" >"$work/tmin.log" 2>&1
done
printf '%s: %s inputs, %s after afl-cmin\n' "$target" "$(find "$work/queue" -type f | wc -l)" \
    "$(find "$work/cmin" -type f | wc -l)"
# Under the names that libFuzzer gives, which those of their cases begin with.
set --
for file in "$work"/out/*/crashes/id* "$work"/out/*/hangs/id*; do
    [ -e "$file" ] || continue
    input=build/fuzz/findings/$target-crash-$(sha1sum "$file" | cut -c 1-40)
    cp "$file" "$input"
    set -- "$@" "$input"
done
tools/fuzz_tell.sh "$program" "$target" "$@"
printf '%s: no finding in %s s\n' "$target" "$seconds"
