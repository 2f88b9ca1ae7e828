#!/usr/bin/env bash
# A recording of a real run: its graph is the one that the tiles make, and StarPU's own; its parts add up; what is made of it; the Python reader.
. "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
cd "$work"
says() { grep -qF -- "$1" "$2" || { cat "$2"; die "no '$1' in $2"; }; }
refuses() { # refuses WORDS ARGUMENTS...
  local words=$1 status=0
  shift
  "$tilework" trace "$@" > out 2> err || status=$?
  [ $status = 2 ] || { cat out err; die "trace $* gave $status instead of 2"; }
  says "$words" err
}

# 8 x 8 tiles: 120 tasks. potrf waits for one task, trsm for two, syrk for two, gemm for three, one less in the first step; and each potrf for the one before, by info.
"$tilework" potrf --n 1024 --nb 128 --trace run --json > run.txt
for ending in tw paje json svg html; do [ -s run.$ending ] || die "no run.$ending"; done
"$tilework" trace run.tw --path --what-if cores=1 --what-if submit=0,overhead=0 --csv --dot --output made > out
says "120 tasks of 4 kernels" out
says ", $((7 + (7 + 2 * 21) + (7 + 2 * 21) + (2 * 21 + 3 * 35) + 7)) edges" out
says "tilework potrf --n 1024 --nb 128 --trace run --json" out
grep -qF "$work" run.tw out && die "the recording names a folder"
grep -qF "$(hostname)" run.tw && [ "$(hostname)" != localhost ] && die "the recording names the machine"
awk '/edges, /{ for (k = 1; k <= NF; k++) if ($k == "edges,") total = $(k + 1) }
  /^The path that happened/ { on = 1; next } on && !NF { on = 0 }
  on { for (k = 1; k <= NF; k++) if ($k == "s") sum += $(k - 1) }
  END { exit !(total > 0 && (sum - total) ^ 2 < (1e-5 + 0.01 * total) ^ 2) }' out || { cat out; die "the path's pieces do not add up to the time"; }
[ "$(grep -c '^ .* CPU ' out)" -ge 8 ] || die "--path lists no steps"
grep -q '"name":"submitting"' run.json && grep -q '"name":"waiting"' run.json || die "run.json has no thread that submits"
[ "$(grep -c '"ph":"s"' run.json)" -ge 250 ] && [ "$(grep -c '"ph":"s"' run.json)" = "$(grep -c '"ph":"f"' run.json)" ] || die "run.json has not the arrows of 259 edges"
grep -q '"ready tasks"' run.json || die "run.json does not count ready tasks"
grep -q '"used memory, main memory","ts":[0-9.]*,"args":{"MB":[1-9]' run.json && grep -q '^9 [0-9.]* V y0 [1-9]' run.paje && grep -q "used at most: main memory" run.html || die "run.json, run.paje and run.html do not say how much memory is used"
[ "$(wc -l < made.csv)" = 121 ] || die "made.csv has $(wc -l < made.csv) lines"
[ "$(grep -c ' -> ' made.dot)" = 259 ] || die "made.dot has $(grep -c ' -> ' made.dot) edges"

