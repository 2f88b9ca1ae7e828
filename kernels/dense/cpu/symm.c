/* C = alpha A B + beta C (side 'L') or alpha B A + beta C ('R') with a symmetric or hermitian A, of which one triangle
 * is read. */
#include "kernels/dense/cpu/typed.h"

void CPU(symm)(char side, char uplo, int m, int n, tw_scalar alpha, const void *a, int lda, const void *b, int ldb,
               tw_scalar beta, void *c, int ldc)
{
    T al = tw_value(alpha), be = tw_value(beta);
    if (m <= 0 || n <= 0) return;
    BLAS(symm)
    (CblasColMajor, tw_cblas_side(side), tw_cblas_uplo(uplo), m, n, TW_ARG(al), a, lda, b, ldb, TW_ARG(be), c, ldc);
}

void CPU(hemm)(char side, char uplo, int m, int n, tw_scalar alpha, const void *a, int lda, const void *b, int ldb,
               tw_scalar beta, void *c, int ldc)
{
#if TW_IS_COMPLEX
    T al = tw_value(alpha), be = tw_value(beta);
    if (m <= 0 || n <= 0) return;
    BLAS(hemm)
    (CblasColMajor, tw_cblas_side(side), tw_cblas_uplo(uplo), m, n, TW_ARG(al), a, lda, b, ldb, TW_ARG(be), c, ldc);
#else
    CPU(symm)(side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
#endif
}
