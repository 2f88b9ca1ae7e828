#!/usr/bin/env bash
# The measurements behind the bars of LU, QR, least squares, mixed precision and BLAS-3 (docs/bench.md): beside LAPACK on CPU cores, on a quiet machine, and beside cuSOLVER and gemm on GPUs.
#
#   tests/bench/dense-bars.sh [GROUP...] [--out FILE] [--build DIR] [--limit SECONDS] [--repeat R]
#
# From the unpacked bundle or a source tree with a build (build/, $TILEWORK_BUILD or --build). Groups (default: those of the cores):
#   cores      getrf and geqrf n = 8192 beside LAPACK and gemm
#   tall       gels 200,000 x 256 beside LAPACK, geqp3_random n = 4096 beside LAPACK's geqp3
#   mixed      gesv_mixed and posv_mixed n = 8192, condition 1e3, beside gesv and posv
#   blas3      gemm, symm, syrk, syr2k, trmm, trsm n = 4096 beside OpenBLAS
#   gpu        one GPU: getrf and geqrf n = 8192, 16384, 32768; geqp3_random 16384
#   gpu-large  one GPU: getrf and geqrf n = 65536
#   gpu-inverses  one GPU: potri, trtri, lauum n = 32768
#   gpu-mixed  one GPU: gesv_mixed and posv_mixed n = 32768, condition 1e3, beside gesv, posv and cuSOLVER's (IRSXgesv)
#   gpu-mixed-large  one GPU: the same n = 65536, without cuSOLVER
#   gpu-resident  one GPU: getrf and geqrf n = 32768 on arrays that stay on it, beside cuSOLVER
#   gpu-blas3  one GPU: gemm, symm, syrk, syr2k, trmm, trsm n = 32768, matrices of the library, beside dgemm
#   gpu-within one GPU: getrf and geqrf n = 65536 ($WITHIN_N) within a third of the matrix, beside the same without a limit
#   gpus       all GPUs: getrf, geqrf, gemm and potrf n = 65536
# FILE (default ./dense-bars.sh-results.jsonl) gets one JSON object for each run and each bar, with machine, date, commit and
# command; FILE.log the programs' output. Each run has a time limit, and all of it --limit seconds (900). R runs after the first
# (5), medians. Exit status: 0 only if every bar was measured and met; 2, before anything runs or is written, for what cannot be: a
# wrong group or number, a GPU's group without one.

# shellcheck disable=SC2034,SC2154  # the sourced file uses, and sets, variables of this one
set -u
script=dense-bars.sh limit=900
groups=(cores tall mixed blas3 gpu gpu-large gpu-inverses gpu-mixed gpu-mixed-large gpu-resident gpu-blas3 gpu-within gpus)
usual=(cores tall mixed blas3) gpu_groups=("${groups[@]:4}")
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/_bars.sh"

cores_only() { settings=(STARPU_NCUDA=0); }

# factorization ROUTINE GEMM-FRACTION OF-LAPACK
factorization() {
  step 300 "$bench" "$1" --n 8192 --vs lapack --repeat "$repeat" --json
  bar cores "$1 n=8192" ge "$2" "$(field tiles.gemm_fraction)" "x dgemm" "$(field tiles.gflops) GF of $(field gemm.gflops)"
  bar cores "$1 n=8192, OpenBLAS' time" ge "$3" "$(field lapack.times_tilework)" "x our time" "$(field tiles.seconds) s, LAPACK $(field lapack.seconds) s"
}
group_cores() {
  cores_only
  factorization getrf 0.85 1.0
  factorization geqrf 0.78 1.15
}

group_tall() {
  cores_only
  step 200 "$bench" gels --m 200000 --n 256 --door tiles --repeat "$repeat" --json
  bar tall "gels 200,000 x 256" ge 3 "$(field lapack.times_tilework)" "x our time" "$(field tiles.seconds) s, LAPACK $(field lapack.seconds) s"
  step 300 "$bench" geqp3_random --n 4096 --repeat "$repeat" --no-gemm --json
  bar tall "geqp3_random n=4096, dgeqp3's time" ge 4 "$(field lapack.times_tilework)" "x our time" "$(field tiles.seconds) s, LAPACK $(field lapack.seconds) s, geqrf $(field plain.seconds) s"
}

# mixed GROUP ROUTINE N KIND LEAST [PEER]
mixed() {
  local peer=${6:-none}
  step 240 "$bench" "$2" --n "$3" --kind "$4" --vs "$peer" --repeat "$repeat" --no-gemm --json
  bar "$1" "$2 n=$3, condition 1e3" ge "$5" "$(field plain.times_tilework)" "x our time" "$(field tiles.seconds) s, $(field tiles.iter) corrections, in double $(field plain.seconds) s"
  if [ "$peer" != none ]; then
    bar "$1" "$2 n=$3, cuSOLVER's IRSXgesv with copies" ge 1 "$(field cusolver.times_tilework)" "x our time" "$(field cusolver.seconds) s, $(field cusolver.iter) corrections; resident $(field cusolver_resident.seconds) s"
  fi
}
group_mixed() {
  cores_only
  mixed mixed gesv_mixed 8192 svd:1e3 1.5
  mixed mixed posv_mixed 8192 spectrum:1e3 1.25
}