# Any other format made from the file is what the run itself left.
"$tilework" trace run.tw --paje --json --tw --output again > /dev/null
cmp again.tw run.tw || die "the recording changes when it is read and written"
cmp again.paje run.paje || die "another Paje file"
TILEWORK_TRACE_FORMATS=csv,svg "$tilework" potrf --n 512 --nb 128 --trace few > /dev/null
[ "$(ls few.*)" = "few.csv"$'\n'"few.svg" ] || die "TILEWORK_TRACE_FORMATS=csv,svg left: $(ls few.*)"
! TILEWORK_TRACE_FORMATS=frob "$tilework" potrf --n 512 --nb 128 --trace none > out 2>&1 || die "TILEWORK_TRACE_FORMATS=frob is taken"
says "frob" out
[ -z "$(ls none.* 2> /dev/null)" ] || die "a wrong format leaves $(ls none.*)"
! TILEWORK_TRACE=none TILEWORK_TRACE_FORMATS='tw, html' "$tilework" potrf --n 300 --nb 128 > out 2>&1 || die "TILEWORK_TRACE_FORMATS=tw, html is taken"
says "' html'" out
if grep -q 'dpotrf L' out || ls none.* 2> /dev/null; then die "it ran, before the formats were looked at"; fi
# A graph of more than 5000 tasks is no picture: left out, or refused where nothing else was asked for; no part stays.
TILEWORK_TRACE_FORMATS=tw,dot "$tilework" potrf --n 640 --nb 20 --trace dots > out 2>&1 || { cat out; die "tw,dot of 5984 tasks"; }
says "dots.dot: 5984 tasks" out
[ "$(ls dots.*)" = dots.tw ] || die "tw,dot of 5984 tasks left: $(ls dots.*)"
! "$tilework" trace dots.tw --dot > out 2>&1 || die "--dot of 5984 tasks"
! "$tilework" potrf --n 300 --nb 128 --trace folder/ > out 2>&1 || die "a folder for a prefix"
says "folder/run" out
! "$tilework" potrf --n 300 --nb 128 --trace named.tw > out 2>&1 || die "a file's name for a prefix"
says "names begin: named" out

# Policies in turn: each leaves its own, whichever command it is.
TILEWORK_TRACE_FORMATS=tw "$tilework" potrf --n 300 --nb 100 --sched lws,prio --repeat 2 --trace turns > /dev/null
TILEWORK_TRACE_FORMATS=tw "$tilework" gemm --n 300 --nb 100 --sched lws,prio --trace turns-gemm > /dev/null
[ "$(echo turns*)" = "turns-gemm-lws.tw turns-gemm-prio.tw turns-lws.tw turns-prio.tw" ] || die "--sched lws,prio left: $(echo turns*)"
! "$tilework" potrf --n 300 --sched lws,,prio > out 2>&1 || die "--sched lws,,prio is taken"

# Two runs: the differences add up. What the standard changes are, ranked; the page has both.
"$tilework" potrf --n 1024 --nb 64 --sched prio --trace small > /dev/null
"$tilework" trace run.tw --diff small.tw --what-if standard > out
awk '/^piece of the path/ { on = 1; next } on && $1 == "together" { total = $6; both = 1 } on && !both { sum += /^(ready|waiting|taken)/ ? $NF : $(NF - 1) }
  END { exit !(both && (sum - total) ^ 2 < 1e-10) }' out || { cat out; die "--diff does not add up"; }
awk '/^What if/ { on = 1; next } on && !NF { exit } on { if (n++ && $2 < last) bad = 1; last = $2 } END { exit !(n >= 8 && !bad) }' out || { cat out; die "--what-if standard is not ranked"; }
for words in "The path that happened" "What if" "gemm=1.1x" "waiting for data"; do says "$words" run.html; done
refuses "byte 0: no recording" run.tw --diff run.svg

