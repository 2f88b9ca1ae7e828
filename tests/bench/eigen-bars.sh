#!/usr/bin/env bash
# The measurements behind the bars of eigenvalues and singular values (docs/bench.md): beside LAPACK on CPU cores, on a quiet machine, and beside cuSOLVER on a GPU.
#
#   tests/bench/eigen-bars.sh [GROUP...] [--out FILE] [--build DIR] [--limit SECONDS] [--repeat R]
#
# From the unpacked bundle or a source tree with a build (build/, $TILEWORK_BUILD or --build). Groups (default: cores and small):
#   cores      n = 4000, double: values, vectors, the lowest tenth, stedc beside LAPACK's with a thread for each core
#   svd-cores  gesdd n = 3000 and 100,000 x 200, geev n = 2000 likewise
#   barriers   n = 4000 on cores with and without barriers between stages
#   small      n = 8 ... 512 through the LAPACK door against LAPACK
#   gpu        one GPU: values and vectors of 4096 ... 16384 beside cuSOLVER, s, c, z at 8192
#   gpu-large  32768; malloc'ed arrays, the lowest tenth and sygvd at 16384
#   overlap    one GPU: with and without barriers between stages, syevd n = 16384 and gesdd 8192
#   memory     one GPU whose memory is limited to a third of what eigenvectors and singular vectors need, or to less than one task does
#   svd        one GPU: gesdd n = 16384, 4096 beside cuSOLVER, 1,000,000 x 256
#   tall       one GPU: gels, gesdd and cholqr of 1,000,000 x 256, with reports of their recordings (FILE.tall-*.txt), and gels with other domains
#   geev       one GPU: geev n = 4096 with right eigenvectors beside LAPACK and cuSOLVER
#   route      one GPU: what --route auto predicts beside what it takes
#   one-stage  gehrd and gebrd n = 8192 beside their products' bytes at 4.23 TB/s
#   svd-gpus   all GPUs: gesdd n = 32768 with vectors beside one GPU
# FILE (default ./eigen-bars.sh-results.jsonl) gets one JSON object for each run and each bar, with machine, date, commit and
# command; FILE.log the programs' output. Each run has a time limit, and all of it --limit seconds (900). R runs after the first
# (5), medians. Exit status: 0 only if every bar was measured and met; 2, before anything runs or is written, for what cannot be: a
# wrong group or number, a GPU's group without one.

# shellcheck disable=SC2034,SC2154  # the sourced file uses, and sets, variables of this one
set -u
script=eigen-bars.sh limit=900
groups=(cores svd-cores barriers small gpu gpu-large overlap memory svd tall geev route one-stage svd-gpus)
usual=(cores small) gpu_groups=(gpu gpu-large overlap memory svd tall geev route one-stage svd-gpus)
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

group_svd_cores() {
  settings=(STARPU_NCUDA=0)
  step 300 "$bench" gesdd --n 3000 --vs lapack --door tiles --repeat "$repeat" --json
  bar svd-cores "gesdd values n=3000" ge 2.5 "$(field lapack.times_tilework jobz=N)" "x our time" "$(field tiles.seconds jobz=N) s, LAPACK $(field lapack.seconds jobz=N) s"
  bar svd-cores "gesdd vectors n=3000" ge 1.4 "$(field lapack.times_tilework jobz=V)" "x our time" "$(field tiles.seconds jobz=V) s, LAPACK $(field lapack.seconds jobz=V) s"
  step 300 "$bench" gesdd --m 100000 --n 200 --jobz V --vs lapack --door tiles --repeat "$repeat" --json
  bar svd-cores "gesdd 100,000 x 200 economy" ge 1.8 "$(field lapack.times_tilework)" "x our time" "$(field tiles.seconds) s, LAPACK $(field lapack.seconds) s"
  step 300 "$bench" geev --n 2000 --jobz V --vs lapack --door tiles --repeat "$repeat" --json
  bar svd-cores "geev n=2000" ge 1 "$(field lapack.times_tilework)" "x our time" "$(field tiles.seconds) s, LAPACK $(field lapack.seconds) s"
}

