# shellcheck shell=bash disable=SC2034,SC2154  # variables go both ways between this file and those that source it
# Sourced by gpu-bars.sh and cpu-bars.sh: where things are, steps with time limits, bars, the table.
#
# The caller has set `script` (its name), `groups` (all groups, in order), `limit` (seconds for all of it) and defines a function
# group_NAME for each group ("-" written as "_"). It may set `usual` (the groups that run where none is named; else all of them) and
# `gpu_groups` (those that mean nothing without a GPU), and define a function `ready`, which ends the script where it cannot run: both are
# looked at before a file is touched.

die() { printf '%s: %s\n' "$script" "$*" >&2; exit 2; }

whole() { [[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || die "$1 $2: expected a whole number, 1 or more"; }

# parse ARGUMENTS: selected groups in `chosen`, and --out, --build, --limit, --repeat.
parse() {
  chosen=() out=$PWD/$script-results.jsonl build=${TILEWORK_BUILD:-} repeat=5
  while [ $# -gt 0 ]; do
    case $1 in
      --out|--build|--limit|--repeat) [ $# -ge 2 ] || die "$1 needs a value"
        case $1 in
          --out) out=$2 ;;
          --build) build=$2 ;;
          --limit) whole "$1" "$2"; limit=$2 ;;
          --repeat) whole "$1" "$2"; repeat=$2 ;;
        esac
        shift ;;
      -h|--help) sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 0 ;;
      *) case " ${groups[*]} " in *" $1 "*) chosen+=("$1") ;; *) die "$1: not a group (${groups[*]}) and not an option" ;; esac ;;
    esac
    shift
  done
  [ ${#chosen[@]} -gt 0 ] || chosen=(${usual[@]+"${usual[@]}"})
  [ ${#chosen[@]} -gt 0 ] || chosen=("${groups[@]}")
}

need_gpu() {
  local group
  [ "$gpus" -eq 0 ] || return 0
  for group in "${chosen[@]}"; do
    case " ${gpu_groups[*]+"${gpu_groups[*]}"} " in *" $group "*) die "$group: no GPU here (nvidia-smi lists none)" ;; esac
  done
}

locate() {
  local here; here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
  root=$(cd "$here/../.." && pwd)
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
  if [ ! -x "$tilework" ] || [ ! -x "$bench" ]; then die "$tilework or $bench is missing"; fi
  gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)
  driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)
  gpus=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | wc -l)
  need_gpu
  if declare -F ready > /dev/null; then ready; fi
  { : > "$out"; } 2> /dev/null || die "cannot write to $out (--out FILE says where)"
  work=$(mktemp -d) || die "no temporary folder"
  log=$out.log
  : > "$log"
  trap finish EXIT
  trap 'exit 130' INT TERM
  new_state "$work/state"
  cpu=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
  start=$SECONDS table=() missed=0
}

# Caches of a machine that has never run Tilework nor StarPU.
new_state() {
  unset XDG_CACHE_HOME
  export STARPU_HOME=$1 STARPU_PERF_MODEL_DIR=$1/sampling STARPU_HOSTNAME=bars TILEWORK_CACHE_DIR=$1/tilework
  mkdir -p "$1"
}

left() { echo $((limit - (SECONDS - start))); }
json_text() { printf '%s' "$1" | tr -d '\000-\037' | sed 's/\\/\\\\/g; s/"/\\"/g'; }
machine_json() {
  printf '{"gpu":"%s","gpus":%s,"driver":"%s","cpu":"%s","cores":%s}' "$(json_text "${gpu:-none}")" "$gpus" \
         "$(json_text "${driver:-none}")" "$(json_text "$cpu")" "$(nproc)"
}
stamp() {      # COMMAND: the fields that every line has
  printf '"machine":%s,"date":"%s","commit":"%s","command":"%s"' "$(machine_json)" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" \
         "$(json_text "$commit")" "$(json_text "$1")"
}