# Parts.
"$tilework" trace run.tw --kernel potrf,trsm --csv --output part > out
says "36 tasks of 2 kernels" out
[ "$(grep -c ',"potrf",d' part.csv),$(grep -c ',"trsm",d' part.csv),$(wc -l < part.csv)" = 8,28,37 ] || die "part.csv has others: $(cut -d, -f2 part.csv | sort | uniq -c)"
tasks_of() { # on a busy machine one worker may run all, or half of the time nothing
  "$tilework" trace run.tw "$@" > one 2> err || { grep -qE 'no task is left|none of that name' err && echo 0; }
  sed -n 's/ tasks\{0,1\} of.*//p' one
}
[ $(($(tasks_of --worker "CPU 0") + $(tasks_of --worker "CPU 1"))) = 120 ] || die "two workers' tasks are not all"
half=$(awk '/edges, /{ for (k = 1; k <= NF; k++) if ($k == "edges,") { printf "%.6f", 500 * $(k + 1); exit } }' out)
[ $(($(tasks_of --to "$half") + $(tasks_of --from "$half"))) -ge 120 ] || die "two halves are less than all"
refuses "there are: potrf" run.tw --kernel potrf,frob
refuses "there are: CPU 0" run.tw --worker "CPU 0,CPU 99"
refuses "--kernel: the name is empty" run.tw --kernel ''
refuses "no task is left" run.tw --from 1e6
refuses "did you mean run.tw" run
refuses "one of them" run.tw --example chain
"$tilework" trace run.tw --kernel dgemm > one && says "56 tasks of 1 kernel on" one
refuses "there is none of that name" run.tw --kernel sgemm
"$tilework" trace run.tw --csv --output - > one && cmp one made.csv || die "--csv --output -"
! "$tilework" trace run.tw --csv --svg --output - > one 2>&1 || die "two files on standard output"
"$tilework" trace - < run.tw > one && says "120 tasks of 4 kernels" one
# A part of some time is a recording of that time, from the command as in the page, and when it is read again. In the example four workers have ten tasks of 5 ms each.
"$tilework" trace --example independent:n=40,workers=4,t=5e-3 --tw --output parts > /dev/null
"$tilework" trace parts.tw --from 12 --to 28 --html --tw --output inside > one
says "16 tasks of 1 kernel on 4 workers, 0 edges, 0.016000 s, 100.0 % busy" one
says "<b>16.0 ms</b><span>this part of the recording" inside.html
says '"seconds":0.016,' inside.html
"$tilework" trace inside.tw > two && says "0.016000 s, 100.0 % busy" two
"$tilework" trace inside.tw --from 4 --to 8 > two && says "4 tasks of 1 kernel on 4 workers, 0 edges, 0.004000 s, 100.0 % busy" two
"$tilework" trace parts.tw --from 40 --to 60 > two && says "0.010000 s, 100.0 % busy" two
"$tilework" trace parts.tw --from 8 --to 16 --diff parts.tw > two
grep -Eq '^together +12 +12 +0.008000 +0.008000 ' two || { cat two; die "--diff has another part of the other recording"; }
# Rows of the path add up.
"$tilework" trace run.tw --path | awk '/^ +start ms/ { on = 1; next } on && NF > 8 { r = $0; sub(/.*CPU [0-9]+ */, "", r); split(r, c, " ")
  w = c[1] + c[2] + c[3] + c[4] + c[5]; if (n++ && (last + w - $1) ^ 2 > 1e-6) { print; bad = 1 } if (c[6] > $2 - $1 + 2e-4) bad = 1; last = $2 }
  END { exit !(n > 5 && !bad) }' || die "rows of --path do not add up"
refuses "before --from" run.tw --from 2 --to 1
refuses "--to" run.tw --to x
refuses "--json takes no name, --output PREFIX does" run.tw --json new.json
refuses "missing.tw: No such file" run.tw missing.tw
cp run.tw kept.tw
for name in kept.tw ./kept.tw; do refuses "would be written over $name" $name --kernel potrf --tw; done
refuses "would be written over kept.tw" run.tw --diff kept.tw --tw --output kept
refuses "example chain: it takes 2e9 s or more" --example chain:n=5,t=1e9 --tw --output long
refuses "example transfers: it takes 2e9 s or more" --example transfers:n=5,t=1e9 --tw --output long
cmp kept.tw run.tw || die "a part went over the recording"

