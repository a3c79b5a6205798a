#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds with coverage counters, runs the unit tests, and fails below the bounds: ref, oracles and the
# kit at 95 % of lines, ref at 95 % of branches.
set -eu
out=build/gcc-cov
find "$out" -name '*.gcda' -delete 2>/dev/null || true
${MAKE:-make} --no-print-directory test CC=gcc MODE=cov CI=1

echo '--- ref'
gcovr --gcov-ignore-parse-errors --root . "$out/ref" --filter 'ref/' --fail-under-line 95 --fail-under-branch 95
echo '--- oracle'
gcovr --gcov-ignore-parse-errors --root . "$out/oracle" --filter 'oracle/' --fail-under-line 95
echo '--- conformance and common'
gcovr --gcov-ignore-parse-errors --root . "$out/conformance" "$out/common" --filter 'conformance/' --filter 'common/' \
    --fail-under-line 95
