/* Rank-2k updates of one triangle, symmetric (syr2k) and hermitian (her2k; with real types the same). */
#include "kernels/dense/cpu/typed.h"

void CPU(syr2k)(char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda, const void *b, int ldb,
                tw_scalar beta, void *c, int ldc)
{
    T al = tw_value(alpha), be = tw_value(beta);
    if (n <= 0) return;
    BLAS(syr2k)
    (CblasColMajor, tw_cblas_uplo(uplo), trans == 'N' ? CblasNoTrans : CblasTrans, n, k, TW_ARG(al), a, lda, b, ldb,
     TW_ARG(be), c, ldc);
}

void CPU(her2k)(char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda, const void *b, int ldb,
                double beta, void *c, int ldc)
{
#if TW_IS_COMPLEX
    T al = tw_value(alpha);
    if (n <= 0) return;
    BLAS(her2k)
    (CblasColMajor, tw_cblas_uplo(uplo), trans == 'N' ? CblasNoTrans : CblasConjTrans, n, k, TW_ARG(al), a, lda, b, ldb,
     (R)beta, c, ldc);
#else
    CPU(syr2k)(uplo, trans, n, k, alpha, a, lda, b, ldb, (tw_scalar){beta, 0}, c, ldc);
#endif
}
