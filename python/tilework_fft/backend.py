"""A backend for scipy.fft: scipy.fft.set_backend(tilework_fft.backend), or install() for the whole program. Large transforms of arrays of single and double precision are Tilework's,
whatever their strides; all others (small, padded or cut, other types, real input of fft, Hermitian, orthogonalised cosine transforms, more than three axes) are the next backend's, which is SciPy's own."""

from __future__ import annotations

import functools
import os
import threading
import time

import numpy as np

from ._plan import Error, Plan, library

__ua_domain__ = "numpy.scipy.fft"
least = 1 << 21  # points in all
_counts = {}
_lock = threading.Lock()
_state = {"started": False, "forked": False}


def _after_fork():  # the runtime's threads are the parent's
    _state["forked"] = _state["started"]


os.register_at_fork(after_in_child=_after_fork)


class _Left(Exception):
    pass


@functools.lru_cache(maxsize=32)
def _plan(kind, shape, axes, letter, sign, r2r, norm, strides):
    return Plan(kind, shape, axes, letter, sign, r2r, norm, "estimate", strides)  # nobody who calls scipy.fft waits for measurements


def _norm(norm, forward):
    if norm not in (None, "backward", "ortho", "forward"):
        raise _Left
    if norm == "ortho":
        return "ortho"
    return "by_n" if (norm == "forward") == forward else "unscaled"


def _axes(x, s, axes, count):
    """Those of an n-dimensional transform, without cutting or padding."""
    if axes is None:
        axes = range(0 if s is None else x.ndim - len(np.atleast_1d(s)), x.ndim)
    axes = tuple(int(a) for a in np.atleast_1d(axes))
    axes = tuple(a + x.ndim if a < 0 else a for a in axes)
    if not 1 <= len(axes) <= 3 or len(set(axes)) != len(axes) or not all(0 <= a < x.ndim for a in axes) or x.ndim - len(axes) > 3 or (count and len(axes) != count):
        raise _Left
    return axes


def _run(kind, x, s, axes, norm, sign=-1, r2r=None, forward=None):
    letters = "FD" if kind in ("C2C", "C2R") else "fd"
    if type(x) is not np.ndarray or x.dtype.char not in letters or not x.dtype.isnative or x.size < max(1, least) or _state["forked"]:
        raise _Left
    forward = sign < 0 if forward is None else forward
    shape = list(x.shape)
    if kind == "C2R":
        last = axes[-1]
        shape[last] = 2 * (x.shape[last] - 1) if s is None else int(s[-1])
        if shape[last] < 1 or shape[last] // 2 + 1 != x.shape[last]:
            raise _Left
    if s is not None and tuple(int(n) for n in s) != tuple(shape[a] for a in axes):
        raise _Left
    if kind == "C2R" and len(axes) > 1:
        x = x.copy()  # overwritten
    if any(stride <= 0 or stride % x.itemsize for stride in x.strides) or not x.flags.aligned:
        x = np.ascontiguousarray(x)
    try:
        _state["started"] = True
        return _plan(kind, tuple(shape), axes, x.dtype.char, sign, r2r, _norm(norm, forward), x.strides)(x)
    except Error as problem:
        raise _Left from problem


def _one(kind, sign):
    def call(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
        if plan is not None or not isinstance(x, np.ndarray):
            raise _Left
        return _run(kind, x, None if n is None else (n,), _axes(x, None, axis, 1), norm, sign)

    return call


def _many(kind, sign, count=None):
    def call(x, s=None, axes=(-2, -1) if count else None, norm=None, overwrite_x=False, workers=None, *, plan=None):
        if plan is not None or not isinstance(x, np.ndarray):
            raise _Left
        return _run(kind, x, None if s is None else tuple(np.atleast_1d(s)), _axes(x, s, axes, count), norm, sign)

    return call


def _real(name, inverse, many):
    def call(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
        if not isinstance(x, np.ndarray) or type not in (1, 2, 3, 4) or ((norm == "ortho" if orthogonalize is None else orthogonalize) and type != 4):
            raise _Left
        axes = _axes(x, s, axes, None if many else 1)
        if s is not None:
            s = tuple(np.atleast_1d(s))
        number = {2: 3, 3: 2}.get(type, type) if inverse else type
        if type == 1 and name == "DCT" and min(x.shape[a] for a in axes) < 2:
            raise _Left
        return _run("R2R", x, s, axes, norm, r2r=f"{name}{number}", forward=not inverse)

    if many:
        return call

    def one(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
        return call(x, type, None if n is None else (n,), (axis,), norm, overwrite_x, workers, orthogonalize)

    return one


_functions = {
    "fft": _one("C2C", -1), "ifft": _one("C2C", 1), "rfft": _one("R2C", -1), "irfft": _one("C2R", 1),
    "fft2": _many("C2C", -1, 2), "ifft2": _many("C2C", 1, 2), "rfft2": _many("R2C", -1, 2), "irfft2": _many("C2R", 1, 2),
    "fftn": _many("C2C", -1), "ifftn": _many("C2C", 1), "rfftn": _many("R2C", -1), "irfftn": _many("C2R", 1),
    "dct": _real("DCT", False, False), "idct": _real("DCT", True, False), "dst": _real("DST", False, False), "idst": _real("DST", True, False),
    "dctn": _real("DCT", False, True), "idctn": _real("DCT", True, True), "dstn": _real("DST", False, True), "idstn": _real("DST", True, True),
}  # fmt: skip


def __ua_function__(method, arguments, keywords):
    ours = _functions.get(method.__name__)
    begin, result = time.perf_counter(), NotImplemented
    if ours is not None:
        try:
            result = ours(*arguments, **keywords)
        except (_Left, TypeError, ValueError, MemoryError, OverflowError):
            pass  # what is wrong is SciPy's to say
    with _lock:
        count = _counts.setdefault(method.__name__, [0, 0, 0.0])
        count[0] += 1
        if result is not NotImplemented:
            count[1] += 1
            count[2] += time.perf_counter() - begin
    return result


def report() -> dict[str, tuple[int, int, float]]:
    """What was called since the program began: {name: (calls, taken, seconds of these)}."""
    with _lock:
        return {f"scipy.fft.{name}": tuple(count) for name, count in _counts.items()}


def install(points: int | None = None) -> None:
    """For all of scipy.fft from `points` (2^21) in all on."""
    global least
    import sys

    import scipy.fft

    if points is not None:
        least = int(points)
    scipy.fft.register_backend("scipy")  # what is left goes there
    scipy.fft.set_global_backend(sys.modules[__name__])


def uninstall() -> None:
    import scipy.fft

    scipy.fft.set_global_backend("scipy")
