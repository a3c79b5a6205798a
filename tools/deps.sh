#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs from Debian's packages what a group of targets lacks:
#   deps.sh build|certify|check|bench|gate|proofs|fuzz
# Says nothing and changes nothing when all is there. Without root or sudo it prints the one command.
set -eu

# What to look for, and the package that brings it.
build_needs='
command gcc gcc
command ld binutils
command pkg-config pkg-config
file /usr/include/stdio.h libc6-dev
module jansson libjansson-dev
module nettle nettle-dev
module cairo libcairo2-dev
module fontconfig libfontconfig-dev
module assimp libassimp-dev
module libpng libpng-dev
module mpfr libmpfr-dev
module gmp libgmp-dev'

certify_needs='
command node nodejs'

check_needs='
command git git
command g++ g++
command clang clang
command clang-format clang-format
command clang-tidy clang-tidy
command gcovr gcovr
command shellcheck shellcheck
command xmllint libxml2-utils
python jsonschema python3-jsonschema
module criterion libcriterion-dev
sanitizer address libclang-rt-14-dev'

gate_needs='
command valgrind valgrind'

bench_needs='
command g++ g++
file /usr/include/recastnavigation/Recast.h librecast-dev'

proofs_needs='
command gappa gappa'

fuzz_needs='
command clang clang
command afl-fuzz afl++
sanitizer fuzzer-no-link libclang-rt-14-dev'

present() {
    case $1 in
    command) command -v "$2" >/dev/null 2>&1 ;;
    module) pkg-config --exists "$2" 2>/dev/null ;;
    file) [ -e "$2" ] ;;
    python) [ -x /usr/bin/python3 ] && /usr/bin/python3 -c "import $2" 2>/dev/null ;;
    sanitizer) echo 'int main(void){return 0;}' |
        clang -x c -fsanitize="$2" - -o /dev/null 2>/dev/null ;;
    esac
}

missing() {
    while read -r kind name package; do
        if [ -n "$kind" ] && ! present "$kind" "$name"; then
            printf '%s ' "$package"
        fi
    done
}

case ${1:-} in
build) needs=$build_needs ;;
certify) needs=$build_needs$certify_needs ;;
check) needs=$build_needs$certify_needs$check_needs ;;
bench) needs=$build_needs$gate_needs$bench_needs ;;
gate) needs=$build_needs$gate_needs ;;
proofs) needs=$proofs_needs ;;
fuzz) needs=$build_needs$fuzz_needs ;;
*)
    echo "usage: $0 build|certify|check|bench|gate|proofs|fuzz" >&2
    exit 2
    ;;
esac

packages=$(printf '%s\n' "$needs" | missing)
[ -n "$packages" ] || exit 0

install="apt-get install -y --no-install-recommends ${packages% }"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "deps: this is no Debian system; please install what these packages bring: $packages" >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    sudo=sudo
else
    echo "deps: packages are missing, and this is neither root nor sudo. Please run this as root:" >&2
    echo "    apt-get update && $install" >&2
    exit 1
fi

echo "deps: installing ${packages% }" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # sudo may be empty, and the package names are words on purpose
if ! { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive $install; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "deps: the installation failed; the command was: apt-get update && $install" >&2
    exit 1
fi
