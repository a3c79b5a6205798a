#!/bin/sh
# SPDX-License-Identifier: MIT
# Holds the code to the house rules: format, clang-tidy, walls between rooms, symbols, headers.
# lint.sh BUILD_DIR: the directory with the libraries of a finished build.
set -u
build=$1
failures=0

fail() {
    printf 'lint: %s\n' "$1"
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" | head -n 40
    failures=$((failures + 1))
}

c_files=$(git ls-files '*.c' '*.h' '*.cc')
sources=$(git ls-files 'common/*.c' 'ref/*.c' 'fast/*.c' 'oracle/*.c' 'conformance/*.c' 'tools/*.c' 'bench/*.c' 'fuzz/*.c')
scripts=$(git ls-files '*.sh' '.ci/*')

# shellcheck disable=SC2086 # the lists are words on purpose, here and below
found=$(clang-format --dry-run -Werror $c_files 2>&1) || fail 'not in the format of .clang-format' "$found"

# shellcheck disable=SC2086
found=$(shellcheck $scripts 2>&1) || fail 'shellcheck' "$found"

for file in $c_files; do
    head -n 1 "$file" | grep -q 'SPDX-License-Identifier: MIT' || fail "$file: line 1 must be the SPDX line"
    sed -n 2p "$file" | grep -q '^/\* .' || fail "$file: line 2 must say what the file is for"
done

# Walls: who may include what.
found=$(grep -n '#include "' ref/*/*.[ch] | grep -v -e '"voxcert/' -e '"ref\.h"')
[ -z "$found" ] || fail 'ref includes only voxcert/… and its own header' "$found"
found=$(grep -n '#include "' oracle/*/*/*.[ch] oracle/*/*.h | grep -v -e '"voxcert/' -e '"\.\./oracle\.h"' -e '"[a-z]*\.h"')
[ -z "$found" ] || fail 'an oracle includes only voxcert/… and its own headers' "$found"
found=$(grep -n '#include "' common/*.c include/voxcert/*.h | grep -v '"voxcert/')
[ -z "$found" ] || fail 'common and the public headers include only voxcert/…' "$found"
found=$(grep -n '#include "' fast/*/*.[ch] | grep -v -e '"voxcert/' -e '"[a-z]*\.h"')
[ -z "$found" ] || fail 'fast includes only voxcert/… and its own headers' "$found"
found=$(grep -nE '#include <(jansson|nettle|cairo|assimp|png)' common/*.c ref/*/*.[ch] fast/*/*.[ch] include/voxcert/*.h)
[ -z "$found" ] || fail 'libraries are known in conformance and oracle alone' "$found"
found=$(grep -niE 'build3d' conformance/*.[ch] | grep -v -e 'chapter\.c:' -e '^[^:]*:[0-9]*:[^"]*/[/*]')
[ -z "$found" ] || fail 'outside conformance/build3d the kit knows no chapter' "$found"
found=$(grep -n '#include "bench/' common/*.c ref/*/*.[ch] fast/*/*.[ch] conformance/*.[ch] conformance/*/*.[ch])
[ -z "$found" ] || fail 'only tests and tools know the bench' "$found"
# shellcheck disable=SC2086
found=$(grep -nE '\blong double\b|-ffast-math|-Ofast' $c_files Makefile)
[ -z "$found" ] || fail 'long double and fast-math are forbidden' "$found"

found=$(grep -nE '^Test.*\.timeout' tests/*.c)
[ -z "$found" ] || fail "Criterion's timeouts leak; test_deadline ends a test" "$found"

# A machine without a compiler: what compiles has to wait for the packages.
found=$(make --no-print-directory -pn all test test-plain 2>/dev/null |
    grep -E '^build/[^ %]*\.o: [^ ]*\.(c|cc|S) ' | grep -v '|.* build/deps-')
[ -z "$found" ] || fail 'objects that do not wait for the packages' "$found"

# Every public header compiles alone, as C17 and as C++17.
for header in include/voxcert/*.h; do
    name=${header#include/}
    for compiler in gcc clang; do
        found=$(printf '#include "%s"\n#include "%s"\n' "$name" "$name" |
            $compiler -std=c17 -Wall -Wextra -Wpedantic -Wundef -Werror -Iinclude -x c -fsyntax-only - 2>&1) ||
            fail "$header does not compile alone as C17 ($compiler)" "$found"
    done
    found=$(printf '#include "%s"\n' "$name" |
        g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -Iinclude -x c++ -fsyntax-only - 2>&1) ||
        fail "$header does not compile alone as C++17" "$found"
done

# External symbols start with vx_, those of a layer with the layer's prefix.
found=$(nm -g --defined-only "$build/libvoxcert.a" "$build/libkit.a" 2>/dev/null |
    awk 'NF == 3 {print $3}' | grep -v -e '^vx_' -e '^__asan' -e '^__odr_asan' -e '^DW\.ref')
[ -z "$found" ] || fail 'external symbols must start with vx_' "$found"
found=$(for object in "$build"/ref/*/*.o; do nm -g --defined-only "$object"; done |
    awk 'NF == 3 {print $3}' | grep -v '^vx_ref_')
[ -z "$found" ] || fail 'external symbols of ref must start with vx_ref_' "$found"
found=$(for object in "$build"/fast/*/*.o; do nm -g --defined-only "$object"; done |
    awk 'NF == 3 {print $3}' | grep -v '^vx_fast_')
[ -z "$found" ] || fail 'external symbols of fast must start with vx_fast_' "$found"

found=$(for object in "$build"/oracle/*/replay/*.o; do nm -g --defined-only "$object"; done |
    awk 'NF == 3 {print $3}' | grep -v '^vx_replay_')
[ -z "$found" ] || fail 'external symbols of the replay must start with vx_replay_' "$found"

found=$(for object in "$build"/oracle/*/exact/*.o; do nm -g --defined-only "$object"; done |
    awk 'NF == 3 {print $3}' | grep -v '^vx_exact_')
[ -z "$found" ] || fail 'external symbols of the exact judge must start with vx_exact_' "$found"

# clang-tidy, with function sizes and nesting from .clang-tidy.
tidy=$(mktemp)
flags="-std=c17 -D_GNU_SOURCE -DVX_BENCH_COMPILER=__VERSION__ -DVX_BENCH_FLAGS=__VERSION__ -Iinclude -Iconformance -I. $(pkg-config --cflags jansson nettle cairo assimp libpng mpfr gmp)"
# shellcheck disable=SC2016,SC2086 # the inner shell expands its own arguments
printf '%s\n' $sources | FLAGS=$flags xargs -P 2 -n 4 \
    sh -c 'clang-tidy --quiet "$@" -- $FLAGS' tidy >"$tidy" 2>/dev/null
if grep -q -e 'warning:' -e 'error:' "$tidy"; then
    fail 'clang-tidy' "$(grep -e 'warning:' -e 'error:' "$tidy" | sort -u | sed "s|$PWD/||")"
fi
rm -f "$tidy"

if [ "$failures" -gt 0 ]; then
    echo "lint: $failures rule(s) broken"
    exit 1
fi
echo 'lint: all rules hold'
