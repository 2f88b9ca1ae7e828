#!/usr/bin/env bash
# The measurements behind the bars of Fourier transforms on GPUs (docs/bench.md).
#
#   tests/bench/fft-gpu-bars.sh [GROUP...] [--out FILE] [--build DIR] [--limit SECONDS] [--repeat R]
#
# From the unpacked bundle or a source tree with a build (build/, $TILEWORK_BUILD or --build), on a machine with GPUs. Groups (default: all):
#   resident   512^3 and 1024^3 complex double on one GPU, arrays there, beside cuFFT
#   host       2^29, and a batch of 64 x 2^23, host to host on one GPU, beside cuFFT with its copies
#   memory     1024 x 1024 x 512 host to host with a third of its bytes of GPU memory, beside the link's speed
#   four-gpu   1024^3 resident over four GPUs, 2^29 and 1024^3 host to host on four (not in one with the others: those use one GPU)
# FILE (default ./fft-gpu-bars.sh-results.jsonl) gets one JSON object for each run and each bar, with machine, date, commit and command;
# FILE.log the programs' output. All of it takes at most --limit seconds (300). R runs after the first (5), medians. Where the machine's
# memory grows as it is used, set TILEWORK_HOST_MEMORY. Exit status: 0 only if every bar was measured and met.

# shellcheck disable=SC2034,SC2154  # the sourced file uses, and sets, variables of this one
set -u
script=fft-gpu-bars.sh limit=300
groups=(resident host memory four-gpu)
gpu_groups=("${groups[@]}")
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/_bars.sh"

fft() { local most=$1; shift; step "$most" "$build/bin/tilework-bench-fft-gpu" --repeat "$repeat" "$@"; }

group_resident() {
  local n job
  settings=(STARPU_NCUDA=1)
  fft 120 array:512x512x512 array:1024x1024x1024
  for n in 512 1024; do
    job=array:${n}x${n}x${n}
    bar resident "$n^3, our time" le 1.05 "$(calculate "1 / $(field times_cufft_resident "job=$job")")" "x cuFFT's" \
        "$(field seconds "job=$job") s"
  done
}

group_host() {
  settings=(STARPU_NCUDA=1)
  fft 120 host:2^29 'host:64*2^23'
  bar host "2^29 host to host" le 0.325 "$(field seconds job=host:2^29)" s \
      "copies $(field copy_in job=host:2^29) + $(field copy_out job=host:2^29) s, cuFFT $(field cufft_resident job=host:2^29) s"
  bar host "64 x 2^23 host to host" ge 1.6 "$(field times_cufft_host 'job=host:64*2^23')" "x (copy + cuFFT + copy)" \
      "$(field seconds 'job=host:64*2^23') s"
}

group_memory() {
  local both
  settings=(STARPU_NCUDA=1 STARPU_LIMIT_CUDA_MEM=2730)      # of Tilework's memory: cuFFT, beside it, has its own
  fft 60 host:1024x1024x512
  both=$(field copy_both job=host:1024x1024x512)
  bar memory "1024x1024x512 with a third of its bytes" ge 0.8 \
      "$(calculate "2 * $both / $(field seconds job=host:1024x1024x512)")" "x link, two passes both ways" \
      "$(field seconds job=host:1024x1024x512) s, both copies at once $both s"
}

group_four_gpu() {
  local one
  settings=(STARPU_NCUDA=1)
  fft 60 --no-peer host:1024x1024x1024
  one=$(field seconds job=host:1024x1024x1024)
  settings=(STARPU_NCUDA=4)
  fft 120 array:1024x1024x1024 host:1024x1024x1024
  bar four-gpu "1024^3 resident" ge 2 "$(field times_cufft_resident job=array:1024x1024x1024)" "x one GPU's cuFFT" \
      "$(field seconds job=array:1024x1024x1024) s"
  bar four-gpu "1024^3 host to host" ge 3 "$(calculate "$one / $(field seconds job=host:1024x1024x1024)")" "x one GPU" \
      "$(field seconds job=host:1024x1024x1024) s"
  fft 60 host:2^29
  bar four-gpu "2^29 host to host" le 0.12 "$(field seconds job=host:2^29)" s
}

parse "$@"
locate
run_groups
