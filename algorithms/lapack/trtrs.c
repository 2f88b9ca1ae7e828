/* Triangular solves that look for zeros first under the names of LAPACK and LAPACKE. */
#include <math.h>
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/straight.h"
#include "algorithms/lapack/transpose.h"

#define TRTRS(T, INT, ...) char uplo, char trans, char diag, INT n, INT nrhs, const T *a, INT lda, T *b, INT ldb

TW_LAPACK_ITSELF(trtrs, TRTRS, uplo, trans, diag, n, nrhs, a, lda, b, ldb)

static tw_int trtrs(const char *routine, enum tw_type type, char uplo, char trans, char diag, tw_int n, tw_int nrhs,
                    const void *a, tw_int lda, void *b, tw_int ldb)
{
    struct tw_matrix *A, *B;
    int e;

    UPLO(1);
    TRANS(2);
    DIAG(3);
    SIZE(4, n);
    SIZE(5, nrhs);
    LD(7, lda, n);
    LD(9, ldb, n);
    if (n == 0) return 0;
    ARRAY(6, a);
    if (nrhs > 0) ARRAY(8, b);
    if (nrhs == 0) return diag == 'N' ? tw_first_zero(type, n, a, lda) : 0;
    if (straight(&tw_routine_trtrs, type, cbrt(3.0 * (double)n * (double)n * (double)nrhs), n, nrhs, lda, ldb)) {
        const tw_int zero = diag == 'N' ? tw_first_zero(type, n, a, lda) : 0;
        return zero ? zero : lapack_trtrs[type](uplo, trans, diag, (int)n, (int)nrhs, a, (int)lda, b, (int)ldb);
    }
    e = wrap_pair(&A, &B, &tw_routine_trtrs, type, uplo, n, a, lda, n, nrhs, b, ldb);
    if (!e) e = tw_trtrs((enum tw_uplo)uplo, (enum tw_trans)trans, (enum tw_diag)diag, A, B);
    return finish(e, A, B);
}

static tw_int lapacke_trtrs(const struct tw_lapacke *call, char uplo, char trans, char diag, tw_int n, tw_int nrhs,
                            const void *a, tw_int lda, void *b, tw_int ldb)
{
    struct rows A = {call->type, n, n, (void *)a, NULL, lda}, B = {call->type, n, nrhs, b, NULL, ldb};
    tw_int info;

    LAYOUT;
    NOT_NAN(7, nan_triangle(call, uplo, diag, n, a, lda));
    NOT_NAN(9, nan_general(call, n, nrhs, b, ldb));
    ROW_LD(8, lda, n);
    ROW_LD(10, ldb, nrhs);
    if (ROWS && (rows_begin(&A) || rows_begin(&B))) {
        rows_end(&A, 0);
        return no_memory(call->routine);
    }
    info = trtrs(call->lapack, call->type, uplo, trans, diag, n, nrhs, ROWS ? A.mine : a, ROWS ? tw_max(1, n) : lda,
                 ROWS ? B.mine : b, ROWS ? tw_max(1, n) : ldb);
    rows_end(&A, 0);
    rows_end(&B, info == 0);
    return leave(call, info);
}

TW_LAPACK_DOORS(trtrs, TRTRS, uplo, trans, diag, n, nrhs, a, lda, b, ldb)
