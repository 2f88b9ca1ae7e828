#!/usr/bin/env bash
# On a machine with a GPU: which scheduler and how many streams, by `tilework compare`, with the traces of the first and the best setting; and how far the transfers
# that a recording infers are from what StarPU counted. Results go to the folder given (8 files or fewer).
# They are there as they come: what a time limit ends leaves what was done before.
#   tests/bench/traces-gpu-bars.sh TILEWORK FOLDER [BLOCKS [ORDER...]]
set -euo pipefail
tilework=$1 out=$2 blocks=${3:-6}
orders=("${@:4}")
[ ${#orders[@]} -gt 0 ] || orders=(16384 32768)
mkdir -p "$out"
status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TILEWORK_TRACE_FORMATS=tw,html
# A recording's bytes on each link: inferred and timed ones beside StarPU's count; its replay in the order kept.
for run in "potrf --n 16384" "posv --n 8192 --nrhs 1000" "gemm --n 16384"; do
  # shellcheck disable=SC2086  # words are wanted
  "$tilework" $run --trace "$work/run" > "$work/line.txt"
  "$tilework" trace "$work/run.tw" --what-if "" > "$work/trace.txt" 2>&1 || "$tilework" trace "$work/run.tw" --what-if submit=0 > "$work/trace.txt"
  { echo "== $run"; cat "$work/line.txt" "$work/trace.txt"; } >> "$out/traces-gpu.txt"
  python3 - "$(dirname "$0")/../../examples" "$work/run.tw" >> "$out/traces-gpu.txt" << 'END' || true
import collections, sys
sys.path.insert(0, sys.argv[1])
import read_trace
r, sums = read_trace.read(sys.argv[2]), collections.Counter()
for t in r["transfers"]: sums[t["source"] - 1, t["target"] - 1, t["inferred"]] += t["bytes"]
for key, counted in r["facts"].items():
    if key.startswith("bytes counted"):
        source, target = int(key.split()[3]), int(key.split()[5])
        found = sums[source, target, 0] + sums[source, target, 1]
        print("link %d to %d: recorded %.6g MB (inferred %.6g), counted %.6g MB: %+.2f %%" % (source, target, found / 1e6, sums[source, target, 1] / 1e6, int(counted) / 1e6, 100 * (found / int(counted) - 1)))
END
done
for n in "${orders[@]}"; do
  # The default's name is tilework. Streams are a variable: an axis of their own for the default, so that there are 4 + 4 settings and not 16.
  "$tilework" compare --sched tilework,dmdas,lws,eager --blocks "$blocks" --output "$work/sched-$n" -- potrf --n "$n" >> "$out/traces-gpu.txt" || true
  cp "$work/sched-$n.csv" "$out/" || status=1
  "$tilework" compare --set STARPU_NWORKER_PER_CUDA=3,1,2,4 --blocks "$blocks" --output "$work/streams-$n" -- potrf --n "$n" >> "$out/traces-gpu.txt" || true
  cp "$work/streams-$n.csv" "$out/" || status=1
done
(cd "$work" && tar -czf "$out/compare-traces.tar.gz" ./*-[0-9]*.tw) || status=1
exit $status
