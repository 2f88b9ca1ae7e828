#!/usr/bin/env bash
# What advice brings: a run made bad on purpose, what `tilework trace` says to try against it and promises, and the run that follows it (docs/traces.md). Bar: half of
# what was promised, for six rules or more.
#
#   tests/bench/advice-bars.sh [GROUP...] [--out FILE] [--build DIR] [--limit SECONDS] [--repeat R]
#
# From a source tree with a build. Groups are the rules that cores alone can show (default: all). R pairs of runs (9), bad and good in turns; what counts is the median
# of each pair's gain, so that a busy machine, which both runs of a pair see, spoils less. FILE gets a JSON object for each bar, FILE.log what was run.
# Exit status: 0 only if every bar was measured and met.

# shellcheck disable=SC2034,SC2154  # the sourced file uses, and sets, variables of this one
set -u
script=advice-bars.sh limit=1500
groups=(small-tasks submission window unused-workers chain blas-kernels cores-lost schedule)
# shellcheck disable=SC1091
. "$(dirname "${BASH_SOURCE[0]}")/_bars.sh"

neighbours=()
crowd() {      # so many busy programs beside
  local k
  for ((k = 0; k < $1; k++)); do
    timeout 120 sh -c 'while :; do :; done' &
    neighbours+=($!)
  done
}
disperse() {
  [ ${#neighbours[@]} = 0 ] || { kill "${neighbours[@]}"; wait "${neighbours[@]}"; } 2> /dev/null
  neighbours=()
}

# once NEIGHBOURS COMMAND...: the seconds that the command prints; nothing if it fails.
once() {
  local beside=$1; shift
  crowd "$beside"
  env STARPU_NCUDA=0 "$@" --json > "$work/once" 2>> "$log" || : > "$work/once"
  disperse
  printf '%s: ' "$*" >> "$log"; cat "$work/once" >> "$log"
  "$bench" field seconds < "$work/once" 2> /dev/null
}
median_of() { sort -g | awk '{ v[NR] = $1 } END { if (NR) printf "%.5g", (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'; }

# advised NEIGHBOURS RULE COMMAND...: $promised (per cent of the time) and $try, of one of five recorded runs.
advised() {
  local beside=$1 rule=$2 k; shift 2
  promised='' try=''
  for k in 1 2 3 4 5; do
    crowd "$beside"
    env STARPU_NCUDA=0 TILEWORK_TRACE_FORMATS=tw "$@" --trace "$work/run" >> "$log" 2>&1
    disperse
    "$tilework" trace "$work/run.tw" > "$work/report" 2>&1
    try=$(awk -v rule="$rule" '/^What stands out/ { on = 1 } on && said { sub(/^ *try: /, ""); print; exit } on && $1 == rule { said = 1 }' "$work/report")
    promised=$(printf '%s' "$try" | sed -n 's/.*(promises [0-9.]* s, \([0-9.]*\) %)$/\1/p')
    try=${try%%   (promises*}
    if [ -n "$promised" ]; then return 0; fi
  done
  cat "$work/report" >> "$log"
  return 1
}

# The command's words with what was advised in place of what it had.
follow() {
  local flag=${try%% *} word skip=0
  good=()
  for word in "$@"; do
    if [ $skip = 1 ]; then skip=0; continue; fi
    if [ "$word" = "$flag" ]; then skip=1; continue; fi
    good+=("$word")
  done
  # shellcheck disable=SC2206  # words are wanted
  good+=($try)
}

# measure RULE NEIGHBOURS COMMAND...: `good` has the command that follows the advice, which has no neighbours.
measure() {
  local rule=$1 beside=$2 k a b gain; shift 2
  : > "$work/pairs"
  for ((k = 0; k < repeat; k++)); do
    if [ $((k % 2)) = 0 ]; then a=$(once "$beside" "$@") b=$(once 0 "${good[@]}"); else b=$(once 0 "${good[@]}") a=$(once "$beside" "$@"); fi
    if [ -n "$a" ] && [ -n "$b" ]; then echo "$a $b" >> "$work/pairs"; fi
  done
  gain=$(awk '{ print 100 * (1 - $2 / $1) }' "$work/pairs" | median_of)
  shown=$(printf '%s ' "${@/#$build\/bin\//}") shown=${shown% }
  bar "$rule" "$rule: of what was promised" ge 0.5 "${gain:+$(calculate "${gain:-0} / $promised")}" "of it" \
      "$shown, then $try: promised $promised %, brings ${gain:--} % (medians of $(wc -l < "$work/pairs") pairs: $(awk '{ print $1 }' "$work/pairs" | median_of) s, $(awk '{ print $2 }' "$work/pairs" | median_of) s)"
}

# rule RULE COMMAND...: one whose advice is a flag.
rule() {
  local rule=$1; shift
  if ! advised 0 "$rule" "$@"; then shown=$*; bar "$rule" "$rule: of what was promised" ge 0.5 "" "of it" "the rule was not said"; return; fi
  follow "$@"
  measure "$rule" 0 "$@"
}

group_small_tasks()    { rule small-tasks    "$tilework" potrf --n 1024 --nb 16; }
group_submission()     { rule submission     env TILEWORK_WINDOW=1 "$tilework" potrf --n 2400 --nb 200; }
group_window()         { rule window         env TILEWORK_WINDOW=1 "$tilework" geqrf --n 1200 --nb 120; }
group_unused_workers() { rule unused-workers "$tilework" potrf --n 2400 --nb 2400; }
group_chain()          { rule chain          "$tilework" potrf --n 2400 --nb 1200; }
group_blas_kernels() {      # "tilework doctor" says which; without the variable the command starts with these
  local bad=(env OPENBLAS_CORETYPE=Prescott "$tilework" potrf --n 2400 --nb 200)
  if ! advised 0 blas-kernels "${bad[@]}"; then shown=; bar blas-kernels "blas-kernels: of what was promised" ge 0.5 "" "of it" "the rule was not said"; return; fi
  good=(env -u OPENBLAS_CORETYPE "$tilework" potrf --n 2400 --nb 200)
  measure blas-kernels 0 "${bad[@]}"
}
group_cores_lost() {      # "a quiet machine"
  local bad=("$tilework" potrf --n 2400 --nb 300)
  if ! advised "$(nproc)" cores-lost "${bad[@]}"; then shown=; bar cores-lost "cores-lost: of what was promised" ge 0.5 "" "of it" "the rule was not said"; return; fi
  good=("${bad[@]}")
  measure cores-lost "$(nproc)" "${bad[@]}"
}
group_schedule() {      # "tilework compare --sched A,B,C -- ...": the best of these, by three runs each
  local bad=("$tilework" potrf --n 2400 --nb 200 --sched random) sched best='' least='' t
  if ! advised 0 schedule "${bad[@]}"; then shown=; bar schedule "schedule: of what was promised" ge 0.5 "" "of it" "the rule was not said"; return; fi
  for sched in $(printf '%s' "$try" | sed 's/.*--sched \([^ ]*\) .*/\1/' | tr , ' '); do
    t=$(for _ in 1 2 3; do once 0 "$tilework" potrf --n 2400 --nb 200 --sched "$sched"; done | median_of)
    if [ -z "$least" ] || awk -v a="$t" -v b="$least" 'BEGIN { exit !(a < b) }'; then least=$t best=$sched; fi
  done
  good=("$tilework" potrf --n 2400 --nb 200 --sched "$best")
  try="$try (the best: $best)"
  measure schedule 0 "${bad[@]}"
}

parse --repeat 9 "$@"
locate
run_groups
