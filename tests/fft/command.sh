#!/usr/bin/env bash
# tilework fft as a user runs it.   TILEWORK_BUILD: the build
set -u
build=$(cd "${TILEWORK_BUILD:?}" && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }
fft() {      # STATUS FLAGS…: leaves out and err behind
  local want=$1 got; shift
  "$build/bin/tilework" fft "$@" > out 2> err; got=$?
  if [ "$got" != "$want" ]; then bad "tilework fft $* gave $got instead of $want"; sed 's/^/    /' out err; return 1; fi
}
says() { grep -qF -- "$1" "$2" || { bad "no '$1' in:"; sed 's/^/    /' "$2"; }; }

fft 0 --help && says "--time-limit" out
# every kind, small in this thread and as tasks, with the check
for flags in "--n 360" "--n 2^12 --path tasks" "--n 30x41 --path tasks --in-place" "--n 12x10x18 --path tasks --batch 3" "--n 97"; do
  for type in s d c z; do
    for direction in "" --backward; do
      # shellcheck disable=SC2086  # flags are words
      fft 0 $flags --type $type $direction --norm ortho --rigor estimate --check --json && says '"check": "ok"' out
    done
  done
done
fft 0 --n 2^16 --check --repeat 2 --path tasks && { says "six-step" out; says "tasks on" out; [ "$(wc -l < out)" = 2 ] || bad "--repeat 2 gave $(wc -l < out) lines"; }
# files: there and back again gives the input, bit for bit in the shape and closely in the values
fft 0 --n 24x35 --type d --output half.npy --seed 5
fft 0 --input half.npy --type d --backward --norm n --output reals.npy --path tasks
says "'shape': (24, 34)" reals.npy  # the half-complex side does not know that 35 was odd
fft 0 --n 500 --type z --output a.npy --seed 7 && fft 0 --input a.npy --backward --norm n --output b.npy
fft 0 --input b.npy --output c.npy --check && fft 0 --input c.npy --backward --norm n --output d.raw --check
[ "$(wc -c < d.raw)" = 8000 ] || bad "500 complex numbers are $(wc -c < d.raw) bytes"
fft 0 --input d.raw --n 500 --type z --check
# beside FFTW with threads: the results agree (it says so with its exit status)
"$build/bin/tilework" bench fft --limit 0.1 --repeat 1 64 r2^16 40x50x60 > out 2> err || { bad "tilework bench fft"; cat err; }
[ "$(grep -c '"ratio"' out)" = 3 ] || { bad "tilework bench fft gave:"; cat out; }
# wrong use, wrong files
fft 2 && says "--n or --input" err
fft 2 --n 0 && says "--n 0" err
fft 2 --n 8x8x8x8 && says "--n" err
fft 2 --n 10^60 && says "--n" err
fft 2 --n 8 --type q && says "--type" err
fft 2 --n 8 --batch 0 && says "--batch" err
fft 2 --n 8 --frobnicate 1 && says "--frobnicate" err
fft 2 --n 8 --repeat && says "--repeat" err
fft 2 --n 8 --input a.npy && says "--n" err
TILEWORK_FFT_RIGOR=lots fft 2 --n 8 && says "TILEWORK_FFT_RIGOR" err
fft 1 --input nowhere.npy && says "nowhere.npy" err
fft 1 --input d.raw --n 400 && says "d.raw" err
head -c 100 a.npy > cut.npy; fft 1 --input cut.npy && says "cut.npy" err
TILEWORK_HOST_MEMORY=1M fft 1 --n 2^18 --path tasks && says "workspace" err
fft 1 --n 64 --output /nowhere/x.npy && says "/nowhere" err
exit $((failures > 0))
