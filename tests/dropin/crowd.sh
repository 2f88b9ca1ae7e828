#!/usr/bin/env bash
# 1000 random calls from 8 threads with forks between, all taken: right, no deadlock, none that comes back to us.
set -euo pipefail
: "${TILEWORK_BUILD:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_lapack.so" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
program=$TILEWORK_BUILD/tests/dropin/crowd
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
timeout 120 "$program" || { echo "FAILED: the program fails by itself"; exit 1; }
for nb in 16 40; do
  TILEWORK_CROSSOVER=0 TILEWORK_NB=$nb timeout 300 "$TILEWORK_BUILD/bin/tilework" run --report="$work/report" --min 0 -- "$program" ||
    { echo "FAILED: status $? with tiles of $nb"; exit 1; }
  # The parent's calls: the 1000 of its own, each of which was taken. One that came back would be a call of libtilework's libraries.
  tail -n 1 "$work/report" > "$work/parent"
  calls=$(sed -n 's/.*"forked": false, "calls": \([0-9]*\), "taken": \([0-9]*\).*/\1 \2/p' "$work/parent")
  [ "$calls" = "1000 1000" ] || { cat "$work/parent"; echo "FAILED: calls and taken ones are '$calls'"; exit 1; }
  if grep -E '"(caller|called_by)": "[^"]*(libtilework|starpu|lapacke|openblas)' "$work/parent"; then echo "FAILED: calls from inside"; exit 1; fi
done
echo passed
