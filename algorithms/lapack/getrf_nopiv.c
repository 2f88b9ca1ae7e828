/* LU factorization without row exchanges, in the manner of LAPACK, which has no such routine: always by tiles. */
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/doors.h"

#define GETRF_NOPIV(T, INT, ...) INT m, INT n, T *a, INT lda

static tw_int getrf_nopiv(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda)
{
    struct tw_matrix *A;
    int e;

    SIZE(1, m);
    SIZE(2, n);
    LD(4, lda, m);
    if (m == 0 || n == 0) return 0;
    ARRAY(3, a);
    e = wrap_for(&A, &tw_routine_getrf_nopiv, type, 'G', m, n, 0, a, lda);
    return finish(e ? e : tw_getrf_nopiv(A), A, NULL);
}

TW_LAPACK_DOOR(getrf_nopiv, GETRF_NOPIV, m, n, a, lda)
TW_LAPACK_ROW(getrf_nopiv, TW_LAPACK_WORDS(GETRF_NOPIV), NULL, NULL)
