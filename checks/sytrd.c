/* The reduction to tridiagonal form, A = Q T Q^H: A Q - Q T and Q^H Q - I, whole up to order CHECK_FULL_MAX, above it
 * for a few vectors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/products.h"

/* Y = T X */
static void tridiagonal(enum tw_type t, tw_int n, tw_int k, const double *d, const double *e, const void *x, void *y)
{
    for (tw_int j = 0; j < k; j++)
        for (tw_int i = 0; i < n; i++) {
            double v[2], sum[2];
            check_get(t, x, (size_t)(i + j * n), v);
            sum[0] = d[i] * v[0], sum[1] = d[i] * v[1];
            for (int side = -1; side <= 1; side += 2) {
                if (i + side < 0 || i + side >= n) continue;
                check_get(t, x, (size_t)(i + side + j * n), v);
                sum[0] += e[side < 0 ? i - 1 : i] * v[0], sum[1] += e[side < 0 ? i - 1 : i] * v[1];
            }
            check_set(t, y, (size_t)(i + j * n), sum[0], sum[1]);
        }
}

/* d and e as the storage has them: exactly. */
static double told_twice(enum tw_type t, enum tw_uplo uplo, tw_int n, const void *f, tw_int ldf, const double *d,
                         const double *e)
{
    double most = 0;

    for (tw_int i = 0; i < n; i++)
        for (tw_int beside = 0; beside < 2 && i + beside < n; beside++) {
            const tw_int row = uplo == TW_LOWER ? i + beside : i, column = uplo == TW_LOWER ? i : i + beside;
            double v[2];
            check_get(t, f, (size_t)(row + column * ldf), v);
            const double off = fabs(v[0] - (beside ? e : d)[i]) + fabs(v[1]);
            most = check_worse(most, off);
        }
    return most;
}

int check_sytrd(const struct check_matrix *A, enum tw_uplo uplo, const void *f, tw_int ldf, const double *d,
                const double *e, const void *tau, double residual[3])
{
    const enum tw_type t = A->type;
    const tw_int n = A->n, k = n > CHECK_FULL_MAX ? CHECK_VECTORS : n;
    void *x = check_room(t, n, k), *v = check_room(t, n, k), *y = check_room(t, n, k), *u = check_room(t, n, k);
    double *sums = check_room(TW_DOUBLE, n, 1);
    int error = x && v && y && u && sums ? 0 : TW_E_MEMORY;

    residual[0] = residual[1] = residual[2] = 0;
    if (!error && n > 0) {
        residual[0] = residual[1] = NAN;
        check_columns(t, n, k, k == n, x);
        memcpy(v, x, (size_t)n * (size_t)k * check_sizeof(t));
        tridiagonal(t, n, k, d, e, x, u);
        if (!check_reflect_trd(t, TW_LEFT, uplo, TW_NOTRANS, n, k, f, ldf, tau, v, n) &&
            !check_reflect_trd(t, TW_LEFT, uplo, TW_NOTRANS, n, k, f, ldf, tau, u, n)) {
            error = A->apply(A->context, TW_GENERAL, TW_NOTRANS, (int)k, v, y, sums, NULL);
            check_subtract(t, n, k, y, n, u, n);
            residual[0] = check_quotient(check_norm_ge(t, n, k, y, n), check_max(n, sums)) / ((double)n * check_eps(t));
            if (!check_reflect_trd(t, TW_LEFT, uplo, TW_CONJTRANS, n, k, f, ldf, tau, v, n)) {
                check_subtract(t, n, k, v, n, x, n);
                residual[1] = check_norm_ge(t, n, k, v, n) / ((double)n * check_eps(t));
            }
            if (k < n) residual[0] /= (double)n, residual[1] /= (double)n; /* signs: of length n in this norm */
        }
        residual[2] = told_twice(t, uplo, n, f, ldf, d, e);
    }
    free(x), free(v), free(y), free(u), free(sums);
    return error;
}

int check_trd_q(const struct check_matrix *A, const double *d, const double *e, const void *q, tw_int ldq,
                double residual[2])
{
    const enum tw_type t = A->type;
    const tw_int n = A->n;
    void *x = check_room(t, n, n), *y = check_room(t, n, n), *u = check_room(t, n, n);
    double *sums = check_room(TW_DOUBLE, n, 1);
    int error = x && y && u && sums ? 0 : TW_E_MEMORY;

    residual[0] = residual[1] = 0;
    if (!error && n > 0) {
        check_columns(t, n, n, 1, x);
        tridiagonal(t, n, n, d, e, x, y);
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, n, n, 1, q, ldq, y, n, 0, u, n);
        check_copy(t, n, n, q, ldq, x, n);
        error = A->apply(A->context, TW_GENERAL, TW_NOTRANS, (int)n, x, y, sums, NULL);
        check_subtract(t, n, n, y, n, u, n);
        residual[0] = check_quotient(check_norm_ge(t, n, n, y, n), check_max(n, sums)) / ((double)n * check_eps(t));
        check_columns(t, n, n, 1, x);
        check_gemm(t, TW_CONJTRANS, TW_NOTRANS, n, n, n, 1, q, ldq, q, ldq, 0, u, n);
        check_subtract(t, n, n, u, n, x, n);
        residual[1] = check_norm_ge(t, n, n, u, n) / ((double)n * check_eps(t));
    }
    free(x), free(y), free(u), free(sums);
    return error;
}

int check_band_q(const struct check_matrix *A, const void *q, tw_int ldq, double residual[2])
{
    const enum tw_type t = A->type;
    const tw_int n = A->n;
    void *x = check_room(t, n, n), *y = check_room(t, n, n), *g = check_room(t, n, n);
    double *sums = check_room(TW_DOUBLE, n, 1), *d = check_room(TW_DOUBLE, n, 1), *e = check_room(TW_DOUBLE, n, 1);
    int error = x && y && g && sums && d && e ? 0 : TW_E_MEMORY;

    residual[0] = residual[1] = 0;
    if (!error && n > 0) {
        check_copy(t, n, n, q, ldq, x, n);
        error = A->apply(A->context, TW_GENERAL, TW_NOTRANS, (int)n, x, y, sums, NULL);
        check_gemm(t, TW_CONJTRANS, TW_NOTRANS, n, n, n, 1, q, ldq, y, n, 0, g, n);
        for (tw_int i = 0; i < n; i++)
            for (tw_int beside = 0; beside < 2 && i + beside < n; beside++) {
                double v[2];
                check_get(t, g, (size_t)(i + beside + i * n), v);
                (beside ? e : d)[i] = v[0];
            }
    }
    free(x), free(y), free(g), free(sums);
    if (!error && n > 0) error = check_trd_q(A, d, e, q, ldq, residual);
    free(d), free(e);
    return error;
}
