#!/usr/bin/env bash
# The experiments of docs/schedulers.md: their commands run as they stand there, and the recordings show what the page says of counts, order, path
# and advice. No time is checked. The page's pictures are made from the recordings beside them.
# shellcheck disable=SC2016,SC2317  # figures are worked out when they are told; checks are called by their names
set -u
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
page=$TILEWORK_SOURCE/docs/schedulers.md folder=$TILEWORK_SOURCE/docs/schedulers
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
PATH=$(cd "$TILEWORK_BUILD" && pwd)/bin:$PATH
export PATH TILEWORK_TRACE_FORMATS=tw,csv
cd "$work" || exit 1
failures=0
bad() { echo "FAILED: $*"; failures=$((failures + 1)); }

# Commands of experiment N, as the page has them: N.sh
awk '/^### [0-9]+\./ { n = $2 + 0 } /^## / || /^### And/ { n = 0 } /^```$/ { block = 0 } n && block { print > (n ".sh") } /^```sh/ { block = 1 }' "$page"
count=$(find . -name '*.sh' | wc -l)
[ "$count" = 8 ] || bad "the page has $count experiments with commands"
# run EXPERIMENT VARIABLE=VALUE...
run() { env "${@:2}" bash -eu -o pipefail "$1.sh" > "$1.out" 2>&1 || { cat "$1.out"; bad "the commands of experiment $1 fail"; return 1; }; }
# What is a matter of chance on a busy machine may fail twice.
three_times() {      # EXPERIMENT CHECK WHAT FIGURES VARIABLE=VALUE...
  for _ in 1 2 3; do
    run "$1" "${@:5}" && "$2" && return
  done
  bad "experiment $1: $3 ($(eval "echo $4"))"
}
advises() { tilework trace "$1.tw" | awk -v rule="$2" '/^What stands out/ { on = 1 } on && $1 == rule { said = 1 } END { exit !said }'; }
tasks() { [ $(($(wc -l < "$1.csv") - 1)) = "$2" ] || bad "$1 has $(($(wc -l < "$1.csv") - 1)) tasks, not $2"; }
# place of the K-th task of a kernel in the order of starts, from 0
place() { awk -F, -v kernel="\"$2\"" -v k="$3" '$2 == kernel && ++n == k { print NR - 2 }' "$1.csv"; }
# per cent of the tasks that ran where the predecessor that ended last had
stayed() {
  awk -F, 'NR > 1 { worker[$1] = $8; end[$1] = $17 + 0; n = split($22, p, " "); last = -1
      for (k = 1; k <= n; k++) if (end[p[k]] > last) { last = end[p[k]]; where = worker[p[k]] }
      if (n) { all++; same += where == $8 } } END { printf "%d\n", 100 * same / all }' "$1.csv"
}

small() { advises small small-tasks && ! advises medium small-tasks; }
three_times 1 small "small-tasks is said of medium, or not of small" ""
tasks small 816
tasks medium 20

run 2
tasks large 4
tilework trace large.tw > out
advises large chain || { cat out; bad "experiment 2: no chain"; }
grep -q 'try: --nb 320' out || bad "experiment 2: not half the nb"
grep -q '^  cores=16 .*[+-]0\.0 %' 2.out || { cat 2.out; bad "experiment 2: sixteen cores change something"; }
awk '/no schedule/ { chain = $(NF - 4); work = $(NF - 1) } END { exit !(chain > 1.9 * work && chain < 2.1 * work) }' out || { cat out; bad "experiment 2: the chain is not all of the work"; }

# 7 trsm, 28 updates of the first step; of these 7 + 7 are of the columns up to the second, and with them it may start. A submitting thread that
# loses its core lets few tasks be ready at a time, in which priorities choose: chance, again.
early() { [ "$(place arrival potrf 2)" -ge 24 ] && [ "$(place urgent potrf 2)" -lt "$(place arrival potrf 2)" ]; }
three_times 3 early "the second potrf without priorities, and with them" '$(place arrival potrf 2), $(place urgent potrf 2)'
tasks urgent 120
tasks arrival 120
grep -q '^together  *120  *120 ' 3.out || bad "experiment 3: --diff has other numbers of tasks"

