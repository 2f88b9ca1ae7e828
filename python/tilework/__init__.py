"""Tilework from Python: numerical algorithms as task graphs on CPUs and GPUs.

    import tilework
    tilework.potrf("L", a)                    # LAPACK's routines on arrays in Fortran's order, in place, for any of four types
    tilework.potrf("L", tilework.Matrix.wrap(a))
    with tilework.Sequence() as s:            # routines that overlap: one graph
        tilework.potrf_async("L", A, s)
        tilework.potrs_async("L", A, B, s)

    tilework.patch()                          # unchanged programs: numpy.linalg's and scipy.linalg's functions on large arrays

Every function tw_NAME of the C headers is tilework.NAME, constants TW_NAME are tilework.NAME: docs/python.md.
"""

from __future__ import annotations

__all__ = ["patch", "unpatch", "report"]

import sys as _sys

if _sys.argv[:1] == ["-m"]:  # python3 -m tilework: NumPy's LAPACK is to find NumPy's xerbla, so that errors are said as without us
    try:
        import numpy.linalg as _before_us  # noqa: F401
    except ImportError:
        pass

try:
    from . import _tilework
except ImportError as problem:  # built without Python's headers: the patches, on ctypes, are all there is
    _tilework = None
    _why = str(problem)

if _tilework is not None:
    from ._tilework import *  # noqa: F403
    from ._tilework import __version__
    from ._objects import Matrix, Sequence

    del matrix, sequence  # noqa: F821  Matrix and Sequence are what people look for

    __all__ += ["Matrix", "Sequence", *(name for name in dir(_tilework) if not name.startswith("_") and name not in ("matrix", "sequence"))]


def patch(least: int | None = None) -> None:
    """numpy.linalg's and scipy.linalg's functions become Tilework's from order `least` (1000) on."""
    from . import _patch

    _patch.patch(least)


def unpatch() -> None:
    """The original functions again."""
    from . import _patch

    _patch.unpatch()


def report() -> dict[str, tuple[int, int, float]]:
    """What was called since the program began: {name: (calls, taken, seconds)}."""
    from . import _patch

    return _patch.report()


def _meant(name):
    """The function or constant that another language's name stands for here, with what is to be said of it; None."""
    bare = name
    for prefix in ("tw_LAPACKE_", "LAPACKE_", "tw_", "TW_"):
        bare = bare.removeprefix(prefix)
    mixed = {"dsgesv": "gesv_mixed", "zcgesv": "gesv_mixed", "dsposv": "posv_mixed", "zcposv": "posv_mixed"}
    if bare in mixed:
        return f"{mixed[bare]}: the type is the arrays'"
    if bare != name and bare in __all__:
        return bare
    return f"{bare[1:]}: the type is the arrays'" if bare[:1] in "sdcz" and bare[1:] in __all__ else None


def __getattr__(name):
    if _tilework is None:
        raise AttributeError(f"tilework has no {name}: its extension is not there ({_why})")
    meant = None if name.startswith("__") else _meant(name)
    raise AttributeError(f"module 'tilework' has no attribute {name!r}" + (f"; say {meant}" if meant else ""))
