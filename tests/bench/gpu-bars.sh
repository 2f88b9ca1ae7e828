#!/usr/bin/env bash
# The measurements behind the bars of fast Cholesky factorizations on GPUs (docs/bench.md).
#
#   tests/bench/gpu-bars.sh [GROUP...] [--out FILE] [--build DIR] [--limit SECONDS] [--repeat R]
#
# From the unpacked bundle or a source tree with a build (build/, $TILEWORK_BUILD or --build), on a machine with GPUs. Groups
# (default: all):
#   one-gpu    dpotrf n = 4096 … 65536 on one GPU, host to host, beside gemm and cuSOLVER; condition 1e12
#   types      spotrf, cpotrf, zpotrf n = 32768 beside that type's gemm
#   first-run  the first call with empty cache folders against later calls of a later process
#   cold       exec to exit of `tilework potrf --n 8192`, and where the time goes
#   limit      n = 65536 with a third of the matrix' bytes of GPU memory
#   hybrid     with and without CPU workers, n = 4096 … 65536
#   pageable   a plain malloc'ed LAPACK array against the library's tiles, n = 32768
#   four-gpu   dpotrf n = 65536 on four GPUs beside cuSOLVERMg (not in one with the others: those use one GPU)
# FILE (default ./gpu-bars.sh-results.jsonl) gets one JSON object for each run and each bar, with machine, date, commit and
# command; FILE.log the programs' output. Each run has a time limit, and all of it --limit seconds (560). R runs after the first
# (5), medians. Where the machine's memory grows as it is used, set TILEWORK_HOST_MEMORY.
# Exit status: 0 only if every bar was measured and met.

# shellcheck disable=SC2034,SC2154  # the sourced file uses, and sets, variables of this one
set -u
script=gpu-bars.sh limit=560
groups=(one-gpu types first-run cold limit hybrid pageable four-gpu)
gpu_groups=("${groups[@]}")
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/_bars.sh"

tera() { calculate "$1 / 1000"; }      # Gflop/s -> Tflop/s
one() { settings=(STARPU_NCUDA=1 "$@"); }

group_one_gpu() {
  local n want fraction peer variant
  one
  step 150 "$bench" potrf --n 4096,8192,16384,32768 --vs cusolver --door tiles --check --repeat "$repeat" --json
  fraction=$(field tiles.gemm_fraction n=32768)
  bar one-gpu "dpotrf n=32768" ge 0.85 "$fraction" "x dgemm" "$(tera "$(field tiles.gflops n=32768)") TF"
  for n in 16384:38 8192:18; do
    want=${n#*:} n=${n%:*}
    bar one-gpu "dpotrf n=$n" ge "$want" "$(tera "$(field tiles.gflops n=$n)")" TF \
        "$(tera "$(field gemm.gflops n=$n)") TF dgemm; cuSOLVER resident $(tera "$(field cusolver_resident.gflops n=$n)")"
  done
  peer=$(field cusolver.times_tilework n=4096)
  bar one-gpu "dpotrf n=4096, cuSOLVER with its transfers" ge 1 "$peer" "x our time" "$(tera "$(field tiles.gflops n=4096)") TF"
  step 120 "$bench" potrf --n 65536 --vs none --door tiles --repeat "$repeat" --json
  bar one-gpu "dpotrf n=65536" ge 0.90 "$(field tiles.gemm_fraction n=65536)" "x dgemm" \
      "$(tera "$(field tiles.gflops n=65536)") TF"
  for variant in solve inverse; do
    one "TILEWORK_TRSM=$variant"
    step 60 "$bench" potrf --n 8192 --vs none --door tiles --repeat 1 --kind spectrum:1e12 --check --no-gemm --json
    bar one-gpu "dpotrf n=8192, condition 1e12, trsm by $variant" le 3 "$(field tiles.residual n=8192)" "n eps |A|"
  done
}

group_types() {
  local type
  one
  for type in s c z; do
    step 60 "$bench" potrf --type $type --n 32768 --vs none --door tiles --repeat "$repeat" --json
    bar types "${type}potrf n=32768" ge 0.8 "$(field tiles.gemm_fraction n=32768)" "x ${type}gemm" \
        "$(tera "$(field tiles.gflops n=32768)") TF of $(tera "$(field gemm.gflops n=32768)")"
  done
}

# The first process finds nothing: the probe and StarPU's bus calibration come before its first call, which is timed alone.
group_first_run() {
  local n first later probe
  one TILEWORK_VERBOSE=2
  new_state "$work/first"
  step 120 "$bench" potrf --n 8192,32768 --vs none --door tiles --repeat 1 --no-gemm --json
  probe=$(sed -n 's/.*profile measured in \([0-9.]*\) s.*/\1/p' "$last.err" | tail -n 1)
  cp "$last" "$work/first.jsonl"
  step 60 "$bench" potrf --n 8192,32768 --vs none --door tiles --repeat "$repeat" --no-gemm --json
  for n in 8192 32768; do
    first=$("$bench" field tiles.first_seconds n=$n < "$work/first.jsonl") later=$(field tiles.seconds n=$n)
    bar first-run "first call with empty caches, n=$n" le 1.5 "$(calculate "$first / $later")" "x later" "$first s, later $later s"
  done
  bar first-run "machine profile probed" le 3 "$probe" s
  new_state "$work/state"
}

group_cold() {
  local walls=() i phases
  one
  step 60 "$tilework" info --json     # whatever the caches lack is made here
  for ((i = 0; i < repeat; i++)); do
    step 30 "$tilework" potrf --n 8192 --json && walls+=("$wall")
  done
  one TILEWORK_VERBOSE=2
  step 30 "$tilework" potrf --n 8192 --json
  phases=$(sed -nE 's/^tilework: (start|stop): (.*) s$/\2/p' "$last.err" | tr '\n' ',' | sed 's/,$//; s/,/, /g')
  bar cold "exec to exit, tilework potrf --n 8192" le 1 "$(printf '%s\n' "${walls[@]+"${walls[@]}"}" | sort -n |
      awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }')" s \
      "factor $(field seconds) s, generate $(field seconds_generate) s${phases:+, $phases}"
}

