#!/usr/bin/env bash
# python3 -m tilework: every function of numpy.linalg and scipy.linalg that is patched gives what the original gives, of four types, in every order of its arrays, and is taken.
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
export LD_LIBRARY_PATH=$TILEWORK_BUILD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PYTHONPATH=$work/python TILEWORK_CROSSOVER=0 TILEWORK_NB=16 STARPU_NCPU=1
cat > functions.py <<'P'
import os
import sys
import warnings
import numpy as np
import tilework

rng = np.random.default_rng(3)
tilework.patch(least=20)
try:  # after patch(): taken when it is imported
    import scipy.linalg as sl
except ImportError:
    sl = None


def matrix(m, n, type, order):
    a = rng.standard_normal((m, n)) + (1j * rng.standard_normal((m, n)) if type in "FD" else 0)
    a = np.array(a, dtype=type, order="F" if order == "F" else "C")
    return a[::-1] if order == "reversed" else a


def tolerance(type):
    return 2e-3 if type in "fF" else 1e-10


def same(x, y, what):
    if isinstance(y, (tuple, list)):
        assert type(x) is type(y) and len(x) == len(y), (what, type(x), type(y))
        for i, j in zip(x, y):
            same(i, j, what)
    elif isinstance(y, np.ndarray):
        assert isinstance(x, np.ndarray) and x.dtype == y.dtype and x.shape == y.shape, (what, x.dtype, y.dtype, x.shape, y.shape)
        if y.dtype == bool or np.isnan(y).any():
            assert np.array_equal(np.isnan(x), np.isnan(y)) and np.array_equal(x[~np.isnan(x)], y[~np.isnan(y)]), what
            return
        bound = tolerance(y.dtype.char) * (1 + abs(y).max()) if y.size else 0
        assert y.size == 0 or abs(x - y).max() <= bound, (what, abs(x - y).max())
    elif y is None or isinstance(y, (bool, int)):
        assert x == y, what
    else:
        assert isinstance(x, type(y)) and abs(x - y) <= 2e-3 * abs(y), (what, x, y, type(x), type(y))


def count(name):
    return tilework.report().get(name, (0, 0))[1]


def compare(module, name, *arguments, after=lambda x: x, taken=True, **keywords):
    f, package = getattr(module, name), module.__name__
    kept = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    before = count(f"{package}.{name}")
    x = after(f(*arguments, **keywords))
    assert count(f"{package}.{name}") == before + taken, (package, name, keywords)
    y = after(f.__wrapped__(*arguments, **keywords))
    same(x, y, (package, name, keywords, [(a.shape, a.strides, a.dtype) for a in arguments if isinstance(a, np.ndarray)]))
    for a, b in zip(arguments, kept):
        assert not isinstance(a, np.ndarray) or keywords or np.array_equal(a, b), (name, "an argument changed")
    return x


def product(values, left, right):
    return (left * values) @ right


def back(a, whole):
    """What belongs to the decompositions' results, and does not depend on signs."""
    return lambda r: (r[1], product(r[1], r[0][:, : len(r[1])], r[2][: len(r[1])]).astype(a.dtype), tuple(np.array(x.shape) for x in r))


def pairs(r):
    return (r[0], (r[1] * r[0]) @ r[1].conj().T)


