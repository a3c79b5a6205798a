#!/bin/sh
# SPDX-License-Identifier: MIT
# Tells findings of a fuzz target: runs each of their inputs once more, for what the program says of it, and names the
# files and the commands that show more. Ends with status 1 when there are any.
#   fuzz_tell.sh PROGRAM TARGET INPUT …   the program of the target, with any driver
set -u
program=$1
target=$2
shift 2
[ $# -gt 0 ] || exit 0
said=$(mktemp)
trap 'rm -f "$said"' EXIT
most=3
left=$most
printf '\n%s: findings: %d\n' "$target" $#
for input; do
    [ "$left" -gt 0 ] || break
    left=$((left - 1))
    status=0
    rm -f "$input.jsonl"
    timeout 300 "$program" "$input" >"$said" 2>&1 </dev/null || status=$?
    printf '\n'
    if [ "$status" -eq 0 ]; then
        printf '%s: no finding when it is run alone\n' "$target"
    elif grep -q '^fuzz: ' "$said"; then
        sed -n '/^fuzz: /,/^case: /p' "$said"
    else
        grep -E '^(SUMMARY|==[0-9]+==.*ERROR|ALARM|.*runtime error)' "$said"
    fi
    printf 'input: %s\nthe input again: %s %s\n' "$input" "$program" "$input"
    if [ -e "$input.jsonl" ]; then
        printf 'the case, step by step (make first): build/voxcert run --trace %s\n' "$input.jsonl"
        printf 'what fast makes of it: build/voxcert run --impl fast %s\n' "$input.jsonl"
        printf 'the exact judge: build/voxcert audit %s\n' "$input.jsonl"
    fi
done
[ $# -le "$most" ] || printf '\nand %d more: build/fuzz/findings/%s-*\n' $(($# - most)) "$target"
exit 1
