/* Error bounds of triangular solves under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/bounds.h"
#include "algorithms/lapack/transpose.h"

#define TRRFS(T, INT, INTS, R, RS, ...)                                                                                \
    char uplo, char trans, char diag, INT n, INT nrhs, const T *a, INT lda, const T *b, INT ldb, const T *x, INT ldx,  \
        RS *ferr, RS *berr
#define TRRFS_WORK(T, INT, INTS, R, RS, W, ...)                                                                        \
    char uplo, char trans, char diag, INT n, INT nrhs, const T *a, INT lda, const T *b, INT ldb, const T *x, INT ldx,  \
        RS *ferr, RS *berr, T *work, W *more
TW_LAPACK_ITSELF(trrfs, TRRFS_WORK, uplo, trans, diag, n, nrhs, a, lda, b, ldb, x, ldx, (void *)ferr, (void *)berr,
                 work, more)

static tw_int trrfs(const char *routine, enum tw_type type, char uplo, char trans, char diag, tw_int n, tw_int nrhs,
                    const void *a, tw_int lda, const void *b, tw_int ldb, const void *x, tw_int ldx, void *ferr,
                    void *berr)
{
    struct tw_matrix *A = NULL, *B = NULL, *X = NULL;
    struct condition_work w;
    struct bounds e;
    tw_int info;

    UPLO(1);
    TRANS(2);
    DIAG(3);
    SIZE(4, n);
    SIZE(5, nrhs);
    LD(7, lda, n);
    LD(9, ldb, n);
    LD(11, ldx, n);
    if (nrhs == 0) return 0;
    ARRAY(12, ferr);
    ARRAY(13, berr);
    if (n == 0) return bounds_of_nothing(type, nrhs, ferr, berr);
    ARRAY(6, a);
    ARRAY(8, b);
    ARRAY(10, x);
    if (straight(&tw_routine_trrfs, type, refinement_order(n, nrhs), n, nrhs, lda, tw_max(ldb, ldx))) {
        if ((info = condition_work_begin(&w, routine, type, n, 3))) return info;
        info = lapack_trrfs[type](uplo, trans, diag, (int)n, (int)nrhs, a, (int)lda, b, (int)ldb, x, (int)ldx, ferr,
                                  berr, w.work, w.more);
        condition_work_end(&w);
        return info;
    }
    if ((info = bounds_begin(&e, routine, nrhs))) return info;
    info = wrap_pair(&A, &X, &tw_routine_trrfs, type, uplo, n, a, lda, n, nrhs, (void *)x, ldx);
    if (!info) info = tw_matrix_wrap(&B, type, TW_GENERAL, n, nrhs, (void *)b, ldb, tw_matrix_nb(A));
    if (!info) info = tw_trrfs((enum tw_uplo)uplo, (enum tw_trans)trans, (enum tw_diag)diag, A, B, X, e.ferr, e.berr);
    return bounds_end(&e, finish(finish(info, A, B), X, NULL), type, nrhs, ferr, berr);
}

static tw_int lapacke_trrfs(const struct tw_lapacke *call, char uplo, char trans, char diag, tw_int n, tw_int nrhs,
                            const void *a, tw_int lda, const void *b, tw_int ldb, const void *x, tw_int ldx, void *ferr,
                            void *berr)
{
    struct rows A = {call->type, n, n, (void *)a, NULL, lda}, B = {call->type, n, nrhs, (void *)b, NULL, ldb},
                X = {call->type, n, nrhs, (void *)x, NULL, ldx};
    const tw_int ld = tw_max(1, n);
    tw_int info;

    LAYOUT;
    NOT_NAN(7, nan_triangle(call, uplo, diag, n, a, lda));
    NOT_NAN(9, nan_general(call, n, nrhs, b, ldb));
    NOT_NAN(11, nan_general(call, n, nrhs, x, ldx));
    ROW_LD(8, lda, n);
    ROW_LD(10, ldb, nrhs);
    ROW_LD(12, ldx, nrhs);
    if (ROWS && (rows_begin(&A) || rows_begin(&B) || rows_begin(&X))) {
        rows_end(&A, 0), rows_end(&B, 0);
        return no_memory(call->routine);
    }
    info = trrfs(call->lapack, call->type, uplo, trans, diag, n, nrhs, ROWS ? A.mine : a, ROWS ? ld : lda,
                 ROWS ? B.mine : b, ROWS ? ld : ldb, ROWS ? X.mine : x, ROWS ? ld : ldx, ferr, berr);
    rows_end(&A, 0), rows_end(&B, 0), rows_end(&X, 0);
    return leave(call, info);
}
/* The workspaces are not used. */
static tw_int lapacke_trrfs_work(const struct tw_lapacke *call, char uplo, char trans, char diag, tw_int n, tw_int nrhs,
                                 const void *a, tw_int lda, const void *b, tw_int ldb, const void *x, tw_int ldx,
                                 void *ferr, void *berr, void *work, void *more)
{
    (void)work, (void)more;
    return lapacke_trrfs(call, uplo, trans, diag, n, nrhs, a, lda, b, ldb, x, ldx, ferr, berr);
}

TW_LAPACK_DOOR(trrfs, TRRFS, uplo, trans, diag, n, nrhs, a, lda, b, ldb, x, ldx, ferr, berr)
TW_LAPACKE_CHECKED(trrfs, TRRFS, uplo, trans, diag, n, nrhs, a, lda, b, ldb, x, ldx, ferr, berr)
TW_LAPACKE_WORK(trrfs, TRRFS_WORK, lapacke_trrfs_work, uplo, trans, diag, n, nrhs, a, lda, b, ldb, x, ldx, ferr, berr,
                work, more)
TW_LAPACK_ROW(trrfs, TW_LAPACK_WORDS(TRRFS), TW_LAPACKE_WORDS(TRRFS), TW_LAPACKE_WORDS(TRRFS_WORK))
