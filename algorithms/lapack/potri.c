/* The inverse from the Cholesky factor under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/straight.h"

#define POTRI(T, INT, ...) char uplo, INT n, T *a, INT lda

TW_LAPACK_ITSELF(potri, POTRI, uplo, n, a, lda)

static int straight_potri(enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    int info;
    if (!tw_is_complex(type) || uplo == 'L') return lapack_potri[type](uplo, (int)n, a, (int)lda);
    info = tw_straight_trtri(type, uplo, 'N', (int)n, a, (int)lda);
    return info ? info : tw_straight_lauum(type, uplo, n, a, lda);
}

static tw_int potri(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    struct tw_matrix *A;
    int e;

    UPLO(1);
    SIZE(2, n);
    LD(4, lda, n);
    if (n == 0) return 0;
    ARRAY(3, a);
    if (straight(&tw_routine_potri, type, (double)n, n, 0, lda, 0)) {
        const tw_int zero = tw_first_zero(type, n, a, lda);
        return zero ? zero : straight_potri(type, uplo, n, a, lda);
    }
    e = wrap_triangle(&A, &tw_routine_potri, type, uplo, n, a, lda);
    return finish(e ? e : tw_potri((enum tw_uplo)uplo, A), A, NULL);
}

static tw_int lapacke_potri(const struct tw_lapacke *call, char uplo, tw_int n, void *a, tw_int lda)
{
    LAYOUT;
    NOT_NAN(4, nan_triangle(call, uplo, 'N', n, a, lda));
    TRIANGLE(5);
    return leave(call, potri(call->lapack, call->type, uplo, n, a, lda));
}

TW_LAPACK_DOORS(potri, POTRI, uplo, n, a, lda)
