/* Solving by LU without row exchanges, refined, in the manner of LAPACK, which has no such routine: always by tiles. */
#include "algorithms/lapack/condition.h"
#include "algorithms/lapack/doors.h"
#include "algorithms/lapack/lu.h"

#define GESV_NOPIV(T, INT, INTS, R, RS, ...)                                                                           \
    INT n, INT nrhs, T *a, INT lda, INTS *ipiv, T *b, INT ldb, INTS *iter, RS *growth, RS *berr

/* growth, berr: floats or doubles, as the type, or NULL. */
static tw_int gesv_nopiv(const char *routine, enum tw_type type, tw_int n, tw_int nrhs, void *a, tw_int lda,
                         tw_int *ipiv, void *b, tw_int ldb, tw_int *iter, void *growth, void *berr)
{
    struct tw_lu_tiles t;
    double grown = n == 0 ? 1 : -1, error = n == 0 ? 0 : -1;
    int steps = 0;
    tw_int info = 0;

    SIZE(1, n);
    SIZE(2, nrhs);
    LD(4, lda, n);
    LD(7, ldb, n);
    ARRAY(8, iter);
    if (n > 0) {
        ARRAY(3, a);
        ARRAY(5, ipiv);
        if (nrhs > 0) ARRAY(6, b);
        if (nrhs == 0) b = a, ldb = lda; /* an address for a matrix of no columns */
        info = tw_lu_wrap(&t, &tw_routine_gesv_nopiv, type, n, n, a, lda, nrhs, b, ldb);
        if (!info) info = tw_gesv_nopiv(t.A, t.ipiv, t.B, &steps, &grown, &error);
        info = tw_lu_leave(routine, info, &t, n, ipiv);
    }
    *iter = steps;
    if (growth) put_real(type, growth, grown);
    if (berr) put_real(type, berr, error);
    return info;
}

TW_LAPACK_DOOR(gesv_nopiv, GESV_NOPIV, n, nrhs, a, lda, ipiv, b, ldb, iter, growth, berr)
TW_LAPACK_ROW(gesv_nopiv, TW_LAPACK_WORDS(GESV_NOPIV), NULL, NULL)
