"""numpy.linalg's functions on arrays as they lie. Each takes the arguments that it knows; with others, and with Left, the original is called."""

import functools

import numpy as np

from . import _solve
from ._library import REAL
from ._lies import Left, columns, copied, factored, finite, in_blocks, left_in, matrix, right_hand_sides, run, square, triangle


def cholesky(a):
    letter, n = square(a)
    factor = np.zeros((n, n), a.dtype)

    def copy_rows(i, end):
        factor[i:end, :i] = a[i:end, :i]
        factor[i:end, i:end] = np.tril(a[i:end, i:end])

    in_blocks(n, copy_rows)
    run(letter, "potrf", "U", n, factor, n)
    return factor


def solve(a, b):
    square(a)
    right_hand_sides(a, b)
    return _solve.by_lu(*factored(a), b)


def inv(a):
    letter, n, lu, _, pivots = factored(a)  # the inverse of the transpose is the inverse's
    run(letter, "getri", n, lu, n, pivots)
    return lu


def slogdet(a):
    letter, n, lu, _, pivots = factored(a)
    diagonal = np.diagonal(lu)
    sizes = np.abs(diagonal)
    if not np.isfinite(sizes).all():
        raise Left
    sign = np.prod(diagonal / sizes) * (-1) ** int(np.count_nonzero(pivots != np.arange(1, n + 1)) % 2)
    return a.dtype.type(sign), REAL[letter](np.log(sizes).sum())


def determinant(a):
    sign, size = slogdet(a)
    with np.errstate(all="ignore"):
        value = sign * np.exp(size)
    if value == 0 or not np.isfinite(value):  # the original warns
        raise Left
    return value


def det(a):
    return a.dtype.type(determinant(a))


def eigen(a, uplo, job, overwrite=False):
    letter, n = square(a)
    if uplo not in ("L", "U"):
        raise Left
    vectors, in_columns = copied(a, overwrite)
    values = np.empty(n, REAL[letter])
    run(letter, "syevd", job, triangle(uplo, in_columns), n, vectors, n, values)
    if in_columns or job == "N":
        return values, vectors
    vectors = np.conj(vectors, out=vectors) if letter in "cz" else vectors  # those of the conjugate
    return values, vectors.T  # columns, as LAPACK leaves them


def eigvalsh(a, UPLO="L"):
    return eigen(a, UPLO.upper(), "N")[0]


def eigh(a, UPLO="L"):
    return eigen(a, UPLO.upper(), "V")


def singular(a, whole, vectors, overwrite=False):
    """A = U diag(s) V^H; what is in C order is, to LAPACK, V diag(s) U^T without conjugation: the two change places."""
    letter, m, n = matrix(a)
    if m > 64 * n:  # LAPACK's sums along very long rows lose more digits than those along columns
        work, in_columns = columns(a), True
    else:
        work, in_columns = copied(a)
    k = min(m, n)
    s = np.empty(k, REAL[letter])
    rows, cols = (m, n) if in_columns else (n, m)  # as LAPACK sees it
    if not vectors:
        run(letter, "gesdd", "N", rows, cols, work, rows, s, s, rows, s, cols)
        left_in(a, overwrite, work)
        return s
    left = np.empty((rows, rows if whole else k), a.dtype, order="F")
    right = np.empty((cols if whole else k, cols), a.dtype, order="F")
    run(letter, "gesdd", "A" if whole else "S", rows, cols, work, rows, s, left, rows, right, right.shape[0])
    if overwrite and in_columns:  # as LAPACK's job O
        left_in(a, True, left[:, :n] if m >= n else right[:m])
    return (left, s, right) if in_columns else (right.T, s, left.T)


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    if hermitian:
        raise Left
    matrix(a)
    finite(a)  # what LAPACK's own would say, and where
    return singular(a, full_matrices, compute_uv)


