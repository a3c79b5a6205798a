#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every fuzz target on fixed seeds: the corpus, everything that was ever found, and N mutations of both
# (20,000, or what EXECUTIONS says). Stops at the first finding. The least speeds are a tenth of what one
# processor of 2024 does, so that a busy machine does not fail.
#   fuzz_smoke.sh DIRECTORY   where the programs are, built without a fuzzing engine
set -eu
programs=$1
executions=${EXECUTIONS:-20000}
seed=${SEED:-1}
while read -r target minimum; do
    set -- "fuzz/corpus/$target"
    if [ -d "fuzz/regressions/$target" ]; then
        set -- "$@" "fuzz/regressions/$target"
    fi
    "$programs/$target" --executions "$executions" --seed "$seed" --minimum "$minimum" "$@"
done <<'TARGETS'
answers 1000
build3d_cases 3000
build3d_chunks 5000
build3d_fields 5000
build3d_merge 5000
build3d_rasterize 3000
build3d_volumes 5000
reader 1000
TARGETS
