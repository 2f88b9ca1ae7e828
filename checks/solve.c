/* Solutions of linear systems: each right-hand side by itself, with products for every order. */
#include <math.h>
#include <stdlib.h>

#include "checks/products.h"

static double worst_column(enum tw_type type, tw_int n, tw_int nrhs, double anorm, const void *r, const void *x,
                           tw_int ldx, const void *b, tw_int ldb)
{
    const size_t size = check_sizeof(type);
    double worst = 0;

    for (tw_int j = 0; j < nrhs; j++) {
        const double rn = check_norm_ge(type, n, 1, (const char *)r + (size_t)(j * n) * size, n);
        const double xn = check_norm_ge(type, n, 1, (const char *)x + (size_t)(j * ldx) * size, ldx);
        const double bn = check_norm_ge(type, n, 1, (const char *)b + (size_t)(j * ldb) * size, ldb);
        const double scaled = check_quotient(rn, (anorm * xn + bn) * (double)n * check_eps(type));
        worst = check_worse(worst, scaled);
    }
    return worst;
}

int check_solve(const struct check_matrix *A, enum tw_trans op, tw_int nrhs, const void *x, tw_int ldx, const void *b,
                tw_int ldb, double *residual)
{
    return check_solve_part(A, TW_GENERAL, op, nrhs, x, ldx, b, ldb, residual);
}

int check_solve_part(const struct check_matrix *A, enum tw_uplo uplo, enum tw_trans op, tw_int nrhs, const void *x,
                     tw_int ldx, const void *b, tw_int ldb, double *residual)
{
    const tw_int n = A->n;
    void *t = check_room(A->type, n, nrhs), *r = check_room(A->type, n, nrhs);
    double *sums = check_room(TW_DOUBLE, n, 1);
    int e = t && r && sums ? 0 : TW_E_MEMORY;

    *residual = 0;
    if (!e && n > 0) {
        check_copy(A->type, n, nrhs, x, ldx, t, n);
        e = A->apply(A->context, uplo, op, nrhs, t, r, op == TW_NOTRANS ? sums : NULL, op == TW_NOTRANS ? NULL : sums);
    }
    if (!e && n > 0) {
        check_subtract(A->type, n, nrhs, r, n, b, ldb);
        *residual = worst_column(A->type, n, nrhs, check_max(n, sums), r, x, ldx, b, ldb);
    }
    free(t);
    free(r);
    free(sums);
    return e;
}
