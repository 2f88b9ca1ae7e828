#!/usr/bin/env bash
# numpy.linalg's and scipy.linalg's own tests, as Debian's python3-numpy and python3-scipy bring them (and python3-pytest, python3-hypothesis): plainly, then with Tilework. Passes are compared by name:
# a test that passes without and not with it is a failure of ours.
#   dropin/numpy-tests.sh BUILD [--patch] [--preload] [--short] [--only MODULE] [--jobs N [--limit SECONDS]] [--keep FOLDER]     (default: --patch --preload)
# --patch: python3 -m tilework, everything taken and by itself; --preload: tilework run, likewise; --short: patched with everything taken, numpy.linalg's tests and the quick ones of scipy.linalg.
# --jobs: each file of tests in a process of its own, N at a time of each way, and all ways at once; a file that takes longer than the limit (300 s) counts as failed, with and without.
set -euo pipefail
only=
build=$(cd "$1" && pwd); shift
source=$(cd "$(dirname "$0")/.." && pwd)
patch= preload= short= keep= jobs= limit=300
while [ $# -gt 0 ]; do
  case $1 in
    --patch) patch=1 ;; --preload) preload=1 ;; --short) short=1 ;; --keep) keep=$2; shift ;; --only) only=$2; shift ;;
    --jobs) jobs=$2; shift ;; --limit) limit=$2; shift ;;
    *) echo "numpy-tests: $1?"; exit 2 ;;
  esac
  shift
done
[ -n "$patch$preload$short" ] || patch=1 preload=1
python=
for p in python3 /usr/bin/python3; do
  if [ -z "$python" ] && command -v $p > /dev/null && $p -c 'import numpy.linalg.tests, pytest, sys; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; then python=$p; fi
