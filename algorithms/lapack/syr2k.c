/* syr2k and her2k under BLAS' names. */
#include "algorithms/lapack/blas.h"

#define SYR2K(T, INT, ...)                                                                                             \
    char uplo, char trans, INT n, INT k, T alpha, const T *a, INT lda, const T *b, INT ldb, T beta, T *c, INT ldc
#define HER2K(T, INT, INTS, R, ...)                                                                                    \
    char uplo, char trans, INT n, INT k, T alpha, const T *a, INT lda, const T *b, INT ldb, R beta, T *c, INT ldc

static void itself(enum tw_type type, int her, char uplo, char trans, int n, int k, tw_scalar alpha, const void *a,
                   int lda, const void *b, int ldb, tw_scalar beta, void *c, int ldc)
{
    const enum CBLAS_UPLO u = TW_BLAS_UPLO(uplo);
    const enum CBLAS_TRANSPOSE t = tw_blas_trans(type, trans);

    if (her)
        TW_BLAS_COMPLEX(her2k, type, u, t, n, k, AL, a, lda, b, ldb, RBE, c, ldc);
    else
        TW_BLAS(syr2k, type, u, t, n, k, AL, a, lda, b, ldb, BE, c, ldc);
}

static tw_int syr2k_or_her2k(const char *routine, enum tw_type type, int her, char uplo, char trans, tw_int n, tw_int k,
                             tw_scalar alpha, const void *a, tw_int lda, const void *b, tw_int ldb, tw_scalar beta,
                             void *c, tw_int ldc)
{
    struct tw_matrix *A = NULL, *B = NULL, *C = NULL;
    tw_int am, an;
    int e;

    UPLO(1);
    RANK(2, her);
    SIZE(3, n);
    SIZE(4, k);
    LD(7, lda, trans == 'N' ? n : k);
    LD(9, ldb, trans == 'N' ? n : k);
    LD(12, ldc, n);
    if (tw_is(type, alpha, 0)) k = 0;
    if (n == 0 || (k == 0 && tw_is(type, beta, 1))) return 0;
    if (k > 0) ARRAY(6, a);
    if (k > 0) ARRAY(8, b);
    ARRAY(11, c);
    if (k == 0) trans = 'N', a = b = c, lda = ldb = ldc; /* no element of these */
    am = trans == 'N' ? n : k, an = trans == 'N' ? k : n;
    if (tw_straight_blas(her ? &tw_routine_her2k : &tw_routine_syr2k, type, 2.0 * (double)n * (double)n * (double)k,
                         tw_second_size(n, n, k), an, lda, an, ldb, n, ldc)) {
        itself(type, her, uplo, trans, (int)n, (int)k, alpha, a, (int)lda, b, (int)ldb, beta, c, (int)ldc);
        return 0;
    }
    e = wrap_for(&C, her ? &tw_routine_her2k : &tw_routine_syr2k, type, uplo, n, n, k, c, ldc);
    if (!e) e = tw_wrap_operand(&A, C, 'G', am, an, a, lda);
    if (!e) e = tw_wrap_operand(&B, C, 'G', am, an, b, ldb);
    if (!e && her) e = tw_her2k((enum tw_uplo)uplo, (enum tw_trans)trans, alpha, A, B, beta.re, C);
    if (!e && !her) e = tw_syr2k((enum tw_uplo)uplo, (enum tw_trans)trans, alpha, A, B, beta, C);
    return tw_finish_three(e, A, B, C);
}

#define syr2k(routine, type, ...) syr2k_or_her2k(routine, type, 0, __VA_ARGS__)
#define her2k(routine, type, ...) syr2k_or_her2k(routine, type, 1, __VA_ARGS__)
TW_LAPACK_DOOR(syr2k, SYR2K, uplo, trans, n, k, TW_SCALAR(alpha), a, lda, b, ldb, TW_SCALAR(beta), c, ldc)
TW_COMPLEX_DOOR(her2k, HER2K, uplo, trans, n, k, TW_SCALAR(alpha), a, lda, b, ldb, TW_SCALAR(beta), c, ldc)
TW_BLAS_ROW(syr2k, SYR2K)
TW_BLAS_ROW(her2k, HER2K)
