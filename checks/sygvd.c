/* Generalized eigenvalue problems: whole products up to order CHECK_FULL_MAX, above it with a few vectors. */
#include <math.h>
#include <stdlib.h>

#include "checks/products.h"

/* Z is n x k. x: what it is multiplied with, k x columns: the unit matrix, or columns of signs; and what is made of it,
 * in arrays of n rows. */
struct pencil {
    int itype;
    const struct check_matrix *A, *B;
    tw_int n, k, columns;
    const double *w;
    const void *z;
    tw_int ldz;
    void *x, *v, *left, *right, *u;
    double *sums;
};

static void fill(const struct pencil *p, int whole)
{
    uint64_t state = 88172645463325252u;

    for (tw_int j = 0; j < p->columns; j++)
        for (tw_int i = 0; i < p->k; i++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            check_set(p->A->type, p->x, (size_t)(i + j * p->n), whole ? i == j : state & 1 ? 1 : -1, 0);
        }
}

/* y = A x; norm (NULL: not wanted): A's. x and y have n rows. */
static int apply(const struct pencil *p, const struct check_matrix *A, const void *x, void *y, double *norm)
{
    const int e = A->apply(A->context, TW_GENERAL, TW_NOTRANS, p->columns, x, y, norm ? p->sums : NULL, NULL);
    if (norm) *norm = check_max(p->n, p->sums);
    return e;
}
/* y = Z x or Z^H x */
static void by_z(const struct pencil *p, enum tw_trans op, const void *x, void *y)
{
    const int plain = op == TW_NOTRANS;
    check_gemm(p->A->type, op, TW_NOTRANS, plain ? p->n : p->k, p->columns, plain ? p->k : p->n, 1, p->z, p->ldz, x,
               p->n, 0, y, p->n);
}
/* y = diag(w) x, of k rows */
static void by_values(const struct pencil *p, const void *x, void *y)
{
    double v[2];
    for (tw_int j = 0; j < p->columns; j++)
        for (tw_int i = 0; i < p->k; i++) {
            check_get(p->A->type, x, (size_t)(i + j * p->n), v);
            check_set(p->A->type, y, (size_t)(i + j * p->n), v[0] * p->w[i], v[1] * p->w[i]);
        }
}

/* The problem's two sides. */
static int pencil_sides(const struct pencil *p, double *norm_a, double *norm_b)
{
    int e;

    by_z(p, TW_NOTRANS, p->x, p->v);
    by_values(p, p->x, p->u);
    by_z(p, TW_NOTRANS, p->u, p->right);
    if (p->itype == 2) {
        e = apply(p, p->B, p->v, p->u, norm_b);
        return e ? e : apply(p, p->A, p->u, p->left, norm_a);
    }
    if ((e = apply(p, p->A, p->v, p->u, norm_a))) return e;
    if (p->itype == 3) return apply(p, p->B, p->u, p->left, norm_b);
    check_copy(p->A->type, p->n, p->columns, p->u, p->n, p->left, p->n);
    check_copy(p->A->type, p->n, p->columns, p->right, p->n, p->u, p->n);
    return apply(p, p->B, p->u, p->right, norm_b);
}

/* Z^H B Z x - x. Of itype 3 Z Z^H x - B x, which says the same of Z^H inv(B) Z; of some eigenvectors Z^H A Z x -
 * diag(w) x, since inv(B) Z diag(w) is A Z. The rows that the result has. */
static int normality(const struct pencil *p, tw_int *rows)
{
    const enum tw_type t = p->A->type;
    int e;

    *rows = p->k;
    if (p->itype == 3 && p->k == p->n) {
        by_z(p, TW_CONJTRANS, p->x, p->u);
        by_z(p, TW_NOTRANS, p->u, p->left);
        e = apply(p, p->B, p->x, p->right, NULL);
    } else {
        e = apply(p, p->itype == 3 ? p->A : p->B, p->v, p->u, NULL);
        by_z(p, TW_CONJTRANS, p->u, p->left);
        if (p->itype == 3)
            by_values(p, p->x, p->right);
        else
            check_copy(t, p->k, p->columns, p->x, p->n, p->right, p->n);
    }
    check_subtract(t, *rows, p->columns, p->left, p->n, p->right, p->n);
    return e;
}