# Bounded: the first tasks, and how many are missing.
TILEWORK_TRACE_LIMIT=50 "$tilework" potrf --n 1024 --nb 128 --trace bounded > /dev/null 2> err
says "lacks 70 tasks" err
says "70 tasks are missing" bounded.html
"$tilework" trace bounded.tw > out
says "50 tasks of" out
says "70 tasks are missing" out
says "rules about idle time, counts and order say nothing" out
TILEWORK_TRACE_FORMATS=tw TILEWORK_TRACE_LIMIT=last:10 "$tilework" potrf --n 1024 --nb 128 --trace last > /dev/null 2>&1
"$tilework" trace last.tw > out
if grep -Eq '^  (unused-workers|end|window|submission|chain|small-tasks|not-taken|schedule) ' out; then cat out; die "ten tasks of 120 give advice about idle time"; fi
! TILEWORK_TRACE_LIMIT=none "$tilework" potrf --n 1024 --nb 128 --trace bounded > out 2>&1 || die "TILEWORK_TRACE_LIMIT=none is taken"

# Several ranks, one after the other: so they stand in the merged recording, and each file has its rank from what there is.
TILEWORK_RANK=2 OMPI_COMM_WORLD_RANK=7 "$tilework" potrf --n 512 --nb 128 --trace rank.%r > /dev/null
OMPI_COMM_WORLD_RANK=0 "$tilework" potrf --n 512 --nb 128 --trace rank.%r > /dev/null
PMI_RANK=11 SLURM_PROCID=4 TILEWORK_TRACE_FORMATS=tw "$tilework" potrf --n 384 --nb 128 --trace rank.%r > /dev/null
SLURM_PROCID=x TILEWORK_TRACE_FORMATS=tw "$tilework" potrf --n 512 --nb 128 --trace norank.%r > /dev/null
for name in rank.2.html rank.0.tw rank.11.tw norank.0.tw; do [ -s "$name" ] || die "no $name: $(echo *rank*)"; done
! TILEWORK_RANK=two "$tilework" potrf --n 512 --nb 128 > out 2>&1 || die "TILEWORK_RANK=two is taken"
says "TILEWORK_RANK=two" out
"$tilework" trace rank.2.tw rank.0.tw rank.11.tw --csv --html --json --paje --tw > out
says "ranks 0 2 11" out
says "50 tasks of 4 kernels" out
says "it lacks what ranks waited for of each other" out
says "the recording of one rank" out
[ "$(grep -c 'rank 2 CPU' merged.csv),$(grep -c 'rank 0 CPU' merged.csv),$(grep -c 'rank 11 CPU' merged.csv)" = 20,20,10 ] || die "merged.csv has other workers"
awk -F, '{ gsub(/"/, "") } NR > 1 { split($8, w, " "); if (first[w[2]] == "" || $12 < first[w[2]]) first[w[2]] = $12; if ($17 > last[w[2]]) last[w[2]] = $17 }
  END { exit !(last[2] < first[0] && last[0] < first[11] && last[11] < 600) }' merged.csv || { head -n 3 merged.csv; die "three ranks, one after the other, are not so in the merged recording"; }
"$tilework" trace merged.tw > again
cmp out again || die "the merged recording says other things when it is read"
refuses "rank 2 is there twice" rank.2.tw merged.tw
refuses "--what-if: of one rank" rank.2.tw rank.0.tw --what-if cores=1
refuses "--what-if: of one rank" merged.tw --what-if cores=1
refuses "would be written over" rank.2.tw rank.0.tw --tw --output rank.0
head -c 1000 rank.0.tw > half.tw
refuses "half.tw: byte 1000: the file ends" rank.2.tw half.tw
{ printf 'TWTRACE\002'; tail -c +9 rank.0.tw; } > later.tw
refuses "later.tw: byte 7: a recording of another version" rank.2.tw rank.11.tw later.tw

