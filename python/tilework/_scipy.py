"""scipy.linalg's functions on arrays as they lie: those for which Tilework has LAPACK's routine. What calls them within SciPy (pinv, null_space, svdvals, ...) gains, too."""

import sys

import numpy as np

from . import _solve
from ._library import REAL
from ._lies import Left, as_it_lies, columns, copied, factored, finite, left_in, matrix, right_hand_sides, run, square, triangle
from ._numpy import determinant, eigen, least_squares, orthogonal, singular


def _checked(check_finite, *arrays):
    if check_finite:
        finite(*arrays)


def _factor(a, lower, check_finite):
    letter, n = square(a)
    _checked(check_finite, a)
    factor, in_columns = copied(a)  # not over a: what fails is the original's to say, of the matrix as it was
    run(letter, "potrf", triangle("L" if lower else "U", in_columns), n, factor, n)
    return factor


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    return _left_either_way(a, overwrite_a, _factor(a, lower, check_finite)), lower


def _left_either_way(a, allowed, factor):
    """Which of a's triangles is whose does not matter: rows will do as well as columns."""
    if a.flags.c_contiguous:
        a, factor = a.T, factor.T
        return left_in(a, allowed, factor).T
    return left_in(a, allowed, factor)


def _cleared(factor, lower):
    """With zeros in the other triangle."""
    n, step = len(factor), 256
    for i in range(0, n, step):
        end = min(i + step, n)
        if lower:
            factor[i:end, end:] = 0
            factor[i:end, i:end] = np.tril(factor[i:end, i:end])
        else:
            factor[i:end, :i] = 0
            factor[i:end, i:end] = np.triu(factor[i:end, i:end])
    return factor


def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    return _left_either_way(a, overwrite_a, _cleared(_factor(a, lower, check_finite), lower))


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    c, lower = c_and_lower
    letter, n = square(c)
    right_hand_sides(c, b)
    _checked(check_finite, c, b)
    return _solve.by_cholesky(letter, n, *as_it_lies(c), "L" if lower else "U", b, overwrite_b)


def _may_have_structure(a):
    """Whether a could be triangular, banded or symmetric: a few elements show that most matrices are not."""
    return a[0, -1] == 0 or a[-1, 0] == 0 or a[0, -1] in (a[-1, 0], np.conj(a[-1, 0]))


def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a="gen", transposed=False):
    letter, n = square(a)
    right_hand_sides(a, b)
    if assume_a is None and not _may_have_structure(a):
        assume_a = "gen"
    if assume_a not in ("gen", "general", "pos", "positive definite") or (transposed and (letter in "cz" or assume_a[0] == "p")):
        raise Left
    _checked(check_finite, a, b)
    rcond, norm = np.zeros(1, REAL[letter]), _norm(a, transposed)
    if assume_a[0] == "p":
        uplo = "L" if lower else "U"
        factor, in_columns = copied(a)
        seen = triangle(uplo, in_columns)
        run(letter, "potrf", seen, n, factor, n)
        run(letter, "pocon", seen, n, factor, n, norm, rcond)
    else:
        parts = factored(a)
        run(letter, "gecon", "I" if bool(transposed) == parts[3] else "1", n, parts[2], n, norm, rcond)
    if not rcond[0] >= np.finfo(a.dtype).eps:  # the original warns
        raise Left
    overwrite_b = overwrite_b and b.flags.f_contiguous
    if assume_a[0] == "p":
        left_in(a, overwrite_a, factor)
        return _solve.by_cholesky(letter, n, factor, in_columns, uplo, b, overwrite_b)
    left_in(a, overwrite_a, parts[2])
    return _solve.by_lu(*parts, b, trans="T" if transposed else "N", overwrite=overwrite_b)


def _norm(a, transposed):
    """The 1-norm of a, or of its transpose."""
    sums, step = np.zeros(len(a)), 256
    for i in range(0, len(a), step):
        block = np.abs(a[:, i : i + step] if a.flags.f_contiguous else a[i : i + step])
        if a.flags.f_contiguous == bool(transposed):
            sums += block.sum(axis=1 if a.flags.f_contiguous else 0)
        else:
            sums[i : i + step] = block.sum(axis=0 if a.flags.f_contiguous else 1)
    return float(sums.max())


_never_asked = object()  # of SciPys before 1.17, whose inv knows no structures and does not look at the condition number