# overlap GROUP MOST ROUTINE N: time without barriers over time with them
overlap() {
  step "$2" "$bench" "$3" --n "$4" --jobz V --vs none --door tiles --barriers --repeat "$repeat" --json
  bar "$1" "$3 vectors n=$4 without barriers" le 0.95 "$(field barriers.overlap)" "x with them" "$(field tiles.seconds) s, with barriers $(field barriers.seconds) s"
}
group_barriers() {
  settings=(STARPU_NCUDA=0)
  overlap barriers 400 syevd 4000
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

group_overlap() {
  settings=(STARPU_NCUDA=1)
  overlap overlap 90 syevd 16384
  overlap overlap 60 gesdd 8192
}

# The least that a routine needs, operands and own, in MiB, over three.
third() {
  local host own
  "$tilework" memory "$@" --json > "$work/need" 2> /dev/null
  host=$("$bench" field host < "$work/need") own=$("$bench" field own < "$work/need")
  calculate "int(($host + $own) / 3 / 1048576)"
}
# limited MOST ROUTINE N MIB JOBZ: right within MIB of GPU memory; what went over the link beyond what goes without a limit was evicted and fetched again.
limited() {
  local to from seconds
  settings=(STARPU_NCUDA=1)
  step "$1" "$tilework" "$2" --n "$3" --jobz "$5" --json "${@:6}"
  to=$(field bytes_to_gpu) from=$(field bytes_from_gpu) seconds=$(field seconds)
  settings=(STARPU_NCUDA=1 "STARPU_LIMIT_CUDA_MEM=$4")
  step "$1" "$tilework" "$2" --n "$3" --jobz "$5" --check --json "${@:6}"
  bar memory "$2 n=$3 within $4 MiB: residual" le 3 "$(field residual)" "" \
      "$(field seconds) s, unlimited first call $seconds; $(field cuda_tasks) tasks on the GPU; evicted: fetched again $(calculate "($(field bytes_to_gpu) - ${to:-0}) / 1e9") GB, sent home more $(calculate "($(field bytes_from_gpu) - ${from:-0}) / 1e9") GB"
}
group_memory() {
  limited 45 syevd 8192 "$(third syevd --n 8192 --k 8192)" V
  limited 60 syevd 16384 "$(third syevd --n 16384 --k 16384)" V
  limited 45 gesdd 8192 "$(third gesdd --n 8192 --k 8192)" S
  limited 45 syevd 8192 280 V --nb 4096
}

group_svd() {
  local what=(--door tiles --json) rows=1000000
  settings=(STARPU_NCUDA=1)
  step 60 "$bench" gesdd --n 16384 --vs none --repeat 3 "${what[@]}"
  bar svd "gesdd values n=16384" le 1.3 "$(field tiles.seconds jobz=N)" s "first $(field tiles.first_seconds jobz=N)"
  bar svd "gesdd vectors n=16384" le 3.6 "$(field tiles.seconds jobz=V)" s "first $(field tiles.first_seconds jobz=V)"
  step 40 "$bench" gesdd --n 4096 --jobz V --vs cusolver --repeat "$repeat" "${what[@]}"
  bar svd "gesdd vectors n=4096" le 1 "$(calculate "$(field tiles.seconds) / $(field cusolver.seconds)")" "x cuSOLVER with copies" "$(field tiles.seconds) s"
  step 60 "$bench" gesdd --m $rows --n 256 --jobz V --vs none --repeat "$repeat" "${what[@]}"
  bar svd "gesdd $rows x 256, U, S, V" le 0.15 "$(field tiles.seconds)" s "first $(field tiles.first_seconds)"
}

# recorded NAME PROGRAM...: where the time of its last call goes, by kernel: FILE.tall-NAME.txt
recorded() {
  local name=$1 kept=("${settings[@]}")
  shift
  settings+=("TILEWORK_TRACE=$work/$name" TILEWORK_TRACE_FORMATS=tw)
  step 90 "$@" && "$tilework" trace "$work/$name.tw" --what-if standard > "$out.tall-$name.txt" 2>&1
  settings=("${kept[@]}")
}

group_tall() {
  local rows=1000000 domain shape
  shape=(--m "$rows" --n 256)
  settings=(STARPU_NCUDA=1)
  step 150 "$bench" gels "${shape[@]}" --kind svd:1e12 --door tiles --vs none --check --repeat "$repeat" --json
  bar tall "gels $rows x 256, condition 1e12" le 1.6 "$(field tiles.times_copy_in)" "x one copy of A" \
      "$(field tiles.seconds) s in tiles of $(field tiles.mb) rows, first $(field tiles.first_seconds), a copy $(field copy_in.seconds)"
  bar tall "gels $rows x 256, condition 1e12: backward error" le 3 "$(field tiles.residual)" ""
  step 90 "$bench" gesdd "${shape[@]}" --jobz V --vs none --door tiles --check --repeat "$repeat" --json
  bar tall "gesdd $rows x 256, U, S, V" le 0.15 "$(field tiles.seconds)" s "first $(field tiles.first_seconds), residual $(field tiles.residual)"
  step 150 "$bench" cholqr "${shape[@]}" --kind svd:1e6 --check --repeat "$repeat" --json
  bar tall "cholqr $rows x 256 on the GPU, condition 1e6" le 0.02 "$(field resident.seconds)" s \
      "first $(field resident.first_seconds), $(field resident.choleskys) Cholesky factorizations, from and to main memory $(field tiles.seconds)"
  bar tall "cholqr $rows x 256: the larger of |A - Q R|, |Q^H Q - I|" le 3 \
      "$(calculate "$(field resident.residual) > $(field resident.orthogonality) ? $(field resident.residual) : $(field resident.orthogonality)")" ""
  recorded gels "$tilework" gels "${shape[@]}" --repeat 2
  recorded gesdd "$tilework" gesdd "${shape[@]}" --jobz S --repeat 2
  recorded cholqr "$bench" cholqr "${shape[@]}" --kind random --repeat 1
  # No bars: domains of other length, and square tiles as before (0).
  for domain in 16384 65536 131072 0; do
    settings=(STARPU_NCUDA=1 "TILEWORK_TALL=$domain")
    step 120 "$bench" gels "${shape[@]}" --door tiles --vs none --repeat 3 --json
    printf 'gels %s x 256, TILEWORK_TALL=%s: %s s, %s copies\n' $rows $domain "$(field tiles.seconds)" "$(field tiles.times_copy_in)"
  done
}

group_geev() {
  settings=(STARPU_NCUDA=1)
  step 110 "$bench" geev --n 4096 --jobz V --vs lapack,cusolver-resident --door tiles --repeat 1 --json
  bar geev "geev right vectors n=4096" le 0.75 "$(calculate "$(field tiles.seconds) / $(field lapack.seconds)")" "x LAPACK" \
      "$(field tiles.seconds) s of which QR iteration $(field tiles.stages.schur.seconds), Hessenberg $(field tiles.stages.hessenberg.seconds), vectors $(field tiles.stages.vectors.seconds); LAPACK $(field lapack.seconds), $(field lapack.threads) threads; Xgeev resident $(field cusolver_resident.seconds)"
}

# predicted N JOBZ: over measured, or measured over predicted, whichever is larger
predicted() {
  local x
  step 30 "$tilework" syevd --n "$1" --jobz "$2" --repeat 3 --json
  x=$(calculate "$(field "predicted.$(field route repeat=2)" repeat=2) / $(field seconds repeat=2)")
  bar route "syevd n=$1 jobz $2: predicted and measured apart" le 1.5 "$(calculate "($x > 1) ? $x : 1 / $x")" x \
      "route $(field route repeat=2), took $(field seconds repeat=2) s; predicted two $(field predicted.two repeat=2), one $(field predicted.one repeat=2), LAPACK $(field predicted.lapack repeat=2)"
}
group_route() {
  local n
  settings=(STARPU_NCUDA=1)
  for n in 1024 2048 4096 8192; do predicted $n N; predicted $n V; done
  predicted 16384 N
  predicted 16384 V
}

# What waits for memory: n^3 / 2 elements of gehrd, 2 n^3 / 3 of gebrd, at 4.23 TB/s. Beside that the time at the speed that this GPU's copies have by its profile; gehrd's products read
# n^3 / 3 elements, since the rows above a panel's reflectors are multiplied by all of them at once. One panel is 64 columns: seconds less the products', over the columns, is what a column costs.
group_one_stage() {
  local routine bytes read speed n=8192
  settings=(STARPU_NCUDA=1)
  step 60 "$tilework" info --json
  speed=$(tr '{' '\n' < "$last" | sed -n 's/.*"device":"cuda","what":"memory","type":"d".*"value":\([0-9.e+]*\).*/\1/p' | sort -g | tail -n 1)
  for routine in gehrd gebrd; do
    case $routine in gehrd) bytes=4 read=2.6667 ;; gebrd) bytes=5.3333 read=5.3333 ;; esac
    timed $routine --n $n
    bar one-stage "$routine n=$n" le 1.7 "$(calculate "$seconds / ($bytes * $n^3 / 4.23e12)")" "x its products at 4.23 TB/s" \
        "$seconds s, first $(field seconds repeat=0); what it reads takes $(calculate "$read * $n^3 / (${speed:-0} * 1e9)") s at ${speed:-?} GB/s, the rest $(calculate "($seconds - $read * $n^3 / (${speed:-0} * 1e9)) / $n * 1e6") us a column; tasks on the GPU $(field cuda_tasks repeat=0) of $(field tasks repeat=0)"
  done
}

