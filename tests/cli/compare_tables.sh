#!/usr/bin/env bash
# `tilework compare --from`: long tables, tables of somebody else, and the files that it writes.   TILEWORK_BUILD: the build
. "$(dirname "${BASH_SOURCE[0]}")/_expect.sh"
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
run() { expect "$1" "$2" compare --sched lws,prio --blocks 1 --runs 1 --no-traces --output "$3" -- potrf --n 60 --nb 32; }
mkdir far; echo old > far/real.csv; chmod 640 far/real.csv; ln -s far/real.csv linked.csv; ln -s far/new.html linked.html
run 0 "" linked
[ -L linked.csv ] && [ -L linked.html ] || bad "a symbolic link was replaced"
is "rows behind the link" "$(grep -c '^[01],' far/real.csv)" 8
is "who may read it" "$(stat -c %a far/real.csv)" 640
tail -n 1 far/new.html | grep -q '</html>' || bad "no page behind the link"
mkfifo pipes.csv; cat pipes.csv > got & reader=$!
run 0 "" pipes
wait "$reader"
[ -p pipes.csv ] && is "rows through the pipe" "$(grep -c '^[01],' got)" 8
# a temporary name that somebody has laid out: what it points to is not written to
echo precious > treasure
(exec sh -c 'ln -s treasure laid.csv.$$.tmp; exec "$@"' sh "$tilework" compare --sched lws,prio --blocks 1 --runs 1 --no-traces --output laid -- potrf --n 60 --nb 32) > out 2> err || bad "laid: $(cat err)"
is "what it points to" "$(cat treasure)" precious
run 0 "" -.dash
[ -s ./-.dash.csv ] && [ -s ./-.dash.html ] || bad "no files called -.dash"
rm -f laid.csv.*.tmp
[ -z "$(find . -name '*tmp*')" ] || bad "left over: $(find . -name '*tmp*')"

[ "$failures" = 0 ] && echo "compare_tables: all right"
exit $((failures > 0))
