/* The product of a triangle and its conjugate transpose under the names of LAPACK and LAPACKE. */
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/straight.h"

#define LAUUM(T, INT, ...) char uplo, INT n, T *a, INT lda

TW_LAPACK_ITSELF(lauum, LAUUM, uplo, n, a, lda)

/* OpenBLAS 0.3.21's clauum and zlauum read past the end of the array for 'U'; the tiles' kernels do not. */
int tw_straight_lauum(enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    if (!tw_is_complex(type) || uplo == 'L') return lapack_lauum[type](uplo, (int)n, a, (int)lda);
    tw_kernel_lauum(type, uplo, (int)n, a, (int)lda);
    return 0;
}

static tw_int lauum(const char *routine, enum tw_type type, char uplo, tw_int n, void *a, tw_int lda)
{
    struct tw_matrix *A;
    int e;

    UPLO(1);
    SIZE(2, n);
    LD(4, lda, n);
    if (n == 0) return 0;
    ARRAY(3, a);
    if (straight(&tw_routine_lauum, type, (double)n, n, 0, lda, 0)) return tw_straight_lauum(type, uplo, n, a, lda);
    e = wrap_triangle(&A, &tw_routine_lauum, type, uplo, n, a, lda);
    return finish(e ? e : tw_lauum((enum tw_uplo)uplo, A), A, NULL);
}

static tw_int lapacke_lauum(const struct tw_lapacke *call, char uplo, tw_int n, void *a, tw_int lda)
{
    LAYOUT;
    NOT_NAN(4, nan_triangle(call, uplo, 'N', n, a, lda));
    TRIANGLE(5);
    return leave(call, lauum(call->lapack, call->type, uplo, n, a, lda));
}

TW_LAPACK_DOORS(lauum, LAUUM, uplo, n, a, lda)
