/* geqrf and gels: Q by LAPACK's ormqr from V and tau; whole matrices up to order CHECK_FULL_MAX, above it a few vectors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/products.h"

static tw_int smaller(tw_int a, tw_int b)
{
    return a < b ? a : b;
}
static tw_int larger(tw_int a, tw_int b)
{
    return a > b ? a : b;
}
static void *row(enum tw_type t, const void *a, tw_int i)
{
    return (char *)a + (size_t)i * check_sizeof(t);
}

/* k columns of which column j is that of the identity, or of signs that look random. */
static void columns(enum tw_type t, tw_int m, tw_int k, int identity, void *x)
{
    uint64_t state = 88172645463325252u;

    memset(x, 0, (size_t)m * (size_t)k * check_sizeof(t));
    for (tw_int j = 0; j < k; j++)
        for (tw_int i = 0; i < m; i++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            if (!identity || i == j) check_set(t, x, (size_t)(i + j * m), identity || state & 1 ? 1 : -1, 0);
        }
}
/* The worst column of E, m x k, in units of the same column of X, n x k. */
static double worst(enum tw_type t, tw_int k, tw_int m, const void *e, tw_int n, const void *x)
{
    double value = 0;
    for (tw_int j = 0; j < k; j++) {
        const double one =
            check_quotient(check_norm_ge(t, m, 1, row(t, e, j * m), m), check_norm_ge(t, n, 1, row(t, x, j * n), n));
        if (!(one <= value)) value = one;
    }
    return value;
}

/* ---- geqrf ------------------------------------------------------------------------------------------------------------- */

/* |Q^H (Q X) - X| for k columns of the identity or of signs, m x k; x and y: room. */
static int orthogonality(const struct check_error *r, const void *tau, tw_int k, int identity, void *x, void *y,
                         double *value)
{
    const enum tw_type t = r->A->type;
    const tw_int m = r->A->m, reflectors = smaller(m, r->A->n);
    int e;

    columns(t, m, k, identity, x);
    check_copy(t, m, k, x, m, y, m);
    if ((e = check_reflect(t, TW_NOTRANS, m, k, reflectors, r->f, r->ldf, tau, y, m))) return e;
    if ((e = check_reflect(t, TW_CONJTRANS, m, k, reflectors, r->f, r->ldf, tau, y, m))) return e;
    check_subtract(t, m, k, y, m, x, m);
    *value = (identity ? check_norm_ge(t, m, k, y, m) : worst(t, k, m, y, m, x)) / ((double)m * check_eps(t));
    return 0;
}

static int whole(const struct check_error *r, const void *tau, void *c, void *w, double *residual)
{
    const enum tw_type t = r->A->type;
    const tw_int m = r->A->m, n = r->A->n, k = smaller(m, n);
    double norm, q = 0;
    int e = r->A->fill(r->A->context, c, m);

    if (e) return e;
    norm = check_norm_ge(t, m, n, c, m);
    check_copy(t, m, n, r->f, r->ldf, w, m);
    check_clean_triangle(t, TW_UPPER, m, n, w, m);
    if ((e = check_reflect(t, TW_NOTRANS, m, n, k, r->f, r->ldf, tau, w, m))) return e;
    check_subtract(t, m, n, w, m, c, m);
    *residual = check_quotient(check_norm_ge(t, m, n, w, m), norm) / ((double)larger(m, n) * check_eps(t));
    if ((e = orthogonality(r, tau, k, 1, c, w, &q))) return e;
    if (!(q <= *residual)) *residual = q;
    return 0;
}

/* A X against Q (R X). x: n, y and w: max(m, n) x CHECK_VECTORS. */
static int few(struct check_error *r, const void *tau, void *x, void *y, void *w, double *sums, double *residual)
{
    const enum tw_type t = r->A->type;
    const tw_int m = r->A->m, n = r->A->n, k = smaller(m, n);
    double q = 0;
    int e;

    columns(t, n, CHECK_VECTORS, 0, x);
    if ((e = r->A->apply(r->A->context, TW_GENERAL, TW_NOTRANS, CHECK_VECTORS, x, y, sums, NULL))) return e;
    memset(w, 0, (size_t)m * CHECK_VECTORS * check_sizeof(t));
    check_copy(t, k, CHECK_VECTORS, x, n, w, m);
    check_trmm(t, TW_LEFT, TW_UPPER, TW_NOTRANS, TW_NONUNIT, k, CHECK_VECTORS, r->f, r->ldf, w, m);
    if (n > k)
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, k, CHECK_VECTORS, n - k, 1, row(t, r->f, k * r->ldf), r->ldf,
                   row(t, x, k), n, 1, w, m);
    if ((e = check_reflect(t, TW_NOTRANS, m, CHECK_VECTORS, k, r->f, r->ldf, tau, w, m))) return e;
    check_subtract(t, m, CHECK_VECTORS, w, m, y, m);
    *residual =
        check_quotient(worst(t, CHECK_VECTORS, m, w, n, x), check_max(n, sums)) / ((double)larger(m, n) * check_eps(t));
    if ((e = orthogonality(r, tau, CHECK_VECTORS, 0, y, w, &q))) return e;
    if (!(q <= *residual)) *residual = q;
    return 0;
}

