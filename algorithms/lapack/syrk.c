/* syrk and herk under BLAS' names. */
#include "algorithms/lapack/blas.h"

#define SYRK(T, INT, ...) char uplo, char trans, INT n, INT k, T alpha, const T *a, INT lda, T beta, T *c, INT ldc
#define HERK(T, INT, INTS, R, ...)                                                                                     \
    char uplo, char trans, INT n, INT k, R alpha, const T *a, INT lda, R beta, T *c, INT ldc

static void itself(enum tw_type type, int her, char uplo, char trans, int n, int k, tw_scalar alpha, const void *a,
                   int lda, tw_scalar beta, void *c, int ldc)
{
    const enum CBLAS_UPLO u = TW_BLAS_UPLO(uplo);
    const enum CBLAS_TRANSPOSE t = tw_blas_trans(type, trans);

    if (her)
        TW_BLAS_COMPLEX(herk, type, u, t, n, k, RAL, a, lda, RBE, c, ldc);
    else
        TW_BLAS(syrk, type, u, t, n, k, AL, a, lda, BE, c, ldc);
}

static tw_int syrk_or_herk(const char *routine, enum tw_type type, int her, char uplo, char trans, tw_int n, tw_int k,
                           tw_scalar alpha, const void *a, tw_int lda, tw_scalar beta, void *c, tw_int ldc)
{
    struct tw_matrix *A = NULL, *C = NULL;
    tw_int an;
    int e;

    UPLO(1);
    RANK(2, her);
    SIZE(3, n);
    SIZE(4, k);
    LD(7, lda, trans == 'N' ? n : k);
    LD(10, ldc, n);
    if (tw_is(type, alpha, 0)) k = 0;
    if (n == 0 || (k == 0 && tw_is(type, beta, 1))) return 0;
    if (k > 0) ARRAY(6, a);
    ARRAY(9, c);
    if (k == 0) trans = 'N', a = c, lda = ldc; /* no element of it */
    an = trans == 'N' ? k : n;
    if (tw_straight_blas(her ? &tw_routine_herk : &tw_routine_syrk, type, (double)n * (double)n * (double)k,
                         tw_second_size(n, n, k), an, lda, n, ldc, 0, 0)) {
        itself(type, her, uplo, trans, (int)n, (int)k, alpha, a, (int)lda, beta, c, (int)ldc);
        return 0;
    }
    e = wrap_for(&C, her ? &tw_routine_herk : &tw_routine_syrk, type, uplo, n, n, k, c, ldc);
    if (!e) e = tw_wrap_operand(&A, C, 'G', trans == 'N' ? n : k, an, a, lda);
    if (!e && her) e = tw_herk((enum tw_uplo)uplo, (enum tw_trans)trans, alpha.re, A, beta.re, C);
    if (!e && !her) e = tw_syrk((enum tw_uplo)uplo, (enum tw_trans)trans, alpha, A, beta, C);
    return finish(e, A, C);
}

#define syrk(routine, type, ...) syrk_or_herk(routine, type, 0, __VA_ARGS__)
#define herk(routine, type, ...) syrk_or_herk(routine, type, 1, __VA_ARGS__)
TW_LAPACK_DOOR(syrk, SYRK, uplo, trans, n, k, TW_SCALAR(alpha), a, lda, TW_SCALAR(beta), c, ldc)
TW_COMPLEX_DOOR(herk, HERK, uplo, trans, n, k, TW_SCALAR(alpha), a, lda, TW_SCALAR(beta), c, ldc)
TW_BLAS_ROW(syrk, SYRK)
TW_BLAS_ROW(herk, HERK)
