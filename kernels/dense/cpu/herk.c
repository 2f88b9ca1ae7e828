/* C = alpha A A^H + beta C (trans 'N') or alpha A^H A + beta C, one triangle. With real types it is syrk. */
#include "kernels/dense/cpu/typed.h"

void CPU(herk)(char uplo, char trans, int n, int k, double alpha, const void *a, int lda, double beta, void *c, int ldc)
{
#if TW_IS_COMPLEX
    if (n <= 0) return;
    BLAS(herk)
    (CblasColMajor, tw_cblas_uplo(uplo), trans == 'N' ? CblasNoTrans : CblasConjTrans, n, k, (R)alpha, a, lda, (R)beta,
     c, ldc);
#else
    CPU(syrk)(uplo, trans, n, k, (tw_scalar){alpha, 0}, a, lda, (tw_scalar){beta, 0}, c, ldc);
#endif
}
