#!/usr/bin/env bash
# Is it as fast as it was? Two builds or bundles, the same commands in turns: old, new, old again, in one run on one machine.
#
#   tests/bench/old-new.sh OLD NEW [GROUP...] [--rounds R] [--limit SECONDS] [--out FILE]
#
# OLD and NEW: folders with bin/tilework and bin/tilework-bench (a build's, or an unpacked bundle, whose env.sh is used). Groups
# (default: cores; on a machine with GPUs cores is not among them):
#   cores      two cores: dpotrf, all pairs, multipole sum, Verlet steps, an empty task
#   one-gpu    one GPU: potrf of four types, through both doors, gemm's ceiling, within a third of the memory, without CPU workers; FFT;
#              all pairs; multipole sum; Verlet steps
#   all-gpus   all GPUs of the machine: dpotrf, first and later calls
# Each line's figure is the median over R rounds (3) of new / old, both of the same round; beside it the same of the two olds, which is what the
# machine's noise makes of nothing. A line is kept (>= 0.98, speeds; an empty task <= 1.1) by itself or if it lies within what the olds show.
# FILE (./old-new.jsonl) gets one JSON object a line. Exit status: 0 only if every line was measured and kept.
set -u
script=old-new.sh rounds=3 limit=560 out=$PWD/old-new.jsonl chosen=() folders=()
die() { printf '%s: %s\n' "$script" "$*" >&2; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    --rounds|--limit|--out) [ $# -ge 2 ] || die "$1 needs a value"; printf -v "${1#--}" %s "$2"; shift ;;
    -h|--help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    cores|one-gpu|all-gpus) chosen+=("$1") ;;
    *) if [ ${#folders[@]} -ge 2 ] || [ ! -d "$1" ]; then die "$1: no folder, group (cores one-gpu all-gpus) or option"; fi
       folders+=("$(cd "$1" && pwd)") ;;
  esac
  shift
done
for number in rounds limit; do [[ ${!number} =~ ^[1-9][0-9]{0,8}$ ]] || die "--$number ${!number}: expected a whole number, 1 or more"; done
[ ${#folders[@]} -eq 2 ] || die "give the old and the new folder"
for folder in "${folders[@]}"; do
  if [ ! -x "$folder/bin/tilework" ] || [ ! -x "$folder/bin/tilework-bench" ]; then die "$folder has no bin/tilework, bin/tilework-bench"; fi
done
[ ${#chosen[@]} -gt 0 ] || chosen=(cores)
work=$(mktemp -d) || die "no temporary folder"
trap 'rm -rf "$work"' EXIT
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)
for group in "${chosen[@]}"; do
  if [ "$group" != cores ] && [ -z "$gpu" ]; then die "$group: no GPU here (nvidia-smi lists none)"; fi
done
{ : > "$out"; } 2> /dev/null || die "cannot write to $out (--out FILE says where)"
start=$SECONDS missed=0
cpu=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
commit() { cat "$1/commit.txt" 2>/dev/null || git -C "$1" rev-parse --short=12 HEAD 2>/dev/null || echo unknown; }

# once FOLDER STATE COMMAND...: its JSON lines in $work/STATE.last. Each folder keeps caches of its own from round to round.
once() {
  local folder=$1 state=$2
  shift 2
  mkdir -p "$work/$state"
  (
    unset XDG_CACHE_HOME
    if [ -f "$folder/env.sh" ]; then
      # shellcheck disable=SC1091
      . "$folder/env.sh"
    fi
    export STARPU_HOME=$work/$state STARPU_PERF_MODEL_DIR=$work/$state/sampling STARPU_HOSTNAME=bars TILEWORK_CACHE_DIR=$work/$state/tilework
    env "${settings[@]+"${settings[@]}"}" timeout -k 5 120 "$folder/bin/$1" "${@:2}"
  ) > "$work/$state.last" 2> "$work/$state.err" || { tail -n 3 "$work/$state.err" | sed 's/^/    | /'; return 1; }
}
value() { "${folders[1]}/bin/tilework-bench" field "${@:2}" < "$work/$1.last" 2>/dev/null; }
median() { sort -g | awk '{ v[NR] = $1 } END { if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

settings=()
# line NAME rate|time WANTED "FIELD..." COMMAND...
line() {
  local name=$1 kind=$2 wanted=$3 round a b c verdict ratio noise
  local -a path
  read -r -a path <<< "$4"
  shift 4
  : > "$work/ratios"; : > "$work/noise"; : > "$work/values"
  for ((round = 0; round < rounds; round++)); do
    [ $((SECONDS - start)) -lt "$limit" ] || break
    a='' b='' c=''
    once "${folders[0]}" old "$@" && a=$(value old "${path[@]}")
    once "${folders[1]}" new "$@" && b=$(value new "${path[@]}")
    once "${folders[0]}" old "$@" && c=$(value old "${path[@]}")
    if [ -z "$a" ] || [ -z "$b" ] || [ -z "$c" ]; then break; fi
    # new beside the mean of the olds around it; the olds beside each other
    awk -v a="$a" -v b="$b" -v c="$c" -v k="$kind" 'BEGIN { o = (a + c) / 2; print k == "rate" ? b / o : o / b }' >> "$work/ratios"
    awk -v a="$a" -v c="$c" 'BEGIN { print a < c ? a / c : c / a }' >> "$work/noise"
    printf '%s %s %s\n' "$a" "$b" "$c" >> "$work/values"
  done
  ratio=$(median < "$work/ratios") noise=$(sort -g "$work/noise" | head -n 1)
  if [ -z "$ratio" ]; then verdict="not measured" missed=$((missed + 1))
  elif awk -v r="$ratio" -v w="$wanted" 'BEGIN { exit !(r >= w) }'; then verdict=kept
  elif awk -v r="$ratio" -v n="$noise" 'BEGIN { exit !(r >= n) }'; then verdict="within the noise"
  else verdict=SLOWER missed=$((missed + 1)); fi
  printf '%-44s new is %s times as fast, olds differ by %s: %s\n' "$name" "${ratio:--}" "${noise:--}" "$verdict"
  printf '{"bench":"old-new","line":"%s","ratio":%s,"olds":%s,"rounds":%s,"unit":"%s","values":[%s],"verdict":"%s","machine":{"cpu":"%s","cores":%s,"gpu":"%s"},"date":"%s","old":"%s","new":"%s","command":"%s"}\n' \
    "$name" "${ratio:-null}" "${noise:-null}" "$(wc -l < "$work/ratios")" "$kind" "$(awk '{ printf "%s[%s,%s,%s]", (NR > 1 ? "," : ""), $1, $2, $3 }' "$work/values")" "$verdict" \
    "$cpu" "$(nproc)" "${gpu:-none}" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(commit "${folders[0]}")" "$(commit "${folders[1]}")" \
    "$(printf '%s ' "${settings[@]+"${settings[@]}"}" "$@" | sed 's/ $//; s/"/\\"/g')" >> "$out"
}

group_cores() {
  line "dpotrf n=4096, tiles" rate 0.98 "tiles.gflops" tilework-bench potrf --n 4096 --vs none --door tiles --repeat 3 --no-gemm --json
  line "dpotrf n=1000, LAPACK's arguments" rate 0.98 "lapack_door.gflops" tilework-bench potrf --n 1000 --vs none --door lapack --repeat 21 --no-gemm --json
  line "all pairs of 40,000" rate 0.98 "pairs_per_second" tilework direct --n 40000 --repeat 3 --json
  line "multipole sum, 1e6 points" rate 0.98 "points_per_second" tilework fmm --n 1000000 --eps 1e-6 --json
  line "200 Verlet steps, 4000 atoms of argon" time 0.98 "seconds step=200" tilework md --n 4000 --steps 200 --json
  line "an empty task" time 0.909 "tilework_us" tilework-bench overhead --tasks 50000 --json
}
group_one_gpu() {
  local t n
  settings=(STARPU_NCUDA=1)
  for n in 8192 16384 32768; do
    line "dpotrf n=$n" rate 0.98 "tiles.gflops" tilework-bench potrf --n $n --vs none --door tiles --repeat 5 --no-gemm --json
  done
  for t in s c z; do
    line "${t}potrf n=16384" rate 0.98 "tiles.gflops" tilework-bench potrf --type $t --n 16384 --vs none --door tiles --repeat 3 --no-gemm --json
  done
  line "dpotrf n=16384, malloc'ed array" rate 0.98 "lapack_door.gflops" tilework-bench potrf --n 16384 --vs none --door lapack --repeat 3 --no-gemm --json
  line "dpotrf n=8192, first call" time 0.98 "tiles.first_seconds" tilework-bench potrf --n 8192 --vs none --door tiles --repeat 1 --no-gemm --json
  settings=(STARPU_NCUDA=1 STARPU_LIMIT_CUDA_MEM=341)
  line "dpotrf n=16384 within 341 MiB" rate 0.98 "tiles.gflops" tilework-bench potrf --n 16384 --vs none --door tiles --repeat 3 --no-gemm --json
  settings=(STARPU_NCUDA=1 TILEWORK_FORCE_CUDA=1)
  line "dpotrf n=16384, without CPU workers" rate 0.98 "tiles.gflops" tilework-bench potrf --n 16384 --vs none --door tiles --repeat 3 --no-gemm --json
  settings=(STARPU_NCUDA=1)
  line "all pairs of 524,288, single" rate 0.98 "pairs_per_second" tilework direct --n 524288 --nb 131072 --type s --repeat 3 --json
  line "multipole sum, 1e7 points" rate 0.98 "points_per_second" tilework fmm --n 1e7 --eps 1e-6 --repeat 3 --json
  line "200 Verlet steps, 256,000 atoms of argon" time 0.98 "seconds step=200" tilework md --n 256000 --steps 200 --json
  line "FFT 512^3" time 0.98 "seconds" tilework fft --n 512x512x512 --repeat 3 --json
  settings=()
}
group_all_gpus() {
  local n count
  count=$(nvidia-smi --list-gpus 2>/dev/null | wc -l)
  for n in 16384 32768; do
    line "dpotrf n=$n, $count GPUs" rate 0.98 "tiles.gflops" tilework-bench potrf --n $n --vs none --door tiles --repeat 5 --no-gemm --json
    line "dpotrf n=$n, $count GPUs, first call" time 0.98 "tiles.first_seconds" tilework-bench potrf --n $n --vs none --door tiles --repeat 1 --no-gemm --json
  done
}
printf '%s: %s (old), %s (new), %s x %s, %s\n' "$script" "$(commit "${folders[0]}")" "$(commit "${folders[1]}")" "$(nproc)" "$cpu" "${gpu:-no GPU}"
for group in "${chosen[@]}"; do "group_${group//-/_}"; done
printf '%s lines slower or not measured; %s s; figures in %s\n' "$missed" "$((SECONDS - start))" "$out"
[ $missed -eq 0 ]
