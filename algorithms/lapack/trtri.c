/* The inverse of a triangle under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/straight.h"

#define TRTRI(T, INT, ...) char uplo, char diag, INT n, T *a, INT lda

TW_LAPACK_ITSELF(trtri, TRTRI, uplo, diag, n, a, lda)

/* A triangle's first exactly zero diagonal element (1-based), 0 if there is none: some LAPACKs only find the smallest
 * one. */
tw_int tw_first_zero(enum tw_type type, tw_int n, const void *a, tw_int lda)
{
    for (tw_int i = 0; i < n; i++) {
        const char *p = real_at(type, a, lda, i);
        const double re = tw_is_single(type) ? *(const float *)p : *(const double *)p;
        const double im = !tw_is_complex(type) ? 0
                          : tw_is_single(type) ? ((const float *)p)[1]
                                               : ((const double *)p)[1];
        if (re == 0 && im == 0) return i + 1;
    }
    return 0;
}

int tw_straight_trtri(enum tw_type type, char uplo, char diag, int n, void *a, int lda)
{
    return lapack_trtri[type](uplo, diag, n, a, lda);
}

static tw_int trtri(const char *routine, enum tw_type type, char uplo, char diag, tw_int n, void *a, tw_int lda)
{
    struct tw_matrix *A;
    int e;

    UPLO(1);
    DIAG(2);
    SIZE(3, n);
    LD(5, lda, n);
    if (n == 0) return 0;
    ARRAY(4, a);
    if (straight(&tw_routine_trtri, type, (double)n, n, 0, lda, 0)) {
        const tw_int zero = diag == 'N' ? tw_first_zero(type, n, a, lda) : 0;
        return zero ? zero : lapack_trtri[type](uplo, diag, (int)n, a, (int)lda);
    }
    e = wrap_triangle(&A, &tw_routine_trtri, type, uplo, n, a, lda);
    return finish(e ? e : tw_trtri((enum tw_uplo)uplo, (enum tw_diag)diag, A), A, NULL);
}

static tw_int lapacke_trtri(const struct tw_lapacke *call, char uplo, char diag, tw_int n, void *a, tw_int lda)
{
    LAYOUT;
    NOT_NAN(5, nan_triangle(call, uplo, diag, n, a, lda));
    TRIANGLE(6);
    return leave(call, trtri(call->lapack, call->type, uplo, diag, n, a, lda));
}

TW_LAPACK_DOORS(trtri, TRTRI, uplo, diag, n, a, lda)
