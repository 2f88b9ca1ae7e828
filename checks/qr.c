/* geqrf and gels: Q by LAPACK's ormqr from V and tau; whole matrices up to order CHECK_FULL_MAX, above it a few
 * vectors. */
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

/* The worst column of E, m x k, in units of the same column of X, n x k. */
static double worst(enum tw_type t, tw_int k, tw_int m, const void *e, tw_int n, const void *x)
{
    double value = 0;
    for (tw_int j = 0; j < k; j++) {
        const double one =
            check_quotient(check_norm_ge(t, m, 1, row(t, e, j * m), m), check_norm_ge(t, n, 1, row(t, x, j * n), n));
        value = check_worse(value, one);
    }
    return value;
}

/* ---- geqrf ------------------------------------------------------------------------------------------------------- */

/* |Q^H (Q X) - X| for k columns of the identity or of signs, m x k, and Q of so many reflectors; x and y: room. */
static int orthogonality(const struct check_error *r, const void *tau, tw_int reflectors, tw_int k, int identity,
                         void *x, void *y, double *value)
{
    const enum tw_type t = r->A->type;
    const tw_int m = r->A->m;
    int e;

    check_columns(t, m, k, identity, x);
    check_copy(t, m, k, x, m, y, m);
    if ((e = check_reflect(t, TW_NOTRANS, m, k, reflectors, r->f, r->ldf, tau, y, m))) return e;
    if ((e = check_reflect(t, TW_CONJTRANS, m, k, reflectors, r->f, r->ldf, tau, y, m))) return e;
    check_subtract(t, m, k, y, m, x, m);
    *value = (identity ? check_norm_ge(t, m, k, y, m) : worst(t, k, m, y, m, x)) / ((double)m * check_eps(t));
    return 0;
}

/* Of k reflectors; the columns behind them are whole. */
static int full_q(const struct check_error *r, const void *tau, tw_int k, void *c, void *w, double *residual)
{
    const enum tw_type t = r->A->type;
    const tw_int m = r->A->m, n = r->A->n;
    double norm, q = 0;
    int e = r->A->fill(r->A->context, c, m);

    if (e) return e;
    norm = check_norm_ge(t, m, n, c, m);
    check_copy(t, m, n, r->f, r->ldf, w, m);
    check_clean_triangle(t, TW_UPPER, m, k, w, m);
    if ((e = check_reflect(t, TW_NOTRANS, m, n, k, r->f, r->ldf, tau, w, m))) return e;
    check_subtract(t, m, n, w, m, c, m);
    *residual = check_quotient(check_norm_ge(t, m, n, w, m), norm) / ((double)larger(m, n) * check_eps(t));
    if ((e = orthogonality(r, tau, k, smaller(m, n), 1, c, w, &q))) return e;
    *residual = check_worse(*residual, q);
    return 0;
}

/* A X against Q (R X). x: n, y and w: max(m, n) x CHECK_VECTORS. */
static int few(struct check_error *r, const void *tau, tw_int k, void *x, void *y, void *w, double *sums,
               double *residual)
{
    const enum tw_type t = r->A->type;
    const tw_int m = r->A->m, n = r->A->n;
    double q = 0;
    int e;

    check_columns(t, n, CHECK_VECTORS, 0, x);
    if ((e = r->A->apply(r->A->context, TW_GENERAL, TW_NOTRANS, CHECK_VECTORS, x, y, sums, NULL))) return e;
    memset(w, 0, (size_t)m * CHECK_VECTORS * check_sizeof(t));
    check_copy(t, k, CHECK_VECTORS, x, n, w, m);
    check_trmm(t, TW_LEFT, TW_UPPER, TW_NOTRANS, TW_NONUNIT, k, CHECK_VECTORS, r->f, r->ldf, w, m);
    if (n > k)
        check_gemm(t, TW_NOTRANS, TW_NOTRANS, m, CHECK_VECTORS, n - k, 1, row(t, r->f, k * r->ldf), r->ldf,
                   row(t, x, k), n, 1, w, m);
    if ((e = check_reflect(t, TW_NOTRANS, m, CHECK_VECTORS, k, r->f, r->ldf, tau, w, m))) return e;
    check_subtract(t, m, CHECK_VECTORS, w, m, y, m);
    *residual =
        check_quotient(worst(t, CHECK_VECTORS, m, w, n, x), check_max(n, sums)) / ((double)larger(m, n) * check_eps(t));
    if ((e = orthogonality(r, tau, k, CHECK_VECTORS, 0, y, w, &q))) return e;
    *residual = check_worse(*residual, q);
    return 0;
}

static int factors_of(const struct check_matrix *A, const void *f, tw_int ldf, tw_int k, const void *tau,
                      double *residual)
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
        e = vectors ? few(&r, tau, k, x, c, w, sums, residual) : full_q(&r, tau, k, c, w, residual);
    }
    free(c), free(w), free(x), free(sums);
    return e;
}

int check_geqrf(const struct check_matrix *A, const void *f, tw_int ldf, const void *tau, double *residual)
{
    return factors_of(A, f, ldf, smaller(A->m, A->n), tau, residual);
}

/* ---- geqp3 ------------------------------------------------------------------------------------------------------- */

