#!/usr/bin/env bash
# The Python extension: with the standard library's arrays, with NumPy's where it is, the example, the stubs.
set -euo pipefail
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
[ -e "$TILEWORK_BUILD/generated/python/tilework/_tilework.abi3.so" ] || { echo "built without Python's headers (package libpython3-dev)"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
export PYTHONPATH=$TILEWORK_BUILD/generated/python PYTHONDONTWRITEBYTECODE=1 LD_LIBRARY_PATH=$TILEWORK_BUILD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
cd "$work"
cat > plain.py <<'P'
"""Without NumPy: the standard library's arrays are vectors."""
import ast, gc, math, os, sys, threading, weakref
from array import array
import tilework as tw

assert tw.DOUBLE == 1 and tw.LOWER == ord("L") and tw.E_IO == -2004 and issubclass(tw.NumericalError, tw.Error)


def raises(kind, text, f, *a, **k):
    try:
        f(*a, **k)
    except kind as e:
        assert text in str(e), (text, str(e))
        return e
    raise AssertionError(f"{f} raised nothing")


# tridiagonal: vectors in place; lengths are checked, types told apart
d, e = array("d", [2.0] * 50), array("d", [-1.0] * 49)
tw.sterf(d, e)
assert abs(d[0] - 0.0037933) < 1e-6, d[0]
raises(ValueError, "e has 48 elements, not 49", tw.sterf, d, e[:48])
raises(TypeError, "of float32", tw.sterf, d, array("f", e))
raises(TypeError, "no array", tw.sterf, d, [1.0] * 49)
raises(TypeError, "lacks its argument e", tw.sterf, d)
raises(TypeError, "has no argument g", tw.sterf, d, e, g=1)
raises(TypeError, "twice", tw.sterf, d, e, d=d)
raises(TypeError, "at most", tw.sterf, d, e, 1)
q, t, c = array("d", [1.0] * 4), array("d", [0.0] * 2), array("d", [1.0] * 4)
raises(TypeError, "unmqr is not for arrays of float64: ormqr is", tw.unmqr, "L", "T", memoryview(q), t, memoryview(c))
for name, says in {"dgesv": "say gesv: the type", "tw_zpotrf": "say potrf: the type", "LAPACKE_dgels": "say gels: the type",
                   "dsgesv": "say gesv_mixed", "TW_LOWER": "say LOWER", "tw_potrf_async": "say potrf_async"}.items():
    raises(AttributeError, says, getattr, tw, name)
assert not hasattr(tw, "sysv") and "say" not in str(raises(AttributeError, "'sysv'", getattr, tw, "sysv"))
raises(TypeError, "array of int64", tw.sterf, array("q", [0] * 50), e)
raises((TypeError, BufferError), "", tw.sterf, memoryview(d).toreadonly(), e)
s, t = array("f", [2.0] * 9), array("f", [-1.0] * 8)
tw.sterf(d=s, e=t)
assert abs(s[0] - 0.0978870) < 1e-5

# of arrays alone both doors' forms can be called, told apart by their arguments
d, e, w, block, split = array("d", [2.0] * 9), array("d", [-1.0] * 8), array("d", [0.0] * 9), array("q", [0] * 9), array("q", [0] * 9)
assert tw.stebz("A", "E", 9, 0, 0, 0, 0, 0, d, e, w, block, split) == (9, 1) and abs(w[0] - 0.0978870) < 1e-6
assert tw.stebz("I", "E", 0, 0, 2, 3, 0, d, e, w, block, split)[0] == 2
raises(TypeError, "at most 12", tw.stebz, "A", "E", 9, 0, 0, 0, 0, 0, d, e, w, block, split, 1)
tw.sterf(9, d, e, w)
assert d[0] == 2 and abs(w[0] - 0.0978870) < 1e-6

# numbers that C fills in are returned; text comes and goes
assert tw.generator_name(0)[0] == "random" and tw.generator_name(100000) == (None, None)
assert tw.strerror(tw.E_MEMORY) and tw.host_memory_limit()[0] > 0
assert any(v.name == "TILEWORK_NB" for v in tw.variables())
assert tw.figure("no such figure")[0] == 0
A = tw.matrix_create(tw.DOUBLE, "L", 60, 60, 16)
assert isinstance(A, tw.Matrix) and A.shape == (60, 60) and A.nb == 16 and tw.matrix_uplo(A) == tw.LOWER
tw.matrix_generate(A, tw.generator_create("spd", tw.DOUBLE, 60, 60))
norm = tw.lansy("M", "L", A)
tw.potrf("l", A)
rcond = tw.pocon("L", A, 60 * norm)
assert 0 < rcond < 1
tw.laset("L", 0, -1, A)
assert raises(tw.NumericalError, "1", tw.potrf, "L", A).info == 1
error = raises(tw.Error, "/nowhere", tw.matrix_load, "/nowhere/a.mtx", tw.DOUBLE, "G")
assert error.code == tw.E_IO and not isinstance(error, tw.NumericalError)
raises(TypeError, "is no tilework.generator", tw.matrix_generate, A, A)
raises(TypeError, "made by functions", tw.generator)
tw.matrix_destroy(A)
raises(ValueError, "was freed", tw.potrf, "L", A)
tw.matrix_destroy(A)

# a matrix over an array: the array stays where it is while the matrix lives
a = array("d", [0.0] * 2500)
A = tw.matrix_wrap(tw.DOUBLE, "G", 50, 50, a, 50, 16)
raises(BufferError, "", a.append, 1.0)
tw.laset("G", 0, 3, A)
A.release()
assert a[0] == a[51] == 3 and a[1] == 0
raises(ValueError, "elements, not", tw.matrix_wrap, tw.DOUBLE, "G", 51, 50, a, 51)
raises(ValueError, "elements, not", tw.matrix_wrap, tw.DOUBLE, "G", 50, 50, a, 2**62)
del A
gc.collect()
a.append(1.0)

# sequences: what is queued is kept; errors come with wait
n = 96
values = [tw.matrix_create(tw.COMPLEX_DOUBLE, "G", n, n, 32) for _ in range(2)]
seq = tw.Sequence()
tw.laset_async("G", 1j, 2, values[0], seq)
tw.lacpy_async("G", values[0], values[1], seq)
largest = array("d", [0.0])
tw.lange_async("M", values[1], largest, seq)
raises(TypeError, "float64", tw.lange_async, "M", values[1], array("f", [0]), seq)
kept = weakref.ref(values[0])
del values
gc.collect()
assert kept() is not None
seq.wait()
gc.collect()
assert largest[0] == 2 and seq.done() and kept() is None
bad = tw.matrix_create(tw.DOUBLE, "L", n, n, 32)
try:
    with tw.Sequence() as other:
        tw.laset_async("L", 0, -1, bad, other)
        tw.potrf_async("L", bad, other)
    raise AssertionError("no exception")
except tw.NumericalError as e:
    assert e.info == 1
try:
    with tw.Sequence() as other:
        tw.potrf_async("L", bad, other)
        raise KeyError("mine")
except KeyError:
    pass

# structures, reports, lists
p = tw.particles()
tw.particles_generate(p, "plummer", 50)
assert p.n == 50 and len(p.x) == 150 and len(p.q) == 50
p.x[0] += 0.0
seen = []
tw.leapfrog(p, {"g": 1.0, "softening": 0.1, "dt": 1e-3}, 2, lambda q, state: seen.append((q.n, len(q.v), state.step, len(state.momentum))))
assert seen == [(50, 150, k, 3) for k in range(3)], seen
raises(tw.NumericalError, "", tw.leapfrog, p, {"g": 1.0, "softening": 0.1, "dt": 1e-3}, 2, lambda q, state: 7)
view = p.x
del p
gc.collect()
assert view[0] == view[0]
pot = array("d", [0.0] * 50)
tw.fmm3d(1e-6, 1, 50, view, array("d", [1.0] * 50), pot, None, 0, None, None, None)
assert pot[0] > 0
raises(ValueError, "pot has", tw.fmm3d, 1e-6, 1, 50, view, array("d", [1.0] * 50), pot[:49], None, 0, None, None, None)
single = array("f", view.tolist())
answer = array("f", [0.0] * 50)
tw.fmm3d(1e-6, 1, 50, single, array("f", [1.0] * 50), answer, None, 0, None, None, None)
assert abs(answer[0] - pot[0]) < 1e-3 * pot[0]
c = tw.cutoff_init(9.0)
assert c.cutoff == 9.0
c.cutoff, c.skin, c.switch_on = 2.5, 0.3, 2.0
atoms = tw.atoms()
tw.atoms_generate(atoms, "argon", 200)
energy = tw.cutoff_forces(c, atoms, array("d", [0.0] * (3 * atoms.n)))
with tw.Sequence() as s:
    later = tw.cutoff_forces_async(c, atoms, None, s)
assert later.vdw == energy.vdw and energy.vdw < 0
r = tw.recorded_example("chain:n=200,t=1e-3")
assert len(tw.recorded_path(r)) == 200 and tw.recorded_kernels(r)[0].tasks == 200
changes, k = [], 0
while (change := tw.recorded_standard_change(r, k)) is not None:
    changes.append(change)
    k += 1
assert len(changes) > 3
assert tw.machine_info().cpu_workers > 0 and len(tw.profile_facts_get().key) == 16
tw.times_start()
tw.lansy("M", "L", bad)
times = tw.times_stop()
assert len(times.device) >= 1 and times.tasks > 0

# functions of Python's on the library's threads: the lock is let go
F, w = tw.matrix_create(tw.DOUBLE, "G", n, n, 32), array("d", [0.0] * n)
tw.laset("L", 0, 3, bad)
tw.syfun(tw.FUNCTION, lambda x: x * x + 1, "L", bad, w, F)
assert abs(tw.lange("M", F) - 10) < 1e-12
assert raises(tw.NumericalError, "", tw.syfun, tw.FUNCTION, lambda x: 1 / 0, "L", bad, w, F).info == 1
mistakes, hook = [], sys.unraisablehook      # what is no arithmetic is told
sys.unraisablehook = lambda what: mistakes.append(what.exc_type)
assert raises(tw.NumericalError, "", tw.syfun, tw.FUNCTION, lambda x: math.log(-1), "L", bad, w, F).info == 1 and not mistakes
assert raises(tw.NumericalError, "", tw.syfun, tw.FUNCTION, lambda x: x.nothing, "L", bad, w, F).info == 1
assert raises(tw.NumericalError, "", tw.syfun, tw.FUNCTION, lambda x: "text", "L", bad, w, F).info == 1
sys.unraisablehook = hook
assert set(mistakes) == {AttributeError, TypeError}, mistakes
S, Z, wi = tw.matrix_create(tw.DOUBLE, "G", 4, 4, 2), tw.matrix_create(tw.DOUBLE, "G", 4, 4, 2), array("d", [0.0] * 4)
tw.matrix_set_lapack(S, array("d", [1.0, 0, 0, 0, 5, -2, 0, 0, 6, 7, 3, 0, 8, 9, 1, -4]), 4)      # a triangle: 1, -2, 3, -4
v = array("d", [0.0] * 4)
assert tw.gees("V", lambda wr, wi: wr < 0, S, v, wi, Z) == 2 and [round(x) for x in v] == [-2, -4, 1, 3], v
sdim, rconde, rcondv = tw.geesx("V", lambda wr, wi: 1 / 0 if wr > 2 else wr > 0, "B", S, v, wi, Z)
assert sdim == 1 and 0 < rconde <= 1 and rcondv > 0 and round(v[0]) == 1
said = []
tw.set_log(lambda level, message: said.append((level, message)))
tw.set_log(None)
finished = []
threads = [threading.Thread(target=lambda: finished.append([tw.sterf(array("d", [2.0] * 50), array("d", [-1.0] * 49)) for _ in range(20)])) for _ in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
assert finished == [[None] * 20] * 4

# what a GPU's array says of itself; there may be no GPU
class OnGpu:
    __cuda_array_interface__ = {"shape": (4, 4), "typestr": "<f8", "data": (4096, False), "strides": (8, 32), "version": 3}

if tw.machine_info().cuda_workers == 0:
    raises(tw.Error, "", tw.Matrix.wrap, OnGpu())
OnGpu.__cuda_array_interface__["strides"] = None
raises(ValueError, "Fortran", tw.Matrix.wrap, OnGpu())
raises(TypeError, "no array", tw.Matrix.wrap, object())

# every name has its stub, and the stubs are Python
stubs = open(os.path.join(os.path.dirname(tw.__file__), "_tilework.pyi")).read()
names = {node.name if hasattr(node, "name") else node.target.id for node in ast.parse(stubs).body if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AnnAssign))}
by_hand = {"set_log", "blas_reexec", "recorded_standard_change", "dlpack"}
missing = {n for n in dir(tw._tilework) if not n.startswith("_")} - names - by_hand
assert not missing, missing
raises(tw.Error, "sequences", tw.finalize)
del seq, other, s
tw.finalize()
print("plain: right", len(names), "names")
P
cat > with_numpy.py <<'P'
"""With NumPy: arrays in Fortran's order, any of four types."""
import sys
import numpy as np
import tilework as tw

