/* Some singular values and vectors: what a projection of A has to fulfil exactly, and how far from A it is. */
#include <math.h>
#include <stdlib.h>

#include "checks/products.h"

enum { STEPS = 30 };

static double length(enum tw_type t, tw_int n, const void *x)
{
    double sum = 0, v[2];
    for (tw_int i = 0; i < n; i++) {
        check_get(t, x, (size_t)i, v);
        sum = hypot(sum, hypot(v[0], v[1]));
    }
    return sum;
}
static void scale(enum tw_type t, tw_int n, const double *by, double factor, void *x)
{
    for (tw_int i = 0; i < n; i++) {
        double v[2];
        const double f = by ? factor * by[i] : factor;
        check_get(t, x, (size_t)i, v);
        check_set(t, x, (size_t)i, v[0] * f, v[1] * f);
    }
}

/* y (m) = (A - U S V^T) x, or its adjoint from y; w: k. */
static int apply(const struct check_matrix *A, int adjoint, tw_int k, const double *s, const void *u, tw_int ldu,
                 const void *vt, tw_int ldvt, const void *x, void *y, void *w)
{
    const enum tw_type t = A->type;
    const int e = A->apply(A->context, TW_GENERAL, adjoint ? TW_CONJTRANS : TW_NOTRANS, 1, x, y, NULL, NULL);

    if (e) return e;
    if (adjoint)
        check_gemm(t, TW_CONJTRANS, TW_NOTRANS, k, 1, A->m, 1, u, ldu, x, A->m, 0, w, k);
    else
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, k, 1, A->n, 1, vt, ldvt, x, A->n, 0, w, k);
    scale(t, k, s, 1, w);
    if (adjoint)
        check_gemm(t, TW_CONJTRANS, TW_NOTRANS, A->n, 1, k, -1, vt, ldvt, w, k, 1, y, A->n);
    else
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, A->m, 1, k, -1, u, ldu, w, k, 1, y, A->m);
    return 0;
}

static int power_method(const struct check_matrix *A, tw_int k, const double *s, const void *u, tw_int ldu,
                        const void *vt, tw_int ldvt, double *distance)
{
    const enum tw_type t = A->type;
    void *x = check_room(t, A->n, 1), *y = check_room(t, A->m, 1), *w = check_room(t, k, 1);
    int e = x && y && w ? 0 : TW_E_MEMORY;
    double size;

    for (tw_int i = 0; !e && i < A->n; i++)
        check_set(t, x, (size_t)i, cos(1.0 + (double)(i * i % 1009)), 0);
    *distance = 0;
    for (int step = 0; !e && step < STEPS; step++) {
        if (!((size = length(t, A->n, x)) > 0)) break;
        scale(t, A->n, NULL, 1 / size, x);
        if ((e = apply(A, 0, k, s, u, ldu, vt, ldvt, x, y, w))) break;
        *distance = length(t, A->m, y);
        if (!(*distance > 0)) break;
        scale(t, A->m, NULL, 1 / *distance, y);
        e = apply(A, 1, k, s, u, ldu, vt, ldvt, y, x, w);
    }
    free(x), free(y), free(w);
    return e;
}

int check_gersvd(const struct check_matrix *A, tw_int k, const double *s, const void *u, tw_int ldu, const void *vt,
                 tw_int ldvt, double residual[3], double *distance)
{
    const enum tw_type t = A->type;
    const tw_int m = A->m, n = A->n, most = m > n ? m : n;
    void *y = check_room(t, n, k), *g;
    double norm = 0;
    int e = 0;

    residual[0] = residual[1] = residual[2] = *distance = 0;
    if (k == 0) {
        free(y);
        return power_method(A, 0, s, u, ldu, vt, ldvt, distance);
    }
    g = check_room(t, k, k);
    if (!y || !g) e = TW_E_MEMORY;
    if (!e) {
        void *tight = check_room(t, m, k);
        if (tight) {
            check_copy(t, m, k, u, ldu, tight, m);
            e = A->apply(A->context, TW_GENERAL, TW_CONJTRANS, k, tight, y, NULL, NULL); /* (U^H A)^H */
        } else {
            e = TW_E_MEMORY;
        }
        free(tight);
    }
    if (!e) e = check_anorm(A, &norm);
    for (tw_int j = 0; !e && j < k; j++) {
        if (!(s[j] >= 0) || (j > 0 && !(s[j - 1] >= s[j]))) norm = NAN;
        for (tw_int i = 0; i < n; i++) {
            double have[2], want[2];
            check_get(t, y, (size_t)(i + j * n), have);
            check_get(t, vt, (size_t)(j + i * ldvt), want);
            check_set(t, y, (size_t)(i + j * n), have[0] - s[j] * want[0], have[1] + s[j] * want[1]);
        }
    }
    if (!e) {
        residual[0] =
            isnan(norm) ? NAN : check_quotient(check_norm_ge(t, n, k, y, n), norm) / ((double)most * check_eps(t));
        for (int side = 0; side < 2; side++) {
            if (side)
                check_gemm(t, TW_NOTRANS, TW_CONJTRANS, k, k, n, 1, vt, ldvt, vt, ldvt, 0, g, k);
            else
                check_gemm(t, TW_CONJTRANS, TW_NOTRANS, k, k, m, 1, u, ldu, u, ldu, 0, g, k);
            for (tw_int j = 0; j < k; j++) {
                double v[2];
                check_get(t, g, (size_t)(j + j * k), v);
                check_set(t, g, (size_t)(j + j * k), v[0] - 1, v[1]);
            }
            residual[1 + side] = check_norm_ge(t, k, k, g, k) / ((double)(side ? n : m) * check_eps(t));
        }
        e = power_method(A, k, s, u, ldu, vt, ldvt, distance);
    }
    free(y), free(g);
    return e;
}
