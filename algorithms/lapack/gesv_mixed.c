/* Solving by LU in mixed precision under the names of LAPACK and LAPACKE: dsgesv and zcgesv. */
#include "algorithms/lapack/lu.h"
#include "algorithms/lapack/mixed.h"

#define GESV(T, INT, INTS, ...) INT n, INT nrhs, T *a, INT lda, INTS *ipiv, T *b, INT ldb, T *x, INT ldx, INTS *iter
#define DSGESV_WORK(T, INT, INTS, R, RS, W, ...)                                                                       \
    INT n, INT nrhs, T *a, INT lda, INTS *ipiv, T *b, INT ldb, T *x, INT ldx, T *work, W *swork, INTS *iter
#define ZCGESV_WORK(T, INT, INTS, R, RS, W, ...)                                                                       \
    INT n, INT nrhs, T *a, INT lda, INTS *ipiv, T *b, INT ldb, T *x, INT ldx, T *work, W *swork, RS *rwork, INTS *iter

static tw_int straight_gesv(const char *routine, enum tw_type type, tw_int n, tw_int nrhs, void *a, tw_int lda,
                            tw_int *ipiv, void *b, tw_int ldb, void *x, tw_int ldx, tw_int *iter)
{
    struct mixed_work w;
    struct tw_pivots p;
    int steps = 0;
    tw_int info = tw_pivots_begin(&p, routine, n);

    if (info) return info;
    if (!(info = mixed_work_begin(&w, routine, type, n, nrhs))) {
        info = type == TW_DOUBLE ? LAPACKE_dsgesv_work(LAPACK_COL_MAJOR, (int)n, (int)nrhs, a, (int)lda, p.at, b,
                                                       (int)ldb, x, (int)ldx, w.work, w.swork, &steps)
                                 : LAPACKE_zcgesv_work(LAPACK_COL_MAJOR, (int)n, (int)nrhs, a, (int)lda, p.at, b,
                                                       (int)ldb, x, (int)ldx, w.work, w.swork, w.rwork, &steps);
        *iter = steps;
        tw_pivots_to_user(n, p.at, ipiv);
    }
    mixed_work_end(&w);
    tw_pivots_end(&p);
    if (info || *iter < 0 || mixed_is_finite(n, nrhs, x, ldx, type == TW_DOUBLE ? 1 : 2)) return info;
    *iter = MIXED_GAVE_UP;
    if ((info = tw_straight_getrf(routine, type, n, n, a, lda, ipiv))) return info;
    mixed_copy(type, n, nrhs, b, ldb, x, ldx);
    return tw_straight_getrs(routine, type, 'N', n, nrhs, a, lda, ipiv, x, ldx);
}

static tw_int by_tiles(const char *routine, enum tw_type type, tw_int n, tw_int nrhs, void *a, tw_int lda, tw_int *ipiv,
                       void *b, tw_int ldb, void *x, tw_int ldx, tw_int *iter)
{
    struct tw_matrix *B = NULL;
    struct tw_lu_tiles t;
    int steps = 0;
    tw_int info = tw_lu_wrap(&t, &tw_routine_gesv_mixed, type, n, n, a, lda, nrhs, x, ldx);

    if (!info) info = tw_matrix_wrap(&B, type, TW_GENERAL, n, nrhs, b, ldb, tw_matrix_nb(t.A));
    if (!info) info = tw_gesv_mixed(t.A, t.ipiv, B, t.B, &steps, NULL);
    *iter = steps;
    return tw_lu_leave(routine, finish(info, B, NULL), &t, n, ipiv);
}

static tw_int gesv(const char *routine, enum tw_type type, tw_int n, tw_int nrhs, void *a, tw_int lda, tw_int *ipiv,
                   void *b, tw_int ldb, void *x, tw_int ldx, tw_int *iter)
{
    const double order = cbrt((double)n * (double)n * (2.0 * (double)n + 6.0 * (double)nrhs));

    if (iter) *iter = 0;
    SIZE(1, n);
    SIZE(2, nrhs);
    LD(4, lda, n);
    LD(7, ldb, n);
    LD(9, ldx, n);
    ARRAY(10, iter);
    if (n == 0) return 0;
    ARRAY(3, a);
    ARRAY(5, ipiv);
    if (nrhs > 0) ARRAY(6, b);
    if (nrhs > 0) ARRAY(8, x);
    if (nrhs == 0) x = b = a, ldb = ldx = lda; /* an address for matrices of no columns */
    if (fits_lapack(&tw_routine_gesv_mixed, type, order, n, nrhs, lda, tw_max(ldb, ldx))) {
        by_vendor(type == TW_DOUBLE ? "dsgesv" : "zcgesv", n);
        return straight_gesv(routine, type, n, nrhs, a, lda, ipiv, b, ldb, x, ldx, iter);
    }
    return by_tiles(routine, type, n, nrhs, a, lda, ipiv, b, ldb, x, ldx, iter);
}

static tw_int lapacke_gesv(const struct tw_lapacke *call, tw_int n, tw_int nrhs, void *a, tw_int lda, void *ipiv,
                           void *b, tw_int ldb, void *x, tw_int ldx, void *work, void *swork, void *rwork, void *iter)
{
    struct rows A = {call->type, n, n, a, NULL, lda}, B = {call->type, n, nrhs, b, NULL, ldb},
                X = {call->type, n, nrhs, x, NULL, ldx};
    const tw_int ld = tw_max(1, n);
    tw_int *piv, info, steps = 0;

    (void)work, (void)swork, (void)rwork;
    LAYOUT;
    NOT_NAN(4, nan_general(call, n, n, a, lda));
    NOT_NAN(7, nan_general(call, n, nrhs, b, ldb));
    ROW_LD(5, lda, n);
    ROW_LD(8, ldb, nrhs);
    ROW_LD(10, ldx, nrhs);
    if (!iter) return tw_illegal(call->routine, 11, "NULL");
    if (!(piv = tw_pivots_room(n)) || (ROWS && (rows_begin(&A) || rows_begin(&B) || rows_room(&X)))) {
        rows_end(&A, 0), rows_end(&B, 0), free(piv);
        return no_memory(call->routine);
    }
    info = gesv(call->lapack, call->type, n, nrhs, ROWS ? A.mine : a, ROWS ? ld : lda, ipiv ? piv : NULL,
                ROWS ? B.mine : b, ROWS ? ld : ldb, ROWS ? X.mine : x, ROWS ? ld : ldx, &steps);
    if (info >= 0) tw_pivots_out(call, n, piv, ipiv);
    mixed_iter_out(call, steps, iter);
    rows_end(&A, info >= 0 && steps < 0);
    rows_end(&B, 0);
    rows_end(&X, info == 0);
    free(piv);
    return leave(call, info);
}

MIXED_DOORS(gesv, GESV, DSGESV_WORK, ZCGESV_WORK, n, nrhs, a, lda, ipiv, b, ldb, x, ldx)
