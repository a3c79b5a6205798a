#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs fuzz targets on fixed seeds: everything that was ever found and the corpus, judged by all judges, and then N
# mutations of both (20,000, or what EXECUTIONS says). Stops at the first finding, which is told last.
#   fuzz_smoke.sh DIRECTORY TARGET …   where the programs are, built without a fuzzing engine
set -eu
programs=$1
shift
executions=${EXECUTIONS:-20000}
seed=${SEED:-1}
said=$(mktemp)
trap 'rm -f "$said"' EXIT

# Shows what the program of the target says.
run() {
    status=0
    "$programs/$target" "$@" >"$said" 2>&1 || status=$?
    cat "$said"
    [ "$status" -ne 0 ] || return 0
    input=$(sed -n 's/^input: //p' "$said")
    [ -z "$input" ] || tools/fuzz_tell.sh "$programs/$target" "$target" "$input"
    exit 1
}

for target; do
    set -- "fuzz/corpus/$target"
    if [ -d "fuzz/regressions/$target" ]; then
        set -- "fuzz/regressions/$target" "$@"
    fi
    (
        export VX_FUZZ_REPLAY=1 VX_FUZZ_EXACT=1
        run "$@"
    )
    run --executions "$executions" --seed "$seed" "$@"
    grep -qF " $executions mutations," "$said" || {
        echo "fuzz-smoke: $target: not as many mutations as were asked for"
        exit 1
    }
done