def inv(a, overwrite_a=False, check_finite=True, assume_a=_never_asked, lower=False):
    square(a)
    if assume_a not in (_never_asked, None, "gen", "general") or (assume_a is None and (a[0, -1] == 0 or a[-1, 0] == 0)):  # a triangle's inverse has zeros
        raise Left
    _checked(check_finite, a)
    letter, n, lu, in_columns, pivots = factored(a)
    if assume_a is not _never_asked:
        rcond = np.zeros(1, REAL[letter])
        run(letter, "gecon", "1" if in_columns else "I", n, lu, n, _norm(a, False), rcond)
        if not rcond[0] >= np.finfo(a.dtype).eps:  # the original warns
            raise Left
    run(letter, "getri", n, lu, n, pivots)
    return left_in(a, overwrite_a, lu)


def det(a, overwrite_a=False, check_finite=True):
    square(a)
    _checked(check_finite, a)
    return ((np.complex128 if np.iscomplexobj(a) else np.float64)(determinant(a)),)  # for `fitted`


def lu_factor(a, overwrite_a=False, check_finite=True):
    """L and U are not those of the transpose: here the order matters."""
    letter, n = square(a)
    _checked(check_finite, a)
    lu, pivots = columns(a), np.empty(n, np.int64)
    run(letter, "getrf", n, n, lu, n, pivots)
    return lu, pivots - 1


def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    lu, piv = lu_and_piv
    letter, n = square(lu)
    right_hand_sides(lu, b)
    if not lu.flags.f_contiguous or trans not in (0, 1) or type(piv) is not np.ndarray or piv.shape != (n,) or piv.dtype.kind != "i":
        raise Left
    _checked(check_finite, lu, b)
    return _solve.by_lu(letter, n, lu, True, piv.astype(np.int64) + 1, b, trans="T" if trans else "N", overwrite=overwrite_b)


def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True):
    letter, n = square(a)
    right_hand_sides(a, b)
    op = {0: "N", 1: "T", 2: "C"}.get(trans, trans)
    if op not in ("N", "T", "C"):
        raise Left
    op = "T" if op == "C" and letter in "sd" else op
    a, in_columns = as_it_lies(a)
    if not in_columns:
        if op == "C":
            raise Left
        op = "N" if op == "T" else "T"
    _checked(check_finite, a, b)
    x = np.array(b, order="F")
    run(letter, "trtrs", triangle("L" if lower else "U", in_columns), op, "U" if unit_diagonal else "N", n, 1 if b.ndim == 1 else b.shape[1], a, n, x, n)
    return x


def _some(a, uplo, job, subset_by_index, subset_by_value, b=None, itype=1):
    """Eigenvalues by their numbers, or in an interval open below, as LAPACK has it."""
    letter, n = square(a)
    work = columns(a)
    low, high, first, last, kind = 0.0, 0.0, 1, n, "A"
    if subset_by_index is not None:
        first, last, kind = int(subset_by_index[0]) + 1, int(subset_by_index[1]) + 1, "I"
        if not 1 <= first <= last <= n:
            raise Left
    else:
        low, high, kind = float(subset_by_value[0]), float(subset_by_value[1]), "V"
        if not -np.inf <= low < high <= np.inf:
            raise Left
    count, values = np.zeros(1, np.int64), np.empty(n, REAL[letter])
    vectors = np.empty((n, last - first + 1 if job == "V" else 1), a.dtype, order="F")
    spare = np.empty(2 * n, np.int64)
    if b is None:
        run(letter, "syevr", job, kind, uplo, n, work, n, low, high, first, last, 0.0, count, values, vectors, n, spare)
    else:
        factor = columns(b)
        run(letter, "sygvx", itype, job, kind, uplo, n, work, n, factor, n, low, high, first, last, 0.0, count, values, vectors, n, spare)
    k = int(count[0])
    return values[:k], vectors[:, :k]


# By whether there is a second matrix, and whether some eigenvalues are asked for.
_drivers = {(False, False): (None, "ev", "evd", "evr"), (False, True): (None, "evr", "evx"), (True, False): (None, "gv", "gvd"), (True, True): (None, "gvx")}


