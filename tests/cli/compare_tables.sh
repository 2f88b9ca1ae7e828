#!/usr/bin/env bash
# `tilework compare --from`: long tables, tables of somebody else, and the files that it writes.
# TILEWORK_BUILD: the build   TILEWORK_SOURCE: examples/data
. "$(dirname "${BASH_SOURCE[0]}")/_expect.sh"
source=${TILEWORK_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
is() { [ "$2" = "$3" ] || bad "$1: $2 instead of $3"; }
json() { python3 -c 'import json, sys; r = json.load(open("out")); print(eval(sys.argv[1]))' "$1"; }
# rows BLOCKS SETTINGS RUNS [TIME [AXIS]]: a table; TIME by awk, of block b, setting k and run r
rows() {
  awk -v B="$1" -v S="$2" -v R="$3" "BEGIN { srand(3)
    print \"# tilework compare 1\\n# command: made-up\\n# seed: 1\\nblock,order,setting,run,seconds,status,others,started,${5:---nb}\"
    for (b = 0; b <= B; b++) for (k = 1; k <= S; k++) for (r = 1; r <= R; r++)
      printf \"%d,%d,%d,%d,%.9g,0,0,%d,%d\\n\", b, k, k, r, ${4:-1 + 0.01 * rand()}, b, k }"
}

# --- all runs of a process count, however many; and long tables take seconds (of the processor: machines may be busy) -----
rows 1 2 3001 'r <= 1200 ? 1 : k + 1' > many.csv
expect 0 "" compare --from many.csv --json
is "medians of 3000 runs" "$(json '[s["time"]["median"] for s in r["settings"]]')" "[2.0, 3.0]"
is "first runs" "$(json '[s["first_run"]["median"] for s in r["settings"]]')" "[1.0, 1.0]"
rows 401 200 3 > long.csv
(ulimit -t 40; "$tilework" compare --from long.csv > out 2> err) || bad "a table of 241,200 runs: $(tail -n 3 err)"
is "settings of the long table" "$(grep -cE '^ *[0-9]+[* ] --nb ' out)" 200

# --- read once, from pipes, too; refused at the line that shows it, not at the end ------------------------------------------
rows 6 2 2 1 > pipe.csv
expect 0 "" compare --from pipe.csv --json
cp out whole
expect 0 "" compare --from <(cat pipe.csv) --json
cmp -s out whole || bad "a pipe and a file of the same rows differ"
sed '13s/,1$/,2/' pipe.csv > other.csv
expect 2 "line 13: the setting's number does not belong to its values" compare --from <(cat other.csv)
# settings that go on for ever: the writer is told by the closed pipe, long before its end
expect 2 "line 205: more settings than 200" compare --from <(rows 0 200 1; yes 0,1,1,1,1,0,0,0,another | awk '{ print $0 NR }' 2> /dev/null)
expect 2 "more settings than 200" compare --from <(rows 0 15 1 1 "--nb,--n" | awk '{ print /^[0-9]/ ? $0 "," NR : $0 }'; yes 0,1,1,1,1,0,0,0,9,9 2> /dev/null)
awk 'NR > 4 { $0 = $0 ",1" } NR == 4 { $0 = $0 ",--n" } NR == 12 { sub(/,1$/, "") } { print }' pipe.csv > short.csv
expect 2 "line 12: another number of columns" compare --from short.csv

# --- written as all other files are: links and pipes stay what they are, who may read stays, nothing is left over ----------
axes=(--sched lws,prio --blocks 1 --runs 1 --no-traces)
mkdir far; echo old > far/real.csv; chmod 640 far/real.csv; ln -s far/real.csv linked.csv; ln -s far/new.html linked.html
expect 0 "" compare "${axes[@]}" --output linked -- potrf --n 60 --nb 32
[ -L linked.csv ] && [ -L linked.html ] || bad "a symbolic link was replaced"
is "rows behind the link" "$(grep -c '^[01],' far/real.csv)" 8
is "who may read it" "$(stat -c %a far/real.csv)" 640
tail -n 1 far/new.html | grep -q '</html>' || bad "no page behind the link"
# a temporary name that somebody has laid out: what it points to is not written to; and "-.csv" is no standard output here
echo precious > treasure
# shellcheck disable=SC2016
sh -c 'ln -s treasure "./-.laid.csv.$$.tmp"; exec "$@"' sh "$tilework" compare "${axes[@]}" --output -.laid -- potrf --n 60 --nb 32 > out 2> err || bad "-.laid: $(cat err)"
is "what a laid out name points to" "$(cat treasure)" precious
[ -s ./-.laid.csv ] && [ -s ./-.laid.html ] || bad "no files called -.laid"
rm -f ./-.laid.csv.*.tmp
[ -z "$(find . -name '*tmp*')" ] || bad "left over: $(find . -name '*tmp*')"

# --- texts that are no UTF-8, or are cut within a character: all settings are in the JSON, which is one ----------------------
count() { is "settings of $1" "$(json '[len(r["settings"]), all(len(s["values"]) for s in r["settings"])]')" "[$2, True]"; }
rows 6 3 2 > words.csv
sed $'2s/made-up/made-\xff-\xe2\x82 up/;s/,2$/,b\xff\xc3/;s/,3$/,\xc3\xa9\xf0\x9f\x8c\x8d/' words.csv > bytes.csv
expect 0 "" compare --from bytes.csv --json
count bytes.csv 3
is "its texts" "$(json '[ascii(x) for x in [r["command"]] + [s["values"]["--nb"] for s in r["settings"]]]')" \
   "[\"'made-?-?? up'\", \"'1'\", \"'b??'\", \"'\\\\xe9\\\\U0001f30d'\"]"
expect 0 "--nb b??" compare --from bytes.csv
for odd in '' x; do # labels have 300 bytes, of characters of two
  sed "s/,\([123]\)\$/,$odd$(printf 'é%.0s' {1..200})\1/" words.csv > cut.csv
  expect 0 "" compare --from cut.csv --json
  count "long labels ($odd)" 3
  is "the end of a label ($odd)" "$(json 'ascii(r["settings"][0]["label"][-1])')" "'\\xe9'"
done
cp "$source/examples/data/A.mtx" $'m\xff.mtx'
mkfifo pipes.csv; cat pipes.csv > got & reader=$!
expect 0 "" compare "${axes[@]}" --output pipes --json -- potrf --input $'m\xff.mtx'
wait "$reader"
[ -p pipes.csv ] || bad "a pipe was replaced"
count "a file's name" 2
expect 0 "" compare --from got --json
is "the command" "$(json 'r["command"]')" "potrf --input m?.mtx"
long=no-such/$(printf 'é%.0s' {1..120})/$(printf 'é%.0s' {1..100}) # what the command says is kept up to 399 bytes
expect 1 "failed in 1 of 2 runs" compare --values v.npy,"$long" --blocks 1 --runs 1 --no-traces --output odd --json -- syev --n 60
count "long messages" 2
is "the end of a message" "$(json 'ascii(r["settings"][1]["message"][-1])')" "'\\xe9'"

# --- control characters: not in tables, and not what a command says ---------------------------------------------------------
for c in '\x1b' '\x01' '\t' '\x7f' '\xc2\x9b'; do
  sed "2s/made/m${c}ade/" words.csv > steers.csv
  expect 2 "line 2: a control character" compare --from steers.csv
  sed "11s/\$/${c}[2J/" words.csv > steers.csv
  expect 2 "line 11: a control character" compare --from steers.csv
done
sed '4s/--nb/--\x9bnb/' words.csv > steers.csv
expect 2 "line 4: a column's name" compare --from steers.csv
sed '4s/$/,--nb/' words.csv > steers.csv
expect 2 "line 4: two columns of the same name" compare --from steers.csv
clean() { if LC_ALL=C grep -qa $'[\x01-\x08\x0e-\x1f\x7f-\xff]' out err; then bad "$1: it steers the terminal"; fi; }
sed $'2s/made/m\x9b2Jade/;s/,2$/,\x9b2J/' words.csv > steers.csv
expect 0 "" compare --from steers.csv; clean "a raw C1"
sed $'11s/,0,0,/,\x9b2J,0,/' words.csv > steers.csv
expect 2 "line 11: status" compare --from steers.csv; clean "a field that is no number"
expect 1 "no-such/?[2J" compare "${axes[@]}" --output odd -- potrf --n 60 --output $'no-such/\e[2J'
clean "a command's last line"
expect 2 "control" compare --kind $'spd,\x7f' -- potrf --n 60
expect 2 "not in UTF-8" compare --metric $'s\xff' --sched lws,prio -- potrf --n 60
expect 2 "not in UTF-8" compare $'--\xff' lws,prio -- potrf --n 60

[ "$failures" = 0 ] && echo "compare_tables: all right"
exit $((failures > 0))
