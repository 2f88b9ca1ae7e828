/* B = alpha op(A)^-1 B (side 'L') or alpha B op(A)^-1 (side 'R') with a triangle A.
 *
 * cuBLAS' trsm is far from gemm's rate (order 2048, double, H200: 12 beside 56 TF), so the triangle is halved down to
 * TRSM_LEAF and the rest is gemm. LU's unit lower triangle on the left is halved further, for a kernel of our own. */
#include "kernels/dense/cuda/panel.h"

#ifndef TRSM_LEAF
#define TRSM_LEAF 256
#endif

struct variant {
    char side, uplo, trans, diag;
};

static int leaf(const struct tw_cuda *q, const struct variant *v, int m, int n, tw_scalar alpha, const T *a, int lda,
                T *b, int ldb)
{
    T al = tw_value(alpha);
    return TW_STATUS(BLAS, trsm,
                     CUBLAS(trsm)((cublasHandle_t)q->blas, tw_cublas_side(v->side), tw_cublas_uplo(v->uplo),
                                  tw_cublas_trans(v->trans), tw_cublas_diag(v->diag), m, n, &al, a, lda, b, ldb));
}

static int of_lu(const struct variant *v, tw_scalar alpha)
{
    return v->side == 'L' && v->uplo == 'L' && v->trans == 'N' && v->diag == 'U' && alpha.re == 1 && alpha.im == 0;
}

/* Solve with one half of the triangle, take its share off the rest (gemm), solve with the other half. */
static int solve(const struct tw_cuda *q, const struct variant *v, int m, int n, tw_scalar alpha, const T *a, int lda,
                 T *b, int ldb)
{
    int left = v->side == 'L', lower = v->uplo == 'L', forward = left == (lower == (v->trans == 'N'));
    int order = left ? m : n, half = (order / 2 + 63) / 64 * 64, np = forward ? half : order - half, nq = order - np;
    const T *a2 = TW_AT(a, lda, half, half), *off = lower ? TW_AT(a, lda, half, 0) : TW_AT(a, lda, 0, half);
    const T *ap = forward ? a : a2, *aq = forward ? a2 : a;
    T *b2 = left ? TW_AT(b, ldb, half, 0) : TW_AT(b, ldb, 0, half), *bp = forward ? b : b2, *bq = forward ? b2 : b;
    const tw_scalar minus = {-1, 0};

    if (of_lu(v, alpha) && order <= TW_LU_SOLVE) return CUDA(lu_solve)(q, m, n, a, lda, b, ldb);
    if (!of_lu(v, alpha) && order <= TRSM_LEAF) return leaf(q, v, m, n, alpha, a, lda, b, ldb);
    TW_TRY(solve(q, v, left ? np : m, left ? n : np, alpha, ap, lda, bp, ldb));
    if (left)
        TW_TRY(CUDA(gemm)(q, v->trans, 'N', nq, n, np, minus, off, lda, bp, ldb, alpha, bq, ldb));
    else
        TW_TRY(CUDA(gemm)(q, 'N', v->trans, m, nq, np, minus, bp, ldb, off, lda, alpha, bq, ldb));
    return solve(q, v, left ? nq : m, left ? n : nq, tw_one, aq, lda, bq, ldb);
}

int CUDA(trsm)(const struct tw_cuda *q, char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha,
               const void *a, int lda, void *b, int ldb)
{
    struct variant v = {side, uplo, trans, diag};
    if (m <= 0 || n <= 0) return 0;
    /* BLAS sets B to zero then, whatever it held; cuBLAS multiplies, so that NaN stays. */
    if (alpha.re == 0 && alpha.im == 0) return CUDA(laset)(q, 'G', m, n, alpha, alpha, b, ldb);
    TW_TRY(tw_cublas_host_scalars(q));
    return solve(q, &v, m, n, alpha, a, lda, b, ldb);
}
