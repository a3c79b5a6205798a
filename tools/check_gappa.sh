#!/bin/sh
# SPDX-License-Identifier: MIT
# Has gappa prove the lemmas of docs/TRUST.md that are about roundings, and shows that it can fail.
#   check_gappa.sh DIRECTORY      with the scripts
set -u
failed=0
count=0
for script in "$1"/*.g; do
    count=$((count + 1))
    if ! gappa "$script"; then
        echo "check-gappa: $script is not proved" >&2
        failed=$((failed + 1))
    fi
done
# t may be off by 4 h: 3 h must not pass.
if sed 's/0x4\.02p-24/0x3p-24/g' "$1/crossing.g" | gappa >/dev/null 2>&1; then
    echo 'check-gappa: a bound that is too small was proved' >&2
    failed=$((failed + 1))
fi
[ "$failed" -eq 0 ] && echo "check-gappa: $count lemmas proved, a wrong one refused"
exit "$failed"
