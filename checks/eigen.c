/* Eigenvalues and eigenvectors: whole products up to order CHECK_FULL_MAX, above it with a few vectors; eigenvalues
 * alone against LAPACK's. */
#include <math.h>
#include <stdlib.h>

#include "checks/products.h"

/* Y's column j times w[j], or row i times w[i]. */
static void by_values(enum tw_type t, tw_int m, tw_int k, const double *w, int rows, void *y)
{
    for (tw_int j = 0; j < k; j++)
        for (tw_int i = 0; i < m; i++) {
            double v[2];
            check_get(t, y, (size_t)(i + j * m), v);
            check_set(t, y, (size_t)(i + j * m), v[0] * w[rows ? i : j], v[1] * w[rows ? i : j]);
        }
}

/* A Z - Z diag(w) and Z^H Z - I; y, v: n x k. */
static int dense_residuals(const struct check_matrix *A, tw_int k, const double *w, const void *z, tw_int ldz, void *y,
                           void *v, double *sums, double residual[2])
{
    const enum tw_type t = A->type;
    const tw_int n = A->n;
    void *gram;
    int e;

    check_copy(t, n, k, z, ldz, v, n);
    if ((e = A->apply(A->context, TW_GENERAL, TW_NOTRANS, k, v, y, sums, NULL))) return e;
    by_values(t, n, k, w, 0, v);
    check_subtract(t, n, k, y, n, v, n);
    residual[0] = check_quotient(check_norm_ge(t, n, k, y, n), check_max(n, sums));
    if (!(gram = check_room(t, k, k))) return TW_E_MEMORY;
    check_gemm(t, TW_CONJTRANS, TW_NOTRANS, k, k, n, 1, z, ldz, z, ldz, 0, gram, k);
    for (tw_int j = 0; j < k; j++) {
        double g[2];
        check_get(t, gram, (size_t)(j + j * k), g);
        check_set(t, gram, (size_t)(j + j * k), g[0] - 1, g[1]);
    }
    residual[1] = check_norm_ge(t, k, k, gram, k);
    free(gram);
    return 0;
}

/* The same for Z x with vectors x of signs that look random: A (Z x) - Z (diag(w) x) and Z^H (Z x) - x. y, v: n x
 * CHECK_VECTORS. */
static int few(const struct check_matrix *A, tw_int k, const double *w, const void *z, tw_int ldz, void *y, void *v,
               double *sums, double residual[2])
{
    const enum tw_type t = A->type;
    const tw_int n = A->n;
    void *x = check_room(t, k, CHECK_VECTORS), *wx = check_room(t, k, CHECK_VECTORS);
    uint64_t state = 88172645463325252u;
    int e = x && wx ? 0 : TW_E_MEMORY;

    for (tw_int i = 0; !e && i < k * CHECK_VECTORS; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        check_set(t, x, (size_t)i, state & 1 ? 1 : -1, 0);
    }
    if (!e) {
        check_copy(t, k, CHECK_VECTORS, x, k, wx, k);
        by_values(t, k, CHECK_VECTORS, w, 1, wx);
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, CHECK_VECTORS, k, 1, z, ldz, x, k, 0, v, n);
        e = A->apply(A->context, TW_GENERAL, TW_NOTRANS, CHECK_VECTORS, v, y, sums, NULL);
    }
    if (!e) { /* wx holds what is left of x afterwards */
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, n, CHECK_VECTORS, k, -1, z, ldz, wx, k, 1, y, n);
        check_gemm(t, TW_CONJTRANS, TW_NOTRANS, k, CHECK_VECTORS, n, 1, z, ldz, v, n, 0, wx, k);
        check_subtract(t, k, CHECK_VECTORS, wx, k, x, k);
        residual[0] = check_quotient(check_norm_ge(t, n, CHECK_VECTORS, y, n), check_max(n, sums)) / (double)k;
        residual[1] = check_norm_ge(t, k, CHECK_VECTORS, wx, k) / (double)k;
    }
    free(x), free(wx);
    return e;
}

