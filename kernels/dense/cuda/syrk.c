/* C = alpha A A^T + beta C (trans 'N') or alpha A^T A + beta C, one triangle; symmetric for complex types, too. */
#include "kernels/dense/cuda/typed_cuda.h"

int CUDA(syrk)(const struct tw_cuda *q, char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda,
               tw_scalar beta, void *c, int ldc)
{
    T al = tw_value(alpha), be = tw_value(beta);
    if (n <= 0) return 0;
    if (alpha.re == 0 && alpha.im == 0) k = 0; /* A is not read */
    TW_TRY(tw_cublas_host_scalars(q));
    return TW_STATUS(BLAS, syrk,
                     CUBLAS(syrk)((cublasHandle_t)q->blas, tw_cublas_uplo(uplo),
                                  trans == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T, n, k, &al, a, lda, &be, c, ldc));
}
