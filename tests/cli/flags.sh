#!/usr/bin/env bash
# Flags that mean one thing everywhere: numbers, --repeat, --sched, --ncpu, --ncuda, --trace, and what is said about variables.
# shellcheck source-path=SCRIPTDIR source=_expect.sh
. "$(dirname "${BASH_SOURCE[0]}")/_expect.sh"

# ---- numbers
for n in 1024 2^10 1K 1.024e3 '0.001M'; do
  case $n in 0.001M) continue ;; esac     # no whole number
  expect 0 '"n":1024' potrf --n $n --json
  expect 0 '"n": 1024' fmm --n $n --json
  expect 0 '"n": 1024' direct --n $n --json
  expect 0 '"n": 1024' nbody --n $n --json
  if has_fft; then expect 0 '"n": "1024x1024"' fft --n "${n}x$n" --json; fi
done
if [ -x "$(dirname "$tilework")/tilework-bench" ]; then
  expect 0 '"n":256' bench potrf --n 2^8 --repeat 1e0 --vs none --no-gemm --json
  expect 2 '--n' bench potrf --n 1e
  expect 2 '--n' bench gemm --n 64,x
fi
if [ -x "$(dirname "$tilework")/tilework-bench-fft" ]; then
  expect 0 '1K' bench fft --limit 0.1 --repeat 1e0 1K
  expect 2 '' bench fft --limit 0.1 --repeat x 64
fi
expect 0 '"step": 10' md --n 5e2 --steps 1e1 --json
expect 0 '"nrhs":100' posv --n 100 --nrhs 1e2 --nb 2^6 --seed 1K --json
expect 0 '"seed":9223372036854775807' potrf --n 64 --seed 9223372036854775807 --json
for n in 0.001M 1.5 1e 2^ ^2 2^64 1e30 4Q 0x10 ' 4' +4 1e3x inf; do
  expect 2 "--n" potrf --n "$n"
  expect 2 "--n" fmm --n "$n"
done
if has_fft; then
  for n in 0.001M 1.5 2^64 8x 8x8x8x8 x8; do expect 2 "--n" fft --n "$n"; done
fi

# ---- --repeat ends with a line
expect 0 'potrf, 3 runs: median ' potrf --n 200 --repeat 3
[ "$(wc -l < out)" = 4 ] || bad "--repeat 3 gave $(wc -l < out) lines"
expect 0 'fmm, 2 runs: median ' fmm --n 1000 --repeat 2
expect 0 'direct, 2 runs: median ' direct --n 1000 --repeat 2
if has_fft; then expect 0 'fft, 2 runs: median ' fft --n 100 --repeat 2; fi
expect 0 '"summary": "repeat", "runs": 3, "seconds_median": ' potrf --n 200 --repeat 3 --json
tail -n 1 out | grep -q '"seconds_least": .*"seconds_spread": ' || bad "--repeat --json ends with: $(tail -n 1 out)"
expect 0 '' potrf --n 200
[ "$(wc -l < out)" = 1 ] || bad "one run gave $(wc -l < out) lines"

# ---- schedulers in turn
schedulers() { sed -nE 's/.*"sched": ?"([a-z]+)".*/\1/p' out | tr '\n' ' '; }
expect 0 '' potrf --n 200 --sched eager,lws,prio --json
[ "$(schedulers)" = "eager lws prio " ] || bad "potrf --sched eager,lws,prio ran: $(schedulers)"
expect 0 '' fmm --n 3000 --sched eager,prio --json
[ "$(schedulers)" = "eager prio " ] || bad "fmm --sched eager,prio ran: $(schedulers)"
expect 0 '' direct --n 300 --json --sched=ws
[ "$(schedulers)" = "ws " ] || bad "direct --sched=ws ran: $(schedulers)"
if has_fft; then
  expect 0 '' fft --n 2^16 --path tasks --sched eager,ws --json
  [ "$(schedulers)" = "eager ws " ] || bad "fft --sched eager,ws ran: $(schedulers)"
