/* The inverse from LU factors under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/lu.h"
#include "algorithms/lapack/qr.h"
#include "algorithms/lapack/straight.h"

#define GETRI(T, INT, INTS, ...)      INT n, T *a, INT lda, const INTS *ipiv
#define GETRI_WORK(T, INT, INTS, ...) INT n, T *a, INT lda, const INTS *ipiv, T *work, INT lwork

TW_LAPACK_ITSELF(getri, GETRI_WORK, n, a, lda, ipiv, work, lwork)

static tw_int straight_getri(const char *routine, enum tw_type type, tw_int n, void *a, tw_int lda, const int32_t *ipiv)
{
    const tw_int zero = tw_first_zero(type, n, a, lda);
    tw_int info;

    if (zero) return zero;
#define CALL(work, lwork) lapack_getri[type]((int)n, a, (int)lda, ipiv, work, lwork)
    STRAIGHT(info, CALL);
#undef CALL
    return info;
}

static tw_int invert(const char *routine, enum tw_type type, tw_int n, void *a, tw_int lda, const tw_int *ipiv,
                     struct workspace w)
{
    struct tw_lu_tiles t;
    struct tw_pivots p;
    tw_int info;

    SIZE(1, n);
    LD(3, lda, n);
    WORKSPACE(6, w, n);
    if (n == 0) return 0;
    ARRAY(2, a);
    ARRAY(4, ipiv);
    if ((info = tw_pivots_begin(&p, routine, n))) return info;
    tw_pivots_from_user(n, ipiv, p.at);
    if (straight(&tw_routine_getri, type, order_of(tw_flops_getri(TW_DOUBLE, (double)n)), n, 0, lda, 0)) {
        info = straight_getri(routine, type, n, a, lda, p.at);
        tw_pivots_end(&p);
        return info;
    }
    info = tw_lu_wrap(&t, &tw_routine_getri, type, n, n, a, lda, 0, NULL, 0);
    if (!info) info = tw_matrix_set_lapack(t.ipiv, p.at, n);
    tw_pivots_end(&p);
    return tw_lu_leave(routine, info ? info : tw_getri(t.A, t.ipiv), &t, 0, NULL);
}

static tw_int getri(const char *routine, enum tw_type type, tw_int n, void *a, tw_int lda, const tw_int *ipiv)
{
    return invert(routine, type, n, a, lda, ipiv, OWN_WORKSPACE);
}

static tw_int lapacke(const struct tw_lapacke *call, tw_int n, void *a, tw_int lda, const void *ipiv,
                      struct workspace w)
{
    struct rows A = {call->type, n, n, a, NULL, lda};
    tw_int *piv, info;

    LAYOUT;
    NOT_NAN(3, nan_general(call, n, n, a, lda));
    ROW_LD(4, lda, n);
    if (w.lwork == -1) return leave(call, invert(call->lapack, call->type, n, a, ROWS ? tw_max(1, n) : lda, NULL, w));
    if (!(piv = tw_pivots_room(n)) || (ROWS && rows_begin(&A))) {
        free(piv);
        return no_memory(call->routine);
    }
    if (ipiv && lda >= n) tw_pivots_in(call, n, ipiv, piv); /* else refused below, unread */
    info = invert(call->lapack, call->type, n, ROWS ? A.mine : a, ROWS ? tw_max(1, n) : lda, ipiv ? piv : NULL, w);
    rows_end(&A, info == 0);
    free(piv);
    return leave(call, info);
}
static tw_int lapacke_getri(const struct tw_lapacke *call, tw_int n, void *a, tw_int lda, const void *ipiv)
{
    return lapacke(call, n, a, lda, ipiv, OWN_WORKSPACE);
}
static tw_int lapacke_getri_work(const struct tw_lapacke *call, tw_int n, void *a, tw_int lda, const void *ipiv,
                                 void *work, tw_int lwork)
{
    return lapacke(call, n, a, lda, ipiv, (struct workspace){work, lwork});
}

TW_LAPACK_DOOR(getri, GETRI, n, a, lda, ipiv)
TW_LAPACKE_CHECKED(getri, GETRI, n, a, lda, ipiv)
TW_LAPACKE_WORK(getri, GETRI_WORK, lapacke_getri_work, n, a, lda, ipiv, work, lwork)
TW_LAPACK_ROW(getri, TW_LAPACK_WORDS(GETRI), TW_LAPACKE_WORDS(GETRI), TW_LAPACKE_WORDS(GETRI_WORK))
