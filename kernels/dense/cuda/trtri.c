/* Inverse of a triangle: solve with the identity in the workspace (n x n), copy the triangle back. */
#include "kernels/dense/cuda/typed_cuda.h"

int CUDA(trtri)(const struct tw_cuda *q, char uplo, char diag, int n, void *a, int lda, void *work)
{
    char part = diag == 'N' ? uplo : uplo == 'L' ? 'l' : 'u'; /* a unit diagonal is not stored: leave it alone */
    if (n <= 0) return 0;
    TW_TRY(CUDA(laset)(q, 'G', n, n, tw_zero, tw_one, work, n));
    TW_TRY(CUDA(trsm)(q, 'L', uplo, 'N', diag, n, n, tw_one, a, lda, work, n));
    return CUDA(copy)(q, part, TW_COPY_PART, n, n, work, n, a, lda);
}
