#!/usr/bin/env bash
# The short part of dropin/numpy-tests.sh: passes; and finds a test that passes without Tilework alone.
set -euo pipefail
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_lapack.so" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
status=0
bash "$TILEWORK_SOURCE/dropin/numpy-tests.sh" "$TILEWORK_BUILD" --short || status=$?
[ $status = 0 ] || exit $status

# Planted: an inverse that is wrong by 1e-5.
mkdir "$work/dropin"
cp "$TILEWORK_SOURCE/dropin/numpy-tests.sh" "$work/dropin"; cp -r "$TILEWORK_SOURCE/python" "$work"
echo 'functions["inv"] = (lambda inv: lambda a: inv(a) * 1.00001)(functions["inv"])' >> "$work/python/tilework/_numpy.py"
bash "$work/dropin/numpy-tests.sh" "$TILEWORK_BUILD" --short --only numpy.linalg.tests.test_linalg > "$work/log" 2>&1 || status=$?
[ $status = 1 ] && grep -q 'TestInv::test_sq_cases' "$work/log" || { cat "$work/log"; echo "a wrong inverse was not found (exit status $status)"; exit 1; }
echo "found: a wrong inverse"
