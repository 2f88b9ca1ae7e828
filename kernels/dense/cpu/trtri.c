/* Inverse of a triangle, in place: invert one half, multiply by it, solve with the other half, invert that; the
 * order of LAPACK's trtri, and so its error bounds.
 *
 * One core, SkylakeX kernels, double, OpenBLAS -> this file, in GF: lower n = 256 / 512 / 1024: 13 / 24 / 45 -> 59 /
 * 77 / 86. */
#include "kernels/dense/cpu/typed.h"

#define SMALL 16 /* order that OpenBLAS gets */

static void invert(char uplo, char diag, int n, T *a, int lda)
{
    int n1 = tw_half(n), n2 = n - n1;
    T *a22 = TW_AT(a, lda, n1, n1);
    if (n <= SMALL) {
        tw_account_vendor("trtri", n);
        LAPACKE(trtri_work)(LAPACK_COL_MAJOR, uplo, diag, n, a, lda);
    } else if (uplo == 'L') {
        T *a21 = TW_AT(a, lda, n1, 0);
        invert(uplo, diag, n2, a22, lda);
        CPU(trmm)('L', 'L', 'N', diag, n2, n1, tw_one, a22, lda, a21, lda);
        CPU(trsm)('R', 'L', 'N', diag, n2, n1, tw_minus_one, a, lda, a21, lda);
        invert(uplo, diag, n1, a, lda);
    } else {
        T *a12 = TW_AT(a, lda, 0, n1);
        invert(uplo, diag, n1, a, lda);
        CPU(trmm)('L', 'U', 'N', diag, n1, n2, tw_one, a, lda, a12, lda);
        CPU(trsm)('R', 'U', 'N', diag, n1, n2, tw_minus_one, a22, lda, a12, lda);
        invert(uplo, diag, n2, a22, lda);
    }
}

int CPU(trtri)(char uplo, char diag, int n, void *a, int lda)
{
    int info = diag == 'U' ? 0 : CPU(trdiag)(n, a, lda);
    if (n <= 0 || info) return info;
    invert(uplo, diag, n, a, lda);
    return 0;
}
