#!/bin/sh
# SPDX-License-Identifier: MIT
# Plants one fault after the other (fuzz/controls.txt) in a copy of the sources that it is about, and has the net
# that must catch it look, starting from the committed corpus. Fails when one stays green, and when a net
# catches it for another reason than the fault's.
# FAULT=NAME plants that one alone.
#   check_controls.sh DIRECTORY COMPILE …   a build with AddressSanitizer and the fuzz programs' objects in it; the
#                                           compiler with its flags
set -eu
build=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missed=0
caught=0
libraries=$(pkg-config --libs jansson nettle cairo fontconfig assimp libpng mpfr gmp)

# The program of a target with the changed sources in the place of the library's objects.
plant() {
    target=$1
    files=$2
    flags=$3
    change=$4
    shift 4
    objects=
    # shellcheck disable=SC2086 # files and flags are words on purpose
    for file in $files; do
        mkdir -p "$work/$(dirname "$file")"
        sed "$change" "$file" >"$work/$file" || return 1
        if [ -n "$change" ] && cmp -s "$file" "$work/$file"; then
            echo "controls: $file: the change finds nothing to change" >&2
            return 1
        fi
        object=$work/$(echo "$file" | tr / _).o
        "$@" -D_GNU_SOURCE -Iinclude -Iconformance -I. -I"$(dirname "$file")" $flags -c "$work/$file" -o "$object" ||
            return 1
        objects="$objects $object"
    done
    # shellcheck disable=SC2086
    "$@" -o "$work/net" $objects "$build/fuzz/$target.o" "$build/fuzz/run.o" "$build/libfuzz.a" "$build/libkit.a" \
        "$build/libvoxcert.a" $libraries -lm -ldl -pthread
}

# A port that does not answer some of the questions.
hanging_port() {
    "$build/voxcert" certify --port "$build/voxcert serve --bad hang --every 20" --filter B3.3 --timeout 0.1 \
        --results "$work/results.jsonl"
}

# What was found once more, as tools/fuzz.sh tells it: the input and its case lie side by side, and the vote is the
# same, or who hangs.
tells_it() {
    vote=$(grep -e '^vote: ' -e ' is still running after ' "$work/log") || return 0
    input=$(sed -n 's/^input: //p' "$work/log")
    # shellcheck disable=SC2086
    env $settings VX_FUZZ_FINDINGS="$work" tools/fuzz_tell.sh "$work/net" "$net" "$input" >"$work/told" 2>&1 </dev/null
    grep -qxF "$vote" "$work/told" && grep -qF "voxcert run --trace $input.jsonl" "$work/told" && [ -s "$input.jsonl" ] &&
        return 0
    cat "$work/told" >>"$work/log"
    return 1
}

while IFS=';' read -r name net executions settings files flags change says; do
    name=$(echo "$name" | tr -d ' ')
    case $name in
    '#'*) continue ;;
    esac
    [ "${FAULT:-$name}" = "$name" ] || continue
    net=$(echo "$net" | tr -d ' ')
    executions=$(echo "$executions" | tr -d ' ')
    says=$(echo "$says" | sed 's/^ *//; s/ *$//')
    change=$(echo "$change" | sed 's/^ *//; s/ *$//; s/+AND+/;/g')
    begin=$(date +%s)
    status=0
    if [ "$net" = certify ]; then
        hanging_port >"$work/log" 2>&1 </dev/null || status=$?
    else
        plant "$net" "$files" "$flags" "$change" "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
        # shellcheck disable=SC2086 # settings are words on purpose
        env $settings ASAN_OPTIONS=detect_leaks=1 VX_FUZZ_FINDINGS="$work" \
            "$work/net" --executions "$executions" --seed 1 "fuzz/corpus/$net" >"$work/log" 2>&1 </dev/null || status=$?
    fi
    if [ "$status" -ne 0 ] && grep -q "$says" "$work/log" && tells_it; then
        caught=$((caught + 1))
        printf 'caught %-22s by %-18s %3d s\n' "$name" "$net" $(($(date +%s) - begin))
    else
        missed=$((missed + 1))
        printf 'MISSED %-22s by %s (status %d):\n' "$name" "$net" "$status"
        tail -n 12 "$work/log"
    fi
done <fuzz/controls.txt
printf '%d caught, %d missed\n' "$caught" "$missed"
[ "$missed" -eq 0 ] && [ "$caught" -gt 0 ]
