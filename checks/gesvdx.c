/* Some singular values and vectors: A V = U S, A^H U = V S, orthonormal on both sides; values beside LAPACK's gesvd. */
#include <math.h>
#include <stdlib.h>

#include "checks/products.h"

static tw_int smaller(tw_int a, tw_int b)
{
    return a < b ? a : b;
}
static double units(const struct check_matrix *A)
{
    return (double)(A->m > A->n ? A->m : A->n) * check_eps(A->type);
}
static int descending(tw_int k, const double *s)
{
    for (tw_int i = 0; i < k; i++)
        if (!(s[i] >= 0) || (i > 0 && !(s[i - 1] >= s[i]))) return 0;
    return 1;
}

/* The columns of U, or those of V, whose adjoint vt is, without gaps; NULL without memory. */
static void *columns(enum tw_type t, int adjoint, tw_int n, tw_int k, const void *x, tw_int ldx)
{
    void *y = check_room(t, n, k);

    for (tw_int j = 0; y && j < k; j++)
        for (tw_int i = 0; i < n; i++) {
            double v[2];
            check_get(t, x, (size_t)(adjoint ? j + i * ldx : i + j * ldx), v);
            check_set(t, y, (size_t)(i + j * n), v[0], adjoint && check_is_complex(t) ? -v[1] : v[1]);
        }
    return y;
}

/* Y (n x k): the largest distance of its columns' lengths from s. */
static double from_lengths(enum tw_type t, tw_int n, tw_int k, const double *s, const void *y)
{
    double most = 0;

    for (tw_int j = 0; j < k; j++) {
        double length = 0, v[2], off;
        for (tw_int i = 0; i < n; i++) {
            check_get(t, y, (size_t)(i + j * n), v);
            length = hypot(length, hypot(v[0], v[1]));
        }
        off = fabs(length - s[j]);
        most = check_worse(most, off);
    }
    return most;
}

/* |op(A) X - Y diag(s)| over the 1-norm of op(A): X's columns are of length n, Y's of m. Y NULL: of lengths. */
static int residual_of(const struct check_matrix *A, enum tw_trans op, tw_int m, tw_int k, const double *s,
                       const void *x, const void *y, double *value)
{
    const enum tw_type t = A->type;
    void *z = check_room(t, m, k);
    double *colsum = check_room(TW_DOUBLE, A->n, 1), *rowsum = check_room(TW_DOUBLE, A->m, 1), norm;
    int e = z && colsum && rowsum ? 0 : TW_E_MEMORY;

    if (!e) e = A->apply(A->context, TW_GENERAL, op, k, x, z, colsum, rowsum);
    if (!e) {
        norm = op == TW_NOTRANS ? check_max(A->n, colsum) : check_max(A->m, rowsum);
        for (tw_int j = 0; y && j < k; j++)
            for (tw_int i = 0; i < m; i++) {
                double v[2], w[2];
                check_get(t, z, (size_t)(i + j * m), v);
                check_get(t, y, (size_t)(i + j * m), w);
                check_set(t, z, (size_t)(i + j * m), v[0] - w[0] * s[j], v[1] - w[1] * s[j]);
            }
        *value = check_quotient(y ? check_norm_ge(t, m, k, z, m) : from_lengths(t, m, k, s, z), norm) / units(A);
    }
    free(z), free(colsum), free(rowsum);
    return e;
}

int check_gesvdx(const struct check_matrix *A, tw_int k, const double *s, const void *u, tw_int ldu, const void *vt,
                 tw_int ldvt, double residual[4])
{
    const enum tw_type t = A->type;
    const tw_int m = A->m, n = A->n;
    void *U = NULL, *V = NULL;
    int e = 0;

    for (int i = 0; i < 4; i++)
        residual[i] = 0;
    if (k == 0) return 0;
    if (u) U = columns(t, 0, m, k, u, ldu);
    if (vt) V = columns(t, 1, n, k, vt, ldvt);
    if ((u && !U) || (vt && !V)) e = TW_E_MEMORY;
    if (!e && V) e = residual_of(A, TW_NOTRANS, m, k, s, V, U, &residual[0]);
    if (!e && U) e = residual_of(A, TW_CONJTRANS, n, k, s, U, V, &residual[1]);
    if (!e && U) e = check_orthonormal(t, 0, m, k, U, m, 0, &residual[2]);
    if (!e && V) e = check_orthonormal(t, 0, n, k, V, n, 0, &residual[3]);
    if (!descending(k, s)) residual[0] = NAN;
    free(U), free(V);
    return e;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* LAPACK's, to be freed. */
static int references(const struct check_matrix *A, double **reference)
{
    const tw_int k = smaller(A->m, A->n);
    void *a = check_room(A->type, A->m, A->n);
    int e;

    *reference = check_room(TW_DOUBLE, k, 1);
    e = a && *reference ? A->fill(A->context, a, A->m > 0 ? A->m : 1) : TW_E_MEMORY;
    if (!e && k > 0 && check_lapack_gesvd(A->type, A->m, A->n, a, *reference)) (*reference)[0] = NAN;
    free(a);
    return e;
}
static double furthest(tw_int k, const double *s, const double *reference)
{
    double most = descending(k, s) ? 0 : NAN;

    for (tw_int i = 0; i < k; i++)
        most = check_worse(most, fabs(s[i] - reference[i]));
    return most;
}

int check_some_singular_values(const struct check_matrix *A, tw_int first, tw_int k, const double *s, double *error)
{
    double *reference;
    const int e = references(A, &reference);

    *error = 0;
    if (!e && k > 0) *error = check_quotient(furthest(k, s, reference + first), reference[0]) / units(A);
    free(reference);
    return e;
}

/* How many of them are x or more. */
static tw_int at_least(tw_int k, const double *s, double x)
{
    tw_int i = 0;
    while (i < k && s[i] >= x)
        i++;
    return i;
}

int check_singular_interval(const struct check_matrix *A, double vl, double vu, tw_int k, const double *s,
                            double *error)
{
    const tw_int all = smaller(A->m, A->n);
    double *reference, least = INFINITY;
    const int e = references(A, &reference);

    *error = 0;
    if (!e && all > 0) {
        /* An end is as exact as the values are. */
        const double slack = 3 * units(A) * reference[0];
        const tw_int low = at_least(all, reference, vl + slack), high = at_least(all, reference, vl - slack);
        for (tw_int f = at_least(all, reference, vu + slack); f <= at_least(all, reference, vu - slack); f++)
            if (f + k >= low && f + k <= high) {
                const double one = furthest(k, s, reference + f);
                if (!(one >= least)) least = one;
            }
        *error = isnan(reference[0]) ? NAN : check_quotient(least, reference[0]) / units(A);
    }
    free(reference);
    return e;
}