rng = np.random.default_rng(1)
n = 70
for t in "fdFD":
    eps = 1e-3 if t in "fF" else 1e-10
    real = np.dtype(t.lower())
    x = rng.standard_normal((n, n)) + (1j * rng.standard_normal((n, n)) if t in "FD" else 0)
    x = np.asfortranarray(x, dtype=t)
    spd = np.asfortranarray(x @ x.conj().T + n * np.eye(n), dtype=t)
    c = np.zeros((n, 5), t, order="F")
    tw.gemm("N", "N", 2, x, x[:, 3:8], 0, c)  # a section whose columns lie in one piece
    assert abs(c - 2 * x @ x[:, 3:8]).max() < eps * n
    big = np.zeros((n + 9, n), t, order="F")
    big[:n] = spd
    tw.potrf("L", big[:n])  # with a leading dimension
    assert abs(np.tril(big[:n]) - np.linalg.cholesky(spd)).max() < eps and (big[n:] == 0).all()
    b, pivots = x[:, 0].copy(), np.zeros(n, np.int64)
    tw.gesv(x.copy(order="F"), pivots, b)  # a vector is a matrix of one column
    assert abs(b - np.eye(n)[0]).max() < eps
    s, u, vt = np.zeros(n, real), np.zeros((n, n), t, order="F"), np.zeros((n, n), t, order="F")
    tw.gesdd("A", x.copy(order="F"), s, u, vt)
    assert abs(u * s @ vt - x).max() < eps * n
    tw.gesdd("N", x.copy(order="F"), s)
    lu, equed = x.copy(order="F"), None
    af, xs, r, cc = np.zeros_like(lu), np.zeros((n, 1), t, order="F"), np.zeros(n, real), np.zeros(n, real)
    rhs = np.asfortranarray(x[:, :1])
    equed, rcond, growth = tw.gesvx("N", "N", lu, af, pivots, equed, r, cc, rhs, xs, np.zeros(1, real), np.zeros(1, real))
    assert equed == "N" and 0 < rcond < 1 and abs(xs[:, 0] - np.eye(n)[0]).max() < eps
    w, z, sup = np.zeros(n, real), np.zeros((n, 3), t, order="F"), np.zeros(2 * n, np.int64)
    f = tw.syevr if t in "fd" else tw.heevr
    found = f("V", "I", "L", spd.copy(order="F"), 0, 0, 2, 4, 0, w, z, sup)
    assert found == 3 and abs(spd @ z - z * w[:3]).max() < eps * n * n
    A = tw.Matrix.wrap(spd.copy(order="F"), "L", nb=32)
    tw.potrf("L", A)
    assert abs(np.tril(A.to(np.zeros((n, n), t, order="F"))) - np.linalg.cholesky(spd)).max() < eps
    B = tw.Matrix.copy_of(big[:n], nb=32)
    assert abs(B.to(np.zeros((n, n), t, order="F")) - big[:n]).max() == 0
    for shape in (5, 0), (0, 5), (0, 0):
        empty = np.zeros(shape, t, order="F")
        assert tw.Matrix.copy_of(empty).shape == shape and tw.Matrix.wrap(empty).shape == shape
        tw.Matrix.copy_of(empty).to(empty)
    section = np.zeros((n + 3, n), t, order="F")
    W = tw.Matrix.wrap(section[:n], nb=16)
    tw.laset("G", 1, 2, W)
    W.release()
    assert section[0, 0] == 2 and section[n - 1, 0] == 1 and (section[n:] == 0).all()

