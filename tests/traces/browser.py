"""A report in Chromium, without a display, driven over a pipe (the DevTools protocol): evaluates expressions in the page, times frames, and collects
messages and requests. python3 browser.py PAGE.html FILE.js: runs the file's functions in the page; prints what they return as JSON."""
import json, os, shutil, subprocess, sys, tempfile, time

class Browser:
    def __init__(self, program, size="1400,900"):
        self.folder = tempfile.mkdtemp()
        to_read, self.to = os.pipe()
        self.back, to_write = os.pipe()
        def wire():  # the browser's descriptors 3 and 4
            a, b = os.dup(to_read), os.dup(to_write)
            os.dup2(a, 3), os.dup2(b, 4)
        self.process = subprocess.Popen([program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions", "--disable-background-networking",
            "--user-data-dir=" + self.folder, "--window-size=" + size, "--remote-debugging-pipe", "about:blank"], preexec_fn=wire, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read), os.close(to_write)
        self.number, self.rest, self.session, self.events = 0, b"", None, []
        target = self.call("Target.getTargets")["targetInfos"]
        page = [t for t in target if t["type"] == "page"][0]["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Performance"): self.call(domain + ".enable")

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.back, 1 << 20)
            if not more: raise RuntimeError("the browser ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        ask = {"id": self.number, "method": method, "params": params}
        if self.session: ask["sessionId"] = self.session
        os.write(self.to, json.dumps(ask).encode() + b"\0")
        while True:
            m = self.message()
            if m.get("id") == self.number:
                if "error" in m: raise RuntimeError(method + ": " + m["error"]["message"])
                return m["result"]
            self.events.append(m)

    def open(self, path):
        begin, seen = time.time(), len(self.events)
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events[seen:]):
            self.events.append(self.message())
        return time.time() - begin

    def run(self, expression):
        r = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in r: raise RuntimeError(json.dumps(r["exceptionDetails"])[:2000])
        return r["result"].get("value")

    def key(self, key):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **({"text": key} if len(key) == 1 else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def complaints(self):
        """Console messages, exceptions, and requests for anything but the page."""
        out = []
        for e in self.events:
            p = e.get("params", {})
            if e.get("method") in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"): out.append(json.dumps(p)[:500])
            if e.get("method") == "Network.requestWillBeSent" and p.get("type") != "Document": out.append("request: " + p["request"]["url"][:200])
        return out

    def close(self):
        try: self.call("Browser.close")
        except (RuntimeError, OSError): pass
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)
