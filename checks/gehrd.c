/* The reduction to Hessenberg form, A = Q H Q^H: A Q - Q H and Q^H Q - I, whole up to order CHECK_FULL_MAX, above it for a few vectors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/products.h"

/* H without the reflectors that lie below it. */
static void hessenberg(enum tw_type t, tw_int n, const void *f, tw_int ldf, void *h)
{
    check_copy(t, n, n, f, ldf, h, n);
    for (tw_int j = 0; j + 2 < n; j++)
        memset((char *)h + (size_t)(j + 2 + j * n) * check_sizeof(t), 0, (size_t)(n - j - 2) * check_sizeof(t));
}

/* Reflectors lie where those of a tridiagonal form's lower triangle do. */
static int reflect(enum tw_type t, enum tw_trans trans, tw_int n, tw_int k, const void *f, tw_int ldf, const void *tau,
                   void *c)
{
    return check_reflect_trd(t, TW_LEFT, TW_LOWER, trans, n, k, f, ldf, tau, c, n);
}

int check_gehrd(const struct check_matrix *A, const void *f, tw_int ldf, const void *tau, double residual[2])
{
    const enum tw_type t = A->type;
    const tw_int n = A->n, k = n > CHECK_FULL_MAX ? CHECK_VECTORS : n;
    void *x = check_room(t, n, k), *v = check_room(t, n, k), *y = check_room(t, n, k), *u = check_room(t, n, k),
         *h = check_room(t, n, n);
    double *sums = check_room(TW_DOUBLE, n, 1);
    int error = x && v && y && u && h && sums ? 0 : TW_E_MEMORY;

    residual[0] = residual[1] = 0;
    if (!error && n > 0) {
        residual[0] = residual[1] = NAN;
        check_columns(t, n, k, k == n, x);
        memcpy(v, x, (size_t)n * (size_t)k * check_sizeof(t));
        hessenberg(t, n, f, ldf, h);
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, k, n, 1, h, n, x, n, 0, u, n);
        if (!reflect(t, TW_NOTRANS, n, k, f, ldf, tau, v) && !reflect(t, TW_NOTRANS, n, k, f, ldf, tau, u)) {
            error = A->apply(A->context, TW_GENERAL, TW_NOTRANS, (int)k, v, y, sums, NULL);
            check_subtract(t, n, k, y, n, u, n);
            residual[0] = check_quotient(check_norm_ge(t, n, k, y, n), check_max(n, sums)) / ((double)n * check_eps(t));
            if (!reflect(t, TW_CONJTRANS, n, k, f, ldf, tau, v)) {
                check_subtract(t, n, k, v, n, x, n);
                residual[1] = check_norm_ge(t, n, k, v, n) / ((double)n * check_eps(t));
            }
            if (k < n) residual[0] /= (double)n, residual[1] /= (double)n; /* signs: of length n in this norm */
        }
    }
    free(x), free(v), free(y), free(u), free(h), free(sums);
    return error;
}
