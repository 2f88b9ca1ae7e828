/* Solving with LU factors under the names of LAPACK and LAPACKE. */
#include <math.h>
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/lu.h"
#include "algorithms/lapack/straight.h"
#include "algorithms/lapack/transpose.h"
#include <stdlib.h>

#define GETRS(T, INT, INTS, ...) char trans, INT n, INT nrhs, const T *a, INT lda, const INTS *ipiv, T *b, INT ldb

TW_LAPACK_ITSELF(getrs, GETRS, trans, n, nrhs, a, lda, ipiv, b, ldb)

tw_int tw_straight_getrs(const char *routine, enum tw_type type, char trans, tw_int n, tw_int nrhs, const void *a,
                         tw_int lda, const tw_int *ipiv, void *b, tw_int ldb)
{
    struct tw_pivots p;
    tw_int info = tw_pivots_begin(&p, routine, n);

    if (info) return info;
    tw_pivots_from_user(n, ipiv, p.at);
    info = lapack_getrs[type](trans, (int)n, (int)nrhs, a, (int)lda, p.at, b, (int)ldb);
    tw_pivots_end(&p);
    return info;
}

static tw_int getrs(const char *routine, enum tw_type type, char trans, tw_int n, tw_int nrhs, const void *a,
                    tw_int lda, const tw_int *ipiv, void *b, tw_int ldb)
{
    const double order = cbrt(6.0 * (double)n * (double)n * (double)nrhs);
    struct tw_pivots p;
    struct tw_lu_tiles t;
    tw_int e;

    TRANS(1);
    SIZE(2, n);
    SIZE(3, nrhs);
    LD(5, lda, n);
    LD(8, ldb, n);
    if (n == 0 || nrhs == 0) return 0;
    ARRAY(4, a);
    ARRAY(6, ipiv);
    ARRAY(7, b);
    if (straight(&tw_routine_getrs, type, order, n, nrhs, lda, ldb))
        return tw_straight_getrs(routine, type, trans, n, nrhs, a, lda, ipiv, b, ldb);
    if ((e = tw_pivots_begin(&p, routine, n))) return e;
    tw_pivots_from_user(n, ipiv, p.at);
    e = tw_lu_wrap(&t, &tw_routine_getrs, type, n, n, a, lda, nrhs, b, ldb);
    if (!e) e = tw_matrix_set_lapack(t.ipiv, p.at, n);
    tw_pivots_end(&p);
    return tw_lu_leave(routine, e ? e : tw_getrs((enum tw_trans)trans, t.A, t.ipiv, t.B), &t, 0, NULL);
}

static tw_int lapacke_getrs(const struct tw_lapacke *call, char trans, tw_int n, tw_int nrhs, const void *a, tw_int lda,
                            const void *ipiv, void *b, tw_int ldb)
{
    struct rows A = {call->type, n, n, (void *)a, NULL, lda}, B = {call->type, n, nrhs, b, NULL, ldb};
    tw_int *piv, info;

    LAYOUT;
    NOT_NAN(5, nan_general(call, n, n, a, lda));
    NOT_NAN(8, nan_general(call, n, nrhs, b, ldb));
    ROW_LD(6, lda, n);
    ROW_LD(9, ldb, nrhs);
    if (!(piv = tw_pivots_room(n)) || (ROWS && (rows_begin(&A) || rows_begin(&B)))) {
        rows_end(&A, 0);
        free(piv);
        return no_memory(call->routine);
    }
    if (ipiv && (ROWS || (lda >= n && ldb >= n))) tw_pivots_in(call, n, ipiv, piv); /* else refused below, unread */
    info = getrs(call->lapack, call->type, trans, n, nrhs, ROWS ? A.mine : a, ROWS ? tw_max(1, n) : lda,
                 ipiv ? piv : NULL, ROWS ? B.mine : b, ROWS ? tw_max(1, n) : ldb);
    rows_end(&A, 0);
    rows_end(&B, info >= 0);
    free(piv);
    return leave(call, info);
}

TW_LAPACK_DOORS(getrs, GETRS, trans, n, nrhs, a, lda, ipiv, b, ldb)
