#!/usr/bin/env bash
# The bars of unchanged programs on cores alone (docs/dropin.md): a Cholesky factorization of NumPy's and one of SciPy's by Tilework's ways against themselves without, on the same kernels of OpenBLAS, in pairs one right after the other, so that a machine with
# other work does the same to both. What counts is the median of the pairs' ratios; the processor time's ratio stands beside it, which other work disturbs less.
#
#   tests/bench/dropin-pairs.sh [preload] [patch] [--pairs P] [--n N] [--out FILE] [--build DIR]
#
# Each run is a process: two calls, of which the second is timed. FILE (default ./dropin-pairs.sh-results.jsonl) gets a line of JSON for each run, and one for each comparison:
#   preload  `tilework run`, np.linalg.cholesky and scipy's cho_factor in place: no slower (bar 1: time without / with)
#   patch    `python3 -m tilework`, np.linalg.cholesky (bar 2)
# Exit status: 0 only if all were measured and both bars met.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
pairs=5 n=8192 chosen= out=$PWD/dropin-pairs.sh-results.jsonl build=$root/build
while [ $# -gt 0 ]; do
  case $1 in
    preload|patch) chosen="$chosen $1"; shift ;;
    --pairs) pairs=$2; shift 2 ;;
    --n) n=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --build) build=$2; shift 2 ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
build=$(cd "$build" && pwd)
python=
for p in python3 /usr/bin/python3; do
  if [ -z "$python" ] && command -v $p > /dev/null && $p -c 'import numpy, scipy.linalg' 2> /dev/null; then python=$p; fi
done
[ -n "$python" ] || { echo "no Python with NumPy and SciPy here (packages python3-numpy, python3-scipy)"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
export TILEWORK_CACHE_DIR=$work/cache STARPU_HOME=$work STARPU_PERF_MODEL_DIR=$work/sampling LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PYTHONDONTWRITEBYTECODE=1
export STARPU_NCUDA=0
eval "$("$build/bin/tilework" env)"      # the kernels that `tilework run` chooses, for all
"$build/bin/tilework" info > /dev/null      # the machine profile is there
cat > "$work/program.py" <<'P'
import sys
import time
import numpy as np
import scipy.linalg as sl

what, n = sys.argv[1], int(sys.argv[2])
a = np.full((n, n), 0.5)
a += np.diag(np.full(n, float(n)))
if what == "cho_factor":
    a = np.asfortranarray(a)
for k in range(2):
    b = a.copy(order="K")
    begin, cpu = time.perf_counter(), time.process_time()
    if what == "cholesky":
        f = np.linalg.cholesky(b)
    else:
        f = sl.cho_factor(b, lower=True, overwrite_a=True, check_finite=False)[0]
    seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
# The first column, and one in the middle, are known: A = n I + 0.5.
assert abs(f[0, 0] - (n + 0.5) ** 0.5) < 1e-9 * n and abs(f[n - 1, 0] - 0.5 / (n + 0.5) ** 0.5) < 1e-9
s = 0.5 / (1 + 0.5 * (n // 2) / n)
assert abs(f[n // 2, n // 2] - (n + s) ** 0.5) < 1e-9 * n, (f[n // 2, n // 2], (n + s) ** 0.5)
print(seconds, cpu)
P
load() { cut -d' ' -f1 /proc/loadavg; }
one() {      # COMPARISON STATEMENT WHICH COMMAND...: seconds
  local comparison=$1 statement=$2 which=$3 seconds; shift 3
  seconds=$("$@" "$work/program.py" "$statement" "$n") || { echo "FAILED: $*" >&2; exit 1; }
  printf '{"comparison": "%s", "statement": "%s", "n": %s, "run": "%s", "seconds": %.4f, "cpu_seconds": %.4f, "load": %s}\n' "$comparison" "$statement" "$n" "$which" $seconds "$(load)" >> "$out"
  echo "$seconds"
}
: > "$out"
status=0
compare() {      # COMPARISON STATEMENT BAR COMMAND...
  local comparison=$1 statement=$2 bar=$3 a b k; shift 3
  : > "$work/ratios"
  for ((k = 0; k < pairs; k++)); do      # who is first takes turns
    if ((k % 2)); then b=$(one "$comparison" "$statement" with "$@"); a=$(one "$comparison" "$statement" without "$python")
    else a=$(one "$comparison" "$statement" without "$python"); b=$(one "$comparison" "$statement" with "$@"); fi
    awk -v a="$a" -v b="$b" 'BEGIN { split(a, x); split(b, y); print x[1] / y[1], x[1], y[1], x[2] / y[2] }' >> "$work/ratios"
  done
  median() { sort -g -k"$1,$1" "$work/ratios" | awk -v f="$1" '{ x[NR] = $f } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'; }
  ratios=$(sort -g "$work/ratios" | awk '{ printf "%s%.3f", (NR > 1 ? ", " : ""), $1 }')
  printf '{"comparison": "%s", "statement": "%s", "n": %s, "pairs": %s, "without_median": %.4f, "with_median": %.4f, "times_as_fast_median": %.4f, "times_as_fast": [%s], "cpu_seconds_ratio_median": %.4f, "bar": %s, "cores": %s, "cpu": "%s", "date": "%s", "commit": "%s"}\n' \
    "$comparison" "$statement" "$n" "$pairs" "$(median 2)" "$(median 3)" "$(median 1)" "$ratios" "$(median 4)" "$bar" "$(nproc)" "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)" "$(date +%F)" \
    "$(git -C "$root" rev-parse --short=12 HEAD 2> /dev/null || echo unknown)" | tee -a "$out"
  awk -v r="$(median 1)" -v bar="$bar" 'BEGIN { exit !(r >= bar) }' || status=1
}
wanted() { case "${chosen:- preload patch} " in *" $1 "*) true ;; *) false ;; esac; }
if wanted preload; then
  compare preload cholesky 1 "$build/bin/tilework" run -- "$python"
  compare preload cho_factor 1 "$build/bin/tilework" run -- "$python"
fi
cp -r "$root/python" "$work/python"      # no compiled files in the sources
if wanted patch; then compare patch cholesky 2 env PYTHONPATH="$work/python" "$python" -m tilework; fi
exit $status
