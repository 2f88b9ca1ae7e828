#!/usr/bin/env bash
# The measurements behind the bars of particle sums on one GPU (docs/nbody.md).
#
#   tests/bench/nbody-gpu-bars.sh [GROUP...] [--out FILE] [--build DIR] [--limit SECONDS] [--repeat R]
#
# From the unpacked bundle or a source tree with a build (build/, $TILEWORK_BUILD or --build), on a machine with a GPU. Groups
# (default: all):
#   direct   all pairs in single precision: potential, and with its gradient
#   fmm      the multipole method, eps 1e-6, potential, plain arrays in and out: 1e7 and 1e8 points
#   shapes   1e7 points in Plummer's model and on a sphere; with gradient; eps 1e-9
# FILE (default ./nbody-gpu-bars.sh-results.jsonl) gets one JSON object for each run and each bar; FILE.log the programs' output. All of
# it takes at most --limit seconds (300). The best of R runs counts (5): the first one also allocates the GPU's memory.
# Exit status: 0 only if every bar was measured and met.

# shellcheck disable=SC2034,SC2154  # the sourced file uses, and sets, variables of this one
set -u
script=nbody-gpu-bars.sh limit=300
groups=(direct fmm shapes)
gpu_groups=("${groups[@]}")
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/_bars.sh"

# Smallest or largest value of a number in the last step's lines.
smallest() { sed -n "s/.*\"$1\": *\([-+.eE0-9]*\).*/\1/p" "$last" | sort -g | head -n 1; }
largest() { sed -n "s/.*\"$1\": *\([-+.eE0-9]*\).*/\1/p" "$last" | sort -g | tail -n 1; }

group_direct() {
  settings=(STARPU_NCUDA=1)
  step 60 "$tilework" direct --n 1048576 --nb 131072 --type s --repeat "$repeat" --json
  bar direct "all pairs, single, potential" ge 1.7e12 "$(largest pairs_per_second)" pairs/s
  step 60 "$tilework" direct --n 1048576 --nb 131072 --type s --gradient --repeat "$repeat" --json
  bar direct "all pairs, single, potential and gradient" ge 1.7e12 "$(largest pairs_per_second)" pairs/s
}

# fmm NAME SECONDS ARGUMENTS...
fmm() {
  local name=$1 wanted=$2
  shift 2
  settings=(STARPU_NCUDA=1)
  step 150 "$tilework" fmm --eps 1e-6 --repeat "$repeat" --json "$@"
  bar fmm "$name" le "$wanted" "$(smallest seconds)" s
}
group_fmm() {
  fmm "multipole method, 1e7 points" 0.4 --n 1e7
  fmm "multipole method, 1e8 points" 3.5 --n 1e8
  step 60 "$tilework" fmm --eps 1e-6 --n 1e6 --check --json
  bar fmm "its error, 1e6 points" le 1e-6 "$(largest error_potential)" relative
}
group_shapes() {
  fmm "multipole method, 1e7 points, Plummer" 0.6 --n 1e7 --kind plummer
  fmm "multipole method, 1e7 points, sphere" 0.6 --n 1e7 --kind sphere
  fmm "multipole method, 1e7 points, with gradient" 0.8 --n 1e7 --gradient
  fmm "multipole method, 1e7 points, eps 1e-9" 1.2 --n 1e7 --eps 1e-9
}

parse "$@"
locate
settings=()
step 120 "$tilework" info --json || die "tilework info fails; see $log"
run_groups
