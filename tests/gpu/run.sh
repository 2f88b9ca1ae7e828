#!/usr/bin/env bash
# Tilework on a GPU machine: correctness, memory limits, memory checker, benchmark.
#
#   tests/gpu/run.sh [PART...] [--out DIR] [--build DIR] [--limit SECONDS] [--jobs N] [--only REGEX]
#
# From the unpacked bundle or from a source tree with a build (build/, $TILEWORK_BUILD or --build). Parts (default: all):
#   correctness  the test programs with CPU and CUDA workers
#   forced       the same with every kernel that has a CUDA body on the GPU (one CPU worker is kept for the others)
#   families     Fourier transforms (forced to the GPUs) and particles: their test programs
#   memory       a matrix larger than the GPU memory that StarPU may use: right answer, bytes evicted and fetched again
#   sanitizer    compute-sanitizer memcheck: the tests of CUDA kernels, and small factorizations
#   events       recordings with the GPU's own times (CUDA events) beside the host's (events.sh)
#   bench        tilework potrf host to host, and cuSOLVER: JSON lines
# DIR (default ./gpu-results) gets results.jsonl (one object per test and per run), summary.json, summary.txt, log.txt.
# Each step has a time limit, and all of it --limit seconds (530). --jobs N: so many test programs at a time (1). --only: of the test programs
# those whose ROOM/NAME matches, and of these three parts nothing else. Exit status: 0 only if no correctness step failed, timed out or could not run, and the benchmarks ran.
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
parts=() out=$PWD/gpu-results limit=530 jobs=1 only='' build=${TILEWORK_BUILD:-}
die() { printf 'run.sh: %s\n' "$*" >&2; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    correctness|forced|families|memory|sanitizer|events|bench) parts+=("$1") ;;
    --out|--build|--limit|--jobs|--only) [ $# -ge 2 ] || die "$1 needs a value"
      case $1 in --out) out=$2 ;; --build) build=$2 ;; --limit) limit=$2 ;; --jobs) jobs=$2 ;; --only) only=$2 ;; esac; shift ;;
    -h|--help) sed -n '2,/^set -u/{/^set -u/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) die "$1: not a part and not an option (see --help)" ;;
  esac
  shift
