/* C = alpha op(A) op(B) + beta C. */
#include "kernels/dense/cpu/typed.h"

void CPU(gemm)(char ta, char tb, int m, int n, int k, tw_scalar alpha, const void *a, int lda, const void *b, int ldb,
               tw_scalar beta, void *c, int ldc)
{
    T al = tw_value(alpha), be = tw_value(beta);
    if (m <= 0 || n <= 0) return;
    if (al == 0) { /* BLAS reads neither A nor B then; OpenBLAS 0.3.21 does, in its kernels for small matrices */
        CPU(geadd)('N', m, n, tw_zero, c, ldc, beta, c, ldc);
        return;
    }
    BLAS(gemm)
    (CblasColMajor, tw_cblas_trans(ta), tw_cblas_trans(tb), m, n, k, TW_ARG(al), a, lda, b, ldb, TW_ARG(be), c, ldc);
}