L = np.linalg
for letter in "fdFD":
    for order in ("C", "F", "reversed") if letter == "D" else ("C", "F"):
        n, m = 40, 57
        a, tall, wide = matrix(n, n, letter, order), matrix(m, n, letter, order), matrix(n, m, letter, order)
        a[:] *= 0.2
        a[np.diag_indices(n)] += 2
        h = a + a.conj().T
        p = (a @ a.conj().T + np.eye(n)).astype(letter)
        if order == "F":
            h, p = np.asfortranarray(h), np.asfortranarray(p)
        for b in matrix(n, 5, letter, "C"), matrix(n, 5, letter, "F"), matrix(n, 1, letter, "C"), matrix(n, 3, letter, "F")[:, 1], matrix(n, 7, letter, "C")[:, ::2]:
            compare(L, "solve", a, b)
            compare(L, "lstsq", matrix(m, n, letter, order)[:n] + 5 * np.eye(n, dtype=letter), b, rcond=None)
            if sl:
                compare(sl, "solve", a, b)
                compare(sl, "solve", p, b, assume_a="pos")
                if letter in "fd":
                    compare(sl, "solve", a, b, transposed=True)
                for lower in False, True:
                    compare(sl, "solve", p, b, lower=lower, assume_a="pos")
                    compare(sl, "cho_solve", sl.cho_factor(p, lower=lower), b)
                    for trans in 0, 1, "N", "T":
                        compare(sl, "solve_triangular", a, b, lower=lower, trans=trans)
                for trans in 0, 1:
                    compare(sl, "lu_solve", sl.lu_factor(a), b, trans=trans)
        compare(L, "inv", a)
        compare(L, "det", a)
        compare(L, "slogdet", a)
        compare(L, "cholesky", p)
        compare(L, "eigh", h, after=pairs)
        compare(L, "eigvalsh", h, UPLO="u")
        for x in a, tall, wide:
            for mode in "reduced", "complete", "r":
                compare(L, "qr", x, mode=mode)
            for whole in False, True:
                compare(L, "svd", x, full_matrices=whole, after=back(x, whole))
            compare(L, "svd", x, compute_uv=False)
            y = matrix(len(x), 4, letter, "C")
            compare(L, "lstsq", x, y, rcond=1e-3)
            compare(L, "lstsq", x, y[:, 1], rcond=None)
            before = count("numpy.linalg.svd")
            same(np.linalg.pinv(x) @ x if len(x) > n else x @ np.linalg.pinv(x), np.eye(n, dtype=letter), "pinv")
            assert count("numpy.linalg.svd") == before + 1  # which pinv calls within
            if sl:
                for mode in "full", "r", "economic":
                    compare(sl, "qr", x, mode=mode)
                for driver in "gesdd", "gesvd":
                    compare(sl, "svd", x, full_matrices=False, lapack_driver=driver, after=back(x, False))
                compare(sl, "svd", x, after=back(x, True))
                compare(sl, "lstsq", x, y)
                compare(sl, "lstsq", x, y[:, 0], lapack_driver="gelss")
                compare(sl, "lstsq", x, y, cond=0.5, after=lambda r: r[1:])  # less than the full rank
        if sl:
            compare(sl, "inv", a)
            compare(sl, "det", a)
            compare(sl, "lu_factor", a)
            for lower in False, True:
                compare(sl, "cholesky", p, lower=lower)
                compare(sl, "cho_factor", p, lower=lower, after=lambda r: (np.tril(r[0]) if r[1] else np.triu(r[0]), r[1]))
                for keywords in {}, {"driver": "ev"}, {"subset_by_index": [3, 11]}, {"subset_by_value": [-5, 20]}:
                    compare(sl, "eigh", h, lower=lower, after=pairs, **keywords)
                    compare(sl, "eigh", h, lower=lower, eigvals_only=True, **keywords)
                for keywords in {}, {"type": 2}, {"type": 3}, {"subset_by_index": [0, 9]}:
                    compare(sl, "eigh", h, p, lower=lower, after=pairs, **keywords)
                    compare(sl, "eigh", h, p, lower=lower, eigvals_only=True, **keywords)

# What fails, or warns, is the original's to say, in the same words.
a, singular, nan = matrix(30, 30, "d", "C"), np.ones((30, 30)), np.full((30, 30), np.nan)
cases = [(L, "inv", singular), (L, "det", singular), (L, "slogdet", singular), (L, "solve", singular, a), (L, "cholesky", -a), (L, "eigh", nan), (L, "svd", nan), (L, "qr", a, "nonsense"), (L, "lstsq", a, a[:7])]
single = matrix(30, 30, "f", "C")
cases += [(L, "det", 1e3 * np.eye(30, dtype=t)) for t in "fF"] + [(L, "inv", 1e-39 * np.eye(30, dtype="f")), (L, "solve", 1e-39 * np.eye(30, dtype="f"), single)]
if sl:
    near_singular = np.diag(np.r_[np.ones(29), 1e-17]) + 1e-30
    for name in "inv", "cholesky", "cho_factor", "lu_factor", "svd", "qr", "eigh", "det":
        cases += [(sl, name, nan), (sl, name, a[:25, :25].tolist() + [[1]])]
    cases += [(sl, "inv", near_singular), (sl, "solve", singular, a), (sl, "solve", near_singular, a), (sl, "solve", a, a[:7]), (sl, "cholesky", -np.eye(30)), (sl, "lu_factor", singular), (sl, "eigh", a, -np.eye(30)), (sl, "solve_triangular", singular * 0, a)]
for module, name, *arguments in cases:
    f = getattr(module, name)
    before = count(f"{module.__name__}.{name}")
    said = []
    for g in f, f.__wrapped__:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                g(*arguments)
                said.append([])
            except Exception as e:
                said.append([type(e), str(e)])
            said[-1] += [(w.category, str(w.message)) for w in told]
    assert said[0] == said[1], (name, said)
    if said[0]:
        assert count(f"{module.__name__}.{name}") == before, name
