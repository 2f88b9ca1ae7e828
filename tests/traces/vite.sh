#!/usr/bin/env bash
# A real run, its Paje file through ViTE without a display, and a look at the picture: the tasks are in it as boxes.
. "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
wanted vite > /dev/null

# The sample in the tree: 56 tasks.
sample=$source_dir/traces/sample/potrf.paje
n=$(drawn "$sample")
[ "$n" -eq 56 ] || die "the sample trace has 56 tasks, ViTE drew $n"

# 8 x 8 tiles: 8 * 9 * 10 / 6 = 120 tasks. --trace writes all four files.
"$tilework" potrf --n 1024 --nb 128 --trace "$work/run"
for extension in paje json svg html; do
  [ -s "$work/run.$extension" ] || die "the command left no run.$extension"
done
for expected in potrf:8 trsm:28 syrk:28 gemm:56; do
  kernel=${expected%:*}
  id=$(sed -n "s/^4 \(k[0-9]*\) S \"$kernel\" .*/\1/p" "$work/run.paje")
  [ -n "$id" ] || die "the trace knows no $kernel"
  tasks=$(grep -cE "^8 [0-9.]+ S w[0-9]+ $id " "$work/run.paje" || true)
  [ "$tasks" -eq "${expected#*:}" ] || die "expected ${expected#*:} tasks of $kernel, the trace has $tasks"
done
n=$(drawn "$work/run.paje")
echo "run: 120 tasks, of which ViTE drew $n"
[ "$n" -ge 60 ] && [ "$n" -le 120 ] || die "120 tasks (the narrowest need not show), but ViTE drew $n"

# One variable does the same for any program.
TILEWORK_TRACE=$work/variable "$tilework" potrf --n 1024 --nb 256
[ -s "$work/variable.paje" ] || die "TILEWORK_TRACE left no trace"
n=$(drawn "$work/variable.paje")
[ "$n" -ge 10 ] || die "a Cholesky of 4 x 4 tiles has 20 tasks, ViTE drew $n"

# Threads that submit, and transfers between memories as arrows: put into a recording that has none.
if command -v python3 > /dev/null; then
  "$tilework" trace --example cholesky:nt=6,workers=3,t=1e-3 --tw --output "$work/plain" > /dev/null
  python3 - "$work/plain.tw" "$work/more.tw" << 'END'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
at, more = 8, {}
while data[at:at + 4] != b"TASK": at += 12 + struct.unpack("<I", data[at + 4:at + 8])[0]
def block(tag, b): return tag + struct.pack("<I", len(b)) + b + struct.pack("<I", zlib.crc32(tag + struct.pack("<I", len(b)) + b))
def number(v): return (bytes([v & 127 | 128]) + number(v >> 7)) if v > 127 else bytes([v])
stays = b"".join(number(2 * t) + number(n) + bytes([what, thread]) for t, n, what, thread in ((0, 900000, 0, 0), (300000, 200000, 1, 0), (900000, 9000000, 2, 0), (100000, 50000, 0, 1)))
moves = b"".join(number(2 * 1000000 * k) + number(500000) + bytes([k % 2, 1 - k % 2]) + struct.pack("<d", 2e6) + number(k) + bytes([k % 3 == 0]) for k in range(12))
used = b"".join(number(2 * 500000 * k) + bytes([k % 2]) + number(1000000 * k) for k in range(30))
open(sys.argv[2], "wb").write(data[:at] + block(b"STAY", stays) + block(b"MOVE", moves) + block(b"USED", used) + data[at:])
END
  "$tilework" trace "$work/more.tw" --paje --json --output "$work/more" > "$work/more.txt"
  grep -q '^12 transfers between memories, 24 MB' "$work/more.txt" || { cat "$work/more.txt"; die "12 transfers of 2 MB are not told"; }
  [ "$(grep -c '^11 ' "$work/more.paje")" = 12 ] && [ "$(grep -c '^12 ' "$work/more.paje")" = 12 ] || die "no links for 12 transfers"
  [ "$(grep -c '^9 [0-9.]* V y[01] [1-9]' "$work/more.paje")" = 29 ] && [ "$(grep -c '"used memory, GPU 0"' "$work/more.json")" = 15 ] || die "used memory is not told"
  grep -q 'GPU 0' "$work/more.paje" && grep -q 'window full' "$work/more.paje" || die "no memories or threads in more.paje"
  export_picture "$work/more.paje" "$work/more.svg"
fi
