#!/bin/sh
# SPDX-License-Identifier: MIT
# Tells findings of a fuzz target: runs each of their inputs once more, for what the program says of it, and names the
# files and the commands that show more. Ends with status 1 when there are any.
#   fuzz_tell.sh PROGRAM TARGET INPUT …   the program of the target, with any driver; what VX_FUZZ_… say
#                                         holds here, too
set -u
program=$1
target=$2
shift 2
[ $# -gt 0 ] || exit 0
said=$(mktemp)
trap 'rm -f "$said"' EXIT
most=3
left=$most

# The line of what was said with that pattern, as sed makes it.
line() {
    sed -n "s/$1/\\1/p" "$said" | head -n 1
}

# Who is wrong, so far as the vote says it, and two that part.
read_vote() {
    wrong=
    sides=
    vote=$(line '^vote: \(.*\)')
    case $vote in
    *' outvote '*)
        wrong=${vote##* }
        sides="${vote%% *} $wrong"
        ;;
    'no two agree')
        wrong=$(line '^\([a-z]* and [a-z]*\) differ .*' | sed 's/ and / /')
        sides=$wrong
        ;;
    'the exact judge against '*)
        wrong=$(printf '%s' "${vote#the exact judge against }" | tr -d ,)
        case " $wrong " in *' replay '*) ;; *) sides="replay ${wrong%% *}" ;; esac
        ;;
    esac
}

# Commands to copy, each with what it is for. The case ends where the fault shows, so both sides have an answer to it.
tell_commands() {
    case=$1
    voxcert=build/voxcert
    hanging=$(line '^\([a-z]*\) is still running after .*')
    printf 'make all   # build/voxcert must hold the change\n'
    if [ -n "$hanging" ]; then
        voxcert="timeout 10 $voxcert"
        printf '%s run --impl %s %s   # hangs\n' "$voxcert" "$hanging" "$case"
    fi
    read_vote
    if [ -n "$sides" ]; then
        printf 'diff -u --label %s --label %s <(%s run --impl %s %s) <(%s run --impl %s %s)   # both sides, in bash\n' \
            "${sides% *}" "${sides#* }" "$voxcert" "${sides% *}" "$case" "$voxcert" "${sides#* }" "$case"
    fi
    for side in $wrong; do
        printf '%s audit --impl %s %s   # the exact judge\n' "$voxcert" "$side" "$case"
    done
    printf '%s run --trace %s   # step by step, by ref\n' "$voxcert" "$case"
}

# libFuzzer alone would wait for twenty minutes, and cannot say who hangs.
patience=
plain=
case $program in
*.libfuzzer)
    patience=-timeout=10
    plain=build/clang-asan/fuzz/$target
    ;;
esac
again="$program${patience:+ $patience}"
for name in VX_FUZZ_SECONDS VX_FUZZ_EXACT VX_FUZZ_REPLAY; do
    value=$(printenv "$name") && again="$name=$value $again"
done
printf '\n%s: findings: %d\n' "$target" $#
for input; do
    [ "$left" -gt 0 ] || break
    left=$((left - 1))
    status=0
    rm -f "$input.jsonl"
    # shellcheck disable=SC2086 # a word or none
    timeout 300 "$program" $patience "$input" >"$said" 2>&1 </dev/null || status=$?
    printf '\n'
    if [ "$status" -eq 0 ]; then
        printf '%s: no finding when it is run alone\n' "$target"
    elif grep -q '^fuzz: ' "$said"; then
        sed -n '/^input: /d; /^fuzz: /,/^case: /p; /^case: /q' "$said"
    else
        grep -E '^(SUMMARY|==[0-9]+==.*ERROR|ALARM|.*runtime error)' "$said"
    fi
    printf 'input: %s\nthe input again: %s %s\n' "$input" "$again" "$input"
    if [ -n "$plain" ] && grep -q '^SUMMARY: libFuzzer: timeout' "$said"; then
        printf 'who hangs, and where: make CC=clang MODE=asan %s && %s %s\n' "$plain" "$plain" "$input"
    fi
    if [ -e "$input.jsonl" ]; then
        tell_commands "$input.jsonl"
    fi
done
[ $# -le "$most" ] || printf '\nand %d more: build/fuzz/findings/%s-*\n' $(($# - most)) "$target"
exit 1
