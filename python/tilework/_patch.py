"""NumPy programs as they are, with large problems of numpy.linalg computed by Tilework on the arrays as they lie: tilework.patch(), or, without a change of
the program, python3 -m tilework program.py. What is small, batched, or not of double precision goes to NumPy's
own functions, and so does what fails, so that exceptions are NumPy's. On ctypes: docs/python.md.
"""

import ctypes
import functools
import glob
import os
import threading
import time
from ctypes import c_char, c_double, c_int64, c_void_p

import numpy as np

_LETTER = {np.dtype(np.float64): "d", np.dtype(np.complex128): "z"}
_pair = type(np.linalg.eigh(np.eye(2)))  # a tuple, or NumPy 2's named one
_originals = {}
_counts = {}
_lock = threading.Lock()
_least = 1000  # orders below are NumPy's


def _find():
    """The library: where the loader looks, else in the tree that this file was installed to."""
    name = "libtilework.so.0"
    here = os.path.dirname(os.path.realpath(__file__))
    prefix = os.path.join(here, "..", "..", "..", "..")
    places = [name, *(os.path.join(prefix, d, name) for d in ("lib", "lib64"))]
    places += glob.glob(os.path.join(prefix, "lib", "*", name))
    problem = None
    for place in places:
        try:
            return ctypes.CDLL(place)
        except OSError as e:
            problem = problem or e
    raise problem


@functools.lru_cache(maxsize=None)
def _library():
    library = _find()
    library.tw_blas_advice.restype = ctypes.c_char_p
    I, P, C = c_int64, c_void_p, c_char
    for letter in "dz":
        scalar = [c_double] if letter == "d" else [c_double, c_double]  # a complex number by value is passed as two
        for routine, types in {
            "potrf": [C, I, P, I],
            "getrf": [I, I, P, I, P],
            "getrs": [C, I, I, P, I, P, P, I],
            "getri": [I, P, I, P],
            "trsm": [C, C, C, C, I, I, *scalar, P, I, P, I],
            "syevd" if letter == "d" else "heevd": [C, C, I, P, I, P],
        }.items():
            f = getattr(library, f"tw_{letter}{routine}")
            f.restype, f.argtypes = I, types
    return library


def _routine(letter, name):
    return getattr(_library(), f"tw_{letter}{name}")


class _Left(Exception):
    """NumPy's own function has to do it."""


def _square(a):
    """The letter and the order of a matrix that is ours to take."""
    if type(a) is not np.ndarray or a.ndim != 2 or a.shape[0] != a.shape[1] or a.dtype not in _LETTER or a.shape[0] < _least:
        raise _Left
    return _LETTER[a.dtype], a.shape[0]


def _ran(info):
    if info != 0:
        raise _Left


# Arrays in C order are the transposes of what LAPACK sees: the lower triangle is its upper one, and the factor comes out in its place.


def _cholesky(a):
    letter, n = _square(a)
    factor = np.zeros((n, n), a.dtype)
    step = 256
    for i in range(0, n, step):
        end = min(i + step, n)
        factor[i:end, :i] = a[i:end, :i]
        factor[i:end, i:end] = np.tril(a[i:end, i:end])
    _ran(_routine(letter, "potrf")(b"U", n, factor.ctypes.data, n))
    return factor


def _factored(a):
    letter, n = _square(a)
    lu = np.array(a, order="C")
    pivots = np.empty(n, np.int64)
    _ran(_routine(letter, "getrf")(n, n, lu.ctypes.data, n, pivots.ctypes.data))
    return letter, n, lu, pivots


def _solve(a, b):
    """A' = P' L U is factored, A' being what LAPACK sees. One right-hand side is solved with its transpose; many, which lie as rows, from the right: Z L U = B', X' = Z P."""
    if type(b) is not np.ndarray or b.dtype != a.dtype or b.ndim not in (1, 2) or b.shape[0] != a.shape[0]:
        raise _Left
    _square(a)
    letter, n, lu, pivots = _factored(a)
    x = np.array(b, order="C")
    if b.ndim == 1:
        _ran(_routine(letter, "getrs")(b"T", n, 1, lu.ctypes.data, n, pivots.ctypes.data, x.ctypes.data, n))
        return x
    m = b.shape[1]
    if m == 0:
        raise _Left
    one = (1.0,) if letter == "d" else (1.0, 0.0)
    trsm = _routine(letter, "trsm")
    _ran(trsm(b"R", b"U", b"N", b"N", m, n, *one, lu.ctypes.data, n, x.ctypes.data, m))
    _ran(trsm(b"R", b"L", b"N", b"U", m, n, *one, lu.ctypes.data, n, x.ctypes.data, m))
    order = list(range(n))
    for i in range(n - 1, -1, -1):
        j = int(pivots[i]) - 1
        order[i], order[j] = order[j], order[i]
    return x[order]


def _inv(a):
    letter, n, lu, pivots = _factored(a)
    _ran(_routine(letter, "getri")(n, lu.ctypes.data, n, pivots.ctypes.data))
    return lu


def _eigen(a, uplo, job):
    letter, n = _square(a)
    uplo = uplo.upper()
    if uplo not in ("L", "U"):
        raise _Left
    vectors = np.array(a, order="C")
    values = np.empty(n)
    routine = _routine(letter, "syevd" if letter == "d" else "heevd")
    _ran(routine(job, b"U" if uplo == "L" else b"L", n, vectors.ctypes.data, n, values.ctypes.data))
    return values, vectors


def _eigvalsh(a, UPLO="L"):
    return _eigen(a, UPLO, b"N")[0]


def _eigh(a, UPLO="L"):
    values, vectors = _eigen(a, UPLO, b"V")
    vectors = np.conj(vectors, out=vectors) if vectors.dtype.kind == "c" else vectors
    vectors = vectors.T  # columns, as LAPACK leaves them: in Fortran's order
    return (values, vectors) if _pair is tuple else _pair(values, vectors)


_ours = {"cholesky": _cholesky, "solve": _solve, "inv": _inv, "eigh": _eigh, "eigvalsh": _eigvalsh}


def _patched(name, ours, original):
    @functools.wraps(original)
    def call(*args, **keywords):
        begin = time.perf_counter()
        try:
            result = ours(*args, **keywords)
            taken = True
        except (_Left, TypeError, AttributeError, MemoryError):
            result, taken = None, False
        if not taken:
            result = original(*args, **keywords)
        with _lock:
            count = _counts.setdefault(name, [0, 0, 0.0])
            count[0] += 1
            count[1] += taken
            count[2] += time.perf_counter() - begin
        return result

    call._tilework = True
    return call


def patch(least=None):
    """numpy.linalg's functions become Tilework's from order `least` (1000) on."""
    global _least
    if least is not None:
        _least = int(least)
    _library()
    with _lock:
        if _originals:
            return
        for name, ours in _ours.items():
            _originals[name] = getattr(np.linalg, name)
            setattr(np.linalg, name, _patched(name, ours, _originals[name]))


def unpatch():
    """NumPy's own functions again."""
    with _lock:
        for name, original in _originals.items():
            setattr(np.linalg, name, original)
        _originals.clear()


def report():
    """What was called since the program began: {name: (calls, taken, seconds)}."""
    with _lock:
        return {name: tuple(count) for name, count in _counts.items()}
