/* The LU factorization under the names of LAPACK and LAPACKE. */
#include <math.h>
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/lu.h"
#include "algorithms/lapack/straight.h"
#include "algorithms/lapack/transpose.h"
#include <stdlib.h>

#define GETRF(T, INT, INTS, ...) INT m, INT n, T *a, INT lda, INTS *ipiv

TW_LAPACK_ITSELF(getrf, GETRF, m, n, a, lda, ipiv)

tw_int tw_straight_getrf(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda, tw_int *ipiv)
{
    const tw_int k = tw_min(m, n);
    struct tw_pivots p;
    tw_int info = tw_pivots_begin(&p, routine, k);

    if (info) return info;
    info = lapack_getrf[type]((int)m, (int)n, a, (int)lda, p.at);
    tw_pivots_to_user(k, p.at, ipiv);
    tw_pivots_end(&p);
    return info;
}

static tw_int getrf(const char *routine, enum tw_type type, tw_int m, tw_int n, void *a, tw_int lda, tw_int *ipiv)
{
    const double order = order_unless_thin(cbrt(3 * tw_flops_getrf(TW_DOUBLE, (double)m, (double)n)), m, n);
    struct tw_lu_tiles t;
    tw_int e;

    SIZE(1, m);
    SIZE(2, n);
    LD(4, lda, m);
    if (m == 0 || n == 0) return 0;
    ARRAY(3, a);
    ARRAY(5, ipiv);
    if (straight(&tw_routine_getrf, type, order, n, 0, lda, 0))
        return tw_straight_getrf(routine, type, m, n, a, lda, ipiv);
    e = tw_lu_wrap(&t, &tw_routine_getrf, type, m, n, a, lda, 0, NULL, 0);
    return tw_lu_leave(routine, e ? e : tw_getrf(t.A, t.ipiv), &t, tw_min(m, n), ipiv);
}

static tw_int lapacke_getrf(const struct tw_lapacke *call, tw_int m, tw_int n, void *a, tw_int lda, void *ipiv)
{
    struct rows A = {call->type, m, n, a, NULL, lda};
    tw_int *piv, info, k = tw_min(m, n);

    LAYOUT;
    NOT_NAN(4, nan_general(call, m, n, a, lda));
    ROW_LD(5, lda, n);
    if (!(piv = tw_pivots_room(k)) || (ROWS && rows_begin(&A))) {
        free(piv);
        return no_memory(call->routine);
    }
    info = getrf(call->lapack, call->type, m, n, ROWS ? A.mine : a, ROWS ? tw_max(1, m) : lda, ipiv ? piv : NULL);
    if (info >= 0) tw_pivots_out(call, k, piv, ipiv);
    rows_end(&A, info >= 0);
    free(piv);
    return leave(call, info);
}

TW_LAPACK_DOORS(getrf, GETRF, m, n, a, lda, ipiv)
