"""NumPy and SciPy programs as they are, with large problems of numpy.linalg and scipy.linalg computed by Tilework on the arrays as they lie: tilework.patch(), or, without a
change of the program, python3 -m tilework program.py. What is small, batched, or of another type than LAPACK's four goes to the original functions, and so does what
fails, so that exceptions and warnings are theirs. On ctypes: docs/python.md.
"""

import functools
import importlib.abc
import inspect
import sys
import threading
import time

import numpy as np

from . import _lies, _library, _numpy, _scipy

_tables = {"numpy.linalg": _numpy, "scipy.linalg": _scipy}
_replaced = []  # (module, name, original)
_counts = {}
_whys = {}  # name: {why calls were not taken: how many}
_lock = threading.Lock()
_points = None  # of transforms; None: their own number


def _fits(a, least):
    """A quick look before anything else is done: the first argument has to be a large matrix, or a tuple of factors."""
    if type(a) is tuple and a:
        a = a[0]
    return type(a) is np.ndarray and a.ndim == 2 and a.shape[0] >= least and a.shape[1] >= least


def _is_value(default):
    return default is None or isinstance(default, (bool, int, float, complex, str))


def _patched(name, ours, original, fitted):
    """Ours gets what the call gives it by name. What it does not know has to be as the original has it when nothing is said. Of its results `fitted`, if any, makes the original's."""
    signature, short = inspect.signature(original), name.rpartition(".")[2]
    known = inspect.signature(ours).parameters
    # The original's own choices, which differ between versions. A default that is no value (SciPy's and NumPy's _NoValue) says that nobody is to give this argument any more.
    defaults = {p: parameter.default for p, parameter in signature.parameters.items() if parameter.default is not inspect.Parameter.empty}
    choices = {p: default for p, default in defaults.items() if p in known and _is_value(default)}

    def arguments(given, keywords):
        bound = signature.bind(*given, **keywords).arguments
        for parameter, value in bound.items():
            if parameter not in known or (parameter in defaults and parameter not in choices):
                if parameter not in defaults or value is not defaults[parameter]:
                    raise _lies.Left
        return choices | {p: value for p, value in bound.items() if p in known and (p in choices or p not in defaults)}

    @functools.wraps(original)
    def call(*given, **keywords):
        begin = time.perf_counter()
        taken, least = False, _lies.least_of(short)
        if not _replaced or not (given and _fits(given[0], least) or keywords and any(_fits(a, least) for a in keywords.values())):
            why = f"no matrix of order {least} or more"
        elif _lies.is_left_to_busy(short):
            why = "other programs fill the machine"
        else:
            try:
                result = ours(**arguments(given, keywords))
                taken = True
            except (_lies.Left, TypeError, AttributeError, MemoryError, ValueError, OverflowError):
                why = "other types, options or values"
        if not taken:
            result = original(*given, **keywords)
        elif fitted is not None:
            result = fitted(*result) if type(result) is tuple else result
        with _lock:
            count = _counts.setdefault(name, [0, 0, 0.0])
            count[0] += 1
            count[1] += taken
            count[2] += time.perf_counter() - begin
            if not taken:
                whys = _whys.setdefault(name, {})
                whys[why] = whys.get(why, 0) + 1
        return result

    return call


def _replace(package):
    """In the package and in its modules, which call each other's functions by their own names."""
    table = _tables[package]
    for name, ours in table.functions.items():
        original = getattr(sys.modules[package], name, None)
        if original is None:
            continue
        call = _patched(f"{package}.{name}", ours, original, table.fitted(name, original))
        for module_name, module in list(sys.modules.items()):
            if module is None or not (module_name == package or module_name.startswith(package + ".")) or ".tests" in module_name:
                continue
            if module.__dict__.get(name) is original:
                _replaced.append((module, name, original))
                setattr(module, name, call)


def _transforms(install):
    """scipy.fft's backend is a package of its own, under another licence, which need not be there."""
    try:
        from tilework_fft import backend

        backend.library()
    except (ImportError, OSError):
        return
    if install:
        backend.install(_points)
    else:
        backend.uninstall()


class _WhenImported(importlib.abc.MetaPathFinder):
    """Replaces scipy.linalg's functions when a program imports it: nobody else waits for that."""

    def find_spec(self, name, path, target=None):
        if name not in _tables and name != "scipy.fft":
            return None
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                execute = spec.loader.exec_module

                def exec_module(module):
                    execute(module)
                    with _lock:
                        if self in sys.meta_path:
                            _replace(name) if name in _tables else _transforms(True)

                spec.loader.exec_module = exec_module
                return spec
        return None


_when_imported = _WhenImported()


def patch(least=None):
    """numpy.linalg's and scipy.linalg's functions become Tilework's from order `least` (1000) on."""
    global _points
    if least is not None:
        _lies.least, _lies.chosen = int(least), True
        _points = int(least) ** 3
    _library.library()
    with _lock:
        if _when_imported in sys.meta_path:
            return
        sys.meta_path.insert(0, _when_imported)
        for package in _tables:
            if package in sys.modules:
                _replace(package)
        if "scipy.fft" in sys.modules:
            _transforms(True)


def unpatch():
    """The original functions again, for those as well who imported ours meanwhile."""
    with _lock:
        if _when_imported in sys.meta_path:
            sys.meta_path.remove(_when_imported)
            if "scipy.fft" in sys.modules:
                _transforms(False)
        for module, name, original in reversed(_replaced):
            setattr(module, name, original)
        _replaced.clear()


def lines():
    """The report as text."""
    with _lock:
        whys = {name: dict(why) for name, why in _whys.items()}
    for name, (calls, taken, seconds) in sorted(report().items()):
        left = ", ".join(f"{n} {why}" if len(whys[name]) > 1 else why for why, n in whys.get(name, {}).items())
        yield f"{name}: {calls} call{'' if calls == 1 else 's'}, {taken} taken{f' (else: {left})' if left else ''}, {seconds:.3f} s"
    if _lies._state["started"] and not _lies.profile_is_kept():
        yield "there is no cache folder that can be written to: each run measures the machine anew, some 2 s (TILEWORK_CACHE_DIR=DIR)"


def report():
    """What was called since the program began: {name: (calls, taken, seconds)}."""
    with _lock:
        counts = {name: tuple(count) for name, count in _counts.items()}
    transforms = sys.modules.get("tilework_fft.backend")
    return counts | transforms.report() if transforms else counts
