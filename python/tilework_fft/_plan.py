"""libtilework_fft on ctypes: plans, filters and convolutions of NumPy's arrays, whatever their strides."""

from __future__ import annotations

import ctypes
import functools
import glob
import os
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p

import numpy as np

KINDS = {"C2C": 0, "R2C": 1, "C2R": 2, "R2R": 3}
R2R = {"DCT1": 0, "DCT2": 1, "DCT3": 2, "DCT4": 3, "DST1": 4, "DST2": 5, "DST3": 6, "DST4": 7, "DHT": 8}
NORMS = {"unscaled": 0, "by_n": 1, "ortho": 2}
RIGORS = {"estimate": 0, "measure": 1, "patient": 2}
_types = {"f": 0, "d": 1, "F": 0, "D": 1}  # enum tw_type's precision


class Error(RuntimeError):
    """A status that is not 0: its code, and what the library says."""

    def __init__(self, code: int, text: str):
        super().__init__(text)
        self.code = code


class _Dim(ctypes.Structure):
    _fields_ = [("n", c_int64), ("is_", c_int64), ("os", c_int64)]


class _Options(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("norm", c_int), ("rigor", c_int), ("time_limit", c_double), ("path", c_int), ("r2r", c_int * 3)]


class _Info(ctypes.Structure):
    _fields_ = [
        ("path", c_char_p), ("points", c_int64), ("transforms", c_int64), ("flops", c_double), ("workspace", c_size_t), ("n1", c_int64), ("n2", c_int64), ("tasks", c_int),
        ("gpus", c_int), ("cpu_seconds", c_double), ("gpu_seconds", c_double), ("both_seconds", c_double), ("cpu_transforms", c_int64),
    ]  # fmt: skip


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """libtilework_fft: where the loader looks, else in the tree that this file was installed to, or the bundle that it lies in."""
    name, here = "libtilework_fft.so.0", os.path.dirname(os.path.realpath(__file__))
    prefix = os.path.join(here, "..", "..", "..", "..")
    places = [name, *(os.path.join(prefix, d, name) for d in ("lib", "lib64")), *glob.glob(os.path.join(prefix, "lib", "*", name)), os.path.join(here, "..", "..", "lib", name)]
    problem = None
    for place in places:
        try:
            found = ctypes.CDLL(place)
            break
        except OSError as e:
            problem = problem or e
    else:
        raise problem
    P, I = c_void_p, c_int64
    for f, types in {
        "tw_fft_plan_guru": [POINTER(P), c_int, c_int, c_int, POINTER(_Dim), c_int, POINTER(_Dim), c_int, POINTER(_Options)],
        "tw_fft_execute": [P, P, P],
        "tw_fft_destroy": [P],
        "tw_fft_get_info": [P, POINTER(_Info)],
        "tw_fft_filter_create": [POINTER(P), c_int, c_int, c_int, POINTER(I), P, POINTER(_Options)],
        "tw_fft_filter_execute": [P, P, P],
        "tw_fft_filter_destroy": [P],
        "tw_fft_convolve": [c_int, c_int, POINTER(I), P, P, P, c_int],
        "tw_fft_save_wisdom": [],
    }.items():
        getattr(found, f).argtypes, getattr(found, f).restype = types, c_int
    found.tw_fft_options_init.argtypes, found.tw_fft_options_init.restype = [POINTER(_Options)], None
    found.tw_last_message.restype = found.tw_strerror.restype = c_char_p
    return found


def _ran(code: int) -> None:
    if code:
        said = library().tw_last_message() or library().tw_strerror(code) or b""
        raise Error(code, said.decode())


def _options(norm, rigor, r2r=()) -> _Options:
    options = _Options()
    library().tw_fft_options_init(byref(options))
    options.norm = NORMS[norm]
    if rigor is not None:
        options.rigor = RIGORS[rigor]
    for i, kind in enumerate(r2r):
        options.r2r[i] = R2R[kind]
    return options


