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
fft 0 --n 2^16 --check --repeat 2 --path tasks && { says "six-step" out; says "tasks on" out; [ "$(wc -l < out)" = 3 ] || bad "--repeat 2 gave $(wc -l < out) lines"; }
# files: there and back again gives the input, bit for bit in the shape and closely in the values
fft 0 --n 24x35 --type d --output half.npy --seed 5
fft 0 --input half.npy --type d --backward --norm n --output reals.npy --path tasks
says "'shape': (24, 35)" reals.npy  # the half-complex side does not know that 35 was odd
# an odd real array keeps its length through a half-complex file; a file without it needs --n
fft 0 --n 1001 --type d --seed 5 --output odd.npy && says "(501,)" odd.npy
fft 0 --input odd.npy --type d --backward --norm n --output reals.npy --check && says "(1001,)" reals.npy
fft 0 --input odd.npy --n 1001 --type d --backward --norm n --output again.npy && cmp reals.npy again.npy
fft 0 --input reals.npy --type d --output again.npy --check && says "(501,)" again.npy
fft 2 --input odd.npy --n 1003 --type d --backward --output never.npy && says "--n" err
LC_ALL=C sed 's/# last dimension/# LAST dimension/' odd.npy > plain.npy
cmp -s odd.npy plain.npy && bad "the length is not in the file's header"
fft 2 --input plain.npy --type d --backward --output never.npy && says "say --n" err
fft 0 --input plain.npy --n 1001 --type d --backward --norm n --output again.npy && cmp reals.npy again.npy
fft 0 --input plain.npy --n 1000 --type d --backward
fft 2 --input plain.npy --n 1003 --type d --backward --output never.npy && says "--n" err
[ ! -e never.npy ] || bad "never.npy was written"
# a file that says that it is half-complex goes back to real data, in its precision; --type says otherwise
fft 0 --input odd.npy --backward --norm n --output again.npy --json && { says '"type": "d"' out; cmp reals.npy again.npy; }
fft 0 --n 60 --type s --output single.npy && fft 0 --input single.npy --backward --json && says '"type": "s"' out
fft 0 --input odd.npy --type z --backward --json && says '"kind": "c2c"' out
fft 0 --input plain.npy --backward --json && says '"kind": "c2c"' out
# what a format cannot hold is said before anything is computed
rm -f never.*
for say in "--n 64 --output never.wav:the result is complex" "--n 8x8 --output never.png:the result is complex" "--n 64 --r2r dct2 --output never.wav:an --input .wav brings" \
           "--n 64 --r2r dct2 --output never.pgm:has 1 dimension;" "--n 8x8 --r2r dct2 --output never.ppm:has 2 dimensions;" "--n 8x8x4 --r2r dct2 --output never.png:has 3 dimensions;"; do
  # shellcheck disable=SC2086  # flags are words
  fft 2 ${say%%:*} && { says "${say#*:}" err; [ ! -s out ] || bad "something was computed before: $(cat out)"; }
done
fft 0 --n 8x8x3 --r2r dct2 --output colours.png && fft 0 --n 8x8 --r2r dct2 --output grey.PGM
[ -z "$(ls never.* 2> /dev/null)" ] || bad "a file that was refused is there"
fft 0 --n 500 --type z --output a.npy --seed 7 && fft 0 --input a.npy --backward --norm n --output b.npy
fft 0 --input b.npy --output c.npy --check && fft 0 --input c.npy --backward --norm n --output d.raw --check
[ "$(wc -c < d.raw)" = 8000 ] || bad "500 complex numbers are $(wc -c < d.raw) bytes"
fft 0 --input d.raw --n 500 --type z --check
# real to real: each kind, and one for each dimension; and back
for kind in dct1 dct2 dct3 dct4 dst1 dst2 dst3 dst4 dht; do fft 0 --n 90 --r2r $kind --check --rigor estimate && says " $kind" out; done
fft 0 --n 12x31x20 --r2r dct2,dst3,dht --type s --batch 3 --norm ortho --path tasks --rigor estimate --check --json && says '"r2r": ["dct2", "dst3", "dht"]' out
for kind in dct1 dct2 dst3 dct4 dht; do fft 0 --n 2^14 --r2r $kind --path tasks --check && says folded out; done
fft 0 --n 50 --r2r dct2 --output cosines.npy && fft 0 --input cosines.npy --r2r dct3 --norm n --output back.npy --check
# a length with a large prime factor, and an odd one: tasks
fft 0 --n 40009 --path tasks --check --json && { says '"path": "bluestein"' out; says '"place": "cpu"' out; says '"place_reason"' out; says '"gpu_estimate": null' out; says '"cpu_share": 1.0' out; says '"both_estimate": null' out; }
fft 0 --n 30011 --type d --path tasks --check && says bluestein out
fft 0 --n 3^10 --type s --backward --path tasks --check && says six-step out
# two files: convolution, correlation, filter, which are the same things where they have to be
awk 'BEGIN { print "P2 64 48 255"; for (i = 0; i < 64 * 48; i++) print (i * 37) % 256 }' > image.pgm
awk 'BEGIN { print "P2 3 5 255"; for (i = 0; i < 15; i++) print (i * 17) % 256 }' > kernel.pgm
for type in s d; do
  fft 0 --input image.pgm --convolve kernel.pgm --type $type --check --json && says '"operation": "convolve"' out
  fft 0 --input image.pgm --correlate kernel.pgm --type $type --linear --check --path tasks
