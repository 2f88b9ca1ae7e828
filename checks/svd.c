/* Singular values and vectors: whole products up to order CHECK_FULL_MAX, above it with a few vectors; values against
 * LAPACK's gesvd. */
#include <math.h>
#include <stdlib.h>

#include "checks/products.h"

static tw_int smaller(tw_int a, tw_int b)
{
    return a < b ? a : b;
}
static tw_int larger(tw_int a, tw_int b)
{
    return a > b ? a : b;
}

/* Row i of Y (m x k) times s[i]. */
static void scale_rows(enum tw_type t, tw_int m, tw_int k, const double *s, void *y, tw_int ldy)
{
    for (tw_int j = 0; j < k; j++)
        for (tw_int i = 0; i < m; i++) {
            double v[2];
            check_get(t, y, (size_t)(i + j * ldy), v);
            check_set(t, y, (size_t)(i + j * ldy), v[0] * s[i], v[1] * s[i]);
        }
}

int check_orthonormal(enum tw_type t, int rows, tw_int m, tw_int k, const void *q, tw_int ldq, int few, double *value)
{
    const enum tw_trans first = rows ? TW_CONJTRANS : TW_NOTRANS, second = rows ? TW_NOTRANS : TW_CONJTRANS;
    const tw_int columns = few ? CHECK_VECTORS : k;
    void *g = check_room(t, k, columns), *x = few ? check_room(t, k, columns) : NULL,
         *y = few ? check_room(t, m, columns) : NULL;
    const int e = g && (!few || (x && y)) ? 0 : TW_E_MEMORY;

    if (!e && few) {
        check_columns(t, k, columns, 0, x);
        check_gemm(t, first, TW_NOTRANS, m, columns, k, 1, q, ldq, x, k, 0, y, m);
        check_gemm(t, second, TW_NOTRANS, k, columns, m, 1, q, ldq, y, m, 0, g, k);
        check_subtract(t, k, columns, g, k, x, k);
        *value = check_norm_ge(t, k, columns, g, k) / (double)k;
    } else if (!e) {
        check_gemm(t, second, first, k, k, m, 1, q, ldq, q, ldq, 0, g, k);
        for (tw_int j = 0; j < k; j++) {
            double v[2];
            check_get(t, g, (size_t)(j + j * k), v);
            check_set(t, g, (size_t)(j + j * k), v[0] - 1, v[1]);
        }
        *value = check_norm_ge(t, k, k, g, k);
    }
    *value /= (double)m * check_eps(t);
    free(g), free(x), free(y);
    return e;
}

/* A X - U (S (V^T X)) for X the identity, or signs. */
static int residual_of(const struct check_matrix *A, const double *s, const void *u, tw_int ldu, const void *vt,
                       tw_int ldvt, int few, double *value)
{
    const enum tw_type t = A->type;
    const tw_int m = A->m, n = A->n, k = smaller(m, n), columns = few ? CHECK_VECTORS : n;
    void *y = check_room(t, m, columns), *x = few ? check_room(t, n, columns) : NULL, *w = check_room(t, k, columns);
    double *sums = check_room(TW_DOUBLE, n, 1), norm = NAN;
    int e = y && w && sums && (!few || x) ? 0 : TW_E_MEMORY;

    if (!e && few) {
        check_columns(t, n, columns, 0, x);
        e = A->apply(A->context, TW_GENERAL, TW_NOTRANS, (tw_int)CHECK_VECTORS, x, y, sums, NULL);
        norm = check_max(n, sums) * (double)n; /* of X's columns */
        if (!e) check_gemm(t, TW_NOTRANS, TW_NOTRANS, k, columns, n, 1, vt, ldvt, x, n, 0, w, k);
    } else if (!e) {
        e = A->fill(A->context, y, m);
        norm = check_norm_ge(t, m, n, y, m);
        check_copy(t, k, n, vt, ldvt, w, k);
    }
    if (!e) {
        scale_rows(t, k, columns, s, w, k);
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, m, columns, k, -1, u, ldu, w, k, 1, y, m);
        *value = check_quotient(check_norm_ge(t, m, columns, y, m), norm) / ((double)larger(m, n) * check_eps(t));
    }
    free(y), free(x), free(w), free(sums);
    return e;
}

static int descending(tw_int k, const double *s)
{
    for (tw_int i = 0; i < k; i++)
        if (!(s[i] >= 0) || (i > 0 && !(s[i - 1] >= s[i]))) return 0;
    return 1;
}

int check_gesdd(const struct check_matrix *A, const double *s, tw_int left, const void *u, tw_int ldu, tw_int right,
                const void *vt, tw_int ldvt, double residual[3])
{
    const tw_int m = A->m, n = A->n;
    const int few = larger(m, n) > CHECK_FULL_MAX;
    int e = 0;

    residual[0] = residual[1] = residual[2] = 0;
    if (m == 0 || n == 0) return 0;
    if (u && vt) e = residual_of(A, s, u, ldu, vt, ldvt, few, &residual[0]);
    if (!e && u) e = check_orthonormal(A->type, 0, m, left, u, ldu, few, &residual[1]);
    if (!e && vt) e = check_orthonormal(A->type, 1, n, right, vt, ldvt, few, &residual[2]);
    if (!descending(smaller(m, n), s)) residual[0] = NAN;
    return e;
}

int check_singular_values(const struct check_matrix *A, const double *s, double *error)
{
    const tw_int m = A->m, n = A->n, k = smaller(m, n);
    void *a = check_room(A->type, m, n);
    double *reference = check_room(TW_DOUBLE, k, 1), most = 0;
    int e = a && reference ? A->fill(A->context, a, m > 0 ? m : 1) : TW_E_MEMORY;

    *error = 0;
    if (!e && k > 0) {
        if (check_lapack_gesvd(A->type, m, n, a, reference) || !descending(k, s)) most = NAN;
        for (tw_int i = 0; i < k; i++) {
            const double one = fabs(s[i] - reference[i]);
            most = check_worse(most, one);
        }
        *error = check_quotient(most, reference[0]) / ((double)larger(m, n) * check_eps(A->type));
    }
    free(a), free(reference);
    return e;
}
