/* B = alpha op(A) B (side 'L') or alpha B op(A) (side 'R') with a triangle A, in place: cuBLAS allows the output to
 * be its input B ("the in-place functionality of BLAS"). */
#include "kernels/dense/cuda/typed_cuda.h"

int CUDA(trmm)(const struct tw_cuda *q, char side, char uplo, char trans, char diag, int m, int n, tw_scalar alpha,
               const void *a, int lda, void *b, int ldb)
{
    T al = tw_value(alpha);
    if (m <= 0 || n <= 0) return 0;
    TW_TRY(tw_cublas_host_scalars(q));
    return TW_STATUS(BLAS, trmm,
                     CUBLAS(trmm)((cublasHandle_t)q->blas, tw_cublas_side(side), tw_cublas_uplo(uplo),
                                  tw_cublas_trans(trans), tw_cublas_diag(diag), m, n, &al, a, lda, b, ldb, b, ldb));
}
