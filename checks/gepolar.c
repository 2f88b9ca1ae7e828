/* Polar decomposition: the product, the columns, and that the second factor is hermitian and not negative. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/products.h"

/* The identity; of few columns signs. */
static void vectors(enum tw_type t, tw_int n, tw_int count, void *x)
{
    memset(x, 0, (size_t)n * (size_t)count * check_sizeof(t));
    for (tw_int j = 0; j < count; j++)
        for (tw_int i = 0; i < n; i++)
            if (count < n || i == j)
                check_set(t, x, (size_t)(i + j * n), count < n && (i * 7 + j * i) % 3 == 1 ? -1 : 1, 0);
}

/* |H - H^H|, and the eigenvalue below 0 that is farthest. */
static int how_negative(enum tw_type t, tw_int n, const void *h, tw_int ldh, double *value)
{
    void *a = n <= 1024 ? check_room(t, n, n) : NULL;
    double *w = n <= 1024 ? check_room(TW_DOUBLE, n, 1) : NULL;
    int e = 0;

    *value = 0;
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i <= j; i++) {
            double x[2], y[2];
            check_get(t, h, (size_t)(i + j * ldh), x);
            check_get(t, h, (size_t)(j + i * ldh), y);
            *value = check_worse(*value, hypot(x[0] - y[0], x[1] + y[1]));
        }
    if (n <= 1024) {
        e = a && w ? 0 : TW_E_MEMORY;
        if (!e) check_copy(t, n, n, h, ldh, a, n);
        if (!e && check_lapack_syevd(t, 'N', n, a, w)) w[0] = NAN;
        if (!e && !(w[0] >= 0)) *value = check_worse(*value, -w[0]);
    }
    free(a), free(w);
    return e;
}

int check_thin_product(const struct check_matrix *A, tw_int k, const void *u, tw_int ldu, const void *h, tw_int ldh,
                       double residual[2])
{
    const enum tw_type t = A->type;
    const tw_int m = A->m, n = A->n;
    const int few = m > CHECK_FULL_MAX || n > CHECK_FULL_MAX;
    const tw_int c = few ? CHECK_VECTORS : n, d = few ? CHECK_VECTORS : k, most = c > d ? c : d;
    const double large = (double)(m > n ? m : n) * check_eps(t);
    void *x = check_room(t, n > k ? n : k, most), *y = check_room(t, m, most), *z = check_room(t, k, most);
    double norm = 0;
    int e = x && y && z ? 0 : TW_E_MEMORY;

    residual[0] = residual[1] = 0;
    if (k == 0) return free(x), free(y), free(z), 0;
    if (!e) e = check_anorm(A, &norm);
    if (!e) {
        vectors(t, n, c, x);
        e = A->apply(A->context, TW_GENERAL, TW_NOTRANS, c, x, y, NULL, NULL);
    }
    if (!e) {
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, k, c, n, 1, h, ldh, x, n, 0, z, k);
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, m, c, k, -1, u, ldu, z, k, 1, y, m);
        residual[0] = check_quotient(check_norm_ge(t, m, c, y, m), norm * (c < n ? (double)n : 1)) / large;
        vectors(t, k, d, x);
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, m, d, k, 1, u, ldu, x, k, 0, y, m);
        check_gemm(t, TW_CONJTRANS, TW_NOTRANS, k, d, m, 1, u, ldu, y, m, 0, z, k);
        check_subtract(t, k, d, z, k, x, k);
        residual[1] = check_norm_ge(t, k, d, z, k) / ((d < k ? (double)k : 1) * (double)m * check_eps(t));
    }
    free(x), free(y), free(z);
    return e;
}

int check_gepolar(const struct check_matrix *A, const void *u, tw_int ldu, const void *h, tw_int ldh,
                  double residual[3])
{
    const tw_int n = A->n;
    int e = check_thin_product(A, n, u, ldu, h, ldh, residual);

    residual[2] = 0;
    if (e || n == 0) return e;
    e = how_negative(A->type, n, h, ldh, &residual[2]);
    residual[2] = check_quotient(residual[2], check_norm_ge(A->type, n, n, h, ldh)) / ((double)n * check_eps(A->type));
    return e;
}
