#!/usr/bin/env bash
# Advice, by real runs: each rule is said of a run that was made bad on purpose, and not of its sound twin. What a busy machine may spoil is tried three times.
# Not here: rules for GPUs, `panel`, `data`, `end`, `not-taken`, `slow-worker` (test_advice.c has made-up recordings for all).
. "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
cd "$work"
export TILEWORK_TRACE_FORMATS=tw
run() { "$@" --trace run > out 2>&1 || { cat out; die "$* fails"; }; }      # [env VARIABLE=VALUE] COMMAND...
says() { "$tilework" trace run.tw > report; awk -v rule="$1" '/^What stands out/ { on = 1 } on && $1 == rule { said = 1 } END { exit !said }' report; }
fired() {      # RULE COMMAND...: one of three runs is told so
  local rule=$1 try; shift
  for try in 1 2 3; do
    run "$@"
    if says "$rule"; then sed -n "/^  $rule /,/try:/p" report; return; fi
  done
  cat report; die "'$rule' is not said of: $*"
}
silent() {      # RULE COMMAND...: one of five runs is not told so
  local rule=$1 try; shift
  for try in 1 2 3 4 5; do
    run "$@"
    if ! says "$rule"; then return; fi
  done
  cat report; die "'$rule' is said of: $*"
}
potrf() { echo "$tilework potrf --n $1 --nb $2"; }
# shellcheck disable=SC2046  # words are wanted
{
fired recording env TILEWORK_TRACE_LIMIT=50 $(potrf 1600 200)
silent recording $(potrf 1600 200)
fired small-tasks $(potrf 512 16)
silent small-tasks $(potrf 1600 200)
fired submission env TILEWORK_WINDOW=1 $(potrf 1600 200)
silent submission $(potrf 2400 300)
fired window env TILEWORK_WINDOW=4 $(potrf 1600 200)
silent window $(potrf 1600 200)
# one task, long enough that the call's own return, which a busy machine delays by some milliseconds, is little of the time; the other core does not help with its parts
fired unused-workers env TILEWORK_TEAM=1 $(potrf 3000 3000)
silent unused-workers $(potrf 2400 300)
fired chain $(potrf 1600 800) --sched prio
silent chain $(potrf 2400 300) --sched prio
fired priorities $(potrf 1600 320) --sched prio --priority none
silent priorities $(potrf 1600 320) --sched prio
fired scheduler-priorities $(potrf 512 16) --sched eager
silent scheduler-priorities $(potrf 512 16) --sched lws

run env OPENBLAS_CORETYPE=Prescott $(potrf 800 200)
if "$tilework" trace run.tw --tw --output kernels > /dev/null && grep -aq Prescott kernels.tw; then
  fired blas-kernels env OPENBLAS_CORETYPE=Prescott $(potrf 800 200)
  silent blas-kernels $(potrf 800 200)
else
  echo "not run: blas-kernels: the BLAS here does not let its kernels be chosen"
fi

silent predictions $(potrf 3200 320) # before the runs that follow: costs are learned from them, and kept

# The process stands still for 60 of 80 ms: nobody else has its cores, and tasks take several times as long, some of them, or all in all.
stopped() {
  "$tilework" potrf --n 3200 --nb 320 --trace run > out 2>&1 &
  local program=$!
  while kill -STOP $program 2> /dev/null; do
    sleep 0.06
    kill -CONT $program 2> /dev/null || true # it may have ended before it could stop
    sleep 0.02
  done
  wait $program || { cat out; die "a run that was stopped now and then fails"; }
}
for try in 1 2 3 4 5; do
  stopped
  says outliers && sed -n '/^  outliers /,/try:/p' report && break
  [ $try = 5 ] && { cat report; die "'outliers' is not said of a process that was stopped now and then"; }
done
silent outliers $(potrf 3200 320)

if [ -r /proc/thread-self/schedstat ] && [ "$(nproc)" -le 2 ]; then
  neighbours=()
  for _ in 1 2; do
    timeout 60 sh -c 'while :; do :; done' &
    neighbours+=($!)
  done
  fired cores-lost $(potrf 2400 300)
  kill "${neighbours[@]}" 2> /dev/null || true
else
  echo "not run: cores-lost wants the kernel's count of waits, and at most two cores"
fi
}
echo "advice: all right"
