/* LU factorization and solve under the names of LAPACK and LAPACKE. */
#include <math.h>
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/lu.h"
#include "algorithms/lapack/straight.h"
#include "algorithms/lapack/transpose.h"
#include <stdlib.h>

#define GESV(T, INT, INTS, ...) INT n, INT nrhs, T *a, INT lda, INTS *ipiv, T *b, INT ldb

static tw_int gesv(const char *routine, enum tw_type type, tw_int n, tw_int nrhs, void *a, tw_int lda, tw_int *ipiv,
                   void *b, tw_int ldb)
{
    const double order = cbrt((double)n * (double)n * (2.0 * (double)n + 6.0 * (double)nrhs));
    struct tw_lu_tiles t;
    tw_int info;

    SIZE(1, n);
    SIZE(2, nrhs);
    LD(4, lda, n);
    LD(7, ldb, n);
    if (n == 0) return 0;
    ARRAY(3, a);
    ARRAY(5, ipiv);
    if (nrhs > 0) ARRAY(6, b);
    if (straight(&tw_routine_gesv, type, order, n, nrhs, lda, ldb)) {
        info = tw_straight_getrf(routine, type, n, n, a, lda, ipiv);
        if (info || nrhs == 0) return info;
        return tw_straight_getrs(routine, type, 'N', n, nrhs, a, lda, ipiv, b, ldb);
    }
    info = tw_lu_wrap(&t, &tw_routine_gesv, type, n, n, a, lda, nrhs, nrhs > 0 ? b : NULL, ldb);
    if (!info) info = t.B ? tw_gesv(t.A, t.ipiv, t.B) : tw_getrf(t.A, t.ipiv);
    return tw_lu_leave(routine, info, &t, n, ipiv);
}

static tw_int lapacke_gesv(const struct tw_lapacke *call, tw_int n, tw_int nrhs, void *a, tw_int lda, void *ipiv,
                           void *b, tw_int ldb)
{
    struct rows A = {call->type, n, n, a, NULL, lda}, B = {call->type, n, nrhs, b, NULL, ldb};
    tw_int *piv, info;

    LAYOUT;
    NOT_NAN(4, nan_general(call, n, n, a, lda));
    NOT_NAN(7, nan_general(call, n, nrhs, b, ldb));
    ROW_LD(5, lda, n);
    ROW_LD(8, ldb, nrhs);
    if (!(piv = tw_pivots_room(n)) || (ROWS && (rows_begin(&A) || rows_begin(&B)))) {
        rows_end(&A, 0);
        free(piv);
        return no_memory(call->routine);
    }
    info = gesv(call->lapack, call->type, n, nrhs, ROWS ? A.mine : a, ROWS ? tw_max(1, n) : lda, ipiv ? piv : NULL,
                ROWS ? B.mine : b, ROWS ? tw_max(1, n) : ldb);
    if (info >= 0) tw_pivots_out(call, n, piv, ipiv);
    rows_end(&A, info >= 0);
    rows_end(&B, info == 0);
    free(piv);
    return leave(call, info);
}

TW_LAPACK_DOORS(gesv, GESV, n, nrhs, a, lda, ipiv, b, ldb)