done
fft 0 --input kernel.pgm --convolve image.pgm --linear --output wide.npy --check && says "(52, 66)" wide.npy
fft 0 --input image.pgm --correlate kernel.pgm --linear --output lags.npy && says "(48, 64)" lags.npy
fft 0 --input image.pgm --type d --output table.npy && fft 0 --input image.pgm --type d --filter table.npy --output a.npy --check
fft 0 --input image.pgm --convolve image.pgm --output b.npy --in-place --check && { cmp a.npy b.npy || bad "a filter with a transform is another convolution"; }
printf 'P5 1 1 255\n\377' > one.pgm     # one element of value 1: nothing changes but the rounding
fft 0 --input image.pgm --convolve one.pgm --output same.pgm && fft 0 --input same.pgm --correlate one.pgm --output again.pgm && cmp same.pgm again.pgm
# beside FFTW with threads: the results agree (it says so with its exit status)
"$build/bin/tilework" bench fft --json --limit 0.1 --repeat 1 64 r2^16 40x50x60 > out 2> err || { bad "tilework bench fft"; cat err; }
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
fft 2 --input nowhere.npy && says "nowhere.npy" err
fft 2 --input d.raw --n 400 && says "d.raw" err
head -c 100 a.npy > cut.npy; fft 2 --input cut.npy && says "cut.npy" err
TILEWORK_HOST_MEMORY=1M fft 2 --n 2^18 --path tasks && says "main memory" err        # the arrays, before they are made
TILEWORK_HOST_MEMORY=9M fft 1 --n 262147 && says "workspace" err                # a prime: more than the arrays
fft 1 --n 64 --output /nowhere/x.npy && says "/nowhere" err
fft 1 --n 2^16 --output /dev/full && says "No space left" err
fft 2 --n 8 --r2r dct5 && says "--r2r dct5" err
fft 2 --n 8 --r2r dct1,dct1 && says "--r2r" err
fft 2 --n 8 --r2r dct1 --type z && says "--type" err
fft 1 --n 1 --r2r dct1 && says "DCT1" err
fft 2 --n 8 --linear && says "--linear" err
fft 2 --n 48x64 --convolve kernel.pgm --filter table.npy && says "--filter" err
fft 2 --n 48x64 --convolve kernel.pgm --batch 2 && says "--batch" err
fft 2 --n 48x64 --convolve kernel.pgm --linear && says "--input" err
fft 2 --n 64 --convolve kernel.pgm && says "kernel.pgm" err
fft 2 --input kernel.pgm --convolve image.pgm && says "--linear" err
fft 2 --input image.pgm --convolve table.npy && says "real" err
fft 2 --input image.pgm --filter kernel.pgm && says "kernel.pgm" err
fft 2 --input image.pgm --convolve nowhere.npy && says "nowhere.npy" err
# Ctrl-C ends it in order and leaves no file
"$build/bin/tilework" fft --n 2^18 --path tasks --repeat 1000000 --output never.npy > out 2> err & pid=$!
for ((i = 0; i < 200 && $(wc -l < out) < 1; i++)); do sleep 0.1; done
kill -INT $pid; wait $pid; got=$?
[ $got = 130 ] || bad "Ctrl-C gave $got instead of 130: $(cat err)"
says interrupted err
[ ! -e never.npy ] || bad "an interrupted run left its output"
exit $((failures > 0))
