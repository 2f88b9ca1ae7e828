#!/usr/bin/env bash
# A real run, its Paje file through ViTE without a display, and a look at the picture: the tasks are in it as boxes.
. "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
command -v vite > /dev/null || skip "vite is not installed (package vite)"

# The sample in the tree: 56 tasks.
sample=$source_dir/traces/sample/potrf.paje
n=$(drawn "$sample")
[ "$n" -eq 56 ] || die "the sample trace has 56 tasks, ViTE drew $n"

# 8 x 8 tiles: 8 * 9 * 10 / 6 = 120 tasks. --trace writes all four files.
"$tilework" potrf --n 1024 --nb 128 --trace "$work/run"
for extension in paje json svg html; do
  [ -s "$work/run.$extension" ] || die "the command left no run.$extension"
done
for expected in potrf:8 trsm:28 syrk:28 gemm:56; do
  kernel=${expected%:*}
  id=$(sed -n "s/^4 \(k[0-9]*\) S \"$kernel\" .*/\1/p" "$work/run.paje")
  [ -n "$id" ] || die "the trace knows no $kernel"
  tasks=$(grep -cE "^8 [0-9.]+ S w[0-9]+ $id " "$work/run.paje" || true)
  [ "$tasks" -eq "${expected#*:}" ] || die "expected ${expected#*:} tasks of $kernel, the trace has $tasks"
done
n=$(drawn "$work/run.paje")
echo "run: 120 tasks, of which ViTE drew $n"
[ "$n" -ge 60 ] && [ "$n" -le 120 ] || die "120 tasks (the narrowest need not show), but ViTE drew $n"

# One variable does the same for any program.
TILEWORK_TRACE=$work/variable "$tilework" potrf --n 1024 --nb 256
[ -s "$work/variable.paje" ] || die "TILEWORK_TRACE left no trace"
n=$(drawn "$work/variable.paje")
[ "$n" -ge 10 ] || die "a Cholesky of 4 x 4 tiles has 20 tasks, ViTE drew $n"