d, e, u, vt = np.full(30, 2.0), np.ones(29), np.zeros((30, 30), order="F"), np.zeros((30, 30), order="F")
tw.bdsdc("U", "I", d, e, u, vt, None, None)
assert abs(u * d @ vt - np.diag(np.full(30, 2.0)) - np.diag(np.ones(29), 1)).max() < 1e-12
d2, q, iq = np.full(30, 2.0), np.zeros(30 * 61), np.zeros(90, np.int64)
tw.bdsdc("U", "P", d2, np.ones(29), None, None, q, iq)
assert abs(d2 - d).max() < 1e-12


def raises(kind, text, f, *a):
    try:
        f(*a)
    except kind as e:
        assert text in str(e), (text, str(e))
        return
    raise AssertionError("nothing was raised")


x = np.asfortranarray(rng.standard_normal((n, n)))
raises(ValueError, "C's order", tw.potrf, "L", x.T)
raises(ValueError, "gaps", tw.potrf, "L", x[::2, ::2])
for order in "CF":  # no rows, no columns, no right-hand sides
    for shape in (5, 0), (0, 5), (0, 0):
        tw.getrf(np.zeros(shape, order=order), np.zeros(0, np.int64))
    tw.gesv(np.eye(5).T, np.zeros(5, np.int64), np.zeros((5, 0), order=order))
    raises(ValueError, "b is 4 x 0, not 5 x 0", tw.gesv, np.eye(5).T, np.zeros(5, np.int64), np.zeros((4, 0), order=order))
