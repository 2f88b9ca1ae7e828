"""Linear systems with factors and right-hand sides in whatever order they lie."""

import numpy as np

from ._library import one
from ._lies import copied, exchanges, run, triangle


def by_lu(letter, n, lu, in_columns, pivots, b, trans="N", overwrite=False):
    """X of op(A) X = B, for factors P A = L U, or of A^T where A was in C order.

    Where B is in C order its right-hand sides lie as rows, X^T op(A)^T = B^T, and the triangles are solved from the right:
    F = P^T L U, X^T F = B^T:     (X^T P^T) L U = B^T        X^T F^T = B^T:   X^T U^T L^T = B^T P^T
    """
    x, b_in_columns = copied(b, overwrite)
    if b.ndim == 1 or b_in_columns:
        op = trans if in_columns else "T" if trans == "N" else "N"
        run(letter, "getrs", op, n, 1 if b.ndim == 1 else b.shape[1], lu, n, pivots, x, n)
        return x
    m, order = b.shape[1], exchanges(pivots)
    if in_columns == (trans == "N"):  # op(A) = F
        x = x[order]
        run(letter, "trsm", "R", "L", "T", "U", m, n, *one(letter), lu, n, x, m)
        run(letter, "trsm", "R", "U", "T", "N", m, n, *one(letter), lu, n, x, m)
        return x
    run(letter, "trsm", "R", "U", "N", "N", m, n, *one(letter), lu, n, x, m)
    run(letter, "trsm", "R", "L", "N", "U", m, n, *one(letter), lu, n, x, m)
    out = np.empty_like(x)
    out[order] = x
    return out


def by_cholesky(letter, n, factor, in_columns, uplo, b, overwrite=False):
    """X of A X = B, A = L L^H or U^H U. A factor in C order is, to LAPACK, that of A's conjugate; right-hand sides that lie as rows: X^T A^T = B^T, A^T being A's conjugate."""
    x, b_in_columns = copied(b, overwrite)
    seen = triangle(uplo, in_columns)
    rows = b.ndim == 2 and not b_in_columns
    conjugate = letter in "cz" and in_columns == rows
    if conjugate:
        x = np.conj(x, out=x)
    if not rows:
        run(letter, "potrs", seen, n, 1 if b.ndim == 1 else b.shape[1], factor, n, x, n)
    else:  # Y A = Z: the two triangles in their order from the right
        for trans in ("N", "C") if seen == "U" else ("C", "N"):
            run(letter, "trsm", "R", seen, trans, "N", b.shape[1], n, *one(letter), factor, n, x, b.shape[1])
    return np.conj(x, out=x) if conjugate else x
