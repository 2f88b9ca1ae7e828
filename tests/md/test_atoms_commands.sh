#!/usr/bin/env bash
# tilework md and tilework minimize: results, files, restarts, wrong usage.
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

for type in s d; do
  expect 0 '"check": "ok"' md --n 500 --steps 20 --type $type --check --json
  expect 0 '"check": "ok"' md --kind liquid --n 1000 --cutoff 8 --electrostatics shift --vdw shift --steps 10 --type $type --check --json
done
expect 0 ': ok' md --kind peptide --n 60 --steps 10 --check
expect 0 'converged' minimize --kind peptide --n 60 --electrostatics shift --tolerance 0.1 --iterations 2000 --check --output a.pdb
expect 0 ': converged' minimize # without flags there is something to minimise
grep -q '^iteration [1-9][0-9]' out || bad "minimize had nothing to do: $(cat out)"
expect 1 'not converged' minimize --kind peptide --n 60 --iterations 3 --method descent
expect 0 ': ok' minimize --input a.pdb --bonds --electrostatics none --tolerance 5 --check --checkpoint m.atoms --every 100
expect 0 'step' md --restart m.atoms --electrostatics none --steps 3

# Cut in two, the same motion: every number of the last report, and the positions.
expect 0 'step 40' md --n 500 --steps 40 --every 10 --output through.xyz
cp out through
expect 0 'step 20' md --n 500 --steps 20 --every 10 --checkpoint c.atoms
expect 0 'step 40' md --restart c.atoms --cutoff 2.5 --electrostatics none --dt 0.004 --steps 20 --every 10 --output two.xyz
cmp through.xyz two.xyz || bad "a run in two parts gives other positions"
# A checkpoint keeps the settings of its run; flags beat them.
settings="--cutoff 2.2 --skin 0.3 --vdw shift --dt 0.002 --reuse 7 --type s --box 9"
# shellcheck disable=SC2086
expect 0 'step 40' md --n 500 $settings --steps 40 --every 10 --output through.xyz
# shellcheck disable=SC2086
expect 0 'step 20' md --n 500 $settings --steps 20 --every 10 --checkpoint c.atoms
expect 0 'step 40' md --restart c.atoms --steps 20 --every 10 --output two.xyz --checkpoint d.atoms
cmp through.xyz two.xyz || bad "a restarted run has other settings"
cmp <(sed -n 3p c.atoms) <(sed -n 3p d.atoms) || bad "a second checkpoint has other settings"
expect 0 '"cutoff": 2.0' md --restart c.atoms --cutoff 2 --steps 1 --json
# The same bits with another scheduler and fewer workers.
export TILEWORK_REPRODUCIBLE=1
"$tilework" md --n 2000 --steps 20 --json | sed 's/"seconds.*//' >one
STARPU_NCPU=1 STARPU_SCHED=eager "$tilework" md --n 2000 --steps 20 --json | sed 's/"seconds.*//' >two
cmp one two || bad "another scheduler, other numbers"
unset TILEWORK_REPRODUCIBLE

printf 'ATOM 1 N ALA 1 0 0 0 -0.5 1.8\nATOM 2 C ALA 1 1 3 1 0.5 1.9\n' >two.pqr
expect 0 ': ok' minimize --input two.pqr --electrostatics born --check
printf 'ATOM      1  N   ALA A   1       1.364     nan  -0.870\n' >nan.pdb
expect 2 'line 1' md --input nan.pdb
expect 2 'missing.pdb' minimize --input missing.pdb
expect 2 'steam' md --kind steam
expect 2 'half the period' md --n 500 --cutoff 6
expect 2 'half the period' md --n 500 --box 4
expect 2 'md: the cut-off 2.5 is larger' md --n 1
expect 2 '--box 1,2' md --box 1,2
expect 2 '--vdw soft' md --vdw soft
expect 2 '--type z' minimize --type z
expect 2 '--method newton: expected lbfgs or descent' minimize --method newton
for command in md minimize; do expect 2 '--n 0: expected a whole number from 1' $command --n 0; done
expect 2 '--history 9' minimize --history 9
expect 2 'such' md --nonsense
expect 2 'needs a value' md --dt
expect 2 'not a flag' minimize surplus
expect 1 'output' md --n 32 --cutoff 1.5 --steps 1 --output /nonexistent/o.xyz
expect 0 'usage: tilework md' help md
expect 0 'usage: tilework minimize' minimize --help
[ "$failures" = 0 ] && echo "all as expected"
exit $((failures > 0))
