"""What the patches of NumPy and SciPy share: which arrays are theirs to take, and how one lies. An array in C order is, to LAPACK, its transpose: the other triangle, the
transposed system, the LQ factorization instead of QR. Nothing is copied into another order for its sake but where LAPACK has no such form."""

import functools
import glob
import os
import threading

import numpy as np

from ._library import LETTER, call

least = 1000  # orders below are the originals'
chosen = False  # by the user, who then has all of these taken
# On cores alone: those that compute no faster by tiles, and gain by what they do not copy, if at all. Beside other programs' threads they lose (two cores, docs/python.md).
_slow = {"lstsq": 2000}
_lose_when_busy = {"lstsq", "eigh", "eigvalsh", "svd"}
_state = {"started": False, "forked": False}


class Left(Exception):
    """The original function has to do it."""


def _after_fork():  # the runtime's threads are the parent's
    _state["forked"] = _state["started"]


os.register_at_fork(after_in_child=_after_fork)


@functools.lru_cache(maxsize=None)
def has_gpu():
    """As libtilework_lapack.so looks for one: no driver is woken."""
    if os.environ.get("CUDA_VISIBLE_DEVICES", "0")[:1] in ("", "-") or os.environ.get("STARPU_NCUDA") == "0":
        return False
    root = os.environ.get("TILEWORK_DROPIN_ROOT", "")
    return any(os.access(f"{root}/dev/nvidia{i}", os.R_OK | os.W_OK) for i in range(16))


def least_of(name):
    return least if chosen or has_gpu() else _slow.get(name, least)


def is_left_to_busy(name):
    return not chosen and name in _lose_when_busy and not has_gpu() and _others_fill_the_machine()


def _others_fill_the_machine():
    """/proc/loadavg: "0.43 0.40 0.35 3/512 4711": three threads of the whole machine run or wait for a core, of which some may be ours."""
    try:
        with open(os.environ.get("TILEWORK_DROPIN_ROOT", "") + "/proc/loadavg") as file:
            running = int(file.read().split()[3].split("/")[0])
        cores, ours = os.sysconf("SC_NPROCESSORS_ONLN"), 0
        if running <= cores:
            return False
        for task in os.listdir("/proc/self/task")[:256]:
            with open(f"/proc/self/task/{task}/stat") as file:
                ours += file.read().rpartition(")")[2].split()[0] == "R"
        return running - ours >= cores
    except (OSError, ValueError, IndexError):
        return False


def profile_is_kept():
    """Whether the library, which has run, has left the machine profile for the next program, which need not measure then."""
    folder = os.environ.get("TILEWORK_CACHE_DIR")
    if not folder:
        xdg, home = os.environ.get("XDG_CACHE_HOME"), os.environ.get("HOME")
        folder = os.path.join(xdg, "tilework") if xdg else os.path.join(home or "/nonexistent", ".cache", "tilework")
    return bool(glob.glob(os.path.join(glob.escape(folder), "profile-*.json")))


def matrix(a):
    """Letter, rows and columns of an array that is ours to take."""
    if type(a) is not np.ndarray or a.ndim != 2 or min(a.shape) < max(1, least) or a.dtype not in LETTER or _state["forked"]:
        raise Left
    return LETTER[a.dtype], *a.shape


def square(a):
    letter, m, n = matrix(a)
    if m != n:
        raise Left
    return letter, n


def right_hand_sides(a, b):
    """Their number; b has a's rows and type, one dimension or two."""
    if type(b) is not np.ndarray or b.dtype != a.dtype or b.ndim not in (1, 2) or b.shape[0] != a.shape[0] or b.size == 0:
        raise Left
    return 1 if b.ndim == 1 else b.shape[1]


def finite(*arrays):
    """As scipy's check_finite; what is not is the original's to say."""
    for a in arrays:
        with np.errstate(all="ignore"):
            if not np.isfinite(a.sum()) and not np.isfinite(a).all():  # a sum of finite numbers may overflow
                raise Left


def in_blocks(n, work, step=256):
    """work(begin, end) for all blocks of n rows, by several threads where there are many: one core carries a large matrix hardly faster than all of them compute with it. NumPy's
    copies let the interpreter's lock go."""
    count, failed, helpers = -(-n // step), [], []
    several = max(1, min(len(os.sched_getaffinity(0)), count // 2, 8))

    def some(first):
        try:
            for k in range(first, count, several):
                work(k * step, min((k + 1) * step, n))
        except BaseException as e:  # said by the thread that waits
            failed.append(e)

    for first in range(1, several):
        helper = threading.Thread(target=some, args=(first,))
        try:
            helper.start()
            helpers.append(helper)
        except RuntimeError:  # no thread to be had, or the interpreter ends
            some(first)
    some(0)
    for helper in helpers:
        helper.join()
    if failed:
        raise failed[0]


def copied(a, overwrite=False):
    """A copy without gaps in the order that a has, or a itself where that may be; and whether it is in Fortran's order."""
    if overwrite and (a.flags.c_contiguous or a.flags.f_contiguous) and a.flags.writeable and a.flags.aligned:
        return a, a.flags.f_contiguous
    copy = np.empty_like(a, order="K")
    to, rows = (copy, a) if copy.flags.c_contiguous else (copy.T, a.T)

    def copy_rows(begin, end):
        to[begin:end] = rows[begin:end]

    in_blocks(len(rows), copy_rows)
    return copy, copy.flags.f_contiguous


def left_in(a, allowed, content):
    """a, with what LAPACK leaves there where it may be overwritten and lies as LAPACK wants it: SciPy's programs may look for a result in their own array. Else the content."""
    if not (allowed and a.flags.f_contiguous and a.flags.writeable) or content is a:
        return content
    np.copyto(a, content)
    return a


def as_it_lies(a):
    """An array that is only read: itself where it has no gaps."""
    return (a, a.flags.f_contiguous) if (a.flags.c_contiguous or a.flags.f_contiguous) and a.flags.aligned else copied(a)


def columns(a):
    """A copy in Fortran's order, made in blocks that fit caches."""
    if a.flags.f_contiguous or a.ndim == 1:
        return np.array(a, order="F")
    out, step = np.empty(a.shape, a.dtype, order="F"), 128
    for i in range(0, a.shape[0], step):
        for j in range(0, a.shape[1], step):
            out[i : i + step, j : j + step] = a[i : i + step, j : j + step]
    return out


def run(letter, name, *arguments):
    _state["started"] = True
    if call(letter, name, *arguments) != 0:
        raise Left


def triangle(uplo, in_columns):
    """LAPACK's letter for a triangle of an array as it lies."""
    return uplo if in_columns else "U" if uplo == "L" else "L"


def exchanges(pivots):
    """LAPACK's pivots as a permutation: row order[i] of the matrix became row i."""
    order = list(range(len(pivots)))
    for i, j in enumerate((pivots - 1).tolist()):
        order[i], order[j] = order[j], order[i]
    return np.array(order)


def factored(a, overwrite=False):
    """LU with pivots, of a or, where a is in C order, of its transpose."""
    letter, n = square(a)
    lu, in_columns = copied(a, overwrite)
    pivots = np.empty(n, np.int64)
    run(letter, "getrf", n, n, lu, n, pivots)
    return letter, n, lu, in_columns, pivots
