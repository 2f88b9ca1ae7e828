/* A hermitian tile to a generalized eigenvalue problem's standard form, with the Cholesky factor of B: both sides of
 * the full matrix, which takes twice the flops of LAPACK's way and two large products or solves. Workspace: 2 n x n. */
#include "kernels/dense/cuda/typed_cuda.h"

int CUDA(sygst)(const struct tw_cuda *q, int itype, char uplo, int n, void *a, int lda, const void *b, int ldb,
                void *work)
{
    const char adjoint = TW_IS_COMPLEX ? 'C' : 'T';
    /* inv(L) A inv(L^H) and U A U^H have the factor as it stands on the left, inv(U^H) A inv(U) and L^H A L on the
     * right. */
    const int plain_first = (uplo == 'L') == (itype == 1);
    const char left = plain_first ? 'N' : adjoint, right = plain_first ? adjoint : 'N';
    T *full = work, *half = TW_AT(full, n, 0, n);

    if (n <= 0) return 0;
    TW_TRY(CUDA(transpose)(q, adjoint, n, n, a, lda, full, n));
    TW_TRY(CUDA(copy)(q, uplo, TW_COPY_REAL_DIAGONAL, n, n, a, lda, full, n));
    if (itype == 1) {
        TW_TRY(CUDA(trsm)(q, 'L', uplo, left, 'N', n, n, tw_one, b, ldb, full, n));
        TW_TRY(CUDA(trsm)(q, 'R', uplo, right, 'N', n, n, tw_one, b, ldb, full, n));
    } else {
        TW_TRY(CUDA(trmm_to)(q, 'L', uplo, left, 'N', n, n, tw_one, b, ldb, full, n, half, n));
        TW_TRY(CUDA(trmm_to)(q, 'R', uplo, right, 'N', n, n, tw_one, b, ldb, half, n, full, n));
    }
    return CUDA(copy)(q, uplo, TW_COPY_REAL_DIAGONAL, n, n, full, n, a, lda);
}
