#!/usr/bin/env bash
# The report: its policy and its figures by Python, and in Chromium, without a display, all that one can do with it.
. "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
command -v python3 > /dev/null || skip "no python3"
cd "$work"
hostile='</script><img src=x onerror=alert(1)>"&'
"$tilework" potrf --n 1024 --nb 128 --trace run > /dev/null
"$tilework" trace --example cholesky:nt=20,workers=5,t=1e-3 --tw --html --output made > /dev/null
"$tilework" trace --example chain:n=3 --html --output chain > /dev/null
"$tilework" trace --example values:n=4,wait=5e-4 --tw --html --output values > /dev/null

# --- the page as text: what the policy names is what is there, the figures are those of the command --------------------
cat > page.py << 'END'
import base64, hashlib, json, re, sys
for name in ("run", "made", "chain", "values"):
    page = open(name + ".html", encoding="utf-8").read()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1)
    named = set(re.findall(r"'sha256-([^']*)'", policy))
    bodies = re.findall(r"<style>(.*?)</style>", page, re.S) + re.findall(r"<script>(.*?)</script>", page, re.S)
    hashes = {base64.b64encode(hashlib.sha256(b.encode()).digest()).decode() for b in bodies}
    assert named == hashes and len(bodies) == 3, (name, named, hashes)
    assert policy.startswith("default-src 'none'; "), policy
    assert "style=" not in page and not re.search(r"<[^>]* on\w+=", page.split("<main>")[1].split("</main>")[0]), name
    assert len(re.findall(r"<script>(.*?)</script>", page, re.S)[0].encode()) <= 60000
    summary = json.loads(re.search(r'id="tilework-summary">(.*?)</script>', page, re.S).group(1))
    data = base64.b64decode(re.search(r'id="tilework-data">(.*?)</script>', page, re.S).group(1), validate=True)
    if name == "made":
        assert summary["tasks"] == 1540 and abs(sum(k["seconds"] for k in summary["kernels"]) - summary["busy"]) < 1e-6
        assert abs(sum(v for k, v in summary["path"].items() if k != "length") - summary["seconds"]) < 1e-9
        assert summary["advice"] == [], summary["advice"]
        assert len(data) < 32 * 1540, len(data)
END
python3 page.py || die "the page is not what it says"

# --- in the browser ----------------------------------------------------------------------------------------------------------
browser=$(wanted chromium chromium-browser google-chrome) || exit

# Names that would do harm, a mark, threads, transfers.
cat > hostile.py << 'END'
import struct, sys, zlib
data, name = open("made.tw", "rb").read(), sys.argv[1].encode()
def number(v): return (bytes([v & 127 | 128]) + number(v >> 7)) if v > 127 else bytes([v])
def block(tag, b): return tag + struct.pack("<I", len(b)) + b + struct.pack("<I", zlib.crc32(tag + struct.pack("<I", len(b)) + b))
out, at = data[:8], 8
while at < len(data):
    tag, length = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
    content = data[at + 8:at + 8 + length]
    if tag == b"KERN": content = content.replace(b"\4trsm", number(len(name)) + name)
    if tag == b"ROUT": content = number(len(name)) + name
    if tag == b"TASK":
        if b"MARK" not in out:
            out += block(b"MARK", number(2000000) + number(5000000) + b"\0\0" + number(len(name)) + name + number(8000000) + number(5000000) + b"\0\0\5again")
            out += block(b"STAY", number(0) + number(9000000) + b"\0\0" + number(2000000) + number(1000000) + b"\1\0" + number(18000000) + number(30000000) + b"\2\0")
            out += block(b"USED", b"".join(number(2000000 * k) + bytes([k % 2]) + number(k * 10**6) for k in range(20)))
            out += block(b"MOVE", b"".join(number(4000000 * k) + number(1500000) + bytes([k % 2, 1 - k % 2]) + struct.pack("<d", 2e6) + b"\0" + bytes([k % 2]) for k in range(9)))
    out += block(tag, content)
    at += 12 + length
open("hostile.tw", "wb").write(out)
END
python3 hostile.py "$hostile"
"$tilework" trace hostile.tw --html > hostile.txt
cat > look.py << 'END'
import sys
sys.path.insert(0, sys.argv[1])
from browser import Browser
b = Browser(sys.argv[2])
def same(got, wanted, what):
    if got != wanted: sys.exit("%s: %r instead of %r" % (what, got, wanted))