/* A's columns in another order. */
struct permuted {
    const struct check_matrix *A;
    const tw_int *jpvt;
};
static int permuted_fill(const void *context, void *a, tw_int lda)
{
    const struct permuted *p = context;
    const enum tw_type t = p->A->type;
    const tw_int m = p->A->m, n = p->A->n;
    void *copy = check_room(t, m, n);
    int e = copy ? p->A->fill(p->A->context, copy, m) : TW_E_MEMORY;

    for (tw_int j = 0; j < n && !e; j++)
        check_copy(t, m, 1, row(t, copy, (p->jpvt[j] - 1) * m), m, row(t, a, j * lda), lda);
    free(copy);
    return e;
}
/* A (P X); of sums their order does not count. */
static int permuted_apply(const void *context, enum tw_uplo uplo, enum tw_trans op, tw_int k, const void *x, void *y,
                          double *colsum, double *rowsum)
{
    const struct permuted *p = context;
    const enum tw_type t = p->A->type;
    const tw_int n = p->A->n;
    void *z = op == TW_NOTRANS ? check_room(t, n, k) : NULL;
    int e;

    if (!z) return TW_E_MEMORY;
    for (tw_int j = 0; j < n; j++)
        check_copy(t, 1, k, row(t, x, j), n, row(t, z, p->jpvt[j] - 1), n);
    e = p->A->apply(p->A->context, uplo, op, k, z, y, colsum, rowsum);
    free(z);
    return e;
}

/* A permutation, and R's diagonal in its order: a later element may be `growth` times one before it, and larger by what
 * A was rounded by, n eps |R(0, 0)|. */
static int pivots_sound(const struct check_matrix *A, const void *f, tw_int ldf, tw_int k, const tw_int *jpvt,
                        double growth)
{
    const double slack = growth * (1 + sqrt(check_eps(A->type)));
    char *seen = calloc((size_t)A->n + 1, 1);
    double last = INFINITY, v[2], noise = 0;
    int sound = seen != NULL;

    if (smaller(A->m, A->n) == 0) { /* no step was made: LAPACK leaves jpvt alone */
        free(seen);
        return 1;
    }
    for (tw_int j = 0; j < A->n && sound; j++)
        sound = jpvt[j] >= 1 && jpvt[j] <= A->n && !seen[jpvt[j]]++;
    for (tw_int j = 0; j < k && sound; j++) {
        check_get(A->type, f, (size_t)(j + j * ldf), v);
        if (j == 0) noise = (double)larger(A->m, A->n) * check_eps(A->type) * hypot(v[0], v[1]);
        sound = !(hypot(v[0], v[1]) > slack * last + noise);
        last = growth == 1 ? hypot(v[0], v[1]) : fmin(last, hypot(v[0], v[1]));
    }
    free(seen);
    return sound;
}

/* The longest column of what is left is as long as it is said to be. */
static int left_sound(const struct check_matrix *A, const void *f, tw_int ldf, tw_int k, double left)
{
    double longest = 0, first = 0, v[2];

    if (k >= smaller(A->m, A->n)) return left == 0;
    for (tw_int j = k; j < A->n; j++) {
        double below = 0, all = 0;
        for (tw_int i = 0; i < A->m; i++) {
            check_get(A->type, f, (size_t)(i + j * ldf), v);
            all = hypot(all, hypot(v[0], v[1]));
            if (i >= k) below = hypot(below, hypot(v[0], v[1]));
        }
        longest = check_worse(longest, below), first = check_worse(first, all);
    }
    return fabs(left - longest) <= 1e-3 * longest + (double)larger(A->m, A->n) * check_eps(A->type) * first;
}

int check_geqp3rk(const struct check_matrix *A, const void *f, tw_int ldf, tw_int k, double left, const tw_int *jpvt,
                  const void *tau, double growth, double *residual)
{
    const struct permuted p = {A, jpvt};
    const struct check_matrix AP = {A->type, A->m, A->n, &p, permuted_fill, permuted_apply};

    *residual = NAN;
    if (!pivots_sound(A, f, ldf, k, jpvt, growth) || !left_sound(A, f, ldf, k, left)) return 0;
    return factors_of(&AP, f, ldf, k, tau, residual);
}

int check_geqp3(const struct check_matrix *A, const void *f, tw_int ldf, const tw_int *jpvt, const void *tau,
                double growth, double *residual)
{
    return check_geqp3rk(A, f, ldf, smaller(A->m, A->n), 0, jpvt, tau, growth, residual);
}

/* ---- gels -------------------------------------------------------------------------------------------------------- */

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
        value = check_worse(value, one);
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
        *value = check_worse(*value, one);
    }
    free(a), free(h), free(tau), free(q);
    return e;
}

int check_gels(const struct check_matrix *A, tw_int nrhs, const void *x, tw_int ldx, const void *b, tw_int ldb,
               double *residual)
{
    return check_gelsy(A, smaller(A->m, A->n), nrhs, x, ldx, b, ldb, residual);
}

int check_gelsy(const struct check_matrix *A, tw_int rank, tw_int nrhs, const void *x, tw_int ldx, const void *b,
                tw_int ldb, double *residual)
{
    const int least_squares = A->m >= A->n || rank < A->m;
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
            c.norm = check_worse(check_max(n, cols), check_max(m, rows));
        }
        if (!e && least_squares) e = A->apply(A->context, TW_GENERAL, TW_CONJTRANS, nrhs, r, y, NULL, NULL);
        if (!e) *residual = scaled(&c, least_squares, least_squares ? y : r);
        if (!e && !least_squares && longest <= CHECK_FULL_MAX) e = outside(A, &c, residual);
    }
    free(y), free(r), free(cols), free(rows);
    return e;
}
