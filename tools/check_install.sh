#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs into a folder of its own, then builds and runs a C and a C++ program against what is there.
set -eu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
${MAKE:-make} --no-print-directory install DESTDIR="$root" PREFIX=/usr >/dev/null
"$root/usr/bin/voxcert" explain B2.21 | grep -q 'Wall on a grid line'
"$root/usr/bin/voxcert" vectors check >/dev/null
cat >"$root/user.c" <<'END'
#include <stdio.h>
#include <voxcert/build3d.h>
int main(void)
{
    vx_arena arena;
    vx_arena_init_growable(&arena, 1 << 16, 1 << 24);
    vx_frame frame = {};
    frame.cell_size = frame.cell_height = 1;
    frame.size[0] = frame.size[1] = frame.size[2] = 4;
    vx_build3d *field;
    const vx_span span = {1, 2, 0, 3, 63};
    vx_solid_row row;
    if (vx_ref_build3d.open(&arena, &frame, &field, NULL) != VX_OK ||
        vx_ref_build3d.add_spans(field, &span, 1, 4, NULL) != VX_OK ||
        vx_ref_build3d.read_solid(field, &row, 1, NULL) != VX_OK) {
        return 1;
    }
    printf("%d %d %d %d %d\n", (int)row.x, (int)row.z, (int)row.min, (int)row.max, (int)row.area);
    vx_ref_build3d.close(field);
    vx_arena_free(&arena);
    return 0;
}
END
for compiler in 'gcc -std=gnu17' 'clang -std=gnu17' 'g++ -x c++ -std=c++17'; do
    # shellcheck disable=SC2086 # a compiler with its options
    $compiler -I"$root/usr/include" "$root/user.c" -x none "$root/usr/lib/libvoxcert.a" -lm -o "$root/user"
    [ "$("$root/user")" = '1 2 0 3 63' ]
done
echo 'the installed program, headers and library work'