done
[ -n "$python" ] || { echo "no Python with NumPy's tests and pytest here (packages python3-numpy, python3-pytest, python3-hypothesis)"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
[ -z "$keep" ] || { mkdir -p "$keep"; keep=$(cd "$keep" && pwd); }
cp -r "$source/python" "$work/python"      # no __pycache__ in the sources
cd "$work"
export LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PYTHONPATH=$work/python PYTHONDONTWRITEBYTECODE=1

tests=(--pyargs numpy.linalg)
if [ -n "$only" ]; then
  tests=(--pyargs "$only")
elif $python -c 'import scipy.linalg.tests' 2> /dev/null; then
  if [ -n "$short" ]; then
    folder=$($python -c 'import os, scipy.linalg.tests as t; print(os.path.dirname(t.__file__))')
    for t in test_basic test_decomp_cholesky; do tests+=("$folder/$t.py"); done
  else
    tests+=(scipy.linalg)
  fi
fi
options=(-q -rA --tb=short -p no:cacheprovider -W ignore::pytest.PytestUnknownMarkWarning)
[ -z "$short" ] || options+=(-m "not slow")
tell() { grep -E '^(PASSED|XFAIL|SKIPPED|FAILED|ERROR|XPASS)' "$1.log" | sed 's/ - .*//' | sort -u > "$1.results" || true; }
files=()
if [ -n "$jobs" ]; then
  while read -r file; do files+=("$file"); done < <($python -c 'import glob, importlib, os, sys
for name in sys.argv[1:]:
    folder = os.path.dirname(importlib.import_module(name + ".tests").__file__)
    print(*sorted(glob.glob(folder + "/test_*.py"), key=os.path.getsize, reverse=True), sep="\n")' $(printf '%s\n' "${tests[@]}" | grep '^[a-z.]*$'))
fi
started=()
begin() {      # NAME COMMAND...: the tests, by this command; with --jobs in the background, to be waited for by `ended`
  local name=$1 file; shift
  if [ -z "$jobs" ]; then "$@" "${options[@]}" "${tests[@]}" > "$name.log" 2> "$name.err" || true; return; fi
  mkdir "$name.files"
  (printf '%s\n' "${files[@]}" | xargs -P "$jobs" -I{} sh -c 'log=$1.files/${2##*/}; shift; file=$1; shift
    timeout "$0" "$@" "$file" > "$log.log" 2> "$log.err" || [ $? != 124 ] || echo "TIMEOUT $file" >> "$log.log"' "$limit" "$name" {} "$@" "${options[@]}" || true
  # The last lines of all files, which count, added up.
  awk '/^[0-9]+ (passed|failed|skipped|error)/ { gsub(/,/, ""); for (i = 1; i < NF && $i != "in"; i += 2) n[$(i + 1)] += $i; next } { print } END { for (k in n) line = line n[k] " " k ", "; print substr(line, 1, length(line) - 2) }' "$name".files/*.log > "$name.log"
  cat "$name".files/*.err > "$name.err") &
  started+=($!)
}
ended() { for pid in "${started[@]}"; do wait "$pid" || true; done; started=(); }
# SciPy since 1.15 compares batches, which are its own, with one matrix at a time, ours if all is taken: to a bit or two in single precision, and eigenvectors with their signs.
batches='test_batch\.py::TestBatch::test_(matmat|pinv|svd|svdvals|eigh)\['
ours() {      # NAME: what it says with Tilework
  local name=$1
  tell "$name"
  grep '^PASSED' "$name.results" > "$name.passed" || true
  [ -z "$keep" ] || cp "$name".[a-eg-z]* "$keep"
  echo "$name: $(tail -n 1 "$name.log")"
  grep '^TIMEOUT' "$name.log" || true
  comm -23 plain.passed "$name.passed" > "$name.lost"
  if [ "$name" = patched_all ] && grep -Eq "$batches" "$name.lost"; then
    echo "  $(grep -Ec "$batches" "$name.lost") tests compare batches with single matrices bit by bit, or by vectors' signs"
    grep -Ev "$batches" "$name.lost" > lost || true; mv lost "$name.lost"
  fi
  if [ -s "$name.lost" ]; then
    echo "pass without Tilework, not with it ($name):"; cat "$name.lost"
    awk '/^(E  |____)/ && n++ < 60' "$name.log"
    failed=1
  fi
  grep -q 'passed' "$name.log" || { tail -n 20 "$name.log" "$name.err"; failed=1; }
}
taken() {      # NAME: the report of python3 -m tilework
  awk '/ taken, / { calls += $3; taken += $5; n++ } END { printf "  %d functions, %d calls, %d taken\n", n, calls, taken; exit taken == 0 }' "$1.err" || { echo "nothing was taken"; failed=1; }
}
failed=0
begin plain $python -m pytest
[ -n "$jobs" ] || { tell plain; grep -q '^PASSED' plain.results || { tail -n 20 plain.log; echo "the tests do not run by themselves"; exit 1; }; }
if [ -n "$patch$short" ]; then begin patched_all $python -m tilework --report --min 0 -m pytest; fi
if [ -n "$patch" ]; then begin patched $python -m tilework --report -m pytest; fi
if [ -n "$preload" ]; then
  begin preloaded_all "$build/bin/tilework" run --report="$work/preloaded_all.json" --min 0 -- $python -m pytest
  begin preloaded "$build/bin/tilework" run -- $python -m pytest
fi
ended
tell plain
grep '^PASSED' plain.results > plain.passed || { tail -n 20 plain.log; echo "the tests do not run by themselves"; exit 1; }
[ -z "$keep" ] || cp plain.[a-eg-z]* "$keep"
echo "plain: $(tail -n 1 plain.log)"
grep '^TIMEOUT' plain.log || true
if [ -n "$patch$short" ]; then ours patched_all; taken patched_all; fi
if [ -n "$patch" ]; then ours patched; fi
if [ -n "$preload" ]; then
  ours preloaded_all
  awk -F'"taken": ' '/"forked": false/ { split($2, n, ","); taken += n[1] } END { printf "  %d calls taken\n", taken; exit taken == 0 }' preloaded_all.json || { echo "nothing was taken"; failed=1; }
  ours preloaded
fi
[ $failed = 0 ] || { echo FAILED; exit 1; }
echo passed
