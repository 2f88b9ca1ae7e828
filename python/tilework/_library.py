"""libtilework's LAPACK door on ctypes, for the patches of NumPy and SciPy, which need no extension: arrays by their addresses, sizes as 64-bit integers."""

import ctypes
import functools
import glob
import os
import struct
from ctypes import c_char, c_double, c_float, c_int64, c_void_p

import numpy as np

LETTER = {np.dtype(np.float32): "s", np.dtype(np.float64): "d", np.dtype(np.complex64): "c", np.dtype(np.complex128): "z"}
REAL = {"s": np.float32, "d": np.float64, "c": np.float32, "z": np.float64}

# Arguments: letters, integers, arrays, a scalar of the matrix' type by value, a real one by value.
_ROUTINES = {
    "potrf": "c i a i", "potrs": "c i i a i a i", "potri": "c i a i", "pocon": "c i a i r a",
    "getrf": "i i a i a", "getrs": "c i i a i a a i", "getri": "i a i a", "gecon": "c i a i r a",
    "trsm": "c c c c i i s a i a i", "trtrs": "c c c i i a i a i",
    "geqrf": "i i a i a", "gelqf": "i i a i a", "orgqr": "i i i a i a", "orglq": "i i i a i a",
    "gesdd": "c i i a i a a i a i", "gesvd": "c c i i a i a a i a i a", "gelsd": "i i i a i a i a r a", "gelss": "i i i a i a i a r a",
    "syevd": "c c i a i a", "syevr": "c c c i a i r r i i r a a a i a", "sygvd": "i c c i a i a i a", "sygvx": "i c c c i a i a i r r i i r a a a i a",
}  # fmt: skip
_COMPLEX = {"orgqr": "ungqr", "orglq": "unglq", "syevd": "heevd", "syevr": "heevr", "sygvd": "hegvd", "sygvx": "hegvx"}


def _find(name):
    """A library: where the loader looks, else in the tree that this file was installed to, or the bundle that it lies in."""
    here = os.path.dirname(os.path.realpath(__file__))
    prefix = os.path.join(here, "..", "..", "..", "..")
    places = [name, *(os.path.join(prefix, d, name) for d in ("lib", "lib64"))]
    places += glob.glob(os.path.join(prefix, "lib", "*", name))
    places.append(os.path.join(here, "..", "..", "lib", name))
    problem = None
    for place in places:
        try:
            return ctypes.CDLL(place)
        except OSError as e:
            problem = problem or e
    raise problem


@functools.lru_cache(maxsize=None)
def library():
    found = _find("libtilework.so.0")
    found.tw_blas_advice.restype = ctypes.c_char_p
    found.tw_be_guest()  # in a program that does not know Tilework: half of the GPUs' memory stays its own, what is kept is given back when idle
    return found


@functools.lru_cache(maxsize=None)
def _function(letter, name):
    """A complex double by value is passed as two doubles, a complex float as one double with both parts' bits."""
    kinds = _ROUTINES[name]
    if letter in "cz":
        name = _COMPLEX.get(name, name)
    real = c_float if letter in "sc" else c_double
    types = {"c": [c_char], "i": [c_int64], "a": [c_void_p], "r": [real]}
    types["s"] = {"s": [c_float], "d": [c_double], "c": [c_double], "z": [c_double, c_double]}[letter]
    f = getattr(library(), f"tw_{letter}{name}")
    f.restype, f.argtypes = c_int64, [t for kind in kinds.split() for t in types[kind]]
    return f


def one(letter):
    """The number 1 of a type, by value."""
    return {"s": (1.0,), "d": (1.0,), "c": struct.unpack("d", struct.pack("ff", 1, 0)), "z": (1.0, 0.0)}[letter]


def call(letter, name, *arguments):
    """info. Arrays are given as arrays, letters as text."""
    given = []
    for x in arguments:
        given.append(x.ctypes.data if isinstance(x, np.ndarray) else x.encode() if isinstance(x, str) else x)
    return _function(letter, name)(*given)
