/* The reduction to bidiagonal form, A = Q B P^H: A P - Q B, Q^H Q - I and P^H P - I, whole up to order CHECK_FULL_MAX,
 * above it for a few vectors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/products.h"

static tw_int smaller(tw_int a, tw_int b)
{
    return a < b ? a : b;
}

/* Y (m x k) = B X, X n x k: B upper bidiagonal where m >= n, else lower. */
static void bidiagonal(enum tw_type t, tw_int m, tw_int n, tw_int k, const double *d, const double *e, const void *x,
                       void *y)
{
    const int lower = m < n;

    memset(y, 0, (size_t)m * (size_t)k * check_sizeof(t));
    for (tw_int j = 0; j < k; j++)
        for (tw_int i = 0; i < smaller(m, n); i++) {
            const tw_int beside = lower ? i - 1 : i + 1;
            double v[2], w[2] = {0, 0}, off = 0;
            check_get(t, x, (size_t)(i + j * n), v);
            if (beside >= 0 && beside < smaller(m, n)) {
                check_get(t, x, (size_t)(beside + j * n), w);
                off = e[lower ? i - 1 : i];
            }
            check_set(t, y, (size_t)(i + j * m), d[i] * v[0] + off * w[0], d[i] * v[1] + off * w[1]);
        }
}

/* d and e as the storage has them: exactly. */
static double told_twice(enum tw_type t, tw_int m, tw_int n, const void *f, tw_int ldf, const double *d,
                         const double *e)
{
    double most = 0;

    for (tw_int i = 0; i < smaller(m, n); i++)
        for (tw_int beside = 0; beside < 2 && i + beside < smaller(m, n); beside++) {
            const tw_int row = m < n ? i + beside : i, column = m < n ? i : i + beside;
            double v[2];
            check_get(t, f, (size_t)(row + column * ldf), v);
            const double off = fabs(v[0] - (beside ? e : d)[i]) + fabs(v[1]);
            most = check_worse(most, off);
        }
    return most;
}

/* |X^H X - I| of an n x n factor, by what it and its adjoint make of k columns. */
static int orthogonality(enum tw_type t, char vect, tw_int n, tw_int other, tw_int k, const void *f, tw_int ldf,
                         const void *tau, double *value)
{
    void *x = check_room(t, n, k), *y = check_room(t, n, k);
    int e = x && y ? 0 : TW_E_MEMORY;

    *value = NAN;
    if (!e) {
        check_columns(t, n, k, k == n, x);
        check_columns(t, n, k, k == n, y);
        if (!check_reflect_brd(t, vect, TW_NOTRANS, n, k, other, f, ldf, tau, y, n) &&
            !check_reflect_brd(t, vect, TW_CONJTRANS, n, k, other, f, ldf, tau, y, n)) {
            check_subtract(t, n, k, y, n, x, n);
            *value = check_norm_ge(t, n, k, y, n) / ((double)n * check_eps(t));
            if (k < n) *value /= (double)n; /* signs: of length n in this norm */
        }
    }
    free(x), free(y);
    return e;
}

int check_gebrd(const struct check_matrix *A, const void *f, tw_int ldf, const double *d, const double *e,
                const void *tauq, const void *taup, double residual[4])
{
    const enum tw_type t = A->type;
    const tw_int m = A->m, n = A->n, most = m > n ? m : n, few = most > CHECK_FULL_MAX ? CHECK_VECTORS : most,
                 k = smaller(few, n);
    void *x = check_room(t, n, k), *v = check_room(t, n, k), *y = check_room(t, m, k), *u = check_room(t, m, k);
    double *sums = check_room(TW_DOUBLE, n, 1);
    int error = x && v && y && u && sums ? 0 : TW_E_MEMORY;

    for (int i = 0; i < 4; i++)
        residual[i] = 0;
    if (!error && smaller(m, n) > 0) {
        residual[0] = NAN;
        check_columns(t, n, k, k == n, x);
        check_columns(t, n, k, k == n, v);
        bidiagonal(t, m, n, k, d, e, x, u);
        if (!check_reflect_brd(t, 'P', TW_NOTRANS, n, k, m, f, ldf, taup, v, n) &&
            !check_reflect_brd(t, 'Q', TW_NOTRANS, m, k, n, f, ldf, tauq, u, m)) {
            error = A->apply(A->context, TW_GENERAL, TW_NOTRANS, k, v, y, sums, NULL);
            check_subtract(t, m, k, y, m, u, m);
            residual[0] =
                check_quotient(check_norm_ge(t, m, k, y, m), check_max(n, sums)) / ((double)most * check_eps(t));
            if (k < n) residual[0] /= (double)n;
        }
        if (!error) error = orthogonality(t, 'Q', m, n, smaller(few, m), f, ldf, tauq, &residual[1]);
        if (!error) error = orthogonality(t, 'P', n, m, smaller(few, n), f, ldf, taup, &residual[2]);
        residual[3] = told_twice(t, m, n, f, ldf, d, e);
    }
    free(x), free(v), free(y), free(u), free(sums);
    return error;
}
