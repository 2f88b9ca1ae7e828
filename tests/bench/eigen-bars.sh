#!/usr/bin/env bash
# The measurements behind the bars of symmetric eigenvalues (docs/bench.md): beside LAPACK on CPU cores, on a quiet machine, and beside cuSOLVER on a GPU.
#
#   tests/bench/eigen-bars.sh [GROUP...] [--out FILE] [--build DIR] [--limit SECONDS] [--repeat R]
#
# From the unpacked bundle or a source tree with a build (build/, $TILEWORK_BUILD or --build). Groups (default: those of the cores):
#   cores      n = 4000, double: values, vectors, the lowest tenth, stedc beside LAPACK's with a thread for each core
#   small      n = 8 ... 512 through the LAPACK door against LAPACK
#   gpu        one GPU: values and vectors of 4096 ... 16384 beside cuSOLVER, s, c, z at 8192
#   gpu-large  32768; malloc'ed arrays, the lowest tenth and sygvd at 16384
# FILE (default ./eigen-bars.sh-results.jsonl) gets one JSON object for each run and each bar, with machine, date, commit and
# command; FILE.log the programs' output. Each run has a time limit, and all of it --limit seconds (900). R runs after the first
# (5), medians. Exit status: 0 only if every bar was measured and met.

# shellcheck disable=SC2034,SC2154  # the sourced file uses, and sets, variables of this one
set -u
script=eigen-bars.sh limit=900
groups=(cores small gpu gpu-large)
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/_bars.sh"

# ratio GROUP NAME LEAST ROUTINE JOBZ FLAGS...: LAPACK's time over ours
ratio() {
  local group=$1 name=$2 least=$3 routine=$4 jobz=$5
  shift 5
  step 300 "$bench" "$routine" --n 4000 --jobz "$jobz" --vs lapack --door tiles --repeat "$repeat" --json "$@"
  bar "$group" "$name" ge "$least" "$(field lapack.times_tilework)" "x our time" "$(field tiles.seconds) s, LAPACK $(field lapack.seconds) s"
}

group_cores() {
  settings=(STARPU_NCUDA=0)
  ratio cores "syevd values n=4000" 2 syevd N
  ratio cores "syevd vectors n=4000" 1.2 syevd V
  ratio cores "syevr, the lowest tenth with vectors, n=4000" 1.5 syevr V --share 0.1
  ratio cores "stedc n=4000" 1.4 stedc V
}

group_small() {
  local n jobz ours theirs
  settings=(STARPU_NCUDA=0)
  for jobz in N V; do
    step 120 "$bench" syevd --n 8,32,64,128,256,512 --jobz $jobz --vs lapack --door lapack --repeat 51 --json
    for n in 8 32 64 128 256 512; do
      ours=$(field lapack_door.seconds n=$n) theirs=$(field lapack.seconds n=$n)
      bar small "n=$n jobz $jobz through the LAPACK door" le 1 "$(calculate "$ours / (1.1 * $theirs + 1e-6)")" "x (1.1 LAPACK + 1 us)" \
          "$ours s, LAPACK $theirs s"
    done
  done
}

# budget NAME MOST N JOBZ PEERS: seconds host to host
budget() {
  step 200 "$bench" syevd --n "$3" --jobz "$4" --vs "$5" --door tiles --repeat "$repeat" --json
  bar gpu "$1" le "$2" "$(field tiles.seconds)" s "cuSOLVER resident $(field cusolver_resident.seconds) s"
}
# beside NAME TYPE N JOBZ: our time over cuSOLVER's with its copies
beside() {
  step 200 "$bench" syevd --type "$2" --n "$3" --jobz "$4" --vs cusolver --door tiles --repeat "$repeat" --json
  bar gpu "$1" le 1.05 "$(calculate "$(field tiles.seconds) / $(field cusolver.seconds)")" "x cuSOLVER with copies" "$(field tiles.seconds) s"
}

group_gpu() {
  local type jobz
  budget "values n=8192" 0.28 8192 N cusolver-resident
  budget "vectors n=8192" 0.45 8192 V cusolver-resident
  budget "values n=16384" 0.75 16384 N cusolver-resident
  budget "vectors n=16384" 1.7 16384 V cusolver-resident
  for jobz in N V; do
    beside "n=4096 jobz $jobz" d 4096 $jobz
    for type in s c z; do beside "$type n=8192 jobz $jobz" $type 8192 $jobz; done
  done
}

# timed FLAGS...: the command's runs; the median of those after the first into $seconds.
timed() {
  seconds=
  step 200 "$tilework" "$@" --repeat $((repeat + 1)) --json || return
  seconds=$(grep '"repeat":[1-9]' "$last" | sed -n 's/.*"seconds":\([-+0-9.e]*\).*/\1/p' | sort -g | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }')
}

group_gpu_large() {
  local all
  timed syevd --n 16384
  all=$seconds
  timed syevd --n 16384 --lapack-door
  bar gpu-large "vectors n=16384, a malloc'ed array" le 1.2 "$(calculate "$seconds / $all")" "x tiles" "$seconds s, $all s"
  timed syevr --n 16384 --range I:1:1638
  bar gpu-large "the lowest tenth, n=16384" le 0.6 "$(calculate "$seconds / $all")" "x all" "$seconds s, $all s"
  timed sygvd --n 16384
  bar gpu-large "sygvd n=16384 less syevd" le 0.4 "$(calculate "$seconds - $all")" s "$seconds s, $all s"
  timed syevd --n 32768 --jobz N
  bar gpu-large "values n=32768" le 3 "$seconds" s
  timed syevd --n 32768
  bar gpu-large "vectors n=32768" le 10 "$seconds" s
}

parse "$@"
[ ${#chosen[@]} -lt ${#groups[@]} ] || chosen=(cores small)
locate
run_groups
