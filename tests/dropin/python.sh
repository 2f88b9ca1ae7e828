#!/usr/bin/env bash
# python3 -m tilework, tilework.patch(): NumPy's results and exceptions, with problems of some order on computed by Tilework on the arrays as they lie.
set -euo pipefail
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
[ -e "$TILEWORK_BUILD/lib/libtilework_lapack.so" ] || { echo "skipped: no libtilework_lapack.so"; exit 77; }
python=
for p in python3 /usr/bin/python3; do
  if [ -z "$python" ] && command -v $p > /dev/null && $p -c 'import numpy, sys; sys.exit(sys.version_info < (3, 10))' 2> /dev/null; then python=$p; fi
done
[ -n "$python" ] || { echo "no Python with NumPy here (package python3-numpy)"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cp -r "$TILEWORK_SOURCE/python" "$work/python"      # no __pycache__ in the sources
cd "$work"
export LD_LIBRARY_PATH=$TILEWORK_BUILD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PYTHONPATH=$work/python TILEWORK_CROSSOVER=0 TILEWORK_NB=32
cat > program.py <<'P'
import sys
import warnings
import numpy as np
import tilework

original = {f: getattr(np.linalg, f) for f in ("cholesky", "solve", "inv", "eigh", "eigvalsh")}
rng = np.random.default_rng(1)
tilework.patch(least=60)
tilework.patch()


def matrix(n, type, order="C"):
    a = rng.standard_normal((n, n)) + (1j * rng.standard_normal((n, n)) if type == "D" else 0)
    return np.array(a, dtype=type, order=order)


def near(x, y):
    assert x.dtype == y.dtype and x.shape == y.shape
    assert abs(x - y).max() <= 1e-9 * (1 + abs(y).max()), abs(x - y).max()


def taken():
    return sum(c[1] for c in tilework.report().values())


wanted = 0
for n in 59, 60, 131:
    for letter in "d", "D":
        for order in "C", "F":
            a = matrix(n, letter, order)
            s = a @ a.conj().T + n * np.eye(n)
            kept, s[np.triu_indices(n, 1)] = s.copy(), np.nan  # the upper triangle is not read
            near(np.linalg.cholesky(s), original["cholesky"](s))
            s = kept
            a0, b, c = a.copy(), matrix(n, letter)[:, :7], matrix(n, letter)[1, :].copy()
            near(np.linalg.solve(a, b), original["solve"](a, b))
            near(np.linalg.solve(a, b.copy()), original["solve"](a, b))
            near(np.linalg.solve(a.T, c), original["solve"](a.T, c))
            near(np.linalg.inv(a[::-1]), original["inv"](a[::-1]))
            assert (a == a0).all()
            for uplo in "L", "U", "l":
                w, v = np.linalg.eigh(a, uplo)
                w0, v0 = original["eigh"](a, uplo)
                near(w, w0)
                near(np.linalg.eigvalsh(a, UPLO=uplo), w0)
                h = np.tril(a) if uplo != "U" else np.triu(a)
                h = h + h.conj().T - np.diag(np.diag(h).conj() if letter == "D" else np.diag(h))
                h[np.diag_indices(n)] = np.diag(h).real
                near(h @ v, v * w)
            wanted += 11 if n >= 60 else 0
assert taken() == wanted, (taken(), wanted)

# What is not taken: other types, batches, subclasses, shapes that do not fit; what fails is NumPy's to say.
before = taken()
a = matrix(80, "d")
near(np.linalg.inv((1000 * a).astype(int)), original["inv"]((1000 * a).astype(int)))
near(np.linalg.solve(np.stack([a, a]), np.stack([a, a])), np.stack([np.eye(80)] * 2))
assert isinstance(np.linalg.inv(np.matrix(a)), np.matrix)
near(np.linalg.solve(a, a.astype("D")), np.eye(80).astype("D"))
near(np.linalg.solve(a.tolist(), a), np.eye(80))
for call, *arguments in (
    ("cholesky", -np.eye(80)), ("solve", np.zeros((80, 80)), a), ("inv", np.ones((80, 80))), ("solve", a, a[1:]),
    ("cholesky", a[1:]), ("eigh", a, "X"), ("inv",), ("solve", a, 1, 2),
):
    said = []
    for f in getattr(np.linalg, call), original[call]:
        try:
            f(*arguments)
            said.append("nothing")
        except Exception as e:
            said.append((type(e), str(e).replace("_patched.<locals>.call", "")))
    assert said[0] == said[1] and said[0] != "nothing", (call, said)
infinite = a.copy()
infinite[3, 5] = np.inf
for call, *arguments in ("svd", infinite), ("lstsq", infinite, a, 1e-9), ("lstsq", a, infinite, 1e-9):
    try:
        getattr(np.linalg, call)(*arguments)
    except (ValueError, SystemError, np.linalg.LinAlgError):  # NumPy 1.24 has two at once
        pass
assert taken() == before, tilework.report()
assert np.linalg.cholesky.__doc__ == original["cholesky"].__doc__
kept = np.linalg.eigh  # a call that has begun when another thread unpatches
tilework.unpatch()
near(kept(a)[0], original["eigh"](a)[0])
assert all(getattr(np.linalg, f) is original[f] for f in original)
print("right", *sys.argv[1:])
P
$python program.py > out
grep -qx right out
# As people start programs.
cat > plain.py <<'P'
import sys
import numpy as np

a = np.random.default_rng(2).standard_normal((200, 200))
assert abs(np.linalg.solve(a, a) - np.eye(200)).max() < 1e-9
print(__name__, sys.argv[1:])
P
for how in "plain.py" "-m plain" "-c $(printf 'exec(open("plain.py").read())')"; do
  $python -m tilework --report --min 100 $how one two > out 2> err
  grep -qx "__main__ \['one', 'two'\]" out || { cat out; echo "FAILED: $how"; exit 1; }
  grep -q 'solve: 1 call, 1 taken' err || { cat err; echo "FAILED: $how: report"; exit 1; }
done
$python -m tilework plain.py > out 2> err
[ ! -s err ] || { cat err; echo "FAILED: something was said"; exit 1; }
status=0; $python -m tilework -c 'import sys; sys.exit(7)' || status=$?
[ $status = 7 ]
$python -m tilework -c 'import pickle
def f(): return 7
print(pickle.loads(pickle.dumps(f))())' | grep -qx 7 || { echo "FAILED: what -c defines is not found by name"; exit 1; }
status=0; $python -m tilework --nonsense 2> err || status=$?
[ $status = 2 ] && grep -q usage err
# As Python starts a program: its file's place wherever it goes, no folder but its own to import from, standard input.
mkdir programs; printf 'raise ImportError("from the current folder")\n' > colorsys.py
cat > programs/place.py <<'P'
import os, sys
os.chdir("/")
assert os.path.exists(__file__) and sys.argv[0] == "programs/place.py", (__file__, sys.argv)
import colorsys
P
$python -m tilework programs/place.py 2> err || { cat err; echo "FAILED: a program's place"; exit 1; }
rm colorsys.py
[ "$(echo 'import sys; print(sys.argv)' | $python -m tilework - one)" = "['-', 'one']" ] || { echo "FAILED: standard input"; exit 1; }
# Flags as tilework run has them, one sentence and status 2 for what is wrong.
for how in "--min=100" "--min 1e2" "--min=1e2 --"; do
  $python -m tilework --report $how plain.py > out 2> err
  grep -q 'solve: 1 call, 1 taken' err || { cat err; echo "FAILED: $how"; exit 1; }
done
$python -m tilework -h > out; grep -q usage out; grep -q '^  --min N' out
for how in "--min x plain.py" "--min" "--min -1 plain.py" "-u plain.py" "nothing.py" /proc/self/mem "$TILEWORK_BUILD/bin/tilework" "-c" ""; do
  status=0; $python -m tilework $how > out 2> err || status=$?
  [ $status = 2 ] && ! grep -q Traceback err || { cat err; echo "FAILED: $how: status $status"; exit 1; }
done
# Reports: threads that still run and what happens at the end are in it, and nothing is said to be nothing.
$python -m tilework --report -c 1 2> err; grep -q 'tilework: 0 calls' err
$python -m tilework --report --min 100 -c 'import atexit, threading, time
import numpy as np
a = np.eye(150)
def later():
    time.sleep(0.3)
    np.linalg.inv(a)
threading.Thread(target=later).start()
atexit.register(np.linalg.solve, a, a)' 2> err
grep -q 'inv: 1 call, 1 taken' err && grep -q 'solve: 1 call, 1 taken' err || { cat err; echo "FAILED: a report at the end"; exit 1; }
# Why calls were not taken: small, options, a machine that others fill, where the user has not said from which order on.
mkdir -p root/proc root/dev; echo '99.0 99.0 99.0 99999/99999 4711' > root/proc/loadavg
export TILEWORK_DROPIN_ROOT=$PWD/root
cat > left.py <<'P'
import numpy as np
import tilework
from tilework import _lies

a = np.random.default_rng(3).standard_normal((150, 150))
_lies.least, _lies._slow["lstsq"] = 100, 200  # as 1000 and 2000 are
np.linalg.lstsq(a, a, 1e-9)
np.linalg.eigh(a)
np.linalg.qr(a, "raw")
np.linalg.qr(a)
np.linalg.inv(a[:50, :50])
P
STARPU_NCUDA=0 $python -m tilework --report left.py 2> err
for line in 'lstsq: 1 call, 0 taken (else: no matrix of order 200' 'eigh: 1 call, 0 taken (else: other programs' 'qr: 2 calls, 1 taken (else: other types' 'inv: 1 call, 0 taken (else: no matrix of order 100'; do
  grep -qF "$line" err || { cat err; echo "FAILED: no '$line'"; exit 1; }
done
if grep -q 'no cache folder' err; then cat err; echo "FAILED: a cache folder"; exit 1; fi
echo '0.1 0.1 0.1 1/99 4711' > root/proc/loadavg
STARPU_NCUDA=0 $python -m tilework --report left.py 2> err; grep -q 'eigh: 1 call, 1 taken' err || { cat err; echo "FAILED: eigh on a quiet machine"; exit 1; }
echo '99.0 99.0 99.0 99999/99999 4711' > root/proc/loadavg
$python -m tilework --report --min 100 -c 'import numpy as np; np.linalg.eigh(np.eye(120))' 2> err; grep -q 'eigh: 1 call, 1 taken' err || { cat err; echo "FAILED: --min on a busy machine"; exit 1; }
unset TILEWORK_DROPIN_ROOT
env -u TILEWORK_CACHE_DIR XDG_CACHE_HOME=/proc/nowhere $python -m tilework --report --min 100 -c 'import numpy as np; np.linalg.inv(np.eye(120))' 2> err
grep -q 'no cache folder' err || { cat err; echo "FAILED: no cache folder, and nothing is said of it"; exit 1; }
# Errors are said as without: the program's own frames, NumPy's LAPACK.
printf 'def f():\n    raise KeyError("mine")\nf()\n' > wrong.py
for how in wrong.py "-m wrong" "-c __import__('wrong')"; do
  $python -m tilework $how 2> err || true
  [ "$(grep -c 'File "' err)" -le 3 ] && ! grep -q '__main__.py\|runpy' err && grep -q "KeyError: 'mine'" err || { cat err; echo "FAILED: a traceback: $how"; exit 1; }
done
if $python -c 'import scipy.linalg' 2> /dev/null; then
  cat > said.py <<'P'
import numpy as np
import scipy.linalg

try:
    scipy.linalg.inv(np.empty((0, 0)))
except ValueError as e:
    print(e)
a = np.eye(130)
print([type(scipy.linalg.det(x)).__name__ for x in (a, a + 0j)])
P
  $python said.py > plain
  extension=$TILEWORK_BUILD/generated/python/tilework/_tilework.abi3.so      # which loads the library before the rest, where it is
  if [ -e "$extension" ]; then cp "$extension" python/tilework/; fi
  $python -m tilework --min 100 said.py > out
  cmp plain out || { cat plain out; echo "FAILED: what is said, or det's types"; exit 1; }
fi
# Without NumPy the program runs.
cat > hidden.py <<'P'
import importlib.util, runpy, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "numpy" else find(name, *more)
sys.argv = ["-", "-c", "print(5)"]
runpy.run_module("tilework", run_name="__main__", alter_sys=True)
P
[ "$($python hidden.py 2> err)" = 5 ] && grep -q 'no NumPy' err || { cat err; echo "FAILED: without NumPy"; exit 1; }
echo passed