def orthogonal(a, whole, with_q):
    """Q and R, Q square where whole; of an array in C order Q^T and R^T are, to LAPACK, the parts of its LQ factorization, signs included."""
    letter, m, n = matrix(a)
    k = min(m, n)
    work, in_columns = copied(a)
    tau = np.empty(k, a.dtype)
    if in_columns:
        run(letter, "geqrf", m, n, work, m, tau)
    else:
        run(letter, "gelqf", n, m, work, n, tau)
    rows = m if whole else k
    r = np.triu(work[:k])
    if rows > k:
        r = np.concatenate([r, np.zeros((rows - k, n), a.dtype)])
    if not with_q:
        return None, r
    if rows <= n and work.shape[1] != rows:
        work = np.array(work[:, :rows], order="F" if in_columns else "C")
    elif rows > n:
        wide = np.zeros((m, rows), a.dtype, order="F" if in_columns else "C")
        wide[:, :n] = work
        work = wide
    if in_columns:
        run(letter, "orgqr", m, rows, k, work, m, tau)
    else:
        run(letter, "orglq", rows, m, k, work, rows, tau)
    return work, r


def qr(a, mode="reduced"):
    if mode not in ("reduced", "complete", "r"):
        raise Left
    q, r = orthogonal(a, mode == "complete", mode != "r")
    return r if mode == "r" else (q, r)


def least_squares(a, b, rcond, routine="gelsd", overwrite=False):
    """Solutions below which, in one array, lie what was left; singular values; the rank."""
    letter, m, n = matrix(a)
    count = right_hand_sides(a, b)
    work = columns(a)
    x = np.zeros((max(m, n), count), a.dtype, order="F")
    x[:m] = b.reshape(m, count)
    s, rank = np.empty(min(m, n), REAL[letter]), np.zeros(1, np.int64)
    run(letter, routine, m, n, count, work, m, x, max(m, n), s, rcond, rank)
    left_in(a, overwrite, work)
    return x, s, int(rank[0])


def lstsq(a, b, rcond=None):
    if isinstance(rcond, str):
        raise Left
    letter, m, n = matrix(a)
    right_hand_sides(a, b)
    finite(a, b)
    if rcond is None:
        rcond = np.finfo(a.dtype).eps * max(m, n)
    x, s, rank = least_squares(a, b, float(rcond))
    left = np.zeros(0, REAL[letter])
    if rank == n and m > n:
        left = np.square(np.abs(x[n:])).sum(axis=0, dtype=REAL[letter])
    return np.array(x[:n, 0] if b.ndim == 1 else x[:n], order="C"), left, np.intc(rank), s


_wide = {np.dtype(np.float32): np.float64, np.dtype(np.complex64): np.complex128}
_narrow = {np.dtype(np.float64): np.float32, np.dtype(np.complex128): np.complex64}


def _in_double(f):
    """NumPy computes single precision in double precision and rounds what comes out, and so do we."""

    @functools.wraps(f)
    def call(a, *others, **keywords):
        if type(a) is not np.ndarray or a.dtype not in _wide:
            return f(a, *others, **keywords)
        matrix(a)
        if any(isinstance(b, np.ndarray) and b.dtype != a.dtype for b in (*others, *keywords.values())):
            raise Left
        wide = _wide[a.dtype]
        others = [b.astype(wide) if type(b) is np.ndarray else b for b in others]
        keywords = {k: b.astype(wide) if type(b) is np.ndarray else b for k, b in keywords.items()}
        result = f(a.astype(wide), *others, **keywords)
        with np.errstate(all="ignore"):
            return tuple(_rounded(x) for x in result) if type(result) is tuple else _rounded(result)

    return call


def _rounded(x):
    narrow = _narrow.get(getattr(x, "dtype", None))
    if narrow is None:
        return x
    x = x.astype(narrow)
    if not np.isfinite(x).all():  # also what overflows when it is rounded: the original warns
        raise Left
    return x


functions = {f.__name__: _in_double(f) for f in (cholesky, solve, inv, slogdet, det, eigvalsh, eigh, svd, qr, lstsq)}


def fitted(name, original):
    """NumPy 2 gives named tuples, of which the caller sees the type."""
    if name not in ("slogdet", "eigh", "svd", "qr"):
        return None
    kind = type(original(np.eye(2)))
    return None if kind is tuple else kind