/* The largest |z_j|^2 in the 2-norm. */
static double longest(const struct pencil *p)
{
    double most = 0, v[2];

    for (tw_int j = 0; j < p->k; j++) {
        double sum = 0;
        for (tw_int i = 0; i < p->n; i++) {
            check_get(p->A->type, p->z, (size_t)(i + j * p->ldz), v);
            sum += v[0] * v[0] + v[1] * v[1];
        }
        most = check_worse(most, sum);
    }
    return most;
}

static int vector_residuals(const struct pencil *p, double residual[2])
{
    const enum tw_type t = p->A->type;
    const double unit = (double)p->n * check_eps(t) * check_norm_ge(t, p->k, p->columns, p->x, p->n);
    double a = 0, b = 0, scale;
    tw_int rows;
    int e = pencil_sides(p, &a, &b);

    if (e) return e;
    check_subtract(t, p->n, p->columns, p->left, p->n, p->right, p->n);
    scale = a * check_norm_ge(t, p->n, p->k, p->z, p->ldz) * (p->itype == 1 ? 1 : b);
    residual[0] = check_quotient(check_norm_ge(t, p->n, p->columns, p->left, p->n), scale) / unit;
    if ((e = normality(p, &rows))) return e;
    scale = p->itype != 3 ? b * longest(p) : p->k == p->n ? b : a * longest(p);
    residual[1] = check_quotient(check_norm_ge(t, rows, p->columns, p->left, p->n), scale) / unit;
    return 0;
}

int check_sygvd(int itype, const struct check_matrix *A, const struct check_matrix *B, tw_int k, const double *w,
                const void *z, tw_int ldz, double residual[2])
{
    const tw_int n = A->n;
    const int whole = n <= CHECK_FULL_MAX;
    struct pencil p = {.itype = itype,
                       .A = A,
                       .B = B,
                       .n = n,
                       .k = k,
                       .columns = whole ? k : CHECK_VECTORS,
                       .w = w,
                       .z = z,
                       .ldz = ldz};
    int e = TW_E_MEMORY;

    residual[0] = residual[1] = 0;
    if (n == 0 || k == 0) return 0;
    p.x = check_room(A->type, n, p.columns), p.v = check_room(A->type, n, p.columns);
    p.left = check_room(A->type, n, p.columns), p.right = check_room(A->type, n, p.columns);
    p.u = check_room(A->type, n, p.columns);
    p.sums = check_room(TW_DOUBLE, n, 1);
    if (p.x && p.v && p.u && p.left && p.right && p.sums) {
        residual[0] = residual[1] = NAN;
        fill(&p, whole);
        e = vector_residuals(&p, residual);
        for (tw_int i = 1; !e && i < k; i++)
            if (!(w[i - 1] <= w[i])) residual[0] = NAN; /* not in ascending order */
    }
    free(p.x), free(p.v), free(p.u), free(p.left), free(p.right), free(p.sums);
    return e;
}

/* LAPACK's eigenvalues, and the largest in size; NaN: it found none. */
static int references(int itype, const struct check_matrix *A, const struct check_matrix *B, double **reference,
                      double *largest)
{
    const tw_int n = A->n;
    void *a = check_room(A->type, n, n), *b = check_room(A->type, n, n);
    int e;

    *reference = check_room(TW_DOUBLE, n, 1);
    *largest = 0;
    e = a && b && *reference ? A->fill(A->context, a, n) : TW_E_MEMORY;
    if (!e && n > 0 && !(e = B->fill(B->context, b, n))) {
        if (check_lapack_sygvd(A->type, itype, n, a, b, *reference)) *largest = NAN;
        for (tw_int i = 0; i < n; i++)
            *largest = check_worse(*largest, fabs((*reference)[i]));
    }
    free(a), free(b);
    return e;
}

