/* Eigenvalues, and eigenvectors, of a hermitian matrix by LAPACK's syevd or heevd, which allocates what it needs. */
#include "kernels/dense/cpu/typed.h"

#if TW_IS_COMPLEX
#define SYEVD LAPACKE(heevd)
#else
#define SYEVD LAPACKE(syevd)
#endif

int CPU(syevd)(char jobz, char uplo, int n, void *a, int lda, void *w)
{
    tw_account_vendor("syevd", n);
#if TW_IS_COMPLEX
    for (int i = 0; i < n; i++) /* is not read, but LAPACKE would refuse a NaN there */
        ((R *)TW_AT((T *)a, lda, i, i))[1] = 0;
#endif
    return (int)SYEVD(LAPACK_COL_MAJOR, jobz, uplo, n, a, lda, w);
}
