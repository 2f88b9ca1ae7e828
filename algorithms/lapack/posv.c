/* Cholesky factorization and solve under the names of LAPACK and LAPACKE. */
#include <math.h>
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/straight.h"

#define POSV(T, INT, ...) char uplo, INT n, INT nrhs, T *a, INT lda, T *b, INT ldb

static tw_int posv(const char *routine, enum tw_type type, char uplo, tw_int n, tw_int nrhs, void *a, tw_int lda,
                   void *b, tw_int ldb)
{
    const double order = cbrt((double)n * (double)n * ((double)n + 6.0 * (double)nrhs));
    struct tw_matrix *A, *B;
    tw_int info;

    UPLO(1);
    SIZE(2, n);
    SIZE(3, nrhs);
    LD(5, lda, n);
    LD(7, ldb, n);
    if (n == 0) return 0;
    ARRAY(4, a);
    if (nrhs > 0) ARRAY(6, b);
    if (straight(&tw_routine_posv, type, order, n, nrhs, lda, ldb)) {
        info = tw_straight_potrf(type, uplo, n, a, lda);
        if (info || nrhs == 0) return info;
        return tw_straight_potrs(type, uplo, (int)n, (int)nrhs, a, (int)lda, b, (int)ldb);
    }
    info = wrap_pair(&A, &B, &tw_routine_posv, type, uplo, n, a, lda, n, nrhs, b, ldb);
    return finish(info ? info : tw_posv((enum tw_uplo)uplo, A, B), A, B);
}

static tw_int lapacke_posv(const struct tw_lapacke *call, char uplo, tw_int n, tw_int nrhs, void *a, tw_int lda,
                           void *b, tw_int ldb)
{
    tw_int e;

    LAYOUT;
    NOT_NAN(5, nan_triangle(call, uplo, 'N', n, a, lda));
    NOT_NAN(7, nan_general(call, n, nrhs, b, ldb));
    TRIANGLE(6);
    if (!ROWS) return leave(call, posv(call->lapack, call->type, uplo, n, nrhs, a, lda, b, ldb));
    if ((e = tw_enter_rows(call->routine, uplo, n, nrhs, ldb))) return e;
    e = tw_door_potrf(call->lapack, call->type, uplo, n, a, lda);
    if (e == 0 && n > 0 && nrhs > 0) e = tw_lapack_potrs_rows(call->type, uplo, n, nrhs, a, lda, b, ldb);
    return leave(call, e);
}

TW_LAPACK_DOORS(posv, POSV, uplo, n, nrhs, a, lda, b, ldb)
