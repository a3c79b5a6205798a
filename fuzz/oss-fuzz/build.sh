#!/bin/bash -eu
# SPDX-License-Identifier: MIT
# Builds every fuzz target into $OUT with the compiler, the flags and the engine that the builder names: CC, CFLAGS,
# CXX, CXXFLAGS, LIB_FUZZING_ENGINE, SRC, WORK. Corpora go beside the targets as NAME_seed_corpus.zip,
# dictionaries as NAME.dict. Libraries come from Debian's packages; those that the targets load go along.
cd "${PROJECT:-$SRC/voxcert}"
targets=$(make --no-print-directory -s fuzz-targets)
build=$WORK/voxcert-build
objects=
for target in $targets; do
    objects="$objects $build/fuzz/$target.o"
done
# The engine's flags alone decide about optimisation and sanitizers.
# shellcheck disable=SC2086 # a list of files
make -j"$(nproc)" CC="$CC" MODE=engine CFLAGS="$CFLAGS" OUT="$build" "$build/libfuzz.a" "$build/libkit.a" \
    "$build/libvoxcert.a" $objects
mkdir -p "$OUT/lib"
libraries=$(pkg-config --libs jansson nettle cairo fontconfig assimp libpng mpfr gmp)
for target in $targets; do
    # shellcheck disable=SC2016,SC2086 # flags, an engine and libraries are words; $ORIGIN is the loader's
    $CXX $CXXFLAGS "$build/fuzz/$target.o" "$build/libfuzz.a" "$build/libkit.a" "$build/libvoxcert.a" \
        $LIB_FUZZING_ENGINE $libraries -lm -ldl -pthread \
        -Wl,-rpath,'$ORIGIN/lib' -o "$OUT/$target"
    python3 -m zipfile -c "$OUT/${target}_seed_corpus.zip" "fuzz/corpus/$target/"*
    case $target in
    reader | answers) cp fuzz/json.dict "$OUT/$target.dict" ;;
    esac
    # What the machine that runs the targets may not have.
    ldd "$OUT/$target" | awk '$3 ~ /^\/usr\/lib/ {print $3}' | xargs -r -I{} cp -n {} "$OUT/lib/"
done