raises(ValueError, "backwards", tw.potrf, "L", x[:, ::-1])
raises(ValueError, "is 69 x 70, not 70 x 70", tw.potrf, "L", x[1:])
raises(ValueError, "b is", tw.gemm, "N", "N", 1, x, x[1:], 0, x.copy(order="F"))
raises(TypeError, "of float32 (f), not of float64", tw.gemm, "N", "N", 1, x, x.astype("f"), 0, x.copy(order="F"))
raises(TypeError, "u is missing", tw.gesdd, "A", x, np.zeros(n))
raises(TypeError, "int32", tw.getrf, x, np.zeros(n, np.int32))
raises(TypeError, "not for arrays", tw.hemm, "L", "L", 1, x, x, 0, x)
raises((ValueError, BufferError), "", tw.potrf, "L", np.broadcast_to(np.zeros(3), (3, 3)))
x.flags.writeable = False
raises((ValueError, BufferError), "", tw.potrf, "L", x)
raises(TypeError, "no array", tw.potrf, "L", x.tolist())


class Lent:  # DLPack alone
    def __init__(self, a):
        self.a = a

    def __dlpack__(self, **k):
        return self.a.__dlpack__()


if hasattr(np.zeros(1), "__dlpack__"):
    base = np.zeros((40, 40), order="F")
    D = tw.Matrix.wrap(Lent(base))
    tw.laset("G", 0, 5, D)
    D.release()
    assert base[7, 7] == 5 and base[7, 8] == 0
