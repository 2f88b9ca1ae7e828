/* C = alpha A A^T + beta C (trans 'N') or alpha A^T A + beta C, one triangle; symmetric for complex types, too. */
#include "kernels/cpu/local.h"

void CPU(syrk)(char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda, tw_scalar beta, void *c,
               int ldc)
{
    T al = tw_value(alpha), be = tw_value(beta);
    if (n <= 0) return;
    BLAS(syrk)(CblasColMajor, tw_cblas_uplo(uplo), trans == 'N' ? CblasNoTrans : CblasTrans, n, k, TW_ARG(al), a, lda,
               TW_ARG(be), c, ldc);
}
