#!/usr/bin/env bash
# The measurements behind the bars of Cholesky factorizations on CPU cores (docs/bench.md). Take them on a quiet machine.
#
#   tests/bench/cpu-bars.sh [GROUP...] [--out FILE] [--build DIR] [--limit SECONDS] [--repeat R]
#
# From the unpacked bundle or a source tree with a build (build/, $TILEWORK_BUILD or --build). Groups (default: all):
#   large      dpotrf n = 8192 against gemm of the same run and OpenBLAS' own threaded dpotrf; condition 1e12
#   small      n = 8 … 512 through the LAPACK door against LAPACK
#   cold       exec to exit of `tilework potrf`, less the work
# FILE (default ./cpu-bars.sh-results.jsonl) gets one JSON object for each run and each bar, with machine, date, commit and
# command; FILE.log the programs' output. Each run has a time limit, and all of it --limit seconds (600). R runs after the first
# (5), medians. Exit status: 0 only if every bar was measured and met.

# shellcheck disable=SC2034,SC2154  # the sourced file uses, and sets, variables of this one
set -u
script=cpu-bars.sh limit=600
groups=(large small cold)
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/_bars.sh"

cores_only() { settings=(STARPU_NCUDA=0); }

group_large() {
  local variant
  cores_only
  step 240 "$bench" potrf --n 8192 --vs lapack --door tiles --repeat "$repeat" --json
  bar large "dpotrf n=8192" ge 0.85 "$(field tiles.gemm_fraction)" "x dgemm" "$(field tiles.gflops) GF of $(field gemm.gflops)"
  bar large "dpotrf n=8192, OpenBLAS' time" ge 1.05 "$(field lapack.times_tilework)" "x our time" "$(field lapack.gflops) GF"
  for variant in solve inverse; do
    settings=(STARPU_NCUDA=0 "TILEWORK_TRSM=$variant")
    step 60 "$bench" potrf --n 4096 --vs none --door tiles --repeat 1 --kind spectrum:1e12 --check --no-gemm --json
    bar large "dpotrf n=4096, condition 1e12, trsm by $variant" le 3 "$(field tiles.residual)" "n eps |A|"
  done
}

group_small() {
  local n ours theirs
  cores_only
  step 60 "$bench" potrf --n 8,32,64,128,256,512 --vs lapack --door lapack --no-gemm --json
  for n in 8 32 64 128 256 512; do
    ours=$(field lapack_door.seconds n=$n) theirs=$(field lapack.seconds n=$n)
    bar small "n=$n through the LAPACK door" le 1 "$(calculate "$ours / (1.1 * $theirs + 1e-6)")" "x (1.1 LAPACK + 1 us)" \
        "$ours s, LAPACK $theirs s"
  done
}

group_cold() {
  local rests=() i
  cores_only
  step 60 "$tilework" info --json     # whatever the caches lack is made here
  for ((i = 0; i < repeat; i++)); do
    step 30 "$tilework" potrf --n 2048 --json &&
      rests+=("$(calculate "$wall - $(field seconds) - $(field seconds_generate)")")
  done
  bar cold "exec to exit less the work, n=2048" le 0.3 "$(printf '%s\n' "${rests[@]+"${rests[@]}"}" | sort -n |
      awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }')" s "the last: $wall s in all"
}

parse "$@"
locate
run_groups
