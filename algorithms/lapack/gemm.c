/* gemm under BLAS' name. */
#include "algorithms/lapack/blas.h"

#define GEMM(T, INT, ...)                                                                                              \
    char transa, char transb, INT m, INT n, INT k, T alpha, const T *a, INT lda, const T *b, INT ldb, T beta, T *c,    \
        INT ldc

static tw_int gemm(const char *routine, enum tw_type type, char transa, char transb, tw_int m, tw_int n, tw_int k,
                   tw_scalar alpha, const void *a, tw_int lda, const void *b, tw_int ldb, tw_scalar beta, void *c,
                   tw_int ldc)
{
    struct tw_matrix *A = NULL, *B = NULL, *C = NULL;
    tw_int an, bn;
    int e;

    OP(1, transa);
    OP(2, transb);
    SIZE(3, m);
    SIZE(4, n);
    SIZE(5, k);
    LD(8, lda, transa == 'N' ? m : k);
    LD(10, ldb, transb == 'N' ? k : n);
    LD(13, ldc, m);
    if (tw_is(type, alpha, 0)) k = 0;
    if (m == 0 || n == 0 || (k == 0 && tw_is(type, beta, 1))) return 0;
    if (k > 0) ARRAY(7, a);
    if (k > 0) ARRAY(9, b);
    ARRAY(12, c);
    if (k == 0) transa = transb = 'N', a = b = c, lda = ldb = ldc; /* no element of these */
    an = transa == 'N' ? k : m, bn = transb == 'N' ? n : k;
    if (tw_straight_blas(&tw_routine_gemm, type, 2.0 * (double)m * (double)n * (double)k, tw_second_size(m, n, k), an,
                         lda, bn, ldb, n, ldc)) {
        TW_BLAS(gemm, type, tw_blas_trans(type, transa), tw_blas_trans(type, transb), (int)m, (int)n, (int)k, AL, a,
                (int)lda, b, (int)ldb, BE, c, (int)ldc);
        return 0;
    }
    e = wrap_for(&C, &tw_routine_gemm, type, 'G', m, n, k, c, ldc);
    if (!e) e = tw_wrap_operand(&A, C, 'G', transa == 'N' ? m : k, an, a, lda);
    if (!e) e = tw_wrap_operand(&B, C, 'G', transb == 'N' ? k : n, bn, b, ldb);
    if (!e) e = tw_gemm((enum tw_trans)transa, (enum tw_trans)transb, alpha, A, B, beta, C);
    return tw_finish_three(e, A, B, C);
}

tw_int tw_blas_scale(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_scalar beta, void *c, tw_int ldc)
{
    return gemm(routine, type, 'N', 'N', m, n, 0, tw_zero, NULL, tw_max(1, m), NULL, 1, beta, c, ldc);
}

TW_LAPACK_DOOR(gemm, GEMM, transa, transb, m, n, k, TW_SCALAR(alpha), a, lda, b, ldb, TW_SCALAR(beta), c, ldc)
TW_BLAS_ROW(gemm, GEMM)
