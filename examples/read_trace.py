#!/usr/bin/env python3
"""Read a recording of Tilework's (PREFIX.tw) with the standard library alone; the format is docs/trace-format.md.
python3 read_trace.py run.tw ... prints their kernels; in a program: recording = read("run.tw")"""
import struct, sys, zlib

class Block:
    def __init__(self, data):
        self.data, self.at = data, 0
    def number(self):
        value = shift = 0
        while True:
            byte, self.at = self.data[self.at], self.at + 1
            value, shift = value | (byte & 127) << shift, shift + 7
            if byte < 128: return value
    def signed(self, more=0):
        value = self.number() - more
        return value >> 1 ^ -(value & 1)
    def real(self):
        self.at += 8
        return struct.unpack_from("<d", self.data, self.at - 8)[0]
    def text(self):
        length, at = self.number(), self.at
        self.at = at + length
        return self.data[at:self.at].decode("utf-8", "replace")
    def rest(self, *parts):
        while self.at < len(self.data):
            yield [part() for part in parts]

ROWS = {b"WORK": ("workers", "gpu device name", "nst"), b"MARK": ("marks", "from length depth thread name", "snnnt"),
        b"STAY": ("stays", "from length what thread", "snnn"), b"CALL": ("calls", "from length what thread", "snnn"), b"MOVE": ("transfers", "from length source target bytes task inferred", "snnnrnn"), b"USED": ("used", "time memory bytes", "snn")}

def read_tasks(b, r, last):
    while b.at < len(b.data):
        flags = b.number()
        t = {"team": bool(flags & 1), "by_gpu": False, "id": last["id"] + b.signed(), "kernel": r["kernels"][b.number()], "type": "sdczilhbq"[b.number()],
             "worker": r["workers"][b.number()]["name"], "routine": (r["routines"] or [""])[b.number()], "stage": ([""] + r["stages"])[b.number()],
             "priority": b.signed(), "coordinates": [b.signed() for _ in range(4)], "start": last["start"] + b.signed()}
        t["end"] = t["start"] + b.number()
        t["submit"] = t["start"] - b.signed()  # nanoseconds, all of them
        for name in ("ready", "taken", "loaded") if flags & 8 else ():
            t[name] = t["start"] - b.signed(1) if b.data[b.at] else b.number()  # 0: not known
        t["flops"] = b.real() if flags & 2 else 0
        t["moved"] = b.real() if flags & 4 else 0
        t["predicted"] = [b.number(), b.number()] if flags & 16 else [0, 0]
        t["lost"], t["lost_before"] = (b.number(), b.number()) if flags & 32 else (0, 0)
        t["predecessors"], t["values"] = [len(r["tasks"]) - b.signed() for _ in range(b.number())], []  # values: VALU
        r["tasks"].append(last := t)
    return last

def read(path):
    r = {name: [] for name in "tasks workers marks stays calls transfers used routines stages kernels".split()} | {"facts": {}}
    last, waits, tag = {"id": 0, "start": 0}, set(), b""
    with open(path, "rb") as f:
        if f.read(8) != b"TWTRACE\1": raise ValueError(path + ": no recording of this version")
        while tag != b"DONE":
            tag, length = struct.unpack("<4sI", (head := f.read(8)).ljust(8, b"\0"))
            data, end = f.read(length), f.read(4)
            if len(end) < 4 and "unfinished" in r["facts"]: break  # FILE.tw.part of a run that was killed
            if len(end) < 4: raise ValueError("%s: byte %d: the file ends early" % (path, f.tell()))
            if struct.unpack("<I", end)[0] != zlib.crc32(head + data): raise ValueError("%s: block %s was altered" % (path, tag))
            b, task = Block(data), 0
            if tag == b"META": r["facts"].update(b.rest(b.text, b.text))
            if tag in (b"ROUT", b"STAG"): r["routines" if tag == b"ROUT" else "stages"] += [x[0] for x in b.rest(b.text)]
            if tag == b"KERN": r["kernels"] += [x[1] for x in b.rest(b.number, b.text)]
            if tag in ROWS: # workers, marks, what threads did, transfers, used memory
                r[ROWS[tag][0]] += [dict(zip(ROWS[tag][1].split(), row)) for row in b.rest(*({"n": b.number, "s": b.signed, "r": b.real, "t": b.text}[k] for k in ROWS[tag][2]))]
            if tag == b"TASK": last = read_tasks(b, r, last)
            for host, gpu in b.rest(b.number, b.number) if tag == b"CLCK" else ():
                for t in r["tasks"][task + host:(task := task + host + gpu)]: t["by_gpu"] = True
            for more, back in b.rest(b.signed, b.signed) if tag in (b"WAIT", b"VALU") else ():
                waits.add((task := task + more, task - back, "values" if tag == b"VALU" else "predecessors"))
    place = {t["id"]: k for k, t in enumerate(r["tasks"]) if not t["team"]}
    for task, before, kind in waits: # pairs of tasks' numbers
        if task in place and before in place: r["tasks"][place[task]][kind].append(place[before])
    return r

if __name__ == "__main__":
    for recording, kernel in ((r, kernel) for r in map(read, sys.argv[1:]) for kernel in r["kernels"]):
        times = [t["end"] - t["start"] for t in recording["tasks"] if t["kernel"] == kernel and not t["team"]]
        print("rank %s %-12s %7d tasks %12.6f s" % (recording["facts"].get("rank", "0"), kernel, len(times), sum(times) / 1e9))