# step LIMIT COMMAND...: runs it; standard output in $last, messages in $last.err, the wall time in $wall, the shown command in $shown.
# JSON lines of tilework-bench go to the results as they are; those of the command get the fields that they lack.
last=
step() {
  local most=$1 rc begin
  shift
  last=$work/last shown=$(printf '%s ' "${settings[@]+"${settings[@]}"}" "${@/#$build\/bin\//}") shown=${shown% }
  if [ "$(left)" -lt 3 ]; then printf '(no time left of %s s: %s)\n' "$limit" "$shown"; : > "$last"; return 1; fi
  if [ "$(left)" -lt "$most" ]; then most=$(left); fi
  begin=$(date +%s.%N)
  env "${settings[@]+"${settings[@]}"}" timeout -k 5 "$most" "$@" > "$last" 2> "$last.err"
  rc=$?
  wall=$(awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.3f", b - a }')
  { printf '==== %s\n' "$shown"; cat "$last" "$last.err"; printf '==== exit %s, %s s\n\n' "$rc" "$wall"; } >> "$log"
  grep '^{"bench"' "$last" >> "$out"
  grep '^{"routine"' "$last" | while IFS= read -r line; do
    printf '{"bench":"command","wall":%s,%s,"result":%s}\n' "$wall" "$(stamp "$shown")" "$line" >> "$out"
  done
  if [ $rc -ne 0 ]; then
    printf '(exit %s after %s s, limit %s s: %s)\n' "$rc" "$wall" "$most" "$shown"
    tail -n 5 "$last.err" | sed 's/^/    | /'
  fi
  return $rc
}
settings=()      # NAME=VALUE for the next steps' environment

field() { "$bench" field "$@" < "$last" 2>/dev/null; }          # of the last step
stored() { "$bench" field "$@" < "$out" 2>/dev/null; }          # of all steps so far
calculate() { awk "BEGIN { x = $1; if (x != x || x == \"inf\") exit 1; printf \"%.5g\", x }" 2>/dev/null; }

# bar GROUP NAME ge|le LIMIT MEASURED UNIT [DETAIL]: MEASURED may be empty.
bar() {
  local group=$1 name=$2 relation=$3 wanted=$4 measured=$5 unit=$6 detail=${7:-} met=null word="not measured" sign
  case $relation in ge) sign='>=' ;; *) sign='<=' ;; esac
  if [ -n "$measured" ]; then
    if awk -v a="$measured" -v b="$wanted" -v r="$relation" 'BEGIN { exit !(r == "ge" ? a >= b : a <= b) }'; then
      met=true word=yes
    else
      met=false word=NO
    fi
  fi
  if [ "$word" != yes ]; then missed=$((missed + 1)); fi
  if [ -z "$measured" ]; then case $detail in ' '* | *'  '* | *' ,'*) detail= ;; esac; fi      # made of figures that are not there
  table+=("$(printf '%-52s | %-34s | %s' "$name ($sign $wanted${unit:+ $unit})" "${measured:--}${unit:+ $unit}${detail:+; $detail}" "$word")")
  printf '%s\n' "${table[${#table[@]}-1]}"
  printf '{"bar":"%s","group":"%s","measured":%s,"wanted":"%s %s","unit":"%s","met":%s,"detail":"%s",%s}\n' \
         "$(json_text "$name")" "$group" "${measured:-null}" "$sign" "$wanted" "$unit" "$met" "$(json_text "$detail")" \
         "$(stamp "${shown:-}")" >> "$out"
}

finish() {
  rm -rf "$work"
  [ ${#table[@]} -gt 0 ] || return
  { printf '\n%-52s | %-34s | %s\n' bar measured 'met?'; printf '%s\n' "${table[@]}"; } | tee -a "$log"
  printf '%s bars, %s not met or not measured; %s s; lines in %s, output in %s\n' "${#table[@]}" "$missed" \
         "$((SECONDS - start))" "$out" "$log"
}

run_groups() {
  local group
  printf '%s: Tilework %s on %s x %s (driver %s), %s x %s\n' "$script" "$commit" "$gpus" "${gpu:-no GPU}" "${driver:-none}" \
         "$(nproc)" "$cpu"
  for group in "${chosen[@]}"; do
    settings=()
    "group_${group//-/_}"
  done
  [ $missed -eq 0 ]
}