# What may be overwritten is where SciPy leaves its results: arrays in Fortran's order.
if sl:
    for letter in "dD":
        a, b = matrix(30, 30, letter, "F") + 9 * np.eye(30), matrix(30, 3, letter, "F")
        a, h = np.asfortranarray(a), np.asfortranarray(a @ a.conj().T)
        for name, given, where in (
            ("inv", (a,), lambda r: (r,)), ("solve", (a, b), lambda r: (None, r)), ("solve", (a, b[:, 1].copy()), lambda r: (None, r)), ("cholesky", (h,), lambda r: (r,)),
            ("cholesky", (h.T.copy(),), lambda r: (r,)), ("cho_factor", (h,), lambda r: (r[0],)), ("lstsq", (a, b), lambda r: (None, r[0])), ("svd", (a,), lambda r: (None,)), ("qr", (a,), lambda r: (r[1],)),
        ):  # fmt: skip
            own = [x.copy(order="K") for x in given]
            keywords = {"overwrite_a": True} | ({"overwrite_b": True} if len(own) > 1 else {})
            before = count(f"scipy.linalg.{name}")
            f = getattr(sl, name)
            results, plain = f(*own, **keywords), f.__wrapped__(*given)
            assert count(f"scipy.linalg.{name}") == before + 1, name
            for x, y, result in zip(own, given, where(results)):
                assert result is None or np.shares_memory(x, result), (name, "not in its own array")
                assert (name == "lstsq" and result is None) or not np.array_equal(x, y), (name, "not overwritten")
            if name not in ("svd", "cho_factor"):
                same(results, plain, (name, "overwritten"))

# A forked child's are the originals: the library's threads are its parent's.
if hasattr(os, "fork"):
    pid = os.fork()
    if pid == 0:
        before = count("numpy.linalg.inv")
        fine = abs(np.linalg.inv(a) @ a - np.eye(30)).max() < 1e-9 and count("numpy.linalg.inv") == before
        os._exit(0 if fine else 1)
    assert os.waitpid(pid, 0)[1] == 0
# Ours that somebody has imported are the originals' again after unpatch().
kept = np.linalg.inv
tilework.unpatch()
before = count("numpy.linalg.inv")
kept(a)
assert count("numpy.linalg.inv") == before and not hasattr(np.linalg.inv, "__wrapped__") == (not hasattr(kept.__wrapped__, "__wrapped__"))
assert np.linalg.inv is kept.__wrapped__ and (not sl or sl.solve.__module__.startswith("scipy"))
print("right", sorted(k for k, c in tilework.report().items() if c[1]))
P
$python functions.py > out || { cat out; exit 1; }
cat out
grep -q '^right' out

# SciPy since 1.18, as far as it differs, imitated where an older one is here: a keyword that nobody is to give any more, a 0-d array of a boolean, pivots of 64 bits, a condition number that
# inv warns of, residuals that are complex, and NaN where the rank is not full.
cat > since118.py <<'P'
import inspect
import sys
import warnings
import numpy as np
import tilework

try:
    import scipy.linalg as sl
except ImportError:
    print("right (no SciPy)")
    sys.exit()
if not hasattr(sl.cho_factor(np.eye(2))[1], "shape"):
    old = {name: getattr(sl, name) for name in ("qr", "cho_factor", "lu_factor", "inv", "lstsq")}
    no_value = object()

    def qr(a, overwrite_a=False, lwork=no_value, mode="full", pivoting=False, check_finite=True):
        if lwork is not no_value:
            warnings.warn("lwork is not used any more", DeprecationWarning)
        return old["qr"](a, mode=mode, pivoting=pivoting)

    def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
        c, lower = old["cho_factor"](a, lower)
        return c, np.array(lower)

    def lu_factor(a, overwrite_a=False, check_finite=True):
        lu, pivots = old["lu_factor"](a)
        return lu, pivots.astype(np.int64)

    def inv(a, overwrite_a=False, check_finite=True, *, assume_a=None, lower=False):
        if "assume_a" not in inspect.signature(old["inv"]).parameters and np.linalg.cond(a, 1) > 1 / np.finfo(float).eps:
            warnings.warn("ill-conditioned", sl.LinAlgWarning)
        return old["inv"](a)

    def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
        x, left, rank, s = old["lstsq"](a, b, cond, lapack_driver=lapack_driver)
        if len(a) > len(x):
            left = np.array(left if rank == len(x) else np.full(b.shape[1:], np.nan), dtype=x.dtype)
        return x, left, np.int64(rank), s

    lstsq.default_lapack_driver = "gelsd"
    for f in qr, cho_factor, lu_factor, inv, lstsq:
        for module in sys.modules.values():
            if getattr(module, "__name__", "").startswith("scipy.linalg") and module.__dict__.get(f.__name__) is old[f.__name__]:
                setattr(module, f.__name__, f)
tilework.patch(least=20)
rng = np.random.default_rng(5)


