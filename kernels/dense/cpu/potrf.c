/* Cholesky factor of a tile: halve it, over the fast trsm and syrk, down to what OpenBLAS does itself.
 *
 * One core, SkylakeX kernels, double, OpenBLAS -> this file, in GF: lower n = 256 / 512 / 1024: 44 / 56 / 63 -> 55 /
 * 71 / 83; upper: 30 / 46 / 58 -> 48 / 67 / 79 (leading dimension 1040; the other types gain as much). */
#include <lapacke.h>
#include "kernels/dense/cpu/typed.h"

#define SMALL 16 /* order that OpenBLAS gets */

/* 1-based index of the first NaN on the diagonal, 0 if there is none. */
static int first_nan(int n, const T *a, int lda)
{
    for (int i = 0; i < n; i++)
        if (__builtin_isnan(TW_RE(*TW_AT(a, lda, i, i)))) return i + 1;
    return 0;
}

/* The reference LAPACK calls a NaN pivot "not positive definite"; OpenBLAS goes on and returns 0 or a later index. */
static int factor_small(char uplo, int n, T *a, int lda)
{
    int info = (int)LAPACKE(potrf_work)(LAPACK_COL_MAJOR, uplo, n, a, lda);
    int nan = first_nan(n, a, lda);
    return nan && (info == 0 || nan < info) ? nan : info;
}

int CPU(potrf)(char uplo, int n, void *a_, int lda)
{
    T *a = a_;
    int n1 = tw_half(n), n2 = n - n1, info;
    T *a22 = TW_AT(a, lda, n1, n1);
    if (n <= 0) return 0;
    if (n <= SMALL) return factor_small(uplo, n, a, lda);

    info = CPU(potrf)(uplo, n1, a, lda);
    if (info) return info;
    if (uplo == 'L') {
        T *a21 = TW_AT(a, lda, n1, 0);
        CPU(trsm)('R', 'L', 'C', 'N', n2, n1, tw_one, a, lda, a21, lda);
        CPU(herk)('L', 'N', n2, n1, -1, a21, lda, 1, a22, lda);
    } else {
        T *a12 = TW_AT(a, lda, 0, n1);
        CPU(trsm)('L', 'U', 'C', 'N', n1, n2, tw_one, a, lda, a12, lda);
        CPU(herk)('U', 'C', n2, n1, -1, a12, lda, 1, a22, lda);
    }
    info = CPU(potrf)(uplo, n2, a22, lda);
    return info ? info + n1 : 0;
}