def eigh(a, b=None, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False, type=1, check_finite=True, subset_by_index=None, subset_by_value=None, driver=None, eigvals=None):
    letter, n = square(a)
    if eigvals is not None:  # the name that subset_by_index had before SciPy 1.12
        if subset_by_index is not None:
            raise Left
        original = getattr(sys.modules["scipy.linalg"].eigh, "__wrapped__", None)
        if original is None:
            raise Left
        original(np.eye(2), eigvals=(0, 1))  # SciPy's own words about it
        subset_by_index = eigvals
    uplo, job = "L" if lower else "U", "N" if eigvals_only else "V"
    partial = subset_by_index is not None or subset_by_value is not None
    if driver not in _drivers[b is not None, partial] or type not in (1, 2, 3) or (subset_by_index is not None and subset_by_value is not None):
        raise Left
    if b is not None and (b.dtype != a.dtype or b.shape != a.shape or square(b) != (letter, n)):
        raise Left
    _checked(check_finite, *([a] if b is None else [a, b]))
    if partial:
        values, vectors = _some(a, uplo, job, subset_by_index, subset_by_value, b, type)
    elif b is None:
        values, vectors = eigen(a, uplo, job)
    else:
        vectors, factor = columns(a), columns(b)  # two matrices seldom lie alike
        values = np.empty(n, REAL[letter])
        run(letter, "sygvd", type, job, uplo, n, vectors, n, factor, n, values)
    return values if eigvals_only else (values, vectors)


def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    if lapack_driver not in ("gesdd", "gesvd"):
        raise Left
    _, m, n = matrix(a)
    if compute_uv and max(m, n) * (max(m, n) if full_matrices else min(m, n)) > 2**31 - 1:  # SciPys whose LAPACK has 32-bit integers refuse that
        raise Left
    _checked(check_finite, a)
    return singular(a, full_matrices, compute_uv, overwrite_a)


def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    if mode not in ("full", "r", "economic") or pivoting or lwork not in (None, -1):
        raise Left
    _, m, n = matrix(a)
    _checked(check_finite, a)
    q, r = orthogonal(a, mode != "economic", mode != "r")
    if mode == "r":
        return (left_in(a, overwrite_a, r),)
    if mode == "full":
        return q, left_in(a, overwrite_a, r)
    return left_in(a[:, : q.shape[1]], overwrite_a, q), r


def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
    letter, m, n = matrix(a)
    if lapack_driver is None:
        lapack_driver = getattr(sys.modules["scipy.linalg"].lstsq, "default_lapack_driver", "gelsd")
    if lapack_driver not in ("gelsd", "gelss") or (cond is not None and not cond >= 0):
        raise Left
    _checked(check_finite, a, b)
    if cond is None:
        cond = np.finfo(a.dtype).eps
    x, s, rank = least_squares(a, b, float(cond), lapack_driver, overwrite_a)
    left = None if m <= n else (np.abs(x[n:]) ** 2).sum(axis=0)
    if b.ndim == 1:
        x, left = x[:, 0], None if left is None else left[0]
    x = left_in(b, overwrite_b and m >= n, x)
    return x[:n], left, rank, s


def _left_before(x, left, rank, s):
    """SciPy before 1.18: squares of what is left are real, and there are none where the rank is not full."""
    return x, np.asarray([], dtype=x.dtype) if left is None or rank < len(x) else left, rank, s


def _left_since(x, left, rank, s):
    if left is None:
        left = np.zeros(0, x.dtype)
    else:
        left = np.array(left if rank == len(x) else np.full_like(left, np.nan), dtype=x.dtype)
    return x, left, np.int64(rank), s


functions = {f.__name__: f for f in (cho_factor, cholesky, cho_solve, solve, inv, det, lu_factor, lu_solve, solve_triangular, eigh, svd, qr, lstsq)}


def fitted(name, original):
    """What turns ours into what this SciPy returns, as a small call of its own shows."""
    if name == "cho_factor" and isinstance(original(np.eye(2))[1], np.ndarray):
        return lambda c, lower: (_cleared(c, lower), np.array(lower))
    if name == "lu_factor":
        kind = original(np.eye(2))[1].dtype
        return lambda lu, pivots: (lu, pivots.astype(kind))
    if name == "det":  # Python's numbers, or NumPy's
        kinds = type(original(np.eye(2))), type(original(np.eye(2, dtype=complex)))
        return lambda value: kinds[np.iscomplexobj(value)](value)
    if name == "lstsq":
        return _left_since if np.size(original(np.ones((3, 2)), np.ones(3))[1]) else _left_before
    return None
