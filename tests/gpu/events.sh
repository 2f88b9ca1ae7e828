#!/usr/bin/env bash
# On a machine with a GPU: recordings whose GPU tasks' times are by CUDA events (TILEWORK_TRACE_GPU=events) beside those by the host's clock: the same tasks, how long
# they took in all, whether the GPU's times lie where the host's allow, and what the events cost (bar: 3 %).
#   tests/gpu/events.sh TILEWORK [N] [PAIRS]
set -euo pipefail
tilework=$(realpath "$1") n=${2:-8192} pairs=${3:-7} status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export TILEWORK_TRACE_FORMATS=tw,csv
wrong() { echo "WRONG: $*"; status=1; }
one() {      # host|events: a run whose last of three factorizations is recorded; its seconds
  TILEWORK_TRACE_GPU=$1 "$tilework" potrf --n "$n" --repeat 3 --trace "$1" > "$1.txt" || { cat "$1.txt"; exit 1; }
  "$tilework" trace "$1.tw" > "$1.report"
  sed -n 's/.* edges, \([0-9.]*\) s,.*/\1/p' "$1.report"
}
median() { sort -g "$1" | awk '{ v[NR] = $1 } END { printf "%.6g", (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'; }

# In pairs, each in its turn first.
one host > /dev/null
for k in $(seq "$pairs"); do
  if [ $((k % 2)) = 1 ]; then a=$(one host) b=$(one events); else b=$(one events) a=$(one host); fi
  echo "$a" >> host.seconds; echo "$b" >> events.seconds
  awk -v a="$a" -v b="$b" 'BEGIN { print 100 * (b / a - 1) }' >> slower
done

# Columns: 1 id, 8 worker, 12 submit, 13 ready, 15 loaded, 16 start, 17 end, 22 predecessors, 23 clock. The last pair's recordings.
for which in host events; do
  awk -F, -v which=$which 'NR > 1 { all++; if ($8 ~ /GPU/) { gpu++; sum += $17 - $16 } if ($23 == "gpu") events++ }
    END { printf "%-7s %d tasks, %d on GPUs, of which %d by the GPU'"'"'s clock, %.6f s in all\n", which ":", all, gpu, events, sum; print all + 0, gpu + 0, events + 0 > (which ".counts") }' $which.csv
done
read -r all_host _ by_host < host.counts
read -r all gpu by_gpu < events.counts
[ "$all" = "$all_host" ] || wrong "$all_host tasks with the host's clock, $all with the GPU's"
[ "$by_host" = 0 ] || wrong "$by_host tasks by the GPU's clock though nobody asked for it"
if [ "$gpu" = 0 ] || [ "$by_gpu" != "$gpu" ]; then wrong "$by_gpu of $gpu tasks on GPUs are by the GPU's clock"; fi
grep -aq 'gpu times.CUDA events' events.tw || wrong "the recording does not say whose clock it is"
grep -aq 'gpu times.host' host.tw || wrong "the recording with the host's clock does not say so"
echo "the GPU's clock was set by $(grep -ao 'gpu clock set us.[0-9.]*' events.tw | tail -n 1 | sed 's/.*[^0-9.]//') us at most"

# Submission, data there, start, end, and then what waits for it is ready, by the host: to 2 us, the events' resolution.
awk -F, 'NR == FNR { if (FNR > 1 && $13 != "") ready[$1] = $13; next }
  FNR > 1 { n = split($22, p, " "); for (k = 1; k <= n; k++) if (($1 in ready) && (!(p[k] in by) || ready[$1] < by[p[k]])) by[p[k]] = ready[$1]
            if ($23 == "gpu") { id[++m] = $1; submit[m] = $12; loaded[m] = $15; from[m] = $16; to[m] = $17 } }
  END { for (k = 1; k <= m; k++) {
          early += from[k] < submit[k] - 2e-6 || (loaded[k] != "" && from[k] < loaded[k] - 2e-6); backwards += to[k] < from[k]
          if (id[k] in by) { seen++; gap = by[id[k]] - to[k]; late += gap < -2e-6; wait[seen] = gap } }
        print early + 0, backwards + 0, late + 0, seen + 0
        for (k = 1; k <= seen; k++) print wait[k] > "gaps" }' events.csv events.csv > order
read -r early backwards late seen < order
echo "of $by_gpu: $early begin before their data is there, $backwards end before they begin; of $seen with successors $late end after these are ready"
if [ "$early$backwards$late" != 000 ] || [ "$seen" = 0 ]; then wrong "the GPU's times do not lie within the host's"; fi
[ ! -s gaps ] || echo "from a task's end on the GPU until its successors are ready: median $(median gaps) s"
# How far the replay of each is off, and what links twice as fast would bring.
for which in host events; do
  "$tilework" trace $which.tw --what-if link=2x | awk -v which=$which '/^What if/ { print which ": " $0 } / link=2x /'
done
echo "seconds: host $(median host.seconds), events $(median events.seconds); events cost $(median slower) % (median of $pairs pairs: $(sort -g slower | tr '\n' ' '))"
awk -v x="$(median slower)" 'BEGIN { exit !(x <= 3) }' || wrong "events cost more than 3 %"
exit $status
