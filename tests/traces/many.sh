#!/usr/bin/env bash
# Recordings with a hundred thousand kernels or workers, and a command that is ended while it writes.
. "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
command -v python3 > /dev/null || exit 77
cd "$work"
cat > many.py << 'END'
import struct, sys, zlib
kernels, workers, tasks = (int(x) for x in sys.argv[1:4])
def number(v):
    out = bytearray()
    while v >= 128:
        out.append(v & 127 | 128)
        v >>= 7
    return bytes(out) + bytes([v])
def signed(v): return number(2 * v if v >= 0 else -2 * v - 1)
def text(s): return number(len(s.encode())) + s.encode()
def block(tag, b):
    head = tag + struct.pack("<I", len(b))
    f.write(head + b + struct.pack("<I", zlib.crc32(head + b)))
with open(sys.argv[4], "wb") as f:
    f.write(b"TWTRACE\1")
    block(b"META", text("machine") + text("made") + text("scheduler") + text("none"))
    block(b"WORK", b"".join(number(k % 2) + signed(k) + text("worker %d" % k) for k in range(workers)))
    block(b"ROUT", text("routine"))
    block(b"STAG", b"")
    block(b"KERN", b"".join(number(k % (1 << 24)) + text("k\u009b%d" % k) for k in range(kernels)))
    at, b = 0, []
    for i in range(tasks):
        b.append(number(0) + signed(1) + number(i % kernels) + b"\1" + number(i % workers) + b"\0\0\0\0\0\1\1" + signed(100) + number(1000) + signed(500) + (b"\1\2" if i else b"\0"))
        if i % 20000 == 19999 or i == tasks - 1:
            block(b"TASK", b"".join(b))
            b = []
    block(b"DONE", number(tasks) + number(tasks - 1))
END
python3 many.py 100000 3 100000 kernels.tw
python3 many.py 3 99999 100000 workers.tw
for f in kernels workers; do
  "$tilework" trace $f.tw --tw --csv --html --output again --what-if standard > out
  grep -q '^100000 tasks of' out || { cat out; die "$f.tw: other tasks"; }
  "$tilework" trace again.tw --to 5 --diff $f.tw > out # milliseconds
  grep -q '^together' out || { head out; die "$f.tw: no difference"; }
  LC_ALL=C grep -q $'\xc2\x9b' again.csv again.html && die "a control character went through"
done

# Ended while it writes: nothing is left. When depends on the machine: several moments are tried.
for wait in 0.1 0.3 0.6; do
  rm -f ended.*
  "$tilework" trace kernels.tw --html --output ended > /dev/null 2> err &
  sleep $wait
  kill $! 2> /dev/null || true
  wait $! || true
  [ -z "$(ls ended.*tmp* 2> /dev/null)" ] || die "ended after $wait s, it left $(ls ended.*)"
done
