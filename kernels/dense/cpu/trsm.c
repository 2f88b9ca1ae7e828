/* B = alpha op(A)^-1 B (side 'L') or alpha B op(A)^-1 (side 'R') with a triangle A.
 *
 * One core, SkylakeX kernels, n = m = 256 / 512 / 1024, OpenBLAS -> this file, in GF (gemm: 95 / 98 / 96 in double):
 *   d  right, lower, 'T'  43 / 58 / 71 -> 74 / 84 / 86     left, lower, 'N'  34 / 49 / 62 -> 67 / 76 / 84
 *   s                     72 / 98 / 136 -> 143 / 175 / 188                   53 / 77 / 113 -> 117 / 154 / 186
 *   z                     59 / 70 / 80 -> 76 / 79 / 85                       60 / 69 / 79 -> 76 / 79 / 81
 *   c                     106 / 142 / 171 -> 170 / 188 / 201                 86 / 118 / 157 -> 164 / 184 / 195 */
#include "kernels/dense/cpu/typed.h"

/* Halve the triangle: solve with one half, take its share off the rest (gemm), solve with the other half. */
static void solve(const struct tw_trsm_variant *s, int n, int count, T alpha, const T *a, int lda, T *b, int ldb)
{
    int n1 = tw_half(n), n2 = n - n1, np = s->forward ? n1 : n2, nq = n - np;
    const T *a2 = TW_AT(a, lda, n1, n1), *off = s->lower ? TW_AT(a, lda, n1, 0) : TW_AT(a, lda, 0, n1);
    T *b2 = s->left ? TW_AT(b, ldb, n1, 0) : TW_AT(b, ldb, 0, n1);
    T *bp = s->forward ? b : b2, *bq = s->forward ? b2 : b, minus = -1, one = 1;

    if (n <= (count >= 64 && !TW_IS_COMPLEX ? TW_TRSM_SMALL : TW_TRSM_SMALL / 2)) {
        CPU(trsm_small)(s, n, count, alpha, a, lda, b, ldb);
        return;
    }
    solve(s, np, count, alpha, s->forward ? a : a2, lda, bp, ldb);
    if (s->left) BLAS(gemm)
    (CblasColMajor, tw_cblas_trans(s->trans), CblasNoTrans, nq, count, np, TW_ARG(minus), off, lda, bp, ldb,
     TW_ARG(alpha), bq, ldb);
    else BLAS(gemm)(CblasColMajor, CblasNoTrans, tw_cblas_trans(s->trans), count, nq, np, TW_ARG(minus), bp, ldb, off,
                    lda, TW_ARG(alpha), bq, ldb);
    solve(s, nq, count, one, s->forward ? a2 : a, lda, bq, ldb);
}

/* The few shapes in which OpenBLAS' own trsm is as fast or faster, measured like the others. */
static int narrow(const struct tw_trsm_variant *s, int order, int count)
{
    if (s->left) return count <= 4 && (TW_IS_COMPLEX || order <= 64);
    return !TW_IS_COMPLEX && TW_IS_SINGLE && order <= 256 && count <= (s->trans == 'N' ? 16 : 8);
}

void CPU(trsm)(char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha, const void *a, int lda,
               void *b, int ldb)
{
    T al = tw_value(alpha);
    struct tw_trsm_variant s = {.left = side == 'L', .lower = uplo == 'L', .trans = trans, .diag = diag};
    int order = s.left ? m : n, count = s.left ? n : m;
    if (m <= 0 || n <= 0) return;
    s.forward = s.left == (s.lower == (trans == 'N'));
    if (al == 0 || narrow(&s, order, count)) BLAS(trsm)
    (CblasColMajor, tw_cblas_side(side), tw_cblas_uplo(uplo), tw_cblas_trans(trans), tw_cblas_diag(diag), m, n,
     TW_ARG(al), a, lda, b, ldb);
    else solve(&s, order, count, al, a, lda, b, ldb);
}