done
[[ $jobs =~ ^[1-9][0-9]{0,3}$ ]] || die "--jobs $jobs: not a number of programs"
[[ $limit =~ ^[0-9]{1,6}$ ]] || die "--limit $limit: not a number of seconds"
if [[ x =~ $only ]]; then :; else [ $? -ne 2 ] || die "--only $only: not a regular expression"; fi
[ ${#parts[@]} -gt 0 ] || parts=(correctness forced families memory sanitizer events bench)

# --- where things are -------------------------------------------------------------------------------------------------
if [ -f "$root/env.sh" ]; then          # the bundle
  # shellcheck disable=SC1091
  . "$root/env.sh"
  build=$root
  commit=$(cat "$root/commit.txt" 2>/dev/null || echo unknown)
else
  build=$(cd "${build:-$root/build}" 2>/dev/null && pwd) || die "no build: build first, or say --build DIR"
  commit=$(git -C "$root" rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
  # shellcheck disable=SC1091
  . "$root/cmake/openblas-core.sh" && tilework_openblas_core ""
fi
tilework=$build/bin/tilework bench=$build/bin/tilework-bench
[ -x "$tilework" ] || die "$tilework is missing"
mkdir -p "$out" || die "cannot write to $out"
out=$(cd "$out" && pwd)
results=$out/results.jsonl log=$out/log.txt
: > "$results"; : > "$log"

# One state for all of it: the bus is measured once, models carry over. Tests take their quick settings from run-test.sh.
export TILEWORK_BUILD=$out/state TILEWORK_SOURCE=$root TILEWORK_TEST_CUDA=1
export STARPU_HOME=$out/state STARPU_PERF_MODEL_DIR=$out/state/sampling STARPU_HOSTNAME=gpu TILEWORK_CACHE_DIR=$out/state/tilework
mkdir -p "$out/state"
unset XDG_CACHE_HOME
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)

# --- steps -------------------------------------------------------------------------------------------------------------
begin=$SECONDS failed=() count=0 selected=0
left() { echo $((limit - (SECONDS - begin))); }
json_text() { printf '%s' "$1" | tr -d '\000-\037' | sed 's/\\/\\\\/g; s/"/\\"/g'; }
note() {      # PART NAME STATUS SECONDS [DETAIL]
  printf '%-12s %-34s %8s s  %s%s\n' "$1" "$2" "$4" "$3" "${5:+  ($5)}"
  printf '{"part":"%s","step":"%s","status":"%s","seconds":%s,"detail":"%s"}\n' "$1" "$(json_text "$2")" "$3" "$4" \
         "$(json_text "${5:-}")" >> "$results"
  count=$((count + 1))
  [ "$3" = passed ] || failed+=("$1/$2")
}
# step PART NAME LIMIT COMMAND...: run, log, judge by the exit status. Output also in $last.
last=$out/last.txt
step() {
  local part=$1 name=$2 most=$3 start rc
  shift 3
  if [ "$(left)" -lt 5 ]; then note "$part" "$name" "not run" 0 "no time left of $limit s"; return 1; fi
  if [ "$(left)" -lt "$most" ]; then most=$(left); fi
  start=$(date +%s.%N)
  timeout -k 5 "$most" "$@" > "$last" 2>&1
  rc=$?
  judge "$part" "$name" "$most" $rc "$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { printf "%.2f", b - a }')" "$*"
}
judge() {      # PART NAME LIMIT EXIT-STATUS SECONDS COMMAND: of what left $last
  local part=$1 name=$2 most=$3 rc=$4 seconds=$5 status detail=''
  shift 5
  { printf '==== %s/%s: %s\n' "$part" "$name" "$*"; cat "$last"; printf '==== exit %s, %s s\n\n' "$rc" "$seconds"; } >> "$log"
  case $rc in
    0) status=passed ;;
    77) status="not run" detail=$(grep -m 1 -i skip "$last") ;;
    124|137) status=failed detail="time limit of $most s" ;;
    *) status=failed detail="exit $rc: $(grep -m 1 -E 'residual|expected|ERROR|error' "$last" | cut -c1-160)" ;;
  esac
  note "$part" "$name" "$status" "$seconds" "$detail"
  if [ "$status" = failed ]; then tail -n 15 "$last" | sed 's/^/    | /'; fi
  [ $rc -eq 0 ]
}
tests_of() {      # PART TEST...
  local part=$1 t program
  shift
  for t; do
    program=$build/tests/${t%/*}/test_${t#*/}
    if [[ ! $t =~ $only ]]; then continue; fi
    selected=$((selected + 1))
    if [ ! -x "$program" ]; then note "$part" "$t" "not run" 0 "no such program"; continue; fi
    if [ "$jobs" -le 1 ]; then step "$part" "$t" 150 bash "$root/cmake/run-test.sh" "$program"; else beside "$part" "$t" "$program"; fi
  done
  if [ "$jobs" -gt 1 ]; then all_beside "$part"; fi
}
# Several programs at a time: what each left is judged when all of them have ended.
queued=()
beside() {      # PART TEST PROGRAM
  local most=150 file=$out/beside-${2//\//-}
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do sleep 0.05; done
  if [ "$(left)" -lt 5 ]; then note "$1" "$2" "not run" 0 "no time left of $limit s"; return; fi
  if [ "$(left)" -lt "$most" ]; then most=$(left); fi
  { # shellcheck disable=SC2030
    begun=$(date +%s.%N)
    timeout -k 5 "$most" bash "$root/cmake/run-test.sh" "$3" > "$file.txt" 2>&1
    echo "$most $? $(awk -v a="$begun" -v b="$(date +%s.%N)" 'BEGIN { printf "%.2f", b - a }')" > "$file.rc"; } &
  queued+=("$2")
}
all_beside() {      # PART
  local t file most rc seconds
  wait
  for t in ${queued[@]+"${queued[@]}"}; do
    file=$out/beside-${t//\//-}
    read -r most rc seconds < "$file.rc"
    mv "$file.txt" "$last"; rm -f "$file.rc"
    judge "$1" "$t" "$most" "$rc" "$seconds" "$t"
  done
  queued=()
}
number() { sed -n "s/.*\"$1\":\([-+0-9.eE]*\).*/\1/p" | tail -n 1; }

# --- parts ----------------------------------------------------------------------------------------------------------------
warm_up() {      # measures the bus and the machine's profile once, outside the steps' time limits
  step start "tilework info" 120 "$tilework" info --json
  grep '^{' "$last" >> "$results"
  local workers; workers=$(number cuda_workers < "$last")
  if [ "${workers:-0}" = 0 ]; then
    note start "a CUDA worker" failed 0 "StarPU sees no GPU: nothing here would test one"
    exit 1
  fi
}

part_correctness() {
  tests_of correctness kernels/cuda_kernels kernels/cuda_blas kernels/cuda_gmres kernels/cuda_lu kernels/cuda_qr kernels/cuda_pivot kernels/cuda_one_stage dense/rows eigen/he2hb eigen/hb2st eigen/syevd eigen/barriers eigen/stedc eigen/stevr eigen/syevr eigen/sbevd eigen/sbevx eigen/sytrd eigen/gehrd eigen/geev eigen/geevx eigen/gees eigen/route eigen/sygvd eigen/syfun svd/stages svd/gesdd svd/gesvd svd/gesvdx svd/gelsd svd/gepinv svd/gebrd svd/bdsqr svd/bdsvdx svd/gersvd svd/gepolar dense/getrf_nopiv dense/gesv_nopiv dense/inverse dense/condition dense/refine dense/mixed dense/half dense/geqp3 dense/geqp3_random dense/geqp3rk dense/geqrf_tree dense/cholqr dense/gelsy dense/lapack_door dense/matrix_door dense/tile_blas dense/blas3 dense/copies dense/norms dense/lapacke_door dense/lu dense/lapacke_lu dense/qr dense/gels dense/tall dense/qr_doors dense/routines dense/tilings dense/band \
           runtime/async runtime/when runtime/data runtime/access runtime/threads runtime/task_error runtime/many_buffers runtime/starpu_interop runtime/memory_limit \
           runtime/blas_threads runtime/idle runtime/fork runtime/priority_modes runtime/give_back runtime/tile_memory
  # Small tiles, too, from pieces: StarPU's matrix interface with our memory behind it.
  export TILEWORK_GPU_PIECE=main:4
  tests_of pieces dense/matrix_door dense/rows dense/lu dense/qr runtime/threads runtime/memory_limit
  unset TILEWORK_GPU_PIECE
  if [ -n "$only" ]; then return; fi
  # Bit-identical run to run, with GPU and CPUs at work.
  local routine
  for routine in potrf getrf geqrf geqp3 geqp3_random; do reproducible $routine; done
}
reproducible() {      # ROUTINE
  local a b
  step correctness "reproducible $1, first run" 60 env TILEWORK_REPRODUCIBLE=1 "$tilework" "$1" --n 3000 --nb 256 --output "$out/a.raw"
  step correctness "reproducible $1, second run" 60 env TILEWORK_REPRODUCIBLE=1 "$tilework" "$1" --n 3000 --nb 256 --output "$out/b.raw"
  a=$(cksum < "$out/a.raw" 2>/dev/null) b=$(cksum < "$out/b.raw" 2>/dev/null)
  if [ -n "$a" ] && [ "$a" = "$b" ]; then note correctness "reproducible $1: same bits" passed 0 "$a"
  else note correctness "reproducible $1: same bits" failed 0 "$a, then $b"; fi
  rm -f "$out/a.raw" "$out/b.raw"
}

part_families() {
  export TILEWORK_FFT_PLACE=gpu TILEWORK_FFT_PATH=tasks
  tests_of families fft/arrays fft/spread fft/triple fft/shapes fft/sizes fft/large fft/doors fft/strided fft/share fft/small_cuda
  unset TILEWORK_FFT_PATH
  if [ -z "$only" ]; then large_transforms; fi
  unset TILEWORK_FFT_PLACE
  tests_of families nbody/fmm_cuda nbody/series_cuda
  export TILEWORK_FMM_PATH=gpu
  tests_of families nbody/fmm2d nbody/periodic nbody/yukawa nbody/stokes
  unset TILEWORK_FMM_PATH
  export TILEWORK_FORCE_CUDA=1
  tests_of families nbody/direct nbody/function md/cutoff md/cutoff_motion
  unset TILEWORK_FORCE_CUDA
}
large_transforms() {
  # larger than the memory that StarPU may use: two streamed passes, checked against the definition; and through held memory
  STARPU_LIMIT_CUDA_MEM=700 step families "fft 512x512x512 within 700 MiB" 120 "$tilework" fft --n 512x512x512 --check
  STARPU_LIMIT_CUDA_MEM=700 step families "fft 2^27 within 700 MiB" 120 "$tilework" fft --n 2^27 --check
  step families "fft 2^28" 120 "$tilework" fft --n 2^28 --check
}

part_forced() {
  export TILEWORK_FORCE_CUDA=1 STARPU_NCPU=1
  tests_of forced dense/lu dense/qr dense/gels dense/tall dense/qr_doors dense/rows eigen/he2hb eigen/hb2st eigen/syevd eigen/stedc eigen/stevr eigen/syevr eigen/sbevd eigen/sbevx eigen/sytrd eigen/gehrd eigen/geev eigen/geevx eigen/gees eigen/route eigen/sygvd eigen/syfun svd/stages svd/gesdd svd/gesvd svd/gesvdx svd/gelsd svd/gepinv svd/gebrd svd/bdsqr svd/bdsvdx svd/gersvd svd/gepolar dense/getrf_nopiv dense/gesv_nopiv dense/inverse dense/condition dense/refine dense/mixed dense/half dense/geqp3 dense/geqp3_random dense/geqp3rk dense/geqrf_tree dense/cholqr dense/gelsy dense/lapack_door dense/matrix_door dense/tile_blas dense/blas3 dense/copies dense/norms runtime/async
  local type types=(s d c z)
  if [ -n "$only" ]; then types=(); fi
  for type in ${types[@]+"${types[@]}"}; do
    step forced "potrf $type n=2500" 60 "$tilework" potrf --type $type --n 2500 --nb 300 --check --json && all_on_gpu forced
    step forced "potri $type n=1500" 60 "$tilework" potri --type $type --n 1500 --nb 200 --uplo U --check --json
    step forced "posv $type n=1500" 60 "$tilework" posv --type $type --n 1500 --nrhs 300 --nb 200 --check --json
    # a fourth stream for panels, part of the multiprocessors for updates
    STARPU_NWORKER_PER_CUDA=4 step forced "getrf $type n=3000, four streams" 60 "$tilework" getrf --type $type --n 3000 --nb 300 --check --json
    STARPU_NWORKER_PER_CUDA=4 step forced "geqrf $type n=2500, four streams" 60 "$tilework" geqrf --type $type --n 2500 --nb 300 --check --json
    # the matrix stays on the GPU, panels and all
    step forced "gehrd $type n=1501" 60 "$tilework" gehrd --type $type --n 1501 --check --json && all_on_gpu forced
    step forced "gebrd $type 1301 x 1500" 60 "$tilework" gebrd --type $type --m 1301 --n 1500 --check --json
  done
  unset TILEWORK_FORCE_CUDA STARPU_NCPU
}
all_on_gpu() {      # PART: the run before did its tasks there
  local tasks cuda
  grep '^{' "$last" >> "$results"
  tasks=$(number tasks < "$last") cuda=$(number cuda_tasks < "$last")
  if [ "${tasks:-0}" -gt 0 ] && [ "$tasks" = "$cuda" ]; then return; fi
  note "$1" "all tasks on the GPU" failed 0 "$cuda of $tasks"
}

# The lower triangle of 16384 x 16384 doubles in 1024-tiles has 136 tiles = 1.14 GB: nearly twice the limit.
part_memory() {
  local n=16384 nb=1024 mib=600 need to from again written calls=$build/tests/dropin/calls
  # A program that did not ask for Tilework keeps half of the GPU's free memory.
  if [ -x "$calls" ] && step memory "tilework run" 90 env TILEWORK_VERBOSE=3 "$tilework" run --min 0 -- "$calls" threads; then
    if grep -q "MiB of each GPU's memory may be used: half of what is free" "$last"; then note memory "half of the GPU's memory is left" passed 0 ""
    else note memory "half of the GPU's memory is left" failed 0 "no limit was said"; fi
  elif [ ! -x "$calls" ]; then note memory "half of the GPU's memory is left" "not run" 0 "no program $calls"
  fi
  need=$((136 * nb * nb * 8))
  STARPU_LIMIT_CUDA_MEM=$mib step memory "potrf n=$n within $mib MiB" 120 "$tilework" potrf --n $n --nb $nb --check --json || return
  grep '^{' "$last" >> "$results"
  to=$(number bytes_to_gpu < "$last") from=$(number bytes_from_gpu < "$last")
  again=$((${to:-0} - need)) written=$((${from:-0} - need))
  { printf '{"part":"memory","n":%s,"nb":%s,"limit_mib":%s,"matrix_bytes":%s,' $n $nb $mib $need
    printf '"bytes_to_gpu":%s,"bytes_from_gpu":%s,' "${to:-0}" "${from:-0}"
    printf '"evicted_and_fetched_again_bytes":%s,"written_back_beyond_result_bytes":%s}\n' $again $written
  } >> "$results"
  if [ $again -gt 0 ]; then note memory "tiles were evicted" passed 0 "$again bytes fetched again, $written written back beyond the result"
  else note memory "tiles were evicted" failed 0 "$to bytes to the GPU for a matrix of $need: the limit did not bite"; fi
  # Pieces of some tiles each: what is thrown out leaves holes in them.
  TILEWORK_GPU_PIECE=main:48 STARPU_LIMIT_CUDA_MEM=$mib step memory "potrf n=$n within $mib MiB, in pieces" 120 "$tilework" potrf --n $n --nb $nb --check --json || return
  grep '^{' "$last" >> "$results"
  # Eigenvectors of order 8192: the copy of A's triangle, the reflectors of both stages and Z are 1.6 GB.
  STARPU_LIMIT_CUDA_MEM=$mib step memory "syevd n=8192 within $mib MiB" 120 "$tilework" syevd --n 8192 --nb 1024 --check --json || return
  grep '^{' "$last" >> "$results"
  # Tasks of 50 to 400 MB, which several streams cannot have at the same time: in tiles as the profile says, a third of what it needs.
  STARPU_LIMIT_CUDA_MEM=554 step memory "syevd n=8192 within 554 MiB" 60 "$tilework" syevd --n 8192 --jobz V --check --json || return
  grep '^{' "$last" >> "$results"
  # A tile of 4096 with its panel and what StarPU keeps is more than that: these tasks are the cores'.
  STARPU_LIMIT_CUDA_MEM=280 step memory "syevd n=5000 in tiles of 4096 within 280 MiB" 120 "$tilework" syevd --n 5000 --nb 4096 --check --json || return
  grep '^{' "$last" >> "$results"
}

part_sanitizer() {
  local tool=${COMPUTE_SANITIZER:-} candidate
  for candidate in "$tool" "$(command -v compute-sanitizer)" "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer" \
                   /usr/local/cuda*/bin/compute-sanitizer /usr/local/cuda*/compute-sanitizer/compute-sanitizer; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then tool=$candidate; break; fi
  done
  if [ ! -x "$tool" ]; then note sanitizer memcheck "not run" 0 "compute-sanitizer was not found (set COMPUTE_SANITIZER)"; return; fi
  # API statuses are checked by the library itself, and StarPU asks some questions whose answer is an error.
  local check=("$tool" --tool memcheck --error-exitcode 99 --report-api-errors no --target-processes all)
  local kernels
  for kernels in kernels/cuda_kernels kernels/cuda_lu kernels/cuda_qr kernels/cuda_blas kernels/cuda_gmres kernels/cuda_inverse kernels/cuda_one_stage kernels/cuda_pivot; do
    TILEWORK_TEST_MEMCHECK=1 step sanitizer "$kernels" 200 bash "$root/cmake/run-test.sh" "${check[@]}" "$build/tests/kernels/test_${kernels#*/}"
  done
  # A piece would hide a kernel that writes behind its tile.
  TILEWORK_GPU_PIECE=0 TILEWORK_FORCE_CUDA=1 STARPU_NCPU=1 STARPU_NWORKER_PER_CUDA=2 step sanitizer "potrf n=512" 150 \
    "${check[@]}" "$tilework" potrf --n 512 --nb 128 --check
  local routine
  for routine in getrf geqrf geqp3 gehrd gebrd; do
    TILEWORK_GPU_PIECE=0 TILEWORK_FORCE_CUDA=1 STARPU_NCPU=1 step sanitizer "$routine n=300" 100 "${check[@]}" "$tilework" $routine --n 300 --check
  done
}

part_events() {
  step events "times by CUDA events" 200 bash "$here/events.sh" "$tilework"
  cat "$last"
}

part_bench() {
  local n type
  bench_run() { step bench "$1" "$2" "${@:3}"; grep '^{' "$last" >> "$results"; }
  for n in 8192 16384 32768; do
    bench_run "potrf d n=$n" 120 "$tilework" potrf --type d --n $n --repeat 4 --check --json
  done
  for type in s c z; do bench_run "potrf $type n=16384" 90 "$tilework" potrf --type $type --n 16384 --repeat 3 --check --json; done
  bench_run "potrf d n=16384 LAPACK door" 90 "$tilework" potrf --n 16384 --lapack-door --repeat 3 --check --json
  bench_run "cusolver" 120 "$bench" cusolver --n 8192,16384,32768 --json
  bench_run "gemm" 60 "$bench" gemm --json
}

# --- the end ------------------------------------------------------------------------------------------------------------------
table() {
  printf '\n%-14s %4s %7s %6s %10s %10s %12s  %s\n' routine type n nb seconds Gflop/s residual "tasks on CPU/GPU"
  grep '"routine":' "$results" | while IFS= read -r line; do
    value() { printf '%s' "$line" | sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }
    printf '%-14s %4s %7s %6s %10.4f %10.1f %12s  %s/%s\n' "$(value routine) $(value door)" "$(value type)" "$(value n)" "$(value nb)" \
           "$(value seconds)" "$(value gflops)" "$(value residual)" "$(value cpu_tasks)" "$(value cuda_tasks)"
  done
  grep '"bench":' "$results" | sed 's/"date".*"machine":{[^}]*},//'
  printf '\n%s steps, %s failed or not run%s\n' "$count" "${#failed[@]}" "${failed[*]:+: ${failed[*]}}"
}
finish() {
  rm -rf "$last" "$out/state"
  table 2>&1 | tee "$out/summary.txt"
  {
    printf '{"date":"%s","commit":"%s","command":"run.sh %s","gpu":"%s","driver":"%s","cores":%s,"seconds":%s,"steps":%s,"failed":[' \
           "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(json_text "$commit")" "${parts[*]}" "$(json_text "$gpu")" "$(json_text "$driver")" \
           "$(nproc)" "$((SECONDS - begin))" "$count"
    local sep='' f
    for f in ${failed[@]+"${failed[@]}"}; do printf '%s"%s"' "$sep" "$(json_text "$f")"; sep=,; done
    printf ']}\n'
  } > "$out/summary.json"
}
trap finish EXIT
trap 'exit 130' INT TERM

printf 'Tilework %s on %s (driver %s), %s cores; results in %s\n' "$commit" "${gpu:-no GPU}" "${driver:-none}" "$(nproc)" "$out"
warm_up
for part in "${parts[@]}"; do "part_$part"; done
if [ -n "$only" ] && [ "$selected" = 0 ]; then note start "--only $only" "not run" 0 "no test of these parts matches"; fi
[ ${#failed[@]} -eq 0 ]
