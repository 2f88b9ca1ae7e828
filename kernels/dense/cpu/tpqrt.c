/* QR factors of a triangle on top of a tile, and the product with their Q: what trees of tiles are made of.
 *
 * V is the identity on top of B. A block of nb columns is halved, down to the few that LAPACK's unblocked routine
 * does. */
#include "kernels/dense/cpu/typed.h"

#define BASE 8 /* columns that LAPACK does */

/* Rows of B that columns [i, i + ib) reach, and how many of them are the trapezoid of these columns. */
static void reach(int m, int l, int i, int ib, int *rows, int *trapezoid)
{
    *rows = tw_min(m - l + i + ib, m);
    *trapezoid = i >= l ? 0 : *rows - m + l - i;
}

static void apply(char side, char trans, int m, int n, int k, int l, const T *v, int ldv, const T *t, int ldt, T *a,
                  int lda, T *b, int ldb, T *work)
{
    if (m > 0 && n > 0) LAPACKE(tprfb_work)
    (LAPACK_COL_MAJOR, side, trans, 'F', 'C', m, n, k, l, v, ldv, t, ldt, a, lda, b, ldb, work, side == 'L' ? k : m);
}

/* T12 = -T11 (B1^H B2) T22: B1 is rows x n1 with a trapezoid of l rows below, B2 is full in these rows. */
static void join(int rows, int l, int n1, int n2, const T *b1, const T *b2, int ldb, T *t, int ldt)
{
    T *t12 = TW_AT(t, ldt, 0, n1);
    const T *corner = b1 + rows - l;

    CPU(laset)('G', n1, n2, tw_zero, tw_zero, t12, ldt);
    if (l > 0) {
        CPU(lacpy)('G', l, n2, b2 + rows - l, ldb, t12, ldt);
        CPU(trmm)('L', 'U', 'C', 'N', l, n2, tw_one, corner, ldb, t12, ldt);
        CPU(gemm)
        ('C', 'N', n1 - l, n2, l, tw_one, TW_AT(corner, ldb, 0, l), ldb, b2 + rows - l, ldb, tw_one, t12 + l, ldt);
    }
    if (rows > l) CPU(gemm)('C', 'N', n1, n2, rows - l, tw_one, b1, ldb, b2, ldb, tw_one, t12, ldt);
    CPU(trmm)('L', 'U', 'N', 'N', n1, n2, tw_minus_one, t, ldt, t12, ldt);
    CPU(trmm)('R', 'U', 'N', 'N', n1, n2, tw_one, TW_AT(t, ldt, n1, n1), ldt, t12, ldt);
}

static void factor(int m, int n, int l, T *a, int lda, T *b, int ldb, T *t, int ldt, T *work)
{
    int n1 = tw_half(n), n2 = n - n1, rows, trapezoid;
    T *b2 = TW_AT(b, ldb, 0, n1);

    if (n <= BASE) {
        tw_account_vendor("tpqrt2", m);
        LAPACKE(tpqrt2_work)(LAPACK_COL_MAJOR, m, n, l, a, lda, b, ldb, t, ldt);
        return;
    }
    reach(m, l, 0, n1, &rows, &trapezoid);
    factor(rows, n1, trapezoid, a, lda, b, ldb, t, ldt, work);
    apply('L', TW_IS_COMPLEX ? 'C' : 'T', rows, n2, n1, trapezoid, b, ldb, t, ldt, TW_AT(a, lda, 0, n1), lda, b2, ldb,
          work);
    factor(m, n2, l > n1 ? l - n1 : 0, TW_AT(a, lda, n1, n1), lda, b2, ldb, TW_AT(t, ldt, n1, n1), ldt, work);
    join(rows, trapezoid, n1, n2, b, b2, ldb, t, ldt);
}

void CPU(tpqrt)(int m, int n, int l, int nb, void *a_, int lda, void *b_, int ldb, void *t_, int ldt, void *work)
{
    T *a = a_, *b = b_, *t = t_;
    if (m <= 0) CPU(laset)('G', tw_min(nb, n), n, tw_zero, tw_zero, t, ldt); /* nothing to do: Q is the identity */
    for (int i = 0; i < n && m > 0; i += nb) {
        int ib = tw_min(nb, n - i), rest = n - i - ib, rows, trapezoid;
        T *bi = TW_AT(b, ldb, 0, i), *ti = TW_AT(t, ldt, 0, i);
        reach(m, l, i, ib, &rows, &trapezoid);
        factor(rows, ib, trapezoid, TW_AT(a, lda, i, i), lda, bi, ldb, ti, ldt, work);
        CPU(clear_below)(ib, ti, ldt);
        apply('L', TW_IS_COMPLEX ? 'C' : 'T', rows, rest, ib, trapezoid, bi, ldb, ti, ldt, TW_AT(a, lda, i, i + ib),
              lda, TW_AT(b, ldb, 0, i + ib), ldb, work);
    }
}

void CPU(tpmqrt)(char side, char trans, int m, int n, int k, int l, int nb, const void *v_, int ldv, const void *t_,
                 int ldt, void *a_, int lda, void *b_, int ldb, void *work)
{
    const T *v = v_, *t = t_;
    T *a = a_, *b = b_;
    int left = side == 'L', blocks = (k + nb - 1) / nb, forward = left == (trans != 'N'), rows, trapezoid;
    char op = trans == 'N' ? 'N' : TW_IS_COMPLEX ? 'C' : 'T';

    for (int x = 0; x < blocks; x++) {
        int i = (forward ? x : blocks - 1 - x) * nb, ib = tw_min(nb, k - i);
        const T *vi = TW_AT(v, ldv, 0, i), *ti = TW_AT(t, ldt, 0, i);
        reach(left ? m : n, l, i, ib, &rows, &trapezoid);
        if (left)
            apply(side, op, rows, n, ib, trapezoid, vi, ldv, ti, ldt, a + i, lda, b, ldb, work);
        else
            apply(side, op, m, rows, ib, trapezoid, vi, ldv, ti, ldt, TW_AT(a, lda, 0, i), lda, b, ldb, work);
    }
}
