/* B = A diag(x), by cuBLAS' dgmm. */
#include "kernels/dense/cuda/typed_cuda.h"

int CUDA(lascl_columns)(const struct tw_cuda *q, int m, int n, const void *a, int lda, const void *x, void *b, int ldb)
{
    if (m <= 0 || n <= 0) return 0;
    return TW_STATUS(BLAS, dgmm, CUBLAS(dgmm)((cublasHandle_t)q->blas, CUBLAS_SIDE_RIGHT, m, n, a, lda, x, 1, b, ldb));
}
