/* B = alpha op(A) B (side 'L') or alpha B op(A) (side 'R') with a triangle A, in place. */
#include "kernels/dense/cpu/typed.h"

void CPU(trmm)(char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha, const void *a, int lda,
               void *b, int ldb)
{
    T al = tw_value(alpha);
    if (m <= 0 || n <= 0) return;
    BLAS(trmm)
    (CblasColMajor, tw_cblas_side(side), tw_cblas_uplo(uplo), tw_cblas_trans(trans), tw_cblas_diag(diag), m, n,
     TW_ARG(al), a, lda, b, ldb);
}

void CPU(trmm_to)(char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha, const void *a, int lda,
                  const void *b, int ldb, void *c, int ldc)
{
    if (alpha.re == 0 && alpha.im == 0) { /* B is not read then */
        CPU(laset)('G', m, n, tw_zero, tw_zero, c, ldc);
        return;
    }
    CPU(lacpy)('G', m, n, b, ldb, c, ldc);
    CPU(trmm)(side, uplo, trans, diag, m, n, alpha, a, lda, c, ldc);
}
