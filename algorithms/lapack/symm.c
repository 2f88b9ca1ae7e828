/* symm and hemm under BLAS' names. */
#include "algorithms/lapack/blas.h"

#define SYMM(T, INT, ...)                                                                                              \
    char side, char uplo, INT m, INT n, T alpha, const T *a, INT lda, const T *b, INT ldb, T beta, T *c, INT ldc

static void itself(enum tw_type type, int her, char side, char uplo, int m, int n, tw_scalar alpha, const void *a,
                   int lda, const void *b, int ldb, tw_scalar beta, void *c, int ldc)
{
    const enum CBLAS_SIDE s = TW_BLAS_SIDE(side);
    const enum CBLAS_UPLO u = TW_BLAS_UPLO(uplo);

    if (her)
        TW_BLAS_COMPLEX(hemm, type, s, u, m, n, AL, a, lda, b, ldb, BE, c, ldc);
    else
        TW_BLAS(symm, type, s, u, m, n, AL, a, lda, b, ldb, BE, c, ldc);
}

static tw_int symm_or_hemm(const char *routine, enum tw_type type, int her, char side, char uplo, tw_int m, tw_int n,
                           tw_scalar alpha, const void *a, tw_int lda, const void *b, tw_int ldb, tw_scalar beta,
                           void *c, tw_int ldc)
{
    struct tw_matrix *A = NULL, *B = NULL, *C = NULL;
    tw_int order;
    int e;

    SIDE(1);
    UPLO(2);
    SIZE(3, m);
    SIZE(4, n);
    order = side == 'L' ? m : n;
    LD(7, lda, order);
    LD(9, ldb, m);
    LD(12, ldc, m);
    if (m == 0 || n == 0 || (tw_is(type, alpha, 0) && tw_is(type, beta, 1))) return 0;
    ARRAY(11, c);
    if (tw_is(type, alpha, 0)) return tw_blas_scale(routine, type, m, n, beta, c, ldc);
    ARRAY(6, a);
    ARRAY(8, b);
    if (tw_straight_blas(her ? &tw_routine_hemm : &tw_routine_symm, type, 2.0 * (double)m * (double)n * (double)order,
                         tw_second_size(m, n, order), order, lda, n, ldb, n, ldc)) {
        itself(type, her, side, uplo, (int)m, (int)n, alpha, a, (int)lda, b, (int)ldb, beta, c, (int)ldc);
        return 0;
    }
    e = wrap_for(&C, her ? &tw_routine_hemm : &tw_routine_symm, type, 'G', m, n, order, c, ldc);
    if (!e) e = tw_wrap_operand(&A, C, uplo, order, order, a, lda);
    if (!e) e = tw_wrap_operand(&B, C, 'G', m, n, b, ldb);
    if (!e) e = (her ? tw_hemm : tw_symm)((enum tw_side)side, (enum tw_uplo)uplo, alpha, A, B, beta, C);
    return tw_finish_three(e, A, B, C);
}

#define symm(routine, type, ...) symm_or_hemm(routine, type, 0, __VA_ARGS__)
#define hemm(routine, type, ...) symm_or_hemm(routine, type, 1, __VA_ARGS__)
TW_LAPACK_DOOR(symm, SYMM, side, uplo, m, n, TW_SCALAR(alpha), a, lda, b, ldb, TW_SCALAR(beta), c, ldc)
TW_COMPLEX_DOOR(hemm, SYMM, side, uplo, m, n, TW_SCALAR(alpha), a, lda, b, ldb, TW_SCALAR(beta), c, ldc)
TW_BLAS_ROW(symm, SYMM)
TW_BLAS_ROW(hemm, SYMM)
