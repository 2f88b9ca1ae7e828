#!/usr/bin/env bash
# Two GPUs of which the second is made slower: are the rates of both known, and do tasks go as the rates do?
#
#   tests/bench/unequal.sh [GROUP...] [--out FILE] [--build DIR] [--limit SECONDS] [--repeat R]
#
# From the unpacked bundle or a source tree with a build, on a machine with two GPUs or more, of which 0 and 1 are used. Groups (default: all):
#   probe   what the machine profile says of the two, as they are and while half of the second one's multiprocessors are held; the probe's seconds
#   geqrf   n = 32768, host to host: GPU 0 alone; GPU 1 alone, slower; both by the profile's rates; both by TILEWORK_GPU_RATES=1,1
# What slows GPU 1 down (tests/gpu/spin.cu) is preloaded into the program, and holds multiprocessors. SPIN=beside has it run as a process of its own:
# without an MPS daemon that is half of the time in place of half of the multiprocessors, and each kernel may wait for its turn. SPIN_SHARE (0.5) is
# the share of the multiprocessors; panels of QR of 32768 rows need 64 that are free. N, the order, 32768.
# FILE (default ./unequal.sh-results.jsonl) gets one JSON object for each run and each bar, with machine, date, commit and
# command, and one of rates and shares; FILE.log the programs' output. All of it has --limit seconds (560). R runs after the first (5), medians.
# Exit status: 0 only if every bar was measured and met; 2 without two GPUs.

# shellcheck disable=SC2034,SC2154  # the sourced file uses, and sets, variables of this one
set -u
script=unequal.sh limit=560
groups=(probe geqrf)
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/_bars.sh"
spin=${SPIN:-inside} share=${SPIN_SHARE:-0.5} n=${N:-32768}
unset SPIN SPIN_SHARE SPIN_DEVICE TILEWORK_GPU_RATES STARPU_PERF_MODEL_HOMOGENEOUS_CUDA

# The last step's runs, one number each: --repeat of the command prints a line for each, then a summary.
runs() { grep -v '"summary"' "$last" | sed -n 's/"seconds" *: */\n/; s/^.*\n\([-+0-9.eE]*\).*/\1/p'; }
later() { runs | tail -n +2 | sort -g | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }
# factor DEVICE KIND: of the last `tilework info --json`
factor() { grep -o "{\"device\":\"cuda $1\",\"what\":\"$2\"[^}]*}" "$last" | sed -n 's/.*"value":\([-+0-9.eE]*\).*/\1/p' | tail -n 1; }
held() { sed -n 's/^spin: .* were held for \([0-9.]*\) %.*/\1/p' "$last.err" | tail -n 1; }

# Profiles of the GPUs as they are, and of those of which one is slow, are kept apart.
plain() { settings=("TILEWORK_CACHE_DIR=$work/plain" "$@"); }
slow() {
  settings=("TILEWORK_CACHE_DIR=$work/slow" "$@")
  if [ "$spin" = inside ]; then settings+=(SPIN_DEVICE=1 "SPIN_SHARE=$share" "LD_PRELOAD=$build/tests/gpu/libspin.so"); fi
}
# slowly STEP...: a step while GPU 1 is slow
slowly() {
  local pid='' rc
  if [ "$spin" = beside ]; then
    "$build/tests/gpu/spin" --device 1 --share "$share" --seconds 600 > "$work/spin" 2>> "$log" &
    pid=$!
    for _ in $(seq 100); do if grep -q holds "$work/spin"; then break; fi; sleep 0.1; done
    if ! grep -q holds "$work/spin"; then printf '(spin does not begin: see %s)\n' "$log"; fi
  fi
  step "$@"
  rc=$?
  if [ -n "$pid" ]; then kill "$pid" 2> /dev/null; wait "$pid"; cat "$work/spin" >> "$last.err"; cat "$work/spin" >> "$log"; fi
  return $rc
}
# Held as long as it was asked for? Else the other bars mean nothing.
held_bar() { bar "$1" "multiprocessors of GPU 1 were held, $2" ge 90 "$(held)" "% of the time" "SPIN=$spin, share $share"; }

group_probe() {
  local f m
  plain STARPU_NCUDA=2
  step 60 "$tilework" info --json
  f=$(factor 1 products) m=$(factor 1 memory)
  bar probe "GPU 1 as it is: off GPU 0" le 0.05 "${f:+$(calculate "$f > 1 ? $f - 1 : 1 - $f")}" "x" "products ${f:-?}, memory ${m:-?}"
  bar probe "probed, two GPUs" le 3 "$(field machine_profile.seconds)" s
  slow STARPU_NCUDA=2
  slowly 60 "$tilework" info --json
  f=$(factor 1 products) m=$(factor 1 memory)
  bar probe "GPU 1 with $share held: off what is left" le 0.1 \
      "${f:+$(calculate "$f > 1 - $share ? $f - (1 - $share) : 1 - $share - $f")}" "x GPU 0" "products ${f:-?}, memory ${m:-?}"
}

