#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzzes a target with libFuzzer for SECS seconds in two processes, from the committed corpus and what was found
# before (build/fuzz/found/TARGET, where new inputs go). A finding ends it, with its files in
# build/fuzz/findings.
#   fuzz.sh PROGRAM TARGET SECS   PROGRAM built with MODE=fuzz
set -eu
program=$1
target=$2
seconds=$3
mkdir -p "build/fuzz/found/$target" build/fuzz/findings
set -- -fork="${JOBS:-2}" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=4096 \
    -artifact_prefix="build/fuzz/findings/$target-" "build/fuzz/found/$target" "fuzz/corpus/$target"
if [ -d "fuzz/regressions/$target" ]; then
    set -- "$@" "fuzz/regressions/$target"
fi
case $target in
reader | answers) set -- -dict=fuzz/json.dict "$@" ;;
esac
"$program" "$@"
