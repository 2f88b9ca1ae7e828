/* getrf, getri: whole products up to order CHECK_FULL_MAX, above it products with a few vectors. */
#include <math.h>
#include <stdlib.h>

#include "checks/products.h"

/* w = L U - P A; c, the input, is spoilt. */
static double full_getrf(const struct check_error *r, void *c, void *w, tw_int ld)
{
    const enum tw_type t = r->A->type;
    const tw_int m = r->A->m, n = r->A->n, k = m < n ? m : n;
    const double norm = check_norm_ge(t, m, n, c, ld);

    check_copy(t, m, n, r->f, r->ldf, w, ld);
    check_clean_triangle(t, TW_UPPER, m, n, w, ld);
    if (m > k) /* the rows of L below the square */
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, m - k, n, k, 1, (const char *)r->f + (size_t)k * check_sizeof(t), r->ldf,
                   w, ld, 0, (char *)w + (size_t)k * check_sizeof(t), ld);
    check_trmm(t, TW_LEFT, TW_LOWER, TW_NOTRANS, TW_UNIT, k, n, r->f, r->ldf, w, ld);
    if (r->ipiv) check_exchange(t, m, n, k, c, ld, r->ipiv, 0);
    check_subtract(t, m, n, w, ld, c, ld);
    return check_quotient(check_norm_ge(t, m, n, w, ld), norm);
}

static int by_whole_products(const struct check_error *r, double *residual)
{
    const struct check_matrix *A = r->A;
    const tw_int ld = A->m;
    void *c = check_room(A->type, ld, A->n), *w = check_room(A->type, ld, A->n);
    const int e = c && w ? A->fill(A->context, c, ld) : TW_E_MEMORY;

    if (!e) *residual = full_getrf(r, c, w, ld) / ((double)(A->m > A->n ? A->m : A->n) * check_eps(A->type));
    free(c);
    free(w);
    return e;
}

/* P A - L U, or its adjoint, of a square A. */
static int error_getrf(void *context, int adjoint, int k, const void *x, void *y)
{
    struct check_error *r = context;
    const enum tw_type t = r->A->type;
    const enum tw_trans op = adjoint ? TW_CONJTRANS : TW_NOTRANS;
    const tw_int n = r->A->n;
    int e;

    check_copy(t, n, k, x, n, r->t, n);
    if (adjoint && r->ipiv) check_exchange(t, n, k, n, r->t, n, r->ipiv, 1);
    if ((e = check_by_input(r, TW_GENERAL, op, k, r->t, y))) return e;
    if (!adjoint && r->ipiv) check_exchange(t, n, k, n, y, n, r->ipiv, 0);
    check_copy(t, n, k, x, n, r->t, n);
    for (int step = 0; step < 2; step++) { /* L U, or U^H L^H: the factor on the right first */
        const int upper = step == (adjoint ? 1 : 0);
        check_trmm(t, TW_LEFT, upper ? TW_UPPER : TW_LOWER, op, upper ? TW_NONUNIT : TW_UNIT, n, k, r->f, r->ldf, r->t,
                   n);
    }
    check_subtract(t, n, k, y, n, r->t, n);
    return 0;
}

/* Each row has to come from itself or one below. */
static int sound_pivots(const struct check_matrix *A, const tw_int *ipiv)
{
    for (tw_int i = 0; ipiv && i < A->m && i < A->n; i++)
        if (ipiv[i] <= i || ipiv[i] > A->m) return 0;
    return 1;
}

int check_getrf(const struct check_matrix *A, const void *f, tw_int ldf, const tw_int *ipiv, double *residual)
{
    struct check_error r = {.A = A, .f = f, .ldf = ldf, .ipiv = ipiv};
    int e;

    *residual = 0;
    if (A->m == 0 || A->n == 0) return 0;
    *residual = NAN;
    if (!sound_pivots(A, ipiv)) return 0;
    if (A->m != A->n || A->n <= CHECK_FULL_MAX) return by_whole_products(&r, residual);
    e = check_estimate(&r, error_getrf, residual);
    *residual = check_quotient(*residual, r.one);
    return e;
}

/* ---- getri ------------------------------------------------------------------------------------------------------- */

/* A inv(A) - I, or its adjoint inv(A)^H A^H - I. */
static int error_getri(void *context, int adjoint, int k, const void *x, void *y)
{
    struct check_error *r = context;
    const enum tw_type t = r->A->type;
    const tw_int n = r->A->n;
    int e = 0;

    if (adjoint) {
        if ((e = check_by_input(r, TW_GENERAL, TW_CONJTRANS, k, x, r->t))) return e;
        check_gemm(t, TW_CONJTRANS, TW_NOTRANS, n, k, n, 1, r->f, r->ldf, r->t, n, 0, y, n);
    } else {
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, k, n, 1, r->f, r->ldf, x, n, 0, r->t, n);
        if ((e = check_by_input(r, TW_GENERAL, TW_NOTRANS, k, r->t, y))) return e;
    }
    check_subtract(t, n, k, y, n, x, n);
    return 0;
}

static int whole_getri(const struct check_error *r, double *residual)
{
    const struct check_matrix *A = r->A;
    const tw_int n = A->n;
    void *c = check_room(A->type, n, n), *w = check_room(A->type, n, n);
    const int e = c && w ? A->fill(A->context, c, n) : TW_E_MEMORY;
    double v[2];

    if (!e) {
        check_gemm(A->type, TW_NOTRANS, TW_NOTRANS, n, n, n, 1, c, n, r->f, r->ldf, 0, w, n);
        for (tw_int i = 0; i < n; i++) {
            check_get(A->type, w, (size_t)(i + i * n), v);
            check_set(A->type, w, (size_t)(i + i * n), v[0] - 1, v[1]);
        }
        *residual = check_quotient(check_norm_ge(A->type, n, n, w, n),
                                   check_norm_ge(A->type, n, n, c, n) * check_norm_ge(A->type, n, n, r->f, r->ldf)) /
                    ((double)n * check_eps(A->type));
    }
    free(c);
    free(w);
    return e;
}

int check_getri(const struct check_matrix *A, const void *f, tw_int ldf, double *residual)
{
    struct check_error r = {.A = A, .uplo = TW_GENERAL, .f = f, .ldf = ldf};
    int e;

    *residual = 0;
    if (A->n == 0) return 0;
    if (A->n <= CHECK_FULL_MAX) return whole_getri(&r, residual);
    e = check_estimate(&r, error_getri, residual);
    *residual = check_quotient(*residual, r.one * check_norm_ge(A->type, A->n, A->n, f, ldf));
    return e;
}
