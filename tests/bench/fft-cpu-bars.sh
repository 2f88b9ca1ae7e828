#!/usr/bin/env bash
# The measurements behind the bars of Fourier transforms on CPU cores (docs/bench.md). Take them on a quiet machine.
#
#   tests/bench/fft-cpu-bars.sh [GROUP...] [--out FILE] [--build DIR] [--limit SECONDS] [--repeat R]
#
# From the unpacked bundle or a source tree with a build (build/, $TILEWORK_BUILD or --build). Groups (default: all):
#   large      2^24 and 256x256x256 complex double as tasks, beside FFTW with threads, its plan measured with 60 s
#   small      N <= 4096, one transform: against FFTW's own call
#   prime      a prime of 2^20 and an odd real length: against FFTW with threads (no bar of the issue; it must not be slower)
# FILE (default ./fft-cpu-bars.sh-results.jsonl) gets one JSON object for each size and each bar, with machine, date, commit and
# command; FILE.log the programs' output. All of it takes at most --limit seconds (600). The least time of R runs (5). Exit status: 0
# only if every bar was measured and met.

# shellcheck disable=SC2034,SC2154  # the sourced file uses, and sets, variables of this one
set -u
script=fft-cpu-bars.sh limit=600
groups=(large small prime)
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/_bars.sh"

# beside LIMIT REPEAT SIZES...: both libraries, in turns.
beside() { local most=$1 runs=$2; shift 2; step "$most" "$tilework" bench fft --json --limit 60 --repeat "$runs" "$@"; }

group_large() {
  local size cores
  settings=(STARPU_NCUDA=0)
  cores=$(nproc)
  beside 300 "$repeat" 2^24 256x256x256
  for size in 2^24 256x256x256; do
    bar large "$size, FFTW's time" ge 0.95 "$(field ratio "size=$size")" "x our time" \
        "$(field seconds "size=$size") s, FFTW $(field fftw_seconds "size=$size") s"
    bar large "$size, tasks for each core" ge 2 "$(calculate "$(field tasks "size=$size") / $cores")" tasks "$(field path "size=$size")"
  done
}

group_small() {
  local n ours theirs sizes=(2 4 8 16 30 32 64 100 128 256 500 512 1000 1024 2048 3000 4096)
  settings=(STARPU_NCUDA=0)
  beside 120 $((10 * repeat)) "${sizes[@]}"
  for n in "${sizes[@]}"; do
    ours=$(field seconds "size=$n") theirs=$(field fftw_seconds "size=$n")
    bar small "n=$n" le 1 "$(calculate "$ours / (1.2 * $theirs + 1e-7)")" "x (1.2 FFTW + 100 ns)" "$ours s, FFTW $theirs s"
  done
}

group_prime() {
  local size
  settings=(STARPU_NCUDA=0)
  beside 200 "$repeat" 1048583 r4782969
  for size in 1048583 r4782969; do
    bar prime "$size, FFTW's time" ge 1 "$(field ratio "size=$size")" "x our time" \
        "$(field seconds "size=$size") s, FFTW $(field fftw_seconds "size=$size") s"
  done
}

parse "$@"
locate
run_groups