# timed FLAGS...: the command's runs; the median of those after the first into $seconds.
timed() {
  seconds=
  step 200 "$tilework" "$@" --repeat $((repeat + 1)) --json || return
  seconds=$(grep '"repeat":[1-9]' "$last" | sed -n 's/.*"seconds":\([-+0-9.e]*\).*/\1/p' | sort -g | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }')
}

# The runs that time allows: medians of those behind the first, else the first ones are compared.
group_svd_gpus() {
  local all first one
  if [ "$gpus" -lt 2 ]; then
    shown='not run'
    bar svd-gpus "gesdd vectors n=32768 on several GPUs" ge 2 "" "x one" "$gpus GPU here"
    return
  fi
  settings=("STARPU_NCUDA=$gpus")
  step 80 "$tilework" gesdd --n 32768 --jobz S --repeat 2 --json
  all=$(field seconds repeat=1) first=$(field seconds repeat=0)
  settings=(STARPU_NCUDA=1)
  step 200 "$tilework" gesdd --n 32768 --jobz S --repeat 2 --json
  one=$(field seconds repeat=1)
  if [ -n "$one" ] && [ -n "$all" ]; then
    bar svd-gpus "gesdd vectors n=32768 on $gpus GPUs" ge 2 "$(calculate "$one / $all")" "x one" "second calls: $all s, one $one s; first calls $first s, one $(field seconds repeat=0)"
  else
    one=$(field seconds repeat=0)
    bar svd-gpus "gesdd vectors n=32768 on $gpus GPUs" ge 2 "$(calculate "$one / $first")" "x one" "first calls: $first s, one $one s; second on all $all s"
  fi
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
locate
run_groups
