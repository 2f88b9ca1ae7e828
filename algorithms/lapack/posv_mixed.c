/* Solving by Cholesky in mixed precision under the names of LAPACK and LAPACKE: dsposv and zcposv. */
#include "algorithms/lapack/mixed.h"

#define POSV(T, INT, INTS, ...) char uplo, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb, T *x, INT ldx, INTS *iter
#define DSPOSV_WORK(T, INT, INTS, R, RS, W, ...)                                                                       \
    char uplo, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb, T *x, INT ldx, T *work, W *swork, INTS *iter
#define ZCPOSV_WORK(T, INT, INTS, R, RS, W, ...)                                                                       \
    char uplo, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb, T *x, INT ldx, T *work, W *swork, RS *rwork, INTS *iter

static tw_int straight_posv(const char *routine, enum tw_type type, char uplo, tw_int n, tw_int nrhs, void *a,
                            tw_int lda, void *b, tw_int ldb, void *x, tw_int ldx, tw_int *iter)
{
    struct mixed_work w;
    int steps = 0;
    tw_int info = mixed_work_begin(&w, routine, type, n, nrhs);

    if (!info) {
        info = type == TW_DOUBLE ? LAPACKE_dsposv_work(LAPACK_COL_MAJOR, uplo, (int)n, (int)nrhs, a, (int)lda, b,
                                                       (int)ldb, x, (int)ldx, w.work, w.swork, &steps)
                                 : LAPACKE_zcposv_work(LAPACK_COL_MAJOR, uplo, (int)n, (int)nrhs, a, (int)lda, b,
                                                       (int)ldb, x, (int)ldx, w.work, w.swork, w.rwork, &steps);
        *iter = steps;
    }
    mixed_work_end(&w);
    if (info || *iter < 0 || mixed_is_finite(n, nrhs, x, ldx, type == TW_DOUBLE ? 1 : 2)) return info;
    *iter = MIXED_GAVE_UP;
    if ((info = tw_straight_potrf(type, uplo, n, a, lda)) || nrhs == 0) return info;
    mixed_copy(type, n, nrhs, b, ldb, x, ldx);
    return tw_straight_potrs(type, uplo, (int)n, (int)nrhs, a, (int)lda, x, (int)ldx);
}

static tw_int by_tiles(enum tw_type type, char uplo, tw_int n, tw_int nrhs, void *a, tw_int lda, void *b, tw_int ldb,
                       void *x, tw_int ldx, tw_int *iter)
{
    struct tw_matrix *A, *B, *X = NULL;
    int steps = 0;
    tw_int info = wrap_pair(&A, &B, &tw_routine_posv_mixed, type, uplo, n, a, lda, n, nrhs, b, ldb);

    if (!info) info = tw_matrix_wrap(&X, type, TW_GENERAL, n, nrhs, x, ldx, tw_matrix_nb(A));
    if (!info) info = tw_posv_mixed((enum tw_uplo)uplo, A, B, X, &steps, NULL);
    *iter = steps;
    return finish(finish(info, X, NULL), A, B);
}

static tw_int posv(const char *routine, enum tw_type type, char uplo, tw_int n, tw_int nrhs, void *a, tw_int lda,
                   void *b, tw_int ldb, void *x, tw_int ldx, tw_int *iter)
{
    const double order = cbrt((double)n * (double)n * ((double)n + 6.0 * (double)nrhs));

    if (iter) *iter = 0;
    UPLO(1);
    SIZE(2, n);
    SIZE(3, nrhs);
    LD(5, lda, n);
    LD(7, ldb, n);
    LD(9, ldx, n);
    ARRAY(10, iter);
    if (n == 0) return 0;
    ARRAY(4, a);
    if (nrhs > 0) ARRAY(6, b);
    if (nrhs > 0) ARRAY(8, x);
    if (nrhs == 0) x = b = a, ldb = ldx = lda; /* an address for matrices of no columns */
    if (fits_lapack(&tw_routine_posv_mixed, type, order, n, nrhs, lda, tw_max(ldb, ldx))) {
        by_vendor(type == TW_DOUBLE ? "dsposv" : "zcposv", n);
        return straight_posv(routine, type, uplo, n, nrhs, a, lda, b, ldb, x, ldx, iter);
    }
    return by_tiles(type, uplo, n, nrhs, a, lda, b, ldb, x, ldx, iter);
}

static tw_int lapacke_posv(const struct tw_lapacke *call, char uplo, tw_int n, tw_int nrhs, void *a, tw_int lda,
                           void *b, tw_int ldb, void *x, tw_int ldx, void *work, void *swork, void *rwork, void *iter)
{
    struct rows A = {call->type, n, n, a, NULL, lda}, B = {call->type, n, nrhs, b, NULL, ldb},
                X = {call->type, n, nrhs, x, NULL, ldx};
    const tw_int ld = tw_max(1, n);
    tw_int info, steps = 0;

    (void)work, (void)swork, (void)rwork;
    LAYOUT;
    NOT_NAN(5, nan_triangle(call, uplo, 'N', n, a, lda));
    NOT_NAN(7, nan_general(call, n, nrhs, b, ldb));
    ROW_LD(6, lda, n);
    ROW_LD(8, ldb, nrhs);
    ROW_LD(10, ldx, nrhs);
    if (!iter) return tw_illegal(call->routine, 11, "NULL");
    if (ROWS && (rows_begin(&A) || rows_begin(&B) || rows_room(&X))) {
        rows_end(&A, 0), rows_end(&B, 0);
        return no_memory(call->routine);
    }
    info = posv(call->lapack, call->type, uplo, n, nrhs, ROWS ? A.mine : a, ROWS ? ld : lda, ROWS ? B.mine : b,
                ROWS ? ld : ldb, ROWS ? X.mine : x, ROWS ? ld : ldx, &steps);
    mixed_iter_out(call, steps, iter);
    rows_end(&A, info >= 0 && steps < 0);
    rows_end(&B, 0);
    rows_end(&X, info == 0);
    return leave(call, info);
}

MIXED_DOORS(posv, POSV, DSPOSV_WORK, ZCPOSV_WORK, uplo, n, nrhs, a, lda, b, ldb, x, ldx)
