/* U U^H (uplo 'U') or L^H L (uplo 'L') of a triangle, over that triangle. Workspace: 2 n x n, the triangle with
 * zeros in the other half, and the product. */
#include "kernels/dense/cuda/typed_cuda.h"

int CUDA(lauum)(const struct tw_cuda *q, char uplo, int n, void *a, int lda, void *work)
{
    T *full = work, *product = TW_AT(full, n, 0, n), one = tw_value(tw_one);
    cublasSideMode_t side = uplo == 'L' ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    if (n <= 0) return 0;
    TW_TRY(CUDA(copy)(q, uplo, TW_COPY_ZERO_REST, n, n, a, lda, full, n));
    TW_TRY(tw_cublas_host_scalars(q));
    TW_TRY(TW_STATUS(BLAS, trmm,
                     CUBLAS(trmm)((cublasHandle_t)q->blas, side, tw_cublas_uplo(uplo), CUBLAS_OP_C,
                                  CUBLAS_DIAG_NON_UNIT, n, n, &one, a, lda, full, n, product, n)));
    return CUDA(copy)(q, uplo, TW_COPY_REAL_DIAGONAL, n, n, product, n, a, lda);
}
