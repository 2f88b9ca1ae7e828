/* Refinement and error bounds from LU factors under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/bounds.h"
#include "algorithms/lapack/transpose.h"
#include "algorithms/lapack/lu.h"

#define GERFS(T, INT, INTS, R, RS, ...)                                                                                \
    char trans, INT n, INT nrhs, const T *a, INT lda, const T *af, INT ldaf, const INTS *ipiv, const T *b, INT ldb,    \
        T *x, INT ldx, RS *ferr, RS *berr
#define GERFS_WORK(T, INT, INTS, R, RS, W, ...)                                                                        \
    char trans, INT n, INT nrhs, const T *a, INT lda, const T *af, INT ldaf, const INTS *ipiv, const T *b, INT ldb,    \
        T *x, INT ldx, RS *ferr, RS *berr, T *work, W *more
TW_LAPACK_ITSELF(gerfs, GERFS_WORK, trans, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, (void *)ferr, (void *)berr,
                 work, more)

static tw_int straight_gerfs(const char *routine, enum tw_type type, char trans, tw_int n, tw_int nrhs, const void *a,
                             tw_int lda, const void *af, tw_int ldaf, const tw_int *ipiv, const void *b, tw_int ldb,
                             void *x, tw_int ldx, void *ferr, void *berr)
{
    struct condition_work w;
    struct tw_pivots p;
    tw_int info = tw_pivots_begin(&p, routine, n);

    if (info) return info;
    tw_pivots_from_user(n, ipiv, p.at);
    if (!(info = condition_work_begin(&w, routine, type, n, 3))) {
        info = lapack_gerfs[type](trans, (int)n, (int)nrhs, a, (int)lda, af, (int)ldaf, p.at, b, (int)ldb, x, (int)ldx,
                                  ferr, berr, w.work, w.more);
        condition_work_end(&w);
    }
    tw_pivots_end(&p);
    return info;
}

static tw_int by_tiles(const char *routine, enum tw_type type, char trans, tw_int n, tw_int nrhs, const void *a,
                       tw_int lda, const void *af, tw_int ldaf, const tw_int *ipiv, const void *b, tw_int ldb, void *x,
                       tw_int ldx, struct bounds *e)
{
    struct tw_matrix *A = NULL, *B = NULL;
    struct tw_lu_tiles t = {NULL, NULL, NULL};
    struct tw_pivots p;
    tw_int info = tw_pivots_begin(&p, routine, n);

    if (info) return info;
    tw_pivots_from_user(n, ipiv, p.at);
    info = tw_lu_wrap(&t, &tw_routine_gerfs, type, n, n, af, ldaf, nrhs, x, ldx);
    if (!info) info = tw_matrix_set_lapack(t.ipiv, p.at, n);
    tw_pivots_end(&p);
    if (!info) info = tw_matrix_wrap(&A, type, TW_GENERAL, n, n, (void *)a, lda, tw_matrix_nb(t.A));
    if (!info) info = tw_matrix_wrap(&B, type, TW_GENERAL, n, nrhs, (void *)b, ldb, tw_matrix_nb(t.A));
    if (!info) info = tw_gerfs((enum tw_trans)trans, A, t.A, t.ipiv, B, t.B, e->ferr, e->berr, NULL);
    return tw_lu_leave(routine, finish(info, A, B), &t, 0, NULL);
}

static tw_int gerfs(const char *routine, enum tw_type type, char trans, tw_int n, tw_int nrhs, const void *a,
                    tw_int lda, const void *af, tw_int ldaf, const tw_int *ipiv, const void *b, tw_int ldb, void *x,
                    tw_int ldx, void *ferr, void *berr)
{
    struct bounds e;
    tw_int info;

    TRANS(1);
    SIZE(2, n);
    SIZE(3, nrhs);
    LD(5, lda, n);
    LD(7, ldaf, n);
    LD(10, ldb, n);
    LD(12, ldx, n);
    if (nrhs == 0) return 0;
    ARRAY(13, ferr);
    ARRAY(14, berr);
    if (n == 0) return bounds_of_nothing(type, nrhs, ferr, berr);
    ARRAY(4, a);
    ARRAY(6, af);
    ARRAY(8, ipiv);
    ARRAY(9, b);
    ARRAY(11, x);
    if (straight(&tw_routine_gerfs, type, refinement_order(n, nrhs), n, nrhs, tw_max(lda, ldaf), tw_max(ldb, ldx)))
        return straight_gerfs(routine, type, trans, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, ferr, berr);
    if ((info = bounds_begin(&e, routine, nrhs))) return info;
    info = by_tiles(routine, type, trans, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, &e);
    return bounds_end(&e, info, type, nrhs, ferr, berr);
}

static tw_int lapacke_gerfs(const struct tw_lapacke *call, char trans, tw_int n, tw_int nrhs, const void *a, tw_int lda,
                            const void *af, tw_int ldaf, const void *ipiv, const void *b, tw_int ldb, void *x,
                            tw_int ldx, void *ferr, void *berr)
{
    struct rows A = {call->type, n, n, (void *)a, NULL, lda}, F = {call->type, n, n, (void *)af, NULL, ldaf},
                B = {call->type, n, nrhs, (void *)b, NULL, ldb}, X = {call->type, n, nrhs, x, NULL, ldx};
    const tw_int ld = tw_max(1, n);
    tw_int *piv, info;

    LAYOUT;
    NOT_NAN(5, nan_general(call, n, n, a, lda));
    NOT_NAN(7, nan_general(call, n, n, af, ldaf));
    NOT_NAN(10, nan_general(call, n, nrhs, b, ldb));
    NOT_NAN(12, nan_general(call, n, nrhs, x, ldx));
    ROW_LD(6, lda, n);
    ROW_LD(8, ldaf, n);
    ROW_LD(11, ldb, nrhs);
    ROW_LD(13, ldx, nrhs);
    if (!(piv = tw_pivots_room(n)) ||
        (ROWS && (rows_begin(&A) || rows_begin(&F) || rows_begin(&B) || rows_begin(&X)))) {
        rows_end(&A, 0), rows_end(&F, 0), rows_end(&B, 0), free(piv);
        return no_memory(call->routine);
    }
    if (ipiv && (ROWS || (lda >= n && ldaf >= n && ldb >= n && ldx >= n))) tw_pivots_in(call, n, ipiv, piv);
    info = gerfs(call->lapack, call->type, trans, n, nrhs, ROWS ? A.mine : a, ROWS ? ld : lda, ROWS ? F.mine : af,
                 ROWS ? ld : ldaf, ipiv ? piv : NULL, ROWS ? B.mine : b, ROWS ? ld : ldb, ROWS ? X.mine : x,
                 ROWS ? ld : ldx, ferr, berr);
    rows_end(&A, 0), rows_end(&F, 0), rows_end(&B, 0), rows_end(&X, info >= 0), free(piv);
    return leave(call, info);
}
/* The workspaces are not used. */
static tw_int lapacke_gerfs_work(const struct tw_lapacke *call, char trans, tw_int n, tw_int nrhs, const void *a,
                                 tw_int lda, const void *af, tw_int ldaf, const void *ipiv, const void *b, tw_int ldb,
                                 void *x, tw_int ldx, void *ferr, void *berr, void *work, void *more)
{
    (void)work, (void)more;
    return lapacke_gerfs(call, trans, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, ferr, berr);
}

TW_LAPACK_DOOR(gerfs, GERFS, trans, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, ferr, berr)
TW_LAPACKE_CHECKED(gerfs, GERFS, trans, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, ferr, berr)
TW_LAPACKE_WORK(gerfs, GERFS_WORK, lapacke_gerfs_work, trans, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, ferr,
                berr, work, more)
TW_LAPACK_ROW(gerfs, TW_LAPACK_WORDS(GERFS), TW_LAPACKE_WORDS(GERFS), TW_LAPACKE_WORDS(GERFS_WORK))