# qr step|slowly GPUS: the median of the later runs of geqrf in `seconds`; nothing if they had other GPUs
qr() {
  "$1" 110 "$tilework" geqrf --n "$n" --repeat $((repeat + 1)) --json
  seconds=$(later)
  if [ "$(field cuda_devices)" != "$2" ]; then printf '(%s GPUs in place of %s: %s)\n' "$(field cuda_devices)" "$2" "$shown"; seconds=''; fi
}
tera() { if [ -n "$1" ]; then calculate "4 / 3 * $n ^ 3 / $1 * 1e-12"; else printf '?'; fi; }
# Of the last step's last run: GPU 1's share of what both did of `tasks` or `flops`
share_of() {
  local a b
  a=$(field "gpus.0.$1") b=$(field "gpus.1.$1")
  if [ -n "$a" ] && [ -n "$b" ]; then calculate "$b / ($a + $b)"; fi
}

group_geqrf() {
  local seconds first second both unknown by_tasks by_flops by_unknown wanted='' of_sum='' off='' how
  plain STARPU_NCUDA=1 STARPU_WORKERS_CUDAID=0
  qr step 1
  first=$seconds
  slow STARPU_NCUDA=1 STARPU_WORKERS_CUDAID=1
  qr slowly 1
  second=$seconds
  held_bar geqrf "GPU 1 alone"
  slow STARPU_NCUDA=2
  slowly 60 "$tilework" info --json      # the profile, where the group `probe` was not asked for
  how="products $(factor 1 products), memory $(factor 1 memory)"
  slow STARPU_NCUDA=2 TILEWORK_GPU_RATES=1,1
  qr slowly 2
  unknown=$seconds by_unknown=$(share_of tasks)
  slow STARPU_NCUDA=2
  qr slowly 2
  both=$seconds by_tasks=$(share_of tasks) by_flops=$(share_of flops)
  held_bar geqrf "both"
  if [ -n "$first" ] && [ -n "$second" ]; then
    wanted=$(calculate "$first / ($first + $second)")
    if [ -n "$both" ]; then of_sum=$(calculate "1 / $both / (1 / $first + 1 / $second)"); fi
    if [ -n "$by_tasks" ]; then off=$(calculate "$by_tasks > $wanted ? $by_tasks / $wanted - 1 : 1 - $by_tasks / $wanted"); fi
  fi
  bar geqrf "geqrf n=$n on both" ge 0.8 "$of_sum" "x the rates' sum" \
      "$(tera "$both") TF of $(tera "$first") and $(tera "$second"); rates not known $(tera "$unknown") TF; nb $(field nb); $how"
  bar geqrf "GPU 1's share of the tasks, off its rate's" le 0.15 "$off" "x" \
      "${by_tasks:-?} of the tasks, ${by_flops:-?} of the flops, ${wanted:-?} by rates alone; rates not known ${by_unknown:-?} of the tasks"
  printf '{"bench":"unequal","n":%s,"spin":"%s","share":%s,"seconds_first":%s,"seconds_second":%s,"seconds_both":%s,"seconds_unknown":%s,"second_tasks":%s,"second_flops":%s,"second_by_rates":%s,"second_tasks_unknown":%s,%s}\n' \
         "$n" "$spin" "$share" "${first:-null}" "${second:-null}" "${both:-null}" "${unknown:-null}" "${by_tasks:-null}" "${by_flops:-null}" \
         "${wanted:-null}" "${by_unknown:-null}" "$(stamp "$shown")" >> "$out"
}

ready() {
  case $spin in inside | beside) ;; *) die "SPIN=$spin: inside or beside" ;; esac
  if ! awk -v s="$share" 'BEGIN { exit !(s > 0 && s < 1) }'; then die "SPIN_SHARE=$share: between 0 and 1"; fi
  whole N "$n"
  [ "$gpus" -ge 2 ] || die "two GPUs are needed; nvidia-smi lists $gpus"
  for file in spin libspin.so; do [ -x "$build/tests/gpu/$file" ] || die "$build/tests/gpu/$file is missing (targets spin and spin_inside; built where CUDA is)"; done
}

parse "$@"
locate
# The bus is measured before anything is timed, and while nothing holds a GPU.
settings=()
step 120 "$tilework" info --json || die "tilework info fails; see $log"
run_groups