fi
expect 2 '--sched' potrf --sched
# the flag is named, not the variable behind it, and once
for command in 'potrf --n 64' 'fmm --n 64' 'md --n 500'; do
  # shellcheck disable=SC2086
  expect 2 '--sched=nonsense' $command --sched nonsense
  if grep -q STARPU_SCHED err; then bad "$command --sched nonsense names the variable: $(cat err)"; fi
  [ "$(wc -l < err)" = 1 ] || bad "$command --sched nonsense says more than one thing: $(cat err)"
done

# ---- what this machine does not have, and variables that mean nothing: a warning, once
cores=$("$tilework" info --json | sed -nE 's/.*"cores": ?([0-9]+).*/\1/p' | head -n 1)
expect 0 "this machine has $cores core" potrf --n 100 --ncpu $((cores + 1)) --sched eager,lws
[ "$(grep -c warning err)" = 1 ] || bad "two turns, two warnings: $(cat err)"
CUDA_VISIBLE_DEVICES='' expect 0 'warning: --ncuda 1: 0 GPUs' potrf --n 100 --ncuda 1
CUDA_VISIBLE_DEVICES='' expect 0 'warning: --ncuda 1: 0 GPUs' fmm --n 100 --ncuda 1
expect 2 '--ncpu' potrf --ncpu 1.5
TILEWORK_NBB=3 expect 0 'did you mean TILEWORK_NB?' potrf --n 100
[ "$(wc -l < err)" = 1 ] || bad "an unknown variable: $(cat err)"
TILEWORK_SOMETHING_ELSE=1 expect 0 'no such variable' md --n 500 --steps 1
TILEWORK_NB=50 TILEWORK_TRACE=ours expect 0 '' potrf --n 100
[ ! -s err ] || bad "known variables: $(cat err)"

# ---- traces of every command; said before the work where they cannot be
for command in 'potrf --n 300 --nb 100' 'fmm --n 2000' 'direct --n 500' 'md --n 500 --steps 2' 'potrf --n 500 --lapack-door'; do
  rm -f t.*
  # shellcheck disable=SC2086
  expect 0 '' $command --trace t
  for ending in svg paje json html; do [ -s t.$ending ] || bad "$command --trace t left no t.$ending"; done
done
rm -f t.* t-*
expect 0 '' fmm --n 2000 --sched eager,prio --trace t
if [ ! -s t-eager.svg ] || [ ! -s t-prio.svg ]; then bad "two turns left these traces: $(ls)"; fi
TILEWORK_CROSSOVER=600 expect 2 'nothing to trace' potrf --n 500 --lapack-door --trace t
for command in potrf fmm md; do
  expect 1 '--trace: /nowhere/t: cannot write' $command --n 1e4 --trace /nowhere/t
  TILEWORK_TRACE=/nowhere/t expect 1 'TILEWORK_TRACE: /nowhere/t: cannot write' $command --n 1e4
  [ ! -s out ] || bad "$command --trace /nowhere/t worked before it said so"
done

# ---- tiles that are no squares are told as such
TILEWORK_TALL=500 expect 0 '"mb":500,"nb":30,' gels --m 5000 --n 30 --json
TILEWORK_TALL=500 expect 0 ' mb=500 nb=30 ' gels --m 5000 --n 30
TILEWORK_TALL=0 expect 0 '"nb":' gels --m 5000 --n 30 --json
if grep -q '"mb"' out; then bad "square tiles: $(cat out)"; fi

# ---- a check says how long it took
for command in 'potrf --n 100' 'posv --n 100' 'direct --n 100' 'fmm --n 100' 'nbody --n 100' 'md --n 500 --steps 1'; do
  # shellcheck disable=SC2086
  expect 0 ' s)' $command --check
  # shellcheck disable=SC2086
  expect 0 '"seconds_check"' $command --check --json
done
exit $((failures > 0))
