/* The Cholesky factorization under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/straight.h"
#include <math.h>

#define POTRF(T, INT, ...) char uplo, INT n, T *a, INT lda

TW_LAPACK_ITSELF(potrf, POTRF, uplo, n, a, lda)

/* OpenBLAS' potrf goes on after a NaN pivot; the reference LAPACK calls it "not positive definite", as our tiles do. */
static tw_int first_nan(enum tw_type type, tw_int n, const void *a, tw_int lda)
{
    for (tw_int i = 0; i < n; i++) {
        const char *p = real_at(type, a, lda, i);
        if (tw_is_single(type) ? isnan(*(const float *)p) : isnan(*(const double *)p)) return i + 1;
    }
    return 0;
}
tw_int tw_straight_potrf(enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    const tw_int info = lapack_potrf[type](uplo, (int)n, a, (int)lda), nan = first_nan(type, n, a, lda);
    return nan && (info == 0 || nan < info) ? nan : info;
}

static tw_int potrf(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    struct tw_matrix *A;
    int e;

    UPLO(1);
    SIZE(2, n);
    LD(4, lda, n);
    if (n == 0) return 0;
    ARRAY(3, a);
    if (straight(&tw_routine_potrf, type, (double)n, n, 0, lda, 0)) return tw_straight_potrf(type, uplo, n, a, lda);
    e = wrap_triangle(&A, &tw_routine_potrf, type, uplo, n, a, lda);
    return finish(e ? e : tw_potrf((enum tw_uplo)uplo, A), A, NULL);
}

tw_int tw_door_potrf(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    return potrf(routine, type, uplo, n, a, lda);
}

static tw_int lapacke_potrf(const struct tw_lapacke *call, char uplo, tw_int n, void *a, tw_int lda)
{
    LAYOUT;
    NOT_NAN(4, nan_triangle(call, uplo, 'N', n, a, lda));
    TRIANGLE(5);
    return leave(call, potrf(call->lapack, call->type, uplo, n, a, lda));
}

TW_LAPACK_DOORS(potrf, POTRF, uplo, n, a, lda)
