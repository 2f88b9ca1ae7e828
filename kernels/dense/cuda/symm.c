/* C = alpha A B + beta C (side 'L') or alpha B A + beta C ('R') with a symmetric or hermitian A. With alpha = 0 BLAS
 * reads neither A nor B; cuBLAS multiplies, so that NaN would stay. */
#include "kernels/dense/cuda/typed_cuda.h"

int CUDA(symm)(const struct tw_cuda *q, char side, char uplo, int m, int n, tw_scalar alpha, const void *a, int lda,
               const void *b, int ldb, tw_scalar beta, void *c, int ldc)
{
    T al = tw_value(alpha), be = tw_value(beta);
    if (m <= 0 || n <= 0) return 0;
    if (alpha.re == 0 && alpha.im == 0) return CUDA(geadd)(q, 'N', m, n, tw_zero, c, ldc, beta, c, ldc);
    TW_TRY(tw_cublas_host_scalars(q));
    return TW_STATUS(BLAS, symm,
                     CUBLAS(symm)((cublasHandle_t)q->blas, tw_cublas_side(side), tw_cublas_uplo(uplo), m, n, &al, a,
                                  lda, b, ldb, &be, c, ldc));
}

int CUDA(hemm)(const struct tw_cuda *q, char side, char uplo, int m, int n, tw_scalar alpha, const void *a, int lda,
               const void *b, int ldb, tw_scalar beta, void *c, int ldc)
{
#if TW_IS_COMPLEX
    T al = tw_value(alpha), be = tw_value(beta);
    if (m <= 0 || n <= 0) return 0;
    if (alpha.re == 0 && alpha.im == 0) return CUDA(geadd)(q, 'N', m, n, tw_zero, c, ldc, beta, c, ldc);
    TW_TRY(tw_cublas_host_scalars(q));
    return TW_STATUS(BLAS, hemm,
                     CUBLAS(hemm)((cublasHandle_t)q->blas, tw_cublas_side(side), tw_cublas_uplo(uplo), m, n, &al, a,
                                  lda, b, ldb, &be, c, ldc));
#else
    return CUDA(symm)(q, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
#endif
}