def same(x, y):
    if isinstance(y, tuple):
        return len(x) == len(y) and all(same(i, j) for i, j in zip(x, y))
    if y is None or isinstance(y, bool):
        return x is y
    near = np.allclose(x, y, rtol=1e-9, atol=1e-9, equal_nan=True)
    return type(x) is type(y) and x.dtype == y.dtype and np.shape(x) == np.shape(y) and near


def call(taken, name, *arguments, **keywords):
    f, said, results = getattr(sl, name), [], []
    before = tilework.report().get(f"scipy.linalg.{name}", (0, 0))[1]
    for g in f, f.__wrapped__:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            results.append(g(*arguments, **keywords))
        if name == "cho_factor":  # what stands in the other triangle is nobody's business
            results[-1] = (np.tril if results[-1][1] else np.triu)(results[-1][0]), results[-1][1]
        said.append([(w.category, str(w.message)) for w in told])
    assert tilework.report()[f"scipy.linalg.{name}"][1] == before + taken, (name, keywords, "taken" if not taken else "not taken")
    assert said[0] == said[1] and len(said[0]) == (not taken), (name, said)
    assert same(results[0], results[1]), (name, keywords, results)
    return results[0]


for z in 0, 1j:
    a = rng.standard_normal((50, 30)) + z * rng.standard_normal((50, 30))
    square = a[:30] + 9 * np.eye(30)
    for x in a, np.asfortranarray(a), a.T.copy():
        for mode in "full", "r", "economic":
            call(True, "qr", x, mode=mode)
        for b in x[:, :3].copy(), x[:, 0].copy():
            call(True, "lstsq", x, b)
            call(True, "lstsq", x, b, lapack_driver="gelss", cond=1e-9)
    call(False, "qr", a, lwork=-1)
    thin = a.copy()
    thin[:, 29] = thin[:, 28]
    assert np.isnan(call(True, "lstsq", thin, a[:, :3].copy(), cond=1e-9)[1]).all()
    assert np.isnan(call(True, "lstsq", thin, a[:, 1].copy(), cond=1e-9)[1])
    h = square @ square.conj().T
    for lower in False, True:
        factor = call(True, "cho_factor", np.tril(h) + np.tril(h, -1).conj().T, lower=lower)
        call(True, "cho_solve", factor, a[:30, 0].copy())
    call(True, "lu_solve", call(True, "lu_factor", square), a[:30].copy())
    call(True, "inv", square)
    call(False, "inv", np.diag(np.r_[np.ones(29), 1e-17]) + 1e-30)
print("right")
P
$python since118.py

# Matrices of many blocks of rows are copied by several threads: every row once, errors said, the same order of elements as NumPy's copies.
cat > blocks.py <<'P'
import threading
import numpy as np
import tilework
from tilework import _lies

for n, step in (0, 256), (1, 256), (256, 256), (257, 256), (1100, 256), (777, 10):
    rows, threads = np.zeros(n, int), set()

    def visit(begin, end):
        rows[begin:end] += 1
        threads.add(threading.get_ident())

    _lies.in_blocks(n, visit, step)
    assert (rows == 1).all() and len(threads) <= max(1, -(-n // step))


def fails(begin, end):
    if begin == 3 * 256:
        raise MemoryError("planted")


try:
    _lies.in_blocks(3000, fails)
    raise SystemExit("an error in a thread was not said")
except MemoryError:
    pass


def refused(self):
    raise RuntimeError("can't start new thread")


started, threading.Thread.start = threading.Thread.start, refused
rows = np.zeros(2000, int)
_lies.in_blocks(2000, lambda begin, end: np.add(rows[begin:end], 1, out=rows[begin:end]))
threading.Thread.start = started
assert (rows == 1).all()
a = np.random.default_rng(1).standard_normal((1300, 1111))
for x in a, a.T, a[::-1], a[:, ::2], np.asfortranarray(a)[::2], a[:0], a[:, :0]:
    copy, reference = _lies.copied(x)[0], np.array(x, order="K")
    assert (copy == x).all() and copy is not x
    assert (copy.flags.c_contiguous, copy.flags.f_contiguous) == (reference.flags.c_contiguous, reference.flags.f_contiguous)
n = 1100
a = a[:n, :n] @ a[:n, :n].T + n * np.eye(n)
plain, inverse = np.linalg.cholesky(a), np.linalg.inv(a)
tilework.patch(least=1000)
assert abs(np.linalg.cholesky(a) - plain).max() < 1e-9 and abs(np.linalg.inv(a) - inverse).max() < 1e-9
assert tilework.report()["numpy.linalg.cholesky"][1] == 1, tilework.report()
print("right")
P
TILEWORK_NB=256 $python blocks.py
echo passed
