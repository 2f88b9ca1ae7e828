/* Cholesky factor of a tile. */
#include <lapacke.h>
#include "kernels/cpu/local.h"

/* 1-based index of the first NaN on the diagonal, 0 if there is none. */
static int first_nan(int n, const T *a, int lda)
{
    for (int i = 0; i < n; i++)
        if (__builtin_isnan(TW_RE(*TW_AT(a, lda, i, i)))) return i + 1;
    return 0;
}

/* The reference LAPACK calls a NaN pivot "not positive definite"; OpenBLAS goes on and returns 0 or a later index. */
int CPU(potrf)(char uplo, int n, void *a, int lda)
{
    int info, nan;
    if (n <= 0) return 0;
    info = (int)LAPACKE(potrf_work)(LAPACK_COL_MAJOR, uplo, n, a, lda);
    nan = first_nan(n, a, lda);
    return nan && (info == 0 || nan < info) ? nan : info;
}
