/* Refinement and error bounds from a Cholesky factor under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/bounds.h"
#include "algorithms/lapack/transpose.h"

#define PORFS(T, INT, INTS, R, RS, ...)                                                                                \
    char uplo, INT n, INT nrhs, const T *a, INT lda, const T *af, INT ldaf, const T *b, INT ldb, T *x, INT ldx,        \
        RS *ferr, RS *berr
#define PORFS_WORK(T, INT, INTS, R, RS, W, ...)                                                                        \
    char uplo, INT n, INT nrhs, const T *a, INT lda, const T *af, INT ldaf, const T *b, INT ldb, T *x, INT ldx,        \
        RS *ferr, RS *berr, T *work, W *more
TW_LAPACK_ITSELF(porfs, PORFS_WORK, uplo, n, nrhs, a, lda, af, ldaf, b, ldb, x, ldx, (void *)ferr, (void *)berr, work,
                 more)

static tw_int porfs(const char *routine, enum tw_type type, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda,
                    const void *af, tw_int ldaf, const void *b, tw_int ldb, void *x, tw_int ldx, void *ferr, void *berr)
{
    struct tw_matrix *A = NULL, *F = NULL, *B = NULL, *X = NULL;
    struct condition_work w;
    struct bounds e;
    tw_int info;

    UPLO(1);
    SIZE(2, n);
    SIZE(3, nrhs);
    LD(5, lda, n);
    LD(7, ldaf, n);
    LD(9, ldb, n);
    LD(11, ldx, n);
    if (nrhs == 0) return 0;
    ARRAY(12, ferr);
    ARRAY(13, berr);
    if (n == 0) return bounds_of_nothing(type, nrhs, ferr, berr);
    ARRAY(4, a);
    ARRAY(6, af);
    ARRAY(8, b);
    ARRAY(10, x);
    if (straight(&tw_routine_porfs, type, refinement_order(n, nrhs), n, nrhs, tw_max(lda, ldaf), tw_max(ldb, ldx))) {
        if ((info = condition_work_begin(&w, routine, type, n, 3))) return info;
        info = lapack_porfs[type](uplo, (int)n, (int)nrhs, a, (int)lda, af, (int)ldaf, b, (int)ldb, x, (int)ldx, ferr,
                                  berr, w.work, w.more);
        condition_work_end(&w);
        return info;
    }
    if ((info = bounds_begin(&e, routine, nrhs))) return info;
    info = wrap_pair(&F, &X, &tw_routine_porfs, type, uplo, n, af, ldaf, n, nrhs, x, ldx);
    if (!info) info = tw_matrix_wrap(&A, type, (enum tw_uplo)uplo, n, n, (void *)a, lda, tw_matrix_nb(F));
    if (!info) info = tw_matrix_wrap(&B, type, TW_GENERAL, n, nrhs, (void *)b, ldb, tw_matrix_nb(F));
    if (!info) info = tw_porfs((enum tw_uplo)uplo, A, F, B, X, e.ferr, e.berr, NULL);
    return bounds_end(&e, finish(finish(info, A, F), B, X), type, nrhs, ferr, berr);
}

/* A hermitian matrix' other triangle, read as column-major, is the conjugate matrix: its solutions are the conjugates,
 * so that rows are copied instead. */
static tw_int lapacke_porfs(const struct tw_lapacke *call, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda,
                            const void *af, tw_int ldaf, const void *b, tw_int ldb, void *x, tw_int ldx, void *ferr,
                            void *berr)
{
    struct rows A = {call->type, n, n, (void *)a, NULL, lda}, F = {call->type, n, n, (void *)af, NULL, ldaf},
                B = {call->type, n, nrhs, (void *)b, NULL, ldb}, X = {call->type, n, nrhs, x, NULL, ldx};
    const tw_int ld = tw_max(1, n);
    tw_int info;

    LAYOUT;
    NOT_NAN(5, nan_triangle(call, uplo, 'N', n, a, lda));
    NOT_NAN(7, nan_triangle(call, uplo, 'N', n, af, ldaf));
    NOT_NAN(9, nan_general(call, n, nrhs, b, ldb));
    NOT_NAN(11, nan_general(call, n, nrhs, x, ldx));
    ROW_LD(6, lda, n);
    ROW_LD(8, ldaf, n);
    ROW_LD(10, ldb, nrhs);
    ROW_LD(12, ldx, nrhs);
    if (ROWS && (rows_begin(&A) || rows_begin(&F) || rows_begin(&B) || rows_begin(&X))) {
        rows_end(&A, 0), rows_end(&F, 0), rows_end(&B, 0);
        return no_memory(call->routine);
    }
    info = porfs(call->lapack, call->type, uplo, n, nrhs, ROWS ? A.mine : a, ROWS ? ld : lda, ROWS ? F.mine : af,
                 ROWS ? ld : ldaf, ROWS ? B.mine : b, ROWS ? ld : ldb, ROWS ? X.mine : x, ROWS ? ld : ldx, ferr, berr);
    rows_end(&A, 0), rows_end(&F, 0), rows_end(&B, 0), rows_end(&X, info >= 0);
    return leave(call, info);
}
/* The workspaces are not used. */
static tw_int lapacke_porfs_work(const struct tw_lapacke *call, char uplo, tw_int n, tw_int nrhs, const void *a,
                                 tw_int lda, const void *af, tw_int ldaf, const void *b, tw_int ldb, void *x,
                                 tw_int ldx, void *ferr, void *berr, void *work, void *more)
{
    (void)work, (void)more;
    return lapacke_porfs(call, uplo, n, nrhs, a, lda, af, ldaf, b, ldb, x, ldx, ferr, berr);
}

TW_LAPACK_DOOR(porfs, PORFS, uplo, n, nrhs, a, lda, af, ldaf, b, ldb, x, ldx, ferr, berr)
TW_LAPACKE_CHECKED(porfs, PORFS, uplo, n, nrhs, a, lda, af, ldaf, b, ldb, x, ldx, ferr, berr)
TW_LAPACKE_WORK(porfs, PORFS_WORK, lapacke_porfs_work, uplo, n, nrhs, a, lda, af, ldaf, b, ldb, x, ldx, ferr, berr,
                work, more)
TW_LAPACK_ROW(porfs, TW_LAPACK_WORDS(PORFS), TW_LAPACKE_WORDS(PORFS), TW_LAPACKE_WORDS(PORFS_WORK))
