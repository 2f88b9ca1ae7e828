/* C = alpha op(A) op(B) + beta C. */
#include "kernels/dense/cuda/typed_cuda.h"

int CUDA(gemm)(const struct tw_cuda *q, char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a, int lda,
               const void *b, int ldb, tw_scalar beta, void *c, int ldc)
{
    T al = tw_value(alpha), be = tw_value(beta);
    if (m <= 0 || n <= 0) return 0;
    if (alpha.re == 0 && alpha.im == 0) k = 0; /* neither A nor B is read */
    TW_TRY(tw_cublas_host_scalars(q));
    return TW_STATUS(BLAS, gemm,
                     CUBLAS(gemm)((cublasHandle_t)q->blas, tw_cublas_trans(ta), tw_cublas_trans(tb), m, n, k, &al, a,
                                  lda, b, ldb, &be, c, ldc));
}
