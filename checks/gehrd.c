/* The reduction to Hessenberg form, A = Q H Q^H: A Q - Q H and Q^H Q - I, whole up to order CHECK_FULL_MAX, above it
 * for a few vectors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/products.h"

/* U = H X, n x k each: H is what f has down to its sub-diagonal. */
static int hessenberg(enum tw_type t, tw_int n, tw_int k, const void *f, tw_int ldf, const void *x, void *u)
{
    void *h = check_room(t, n, n);

    if (!h) return TW_E_MEMORY;
    check_copy(t, n, n, f, ldf, h, n);
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = j + 2; i < n; i++)
            check_set(t, h, (size_t)(i + j * n), 0, 0);
    check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, k, n, 1, h, n, x, n, 0, u, n);
    free(h);
    return 0;
}

/* Q's reflectors of gehrd lie where those of sytrd's lower triangle do. */
static int apply_q(enum tw_type t, enum tw_trans trans, tw_int n, tw_int k, const void *f, tw_int ldf, const void *tau,
                   void *x)
{
    return check_reflect_trd(t, TW_LEFT, TW_LOWER, trans, n, k, f, ldf, tau, x, n);
}

int check_gehrd(const struct check_matrix *A, const void *f, tw_int ldf, const void *tau, double residual[2])
{
    const enum tw_type t = A->type;
    const tw_int n = A->n, k = n > CHECK_FULL_MAX ? CHECK_VECTORS : n;
    void *x = check_room(t, n, k), *v = check_room(t, n, k), *y = check_room(t, n, k), *u = check_room(t, n, k);
    double *sums = check_room(TW_DOUBLE, n, 1);
    int error = x && v && y && u && sums ? 0 : TW_E_MEMORY;

    residual[0] = residual[1] = 0;
    if (!error && n > 0 && !(error = (check_columns(t, n, k, k == n, x), hessenberg(t, n, k, f, ldf, x, u)))) {
        residual[0] = residual[1] = NAN;
        memcpy(v, x, (size_t)n * (size_t)k * check_sizeof(t));
        if (!apply_q(t, TW_NOTRANS, n, k, f, ldf, tau, v) && !apply_q(t, TW_NOTRANS, n, k, f, ldf, tau, u)) {
            error = A->apply(A->context, TW_GENERAL, TW_NOTRANS, (int)k, v, y, sums, NULL);
            check_subtract(t, n, k, y, n, u, n);
            residual[0] = check_quotient(check_norm_ge(t, n, k, y, n), check_max(n, sums)) / ((double)n * check_eps(t));
            if (!apply_q(t, TW_CONJTRANS, n, k, f, ldf, tau, v)) {
                check_subtract(t, n, k, v, n, x, n);
                residual[1] = check_norm_ge(t, n, k, v, n) / ((double)n * check_eps(t));
            }
            if (k < n) residual[0] /= (double)n, residual[1] /= (double)n; /* signs: of length n in this norm */
        }
    }
    free(x), free(v), free(y), free(u), free(sums);
    return error;
}
