/* C = alpha A A^T + beta C (trans 'N') or alpha A^T A + beta C, one triangle; symmetric for complex types, too.
 *
 * OpenBLAS' routine is near gemm's rate (a recursion over gemm was slower in every case tried), with one exception:
 * double, lower, trans 'N', long k, which is what a lower Cholesky factorization runs. There it is fed 64 columns at
 * a time: one core, SkylakeX kernels, n = k = 256 / 512: 55 / 69 GF whole, 76 / 82 GF in pieces. */
#include "kernels/dense/cpu/typed.h"

static int piece(char uplo, char trans, int n, int k)
{
    int slow = !TW_IS_COMPLEX && !TW_IS_SINGLE && uplo == 'L' && trans == 'N' && n > 128 && n < 1024;
    return slow && k > 64 ? 64 : k;
}

void CPU(syrk)(char uplo, char trans, int n, int k, tw_scalar alpha, const void *a_, int lda, tw_scalar beta, void *c,
               int ldc)
{
    T al = tw_value(alpha), be = tw_value(beta);
    const T *a = a_;
    int step = piece(uplo, trans, n, k), from = 0;
    if (n <= 0) return;
    do {
        BLAS(syrk)
        (CblasColMajor, tw_cblas_uplo(uplo), trans == 'N' ? CblasNoTrans : CblasTrans, n,
         k - from < step ? k - from : step, TW_ARG(al), trans == 'N' ? TW_AT(a, lda, 0, from) : a + from, lda,
         TW_ARG(be), c, ldc);
        be = 1;
        from += step;
    } while (from < k);
}