group_blas3() {
  local routine
  cores_only
  step 300 "$bench" blas3 --n 4096 --repeat "$repeat" --json
  for routine in gemm symm syrk syr2k trmm trsm; do
    bar blas3 "$routine n=4096" ge 0.95 "$(field of_openblas routine=$routine)" "x OpenBLAS" "$(field gflops routine=$routine) GF, $(field openblas_gflops routine=$routine)"
  done
}

# on_gpu GROUP ROUTINE N LEAST-TF: teraflops; or of gemm, where LEAST is below 1
on_gpu() {
  step 240 "$bench" "$2" --n "$3" --vs "$vendor" --repeat "$repeat" --json
  if [ "${4%%.*}" = 0 ]; then
    bar "$1" "$2 n=$3" ge "$4" "$(field tiles.gemm_fraction)" "x dgemm" "$(field tiles.gflops) GF of $(field gemm.gflops), cuSOLVER's time $(field cusolver_resident.times_tilework) x ours"
  else
    bar "$1" "$2 n=$3" ge "$4" "$(calculate "$(field tiles.gflops) / 1000")" TF "$(field tiles.seconds) s, first $(field tiles.first_seconds) s, cuSOLVER's time $(field cusolver_resident.times_tilework) x ours"
  fi
}
group_gpu() {
  vendor=cusolver-resident
  on_gpu gpu getrf 8192 9
  on_gpu gpu getrf 16384 28
  on_gpu gpu getrf 32768 0.75
  on_gpu gpu geqrf 8192 12
  on_gpu gpu geqrf 16384 30
  on_gpu gpu geqrf 32768 0.78
  step 120 "$bench" geqp3_random --n 16384 --vs none --repeat "$repeat" --no-gemm --json
  bar gpu "geqp3_random n=16384, of geqrf's rate" ge 0.5 "$(field plain.times_tilework)" "x geqrf" "$(field tiles.seconds) s, geqrf $(field plain.seconds) s"
}
group_gpu_large() {
  vendor=none
  on_gpu gpu-large getrf 65536 0.85
  on_gpu gpu-large geqrf 65536 0.85
}
group_gpu_inverses() {
  local routine
  vendor=none
  for routine in potri trtri lauum; do on_gpu gpu-inverses $routine 32768 42; done
}
group_gpu_mixed() {
  mixed gpu-mixed gesv_mixed 32768 svd:1e3 1.6 cusolver
  mixed gpu-mixed posv_mixed 32768 spectrum:1e3 1.4
}
group_gpu_mixed_large() {
  mixed gpu-mixed-large gesv_mixed 65536 svd:1e3 2.2
  mixed gpu-mixed-large posv_mixed 65536 spectrum:1e3 2.0
}
resident() {      # ROUTINE LEAST
  step 200 "$bench" "$1" --n 32768 --vs device,cusolver-resident --repeat "$repeat" --no-gemm --json
  bar gpu-resident "$1 n=32768 on the GPU's array, cuSOLVER's time" ge "$2" "$(field cusolver_resident.times_device)" "x our time" "$(field device.seconds) s, $(field device.gflops) GF, cuSOLVER $(field cusolver_resident.seconds) s"
}
group_gpu_resident() {
  resident getrf 1.3
  resident geqrf 1.5
}
group_gpu_blas3() {
  local routine least
  step 240 "$bench" blas3 --n 32768 --door tiles --repeat "$repeat" --json
  for routine in gemm symm syrk syr2k trmm trsm; do
    case $routine in gemm) least=0.92 ;; *) least=0.85 ;; esac
    bar gpu-blas3 "$routine n=32768" ge $least "$(field gemm_fraction routine=$routine)" "x dgemm" "$(field gflops routine=$routine) GF of $(field gemm_gflops routine=$routine)"
  done
}
within() {      # ROUTINE N MIB
  local free
  settings=()
  step 200 "$tilework" "$1" --n "$2" --repeat 2 --json
  free=$(field gflops)
  settings=("STARPU_LIMIT_CUDA_MEM=$3")
  step 200 "$tilework" "$1" --n "$2" --repeat 2 --json
  bar gpu-within "$1 n=$2 within $3 MiB" ge 0.6 "$(calculate "$(field gflops) / $free")" "x without a limit" "$(field gflops) GF of $free; $(field bytes_to_gpu) bytes to the GPU"
  settings=()
}
group_gpu_within() {
  local n=${WITHIN_N:-65536}
  within getrf "$n" $((n * n / 3 / 131072))
  within geqrf "$n" $((n * n / 3 / 131072))
}
group_gpus() {
  vendor=none
  on_gpu gpus getrf 65536 140
  on_gpu gpus geqrf 65536 155
  step 240 "$bench" blas3 --n 65536 --only gemm --door tiles --repeat "$repeat" --json
  bar gpus "gemm n=65536" ge 198 "$(calculate "$(field gflops) / 1000")" TF "$(field gemm_fraction) x as many dgemms"
  step 240 "$bench" potrf --n 65536 --door tiles --vs none --repeat "$repeat" --json
  bar gpus "potrf n=65536" ge 0.85 "$(field tiles.gemm_fraction)" "x as many dgemms" "$(field tiles.gflops) GF"
}

parse "$@"
locate
run_groups
