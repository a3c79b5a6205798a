#!/bin/sh
# SPDX-License-Identifier: MIT
# Does in a clean clone what the README tells a newcomer to do: every line of its shell blocks that are
# marked with <!-- tested -->, in order, each of which must succeed.
set -eu
clone=$(mktemp -d)
trap 'rm -rf "$clone"' EXIT
git clone -q . "$clone/voxcert"
cd "$clone/voxcert"
awk '/<!-- tested -->/ {want = 1} /^```/ {if (inside) {inside = 0} else if (want) {inside = 1; want = 0; next}} inside' \
    README.md >"$clone/commands"
[ -s "$clone/commands" ] || { echo 'README.md has no tested commands'; exit 1; }
while read -r command; do
    printf '$ %s\n' "$command"
    sh -c "$command" </dev/null || { echo "README command failed: $command"; exit 1; }
done <"$clone/commands"
[ -z "$(git status --porcelain)" ] || { git status --short; echo 'the commands left files behind'; exit 1; }
