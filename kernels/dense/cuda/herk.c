/* C = alpha A A^H + beta C (trans 'N') or alpha A^H A + beta C, one triangle. With real types it is syrk. */
#include "kernels/dense/cuda/typed_cuda.h"

int CUDA(herk)(const struct tw_cuda *q, char uplo, char trans, int n, int k, double alpha, const void *a, int lda,
               double beta, void *c, int ldc)
{
#if TW_IS_COMPLEX
    R al = (R)alpha, be = (R)beta;
    if (n <= 0) return 0;
    if (alpha == 0) k = 0; /* A is not read */
    TW_TRY(tw_cublas_host_scalars(q));
    return TW_STATUS(BLAS, herk,
                     CUBLAS(herk)((cublasHandle_t)q->blas, tw_cublas_uplo(uplo),
                                  trans == 'N' ? CUBLAS_OP_N : CUBLAS_OP_C, n, k, &al, a, lda, &be, c, ldc));
#else
    return CUDA(syrk)(q, uplo, trans, n, k, (tw_scalar){alpha, 0}, a, lda, (tw_scalar){beta, 0}, c, ldc);
#endif
}