if command -v python3 > /dev/null; then
# Other families: tasks are as many as the command counts, dense routines' flops the closed form, the path as long as the call, and no shorter than what bounds it.
closed() { awk "BEGIN { printf \"%.0f\", $1 }"; }
compare_with_call() { # RUN FLOPS: 0; 1: the path is not as long as the call; 2, with a message: something else
  local run=$1 flops=$2 tasks recorded seconds
  # shellcheck disable=SC2086  # words are wanted
  TILEWORK_TRACE_FORMATS=tw,html "$tilework" $run --trace other --json > other.txt && "$tilework" trace other.tw > out || return 2
  tasks=$(sed -n 's/.*"tasks": *\([0-9]*\).*/\1/p' other.txt | head -n 1) recorded=$(sed -n 's/^\([0-9]*\) tasks of.*/\1/p' out)
  seconds=$(python3 -c 'import json; print(json.loads(open("other.txt").read())["seconds"])')
  [ "${tasks:-$recorded}" = "$recorded" ] && [ "$recorded" -gt 0 ] || { cat other.txt out; { echo "$run: $recorded tasks recorded, $tasks counted"; return 2; }; }
  awk -v call="$seconds" -v flops="$flops" '
    { line = $0; sub(/<.script>.*/, "", line) }
    match(line, /"seconds":[0-9.e+-]+,"tasks"/) { path = substr(line, RSTART + 10, RLENGTH - 18) + 0 }
    match(line, /"flops":[0-9.e+-]+,"graph":[0-9.e+-]+/) { split(substr(line, RSTART, RLENGTH), part, /[:,]/); done = part[2] + 0; graph = part[4] + 0 }
    END {
      if (!(path > 0 && graph <= path)) { print "path " path ", bound " graph; exit 2 }
      if (flops && (done > 1.01 * flops || done < 0.99 * flops)) { print done " flops, closed form " flops; exit 2 }
      if (path > call * 1.01 + 2e-3 || path < call * 0.99 - 2e-3) { print "path " path ", call " call; exit 1 }
    }' other.html
}
# The two clocks are read one after the other, and a busy machine may do something else between: one of three runs has to agree.
while IFS=: read -r run flops; do
  for try in 1 2 3; do
    status=0
    compare_with_call "$run" "$flops" || status=$?
    [ $status = 1 ] || break
  done
  [ $status = 0 ] || die "$run: see above"
done << END
potrf --n 1000 --nb 100:$(closed "1000^3 / 3 + 1000^2 / 2")
posv --n 600 --nb 100 --nrhs 600:$(closed "600^3 / 3 + 2 * 600^3")
potri --n 600 --nb 100:
fmm --n 20000:
direct --n 4000:
syevd --n 600:
gels --n 500 --nb 100:
END
fi

