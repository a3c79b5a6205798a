#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the figures that the project promises, on this machine, and prints them beside their goals.
set -eu
program=build/voxcert
terrain=${TERRAIN:-build/gcc-release/tools/terrain}
node=${NODE:-node}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

wall() { # wall COMMAND…: its wall-clock seconds
    begin=$(date +%s.%N)
    "$@" >"$folder/out" 2>&1 || { cat "$folder/out"; exit 1; }
    end=$(date +%s.%N)
    awk -v a="$begin" -v b="$end" 'BEGIN {printf "%.1f", b - a}'
}

hand=$(cat conformance/vectors/build3d/*.jsonl | wc -l)
made=$(cat conformance/vectors/build3d/generated/*.jsonl | wc -l)
echo "vectors: $((hand + made)), of which $hand shaped by hand (goal 600) and $made generated"
echo "ci tier over the JavaScript port: $(wall $program certify --port "$node conformance/ports/javascript/port.js") s (goal < 60)"

# Many small cases, so that starting up does not count: a thousand seeds of every family.
$program vectors generate --family all --seeds 1..1000 --out "$folder/many.jsonl" >/dev/null
seconds=$(wall $program certify --impl ref --vectors "$folder/many.jsonl")
cases=$(wc -l <"$folder/many.jsonl")
awk -v n="$cases" -v s="$seconds" \
    'BEGIN {printf "in-process: %d generated cases in %.1f s, %.0f a second, reading included (goal 20000)\n", n, s, n / s}'

"$terrain" obj 708 >"$folder/terrain.obj"
echo "import of $(grep -c ^f "$folder/terrain.obj") triangles: $(wall $program import "$folder/terrain.obj" \
    --cell-size 0.3 --cell-height 0.2 --out "$folder/terrain.jsonl") s (goal < 5)"
"$terrain" time 708