class Plan:
    """A transform of arrays of one shape. kind: "C2C", "R2C", "C2R", "R2R"; shape: of the input, or, of C2R, of the output; axes: one to three, in their order, of which R2C and C2R halve the last; all
    others, up to three, are loops. dtype: the precision, of either input or output. in_strides, out_strides: in bytes, as NumPy's, of arrays without gaps by default. sign: -1 or 1, of C2C. r2r: a name, or one
    for each axis, such as "DCT2". norm: "unscaled", "by_n", "ortho". rigor: "estimate", "measure" (the default), "patient": how hard FFTW looks for a good plan."""

    def __init__(self, kind, shape, axes=None, dtype=np.float64, sign=-1, r2r=None, norm="unscaled", rigor=None, in_strides=None, out_strides=None):
        self._plan = c_void_p()
        shape = tuple(int(n) for n in shape)
        axes = tuple(range(len(shape))) if axes is None else tuple(a % len(shape) for a in axes)
        if not 1 <= len(axes) <= 3 or len(set(axes)) != len(axes) or len(shape) - len(axes) > 3:
            raise ValueError("one to three different axes, and up to three other ones")
        letter = np.dtype(dtype).char
        if letter not in _types:
            raise TypeError(f"a transform of {np.dtype(dtype)}")
        real = np.dtype("f" if letter in "fF" else "d")
        complex_ = np.dtype("F" if real.char == "f" else "D")
        half = tuple(n // 2 + 1 if a == axes[-1] else n for a, n in enumerate(shape))
        self.kind, self.axes = kind, axes
        self.in_shape, self.out_shape = (half if kind == "C2R" else shape), (half if kind == "R2C" else shape)
        self.in_type, self.out_type = (complex_ if kind in ("C2C", "C2R") else real), (complex_ if kind in ("C2C", "R2C") else real)
        self.in_strides = _strides(self.in_shape, self.in_type.itemsize) if in_strides is None else tuple(in_strides)
        self.out_strides = _strides(self.out_shape, self.out_type.itemsize) if out_strides is None else tuple(out_strides)
        if any(s % self.in_type.itemsize or s <= 0 for s in self.in_strides) or any(s % self.out_type.itemsize or s <= 0 for s in self.out_strides):
            raise ValueError("strides are positive and whole elements")
        dims = [_Dim(shape[a], self.in_strides[a] // self.in_type.itemsize, self.out_strides[a] // self.out_type.itemsize) for a in (*axes, *(a for a in range(len(shape)) if a not in axes))]
        rank, loops = len(axes), len(shape) - len(axes)
        kinds = () if kind != "R2R" else (r2r,) * rank if isinstance(r2r, str) else tuple(r2r)
        _ran(
            library().tw_fft_plan_guru(
                byref(self._plan), _types[letter], KINDS[kind], rank, (_Dim * rank)(*dims[:rank]), loops, (_Dim * max(1, loops))(*dims[rank:]), sign, byref(_options(norm, rigor, kinds))
            )
        )

    def __call__(self, x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Transform x, to out or a new array. C2R with two axes or more overwrites x."""
        if x.shape != self.in_shape or x.dtype != self.in_type or x.strides != self.in_strides:
            raise ValueError(f"an array {x.shape} of {x.dtype} with strides {x.strides} for a plan of {self.in_shape}, {self.in_type}, {self.in_strides}")
        if out is None:
            out = np.empty(self.out_shape, self.out_type)
        if out.shape != self.out_shape or out.dtype != self.out_type or out.strides != self.out_strides or not out.flags.writeable:
            raise ValueError(f"a result {out.shape} of {out.dtype} with strides {out.strides} for a plan of {self.out_shape}, {self.out_type}, {self.out_strides}")
        if self.kind == "C2R" and len(self.axes) > 1 and not x.flags.writeable:
            raise ValueError("C2R overwrites its input, which is read-only")
        _ran(library().tw_fft_execute(self._plan, x.ctypes.data, out.ctypes.data))
        return out

    @property
    def info(self) -> dict:
        """How it computes, and how the latest execution did: tw_fft_info's fields."""
        info = _Info()
        _ran(library().tw_fft_get_info(self._plan, byref(info)))
        return {name: getattr(info, name) for name, _ in _Info._fields_} | {"path": (info.path or b"").decode()}

    def __del__(self):
        if self._plan:
            library().tw_fft_destroy(self._plan)


def _strides(shape, size):
    strides = [size]
    for n in reversed(shape[1:]):
        strides.insert(0, strides[0] * n)
    return tuple(strides[: len(shape)])


def _sizes(shape):
    return (c_int64 * len(shape))(*shape)


class Filter:
    """backward(table * forward(x)) / N of arrays of one shape, real or complex as dtype says; table: complex, as forward gives it."""

    def __init__(self, shape, table, dtype=np.float64):
        self._filter = c_void_p()
        dtype = np.dtype(dtype)
        self.shape, self.dtype = tuple(shape), dtype
        real = dtype.kind == "f"
        wanted = (*self.shape[:-1], self.shape[-1] // 2 + 1) if real else self.shape
        table = np.ascontiguousarray(table, dtype="F" if dtype.char in "fF" else "D")
        if table.shape != wanted or dtype.char not in _types:
            raise ValueError(f"a table {table.shape} for a filter of {self.shape}, {dtype}")
        _ran(library().tw_fft_filter_create(byref(self._filter), _types[dtype.char], KINDS["R2C" if real else "C2C"], len(self.shape), _sizes(self.shape), table.ctypes.data, None))

    def __call__(self, x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        out = np.empty(self.shape, self.dtype) if out is None else out
        for a in x, out:
            if a.shape != self.shape or a.dtype != self.dtype or not a.flags.c_contiguous:
                raise ValueError(f"arrays of a filter are {self.shape}, {self.dtype}, without gaps")
        _ran(library().tw_fft_filter_execute(self._filter, x.ctypes.data, out.ctypes.data))
        return out

    def __del__(self):
        if self._filter:
            library().tw_fft_filter_destroy(self._filter)


def convolve(a: np.ndarray, b: np.ndarray, correlate: bool = False) -> np.ndarray:
    """Circular convolution of real arrays of one shape and up to three axes, or sum_j a[k + j] b[j]."""
    if a.shape != b.shape or a.dtype != b.dtype or a.dtype.char not in "fd":
        raise ValueError("two real arrays of one shape and type")
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    c = np.empty_like(a)
    _ran(library().tw_fft_convolve(_types[a.dtype.char], a.ndim, _sizes(a.shape), a.ctypes.data, b.ctypes.data, c.ctypes.data, int(correlate)))
    return c


def save_wisdom() -> None:
    """Keep now what FFTW's planner found."""
    _ran(library().tw_fft_save_wisdom())