tw.finalize()
print("numbers: right")
# None only where an array may be left out; what is written shares no element with another argument; masks are not passed over
raises(TypeError, "a is missing", tw.potrf, "L", None)
raises(TypeError, "is missing", tw.gemm, "N", "N", 1.0, None, None, 0.0, None)
one = np.asfortranarray(np.eye(6))
raises(ValueError, "c, which is written, and a overlap", tw.gemm, "N", "N", 1.0, one, np.asfortranarray(np.eye(6)), 0.0, one)
raises(ValueError, "overlap", tw.gesv, one, np.zeros(6, np.int64), one)
raises(ValueError, "overlap", tw.gemm, "N", "N", 1.0, one[:3, :3], one[3:, 3:], 0.0, one[2:5, 2:5])
tw.gemm("N", "N", 1.0, one[:3, :3], one[:3, :3], 0.0, one[3:, :3])      # blocks side by side, read twice
tw.gemm("N", "N", 1.0, one[:3, :3], one[3:, :3], 1.0, one[3:, 3:])
assert (one[3:, :3] == np.eye(3)).all() and (one[3:, 3:] == 2 * np.eye(3)).all()
raises(TypeError, "masked array", tw.potrf, "L", np.ma.masked_array(one, mask=False))
# arrays that a job asks for, too; those that it does not look at may be anything
unit, few, both = np.asfortranarray(np.eye(6)), np.zeros(6), np.zeros((6, 6), order="F")
raises(ValueError, "u, which is written, and vt overlap", tw.gesdd, "A", unit, few, both, both)
raises(ValueError, "a, which is written, and vt overlap", tw.gesdd, "A", unit, few, both, unit)
tw.gesdd("N", unit, few, both, both)
# two matrices over one array
whole = np.asfortranarray(np.eye(8))
A, same, B = tw.Matrix.wrap(whole), tw.Matrix.wrap(whole), tw.Matrix.wrap(np.asfortranarray(np.eye(8)))
raises(tw.Error, "also an input", tw.gemm, "N", "N", 1, B, same, 0, A)
raises(tw.Error, "A itself", tw.gesv, A, tw.matrix_create(tw.INT32, "G", 8, 1, A.nb), same)
upper, lower = tw.Matrix.wrap(whole[:4, 4:]), tw.Matrix.wrap(whole[4:, :4])      # blocks that lie in each other's gaps
left, right = tw.Matrix.wrap(whole[:4, :4]), tw.Matrix.wrap(whole[3:7, 4:])
tw.gemm("N", "N", 2, left, left, 0, upper)
tw.gemm("N", "N", 1, left, upper, 0, lower)
raises(tw.Error, "also an input", tw.gemm, "N", "N", 1, left, right, 0, upper)
triangle = tw.Matrix.wrap(whole, "L")
raises(tw.Error, "A itself", tw.trsm, "L", "L", "N", "N", 1, triangle, same)
tw.trsm("L", "L", "N", "N", 1, tw.Matrix.wrap(whole[:4, :4], "L"), upper)
tw.release_to_host(lower)
tw.release_to_host(upper)
assert (whole[:4, 4:] == 2 * np.eye(4)).all() and (whole[4:, :4] == 2 * np.eye(4)).all()
del A, same, B, upper, lower, left, right, triangle
# what is wrong is said with the reason
square = np.asfortranarray(np.eye(5))
raises(TypeError, "byte order", tw.potrf, "L", square.astype(">f8"))
raises(TypeError, "not of float32, float64, complex64 or complex128", tw.potrf, "L", square.astype(int))
raises(TypeError, "another type (O), not of float32", tw.potrf, "L", square.astype(object))
raises(TypeError, "of float32 (f), not of float64, which the call's others ask for", tw.posv, "L", square.astype("f"), np.ones(5))
raises(TypeError, "bytes are text", tw.potrf, "L", b"abc")
raises(TypeError, "LAPACK's letters", tw.potrf, "Lower", square)
raises(TypeError, "LAPACK's letters", tw.potrf, 7, square)
tw.potrf(tw.LOWER, square)
raises(ValueError, "ipiv has 1000000000000", tw.getrs, "N", square, np.full(5, 10**12), np.ones(5))
raises(ValueError, "ipiv has 0", tw.getri, square, np.zeros(5, np.int64))
raises(TypeError, "no array", np.asarray, tw.Matrix.wrap(square))
import copy, pickle
raises(TypeError, "neither copied nor pickled", copy.deepcopy, tw.Matrix.wrap(square))
raises(TypeError, "neither copied nor pickled", pickle.dumps, tw.Matrix.wrap(square))
assert "-> tuple[str, float, float]: equed, rcond, " in tw.gesvx.__doc__, tw.gesvx.__doc__
assert tw.__version__.count(".") == 2 and not {"matrix", "sequence"} & set(dir(tw))
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    interpreters = None
if interpreters is not None:
    other = interpreters.create()
    try:
        interpreters.run_string(other, "try:\n    import tilework\nexcept ImportError as e:\n    assert 'first interpreter' in str(e), e\nelse:\n    raise SystemError('imported')")
    finally:
        interpreters.destroy(other)
values, vectors = np.zeros(6), np.zeros((6, 6), order="F")
tw.syevr("N", "A", "L", np.asfortranarray(np.eye(6)), 0, 0, 0, 0, 0, values, None, np.zeros(12, np.int64))
P
ran=0 numbers=0
for p in python3 /usr/bin/python3; do
  command -v $p > /dev/null && $p -c 'import sys; sys.exit(sys.version_info < (3, 11))' || continue
  TILEWORK_CROSSOVER=0 TILEWORK_NB=32 $p plain.py
  ran=1
  if $p -c 'import numpy' 2> /dev/null && [ $numbers = 0 ]; then
    numbers=1
    TILEWORK_CROSSOVER=0 TILEWORK_NB=32 $p with_numpy.py
    $p "$TILEWORK_SOURCE/examples/python/tides.py"
  fi
done
[ $ran = 1 ] || { echo "no Python of 3.11 or newer here"; exit 77; }
[ $numbers = 1 ] || echo "no NumPy here (package python3-numpy): its arrays were not tested"
echo passed
