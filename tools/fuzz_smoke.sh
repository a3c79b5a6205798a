#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every fuzz target on fixed seeds: the corpus and everything that was ever found, judged by all judges, and
# then N mutations of both (20,000, or what EXECUTIONS says). Stops at the first finding.
#   fuzz_smoke.sh DIRECTORY TARGET …   where the programs are, built without a fuzzing engine
set -eu
programs=$1
shift
executions=${EXECUTIONS:-20000}
seed=${SEED:-1}
for target; do
    set -- "fuzz/corpus/$target"
    if [ -d "fuzz/regressions/$target" ]; then
        set -- "$@" "fuzz/regressions/$target"
    fi
    VX_FUZZ_REPLAY=1 VX_FUZZ_EXACT=1 "$programs/$target" "$@"
    told=$("$programs/$target" --executions "$executions" --seed "$seed" "$@")
    printf '%s\n' "$told"
    case $told in
    *" $executions mutations,"*) ;;
    *) echo "fuzz-smoke: $target: not as many mutations as were asked for" && exit 1 ;;
    esac
done