# Tiles of order about 2048: the lower triangle takes n (n + nb) / 2 elements.
group_limit() {
  local n=65536 mib free
  mib=$((n * (n + 2048) * 4 / 3 / 1048576))
  one
  free=$(stored tiles.gflops bench=potrf n=$n type=d)
  if [ -z "$free" ]; then
    step 120 "$bench" potrf --n $n --vs none --door tiles --repeat "$repeat" --no-gemm --json
    free=$(field tiles.gflops n=$n)
  fi
  one "STARPU_LIMIT_CUDA_MEM=$mib"
  step 150 "$bench" potrf --n $n --vs none --door tiles --repeat "$repeat" --no-gemm --json
  bar limit "dpotrf n=$n within $mib MiB" ge 0.7 "$(calculate "$(field tiles.gflops n=$n) / $free")" "x unlimited" \
      "$(tera "$(field tiles.gflops n=$n)") TF; fetched again $(calculate "$(field tiles.split.bytes_fetched_again) / 1e9") GB, written again $(calculate "$(field tiles.split.bytes_written_again) / 1e9") GB"
}

# GPU alone: kernels that have a CUDA body run there only; the CPU workers still make the input.
group_hybrid() {
  local n sizes=4096,8192,16384,32768,65536 alone=$work/alone
  one TILEWORK_FORCE_CUDA=1
  step 150 "$bench" potrf --n $sizes --vs none --door tiles --repeat "$repeat" --no-gemm --json
  cp "$last" "$alone"
  one
  step 150 "$bench" potrf --n $sizes --vs none --door tiles --repeat "$repeat" --no-gemm --json
  for n in ${sizes//,/ }; do
    bar hybrid "CPU workers added, n=$n" le 1.02 \
        "$(calculate "$(field tiles.seconds n=$n) / $("$bench" field tiles.seconds n=$n < "$alone")")" "x GPU alone" \
        "$(field tiles.split.cpu_reason n=$n)"
  done
}

group_pageable() {
  one
  step 150 "$bench" potrf --n 32768 --vs none --door tiles,lapack --repeat "$repeat" --no-gemm --json
  bar pageable "malloc'ed LAPACK array, n=32768" ge 0.7 \
      "$(calculate "$(field tiles.seconds n=32768) / $(field lapack_door.seconds n=32768)")" "x the tiles' rate" \
      "$(tera "$(field lapack_door.gflops n=32768)") TF"
}

group_four_gpu() {
  local n=65536
  settings=(STARPU_NCUDA=4)
  if [ "$gpus" -lt 4 ]; then
    shown='not run'
    bar four-gpu "dpotrf n=$n on four GPUs" ge 195 "" TF "$gpus GPU here"
    return
  fi
  step 200 "$bench" potrf --n $n --vs cusolvermg-resident --door tiles --repeat "$repeat" --json
  bar four-gpu "dpotrf n=$n on four GPUs" ge 195 "$(tera "$(field tiles.gflops n=$n)")" TF \
      "$(field tiles.gemm_fraction n=$n) x dgemm; cuSOLVERMg resident $(tera "$(field cusolvermg_resident.gflops n=$n)")"
}

parse "$@"
locate
# The bus and the machine's profile are measured before anything is timed.
settings=()
step 120 "$tilework" info --json || die "tilework info fails; see $log"
run_groups