try:
    for page in ("run", "chain", "hostile", "made"):
        b.open(page + ".html")
        same(b.run("window.tilework && tilework.ready"), True, page + " is ready")
    same(b.run("document.querySelectorAll('img').length"), 0, "images")
    v = b.run("tilework.view()")
    same((v["tasks"], v["from"], v["rows"], v["selected"]), (1540, 0, 5, None), "the view")
    same(len(b.run("tilework.find('gemm(5,3)')")), 3, "gemm(5,3)")
    same(len(b.run("tilework.find('potrf')")), 20, "potrf")
    same(b.run("tilework.find('#7')"), [7], "#7")
    same(b.run("tilework.find('nothing')"), [], "nothing")
    t = b.run("tilework.select(1)")
    same((t["name"], t["waited"]), ("trsm(1,0)", [0]), "the first trsm")
    assert len(t["released"]) == 19 and t["start"] > 0.3 and t["end"] > t["start"], t
    assert "trsm(1,0)" in b.run("document.getElementById('status').textContent") and b.run("!document.getElementById('task').hidden")
    same(b.run("[...document.querySelectorAll('#task button')].map(x => x.textContent)[0]"), "potrf(0,0)", "waited for")
    path = b.run("tilework.path()")
    same((path[0], len(path)), (0, b.run("JSON.parse(document.getElementById('tilework-summary').textContent).path.length")), "the path")
    v = b.run("tilework.zoom(1, 2)")
    assert abs(v["from"] - 1) < 1e-9 and abs(v["to"] - 2) < 1e-9 and 0 < v["tasks"] < 50, v
    b.run("document.getElementById('view').focus()")
    for key in "0": b.key(key)
    same(b.run("tilework.view().from"), 0, "key 0")
    b.key("+")
    b.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
    assert b.run("tilework.view().from") > 0, "key +"
    before = b.run("tilework.view().selected")
    b.key("ArrowRight")
    assert b.run("tilework.view().selected") != before, "an arrow key"
    b.key("Escape")
    same(b.run("tilework.view().selected"), None, "Escape")
    b.key("p")
    same(b.run("tilework.view().path"), False, "key p")
    b.key("/")
    same(b.run("document.activeElement.id"), "search", "key /")
    b.run("const k = document.getElementById('kernels'); k.value = '1'; k.onchange()")
    b.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
    assert "filtered" in b.run("document.getElementById('status').textContent")
    # For who cannot see: everything has a name, and there are tables.
    same(b.run("[...document.querySelectorAll('input,select,button')].filter(e => !e.closest('label') && !e.textContent.trim() && !e.ariaLabel).length"), 0, "controls without a name")
    assert b.run("document.querySelectorAll('table').length") >= 5 and b.run("document.querySelectorAll('h1').length") == 1
    # Dark, and on paper.
    for feature in ({"features": [{"name": "prefers-color-scheme", "value": "dark"}]}, {"media": "print"}):
        b.call("Emulation.setEmulatedMedia", **feature)
    same(b.run("getComputedStyle(document.getElementById('live')).display + getComputedStyle(document.getElementById('still')).display"), "noneblock", "on paper")
    # Whose submission waited for a value: that is said apart from predecessors.
    b.open("values.html")
    t = b.run("tilework.select(2)")
    same((t["waited"], t["values"], t["released"]), ([], [1], [3]), "the third of four values")
    words = b.run("[...document.querySelectorAll('#task p')].map(x => x.textContent)")
    assert "Its submission waited for the value of step(1)" in words and "Waited for nothing" in words and "Last of all for step(1), whose value its submission waited for" in words, words
    b.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
    b.open("hostile.html")
    b.call("Emulation.setEmulatedMedia", media="", features=[])
    b.call("Emulation.setDeviceMetricsOverride", width=500, height=900, deviceScaleFactor=1, mobile=False)
    assert b.run("document.documentElement.scrollWidth <= window.innerWidth"), "a narrow page scrolls sideways"
    b.call("Emulation.clearDeviceMetricsOverride")
    assert any(sys.argv[3] in x for x in b.run("[...document.querySelectorAll('#kernels option')].map(x => x.textContent)")), "the kernel's name"
    if b.complaints(): sys.exit("the browser complains: " + "\n".join(b.complaints()))
finally:
    b.close()
END
python3 look.py "$source_dir/tests/traces" "$browser" "$hostile" || die "in the browser"
echo "the report: all right"