int check_geqrf(const struct check_matrix *A, const void *f, tw_int ldf, const void *tau, double *residual)
{
    const tw_int m = A->m, n = A->n, longest = larger(m, n), vectors = longest > CHECK_FULL_MAX;
    struct check_error r = {.A = A, .f = f, .ldf = ldf};
    void *c = check_room(A->type, longest, vectors ? CHECK_VECTORS : n),
         *w = check_room(A->type, longest, vectors ? CHECK_VECTORS : n), *x = check_room(A->type, n, CHECK_VECTORS);
    double *sums = check_room(TW_DOUBLE, n, 1);
    int e = c && w && x && sums ? 0 : TW_E_MEMORY;

    *residual = 0;
    if (!e && m > 0 && n > 0) {
        *residual = NAN;
        e = vectors ? few(&r, tau, x, c, w, sums, residual) : whole(&r, tau, c, w, residual);
    }
    free(c), free(w), free(x), free(sums);
    return e;
}

/* ---- gels --------------------------------------------------------------------------------------------------------------- */

struct columns_of {
    enum tw_type type;
    tw_int m, n, nrhs, ldx, ldb;
    const void *x, *b;
    double norm;
};

/* e: n x nrhs, A^H r; or m x nrhs, r. */
static double scaled(const struct columns_of *c, int least_squares, const void *e)
{
    const enum tw_type t = c->type;
    const tw_int rows = least_squares ? c->n : c->m;
    double value = 0;

    for (tw_int j = 0; j < c->nrhs; j++) {
        const double size = c->norm * check_norm_ge(t, c->n, 1, row(t, c->x, j * c->ldx), c->ldx) +
                            check_norm_ge(t, c->m, 1, row(t, c->b, j * c->ldb), c->ldb);
        const double one =
            check_quotient(check_norm_ge(t, rows, 1, row(t, e, j * rows), rows), size * (least_squares ? c->norm : 1));
        if (!(one <= value)) value = one;
    }
    return value / ((double)larger(c->m, c->n) * check_eps(t));
}

/* Q^H x for the Q of A^H's QR, by LAPACK: what is below its first m rows lies outside of the range. */
static int outside(const struct check_matrix *A, const struct columns_of *c, double *value)
{
    const enum tw_type t = A->type;
    const tw_int m = A->m, n = A->n;
    void *a = check_room(t, m, n), *h = check_room(t, n, m), *tau = check_room(t, m, 1), *q = check_room(t, n, c->nrhs);
    int e = a && h && tau && q ? A->fill(A->context, a, m) : TW_E_MEMORY;

    for (tw_int j = 0; !e && j < n; j++)
        for (tw_int i = 0; i < m; i++) {
            double v[2];
            check_get(t, a, (size_t)(i + j * m), v);
            check_set(t, h, (size_t)(j + i * n), v[0], -v[1]);
        }
    if (!e) e = check_lapack_geqrf(t, n, m, h, n, tau);
    if (!e) check_copy(t, n, c->nrhs, c->x, c->ldx, q, n);
    if (!e) e = check_reflect(t, TW_CONJTRANS, n, c->nrhs, m, h, n, tau, q, n);
    for (tw_int j = 0; !e && j < c->nrhs; j++) {
        const double one = check_quotient(check_norm_ge(t, n - m, 1, row(t, q, m + j * n), n),
                                          check_norm_ge(t, n, 1, row(t, c->x, j * c->ldx), c->ldx)) /
                           ((double)n * check_eps(t));
        if (!(one <= *value)) *value = one;
    }
    free(a), free(h), free(tau), free(q);
    return e;
}

int check_gels(const struct check_matrix *A, tw_int nrhs, const void *x, tw_int ldx, const void *b, tw_int ldb,
               double *residual)
{
    const enum tw_type t = A->type;
    const tw_int m = A->m, n = A->n, longest = larger(m, n);
    struct columns_of c = {t, m, n, nrhs, ldx, ldb, x, b, 0};
    void *y = check_room(t, longest, nrhs), *r = check_room(t, longest, nrhs);
    double *cols = check_room(TW_DOUBLE, n, 1), *rows = check_room(TW_DOUBLE, m, 1);
    int e = y && r && cols && rows ? 0 : TW_E_MEMORY;

    *residual = 0;
    if (!e && m > 0 && n > 0 && nrhs > 0) {
        check_copy(t, n, nrhs, x, ldx, y, n);
        e = A->apply(A->context, TW_GENERAL, TW_NOTRANS, nrhs, y, r, cols, rows);
        if (!e) {
            check_subtract(t, m, nrhs, r, m, b, ldb);
            c.norm = fmax(check_max(n, cols), check_max(m, rows));
        }
        if (!e && m >= n) e = A->apply(A->context, TW_GENERAL, TW_CONJTRANS, nrhs, r, y, NULL, NULL);
        if (!e) *residual = scaled(&c, m >= n, m >= n ? y : r);
        if (!e && m < n && longest <= CHECK_FULL_MAX) e = outside(A, &c, residual);
    }
    free(y), free(r), free(cols), free(rows);
    return e;
}