near() { [ "$(stayed near)" -gt "$(stayed urgent)" ]; }
three_times 4 near "with lws no more stay than with prio" '$(stayed near) %, $(stayed urgent) %'

# On one core: with two, whose shares are fixed in advance, a core that others use, too, falls behind, and the other one's tasks overtake it.
sorted() { [ "$(place sorted potrf 2)" -lt "$(place bound potrf 2)" ]; }
three_times 5 sorted "dmdas has the second potrf no sooner than dmda" '$(place sorted potrf 2), $(place bound potrf 2)' STARPU_NCPU=1

run 6
grep -q 'scheduler heteroprio$' 6.out || bad "experiment 6: another scheduler"
tasks kinds 120

held() { advises held window && ! advises near window; }
three_times 7 held "window is said without one, or not with four tasks" ""
tilework trace held.tw > out
grep -q 'waiting for their submission' out || bad "experiment 7: the path does not wait for submissions"

if [ -r /proc/thread-self/schedstat ] && [ "$(nproc)" -le 2 ]; then
  shared() { advises shared cores-lost; }
  three_times 8 shared "two neighbours are not noticed" ""
  awk '/^  lost=0/ { found = $4 ~ /^-/ } END { exit !found }' 8.out || { cat 8.out; bad "experiment 8: without them it would not be faster"; }
else
  echo "not run: experiment 8 wants the kernel's count of waits, and at most two cores"
fi

# The report that docs/traces.md reads is that of the recording it names.
awk '/^## One report/ { on = 1; next } /^## / { on = 0 } on && /^```$/ { block = 0 } on && block && NF; on && /^```text/ { block = 1 }' "$TILEWORK_SOURCE/docs/traces.md" > report
[ "$(wc -l < report)" -ge 25 ] || bad "docs/traces.md shows no report"
tilework trace "$folder/arrival.tw" --what-if standard > whole
while IFS= read -r line; do grep -qxF -- "$line" whole || bad "docs/traces.md has a line that the report has not: $line"; done < report

# Pictures: those that the script makes.
mkdir made
TILEWORK=$TILEWORK_BUILD/bin/tilework bash "$folder/pictures.sh" "$work/made" || bad "the pictures cannot be made"
for recording in "$folder"/*.tw "$folder"/h200/sched-16384-*.tw; do
  name=${recording#"$folder/"} name=${name%.tw}
  cmp -s "made/$name.svg" "$folder/$name.svg" || bad "docs/schedulers/$name.svg is not of its recording: run docs/schedulers/pictures.sh"
  grep -q "(schedulers/$name.svg)" "$page" || bad "docs/schedulers.md does not show $name.svg"
  [ "$(wc -c < "$folder/$name.svg")" -le 80000 ] || bad "docs/schedulers/$name.svg is large"
done

# What the page says of the H200's tables and recordings.
for k in sched-16384 sched-32768 streams-16384 streams-32768; do tilework compare --from "$folder/h200/$k.csv"; done > h200
for k in sched-16384-first sched-16384-next; do tilework trace "$folder/h200/$k.tw"; done >> h200
tilework trace "$folder/h200/sched-16384-next.tw" --diff "$folder/h200/sched-16384-first.tw" >> h200
awk '/^### And with a GPU/ { on = 1; next } /^## / { on = 0 } on && /^```$/ { block = 0 } on && block && NF; on && /^```text/ { block = 1 }' "$page" > said
[ "$(wc -l < said)" -ge 12 ] || bad "docs/schedulers.md shows nothing of a GPU"
while IFS= read -r line; do grep -qxF -- "$line" h200 || bad "docs/schedulers.md has a line that the H200's files have not: $line"; done < said

[ "$failures" = 0 ] && echo "experiments: all right" && exit 0
echo "$failures failures"
exit 1