/* The largest difference; NaN if w does not ascend. */
static double furthest(tw_int count, const double *w, const double *reference)
{
    double most = 0;

    for (tw_int i = 0; i < count; i++) {
        const double one = fabs(w[i] - reference[i]);
        most = check_worse(most, one);
        if (i > 0 && !(w[i - 1] <= w[i])) return NAN;
    }
    return most;
}

int check_generalized_values(int itype, const struct check_matrix *A, const struct check_matrix *B, tw_int first,
                             tw_int count, const double *w, double *error)
{
    double *reference, largest;
    int e = references(itype, A, B, &reference, &largest);

    *error = 0;
    if (!e && A->n > 0)
        *error = check_quotient(isnan(largest) ? NAN : furthest(count, w, reference + first), largest) /
                 ((double)A->n * check_eps(A->type));
    free(reference);
    return e;
}

int check_generalized_interval(int itype, const struct check_matrix *A, const struct check_matrix *B, double vl,
                               double vu, tw_int count, const double *w, double *error)
{
    double *reference, largest, least = INFINITY;
    int e = references(itype, A, B, &reference, &largest);

    *error = 0;
    if (!e && A->n > 0) {
        const double slack = 3 * (double)A->n * check_eps(A->type) * largest;
        for (tw_int f = 0; f + count <= A->n; f++) {
            const tw_int end = f + count;
            double one;
            /* those before, those in it and those behind, as far as ends and eigenvalues are exact */
            if ((f > 0 && reference[f - 1] > vl + slack) || (end < A->n && reference[end] <= vu - slack)) continue;
            if (count > 0 && (reference[f] <= vl - slack || reference[end - 1] > vu + slack)) continue;
            one = furthest(count, w, reference + f);
            if (!(one >= least)) least = one;
        }
        *error = isnan(largest) ? NAN : check_quotient(least, largest) / ((double)A->n * check_eps(A->type));
    }
    free(reference);
    return e;
}

/* a := L a L^H or U^H a U for itype 1, L^H a L or U a U^H for 2 and 3, with L or U in f. */
static void apply_two_sided(enum tw_type t, int itype, enum tw_uplo uplo, tw_int n, const void *f, tw_int ldf, void *a)
{
    const int first = (uplo == TW_LOWER) == (itype == 1);

    check_trmm(t, TW_LEFT, uplo, first ? TW_NOTRANS : TW_CONJTRANS, TW_NONUNIT, n, n, f, ldf, a, n);
    check_trmm(t, TW_RIGHT, uplo, first ? TW_CONJTRANS : TW_NOTRANS, TW_NONUNIT, n, n, f, ldf, a, n);
}

int check_sygst(int itype, const struct check_matrix *A, enum tw_uplo uplo, const void *c, tw_int ldc, const void *f,
                tw_int ldf, double *residual)
{
    const struct check_array form = {CHECK_HERMITIAN, A->type, uplo, TW_NONUNIT, A->n, A->n, c, ldc};
    const struct check_matrix C = check_of_array(&form);
    const enum tw_type t = A->type;
    const tw_int n = A->n;
    void *a = check_room(t, n, n), *b = check_room(t, n, n);
    int e = a && b ? 0 : TW_E_MEMORY;
    double scale;

    *residual = 0;
    if (!e && n > 0 && !(e = A->fill(A->context, a, n)) && !(e = C.fill(C.context, b, n))) {
        scale = check_norm_ge(t, n, n, itype == 1 ? b : a, n) * check_norm_tr(t, '1', uplo, n, f, ldf) *
                check_norm_tr(t, 'I', uplo, n, f, ldf);
        apply_two_sided(t, itype, uplo, n, f, ldf, itype == 1 ? b : a);
        check_subtract(t, n, n, a, n, b, n);
        *residual = check_quotient(check_norm_ge(t, n, n, a, n), scale) / ((double)n * check_eps(t));
    }
    free(a), free(b);
    return e;
}