# Bad files, with the byte.
head -c 1000 run.tw > cut.tw
refuses "cut.tw: byte 1000: the file ends" cut.tw
{ head -c 500 run.tw; printf 'X'; tail -c +502 run.tw; } > altered.tw
cmp -s altered.tw run.tw || refuses "its checksum is wrong" altered.tw
refuses "byte 0: no recording" run.svg
refuses "No such file" missing.tw
refuses "expected a recording" --path
refuses "run.tw and run.tw: rank 0 is there twice" run.tw run.tw
refuses "which files" run.tw --output x
refuses "there are: potrf" run.tw --what-if frob=2x --csv --output frobbed
refuses "order=kept, order=fifo or order=priority" run.tw --what-if order=prio
refuses "0 only" run.tw --what-if submit=1
refuses "nothing ran on a GPU" run.tw --what-if gpus=2
refuses "changed twice" run.tw --what-if gemm=2x,dgemm=3x
refuses "said twice" run.tw --what-if cores=2,cores=3
refuses "No such file" run.tw --diff missing.tw --csv --output frobbed
[ -z "$(cat out; ls frobbed* 2> /dev/null)" ] || die "a wrong wish is found after the report"
for example in cholesky:nt=12.5 fork:workers=2.7 chain:nt=5 chain:n=2,n=3 independent:move=1; do refuses "example ${example%%:*}" --example $example; done
"$tilework" trace run.tw --what-if "" --what-if dgemm=2x --html --output same > out
says "(as it was)" out
[ "$(sed -n 's/^What if.*takes.*, \([+-][0-9.]* %\) of.*/\1/p' out)" = "$(sed -n 's/.*changed that takes [^,]*, \([+-][0-9.]* %\) of.*/\1/p' same.html)" ] || { cat out; die "the page has another base for what if"; }
"$tilework" trace run.tw --what-if link=2x --what-if gemm=2x > out
says "links: none, the same time" out
[ "$(grep -c 'links: none' out)" = 1 ] || { cat out; die "another change names links"; }
# What submissions wait for: on the path, in the bounds, and in Python.
"$tilework" trace --example values:n=4,t=1e-3,wait=5e-4 --path --what-if submit=0 --dot --csv --tw --output values > out
says "4 tasks of 1 kernel on 1 worker, 3 edges, 0.005500 s" out
says "(chain 0.004000 s, work 0.004000 s)" out
says "waiting for their submission           0.001500 s   27.3 %" out
[ "$(grep -c '  value$' out)" = 3 ] || { cat out; die "--path does not say that values were waited for"; }
grep -qE '^  submit=0 +0.004000 s' out || { cat out; die "submit=0 submits before values are there"; }
[ "$(grep -c ' -> .*style=dashed' values.dot),$(awk -F, 'NR == 1 { print $NF } NR == 3 { print $(NF - 2) "," $NF }' values.csv)" = "3,values
,0" ] || die "values.dot or values.csv: $(cat values.dot values.csv)"
python3 - "$source_dir/examples" << 'END' || die "read_trace.py does not read values"
import sys
sys.path.insert(0, sys.argv[1])
from read_trace import read
tasks = read("values.tw")["tasks"]
assert [(t["predecessors"], t["values"]) for t in tasks] == [([], []), ([], [0]), ([], [1]), ([], [2])], tasks
END
"$tilework" trace --example transfers:n=10,workers=2,t=1e-3,move=4e-4 --what-if link=2x --what-if standard > out
grep -Eq '^  link=2x +0.006200 s +-16.2 %$' out && [ "$(grep -c '^  link=2x ' out)" = 2 ] || { cat out; die "link=2x of the example with transfers"; }
grep -Eq '^  data ' out && grep -Eq 'try: .*\(promises 0.001200 s, 16.2 %\)$' out || { cat out; die "advice promises nothing"; }
refuses "expected chain, independent" --example frob
refuses "--frob" run.tw --frob
! (ulimit -f 1; "$tilework" trace run.tw --tw --csv --html --output full > out 2>&1) || die "a full disk is not noticed"
[ -z "$(ls full.* 2> /dev/null)" ] || die "half a file is left: $(ls full.*)"

# StarPU's tasks.rec, as a text.
cp "$source_dir/tests/fuzz/corpus/trace/tasks.rec" .
"$tilework" trace tasks.rec --tw --output converted > out
says "3 tasks of" out
says "3 edges" out
says "it lacks" out
"$tilework" trace converted.tw > again
head -n 8 out > a; head -n 8 again | cmp - a || die "tasks.rec and the recording made of it say different things"
{ head -n 2 tasks.rec; echo "StartTime: later"; } > cut.rec
refuses "cut.rec: byte 35: expected" cut.rec

# Python: the same tasks, times and predecessors as in the CSV.
if command -v python3 > /dev/null; then
  cat > compare.py << 'END'
import csv, sys
sys.path.insert(0, sys.argv[1])
import read_trace
r = read_trace.read("run.tw")
rows = list(csv.DictReader(open("made.csv")))
assert len(rows) == len(r["tasks"]) == 120
for row, t in zip(rows, r["tasks"]):
    assert row["kernel"] == t["kernel"] and int(row["id"]) == t["id"] and row["worker"] == t["worker"], (row, t)
    for name in ("submit", "ready", "taken", "loaded", "start", "end"):
        assert abs(float(row[name]) - 1e-9 * t[name]) < 2e-9, (name, row, t)
    assert [int(x) for x in row["predecessors"].split()] == [r["tasks"][k]["id"] for k in t["predecessors"]]
    assert 0 <= t["lost"] <= t["end"] - t["start"] + 1000 and t["lost_before"] >= 0, t
    assert float(row["flops"]) == t["flops"] and t["submit"] <= t["ready"] <= t["taken"] <= t["loaded"] <= t["start"] <= t["end"], t
assert {s["what"] for s in r["stays"]} == {0, 2} and all(s["length"] > 0 for s in r["stays"]), r["stays"] # it submitted, and waited
assert not any(t["by_gpu"] for t in r["tasks"]) and not r["calls"]
for bad, words in ("altered.tw", "was altered"), ("cut.tw", "the file ends early"):
    try:
        read_trace.read(bad)
        sys.exit(bad + " is read")
    except ValueError as e:
        assert words in str(e), e
END
  python3 compare.py "$source_dir/examples" || die "the Python reader sees other things"
  [ "$(wc -l < "$source_dir/examples/read_trace.py")" -le 80 ] || die "read_trace.py has more than 80 lines"
fi

# A run that is killed: what it left is read, and by Python, too.
TILEWORK_TRACE_FORMATS=tw "$tilework" potrf --n 4000 --nb 80 --trace killed > /dev/null 2>&1 &
run=$!
for _ in $(seq 3000); do
  if [ -f killed.tw.part ] && [ "$(wc -c < killed.tw.part)" -gt 10000 ]; then break; fi
  kill -0 $run 2> /dev/null || break
  sleep 0.02
done
kill -9 $run && { wait $run 2> /dev/null || true; } || die "the run that was to be killed ended before"
[ -f killed.tw.part ] && ! [ -f killed.tw ] || die "it left: $(ls killed*)"
"$tilework" trace killed.tw.part --tw --csv > out
says "it lacks its end, for the run was killed or goes on" out
[ -f killed.tw ] && [ -f killed.csv ] || die "files made of killed.tw.part: $(ls killed*)"
if command -v python3 > /dev/null; then
  python3 - "$source_dir/examples" > counted << 'END'
import sys
sys.path.insert(0, sys.argv[1])
import read_trace
part, whole = read_trace.read("killed.tw.part"), read_trace.read("killed.tw")
assert "unfinished" in part["facts"] and "unfinished" not in whole["facts"]
edges = [{(t["id"], r["tasks"][k]["id"]) for t in r["tasks"] for k in t["predecessors"]} for r in (part, whole)]
assert edges[0] == edges[1] and {t["id"]: t["start"] for t in part["tasks"]} == {t["id"]: t["start"] for t in whole["tasks"]}
print(len(part["tasks"]), "tasks of 4 kernels on 2 workers,", len(edges[0]), "edges")
END
  says "$(cat counted)" out
fi

# One that is interrupted: the same, or where it was writing its files already, complete ones.
for how in flag variable; do
  if [ $how = flag ]; then trace=(--trace stopped); else trace=(); export TILEWORK_TRACE=stopped; fi
  TILEWORK_TRACE_FORMATS=tw,csv "$tilework" potrf --n 4000 --nb 80 "${trace[@]}" > out 2>&1 &
  run=$!
  unset TILEWORK_TRACE
  for _ in $(seq 3000); do
    if [ -f stopped.tw.part ] && [ "$(wc -c < stopped.tw.part)" -gt 10000 ]; then break; fi
    kill -0 $run 2> /dev/null || break
    sleep 0.02
  done
  status=0
  kill -INT $run && { wait $run || status=$?; }
  [ $status = 130 ] || { cat out; die "an interrupted run ($how) ended with $status"; }
  if [ $how = flag ]; then says "recorded until then is in stopped.tw.part" out; fi
  [ "$(find . -name 'stopped.tw*' | wc -l)" = 1 ] || { cat out; die "an interrupted run ($how) left: $(ls stopped*)"; }
  "$tilework" trace stopped.tw* > out 2>&1 || { cat out; die "what an interrupted run left ($how) is not read"; }
  rm -f stopped*
done

# A transform that is FFTW's alone: no task, and the thread's row says where it was.
if [ -x "$build/bin/tilework-fft" ]; then
  TILEWORK_TRACE=fftw TILEWORK_TRACE_FORMATS=tw "$build/bin/tilework-fft" --n 1000 --path direct > out 2>&1 || { cat out; die "tilework-fft --path direct"; }
  "$tilework" trace fftw.tw --json --output fftw > out
  if command -v python3 > /dev/null; then
    PYTHONPATH=$source_dir/examples python3 -c 'import read_trace; assert [c["what"] for c in read_trace.read("fftw.tw")["calls"]].count(1) > 0' || die "the Python reader has no calls in FFTW"
  fi
  says "0 tasks of 0 kernels" out
  says "threads were in LAPACK, BLAS or FFTW themselves for" out
  says '"name":"in FFTW"' fftw.json
fi

# The same reachability as StarPU's own record of the run, where StarPU has FxT.
library=$build/lib/libtilework.so
starpu=$(ldd "$library" | awk '/libstarpu-1/ && !n++ { print $3 }')
tool=$(dirname "$starpu")/../bin/starpu_fxt_tool
if [[ $(ldd "$starpu") == *libfxt* ]] && [ -x "$tool" ] && command -v python3 > /dev/null; then
  mkdir fxt
  STARPU_FXT_TRACE=1 STARPU_FXT_PREFIX=$work/fxt/ STARPU_FXT_SUFFIX=run TILEWORK_TRACE_FORMATS=tw "$tilework" potrf --n 768 --nb 96 --trace both > /dev/null
  "$tool" -d fxt -i fxt/run_0 > tool.log 2>&1 || { tail tool.log; die "starpu_fxt_tool failed"; }
  cat > reach.py << 'END'
import sys
sys.path.insert(0, sys.argv[1])
import read_trace
tasks = read_trace.read("both.tw")["tasks"]
ours = sorted(tasks, key=lambda t: t["id"])
theirs, one = {}, {}
for line in open("fxt/tasks.rec"):
    if not line.strip():
        if one.get("Name") in ("potrf", "trsm", "syrk", "gemm"): theirs[int(one["JobId"])] = one
        one = {}
    elif ": " in line:
        key, value = line.rstrip("\n").split(": ", 1)
        one[key] = value
order = sorted(theirs.values(), key=lambda t: int(t["SubmitOrder"]))
assert [t["Name"] for t in order] == [t["kernel"] for t in ours], "other tasks"
def closure(before):
    reach = []
    for k in range(len(before)):
        s = set()
        for p in before[k]: s |= reach[p] | {p}
        reach.append(s)
    return reach
place = {int(t["JobId"]): k for k, t in enumerate(order)}
number = {id(t): k for k, t in enumerate(ours)}
a = closure([[place[int(j)] for j in t.get("DependsOn", "").split() if int(j) in place] for t in order])
b = closure([[number[id(tasks[p])] for p in t["predecessors"]] for t in ours])
assert a == b, [(k, a[k] ^ b[k]) for k in range(len(a)) if a[k] != b[k]][:3]
print("the reachability of %d tasks is that of StarPU's DependsOn" % len(a))
END
  python3 reach.py "$source_dir/examples" || die "not StarPU's graph"
  # The command reads that file itself: the same tasks and edges as in the recording.
  "$tilework" trace fxt/tasks.rec --kernel potrf,trsm,syrk,gemm --html --output theirs > out
  "$tilework" trace both.tw > ours
  says "$(grep -o '^[0-9]* tasks of [0-9]* kernels' ours)" out
  says "it lacks when tasks were ready" out
  [ -s theirs.html ] || die "no report is made of tasks.rec"
fi
echo "recordings: all right"
