/* BLAS-3 under BLAS' own names: letters, scalars, tiles over the user's arrays, and BLAS itself. Checks, their order
 * and numbers are those of the reference BLAS. Where alpha or the inner size is 0, neither A nor B is read, nor has to
 * be there. */
#ifndef TW_ALGORITHMS_LAPACK_BLAS_H
#define TW_ALGORITHMS_LAPACK_BLAS_H
#include <math.h>
#include "algorithms/lapack/doors.h"
#include "algorithms/lapack/lapack_arguments.h"
#include "runtime/base/gate.h"

/* Any of the four types as the structure that the matrix door takes. */
#define TW_SCALAR(x) ((tw_scalar){(double)__real__(x), (double)__imag__(x)})

#define OP(i, t) ARGUMENT(i, (t = (char)(letter(t, 'N', 'T') | letter(t, 'C', 'C'))), "not 'N', 'T' or 'C'")
#define SIDE(i)  ARGUMENT(i, (side = letter(side, 'L', 'R')), "neither 'L' nor 'R'")
/* Complex syrk and syr2k have no 'C', herk and her2k no 'T'. */
#define RANK(i, her)                                                                                                   \
    ARGUMENT(i, (trans = tw_rank_trans(type, her, trans)), (her) ? "neither 'N' nor 'C'" : "neither 'N' nor 'T'")
static inline char tw_rank_trans(enum tw_type type, int her, char trans)
{
    if (her) return letter(trans, 'N', 'C');
    if (!tw_is_complex(type) && letter(trans, 'C', 'C')) return 'T';
    return letter(trans, 'N', 'T');
}

/* Straight to BLAS, for routine r? flops: real ones of a real type; the second of the sizes; then the columns and
 * leading dimensions of the arrays. */
static inline int tw_straight_blas(const struct tw_routine *r, enum tw_type type, double flops, tw_int second,
                                   tw_int na, tw_int lda, tw_int nb, tw_int ldb, tw_int nc, tw_int ldc)
{
    const double order = order_unless_thin(cbrt(3 * flops), second, second);
    const int yes = tw_max(na, tw_max(nb, nc)) <= INT32_MAX && tw_max(lda, tw_max(ldb, ldc)) <= INT32_MAX &&
                    fits_lapack(r, type, fmin(order, 1e9), na, nb, lda, ldb) && fits_lapack(r, type, 0, nc, 0, ldc, 0);
    if (yes) tw_straight_begins();
    return yes;
}

/* Tiles over another array than the result's (wrap_for), of the same order. */
static inline int tw_wrap_operand(struct tw_matrix **A, const struct tw_matrix *C, char part, tw_int m, tw_int n,
                                  const void *a, tw_int lda)
{
    return tw_matrix_wrap(A, C->type, part == 'G' ? TW_GENERAL : (enum tw_uplo)part, m, n, (void *)a, lda, C->nb);
}
/* The content of the arrays is defined again. */
static inline tw_int tw_finish_three(tw_int info, struct tw_matrix *A, struct tw_matrix *B, struct tw_matrix *C)
{
    return finish(finish(info, A, B), C, NULL);
}

/* cblas_?NAME(CblasColMajor, …) by type; among its arguments AL and BE are alpha and beta as it takes them, RAL and RBE
 * their real parts. */
#define TW_BLAS(name, type, ...)                                                                                       \
    do {                                                                                                               \
        if ((type) == TW_FLOAT)                                                                                        \
            TW_BLAS_REAL_(s##name, float, __VA_ARGS__)                                                                 \
        else if ((type) == TW_DOUBLE)                                                                                  \
            TW_BLAS_REAL_(d##name, double, __VA_ARGS__)                                                                \
        else                                                                                                           \
            TW_BLAS_COMPLEX(name, type, __VA_ARGS__);                                                                  \
    } while (0)
#define TW_BLAS_COMPLEX(name, type, ...)                                                                               \
    do {                                                                                                               \
        if ((type) == TW_COMPLEX_FLOAT)                                                                                \
            TW_BLAS_COMPLEX_(c##name, float, __VA_ARGS__)                                                              \
        else                                                                                                           \
            TW_BLAS_COMPLEX_(z##name, double, __VA_ARGS__)                                                             \
    } while (0)
#define TW_BLAS_REAL_(function, R, ...)                                                                                \
    {                                                                                                                  \
        const R AL = (R)alpha.re, BE = (R)beta.re;                                                                     \
        (void)BE;                                                                                                      \
        cblas_##function(CblasColMajor, __VA_ARGS__);                                                                  \
    }
#define TW_BLAS_COMPLEX_(function, R, ...)                                                                             \
    {                                                                                                                  \
        const R AL[2] = {(R)alpha.re, (R)alpha.im}, BE[2] = {(R)beta.re, (R)beta.im}, RAL = (R)alpha.re,               \
                RBE = (R)beta.re;                                                                                      \
        (void)AL, (void)BE, (void)RAL, (void)RBE;                                                                      \
        cblas_##function(CblasColMajor, __VA_ARGS__);                                                                  \
    }
static inline enum CBLAS_TRANSPOSE tw_blas_trans(enum tw_type type, char c)
{
    return c == 'N' ? CblasNoTrans : c == 'T' || !tw_is_complex(type) ? CblasTrans : CblasConjTrans;
}
#define TW_BLAS_UPLO(c) ((c) == 'U' ? CblasUpper : CblasLower)
#define TW_BLAS_SIDE(c) ((c) == 'L' ? CblasLeft : CblasRight)
#define TW_BLAS_DIAG(c) ((c) == 'U' ? CblasUnit : CblasNonUnit)

/* C = beta C of an m x n array, whose arguments are sound (gemm.c). */
tw_int tw_blas_scale(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_scalar beta, void *c, tw_int ldc);

/* A routine of complex types only. */
#define TW_COMPLEX_DOOR(name, P, ...)                                                                                  \
    TW_LAPACK_DOOR_(name, P, c, TW_COMPLEX_FLOAT, tw_complex_float, float, __VA_ARGS__)                                \
    TW_LAPACK_DOOR_(name, P, z, TW_COMPLEX_DOUBLE, tw_complex_double, double, __VA_ARGS__)
/* BLAS has neither LAPACKE's names nor its layouts. */
#define TW_BLAS_ROW(name, P) TW_LAPACK_ROW(name, TW_LAPACK_WORDS(P), NULL, NULL)

#endif
