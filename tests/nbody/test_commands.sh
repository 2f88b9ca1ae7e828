#!/usr/bin/env bash
# tilework nbody and tilework fmm: results, files, pictures, wrong usage.
set -u
: "${TILEWORK_BUILD:?}"
tilework=$(cd "$TILEWORK_BUILD" && pwd)/bin/tilework
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }
# expect STATUS TEXT arguments…: the exit status, and a text in what was printed
expect() {
  local want=$1 says=$2 got
  shift 2
  "$tilework" "$@" >out 2>&1
  got=$?
  [ "$got" = "$want" ] || bad "tilework $*: exit status $got instead of $want: $(cat out)"
  grep -qF -- "$says" out || bad "tilework $*: no '$says' in: $(cat out)"
}

for kind in uniform sphere plummer collision; do
  expect 0 '"check": "ok"' fmm --n 3e3 --kind $kind --eps 1e-5 --gradient --check --json
done
expect 0 ': ok' fmm --n 500 --check --repeat 2
[ "$(grep -c ': ok' out)" = 2 ] || bad "--repeat 2 gave $(grep -c ': ok' out) results"
for type in s d; do
  expect 0 '"check": "ok"' direct --n 1500 --type $type --nb 256 --gradient --softening 0.01 --check --json
  grep -qF '"tasks": 36' out || bad "not a task for each pair of tiles: $(cat out)"
done
expect 0 ': ok' direct --n 300 --check
grep -q gradient out && bad "direct tells of a gradient that nobody asked for: $(cat out)"
expect 0 '(gradient ' direct --n 300 --gradient --check
expect 0 'pairs/s' direct --n 0
expect 2 '--type z' direct --type z
expect 2 '--nb 3' direct --nb 3
expect 0 'energy' nbody --n 0
expect 0 '"check": "ok"' nbody --n 600 --steps 3 --check --json --output a.xyz
expect 0 '"n": 600' nbody --input a.xyz --steps 2 --eps 1e-6 --check --json --output b.csv
expect 0 'check: error' nbody --input b.csv --check
expect 0 'step 4' nbody --n 300 --kind collision --steps 4 --every 2 --frames f --size 64
for k in 0 1 2; do
  [ "$(head -c 13 f_0000$k.ppm | tr '\n' ' ')" = "P6 64 64 255 " ] || bad "f_0000$k.ppm is no PPM picture"
  [ "$(wc -c <f_0000$k.ppm)" = $((13 + 3 * 64 * 64)) ] || bad "f_0000$k.ppm has $(wc -c <f_0000$k.ppm) bytes"
done
cmp -s f_00000.ppm f_00002.ppm && bad "nothing moved"
"$tilework" nbody --n 2000 --steps 2 --json | sed 's/"seconds.*//' >one
STARPU_NCPU=1 STARPU_SCHED=eager "$tilework" nbody --n 2000 --steps 2 --json | sed 's/"seconds.*//' >two
cmp one two || bad "another scheduler, other numbers"

# Stopped after 4 of 8 steps and gone on: the same particles as without a stop.
expect 0 'step 8' nbody --n 500 --kind collision --steps 8 --every 4 --output whole.csv --energies e.csv
expect 0 'step 4' nbody --n 500 --kind collision --steps 4 --checkpoint half.motion
expect 0 'step 8' nbody --restart half.motion --steps 4 --every 4 --output halves.csv
cmp -s whole.csv halves.csv || bad "a restarted motion ends elsewhere"
[ "$(wc -l <e.csv)" = 4 ] || bad "the table of energies has $(wc -l <e.csv) lines"
expect 2 '--restart' nbody --restart half.motion --dt 1
expect 2 'missing' nbody --restart missing
expect 2 'not a checkpoint' nbody --restart whole.csv
expect 1 '--checkpoint' nbody --n 10 --checkpoint /nonexistent/m
for boundary in tinfoil vacuum; do
  expect 0 '"check": "ok"' fmm --n 2e3 --eps 1e-5 --periodic $boundary --gradient --check --json
done
expect 0 ': ok' fmm --n 500 --kind plummer --periodic tinfoil --box 7 --check
expect 0 '"check": "ok"' fmm --n 3e3 --eps 1e-5 --kappa 2 --gradient --check --json
expect 0 '"check": "ok"' fmm --n 3e3 --eps 1e-5 --plane --gradient --check --json
expect 2 '--plane' fmm --kappa 1 --plane
expect 2 '--kappa' fmm --kappa -1
expect 2 '--periodic' fmm --periodic none
expect 2 '--box' fmm --box 7
expect 2 '--box' fmm --periodic vacuum --box 0

expect 0 'usage: tilework nbody' nbody -h
expect 0 'usage: tilework fmm' fmm --help
expect 0 'usage: tilework fmm' help fmm
expect 2 '--n -1' fmm --n -1
expect 2 '--n 1.5' nbody --n 1.5
expect 2 '--eps 0' fmm --eps 0
expect 2 '--steps x' nbody --steps x
expect 2 '--softening' nbody --softening 1 --eps 1e-3
expect 2 'such' fmm --nonsense
expect 2 'needs a value' nbody --dt
expect 2 'not a flag' fmm surplus
expect 2 'ring' nbody --kind ring
expect 2 'missing.xyz' fmm --input missing.xyz
printf '1\n\nH 1 2 nan\n' >nan.xyz
expect 2 'line 3' fmm --input nan.xyz
expect 1 'output' nbody --n 10 --output /nonexistent/o.xyz
TILEWORK_HOST_MEMORY=100M expect 2 'MB of main memory' fmm --n 1e6
[ "$failures" = 0 ] && echo "all as expected"
exit $((failures > 0))
