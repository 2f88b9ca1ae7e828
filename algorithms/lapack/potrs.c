/* Solving with a Cholesky factor under the names of LAPACK and LAPACKE. */
#include <math.h>
#include "algorithms/lapack/lapack_arguments.h"
#include "algorithms/lapack/lapacke_arguments.h"
#include "algorithms/lapack/straight.h"

#define POTRS(T, INT, ...) char uplo, INT n, INT nrhs, const T *a, INT lda, T *b, INT ldb

TW_LAPACK_ITSELF(potrs, POTRS, uplo, n, nrhs, a, lda, b, ldb)

int tw_straight_potrs(enum tw_type type, char uplo, int n, int nrhs, const void *a, int lda, void *b, int ldb)
{
    return lapack_potrs[type](uplo, n, nrhs, a, lda, b, ldb);
}

static tw_int potrs(const char *routine, enum tw_type type, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda,
                    void *b, tw_int ldb)
{
    const double order = cbrt(6.0 * (double)n * (double)n * (double)nrhs);
    struct tw_matrix *A, *B;
    int e;

    UPLO(1);
    SIZE(2, n);
    SIZE(3, nrhs);
    LD(5, lda, n);
    LD(7, ldb, n);
    if (n == 0 || nrhs == 0) return 0;
    ARRAY(4, a);
    ARRAY(6, b);
    if (straight(&tw_routine_potrs, type, order, n, nrhs, lda, ldb))
        return lapack_potrs[type](uplo, (int)n, (int)nrhs, a, (int)lda, b, (int)ldb);
    e = wrap_pair(&A, &B, &tw_routine_potrs, type, uplo, n, a, lda, n, nrhs, b, ldb);
    return finish(e ? e : tw_potrs((enum tw_uplo)uplo, A, B), A, B);
}

/* ---- right-hand sides that are rows ------------------------------------------------------------------------------ */

/* B = B inv(op(A)) */
static void solve_right(enum tw_type type, enum CBLAS_UPLO uplo, enum CBLAS_TRANSPOSE op, int m, int n, const void *a,
                        int lda, void *b, int ldb)
{
    const enum CBLAS_ORDER o = CblasColMajor;
    const float _Complex c = 1;
    const double _Complex z = 1;

    switch (type) {
    case TW_FLOAT: cblas_strsm(o, CblasRight, uplo, op, CblasNonUnit, m, n, 1, a, lda, b, ldb); break;
    case TW_DOUBLE: cblas_dtrsm(o, CblasRight, uplo, op, CblasNonUnit, m, n, 1, a, lda, b, ldb); break;
    case TW_COMPLEX_FLOAT: cblas_ctrsm(o, CblasRight, uplo, op, CblasNonUnit, m, n, &c, a, lda, b, ldb); break;
    default: cblas_ztrsm(o, CblasRight, uplo, op, CblasNonUnit, m, n, &z, a, lda, b, ldb); break;
    }
}

/* Y (U^H U) = C: Y = C inv(U) inv(U^H), two solves from the right. */
tw_int tw_lapack_potrs_rows(enum tw_type type, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda, void *c,
                            tw_int ldc)
{
    const double order = cbrt(6.0 * (double)n * (double)n * (double)nrhs);
    const enum tw_trans first = uplo == 'U' ? TW_NOTRANS : TW_CONJTRANS,
                        second = uplo == 'U' ? TW_CONJTRANS : TW_NOTRANS;
    struct tw_matrix *A, *C;
    int e;

    if (straight(&tw_routine_potrs, type, order, n, n, lda, ldc)) {
        const enum CBLAS_UPLO u = uplo == 'U' ? CblasUpper : CblasLower;
        solve_right(type, u, uplo == 'U' ? CblasNoTrans : CblasConjTrans, (int)nrhs, (int)n, a, (int)lda, c, (int)ldc);
        solve_right(type, u, uplo == 'U' ? CblasConjTrans : CblasNoTrans, (int)nrhs, (int)n, a, (int)lda, c, (int)ldc);
        return 0;
    }
    e = wrap_pair(&A, &C, &tw_routine_potrs, type, uplo, n, a, lda, nrhs, n, c, ldc);
    if (!e) e = tw_trsm(TW_RIGHT, (enum tw_uplo)uplo, first, TW_NONUNIT, tw_one, A, C);
    if (!e) e = tw_trsm(TW_RIGHT, (enum tw_uplo)uplo, second, TW_NONUNIT, tw_one, A, C);
    return finish(e, A, C);
}

tw_int tw_enter_rows(const char *routine, char uplo, tw_int n, tw_int nrhs, tw_int ldb)
{
    if (ldb < nrhs) return tw_illegal(routine, 8, "ldb < nrhs");
    if (!letter(uplo, 'U', 'L')) return tw_illegal(routine, 2, "neither 'U' nor 'L'");
    if (n < 0) return tw_illegal(routine, 3, "n < 0");
    if (nrhs < 0) return tw_illegal(routine, 4, "nrhs < 0");
    return 0;
}

static tw_int lapacke_potrs(const struct tw_lapacke *call, char uplo, tw_int n, tw_int nrhs, const void *a, tw_int lda,
                            void *b, tw_int ldb)
{
    tw_int e;

    LAYOUT;
    NOT_NAN(5, nan_triangle(call, uplo, 'N', n, a, lda));
    NOT_NAN(7, nan_general(call, n, nrhs, b, ldb));
    TRIANGLE(6);
    if (!ROWS) return leave(call, potrs(call->lapack, call->type, uplo, n, nrhs, a, lda, b, ldb));
    if ((e = tw_enter_rows(call->routine, uplo, n, nrhs, ldb)) || n == 0 || nrhs == 0) return e;
    return leave(call, tw_lapack_potrs_rows(call->type, uplo, n, nrhs, a, lda, b, ldb));
}

TW_LAPACK_DOORS(potrs, POTRS, uplo, n, nrhs, a, lda, b, ldb)
