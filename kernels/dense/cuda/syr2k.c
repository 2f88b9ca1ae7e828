/* Rank-2k updates of one triangle, symmetric and hermitian. alpha = 0 is k = 0: neither A nor B is read. */
#include "kernels/dense/cuda/typed_cuda.h"

int CUDA(syr2k)(const struct tw_cuda *q, char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda,
                const void *b, int ldb, tw_scalar beta, void *c, int ldc)
{
    T al = tw_value(alpha), be = tw_value(beta);
    if (n <= 0) return 0;
    if (alpha.re == 0 && alpha.im == 0) k = 0;
    TW_TRY(tw_cublas_host_scalars(q));
    return TW_STATUS(BLAS, syr2k,
                     CUBLAS(syr2k)((cublasHandle_t)q->blas, tw_cublas_uplo(uplo),
                                   trans == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T, n, k, &al, a, lda, b, ldb, &be, c, ldc));
}

int CUDA(her2k)(const struct tw_cuda *q, char uplo, char trans, int n, int k, tw_scalar alpha, const void *a, int lda,
                const void *b, int ldb, double beta, void *c, int ldc)
{
#if TW_IS_COMPLEX
    T al = tw_value(alpha);
    R be = (R)beta;
    if (n <= 0) return 0;
    if (alpha.re == 0 && alpha.im == 0) k = 0;
    TW_TRY(tw_cublas_host_scalars(q));
    return TW_STATUS(BLAS, her2k,
                     CUBLAS(her2k)((cublasHandle_t)q->blas, tw_cublas_uplo(uplo),
                                   trans == 'N' ? CUBLAS_OP_N : CUBLAS_OP_C, n, k, &al, a, lda, b, ldb, &be, c, ldc));
#else
    return CUDA(syr2k)(q, uplo, trans, n, k, alpha, a, lda, b, ldb, (tw_scalar){beta, 0}, c, ldc);
#endif
}
