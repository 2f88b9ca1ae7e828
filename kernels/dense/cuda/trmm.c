/* C = alpha op(A) B (side 'L') or alpha B op(A) (side 'R') with a triangle A. alpha = 0 sets the output, whatever A and
 * B hold. cuBLAS allows C to be B, which takes it several times as long: no caller here does that. */
#include "kernels/dense/cuda/typed_cuda.h"

int CUDA(trmm_to)(const struct tw_cuda *q, char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha,
                  const void *a, int lda, const void *b, int ldb, void *c, int ldc)
{
    T al = tw_value(alpha);
    if (m <= 0 || n <= 0) return 0;
    if (alpha.re == 0 && alpha.im == 0) return CUDA(laset)(q, 'G', m, n, tw_zero, tw_zero, c, ldc);
    TW_TRY(tw_cublas_host_scalars(q));
    return TW_STATUS(BLAS, trmm,
                     CUBLAS(trmm)((cublasHandle_t)q->blas, tw_cublas_side(side), tw_cublas_uplo(uplo),
                                  tw_cublas_trans(trans), tw_cublas_diag(diag), m, n, &al, a, lda, b, ldb, c, ldc));
}