int check_syevd(const struct check_matrix *A, tw_int k, const double *w, const void *z, tw_int ldz, double residual[2])
{
    const tw_int n = A->n, columns = n > CHECK_FULL_MAX ? CHECK_VECTORS : k;
    void *y = check_room(A->type, n, columns), *v = check_room(A->type, n, columns);
    double *sums = check_room(TW_DOUBLE, n, 1);
    int e = y && v && sums ? 0 : TW_E_MEMORY;

    residual[0] = residual[1] = 0;
    if (!e && n > 0 && k > 0) {
        residual[0] = residual[1] = NAN;
        e = (n > CHECK_FULL_MAX ? few : dense_residuals)(A, k, w, z, ldz, y, v, sums, residual);
        residual[0] /= (double)n * check_eps(A->type);
        residual[1] /= (double)n * check_eps(A->type);
        for (tw_int i = 1; !e && i < k; i++)
            if (!(w[i - 1] <= w[i])) residual[0] = NAN; /* not in ascending order */
    }
    free(y), free(v), free(sums);
    return e;
}

/* LAPACK's eigenvalues, or NaN. */
static int references(const struct check_matrix *A, double **reference, double *norm)
{
    const tw_int n = A->n;
    void *a = check_room(A->type, n, n);
    int e;

    *reference = check_room(TW_DOUBLE, n, 1);
    e = a && *reference ? A->fill(A->context, a, n) : TW_E_MEMORY;
    if (!e && n > 0) {
        *norm = check_norm_ge(A->type, n, n, a, n);
        if (check_lapack_syevd(A->type, 'N', n, a, *reference)) *norm = NAN;
    }
    free(a);
    return e;
}

/* The largest difference from reference[0], ...; NaN if w does not ascend. */
static double furthest(tw_int k, const double *w, const double *reference)
{
    double most = 0;

    for (tw_int i = 0; i < k; i++) {
        const double one = fabs(w[i] - reference[i]);
        most = check_worse(most, one);
        if (i > 0 && !(w[i - 1] <= w[i])) return NAN;
    }
    return most;
}

int check_some_eigenvalues(const struct check_matrix *A, tw_int first, tw_int k, const double *w, double *error)
{
    double *reference, norm = 0;
    int e = references(A, &reference, &norm);

    *error = 0;
    if (!e && A->n > 0)
        *error = check_quotient(isnan(norm) ? NAN : furthest(k, w, reference + first), norm) /
                 ((double)A->n * check_eps(A->type));
    free(reference);
    return e;
}

static tw_int up_to(tw_int n, const double *reference, double x)
{
    tw_int count = 0;
    while (count < n && reference[count] <= x)
        count++;
    return count;
}

int check_interval(const struct check_matrix *A, double vl, double vu, tw_int k, const double *w, double *error)
{
    const tw_int n = A->n;
    double *reference, norm = 0, least = INFINITY;
    int e = references(A, &reference, &norm);

    *error = 0;
    if (!e && n > 0) {
        /* An end is as exact as the eigenvalues are. */
        const double slack = 3 * (double)n * check_eps(A->type) * norm;
        const tw_int ends[2] = {up_to(n, reference, vu - slack), up_to(n, reference, vu + slack)};
        for (tw_int f = up_to(n, reference, vl - slack); f <= up_to(n, reference, vl + slack); f++)
            if (f + k >= ends[0] && f + k <= ends[1]) {
                const double one = furthest(k, w, reference + f);
                if (!(one >= least)) least = one;
            }
        /* INFINITY: another number of eigenvalues than LAPACK has there */
        *error = isnan(norm) ? NAN : check_quotient(least, norm) / ((double)n * check_eps(A->type));
    }
    free(reference);
    return e;
}

int check_eigenvalues(const struct check_matrix *A, const double *w, double *error)
{
    return check_some_eigenvalues(A, 0, A->n, w, error);
}
