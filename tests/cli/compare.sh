#!/usr/bin/env bash
# `tilework compare`: axes, order, table, verdicts, pages; the table read again; bad usage, bad tables, commands that fail.
set -u
: "${TILEWORK_BUILD:?}"
tilework=$(cd "$TILEWORK_BUILD" && pwd)/bin/tilework
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
bad() { echo "FAILED: $*"; sed 's/^/    /' out err; failures=$((failures + 1)); }
expect() { # expect STATUS WORDS-ON-STDERR ARGUMENTS…
  local want=$1 words=$2 got
  shift 2
  "$tilework" "$@" >out 2>err
  got=$?
  [ "$got" = "$want" ] || bad "$* gave $got instead of $want"
  [ -z "$words" ] || grep -qF -- "$words" err || bad "$*: no '$words' on stderr"
}
says() { grep -qF -- "$1" "$2" || bad "no '$1' in $2"; }
is() { [ "$2" = "$3" ] || bad "$1: $2 instead of $3"; }

# --- four settings, three blocks: the order of each block is its own, and the same for the same seed ---------------------
small=(-- potrf --n 250 --nb 64)
expect 0 "" compare --sched lws,prio --set TILEWORK_WINDOW=,99 --ncpu 2 --blocks 3 --runs 1 --seed 7 --output a "${small[@]}"
says "4 settings, 3 blocks, seed 7" out
says "--sched prio TILEWORK_WINDOW=99" out
says "TILEWORK_WINDOW=(unset)" out
says "undecided: at least" out # three blocks decide nothing
says "--blocks 8 at least" err
says '>undecided: at least' a.html
says '<a href="a-first.html">' a.html
says "a.csv, a.html" out
[ -s a-first.html ] || bad "no trace of the first"
is "rows" "$(grep -vc '^#' a.csv)" $((1 + 4 * 2 + 3 * 4 * 2))
is "warm-up rows" "$(grep -c '^0,' a.csv)" 8
is "status" "$(grep -v '^[#b]' a.csv | cut -d, -f6 | sort -u)" 0
is "settings a block" "$(awk -F, '$1 == 2 && $4 == 1 { print $3 }' a.csv | sort | paste -sd' ')" "1 2 3 4"
order() { awk -F, '$1 > 0 && $4 == 1 { printf "%s%s", $3, $2 == 4 ? " " : "" }' "$1.csv"; }
expect 0 "" compare --sched=lws,prio --set=TILEWORK_WINDOW=,99 --ncpu=2 --blocks=3 --runs=1 --seed=7 --output=b --no-traces "${small[@]}"
is "the same seed's order" "$(order b)" "$(order a)"
[ "$(order a | tr ' ' '\n' | sort -u | grep -c .)" -gt 1 ] || bad "one order in all blocks: $(order a)"
[ -e b-first.html ] && bad "--no-traces left a trace"
tail -n 1 a.html | grep -q '</html>' || bad "a.html does not end"
says "Traces of settings 1 and" a.html
grep -qE '<script|http://|https://|file:|src=|url\(' a.html && bad "a.html refers to something else"
ls ./*.tmp >/dev/null 2>&1 && bad "temporary files are left"

# --- a switch, a table that is read again -------------------------------------------------------------------------------
expect 0 "" compare --switch in-place --blocks 2 --runs 1 --no-traces --output c --json "${small[@]}"
says '"label": "without --in-place"' out
says '"label": "--in-place"' out
expect 0 "" compare --from a.csv --json
cp out again.json
expect 0 "" compare --from a.csv --json
cmp -s out again.json || bad "the same table, other results"
says '"command": "potrf --n 250 --nb 64"' out
expect 0 "" compare --from c.csv --output d
says "without --in-place" out
[ -s d.html ] && [ ! -e d.csv ] || bad "--from --output d"

# --- known answers: times that a script makes ---------------------------------------------------------------------------
table() { # table NAME BLOCKS FACTOR…: setting k takes 1 + a little noise, times its factor
  awk -v blocks="$2" -v factors="${*:3}" 'BEGIN { n = split(factors, f, " "); srand(11)
    print "# tilework compare 1\n# command: made-up\n# seed: 1\nblock,order,setting,run,seconds,status,others,started,--sched"
    for (b = 0; b <= blocks; b++) for (k = 1; k <= n; k++) { if (f[k] == "fails" && b % 3 == 1) { print b "," k "," k ",0,,1,0,0,s" k; continue }
      for (r = 1; r <= 2; r++) printf "%d,%d,%d,%d,%.9g,0,%g,%g,s%d\n", b, k, k, r, (f[k] == "fails" ? 1 : f[k]) * (1 + 0.01 * (rand() - 0.5)) + (r == 1) * 5, 0.01, b, k } }' >"$1"
}
table known.csv 10 1 0.9 1.2 1
expect 0 "" compare --from known.csv
grep -qE '2\* .*faster by (9\.[0-9]-1[01]|[89]\.[0-9]-1[01])' out || bad "10 % faster is not seen"
grep -qE '  3  .*slower by (19|20)\.[0-9]-2[01]' out || bad "20 % slower is not seen"
grep -qE '  4  .*same within [01]\.[0-9] %' out || bad "the same is not seen"
says "best: 2" out
grep -q '   6\.' out || bad "first runs are not apart"
table fails.csv 10 1 fails 0.5
expect 1 "the command failed in 4 of 30 runs" compare --from fails.csv
says "failed in 4 of 10 blocks" out
table five.csv 5 1 0.5
expect 0 "" compare --from five.csv && says "undecided: at least 1 more block" out
sed '/^2,/d' known.csv >gap.csv # a block that somebody took out
expect 0 "" compare --from gap.csv && says "9 blocks" out && says "best: 2" out
sed 's/^# seed/# metric: minutes\n&/' known.csv >metric.csv
expect 0 "" compare --from metric.csv && says "median minutes" out
table all.csv 6 1 fails
sed '/,[12]$/!b;s/x/x/' all.csv | awk -F, -v OFS=, '/^[0-9]/ && $3 == 2 { if ($4 == 2) next; $4 = 0; $5 = ""; $6 = 1 } 1' >never.csv
expect 1 "" compare --from never.csv
grep -q nan out && bad "a setting that failed has a median of nan"
expect 1 "" compare --from never.csv --json
says '"low": null' out
table six.csv 6 1 0.5
expect 0 "" compare --from six.csv && says "faster by" out

# --- commands that fail -------------------------------------------------------------------------------------------------
expect 1 "the command failed in 2 of 4 runs" compare --kind spd,symmetric --blocks 2 --runs 1 --no-traces --output f "${small[@]}"
says "failed in 2 of 2 blocks" out
is "failures in the table" "$(awk -F, '$6 == 1 && $5 == "" && $4 == 0' f.csv | grep -c .)" 3
expect 1 "fails with every setting" compare --sched lws,prio --kind symmetric --output g "${small[@]}"
expect 2 "--sched=nonsense" compare --sched lws,nonsense --output g "${small[@]}"
expect 2 "--frob" compare --frob 1,2 --output g "${small[@]}"
expect 2 "did you mean potrf" compare --sched lws,prio --output g -- potfr
expect 1 "no number \"minutes\"" compare --sched lws,prio --output g --metric minutes "${small[@]}"
expect 2 "-- info: expected a command of Tilework's that computes" compare --sched lws,prio --output g -- info
expect 2 "-- /bin/ls: expected a command" compare --sched lws,prio --output g -- /bin/ls
expect 2 "the command's name alone" compare --sched lws,prio --output g -- tilework potrf --n 100
[ -e g.csv ] && bad "a table of nothing"

# --- warnings are passed on; an interrupt ends it, and what it runs ------------------------------------------------------
expect 0 "--ncpu 99: warning: --ncpu 99: this machine has" compare --ncpu 1,99 --blocks 1 --runs 1 --no-traces --output w -- potrf --n 100 --nb 64
is "warnings" "$(grep -c warning err)" 1
for signal in INT:130 TERM:143; do
  "$tilework" compare --nb 64,128 --output i -- potrf --n 2500 >out 2>err &
  run=$!
  for _ in $(seq 500); do pgrep -P $run >child && break; sleep 0.02; done
  kill -"${signal%:*}" $run
  wait $run
  is "an interrupted comparison (${signal%:*})" $? "${signal#*:}"
  is "lines that it says" "$(grep -c interrupted err)" 1
  kill -0 "$(cat child)" 2>/dev/null && bad "its process goes on"
done

# --- bad usage ----------------------------------------------------------------------------------------------------------
expect 2 "did you mean STARPU_SCHED" compare --set STARPU_SHCED=lws,prio "${small[@]}"
expect 2 "did you mean TILEWORK_NB" compare --set TILEWORK_MB=64,128 "${small[@]}"
expect 2 "expected a variable STARPU_... or TILEWORK_..." compare --set HOME=a,b "${small[@]}"
expect 2 "expected VAR=A,B" compare --set STARPU_SCHED "${small[@]}"
expect 2 "one setting only" compare --sched lws "${small[@]}"
expect 2 "one setting only" compare "${small[@]}"
expect 2 "the command is missing" compare --sched lws,prio
expect 2 "the command is missing" compare --sched lws,prio --
expect 2 "lws stands there twice" compare --sched lws,prio,lws "${small[@]}"
expect 2 "a value is empty" compare --sched lws, "${small[@]}"
expect 2 "given twice" compare --sched lws,prio --sched eager,ws "${small[@]}"
expect 2 "more than 200 settings" compare --a 1,2,3,4,5,6,7,8 --b 1,2,3,4,5,6,7,8 --c 1,2,3,4 "${small[@]}"
expect 2 "--runs" compare --sched lws,prio --repeat 3 "${small[@]}"
expect 2 "--repeat" compare --sched lws,prio "${small[@]}" --repeat 3
expect 2 "stands in the command" compare --nb 32,64 -- potrf --n 100 --nb 8
# Commands take beginnings of flags for them; a whole flag is itself, though others begin so.
for short in --tr --trac=t1 --t; do expect 2 "gives the command --trace itself" compare --sched lws,prio "${small[@]}" $short; done
for short in --jso --j; do expect 2 "gives the command --json itself" compare --sched lws,prio "${small[@]}" $short; done
expect 2 "gives the command --repeat itself" compare --sched lws,prio "${small[@]}" --rep=3
expect 2 "with a trace are other runs" compare --trac a,b "${small[@]}"
expect 2 "say --runs" compare --repea 2,3 "${small[@]}"
expect 2 "gives the command --json itself" compare --switch js "${small[@]}"
expect 2 "stands in the command" compare --sched lws,prio --kind spd,random -- potrf --n 100 --kin spd
expect 2 "stands in the command" compare --nrh 1,2 -- posv --n 100 --nrhs 3
expect 2 "given twice" compare --kin spd,symmetric --kind spd,random "${small[@]}"
expect 0 "" compare --nb 32 --n 60,70 --blocks 1 --runs 1 --no-traces --output s -- potrf --kind spd
expect 2 "--sched-lib no-such" compare --sched-lib no-such,other --output s -- potrf --n 60 --sched lws
begins() { # all flags of the commands' with which others begin, in cli/
  { grep -rhoE '\{"[a-z0-9-]+", *((no|required|optional)_argument|[0-2]), *(NULL|0),' "$1" | cut -d'"' -f2; grep -ohE '"--[a-z-]+"' "$1/machine.c" | tr -d '"' | cut -c3-; } |
    sort -u | awk '{ f[NR] = $0 } END { for (i in f) for (k in f) if (i != k && index(f[k], f[i]) == 1) { print f[i]; break } }' | sort
}
source=${TILEWORK_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
is "whole flags that others begin with" "$(sed -n 's/.*const whole\[\] = {\(.*\)};/\1/p' "$source/cli/compare/plan.c" | tr -d ' "' | tr , '\n')" "$(begins "$source/cli")"
expect 2 "more than 65535 bytes" compare --from /dev/zero
expect 2 "--json" compare --sched lws,prio "${small[@]}" --json
expect 2 "--blocks" compare --sched lws,prio --blocks 0 "${small[@]}"
expect 2 "needs a value" compare --sched "${small[@]}"
expect 2 "not a flag" compare potrf --n 250
expect 2 "no axes, no command" compare --from a.csv --sched lws,prio
expect 2 "missing.csv: No such file" compare --from missing.csv
expect 1 "--output" compare --sched lws,prio --output no/such/folder/p "${small[@]}"
expect 0 "" compare --help && says "usage: tilework compare" out

# --- tables that are none: the line is named ----------------------------------------------------------------------------
damaged() { # damaged WORDS SED-SCRIPT
  sed "$2" known.csv >damaged.csv
  expect 2 "$1" compare --from damaged.csv
}
damaged "line 1:" '1s/1$/2/'
damaged "line 4:" '4s/seconds/minutes/'
damaged "line 4:" '4s/,--sched//'
damaged "line 9: seconds" '9s/,[0-9.]*,0,/,nan,0,/'
damaged "line 9: seconds" '9s/,[0-9.]*,0,/,-1,0,/'
damaged "line 9:" '9s/,[0-9.]*,0,/,,0,/'
damaged "line 9: another number of columns" '9s/$/,x/'
damaged "line 9: setting" '9s/^\([0-9]*,[0-9]*\),[0-9]*/\1,999999999999/'
damaged "line 9:" '9s/^\([0-9]*,[0-9]*\),[0-9]*/\1,2/'
damaged "line 9: a quote" '9s/s[0-9]$/"s1/'
damaged "no complete block" '5,$d'
damaged "settings" '20s/s4$/s5/;20s/,4,/,6,/'
head -c 300 "$tilework" >damaged.csv && expect 2 "line 1:" compare --from damaged.csv
: >damaged.csv && expect 2 "" compare --from damaged.csv
expect 2 "folder" compare --from .

[ "$failures" = 0 ] && echo "compare: all right"
exit $((failures > 0))
