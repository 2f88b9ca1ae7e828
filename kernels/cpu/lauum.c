/* U U^H (uplo 'U') or L^H L (uplo 'L') of a triangle, over that triangle. */
#include <lapacke.h>
#include "kernels/cpu/local.h"

void CPU(lauum)(char uplo, int n, void *a, int lda)
{
    if (n <= 0) return;
    LAPACKE(lauum_work)(LAPACK_COL_MAJOR, uplo, n, a, lda);
}
