/* trmm and trsm under BLAS' names. */
#include "algorithms/lapack/blas.h"

#define TRMM(T, INT, ...)                                                                                              \
    char side, char uplo, char transa, char diag, INT m, INT n, T alpha, const T *a, INT lda, T *b, INT ldb

static void itself(enum tw_type type, int solve, char side, char uplo, char transa, char diag, int m, int n,
                   tw_scalar alpha, const void *a, int lda, void *b, int ldb)
{
    const tw_scalar beta = tw_zero; /* these have none */
    const enum CBLAS_SIDE s = TW_BLAS_SIDE(side);
    const enum CBLAS_UPLO u = TW_BLAS_UPLO(uplo);
    const enum CBLAS_TRANSPOSE t = tw_blas_trans(type, transa);
    const enum CBLAS_DIAG d = TW_BLAS_DIAG(diag);

    if (solve)
        TW_BLAS(trsm, type, s, u, t, d, m, n, AL, a, lda, b, ldb);
    else
        TW_BLAS(trmm, type, s, u, t, d, m, n, AL, a, lda, b, ldb);
}

static tw_int trmm_or_trsm(const char *routine, enum tw_type type, int solve, char side, char uplo, char transa,
                           char diag, tw_int m, tw_int n, tw_scalar alpha, const void *a, tw_int lda, void *b,
                           tw_int ldb)
{
    struct tw_matrix *A = NULL, *B = NULL;
    tw_int order;
    int e;

    SIDE(1);
    UPLO(2);
    OP(3, transa);
    DIAG(4);
    SIZE(5, m);
    SIZE(6, n);
    order = side == 'L' ? m : n;
    LD(9, lda, order);
    LD(11, ldb, m);
    if (m == 0 || n == 0) return 0;
    ARRAY(10, b);
    if (tw_is(type, alpha, 0)) return tw_blas_scale(routine, type, m, n, tw_zero, b, ldb);
    ARRAY(8, a);
    if (tw_straight_blas(solve ? &tw_routine_trsm : &tw_routine_trmm, type, (double)m * (double)n * (double)order,
                         tw_second_size(m, n, order), order, lda, n, ldb, 0, 0)) {
        itself(type, solve, side, uplo, transa, diag, (int)m, (int)n, alpha, a, (int)lda, b, (int)ldb);
        return 0;
    }
    e = wrap_for(&B, solve ? &tw_routine_trsm : &tw_routine_trmm, type, 'G', m, n, order, b, ldb);
    if (!e) e = tw_wrap_operand(&A, B, uplo, order, order, a, lda);
    if (!e)
        e = (solve ? tw_trsm : tw_trmm)((enum tw_side)side, (enum tw_uplo)uplo, (enum tw_trans)transa,
                                        (enum tw_diag)diag, alpha, A, B);
    return finish(e, A, B);
}

#define trmm(routine, type, ...) trmm_or_trsm(routine, type, 0, __VA_ARGS__)
#define trsm(routine, type, ...) trmm_or_trsm(routine, type, 1, __VA_ARGS__)
TW_LAPACK_DOOR(trmm, TRMM, side, uplo, transa, diag, m, n, TW_SCALAR(alpha), a, lda, b, ldb)
TW_LAPACK_DOOR(trsm, TRMM, side, uplo, transa, diag, m, n, TW_SCALAR(alpha), a, lda, b, ldb)
TW_BLAS_ROW(trmm, TRMM)
TW_BLAS_ROW(trsm, TRMM)
