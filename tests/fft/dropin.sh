#!/usr/bin/env bash
# A program of FFTW's with libtilework_fftw.so before it: random plans through every planner give the same results; what is small is FFTW's; threads, forks; names and libraries.
set -euo pipefail
: "${TILEWORK_BUILD:?}"
program=$TILEWORK_BUILD/tests/fft/dropin_plans library=$TILEWORK_BUILD/lib/libtilework_fftw.so.0
[ -x "$program" ] || { echo "FFTW's library of threads is not here"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
bad() { echo "FAILED: $*"; exit 1; }
with() { LD_PRELOAD=$library TILEWORK_DROPIN_REPORT=$work/report "$@"; }
number() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" report | tail -n 1; }

for seed in 1 2; do
  "$program" write plain $seed 300
  TILEWORK_DROPIN_MIN=0 with "$program" write taken $seed 300
  "$program" compare plain taken || bad "results differ (seed $seed)"
  if ! [ "$(number taken)" -ge 200 ] || ! [ "$(number executions)" -ge 400 ]; then cat report; bad "hardly anything was taken"; fi
  if [ "$(number plans)" -le "$(number taken)" ]; then bad "halfcomplex and split plans were taken"; fi
done
# By tasks.
TILEWORK_DROPIN_MIN=0 TILEWORK_FFT_PATH=tasks with "$program" write tasks 1 100
"$program" write plain 1 100
"$program" compare plain tasks || bad "results of tasks differ"
# Nothing is worth it, and nothing may be taken: FFTW's own plans, and no engine.
rm report
with "$program" write plain2 1 100
"$program" compare plain plain2 || bad "results of forwarded plans differ"
[ "$(number taken)" = 0 ] || bad "small plans were taken"
rm report
TILEWORK_DROPIN=0 TILEWORK_DROPIN_MIN=0 with "$program" write plain2 1 50
if [ -e report ]; then bad "TILEWORK_DROPIN=0 asked"; fi
# Threads, and children.
TILEWORK_DROPIN_MIN=0 with timeout 120 "$program" threads || bad "threads and forks"
[ "$(number taken)" -ge 90 ] || bad "threads: not taken"
with "$program" threads > /dev/null || bad "threads, forwarded"

# It needs libc alone, and has every planner that FFTW has.
if readelf -d "$library" | grep NEEDED | grep -v 'libc\.so\|ld-linux'; then bad "it needs more than libc"; fi
names() { nm -D --defined-only "$1" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u; }
names "$library" > ours
fftw=$(ldd "$program" | awk '/libfftw3\.so/ { print $3 }')
names "$fftw" | grep -E '^(fftw_(plan_(dft|many|guru|r2r)|execute|destroy_plan|print_plan|flops|cost)|dfftw_(plan|execute|destroy|flops|cost|print))' |
  grep -vE '^(fftw_execute_split_dft_(r2c|c2r)|dfftw_execute_split_dft_(r2c|c2r)_*|fftw_plan_(null|awake).*)$' > theirs
[ "$(wc -l < theirs)" -gt 100 ] || bad "where are FFTW's names?"
if comm -13 ours theirs | grep .; then bad "names of FFTW's that are not here"; fi
sed 's/^fftw_/fftwf_/; s/^dfftw_/sfftw_/' theirs | sort > single
if comm -13 ours single | grep .; then bad "names of single precision that are not here"; fi
if grep -vE '^(d|s)?fftwf?_' ours; then bad "other names"; fi
echo passed
