/* Inverse of a triangle, in place. */
#include <lapacke.h>
#include "kernels/cpu/local.h"

int CPU(trtri)(char uplo, char diag, int n, void *a, int lda)
{
    if (n <= 0) return 0;
    return (int)LAPACKE(trtri_work)(LAPACK_COL_MAJOR, uplo, diag, n, a, lda);
}
