#!/usr/bin/env bash
# examples/scheduler as its reader builds it: a project of its own, outside the tree; its two policies run, also under several in turn; what
# is wrong with a name or a library is said, exit status 2.   TILEWORK_BUILD: the build, TILEWORK_SOURCE: the sources.
set -u
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
tilework=$(cd "$TILEWORK_BUILD" && pwd)/bin/tilework
source=$(cd "$TILEWORK_SOURCE" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
bad() { echo "FAILED: $*"; sed 's/^/    /' out err; failures=$((failures + 1)); }
expect() { # expect STATUS WORDS-ON-STDERR PROGRAM ARGUMENTS…
  local want=$1 words=$2 got
  shift 2
  "$@" >out 2>err
  got=$?
  [ "$got" = "$want" ] || bad "$* gave $got instead of $want"
  [ -z "$words" ] || grep -qF -- "$words" err || bad "$*: no '$words' on stderr"
}

cp -r "$source/examples/scheduler" copy
if ! { cmake -S copy -B mine && cmake --build mine; } >out 2>err; then bad "examples/scheduler does not build"; exit 1; fi
grep -iE 'warning' out err && bad "examples/scheduler builds with warnings"
run=(potrf --n 700 --nb 100 --check --json)
for policy in mine mine-fifo; do
  expect 0 "" "$tilework" "${run[@]}" --sched $policy --sched-lib mine/mine.so
  grep -q "\"sched\":\"$policy\"" out || bad "$policy did not run"
done
expect 0 "" "$tilework" "${run[@]}" --sched=mine,lws,mine-fifo --sched-lib=mine/mine.so
[ "$(sed -n 's/.*"sched":"\([^"]*\)".*/\1/p' out | paste -sd' ')" = "mine lws mine-fifo" ] || bad "three policies in turn"
expect 0 "" env STARPU_SCHED_LIB="$work/mine/mine.so" STARPU_SCHED=mine "$tilework" direct --n 2000 --check
cd mine || exit 1
expect 0 "" "$tilework" "${run[@]}" --sched mine --sched-lib mine.so # a file in this folder needs no ./
cd ..

expect 2 "--sched=their" "$tilework" "${run[@]}" --sched their --sched-lib mine/mine.so
grep -qF " mine mine-fifo " err || bad "the library's own names are not listed"
expect 2 "--sched-lib=missing.so: missing.so: cannot open shared object file" "$tilework" "${run[@]}" --sched mine --sched-lib missing.so
expect 2 "no function starpu_get_sched_lib_policy" "$tilework" "${run[@]}" --sched mine --sched-lib libm.so.6
expect 2 "--sched-lib=$work/mine/mine.so: say which" "$tilework" "${run[@]}" --sched-lib mine/mine.so
expect 2 "--sched-lib: the name is empty" "$tilework" "${run[@]}" --sched-lib ""
expect 2 "STARPU_SCHED_LIB=missing.so" env STARPU_SCHED_LIB=missing.so "$tilework" "${run[@]}" --sched lws
expect 2 "STARPU_SCHED_LIB=missing.so" env STARPU_SCHED_LIB=missing.so "$tilework" direct --n 2000
expect 2 "" env STARPU_SCHED_LIB="$work/mine/mine.so" STARPU_SCHED=their "$tilework" info
grep -qF "STARPU_SCHED=their: there is no such scheduler" out || bad "info does not say what is wrong"
if [ -x "${tilework%/*}/tilework-fft" ]; then
  expect 0 "" "$tilework" fft --n 2^20 --path tasks --check --json --sched mine --sched-lib mine/mine.so
  grep -q '"sched": "mine"' out || bad "mine did not run the FFT"
  expect 2 "missing.so" "$tilework" fft --n 2^20 --path tasks --sched mine --sched-lib missing.so
fi
[ "$failures" = 0 ] && echo "the policies of examples/scheduler run, and wrong ones are refused"
exit $((failures > 0))
