"""Matrices and sequences with Python's manners."""

from __future__ import annotations

from typing import Any

from . import _tilework

_types = {"f": 0, "d": 1, "Zf": 2, "Zd": 3}
_cuda_types = {"<f4": 0, "<f8": 1, "<c8": 2, "<c16": 3}


def _columns(shape, strides, size, name="the array"):
    """Rows, columns and leading dimension of an array in Fortran's order; strides in bytes."""
    if len(shape) not in (1, 2):
        raise ValueError(f"{name} has {len(shape)} dimensions")
    m, n = shape[0], shape[1] if len(shape) == 2 else 1
    if m == 0 or n == 0:  # strides of nothing say nothing
        return m, n, max(1, m)
    ld = strides[1] // size if n > 1 else max(1, m)
    if (m > 1 and strides[0] != size) or ld < m or (n > 1 and strides[1] % size):
        raise ValueError(f"{name} is not in Fortran's order: columns have to lie in one piece")
    return m, n, max(1, ld)


class Matrix(_tilework.matrix):
    """Tiles of one type: what the C headers call tw_matrix. Made by wrap(), copy_of(), and tilework.matrix_create() and its like."""

    @staticmethod
    def wrap(array: Any, uplo: str = "G", nb: int = 0) -> Matrix:
        """The array's own memory, in place: of a buffer, of __cuda_array_interface__ (on a GPU), or of __dlpack__. Its content is defined again after release() or destroy()."""
        on_gpu = getattr(array, "__cuda_array_interface__", None)
        if on_gpu is not None:
            type = _cuda_types.get(on_gpu["typestr"])
            if type is None:
                raise TypeError(f"an array of {on_gpu['typestr']}")
            size, shape = int(on_gpu["typestr"][2:]), on_gpu["shape"]
            strides = on_gpu.get("strides") or _c_strides(shape, size)
            m, n, ld = _columns(shape, strides, size)
            return _on_device(array, type, uplo, m, n, on_gpu["data"][0], ld, nb, _device_of(array))
        try:
            view = memoryview(array)
        except TypeError:
            if not hasattr(array, "__dlpack__"):
                raise TypeError("no array: neither a buffer, nor __cuda_array_interface__, nor __dlpack__") from None
            capsule = array.__dlpack__()
            address, place, device, type, shape, strides = _tilework.dlpack(capsule)
            if type < 0:
                raise TypeError("an array of another type than float32, float64, complex64, complex128") from None
            size = (4, 8, 8, 16)[type]
            strides = [s * size for s in strides] if strides is not None else _c_strides(shape, size)
            m, n, ld = _columns(shape, strides, size)
            if place == 1:  # main memory
                import ctypes

                held = (ctypes.c_char * (((n - 1) * ld + m) * size if m and n else 0)).from_address(address)
                A = _tilework.matrix_wrap(type, uplo, m, n, held, ld, nb)
                A._array = (array, capsule)
                return A
            if place not in (2, 13):
                raise TypeError(f"DLPack's device type {place}") from None
            return _on_device((array, capsule), type, uplo, m, n, address, ld, nb, device)
        if view.format not in _types:
            raise TypeError(f"an array of {view.format}")
        m, n, ld = _columns(view.shape, view.strides, view.itemsize)
        if view.readonly:
            raise ValueError("the array is read-only")
        return _tilework.matrix_wrap(_types[view.format], uplo, m, n, _whole(array, view, ld), ld, nb)

    @staticmethod
    def copy_of(array: Any, uplo: str = "G", nb: int = 0) -> Matrix:
        """A matrix of its own with the content of a buffer in Fortran's order."""
        view = memoryview(array)
        if view.format not in _types:
            raise TypeError(f"an array of {view.format}")
        m, n, ld = _columns(view.shape, view.strides, view.itemsize)
        return _tilework.matrix_from_lapack(_types[view.format], uplo, m, n, _whole(array, view, ld), ld, nb)

    def to(self, array: Any) -> Any:
        """The matrix' content into an array of its shape and type in Fortran's order, which is returned."""
        view = memoryview(array)
        if _types.get(view.format) != _tilework.matrix_type(self) or tuple(view.shape) != self.shape:
            raise ValueError(f"an array of {view.format} {tuple(view.shape)} for a matrix {self.shape}")
        _, _, ld = _columns(view.shape, view.strides, view.itemsize)
        _tilework.matrix_to_lapack(self, _whole(array, view, ld), ld)
        return array

    def release(self) -> None:
        """Wait for what writes it; a wrapped array has its content again."""
        _tilework.release_to_host(self)

    def destroy(self) -> None:
        _tilework.matrix_destroy(self)

    @property
    def shape(self) -> tuple[int, int]:
        return _tilework.matrix_rows(self), _tilework.matrix_cols(self)

    @property
    def nb(self) -> int:
        return _tilework.matrix_nb(self)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a Matrix is no array: to(numpy.empty(A.shape, order='F')) has its content")

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a Matrix is neither copied nor pickled: to() and copy_of() have its content")

    def __repr__(self) -> str:
        return f"<tilework.Matrix {self.shape[0]} x {self.shape[1]}, tiles of {self.nb}>"


def _whole(array, view, ld):
    """The buffer itself, or, of a section whose columns have gaps between them, the memory from its first to its last element."""
    if view.f_contiguous or view.c_contiguous:
        return array
    return _tilework._span(array)


def _c_strides(shape, size):
    strides = [size]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)
    return strides


def _on_device(owner, type, uplo, m, n, address, ld, nb, device):
    A = _tilework.matrix_wrap_device(type, uplo, m, n, address, ld, nb, device)
    A._array = owner
    return A


def _device_of(array):
    device = getattr(array, "device", 0)
    for name in ("id", "index", "device_id"):
        if isinstance(getattr(device, name, None), int):
            return getattr(device, name)
    return device if isinstance(device, int) else 0


class Sequence(_tilework.sequence):
    """A queue of routines, which run as one graph: the functions that end in _async take it. A context manager, which waits at its end, and a future of all that was queued."""

    def __new__(cls) -> Sequence:
        return _tilework.sequence_create()

    def wait(self) -> None:
        """Wait for all of it; the first error in call order is raised."""
        _tilework.sequence_wait(self)

    result = wait

    def done(self) -> bool:
        return bool(_tilework.sequence_test(self))

    def cancel(self) -> None:
        """What has not run yet does nothing; wait() raises Error with E_CANCELLED then."""
        _tilework.sequence_cancel(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a Sequence is neither copied nor pickled")

    def __enter__(self) -> Sequence:
        return self

    def __exit__(self, kind, value, trace) -> None:
        if kind is None:
            self.wait()
            return
        self.cancel()
        try:
            self.wait()
        except _tilework.Error:
            pass


_tilework._register("matrix", Matrix)
_tilework._register("sequence", Sequence)
_tilework.Error.__str__ = lambda self: str(self.args[0])
_tilework.Error.code = property(lambda self: self.args[1], doc="the C function's status")
_tilework.NumericalError.info = property(lambda self: self.args[1], doc="LAPACK's info")
