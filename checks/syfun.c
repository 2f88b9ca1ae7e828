/* Functions of hermitian matrices: by products with the function's value where one tells, else against LAPACK's
 * eigenvectors. Whole products, of all orders. */
#include <math.h>
#include <stdlib.h>

#include "checks/products.h"

static void multiply(enum tw_type t, tw_int n, const void *a, const void *b, tw_int ldb, void *c)
{
    check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, n, n, 1, a, n, b, ldb, 0, c, n);
}
static void subtract_identity(enum tw_type t, tw_int n, void *c)
{
    double v[2];
    for (tw_int i = 0; i < n; i++) {
        check_get(t, c, (size_t)(i + i * n), v);
        check_set(t, c, (size_t)(i + i * n), v[0] - 1, v[1]);
    }
}

/* c = f(A), a used up; returns |A| max |f'|. */
static double by_lapack(enum tw_function f, enum tw_type t, tw_int n, void *a, double *w, void *c)
{
    const double norm = check_norm_ge(t, n, n, a, n);
    double slope = 0;
    void *z = check_room(t, n, n);

    if (!z || check_lapack_syevd(t, 'V', n, a, w)) {
        free(z);
        return NAN;
    }
    for (tw_int j = 0; j < n; j++) {
        const double y = f == TW_EXP ? exp(w[j]) : f == TW_LOG ? log(w[j]) : fabs(w[j]);
        slope = fmax(slope, f == TW_EXP ? y : f == TW_LOG ? 1 / w[j] : 1);
        for (tw_int i = 0; i < n; i++) {
            double v[2];
            check_get(t, a, (size_t)(i + j * n), v);
            check_set(t, z, (size_t)(i + j * n), v[0] * y, v[1] * y);
        }
    }
    check_gemm(t, TW_NOTRANS, TW_CONJTRANS, n, n, n, 1, z, n, a, n, 0, c, n);
    free(z);
    return norm * slope;
}

/* The error's norm over what it is measured by; a, b, c: n x n, A in the first. */
static double error(enum tw_function f, enum tw_type t, tw_int n, void *a, void *b, void *c, double *w, const void *F,
                    tw_int ldf)
{
    const double norm_a = check_norm_ge(t, n, n, a, n), norm_f = check_norm_ge(t, n, n, F, ldf);
    double scale;

    check_copy(t, n, n, F, ldf, b, n);
    switch (f) {
    case TW_SQRT:
        multiply(t, n, b, F, ldf, c);
        check_subtract(t, n, n, c, n, a, n);
        /* the decomposition's error, and twice that of its orthogonality: |F|^2 is not larger than they are */
        scale = 3 * norm_f * norm_f;
        break;
    case TW_INVERSE:
        multiply(t, n, a, F, ldf, c);
        subtract_identity(t, n, c);
        scale = norm_a * norm_f;
        break;
    case TW_INVERSE_SQRT:
        multiply(t, n, b, a, n, c);
        multiply(t, n, c, F, ldf, b);
        check_copy(t, n, n, b, n, c, n);
        subtract_identity(t, n, c);
        scale = norm_f * norm_f * norm_a;
        break;
    default:
        scale = by_lapack(f, t, n, a, w, c);
        if (!(scale > norm_f)) scale = isnan(scale) ? scale : norm_f;
        check_subtract(t, n, n, c, n, b, n);
    }
    return check_quotient(check_norm_ge(t, n, n, c, n), scale);
}

int check_syfun(enum tw_function f, const struct check_matrix *A, const void *F, tw_int ldf, double *residual)
{
    const tw_int n = A->n;
    void *a = check_room(A->type, n, n), *b = check_room(A->type, n, n), *c = check_room(A->type, n, n);
    double *w = check_room(TW_DOUBLE, n, 1);
    int e = a && b && c && w ? A->fill(A->context, a, n) : TW_E_MEMORY;

    *residual = 0;
    if (!e && n > 0) *residual = error(f, A->type, n, a, b, c, w, F, ldf) / ((double)n * check_eps(A->type));
    free(a), free(b), free(c), free(w);
    return e;
}
